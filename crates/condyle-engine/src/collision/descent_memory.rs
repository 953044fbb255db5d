//! What the descent of two bounding-volume trees found, kept until the bodies have moved enough to change it.
//!
//! The descent compares boxes that are fixed in the two bodies, so everything it decides follows from the pose of the second body in
//! the frame of the first: position `p` and rotation `Q`. A memory holds such a pose and the *front*: the pairs of nodes where
//! the descent goes on in each step. All decisions above and beside the front are certain: they stay as they are while the pose
//! stays near. A step looks whether it did, at the poses it has before it, and then descends from the front alone; if not, the
//! front is found anew. Leaves are reached in another order than from the roots, but their contacts are sorted by geom afterwards, and each is
//! reached once. So no result depends on what is remembered, and nothing but the poses decides what is.
//!
//! Why decisions stay: two boxes with centres `a`, `b` and half sizes `g`, `h` are apart along a face normal of the first body when
//! `s = |(p + Q b − a)ᵢ| − gᵢ − Σ |Qᵢₖ| hₖ − margin` is positive. When the pose changes by `Δp`, `ΔQ`, this changes by at most
//! `|Δp| + ‖ΔQ‖ (|b| + |h|)`, with the Frobenius norm. Along a normal of the second body, where `Qᵀ(a − p) − b` takes the place
//! of the difference, `Qᵀ(a−p) − Q₀ᵀ(a−p₀) = ΔQᵀ(a−p₀) − Qᵀ Δp` gives the bound `|Δp| + ‖ΔQ‖ (|a − p₀| + |g|)`. Boxes found
//! apart along some normal stay apart, and boxes that overlap along all normals go on to, while the bound is below `|s|`. With
//! `T = min |s|` and `Θ = min |s| / lever` over all certain decisions, `|Δp| / T + ‖ΔQ‖ / Θ < 1` keeps every one. Decisions that are nearly
//! undecided become nodes of the front, so that `T` is never small. [`ROUNDING`] covers what both computations round.

use condyle_math::{Mat3, Vec3, mat3, vec3};
use condyle_model::Model;

use crate::data::Kinematics;

use super::filter;
use super::midphase::{self, Extent, Tree, extent};

/// Trees with fewer nodes together are descended as quickly as remembered.
const LEAST_NODES: i32 = 20;
/// Most pairs of nodes in a front.
const FRONT: usize = 20;
/// Most pairs of bodies that are remembered.
const MOST_ENTRIES: usize = 256;
/// Visits for which a pair that moves too fast is not remembered, twice as many when it still does afterwards.
const PAUSE: u8 = 15;
/// A memory must serve this often to be worth its making.
const WORTHWHILE: u8 = 3;
/// Share of the size of the smaller tree by which boxes must be apart or overlap for a certain decision.
const CERTAIN: f64 = 0.25;
/// How far bodies are taken to turn while they move one metre, in weighing which decision lasts: a guess that no result depends on.
const TURNING: f64 = 2.0;
/// Bound of rounding errors as a share of all magnitudes: some fifty times what a chain of twenty operations can add up to.
const ROUNDING: f64 = 1e-13;

/// What the memories were made from.
type Key = [u64; 7];

/// Memories of pairs of bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct DescentMemory {
    key: Option<Key>,
    entries: Vec<Entry>,
}

/// Pose of the second body of a pair in the frame of the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Relative {
    position: Vec3,
    rotation: Mat3,
    /// Bound of the rounding errors of world positions.
    rounding: f64,
}

impl Relative {
    pub(super) fn of(kinematics: &Kinematics, [body1, body2]: [usize; 2]) -> Self {
        let (position1, position2) = (kinematics.xipos[body1], kinematics.xipos[body2]);
        let axes = &kinematics.ximat[body1];
        let size = |v: Vec3| v[0].abs() + v[1].abs() + v[2].abs();
        Self {
            position: mat3::mul_vec_transposed(axes, vec3::sub(position2, position1)),
            rotation: mat3::mul_transposed_left(axes, &kinematics.ximat[body2]),
            rounding: ROUNDING * (size(position1) + size(position2)),
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Entry {
    bodies: [u32; 2],
    margin: f64,
    relative: Relative,
    /// `T` and `Θ`; zero where nothing is remembered.
    translation: f64,
    turn: f64,
    /// Visits served since it was made.
    served: u8,
    /// Visits for which nothing is to be remembered, and how many there were the last time.
    pause: u8,
    last_pause: u8,
    count: u8,
    front: [[u32; 2]; FRONT],
}

const EMPTY: Entry = Entry {
    bodies: [u32::MAX; 2],
    margin: 0.0,
    relative: Relative { position: [0.0; 3], rotation: mat3::IDENTITY, rounding: 0.0 },
    translation: 0.0,
    turn: 0.0,
    served: 0,
    pause: 0,
    last_pause: 0,
    count: 0,
    front: [[0; 2]; FRONT],
};

fn key(model: &Model) -> Option<Key> {
    Some([
        model.bvh_aabb.revision()?,
        model.bvh_child.revision()?,
        model.bvh_nodeid.revision()?,
        model.body_bvhadr.revision()?,
        model.body_bvhnum.revision()?,
        model.geom_contype.revision()?,
        model.geom_conaffinity.revision()?,
    ])
}

impl DescentMemory {
    /// Forget everything if the trees are others than last time.
    pub(super) fn follow(&mut self, model: &Model) {
        let key = key(model);
        if key != self.key {
            self.key = key;
            self.entries.clear();
            let largest = model.body_bvhnum.iter().fold(0, |largest, count| largest.max(*count));
            if key.is_some() && largest > LEAST_NODES / 2 {
                let size = (2 * model.nbody).next_power_of_two().clamp(16, MOST_ENTRIES);
                self.entries.resize(size, EMPTY);
            }
        }
    }

    /// The front of a pair of bodies, first made if need be, onto `stack`. `false` if the descent has to start at the roots.
    pub(super) fn recall(
        &mut self,
        model: &Model,
        kinematics: &Kinematics,
        bodies: [usize; 2],
        margin: f64,
        stack: &mut Vec<(usize, usize)>,
    ) -> bool {
        let nodes = bodies.map(|body| model.body_bvhnum[body]);
        if self.entries.is_empty() || nodes[0].saturating_add(nodes[1]) < LEAST_NODES {
            return false;
        }
        let numbers = bodies.map(|body| body as u32);
        let place = numbers[0].wrapping_mul(0x9e37_79b1) ^ numbers[1].wrapping_mul(0x85eb_ca6b);
        let last = self.entries.len() - 1;
        let entry = &mut self.entries[(place ^ place >> 15) as usize & last];
        let own = entry.bodies == numbers;
        if !own && entry.served > 0 {
            // Two pairs share a place; the one that is used stays.
            entry.served -= 1;
            return false;
        }
        let known = own && entry.margin.to_bits() == margin.to_bits();
        if known && entry.pause > 0 {
            entry.pause -= 1;
            return false;
        }
        let relative = Relative::of(kinematics, bodies);
        if known && entry.covers(&relative) {
            entry.served = (entry.served + 1).min(WORTHWHILE);
            if entry.served == WORTHWHILE {
                entry.last_pause = 0;
            }
        } else {
            // A pair that moves so fast that its memory is hardly used is left alone for a while.
            let fast = known && entry.served < WORTHWHILE && entry.translation > 0.0;
            let last_pause = if known { entry.last_pause } else { 0 };
            *entry = Entry { bodies: numbers, margin, relative, last_pause, ..EMPTY };
            if fast || !entry.learn(model, bodies, stack) {
                let pause = last_pause.saturating_mul(2).max(PAUSE);
                (entry.translation, entry.pause, entry.last_pause) = (0.0, pause, pause);
                return false;
            }
        }
        stack.clear();
        let front = &entry.front[..usize::from(entry.count)];
        stack.extend(front.iter().map(|nodes| (nodes[0] as usize, nodes[1] as usize)));
        true
    }
}

impl Entry {
    /// Whether every certain decision is the same at a pose.
    fn covers(&self, now: &Relative) -> bool {
        let moved = vec3::sub(now.position, self.relative.position);
        let mut turned = 0.0;
        for (a, b) in now.rotation.iter().zip(&self.relative.rotation) {
            turned += (a - b) * (a - b);
        }
        let moved = vec3::dot(moved, moved).sqrt() + now.rounding + self.relative.rounding;
        let turned = turned.sqrt() + ROUNDING;
        // Written without division, and false for what is not a number.
        moved * self.turn + turned * self.translation < self.translation * self.turn
    }

    /// Descend from the roots and note the front; `false` if it has too many nodes.
    fn learn(&mut self, model: &Model, bodies: [usize; 2], stack: &mut Vec<(usize, usize)>) -> bool {
        let [tree1, tree2] = bodies.map(|body| Tree::of_body(model, body));
        let certain = CERTAIN * smaller(size(&tree1.boxes[0]), size(&tree2.boxes[0]));
        // Far above any distance in a model, and far from overflow in `covers`.
        (self.translation, self.turn) = (1e30, 1e30);
        stack.clear();
        stack.push((0, 0));
        while let Some((node1, node2)) = stack.pop() {
            let (children1, children2) =
                (model.bvh_child[tree1.root + node1], model.bvh_child[tree2.root + node2]);
            let (is_leaf1, is_leaf2) = (children1 == [-1, -1], children2 == [-1, -1]);
            let (box1, box2) = (&tree1.boxes[node1], &tree2.boxes[node2]);
            if is_leaf1 && is_leaf2 {
                let objects = [model.bvh_nodeid[tree1.root + node1], model.bvh_nodeid[tree2.root + node2]];
                let matches = || filter::geoms_match(model, objects.map(|geom| geom as usize));
                if objects[0] >= 0 && objects[1] >= 0 && matches() && !self.note(node1, node2) {
                    return false;
                }
                continue;
            }
            match self.judge([box1, box2], certain) {
                None if !self.note(node1, node2) => return false,
                None | Some(false) => {}
                Some(true) => {
                    midphase::push_children(stack, [node1, node2], [box1, box2], [&children1, &children2]);
                }
            }
        }
        true
    }

    fn note(&mut self, node1: usize, node2: usize) -> bool {
        let count = usize::from(self.count);
        let (Ok(node1), Ok(node2)) = (u32::try_from(node1), u32::try_from(node2)) else { return false };
        if count < FRONT {
            self.front[count] = [node1, node2];
            self.count += 1;
        }
        count < FRONT
    }

    /// Whether two boxes meet, if that is certain; then how far the bodies may move is noted.
    fn judge(&mut self, [box1, box2]: [&[f64; 6]; 2], certain: f64) -> Option<bool> {
        let extents = [extent(box1), extent(box2)];
        if extents.contains(&Extent::Infinite) {
            return Some(true);
        }
        let Relative { position, rotation, .. } = &self.relative;
        let [center1, center2] = [box1, box2].map(|limits| [limits[0], limits[1], limits[2]]);
        let [half1, half2] = [box1, box2].map(|limits| [limits[3], limits[4], limits[5]]);
        let length = |v: Vec3| vec3::dot(v, v).sqrt();
        // Of each body's normals: distance of the centres along them, radii, lever.
        let from_first = vec3::sub(vec3::add(mat3::mul_vec(rotation, center2), *position), center1);
        let offset = vec3::sub(center1, *position);
        let from_second = vec3::sub(mat3::mul_vec_transposed(rotation, offset), center2);
        let absolute = rotation.map(f64::abs);
        let radii1 = vec3::add(half1, mat3::mul_vec(&absolute, half2));
        let radii2 = vec3::add(half2, mat3::mul_vec_transposed(&absolute, half1));
        let magnitude: f64 = box1.iter().chain(box2).chain(position).map(|x| x.abs()).sum();
        let rounding = ROUNDING * (magnitude + self.margin.abs());
        let sides = [
            (from_first, radii1, length(center2) + length(half2)),
            (from_second, radii2, length(offset) + length(half1)),
        ];
        let considered = [extents[1] == Extent::Finite, extents[0] == Extent::Finite];
        // The normal along which they are apart most lastingly, and how little they overlap along any.
        let mut apart: Option<(f64, f64, f64)> = None;
        let mut least_overlap = f64::INFINITY;
        let (mut translation, mut turn) = (self.translation, self.turn);
        for ((distances, radii, lever), _) in
            sides.iter().zip(considered).filter(|(_, considered)| *considered)
        {
            for axis in 0..3 {
                let gap = distances[axis].abs() - radii[axis] - self.margin;
                if gap.is_nan() {
                    return None;
                }
                let clear = gap.abs() - rounding;
                let lasting = clear / (1.0 + TURNING * lever);
                if gap > 0.0 {
                    if apart.is_none_or(|(most, ..)| lasting > most) {
                        apart = Some((lasting, clear, *lever));
                    }
                } else {
                    least_overlap = smaller(least_overlap, lasting);
                    translation = smaller(translation, clear);
                    turn = smaller(turn, clear / lever);
                }
            }
        }
        let lasting = apart.map_or(least_overlap, |(lasting, ..)| lasting);
        if !(lasting >= certain && lasting > 0.0) {
            return None;
        }
        if let Some((_, clear, lever)) = apart {
            self.translation = smaller(self.translation, clear);
            self.turn = smaller(self.turn, clear / lever);
            return Some(false);
        }
        // Also where no normal is looked at: boxes of two half-spaces meet wherever they are.
        (self.translation, self.turn) = (translation, turn);
        Some(true)
    }
}

/// The smaller of two numbers.
fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// Distance a finite box reaches to from the origin; no bound for others.
fn size(limits: &[f64; 6]) -> f64 {
    if extent(limits) != Extent::Finite {
        return 1.0;
    }
    let length = |v: &[f64]| (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    length(&limits[..3]) + length(&limits[3..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use condyle_math::quat;

    /// Two bodies: one with many boxes in a row, one with two boxes. Trees are lists: every inner node has a leaf and the rest.
    fn model() -> Model {
        let counts = [9, 2];
        let nodes: usize = counts.iter().map(|count| 2 * count - 1).sum();
        let mut model = Model { nbody: 2, ngeom: 11, nbvh: nodes, nbvhstatic: nodes, ..Model::default() };
        model.allocate();
        model.geom_contype.fill(1);
        model.geom_conaffinity.fill(1);
        model.body_treeid.fill(-1);
        model.body_mocapid.fill(-1);
        let (mut node, mut geom) = (0, 0);
        for (body, count) in counts.into_iter().enumerate() {
            model.body_bvhadr[body] = node;
            model.body_bvhnum[body] = 2 * count as i32 - 1;
            for i in 0..count {
                let last = i + 1 == count;
                let (from, to) = (i as f64, count as f64 - 1.0);
                if !last {
                    // From this leaf to the end of the row.
                    model.bvh_aabb[node as usize] =
                        [0.5 * (from + to), 0.0, 0.0, 0.5 * (to - from) + 0.3, 0.3, 0.3];
                    let own = 2 * i as i32;
                    model.bvh_child[node as usize] = [own + 1, own + 2];
                    model.bvh_nodeid[node as usize] = -1;
                    node += 1;
                }
                model.bvh_aabb[node as usize] = [from, 0.0, 0.0, 0.3, 0.3, 0.3];
                model.bvh_child[node as usize] = [-1, -1];
                model.bvh_nodeid[node as usize] = geom;
                node += 1;
                geom += 1;
            }
        }
        model
    }

    #[test]
    fn the_front_leads_to_the_leaves_that_the_roots_lead_to() {
        let model = model();
        let mut kinematics = crate::Data::new(&model).kinematics;
        (kinematics.xipos[0], kinematics.ximat[0]) = ([0.0; 3], mat3::IDENTITY);
        let mut memory = DescentMemory::default();
        memory.follow(&model);
        let (mut scratch, mut stack) = (midphase::MidScratch::default(), Vec::new());
        let (mut recalled, mut reached) = (0, 0);
        for step in 0..4000 {
            let t = 0.002 * f64::from(step);
            let turn = quat::normalize([1.0, 0.3 * t.sin(), 0.5 * (0.7 * t).cos(), 0.2 * t]).0;
            kinematics.ximat[1] = quat::to_mat(&turn);
            kinematics.xipos[1] = [4.0 + 4.5 * (1.3 * t).sin(), 0.9 * (2.1 * t).cos(), 0.4 * t.sin()];
            let mut leaves = |start: Option<&[(usize, usize)]>| {
                let mut found = midphase::leaves_from(&model, &kinematics, [0, 1], 0.01, start, &mut scratch);
                found.sort_unstable();
                found
            };
            let expected = leaves(None);
            if memory.recall(&model, &kinematics, [0, 1], 0.01, &mut stack) {
                recalled += 1;
                reached += expected.len();
                assert_eq!(leaves(Some(&stack)), expected, "step {step}");
            }
        }
        assert!(recalled > 2000 && reached > 1000, "{recalled} {reached}");
    }
}
