//! Deformable bodies: from the lists of a [`Flex`] to the arrays of the model.
//!
//! A flex is a set of segments, triangles or tetrahedra over vertices. Each vertex is fixed to a body or, when the flex has
//! nodes, interpolated from them. What follows from that alone is computed here: positions in the reference configuration, edges,
//! surface, pairs that may touch, a tree of boxes, and the coefficients of elasticity. Reference: mjCFlex::Compile.

mod check;
pub(crate) mod elasticity;
mod interpolation;
mod sizes;
pub(crate) mod topology;
mod write;

use condyle_asset::principal::mul_quat;
use condyle_asset::{Bvh, BvhLeaf, build_bvh};
use condyle_base::diagnostic::Diagnostic;
use condyle_math::{MIN_VALUE, Vec3, quat, vec3};
use condyle_model::ObjectType;

use super::pose::Pose;
use super::problems::{REFERENCE, STRUCTURE, VALUE, element_error};
use super::work::Work;
use crate::element::Flex;
use topology::Topology;

/// A flex with everything that compiling computes.
pub(crate) struct FlexWork<'s> {
    pub source: &'s Flex,
    pub material: Option<usize>,
    /// Bodies of the vertices: one, or one per vertex; empty when the vertices are interpolated.
    vertex_bodies: Vec<usize>,
    node_bodies: Vec<usize>,
    /// Order of interpolation, 0 for none.
    order: i32,
    /// All vertices belong to one body.
    pub rigid: bool,
    /// All vertices, or all nodes, lie at the origins of their bodies.
    centered: bool,
    topology: Topology,
    elemtexcoord: Vec<i32>,
    bvh: Bvh,
    /// Half sizes of the bounding box of the vertices.
    size: Vec3,
    /// Vertices as fractions of the bounding box.
    fractions: Vec<Vec3>,
    /// Nodes in the reference configuration.
    nodes: Vec<Vec3>,
    /// 21 numbers per element, empty for none.
    stiffness: Vec<f64>,
    /// 17 numbers per edge, empty for none.
    bending: Vec<[f64; 17]>,
}

impl FlexWork<'_> {
    fn interpolated(&self) -> bool {
        !self.node_bodies.is_empty()
    }

    fn vertex_count(&self) -> usize {
        self.fractions.len()
    }

    /// Body of a vertex that is not interpolated.
    fn body_of(&self, vertex: usize) -> Option<usize> {
        self.vertex_bodies.get(if self.rigid { 0 } else { vertex }).copied()
    }

    /// Vertices per element.
    fn corners(&self) -> usize {
        self.topology.corners
    }
}

impl<'s> Work<'s> {
    /// Poses of the bodies in the world when no joint is moved. They are needed as they are before static bodies are merged.
    pub(super) fn note_rest_poses(&mut self) {
        if self.spec.flexes.is_empty() {
            return;
        }
        self.rest_poses = vec![Pose::NULL; self.bodies.len()];
        for body in 1..self.bodies.len() {
            let (pose, parent) = (self.bodies[body].pose, self.rest_poses[self.bodies[body].parent]);
            self.rest_poses[body] = rest_pose(parent, pose);
        }
    }

    /// Compiles the flexes, or reports what is wrong with them. With `reference_bugs`, a flex must not have a material when what
    /// is only for looking at is dropped.
    pub(super) fn compile_flexes(&mut self, reference_bugs: bool) {
        for source in self.spec.flexes.values() {
            if reference_bugs && self.spec.compiler.discardvisual && !source.material.is_empty() {
                let message = "materials are dropped, but this flex has one";
                self.problems.push(
                    element_error(REFERENCE, source, "material", message)
                        .help("remove the material, or load without reference_bugs"),
                );
                continue;
            }
            match self.compile_flex(source) {
                Ok(flex) => self.flexes.push(flex),
                Err(found) => found.into_iter().for_each(|problem| self.problems.push(problem)),
            }
        }
    }

    fn compile_flex(&self, source: &'s Flex) -> Result<FlexWork<'s>, Vec<Diagnostic>> {
        let references = self.flex_references(source);
        let shape = check::flex_shape(source);
        let (references, order) = match (references, shape) {
            (Ok(references), Ok(order)) => (references, order),
            (references, shape) => {
                let mut found = references.err().unwrap_or_default();
                found.extend(shape.err().into_iter().flatten());
                return Err(found);
            }
        };
        self.build_flex(source, references, order).map_err(|problem| vec![problem])
    }

    /// Bodies of vertices and nodes, and the material.
    fn flex_references(&self, source: &Flex) -> Result<References, Vec<Diagnostic>> {
        let mut found = Vec::new();
        let mut bodies = |attribute, names: &[String]| {
            let resolved: Result<Vec<usize>, Diagnostic> =
                names.iter().map(|name| self.require(source, attribute, ObjectType::Body, name)).collect();
            resolved.unwrap_or_else(|problem| {
                found.push(problem);
                Vec::new()
            })
        };
        let vertex_bodies = bodies("body", &source.vertbody);
        let node_bodies = bodies("node", &source.nodebody);
        let material = self.material(source, &source.material).unwrap_or_else(|problem| {
            found.push(problem);
            None
        });
        let bends = source.dim == 2 && matches!(source.elastic2d, 1 | 3);
        if bends && let Some(&body) = vertex_bodies.iter().find(|&&body| self.bodies[body].joints.len() != 3)
        {
            let name = &self.bodies[body].source.info.name;
            let message = format!("bends, but its body '{name}' does not have three joints");
            found.push(
                element_error(STRUCTURE, source, "body", message)
                    .help("give every body of a flex that bends three slide joints; it cannot be pinned"),
            );
        }
        if found.is_empty() { Ok(References { vertex_bodies, node_bodies, material }) } else { Err(found) }
    }

    fn build_flex(
        &self,
        source: &'s Flex,
        references: References,
        order: i32,
    ) -> Result<FlexWork<'s>, Diagnostic> {
        let References { mut vertex_bodies, node_bodies, material } = references;
        let interpolated = !node_bodies.is_empty();
        let rigid = !interpolated && vertex_bodies.iter().all(|body| *body == vertex_bodies[0]);
        let at_origin = |offsets: &[f64]| offsets.iter().all(|offset| *offset == 0.0);
        let centered = at_origin(if interpolated { &source.node } else { &source.vert });

        let count = if source.vert.is_empty() { vertex_bodies.len() } else { source.vert.len() / 3 };
        let vertices: Vec<Vec3> = (0..count)
            .map(|vertex| {
                let body = vertex_bodies[if rigid { 0 } else { vertex }];
                let offset = (!centered || interpolated).then(|| row(&source.vert, vertex));
                rest_point(self.rest_poses[body], offset)
            })
            .collect();
        let nodes: Vec<Vec3> = node_bodies
            .iter()
            .enumerate()
            .map(|(node, &body)| {
                rest_point(self.rest_poses[body], (!centered).then(|| row(&source.node, node)))
            })
            .collect();
        if interpolated {
            vertex_bodies.clear();
        }

        let topology = Topology::new(source.dim as usize, &source.elem, &vertices);
        let Some(Bounds { bvh, size, fractions }) = bounds(source, &topology, &vertices) else {
            let message = "no element can collide, because none is near enough to a surface";
            return Err(element_error(VALUE, source, "activelayers", message)
                .help("make activelayers at least 1 and list every element once"));
        };
        let stiffness = elasticity::stiffness(source, &topology, &vertices, &nodes, order);
        let bending = elasticity::bending(source, &topology, &vertices);
        Ok(FlexWork {
            source,
            material,
            vertex_bodies,
            node_bodies,
            order,
            rigid,
            centered,
            elemtexcoord: texture_corners(source, &topology),
            topology,
            bvh,
            size,
            fractions,
            nodes,
            stiffness,
            bending,
        })
    }
}

/// Pose in the world of a body that stands at `pose` in its parent.
pub(crate) fn rest_pose(parent: Pose, pose: Pose) -> Pose {
    Pose {
        pos: vec3::add(quat::rotate_or_zero(pose.pos, parent.quat), parent.pos),
        quat: mul_quat(parent.quat, pose.quat),
    }
}

/// A point given in the frame of a body, in the world.
pub(crate) fn rest_point(pose: Pose, offset: Option<Vec3>) -> Vec3 {
    offset.map_or(pose.pos, |offset| vec3::add(pose.pos, quat::rotate_or_zero(offset, pose.quat)))
}

/// The tree of boxes over the elements that can collide, and the vertices relative to the box of all of them.
pub(crate) struct Bounds {
    pub bvh: Bvh,
    /// Half sizes of the bounding box of the vertices.
    pub size: Vec3,
    /// Vertices as fractions of the bounding box.
    pub fractions: Vec<Vec3>,
}

/// `None` if no element can collide.
pub(crate) fn bounds(source: &Flex, topology: &Topology, vertices: &[Vec3]) -> Option<Bounds> {
    let bvh = element_tree(source, topology, vertices);
    let root = bvh.aabb.first()?;
    let size = [0, 1, 2].map(|axis| root[axis + 3] - source.radius);
    let fraction = |point: &Vec3| {
        [0, 1, 2].map(|axis| {
            if size[axis] > MIN_VALUE { (point[axis] - root[axis]) / (2.0 * size[axis]) + 0.5 } else { 0.5 }
        })
    };
    let fractions = vertices.iter().map(fraction).collect();
    Some(Bounds { bvh, size, fractions })
}

struct References {
    vertex_bodies: Vec<usize>,
    node_bodies: Vec<usize>,
    material: Option<usize>,
}

/// Three consecutive numbers; zeros past the end.
fn row(values: &[f64], index: usize) -> Vec3 {
    [0, 1, 2].map(|axis| values.get(3 * index + axis).copied().unwrap_or(0.0))
}

/// Boxes of the elements that can collide, and the tree over them.
fn element_tree(source: &Flex, topology: &Topology, vertices: &[Vec3]) -> Bvh {
    let mut leaves = Vec::with_capacity(topology.element_count());
    for (index, element) in topology.elements().enumerate() {
        if source.dim == 3 && topology.layers[index] >= source.activelayers {
            continue;
        }
        let (mut low, mut high) = (vertices[element[0] as usize], vertices[element[0] as usize]);
        for &corner in &element[1..] {
            for (axis, &value) in vertices[corner as usize].iter().enumerate() {
                low[axis] = if value < low[axis] { value } else { low[axis] };
                high[axis] = if high[axis] < value { value } else { high[axis] };
            }
        }
        let centre = [0, 1, 2].map(|axis| 0.5 * (high[axis] + low[axis]));
        let half = [0, 1, 2].map(|axis| 0.5 * (high[axis] - low[axis]) + source.radius);
        let [[x, y, z], [dx, dy, dz]] = [centre, half];
        let aabb = [x, y, z, dx, dy, dz];
        leaves.push(BvhLeaf { id: index as i32, position: centre, orientation: None, aabb });
    }
    build_bvh(&leaves, [0.0; 3], quat::IDENTITY)
}

/// Texture coordinates of the corners of elements. Without a list of their own they follow the vertices of the elements as they
/// were given, three per element whatever its dimension; what is left stays zero.
fn texture_corners(source: &Flex, topology: &Topology) -> Vec<i32> {
    if source.texcoord.is_empty() {
        return topology.elem.clone();
    }
    let length = topology.elem.len();
    let mut corners = if source.elemtexcoord.is_empty() {
        source.elem.iter().take(3 * topology.element_count()).copied().collect()
    } else {
        source.elemtexcoord.clone()
    };
    corners.resize(length, 0);
    corners
}
