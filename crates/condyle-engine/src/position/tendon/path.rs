//! Tendon lengths, paths and Jacobians.
//!
//! A fixed tendon is a linear combination of joint positions. A spatial tendon is a string through sites, over wrapping geoms, with
//! pulleys that divide the branches after them: `length = Σ segment / divisor`, and each straight segment between two bodies adds
//! `directionᵀ (J₂ - J₁) / divisor` to the Jacobian. Reference: `mj_tendon`.

use condyle_math::{Vec3, dense, matrix, sparse, vec3};
use condyle_model::{Model, WrapType};

use super::wrap::{WrapObject, Wrapped, wrap};
use crate::data::{Awake, Kinematics, SmoothScratch, State, Tendons, scratch};
use crate::jacobian::{self, chain};
use crate::sleep::{self, SleepState};

/// Marks a path point that is a site.
const ON_SITE: i32 = -1;
/// Marks a pulley.
const PULLEY: i32 = -2;

/// Length, path and Jacobian of every tendon.
#[inline(never)]
pub fn tendons(
    model: &Model,
    state: &State,
    awake: &Awake,
    kinematics: &Kinematics,
    out: &mut Tendons,
    buffers: &mut SmoothScratch,
) {
    if model.ntendon == 0 {
        return;
    }
    let sparse_form = jacobian::is_sparse(model);
    out.ten_length.fill(0.0);
    if sparse_form {
        out.ten_J_rownnz.fill(0);
    } else {
        out.ten_J.fill(0.0);
    }
    let filter = awake.filters(model);
    let mut points = 0;
    for tendon in 0..model.ntendon {
        if filter && sleep::tendon_state(model, awake, tendon) == SleepState::Asleep {
            continue;
        }
        out.ten_wrapadr[tendon] = points as i32;
        out.ten_wrapnum[tendon] = 0;
        if sparse_form {
            out.ten_J_rowadr[tendon] = match tendon.checked_sub(1) {
                Some(previous) => out.ten_J_rowadr[previous] + out.ten_J_rownnz[previous],
                None => 0,
            };
        }
        let first = model.tendon_adr[tendon] as usize;
        if model.wrap_type(first) == Some(WrapType::Joint) {
            fixed_tendon(model, state, tendon, sparse_form, out);
        } else {
            points = spatial_tendon(model, kinematics, tendon, points, out, buffers);
        }
    }
}

/// `length = Σ coefficient · qpos`
fn fixed_tendon(model: &Model, state: &State, tendon: usize, sparse_form: bool, out: &mut Tendons) {
    let first = model.tendon_adr[tendon] as usize;
    for element in first..first + model.tendon_num[tendon].max(0) as usize {
        let joint = model.wrap_objid[element] as usize;
        let coefficient = model.wrap_prm[element];
        out.ten_length[tendon] += coefficient * state.qpos[model.jnt_qposadr[joint] as usize];
        let dof = model.jnt_dofadr[joint];
        if sparse_form {
            add_to_sparse_row(out, tendon, &[coefficient], &[dof], 1.0);
        } else {
            out.ten_J[tendon * model.nv + dof as usize] = coefficient;
        }
    }
}

/// Add `scale · values` to the sparse row of a tendon.
fn add_to_sparse_row(out: &mut Tendons, tendon: usize, values: &[f64], columns: &[i32], scale: f64) {
    let start = out.ten_J_rowadr[tendon] as usize;
    let count = out.ten_J_rownnz[tendon] as usize;
    let (row, row_columns) = (&mut out.ten_J[start..], &mut out.ten_J_colind[start..]);
    out.ten_J_rownnz[tendon] = sparse::combine(row, row_columns, count, values, columns, 1.0, scale) as i32;
}

/// Follow the string from object to object; `points` path points are already in use. Returns the new number.
fn spatial_tendon(
    model: &Model,
    kinematics: &Kinematics,
    tendon: usize,
    mut points: usize,
    out: &mut Tendons,
    buffers: &mut SmoothScratch,
) -> usize {
    let first = model.tendon_adr[tendon] as usize;
    let count = model.tendon_num[tendon].max(0) as usize;
    let kind = |element: usize| model.wrap_type(first + element);
    let object = |element: usize| model.wrap_objid[first + element] as usize;
    let site_end = |site: usize| (kinematics.site_xpos[site], model.site_bodyid[site] as usize);

    let mut divisor = 1.0;
    let mut record = |out: &mut Tendons, position: Vec3, on: i32| {
        out.wrap_xpos.as_flattened_mut()[3 * points..3 * points + 3].copy_from_slice(&position);
        out.wrap_obj.as_flattened_mut()[points] = on;
        out.ten_wrapnum[tendon] += 1;
        points += 1;
    };
    let mut element = 0;
    while element + 1 < count {
        if kind(element) == Some(WrapType::Pulley) {
            divisor = model.wrap_prm[first + element];
            record(out, [0.0; 3], PULLEY);
            element += 1;
            continue;
        }
        if kind(element + 1) == Some(WrapType::Pulley) {
            element += 1;
            continue;
        }
        let start = site_end(object(element));
        let around = matches!(kind(element + 1), Some(WrapType::Sphere | WrapType::Cylinder));
        let next = element + if around { 2 } else { 1 };
        let last_site = object(next);
        let end = site_end(last_site);
        let wrapped =
            if around { wrap_geom(model, kinematics, first + element + 1, start.0, end.0) } else { None };
        record(out, start.0, ON_SITE);
        match wrapped {
            None => {
                out.ten_length[tendon] += vec3::distance(start.0, end.0) / divisor;
                straight_segment(model, kinematics, tendon, start, end, divisor, out, buffers);
            }
            Some(Wrapped { points: [touch, leave], length }) => {
                let geom = object(element + 1);
                let body = model.geom_bodyid[geom] as usize;
                let straight = vec3::distance(start.0, touch) + length + vec3::distance(leave, end.0);
                out.ten_length[tendon] += straight / divisor;
                let (touch, leave) = ((touch, body), (leave, body));
                straight_segment(model, kinematics, tendon, start, touch, divisor, out, buffers);
                straight_segment(model, kinematics, tendon, leave, end, divisor, out, buffers);
                record(out, touch.0, geom as i32);
                record(out, leave.0, geom as i32);
            }
        }
        element = next;
        if element + 1 == count || kind(element + 1) == Some(WrapType::Pulley) {
            record(out, kinematics.site_xpos[last_site], ON_SITE);
        }
    }
    points
}

/// The way around the wrapping geom at path element `element`, if the straight line is blocked.
fn wrap_geom(
    model: &Model,
    kinematics: &Kinematics,
    element: usize,
    start: Vec3,
    end: Vec3,
) -> Option<Wrapped> {
    let geom = model.wrap_objid[element] as usize;
    let side = model.wrap_prm[element].round();
    let side = (side >= 0.0).then(|| kinematics.site_xpos.get(side as usize).copied()).flatten();
    let around = WrapObject {
        position: kinematics.geom_xpos[geom],
        axes: kinematics.geom_xmat[geom],
        radius: model.geom_size[geom][0],
        is_sphere: model.wrap_type(element) == Some(WrapType::Sphere),
    };
    wrap(start, end, &around, side)
}

/// Add a straight segment between points of two bodies to the Jacobian.
fn straight_segment(
    model: &Model,
    kinematics: &Kinematics,
    tendon: usize,
    start: (Vec3, usize),
    end: (Vec3, usize),
    divisor: f64,
    out: &mut Tendons,
    buffers: &mut SmoothScratch,
) {
    if start.1 == end.1 {
        return;
    }
    let nv = model.nv;
    let direction = vec3::normalize(vec3::sub(end.0, start.0)).0;
    if (1.0 / divisor).is_finite() && direction.iter().all(|x| x.is_finite()) {
        return finite_segment(model, kinematics, tendon, [start, end], direction, divisor, out, buffers);
    }
    let SmoothScratch { chain, jacobian: pair, difference, dof_force, .. } = buffers;
    let chain = scratch::sized(chain, nv);
    let difference = scratch::sized(difference, 3 * nv);
    let sparse_form = jacobian::is_sparse(model);
    let width = chain::difference(
        model,
        kinematics,
        sparse_form,
        chain,
        [start.1, end.1],
        [start.0, end.0],
        Some(difference),
        None,
        pair,
    );
    if width == 0 {
        return;
    }
    let row = scratch::sized(dof_force, width);
    matrix::mul_transposed_vec(row, difference, &direction);
    if sparse_form {
        add_to_sparse_row(out, tendon, row, &chain[..width], 1.0 / divisor);
    } else {
        dense::add_scaled_to(&mut out.ten_J[tendon * nv..][..nv], row, 1.0 / divisor);
    }
}

/// [`straight_segment`] without the matrices: dofs that move neither end have zero columns, whose products with finite numbers are zero.
fn finite_segment(
    model: &Model,
    kinematics: &Kinematics,
    tendon: usize,
    ends: [(Vec3, usize); 2],
    direction: Vec3,
    divisor: f64,
    out: &mut Tendons,
    buffers: &mut SmoothScratch,
) {
    let nv = model.nv;
    let scale = 1.0 / divisor;
    if !jacobian::is_sparse(model) {
        let row = &mut out.ten_J[tendon * nv..][..nv];
        return for_each_dof(model, kinematics, ends, direction, |dof, value| row[dof] += value * scale);
    }
    let SmoothScratch { chain, dof_force, .. } = buffers;
    let (chain, values) = (scratch::sized(chain, nv), scratch::sized(dof_force, nv));
    // Dofs come in falling order.
    let mut first = nv;
    for_each_dof(model, kinematics, ends, direction, |dof, value| {
        first -= 1;
        chain[first] = dof as i32;
        values[first] = value;
    });
    if first < nv {
        add_to_sparse_row(out, tendon, &values[first..], &chain[first..], scale);
    }
}

/// How fast each dof that moves an end of a segment makes it longer, from the last dof to the first.
#[inline(always)]
fn for_each_dof(
    model: &Model,
    kinematics: &Kinematics,
    ends: [(Vec3, usize); 2],
    direction: Vec3,
    mut visit: impl FnMut(usize, f64),
) {
    let offset = |(point, body): (Vec3, usize)| {
        vec3::sub(point, kinematics.subtree_com[model.body_rootid[body] as usize])
    };
    let (offset1, offset2) = (offset(ends[0]), offset(ends[1]));
    let cdof = &kinematics.cdof[..model.nv];
    let parent = |dof: usize| model.dof_parentid(dof);
    // Components that are zero are left out of the product.
    let along = |column: Vec3| {
        let mut sum = 0.0;
        for (x, s) in column.into_iter().zip(direction) {
            if s != 0.0 {
                sum += x * s;
            }
        }
        sum
    };
    let (mut dof1, mut dof2) = (jacobian::last_dof(model, ends[0].1), jacobian::last_dof(model, ends[1].1));
    while dof1 != dof2 {
        if dof1 > dof2 {
            let Some(dof) = dof1 else { return };
            visit(dof, along(vec3::sub([0.0; 3], jacobian::point_column(&cdof[dof], offset1))));
            dof1 = parent(dof);
        } else {
            let Some(dof) = dof2 else { return };
            visit(dof, along(jacobian::point_column(&cdof[dof], offset2)));
            dof2 = parent(dof);
        }
    }
    // From here on the dofs move both ends.
    let mut common = dof1;
    while let Some(dof) = common {
        let (column1, column2) =
            (jacobian::point_column(&cdof[dof], offset1), jacobian::point_column(&cdof[dof], offset2));
        visit(dof, along(vec3::sub(column2, column1)));
        common = parent(dof);
    }
}
