//! Adhesion: an actuator that pulls a body along the normals of all its contacts.
//!
//! The moment is minus the mean of the contact normal Jacobians. Contacts with constraint rows take them from `efc_J` (a pyramid
//! counts every edge equally, so that friction cancels); contacts within the gap have no rows and are computed. Gear is not used.

use condyle_math::sparse::{self, Pattern};
use condyle_math::{dense, mat3, matrix};
use condyle_model::{Cone, Model};

use super::store_dense;
use crate::data::{Contact, Kinematics, Rows, SmoothScratch, Transmission, scratch};
use crate::jacobian::{self, chain};

/// Moment of an adhesion actuator; it has no length.
pub(super) fn body(
    model: &Model,
    kinematics: &Kinematics,
    contacts: &[Contact],
    rows: &Rows,
    actuator: usize,
    out: &mut Transmission,
    buffers: &mut SmoothScratch,
) {
    let nv = model.nv;
    let body = model.actuator_trnid[actuator][0];
    out.actuator_length[actuator] = 0.0;
    let SmoothScratch { chain, jacobian: pair, difference, dof_force, dof_acceleration, row_weight, .. } =
        buffers;
    let row = scratch::sized(dof_force, nv);
    let in_gap = scratch::sized(dof_acceleration, nv);
    let weights = scratch::sized(row_weight, rows.nefc);
    let chain = scratch::sized(chain, nv);
    let difference = scratch::sized(difference, 3 * nv);
    row.fill(0.0);
    in_gap.fill(0.0);
    weights.fill(0.0);

    let sparse_form = jacobian::is_sparse(model);
    let mut count = 0;
    for contact in contacts {
        let [Ok(geom1), Ok(geom2)] = contact.geom.map(usize::try_from) else { continue };
        let bodies = [model.geom_bodyid[geom1], model.geom_bodyid[geom2]];
        if !bodies.contains(&body) {
            continue;
        }
        match contact.exclude {
            0 => {
                count += 1;
                let Ok(first) = usize::try_from(contact.efc_address) else { continue };
                if contact.dim == 1 || model.opt.cone() == Some(Cone::Elliptic) {
                    weights[first] = 1.0;
                } else {
                    let directions = contact.dim - 1;
                    weights[first..first + 2 * directions as usize].fill(0.5 / f64::from(directions));
                }
            }
            1 => {
                count += 1;
                let width = chain::difference(
                    model,
                    kinematics,
                    sparse_form,
                    chain,
                    bodies.map(|body| body as usize),
                    [contact.pos; 2],
                    Some(difference),
                    None,
                    pair,
                );
                let normal = scratch::sized(&mut pair[0], width);
                matrix::mul(normal, &mat3::row(&contact.frame, 0), difference, 1, 3, width);
                if sparse_form {
                    for (dof, value) in chain[..width].iter().zip(normal.iter()) {
                        in_gap[*dof as usize] += value;
                    }
                } else {
                    dense::add_to(&mut in_gap[..width], normal);
                }
            }
            _ => {}
        }
    }
    if count > 0 {
        mul_jacobian_transposed(model, rows, row, weights);
        dense::add_to(row, in_gap);
        dense::scale_mut(row, -1.0 / f64::from(count));
    }
    store_dense(out, actuator, row);
}

/// `result = efc_Jᵀ weights`
fn mul_jacobian_transposed(model: &Model, rows: &Rows, result: &mut [f64], weights: &[f64]) {
    if weights.is_empty() {
        return;
    }
    if jacobian::is_sparse(model) {
        let pattern =
            Pattern { rownnz: &rows.efc_J_rownnz, rowadr: &rows.efc_J_rowadr, colind: &rows.efc_J_colind };
        sparse::mul_transposed_vec(result, &rows.efc_J, weights, pattern.truncated(weights.len()));
    } else {
        matrix::mul_transposed_vec(result, &rows.efc_J, weights);
    }
}
