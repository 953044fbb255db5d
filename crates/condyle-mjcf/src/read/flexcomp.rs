//! The `<flexcomp>` element: checked by the rules of the reference, then refused, because deformable bodies are not simulated yet.
//!
//! What is wrong with the element is reported beside that, so that a file can be made ready.

use super::Reader;
use super::attributes::Attributes;
use crate::xml::{Element, NodeId};
use condyle_math::MIN_VALUE;
use condyle_model::Diagnostic;

/// Numbers of `keywords("flexcomp")`.
const GRID: i32 = 0;
const MESH: i32 = 7;
const GMSH: i32 = 8;
const DIRECT: i32 = 9;
/// Number of `keywords("flexdof")`.
const RADIAL: i32 = 1;

impl Reader<'_> {
    pub(super) fn flexcomp(&mut self, node: NodeId) {
        let tree = self.tree;
        let element = tree.get(node);
        self.require(element, "name");
        let a = Attributes(element);
        let kind = a.word("type", "flexcomp").unwrap_or(GRID);
        let dof = a.word("dof", "flexdof").unwrap_or_default();
        let dim = a.number::<i32>("dim").unwrap_or(2);
        self.orientation(element, &mut None);
        if !(1..=3).contains(&dim) {
            self.flexcomp_error(element, "dim", format!("dim is {dim}"), "1 is a rope, 2 a cloth, 3 a solid");
        }
        let counts = a.array::<i32, 3>("count").unwrap_or([10; 3]);
        let least = if dof == RADIAL && dim == 3 { 2 } else { 1 };
        if counts.iter().any(|&count| count < least) {
            self.flexcomp_error(
                element,
                "count",
                "count is too small",
                &format!("each must be at least {least}"),
            );
        }
        self.flexcomp_sizes(node, kind);
        self.flexcomp_file(element, kind, dim);
        self.flexcomp_points(element, kind, dim);
        if let Some((_, pin)) = tree.child(node, "pin") {
            self.flexcomp_pins(pin, kind, dim, dof);
        }
        self.error_at(
            Diagnostic::error(
                "E0901",
                "<flexcomp> is not supported yet: deformable bodies are not simulated",
            ),
            &element.location(),
            "remove it, or build an articulated likeness with <replicate> or <composite type=\"cable\">",
        );
    }

    fn flexcomp_error(&mut self, element: &Element, attribute: &str, message: impl Into<String>, help: &str) {
        self.error_at(Diagnostic::error("E0417", message), &element.location_of(attribute), help);
    }

    /// Spacing, scale and mass.
    fn flexcomp_sizes(&mut self, node: NodeId, kind: i32) {
        let tree = self.tree;
        let element = tree.get(node);
        let a = Attributes(element);
        let radius = a.number::<f64>("radius").unwrap_or(0.005);
        let margin =
            tree.child(node, "contact").and_then(|(_, contact)| Attributes(contact).number::<f64>("margin"));
        let least = 2.0 * radius + margin.unwrap_or_default();
        let spacing = a.array::<f64, 3>("spacing").unwrap_or([0.02; 3]);
        if !matches!(kind, MESH | GMSH | DIRECT) && spacing.iter().any(|&distance| distance < least) {
            let help = format!("spacing is at least 2 radius + margin, {least}");
            self.flexcomp_error(
                element,
                "spacing",
                "spacing must be larger than the size of the vertices",
                &help,
            );
        }
        if a.array::<f64, 3>("scale").unwrap_or([1.0; 3]).iter().any(|&scale| scale < MIN_VALUE) {
            self.flexcomp_error(element, "scale", "scale must be positive", "leave it out for no scaling");
        }
        for (name, default) in [("mass", 1.0), ("inertiabox", 0.005)] {
            if a.number::<f64>(name).unwrap_or(default) < MIN_VALUE {
                self.flexcomp_error(
                    element,
                    name,
                    format!("{name} must be positive"),
                    "leave it out for its default",
                );
            }
        }
    }

    fn flexcomp_file(&mut self, element: &Element, kind: i32, dim: i32) {
        let a = Attributes(element);
        if matches!(kind, MESH | GMSH) && a.get("file").is_none_or(str::is_empty) {
            self.flexcomp_error(element, "file", "a file is required for this type", "add file=\"…\"");
        }
        if kind == MESH && dim < 2 {
            self.flexcomp_error(
                element,
                "dim",
                "dim must be at least 2 for a mesh",
                "use dim=\"2\" for its surface",
            );
        }
        if kind == MESH && dim == 3 && !a.has("origin") {
            self.flexcomp_error(
                element,
                "type",
                "a solid from a mesh needs an origin",
                "add origin=\"x y z\", a point inside",
            );
        }
        if kind == MESH && a.get("file").is_some_and(|file| file.to_ascii_lowercase().ends_with(".msh")) {
            self.flexcomp_error(
                element,
                "file",
                "legacy MSH files are not read here",
                "use type=\"gmsh\", STL or OBJ",
            );
        }
    }

    /// Points and elements written in the model.
    fn flexcomp_points(&mut self, element: &Element, kind: i32, dim: i32) {
        if kind != DIRECT {
            return;
        }
        let a = Attributes(element);
        let points = a.numbers::<f64>("point").unwrap_or_default();
        let elements = a.numbers::<i32>("element").unwrap_or_default();
        if points.is_empty() || elements.is_empty() {
            self.flexcomp_error(
                element,
                "type",
                "point and element are required",
                "give the vertices and their simplices",
            );
            return;
        }
        if points.len() % 3 != 0 {
            let message = format!("point has {} numbers, not a multiple of 3", points.len());
            self.flexcomp_error(element, "point", message, "give x, y and z of every point");
        }
        if (1..=3).contains(&dim) && elements.len() % (dim as usize + 1) != 0 {
            let message = format!("element has {} numbers, not a multiple of dim + 1", elements.len());
            self.flexcomp_error(element, "element", message, "an element has one vertex more than dim");
        }
        let count = points.len() / 3;
        if let Some(bad) =
            elements.iter().find(|&&index| usize::try_from(index).map_or(true, |index| index >= count))
        {
            let message = format!("element names point {bad}, there are {count}");
            self.flexcomp_error(element, "element", message, "points are counted from 0");
        }
    }

    fn flexcomp_pins(&mut self, pin: &Element, kind: i32, dim: i32, dof: i32) {
        let a = Attributes(pin);
        let size = |name: &str| a.numbers::<i32>(name).map_or(0, |values| values.len());
        let dim = dim.clamp(1, 3) as usize;
        for (name, multiple) in [("range", 2), ("grid", dim), ("gridrange", 2 * dim)] {
            if size(name) % multiple != 0 {
                let message = format!("{name} has {} numbers, not a multiple of {multiple}", size(name));
                self.flexcomp_error(
                    pin,
                    name,
                    message,
                    "ranges have a first and a last, grids one number per dimension",
                );
            }
        }
        let uses_grid = size("grid") + size("gridrange") > 0;
        let interpolated = dof > RADIAL;
        if uses_grid && kind != GRID && !interpolated {
            self.flexcomp_error(pin, "grid", "grid and gridrange belong to type=\"grid\"", "use id or range");
        } else if uses_grid && dim == 1 {
            self.flexcomp_error(
                pin,
                "grid",
                "grid and gridrange cannot be used with dim=\"1\"",
                "use id or range",
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{LoadOptions, load_str};

    fn messages(flexcomp: &str) -> Vec<String> {
        let text = format!("<mujoco><worldbody><body name='b'>{flexcomp}</body></worldbody></mujoco>");
        let problems = load_str(&text, &LoadOptions::default()).unwrap_err();
        assert!(problems.iter().all(|problem| problem.location.is_some() && problem.help.is_some()));
        problems.into_iter().map(|problem| problem.message).collect()
    }

    #[test]
    fn a_sound_flexcomp_is_only_not_supported() {
        let found = messages("<flexcomp name='f' type='grid' count='3 3 1' spacing='.1 .1 .1'/>");
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("not supported yet"));
    }

    #[test]
    fn what_the_reference_refuses_is_reported_too() {
        for (flexcomp, expected) in [
            ("<flexcomp name='f' dim='4'/>", "dim is 4"),
            ("<flexcomp name='f' count='0 1 1'/>", "count is too small"),
            ("<flexcomp name='f' radius='.1'/>", "spacing must be larger"),
            ("<flexcomp name='f' mass='0'/>", "mass must be positive"),
            ("<flexcomp name='f' scale='1 0 1'/>", "scale must be positive"),
            ("<flexcomp name='f' type='mesh'/>", "a file is required"),
            ("<flexcomp name='f' type='mesh' dim='3' file='a.stl'/>", "needs an origin"),
            ("<flexcomp name='f' type='direct'/>", "point and element are required"),
            ("<flexcomp name='f' type='direct' point='0 0 0 1 0 0 0 1 0' element='0 1 3'/>", "names point 3"),
            (
                "<flexcomp name='f' type='direct' point='0 0 0 1 0 0 0 1' element='0 1 1'/>",
                "not a multiple of 3",
            ),
            ("<flexcomp name='f'><pin range='1'/></flexcomp>", "not a multiple of 2"),
            ("<flexcomp name='f' type='square'><pin grid='1 1'/></flexcomp>", "belong to type"),
            ("<flexcomp/>", "needs the attribute 'name'"),
        ] {
            let found = messages(flexcomp);
            assert!(found.iter().any(|message| message.contains(expected)), "{flexcomp}: {found:?}");
        }
    }
}
