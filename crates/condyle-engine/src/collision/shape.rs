//! What collision detection sees of a model: the shapes of its geoms, borrowed from the model's arrays.

use condyle_collide::convex::{ConvexShape, HullGraph, MeshShape, PolygonTable};
use condyle_collide::hfield::HeightField;
use condyle_collide::pair::convex_convex::ConvexOptions;
use condyle_model::{GeomType, Model, disable, enable};

use super::support_tables::Tables;

/// `values[start .. start + count]`, empty if that is not inside the array.
pub fn part<T>(values: &[T], start: i32, count: i32) -> &[T] {
    let range = || {
        let start = usize::try_from(start).ok()?;
        values.get(start..start.checked_add(usize::try_from(count).ok()?)?)
    };
    range().unwrap_or_default()
}

/// Vertices, hull and polygons of mesh `mesh`; empty if there is no such mesh.
pub fn mesh_shape(model: &Model, mesh: i32) -> MeshShape<'_> {
    if mesh < 0 { MeshShape::default() } else { Meshes::of(model).shape(mesh) }
}

/// The meshes of a model. Pairs come by body and geom, so the one looked up last on either side is often the next one, too: it is kept.
pub struct Meshes<'a> {
    /// The model whose meshes these are.
    pub model: &'a Model,
    /// Whether the support tables still belong to the model is asked at the first mesh.
    tables: Option<Tables<'a>>,
    last: [Option<(i32, MeshShape<'a>)>; 2],
}

impl<'a> Meshes<'a> {
    /// No mesh has been looked up yet.
    pub fn of(model: &'a Model) -> Self {
        Self { model, tables: None, last: [None, None] }
    }

    /// The meshes of two geoms; empty ones for geoms without.
    #[inline]
    pub fn of_geoms(&mut self, geoms: [usize; 2]) -> [&MeshShape<'a>; 2] {
        let meshes = geoms.map(|geom| self.model.geom_dataid[geom]);
        for side in 0..2 {
            let known = self.last[side].as_ref().is_some_and(|(mesh, _)| *mesh == meshes[side]);
            if meshes[side] >= 0 && !known {
                self.last[side] = Some((meshes[side], self.shape(meshes[side])));
            }
        }
        std::array::from_fn(|side| match &self.last[side] {
            Some((_, shape)) if meshes[side] >= 0 => shape,
            _ => &MeshShape::EMPTY,
        })
    }

    /// Vertices, hull and polygons of mesh `mesh`; empty if there is no such mesh.
    fn shape(&mut self, mesh: i32) -> MeshShape<'a> {
        let model = self.model;
        let Some(mesh) = usize::try_from(mesh).ok().filter(|&mesh| mesh < model.nmesh) else {
            return MeshShape::default();
        };
        let own_vertices = [model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]];
        let graph = model.mesh_graphadr(mesh).and_then(|start| model.mesh_graph.get(start..));
        MeshShape {
            vertices: part(&model.mesh_vert, own_vertices[0], own_vertices[1]),
            hull: graph.and_then(HullGraph::from_packed),
            polygons: PolygonTable {
                normals: &model.mesh_polynormal,
                vertex_starts: &model.mesh_polyvertadr,
                vertex_counts: &model.mesh_polyvertnum,
                vertices: &model.mesh_polyvert,
                map_starts: &model.mesh_polymapadr,
                map_counts: &model.mesh_polymapnum,
                map: &model.mesh_polymap,
                own_polygons: [model.mesh_polyadr[mesh], model.mesh_polynum[mesh]],
                own_vertices,
            },
            table: self.tables.get_or_insert_with(|| Tables::of(model)).of_mesh(model, mesh),
        }
    }
}

/// Height field `field`; empty if there is no such field.
pub fn height_field(model: &Model, field: i32) -> HeightField<'_> {
    let Some(field) = usize::try_from(field).ok().filter(|&field| field < model.nhfield) else {
        return HeightField { rows: 0, columns: 0, size: [0.0; 4], heights: &[] };
    };
    let (rows, columns) = (model.hfield_nrow[field], model.hfield_ncol[field]);
    let heights = part(&model.hfield_data, model.hfield_adr[field], rows.saturating_mul(columns));
    HeightField { rows, columns, size: model.hfield_size[field], heights }
}

/// Shape of geom `geom` for the convex algorithms, with `mesh` its mesh; `None` for planes and height fields.
pub fn convex_shape<'a>(model: &Model, geom: usize, mesh: &'a MeshShape<'a>) -> Option<ConvexShape<'a>> {
    let size = model.geom_size[geom];
    match model.geom_type(geom)? {
        GeomType::Sphere => Some(ConvexShape::Sphere(size)),
        GeomType::Capsule => Some(ConvexShape::Capsule(size)),
        GeomType::Ellipsoid => Some(ConvexShape::Ellipsoid(size)),
        GeomType::Cylinder => Some(ConvexShape::Cylinder(size)),
        GeomType::Box => Some(ConvexShape::Box(size)),
        GeomType::Mesh | GeomType::Sdf => Some(ConvexShape::Mesh(mesh)),
        _ => None,
    }
}

/// How the model wants convex collisions computed.
pub fn convex_options(model: &Model) -> ConvexOptions {
    ConvexOptions {
        iterations: model.opt.ccd_iterations,
        tolerance: model.opt.ccd_tolerance,
        native: model.opt.disableflags & disable::NATIVECCD == 0,
        multiple: model.opt.enableflags & enable::MULTICCD != 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meshes_of_pairs_are_those_of_their_geoms_whatever_came_before() {
        let mut model = Model { nmesh: 2, ngeom: 4, nmeshvert: 5, ..Model::default() };
        model.allocate();
        model.geom_dataid.copy_from_slice(&[0, 1, -1, 7]);
        model.mesh_vertadr.copy_from_slice(&[0, 3]);
        model.mesh_vertnum.copy_from_slice(&[3, 2]);
        let mut meshes = Meshes::of(&model);
        for (geom1, geom2) in (0..4).flat_map(|geom1| (0..4).map(move |geom2| (geom1, geom2))) {
            let geoms = [geom1, geom2];
            let counts = meshes.of_geoms(geoms).map(|mesh| mesh.vertices.len());
            assert_eq!(counts, geoms.map(|geom| mesh_shape(&model, model.geom_dataid[geom]).vertices.len()));
            assert_eq!(counts, geoms.map(|geom| [3, 2, 0, 0][geom]));
        }
    }
}
