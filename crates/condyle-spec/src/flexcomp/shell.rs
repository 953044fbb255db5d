//! Points on the surface of a box, cylinder or ellipsoid.
//!
//! The surface of a box of `count` points along each axis: first the faces below and above, then those in front and behind
//! without the rows they share with the former, then left and right. Points of a cylinder or ellipsoid are those of a box with
//! its sides pressed onto the shape. A solid has one more point in the middle, which every tetrahedron contains. A surface of
//! dimension 2 is open above.

use condyle_asset::principal::normalize_slice;

use super::grid::{fraction, largest};
use super::{Flexcomp, FlexcompProblem, FlexcompType, Shape};

/// The numbers of the points of a surface.
struct Surface {
    counts: [usize; 3],
    /// Number of the first point: there may be one in the middle before.
    first: usize,
    /// Whether there is a face above.
    closed: bool,
}

impl Surface {
    /// Layers between the faces below and above, or up to the open end.
    fn layers(&self) -> usize {
        self.counts[2] - if self.closed { 2 } else { 1 }
    }

    fn point_count(&self) -> usize {
        let [nx, ny, _] = self.counts;
        let faces = if self.closed { 2 } else { 1 };
        let around = nx.saturating_mul(2).saturating_add(2 * (ny - 2));
        self.first
            .saturating_add(nx.saturating_mul(ny).saturating_mul(faces))
            .saturating_add(around.saturating_mul(self.layers()))
    }

    /// Number of a point of the surface.
    fn number(&self, [x, y, z]: [usize; 3]) -> i32 {
        let [nx, ny, nz] = self.counts;
        let layers = self.layers();
        let face = nx * ny;
        let sides = if self.closed { 2 * face } else { face };
        let number = if z == 0 {
            x * ny + y
        } else if self.closed && z == nz - 1 {
            face + x * ny + y
        } else if y == 0 {
            sides + x * layers + z - 1
        } else if y == ny - 1 {
            sides + nx * layers + x * layers + z - 1
        } else if x == 0 {
            sides + 2 * nx * layers + (y - 1) * layers + z - 1
        } else {
            sides + 2 * nx * layers + (ny - 2) * layers + (y - 1) * layers + z - 1
        };
        (self.first + number) as i32
    }
}

impl Flexcomp {
    /// Points on a surface, and one in the middle of a solid; at most `room` in all.
    pub(super) fn shell(&self, room: usize) -> Result<Shape, FlexcompProblem> {
        let dim = self.dim();
        let surface = Surface { counts: self.counts(), first: usize::from(dim == 3), closed: dim != 2 };
        self.check_count(surface.point_count(), room)?;
        let mut shape = self.given(dim)?;
        if dim == 3 {
            shape.points.push([0.0; 3]);
        }
        if self.needs_texcoords() {
            shape.texcoords.extend([0.0; 2]);
        }
        self.shell_points(&surface, &mut shape);
        if dim == 3 {
            fan_elements(&surface, &mut shape.elements);
        } else {
            surface_elements(&surface, &mut shape.elements);
        }
        Ok(shape)
    }

    fn shell_points(&self, surface: &Surface, shape: &mut Shape) {
        let [nx, ny, nz] = surface.counts;
        let textured = self.needs_texcoords();
        // The point, and the two axes its texture coordinates follow.
        let mut add = |at: [usize; 3], axes: [usize; 2]| {
            shape.points.push(self.on_surface(at));
            if textured {
                shape.texcoords.extend(axes.map(|axis| fraction(at[axis], surface.counts[axis])));
            }
        };
        let faces: &[usize] = if surface.closed { &[0, nz - 1] } else { &[0] };
        for &z in faces {
            for x in 0..nx {
                for y in 0..ny {
                    add([x, y, z], [0, 1]);
                }
            }
        }
        let between = 1..1 + surface.layers();
        for y in [0, ny - 1] {
            for x in 0..nx {
                for z in between.clone() {
                    add([x, y, z], [0, 2]);
                }
            }
        }
        for x in [0, nx - 1] {
            for y in 1..ny - 1 {
                for z in between.clone() {
                    add([x, y, z], [1, 2]);
                }
            }
        }
    }

    /// Place of a point of the grid on the surface of the shape.
    fn on_surface(&self, at: [usize; 3]) -> [f64; 3] {
        let mut pos: [f64; 3] =
            std::array::from_fn(|axis| 2.0 * at[axis] as f64 / f64::from(self.count[axis] - 1) - 1.0);
        let size: [f64; 3] =
            std::array::from_fn(|axis| 0.5 * self.spacing[axis] * f64::from(self.count[axis] - 1));
        match self.kind {
            FlexcompType::Cylinder => {
                let mut flat = [pos[0], pos[1]];
                let reach = largest(flat);
                normalize_slice(&mut flat);
                [flat[0] * (size[0] * reach), flat[1] * (size[1] * reach), pos[2] * size[2]]
            }
            kind => {
                if kind == FlexcompType::Ellipsoid {
                    normalize_slice(&mut pos);
                }
                std::array::from_fn(|axis| pos[axis] * size[axis])
            }
        }
    }
}

/// Cells of all faces: what is below and above, in front and behind, left and right.
fn for_each_cell(surface: &Surface, mut cell: impl FnMut(usize, [usize; 3])) {
    let [nx, ny, nz] = surface.counts;
    let faces: &[usize] = if surface.closed { &[0, nz - 1] } else { &[0] };
    for &z in faces {
        for x in 0..nx - 1 {
            for y in 0..ny - 1 {
                cell(2, [x, y, z]);
            }
        }
    }
    for y in [0, ny - 1] {
        for x in 0..nx - 1 {
            for z in 0..nz - 1 {
                cell(1, [x, y, z]);
            }
        }
    }
    for x in [0, nx - 1] {
        for y in 0..ny - 1 {
            for z in 0..nz - 1 {
                cell(0, [x, y, z]);
            }
        }
    }
}

/// Tetrahedra from the point in the middle to two triangles of every cell.
fn fan_elements(surface: &Surface, elements: &mut Vec<i32>) {
    for_each_cell(surface, |normal, at| {
        let [first, second] = match normal {
            2 => [0, 1],
            1 => [0, 2],
            _ => [1, 2],
        };
        let step = |axes: &[usize]| {
            let mut corner = at;
            for &axis in axes {
                corner[axis] += 1;
            }
            surface.number(corner)
        };
        let (here, across) = (step(&[]), step(&[first, second]));
        elements.extend([0, here, step(&[first]), across]);
        elements.extend([0, here, step(&[second]), across]);
    });
}

/// Two triangles of every cell that are seen anticlockwise from outside.
fn surface_elements(surface: &Surface, elements: &mut Vec<i32>) {
    for_each_cell(surface, |normal, at @ [x, y, z]| {
        let outside_low = at[normal] == 0;
        let corners = match normal {
            2 if outside_low => {
                [[x, y, z], [x + 1, y + 1, z], [x + 1, y, z], [x, y + 1, z], [x + 1, y + 1, z]]
            }
            2 => [[x, y, z], [x + 1, y, z], [x + 1, y + 1, z], [x + 1, y + 1, z], [x, y + 1, z]],
            _ => {
                // The side is walked upwards from a start to its neighbour, in the direction that keeps the outside right.
                let along = 1 - normal;
                let forward = (normal == 1) == outside_low;
                let mut ends = [at, at];
                ends[usize::from(forward)][along] += 1;
                let [start, next] = ends;
                let above = |corner: [usize; 3]| [corner[0], corner[1], corner[2] + 1];
                [start, next, above(next), above(next), above(start)]
            }
        };
        let [a, b, c, d, e] = corners.map(|corner| surface.number(corner));
        elements.extend([a, b, c, a, d, e]);
    });
}
