//! Semi-implicit Euler: the new velocity moves the positions. Joint damping, if any, is integrated implicitly:
//! `(M + h diag(damping)) qacc = qfrc_smooth + qfrc_constraint`.
//!
//! Reference: `mj_EulerSkip`.

use condyle_math::{sparse, tree_ldl};
use condyle_model::{Model, disable};

use super::advance::{Rates, advance};
use crate::Data;
use crate::data::timers::timed;
use crate::data::{Timer, scratch};
use crate::position::inertia::mass_pattern;

/// One Euler step from the current accelerations.
pub fn euler(model: &Model, data: &mut Data) {
    euler_skip(model, data, false);
}

/// [`euler`]; with `skip_factor` the factorisation of an earlier call with equal inertia is used again.
pub fn euler_skip(model: &Model, data: &mut Data, skip_factor: bool) {
    timed(data, Timer::Advance, |data| integrate(model, data, skip_factor));
}

fn integrate(model: &Model, data: &mut Data, skip_factor: bool) {
    let mut qacc = std::mem::take(&mut data.scratch.smooth.dof_acceleration);
    scratch::sized(&mut qacc, model.nv);
    let undamped = disable::EULERDAMP | disable::DAMPER;
    let damped = model.opt.disableflags & undamped == 0
        && data.awake.dofs(model).iter().any(|dof| model.dof_damping[dof] > 0.0);
    if damped {
        if !skip_factor {
            factor_damped(model, data);
        }
        for dof in data.awake.dofs(model).iter() {
            qacc[dof] = data.smooth.qfrc_smooth[dof] + data.solution.qfrc_constraint[dof];
        }
        let out = &data.derivatives;
        let dofs = data.awake.dofs(model).list();
        tree_ldl::solve(&mut qacc, &out.qH, &out.qHDiagInv, mass_pattern(model), dofs);
    } else {
        for dof in data.awake.dofs(model).iter() {
            qacc[dof] = data.acceleration.qacc[dof];
        }
    }
    advance(model, data, &Rates { act_dot: None, qacc: &qacc, qvel: None });
    data.scratch.smooth.dof_acceleration = qacc;
}

/// `qH = factor(M + h diag(damping))`
fn factor_damped(model: &Model, data: &mut Data) {
    let pattern = mass_pattern(model);
    let dofs = data.awake.dofs(model);
    let out = &mut data.derivatives;
    match dofs.list() {
        None => out.qH.copy_from_slice(&data.inertia.M),
        Some(list) => sparse::copy_rows(&mut out.qH, &data.inertia.M, pattern, list),
    }
    for dof in dofs.iter() {
        out.qH[pattern.range(dof).end - 1] += model.opt.timestep * model.dof_damping[dof];
    }
    tree_ldl::factor(&mut out.qH, &mut out.qHDiagInv, pattern, dofs.list());
}
