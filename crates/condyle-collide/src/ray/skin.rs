//! Ray against a skin: an unordered list of triangles in world coordinates, with the vertex nearest to the hit.

use condyle_math::{Vec3, vec3};

use super::triangle::{Across, crossing};
use super::{Ray, cuboid, is_nearer};
use crate::{Pose, Size};

/// Distance to the nearest triangle and the vertex of it that is nearest to the hit.
pub fn cast(vertices: &[[f32; 3]], faces: &[[i32; 3]], ray: &Ray) -> Option<(f64, usize)> {
    let (half, pose) = bounding_box(vertices.iter().map(|v| v.map(f64::from)), 0.0);
    if !cuboid::meets(&half, &pose, ray) {
        return None;
    }
    let across = Across::new(ray.direction);
    let mut nearest = None;
    let mut nearest_vertex = 0;
    for face in faces {
        let Some(indices) = checked(face, vertices.len()) else { continue };
        let triangle = indices.map(|index| vertices[index].map(f64::from));
        if let Some((distance, _)) = crossing(&triangle, ray, &across)
            && is_nearer(distance, nearest)
        {
            nearest = Some(distance);
            let point = ray.at(distance);
            let mut best = vec3::distance(point, triangle[0]);
            nearest_vertex = indices[0];
            for corner in 1..3 {
                let length = vec3::distance(point, triangle[corner]);
                if length < best {
                    best = length;
                    nearest_vertex = indices[corner];
                }
            }
        }
    }
    nearest.map(|distance| (distance, nearest_vertex))
}

/// Indices of a face, if all are below `count`.
pub(super) fn checked<const N: usize>(indices: &[i32; N], count: usize) -> Option<[usize; N]> {
    let mut out = [0; N];
    for (out, &index) in out.iter_mut().zip(indices) {
        *out = usize::try_from(index).ok().filter(|&index| index < count)?;
    }
    Some(out)
}

/// Half sizes and pose of the axis-aligned box around points, grown by `radius`.
pub(super) fn bounding_box(points: impl Iterator<Item = Vec3>, radius: f64) -> (Size, Pose) {
    let (mut low, mut high) = ([0.0; 3], [0.0; 3]);
    for (i, point) in points.enumerate() {
        for axis in 0..3 {
            if low[axis] > point[axis] || i == 0 {
                low[axis] = point[axis];
            }
            if high[axis] < point[axis] || i == 0 {
                high[axis] = point[axis];
            }
        }
    }
    let (low, high) = (low.map(|x| x - radius), high.map(|x| x + radius));
    let position = std::array::from_fn(|axis| 0.5 * (low[axis] + high[axis]));
    let half = std::array::from_fn(|axis| 0.5 * (high[axis] - low[axis]));
    (half, Pose { position, ..Pose::IDENTITY })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_vertex_of_the_nearest_triangle_is_named() {
        let vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.5]];
        let faces = [[0, 1, 2], [1, 2, 3], [0, 0, 99]];
        let down = |x, y| Ray { origin: [x, y, 3.0], direction: [0.0, 0.0, -1.0] };
        assert_eq!(cast(&vertices, &faces, &down(0.6, 0.25)), Some((3.0, 1)));
        assert_eq!(cast(&vertices, &faces, &down(0.9, 0.9)).unwrap().1, 3);
        assert_eq!(cast(&vertices, &faces, &down(5.0, 0.0)), None);
    }
}
