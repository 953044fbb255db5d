//! Contacts between two fields: descent from quasi-random starts in the intersection of their bounding boxes.
//!
//! Each start (a Halton point) descends on the overlap function with a backtracking line search, then takes one step on the
//! intersection, whose value is the depth. Points with a positive depth and points found before are dropped. Reference: mjc_SDF.

use condyle_math::scalar::{max_first, min_first};
use condyle_math::spatial::{invert_pose, make_frame, mul_pose};
use condyle_math::{MIN_VALUE, Mat3, Quat, Vec3, mat3, quat, scalar, vec3};

use super::pair::{Combination, FieldPair, Watch};
use super::{FAR, Field};
use crate::{ContactBuffer, ContactPoint, MAX_CONTACTS_PER_PAIR, Pose};

/// Share of the promised decrease that a step must reach.
const DECREASE: f64 = 0.1;
/// Factor by which the line search shortens a step.
const SHORTEN: f64 = 0.5;
/// Shortest step of the line search.
const MIN_STEP: f64 = 1e-4;

/// How hard to search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchSettings {
    /// Number of starting points.
    pub starts: usize,
    /// Descent steps from each of them.
    pub iterations: usize,
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self { starts: 40, iterations: 10 }
    }
}

/// A placed field.
#[derive(Clone, Copy, Debug)]
pub struct PlacedField<'a> {
    /// The field in its own frame.
    pub field: &'a Field<'a>,
    /// Its place in the world.
    pub pose: &'a Pose,
    /// Bounding box in its own frame: centre and half sizes.
    pub aabb: &'a [f64; 6],
}

/// Contacts of two fields. Their frames are complete.
pub fn collide(
    first: PlacedField,
    second: PlacedField,
    settings: SearchSettings,
    out: &mut ContactBuffer,
) -> usize {
    collide_watched(first, second, settings, out, &mut ())
}

/// [`collide`] while somebody watches where the fields are evaluated.
pub fn collide_watched<W: Watch>(
    first: PlacedField,
    second: PlacedField,
    settings: SearchSettings,
    out: &mut ContactBuffer,
    watch: &mut W,
) -> usize {
    let before = out.len();
    let (quat1, quat2) = (quat::from_mat(&first.pose.rotation), quat::from_mat(&second.pose.rotation));
    let (position1, position2) = (first.pose.position, second.pose.position);
    let first_in_first = relative(position1, quat1, position1, quat1);
    let second_in_first = relative(position2, quat2, position1, quat1);
    let first_in_second = relative(position1, quat1, position2, quat2);
    let Some((low, high)) = common_box(first.aabb, second.aabb, &second_in_first) else {
        return 0;
    };

    watch.begin();
    let mut pair = FieldPair {
        first: second.field,
        second: first.field,
        offset: second_in_first.position,
        rotation: second_in_first.rotation,
        watch,
    };
    let mut found = [[0.0; 3]; MAX_CONTACTS_PER_PAIR];
    for start in 0..settings.starts {
        if out.is_full() {
            break;
        }
        pair.watch.start();
        let seed =
            std::array::from_fn(|axis| low[axis] + (high[axis] - low[axis]) * halton(start, [2, 3, 5][axis]));
        let mut x = first_in_second.to_world(first_in_first.to_world(seed));
        descend(&mut pair, Combination::Overlap, settings.iterations, &mut x);
        let depth = descend(&mut pair, Combination::Intersection, 1, &mut x);

        let count = out.len() - before;
        let known = found[..count].iter().any(|&y| vec3::distance(x, y) < MIN_VALUE);
        if depth > 0.0 || known {
            continue;
        }
        if let Some(contact) = contact_at(&mut pair, x, depth, position2, quat2) {
            found[count] = x;
            out.push(contact);
        }
    }
    out.len() - before
}

/// The pose of shape A in the frame of shape B.
fn relative(position_a: Vec3, quat_a: Quat, position_b: Vec3, quat_b: Quat) -> Pose {
    let (back, turned_back) = invert_pose(position_b, quat_b);
    let (position, q) = mul_pose(back, turned_back, position_a, quat_a);
    let rotation: Mat3 = quat::to_mat(&q);
    Pose { position, rotation }
}

/// Bounds of the intersection of both boxes in the frame of the first; `None` if they are apart.
fn common_box(aabb1: &[f64; 6], aabb2: &[f64; 6], second_in_first: &Pose) -> Option<(Vec3, Vec3)> {
    let bounds = |aabb: &[f64; 6], pose: Option<&Pose>| {
        let (mut low, mut high) = ([FAR; 3], [-FAR; 3]);
        for corner in 0..8 {
            let local: Vec3 = std::array::from_fn(|i| {
                if corner & (1 << i) != 0 { aabb[i] + aabb[i + 3] } else { aabb[i] - aabb[i + 3] }
            });
            let point = pose.map_or(local, |pose| pose.to_world(local));
            for i in 0..3 {
                low[i] = min_first(low[i], point[i]);
                high[i] = max_first(high[i], point[i]);
            }
        }
        (low, high)
    };
    let (low1, high1) = bounds(aabb1, None);
    let (low2, high2) = bounds(aabb2, Some(second_in_first));
    let low: Vec3 = std::array::from_fn(|i| max_first(low1[i], low2[i]));
    let high: Vec3 = std::array::from_fn(|i| min_first(high1[i], high2[i]));
    (!(0..3).any(|i| high[i] < low[i])).then_some((low, high))
}

/// Gradient descent with a backtracking line search; returns the last value, or a far distance if the gradient is invalid.
fn descend<W: Watch>(
    pair: &mut FieldPair<W>,
    combination: Combination,
    iterations: usize,
    x: &mut Vec3,
) -> f64 {
    let mut value = FAR;
    for _ in 0..iterations {
        let gradient = pair.gradient(combination, *x);
        if gradient.iter().any(|&g| scalar::is_bad(g)) {
            return FAR;
        }
        let start = *x;
        let start_value = pair.value(combination, start);
        let mut step = 2.0;
        let mut wanted = -DECREASE * step * vec3::dot(gradient, gradient);
        loop {
            step *= SHORTEN;
            wanted *= SHORTEN;
            *x = vec3::add_scaled(start, gradient, -step);
            value = pair.value(combination, *x);
            if !(step > MIN_STEP && value - start_value > wanted) {
                break;
            }
        }
        if start_value < value {
            return value;
        }
    }
    value
}

/// The contact at a point in the frame of the second shape.
fn contact_at<W: Watch>(
    pair: &mut FieldPair<W>,
    x: Vec3,
    depth: f64,
    position: Vec3,
    rotation: Quat,
) -> Option<ContactPoint> {
    let normal = vec3::scale(pair.middle_gradient(x), -1.0);
    let normal = quat::rotate_or_zero(normal, rotation);
    let frame = make_frame(&[normal[0], normal[1], normal[2], 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])?;
    let back = vec3::scale(mat3::row(&frame, 0), -depth / 2.0);
    let point = vec3::add(vec3::add(quat::rotate_or_zero(x, rotation), position), back);
    Some(ContactPoint { distance: depth, position: point, frame })
}

/// Element `index` of the Halton sequence: the digits of the index in the base, mirrored at the point.
fn halton(index: usize, base: usize) -> f64 {
    let b = base as f64;
    let mut weight = 1.0 / b;
    let mut value = 0.0;
    let mut rest = index;
    while rest > 0 {
        let next = rest / base;
        value += weight * (rest - next * base) as f64;
        weight /= b;
        rest = next;
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sdf::Shape;

    #[test]
    fn the_halton_sequence_mirrors_digits() {
        assert_eq!([0, 1, 2, 3, 4].map(|i| halton(i, 2)), [0.0, 0.5, 0.25, 0.75, 0.125]);
        assert_eq!(halton(5, 5), 0.04);
    }

    fn ball_on_torus(height: f64) -> Vec<ContactPoint> {
        let torus = Field::Shape(Shape::Torus { major: 0.35, minor: 0.15 });
        let ball = Field::Sphere([0.3, 0.0, 0.0]);
        let pose = Pose { position: [0.0, 0.0, height], ..Pose::IDENTITY };
        let mut out = ContactBuffer::new();
        collide(
            PlacedField { field: &ball, pose: &pose, aabb: &[0.0, 0.0, 0.0, 0.3, 0.3, 0.3] },
            PlacedField { field: &torus, pose: &Pose::IDENTITY, aabb: &[0.0, 0.0, 0.0, 0.5, 0.5, 0.15] },
            SearchSettings::default(),
            &mut out,
        );
        out.as_slice().to_vec()
    }

    #[test]
    fn a_ball_in_the_hole_touches_the_torus_around() {
        let contacts = ball_on_torus(0.25);
        assert!(contacts.len() > 5);
        for contact in contacts {
            assert!(contact.distance <= 0.0 && contact.distance > -0.05);
            assert!(contact.normal()[2] < 0.0);
        }
    }

    #[test]
    fn a_ball_above_does_not_touch() {
        assert!(ball_on_torus(0.6).is_empty());
    }
}
