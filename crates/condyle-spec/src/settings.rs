//! Settings of a [`Spec`](crate::Spec): how it is compiled, sizes, overrides of the statistics.

pub use condyle_engine::constants::LengthRangeOptions;
use condyle_model::LengthRangeMode;

use crate::edit::form::ANGLE;
use crate::element::table::{setting_attributes, settings};
use crate::orientation::InertiaFromGeom;

settings! {
    /// How the elements of a spec are read and compiled.
    Compiler {
        parts {
            /// How ranges of actuator lengths are computed.
            length_range: LengthRangeOptions = LengthRangeOptions::default();
        }
        /// Enforce a range whenever one is given.
        autolimits: bool = true, "autolimits";
        /// Minimum mass of a body, except the world, kg.
        boundmass: f64 = 0.0, "boundmass";
        /// Minimum diagonal inertia of a body, except the world, kg m².
        boundinertia: f64 = 0.0, "boundinertia";
        /// Total mass to scale to, kg; not positive: no scaling.
        settotalmass: f64 = -1.0, "settotalmass";
        /// Replace a diagonal inertia that violates A + B ≥ C by its mean.
        balanceinertia: bool = false, "balanceinertia";
        /// Fit primitives to the bounding box of a mesh instead of its inertia box.
        fitaabb: bool = false, "fitaabb";
        /// Unit of angles in the file.
        degree: bool = true, "angle" words(ANGLE) by_hand;
        /// Axes of Euler angles: lower case moves with the rotation, upper case is fixed.
        eulerseq: [u8; 3] = *b"xyz", "eulerseq" by_hand;
        /// Folder of meshes and height fields.
        meshdir: String = String::new(), "meshdir" by_hand;
        /// Folder of textures.
        texturedir: String = String::new(), "texturedir" by_hand;
        /// Drop everything that is only drawn.
        discardvisual: bool = false, "discardvisual";
        /// Whether MuJoCo may compile with several threads; without effect here.
        usethread: bool = true, "usethread";
        /// Merge bodies without joints into their parents.
        fusestatic: bool = false, "fusestatic";
        /// Where the inertia of bodies comes from: geoms, `<inertial>`, or geoms where that is missing.
        inertiafromgeom: InertiaFromGeom = InertiaFromGeom::Auto, "inertiafromgeom";
        /// First and last geom group that gives inertia.
        inertiagrouprange: [i32; 2] = [0, 5], "inertiagrouprange";
        /// Move the frame of free bodies to their inertial frame.
        alignfree: bool = false, "alignfree";
        /// Write inertia explicitly when saving.
        saveinertial: bool = false, "saveinertial";
    }
}

condyle_engine::length_range_options!(setting_attributes);

settings! {
    /// Statistics that replace the computed ones.
    StatisticOverride {
        parts {}
        /// Mean diagonal of the joint-space inertia, in place of the computed one.
        meaninertia: Option<f64> = None, "meaninertia";
        /// Mean mass of bodies, kg, in place of the computed one.
        meanmass: Option<f64> = None, "meanmass";
        /// Mean size of bodies, m, in place of the computed one.
        meansize: Option<f64> = None, "meansize";
        /// Radius of the model about its centre, m, in place of the computed one.
        extent: Option<f64> = None, "extent";
        /// Centre of the model, m, in place of the computed one.
        center: Option<[f64; 3]> = None, "center";
    }
}

settings! {
    /// Sizes the user can set; -1 leaves them to the compiler.
    Sizes {
        parts {}
        /// Bytes of arena memory; -1: as many as needed.
        memory: i64 = -1, "memory" by_hand;
        /// Read and not used.
        nemax: i32 = 0, ;
        /// Minimum number of keyframes.
        nkey: i32 = 0, "nkey";
        /// Number of values in `userdata`.
        nuserdata: i32 = 0, "nuserdata";
        /// Maximum number of contacts, an attribute of older versions; -1: not given.
        nconmax: i32 = -1, "nconmax";
        /// Maximum number of constraint rows, an attribute of older versions; -1: not given.
        njmax: i32 = -1, "njmax" by_hand;
        /// Size of the stack, an attribute of older versions; -1: not given.
        nstack: i64 = -1, "nstack" integer by_hand;
        /// User numbers of each body; -1: as many as needed.
        nuser_body: i32 = -1, "nuser_body";
        /// User numbers of each joint; -1: as many as needed.
        nuser_jnt: i32 = -1, "nuser_jnt";
        /// User numbers of each geom; -1: as many as needed.
        nuser_geom: i32 = -1, "nuser_geom";
        /// User numbers of each site; -1: as many as needed.
        nuser_site: i32 = -1, "nuser_site";
        /// User numbers of each camera; -1: as many as needed.
        nuser_cam: i32 = -1, "nuser_cam";
        /// User numbers of each tendon; -1: as many as needed.
        nuser_tendon: i32 = -1, "nuser_tendon";
        /// User numbers of each actuator; -1: as many as needed.
        nuser_actuator: i32 = -1, "nuser_actuator";
        /// User numbers of each sensor; -1: as many as needed.
        nuser_sensor: i32 = -1, "nuser_sensor";
    }
}
