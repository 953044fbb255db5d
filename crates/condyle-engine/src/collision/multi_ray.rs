//! Many rays from one point: geoms that no ray can meet are set aside once, by filter, distance and the directions under which their
//! bounding boxes are seen. Reference: `mj_multiRay`.

use condyle_collide::Pose;
use condyle_collide::ray::angular::{AngularBounds, Direction};
use condyle_collide::ray::{Ray, sphere};
use condyle_math::{MIN_VALUE, Vec3, vec3};
use condyle_model::Model;

use super::ray::{RayFilter, SceneHit, cast_geom};
use crate::data::Kinematics;

/// What is known of the geoms before any ray is cast; reused from call to call.
#[derive(Clone, Debug, Default)]
pub struct MultiRayScratch {
    geoms: Vec<Candidate>,
}

/// How a geom is seen from the common origin.
#[derive(Clone, Copy, Debug)]
enum Candidate {
    /// No ray meets it.
    Out,
    /// Only rays in a range of directions can meet it.
    Within(AngularBounds),
}

/// Cast a ray from `origin` along each of `directions` and hand every result to `found`, in order. Geoms farther than `cutoff` may be
/// passed over. A direction without length meets nothing.
pub fn cast_many(
    model: &Model,
    kinematics: &Kinematics,
    origin: Vec3,
    directions: impl IntoIterator<Item = Vec3>,
    filter: &RayFilter,
    cutoff: f64,
    scratch: &mut MultiRayScratch,
    mut found: impl FnMut(usize, Option<SceneHit>),
) {
    prepare(model, kinematics, origin, filter, cutoff, &mut scratch.geoms);
    for (index, direction) in directions.into_iter().enumerate() {
        let too_short = vec3::dot(direction, direction) < MIN_VALUE;
        let ray = Ray { origin, direction };
        found(index, if too_short { None } else { cast_one(model, kinematics, &ray, &scratch.geoms) });
    }
}

fn prepare(
    model: &Model,
    kinematics: &Kinematics,
    eye: Vec3,
    filter: &RayFilter,
    cutoff: f64,
    geoms: &mut Vec<Candidate>,
) {
    geoms.clear();
    geoms.extend((0..model.ngeom).map(|geom| {
        if !filter.accepts(model, geom) {
            return Candidate::Out;
        }
        if model.body_bvhadr[model.geom_bodyid[geom] as usize] == -1 {
            return Candidate::Within(AngularBounds::ALL);
        }
        let pose = Pose { position: kinematics.geom_xpos[geom], rotation: kinematics.geom_xmat[geom] };
        if vec3::distance(pose.position, eye) > cutoff + model.geom_rbound[geom] {
            return Candidate::Out;
        }
        Candidate::Within(AngularBounds::of_box(&model.geom_aabb[geom], &pose, eye))
    }));
}

/// The geoms that [`cast_many`] compares with each ray, in order.
pub fn compared_by_many(
    model: &Model,
    kinematics: &Kinematics,
    origin: Vec3,
    directions: impl IntoIterator<Item = Vec3>,
    filter: &RayFilter,
    cutoff: f64,
    mut compared: impl FnMut(&Ray, usize),
) {
    let mut geoms = Vec::new();
    prepare(model, kinematics, origin, filter, cutoff, &mut geoms);
    for direction in directions {
        let ray = Ray { origin, direction };
        if vec3::dot(direction, direction) >= MIN_VALUE {
            compare(model, kinematics, &ray, &geoms, |geom| compared(&ray, geom));
        }
    }
}

fn cast_one(model: &Model, kinematics: &Kinematics, ray: &Ray, geoms: &[Candidate]) -> Option<SceneHit> {
    let mut nearest: Option<SceneHit> = None;
    compare(model, kinematics, ray, geoms, |geom| {
        if let Some(hit) = cast_geom(model, kinematics, ray, geom)
            && nearest.is_none_or(|nearest| hit.distance < nearest.hit.distance)
        {
            nearest = Some(SceneHit { geom, hit });
        }
    });
    nearest
}

/// Call `with` for every geom that a ray may meet.
#[inline(always)]
fn compare(
    model: &Model,
    kinematics: &Kinematics,
    ray: &Ray,
    geoms: &[Candidate],
    mut with: impl FnMut(usize),
) {
    let direction = Direction::of(ray.direction);
    for body in 0..model.nbody {
        let tree = model.body_bvhadr(body);
        if tree.is_some_and(|tree| misses_body(model, kinematics, ray, body, tree)) {
            continue;
        }
        for geom in super::filter::geoms_of(model, body) {
            let Candidate::Within(bounds) = &geoms[geom] else { continue };
            if tree.is_some() && !bounds.contains(direction) {
                continue;
            }
            with(geom);
        }
    }
}

/// Whether a ray misses the sphere around the root of a body's bounding volumes. The reference adds the box's centre, which is in the
/// frame of the body's inertia, to its position without turning it.
fn misses_body(model: &Model, kinematics: &Kinematics, ray: &Ray, body: usize, tree: usize) -> bool {
    let aabb = &model.bvh_aabb[tree];
    let squared = aabb[3] * aabb[3] + aabb[4] * aabb[4] + aabb[5] * aabb[5];
    let center = vec3::add([aabb[0], aabb[1], aabb[2]], kinematics.xipos[body]);
    sphere::distance(center, squared, ray).is_none()
}

#[cfg(test)]
mod tests {
    use condyle_model::GeomType;

    use super::*;
    use crate::Data;
    use crate::collision::ray::cast;

    /// Spheres on the world body, without bounding volumes.
    fn scene() -> (Model, Data) {
        let mut model = Model { nbody: 1, ngeom: 3, ..Model::default() };
        model.allocate();
        model.body_treeid.fill(-1);
        model.body_mocapid.fill(-1);
        model.body_bvhadr.fill(-1);
        model.body_geomnum.fill(3);
        model.geom_matid.fill(-1);
        model.geom_rgba.fill([1.0; 4]);
        model.geom_type.fill(GeomType::Sphere as i32);
        model.geom_size.fill([0.5; 3]);
        let mut data = Data::new(&model);
        data.kinematics.geom_xpos.copy_from_slice(&[[2.0, 0.0, 0.0], [0.0, 3.0, 0.0], [4.0, 0.0, 0.0]]);
        (model, data)
    }

    #[test]
    fn every_ray_finds_what_it_would_find_alone() {
        let (model, data) = scene();
        let directions = [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.1, 0.05]];
        let mut found = Vec::new();
        cast_many(
            &model,
            &data.kinematics,
            [0.0; 3],
            directions,
            &RayFilter::ALL,
            1e10,
            &mut MultiRayScratch::default(),
            |_, hit| found.push(hit),
        );
        let alone = directions.map(|direction| {
            cast(&model, &data.kinematics, &Ray { origin: [0.0; 3], direction }, &RayFilter::ALL)
        });
        assert_eq!(found, alone);
        assert_eq!(found[0].map(|hit| (hit.geom, hit.hit.distance)), Some((0, 1.5)));
        assert_eq!(found[2], None);
    }

    #[test]
    fn a_direction_without_length_meets_nothing() {
        let (model, data) = scene();
        let mut scratch = MultiRayScratch::default();
        let origin = data.kinematics.geom_xpos[0];
        cast_many(
            &model,
            &data.kinematics,
            origin,
            [[0.0; 3]],
            &RayFilter::ALL,
            1e10,
            &mut scratch,
            |_, hit| {
                assert_eq!(hit, None);
            },
        );
    }
}
