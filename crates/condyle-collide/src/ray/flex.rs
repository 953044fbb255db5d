//! Ray against a flexible body: capsules along its edges or balls at its vertices, and its triangles.

use condyle_math::{Vec3, quat, vec3};

use super::skin::{bounding_box, checked};
use super::triangle::{Across, crossing};
use super::{Hit, Ray, capsule, cuboid, is_nearer, sphere};
use crate::Pose;

/// A flexible body in world coordinates. Elements have `dimension + 1` vertices each.
#[derive(Clone, Copy, Debug)]
pub struct Flex<'a> {
    /// 1 for lines, 2 for triangles, 3 for tetrahedra.
    pub dimension: usize,
    /// Thickness around its elements, m.
    pub radius: f64,
    /// Positions of the vertices, m.
    pub vertices: &'a [Vec3],
    /// The two vertices of each edge.
    pub edges: &'a [[i32; 2]],
    /// Vertices of all elements, one element after the other.
    pub elements: &'a [i32],
    /// Distance of each element from the surface, in elements.
    pub element_layers: &'a [i32],
}

/// Which parts of a flexible body are shown, and so can be hit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shown {
    /// Balls around the vertices.
    pub vertices: bool,
    /// Capsules along the edges.
    pub edges: bool,
    /// Flat faces of the elements.
    pub faces: bool,
    /// The smooth outer surface.
    pub skin: bool,
    /// The layer of tetrahedra whose faces are shown.
    pub layer: i32,
}

/// Hit on the shown parts and the vertex nearest to it.
pub fn cast(flex: &Flex, shown: Shown, ray: &Ray) -> Option<(Hit, usize)> {
    let (half, pose) = bounding_box(flex.vertices.iter().copied(), flex.radius);
    if !cuboid::meets(&half, &pose, ray) {
        return None;
    }
    let mut best = None;
    let skin = flex.dimension > 1 && shown.skin;
    if shown.edges || skin {
        cast_edges(flex, ray, &mut best);
    } else if shown.vertices {
        cast_vertices(flex, ray, &mut best);
    }
    if flex.dimension > 1 && (shown.faces || shown.skin) {
        cast_faces(flex, shown, ray, &mut best);
    }
    best
}

type Best = Option<(Hit, usize)>;

fn nearest(best: &Best) -> Option<f64> {
    best.as_ref().map(|(hit, _)| hit.distance)
}

fn cast_edges(flex: &Flex, ray: &Ray, best: &mut Best) {
    for edge in flex.edges {
        let Some([start, end]) = checked(edge, flex.vertices.len()) else { continue };
        let (v1, v2) = (flex.vertices[start], flex.vertices[end]);
        let (axis, length) = vec3::normalize(vec3::sub(v2, v1));
        let pose = Pose {
            position: vec3::scale(vec3::add(v1, v2), 0.5),
            rotation: quat::to_mat(&quat::z_to_vec(axis)),
        };
        let size = [flex.radius, 0.5 * length, 0.0];
        if let Some(hit) = capsule::cast(&size, &pose, ray)
            && is_nearer(hit.distance, nearest(best))
        {
            let point = ray.at(hit.distance);
            let first = vec3::distance(v1, point) < vec3::distance(v2, point);
            *best = Some((hit, if first { start } else { end }));
        }
    }
}

fn cast_vertices(flex: &Flex, ray: &Ray, best: &mut Best) {
    for (index, &vertex) in flex.vertices.iter().enumerate() {
        let pose = Pose { position: vertex, ..Pose::IDENTITY };
        if let Some(hit) = sphere::cast(&[flex.radius, 0.0, 0.0], &pose, ray)
            && is_nearer(hit.distance, nearest(best))
        {
            *best = Some((hit, index));
        }
    }
}

fn cast_faces(flex: &Flex, shown: Shown, ray: &Ray, best: &mut Best) {
    let across = Across::new(ray.direction);
    let corners: &[[usize; 3]] =
        if flex.dimension == 2 { &[[0, 1, 2]] } else { &[[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]] };
    for (index, element) in flex.elements.chunks_exact(flex.dimension + 1).enumerate() {
        let layer = flex.element_layers.get(index).copied().unwrap_or(0);
        let hidden = if shown.skin { layer > 0 } else { layer != shown.layer };
        if flex.dimension == 3 && hidden {
            continue;
        }
        for &[a, b, c] in corners {
            let Some(indices) = checked(&[element[a], element[b], element[c]], flex.vertices.len()) else {
                continue;
            };
            let triangle = indices.map(|index| flex.vertices[index]);
            let Some((distance, normal)) = crossing(&triangle, ray, &across) else { continue };
            if !is_nearer(distance, nearest(best)) {
                continue;
            }
            let point = ray.at(distance);
            let [d0, d1, d2] = triangle.map(|vertex| vec3::distance(vertex, point));
            let corner = if d0 <= d1 && d0 <= d2 {
                0
            } else if d1 <= d2 {
                1
            } else {
                2
            };
            *best = Some((Hit { distance, normal: vec3::normalize(normal).0 }, indices[corner]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Shown = Shown { vertices: true, edges: true, faces: true, skin: false, layer: 0 };

    fn cloth() -> Flex<'static> {
        Flex {
            dimension: 2,
            radius: 0.125,
            vertices: &[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            edges: &[[0, 1], [1, 2], [2, 0]],
            elements: &[0, 1, 2],
            element_layers: &[0],
        }
    }

    #[test]
    fn faces_and_edges_are_hit_and_name_the_nearest_vertex() {
        let down = |x, y| Ray { origin: [x, y, 2.0], direction: [0.0, 0.0, -1.0] };
        let (face, vertex) = cast(&cloth(), ALL, &down(0.25, 0.3)).unwrap();
        assert_eq!((face.distance, vertex), (2.0, 0));
        let (edge, vertex) = cast(&cloth(), ALL, &down(0.75, 0.0)).unwrap();
        assert!((edge.distance - 1.875).abs() < 1e-15 && vertex == 1);
        let only_vertices = Shown { edges: false, faces: false, ..ALL };
        assert!(cast(&cloth(), only_vertices, &down(0.25, 0.3)).is_none());
        assert_eq!(cast(&cloth(), only_vertices, &down(0.0, 1.0)).unwrap().1, 2);
    }

    #[test]
    fn bad_indices_are_skipped() {
        let flex = Flex { edges: &[[0, 9], [-1, 2]], elements: &[0, 1, 7], ..cloth() };
        let ray = Ray { origin: [0.25, 0.25, 2.0], direction: [0.0, 0.0, -1.0] };
        assert_eq!(cast(&flex, ALL, &ray), None);
    }
}
