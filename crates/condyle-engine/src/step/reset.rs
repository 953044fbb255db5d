//! Back to the reference configuration, or to a keyframe.
//!
//! Reference: `mj_resetData`, `mj_resetDataKeyframe`.
//!
//! Whole data: all of it goes back to the start.

use condyle_model::{Model, SleepPolicy};

use super::stages;
use crate::Data;
use crate::data::sleep_enabled;
use crate::sleep::{self, FULLY_AWAKE, SleepState};

/// Set the reference configuration: `qpos0`, zero velocity, no inputs, history filled with zeros.
pub fn reset(model: &Model, data: &mut Data) {
    data.wipe();
    data.state.qpos.copy_from_slice(&model.qpos0);
    data.inputs.eq_active.copy_from_slice(&model.eq_active0);
    data.state.tree_asleep.fill(FULLY_AWAKE);
    data.state.plugin.copy_from_slice(&model.plugin);
    // The forward computation that puts trees to sleep takes the first samples of sensors with a history.
    reset_history(model, data);
    reset_sleep(model, data);
    reset_mocap(model, data);
}

/// Reset, then apply keyframe `key`. `false` when there is no such keyframe.
pub fn reset_to_keyframe(model: &Model, data: &mut Data, key: usize) -> bool {
    reset(model, data);
    if key >= model.nkey {
        return false;
    }
    let row = |width: usize| key * width..(key + 1) * width;
    data.state.time = model.key_time[key];
    data.state.qpos.copy_from_slice(&model.key_qpos[row(model.nq)]);
    data.state.qvel.copy_from_slice(&model.key_qvel[row(model.nv)]);
    data.state.act.copy_from_slice(&model.key_act[row(model.na)]);
    data.inputs.mocap_pos.copy_from_slice(&model.key_mpos[row(model.nmocap)]);
    data.inputs.mocap_quat.copy_from_slice(&model.key_mquat[row(model.nmocap)]);
    data.inputs.ctrl.copy_from_slice(&model.key_ctrl[row(model.nu)]);
    true
}

/// Awake lists with all trees awake. With sleeping enabled the poses of static bodies are computed here, because the step then skips
/// them, and trees marked to start asleep are put to sleep.
fn reset_sleep(model: &Model, data: &mut Data) {
    if sleep_enabled(model) {
        sleep::update_with_static(model, &data.state, &mut data.awake, SleepState::Awake);
        let starts_asleep = |tree: usize| model.tree_sleep_policy(tree) == Some(SleepPolicy::Init);
        if (0..model.ntree).any(starts_asleep) {
            super::forward(model, data);
            for tree in 0..model.ntree {
                data.state.tree_asleep[tree] = if starts_asleep(tree) { -1 } else { FULLY_AWAKE };
            }
            let Data { inputs, rows, islands, state, acceleration, .. } = data;
            sleep::fall_asleep(model, inputs, rows, islands, state, acceleration);
            forget_forces(data);
        } else {
            stages::kinematics(model, data);
        }
    }
    sleep::update(model, &data.state, &mut data.awake);
}

/// Leave no constraints and smooth forces behind; contacts stay, without rows.
fn forget_forces(data: &mut Data) {
    data.smooth.clear();
    data.rows.clear();
    data.row_motion.clear();
    data.dual.clear();
    data.solution.clear();
    data.islands.clear();
    data.island_solution.clear();
    for contact in data.contacts.iter_mut() {
        contact.efc_address = -1;
    }
}

/// Mocap bodies start where the model places them.
fn reset_mocap(model: &Model, data: &mut Data) {
    for body in 0..model.nbody {
        if let Some(mocap) = model.body_mocapid(body) {
            data.inputs.mocap_pos[mocap] = model.body_pos[body];
            data.inputs.mocap_quat[mocap] = model.body_quat[body];
        }
    }
}

/// History buffers hold `[user slot, cursor, times…, values…]`; before the first step they are full of zeros taken at past times.
fn reset_history(model: &Model, data: &mut Data) {
    let timestep = model.opt.timestep;
    let history = &mut data.state.history;
    for actuator in 0..model.nu {
        let samples = model.actuator_history[actuator][0];
        if samples > 0 {
            let start = model.actuator_historyadr[actuator] as usize;
            let buffer = &mut history[start..];
            buffer[0] = 0.0;
            buffer[1] = f64::from(samples - 1);
            for sample in 0..samples {
                buffer[2 + sample as usize] = f64::from(-(samples - sample)) * timestep;
            }
        }
    }
    for sensor in 0..model.nsensor {
        let samples = model.sensor_history[sensor][0];
        if samples <= 0 {
            continue;
        }
        let [period, phase] = model.sensor_interval[sensor];
        let start = model.sensor_historyadr[sensor] as usize;
        let buffer = &mut history[start..];
        let first = if phase == 0.0 { -period } else { phase };
        buffer[0] = if period > 0.0 { first } else { -timestep };
        buffer[1] = f64::from(samples - 1);
        for sample in 0..samples {
            buffer[2 + sample as usize] = if period > 0.0 {
                ((first - f64::from(samples - 1 - sample) * period) / timestep).ceil() * timestep
            } else {
                f64::from(-(samples - sample)) * timestep
            };
        }
    }
}
