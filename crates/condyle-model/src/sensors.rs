//! What each kind of sensor measures: its element in MJCF, the objects it may be attached to, when it can be read and what it gives.

use crate::{ObjectType, SensorDataType, SensorType, Stage};

/// Numbers each field of a contact sensor gives: found, force, torque, distance, position, normal, tangent.
pub const CONTACT_FIELDS: [usize; 7] = [1, 3, 3, 1, 3, 3, 3];
/// Numbers each field of a rangefinder gives: distance, direction, origin, point, normal, depth.
pub const RAY_FIELDS: [usize; 6] = [1, 3, 3, 3, 3, 1];

/// Numbers of the fields whose bits are set.
pub fn fields_width(bits: i32, fields: &[usize]) -> usize {
    fields.iter().enumerate().filter(|(bit, _)| bits & (1 << bit) != 0).map(|(_, width)| width).sum()
}

/// Objects that have a frame in space.
pub const FRAMES: &[ObjectType] =
    &[ObjectType::Body, ObjectType::XBody, ObjectType::Geom, ObjectType::Site, ObjectType::Camera];

/// The second object of a sensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reference {
    /// None, or one that only the kind of sensor itself judges.
    Free,
    /// The sensor may be relative to an object of these kinds.
    May(&'static [ObjectType]),
    /// The sensor needs an object of these kinds.
    Must(&'static [ObjectType]),
}

/// What a kind of sensor measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SensorRule {
    /// The kind.
    pub kind: SensorType,
    /// Its element in MJCF.
    pub word: &'static str,
    /// Kinds of object it can be attached to; empty where only the kind of sensor itself judges.
    pub objects: &'static [ObjectType],
    /// Its second object.
    pub reference: Reference,
    /// Stage after which it can be read; that of user sensors and plugins is their own.
    pub stage: Stage,
    /// Values it can take; those of user sensors are their own.
    pub datatype: SensorDataType,
    /// How many numbers it gives; `None` where its settings say so.
    pub dim: Option<usize>,
}

impl SensorRule {
    /// The rule of an element of MJCF.
    pub fn of_word(word: &str) -> Option<&'static Self> {
        SensorType::ALL.iter().map(|kind| kind.rule()).find(|rule| rule.word == word)
    }

    /// The one kind of object this sensor can be attached to, if there is just one.
    pub const fn only_object(&self) -> Option<ObjectType> {
        match self.objects {
            [only] => Some(*only),
            _ => None,
        }
    }
}

/// Rows read `Kind "element", [objects], reference, stage, values, numbers;`.
macro_rules! rules {
    ($($kind:ident $word:literal, $objects:expr, $reference:expr, $stage:ident, $datatype:ident, $dim:expr;)*) => {
        impl SensorType {
            /// What this kind of sensor measures.
            pub const fn rule(self) -> &'static SensorRule {
                match self {
                    $(Self::$kind => &SensorRule {
                        kind: Self::$kind,
                        word: $word,
                        objects: $objects,
                        reference: $reference,
                        stage: Stage::$stage,
                        datatype: SensorDataType::$datatype,
                        dim: $dim,
                    },)*
                }
            }
        }
    };
}

const SITE: &[ObjectType] = &[ObjectType::Site];
const JOINT: &[ObjectType] = &[ObjectType::Joint];
const TENDON: &[ObjectType] = &[ObjectType::Tendon];
const ACTUATOR: &[ObjectType] = &[ObjectType::Actuator];
const BODY: &[ObjectType] = &[ObjectType::Body];
const SOLIDS: &[ObjectType] = &[ObjectType::Body, ObjectType::Geom];
const NO_REFERENCE: Reference = Reference::Free;
const FRAME: Reference = Reference::May(FRAMES);

rules! {
    Touch "touch", SITE, NO_REFERENCE, Acc, Positive, Some(1);
    Accelerometer "accelerometer", SITE, NO_REFERENCE, Acc, Real, Some(3);
    Velocimeter "velocimeter", SITE, NO_REFERENCE, Vel, Real, Some(3);
    Gyro "gyro", SITE, NO_REFERENCE, Vel, Real, Some(3);
    Force "force", SITE, NO_REFERENCE, Acc, Real, Some(3);
    Torque "torque", SITE, NO_REFERENCE, Acc, Real, Some(3);
    Magnetometer "magnetometer", SITE, NO_REFERENCE, Pos, Real, Some(3);
    Rangefinder "rangefinder", &[ObjectType::Site, ObjectType::Camera], NO_REFERENCE, Pos, Real, None;
    CamProjection "camprojection", SITE, Reference::Must(&[ObjectType::Camera]), Pos, Real, Some(2);
    JointPos "jointpos", JOINT, NO_REFERENCE, Pos, Real, Some(1);
    JointVel "jointvel", JOINT, NO_REFERENCE, Vel, Real, Some(1);
    TendonPos "tendonpos", TENDON, NO_REFERENCE, Pos, Real, Some(1);
    TendonVel "tendonvel", TENDON, NO_REFERENCE, Vel, Real, Some(1);
    ActuatorPos "actuatorpos", ACTUATOR, NO_REFERENCE, Pos, Real, Some(1);
    ActuatorVel "actuatorvel", ACTUATOR, NO_REFERENCE, Vel, Real, Some(1);
    ActuatorForce "actuatorfrc", ACTUATOR, NO_REFERENCE, Acc, Real, Some(1);
    JointActuatorForce "jointactuatorfrc", JOINT, NO_REFERENCE, Acc, Real, Some(1);
    TendonActuatorForce "tendonactuatorfrc", TENDON, NO_REFERENCE, Acc, Real, Some(1);
    BallQuat "ballquat", JOINT, NO_REFERENCE, Pos, Quaternion, Some(4);
    BallAngVel "ballangvel", JOINT, NO_REFERENCE, Vel, Real, Some(3);
    JointLimitPos "jointlimitpos", JOINT, NO_REFERENCE, Pos, Real, Some(1);
    JointLimitVel "jointlimitvel", JOINT, NO_REFERENCE, Vel, Real, Some(1);
    JointLimitForce "jointlimitfrc", JOINT, NO_REFERENCE, Acc, Real, Some(1);
    TendonLimitPos "tendonlimitpos", TENDON, NO_REFERENCE, Pos, Real, Some(1);
    TendonLimitVel "tendonlimitvel", TENDON, NO_REFERENCE, Vel, Real, Some(1);
    TendonLimitForce "tendonlimitfrc", TENDON, NO_REFERENCE, Acc, Real, Some(1);
    FramePos "framepos", FRAMES, FRAME, Pos, Real, Some(3);
    FrameQuat "framequat", FRAMES, FRAME, Pos, Quaternion, Some(4);
    FrameXAxis "framexaxis", FRAMES, FRAME, Pos, Axis, Some(3);
    FrameYAxis "frameyaxis", FRAMES, FRAME, Pos, Axis, Some(3);
    FrameZAxis "framezaxis", FRAMES, FRAME, Pos, Axis, Some(3);
    FrameLinVel "framelinvel", FRAMES, FRAME, Vel, Real, Some(3);
    FrameAngVel "frameangvel", FRAMES, FRAME, Vel, Real, Some(3);
    FrameLinAcc "framelinacc", FRAMES, FRAME, Acc, Real, Some(3);
    FrameAngAcc "frameangacc", FRAMES, FRAME, Acc, Real, Some(3);
    SubtreeCom "subtreecom", BODY, NO_REFERENCE, Pos, Real, Some(3);
    SubtreeLinVel "subtreelinvel", BODY, NO_REFERENCE, Vel, Real, Some(3);
    SubtreeAngMom "subtreeangmom", BODY, NO_REFERENCE, Vel, Real, Some(3);
    InsideSite "insidesite", FRAMES, Reference::Must(SITE), Pos, Positive, Some(1);
    GeomDistance "distance", SOLIDS, Reference::Must(SOLIDS), Pos, Real, Some(1);
    GeomNormal "normal", SOLIDS, Reference::Must(SOLIDS), Pos, Axis, Some(3);
    GeomFromTo "fromto", SOLIDS, Reference::Must(SOLIDS), Pos, Real, Some(6);
    Contact "contact", &[], NO_REFERENCE, Acc, Real, None;
    EPotential "e_potential", &[], NO_REFERENCE, Pos, Real, Some(1);
    EKinetic "e_kinetic", &[], NO_REFERENCE, Pos, Real, Some(1);
    Clock "clock", &[], NO_REFERENCE, Pos, Real, Some(1);
    Tactile "tactile", &[ObjectType::Mesh], Reference::Must(&[ObjectType::Geom]), Acc, Real, None;
    Plugin "plugin", &[], NO_REFERENCE, Pos, Real, None;
    User "user", &[], NO_REFERENCE, Pos, Real, None;
    FiberLength "fiberlength", ACTUATOR, NO_REFERENCE, Acc, Real, Some(1);
    FiberVelocity "fibervelocity", ACTUATOR, NO_REFERENCE, Acc, Real, Some(1);
    FiberForce "fiberforce", ACTUATOR, NO_REFERENCE, Acc, Real, Some(1);
    TendonForce "tendonforce", ACTUATOR, NO_REFERENCE, Acc, Real, Some(1);
    Pennation "pennation", ACTUATOR, NO_REFERENCE, Acc, Real, Some(1);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_belongs_to_one_kind() {
        for kind in SensorType::ALL {
            assert_eq!(SensorRule::of_word(kind.rule().word).map(|rule| rule.kind), Some(*kind));
        }
        assert_eq!(SensorRule::of_word("thermometer"), None);
    }

    #[test]
    fn directions_and_orientations_have_their_size() {
        for rule in SensorType::ALL.iter().map(|kind| kind.rule()) {
            match rule.datatype {
                SensorDataType::Axis => assert_eq!(rule.dim, Some(3)),
                SensorDataType::Quaternion => assert_eq!(rule.dim, Some(4)),
                SensorDataType::Real | SensorDataType::Positive => {}
            }
        }
    }

    #[test]
    fn fields_add_up() {
        assert_eq!(fields_width(0b1000001, &CONTACT_FIELDS), 4);
        assert_eq!(fields_width(0b111111, &RAY_FIELDS), 14);
    }
}
