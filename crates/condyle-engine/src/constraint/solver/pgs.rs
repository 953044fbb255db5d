//! Projected Gauss–Seidel on the constraint forces.
//!
//! Sweeps over the constraints in row order. A scalar row moves to its minimum and is clamped to its bounds; an elliptic contact
//! first moves along its present direction, then its friction is minimised inside the cone with the normal force fixed.
//! Reference: `mj_solPGS`.

use condyle_math::box_qp::BoundedRows;
use condyle_math::{MIN_VALUE, dense, matrix};

use crate::constraint::update::ELLIPTIC;
use crate::data::{Contact, IslandReport, SolverEnd, SolverStat};

use super::dual::{self, DualMatrix, DualScratch, Regularisation, Zones};
use super::{Given, Solved, record, whole_scale};

/// Iterate from `efc_force`.
pub(super) fn solve(given: Given, contacts: &[Contact], out: Solved, scratch: &mut DualScratch) {
    let Given { model, rows, .. } = given;
    let Solved { solution, diagnostics, acceleration } = out;
    let scale = whole_scale(model);
    let matrix = dual::of(model, given.dual, rows.nefc);
    matrix.inverse_diagonal(&mut scratch.inverse_diagonal, &rows.efc_R, Regularisation::Keep);
    set_bounds(given, scratch);
    let has_cones = rows.efc_type.contains(&ELLIPTIC);
    dual::set_state(rows, contacts, solution);
    let mut iteration = 0;
    let mut last = IslandReport { end: SolverEnd::IterationLimit, ..IslandReport::default() };
    while iteration < model.opt.iterations.max(0) as usize {
        let improvement = scale * sweep(given, matrix, contacts, has_cones, scratch, &mut solution.efc_force);
        let Zones { active, changed } = dual::set_state(rows, contacts, solution);
        let stat = SolverStat { improvement, nactive: active, nchange: changed, ..SolverStat::default() };
        record(diagnostics, 0, iteration, stat);
        iteration += 1;
        last.improvement = improvement;
        if improvement < model.opt.tolerance {
            last.end = SolverEnd::Converged;
            break;
        }
    }
    diagnostics.report.add_island(IslandReport { iterations: iteration, ..last });
    diagnostics.solver_niter[0] += iteration as i32;
    diagnostics.solver_nnz[0] = match matrix {
        DualMatrix::Dense { size, .. } => (size * size) as i32,
        DualMatrix::Sparse { pattern, .. } => pattern.rownnz.iter().sum(),
    };
    dual::finish(given, solution, acceleration);
}

/// Where the force of each row of its own may be: anywhere, within the dry friction, or not pulling.
fn set_bounds(given: Given, scratch: &mut DualScratch) {
    let Given { rows: table, .. } = given;
    let (ne, count) = (table.ne, table.nefc);
    let friction = &table.efc_frictionloss[ne..ne + table.nf];
    let DualScratch { inverse_diagonal, diagonal, lower, upper } = scratch;
    diagonal.clear();
    diagonal.extend(inverse_diagonal.iter().map(|inverse| 1.0 / inverse));
    lower.clear();
    lower.resize(ne, f64::NEG_INFINITY);
    lower.extend(friction.iter().map(|loss| -loss));
    lower.resize(count, 0.0);
    upper.clear();
    upper.resize(ne, f64::INFINITY);
    upper.extend_from_slice(friction);
    upper.resize(count, f64::INFINITY);
}

/// One pass over all constraints; returns the reduction of the dual cost.
fn sweep(
    given: Given,
    dual: DualMatrix,
    contacts: &[Contact],
    has_cones: bool,
    scratch: &DualScratch,
    force: &mut [f64],
) -> f64 {
    let Given { rows: table, motion, .. } = given;
    let DualScratch { inverse_diagonal, diagonal, lower, upper } = scratch;
    let mut improvement = 0.0;
    let mut row = 0;
    while row < table.nefc {
        if table.efc_type[row] == ELLIPTIC {
            let (mut residual, mut old) = ([0.0; 6], [0.0; 6]);
            let contact = &contacts[table.efc_id[row] as usize];
            let n = contact.dimension();
            dual::residual(&mut residual[..n], dual, given, force, row, Regularisation::Keep);
            old[..n].copy_from_slice(&force[row..row + n]);
            let mut block = [0.0; 36];
            dual.block(&mut block, row, n, &table.efc_R, Regularisation::Keep);
            let mine = &mut force[row..row + n];
            update_elliptic(contact, &block, &residual[..n], &old[..n], inverse_diagonal[row], mine);
            improvement -= dual::cost_change(&block, mine, &old, &residual[..n]);
            row += n;
        } else if let DualMatrix::Dense { values, size } = dual {
            let single = if has_cones {
                table.efc_type[row..size].iter().take_while(|kind| **kind != ELLIPTIC).count()
            } else {
                size - row
            };
            let (matrix, b) = (values, &motion.efc_b[..]);
            let rows = BoundedRows { matrix, b, inverse_diagonal, diagonal, lower, upper };
            improvement = rows.sweep(row..row + single, &mut force[..size], improvement);
            row += single;
        } else {
            let residual = motion.efc_b[row] + dual.row_dot(row, force);
            let old = force[row];
            let mut new = old - residual * inverse_diagonal[row];
            if new < lower[row] {
                new = lower[row];
            } else if new > upper[row] {
                new = upper[row];
            }
            improvement -= dual::scalar_cost_change(diagonal[row], &mut new, old, residual);
            force[row] = new;
            row += 1;
        }
    }
    improvement
}

fn update_elliptic(
    contact: &Contact,
    block: &[f64],
    residual: &[f64],
    old: &[f64],
    inverse_diagonal: f64,
    force: &mut [f64],
) {
    let n = force.len();
    if force[0] < MIN_VALUE {
        force[0] -= residual[0] * inverse_diagonal;
        if force[0] < 0.0 {
            force[0] = 0.0;
        }
        force[1..].fill(0.0);
    } else {
        let mut ray = [0.0; 6];
        let mut product = [0.0; 6];
        ray[..n].copy_from_slice(force);
        let ray = &ray[..n];
        matrix::mul_vec(&mut product[..n], block, ray);
        let curvature = dense::dot(ray, &product);
        if curvature >= MIN_VALUE {
            let mut x = -dense::dot(ray, residual) / curvature;
            if force[0] + x * ray[0] < 0.0 {
                x = -ray[0] / force[0];
            }
            for j in 0..n {
                force[j] += x * ray[j];
            }
        }
    }

    // Friction with the normal force fixed: the rest of the residual acts as a constant.
    let m = n - 1;
    let (mut friction_block, mut b) = ([0.0; 25], [0.0; 5]);
    for j in 0..m {
        friction_block[j * m..][..m].copy_from_slice(&block[(j + 1) * n + 1..][..m]);
        b[j] = residual[j + 1] - dense::dot(&friction_block[j * m..][..m], &old[1..]);
        b[j] += block[(j + 1) * n] * (force[0] - old[0]);
    }
    let normal = force[0];
    if normal < MIN_VALUE {
        force[1..].fill(0.0);
    } else {
        dual::solve_friction(&mut force[1..], &friction_block, &b[..m], &contact.friction, normal);
    }
}
