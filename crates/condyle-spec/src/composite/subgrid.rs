//! Weights of skin vertices between bones by bicubic interpolation.
//!
//! Within a square of four bones a vertex at `(x, y)` in the unit square has the position `Σ x^p y^q c(p, q)`. The coefficients
//! are those of the bicubic Hermite patch, `c = W·(f, f_x, f_y, f_xy)` with the values at the four corners, and the derivatives
//! at the corners are differences of neighbouring bones, `D`: central ones where both neighbours exist, one-sided at the rim.
//! So the weights of the sixteen bones around are the rows of `X·W·D`.

use condyle_math::matrix;

use crate::element::SkinBone;

/// Corners of the square, in the order of their values.
const CORNERS: [(usize, usize); 4] = [(0, 0), (1, 0), (1, 1), (0, 1)];

/// Cubic on the unit interval from the values at both ends and then the slopes at both ends.
const HERMITE: [[f64; 4]; 4] =
    [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [-3.0, 3.0, -2.0, -1.0], [2.0, -2.0, 1.0, 1.0]];

/// Where a square lies in one direction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    First,
    Middle,
    Last,
}

impl Place {
    fn of(index: usize, squares: usize) -> Self {
        if index == 0 {
            Self::First
        } else if index + 1 == squares {
            Self::Last
        } else {
            Self::Middle
        }
    }

    /// Value at an end of the square from the four bones in this direction.
    fn value(end: usize) -> [f64; 4] {
        let mut row = [0.0; 4];
        row[end + 1] = 1.0;
        row
    }

    /// Slope at an end of the square from the four bones in this direction.
    fn slope(self, end: usize) -> [f64; 4] {
        let one_sided = (self == Self::First && end == 0) || (self == Self::Last && end == 1);
        let mut row = [0.0; 4];
        if one_sided {
            (row[1], row[2]) = (-1.0, 1.0);
        } else {
            (row[end], row[end + 2]) = (-0.5, 0.5);
        }
        row
    }
}

/// Powers of the coordinates of all vertices of one square: `X`.
fn powers(subgrid: usize) -> Vec<f64> {
    let step = 1.0 / (1 + subgrid) as f64;
    let mut rows = Vec::with_capacity((2 + subgrid) * (2 + subgrid) * 16);
    for sx in 0..2 + subgrid {
        for sy in 0..2 + subgrid {
            let (x, y) = (sx as f64 * step, sy as f64 * step);
            for p in 0..4 {
                for q in 0..4 {
                    let power = (0..p).fold(1.0, |power, _| power * x);
                    rows.push((0..q).fold(power, |power, _| power * y));
                }
            }
        }
    }
    rows
}

/// Coefficients of the patch from corner values and derivatives: `W`.
fn hermite_patch() -> [f64; 256] {
    let mut patch = [0.0; 256];
    for (p, along_x) in HERMITE.iter().enumerate() {
        for (q, along_y) in HERMITE.iter().enumerate() {
            for kind in 0..4 {
                for (corner, (x, y)) in CORNERS.into_iter().enumerate() {
                    let (slope_x, slope_y) = (kind % 2, kind / 2);
                    patch[16 * (4 * p + q) + 4 * kind + corner] =
                        along_x[2 * slope_x + x] * along_y[2 * slope_y + y];
                }
            }
        }
    }
    patch
}

/// Corner values and derivatives from the sixteen bones around the square: `D`.
fn differences(place_x: Place, place_y: Place) -> [f64; 256] {
    let mut matrix = [0.0; 256];
    for kind in 0..4 {
        for (corner, (x, y)) in CORNERS.into_iter().enumerate() {
            let along_x = if kind % 2 == 1 { place_x.slope(x) } else { Place::value(x) };
            let along_y = if kind / 2 == 1 { place_y.slope(y) } else { Place::value(y) };
            for (i, by_x) in along_x.into_iter().enumerate() {
                for (j, by_y) in along_y.into_iter().enumerate() {
                    matrix[16 * (4 * kind + corner) + 4 * i + j] = by_x * by_y;
                }
            }
        }
    }
    matrix
}

/// Weights of the sixteen bones for every vertex of a square, by the place of the square.
struct Weights {
    vertices: usize,
    by_place: Vec<Vec<f64>>,
}

impl Weights {
    fn new(subgrid: usize) -> Self {
        let vertices = (2 + subgrid) * (2 + subgrid);
        let mut coefficients = vec![0.0; 16 * vertices];
        matrix::mul(&mut coefficients, &powers(subgrid), &hermite_patch(), vertices, 16, 16);
        let places = [Place::First, Place::Middle, Place::Last];
        let by_place = places
            .into_iter()
            .flat_map(|x| places.map(|y| (x, y)))
            .map(|(x, y)| {
                let mut weights = vec![0.0; 16 * vertices];
                matrix::mul(&mut weights, &coefficients, &differences(x, y), vertices, 16, 16);
                weights
            })
            .collect();
        Self { vertices, by_place }
    }

    fn of(&self, place: (Place, Place), vertex: usize) -> &[f64] {
        debug_assert!(vertex < self.vertices);
        &self.by_place[3 * place.0 as usize + place.1 as usize][16 * vertex..16 * vertex + 16]
    }
}

/// Gives the bones, `points` along and `across` across, their vertices on both sides of the sheet.
pub(super) fn bind(bones: &mut [SkinBone], points: usize, across: usize, subgrid: usize) {
    let weights = Weights::new(subgrid);
    let rows = across + (across - 1) * subgrid;
    let side = (points + (points - 1) * subgrid) * rows;
    for square_x in 0..points - 1 {
        for square_y in 0..across - 1 {
            let place = (Place::of(square_x, points - 1), Place::of(square_y, across - 1));
            // A square owns its vertices but for its far rim, which belongs to the next one, if there is one.
            let owned_x = 1 + subgrid + usize::from(square_x + 2 == points);
            let owned_y = 1 + subgrid + usize::from(square_y + 2 == across);
            for dx in 0..owned_x {
                for dy in 0..owned_y {
                    let vertex = (square_x * (1 + subgrid) + dx) * rows + square_y * (1 + subgrid) + dy;
                    for (around, &weight) in weights.of(place, dx * (2 + subgrid) + dy).iter().enumerate() {
                        if weight == 0.0 {
                            continue;
                        }
                        // Bones with a weight lie inside the sheet, so the subtraction of one does not wrap.
                        let bone = (square_x + around / 4 - 1) * across + square_y + around % 4 - 1;
                        if let Some(bone) = bones.get_mut(bone) {
                            bone.vertid.extend([vertex as i32, (vertex + side) as i32]);
                            bone.vertweight.extend([weight as f32; 2]);
                        }
                    }
                }
            }
        }
    }
}
