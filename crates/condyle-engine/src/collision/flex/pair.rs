//! Contacts of single parts: plane with vertices, geom with element, element with element, element with vertex.
//!
//! Elements do not touch a geom or element that moves with the body of one of their vertices. Margin and gap do not count within one flex.
//! Reference: `mj_collideGeomElem`, `mj_collideElems`, `mj_collideElemVert`.

use condyle_collide::convex::{ConvexShape, Element};
use condyle_collide::pair;
use condyle_collide::{ContactBuffer, Pose};
use condyle_math::{mat3, vec3};
use condyle_model::GeomType;

use super::shape::FlexShape;
use crate::collision::parameters::{self, ContactParameters, Surface, Touching};
use crate::collision::{Detector, filter, narrow, shape};

impl Detector<'_> {
    /// Turn the points found last into contacts.
    fn add_points(&mut self, touching: Touching, margin: f64, parameters: &ContactParameters) {
        for point in self.narrow.points.as_slice() {
            self.contacts.extend(parameters::contact(self.model, point, touching, margin, parameters));
        }
    }

    /// Test the vertices of a flex against a plane.
    pub(super) fn test_plane_with_flex(&mut self, geom: usize, flex: &FlexShape) {
        let model = self.model;
        let margin = model.geom_margin[geom] + model.flex_margin[flex.flex];
        let margin = parameters::effective_margin(model, margin);
        let parameters = parameters::mixed(model, [Surface::Geom(geom), Surface::Flex(flex.flex)]);
        let plane = narrow::pose(self.kinematics, geom);
        for (index, vertex) in flex.vertices.iter().enumerate() {
            let Some(point) = pair::plane_vertex::contact(&plane, *vertex, flex.radius, margin) else {
                continue;
            };
            let touching = Touching {
                geom: [geom as i32, -1],
                flex: [-1, flex.flex as i32],
                vert: [-1, index as i32],
                ..Touching::NONE
            };
            self.contacts.extend(parameters::contact(model, &point, touching, margin, &parameters));
        }
    }

    /// Test a geom that is no plane against an element.
    pub(super) fn test_geom_with_element(&mut self, geom: usize, flex: &FlexShape, element: usize) {
        let model = self.model;
        let margin = model.geom_margin[geom] + model.flex_margin[flex.flex];
        let margin = parameters::effective_margin(model, margin);
        if !self.has_midphase() {
            let (center, radius) = (self.kinematics.geom_xpos[geom], model.geom_rbound[geom]);
            if filter::sphere_apart(center, radius + margin, &flex.boxes[element]) {
                return;
            }
        }
        if flex.has_corner_on(element, model.geom_bodyid[geom]) {
            return;
        }
        self.narrow.points.clear();
        self.find_geom_points(geom, flex, element, margin);
        if self.narrow.points.is_empty() {
            return;
        }
        let parameters = parameters::mixed(model, [Surface::Geom(geom), Surface::Flex(flex.flex)]);
        let touching = Touching {
            geom: [geom as i32, -1],
            flex: [-1, flex.flex as i32],
            elem: [-1, element as i32],
            ..Touching::NONE
        };
        self.add_points(touching, margin, &parameters);
    }

    fn find_geom_points(&mut self, geom: usize, flex: &FlexShape, element: usize, margin: f64) {
        use GeomType::{Box, Capsule, HField, Sphere};
        let model = self.model;
        let Some(kind) = model.geom_type(geom) else { return };
        let size = &model.geom_size[geom];
        let pose = narrow::pose(self.kinematics, geom);
        let options = shape::convex_options(model);
        let points = &mut self.narrow.points;
        match (kind, flex.dimension) {
            (Sphere, 1) => {
                let (size2, pose2) = flex.capsule(element);
                pair::sphere_capsule::collide(size, &pose, &size2, &pose2, margin, points);
            }
            (Capsule, 1) => {
                let (size2, pose2) = flex.capsule(element);
                pair::capsule_capsule::collide(size, &pose, &size2, &pose2, margin, points);
            }
            (Box, 1) => {
                let (size2, pose2) = flex.capsule(element);
                pair::capsule_box::collide(&size2, &pose2, size, &pose, margin, points);
                reverse_normals(points);
            }
            (HField, _) => {
                let field = shape::height_field(model, model.geom_dataid[geom]);
                let (element, ccd) = (flex.element(element), &mut self.narrow.ccd);
                pair::hfield_element::collide(&field, &pose, &element, margin, &options, ccd, points);
            }
            (Sphere, 2) => {
                let triangle = flex.triangle(element);
                pair::sphere_triangle::collide(pose.position, size[0], &triangle, margin, points);
            }
            (Box, 2) => {
                pair::box_triangle::collide(size, &pose, &flex.triangle(element), margin, points);
            }
            (Capsule, 2) => {
                pair::capsule_triangle::collide(size, &pose, &flex.triangle(element), margin, points);
            }
            _ => {
                let mesh = shape::mesh_shape(model, model.geom_dataid[geom]);
                let Some(convex) = shape::convex_shape(model, geom, &mesh) else { return };
                let (flat, ccd) = (flex.dimension == 2, &mut self.narrow.ccd);
                let element = flex.element(element);
                pair::convex_element::collide(convex, &pose, &element, flat, margin, &options, ccd, points);
            }
        }
    }

    /// Test two elements of two flexes or of one.
    pub(super) fn test_elements(&mut self, flexes: [&FlexShape; 2], elements: [usize; 2]) {
        let model = self.model;
        let [flex1, flex2] = flexes;
        let margin = if flex1.flex == flex2.flex {
            0.0
        } else {
            let margin = model.flex_margin[flex1.flex] + model.flex_margin[flex2.flex];
            parameters::effective_margin(model, margin)
        };
        if filter::boxes_apart(&flex1.boxes[elements[0]], &flex2.boxes[elements[1]], margin)
            || share_a_body(flex1.bodies_of(elements[0]), flex2.bodies_of(elements[1]))
        {
            return;
        }
        let shapes = [flex1.element(elements[0]), flex2.element(elements[1])];
        self.touch_elements(flexes, elements, [&shapes[0], &shapes[1]], margin);
    }

    /// Contacts of two elements whose boxes meet and that have no body in common.
    pub(super) fn touch_elements(
        &mut self,
        [flex1, flex2]: [&FlexShape; 2],
        elements: [usize; 2],
        shapes: [&Element; 2],
        margin: f64,
    ) {
        let model = self.model;
        self.narrow.points.clear();
        let points = &mut self.narrow.points;
        if flex1.dimension == 1 && flex2.dimension == 1 {
            let (size1, pose1) = flex1.capsule(elements[0]);
            let (size2, pose2) = flex2.capsule(elements[1]);
            pair::capsule_capsule::collide(&size1, &pose1, &size2, &pose2, margin, points);
        } else {
            let flat = flex1.dimension == 2 || flex2.dimension == 2;
            let (options, ccd) = (shape::convex_options(model), &mut self.narrow.ccd);
            let [first, second] = shapes;
            pair::convex_element::collide_elements(first, second, flat, margin, &options, ccd, points);
        }
        if points.is_empty() {
            return;
        }
        let flexes = [flex1.flex, flex2.flex];
        let mut parameters = parameters::mixed(model, flexes.map(Surface::Flex));
        if flexes[0] == flexes[1] {
            parameters.gap = 0.0;
        }
        let touching = Touching {
            flex: flexes.map(|flex| flex as i32),
            elem: elements.map(|element| element as i32),
            ..Touching::NONE
        };
        self.add_points(touching, margin, &parameters);
    }

    /// Test a vertex against an element of the same flex.
    pub(super) fn test_element_with_vertex(&mut self, flex: &FlexShape, element: usize, vertex: i32) {
        let model = self.model;
        let margin = parameters::effective_margin(model, model.flex_margin[flex.flex]);
        let radius = flex.radius;
        let position = flex.vertex(vertex);
        if filter::sphere_apart(position, margin + radius, &flex.boxes[element]) {
            return;
        }
        self.narrow.points.clear();
        let points = &mut self.narrow.points;
        match flex.dimension {
            1 => {
                let ball = Pose { position, rotation: mat3::IDENTITY };
                let (size, pose) = flex.capsule(element);
                pair::sphere_capsule::collide(&[radius, 0.0, 0.0], &ball, &size, &pose, 0.0, points);
            }
            2 => {
                pair::sphere_triangle::collide(position, radius, &flex.triangle(element), 0.0, points);
            }
            _ => {
                let ball = Element::of_vertex(position, radius);
                let first = ConvexShape::Element(&ball);
                let (options, ccd) = (shape::convex_options(model), &mut self.narrow.ccd);
                let (pose, element) = (&Pose::IDENTITY, flex.element(element));
                pair::convex_element::collide(first, pose, &element, false, 0.0, &options, ccd, points);
            }
        }
        if points.is_empty() {
            return;
        }
        let parameters = self.parameters_within(flex);
        let touching = Touching {
            flex: [flex.flex as i32; 2],
            elem: [-1, element as i32],
            vert: [vertex, -1],
            ..Touching::NONE
        };
        self.add_points(touching, 0.0, &parameters);
    }

    /// Parameters of contacts of a flex with itself.
    pub(super) fn parameters_within(&self, flex: &FlexShape) -> ContactParameters {
        let sides = [Surface::Flex(flex.flex); 2];
        ContactParameters { gap: 0.0, ..parameters::mixed(self.model, sides) }
    }
}

/// Whether corners of two elements move with the same body; −1 stands for none. All are compared, which is quicker than to stop early.
#[inline]
pub(super) fn share_a_body(bodies1: [i32; 4], bodies2: [i32; 4]) -> bool {
    let mut found = false;
    for body in bodies1 {
        found |= bodies2.map(|other| (other == body) & (body >= 0)).into_iter().fold(false, |a, b| a | b);
    }
    found
}

/// Exchange the roles of the two shapes.
fn reverse_normals(points: &mut ContactBuffer) {
    for point in points.as_mut_slice() {
        point.set_normal(vec3::scale(point.normal(), -1.0));
    }
}
