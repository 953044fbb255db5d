//! Elements found by their names, and the names that must be there and must differ.

use std::collections::HashMap;

use condyle_base::diagnostic::Diagnostic;
use condyle_model::{ObjectType, TextureType};

use super::body::BodyWork;
use super::problems::{NAME, Problems, label, unknown_reference};
use super::work::Work;
use crate::element::{Element, Info, kind_name};

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

impl Work<'_> {
    /// Lists all names, and what is wrong with them.
    pub(super) fn list_names(&mut self) {
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
            let diagnostic = Diagnostic::error(NAME, format!("{} has no name", label(kind, info)));
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
            if texture.source.kind != TextureType::Skybox {
                missing("texture", &texture.source.info, file_help);
            }
        }
        for material in self.materials.iter().filter(|material| material.source.info.name.is_empty()) {
            missing("material", &material.source.info, "give it a name");
        }
    }

    /// Position of a named element.
    pub(super) fn find(&self, kind: ObjectType, name: &str) -> Option<usize> {
        self.names.find(kind, name)
    }

    /// Position of an element that must exist.
    pub(super) fn require<T: Element>(
        &self,
        element: &T,
        attribute: &str,
        kind: ObjectType,
        name: &str,
    ) -> Result<usize, Diagnostic> {
        self.find(kind, name)
            .ok_or_else(|| unknown_reference(element, attribute, kind_name(kind), name, self.names.all(kind)))
    }
}
