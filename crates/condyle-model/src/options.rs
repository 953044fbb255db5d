//! Options, view settings and statistics: small fixed records that travel with the model.
//!
//! Each record is declared once; struct, default, binary form and field visits come from the declaration.

use crate::element::{DType, Element, Scalar, Values, ValuesMut};

/// How one field of a record is declared.
#[derive(Clone, Copy, Debug)]
pub struct RecordField {
    pub name: &'static str,
    pub dtype: DType,
    /// Number of scalars; 1 for a plain number.
    pub width: usize,
    pub doc: &'static str,
}

/// A fixed record of numbers that can be visited field by field.
pub trait Record {
    const FIELDS: &'static [RecordField];
    fn visit(&self, visitor: &mut dyn FnMut(&'static RecordField, Values<'_>));
    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&'static RecordField, ValuesMut<'_>));
    /// A field by name.
    fn field(&self, name: &str) -> Option<Values<'_>>;
    /// A field by name, mutably.
    fn field_mut(&mut self, name: &str) -> Option<ValuesMut<'_>>;
}

macro_rules! records {
    ($($record:ident: $record_doc:literal {
        $($field:ident: $type:ty = $default:expr, $doc:literal;)*
    })*) => {$(
        #[doc = $record_doc]
        #[allow(clippy::empty_docs)]
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $record {
            $(#[doc = $doc] pub $field: $type,)*
        }

        impl Default for $record {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }

        impl Record for $record {
            const FIELDS: &'static [RecordField] = &[$(RecordField {
                name: stringify!($field),
                dtype: <<$type as Element>::Scalar as Scalar>::DTYPE,
                width: <$type as Element>::WIDTH,
                doc: $doc,
            }),*];

            fn visit(&self, visitor: &mut dyn FnMut(&'static RecordField, Values<'_>)) {
                let mut fields = Self::FIELDS.iter();
                $(if let Some(info) = fields.next() {
                    visitor(info, Scalar::values(Element::flatten(std::slice::from_ref(&self.$field))));
                })*
            }

            fn visit_mut(&mut self, visitor: &mut dyn FnMut(&'static RecordField, ValuesMut<'_>)) {
                let mut fields = Self::FIELDS.iter();
                $(if let Some(info) = fields.next() {
                    visitor(info, Scalar::values_mut(Element::flatten_mut(std::slice::from_mut(&mut self.$field))));
                })*
            }

            fn field(&self, name: &str) -> Option<Values<'_>> {
                $(if name == stringify!($field) {
                    return Some(Scalar::values(Element::flatten(std::slice::from_ref(&self.$field))));
                })*
                None
            }

            fn field_mut(&mut self, name: &str) -> Option<ValuesMut<'_>> {
                $(if name == stringify!($field) {
                    return Some(Scalar::values_mut(Element::flatten_mut(std::slice::from_mut(&mut self.$field))));
                })*
                None
            }
        }
    )*};
}

records! {
    PhysicsOptions: "Physics options." {
        timestep: f64 = 0.002, "Time one step advances, s.";
        impratio: f64 = 1.0, "Ratio of frictional to normal impedance of elliptic contacts.";
        tolerance: f64 = 1e-08, "Improvement and gradient below which the main solver stops, scaled.";
        ls_tolerance: f64 = 0.01, "Relative gradient at which the line search stops.";
        noslip_tolerance: f64 = 1e-06, "Improvement below which the no-slip pass stops, scaled.";
        ccd_tolerance: f64 = 1e-06, "Distance below which convex collision detection counts as converged, m.";
        sleep_tolerance: f64 = 0.0001, "Speed below which a tree may fall asleep, in units of its dof lengths.";
        gravity: [f64; 3] = [0.0, 0.0, -9.81], "Gravitational acceleration in the world frame, m/s².";
        wind: [f64; 3] = [0.0, 0.0, 0.0], "Velocity of the medium in the world frame, m/s.";
        magnetic: [f64; 3] = [0.0, -0.5, 0.0], "Magnetic flux density in the world frame.";
        density: f64 = 0.0, "Density of the medium, kg/m³; 0 disables lift and drag.";
        viscosity: f64 = 0.0, "Viscosity of the medium, Pa s; 0 disables viscous forces.";
        o_margin: f64 = 0.0, "Contact margin when contact parameters are overridden, m.";
        o_solref: [f64; 2] = [0.02, 1.0], "Contact reference parameters when overridden.";
        o_solimp: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0], "Contact impedance parameters when overridden.";
        o_friction: [f64; 5] = [1.0, 1.0, 0.005, 0.0001, 0.0001], "Contact friction coefficients when overridden.";
        integrator: i32 = 0, "Integrator (`Integrator`).";
        cone: i32 = 0, "Friction cone (`Cone`).";
        jacobian: i32 = 2, "Storage of the constraint Jacobian (`Jacobian`).";
        solver: i32 = 2, "Constraint solver (`Solver`).";
        iterations: i32 = 100, "Most iterations of the main solver.";
        ls_iterations: i32 = 50, "Most iterations of one line search.";
        noslip_iterations: i32 = 0, "Most iterations of the no-slip pass; 0 disables it.";
        ccd_iterations: i32 = 35, "Most iterations of convex collision detection.";
        disableflags: i32 = 0, "Standard features switched off (`disable` bits).";
        enableflags: i32 = 0, "Optional features switched on (`enable` bits).";
        disableactuator: i32 = 0, "Actuator groups switched off, one bit per group.";
        sdf_initpoints: i32 = 40, "Starting points for contacts between signed distance fields.";
        sdf_iterations: i32 = 10, "Descent iterations for contacts between signed distance fields.";
    }
    VisualGlobal: "Free camera, offscreen buffer and other global view settings." {
        cameraid: i32 = -1, "";
        orthographic: i32 = 0, "";
        fovy: f32 = 45.0, "";
        ipd: f32 = 0.068, "";
        azimuth: f32 = 90.0, "";
        elevation: f32 = -45.0, "";
        linewidth: f32 = 1.0, "";
        glow: f32 = 0.3, "";
        realtime: f32 = 1.0, "";
        offwidth: i32 = 640, "";
        offheight: i32 = 480, "";
        ellipsoidinertia: i32 = 0, "";
        bvactive: i32 = 1, "";
    }
    VisualQuality: "Rendering quality." {
        shadowsize: i32 = 4096, "";
        offsamples: i32 = 4, "";
        numslices: i32 = 28, "";
        numstacks: i32 = 16, "";
        numquads: i32 = 4, "";
    }
    VisualHeadlight: "The light attached to the camera." {
        ambient: [f32; 3] = [0.1, 0.1, 0.1], "";
        diffuse: [f32; 3] = [0.4, 0.4, 0.4], "";
        specular: [f32; 3] = [0.5, 0.5, 0.5], "";
        active: i32 = 1, "";
    }
    VisualMap: "Scale factors from physical quantities to what is drawn." {
        stiffness: f32 = 100.0, "";
        stiffnessrot: f32 = 500.0, "";
        force: f32 = 0.005, "";
        torque: f32 = 0.1, "";
        alpha: f32 = 0.3, "";
        fogstart: f32 = 3.0, "";
        fogend: f32 = 10.0, "";
        znear: f32 = 0.01, "";
        zfar: f32 = 50.0, "";
        haze: f32 = 0.3, "";
        shadowclip: f32 = 1.0, "";
        shadowscale: f32 = 0.6, "";
        actuatortendon: f32 = 2.0, "";
    }
    VisualScale: "Sizes of decorative objects, in units of the mean body size." {
        forcewidth: f32 = 0.1, "";
        contactwidth: f32 = 0.3, "";
        contactheight: f32 = 0.1, "";
        connect: f32 = 0.2, "";
        com: f32 = 0.4, "";
        camera: f32 = 0.3, "";
        light: f32 = 0.3, "";
        selectpoint: f32 = 0.2, "";
        jointlength: f32 = 1.0, "";
        jointwidth: f32 = 0.1, "";
        actuatorlength: f32 = 0.7, "";
        actuatorwidth: f32 = 0.2, "";
        framelength: f32 = 1.0, "";
        framewidth: f32 = 0.1, "";
        constraint: f32 = 0.1, "";
        slidercrank: f32 = 0.2, "";
        frustum: f32 = 10.0, "";
    }
    VisualRgba: "Colours of decorative objects." {
        fog: [f32; 4] = [0.0, 0.0, 0.0, 1.0], "";
        haze: [f32; 4] = [1.0, 1.0, 1.0, 1.0], "";
        force: [f32; 4] = [1.0, 0.5, 0.5, 1.0], "";
        inertia: [f32; 4] = [0.8, 0.2, 0.2, 0.6], "";
        joint: [f32; 4] = [0.2, 0.6, 0.8, 1.0], "";
        actuator: [f32; 4] = [0.2, 0.25, 0.2, 1.0], "";
        actuatornegative: [f32; 4] = [0.2, 0.6, 0.9, 1.0], "";
        actuatorpositive: [f32; 4] = [0.9, 0.4, 0.2, 1.0], "";
        com: [f32; 4] = [0.9, 0.9, 0.9, 1.0], "";
        camera: [f32; 4] = [0.6, 0.9, 0.6, 1.0], "";
        light: [f32; 4] = [0.6, 0.6, 0.9, 1.0], "";
        selectpoint: [f32; 4] = [0.9, 0.9, 0.1, 1.0], "";
        connect: [f32; 4] = [0.2, 0.2, 0.8, 1.0], "";
        contactpoint: [f32; 4] = [0.9, 0.6, 0.2, 1.0], "";
        contactforce: [f32; 4] = [0.7, 0.9, 0.9, 1.0], "";
        contactfriction: [f32; 4] = [0.9, 0.8, 0.4, 1.0], "";
        contacttorque: [f32; 4] = [0.9, 0.7, 0.9, 1.0], "";
        contactgap: [f32; 4] = [0.5, 0.8, 0.9, 1.0], "";
        rangefinder: [f32; 4] = [1.0, 1.0, 0.1, 1.0], "";
        constraint: [f32; 4] = [0.9, 0.0, 0.0, 1.0], "";
        slidercrank: [f32; 4] = [0.5, 0.3, 0.8, 1.0], "";
        crankbroken: [f32; 4] = [0.9, 0.0, 0.0, 1.0], "";
        frustum: [f32; 4] = [1.0, 1.0, 0.0, 0.2], "";
        bv: [f32; 4] = [0.0, 1.0, 0.0, 0.5], "";
        bvactive: [f32; 4] = [1.0, 0.0, 0.0, 0.5], "";
    }
    Statistic: "Statistics of the model at its reference configuration." {
        meaninertia: f64 = 0.0, "Mean diagonal of the joint-space inertia; scales solver tolerances.";
        meanmass: f64 = 0.0, "Mean body mass, kg.";
        meansize: f64 = 0.0, "Mean body size, m.";
        extent: f64 = 0.0, "Radius of the model about its centre, m.";
        center: [f64; 3] = [0.0, 0.0, 0.0], "Centre of the model in the world frame, m.";
    }
}

/// View settings, by topic.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Visual {
    pub global: VisualGlobal,
    pub quality: VisualQuality,
    pub headlight: VisualHeadlight,
    pub map: VisualMap,
    pub scale: VisualScale,
    pub rgba: VisualRgba,
}

impl Visual {
    /// Visit the topics in file order.
    pub fn records(&self) -> [(&'static str, &dyn ErasedRecord); 6] {
        [
            ("global", &self.global),
            ("quality", &self.quality),
            ("headlight", &self.headlight),
            ("map", &self.map),
            ("scale", &self.scale),
            ("rgba", &self.rgba),
        ]
    }

    /// Visit the topics in file order, mutably.
    pub fn records_mut(&mut self) -> [(&'static str, &mut dyn ErasedRecord); 6] {
        [
            ("global", &mut self.global),
            ("quality", &mut self.quality),
            ("headlight", &mut self.headlight),
            ("map", &mut self.map),
            ("scale", &mut self.scale),
            ("rgba", &mut self.rgba),
        ]
    }
}

/// [`Record`] without its constant, for use behind a reference.
pub trait ErasedRecord {
    fn fields(&self) -> &'static [RecordField];
    fn value(&self, name: &str) -> Option<Values<'_>>;
    fn value_mut(&mut self, name: &str) -> Option<ValuesMut<'_>>;
    fn each(&self, visitor: &mut dyn FnMut(&'static RecordField, Values<'_>));
    fn each_mut(&mut self, visitor: &mut dyn FnMut(&'static RecordField, ValuesMut<'_>));
}

impl<R: Record> ErasedRecord for R {
    fn fields(&self) -> &'static [RecordField] {
        R::FIELDS
    }
    fn value(&self, name: &str) -> Option<Values<'_>> {
        self.field(name)
    }
    fn value_mut(&mut self, name: &str) -> Option<ValuesMut<'_>> {
        self.field_mut(name)
    }
    fn each(&self, visitor: &mut dyn FnMut(&'static RecordField, Values<'_>)) {
        self.visit(visitor);
    }
    fn each_mut(&mut self, visitor: &mut dyn FnMut(&'static RecordField, ValuesMut<'_>)) {
        self.visit_mut(visitor);
    }
}
