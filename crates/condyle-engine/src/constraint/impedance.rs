//! How soft each row is: approximate inverse inertia, impedance, stiffness, damping and regularisation.
//!
//! From `solimp` comes the impedance `d ∈ (0, 1)` of the constraint as a function of its violation; the regulariser is
//! `R = (1 − d)/d · A` with `A` the approximate inverse inertia seen by the row. From `solref` come the stiffness `K` and damping
//! `B` of the reference acceleration. Rows of one frictional contact share what makes its friction cone isotropic.
//! Reference: `mj_diagApprox`, `mj_makeImpedance`.

use condyle_math::{MIN_VALUE, dense, scalar};
use condyle_model::{ConstraintType, EqualityType, Model, disable};

use crate::data::{Contact, Diagnostics, Flexes, Rows, StepIssue};

use super::contact_bodies;
use super::rows::{equality, flex};

const MIN_IMPEDANCE: f64 = 0.0001;
const MAX_IMPEDANCE: f64 = 0.9999;
const DEFAULT_SOLREF: [f64; 2] = [0.02, 1.0];

/// Fill `efc_diagApprox`, `efc_KBIP`, `efc_R`, `efc_D` and the regularised friction of the contacts.
pub fn make(
    model: &Model,
    flexes: &Flexes,
    table: &mut Rows,
    contacts: &mut [Contact],
    diagnostics: &mut Diagnostics,
) {
    approximate_inverse_inertia(model, flexes, table, contacts);
    set_impedance(model, table, contacts, diagnostics);
    share_cone_regularisation(model, table, contacts);
    for row in 0..table.nefc {
        table.efc_D[row] = 1.0 / table.efc_R[row];
        let impedance = table.efc_KBIP[row][2];
        table.efc_diagApprox[row] = table.efc_R[row] * impedance / (1.0 - impedance);
    }
}

/// The row's kind; rows are written by this crate, so an unknown number cannot occur.
#[inline(always)]
pub(crate) fn kind_of(value: i32) -> ConstraintType {
    ConstraintType::from_i32(value).unwrap_or(ConstraintType::Equality)
}

fn approximate_inverse_inertia(model: &Model, flexes: &Flexes, table: &mut Rows, contacts: &[Contact]) {
    // Six rows of a weld follow each other: three translational, three rotational.
    let mut weld_row = 0;
    let mut row = 0;
    while row < table.nefc {
        let id = table.efc_id[row] as usize;
        let out = &mut table.efc_diagApprox;
        if kind_of(table.efc_type[row]) == ConstraintType::Equality {
            let before = row;
            for (slot, weight) in out[row..].iter_mut().zip(flex::weights(model, id)) {
                *slot = weight;
                row += 1;
            }
            if row > before {
                continue;
            }
        }
        match kind_of(table.efc_type[row]) {
            ConstraintType::Equality => out[row] = equality_weight(model, id, &mut weld_row),
            ConstraintType::FrictionDof => out[row] = model.dof_invweight0[id],
            ConstraintType::LimitJoint => out[row] = model.dof_invweight0[model.jnt_dofadr[id] as usize],
            ConstraintType::FrictionTendon | ConstraintType::LimitTendon => {
                out[row] = model.tendon_invweight0[id];
            }
            kind => {
                let contact = &contacts[id];
                let translation = contact_weight(model, flexes, contact);
                // The first row of a frictional contact decides the regularisers of all, see `share_cone_regularisation`.
                let (rows, weight) = match kind {
                    ConstraintType::ContactElliptic => (contact.dimension(), translation),
                    ConstraintType::ContactPyramidal => {
                        let (friction, rows) = (contact.friction[0], 2 * (contact.dimension() - 1));
                        (rows.max(1), translation + friction * friction * translation)
                    }
                    _ => (1, translation),
                };
                for slot in out[row..].iter_mut().take(rows) {
                    *slot = weight;
                }
                row += rows - 1;
            }
        }
        row += 1;
    }
}

fn equality_weight(model: &Model, id: usize, weld_row: &mut usize) -> f64 {
    let (first, second) = (model.eq_obj1id[id] as usize, model.eq_obj2id(id));
    match model.eq_type(id) {
        Some(kind @ (EqualityType::Connect | EqualityType::Weld)) => {
            let [body1, body2] = equality::bodies(model, id);
            let part = usize::from(kind == EqualityType::Weld && *weld_row > 2);
            if kind == EqualityType::Weld {
                *weld_row = (*weld_row + 1) % 6;
            }
            model.body_invweight0[body1][part] + model.body_invweight0[body2][part]
        }
        Some(EqualityType::Joint) => {
            let weight = |joint: usize| model.dof_invweight0[model.jnt_dofadr[joint] as usize];
            second.map_or(weight(first), |second| weight(first) + weight(second))
        }
        Some(EqualityType::Tendon) => {
            let weight = |tendon: usize| model.tendon_invweight0[tendon];
            second.map_or(weight(first), |second| weight(first) + weight(second))
        }
        _ => 0.0,
    }
}

/// Inverse weights of the bodies on both sides together, for translation.
fn contact_weight(model: &Model, flexes: &Flexes, contact: &Contact) -> f64 {
    let mut translation = 0.0;
    for side in 0..2 {
        contact_bodies::visit(model, flexes, contact, side, 1.0, |body, share| {
            translation += model.body_invweight0[body][0] * share;
        });
    }
    translation
}

/// Solver parameters of one constraint, made safe.
struct SolverParameters {
    solref: [f64; 2],
    /// Reference of friction directions; zeros mean `solref`.
    solreffriction: [f64; 2],
    solimp: [f64; 5],
}

fn parameters(
    model: &Model,
    kind: ConstraintType,
    id: usize,
    contacts: &[Contact],
    mut issue: impl FnMut(StepIssue),
) -> SolverParameters {
    let mut solreffriction = [0.0; 2];
    let (mut solref, mut solimp) = match kind {
        ConstraintType::Equality => (model.eq_solref[id], model.eq_solimp[id]),
        ConstraintType::LimitJoint => (model.jnt_solref[id], model.jnt_solimp[id]),
        ConstraintType::FrictionDof => (model.dof_solref[id], model.dof_solimp[id]),
        ConstraintType::LimitTendon => (model.tendon_solref_lim[id], model.tendon_solimp_lim[id]),
        ConstraintType::FrictionTendon => (model.tendon_solref_fri[id], model.tendon_solimp_fri[id]),
        ConstraintType::ContactFrictionless
        | ConstraintType::ContactPyramidal
        | ConstraintType::ContactElliptic => {
            solreffriction = contacts[id].solreffriction;
            (contacts[id].solref, contacts[id].solimp)
        }
    };
    // Both numbers positive: time constant and damping ratio. Neither: stiffness and damping. A mixture means nothing.
    if (solref[0] > 0.0) != (solref[1] > 0.0) {
        issue(StepIssue::MixedReference);
        solref = DEFAULT_SOLREF;
    }
    if (solreffriction[0] > 0.0) != (solreffriction[1] > 0.0) {
        issue(StepIssue::MixedFrictionReference);
        solreffriction = [0.0; 2];
    }
    if model.opt.disableflags & disable::REFSAFE == 0 {
        for reference in [&mut solref, &mut solreffriction] {
            if reference[0] > 0.0 {
                reference[0] = scalar::max(reference[0], 2.0 * model.opt.timestep);
            }
        }
    }
    for i in [0, 1, 3] {
        solimp[i] = scalar::min(MAX_IMPEDANCE, scalar::max(MIN_IMPEDANCE, solimp[i]));
    }
    solimp[2] = scalar::max(0.0, solimp[2]);
    solimp[4] = scalar::max(1.0, solimp[4]);
    SolverParameters { solref, solreffriction, solimp }
}

/// Number of rows of the constraint that starts at `row`, and its violation.
fn rows_and_violation(model: &Model, table: &Rows, contacts: &[Contact], row: usize) -> (usize, f64) {
    let id = table.efc_id[row] as usize;
    let violation = |rows: usize| dense::norm(&table.efc_pos[row..row + rows]);
    match kind_of(table.efc_type[row]) {
        ConstraintType::ContactElliptic => (contacts[id].dimension(), table.efc_pos[row]),
        ConstraintType::ContactPyramidal => ((2 * (contacts[id].dimension() - 1)).max(1), table.efc_pos[row]),
        ConstraintType::Equality if model.eq_type(id) == Some(EqualityType::Weld) => (6, violation(6)),
        ConstraintType::Equality if model.eq_type(id) == Some(EqualityType::Connect) => (3, violation(3)),
        _ => (1, table.efc_pos[row]),
    }
}

#[inline(always)]
fn power(base: f64, exponent: f64) -> f64 {
    if exponent == 1.0 {
        base
    } else if exponent == 2.0 {
        base * base
    } else {
        base.powf(exponent)
    }
}

/// Impedance and its derivative at a violation `position − margin`: from `solimp[0]` at zero to `solimp[1]` at the width
/// `solimp[2]`, along a power curve that bends at the midpoint `solimp[3]`.
fn impedance(solimp: &[f64; 5], position: f64, margin: f64) -> (f64, f64) {
    let [low, high, width, midpoint, exponent] = *solimp;
    if low == high || width <= MIN_VALUE {
        return (0.5 * (low + high), 0.0);
    }
    let mut x = (position - margin) / width;
    let mut sign = 1.0;
    if x < 0.0 {
        x = -x;
        sign = -1.0;
    }
    if x >= 1.0 || x <= 0.0 {
        return (if x >= 1.0 { high } else { low }, 0.0);
    }
    let (y, slope) = if exponent == 1.0 {
        (x, 1.0)
    } else if x <= midpoint {
        let a = 1.0 / power(midpoint, exponent - 1.0);
        (a * power(x, exponent), exponent * a * power(x, exponent - 1.0))
    } else {
        let b = 1.0 / power(1.0 - midpoint, exponent - 1.0);
        (1.0 - b * power(1.0 - x, exponent), exponent * b * power(1.0 - x, exponent - 1.0))
    };
    (low + y * (high - low), slope * sign * (high - low) / width)
}

fn set_impedance(model: &Model, table: &mut Rows, contacts: &[Contact], diagnostics: &mut Diagnostics) {
    let mut row = 0;
    while row < table.nefc {
        let kind = kind_of(table.efc_type[row]);
        let parameters = parameters(model, kind, table.efc_id[row] as usize, contacts, |issue| {
            diagnostics.count_issue(issue, row as i32);
        });
        let (rows, violation) = rows_and_violation(model, table, contacts, row);
        let (value, derivative) = impedance(&parameters.solimp, violation, table.efc_margin[row]);
        for j in 0..rows {
            let regulariser = (1.0 - value) * table.efc_diagApprox[row + j] / value;
            table.efc_R[row + j] = scalar::max(MIN_VALUE, regulariser);
            let (stiffness, damping) = reference_gains(&parameters, kind, j);
            table.efc_KBIP[row + j] = [stiffness, damping, value, derivative];
        }
        row += rows;
    }
}

/// Stiffness and damping of row `j` of a constraint.
fn reference_gains(parameters: &SolverParameters, kind: ConstraintType, j: usize) -> (f64, f64) {
    let elliptic_friction = kind == ConstraintType::ContactElliptic && j > 0;
    let friction = &parameters.solreffriction;
    let reference = if elliptic_friction && (friction[0] != 0.0 || friction[1] != 0.0) {
        friction
    } else {
        &parameters.solref
    };
    let highest = parameters.solimp[1];
    let is_friction = matches!(kind, ConstraintType::FrictionDof | ConstraintType::FrictionTendon);
    let stiffness = if is_friction || elliptic_friction {
        0.0
    } else if reference[0] > 0.0 {
        1.0 / scalar::max(
            MIN_VALUE,
            highest * highest * reference[0] * reference[0] * reference[1] * reference[1],
        )
    } else {
        -reference[0] / scalar::max(MIN_VALUE, highest * highest)
    };
    let damping = if reference[1] > 0.0 {
        2.0 / scalar::max(MIN_VALUE, highest * reference[0])
    } else {
        -reference[1] / scalar::max(MIN_VALUE, highest)
    };
    (stiffness, damping)
}

/// Rows of one frictional contact: regularise friction by `impratio`, keep the elliptic cone isotropic (`R·μ²` constant), give all
/// edges of a pyramid the regulariser that matches the elliptic cone.
fn share_cone_regularisation(model: &Model, table: &mut Rows, contacts: &mut [Contact]) {
    let mut row = table.ne + table.nf;
    while row < table.nefc {
        let kind = kind_of(table.efc_type[row]);
        if !matches!(kind, ConstraintType::ContactElliptic | ConstraintType::ContactPyramidal) {
            row += 1;
            continue;
        }
        let contact = &mut contacts[table.efc_id[row] as usize];
        let dimension = contact.dim as usize;
        let friction = contact.friction;
        let regulariser = &mut table.efc_R[row..];
        regulariser[1] = regulariser[0] / scalar::max(MIN_VALUE, model.opt.impratio);
        contact.mu = friction[0] * (regulariser[1] / regulariser[0]).sqrt();
        if kind == ConstraintType::ContactElliptic {
            for j in 1..dimension - 1 {
                regulariser[j + 1] = regulariser[1] * friction[0] * friction[0] / (friction[j] * friction[j]);
            }
            row += dimension;
        } else {
            let edges = 2 * (dimension - 1);
            let common = 2.0 * contact.mu * contact.mu * regulariser[0];
            regulariser[..edges].fill(common);
            row += edges;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOLIMP: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0];

    #[test]
    fn impedance_rises_from_low_to_high_over_the_width() {
        assert_eq!(impedance(&SOLIMP, 0.0, 0.0), (0.9, 0.0));
        assert_eq!(impedance(&SOLIMP, -0.002, 0.0), (0.95, 0.0));
        let (middle, slope) = impedance(&SOLIMP, -0.0005, 0.0);
        assert!((middle - 0.925).abs() < 1e-15);
        assert!(slope < 0.0);
    }

    #[test]
    fn impedance_slope_is_its_derivative() {
        let h = 1e-9;
        for position in [-0.0008, -0.0002, 0.0003, 0.0009] {
            let (_, slope) = impedance(&SOLIMP, position, 0.0);
            let difference =
                impedance(&SOLIMP, position + h, 0.0).0 - impedance(&SOLIMP, position - h, 0.0).0;
            assert!((difference / (2.0 * h) - slope).abs() < 1e-4 * slope.abs());
        }
    }

    #[test]
    fn direct_reference_is_scaled_by_the_highest_impedance() {
        let parameters =
            SolverParameters { solref: [-100.0, -10.0], solreffriction: [0.0; 2], solimp: SOLIMP };
        let (stiffness, damping) = reference_gains(&parameters, ConstraintType::LimitJoint, 0);
        assert_eq!(stiffness, 100.0 / (0.95 * 0.95));
        assert_eq!(damping, 10.0 / 0.95);
        assert_eq!(reference_gains(&parameters, ConstraintType::FrictionDof, 0).0, 0.0);
    }
}
