//! Rules that stop a pair before any geometry is computed: collision masks, excluded bodies, welded and parent bodies, sleeping
//! bodies, bounding spheres.

use std::ops::Range;

pub use crate::hooks::{geoms_match, masks_match};

use condyle_math::{Vec3, mat3, vec3};
use condyle_model::{GeomType, Model};

use crate::data::Kinematics;

/// Geoms of a body.
#[inline]
pub fn geoms_of(model: &Model, body: usize) -> Range<usize> {
    let start = model.body_geomadr[body].max(0) as usize;
    start..start + model.body_geomnum[body].max(0) as usize
}

/// Type and affinity of a flex.
#[inline]
pub fn flex_masks(model: &Model, flex: usize) -> [i32; 2] {
    [model.flex_contype[flex], model.flex_conaffinity[flex]]
}

/// Type and affinity a body was compiled with, or those of a flex. Flexes are numbered after the bodies.
#[inline]
fn collider_masks(model: &Model, collider: usize) -> [i32; 2] {
    match collider.checked_sub(model.nbody) {
        None => [model.body_contype[collider], model.body_conaffinity[collider]],
        Some(flex) => flex_masks(model, flex),
    }
}

/// Whether the masks of two bodies or flexes allow a collision. Flexes are numbered after the bodies.
#[inline]
pub fn colliders_match(model: &Model, first: usize, second: usize) -> bool {
    masks_match(collider_masks(model, first), collider_masks(model, second))
}

/// Types and affinities of all geoms of a body, taken together.
pub fn gathered_masks(model: &Model, body: usize) -> [i32; 2] {
    geoms_of(model, body).fold([0, 0], |[kind, affinity], geom| {
        [kind | model.geom_contype[geom], affinity | model.geom_conaffinity[geom]]
    })
}

/// Whether the masks of any two geoms of the bodies, taken together, allow a collision.
pub fn any_geoms_match(model: &Model, body1: usize, body2: usize) -> bool {
    masks_match(gathered_masks(model, body1), gathered_masks(model, body2))
}

/// Whether a body or flex takes part in collisions at all. Flexes are numbered after the bodies.
#[inline]
pub fn can_collide(model: &Model, collider: usize) -> bool {
    collider_masks(model, collider) != [0, 0]
}

/// The pairs of bodies that `exclude` names.
#[derive(Clone, Copy)]
pub(super) struct Excluded<'a> {
    signatures: &'a [i32],
    /// Whether they ascend, as in every compiled model.
    ascending: bool,
}

impl<'a> Excluded<'a> {
    pub(super) fn of(model: &'a Model) -> Self {
        let signatures = &model.exclude_signature[..];
        Self { signatures, ascending: signatures.is_sorted_by_key(|excluded| *excluded as u32) }
    }

    /// Whether a pair of bodies is among them.
    pub(super) fn contains(self, signature: u32) -> bool {
        if self.ascending {
            self.signatures.binary_search_by_key(&signature, |excluded| *excluded as u32).is_ok()
        } else {
            self.signatures.iter().any(|excluded| *excluded as u32 == signature)
        }
    }
}

/// A body as the pair rules see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairSide {
    /// Body it is welded to; 0 for the world.
    pub weld: i32,
    /// Body the parent of that body is welded to.
    pub weld_parent: i32,
    /// Whether its tree is asleep.
    pub asleep: bool,
}

impl PairSide {
    /// Sides of `body` under the model's welds.
    pub fn of(model: &Model, body: usize, asleep: bool) -> Self {
        let weld = model.body_weldid[body];
        let weld_parent = model.body_weldid[model.body_parentid[weld as usize] as usize];
        Self { weld, weld_parent, asleep }
    }
}

/// Whether two bodies cannot collide because they are welded together, both rest, or are parent and child (unless the parent
/// is the world).
pub fn pair_is_ruled_out(first: PairSide, second: PairSide, filter_parent: bool) -> bool {
    let (a, b) = (first, second);
    a.weld == b.weld
        || (a.asleep && b.asleep)
        || (a.asleep && b.weld == 0)
        || (b.asleep && a.weld == 0)
        || (filter_parent
            && a.weld != 0
            && b.weld != 0
            && (a.weld == b.weld_parent || b.weld == a.weld_parent))
}

/// Whether the bounding spheres (or the plane and the sphere) of two geoms are farther apart than `margin`.
pub fn spheres_apart(
    model: &Model,
    kinematics: &Kinematics,
    [geom1, geom2]: [usize; 2],
    margin: f64,
) -> bool {
    let (radius1, radius2) = (model.geom_rbound[geom1], model.geom_rbound[geom2]);
    let (center1, center2) = (kinematics.geom_xpos[geom1], kinematics.geom_xpos[geom2]);
    if radius1 > 0.0 && radius2 > 0.0 {
        let bound = radius1 + radius2 + margin;
        let offset = vec3::sub(center1, center2);
        return vec3::dot(offset, offset) > bound * bound;
    }
    let is_plane = |geom: usize| model.geom_type(geom) == Some(GeomType::Plane);
    let height = |plane: usize, geom: usize| {
        let normal = mat3::column(&kinematics.geom_xmat[plane], 2);
        vec3::dot(vec3::sub(kinematics.geom_xpos[geom], kinematics.geom_xpos[plane]), normal)
    };
    (is_plane(geom1) && radius2 > 0.0 && height(geom1, geom2) > margin + radius2)
        || (is_plane(geom2) && radius1 > 0.0 && height(geom2, geom1) > margin + radius1)
}

/// Whether two boxes aligned with the world, centre and half extents, are farther apart than `margin` along an axis.
#[inline]
pub fn boxes_apart(box1: &[f64; 6], box2: &[f64; 6], margin: f64) -> bool {
    let above = |low: &[f64; 6], high: &[f64; 6], axis: usize| {
        low[axis] + low[axis + 3] + margin < high[axis] - high[axis + 3]
    };
    (0..3).any(|axis| above(box1, box2, axis) || above(box2, box1, axis))
}

/// Whether a ball misses a box aligned with the world along an axis.
#[inline]
pub fn sphere_apart(center: Vec3, radius: f64, limits: &[f64; 6]) -> bool {
    (0..3).any(|axis| {
        center[axis] + radius < limits[axis] - limits[axis + 3]
            || center[axis] - radius > limits[axis] + limits[axis + 3]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn side(weld: i32, weld_parent: i32) -> PairSide {
        PairSide { weld, weld_parent, asleep: false }
    }

    #[test]
    fn parent_and_child_are_ruled_out_unless_the_parent_is_the_world() {
        assert!(pair_is_ruled_out(side(1, 0), side(2, 1), true));
        assert!(!pair_is_ruled_out(side(1, 0), side(2, 1), false));
        assert!(!pair_is_ruled_out(side(0, 0), side(2, 0), true));
        assert!(pair_is_ruled_out(side(3, 1), side(3, 1), false));
    }

    #[test]
    fn excluded_pairs_are_found_in_any_order() {
        for signatures in [vec![], vec![3], vec![1, 5, -7, -2], vec![9, 2, -4, 5]] {
            let model = Model { exclude_signature: signatures.clone().into(), ..Model::default() };
            for signature in -10..10 {
                let found = Excluded::of(&model).contains(signature as u32);
                assert_eq!(found, signatures.contains(&signature), "{signature} in {signatures:?}");
            }
        }
    }

    #[test]
    fn a_sleeping_body_collides_only_with_awake_moving_bodies() {
        let sleeping = PairSide { asleep: true, ..side(2, 0) };
        assert!(pair_is_ruled_out(sleeping, side(0, 0), true));
        assert!(pair_is_ruled_out(sleeping, PairSide { asleep: true, ..side(5, 0) }, true));
        assert!(!pair_is_ruled_out(sleeping, side(5, 0), true));
    }
}
