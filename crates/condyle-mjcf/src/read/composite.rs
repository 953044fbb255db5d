//! `<composite>`: of its types only the cable is left; the others are refused with what replaced them.

use super::Reader;
use super::attributes::Attributes;
use crate::number::{is_space, words};
use crate::schema::{Schema, keywords};
use crate::xml::{Element, NodeId};
use condyle_base::Diagnostic;
use condyle_base::diagnostic::did_you_mean;
use condyle_model::GeomType;
use condyle_spec::composite::{MOST_POINTS, MOST_SKIN_VERTICES};
use condyle_spec::{
    Body, Cable, CableError, CableRoot, CableSkin, Curve, CurveShape, Element as _, Frame, Geom, Id, Info,
    Joint, PluginRef, Site, Skin, Text,
};

/// The only plugin a cable can have.
const CABLE_PLUGIN: &str = "mujoco.elasticity.cable";

/// Visual groups.
const GROUPS: i32 = 6;

/// What replaced the other types.
fn replacement(kind: &str) -> &'static str {
    match kind {
        "particle" => "use <replicate> around one body",
        "rope" => "use type=\"cable\"",
        "loop" => "use type=\"cable\" with a closed curve and an equality constraint between its ends",
        _ => "use <flexcomp>",
    }
}

impl Reader<'_> {
    pub(super) fn composite(&mut self, node: NodeId, body: Id<Body>, frame: Option<Id<Frame>>) {
        let tree = self.tree;
        let element = tree.get(node);
        if !self.require(element, "type") {
            return;
        }
        let errors = self.report.error_count();
        let kind = element.attribute("type").unwrap_or_default();
        if kind != "cable" {
            // Words that no type has were reported with the form of the attribute.
            if keywords("composite").is_some_and(|known| known.iter().any(|(word, _)| *word == kind)) {
                self.report_at(
                    Diagnostic::error("E0475", format!("the composite type '{kind}' is no longer supported")),
                    &element.location_of("type"),
                    replacement(kind),
                );
            }
            return;
        }
        let points = self.cable_points(element);
        let skin = self.cable_skin(node);
        let joint = self.cable_joint(node);
        let plugin = self.cable_plugin(node);
        let (Some(points), true) = (points, self.report.error_count() == errors) else { return };
        let a = Attributes(element);
        let cable = Cable {
            prefix: a.get("prefix").unwrap_or_default().to_owned(),
            points,
            offset: a.array("offset").unwrap_or_default(),
            // Anything else is a ball joint.
            root: match a.get("initial") {
                Some("free") => CableRoot::Free,
                Some("none") => CableRoot::Fixed,
                _ => CableRoot::Ball,
            },
            frame,
            geom: self.cable_geom(node),
            site: self.cable_site(node),
            joint,
            skin,
            plugin,
            info: Info { location: Some(element.location()), ..Info::default() },
        };
        self.add_cable(element, body, &cable);
    }

    fn add_cable(&mut self, element: &Element, body: Id<Body>, cable: &Cable) {
        let bodies = match self.spec.add_cable(body, cable) {
            Ok(bodies) => bodies,
            Err(error) => return self.cable_error(element, error),
        };
        let mut made = vec![(Text::KIND, format!("composite_{}", cable.prefix))];
        for &body in &bodies {
            let body = &self.spec.bodies[body];
            made.push((Body::KIND, body.info.name.clone()));
            made.extend(body.geoms().iter().map(|&id| (Geom::KIND, self.spec.geoms[id].info.name.clone())));
            made.extend(
                body.joints().iter().map(|&id| (Joint::KIND, self.spec.joints[id].info.name.clone())),
            );
            made.extend(body.sites().iter().map(|&id| (Site::KIND, self.spec.sites[id].info.name.clone())));
        }
        if cable.geom.kind == GeomType::Box {
            made.push((Skin::KIND, format!("{}Skin", cable.prefix)));
        }
        let location = element.location();
        let clash = made.iter().find_map(|name| self.names.get(name).map(|first| (name, first.clone())));
        if let Some(((kind, name), first)) = clash {
            self.report.push(
                Diagnostic::error(
                    "E0460",
                    format!("the composite makes a second element of kind {kind} named '{name}'"),
                )
                .at(Some(&location))
                .note(format!("the first one is at {first}"))
                .help("give the composite another prefix"),
            );
            return;
        }
        self.names.extend(made.into_iter().map(|name| (name, location.clone())));
    }

    fn cable_error(&mut self, element: &Element, error: CableError) {
        let (message, help) = match error {
            CableError::Points(count) if count > MOST_POINTS => (
                format!("a cable of {count} points is too long"),
                format!("at most {MOST_POINTS} points are allowed; split it into several cables"),
            ),
            CableError::Points(count) => (
                format!("a cable cannot have {count} points"),
                "give 2 points or at least 4, with count or vertex".to_owned(),
            ),
            CableError::SkinPoints(count) => (
                format!("a cable of boxes cannot have {count} points"),
                "its skin needs at least 4".to_owned(),
            ),
            CableError::SkinVertices => (
                format!("the skin of the cable would have more than {MOST_SKIN_VERTICES} vertices"),
                "choose a smaller subgrid".to_owned(),
            ),
            CableError::GeomType => (
                "the geoms of a cable must be capsules, cylinders or boxes".to_owned(),
                "add <geom type=\"capsule\" size=\"…\"/> to the composite".to_owned(),
            ),
        };
        self.report_at(Diagnostic::error("E0476", message), &element.location(), help);
    }

    /// The points as they are given, or those of the curve.
    fn cable_points(&mut self, element: &Element) -> Option<Vec<[f32; 3]>> {
        let a = Attributes(element);
        let (mut count, mut size) = ([1_i32; 3], [1.0, 0.0, 0.0]);
        a.set_first("count", &mut count);
        a.set_first("size", &mut size);
        let shape = self.curve(element);
        let vertices: Vec<f32> = a.numbers("vertex").unwrap_or_default();
        let mut problem = |attribute: &str, message: &str, help: &str| {
            let location = element.location_of(attribute);
            self.report_at(Diagnostic::error("E0477", message.to_owned()), &location, help);
            None
        };
        if count.iter().any(|&count| count < 1) {
            return problem(
                "count",
                "the counts of a composite must be positive",
                "use 1 or more; counts of 1 at the end may be left out",
            );
        }
        if !vertices.is_empty() {
            if count[0] > 1 {
                return problem("count", "a cable takes vertices or a count, not both", "delete the count");
            }
            if count[2] > 1 {
                return problem("count", "a cable has one dimension", "delete the count");
            }
            return Some(vertices.as_chunks::<3>().0.to_vec());
        }
        if count[1] > 1 || count[2] > 1 {
            return problem("count", "a cable has one dimension", "give a single count, that of its points");
        }
        let square = size[0] * size[0] + size[1] * size[1] + size[2] * size[2];
        if square < condyle_math::MIN_VALUE {
            return problem("size", "a cable needs a length", "give size=\"length\"");
        }
        let shape = shape?;
        if shape == [CurveShape::Zero; 3] {
            return problem(
                "curve",
                "a cable needs a curve",
                "give curve=\"s\" for a straight one, or vertex",
            );
        }
        let count = usize::try_from(count[0]).unwrap_or(0);
        if count > MOST_POINTS {
            self.cable_error(element, CableError::Points(count));
            return None;
        }
        let quat = a.array("quat").unwrap_or([1.0, 0.0, 0.0, 0.0]);
        Some(Curve { count, size, shape, quat }.points())
    }

    /// Up to three functions; the reader of the reference takes the last one again when blanks follow it.
    fn curve(&mut self, element: &Element) -> Option<[CurveShape; 3]> {
        let mut shape = [CurveShape::Zero; 3];
        let Some(text) = element.attribute("curve").filter(|text| !text.is_empty()) else {
            return Some(shape);
        };
        let known = keywords("curve").unwrap_or_default();
        let mut given: Vec<&str> = words(text).map(|(_, word)| word).collect();
        if text.bytes().last().is_some_and(is_space) {
            given.push(given.last().copied().unwrap_or_default());
        }
        let location = element.location_of("curve");
        if given.len() > shape.len() {
            self.report_at(
                Diagnostic::error("E0478", "a curve has at most three functions"),
                &location,
                "give one for each of x, y and z; trailing blanks count as one more",
            );
            return None;
        }
        for (slot, word) in shape.iter_mut().zip(given) {
            *slot = match known.iter().find(|(known, _)| *known == word) {
                Some((_, 0)) => CurveShape::Line,
                Some((_, 1)) => CurveShape::Cos,
                Some((_, 2)) => CurveShape::Sin,
                Some(_) => CurveShape::Zero,
                None => {
                    let help = match did_you_mean(word, known.iter().map(|&(word, _)| word)) {
                        Some(close) => format!("did you mean '{close}'?"),
                        None => "a curve is made of s, cos(s), sin(s) and 0".to_owned(),
                    };
                    let message = format!("'{word}' is not a function of a curve");
                    self.report_at(Diagnostic::error("E0478", message), &location, help);
                    return None;
                }
            };
        }
        Some(shape)
    }

    fn cable_skin(&mut self, node: NodeId) -> CableSkin {
        let mut skin = CableSkin::default();
        let tree = self.tree;
        let Some((_, element)) = tree.children_named(node, "skin").next() else { return skin };
        let a = Attributes(element);
        a.set_flag("texcoord", &mut skin.texcoord);
        a.set_text("material", &mut skin.material);
        a.set_all("rgba", &mut skin.rgba);
        skin.subgrid = usize::try_from(a.number::<i32>("subgrid").unwrap_or(0)).unwrap_or(0);
        a.set("group", &mut skin.group);
        if !(0..GROUPS).contains(&skin.group) {
            self.report_at(
                Diagnostic::error("E0479", format!("the group {} of the skin does not exist", skin.group)),
                &element.location_of("group"),
                format!("groups are 0 to {}", GROUPS - 1),
            );
        }
        skin
    }

    fn cable_geom(&mut self, node: NodeId) -> Geom {
        let mut geom = Geom::default();
        if let Some((child, _)) = self.tree.child(node, "geom") {
            self.geom_values(child, &mut geom);
        }
        geom
    }

    fn cable_site(&mut self, node: NodeId) -> Site {
        let mut site = Site { group: 3, ..Site::default() };
        let tree = self.tree;
        if let Some((_, element)) = tree.child(node, "site") {
            self.site_values(element, &mut site);
        }
        site
    }

    /// Joints start from group 3. Whether they are limited follows from their range: the attribute is not read.
    fn cable_joint(&mut self, node: NodeId) -> Joint {
        let mut joint = Joint { group: 3, ..Joint::default() };
        let row = Schema::get().find(&["body", "composite", "joint"]);
        let tree = self.tree;
        for (index, (_, element)) in tree.children_named(node, "joint").enumerate() {
            self.require(element, "kind");
            if index > 0 {
                self.report_at(
                    Diagnostic::error("E0480", "a cable can have only one <joint>"),
                    &element.location(),
                    "keep one <joint>",
                );
                continue;
            }
            let known = |name: &str| row.is_some_and(|row| row.reads(name));
            Attributes(element).read_some(&mut joint, known);
        }
        joint
    }

    /// The plugin of all bodies. One that is written inside the composite is an instance all of them share.
    fn cable_plugin(&mut self, node: NodeId) -> PluginRef {
        let mut plugin = PluginRef::default();
        let tree = self.tree;
        let Some((child, element)) = tree.children_named(node, "plugin").next() else { return plugin };
        self.plugin_reference(child, &mut plugin);
        if plugin.plugin_name != CABLE_PLUGIN {
            self.report_at(
                Diagnostic::error(
                    "E0481",
                    format!("a cable cannot have the plugin '{}'", plugin.plugin_name),
                ),
                &element.location_of("plugin"),
                format!("a cable can only have the plugin {CABLE_PLUGIN}"),
            );
        }
        if let Some(own) = plugin.own_instance.take() {
            let prefix = tree.get(node).attribute("prefix").unwrap_or_default();
            plugin.instance_name = format!("composite{prefix}");
            self.spec.plugins[own].info.name.clone_from(&plugin.instance_name);
        }
        plugin
    }
}
