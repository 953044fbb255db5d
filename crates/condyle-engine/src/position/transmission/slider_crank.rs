//! Slider-crank: a rod of fixed length from the crank site to a slider that moves along the z axis of the slider site.
//!
//! With `v` from slider site to crank site, `a` the slider axis and `r` the rod, `length = a·v - sqrt((a·v)² + r² - v·v)`; when the rod
//! does not reach, `length = a·v`.

use condyle_math::{dense, mat3, vec3};
use condyle_model::Model;

use super::store_dense;
use crate::data::{Kinematics, SmoothScratch, Transmission, scratch};
use crate::jacobian;

/// Length and moment of a slider-crank actuator.
pub(super) fn slider_crank(
    model: &Model,
    kinematics: &Kinematics,
    actuator: usize,
    out: &mut Transmission,
    buffers: &mut SmoothScratch,
) {
    let nv = model.nv;
    let [crank, slider] = model.actuator_trnid[actuator].map(|site| site as usize);
    let gear = model.actuator_gear[actuator][0];
    let rod = model.actuator_cranklength[actuator];
    let axis = mat3::column(&kinematics.site_xmat[slider], 2);
    let arm = vec3::sub(kinematics.site_xpos[crank], kinematics.site_xpos[slider]);
    let along = vec3::dot(arm, axis);
    let determinant = along * along + rod * rod - vec3::dot(arm, arm);
    let (length, by_axis, by_arm) = if determinant <= 0.0 {
        (along, arm, axis)
    } else {
        let root = determinant.sqrt();
        let by_arm = vec3::add(vec3::scale(axis, 1.0 - along / root), vec3::scale(arm, 1.0 / root));
        (along - root, vec3::scale(arm, 1.0 - along / root), by_arm)
    };
    out.actuator_length[actuator] = length * gear;

    let SmoothScratch {
        jacobian: [arm_jacobian, slider_jacobian, axis_jacobian, rotation], dof_force, ..
    } = buffers;
    let arm_jacobian = scratch::sized(arm_jacobian, 3 * nv);
    let slider_jacobian = scratch::sized(slider_jacobian, 3 * nv);
    let axis_jacobian = scratch::sized(axis_jacobian, 3 * nv);
    let rotation = scratch::sized(rotation, 3 * nv);
    jacobian::of_point_and_axis(
        model,
        kinematics,
        Some(slider_jacobian),
        axis_jacobian,
        rotation,
        kinematics.site_xpos[slider],
        axis,
        model.site_bodyid[slider] as usize,
    );
    jacobian::of_site(model, kinematics, Some(arm_jacobian), None, crank);
    dense::sub_from(arm_jacobian, slider_jacobian);
    let row = scratch::sized(dof_force, nv);
    for (dof, moment) in row.iter_mut().enumerate() {
        let mut sum = 0.0;
        for k in 0..3 {
            sum += by_axis[k] * axis_jacobian[k * nv + dof] + by_arm[k] * arm_jacobian[k * nv + dof];
        }
        *moment = sum * gear;
    }
    store_dense(out, actuator, row);
}
