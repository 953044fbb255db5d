//! Capsule against box: one or two contacts, each that of a ball with the box.
//!
//! In the box frame the capsule is the segment `p + t h`, `t ∈ [−1, 1]`. First the point of the segment nearest to the box is found among
//! the two ends (over a face or inside) and the twelve box edges. Then, if the segment runs along a face or an edge rather than
//! away from it, a second point is placed as far along the segment as it stays over the box.

use condyle_math::{MIN_VALUE, Vec3, mat3, vec3};

use super::plane_box::corner;
use super::sphere_box::push_ball_on_box;
use crate::{ContactBuffer, Pose, Size};

/// The capsule's segment in the box frame.
struct Segment {
    center: Vec3,
    /// Unit direction.
    axis: Vec3,
    /// Direction times half length.
    half_axis: Vec3,
    half_length: f64,
    /// Bit `i` is set when `half_axis[i]` is positive.
    direction: usize,
}

/// What the nearest point of the segment is near to.
enum Feature {
    /// An end of the segment lies inside the box.
    Inside,
    /// An end of the segment (−1 or 1) lies over the face across this axis.
    Face { end: f64, axis: usize },
    /// The corner with this index (bits as in [`corner`]).
    Corner { index: usize },
    /// The inner part of an edge along `axis` that starts at corner `start`; `position ∈ [−1, 1]` along it.
    Edge { axis: usize, start: usize, position: f64 },
}

/// The point of the segment nearest to the box.
struct Nearest {
    /// Position along the segment in `[−1, 1]`.
    along: f64,
    feature: Feature,
}

/// Contacts of a capsule (first) with a box.
pub fn collide(
    size1: &Size,
    pose1: &Pose,
    size2: &Size,
    pose2: &Pose,
    margin: f64,
    out: &mut ContactBuffer,
) -> usize {
    let [radius, half_length, _] = *size1;
    let segment = Segment::new(pose1, pose2, half_length);
    let farthest = margin + 2.0 * (radius + half_length + size2[0] + size2[1] + size2[2]);
    let Some(nearest) = nearest_to_box(&segment, size2, farthest) else {
        return 0;
    };

    let mut push = |along: f64| {
        let center = pose2.to_world(segment.point(along));
        push_ball_on_box(center, radius, size2, pose2, margin, out)
    };
    let count = push(nearest.along);
    match step_to_second(&segment, size2, &nearest) {
        // Steps lie within [−2, 2]; only a NaN fails this.
        Some(step) if step > -3.0 => count + push(step + nearest.along),
        _ => count,
    }
}

impl Segment {
    fn new(capsule: &Pose, frame: &Pose, half_length: f64) -> Self {
        let center = frame.to_local(capsule.position);
        let axis = mat3::mul_vec_transposed(&frame.rotation, capsule.z_axis());
        let half_axis = vec3::scale(axis, half_length);
        let direction = (0..3).filter(|&i| half_axis[i] > 0.0).map(|i| 1 << i).sum();
        Self { center, axis, half_axis, half_length, direction }
    }

    fn point(&self, along: f64) -> Vec3 {
        vec3::add_scaled(self.center, self.half_axis, along)
    }
}

/// The nearest point of the segment, starting from the squared distance `farthest`; `None` if nothing is nearer.
fn nearest_to_box(segment: &Segment, half: &Size, farthest: f64) -> Option<Nearest> {
    let mut best_squared = farthest;
    let mut best = None;

    for end in [-1.0, 1.0] {
        if let Some((squared, feature)) = end_over_face(segment, half, end)
            && squared < best_squared
        {
            best_squared = squared;
            best = Some(Nearest { along: end, feature });
        }
    }

    for axis in 0..3 {
        for start in (0..8).filter(|start| start & (1 << axis) == 0) {
            // The slack keeps the first of several edges when the segment is parallel to a face.
            if let Some((squared, nearest)) = nearest_on_edge(segment, half, axis, start)
                && squared < best_squared - MIN_VALUE
            {
                best_squared = squared;
                best = Some(nearest);
            }
        }
    }
    best
}

/// Squared distance of an end of the segment from the box if at most one coordinate lies outside.
fn end_over_face(segment: &Segment, half: &Size, end: f64) -> Option<(f64, Feature)> {
    let point = segment.point(end);
    let mut clamped = point;
    let mut outside = 0;
    let mut feature = Feature::Inside;
    for axis in 0..3 {
        if clamped[axis] < -half[axis] {
            clamped[axis] = -half[axis];
        } else if clamped[axis] > half[axis] {
            clamped[axis] = half[axis];
        } else {
            continue;
        }
        outside += 1;
        feature = Feature::Face { end, axis };
    }
    if outside > 1 {
        return None;
    }
    let difference = vec3::sub(clamped, point);
    Some((vec3::dot(difference, difference), feature))
}

/// Nearest point of the segment to the edge along `axis` from corner `start`, and its squared distance; `None` if they are parallel.
fn nearest_on_edge(segment: &Segment, half: &Size, axis: usize, start: usize) -> Option<(f64, Nearest)> {
    let h = segment.half_axis;
    let mut middle = corner(half, start);
    middle[axis] = 0.0;
    let difference = vec3::sub(middle, segment.center);

    // The 2×2 system of the nearest points: x1 along the edge, x2 along the segment.
    let aa = half[axis] * half[axis];
    let ab = -half[axis] * h[axis];
    let bb = segment.half_length * segment.half_length;
    let u = -half[axis] * difference[axis];
    let v = vec3::dot(h, difference);
    let determinant = aa * bb - ab * ab;
    if determinant.abs() < MIN_VALUE {
        return None;
    }
    let inverse = 1.0 / determinant;
    let mut x1 = (bb * u - ab * v) * inverse;
    let mut x2 = (aa * v - ab * u) * inverse;
    let mut part = limit(&mut x1);
    match part {
        EdgePart::Upper => x2 = (v - ab) * (1.0 / bb),
        EdgePart::Lower => x2 = (v + ab) * (1.0 / bb),
        EdgePart::Middle => {}
    }
    // A segment end that limits x2 moves x1; when that stays inside, the part found before remains.
    let moved = if x2 > 1.0 {
        x2 = 1.0;
        Some((u - ab) * (1.0 / aa))
    } else if x2 < -1.0 {
        x2 = -1.0;
        Some((u + ab) * (1.0 / aa))
    } else {
        None
    };
    if let Some(moved) = moved {
        x1 = moved;
        match limit(&mut x1) {
            EdgePart::Middle => {}
            end => part = end,
        }
    }

    let mut difference = vec3::add_scaled(difference, h, -x2);
    difference[axis] += half[axis] * x1;
    let feature = match part {
        EdgePart::Lower => Feature::Corner { index: start },
        EdgePart::Upper => Feature::Corner { index: start + (1 << axis) },
        EdgePart::Middle => Feature::Edge { axis, start, position: x1 },
    };
    Some((vec3::dot(difference, difference), Nearest { along: x2, feature }))
}

/// Which part of a box edge a point is on.
#[derive(Clone, Copy, PartialEq)]
enum EdgePart {
    Lower,
    Middle,
    Upper,
}

/// Limit `x` to `[−1, 1]` and say on which side it was.
fn limit(x: &mut f64) -> EdgePart {
    if *x > 1.0 {
        *x = 1.0;
        EdgePart::Upper
    } else if *x < -1.0 {
        *x = -1.0;
        EdgePart::Lower
    } else {
        EdgePart::Middle
    }
}

/// Signed step along the segment from the nearest point to the second contact; `None` if there is only one.
fn step_to_second(segment: &Segment, half: &Size, nearest: &Nearest) -> Option<f64> {
    match nearest.feature {
        Feature::Inside => None,
        Feature::Face { end, axis } => Some(step_over_face(segment, half, end, axis)),
        Feature::Corner { index } => step_from_corner(segment, half, index, nearest.along),
        Feature::Edge { axis, start, position } => {
            step_from_edge(segment, half, axis, start, position, nearest.along)
        }
    }
}

/// Number of half axes after which the segment has crossed the whole box along `axis`.
fn crossing(segment: &Segment, half: &Size, axis: usize) -> f64 {
    2.0 * half[axis] / segment.half_axis[axis].abs()
}

/// `step`, or `limit` if that is smaller.
fn shortened(step: f64, limit: f64) -> f64 {
    if limit < step { limit } else { step }
}

/// From the end over a face towards the other end, as far as the segment stays over the face.
fn step_over_face(segment: &Segment, half: &Size, end: f64, face: usize) -> f64 {
    let direction = -end;
    let start = segment.point(end);
    let mut step = 2.0;
    for axis in (0..3).filter(|&axis| axis != face) {
        for side in [half[axis], -half[axis]] {
            let reach = (side - start[axis]) / segment.half_axis[axis] * direction;
            if reach > 0.0 {
                step = shortened(step, reach);
            }
        }
    }
    step * direction
}

/// From a corner: along one of its edges if the segment is within 45° of it, else over the face across from that edge.
///
/// A segment that points straight at or away from the corner gives none.
fn step_from_corner(segment: &Segment, half: &Size, corner: usize, along: f64) -> Option<f64> {
    let relative = segment.direction ^ corner;
    // The one axis along which segment and corner agree or disagree against the two others.
    let (odd, direction) = match relative {
        1 | 2 | 4 => (relative, 1.0),
        3 | 5 | 6 => (7 - relative, -1.0),
        _ => return None,
    };
    let (ahead, behind) =
        if direction > 0.0 { (1.0 - along, 1.0 + along) } else { (1.0 + along, 1.0 - along) };
    let (axis, next, last) = match odd {
        1 => (0, 1, 2),
        2 => (1, 2, 0),
        _ => (2, 0, 1),
    };

    if segment.axis[axis] * segment.axis[axis] > 0.5 {
        let step = shortened(ahead, crossing(segment, half, axis));
        Some(step * direction)
    } else {
        let step = shortened(behind, crossing(segment, half, next));
        let step = shortened(step, crossing(segment, half, last));
        Some(step * -direction)
    }
}

/// From the inside of an edge: over the face to which the segment is more parallel. A segment that crosses the edge like a T gives none.
fn step_from_edge(
    segment: &Segment,
    half: &Size,
    edge: usize,
    start: usize,
    position: f64,
    along: f64,
) -> Option<f64> {
    let relative = (segment.direction ^ start) & (7 - (1 << edge));
    if !matches!(relative, 1 | 2 | 4) {
        return None;
    }
    let (next, last) = ((edge + 1) % 3, (edge + 2) % 3);
    // `run` is the axis along which the segment travels over the face.
    let run = if segment.axis[next].abs() > segment.axis[last].abs() { next } else { last };

    let forward = relative & (1 << run) != 0;
    let (direction, step) = if forward { (1.0, 1.0 - along) } else { (-1.0, 1.0 + along) };
    let step = shortened(step, crossing(segment, half, run));

    let rising = segment.direction & (1 << edge) != 0;
    let left_on_edge = if rising == forward { 1.0 - position } else { 1.0 + position };
    let step = shortened(step, half[edge] * left_on_edge / segment.half_axis[edge].abs());
    Some(step * direction)
}

#[cfg(test)]
mod tests {
    use super::super::test_shapes::{at, no_panic_on_bad_numbers, turned_y_quarter};
    use super::*;

    fn positions(capsule: Size, pose: Pose, half: Size) -> Vec<Vec3> {
        let mut out = ContactBuffer::new();
        collide(&capsule, &pose, &half, &Pose::IDENTITY, 0.0, &mut out);
        out.as_slice().iter().map(|c| c.position).collect()
    }

    #[test]
    fn capsule_lying_on_a_face_touches_at_both_ends() {
        let pose = Pose { rotation: turned_y_quarter(), ..at(0.0, 0.0, 1.25) };
        assert_eq!(positions([0.25, 0.5, 0.0], pose, [1.0; 3]), [[-0.5, 0.0, 1.0], [0.5, 0.0, 1.0]]);
    }

    #[test]
    fn slightly_tilted_capsule_longer_than_the_face_touches_at_its_borders() {
        let (s, c) = 1e-3f64.sin_cos();
        let rotation = [-s, 0.0, c, 0.0, 1.0, 0.0, -c, 0.0, -s];
        let touched = positions([0.25, 3.0, 0.0], Pose { rotation, ..at(0.0, 0.0, 1.24) }, [1.0; 3]);
        let across: Vec<_> = touched.iter().map(|p| p[0].round()).collect();
        assert_eq!(across, [1.0, -1.0]);
    }

    #[test]
    fn standing_capsule_touches_once() {
        assert_eq!(positions([0.25, 0.5, 0.0], at(0.0, 0.0, 1.75), [1.0; 3]), [[0.0, 0.0, 1.0]]);
    }

    #[test]
    fn bad_numbers_do_not_panic() {
        no_panic_on_bad_numbers(collide);
    }
}
