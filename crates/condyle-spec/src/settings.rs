//! Settings of a [`Spec`](crate::Spec): how it is compiled, sizes, overrides of the statistics.

pub use condyle_engine::constants::LengthRangeOptions;

use crate::orientation::InertiaFromGeom;

/// How the elements of a spec are read and compiled.
#[derive(Clone, Debug)]
pub struct Compiler {
    /// Infer that a range limits when it is given.
    pub autolimits: bool,
    /// Least mass of a body, except the world.
    pub boundmass: f64,
    /// Least diagonal inertia of a body, except the world.
    pub boundinertia: f64,
    /// Total mass to scale to; not positive: no scaling.
    pub settotalmass: f64,
    /// Replace a diagonal inertia that violates A + B ≥ C by its mean.
    pub balanceinertia: bool,
    /// Fit primitives to the bounding box of a mesh instead of its inertia box.
    pub fitaabb: bool,
    /// Angles are in degrees.
    pub degree: bool,
    /// Axes of Euler angles: lower case moves with the rotation, upper case is fixed.
    pub eulerseq: [u8; 3],
    /// Drop what is only for looking at.
    pub discardvisual: bool,
    /// Whether MuJoCo may compile with several threads; without effect here.
    pub usethread: bool,
    /// Merge bodies without joints into their parents.
    pub fusestatic: bool,
    /// Where the inertia of bodies comes from.
    pub inertiafromgeom: InertiaFromGeom,
    /// First and last geom group that gives inertia.
    pub inertiagrouprange: [i32; 2],
    /// Write inertia explicitly when saving.
    pub saveinertial: bool,
    /// Move the frame of free bodies to their inertial frame.
    pub alignfree: bool,
    /// How ranges of actuator lengths are computed.
    pub length_range: LengthRangeOptions,
    /// Folder of meshes and height fields.
    pub meshdir: String,
    /// Folder of textures.
    pub texturedir: String,
}

impl Default for Compiler {
    fn default() -> Self {
        Self {
            autolimits: true,
            boundmass: 0.0,
            boundinertia: 0.0,
            settotalmass: -1.0,
            balanceinertia: false,
            fitaabb: false,
            degree: true,
            eulerseq: *b"xyz",
            discardvisual: false,
            usethread: true,
            fusestatic: false,
            inertiafromgeom: InertiaFromGeom::Auto,
            inertiagrouprange: [0, 5],
            saveinertial: false,
            alignfree: false,
            length_range: LengthRangeOptions::default(),
            meshdir: String::new(),
            texturedir: String::new(),
        }
    }
}

/// Statistics that replace the computed ones.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StatisticOverride {
    /// Mean diagonal inertia.
    pub meaninertia: Option<f64>,
    /// Mean mass of bodies, kg.
    pub meanmass: Option<f64>,
    /// Mean size of bodies, m.
    pub meansize: Option<f64>,
    /// Size of the model, m.
    pub extent: Option<f64>,
    /// Centre of the model, m.
    pub center: Option<[f64; 3]>,
}

/// Sizes the user can set; -1 leaves them to the compiler.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes {
    /// Bytes of arena memory.
    pub memory: i64,
    /// Read and not used.
    pub nemax: i32,
    /// Numbers of the user in the data.
    pub nuserdata: i32,
    /// User numbers of each body; -1: as many as needed.
    pub nuser_body: i32,
    /// User numbers of each joint; -1: as many as needed.
    pub nuser_jnt: i32,
    /// User numbers of each geom; -1: as many as needed.
    pub nuser_geom: i32,
    /// User numbers of each site; -1: as many as needed.
    pub nuser_site: i32,
    /// User numbers of each camera; -1: as many as needed.
    pub nuser_cam: i32,
    /// User numbers of each tendon; -1: as many as needed.
    pub nuser_tendon: i32,
    /// User numbers of each actuator; -1: as many as needed.
    pub nuser_actuator: i32,
    /// User numbers of each sensor; -1: as many as needed.
    pub nuser_sensor: i32,
    /// Least number of keyframes.
    pub nkey: i32,
    /// Most constraint rows of older versions; -1: not given.
    pub njmax: i32,
    /// Most contacts of older versions; -1: not given.
    pub nconmax: i32,
    /// Size of the stack of older versions; -1: not given.
    pub nstack: i64,
}

impl Default for Sizes {
    fn default() -> Self {
        Self {
            memory: -1,
            nemax: 0,
            nuserdata: 0,
            nuser_body: -1,
            nuser_jnt: -1,
            nuser_geom: -1,
            nuser_site: -1,
            nuser_cam: -1,
            nuser_tendon: -1,
            nuser_actuator: -1,
            nuser_sensor: -1,
            nkey: 0,
            njmax: -1,
            nconmax: -1,
            nstack: -1,
        }
    }
}
