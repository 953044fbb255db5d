//! Ways of writing an orientation, and the choices a setting can have.

/// An orientation written other than as a quaternion. Angles are in the unit the compiler settings name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Orientation {
    /// Axis (need not be a unit vector) and angle.
    AxisAngle([f64; 4]),
    /// X axis and Y axis; Y is made orthogonal to X.
    XyAxes([f64; 6]),
    /// Z axis, reached from (0,0,1) by the smallest rotation.
    ZAxis([f64; 3]),
    /// Three angles about the axes of `Compiler::euler_sequence`.
    Euler([f64; 3]),
}

condyle_model::enumerations! {
    /// A flag that can be left to the compiler.
    #[derive(Default)]
    Limited {
        False = 0 "false",
        True = 1 "true",
        /// On when a range is given (and `Compiler::autolimits` is on).
        #[default]
        Auto = 2 "auto",
    }
    /// Whether a free joint's body frame is moved to its inertial frame.
    #[derive(Default)]
    AlignFree {
        False = 0 "false",
        True = 1 "true",
        /// As the compiler setting says.
        #[default]
        Auto = 2 "auto",
    }
    /// Where the inertia of a body comes from.
    #[derive(Default)]
    InertiaFromGeom {
        /// Only from its explicit inertia.
        False = 0 "false",
        /// Always from its geoms.
        True = 1 "true",
        /// From its geoms when no explicit inertia is given.
        #[default]
        Auto = 2 "auto",
    }
    /// Where a geom's mass sits; the words answer whether it is a shell.
    #[derive(Default)]
    GeomInertia {
        #[default]
        Volume = 0 "false",
        Shell = 1 "true",
    }
    /// How the volume and inertia of a mesh are computed.
    #[derive(Default)]
    MeshInertia {
        Convex = 0 "convex",
        Exact = 1 "exact",
        #[default]
        Legacy = 2 "legacy",
        Shell = 3 "shell",
    }
    /// A mesh made by the compiler.
    #[derive(Default)]
    MeshBuiltin {
        #[default]
        None = 0 "none",
        Sphere = 1 "sphere",
        Hemisphere = 2 "hemisphere",
        Cone = 3 "cone",
        Supersphere = 4 "supersphere",
        Supertorus = 5 "supertorus",
        Wedge = 6 "wedge",
        Plate = 7 "plate",
    }
    /// A texture made by the compiler.
    #[derive(Default)]
    TextureBuiltin {
        #[default]
        None = 0 "none",
        Gradient = 1 "gradient",
        Checker = 2 "checker",
        Flat = 3 "flat",
    }
    /// Marks drawn on a texture made by the compiler.
    #[derive(Default)]
    TextureMark {
        #[default]
        None = 0 "none",
        Edge = 1 "edge",
        Cross = 2 "cross",
        Random = 3 "random",
    }
}
