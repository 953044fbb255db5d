//! A flex as collision detection sees it, borrowed from the arrays of model and data.

use condyle_collide::convex::Element;
use condyle_collide::pair::sphere_triangle::Triangle;
use condyle_collide::{Pose, Size};
use condyle_math::{Vec3, quat, vec3};
use condyle_model::Model;

use crate::collision::shape::part;
use crate::data::Flexes;

/// Vertices and elements of one flex in the world.
#[derive(Clone, Copy)]
pub(super) struct FlexShape<'a> {
    pub flex: usize,
    /// 1: segments, 2: triangles, 3: tetrahedra.
    pub dimension: usize,
    pub radius: f64,
    pub vertices: &'a [Vec3],
    /// Bodies of the vertices; −1 for interpolated ones.
    pub bodies: &'a [i32],
    /// Boxes of the elements: centre and half extents.
    pub boxes: &'a [[f64; 6]],
    /// Vertices of all elements.
    corners: &'a [i32],
    /// Layers between each element and the surface.
    layers: &'a [i32],
    active_layers: i32,
}

impl<'a> FlexShape<'a> {
    pub(super) fn new(model: &'a Model, flexes: &'a Flexes, flex: usize) -> Self {
        let (first, count) = (model.flex_vertadr[flex], model.flex_vertnum[flex]);
        let (first_element, elements) = (model.flex_elemadr[flex], model.flex_elemnum[flex]);
        let dimension = model.flex_dim[flex].clamp(1, 3);
        Self {
            flex,
            dimension: dimension as usize,
            radius: model.flex_radius[flex],
            vertices: part(&flexes.flexvert_xpos, first, count),
            bodies: part(&model.flex_vertbodyid, first, count),
            boxes: part(&flexes.flexelem_aabb, first_element, elements),
            corners: part(
                &model.flex_elem,
                model.flex_elemdataadr[flex],
                elements.saturating_mul(dimension + 1),
            ),
            layers: part(&model.flex_elemlayer, first_element, elements),
            active_layers: model.flex_activelayers[flex],
        }
    }

    /// Number of elements.
    pub(super) fn element_count(&self) -> usize {
        self.boxes.len()
    }

    /// Vertices of an element.
    #[inline]
    pub(super) fn corners_of(&self, element: usize) -> &'a [i32] {
        let width = self.dimension + 1;
        self.corners.get(element * width..(element + 1) * width).unwrap_or_default()
    }

    /// Position of a vertex; the origin if there is no such vertex.
    #[inline]
    pub(super) fn vertex(&self, vertex: i32) -> Vec3 {
        self.vertices.get(vertex as usize).copied().unwrap_or_default()
    }

    /// Positions of the first corners of an element.
    #[inline]
    pub(super) fn positions<const N: usize>(&self, element: usize) -> [Vec3; N] {
        let corners = self.corners_of(element);
        std::array::from_fn(|i| corners.get(i).map_or([0.0; 3], |corner| self.vertex(*corner)))
    }

    /// An element as a convex shape.
    #[inline]
    pub(super) fn element(&self, element: usize) -> Element {
        let [x, y, z, ..] = self.boxes[element];
        Element {
            vertices: self.positions(element),
            count: self.dimension + 1,
            center: [x, y, z],
            radius: self.radius,
        }
    }

    /// A triangle.
    pub(super) fn triangle(&self, element: usize) -> Triangle {
        Triangle { vertices: self.positions(element), radius: self.radius }
    }

    /// A segment as a capsule.
    pub(super) fn capsule(&self, element: usize) -> (Size, Pose) {
        let [v1, v2] = self.positions(element);
        let (axis, length) = vec3::normalize(vec3::sub(v1, v2));
        let pose = Pose {
            position: vec3::scale(vec3::add(v1, v2), 0.5),
            rotation: quat::to_mat(&quat::z_to_vec(axis)),
        };
        ([self.radius, 0.5 * length, 0.0], pose)
    }

    /// Whether an element takes part in collisions of the flex with itself: of tetrahedra only those near the surface.
    #[inline]
    pub(super) fn is_active(&self, element: usize) -> bool {
        self.dimension < 3 || self.layers.get(element).is_some_and(|layer| *layer < self.active_layers)
    }

    /// Bodies of the corners of an element; −1 for none.
    pub(super) fn bodies_of(&self, element: usize) -> [i32; 4] {
        let mut bodies = [-1; 4];
        for (body, corner) in bodies.iter_mut().zip(self.corners_of(element)) {
            *body = self.body_of(*corner);
        }
        bodies
    }

    /// Whether a vertex of an element moves with `body`.
    pub(super) fn has_corner_on(&self, element: usize, body: i32) -> bool {
        body >= 0 && self.corners_of(element).iter().any(|corner| self.body_of(*corner) == body)
    }

    /// Body of a vertex; −1 for none.
    #[inline]
    pub(super) fn body_of(&self, vertex: i32) -> i32 {
        self.bodies.get(vertex as usize).copied().unwrap_or(-1)
    }
}
