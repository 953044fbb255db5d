//! Where the solver starts: at the acceleration of the previous step or at the unconstrained one, whichever costs less.
//!
//! Gauss–Seidel starts from the forces that belong to the previous acceleration if they lower the dual cost, else from zero.
//! Dofs outside every island are unconstrained and take the unconstrained acceleration. Reference: `warmstart`.

use condyle_math::sparse::Pattern;
use condyle_math::{dense, sparse};
use condyle_model::{Solver, disable};

use crate::constraint::jacobian;
use crate::data::{Acceleration, Contact, Islands, Solution};
use crate::jacobian::is_sparse;

use super::{Given, SolverScratch, dual, map_to_dofs, respond};

/// Set `qacc`, `efc_force` and `efc_state` to their starting values.
pub(super) fn start(
    given: Given,
    qacc_warmstart: &[f64],
    islands: &Islands,
    contacts: &[Contact],
    solution: &mut Solution,
    acceleration: &mut Acceleration,
    scratch: &mut SolverScratch,
) {
    let Given { model, inertia, rows, motion, smooth, .. } = given;
    let qacc_smooth = &smooth.qacc_smooth;
    if model.opt.disableflags & disable::WARMSTART != 0 {
        acceleration.qacc.copy_from_slice(qacc_smooth);
        solution.efc_force.fill(0.0);
        return;
    }
    acceleration.qacc.copy_from_slice(qacc_warmstart);
    let residual = &mut scratch.residual;
    residual.resize(rows.nefc, 0.0);
    jacobian::of(model, rows).mul_vec(residual, qacc_warmstart);
    dense::sub_from(residual, &motion.efc_aref);
    // `Jᵀ f` is not needed here unless a force is invalid: every solver computes it anew from the forces it ends with.
    let mut warm_cost = respond(rows, contacts, residual, None, solution);

    if model.opt.solver() == Some(Solver::Pgs) {
        let mut dual_cost = dense::dot(&solution.efc_force, &motion.efc_b);
        dual::of(model, given.dual, rows.nefc).mul_vec(residual, &solution.efc_force);
        dual_cost += 0.5 * dense::dot(&solution.efc_force, residual);
        if dual_cost > 0.0 {
            solution.efc_force.fill(0.0);
        }
    } else {
        let product = &mut scratch.inertia_times;
        product.resize(model.nv, 0.0);
        let pattern = Pattern { rownnz: &model.M_rownnz, rowadr: &model.M_rowadr, colind: &model.M_colind };
        sparse::mul_symmetric_vec(product, &inertia.M, qacc_warmstart, pattern);
        for dof in 0..model.nv {
            warm_cost +=
                0.5 * (product[dof] - smooth.qfrc_smooth[dof]) * (qacc_warmstart[dof] - qacc_smooth[dof]);
        }
        let smooth_cost = respond(rows, contacts, &motion.efc_b, None, solution);
        if warm_cost > smooth_cost {
            acceleration.qacc.copy_from_slice(qacc_smooth);
        }
    }
    if islands.nisland > 0 {
        // Island by island, dofs outside every island keep the product of the start: zero times an invalid force in dense storage.
        let usable = solution.efc_force.iter().all(|force| force.is_finite());
        if !usable && !is_sparse(model) {
            map_to_dofs(model, rows, solution);
        }
        for dof in &islands.map_idof2dof[islands.nidof..] {
            acceleration.qacc[*dof as usize] = qacc_smooth[*dof as usize];
        }
    }
}
