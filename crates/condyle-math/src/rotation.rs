//! Rotations from Euler angles and from arbitrary matrices, and derivatives of quaternion differences and integration.

use crate::{MIN_VALUE, Mat3, Quat, Vec3, mat3, quat, vec3};

/// Quaternion of three successive rotations about the axes named in `sequence`: lower case about moving axes, upper case about
/// fixed ones. `None` unless `sequence` is three of `xyzXYZ`.
pub fn from_euler(angles: Vec3, sequence: &str) -> Option<Quat> {
    let letters: [u8; 3] = sequence.as_bytes().try_into().ok()?;
    let mut q = quat::IDENTITY;
    for (angle, letter) in angles.iter().zip(letters) {
        let axis = b"xyz".iter().position(|axis| *axis == letter.to_ascii_lowercase())?;
        let mut turn = [(angle / 2.0).cos(), 0.0, 0.0, 0.0];
        turn[axis + 1] = (angle / 2.0).sin();
        q = if letter.is_ascii_lowercase() { quat::mul(q, turn) } else { quat::mul(turn, q) };
    }
    Some(q)
}

/// Rotational part of an arbitrary matrix, refined from the guess `q`; also the number of iterations.
///
/// Müller, Bender, Chentanez, Macklin 2016, "A robust method to extract the rotational part of deformations".
pub fn extract(m: &Mat3, q: Quat) -> (Quat, usize) {
    const MAX_ITERATIONS: usize = 500;
    const TOLERANCE: f64 = 1e-9;
    let mut q = q;
    for iteration in 0..MAX_ITERATIONS {
        let rotation = quat::to_mat(&q);
        let cross = |i| vec3::cross(mat3::column(&rotation, i), mat3::column(m, i));
        let dot = |i| vec3::dot(mat3::column(&rotation, i), mat3::column(m, i));
        let torque = vec3::add(vec3::add(cross(0), cross(1)), cross(2));
        let scale = 1.0 / ((dot(0) + dot(1) + dot(2)).abs() + MIN_VALUE);
        let (axis, angle) = vec3::normalize(vec3::scale(torque, scale));
        if angle < TOLERANCE {
            return (q, iteration);
        }
        q = quat::normalize(quat::mul(quat::from_axis_angle(axis, angle), q)).0;
    }
    (q, MAX_ITERATIONS)
}

/// Derivatives of the rotation vector [`quat::sub`]`(a, b)` by small rotations of `a` and of `b`.
pub fn sub_derivative(a: Quat, b: Quat) -> (Mat3, Mat3) {
    let (axis, angle) = vec3::normalize(quat::sub(a, b));
    let half = 0.5 * angle;
    let k = [0.0, -axis[2], axis[1], axis[2], 0.0, -axis[0], -axis[1], axis[0], 0.0];
    let kk = mat3::mul(&k, &k);
    let coefficient = 1.0 - if half < 6e-8 { 1.0 } else { half / half.tan() };
    let by_a: Mat3 = std::array::from_fn(|i| (mat3::IDENTITY[i] + k[i] * half) + kk[i] * coefficient);
    (by_a, mat3::transpose(&by_a).map(|x| -x))
}

/// Derivatives of [`quat::integrate`], as small rotations of the result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntegrateDerivative {
    /// By a small rotation of the start.
    pub by_quat: Mat3,
    /// By the velocity scaled by the time.
    pub by_velocity: Mat3,
    /// By the time.
    pub by_time: Vec3,
}

/// Derivatives of [`quat::integrate`] (Solà 2017, "Quaternion kinematics for the error-state Kalman filter", eq. 183).
pub fn integrate_derivative(velocity: Vec3, dt: f64) -> IntegrateDerivative {
    let s = [dt * velocity[0], dt * velocity[1], dt * velocity[2]];
    let cross = [0.0, s[2], -s[1], -s[2], 0.0, s[0], s[1], -s[0], 0.0];
    let outer: Mat3 = std::array::from_fn(|i| s[i / 3] * s[i % 3]);
    let xx = vec3::dot(s, s);
    let x = xx.sqrt();
    let a = x.cos();
    // Near zero the quotients lose their digits; series to sixth order replace them.
    let (b, c, d) = if x.abs() > 1.0 / 32.0 {
        let b = x.sin() / x;
        (b, (1.0 - a) / xx, (1.0 - b) / xx)
    } else {
        (
            1.0 + xx / 6.0 * (xx / 20.0 * (1.0 - xx / 42.0) - 1.0),
            (1.0 + xx / 12.0 * (xx / 30.0 * (1.0 - xx / 56.0) - 1.0)) / 2.0,
            (1.0 + xx / 20.0 * (xx / 42.0 * (1.0 - xx / 72.0) - 1.0)) / 6.0,
        )
    };
    let combine = |x: f64, y: f64, z: f64| -> Mat3 {
        std::array::from_fn(|i| x * mat3::IDENTITY[i] + y * cross[i] + z * outer[i])
    };
    let by_velocity = combine(b, c, d);
    IntegrateDerivative {
        by_quat: combine(a, b, c),
        by_velocity,
        by_time: mat3::mul_vec(&by_velocity, velocity),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Quat = [0.9, 0.3, -0.2, 0.1];
    const B: Quat = [0.4, -0.6, 0.5, 0.2];

    fn close(x: &[f64], y: &[f64], tolerance: f64) -> bool {
        x.iter().zip(y).all(|(a, b)| (a - b).abs() < tolerance)
    }

    #[test]
    fn moving_and_fixed_axes_are_opposite_orders() {
        let moving = from_euler([0.1, 0.2, 0.3], "xyz").unwrap();
        let fixed = from_euler([0.3, 0.2, 0.1], "ZYX").unwrap();
        assert!(close(&moving, &fixed, 1e-15));
        assert_eq!(from_euler([0.0; 3], "xy"), None);
        assert_eq!(from_euler([0.0; 3], "xyw"), None);
    }

    #[test]
    fn rotation_is_extracted_from_a_stretched_matrix() {
        let q = quat::normalize(A).0;
        let stretched = mat3::mul(&quat::to_mat(&q), &[2.0, 0.1, 0.0, 0.1, 1.5, 0.0, 0.0, 0.0, 0.7]);
        let (found, iterations) = extract(&stretched, quat::IDENTITY);
        assert!(iterations > 0 && close(&found, &q, 1e-7));
        assert_eq!(extract(&mat3::IDENTITY, quat::IDENTITY).1, 0);
    }

    #[test]
    fn difference_derivative_matches_finite_differences() {
        let (a, b) = (quat::normalize(A).0, quat::normalize(B).0);
        let (by_a, by_b) = sub_derivative(a, b);
        let h = 1e-6;
        for column in 0..3 {
            let mut v = [0.0; 3];
            v[column] = 1.0;
            let center = quat::sub(a, b);
            let moved_a = vec3::scale(vec3::sub(quat::sub(quat::integrate(a, v, h), b), center), 1.0 / h);
            let moved_b = vec3::scale(vec3::sub(quat::sub(a, quat::integrate(b, v, h)), center), 1.0 / h);
            assert!(close(&mat3::column(&by_a, column), &moved_a, 1e-5));
            assert!(close(&mat3::column(&by_b, column), &moved_b, 1e-5));
        }
    }

    #[test]
    fn integration_derivative_matches_finite_differences_near_and_far() {
        for v in [[0.3, -0.8, 0.5], [0.003, 0.002, -0.001]] {
            let (q, dt, h) = (quat::normalize(A).0, 0.7, 1e-6);
            let d = integrate_derivative(v, dt);
            let end = quat::integrate(q, v, dt);
            let change = |moved: Quat| vec3::scale(quat::sub(moved, end), 1.0 / h);
            for column in 0..3 {
                let mut unit = [0.0; 3];
                unit[column] = 1.0;
                let start = change(quat::integrate(quat::integrate(q, unit, h), v, dt));
                let faster = change(quat::integrate(q, vec3::add_scaled(v, unit, h / dt), dt));
                assert!(close(&mat3::column(&d.by_quat, column), &start, 1e-5));
                assert!(close(&mat3::column(&d.by_velocity, column), &faster, 1e-5));
            }
            assert!(close(&d.by_time, &change(quat::integrate(q, v, dt + h)), 1e-5));
        }
    }
}
