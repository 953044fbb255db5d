//! Ray against triangle mesh: the tree of bounding boxes is walked, and the nearest triangle wins.

use condyle_math::{Vec3, mat3, vec3};

use super::triangle::{Across, crossing};
use super::{Hit, Ray, cuboid, is_nearer};
use crate::{Pose, Size};

/// Deepest tree that is walked completely.
const STACK: usize = 64;

/// A mesh and its tree of bounding boxes. Indices are relative to the slices; those out of range are ignored.
#[derive(Clone, Copy, Debug)]
pub struct Mesh<'a> {
    /// Positions of the vertices, m.
    pub vertices: &'a [[f32; 3]],
    /// The three vertices of each face.
    pub faces: &'a [[i32; 3]],
    /// Box of each node: centre and half sizes, in mesh coordinates.
    pub node_aabb: &'a [[f64; 6]],
    /// Children of each node, −1 for none.
    pub node_child: &'a [[i32; 2]],
    /// Face of each leaf, −1 for inner nodes.
    pub node_face: &'a [i32],
}

impl Mesh<'_> {
    /// The corners of a face.
    fn triangle(&self, face: i32) -> Option<[Vec3; 3]> {
        let face = self.faces.get(usize::try_from(face).ok()?)?;
        let vertex = |corner: usize| {
            let index = usize::try_from(face[corner]).ok()?;
            self.vertices.get(index).map(|v| v.map(f64::from))
        };
        Some([vertex(0)?, vertex(1)?, vertex(2)?])
    }
}

/// Hit on a mesh whose bounding box has the half sizes `bounds`.
pub fn cast(mesh: &Mesh, bounds: &Size, pose: &Pose, ray: &Ray) -> Option<Hit> {
    if !cuboid::meets(bounds, pose, ray) {
        return None;
    }
    cast_tree(mesh, pose, ray)
}

/// [`cast`], with the nodes whose boxes the ray passes: all inner ones, and leaves whose faces are nearer than those found before.
pub fn cast_passing(
    mesh: &Mesh,
    bounds: &Size,
    pose: &Pose,
    ray: &Ray,
    passed: impl FnMut(usize),
) -> Option<Hit> {
    if !cuboid::meets(bounds, pose, ray) {
        return None;
    }
    walk_tree(mesh, pose, ray, passed)
}

/// Hit on a mesh, without the test of its outer box.
pub fn cast_tree(mesh: &Mesh, pose: &Pose, ray: &Ray) -> Option<Hit> {
    walk_tree(mesh, pose, ray, |_| ())
}

#[inline(always)]
fn walk_tree(mesh: &Mesh, pose: &Pose, ray: &Ray, mut passed: impl FnMut(usize)) -> Option<Hit> {
    let local = ray.to_local(pose);
    let across = Across::new(local.direction);
    let inverse = local.direction.map(|d| 1.0 / d);
    let mut best: Option<(f64, Vec3)> = None;

    let mut stack = [0i32; STACK];
    let mut depth = 1;
    // A tree visits each node once; more visits mean that the links are not a tree.
    let mut visits = mesh.node_aabb.len();
    while depth > 0 && visits > 0 {
        depth -= 1;
        visits -= 1;
        let Ok(node) = usize::try_from(stack[depth]) else { continue };
        let (Some(aabb), Some(children), Some(&face)) =
            (mesh.node_aabb.get(node), mesh.node_child.get(node), mesh.node_face.get(node))
        else {
            continue;
        };
        if !meets_slabs(aabb, local.origin, inverse) {
            continue;
        }
        if face != -1 {
            if let Some(triangle) = mesh.triangle(face)
                && let Some((distance, normal)) = crossing(&triangle, &local, &across)
                && is_nearer(distance, best.map(|(distance, _)| distance))
            {
                best = Some((distance, normal));
                passed(node);
            }
            continue;
        }
        passed(node);
        for &child in children {
            if child != -1 && depth < STACK {
                stack[depth] = child;
                depth += 1;
            }
        }
    }
    let (distance, normal) = best?;
    let normal = vec3::normalize(normal).0;
    Some(Hit { distance, normal: mat3::mul_vec(&pose.rotation, normal) })
}

/// Whether a local ray meets a box given as centre and half sizes, by the slab method. `inverse` is one over its direction.
#[inline]
pub fn meets_slabs(aabb: &[f64; 6], origin: Vec3, inverse: Vec3) -> bool {
    let mut enter = 0.0;
    let mut leave = f64::INFINITY;
    for axis in 0..3 {
        let low = (aabb[axis] - aabb[axis + 3] - origin[axis]) * inverse[axis];
        let high = (aabb[axis] + aabb[axis + 3] - origin[axis]) * inverse[axis];
        let (first, last) = if low < high { (low, high) } else { (high, low) };
        enter = if enter > first { enter } else { first };
        leave = if leave < last { leave } else { last };
    }
    enter < leave
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERTICES: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

    fn two_faces() -> Mesh<'static> {
        Mesh {
            vertices: &VERTICES,
            faces: &[[0, 1, 2], [0, 1, 3]],
            node_aabb: &[
                [0.5, 0.5, 0.5, 0.6, 0.6, 0.6],
                [0.5, 0.5, 0.0, 0.6, 0.6, 0.1],
                [0.5, 0.0, 0.5, 0.6, 0.1, 0.6],
            ],
            node_child: &[[1, 2], [-1, -1], [-1, -1]],
            node_face: &[-1, 0, 1],
        }
    }

    #[test]
    fn the_nearest_face_wins() {
        let ray = Ray { origin: [0.25, 1.25, 0.5], direction: [0.0, -1.0, -0.25] };
        let hit = cast(&two_faces(), &[1.5; 3], &Pose::IDENTITY, &ray).unwrap();
        assert_eq!(hit, Hit { distance: 1.25, normal: [0.0, -1.0, 0.0] });
    }

    #[test]
    fn links_in_a_circle_and_bad_indices_end_the_walk() {
        let ray = Ray { origin: [0.25, 0.25, 2.0], direction: [0.0, 0.0, -1.0] };
        let circle = Mesh { node_child: &[[0, 0], [0, 0], [0, 0]], ..two_faces() };
        assert_eq!(cast_tree(&circle, &Pose::IDENTITY, &ray), None);
        let bad =
            Mesh { faces: &[[0, 1, 9], [-4, 1, 3]], node_child: &[[1, 77], [-9, 2], [0, 0]], ..two_faces() };
        assert_eq!(cast_tree(&bad, &Pose::IDENTITY, &ray), None);
    }

    #[test]
    fn slabs_are_met_up_to_the_edges_of_the_box() {
        // From below and the left at 45 degrees, past the lower right edge.
        let meets = |shift: f64| {
            let (origin, inverse) = ([-1.0, -2.0 + shift, 0.5], [1.0, 1.0, f64::INFINITY]);
            meets_slabs(&[0.5, 0.25, 0.5, 0.5, 0.25, 0.5], origin, inverse)
        };
        assert!(meets(1e-10) && !meets(0.0) && !meets(-1e-10));
        // And past the upper left one.
        let meets = |shift: f64| {
            let (origin, inverse) = ([-1.0, -0.5 + shift, 0.5], [1.0, 1.0, f64::INFINITY]);
            meets_slabs(&[0.5, 0.25, 0.5, 0.5, 0.25, 0.5], origin, inverse)
        };
        assert!(meets(-1e-10) && !meets(0.0) && !meets(1e-10));
    }
}
