//! Height field against a convex shape.
//!
//! Every grid cell under the shape's bounding box is split into two triangles; each triangle and the base below it form a prism, a convex
//! set that is tested against the shape in the height field's frame. Reference: `mjc_ConvexHField`.

use condyle_math::scalar::to_whole;
use condyle_math::{Vec3, mat3, vec3};

use super::convex_convex::{ConvexGeom, ConvexOptions};
use crate::convex::{CcdConfig, CcdScratch, ConvexObject, ConvexShape, detect, mpr, normal, support};
use crate::hfield::HeightField;
use crate::{ContactBuffer, ContactPoint, Pose};

/// Grid cells from the first to the last row and column that the shape may touch.
pub(super) struct CellRange {
    rows: std::ops::Range<i32>,
    first_column: i32,
    last_column: i32,
    /// Lowest point of the shape.
    lowest: f64,
}

/// Append the contacts of a height field with a convex shape and return how many there are.
pub fn collide(
    field: &HeightField,
    field_pose: &Pose,
    geom: &ConvexGeom,
    margin: f64,
    options: &ConvexOptions,
    scratch: &mut CcdScratch,
    out: &mut ContactBuffer,
) -> usize {
    let relative =
        mat3::mul_vec_transposed(&field_pose.rotation, vec3::sub(geom.pose.position, field_pose.position));
    if is_beyond(field, relative, relative, geom.bounding_radius + margin) {
        return 0;
    }
    let mut object = geom.object(0.0);
    object.pose = Pose {
        position: relative,
        rotation: mat3::mul_transposed_left(&field_pose.rotation, &geom.pose.rotation),
    };
    let Some(cells) = cells_below(field, &mut object, margin) else { return 0 };
    object.margin = margin;

    let start = out.len();
    collide_prisms(field, field_pose, &cells, &mut object, options, scratch, out);
    if !options.native {
        for contact in &mut out.as_mut_slice()[start..] {
            normal::correct(contact, None, Some((&geom.shape, &geom.pose)));
        }
    }
    out.len() - start
}

/// Append the contact of each prism in the cells with an object in the height field's frame, with the object's margin.
pub(super) fn collide_prisms(
    field: &HeightField,
    field_pose: &Pose,
    cells: &CellRange,
    object: &mut ConvexObject,
    options: &ConvexOptions,
    scratch: &mut CcdScratch,
    out: &mut ContactBuffer,
) {
    let margin = object.margin;
    visit_prisms(field, cells, margin, |corners| {
        let mut prism = ConvexObject::new(ConvexShape::Prism(corners), Pose::IDENTITY, 0.0);
        if let Some(found) = overlap(&mut prism, object, options, scratch)
            && !mpr::is_zero_vector(found.direction)
        {
            out.push(ContactPoint::new(
                -found.depth,
                field_pose.to_world(found.position),
                mat3::mul_vec(&field_pose.rotation, found.direction),
            ));
        }
        !out.is_full()
    });
}

/// Whether a box from `low` to `high`, widened by `reach`, misses the bounding box of the height field.
fn is_beyond(field: &HeightField, low: Vec3, high: Vec3, reach: f64) -> bool {
    let [x, y, top, bottom] = field.size;
    x < low[0] - reach
        || -x > high[0] + reach
        || y < low[1] - reach
        || -y > high[1] + reach
        || top < low[2] - reach
        || -bottom > high[2] + reach
}

/// Cells under the bounding box of `object`, `None` if it misses the height field.
fn cells_below(field: &HeightField, object: &mut ConvexObject, margin: f64) -> Option<CellRange> {
    let (mut low, mut high) = ([0.0; 3], [0.0; 3]);
    for axis in 0..3 {
        let mut direction = [0.0; 3];
        direction[axis] = 1.0;
        high[axis] = support(object, direction)[axis];
        direction[axis] = -1.0;
        low[axis] = support(object, direction)[axis];
    }
    cells_in_box(field, low, high, margin)
}

/// Cells under a box in the frame of the height field, `None` if it misses the height field.
pub(super) fn cells_in_box(field: &HeightField, low: Vec3, high: Vec3, margin: f64) -> Option<CellRange> {
    if is_beyond(field, low, high, margin) {
        return None;
    }
    let grid = |position: f64, half: f64, count: i32| {
        (position + half) / (2.0 * half) * f64::from(count.saturating_sub(1))
    };
    let [x, y, ..] = field.size;
    let first_column = to_whole(grid(low[0], x, field.columns).floor());
    let last_column = to_whole(grid(high[0], x, field.columns).ceil());
    let first_row = to_whole(grid(low[1], y, field.rows).floor());
    let last_row = to_whole(grid(high[1], y, field.rows).ceil());
    Some(CellRange {
        rows: first_row.max(0)..last_row.min(field.rows.saturating_sub(1)),
        first_column: first_column.max(0),
        last_column: last_column.min(field.columns.saturating_sub(1)),
        lowest: low[2],
    })
}

/// Call `test` with each prism in the cells, row by row, until it returns false. The corners move along the row: upper grid point, then
/// lower, each replacing the oldest. Prisms entirely below the shape are skipped.
fn visit_prisms(
    field: &HeightField,
    cells: &CellRange,
    margin: f64,
    mut test: impl FnMut(&[Vec3; 6]) -> bool,
) {
    let [x, y, top, bottom] = field.size;
    let step_x = 2.0 * x / f64::from(field.columns.saturating_sub(1));
    let step_y = 2.0 * y / f64::from(field.rows.saturating_sub(1));
    let mut corners = [[0.0; 3]; 6];
    for corner in &mut corners[..3] {
        corner[2] = -bottom;
    }
    let advance = |corners: &mut [Vec3; 6], row: i32, column: i32| {
        corners[0] = corners[1];
        corners[1] = corners[2];
        corners[3] = corners[4];
        corners[4] = corners[5];
        let position = [step_x * f64::from(column) - x, step_y * f64::from(row) - y];
        corners[2] = [position[0], position[1], corners[2][2]];
        corners[5] = [position[0], position[1], field.value(row, column) * top + margin];
    };

    for row in cells.rows.clone() {
        advance(&mut corners, row + 1, cells.first_column);
        advance(&mut corners, row, cells.first_column);
        for column in cells.first_column.saturating_add(1)..=cells.last_column {
            for upper in [1, 0] {
                advance(&mut corners, row + upper, column);
                if corners[3..].iter().all(|corner| corner[2] < cells.lowest) {
                    continue;
                }
                if !test(&corners) {
                    return;
                }
            }
        }
    }
}

/// Penetration of a prism and an object.
fn overlap(
    prism: &mut ConvexObject,
    object: &mut ConvexObject,
    options: &ConvexOptions,
    scratch: &mut CcdScratch,
) -> Option<mpr::Penetration> {
    if !options.native {
        return mpr::penetration(options.iterations, options.tolerance, prism, object);
    }
    let config = CcdConfig {
        max_iterations: options.iterations,
        tolerance: options.tolerance,
        max_contacts: 1,
        distance_cutoff: 0.0,
    };
    let distance = detect(&config, scratch, prism, object);
    if !(distance < 0.0) {
        return None;
    }
    let (point1, point2) = (scratch.status.witness1[0], scratch.status.witness2[0]);
    Some(mpr::Penetration {
        depth: -distance,
        direction: vec3::normalize(vec3::sub(point1, point2)).0,
        position: vec3::scale(vec3::add(point1, point2), 0.5),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: ConvexOptions =
        ConvexOptions { iterations: 35, tolerance: 1e-6, native: true, multiple: false };

    fn contacts(geom: &ConvexGeom, margin: f64, options: &ConvexOptions) -> Vec<ContactPoint> {
        let heights = [0.5_f32; 25];
        let field = HeightField { rows: 5, columns: 5, size: [1.0, 1.0, 1.0, 0.1], heights: &heights };
        let mut out = ContactBuffer::new();
        collide(&field, &Pose::IDENTITY, geom, margin, options, &mut CcdScratch::default(), &mut out);
        out.as_slice().to_vec()
    }

    fn sphere(z: f64) -> ConvexGeom<'static> {
        let pose = Pose { position: [0.1, 0.05, z], ..Pose::IDENTITY };
        ConvexGeom { shape: ConvexShape::Sphere([0.2, 0.0, 0.0]), pose, bounding_radius: 0.2 }
    }

    #[test]
    fn a_sphere_on_flat_ground_is_pushed_up() {
        for native in [true, false] {
            let found = contacts(&sphere(0.65), 0.0, &ConvexOptions { native, ..OPTIONS });
            let deepest = found.iter().map(|contact| contact.distance).fold(0.0, condyle_math::scalar::min);
            assert!((deepest + 0.05).abs() < 1e-5);
            assert!(found.iter().any(|contact| contact.normal()[2] > 0.999));
        }
    }

    #[test]
    fn a_sphere_above_the_ground_is_free_unless_the_margin_reaches() {
        assert!(contacts(&sphere(0.75), 0.0, &OPTIONS).is_empty());
        assert!(!contacts(&sphere(0.75), 0.2, &OPTIONS).is_empty());
        assert!(contacts(&sphere(9.0), 0.0, &OPTIONS).is_empty());
    }

    #[test]
    fn poses_that_are_not_finite_give_some_answer() {
        for x in [f64::NAN, f64::INFINITY, -1e308] {
            for native in [true, false] {
                let options = ConvexOptions { native, ..OPTIONS };
                let mut geom = sphere(x);
                contacts(&geom, 0.0, &options);
                geom.pose.rotation = [x; 9];
                contacts(&geom, x, &options);
                geom.shape = ConvexShape::Box([x; 3]);
                contacts(&geom, 0.0, &options);
            }
        }
    }
}
