//! Shortest path of a string over a sphere or an infinite cylinder.
//!
//! The problem is planar: for a sphere in the plane of both end points and the centre, for a cylinder in its cross-section, where a
//! linear interpolation restores the height afterwards. A side site chooses the way round; a side site inside the object makes the
//! string run through it and touch from inside. Reference: `mju_wrap`.

use condyle_math::{MIN_VALUE, Mat3, PI, Vec3, dense, mat3, scalar, vec3};

/// Two numbers in the plane of the wrap.
type Vec2 = [f64; 2];

/// The object a string wraps around.
#[derive(Clone, Copy, Debug)]
pub struct WrapObject {
    /// Centre, world frame, m.
    pub position: Vec3,
    /// Axes in the columns, world frame; a cylinder lies along the third.
    pub axes: Mat3,
    /// Radius, m.
    pub radius: f64,
    /// A sphere, or else an infinite cylinder.
    pub is_sphere: bool,
}

/// Where a string touches an object and how long it runs along it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wrapped {
    /// Where the string meets the object and where it leaves it, world frame, m.
    pub points: [Vec3; 2],
    /// Length along the object, m.
    pub length: f64,
}

/// Path from `start` to `end` around `object`; `None` when the straight line is free.
pub fn wrap(start: Vec3, end: Vec3, object: &WrapObject, side: Option<Vec3>) -> Option<Wrapped> {
    let local = |point: Vec3| mat3::mul_vec_transposed(&object.axes, vec3::sub(point, object.position));
    let ends = [local(start), local(end)];
    if vec3::norm(ends[0]) < MIN_VALUE || vec3::norm(ends[1]) < MIN_VALUE {
        return None;
    }
    let plane = if object.is_sphere { sphere_plane(ends) } else { [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] };
    let project = |point: Vec3| [vec3::dot(point, plane[0]), vec3::dot(point, plane[1])];
    let flat = ends.map(project);
    let (touch, mut length) = match side.map(local) {
        Some(side) if vec3::norm(side) < object.radius => (wrap_inside(flat, object.radius)?, 0.0),
        side => {
            let side = side.map(|point| {
                let mut direction = project(point);
                dense::normalize(&mut direction);
                direction.map(|x| x * object.radius)
            });
            wrap_circle(flat, side, object.radius)?
        }
    };
    let mut points = touch.map(|p| vec3::add(vec3::scale(plane[0], p[0]), vec3::scale(plane[1], p[1])));
    if !object.is_sphere {
        let before = flat_distance(ends[0], points[0]);
        let after = flat_distance(ends[1], points[1]);
        let rise = ends[1][2] - ends[0][2];
        points[0][2] = ends[0][2] + rise * before / (before + length + after);
        points[1][2] = ends[0][2] + rise * (before + length) / (before + length + after);
        let height = (points[1][2] - points[0][2]).abs();
        length = (length * length + height * height).sqrt();
    }
    let world = |point: Vec3| vec3::add(mat3::mul_vec(&object.axes, point), object.position);
    Some(Wrapped { points: points.map(world), length })
}

/// Axes of the plane through the centre of a sphere and both end points.
fn sphere_plane(ends: [Vec3; 2]) -> [Vec3; 2] {
    let first = vec3::normalize(ends[0]).0;
    let (mut normal, length) = vec3::normalize(vec3::cross(ends[0], ends[1]));
    if length < MIN_VALUE {
        // Both ends on one line with the centre: any plane through it will do.
        let size = first.map(f64::abs);
        let mut largest = 0;
        if size[1] > size[0] && size[1] > size[2] {
            largest = 1;
        }
        if size[2] > size[0] && size[2] > size[1] {
            largest = 2;
        }
        let mut other = [1.0; 3];
        other[largest] = 0.0;
        normal = vec3::normalize(vec3::cross(first, other)).0;
    }
    [first, vec3::normalize(vec3::cross(normal, first)).0]
}

fn flat_distance(a: Vec3, b: Vec3) -> f64 {
    ((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])).sqrt()
}

/// Tangent points and arc length around the circle, on the shorter way or the way of `side`.
fn wrap_circle(ends: [Vec2; 2], side: Option<Vec2>, radius: f64) -> Option<([Vec2; 2], f64)> {
    let [p, q] = ends;
    let square0 = p[0] * p[0] + p[1] * p[1];
    let square1 = q[0] * q[0] + q[1] * q[1];
    let square_radius = radius * radius;
    if square0 < square_radius || square1 < square_radius || radius < MIN_VALUE {
        return None;
    }
    let along = [q[0] - p[0], q[1] - p[1]];
    let square_length = along[0] * along[0] + along[1] * along[1];
    if square_length < MIN_VALUE {
        return None;
    }
    // Nearest point of the segment to the centre: free if outside the circle and on the proper side.
    let mut a = -(along[0] * p[0] + along[1] * p[1]) / square_length;
    if a < 0.0 {
        a = 0.0;
    } else if a > 1.0 {
        a = 1.0;
    }
    let nearest = [a * along[0] + p[0], a * along[1] + p[1]];
    let outside = nearest[0] * nearest[0] + nearest[1] * nearest[1] > square_radius;
    if outside && side.is_none_or(|side| dense::dot(&side, &nearest) >= 0.0) {
        return None;
    }

    let root0 = (square0 - square_radius).sqrt();
    let root1 = (square1 - square_radius).sqrt();
    let candidate = |sign: f64| {
        [
            [
                (p[0] * square_radius + sign * radius * p[1] * root0) / square0,
                (p[1] * square_radius - sign * radius * p[0] * root0) / square0,
            ],
            [
                (q[0] * square_radius - sign * radius * q[1] * root1) / square1,
                (q[1] * square_radius + sign * radius * q[0] * root1) / square1,
            ],
        ]
    };
    let candidates = [candidate(1.0), candidate(-1.0)];
    let goodness = candidates.map(|[s, t]| {
        if segments_cross(p, s, q, t) {
            return -10000.0;
        }
        match side {
            Some(side) => {
                let mut middle = [s[0] + t[0], s[1] + t[1]];
                dense::normalize(&mut middle);
                dense::dot(&middle, &side)
            }
            None => {
                let chord = [s[0] - t[0], s[1] - t[1]];
                -dense::dot(&chord, &chord)
            }
        }
    });
    let best = usize::from(!(goodness[0] > goodness[1]));
    let touch = candidates[best];
    if segments_cross(p, touch[0], q, touch[1]) {
        return None;
    }
    Some((touch, arc_length(touch, best == 1, radius)))
}

/// Length of the arc between two points of the circle; `reversed` says which of the two arcs.
fn arc_length(touch: [Vec2; 2], reversed: bool, radius: f64) -> f64 {
    let [p, q] = touch;
    let (mut unit0, mut unit1) = (p, q);
    dense::normalize(&mut unit0);
    dense::normalize(&mut unit1);
    let mut angle = dense::dot(&unit0, &unit1).acos();
    let cross = p[1] * q[0] - p[0] * q[1];
    if (cross > 0.0 && reversed) || (cross < 0.0 && !reversed) {
        angle = 2.0 * PI - angle;
    }
    radius * angle
}

/// Whether the segments `p1 p2` and `p3 p4` meet.
fn segments_cross(p1: Vec2, p2: Vec2, p3: Vec2, p4: Vec2) -> bool {
    let determinant = (p4[1] - p3[1]) * (p2[0] - p1[0]) - (p4[0] - p3[0]) * (p2[1] - p1[1]);
    if determinant.abs() < MIN_VALUE {
        return false;
    }
    let a = ((p4[0] - p3[0]) * (p1[1] - p3[1]) - (p4[1] - p3[1]) * (p1[0] - p3[0])) / determinant;
    let b = ((p2[0] - p1[0]) * (p1[1] - p3[1]) - (p2[1] - p1[1]) * (p1[0] - p3[0])) / determinant;
    a >= 0.0 && a <= 1.0 && b >= 0.0 && b <= 1.0
}

/// The point where a string through the circle touches it from inside, twice; `None` when the straight line passes.
///
/// The angle of the string to the radius satisfies `asin(Az) + asin(Bz) - 2 asin(z) + G = 0`, solved by Newton's method from the
/// right. When that fails the point between the ends serves.
fn wrap_inside(ends: [Vec2; 2], radius: f64) -> Option<[Vec2; 2]> {
    const ITERATIONS: usize = 20;
    const START: f64 = 1.0 - 1e-7;
    const TOLERANCE: f64 = 1e-6;

    let [p, q] = ends;
    let length0 = dense::norm(&p);
    let length1 = dense::norm(&q);
    let along = [q[0] - p[0], q[1] - p[1]];
    let square_length = along[0] * along[0] + along[1] * along[1];
    if length0 <= radius
        || length1 <= radius
        || radius < MIN_VALUE
        || length0 < MIN_VALUE
        || length1 < MIN_VALUE
    {
        return None;
    }
    if square_length > MIN_VALUE {
        let a = -(along[0] * p[0] + along[1] * p[1]) / square_length;
        if a > 0.0 && a < 1.0 && dense::norm(&[p[0] + along[0] * a, p[1] + along[1] * a]) <= radius {
            return None;
        }
    }

    let mut middle = [0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1])];
    dense::normalize(&mut middle);
    let fallback = Some([middle.map(|x| x * radius); 2]);

    let a = radius / length0;
    let b = radius / length1;
    let cosine = (length0 * length0 + length1 * length1 - square_length) / (2.0 * length0 * length1);
    if cosine < -1.0 + MIN_VALUE {
        return None;
    }
    if cosine > 1.0 - MIN_VALUE {
        return fallback;
    }
    let between = cosine.acos();
    let residual = |z: f64| (a * z).asin() + (b * z).asin() - 2.0 * z.asin() + between;
    let mut z = START;
    let mut f = residual(z);
    if f > 0.0 {
        return fallback;
    }
    let mut iteration = 0;
    while iteration < ITERATIONS && f.abs() > TOLERANCE {
        let slope = a / scalar::max(MIN_VALUE, (1.0 - z * z * a * a).sqrt())
            + b / scalar::max(MIN_VALUE, (1.0 - z * z * b * b).sqrt())
            - 2.0 / scalar::max(MIN_VALUE, (1.0 - z * z).sqrt());
        if slope > -MIN_VALUE {
            return fallback;
        }
        let next = z - f / slope;
        if next > z {
            return fallback;
        }
        z = next;
        f = residual(z);
        if f > TOLERANCE {
            return fallback;
        }
        iteration += 1;
    }
    if iteration >= ITERATIONS {
        return fallback;
    }

    let (mut direction, angle) = if p[0] * q[1] - p[1] * q[0] > 0.0 {
        (p, z.asin() - (a * z).asin())
    } else {
        (q, z.asin() - (b * z).asin())
    };
    dense::normalize(&mut direction);
    let point = [
        radius * (angle.cos() * direction[0] - angle.sin() * direction[1]),
        radius * (angle.sin() * direction[0] + angle.cos() * direction[1]),
    ];
    Some([point; 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cylinder(radius: f64) -> WrapObject {
        WrapObject { position: [0.0; 3], axes: mat3::IDENTITY, radius, is_sphere: false }
    }

    #[test]
    fn free_lines_do_not_wrap() {
        assert_eq!(wrap([-2.0, 1.5, 0.0], [2.0, 1.5, 0.0], &cylinder(1.0), None), None);
        assert_eq!(wrap([0.5, 0.0, 0.0], [2.0, 0.0, 0.0], &cylinder(1.0), None), None);
    }

    #[test]
    fn side_site_chooses_the_way_round() {
        let above = wrap([-2.0, 0.0, 0.0], [2.0, 0.0, 0.0], &cylinder(1.0), Some([0.0, 3.0, 0.0])).unwrap();
        let below = wrap([-2.0, 0.0, 0.0], [2.0, 0.0, 0.0], &cylinder(1.0), Some([0.0, -3.0, 0.0])).unwrap();
        assert!(above.points[0][1] > 0.0 && below.points[0][1] < 0.0);
        assert!((above.length - PI / 3.0).abs() < 1e-12);
        assert!((above.length - below.length).abs() < 1e-12);
    }

    #[test]
    fn side_site_inside_touches_from_inside() {
        let found = wrap([-2.0, 2.0, 0.0], [2.0, 2.0, 0.0], &cylinder(1.0), Some([0.0, 0.5, 0.0])).unwrap();
        assert_eq!(found.length, 0.0);
        assert_eq!(found.points[0], found.points[1]);
        assert!((vec3::norm(found.points[0]) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn sphere_wraps_in_the_plane_of_the_ends() {
        let sphere = WrapObject { is_sphere: true, ..cylinder(1.0) };
        let found = wrap([-2.0, 0.1, 0.0], [2.0, 0.1, 0.0], &sphere, None).unwrap();
        assert!(found.points.iter().all(|point| point[2] == 0.0));
        for point in found.points {
            assert!((vec3::norm(point) - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn without_a_side_the_shorter_way_round_is_taken() {
        // Both lines pass under the centre, one mirrored: the arc stays on their side, whatever the distance of the ends.
        for (sign, length) in [(1.0, 2.0), (-1.0, 2.0), (1.0, 40.0), (-1.0, 40.0)] {
            let ends = [[-length, 0.25 * sign, 0.0], [length, 0.25 * sign, 0.0]];
            let found = wrap(ends[0], ends[1], &cylinder(1.0), None).unwrap();
            assert!(found.points.iter().all(|point| point[1] * sign > 0.0), "{found:?}");
            // Tangents from (l, y) touch at angles acos(1/|p|) from the direction of p.
            let to_end = (0.25_f64).atan2(length);
            let expected = PI - 2.0 * to_end - 2.0 * (1.0 / (length * length + 0.0625).sqrt()).acos();
            assert!((found.length - expected).abs() < 1e-12, "{} {expected}", found.length);
        }
    }
}
