//! What the passes of the compiler work on: one record per element, addressed by its position in the order the reference lists
//! elements in, with the values that compilation changes.
//!
//! Positions stay fixed while bodies are fused or geoms discarded; the ids of the compiled model are assigned at the end.

use std::collections::HashMap;
use std::sync::Arc;

use condyle_asset::{Bvh, CompiledMesh};
use condyle_collide::sdf::Shape;
use condyle_math::{Quat, Vec3, quat};
use condyle_model::diagnostic::Diagnostic;
use condyle_model::{GeomType, ObjectType, SensorDataType, Stage, WrapType};

use super::flex::FlexWork;
use super::plugin::PluginWork;
use super::pose::Pose;
use super::problems::{NAME, Problems, label};
use crate::arena::{Arena, Id};
use crate::element::*;
use crate::spec::Spec;

pub(crate) struct BodyWork<'s> {
    pub source: &'s Body,
    pub parent: usize,
    pub children: Vec<usize>,
    pub joints: Vec<usize>,
    pub geoms: Vec<usize>,
    pub sites: Vec<usize>,
    pub cameras: Vec<usize>,
    pub lights: Vec<usize>,
    /// Body this one moves with: itself if it has joints, else its parent's.
    pub weld: usize,
    pub pose: Pose,
    pub inertial: Option<Vec3>,
    pub inertial_quat: Quat,
    pub mass: f64,
    pub inertia: Vec3,
    pub contype: i32,
    pub conaffinity: i32,
    pub margin: f64,
    pub dofs: usize,
    pub bvh: Bvh,
    /// Merged into its parent.
    pub fused: bool,
    pub plugin: Option<usize>,
}

impl BodyWork<'_> {
    /// Whether the inertial frame has a place; one that starts with NaN counts as none.
    pub(super) fn has_inertial_place(&self) -> bool {
        self.inertial.is_some_and(|place| !place[0].is_nan())
    }

    /// Pose of the inertial frame.
    pub(super) fn inertial_pose(&self) -> Pose {
        Pose { pos: self.inertial.unwrap_or_default(), quat: self.inertial_quat }
    }
}

pub(crate) struct JointWork<'s> {
    pub source: &'s Joint,
    pub pos: Vec3,
    pub axis: Vec3,
    pub limited: bool,
    pub range: [f64; 2],
    pub actfrclimited: bool,
    pub reference: f64,
    pub springref: f64,
}

pub(crate) struct GeomWork<'s> {
    pub source: &'s Geom,
    pub body: usize,
    pub kind: GeomType,
    pub pose: Pose,
    pub size: Vec3,
    pub aabb: [f64; 6],
    pub bounding_radius: f64,
    pub mass: f64,
    pub inertia: Vec3,
    pub fluid: [f64; 12],
    pub mesh: Option<usize>,
    /// Mesh a primitive was fitted to.
    pub fitted_to: Option<usize>,
    pub hfield: Option<usize>,
    pub material: Option<usize>,
    /// Takes no part in physics.
    pub visual: bool,
    pub discarded: bool,
    pub plugin: Option<usize>,
}

pub(crate) struct SiteWork<'s> {
    pub source: &'s Site,
    pub body: usize,
    pub pose: Pose,
    pub size: Vec3,
    pub material: Option<usize>,
}

pub(crate) struct CameraWork<'s> {
    pub source: &'s Camera,
    pub body: usize,
    pub pose: Pose,
    pub target: Option<usize>,
    pub fovy: f64,
    pub intrinsic: [f32; 4],
}

pub(crate) struct LightWork<'s> {
    pub source: &'s Light,
    pub body: usize,
    pub pos: Vec3,
    pub dir: Vec3,
    pub target: Option<usize>,
    pub texture: Option<usize>,
}

pub(crate) struct MeshWork<'s> {
    pub source: &'s Mesh,
    pub name: String,
    pub file: String,
    pub need_hull: bool,
    pub need_sdf: bool,
    /// Shape an extension makes the mesh from, or why it cannot.
    pub shape: Option<Result<Shape, Diagnostic>>,
    pub compiled: Option<Arc<CompiledMesh>>,
    pub visual: bool,
    pub discarded: bool,
}

pub(crate) struct HFieldWork<'s> {
    pub source: &'s HField,
    pub name: String,
    pub file: String,
    pub rows: usize,
    pub columns: usize,
    pub elevation: Vec<f32>,
}

pub(crate) struct TextureWork<'s> {
    pub source: &'s Texture,
    pub name: String,
    pub file: String,
    pub colorspace: i32,
    pub width: usize,
    pub height: usize,
    pub channels: usize,
    pub data: Vec<u8>,
}

pub(crate) struct MaterialWork<'s> {
    pub source: &'s Material,
    pub textures: [Option<usize>; 10],
}

pub(crate) struct SkinWork<'s> {
    pub source: &'s Skin,
    pub name: String,
    pub file: String,
    pub material: Option<usize>,
    pub data: condyle_asset::skin::SkinData,
    pub bones: Vec<usize>,
}

pub(crate) struct PairWork<'s> {
    pub source: &'s Pair,
    pub geoms: [usize; 2],
}

pub(crate) struct ExcludeWork<'s> {
    pub source: &'s Exclude,
    pub bodies: [usize; 2],
}

pub(crate) struct EqualityWork<'s> {
    pub source: &'s Equality,
    pub objtype: ObjectType,
    pub first: usize,
    pub second: Option<usize>,
}

pub(crate) struct WrapWork {
    pub kind: WrapType,
    pub object: Option<usize>,
    pub side: Option<usize>,
    pub prm: f64,
}

pub(crate) struct TendonWork<'s> {
    pub source: &'s Tendon,
    pub material: Option<usize>,
    pub path: Vec<WrapWork>,
    pub limited: bool,
    pub actfrclimited: bool,
}

pub(crate) struct ActuatorWork<'s> {
    pub source: &'s Actuator,
    pub targets: [Option<usize>; 2],
    pub ctrlrange: [f64; 2],
    pub actrange: [f64; 2],
    pub ctrllimited: bool,
    pub forcelimited: bool,
    pub actlimited: bool,
    pub actdim: usize,
    pub plugin: Option<usize>,
}

pub(crate) struct SensorWork<'s> {
    pub source: &'s Sensor,
    pub object: Option<usize>,
    pub reference: Option<usize>,
    pub datatype: SensorDataType,
    pub stage: Stage,
    pub dim: usize,
    pub plugin: Option<usize>,
}

pub(crate) struct TupleWork<'s> {
    pub source: &'s Tuple,
    pub objects: Vec<usize>,
}

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
    /// Number of user values per element of each kind.
    pub nuser: UserSizes,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct UserSizes {
    pub body: usize,
    pub joint: usize,
    pub geom: usize,
    pub site: usize,
    pub camera: usize,
    pub tendon: usize,
    pub actuator: usize,
    pub sensor: usize,
}

/// Position of each named element in its list.
#[derive(Debug, Default)]
pub(crate) struct Names {
    maps: HashMap<ObjectType, HashMap<String, usize>>,
}

impl Names {
    /// Position of a named element; frames of bodies are found as bodies.
    pub(super) fn find(&self, kind: ObjectType, name: &str) -> Option<usize> {
        let kind = if kind == ObjectType::XBody { ObjectType::Body } else { kind };
        self.maps.get(&kind)?.get(name).copied()
    }

    /// All names of a kind, in the order of their elements, so that the nearest of several is always the same.
    pub(super) fn all(&self, kind: ObjectType) -> impl Iterator<Item = &str> {
        let kind = if kind == ObjectType::XBody { ObjectType::Body } else { kind };
        let mut names: Vec<(&usize, &str)> =
            self.maps.get(&kind).into_iter().flatten().map(|(name, place)| (place, name.as_str())).collect();
        names.sort_unstable();
        names.into_iter().map(|(_, name)| name)
    }

    /// Forgets the bodies that were merged into others.
    pub(super) fn retain_bodies(&mut self, bodies: &[BodyWork<'_>]) {
        if let Some(map) = self.maps.get_mut(&ObjectType::Body) {
            map.retain(|_, position| !bodies[*position].fused);
        }
    }

    /// Lets names point to what stands at their position in a new order.
    pub(super) fn move_to(&mut self, kind: ObjectType, order: &[usize]) {
        for position in self.maps.get_mut(&kind).into_iter().flat_map(|map| map.values_mut()) {
            if let Some(&moved) = order.get(*position) {
                *position = moved;
            }
        }
    }

    fn add<'a>(
        &mut self,
        kind: ObjectType,
        names: impl Iterator<Item = (&'a str, &'a Info)>,
        element: &'static str,
        problems: &mut Problems,
    ) {
        let mut map: HashMap<String, usize> = HashMap::new();
        for (position, (name, info)) in names.enumerate() {
            if !name.is_empty() && map.contains_key(name) {
                problems.general(NAME, info.at("name"), format!("repeated name '{name}' in {element}"));
            }
            map.insert(name.to_owned(), position);
        }
        self.maps.insert(kind, map);
    }
}

/// File name without folder and extension: the name of an asset that was given none.
pub(crate) fn asset_name(name: &str, file: &str) -> String {
    if !name.is_empty() {
        return name.to_owned();
    }
    let base = strip_path(file);
    base.rfind('.').map_or(base, |dot| &base[..dot]).to_owned()
}

/// File name without folders.
pub(crate) fn strip_path(file: &str) -> &str {
    file.rfind(['/', '\\']).map_or(file, |slash| &file[slash + 1..])
}

fn stripped(spec: &Spec, file: &str) -> String {
    if spec.strippath { strip_path(file).to_owned() } else { file.to_owned() }
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
        work.list_assets();
        work.list_plugins();
        work.list_names();
        work.assign_orders();
        work
    }

    fn list_tree(&mut self) {
        let spec = self.spec;
        let order = spec.bodies_depth_first();
        let position: HashMap<Id<Body>, usize> = order.iter().enumerate().map(|(i, &id)| (id, i)).collect();
        for &id in &order {
            let source = &spec.bodies[id];
            let parent = source.parent.and_then(|parent| position.get(&parent)).copied().unwrap_or(0);
            let index = self.bodies.len();
            let mut body = BodyWork {
                source,
                parent,
                children: source.bodies.iter().filter_map(|child| position.get(child)).copied().collect(),
                joints: Vec::new(),
                geoms: Vec::new(),
                sites: Vec::new(),
                cameras: Vec::new(),
                lights: Vec::new(),
                weld: 0,
                pose: Pose { pos: source.pos, quat: source.quat },
                inertial: source.ipos,
                inertial_quat: source.iquat,
                mass: source.mass,
                inertia: source.inertia,
                contype: 0,
                conaffinity: 0,
                margin: 0.0,
                dofs: 0,
                bvh: Bvh::default(),
                fused: false,
                plugin: None,
            };
            for source in present(&spec.joints, &source.joints) {
                body.joints.push(self.joints.len());
                self.joints.push(JointWork {
                    source,
                    pos: source.pos,
                    axis: source.axis,
                    limited: false,
                    range: source.range,
                    actfrclimited: false,
                    reference: source.reference,
                    springref: source.springref,
                });
            }
            for source in present(&spec.geoms, &source.geoms) {
                body.geoms.push(self.geoms.len());
                self.geoms.push(GeomWork {
                    source,
                    body: index,
                    kind: source.kind,
                    pose: Pose { pos: source.pos, quat: source.quat },
                    size: source.size,
                    aabb: [0.0; 6],
                    bounding_radius: 0.0,
                    mass: 0.0,
                    inertia: [0.0; 3],
                    fluid: [0.0; 12],
                    mesh: None,
                    fitted_to: None,
                    hfield: None,
                    material: None,
                    visual: source.contype == 0 && source.conaffinity == 0,
                    discarded: false,
                    plugin: None,
                });
            }
            for source in present(&spec.sites, &source.sites) {
                body.sites.push(self.sites.len());
                self.sites.push(SiteWork {
                    source,
                    body: index,
                    pose: Pose { pos: source.pos, quat: source.quat },
                    size: source.size,
                    material: None,
                });
            }
            for source in present(&spec.cameras, &source.cameras) {
                body.cameras.push(self.cameras.len());
                self.cameras.push(CameraWork {
                    source,
                    body: index,
                    pose: Pose { pos: source.pos, quat: source.quat },
                    target: None,
                    fovy: source.fovy,
                    intrinsic: source.intrinsic,
                });
            }
            for source in present(&spec.lights, &source.lights) {
                body.lights.push(self.lights.len());
                self.lights.push(LightWork {
                    source,
                    body: index,
                    pos: source.pos,
                    dir: source.dir,
                    target: None,
                    texture: None,
                });
            }
            self.bodies.push(body);
        }
    }

    fn list_assets(&mut self) {
        let spec = self.spec;
        for source in spec.meshes.values() {
            self.meshes.push(MeshWork {
                source,
                name: asset_name(&source.info.name, &source.file),
                file: stripped(spec, &source.file),
                need_hull: false,
                need_sdf: source.needsdf,
                shape: None,
                compiled: None,
                visual: true,
                discarded: false,
            });
        }
        for source in spec.hfields.values() {
            self.hfields.push(HFieldWork {
                source,
                name: asset_name(&source.info.name, &source.file),
                file: stripped(spec, &source.file),
                rows: 0,
                columns: 0,
                elevation: Vec::new(),
            });
        }
        for source in spec.skins.values() {
            self.skins.push(SkinWork {
                source,
                name: asset_name(&source.info.name, &source.file),
                file: stripped(spec, &source.file),
                material: None,
                data: condyle_asset::skin::SkinData::default(),
                bones: Vec::new(),
            });
        }
        for source in spec.textures.values() {
            self.textures.push(TextureWork {
                source,
                name: asset_name(&source.info.name, &source.file),
                file: stripped(spec, &source.file),
                colorspace: source.colorspace as i32,
                width: 0,
                height: 0,
                channels: 0,
                data: Vec::new(),
            });
        }
        for source in spec.materials.values() {
            self.materials.push(MaterialWork { source, textures: [None; 10] });
        }
    }

    fn list_names(&mut self) {
        let spec = self.spec;
        self.require_names();
        let problems = &mut self.problems;
        let names = &mut self.names;
        macro_rules! add {
            ($($kind:ident, $list:expr, $label:literal;)*) => {$(
                let list = $list.iter().map(|item| (item.source.info.name.as_str(), &item.source.info));
                names.add(ObjectType::$kind, list, $label, problems);
            )*};
        }
        add! {
            Body, self.bodies, "body";
            Joint, self.joints, "joint";
            Geom, self.geoms, "geom";
            Site, self.sites, "site";
            Camera, self.cameras, "camera";
            Light, self.lights, "light";
            Material, self.materials, "material";
        }
        macro_rules! add_asset {
            ($($kind:ident, $list:expr, $label:literal;)*) => {$(
                let list = $list.iter().map(|item| (item.name.as_str(), &item.source.info));
                names.add(ObjectType::$kind, list, $label, problems);
            )*};
        }
        add_asset! {
            Mesh, self.meshes, "mesh";
            HField, self.hfields, "hfield";
            Texture, self.textures, "texture";
            Skin, self.skins, "skin";
        }
        macro_rules! add_spec {
            ($($kind:ident, $list:expr, $label:literal;)*) => {$(
                let list = $list.values().map(|item| (item.info.name.as_str(), &item.info));
                names.add(ObjectType::$kind, list, $label, problems);
            )*};
        }
        add_spec! {
            Pair, spec.pairs, "pair";
            Exclude, spec.excludes, "exclude";
            Equality, spec.equalities, "equality";
            Tendon, spec.tendons, "tendon";
            Actuator, spec.actuators, "actuator";
            Sensor, spec.sensors, "sensor";
            Numeric, spec.numerics, "numeric";
            Text, spec.texts, "text";
            Tuple, spec.tuples, "tuple";
            Key, spec.keys, "key";
            Plugin, spec.plugins, "plugin";
            Flex, spec.flexes, "flex";
            Frame, spec.frames, "frame";
        }
        if spec.compiler.discardvisual {
            // Names were checked like all others; nothing else of these is looked at.
            self.textures.clear();
            self.materials.clear();
            names.maps.remove(&ObjectType::Texture);
            names.maps.remove(&ObjectType::Material);
        }
    }

    /// Assets must have names; a skybox may do without.
    fn require_names(&mut self) {
        let mut missing = |kind: &str, info: &Info, help: &str| {
            let diagnostic = condyle_model::diagnostic::Diagnostic::error(
                NAME,
                format!("{} has no name", label(kind, info)),
            );
            self.problems.push(diagnostic.at(info.location.as_ref()).help(help));
        };
        let file_help = "give it a name or a file, whose name is then used";
        for mesh in self.meshes.iter().filter(|mesh| mesh.name.is_empty()) {
            missing("mesh", &mesh.source.info, file_help);
        }
        for hfield in self.hfields.iter().filter(|hfield| hfield.name.is_empty()) {
            missing("hfield", &hfield.source.info, file_help);
        }
        for texture in self.textures.iter().filter(|texture| texture.name.is_empty()) {
            if texture.source.kind != condyle_model::TextureType::Skybox {
                missing("texture", &texture.source.info, file_help);
            }
        }
        for material in self.materials.iter().filter(|material| material.source.info.name.is_empty()) {
            missing("material", &material.source.info, "give it a name");
        }
    }

    /// Lists elements in the order of their ids: bodies as they are, their parts in depth-first order.
    pub(super) fn assign_orders(&mut self) {
        self.body_order = (0..self.bodies.len()).filter(|&body| !self.bodies[body].fused).collect();
        self.joint_order.clear();
        self.geom_order.clear();
        self.site_order.clear();
        self.camera_order.clear();
        self.light_order.clear();
        let mut stack = vec![0];
        while let Some(body) = stack.pop() {
            let Some(body) = self.bodies.get(body) else { continue };
            self.joint_order.extend(&body.joints);
            self.geom_order.extend(body.geoms.iter().filter(|&&geom| !self.geoms[geom].discarded));
            self.site_order.extend(&body.sites);
            self.camera_order.extend(&body.cameras);
            self.light_order.extend(&body.lights);
            stack.extend(body.children.iter().rev());
        }
    }

    /// Position of a named element.
    pub(super) fn find(&self, kind: ObjectType, name: &str) -> Option<usize> {
        self.names.find(kind, name)
    }
}

fn present<'s, T>(arena: &'s Arena<T>, ids: &'s [Id<T>]) -> impl Iterator<Item = &'s T> {
    ids.iter().filter_map(|&id| arena.get(id))
}

/// No rotation.
pub(crate) const NO_ROTATION: Quat = quat::IDENTITY;
