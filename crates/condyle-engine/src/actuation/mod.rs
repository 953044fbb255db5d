//! Actuator forces.
//!
//! Reference: `mj_fwdActuation`.

pub mod activation;
pub mod control;
pub mod gain_bias;
pub mod hill_muscle;
pub mod limit;
pub mod muscle;
pub mod user;

use condyle_math::sparse;
use condyle_model::{JointType, Model, disable};

use crate::data::{Actuation, Passive, SmoothScratch, Transmission};
use crate::velocity::passive::gravity_compensation;
use crate::velocity::path_velocity::moment_pattern;

/// Set forces to zero; `false` when there is nothing more to do.
pub fn begin(model: &Model, out: &mut Actuation) -> bool {
    out.actuator_force.fill(0.0);
    let acts = model.nu > 0 && model.opt.disableflags & disable::ACTUATION == 0;
    if !acts {
        out.qfrc_actuator.fill(0.0);
    }
    acts
}

/// Limit the forces of the actuators and map them to the dofs.
pub fn forces(
    model: &Model,
    transmission: &Transmission,
    passive: &Passive,
    out: &mut Actuation,
    buffers: &mut SmoothScratch,
) {
    limit::limit_tendon_forces(model, out, &mut buffers.row_weight);
    limit::limit_actuator_forces(model, out);
    let moment = &transmission.actuator_moment;
    let pattern = moment_pattern(transmission);
    sparse::mul_transposed_vec(&mut out.qfrc_actuator, moment, &out.actuator_force, pattern);
    compensate_gravity(model, passive, out);
    limit::limit_joint_forces(model, out);
}

/// Add gravity compensation where joints receive it through their actuators.
fn compensate_gravity(model: &Model, passive: &Passive, out: &mut Actuation) {
    if !gravity_compensation::is_active(model) {
        return;
    }
    for joint in 0..model.njnt {
        if model.jnt_actgravcomp[joint] != 0 {
            let first = model.jnt_dofadr[joint] as usize;
            let count = match model.jnt_type(joint) {
                Some(JointType::Free) => 6,
                Some(JointType::Ball) => 3,
                _ => 1,
            };
            for dof in first..first + count {
                out.qfrc_actuator[dof] += passive.qfrc_gravcomp[dof];
            }
        }
    }
}
