//! What elements are called where they have no name, and the units of what they measure.

use condyle::model::{JointType, SensorType, TransmissionType};
use condyle::{Model, ObjectType};

/// What an element is called.
pub(crate) fn label(model: &Model, kind: ObjectType, id: usize) -> String {
    model.label(kind, id)
}

/// Kind of joint with the numbers of its coordinates and dofs.
pub(crate) fn joint_kind(model: &Model, joint: usize) -> (&'static str, usize, usize) {
    match model.jnt_type(joint) {
        Some(JointType::Free) => ("free", 7, 6),
        Some(JointType::Ball) => ("ball", 4, 3),
        Some(JointType::Slide) => ("slide", 1, 1),
        _ => ("hinge", 1, 1),
    }
}

/// Unit of a scalar joint's position.
pub(crate) fn joint_unit(model: &Model, joint: usize) -> &'static str {
    if model.jnt_type[joint] == JointType::Slide as i32 { "m" } else { "rad" }
}

/// What an actuator acts on: the kind of element and its number.
#[deny(clippy::wildcard_enum_match_arm)]
pub(crate) fn target(model: &Model, actuator: usize) -> Option<(ObjectType, usize)> {
    let kind = match model.actuator_trntype(actuator)? {
        TransmissionType::Joint | TransmissionType::JointInParent => ObjectType::Joint,
        TransmissionType::Tendon => ObjectType::Tendon,
        TransmissionType::Site | TransmissionType::SliderCrank => ObjectType::Site,
        TransmissionType::Body => ObjectType::Body,
        TransmissionType::Undefined => return None,
    };
    usize::try_from(model.actuator_trnid[actuator][0]).ok().map(|id| (kind, id))
}

/// Unit of an actuator's force: that of the work it does per unit of length.
pub(crate) fn force_unit(model: &Model, actuator: usize) -> &'static str {
    match target(model, actuator) {
        Some((ObjectType::Joint, joint)) => force_of(joint_unit(model, joint)),
        Some((ObjectType::Site, _)) if model.actuator_gear[actuator][..3] == [0.0; 3] => "N·m",
        _ => "N",
    }
}

/// Unit of the force that belongs to a coordinate.
pub(crate) fn force_of(unit: &str) -> &'static str {
    if unit == "rad" { "N·m" } else { "N" }
}

/// Unit of the speed that belongs to a coordinate.
pub(crate) fn speed_of(unit: &str) -> &'static str {
    if unit == "rad" { "rad/s" } else { "m/s" }
}

/// Kind of sensor as its element is called.
pub(crate) fn sensor_kind(model: &Model, sensor: usize) -> &'static str {
    use SensorType as T;
    let Some(kind) = model.sensor_type(sensor) else { return "?" };
    match kind {
        T::Touch => "touch",
        T::Accelerometer => "accelerometer",
        T::Velocimeter => "velocimeter",
        T::Gyro => "gyro",
        T::Force => "force",
        T::Torque => "torque",
        T::Magnetometer => "magnetometer",
        T::Rangefinder => "rangefinder",
        T::CamProjection => "camprojection",
        T::JointPos => "jointpos",
        T::JointVel => "jointvel",
        T::TendonPos => "tendonpos",
        T::TendonVel => "tendonvel",
        T::ActuatorPos => "actuatorpos",
        T::ActuatorVel => "actuatorvel",
        T::ActuatorForce => "actuatorfrc",
        T::FiberLength => "fiberlength",
        T::FiberVelocity => "fibervelocity",
        T::FiberForce => "fiberforce",
        T::TendonForce => "tendonforce",
        T::Pennation => "pennation",
        T::JointActuatorForce => "jointactuatorfrc",
        T::TendonActuatorForce => "tendonactuatorfrc",
        T::BallQuat => "ballquat",
        T::BallAngVel => "ballangvel",
        T::JointLimitPos => "jointlimitpos",
        T::JointLimitVel => "jointlimitvel",
        T::JointLimitForce => "jointlimitfrc",
        T::TendonLimitPos => "tendonlimitpos",
        T::TendonLimitVel => "tendonlimitvel",
        T::TendonLimitForce => "tendonlimitfrc",
        T::FramePos => "framepos",
        T::FrameQuat => "framequat",
        T::FrameXAxis => "framexaxis",
        T::FrameYAxis => "frameyaxis",
        T::FrameZAxis => "framezaxis",
        T::FrameLinVel => "framelinvel",
        T::FrameAngVel => "frameangvel",
        T::FrameLinAcc => "framelinacc",
        T::FrameAngAcc => "frameangacc",
        T::SubtreeCom => "subtreecom",
        T::SubtreeLinVel => "subtreelinvel",
        T::SubtreeAngMom => "subtreeangmom",
        T::InsideSite => "insidesite",
        T::GeomDistance => "distance",
        T::GeomNormal => "normal",
        T::GeomFromTo => "fromto",
        T::Contact => "contact",
        T::EPotential => "e_potential",
        T::EKinetic => "e_kinetic",
        T::Clock => "clock",
        T::Tactile => "tactile",
        T::Plugin => "plugin",
        T::User => "user",
    }
}

/// Unit of what a sensor writes; empty for numbers without one and for those that only the author knows.
pub(crate) fn sensor_unit(model: &Model, sensor: usize) -> &'static str {
    use SensorType as T;
    let Some(kind) = model.sensor_type(sensor) else { return "" };
    let object = usize::try_from(model.sensor_objid[sensor]).ok();
    let joint = || object.filter(|id| *id < model.njnt).map_or("rad", |id| joint_unit(model, id));
    let actuator = || object.filter(|id| *id < model.nu);
    let length = || match actuator().and_then(|id| target(model, id)) {
        Some((ObjectType::Joint, id)) => joint_unit(model, id),
        _ => "m",
    };
    match kind {
        T::Accelerometer | T::FrameLinAcc => "m/s²",
        T::FrameAngAcc => "rad/s²",
        T::FiberLength => "m",
        T::FiberVelocity => "m/s",
        T::FiberForce | T::TendonForce => "N",
        T::Pennation => "rad",
        T::Velocimeter | T::TendonVel | T::TendonLimitVel | T::FrameLinVel | T::SubtreeLinVel => "m/s",
        T::Gyro | T::BallAngVel | T::FrameAngVel => "rad/s",
        T::Touch | T::Force | T::TendonActuatorForce | T::TendonLimitForce => "N",
        T::Torque => "N·m",
        T::Magnetometer => "T",
        T::Rangefinder
        | T::TendonPos
        | T::TendonLimitPos
        | T::FramePos
        | T::SubtreeCom
        | T::GeomDistance
        | T::GeomFromTo => "m",
        T::CamProjection => "pixel",
        T::JointPos | T::JointLimitPos => joint(),
        T::JointVel | T::JointLimitVel => speed_of(joint()),
        T::JointActuatorForce | T::JointLimitForce => force_of(joint()),
        T::ActuatorPos => length(),
        T::ActuatorVel => speed_of(length()),
        T::ActuatorForce => actuator().map_or("N", |id| force_unit(model, id)),
        T::SubtreeAngMom => "kg·m²/s",
        T::EPotential | T::EKinetic => "J",
        T::Clock => "s",
        T::BallQuat
        | T::FrameQuat
        | T::FrameXAxis
        | T::FrameYAxis
        | T::FrameZAxis
        | T::InsideSite
        | T::GeomNormal
        | T::Contact
        | T::Tactile
        | T::Plugin
        | T::User => "",
    }
}

/// A number with about six digits and no more zeros than it needs.
pub(crate) fn short(value: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    if !value.is_finite() {
        return value.to_string();
    }
    let size = value.abs();
    if !(1e-4..1e7).contains(&size) {
        return format!("{value:.4e}");
    }
    let digits = (5 - size.log10().floor() as i32).clamp(0, 9) as usize;
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let texts = [0.0, 1.0, -0.5, 123456.789, 0.00012345678, 1e-9, 3.2e20, f64::NAN].map(short);
        assert_eq!(texts, ["0", "1", "-0.5", "123457", "0.000123457", "1.0000e-9", "3.2000e20", "NaN"]);
    }
}
