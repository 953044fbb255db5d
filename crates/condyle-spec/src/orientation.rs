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

/// A flag that can be left to the compiler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Limited {
    False,
    True,
    /// On when a range is given (and `Compiler::autolimits` is on).
    #[default]
    Auto,
}

/// Whether a free joint's body frame is moved to its inertial frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AlignFree {
    False,
    True,
    /// As the compiler setting says.
    #[default]
    Auto,
}

/// Where the inertia of a body comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InertiaFromGeom {
    /// Only from its explicit inertia.
    False,
    /// Always from its geoms.
    True,
    /// From its geoms when no explicit inertia is given.
    #[default]
    Auto,
}

/// Where a geom's mass sits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GeomInertia {
    #[default]
    Volume,
    Shell,
}

/// How the volume and inertia of a mesh are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MeshInertia {
    Convex,
    Exact,
    #[default]
    Legacy,
    Shell,
}

/// A mesh made by the compiler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MeshBuiltin {
    #[default]
    None,
    Sphere,
    Hemisphere,
    Cone,
    Supersphere,
    Supertorus,
    Wedge,
    Plate,
}

/// A texture made by the compiler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextureBuiltin {
    #[default]
    None,
    Gradient,
    Checker,
    Flat,
}

/// Marks drawn on a texture made by the compiler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextureMark {
    #[default]
    None,
    Edge,
    Cross,
    Random,
}
