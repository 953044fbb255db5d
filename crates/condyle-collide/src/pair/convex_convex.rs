//! Two general convex shapes.
//!
//! GJK and EPA give one contact, or up to four between boxes and meshes with aligned faces when several are wanted. Other shapes with
//! flat sides get further contacts by tilting both objects slightly about the first contact and detecting again.
//! Reference: `mjc_Convex`, `mj_geomDistanceCCD`.

use condyle_math::{Mat3, Vec3, mat3, quat, scalar, spatial, vec3};

use crate::convex::{CcdConfig, CcdScratch, ConvexObject, ConvexShape, detect, mpr, normal};
use crate::{ContactBuffer, ContactPoint, Pose};

/// Tilt of the objects in the search for further contacts, in radians.
const TILT: f64 = 1e-3;
/// Contacts closer than this fraction of the smaller bounding radius are the same.
const DISTINCT: f64 = 1e-3;

/// How convex collisions are computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConvexOptions {
    /// Most iterations of each algorithm.
    pub iterations: i32,
    /// Tolerance, a length.
    pub tolerance: f64,
    /// GJK and EPA if true, MPR if false.
    pub native: bool,
    /// Look for several contacts per pair.
    pub multiple: bool,
}

impl ConvexOptions {
    /// The detection that asks only whether shapes overlap and, if so, where.
    pub(super) fn overlap(&self, max_contacts: usize) -> CcdConfig {
        CcdConfig {
            max_iterations: self.iterations,
            tolerance: self.tolerance,
            max_contacts,
            distance_cutoff: 0.0,
        }
    }
}

/// A convex shape in the world.
#[derive(Clone, Copy, Debug)]
pub struct ConvexGeom<'a> {
    /// The shape in its own frame.
    pub shape: ConvexShape<'a>,
    /// Its place in the world.
    pub pose: Pose,
    /// Radius of a sphere around `pose.position` that contains the shape.
    pub bounding_radius: f64,
}

impl<'a> ConvexGeom<'a> {
    /// The geom as the convex algorithms see it.
    pub fn object(&self, margin: f64) -> ConvexObject<'a> {
        ConvexObject::new(self.shape, self.pose, margin)
    }
}

/// Closest points of two geoms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Separation {
    /// Distance, negative for penetration, at most the cutoff.
    pub distance: f64,
    /// Points on the first and second geom; `None` beyond the cutoff.
    pub witness: Option<(Vec3, Vec3)>,
}

/// Append the contacts of two convex geoms and return how many there are.
pub fn collide(
    first: &ConvexGeom,
    second: &ConvexGeom,
    margin: f64,
    options: &ConvexOptions,
    scratch: &mut CcdScratch,
    out: &mut ContactBuffer,
) -> usize {
    let start = out.len();
    let mut object1 = first.object(margin);
    let mut object2 = second.object(margin);
    let max_contacts = contacts_in_one_pass(&object1, &object2, options);
    let count = detect_contacts(&mut object1, &mut object2, margin, max_contacts, options, scratch, out);
    let done = options.native && max_contacts > 1;
    if !done
        && count == 1
        && options.multiple
        && has_flat_sides(&first.shape)
        && has_flat_sides(&second.shape)
    {
        let smaller = scalar::min(first.bounding_radius, second.bounding_radius);
        tilt_and_detect(&mut object1, &mut object2, margin, DISTINCT * smaller, options, scratch, out, start);
    }
    out.len() - start
}

/// A measured distance, from which that for another cutoff may follow.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    cutoff: f64,
    /// Before it is limited to the cutoff.
    distance: f64,
    witness: Option<(Vec3, Vec3)>,
    bound_squared: f64,
}

impl Measured {
    /// What a measurement with `cutoff` gives; `None` if this one does not say.
    pub fn within(&self, cutoff: f64) -> Option<Separation> {
        if cutoff.to_bits() != self.cutoff.to_bits() {
            if self.bound_squared.is_nan() || !(cutoff > 0.0 && self.cutoff > 0.0) {
                return None;
            }
            let ends_early = |cutoff: f64| cutoff < f64::MAX && self.bound_squared >= cutoff * cutoff;
            if ends_early(cutoff) {
                return Some(Separation { distance: cutoff, witness: None });
            }
            if ends_early(self.cutoff) {
                return None;
            }
        }
        let distance = if self.distance < cutoff { self.distance } else { cutoff };
        Some(Separation { distance, witness: self.witness })
    }
}

/// Distance between two convex geoms up to `cutoff`.
pub fn measure(
    first: &ConvexGeom,
    second: &ConvexGeom,
    cutoff: f64,
    options: &ConvexOptions,
    scratch: &mut CcdScratch,
) -> Measured {
    let config = CcdConfig {
        max_iterations: options.iterations,
        tolerance: options.tolerance,
        max_contacts: 1,
        distance_cutoff: cutoff,
    };
    let distance = detect(&config, scratch, &mut first.object(0.0), &mut second.object(0.0));
    let status = &scratch.status;
    let witness = (status.witness_count > 0).then_some((status.witness1[0], status.witness2[0]));
    Measured { cutoff, distance, witness, bound_squared: status.bound_squared }
}

/// [`measure`] with what it says of its own cutoff.
pub fn distance(
    first: &ConvexGeom,
    second: &ConvexGeom,
    cutoff: f64,
    options: &ConvexOptions,
    scratch: &mut CcdScratch,
) -> Separation {
    let nothing = Separation { distance: cutoff, witness: None };
    measure(first, second, cutoff, options, scratch).within(cutoff).unwrap_or(nothing)
}

/// Whether tilting can reveal further contacts.
fn has_flat_sides(shape: &ConvexShape) -> bool {
    !matches!(shape, ConvexShape::Ellipsoid(_) | ConvexShape::Sphere(_))
}

/// How many contacts a single detection can give. Margins round off the faces.
fn contacts_in_one_pass(first: &ConvexObject, second: &ConvexObject, options: &ConvexOptions) -> usize {
    if first.margin > 0.0 || second.margin > 0.0 {
        return 1;
    }
    match (&first.shape, &second.shape) {
        (ConvexShape::Box(_), ConvexShape::Box(_)) => 8,
        (ConvexShape::Box(_) | ConvexShape::Mesh(_), ConvexShape::Box(_) | ConvexShape::Mesh(_))
            if options.multiple =>
        {
            4
        }
        _ => 1,
    }
}

/// One detection; appends its contacts.
pub(super) fn detect_contacts(
    object1: &mut ConvexObject,
    object2: &mut ConvexObject,
    margin: f64,
    max_contacts: usize,
    options: &ConvexOptions,
    scratch: &mut CcdScratch,
    out: &mut ContactBuffer,
) -> usize {
    if !options.native {
        return detect_by_portal(object1, object2, margin, options, out);
    }
    let found = detect(&options.overlap(max_contacts), scratch, object1, object2);
    if !(found < 0.0) {
        return 0;
    }
    let status = &scratch.status;
    for index in 0..status.witness_count {
        let (point1, point2) = (status.witness1[index], status.witness2[index]);
        out.push(ContactPoint::new(
            margin + found,
            vec3::scale(vec3::add(point1, point2), 0.5),
            vec3::normalize(vec3::sub(point1, point2)).0,
        ));
    }
    status.witness_count
}

fn detect_by_portal(
    object1: &mut ConvexObject,
    object2: &mut ConvexObject,
    margin: f64,
    options: &ConvexOptions,
    out: &mut ContactBuffer,
) -> usize {
    match mpr::penetration(options.iterations, options.tolerance, object1, object2) {
        Some(found) if !mpr::is_zero_vector(found.direction) => {
            let mut contact = ContactPoint::new(margin - found.depth, found.position, found.direction);
            let is_element = |object: &ConvexObject| matches!(object.shape, ConvexShape::Element(_));
            if !is_element(object1) && !is_element(object2) {
                normal::correct(
                    &mut contact,
                    Some((&object1.shape, &object1.pose)),
                    Some((&object2.shape, &object2.pose)),
                );
            }
            out.push(contact);
            1
        }
        _ => 0,
    }
}

/// Turn a pose about a point.
fn turn_about(pose: &Pose, origin: Vec3, rotation: &Mat3) -> Pose {
    let arm = vec3::sub(origin, pose.position);
    let shift = vec3::sub(mat3::mul_vec(rotation, arm), arm);
    Pose { position: vec3::sub(pose.position, shift), rotation: mat3::mul(rotation, &pose.rotation) }
}

/// Tilt the objects against each other about either tangent of the first contact, both ways, and keep contacts at new places. They
/// take over the first contact's distance, since their own belongs to the tilted objects.
fn tilt_and_detect(
    object1: &mut ConvexObject,
    object2: &mut ConvexObject,
    margin: f64,
    tolerance: f64,
    options: &ConvexOptions,
    scratch: &mut CcdScratch,
    out: &mut ContactBuffer,
    start: usize,
) {
    let initial = out.as_slice()[start];
    let (pose1, pose2) = (object1.pose, object2.pose);
    let Some(frame) = spatial::make_frame(&initial.frame) else { return };
    for axis in [mat3::row(&frame, 1), mat3::row(&frame, 2)] {
        for angle in [-TILT, TILT] {
            let rotation = quat::to_mat(&quat::from_axis_angle(axis, angle));
            object1.pose = turn_about(&pose1, initial.position, &rotation);
            object2.pose = turn_about(&pose2, initial.position, &mat3::transpose(&rotation));
            let known = out.len();
            if detect_contacts(object1, object2, margin, 1, options, scratch, out) > 0 && out.len() > known {
                let (old, new) = out.as_mut_slice()[start..].split_at_mut(known - start);
                let position = new[0].position;
                if old.iter().any(|contact| vec3::distance(contact.position, position) <= tolerance) {
                    out.truncate(known);
                } else {
                    new[0].distance = initial.distance;
                }
            }
        }
    }
    (object1.pose, object2.pose) = (pose1, pose2);
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: ConvexOptions =
        ConvexOptions { iterations: 35, tolerance: 1e-6, native: true, multiple: false };

    fn at(shape: ConvexShape<'static>, z: f64) -> ConvexGeom<'static> {
        ConvexGeom { shape, pose: Pose { position: [0.0, 0.0, z], ..Pose::IDENTITY }, bounding_radius: 2.0 }
    }

    fn contacts(
        first: &ConvexGeom,
        second: &ConvexGeom,
        margin: f64,
        options: &ConvexOptions,
    ) -> Vec<ContactPoint> {
        let mut out = ContactBuffer::new();
        collide(first, second, margin, options, &mut CcdScratch::default(), &mut out);
        out.as_slice().to_vec()
    }

    #[test]
    fn a_measurement_says_what_another_cutoff_gives() {
        let shapes = [
            ConvexShape::Ellipsoid([0.5, 0.7, 0.9]),
            ConvexShape::Cylinder([0.5, 0.6, 0.0]),
            ConvexShape::Box([0.5, 0.4, 0.3]),
            ConvexShape::Sphere([0.5, 0.0, 0.0]),
        ];
        let cutoffs = [1e-3, 0.2, 0.55, 0.8, 1.0, 3.0, 1e200, f64::MAX, f64::INFINITY, 0.0, f64::NAN];
        let (mut scratch, mut answers) = (CcdScratch::default(), [0, 0]);
        for k in 0..400_usize {
            let mut second = at(shapes[k % 4], 0.01 * k as f64);
            let turn = quat::normalize([1.0, 0.01 * k as f64, 0.3, -0.02 * k as f64]).0;
            (second.pose.position[0], second.pose.rotation) = (0.3, quat::to_mat(&turn));
            let first = at(shapes[k / 4 % 4], 0.0);
            for given in cutoffs {
                let measured = measure(&first, &second, given, &OPTIONS, &mut scratch);
                for asked in cutoffs {
                    let answer = measured.within(asked);
                    answers[usize::from(answer.is_some())] += 1;
                    let expected = distance(&first, &second, asked, &OPTIONS, &mut scratch);
                    if let Some(answer) = answer {
                        assert_eq!(answer.distance.to_bits(), expected.distance.to_bits());
                        assert_eq!(answer.witness, expected.witness, "{given} {asked}");
                    }
                }
            }
        }
        assert!(answers[0] > 5000 && answers[1] > 15000, "{answers:?}");
    }

    #[test]
    fn a_sphere_above_an_ellipsoid_touches_it_at_the_pole() {
        let sphere = at(ConvexShape::Sphere([0.5, 0.0, 0.0]), 1.4);
        let ellipsoid = at(ConvexShape::Ellipsoid([1.0, 1.0, 1.0]), 0.0);
        let found = contacts(&sphere, &ellipsoid, 0.0, &OPTIONS);
        assert_eq!(found.len(), 1);
        assert!((found[0].distance + 0.1).abs() < 1e-6);
        assert!((found[0].normal()[2] + 1.0).abs() < 1e-6);
    }

    #[test]
    fn a_margin_finds_contacts_at_a_distance() {
        let upper = at(ConvexShape::Cylinder([0.5, 0.5, 0.0]), 1.1);
        let lower = at(ConvexShape::Box([1.0, 1.0, 0.5]), 0.0);
        assert!(contacts(&upper, &lower, 0.0, &OPTIONS).is_empty());
        let found = contacts(&upper, &lower, 0.3, &OPTIONS);
        assert_eq!(found.len(), 1);
        assert!((found[0].distance - 0.1).abs() < 1e-5);
    }

    #[test]
    fn stacked_boxes_touch_in_four_points() {
        let upper = at(ConvexShape::Box([0.5, 0.5, 0.5]), 0.99);
        let lower = at(ConvexShape::Box([1.0, 1.0, 0.5]), 0.0);
        let found = contacts(&upper, &lower, 0.0, &OPTIONS);
        assert_eq!(found.len(), 4);
        for contact in found {
            assert!((contact.distance + 0.01).abs() < 1e-12);
            assert!((contact.position[0].abs() - 0.5).abs() < 1e-12);
        }
    }

    #[test]
    fn a_standing_cylinder_gets_several_contacts_by_tilting() {
        let options = ConvexOptions { multiple: true, ..OPTIONS };
        let cylinder = at(ConvexShape::Cylinder([0.5, 0.5, 0.0]), 0.99);
        let table = at(ConvexShape::Box([1.0, 1.0, 0.5]), 0.0);
        assert!(contacts(&cylinder, &table, 0.0, &options).len() > 2);
        let portal = ConvexOptions { native: false, ..options };
        assert!(!contacts(&cylinder, &table, 0.0, &portal).is_empty());
    }

    #[test]
    fn distance_is_exact_within_the_cutoff_and_clamped_beyond() {
        let first = at(ConvexShape::Capsule([0.5, 1.0, 0.0]), 3.0);
        let second = at(ConvexShape::Box([1.0, 1.0, 1.0]), 0.0);
        let mut scratch = CcdScratch::default();
        let near = distance(&first, &second, 10.0, &OPTIONS, &mut scratch);
        assert!((near.distance - 0.5).abs() < 1e-12);
        assert!((near.witness.unwrap().0[2] - 1.5).abs() < 1e-12);
        let far = distance(&first, &second, 0.25, &OPTIONS, &mut scratch);
        assert_eq!(far, Separation { distance: 0.25, witness: None });
    }

    #[test]
    fn values_that_are_not_finite_give_some_answer() {
        let strange = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, 1e308, -1.0];
        let shapes = |x: f64| {
            [
                ConvexShape::Sphere([x; 3]),
                ConvexShape::Capsule([x; 3]),
                ConvexShape::Ellipsoid([x; 3]),
                ConvexShape::Cylinder([x; 3]),
                ConvexShape::Box([x; 3]),
            ]
        };
        for x in strange {
            for y in strange {
                for first in shapes(x) {
                    for second in shapes(1.0) {
                        for native in [true, false] {
                            let options = ConvexOptions { native, multiple: true, ..OPTIONS };
                            let mut geom = at(second, y);
                            contacts(&at(first, 0.1), &geom, 0.0, &options);
                            geom.pose.rotation = [x; 9];
                            contacts(&at(second, 0.1), &geom, 0.1, &options);
                        }
                    }
                }
            }
        }
    }
}
