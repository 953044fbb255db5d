//! Forward kinematics: poses of bodies, inertial frames, geoms and sites in the world frame, and joint anchors and axes.
//!
//! A body starts from its parent's pose displaced by the model's (or a mocap) pose, then its joints move it one after the other.
//! Quaternions of the state are normalised on use, and the body's quaternion once more at the end. Reference: `mj_kinematics1`,
//! `mj_kinematics2`, `mj_local2Global`.

use condyle_math::{Mat3, Quat, Vec3, mat3, quat, vec3};
use condyle_model::{JointType, Model, SameFrame};

use crate::data::{Awake, Inputs, Kinematics, State, sleep_enabled};
use crate::sleep::SleepState;

use super::read_frames::ReadFrames;
use super::sleeping_poses::SleepingPoses;
use super::world_frames::WorldFrames;

/// Poses of all bodies, anchors and axes of all joints.
///
/// A sleeping body whose pose no longer follows from the state marks its tree for waking.
pub fn bodies(model: &Model, state: &State, inputs: &Inputs, awake: &mut Awake, out: &mut Kinematics) {
    bodies_kept(model, state, inputs, awake, out, &mut SleepingPoses::default());
}

/// [`bodies`] with what sleeping bodies were placed from kept from step to step.
#[inline(never)]
pub fn bodies_kept(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    awake: &mut Awake,
    out: &mut Kinematics,
    kept: &mut SleepingPoses,
) {
    out.xpos[0] = [0.0; 3];
    out.xquat[0] = quat::IDENTITY;
    out.xmat[0] = mat3::IDENTITY;
    out.xipos[0] = [0.0; 3];
    out.ximat[0] = mat3::IDENTITY;

    if sleep_enabled(model) {
        let known = kept.hold(model, state, awake, out);
        let mut moved = false;
        for body in 1..model.nbody {
            let own = awake.body_awake[body];
            if own == SleepState::Static as i32 || (known && own == SleepState::Asleep as i32) {
                continue;
            }
            let (position, orientation) = body_pose(model, state, inputs, body, out);
            let orientation = quat::normalize(orientation).0;
            if model.body_jntnum[body] > 0 && own == SleepState::Asleep as i32 {
                if position == out.xpos[body] && orientation == out.xquat[body] {
                    continue;
                }
                awake.tree_awake[model.body_treeid[body] as usize] = 1;
                moved = true;
            }
            store_pose(out, body, position, orientation);
        }
        if !known {
            kept.keep(model, state, awake, out, moved);
        }
        return;
    }
    for body in 1..model.nbody {
        let (position, orientation) = body_pose(model, state, inputs, body, out);
        store_pose(out, body, position, quat::normalize(orientation).0);
    }
}

#[inline(always)]
fn store_pose(out: &mut Kinematics, body: usize, position: Vec3, orientation: Quat) {
    out.xpos[body] = position;
    out.xquat[body] = orientation;
    out.xmat[body] = quat::to_mat(&orientation);
}

/// Pose of one body before the last normalisation; writes the anchors and axes of its joints.
#[inline(always)]
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
    if joint_count == 1 && model.jnt_type(first) == Some(JointType::Free) {
        let address = model.jnt_qposadr[first] as usize;
        let position = vec3_at(&state.qpos, address);
        out.xanchor[first] = position;
        out.xaxis[first] = model.jnt_axis[first];
        return (position, quat::normalize(quat_at(&state.qpos, address + 3)).0);
    }

    let (mut position, mut orientation) = rest_pose(model, inputs, body, out);
    // Slices of one length: a single check of the index serves them all.
    let joints = first..first + joint_count as usize;
    let locals = model.jnt_axis[joints.clone()].iter().zip(&model.jnt_pos[joints.clone()]);
    let kinds = model.jnt_type[joints.clone()].iter().zip(&model.jnt_qposadr[joints.clone()]);
    let places = out.xanchor[joints.clone()].iter_mut().zip(&mut out.xaxis[joints]);
    for (((local_axis, local_anchor), (kind, address)), (xanchor, xaxis)) in locals.zip(kinds).zip(places) {
        let at_origin = local_anchor.map(f64::to_bits) == [0; 3];
        let turned = |orientation| {
            if at_origin { turned_origin(orientation) } else { quat::rotate(*local_anchor, orientation) }
        };
        let axis = quat::rotate(*local_axis, orientation);
        let anchor = vec3::add(turned(orientation), position);
        let address = *address as usize;
        *xanchor = anchor;
        *xaxis = axis;
        let turn = match JointType::from_i32(*kind) {
            Some(JointType::Slide) => {
                position = vec3::add_scaled(position, axis, state.qpos[address] - model.qpos0[address]);
                continue;
            }
            Some(JointType::Ball) => quat::normalize(quat_at(&state.qpos, address)).0,
            Some(JointType::Hinge) => {
                let angle = state.qpos[address] - model.qpos0[address];
                quat::from_axis_angle(*local_axis, angle)
            }
            Some(JointType::Free) | None => continue,
        };
        orientation = quat::mul(orientation, turn);
        // The anchor stays where it is: move the body origin around it.
        position = vec3::sub(anchor, turned(orientation));
    }
    (position, orientation)
}

/// The origin rotated: positive zeros, or what is not a number if the orientation has something that is not finite.
#[inline(always)]
fn turned_origin(orientation: Quat) -> Vec3 {
    let [w, x, y, z] = orientation;
    [0.0 + 0.0 * ((w + x) + (y + z)); 3]
}

/// Pose of a body with its joints at their reference: the model's or the mocap pose, placed by the parent.
#[inline(always)]
fn rest_pose(model: &Model, inputs: &Inputs, body: usize, kinematics: &Kinematics) -> (Vec3, Quat) {
    let (position, orientation) = match model.body_mocapid(body) {
        Some(mocap) => (inputs.mocap_pos[mocap], quat::normalize(inputs.mocap_quat[mocap]).0),
        None => (model.body_pos[body], model.body_quat[body]),
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
    frames_from(model, awake, [0, 0], out);
}

/// [`attached_frames`] with the poses of what is fixed to the world kept from step to step.
pub fn attached_frames_kept(model: &Model, awake: &Awake, out: &mut Kinematics, kept: &mut WorldFrames) {
    if awake.filters(model) {
        return frames_from(model, awake, [0, 0], out);
    }
    let known = kept.copy_to(model, out);
    frames_from(model, awake, known, out);
    if known == [0, 0] {
        kept.keep(model, out);
    }
}

/// Of the poses of [`attached_frames`] those that a step reads.
#[inline(never)]
pub fn attached_frames_read(model: &Model, awake: &Awake, out: &mut Kinematics, read: &mut ReadFrames) {
    let placed = read.place_world(model);
    inertial_frames(model, awake, out);
    let Kinematics { xpos, xquat, xmat, xipos, ximat, geom_xpos, geom_xmat, site_xpos, site_xmat, .. } = out;
    let frames = BodyFrames { xpos, xquat, xmat, xipos, ximat };
    for (geom, body) in model.geom_bodyid.iter().enumerate().skip(placed) {
        let (pos, body, same) = (model.geom_pos[geom], *body as usize, model.geom_sameframe[geom]);
        if read.reads_axes(geom) {
            (geom_xpos[geom], geom_xmat[geom]) = frames.place(pos, model.geom_quat[geom], body, same);
        } else {
            geom_xpos[geom] = frames.position(pos, body, same_frame(same));
        }
    }
    for site in read.sites().iter().map(|site| *site as usize) {
        let (pos, quat) = (model.site_pos[site], model.site_quat[site]);
        let (body, same) = (model.site_bodyid[site] as usize, model.site_sameframe[site]);
        (site_xpos[site], site_xmat[site]) = frames.place(pos, quat, body, same);
    }
}

#[inline(always)]
fn inertial_frames(model: &Model, awake: &Awake, out: &mut Kinematics) {
    let n = model.nbody;
    let (ipos, iquat, sameframe) =
        (&model.body_ipos[..n], &model.body_iquat[..n], &model.body_sameframe[..n]);
    let (xipos, ximat) = (&mut out.xipos[..n], &mut out.ximat[..n]);
    let (xpos, xquat, xmat) = (&out.xpos[..n], &out.xquat[..n], &out.xmat[..n]);
    for body in awake.bodies(model).without_first().iter() {
        let frames = BodyFrames { xpos, xquat, xmat, xipos, ximat };
        (xipos[body], ximat[body]) = frames.place(ipos[body], iquat[body], body, sameframe[body]);
    }
}

/// Poses of inertial frames, and of geoms and sites from given ones on.
#[inline(never)]
fn frames_from(model: &Model, awake: &Awake, [geom, site]: [usize; 2], out: &mut Kinematics) {
    inertial_frames(model, awake, out);
    let filter = awake.filters(model);
    let skip = |body: i32| filter && awake.body_awake[body as usize] != SleepState::Awake as i32;
    let Kinematics { xpos, xquat, xmat, xipos, ximat, geom_xpos, geom_xmat, site_xpos, site_xmat, .. } = out;
    let frames = BodyFrames { xpos, xquat, xmat, xipos, ximat };
    let geoms =
        geom_xpos[geom..].iter_mut().zip(geom_xmat[geom..].iter_mut()).zip(&model.geom_bodyid[geom..]);
    let local =
        model.geom_pos[geom..].iter().zip(&model.geom_quat[geom..]).zip(&model.geom_sameframe[geom..]);
    for (((position, axes), body), ((pos, quat), same)) in geoms.zip(local) {
        if !skip(*body) {
            (*position, *axes) = frames.place(*pos, *quat, *body as usize, *same);
        }
    }
    let sites =
        site_xpos[site..].iter_mut().zip(site_xmat[site..].iter_mut()).zip(&model.site_bodyid[site..]);
    let local =
        model.site_pos[site..].iter().zip(&model.site_quat[site..]).zip(&model.site_sameframe[site..]);
    for (((position, axes), body), ((pos, quat), same)) in sites.zip(local) {
        if !skip(*body) {
            (*position, *axes) = frames.place(*pos, *quat, *body as usize, *same);
        }
    }
}

/// Poses of the bodies and of their inertial frames.
#[derive(Clone, Copy)]
struct BodyFrames<'a> {
    xpos: &'a [Vec3],
    xquat: &'a [Quat],
    xmat: &'a [Mat3],
    xipos: &'a [Vec3],
    ximat: &'a [Mat3],
}

#[inline(always)]
fn same_frame(number: u8) -> SameFrame {
    SameFrame::from_i32(i32::from(number)).unwrap_or(SameFrame::None)
}

impl BodyFrames<'_> {
    #[inline(always)]
    fn position(self, position: Vec3, body: usize, same: SameFrame) -> Vec3 {
        match same {
            SameFrame::None | SameFrame::BodyRotation | SameFrame::InertiaRotation => {
                vec3::add(mat3::mul_vec(&self.xmat[body], position), self.xpos[body])
            }
            SameFrame::Body => self.xpos[body],
            SameFrame::Inertia => self.xipos[body],
        }
    }

    /// See [`place`].
    #[inline(always)]
    fn place(self, position: Vec3, orientation: Quat, body: usize, same: u8) -> (Vec3, Mat3) {
        let same = same_frame(same);
        let world_position = self.position(position, body, same);
        let world_axes = match same {
            SameFrame::None => quat::to_mat(&quat::mul(self.xquat[body], orientation)),
            SameFrame::Body | SameFrame::BodyRotation => self.xmat[body],
            SameFrame::Inertia | SameFrame::InertiaRotation => self.ximat[body],
        };
        (world_position, world_axes)
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
    let Kinematics { xpos, xquat, xmat, xipos, ximat, .. } = kinematics;
    BodyFrames { xpos, xquat, xmat, xipos, ximat }.place(position, orientation, body, same)
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
