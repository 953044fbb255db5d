//! Equality constraints: points that coincide, frames that coincide, and joints or tendons tied by a polynomial. Equalities on flexes are in `flex.rs`.
//!
//! | kind | rows | position error |
//! |---|---|---|
//! | connect | 3 | difference of the anchors |
//! | weld | 6 | difference of the anchors; torque scale times the vector part of `q₂* q₁ relpose` |
//! | joint, tendon | 1 | `(x₁ − ref₁) − a₀ − (a₁d + a₂d² + a₃d³ + a₄d⁴)`, `d = x₂ − ref₂` |
//!
//! Reference: `mj_instantiateEquality`.

use condyle_math::{Quat, Vec3, dense, mat3, quat, sparse, vec3};
use condyle_model::{EqualityType, Model, ObjectType};

use crate::data::{Flexes, Kinematics, Tendons};
use crate::sleep::{SleepState, equality_state};

use super::difference::{BodyPoint, PointJacobian};
use super::flex;
use super::{RowScratch, RowWriter, SleepFilter};

/// What equalities hold in place.
#[derive(Clone, Copy)]
pub(in crate::constraint) struct Poses<'a> {
    pub qpos: &'a [f64],
    pub kinematics: &'a Kinematics,
    pub flexes: &'a Flexes,
    pub tendons: &'a Tendons,
}

/// Add the rows of every active equality.
pub(in crate::constraint) fn add(
    rows: &mut RowWriter,
    model: &Model,
    active: &[u8],
    poses: &Poses,
    sleep: SleepFilter,
    scratch: &mut RowScratch,
) {
    let Poses { qpos, kinematics, flexes, tendons } = *poses;
    for equality in 0..model.neq {
        let asleep = sleep.active && equality_state(model, sleep.awake, equality) == SleepState::Asleep;
        if active[equality] == 0 || asleep {
            continue;
        }
        match model.eq_type(equality) {
            Some(EqualityType::Connect) => connect(rows, model, kinematics, equality, scratch),
            Some(EqualityType::Weld) => weld(rows, model, kinematics, equality, scratch),
            Some(EqualityType::Joint) => couple_joints(rows, model, qpos, equality, scratch),
            Some(EqualityType::Tendon) => couple_tendons(rows, model, tendons, equality, scratch),
            Some(EqualityType::Flex) => flex::hold_edges(rows, model, flexes, equality, scratch),
            Some(EqualityType::FlexVert) => flex::hold_strain(rows, model, flexes, equality, scratch),
            Some(EqualityType::Distance) | None => {}
        }
    }
}

/// The two bodies an equality holds together, through sites where it names sites.
pub(in crate::constraint) fn bodies(model: &Model, equality: usize) -> [usize; 2] {
    [model.eq_obj1id[equality], model.eq_obj2id[equality]].map(|object| {
        if is_between_bodies(model, equality) {
            object as usize
        } else {
            model.site_bodyid[object as usize] as usize
        }
    })
}

fn is_between_bodies(model: &Model, equality: usize) -> bool {
    model.eq_objtype(equality) == Some(ObjectType::Body)
}

/// World positions of the two anchors; `local` gives them in the body frames.
fn anchors(
    model: &Model,
    kinematics: &Kinematics,
    equality: usize,
    local: [Vec3; 2],
    bodies: [usize; 2],
) -> [Vec3; 2] {
    if is_between_bodies(model, equality) {
        [0, 1].map(|side| {
            let body = bodies[side];
            vec3::add(mat3::mul_vec(&kinematics.xmat[body], local[side]), kinematics.xpos[body])
        })
    } else {
        [model.eq_obj1id[equality], model.eq_obj2id[equality]].map(|site| kinematics.site_xpos[site as usize])
    }
}

/// The Jacobian of the first anchor against the second.
fn between(
    jacobian: &mut PointJacobian,
    rows: &RowWriter,
    model: &Model,
    kinematics: &Kinematics,
    bodies: [usize; 2],
    points: [Vec3; 2],
    with_rotation: bool,
) {
    let [first, second] = [0, 1].map(|side| BodyPoint { body: bodies[side], point: points[side] });
    jacobian.compute(model, kinematics, second, first, with_rotation, rows.sparse);
}

fn first_three(data: &[f64]) -> Vec3 {
    [data[0], data[1], data[2]]
}

fn connect(
    rows: &mut RowWriter,
    model: &Model,
    kinematics: &Kinematics,
    equality: usize,
    scratch: &mut RowScratch,
) {
    let data = &model.eq_data[equality];
    let bodies = bodies(model, equality);
    let local = [first_three(data), first_three(&data[3..])];
    let points = anchors(model, kinematics, equality, local, bodies);
    let error = vec3::sub(points[0], points[1]);
    let jacobian = &mut scratch.difference;
    between(jacobian, rows, model, kinematics, bodies, points, false);
    if jacobian.width == 0 {
        return;
    }
    rows.push_equality(equality, &jacobian.translation, &jacobian.columns, &error);
}

fn weld(
    rows: &mut RowWriter,
    model: &Model,
    kinematics: &Kinematics,
    equality: usize,
    scratch: &mut RowScratch,
) {
    let data = &model.eq_data[equality];
    let bodies = bodies(model, equality);
    // The data hold the anchor of the second body first.
    let local = [first_three(&data[3..]), first_three(data)];
    let points = anchors(model, kinematics, equality, local, bodies);
    let torque_scale = data[10];
    let RowScratch { difference: jacobian, first, .. } = scratch;
    between(jacobian, rows, model, kinematics, bodies, points, true);
    let width = jacobian.width;
    if width == 0 {
        return;
    }
    let (held, inverse) = weld_orientations(model, kinematics, equality, bodies);
    let turn = quat::mul(inverse, held);
    let translation = vec3::sub(points[0], points[1]);
    let rotation = vec3::scale([turn[1], turn[2], turn[3]], torque_scale);
    let error = [translation[0], translation[1], translation[2], rotation[0], rotation[1], rotation[2]];

    first.clear();
    first.extend_from_slice(&jacobian.translation);
    first.extend_from_slice(&jacobian.rotation);
    let turning = &mut first[3 * width..];
    // Half of `q₂* ω q₁ relpose`, column by column.
    for column in 0..width {
        let axis = [turning[column], turning[width + column], turning[2 * width + column]];
        let rate = quat::mul(quat::mul_axis(inverse, axis), held);
        for k in 0..3 {
            turning[k * width + column] = 0.5 * rate[1 + k];
        }
    }
    dense::scale_mut(turning, torque_scale);
    rows.push_equality(equality, first, &jacobian.columns, &error);
}

/// Orientation the first side should have, and the inverse orientation of the second side.
fn weld_orientations(
    model: &Model,
    kinematics: &Kinematics,
    equality: usize,
    bodies: [usize; 2],
) -> (Quat, Quat) {
    let orientation = bodies.map(|body| kinematics.xquat[body]);
    if is_between_bodies(model, equality) {
        let data = &model.eq_data[equality];
        let relative = [data[6], data[7], data[8], data[9]];
        (quat::mul(orientation[0], relative), quat::conjugate(orientation[1]))
    } else {
        let site =
            [model.eq_obj1id[equality], model.eq_obj2id[equality]].map(|s| model.site_quat[s as usize]);
        (quat::mul(orientation[0], site[0]), quat::conjugate(quat::mul(orientation[1], site[1])))
    }
}

/// Error of a polynomial coupling and the derivative of the polynomial.
fn coupling(data: &[f64; 11], x: f64, x_reference: f64, other: Option<(f64, f64)>) -> (f64, f64) {
    match other {
        Some((y, y_reference)) => {
            let d = y - y_reference;
            let polynomial = data[1] * d + data[2] * d * d + data[3] * d * d * d + data[4] * d * d * d * d;
            let derivative = data[1] + 2.0 * data[2] * d + 3.0 * data[3] * d * d + 4.0 * data[4] * d * d * d;
            (x - x_reference - data[0] - polynomial, derivative)
        }
        None => (x - x_reference - data[0], 0.0),
    }
}

fn couple_joints(
    rows: &mut RowWriter,
    model: &Model,
    qpos: &[f64],
    equality: usize,
    scratch: &mut RowScratch,
) {
    let joint = model.eq_obj1id[equality] as usize;
    let other = model.eq_obj2id(equality);
    let value = |joint: usize| {
        let address = model.jnt_qposadr[joint] as usize;
        (qpos[address], model.qpos0[address])
    };
    let (x, x_reference) = value(joint);
    let (error, derivative) = coupling(&model.eq_data[equality], x, x_reference, other.map(value));

    let RowScratch { first, second, columns, .. } = scratch;
    let dof = model.jnt_dofadr[joint];
    let other_dof = other.map(|joint| model.jnt_dofadr[joint]);
    unit_row(rows, first, columns, dof);
    if let Some(other_dof) = other_dof {
        if rows.sparse {
            first.resize(2, 0.0);
            columns.resize(2, 0);
            let width = sparse::combine(first, columns, 1, &[1.0], &[other_dof], 1.0, -derivative);
            columns.truncate(width);
        } else {
            unit_row(rows, second, &mut Vec::new(), other_dof);
            dense::add_scaled_to(first, second, -derivative);
        }
    }
    rows.push_equality(equality, first, columns, &[error]);
}

/// A row with a single one.
fn unit_row(rows: &RowWriter, values: &mut Vec<f64>, columns: &mut Vec<i32>, dof: i32) {
    values.clear();
    columns.clear();
    if rows.sparse {
        values.push(1.0);
        columns.push(dof);
    } else {
        values.resize(rows.nv, 0.0);
        values[dof as usize] = 1.0;
    }
}

fn couple_tendons(
    rows: &mut RowWriter,
    model: &Model,
    tendons: &Tendons,
    equality: usize,
    scratch: &mut RowScratch,
) {
    let tendon = model.eq_obj1id[equality] as usize;
    let other = model.eq_obj2id(equality);
    for tendon in [Some(tendon), other].into_iter().flatten() {
        // The number of the equality, not of its row, is what readers of this array see.
        if rows.table.tendon_efcadr[tendon] == -1 {
            rows.table.tendon_efcadr[tendon] = equality as i32;
        }
    }
    let value = |tendon: usize| (tendons.ten_length[tendon], model.tendon_length0[tendon]);
    let (x, x_reference) = value(tendon);
    let (error, derivative) = coupling(&model.eq_data[equality], x, x_reference, other.map(value));

    let RowScratch { first, columns, .. } = scratch;
    let (jacobian, dofs) = tendon_row(rows, tendons, tendon);
    first.clear();
    columns.clear();
    first.extend_from_slice(jacobian);
    columns.extend_from_slice(dofs);
    if let Some(other) = other {
        let (jacobian, dofs) = tendon_row(rows, tendons, other);
        if rows.sparse {
            let count = columns.len();
            first.resize(count + dofs.len(), 0.0);
            columns.resize(count + dofs.len(), 0);
            let width = sparse::combine(first, columns, count, jacobian, dofs, 1.0, -derivative);
            columns.truncate(width);
        } else {
            dense::add_scaled_to(first, jacobian, -derivative);
        }
    }
    rows.push_equality(equality, first, columns, &[error]);
}

/// Jacobian of a tendon length: values and, in sparse storage, their columns.
pub(super) fn tendon_row<'a>(
    rows: &RowWriter,
    tendons: &'a Tendons,
    tendon: usize,
) -> (&'a [f64], &'a [i32]) {
    if rows.sparse {
        let start = tendons.ten_J_rowadr[tendon] as usize;
        let range = start..start + tendons.ten_J_rownnz[tendon] as usize;
        (&tendons.ten_J[range.clone()], &tendons.ten_J_colind[range])
    } else {
        (&tendons.ten_J[tendon * rows.nv..][..rows.nv], &[])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartic_coupling_has_the_derivative_of_its_polynomial() {
        let mut data = [0.0; 11];
        data[..5].copy_from_slice(&[0.5, 1.0, -2.0, 0.25, 3.0]);
        let h = 1e-6;
        let (low, _) = coupling(&data, 0.0, 0.0, Some((0.3 - h, 0.1)));
        let (high, _) = coupling(&data, 0.0, 0.0, Some((0.3 + h, 0.1)));
        let (_, derivative) = coupling(&data, 0.0, 0.0, Some((0.3, 0.1)));
        assert!(((low - high) / (2.0 * h) - derivative).abs() < 1e-8);
        assert_eq!(coupling(&data, 2.0, 1.0, None), (0.5, 0.0));
    }
}
