//! The no-slip pass: Gauss–Seidel on friction alone, without regularisation, after the main solver.
//!
//! Normal forces stay; dry friction and contact friction move to where the unregularised dual cost is least. Opposite edges of
//! a pyramid exchange force at a constant sum. Reference: `mj_solNoSlip`.

use condyle_math::{MIN_VALUE, dense};
use condyle_model::ConstraintType;

use crate::constraint::impedance::kind_of;
use crate::data::{Contact, SolverStat};

use super::dual::{self, DualMatrix, DualScratch, Regularisation, Zones};
use super::{Given, Solved, record, whole_scale};

/// Iterate from `efc_force`.
pub(super) fn solve(given: Given, contacts: &[Contact], out: Solved, scratch: &mut DualScratch) {
    let Given { model, rows, .. } = given;
    let Solved { solution, diagnostics, acceleration } = out;
    let scale = whole_scale(model);
    let inverse_diagonal = &mut scratch.inverse_diagonal;
    let dual = dual::of(model, given.dual, rows.nefc);
    dual.inverse_diagonal(inverse_diagonal, &rows.efc_R, Regularisation::Remove);
    dual::set_state(rows, contacts, solution);
    let mut iteration = 0;
    while iteration < model.opt.noslip_iterations.max(0) as usize {
        let mut improvement = 0.0;
        if iteration == 0 {
            // The cost changes at once when the regulariser is dropped.
            for row in 0..rows.nefc {
                let force = solution.efc_force[row];
                improvement += 0.5 * force * force * rows.efc_R[row];
            }
        }
        let force = &mut solution.efc_force;
        sweep_dry_friction(given, dual, inverse_diagonal, force, &mut improvement);
        sweep_contacts(given, dual, contacts, force, &mut improvement);

        let Zones { active, changed } = dual::set_state(rows, contacts, solution);
        improvement *= scale;
        let slot = iteration + diagnostics.solver_niter[0].max(0) as usize;
        let stat = SolverStat { improvement, nactive: active, nchange: changed, ..SolverStat::default() };
        record(diagnostics, 0, slot, stat);
        iteration += 1;
        if improvement < model.opt.noslip_tolerance {
            break;
        }
    }
    diagnostics.solver_niter[0] += iteration as i32;
    dual::finish(given, solution, acceleration);
}

fn sweep_dry_friction(
    given: Given,
    dual: DualMatrix,
    inverse_diagonal: &[f64],
    force: &mut [f64],
    improvement: &mut f64,
) {
    for row in given.rows.ne..given.rows.ne + given.rows.nf {
        let mut residual = [0.0];
        dual::residual(&mut residual, dual, given, force, row, Regularisation::Remove);
        let old = force[row];
        let loss = given.rows.efc_frictionloss[row];
        force[row] -= residual[0] * inverse_diagonal[row];
        if force[row] < -loss {
            force[row] = -loss;
        } else if force[row] > loss {
            force[row] = loss;
        }
        let delta = force[row] - old;
        *improvement -= 0.5 * delta * delta / inverse_diagonal[row] + delta * residual[0];
    }
}

fn sweep_contacts(
    given: Given,
    dual: DualMatrix,
    contacts: &[Contact],
    force: &mut [f64],
    improvement: &mut f64,
) {
    let mut row = given.rows.ne + given.rows.nf;
    while row < given.rows.nefc {
        match kind_of(given.rows.efc_type[row]) {
            ConstraintType::ContactPyramidal => {
                let edges = 2 * (contacts[given.rows.efc_id[row] as usize].dimension() - 1);
                for pair in (row..row + edges).step_by(2) {
                    *improvement -= balance_edges(given, dual, force, pair);
                }
                row += edges.max(1);
            }
            ConstraintType::ContactElliptic => {
                let contact = &contacts[given.rows.efc_id[row] as usize];
                *improvement -= slide_elliptic(given, dual, force, row, contact);
                row += contact.dimension();
            }
            _ => row += 1,
        }
    }
}

/// Move force between two opposite edges of a pyramid; returns the change of cost.
fn balance_edges(given: Given, dual: DualMatrix, force: &mut [f64], pair: usize) -> f64 {
    let mut residual = [0.0; 2];
    dual::residual(&mut residual, dual, given, force, pair, Regularisation::Remove);
    let old = [force[pair], force[pair + 1]];
    let mut block = [0.0; 4];
    dual.block(&mut block, pair, 2, &given.rows.efc_R, Regularisation::Remove);
    let mut b = residual;
    for k in 0..2 {
        b[k] -= dense::dot(&block[2 * k..2 * k + 2], &old);
    }
    let middle = 0.5 * (force[pair] + force[pair + 1]);
    let curvature = block[0] + block[3] - block[1] - block[2];
    let slope = middle * (block[0] - block[3]) + b[0] - b[1];
    let pair_force = if curvature < MIN_VALUE {
        [middle; 2]
    } else {
        let y = -slope / curvature;
        if y < -middle {
            [0.0, 2.0 * middle]
        } else if y > middle {
            [2.0 * middle, 0.0]
        } else {
            [middle + y, middle - y]
        }
    };
    force[pair..pair + 2].copy_from_slice(&pair_force);
    dual::cost_change(&block, &mut force[pair..pair + 2], &old, &residual)
}

/// Move the friction of an elliptic contact; returns the change of cost.
fn slide_elliptic(given: Given, dual: DualMatrix, force: &mut [f64], row: usize, contact: &Contact) -> f64 {
    let m = contact.dimension() - 1;
    let (mut residual, mut old, mut b, mut block) = ([0.0; 5], [0.0; 5], [0.0; 5], [0.0; 25]);
    dual::residual(&mut residual[..m], dual, given, force, row + 1, Regularisation::Remove);
    old[..m].copy_from_slice(&force[row + 1..][..m]);
    dual.block(&mut block, row + 1, m, &given.rows.efc_R, Regularisation::Remove);
    for j in 0..m {
        b[j] = residual[j] - dense::dot(&block[j * m..][..m], &old);
    }
    let normal = force[row];
    let friction = &mut force[row + 1..][..m];
    if normal < MIN_VALUE {
        friction.fill(0.0);
    } else {
        dual::solve_friction(friction, &block, &b[..m], &contact.friction, normal);
    }
    dual::cost_change(&block, friction, &old, &residual[..m])
}
