//! Sensors that need positions. What is computed on demand is up to date.

use condyle_math::{mat3, matrix, quat, scalar, vec3};
use condyle_model::{ConstraintType, GeomType, Model, SensorType};

use super::velocity::limit_row;
use super::{camera, frame};
use crate::Data;
use crate::data::{Kinematics, Rows};
use crate::position::kinematics::quat_at;

/// Compute sensor `sensor` of kind `kind`.
pub(super) fn compute(model: &Model, data: &Data, sensor: usize, kind: SensorType, reading: &mut [f64]) {
    let object = model.sensor_objid[sensor].max(0) as usize;
    match kind {
        SensorType::Magnetometer => {
            matrix::mul_transposed_vec(reading, &data.kinematics.site_xmat[object], &model.opt.magnetic);
        }
        SensorType::CamProjection => camera::project(model, &data.kinematics, sensor, reading),
        SensorType::BallQuat => {
            let raw = quat_at(&data.state.qpos, model.jnt_qposadr[object] as usize);
            reading.copy_from_slice(&quat::normalize(raw).0);
        }
        SensorType::JointLimitPos => {
            reading[0] = limit_position(&data.rows, ConstraintType::LimitJoint, object);
        }
        SensorType::TendonLimitPos => {
            reading[0] = limit_position(&data.rows, ConstraintType::LimitTendon, object);
        }
        SensorType::FramePos
        | SensorType::FrameXAxis
        | SensorType::FrameYAxis
        | SensorType::FrameZAxis
        | SensorType::FrameQuat => {
            frame_reading(model, &data.kinematics, sensor, kind, reading);
        }
        SensorType::SubtreeCom => reading.copy_from_slice(&data.kinematics.subtree_com[object]),
        SensorType::InsideSite => {
            reading[0] = f64::from(u8::from(is_inside_site(model, &data.kinematics, sensor)))
        }
        SensorType::EPotential => reading[0] = data.sensors.energy[0],
        SensorType::EKinetic => reading[0] = data.sensors.energy[1],
        SensorType::Clock => reading[0] = data.state.time,
        _ => {}
    }
}

fn limit_position(rows: &Rows, kind: ConstraintType, id: usize) -> f64 {
    limit_row(rows, kind, id).map_or(0.0, |row| rows.efc_pos[row] - rows.efc_margin[row])
}

/// Position, axis or orientation of an object, in the world or in a reference frame.
fn frame_reading(
    model: &Model,
    kinematics: &Kinematics,
    sensor: usize,
    kind: SensorType,
    reading: &mut [f64],
) -> Option<()> {
    let (object_kind, object) = (model.sensor_objtype(sensor), model.sensor_objid(sensor)?);
    let reference = model.sensor_refid(sensor);
    let reference_kind = model.sensor_reftype(sensor);
    if kind == SensorType::FrameQuat {
        let own = frame::orientation(model, kinematics, object_kind, object)?;
        let value = match reference {
            None => own,
            Some(id) => {
                quat::mul(quat::conjugate(frame::orientation(model, kinematics, reference_kind, id)?), own)
            }
        };
        reading.copy_from_slice(&value);
        return Some(());
    }
    let (position, axes) = frame::pose(kinematics, object_kind, object)?;
    let axis = match kind {
        SensorType::FrameXAxis => Some(mat3::column(&axes, 0)),
        SensorType::FrameYAxis => Some(mat3::column(&axes, 1)),
        SensorType::FrameZAxis => Some(mat3::column(&axes, 2)),
        _ => None,
    };
    let value = match reference {
        None => axis.unwrap_or(position),
        Some(id) => {
            let (origin, base) = frame::pose(kinematics, reference_kind, id)?;
            mat3::mul_vec_transposed(&base, axis.unwrap_or_else(|| vec3::sub(position, origin)))
        }
    };
    reading.copy_from_slice(&value);
    Some(())
}

fn is_inside_site(model: &Model, kinematics: &Kinematics, sensor: usize) -> bool {
    let (Some(object), Some(site)) = (model.sensor_objid(sensor), model.sensor_refid(sensor)) else {
        return false;
    };
    frame::pose(kinematics, model.sensor_objtype(sensor), object)
        .is_some_and(|(position, _)| site_contains(model, kinematics, site, position))
}

/// Whether `point` is strictly inside the shape of a site.
pub(super) fn site_contains(model: &Model, kinematics: &Kinematics, site: usize, point: [f64; 3]) -> bool {
    let size = model.site_size[site];
    let offset = vec3::sub(point, kinematics.site_xpos[site]);
    let kind = model.site_type(site);
    if kind == Some(GeomType::Sphere) {
        return vec3::dot(offset, offset) < size[0] * size[0];
    }
    let p = mat3::mul_vec_transposed(&kinematics.site_xmat[site], offset);
    let radial = p[0] * p[0] + p[1] * p[1];
    match kind {
        Some(GeomType::Capsule) => {
            let beyond = p[2] - scalar::clip(p[2], -size[1], size[1]);
            radial + beyond * beyond < size[0] * size[0]
        }
        Some(GeomType::Ellipsoid) => {
            p[0] * p[0] / (size[0] * size[0])
                + p[1] * p[1] / (size[1] * size[1])
                + p[2] * p[2] / (size[2] * size[2])
                < 1.0
        }
        Some(GeomType::Cylinder) => p[2].abs() < size[1] && radial < size[0] * size[0],
        Some(GeomType::Box) => p[0].abs() < size[0] && p[1].abs() < size[1] && p[2].abs() < size[2],
        Some(GeomType::Plane) => p[2] < 0.0,
        _ => false,
    }
}
