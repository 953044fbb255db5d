//! Words that stand for values, by the name the schema table gives the set. Words of enumerations are declared with them.

use condyle_model::{
    BiasType, ColorSpace, Cone, DynamicsType, FlexSelfCollide, GainType, GeomType, Integrator, Jacobian,
    JointType, LengthRangeMode, LightType, Projection, SensorDataType, SleepPolicy, Solver, Stage,
    TextureRole, TextureType, TrackingMode,
};
use condyle_spec::edit::form::{
    ANGLE, CAMERA_OUTPUT, ELASTIC_2D, FLAG, FLUID_SHAPE, INTERPOLATION, Keywords,
};
use condyle_spec::{GeomInertia, Limited, MeshBuiltin, MeshInertia, TextureBuiltin, TextureMark};

/// Words beyond the reference's format, as set and word.
pub const EXTENSION_WORDS: &[(&str, &str)] = &[
    ("dyntype", "hillmuscle"),
    ("gaintype", "hillmuscle"),
    ("biastype", "hillmuscle"),
    ("tendonmodel", "rigid"),
    ("tendonmodel", "compliant"),
    ("musclecurve", "standard"),
    ("musclecurve", "smooth"),
    ("musclecurve", "thelen"),
    ("musclecurve", "millard"),
];

/// The set of this name.
pub fn keywords(set: &str) -> Option<Keywords> {
    Some(match set {
        "coordinate" => &[("local", 0), ("global", 1)],
        "angle" => ANGLE,
        "bool" => FLAG,
        "enable" => &[("disable", 0), ("enable", 1)],
        "auto" => Limited::WORDS,
        "fluidshape" => FLUID_SHAPE,
        "bodysleep" => SleepPolicy::WORDS,
        "joint" => JointType::WORDS,
        "geom" => GeomType::WORDS,
        "projection" => Projection::WORDS,
        "tracking" => TrackingMode::WORDS,
        "light" => LightType::WORDS,
        "role" => TextureRole::WORDS,
        "integrator" => Integrator::WORDS,
        "cone" => Cone::WORDS,
        "jacobian" => Jacobian::WORDS,
        "solver" => Solver::WORDS,
        "texture" => TextureType::WORDS,
        "colorspace" => ColorSpace::WORDS,
        "texturebuiltin" => TextureBuiltin::WORDS,
        "mark" => TextureMark::WORDS,
        "dyntype" => DynamicsType::WORDS,
        "gaintype" => GainType::WORDS,
        "biastype" => BiasType::WORDS,
        "tendonmodel" => &[("rigid", 0), ("compliant", 1)],
        "musclecurve" => &condyle_model::hill::Curve::WORDS,
        "interp" => INTERPOLATION,
        "needstage" => Stage::WORDS,
        "datatype" => SensorDataType::WORDS,
        "contactdata" => &[
            ("found", 0),
            ("force", 1),
            ("torque", 2),
            ("dist", 3),
            ("pos", 4),
            ("normal", 5),
            ("tangent", 6),
        ],
        "raydata" => &[("dist", 0), ("dir", 1), ("origin", 2), ("point", 3), ("normal", 4), ("depth", 5)],
        "cameraoutput" => CAMERA_OUTPUT,
        "reduce" => &[("none", 0), ("mindist", 1), ("maxforce", 2), ("netforce", 3)],
        "lengthrangemode" => LengthRangeMode::WORDS,
        "composite" => &[("particle", 0), ("grid", 1), ("rope", 2), ("loop", 3), ("cable", 4), ("cloth", 5)],
        "kind" => &[("main", 0)],
        "curve" => &[("s", 0), ("cos(s)", 1), ("sin(s)", 2), ("0", 3)],
        "shellinertia" => GeomInertia::WORDS,
        "meshinertia" => MeshInertia::WORDS,
        "meshbuiltin" => MeshBuiltin::WORDS,
        "flexcomp" => &[
            ("grid", 0),
            ("box", 1),
            ("cylinder", 2),
            ("ellipsoid", 3),
            ("square", 4),
            ("disc", 5),
            ("circle", 6),
            ("mesh", 7),
            ("gmsh", 8),
            ("direct", 9),
        ],
        "flexdof" => &[("full", 0), ("radial", 1), ("trilinear", 2), ("quadratic", 3)],
        "selfcollide" => FlexSelfCollide::WORDS,
        "elastic2d" => ELASTIC_2D,
        "flexequality" => &[("false", 0), ("true", 1), ("vert", 2)],
        _ => return None,
    })
}
