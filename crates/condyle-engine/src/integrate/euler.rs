//! Semi-implicit Euler: the new velocity moves the positions. Joint damping, if any, is integrated implicitly:
//! `(M + h diag(damping)) qacc = qfrc_smooth + qfrc_constraint`.
//!
//! Reference: `mj_EulerSkip`.

use condyle_math::{sparse, tree_ldl};
use condyle_model::{Model, disable};

use super::advance::Rates;
use crate::data::{Acceleration, Awake, Derivatives, Inertia, Smooth, Solution};
use crate::position::inertia::mass_pattern;

/// Accelerations of an Euler step; with `reuse_factor` the factorisation of an earlier call with equal inertia is used again.
pub fn rates(
    model: &Model,
    awake: &Awake,
    inertia: &Inertia,
    smooth: &Smooth,
    solution: &Solution,
    acceleration: &Acceleration,
    out: &mut Derivatives,
    rates: &mut Rates,
    reuse_factor: bool,
) {
    let qacc = rates.accelerations(model);
    let undamped = disable::EULERDAMP | disable::DAMPER;
    let damped = model.opt.disableflags & undamped == 0
        && match awake.dofs(model).list() {
            None => model.dof_damping.iter().any(|damping| *damping > 0.0),
            Some(dofs) => dofs.iter().any(|dof| model.dof_damping[*dof as usize] > 0.0),
        };
    if damped {
        if !reuse_factor {
            factor_damped(model, awake, inertia, out);
        }
        let nv = model.nv;
        let (smooth, constraint) = (&smooth.qfrc_smooth[..nv], &solution.qfrc_constraint[..nv]);
        for dof in awake.dofs(model).iter() {
            qacc[dof] = smooth[dof] + constraint[dof];
        }
        let dofs = awake.dofs(model).list();
        tree_ldl::solve(qacc, &out.qH, &out.qHDiagInv, mass_pattern(model), dofs);
    } else {
        for dof in awake.dofs(model).iter() {
            qacc[dof] = acceleration.qacc[dof];
        }
    }
}

/// `qH = factor(M + h diag(damping))`
fn factor_damped(model: &Model, awake: &Awake, inertia: &Inertia, out: &mut Derivatives) {
    let pattern = mass_pattern(model);
    let dofs = awake.dofs(model);
    match dofs.list() {
        None => out.qH.copy_from_slice(&inertia.M),
        Some(list) => sparse::copy_rows(&mut out.qH, &inertia.M, pattern, list),
    }
    let timestep = model.opt.timestep;
    let nv = model.nv;
    let (starts, counts, damping) = (&pattern.rowadr[..nv], &pattern.rownnz[..nv], &model.dof_damping[..nv]);
    for dof in dofs.iter() {
        out.qH[starts[dof] as usize + counts[dof] as usize - 1] += timestep * damping[dof];
    }
    tree_ldl::factor(&mut out.qH, &mut out.qHDiagInv, pattern, dofs.list());
}
