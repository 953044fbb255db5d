//! Unconstrained acceleration.
//!
//! `qfrc_smooth = qfrc_passive - qfrc_bias + qfrc_applied + qfrc_actuator + Σ Jᵀ xfrc_applied`, `qacc_smooth = M⁻¹ qfrc_smooth`.
//! Reference: `mj_fwdAcceleration`.

pub mod internal_force;
pub mod inverse;

use condyle_math::tree_ldl;
use condyle_model::Model;

use crate::Data;
use crate::position::inertia::mass_pattern;
use crate::query::force;

/// Sum of smooth forces and the acceleration it causes.
#[inline(never)]
pub fn smooth(model: &Model, data: &mut Data) {
    let out = &mut data.acceleration;
    for dof in data.awake.dofs(model).iter() {
        let mut sum = data.passive.qfrc_passive[dof] - data.velocity.qfrc_bias[dof];
        sum += data.inputs.qfrc_applied[dof];
        sum += data.actuation.qfrc_actuator[dof];
        out.qfrc_smooth[dof] = sum;
    }
    let buffers = &mut data.scratch.smooth;
    force::apply_external(model, &data.inputs, &data.kinematics, &mut out.qfrc_smooth, buffers);
    for dof in data.awake.dofs(model).iter() {
        out.qacc_smooth[dof] = out.qfrc_smooth[dof];
    }
    let inertia = &data.inertia;
    let dofs = data.awake.dofs(model).list();
    tree_ldl::solve(&mut out.qacc_smooth, &inertia.qLD, &inertia.qLDiagInv, mass_pattern(model), dofs);
}
