//! Potential energy of gravity and springs, and kinetic energy.
//!
//! `E_pot = -Σ m g·x + ½ Σ k d²` over joint and tendon springs, `E_kin = ½ qvelᵀ M qvel`.
//! Reference: `mj_energyPos`, `mj_energyVel`.

use condyle_math::{dense, quat, vec3};
use condyle_model::{JointType, Model, disable};

use crate::data::{Awake, Flexes, Inertia, Kinematics, Sensors, SmoothScratch, State, Tendons, scratch};
use crate::position::inertia;
use crate::position::kinematics::{quat_at, vec3_at};
use crate::sleep::{self, SleepState};

/// Compute the potential energy.
pub fn potential_energy(
    model: &Model,
    state: &State,
    awake: &Awake,
    kinematics: &Kinematics,
    flexes: &Flexes,
    tendons: &Tendons,
    out: &mut Sensors,
) {
    let mut energy = 0.0;
    if model.opt.disableflags & disable::GRAVITY == 0 {
        for body in 1..model.nbody {
            energy -= model.body_mass[body] * vec3::dot(model.opt.gravity, kinematics.xipos[body]);
        }
    }
    if model.opt.disableflags & disable::SPRING == 0 {
        let filter = awake.any_body_asleep(model).then_some(awake);
        add_joint_springs(model, &state.qpos, filter, &mut energy);
        add_tendon_springs(model, tendons, filter, &mut energy);
        add_flex_springs(model, flexes, &mut energy);
    }
    out.energy[0] = energy;
    out.flg_energypos = true;
}

/// Springs of joints; of awake bodies alone when a filter is given.
fn add_joint_springs(model: &Model, qpos: &[f64], filter: Option<&Awake>, energy: &mut f64) {
    for joint in 0..model.njnt {
        let stiffness = model.jnt_stiffness[joint];
        let body = model.jnt_bodyid[joint] as usize;
        let sleeps = |awake: &Awake| awake.body_awake[body] != SleepState::Awake as i32;
        if stiffness == 0.0 || filter.is_some_and(sleeps) {
            continue;
        }
        let mut at = model.jnt_qposadr[joint] as usize;
        let kind = model.jnt_type(joint);
        if kind == Some(JointType::Free) {
            let shift = vec3::sub(vec3_at(qpos, at), vec3_at(&model.qpos_spring, at));
            *energy += 0.5 * stiffness * vec3::dot(shift, shift);
            at += 3;
        }
        match kind {
            Some(JointType::Free | JointType::Ball) => {
                let turn = quat::sub(quat_at(qpos, at), quat_at(&model.qpos_spring, at));
                *energy += 0.5 * stiffness * vec3::dot(turn, turn);
            }
            _ => {
                let shift = qpos[at] - model.qpos_spring[at];
                *energy += 0.5 * stiffness * shift * shift;
            }
        }
    }
}

fn add_tendon_springs(model: &Model, tendons: &Tendons, filter: Option<&Awake>, energy: &mut f64) {
    for tendon in 0..model.ntendon {
        let sleeps = |awake: &Awake| sleep::tendon_state(model, awake, tendon) != SleepState::Awake;
        if filter.is_some_and(sleeps) {
            continue;
        }
        let length = tendons.ten_length[tendon];
        let [lower, upper] = model.tendon_lengthspring[tendon];
        let displacement = if length > upper {
            upper - length
        } else if length < lower {
            lower - length
        } else {
            0.0
        };
        *energy += 0.5 * model.tendon_stiffness[tendon] * displacement * displacement;
    }
}

fn add_flex_springs(model: &Model, flexes: &Flexes, energy: &mut f64) {
    for flex in 0..model.nflex {
        let stiffness = model.flex_edgestiffness[flex];
        if model.flex_rigid[flex] != 0 || stiffness == 0.0 || model.flex_dim[flex] > 1 {
            continue;
        }
        let first = model.flex_edgeadr[flex] as usize;
        for edge in first..first + model.flex_edgenum[flex] as usize {
            if model.flexedge_rigid[edge] == 0 {
                let displacement = model.flexedge_length0[edge] - flexes.flexedge_length[edge];
                *energy += 0.5 * stiffness * displacement * displacement;
            }
        }
    }
}

/// Compute the kinetic energy.
pub fn kinetic_energy(
    model: &Model,
    state: &State,
    inertia: &Inertia,
    out: &mut Sensors,
    buffers: &mut SmoothScratch,
) {
    let momentum = scratch::sized(&mut buffers.dof_force, model.nv);
    inertia::mul_inertia(model, inertia, momentum, &state.qvel);
    out.energy[1] = 0.5 * dense::dot(momentum, &state.qvel);
    out.flg_energyvel = true;
}
