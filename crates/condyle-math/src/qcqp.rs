//! Quadratic programs over an ellipsoid: minimise `½ xᵀ A x + xᵀ b` subject to `Σ (xᵢ / dᵢ)² ≤ r²`.
//!
//! Scaling by `d` makes the constraint a ball; Newton's method then finds the multiplier `λ ≥ 0` for which
//! `|(A + λ I)⁻¹ b| = r`. Used for friction forces within an elliptic cone. Reference: `mju_QCQP`.

use crate::{cholesky, dense};

const MAX_ITERATIONS: usize = 20;
const TOLERANCE: f64 = 1e-10;

/// Largest problem [`solve_n`] takes.
pub const MAX_SIZE: usize = 5;

/// Solution of a program, and whether the constraint is active.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solution<const N: usize> {
    /// The minimiser.
    pub x: [f64; N],
    /// Whether the minimiser lies on the boundary of the feasible set.
    pub constrained: bool,
}

/// Outcome of one Newton step on the multiplier.
fn newton_step(value: f64, derivative: impl FnOnce() -> f64) -> Option<f64> {
    if value < TOLERANCE {
        return None;
    }
    let delta = -value / derivative();
    (!(delta < TOLERANCE)).then_some(delta)
}

/// Two dimensions; `a` is row-major and taken as symmetric.
pub fn solve2(a: &[f64; 4], b: &[f64; 2], d: &[f64; 2], r: f64) -> Solution<2> {
    let (b1, b2) = (b[0] * d[0], b[1] * d[1]);
    let a11 = a[0] * d[0] * d[0];
    let a22 = a[3] * d[1] * d[1];
    let a12 = a[1] * d[0] * d[1];
    let (mut v1, mut v2, mut multiplier) = (0.0, 0.0, 0.0);
    for _ in 0..MAX_ITERATIONS {
        let determinant = (a11 + multiplier) * (a22 + multiplier) - a12 * a12;
        if determinant < TOLERANCE {
            return Solution { x: [0.0; 2], constrained: false };
        }
        let inverse = 1.0 / determinant;
        let p11 = (a22 + multiplier) * inverse;
        let p22 = (a11 + multiplier) * inverse;
        let p12 = -a12 * inverse;
        v1 = -p11 * b1 - p12 * b2;
        v2 = -p12 * b1 - p22 * b2;
        let value = v1 * v1 + v2 * v2 - r * r;
        let derivative = || -2.0 * (p11 * v1 * v1 + 2.0 * p12 * v1 * v2 + p22 * v2 * v2);
        let Some(delta) = newton_step(value, derivative) else { break };
        multiplier += delta;
    }
    Solution { x: [v1 * d[0], v2 * d[1]], constrained: multiplier != 0.0 }
}

/// Three dimensions; `a` is row-major and taken as symmetric.
pub fn solve3(a: &[f64; 9], b: &[f64; 3], d: &[f64; 3], r: f64) -> Solution<3> {
    let (b1, b2, b3) = (b[0] * d[0], b[1] * d[1], b[2] * d[2]);
    let a11 = a[0] * d[0] * d[0];
    let a22 = a[4] * d[1] * d[1];
    let a33 = a[8] * d[2] * d[2];
    let a12 = a[1] * d[0] * d[1];
    let a13 = a[2] * d[0] * d[2];
    let a23 = a[5] * d[1] * d[2];
    let (mut v1, mut v2, mut v3, mut multiplier) = (0.0, 0.0, 0.0, 0.0);
    for _ in 0..MAX_ITERATIONS {
        let (m11, m22, m33) = (a11 + multiplier, a22 + multiplier, a33 + multiplier);
        let c11 = m22 * m33 - a23 * a23;
        let c22 = m11 * m33 - a13 * a13;
        let c33 = m11 * m22 - a12 * a12;
        let c12 = a13 * a23 - a12 * m33;
        let c13 = a12 * a23 - a13 * m22;
        let c23 = a12 * a13 - a23 * m11;
        let determinant = m11 * c11 + a12 * c12 + a13 * c13;
        if determinant < TOLERANCE {
            return Solution { x: [0.0; 3], constrained: false };
        }
        let inverse = 1.0 / determinant;
        let (p11, p22, p33) = (c11 * inverse, c22 * inverse, c33 * inverse);
        let (p12, p13, p23) = (c12 * inverse, c13 * inverse, c23 * inverse);
        v1 = -p11 * b1 - p12 * b2 - p13 * b3;
        v2 = -p12 * b1 - p22 * b2 - p23 * b3;
        v3 = -p13 * b1 - p23 * b2 - p33 * b3;
        let value = v1 * v1 + v2 * v2 + v3 * v3 - r * r;
        let derivative = || {
            -2.0 * (p11 * v1 * v1 + p22 * v2 * v2 + p33 * v3 * v3)
                - 4.0 * (p12 * v1 * v2 + p13 * v1 * v3 + p23 * v2 * v3)
        };
        let Some(delta) = newton_step(value, derivative) else { break };
        multiplier += delta;
    }
    Solution { x: [v1 * d[0], v2 * d[1], v3 * d[2]], constrained: multiplier != 0.0 }
}

/// Up to [`MAX_SIZE`] dimensions, as many as `x` has. Returns whether the constraint is active, or `None` when `x` is too long.
pub fn solve_n(x: &mut [f64], a: &[f64], b: &[f64], d: &[f64], r: f64) -> Option<bool> {
    let n = x.len();
    if n > MAX_SIZE {
        return None;
    }
    let (mut scaled_a, mut scaled_b) = ([0.0; MAX_SIZE * MAX_SIZE], [0.0; MAX_SIZE]);
    for i in 0..n {
        scaled_b[i] = b[i] * d[i];
        for j in 0..n {
            scaled_a[j + i * n] = a[j + i * n] * d[i] * d[j];
        }
    }
    let mut multiplier = 0.0;
    for _ in 0..MAX_ITERATIONS {
        let mut factor = scaled_a;
        for i in 0..n {
            factor[i * (n + 1)] += multiplier;
        }
        if cholesky::factor(&mut factor[..n * n], n, TOLERANCE) < n {
            x.fill(0.0);
            return Some(false);
        }
        x.copy_from_slice(&scaled_b[..n]);
        cholesky::solve(x, &factor);
        dense::scale_mut(x, -1.0);
        let value = dense::dot(x, x) - r * r;
        let derivative = || {
            let mut second = [0.0; MAX_SIZE];
            second[..n].copy_from_slice(x);
            cholesky::solve(&mut second[..n], &factor);
            -2.0 * dense::dot(x, &second)
        };
        let Some(delta) = newton_step(value, derivative) else { break };
        multiplier += delta;
    }
    for i in 0..n {
        x[i] *= d[i];
    }
    Some(multiplier != 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: [f64; 9] = [3.0, 0.4, -0.2, 0.4, 2.0, 0.3, -0.2, 0.3, 4.0];
    const B: [f64; 3] = [1.0, -2.0, 0.5];
    const D: [f64; 3] = [0.5, 1.0, 2.0];

    #[test]
    fn small_solvers_agree_with_the_general_one() {
        for r in [0.1, 1.0, 10.0] {
            let mut x = [0.0; 3];
            let constrained = solve_n(&mut x, &A, &B, &D, r).unwrap();
            let three = solve3(&A, &B, &D, r);
            assert_eq!(three.constrained, constrained);
            for i in 0..3 {
                assert!((three.x[i] - x[i]).abs() < 1e-9);
            }
            let a2 = [3.0, 0.4, 0.4, 2.0];
            let constrained = solve_n(&mut x[..2], &a2, &B, &D, r).unwrap();
            let two = solve2(&a2, &[B[0], B[1]], &[D[0], D[1]], r);
            assert_eq!(two.constrained, constrained);
            for i in 0..2 {
                assert!((two.x[i] - x[i]).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn active_constraints_put_the_solution_on_the_ellipsoid() {
        let s = solve3(&A, &B, &D, 0.3);
        assert!(s.constrained);
        let radius: f64 = (0..3).map(|i| (s.x[i] / D[i]) * (s.x[i] / D[i])).sum();
        assert!((radius - 0.09).abs() < 1e-8);
        assert!(!solve3(&A, &B, &D, 100.0).constrained);
    }

    #[test]
    fn indefinite_matrices_give_zero_and_large_problems_are_refused() {
        assert_eq!(solve2(&[-1.0, 0.0, 0.0, 1.0], &[1.0; 2], &[1.0; 2], 1.0).x, [0.0; 2]);
        let mut x = [1.0; 2];
        assert_eq!(solve_n(&mut x, &[-1.0, 0.0, 0.0, 1.0], &[1.0; 2], &[1.0; 2], 1.0), Some(false));
        assert_eq!(x, [0.0; 2]);
        assert_eq!(solve_n(&mut [0.0; 6], &[0.0; 36], &[0.0; 6], &[1.0; 6], 1.0), None);
    }
}
