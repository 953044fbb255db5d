//! Back to the reference configuration, or to a keyframe.
//!
//! Reference: `mj_resetData`, `mj_resetDataKeyframe`.

use condyle_model::Model;

use crate::Data;

/// Steps a tree must be slow before it may sleep; a fully awake tree stores `-(1 + MIN_AWAKE)`.
pub const MIN_AWAKE: i32 = 10;

/// Set the reference configuration: `qpos0`, zero velocity, no inputs, history filled with zeros.
pub fn reset(model: &Model, data: &mut Data) {
    data.wipe();
    data.state.qpos.copy_from_slice(&model.qpos0);
    data.inputs.eq_active.copy_from_slice(&model.eq_active0);
    data.state.tree_asleep.fill(-(1 + MIN_AWAKE));
    data.state.plugin.copy_from_slice(&model.plugin);
    // The forward computation that puts trees to sleep takes the first samples of sensors with a history.
    reset_history(model, data);
    crate::sleep::reset(model, data);
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

/// Mocap bodies start where the model places them.
fn reset_mocap(model: &Model, data: &mut Data) {
    for body in 0..model.nbody {
        if let Ok(mocap) = usize::try_from(model.body_mocapid[body]) {
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
