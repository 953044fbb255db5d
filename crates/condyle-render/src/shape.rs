//! Surfaces as lists of triangles and planar patches.
//!
//! Colours are computed at corners and interpolated, so a picture depends on where the corners are. Flat parts (planes, faces of boxes,
//! strips of cylinders) are patches: one quadrilateral for the rasteriser, a grid of cells for the corners. A plane of 200 by 200 cells
//! then costs two triangles, and only corners near visible pixels are ever lit.

use crate::batch::{self, Batch};
use crate::vector::{Vec3, add, dot, scale, sub};

/// Corners that are treated together.
pub(crate) const TOGETHER: usize = 8;

/// A flat quadrilateral with corners on a grid: `origin + us[i]·axis_u + vs[j]·axis_v`.
///
/// The two triangles of a cell are (0, 1, 3) and (1, 2, 3) of its corners in the order (i, j), (i+1, j), (i+1, j+1), (i, j+1).
#[derive(Clone, Debug)]
pub struct Patch {
    /// The point where both coordinates are zero, m.
    pub origin: Vec3,
    /// Direction in which u grows, m per unit of u.
    pub axis_u: Vec3,
    /// Direction in which v grows, m per unit of v.
    pub axis_v: Vec3,
    /// Range of lines across u in [`Shape::lines`].
    pub us: (u32, u32),
    /// Range of lines across v in [`Shape::lines`].
    pub vs: (u32, u32),
    /// Normals along the first and the last line of u; they differ on strips of a single cell only.
    pub normals: [Vec3; 2],
}

/// A surface in its own frame.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// Corners, m.
    pub positions: Vec<Vec3>,
    /// One for each position.
    pub normals: Vec<Vec3>,
    /// One for each position, or none at all.
    pub texcoords: Vec<[f32; 2]>,
    /// One for each position, or none at all: opacity of haze.
    pub alphas: Vec<f32>,
    /// Corners of each triangle, as indices into `positions`.
    pub faces: Vec<[u32; 3]>,
    /// Normals of the first faces, which are flat and share corners; the other faces take those of their corners.
    pub flat: Vec<Vec3>,
    /// Range of faces that come in pairs, each pair the two halves of a quadrilateral.
    pub pairs: Vec<(u32, u32)>,
    /// Flat parts.
    pub patches: Vec<Patch>,
    /// Grid coordinates of the patches.
    pub lines: Vec<f32>,
    /// Coordinates of all positions and then of the outlines of all patches, each by itself; filled up with zeros to a multiple of
    /// [`TOGETHER`].
    pub(crate) columns: [Vec<f32>; 3],
    /// Boxes around runs of [`RUN`] faces, where there are many; else none.
    pub(crate) runs: Vec<Run>,
    /// All faces, in batches that are looked at together; none reaches from one run into the next.
    pub(crate) batches: Vec<Batch>,
    /// Box around everything.
    pub low: Vec3,
    /// Upper corner of the box around everything.
    pub high: Vec3,
    /// Sphere around everything.
    pub center: Vec3,
    /// Radius of that sphere.
    pub radius: f32,
}

/// Neighbouring faces of a large surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub low: Vec3,
    pub high: Vec3,
    /// First and last of their corners.
    pub corners: [u32; 2],
}

/// Faces of a run, and how many faces a surface has that is divided into runs.
pub(crate) const RUN: usize = 64;
const MANY_FACES: usize = 1500;

impl Shape {
    pub(crate) fn clear(&mut self) {
        self.positions.clear();
        self.normals.clear();
        self.texcoords.clear();
        self.alphas.clear();
        self.faces.clear();
        self.flat.clear();
        self.pairs.clear();
        self.patches.clear();
        self.lines.clear();
        self.columns.iter_mut().for_each(Vec::clear);
        self.runs.clear();
        self.batches.clear();
    }

    pub(crate) fn corner(&mut self, position: Vec3, normal: Vec3) -> u32 {
        self.positions.push(position);
        self.normals.push(normal);
        (self.positions.len() - 1) as u32
    }

    pub(crate) fn quad(&mut self, corners: [u32; 4]) {
        let first = self.faces.len() as u32;
        self.faces.push([corners[0], corners[1], corners[3]]);
        self.faces.push([corners[1], corners[2], corners[3]]);
        match self.pairs.last_mut() {
            Some(last) if last.1 == first => last.1 += 2,
            _ => self.pairs.push((first, first + 2)),
        }
    }

    /// The edge of a face that is the diagonal of a quadrilateral; 3 for none.
    pub(crate) fn hidden_edge(&self, face: usize) -> usize {
        let face = face as u32;
        let after = self.pairs.partition_point(|pair| pair.1 <= face);
        match self.pairs.get(after) {
            Some((first, _)) if face >= *first => 1 + ((face - first) & 1) as usize,
            _ => 3,
        }
    }

    /// Lines between the cells of a patch, by the coordinates of their ends.
    pub(crate) fn grid_lines(&self, patch: &Patch) -> impl Iterator<Item = [[f32; 2]; 2]> {
        let (us, vs) = (self.range(patch.us), self.range(patch.vs));
        let (u0, u1) = (us[0], us[us.len() - 1]);
        let (v0, v1) = (vs[0], vs[vs.len() - 1]);
        let along = us.iter().map(move |u| [[*u, v0], [*u, v1]]);
        along.chain(vs.iter().map(move |v| [[u0, *v], [u1, *v]]))
    }

    pub(crate) fn add_lines(&mut self, values: impl IntoIterator<Item = f32>) -> (u32, u32) {
        let first = self.lines.len() as u32;
        self.lines.extend(values);
        (first, self.lines.len() as u32)
    }

    #[inline]
    pub(crate) fn range(&self, range: (u32, u32)) -> &[f32] {
        &self.lines[range.0 as usize..range.1 as usize]
    }

    /// Outer corners of a patch, counterclockwise.
    pub(crate) fn outline(&self, patch: &Patch) -> [Vec3; 4] {
        let (us, vs) = (self.range(patch.us), self.range(patch.vs));
        let (u0, u1) = (us[0], us[us.len() - 1]);
        let (v0, v1) = (vs[0], vs[vs.len() - 1]);
        [(u0, v0), (u1, v0), (u1, v1), (u0, v1)].map(|(u, v)| patch.at(u, v))
    }

    /// Computes what follows from the rest: the columns and the sphere around everything.
    pub(crate) fn bound(&mut self) {
        self.list_columns();
        self.list_runs();
        let mut low = [f32::INFINITY; 3];
        let mut high = [f32::NEG_INFINITY; 3];
        let mut grow = |p: Vec3| {
            for axis in 0..3 {
                low[axis] = low[axis].min(p[axis]);
                high[axis] = high[axis].max(p[axis]);
            }
        };
        self.positions.iter().for_each(|p| grow(*p));
        for patch in &self.patches {
            self.outline(patch).into_iter().for_each(&mut grow);
        }
        if low[0] > high[0] {
            (self.low, self.high) = ([0.0; 3], [0.0; 3]);
            (self.center, self.radius) = ([0.0; 3], 0.0);
            return;
        }
        (self.low, self.high) = (low, high);
        self.center = scale(add(low, high), 0.5);
        let half = sub(high, self.center);
        self.radius = dot(half, half).sqrt();
    }
}

impl Shape {
    fn list_columns(&mut self) {
        let mut columns = std::mem::take(&mut self.columns);
        let outlines = self.patches.iter().flat_map(|patch| self.outline(patch));
        for column in &mut columns {
            column.clear();
        }
        for point in self.positions.iter().copied().chain(outlines) {
            for (column, value) in columns.iter_mut().zip(point) {
                column.push(value);
            }
        }
        for column in &mut columns {
            column.resize(column.len().next_multiple_of(TOGETHER), 0.0);
        }
        self.columns = columns;
    }
}

impl Shape {
    fn list_runs(&mut self) {
        self.runs.clear();
        let many = self.faces.len() >= MANY_FACES;
        batch::list(&self.faces, if many { RUN } else { MANY_FACES }, &mut self.batches);
        if !many {
            return;
        }
        for faces in self.faces.chunks(RUN) {
            let mut run =
                Run { low: [f32::INFINITY; 3], high: [f32::NEG_INFINITY; 3], corners: [u32::MAX, 0] };
            for corner in faces.as_flattened() {
                run.corners = [run.corners[0].min(*corner), run.corners[1].max(*corner)];
                let position = self.positions[*corner as usize];
                for axis in 0..3 {
                    // A box around what is no number is none itself, and then nothing is left out.
                    let value = position[axis];
                    if value < run.low[axis] || value.is_nan() {
                        run.low[axis] = value;
                    }
                    if value > run.high[axis] || value.is_nan() {
                        run.high[axis] = value;
                    }
                }
            }
            self.runs.push(run);
        }
    }
}

impl Patch {
    #[inline]
    pub(crate) fn at(&self, u: f32, v: f32) -> Vec3 {
        [
            self.origin[0] + u * self.axis_u[0] + v * self.axis_v[0],
            self.origin[1] + u * self.axis_u[1] + v * self.axis_v[1],
            self.origin[2] + u * self.axis_u[2] + v * self.axis_v[2],
        ]
    }
}
