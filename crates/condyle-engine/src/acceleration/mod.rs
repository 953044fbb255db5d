//! Unconstrained acceleration.
//!
//! `qfrc_smooth = qfrc_passive - qfrc_bias + qfrc_applied + qfrc_actuator + Σ Jᵀ xfrc_applied`, `qacc_smooth = M⁻¹ qfrc_smooth`.
//! Reference: `mj_fwdAcceleration`.

pub mod internal_force;
pub mod inverse;

use condyle_math::tree_ldl;
use condyle_model::Model;

use crate::data::{Actuation, Awake, Bias, Inertia, Inputs, Kinematics, Passive, Smooth, SmoothScratch};
use crate::jacobian::force;
use crate::position::inertia::mass_pattern;

/// Sum of smooth forces and the acceleration it causes.
#[inline(never)]
pub fn smooth(
    model: &Model,
    inputs: &Inputs,
    awake: &Awake,
    kinematics: &Kinematics,
    inertia: &Inertia,
    passive: &Passive,
    bias: &Bias,
    actuation: &Actuation,
    out: &mut Smooth,
    buffers: &mut SmoothScratch,
) {
    for dof in awake.dofs(model).iter() {
        let mut sum = passive.qfrc_passive[dof] - bias.qfrc_bias[dof];
        sum += inputs.qfrc_applied[dof];
        sum += actuation.qfrc_actuator[dof];
        out.qfrc_smooth[dof] = sum;
    }
    force::apply_external(model, inputs, kinematics, &mut out.qfrc_smooth, buffers);
    for dof in awake.dofs(model).iter() {
        out.qacc_smooth[dof] = out.qfrc_smooth[dof];
    }
    let dofs = awake.dofs(model).list();
    tree_ldl::solve(&mut out.qacc_smooth, &inertia.qLD, &inertia.qLDiagInv, mass_pattern(model), dofs);
}
