//! Support vertices of a hull from a table of directions.
//!
//! Climbing a hull ends at a vertex none of whose neighbours projects higher. The table divides the directions into cells, squares on
//! the faces of the cube `max |d_i| = 1`, and lists for each cell every vertex where a climb along a direction of the cell can end:
//! all vertices but those with a neighbour that is higher for the whole cell,
//!
//! ```text
//! p·(neighbour − vertex) > tolerance   for all p in the cell,
//! ```
//!
//! where the tolerance covers the rounding of both projections. The projection is linear, so its least value over the cell is that of
//! a corner. Nothing is assumed about the hull: it need not be exactly convex.
//!
//! A lookup projects the few vertices of the cell. If all but one have a higher neighbour, every climb ends at that one, wherever it
//! starts; otherwise (equal projections, mostly) there is no answer and the caller climbs.

use condyle_math::Vec3;

use super::MeshShape;

/// Candidates of a cell beyond which the cell is left to climbing.
const MAX_CANDIDATES: usize = 16;
/// Rounding of two projections and of the cell's borders, relative to the largest coordinate. The true bound is below 1e-14.
const RELATIVE_TOLERANCE: f64 = 1e-13;
/// Largest coordinate of a mesh with a table, and the range of directions: products neither overflow nor vanish.
const LARGEST_COORDINATE: f64 = 1e6;
const DIRECTION_RANGE: std::ops::RangeInclusive<f64> = 1e-30..=1e30;

/// Where a climb along each direction can end.
#[derive(Clone, Debug)]
pub struct SupportTable {
    /// Cells along one side of a cube face.
    resolution: usize,
    /// Hull vertices in double precision.
    points: Vec<Vec3>,
    cells: Vec<CellCandidates>,
    candidates: Vec<Candidate>,
}

/// The candidates of a cell.
#[derive(Clone, Copy, Debug, Default)]
struct CellCandidates {
    start: u32,
    /// None where there were too many.
    count: u8,
    /// Whether each is a neighbour of every other: then the highest is where climbs end.
    all_joined: bool,
}

#[derive(Clone, Copy, Debug)]
struct Candidate {
    /// Hull vertex.
    vertex: u16,
    /// Which candidates of the cell are its neighbours, one bit each.
    neighbours: u16,
}

impl SupportTable {
    /// The table of a mesh, or `None` if it has no usable hull.
    pub fn new(mesh: &MeshShape) -> Option<Self> {
        let builder = Builder::new(mesh)?;
        let levels = match builder.points.len() {
            0..48 => 4,
            48..384 => 4,
            _ => 5,
        };
        Some(builder.build(levels))
    }

    /// The hull vertex where every climb along `direction` ends, if there is just one such vertex.
    #[inline(always)]
    pub(crate) fn find(&self, direction: Vec3) -> Option<i32> {
        let cell = self.cells.get(self.cell(direction)?)?;
        let start = cell.start as usize;
        let candidates = self.candidates.get(start..start + usize::from(cell.count))?;
        let (first, others) = candidates.split_first()?;
        if others.is_empty() {
            return Some(i32::from(first.vertex));
        }
        let height_of = |candidate: &Candidate| {
            let point = self.points.get(usize::from(candidate.vertex))?;
            Some(direction[0] * point[0] + direction[1] * point[1] + direction[2] * point[2])
        };
        if !cell.all_joined {
            return self.find_among(candidates, height_of);
        }
        let (mut best, mut highest, mut tied) = (first.vertex, height_of(first)?, false);
        for candidate in others {
            let height = height_of(candidate)?;
            if height > highest {
                (best, highest, tied) = (candidate.vertex, height, false);
            } else {
                tied |= height == highest;
            }
        }
        (!tied).then_some(i32::from(best))
    }

    /// [`Self::find`] where not every candidate is every other's neighbour.
    fn find_among(
        &self,
        candidates: &[Candidate],
        height_of: impl Fn(&Candidate) -> Option<f64>,
    ) -> Option<i32> {
        let mut heights = [0.0; MAX_CANDIDATES];
        let mut best = (0, f64::NEG_INFINITY);
        for (slot, (candidate, height)) in candidates.iter().zip(&mut heights).enumerate() {
            *height = height_of(candidate)?;
            if *height > best.1 {
                best = (slot, *height);
            }
        }
        for (slot, candidate) in candidates.iter().enumerate() {
            let climbs_to_best = candidate.neighbours >> best.0 & 1 == 1 && best.1 > heights[slot];
            if slot != best.0 && !climbs_to_best && !has_higher_neighbour(candidate, &heights, heights[slot])
            {
                return None;
            }
        }
        candidates.get(best.0).map(|candidate| i32::from(candidate.vertex))
    }

    /// The cell a direction falls into; `None` for directions that are too short, too long or no numbers.
    #[inline(always)]
    fn cell(&self, direction: Vec3) -> Option<usize> {
        let [x, y, z] = direction;
        let size = direction.map(f64::abs);
        // The largest coordinate and the two across it, in the order of `OTHERS`.
        let (face, along, [u, v]) = if size[0] >= size[1] && size[0] >= size[2] {
            (0, x, [y, z])
        } else if size[1] >= size[2] {
            (2, y, [x, z])
        } else {
            (4, z, [x, y])
        };
        let longest = along.abs();
        // Also false for what is no number.
        if !(DIRECTION_RANGE.contains(&longest) && u.abs() <= longest && v.abs() <= longest) {
            return None;
        }
        let inverse = 1.0 / longest;
        let side = self.resolution as f64;
        let last = self.resolution as i32 - 1;
        let place = |across: f64| {
            let scaled = (across * inverse + 1.0) * 0.5 * side;
            // Adding `1.5·2⁵²` leaves the nearest integer in the lower bits. On a border, which belongs to the cells on both sides, either will do.
            let nearest = (scaled - 0.5 + ROUNDING_SHIFT).to_bits() as i32;
            nearest.max(0).min(last) as usize
        };
        let face = face + usize::from(along < 0.0);
        Some((face * self.resolution + place(v)) * self.resolution + place(u))
    }
}

/// In sums with this, the last bit counts one.
const ROUNDING_SHIFT: f64 = 6_755_399_441_055_744.0;

/// The axes across each axis.
const OTHERS: [[usize; 2]; 3] = [[1, 2], [0, 2], [0, 1]];

#[inline(always)]
fn has_higher_neighbour(candidate: &Candidate, heights: &[f64; MAX_CANDIDATES], own: f64) -> bool {
    let mut left = candidate.neighbours;
    while left != 0 {
        if heights[left.trailing_zeros() as usize] > own {
            return true;
        }
        left &= left - 1;
    }
    false
}

/// Whether each quarter of a cell is on the right, and whether it is above, in the order of the bits of [`Cell::quarters_above`].
const QUARTERS: [[bool; 2]; 4] = [[false, false], [true, false], [false, true], [true, true]];

/// A square on a face of the cube of directions.
#[derive(Clone, Copy)]
struct Cell {
    axis: usize,
    sign: f64,
    low: [f64; 2],
    high: [f64; 2],
}

impl Cell {
    /// In which quarters of the cell `p·edge` is above `limit` everywhere, one bit each: the lowest value in a quarter is that of a corner.
    #[inline(always)]
    fn quarters_above(&self, edge: Vec3, limit: f64) -> u8 {
        let [u, v] = OTHERS[self.axis];
        let smaller = |a: f64, b: f64| if a < b { a } else { b };
        let (across, up, forward) = (edge[u], edge[v], self.sign * edge[self.axis]);
        let (middle, center) = (self.middle(0) * across, self.middle(1) * up);
        let left = forward + smaller(self.low[0] * across, middle);
        let right = forward + smaller(middle, self.high[0] * across);
        let (lower, upper) = (smaller(self.low[1] * up, center), smaller(center, self.high[1] * up));
        u8::from(left + lower > limit)
            | u8::from(right + lower > limit) << 1
            | u8::from(left + upper > limit) << 2
            | u8::from(right + upper > limit) << 3
    }

    #[inline(always)]
    fn middle(&self, side: usize) -> f64 {
        0.5 * (self.low[side] + self.high[side])
    }

    /// One quarter of the cell.
    fn quarter(&self, sides: [bool; 2]) -> Self {
        let mut quarter = *self;
        for (k, is_far) in sides.into_iter().enumerate() {
            if is_far {
                quarter.low[k] = self.middle(k);
            } else {
                quarter.high[k] = self.middle(k);
            }
        }
        quarter
    }
}

/// Builds a table by dividing the faces of the cube again and again; a cell's candidates are among those of the cell around it.
struct Builder {
    points: Vec<Vec3>,
    neighbours: Vec<Vec<u16>>,
    /// From each vertex to its neighbours, the longest first: it is the likeliest to lead upwards in a whole cell.
    edges: Vec<Vec<Vec3>>,
    tolerance: f64,
}

/// Candidates of the cells that are being divided, outermost first, and the quarters in which each can be the end of a climb.
#[derive(Default)]
struct Nested {
    vertices: Vec<u16>,
    quarters: Vec<u8>,
}

impl Builder {
    fn new(mesh: &MeshShape) -> Option<Self> {
        let hull = mesh.hull.as_ref()?;
        let count = u16::try_from(hull.vertex_count()).ok()?;
        let mut points = Vec::with_capacity(usize::from(count));
        let mut neighbours = Vec::with_capacity(usize::from(count));
        let mut largest = 0.0;
        for vertex in 0..i32::from(count) {
            let point = mesh.vertices.get(usize::try_from(hull.vertex_id(vertex)).ok()?)?;
            for coordinate in point.map(|x| f64::from(x).abs()) {
                if !(coordinate <= LARGEST_COORDINATE) {
                    return None;
                }
                if coordinate > largest {
                    largest = coordinate;
                }
            }
            points.push(point.map(f64::from));
            let around: Vec<u16> =
                hull.neighbours(vertex).map_while(|neighbour| u16::try_from(neighbour).ok()).collect();
            if around.is_empty() || around.iter().any(|neighbour| *neighbour >= count) {
                return None;
            }
            neighbours.push(around);
        }
        let edges =
            neighbours.iter().zip(&points).map(|(around, own)| edges(&points, around, *own)).collect();
        Some(Self { points, neighbours, edges, tolerance: RELATIVE_TOLERANCE * largest })
    }

    fn build(self, levels: usize) -> SupportTable {
        let resolution = 1 << levels;
        let mut table = SupportTable {
            resolution,
            points: Vec::new(),
            cells: vec![CellCandidates::default(); 6 * resolution * resolution],
            candidates: Vec::new(),
        };
        let mut nested = Nested { vertices: (0..self.points.len() as u16).collect(), ..Nested::default() };
        for axis in 0..3 {
            for (sign, face) in [(1.0, 2 * axis), (-1.0, 2 * axis + 1)] {
                let cell = Cell { axis, sign, low: [-1.0; 2], high: [1.0; 2] };
                self.divide(&mut table, &mut nested, 0, cell, levels, [0, face * resolution]);
            }
        }
        table.points = self.points;
        table
    }

    /// Fill the part of the table inside `cell`, whose first entry is at column `corner[0]` of row `corner[1]`. Its candidates are the last of
    /// `nested`, from `first` on.
    fn divide(
        &self,
        table: &mut SupportTable,
        nested: &mut Nested,
        first: usize,
        cell: Cell,
        levels: usize,
        corner: [usize; 2],
    ) {
        let Some(levels) = levels.checked_sub(1) else {
            self.write(table, &nested.vertices[first..], corner[1] * table.resolution + corner[0]);
            return;
        };
        let (last, first_quarters) = (nested.vertices.len(), nested.quarters.len());
        nested
            .quarters
            .extend(nested.vertices[first..].iter().map(|vertex| self.quarters_of_ends(*vertex, &cell)));
        let half = 1 << levels;
        for (quarter, sides) in QUARTERS.into_iter().enumerate() {
            for index in first..last {
                if nested.quarters[first_quarters + index - first] >> quarter & 1 == 1 {
                    nested.vertices.push(nested.vertices[index]);
                }
            }
            let corner = [corner[0] + usize::from(sides[0]) * half, corner[1] + usize::from(sides[1]) * half];
            self.divide(table, nested, last, cell.quarter(sides), levels, corner);
            nested.vertices.truncate(last);
        }
        nested.quarters.truncate(first_quarters);
    }

    /// In which quarters of the cell a climb can end at a vertex: those in which no neighbour is higher for all directions.
    fn quarters_of_ends(&self, vertex: u16, cell: &Cell) -> u8 {
        let mut ends = 0b1111;
        for edge in &self.edges[usize::from(vertex)] {
            ends &= !cell.quarters_above(*edge, self.tolerance);
            if ends == 0 {
                break;
            }
        }
        ends
    }

    fn write(&self, table: &mut SupportTable, inside: &[u16], place: usize) {
        if inside.len() > MAX_CANDIDATES {
            return;
        }
        let Ok(start) = u32::try_from(table.candidates.len()) else { return };
        let mut all_joined = true;
        for (own, &vertex) in inside.iter().enumerate() {
            let mut neighbours = 0_u16;
            for neighbour in &self.neighbours[usize::from(vertex)] {
                if let Some(slot) = inside.iter().position(|other| other == neighbour) {
                    neighbours |= 1 << slot;
                }
            }
            let everybody = u32::MAX >> (32 - inside.len());
            all_joined &= u32::from(neighbours) | 1 << own == everybody;
            table.candidates.push(Candidate { vertex, neighbours });
        }
        table.cells[place] = CellCandidates { start, count: inside.len() as u8, all_joined };
    }
}

/// The edges from a vertex, the longest first.
fn edges(points: &[Vec3], around: &[u16], own: Vec3) -> Vec<Vec3> {
    let mut edges: Vec<Vec3> = around
        .iter()
        .map(|neighbour| condyle_math::vec3::sub(points[usize::from(*neighbour)], own))
        .collect();
    let length = |edge: &Vec3| edge[0] * edge[0] + edge[1] * edge[1] + edge[2] * edge[2];
    edges.sort_by(|one, other| length(other).total_cmp(&length(one)));
    edges
}

#[cfg(test)]
mod tests {
    use super::super::HullGraph;
    use super::super::mpr_support::mesh_support;
    use super::super::support::climb;
    use super::*;

    /// Vertices and packed graph of a polyhedron given by its triangles.
    fn packed(points: &[[f64; 3]], triangles: &[[usize; 3]]) -> (Vec<[f32; 3]>, Vec<i32>) {
        let vertices: Vec<[f32; 3]> = points.iter().map(|p| p.map(|x| x as f32)).collect();
        let mut neighbours = vec![std::collections::BTreeSet::new(); points.len()];
        for t in triangles {
            for k in 0..3 {
                neighbours[t[k]].insert(t[(k + 1) % 3] as i32);
                neighbours[t[(k + 1) % 3]].insert(t[k] as i32);
            }
        }
        let mut graph = vec![points.len() as i32, triangles.len() as i32];
        let mut start = 0;
        for around in &neighbours {
            graph.push(start);
            start += around.len() as i32 + 1;
        }
        graph.extend(0..points.len() as i32);
        for around in &neighbours {
            graph.extend(around.iter().copied());
            graph.push(-1);
        }
        (vertices, graph)
    }

    /// Surface of a cube of `n × n` squares per face, bent towards a ball by `round` and shifted.
    fn ball(n: usize, round: f64) -> (Vec<[f32; 3]>, Vec<i32>) {
        let mut points: Vec<[f64; 3]> = Vec::new();
        let mut index = std::collections::BTreeMap::new();
        let mut triangles = Vec::new();
        for face in 0..6 {
            let mut corner = |i: usize, j: usize| {
                let mut place = [0; 3];
                place[face / 2] = if face % 2 == 0 { n } else { 0 };
                let [u, v] = OTHERS[face / 2];
                (place[u], place[v]) = (i, j);
                *index.entry(place).or_insert_with(|| {
                    let cube = place.map(|x| 2.0 * x as f64 / n as f64 - 1.0);
                    let norm = cube.iter().map(|x| x * x).sum::<f64>().sqrt();
                    let bent = cube.map(|x| x * (1.0 - round) + x / norm * round);
                    points.push([bent[0] + 0.1, 0.7 * bent[1], 0.4 * bent[2] - 0.2]);
                    points.len() - 1
                })
            };
            for i in 0..n {
                for j in 0..n {
                    let square = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
                    triangles.push([square[0], square[1], square[2]]);
                    triangles.push([square[0], square[2], square[3]]);
                }
            }
        }
        packed(&points, &triangles)
    }

    fn directions() -> impl Iterator<Item = Vec3> {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        let exact = (0..27).map(|k| [k % 3, k / 3 % 3, k / 9].map(|x| f64::from(x) - 1.0));
        let strange =
            [[f64::NAN, 0.0, 1.0], [0.0; 3], [1e300, 1.0, 0.0], [f64::INFINITY, 0.0, 0.0], [1e-40; 3]];
        exact.chain(strange).chain((0..20_000).map(move |k| {
            let scale = if k % 7 == 0 { 1e-9 } else { 1.0 };
            [next(), next() * scale, next()]
        }))
    }

    #[test]
    fn an_answer_is_where_climbs_end_from_anywhere() {
        for (n, round) in [(2, 1.0), (5, 1.0), (9, 0.9), (12, 0.02), (6, 0.0)] {
            let (vertices, graph) = ball(n, round);
            let hull = HullGraph::from_packed(&graph).unwrap();
            let mesh = MeshShape { vertices: &vertices, hull: Some(hull), ..MeshShape::default() };
            let table = SupportTable::new(&mesh).unwrap();
            let mut answers = 0;
            for direction in directions() {
                let Some(found) = table.find(direction) else { continue };
                answers += 1;
                for start in (-1..vertices.len() as i32).step_by(11) {
                    assert_eq!(climb(&mesh, &hull, direction, start), found, "{direction:?} from {start}");
                    let mut memory = start;
                    mesh_support(&mesh, direction, &mut memory);
                    assert_eq!(memory, found, "{direction:?} from {start}, the start competing");
                }
            }
            assert!(round == 0.0 || answers > 15_000, "{n} {round}: {answers}");
        }
    }

    #[test]
    fn meshes_without_a_sound_hull_have_no_table() {
        let (mut vertices, mut graph) = ball(3, 1.0);
        assert!(SupportTable::new(&MeshShape { vertices: &vertices, ..MeshShape::default() }).is_none());
        vertices[4][1] = f32::NAN;
        let hull = HullGraph::from_packed(&graph);
        assert!(
            SupportTable::new(&MeshShape { vertices: &vertices, hull, ..MeshShape::default() }).is_none()
        );
        let (vertices, _) = ball(3, 1.0);
        let ids = 2 + vertices.len();
        graph[ids] = i32::MAX;
        let hull = HullGraph::from_packed(&graph);
        assert!(
            SupportTable::new(&MeshShape { vertices: &vertices, hull, ..MeshShape::default() }).is_none()
        );
    }
}
