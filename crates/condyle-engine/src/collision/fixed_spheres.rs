//! Which geoms of the world may touch a body: those whose bounding spheres are near it.
//!
//! Every test of two geoms begins with their bounding spheres, so a geom of the world whose sphere is apart from all spheres of a body
//! has no contact with it. For each body a list holds the nearest geoms of the world at some place of the body, with the distance of each; a step
//! looks at those that are no farther than the body has moved since, and the list serves until the body has moved farther than the first geom
//! that is not on it. The geoms of the world must be where they were. Only what has no contact is left out, so no result depends on the lists.

use condyle_math::{Vec3, vec3};
use condyle_model::Model;

use crate::data::Kinematics;

use super::colliding_geoms::CollidingGeom;
use super::{filter, parameters};

/// With fewer geoms, descending the tree is quicker.
pub(super) const LEAST_GEOMS: usize = 24;
/// Most geoms on a list.
const MOST_NEAR: usize = 24;
/// Steps for which a body with too many geoms around it gets no list.
const PAUSE: u8 = 32;
/// Bound of rounding errors as a share of the coordinates.
const ROUNDING: f64 = 1e-9;

/// The geoms of the world near one body.
#[derive(Clone, Debug)]
struct List {
    center: Vec3,
    reach: f64,
    /// Distance of the nearest geom that is not on the list; negative where there is no list.
    room: f64,
    pause: u8,
    count: u8,
    /// How often a geom that was apart when the list was made had to be looked at and still was.
    in_vain: u32,
    /// Lower bounds of the distances, ascending.
    gaps: [f32; MOST_NEAR],
    places: [u32; MOST_NEAR],
}

const NO_LIST: List = List {
    center: [0.0; 3],
    reach: 0.0,
    room: -1.0,
    pause: 0,
    count: 0,
    in_vain: 0,
    gaps: [0.0; MOST_NEAR],
    places: [0; MOST_NEAR],
};

/// Lists of all bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct FixedSpheres {
    /// Whether the margins of geoms are overridden, and by what.
    margin: Option<u64>,
    /// Where all geoms of the world were when the lists were made, those included that touch nothing.
    positions: Vec<Vec3>,
    /// Centres of those that collide and how far they reach, rounding included; infinite for those without a bounding sphere.
    balls: Vec<(Vec3, f64)>,
    lists: Vec<List>,
}

/// Whether all positions have the same bits.
fn are_same(a: &[Vec3], b: &[Vec3]) -> bool {
    let pairs = a.as_flattened().iter().zip(b.as_flattened());
    // No early exit, so that several numbers are looked at together.
    a.len() == b.len() && pairs.fold(0, |bits, (x, y)| bits | (x.to_bits() ^ y.to_bits())) == 0
}

/// Share of the margin of two geoms that one of them brings along.
fn margin_of(model: &Model, geom: &CollidingGeom) -> f64 {
    if parameters::is_overridden(model) { 0.5 * model.opt.o_margin } else { geom.margin }
}

impl FixedSpheres {
    /// Forget all lists: the geoms are others.
    pub(super) fn forget(&mut self) {
        self.lists.clear();
    }

    /// Bring the centres of the geoms of the world up to date, once per step.
    pub(super) fn follow(&mut self, model: &Model, kinematics: &Kinematics, world: &mut [CollidingGeom]) {
        let present = &kinematics.geom_xpos[filter::geoms_of(model, 0)];
        let margin = parameters::is_overridden(model).then(|| model.opt.o_margin.to_bits());
        if !self.lists.is_empty() && margin == self.margin && are_same(&self.positions, present) {
            return;
        }
        self.margin = margin;
        self.positions.clear();
        self.positions.extend_from_slice(present);
        self.balls.clear();
        self.balls.extend(world.iter_mut().map(|geom| {
            geom.center = kinematics.geom_xpos[geom.geom as usize];
            let reach = geom.radius + margin_of(model, geom);
            let finite = geom.radius > 0.0 && reach >= 0.0;
            let bound = reach + ROUNDING * (reach + size(geom.center));
            (geom.center, if finite { bound } else { f64::INFINITY })
        }));
        self.lists.clear();
        self.lists.resize(model.nbody, NO_LIST);
    }

    /// Call `meets` with the places of the geoms of the world that may be near a body, which answers whether they are. `false` if it may be any.
    #[inline(always)]
    pub(super) fn visit(
        &mut self,
        model: &Model,
        kinematics: &Kinematics,
        body: usize,
        geoms: &[CollidingGeom],
        mut meets: impl FnMut(usize) -> bool,
    ) -> bool {
        let Some(list) = self.lists.get_mut(body) else { return false };
        if list.pause > 0 {
            list.pause -= 1;
            return false;
        }
        let center = kinematics.xipos[body];
        let mut reach = 0.0;
        for geom in geoms {
            let offset = vec3::sub(geom.center, center);
            let ball = geom.radius + margin_of(model, geom);
            let own = vec3::dot(offset, offset).sqrt() + ball;
            // Also for what is not a number.
            if !(geom.radius > 0.0 && ball >= 0.0 && own < 1e15) {
                return false;
            }
            reach = if own > reach { own } else { reach };
        }
        let moved = vec3::sub(center, list.center);
        let mut moved = vec3::dot(moved, moved).sqrt() + (reach - list.reach).abs();
        // A list that makes as many comparisons as its making takes is made anew.
        if !(moved < list.room) || list.in_vain as usize > self.balls.len() {
            list.make(&self.balls, center, reach);
            if list.room <= 0.0 {
                list.pause = PAUSE;
                return false;
            }
            moved = 0.0;
        }
        for near in 0..usize::from(list.count) {
            let gap = list.gaps[near];
            if f64::from(gap) > moved {
                break;
            }
            let met = meets(list.places[near] as usize);
            list.in_vain += u32::from(!met && gap > 0.0);
        }
        true
    }
}

impl List {
    /// Find the geoms of the world nearest to the body.
    #[inline(never)]
    fn make(&mut self, balls: &[(Vec3, f64)], center: Vec3, reach: f64) {
        *self = List { center, reach, room: f64::INFINITY, ..NO_LIST };
        let own = reach + ROUNDING * (reach + size(center));
        for (place, (position, bound)) in balls.iter().enumerate() {
            let offset = vec3::sub(*position, center);
            let gap = vec3::dot(offset, offset).sqrt() - (own + bound);
            if gap < self.room || gap.is_nan() {
                self.insert(place as u32, gap);
            }
        }
    }

    fn insert(&mut self, place: u32, gap: f64) {
        // Smaller by more than the rounding to single precision; also for what is not a number.
        let gap = if gap > 0.0 { (gap * 0.999_999) as f32 } else { -1.0 };
        let mut at = usize::from(self.count);
        if at == MOST_NEAR {
            at -= 1;
            let last = f64::from(self.gaps[at]);
            if f64::from(gap) >= last {
                self.room = f64::from(gap);
                return;
            }
            self.room = last;
        } else {
            self.count += 1;
        }
        while at > 0 && self.gaps[at - 1] > gap {
            (self.gaps[at], self.places[at]) = (self.gaps[at - 1], self.places[at - 1]);
            at -= 1;
        }
        (self.gaps[at], self.places[at]) = (gap, place);
    }
}

/// Sum of the magnitudes.
fn size(v: Vec3) -> f64 {
    v[0].abs() + v[1].abs() + v[2].abs()
}

#[cfg(test)]
mod tests {
    use super::super::colliding_geoms::CollidingGeoms;
    use super::*;

    const FIXED: usize = 61;

    /// A world of 60 balls and a plane, whose tree is a list, and a body of two balls.
    fn model() -> Model {
        let (world, own) = (2 * FIXED - 1, 3);
        let nbvh = world + own;
        let mut model = Model { nbody: 2, ngeom: FIXED + 2, nbvh, nbvhstatic: nbvh, ..Model::default() };
        model.allocate();
        model.body_treeid.fill(-1);
        model.body_mocapid.fill(-1);
        (model.body_geomnum[0], model.body_bvhnum[0]) = (FIXED as i32, world as i32);
        (model.body_geomadr[1], model.body_geomnum[1]) = (FIXED as i32, 2);
        (model.body_bvhadr[1], model.body_bvhnum[1]) = (world as i32, own as i32);
        for geom in 0..FIXED + 2 {
            model.geom_type[geom] = condyle_model::GeomType::Sphere as i32;
            model.geom_rbound[geom] = 0.2 + 0.01 * (geom % 7) as f64;
            model.geom_margin[geom] = 0.001 * (geom % 3) as f64;
            // Some of the world are only seen.
            let seen = geom < FIXED && geom % 9 == 4;
            (model.geom_contype[geom], model.geom_conaffinity[geom]) = (i32::from(!seen), i32::from(!seen));
        }
        model.geom_type[0] = condyle_model::GeomType::Plane as i32;
        model.geom_rbound[0] = 0.0;
        model.bvh_child.fill([-1, -1]);
        model.bvh_nodeid.fill(-1);
        for geom in 0..FIXED {
            let (inner, leaf) = (2 * geom, (2 * geom + 1).min(world - 1));
            if geom + 1 < FIXED {
                model.bvh_child[inner] = [inner as i32 + 1, inner as i32 + 2];
            }
            model.bvh_nodeid[leaf] = geom as i32;
        }
        model.bvh_child[world] = [1, 2];
        (model.bvh_nodeid[world + 1], model.bvh_nodeid[world + 2]) = (FIXED as i32, FIXED as i32 + 1);
        model
    }

    #[test]
    fn the_spheres_that_meet_are_found() {
        let mut model = model();
        let mut kinematics = crate::Data::new(&model).kinematics;
        for geom in 1..FIXED {
            let place = |k: usize| (geom * k % FIXED) as f64 / FIXED as f64;
            kinematics.geom_xpos[geom] = [6.0 * place(7), 6.0 * place(13), 3.0 * place(29)];
        }
        kinematics.geom_xmat[0] = condyle_math::mat3::IDENTITY;
        let own = [FIXED, FIXED + 1];
        let mut geoms = CollidingGeoms::default();
        let (mut apart, mut met) = (0, 0);
        for step in 0..6000 {
            let t = 0.002 * f64::from(step);
            let center = [3.0 + 3.5 * (1.3 * t).sin(), 3.0 + 3.5 * (2.1 * t).cos(), 1.2 + 1.5 * t.sin()];
            kinematics.xipos[1] = center;
            kinematics.geom_xpos[own[0]] = vec3::add(center, [0.1 * t.cos(), 0.1 * t.sin(), 0.0]);
            kinematics.geom_xpos[own[1]] = vec3::sub(center, [0.1 * t.cos(), 0.1 * t.sin(), 0.0]);
            match step {
                2000 => kinematics.geom_xpos[5] = center,
                3000 => model.opt.enableflags |= condyle_model::enable::OVERRIDE,
                4000 => model.opt.o_margin = 0.3,
                5000 => model.geom_rbound[7] = 2.0,
                _ => {}
            }
            let mut found = Vec::new();
            geoms.begin();
            let sure = geoms.visit(&model, &kinematics, [0, 1], |geoms, _, _| found.push(geoms));
            found.sort_unstable();
            let pairs = (0..FIXED).flat_map(|geom| own.map(|own| [geom, own]));
            let expected: Vec<[usize; 2]> = pairs
                .filter(|pair| {
                    let margin = model.geom_margin[pair[0]] + model.geom_margin[pair[1]];
                    let margin = parameters::effective_margin(&model, margin);
                    filter::geoms_match(&model, *pair)
                        && !filter::spheres_apart(&model, &kinematics, *pair, margin)
                })
                .collect();
            assert!(sure, "step {step}");
            assert_eq!(found, expected, "step {step}");
            apart += usize::from(expected.is_empty());
            met += usize::from(!expected.is_empty());
        }
        assert!(apart > 300 && met > 300, "{apart} {met}");
    }

    #[test]
    fn a_list_holds_the_nearest() {
        let balls: Vec<(Vec3, f64)> = (0..100)
            .map(|i| ([f64::from(i * 37 % 100), 0.0, 0.0], if i == 50 { f64::INFINITY } else { 0.5 }))
            .collect();
        let mut list = NO_LIST;
        list.make(&balls, [0.0; 3], 1.0);
        assert_eq!(usize::from(list.count), MOST_NEAR);
        assert!(list.gaps.is_sorted());
        assert_eq!(list.places[..MOST_NEAR].iter().filter(|place| **place == 50).count(), 1);
        let farthest = list
            .places
            .iter()
            .map(|place| balls[*place as usize].0[0])
            .filter(|x| *x != 50.0)
            .fold(0.0, condyle_math::scalar::max);
        assert_eq!(farthest, 22.0);
        assert!(list.room > 21.4 && list.room < 21.6, "{}", list.room);
        // Nothing is left to be decided where too many surround the body.
        list.make(&vec![([0.0; 3], 0.5); 100], [0.0; 3], 1.0);
        assert!(list.room <= 0.0);
    }
}
