//! Enumerations stored in the model as integers, with their fixed values.
//!
//! Arrays keep plain `i32`, so that files and views are mechanical; [`from_i32`](JointType::from_i32) turns an entry into a typed
//! value where code branches on it.

/// Declares enumerations with fixed integer values.
#[macro_export]
macro_rules! enumerations {
    ($($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $value:literal,)* })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(i32)]
        pub enum $name {
            $($(#[$doc])* $variant = $value,)*
        }

        impl $name {
            /// Every value, in increasing order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

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
        Free = 0,
        Ball = 1,
        Slide = 2,
        Hinge = 3,
    }
    /// Shape of a geom; the order decides which geom of a pair comes first.
    GeomType {
        Plane = 0,
        HField = 1,
        Sphere = 2,
        Capsule = 3,
        Ellipsoid = 4,
        Cylinder = 5,
        Box = 6,
        Mesh = 7,
        Sdf = 8,
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
        Fixed = 0,
        Track = 1,
        TrackCom = 2,
        TargetBody = 3,
        TargetBodyCom = 4,
    }
    /// Camera projection.
    Projection {
        Perspective = 0,
        Orthographic = 1,
    }
    /// How a step advances the state.
    Integrator {
        Euler = 0,
        Rk4 = 1,
        Implicit = 2,
        ImplicitFast = 3,
    }
    /// Friction cone of contacts.
    Cone {
        Pyramidal = 0,
        Elliptic = 1,
    }
    /// Storage of the constraint Jacobian.
    Jacobian {
        Dense = 0,
        Sparse = 1,
        Auto = 2,
    }
    /// Constraint solver.
    Solver {
        Pgs = 0,
        Cg = 1,
        Newton = 2,
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
        None = 0,
        Integrator = 1,
        Filter = 2,
        FilterExact = 3,
        Muscle = 4,
        User = 5,
        /// Extension: muscle activation and, with a compliant tendon, the length of the fibre.
        HillMuscle = 100,
    }
    /// How actuator force scales with its input.
    GainType {
        Fixed = 0,
        Affine = 1,
        Muscle = 2,
        User = 3,
        /// Extension: active force of a Hill-type muscle.
        HillMuscle = 100,
    }
    /// Actuator force without input.
    BiasType {
        None = 0,
        Affine = 1,
        Muscle = 2,
        User = 3,
        /// Extension: passive force of a Hill-type muscle.
        HillMuscle = 100,
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
        None = 0,
        Pos = 1,
        Vel = 2,
        Acc = 3,
    }
    /// What values a sensor can take.
    SensorDataType {
        Real = 0,
        Positive = 1,
        Axis = 2,
        Quaternion = 3,
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
        Auto = 0,
        AutoNever = 1,
        AutoAllowed = 2,
        Never = 3,
        Allowed = 4,
        Init = 5,
    }
    /// Which actuators get a computed length range.
    LengthRangeMode {
        None = 0,
        Muscle = 1,
        MuscleUser = 2,
        All = 3,
    }
    /// Kind of light.
    LightType {
        Spot = 0,
        Directional = 1,
        Point = 2,
        Image = 3,
    }
    /// Kind of texture.
    TextureType {
        Flat = 0,
        Cube = 1,
        Skybox = 2,
    }
    /// Which map of a material a texture is.
    TextureRole {
        User = 0,
        Rgb = 1,
        Occlusion = 2,
        Roughness = 3,
        Metallic = 4,
        Normal = 5,
        Opacity = 6,
        Emissive = 7,
        Rgba = 8,
        Orm = 9,
    }
    /// Encoding of texture colours.
    ColorSpace {
        Auto = 0,
        Linear = 1,
        Srgb = 2,
    }
    /// How a flex collides with itself.
    FlexSelfCollide {
        None = 0,
        Narrow = 1,
        Bvh = 2,
        Sap = 3,
        Auto = 4,
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
    pub const CONSTRAINT: i32 = 1 << 0;
    pub const EQUALITY: i32 = 1 << 1;
    pub const FRICTIONLOSS: i32 = 1 << 2;
    pub const LIMIT: i32 = 1 << 3;
    pub const CONTACT: i32 = 1 << 4;
    pub const SPRING: i32 = 1 << 5;
    pub const DAMPER: i32 = 1 << 6;
    pub const GRAVITY: i32 = 1 << 7;
    pub const CLAMPCTRL: i32 = 1 << 8;
    pub const WARMSTART: i32 = 1 << 9;
    pub const FILTERPARENT: i32 = 1 << 10;
    pub const ACTUATION: i32 = 1 << 11;
    pub const REFSAFE: i32 = 1 << 12;
    pub const SENSOR: i32 = 1 << 13;
    pub const MIDPHASE: i32 = 1 << 14;
    pub const EULERDAMP: i32 = 1 << 15;
    pub const AUTORESET: i32 = 1 << 16;
    pub const NATIVECCD: i32 = 1 << 17;
    pub const ISLAND: i32 = 1 << 18;
}

/// Bits of `enableflags`: optional features that can be switched on.
pub mod enable {
    pub const OVERRIDE: i32 = 1 << 0;
    pub const ENERGY: i32 = 1 << 1;
    pub const FWDINV: i32 = 1 << 2;
    pub const INVDISCRETE: i32 = 1 << 3;
    pub const MULTICCD: i32 = 1 << 4;
    pub const SLEEP: i32 = 1 << 5;
}
