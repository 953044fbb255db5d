//! Implicit in velocity: `(M - h D) qacc = qfrc_smooth + qfrc_constraint` with `D` the velocity derivative of the smooth forces.
//!
//! The full integrator includes Coriolis forces in `D` and factorises by LU; the fast one leaves them out, keeps the lower triangle
//! and factorises like the inertia. Interpolated deformable bodies are treated in `flex_block.rs`. Reference: `mj_implicitSkip`.

use condyle_math::{dense, lu, tree_ldl};
use condyle_model::{Integrator, Model, Warning};

use crate::data::{
    Awake, Derivatives, Diagnostics, Inertia, Kinematics, Scratch, Smooth, Solution, State, scratch,
};
use crate::derivative::accumulate::derivative_pattern;
use crate::position::inertia::mass_pattern;

fn is_full(model: &Model) -> bool {
    model.opt.integrator() == Some(Integrator::Implicit)
}

/// Factorise `M - h qDeriv`, and the block of interpolated deformable bodies.
pub fn factor(
    model: &Model,
    state: &State,
    awake: &Awake,
    kinematics: &Kinematics,
    inertia: &Inertia,
    out: &mut Derivatives,
    diagnostics: &mut Diagnostics,
    scratch: &mut Scratch,
) {
    let timestep = model.opt.timestep;
    let dofs = awake.dofs(model).list();
    if is_full(model) {
        dense::gather_masked(&mut out.qLU, &inertia.M, &model.mapM2D);
        dense::add_scaled_to(&mut out.qLU, &out.qDeriv, -timestep);
        let pattern = derivative_pattern(model);
        scratch.flex_block.prepare(model, state, awake, kinematics, pattern, &out.qLU);
        let remaining = scratch::sized(&mut scratch.smooth.chain, model.nv);
        // A vanishing pivot leaves the rows above it unfactorised; it is reported like a singular inertia.
        if let Err(error) = lu::factor(&mut out.qLU, pattern, dofs, remaining) {
            diagnostics.warn(Warning::Inertia, error.row() as i32);
        }
    } else {
        for ((value, mass), source) in out.qH.iter_mut().zip(&inertia.M).zip(&model.mapD2M) {
            *value = mass + out.qDeriv[*source as usize] * -timestep;
        }
        let pattern = mass_pattern(model);
        scratch.flex_block.prepare(model, state, awake, kinematics, pattern, &out.qH);
        tree_ldl::factor(&mut out.qH, &mut out.qHDiagInv, pattern, dofs);
    }
}

/// Accelerations of an implicit step from the present forces.
pub fn rates(
    model: &Model,
    awake: &Awake,
    smooth: &Smooth,
    solution: &Solution,
    factors: &Derivatives,
    scratch: &mut Scratch,
) {
    let qfrc = scratch::sized(&mut scratch.smooth.dof_force, model.nv);
    let qacc = scratch.rates.accelerations(model);
    for dof in awake.dofs(model).iter() {
        let force = smooth.qfrc_smooth[dof] + solution.qfrc_constraint[dof];
        qfrc[dof] = force;
        qacc[dof] = force;
    }
    let dofs = awake.dofs(model).list();
    if is_full(model) {
        lu::solve(qacc, &factors.qLU, qfrc, derivative_pattern(model), &model.D_diag, dofs);
    } else {
        tree_ldl::solve(qacc, &factors.qH, &factors.qHDiagInv, mass_pattern(model), dofs);
    }
    let block = &mut scratch.flex_block;
    if !block.is_empty() {
        block.solve(model, qfrc, qacc);
    }
}
