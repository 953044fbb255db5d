//! The `<flexcomp>` element: a deformable body that is expanded while it is read.

use super::Reader;
use super::attributes::Attributes;
use crate::xml::{Element, NodeId};
use condyle_base::{Diagnostic, Location};
use condyle_spec::flexcomp::{ProblemKind, flexcomp_equality};
use condyle_spec::{
    Body, Element as _, Equality, Flex, Flexcomp, FlexcompDof, FlexcompProblem, FlexcompType, Id, Pins,
    PluginRef,
};

impl Reader<'_> {
    pub(super) fn flexcomp(&mut self, node: NodeId, body: Id<Body>, in_frame: bool) {
        let tree = self.tree;
        let element = tree.get(node);
        let errors = self.report.error_count();
        self.require(element, "name");
        // Without a name around it nothing is made.
        if in_frame && !self.spec.bodies[body].info.name.is_empty() {
            self.report_at(
                Diagnostic::warning("W0406", "a frame does not move the <flexcomp> inside it"),
                &element.location(),
                "give the flexcomp a pose of its own, or put it outside the frame",
            );
        }
        let flexcomp = self.flexcomp_values(node);
        if self.report.error_count() > errors {
            return;
        }
        match self.spec.add_flexcomp(body, &flexcomp, &self.options.files) {
            Ok(parts) => self.flexcomp_names(element, &parts.bodies),
            Err(problems) => {
                for problem in problems {
                    self.flexcomp_problem(node, problem);
                }
            }
        }
    }

    /// Everything that is written in the element and its parts.
    fn flexcomp_values(&mut self, node: NodeId) -> Flexcomp {
        let tree = self.tree;
        let element = tree.get(node);
        let a = Attributes(element);
        let mut flexcomp = Flexcomp::default();
        a.set_text("name", &mut flexcomp.name);
        self.named::<Flex>(element, &mut flexcomp.info);
        a.set_word("type", "flexcomp", FlexcompType::from_i32, &mut flexcomp.kind);
        a.set_word("dof", "flexdof", FlexcompDof::from_i32, &mut flexcomp.dof);
        a.set_all("count", &mut flexcomp.count);
        a.set_all("spacing", &mut flexcomp.spacing);
        a.set_all("scale", &mut flexcomp.scale);
        a.set("mass", &mut flexcomp.mass);
        a.set("inertiabox", &mut flexcomp.inertiabox);
        let folder = self.folders.model.clone();
        flexcomp.file = self.file(element, "file", &folder).unwrap_or_default();
        let shared = ["dim", "flatskin", "group", "material", "radius", "rgba"];
        a.read_some(&mut flexcomp.flex, |name| shared.contains(&name));
        let has_origin = a.set_all("origin", &mut flexcomp.origin);
        if !has_origin && flexcomp.kind == FlexcompType::Mesh && flexcomp.flex.dim == 3 {
            self.report_at(
                Diagnostic::error("E0417", "a solid from a mesh needs an origin"),
                &element.location_of("type"),
                "add origin=\"x y z\", a point inside",
            );
        }
        a.set_all("pos", &mut flexcomp.pos);
        a.set_all("quat", &mut flexcomp.quat);
        self.orientation(element, &mut flexcomp.alt);
        a.set_flag("rigid", &mut flexcomp.rigid);
        a.set_list("point", &mut flexcomp.points);
        a.set_list("element", &mut flexcomp.elements);
        a.set_list("texcoord", &mut flexcomp.texcoords);
        self.flex_parts(node, &mut flexcomp.flex);
        flexcomp.info.attributes.append(&mut flexcomp.flex.info.attributes);
        flexcomp.equality = self.flexcomp_equality(node);
        flexcomp.pins = self.flexcomp_pins(node);
        if let Some((plugin, _)) = tree.child(node, "plugin") {
            let mut reference = PluginRef::default();
            self.plugin_reference(plugin, &mut reference);
            flexcomp.plugin = reference;
        }
        flexcomp
    }

    fn flexcomp_equality(&self, node: NodeId) -> Option<Equality> {
        let (_, edge) = self.tree.child(node, "edge")?;
        let a = Attributes(edge);
        let mut equality = match a.word("equality", "flexequality") {
            Some(1) => flexcomp_equality(false),
            Some(2) => flexcomp_equality(true),
            _ => return None,
        };
        a.set_first("solref", &mut equality.solref);
        a.set_first("solimp", &mut equality.solimp);
        Some(equality)
    }

    fn flexcomp_pins(&self, node: NodeId) -> Pins {
        let mut pins = Pins::default();
        for (_, pin) in self.tree.children_named(node, "pin") {
            let a = Attributes(pin);
            pins.ids.extend(a.numbers::<i32>("id").unwrap_or_default());
            pins.ranges.extend(a.numbers::<i32>("range").unwrap_or_default());
            pins.grid.extend(a.numbers::<i32>("grid").unwrap_or_default());
            pins.grid_ranges.extend(a.numbers::<i32>("gridrange").unwrap_or_default());
        }
        pins
    }

    /// Notes the names of the bodies; none may be taken.
    fn flexcomp_names(&mut self, element: &Element, bodies: &[Id<Body>]) {
        let location = element.location();
        for &body in bodies {
            let name = self.spec.bodies[body].info.name.clone();
            let first = self.names.insert((Body::KIND, name.clone()), location.clone());
            if let Some(first) = first {
                self.report.push(
                    Diagnostic::error("E0460", format!("the flexcomp makes a second body named '{name}'"))
                        .at(Some(&location))
                        .note(format!("the first one is at {first}"))
                        .help("give the flexcomp another name"),
                );
                return;
            }
        }
    }

    fn flexcomp_problem(&mut self, node: NodeId, problem: FlexcompProblem) {
        let code = match problem.kind {
            ProblemKind::Value => "E0417",
            ProblemKind::Asset => "E0482",
            ProblemKind::TooLarge => "E0483",
        };
        let mut diagnostic = Diagnostic::error(code, problem.message)
            .at(Some(&self.place_in_flexcomp(node, problem.attribute)));
        diagnostic.notes = problem.notes;
        self.report.push(match problem.help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        });
    }

    /// Where an attribute stands: in the flexcomp, in one of its parts, or nowhere.
    fn place_in_flexcomp(&self, node: NodeId, attribute: &str) -> Location {
        let element = self.tree.get(node);
        if element.attribute(attribute).is_some() {
            return element.location_of(attribute);
        }
        let part = self.tree.children(node).find(|(_, part)| part.attribute(attribute).is_some());
        part.map_or_else(|| element.location(), |(_, part)| part.location_of(attribute))
    }
}

#[cfg(test)]
mod tests {
    use crate::{LoadOptions, load_str};
    use condyle_base::Files;
    use condyle_spec::{Spec, find_by_name};

    fn load(flexcomp: &str) -> Result<Spec, Vec<String>> {
        let text = format!("<mujoco><worldbody><body name='b'>{flexcomp}</body></worldbody></mujoco>");
        load_str(&text, &LoadOptions::default()).map(|(spec, _)| spec).map_err(|problems| {
            assert!(problems.iter().all(|problem| problem.location.is_some() && problem.help.is_some()));
            problems.into_iter().map(|problem| problem.message).collect()
        })
    }

    #[test]
    fn a_flexcomp_is_expanded_with_its_parts() {
        let spec = load(
            "<flexcomp name='f' count='3 3 1' radius='.001' pos='1 0 0' euler='0 0 90' rgba='1 0 0 1'>
               <edge equality='vert' solref='.1'/><contact margin='.002' vertcollide='true'/>
               <elasticity young='5' elastic2d='bend'/><pin id='0'/><pin range='7 8'/></flexcomp>",
        )
        .unwrap();
        let flex = spec.flexes.values().next().unwrap();
        assert_eq!((flex.info.name.as_str(), flex.dim, flex.elem.len()), ("f", 2, 24));
        assert_eq!((flex.margin, flex.young, flex.elastic2d), (0.002, 5.0, 1));
        assert_eq!((spec.bodies.len(), spec.joints.len(), spec.geoms.len()), (2 + 6, 18, 6));
        let equality = spec.equalities.values().next().unwrap();
        assert_eq!(equality.solref, [0.1, 1.0]);
        let body = find_by_name(&spec.bodies, "f_1").unwrap();
        assert!((spec.bodies[body].pos[1] + 0.02).abs() < 1e-12);
    }

    #[test]
    fn what_the_reference_refuses_is_reported() {
        for (flexcomp, expected) in [
            ("<flexcomp name='f' dim='4'/>", "dim is 4"),
            ("<flexcomp name='f' count='0 1 1'/>", "count is too small"),
            ("<flexcomp name='f' count='1 1 1'/>", "no elements"),
            ("<flexcomp name='f'/>", "element refers to point"),
            ("<flexcomp name='f' radius='.1'/>", "spacing must be larger"),
            ("<flexcomp name='f' mass='0'/>", "mass must be positive"),
            ("<flexcomp name='f' scale='1 0 1'/>", "scale must be positive"),
            ("<flexcomp name='f' type='mesh'/>", "a file is required"),
            ("<flexcomp name='f' type='mesh' dim='1' file='a.stl'/>", "dim must be at least 2"),
            ("<flexcomp name='f' type='mesh' dim='3' file='a.stl'/>", "needs an origin"),
            ("<flexcomp name='f' type='mesh' file='a.msh'/>", "legacy MSH"),
            ("<flexcomp name='f' type='gmsh' file='no_such_file.msh'/>", "cannot read file"),
            ("<flexcomp name='f' type='direct'/>", "point and element are required"),
            (
                "<flexcomp name='f' type='direct' point='0 0 0 1 0 0 0 1 0' element='0 1 3'/>",
                "refers to point 3",
            ),
            (
                "<flexcomp name='f' type='direct' point='0 0 0 1 0 0 0 1' element='0 1 1'/>",
                "not a multiple of 3",
            ),
            ("<flexcomp name='f' count='3 3 1'><pin range='1'/></flexcomp>", "not a multiple of 2"),
            ("<flexcomp name='f' count='3 3 1'><pin id='9'/></flexcomp>", "pin refers to point 9"),
            ("<flexcomp name='f' type='square' count='3 3 1'><pin grid='1 1'/></flexcomp>", "belong to type"),
            ("<flexcomp name='f' dim='1'><pin grid='1'/></flexcomp>", "cannot be used with dim"),
            (
                "<flexcomp name='f' count='3 3 1'><edge equality='true'/><elasticity elastic2d='both'/></flexcomp>",
                "cannot both be given",
            ),
            ("<flexcomp name='f' count='3 3 1' zaxis='0 0 0'/>", "zaxis too small"),
            ("<flexcomp/>", "needs the attribute 'name'"),
            ("<body name='f_2'/><flexcomp name='f' count='3 3 1'/>", "second body named 'f_2'"),
            ("<body><flexcomp name='f' count='3 3 1'/></body>", "must have a name"),
            ("<flexcomp name='f' dim='3' count='9999 9999 9999'/>", "flexes would have more"),
        ] {
            let found = load(flexcomp).unwrap_err();
            assert!(found.iter().any(|message| message.contains(expected)), "{flexcomp}: {found:?}");
        }
    }

    #[test]
    fn a_flexcomp_inside_a_frame_is_accepted_unmoved_with_a_warning() {
        let text = "<mujoco><worldbody><frame pos='1 0 0'><flexcomp name='f' count='2 2 1'/></frame></worldbody></mujoco>";
        let (spec, warnings) = load_str(text, &LoadOptions::default()).unwrap();
        assert!(warnings.iter().any(|warning| warning.code == "W0406"));
        let body = find_by_name(&spec.bodies, "f_0").unwrap();
        assert_eq!(spec.bodies[body].pos, [-0.01, -0.01, 0.0]);
        assert!(spec.bodies[body].frame.is_none());
    }

    #[test]
    fn the_file_of_a_flexcomp_may_be_given_with_the_model() {
        let mut files = Files::without_disk();
        files.insert("meshes/sheet.obj", &b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n"[..]);
        let options = LoadOptions::default().files(files);
        let text = "<mujoco><compiler meshdir='meshes'/><worldbody><flexcomp name='f' type='mesh' file='sheet.obj'/></worldbody></mujoco>";
        let (spec, _) = load_str(text, &options).unwrap();
        assert_eq!(spec.flexes.values().next().unwrap().elem, [0, 1, 2, 0, 2, 3]);
    }
}
