//! Collision detection: which geoms touch, where and with what parameters.
//!
//! | file | question |
//! |---|---|
//! | [`broadphase`] | which bodies are near each other? |
//! | [`candidates`] | the same for small models |
//! | [`grid`] | the same for large models |
//! | `neighbours.rs` | which of them were near a while ago? |
//! | `resting.rs` | which of them rest where they were? |
//! | [`midphase`] | which geoms of two bodies? |
//! | `colliding_geoms.rs` | are all of them far apart? |
//! | `descent_memory.rs`, `fixed_spheres.rs` | what is known of that from earlier steps? |
//! | [`filter`] | may they collide at all? |
//! | [`shape`] | what does a geom look like? |
//! | [`narrow`] | where do they touch? (calls `condyle-collide`) |
//! | [`parameters`] | with which friction, softness and margin? |
//! | [`flex`] | the same for deformable bodies |
//! | [`walk`] | what would be compared if nothing were known? (for drawings) |
//!
//! Contacts come out by body pair, within a pair by geoms; those of flexes with themselves come last. The order decides constraint rows and thereby the rounding of everything
//! after. Reference: `mj_collision`.

pub mod broadphase;
pub mod candidates;
mod colliding_geoms;
mod descent_memory;
pub mod distance;
pub mod field;
pub mod filter;
mod fixed_spheres;
pub mod flex;
pub mod grid;
pub mod midphase;
pub mod multi_ray;
pub mod narrow;
mod neighbours;
pub mod parameters;
pub(crate) mod plugin_shape;
pub mod ray;
mod resting;
pub mod shape;
pub(crate) mod support_tables;
pub mod walk;

use condyle_model::{GeomType, Model, disable};

use crate::data::{Awake, Contact, Diagnostics, Flexes, Inputs, Kinematics, State, StepIssue, sleep_enabled};
use crate::hooks::{HookSlot, PairContext};
use crate::sleep::SleepState;

use broadphase::BroadScratch;
use flex::FlexScratch;
use midphase::MidScratch;
use narrow::NarrowScratch;
use parameters::{LastFrame, Surface, Touching};

/// Work space of collision detection.
#[derive(Clone, Debug, Default)]
pub struct CollisionScratch {
    broad: BroadScratch,
    mid: MidScratch,
    pub(crate) narrow: NarrowScratch,
    flex: FlexScratch,
    pub(crate) distances: distance::DistanceMemory,
    order: Vec<(i32, i32, u32)>,
    sorted: Vec<Contact>,
}

/// Count what the narrow phase could not do.
pub fn report_troubles(contacts: &[Contact], diagnostics: &mut Diagnostics, scratch: &mut CollisionScratch) {
    let narrow = &mut scratch.narrow;
    let troubles = std::mem::take(&mut narrow.ccd.status.troubles);
    for (issue, count) in [
        (StepIssue::DepthOnFace, troubles.origin_on_face),
        (StepIssue::DepthOutOfFaces, troubles.out_of_faces),
        (StepIssue::HeightFieldOnDistanceField, std::mem::take(&mut narrow.without_test)),
    ] {
        for _ in 0..count {
            diagnostics.count_issue(issue, contacts.len() as i32);
        }
    }
}

/// Explicit pairs with the signatures of the present body pair: those of its geoms are not tested twice.
#[derive(Clone, Copy)]
struct ExplicitPairs {
    start: usize,
    end: usize,
    /// Whether one of them belongs to the present body pair.
    merged: bool,
}

/// Whether there is anything to detect.
pub fn is_enabled(model: &Model) -> bool {
    model.opt.disableflags & (disable::CONSTRAINT | disable::CONTACT) == 0 && model.nbody + model.nflex >= 2
}

/// Broad phase: which bodies and flexes are near each other.
pub fn find_pairs(
    model: &Model,
    awake: &Awake,
    kinematics: &Kinematics,
    flexes: &Flexes,
    hooks: &HookSlot,
    scratch: &mut CollisionScratch,
) {
    let broad = &mut scratch.broad;
    // Hooks are asked about every pair the sweep finds.
    let listed = hooks.is_empty()
        && (candidates::find_pairs(model, kinematics, flexes, awake, broad)
            || grid::find_pairs(model, kinematics, flexes, awake, broad));
    if !listed {
        broadphase::find_pairs(model, kinematics, flexes, awake, broad);
    }
}

/// Contacts of the pairs the broad phase found, merged with the explicit ones.
pub fn collide(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    awake: &Awake,
    kinematics: &Kinematics,
    flexes: &Flexes,
    hooks: &HookSlot,
    contacts: &mut Vec<Contact>,
    scratch: &mut CollisionScratch,
) {
    let flags = model.opt.disableflags;
    let CollisionScratch { broad, mid, narrow, flex: flex_scratch, order, sorted, .. } = scratch;
    let context = PairContext { state, inputs, kinematics };
    let masks_decide = hooks.is_empty();
    mid.begin(model);
    let meshes = shape::Meshes::of(model);
    let mut detector =
        Detector { model, context, kinematics, flexes, awake, hooks, contacts, narrow, meshes };
    let excluded = filter::Excluded::of(model);
    let mut next_pair = 0;
    let mut previous = None;
    for pair in &broad.pairs {
        if previous == Some(pair) {
            continue;
        }
        previous = Some(pair);
        let (body1, body2) = broadphase::bodies_of(*pair);
        let signature = (body1 << 16).wrapping_add(body2);
        let mut explicit = ExplicitPairs { start: next_pair, end: next_pair, merged: false };
        while next_pair < model.npair && model.pair_signature[next_pair] as u32 <= signature {
            explicit.merged |= model.pair_signature[next_pair] as u32 == signature;
            detector.test_explicit(next_pair);
            next_pair += 1;
        }
        explicit.end = next_pair;
        let (body1, body2) = (body1 as usize, body2 as usize);
        if !filter::colliders_match(model, body1, body2) || excluded.contains(signature) {
            continue;
        }
        let first = detector.contacts.len();
        if body2 >= model.nbody {
            let flex2 = body2 - model.nbody;
            let sort = match body1.checked_sub(model.nbody) {
                None => detector.test_body_with_flex(body1, flex2, mid),
                Some(flex1) => detector.test_flexes([flex1, flex2], mid),
            };
            if sort {
                sort_by_objects(&mut detector.contacts[first..], order, sorted);
            }
            continue;
        }
        if model.body_geomnum[body1] == 1 && model.body_geomnum[body2] == 1 {
            let geoms = [model.body_geomadr[body1] as usize, model.body_geomadr[body2] as usize];
            detector.test_unless_explicit(geoms, explicit);
        } else if flags & disable::MIDPHASE == 0
            && model.body_bvhadr[body1] >= 0
            && model.body_bvhadr[body2] >= 0
        {
            midphase::visit(model, kinematics, body1, body2, masks_decide, mid, |geoms| {
                detector.test_unless_explicit(geoms, explicit);
            });
            sort_by_objects(&mut detector.contacts[first..], order, sorted);
        } else {
            for geom1 in filter::geoms_of(model, body1) {
                for geom2 in filter::geoms_of(model, body2) {
                    detector.test_unless_explicit([geom1, geom2], explicit);
                }
            }
        }
    }
    for pair in next_pair..model.npair {
        detector.test_explicit(pair);
    }
    for flex in 0..model.nflex {
        detector.test_within_flex(flex, mid, flex_scratch);
    }
}

/// Stable sort by the numbers of the two geoms, elements or vertices.
fn sort_by_objects(contacts: &mut [Contact], order: &mut Vec<(i32, i32, u32)>, sorted: &mut Vec<Contact>) {
    if contacts.len() < 2 {
        return;
    }
    order.clear();
    let object = |contact: &Contact, side: usize| match (contact.geom[side], contact.elem[side]) {
        (geom @ 0.., _) => geom,
        (_, element @ 0..) => element,
        _ => contact.vert[side],
    };
    let keys = contacts.iter().enumerate();
    order.extend(keys.map(|(i, contact)| (object(contact, 0), object(contact, 1), i as u32)));
    order.sort_unstable();
    sorted.clear();
    sorted.extend(order.iter().map(|(_, _, index)| contacts[*index as usize]));
    contacts.copy_from_slice(sorted);
}

/// The geom whose type has the lower number comes first.
pub(crate) fn in_type_order(model: &Model, [geom1, geom2]: [usize; 2]) -> [usize; 2] {
    if model.geom_type[geom1] > model.geom_type[geom2] { [geom2, geom1] } else { [geom1, geom2] }
}

/// Tests single pairs of geoms and collects contacts.
struct Detector<'a> {
    model: &'a Model,
    context: PairContext<'a>,
    kinematics: &'a Kinematics,
    flexes: &'a Flexes,
    awake: &'a Awake,
    hooks: &'a HookSlot,
    contacts: &'a mut Vec<Contact>,
    narrow: &'a mut NarrowScratch,
    meshes: shape::Meshes<'a>,
}

impl Detector<'_> {
    /// Test two geoms unless an explicit pair has already tested them.
    fn test_unless_explicit(&mut self, geoms: [usize; 2], explicit: ExplicitPairs) {
        if explicit.merged {
            let model = self.model;
            let same = |pair: usize| {
                let tested = [model.pair_geom1[pair] as usize, model.pair_geom2[pair] as usize];
                tested == geoms || tested == [geoms[1], geoms[0]]
            };
            if (explicit.start..explicit.end).any(same) {
                return;
            }
        }
        let geoms = in_type_order(self.model, geoms);
        let Some(types) = narrow::types_with_test(self.model, geoms) else { return };
        if !self.hooks.may_collide(self.model, self.context, geoms) {
            return;
        }
        let margin = self.model.geom_margin[geoms[0]] + self.model.geom_margin[geoms[1]];
        let margin = parameters::effective_margin(self.model, margin);
        self.test(geoms, types, margin, |model| parameters::mixed(model, geoms.map(Surface::Geom)));
    }

    /// Test the geoms of an explicit pair.
    fn test_explicit(&mut self, pair: usize) {
        let model = self.model;
        let geoms = [model.pair_geom1[pair] as usize, model.pair_geom2[pair] as usize];
        let rests = |geom: usize| {
            let body = model.geom_bodyid[geom] as usize;
            self.awake.body_awake[body] != SleepState::Awake as i32
        };
        if sleep_enabled(model) && rests(geoms[0]) && rests(geoms[1]) {
            return;
        }
        let geoms = in_type_order(model, geoms);
        let Some(types) = narrow::types_with_test(model, geoms) else { return };
        let margin = parameters::effective_margin(model, model.pair_margin[pair]);
        self.test(geoms, types, margin, |model| parameters::of_pair(model, pair));
    }

    fn test(
        &mut self,
        geoms: [usize; 2],
        types: [GeomType; 2],
        margin: f64,
        parameters: impl FnOnce(&Model) -> parameters::ContactParameters,
    ) {
        if filter::spheres_apart(self.model, self.kinematics, geoms, margin) {
            return;
        }
        let points = narrow::collide(&mut self.meshes, self.kinematics, geoms, types, margin, self.narrow);
        if points.is_empty() {
            return;
        }
        let parameters = parameters(self.model);
        let mut last = LastFrame::default();
        for point in points {
            let touching = Touching::geoms(geoms);
            let contact =
                parameters::contact_after(&mut last, self.model, point, touching, margin, &parameters);
            self.contacts.extend(contact);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contacts_of_one_geom_pair_keep_their_order() {
        let contact = |geom1, geom2, dist| Contact { geom: [geom1, geom2], dist, ..Contact::default() };
        let mut contacts = [
            contact(3, 1, 0.0),
            contact(2, 9, 1.0),
            contact(3, 1, -1.0),
            contact(2, 4, 2.0),
            contact(3, 1, -2.0),
        ];
        sort_by_objects(&mut contacts, &mut Vec::new(), &mut Vec::new());
        let found: Vec<_> = contacts.iter().map(|c| (c.geom, c.dist)).collect();
        assert_eq!(found, [([2, 4], 2.0), ([2, 9], 1.0), ([3, 1], 0.0), ([3, 1], -1.0), ([3, 1], -2.0)]);
    }
}
