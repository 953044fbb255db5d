//! Velocity and acceleration of objects, and momentum of subtrees.
//!
//! Reference: `mj_objectVelocity`, `mj_objectAcceleration`, `mj_subtreeVel`.

use condyle_math::spatial::Kind;
use condyle_math::{MIN_VALUE, Mat3, Spatial, Vec3, mat3, scalar, spatial, vec3};
use condyle_model::{Model, ObjectType};

use crate::data::{Awake, BodyForces, Kinematics, SubtreeMotion, Velocity, scratch};

/// An object with a frame.
struct Object {
    body: usize,
    position: Vec3,
    axes: Mat3,
}

impl Object {
    /// `None` for objects without a frame.
    #[inline(always)]
    fn find(model: &Model, kinematics: &Kinematics, kind: ObjectType, id: usize) -> Option<Self> {
        let k = kinematics;
        let (body, position, axes) = match kind {
            ObjectType::Body => (id, *k.xipos.get(id)?, k.ximat[id]),
            ObjectType::XBody => (id, *k.xpos.get(id)?, k.xmat[id]),
            ObjectType::Geom => (*model.geom_bodyid.get(id)? as usize, k.geom_xpos[id], k.geom_xmat[id]),
            ObjectType::Site => (*model.site_bodyid.get(id)? as usize, k.site_xpos[id], k.site_xmat[id]),
            ObjectType::Camera => (*model.cam_bodyid.get(id)? as usize, k.cam_xpos[id], k.cam_xmat[id]),
            _ => return None,
        };
        Some(Self { body, position, axes })
    }

    fn is_fixed(&self, model: &Model) -> bool {
        model.body_weldid[self.body] == 0
    }

    /// The motion of its body, given about the centre of mass of the tree, at the object; zero if it is fixed to the world.
    #[inline(always)]
    fn see(&self, model: &Model, kinematics: &Kinematics, motions: &[Spatial], local: bool) -> Spatial {
        if self.is_fixed(model) {
            return [0.0; 6];
        }
        let center = kinematics.subtree_com[model.body_rootid[self.body] as usize];
        let axes = local.then_some(&self.axes);
        spatial::transform(&motions[self.body], Kind::Motion, self.position, center, axes)
    }
}

/// Angular and linear velocity of an object at its own position, in world axes or, with `local`, in its own.
pub fn object_velocity(
    model: &Model,
    kinematics: &Kinematics,
    velocity: &Velocity,
    kind: ObjectType,
    id: usize,
    local: bool,
) -> Option<Spatial> {
    let object = Object::find(model, kinematics, kind, id)?;
    Some(object.see(model, kinematics, &velocity.cvel, local))
}

/// Angular and linear acceleration of an object at its own position; needs `cacc`.
pub fn object_acceleration(
    model: &Model,
    kinematics: &Kinematics,
    velocity: &Velocity,
    forces: &BodyForces,
    kind: ObjectType,
    id: usize,
    local: bool,
) -> Option<Spatial> {
    let object = Object::find(model, kinematics, kind, id)?;
    if object.is_fixed(model) {
        return Some([0.0; 6]);
    }
    let mut result = object.see(model, kinematics, &forces.cacc, local);
    let own = object.see(model, kinematics, &velocity.cvel, local);
    // The spatial acceleration is that of a point passing through: add the centripetal part.
    let correction = vec3::cross(spatial::rotational(&own), spatial::translational(&own));
    for (x, c) in result[3..].iter_mut().zip(correction) {
        *x += c;
    }
    Some(result)
}

/// Linear velocity and angular momentum of every subtree about its centre of mass.
pub fn subtree_velocities(
    model: &Model,
    awake: &Awake,
    kinematics: &Kinematics,
    velocity: &Velocity,
    out: &mut SubtreeMotion,
    body_velocity: &mut Vec<Spatial>,
) {
    let body_velocity = scratch::sized(body_velocity, model.nbody);
    for body in awake.bodies(model).iter() {
        let own =
            object_velocity(model, kinematics, velocity, ObjectType::Body, body, false).unwrap_or_default();
        body_velocity[body] = own;
        out.subtree_linvel[body] = vec3::scale(spatial::translational(&own), model.body_mass[body]);
        let axes = &kinematics.ximat[body];
        let mut spin = mat3::mul_vec_transposed(axes, spatial::rotational(&own));
        for (x, moment) in spin.iter_mut().zip(model.body_inertia[body]) {
            *x *= moment;
        }
        out.subtree_angmom[body] = mat3::mul_vec(axes, spin);
    }
    for body in awake.bodies(model).iter().rev() {
        if body > 0 {
            let parent = model.body_parentid[body] as usize;
            out.subtree_linvel[parent] = vec3::add(out.subtree_linvel[parent], out.subtree_linvel[body]);
        }
        let mass = scalar::max(MIN_VALUE, model.body_subtreemass[body]);
        out.subtree_linvel[body] = vec3::scale(out.subtree_linvel[body], 1.0 / mass);
    }
    for body in awake.bodies(model).without_first().iter().rev() {
        let parent = model.body_parentid[body] as usize;
        let arm = vec3::sub(kinematics.xipos[body], kinematics.subtree_com[body]);
        let relative = vec3::sub(spatial::translational(&body_velocity[body]), out.subtree_linvel[body]);
        let momentum = vec3::scale(relative, model.body_mass[body]);
        let own = vec3::add(out.subtree_angmom[body], vec3::cross(arm, momentum));
        out.subtree_angmom[body] = own;

        let arm = vec3::sub(kinematics.subtree_com[body], kinematics.subtree_com[parent]);
        let relative = vec3::sub(out.subtree_linvel[body], out.subtree_linvel[parent]);
        let momentum = vec3::scale(relative, model.body_subtreemass[body]);
        let of_parent = vec3::add(out.subtree_angmom[parent], own);
        out.subtree_angmom[parent] = vec3::add(of_parent, vec3::cross(arm, momentum));
    }
    out.flg_subtreevel = true;
}
