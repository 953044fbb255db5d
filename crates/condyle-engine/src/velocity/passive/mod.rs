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

use crate::data::{Awake, Passive};
use crate::{Data, plugin};

/// All passive forces and their sum.
#[inline(never)]
pub fn passive_forces(model: &Model, data: &mut Data) {
    clear(model, data);
    let skipped = disable::SPRING | disable::DAMPER;
    if model.opt.disableflags & skipped == skipped {
        return;
    }
    spring_damper::joint_springs(model, &data.state, &data.awake, &mut data.passive);
    spring_damper::dof_dampers(model, &data.state, &data.awake, &mut data.passive);
    flex::elasticity(model, data);
    flex::edge_spring_dampers(model, &data.flexes, &data.velocity, &mut data.passive);
    spring_damper::tendon_spring_dampers(
        model,
        &data.awake,
        &data.tendons,
        &data.velocity,
        &mut data.passive,
    );
    let buffers = &mut data.scratch.smooth;
    let (awake, kinematics, out) = (&data.awake, &data.kinematics, &mut data.passive);
    let compensates = gravity_compensation::compensate(model, awake, kinematics, out, buffers);
    let has_medium = fluid::fluid_forces(model, awake, kinematics, &data.velocity, out, buffers);
    flex::contact::contact_forces(model, data);
    sum(model, &data.awake, &mut data.passive, has_medium, compensates);
    if let Some(hooks) = data.hooks.get() {
        hooks.passive_forces(model, data);
    }
    plugin::passive_forces(model, data);
}

fn clear(model: &Model, data: &mut Data) {
    let passive = &mut data.passive;
    for force in [
        &mut passive.qfrc_spring,
        &mut passive.qfrc_damper,
        &mut passive.qfrc_gravcomp,
        &mut passive.qfrc_fluid,
        &mut passive.qfrc_passive,
    ] {
        match data.awake.dofs(model).list() {
            None => force.fill(0.0),
            Some(dofs) => dense::at::zero(force, dofs),
        }
    }
}

/// `qfrc_passive`: compensation of gravity is left out where joints receive it through their actuators.
fn sum(model: &Model, awake: &Awake, out: &mut Passive, has_medium: bool, compensates: bool) {
    for dof in awake.dofs(model).iter() {
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
