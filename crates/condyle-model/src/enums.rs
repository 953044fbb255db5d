//! Enumerations stored in the model as integers, with their fixed values.
//!
//! Arrays keep plain `i32`, so that files and views are mechanical; [`from_i32`](JointType::from_i32) turns an entry into a typed
//! value where code branches on it.

/// Declares enumerations with fixed integer values. A variant reads `Name = number "word in MJCF",`; one without a word cannot be
/// written in MJCF.
#[macro_export]
macro_rules! enumerations {
    ($($(#[$meta:meta])* $name:ident {
        $($(#[$doc:meta])* $variant:ident = $value:literal $($word:literal)?,)*
    })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(i32)]
        #[allow(missing_docs, reason = "most values say what they are")]
        pub enum $name {
            $($(#[$doc])* $(#[doc = concat!("`", $word, "` in MJCF.")])? $variant = $value,)*
        }

        impl $name {
            /// Every value, in increasing order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The words of MJCF with the numbers they stand for.
            pub const WORDS: &'static [(&'static str, i32)] = &[$($(($word, $value),)?)*];

            /// The typed value of an array entry; `None` for an integer that has no meaning.
            #[inline]
            pub const fn from_i32(value: i32) -> Option<Self> {
                match value {
                    $($value => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    )*};
}

enumerations! {
    /// Kind of joint.
    JointType {
        Free = 0 "free",
        Ball = 1 "ball",
        Slide = 2 "slide",
        Hinge = 3 "hinge",
    }
    /// Shape of a geom; the order decides which geom of a pair comes first.
    GeomType {
        Plane = 0 "plane",
        HField = 1 "hfield",
        Sphere = 2 "sphere",
        Capsule = 3 "capsule",
        Ellipsoid = 4 "ellipsoid",
        Cylinder = 5 "cylinder",
        Box = 6 "box",
        Mesh = 7 "mesh",
        Sdf = 8 "sdf",
        Arrow = 100,
        Arrow1 = 101,
        Arrow2 = 102,
        Line = 103,
        LineBox = 104,
        Flex = 105,
        Skin = 106,
        Label = 107,
        Triangle = 108,
        None = 1001,
    }
    /// How a camera or light follows bodies.
    TrackingMode {
        Fixed = 0 "fixed",
        Track = 1 "track",
        TrackCom = 2 "trackcom",
        TargetBody = 3 "targetbody",
        TargetBodyCom = 4 "targetbodycom",
    }
    /// Camera projection.
    Projection {
        Perspective = 0 "perspective",
        Orthographic = 1 "orthographic",
    }
    /// How a step advances the state.
    Integrator {
        Euler = 0 "Euler",
        Rk4 = 1 "RK4",
        Implicit = 2 "implicit",
        ImplicitFast = 3 "implicitfast",
    }
    /// Friction cone of contacts.
    Cone {
        Pyramidal = 0 "pyramidal",
        Elliptic = 1 "elliptic",
    }
    /// Storage of the constraint Jacobian.
    Jacobian {
        Dense = 0 "dense",
        Sparse = 1 "sparse",
        Auto = 2 "auto",
    }
    /// Constraint solver.
    Solver {
        Pgs = 0 "PGS",
        Cg = 1 "CG",
        Newton = 2 "Newton",
    }
    /// Kind of equality constraint.
    EqualityType {
        Connect = 0,
        Weld = 1,
        Joint = 2,
        Tendon = 3,
        Flex = 4,
        FlexVert = 5,
        Distance = 6,
    }
    /// Kind of object on a tendon path.
    WrapType {
        None = 0,
        Joint = 1,
        Pulley = 2,
        Site = 3,
        Sphere = 4,
        Cylinder = 5,
    }
    /// How an actuator acts on the mechanism.
    TransmissionType {
        Joint = 0,
        JointInParent = 1,
        SliderCrank = 2,
        Tendon = 3,
        Site = 4,
        Body = 5,
        Undefined = 1000,
    }
    /// Activation dynamics of an actuator.
    DynamicsType {
        None = 0 "none",
        Integrator = 1 "integrator",
        Filter = 2 "filter",
        FilterExact = 3 "filterexact",
        Muscle = 4 "muscle",
        User = 5 "user",
        /// Extension: muscle activation and, with a compliant tendon, the length of the fibre.
        HillMuscle = 100 "hillmuscle",
    }
    /// How actuator force scales with its input.
    GainType {
        Fixed = 0 "fixed",
        Affine = 1 "affine",
        Muscle = 2 "muscle",
        User = 3 "user",
        /// Extension: active force of a Hill-type muscle.
        HillMuscle = 100 "hillmuscle",
    }
    /// Actuator force without input.
    BiasType {
        None = 0 "none",
        Affine = 1 "affine",
        Muscle = 2 "muscle",
        User = 3 "user",
        /// Extension: passive force of a Hill-type muscle.
        HillMuscle = 100 "hillmuscle",
    }
    /// Kind of model element.
    ObjectType {
        Unknown = 0,
        Body = 1,
        XBody = 2,
        Joint = 3,
        Dof = 4,
        Geom = 5,
        Site = 6,
        Camera = 7,
        Light = 8,
        Flex = 9,
        Mesh = 10,
        Skin = 11,
        HField = 12,
        Texture = 13,
        Material = 14,
        Pair = 15,
        Exclude = 16,
        Equality = 17,
        Tendon = 18,
        Actuator = 19,
        Sensor = 20,
        Numeric = 21,
        Text = 22,
        Tuple = 23,
        Key = 24,
        Plugin = 25,
        Frame = 100,
        Default = 101,
        Model = 102,
    }
    /// Kind of sensor.
    SensorType {
        Touch = 0,
        Accelerometer = 1,
        Velocimeter = 2,
        Gyro = 3,
        Force = 4,
        Torque = 5,
        Magnetometer = 6,
        Rangefinder = 7,
        CamProjection = 8,
        JointPos = 9,
        JointVel = 10,
        TendonPos = 11,
        TendonVel = 12,
        ActuatorPos = 13,
        ActuatorVel = 14,
        ActuatorForce = 15,
        JointActuatorForce = 16,
        TendonActuatorForce = 17,
        BallQuat = 18,
        BallAngVel = 19,
        JointLimitPos = 20,
        JointLimitVel = 21,
        JointLimitForce = 22,
        TendonLimitPos = 23,
        TendonLimitVel = 24,
        TendonLimitForce = 25,
        FramePos = 26,
        FrameQuat = 27,
        FrameXAxis = 28,
        FrameYAxis = 29,
        FrameZAxis = 30,
        FrameLinVel = 31,
        FrameAngVel = 32,
        FrameLinAcc = 33,
        FrameAngAcc = 34,
        SubtreeCom = 35,
        SubtreeLinVel = 36,
        SubtreeAngMom = 37,
        InsideSite = 38,
        GeomDistance = 39,
        GeomNormal = 40,
        GeomFromTo = 41,
        Contact = 42,
        EPotential = 43,
        EKinetic = 44,
        Clock = 45,
        Tactile = 46,
        Plugin = 47,
        User = 48,
        FiberLength = 100,
        FiberVelocity = 101,
        FiberForce = 102,
        TendonForce = 103,
        Pennation = 104,
    }
    /// Point of the pipeline after which a quantity is known.
    Stage {
        None = 0 "none",
        Pos = 1 "pos",
        Vel = 2 "vel",
        Acc = 3 "acc",
    }
    /// What values a sensor can take.
    SensorDataType {
        Real = 0 "real",
        Positive = 1 "positive",
        Axis = 2 "axis",
        Quaternion = 3 "quaternion",
    }
    /// Which frame a child frame coincides with.
    SameFrame {
        None = 0,
        Body = 1,
        Inertia = 2,
        BodyRotation = 3,
        InertiaRotation = 4,
    }
    /// Whether a tree may sleep, and who decided.
    SleepPolicy {
        Auto = 0 "auto",
        AutoNever = 1,
        AutoAllowed = 2,
        Never = 3 "never",
        Allowed = 4 "allowed",
        Init = 5 "init",
    }
    /// Which actuators get a computed length range.
    LengthRangeMode {
        None = 0 "none",
        Muscle = 1 "muscle",
        MuscleUser = 2 "muscleuser",
        All = 3 "all",
    }
    /// Kind of light.
    LightType {
        Spot = 0 "spot",
        Directional = 1 "directional",
        Point = 2 "point",
        Image = 3 "image",
    }
    /// Kind of texture.
    TextureType {
        Flat = 0 "2d",
        Cube = 1 "cube",
        Skybox = 2 "skybox",
    }
    /// Which map of a material a texture is.
    TextureRole {
        User = 0,
        Rgb = 1 "rgb",
        Occlusion = 2 "occlusion",
        Roughness = 3 "roughness",
        Metallic = 4 "metallic",
        Normal = 5 "normal",
        Opacity = 6 "opacity",
        Emissive = 7 "emissive",
        Rgba = 8 "rgba",
        Orm = 9 "orm",
    }
    /// Encoding of texture colours.
    ColorSpace {
        Auto = 0 "auto",
        Linear = 1 "linear",
        Srgb = 2 "sRGB",
    }
    /// How a flex collides with itself.
    FlexSelfCollide {
        None = 0 "none",
        Narrow = 1 "narrow",
        Bvh = 2 "bvh",
        Sap = 3 "sap",
        Auto = 4 "auto",
    }
    /// What a constraint row stands for.
    ConstraintType {
        Equality = 0,
        FrictionDof = 1,
        FrictionTendon = 2,
        LimitJoint = 3,
        LimitTendon = 4,
        ContactFrictionless = 5,
        ContactPyramidal = 6,
        ContactElliptic = 7,
    }
    /// Zone of its cost a constraint row is in.
    ConstraintState {
        Satisfied = 0,
        Quadratic = 1,
        Linearneg = 2,
        Linearpos = 3,
        Cone = 4,
    }
    /// Numbered warnings counted during simulation.
    Warning {
        Inertia = 0,
        ContactFull = 1,
        ConstraintFull = 2,
        VisualGeomFull = 3,
        BadQpos = 4,
        BadQvel = 5,
        BadQacc = 6,
        BadCtrl = 7,
    }
}

/// Bits of `disableflags`: standard features that can be switched off.
pub mod disable {
    /// All constraint rows.
    pub const CONSTRAINT: i32 = 1 << 0;
    /// Equality constraints.
    pub const EQUALITY: i32 = 1 << 1;
    /// Dry friction in joints and tendons.
    pub const FRICTIONLOSS: i32 = 1 << 2;
    /// Limits of joints and tendons.
    pub const LIMIT: i32 = 1 << 3;
    /// Collision detection and contact constraints.
    pub const CONTACT: i32 = 1 << 4;
    /// Springs of joints, tendons and flexes.
    pub const SPRING: i32 = 1 << 5;
    /// Dampers of joints, tendons and flexes.
    pub const DAMPER: i32 = 1 << 6;
    /// Gravity.
    pub const GRAVITY: i32 = 1 << 7;
    /// Clamping of controls to their range.
    pub const CLAMPCTRL: i32 = 1 << 8;
    /// Starting the solver from the previous solution.
    pub const WARMSTART: i32 = 1 << 9;
    /// Ignoring contacts between a body and its parent.
    pub const FILTERPARENT: i32 = 1 << 10;
    /// Actuator forces and activation dynamics.
    pub const ACTUATION: i32 = 1 << 11;
    /// Raising a time constant in `solref` that is too short for the time step.
    pub const REFSAFE: i32 = 1 << 12;
    /// Sensors.
    pub const SENSOR: i32 = 1 << 13;
    /// Bounding-volume trees in collision detection.
    pub const MIDPHASE: i32 = 1 << 14;
    /// Implicit integration of joint damping in the Euler integrator.
    pub const EULERDAMP: i32 = 1 << 15;
    /// Resetting the simulation after an invalid value.
    pub const AUTORESET: i32 = 1 << 16;
    /// The native convex collision algorithm; without it, MPR is used.
    pub const NATIVECCD: i32 = 1 << 17;
    /// Splitting the constraints into independent islands.
    pub const ISLAND: i32 = 1 << 18;
}

/// Bits of `enableflags`: optional features that can be switched on.
pub mod enable {
    /// One set of contact parameters for all contacts.
    pub const OVERRIDE: i32 = 1 << 0;
    /// Potential and kinetic energy.
    pub const ENERGY: i32 = 1 << 1;
    /// Comparing forward with inverse dynamics.
    pub const FWDINV: i32 = 1 << 2;
    /// Inverse dynamics for discrete time.
    pub const INVDISCRETE: i32 = 1 << 3;
    /// Several contacts for a pair of convex shapes.
    pub const MULTICCD: i32 = 1 << 4;
    /// Letting trees at rest fall asleep.
    pub const SLEEP: i32 = 1 << 5;
}
