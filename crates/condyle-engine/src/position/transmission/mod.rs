//! Transmissions: the length of every actuator and its moment arms, the gradient of length with respect to `qpos` in dof space.
//!
//! Rows are stored one after the other by their non-zeros. Reference: `mj_transmission`.

mod adhesion;
mod joint;
mod site;
mod slider_crank;

use condyle_math::dense;
use condyle_model::{Model, TransmissionType};

use crate::data::{Awake, Contact, Kinematics, Rows, SmoothScratch, State, Tendons, Transmission, scratch};
use crate::jacobian::is_sparse;
use crate::sleep::{self, SleepState};

/// `actuator_length` and `actuator_moment`.
#[deny(clippy::wildcard_enum_match_arm)]
pub fn transmissions(
    model: &Model,
    state: &State,
    awake: &Awake,
    kinematics: &Kinematics,
    tendons: &Tendons,
    rows: &Rows,
    contacts: &[Contact],
    out: &mut Transmission,
    buffers: &mut SmoothScratch,
) {
    let filter = awake.filters(model);
    let mut address = 0;
    for actuator in 0..model.nu {
        out.moment_rowadr[actuator] = address as i32;
        if filter && sleep::actuator_state(model, awake, actuator) == SleepState::Asleep {
            out.moment_rownnz[actuator] = 0;
            continue;
        }
        match model.actuator_trntype(actuator).unwrap_or(TransmissionType::Undefined) {
            TransmissionType::Joint => joint::joint(model, state, actuator, false, out),
            TransmissionType::JointInParent => joint::joint(model, state, actuator, true, out),
            TransmissionType::SliderCrank => {
                slider_crank::slider_crank(model, kinematics, actuator, out, buffers);
            }
            TransmissionType::Tendon => tendon(model, tendons, actuator, out, &mut buffers.dof_force),
            TransmissionType::Site => site::site(model, kinematics, actuator, out, buffers),
            TransmissionType::Body => {
                adhesion::body(model, kinematics, contacts, rows, actuator, out, buffers);
            }
            TransmissionType::Undefined => {
                out.actuator_length[actuator] = 0.0;
                out.moment_rownnz[actuator] = 0;
            }
        }
        address += out.moment_rownnz[actuator] as usize;
    }
}

/// Store a row given by values and columns.
fn store(out: &mut Transmission, actuator: usize, entries: impl Iterator<Item = (usize, f64)>) {
    let start = out.moment_rowadr[actuator] as usize;
    let slots = out.actuator_moment[start..].iter_mut().zip(&mut out.moment_colind[start..]);
    let mut count = 0;
    for ((value, column), (dof, moment)) in slots.zip(entries) {
        *value = moment;
        *column = dof as i32;
        count += 1;
    }
    out.moment_rownnz[actuator] = count;
}

/// Store the non-zeros of a dense row.
fn store_dense(out: &mut Transmission, actuator: usize, row: &[f64]) {
    store(out, actuator, row.iter().copied().enumerate().filter(|(_, moment)| *moment != 0.0));
}

/// Length and moment of a tendon, times the gear.
fn tendon(model: &Model, tendons: &Tendons, actuator: usize, out: &mut Transmission, row: &mut Vec<f64>) {
    let id = model.actuator_trnid[actuator][0] as usize;
    let gear = model.actuator_gear[actuator][0];
    out.actuator_length[actuator] = tendons.ten_length[id] * gear;
    if is_sparse(model) {
        let start = tendons.ten_J_rowadr[id] as usize;
        let range = start..start + tendons.ten_J_rownnz[id] as usize;
        let columns = tendons.ten_J_colind[range.clone()].iter().map(|dof| *dof as usize);
        store(out, actuator, columns.zip(tendons.ten_J[range].iter().map(|moment| moment * gear)));
    } else {
        let row = scratch::sized(row, model.nv);
        dense::scale(row, &tendons.ten_J[id * model.nv..], gear);
        store_dense(out, actuator, row);
    }
}
