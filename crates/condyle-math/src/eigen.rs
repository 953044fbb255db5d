//! Eigenvalues of symmetric 3×3 matrices by Jacobi rotations carried as a quaternion. Reference: `mju_eig3`.

use crate::{MIN_VALUE, Mat3, Quat, Vec3, mat3, quat};

/// Off-diagonal elements and rotations below this end the iteration.
const TOLERANCE: f64 = MIN_VALUE * 1000.0;
const MAX_ITERATIONS: usize = 500;
/// Half-angle sine and cosine of a quarter turn, with the digits the reference uses.
const QUARTER_TURN: f64 = 0.707106781186548;

/// Eigenvalues in descending order with the rotation to the principal axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Eigen3 {
    /// Eigenvalues, largest first.
    pub values: Vec3,
    /// Eigenvectors in the columns.
    pub vectors: Mat3,
    /// The same rotation as a quaternion.
    pub quat: Quat,
    /// Jacobi rotations that were applied.
    pub iterations: usize,
}

/// Eigenvalues and principal axes of a symmetric matrix.
pub fn eigen3(m: &Mat3) -> Eigen3 {
    let mut q = quat::IDENTITY;
    let mut values = [0.0; 3];
    let mut iterations = 0;
    while iterations < MAX_ITERATIONS {
        let axes = quat::to_mat(&q);
        let turned = mat3::mul(&mat3::mul_transposed_left(&axes, m), &axes);
        values = [turned[0], turned[4], turned[8]];
        let Some(turn) = jacobi_rotation(&turned) else { break };
        q = quat::normalize(quat::mul(q, turn)).0;
        iterations += 1;
    }
    sort_descending(&mut values, &mut q);
    Eigen3 { values, vectors: quat::to_mat(&q), quat: q, iterations }
}

/// Rotation that zeroes the largest off-diagonal element, or `None` once that is not worth while.
fn jacobi_rotation(m: &Mat3) -> Option<Quat> {
    let (xy, xz, yz) = (m[1].abs(), m[2].abs(), m[5].abs());
    let (row, column, axis) = if xy > xz && xy > yz {
        (0, 1, 2)
    } else if xz > yz {
        (0, 2, 1)
    } else {
        (1, 2, 0)
    };
    let element = m[3 * row + column];
    if element.abs() < TOLERANCE {
        return None;
    }
    let tau = (m[4 * column] - m[4 * row]) / (2.0 * element);
    let tangent = if tau >= 0.0 {
        1.0 / (tau + (1.0 + tau * tau).sqrt())
    } else {
        -1.0 / (-tau + (1.0 + tau * tau).sqrt())
    };
    let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
    if cosine > 1.0 - TOLERANCE {
        return None;
    }
    let half_sine = (0.5 - 0.5 * cosine).sqrt();
    let mut component = if tau >= 0.0 { -half_sine } else { half_sine };
    if axis == 1 {
        component = -component;
    }
    let mut turn = [(1.0 - component * component).sqrt(), 0.0, 0.0, 0.0];
    turn[axis + 1] = component;
    Some(quat::normalize(turn).0)
}

/// Bubble sort of three values; every swap is a quarter turn about the remaining axis.
fn sort_descending(values: &mut Vec3, q: &mut Quat) {
    for lead in [0, 1, 0] {
        if values[lead] + TOLERANCE < values[lead + 1] {
            values.swap(lead, lead + 1);
            let mut turn = [QUARTER_TURN, 0.0, 0.0, 0.0];
            turn[(lead + 2) % 3 + 1] = QUARTER_TURN;
            *q = quat::normalize(quat::mul(*q, turn)).0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decomposition_rebuilds_the_matrix_in_descending_order() {
        for m in [
            [2.0, 0.3, -0.4, 0.3, 5.0, 1.0, -0.4, 1.0, 3.0],
            [1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 3.0],
            [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
        ] {
            let e = eigen3(&m);
            assert!(e.values[0] >= e.values[1] - 1e-12 && e.values[1] >= e.values[2] - 1e-12);
            let scaled: Mat3 = std::array::from_fn(|i| e.vectors[i] * e.values[i % 3]);
            let back = mat3::mul_transposed_right(&scaled, &e.vectors);
            for i in 0..9 {
                // The iteration ends at rotations of about 1e-6.
                assert!((back[i] - m[i]).abs() < 1e-5);
            }
        }
    }

    #[test]
    fn a_diagonal_matrix_needs_no_iteration() {
        assert_eq!(eigen3(&mat3::IDENTITY).iterations, 0);
    }
}
