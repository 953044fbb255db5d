//! Contact points of two geoms: hands their shapes and poses to the pair functions of `condyle-collide`.

use condyle_collide::convex::{CcdScratch, MeshShape};
use condyle_collide::pair;
use condyle_collide::pair::convex_convex::ConvexGeom;
use condyle_collide::{ContactBuffer, ContactPoint, Pose};
use condyle_model::{GeomType, Model};

use crate::data::Kinematics;

use super::shape::Meshes;
use super::{field, shape};

/// Work space of the narrow phase.
#[derive(Clone, Debug, Default)]
pub struct NarrowScratch {
    pub(super) points: ContactBuffer,
    pub(crate) ccd: CcdScratch,
    /// Pairs of a height field and a signed distance field met since somebody last took this.
    pub(crate) without_test: i32,
}

/// Whether a pair of types, lower number first, has a test: planes and height fields do not meet each other.
pub fn has_test(type1: GeomType, type2: GeomType) -> bool {
    type2 > GeomType::HField && type1 <= GeomType::Sdf && type2 <= GeomType::Sdf
}

/// Types of two geoms in ascending order, if the pair has a test.
pub fn types_with_test(model: &Model, geoms: [usize; 2]) -> Option<[GeomType; 2]> {
    let [Some(type1), Some(type2)] = geoms.map(|geom| model.geom_type(geom)) else {
        return None;
    };
    has_test(type1, type2).then_some([type1, type2])
}

/// Points from which the distance of two geoms is taken, types in ascending order: their contacts, and of two boxes also those points that
/// would not become contacts.
pub fn candidates<'a>(
    meshes: &mut Meshes,
    kinematics: &Kinematics,
    geoms: [usize; 2],
    types: [GeomType; 2],
    margin: f64,
    scratch: &'a mut NarrowScratch,
) -> &'a [ContactPoint] {
    if types != [GeomType::Box; 2] {
        return collide(meshes, kinematics, geoms, types, margin, scratch);
    }
    let model = meshes.model;
    let [size1, size2] = geoms.map(|geom| &model.geom_size[geom]);
    let [pose1, pose2] = geoms.map(|geom| pose(kinematics, geom));
    scratch.points.clear();
    pair::box_box::candidates(size1, &pose1, size2, &pose2, margin, &mut scratch.points);
    scratch.points.as_slice()
}

/// Contacts of two geoms whose types are in ascending order.
pub fn collide<'a>(
    meshes: &mut Meshes,
    kinematics: &Kinematics,
    geoms: [usize; 2],
    types: [GeomType; 2],
    margin: f64,
    scratch: &'a mut NarrowScratch,
) -> &'a [ContactPoint] {
    use GeomType::{Box, Capsule, Cylinder, Ellipsoid, HField, Mesh, Plane, Sdf, Sphere};
    let model = meshes.model;
    let NarrowScratch { points, ccd, without_test } = scratch;
    points.clear();
    let (size1, size2) = (&model.geom_size[geoms[0]], &model.geom_size[geoms[1]]);
    let (pose1, pose2) = (pose(kinematics, geoms[0]), pose(kinematics, geoms[1]));
    match types {
        [Plane, Sphere] => pair::plane_sphere::collide(size1, &pose1, size2, &pose2, margin, points),
        [Plane, Capsule] => pair::plane_capsule::collide(size1, &pose1, size2, &pose2, margin, points),
        [Plane, Cylinder] => pair::plane_cylinder::collide(size1, &pose1, size2, &pose2, margin, points),
        [Plane, Box] => pair::plane_box::collide(size1, &pose1, size2, &pose2, margin, points),
        [Plane, Ellipsoid | Mesh | Sdf] => {
            let [_, mesh] = meshes.of_geoms(geoms);
            let Some(convex) = shape::convex_shape(model, geoms[1], mesh) else { return &[] };
            let further = (model.geom_dataid[geoms[1]] >= 0).then_some(mesh);
            let radius = model.geom_rbound[geoms[1]];
            pair::plane_convex::collide(&pose1, convex, &pose2, further, radius, margin, points)
        }
        [Sphere, Sphere] => pair::sphere_sphere::collide(size1, &pose1, size2, &pose2, margin, points),
        [Sphere, Capsule] => pair::sphere_capsule::collide(size1, &pose1, size2, &pose2, margin, points),
        [Sphere, Cylinder] => pair::sphere_cylinder::collide(size1, &pose1, size2, &pose2, margin, points),
        [Sphere, Box] => pair::sphere_box::collide(size1, &pose1, size2, &pose2, margin, points),
        [Capsule, Capsule] => pair::capsule_capsule::collide(size1, &pose1, size2, &pose2, margin, points),
        [Capsule, Box] => pair::capsule_box::collide(size1, &pose1, size2, &pose2, margin, points),
        [Box, Box] => pair::box_box::collide(size1, &pose1, size2, &pose2, margin, points),
        [HField, Sphere | Capsule | Ellipsoid | Cylinder | Box | Mesh] => {
            let mesh = shape::mesh_shape(model, model.geom_dataid[geoms[1]]);
            let Some(geom) = convex_geom(model, geoms[1], pose2, &mesh) else { return &[] };
            let field = shape::height_field(model, model.geom_dataid[geoms[0]]);
            let options = shape::convex_options(model);
            pair::hfield_convex::collide(&field, &pose1, &geom, margin, &options, ccd, points)
        }
        [
            Sphere | Capsule | Ellipsoid | Cylinder | Box | Mesh,
            Sphere | Capsule | Ellipsoid | Cylinder | Box | Mesh,
        ] => {
            let [mesh1, mesh2] = meshes.of_geoms(geoms);
            let first = convex_geom(model, geoms[0], pose1, mesh1);
            let second = convex_geom(model, geoms[1], pose2, mesh2);
            let (Some(first), Some(second)) = (first, second) else { return &[] };
            let options = shape::convex_options(model);
            pair::convex_convex::collide(&first, &second, margin, &options, ccd, points)
        }
        [Sphere | Capsule | Ellipsoid | Cylinder | Box | Mesh | Sdf, Sdf] => {
            field::collide(model, geoms, [&pose1, &pose2], points)
        }
        _ => {
            *without_test += i32::from(types == [HField, Sdf]);
            0
        }
    };
    points.as_slice()
}

/// World pose of a geom.
pub fn pose(kinematics: &Kinematics, geom: usize) -> Pose {
    Pose { position: kinematics.geom_xpos[geom], rotation: kinematics.geom_xmat[geom] }
}

/// A convex geom at its pose, `mesh` being its mesh; `None` for shapes that are not convex.
pub fn convex_geom<'a>(
    model: &Model,
    geom: usize,
    pose: Pose,
    mesh: &'a MeshShape<'a>,
) -> Option<ConvexGeom<'a>> {
    let shape = shape::convex_shape(model, geom, mesh)?;
    Some(ConvexGeom { shape, pose, bounding_radius: model.geom_rbound[geom] })
}
