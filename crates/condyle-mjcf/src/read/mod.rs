//! A checked tree of elements to a [`Spec`].
//!
//! Sections are read in a fixed order whatever their order in the text: settings, default classes, plugins, custom fields,
//! assets, contacts, deformables, equalities, tendons, actuators, sensors, keyframes and last the tree of bodies. Repeated
//! sections are merged.

mod actuator;
pub(crate) mod asset;
mod attach;
mod attributes;
mod body;
mod composite;
mod custom;
mod default;
mod element;
mod flexcomp;
pub(crate) mod sensor;
pub(crate) mod settings;
pub(crate) mod urdf;

use crate::load::LoadOptions;
use crate::report::{Report, Tried};
use crate::schema::Schema;
use crate::xml::{Element, NodeId, Tree};
use attributes::Attributes;
use condyle_base::diagnostic::did_you_mean;
use condyle_base::{Diagnostic, Location, files};
use condyle_spec::{DefaultClass, Id, Info, Spec};
use std::collections::HashMap;
use std::sync::Arc;

/// Where the files of a model are looked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Folders {
    /// Folder of the main file.
    pub model: String,
    /// Last `assetdir`, `meshdir` and `texturedir` anywhere in the text.
    pub assets: String,
    pub meshes: String,
    pub textures: String,
    /// Folder of each included file, by the address of its source.
    pub included: HashMap<usize, String>,
}

/// Reads one model.
pub(crate) struct Reader<'a> {
    pub tree: &'a Tree,
    pub spec: Spec,
    pub report: &'a mut Report,
    pub options: &'a LoadOptions,
    pub folders: Folders,
    /// How many `<asset><model>` elements are around this model.
    pub model_depth: usize,
    classes: HashMap<String, Id<DefaultClass>>,
    names: HashMap<(&'static str, String), Location>,
    models: Vec<attach::Model>,
}

/// Reads everything below the root element.
pub(crate) fn read(
    tree: &Tree,
    root: NodeId,
    folders: Folders,
    options: &LoadOptions,
    model_depth: usize,
    report: &mut Report,
) -> Spec {
    let mut spec = Spec::new();
    spec.modelfiledir = folders.model.clone().into();
    let classes = HashMap::from([("main".to_owned(), spec.main_class())]);
    let mut reader = Reader {
        tree,
        spec,
        report,
        options,
        folders,
        model_depth,
        classes,
        names: HashMap::new(),
        models: Vec::new(),
    };
    reader.model_sections(root);
    reader.spec
}

impl<'a> Reader<'a> {
    fn model_sections(&mut self, root: NodeId) {
        let element = self.tree.get(root);
        Attributes(element).set_text("model", &mut self.spec.modelname);
        if let Some(comment) = &element.leading_comment {
            self.spec.comment = comment.to_string();
        }
        self.each(root, "compiler", Self::compiler);
        self.each(root, "option", Self::option);
        self.each(root, "size", Self::size);
        self.each(root, "visual", Self::visual);
        self.each(root, "statistic", Self::statistic);
        self.each(root, "default", Self::defaults);
        self.each(root, "extension", Self::extension);
        self.each(root, "custom", Self::custom);
        self.each(root, "asset", Self::assets);
        self.each(root, "contact", Self::contacts);
        self.each(root, "deformable", Self::deformables);
        self.each(root, "equality", Self::equalities);
        self.each(root, "tendon", Self::tendons);
        self.each(root, "actuator", Self::actuators);
        self.each(root, "sensor", Self::sensors);
        self.each(root, "keyframe", Self::keyframes);
        self.each(root, "worldbody", Self::worldbody);
    }

    fn each(&mut self, root: NodeId, name: &str, read: impl Fn(&mut Self, NodeId)) {
        let tree = self.tree;
        for (node, _) in tree.children_named(root, name) {
            read(self, node);
        }
    }

    fn sensors(&mut self, section: NodeId) {
        let tree = self.tree;
        for (node, _) in tree.children(section) {
            self.sensor(node);
        }
    }

    /// Reports a problem with its place and what to do about it.
    fn report_at(&mut self, diagnostic: Diagnostic, location: &Location, help: impl Into<String>) {
        self.report.push(diagnostic.at(Some(location)).help(help));
    }

    /// Reports an attribute that must be given and is not.
    fn require(&mut self, element: &Element, attribute: &str) -> bool {
        let row_has_text = element.attribute(attribute);
        let numeric = |text: &str| text.bytes().all(crate::number::is_space);
        // Texts may be empty; numbers that are empty count as not given.
        let is_text = matches!(
            attribute,
            "plugin"
                | "name"
                | "key"
                | "value"
                | "data"
                | "objtype"
                | "objname"
                | "refname"
                | "body"
                | "body1"
                | "body2"
                | "site"
                | "geom"
                | "joint"
                | "joint1"
                | "tendon"
                | "tendon1"
                | "flex"
                | "role"
                | "texture"
                | "camera"
                | "mesh"
                | "link"
                | "filename"
                | "actuator"
                | "model"
                | "prefix"
                | "file"
                | "type"
                | "kind"
        );
        let given = row_has_text.is_some_and(|text| is_text || !numeric(text));
        if !given {
            self.report_at(
                Diagnostic::error("E0401", format!("<{}> needs the attribute '{attribute}'", element.name)),
                &element.location(),
                format!("add {attribute}=\"…\""),
            );
        }
        given
    }

    /// Fills in the place of an element and its attributes, and its name if that is not taken.
    fn named<T: condyle_spec::Element>(&mut self, element: &Element, info: &mut Info) {
        self.place(element, info);
        let Some(name) = element.attribute("name") else { return };
        name.clone_into(&mut info.name);
        if name.is_empty() {
            return;
        }
        let location = element.location_of("name");
        let taken = self.names.get(&(T::KIND, name.to_owned())).cloned();
        let is_world = T::KIND == "body" && name == "world";
        if let Some(first) = taken {
            self.report.push(
                Diagnostic::error("E0460", format!("two elements of kind {} are named '{name}'", T::KIND))
                    .at(Some(&location))
                    .note(format!("the first one is at {first}"))
                    .help("names of one kind must differ; rename one of the two"),
            );
        } else if is_world {
            self.report_at(
                Diagnostic::error("E0460", "a body cannot be called 'world'"),
                &location,
                "the world body has this name already; choose another",
            );
        } else {
            self.names.insert((T::KIND, name.to_owned()), location);
        }
    }

    /// Fills in the place of an element and its attributes.
    fn place(&self, element: &Element, info: &mut Info) {
        info.location = Some(element.location());
        info.attributes.clear();
        self.add_places(element, info);
    }

    /// Adds the places of the attributes of a part of an element.
    fn add_places(&self, part: &Element, info: &mut Info) {
        info.attributes.extend(part.attributes.iter().filter_map(|attribute| {
            let name = Schema::get().attribute_name(&attribute.name)?;
            Some((name, part.value_location(attribute)))
        }));
    }

    /// The class an element names, or the one around it.
    fn class_of(&mut self, element: &Element, around: Id<DefaultClass>) -> Id<DefaultClass> {
        self.find_class(element, "class").unwrap_or(around)
    }

    /// The class an attribute names. An unknown one is an error, in lenient mode a warning.
    fn find_class(&mut self, element: &Element, attribute: &str) -> Option<Id<DefaultClass>> {
        let name = element.attribute(attribute)?;
        if let Some(&class) = self.classes.get(name) {
            return Some(class);
        }
        let message = format!("there is no default class '{name}'");
        let help = match did_you_mean(name, self.classes.keys().map(String::as_str)) {
            Some(close) => format!("did you mean '{close}'?"),
            None => format!("define it with <default class=\"{name}\"> inside <default>"),
        };
        let location = element.location_of(attribute);
        if self.options.lenient {
            self.report_at(
                Diagnostic::warning("W0403", format!("{message}; the enclosing one is used")),
                &location,
                help,
            );
        } else {
            self.report_at(Diagnostic::error("E0461", message), &location, help);
        }
        None
    }

    fn asset_folder(&self) -> String {
        files::join(&self.folders.model, &self.folders.assets)
    }

    fn mesh_folder(&self) -> String {
        let folders = &self.folders;
        if folders.meshes.is_empty() {
            self.asset_folder()
        } else {
            files::join(&folders.model, &folders.meshes)
        }
    }

    fn texture_folder(&self) -> String {
        let folders = &self.folders;
        if folders.textures.is_empty() {
            self.asset_folder()
        } else {
            files::join(&folders.model, &folders.textures)
        }
    }

    /// A file an attribute names: as written if it is found in `folder`, else seen from the file that names it.
    fn file(&mut self, element: &Element, attribute: &str, folder: &str) -> Option<String> {
        let name = element.attribute(attribute)?;
        let found = resolve(&self.folders, self.options, element, name, folder);
        if found != files::reduce(name) {
            let paths = vec![files::join(folder, name)];
            self.report.tried.push(Tried { named_at: element.location_of(attribute), paths, help: None });
        }
        Some(found)
    }
}

/// Where a file named in `element` is: the name itself if it is absolute or found in `folder`, else seen from the folder of
/// the included file that names it.
pub(crate) fn resolve(
    folders: &Folders,
    options: &LoadOptions,
    element: &Element,
    name: &str,
    folder: &str,
) -> String {
    if files::is_absolute(name) {
        return files::reduce(name);
    }
    let own = folders.included.get(&(Arc::as_ptr(&element.source) as usize));
    match own {
        Some(own) if !options.files.exists(&files::join(folder, name)) => files::join(own, name),
        _ => files::reduce(name),
    }
}
