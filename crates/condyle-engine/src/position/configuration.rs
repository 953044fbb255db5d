//! Differences of configurations: from a velocity to the configuration it leads to, and back.
//!
//! Reference: `mj_differentiatePos`, `mj_integratePos`, `mj_normalizeQuat`.

use condyle_math::{quat, vec3};
use condyle_model::{JointType, Model};

use super::kinematics::{quat_at, vec3_at};
use crate::data::Selection;

/// The velocity that takes `qpos1` to `qpos2` in time `dt`.
pub fn differentiate_position(model: &Model, qvel: &mut [f64], dt: f64, qpos1: &[f64], qpos2: &[f64]) {
    for joint in 0..model.njnt {
        let (mut q, mut v) = (model.jnt_qposadr[joint] as usize, model.jnt_dofadr[joint] as usize);
        let kind = model.jnt_type(joint);
        match kind {
            Some(JointType::Free | JointType::Ball) => {
                if kind == Some(JointType::Free) {
                    for i in 0..3 {
                        qvel[v + i] = (qpos2[q + i] - qpos1[q + i]) / dt;
                    }
                    v += 3;
                    q += 3;
                }
                let turn = quat::sub(quat_at(qpos2, q), quat_at(qpos1, q));
                qvel[v..v + 3].copy_from_slice(&vec3::scale(turn, 1.0 / dt));
            }
            Some(JointType::Hinge | JointType::Slide) => qvel[v] = (qpos2[q] - qpos1[q]) / dt,
            None => {}
        }
    }
}

/// Move `qpos` with `qvel` for the time `dt`.
pub fn integrate_position(model: &Model, qpos: &mut [f64], qvel: &[f64], dt: f64) {
    for joint in 0..model.njnt {
        integrate_joint(model, joint, qpos, qvel, dt);
    }
}

/// [`integrate_position`] for the joints of the selected bodies.
pub fn integrate_bodies(model: &Model, bodies: Selection, qpos: &mut [f64], qvel: &[f64], dt: f64) {
    if bodies.list().is_none() {
        return integrate_position(model, qpos, qvel, dt);
    }
    for body in bodies.iter() {
        for k in 0..model.body_jntnum[body].max(0) as usize {
            integrate_joint(model, model.body_jntadr[body] as usize + k, qpos, qvel, dt);
        }
    }
}

#[inline(always)]
fn integrate_joint(model: &Model, joint: usize, qpos: &mut [f64], qvel: &[f64], dt: f64) {
    let (mut q, mut v) = (model.jnt_qposadr[joint] as usize, model.jnt_dofadr[joint] as usize);
    let kind = model.jnt_type(joint);
    match kind {
        Some(JointType::Free | JointType::Ball) => {
            if kind == Some(JointType::Free) {
                for i in 0..3 {
                    qpos[q + i] += dt * qvel[v + i];
                }
                q += 3;
                v += 3;
            }
            let turned = quat::integrate(quat_at(qpos, q), vec3_at(qvel, v), dt);
            qpos[q..q + 4].copy_from_slice(&turned);
        }
        Some(JointType::Hinge | JointType::Slide) => qpos[q] += dt * qvel[v],
        None => {}
    }
}

/// Normalise every quaternion of a configuration.
pub fn normalize_quaternions(model: &Model, qpos: &mut [f64]) {
    for joint in 0..model.njnt {
        let start = match model.jnt_type(joint) {
            Some(JointType::Free) => model.jnt_qposadr[joint] as usize + 3,
            Some(JointType::Ball) => model.jnt_qposadr[joint] as usize,
            _ => continue,
        };
        let unit = quat::normalize(quat_at(qpos, start)).0;
        qpos[start..start + 4].copy_from_slice(&unit);
    }
}
