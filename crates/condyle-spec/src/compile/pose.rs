//! Frames at compile time: normalisation, orientations written in other ways, accumulation and inversion of poses.
//!
//! These follow the compiler's own rules of rounding, which differ from the simulation's: vectors are divided by their length,
//! and a length within 1e-14 of one counts as one.

use condyle_asset::principal::{EPS, mul_quat, normalize_slice};
use condyle_base::diagnostic::Diagnostic;
use condyle_math::{PI, Quat, Vec3, mat3, quat, vec3};

use super::problems::{ORIENTATION, element_error};
use crate::arena::Id;
use crate::element::{Body, Element};
use crate::orientation::Orientation;
use crate::settings::Compiler;
use crate::spec::Spec;

/// No rotation.
pub(crate) const NO_ROTATION: Quat = quat::IDENTITY;

/// The larger value; the first on a tie, and a NaN in the second place is ignored.
pub(crate) fn upper(a: f64, b: f64) -> f64 {
    if a < b { b } else { a }
}

/// Position and orientation relative to some parent frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pose {
    pub pos: Vec3,
    pub quat: Quat,
}

impl Pose {
    pub(crate) const NULL: Self = Self { pos: [0.0; 3], quat: quat::IDENTITY };

    /// The child's pose in the frame this pose is given in.
    pub(crate) fn then(self, child: Self) -> Self {
        let offset = mat3::mul_vec(&quat::to_mat(&self.quat), child.pos);
        Self { pos: vec3::add(self.pos, offset), quat: mul_quat(self.quat, child.quat) }
    }

    /// The pose that undoes this one.
    pub(crate) fn inverse(self) -> Self {
        let back = quat::conjugate(self.quat);
        let pos = mat3::mul_vec(&quat::to_mat(&back), self.pos);
        Self { pos: [-pos[0], -pos[1], -pos[2]], quat: back }
    }
}

/// Rotation that takes the z axis to a unit vector by the shortest way.
pub fn quat_from_z(direction: Vec3) -> Quat {
    let mut axis = vec3::cross([0.0, 0.0, 1.0], direction);
    let sine = normalize_slice(&mut axis);
    if sine < 1e-10 {
        axis = [1.0, 0.0, 0.0];
    }
    let angle = sine.atan2(direction[2]);
    let half = (angle / 2.0).sin();
    [(angle / 2.0).cos(), axis[0] * half, axis[1] * half, axis[2] * half]
}

/// Quaternion of the frame with these axes.
pub(crate) fn quat_from_axes(x: Vec3, y: Vec3, z: Vec3) -> Quat {
    let mut q = [0.0; 4];
    if x[0] + y[1] + z[2] > 0.0 {
        q[0] = 0.5 * (1.0 + x[0] + y[1] + z[2]).sqrt();
        q[1] = 0.25 * (y[2] - z[1]) / q[0];
        q[2] = 0.25 * (z[0] - x[2]) / q[0];
        q[3] = 0.25 * (x[1] - y[0]) / q[0];
    } else if x[0] > y[1] && x[0] > z[2] {
        q[1] = 0.5 * (1.0 + x[0] - y[1] - z[2]).sqrt();
        q[0] = 0.25 * (y[2] - z[1]) / q[1];
        q[2] = 0.25 * (y[0] + x[1]) / q[1];
        q[3] = 0.25 * (z[0] + x[2]) / q[1];
    } else if y[1] > z[2] {
        q[2] = 0.5 * (1.0 - x[0] + y[1] - z[2]).sqrt();
        q[0] = 0.25 * (z[0] - x[2]) / q[2];
        q[1] = 0.25 * (y[0] + x[1]) / q[2];
        q[3] = 0.25 * (z[1] + y[2]) / q[2];
    } else {
        q[3] = 0.5 * (1.0 - x[0] - y[1] + z[2]).sqrt();
        q[0] = 0.25 * (x[1] - y[0]) / q[3];
        q[1] = 0.25 * (z[0] + x[2]) / q[3];
        q[2] = 0.25 * (z[1] + y[2]) / q[3];
    }
    normalize_slice(&mut q);
    q
}

/// Quaternion of an orientation, or what is wrong with it.
pub fn resolve_orientation(orientation: &Orientation, compiler: &Compiler) -> Result<Quat, &'static str> {
    // Orientations divide by 180 first; joint ranges multiply by pi/180. The roundings differ.
    let radians = |angle: f64| if compiler.degree { angle / 180.0 * PI } else { angle };
    match *orientation {
        Orientation::AxisAngle([x, y, z, angle]) => {
            let mut axis = [x, y, z];
            let half = radians(angle) / 2.0;
            if normalize_slice(&mut axis) < EPS {
                return Err("axisangle too small");
            }
            Ok([half.cos(), half.sin() * axis[0], half.sin() * axis[1], half.sin() * axis[2]])
        }
        Orientation::XyAxes(axes) => {
            let mut x = [axes[0], axes[1], axes[2]];
            let mut y = [axes[3], axes[4], axes[5]];
            if normalize_slice(&mut x) < EPS {
                return Err("xaxis too small");
            }
            let along = vec3::dot(x, y);
            for i in 0..3 {
                y[i] -= x[i] * along;
            }
            if normalize_slice(&mut y) < EPS {
                return Err("yaxis too small");
            }
            let mut z = vec3::cross(x, y);
            if normalize_slice(&mut z) < EPS {
                return Err("cross(xaxis, yaxis) too small");
            }
            Ok(quat_from_axes(x, y, z))
        }
        Orientation::ZAxis(mut z) => {
            if normalize_slice(&mut z) < EPS {
                return Err("zaxis too small");
            }
            Ok(quat_from_z(z))
        }
        Orientation::Euler(angles) => {
            let mut total = quat::IDENTITY;
            for (axis, angle) in compiler.eulerseq.iter().zip(angles) {
                let half = radians(angle) / 2.0;
                let mut turn = [half.cos(), 0.0, 0.0, 0.0];
                match axis.to_ascii_lowercase() {
                    b'x' => turn[1] = half.sin(),
                    b'y' => turn[2] = half.sin(),
                    b'z' => turn[3] = half.sin(),
                    _ => return Err("euler sequence can only contain x, y, z, X, Y, Z"),
                }
                // Lower case: axes move with the rotation.
                total = if axis.is_ascii_lowercase() { mul_quat(total, turn) } else { mul_quat(turn, total) };
            }
            normalize_slice(&mut total);
            Ok(total)
        }
    }
}

/// The quaternion of an element that may have its orientation in another form.
pub(crate) fn oriented<T: Element>(
    element: &T,
    compiler: &Compiler,
    quat: [f64; 4],
    alternative: Option<&Orientation>,
) -> Result<[f64; 4], Diagnostic> {
    let Some(alternative) = alternative else { return Ok(quat) };
    resolve_orientation(alternative, compiler).map_err(|what| {
        let attribute = match alternative {
            Orientation::AxisAngle(_) => "axisangle",
            Orientation::XyAxes(_) => "xyaxes",
            Orientation::ZAxis(_) => "zaxis",
            Orientation::Euler(_) => "euler",
        };
        element_error(ORIENTATION, element, attribute, what)
    })
}

impl Spec {
    /// Position and orientation of a body in its parent, the frames around it included. Orientations that cannot be resolved
    /// count as none; a free body that is to be aligned with its inertia is not yet.
    pub fn body_pose(&self, body: Id<Body>) -> (Vec3, Quat) {
        let resolve = |alternative: Option<&Orientation>, quat, origin| {
            alternative
                .and_then(|alternative| resolve_orientation(alternative, self.compiler_of(origin)).ok())
                .unwrap_or(quat)
        };
        let body = &self.bodies[body];
        // Frames from the inside out; more of them than there are would be a circle.
        let mut chain = Vec::new();
        let mut next = body.frame;
        while let Some(frame) = next.and_then(|id| self.frames.get(id)) {
            if chain.len() > self.frames.len() {
                break;
            }
            chain.push(frame);
            next = frame.frame;
        }
        let mut around: Option<Pose> = None;
        for frame in chain.into_iter().rev() {
            let quat = resolve(frame.alt.as_ref(), frame.quat, frame.info.origin);
            let mut pose = Pose { pos: frame.pos, quat };
            if let Some(outer) = around {
                pose = outer.then(pose);
            }
            normalize_slice(&mut pose.quat);
            around = Some(pose);
        }
        let mut pose = Pose { pos: body.pos, quat: body.quat };
        normalize_slice(&mut pose.quat);
        pose.quat = resolve(body.alt.as_ref(), pose.quat, body.info.origin);
        if let Some(frame) = around {
            pose = frame.then(pose);
        }
        (pose.pos, pose.quat)
    }
}

/// Difference below which two frames count as equal.
const FRAME_EPS: f64 = 1e-6;

/// Whether two positions are equal within the frame tolerance.
pub(crate) fn same_position(a: Vec3, b: Vec3) -> bool {
    (0..3).all(|i| (a[i] - b[i]).abs() < FRAME_EPS)
}

/// Whether two quaternions are the same rotation within the frame tolerance.
pub(crate) fn same_rotation(a: Quat, b: Quat) -> bool {
    (0..4).all(|i| (a[i] - b[i]).abs() < FRAME_EPS) || (0..4).all(|i| (a[i] + b[i]).abs() < FRAME_EPS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: &[f64], b: &[f64]) -> bool {
        a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12)
    }

    #[test]
    fn euler_letters_choose_moving_or_fixed_axes() {
        let angles = [30.0, 40.0, 50.0];
        let turn = |sequence: &[u8; 3], angles| {
            let compiler = Compiler { eulerseq: *sequence, ..Compiler::default() };
            resolve_orientation(&Orientation::Euler(angles), &compiler).unwrap()
        };
        let moving = turn(b"xyz", angles);
        let fixed = turn(b"ZYX", [50.0, 40.0, 30.0]);
        assert!(close(&moving, &fixed));
        assert!(!close(&moving, &turn(b"XYZ", angles)));
        let wrong = Compiler { eulerseq: *b"xya", ..Compiler::default() };
        assert!(resolve_orientation(&Orientation::Euler(angles), &wrong).is_err());
    }

    #[test]
    fn a_pose_and_its_inverse_cancel() {
        let pose = Pose { pos: [1.0, -2.0, 0.5], quat: quat_from_z([0.6, 0.0, 0.8]) };
        let both = pose.then(pose.inverse());
        assert!(close(&both.pos, &[0.0; 3]));
        assert!(close(&both.quat, &quat::IDENTITY));
    }

    #[test]
    fn degenerate_axes_are_refused() {
        let compiler = Compiler::default();
        let parallel = Orientation::XyAxes([1.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
        assert_eq!(resolve_orientation(&parallel, &compiler), Err("yaxis too small"));
        assert!(resolve_orientation(&Orientation::ZAxis([0.0; 3]), &compiler).is_err());
        assert!(resolve_orientation(&Orientation::AxisAngle([0.0; 4]), &compiler).is_err());
    }
}
