//! The controls actuators see: delayed, clamped, and all zero when one of them is invalid.

use condyle_math::scalar;
use condyle_model::{Model, Warning, disable};

use crate::data::{Diagnostics, Inputs, SmoothScratch, State, scratch};
use crate::history::{self, Interpolation};

/// Controls after delay, clamping and the check for invalid values, into `buffers.control`.
pub fn effective_controls(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    buffers: &mut SmoothScratch,
    diagnostics: &mut Diagnostics,
) {
    let n = model.nu;
    let ctrl = scratch::sized(&mut buffers.control, n);
    let clamps = model.opt.disableflags & disable::CLAMPCTRL == 0;
    let (delays, limited, ranges) =
        (&model.actuator_delay[..n], &model.actuator_ctrllimited[..n], &model.actuator_ctrlrange[..n]);
    let mut bad = None;
    for (actuator, (seen, given)) in ctrl.iter_mut().zip(&inputs.ctrl[..n]).enumerate() {
        let mut value = *given;
        if delays[actuator] != 0.0 {
            let interpolation = Interpolation::from_i32(model.actuator_history[actuator][1]);
            value = delayed_control(model, state, inputs, actuator, state.time, interpolation);
        }
        if clamps && limited[actuator] != 0 {
            let [low, high] = ranges[actuator];
            value = scalar::clip(value, low, high);
        }
        if bad.is_none() && scalar::is_bad(value) {
            bad = Some(actuator);
        }
        *seen = value;
    }
    if let Some(bad) = bad {
        diagnostics.warn(Warning::BadCtrl, bad as i32);
        ctrl.fill(0.0);
    }
}

/// What a delayed actuator receives at `time`; the present control when it keeps no history.
pub fn delayed_control(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    actuator: usize,
    time: f64,
    interpolation: Interpolation,
) -> f64 {
    let Some(buffer) = buffer_range(model, actuator) else { return inputs.ctrl[actuator] };
    let samples = model.actuator_history[actuator][0] as usize;
    let mut value = [0.0];
    let moment = time - model.actuator_delay[actuator];
    history::read(&state.history[buffer], samples, 1, moment, interpolation, &mut value);
    value[0]
}

/// Record the present controls at the present time.
pub fn advance_history(model: &Model, state: &mut State, inputs: &Inputs) {
    for actuator in 0..model.nu {
        if let Some(buffer) = buffer_range(model, actuator) {
            let samples = model.actuator_history[actuator][0] as usize;
            history::insert(&mut state.history[buffer], samples, 1, state.time)[0] = inputs.ctrl[actuator];
        }
    }
}

/// Where the history of an actuator's control is kept, if it is.
fn buffer_range(model: &Model, actuator: usize) -> Option<std::ops::Range<usize>> {
    let samples = usize::try_from(model.actuator_history[actuator][0]).ok().filter(|samples| *samples > 0)?;
    let start = usize::try_from(model.actuator_historyadr[actuator]).ok()?;
    // User slot, cursor, times and values.
    Some(start..start + 2 + 2 * samples)
}
