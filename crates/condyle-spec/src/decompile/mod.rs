//! A compiled [`Model`] back to a [`Spec`] that compiles to the same model, as far as a spec can say it.
//!
//! Everything is written out: no default classes, no frames, angles in radians, inertia given explicitly. Objects without a name
//! that others refer to get one. What is lost or only nearly kept:
//!
//! - meshes are moved to their principal axes again, so vertices and all that follows from them come back to about 1e-7, and
//!   a mesh's way of computing its inertia is not known;
//! - a primitive that was fitted to a mesh stays as it is, without the mesh;
//! - the elastic constants of flexes are found again from their stiffness; where those of the author are not met to the last bit,
//!   the stiffness comes back to about 1e-12. A thickness that only stretches is taken for 1;
//! - the paths of asset files, normals and texture coordinates that are not one per vertex, the look of fixed tendons.

mod assets;
mod flex;
mod objects;
mod tree;

use condyle_model::{LengthRangeMode, Model, ObjectType};

use crate::arena::Id;
use crate::compile::sizes::arena_bytes;
use crate::element::{
    Actuator, Body, Camera, Element, Flex, Geom, HField, Info, Joint, Light, Material, Mesh, Sensor, Site,
    Skin, Tendon, Texture,
};
use crate::orientation::Limited;
use crate::settings::StatisticOverride;
use crate::spec::Spec;

/// Why a model cannot be turned into a spec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecompileError {
    /// It has plugins.
    Plugin,
    /// Its arrays do not have the lengths its sizes say, or refer to what is not there.
    Inconsistent,
}

impl std::fmt::Display for DecompileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Plugin => "a compiled model with plugins cannot be written as text",
            Self::Inconsistent => "the arrays of the model do not fit together",
        })
    }
}

impl std::error::Error for DecompileError {}

impl Spec {
    /// The spec of a compiled model.
    pub fn from_model(model: &Model) -> Result<Self, DecompileError> {
        if model.nplugin > 0 {
            return Err(DecompileError::Plugin);
        }
        // A model that could not be simulated safely cannot be read safely either.
        model.validate().map_err(|_| DecompileError::Inconsistent)?;
        let mut work = Decompiler { model, spec: Spec::new(), made: Made::default() };
        work.settings();
        work.assets();
        work.tree();
        work.skins();
        work.flexes();
        work.contacts();
        work.tendons();
        work.equalities();
        work.actuators();
        work.sensors();
        work.custom();
        work.keys();
        Ok(work.spec)
    }
}

/// Elements made so far, by their number in the model.
#[derive(Default)]
struct Made {
    bodies: Vec<Id<Body>>,
    joints: Vec<Id<Joint>>,
    geoms: Vec<Id<Geom>>,
    sites: Vec<Id<Site>>,
    cameras: Vec<Id<Camera>>,
    lights: Vec<Id<Light>>,
    meshes: Vec<Id<Mesh>>,
    hfields: Vec<Id<HField>>,
    textures: Vec<Id<Texture>>,
    materials: Vec<Id<Material>>,
    skins: Vec<Id<Skin>>,
    flexes: Vec<Id<Flex>>,
    tendons: Vec<Id<Tendon>>,
    actuators: Vec<Id<Actuator>>,
    sensors: Vec<Id<Sensor>>,
}

struct Decompiler<'a> {
    model: &'a Model,
    spec: Spec,
    made: Made,
}

/// A flag that is left out where the range says the same.
fn limited(flag: u8, range: [f64; 2]) -> Limited {
    match (flag != 0, range[0] < range[1]) {
        (flag, automatic) if flag == automatic => Limited::Auto,
        (true, _) => Limited::True,
        (false, _) => Limited::False,
    }
}

impl Decompiler<'_> {
    fn settings(&mut self) {
        let model = self.model;
        let spec = &mut self.spec;
        spec.modelname = model.model_name().to_owned();
        (spec.option, spec.visual) = (model.opt, model.vis);
        spec.compiler.degree = false;
        if model.nu > 0 {
            // Ranges of lengths are given; nothing is to be computed.
            spec.compiler.length_range.mode = LengthRangeMode::None;
        }
        let stat = &model.stat;
        spec.statistic = StatisticOverride {
            meaninertia: Some(stat.meaninertia),
            meanmass: Some(stat.meanmass),
            meansize: Some(stat.meansize),
            extent: Some(stat.extent),
            center: Some(stat.center),
        };
        let sizes = &mut spec.sizes;
        let number = |size: usize| i32::try_from(size).unwrap_or(i32::MAX);
        sizes.nuserdata = number(model.nuserdata);
        sizes.nuser_body = number(model.nuser_body);
        sizes.nuser_jnt = number(model.nuser_jnt);
        sizes.nuser_geom = number(model.nuser_geom);
        sizes.nuser_site = number(model.nuser_site);
        sizes.nuser_cam = number(model.nuser_cam);
        sizes.nuser_tendon = number(model.nuser_tendon);
        sizes.nuser_actuator = number(model.nuser_actuator);
        sizes.nuser_sensor = number(model.nuser_sensor);
        sizes.njmax = i32::try_from(model.njmax).unwrap_or(-1);
        sizes.nconmax = i32::try_from(model.nconmax).unwrap_or(-1);
        if arena_bytes(model, -1, -1) != model.narena {
            sizes.memory = i64::try_from(model.narena).unwrap_or(-1);
        }
    }

    /// What every element carries: its name.
    fn info(&self, kind: ObjectType, id: usize) -> Info {
        Info { name: self.model.name(kind, id).to_owned(), ..Info::default() }
    }

    /// Name of an object something refers to; it gets one if it has none. Empty for no object.
    fn name_of(&mut self, kind: ObjectType, id: i32) -> String {
        let Ok(at) = usize::try_from(id) else { return String::new() };
        let (spec, made) = (&mut self.spec, &self.made);
        macro_rules! info {
            ($arena:ident) => {
                made.$arena.get(at).and_then(|&id| spec.$arena.get_mut(id)).map(Element::info_mut)
            };
        }
        let info = match kind {
            ObjectType::Body | ObjectType::XBody => info!(bodies),
            ObjectType::Joint => info!(joints),
            ObjectType::Geom => info!(geoms),
            ObjectType::Site => info!(sites),
            ObjectType::Camera => info!(cameras),
            ObjectType::Light => info!(lights),
            ObjectType::Mesh => info!(meshes),
            ObjectType::HField => info!(hfields),
            ObjectType::Texture => info!(textures),
            ObjectType::Material => info!(materials),
            ObjectType::Skin => info!(skins),
            ObjectType::Flex => info!(flexes),
            ObjectType::Tendon => info!(tendons),
            ObjectType::Actuator => info!(actuators),
            ObjectType::Sensor => info!(sensors),
            // Never renamed: they have a name, or nothing can refer to them.
            _ => return self.model.name(kind, at).to_owned(),
        };
        let Some(info) = info else { return String::new() };
        if info.name.is_empty() {
            // Without spaces, because names stand in lists.
            let mut name = format!("{kind:?}_{at}").to_lowercase();
            while self.model.find(kind, &name).is_some() {
                name.push('_');
            }
            info.name = name;
        }
        info.name.clone()
    }
}

#[cfg(test)]
mod tests;
