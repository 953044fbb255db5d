//! Pairs of geoms of two bodies, or of geoms and elements of flexes, found by descending both bounding-volume trees at once.
//!
//! Inner nodes are boxes in the inertial frames of the bodies, compared along the six face normals; leaves are geoms, compared by
//! bounding sphere and then by their own boxes. The boxes of flexes are aligned with the world. Reference: `mj_collideTree`,
//! `mj_collideOBB`.

use condyle_math::{Mat3, Vec3, mat3, scalar, vec3};
use condyle_model::Model;

use crate::data::{Flexes, Kinematics};

use super::colliding_geoms::{CollidingGeoms, Way};
use super::descent_memory::DescentMemory;
use super::{filter, parameters};

/// Half extent from which on a box counts as infinite.
pub(super) const INFINITE: f64 = 1e10;

/// Overlap of boxes, as a share of all magnitudes, from which on rounding cannot part them. Sixteen boxes that each stick out by 1e-15 of up to four
/// times their magnitudes take 6.4e-14 of it; what is left is more than ten times what the operations of a comparison can add up to.
const CLEAR: f64 = 1e-13;

/// Work space of the descent.
#[derive(Clone, Debug, Default)]
pub struct MidScratch {
    stack: Vec<(usize, usize)>,
    memory: DescentMemory,
    geoms: CollidingGeoms,
}

impl MidScratch {
    /// Begin a step: forget what was found in another model.
    pub(super) fn begin(&mut self, model: &Model) {
        self.memory.follow(model);
        self.geoms.begin();
    }
}

/// Call `test` for every two geoms whose bounding volumes meet. If the masks decide, only for geoms whose masks match, and then what the
/// descent found is remembered.
pub fn visit(
    model: &Model,
    kinematics: &Kinematics,
    body1: usize,
    body2: usize,
    masks_decide: bool,
    scratch: &mut MidScratch,
    mut test: impl FnMut([usize; 2]),
) {
    let MidScratch { stack, memory, geoms } = scratch;
    let margin = parameters::effective_margin(model, model.body_margin[body1] + model.body_margin[body2]);
    let trees = || [Tree::of_body(model, body1), Tree::of_body(model, body2)];
    let mut frames = None;
    let mut meet = |boxes: [&[f64; 6]; 2], margin: f64| {
        let frames = frames.get_or_insert_with(|| {
            BoxFrames::new(
                [kinematics.xipos[body1], kinematics.xipos[body2]],
                [&kinematics.ximat[body1], &kinematics.ximat[body2]],
            )
        });
        frames.meet(boxes, margin)
    };
    let visited = masks_decide
        && geoms.visit(model, kinematics, [body1, body2], |geoms, ways, own_margin| {
            let positions = [kinematics.xipos[body1], kinematics.xipos[body2]];
            if geom_boxes_meet(model, kinematics, geoms, own_margin)
                && leads_down(trees(), ways, positions, |boxes, less| meet(boxes, margin - less))
            {
                test(geoms);
            }
        });
    if visited {
        return;
    }
    if !(masks_decide && memory.recall(model, kinematics, [body1, body2], margin, stack)) {
        start_at_roots(stack);
    }
    descend(
        model,
        trees(),
        stack,
        |boxes| meet(boxes, margin),
        |geoms, _| {
            if masks_decide && !filter::geoms_match(model, geoms) {
                return;
            }
            if geoms_meet(model, kinematics, geoms) {
                test(geoms);
            }
        },
    );
}

/// Whether the descent of two trees comes to two leaves, given by the nodes from the roots down to them.
/// `meet` compares boxes with a margin smaller by a given number.
///
/// All boxes of a tree have the axes of its body, so a box covers at least what the boxes inside it cover along every normal that is
/// looked at, and larger boxes never have more normals. Where the last two boxes on the way overlap by more than rounding, those that hold
/// them meet.
fn leads_down(
    [tree1, tree2]: [Tree; 2],
    [way1, way2]: [Way; 2],
    positions: [Vec3; 2],
    mut meet: impl FnMut([&[f64; 6]; 2], f64) -> bool,
) -> bool {
    let (nodes1, nodes2) = (way1.nodes, way2.nodes);
    let boxes_at = |depth1: usize, depth2: usize| {
        [&tree1.boxes[nodes1[depth1] as usize], &tree2.boxes[nodes2[depth2] as usize]]
    };
    let are_leaves = |depth1: usize, depth2: usize| [depth1 + 1 >= nodes1.len(), depth2 + 1 >= nodes2.len()];
    let below = |boxes: [&[f64; 6]; 2], [depth1, depth2]: [usize; 2]| {
        if descends_first(boxes, are_leaves(depth1, depth2)) {
            [depth1 + 1, depth2]
        } else {
            [depth1, depth2 + 1]
        }
    };
    if way1.nested && way2.nested {
        let (mut last, mut next) = (None, [0, 0]);
        while are_leaves(next[0], next[1]) != [true, true] {
            let boxes = boxes_at(next[0], next[1]);
            (last, next) = (Some(boxes), below(boxes, next));
        }
        let Some(boxes) = last else { return true };
        if boxes.iter().all(|limits| extent(limits) != Extent::Infinite) {
            // No box on the way has larger coordinates than twice those of the roots, which round the most.
            let [root1, root2] = boxes_at(0, 0);
            let sizes = root1.iter().chain(root2).chain(positions.as_flattened());
            if meet(boxes, CLEAR * sizes.fold(0.0, |sum, x| sum + x.abs())) {
                return true;
            }
        }
    }
    let mut depths = [0, 0];
    while are_leaves(depths[0], depths[1]) != [true, true] {
        let boxes = boxes_at(depths[0], depths[1]);
        if !meet(boxes, 0.0) {
            return false;
        }
        depths = below(boxes, depths);
    }
    true
}

/// The pairs of leaves reached from the roots or from given pairs of nodes.
#[cfg(test)]
pub(super) fn leaves_from(
    model: &Model,
    kinematics: &Kinematics,
    bodies: [usize; 2],
    margin: f64,
    start: Option<&[(usize, usize)]>,
    scratch: &mut MidScratch,
) -> Vec<[usize; 2]> {
    let mut frames = BoxFrames::new(
        bodies.map(|body| kinematics.xipos[body]),
        [&kinematics.ximat[bodies[0]], &kinematics.ximat[bodies[1]]],
    );
    let mut found = Vec::new();
    start_at_roots(&mut scratch.stack);
    if let Some(start) = start {
        scratch.stack.clear();
        scratch.stack.extend_from_slice(start);
    }
    let trees = bodies.map(|body| Tree::of_body(model, body));
    let meet = |boxes: [&[f64; 6]; 2]| frames.meet(boxes, margin);
    descend(model, trees, &mut scratch.stack, meet, |objects, _| found.push(objects));
    found
}

/// Begin a descent with the roots of both trees.
fn start_at_roots(stack: &mut Vec<(usize, usize)>) {
    stack.clear();
    stack.push((0, 0));
}

/// Call `test` for every geom of a body and element of a flex whose bounding volumes meet. The boxes of a flex are in the world frame.
pub fn visit_flex(
    model: &Model,
    kinematics: &Kinematics,
    flexes: &Flexes,
    body: usize,
    flex: usize,
    scratch: &mut MidScratch,
    mut test: impl FnMut(usize, usize),
) {
    let margin = parameters::effective_margin(model, model.body_margin[body] + model.flex_margin[flex]);
    let mut frames =
        BoxFrames::new([kinematics.xipos[body], [0.0; 3]], [&kinematics.ximat[body], &mat3::IDENTITY]);
    start_at_roots(&mut scratch.stack);
    descend(
        model,
        [Tree::of_body(model, body), Tree::of_flex(model, flexes, flex)],
        &mut scratch.stack,
        |boxes| frames.meet(boxes, margin),
        |[geom, element], [_, limits]| {
            if geom_meets_box(model, kinematics, geom, flex, limits) {
                test(geom, element);
            }
        },
    );
}

/// Call `test` for every two elements of two flexes whose bounding volumes meet; of one flex with itself, once for each two.
pub fn visit_flexes(
    model: &Model,
    flexes: &Flexes,
    pair: [usize; 2],
    scratch: &mut MidScratch,
    mut test: impl FnMut([usize; 2]),
) {
    let margin = parameters::effective_margin(model, model.flex_margin[pair[0]] + model.flex_margin[pair[1]]);
    start_at_roots(&mut scratch.stack);
    descend(
        model,
        pair.map(|flex| Tree::of_flex(model, flexes, flex)),
        &mut scratch.stack,
        |[box1, box2]| !filter::boxes_apart(box1, box2, margin),
        |elements, _| test(elements),
    );
}

/// A bounding-volume tree with its boxes, starting at the root.
#[derive(Clone, Copy)]
pub(super) struct Tree<'a> {
    pub(super) root: usize,
    pub(super) boxes: &'a [[f64; 6]],
}

impl<'a> Tree<'a> {
    pub(super) fn of_body(model: &'a Model, body: usize) -> Self {
        let root = model.body_bvhadr[body] as usize;
        Self { root, boxes: &model.bvh_aabb[root..] }
    }

    pub(super) fn of_flex(model: &Model, flexes: &'a Flexes, flex: usize) -> Self {
        let root = model.flex_bvhadr[flex] as usize;
        Self { root, boxes: &flexes.bvh_aabb_dyn[root - model.nbvhstatic..] }
    }
}

/// Descend two trees at once from the pairs of nodes on the stack: `leaves` is called with the objects and boxes of every two leaves that are reached through inner boxes
/// that `meet`. A tree against itself leaves out what it has seen the other way round.
#[inline(always)]
fn descend(
    model: &Model,
    [tree1, tree2]: [Tree; 2],
    stack: &mut Vec<(usize, usize)>,
    mut meet: impl FnMut([&[f64; 6]; 2]) -> bool,
    mut leaves: impl FnMut([usize; 2], [&[f64; 6]; 2]),
) {
    let (root1, root2) = (tree1.root, tree2.root);
    while let Some((node1, node2)) = stack.pop() {
        if root1 == root2 && node1 > node2 {
            continue;
        }
        let (children1, children2) = (model.bvh_child[root1 + node1], model.bvh_child[root2 + node2]);
        let (is_leaf1, is_leaf2) = (children1 == [-1, -1], children2 == [-1, -1]);
        let (box1, box2) = (&tree1.boxes[node1], &tree2.boxes[node2]);
        if is_leaf1 && is_leaf2 {
            let objects = [model.bvh_nodeid[root1 + node1], model.bvh_nodeid[root2 + node2]];
            if objects[0] >= 0 && objects[1] >= 0 {
                leaves(objects.map(|object| object as usize), [box1, box2]);
            }
            continue;
        }
        if !meet([box1, box2]) {
            continue;
        }
        push_children(stack, [node1, node2], [box1, box2], [&children1, &children2]);
    }
}

/// Go on below two inner nodes, or a node and a leaf: with the children of the larger one.
#[inline(always)]
pub(super) fn push_children(
    stack: &mut Vec<(usize, usize)>,
    [node1, node2]: [usize; 2],
    [box1, box2]: [&[f64; 6]; 2],
    [children1, children2]: [&[i32; 2]; 2],
) {
    if descends_first([box1, box2], [*children1 == [-1, -1], *children2 == [-1, -1]]) {
        stack.extend(children1.iter().filter(|child| **child >= 0).map(|child| (*child as usize, node2)));
    } else {
        stack.extend(children2.iter().filter(|child| **child >= 0).map(|child| (node1, *child as usize)));
    }
}

/// Whether the descent goes on with the children of the first of two nodes that are not both leaves.
#[inline(always)]
fn descends_first([box1, box2]: [&[f64; 6]; 2], [is_leaf1, is_leaf2]: [bool; 2]) -> bool {
    is_leaf2 || (!is_leaf1 && surface(box1) > surface(box2))
}

/// Whether a geom comes within the margin of an element's box: first as a sphere, then by its own box.
pub(super) fn geom_meets_box(
    model: &Model,
    kinematics: &Kinematics,
    geom: usize,
    flex: usize,
    limits: &[f64; 6],
) -> bool {
    let margin = parameters::effective_margin(model, model.geom_margin[geom] + model.flex_margin[flex]);
    let position = kinematics.geom_xpos[geom];
    let geom_masks = [model.geom_contype[geom], model.geom_conaffinity[geom]];
    filter::masks_match(geom_masks, filter::flex_masks(model, flex))
        && !filter::sphere_apart(position, model.geom_rbound[geom] + margin, limits)
        && boxes_meet(
            [&model.geom_aabb[geom], limits],
            [position, [0.0; 3]],
            [&kinematics.geom_xmat[geom], &mat3::IDENTITY],
            margin,
        )
}

/// Which tree to descend: a measure of size that takes centre and half extents for lower and upper bounds. The order of the
/// visits depends on it; which pairs are found does not.
fn surface(limits: &[f64; 6]) -> f64 {
    let (x, y, z) = (limits[3] - limits[0], limits[4] - limits[1], limits[5] - limits[2]);
    x * y + y * z + z * x
}

/// Largest distance between the boxes of two geoms along a face normal, negative when they overlap along all of them.
pub(crate) fn box_distance(model: &Model, kinematics: &Kinematics, geoms: [usize; 2]) -> f64 {
    let boxes = geoms.map(|geom| &model.geom_aabb[geom]);
    let extents = boxes.map(extent);
    let rotations = geoms.map(|geom| axes(&kinematics.geom_xmat[geom]));
    let centers: [Vec3; 2] = std::array::from_fn(|i| {
        center(boxes[i], kinematics.geom_xpos[geoms[i]], &kinematics.geom_xmat[geoms[i]])
    });
    let mut largest = f64::NEG_INFINITY;
    for owner in 0..2 {
        if extents.contains(&Extent::Infinite) || extents[1 - owner] != Extent::Finite {
            continue;
        }
        for normal in rotations[owner] {
            let radius = |i: usize| -> f64 {
                (0..3).map(|axis| (boxes[i][3 + axis] * vec3::dot(rotations[i][axis], normal)).abs()).sum()
            };
            let between = vec3::dot(vec3::sub(centers[1], centers[0]), normal).abs();
            largest = scalar::max(largest, between - radius(0) - radius(1));
        }
    }
    largest
}

pub(super) fn geoms_meet(model: &Model, kinematics: &Kinematics, geoms: [usize; 2]) -> bool {
    let margin =
        parameters::effective_margin(model, model.geom_margin[geoms[0]] + model.geom_margin[geoms[1]]);
    !filter::spheres_apart(model, kinematics, geoms, margin)
        && geom_boxes_meet(model, kinematics, geoms, margin)
}

fn geom_boxes_meet(model: &Model, kinematics: &Kinematics, geoms: [usize; 2], margin: f64) -> bool {
    boxes_meet(
        [&model.geom_aabb[geoms[0]], &model.geom_aabb[geoms[1]]],
        [kinematics.geom_xpos[geoms[0]], kinematics.geom_xpos[geoms[1]]],
        [&kinematics.geom_xmat[geoms[0]], &kinematics.geom_xmat[geoms[1]]],
        margin,
    )
}

/// Which half extents are infinite: none, some (a half-space or slab), or all.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    Finite,
    Partly,
    Infinite,
}

pub(super) fn extent(limits: &[f64; 6]) -> Extent {
    match [limits[3] >= INFINITE, limits[4] >= INFINITE, limits[5] >= INFINITE] {
        [false, false, false] => Extent::Finite,
        [true, true, true] => Extent::Infinite,
        _ => Extent::Partly,
    }
}

/// Whether two oriented boxes, centre and half extents in their frames, come within `margin` along every face normal. Normals
/// of a box are skipped when the other box is infinite in some direction.
#[inline(always)]
fn meet_along_normals(
    boxes: [&[f64; 6]; 2],
    margin: f64,
    mut project: impl FnMut(usize, usize) -> [(f64, f64); 2],
) -> bool {
    let extents = [extent(boxes[0]), extent(boxes[1])];
    if extents.contains(&Extent::Infinite) {
        return true;
    }
    for owner in 0..2 {
        if extents[1 - owner] != Extent::Finite {
            continue;
        }
        for face in 0..3 {
            let [(center1, radius1), (center2, radius2)] = project(owner, face);
            if radius1 + radius2 + margin < (center2 - center1).abs() {
                return false;
            }
        }
    }
    true
}

/// Axes of a frame, the columns of its rotation.
#[inline(always)]
fn axes(rotation: &Mat3) -> [Vec3; 3] {
    [mat3::column(rotation, 0), mat3::column(rotation, 1), mat3::column(rotation, 2)]
}

/// World position of the centre of a box given in a frame.
#[inline(always)]
fn center(limits: &[f64; 6], position: Vec3, rotation: &Mat3) -> Vec3 {
    vec3::add(mat3::mul_vec(rotation, [limits[0], limits[1], limits[2]]), position)
}

/// Oriented boxes of two geoms.
fn boxes_meet(boxes: [&[f64; 6]; 2], positions: [Vec3; 2], rotations: [&Mat3; 2], margin: f64) -> bool {
    let centers =
        [center(boxes[0], positions[0], rotations[0]), center(boxes[1], positions[1], rotations[1])];
    let rows = rotations.map(rows_of_four);
    let halves = boxes.map(|limits| [limits[3], limits[4], limits[5], 0.0]);
    meet_along_normals(boxes, margin, |owner, face| {
        let normal = mat3::column(rotations[owner], face);
        let along = |i: usize| {
            // The axes of the frame along the normal, side by side.
            let products = along_axes(&rows[i], normal);
            let radii: [f64; 4] = std::array::from_fn(|axis| (halves[i][axis] * products[axis]).abs());
            (vec3::dot(centers[i], normal), radii[0] + radii[1] + radii[2])
        };
        [along(0), along(1)]
    })
}

/// Rows of a rotation, filled up to four numbers that are computed with at once.
#[inline(always)]
fn rows_of_four(m: &Mat3) -> [[f64; 4]; 3] {
    [[m[0], m[1], m[2], 0.0], [m[3], m[4], m[5], 0.0], [m[6], m[7], m[8], 0.0]]
}

/// Dot products of the columns of a rotation with a vector.
#[inline(always)]
fn along_axes(rows: &[[f64; 4]; 3], v: Vec3) -> [f64; 4] {
    std::array::from_fn(|axis| rows[0][axis] * v[0] + rows[1][axis] * v[1] + rows[2][axis] * v[2])
}

/// Frames of two bodies, with what all their boxes share.
pub(super) struct BoxFrames {
    positions: [Vec3; 2],
    normals: [[Vec3; 3]; 2],
    /// `faces[owner][face]`, once a box has asked for it: most pairs are found apart at the first faces.
    faces: [[Option<Face>; 3]; 2],
}

/// Two frames along one face normal.
#[derive(Clone, Copy)]
struct Face {
    /// `products[i][axis]`: axis of frame `i` along the normal.
    products: [[f64; 3]; 2],
    /// `offsets[i]`: origin of frame `i` along the normal.
    offsets: [f64; 2],
}

impl BoxFrames {
    pub(super) fn new(positions: [Vec3; 2], rotations: [&Mat3; 2]) -> Self {
        Self { positions, normals: [axes(rotations[0]), axes(rotations[1])], faces: [[None; 3]; 2] }
    }

    pub(super) fn meet(&mut self, boxes: [&[f64; 6]; 2], margin: f64) -> bool {
        let Self { positions, normals, faces } = self;
        meet_along_normals(boxes, margin, |owner, face| {
            let face = faces[owner][face].get_or_insert_with(|| {
                let normal = normals[owner][face];
                Face {
                    products: normals.map(|axes| axes.map(|axis| vec3::dot(axis, normal))),
                    offsets: positions.map(|position| vec3::dot(position, normal)),
                }
            });
            [0, 1].map(|i| {
                let (product, limits) = (&face.products[i], boxes[i]);
                let center = limits[0] * product[0]
                    + limits[1] * product[1]
                    + limits[2] * product[2]
                    + face.offsets[i];
                let radius = (limits[3] * product[0]).abs()
                    + (limits[4] * product[1]).abs()
                    + (limits[5] * product[2]).abs();
                (center, radius)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_meet_within_the_margin() {
        let unit = [0.0, 0.0, 0.0, 0.5, 0.5, 0.5];
        let meet = |x: f64, margin: f64| {
            boxes_meet([&unit, &unit], [[0.0; 3], [x, 0.0, 0.0]], [&mat3::IDENTITY, &mat3::IDENTITY], margin)
        };
        assert!(meet(0.9, 0.0));
        assert!(!meet(1.1, 0.0));
        assert!(meet(1.1, 0.2));
    }

    #[test]
    fn shared_products_agree_with_the_direct_test() {
        let a = [0.1, 0.2, -0.1, 0.5, 0.3, 0.4];
        let b = [-0.2, 0.0, 0.3, 0.2, 0.6, 0.1];
        let turned = condyle_math::quat::to_mat(&[0.8, 0.0, 0.6, 0.0]);
        for step in 0..40 {
            let position = [0.05 * f64::from(step), 0.3, -0.1];
            let mut frames = BoxFrames::new([[0.0; 3], position], [&mat3::IDENTITY, &turned]);
            let direct = boxes_meet([&a, &b], [[0.0; 3], position], [&mat3::IDENTITY, &turned], 0.01);
            assert_eq!(frames.meet([&a, &b], 0.01), direct, "step {step}");
        }
    }
}
