//! The editable model: elements that are added, changed and removed before the model is compiled.
//!
//! ```
//! use condyle::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut spec = Spec::parse("<mujoco><worldbody><body name='arm'><joint name='elbow'/><geom size='.1'/></body></worldbody></mujoco>")?;
//! let tool = spec.add_body(spec.body("arm")?);
//! spec.bodies[tool].pos = [0.0, 0.0, 0.3];
//! let tip = spec.add_geom(tool, None);
//! spec.geoms[tip].size[0] = 0.02;
//! let model = spec.compile(&LoadOptions::default())?.model;
//! assert_eq!(model.nbody, 3);
//!
//! spec.remove(spec.joint("elbow")?)?;
//! assert_eq!(spec.compile(&LoadOptions::default())?.model.nv, 0);
//! # Ok(())
//! # }
//! ```
//!
//! The lists of a [`Spec`] are indexed by [`Id`], which stays valid until its element is removed. Elements refer to each other by name;
//! a name that leads nowhere is an error of [`SpecExt::compile`] that says which element has it.
//!
//! Parts of one spec are attached to another with [`Spec::attach`], under new names:
//!
//! ```
//! use condyle::prelude::*;
//! use condyle::spec::{Part, Rename, Target};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut robot = Spec::parse("<mujoco><worldbody><body name='arm'><joint/><geom size='.1'/></body></worldbody></mujoco>")?;
//! let hand = Spec::parse("<mujoco><worldbody><body name='palm'><joint/><geom size='.05'/></body></worldbody></mujoco>")?;
//! let origin = robot.add_origin(&hand);
//! let (place, part) = (Target::Body(robot.body("arm")?), Part::Body(hand.body("palm")?));
//! let rename = Rename { prefix: "left ".to_owned(), suffix: String::new() };
//! robot.attach(place, &hand, part, origin, &rename)?;
//! assert!(robot.compile(&LoadOptions::default())?.model.body("left palm").is_ok());
//! # Ok(())
//! # }
//! ```

use std::path::Path;

use condyle_mjcf::LoadOptions;
use condyle_spec::{CompileOptions, find_by_name};

pub use condyle_base::diagnostic::Location;
pub use condyle_engine::constants::LengthRangeOptions;
pub use condyle_spec::attach::{Copies, KeySizeError};
pub use condyle_spec::flexcomp::ProblemKind;
pub use condyle_spec::{
    Actuator, AlignFree, Arena, AssetSource, AttachError, Attached, Body, Cable, CableError, CableRoot,
    CableSkin, Camera, Compiler, Curve, CurveShape, DecompileError, DefaultClass, DeleteError, Element,
    ElementRef, Equality, Exclude, FileSystem, Flex, Flexcomp, FlexcompDof, FlexcompParts, FlexcompProblem,
    FlexcompType, Frame, FrameError, Geom, GeomInertia, HField, HillMuscleParameters, Id, InertiaFromGeom,
    Info, Joint, Key, Kind, Light, Limited, Material, Mesh, MeshBuiltin, MeshInertia, MuscleParameters,
    Numeric, Orientation, Origin, Owner, Pair, Part, Pins, PluginInstance, PluginRef, PositionParameters,
    Rename, SavedState, Sensor, Site, Sizes, Skin, SkinBone, Spec, StatisticOverride, Target, Tendon, Text,
    Texture, TextureBuiltin, TextureMark, Tuple, TupleEntry, Wrap,
};

use crate::handle::UnknownName;
use crate::save::{SaveError, save_spec};
use crate::{LoadError, Loaded};

macro_rules! lookups {
    ($($one:ident, $arena:ident, $kind:ident, $what:literal;)*) => {
        /// Loading, compiling, saving and looking up elements of a [`Spec`].
        pub trait SpecExt: Sized {
            /// Reads an MJCF or URDF file.
            fn load(path: impl AsRef<Path>) -> Result<Self, LoadError>;

            /// Reads MJCF or URDF text.
            fn parse(text: &str) -> Result<Self, LoadError>;

            /// Compiles it to a model that can be simulated, with the files and switches of `options`.
            fn compile(&self, options: &LoadOptions) -> Result<Loaded, LoadError>;

            /// Its MJCF text.
            fn to_mjcf(&self) -> String;

            /// Saves it as MJCF; asset files are referred to by paths from the new folder.
            fn save(&self, path: impl AsRef<Path>) -> Result<(), SaveError>;

            /// Removes an element. A body goes with everything in it and with the actuators, sensors, tendons and the like that refer
            /// to it; any other element goes alone, and what refers to it by name has to be changed or removed too.
            fn remove<T: Element>(&mut self, id: Id<T>) -> Result<(), DeleteError>;

            /// A default class, by name; the outermost is called `main`.
            fn class(&self, name: &str) -> Result<Id<DefaultClass>, UnknownName>;
            $(
                #[doc = concat!("The id of ", $what, ", by name.")]
                fn $one(&self, name: &str) -> Result<Id<$kind>, UnknownName>;
            )*
        }

        impl SpecExt for Spec {
            fn load(path: impl AsRef<Path>) -> Result<Self, LoadError> {
                crate::load::load_spec(path, &LoadOptions::default()).map(|loaded| loaded.spec)
            }

            fn parse(text: &str) -> Result<Self, LoadError> {
                condyle_mjcf::load_str(text, &LoadOptions::default())
                    .map(|(spec, _)| spec)
                    .map_err(|problems| LoadError::from_diagnostics(Path::new("<string>"), problems))
            }

            fn compile(&self, options: &LoadOptions) -> Result<Loaded, LoadError> {
                let mut settings = CompileOptions::default();
                settings.reference_bugs = options.reference_bugs;
                match condyle_spec::compile(self, &options.files, &settings) {
                    Ok(compiled) => Ok(Loaded {
                        model: compiled.model,
                        warnings: compiled.warnings,
                        notes: Vec::new(),
                    }),
                    Err(problems) => Err(LoadError::from_diagnostics(Path::new(&self.modelname), problems)),
                }
            }

            fn to_mjcf(&self) -> String {
                condyle_mjcf::to_mjcf(self)
            }

            fn save(&self, path: impl AsRef<Path>) -> Result<(), SaveError> {
                save_spec(self, path)
            }

            fn remove<T: Element>(&mut self, id: Id<T>) -> Result<(), DeleteError> {
                let kind = Kind::ALL.into_iter().find(|kind| kind.name() == T::KIND);
                self.delete(ElementRef::new(kind.ok_or(DeleteError::NoElement)?, id))
            }

            fn class(&self, name: &str) -> Result<Id<DefaultClass>, UnknownName> {
                self.find_class(name).ok_or_else(|| {
                    UnknownName::new("default class", name, self.classes.values().map(|class| class.name.as_str()))
                })
            }
            $(
                fn $one(&self, name: &str) -> Result<Id<$kind>, UnknownName> {
                    let found = find_by_name(&self.$arena, name).filter(|_| !name.is_empty());
                    found.ok_or_else(|| {
                        let names = self.$arena.values().map(|element| element.info.name.as_str());
                        UnknownName::new(<$kind as Element>::KIND, name, names)
                    })
                }
            )*
        }
    };
}

lookups! {
    body, bodies, Body, "a body";
    frame, frames, Frame, "a frame";
    joint, joints, Joint, "a joint";
    geom, geoms, Geom, "a geom";
    site, sites, Site, "a site";
    camera, cameras, Camera, "a camera";
    light, lights, Light, "a light";
    mesh, meshes, Mesh, "a mesh";
    texture, textures, Texture, "a texture";
    material, materials, Material, "a material";
    pair, pairs, Pair, "a contact pair";
    equality, equalities, Equality, "an equality constraint";
    tendon, tendons, Tendon, "a tendon";
    actuator, actuators, Actuator, "an actuator";
    sensor, sensors, Sensor, "a sensor";
    keyframe, keys, Key, "a keyframe";
}
