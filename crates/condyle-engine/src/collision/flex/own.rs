//! Collisions of a flex with itself.
//!
//! `internal`: pairs of element and vertex that the compiler has chosen, and in tetrahedra each vertex against the face opposite.
//! `selfcollide`: elements near the surface against each other, all with all, by the flex's tree, or by a sweep along the longest
//! side of its box. The sweep stops after a million pairs. Reference: `mj_collideFlexInternal`, `mj_collideFlexSAP`.

use condyle_collide::convex::Element;
use condyle_collide::pair::face_vertex;
use condyle_model::FlexSelfCollide;

use super::shape::FlexShape;
use super::{FlexScratch, pair};
use crate::collision::broadphase::{self, SweepScratch};
use crate::collision::midphase::{self, MidScratch};
use crate::collision::parameters::{self, ContactParameters, Touching};
use crate::collision::{Detector, shape};

/// Most pairs of elements that one sweep reports.
const MOST_PAIRS: usize = 1_000_000;

/// Faces of a tetrahedron, seen from inside in this order of corners, and the corner opposite.
const FACES: [([usize; 3], usize); 4] = [([0, 1, 2], 3), ([0, 2, 3], 1), ([0, 3, 1], 2), ([1, 3, 2], 0)];

/// Work space.
#[derive(Clone, Debug, Default)]
pub(super) struct OwnScratch {
    /// Elements that take part, and their boxes with the axis of the sweep first.
    active: Vec<usize>,
    boxes: Vec<[f64; 6]>,
    /// The same elements as shapes, with the bodies of their corners.
    shapes: Vec<(Element, [i32; 4])>,
    sweep: SweepScratch,
}

impl Detector<'_> {
    /// Test a flex against itself.
    pub(in crate::collision) fn test_within_flex(
        &mut self,
        flex: usize,
        mid: &mut MidScratch,
        scratch: &mut FlexScratch,
    ) {
        let model = self.model;
        if model.flex_rigid[flex] != 0 || model.flex_contype[flex] & model.flex_conaffinity[flex] == 0 {
            return;
        }
        let shape = FlexShape::new(model, self.flexes, flex);
        if model.flex_internal[flex] != 0 {
            self.test_internal(&shape);
        }
        let Some(mode) = model.flex_selfcollide(flex) else { return };
        if mode == FlexSelfCollide::None {
            return;
        }
        if !self.has_midphase() || mode == FlexSelfCollide::Narrow || model.flex_bvhadr[flex] < 0 {
            self.test_all_elements(&shape);
        } else if mode == FlexSelfCollide::Bvh || (mode == FlexSelfCollide::Auto && shape.dimension == 3) {
            midphase::visit_flexes(model, self.flexes, [flex; 2], mid, |elements| {
                self.test_elements([&shape; 2], elements);
            });
        } else {
            self.sweep_elements(&shape, &mut scratch.own);
        }
    }

    fn test_internal(&mut self, flex: &FlexShape) {
        let model = self.model;
        let (start, count) = (model.flex_evpairadr[flex.flex], model.flex_evpairnum[flex.flex]);
        for [element, vertex] in shape::part(&model.flex_evpair, start, count) {
            let element = *element as usize;
            if element < flex.element_count() {
                self.test_element_with_vertex(flex, element, *vertex);
            }
        }
        if flex.dimension != 3 {
            return;
        }
        let parameters = ContactParameters { dimension: 1, ..self.parameters_within(flex) };
        for element in 0..flex.element_count() {
            let corners = flex.corners_of(element);
            let positions = flex.positions::<4>(element);
            for (face, opposite) in FACES {
                let found = face_vertex::contact(
                    face.map(|corner| positions[corner]),
                    positions[opposite],
                    flex.radius,
                );
                let (Some(point), Some(vertex)) = (found, corners.get(opposite)) else { continue };
                let touching = Touching {
                    flex: [flex.flex as i32; 2],
                    elem: [element as i32, -1],
                    vert: [-1, *vertex],
                    ..Touching::NONE
                };
                self.contacts.extend(parameters::contact(model, &point, touching, 0.0, &parameters));
            }
        }
    }

    fn test_all_elements(&mut self, flex: &FlexShape) {
        let count = flex.element_count();
        for element1 in (0..count).filter(|element| flex.is_active(*element)) {
            for element2 in (element1 + 1..count).filter(|element| flex.is_active(*element)) {
                self.test_elements([flex; 2], [element1, element2]);
            }
        }
    }

    fn sweep_elements(&mut self, flex: &FlexShape, scratch: &mut OwnScratch) {
        let OwnScratch { active, boxes, shapes, sweep } = scratch;
        active.clear();
        active.extend((0..flex.element_count()).filter(|element| flex.is_active(*element)));
        let root = self.model.flex_bvhadr[flex.flex] as usize - self.model.nbvhstatic;
        let [_, _, _, x, y, z] = self.flexes.bvh_aabb_dyn[root];
        let axes = if x > y && x > z {
            [0, 1, 2]
        } else if y > z {
            [1, 0, 2]
        } else {
            [2, 0, 1]
        };
        boxes.clear();
        boxes.extend(active.iter().map(|element| {
            let limits = &flex.boxes[*element];
            let [low, high] =
                [-1.0, 1.0].map(|side: f64| axes.map(|axis| limits[axis] + side * limits[axis + 3]));
            [low[0], low[1], low[2], high[0], high[1], high[2]]
        }));
        shapes.clear();
        shapes.extend(active.iter().map(|element| (flex.element(*element), flex.bodies_of(*element))));
        let mut pairs = 0;
        broadphase::sweep(boxes, sweep, |first, second| {
            let (shape1, bodies1) = &shapes[first];
            let (shape2, bodies2) = &shapes[second];
            // Nearly all pairs that the sweep finds are neighbours.
            if !pair::share_a_body(*bodies1, *bodies2) && !limits_apart(&boxes[first], &boxes[second]) {
                self.touch_elements([flex; 2], [active[first], active[second]], [shape1, shape2], 0.0);
            }
            pairs += 1;
            pairs < MOST_PAIRS
        });
    }
}

/// [`filter::boxes_apart`](crate::collision::filter::boxes_apart) without a margin for boxes given by their lower and upper bounds. The
/// sweep compares the bounds on its axis in single precision only.
#[inline]
fn limits_apart(box1: &[f64; 6], box2: &[f64; 6]) -> bool {
    (0..3).any(|axis| box1[axis + 3] < box2[axis] || box2[axis + 3] < box1[axis])
}
