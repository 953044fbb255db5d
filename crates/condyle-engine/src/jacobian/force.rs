//! Forces and torques at points, mapped to dofs: `qfrc += Jpᵀ force + Jrᵀ torque`.
//!
//! Reference: `mj_applyFT`, `mj_xfrcAccumulate`.

use condyle_math::{Vec3, dense, matrix, spatial, vec3};
use condyle_model::Model;

use super::chain;
use crate::data::{Inputs, Kinematics, SmoothScratch, scratch};

/// Add what a force and a torque, applied to a body at a world point, do to the dofs.
pub fn apply(
    model: &Model,
    kinematics: &Kinematics,
    force: Option<Vec3>,
    torque: Option<Vec3>,
    point: Vec3,
    body: usize,
    qfrc: &mut [f64],
    buffers: &mut SmoothScratch,
) {
    let nv = model.nv;
    if !super::is_sparse(model) && is_finite(force) && is_finite(torque) {
        return apply_to_chain(model, kinematics, force, torque, point, body, &mut qfrc[..nv]);
    }
    let SmoothScratch { chain, jacobian: [translation, rotation, joint_force, _], .. } = buffers;
    let chain = scratch::sized(chain, nv);
    let sparse = super::is_sparse(model);
    let width = if sparse { chain::of_body(model, body, chain) } else { nv };
    let translation = scratch::sized(translation, 3 * width);
    let rotation = scratch::sized(rotation, 3 * width);
    let wanted = (force.is_some().then_some(&mut *translation), torque.is_some().then_some(&mut *rotation));
    if sparse {
        chain::of_point(model, kinematics, wanted.0, wanted.1, point, body, &chain[..width]);
    } else {
        super::of_point(model, kinematics, wanted.0, wanted.1, point, body);
    }
    let joint_force = scratch::sized(joint_force, width);
    for (vector, matrix) in [(force, translation), (torque, rotation)] {
        let Some(vector) = vector else { continue };
        matrix::mul_transposed_vec(joint_force, matrix, &vector);
        if sparse {
            for (dof, value) in chain[..width].iter().zip(joint_force.iter()) {
                qfrc[*dof as usize] += value;
            }
        } else {
            dense::add_to(&mut qfrc[..nv], joint_force);
        }
    }
}

fn is_finite(vector: Option<Vec3>) -> bool {
    vector.is_none_or(|vector| vector.iter().all(|x| x.is_finite()))
}

/// [`apply`] without the matrices: dofs that do not move the body have zero columns, whose products with finite numbers are zero.
fn apply_to_chain(
    model: &Model,
    kinematics: &Kinematics,
    force: Option<Vec3>,
    torque: Option<Vec3>,
    point: Vec3,
    body: usize,
    qfrc: &mut [f64],
) {
    if force.is_none() && torque.is_none() {
        return;
    }
    // Adding a zero takes the sign from zeros.
    for value in qfrc.iter_mut() {
        *value += 0.0;
    }
    // Components that are zero are left out of the product.
    let project = |column: Vec3, vector: Vec3| {
        let mut sum = 0.0;
        for (x, s) in column.into_iter().zip(vector) {
            if s != 0.0 {
                sum += x * s;
            }
        }
        sum
    };
    let offset = vec3::sub(point, kinematics.subtree_com[model.body_rootid[body] as usize]);
    for dof in super::dofs_above(model, body) {
        let axis = &kinematics.cdof[dof];
        if let Some(force) = force {
            qfrc[dof] += project(super::point_column(axis, offset), force);
        }
        if let Some(torque) = torque {
            qfrc[dof] += project(spatial::rotational(axis), torque);
        }
    }
}

/// Add the forces and torques applied to the bodies at their centres of mass.
pub fn apply_external(
    model: &Model,
    inputs: &Inputs,
    kinematics: &Kinematics,
    qfrc: &mut [f64],
    buffers: &mut SmoothScratch,
) {
    // All bits but the signs are zero.
    if inputs.xfrc_applied.as_flattened().iter().fold(0, |bits, x| bits | (x.to_bits() << 1)) == 0 {
        return;
    }
    for body in 1..model.nbody {
        let wrench = &inputs.xfrc_applied[body];
        if wrench.iter().fold(0, |bits, x| bits | (x.to_bits() << 1)) != 0 {
            let force = [wrench[0], wrench[1], wrench[2]];
            let torque = [wrench[3], wrench[4], wrench[5]];
            let point = kinematics.xipos[body];
            apply(model, kinematics, Some(force), Some(torque), point, body, qfrc, buffers);
        }
    }
}
