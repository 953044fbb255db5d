//! Minkowski portal refinement: penetration of two convex sets along the ray from an inner point through the origin.
//!
//! G. Snethen, "XenoCollide: Complex Collision Made Simple", Game Programming Gems 7 (2008), in the form of libccd's
//! `ccdMPRPenetration`. A portal is a triangle of support points that the ray from `v0`, inside the Minkowski difference, passes through
//! on its way over the origin. It is found, pushed outward until it has passed the origin, then pushed to the surface; its closest
//! point to the origin gives depth and direction. Usually an upper bound of the true depth.

use condyle_math::{Vec3, vec3};

use super::{ConvexObject, mpr_support};

/// Relative and absolute tolerance of comparisons.
const EPSILON: f64 = f64::EPSILON;
/// Bound of the search phases, which have no iteration limit of their own; far above what they need unless rounding makes them cycle.
const MAX_SEARCH: usize = 10_000;

/// Depth, direction and position of an overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penetration {
    /// How far the objects overlap along `direction`, m.
    pub depth: f64,
    /// Direction in which the second object has to move; zero if the objects only touch.
    pub direction: Vec3,
    /// Middle of the overlap, world frame, m.
    pub position: Vec3,
}

#[derive(Clone, Copy, Debug, Default)]
struct PortalVertex {
    difference: Vec3,
    point1: Vec3,
    point2: Vec3,
}

type Portal = [PortalVertex; 4];

enum Discovery {
    Apart,
    /// The origin coincides with `v1`.
    OnVertex,
    /// The origin lies between `v0` and `v1`.
    OnSegment,
    Found,
}

#[inline]
fn is_zero(value: f64) -> bool {
    value.abs() < EPSILON
}

#[inline]
fn is_equal(a: f64, b: f64) -> bool {
    let gap = (a - b).abs();
    if gap < EPSILON {
        return true;
    }
    let (a, b) = (a.abs(), b.abs());
    if b > a { gap < EPSILON * b } else { gap < EPSILON * a }
}

/// Whether a vector is zero within rounding.
#[inline]
pub(crate) fn is_zero_vector(v: Vec3) -> bool {
    v.iter().all(|&component| is_equal(component, 0.0))
}

#[inline]
fn unit(v: Vec3) -> Vec3 {
    vec3::scale(v, 1.0 / vec3::dot(v, v).sqrt())
}

fn support(first: &mut ConvexObject, second: &mut ConvexObject, direction: Vec3) -> PortalVertex {
    let point1 = mpr_support(first, direction);
    let point2 = mpr_support(second, vec3::scale(direction, -1.0));
    PortalVertex { difference: vec3::sub(point1, point2), point1, point2 }
}

/// Overlap of two objects, `None` if they are apart.
pub fn penetration(
    max_iterations: i32,
    tolerance: f64,
    first: &mut ConvexObject,
    second: &mut ConvexObject,
) -> Option<Penetration> {
    let mut portal = Portal::default();
    match discover(&mut portal, first, second) {
        Discovery::Apart => None,
        Discovery::OnVertex => Some(Penetration {
            depth: 0.0,
            direction: [0.0; 3],
            position: middle(portal[1].point1, portal[1].point2),
        }),
        Discovery::OnSegment => {
            let reach = portal[1].difference;
            Some(Penetration {
                depth: vec3::dot(reach, reach).sqrt(),
                direction: unit(reach),
                position: middle(portal[1].point1, portal[1].point2),
            })
        }
        Discovery::Found => {
            if !refine(&mut portal, tolerance, first, second) {
                return None;
            }
            Some(push_to_surface(&mut portal, max_iterations, tolerance, first, second))
        }
    }
}

fn middle(a: Vec3, b: Vec3) -> Vec3 {
    vec3::scale(vec3::add(a, b), 0.5)
}

/// Normal of the plane through `v0`, `v1`, `v2`.
fn side_normal(portal: &Portal) -> Vec3 {
    let a = vec3::sub(portal[1].difference, portal[0].difference);
    let b = vec3::sub(portal[2].difference, portal[0].difference);
    unit(vec3::cross(a, b))
}

fn discover(portal: &mut Portal, first: &mut ConvexObject, second: &mut ConvexObject) -> Discovery {
    let is_behind = |vertex: &PortalVertex, direction: Vec3| {
        let reach = vec3::dot(vertex.difference, direction);
        is_zero(reach) || reach < 0.0
    };

    let (center1, center2) = (first.center(), second.center());
    let mut inner = vec3::sub(center1, center2);
    if is_zero_vector(inner) {
        // Coinciding centres give no ray; move one a little.
        inner = vec3::add(inner, [EPSILON * 10.0, 0.0, 0.0]);
    }
    portal[0] = PortalVertex { difference: inner, point1: center1, point2: center2 };

    let direction = unit(vec3::scale(inner, -1.0));
    portal[1] = support(first, second, direction);
    if is_behind(&portal[1], direction) {
        return Discovery::Apart;
    }

    let across = vec3::cross(portal[0].difference, portal[1].difference);
    if is_zero(vec3::dot(across, across)) {
        return if is_zero_vector(portal[1].difference) { Discovery::OnVertex } else { Discovery::OnSegment };
    }
    let direction = unit(across);
    portal[2] = support(first, second, direction);
    if is_behind(&portal[2], direction) {
        return Discovery::Apart;
    }

    let mut direction = side_normal(portal);
    if vec3::dot(direction, portal[0].difference) > 0.0 {
        portal.swap(1, 2);
        direction = vec3::scale(direction, -1.0);
    }
    for _ in 0..MAX_SEARCH {
        portal[3] = support(first, second, direction);
        if is_behind(&portal[3], direction) {
            return Discovery::Apart;
        }
        let origin_is_outside = |a: &PortalVertex, b: &PortalVertex| {
            let side = vec3::dot(vec3::cross(a.difference, b.difference), portal[0].difference);
            side < 0.0 && !is_zero(side)
        };
        if origin_is_outside(&portal[1], &portal[3]) {
            portal[2] = portal[3];
        } else if origin_is_outside(&portal[3], &portal[2]) {
            portal[1] = portal[3];
        } else {
            return Discovery::Found;
        }
        direction = side_normal(portal);
    }
    Discovery::Apart
}

/// Outward normal of the portal triangle.
fn portal_normal(portal: &Portal) -> Vec3 {
    let a = vec3::sub(portal[2].difference, portal[1].difference);
    let b = vec3::sub(portal[3].difference, portal[1].difference);
    unit(vec3::cross(a, b))
}

fn is_not_below(point: Vec3, direction: Vec3) -> bool {
    let height = vec3::dot(point, direction);
    is_zero(height) || height > 0.0
}

/// Push the portal outward until the origin is behind it; false if it cannot reach the origin.
fn refine(portal: &mut Portal, tolerance: f64, first: &mut ConvexObject, second: &mut ConvexObject) -> bool {
    for _ in 0..MAX_SEARCH {
        let direction = portal_normal(portal);
        if is_not_below(direction, portal[1].difference) {
            return true;
        }
        let next = support(first, second, direction);
        if !is_not_below(next.difference, direction)
            || has_reached_surface(portal, &next, direction, tolerance)
        {
            return false;
        }
        replace_corner(portal, &next);
    }
    false
}

fn push_to_surface(
    portal: &mut Portal,
    max_iterations: i32,
    tolerance: f64,
    first: &mut ConvexObject,
    second: &mut ConvexObject,
) -> Penetration {
    let limit = usize::try_from(max_iterations).unwrap_or(MAX_SEARCH);
    let mut iterations = 0;
    loop {
        let direction = portal_normal(portal);
        let next = support(first, second, direction);
        if has_reached_surface(portal, &next, direction, tolerance) || iterations > limit {
            let (squared, nearest) =
                triangle_to_origin(portal[1].difference, portal[2].difference, portal[3].difference);
            let depth = squared.sqrt();
            return Penetration {
                depth,
                direction: if is_zero(depth) { [0.0; 3] } else { unit(nearest) },
                position: contact_position(portal),
            };
        }
        replace_corner(portal, &next);
        iterations += 1;
    }
}

/// Whether `next` would move the portal by no more than the tolerance.
fn has_reached_surface(portal: &Portal, next: &PortalVertex, direction: Vec3, tolerance: f64) -> bool {
    let height = vec3::dot(next.difference, direction);
    let gaps = [1, 2, 3].map(|corner| height - vec3::dot(portal[corner].difference, direction));
    let smallest = smaller(smaller(gaps[0], gaps[1]), gaps[2]);
    is_equal(smallest, tolerance) || smallest < tolerance
}

/// The smaller number; a NaN loses.
fn smaller(a: f64, b: f64) -> f64 {
    if a.is_nan() || b < a { b } else { a }
}

/// Put `next` in place of the corner whose removal keeps the ray inside the portal.
fn replace_corner(portal: &mut Portal, next: &PortalVertex) {
    let side = vec3::cross(next.difference, portal[0].difference);
    let is_positive = |corner: usize| vec3::dot(portal[corner].difference, side) > 0.0;
    let corner = match is_positive(1) {
        true if is_positive(2) => 1,
        true => 3,
        false if is_positive(3) => 2,
        false => 1,
    };
    portal[corner] = *next;
}

/// Midway between the points of both objects that have the origin's barycentric coordinates in the portal's tetrahedron.
fn contact_position(portal: &Portal) -> Vec3 {
    let [v0, v1, v2, v3] = portal.map(|vertex| vertex.difference);
    let volume = |a: Vec3, b: Vec3, c: Vec3| vec3::dot(vec3::cross(a, b), c);
    let mut weights = [volume(v1, v2, v3), volume(v3, v2, v0), volume(v0, v1, v3), volume(v2, v1, v0)];
    let mut sum = weights[0] + weights[1] + weights[2] + weights[3];
    if is_zero(sum) || sum < 0.0 {
        let direction = portal_normal(portal);
        weights = [0.0, volume(v2, v3, direction), volume(v3, v1, direction), volume(v1, v2, direction)];
        sum = weights[1] + weights[2] + weights[3];
    }
    let inverse = 1.0 / sum;
    let (mut position1, mut position2) = ([0.0; 3], [0.0; 3]);
    for (vertex, weight) in portal.iter().zip(weights) {
        position1 = vec3::add(position1, vec3::scale(vertex.point1, weight));
        position2 = vec3::add(position2, vec3::scale(vertex.point2, weight));
    }
    middle(vec3::scale(position1, inverse), vec3::scale(position2, inverse))
}

/// Squared distance of a segment from the origin, and its closest point.
fn segment_to_origin(a: Vec3, b: Vec3) -> (f64, Vec3) {
    let along = vec3::sub(b, a);
    let t = -vec3::dot(a, along) / vec3::dot(along, along);
    let nearest = if t < 0.0 || is_zero(t) {
        a
    } else if t > 1.0 || is_equal(t, 1.0) {
        b
    } else {
        vec3::add(vec3::scale(along, t), a)
    };
    (vec3::dot(nearest, nearest), nearest)
}

/// Squared distance of a triangle from the origin, and its closest point.
fn triangle_to_origin(a: Vec3, b: Vec3, c: Vec3) -> (f64, Vec3) {
    let (ab, ac) = (vec3::sub(b, a), vec3::sub(c, a));
    let (v, w) = (vec3::dot(ab, ab), vec3::dot(ac, ac));
    let (p, q) = (vec3::dot(a, ab), vec3::dot(a, ac));
    let r = vec3::dot(ab, ac);
    let determinant = w * v - r * r;
    let (s, t) = if is_zero(determinant) {
        (-1.0, -1.0)
    } else {
        let s = (q * r - w * p) / determinant;
        (s, (-s * r - q) / w)
    };

    let is_in_range = |x: f64| (is_zero(x) || x > 0.0) && (is_equal(x, 1.0) || x < 1.0);
    if is_in_range(s) && is_in_range(t) && (is_equal(t + s, 1.0) || t + s < 1.0) {
        let nearest = vec3::add(vec3::add(a, vec3::scale(ab, s)), vec3::scale(ac, t));
        return (vec3::dot(nearest, nearest), nearest);
    }
    let mut best = segment_to_origin(a, b);
    for (start, end) in [(a, c), (b, c)] {
        let other = segment_to_origin(start, end);
        if other.0 < best.0 {
            best = other;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pose;
    use crate::convex::ConvexShape;

    fn sphere(x: f64) -> ConvexObject<'static> {
        let pose = Pose { position: [x, 0.0, 0.0], ..Pose::IDENTITY };
        ConvexObject::new(ConvexShape::Sphere([1.0, 0.0, 0.0]), pose, 0.0)
    }

    #[test]
    fn overlapping_spheres_have_the_depth_of_their_overlap() {
        let found = penetration(50, 1e-6, &mut sphere(0.0), &mut sphere(1.5)).unwrap();
        assert!((found.depth - 0.5).abs() < 1e-12);
        assert!((found.direction[0] - 1.0).abs() < 1e-12);
        assert!((found.position[0] - 0.75).abs() < 1e-12);
    }

    #[test]
    fn separated_spheres_do_not_overlap() {
        assert_eq!(penetration(50, 1e-6, &mut sphere(0.0), &mut sphere(2.5)), None);
    }

    #[test]
    fn the_closest_point_of_a_triangle_may_be_inside_or_on_its_border() {
        let inside = triangle_to_origin([-1.0, -1.0, 2.0], [2.0, -1.0, 2.0], [-1.0, 2.0, 2.0]);
        assert_eq!(inside, (4.0, [0.0, 0.0, 2.0]));
        let corner = triangle_to_origin([1.0, 0.0, 0.0], [2.0, 1.0, 0.0], [2.0, -1.0, 0.0]);
        assert_eq!(corner, (1.0, [1.0, 0.0, 0.0]));
    }

    #[test]
    fn the_closest_point_of_a_segment_is_its_foot_or_an_end() {
        assert_eq!(segment_to_origin([-1.0, 2.0, 0.0], [3.0, 2.0, 0.0]), (4.0, [0.0, 2.0, 0.0]));
        assert_eq!(segment_to_origin([1.0, 2.0, 0.0], [3.0, 2.0, 0.0]), (5.0, [1.0, 2.0, 0.0]));
        assert_eq!(segment_to_origin([-3.0, 2.0, 0.0], [-1.0, 2.0, 0.0]), (5.0, [-1.0, 2.0, 0.0]));
        // Askew: the foot is at right angles to the segment.
        let (a, b) = ([1.0, 2.0, -0.5], [-0.75, -0.25, 1.5]);
        let (squared, foot) = segment_to_origin(a, b);
        let along = vec3::sub(b, a);
        assert!(vec3::dot(foot, along).abs() < 1e-14);
        assert!((squared - vec3::dot(foot, foot)).abs() < 1e-15);
        let t = vec3::dot(vec3::sub(foot, a), along) / vec3::dot(along, along);
        assert!(0.0 < t && t < 1.0 && vec3::distance(foot, vec3::add_scaled(a, along, t)) < 1e-15);
    }

    #[test]
    fn the_closest_point_of_a_triangle_may_be_on_each_of_its_sides() {
        // The origin lies 0.6 outside of one side after the other.
        let corners = [[2.0, 0.0, 0.0], [-1.0, 1.5, 0.0], [-1.0, -1.5, 0.0]];
        for side in 0..3 {
            let (p, q) = (corners[side], corners[(side + 1) % 3]);
            let along = vec3::sub(q, p);
            let foot = vec3::add_scaled(p, along, 0.4);
            let outward = vec3::normalize([along[1], -along[0], 0.0]).0;
            let outward = if vec3::dot(outward, foot) < 0.0 { vec3::scale(outward, -1.0) } else { outward };
            let origin = vec3::add_scaled(foot, outward, 0.6);
            let [a, b, c] = corners.map(|corner| vec3::sub(corner, origin));
            let (squared, nearest) = triangle_to_origin(a, b, c);
            assert!((squared - 0.36).abs() < 1e-14, "side {side}: {squared}");
            assert!(vec3::distance(nearest, vec3::sub(foot, origin)) < 1e-14, "side {side}: {nearest:?}");
        }
    }
}
