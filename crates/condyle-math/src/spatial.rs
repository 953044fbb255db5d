//! Six-component motion and force vectors about a common reference point, rotational part first.

use crate::{Inertia, Mat3, Quat, Spatial, Vec3, mat3, quat, vec3};

/// Rotational half of a spatial vector.
#[inline(always)]
pub fn rotational(v: &Spatial) -> Vec3 {
    [v[0], v[1], v[2]]
}

/// Translational half of a spatial vector.
#[inline(always)]
pub fn translational(v: &Spatial) -> Vec3 {
    [v[3], v[4], v[5]]
}

/// A spatial vector from its halves.
#[inline(always)]
pub fn join(rotational: Vec3, translational: Vec3) -> Spatial {
    let (r, t) = (rotational, translational);
    [r[0], r[1], r[2], t[0], t[1], t[2]]
}

/// `a + b`
#[inline(always)]
pub fn add(a: &Spatial, b: &Spatial) -> Spatial {
    std::array::from_fn(|i| a[i] + b[i])
}

/// Motion `v × m`: the rate of change of the motion vector `m` carried along by `v`.
#[inline(always)]
pub fn cross_motion(v: &Spatial, m: &Spatial) -> Spatial {
    [
        -v[2] * m[1] + v[1] * m[2],
        v[2] * m[0] - v[0] * m[2],
        -v[1] * m[0] + v[0] * m[1],
        (-v[2] * m[4] + v[1] * m[5]) + (-v[5] * m[1] + v[4] * m[2]),
        (v[2] * m[3] - v[0] * m[5]) + (v[5] * m[0] - v[3] * m[2]),
        (-v[1] * m[3] + v[0] * m[4]) + (-v[4] * m[0] + v[3] * m[1]),
    ]
}

/// Force `v ×* f`: the rate of change of the force vector `f` carried along by `v`.
#[inline(always)]
pub fn cross_force(v: &Spatial, f: &Spatial) -> Spatial {
    [
        (-v[2] * f[1] + v[1] * f[2]) + (-v[5] * f[4] + v[4] * f[5]),
        (v[2] * f[0] - v[0] * f[2]) + (v[5] * f[3] - v[3] * f[5]),
        (-v[1] * f[0] + v[0] * f[1]) + (-v[4] * f[3] + v[3] * f[4]),
        -v[2] * f[4] + v[1] * f[5],
        v[2] * f[3] - v[0] * f[5],
        -v[1] * f[3] + v[0] * f[4],
    ]
}

/// Inertia with principal moments `moments` along the axes of `axes`, about a point displaced by `offset` from the centre of mass.
#[inline(always)]
pub fn inertia_about(moments: Vec3, axes: &Mat3, offset: Vec3, mass: f64) -> Inertia {
    let (m, d) = (axes, offset);
    let t = [
        [m[0] * moments[0], m[3] * moments[0], m[6] * moments[0]],
        [m[1] * moments[1], m[4] * moments[1], m[7] * moments[1]],
        [m[2] * moments[2], m[5] * moments[2], m[8] * moments[2]],
    ];
    let element = |row: usize, col: usize| {
        m[3 * row] * t[0][col] + m[3 * row + 1] * t[1][col] + m[3 * row + 2] * t[2][col]
    };
    [
        element(0, 0) + mass * (d[1] * d[1] + d[2] * d[2]),
        element(1, 1) + mass * (d[0] * d[0] + d[2] * d[2]),
        element(2, 2) + mass * (d[0] * d[0] + d[1] * d[1]),
        element(0, 1) - mass * d[0] * d[1],
        element(0, 2) - mass * d[0] * d[2],
        element(1, 2) - mass * d[1] * d[2],
        mass * d[0],
        mass * d[1],
        mass * d[2],
        mass,
    ]
}

/// Momentum of the inertia `i` moving with `v`.
#[inline(always)]
pub fn mul_inertia(i: &Inertia, v: &Spatial) -> Spatial {
    [
        i[0] * v[0] + i[3] * v[1] + i[4] * v[2] - i[8] * v[4] + i[7] * v[5],
        i[3] * v[0] + i[1] * v[1] + i[5] * v[2] + i[8] * v[3] - i[6] * v[5],
        i[4] * v[0] + i[5] * v[1] + i[2] * v[2] - i[7] * v[3] + i[6] * v[4],
        i[8] * v[1] - i[7] * v[2] + i[9] * v[3],
        i[6] * v[2] - i[8] * v[0] + i[9] * v[4],
        i[7] * v[0] - i[6] * v[1] + i[9] * v[5],
    ]
}

/// Motion axis of a hinge whose anchor is displaced by `offset` from it to the reference point.
#[inline(always)]
pub fn hinge_axis(axis: Vec3, offset: Vec3) -> Spatial {
    join(axis, vec3::cross(axis, offset))
}

/// Motion axis of a slide.
#[inline(always)]
pub fn slide_axis(axis: Vec3) -> Spatial {
    join([0.0; 3], axis)
}

/// `Σ dofs[i] velocities[i]`: the motion of several dofs together. A single dof is scaled as it is; several are summed from zero
/// and those at rest are left out.
#[inline(always)]
pub fn mul_dofs(dofs: &[Spatial], velocities: &[f64]) -> Spatial {
    if let ([dof], [velocity]) = (dofs, velocities) {
        return dof.map(|x| x * velocity);
    }
    let mut sum = [0.0; 6];
    for (dof, &velocity) in dofs.iter().zip(velocities) {
        if velocity != 0.0 {
            for (out, x) in sum.iter_mut().zip(dof) {
                *out += x * velocity;
            }
        }
    }
    sum
}

/// `a += b`
#[inline(always)]
pub fn add_to(a: &mut Spatial, b: &Spatial) {
    for (out, x) in a.iter_mut().zip(b) {
        *out += x;
    }
}

/// Whether a six-vector transforms as a motion or as a force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Angular and linear velocity or acceleration.
    Motion,
    /// Torque and force.
    Force,
}

/// Move a spatial vector from the point `old_position` to `new_position` and, if given, into the frame whose axes are the columns
/// of `rotation`.
#[inline(always)]
pub fn transform(
    v: &Spatial,
    kind: Kind,
    new_position: Vec3,
    old_position: Vec3,
    rotation: Option<&Mat3>,
) -> Spatial {
    let shift = vec3::sub(new_position, old_position);
    let (mut r, mut t) = (rotational(v), translational(v));
    match kind {
        Kind::Force => r = vec3::sub(r, vec3::cross(shift, t)),
        Kind::Motion => t = vec3::sub(t, vec3::cross(shift, r)),
    }
    match rotation {
        Some(m) => join(mat3::mul_vec_transposed(m, r), mat3::mul_vec_transposed(m, t)),
        None => join(r, t),
    }
}

/// Compose two poses: the second expressed in the first.
#[inline(always)]
pub fn mul_pose(position1: Vec3, quat1: Quat, position2: Vec3, quat2: Quat) -> (Vec3, Quat) {
    let turned = quat::rotate(position2, quat1);
    (vec3::add(turned, position1), quat::normalize(quat::mul(quat1, quat2)).0)
}

/// The inverse pose.
#[inline(always)]
pub fn invert_pose(position: Vec3, q: Quat) -> (Vec3, Quat) {
    let inverse = quat::conjugate(q);
    (vec3::scale(quat::rotate(position, inverse), -1.0), inverse)
}

/// Complete a contact frame from its x axis and, where it is long enough, its y axis (rows of `frame`).
///
/// `None` when the x axis is too short to be a direction.
pub fn make_frame(frame: &Mat3) -> Option<Mat3> {
    let (x, length) = vec3::normalize(mat3::row(frame, 0));
    if length < 0.5 {
        return None;
    }
    let mut y = mat3::row(frame, 1);
    if vec3::dot(y, y) < 0.25 {
        y = if x[1] < 0.5 && x[1] > -0.5 { [0.0, 1.0, 0.0] } else { [0.0, 0.0, 1.0] };
    }
    y = vec3::sub(y, vec3::scale(x, vec3::dot(x, y)));
    y = vec3::normalize(y).0;
    let z = vec3::cross(x, y);
    Some([x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frame_is_right_handed_and_orthonormal() {
        let frame = make_frame(&[0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
        assert_eq!(frame, [0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
        assert!(make_frame(&[0.1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]).is_none());
        assert!(make_frame(&[f64::NAN; 9]).is_some_and(|frame| frame.iter().all(|x| x.is_nan())));
    }

    #[test]
    fn momentum_of_a_displaced_mass() {
        let inertia = inertia_about([1.0, 2.0, 3.0], &mat3::IDENTITY, [0.0, 0.0, 2.0], 5.0);
        let momentum = mul_inertia(&inertia, &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(momentum, [21.0, 0.0, 0.0, 0.0, -10.0, 0.0]);
    }
}
