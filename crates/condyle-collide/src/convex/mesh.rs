//! What collision needs to know about a mesh: vertices, the graph of its convex hull, and the polygons of the hull's faces.
//!
//! All arrays are borrowed in the layout of a compiled model. Indices inside them are never trusted: a bad index ends a search or
//! yields no face, it does not panic.

use condyle_math::Vec3;

use super::SupportTable;

/// A mesh in its own frame.
#[derive(Clone, Copy, Debug, Default)]
pub struct MeshShape<'a> {
    /// All vertices, in single precision.
    pub vertices: &'a [[f32; 3]],
    /// Edges of the convex hull, if it was built.
    pub hull: Option<HullGraph<'a>>,
    /// Faces of the hull as polygons; empty if unknown.
    pub polygons: PolygonTable<'a>,
    /// Where climbs over the hull end, if that was worked out.
    pub table: Option<&'a SupportTable>,
}

impl MeshShape<'_> {
    /// No mesh.
    pub const EMPTY: Self = Self { vertices: &[], hull: None, polygons: PolygonTable::EMPTY, table: None };

    /// Vertex `index` in double precision; the origin if there is no such vertex.
    #[inline(always)]
    pub fn vertex(&self, index: i32) -> Vec3 {
        match self.vertices.get(index as usize) {
            Some(v) => [f64::from(v[0]), f64::from(v[1]), f64::from(v[2])],
            None => [0.0; 3],
        }
    }
}

/// Vertices of a convex hull and who is whose neighbour.
#[derive(Clone, Copy, Debug)]
pub struct HullGraph<'a> {
    edge_starts: &'a [i32],
    vertex_ids: &'a [i32],
    edges: &'a [i32],
}

impl<'a> HullGraph<'a> {
    /// Split a packed graph: vertex count, face count, start of each vertex's neighbour list, mesh vertex of each hull vertex, then
    /// the neighbour lists, each closed by −1. `None` if the counts do not fit the length.
    #[inline]
    pub fn from_packed(graph: &'a [i32]) -> Option<Self> {
        let vertex_count = usize::try_from(*graph.first()?).ok()?;
        let rest = graph.get(2..)?;
        if vertex_count == 0 || rest.len() / 2 < vertex_count {
            return None;
        }
        let (edge_starts, rest) = rest.split_at(vertex_count);
        let (vertex_ids, edges) = rest.split_at(vertex_count);
        Some(Self { edge_starts, vertex_ids, edges })
    }

    /// Number of hull vertices.
    pub fn vertex_count(&self) -> usize {
        self.vertex_ids.len()
    }

    /// Mesh vertex of hull vertex `index`, −1 if there is none.
    #[inline(always)]
    pub fn vertex_id(&self, index: i32) -> i32 {
        self.vertex_ids.get(index as usize).copied().unwrap_or(-1)
    }

    /// Hull vertices joined to hull vertex `index` by an edge.
    #[inline(always)]
    pub fn neighbours(&self, index: i32) -> impl Iterator<Item = i32> + 'a {
        let start = self.edge_starts.get(index as usize).map_or(usize::MAX, |&start| start as usize);
        let limit = self.vertex_ids.len();
        self.edges
            .get(start..)
            .unwrap_or_default()
            .iter()
            .copied()
            .take_while(move |&neighbour| neighbour >= 0 && (neighbour as usize) < limit)
    }
}

/// Faces of a hull as polygons, and for each vertex the polygons it belongs to.
///
/// The arrays are those of all meshes together: most pairs are apart and never look at a polygon, so the part of one mesh is found when it
/// is asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct PolygonTable<'a> {
    /// Outward normal of each polygon.
    pub normals: &'a [Vec3],
    /// Where each polygon's vertices start in `vertices`.
    pub vertex_starts: &'a [i32],
    /// How many vertices each polygon has.
    pub vertex_counts: &'a [i32],
    /// Vertex indices of all polygons.
    pub vertices: &'a [i32],
    /// For each vertex, where its polygons start in `map`.
    pub map_starts: &'a [i32],
    /// For each vertex, how many polygons it belongs to.
    pub map_counts: &'a [i32],
    /// Polygon indices of all vertices.
    pub map: &'a [i32],
    /// First polygon of this mesh, and how many there are.
    pub own_polygons: [i32; 2],
    /// First vertex of this mesh, and how many there are.
    pub own_vertices: [i32; 2],
}

impl<'a> PolygonTable<'a> {
    /// No polygons.
    pub const EMPTY: Self = Self {
        normals: &[],
        vertex_starts: &[],
        vertex_counts: &[],
        vertices: &[],
        map_starts: &[],
        map_counts: &[],
        map: &[],
        own_polygons: [0; 2],
        own_vertices: [0; 2],
    };

    /// Vertices of polygon `polygon`, counter-clockwise seen from outside.
    #[inline]
    pub fn polygon(&self, polygon: i32) -> &'a [i32] {
        range(self.vertices, self.vertex_starts, self.vertex_counts, self.own_polygons, polygon)
    }

    /// Polygons around vertex `vertex`.
    #[inline]
    pub fn around(&self, vertex: i32) -> &'a [i32] {
        range(self.map, self.map_starts, self.map_counts, self.own_vertices, vertex)
    }

    /// Normal of polygon `polygon`; zero if there is no such polygon.
    #[inline]
    pub fn normal(&self, polygon: i32) -> Vec3 {
        place(self.normals, self.own_polygons, polygon).copied().unwrap_or_default()
    }
}

/// Element `index` of the part of `values` that belongs to one mesh; `None` if the whole part is not inside the array.
#[inline]
fn place<T>(values: &[T], [first, count]: [i32; 2], index: i32) -> Option<&T> {
    let (first, count, index) =
        (usize::try_from(first).ok()?, usize::try_from(count).ok()?, usize::try_from(index).ok()?);
    values.get(first..first.checked_add(count)?)?.get(index)
}

fn range<'a>(values: &'a [i32], starts: &[i32], counts: &[i32], own: [i32; 2], index: i32) -> &'a [i32] {
    let bounds = || {
        let start = usize::try_from(*place(starts, own, index)?).ok()?;
        let count = usize::try_from(*place(counts, own, index)?).ok()?;
        values.get(start..start.checked_add(count)?)
    };
    bounds().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packed_graph_lists_neighbours_up_to_the_mark() {
        let graph = [3, 1, 0, 3, 6, 10, 11, 12, 1, 2, -1, 0, 2, -1, 0, 1, -1];
        let hull = HullGraph::from_packed(&graph).unwrap();
        assert_eq!(hull.neighbours(1).collect::<Vec<_>>(), [0, 2]);
        assert_eq!(hull.vertex_id(2), 12);
    }

    #[test]
    fn bad_indices_give_nothing() {
        assert!(HullGraph::from_packed(&[5, 1, 0, 0]).is_none());
        assert!(HullGraph::from_packed(&[-1, 1, 0, 0]).is_none());
        let graph = [1, 0, 99, 7, 3];
        let hull = HullGraph::from_packed(&graph).unwrap();
        assert_eq!(hull.neighbours(0).count(), 0);
        assert_eq!(hull.neighbours(-4).count(), 0);
        assert_eq!(hull.vertex_id(-1), -1);
        let table = PolygonTable {
            vertex_starts: &[i32::MAX],
            vertex_counts: &[i32::MAX],
            ..PolygonTable::default()
        };
        assert!(table.polygon(0).is_empty() && table.around(3).is_empty());
        assert_eq!(MeshShape::default().vertex(-1), [0.0; 3]);
    }
}
