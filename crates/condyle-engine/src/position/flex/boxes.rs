//! Boxes along the world axes: around the elements of flexes, thickened by the radius, and around the nodes of the trees over them.
//!
//! A box is stored as centre and half sizes. Inner nodes come before their children, so one pass backwards closes them.

use condyle_math::scalar;
use condyle_model::Model;

use super::{corners, elements, range};
use crate::data::Flexes;

/// `flexelem_aabb` of all elements.
pub(super) fn of_elements(model: &Model, out: &mut Flexes) {
    for flex in 0..model.nflex {
        let points = &out.flexvert_xpos[model.flex_vertadr[flex].max(0) as usize..];
        let radius = model.flex_radius[flex];
        for (element, place) in elements(model, flex).enumerate() {
            let [first, others @ ..] = corners(model, flex, element) else { continue };
            let (mut low, mut high) = (points[*first as usize], points[*first as usize]);
            for corner in others {
                let point = points[*corner as usize];
                for axis in 0..3 {
                    low[axis] = scalar::min_first(low[axis], point[axis]);
                    high[axis] = scalar::max_first(high[axis], point[axis]);
                }
            }
            let aabb = &mut out.flexelem_aabb[place];
            for axis in 0..3 {
                aabb[axis] = 0.5 * (high[axis] + low[axis]);
                aabb[axis + 3] = 0.5 * (high[axis] - low[axis]) + radius;
            }
        }
    }
}

/// `bvh_aabb_dyn`: leaves take the boxes of their elements, inner nodes enclose their two children.
pub(super) fn of_trees(model: &Model, out: &mut Flexes) {
    for flex in 0..model.nflex {
        let Some(root) = model.flex_bvhadr(flex) else { continue };
        let Some(first_box) = root.checked_sub(model.nbvhstatic) else { continue };
        let nodes = range(model.flex_bvhadr[flex], model.flex_bvhnum[flex]);
        let boxes = &mut out.bvh_aabb_dyn[first_box..first_box + nodes.len()];
        let first_element = model.flex_elemadr[flex].max(0) as usize;
        for (place, node) in nodes.enumerate().rev() {
            boxes[place] = match usize::try_from(model.bvh_nodeid[node]) {
                Ok(element) => out.flexelem_aabb[first_element + element],
                Err(_) => match model.bvh_child[node].map(usize::try_from) {
                    [Ok(left), Ok(right)] => around(&boxes[left], &boxes[right]),
                    _ => continue,
                },
            };
        }
    }
}

/// The box around two boxes.
fn around(a: &[f64; 6], b: &[f64; 6]) -> [f64; 6] {
    let mut result = [0.0; 6];
    for axis in 0..3 {
        let low = scalar::min_first(a[axis] - a[axis + 3], b[axis] - b[axis + 3]);
        let high = scalar::max_first(a[axis] + a[axis + 3], b[axis] + b[axis + 3]);
        result[axis] = 0.5 * (high + low);
        result[axis + 3] = 0.5 * (high - low);
    }
    result
}
