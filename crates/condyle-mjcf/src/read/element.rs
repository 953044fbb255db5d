//! Elements that default classes also hold: each function writes one element's attributes over the values it starts from.

use super::Reader;
use super::attributes::Attributes;
use crate::xml::{Element, NodeId};
use condyle_base::Diagnostic;
use condyle_model::{EqualityType, LightType, ObjectType};
use condyle_spec::{
    Camera, Equality, Geom, Joint, Light, Material, Mesh, MeshBuiltin, Orientation, Pair, Site, Tendon,
};

/// The pose attributes of geoms, sites, cameras, bodies and frames.
pub(super) struct Pose<'a> {
    pub pos: &'a mut [f64; 3],
    pub quat: &'a mut [f64; 4],
    pub alt: &'a mut Option<Orientation>,
}

impl Reader<'_> {
    /// Position and orientation. More than one way of giving the orientation is an error, or in lenient mode a warning.
    pub(super) fn pose(&mut self, element: &Element, pose: Pose<'_>) {
        let a = Attributes(element);
        a.set_all("pos", pose.pos);
        a.set_all("quat", pose.quat);
        self.orientation(element, pose.alt);
    }

    pub(super) fn orientation(&mut self, element: &Element, alt: &mut Option<Orientation>) {
        let a = Attributes(element);
        let given = a.orientations();
        if given.len() > 1 {
            let message = format!("the orientation is given {} times: {}", given.len(), given.join(", "));
            let second = given.get(1).copied().unwrap_or_default();
            let place = element.find(second).map_or(element.location(), |found| element.name_location(found));
            if self.options.lenient {
                let chosen = if given.contains(&"euler") {
                    a.array("euler").map(Orientation::Euler)
                } else if given.contains(&"axisangle") {
                    a.array("axisangle").map(Orientation::AxisAngle)
                } else if given.contains(&"xyaxes") {
                    a.array("xyaxes").map(Orientation::XyAxes)
                } else {
                    a.array("zaxis").map(Orientation::ZAxis)
                };
                *alt = chosen.or(*alt);
                self.report_at(Diagnostic::warning("W0402", message), &place, "keep one of them");
                return;
            }
            self.report_at(Diagnostic::error("E0409", message), &place, "keep one of them");
            return;
        }
        *alt = a.orientation().or(*alt);
    }

    pub(super) fn joint_values(&mut self, element: &Element, joint: &mut Joint) {
        Attributes(element).read(joint);
    }

    pub(super) fn geom_values(&mut self, node: NodeId, geom: &mut Geom) {
        let tree = self.tree;
        let element = tree.get(node);
        Attributes(element).read(geom);
        if let Some((plugin, _)) = tree.child(node, "plugin") {
            self.plugin_reference(plugin, &mut geom.plugin);
        }
        self.pose(element, Pose { pos: &mut geom.pos, quat: &mut geom.quat, alt: &mut geom.alt });
    }

    pub(super) fn site_values(&mut self, element: &Element, site: &mut Site) {
        Attributes(element).read(site);
        self.pose(element, Pose { pos: &mut site.pos, quat: &mut site.quat, alt: &mut site.alt });
    }

    pub(super) fn camera_values(&mut self, element: &Element, camera: &mut Camera) {
        let a = Attributes(element);
        a.read(camera);
        self.pose(element, Pose { pos: &mut camera.pos, quat: &mut camera.quat, alt: &mut camera.alt });
        let by_sensor = a.set_all("sensorsize", &mut camera.sensor_size);
        let by_angle = a.set("fovy", &mut camera.fovy);
        if by_sensor && by_angle {
            self.report_at(
                Diagnostic::error("E0410", "'fovy' and 'sensorsize' cannot both be given"),
                &element.location_of("fovy"),
                "delete 'fovy': it follows from the sensor size and the focal length",
            );
        }
        // Unlike other elements, a camera never keeps the user data of its class.
        camera.userdata = a.numbers("user").unwrap_or_default();
    }

    pub(super) fn light_values(&mut self, element: &Element, light: &mut Light) {
        let a = Attributes(element);
        let directional = a.flag("directional");
        if let Some(directional) = directional {
            light.kind = if directional { LightType::Directional } else { LightType::Spot };
        }
        a.read(light);
        if a.word("type", "light").is_some() && directional.is_some() {
            self.report_at(
                Diagnostic::error("E0411", "'type' and 'directional' cannot both be given"),
                &element.location_of("directional"),
                "delete 'directional'; type=\"directional\" replaces it",
            );
        }
    }

    pub(super) fn material_values(&mut self, node: NodeId, material: &mut Material) {
        let tree = self.tree;
        let element = tree.get(node);
        let a = Attributes(element);
        const RGB: usize = 1;
        let has_texture = a.set_text("texture", &mut material.textures[RGB]);
        for (_, layer) in tree.children(node) {
            if has_texture {
                self.report_at(
                    Diagnostic::error("E0412", "a material with a texture attribute cannot have layers"),
                    &layer.location(),
                    "write the texture as <layer role=\"rgb\" texture=\"…\"/>",
                );
                continue;
            }
            let layer_attributes = Attributes(layer);
            self.require(layer, "role");
            self.require(layer, "texture");
            if let (Some(role), Some(texture)) =
                (layer_attributes.word("role", "role"), layer_attributes.get("texture"))
                && let Some(slot) = material.textures.get_mut(role as usize)
            {
                texture.clone_into(slot);
            }
        }
        a.read(material);
    }

    pub(super) fn mesh_values(&mut self, node: NodeId, mesh: &mut Mesh) {
        let tree = self.tree;
        let element = tree.get(node);
        let a = Attributes(element);
        a.read(mesh);
        let file = self.file(element, "file", &self.mesh_folder());
        let has_file = file.is_some();
        mesh.file = file.unwrap_or(std::mem::take(&mut mesh.file));
        if let Some((plugin, _)) = tree.child(node, "plugin") {
            self.plugin_reference(plugin, &mut mesh.plugin);
        }
        if let Some(most) = a.number::<i32>("maxhullvert").filter(|&most| most != -1 && most < 4) {
            self.report_at(
                Diagnostic::error(
                    "E0413",
                    format!("maxhullvert is {most}, but a hull has at least 4 vertices"),
                ),
                &element.location_of("maxhullvert"),
                "write 4 or more, or -1 for no limit",
            );
        }
        if let Some(shape) = a.word("builtin", "meshbuiltin") {
            self.require(element, "params");
            let conflict = match (has_file, mesh.vertices.is_empty()) {
                (true, _) => Some("file"),
                (_, false) => Some("vertex"),
                _ => None,
            };
            if let Some(name) = conflict {
                self.report_at(
                    Diagnostic::error("E0414", format!("'builtin' and '{name}' cannot both be given")),
                    &element.location_of(name),
                    "a mesh can have only one source; delete the other",
                );
            }
            mesh.params = a.numbers("params").unwrap_or_default();
            mesh.builtin = MeshBuiltin::from_i32(shape).unwrap_or_default();
        }
    }

    pub(super) fn pair_values(&mut self, element: &Element, pair: &mut Pair) {
        let a = Attributes(element);
        a.set_text("geom1", &mut pair.geomname1);
        a.set_text("geom2", &mut pair.geomname2);
        a.read(pair);
    }

    /// What defaults and elements have in common; the rest depends on the kind.
    pub(super) fn equality_values(&mut self, element: &Element, equality: &mut Equality) {
        Attributes(element).read(equality);
    }

    /// The objects an equality constraint ties together.
    pub(super) fn equality_objects(&mut self, element: &Element, equality: &mut Equality) {
        let a = Attributes(element);
        match &*element.name {
            kind @ ("connect" | "weld") => {
                let is_weld = kind == "weld";
                equality.kind = if is_weld { EqualityType::Weld } else { EqualityType::Connect };
                self.tied_bodies(element, equality, is_weld);
            }
            kind @ ("joint" | "tendon") => {
                equality.kind = if kind == "joint" { EqualityType::Joint } else { EqualityType::Tendon };
                let (first, second) =
                    if kind == "joint" { ("joint1", "joint2") } else { ("tendon1", "tendon2") };
                self.require(element, first);
                a.set_text(first, &mut equality.name1);
                if a.get(second).is_some_and(|name| !name.is_empty()) {
                    a.set_text(second, &mut equality.name2);
                }
                if let Some(coefficients) = equality.data.get_mut(..5) {
                    a.set_first("polycoef", coefficients);
                }
            }
            kind => {
                equality.kind = if kind == "flex" { EqualityType::Flex } else { EqualityType::FlexVert };
                self.require(element, "flex");
                a.set_text("flex", &mut equality.name1);
            }
        }
    }

    /// Bodies or sites of a connect or weld constraint; exactly one of the two kinds may be given.
    fn tied_bodies(&mut self, element: &Element, equality: &mut Equality, is_weld: bool) {
        let a = Attributes(element);
        let anchor = a.array::<f64, 3>("anchor");
        let pose = if is_weld { a.array::<f64, 7>("relpose") } else { None };
        if let (Some(anchor), Some(slot)) = (anchor, equality.data.get_mut(..3)) {
            slot.copy_from_slice(&anchor);
        }
        if let (Some(pose), Some(slot)) = (pose, equality.data.get_mut(3..10)) {
            slot.copy_from_slice(&pose);
        }
        let any_site = a.has("site1") || a.has("site2");
        let any_body = a.has("body1") || a.has("body2") || anchor.is_some() || pose.is_some();
        if any_site && any_body {
            let name = if a.has("site1") { "site1" } else { "site2" };
            self.report_at(
                Diagnostic::error("E0415", format!("<{}> names both bodies and sites", element.name)),
                &element.location_of(name),
                "give site1 and site2 alone, or body1, body2 and anchor",
            );
            return;
        }
        let by_sites = a.has("site1") && a.has("site2");
        let by_bodies = a.has("body1") && (is_weld || anchor.is_some());
        if by_sites == by_bodies {
            let help = if is_weld {
                "give body1 (and body2, anchor, relpose), or site1 and site2"
            } else {
                "give body1 and anchor (and body2), or site1 and site2"
            };
            self.report_at(
                Diagnostic::error("E0416", format!("<{}> does not say what it connects", element.name)),
                &element.location(),
                help,
            );
            return;
        }
        let (first, second) = if by_bodies { ("body1", "body2") } else { ("site1", "site2") };
        equality.objtype = if by_bodies { ObjectType::Body } else { ObjectType::Site };
        a.set_text(first, &mut equality.name1);
        if a.get(second).is_some_and(|name| !name.is_empty()) {
            a.set_text(second, &mut equality.name2);
        }
        if is_weld {
            if by_bodies && anchor.is_none() {
                for slot in equality.data.iter_mut().take(3) {
                    *slot = 0.0;
                }
            }
            if let (Some(scale), Some(slot)) = (a.number("torquescale"), equality.data.get_mut(10)) {
                *slot = scale;
            }
        }
    }

    pub(super) fn tendon_values(&mut self, element: &Element, tendon: &mut Tendon) {
        let a = Attributes(element);
        a.read(tendon);
        // One number stands for both.
        if a.number::<f64>("springlength").is_some() {
            tendon.springlength[1] = tendon.springlength[0];
        }
    }
}
