//! Implicit in velocity: `(M - h D) qacc = qfrc_smooth + qfrc_constraint` with `D` the velocity derivative of the smooth forces.
//!
//! The full integrator includes Coriolis forces in `D` and factorises by LU; the fast one leaves them out, keeps the lower triangle
//! and factorises like the inertia. Interpolated deformable bodies are treated in `flex_block.rs`. Reference: `mj_implicitSkip`.

use condyle_math::{dense, lu, tree_ldl};
use condyle_model::{Integrator, Model, Warning};

use super::advance::{Rates, advance};
use super::flex_block;
use crate::Data;
use crate::data::timers::timed;
use crate::data::{Timer, scratch};
use crate::derivative::accumulate::derivative_pattern;
use crate::derivative::smooth_velocity::velocity_derivative;
use crate::position::inertia::mass_pattern;

/// One implicit step from the current forces.
pub fn implicit(model: &Model, data: &mut Data) {
    implicit_skip(model, data, false);
}

/// [`implicit`]; with `skip_factor` the factorisation of an earlier call is used again.
pub fn implicit_skip(model: &Model, data: &mut Data, skip_factor: bool) {
    timed(data, Timer::Advance, |data| integrate(model, data, skip_factor));
}

fn integrate(model: &Model, data: &mut Data, skip_factor: bool) {
    let full = model.opt.integrator == Integrator::Implicit as i32;
    // A factorisation used again knows nothing of the block of deformable bodies.
    data.scratch.flex_block.clear();
    if !skip_factor {
        if full {
            factor_full(model, data);
        } else {
            factor_fast(model, data);
        }
    }
    let mut qfrc = std::mem::take(&mut data.scratch.smooth.dof_force);
    let mut qacc = std::mem::take(&mut data.scratch.smooth.dof_acceleration);
    scratch::sized(&mut qfrc, model.nv);
    scratch::sized(&mut qacc, model.nv);
    for dof in data.awake.dofs(model).iter() {
        let force = data.smooth.qfrc_smooth[dof] + data.solution.qfrc_constraint[dof];
        qfrc[dof] = force;
        qacc[dof] = force;
    }
    let factors = &data.derivatives;
    let dofs = data.awake.dofs(model).list();
    if full {
        lu::solve(&mut qacc, &factors.qLU, &qfrc, derivative_pattern(model), &model.D_diag, dofs);
    } else {
        let qacc = &mut qacc[..model.nv];
        tree_ldl::solve(qacc, &factors.qH, &factors.qHDiagInv, mass_pattern(model), dofs);
    }
    let block = &mut data.scratch.flex_block;
    if !block.is_empty() {
        block.solve(model, &qfrc, &mut qacc);
    }
    data.scratch.smooth.dof_force = qfrc;
    advance(model, data, &Rates { act_dot: None, qacc: &qacc, qvel: None });
    data.scratch.smooth.dof_acceleration = qacc;
}

/// `qLU = factor(M - h qDeriv)`
fn factor_full(model: &Model, data: &mut Data) {
    velocity_derivative(model, data, true);
    let out = &mut data.derivatives;
    dense::gather_masked(&mut out.qLU, &data.inertia.M, &model.mapM2D);
    dense::add_scaled_to(&mut out.qLU, &out.qDeriv, -model.opt.timestep);
    flex_block::prepare(model, data, derivative_pattern(model), true);
    let out = &mut data.derivatives;
    let remaining = scratch::sized(&mut data.scratch.smooth.chain, model.nv);
    let dofs = data.awake.dofs(model).list();
    // A vanishing pivot leaves the rows above it unfactorised; it is reported like a singular inertia.
    if let Err(error) = lu::factor(&mut out.qLU, derivative_pattern(model), dofs, remaining) {
        data.diagnostics.warn(Warning::Inertia, error.row() as i32);
    }
}

/// `qH = factor(M - h lower(qDeriv))`
fn factor_fast(model: &Model, data: &mut Data) {
    velocity_derivative(model, data, false);
    let out = &mut data.derivatives;
    let timestep = model.opt.timestep;
    for ((value, mass), source) in out.qH.iter_mut().zip(&data.inertia.M).zip(&model.mapD2M) {
        *value = mass + out.qDeriv[*source as usize] * -timestep;
    }
    flex_block::prepare(model, data, mass_pattern(model), false);
    let out = &mut data.derivatives;
    tree_ldl::factor(&mut out.qH, &mut out.qHDiagInv, mass_pattern(model), data.awake.dofs(model).list());
}
