//! Options, view settings and statistics: small fixed records that travel with the model.
//!
//! Each record is declared once; struct, default, binary form and field visits come from the declaration.

use crate::element::{DType, Values, ValuesMut};
use crate::enums::{Cone, Integrator, Jacobian, Solver};

/// How one field of a record is declared.
#[derive(Clone, Copy, Debug)]
pub struct RecordField {
    /// Name of the field, as in MuJoCo.
    pub name: &'static str,
    /// Type of one scalar.
    pub dtype: DType,
    /// Number of scalars; 1 for a plain number.
    pub width: usize,
    /// Meaning, with unit.
    pub doc: &'static str,
    /// How MJCF writes it.
    pub form: RecordForm,
}

/// How MJCF writes a field of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordForm {
    /// As many numbers as it holds.
    Numbers,
    /// As many numbers as it holds, or fewer.
    AtMost,
    /// One of these words.
    Words(&'static [(&'static str, i32)]),
    /// `true` or `false`.
    Flag,
    /// Not under its name: its bits have names of their own.
    Bits,
}

/// A fixed record of numbers that can be visited field by field.
pub trait Record {
    /// All fields, in the order of the binary format.
    const FIELDS: &'static [RecordField];
    /// Call `visitor` with each field and its value, in order.
    fn visit(&self, visitor: &mut dyn FnMut(&'static RecordField, Values<'_>));
    /// Call `visitor` with each field and its value to be written, in order.
    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&'static RecordField, ValuesMut<'_>));
    /// A field by name.
    fn field(&self, name: &str) -> Option<Values<'_>>;
    /// A field by name, mutably.
    fn field_mut(&mut self, name: &str) -> Option<ValuesMut<'_>>;
}

/// A field's name without the mark of a raw identifier.
pub const fn plain_name(name: &'static str) -> &'static str {
    match name.as_bytes() {
        [b'r', b'#', ..] => name.split_at(2).1,
        _ => name,
    }
}

/// Declares records: struct, [`Default`] and [`Record`]. A field may say after its type which enumeration its numbers are; a method of
/// its name gives the value. A field that MJCF does not write as its numbers names its [`RecordForm`] at the end.
#[macro_export]
macro_rules! records {
    ($($record:ident: $record_doc:literal {
        $($field:ident: $type:ty $(as $enumeration:ident)? = $default:expr, $doc:literal $(as $form:expr)?;)*
    })*) => {$(
        #[doc = $record_doc]
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[repr(C)]
        pub struct $record {
            $(#[doc = $doc] pub $field: $type,)*
        }

        impl Default for $record {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }

        impl $record {
            $($(
                #[doc = $doc]
                ///
                /// `None` for a number that has no meaning.
                #[inline]
                pub const fn $field(&self) -> Option<$enumeration> {
                    $enumeration::from_i32(self.$field)
                }
            )?)*
        }

        impl $crate::options::Record for $record {
            const FIELDS: &'static [$crate::options::RecordField] = &[$($crate::options::RecordField {
                name: $crate::options::plain_name(stringify!($field)),
                dtype: <<$type as $crate::Element>::Scalar as $crate::Scalar>::DTYPE,
                width: <$type as $crate::Element>::WIDTH,
                doc: $doc,
                form: {
                    #[allow(unused_variables, reason = "replaced where a form is given")]
                    let form = $crate::options::RecordForm::Numbers;
                    $(let form = $form;)?
                    form
                },
            }),*];

            fn visit(&self, visitor: &mut dyn FnMut(&'static $crate::options::RecordField, $crate::Values<'_>)) {
                let mut fields = Self::FIELDS.iter();
                $(if let Some(info) = fields.next() {
                    visitor(info, $crate::Scalar::values($crate::Element::flatten(std::slice::from_ref(&self.$field))));
                })*
            }

            fn visit_mut(&mut self, visitor: &mut dyn FnMut(&'static $crate::options::RecordField, $crate::ValuesMut<'_>)) {
                let mut fields = Self::FIELDS.iter();
                $(if let Some(info) = fields.next() {
                    visitor(info, $crate::Scalar::values_mut($crate::Element::flatten_mut(std::slice::from_mut(&mut self.$field))));
                })*
            }

            fn field(&self, name: &str) -> Option<$crate::Values<'_>> {
                $(if name == $crate::options::plain_name(stringify!($field)) {
                    return Some($crate::Scalar::values($crate::Element::flatten(std::slice::from_ref(&self.$field))));
                })*
                None
            }

            fn field_mut(&mut self, name: &str) -> Option<$crate::ValuesMut<'_>> {
                $(if name == $crate::options::plain_name(stringify!($field)) {
                    return Some($crate::Scalar::values_mut($crate::Element::flatten_mut(std::slice::from_mut(&mut self.$field))));
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
        o_solref: [f64; 2] = [0.02, 1.0], "Contact reference parameters when overridden." as RecordForm::AtMost;
        o_solimp: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0], "Contact impedance parameters when overridden." as RecordForm::AtMost;
        o_friction: [f64; 5] = [1.0, 1.0, 0.005, 0.0001, 0.0001], "Contact friction coefficients when overridden." as RecordForm::AtMost;
        integrator: i32 as Integrator = 0, "How a step advances: the integrator (`Integrator`)." as RecordForm::Words(Integrator::WORDS);
        cone: i32 as Cone = 0, "Shape of friction cones (`Cone`)." as RecordForm::Words(Cone::WORDS);
        jacobian: i32 as Jacobian = 2, "Storage of the constraint Jacobian (`Jacobian`)." as RecordForm::Words(Jacobian::WORDS);
        solver: i32 as Solver = 2, "Constraint solver (`Solver`)." as RecordForm::Words(Solver::WORDS);
        iterations: i32 = 100, "Maximum number of iterations of the main solver.";
        ls_iterations: i32 = 50, "Maximum number of iterations of one line search.";
        noslip_iterations: i32 = 0, "Maximum number of iterations of the no-slip pass; 0 disables it.";
        ccd_iterations: i32 = 35, "Maximum number of iterations of convex collision detection.";
        disableflags: i32 = 0, "Standard features switched off (`disable` bits)." as RecordForm::Bits;
        enableflags: i32 = 0, "Optional features switched on (`enable` bits)." as RecordForm::Bits;
        disableactuator: i32 = 0, "Actuator groups switched off, one bit per group." as RecordForm::Bits;
        sdf_initpoints: i32 = 40, "Starting points for contacts between signed distance fields.";
        sdf_iterations: i32 = 10, "Descent iterations for contacts between signed distance fields.";
    }
    VisualGlobal: "Free camera, offscreen buffer and other global view settings." {
        cameraid: i32 = -1, "Camera the view starts with; -1: free camera.";
        orthographic: i32 = 0, "Whether the free camera is orthographic." as RecordForm::Flag;
        fovy: f32 = 45.0, "Vertical field of view of the free camera: degrees, or m when orthographic.";
        ipd: f32 = 0.068, "Distance between the eyes of the free camera in stereo, m.";
        azimuth: f32 = 90.0, "Starting azimuth of the free camera, degrees.";
        elevation: f32 = -45.0, "Starting elevation of the free camera, degrees.";
        linewidth: f32 = 1.0, "Width of lines and rays, pixels.";
        glow: f32 = 0.3, "Extra emission of a selected body, 0 to 1.";
        realtime: f32 = 1.0, "Speed a viewer starts with, in multiples of real time.";
        offwidth: i32 = 640, "Width of the offscreen image, pixels.";
        offheight: i32 = 480, "Height of the offscreen image, pixels.";
        ellipsoidinertia: i32 = 0, "Whether inertia is drawn as ellipsoids instead of boxes." as RecordForm::Flag;
        bvactive: i32 = 1, "Whether bounding volumes that collision detection and rays visit are drawn in a colour of their own." as RecordForm::Flag;
    }
    VisualQuality: "Rendering quality." {
        shadowsize: i32 = 4096, "Side of the shadow map, pixels.";
        offsamples: i32 = 4, "Samples per pixel of the offscreen image.";
        numslices: i32 = 28, "Segments around round shapes.";
        numstacks: i32 = 16, "Segments along round shapes.";
        numquads: i32 = 4, "Squares along each side of a box.";
    }
    VisualHeadlight: "The light attached to the camera." {
        ambient: [f32; 3] = [0.1, 0.1, 0.1], "Ambient colour, 0 to 1.";
        diffuse: [f32; 3] = [0.4, 0.4, 0.4], "Diffuse colour, 0 to 1.";
        specular: [f32; 3] = [0.5, 0.5, 0.5], "Specular colour, 0 to 1.";
        active: i32 = 1, "1: on.";
    }
    VisualMap: "Scale factors from physical quantities to what is drawn." {
        stiffness: f32 = 100.0, "Stiffness of the spring with which a viewer drags a body.";
        stiffnessrot: f32 = 500.0, "Stiffness of the spring with which a viewer turns a body.";
        force: f32 = 0.005, "Length of an arrow per force over mean mass.";
        torque: f32 = 0.1, "Length of an arrow per torque over mean mass.";
        alpha: f32 = 0.3, "Opacity factor of geoms drawn see-through.";
        fogstart: f32 = 3.0, "Distance at which fog begins, in multiples of the model's extent.";
        fogend: f32 = 10.0, "Distance at which fog hides everything, in multiples of the model's extent.";
        znear: f32 = 0.01, "Near clipping distance, in multiples of the model's extent.";
        zfar: f32 = 50.0, "Far clipping distance, in multiples of the model's extent.";
        haze: f32 = 0.3, "Share of the distance to the horizon that haze covers.";
        shadowclip: f32 = 1.0, "Half width of directional shadows, in multiples of the model's extent.";
        shadowscale: f32 = 0.6, "Half angle of spot shadows, in multiples of the light's cutoff.";
        actuatortendon: f32 = 2.0, "Width of an actuated tendon, in multiples of its own.";
    }
    VisualScale: "Sizes of decorative objects, in units of the mean body size." {
        forcewidth: f32 = 0.1, "Width of force arrows.";
        contactwidth: f32 = 0.3, "Radius of contact discs.";
        contactheight: f32 = 0.1, "Half height of contact discs.";
        connect: f32 = 0.2, "Radius of the lines that connect joints and centres of mass.";
        com: f32 = 0.4, "Radius of centres of mass.";
        camera: f32 = 0.3, "Size of cameras.";
        light: f32 = 0.3, "Size of lights.";
        selectpoint: f32 = 0.2, "Radius of the selected point.";
        jointlength: f32 = 1.0, "Length of joint arrows.";
        jointwidth: f32 = 0.1, "Width of joint arrows.";
        actuatorlength: f32 = 0.7, "Length of actuator arrows.";
        actuatorwidth: f32 = 0.2, "Width of actuator arrows.";
        framelength: f32 = 1.0, "Length of frame axes.";
        framewidth: f32 = 0.1, "Width of frame axes.";
        constraint: f32 = 0.1, "Radius of the lines that show violated constraints.";
        slidercrank: f32 = 0.2, "Width of slider-cranks.";
        frustum: f32 = 10.0, "Far end of the camera frustum.";
    }
    VisualRgba: "Colours of decorative objects." {
        fog: [f32; 4] = [0.0, 0.0, 0.0, 1.0], "Fog.";
        haze: [f32; 4] = [1.0, 1.0, 1.0, 1.0], "Haze.";
        force: [f32; 4] = [1.0, 0.5, 0.5, 1.0], "Applied forces.";
        inertia: [f32; 4] = [0.8, 0.2, 0.2, 0.6], "Shapes that stand for inertia.";
        joint: [f32; 4] = [0.2, 0.6, 0.8, 1.0], "Joints.";
        actuator: [f32; 4] = [0.2, 0.25, 0.2, 1.0], "Actuators at rest.";
        actuatornegative: [f32; 4] = [0.2, 0.6, 0.9, 1.0], "Actuators at their lower limit.";
        actuatorpositive: [f32; 4] = [0.9, 0.4, 0.2, 1.0], "Actuators at their upper limit.";
        com: [f32; 4] = [0.9, 0.9, 0.9, 1.0], "Centres of mass.";
        camera: [f32; 4] = [0.6, 0.9, 0.6, 1.0], "Cameras.";
        light: [f32; 4] = [0.6, 0.6, 0.9, 1.0], "Lights.";
        selectpoint: [f32; 4] = [0.9, 0.9, 0.1, 1.0], "The selected point.";
        connect: [f32; 4] = [0.2, 0.2, 0.8, 1.0], "Lines that connect joints and centres of mass.";
        contactpoint: [f32; 4] = [0.9, 0.6, 0.2, 1.0], "Contact points.";
        contactforce: [f32; 4] = [0.7, 0.9, 0.9, 1.0], "Contact forces.";
        contactfriction: [f32; 4] = [0.9, 0.8, 0.4, 1.0], "Friction forces of contacts.";
        contacttorque: [f32; 4] = [0.9, 0.7, 0.9, 1.0], "Torques of contacts.";
        contactgap: [f32; 4] = [0.5, 0.8, 0.9, 1.0], "Contacts inside their gap, without force.";
        rangefinder: [f32; 4] = [1.0, 1.0, 0.1, 1.0], "Rays of range finders.";
        constraint: [f32; 4] = [0.9, 0.0, 0.0, 1.0], "Violated constraints.";
        slidercrank: [f32; 4] = [0.5, 0.3, 0.8, 1.0], "Slider-cranks.";
        crankbroken: [f32; 4] = [0.9, 0.0, 0.0, 1.0], "Slider-cranks whose rod is too short.";
        frustum: [f32; 4] = [1.0, 1.0, 0.0, 0.2], "Camera frustums.";
        bv: [f32; 4] = [0.0, 1.0, 0.0, 0.5], "Bounding volumes.";
        bvactive: [f32; 4] = [1.0, 0.0, 0.0, 0.5], "Bounding volumes that are visited.";
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
    /// Free camera and offscreen picture.
    pub global: VisualGlobal,
    /// How finely shapes are drawn.
    pub quality: VisualQuality,
    /// Light at the camera.
    pub headlight: VisualHeadlight,
    /// Conversions between physical quantities and the picture.
    pub map: VisualMap,
    /// Sizes of decorations, relative to the mean size of bodies.
    pub scale: VisualScale,
    /// Colours of decorations.
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
    /// All fields, as [`Record::FIELDS`].
    fn fields(&self) -> &'static [RecordField];
    /// A field by name.
    fn value(&self, name: &str) -> Option<Values<'_>>;
    /// A field by name, to be written.
    fn value_mut(&mut self, name: &str) -> Option<ValuesMut<'_>>;
    /// As [`Record::visit`].
    fn each(&self, visitor: &mut dyn FnMut(&'static RecordField, Values<'_>));
    /// As [`Record::visit_mut`].
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_says_what_it_means() {
        let visual = Visual::default();
        let visual_fields = visual.records().into_iter().flat_map(|(_, record)| record.fields());
        for field in PhysicsOptions::FIELDS.iter().chain(Statistic::FIELDS).chain(visual_fields) {
            assert!(
                field.doc.len() > 3 && field.doc.ends_with('.'),
                "{} is described as {:?}",
                field.name,
                field.doc
            );
        }
    }
}
