//! The broad phase of large models: bodies in the cells of a grid, and only those that can move against their neighbours.
//!
//! What follows from the rules for bodies is kept between steps and made anew when an array behind it changes. In a step, every body has
//! a box aligned with the world around the bounding spheres of its geoms. Bodies that neither sleep nor are fixed are compared with all
//! bodies in the cells they touch, so the cost grows with the number of bodies where they are spread out; fixed and sleeping
//! bodies away from everything that moves cost one comparison. While no body sleeps, the cells are filled only now and then, for
//! boxes somewhat too large, and the pairs found serve until a body leaves its box (`neighbours.rs`). Pairs whose boxes are clearly apart cannot touch, as in
//! [`candidates`]. The others are compared as the sweep of [`broadphase`] compares them, in its frame and partly in single
//! precision, so the contacts and their order are the same.

use condyle_model::{Model, disable};

use crate::data::{Awake, Flexes, Kinematics};
use crate::sleep::SleepState;

use super::broadphase::{self, BroadScratch, Nearness, bodies_of, pair_of};
use super::candidates::{self, CLEAR, Key};
use super::filter::{self, PairSide};
use super::neighbours::{Bounds, Neighbours};
use super::resting::Resting;

/// Most pairs with static bodies that meet everything that are kept in a list.
const MOST_STATIC_PAIRS: usize = 1 << 16;
/// A body in more cells than this is compared with all others.
const MOST_CELLS: usize = 16;
/// Most cells along an axis.
const MOST_ROWS: usize = 128;
/// With fewer bodies than this a grid is not worth its making.
const FEW: usize = 24;

/// A body of the broad phase.
#[derive(Clone, Copy, Debug)]
struct Collider {
    body: u32,
    /// Place among all bodies that can collide, which the sweep compares by.
    place: u32,
    side: PairSide,
    masks: [i32; 2],
    single: bool,
}

/// A body that may touch another in this step.
#[derive(Clone, Copy, Debug)]
struct Present {
    bounds: Bounds,
    collider: u32,
    /// First and last cell along the two axes of the grid.
    cells: [u16; 4],
}

/// What the rules say, and work space of a step.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    key: Option<Key>,
    usable: bool,
    /// Pairs of a static body that meets everything and any other body, and that other body.
    with_static: Vec<(u64, u32)>,
    colliders: Vec<Collider>,
    /// Bodies that can move, then those fixed or asleep that come near them.
    present: Vec<Present>,
    resting: Resting,
    /// Where each cell starts in `items`, and how many of its items can move.
    starts: Vec<u32>,
    movers: Vec<u32>,
    items: Vec<u32>,
    /// Bodies in very many cells.
    large: Vec<u32>,
    /// Cells along the first axis of the grid.
    rows: usize,
    /// Pairs of `present` whose bounds are not clearly apart, in the end those of `colliders`.
    near: Vec<[u32; 2]>,
    neighbours: Neighbours,
    /// Whether `with_static` ascends and comes before all other pairs.
    in_order: bool,
    /// Largest magnitude of a coordinate of a body that is present.
    largest: f64,
}

/// Pairs that may touch, into `broad.pairs`. `false` if this way cannot be gone; then `broad.pairs` holds nothing of use.
pub fn find_pairs(
    model: &Model,
    kinematics: &Kinematics,
    flexes: &Flexes,
    awake: &Awake,
    broad: &mut BroadScratch,
) -> bool {
    let BroadScratch { grid, pairs, .. } = broad;
    grid.follow(model);
    if !grid.usable {
        return false;
    }
    let any_asleep = awake.any_body_asleep(model);
    let asleep = |body: u32| any_asleep && awake.body_awake[body as usize] == SleepState::Asleep as i32;
    let searches = any_asleep || grid.neighbours.pauses();
    let found = if searches {
        grid.place(model, kinematics, any_asleep.then_some(&awake.body_awake), asleep)
    } else {
        grid.look_at_neighbours(model, kinematics)
    };
    if !found {
        return false;
    }
    pairs.clear();
    pairs.extend(grid.with_static.iter().filter(|(_, body)| !asleep(*body)).map(|(pair, _)| *pair));
    let filter_parent = model.opt.disableflags & disable::FILTERPARENT == 0;
    let mut frame = None;
    let Grid { near, colliders, largest, .. } = grid;
    for pair in near.iter() {
        let [a, b] = pair.map(|place| &colliders[place as usize]);
        if searches && a.cannot_meet(b, asleep, filter_parent) {
            continue;
        }
        let bodies = [a.body as usize, b.body as usize];
        let meet = match broadphase::nearness(model, kinematics, bodies, *largest) {
            Nearness::Apart => false,
            Nearness::Overlap => true,
            Nearness::Unclear => {
                if frame.is_none() {
                    frame = broadphase::principal_frame(model, kinematics, flexes);
                }
                let Some(frame) = &frame else { break };
                let [box1, box2] =
                    bodies.map(|body| broadphase::bounding_box(model, kinematics, body, frame));
                broadphase::boxes_overlap((&box1, a.place), (&box2, b.place))
            }
        };
        if meet {
            pairs.push(pair_of(bodies[0], bodies[1]));
        }
    }
    if searches || !grid.in_order {
        pairs.sort_unstable();
    }
    true
}

impl Collider {
    /// Whether masks or other rules for bodies stop a pair.
    fn cannot_meet(&self, other: &Self, asleep: impl Fn(u32) -> bool, filter_parent: bool) -> bool {
        let [a, b] = [self, other].map(|side| PairSide { asleep: asleep(side.body), ..side.side });
        !filter::masks_match(self.masks, other.masks) || filter::pair_is_ruled_out(a, b, filter_parent)
    }

    /// A box aligned with the world around the bounding spheres of the geoms; `usable` becomes false where they are no finite balls.
    #[inline(always)]
    fn bound(&self, model: &Model, kinematics: &Kinematics, usable: &mut bool) -> Bounds {
        let mut total = NOTHING;
        for geom in filter::geoms_of(model, self.body as usize) {
            let radius = model.geom_rbound[geom];
            let reach = radius + broadphase::margin_of(model, geom);
            let center = kinematics.geom_xpos[geom];
            *usable &=
                radius > 0.0 && reach >= 0.0 && (center[0] + center[1] + center[2] + reach).is_finite();
            include(&mut total, center.map(|x| x - reach), center.map(|x| x + reach));
            if self.single {
                break;
            }
        }
        total
    }
}

/// Largest magnitude of a coordinate.
pub(super) fn largest(bounds: &Bounds) -> f64 {
    bounds.iter().fold(0.0, |m: f64, x| if x.abs() > m { x.abs() } else { m })
}

/// Largest magnitude of a coordinate of all boxes.
fn largest_of<'a>(boxes: impl Iterator<Item = &'a Bounds>) -> f64 {
    boxes.fold(0.0, |m, bounds| {
        let own = largest(bounds);
        if own > m { own } else { m }
    })
}

/// Whether two boxes are not apart by more than `clear`.
#[inline(always)]
pub(super) fn meet(a: &[f64; 6], b: &[f64; 6], clear: f64) -> bool {
    let apart = |axis: usize| (a[axis] - b[axis + 3] > clear) | (b[axis] - a[axis + 3] > clear);
    !(apart(0) | apart(1) | apart(2))
}

/// A box that contains nothing.
pub(super) const NOTHING: [f64; 6] =
    [f64::INFINITY, f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];

#[inline(always)]
pub(super) fn include(total: &mut [f64; 6], low: [f64; 3], high: [f64; 3]) {
    for axis in 0..3 {
        total[axis] = if low[axis] < total[axis] { low[axis] } else { total[axis] };
        total[axis + 3] = if high[axis] > total[axis + 3] { high[axis] } else { total[axis + 3] };
    }
}

impl Grid {
    /// Ask the rules anew if the model is another than last time.
    fn follow(&mut self, model: &Model) {
        let key = candidates::key(model);
        if key.is_none() {
            (self.key, self.usable) = (None, false);
        } else if key != self.key {
            self.key = key;
            self.neighbours.forget();
            self.usable = model.nflex == 0 && self.list(model);
            self.resting.begin(model, self.colliders.len());
        }
    }

    fn list(&mut self, model: &Model) -> bool {
        self.with_static.clear();
        self.colliders.clear();
        let able = |body: &usize| filter::can_collide(model, *body);
        let side = |body: usize| PairSide::of(model, body, false);
        for body1 in (0..model.nbody).filter(able) {
            if !broadphase::meets_everything(model, body1) {
                continue;
            }
            let masks = filter::gathered_masks(model, body1);
            for body2 in (0..model.nbody).filter(able) {
                // The world rests, so that it meets what moves and is awake.
                if side(body2).weld != 0 && filter::masks_match(masks, filter::gathered_masks(model, body2)) {
                    self.with_static.push((pair_of(body1, body2), body2 as u32));
                }
            }
            if self.with_static.len() > MOST_STATIC_PAIRS {
                return false;
            }
        }
        self.with_static.sort_unstable();
        self.in_order = self.with_static.iter().all(|(pair, _)| bodies_of(*pair).0 == 0);
        for (place, body) in (1..model.nbody).filter(able).enumerate() {
            // A static body that meets everything is paired already.
            if !broadphase::meets_everything(model, body) {
                self.colliders.push(Collider {
                    body: body as u32,
                    place: place as u32,
                    side: side(body),
                    masks: filter::gathered_masks(model, body),
                    single: model.body_geomnum[body] == 1,
                });
            }
        }
        true
    }

    /// Find the bodies that may touch another and the pairs that are near; `false` where geoms are no finite balls.
    fn place(
        &mut self,
        model: &Model,
        kinematics: &Kinematics,
        awake: Option<&[i32]>,
        asleep: impl Fn(u32) -> bool,
    ) -> bool {
        let Self { colliders, present, resting, near, .. } = self;
        present.clear();
        near.clear();
        let rests = |place: usize| colliders[place].side.weld == 0 || asleep(colliders[place].body);
        resting.list(model, awake, colliders.iter().map(|collider| collider.body), rests);
        let mut usable = true;
        let mut whole = NOTHING;
        for index in &resting.moving {
            let bounds = colliders[*index as usize].bound(model, kinematics, &mut usable);
            include(&mut whole, [bounds[0], bounds[1], bounds[2]], [bounds[3], bounds[4], bounds[5]]);
            present.push(Present { bounds, collider: *index, cells: [0; 4] });
        }
        if present.is_empty() {
            return true;
        }
        let moving = present.len();
        let clear = CLEAR * largest(&whole);
        resting.bound(model, kinematics, |place, usable| colliders[place].bound(model, kinematics, usable));
        if !usable || !resting.usable {
            return false;
        }
        resting.near(&whole, clear, |collider, bounds| {
            present.push(Present { bounds: *bounds, collider, cells: [0; 4] });
        });
        self.largest = largest_of(present.iter().map(|body| &body.bounds));
        self.compare(moving, CLEAR * self.largest);
        true
    }

    /// Find the pairs that are near among those kept, while no body sleeps; `false` where geoms are no finite balls.
    fn look_at_neighbours(&mut self, model: &Model, kinematics: &Kinematics) -> bool {
        let bounds = &mut self.neighbours.bounds;
        let mut usable = true;
        bounds.clear();
        bounds.extend(self.colliders.iter().map(|collider| collider.bound(model, kinematics, &mut usable)));
        if !usable {
            return false;
        }
        if !self.neighbours.holds() {
            self.list_neighbours(model.opt.disableflags & disable::FILTERPARENT == 0);
        }
        let Neighbours { bounds, pairs, .. } = &self.neighbours;
        self.largest = largest_of(bounds.iter());
        let clear = CLEAR * self.largest;
        let is_near = |pair: &&[u32; 2]| {
            let [a, b] = pair.map(|place| &bounds[place as usize]);
            meet(a, b, clear)
        };
        self.near.clear();
        self.near.extend(pairs.iter().filter(is_near));
        true
    }

    /// List the pairs that the rules allow and whose widened boxes are not clearly apart.
    fn list_neighbours(&mut self, filter_parent: bool) {
        let Self { colliders, present, neighbours, .. } = self;
        let wide = neighbours.widen();
        present.clear();
        let mut moving = 0;
        for moves in [true, false] {
            let places = colliders.iter().zip(wide).enumerate();
            let chosen = places.filter(|(_, (collider, _))| (collider.side.weld != 0) == moves);
            present.extend(chosen.map(|(index, (_, bounds))| Present {
                bounds: *bounds,
                collider: index as u32,
                cells: [0; 4],
            }));
            if moves {
                moving = present.len();
            }
        }
        // The boxes of a step are within these, and so are their magnitudes.
        let clear = 2.0 * CLEAR * largest_of(wide.iter());
        // The list is made in its place: there may be a hundred pairs for each that is near in a step.
        std::mem::swap(&mut self.near, &mut self.neighbours.pairs);
        self.compare(moving, clear);
        std::mem::swap(&mut self.near, &mut self.neighbours.pairs);
        let Self { colliders, neighbours, .. } = self;
        neighbours.pairs.retain_mut(|pair| {
            let [a, b] = pair.map(|place| &colliders[place as usize]);
            *pair = [pair[0].min(pair[1]), pair[0].max(pair[1])];
            !a.cannot_meet(b, |_| false, filter_parent)
        });
        neighbours.finish();
    }

    /// Compare the bodies that are present, the first of which can move, and name those that are near by their places in `colliders`.
    fn compare(&mut self, moving: usize, clear: f64) {
        if self.present.len() < FEW {
            compare_all(&self.present, moving, clear, &mut self.near);
        } else {
            self.fill_cells(moving, clear);
            self.compare_in_cells(moving, clear);
        }
        for pair in &mut self.near {
            *pair = pair.map(|place| self.present[place as usize].collider);
        }
    }

    /// Sort the bodies into the cells of a grid over the two axes they are spread out most along.
    fn fill_cells(&mut self, moving: usize, clear: f64) {
        let Self { present, starts, movers, items, large, .. } = self;
        let mut whole = NOTHING;
        let mut sizes = [0.0; 3];
        for Present { bounds, .. } in present.iter() {
            include(&mut whole, [bounds[0], bounds[1], bounds[2]], [bounds[3], bounds[4], bounds[5]]);
            for axis in 0..3 {
                sizes[axis] += bounds[axis + 3] - bounds[axis];
            }
        }
        let count = present.len() as f64;
        let spread = [0, 1, 2].map(|axis| whole[axis + 3] - whole[axis]);
        let narrowest = (0..3).fold(0, |best, axis| if spread[axis] < spread[best] { axis } else { best });
        let axes = [(narrowest + 1) % 3, (narrowest + 2) % 3];
        // Cells no smaller than one and a half bodies, and no more than there are bodies.
        let most = (count.sqrt() as usize).clamp(1, MOST_ROWS);
        let rows = axes.map(|axis| {
            let fitting = spread[axis] * count / (1.5 * sizes[axis]);
            if fitting >= 1.0 { (fitting as usize).min(most) } else { 1 }
        });
        let cell = |side: usize, x: f64| {
            let axis = axes[side];
            // Grows with x, so that boxes that overlap share a cell; what is not a number becomes the first.
            let row = (x - whole[axis]) * (rows[side] as f64 / spread[axis]);
            (row as usize).min(rows[side] - 1) as u16
        };
        large.clear();
        starts.clear();
        starts.resize(rows[0] * rows[1] + 1, 0);
        for (index, body) in present.iter_mut().enumerate() {
            let [u, v] = axes;
            let bounds = &body.bounds;
            let (low, high) = (|axis: usize| bounds[axis] - clear, |axis: usize| bounds[axis + 3] + clear);
            body.cells = [cell(0, low(u)), cell(0, high(u)), cell(1, low(v)), cell(1, high(v))];
            if count_cells(body.cells) > MOST_CELLS {
                large.push(index as u32);
            } else {
                for_cells(body.cells, rows[0], |cell| starts[cell + 1] += 1);
            }
        }
        for cell in 1..starts.len() {
            starts[cell] += starts[cell - 1];
        }
        // Fill with the starts moving on, movers first; then every start is that of the next cell.
        let total = starts[starts.len() - 1] as usize;
        items.clear();
        items.resize(total, 0);
        movers.clear();
        for (index, body) in present.iter().enumerate() {
            if index == moving {
                movers.extend_from_slice(starts);
            }
            if count_cells(body.cells) <= MOST_CELLS {
                for_cells(body.cells, rows[0], |cell| {
                    items[starts[cell] as usize] = index as u32;
                    starts[cell] += 1;
                });
            }
        }
        if movers.is_empty() {
            movers.extend_from_slice(starts);
        }
        self.rows = rows[0];
    }

    /// Compare the bodies of each cell with each other, at least one of two being able to move.
    fn compare_in_cells(&mut self, moving: usize, clear: f64) {
        let Self { present, starts, movers, items, large, near, rows, .. } = self;
        let mut start = 0;
        for (cell, (end, end_of_movers)) in starts.iter().zip(movers.iter()).enumerate() {
            let items = &items[start..*end as usize];
            let count = *end_of_movers as usize - start;
            start = *end as usize;
            if items.len() < 2 {
                continue;
            }
            let (u, v) = ((cell % *rows) as u16, (cell / *rows) as u16);
            for (i, first) in items[..count].iter().enumerate() {
                let a = &present[*first as usize];
                for second in &items[i + 1..] {
                    let b = &present[*second as usize];
                    // Two bodies may share several cells; the first of them counts.
                    if meet(&a.bounds, &b.bounds, clear)
                        && a.cells[0].max(b.cells[0]) == u
                        && a.cells[2].max(b.cells[2]) == v
                    {
                        near.push([*first, *second]);
                    }
                }
            }
        }
        for (i, first) in large.iter().enumerate() {
            let a = &present[*first as usize];
            for (second, b) in present.iter().enumerate() {
                let moves = (*first as usize) < moving || second < moving;
                let second = second as u32;
                let done = second == *first || large[..i].binary_search(&second).is_ok();
                if moves && !done && meet(&a.bounds, &b.bounds, clear) {
                    near.push([*first, second]);
                }
            }
        }
    }
}

/// Compare every body that can move with all.
fn compare_all(present: &[Present], moving: usize, clear: f64, near: &mut Vec<[u32; 2]>) {
    for (first, a) in present[..moving].iter().enumerate() {
        for (second, b) in present.iter().enumerate().skip(first + 1) {
            if meet(&a.bounds, &b.bounds, clear) {
                near.push([first as u32, second as u32]);
            }
        }
    }
}

fn count_cells([u0, u1, v0, v1]: [u16; 4]) -> usize {
    (usize::from(u1.saturating_sub(u0)) + 1) * (usize::from(v1.saturating_sub(v0)) + 1)
}

#[inline(always)]
fn for_cells([u0, u1, v0, v1]: [u16; 4], rows: usize, mut visit: impl FnMut(usize)) {
    for v in v0..=v1 {
        for u in u0..=u1 {
            visit(usize::from(v) * rows + usize::from(u));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boxes in a wide field, some of them large; the first `moving` can move.
    fn field(count: usize) -> Vec<Present> {
        let share = |i: usize, k: usize| (i * k % 997) as f64 / 997.0;
        (0..count)
            .map(|i| {
                let size = if i % 41 == 0 { 9.0 } else { 0.2 + share(i, 31) };
                let low = [20.0 * share(i, 7), 20.0 * share(i, 13), 2.0 * share(i, 29)];
                let bounds = [low[0], low[1], low[2], low[0] + size, low[1] + size, low[2] + size];
                Present { bounds, collider: i as u32, cells: [0; 4] }
            })
            .collect()
    }

    #[test]
    fn cells_find_the_pairs_that_comparing_all_finds() {
        for (count, moving) in [(300, 300), (300, 120), (300, 3), (40, 1), (24, 24)] {
            let mut grid = Grid { present: field(count), ..Grid::default() };
            let mut expected = Vec::new();
            compare_all(&grid.present, moving, 1e-9, &mut expected);
            grid.fill_cells(moving, 1e-9);
            grid.compare_in_cells(moving, 1e-9);
            let mut found: Vec<_> = grid.near.iter().map(|[a, b]| [*a.min(b), *a.max(b)]).collect();
            found.sort_unstable();
            expected.sort_unstable();
            assert!(!expected.is_empty() && (count < 300 || !grid.large.is_empty()));
            assert_eq!(found, expected, "{count} bodies, {moving} of them move");
        }
    }
}
