//! Passive forces: springs, dampers, gravity compensation and the medium.
//!
//! When both springs and dampers are disabled every passive force is zero, gravity compensation and fluid forces included.
//! Reference: `mj_passive`.

pub mod spring_damper;

use condyle_model::{Model, disable};

use crate::Data;

/// All passive forces and their sum.
pub fn passive_forces(model: &Model, data: &mut Data) {
    clear(model, data);
    let skipped = disable::SPRING | disable::DAMPER;
    if model.opt.disableflags & skipped == skipped {
        return;
    }
    spring_damper::joint_springs(model, &data.state, &data.awake, &mut data.passive);
    spring_damper::dof_dampers(model, &data.state, &data.awake, &mut data.passive);
    spring_damper::tendon_spring_dampers(model, &data.awake, &data.tendons, &data.velocity, &mut data.passive);
    sum(model, data);
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
        for dof in data.awake.dofs(model).iter() {
            force[dof] = 0.0;
        }
    }
}

fn sum(model: &Model, data: &mut Data) {
    let passive = &mut data.passive;
    for dof in data.awake.dofs(model).iter() {
        passive.qfrc_passive[dof] = passive.qfrc_spring[dof] + passive.qfrc_damper[dof];
    }
}
