//! Transmissions: the length of every actuator and its moment arms, the gradient of length with respect to `qpos` in dof space.
//!
//! Rows are stored one after the other by their non-zeros. Reference: `mj_transmission`.

mod adhesion;
mod joint;
mod site;
mod slider_crank;

use condyle_math::dense;
use condyle_model::{Model, TransmissionType};

use crate::Data;
use crate::data::{Tendons, Transmission, scratch};
use crate::query::jacobian::is_sparse;
use crate::sleep::{self, SleepState};

/// `actuator_length` and `actuator_moment`.
pub fn transmissions(model: &Model, data: &mut Data) {
    let filter = data.awake.filters(model);
    let mut address = 0;
    for actuator in 0..model.nu {
        let out = &mut data.transmission;
        out.moment_rowadr[actuator] = address as i32;
        if filter && sleep::actuator_state(model, &data.awake, actuator) == SleepState::Asleep {
            out.moment_rownnz[actuator] = 0;
            continue;
        }
        let buffers = &mut data.scratch.smooth;
        match TransmissionType::from_i32(model.actuator_trntype[actuator]) {
            Some(TransmissionType::Joint) => joint::joint(model, &data.state, actuator, false, out),
            Some(TransmissionType::JointInParent) => joint::joint(model, &data.state, actuator, true, out),
            Some(TransmissionType::SliderCrank) => {
                slider_crank::slider_crank(model, &data.kinematics, actuator, out, buffers);
            }
            Some(TransmissionType::Tendon) => {
                tendon(model, &data.tendons, actuator, out, &mut buffers.dof_force)
            }
            Some(TransmissionType::Site) => site::site(model, &data.kinematics, actuator, out, buffers),
            Some(TransmissionType::Body) => adhesion::body(
                model,
                &data.kinematics,
                &data.contacts,
                &data.constraint,
                actuator,
                out,
                buffers,
            ),
            Some(TransmissionType::Undefined) | None => {
                out.actuator_length[actuator] = 0.0;
                out.moment_rownnz[actuator] = 0;
            }
        }
        address += data.transmission.moment_rownnz[actuator] as usize;
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
