//! Principal axes of an inertia matrix and the normalisation rule the model compiler uses.
//!
//! Jacobi rotations kept as a quaternion. It differs from the eigenvalue routine of the simulation in its normalisation: vectors
//! are divided by their length, left alone if the length is within 1e-14 of one or its square below 1e-14.

use condyle_math::{Mat3, Quat, Vec3, mat3, quat, vec3};

/// Smallest squared length that is normalised, and tolerance of unit length.
pub const EPS: f64 = 1e-14;
const EIGEN_EPS: f64 = 1e-12;
const MAX_ROTATIONS: usize = 500;

/// Normalises in place and returns the former length, 0 for vectors too short to normalise.
#[inline]
pub fn normalize_slice(v: &mut [f64]) -> f64 {
    let mut square = 0.0;
    for x in v.iter() {
        square += x * x;
    }
    if square < EPS {
        return 0.0;
    }
    let length = square.sqrt();
    if (length - 1.0).abs() > EPS {
        for x in v {
            *x /= length;
        }
    }
    length
}

/// [`normalize_slice`] for a quaternion.
pub fn normalize_quat(q: &mut Quat) -> f64 {
    normalize_slice(q)
}

/// Product of two quaternions, normalised.
pub fn mul_quat(a: Quat, b: Quat) -> Quat {
    let mut product = quat::mul(a, b);
    normalize_quat(&mut product);
    product
}

/// Unit normal of the triangle `a b c` and the length of the cross product.
///
/// A degenerate triangle gives the x axis divided by that length, as the reference does, so the result may be infinite or NaN.
#[inline]
pub fn triangle_normal(a: Vec3, b: Vec3, c: Vec3) -> (Vec3, f64) {
    let mut normal = vec3::cross(vec3::sub(b, a), vec3::sub(c, a));
    let length = vec3::dot(normal, normal).sqrt();
    if length < EPS {
        normal = [1.0, 0.0, 0.0];
    }
    (normal.map(|x| x / length), length)
}

/// Eigenvalues of a symmetric matrix in decreasing order and the rotation to its eigenvectors.
pub fn principal_axes(matrix: &Mat3) -> (Vec3, Quat) {
    let mut rotation = quat::IDENTITY;
    let mut values = [0.0; 3];
    for _ in 0..MAX_ROTATIONS {
        let axes = quat::to_mat(&rotation);
        let d = mat3::mul(&mat3::mul(&mat3::transpose(&axes), matrix), &axes);
        values = [d[0], d[4], d[8]];
        match jacobi_rotation(&d) {
            Some(step) => {
                rotation = mul_quat(rotation, step);
                normalize_quat(&mut rotation);
            }
            None => break,
        }
    }
    // Bubble sort of three values: positions 0, 1, 0.
    for lead in [0, 1, 0] {
        if values[lead] + EIGEN_EPS < values[lead + 1] {
            values.swap(lead, lead + 1);
            let mut quarter_turn = [0.707106781186548, 0.0, 0.0, 0.0];
            quarter_turn[(lead + 2) % 3 + 1] = quarter_turn[0];
            rotation = mul_quat(rotation, quarter_turn);
            normalize_quat(&mut rotation);
        }
    }
    (values, rotation)
}

/// Rotation that clears the largest off-diagonal entry of `d`, or none if it is small already.
fn jacobi_rotation(d: &Mat3) -> Option<Quat> {
    let (row, column, axis) = if d[1].abs() > d[2].abs() && d[1].abs() > d[5].abs() {
        (0, 1, 2)
    } else if d[2].abs() > d[5].abs() {
        (0, 2, 1)
    } else {
        (1, 2, 0)
    };
    let off_diagonal = d[3 * row + column];
    if off_diagonal.abs() < EIGEN_EPS {
        return None;
    }
    let tau = (d[4 * column] - d[4 * row]) / (2.0 * off_diagonal);
    let tangent = if tau >= 0.0 {
        1.0 / (tau + (1.0 + tau * tau).sqrt())
    } else {
        -1.0 / (-tau + (1.0 + tau * tau).sqrt())
    };
    let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
    if cosine > 1.0 - EIGEN_EPS {
        return None;
    }
    let mut sine_half = (0.5 - 0.5 * cosine).sqrt();
    if tau >= 0.0 {
        sine_half = -sine_half;
    }
    if axis == 1 {
        sine_half = -sine_half;
    }
    let mut step = [(1.0 - sine_half * sine_half).sqrt(), 0.0, 0.0, 0.0];
    step[axis + 1] = sine_half;
    normalize_quat(&mut step);
    Some(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvalues_come_in_decreasing_order_with_their_axes() {
        let matrix = [2.0, 0.5, 0.1, 0.5, 3.0, -0.2, 0.1, -0.2, 1.0];
        let (values, rotation) = principal_axes(&matrix);
        assert!(values[0] >= values[1] && values[1] >= values[2]);
        let axes = quat::to_mat(&rotation);
        for i in 0..3 {
            let axis = mat3::column(&axes, i);
            let image = mat3::mul_vec(&matrix, axis);
            assert!(vec3::norm(vec3::sub(image, vec3::scale(axis, values[i]))) < 1e-5);
        }
    }

    #[test]
    fn nan_matrices_end() {
        let (_, rotation) = principal_axes(&[f64::NAN; 9]);
        assert_eq!(rotation.len(), 4);
    }
}
