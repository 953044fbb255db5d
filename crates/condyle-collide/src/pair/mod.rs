//! Closed-form contacts, one file per pair of shapes.
//!
//! Every `collide(size1, pose1, size2, pose2, margin, out)` appends the contacts whose distance is within `margin` and returns how many
//! there are. Normals point from the first shape to the second. The order of operations inside decides the last bit of the
//! result and is kept as the reference has it.

pub mod box_box;
pub mod box_triangle;
pub mod capsule_box;
pub mod capsule_capsule;
pub mod capsule_triangle;
pub mod convex_convex;
pub mod convex_element;
pub mod face_vertex;
pub mod hfield_convex;
pub mod hfield_element;
pub mod plane_box;
pub mod plane_capsule;
pub mod plane_convex;
pub mod plane_cylinder;
pub mod plane_sphere;
pub mod plane_vertex;
pub mod sphere_box;
pub mod sphere_capsule;
pub mod sphere_cylinder;
pub mod sphere_sphere;
pub mod sphere_triangle;

#[cfg(test)]
mod test_shapes;
