//! Tendons and the objects they pass.

use condyle_model::diagnostic::Location;

use super::{Info, SOLIMP, SOLREF};
use crate::orientation::Limited;

/// A length computed from joints (fixed) or from a path over sites and geoms (spatial).
#[derive(Clone, Debug)]
pub struct Tendon {
    pub info: Info,
    pub path: Vec<(Wrap, Option<Location>)>,
    pub stiffness: f64,
    /// Resting range of the spring; both -1: the length at the spring configuration.
    pub springlength: [f64; 2],
    pub damping: f64,
    pub frictionloss: f64,
    pub solref_friction: [f64; 2],
    pub solimp_friction: [f64; 5],
    pub armature: f64,
    pub limited: Limited,
    pub actfrclimited: Limited,
    pub range: [f64; 2],
    pub actfrcrange: [f64; 2],
    pub margin: f64,
    pub solref_limit: [f64; 2],
    pub solimp_limit: [f64; 5],
    pub material: String,
    pub width: f64,
    pub rgba: [f32; 4],
    pub group: i32,
    pub userdata: Vec<f64>,
}

impl Default for Tendon {
    fn default() -> Self {
        Self {
            info: Info::default(),
            path: Vec::new(),
            stiffness: 0.0,
            springlength: [-1.0; 2],
            damping: 0.0,
            frictionloss: 0.0,
            solref_friction: SOLREF,
            solimp_friction: SOLIMP,
            armature: 0.0,
            limited: Limited::Auto,
            actfrclimited: Limited::False,
            range: [0.0; 2],
            actfrcrange: [0.0; 2],
            margin: 0.0,
            solref_limit: SOLREF,
            solimp_limit: SOLIMP,
            material: String::new(),
            width: 0.003,
            rgba: [0.5, 0.5, 0.5, 1.0],
            group: 0,
            userdata: Vec::new(),
        }
    }
}

/// One object on the path of a tendon.
#[derive(Clone, Debug, PartialEq)]
pub enum Wrap {
    Joint {
        joint: String,
        coef: f64,
    },
    Site {
        site: String,
    },
    /// Wraps around a sphere or cylinder geom; the side site chooses the side (empty for none).
    Geom {
        geom: String,
        sidesite: String,
    },
    Pulley {
        divisor: f64,
    },
}
