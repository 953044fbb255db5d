//! The point of a simplex closest to the origin, in barycentric coordinates, by signed volumes.
//!
//! M. Montanari, N. Petrinic, E. Barbieri, "Improving the GJK algorithm for faster and more reliable distance queries between convex
//! objects", ACM Transactions on Graphics 36 (2017). The origin is projected on the simplex' affine hull; if a barycentric coordinate
//! has the wrong sign, the faces opposite to such vertices are searched recursively and the closest wins.

use condyle_math::{MIN_VALUE, Vec3, vec3};

#[inline(always)]
fn combine2(weights: [f64; 2], points: [Vec3; 2]) -> Vec3 {
    vec3::add(vec3::scale(points[0], weights[0]), vec3::scale(points[1], weights[1]))
}

/// Weighted sum of three points, added left to right.
#[inline(always)]
pub(crate) fn combine3(weights: [f64; 3], points: [Vec3; 3]) -> Vec3 {
    let sum = combine2([weights[0], weights[1]], [points[0], points[1]]);
    vec3::add(sum, vec3::scale(points[2], weights[2]))
}

/// Weighted sum of the first `count` of four points, added left to right.
#[inline]
pub(crate) fn combine(count: usize, weights: &[f64; 4], points: [Vec3; 4]) -> Vec3 {
    let mut sum = vec3::scale(points[0], weights[0]);
    if count > 1 {
        sum = vec3::add(sum, vec3::scale(points[1], weights[1]));
    }
    if count > 2 {
        sum = vec3::add(sum, vec3::scale(points[2], weights[2]));
    }
    if count > 3 {
        sum = vec3::add(sum, vec3::scale(points[3], weights[3]));
    }
    sum
}

/// Determinant of the matrix with columns `a`, `b`, `c`.
#[inline]
pub(crate) fn determinant(a: Vec3, b: Vec3, c: Vec3) -> f64 {
    a[0] * (b[1] * c[2] - b[2] * c[1])
        + a[1] * (b[2] * c[0] - b[0] * c[2])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
}

/// Both positive or both negative.
#[inline]
fn same_sign(a: f64, b: f64) -> bool {
    (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0)
}

/// Which values have the sign of `total`; none if that is zero or no number.
#[inline(always)]
fn like_signs<const N: usize>(total: f64, values: [f64; N]) -> [bool; N] {
    if total > 0.0 {
        values.map(|value| value > 0.0)
    } else if total < 0.0 {
        values.map(|value| value < 0.0)
    } else {
        [false; N]
    }
}

/// Projection of the origin on the plane through three points. The normal is taken at the vertex where it is well conditioned;
/// `None` for three points on a line.
#[inline]
pub(crate) fn project_on_plane(a: Vec3, b: Vec3, c: Vec3) -> Option<Vec3> {
    let ab = vec3::sub(b, a);
    let bc = vec3::sub(c, b);
    let normal = vec3::cross(bc, ab);
    let offset = vec3::dot(normal, b);
    let squared = vec3::dot(normal, normal);
    if squared == 0.0 {
        return None;
    }
    if offset != 0.0 && squared > MIN_VALUE {
        return Some(vec3::scale(normal, offset / squared));
    }
    project_on_thin_plane(a, c, ab, bc)
}

/// The same for thin triangles and planes through the origin, from the other two vertices.
#[cold]
fn project_on_thin_plane(a: Vec3, c: Vec3, ab: Vec3, bc: Vec3) -> Option<Vec3> {
    let ac = vec3::sub(c, a);
    let normal = vec3::cross(ab, ac);
    let offset = vec3::dot(normal, a);
    let squared = vec3::dot(normal, normal);
    if squared == 0.0 {
        return None;
    }
    if offset != 0.0 && squared > MIN_VALUE {
        return Some(vec3::scale(normal, offset / squared));
    }
    let normal = vec3::cross(ac, bc);
    Some(vec3::scale(normal, vec3::dot(normal, c) / vec3::dot(normal, normal)))
}

/// The coordinate plane in which a triangle has the largest shadow, and twice the shadow's signed area.
#[inline]
pub(crate) fn largest_shadow(a: Vec3, b: Vec3, c: Vec3) -> (f64, usize, usize) {
    let area = |x: usize, y: usize| {
        b[x] * c[y] - b[y] * c[x] - a[x] * c[y] + a[y] * c[x] + a[x] * b[y] - a[y] * b[x]
    };
    let (yz, xz, xy) = (area(1, 2), area(0, 2), area(0, 1));
    if yz.abs() >= xz.abs() && yz.abs() >= xy.abs() {
        (yz, 1, 2)
    } else if xz.abs() >= xy.abs() {
        (xz, 0, 2)
    } else {
        (xy, 0, 1)
    }
}

/// Twice the signed areas of the shadows of `(p, b, c)`, `(p, c, a)` and `(p, a, b)` in the plane of axes `x`, `y`.
#[inline(always)]
pub(crate) fn sub_areas(a: Vec3, b: Vec3, c: Vec3, p: Vec3, x: usize, y: usize) -> Vec3 {
    let area =
        |q: Vec3, r: Vec3| p[x] * q[y] + p[y] * r[x] + q[x] * r[y] - p[x] * r[y] - p[y] * q[x] - r[x] * q[y];
    [area(b, c), area(c, a), area(a, b)]
}

/// Weights of the closest point of the simplex with the first `count` of four vertices.
#[inline(always)]
pub(crate) fn closest_weights(count: usize, simplex: &[Vec3; 4]) -> [f64; 4] {
    let [a, b, c, d] = simplex;
    match count {
        4 => tetrahedron(*a, *b, *c, *d),
        3 => {
            let [wa, wb, wc] = triangle(a, b, c);
            [wa, wb, wc, 0.0]
        }
        2 => {
            let [wa, wb] = segment(a, b);
            [wa, wb, 0.0, 0.0]
        }
        _ => [1.0, 0.0, 0.0, 0.0],
    }
}

fn tetrahedron(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> [f64; 4] {
    let volumes = [-determinant(b, c, d), determinant(a, c, d), -determinant(a, b, d), determinant(a, b, c)];
    let total = volumes[0] + volumes[1] + volumes[2] + volumes[3];
    let inside = like_signs(total, volumes);
    if inside == [true; 4] {
        return volumes.map(|volume| volume / total);
    }

    let mut best = [0.0; 4];
    let mut smallest = f64::MAX;
    // The first candidate is taken whatever its distance, so that a NaN still leaves weights behind.
    if !inside[0] {
        let (weights, squared) = closest_on_face([b, c, d]);
        (best, smallest) = ([0.0, weights[0], weights[1], weights[2]], squared);
    }
    if !inside[1] {
        let (weights, squared) = closest_on_face([a, c, d]);
        if squared < smallest {
            (best, smallest) = ([weights[0], 0.0, weights[1], weights[2]], squared);
        }
    }
    if !inside[2] {
        let (weights, squared) = closest_on_face([a, b, d]);
        if squared < smallest {
            (best, smallest) = ([weights[0], weights[1], 0.0, weights[2]], squared);
        }
    }
    if !inside[3] {
        let (weights, squared) = closest_on_face([a, b, c]);
        if squared < smallest {
            // The reference does not clear the last weight when the first three vertices win; the iteration path depends on it.
            best = [weights[0], weights[1], weights[2], best[3]];
        }
    }
    best
}

/// Weights of the point of a triangle closest to the origin, and its squared distance.
#[inline(always)]
fn closest_on_face(face: [Vec3; 3]) -> ([f64; 3], f64) {
    let weights = triangle(&face[0], &face[1], &face[2]);
    let point = combine3(weights, face);
    (weights, vec3::dot(point, point))
}

/// The same of a segment.
#[inline(always)]
fn closest_on_edge(edge: [Vec3; 2]) -> ([f64; 2], f64) {
    let weights = segment(&edge[0], &edge[1]);
    let point = combine2(weights, edge);
    (weights, vec3::dot(point, point))
}

/// Weights of the closest point of a triangle. The coordinates go one by one: a point that was just stored in two pieces and is loaded as
/// one would have to wait.
#[inline(always)]
fn triangle(&[ax, ay, az]: &Vec3, &[bx, by, bz]: &Vec3, &[cx, cy, cz]: &Vec3) -> [f64; 3] {
    triangle_of(ax, ay, az, bx, by, bz, cx, cy, cz)
}

#[inline(never)]
fn triangle_of(ax: f64, ay: f64, az: f64, bx: f64, by: f64, bz: f64, cx: f64, cy: f64, cz: f64) -> [f64; 3] {
    let (a, b, c) = ([ax, ay, az], [bx, by, bz], [cx, cy, cz]);
    let Some(projection) = project_on_plane(a, b, c) else {
        let [wa, wb] = segment(&a, &b);
        return [wa, wb, 0.0];
    };
    let (total, x, y) = largest_shadow(a, b, c);
    // The axes are written out so that coordinates need not be looked up by number.
    let areas = match (x, y) {
        (1, 2) => sub_areas(a, b, c, projection, 1, 2),
        (0, 2) => sub_areas(a, b, c, projection, 0, 2),
        _ => sub_areas(a, b, c, projection, 0, 1),
    };
    let inside = like_signs(total, areas);
    if inside == [true; 3] {
        return areas.map(|area| area / total);
    }

    let mut best = [0.0; 3];
    let mut smallest = f64::MAX;
    if !inside[0] {
        let (weights, squared) = closest_on_edge([b, c]);
        (best, smallest) = ([0.0, weights[0], weights[1]], squared);
    }
    if !inside[1] {
        let (weights, squared) = closest_on_edge([a, c]);
        if squared < smallest {
            (best, smallest) = ([weights[0], 0.0, weights[1]], squared);
        }
    }
    if !inside[2] {
        let (weights, squared) = closest_on_edge([a, b]);
        if squared < smallest {
            best = [weights[0], weights[1], 0.0];
        }
    }
    best
}

fn segment(&a: &Vec3, &b: &Vec3) -> [f64; 2] {
    let along = vec3::sub(b, a);
    let step = -(vec3::dot(b, along) / vec3::dot(along, along));
    let projection = vec3::add_scaled(b, along, step);

    // Along the axis of the longest extent: the extent, and its parts on either side of the projection.
    let parts = |i: usize| (a[i] - b[i], projection[i] - b[i], a[i] - projection[i]);
    let (mut longest, mut part_a, mut part_b) = parts(0);
    for i in 1..3 {
        if (a[i] - b[i]).abs() >= longest.abs() {
            (longest, part_a, part_b) = parts(i);
        }
    }
    if same_sign(longest, part_a) && same_sign(longest, part_b) {
        [part_a / longest, part_b / longest]
    } else {
        [0.0, 1.0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_point_of_a_tetrahedron_around_the_origin_is_the_origin() {
        let simplex = [[1.0, 0.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, -1.0], [0.0, 0.0, 2.0]];
        let weights = closest_weights(4, &simplex);
        assert!(weights.iter().all(|&w| w > 0.0));
        assert!(vec3::norm(combine(4, &weights, simplex)) < 1e-15);
    }

    #[test]
    fn the_closest_point_may_be_on_a_face_an_edge_or_a_vertex() {
        let a = [-1.0, -1.0, 1.0];
        let b = [2.0, -1.0, 1.0];
        let c = [-1.0, 2.0, 1.0];
        let far = [0.0, 0.0, 5.0];
        assert_eq!(combine(4, &closest_weights(4, &[a, b, c, far]), [a, b, c, far]), [0.0, 0.0, 1.0]);
        assert_eq!(closest_weights(2, &[a, b, far, far])[..2], [2.0 / 3.0, 1.0 / 3.0]);
        assert_eq!(closest_weights(2, &[[3.0, 0.0, 0.0], [1.0, 0.0, 0.0], far, far])[..2], [0.0, 1.0]);
    }

    /// Points that look random and are the same every time.
    fn point(number: usize) -> Vec3 {
        std::array::from_fn(|axis| ((1.7 + 0.61 * axis as f64) * number as f64 + 0.4).sin())
    }

    /// Distance of the origin from the points of a simplex on a fine grid of weights: never below the least distance.
    fn sampled_distance(simplex: &[Vec3; 4]) -> f64 {
        const N: usize = 40;
        let mut least = f64::MAX;
        for i in 0..=N {
            for j in 0..=N - i {
                for k in 0..=N - i - j {
                    let weights = [i, j, k, N - i - j - k].map(|w| w as f64 / N as f64);
                    let distance = vec3::norm(combine(4, &weights, *simplex));
                    least = if distance < least { distance } else { least };
                }
            }
        }
        least
    }

    #[test]
    fn weights_add_to_one_and_are_those_of_the_origin_inside() {
        let (mut inside, mut outside) = (0, 0);
        for case in 0..200 {
            let corner = |k: usize| vec3::add_scaled(point(4 * case + k), point(4 * case + k + 900), 0.3);
            let simplex = [corner(0), corner(1), corner(2), corner(3)];
            let weights = closest_weights(4, &simplex);
            let sum: f64 = weights.iter().sum();
            let distance = vec3::norm(combine(4, &weights, simplex));
            // Cramer's rule: the signed volume opposite to each corner, beside that of the whole.
            let [a, b, c, d] = simplex;
            let whole = determinant(vec3::sub(b, a), vec3::sub(c, a), vec3::sub(d, a));
            if whole.abs() < 0.05 {
                continue;
            }
            let parts =
                [determinant(b, c, d), -determinant(a, c, d), determinant(a, b, d), -determinant(a, b, c)]
                    .map(|part| part / whole);
            if parts.iter().all(|part| *part > 1e-3) {
                inside += 1;
                assert!((sum - 1.0).abs() < 1e-13 && distance < 1e-13, "{case}: {weights:?}");
                for (found, expected) in weights.iter().zip(parts) {
                    assert!((found - expected).abs() < 1e-12, "{case}: {weights:?} is not {parts:?}");
                }
            } else if parts.iter().any(|part| *part < -1e-3) && (sum - 1.0).abs() < 1e-12 {
                outside += 1;
                let sampled = sampled_distance(&simplex);
                assert!(
                    distance <= sampled + 1e-12 && distance > sampled - 0.15,
                    "{case}: {distance} {sampled}"
                );
            }
        }
        assert!(inside >= 5 && outside >= 20, "{inside} inside, {outside} outside");
    }
}
