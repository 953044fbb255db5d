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

/// A feature that a bit of `disableflags` or `enableflags` switches.
#[derive(Clone, Copy, Debug)]
pub struct Flag {
    /// Name in MJCF.
    pub name: &'static str,
    /// Its bit.
    pub bit: i32,
    /// The feature.
    pub meaning: &'static str,
}

/// Declares the features of a set: constants, and a list with their names in MJCF.
macro_rules! flags {
    ($(#[doc = $about:literal] $set:ident { $(#[doc = $meaning:literal] $constant:ident = $bit:literal, $name:literal;)* })*) => {$(
        #[doc = $about]
        pub mod $set {
            $(#[doc = $meaning] pub const $constant: i32 = 1 << $bit;)*
            /// All of them, with their names in MJCF.
            pub const FLAGS: &[super::Flag] =
                &[$(super::Flag { name: $name, bit: $constant, meaning: $meaning }),*];
        }
    )*};
}

flags! {
    /// Bits of `disableflags`: standard features that can be switched off.
    disable {
        /// All constraint rows.
        CONSTRAINT = 0, "constraint";
        /// Equality constraints.
        EQUALITY = 1, "equality";
        /// Dry friction in joints and tendons.
        FRICTIONLOSS = 2, "frictionloss";
        /// Limits of joints and tendons.
        LIMIT = 3, "limit";
        /// Collision detection and contact constraints.
        CONTACT = 4, "contact";
        /// Springs of joints, tendons and flexes.
        SPRING = 5, "spring";
        /// Dampers of joints, tendons and flexes.
        DAMPER = 6, "damper";
        /// Gravity.
        GRAVITY = 7, "gravity";
        /// Clamping of controls to their range.
        CLAMPCTRL = 8, "clampctrl";
        /// Starting the solver from the previous solution.
        WARMSTART = 9, "warmstart";
        /// Ignoring contacts between a body and its parent.
        FILTERPARENT = 10, "filterparent";
        /// Actuator forces and activation dynamics.
        ACTUATION = 11, "actuation";
        /// Raising a time constant in `solref` that is too short for the time step.
        REFSAFE = 12, "refsafe";
        /// Computation of sensors.
        SENSOR = 13, "sensor";
        /// Bounding-volume trees in collision detection.
        MIDPHASE = 14, "midphase";
        /// Implicit integration of joint damping in the Euler integrator.
        EULERDAMP = 15, "eulerdamp";
        /// Resetting the simulation after an invalid value.
        AUTORESET = 16, "autoreset";
        /// The native convex collision algorithm; without it, MPR is used.
        NATIVECCD = 17, "nativeccd";
        /// Splitting the constraints into independent islands.
        ISLAND = 18, "island";
    }
    /// Bits of `enableflags`: optional features that can be switched on.
    enable {
        /// One set of contact parameters for all contacts.
        OVERRIDE = 0, "override";
        /// Potential and kinetic energy.
        ENERGY = 1, "energy";
        /// Comparing forward with inverse dynamics.
        FWDINV = 2, "fwdinv";
        /// Inverse dynamics for discrete time.
        INVDISCRETE = 3, "invdiscrete";
        /// Several contacts for a pair of convex shapes.
        MULTICCD = 4, "multiccd";
        /// Letting trees at rest fall asleep.
        SLEEP = 5, "sleep";
    }
}
