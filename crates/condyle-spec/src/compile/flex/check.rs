//! What must hold for the numbers of a flex, whatever its bodies are.

use condyle_base::diagnostic::Diagnostic;

use crate::compile::problems::{STRUCTURE, TOO_LARGE, VALUE, element_error};
use crate::element::Flex;

/// Most numbers in a list of a flex.
const MOST: usize = i32::MAX as usize / 32;

/// Order of interpolation of a usable flex, or everything that is wrong with it.
pub(super) fn flex_shape(flex: &Flex) -> Result<i32, Vec<Diagnostic>> {
    let mut found = Vec::new();
    let mut order = 0;
    match sizes(flex) {
        Ok(found_order) => order = found_order,
        Err(problem) => found.push(problem),
    }
    found.extend(elasticity(flex).err());
    if found.is_empty() { Ok(order) } else { Err(found) }
}

fn sizes(flex: &Flex) -> Result<i32, Diagnostic> {
    let Some(corners) = usize::try_from(flex.dim).ok().filter(|dim| (1..=3).contains(dim)).map(|dim| dim + 1)
    else {
        let message = format!("dim is {}, but must be 1, 2 or 3", flex.dim);
        return Err(element_error(VALUE, flex, "dim", message).help("1 is a rope, 2 a cloth, 3 a solid"));
    };
    if flex.vertbody.is_empty() {
        let message = "has no bodies";
        return Err(
            element_error(STRUCTURE, flex, "body", message).help("name one body, or one for every vertex")
        );
    }
    if flex.elem.is_empty() {
        let message = "has no elements";
        return Err(element_error(STRUCTURE, flex, "element", message)
            .help("list the vertices of every segment, triangle or tetrahedron"));
    }
    if flex.elem.len().max(flex.vert.len()).max(flex.vertbody.len()) > MOST {
        let message = format!("a list has more than {MOST} entries");
        return Err(element_error(TOO_LARGE, flex, "", message));
    }
    if !flex.vert.len().is_multiple_of(3) {
        let message = format!("vertex has {} numbers, not a multiple of 3", flex.vert.len());
        return Err(element_error(VALUE, flex, "vertex", message).help("give x, y and z of every vertex"));
    }
    if !flex.elem.len().is_multiple_of(corners) {
        let message = format!("element has {} numbers, not a multiple of dim + 1", flex.elem.len());
        return Err(
            element_error(VALUE, flex, "element", message).help("an element has one vertex more than dim")
        );
    }
    let vertices = if flex.vert.is_empty() { flex.vertbody.len() } else { flex.vert.len() / 3 };
    if !flex.vert.is_empty() && flex.vertbody.len() > 1 && flex.vertbody.len() != vertices {
        let message = format!("{} bodies for {vertices} vertices", flex.vertbody.len());
        return Err(
            element_error(STRUCTURE, flex, "body", message).help("give one body, or one for every vertex")
        );
    }
    if vertices < corners {
        let message = format!("{vertices} vertices are not enough for dim {}", flex.dim);
        return Err(
            element_error(STRUCTURE, flex, "body", message).help("an element has one vertex more than dim")
        );
    }
    elements(flex, corners, vertices)?;
    textures(flex, vertices)?;
    nodes(flex, vertices)
}

fn elements(flex: &Flex, corners: usize, vertices: usize) -> Result<(), Diagnostic> {
    let outside = |index: &&i32| usize::try_from(**index).map_or(true, |index| index >= vertices);
    if let Some(bad) = flex.elem.iter().find(outside) {
        let message = format!("element refers to vertex {bad}, but there are {vertices}");
        return Err(element_error(VALUE, flex, "element", message).help("vertices are counted from 0"));
    }
    let repeats = |element: &&[i32]| (1..element.len()).any(|at| element[..at].contains(&element[at]));
    if let Some(bad) = flex.elem.chunks(corners).find(repeats) {
        let message = format!("the element {bad:?} repeats a vertex");
        return Err(
            element_error(VALUE, flex, "element", message).help("the vertices of an element must differ")
        );
    }
    Ok(())
}

fn textures(flex: &Flex, vertices: usize) -> Result<(), Diagnostic> {
    let (given, corners) = (flex.texcoord.len(), flex.elemtexcoord.len());
    if given == 0 {
        return Ok(());
    }
    if corners == 0 && given != 2 * vertices {
        let message = format!("{given} texture coordinates for {vertices} vertices");
        return Err(element_error(VALUE, flex, "texcoord", message)
            .help("give two numbers for every vertex, or list those of the elements in elemtexcoord"));
    }
    if corners > flex.elem.len() {
        let message =
            format!("{corners} indices in elemtexcoord, but the elements have {} corners", flex.elem.len());
        return Err(element_error(VALUE, flex, "elemtexcoord", message)
            .help("give one index for every number in element"));
    }
    Ok(())
}

/// Order of interpolation from the nodes.
fn nodes(flex: &Flex, vertices: usize) -> Result<i32, Diagnostic> {
    let count = flex.nodebody.len();
    let order = match count {
        0 => return Ok(0),
        8 => 1,
        27 => 2,
        _ => {
            let message = format!("{count} nodes, but there must be 8 or 27");
            return Err(element_error(STRUCTURE, flex, "node", message)
                .help("8 nodes interpolate linearly between them, 27 quadratically"));
        }
    };
    if flex.vert.is_empty() || flex.vertbody.len() != vertices {
        let message = "a flex with nodes needs a position and a body for every vertex";
        return Err(element_error(STRUCTURE, flex, "vertex", message)
            .help("list the vertices in vertex, and for each the body its position is given in"));
    }
    if !flex.node.is_empty() && flex.node.len() != 3 * count {
        let message = format!("{} coordinates for {count} nodes", flex.node.len());
        return Err(element_error(VALUE, flex, "node", message).help("give x, y and z of every node"));
    }
    if flex.selfcollide != 0 || flex.internal {
        let attribute = if flex.internal { "internal" } else { "selfcollide" };
        let message = "a flex with nodes cannot collide with itself";
        return Err(element_error(VALUE, flex, attribute, message)
            .help("write selfcollide=\"none\" and internal=\"false\" in its <contact>"));
    }
    let corners = flex.elem.len() / (flex.dim as usize + 1);
    let needed = (3 * count) * (3 * count) / super::elasticity::STIFFNESS;
    if flex.young > 0.0 && corners < needed {
        let message = format!("with {count} nodes and elasticity it needs {needed} elements, not {corners}");
        return Err(element_error(STRUCTURE, flex, "element", message)
            .help("divide the flex more finely, or use fewer nodes"));
    }
    Ok(order)
}

fn elasticity(flex: &Flex) -> Result<(), Diagnostic> {
    if flex.edgestiffness > 0.0 && flex.dim > 1 {
        let message = "edge stiffness is for dim 1 only";
        return Err(
            element_error(VALUE, flex, "stiffness", message).help("use <elasticity> for cloths and solids")
        );
    }
    if !(flex.young > 0.0) {
        return Ok(());
    }
    if flex.poisson < 0.0 || flex.poisson >= 0.5 {
        let message = format!("Poisson's ratio is {}, but must be in [0, 0.5)", flex.poisson);
        return Err(element_error(VALUE, flex, "poisson", message).help("rubber has 0.49, cork nearly 0"));
    }
    if flex.dim == 2 && matches!(flex.elastic2d, 1 | 3) && flex.thickness < 0.0 {
        let message = "a flex that bends needs a thickness";
        return Err(
            element_error(VALUE, flex, "thickness", message).help("write thickness in its <elasticity>")
        );
    }
    Ok(())
}
