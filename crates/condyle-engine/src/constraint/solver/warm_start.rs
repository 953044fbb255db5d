//! Where the solver starts: at the acceleration of the previous step or at the unconstrained one, whichever costs less.
//!
//! Gauss–Seidel starts from the forces that belong to the previous acceleration if they lower the dual cost, else from zero.
//! Dofs outside every island are unconstrained and take the unconstrained acceleration. Reference: `warmstart`.

use condyle_math::sparse::Pattern;
use condyle_math::{dense, sparse};
use condyle_model::{Model, Solver, disable};

use crate::constraint::{jacobian, update};
use crate::data::{Acceleration, Constraint, Contact, Inertia, Islands};

use super::{SolverScratch, cost_rows, dual};

/// Set `qacc`, `efc_force`, `efc_state` and `qfrc_constraint` to their starting values.
pub fn start(
    model: &Model,
    qacc_warmstart: &[f64],
    inertia: &Inertia,
    table: &mut Constraint,
    islands: &Islands,
    contacts: &mut [Contact],
    acceleration: &mut Acceleration,
    scratch: &mut SolverScratch,
) {
    let qacc_smooth = &acceleration.qacc_smooth;
    if model.opt.disableflags & disable::WARMSTART != 0 {
        acceleration.qacc.copy_from_slice(qacc_smooth);
        table.efc_force.fill(0.0);
        return;
    }
    acceleration.qacc.copy_from_slice(qacc_warmstart);
    let residual = &mut scratch.residual;
    residual.resize(table.nefc, 0.0);
    jacobian::of(model, table).mul_vec(residual, qacc_warmstart);
    dense::sub_from(residual, &table.efc_aref);
    let mut warm_cost = apply(model, table, contacts, residual);

    if model.opt.solver == Solver::Pgs as i32 {
        let mut dual_cost = dense::dot(&table.efc_force, &table.efc_b);
        dual::of(model, table).mul_vec(residual, &table.efc_force);
        dual_cost += 0.5 * dense::dot(&table.efc_force, residual);
        if dual_cost > 0.0 {
            table.efc_force.fill(0.0);
            table.qfrc_constraint.fill(0.0);
        }
    } else {
        let product = &mut scratch.inertia_times;
        product.resize(model.nv, 0.0);
        let pattern = Pattern { rownnz: &model.M_rownnz, rowadr: &model.M_rowadr, colind: &model.M_colind };
        sparse::mul_symmetric_vec(product, &inertia.M, qacc_warmstart, pattern);
        for dof in 0..model.nv {
            warm_cost += 0.5
                * (product[dof] - acceleration.qfrc_smooth[dof])
                * (qacc_warmstart[dof] - qacc_smooth[dof]);
        }
        let offset = std::mem::take(&mut table.efc_b);
        let smooth_cost = apply(model, table, contacts, &offset);
        table.efc_b = offset;
        if warm_cost > smooth_cost {
            acceleration.qacc.copy_from_slice(qacc_smooth);
        }
    }
    if islands.nisland > 0 {
        for dof in &islands.map_idof2dof[islands.nidof..] {
            acceleration.qacc[*dof as usize] = qacc_smooth[*dof as usize];
        }
    }
}

/// Forces and zones for the given residuals; returns the constraint cost.
fn apply(model: &Model, table: &mut Constraint, contacts: &mut [Contact], residual: &[f64]) -> f64 {
    let mut force = std::mem::take(&mut table.efc_force);
    let mut state = std::mem::take(&mut table.efc_state);
    let cost = update::update(cost_rows(table), residual, contacts, &mut state, &mut force, false);
    let mut qfrc_constraint = std::mem::take(&mut table.qfrc_constraint);
    jacobian::of(model, table).mul_transposed_vec(&mut qfrc_constraint, &force);
    table.qfrc_constraint = qfrc_constraint;
    table.efc_force = force;
    table.efc_state = state;
    cost
}
