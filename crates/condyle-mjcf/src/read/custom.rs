//! Custom fields, plugins, keyframes, contacts, equalities and tendons.

use super::Reader;
use super::attributes::Attributes;
use super::sensor::OBJECT_TYPES;
use crate::xml::NodeId;
use condyle_base::Diagnostic;
use condyle_base::diagnostic::did_you_mean;
use condyle_model::plugins::{self, BUILT_IN};
use condyle_spec::{
    Actuator, Equality, Exclude, Key, Numeric, Pair, PluginInstance, PluginRef, Tendon, Text, Tuple,
    TupleEntry, Wrap,
};

/// Longest array of a custom numeric field.
const LONGEST_NUMERIC: usize = 500;

impl Reader<'_> {
    pub(super) fn extension(&mut self, section: NodeId) {
        let tree = self.tree;
        for (node, element) in tree.children_named(section, "plugin") {
            if !self.require(element, "plugin") {
                continue;
            }
            let name = element.attribute("plugin").unwrap_or_default();
            if plugins::slot(name).is_none() {
                let known = BUILT_IN.map(|extension| extension.name);
                let help = match did_you_mean(name, known) {
                    Some(close) => format!("did you mean '{close}'?"),
                    None => format!("known plugins are {}", known.join(", ")),
                };
                self.report_at(
                    Diagnostic::error("E0450", format!("there is no plugin '{name}'")),
                    &element.location_of("plugin"),
                    help,
                );
                continue;
            }
            if !self.spec.active_plugins.iter().any(|active| active == name) {
                self.spec.active_plugins.push(name.to_owned());
            }
            for (instance_node, instance) in tree.children_named(node, "instance") {
                self.require(instance, "name");
                let mut plugin = PluginInstance { plugin_name: name.to_owned(), ..PluginInstance::default() };
                self.named::<PluginInstance>(instance, &mut plugin.info);
                plugin.config = self.plugin_config(instance_node);
                let id = self.spec.add_plugin();
                self.spec.plugins[id] = plugin;
            }
        }
    }

    fn plugin_config(&mut self, node: NodeId) -> Vec<(String, String)> {
        let tree = self.tree;
        let mut config: Vec<(String, String)> = Vec::new();
        for (_, element) in tree.children_named(node, "config") {
            self.require(element, "key");
            self.require(element, "value");
            let key = element.attribute("key").unwrap_or_default();
            if config.iter().any(|(known, _)| known == key) {
                self.report_at(
                    Diagnostic::error("E0451", format!("the key '{key}' is given twice")),
                    &element.location_of("key"),
                    "delete one of the two",
                );
                continue;
            }
            config.push((key.to_owned(), element.attribute("value").unwrap_or_default().to_owned()));
        }
        config.sort();
        config
    }

    /// The plugin an element uses: a declared instance by name, or one of its own.
    pub(super) fn plugin_reference(&mut self, node: NodeId, reference: &mut PluginRef) {
        let element = self.tree.get(node);
        let a = Attributes(element);
        reference.active = true;
        reference.location = Some(element.location());
        reference.plugin_name = a.get("plugin").unwrap_or_default().to_owned();
        reference.instance_name = a.get("instance").unwrap_or_default().to_owned();
        if reference.instance_name.is_empty() {
            let config = self.plugin_config(node);
            let id = self.spec.add_plugin();
            let instance = &mut self.spec.plugins[id];
            instance.plugin_name.clone_from(&reference.plugin_name);
            instance.config = config;
            instance.info.location = Some(element.location());
            reference.own_instance = Some(id);
        }
    }

    pub(super) fn custom(&mut self, section: NodeId) {
        let tree = self.tree;
        for (node, element) in tree.children(section) {
            self.require(element, "name");
            match &*element.name {
                "numeric" => self.numeric(node),
                "text" => {
                    let mut text = Text::default();
                    self.named::<Text>(element, &mut text.info);
                    if self.require(element, "data") {
                        Attributes(element).read(&mut text);
                        if text.data.is_empty() {
                            self.report_at(
                                Diagnostic::error("E0452", "a custom text cannot be empty"),
                                &element.location_of("data"),
                                "write some text, or delete the element",
                            );
                        }
                    }
                    let id = self.spec.add_text();
                    self.spec.texts[id] = text;
                }
                "tuple" => self.tuple(node),
                _ => {}
            }
        }
    }

    fn numeric(&mut self, node: NodeId) {
        let element = self.tree.get(node);
        let a = Attributes(element);
        let mut numeric = Numeric::default();
        self.named::<Numeric>(element, &mut numeric.info);
        let mut data = a.numbers::<f64>("data").unwrap_or_default();
        let size = a.number::<i32>("size");
        let length = size.unwrap_or(data.len() as i32);
        if !(1..=LONGEST_NUMERIC as i32).contains(&length) {
            let place = if size.is_some() { "size" } else { "data" };
            self.report_at(
                Diagnostic::error(
                    "E0453",
                    format!("a custom array must have 1 to {LONGEST_NUMERIC} numbers, not {length}"),
                ),
                &element.location_of(place),
                "give the numbers in 'data', or their count in 'size'",
            );
        } else if data.len() > length as usize {
            self.report_at(
                Diagnostic::error(
                    "E0214",
                    format!("'data' holds {} numbers, but 'size' is {length}", data.len()),
                ),
                &element.location_of("data"),
                "delete the extra numbers, or raise 'size'",
            );
        } else {
            data.resize(length as usize, 0.0);
            numeric.data = data;
            numeric.size = length;
        }
        let id = self.spec.add_numeric();
        self.spec.numerics[id] = numeric;
    }

    fn tuple(&mut self, node: NodeId) {
        let tree = self.tree;
        let element = tree.get(node);
        let mut tuple = Tuple::default();
        self.named::<Tuple>(element, &mut tuple.info);
        for (_, entry) in tree.children_named(node, "element") {
            self.require(entry, "objtype");
            self.require(entry, "objname");
            let a = Attributes(entry);
            let kind = a.get("objtype").unwrap_or_default();
            let Some(&(_, objtype)) = OBJECT_TYPES.iter().find(|(name, _)| *name == kind) else {
                if a.has("objtype") {
                    let help = match did_you_mean(kind, OBJECT_TYPES.iter().map(|(name, _)| *name)) {
                        Some(close) => format!("did you mean '{close}'?"),
                        None => {
                            "object types are called like their elements: body, geom, joint, …".to_owned()
                        }
                    };
                    self.report_at(
                        Diagnostic::error("E0430", format!("'{kind}' is not an object type")),
                        &entry.location_of("objtype"),
                        help,
                    );
                }
                continue;
            };
            let objname = a.get("objname").unwrap_or_default().to_owned();
            tuple.entries.push(TupleEntry { objtype, objname, prm: a.number("prm").unwrap_or(0.0) });
        }
        let id = self.spec.add_tuple();
        self.spec.tuples[id] = tuple;
    }

    pub(super) fn contacts(&mut self, section: NodeId) {
        let tree = self.tree;
        for (_, element) in tree.children(section) {
            let class = self.class_of(element, self.spec.main_class());
            match &*element.name {
                "pair" => {
                    let id = self.spec.add_pair(Some(class));
                    let mut pair: Pair = std::mem::take(&mut self.spec.pairs[id]);
                    self.named::<Pair>(element, &mut pair.info);
                    self.pair_values(element, &mut pair);
                    self.spec.pairs[id] = pair;
                }
                "exclude" => {
                    let mut exclude = Exclude::default();
                    self.named::<Exclude>(element, &mut exclude.info);
                    self.require(element, "body1");
                    self.require(element, "body2");
                    Attributes(element).read(&mut exclude);
                    let id = self.spec.add_exclude();
                    self.spec.excludes[id] = exclude;
                }
                _ => {}
            }
        }
    }

    pub(super) fn equalities(&mut self, section: NodeId) {
        let tree = self.tree;
        for (_, element) in tree.children(section) {
            let class = self.class_of(element, self.spec.main_class());
            let id = self.spec.add_equality(Some(class));
            let mut equality: Equality = std::mem::take(&mut self.spec.equalities[id]);
            self.named::<Equality>(element, &mut equality.info);
            self.equality_objects(element, &mut equality);
            self.equality_values(element, &mut equality);
            self.spec.equalities[id] = equality;
        }
    }

    pub(super) fn tendons(&mut self, section: NodeId) {
        let tree = self.tree;
        for (node, element) in tree.children(section) {
            let class = self.class_of(element, self.spec.main_class());
            let id = self.spec.add_tendon(Some(class));
            let mut tendon: Tendon = std::mem::take(&mut self.spec.tendons[id]);
            self.named::<Tendon>(element, &mut tendon.info);
            self.tendon_values(element, &mut tendon);
            for (_, part) in tree.children(node) {
                let a = Attributes(part);
                let text = |name: &str| a.get(name).unwrap_or_default().to_owned();
                let wrap = match &*part.name {
                    "site" => {
                        self.require(part, "site");
                        Wrap::Site { site: text("site") }
                    }
                    "geom" => {
                        self.require(part, "geom");
                        Wrap::Geom { geom: text("geom"), sidesite: text("sidesite") }
                    }
                    "pulley" => {
                        self.require(part, "divisor");
                        Wrap::Pulley { divisor: a.number("divisor").unwrap_or(1.0) }
                    }
                    "joint" => {
                        self.require(part, "joint");
                        self.require(part, "coef");
                        Wrap::Joint { joint: text("joint"), coef: a.number("coef").unwrap_or(0.0) }
                    }
                    _ => continue,
                };
                tendon.path.push((wrap, Some(part.location())));
            }
            self.spec.tendons[id] = tendon;
        }
    }

    pub(super) fn actuators(&mut self, section: NodeId) {
        let tree = self.tree;
        for (node, element) in tree.children(section) {
            let class = self.class_of(element, self.spec.main_class());
            let id = self.spec.add_actuator(Some(class));
            let mut actuator: Actuator = std::mem::take(&mut self.spec.actuators[id]);
            self.named::<Actuator>(element, &mut actuator.info);
            self.actuator_values(node, &mut actuator);
            self.spec.actuators[id] = actuator;
        }
    }

    pub(super) fn keyframes(&mut self, section: NodeId) {
        let tree = self.tree;
        for (_, element) in tree.children(section) {
            let mut key = Key::default();
            self.named::<Key>(element, &mut key.info);
            Attributes(element).read(&mut key);
            let id = self.spec.add_key();
            self.spec.keys[id] = key;
        }
    }
}
