//! A convex shape at a pose, as the convex algorithms see it.

use condyle_math::{Vec3, vec3};

use super::MeshShape;
use crate::{Pose, Size};

/// A convex set in its own frame.
#[derive(Clone, Copy, Debug)]
pub enum ConvexShape<'a> {
    /// `size[0]`: radius.
    Sphere(Size),
    /// `size[0]`: radius; `size[1]`: half length of the segment along z.
    Capsule(Size),
    /// `size`: semi-axes.
    Ellipsoid(Size),
    /// `size[0]`: radius; `size[1]`: half height along z.
    Cylinder(Size),
    /// `size`: half extents.
    Box(Size),
    /// Convex hull of a mesh.
    Mesh(&'a MeshShape<'a>),
    /// One cell half of a height field, in world coordinates: three bottom corners, then the three above them. The pose is unused.
    Prism(&'a [Vec3; 6]),
    /// Element or vertex of a flexible body, in world coordinates. The pose is unused.
    Element(&'a Element),
}

/// Convex hull of up to four points, thickened by a radius: a ball, capsule, rounded triangle or rounded tetrahedron.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Element {
    /// Corners; those from `count` on are unused.
    pub vertices: [Vec3; 4],
    /// 1 to 4.
    pub count: usize,
    /// A point inside.
    pub center: Vec3,
    /// Thickness around the hull, m.
    pub radius: f64,
}

impl Element {
    /// A ball.
    pub fn of_vertex(vertex: Vec3, radius: f64) -> Self {
        Self { vertices: [vertex, [0.0; 3], [0.0; 3], [0.0; 3]], count: 1, center: vertex, radius }
    }

    /// The corners in use.
    #[inline]
    pub fn corners(&self) -> &[Vec3] {
        &self.vertices[..self.count.clamp(1, 4)]
    }

    /// The point farthest along `direction`, thickened by the radius and half of `margin`. The first of several wins.
    #[inline]
    pub(crate) fn support(&self, direction: Vec3, margin: f64) -> Vec3 {
        let [first, others @ ..] = self.corners() else { return [0.0; 3] };
        let mut best = (*first, vec3::dot(*first, direction));
        for corner in others {
            let projection = vec3::dot(*corner, direction);
            if projection > best.1 {
                best = (*corner, projection);
            }
        }
        vec3::add_scaled(best.0, direction, self.radius + 0.5 * margin)
    }
}

/// A shape at a pose, inflated by half of `margin`, with the memory of the last support point that warm-starts mesh searches.
#[derive(Clone, Debug)]
pub struct ConvexObject<'a> {
    /// The shape in its own frame.
    pub shape: ConvexShape<'a>,
    /// Its place in the world.
    pub pose: Pose,
    /// Added thickness, m; half of it lies on this object.
    pub margin: f64,
    /// Support looks at the core (point of a sphere, segment of a capsule) instead of the surface.
    pub(crate) use_core: bool,
    /// Last support vertex: corner bits of a box, vertex of a mesh, −1 before the first search and for smooth shapes.
    pub(crate) vertex: i32,
    /// Last support vertex of a mesh as hull vertex; −1 before the first search.
    pub(crate) hull_vertex: i32,
}

impl<'a> ConvexObject<'a> {
    /// A fresh object without search memory.
    pub fn new(shape: ConvexShape<'a>, pose: Pose, margin: f64) -> Self {
        Self { shape, pose, margin, use_core: false, vertex: -1, hull_vertex: -1 }
    }

    /// A point inside the shape.
    #[inline]
    pub fn center(&self) -> Vec3 {
        match &self.shape {
            ConvexShape::Prism(corners) => {
                let mut sum = [0.0; 3];
                for corner in *corners {
                    sum = vec3::add(sum, *corner);
                }
                vec3::scale(sum, 1.0 / 6.0)
            }
            ConvexShape::Element(element) => element.center,
            _ => self.pose.position,
        }
    }

    /// Radius around the core of a sphere or capsule.
    #[inline]
    pub(crate) fn core_radius(&self) -> Option<f64> {
        match &self.shape {
            ConvexShape::Sphere(size) | ConvexShape::Capsule(size) => Some(size[0]),
            _ => None,
        }
    }

    /// Whether support points come from a finite set of vertices.
    #[inline]
    pub(crate) fn is_polyhedron(&self) -> bool {
        matches!(self.shape, ConvexShape::Box(_) | ConvexShape::Mesh(_) | ConvexShape::Prism(_))
    }
}

/// Whether both objects are polyhedra without margin: the algorithms then end after finitely many vertices.
#[inline]
pub(crate) fn both_discrete(first: &ConvexObject, second: &ConvexObject) -> bool {
    if first.margin != 0.0 || second.margin != 0.0 {
        return false;
    }
    first.is_polyhedron() && second.is_polyhedron()
}
