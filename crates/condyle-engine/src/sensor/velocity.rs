//! Sensors that need velocities. What is computed on demand is up to date.

use condyle_math::{Spatial, mat3, spatial, vec3};
use condyle_model::{ConstraintType, Model, ObjectType, SensorType};

use super::frame;
use crate::Data;
use crate::data::{Kinematics, Rows, Velocity};
use crate::velocity::motion::object_velocity;

/// Compute sensor `sensor` of kind `kind`.
pub(super) fn compute(model: &Model, data: &Data, sensor: usize, kind: SensorType, reading: &mut [f64]) {
    let object = model.sensor_objid[sensor].max(0) as usize;
    match kind {
        SensorType::Velocimeter | SensorType::Gyro => {
            let (kinematics, velocity) = (&data.kinematics, &data.velocity);
            let own = object_velocity(model, kinematics, velocity, ObjectType::Site, object, true);
            let own = own.unwrap_or_default();
            let part = if kind == SensorType::Gyro {
                spatial::rotational(&own)
            } else {
                spatial::translational(&own)
            };
            reading.copy_from_slice(&part);
        }
        SensorType::BallAngVel => {
            let start = model.jnt_dofadr[object] as usize;
            reading.copy_from_slice(&data.state.qvel[start..start + 3]);
        }
        SensorType::JointLimitVel => {
            reading[0] = limit_row(&data.rows, ConstraintType::LimitJoint, object)
                .map_or(0.0, |row| data.row_motion.efc_vel[row]);
        }
        SensorType::TendonLimitVel => {
            reading[0] = limit_row(&data.rows, ConstraintType::LimitTendon, object)
                .map_or(0.0, |row| data.row_motion.efc_vel[row]);
        }
        SensorType::FrameLinVel | SensorType::FrameAngVel => {
            let own = frame_velocity(model, &data.kinematics, &data.velocity, sensor).unwrap_or_default();
            let part = if kind == SensorType::FrameLinVel {
                spatial::translational(&own)
            } else {
                spatial::rotational(&own)
            };
            reading.copy_from_slice(&part);
        }
        SensorType::SubtreeLinVel => reading.copy_from_slice(&data.subtree_motion.subtree_linvel[object]),
        SensorType::SubtreeAngMom => reading.copy_from_slice(&data.subtree_motion.subtree_angmom[object]),
        _ => {}
    }
}

/// First row of the limit of a joint or tendon.
pub(super) fn limit_row(rows: &Rows, kind: ConstraintType, id: usize) -> Option<usize> {
    (rows.ne + rows.nf..rows.nefc)
        .find(|&row| rows.efc_type[row] == kind as i32 && rows.efc_id[row] == id as i32)
}

/// Velocity of the sensor's object, seen from its reference frame if it has one.
fn frame_velocity(
    model: &Model,
    kinematics: &Kinematics,
    velocity: &Velocity,
    sensor: usize,
) -> Option<Spatial> {
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
