//! Bodies and frames.

use condyle_model::SleepPolicy;

use super::custom::PluginRef;
use super::{Camera, Geom, Info, Joint, Light, Site};
use crate::arena::Id;
use crate::orientation::Orientation;

/// A rigid body and what is attached to it.
#[derive(Clone, Debug)]
pub struct Body {
    pub info: Info,
    /// Default class of the elements inside that name none.
    pub childclass: String,
    pub frame: Option<Id<Frame>>,

    /// Pose relative to the parent body (or to `frame`).
    pub pos: [f64; 3],
    pub quat: [f64; 4],
    pub alt: Option<Orientation>,

    /// Explicit inertia: mass, pose of the inertial frame relative to the body, diagonal inertia in that frame.
    pub mass: f64,
    pub ipos: Option<[f64; 3]>,
    pub iquat: [f64; 4],
    pub inertia: [f64; 3],
    pub ialt: Option<Orientation>,
    /// Symmetric inertia matrix about `ipos`: xx, yy, zz, xy, xz, yz.
    pub fullinertia: Option<[f64; 6]>,
    /// Whether the explicit inertia was given (and is to be saved).
    pub explicit_inertial: bool,

    pub mocap: bool,
    pub gravcomp: f64,
    pub sleep: SleepPolicy,
    pub userdata: Vec<f64>,
    pub plugin: PluginRef,

    pub(crate) parent: Option<Id<Body>>,
    pub(crate) bodies: Vec<Id<Body>>,
    pub(crate) frames: Vec<Id<Frame>>,
    pub(crate) joints: Vec<Id<Joint>>,
    pub(crate) geoms: Vec<Id<Geom>>,
    pub(crate) sites: Vec<Id<Site>>,
    pub(crate) cameras: Vec<Id<Camera>>,
    pub(crate) lights: Vec<Id<Light>>,
}

impl Default for Body {
    fn default() -> Self {
        Self {
            info: Info::default(),
            childclass: String::new(),
            frame: None,
            pos: [0.0; 3],
            quat: [1.0, 0.0, 0.0, 0.0],
            alt: None,
            mass: 0.0,
            ipos: None,
            iquat: [1.0, 0.0, 0.0, 0.0],
            inertia: [0.0; 3],
            ialt: None,
            fullinertia: None,
            explicit_inertial: false,
            mocap: false,
            gravcomp: 0.0,
            sleep: SleepPolicy::Auto,
            userdata: Vec::new(),
            plugin: PluginRef::default(),
            parent: None,
            bodies: Vec::new(),
            frames: Vec::new(),
            joints: Vec::new(),
            geoms: Vec::new(),
            sites: Vec::new(),
            cameras: Vec::new(),
            lights: Vec::new(),
        }
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

/// A coordinate transformation applied to the elements inside; it disappears in compilation.
#[derive(Clone, Debug)]
pub struct Frame {
    pub info: Info,
    pub childclass: String,
    /// Enclosing frame, of the same body.
    pub frame: Option<Id<Frame>>,
    pub pos: [f64; 3],
    pub quat: [f64; 4],
    pub alt: Option<Orientation>,
    pub(crate) body: Id<Body>,
}

impl Frame {
    pub(crate) fn new(body: Id<Body>, frame: Option<Id<Frame>>) -> Self {
        Self {
            info: Info::default(),
            childclass: String::new(),
            frame,
            pos: [0.0; 3],
            quat: [1.0, 0.0, 0.0, 0.0],
            alt: None,
            body,
        }
    }

    /// Body the frame belongs to.
    pub fn body(&self) -> Id<Body> {
        self.body
    }
}
