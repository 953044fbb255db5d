//! URDF: links become bodies, joints become joints, visuals and collisions become geoms.
//!
//! The settings differ from MJCF's: folders are stripped from mesh files, static bodies are fused and visuals discarded unless
//! `<mujoco><compiler>` says otherwise; angles are in radians always. Roll, pitch and yaw turn about fixed axes.
//!
//! A link of the name `world` is the world. Links without a parent are fixed to the world.
//!
//! What has no counterpart, arrives as something else or was not said is noted where it is decided.

mod extras;
mod geom;
mod joint;
mod mesh_files;
pub(crate) mod options;

use super::attributes::Attributes;
use super::{Folders, Reader};
use crate::conversion::{ConversionKind, ConversionNote};
use crate::load::LoadOptions;
use crate::report::Report;
use crate::schema::{Context, Count, Form, check_form, check_tolerantly};
use crate::xml::{Element, NodeId, Tree};
use condyle_base::diagnostic::did_you_mean;
use condyle_base::{Diagnostic, Location};
use condyle_math::quat;
use condyle_spec::{Body, Compiler, Id, Orientation, Spec, repaired_inertia, resolve_orientation};
use std::collections::{HashMap, HashSet};

/// Reads a `<robot>`.
pub(crate) fn read(
    tree: &Tree,
    root: NodeId,
    folders: Folders,
    options: &LoadOptions,
    report: &mut Report,
) -> Spec {
    let mut spec = Spec::new();
    spec.modelfiledir = folders.model.clone().into();
    spec.strippath = true;
    spec.compiler.fusestatic = true;
    spec.compiler.discardvisual = true;
    let reader = Reader {
        tree,
        spec,
        report,
        options,
        folders,
        model_depth: 0,
        classes: HashMap::new(),
        names: HashMap::new(),
        models: Vec::new(),
    };
    let mut robot = Robot {
        reader,
        links: Vec::new(),
        by_name: HashMap::new(),
        materials: HashMap::new(),
        geom_names: HashSet::new(),
        meshes: HashMap::new(),
        elsewhere: Vec::new(),
    };
    robot.read(root);
    let spec = robot.reader.spec;
    report.notes.sort_by_key(|note| note.location.start);
    spec
}

/// Scale of a mesh, and its file if it is not the one MuJoCo takes.
type MeshUse = ([f64; 3], Option<String>);

struct Link {
    node: NodeId,
    parent: Option<usize>,
    children: Vec<usize>,
    body: Option<Id<Body>>,
}

pub(super) struct Robot<'a> {
    pub(super) reader: Reader<'a>,
    links: Vec<Link>,
    by_name: HashMap<String, usize>,
    materials: HashMap<String, [f32; 4]>,
    geom_names: HashSet<String>,
    /// Meshes by file stem, with the scales they are used with, and the file if it is not the one MuJoCo takes.
    meshes: HashMap<String, Vec<MeshUse>>,
    /// Files that were found where MuJoCo does not look.
    elsewhere: Vec<(Location, String)>,
}

impl Robot<'_> {
    fn read(&mut self, root: NodeId) {
        let tree = self.reader.tree;
        self.settings(root);
        if let Some(name) = tree.get(root).attribute("name") {
            name.clone_into(&mut self.reader.spec.modelname);
        }
        self.collect_materials(root);
        self.collect_links(root);
        self.connect(root);
        self.build_tree();
        for index in 0..self.links.len() {
            self.link(index);
        }
        for (node, _) in tree.children_named(root, "joint") {
            self.joint(node);
        }
        // Links at the top stand at the origin of the world.
        for link in &self.links {
            if let (None, Some(body)) = (link.parent, link.body) {
                let body = &mut self.reader.spec.bodies[body];
                (body.pos, body.quat) = ([0.0; 3], [1.0, 0.0, 0.0, 0.0]);
            }
        }
        self.note_unread(root);
        self.extras(root);
        self.found_elsewhere();
    }

    /// Notes what became of a part of the text.
    fn note(&mut self, kind: ConversionKind, location: Location, message: impl Into<String>) {
        self.reader.report.notes.push(ConversionNote { kind, message: message.into(), location });
    }

    /// Notes the sections that are not read.
    fn note_unread(&mut self, root: NodeId) {
        let tree = self.reader.tree;
        for (node, element) in tree.children(root) {
            let advice = match &*element.name {
                "link" | "joint" | "mujoco" | "transmission" | "ros2_control" => continue,
                "material" => {
                    self.note_texture(node);
                    continue;
                }
                "gazebo" => "; simulator settings belong in <option> and <default>",
                "sensor" => "; add <sensor> elements",
                _ => "",
            };
            let message = format!("<{}> has no counterpart{advice}", element.name);
            self.note(ConversionKind::Dropped, element.location(), message);
        }
    }

    /// Notes the texture of a material.
    fn note_texture(&mut self, material: NodeId) {
        if let Some((_, texture)) = self.reader.tree.child(material, "texture") {
            let message = "textures of materials; only colours are kept";
            self.note(ConversionKind::Dropped, texture.location(), message);
        }
    }

    /// Links without a parent, with their bodies.
    pub(super) fn bases_of_links(&self) -> Vec<(NodeId, Id<Body>)> {
        let world = self.reader.spec.world();
        let base = |link: &Link| {
            link.body.filter(|&body| link.parent.is_none() && body != world).map(|body| (link.node, body))
        };
        self.links.iter().filter_map(base).collect()
    }

    /// Says once that mesh files were found where MuJoCo does not look.
    fn found_elsewhere(&mut self) {
        let Some((first, place)) = self.elsewhere.first().cloned() else { return };
        // File names are whole paths now, and those MuJoCo finds have lost their folders already.
        self.reader.spec.strippath = false;
        let count = self.elsewhere.len();
        let meshes = if count == 1 { "1 mesh file".to_owned() } else { format!("{count} mesh files") };
        self.reader.report_at(
            Diagnostic::warning(
                "W0606",
                format!("{meshes} found by package or path; MuJoCo looks for the bare name in meshdir"),
            )
            .note(format!("the first one is '{place}'")),
            &first,
            "'condyle convert' writes an MJCF with paths that MuJoCo finds",
        );
    }

    /// The child element of this name; more than one is an error, none as well if it is required.
    fn only(&mut self, node: NodeId, name: &str, required: bool) -> Option<NodeId> {
        let tree = self.reader.tree;
        let mut found = tree.children_named(node, name);
        let first = found.next();
        if let (Some(_), Some((_, second))) = (first, found.next()) {
            self.reader.report_at(
                Diagnostic::error("E0601", format!("<{}> has more than one <{name}>", tree.get(node).name)),
                &second.location(),
                "delete one of the two",
            );
        }
        if required && first.is_none() {
            let element = tree.get(node);
            self.reader.report_at(
                Diagnostic::error("E0602", format!("<{}> needs a <{name}>", element.name)),
                &element.location(),
                format!("add <{name} …/> inside it"),
            );
        }
        first.map(|(id, _)| id)
    }

    /// Exactly `N` numbers of an attribute; malformed ones are reported, missing ones if they are required.
    fn numbers<const N: usize>(&mut self, node: NodeId, name: &str, required: bool) -> Option<[f64; N]> {
        let element = self.reader.tree.get(node);
        self.check(element, name, Form::Real(Count::Exactly(N)), required);
        Attributes(element).array(name)
    }

    fn check(&mut self, element: &Element, name: &str, form: Form, required: bool) {
        match element.find(name) {
            Some(attribute) => check_form(form, element, attribute, self.reader.report),
            None if required => {
                self.reader.require(element, name);
            }
            None => {}
        }
    }

    fn settings(&mut self, root: NodeId) {
        let tree = self.reader.tree;
        if let Some(mujoco) = self.only(root, "mujoco", false) {
            for (_, child) in tree.children(mujoco) {
                if !matches!(&*child.name, "compiler" | "option" | "size") {
                    let message =
                        format!("<mujoco><{}>: only compiler, option and size are read", child.name);
                    self.note(ConversionKind::Dropped, child.location(), message);
                }
            }
            for name in ["compiler", "option", "size"] {
                let Some(section) = self.only(mujoco, name, false) else { continue };
                let lenient = self.reader.options.lenient;
                let context = &mut Context { tree, report: self.reader.report, lenient };
                check_tolerantly(&[name], tree.get(section), context);
                for (_, child) in tree.children(section) {
                    check_tolerantly(&[name, &child.name], child, context);
                }
                match name {
                    "compiler" => self.reader.compiler(section),
                    "option" => self.reader.option(section),
                    _ => self.reader.size(section),
                }
            }
        }
        self.reader.spec.compiler.degree = false;
    }

    /// Named colours anywhere in the text; the first of a name counts.
    fn collect_materials(&mut self, root: NodeId) {
        let tree = self.reader.tree;
        let mut pending = vec![root];
        while let Some(node) = pending.pop() {
            let element = tree.get(node);
            if let ("material", Some(name)) = (&*element.name, element.attribute("name"))
                && !self.materials.contains_key(name)
                && let Some(color) = self.only(node, "color", false)
                && let Some(rgba) = self.color(color)
            {
                self.materials.insert(name.to_owned(), rgba);
            }
            pending.extend(element.children.iter().rev());
        }
    }

    fn color(&mut self, node: NodeId) -> Option<[f32; 4]> {
        let element = self.reader.tree.get(node);
        self.check(element, "rgba", Form::Float(Count::Exactly(4)), true);
        Attributes(element).array("rgba")
    }

    fn collect_links(&mut self, root: NodeId) {
        let tree = self.reader.tree;
        for (node, element) in tree.children_named(root, "link") {
            if !self.reader.require(element, "name") {
                continue;
            }
            let name = element.attribute("name").unwrap_or_default();
            if let Some(&first) = self.by_name.get(name) {
                let first = self.links.get(first).map(|link| tree.get(link.node).location_of("name"));
                let mut diagnostic = Diagnostic::error("E0603", format!("two links are named '{name}'"));
                if let Some(first) = first {
                    diagnostic = diagnostic.note(format!("the first one is at {first}"));
                }
                self.reader.report_at(diagnostic, &element.location_of("name"), "rename one of the two");
                continue;
            }
            self.by_name.insert(name.to_owned(), self.links.len());
            self.links.push(Link { node, parent: None, children: Vec::new(), body: None });
        }
    }

    /// The link an end of a joint names.
    fn end_of(&mut self, joint: NodeId, end: &str) -> Option<usize> {
        let node = self.only(joint, end, true)?;
        let element = self.reader.tree.get(node);
        if !self.reader.require(element, "link") {
            return None;
        }
        let name = element.attribute("link").unwrap_or_default();
        let found = self.by_name.get(name).copied();
        if found.is_none() {
            let help = match did_you_mean(name, self.by_name.keys().map(String::as_str)) {
                Some(close) => format!("did you mean '{close}'?"),
                None => format!("add <link name=\"{name}\"/>"),
            };
            self.reader.report_at(
                Diagnostic::error("E0604", format!("there is no link '{name}'")),
                &element.location_of("link"),
                help,
            );
        }
        found
    }

    fn connect(&mut self, root: NodeId) {
        let tree = self.reader.tree;
        for (node, element) in tree.children_named(root, "joint") {
            let (parent, child) = (self.end_of(node, "parent"), self.end_of(node, "child"));
            let (Some(parent), Some(child)) = (parent, child) else { continue };
            let Some(link) = self.links.get_mut(child) else { continue };
            if link.parent.is_some() {
                let name = tree.get(link.node).attribute("name").unwrap_or_default();
                self.reader.report_at(
                    Diagnostic::error("E0605", format!("the link '{name}' has two parents")),
                    &element.location(),
                    "a link is the child of one joint; close loops with an equality constraint in MJCF",
                );
                continue;
            }
            link.parent = Some(parent);
            if let Some(link) = self.links.get_mut(parent) {
                link.children.push(child);
            }
        }
    }

    /// Adds bodies from the top; what is never reached is part of a loop.
    fn build_tree(&mut self) {
        let tree = self.reader.tree;
        let world = self.reader.spec.world();
        let tops: Vec<usize> = (0..self.links.len()).filter(|&index| self.is_top(index)).collect();
        for top in tops {
            let mut pending = vec![(top, world)];
            while let Some((index, parent)) = pending.pop() {
                let Some(link) = self.links.get_mut(index) else { continue };
                let element = tree.get(link.node);
                let body = if element.attribute("name") == Some("world") {
                    world
                } else {
                    let body = self.reader.spec.add_body(parent);
                    let mut info = std::mem::take(&mut self.reader.spec.bodies[body].info);
                    self.reader.place(element, &mut info);
                    element.attribute("name").unwrap_or_default().clone_into(&mut info.name);
                    self.reader.spec.bodies[body].info = info;
                    body
                };
                link.body = Some(body);
                pending.extend(link.children.iter().rev().map(|&child| (child, body)));
            }
        }
        let lost: Vec<NodeId> =
            self.links.iter().filter(|link| link.body.is_none()).map(|link| link.node).collect();
        for node in lost {
            let element = tree.get(node);
            let name = element.attribute("name").unwrap_or_default();
            self.reader.report_at(
                Diagnostic::error("E0606", format!("the link '{name}' is part of a loop of joints")),
                &element.location_of("name"),
                "one link must have no parent; close loops with an equality constraint in MJCF",
            );
        }
    }

    fn is_top(&self, index: usize) -> bool {
        self.links.get(index).is_some_and(|link| link.parent.is_none())
    }

    fn link(&mut self, index: usize) {
        let tree = self.reader.tree;
        let Some(Link { node, body: Some(body), .. }) = self.links.get(index) else { return };
        let (node, body) = (*node, *body);
        let has_inertial = self.inertial(node, body);
        let name = tree.get(node).attribute("name").unwrap_or_default();
        let (mut discarded, mut collisions) = (0, 0);
        let mut rgba = None;
        let mut geom_name = String::new();
        for (child, element) in tree.children(node) {
            let is_visual = &*element.name == "visual";
            if is_visual {
                rgba = self.material(child).or(rgba);
                if self.reader.spec.compiler.discardvisual {
                    discarded += 1;
                    continue;
                }
            } else if &*element.name == "collision" {
                collisions += 1;
            } else {
                if &*element.name != "inertial" {
                    let message = format!("<{}> of link '{name}' has no counterpart", element.name);
                    self.note(ConversionKind::Dropped, element.location(), message);
                }
                continue;
            }
            if let Some(mut geom) = self.geom(child, !is_visual) {
                geom.rgba = rgba.unwrap_or(geom.rgba);
                // A geom without a name takes the one before it, which is then taken.
                Attributes(element).set_text("name", &mut geom_name);
                if self.geom_names.insert(geom_name.clone()) {
                    geom.info.name.clone_from(&geom_name);
                } else if element.attribute("name").is_some_and(|name| !name.is_empty()) {
                    self.reader.report_at(
                        Diagnostic::warning(
                            "W0602",
                            format!("the name '{geom_name}' is taken; this geom has none"),
                        ),
                        &element.location_of("name"),
                        "rename it",
                    );
                }
                let id = self.reader.spec.add_geom(body, None);
                geom.info.class = self.reader.spec.geoms[id].info.class;
                self.reader.spec.geoms[id] = geom;
            }
        }
        let place = tree.get(node).location();
        if discarded > 0 {
            let what = if discarded == 1 { "the visual".to_owned() } else { format!("{discarded} visuals") };
            let message = format!(
                "{what} of link '{name}', with meshes and textures; <mujoco><compiler discardvisual=\"false\"/></mujoco> keeps them"
            );
            self.note(ConversionKind::Dropped, place.clone(), message);
        }
        if !has_inertial && name != "world" {
            let message = if collisions > 0 {
                format!("link '{name}' has no <inertial>: computed from its collision shapes at 1000 kg/m³")
            } else {
                format!("link '{name}' has no <inertial> and no collision shape: it has no mass")
            };
            self.note(ConversionKind::Assumed, place, message);
        }
    }

    /// Reads the inertia of a link, and says whether there is one.
    fn inertial(&mut self, link: NodeId, body: Id<Body>) -> bool {
        let Some(inertial) = self.only(link, "inertial", false) else { return false };
        let (pos, rotation) = self.origin(inertial);
        let mass = self.only(inertial, "mass", true).and_then(|node| self.numbers::<1>(node, "value", true));
        let mut full = [0.0; 6];
        if let Some(node) = self.only(inertial, "inertia", true) {
            for (slot, name) in full.iter_mut().zip(["ixx", "iyy", "izz", "ixy", "ixz", "iyz"]) {
                if let Some([value]) = self.numbers(node, name, true) {
                    *slot = value;
                }
            }
            if full == [0.0; 6] {
                let name = self.reader.tree.get(link).attribute("name").unwrap_or_default();
                let message =
                    format!("the inertia of link '{name}' is all zeros, which is treated as not given");
                self.note(ConversionKind::Assumed, self.reader.tree.get(node).location(), message);
            }
        }
        let identity = [1.0, 0.0, 0.0, 0.0];
        let body = &mut self.reader.spec.bodies[body];
        body.explicit_inertial = true;
        body.ipos = Some(pos);
        body.iquat = rotation;
        if let Some([mass]) = mass {
            body.mass = mass;
        }
        if full.iter().any(|&value| value != 0.0) {
            // The reference forgets the rotation of the inertial frame when the inertia is given.
            let keep = self.reader.options.reference_bugs || rotation == identity;
            let full = if keep { full } else { rotated(&full, rotation) };
            body.iquat = identity;
            match repaired_inertia(&full) {
                Some((axes, moments)) if self.reader.options.urdf.repair_inertia => {
                    (body.iquat, body.inertia) = (axes, moments);
                    self.warn_of_repair(inertial, moments);
                }
                _ => body.fullinertia = Some(full),
            }
        }
        true
    }

    fn warn_of_repair(&mut self, inertial: NodeId, [a, b, c]: [f64; 3]) {
        self.reader.report_at(
            Diagnostic::warning(
                "W0608",
                format!("no rigid body has this inertia; the nearest possible is used, with the moments ({a}, {b}, {c})"),
            ),
            &self.reader.tree.get(inertial).location(),
            "export the link again with its inertia about the centre of mass, or measure it",
        );
    }

    /// The colour of a visual's material: its own, or the one its name stands for.
    fn material(&mut self, visual: NodeId) -> Option<[f32; 4]> {
        let material = self.only(visual, "material", false)?;
        self.note_texture(material);
        if let Some(color) = self.only(material, "color", false) {
            return self.color(color);
        }
        let element = self.reader.tree.get(material);
        self.reader.require(element, "name");
        self.materials.get(element.attribute("name").unwrap_or_default()).copied()
    }

    /// Position and orientation of `<origin>`; none means identity.
    fn origin(&mut self, node: NodeId) -> ([f64; 3], [f64; 4]) {
        let (mut pos, mut rotation) = ([0.0; 3], [1.0, 0.0, 0.0, 0.0]);
        if let Some(origin) = self.only(node, "origin", false) {
            pos = self.numbers(origin, "xyz", false).unwrap_or(pos);
            if let Some(angles) = self.numbers(origin, "rpy", false) {
                let fixed_axes = Compiler { degree: false, eulerseq: *b"XYZ", ..Compiler::default() };
                rotation = resolve_orientation(&Orientation::Euler(angles), &fixed_axes).unwrap_or(rotation);
            }
        }
        (pos, rotation)
    }
}

/// The inertia matrix xx, yy, zz, xy, xz, yz seen from a frame in which its own frame is turned.
fn rotated(full: &[f64; 6], rotation: [f64; 4]) -> [f64; 6] {
    let [xx, yy, zz, xy, xz, yz] = *full;
    let inertia = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
    let m = quat::to_mat(&rotation);
    let r = [[m[0], m[1], m[2]], [m[3], m[4], m[5]], [m[6], m[7], m[8]]];
    let entry = |i: usize, j: usize| -> f64 {
        let mut sum = 0.0;
        for k in 0..3 {
            for l in 0..3 {
                sum += r[i][k] * inertia[k][l] * r[j][l];
            }
        }
        sum
    };
    [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)]
}
