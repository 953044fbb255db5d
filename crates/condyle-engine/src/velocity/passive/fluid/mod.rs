//! Forces of the medium on bodies, by one of two models.
//!
//! A body one of whose geoms asks for it is treated geom by geom as ellipsoids; any other as the box with the same inertia.
//! Reference: `mj_fluid`.

pub mod ellipsoid;
pub mod inertia_box;

use condyle_math::spatial::{self, Kind};
use condyle_math::{MIN_VALUE, Mat3, Spatial, Vec3, mat3};
use condyle_model::{Model, ObjectType};

use crate::data::{Awake, Kinematics, Passive, SmoothScratch, Velocity};
use crate::jacobian::force;
use crate::velocity::motion;

/// Whether there is a medium.
pub fn is_active(model: &Model) -> bool {
    model.opt.viscosity != 0.0 || model.opt.density != 0.0
}

/// Geoms of a body.
pub(crate) fn geoms(model: &Model, body: usize) -> std::ops::Range<usize> {
    let first = model.body_geomadr[body].max(0) as usize;
    first..first + model.body_geomnum[body].max(0) as usize
}

/// Whether a body is treated geom by geom.
pub(crate) fn by_geom(model: &Model, body: usize) -> bool {
    geoms(model, body).any(|geom| model.geom_fluid[geom][0] > 0.0)
}

/// Fluid forces, into `qfrc_fluid`. Whether there is a medium.
pub fn fluid_forces(
    model: &Model,
    awake: &Awake,
    kinematics: &Kinematics,
    velocity: &Velocity,
    out: &mut Passive,
    buffers: &mut SmoothScratch,
) -> bool {
    if !is_active(model) {
        return false;
    }
    for body in awake.bodies(model).iter() {
        if model.body_mass[body] < MIN_VALUE {
            continue;
        }
        if by_geom(model, body) {
            for geom in geoms(model, body) {
                let scale = model.geom_fluid[geom][0];
                if scale == 0.0 {
                    continue;
                }
                let frame = (kinematics.geom_xpos[geom], &kinematics.geom_xmat[geom]);
                let local =
                    relative_velocity(model, kinematics, velocity, ObjectType::Geom, geom, body, frame);
                let wrench = ellipsoid::force(model, geom, &local).map(|x| x * scale);
                apply(model, kinematics, body, frame, &wrench, out, buffers);
            }
        } else {
            let frame = (kinematics.xipos[body], &kinematics.ximat[body]);
            let local = relative_velocity(model, kinematics, velocity, ObjectType::Body, body, body, frame);
            let wrench = inertia_box::force(model, body, &local);
            apply(model, kinematics, body, frame, &wrench, out, buffers);
        }
    }
    true
}

/// Velocity of a frame relative to the medium, in the axes of the frame.
pub(crate) fn relative_velocity(
    model: &Model,
    kinematics: &Kinematics,
    velocity: &Velocity,
    kind: ObjectType,
    id: usize,
    body: usize,
    frame: (Vec3, &Mat3),
) -> Spatial {
    let mut local = motion::object_velocity(model, kinematics, velocity, kind, id, true).unwrap_or_default();
    let wind = spatial::join([0.0; 3], model.opt.wind);
    let center = kinematics.subtree_com[model.body_rootid[body] as usize];
    let wind = spatial::transform(&wind, Kind::Motion, frame.0, center, Some(frame.1));
    for (speed, wind) in local[3..].iter_mut().zip(&wind[3..]) {
        *speed -= wind;
    }
    local
}

/// Apply a torque and force given in the axes of a frame at its origin.
fn apply(
    model: &Model,
    kinematics: &Kinematics,
    body: usize,
    frame: (Vec3, &Mat3),
    wrench: &Spatial,
    out: &mut Passive,
    buffers: &mut SmoothScratch,
) {
    let torque = mat3::mul_vec(frame.1, spatial::rotational(wrench));
    let push = mat3::mul_vec(frame.1, spatial::translational(wrench));
    force::apply(model, kinematics, Some(push), Some(torque), frame.0, body, &mut out.qfrc_fluid, buffers);
}
