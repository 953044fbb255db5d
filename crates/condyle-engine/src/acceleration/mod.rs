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
    // Slices of one length: a single check of the index serves them all.
    let nv = model.nv;
    let (passive, bias) = (&passive.qfrc_passive[..nv], &bias.qfrc_bias[..nv]);
    let (applied, actuator) = (&inputs.qfrc_applied[..nv], &actuation.qfrc_actuator[..nv]);
    let dofs = awake.dofs(model);
    let smooth = &mut out.qfrc_smooth[..nv];
    for dof in dofs.iter() {
        smooth[dof] = passive[dof] - bias[dof] + applied[dof] + actuator[dof];
    }
    force::apply_external(model, inputs, kinematics, smooth, buffers);
    let acceleration = &mut out.qacc_smooth[..nv];
    for dof in dofs.iter() {
        acceleration[dof] = smooth[dof];
    }
    let dofs = dofs.list();
    tree_ldl::solve(&mut out.qacc_smooth, &inertia.qLD, &inertia.qLDiagInv, mass_pattern(model), dofs);
}
