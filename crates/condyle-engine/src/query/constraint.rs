//! Products with the constraint Jacobian, and the constraint cost of given residuals.
//!
//! Whole data: it is asked for by programs, which have nothing else.

use condyle_model::Model;

use crate::Data;
use crate::constraint::{jacobian, solver};

/// `result = J v`, one element per constraint row. Reference: `mj_mulJacVec`.
pub fn mul_jacobian(model: &Model, data: &Data, result: &mut [f64], v: &[f64]) {
    if data.rows.nefc > 0 {
        jacobian::of(model, &data.rows).mul_vec(result, v);
    }
}

/// `result = Jᵀ v`, one element per dof. Reference: `mj_mulJacTVec`.
pub fn mul_jacobian_transposed(model: &Model, data: &Data, result: &mut [f64], v: &[f64]) {
    if data.rows.nefc > 0 {
        jacobian::of(model, &data.rows).mul_transposed_vec(result, v);
    }
}

/// Set `efc_state`, `efc_force` and `qfrc_constraint` for the residuals `J q̈ − aref`, and the cone Hessians of the contacts if
/// asked; returns the constraint cost. Reference: `mj_constraintUpdate`.
pub fn constraint_update(model: &Model, data: &mut Data, residual: &[f64], with_cone_hessian: bool) -> f64 {
    let Data { rows, contacts, cone_hessians, solution, .. } = data;
    let cone_hessians = with_cone_hessian.then_some(cone_hessians);
    solver::apply_residual(model, rows, contacts, residual, cone_hessians, solution)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraint_update_maps_forces_to_dofs() {
        let mut model = Model { nbody: 1, nv: 2, ..Model::default() };
        model.allocate();
        model.body_treeid.fill(-1);
        model.body_mocapid.fill(-1);
        model.opt.jacobian = 0;
        let mut data = Data::new(&model);
        let rows = &mut data.rows;
        (rows.ne, rows.nefc) = (1, 1);
        rows.efc_J = vec![1.0, -2.0];
        (rows.efc_type, rows.efc_id, data.solution.efc_state) = (vec![0], vec![0], vec![0]);
        (rows.efc_D, rows.efc_R, rows.efc_frictionloss) = (vec![4.0], vec![0.25], vec![0.0]);
        data.solution.efc_force = vec![0.0];
        assert_eq!(constraint_update(&model, &mut data, &[0.5], false), 0.5);
        assert_eq!(data.solution.qfrc_constraint[..], [-2.0, 4.0]);
        let mut product = [0.0];
        mul_jacobian(&model, &data, &mut product, &[3.0, 1.0]);
        assert_eq!(product, [1.0]);
        let mut transposed = [0.0; 2];
        mul_jacobian_transposed(&model, &data, &mut transposed, &[2.0]);
        assert_eq!(transposed, [2.0, -4.0]);
    }
}
