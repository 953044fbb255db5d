//! Exact line search along a direction of accelerations.
//!
//! Along `q̈ + αv` the cost is a sum of row costs: parabolas, switched on and off as rows change zone, and for elliptic contacts in
//! the middle zone a smooth function of two square sums. Newton steps on the slope look for its zero; once bracketed, the
//! bracket is narrowed from both sides and from the middle. Reference: `PrimalSearch`.

use condyle_math::{MIN_VALUE, dense, sparse};

use crate::constraint::jacobian::Jacobian;
use crate::constraint::update::ELLIPTIC;
use crate::data::Contact;

use super::primal::{PrimalScratch, Problem};

/// Where the search ended.
pub(super) struct Found {
    /// Zero when no step helps.
    pub step: f64,
    /// Scaled slope at the end; 1 when it was not computed.
    pub slope: f64,
    pub evaluations: i32,
    /// Evaluations at which the cost curved downward.
    pub not_convex: u32,
}

/// A point on the line with its cost, slope and curvature.
#[derive(Clone, Copy, Default)]
struct Point {
    alpha: f64,
    cost: f64,
    slope: f64,
    curvature: f64,
}

impl Point {
    /// Where Newton's method goes from here.
    fn newton_step(&self) -> f64 {
        self.alpha - self.slope / self.curvature
    }
}

/// The cost along the line.
struct Line<'a> {
    problem: &'a Problem<'a>,
    contacts: &'a [Contact],
    residual: &'a [f64],
    rate: &'a [f64],
    quadratics: &'a [[f64; 3]],
    /// Whether there are rows of elliptic contacts.
    has_cones: bool,
    /// Cost of inertia and equalities, which have one zone only, as a polynomial in α.
    steady: [f64; 3],
    evaluations: i32,
    not_convex: u32,
}

/// Find the step that minimises the cost along `scratch.search`.
pub(super) fn search(
    problem: &Problem,
    contacts: &[Contact],
    scratch: &mut PrimalScratch,
    tolerance: f64,
    max_evaluations: i32,
) -> Found {
    let length = dense::norm(&scratch.search);
    if length < MIN_VALUE {
        return Found { step: 0.0, slope: 1.0, evaluations: 0, not_convex: 0 };
    }
    let slope_tolerance = tolerance * length / problem.scale;
    let slope_scale = problem.scale / length;
    sparse::mul_symmetric_vec(
        &mut scratch.inertial_rate,
        problem.inertia,
        &scratch.search,
        problem.inertia_pattern,
    );
    match problem.jacobian {
        Jacobian::Dense { .. } => problem.jacobian.mul_vec(&mut scratch.residual_rate, &scratch.search),
        Jacobian::Sparse { values, .. } => {
            scratch.groups.mul_vec(&mut scratch.residual_rate, values, &scratch.search);
        }
    }
    let steady = prepare(problem, contacts, scratch);
    let mut line = Line {
        problem,
        contacts,
        residual: &scratch.residual,
        rate: &scratch.residual_rate,
        quadratics: &scratch.quadratics,
        has_cones: scratch.has_cones,
        steady,
        evaluations: 0,
        not_convex: 0,
    };
    let (step, slope) = line.minimize(slope_tolerance, max_evaluations);
    Found {
        step,
        slope: slope.map_or(1.0, |slope| slope.abs() * slope_scale),
        evaluations: line.evaluations,
        not_convex: line.not_convex,
    }
}

/// Polynomials of the rows that change zone, and the sum of all others, which is returned.
///
/// An elliptic contact uses the places of its second and third row for what its middle zone needs.
fn prepare(problem: &Problem, contacts: &[Contact], scratch: &mut PrimalScratch) -> [f64; 3] {
    let v = &scratch.search;
    let [momentum, force, energy] =
        dense::three_dots([(v, &scratch.inertial), (problem.qfrc_smooth, v), (v, &scratch.inertial_rate)]);
    let mut steady = [scratch.inertial_cost, momentum - force, 0.5 * energy];

    let rows = &problem.rows;
    let (stiffness, residual, rate) = (rows.stiffness, &scratch.residual, &scratch.residual_rate);
    let single = |residual: f64, rate: f64, stiffness: f64| {
        let weighted = stiffness * residual;
        [0.5 * (residual * weighted), rate * weighted, 0.5 * (rate * stiffness * rate)]
    };
    let (first, count) = (rows.equalities, rows.kind.len());
    for ((residual, rate), stiffness) in residual[..first].iter().zip(rate).zip(stiffness) {
        add(&mut steady, &single(*residual, *rate, *stiffness));
    }
    if !scratch.has_cones {
        let along = residual[first..].iter().zip(&rate[first..]).zip(&stiffness[first..]);
        for (quadratic, ((residual, rate), stiffness)) in scratch.quadratics[first..].iter_mut().zip(along) {
            *quadratic = single(*residual, *rate, *stiffness);
        }
        return steady;
    }
    let mut row = first;
    while row < count {
        let weighted = stiffness[row] * residual[row];
        let mut quadratic =
            [residual[row] * weighted, rate[row] * weighted, rate[row] * stiffness[row] * rate[row]];
        let mut rows_done = 1;
        if rows.kind[row] == ELLIPTIC {
            let contact = &contacts[rows.id[row] as usize];
            rows_done = contact.dimension();
            for j in row + 1..row + rows_done {
                let weighted = stiffness[j] * residual[j];
                quadratic[0] += residual[j] * weighted;
                quadratic[1] += rate[j] * weighted;
                quadratic[2] += rate[j] * stiffness[j] * rate[j];
            }
            let mu = contact.mu;
            let (mut uu, mut uv, mut vv) = (0.0, 0.0, 0.0);
            for j in 1..rows_done {
                let friction = contact.friction[j - 1];
                let (u, v) = (residual[row + j] * friction, rate[row + j] * friction);
                uu += u * u;
                uv += u * v;
                vv += v * v;
            }
            scratch.quadratics[row + 1] = [residual[row] * mu, rate[row] * mu, uu];
            scratch.quadratics[row + 2] = [uv, vv, stiffness[row] / ((mu * mu) * (1.0 + (mu * mu)))];
        }
        quadratic[0] *= 0.5;
        quadratic[2] *= 0.5;
        scratch.quadratics[row] = quadratic;
        row += rows_done;
    }
    steady
}

#[inline(always)]
fn add(total: &mut [f64; 3], term: &[f64; 3]) {
    total[0] += term[0];
    total[1] += term[1];
    total[2] += term[2];
}

impl Line<'_> {
    /// Cost, slope and curvature at `alpha`.
    fn evaluate(&mut self, alpha: f64) -> Point {
        let rows = &self.problem.rows;
        let mut total = self.steady;
        let mut point = Point { alpha, ..Point::default() };
        let first_inequality = rows.equalities + rows.frictions;
        for row in rows.equalities..first_inequality {
            let (start, direction) = (self.residual[row], self.rate[row]);
            let x = start + alpha * direction;
            let loss = rows.frictionloss[row];
            let bound = rows.regulariser[row] * loss;
            if -bound < x && x < bound {
                add(&mut total, &self.quadratics[row]);
            } else if x <= -bound {
                add(&mut total, &[loss * (-0.5 * bound - start), -loss * direction, 0.0]);
            } else {
                add(&mut total, &[loss * (-0.5 * bound + start), loss * direction, 0.0]);
            }
        }
        if !self.has_cones {
            let along = self.residual[first_inequality..].iter().zip(&self.rate[first_inequality..]);
            for ((start, direction), quadratic) in along.zip(&self.quadratics[first_inequality..]) {
                if start + alpha * direction < 0.0 {
                    add(&mut total, quadratic);
                }
            }
        }
        let mut row = if self.has_cones { first_inequality } else { rows.kind.len() };
        while row < rows.kind.len() {
            if rows.kind[row] == ELLIPTIC {
                let contact = &self.contacts[rows.id[row] as usize];
                self.add_cone(row, contact.mu, &mut total, &mut point);
                row += contact.dimension();
            } else {
                if self.residual[row] + alpha * self.rate[row] < 0.0 {
                    add(&mut total, &self.quadratics[row]);
                }
                row += 1;
            }
        }
        point.cost += alpha * alpha * total[2] + alpha * total[1] + total[0];
        point.slope += 2.0 * alpha * total[2] + total[1];
        point.curvature += 2.0 * total[2];
        if point.curvature <= 0.0 {
            point.curvature = MIN_VALUE;
            self.not_convex += 1;
        }
        self.evaluations += 1;
        point
    }

    /// Add one elliptic contact: to the polynomial at the bottom, to the point itself in the middle, nothing on top.
    fn add_cone(&self, row: usize, mu: f64, total: &mut [f64; 3], point: &mut Point) {
        let alpha = point.alpha;
        let [u0, v0, uu] = self.quadratics[row + 1];
        let [uv, vv, scale] = self.quadratics[row + 2];
        let normal = u0 + alpha * v0;
        let tangent_squared = uu + alpha * (2.0 * uv + alpha * vv);
        if tangent_squared <= 0.0 {
            if normal < 0.0 {
                add(total, &self.quadratics[row]);
            }
            return;
        }
        let tangent = tangent_squared.sqrt();
        if normal >= mu * tangent {
            return;
        }
        if mu * normal + tangent <= 0.0 {
            add(total, &self.quadratics[row]);
            return;
        }
        let normal_rate = v0;
        let tangent_rate = (uv + alpha * vv) / tangent;
        let tangent_curvature = vv / tangent - (uv + alpha * vv) * tangent_rate / (tangent * tangent);
        let gap = normal - mu * tangent;
        let gap_rate = normal_rate - mu * tangent_rate;
        point.cost += 0.5 * scale * gap * gap;
        point.slope += scale * gap * gap_rate;
        point.curvature += scale * (gap_rate * gap_rate + gap * (-mu * tangent_curvature));
    }

    /// Step and, where known, the slope there.
    fn minimize(&mut self, tolerance: f64, max_evaluations: i32) -> (f64, Option<f64>) {
        let start = self.evaluate(0.0);
        let mut near = self.evaluate(start.newton_step());
        if near.slope.abs() < tolerance {
            return (near.alpha, Some(near.slope));
        }
        // Newton steps in one direction until the slope changes sign.
        let direction = if near.slope < 0.0 { 1.0 } else { -1.0 };
        let mut far = start;
        while near.slope * direction <= -tolerance && self.evaluations < max_evaluations {
            far = near;
            near = self.evaluate(near.newton_step());
            if near.slope.abs() < tolerance {
                return (near.alpha, Some(near.slope));
            }
        }
        if self.evaluations >= max_evaluations {
            return (near.alpha, Some(near.slope));
        }
        self.narrow(start, near, far, tolerance, max_evaluations)
    }

    /// Narrow the bracket between two points with slopes of opposite sign.
    fn narrow(
        &mut self,
        start: Point,
        mut near: Point,
        mut far: Point,
        tolerance: f64,
        max_evaluations: i32,
    ) -> (f64, Option<f64>) {
        let mut far_next = near;
        let mut near_next = self.evaluate(near.newton_step());
        while self.evaluations < max_evaluations {
            let middle = self.evaluate(0.5 * (near.alpha + far.alpha));
            let candidates = [near_next, far_next, middle];
            let mut best: Option<&Point> = None;
            for candidate in &candidates {
                if candidate.slope.abs() < tolerance && best.is_none_or(|best| candidate.cost < best.cost) {
                    best = Some(candidate);
                }
            }
            if let Some(best) = best {
                return (best.alpha, Some(best.slope));
            }
            let near_moved = self.tighten(&mut near, &candidates, &mut near_next);
            let far_moved = self.tighten(&mut far, &candidates, &mut far_next);
            if !near_moved && !far_moved {
                return (middle.alpha, Some(middle.slope));
            }
        }
        if near.cost <= far.cost && near.cost < start.cost {
            (near.alpha, Some(near.slope))
        } else if far.cost <= near.cost && far.cost < start.cost {
            (far.alpha, Some(far.slope))
        } else {
            (0.0, None)
        }
    }

    /// Move one end of the bracket to the best candidate on its side; returns whether it moved.
    fn tighten(&mut self, end: &mut Point, candidates: &[Point; 3], next: &mut Point) -> bool {
        let mut moved = false;
        for candidate in candidates {
            let closer_below = end.slope < 0.0 && candidate.slope < 0.0 && end.slope < candidate.slope;
            let closer_above = end.slope > 0.0 && candidate.slope > 0.0 && end.slope > candidate.slope;
            if closer_below || closer_above {
                *end = *candidate;
                moved = true;
            }
        }
        if moved {
            *next = self.evaluate(end.newton_step());
        }
        moved
    }
}
