//! Dense Cholesky factorisation `A = L Lᵀ` in the lower triangle, solution, and rank-one change. Reference: `mju_cholFactor`.

pub use crate::simd::TurnedFactor;
use crate::simd::wide;
use crate::{MIN_VALUE, dense};

wide! {
    /// Factorise in place; only the lower triangle is read and written. Pivots below `minimum` are raised to it; returns the number of
    /// pivots that were not.
    pub fn factor(m: &mut [f64], n: usize, minimum: f64) -> usize {
        let mut rank = n;
        for j in 0..n {
            let (upper, lower) = m.split_at_mut((j + 1) * n);
            let row_j = &mut upper[j * n..];
            let mut pivot = row_j[j] - K::dot(&row_j[..j], &row_j[..j]);
            if pivot < minimum {
                pivot = minimum;
                rank -= 1;
            }
            row_j[j] = pivot.sqrt();
            let inverse = 1.0 / row_j[j];
            for row_i in lower.chunks_exact_mut(n).take(n - 1 - j) {
                row_i[j] = (row_i[j] - K::dot(&row_i[..j], &row_j[..j])) * inverse;
            }
        }
        rank
    }
}

/// Solve `L Lᵀ x = b` in place: `x` holds `b` on entry.
pub fn solve(x: &mut [f64], factor: &[f64]) {
    let n = x.len();
    for i in 0..n {
        let row = &factor[i * n..][..=i];
        x[i] = (x[i] - dense::dot(&row[..i], x)) / row[i];
    }
    for i in (0..n).rev() {
        let mut sum = x[i];
        for j in i + 1..n {
            sum -= factor[j * n + i] * x[j];
        }
        x[i] = sum / factor[i * (n + 1)];
    }
}

/// Whether a rank-one term is added or taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The factor becomes that of `A + x xᵀ`.
    Add,
    /// The factor becomes that of `A − x xᵀ`.
    Subtract,
}

/// Replace the factor of `A` by the factor of `A ± x xᵀ`; `x` is used up. Returns the number of pivots that stayed above
/// [`MIN_VALUE`].
pub fn update(factor: &mut [f64], x: &mut [f64], change: Change) -> usize {
    let n = x.len();
    let mut rank = n;
    for k in 0..n {
        if x[k] == 0.0 {
            continue;
        }
        let diagonal = factor[k * (n + 1)];
        let square = x[k] * x[k];
        let mut pivot = diagonal * diagonal + if change == Change::Add { square } else { -square };
        if pivot < MIN_VALUE {
            pivot = MIN_VALUE;
            rank -= 1;
        }
        let root = pivot.sqrt();
        let cosine = root / diagonal;
        let inverse = 1.0 / cosine;
        let sine = x[k] / diagonal;
        factor[k * (n + 1)] = root;
        for i in k + 1..n {
            let element = &mut factor[i * n + k];
            let moved = if change == Change::Add { *element + sine * x[i] } else { *element - sine * x[i] };
            *element = moved * inverse;
            x[i] = cosine * x[i] - sine * *element;
        }
    }
    rank
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix;

    fn sample(n: usize) -> Vec<f64> {
        let mut m = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                m[i * n + j] = if i == j { 3.0 + n as f64 } else { 1.0 / (1.0 + i.abs_diff(j) as f64) };
            }
        }
        m
    }

    #[test]
    fn solution_reproduces_the_right_hand_side() {
        for n in [1, 2, 5, 9] {
            let m = sample(n);
            let mut l = m.clone();
            assert_eq!(factor(&mut l, n, 1e-15), n);
            let b: Vec<f64> = (0..n).map(|i| 1.0 - i as f64).collect();
            let mut x = b.clone();
            solve(&mut x, &l);
            let mut product = vec![0.0; n];
            matrix::mul_vec(&mut product, &m, &x);
            for i in 0..n {
                assert!((product[i] - b[i]).abs() < 1e-13);
            }
        }
    }

    #[test]
    fn adding_and_subtracting_a_vector_changes_the_factor_as_refactoring_would() {
        let n = 6;
        let mut l = sample(n);
        factor(&mut l, n, 1e-15);
        let before = l.clone();
        let x: Vec<f64> = (0..n).map(|i| if i == 2 { 0.0 } else { 0.3 * i as f64 - 0.5 }).collect();
        assert_eq!(update(&mut l, &mut x.clone(), Change::Add), n);
        let mut expected = sample(n);
        for i in 0..n {
            for j in 0..n {
                expected[i * n + j] += x[i] * x[j];
            }
        }
        factor(&mut expected, n, 1e-15);
        for i in 0..n {
            for j in 0..=i {
                assert!((l[i * n + j] - expected[i * n + j]).abs() < 1e-13);
            }
        }
        assert_eq!(update(&mut l, &mut x.clone(), Change::Subtract), n);
        for i in 0..n {
            for j in 0..=i {
                assert!((l[i * n + j] - before[i * n + j]).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn small_pivots_are_raised_and_counted() {
        let mut m = [1.0, 0.0, 1.0, 1.0];
        assert_eq!(factor(&mut m, 2, 1e-6), 1);
        assert_eq!(m[3], 1e-3);
        let mut l = [1.0, 0.0, 0.0, 1.0];
        assert_eq!(update(&mut l, &mut [1.0, 0.0], Change::Subtract), 1);
    }
}
