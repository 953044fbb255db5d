//! Sensors that need velocities.
//!
//! Whole data: a sensor may read any group, and brings the momentum of subtrees up to date.

use condyle_math::{Spatial, mat3, spatial, vec3};
use condyle_model::{ConstraintType, Model, ObjectType, SensorType};

use super::{frame, lazy};
use crate::Data;
use crate::velocity::motion::object_velocity;

/// Compute sensor `sensor` of kind `kind`.
pub(super) fn compute(model: &Model, data: &mut Data, sensor: usize, kind: SensorType, reading: &mut [f64]) {
    let object = model.sensor_objid[sensor].max(0) as usize;
    match kind {
        SensorType::Velocimeter | SensorType::Gyro => {
            let own = site_velocity(model, data, object);
            let part = if kind == SensorType::Gyro {
                spatial::rotational(&own)
            } else {
                spatial::translational(&own)
            };
            reading.copy_from_slice(&part);
        }
        SensorType::JointVel => reading[0] = data.state.qvel[model.jnt_dofadr[object] as usize],
        SensorType::TendonVel => reading[0] = data.velocity.ten_velocity[object],
        SensorType::ActuatorVel => reading[0] = data.velocity.actuator_velocity[object],
        SensorType::BallAngVel => {
            let start = model.jnt_dofadr[object] as usize;
            reading.copy_from_slice(&data.state.qvel[start..start + 3]);
        }
        SensorType::JointLimitVel => {
            reading[0] = limit_row(data, ConstraintType::LimitJoint, object)
                .map_or(0.0, |row| data.row_motion.efc_vel[row]);
        }
        SensorType::TendonLimitVel => {
            reading[0] = limit_row(data, ConstraintType::LimitTendon, object)
                .map_or(0.0, |row| data.row_motion.efc_vel[row]);
        }
        SensorType::FrameLinVel | SensorType::FrameAngVel => {
            let own = frame_velocity(model, data, sensor).unwrap_or_default();
            let part = if kind == SensorType::FrameLinVel {
                spatial::translational(&own)
            } else {
                spatial::rotational(&own)
            };
            reading.copy_from_slice(&part);
        }
        SensorType::SubtreeLinVel => {
            lazy::update_subtree_motion(model, data);
            reading.copy_from_slice(&data.subtree_motion.subtree_linvel[object]);
        }
        SensorType::SubtreeAngMom => {
            lazy::update_subtree_motion(model, data);
            reading.copy_from_slice(&data.subtree_motion.subtree_angmom[object]);
        }
        _ => {}
    }
}

/// First row of the limit of a joint or tendon.
pub(super) fn limit_row(data: &Data, kind: ConstraintType, id: usize) -> Option<usize> {
    let table = &data.rows;
    (table.ne + table.nf..table.nefc)
        .find(|&row| table.efc_type[row] == kind as i32 && table.efc_id[row] == id as i32)
}

fn site_velocity(model: &Model, data: &Data, site: usize) -> Spatial {
    object_velocity(model, &data.kinematics, &data.velocity, ObjectType::Site, site, true).unwrap_or_default()
}

/// Velocity of the sensor's object, seen from its reference frame if it has one.
fn frame_velocity(model: &Model, data: &Data, sensor: usize) -> Option<Spatial> {
    let (kinematics, velocity) = (&data.kinematics, &data.velocity);
    let (kind, id) = (model.sensor_objtype(sensor), model.sensor_objid(sensor)?);
    let own = object_velocity(model, kinematics, velocity, kind?, id, false)?;
    let Some(reference) = model.sensor_refid(sensor) else { return Some(own) };
    let reference_kind = model.sensor_reftype(sensor);
    let (position, _) = frame::pose(kinematics, kind, id)?;
    let (origin, axes) = frame::pose(kinematics, reference_kind, reference)?;
    let base = object_velocity(model, kinematics, velocity, reference_kind?, reference, false)?;
    let relative: Spatial = std::array::from_fn(|i| own[i] - base[i]);
    // A turning reference frame carries the object along.
    let carried = vec3::cross(vec3::sub(position, origin), spatial::rotational(&base));
    let linear = vec3::add(spatial::translational(&relative), carried);
    Some(spatial::join(
        mat3::mul_vec_transposed(&axes, spatial::rotational(&relative)),
        mat3::mul_vec_transposed(&axes, linear),
    ))
}
