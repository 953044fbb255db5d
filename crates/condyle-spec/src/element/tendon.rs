//! Tendons and the objects they pass.

use condyle_base::diagnostic::Location;

use super::table::element;
use super::{SOLIMP, SOLREF};
use crate::orientation::Limited;

element! {
    /// A length computed from joints (fixed) or from a path over sites and geoms (spatial).
    Tendon {
        parts {
            /// What it passes, with the place where each object was written.
            pub path: Vec<(Wrap, Option<Location>)> = Vec::new();
        }
        /// Whether `range` is enforced; `auto`: if it is given.
        limited: Limited = Limited::Auto, "limited" => tendon_limited;
        /// Whether `actuatorfrcrange` is enforced; `auto`: if it is given.
        actfrclimited: Limited = Limited::False, "actuatorfrclimited" => tendon_actfrclimited;
        /// Range of the total actuator force on the tendon, N.
        actfrcrange: [f64; 2] = [0.0; 2], "actuatorfrcrange" => tendon_actfrcrange;
        /// Inertia against change of length, kg.
        armature: f64 = 0.0, "armature" => tendon_armature;
        /// Visibility group.
        group: i32 = 0, "group" => tendon_group;
        /// Minimum and maximum length, m.
        range: [f64; 2] = [0.0; 2], "range" => tendon_range;
        /// Reference parameters of the limit: time constant (s) and damping ratio, or -stiffness and -damping.
        solref_limit: [f64; 2] = SOLREF, "solreflimit" at_most => tendon_solref_lim;
        /// Impedance parameters of the limit: minimum, maximum, width (m), midpoint, power.
        solimp_limit: [f64; 5] = SOLIMP, "solimplimit" at_most => tendon_solimp_lim;
        /// Reference parameters of dry friction, as `solreflimit`.
        solref_friction: [f64; 2] = SOLREF, "solreffriction" at_most => tendon_solref_fri;
        /// Impedance parameters of dry friction, as `solimplimit`.
        solimp_friction: [f64; 5] = SOLIMP, "solimpfriction" at_most => tendon_solimp_fri;
        /// Dry friction: maximum force opposing the motion, N.
        frictionloss: f64 = 0.0, "frictionloss" => tendon_frictionloss;
        /// Range of length without spring force, m; both -1: the length at the spring configuration.
        springlength: [f64; 2] = [-1.0; 2], "springlength" at_most => tendon_lengthspring;
        /// Distance from a limit below which its constraint row exists, m.
        margin: f64 = 0.0, "margin" => tendon_margin;
        /// Spring stiffness, N/m.
        stiffness: f64 = 0.0, "stiffness" => tendon_stiffness;
        /// Linear damping, N s/m.
        damping: f64 = 0.0, "damping" => tendon_damping;
        /// User numbers.
        userdata: Vec<f64> = Vec::new(), "user" => tendon_user by nuser_tendon;
        /// Material.
        material: String = String::new(), "material" -> Material => tendon_matid;
        /// Radius for drawing, m.
        width: f64 = 0.003, "width" => tendon_width;
        /// Colour when there is no material, 0 to 1.
        rgba: [f32; 4] = [0.5, 0.5, 0.5, 1.0], "rgba" => tendon_rgba;
    }
}

/// One object on the path of a tendon.
#[derive(Clone, Debug, PartialEq)]
pub enum Wrap {
    /// A joint of a fixed tendon.
    Joint {
        /// Name of the joint.
        joint: String,
        /// What its coordinate is multiplied by.
        coef: f64,
    },
    /// A point the tendon passes through.
    Site {
        /// Name of the site.
        site: String,
    },
    /// Wraps around a sphere or cylinder geom; the side site chooses the side (empty for none).
    Geom {
        /// Name of the geom.
        geom: String,
        /// Name of the site on the side to pass; empty for none.
        sidesite: String,
    },
    /// The start of a new branch.
    Pulley {
        /// What the lengths of the branch are divided by.
        divisor: f64,
    },
}
