//! Geoms and sites.

use condyle_model::GeomType;

use super::body::Frame;
use super::custom::PluginRef;
use super::{Info, SOLIMP, SOLREF};
use crate::arena::Id;
use crate::orientation::{GeomInertia, Orientation};

/// A shape attached to a body: collides, gives mass, is seen.
#[derive(Clone, Debug)]
pub struct Geom {
    pub info: Info,
    pub frame: Option<Id<Frame>>,
    pub kind: GeomType,
    pub pos: [f64; 3],
    pub quat: [f64; 4],
    pub alt: Option<Orientation>,
    /// End points instead of a pose, for capsule, cylinder, box and ellipsoid.
    pub fromto: Option<[f64; 6]>,
    /// Sizes in the order of the kind; a fromto supplies the last one.
    pub size: [f64; 3],

    pub contype: i32,
    pub conaffinity: i32,
    pub condim: i32,
    pub priority: i32,
    pub friction: [f64; 3],
    pub solmix: f64,
    pub solref: [f64; 2],
    pub solimp: [f64; 5],
    pub margin: f64,
    pub gap: f64,

    /// Mass; replaces the density.
    pub mass: Option<f64>,
    pub density: f64,
    pub typeinertia: GeomInertia,

    /// Whether forces of the medium act on the equivalent ellipsoid: 1 for yes.
    pub fluid_ellipsoid: f64,
    pub fluid_coefs: [f64; 5],

    pub material: String,
    pub rgba: [f32; 4],
    pub group: i32,
    pub hfieldname: String,
    pub meshname: String,
    /// Scale of a primitive fitted to a mesh.
    pub fitscale: f64,
    pub userdata: Vec<f64>,
    pub plugin: PluginRef,
}

impl Default for Geom {
    fn default() -> Self {
        Self {
            info: Info::default(),
            frame: None,
            kind: GeomType::Sphere,
            pos: [0.0; 3],
            quat: [1.0, 0.0, 0.0, 0.0],
            alt: None,
            fromto: None,
            size: [0.0; 3],
            contype: 1,
            conaffinity: 1,
            condim: 3,
            priority: 0,
            friction: [1.0, 0.005, 0.0001],
            solmix: 1.0,
            solref: SOLREF,
            solimp: SOLIMP,
            margin: 0.0,
            gap: 0.0,
            mass: None,
            density: 1000.0,
            typeinertia: GeomInertia::Volume,
            fluid_ellipsoid: 0.0,
            fluid_coefs: [0.5, 0.25, 1.5, 1.0, 1.0],
            material: String::new(),
            rgba: [0.5, 0.5, 0.5, 1.0],
            group: 0,
            hfieldname: String::new(),
            meshname: String::new(),
            fitscale: 1.0,
            userdata: Vec::new(),
            plugin: PluginRef::default(),
        }
    }
}

/// A place on a body, for sensors, tendons and actuators.
#[derive(Clone, Debug)]
pub struct Site {
    pub info: Info,
    pub frame: Option<Id<Frame>>,
    pub kind: GeomType,
    pub pos: [f64; 3],
    pub quat: [f64; 4],
    pub alt: Option<Orientation>,
    pub fromto: Option<[f64; 6]>,
    pub size: [f64; 3],
    pub material: String,
    pub group: i32,
    pub rgba: [f32; 4],
    pub userdata: Vec<f64>,
}

impl Default for Site {
    fn default() -> Self {
        Self {
            info: Info::default(),
            frame: None,
            kind: GeomType::Sphere,
            pos: [0.0; 3],
            quat: [1.0, 0.0, 0.0, 0.0],
            alt: None,
            fromto: None,
            size: [0.005; 3],
            material: String::new(),
            group: 0,
            rgba: [0.5, 0.5, 0.5, 1.0],
            userdata: Vec::new(),
        }
    }
}
