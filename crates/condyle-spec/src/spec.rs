//! The editable model.

use std::path::PathBuf;

use condyle_model::{PhysicsOptions, Visual};

use crate::arena::{Arena, Id};
use crate::default_class::DefaultClass;
use crate::element::{
    Actuator, Body, Camera, Element, Equality, Exclude, Flex, Frame, Geom, HField, Info, Joint, Key, Light,
    Material, Mesh, Numeric, Origin, Pair, PluginInstance, Sensor, Site, Skin, Tendon, Text, Texture, Tuple,
};
use crate::settings::{Compiler, Sizes, StatisticOverride};

/// A model as it is written: typed, editable elements that refer to each other by name.
///
/// ```
/// let mut spec = condyle_spec::Spec::new();
/// let world = spec.world();
/// let ball = spec.add_body(world);
/// spec.bodies[ball].pos = [0.0, 0.0, 1.0];
/// spec.add_free_joint(ball);
/// let geom = spec.add_geom(ball, None);
/// spec.geoms[geom].size[0] = 0.1;
/// ```
#[derive(Clone, Debug)]
pub struct Spec {
    /// Name of the model.
    pub modelname: String,
    /// Text at the top of the file.
    pub comment: String,
    /// Folder that relative asset paths start from.
    pub modelfiledir: PathBuf,
    /// Settings of the compiler.
    pub compiler: Compiler,
    /// Drop folders from asset file names.
    pub strippath: bool,
    /// Physics options.
    pub option: PhysicsOptions,
    /// Settings of drawing.
    pub visual: Visual,
    /// Statistics that replace the computed ones.
    pub statistic: StatisticOverride,
    /// Sizes of arrays.
    pub sizes: Sizes,

    /// Default classes.
    pub classes: Arena<DefaultClass>,
    /// Bodies.
    pub bodies: Arena<Body>,
    /// Frames.
    pub frames: Arena<Frame>,
    /// Joints.
    pub joints: Arena<Joint>,
    /// Geoms.
    pub geoms: Arena<Geom>,
    /// Sites.
    pub sites: Arena<Site>,
    /// Cameras.
    pub cameras: Arena<Camera>,
    /// Lights.
    pub lights: Arena<Light>,
    /// Meshes.
    pub meshes: Arena<Mesh>,
    /// Height fields.
    pub hfields: Arena<HField>,
    /// Textures.
    pub textures: Arena<Texture>,
    /// Materials.
    pub materials: Arena<Material>,
    /// Skins.
    pub skins: Arena<Skin>,
    /// Deformable bodies.
    pub flexes: Arena<Flex>,
    /// Contact pairs.
    pub pairs: Arena<Pair>,
    /// Contact exclusions.
    pub excludes: Arena<Exclude>,
    /// Equality constraints.
    pub equalities: Arena<Equality>,
    /// Tendons.
    pub tendons: Arena<Tendon>,
    /// Actuators.
    pub actuators: Arena<Actuator>,
    /// Sensors.
    pub sensors: Arena<Sensor>,
    /// Custom arrays.
    pub numerics: Arena<Numeric>,
    /// Custom texts.
    pub texts: Arena<Text>,
    /// Custom lists of objects.
    pub tuples: Arena<Tuple>,
    /// Keyframes.
    pub keys: Arena<Key>,
    /// Instances of plugins.
    pub plugins: Arena<PluginInstance>,
    /// Names of the plugins that are declared, in order.
    pub active_plugins: Vec<String>,

    /// Settings (and asset folder) of attached specs, by origin; origin 0 is this spec itself.
    pub(crate) attached: Vec<(Compiler, PathBuf)>,
    world: Id<Body>,
    main_class: Id<DefaultClass>,
}

impl Default for Spec {
    fn default() -> Self {
        Self::new()
    }
}

/// Adds an element that belongs to the whole model and starts from its kind's default values.
macro_rules! add_plain {
    ($($function:ident, $arena:ident, $kind:ty, $what:literal;)*) => {$(
        #[doc = concat!("Adds ", $what, ".")]
        pub fn $function(&mut self) -> Id<$kind> {
            self.$arena.push(<$kind>::default())
        }
    )*};
}

/// Adds an element that belongs to the whole model and starts from a default class.
macro_rules! add_classed {
    ($($function:ident, $arena:ident, $member:ident, $kind:ty, $what:literal;)*) => {$(
        #[doc = concat!("Adds ", $what, " with the values of a default class; `None` is the main class.")]
        pub fn $function(&mut self, class: Option<Id<DefaultClass>>) -> Id<$kind> {
            let class = class.unwrap_or(self.main_class);
            let mut element = self.classes[class].$member.clone();
            element.info = Info { class: Some(class), ..Info::default() };
            self.$arena.push(element)
        }
    )*};
}

/// Adds an element to a body, with the values of a default class.
macro_rules! add_to_body {
    ($($function:ident, $arena:ident, $member:ident, $kind:ty, $what:literal;)*) => {$(
        #[doc = concat!("Adds ", $what, " to a body, with the values of a default class; `None` is the main class.")]
        pub fn $function(&mut self, body: Id<Body>, class: Option<Id<DefaultClass>>) -> Id<$kind> {
            let class = class.unwrap_or(self.main_class);
            let mut element = self.classes[class].$member.clone();
            element.info = Info { class: Some(class), ..Info::default() };
            let id = self.$arena.push(element);
            self.bodies[body].$arena.push(id);
            id
        }
    )*};
}

impl Spec {
    /// An empty world.
    pub fn new() -> Self {
        let mut bodies = Arena::default();
        let mut world = Body::default();
        world.info.name = "world".to_owned();
        let world = bodies.push(world);
        let mut classes = Arena::default();
        let main_class = classes.push(DefaultClass { name: "main".to_owned(), ..DefaultClass::default() });
        Self {
            modelname: "MuJoCo Model".to_owned(),
            comment: String::new(),
            modelfiledir: PathBuf::new(),
            compiler: Compiler::default(),
            strippath: false,
            option: PhysicsOptions::default(),
            visual: Visual::default(),
            statistic: StatisticOverride::default(),
            sizes: Sizes::default(),
            classes,
            bodies,
            frames: Arena::default(),
            joints: Arena::default(),
            geoms: Arena::default(),
            sites: Arena::default(),
            cameras: Arena::default(),
            lights: Arena::default(),
            meshes: Arena::default(),
            hfields: Arena::default(),
            textures: Arena::default(),
            materials: Arena::default(),
            skins: Arena::default(),
            flexes: Arena::default(),
            pairs: Arena::default(),
            excludes: Arena::default(),
            equalities: Arena::default(),
            tendons: Arena::default(),
            actuators: Arena::default(),
            sensors: Arena::default(),
            numerics: Arena::default(),
            texts: Arena::default(),
            tuples: Arena::default(),
            keys: Arena::default(),
            plugins: Arena::default(),
            active_plugins: Vec::new(),
            attached: Vec::new(),
            world,
            main_class,
        }
    }

    /// The world body.
    pub fn world(&self) -> Id<Body> {
        self.world
    }

    /// The default class all others come from.
    pub fn main_class(&self) -> Id<DefaultClass> {
        self.main_class
    }

    /// Settings an element is compiled with.
    pub fn compiler_of(&self, origin: Origin) -> &Compiler {
        match origin.0.checked_sub(1).and_then(|index| self.attached.get(index as usize)) {
            Some((compiler, _)) => compiler,
            None => &self.compiler,
        }
    }

    /// Adds a default class as a copy of its parent. `None` when the name is taken.
    pub fn add_class(&mut self, name: &str, parent: Id<DefaultClass>) -> Option<Id<DefaultClass>> {
        if self.find_class(name).is_some() {
            return None;
        }
        let mut class = self.classes[parent].clone();
        class.name = name.to_owned();
        class.location = None;
        class.parent = Some(parent);
        class.children.clear();
        let id = self.classes.push(class);
        self.classes[parent].children.push(id);
        Some(id)
    }

    /// The default class of this name.
    pub fn find_class(&self, name: &str) -> Option<Id<DefaultClass>> {
        self.classes.iter().find(|(_, class)| class.name == name).map(|(id, _)| id)
    }

    /// Adds a body inside another.
    pub fn add_body(&mut self, parent: Id<Body>) -> Id<Body> {
        let id = self.bodies.push(Body { parent: Some(parent), ..Body::default() });
        self.bodies[parent].bodies.push(id);
        id
    }

    /// Adds a frame to a body, inside another frame of the same body or directly.
    pub fn add_frame(&mut self, body: Id<Body>, frame: Option<Id<Frame>>) -> Id<Frame> {
        let id = self.frames.push(Frame::new(body, frame));
        self.bodies[body].frames.push(id);
        id
    }

    /// Adds a free joint, which takes nothing from default classes.
    pub fn add_free_joint(&mut self, body: Id<Body>) -> Id<Joint> {
        let joint = Joint { kind: condyle_model::JointType::Free, ..Joint::default() };
        let id = self.joints.push(joint);
        self.bodies[body].joints.push(id);
        id
    }

    add_to_body! {
        add_joint, joints, joint, Joint, "a joint";
        add_geom, geoms, geom, Geom, "a geom";
        add_site, sites, site, Site, "a site";
        add_camera, cameras, camera, Camera, "a camera";
        add_light, lights, light, Light, "a light";
    }

    add_classed! {
        add_mesh, meshes, mesh, Mesh, "a mesh";
        add_material, materials, material, Material, "a material";
        add_pair, pairs, pair, Pair, "a contact pair";
        add_equality, equalities, equality, Equality, "an equality constraint";
        add_tendon, tendons, tendon, Tendon, "a tendon";
        add_actuator, actuators, actuator, Actuator, "an actuator";
        add_flex, flexes, flex, Flex, "a flex";
    }

    add_plain! {
        add_hfield, hfields, HField, "a height field";
        add_texture, textures, Texture, "a texture";
        add_skin, skins, Skin, "a skin";
        add_exclude, excludes, Exclude, "a contact exclusion";
        add_sensor, sensors, Sensor, "a sensor";
        add_numeric, numerics, Numeric, "a custom array";
        add_text, texts, Text, "a custom text";
        add_tuple, tuples, Tuple, "a tuple";
        add_key, keys, Key, "a keyframe";
        add_plugin, plugins, PluginInstance, "a plugin instance";
    }

    /// Bodies in depth-first order, the world first: the order of body ids in the compiled model.
    pub fn bodies_depth_first(&self) -> Vec<Id<Body>> {
        let mut order = Vec::new();
        let mut stack = vec![self.world];
        while let Some(id) = stack.pop() {
            order.push(id);
            stack.extend(self.bodies[id].bodies.iter().rev());
        }
        order
    }
}

/// Finds an element by name.
pub fn find_by_name<T: Element>(arena: &Arena<T>, name: &str) -> Option<Id<T>> {
    arena.iter().find(|(_, element)| element.info().name == name).map(|(id, _)| id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_copies_its_parent_when_it_is_made() {
        let mut spec = Spec::new();
        let main = spec.main_class();
        spec.classes[main].geom.friction[0] = 0.3;
        let soft = spec.add_class("soft", main).unwrap();
        spec.classes[main].geom.friction[0] = 0.9;
        let world = spec.world();
        let geom = spec.add_geom(world, Some(soft));
        assert_eq!(spec.geoms[geom].friction[0], 0.3);
        assert_eq!(spec.geoms[geom].info.class, Some(soft));
        assert_eq!(spec.add_class("soft", main), None);
    }

    #[test]
    fn bodies_are_ordered_depth_first() {
        let mut spec = Spec::new();
        let world = spec.world();
        let a = spec.add_body(world);
        let b = spec.add_body(world);
        let a1 = spec.add_body(a);
        assert_eq!(spec.bodies_depth_first(), vec![world, a, a1, b]);
    }
}
