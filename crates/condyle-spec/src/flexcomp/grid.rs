//! Points in rows: a line or circle, a rectangle or disc, a block.
//!
//! Point `i` of `n` along an axis lies at `spacing (i − (n − 1)/2)`. A cell of a rectangle is cut into two triangles, one of a
//! block into six tetrahedra that share a diagonal.

use condyle_asset::principal::{EPS, normalize_slice};
use condyle_math::PI;

use super::{Flexcomp, FlexcompProblem, FlexcompType, Shape};

/// Corners of a cell of a block, as steps along x, y and z.
const CUBE: [[usize; 3]; 8] =
    [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];
/// Its tetrahedra.
const TETRAHEDRA: [[usize; 4]; 6] =
    [[0, 3, 1, 7], [0, 1, 4, 7], [1, 3, 2, 7], [1, 2, 6, 7], [1, 5, 4, 7], [1, 6, 5, 7]];
/// Corners of a cell of a rectangle.
const SQUARE: [[usize; 2]; 4] = [[0, 0], [1, 0], [1, 1], [0, 1]];
/// Its triangles, with the diagonal from the first corner, and with the other one.
const TRIANGLES: [[usize; 3]; 2] = [[0, 1, 2], [0, 2, 3]];
const TRIANGLES_ACROSS: [[usize; 3]; 2] = [[0, 1, 3], [1, 2, 3]];

/// An index as it is stored; one that is too large is refused with the elements.
fn index(value: usize) -> i32 {
    i32::try_from(value).unwrap_or(i32::MAX)
}

/// Place of a point in a row, from 0 to 1.
pub(super) fn fraction(at: usize, count: usize) -> f32 {
    at as f32 / count.saturating_sub(1).max(1) as f32
}

impl Flexcomp {
    /// Points in rows, with elements between neighbours; at most `room` points.
    pub(super) fn grid(&self, room: usize) -> Result<Shape, FlexcompProblem> {
        let flat = matches!(self.kind, FlexcompType::Square | FlexcompType::Disc);
        let dim = if flat { 2 } else { self.dim() };
        let counts = self.counts();
        let points = counts.iter().take(dim).fold(1_usize, |product, &count| product.saturating_mul(count));
        self.check_count(points, room)?;
        let mut shape = self.given(dim)?;
        match dim {
            1 if self.kind == FlexcompType::Circle => self.circle(counts[0], &mut shape),
            1 => self.row(counts[0], &mut shape),
            2 => self.rectangle(counts, &mut shape),
            _ => self.block(counts, &mut shape),
        }
        if shape.elements.is_empty() {
            let message = "the grid has no elements";
            return Err(FlexcompProblem::value("count", message, "give at least 2 points along each axis"));
        }
        if self.kind == FlexcompType::Disc {
            self.press_into_disc(&mut shape);
        }
        Ok(shape)
    }

    fn along(&self, axis: usize, at: usize) -> f64 {
        self.spacing[axis] * (at as f64 - 0.5 * f64::from(self.count[axis] - 1))
    }

    fn row(&self, count: usize, shape: &mut Shape) {
        for x in 0..count {
            shape.points.push([self.along(0, x), 0.0, 0.0]);
            if x + 1 < count {
                shape.elements.extend([index(x), index(x + 1)]);
            }
        }
    }

    /// The last point would be the first again.
    fn circle(&self, count: usize, shape: &mut Shape) {
        let count = count - 1;
        for at in 0..count {
            let angle = 2.0 * PI / count as f64;
            let radius = self.spacing[0] / (angle / 2.0).sin() / 2.0;
            let turned = angle * at as f64;
            shape.points.push([radius * turned.cos(), radius * turned.sin(), 0.0]);
            shape.elements.extend([index(at), index(if at + 1 == count { 0 } else { at + 1 })]);
        }
    }

    fn rectangle(&self, counts: [usize; 3], shape: &mut Shape) {
        let [nx, ny, nz] = counts;
        for x in 0..nx {
            for y in 0..ny {
                let [px, py] = [self.along(0, x), self.along(1, y)];
                shape.points.push([px, py, 0.0]);
                if self.needs_texcoords() {
                    shape.texcoords.extend([fraction(x, nx), fraction(y, ny)]);
                }
                // Diagonals of a disc point away from its middle.
                let across = (px < -EPS && py > -EPS) || (px > -EPS && py < -EPS);
                let triangles =
                    if across && self.kind == FlexcompType::Disc { TRIANGLES_ACROSS } else { TRIANGLES };
                if x + 1 < nx && y + 1 < ny {
                    // Points are counted as if there were layers; more than one gives indices of points that do not exist.
                    let corner = SQUARE.map(|[dx, dy]| {
                        nz.saturating_mul(ny).saturating_mul(x + dx).saturating_add(nz.saturating_mul(y + dy))
                    });
                    shape.elements.extend(triangles.iter().flatten().map(|&v| index(corner[v])));
                }
            }
        }
    }

    fn block(&self, counts: [usize; 3], shape: &mut Shape) {
        let [nx, ny, nz] = counts;
        for x in 0..nx {
            for y in 0..ny {
                for z in 0..nz {
                    shape.points.push([self.along(0, x), self.along(1, y), self.along(2, z)]);
                    if self.needs_texcoords() {
                        shape.texcoords.extend([fraction(x, nx), fraction(y, ny)]);
                    }
                    if x + 1 < nx && y + 1 < ny && z + 1 < nz {
                        let corner = CUBE.map(|[dx, dy, dz]| nz * ny * (x + dx) + nz * (y + dy) + z + dz);
                        shape.elements.extend(TETRAHEDRA.iter().flatten().map(|&v| index(corner[v])));
                    }
                }
            }
        }
    }

    /// Moves the points of a rectangle towards the middle until squares around it are ellipses.
    fn press_into_disc(&self, shape: &mut Shape) {
        let size: [f64; 2] =
            std::array::from_fn(|axis| 0.5 * self.spacing[axis] * f64::from(self.count[axis] - 1));
        for point in &mut shape.points {
            let mut flat = [point[0], point[1]];
            let reach = largest(flat);
            normalize_slice(&mut flat);
            point[0] = flat[0] * (size[0] * reach);
            point[1] = flat[1] * (size[1] * reach);
        }
    }
}

/// Larger of two magnitudes.
pub(super) fn largest([x, y]: [f64; 2]) -> f64 {
    if x.abs() < y.abs() { y.abs() } else { x.abs() }
}
