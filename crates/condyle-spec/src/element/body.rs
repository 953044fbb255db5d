//! Bodies and frames.

use condyle_model::SleepPolicy;

use super::custom::PluginRef;
use super::table::element;
use super::{Camera, Geom, Joint, Light, Site};
use crate::arena::Id;
use crate::orientation::Orientation;

element! {
    /// A rigid body and what is attached to it.
    Body {
        parts {
            /// Frame whose coordinates the pose is in, besides those of the parent.
            pub frame: Option<Id<Frame>> = None;
            /// Orientation, where it is not given as a quaternion.
            pub alt: Option<Orientation> = None;
            /// Orientation of the inertial frame, where it is not given as a quaternion.
            pub ialt: Option<Orientation> = None;
            /// Plugin that acts on the body.
            pub plugin: PluginRef = PluginRef::default();
            pub(crate) parent: Option<Id<Body>> = None;
            pub(crate) bodies: Vec<Id<Body>> = Vec::new();
            pub(crate) frames: Vec<Id<Frame>> = Vec::new();
            pub(crate) joints: Vec<Id<Joint>> = Vec::new();
            pub(crate) geoms: Vec<Id<Geom>> = Vec::new();
            pub(crate) sites: Vec<Id<Site>> = Vec::new();
            pub(crate) cameras: Vec<Id<Camera>> = Vec::new();
            pub(crate) lights: Vec<Id<Light>> = Vec::new();
        }
        /// Default class of the elements inside that name none.
        childclass: String = String::new(), "childclass" class by_hand;
        /// Position in the frame of the parent, m.
        pos: [f64; 3] = [0.0; 3], "pos" by_hand => body_pos;
        /// Orientation in the frame of the parent, w first.
        quat: [f64; 4] = [1.0, 0.0, 0.0, 0.0], "quat" quaternion by_hand => body_quat;
        /// Whether programs move the body instead of physics.
        mocap: bool = false, "mocap" => (body_mocapid);
        /// Share of the weight that is taken off; 1: all of it.
        gravcomp: f64 = 0.0, "gravcomp" => body_gravcomp;
        /// Whether the tree of the body may fall asleep.
        sleep: SleepPolicy = SleepPolicy::Auto, "sleep" => (tree_sleep_policy);
        /// User numbers.
        userdata: Vec<f64> = Vec::new(), "user" => body_user by nuser_body;
        /// Centre of mass in the body frame, m.
        ipos: Option<[f64; 3]> = None, "pos" inertial => (body_ipos);
        /// Orientation of the inertial frame in the body frame, w first.
        iquat: [f64; 4] = [1.0, 0.0, 0.0, 0.0], "quat" quaternion inertial => body_iquat;
        /// Mass, kg.
        mass: f64 = 0.0, "mass" inertial => body_mass;
        /// Diagonal of the inertia in the inertial frame, kg m².
        inertia: [f64; 3] = [0.0; 3], "diaginertia" inertial => body_inertia;
        /// Symmetric inertia matrix about the centre of mass in the body frame: xx, yy, zz, xy, xz, yz, kg m².
        fullinertia: Option<[f64; 6]> = None, "fullinertia" inertial => (body_inertia);
        /// Whether mass and inertia are given, and are to be saved.
        explicit_inertial as "explicitinertial": bool = false, ;
    }
}

impl Body {
    /// Parent body; the world has none.
    pub fn parent(&self) -> Option<Id<Body>> {
        self.parent
    }

    /// Child bodies in order of creation.
    pub fn bodies(&self) -> &[Id<Body>] {
        &self.bodies
    }

    /// Frames in order of creation.
    pub fn frames(&self) -> &[Id<Frame>] {
        &self.frames
    }

    /// Joints in order of creation.
    pub fn joints(&self) -> &[Id<Joint>] {
        &self.joints
    }

    /// Geoms in order of creation.
    pub fn geoms(&self) -> &[Id<Geom>] {
        &self.geoms
    }

    /// Sites in order of creation.
    pub fn sites(&self) -> &[Id<Site>] {
        &self.sites
    }

    /// Cameras in order of creation.
    pub fn cameras(&self) -> &[Id<Camera>] {
        &self.cameras
    }

    /// Lights in order of creation.
    pub fn lights(&self) -> &[Id<Light>] {
        &self.lights
    }
}

element! {
    /// A coordinate transformation applied to the elements inside; it disappears in compilation.
    Frame {
        parts {
            /// Enclosing frame, of the same body.
            pub frame: Option<Id<Frame>> = None;
            /// Orientation, where it is not given as a quaternion.
            pub alt: Option<Orientation> = None;
            pub(crate) body: Id<Body> = Id::new(0);
        }
        /// Default class of the elements inside that name none.
        childclass: String = String::new(), "childclass" class by_hand;
        /// Position in the frame around it, m.
        pos: [f64; 3] = [0.0; 3], "pos" by_hand;
        /// Orientation in the frame around it, w first.
        quat: [f64; 4] = [1.0, 0.0, 0.0, 0.0], "quat" quaternion by_hand;
    }
}

impl Frame {
    pub(crate) fn new(body: Id<Body>, frame: Option<Id<Frame>>) -> Self {
        Self { body, frame, ..Self::default() }
    }

    /// Body the frame belongs to.
    pub fn body(&self) -> Id<Body> {
        self.body
    }
}
