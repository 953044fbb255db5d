//! The primal solvers on small problems, beside the slope of a cost that is written down a second time: at the solution it is zero, the line
//! search ends where it is zero along the line, and its differences are the Hessian.

use condyle_math::sparse::Pattern;
use condyle_math::tree_ldl;
use condyle_model::{ConstraintState, ConstraintType};

use super::hessian::Hessian;
use super::primal::{self, Method, PrimalScratch, Problem, Settings, Unknowns};
use super::structure::{Patterns, Structures};
use crate::constraint::jacobian::Jacobian;
use crate::constraint::update::{self, CostRows};
use crate::data::Contact;

const NV: usize = 4;
/// Two equalities, two dry frictions, two limits, a contact with three rows, another limit.
const KINDS: [ConstraintType; 10] = [
    ConstraintType::Equality,
    ConstraintType::Equality,
    ConstraintType::FrictionDof,
    ConstraintType::FrictionDof,
    ConstraintType::LimitJoint,
    ConstraintType::LimitJoint,
    ConstraintType::ContactElliptic,
    ConstraintType::ContactElliptic,
    ConstraintType::ContactElliptic,
    ConstraintType::LimitJoint,
];
const ROWS: usize = KINDS.len();
/// First row of the contact.
const CONE: usize = 6;

type Vector = [f64; NV];

/// SplitMix64: numbers from −1 to 1.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        2.0 * ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64 - 1.0
    }

    fn numbers<const N: usize>(&mut self) -> [f64; N] {
        [(); N].map(|()| self.next())
    }
}

/// A problem with everything it borrows.
struct Small {
    full: [Vector; NV],
    /// Lower triangle of the inertia, as of a chain, and where its values stand.
    inertia: Vec<f64>,
    inertia_pattern: [Vec<i32>; 3],
    factor: Vec<f64>,
    factor_inverse_diagonal: Vec<f64>,
    jacobian: Vec<f64>,
    jacobian_pattern: [Vec<i32>; 3],
    supernodes: [i32; ROWS],
    reference: [f64; ROWS],
    stiffness: [f64; ROWS],
    regulariser: [f64; ROWS],
    frictionloss: [f64; ROWS],
    kind: [i32; ROWS],
    id: [i32; ROWS],
    smooth: Vector,
    qfrc_smooth: Vector,
    contacts: [Contact; 1],
}

fn pattern(lists: &[Vec<i32>; 3]) -> Pattern<'_> {
    let [rownnz, rowadr, colind] = lists;
    Pattern { rownnz, rowadr, colind }
}

/// Values of each row, where each row starts, and their columns.
fn pattern_of(rows: impl Iterator<Item = usize>) -> [Vec<i32>; 3] {
    let mut lists: [Vec<i32>; 3] = Default::default();
    for count in rows {
        lists[1].push(lists[2].len() as i32);
        lists[0].push(count as i32);
        lists[2].extend(0..count as i32);
    }
    lists
}

impl Small {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let root: [Vector; NV] = [(); NV].map(|()| random.numbers());
        let mut full = [[0.0; NV]; NV];
        for i in 0..NV {
            for j in 0..NV {
                full[i][j] = dot(&root[i], &root[j]) + if i == j { 0.5 } else { 0.0 };
            }
        }
        let inertia: Vec<f64> = (0..NV).flat_map(|i| full[i][..=i].to_vec()).collect();
        let inertia_pattern = pattern_of(1..=NV);
        let mut factor = inertia.clone();
        let mut factor_inverse_diagonal = vec![0.0; NV];
        tree_ldl::factor(&mut factor, &mut factor_inverse_diagonal, pattern(&inertia_pattern), None);
        let mut stiffness = random.numbers::<ROWS>().map(|x| 3.0 + 2.0 * x);
        // What makes the cost of a contact smooth at the borders of its zones.
        let friction = [0.6 + 0.3 * random.next(), 0.7, 1.0, 1.0, 1.0];
        let mu = 0.5 + 0.2 * random.next();
        for j in 1..3 {
            stiffness[CONE + j] = stiffness[CONE] * friction[j - 1] * friction[j - 1] / (mu * mu);
        }
        let smooth: Vector = random.numbers();
        Self {
            qfrc_smooth: full.map(|row| dot(&row, &smooth)),
            smooth,
            full,
            inertia,
            inertia_pattern,
            factor,
            factor_inverse_diagonal,
            jacobian: random.numbers::<{ ROWS * NV }>().to_vec(),
            jacobian_pattern: pattern_of([NV; ROWS].into_iter()),
            supernodes: [0; ROWS],
            reference: random.numbers(),
            regulariser: stiffness.map(|x| 1.0 / x),
            stiffness,
            frictionloss: [0.0, 0.0, 0.3, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            kind: KINDS.map(|kind| kind as i32),
            id: [0; ROWS],
            contacts: [Contact { mu, friction, dim: 3, ..Contact::default() }],
        }
    }

    fn problem(&self, sparse: bool) -> Problem<'_> {
        let jacobian = if sparse {
            let pattern = pattern(&self.jacobian_pattern);
            Jacobian::Sparse { values: &self.jacobian, pattern, supernodes: &self.supernodes }
        } else {
            Jacobian::Dense { values: &self.jacobian, columns: NV }
        };
        Problem {
            rows: CostRows {
                equalities: 2,
                frictions: 2,
                kind: &self.kind,
                id: &self.id,
                stiffness: &self.stiffness,
                regulariser: &self.regulariser,
                frictionloss: &self.frictionloss,
            },
            reference: &self.reference,
            jacobian,
            inertia: &self.inertia,
            inertia_pattern: pattern(&self.inertia_pattern),
            factor: &self.factor,
            factor_inverse_diagonal: &self.factor_inverse_diagonal,
            qfrc_smooth: &self.qfrc_smooth,
            qacc_smooth: &self.smooth,
            cone_hessians: &[],
            scale: 1.0,
            island: None,
        }
    }

    fn residual(&self, x: &Vector) -> [f64; ROWS] {
        std::array::from_fn(|row| dot(&self.jacobian[row * NV..][..NV], x) - self.reference[row])
    }

    /// Zone and slope of the cost of every row.
    fn rows(&self, x: &Vector) -> [(ConstraintState, f64); ROWS] {
        use ConstraintState::{Cone, Linearneg, Linearpos, Quadratic, Satisfied};
        let r = self.residual(x);
        let mut found = std::array::from_fn(|row| {
            let quadratic = (Quadratic, self.stiffness[row] * r[row]);
            match KINDS[row] {
                ConstraintType::Equality => quadratic,
                ConstraintType::FrictionDof if quadratic.1 <= -self.frictionloss[row] => {
                    (Linearneg, -self.frictionloss[row])
                }
                ConstraintType::FrictionDof if quadratic.1 >= self.frictionloss[row] => {
                    (Linearpos, self.frictionloss[row])
                }
                ConstraintType::FrictionDof => quadratic,
                _ if r[row] < 0.0 => quadratic,
                _ => (Satisfied, 0.0),
            }
        });
        let Contact { mu, friction, .. } = self.contacts[0];
        let tangent = [friction[0] * r[CONE + 1], friction[1] * r[CONE + 2]];
        let length = dot(&tangent, &tangent).sqrt();
        let normal = mu * r[CONE];
        let weight = self.stiffness[CONE] / (mu * mu * (1.0 + mu * mu));
        let gap = normal - mu * length;
        for j in 0..3 {
            let row = CONE + j;
            found[row] = if gap >= 0.0 {
                (Satisfied, 0.0)
            } else if mu * normal + length <= 0.0 {
                (Quadratic, self.stiffness[row] * r[row])
            } else if j == 0 {
                (Cone, weight * gap * mu)
            } else {
                (Cone, -weight * gap * mu * friction[j - 1] * tangent[j - 1] / length)
            };
        }
        found
    }

    /// Slope of the whole cost, `M (x − x₀) + Jᵀ s'`.
    fn slope(&self, x: &Vector) -> Vector {
        let away: Vector = std::array::from_fn(|i| x[i] - self.smooth[i]);
        let rows = self.rows(x);
        std::array::from_fn(|i| {
            let constraint: f64 = (0..ROWS).map(|row| self.jacobian[row * NV + i] * rows[row].1).sum();
            dot(&self.full[i], &away) + constraint
        })
    }

    fn zones(&self, x: &Vector) -> [i32; ROWS] {
        self.rows(x).map(|(zone, _)| zone as i32)
    }

    fn solve(
        &self,
        method: Method,
        sparse: bool,
        iterations: usize,
        start: &Vector,
    ) -> (Vector, [i32; ROWS]) {
        let settings = Settings {
            method,
            elliptic: true,
            tolerance: 1e-13,
            line_search_tolerance: 0.01,
            iterations,
            line_search_iterations: 50,
            remember: false,
        };
        let (mut qacc, mut qfrc_constraint, mut force, mut state) =
            (*start, [0.0; NV], [0.0; ROWS], [0; ROWS]);
        let mut unknowns = Unknowns {
            qacc: &mut qacc,
            qfrc_constraint: &mut qfrc_constraint,
            force: &mut force,
            state: &mut state,
        };
        let (mut scratch, mut structures) = (PrimalScratch::default(), Structures::default());
        let problem = self.problem(sparse);
        primal::solve(&settings, &problem, &mut unknowns, &self.contacts, &mut scratch, &mut structures);
        (qacc, state)
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Another start than the acceleration without constraints.
fn start(seed: u64) -> Vector {
    Random(seed ^ 0xabcd).numbers().map(|x: f64| 2.0 * x)
}

#[test]
fn the_slope_of_the_cost_is_zero_at_the_solution() {
    let mut seen = [0; 5];
    for seed in 0..60 {
        let small = Small::new(seed);
        // Conjugate gradients end where the cost no longer changes, which is the square of the slope.
        let ways = [(Method::Newton, 100, 1e-9), (Method::ConjugateGradient, 1000, 1e-5)];
        for (method, iterations, tolerance) in ways {
            for sparse in [false, true] {
                let (x, state) = small.solve(method, sparse, iterations, &start(seed));
                let slope = small.slope(&x);
                assert!(dot(&slope, &slope).sqrt() < tolerance, "{seed} {method:?} {sparse}: {slope:?}");
                // On the border of two zones either is right.
                let apart = |shift: f64| small.zones(&x.map(|x| x + shift)) == state;
                assert!(apart(0.0) || apart(1e-6) || apart(-1e-6), "{seed}: {state:?}");
                state.iter().for_each(|zone| seen[*zone as usize] += 1);
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 10), "{seen:?}");
}

#[test]
fn the_line_search_ends_where_the_slope_along_the_line_is_zero() {
    let mut moved = 0;
    for seed in 0..60 {
        let small = Small::new(seed);
        let from = start(seed);
        for method in [Method::Newton, Method::ConjugateGradient] {
            for sparse in [false, true] {
                let (to, _) = small.solve(method, sparse, 1, &from);
                let along: Vector = std::array::from_fn(|i| to[i] - from[i]);
                let (before, after) = (dot(&small.slope(&from), &along), dot(&small.slope(&to), &along));
                assert!(before < 0.0, "{seed} {method:?}: not downward");
                assert!(after.abs() < 1e-9 * before.abs(), "{seed} {method:?}: {after} after {before}");
                moved += 1;
            }
        }
        // Conjugate gradients begin along −M⁻¹ times the slope.
        let (to, _) = small.solve(Method::ConjugateGradient, false, 1, &from);
        let along: Vector = std::array::from_fn(|i| to[i] - from[i]);
        let momentum = small.full.map(|row| dot(&row, &along));
        let slope = small.slope(&from);
        let step = -dot(&momentum, &slope) / dot(&slope, &slope);
        for (found, expected) in momentum.iter().zip(slope.map(|x| -step * x)) {
            assert!((found - expected).abs() < 1e-10, "{seed}: {momentum:?} is not along {slope:?}");
        }
    }
    assert_eq!(moved, 240);
}

/// Zones, forces and derivatives of the cone at a point, as the engine has them.
fn evaluate(small: &Small, x: &Vector) -> ([i32; ROWS], Vec<[f64; 36]>) {
    let (mut state, mut force, mut cones) = ([0; ROWS], [0.0; ROWS], vec![[0.0; 36]]);
    let rows = small.problem(false).rows;
    update::update(rows, &small.residual(x), &small.contacts, &mut state, &mut force, Some(&mut cones));
    (state, cones)
}

/// Asserts that solving with the Hessian undoes the differences of slopes at `x`; `false` too near to the border of a zone.
fn inverts(small: &Small, x: &Vector, solve: impl Fn(&mut Vector)) -> bool {
    const H: f64 = 1e-6;
    let mut columns = [[0.0; NV]; NV];
    for (i, column) in columns.iter_mut().enumerate() {
        let [mut before, mut after] = [*x; 2];
        (before[i], after[i]) = (x[i] - H, x[i] + H);
        if small.zones(&before) != small.zones(&after) {
            return false;
        }
        let (low, high) = (small.slope(&before), small.slope(&after));
        *column = std::array::from_fn(|j| (high[j] - low[j]) / (2.0 * H));
    }
    for (i, mut column) in columns.into_iter().enumerate() {
        solve(&mut column);
        for (j, value) in column.iter().enumerate() {
            let expected = if i == j { 1.0 } else { 0.0 };
            assert!((value - expected).abs() < 1e-6, "column {i}: {column:?}");
        }
    }
    true
}

#[test]
fn the_hessian_is_the_difference_of_slopes_and_follows_changes_of_zones() {
    let (mut inverted, mut with_cone, mut followed) = (0, 0, 0);
    for seed in 0..60 {
        let small = Small::new(seed);
        for sparse in [false, true] {
            let problem = small.problem(sparse);
            let (mut hessian, mut structures) = (Hessian::default(), Structures::default());
            if sparse {
                let (jacobian, inertia) = (pattern(&small.jacobian_pattern), pattern(&small.inertia_pattern));
                structures.advance(&Patterns { jacobian, inertia, newton: true }, false);
            }
            let first = start(seed);
            let (state, cones) = evaluate(&small, &first);
            let in_cone = state.contains(&(ConstraintState::Cone as i32));
            hessian.make(&problem, &state, &mut structures, false);
            let structure = structures.present();
            hessian.factorize(&problem, &state, &small.contacts, &cones, &structure, in_cone, false);
            inverted += u32::from(inverts(&small, &first, |x| {
                hessian.solve(&problem, &structure, x, in_cone);
            }));
            with_cone += u32::from(in_cone);

            let second = start(seed + 1000);
            let (new, cones) = evaluate(&small, &second);
            let in_cone = new.contains(&(ConstraintState::Cone as i32));
            hessian.update(&problem, &new, &state, &small.contacts, &cones, &structure, in_cone);
            inverted += u32::from(inverts(&small, &second, |x| {
                hessian.solve(&problem, &structure, x, in_cone);
            }));
            followed += u32::from(new != state);
        }
    }
    assert!(inverted > 200 && with_cone > 10 && followed > 60, "{inverted} {with_cone} {followed}");
}
