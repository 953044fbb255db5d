//! Geoms and sites.

use condyle_model::GeomType;

use super::body::Frame;
use super::custom::PluginRef;
use super::table::element;
use super::{SOLIMP, SOLREF};
use crate::arena::Id;
use crate::edit::form::FLUID_SHAPE;
use crate::orientation::{GeomInertia, Orientation};

element! {
    /// A shape attached to a body: collides, gives mass, is seen.
    Geom {
        parts {
            /// Frame whose coordinates the pose is in, besides those of the body.
            pub frame: Option<Id<Frame>> = None;
            /// Orientation, where it is not given as a quaternion.
            pub alt: Option<Orientation> = None;
            /// Plugin that makes the shape.
            pub plugin: PluginRef = PluginRef::default();
        }
        /// Shape.
        kind as "type": GeomType = GeomType::Sphere, "type" => geom_type;
        /// Radii, half lengths or half sizes in the order of the shape, m; `fromto` supplies the last one.
        size: [f64; 3] = [0.0; 3], "size" at_most => geom_size;
        /// Bits of what the geom is; a pair collides when one side's bits meet the other's `conaffinity`.
        contype: i32 = 1, "contype" => geom_contype;
        /// Bits of what the geom collides with.
        conaffinity: i32 = 1, "conaffinity" => geom_conaffinity;
        /// Contact dimension: 1 normal force only, 3 with sliding, 4 also spinning, 6 also rolling friction.
        condim: i32 = 3, "condim" => geom_condim;
        /// Visibility group.
        group: i32 = 0, "group" => geom_group;
        /// The geom of higher priority decides the contact parameters of a pair.
        priority: i32 = 0, "priority" => geom_priority;
        /// Friction coefficients: sliding (1), spinning (m), rolling (m).
        friction: [f64; 3] = [1.0, 0.005, 0.0001], "friction" at_most => geom_friction;
        /// Weight in the average of `solref` and `solimp` over a pair.
        solmix: f64 = 1.0, "solmix" => geom_solmix;
        /// Reference parameters of contacts: time constant (s) and damping ratio, or -stiffness and -damping.
        solref: [f64; 2] = SOLREF, "solref" at_most => geom_solref;
        /// Impedance parameters of contacts: minimum, maximum, width (m), midpoint, power.
        solimp: [f64; 5] = SOLIMP, "solimp" at_most => geom_solimp;
        /// Contacts are detected below this distance, m; the margins of a pair add.
        margin: f64 = 0.0, "margin" => geom_margin;
        /// Contacts act below margin minus gap, m; the gaps of a pair add.
        gap: f64 = 0.0, "gap" => geom_gap;
        /// Height field of a geom of that type.
        hfieldname: String = String::new(), "hfield" -> HField;
        /// Mesh of a geom of that type, or to which another shape is fitted.
        meshname: String = String::new(), "mesh" -> Mesh;
        /// Scale of a shape fitted to a mesh.
        fitscale: f64 = 1.0, "fitscale";
        /// Material.
        material: String = String::new(), "material" -> Material => geom_matid;
        /// Colour when there is no material, 0 to 1.
        rgba: [f32; 4] = [0.5, 0.5, 0.5, 1.0], "rgba" => geom_rgba;
        /// Whether forces of the medium act on the equivalent ellipsoid: 1 for yes.
        fluid_ellipsoid: f64 = 0.0, "fluidshape" words(FLUID_SHAPE);
        /// Coefficients of the forces of the medium on the ellipsoid: drag blunt, slender and angular, lift Kutta and Magnus.
        fluid_coefs: [f64; 5] = [0.5, 0.25, 1.5, 1.0, 1.0], "fluidcoef" at_most;
        /// Mass, kg; replaces the density.
        mass: Option<f64> = None, "mass";
        /// Density, kg/m³.
        density: f64 = 1000.0, "density";
        /// Whether the mass sits in the surface instead of the volume.
        typeinertia: GeomInertia = GeomInertia::Volume, "shellinertia";
        /// End points instead of a pose, for capsules, cylinders, boxes and ellipsoids, m.
        fromto: Option<[f64; 6]> = None, "fromto";
        /// User numbers.
        userdata: Vec<f64> = Vec::new(), "user" => geom_user by nuser_geom;
        /// Origin in the body frame, m.
        pos: [f64; 3] = [0.0; 3], "pos" by_hand => geom_pos;
        /// Orientation in the body frame, w first.
        quat: [f64; 4] = [1.0, 0.0, 0.0, 0.0], "quat" quaternion by_hand => geom_quat;
    }
}

element! {
    /// A place on a body, for sensors, tendons and actuators.
    Site {
        parts {
            /// Frame whose coordinates the pose is in, besides those of the body.
            pub frame: Option<Id<Frame>> = None;
            /// Orientation, where it is not given as a quaternion.
            pub alt: Option<Orientation> = None;
        }
        /// Shape for drawing and for touch and inside tests.
        kind as "type": GeomType = GeomType::Sphere, "type" => site_type;
        /// Radii, half lengths or half sizes in the order of the shape, m.
        size: [f64; 3] = [0.005; 3], "size" at_most => site_size;
        /// Visibility group.
        group: i32 = 0, "group" => site_group;
        /// Material.
        material: String = String::new(), "material" -> Material => site_matid;
        /// Colour when there is no material, 0 to 1.
        rgba: [f32; 4] = [0.5, 0.5, 0.5, 1.0], "rgba" => site_rgba;
        /// End points instead of a pose, for capsules, cylinders, boxes and ellipsoids, m.
        fromto: Option<[f64; 6]> = None, "fromto";
        /// User numbers.
        userdata: Vec<f64> = Vec::new(), "user" => site_user by nuser_site;
        /// Origin in the body frame, m.
        pos: [f64; 3] = [0.0; 3], "pos" by_hand => site_pos;
        /// Orientation in the body frame, w first.
        quat: [f64; 4] = [1.0, 0.0, 0.0, 0.0], "quat" quaternion by_hand => site_quat;
    }
}
