//! Poses of cameras and directions of lights, in all tracking modes.
//!
//! Reference: `mj_camlight`.

use condyle_math::{Mat3, Vec3, mat3, quat, vec3};
use condyle_model::{Model, SameFrame, TrackingMode};

use super::kinematics::{place, place_point};
use crate::data::{Awake, Kinematics};
use crate::sleep::SleepState;

/// Cameras, then lights.
#[inline(never)]
pub fn cameras_and_lights(model: &Model, awake: &Awake, out: &mut Kinematics) {
    let filter = awake.filters(model);
    let asleep = |body: i32| body < 0 || awake.body_awake[body as usize] != SleepState::Awake as i32;
    for camera in 0..model.ncam {
        let (body, target) = (model.cam_bodyid[camera], model.cam_targetbodyid[camera]);
        if !(filter && asleep(body) && asleep(target)) {
            place_camera(model, camera, body as usize, target, out);
        }
    }
    for light in 0..model.nlight {
        let (body, target) = (model.light_bodyid[light], model.light_targetbodyid[light]);
        if !(filter && asleep(body) && asleep(target)) {
            place_light(model, light, body as usize, target, out);
        }
    }
}

fn place_camera(model: &Model, camera: usize, body: usize, target: i32, out: &mut Kinematics) {
    let (mut position, mut axes) =
        place(out, model.cam_pos[camera], model.cam_quat[camera], body, SameFrame::None as u8);
    match model.cam_mode(camera) {
        Some(TrackingMode::Track) => {
            axes = model.cam_mat0[camera];
            position = vec3::add(out.xpos[body], model.cam_pos0[camera]);
        }
        Some(TrackingMode::TrackCom) => {
            axes = model.cam_mat0[camera];
            position = vec3::add(out.subtree_com[body], model.cam_poscom0[camera]);
        }
        Some(mode @ (TrackingMode::TargetBody | TrackingMode::TargetBodyCom)) => {
            if let Some(point) = target_point(mode, target, out) {
                axes = look_at(position, point);
            }
        }
        Some(TrackingMode::Fixed) | None => {}
    }
    out.cam_xpos[camera] = position;
    out.cam_xmat[camera] = axes;
}

/// Camera axes at `position` looking at `point`, upright: the camera looks along its negative z axis.
fn look_at(position: Vec3, point: Vec3) -> Mat3 {
    let z = vec3::normalize(vec3::sub(position, point)).0;
    let x = vec3::normalize(vec3::cross([0.0, 0.0, 1.0], z)).0;
    let y = vec3::normalize(vec3::cross(z, x)).0;
    mat3::transpose(&[x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]])
}

fn place_light(model: &Model, light: usize, body: usize, target: i32, out: &mut Kinematics) {
    let mut position = place_point(out, model.light_pos[light], body);
    let mut direction = quat::rotate(model.light_dir[light], out.xquat[body]);
    match model.light_mode(light) {
        Some(TrackingMode::Track) => {
            direction = model.light_dir0[light];
            position = vec3::add(out.xpos[body], model.light_pos0[light]);
        }
        Some(TrackingMode::TrackCom) => {
            direction = model.light_dir0[light];
            position = vec3::add(out.subtree_com[body], model.light_poscom0[light]);
        }
        Some(mode @ (TrackingMode::TargetBody | TrackingMode::TargetBodyCom)) => {
            if let Some(point) = target_point(mode, target, out) {
                direction = vec3::sub(point, position);
            }
        }
        Some(TrackingMode::Fixed) | None => {}
    }
    out.light_xpos[light] = position;
    out.light_xdir[light] = vec3::normalize(direction).0;
}

/// The point a targeting camera or light turns to; `None` without a target.
fn target_point(mode: TrackingMode, target: i32, kinematics: &Kinematics) -> Option<Vec3> {
    let target = usize::try_from(target).ok()?;
    let body = mode == TrackingMode::TargetBody;
    Some(if body { kinematics.xpos[target] } else { kinematics.subtree_com[target] })
}
