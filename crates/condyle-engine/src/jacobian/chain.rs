//! Jacobians restricted to the dofs that matter: chains of dofs, and Jacobians with one column per chain entry.
//!
//! A chain is an ascending list of dofs. A matrix over a chain of length `n` is `3 × n`, row-major. Reference: `mj_mergeChain`,
//! `mj_bodyChain`, `mj_jacSparse`, `mj_jacSparseSimple`, `mj_jacDifPair`, `mj_jacSum`.

use condyle_math::{Vec3, dense, sparse, spatial, vec3};
use condyle_model::Model;

use super::{dofs_above, last_dof, point_column, set_column};
use crate::data::Kinematics;

/// The dofs that move a body, ascending. Returns their number; `chain` holds up to `nv`.
pub fn of_body(model: &Model, body: usize, chain: &mut [i32]) -> usize {
    if model.body_simple[body] != 0 {
        return own_dofs(model, body, chain);
    }
    let mut count = 0;
    for dof in dofs_above(model, body) {
        chain[count] = dof as i32;
        count += 1;
    }
    chain[..count].reverse();
    count
}

/// The dofs of a body's own joints.
fn own_dofs(model: &Model, body: usize, chain: &mut [i32]) -> usize {
    let count = model.body_dofnum[body].max(0) as usize;
    for (entry, dof) in chain[..count].iter_mut().zip(model.body_dofadr[body]..) {
        *entry = dof;
    }
    count
}

/// The dofs that move either of two bodies, ascending. Returns their number.
pub fn of_pair(model: &Model, body1: usize, body2: usize, chain: &mut [i32]) -> usize {
    let parent = |dof: usize| model.dof_parentid(dof);
    let (mut dof1, mut dof2) = (last_dof(model, body1), last_dof(model, body2));
    let mut count = 0;
    while let Some(next) = dof1.max(dof2) {
        chain[count] = next as i32;
        count += 1;
        if dof1 == Some(next) {
            dof1 = parent(next);
        }
        if dof2 == Some(next) {
            dof2 = parent(next);
        }
    }
    chain[..count].reverse();
    count
}

/// [`of_pair`] for two simple bodies, whose dofs are all their own.
pub fn of_simple_pair(model: &Model, body1: usize, body2: usize, chain: &mut [i32]) -> usize {
    let (low, high) = (body1.min(body2), body1.max(body2));
    let first = own_dofs(model, low, chain);
    first + own_dofs(model, high, &mut chain[first..])
}

fn both_simple(model: &Model, bodies: [usize; 2]) -> bool {
    bodies.iter().all(|body| model.body_simple[*body] != 0)
}

/// The dofs of the chain over which [`difference`] of two bodies is formed. Returns their number.
pub fn of_either(model: &Model, bodies: [usize; 2], chain: &mut [i32]) -> usize {
    let [body1, body2] = bodies;
    if both_simple(model, bodies) {
        of_simple_pair(model, body1, body2, chain)
    } else {
        of_pair(model, body1, body2, chain)
    }
}

/// Jacobians of a world point moving with a body, over a chain that holds all dofs of the body.
pub fn of_point(
    model: &Model,
    kinematics: &Kinematics,
    mut translation: Option<&mut [f64]>,
    mut rotation: Option<&mut [f64]>,
    point: Vec3,
    body: usize,
    chain: &[i32],
) {
    let width = chain.len();
    for matrix in [translation.as_deref_mut(), rotation.as_deref_mut()].into_iter().flatten() {
        matrix[..3 * width].fill(0.0);
    }
    let offset = vec3::sub(point, kinematics.subtree_com[model.body_rootid[body] as usize]);
    let mut position = width;
    for dof in dofs_above(model, body) {
        while position > 0 && chain[position - 1] as usize > dof {
            position -= 1;
        }
        let Some(column) = position.checked_sub(1).filter(|k| chain[*k] as usize == dof) else { return };
        let axis = &kinematics.cdof[dof];
        if let Some(matrix) = &mut rotation {
            set_column(matrix, width, column, spatial::rotational(axis));
        }
        if let Some(matrix) = &mut translation {
            set_column(matrix, width, column, point_column(axis, offset));
        }
    }
}

/// Jacobians of a point on a simple body, written into the columns from `start` on of matrices `width` wide, with a sign.
fn of_simple_point(
    model: &Model,
    kinematics: &Kinematics,
    translation: &mut Option<&mut [f64]>,
    rotation: &mut Option<&mut [f64]>,
    point: Vec3,
    body: usize,
    negate: bool,
    width: usize,
    start: usize,
) {
    let offset = vec3::sub(point, kinematics.subtree_com[model.body_rootid[body] as usize]);
    let signed = |v: Vec3| if negate { v.map(|x| -x) } else { v };
    for k in 0..model.body_dofnum[body].max(0) as usize {
        let axis = &kinematics.cdof[model.body_dofadr[body] as usize + k];
        if let Some(matrix) = rotation {
            set_column(matrix, width, start + k, signed(spatial::rotational(axis)));
        }
        if let Some(matrix) = translation {
            set_column(matrix, width, start + k, signed(point_column(axis, offset)));
        }
    }
}

/// Working memory for differences and sums: two translational and two rotational Jacobians of `3 nv` numbers each.
pub type Buffers = [Vec<f64>; 4];

/// Jacobians of `point2 - point1`, points on two bodies.
///
/// With `sparse` the matrices are over the merged chain, which is written to `chain`; otherwise they are `3 × nv`. Returns the
/// width, 0 when nothing moves.
pub fn difference(
    model: &Model,
    kinematics: &Kinematics,
    sparse: bool,
    chain: &mut [i32],
    bodies: [usize; 2],
    points: [Vec3; 2],
    mut translation: Option<&mut [f64]>,
    mut rotation: Option<&mut [f64]>,
    buffers: &mut Buffers,
) -> usize {
    let nv = model.nv;
    let [body1, body2] = bodies;
    let simple = both_simple(model, bodies);
    let width = if sparse { of_either(model, bodies, chain) } else { nv };
    if width == 0 {
        return 0;
    }
    if sparse && simple {
        let count = |body: usize| model.body_dofnum[body].max(0) as usize;
        let start1 = if body1 < body2 { 0 } else { count(body2) };
        let start2 = if body2 < body1 { 0 } else { count(body1) };
        of_simple_point(
            model,
            kinematics,
            &mut translation,
            &mut rotation,
            points[0],
            body1,
            true,
            width,
            start1,
        );
        of_simple_point(
            model,
            kinematics,
            &mut translation,
            &mut rotation,
            points[1],
            body2,
            false,
            width,
            start2,
        );
        return width;
    }
    let length = 3 * width;
    for buffer in buffers.iter_mut() {
        crate::data::scratch::sized(buffer, 3 * nv);
    }
    let [translation1, translation2, rotation1, rotation2] = buffers;
    let want_translation = translation.is_some();
    let want_rotation = rotation.is_some();
    for (point, body, t, r) in
        [(points[0], body1, translation1, rotation1), (points[1], body2, translation2, rotation2)]
    {
        let t = want_translation.then_some(&mut t[..]);
        let r = want_rotation.then_some(&mut r[..]);
        if sparse {
            of_point(model, kinematics, t, r, point, body, &chain[..width]);
        } else {
            super::of_point(model, kinematics, t, r, point, body);
        }
    }
    if let Some(matrix) = translation {
        dense::sub(&mut matrix[..length], &buffers[1], &buffers[0]);
    }
    if let Some(matrix) = rotation {
        dense::sub(&mut matrix[..length], &buffers[3], &buffers[2]);
    }
    width
}

/// `direction · column`, as the transpose of a matrix times a vector has it: zeros of the direction are skipped.
#[inline(always)]
pub(crate) fn along(direction: Vec3, column: Vec3) -> f64 {
    if (direction[0] != 0.0) & (direction[1] != 0.0) & (direction[2] != 0.0) {
        return 0.0 + column[0] * direction[0] + column[1] * direction[1] + column[2] * direction[2];
    }
    let mut sum = 0.0;
    for (s, x) in direction.into_iter().zip(column) {
        if s != 0.0 {
            sum += x * s;
        }
    }
    sum
}

/// The row `directionᵀ` times [`difference`] of the translations in sparse form, if both bodies are simple and not the same: the matrix
/// in between is not needed then. Returns the width; the row gets its values if it is as long.
pub fn simple_difference_along(
    model: &Model,
    kinematics: &Kinematics,
    bodies: [usize; 2],
    points: [Vec3; 2],
    direction: Vec3,
    row: &mut [f64],
) -> Option<usize> {
    if bodies[0] == bodies[1] || !both_simple(model, bodies) {
        return None;
    }
    let counts = bodies.map(|body| model.body_dofnum[body].max(0) as usize);
    let width = counts[0] + counts[1];
    let Some(row) = row.get_mut(..width) else { return Some(width) };
    let (low, high) = if bodies[0] < bodies[1] { (0, 1) } else { (1, 0) };
    let (first, second) = row.split_at_mut(counts[low]);
    for (side, part) in [(low, first), (high, second)] {
        let body = bodies[side];
        let offset = vec3::sub(points[side], kinematics.subtree_com[model.body_rootid[body] as usize]);
        let dofs = &kinematics.cdof[model.body_dofadr[body].max(0) as usize..][..part.len()];
        for (value, axis) in part.iter_mut().zip(dofs) {
            let column = point_column(axis, offset);
            *value = along(direction, if side == 0 { column.map(|x| -x) } else { column });
        }
    }
    Some(width)
}

/// Weighted sum of the Jacobians of one world point moving with several bodies: `result` holds three rows (translation) or, with
/// `with_rotation`, six, each `width` wide and without gaps when sparse; in the dense form rows are `nv` wide.
///
/// In sparse form `chain` receives the union of the chains. `buffers[0]` and the chain buffer are working memory. Returns the width.
pub fn sum(
    model: &Model,
    kinematics: &Kinematics,
    sparse_form: bool,
    chain: &mut [i32],
    bodies: &[i32],
    weights: &[f64],
    point: Vec3,
    result: &mut [f64],
    with_rotation: bool,
    buffers: &mut Buffers,
    chain_buffer: &mut Vec<i32>,
) -> usize {
    let nv = model.nv;
    let rows = if with_rotation { 6 } else { 3 };
    let mut width = if sparse_form { 0 } else { nv };
    crate::data::scratch::sized(&mut buffers[0], rows * nv);
    crate::data::scratch::sized(chain_buffer, nv);
    for (index, (&body, &weight)) in bodies.iter().zip(weights).enumerate() {
        let body = body as usize;
        let single = &mut buffers[0];
        if !sparse_form {
            let target = if index == 0 { &mut result[..rows * nv] } else { &mut single[..rows * nv] };
            let (t, r) = target.split_at_mut(3 * nv);
            super::of_point(model, kinematics, Some(t), with_rotation.then_some(r), point, body);
            if index == 0 {
                dense::scale_mut(target, weight);
            } else {
                dense::add_scaled_to(&mut result[..rows * nv], single, weight);
            }
            continue;
        }
        let count = of_body(model, body, chain_buffer);
        if count == 0 {
            continue;
        }
        let own = &mut single[..rows * count];
        {
            let (t, r) = own.split_at_mut(3 * count);
            let (mut t, mut r) = (Some(t), with_rotation.then_some(r));
            if model.body_simple[body] != 0 {
                of_simple_point(model, kinematics, &mut t, &mut r, point, body, false, count, 0);
            } else {
                of_point(model, kinematics, t, r, point, body, &chain_buffer[..count]);
            }
        }
        if index == 0 {
            chain[..count].copy_from_slice(&chain_buffer[..count]);
            dense::scale(&mut result[..rows * count], own, weight);
            width = count;
        } else {
            width = sparse::combine_rows(result, chain, width, own, &chain_buffer[..count], rows, weight);
        }
    }
    width
}
