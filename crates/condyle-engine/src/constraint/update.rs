//! Constraint forces and cost as a function of the row residuals `jar = J q̈ − aref`.
//!
//! Every constraint has a convex cost `s(jar)` and the force `−∂s/∂jar`:
//!
//! - equality: `½ D jar²`;
//! - dry friction: the same inside `±R·loss`, linear outside (Huber);
//! - limits, frictionless and pyramidal contacts: `½ D jar²` where `jar < 0`, zero elsewhere;
//! - elliptic contacts: by zone of the cone. With `N = μ·jar₀` and `T = |friction·jar₁…|`: zero on top (`N ≥ μT`), quadratic at the
//!   bottom (`μN + T ≤ 0`), `½ D₀/(μ²(1+μ²)) (N − μT)²` in between.
//!
//! Reference: `mj_constraintUpdate_impl`.

use condyle_math::dense;
use condyle_model::{ConstraintState, ConstraintType};

use crate::data::{ConeHessian, Contact};

/// The rows of a problem that decide forces.
#[derive(Clone, Copy)]
pub struct CostRows<'a> {
    /// Equality rows, which come first.
    pub equalities: usize,
    /// Dry friction rows, which come next.
    pub frictions: usize,
    /// [`ConstraintType`] of each row.
    pub kind: &'a [i32],
    /// Number of the object or contact each row belongs to.
    pub id: &'a [i32],
    /// Inverse of the regulariser of each row.
    pub stiffness: &'a [f64],
    /// Regulariser of each row: diagonal of R.
    pub regulariser: &'a [f64],
    /// Greatest dry friction of each row, N or N m.
    pub frictionloss: &'a [f64],
}

/// Number of a zone as stored.
const SATISFIED: i32 = ConstraintState::Satisfied as i32;
const QUADRATIC: i32 = ConstraintState::Quadratic as i32;
const LINEAR_NEGATIVE: i32 = ConstraintState::Linearneg as i32;
const LINEAR_POSITIVE: i32 = ConstraintState::Linearpos as i32;
const CONE: i32 = ConstraintState::Cone as i32;
pub(super) const ELLIPTIC: i32 = ConstraintType::ContactElliptic as i32;

impl CostRows<'_> {
    /// Rows and numbers of the elliptic contacts, in row order: where each begins and which it is.
    pub fn cones<'a>(&'a self, contacts: &'a [Contact]) -> impl Iterator<Item = (usize, usize)> + 'a {
        let mut row = self.equalities + self.frictions;
        std::iter::from_fn(move || {
            while row < self.kind.len() {
                let first = row;
                if self.kind[first] == ELLIPTIC {
                    let contact = self.id[first] as usize;
                    row += contacts[contact].dimension();
                    return Some((first, contact));
                }
                row += 1;
            }
            None
        })
    }

    /// The Hessians an earlier solve left, in row order; `kept` has them by contact.
    pub fn kept_cones<'a>(
        &'a self,
        contacts: &'a [Contact],
        kept: &'a [ConeHessian],
    ) -> impl Iterator<Item = ConeHessian> + 'a {
        self.cones(contacts).map(|(_, contact)| kept.get(contact).copied().unwrap_or([0.0; 36]))
    }

    /// Store Hessians given in row order by contact; returns how many there are.
    pub fn keep_cones(
        &self,
        contacts: &[Contact],
        hessians: &[ConeHessian],
        kept: &mut Vec<ConeHessian>,
    ) -> usize {
        kept.resize(contacts.len(), [0.0; 36]);
        let mut count = 0;
        for ((_, contact), hessian) in self.cones(contacts).zip(hessians) {
            kept[contact] = *hessian;
            count += 1;
        }
        count
    }
}

/// Fill zones and forces, and the Hessians of the elliptic contacts in their middle zone if asked; returns the cost.
///
/// `hessians` has one entry per elliptic contact, in row order. Outside the middle zone an entry is left as it is.
pub fn update(
    rows: CostRows,
    residual: &[f64],
    contacts: &[Contact],
    state: &mut [i32],
    force: &mut [f64],
    hessians: Option<&mut [ConeHessian]>,
) -> f64 {
    let count = rows.kind.len();
    let (stiffness, residual) = (&rows.stiffness[..count], &residual[..count]);
    for row in 0..count {
        force[row] = -stiffness[row] * residual[row];
    }
    let mut cost = 0.0;
    for row in 0..rows.equalities {
        cost += 0.5 * stiffness[row] * residual[row] * residual[row];
        state[row] = QUADRATIC;
    }
    let first_inequality = rows.equalities + rows.frictions;
    for row in rows.equalities..first_inequality {
        let (loss, bound, x) = (rows.frictionloss[row], rows.regulariser[row], residual[row]);
        if x <= -bound * loss {
            cost += -0.5 * bound * loss * loss - loss * x;
            force[row] = loss;
            state[row] = LINEAR_NEGATIVE;
        } else if x >= bound * loss {
            cost += -0.5 * bound * loss * loss + loss * x;
            force[row] = -loss;
            state[row] = LINEAR_POSITIVE;
        } else {
            cost += 0.5 * stiffness[row] * x * x;
            state[row] = QUADRATIC;
        }
    }
    let mut hessians = hessians.map(<[ConeHessian]>::iter_mut);
    let mut row = first_inequality;
    while row < count {
        if rows.kind[row] == ELLIPTIC {
            let contact = &contacts[rows.id[row] as usize];
            let end = row + contact.dimension();
            let cone = Cone {
                contact,
                stiffness: &stiffness[row..end],
                residual: &residual[row..end],
                force: &mut force[row..end],
                hessian: hessians.as_mut().and_then(Iterator::next),
            };
            let zone = match end - row {
                1 => cone.update::<1>(&mut cost),
                2 => cone.update::<2>(&mut cost),
                3 => cone.update::<3>(&mut cost),
                4 => cone.update::<4>(&mut cost),
                5 => cone.update::<5>(&mut cost),
                _ => cone.update::<6>(&mut cost),
            };
            state[row..end].fill(zone);
            row = end;
        } else {
            if residual[row] >= 0.0 {
                force[row] = 0.0;
                state[row] = SATISFIED;
            } else {
                cost += 0.5 * stiffness[row] * residual[row] * residual[row];
                state[row] = QUADRATIC;
            }
            row += 1;
        }
    }
    cost
}

/// One elliptic contact; `force` comes in as the quadratic force.
struct Cone<'a> {
    contact: &'a Contact,
    stiffness: &'a [f64],
    residual: &'a [f64],
    force: &'a mut [f64],
    hessian: Option<&'a mut ConeHessian>,
}

impl Cone<'_> {
    /// Zone and force of a contact of dimension `N`, which is known so that the vectors stay in registers.
    #[inline(always)]
    fn update<const N: usize>(self, cost: &mut f64) -> i32 {
        let (Some(stiffness), Some(residual), Some(force)) = (
            self.stiffness.first_chunk::<N>(),
            self.residual.first_chunk::<N>(),
            self.force.first_chunk_mut::<N>(),
        ) else {
            return CONE;
        };
        let (mu, friction) = (self.contact.mu, &self.contact.friction);
        // Coordinates in which the cone is circular.
        let mut u = [0.0; N];
        u[0] = residual[0] * mu;
        for j in 1..N {
            u[j] = residual[j] * friction[j - 1];
        }
        let normal = u[0];
        let tangent = dense::norm(&u[1..]);
        if normal >= mu * tangent || (tangent <= 0.0 && normal >= 0.0) {
            force.fill(0.0);
            return SATISFIED;
        }
        if mu * normal + tangent <= 0.0 || (tangent <= 0.0 && normal < 0.0) {
            for j in 0..N {
                *cost += 0.5 * stiffness[j] * residual[j] * residual[j];
            }
            return QUADRATIC;
        }
        let scale = stiffness[0] / (mu * mu * (1.0 + mu * mu));
        let gap = normal - mu * tangent;
        *cost += 0.5 * scale * gap * gap;
        force[0] = -scale * gap * mu;
        for j in 1..N {
            force[j] = -force[0] / tangent * u[j] * friction[j - 1];
        }
        if let Some(hessian) = self.hessian {
            cone_hessian(hessian, &u, mu, tangent, scale, friction);
        }
        CONE
    }
}

/// Second derivative of the middle-zone cost with respect to the residuals, as a full symmetric matrix.
#[inline(always)]
fn cone_hessian<const N: usize>(
    hessian: &mut ConeHessian,
    u: &[f64; N],
    mu: f64,
    tangent: f64,
    cost_scale: f64,
    friction: &[f64; 5],
) {
    let (n, normal) = (N, u[0]);
    let scale = -mu / tangent;
    hessian[0] = 1.0;
    for j in 1..n {
        hessian[j] = scale * u[j];
    }
    let scale = mu * normal / (tangent * tangent * tangent);
    for k in 1..n {
        for j in k..n {
            hessian[k * n + j] = scale * u[j] * u[k];
        }
    }
    let scale = mu * mu - mu * normal / tangent;
    for j in 1..n {
        hessian[j * (n + 1)] += scale;
    }
    let weight = |axis: usize| if axis == 0 { mu } else { friction[axis - 1] };
    for k in 0..n {
        let scale = cost_scale * weight(k);
        for j in k..n {
            hessian[k * n + j] *= scale * weight(j);
        }
    }
    for k in 0..n {
        for j in k + 1..n {
            hessian[j * n + k] = hessian[k * n + j];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cone_contact() -> Contact {
        Contact { dim: 3, mu: 0.8, friction: [0.8, 0.6, 0.0, 0.0, 0.0], ..Contact::default() }
    }

    fn evaluate(residual: [f64; 3], hessian: &mut ConeHessian) -> (f64, [f64; 3], i32) {
        let rows = CostRows {
            equalities: 0,
            frictions: 0,
            kind: &[ELLIPTIC; 3],
            id: &[0; 3],
            stiffness: &[10.0, 10.0, 10.0 * 0.36 / 0.64],
            regulariser: &[0.1; 3],
            frictionloss: &[0.0; 3],
        };
        let (mut state, mut force) = ([0; 3], [0.0; 3]);
        let hessians = Some(std::slice::from_mut(hessian));
        let cost = update(rows, &residual, &[cone_contact()], &mut state, &mut force, hessians);
        (cost, force, state[0])
    }

    #[test]
    fn cone_force_is_the_negative_gradient_of_its_cost() {
        let mut hessian = [0.0; 36];
        let point = [-0.3, 0.5, -0.4];
        let (_, force, zone) = evaluate(point, &mut hessian);
        assert_eq!(zone, CONE);
        let h = 1e-6;
        for axis in 0..3 {
            let (mut low, mut high) = (point, point);
            low[axis] -= h;
            high[axis] += h;
            let slope = (evaluate(high, &mut hessian).0 - evaluate(low, &mut hessian).0) / (2.0 * h);
            assert!((slope + force[axis]).abs() < 1e-7, "axis {axis}: {slope} {}", force[axis]);
        }
    }

    #[test]
    fn cone_hessian_is_the_derivative_of_the_force() {
        let mut hessian = [0.0; 36];
        let point = [-0.3, 0.5, -0.4];
        evaluate(point, &mut hessian);
        let at_point = hessian;
        let h = 1e-6;
        for axis in 0..3 {
            let (mut low, mut high) = (point, point);
            low[axis] -= h;
            high[axis] += h;
            let (_, below, _) = evaluate(low, &mut hessian);
            let (_, above, _) = evaluate(high, &mut hessian);
            for row in 0..3 {
                let slope = -(above[row] - below[row]) / (2.0 * h);
                assert!((slope - at_point[row * 3 + axis]).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn friction_force_saturates_at_the_loss() {
        let rows = CostRows {
            equalities: 0,
            frictions: 3,
            kind: &[1; 3],
            id: &[0; 3],
            stiffness: &[2.0; 3],
            regulariser: &[0.5; 3],
            frictionloss: &[1.0; 3],
        };
        let (mut state, mut force) = ([0; 3], [0.0; 3]);
        let cost = update(rows, &[-3.0, 0.25, 3.0], &[], &mut state, &mut force, None);
        assert_eq!(force, [1.0, -0.5, -1.0]);
        assert_eq!(state, [LINEAR_NEGATIVE, QUADRATIC, LINEAR_POSITIVE]);
        assert_eq!(cost, 2.75 + 0.0625 + 2.75);
    }
}
