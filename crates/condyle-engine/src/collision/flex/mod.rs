//! Collisions of deformable bodies: with geoms, with each other and with themselves.
//!
//! A flex is a set of elements (segments, triangles or tetrahedra) thickened by a radius. Against planes its vertices are tested,
//! against other geoms and flexes its elements. A flex that is not rigid can also collide with itself: vertices with the elements
//! they are paired with and, in tetrahedra, with the face opposite (`internal`), and elements with elements (`selfcollide`).
//!
//! | file | question |
//! |---|---|
//! | `shape.rs` | what does a flex look like? |
//! | `pair.rs` | where do two parts touch? |
//! | `own.rs` | which parts of one flex meet? |
//!
//! Contacts of a body or flex with another flex are sorted by geom and element; contacts of a flex with itself are not, so their order is
//! that of the search. The user's contact filter is not asked about flexes. Reference: `mj_collidePlaneFlex`,
//! `mj_collideGeomElem`, `mj_collideElems`.

mod own;
mod pair;
mod shape;

use condyle_model::{GeomType, disable};

use super::midphase::{self, MidScratch};
use super::{Detector, filter};

use own::OwnScratch;
use shape::FlexShape;

/// Work space of flex collisions.
#[derive(Clone, Debug, Default)]
pub struct FlexScratch {
    own: OwnScratch,
}

impl Detector<'_> {
    fn has_midphase(&self) -> bool {
        self.model.opt.disableflags & disable::MIDPHASE == 0
    }

    /// Test a body against a flex. Returns whether the contacts are to be sorted.
    pub(super) fn test_body_with_flex(&mut self, body: usize, flex: usize, scratch: &mut MidScratch) -> bool {
        let (model, kinematics, flexes) = (self.model, self.kinematics, self.flexes);
        let shape = FlexShape::new(model, flexes, flex);
        let is_plane = |geom: usize| model.geom_type(geom) == Some(GeomType::Plane);
        if self.has_midphase() && model.body_bvhadr[body] >= 0 && model.flex_bvhadr[flex] >= 0 {
            // Planes have no box; here they skip the masks of the geom, which the direct way asks for.
            if model.body_weldid[body] == 0 {
                for geom in filter::geoms_of(model, body).filter(|geom| is_plane(*geom)) {
                    self.test_plane_with_flex(geom, &shape);
                }
            }
            midphase::visit_flex(model, kinematics, flexes, body, flex, scratch, |geom, element| {
                if !is_plane(geom) {
                    self.test_geom_with_element(geom, &shape, element);
                }
            });
            return true;
        }
        for geom in filter::geoms_of(model, body) {
            let masks = [model.geom_contype[geom], model.geom_conaffinity[geom]];
            if !filter::masks_match(masks, filter::flex_masks(model, flex)) {
                continue;
            }
            if is_plane(geom) {
                self.test_plane_with_flex(geom, &shape);
                continue;
            }
            for element in 0..shape.element_count() {
                self.test_geom_with_element(geom, &shape, element);
            }
        }
        false
    }

    /// Test two flexes. Returns whether the contacts are to be sorted.
    pub(super) fn test_flexes(&mut self, flexes: [usize; 2], scratch: &mut MidScratch) -> bool {
        let model = self.model;
        let shapes = flexes.map(|flex| FlexShape::new(model, self.flexes, flex));
        let [shape1, shape2] = &shapes;
        if self.has_midphase() && flexes.iter().all(|flex| model.flex_bvhadr[*flex] >= 0) {
            midphase::visit_flexes(model, self.flexes, flexes, scratch, |elements| {
                self.test_elements([shape1, shape2], elements);
            });
            return true;
        }
        for element1 in 0..shape1.element_count() {
            for element2 in 0..shape2.element_count() {
                self.test_elements([shape1, shape2], [element1, element2]);
            }
        }
        false
    }
}
