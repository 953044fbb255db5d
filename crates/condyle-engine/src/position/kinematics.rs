//! Forward kinematics: poses of bodies, inertial frames, geoms and sites in the world frame, and joint anchors and axes.
//!
//! A body starts from its parent's pose displaced by the model's (or a mocap) pose, then its joints move it one after the other.
//! Quaternions of the state are normalised on use, and the body's quaternion once more at the end. Reference: `mj_kinematics1`,
//! `mj_kinematics2`, `mj_local2Global`.

use condyle_math::{Mat3, Quat, Vec3, mat3, quat, vec3};
use condyle_model::{JointType, Model, SameFrame};

use crate::data::{Awake, Inputs, Kinematics, State, sleep_enabled};
use crate::sleep::SleepState;

/// Poses of all bodies, anchors and axes of all joints.
///
/// A sleeping body whose pose no longer follows from the state marks its tree for waking.
pub fn bodies(model: &Model, state: &State, inputs: &Inputs, awake: &mut Awake, out: &mut Kinematics) {
    out.xpos[0] = [0.0; 3];
    out.xquat[0] = quat::IDENTITY;
    out.xmat[0] = mat3::IDENTITY;
    out.xipos[0] = [0.0; 3];
    out.ximat[0] = mat3::IDENTITY;

    let may_sleep = sleep_enabled(model);
    for body in 1..model.nbody {
        if may_sleep && awake.body_awake[body] == SleepState::Static as i32 {
            continue;
        }
        let (position, orientation) = body_pose(model, state, inputs, body, out);
        let orientation = quat::normalize(orientation).0;

        if may_sleep && model.body_jntnum[body] > 0 && awake.body_awake[body] == SleepState::Asleep as i32 {
            if position == out.xpos[body] && orientation == out.xquat[body] {
                continue;
            }
            awake.tree_awake[model.body_treeid[body] as usize] = 1;
        }

        out.xpos[body] = position;
        out.xquat[body] = orientation;
        out.xmat[body] = quat::to_mat(&orientation);
    }
}

/// Pose of one body before the last normalisation; writes the anchors and axes of its joints.
fn body_pose(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    body: usize,
    out: &mut Kinematics,
) -> (Vec3, Quat) {
    let joint_count = model.body_jntnum[body];
    if joint_count == 0 {
        return rest_pose(model, inputs, body, out);
    }
    let first = model.body_jntadr[body] as usize;
    if joint_count == 1 && model.jnt_type[first] == JointType::Free as i32 {
        let address = model.jnt_qposadr[first] as usize;
        let position = vec3_at(&state.qpos, address);
        out.xanchor[first] = position;
        out.xaxis[first] = model.jnt_axis[first];
        return (position, quat::normalize(quat_at(&state.qpos, address + 3)).0);
    }

    let (mut position, mut orientation) = rest_pose(model, inputs, body, out);
    for joint in first..first + joint_count as usize {
        let axis = quat::rotate(model.jnt_axis[joint], orientation);
        let anchor = vec3::add(quat::rotate(model.jnt_pos[joint], orientation), position);
        let address = model.jnt_qposadr[joint] as usize;
        let turn = match JointType::from_i32(model.jnt_type[joint]) {
            Some(JointType::Slide) => {
                position = vec3::add_scaled(position, axis, state.qpos[address] - model.qpos0[address]);
                None
            }
            Some(JointType::Ball) => Some(quat::normalize(quat_at(&state.qpos, address)).0),
            Some(JointType::Hinge) => {
                let angle = state.qpos[address] - model.qpos0[address];
                Some(quat::from_axis_angle(model.jnt_axis[joint], angle))
            }
            Some(JointType::Free) | None => None,
        };
        if let Some(turn) = turn {
            orientation = quat::mul(orientation, turn);
            // The anchor stays where it is: move the body origin around it.
            position = vec3::sub(anchor, quat::rotate(model.jnt_pos[joint], orientation));
        }
        out.xanchor[joint] = anchor;
        out.xaxis[joint] = axis;
    }
    (position, orientation)
}

/// Pose of a body with its joints at their reference: the model's or the mocap pose, placed by the parent.
fn rest_pose(model: &Model, inputs: &Inputs, body: usize, kinematics: &Kinematics) -> (Vec3, Quat) {
    let (position, orientation) = match usize::try_from(model.body_mocapid[body]) {
        Ok(mocap) => (inputs.mocap_pos[mocap], quat::normalize(inputs.mocap_quat[mocap]).0),
        Err(_) => (model.body_pos[body], model.body_quat[body]),
    };
    let parent = model.body_parentid[body] as usize;
    if parent == 0 {
        return (position, orientation);
    }
    (
        vec3::add(mat3::mul_vec(&kinematics.xmat[parent], position), kinematics.xpos[parent]),
        quat::mul(kinematics.xquat[parent], orientation),
    )
}

/// Poses of the things fixed to bodies: inertial frames, geoms and sites.
pub fn attached_frames(model: &Model, awake: &Awake, out: &mut Kinematics) {
    for body in awake.bodies(model).without_first().iter() {
        let same = model.body_sameframe[body];
        let (position, axes) = place(out, model.body_ipos[body], model.body_iquat[body], body, same);
        out.xipos[body] = position;
        out.ximat[body] = axes;
    }

    let filter = awake.filters(model);
    let skip = |body: usize| filter && awake.body_awake[body] != SleepState::Awake as i32;
    for body in awake.bodies(model).iter() {
        if skip(body) || model.body_geomnum[body] == 0 {
            continue;
        }
        let first = model.body_geomadr[body] as usize;
        for geom in first..first + model.body_geomnum[body] as usize {
            let same = model.geom_sameframe[geom];
            let (position, axes) = place(out, model.geom_pos[geom], model.geom_quat[geom], body, same);
            out.geom_xpos[geom] = position;
            out.geom_xmat[geom] = axes;
        }
    }

    for site in 0..model.nsite {
        let body = model.site_bodyid[site] as usize;
        if skip(body) {
            continue;
        }
        let same = model.site_sameframe[site];
        let (position, axes) = place(out, model.site_pos[site], model.site_quat[site], body, same);
        out.site_xpos[site] = position;
        out.site_xmat[site] = axes;
    }
}

/// World pose of a frame given in a body. Frames known to coincide with the body or its inertial frame are copied, not computed.
#[inline]
pub fn place(
    kinematics: &Kinematics,
    position: Vec3,
    orientation: Quat,
    body: usize,
    same: u8,
) -> (Vec3, Mat3) {
    let same = SameFrame::from_i32(i32::from(same)).unwrap_or(SameFrame::None);
    let world_position = match same {
        SameFrame::None | SameFrame::BodyRotation | SameFrame::InertiaRotation => {
            place_point(kinematics, position, body)
        }
        SameFrame::Body => kinematics.xpos[body],
        SameFrame::Inertia => kinematics.xipos[body],
    };
    let world_axes = match same {
        SameFrame::None => quat::to_mat(&quat::mul(kinematics.xquat[body], orientation)),
        SameFrame::Body | SameFrame::BodyRotation => kinematics.xmat[body],
        SameFrame::Inertia | SameFrame::InertiaRotation => kinematics.ximat[body],
    };
    (world_position, world_axes)
}

/// World position of a point given in a body.
#[inline]
pub fn place_point(kinematics: &Kinematics, position: Vec3, body: usize) -> Vec3 {
    vec3::add(mat3::mul_vec(&kinematics.xmat[body], position), kinematics.xpos[body])
}

/// Three consecutive numbers of a flat vector.
#[inline(always)]
pub(crate) fn vec3_at(values: &[f64], address: usize) -> Vec3 {
    [values[address], values[address + 1], values[address + 2]]
}

/// Four consecutive numbers of a flat vector.
#[inline(always)]
pub(crate) fn quat_at(values: &[f64], address: usize) -> Quat {
    [values[address], values[address + 1], values[address + 2], values[address + 3]]
}
