//! Unusable values: NaN or larger than 1e10 in magnitude. The simulation is reset unless that is disabled, and the warning counted.
//!
//! Reference: `mj_checkPos`, `mj_checkVel`, `mj_checkAcc`.

use condyle_math::scalar;
use condyle_model::{Model, Warning, disable};

use crate::{Data, reset, step};

/// Reset on unusable positions.
pub fn check_position(model: &Model, data: &mut Data) {
    let bad = data.state.qpos.iter().position(|x| scalar::is_bad(*x));
    if let Some(index) = bad {
        handle(model, data, Warning::BadQpos, index);
    }
}

/// Reset on unusable velocities.
pub fn check_velocity(model: &Model, data: &mut Data) {
    let bad = data.awake.dofs(model).iter().find(|dof| scalar::is_bad(data.state.qvel[*dof]));
    if let Some(index) = bad {
        handle(model, data, Warning::BadQvel, index);
    }
}

/// Reset on unusable accelerations, then compute those of the reset state.
pub fn check_acceleration(model: &Model, data: &mut Data) {
    let bad = data.awake.dofs(model).iter().find(|dof| scalar::is_bad(data.acceleration.qacc[*dof]));
    if let Some(index) = bad
        && handle(model, data, Warning::BadQacc, index)
    {
        step::forward(model, data);
    }
}

/// Count the warning and reset. Whether a reset happened.
fn handle(model: &Model, data: &mut Data, warning: Warning, index: usize) -> bool {
    data.diagnostics.warn(warning, index as i32);
    let resets = model.opt.disableflags & disable::AUTORESET == 0;
    if resets {
        reset::reset(model, data);
    }
    // The reset clears the counters, so the warning is counted again.
    data.diagnostics.warn(warning, index as i32);
    resets
}
