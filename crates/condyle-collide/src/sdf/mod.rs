//! Signed distance fields and the contact search on them.
//!
//! A field is negative inside a shape, positive outside and zero on its surface; it need not be an exact distance. [`Field`] is any shape
//! seen as a field, in its own coordinates; [`search`] finds contacts between two of them.

mod bolt;
mod bowl;
mod gear;
mod nut;
mod octree;
mod pair;
mod primitive;
pub mod search;
mod shape;
mod thread;
mod torus;

pub use octree::Octree;
pub use pair::Watch;
pub use search::{SearchSettings, collide, collide_watched};
pub use shape::Shape;

use condyle_math::{Vec3, mat3, vec3};

use crate::ray::Ray;
use crate::ray::mesh::{self, Mesh};
use crate::{Pose, Size};

/// A distance that counts as far away.
const FAR: f64 = 1e10;
/// Step of the one-sided differences that stand for a gradient.
const STEP: f64 = 1e-8;

/// A shape as a signed distance field in its own coordinates.
#[derive(Clone, Copy, Debug)]
pub enum Field<'a> {
    /// The half space below z = 0.
    Plane,
    /// By its radius.
    Sphere(Size),
    /// By its radius and half length.
    Capsule(Size),
    /// By its half axes.
    Ellipsoid(Size),
    /// By its radius and half length.
    Cylinder(Size),
    /// By its half sizes.
    Box(Size),
    /// One of the built-in shapes that exist only as fields.
    Shape(Shape),
    /// Values on an octree around a mesh.
    Octree(Octree<'a>),
    /// A mesh without an octree, measured by rays towards the world's origin.
    Mesh {
        /// Its surface and bounding boxes.
        mesh: Mesh<'a>,
        /// Half sizes of the box around it.
        bounds: Size,
        /// Its place in the world.
        pose: Pose,
    },
}

impl Field<'_> {
    /// The value at a local point.
    pub fn distance(&self, x: Vec3) -> f64 {
        match self {
            Field::Plane => x[2],
            Field::Sphere(size) => primitive::sphere_distance(size, x),
            Field::Capsule(size) => primitive::capsule_distance(size, x),
            Field::Ellipsoid(size) => primitive::ellipsoid_distance(size, x),
            Field::Cylinder(size) => primitive::cylinder_distance(size, x),
            Field::Box(size) => primitive::box_distance(size, x),
            Field::Shape(shape) => shape.distance(x),
            Field::Octree(octree) => octree.distance(x),
            Field::Mesh { mesh, bounds, pose } => {
                let (inwards, length) = towards_origin(pose, x);
                let hit = mesh_distance(mesh, bounds, pose, &inwards);
                if hit > length {
                    return -mesh_distance(mesh, bounds, pose, &outwards(&inwards));
                }
                hit
            }
        }
    }

    /// The gradient at a local point; not always a unit vector.
    pub fn gradient(&self, x: Vec3) -> Vec3 {
        match self {
            Field::Plane => [0.0, 0.0, 1.0],
            Field::Sphere(_) => primitive::sphere_gradient(x),
            Field::Capsule(size) => primitive::capsule_gradient(size, x),
            Field::Ellipsoid(size) => primitive::ellipsoid_gradient(size, x),
            Field::Cylinder(size) => primitive::cylinder_gradient(size, x),
            Field::Box(size) => primitive::box_gradient(size, x),
            Field::Shape(shape) => shape.gradient(x),
            Field::Octree(octree) => octree.gradient(x),
            Field::Mesh { mesh, bounds, pose } => {
                let (inwards, length) = towards_origin(pose, x);
                let inside = mesh_distance(mesh, bounds, pose, &inwards) > length;
                [if inside { 1.0 } else { -1.0 }; 3]
            }
        }
    }
}

/// The rays that the value of a mesh at a local point, or its gradient, casts, in order.
pub fn rays_through_mesh(
    mesh: &Mesh,
    bounds: &Size,
    pose: &Pose,
    x: Vec3,
    gradient: bool,
) -> (Ray, Option<Ray>) {
    let (inwards, length) = towards_origin(pose, x);
    let inside = !gradient && mesh_distance(mesh, bounds, pose, &inwards) > length;
    (inwards, inside.then(|| outwards(&inwards)))
}

/// The ray from a local point of a mesh to the origin of the world, and its length.
fn towards_origin(pose: &Pose, x: Vec3) -> (Ray, f64) {
    let origin = vec3::add(mat3::mul_vec(&pose.rotation, x), pose.position);
    let direction = [-origin[0], -origin[1], -origin[2]];
    (Ray { origin, direction }, vec3::norm(direction))
}

/// The ray back.
fn outwards(inwards: &Ray) -> Ray {
    Ray { direction: vec3::scale(inwards.direction, -1.0), origin: inwards.origin }
}

/// Distance to a mesh along a ray, −1 for none.
fn mesh_distance(mesh: &Mesh, bounds: &Size, pose: &Pose, ray: &Ray) -> f64 {
    mesh::cast(mesh, bounds, pose, ray).map_or(-1.0, |hit| hit.distance)
}

/// Gradient by one-sided differences.
fn difference_gradient(distance: impl Fn(Vec3) -> f64, x: Vec3) -> Vec3 {
    let here = distance(x);
    std::array::from_fn(|axis| {
        let mut moved = x;
        moved[axis] += STEP;
        (distance(moved) - here) / STEP
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields() -> [Field<'static>; 11] {
        let size = [0.5, 0.75, 0.25];
        [
            Field::Plane,
            Field::Sphere(size),
            Field::Capsule(size),
            Field::Ellipsoid(size),
            Field::Cylinder(size),
            Field::Box(size),
            Field::Shape(Shape::Bolt { radius: 0.26 }),
            Field::Shape(Shape::Bowl { height: 0.4, radius: 1.0, thickness: 0.02 }),
            Field::Shape(Shape::Gear {
                alpha: 0.0,
                diameter: 2.8,
                teeth: 25.0,
                thickness: 0.2,
                inner_diameter: -1.0,
            }),
            Field::Shape(Shape::Nut { radius: 0.26 }),
            Field::Shape(Shape::Torus { major: 0.35, minor: 0.15 }),
        ]
    }

    #[test]
    fn far_points_are_outside_and_the_gradient_points_away() {
        for field in fields() {
            let x = [3.0, 2.0, 4.0];
            assert!(field.distance(x) > 0.5, "{field:?}");
            assert!(vec3::dot(field.gradient(x), x) > 0.0, "{field:?}");
        }
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_distance() {
        for field in &fields()[..6] {
            let x = [0.7, 0.55, 0.9];
            let numeric = difference_gradient(|x| field.distance(x), x);
            assert!(vec3::distance(numeric, field.gradient(x)) < 1e-1, "{field:?}");
        }
    }

    #[test]
    fn bad_numbers_do_not_panic() {
        let mut finite = 0;
        for field in fields() {
            for value in [f64::NAN, f64::INFINITY, -f64::INFINITY, 0.0, 1e300] {
                for place in 0..3 {
                    let mut x = [0.25, 0.5, 0.125];
                    x[place] = value;
                    let _ = field.gradient(x);
                    finite += usize::from(field.distance(x).is_finite());
                }
            }
        }
        assert!(finite > 30);
    }
}
