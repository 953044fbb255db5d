//! Height field against an element of a flexible body: the prisms under the element's box, each tested against the element. The box is that
//! of the corners, without the radius. Reference: `mjc_HFieldElem`.

use condyle_math::scalar;

use super::convex_convex::ConvexOptions;
use super::hfield_convex::{cells_in_box, collide_prisms};
use crate::convex::{CcdScratch, ConvexObject, ConvexShape, Element};
use crate::hfield::HeightField;
use crate::{ContactBuffer, Pose};

/// Append the contacts of a height field with an element and return how many there are.
pub fn collide(
    field: &HeightField,
    pose: &Pose,
    element: &Element,
    margin: f64,
    options: &ConvexOptions,
    scratch: &mut CcdScratch,
    out: &mut ContactBuffer,
) -> usize {
    let local = Element {
        vertices: element.vertices.map(|vertex| pose.to_local(vertex)),
        center: pose.to_local(element.center),
        ..*element
    };
    let corners = local.corners();
    let (mut low, mut high) = (corners[0], corners[0]);
    for corner in &corners[1..] {
        for axis in 0..3 {
            low[axis] = scalar::min(low[axis], corner[axis]);
            high[axis] = scalar::max(high[axis], corner[axis]);
        }
    }
    let Some(cells) = cells_in_box(field, low, high, margin) else { return 0 };
    let mut object = ConvexObject::new(ConvexShape::Element(&local), Pose::IDENTITY, margin);
    let start = out.len();
    collide_prisms(field, pose, &cells, &mut object, options, scratch, out);
    out.len() - start
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ContactPoint;

    fn contacts(element: &Element, margin: f64) -> Vec<ContactPoint> {
        let heights = [0.5_f32; 25];
        let field = HeightField { rows: 5, columns: 5, size: [1.0, 1.0, 1.0, 0.1], heights: &heights };
        let options = ConvexOptions { iterations: 35, tolerance: 1e-6, native: true, multiple: false };
        let mut out = ContactBuffer::new();
        collide(&field, &Pose::IDENTITY, element, margin, &options, &mut CcdScratch::default(), &mut out);
        out.as_slice().to_vec()
    }

    #[test]
    fn a_triangle_that_dips_into_flat_ground_is_pushed_up() {
        let vertices = [[0.35, 0.12, 0.49], [0.4, 0.12, 0.9], [0.35, 0.2, 0.9], [0.0; 3]];
        let triangle = Element { vertices, count: 3, center: [0.37, 0.16, 0.7], radius: 0.05 };
        let found = contacts(&triangle, 0.0);
        assert!(
            found.iter().any(|contact| contact.normal()[2] > 0.99 && (contact.distance + 0.06).abs() < 1e-4)
        );
        let above = Element { vertices: vertices.map(|[x, y, z]| [x, y, z + 1.0]), ..triangle };
        assert!(contacts(&above, 0.0).is_empty());
    }

    #[test]
    fn bad_numbers_give_some_answer() {
        for x in [f64::NAN, f64::INFINITY, -1e308] {
            let element = Element {
                vertices: [[x; 3], [0.0; 3], [0.1; 3], [x; 3]],
                count: 4,
                center: [x; 3],
                radius: x,
            };
            contacts(&element, 0.0);
            contacts(&element, x);
        }
    }
}
