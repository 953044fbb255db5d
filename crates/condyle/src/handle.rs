//! Typed handles to the elements of a model, and names that lead to them.
//!
//! ```
//! use condyle::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let text = "<mujoco><worldbody><body name='arm'><joint name='elbow'/><geom size='.1'/></body></worldbody></mujoco>";
//! let model = load_str(text, &LoadOptions::default())?.model;
//! let elbow = model.joint("elbow")?;
//! assert_eq!((elbow.index(), model.name_of(elbow)), (0, "elbow"));
//! assert_eq!(model.joint("elbw").unwrap_err().to_string(), "no joint is called \"elbw\"; did you mean \"elbow\"?");
//! # Ok(())
//! # }
//! ```

use std::fmt;
use std::iter::Map;
use std::ops::Range;

use condyle_base::diagnostic::did_you_mean;
use condyle_model::{Model, ObjectType};

/// The error for a name that no element of a kind has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    kind: &'static str,
    name: String,
    suggestion: Option<String>,
}

impl UnknownName {
    /// The error for `name`, with the closest of the names that exist as a suggestion.
    pub(crate) fn new<'a>(
        kind: &'static str,
        name: &str,
        existing: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let suggestion = did_you_mean(name, existing).map(str::to_owned);
        Self { kind, name: name.to_owned(), suggestion }
    }

    /// The name that was looked for.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A name that exists and was probably meant.
    pub fn suggestion(&self) -> Option<&str> {
        self.suggestion.as_deref()
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no {} is called {:?}", self.kind, self.name)?;
        match &self.suggestion {
            Some(close) => write!(f, "; did you mean {close:?}?"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for UnknownName {}

/// A handle to an element of a model: its kind and position. It belongs to the model it was made for; in another model it may mean
/// another element, or none, in which case using it panics.
pub trait Handle: Copy {
    /// The kind of element.
    const KIND: ObjectType;

    /// The element at a position, if the model has that many.
    fn at(model: &Model, index: usize) -> Option<Self>;

    /// The position of the element among those of its kind: the row in the arrays of [`Model`] and [`Data`](crate::Data).
    fn index(self) -> usize;
}

/// What the accessors of [`Sim`](crate::Sim) take: a handle, or a name that has to be looked up.
///
/// With a handle they return what was asked for, with a name a `Result`: `sim.joint(elbow).qpos()`, `sim.joint("elbow")?.qpos()`.
pub trait Select<H> {
    /// `T`, or `Result<T, UnknownName>`.
    type Found<T>;

    /// Find the element and make something of its handle.
    fn select<T>(self, model: &Model, make: impl FnOnce(H) -> T) -> Self::Found<T>;
}

impl<H: Handle> Select<H> for &str {
    type Found<T> = Result<T, UnknownName>;

    fn select<T>(self, model: &Model, make: impl FnOnce(H) -> T) -> Self::Found<T> {
        find(model, self).map(make)
    }
}

impl<H: Handle> Select<H> for &String {
    type Found<T> = Result<T, UnknownName>;

    fn select<T>(self, model: &Model, make: impl FnOnce(H) -> T) -> Self::Found<T> {
        find(model, self).map(make)
    }
}

fn find<H: Handle>(model: &Model, name: &str) -> Result<H, UnknownName> {
    let found = model.find(H::KIND, name).and_then(|index| H::at(model, index));
    found.ok_or_else(|| {
        let count = model.name_addresses(H::KIND).map_or(0, <[i32]>::len);
        UnknownName::new(H::KIND.word(), name, (0..count).map(|index| model.name(H::KIND, index)))
    })
}

/// All handles of one kind, in order.
pub type Handles<H> = Map<Range<u32>, fn(u32) -> H>;

macro_rules! handles {
    ($($handle:ident, $one:ident, $all:ident, $kind:ident, $count:ident, $what:literal, $whats:literal;)*) => {
        $(
            #[doc = concat!("Handle to ", $what, " of a model.")]
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
            pub struct $handle(u32);

            impl $handle {
                /// The position of the element among those of its kind.
                pub fn index(self) -> usize {
                    self.0 as usize
                }
            }

            impl Handle for $handle {
                const KIND: ObjectType = ObjectType::$kind;

                fn at(model: &Model, index: usize) -> Option<Self> {
                    (index < model.$count).then_some(Self(index as u32))
                }

                fn index(self) -> usize {
                    self.0 as usize
                }
            }

            impl Select<$handle> for $handle {
                type Found<T> = T;

                fn select<T>(self, _: &Model, make: impl FnOnce($handle) -> T) -> T {
                    make(self)
                }
            }
        )*

        /// Elements of a [`Model`] by name.
        pub trait Names {
            /// The name of an element; empty when it has none.
            fn name_of<H: Handle>(&self, element: H) -> &str;
            $(
                #[doc = concat!("The handle of ", $what, " by name.")]
                fn $one(&self, name: &str) -> Result<$handle, UnknownName>;

                #[doc = concat!("Handles of all ", $whats, ", in order.")]
                fn $all(&self) -> Handles<$handle>;
            )*
        }

        impl Names for Model {
            fn name_of<H: Handle>(&self, element: H) -> &str {
                self.name(H::KIND, element.index())
            }
            $(
                fn $one(&self, name: &str) -> Result<$handle, UnknownName> {
                    find(self, name)
                }

                fn $all(&self) -> Handles<$handle> {
                    (0..self.$count as u32).map($handle)
                }
            )*
        }
    };
}

handles! {
    BodyId, body, bodies, Body, nbody, "a body", "bodies";
    JointId, joint, joints, Joint, njnt, "a joint", "joints";
    GeomId, geom, geoms, Geom, ngeom, "a geom", "geoms";
    SiteId, site, sites, Site, nsite, "a site", "sites";
    CameraId, camera, cameras, Camera, ncam, "a camera", "cameras";
    LightId, light, lights, Light, nlight, "a light", "lights";
    MeshId, mesh, meshes, Mesh, nmesh, "a mesh", "meshes";
    MaterialId, material, materials, Material, nmat, "a material", "materials";
    EqualityId, equality, equalities, Equality, neq, "an equality constraint", "equality constraints";
    TendonId, tendon, tendons, Tendon, ntendon, "a tendon", "tendons";
    ActuatorId, actuator, actuators, Actuator, nu, "an actuator", "actuators";
    SensorId, sensor, sensors, Sensor, nsensor, "a sensor", "sensors";
    KeyframeId, keyframe, keyframes, Key, nkey, "a keyframe", "keyframes";
}
