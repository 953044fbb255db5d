//! Limits of joints and tendons: a row for every bound closer than the margin, lower bound first.
//!
//! Slides, hinges and tendons have two bounds; a ball joint has one, on the angle of its rotation. Reference:
//! `mj_instantiateLimit`.

use condyle_math::{quat, scalar, vec3};
use condyle_model::{ConstraintType, JointType, Model};

use crate::data::Tendons;

use super::equality::tendon_row;
use super::{Block, RowScratch, RowWriter, SleepFilter};

/// Add the rows of the limits that are near.
pub(in crate::constraint) fn add(
    rows: &mut RowWriter,
    model: &Model,
    qpos: &[f64],
    tendons: &Tendons,
    sleep: SleepFilter,
    scratch: &mut RowScratch,
) {
    for joint in 0..model.njnt {
        if model.jnt_limited[joint] == 0 || sleep.skips_body(model.jnt_bodyid[joint]) {
            continue;
        }
        match model.jnt_type(joint) {
            Some(JointType::Slide | JointType::Hinge) => scalar_joint(rows, model, qpos, joint, scratch),
            Some(JointType::Ball) => ball_joint(rows, model, qpos, joint, scratch),
            _ => {}
        }
    }
    for tendon in 0..model.ntendon {
        if model.tendon_limited[tendon] != 0 {
            tendon_limit(rows, model, tendons, tendon, scratch);
        }
    }
}

/// Distance to the lower (`side` −1) or upper (`side` 1) bound; negative beyond it.
#[inline(always)]
pub(crate) fn bound_distance(range: [f64; 2], value: f64, side: f64) -> f64 {
    side * (if side < 0.0 { range[0] } else { range[1] } - value)
}

fn scalar_joint(rows: &mut RowWriter, model: &Model, qpos: &[f64], joint: usize, scratch: &mut RowScratch) {
    let margin = model.jnt_margin[joint];
    let value = qpos[model.jnt_qposadr[joint] as usize];
    let dof = model.jnt_dofadr[joint];
    for side in [-1.0, 1.0] {
        let distance = bound_distance(model.jnt_range[joint], value, side);
        if distance < margin {
            let jacobian = &mut scratch.first;
            jacobian.clear();
            jacobian.resize(if rows.sparse { 1 } else { rows.nv }, 0.0);
            jacobian[if rows.sparse { 0 } else { dof as usize }] = -side;
            push(rows, ConstraintType::LimitJoint, joint, jacobian, &[dof], distance, margin);
        }
    }
}

fn ball_joint(rows: &mut RowWriter, model: &Model, qpos: &[f64], joint: usize, scratch: &mut RowScratch) {
    let margin = model.jnt_margin[joint];
    let address = model.jnt_qposadr[joint] as usize;
    let q = [qpos[address], qpos[address + 1], qpos[address + 2], qpos[address + 3]];
    let (axis, angle) = vec3::normalize(quat::to_velocity(quat::normalize(q).0, 1.0));
    let range = model.jnt_range[joint];
    let distance = scalar::max(range[0], range[1]) - angle;
    if distance < margin {
        let dof = model.jnt_dofadr[joint];
        let jacobian = &mut scratch.first;
        jacobian.clear();
        jacobian.resize(if rows.sparse { 3 } else { rows.nv }, 0.0);
        let start = if rows.sparse { 0 } else { dof as usize };
        jacobian[start..start + 3].copy_from_slice(&vec3::scale(axis, -1.0));
        let columns = [dof, dof + 1, dof + 2];
        push(rows, ConstraintType::LimitJoint, joint, jacobian, &columns, distance, margin);
    }
}

fn tendon_limit(
    rows: &mut RowWriter,
    model: &Model,
    tendons: &Tendons,
    tendon: usize,
    scratch: &mut RowScratch,
) {
    let margin = model.tendon_margin[tendon];
    for side in [-1.0, 1.0] {
        let distance = bound_distance(model.tendon_range[tendon], tendons.ten_length[tendon], side);
        if distance < margin {
            let (values, columns) = tendon_row(rows, tendons, tendon);
            let jacobian = &mut scratch.first;
            jacobian.clear();
            jacobian.extend(values.iter().map(|value| value * -side));
            let row = rows.table.nefc as i32;
            push(rows, ConstraintType::LimitTendon, tendon, jacobian, columns, distance, margin);
            if rows.table.tendon_efcadr[tendon] == -1 {
                rows.table.tendon_efcadr[tendon] = row;
            }
        }
    }
}

fn push(
    rows: &mut RowWriter,
    kind: ConstraintType,
    id: usize,
    jacobian: &[f64],
    columns: &[i32],
    distance: f64,
    margin: f64,
) {
    rows.push(&Block {
        kind,
        id,
        jacobian,
        columns,
        position: &[distance],
        margin: &[margin],
        frictionloss: 0.0,
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_is_positive_inside_and_negative_beyond_a_bound() {
        let range = [-1.0, 2.0];
        assert_eq!(bound_distance(range, 0.5, -1.0), 1.5);
        assert_eq!(bound_distance(range, 0.5, 1.0), 1.5);
        assert_eq!(bound_distance(range, -1.25, -1.0), -0.25);
        assert_eq!(bound_distance(range, 2.25, 1.0), -0.25);
    }
}
