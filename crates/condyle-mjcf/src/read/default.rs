//! Default classes.

use super::Reader;
use crate::xml::NodeId;
use condyle_base::Diagnostic;
use condyle_spec::{DefaultClass, Id};

impl Reader<'_> {
    /// One top-level `<default>`: it changes the main class and holds further classes.
    pub(super) fn defaults(&mut self, section: NodeId) {
        let tree = self.tree;
        let mut pending: Vec<(NodeId, Option<Id<DefaultClass>>)> = vec![(section, None)];
        while let Some((node, parent)) = pending.pop() {
            let element = tree.get(node);
            let name = element.attribute("class").unwrap_or_default();
            let class = match parent {
                None => {
                    if !name.is_empty() && name != "main" {
                        self.report_at(
                            Diagnostic::error(
                                "E0462",
                                format!("the outermost default class is called 'main', not '{name}'"),
                            ),
                            &element.location_of("class"),
                            format!("put <default class=\"{name}\"> inside another <default>"),
                        );
                    }
                    self.spec.main_class()
                }
                Some(parent) => match self.new_class(node, name, parent) {
                    Some(class) => class,
                    None => continue,
                },
            };
            let mut nested = Vec::new();
            for (child, element) in tree.children(node) {
                if &*element.name == "default" {
                    nested.push((child, Some(class)));
                } else {
                    self.default_values(child, class);
                }
            }
            pending.extend(nested.into_iter().rev());
        }
    }

    fn new_class(&mut self, node: NodeId, name: &str, parent: Id<DefaultClass>) -> Option<Id<DefaultClass>> {
        let element = self.tree.get(node);
        if name.is_empty() {
            self.report_at(
                Diagnostic::error("E0463", "a default class needs a name"),
                &element.location_of("class"),
                "add class=\"…\"; only the outermost <default> goes without",
            );
            return None;
        }
        if self.classes.contains_key(name) {
            let first = self.classes.get(name).and_then(|&id| self.spec.classes.get(id)?.location.clone());
            let mut diagnostic =
                Diagnostic::error("E0464", format!("two default classes are named '{name}'"));
            if let Some(first) = first {
                diagnostic = diagnostic.note(format!("the first one is at {first}"));
            }
            self.report_at(diagnostic, &element.location_of("class"), "rename one, or merge the two");
            return None;
        }
        let class = self.spec.add_class(name, parent)?;
        self.spec.classes[class].location = Some(element.location());
        self.classes.insert(name.to_owned(), class);
        Some(class)
    }

    fn default_values(&mut self, node: NodeId, class: Id<DefaultClass>) {
        let element = self.tree.get(node);
        macro_rules! change {
            ($member:ident, $read:ident, $argument:expr) => {{
                let mut values = std::mem::take(&mut self.spec.classes[class].$member);
                self.$read($argument, &mut values);
                self.place(element, &mut values.info);
                self.spec.classes[class].$member = values;
            }};
        }
        match &*element.name {
            "mesh" => change!(mesh, mesh_values, node),
            "material" => change!(material, material_values, node),
            "joint" => change!(joint, joint_values, element),
            "geom" => change!(geom, geom_values, node),
            "site" => change!(site, site_values, element),
            "camera" => change!(camera, camera_values, element),
            "light" => change!(light, light_values, element),
            "pair" => change!(pair, pair_values, element),
            "equality" => change!(equality, equality_values, element),
            "tendon" => change!(tendon, tendon_values, element),
            "general" | "motor" | "position" | "velocity" | "damper" | "intvelocity" | "cylinder"
            | "muscle" | "hillmuscle" | "adhesion" => change!(actuator, actuator_values, node),
            _ => {}
        }
    }
}
