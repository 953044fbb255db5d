//! The dual matrix `A + R = J M⁻¹ Jᵀ + R` for solvers that work on constraint forces.
//!
//! With `M = Lᵀ D L`, `B = J L⁻¹ D^(-1/2)` and `A = B Bᵀ`. Its size grows with the square of the rows: where it does not fit into memory,
//! the step goes on without constraints, as in the reference. Reference: `mj_projectConstraint`.

use condyle_math::matrix::{self, Triangle};
use condyle_math::sparse::{self, Pattern};
use condyle_math::sparse_gram::{self, GramScratch};
use condyle_math::sparse_structure;
use condyle_math::tree_ldl;
use condyle_model::{Model, Solver};

use crate::data::{Dual, Inertia, Rows};

use crate::jacobian::is_sparse;

/// Work space of the projection.
#[derive(Clone, Debug, Default)]
pub struct ProjectScratch {
    inverse_root: Vec<f64>,
    half: SparseRows,
    half_super: Vec<i32>,
    half_transposed: SparseRows,
    diagonal: Vec<i32>,
    gram: GramScratch,
}

/// A sparse matrix that owns its pattern.
#[derive(Clone, Debug, Default)]
struct SparseRows {
    values: Vec<f64>,
    rownnz: Vec<i32>,
    rowadr: Vec<i32>,
    colind: Vec<i32>,
}

impl SparseRows {
    fn pattern(&self) -> Pattern<'_> {
        Pattern { rownnz: &self.rownnz, rowadr: &self.rowadr, colind: &self.colind }
    }

    fn clear(&mut self) {
        self.values.clear();
        self.rownnz.clear();
        self.rowadr.clear();
        self.colind.clear();
    }
}

/// Whether the chosen solver, or the no-slip pass, needs the dual matrix.
pub fn is_needed(model: &Model) -> bool {
    model.opt.solver() == Some(Solver::Pgs) || model.opt.noslip_iterations > 0
}

/// Make the list as long as asked; false if there is not enough memory.
#[must_use]
fn make_room<T: Copy + Default>(list: &mut Vec<T>, length: usize) -> bool {
    if list.try_reserve_exact(length.saturating_sub(list.len())).is_err() {
        return false;
    }
    list.resize(length, T::default());
    true
}

/// Fill `efc_AR` and, in sparse storage, its pattern. False if there is not enough memory for them.
#[must_use]
pub fn make(
    model: &Model,
    rows: &Rows,
    inertia: &Inertia,
    out: &mut Dual,
    scratch: &mut ProjectScratch,
) -> bool {
    if rows.nefc == 0 || !is_needed(model) {
        return true;
    }
    scratch.inverse_root.clear();
    scratch.inverse_root.extend((0..model.nv).map(|dof| {
        let diagonal = model.M_rowadr[dof] + model.M_rownnz[dof] - 1;
        1.0 / inertia.qLD[diagonal as usize].sqrt()
    }));
    if is_sparse(model) {
        make_sparse(model, rows, inertia, out, scratch)
    } else {
        make_dense(model, rows, inertia, out, scratch)
    }
}

fn inertia_pattern(model: &Model) -> Pattern<'_> {
    Pattern { rownnz: &model.M_rownnz, rowadr: &model.M_rowadr, colind: &model.M_colind }
}

fn make_dense(
    model: &Model,
    table: &Rows,
    inertia: &Inertia,
    out: &mut Dual,
    scratch: &mut ProjectScratch,
) -> bool {
    let (rows, nv) = (table.nefc, model.nv);
    let transposed = &mut scratch.half_transposed.values;
    if !make_room(transposed, rows * nv) || !make_room(&mut out.efc_AR, rows * rows) {
        return false;
    }
    matrix::transpose(transposed, &table.efc_J, rows, nv);
    let (factor, inverse_root) = (&inertia.qLD, &scratch.inverse_root);
    tree_ldl::solve_half_columns(transposed, rows, factor, inverse_root, inertia_pattern(model));
    out.nA = rows * rows;
    matrix::gram(&mut out.efc_AR, transposed, None, nv, rows, Triangle::Both);
    for row in 0..rows {
        out.efc_AR[row * (rows + 1)] += table.efc_R[row];
    }
    true
}

fn make_sparse(
    model: &Model,
    table: &Rows,
    inertia: &Inertia,
    out: &mut Dual,
    scratch: &mut ProjectScratch,
) -> bool {
    let ProjectScratch { inverse_root, half, half_super, half_transposed, diagonal, gram } = scratch;
    complete_chains(model, table, half);
    for row in 0..table.nefc {
        let range = half.pattern().range(row);
        let (values, columns) = (&mut half.values[range.clone()], &half.colind[range]);
        for i in (0..values.len()).rev() {
            let value = values[i];
            if value != 0.0 {
                let dof = columns[i] as usize;
                let start = model.M_rowadr[dof] as usize;
                let ancestors = start..start + model.M_rownnz[dof] as usize - 1;
                sparse::add_scaled_common(
                    values,
                    columns,
                    &inertia.qLD[ancestors.clone()],
                    &model.M_colind[ancestors],
                    -value,
                );
            }
        }
        for (value, dof) in values.iter_mut().zip(columns) {
            *value *= inverse_root[*dof as usize];
        }
    }

    let rows = table.nefc;
    half_super.resize(rows, 0);
    sparse_structure::supernodes(half_super, half.pattern());
    let total = half.values.len();
    half_transposed.rownnz.resize(model.nv, 0);
    half_transposed.rowadr.resize(model.nv, 0);
    half_transposed.colind.resize(total, 0);
    half_transposed.values.resize(total, 0.0);
    sparse_structure::transpose(
        &mut half_transposed.values,
        &mut half_transposed.rownnz,
        &mut half_transposed.rowadr,
        &mut half_transposed.colind,
        &half.values,
        half.pattern(),
    );

    out.efc_AR_rownnz.resize(rows, 0);
    out.efc_AR_rowadr.resize(rows, 0);
    out.nA = sparse_gram::gram_count(
        &mut out.efc_AR_rownnz,
        &mut out.efc_AR_rowadr,
        half_transposed.pattern(),
        half.pattern(),
        Some(half_super),
        true,
        gram,
    );
    if !make_room(&mut out.efc_AR, out.nA) || !make_room(&mut out.efc_AR_colind, out.nA) {
        return false;
    }
    diagonal.resize(rows, 0);
    sparse_gram::gram(
        &mut out.efc_AR,
        &mut out.efc_AR_rownnz,
        &out.efc_AR_rowadr,
        &mut out.efc_AR_colind,
        &half_transposed.values,
        half_transposed.pattern(),
        &half.values,
        half.pattern(),
        Some(half_super),
        None,
        Some(diagonal),
        gram,
    );
    for (address, regulariser) in diagonal.iter().zip(&table.efc_R) {
        out.efc_AR[*address as usize] += regulariser;
    }
    true
}

/// Copy `J`, adding the ancestors of every dof as explicit zeros: substitution fills them.
fn complete_chains(model: &Model, table: &Rows, out: &mut SparseRows) {
    out.clear();
    for row in 0..table.nefc {
        let start = table.efc_J_rowadr[row] as usize;
        let mut remaining = table.efc_J_rownnz[row] as usize;
        let first = out.values.len();
        let mut ancestor = -1;
        loop {
            let own = if remaining > 0 { table.efc_J_colind[start + remaining - 1] } else { -1 };
            if own < 0 && ancestor < 0 {
                break;
            }
            let (dof, value) = if own >= ancestor {
                remaining -= 1;
                (own, table.efc_J[start + remaining])
            } else {
                (ancestor, 0.0)
            };
            out.colind.push(dof);
            out.values.push(value);
            ancestor = model.dof_parentid[dof as usize];
        }
        // Collected from the last dof to the first.
        out.colind[first..].reverse();
        out.values[first..].reverse();
        out.rowadr.push(first as i32);
        out.rownnz.push((out.values.len() - first) as i32);
    }
}
