//! Sensors: what they measure exists, and they write as many numbers as their kind has.

use super::objects::check_history;
use super::{inside, optional};
use crate::{JointType, Model, ObjectType, SensorType};

pub(super) fn check(model: &Model) -> Result<(), String> {
    for sensor in 0..model.nsensor {
        let Some(kind) = model.sensor_type(sensor) else {
            return Err(format!("sensor_type[{sensor}] is {}", model.sensor_type[sensor]));
        };
        if model.sensor_needstage(sensor).is_none() {
            return Err(format!("sensor_needstage[{sensor}] is {}", model.sensor_needstage[sensor]));
        }
        if !measures(model, sensor, kind) {
            return Err(format!("sensor {sensor} measures an object that does not exist"));
        }
        let (start, dim) = (model.sensor_adr[sensor], model.sensor_dim[sensor]);
        if start < 0 || !fits(model, sensor, kind, dim) {
            return Err(format!("sensor {sensor} writes {dim} numbers at {start}"));
        }
        let samples = model.sensor_history[sensor][0];
        check_history("sensor", sensor, samples, dim, model.sensor_historyadr[sensor], model.nhistory)?;
    }
    Ok(())
}

/// Number of elements of a kind.
fn count(model: &Model, kind: ObjectType) -> Option<usize> {
    Some(match kind {
        ObjectType::Body | ObjectType::XBody => model.nbody,
        ObjectType::Joint => model.njnt,
        ObjectType::Dof => model.nv,
        ObjectType::Geom => model.ngeom,
        ObjectType::Site => model.nsite,
        ObjectType::Camera => model.ncam,
        ObjectType::Light => model.nlight,
        ObjectType::Flex => model.nflex,
        ObjectType::Mesh => model.nmesh,
        ObjectType::Skin => model.nskin,
        ObjectType::HField => model.nhfield,
        ObjectType::Texture => model.ntex,
        ObjectType::Material => model.nmat,
        ObjectType::Pair => model.npair,
        ObjectType::Exclude => model.nexclude,
        ObjectType::Equality => model.neq,
        ObjectType::Tendon => model.ntendon,
        ObjectType::Actuator => model.nu,
        ObjectType::Sensor => model.nsensor,
        ObjectType::Numeric => model.nnumeric,
        ObjectType::Text => model.ntext,
        ObjectType::Tuple => model.ntuple,
        ObjectType::Key => model.nkey,
        ObjectType::Plugin => model.nplugin,
        ObjectType::Unknown | ObjectType::Frame | ObjectType::Default | ObjectType::Model => return None,
    })
}

fn measures(model: &Model, sensor: usize, kind: SensorType) -> bool {
    let object = model.sensor_objtype(sensor);
    let reference = model.sensor_reftype(sensor);
    let (id, other) = (model.sensor_objid[sensor], model.sensor_refid[sensor]);
    let (Some(object), Some(reference)) = (object, reference) else { return false };
    let exists = |kind: ObjectType, id: i32| count(model, kind).is_none_or(|count| optional(id, count));
    if !exists(object, id) || !exists(reference, other) {
        return false;
    }
    let is = |wanted: &[ObjectType]| {
        wanted.contains(&object) && count(model, object).is_some_and(|count| inside(id, count))
    };
    let refers = |wanted: &[ObjectType]| {
        wanted.contains(&reference) && count(model, reference).is_some_and(|count| inside(other, count))
    };
    let frames =
        &[ObjectType::Body, ObjectType::XBody, ObjectType::Geom, ObjectType::Site, ObjectType::Camera];
    let solids = &[ObjectType::Body, ObjectType::Geom];
    match kind {
        SensorType::Touch
        | SensorType::Accelerometer
        | SensorType::Velocimeter
        | SensorType::Gyro
        | SensorType::Force
        | SensorType::Torque
        | SensorType::Magnetometer => is(&[ObjectType::Site]),
        SensorType::Rangefinder => is(&[ObjectType::Site, ObjectType::Camera]),
        SensorType::CamProjection => is(&[ObjectType::Site]) && refers(&[ObjectType::Camera]),
        SensorType::JointPos
        | SensorType::JointVel
        | SensorType::JointActuatorForce
        | SensorType::JointLimitPos
        | SensorType::JointLimitVel
        | SensorType::JointLimitForce => is(&[ObjectType::Joint]),
        SensorType::BallQuat | SensorType::BallAngVel => {
            is(&[ObjectType::Joint]) && model.jnt_type.get(id as usize) == Some(&(JointType::Ball as i32))
        }
        SensorType::TendonPos
        | SensorType::TendonVel
        | SensorType::TendonActuatorForce
        | SensorType::TendonLimitPos
        | SensorType::TendonLimitVel
        | SensorType::TendonLimitForce => is(&[ObjectType::Tendon]),
        SensorType::ActuatorPos
        | SensorType::ActuatorVel
        | SensorType::ActuatorForce
        | SensorType::FiberLength
        | SensorType::FiberVelocity
        | SensorType::FiberForce
        | SensorType::TendonForce
        | SensorType::Pennation => is(&[ObjectType::Actuator]),
        SensorType::FramePos
        | SensorType::FrameQuat
        | SensorType::FrameXAxis
        | SensorType::FrameYAxis
        | SensorType::FrameZAxis
        | SensorType::FrameLinVel
        | SensorType::FrameAngVel
        | SensorType::FrameLinAcc
        | SensorType::FrameAngAcc => is(frames) && (other == -1 || refers(frames)),
        SensorType::SubtreeCom | SensorType::SubtreeLinVel | SensorType::SubtreeAngMom => {
            is(&[ObjectType::Body])
        }
        SensorType::InsideSite => is(frames) && refers(&[ObjectType::Site]),
        SensorType::GeomDistance | SensorType::GeomNormal | SensorType::GeomFromTo => {
            is(solids) && refers(solids)
        }
        SensorType::Tactile => is(&[ObjectType::Mesh]) && refers(&[ObjectType::Geom]),
        SensorType::Contact
        | SensorType::EPotential
        | SensorType::EKinetic
        | SensorType::Clock
        | SensorType::Plugin
        | SensorType::User => true,
    }
}

/// Numbers in the fields of a contact sensor: found, force, torque, distance, position, normal, tangent.
const CONTACT_WIDTHS: [i32; 7] = [1, 3, 3, 1, 3, 3, 3];
/// Numbers in the fields of a range finder: distance, direction, origin, point, normal, depth.
const RANGE_WIDTHS: [i32; 6] = [1, 3, 3, 3, 3, 1];

fn width(fields: i32, widths: &[i32]) -> i32 {
    widths.iter().enumerate().filter(|(bit, _)| fields & (1 << bit) != 0).map(|(_, width)| width).sum()
}

fn fits(model: &Model, sensor: usize, kind: SensorType, dim: i32) -> bool {
    let fields = model.sensor_intprm[sensor][0];
    match kind {
        SensorType::Plugin | SensorType::User | SensorType::Tactile => true,
        SensorType::Contact => {
            let slot = width(fields, &CONTACT_WIDTHS);
            slot > 0 && dim >= slot && dim % slot == 0
        }
        SensorType::Rangefinder => {
            let rays = if model.sensor_objtype[sensor] == ObjectType::Camera as i32 {
                let [columns, rows] = model.cam_resolution[model.sensor_objid[sensor] as usize];
                i64::from(columns).saturating_mul(i64::from(rows))
            } else {
                1
            };
            rays >= 0 && rays.saturating_mul(width(fields, &RANGE_WIDTHS).into()) == i64::from(dim)
        }
        SensorType::CamProjection => dim == 2,
        SensorType::BallQuat | SensorType::FrameQuat => dim == 4,
        SensorType::GeomFromTo => dim == 6,
        SensorType::Accelerometer
        | SensorType::Velocimeter
        | SensorType::Gyro
        | SensorType::Force
        | SensorType::Torque
        | SensorType::Magnetometer
        | SensorType::BallAngVel
        | SensorType::FramePos
        | SensorType::FrameXAxis
        | SensorType::FrameYAxis
        | SensorType::FrameZAxis
        | SensorType::FrameLinVel
        | SensorType::FrameAngVel
        | SensorType::FrameLinAcc
        | SensorType::FrameAngAcc
        | SensorType::SubtreeCom
        | SensorType::SubtreeLinVel
        | SensorType::SubtreeAngMom
        | SensorType::GeomNormal => dim == 3,
        _ => dim == 1,
    }
}
