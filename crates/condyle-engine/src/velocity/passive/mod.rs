//! Passive forces: springs, dampers, deformable bodies, gravity compensation and the medium.
//!
//! When both springs and dampers are disabled every passive force is zero, gravity compensation and fluid forces included.
//! Reference: `mj_passive`.

pub mod flex;
pub mod fluid;
pub mod gravity_compensation;
pub mod spring_damper;

use condyle_math::dense;
use condyle_model::{Model, disable};

use crate::data::{Awake, Contact, Flexes, Kinematics, Passive, Scratch, State, Tendons, Velocity};

/// All passive forces and their sum. `false` when all of them are disabled.
#[inline(never)]
pub fn passive_forces(
    model: &Model,
    state: &State,
    awake: &Awake,
    kinematics: &Kinematics,
    flexes: &Flexes,
    tendons: &Tendons,
    velocity: &Velocity,
    contacts: &mut [Contact],
    out: &mut Passive,
    scratch: &mut Scratch,
) -> bool {
    clear(model, awake, out);
    let skipped = disable::SPRING | disable::DAMPER;
    if model.opt.disableflags & skipped == skipped {
        match awake.dofs(model).list() {
            None => out.qfrc_passive.fill(0.0),
            Some(dofs) => dense::at::zero(&mut out.qfrc_passive, dofs),
        }
        return false;
    }
    spring_damper::joint_springs(model, state, awake, out);
    spring_damper::dof_dampers(model, state, awake, out);
    flex::elasticity(model, state, kinematics, flexes, velocity, out, scratch);
    flex::edge_spring_dampers(model, flexes, velocity, out);
    spring_damper::tendon_spring_dampers(model, awake, tendons, velocity, out);
    let buffers = &mut scratch.smooth;
    let compensates = gravity_compensation::compensate(model, awake, kinematics, out, buffers);
    let has_medium = fluid::fluid_forces(model, awake, kinematics, velocity, out, buffers);
    flex::contact::contact_forces(model, kinematics, flexes, contacts, out, &mut scratch.rows);
    sum(model, awake, out, has_medium, compensates);
    true
}

/// Set the forces to zero that are added up; the sum is written as a whole.
fn clear(model: &Model, awake: &Awake, out: &mut Passive) {
    for force in [&mut out.qfrc_spring, &mut out.qfrc_damper, &mut out.qfrc_gravcomp, &mut out.qfrc_fluid] {
        match awake.dofs(model).list() {
            None => force.fill(0.0),
            Some(dofs) => dense::at::zero(force, dofs),
        }
    }
}

/// `qfrc_passive`: compensation of gravity is left out where joints receive it through their actuators.
fn sum(model: &Model, awake: &Awake, out: &mut Passive, has_medium: bool, compensates: bool) {
    let dofs = awake.dofs(model);
    if dofs.list().is_none() && !has_medium && !compensates {
        let parts = out.qfrc_spring.iter().zip(&out.qfrc_damper);
        for (total, (spring, damper)) in out.qfrc_passive.iter_mut().zip(parts) {
            *total = spring + damper;
        }
        return;
    }
    for dof in dofs.iter() {
        let mut total = out.qfrc_spring[dof] + out.qfrc_damper[dof];
        if has_medium {
            total += out.qfrc_fluid[dof];
        }
        if compensates && model.jnt_actgravcomp[model.dof_jntid[dof] as usize] == 0 {
            total += out.qfrc_gravcomp[dof];
        }
        out.qfrc_passive[dof] = total;
    }
}
