//! Sensors that need accelerations and forces. What is computed on demand is up to date.

use condyle_collide::Pose;
use condyle_collide::ray::Ray;
use condyle_math::spatial::Kind;
use condyle_math::{Spatial, mat3, spatial, vec3};
use condyle_model::{ConstraintType, Model, ObjectType, SensorType, TransmissionType};

use super::tactile;
use super::velocity::limit_row;
use crate::Data;
use crate::actuation::hill_muscle::state::muscle_state;
use crate::collision::ray::cast_shape;
use crate::constraint::contact_force::contact_force;
use crate::data::Kinematics;
use crate::velocity::motion::object_acceleration;

/// Compute sensor `sensor` of kind `kind`.
pub(super) fn compute(model: &Model, data: &Data, sensor: usize, kind: SensorType, reading: &mut [f64]) {
    let object = model.sensor_objid[sensor].max(0) as usize;
    match kind {
        SensorType::Touch => reading[0] = touch(model, data, object),
        SensorType::Tactile => tactile::compute(model, data, sensor, reading),
        SensorType::Accelerometer => {
            let own = frame_acceleration(model, data, Some(ObjectType::Site), object, true);
            reading.copy_from_slice(&spatial::translational(&own));
        }
        SensorType::Force => {
            reading.copy_from_slice(&spatial::translational(&interaction(model, data, object)));
        }
        SensorType::Torque => {
            reading.copy_from_slice(&spatial::rotational(&interaction(model, data, object)))
        }
        SensorType::ActuatorForce => reading[0] = data.actuation.actuator_force[object],
        SensorType::FiberLength
        | SensorType::FiberVelocity
        | SensorType::FiberForce
        | SensorType::TendonForce
        | SensorType::Pennation => {
            let Data { state, inputs, transmission, velocity, actuation, .. } = data;
            let muscle = muscle_state(model, state, inputs, transmission, velocity, actuation, object);
            reading[0] = muscle.map_or(0.0, |muscle| match kind {
                SensorType::FiberLength => muscle.fiber_length,
                SensorType::FiberVelocity => muscle.fiber_velocity,
                SensorType::FiberForce => muscle.fiber_force,
                SensorType::TendonForce => muscle.tendon_force,
                _ => muscle.pennation,
            });
        }
        SensorType::JointActuatorForce => {
            reading[0] = data.actuation.qfrc_actuator[model.jnt_dofadr[object] as usize];
        }
        SensorType::TendonActuatorForce => reading[0] = tendon_actuation(model, data, object),
        SensorType::JointLimitForce => {
            reading[0] = limit_row(&data.rows, ConstraintType::LimitJoint, object)
                .map_or(0.0, |row| data.solution.efc_force[row]);
        }
        SensorType::TendonLimitForce => {
            reading[0] = limit_row(&data.rows, ConstraintType::LimitTendon, object)
                .map_or(0.0, |row| data.solution.efc_force[row]);
        }
        SensorType::FrameLinAcc | SensorType::FrameAngAcc => {
            let own = frame_acceleration(model, data, model.sensor_objtype(sensor), object, false);
            let part = if kind == SensorType::FrameLinAcc {
                spatial::translational(&own)
            } else {
                spatial::rotational(&own)
            };
            reading.copy_from_slice(&part);
        }
        _ => {}
    }
}

/// Sum of the normal forces of contacts whose normal, from the contact point on, meets the site.
fn touch(model: &Model, data: &Data, site: usize) -> f64 {
    let body = model.site_bodyid[site];
    let Some(kind) = model.site_type(site) else { return 0.0 };
    let mut total = 0.0;
    for contact in &data.contacts {
        let bodies =
            contact.geom.map(|geom| usize::try_from(geom).map_or(-1, |geom| model.geom_bodyid[geom]));
        if contact.efc_address < 0 || !bodies.contains(&body) {
            continue;
        }
        let normal_force = contact_force(model, &data.solution, contact)[0];
        if normal_force <= 0.0 {
            continue;
        }
        let mut direction = vec3::normalize(vec3::scale(mat3::row(&contact.frame, 0), normal_force)).0;
        if body == bodies[1] {
            direction = vec3::scale(direction, -1.0);
        }
        let ray = Ray { origin: contact.pos, direction };
        let Kinematics { site_xpos, site_xmat, .. } = &data.kinematics;
        let pose = Pose { position: site_xpos[site], rotation: site_xmat[site] };
        if cast_shape(kind, &model.site_size[site], &pose, &ray).is_some() {
            total += normal_force;
        }
    }
    total
}

/// Force and torque between a site's body and its parent, in the frame of the site.
fn interaction(model: &Model, data: &Data, site: usize) -> Spatial {
    let body = model.site_bodyid[site] as usize;
    let kinematics = &data.kinematics;
    let center = kinematics.subtree_com[model.body_rootid[body] as usize];
    let axes = Some(&kinematics.site_xmat[site]);
    spatial::transform(
        &data.body_forces.cfrc_int[body],
        Kind::Force,
        kinematics.site_xpos[site],
        center,
        axes,
    )
}

fn frame_acceleration(
    model: &Model,
    data: &Data,
    kind: Option<ObjectType>,
    id: usize,
    local: bool,
) -> Spatial {
    kind.and_then(|kind| {
        object_acceleration(model, &data.kinematics, &data.velocity, &data.body_forces, kind, id, local)
    })
    .unwrap_or_default()
}

/// Sum of the forces of all actuators on a tendon.
fn tendon_actuation(model: &Model, data: &Data, tendon: usize) -> f64 {
    let mut total = 0.0;
    for actuator in 0..model.nu {
        if model.actuator_trntype(actuator) == Some(TransmissionType::Tendon)
            && model.actuator_trnid(actuator)[0] == Some(tendon)
        {
            total += data.actuation.actuator_force[actuator];
        }
    }
    total
}
