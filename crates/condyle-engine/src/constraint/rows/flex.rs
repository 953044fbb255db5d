//! Equality constraints on flexes: edges keep their length, or vertices of a plate keep zero strain.
//!
//! | kind | rows | position error |
//! |---|---|---|
//! | flex | one per edge between two bodies | length minus rest length |
//! | flexvert | two per vertex | the two strain measures |
//!
//! Lengths, strains and their Jacobians come from the position stage; their sparsity is part of the model. Every row is a
//! constraint of its own, so one that nothing moves is dropped without its neighbours. Reference: `mj_instantiateEquality`.

use condyle_math::sparse::Pattern;
use condyle_model::{EqualityType, Model};

use super::{RowScratch, RowWriter};
use crate::data::{Flexes, scratch};
use crate::position::flex;

/// Rows of an edge equality.
pub(super) fn hold_edges(
    rows: &mut RowWriter,
    model: &Model,
    flexes: &Flexes,
    equality: usize,
    scratch: &mut RowScratch,
) {
    let pattern = flex::edge::pattern(model);
    for edge in stretchable_edges(model, model.eq_obj1id[equality] as usize) {
        let error = flexes.flexedge_length[edge] - model.flexedge_length0[edge];
        push_row(rows, &flexes.flexedge_J, pattern, edge, error, equality, scratch);
    }
}

/// Rows of a vertex equality.
pub(super) fn hold_strain(
    rows: &mut RowWriter,
    model: &Model,
    flexes: &Flexes,
    equality: usize,
    scratch: &mut RowScratch,
) {
    let pattern = flex::strain::pattern(model);
    for vertex in flex::vertices(model, model.eq_obj1id[equality] as usize) {
        for (part, error) in flexes.flexvert_length[vertex].into_iter().enumerate() {
            let row = 2 * vertex + part;
            push_row(rows, flexes.flexvert_J.as_flattened(), pattern, row, error, equality, scratch);
        }
    }
}

/// Edges of a flex whose ends are on different bodies.
pub(crate) fn stretchable_edges(model: &Model, flex: usize) -> impl Iterator<Item = usize> + '_ {
    flex::edges(model, flex).filter(|edge| model.flexedge_rigid[*edge] == 0)
}

/// Approximate inverse inertia of the rows that an equality on a flex offers; empty for other equalities.
///
/// Dropped rows are not left out: the weights of the rows behind them are shifted, as in the reference.
pub(in crate::constraint) fn weights(model: &Model, equality: usize) -> impl Iterator<Item = f64> + '_ {
    let kind = model.eq_type(equality);
    let flex = model.eq_obj1id[equality] as usize;
    let edges = (kind == Some(EqualityType::Flex)).then(|| stretchable_edges(model, flex));
    let vertices = (kind == Some(EqualityType::FlexVert)).then(|| flex::vertices(model, flex));
    let of_edges = edges.into_iter().flatten().map(|edge| model.flexedge_invweight0[edge]);
    let of_vertices = vertices
        .into_iter()
        .flatten()
        .flat_map(|vertex| [model.body_invweight0[flex::vertex_body(model, vertex)][0]; 2]);
    of_edges.chain(of_vertices)
}

fn push_row(
    rows: &mut RowWriter,
    values: &[f64],
    pattern: Pattern,
    row: usize,
    error: f64,
    equality: usize,
    scratch: &mut RowScratch,
) {
    let range = pattern.range(row);
    let (mut jacobian, mut columns) = (&values[range.clone()], &pattern.colind[range]);
    // Rows of several flexes may overlap in the pattern, which leaves columns of one row in another.
    let in_order = columns.is_sorted_by(|a, b| a < b);
    let RowScratch { first: dense, second: ordered, columns: used, .. } = scratch;
    if !(rows.sparse && in_order) {
        let dense = scratch::sized(dense, rows.nv);
        dense.fill(0.0);
        for (column, value) in columns.iter().zip(jacobian) {
            dense[*column as usize] = *value;
        }
        jacobian = dense;
    }
    if rows.sparse && !in_order {
        used.clear();
        used.extend_from_slice(columns);
        used.sort_unstable();
        used.dedup();
        ordered.clear();
        ordered.extend(used.iter().map(|column| jacobian[*column as usize]));
        (jacobian, columns) = (ordered, used);
    }
    rows.push_equality(equality, jacobian, columns, &[error]);
}
