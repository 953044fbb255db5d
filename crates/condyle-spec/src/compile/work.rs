//! What the passes of the compiler work on: one record per element, addressed by its position in the order the reference lists
//! elements in, with the values that compilation changes. The records stand in the files of their kinds.
//!
//! Positions stay fixed while bodies are fused or geoms discarded; the ids of the compiled model are assigned at the end.

use std::collections::HashMap;

use super::actuator::ActuatorWork;
use super::body::BodyWork;
use super::by_name::Names;
use super::camera::CameraWork;
use super::custom::TupleWork;
use super::equality::EqualityWork;
use super::flex::FlexWork;
use super::geom::GeomWork;
use super::hfield::HFieldWork;
use super::joint::JointWork;
use super::light::LightWork;
use super::material::MaterialWork;
use super::mesh::MeshWork;
use super::pair::{ExcludeWork, PairWork};
use super::plugin::PluginWork;
use super::pose::Pose;
use super::problems::Problems;
use super::sensor::SensorWork;
use super::site::SiteWork;
use super::skin::SkinWork;
use super::tendon::TendonWork;
use super::texture::TextureWork;
use super::user_values::UserSizes;
use crate::arena::Id;
use crate::element::PluginInstance;
use crate::spec::Spec;

/// All elements in the order of their lists, and where their names are.
pub(crate) struct Work<'s> {
    /// Rows of bounding volumes that the reference allocates and does not fill.
    pub empty_volumes: usize,
    pub spec: &'s Spec,
    pub problems: Problems,
    pub bodies: Vec<BodyWork<'s>>,
    pub joints: Vec<JointWork<'s>>,
    pub geoms: Vec<GeomWork<'s>>,
    pub sites: Vec<SiteWork<'s>>,
    pub cameras: Vec<CameraWork<'s>>,
    pub lights: Vec<LightWork<'s>>,
    pub frames: Vec<Option<Pose>>,
    pub meshes: Vec<MeshWork<'s>>,
    pub hfields: Vec<HFieldWork<'s>>,
    pub textures: Vec<TextureWork<'s>>,
    pub materials: Vec<MaterialWork<'s>>,
    pub skins: Vec<SkinWork<'s>>,
    pub flexes: Vec<FlexWork<'s>>,
    /// Poses of the bodies in the world when no joint is moved; only when there are flexes.
    pub rest_poses: Vec<Pose>,
    pub pairs: Vec<PairWork<'s>>,
    pub excludes: Vec<ExcludeWork<'s>>,
    pub equalities: Vec<EqualityWork<'s>>,
    pub tendons: Vec<TendonWork<'s>>,
    pub actuators: Vec<ActuatorWork<'s>>,
    pub sensors: Vec<SensorWork<'s>>,
    pub tuples: Vec<TupleWork<'s>>,
    pub plugins: Vec<PluginWork<'s>>,
    pub plugin_positions: HashMap<Id<PluginInstance>, usize>,
    pub names: Names,
    /// Positions of the bodies that are left, in order of their ids.
    pub body_order: Vec<usize>,
    pub joint_order: Vec<usize>,
    pub geom_order: Vec<usize>,
    pub site_order: Vec<usize>,
    pub camera_order: Vec<usize>,
    pub light_order: Vec<usize>,
    pub nuser: UserSizes,
}

impl<'s> Work<'s> {
    /// Lists the elements of a spec. Nothing is computed yet.
    pub(super) fn new(spec: &'s Spec) -> Self {
        let mut work = Self {
            empty_volumes: 0,
            spec,
            problems: Problems::default(),
            bodies: Vec::new(),
            joints: Vec::new(),
            geoms: Vec::new(),
            sites: Vec::new(),
            cameras: Vec::new(),
            lights: Vec::new(),
            frames: Vec::new(),
            meshes: Vec::new(),
            hfields: Vec::new(),
            textures: Vec::new(),
            materials: Vec::new(),
            skins: Vec::new(),
            flexes: Vec::new(),
            rest_poses: Vec::new(),
            pairs: Vec::new(),
            excludes: Vec::new(),
            equalities: Vec::new(),
            tendons: Vec::new(),
            actuators: Vec::new(),
            sensors: Vec::new(),
            tuples: Vec::new(),
            plugins: Vec::new(),
            plugin_positions: HashMap::new(),
            names: Names::default(),
            body_order: Vec::new(),
            joint_order: Vec::new(),
            geom_order: Vec::new(),
            site_order: Vec::new(),
            camera_order: Vec::new(),
            light_order: Vec::new(),
            nuser: UserSizes::default(),
        };
        work.list_tree();
        work.meshes = spec.meshes.values().map(|source| MeshWork::new(spec, source)).collect();
        work.hfields = spec.hfields.values().map(|source| HFieldWork::new(spec, source)).collect();
        work.skins = spec.skins.values().map(|source| SkinWork::new(spec, source)).collect();
        work.textures = spec.textures.values().map(|source| TextureWork::new(spec, source)).collect();
        work.materials =
            spec.materials.values().map(|source| MaterialWork { source, textures: [None; 10] }).collect();
        work.list_plugins();
        work.list_names();
        work.assign_orders();
        work
    }
}
