//! Elastic coefficients of elements and edges.
//!
//! Stretching: the energy of an element is quadratic in its Green strain, with Lamé's parameters λ and μ (Saint
//! Venant-Kirchhoff). Strain is linear in the changes of squared edge lengths, so the energy is a quadratic form over edges,
//! `k(e,f) = μ tr(Bₑ B_f) + λ tr Bₑ tr B_f`, where `Bₑ` is the symmetrised product of the normals of the two faces that do not
//! hold edge e (Weischedel 2012, "A discrete geometric view on shear-deformable shell models", section 4.1).
//!
//! Bending: the cotangent operator about each inner edge (Wardetzky et al. 2007, "Discrete quadratic curvature energies"), and the
//! coefficient of rest curvature of cubic shells (Garg et al. 2007).

use condyle_asset::principal::normalize_slice;
use condyle_math::{Vec3, vec3};

use super::interpolation;
use super::topology::Topology;
use crate::element::Flex;

/// Numbers stored per element: the upper triangle over the six edges of a tetrahedron.
pub(crate) const STIFFNESS: usize = 21;

/// Faces of a triangle (its sides) that do not hold an edge.
const TRIANGLE_FACES: [[[usize; 2]; 2]; 3] = [[[2, 0], [0, 1]], [[0, 1], [1, 2]], [[1, 2], [2, 0]]];

const TETRAHEDRON_FACES: [[usize; 3]; 4] = [[2, 1, 0], [0, 1, 3], [1, 2, 3], [2, 0, 3]];

/// Faces of a tetrahedron that do not hold an edge.
const FACES_OF_EDGE: [[usize; 2]; 6] = [[2, 3], [1, 3], [2, 1], [1, 0], [0, 2], [0, 3]];

/// Coefficients of all elements one after another, or of the nodes of an interpolated flex; empty for a flex without elasticity.
pub(crate) fn stiffness(
    flex: &Flex,
    topology: &Topology,
    vertices: &[Vec3],
    nodes: &[Vec3],
    order: i32,
) -> Vec<f64> {
    if !(flex.young > 0.0) {
        return Vec::new();
    }
    let mut stiffness = vec![0.0; STIFFNESS * topology.element_count()];
    if !nodes.is_empty() {
        let matrix = interpolation::stiffness(nodes, flex.young, flex.poisson, order);
        for (place, value) in stiffness.iter_mut().zip(matrix) {
            *place = value;
        }
        return stiffness;
    }
    for (element, place) in topology.elements().zip(stiffness.chunks_exact_mut(STIFFNESS)) {
        match *element {
            [a, b, c] if flex.elastic2d >= 2 && flex.thickness > 0.0 => {
                let corners = [a, b, c].map(|vertex| vertices[vertex as usize]);
                triangle(corners, flex, place);
            }
            [a, b, c, d] => {
                let corners = [a, b, c, d].map(|vertex| vertices[vertex as usize]);
                tetrahedron(corners, flex, place);
            }
            _ => {}
        }
    }
    stiffness
}

/// Lamé's parameters μ and λ times the size of an element.
fn material(flex: &Flex, volume: f64, thickness: f64) -> [f64; 2] {
    let (young, poisson) = (flex.young, flex.poisson);
    [
        young / (2.0 * (1.0 + poisson)) * volume.abs() / 4.0 * thickness,
        young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)) * volume.abs() / 4.0 * thickness,
    ]
}

fn triangle(corners: [Vec3; 3], flex: &Flex, place: &mut [f64]) {
    let mut normal = vec3::cross(vec3::sub(corners[1], corners[0]), vec3::sub(corners[2], corners[0]));
    let area = normalize_slice(&mut normal) / 2.0;
    let basis = TRIANGLE_FACES.map(|[left, right]| {
        let left = vec3::sub(corners[left[0]], corners[left[1]]);
        let right = vec3::sub(corners[right[1]], corners[right[0]]);
        let mut normal = vec3::cross(right, left);
        normalize_slice(&mut normal);
        symmetric_product(vec3::cross(normal, left), vec3::cross(right, normal), 8.0 * area * area)
    });
    metric(&basis, material(flex, area, flex.thickness), place);
}

fn tetrahedron(corners: [Vec3; 4], flex: &Flex, place: &mut [f64]) {
    let [first, second, third] = [1, 2, 3].map(|corner: usize| vec3::sub(corners[corner], corners[0]));
    let volume = vec3::dot(vec3::cross(first, second), third) / 6.0;
    let normal = |face: usize| {
        let [a, b, c] = TETRAHEDRON_FACES[face].map(|corner| corners[corner]);
        vec3::cross(vec3::sub(b, a), vec3::sub(c, a))
    };
    let basis = FACES_OF_EDGE
        .map(|[left, right]| symmetric_product(normal(left), normal(right), 72.0 * volume * volume));
    metric(&basis, material(flex, volume, 4.0), place);
}

/// `(l rᵀ + r lᵀ) / divisor`.
fn symmetric_product(left: Vec3, right: Vec3, divisor: f64) -> [Vec3; 3] {
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| (left[i] * right[j] + right[i] * left[j]) / divisor))
}

/// The quadratic form over edges as an upper triangle.
fn metric(basis: &[[Vec3; 3]], [mu, lambda]: [f64; 2], place: &mut [f64]) {
    let trace = |tensor: &[Vec3; 3]| {
        let mut sum = 0.0;
        for i in 0..3 {
            sum += tensor[i][i];
        }
        sum
    };
    let trace_of_product = |one: &[Vec3; 3], other: &[Vec3; 3]| {
        let mut sum = 0.0;
        for i in 0..3 {
            for j in 0..3 {
                sum += one[i][j] * other[j][i];
            }
        }
        sum
    };
    let mut places = place.iter_mut();
    for (index, first) in basis.iter().enumerate() {
        for (second, place) in basis[index..].iter().zip(&mut places) {
            *place = mu * trace_of_product(first, second) + lambda * trace(second) * trace(first);
        }
    }
}

/// Bending of every edge, zero on the boundary; empty for a flex that does not bend.
pub(crate) fn bending(flex: &Flex, topology: &Topology, vertices: &[Vec3]) -> Vec<[f64; 17]> {
    if !(flex.young > 0.0 && flex.dim == 2 && matches!(flex.elastic2d, 1 | 3)) {
        return Vec::new();
    }
    let shear = flex.young / (2.0 * (1.0 + flex.poisson));
    topology.flaps.iter().map(|flap| flap_bending(flap, vertices, shear, flex.thickness)).collect()
}

fn flap_bending(flap: &[i32; 4], vertices: &[Vec3], shear: f64, thickness: f64) -> [f64; 17] {
    let mut bending = [0.0; 17];
    if flap[3] == -1 {
        return bending;
    }
    let [v0, v1, v2, v3] = flap.map(|vertex| vertices[vertex as usize]);
    let at_start = cotangent(v0, v1, v2);
    let at_start_beyond = cotangent(v0, v3, v1);
    let at_end = cotangent(v1, v2, v0);
    let at_end_beyond = cotangent(v1, v0, v3);
    let weights = [
        at_end + at_end_beyond,
        at_start + at_start_beyond,
        -(at_start + at_end),
        -(at_start_beyond + at_end_beyond),
    ];
    let area = area(v0, v1, v2) + area(v1, v0, v3);
    let stiffness = 3.0 * shear * thickness.powf(3.0) / (24.0 * area);

    let edge = vec3::sub(v1, v0);
    let (side, side_beyond) = (vec3::sub(v2, v0), vec3::sub(v3, v0));
    let (far, far_beyond) = (vec3::sub(v2, v1), vec3::sub(v3, v1));
    let across = [0, 1, 2].map(|i| -(at_end * side[i] + at_start * far[i]));
    let across_beyond =
        [0, 1, 2].map(|i| -(at_end_beyond * side_beyond[i] + at_start_beyond * far_beyond[i]));
    let square = vec3::dot(edge, edge);
    let cosine = -vec3::dot(across, across_beyond) / square;
    for i in 0..4 {
        for j in 0..4 {
            // A sum that starts at zero: no negative zeros.
            bending[4 * i + j] += weights[i] * weights[j] * cosine * stiffness;
        }
    }
    let normal = vec3::cross(edge, side);
    bending[16] =
        vec3::dot(normal, side_beyond) * (at_start - at_end) * (at_end_beyond - at_start_beyond) * stiffness
            / (square * square.sqrt());
    bending
}

/// Cotangent of the angle at `apex`.
fn cotangent(apex: Vec3, one: Vec3, other: Vec3) -> f64 {
    let (one, other) = (vec3::sub(one, apex), vec3::sub(other, apex));
    let normal = vec3::cross(one, other);
    vec3::dot(one, other) / vec3::dot(normal, normal).sqrt()
}

fn area(a: Vec3, b: Vec3, c: Vec3) -> f64 {
    let normal = vec3::cross(vec3::sub(b, a), vec3::sub(c, a));
    vec3::dot(normal, normal).sqrt() / 2.0
}
