//! General convex shape, or another element, against an element of a flexible body: one contact.
//!
//! A triangle has no inside, so a detection that reaches its core is unsure of the side; the normal is then taken from the other shape where
//! that is round. Reference: `mjc_ConvexElem`.

use super::convex_convex::{ConvexOptions, detect_contacts};
use crate::convex::{CcdScratch, ConvexObject, ConvexShape, Element, elements_apart, normal};
use crate::{ContactBuffer, Pose};

/// Append the contact of a convex shape (first) with an element. `flat` says whether a triangle takes part.
pub fn collide(
    shape: ConvexShape,
    pose: &Pose,
    element: &Element,
    flat: bool,
    margin: f64,
    options: &ConvexOptions,
    scratch: &mut CcdScratch,
    out: &mut ContactBuffer,
) -> usize {
    let start = out.len();
    let mut first = ConvexObject::new(shape, *pose, margin);
    let mut second = ConvexObject::new(ConvexShape::Element(element), Pose::IDENTITY, margin);
    detect_contacts(&mut first, &mut second, margin, 1, options, scratch, out);
    if options.native && flat {
        for contact in &mut out.as_mut_slice()[start..] {
            normal::correct(contact, Some((&first.shape, &first.pose)), None);
        }
    }
    out.len() - start
}

/// [`collide`] for two elements.
pub fn collide_elements(
    first: &Element,
    second: &Element,
    flat: bool,
    margin: f64,
    options: &ConvexOptions,
    scratch: &mut CcdScratch,
    out: &mut ContactBuffer,
) -> usize {
    if options.native && elements_apart(&options.overlap(1), scratch, first, second, margin) {
        return 0;
    }
    collide(ConvexShape::Element(first), &Pose::IDENTITY, second, flat, margin, options, scratch, out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ContactPoint;

    const TETRAHEDRON: Element = Element {
        vertices: [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        count: 4,
        center: [0.5, 0.5, 0.5],
        radius: 0.125,
    };

    fn contacts(
        shape: ConvexShape,
        pose: Pose,
        element: &Element,
        margin: f64,
        native: bool,
    ) -> Vec<ContactPoint> {
        let options = ConvexOptions { iterations: 35, tolerance: 1e-6, native, multiple: false };
        let mut out = ContactBuffer::new();
        collide(
            shape,
            &pose,
            element,
            element.count == 3,
            margin,
            &options,
            &mut CcdScratch::default(),
            &mut out,
        );
        out.as_slice().to_vec()
    }

    #[test]
    fn a_sphere_below_a_tetrahedron_touches_its_face() {
        let pose = Pose { position: [0.25, 0.25, -0.5], ..Pose::IDENTITY };
        for native in [true, false] {
            let found = contacts(ConvexShape::Sphere([0.5, 0.0, 0.0]), pose, &TETRAHEDRON, 0.0, native);
            assert_eq!(found.len(), 1);
            assert!((found[0].distance + 0.125).abs() < 1e-3 && found[0].normal()[2] > 0.999);
        }
    }

    #[test]
    fn the_margin_counts_once() {
        let pose = Pose { position: [0.25, 0.25, -0.7], ..Pose::IDENTITY };
        let sphere = ConvexShape::Sphere([0.5, 0.0, 0.0]);
        assert!(contacts(sphere, pose, &TETRAHEDRON, 0.0625, true).is_empty());
        let found = contacts(sphere, pose, &TETRAHEDRON, 0.125, true);
        assert!((found[0].distance - 0.075).abs() < 1e-6);
    }

    #[test]
    fn elements_that_are_not_finite_or_flat_give_some_answer() {
        for x in [f64::NAN, f64::INFINITY, 0.0, 1e308] {
            for count in 1..=4 {
                let element = Element { vertices: [[x; 3]; 4], count, center: [x; 3], radius: x };
                for native in [true, false] {
                    contacts(ConvexShape::Element(&TETRAHEDRON), Pose::IDENTITY, &element, 0.0, native);
                    contacts(ConvexShape::Box([0.5; 3]), Pose::IDENTITY, &element, x, native);
                }
            }
        }
    }
}
