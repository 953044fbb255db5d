//! Springs of joints and tendons, dampers of dofs and tendons.
//!
//! A spring pulls a joint towards `qpos_spring` with `-stiffness · displacement`; for ball and free joints the displacement is the
//! rotation vector. Reference: `mj_springdamper`.

use condyle_math::{dense, quat, vec3};
use condyle_model::{JointType, Model, disable};

use crate::data::{Awake, Passive, State, Tendons, Velocity};
use crate::jacobian::is_sparse;
use crate::position::kinematics::quat_at;
use crate::sleep::{self, SleepState};

/// Joint springs, into `qfrc_spring`.
pub fn joint_springs(model: &Model, state: &State, awake: &Awake, out: &mut Passive) {
    if model.opt.disableflags & disable::SPRING != 0 {
        return;
    }
    let bodies = awake.bodies(model);
    if bodies.list().is_none() {
        for (joint, stiffness) in model.jnt_stiffness.iter().enumerate() {
            if *stiffness != 0.0 {
                joint_spring(model, state, joint, *stiffness, &mut out.qfrc_spring);
            }
        }
        return;
    }
    for body in bodies.iter() {
        for k in 0..model.body_jntnum[body].max(0) as usize {
            let joint = model.body_jntadr[body] as usize + k;
            let stiffness = model.jnt_stiffness[joint];
            if stiffness != 0.0 {
                joint_spring(model, state, joint, stiffness, &mut out.qfrc_spring);
            }
        }
    }
}

fn joint_spring(model: &Model, state: &State, joint: usize, stiffness: f64, force: &mut [f64]) {
    let (mut q, mut v) = (model.jnt_qposadr[joint] as usize, model.jnt_dofadr[joint] as usize);
    let kind = model.jnt_type(joint);
    match kind {
        Some(JointType::Free | JointType::Ball) => {
            if kind == Some(JointType::Free) {
                for i in 0..3 {
                    force[v + i] = -stiffness * (state.qpos[q + i] - model.qpos_spring[q + i]);
                }
                q += 3;
                v += 3;
            }
            let orientation = quat::normalize(quat_at(&state.qpos, q)).0;
            let turn = quat::sub(orientation, quat_at(&model.qpos_spring, q));
            force[v..v + 3].copy_from_slice(&vec3::scale(turn, -stiffness));
        }
        Some(JointType::Slide | JointType::Hinge) => {
            force[v] = -stiffness * (state.qpos[q] - model.qpos_spring[q]);
        }
        None => {}
    }
}

/// Dampers of the dofs, into `qfrc_damper`.
pub fn dof_dampers(model: &Model, state: &State, awake: &Awake, out: &mut Passive) {
    if model.opt.disableflags & disable::DAMPER != 0 {
        return;
    }
    let dofs = awake.dofs(model);
    if dofs.list().is_none() {
        let speeds = model.dof_damping.iter().zip(&state.qvel);
        for (force, (damping, speed)) in out.qfrc_damper.iter_mut().zip(speeds) {
            if *damping != 0.0 {
                *force = -damping * speed;
            }
        }
        return;
    }
    for dof in dofs.iter() {
        let damping = model.dof_damping[dof];
        if damping != 0.0 {
            out.qfrc_damper[dof] = -damping * state.qvel[dof];
        }
    }
}

/// Springs with a dead band and dampers along tendons, into `qfrc_spring` and `qfrc_damper`.
pub fn tendon_spring_dampers(
    model: &Model,
    awake: &Awake,
    tendons: &Tendons,
    velocity: &Velocity,
    out: &mut Passive,
) {
    let enabled = |flag: i32| f64::from(u8::from(model.opt.disableflags & flag == 0));
    let (has_spring, has_damper) = (enabled(disable::SPRING), enabled(disable::DAMPER));
    let filter = awake.filters(model);
    let nv = model.nv;
    for tendon in 0..model.ntendon {
        if filter && sleep::tendon_state(model, awake, tendon) != SleepState::Awake {
            continue;
        }
        let stiffness = model.tendon_stiffness[tendon] * has_spring;
        let damping = model.tendon_damping[tendon] * has_damper;
        if stiffness == 0.0 && damping == 0.0 {
            continue;
        }
        let length = tendons.ten_length[tendon];
        let [lower, upper] = model.tendon_lengthspring[tendon];
        let spring = if length > upper {
            stiffness * (upper - length)
        } else if length < lower {
            stiffness * (lower - length)
        } else {
            0.0
        };
        let damper = -damping * velocity.ten_velocity[tendon];
        if is_sparse(model) {
            if spring != 0.0 || damper != 0.0 {
                let start = tendons.ten_J_rowadr[tendon] as usize;
                for address in start..start + tendons.ten_J_rownnz[tendon] as usize {
                    let dof = tendons.ten_J_colind[address] as usize;
                    let value = tendons.ten_J[address];
                    out.qfrc_spring[dof] += value * spring;
                    out.qfrc_damper[dof] += value * damper;
                }
            }
        } else {
            let row = &tendons.ten_J[tendon * nv..][..nv];
            if spring != 0.0 {
                dense::add_scaled_to(&mut out.qfrc_spring, row, spring);
            }
            if damper != 0.0 {
                dense::add_scaled_to(&mut out.qfrc_damper, row, damper);
            }
        }
    }
}
