//! Rate of change of tendon Jacobians, and the bias force it causes through tendon armature.
//!
//! `qfrc += Jᵀ · armature · (J̇ · qvel)`. Only tendons without wrapping geoms have a rate; segments around geoms are left out.
//! Reference: `mj_tendonDot`, `mj_tendonBias`.

use condyle_math::{MIN_VALUE, dense, matrix, spatial, vec3};
use condyle_model::{Model, ObjectType, WrapType};

use crate::data::{Awake, Kinematics, SmoothScratch, State, Tendons, Velocity, scratch};
use crate::jacobian;
use crate::sleep::{self, SleepState};
use crate::velocity::motion;

/// Add the bias forces of tendons with armature to `qfrc`.
pub fn add_bias(
    model: &Model,
    state: &State,
    awake: &Awake,
    kinematics: &Kinematics,
    tendons: &Tendons,
    velocity: &Velocity,
    qfrc: &mut [f64],
    buffers: &mut SmoothScratch,
) {
    let nv = model.nv;
    let filter = awake.filters(model);
    for tendon in 0..model.ntendon {
        let armature = model.tendon_armature[tendon];
        if armature == 0.0 || (filter && sleep::tendon_state(model, awake, tendon) == SleepState::Asleep) {
            continue;
        }
        let mut rate = std::mem::take(&mut buffers.dof_force);
        jacobian_rate(model, kinematics, velocity, tendon, scratch::sized(&mut rate, nv), buffers);
        let coefficient = armature * dense::dot(&rate[..nv], &state.qvel);
        buffers.dof_force = rate;
        if coefficient == 0.0 {
            continue;
        }
        if jacobian::is_sparse(model) {
            let start = tendons.ten_J_rowadr[tendon] as usize;
            let row = start..start + tendons.ten_J_rownnz[tendon] as usize;
            for (value, dof) in tendons.ten_J[row.clone()].iter().zip(&tendons.ten_J_colind[row]) {
                qfrc[*dof as usize] += coefficient * value;
            }
        } else {
            dense::add_scaled_to(&mut qfrc[..nv], &tendons.ten_J[tendon * nv..], coefficient);
        }
    }
}

/// Time derivative of the dense Jacobian of one tendon.
pub fn jacobian_rate(
    model: &Model,
    kinematics: &Kinematics,
    velocity: &Velocity,
    tendon: usize,
    rate: &mut [f64],
    buffers: &mut SmoothScratch,
) {
    rate.fill(0.0);
    let first = model.tendon_adr[tendon] as usize;
    let count = model.tendon_num[tendon].max(0) as usize;
    if model.wrap_type(first) == Some(WrapType::Joint) {
        return;
    }
    let mut divisor = 1.0;
    let is = |element: usize, kind: WrapType| model.wrap_type(first + element) == Some(kind);
    for element in 0..count.saturating_sub(1) {
        if is(element, WrapType::Pulley) {
            divisor = model.wrap_prm[first + element];
        }
        if is(element, WrapType::Site) && is(element + 1, WrapType::Site) {
            let sites = [element, element + 1].map(|k| model.wrap_objid[first + k] as usize);
            segment_rate(model, kinematics, velocity, sites, divisor, rate, buffers);
        }
    }
}

/// Add the rate of one straight segment: the Jacobians change and so does the direction.
fn segment_rate(
    model: &Model,
    kinematics: &Kinematics,
    velocity: &Velocity,
    sites: [usize; 2],
    divisor: f64,
    rate: &mut [f64],
    buffers: &mut SmoothScratch,
) {
    let nv = model.nv;
    let bodies = sites.map(|site| model.site_bodyid[site] as usize);
    if bodies[0] == bodies[1] {
        return;
    }
    let points = sites.map(|site| kinematics.site_xpos[site]);
    let speeds = sites.map(|site| {
        let own = motion::object_velocity(model, kinematics, velocity, ObjectType::Site, site, false);
        spatial::translational(&own.unwrap_or_default())
    });
    let (direction, length) = vec3::normalize(vec3::sub(points[1], points[0]));
    let relative = vec3::sub(speeds[1], speeds[0]);
    let stretch = vec3::dot(direction, relative);
    let across = vec3::add_scaled(relative, direction, -stretch);
    let turning = vec3::scale(across, if length > MIN_VALUE { 1.0 / length } else { 0.0 });

    let SmoothScratch { jacobian: [first, second, row, _], difference, .. } = buffers;
    let first = scratch::sized(first, 3 * nv);
    let second = scratch::sized(second, 3 * nv);
    let difference = scratch::sized(difference, 3 * nv);
    let row = scratch::sized(row, nv);
    for (body, point, out) in [(bodies[0], points[0], &mut *first), (bodies[1], points[1], &mut *second)] {
        jacobian::time_derivative(model, kinematics, velocity, Some(out), None, point, body);
    }
    dense::sub(difference, second, first);
    matrix::mul_transposed_vec(row, difference, &direction);
    dense::add_scaled_to(rate, row, 1.0 / divisor);
    for (body, point, out) in [(bodies[0], points[0], &mut *first), (bodies[1], points[1], &mut *second)] {
        jacobian::of_point(model, kinematics, Some(out), None, point, body);
    }
    dense::sub(difference, second, first);
    matrix::mul_transposed_vec(row, difference, &turning);
    dense::add_scaled_to(rate, row, 1.0 / divisor);
}
