//! Ray against height field: a base box below, triangles on top, and the side walls under the border of the surface.

use std::ops::Range;

use condyle_math::{Vec3, mat3, vec3};

use super::cuboid::{Crossings, crossings};
use super::triangle::{Across, Flat, crossing_flattened, sides};
use super::{Hit, Ray, cuboid, is_nearer};
use crate::Pose;

/// A height field: `rows × columns` heights over a rectangle, in its own frame.
#[derive(Clone, Copy, Debug)]
pub struct HeightField<'a> {
    /// Half x, half y, height of the value 1, thickness of the base.
    pub size: [f64; 4],
    /// Number of heights along y.
    pub rows: usize,
    /// Number of heights along x.
    pub columns: usize,
    /// Values row by row, at least `rows × columns` of them.
    pub data: &'a [f32],
}

/// The nearest crossing so far, with the normal in the frame of the field.
struct Nearest {
    distance: Option<f64>,
    normal: Normal,
}

/// A local normal, made a unit vector at the end.
enum Normal {
    Unit(Vec3),
    Any(Vec3),
}

impl Nearest {
    /// Take a crossing of the surface if it is nearer.
    fn meet(&mut self, crossing: Option<(f64, Vec3)>) {
        if let Some((distance, normal)) = crossing
            && is_nearer(distance, self.distance)
        {
            self.distance = Some(distance);
            self.normal = Normal::Any(normal);
        }
    }
}

/// Columns of cells that are looked at together; their vertices stay on the stack.
const STRIP: usize = 63;

/// Part of a row of vertices as seen along the ray.
struct Line {
    first: [f64; STRIP + 1],
    second: [f64; STRIP + 1],
    sides: [u8; STRIP + 1],
}

impl Default for Line {
    fn default() -> Self {
        Self { first: [0.0; STRIP + 1], second: [0.0; STRIP + 1], sides: [0; STRIP + 1] }
    }
}

impl Line {
    #[inline(always)]
    fn flat(&self, k: usize) -> Flat {
        [self.first[k], self.second[k]]
    }
}

/// The grid in metric units and the ray in its frame.
struct Grid<'a> {
    field: &'a HeightField<'a>,
    local: Ray,
    dx: f64,
    dy: f64,
}

/// Hit on a height field.
pub fn cast(field: &HeightField, pose: &Pose, ray: &Ray) -> Option<Hit> {
    let [half_x, half_y, top, base] = field.size;
    let base_pose = shifted(pose, |p, z| p - z * base * 0.5);
    let base_hit = cuboid::cast(&[half_x, half_y, base * 0.5], &base_pose, ray);
    let top_pose = shifted(pose, |p, z| p + z * top * 0.5);
    let walls = crossings(&[half_x, half_y, top * 0.5], &top_pose, ray);
    let complete = field.rows.checked_mul(field.columns).is_some_and(|count| count <= field.data.len());
    let (Some((first, _)), true) = (walls.nearest, complete && field.rows >= 2 && field.columns >= 2) else {
        return base_hit;
    };

    let grid = Grid {
        field,
        local: ray.to_local(pose),
        dx: (2.0 * half_x) / (field.columns as f64 - 1.0),
        dy: (2.0 * half_y) / (field.rows as f64 - 1.0),
    };
    let base_normal = base_hit.map_or([0.0; 3], |hit| mat3::mul_vec_transposed(&pose.rotation, hit.normal));
    let mut nearest =
        Nearest { distance: base_hit.map(|hit| hit.distance), normal: Normal::Unit(base_normal) };
    grid.cross_surface(&walls, first, &mut nearest);
    grid.cross_walls(&walls, &mut nearest);

    let distance = nearest.distance?;
    let normal = match nearest.normal {
        Normal::Unit(normal) => normal,
        Normal::Any(normal) => vec3::normalize(normal).0,
    };
    Some(Hit { distance, normal: mat3::mul_vec(&pose.rotation, normal) })
}

/// A pose moved along its z axis; `shift` combines one coordinate of the position and of the axis.
fn shifted(pose: &Pose, shift: impl Fn(f64, f64) -> f64) -> Pose {
    let axis = pose.z_axis();
    let position = std::array::from_fn(|i| shift(pose.position[i], axis[i]));
    Pose { position, ..*pose }
}

impl Grid<'_> {
    fn value(&self, row: usize, column: usize) -> f64 {
        f64::from(self.field.data[row * self.field.columns + column])
    }

    fn vertex(&self, row: usize, column: usize) -> Vec3 {
        let [half_x, half_y, top, _] = self.field.size;
        let (x, y) = (self.dx * column as f64 - half_x, self.dy * row as f64 - half_y);
        [x, y, self.value(row, column) * top]
    }

    /// Triangles under the part of the ray inside the top box, with one cell to spare.
    fn cross_surface(&self, walls: &Crossings, first: f64, nearest: &mut Nearest) {
        let mut segment = [0.0, first];
        for &x in &walls.faces {
            if x > segment[1] {
                segment = [first, x];
            }
        }
        let [half_x, half_y, ..] = self.field.size;
        let (o, d) = (self.local.origin, self.local.direction);
        let columns = segment.map(|x| (o[0] + x * d[0] + half_x) / self.dx);
        let rows = segment.map(|x| (o[1] + x * d[1] + half_y) / self.dy);
        let (first_column, last_column) = cell_range(columns, self.field.columns);
        let (first_row, last_row) = cell_range(rows, self.field.rows);

        let across = Across::new(d);
        for start in (first_column..last_column).step_by(STRIP) {
            let columns = start..last_column.min(start + STRIP);
            self.cross_strip(first_row..last_row, columns, &across, nearest);
        }
    }

    /// Triangles of a strip of columns, row by row. Every vertex is seen along the ray once, for all triangles that share it.
    fn cross_strip(&self, rows: Range<usize>, columns: Range<usize>, across: &Across, nearest: &mut Nearest) {
        if rows.is_empty() {
            return;
        }
        let count = columns.len() + 1;
        let mut below = Line::default();
        let mut above = Line::default();
        self.see(rows.start, columns.start, count, across, &mut above);
        for row in rows {
            std::mem::swap(&mut below, &mut above);
            self.see(row + 1, columns.start, count, across, &mut above);
            for (k, column) in columns.clone().enumerate() {
                let diagonal = below.sides[k] & above.sides[k + 1];
                let right_missed = diagonal & below.sides[k + 1] != 0;
                let left_missed = diagonal & above.sides[k] != 0;
                if right_missed && left_missed {
                    continue;
                }
                let near = self.vertex(row, column);
                let far = self.vertex(row + 1, column + 1);
                let (near_flat, far_flat) = (below.flat(k), above.flat(k + 1));
                if !right_missed {
                    let corners = [near, self.vertex(row, column + 1), far];
                    nearest.meet(crossing_flattened(
                        &corners,
                        &[near_flat, below.flat(k + 1), far_flat],
                        &self.local,
                    ));
                }
                if !left_missed {
                    let corners = [near, far, self.vertex(row + 1, column)];
                    nearest.meet(crossing_flattened(
                        &corners,
                        &[near_flat, far_flat, above.flat(k)],
                        &self.local,
                    ));
                }
            }
        }
    }

    /// Flatten `count` vertices of a row, from column `start` on.
    fn see(&self, row: usize, start: usize, count: usize, across: &Across, line: &mut Line) {
        let values = &self.field.data[row * self.field.columns + start..][..count];
        let [half_x, half_y, top, _] = self.field.size;
        let y = self.dy * row as f64 - half_y;
        let targets = line.first.iter_mut().zip(&mut line.second).zip(&mut line.sides);
        for (k, (((first, second), sides_of), value)) in targets.zip(values).enumerate() {
            let x = self.dx * (start + k) as f64 - half_x;
            let flat = across.flatten([x, y, f64::from(*value) * top], &self.local);
            [*first, *second] = flat;
            *sides_of = sides(flat);
        }
    }

    /// The four walls of the top box, where the crossing is below the border of the surface.
    fn cross_walls(&self, walls: &Crossings, nearest: &mut Nearest) {
        let [half_x, half_y, top, _] = self.field.size;
        let (rows, columns) = (self.field.rows, self.field.columns);
        let (o, d) = (self.local.origin, self.local.direction);
        for (wall, &x) in walls.faces[..4].iter().enumerate() {
            if !is_nearer(x, nearest.distance) {
                continue;
            }
            let height = (o[2] + x * d[2]) / top;
            let far_side = wall % 2 == 1;
            let (along, start, heights) = if wall < 2 {
                let along = (o[1] + x * d[1] + half_y) / self.dy;
                let start = border_cell(along, rows);
                let column = if far_side { columns - 1 } else { 0 };
                (along, start, [self.value(start as usize, column), self.value(start as usize + 1, column)])
            } else {
                let along = (o[0] + x * d[0] + half_x) / self.dx;
                let start = border_cell(along, columns);
                let row = if far_side { rows - 1 } else { 0 };
                (along, start, [self.value(row, start as usize), self.value(row, start as usize + 1)])
            };
            if height < heights[0] * (start + 1.0 - along) + heights[1] * (along - start) {
                nearest.distance = Some(x);
                let mut normal = [0.0; 3];
                normal[wall / 2] = if far_side { 1.0 } else { -1.0 };
                nearest.normal = Normal::Unit(normal);
            }
        }
    }
}

/// First cell and end of the cells between two grid coordinates, with one to spare on each side.
fn cell_range(between: [f64; 2], count: usize) -> (usize, usize) {
    let [a, b] = between;
    let low = if a < b { a } else { b };
    let high = if a > b { a } else { b };
    let first = (low.floor() as i64).saturating_sub(1).max(0);
    let last = (high.ceil() as i64).saturating_add(1).min(count as i64 - 1);
    (first as usize, last.max(0) as usize)
}

/// Index of the border cell that holds a grid coordinate, as a number.
fn border_cell(along: f64, count: usize) -> f64 {
    let last = count as f64 - 2.0;
    let cell = along.floor();
    let cell = if last < cell { last } else { cell };
    if 0.0 > cell { 0.0 } else { cell }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ramp() -> HeightField<'static> {
        HeightField { size: [1.0, 1.0, 2.0, 0.5], rows: 2, columns: 3, data: &[0.0, 0.5, 1.0, 0.0, 0.5, 1.0] }
    }

    #[test]
    fn surface_walls_and_base_are_hit() {
        let from = |origin, direction| cast(&ramp(), &Pose::IDENTITY, &Ray { origin, direction });
        let surface = from([0.5, 0.25, 3.0], [0.0, 0.0, -1.0]).unwrap();
        assert_eq!(surface.distance, 1.5);
        let slope = vec3::normalize([-1.0, 0.0, 1.0]).0;
        assert!(vec3::distance(surface.normal, slope) < 1e-15);
        let wall = from([3.0, 0.25, 1.0], [-1.0, 0.0, 0.0]).unwrap();
        assert_eq!(wall, Hit { distance: 2.0, normal: [1.0, 0.0, 0.0] });
        let base = from([0.5, 0.25, -3.0], [0.0, 0.0, 1.0]).unwrap();
        assert_eq!(base, Hit { distance: 2.5, normal: [0.0, 0.0, -1.0] });
        assert_eq!(from([5.0, 0.0, 3.0], [0.0, 0.0, -1.0]), None);
    }

    #[test]
    fn bad_numbers_and_missing_data_do_not_panic() {
        let down = Ray { origin: [0.5, 0.25, 3.0], direction: [0.0, 0.0, -1.0] };
        let short = HeightField { data: &[0.0; 3], ..ramp() };
        assert_eq!(cast(&short, &Pose::IDENTITY, &down).unwrap().distance, 3.0);
        let single = HeightField { rows: 1, ..ramp() };
        assert_eq!(cast(&single, &Pose::IDENTITY, &down).unwrap().distance, 3.0);
        for value in [f64::NAN, f64::INFINITY, -f64::INFINITY, f64::MAX, 0.0, -1.0] {
            for place in 0..10 {
                let mut n = [1.0, 1.0, 2.0, 0.5, 0.5, 0.25, 3.0, 0.1, 0.2, -1.0];
                n[place] = value;
                let field = HeightField { size: [n[0], n[1], n[2], n[3]], ..ramp() };
                let ray = Ray { origin: [n[4], n[5], n[6]], direction: [n[7], n[8], n[9]] };
                let hit = cast(&field, &Pose::IDENTITY, &ray);
                assert!(hit.is_none_or(|hit| !(hit.distance < 0.0)));
            }
        }
    }

    #[test]
    fn a_wall_ends_at_the_border_of_the_surface() {
        let along_y =
            HeightField { size: [1.0, 1.0, 2.0, 0.5], rows: 2, columns: 2, data: &[0.0, 0.0, 1.0, 1.0] };
        let along_x = HeightField { data: &[0.0, 1.0, 0.0, 1.0], ..along_y };
        // At 0.25 the border is 1.25 high.
        for (field, origin, direction) in [
            (&along_y, [3.0, 0.25, 1.25], [-1.0, 0.0, 0.0]),
            (&along_y, [-3.0, 0.25, 1.25], [1.0, 0.0, 0.0]),
            (&along_x, [0.25, 3.0, 1.25], [0.0, -1.0, 0.0]),
            (&along_x, [0.25, -3.0, 1.25], [0.0, 1.0, 0.0]),
        ] {
            let at = |shift: f64| {
                let ray = Ray { origin: [origin[0], origin[1], origin[2] + shift], direction };
                cast(field, &Pose::IDENTITY, &ray)
            };
            let normal = direction.map(|x: f64| -x);
            assert_eq!(at(-1e-10), Some(Hit { distance: 2.0, normal: normal.map(|x| x + 0.0) }));
            assert_eq!(at(0.0), None);
        }
    }
}
