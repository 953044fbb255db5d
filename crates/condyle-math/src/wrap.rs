//! Shortest path of a tendon over a sphere or an infinite cylinder, from outside or through a site inside.
//!
//! Both shapes reduce to a circle: in the plane through the centre and the end points for the sphere, across the axis for the
//! cylinder. Outside, the path touches the circle along an arc between two tangent points; inside, it touches in one point that
//! solves `asin(Az) + asin(Bz) - 2 asin(z) + G = 0`. Reference: `mju_wrap`.

use crate::scalar::max_first;
use crate::{MIN_VALUE, Mat3, PI, Vec3, dense, mat3, vec3};

type Point = [f64; 2];

/// What the tendon wraps around.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Sphere,
    /// Infinite along the z axis.
    Cylinder,
}

/// Where a tendon touches the shape, in the frame of the end points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wrap {
    /// Length of the part on the surface.
    pub length: f64,
    pub points: [Vec3; 2],
}

/// Path between `ends` over a shape at `position` with axes `axes`; `None` when the straight line is free.
///
/// `side` is a point that chooses the side of the shape, or, if it lies inside, makes the tendon pass through the inside.
pub fn wrap(
    ends: [Vec3; 2],
    position: Vec3,
    axes: &Mat3,
    radius: f64,
    shape: Shape,
    side: Option<Vec3>,
) -> Option<Wrap> {
    let to_local = |x: Vec3| mat3::mul_vec_transposed(axes, vec3::sub(x, position));
    let p = ends.map(to_local);
    if vec3::norm(p[0]) < MIN_VALUE || vec3::norm(p[1]) < MIN_VALUE {
        return None;
    }
    let plane = match shape {
        Shape::Sphere => sphere_plane(p),
        Shape::Cylinder => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
    };
    let project = |x: Vec3| [vec3::dot(x, plane[0]), vec3::dot(x, plane[1])];
    let flat = p.map(project);
    let (mut length, touch) = match side.map(to_local) {
        Some(s) if vec3::norm(s) < radius => (0.0, [wrap_inside(flat, radius)?; 2]),
        Some(s) => {
            let mut direction = project(s);
            dense::normalize(&mut direction);
            dense::scale_mut(&mut direction, radius);
            wrap_circle(flat, Some(direction), radius)?
        }
        None => wrap_circle(flat, None, radius)?,
    };
    let mut local = touch.map(|t| vec3::add(vec3::scale(plane[0], t[0]), vec3::scale(plane[1], t[1])));
    if shape == Shape::Cylinder {
        length = spread_along_axis(&mut local, p, length);
    }
    let points = local.map(|x| vec3::add(mat3::mul_vec(axes, x), position));
    Some(Wrap { length, points })
}

/// Orthonormal axes of the plane through the centre of a sphere and both end points.
fn sphere_plane(p: [Vec3; 2]) -> [Vec3; 2] {
    let first = vec3::normalize(p[0]).0;
    let (mut normal, length) = vec3::normalize(vec3::cross(p[0], p[1]));
    if length < MIN_VALUE {
        // The ends are in line with the centre: any plane will do, taken away from the largest component.
        let size = first.map(f64::abs);
        let largest = if size[2] > size[0] && size[2] > size[1] {
            2
        } else if size[1] > size[0] && size[1] > size[2] {
            1
        } else {
            0
        };
        let mut other = [1.0; 3];
        other[largest] = 0.0;
        normal = vec3::normalize(vec3::cross(first, other)).0;
    }
    [first, vec3::normalize(vec3::cross(normal, first)).0]
}

/// Give the touch points on a cylinder their heights, in proportion to the path across the axis; returns the helix length.
fn spread_along_axis(touch: &mut [Vec3; 2], p: [Vec3; 2], arc: f64) -> f64 {
    let across = |a: Vec3, b: Vec3| {
        let (x, y) = (a[0] - b[0], a[1] - b[1]);
        (x * x + y * y).sqrt()
    };
    let before = across(p[0], touch[0]);
    let after = across(p[1], touch[1]);
    let rise = p[1][2] - p[0][2];
    let total = before + arc + after;
    touch[0][2] = p[0][2] + rise * before / total;
    touch[1][2] = p[0][2] + rise * (before + arc) / total;
    let height = (touch[1][2] - touch[0][2]).abs();
    (arc * arc + height * height).sqrt()
}

fn squared(x: Point) -> f64 {
    x[0] * x[0] + x[1] * x[1]
}

/// Whether the segments `a0 a1` and `b0 b1` cross.
fn segments_cross(a0: Point, a1: Point, b0: Point, b1: Point) -> bool {
    let (a, b) = ([a1[0] - a0[0], a1[1] - a0[1]], [b1[0] - b0[0], b1[1] - b0[1]]);
    let determinant = b[1] * a[0] - b[0] * a[1];
    if determinant.abs() < MIN_VALUE {
        return false;
    }
    let gap = [a0[0] - b0[0], a0[1] - b0[1]];
    let s = (b[0] * gap[1] - b[1] * gap[0]) / determinant;
    let t = (a[0] * gap[1] - a[1] * gap[0]) / determinant;
    s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0
}

/// Arc length from `from` to `to` on a circle, the way round that tangent solution `solution` takes.
fn arc_length(from: Point, to: Point, solution: usize, radius: f64) -> f64 {
    let (mut a, mut b) = (from, to);
    dense::normalize(&mut a);
    dense::normalize(&mut b);
    let mut angle = dense::dot(&a, &b).acos();
    let cross = from[1] * to[0] - from[0] * to[1];
    if (cross > 0.0 && solution == 1) || (cross < 0.0 && solution == 0) {
        angle = 2.0 * PI - angle;
    }
    radius * angle
}

/// Arc over a circle about the origin: its length and the two tangent points.
fn wrap_circle(ends: [Point; 2], side: Option<Point>, radius: f64) -> Option<(f64, [Point; 2])> {
    let (d0, d1) = (ends[0], ends[1]);
    let (square0, square1, square_radius) = (squared(d0), squared(d1), radius * radius);
    if square0 < square_radius || square1 < square_radius || radius < MIN_VALUE {
        return None;
    }
    let difference = [d1[0] - d0[0], d1[1] - d0[1]];
    let span = squared(difference);
    if span < MIN_VALUE {
        return None;
    }
    // Nearest point of the segment to the centre: outside the circle and on the right side, the way is free.
    let mut a = -(difference[0] * d0[0] + difference[1] * d0[1]) / span;
    if a < 0.0 {
        a = 0.0;
    } else if a > 1.0 {
        a = 1.0;
    }
    let nearest = [a * difference[0] + d0[0], a * difference[1] + d0[1]];
    if squared(nearest) > square_radius && side.is_none_or(|s| dense::dot(&s, &nearest) >= 0.0) {
        return None;
    }

    let (root0, root1) = ((square0 - square_radius).sqrt(), (square1 - square_radius).sqrt());
    let tangents = [1.0, -1.0].map(|sign| {
        [
            [
                (d0[0] * square_radius + sign * radius * d0[1] * root0) / square0,
                (d0[1] * square_radius - sign * radius * d0[0] * root0) / square0,
            ],
            [
                (d1[0] * square_radius - sign * radius * d1[1] * root1) / square1,
                (d1[1] * square_radius + sign * radius * d1[0] * root1) / square1,
            ],
        ]
    });
    let crosses = |t: [Point; 2]| segments_cross(d0, t[0], d1, t[1]);
    let good = tangents.map(|t| {
        if crosses(t) {
            return -10000.0;
        }
        match side {
            Some(s) => {
                let mut middle = [t[0][0] + t[1][0], t[0][1] + t[1][1]];
                dense::normalize(&mut middle);
                dense::dot(&middle, &s)
            }
            None => {
                let chord = [t[0][0] - t[1][0], t[0][1] - t[1][1]];
                -dense::dot(&chord, &chord)
            }
        }
    });
    let solution = if good[0] > good[1] { 0 } else { 1 };
    let touch = tangents[solution];
    if crosses(touch) {
        return None;
    }
    Some((arc_length(touch[0], touch[1], solution, radius), touch))
}

/// The one point in which a path through the inside touches the circle. Where the iteration fails it is the middle direction.
fn wrap_inside(ends: [Point; 2], radius: f64) -> Option<Point> {
    let (d0, d1) = (ends[0], ends[1]);
    let (length0, length1) = (dense::norm(&d0), dense::norm(&d1));
    let difference = [d1[0] - d0[0], d1[1] - d0[1]];
    let span = squared(difference);
    if length0 <= radius
        || length1 <= radius
        || radius < MIN_VALUE
        || length0 < MIN_VALUE
        || length1 < MIN_VALUE
    {
        return None;
    }
    if span > MIN_VALUE {
        let a = -(difference[0] * d0[0] + difference[1] * d0[1]) / span;
        if a > 0.0 && a < 1.0 {
            let nearest = [d0[0] + difference[0] * a, d0[1] + difference[1] * a];
            if dense::norm(&nearest) <= radius {
                return None;
            }
        }
    }
    let mut fallback = [0.5 * (d0[0] + d1[0]), 0.5 * (d0[1] + d1[1])];
    dense::normalize(&mut fallback);
    dense::scale_mut(&mut fallback, radius);

    let (a, b) = (radius / length0, radius / length1);
    let cosine = (length0 * length0 + length1 * length1 - span) / (2.0 * length0 * length1);
    if cosine < -1.0 + MIN_VALUE {
        return None;
    } else if cosine > 1.0 - MIN_VALUE {
        return Some(fallback);
    }
    let Some(z) = inside_root(a, b, cosine.acos()) else { return Some(fallback) };

    let (mut direction, angle) = if d0[0] * d1[1] - d0[1] * d1[0] > 0.0 {
        (d0, z.asin() - (a * z).asin())
    } else {
        (d1, z.asin() - (b * z).asin())
    };
    dense::normalize(&mut direction);
    let (sine, cosine) = (angle.sin(), angle.cos());
    Some([
        radius * (cosine * direction[0] - sine * direction[1]),
        radius * (sine * direction[0] + cosine * direction[1]),
    ])
}

/// Newton's method from the right end for the touch point's half-angle sine; `None` where it does not converge.
fn inside_root(a: f64, b: f64, g: f64) -> Option<f64> {
    const MAX_ITERATIONS: usize = 20;
    const TOLERANCE: f64 = 1e-6;
    let residual = |z: f64| (a * z).asin() + (b * z).asin() - 2.0 * z.asin() + g;
    let root = |x: f64| max_first(MIN_VALUE, x.sqrt());
    let mut z = 1.0 - 1e-7;
    let mut f = residual(z);
    if f > 0.0 {
        return None;
    }
    for _ in 0..MAX_ITERATIONS {
        if !(f.abs() > TOLERANCE) {
            return Some(z);
        }
        let slope = a / root(1.0 - z * z * a * a) + b / root(1.0 - z * z * b * b) - 2.0 / root(1.0 - z * z);
        if slope > -MIN_VALUE {
            return None;
        }
        let next = z - f / slope;
        if next > z {
            return None;
        }
        z = next;
        f = residual(z);
        if f > TOLERANCE {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_straight_line_past_the_sphere_is_free() {
        let ends = [[-2.0, 1.5, 0.0], [2.0, 1.5, 0.0]];
        assert_eq!(wrap(ends, [0.0; 3], &mat3::IDENTITY, 1.0, Shape::Sphere, None), None);
    }

    #[test]
    fn the_arc_over_a_sphere_has_the_length_of_its_angle() {
        let ends = [[-2.0, 0.0, 0.0], [2.0, 0.1, 0.0]];
        let w = wrap(ends, [0.0; 3], &mat3::IDENTITY, 1.0, Shape::Sphere, None).unwrap();
        let [a, b] = w.points;
        assert!((vec3::norm(a) - 1.0).abs() < 1e-14 && (vec3::norm(b) - 1.0).abs() < 1e-14);
        assert!((w.length - vec3::dot(a, b).acos()).abs() < 1e-12);
        // Tangents meet the radius at right angles.
        assert!(vec3::dot(a, vec3::sub(ends[0], a)).abs() < 1e-12);
        assert!(vec3::dot(b, vec3::sub(ends[1], b)).abs() < 1e-12);
    }

    #[test]
    fn the_side_point_chooses_the_way_round() {
        let ends = [[-2.0, 0.1, 0.0], [2.0, 0.1, 0.5]];
        let turn = |y: f64| {
            wrap(ends, [0.0; 3], &mat3::IDENTITY, 1.0, Shape::Cylinder, Some([0.0, y, 0.0])).unwrap()
        };
        assert!(turn(3.0).points[0][1] > 0.0 && turn(-3.0).points[0][1] < 0.0);
        assert!(turn(3.0).points[0][2] < turn(3.0).points[1][2]);
    }

    #[test]
    fn an_inside_site_gives_one_touch_point_of_no_length() {
        let ends = [[-2.0, 1.5, 0.0], [2.0, 1.5, 0.0]];
        let w = wrap(ends, [0.0; 3], &mat3::IDENTITY, 1.0, Shape::Cylinder, Some([0.0, 0.1, 0.0])).unwrap();
        assert_eq!(w.length, 0.0);
        assert_eq!(w.points[0], w.points[1]);
        assert!((w.points[0][0]).abs() < 1e-5 && (w.points[0][1] - 1.0).abs() < 1e-9);
    }

    #[test]
    fn ends_in_line_with_the_centre_still_have_a_path() {
        let ends = [[0.0, 0.0, -2.0], [0.0, 0.0, 2.0]];
        let w = wrap(ends, [0.0; 3], &mat3::IDENTITY, 1.0, Shape::Sphere, None).unwrap();
        assert!((w.length - PI / 3.0).abs() < 1e-12);
    }
}
