//! Collision detection as the reference does it, without what is known of earlier steps and without contacts: which bounding volumes meet, and
//! which geoms are compared, in order.
//!
//! The stage of the step leaves out volumes of which it knows that nothing below them touches. Here nothing is left out, so this is for drawings that show
//! the volumes themselves and the search between two distance fields; no stage uses it. Poses, sleep states and hooks are those of the
//! data as they are.

use condyle_math::mat3;
use condyle_model::{FlexSelfCollide, Model, disable};

use crate::Data;
use crate::data::sleep_enabled;
use crate::hooks::PairContext;
use crate::sleep::SleepState;

use super::broadphase::{self, BroadScratch};
use super::midphase::{self, BoxFrames, Tree};
use super::{filter, in_type_order, is_enabled, narrow, parameters};

/// What is met on the way.
pub trait Visitor {
    /// Two nodes of bounding-volume trees, numbered like `bvh_aabb`, meet.
    fn volumes(&mut self, nodes: [usize; 2]) {
        let _ = nodes;
    }

    /// Two geoms are compared, the lower type first.
    fn geoms(&mut self, geoms: [usize; 2]) {
        let _ = geoms;
    }
}

/// Walk through all pairs of bodies and flexes. Reference: `mj_collision`, `mj_collideTree`.
pub fn walk(model: &Model, data: &Data, visitor: &mut impl Visitor) {
    if !is_enabled(model) {
        return;
    }
    let mut broad = BroadScratch::default();
    broadphase::find_pairs(model, &data.kinematics, &data.flexes, &data.awake, &mut broad);
    broad.pairs.dedup();
    let mut walk = Walk { model, data, visitor, stack: Vec::new() };
    let excluded = filter::Excluded::of(model);
    let mut next_pair = 0;
    for pair in &broad.pairs {
        let (body1, body2) = broadphase::bodies_of(*pair);
        let signature = (body1 << 16).wrapping_add(body2);
        let first_pair = next_pair;
        while next_pair < model.npair && model.pair_signature[next_pair] as u32 <= signature {
            walk.compare_explicit(next_pair);
            next_pair += 1;
        }
        let bodies = [body1 as usize, body2 as usize];
        if filter::colliders_match(model, bodies[0], bodies[1]) && !excluded.contains(signature) {
            let explicit = |geoms: [usize; 2]| {
                (first_pair..next_pair).any(|pair| {
                    let named = [model.pair_geom1[pair] as usize, model.pair_geom2[pair] as usize];
                    named == geoms || named == [geoms[1], geoms[0]]
                })
            };
            walk.compare_colliders(bodies, explicit);
        }
    }
    for pair in next_pair..model.npair {
        walk.compare_explicit(pair);
    }
    for flex in 0..model.nflex {
        if walk.searches_itself(flex) {
            walk.descend_flexes([flex; 2]);
        }
    }
}

struct Walk<'a, V> {
    model: &'a Model,
    data: &'a Data,
    visitor: &'a mut V,
    stack: Vec<(usize, usize)>,
}

impl<V: Visitor> Walk<'_, V> {
    /// Two bodies, a body and a flex, or two flexes. Elements of flexes are compared without a word.
    fn compare_colliders(&mut self, colliders: [usize; 2], explicit: impl Fn([usize; 2]) -> bool) {
        let model = self.model;
        let flexes = colliders.map(|collider| collider.checked_sub(model.nbody));
        let has_tree = |collider: usize| match collider.checked_sub(model.nbody) {
            None => model.body_bvhadr[collider] >= 0,
            Some(flex) => model.flex_bvhadr[flex] >= 0,
        };
        let trees = model.opt.disableflags & disable::MIDPHASE == 0 && colliders.into_iter().all(has_tree);
        match flexes {
            [None, None] => {
                let single = colliders.into_iter().all(|body| model.body_geomnum[body] == 1);
                if trees && !single {
                    self.descend_bodies(colliders, explicit);
                    return;
                }
                for geom1 in filter::geoms_of(model, colliders[0]) {
                    for geom2 in filter::geoms_of(model, colliders[1]) {
                        self.compare([geom1, geom2], &explicit);
                    }
                }
            }
            [None, Some(flex)] if trees => self.descend_body_and_flex(colliders[0], flex),
            [Some(flex1), Some(flex2)] if trees => self.descend_flexes([flex1, flex2]),
            _ => {}
        }
    }

    /// Two geoms found by their bodies, unless an explicit pair names them.
    fn compare(&mut self, geoms: [usize; 2], explicit: impl Fn([usize; 2]) -> bool) {
        let Data { state, inputs, kinematics, hooks, .. } = self.data;
        if explicit(geoms) {
            return;
        }
        let geoms = in_type_order(self.model, geoms);
        let context = PairContext { state, inputs, kinematics };
        if narrow::types_with_test(self.model, geoms).is_some()
            && hooks.may_collide(self.model, context, geoms)
        {
            let margin = self.model.geom_margin[geoms[0]] + self.model.geom_margin[geoms[1]];
            self.compare_within(geoms, margin);
        }
    }

    /// The geoms of an explicit pair, unless both rest.
    fn compare_explicit(&mut self, pair: usize) {
        let model = self.model;
        let geoms = [model.pair_geom1[pair] as usize, model.pair_geom2[pair] as usize];
        let rests = |geom: usize| {
            let body = model.geom_bodyid[geom] as usize;
            self.data.awake.body_awake[body] != SleepState::Awake as i32
        };
        if sleep_enabled(model) && geoms.into_iter().all(rests) {
            return;
        }
        let geoms = in_type_order(model, geoms);
        if narrow::types_with_test(model, geoms).is_some() {
            self.compare_within(geoms, model.pair_margin[pair]);
        }
    }

    fn compare_within(&mut self, geoms: [usize; 2], margin: f64) {
        let margin = parameters::effective_margin(self.model, margin);
        if !filter::spheres_apart(self.model, &self.data.kinematics, geoms, margin) {
            self.visitor.geoms(geoms);
        }
    }

    /// Whether the elements of a flex are compared with each other by its tree.
    fn searches_itself(&self, flex: usize) -> bool {
        let model = self.model;
        let by_tree = match model.flex_selfcollide(flex) {
            Some(FlexSelfCollide::Bvh) => true,
            Some(FlexSelfCollide::Auto) => model.flex_dim[flex] == 3,
            _ => false,
        };
        by_tree
            && model.flex_rigid[flex] == 0
            && model.flex_contype[flex] & model.flex_conaffinity[flex] != 0
            && model.opt.disableflags & disable::MIDPHASE == 0
            && model.flex_bvhadr[flex] >= 0
    }

    fn descend_bodies(&mut self, bodies: [usize; 2], explicit: impl Fn([usize; 2]) -> bool) {
        let (model, k) = (self.model, &self.data.kinematics);
        let [body1, body2] = bodies;
        let margin = parameters::effective_margin(model, model.body_margin[body1] + model.body_margin[body2]);
        let mut frames = BoxFrames::new(bodies.map(|body| k.xipos[body]), [&k.ximat[body1], &k.ximat[body2]]);
        self.descend(
            bodies.map(|body| Tree::of_body(model, body)),
            |boxes| frames.meet(boxes, margin),
            |walk, geoms, _| {
                let meet = midphase::geoms_meet(model, k, geoms);
                if meet {
                    walk.compare(geoms, &explicit);
                }
                meet
            },
        );
    }

    fn descend_body_and_flex(&mut self, body: usize, flex: usize) {
        let (model, k) = (self.model, &self.data.kinematics);
        let margin = parameters::effective_margin(model, model.body_margin[body] + model.flex_margin[flex]);
        let mut frames = BoxFrames::new([k.xipos[body], [0.0; 3]], [&k.ximat[body], &mat3::IDENTITY]);
        self.descend(
            [Tree::of_body(model, body), Tree::of_flex(model, &self.data.flexes, flex)],
            |boxes| frames.meet(boxes, margin),
            |_, [geom, _], [_, limits]| midphase::geom_meets_box(model, k, geom, flex, limits),
        );
    }

    fn descend_flexes(&mut self, flexes: [usize; 2]) {
        let model = self.model;
        let margin =
            parameters::effective_margin(model, model.flex_margin[flexes[0]] + model.flex_margin[flexes[1]]);
        self.descend(
            flexes.map(|flex| Tree::of_flex(model, &self.data.flexes, flex)),
            |[box1, box2]| !filter::boxes_apart(box1, box2, margin),
            |_, _, _| true,
        );
    }

    /// Descend two trees at once. Nodes that are not both leaves meet if their boxes do; of two leaves, `leaves` says whether they meet.
    fn descend(
        &mut self,
        [tree1, tree2]: [Tree; 2],
        mut boxes_meet: impl FnMut([&[f64; 6]; 2]) -> bool,
        mut leaves: impl FnMut(&mut Self, [usize; 2], [&[f64; 6]; 2]) -> bool,
    ) {
        let (root1, root2) = (tree1.root, tree2.root);
        let mut stack = std::mem::take(&mut self.stack);
        stack.clear();
        stack.push((0, 0));
        while let Some((node1, node2)) = stack.pop() {
            if root1 == root2 && node1 > node2 {
                continue;
            }
            let nodes = [root1 + node1, root2 + node2];
            let [children1, children2] = nodes.map(|node| &self.model.bvh_child[node]);
            let boxes = [&tree1.boxes[node1], &tree2.boxes[node2]];
            let are_leaves = *children1 == [-1, -1] && *children2 == [-1, -1];
            let meet = if are_leaves {
                let objects = nodes.map(|node| usize::try_from(self.model.bvh_nodeid[node]));
                let [Ok(object1), Ok(object2)] = objects else { continue };
                leaves(self, [object1, object2], boxes)
            } else {
                boxes_meet(boxes)
            };
            if meet {
                self.visitor.volumes(nodes);
                if !are_leaves {
                    midphase::push_children(&mut stack, [node1, node2], boxes, [children1, children2]);
                }
            }
        }
        self.stack = stack;
    }
}
