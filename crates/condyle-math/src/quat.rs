//! Unit quaternions, real part first.

use crate::{MIN_VALUE, Mat3, PI, Quat, Vec3, mat3, vec3};

/// No rotation.
pub const IDENTITY: Quat = [1.0, 0.0, 0.0, 0.0];

#[inline(always)]
fn is_identity(q: &Quat) -> bool {
    q[0] == 1.0 && q[1] == 0.0 && q[2] == 0.0 && q[3] == 0.0
}

/// Squares this near to one have roots within [`MIN_VALUE`] of one: half as far away, and rounded.
const CERTAINLY_UNIT: f64 = 1.5 * MIN_VALUE;

/// Unit quaternion along `q` and the length of `q`. Lengths within [`MIN_VALUE`] of one leave `q` as it is; shorter than
/// [`MIN_VALUE`] gives the identity.
#[inline(always)]
pub fn normalize(q: Quat) -> (Quat, f64) {
    let square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    // Most quaternions of a step are normalised already; who does not ask for the length needs no root then.
    if (square - 1.0).abs() <= CERTAINLY_UNIT {
        return (q, square.sqrt());
    }
    let length = square.sqrt();
    if length < MIN_VALUE {
        (IDENTITY, length)
    } else if (length - 1.0).abs() > MIN_VALUE {
        let inverse = 1.0 / length;
        ([q[0] * inverse, q[1] * inverse, q[2] * inverse, q[3] * inverse], length)
    } else {
        (q, length)
    }
}

/// Normalise `q` in place.
#[inline(always)]
pub fn normalize_mut(q: &mut Quat) {
    *q = normalize(*q).0;
}

/// The inverse rotation of a unit quaternion.
#[inline(always)]
pub fn conjugate(q: Quat) -> Quat {
    [q[0], -q[1], -q[2], -q[3]]
}

/// `a b`: first rotate by `b`, then by `a`.
#[inline(always)]
pub fn mul(a: Quat, b: Quat) -> Quat {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ]
}

/// `q (0, axis)`
#[inline(always)]
pub fn mul_axis(q: Quat, axis: Vec3) -> Quat {
    [
        -q[1] * axis[0] - q[2] * axis[1] - q[3] * axis[2],
        q[0] * axis[0] + q[2] * axis[2] - q[3] * axis[1],
        q[0] * axis[1] + q[3] * axis[0] - q[1] * axis[2],
        q[0] * axis[2] + q[1] * axis[1] - q[2] * axis[0],
    ]
}

/// `v` rotated by `q`; the identity returns `v` untouched.
///
/// The pipeline rotates with this form. [`rotate_or_zero`] differs from it only in the sign of a zero.
#[inline(always)]
pub fn rotate(v: Vec3, q: Quat) -> Vec3 {
    if is_identity(&q) {
        return v;
    }
    let half = [
        q[0] * v[0] + q[2] * v[2] - q[3] * v[1],
        q[0] * v[1] + q[3] * v[0] - q[1] * v[2],
        q[0] * v[2] + q[1] * v[1] - q[2] * v[0],
    ];
    [
        v[0] + 2.0 * (q[2] * half[2] - q[3] * half[1]),
        v[1] + 2.0 * (q[3] * half[0] - q[1] * half[2]),
        v[2] + 2.0 * (q[1] * half[1] - q[2] * half[0]),
    ]
}

/// `v` rotated by `q`; a zero vector gives positive zeros.
#[inline(always)]
pub fn rotate_or_zero(v: Vec3, q: Quat) -> Vec3 {
    if v == [0.0; 3] { [0.0; 3] } else { rotate(v, q) }
}

/// Rotation by `angle` about the unit vector `axis`.
#[inline(always)]
pub fn from_axis_angle(axis: Vec3, angle: f64) -> Quat {
    if angle == 0.0 {
        return IDENTITY;
    }
    let s = (angle * 0.5).sin();
    [(angle * 0.5).cos(), axis[0] * s, axis[1] * s, axis[2] * s]
}

/// Angular velocity that makes the rotation `q` in time `dt`, by the shorter way round.
#[inline(always)]
pub fn to_velocity(q: Quat, dt: f64) -> Vec3 {
    let (axis, sine) = vec3::normalize([q[1], q[2], q[3]]);
    let mut speed = 2.0 * sine.atan2(q[0]);
    if speed > PI {
        speed -= 2.0 * PI;
    }
    speed /= dt;
    vec3::scale(axis, speed)
}

/// Rotation vector that takes `b` to `a`, in the frame of `b`.
#[inline(always)]
pub fn sub(a: Quat, b: Quat) -> Vec3 {
    to_velocity(mul(conjugate(b), a), 1.0)
}

/// Rotation matrix of a unit quaternion.
#[inline(always)]
pub fn to_mat(q: &Quat) -> Mat3 {
    if is_identity(q) {
        return mat3::IDENTITY;
    }
    let (ww, wx, wy, wz) = (q[0] * q[0], q[0] * q[1], q[0] * q[2], q[0] * q[3]);
    let (xx, xy, xz) = (q[1] * q[1], q[1] * q[2], q[1] * q[3]);
    let (yy, yz, zz) = (q[2] * q[2], q[2] * q[3], q[3] * q[3]);
    [
        ww + xx - yy - zz,
        2.0 * (xy - wz),
        2.0 * (xz + wy),
        2.0 * (xy + wz),
        ww - xx + yy - zz,
        2.0 * (yz - wx),
        2.0 * (xz - wy),
        2.0 * (yz + wx),
        ww - xx - yy + zz,
    ]
}

/// Unit quaternion of a rotation matrix, by the largest component.
pub fn from_mat(m: &Mat3) -> Quat {
    let mut q = [0.0; 4];
    if m[0] + m[4] + m[8] > 0.0 {
        q[0] = 0.5 * (1.0 + m[0] + m[4] + m[8]).sqrt();
        q[1] = 0.25 * (m[7] - m[5]) / q[0];
        q[2] = 0.25 * (m[2] - m[6]) / q[0];
        q[3] = 0.25 * (m[3] - m[1]) / q[0];
    } else if m[0] > m[4] && m[0] > m[8] {
        q[1] = 0.5 * (1.0 + m[0] - m[4] - m[8]).sqrt();
        q[0] = 0.25 * (m[7] - m[5]) / q[1];
        q[2] = 0.25 * (m[1] + m[3]) / q[1];
        q[3] = 0.25 * (m[2] + m[6]) / q[1];
    } else if m[4] > m[8] {
        q[2] = 0.5 * (1.0 - m[0] + m[4] - m[8]).sqrt();
        q[0] = 0.25 * (m[2] - m[6]) / q[2];
        q[1] = 0.25 * (m[1] + m[3]) / q[2];
        q[3] = 0.25 * (m[5] + m[7]) / q[2];
    } else {
        q[3] = 0.5 * (1.0 - m[0] - m[4] + m[8]).sqrt();
        q[0] = 0.25 * (m[3] - m[1]) / q[3];
        q[1] = 0.25 * (m[2] + m[6]) / q[3];
        q[2] = 0.25 * (m[5] + m[7]) / q[3];
    }
    normalize(q).0
}

/// Time derivative of `q` under the angular velocity `velocity`.
#[inline(always)]
pub fn derivative(q: Quat, velocity: Vec3) -> Quat {
    let v = velocity;
    [
        0.5 * (-v[0] * q[1] - v[1] * q[2] - v[2] * q[3]),
        0.5 * (v[0] * q[0] + v[1] * q[3] - v[2] * q[2]),
        0.5 * (-v[0] * q[3] + v[1] * q[0] + v[2] * q[1]),
        0.5 * (v[0] * q[2] - v[1] * q[1] + v[2] * q[0]),
    ]
}

/// `q` after turning with `velocity` (in the frame of `q`) for the time `dt`.
#[inline(always)]
pub fn integrate(q: Quat, velocity: Vec3, dt: f64) -> Quat {
    let (axis, speed) = vec3::normalize(velocity);
    let turn = from_axis_angle(axis, dt * speed);
    mul(normalize(q).0, turn)
}

/// Rotation that takes the z axis to `v`.
pub fn z_to_vec(v: Vec3) -> Quat {
    const Z: Vec3 = [0.0, 0.0, 1.0];
    let (unit, length) = vec3::normalize(v);
    if length < MIN_VALUE {
        return IDENTITY;
    }
    let (axis, sine) = vec3::normalize(vec3::cross(Z, unit));
    if sine.abs() < MIN_VALUE {
        return if vec3::dot(unit, Z) < 0.0 { [0.0, 1.0, 0.0, 0.0] } else { IDENTITY };
    }
    from_axis_angle(axis, sine.atan2(vec3::dot(unit, Z)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_that_are_certainly_of_unit_length_have_such_roots() {
        let certain = |square: &f64| (square - 1.0).abs() <= CERTAINLY_UNIT;
        let below =
            std::iter::successors(Some(1.0f64), |square| Some(square.next_down())).take_while(certain);
        let above = std::iter::successors(Some(1.0f64), |square| Some(square.next_up())).take_while(certain);
        let squares: Vec<f64> = below.chain(above).collect();
        assert!(squares.len() > 10);
        assert!(squares.iter().all(|square| (square.sqrt() - 1.0).abs() <= MIN_VALUE));
    }

    #[test]
    fn matrix_round_trip_keeps_the_rotation() {
        for q in [[0.5, 0.5, 0.5, 0.5], [0.1, -0.9, 0.3, 0.2], [0.0, 0.0, 1.0, 0.1], [-0.2, 0.1, 0.1, 0.9]] {
            let q = normalize(q).0;
            let back = from_mat(&to_mat(&q));
            let sign = if back[0] * q[0] + back[3] * q[3] + back[2] * q[2] < 0.0 { -1.0 } else { 1.0 };
            for i in 0..4 {
                assert!((back[i] * sign - q[i]).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn subtraction_inverts_integration() {
        let q = normalize([0.3, 0.2, -0.7, 0.1]).0;
        let v = [0.3, -0.2, 0.5];
        let back = sub(integrate(q, v, 0.5), q);
        for i in 0..3 {
            assert!((back[i] - 0.5 * v[i]).abs() < 1e-14);
        }
    }

    #[test]
    fn near_unit_quaternions_are_left_alone() {
        let q = [1.0, 1e-9, 0.0, 0.0];
        assert_eq!(normalize(q).0, q);
    }
}
