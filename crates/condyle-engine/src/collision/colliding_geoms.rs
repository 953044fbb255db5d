//! The geoms of each body that can touch anything, to find those of two bodies without descending their trees.
//!
//! Most bodies of a robot have a few geoms that collide and some that are only seen. Where two bodies have a handful of pairs of the former, comparing
//! the bounding spheres of each takes fewer instructions than the boxes at the roots of the trees. Which pairs are found must be the same: one whose spheres and boxes
//! meet counts only if the descent would have come to it, so the inner boxes on the way down to its two leaves are compared last.

use condyle_math::{Vec3, vec3};
use condyle_model::Model;

use crate::data::Kinematics;

use super::fixed_spheres::{self, FixedSpheres};
use super::{filter, midphase, parameters};

/// With more pairs of geoms than this, the descent is quicker.
const MOST_PAIRS: usize = 12;

/// For trees with fewer nodes together the centres are not fetched.
const LEAST_NODES: i32 = 5;

/// By which share of all magnitudes a box may stick out of the one that holds it.
const NESTED: f64 = 1e-15;
/// Most boxes around each other, so that what all of them stick out stays below what [`midphase`] leaves for rounding.
const DEEPEST: usize = 16;

/// No range of a list: it ends before it begins.
const NOWHERE: [u32; 2] = [1, 0];

/// What the list was made from.
type Key = [u64; 11];

/// Geoms that collide, body after body.
#[derive(Clone, Debug, Default)]
pub(super) struct CollidingGeoms {
    key: Option<Key>,
    /// Of each body where its geoms begin and end; [`NOWHERE`] if they are not all found once in its tree.
    ranges: Vec<[u32; 2]>,
    geoms: Vec<CollidingGeom>,
    /// Whether the centres are those of this step.
    placed: bool,
    /// Nodes of the tree of the body from the root to the leaf of a geom.
    ways: Vec<u32>,
    /// Which of the many geoms of the world are near a body.
    fixed: FixedSpheres,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct CollidingGeom {
    pub(super) geom: u32,
    masks: [i32; 2],
    pub(super) center: Vec3,
    pub(super) radius: f64,
    pub(super) margin: f64,
    /// Where its way begins and ends.
    way: [u32; 2],
    /// Whether each box on the way holds the next.
    nested: bool,
}

/// Nodes of the tree of a body from the root to a leaf.
#[derive(Clone, Copy)]
pub(super) struct Way<'a> {
    pub(super) nodes: &'a [u32],
    /// Whether each box is inside the one before, rounding aside.
    pub(super) nested: bool,
}

fn key(model: &Model) -> Option<Key> {
    Some([
        model.body_geomadr.revision()?,
        model.body_geomnum.revision()?,
        model.geom_contype.revision()?,
        model.geom_conaffinity.revision()?,
        model.geom_rbound.revision()?,
        model.geom_margin.revision()?,
        model.bvh_aabb.revision()?,
        model.bvh_child.revision()?,
        model.bvh_nodeid.revision()?,
        model.body_bvhadr.revision()?,
        model.body_bvhnum.revision()?,
    ])
}

impl CollidingGeoms {
    /// Begin a step: nothing is where it was.
    pub(super) fn begin(&mut self) {
        self.placed = false;
    }

    /// Make the list anew if the geoms are others than last time.
    fn follow(&mut self, model: &Model) {
        let key = key(model);
        if key == self.key && self.ranges.len() == model.nbody {
            return;
        }
        self.key = key;
        self.ranges.clear();
        self.geoms.clear();
        self.ways.clear();
        self.fixed.forget();
        if key.is_none() {
            return;
        }
        let (mut stack, mut way) = (Vec::new(), Vec::new());
        for body in 0..model.nbody {
            let first = self.geoms.len();
            self.geoms.extend(filter::geoms_of(model, body).filter_map(|geom| {
                let masks = [model.geom_contype[geom], model.geom_conaffinity[geom]];
                let (radius, margin) = (model.geom_rbound[geom], model.geom_margin[geom]);
                let (geom, center, way) = (geom as u32, [0.0; 3], [0; 2]);
                let found = CollidingGeom { geom, masks, center, radius, margin, way, nested: false };
                (masks != [0, 0]).then_some(found)
            }));
            self.find_ways(model, body, first, &mut stack, &mut way);
            let found = self.geoms[first..].iter().all(|geom| geom.way[0] < geom.way[1]);
            self.ranges.push(if found { [first as u32, self.geoms.len() as u32] } else { NOWHERE });
        }
    }

    /// Note the ways to the geoms of a body, those from `first` on.
    fn find_ways(
        &mut self,
        model: &Model,
        body: usize,
        first: usize,
        stack: &mut Vec<(u32, usize)>,
        way: &mut Vec<u32>,
    ) {
        let Some(root) = model.body_bvhadr(body) else { return };
        if model.body_bvhnum[body] <= 0 {
            return;
        }
        stack.clear();
        way.clear();
        stack.push((0, 0));
        while let Some((node, depth)) = stack.pop() {
            way.truncate(depth);
            way.push(node);
            let children = model.bvh_child[root + node as usize];
            if children != [-1, -1] {
                let below = children.iter().filter(|child| **child >= 0);
                stack.extend(below.map(|child| (*child as u32, depth + 1)));
                continue;
            }
            let id = model.bvh_nodeid[root + node as usize];
            if let Some(geom) = self.geoms[first..].iter_mut().find(|geom| id >= 0 && geom.geom == id as u32)
            {
                let begin = self.ways.len() as u32;
                self.ways.extend_from_slice(way);
                // A geom with two leaves would be tested twice.
                geom.way = if geom.way == [0; 2] { [begin, self.ways.len() as u32] } else { [u32::MAX; 2] };
                let boxes = &model.bvh_aabb[root..];
                let at = |depth: usize| &boxes[way[depth] as usize];
                geom.nested =
                    way.len() <= DEEPEST && (1..way.len()).all(|depth| holds(at(depth - 1), at(depth)));
            }
        }
    }

    /// Call `test` with every two geoms of two bodies that may touch and whose bounding spheres meet, the ways to their leaves and their
    /// margin. `false` if the trees are to be descended.
    #[inline(always)]
    pub(super) fn visit(
        &mut self,
        model: &Model,
        kinematics: &Kinematics,
        [body1, body2]: [usize; 2],
        mut test: impl FnMut([usize; 2], [Way; 2], f64),
    ) -> bool {
        if !self.placed {
            if model.body_bvhnum[body1].saturating_add(model.body_bvhnum[body2]) < LEAST_NODES {
                return false;
            }
            self.place(model, kinematics);
        }
        let Self { ranges, geoms, ways, fixed, .. } = self;
        let of_body = |body: usize| {
            let [first, end] = *ranges.get(body)?;
            geoms.get(first as usize..end as usize)
        };
        let (Some(geoms1), Some(geoms2)) = (of_body(body1), of_body(body2)) else { return false };
        if body1 == 0 && geoms1.len() >= fixed_spheres::LEAST_GEOMS {
            return fixed.visit(model, kinematics, body2, geoms2, |place| {
                visit_others(model, kinematics, ways, &geoms1[place], geoms2, &mut test)
            });
        }
        let few = geoms1.len() * geoms2.len() <= MOST_PAIRS;
        if few {
            for first in geoms1 {
                visit_others(model, kinematics, ways, first, geoms2, &mut test);
            }
        }
        few
    }

    /// Fetch the centres of all geoms.
    #[cold]
    fn place(&mut self, model: &Model, kinematics: &Kinematics) {
        self.follow(model);
        let mut rest = &mut self.geoms[..];
        if let Some([0, end]) = self.ranges.first()
            && *end as usize >= fixed_spheres::LEAST_GEOMS
        {
            let (world, others) = rest.split_at_mut(*end as usize);
            self.fixed.follow(model, kinematics, world);
            rest = others;
        }
        for geom in rest {
            geom.center = kinematics.geom_xpos[geom.geom as usize];
        }
        self.placed = true;
    }
}

/// Call `test` with a geom and each of those of another body that it may touch and whose bounding sphere it meets; returns whether there is one.
#[inline(always)]
fn visit_others(
    model: &Model,
    kinematics: &Kinematics,
    ways: &[u32],
    first: &CollidingGeom,
    others: &[CollidingGeom],
    test: &mut impl FnMut([usize; 2], [Way; 2], f64),
) -> bool {
    let way = |geom: &CollidingGeom| Way {
        nodes: &ways[geom.way[0] as usize..geom.way[1] as usize],
        nested: geom.nested,
    };
    let mut met = false;
    for second in others {
        let margin = parameters::effective_margin(model, first.margin + second.margin);
        let bound = first.radius + second.radius + margin;
        let offset = vec3::sub(first.center, second.center);
        let are_balls = first.radius > 0.0 && second.radius > 0.0;
        if (vec3::dot(offset, offset) > bound * bound && are_balls)
            || !filter::masks_match(first.masks, second.masks)
        {
            continue;
        }
        let geoms = [first.geom as usize, second.geom as usize];
        if are_balls || !filter::spheres_apart(model, kinematics, geoms, margin) {
            test(geoms, [way(first), way(second)], margin);
            met = true;
        }
    }
    met
}

/// Whether a box, centre and half extents, is inside another up to rounding, and infinite along no axis where the other is not.
fn holds(outer: &[f64; 6], inner: &[f64; 6]) -> bool {
    (0..3).all(|axis| {
        let (between, half) = ((outer[axis] - inner[axis]).abs(), [outer[axis + 3], inner[axis + 3]]);
        let sizes = outer[axis].abs() + between + half[0].abs() + half[1].abs();
        between + half[1] <= half[0] + NESTED * sizes
            && (half[1] < midphase::INFINITE || half[0] >= midphase::INFINITE)
    })
}

#[cfg(test)]
mod tests {
    use condyle_math::{mat3, quat};

    use super::*;
    use crate::collision::midphase::{self, MidScratch};

    /// Two bodies of three boxes in a row, in trees of lists; the middle one is only seen.
    fn model() -> Model {
        let mut model = Model { nbody: 2, ngeom: 6, nbvh: 10, nbvhstatic: 10, ..Model::default() };
        model.allocate();
        model.body_treeid.fill(-1);
        model.body_mocapid.fill(-1);
        for body in 0..2 {
            model.body_bvhadr[body] = 5 * body as i32;
            model.body_bvhnum[body] = 5;
            model.body_geomadr[body] = 3 * body as i32;
            model.body_geomnum[body] = 3;
            let below = [[1, 2], [-1, -1], [3, 4], [-1, -1], [-1, -1]];
            let leaves = [-1, 0, -1, 1, 2];
            for node in 0..5 {
                model.bvh_child[5 * body + node] = below[node];
                let geom = leaves[node];
                model.bvh_nodeid[5 * body + node] = if geom < 0 { -1 } else { geom + 3 * body as i32 };
                let place = if geom < 0 { 1.0 + 0.25 * node as f64 } else { f64::from(geom) };
                let reach = if geom < 0 { 1.3 - 0.25 * node as f64 } else { 0.3 };
                model.bvh_aabb[5 * body + node] = [place, 0.0, 0.0, reach, 0.3, 0.3];
            }
            for place in 0..3 {
                let geom = 3 * body + place;
                model.geom_rbound[geom] = 0.52;
                model.geom_aabb[geom] = [0.0, 0.0, 0.0, 0.3, 0.3, 0.3];
                model.geom_contype[geom] = i32::from(place != 1);
                model.geom_conaffinity[geom] = i32::from(place != 1);
            }
        }
        model
    }

    /// The same with an endless plane for the first box.
    fn model_with_floor() -> Model {
        let mut model = model();
        let below = [0.0, 0.0, -5e9, 1e10, 1e10, 5e9];
        (model.geom_type[0], model.geom_rbound[0]) = (condyle_model::GeomType::Plane as i32, 0.0);
        (model.geom_aabb[0], model.bvh_aabb[1]) = (below, below);
        model.bvh_aabb[0] = [0.0, 0.0, 0.15 - 5e9, 1e10, 1e10, 5e9 + 0.15];
        model
    }

    #[test]
    fn few_geoms_are_found_as_by_the_descent() {
        for model in [model(), model_with_floor()] {
            assert_same_as_the_descent(&model);
        }
    }

    fn assert_same_as_the_descent(model: &Model) {
        let mut kinematics = crate::Data::new(model).kinematics;
        let mut scratch = MidScratch::default();
        let (mut found, mut missed) = (0, 0);
        for step in 0..4000 {
            let t = 0.01 * f64::from(step);
            let turn = quat::normalize([1.0, 0.3 * t.sin(), 0.5 * (0.7 * t).cos(), 0.2 * t]).0;
            let positions = [[0.0; 3], [1.0 + 2.5 * (1.3 * t).sin(), 1.1 * (2.1 * t).cos(), 0.6 * t.sin()]];
            for (body, axes) in [mat3::IDENTITY, quat::to_mat(&turn)].into_iter().enumerate() {
                (kinematics.xipos[body], kinematics.ximat[body]) = (positions[body], axes);
                for place in 0..3 {
                    let along = mat3::mul_vec(&axes, [place as f64, 0.0, 0.0]);
                    kinematics.geom_xpos[3 * body + place] = vec3::add(positions[body], along);
                    kinematics.geom_xmat[3 * body + place] = axes;
                }
            }
            let mut visit = |masks_decide: bool| {
                let mut pairs = Vec::new();
                scratch.begin(model);
                midphase::visit(model, &kinematics, 0, 1, masks_decide, &mut scratch, |geoms| {
                    if filter::geoms_match(model, geoms) {
                        pairs.push(geoms);
                    }
                });
                pairs.sort_unstable();
                pairs
            };
            let expected = visit(false);
            assert_eq!(visit(true), expected, "step {step}");
            found += expected.len();
            missed += usize::from(expected.is_empty());
        }
        assert!(found > 500 && missed > 500, "{found} {missed}");
    }

    #[test]
    fn a_geom_without_a_leaf_is_left_to_the_descent() {
        let mut model = model();
        model.bvh_nodeid[1] = -1;
        let mut geoms = CollidingGeoms::default();
        geoms.follow(&model);
        assert_eq!(geoms.ranges[0], NOWHERE);
        assert_eq!(geoms.ranges[1][1] - geoms.ranges[1][0], 2);
    }
}
