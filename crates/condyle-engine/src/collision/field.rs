//! Geoms seen as signed distance fields: the built-in shapes of plugins, octrees of meshes, and primitive shapes.

use condyle_collide::ray::mesh::Mesh;
use condyle_collide::sdf::search::PlacedField;
use condyle_collide::sdf::{self, Field, Octree, SearchSettings, Watch};
use condyle_collide::{ContactBuffer, Pose};
use condyle_model::{GeomType, Model};

use super::plugin_shape;
use super::shape::part;

/// Contacts of two geoms of which the second is an SDF geom.
pub fn collide(model: &Model, geoms: [usize; 2], poses: [&Pose; 2], out: &mut ContactBuffer) -> usize {
    collide_watched(model, geoms, poses, out, &mut ())
}

/// [`collide`] while somebody watches where the two fields are evaluated.
pub fn collide_watched(
    model: &Model,
    geoms: [usize; 2],
    poses: [&Pose; 2],
    out: &mut ContactBuffer,
    watch: &mut impl Watch,
) -> usize {
    let (Some(first), Some(second)) = (partner(model, geoms[0], poses[0]), of_sdf_geom(model, geoms[1]))
    else {
        return 0;
    };
    let settings = SearchSettings {
        starts: model.opt.sdf_initpoints.max(0) as usize,
        iterations: model.opt.sdf_iterations.max(0) as usize,
    };
    let [aabb1, aabb2] = geoms.map(|geom| &model.geom_aabb[geom]);
    sdf::collide_watched(
        PlacedField { field: &first, pose: poses[0], aabb: aabb1 },
        PlacedField { field: &second, pose: poses[1], aabb: aabb2 },
        settings,
        out,
        watch,
    )
}

/// Field of an SDF geom: its plugin's shape, or the octree of its mesh.
pub fn of_sdf_geom(model: &Model, geom: usize) -> Option<Field<'_>> {
    match model.geom_plugin(geom) {
        Some(instance) => plugin_shape::shape(model, instance).map(Field::Shape),
        None => octree(model, model.geom_dataid(geom)?).map(Field::Octree),
    }
}

/// Field of a geom that is given by its size; `None` for other geoms.
pub fn of_primitive(model: &Model, geom: usize) -> Option<Field<'static>> {
    let size = model.geom_size[geom];
    Some(match model.geom_type(geom)? {
        GeomType::Plane => Field::Plane,
        GeomType::Sphere => Field::Sphere(size),
        GeomType::Capsule => Field::Capsule(size),
        GeomType::Ellipsoid => Field::Ellipsoid(size),
        GeomType::Cylinder => Field::Cylinder(size),
        GeomType::Box => Field::Box(size),
        _ => return None,
    })
}

/// Field of the geom that meets an SDF geom. The reference looks for the octree of a mesh geom under the number of the geom.
fn partner<'a>(model: &'a Model, geom: usize, pose: &Pose) -> Option<Field<'a>> {
    match model.geom_type(geom)? {
        GeomType::Sdf => of_sdf_geom(model, geom),
        GeomType::Mesh => octree(model, geom).map(Field::Octree).or_else(|| {
            Some(Field::Mesh { mesh: mesh_of(model, geom)?, bounds: model.geom_size[geom], pose: *pose })
        }),
        _ => of_primitive(model, geom),
    }
}

/// Octree of mesh `mesh`, if it has one.
pub fn octree(model: &Model, mesh: usize) -> Option<Octree<'_>> {
    let (start, count) = (*model.mesh_octadr.get(mesh)?, model.mesh_octnum[mesh]);
    (start >= 0 && count > 0).then(|| Octree {
        node_aabb: part(&model.oct_aabb, start, count),
        node_child: part(&model.oct_child, start, count),
        node_value: part(&model.oct_coeff, start, count),
    })
}

/// Triangles of a mesh geom with their bounding volumes.
pub fn mesh_of(model: &Model, geom: usize) -> Option<Mesh<'_>> {
    let mesh = model.geom_dataid(geom).filter(|&mesh| mesh < model.nmesh)?;
    let (tree, nodes) = (model.mesh_bvhadr[mesh], model.mesh_bvhnum[mesh]);
    Some(Mesh {
        vertices: part(&model.mesh_vert, model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]),
        faces: part(&model.mesh_face, model.mesh_faceadr[mesh], model.mesh_facenum[mesh]),
        node_aabb: part(&model.bvh_aabb, tree, nodes),
        node_child: part(&model.bvh_child, tree, nodes),
        node_face: part(&model.bvh_nodeid, tree, nodes),
    })
}
