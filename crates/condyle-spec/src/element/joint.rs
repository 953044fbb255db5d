//! Joints.

use condyle_model::JointType;

use super::body::Frame;
use super::table::element;
use super::{SOLIMP, SOLREF};
use crate::arena::Id;
use crate::orientation::{AlignFree, Limited};

element! {
    /// Degrees of freedom between a body and its parent.
    Joint {
        parts {
            /// Frame whose coordinates position and axis are in, besides those of the body.
            pub frame: Option<Id<Frame>> = None;
        }
        /// Lower and upper limit, m or an angle; for a ball joint the second is the maximum angle.
        range: [f64; 2] = [0.0; 2], "range" angle => jnt_range;
        /// Coordinate in the reference configuration, m or an angle; slides and hinges only.
        reference as "ref": f64 = 0.0, "ref" angle;
        /// Coordinate at which the spring is relaxed, m or an angle; slides and hinges only.
        springref: f64 = 0.0, "springref" angle;
        /// Kind of joint.
        kind as "type": JointType = JointType::Hinge, "type" => jnt_type;
        /// Whether `range` is enforced; `auto`: if it is given.
        limited: Limited = Limited::Auto, "limited" => jnt_limited;
        /// Whether `actuatorfrcrange` is enforced; `auto`: if it is given.
        actfrclimited: Limited = Limited::Auto, "actuatorfrclimited" => jnt_actfrclimited;
        /// Visibility group.
        group: i32 = 0, "group" => jnt_group;
        /// Anchor in the body frame, m; ignored for free joints.
        pos: [f64; 3] = [0.0; 3], "pos" => jnt_pos;
        /// Axis in the body frame, of any length; slides and hinges only.
        axis: [f64; 3] = [0.0, 0.0, 1.0], "axis" => jnt_axis;
        /// Time constant (s) and damping ratio of the spring; when positive they replace stiffness and damping.
        springdamper: [f64; 2] = [0.0; 2], "springdamper";
        /// Reference parameters of the limit: time constant (s) and damping ratio, or -stiffness and -damping.
        solref_limit: [f64; 2] = SOLREF, "solreflimit" at_most => jnt_solref;
        /// Impedance parameters of the limit: minimum, maximum, width (m or rad), midpoint, power.
        solimp_limit: [f64; 5] = SOLIMP, "solimplimit" at_most => jnt_solimp;
        /// Reference parameters of dry friction, as `solreflimit`.
        solref_friction: [f64; 2] = SOLREF, "solreffriction" at_most => [dof_solref];
        /// Impedance parameters of dry friction, as `solimplimit`.
        solimp_friction: [f64; 5] = SOLIMP, "solimpfriction" at_most => [dof_solimp];
        /// Spring stiffness, N/m or N m/rad.
        stiffness: f64 = 0.0, "stiffness" => jnt_stiffness;
        /// Range of the total actuator force on the joint, N or N m.
        actfrcrange: [f64; 2] = [0.0; 2], "actuatorfrcrange" => jnt_actfrcrange;
        /// Whether gravity compensation counts as actuator force instead of passive force.
        actgravcomp: bool = false, "actuatorgravcomp" => jnt_actgravcomp;
        /// Distance from a limit below which its constraint row exists, m or rad.
        margin: f64 = 0.0, "margin" => jnt_margin;
        /// Inertia added to the diagonal of the joint-space inertia, kg or kg m².
        armature: f64 = 0.0, "armature" => [dof_armature];
        /// Linear damping, N s/m or N m s/rad.
        damping: f64 = 0.0, "damping" => [dof_damping];
        /// Dry friction: maximum force opposing the motion, N or N m.
        frictionloss: f64 = 0.0, "frictionloss" => [dof_frictionloss];
        /// Inertia added to the diagonal of the joint-space inertia for each unit of stiffness, s².
        springinertia: f64 = 0.0, "springinertia" extension => jnt_springinertia;
        /// User numbers.
        userdata: Vec<f64> = Vec::new(), "user" => jnt_user by nuser_jnt;
        /// Whether a free joint's body frame is moved to its inertial frame; an attribute of `<freejoint>` alone.
        align: AlignFree = AlignFree::Auto, ;
    }
}
