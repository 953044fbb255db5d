//! Support tables of the hulls that can collide, made once per model and shared by everybody who simulates it.

use std::sync::Arc;

use condyle_collide::convex::SupportTable;
use condyle_model::{GeomType, Model, Prepared};

use super::shape;

/// The tables of a model, and what they were made from.
struct SupportTables {
    revisions: [Option<u64>; 2],
    meshes: Vec<Option<MeshTable>>,
}

/// The table of one mesh, and where its vertices and its hull start.
pub(crate) struct MeshTable {
    table: Arc<SupportTable>,
    places: [i32; 3],
}

/// Make the tables of a model if that was not done yet.
pub(crate) fn prepare(model: &Model) {
    prepare_with(model, |_| None);
}

/// As [`prepare`], with tables that are kept beside the meshes the model was made from.
pub(crate) fn prepare_with<'k>(model: &Model, kept: impl Fn(usize) -> Option<&'k Prepared>) {
    model.prepared.get_or_make(|| SupportTables {
        revisions: revisions(model),
        meshes: (0..model.nmesh).map(|mesh| mesh_table(model, mesh, kept(mesh))).collect(),
    });
}

/// The tables of a model that still belong to it.
#[derive(Clone, Copy)]
pub(crate) struct Tables<'a>(&'a [Option<MeshTable>]);

impl<'a> Tables<'a> {
    /// None if they were not made or if the model was edited since.
    pub(crate) fn of(model: &'a Model) -> Self {
        let unchanged = |tables: &&SupportTables| {
            tables.revisions.iter().all(Option::is_some) && tables.revisions == revisions(model)
        };
        Self(model.prepared.get().filter(unchanged).map_or(&[], |tables| &tables.meshes))
    }

    /// The table of a mesh; `None` if there is none or if it is for another part of the vertices.
    #[inline]
    pub(crate) fn of_mesh(&self, model: &Model, mesh: usize) -> Option<&'a SupportTable> {
        let found = self.0.get(mesh)?.as_ref()?;
        (found.places == places(model, mesh)).then_some(&found.table)
    }
}

fn revisions(model: &Model) -> [Option<u64>; 2] {
    [model.mesh_vert.revision(), model.mesh_graph.revision()]
}

fn places(model: &Model, mesh: usize) -> [i32; 3] {
    [model.mesh_vertadr[mesh], model.mesh_vertnum[mesh], model.mesh_graphadr[mesh]]
}

fn mesh_table(model: &Model, mesh: usize, kept: Option<&Prepared>) -> Option<MeshTable> {
    let index = i32::try_from(mesh).ok()?;
    let uses = |geom: usize| {
        model.geom_dataid[geom] == index
            && model.geom_type(geom) == Some(GeomType::Mesh)
            && (model.geom_contype[geom] != 0 || model.geom_conaffinity[geom] != 0 || is_paired(model, geom))
    };
    if !(0..model.ngeom).any(uses) {
        return None;
    }
    let make = || SupportTable::new(&shape::mesh_shape(model, index)).map(Arc::new);
    let table = match kept.and_then(|kept| kept.get_or_make(make)) {
        Some(table) => table.clone(),
        None => make(),
    };
    Some(MeshTable { table: table?, places: places(model, mesh) })
}

/// Whether a geom is named in a `<pair>`.
fn is_paired(model: &Model, geom: usize) -> bool {
    let named = |geoms: &[i32]| geoms.iter().any(|&other| usize::try_from(other) == Ok(geom));
    named(&model.pair_geom1) || named(&model.pair_geom2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has_table(model: &Model) -> bool {
        Tables::of(model).of_mesh(model, 0).is_some()
    }

    /// An octahedron with a hull, used by one geom.
    fn octahedron() -> Model {
        let mut model = Model { nmesh: 1, ngeom: 1, nmeshvert: 6, nmeshgraph: 44, ..Model::default() };
        model.allocate();
        let mut graph = vec![6, 8];
        graph.extend((0..6).map(|vertex| 5 * vertex));
        graph.extend(0..6);
        for vertex in 0..6i32 {
            model.mesh_vert[vertex as usize][vertex as usize / 2] = if vertex % 2 == 0 { 1.0 } else { -1.0 };
            graph.extend((0..6).filter(|other| other / 2 != vertex / 2));
            graph.push(-1);
        }
        model.mesh_graph.copy_from_slice(&graph);
        model.mesh_vertnum[0] = 6;
        model.geom_type[0] = GeomType::Mesh as i32;
        model.geom_contype[0] = 1;
        model
    }

    #[test]
    fn an_edited_or_exposed_mesh_has_no_table_until_it_is_made_anew() {
        let mut model = octahedron();
        prepare(&model);
        assert!(has_table(&model));
        assert!(has_table(&model.clone()));
        model.mesh_vert[0][0] = 2.0;
        assert!(!has_table(&model));
        model.prepared.forget();
        prepare(&model);
        assert!(has_table(&model));
        model.expose("mesh_graph");
        assert!(!has_table(&model));
    }
}
