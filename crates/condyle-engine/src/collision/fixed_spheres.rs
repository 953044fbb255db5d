//! Which geoms of the world may touch a body: those whose bounding spheres are near it.
//!
//! Every test of two geoms begins with their bounding spheres, so a geom of the world whose sphere is apart from all spheres of a body
//! has no contact with it. For each body a list holds the geoms of the world near it at some place of the body, and serves until the body has
//! moved farther than the others were away; the geoms of the world must be where they were. A step compares the spheres on the list,
//! and then only the branches of the world's bounding-volume tree that lead to one that meets are descended. Both the list and the descent leave
//! out only what has no contact, so no result depends on them.

use condyle_math::{Vec3, vec3};
use condyle_model::Model;

use crate::data::Kinematics;

use super::{broadphase, filter, parameters};

/// With fewer geoms, descending the tree is quicker.
const LEAST_GEOMS: usize = 24;
/// Most geoms on a list.
const MOST_NEAR: usize = 24;
/// Share of the reach of a body that it may move before its list is made anew.
const SHARE: f64 = 2.0;
/// Steps for which a body with too many geoms near it gets no list.
const PAUSE: u8 = 32;
/// Bound of rounding errors as a share of the coordinates.
const ROUNDING: f64 = 1e-9;

/// What the lists depend on beside poses.
type Key = ([u64; 8], bool, u64);

fn key(model: &Model) -> Option<Key> {
    let revisions = [
        model.geom_rbound.revision()?,
        model.geom_margin.revision()?,
        model.geom_type.revision()?,
        model.body_geomadr.revision()?,
        model.body_geomnum.revision()?,
        model.bvh_child.revision()?,
        model.bvh_nodeid.revision()?,
        model.body_bvhadr.revision()?,
    ];
    let overridden = parameters::is_overridden(model);
    Some((revisions, overridden, model.opt.o_margin.to_bits()))
}

/// The geoms of the world near one body.
#[derive(Clone, Debug)]
struct List {
    center: Vec3,
    reach: f64,
    /// How far the body may move; negative where there is no list.
    room: f64,
    pause: u8,
    count: u8,
    geoms: [u32; MOST_NEAR],
}

const NO_LIST: List =
    List { center: [0.0; 3], reach: 0.0, room: -1.0, pause: 0, count: 0, geoms: [0; MOST_NEAR] };

/// Lists of all bodies, and the tree of the world.
#[derive(Clone, Debug, Default)]
pub(super) struct FixedSpheres {
    key: Option<Key>,
    /// Where the geoms of the world were when the lists were made.
    positions: Vec<Vec3>,
    /// How far they reach, rounding included; infinite for those without a bounding sphere.
    reaches: Vec<f64>,
    lists: Vec<List>,
    /// Node above each node of the world's tree; the root is above itself.
    above: Vec<u32>,
    /// Leaf of each geom of the world.
    leaf: Vec<u32>,
    /// The last mark each node got.
    marks: Vec<u32>,
    mark: u32,
}

/// Whether all positions have the same bits.
fn are_same(a: &[Vec3], b: &[Vec3]) -> bool {
    let pairs = a.as_flattened().iter().zip(b.as_flattened());
    // No early exit, so that several numbers are looked at together.
    a.len() == b.len() && pairs.fold(0, |bits, (x, y)| bits | (x.to_bits() ^ y.to_bits())) == 0
}

/// What the spheres say about the world and a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Nothing: descend all of the tree.
    Unknown,
    /// No contact.
    Apart,
    /// Only marked nodes lead to a contact.
    Marked,
}

impl FixedSpheres {
    /// Look at the world once per step.
    pub(super) fn follow(&mut self, model: &Model, kinematics: &Kinematics) {
        let key = key(model);
        let geoms = filter::geoms_of(model, 0);
        if key.is_none() || geoms.len() < LEAST_GEOMS || model.body_bvhadr[0] < 0 {
            self.key = None;
            self.lists.clear();
            return;
        }
        let present = &kinematics.geom_xpos[geoms.clone()];
        if key != self.key {
            self.key = key;
            self.read_tree(model);
        } else if are_same(&self.positions, present) {
            return;
        }
        self.positions.clear();
        self.positions.extend_from_slice(present);
        self.reaches.clear();
        self.reaches.extend(geoms.zip(present).map(|(geom, position)| {
            let radius = model.geom_rbound[geom];
            let reach = radius + broadphase::margin_of(model, geom);
            let finite = radius > 0.0 && reach >= 0.0;
            if finite { reach + ROUNDING * (reach + size(*position)) } else { f64::INFINITY }
        }));
        self.lists.clear();
        self.lists.resize(model.nbody, NO_LIST);
    }

    /// Note which node is above each, and the leaves of the geoms.
    fn read_tree(&mut self, model: &Model) {
        let root = model.body_bvhadr[0] as usize;
        let nodes = model.body_bvhnum[0].max(0) as usize;
        let first = filter::geoms_of(model, 0);
        self.above.clear();
        self.above.resize(nodes, 0);
        self.leaf.clear();
        self.leaf.resize(first.len(), 0);
        (self.mark, self.marks) = (0, vec![0; nodes]);
        for node in 0..nodes {
            for child in model.bvh_child[root + node] {
                if let Some(above) = usize::try_from(child).ok().and_then(|child| self.above.get_mut(child)) {
                    *above = node as u32;
                }
            }
            let geom = usize::try_from(model.bvh_nodeid[root + node]).ok();
            let place = geom.and_then(|geom| geom.checked_sub(first.start));
            if let Some(leaf) = place.and_then(|place| self.leaf.get_mut(place)) {
                *leaf = node as u32;
            }
        }
    }

    /// Whether a node of the world's tree leads to a geom near the body that was asked for last.
    #[inline(always)]
    pub(super) fn is_marked(&self, node: usize) -> bool {
        self.marks[node] == self.mark
    }

    /// Compare the spheres of the world with those of a body.
    pub(super) fn compare(&mut self, model: &Model, kinematics: &Kinematics, body: usize) -> Verdict {
        let Some(list) = self.lists.get_mut(body) else { return Verdict::Unknown };
        if list.pause > 0 {
            list.pause -= 1;
            return Verdict::Unknown;
        }
        let center = kinematics.xipos[body];
        let mut reach = 0.0;
        for geom in filter::geoms_of(model, body) {
            let radius = model.geom_rbound[geom];
            let offset = vec3::sub(kinematics.geom_xpos[geom], center);
            let own = vec3::dot(offset, offset).sqrt() + radius + broadphase::margin_of(model, geom);
            // Also false for what is not a number.
            if !(radius > 0.0 && own < 1e15) {
                return Verdict::Unknown;
            }
            reach = if own > reach { own } else { reach };
        }
        let moved = vec3::sub(center, list.center);
        let moved = vec3::dot(moved, moved).sqrt() + (reach - list.reach).abs();
        if !(moved < list.room) {
            list.make(&self.positions, &self.reaches, center, reach);
            if list.room < 0.0 {
                list.pause = PAUSE;
                return Verdict::Unknown;
            }
        }
        let first = filter::geoms_of(model, 0).start;
        let mut verdict = Verdict::Apart;
        for place in &list.geoms[..usize::from(list.count)] {
            let place = *place as usize;
            let meets = |geom: usize| {
                let margin = model.geom_margin[first + place] + model.geom_margin[geom];
                let margin = parameters::effective_margin(model, margin);
                !filter::spheres_apart(model, kinematics, [first + place, geom], margin)
            };
            if !filter::geoms_of(model, body).any(meets) {
                continue;
            }
            if verdict == Verdict::Apart {
                verdict = Verdict::Marked;
                self.mark = self.mark.wrapping_add(1);
                if self.mark == 0 {
                    self.marks.fill(0);
                    self.mark = 1;
                }
            }
            let mut node = self.leaf[place] as usize;
            while self.marks[node] != self.mark {
                self.marks[node] = self.mark;
                node = self.above[node] as usize;
            }
        }
        verdict
    }
}

impl List {
    /// Find the geoms of the world that the body can reach before it has moved by `room`.
    fn make(&mut self, positions: &[Vec3], reaches: &[f64], center: Vec3, reach: f64) {
        let room = SHARE * reach;
        *self = List { center, reach, room: -1.0, ..NO_LIST };
        let own = reach + room + ROUNDING * (reach + room + size(center));
        for (place, (position, reach)) in positions.iter().zip(reaches).enumerate() {
            let (offset, bound) = (vec3::sub(*position, center), own + reach);
            if vec3::dot(offset, offset) > bound * bound {
                continue;
            }
            if usize::from(self.count) == MOST_NEAR {
                return;
            }
            self.geoms[usize::from(self.count)] = place as u32;
            self.count += 1;
        }
        self.room = room;
    }
}

/// Sum of the magnitudes.
fn size(v: Vec3) -> f64 {
    v[0].abs() + v[1].abs() + v[2].abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A world of 60 balls and a plane, whose tree is a list, and a body of two balls.
    fn model() -> Model {
        let fixed = 61;
        let nodes = 2 * fixed - 1;
        let mut model =
            Model { nbody: 2, ngeom: fixed + 2, nbvh: nodes, nbvhstatic: nodes, ..Model::default() };
        model.allocate();
        model.body_treeid.fill(-1);
        model.body_mocapid.fill(-1);
        (model.body_geomnum[0], model.body_bvhnum[0]) = (fixed as i32, nodes as i32);
        (model.body_geomadr[1], model.body_geomnum[1], model.body_bvhadr[1]) = (fixed as i32, 2, -1);
        for geom in 0..fixed + 2 {
            model.geom_type[geom] = condyle_model::GeomType::Sphere as i32;
            model.geom_rbound[geom] = 0.2 + 0.01 * (geom % 7) as f64;
            model.geom_margin[geom] = 0.001 * (geom % 3) as f64;
        }
        model.geom_type[0] = condyle_model::GeomType::Plane as i32;
        model.geom_rbound[0] = 0.0;
        for geom in 0..fixed {
            let (inner, leaf) = (2 * geom, (2 * geom + 1).min(nodes - 1));
            if geom + 1 < fixed {
                model.bvh_child[inner] = [inner as i32 + 1, inner as i32 + 2];
                model.bvh_nodeid[inner] = -1;
            }
            model.bvh_child[leaf] = [-1, -1];
            model.bvh_nodeid[leaf] = geom as i32;
        }
        model
    }

    #[test]
    fn nothing_that_meets_is_left_out() {
        let model = model();
        let mut kinematics = crate::Data::new(&model).kinematics;
        for geom in 1..61 {
            let place = |k: usize| (geom * k % 61) as f64 / 61.0;
            kinematics.geom_xpos[geom] = [6.0 * place(7), 6.0 * place(13), 3.0 * place(29)];
        }
        kinematics.geom_xmat[0] = condyle_math::mat3::IDENTITY;
        let mut spheres = FixedSpheres::default();
        let (mut apart, mut marked) = (0, 0);
        for step in 0..4000 {
            let t = 0.002 * f64::from(step);
            let center = [3.0 + 3.5 * (1.3 * t).sin(), 3.0 + 3.5 * (2.1 * t).cos(), 1.2 + 1.5 * t.sin()];
            kinematics.xipos[1] = center;
            kinematics.geom_xpos[61] = vec3::add(center, [0.1 * t.cos(), 0.1 * t.sin(), 0.0]);
            kinematics.geom_xpos[62] = vec3::sub(center, [0.1 * t.cos(), 0.1 * t.sin(), 0.0]);
            if step == 2000 {
                kinematics.geom_xpos[5] = center;
            }
            spheres.follow(&model, &kinematics);
            let verdict = spheres.compare(&model, &kinematics, 1);
            let meets = |geom: &usize| {
                [61, 62].iter().any(|own| {
                    let margin = model.geom_margin[*geom] + model.geom_margin[*own];
                    !filter::spheres_apart(&model, &kinematics, [*geom, *own], margin)
                })
            };
            let met: Vec<usize> = (0..61).filter(meets).collect();
            match verdict {
                Verdict::Unknown => {}
                Verdict::Apart => {
                    assert_eq!(met, [], "step {step}");
                    apart += 1;
                }
                Verdict::Marked => {
                    assert!(spheres.is_marked(0) && !met.is_empty());
                    for geom in 0..61 {
                        let leaf = spheres.leaf[geom] as usize;
                        assert_eq!(spheres.is_marked(leaf), met.contains(&geom), "step {step}, geom {geom}");
                    }
                    marked += 1;
                }
            }
        }
        assert!(apart > 300 && marked > 300, "{apart} {marked}");
    }
}
