//! Pairs of bodies and flexes that are near each other. Flexes are numbered after the bodies.
//!
//! Static bodies with geoms in the world, or with planes, pair with everything. All other bodies and the flexes are boxed in a frame
//! aligned with the principal axes of all moving geoms and flex vertices, and swept along the first axis. The sweep compares bounds in single precision, the other
//! two axes in double. Reference: `mj_broadphase`, `mj_SAP`.

use condyle_math::{Mat3, Vec3, eigen, mat3, scalar, vec3};
use condyle_model::{GeomType, Model, disable, enable};

use crate::data::{Awake, Flexes, Kinematics};
use crate::sleep::SleepState;

use super::candidates::Candidates;
use super::filter::{self, PairSide};
use super::grid::Grid;
use super::shape::part;

/// Work space and result of the broad phase.
#[derive(Clone, Debug, Default)]
pub struct BroadScratch {
    /// Pairs in ascending order, lower body in the upper half of the number: plain numbers sort fastest.
    pub pairs: Vec<u64>,
    /// Collision masks of all geoms of each body together, then those of the flexes.
    masks: Vec<[i32; 2]>,
    colliders: Vec<usize>,
    boxes: Vec<[f64; 6]>,
    sweep: SweepScratch,
    pub(super) candidates: Candidates,
    pub(super) grid: Grid,
}

/// Work space of a sweep.
#[derive(Clone, Debug, Default)]
pub struct SweepScratch {
    /// Ends of the boxes on the sweep axis, see [`bound`].
    bounds: Vec<u64>,
    /// Boxes the sweep is inside of.
    open: Vec<u32>,
}

/// The number of two bodies in [`BroadScratch::pairs`].
#[inline]
pub fn pair_of(body1: usize, body2: usize) -> u64 {
    (body1.min(body2) as u64) << 32 | body1.max(body2) as u64
}

/// The two bodies of a number in [`BroadScratch::pairs`].
#[inline]
pub fn bodies_of(pair: u64) -> (u32, u32) {
    ((pair >> 32) as u32, pair as u32)
}

/// One end of a box on the sweep axis, as a number that sorts by value and then by place: twice the number of the box, plus one for
/// its upper end. Zeros of both signs are equal, and values that are no numbers come last.
#[inline]
fn bound(value: f64, place: u32) -> u64 {
    let value = value as f32;
    let order = if value.is_nan() {
        u32::MAX
    } else {
        let bits = if value == 0.0 { 0 } else { value.to_bits() };
        // Negative numbers ascend as their bits descend.
        if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
    };
    u64::from(order) << 32 | u64::from(place)
}

/// Fill `scratch.pairs`.
pub fn find_pairs(
    model: &Model,
    kinematics: &Kinematics,
    flexes: &Flexes,
    awake: &Awake,
    scratch: &mut BroadScratch,
) {
    let BroadScratch { pairs, masks, colliders, boxes, sweep: sweep_scratch, .. } = scratch;
    pairs.clear();
    masks.clear();
    masks.extend((0..model.nbody).map(|body| filter::gathered_masks(model, body)));
    masks.extend((0..model.nflex).map(|flex| filter::flex_masks(model, flex)));
    let any_asleep = awake.any_body_asleep(model);
    let asleep = |body: usize| any_asleep && awake.body_awake[body] == SleepState::Asleep as i32;
    let filter_parent = model.opt.disableflags & disable::FILTERPARENT == 0;
    let mut add = |body1: usize, body2: usize| {
        if filter::masks_match(masks[body1], masks[body2]) {
            pairs.push(pair_of(body1, body2));
        }
    };

    let world = PairSide { weld: 0, weld_parent: 0, asleep: true };
    for body1 in 0..model.nbody {
        if !filter::can_collide(model, body1) || !meets_everything(model, body1) {
            continue;
        }
        for body2 in 0..model.nbody {
            if filter::can_collide(model, body2)
                && !filter::pair_is_ruled_out(world, PairSide::of(model, body2, asleep(body2)), filter_parent)
            {
                add(body1, body2);
            }
        }
        for flex in 0..model.nflex {
            add(body1, model.nbody + flex);
        }
    }

    colliders.clear();
    colliders.extend((1..model.nbody + model.nflex).filter(|collider| filter::can_collide(model, *collider)));
    if colliders.len() > 1 {
        let Some(frame) = principal_frame(model, kinematics, flexes) else { return };
        boxes.clear();
        boxes.extend(colliders.iter().map(|collider| match collider.checked_sub(model.nbody) {
            None => bounding_box(model, kinematics, *collider, &frame),
            Some(flex) => bounding_box_of_flex(model, flexes, flex, &frame),
        }));
        sweep(boxes, sweep_scratch, |first, second| {
            let (first, second) = (colliders[first], colliders[second]);
            let side = |body: usize| PairSide::of(model, body, asleep(body));
            let flex = first >= model.nbody || second >= model.nbody;
            if flex || !filter::pair_is_ruled_out(side(first), side(second), filter_parent) {
                add(first, second);
            }
            true
        });
    }
    pairs.sort_unstable();
}

/// Whether a body pairs with everything: the world with geoms, or a static body with a plane.
pub(crate) fn meets_everything(model: &Model, body: usize) -> bool {
    if body == 0 {
        return model.body_geomnum[0] > 0;
    }
    model.body_weldid[body] == 0
        && filter::geoms_of(model, body).any(|geom| model.geom_type(geom) == Some(GeomType::Plane))
}

/// Principal axes of the centres of all geoms and of all flex vertices outside the world body, as rows; `None` when there are none.
pub(super) fn principal_frame(model: &Model, kinematics: &Kinematics, flexes: &Flexes) -> Option<Mat3> {
    let centers = || {
        let geoms = model.geom_bodyid.iter().zip(&kinematics.geom_xpos);
        let vertices = model.flex_vertbodyid.iter().zip(&flexes.flexvert_xpos);
        geoms.chain(vertices).filter(|(body, _)| **body != 0).map(|(_, center)| *center)
    };
    let mut mean = [0.0; 3];
    let mut count = 0;
    for center in centers() {
        mean = vec3::add(mean, center);
        count += 1;
    }
    if count == 0 {
        return None;
    }
    let share = 1.0 / f64::from(count);
    mean = vec3::scale(mean, share);
    let [mut xx, mut xy, mut xz, mut yy, mut yz, mut zz] = [0.0; 6];
    for center in centers() {
        let [x, y, z] = vec3::sub(center, mean);
        xx += x * x;
        xy += x * y;
        xz += x * z;
        yy += y * y;
        yz += y * z;
        zz += z * z;
    }
    let covariance = [xx, xy, xz, xy, yy, yz, xz, yz, zz].map(|sum| sum * share);
    Some(eigen::eigen3(&covariance).vectors)
}

/// Distances between the boxes of two bodies along the three axes of the sweep, negative where they overlap.
pub(crate) fn box_distances(
    model: &Model,
    kinematics: &Kinematics,
    flexes: &Flexes,
    body1: usize,
    body2: usize,
) -> Option<[f64; 3]> {
    let frame = principal_frame(model, kinematics, flexes)?;
    let [box1, box2] = [body1, body2].map(|body| bounding_box(model, kinematics, body, &frame));
    Some([0, 1, 2].map(|axis| scalar::max(box1[axis] - box2[axis + 3], box2[axis] - box1[axis + 3])))
}

/// Margin of a geom in the broad phase.
#[inline]
pub(super) fn margin_of(model: &Model, geom: usize) -> f64 {
    let overridden = model.opt.enableflags & enable::OVERRIDE != 0;
    if overridden { 0.5 * model.opt.o_margin } else { model.geom_margin[geom] }
}

/// Lower and upper bounds of a body's geoms along the rows of `frame`.
pub(super) fn bounding_box(model: &Model, kinematics: &Kinematics, body: usize, frame: &Mat3) -> [f64; 6] {
    let axes: [Vec3; 3] = [mat3::row(frame, 0), mat3::row(frame, 1), mat3::row(frame, 2)];
    let mut total = [0.0; 6];
    for (i, geom) in filter::geoms_of(model, body).enumerate() {
        let margin = margin_of(model, geom);
        let radius = model.geom_rbound[geom];
        for (j, axis) in axes.iter().enumerate() {
            let center = vec3::dot(kinematics.geom_xpos[geom], *axis);
            let (low, high) = (center - radius - margin, center + radius + margin);
            if i == 0 {
                (total[j], total[j + 3]) = (low, high);
            } else {
                total[j] = scalar::min(total[j], low);
                total[j + 3] = scalar::max(total[j + 3], high);
            }
        }
    }
    total
}

/// How near the geoms of two bodies are, as far as their bounding spheres tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nearness {
    /// No two spheres meet: nothing behind the broad phase finds a contact.
    Apart,
    /// Two spheres overlap so far that the boxes do in every frame.
    Overlap,
    /// The frame of the sweep decides.
    Unclear,
}

/// Overlap of spheres, as a share of the largest coordinate, from which on the sweep cannot miss it: it compares in single precision.
const OVERLAP: f64 = 1e-6;

/// Pairs of geoms from which on the frame of the sweep is found sooner than all spheres are compared.
const MOST_SPHERES: usize = 256;

/// Compare the bounding spheres of two bodies; no coordinate of a body may be larger than `largest`, and all geoms must be balls.
pub(super) fn nearness(
    model: &Model,
    kinematics: &Kinematics,
    [body1, body2]: [usize; 2],
    largest: f64,
) -> Nearness {
    let (geoms1, geoms2) = (filter::geoms_of(model, body1), filter::geoms_of(model, body2));
    if geoms1.len() * geoms2.len() > MOST_SPHERES {
        return Nearness::Unclear;
    }
    let clear = OVERLAP * largest;
    let mut found = Nearness::Apart;
    for geom1 in geoms1 {
        let (center, reach) =
            (kinematics.geom_xpos[geom1], model.geom_rbound[geom1] + margin_of(model, geom1));
        for geom2 in geoms2.clone() {
            let offset = vec3::sub(kinematics.geom_xpos[geom2], center);
            let bound = reach + model.geom_rbound[geom2] + margin_of(model, geom2);
            let square = vec3::dot(offset, offset);
            let (inner, outer) = (bound - clear, bound + clear);
            if square > outer * outer {
                continue;
            }
            if inner > 0.0 && square < inner * inner {
                return Nearness::Overlap;
            }
            found = Nearness::Unclear;
        }
    }
    found
}

/// Lower and upper bounds of a flex along the rows of `frame`.
fn bounding_box_of_flex(model: &Model, flexes: &Flexes, flex: usize, frame: &Mat3) -> [f64; 6] {
    let overridden = model.opt.enableflags & enable::OVERRIDE != 0;
    let margin = if overridden { 0.5 * model.opt.o_margin } else { model.flex_margin[flex] };
    let reach = model.flex_radius[flex] + margin;
    let vertices = part(&flexes.flexvert_xpos, model.flex_vertadr[flex], model.flex_vertnum[flex]);
    let mut total = [0.0; 6];
    for (i, vertex) in vertices.iter().enumerate() {
        for (j, coordinate) in mat3::mul_vec(frame, *vertex).into_iter().enumerate() {
            if i == 0 {
                (total[j], total[j + 3]) = (coordinate, coordinate);
            } else {
                total[j] = scalar::min(total[j], coordinate);
                total[j + 3] = scalar::max(total[j + 3], coordinate);
            }
        }
    }
    for axis in 0..3 {
        total[axis] -= reach;
        total[axis + 3] += reach;
    }
    total
}

/// Whether two boxes, each with its place among all of them, are a pair for [`sweep`]. No bound of a box may be below its lower one.
pub(super) fn boxes_overlap((box1, place1): (&[f64; 6], u32), (box2, place2): (&[f64; 6], u32)) -> bool {
    let apart = |axis: usize| box1[axis] > box2[axis + 3] || box2[axis] > box1[axis + 3];
    !apart(1)
        && !apart(2)
        && bound(box1[0], 2 * place1) < bound(box2[3], 2 * place2 + 1)
        && bound(box2[0], 2 * place2) < bound(box1[3], 2 * place1 + 1)
}

/// Report every two boxes that overlap until `report` returns false. The sweep goes along the first axis; pairs come in the order in which
/// their later box begins, those with an earlier begin of the other box first.
pub(super) fn sweep(
    boxes: &[[f64; 6]],
    scratch: &mut SweepScratch,
    mut report: impl FnMut(usize, usize) -> bool,
) {
    if boxes.iter().all(|limits| limits[0].is_nan() && limits[3].is_nan()) {
        return sweep_without_bounds(boxes, report);
    }
    let SweepScratch { bounds, open } = scratch;
    bounds.clear();
    for (i, limits) in boxes.iter().enumerate() {
        bounds.push(bound(limits[0], 2 * i as u32));
        bounds.push(bound(limits[3], 2 * i as u32 + 1));
    }
    // Equal values keep their order of entry, which decides whether boxes that just touch are a pair.
    bounds.sort_unstable();
    open.clear();
    for bound in bounds.iter() {
        let place = *bound as u32;
        let current = place / 2;
        if place % 2 == 1 {
            if let Some(index) = open.iter().position(|other| *other == current) {
                open.remove(index);
            }
            continue;
        }
        let mine = &boxes[current as usize];
        for other in open.iter() {
            let theirs = &boxes[*other as usize];
            let apart = |axis: usize| theirs[axis] > mine[axis + 3] || mine[axis] > theirs[axis + 3];
            if !apart(1) && !apart(2) && !report(*other as usize, current as usize) {
                return;
            }
        }
        open.push(current);
    }
}

/// The sweep when a place somewhere is not a number, and with it the frame and every bound: all boxes are open, the last one first.
fn sweep_without_bounds(boxes: &[[f64; 6]], mut report: impl FnMut(usize, usize) -> bool) {
    for current in (0..boxes.len()).rev() {
        for other in (current + 1..boxes.len()).rev() {
            if !report(other, current) {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn overlaps(boxes: &[[f64; 6]]) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        sweep(boxes, &mut SweepScratch::default(), |a, b| {
            found.push((a.min(b), a.max(b)));
            true
        });
        found.sort_unstable();
        found
    }

    #[test]
    fn sweep_finds_exactly_the_overlapping_boxes() {
        let boxes: Vec<[f64; 6]> = (0..40)
            .map(|i| {
                let t = f64::from(i);
                let low = [(t * 0.7).sin() * 4.0, (t * 1.3).cos() * 4.0, (t * 2.1).sin() * 4.0];
                [low[0], low[1], low[2], low[0] + 1.5, low[1] + 1.0, low[2] + 2.0]
            })
            .collect();
        let mut expected = Vec::new();
        for a in 0..boxes.len() {
            for b in a + 1..boxes.len() {
                if (0..3).all(|k| boxes[a][k] < boxes[b][k + 3] && boxes[b][k] < boxes[a][k + 3]) {
                    expected.push((a, b));
                }
            }
        }
        assert!(expected.len() > 3);
        assert_eq!(overlaps(&boxes), expected);
    }

    #[test]
    fn single_pairs_are_judged_as_the_sweep_judges_them() {
        let mut boxes: Vec<[f64; 6]> = (0..60)
            .map(|i| {
                let low = [(i * 7 % 11) as f64, (i * 5 % 7) as f64, (i * 3 % 5) as f64];
                [low[0], low[1], low[2], low[0] + (i % 3) as f64, low[1] + 1.0, low[2] + 1.0]
            })
            .collect();
        boxes.push([f64::NAN; 6]);
        let mut expected = Vec::new();
        for first in 0..boxes.len() {
            for second in first + 1..boxes.len() {
                if boxes_overlap((&boxes[first], first as u32), (&boxes[second], second as u32)) {
                    expected.push((first, second));
                }
            }
        }
        assert!(expected.len() > 20);
        assert_eq!(overlaps(&boxes), expected);
    }

    #[test]
    fn boxes_that_just_touch_on_the_sweep_axis_pair_only_if_the_upper_one_was_entered_first() {
        let low = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0];
        let high = [1.0, 0.0, 0.0, 2.0, 1.0, 1.0];
        assert_eq!(overlaps(&[low, high]), []);
        assert_eq!(overlaps(&[high, low]), [(0, 1)]);
    }

    #[test]
    fn bounds_sort_by_value_then_place_with_zeros_equal_and_not_a_number_last() {
        let values =
            [f64::NEG_INFINITY, -2.0, -1.0, -0.0, 0.0, 1e-3, 5.0, f64::INFINITY, f64::NAN, -f64::NAN];
        let mut bounds: Vec<u64> = values.iter().zip(0..10).rev().map(|(x, i)| bound(*x, i)).collect();
        bounds.sort_unstable();
        assert_eq!(bounds.iter().map(|b| *b as u32).collect::<Vec<_>>(), (0..10).collect::<Vec<_>>());
        assert!(bound(0.0, 1) < bound(-0.0, 2));
    }

    #[test]
    fn non_finite_boxes_do_not_stop_the_sweep() {
        let bad = [f64::NAN; 6];
        let good = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0];
        assert!(overlaps(&[bad, good, good, bad]).contains(&(1, 2)));
        assert_eq!(overlaps(&[bad; 3]), [(0, 1), (0, 2), (1, 2)]);
    }
}
