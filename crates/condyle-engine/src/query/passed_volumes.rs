//! Which bounding volumes collision detection and rays pass on their way, for drawings that mark them.
//!
//! The reference notes this in `bvh_active` while it works. The step of this engine leaves volumes out and notes nothing; here the way is gone
//! once more, from the poses in the data, by every volume that the reference visits.
//!
//! | passed by | nodes |
//! |---|---|
//! | two bodies or flexes | those that meet a node of the other tree |
//! | a ray of a rangefinder | inner nodes of a mesh that it crosses, and leaves whose faces are nearer than those before |
//! | the search between a mesh without octree and a distance field | the same, by the rays that stand for distances |

use condyle_collide::ray::{Ray, mesh};
use condyle_collide::sdf::{Watch, rays_through_mesh};
use condyle_collide::{ContactBuffer, Pose};
use condyle_math::Vec3;
use condyle_model::{GeomType, Model};

use crate::Data;
use crate::collision::walk::{Visitor, walk};
use crate::collision::{field, narrow};
use crate::data::timers::Timer;
use crate::sensor;

/// Which nodes are passed, by node; none before collisions were detected for the first time since the last reset.
pub fn passed_volumes(model: &Model, data: &Data) -> Vec<bool> {
    let mut marks = Marks { model, data, passed: vec![false; model.nbvh] };
    if data.timers.stats()[Timer::Collision as usize].number != 0 {
        walk(model, data, &mut marks);
        sensor::for_each_ray(model, data, |ray, geom| {
            if model.geom_type(geom) == Some(GeomType::Mesh) {
                marks.cast(ray, geom);
            }
        });
    }
    marks.passed
}

struct Marks<'a> {
    model: &'a Model,
    data: &'a Data,
    passed: Vec<bool>,
}

impl Marks<'_> {
    fn pose(&self, geom: usize) -> Pose {
        narrow::pose(&self.data.kinematics, geom)
    }

    fn mark(&mut self, node: usize) {
        if let Some(mark) = self.passed.get_mut(node) {
            *mark = true;
        }
    }

    /// A ray through the mesh of a geom.
    fn cast(&mut self, ray: &Ray, geom: usize) {
        let model = self.model;
        let (Some(surface), Some(mesh)) = (field::mesh_of(model, geom), model.geom_dataid(geom)) else {
            return;
        };
        let (bounds, pose) = (&model.geom_size[geom], self.pose(geom));
        let root = model.mesh_bvhadr[mesh].max(0) as usize;
        mesh::cast_passing(&surface, bounds, &pose, ray, |node| self.mark(root + node));
    }
}

impl Visitor for Marks<'_> {
    fn volumes(&mut self, nodes: [usize; 2]) {
        nodes.into_iter().for_each(|node| self.mark(node));
    }

    fn geoms(&mut self, geoms: [usize; 2]) {
        let types = geoms.map(|geom| self.model.geom_type(geom));
        if types == [Some(GeomType::Mesh), Some(GeomType::Sdf)]
            && field::octree(self.model, geoms[0]).is_none()
        {
            let [pose1, pose2] = geoms.map(|geom| self.pose(geom));
            let mut rays = MeshRays { marks: self, geom: geoms[0], pose: pose1 };
            let mut contacts = ContactBuffer::new();
            field::collide_watched(rays.marks.model, geoms, [&pose1, &pose2], &mut contacts, &mut rays);
        }
    }
}

/// The rays of a search that stand for the distance of its first field, a mesh.
struct MeshRays<'a, 'b> {
    marks: &'a mut Marks<'b>,
    geom: usize,
    pose: Pose,
}

impl MeshRays<'_, '_> {
    fn cast(&mut self, point: Vec3, gradient: bool) {
        let model = self.marks.model;
        let Some(surface) = field::mesh_of(model, self.geom) else { return };
        let bounds = &model.geom_size[self.geom];
        let (inwards, outwards) = rays_through_mesh(&surface, bounds, &self.pose, point, gradient);
        for ray in [Some(inwards), outwards].into_iter().flatten() {
            self.marks.cast(&ray, self.geom);
        }
    }
}

impl Watch for MeshRays<'_, '_> {
    fn value(&mut self, field: usize, point: Vec3) {
        if field == 0 {
            self.cast(point, false);
        }
    }

    fn gradient(&mut self, field: usize, point: Vec3) {
        if field == 0 {
            self.cast(point, true);
        }
    }
}
