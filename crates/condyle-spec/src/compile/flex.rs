//! Deformable bodies: checked by the rules of the reference, then refused, because they are not simulated yet.

use condyle_model::ObjectType;
use condyle_model::diagnostic::Diagnostic;

use super::problems::{STRUCTURE, UNSUPPORTED, VALUE, element_error};
use super::work::Work;
use crate::element::Flex;

impl Work<'_> {
    /// Reports what is wrong with the flexes, and that there are any.
    pub fn check_flexes(&mut self) {
        for flex in self.spec.flexes.values() {
            let mut found = Vec::new();
            for (attribute, names) in [("body", &flex.vertbody), ("node", &flex.nodebody)] {
                found.extend(
                    names
                        .iter()
                        .filter_map(|name| self.require(flex, attribute, ObjectType::Body, name).err())
                        .take(1),
                );
            }
            if !flex.material.is_empty() && !self.spec.compiler.discardvisual {
                found.extend(self.require(flex, "material", ObjectType::Material, &flex.material).err());
            }
            found.extend(flex_sizes(flex));
            found.extend(flex_elasticity(flex));
            let message = "deformable bodies are not supported yet";
            found.push(
                element_error(UNSUPPORTED, flex, "", message)
                    .help("remove it; the bodies it is made of can stay, without the forces between them"),
            );
            for problem in found {
                self.problems.push(problem);
            }
        }
    }
}

fn flex_sizes(flex: &Flex) -> Option<Diagnostic> {
    let Some(corners) = usize::try_from(flex.dim).ok().filter(|dim| (1..=3).contains(dim)).map(|dim| dim + 1)
    else {
        let message = format!("dim is {}, it must be 1, 2 or 3", flex.dim);
        return Some(element_error(VALUE, flex, "dim", message).help("1 is a rope, 2 a cloth, 3 a solid"));
    };
    if flex.vertbody.is_empty() && flex.nodebody.is_empty() {
        return None; // Reported as a missing attribute.
    }
    if !flex.vert.len().is_multiple_of(3) {
        let message = format!("vertex has {} numbers, not a multiple of 3", flex.vert.len());
        return Some(element_error(VALUE, flex, "vertex", message).help("give x, y and z of every vertex"));
    }
    if !flex.elem.len().is_multiple_of(corners) {
        let message = format!("element has {} numbers, not a multiple of dim + 1", flex.elem.len());
        return Some(
            element_error(VALUE, flex, "element", message).help("an element has one vertex more than dim"),
        );
    }
    let vertices = if flex.vert.is_empty() { flex.vertbody.len() } else { flex.vert.len() / 3 };
    if !flex.vert.is_empty() && flex.vertbody.len() > 1 && flex.vertbody.len() != vertices {
        let message = format!("{} bodies for {vertices} vertices", flex.vertbody.len());
        return Some(
            element_error(STRUCTURE, flex, "body", message).help("give one body, or one for every vertex"),
        );
    }
    if vertices < corners {
        let message = format!("{vertices} vertices are not enough for dim {}", flex.dim);
        return Some(
            element_error(STRUCTURE, flex, "body", message).help("an element has one vertex more than dim"),
        );
    }
    if let Some(bad) =
        flex.elem.iter().find(|&&index| usize::try_from(index).map_or(true, |index| index >= vertices))
    {
        let message = format!("element names vertex {bad}, there are {vertices}");
        return Some(element_error(VALUE, flex, "element", message).help("vertices are counted from 0"));
    }
    let repeats = |element: &&[i32]| (1..element.len()).any(|at| element[..at].contains(&element[at]));
    if let Some(bad) = flex.elem.chunks(corners).find(repeats) {
        let message = format!("the element {bad:?} repeats a vertex");
        return Some(
            element_error(VALUE, flex, "element", message).help("the vertices of an element must differ"),
        );
    }
    None
}

fn flex_elasticity(flex: &Flex) -> Option<Diagnostic> {
    if flex.young > 0.0 && !(0.0..0.5).contains(&flex.poisson) {
        let message = format!("Poisson's ratio is {}, it must be in [0, 0.5)", flex.poisson);
        return Some(element_error(VALUE, flex, "poisson", message).help("rubber has 0.49, cork nearly 0"));
    }
    if flex.edgestiffness > 0.0 && flex.dim > 1 {
        let message = "edge stiffness is for dim 1 only";
        return Some(
            element_error(VALUE, flex, "stiffness", message).help("use <elasticity> for cloths and solids"),
        );
    }
    None
}
