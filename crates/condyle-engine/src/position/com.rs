//! Centres of mass, and inertias and motion axes about them.
//!
//! `subtree_com` is the centre of mass of a body and everything below it. Spatial quantities of a body are expressed in world axes
//! about the centre of mass of the whole tree it belongs to (`subtree_com` of its root). Reference: `mj_comPos`.

use std::ops::Range;

use condyle_math::{MIN_VALUE, Mat3, Spatial, Vec3, mat3, spatial, vec3};
use condyle_model::{JointType, Model};

use crate::data::{Awake, Kinematics};
use crate::sleep::SleepState;

/// `subtree_com`, `cinert` and `cdof`.
#[inline(never)]
pub fn centers_of_mass(model: &Model, awake: &Awake, out: &mut Kinematics) {
    subtree_centers(model, awake, out);
    out.cinert[0] = [0.0; 10];
    // Slices of one length: a single check of the index serves them all.
    let n = model.nbody;
    let (root, inertia, mass) = (&model.body_rootid[..n], &model.body_inertia[..n], &model.body_mass[..n]);
    let (xipos, ximat, subtree_com) = (&out.xipos[..n], &out.ximat[..n], &out.subtree_com[..n]);
    let cinert = &mut out.cinert[..n];
    for body in awake.bodies(model).without_first().iter() {
        let offset = vec3::sub(xipos[body], subtree_com[root[body] as usize]);
        cinert[body] = spatial::inertia_about(inertia[body], &ximat[body], offset, mass[body]);
    }
    match awake.bodies(model).without_first().list() {
        None => motion_axes(model, 0..model.njnt, out),
        Some(bodies) => {
            for body in bodies {
                let body = *body as usize;
                let count = model.body_jntnum[body].max(0) as usize;
                if count > 0 {
                    let first = model.body_jntadr[body] as usize;
                    motion_axes(model, first..first + count, out);
                }
            }
        }
    }
}

/// Mass-weighted sums up the tree, divided by the mass below each body.
fn subtree_centers(model: &Model, awake: &Awake, out: &mut Kinematics) {
    let filter = awake.filters(model);
    let n = model.nbody;
    let (parents, masses, subtree_masses) =
        (&model.body_parentid[..n], &model.body_mass[..n], &model.body_subtreemass[..n]);
    let (xipos, subtree_com) = (&out.xipos[..n], &mut out.subtree_com[..n]);
    for body in awake.bodies(model).iter() {
        subtree_com[body] = vec3::scale(xipos[body], masses[body]);
    }
    for body in awake.bodies_below_awake(model).iter().rev() {
        // A sleeping subtree still holds its centre, not its moment.
        let moment = if filter && awake.body_awake[body] == SleepState::Asleep as i32 {
            vec3::scale(subtree_com[body], subtree_masses[body])
        } else {
            subtree_com[body]
        };
        let sum = &mut subtree_com[parents[body] as usize];
        *sum = vec3::add(*sum, moment);
    }
    for body in awake.bodies(model).iter() {
        let mass = subtree_masses[body];
        subtree_com[body] =
            if mass < MIN_VALUE { xipos[body] } else { vec3::scale(subtree_com[body], 1.0 / mass) };
    }
}

/// Motion axes of joints that follow one another.
#[inline(always)]
fn motion_axes(model: &Model, joints: Range<usize>, out: &mut Kinematics) {
    let Kinematics { subtree_com, xanchor, xaxis, xmat, cdof, .. } = out;
    let kinds = model.jnt_type[joints.clone()].iter().zip(&model.jnt_dofadr[joints.clone()]);
    let bodies = &model.jnt_bodyid[joints.clone()];
    let axes = xanchor[joints.clone()].iter().zip(&xaxis[joints]);
    for (((kind, dof), body), (anchor, axis)) in kinds.zip(bodies).zip(axes) {
        let (dof, body) = (*dof as usize, *body as usize);
        let offset = vec3::sub(subtree_com[model.body_rootid[body] as usize], *anchor);
        match JointType::from_i32(*kind) {
            Some(JointType::Free) => {
                for axis in 0..3 {
                    cdof[dof + axis] = [0.0; 6];
                    cdof[dof + axis][3 + axis] = 1.0;
                }
                rotation_axes(&xmat[body], offset, &mut cdof[dof + 3..dof + 6]);
            }
            Some(JointType::Ball) => rotation_axes(&xmat[body], offset, &mut cdof[dof..dof + 3]),
            Some(JointType::Slide) => cdof[dof] = spatial::slide_axis(*axis),
            Some(JointType::Hinge) => cdof[dof] = spatial::hinge_axis(*axis, offset),
            None => {}
        }
    }
}

/// Rotations about the three axes of a body.
fn rotation_axes(axes: &Mat3, offset: Vec3, cdof: &mut [Spatial]) {
    for (axis, out) in cdof.iter_mut().enumerate() {
        *out = spatial::hinge_axis(mat3::column(axes, axis), offset);
    }
}
