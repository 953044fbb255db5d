//! Joints.

use condyle_model::JointType;

use super::body::Frame;
use super::{Info, SOLIMP, SOLREF};
use crate::arena::Id;
use crate::orientation::{AlignFree, Limited};

/// Degrees of freedom between a body and its parent.
#[derive(Clone, Debug)]
pub struct Joint {
    pub info: Info,
    pub frame: Option<Id<Frame>>,
    pub kind: JointType,
    /// Anchor in the body frame; ignored for free joints.
    pub pos: [f64; 3],
    /// Axis in the body frame; ignored for free and ball joints.
    pub axis: [f64; 3],
    /// Joint coordinate in the initial configuration.
    pub reference: f64,
    pub align: AlignFree,
    pub stiffness: f64,
    pub springref: f64,
    /// Time constant and damping ratio; when positive they replace stiffness and damping.
    pub springdamper: [f64; 2],
    pub limited: Limited,
    pub range: [f64; 2],
    pub margin: f64,
    pub solref_limit: [f64; 2],
    pub solimp_limit: [f64; 5],
    pub actfrclimited: Limited,
    pub actfrcrange: [f64; 2],
    pub armature: f64,
    pub damping: f64,
    pub frictionloss: f64,
    pub solref_friction: [f64; 2],
    pub solimp_friction: [f64; 5],
    /// Extension: inertia on the diagonal of the mass matrix for each unit of stiffness, s².
    pub springinertia: f64,
    pub group: i32,
    pub actgravcomp: bool,
    pub userdata: Vec<f64>,
}

impl Default for Joint {
    fn default() -> Self {
        Self {
            info: Info::default(),
            frame: None,
            kind: JointType::Hinge,
            pos: [0.0; 3],
            axis: [0.0, 0.0, 1.0],
            reference: 0.0,
            align: AlignFree::Auto,
            stiffness: 0.0,
            springref: 0.0,
            springdamper: [0.0; 2],
            limited: Limited::Auto,
            range: [0.0; 2],
            margin: 0.0,
            solref_limit: SOLREF,
            solimp_limit: SOLIMP,
            actfrclimited: Limited::Auto,
            actfrcrange: [0.0; 2],
            armature: 0.0,
            damping: 0.0,
            frictionloss: 0.0,
            solref_friction: SOLREF,
            solimp_friction: SOLIMP,
            springinertia: 0.0,
            group: 0,
            actgravcomp: false,
            userdata: Vec::new(),
        }
    }
}
