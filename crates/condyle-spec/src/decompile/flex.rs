//! Deformable bodies. Elastic constants are not part of a model; they are found again from the coefficients that follow from them.
//!
//! Coefficients of stretching are `μ·a + λ·b`, those of bending `μ·t³·c`, with a, b and c known from the shape at rest: μ, λ and
//! the thickness t come from least squares.

use condyle_math::Vec3;
use condyle_model::ObjectType;

use super::Decompiler;
use super::assets::part;
use crate::compile::flex::topology::Topology;
use crate::compile::flex::{bounds, elasticity, rest_point, rest_pose};
use crate::compile::pose::Pose;
use crate::element::Flex;

impl Decompiler<'_> {
    pub(super) fn flexes(&mut self) {
        let poses = self.rest_poses();
        for at in 0..self.model.nflex {
            let mut flex = self.flex(at);
            let vertices = self.place_vertices(at, &mut flex, &poses);
            self.elasticity(at, &mut flex, &vertices, &poses);
            self.made.flexes.push(self.spec.flexes.push(flex));
        }
    }

    /// Poses of the bodies in the world when no joint is moved.
    fn rest_poses(&self) -> Vec<Pose> {
        let model = self.model;
        let mut poses = vec![Pose::NULL; model.nbody];
        for body in 1..model.nbody {
            let pose = Pose { pos: model.body_pos[body], quat: model.body_quat[body] };
            let parent = usize::try_from(model.body_parentid[body]).unwrap_or(0);
            poses[body] = rest_pose(poses[parent], pose);
        }
        poses
    }

    /// Everything that is stored as it was given.
    fn flex(&mut self, at: usize) -> Flex {
        let model = self.model;
        let vertices = part(model.flex_vertadr[at], model.flex_vertnum[at]);
        let nodes = part(model.flex_nodeadr[at], model.flex_nodenum[at]);
        let corners = part(model.flex_elemdataadr[at], model.flex_elemnum[at] * (model.flex_dim[at] + 1));
        let mut names = |bodies: Option<&[i32]>| -> Vec<String> {
            bodies.unwrap_or_default().iter().map(|&body| self.name_of(ObjectType::Body, body)).collect()
        };
        let nodebody = names(model.flex_nodebodyid.get(nodes.clone()));
        let vertbody = names(model.flex_vertbodyid.get(vertices.clone()));
        let placed = |rows: Option<&[Vec3]>| {
            let values = rows.unwrap_or_default().as_flattened();
            if values.iter().all(|value| *value == 0.0) { Vec::new() } else { values.to_vec() }
        };
        let vert = placed(model.flex_vert.get(vertices));
        let node = placed(model.flex_node.get(nodes));
        let texcoord = self.texcoords(at);
        let elemtexcoord = model.flex_elemtexcoord.get(corners.clone()).filter(|_| !texcoord.is_empty());
        let elem = model.flex_elem.get(corners).unwrap_or_default().to_vec();
        let elemtexcoord = elemtexcoord.unwrap_or_default().to_vec();
        let info = self.info(ObjectType::Flex, at);
        let mut flex =
            Flex { info, nodebody, vertbody, node, vert, elem, elemtexcoord, texcoord, ..Flex::default() };
        flex.read_entries(model, at, |kind, id| self.name_of(kind, id));
        flex
    }

    /// Texture coordinates, which reach to the next flex that has some.
    fn texcoords(&self, at: usize) -> Vec<f32> {
        let model = self.model;
        let starts = &model.flex_texcoordadr;
        let Ok(start) = usize::try_from(starts[at]) else { return Vec::new() };
        let next = starts[at + 1..].iter().find_map(|&next| usize::try_from(next).ok());
        let end = next.unwrap_or(model.flex_texcoord.len());
        model.flex_texcoord.get(start..end).unwrap_or_default().as_flattened().to_vec()
    }

    /// Vertices in the world. Those between nodes are given in the frame of a body that is not stored; of the nodes and their
    /// parents the one is taken that fits the box of the flex.
    fn place_vertices(&mut self, at: usize, flex: &mut Flex, poses: &[Pose]) -> Vec<Vec3> {
        let model = self.model;
        let rows = part(model.flex_vertadr[at], model.flex_vertnum[at]);
        let offsets = model.flex_vert.get(rows.clone()).unwrap_or_default();
        if flex.nodebody.is_empty() {
            let bodies = model.flex_vertbodyid.get(rows).unwrap_or_default();
            let centered = flex.vert.is_empty();
            return bodies
                .iter()
                .zip(offsets)
                .map(|(&body, offset)| rest_point(pose_of(poses, body), (!centered).then_some(*offset)))
                .collect();
        }
        let nodes = part(model.flex_nodeadr[at], model.flex_nodenum[at]);
        let nodes = model.flex_nodebodyid.get(nodes).unwrap_or_default();
        let parent = |body: i32| usize::try_from(body).map_or(0, |body| model.body_parentid[body]);
        let mut candidates: Vec<i32> = nodes.iter().flat_map(|&body| [parent(body), body]).collect();
        candidates.push(0);
        candidates.sort_unstable();
        candidates.dedup();
        let fractions = model.flex_vert0.get(rows).unwrap_or_default();
        let mut best = (f64::INFINITY, 0, Vec::new());
        for body in candidates {
            let pose = pose_of(poses, body);
            let vertices: Vec<Vec3> = offsets.iter().map(|offset| rest_point(pose, Some(*offset))).collect();
            let topology = Topology::new(flex.dim as usize, &flex.elem, &vertices);
            let Some(found) = bounds(flex, &topology, &vertices) else { continue };
            let size = distance(&[found.size], &[model.flex_size[at]]);
            let error = size + distance(&found.fractions, fractions);
            if error < best.0 || best.2.is_empty() {
                best = (error, body, vertices);
            }
        }
        let (_, body, vertices) = best;
        flex.vertbody = vec![self.name_of(ObjectType::Body, body); offsets.len()];
        flex.vert = offsets.as_flattened().to_vec();
        vertices
    }

    /// Elastic constants that give the stored stiffness.
    fn elasticity(&self, at: usize, flex: &mut Flex, vertices: &[Vec3], poses: &[Pose]) {
        let model = self.model;
        let elements = part(model.flex_elemadr[at], model.flex_elemnum[at]);
        let edges = part(model.flex_edgeadr[at], model.flex_edgenum[at]);
        let stretching = model.flex_stiffness.get(elements).unwrap_or_default().as_flattened();
        let bending = model.flex_bending.get(edges.clone()).unwrap_or_default();
        let flaps = model.flex_edgeflap.get(edges).unwrap_or_default();
        let nodes: Vec<Vec3> = part(model.flex_nodeadr[at], model.flex_nodenum[at])
            .filter_map(|node| Some((*model.flex_nodebodyid.get(node)?, *model.flex_node.get(node)?)))
            .map(|(body, offset)| rest_point(pose_of(poses, body), (!flex.node.is_empty()).then_some(offset)))
            .collect();
        let shape =
            Shape { topology: Topology::new(flex.dim as usize, &flex.elem, vertices), vertices, nodes };
        let bends = flaps.as_flattened().iter().any(|vertex| *vertex >= 0);
        let stretches = stretching.iter().any(|value| *value != 0.0);
        flex.elastic2d = if flex.dim == 2 { i32::from(bends) + 2 * i32::from(stretches) } else { 0 };
        flex.thickness = if flex.dim == 2 && (bends || stretches) { 1.0 } else { Flex::default().thickness };
        let Some([young, poisson, thickness]) = shape.constants(flex, stretching, bending) else { return };
        (flex.young, flex.poisson, flex.thickness) = (young, poisson, thickness);
        // Authors write short numbers: where such reproduce the bits, they are what was written.
        for digits in [3, 6, 9, 12] {
            let mut short = flex.clone();
            (short.young, short.poisson) = (rounded(young, digits), rounded(poisson, digits));
            short.thickness = rounded(thickness, digits);
            if shape.stretching(&short) == stretching && (!bends || shape.bending(&short) == bending) {
                *flex = short;
                return;
            }
        }
    }
}

fn pose_of(poses: &[Pose], body: i32) -> Pose {
    usize::try_from(body).ok().and_then(|body| poses.get(body)).copied().unwrap_or(Pose::NULL)
}

/// Largest difference of coordinates.
fn distance(one: &[Vec3], other: &[Vec3]) -> f64 {
    let pairs = one.as_flattened().iter().zip(other.as_flattened());
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, |most, value| if value > most { value } else { most })
}

/// A number rounded to some decimal digits.
fn rounded(value: f64, digits: usize) -> f64 {
    format!("{value:.*e}", digits - 1).parse().unwrap_or(value)
}

/// A flex at rest.
struct Shape<'a> {
    topology: Topology,
    vertices: &'a [Vec3],
    nodes: Vec<Vec3>,
}

impl Shape<'_> {
    fn stretching(&self, flex: &Flex) -> Vec<f64> {
        let order = if self.nodes.len() == 8 { 1 } else { 2 };
        elasticity::stiffness(flex, &self.topology, self.vertices, &self.nodes, order)
    }

    fn bending(&self, flex: &Flex) -> Vec<[f64; 17]> {
        elasticity::bending(flex, &self.topology, self.vertices)
    }

    /// Young's modulus, Poisson's ratio and thickness; `None` if there are none.
    fn constants(&self, flex: &Flex, stretching: &[f64], bending: &[[f64; 17]]) -> Option<[f64; 3]> {
        // Constants for which μ is 1 and λ is 0, and for which both are 1.
        let probe = |young, poisson| Flex { young, poisson, ..flex.clone() };
        let mut bent = None;
        if matches!(flex.elastic2d, 1 | 3) {
            let unit = self.bending(&probe(2.0, 0.0));
            let (unit, given) = (unit.as_flattened(), bending.as_flattened());
            bent = Some(dot(unit, given) / dot(unit, unit)).filter(|factor| *factor > 0.0);
        }
        let shear = self.stretching(&probe(2.0, 0.0));
        let volume: Vec<f64> =
            self.stretching(&probe(2.5, 0.25)).iter().zip(&shear).map(|(sum, shear)| sum - shear).collect();
        let fit = least_squares(&shear, &volume, stretching).filter(|[mu, _]| *mu > 0.0);
        let Some([mu, lambda]) = fit else {
            // Only bending: any thickness will do, and Poisson's ratio only scales.
            return bent.map(|factor| [2.0 * factor, 0.0, flex.thickness]);
        };
        let thickness = bent.map_or(flex.thickness, |factor| (factor / mu).sqrt());
        let poisson = lambda / (2.0 * (lambda + mu));
        let poisson = if poisson > 0.0 && poisson < 0.5 { poisson } else { 0.0 };
        let young = 2.0 * mu * (1.0 + poisson) / if bent.is_some() { thickness } else { 1.0 };
        [young, poisson, thickness]
            .iter()
            .all(|value| value.is_finite())
            .then_some([young, poisson, thickness])
    }
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

/// Factors of two columns whose sum is nearest to the third.
fn least_squares(one: &[f64], other: &[f64], sum: &[f64]) -> Option<[f64; 2]> {
    let [aa, ab, bb] = [dot(one, one), dot(one, other), dot(other, other)];
    let [a, b] = [dot(one, sum), dot(other, sum)];
    let determinant = aa * bb - ab * ab;
    let factors = [(a * bb - b * ab) / determinant, (b * aa - a * ab) / determinant];
    factors.iter().all(|factor| factor.is_finite()).then_some(factors)
}
