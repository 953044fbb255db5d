//! Derivative of the bias forces with respect to velocity: recursive Newton–Euler, differentiated.
//!
//! Every quantity of a body or dof carries its derivative with respect to the dofs of its kinematic branch: one six-vector per
//! column of the body's row in the pattern `B`. Reference: `mjd_comVel_vel`, `mjd_rne_vel`.

use condyle_math::{Inertia, Spatial, dense, matrix, spatial};
use condyle_model::{JointType, Model};

use super::accumulate::derivative_pattern;
use crate::data::{Awake, BiasDerivativeScratch, Kinematics, State, Velocity, scratch};
use crate::velocity::bias::own_dofs;

type Mat6 = [f64; 36];

/// Dofs of a body.
const MOST_DOFS: usize = 6;

/// `out -= d qfrc_bias / d qvel`
pub(super) fn subtract_bias(
    model: &Model,
    state: &State,
    awake: &Awake,
    kinematics: &Kinematics,
    velocity: &Velocity,
    out: &mut [f64],
    buffers: &mut BiasDerivativeScratch,
) {
    let BiasDerivativeScratch { dof_rate, body_velocity, body_acceleration, body_force, product, row } =
        buffers;
    // That of the world, which has a column for every dof, is not used.
    let widest = model.B_rownnz.iter().skip(1).fold(0, |widest, width| *width.max(&widest)) as usize;
    let body_velocity = scratch::sized(body_velocity, model.nB);
    let body_acceleration = scratch::sized(body_acceleration, model.nB);
    let body_force = scratch::sized(body_force, model.nB);
    let product = scratch::sized(product, widest);
    let row = scratch::sized(row, widest);
    scratch::sized(dof_rate, MOST_DOFS * widest);
    // Trees sleep as a whole: rows of what sleeps are neither written nor read.
    match awake.bodies(model).list() {
        Some(bodies) => {
            for body in bodies.iter().filter(|body| **body != 0) {
                let range = branch(model, *body as usize);
                for buffer in [&mut *body_velocity, &mut *body_acceleration] {
                    buffer[range.clone()].fill([0.0; 6]);
                }
            }
        }
        None => {
            for buffer in [&mut *body_velocity, &mut *body_acceleration] {
                buffer.fill([0.0; 6]);
            }
        }
    }

    for body in awake.bodies(model).without_first().iter() {
        let (range, dofs) = (branch(model, body), own_dofs(model, body));
        let dof_rate = scratch::sized(dof_rate, dofs.len() * range.len());
        dof_rate.fill([0.0; 6]);
        velocity_derivative(model, kinematics, body, body_velocity, dof_rate);
        copy_from_parent(model, body, body_acceleration);
        for (own, dof) in dofs.enumerate() {
            spatial::add_to(
                &mut body_acceleration[range.start + ancestors(model, dof)],
                &velocity.cdof_dot[dof],
            );
            let rate = &dof_rate[own * range.len()..][..range.len()];
            let target = body_acceleration[range.clone()].as_flattened_mut();
            dense::add_scaled_to(target, rate.as_flattened(), state.qvel[dof]);
        }
        let inertia = inertia_matrix(&kinematics.cinert[body]);
        let momentum = spatial::mul_inertia(&kinematics.cinert[body], &velocity.cvel[body]);
        let mut slope = cross_force_by_velocity(&momentum);
        let mut by_momentum = [[0.0; 6]; 6];
        let by_force = cross_force_by_force(&velocity.cvel[body]);
        matrix::mul_rows_of_six(&mut by_momentum, by_force.as_chunks().0, &inertia);
        dense::add_to(&mut slope, by_momentum.as_flattened());
        let product = &mut product[..range.len()];
        multiply(product, &body_velocity[range.clone()], &slope);
        let force = &mut body_force[range.clone()];
        multiply(force, &body_acceleration[range], &inertia);
        dense::add_to(force.as_flattened_mut(), product.as_flattened());
    }
    for body in awake.bodies_below_awake(model).iter().rev() {
        add_to_parent(model, body, body_force);
    }
    let pattern = derivative_pattern(model);
    for dof in awake.dofs(model).iter() {
        let range = branch(model, model.dof_bodyid[dof] as usize);
        let row = &mut row[..range.len()];
        matrix::mul_vec(row, body_force[range].as_flattened(), &kinematics.cdof[dof]);
        dense::sub_from(&mut out[pattern.range(dof).start..][..row.len()], row);
    }
}

/// Row of a body in the pattern of its kinematic branch.
fn branch(model: &Model, body: usize) -> std::ops::Range<usize> {
    let start = model.B_rowadr[body] as usize;
    start..start + model.B_rownnz[body] as usize
}

/// Number of dofs above a dof.
fn ancestors(model: &Model, dof: usize) -> usize {
    let end = model.dof_Madr.get(dof + 1).map_or(model.nM, |address| *address as usize);
    end - (model.dof_Madr[dof] as usize + 1)
}

/// Copy the columns of the ancestors from the parent's row; they come first in both.
fn copy_from_parent(model: &Model, body: usize, rows: &mut [Spatial]) {
    let parent = model.body_parentid[body] as usize;
    let mut count = 0;
    let mut above = model.body_weldid[parent] as usize;
    while above > 0 {
        count += model.body_dofnum[above].max(0) as usize;
        above = model.body_weldid[model.body_parentid[above] as usize] as usize;
    }
    let from = model.B_rowadr[parent] as usize;
    rows.copy_within(from..from + count, model.B_rowadr[body] as usize);
}

/// Add a body's row to its parent's, at the columns both have.
fn add_to_parent(model: &Model, body: usize, rows: &mut [Spatial]) {
    let parent = model.body_parentid[body] as usize;
    if model.body_weldid[parent] == 0 {
        return;
    }
    let (own, above) = (branch(model, body), branch(model, parent));
    let mut target = above.start;
    for address in own {
        while target < above.end && model.B_colind[target] < model.B_colind[address] {
            target += 1;
        }
        if target >= above.end {
            break;
        }
        if model.B_colind[target] == model.B_colind[address] {
            let value = rows[address];
            spatial::add_to(&mut rows[target], &value);
            target += 1;
        }
    }
}

/// Derivatives of `cvel` of one body, and of `cdof_dot` of its dofs, each a row as long as that of the body.
fn velocity_derivative(
    model: &Model,
    kinematics: &Kinematics,
    body: usize,
    body_velocity: &mut [Spatial],
    dof_rate: &mut [Spatial],
) {
    copy_from_parent(model, body, body_velocity);
    let range = branch(model, body);
    let start = range.start;
    let dofs = own_dofs(model, body);
    let mut dof = dofs.start;
    while dof < dofs.end {
        let mut above = ancestors(model, dof);
        let joint = model.dof_jntid[dof] as usize;
        let count = match model.jnt_type(joint) {
            Some(JointType::Free) => {
                for k in 0..3 {
                    spatial::add_to(&mut body_velocity[start + above + k], &kinematics.cdof[dof + k]);
                }
                dof += 3;
                above += 3;
                3
            }
            Some(JointType::Ball) => 3,
            _ => 1,
        };
        for k in 0..count {
            let slope = cross_motion_by_velocity(&kinematics.cdof[dof + k]);
            let width = above + k;
            let target = &mut dof_rate[(dof + k - dofs.start) * range.len()..][..width];
            multiply(target, &body_velocity[start..start + width], &slope);
        }
        for k in 0..count {
            spatial::add_to(&mut body_velocity[start + above + k], &kinematics.cdof[dof + k]);
        }
        dof += count;
    }
}

/// `out[i] = slope · rows[i]`
fn multiply(out: &mut [Spatial], rows: &[Spatial], slope: &Mat6) {
    let mut transposed = [0.0; 36];
    matrix::transpose(&mut transposed, slope, 6, 6);
    matrix::mul_rows_of_six(out, rows, &transposed);
}

/// A 6×6 matrix from its quadrants. Kept out of its callers, where the pieces would be spread over more registers than there are.
#[inline(never)]
fn blocks(upper_left: [f64; 9], upper_right: [f64; 9], lower_left: [f64; 9], lower_right: [f64; 9]) -> Mat6 {
    let mut result = [0.0; 36];
    for row in 0..3 {
        let part = 3 * row..3 * row + 3;
        result[6 * row..][..3].copy_from_slice(&upper_left[part.clone()]);
        result[6 * row + 3..][..3].copy_from_slice(&upper_right[part.clone()]);
        result[6 * row + 18..][..3].copy_from_slice(&lower_left[part.clone()]);
        result[6 * row + 21..][..3].copy_from_slice(&lower_right[part]);
    }
    result
}

const ZERO: [f64; 9] = [0.0; 9];

/// Matrix of `v ×`.
fn skew(v: &[f64]) -> [f64; 9] {
    [0.0, -v[2], v[1], v[2], 0.0, -v[0], -v[1], v[0], 0.0]
}

/// Matrix of `× v`.
fn reversed_skew(v: &[f64]) -> [f64; 9] {
    [0.0, v[2], -v[1], -v[2], 0.0, v[0], v[1], -v[0], 0.0]
}

/// Derivative of `v × m` with respect to `v`, for motions.
fn cross_motion_by_velocity(m: &Spatial) -> Mat6 {
    blocks(reversed_skew(&m[..3]), ZERO, reversed_skew(&m[3..]), reversed_skew(&m[..3]))
}

/// Derivative of `v ×* f` with respect to `v`.
fn cross_force_by_velocity(f: &Spatial) -> Mat6 {
    blocks(reversed_skew(&f[..3]), reversed_skew(&f[3..]), reversed_skew(&f[3..]), ZERO)
}

/// Derivative of `v ×* f` with respect to `f`.
fn cross_force_by_force(v: &Spatial) -> Mat6 {
    blocks(skew(&v[..3]), skew(&v[3..]), ZERO, skew(&v[..3]))
}

/// A rigid-body inertia as a matrix.
fn inertia_matrix(i: &Inertia) -> Mat6 {
    let moments = [i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2]];
    let mass = [i[9], 0.0, 0.0, 0.0, i[9], 0.0, 0.0, 0.0, i[9]];
    blocks(moments, skew(&i[6..9]), reversed_skew(&i[6..9]), mass)
}

#[cfg(test)]
mod tests {
    use super::*;

    const V: Spatial = [0.3, -1.2, 0.7, 2.0, 0.4, -0.6];
    const F: Spatial = [1.0, 2.0, -0.5, 0.25, -3.0, 0.8];

    fn apply(m: &Mat6, v: &Spatial) -> Spatial {
        let mut out = [0.0; 6];
        matrix::mul_vec(&mut out, m, v);
        out
    }

    fn close(a: Spatial, b: Spatial) {
        for (x, y) in a.iter().zip(b) {
            assert!((x - y).abs() < 1e-12, "{a:?} {b:?}");
        }
    }

    #[test]
    fn slopes_of_bilinear_products_reproduce_them() {
        close(apply(&cross_motion_by_velocity(&F), &V), spatial::cross_motion(&V, &F));
        close(apply(&cross_force_by_velocity(&F), &V), spatial::cross_force(&V, &F));
        close(apply(&cross_force_by_force(&V), &F), spatial::cross_force(&V, &F));
        let inertia = [2.0, 3.0, 4.0, 0.1, 0.2, 0.3, 0.5, -0.4, 0.6, 7.0];
        close(apply(&inertia_matrix(&inertia), &V), spatial::mul_inertia(&inertia, &V));
    }
}
