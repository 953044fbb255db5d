//! Many steps in one call: what nobody can see between them is not computed.
//!
//! Poses that a step does not read itself, and readings of sensors, are overwritten by the next step before anybody looks at them. So only the last step of
//! a call computes them.
//!
//! Whole data: this is the pipeline.

use condyle_model::{Model, SensorType, Stage};

use crate::Data;
use crate::data::{NonFinite, NonFinitePolicy, sleep_enabled};
use crate::position::read_frames::LeavingOut;

use super::{step_skip, try_step};

/// Whether the readings of a step leave no trace in the readings of the next one: no sensor remembers anything, and no user code,
/// plugin or sleeping body decides whether it is computed.
pub fn readings_can_be_left_out(model: &Model, data: &Data) -> bool {
    // The energy of a step may be one that an earlier step computed.
    let is_carried = |kind: &i32| {
        let kind = SensorType::from_i32(*kind);
        matches!(
            kind,
            None | Some(
                SensorType::EPotential | SensorType::EKinetic | SensorType::Plugin | SensorType::User
            )
        )
    };
    data.hooks.is_empty()
        && model.nplugin == 0
        && model.nhistory == 0
        && !sleep_enabled(model)
        && !model.sensor_type.iter().any(is_carried)
}

/// `count` steps. After each, `stop` says whether the call is to end: then one more step is taken at most, so that everything is computed
/// in the last one. Under the policy `Error` an invalid value that stopped it is returned.
#[inline(never)]
pub fn run(
    model: &Model,
    data: &mut Data,
    count: usize,
    stop: &mut dyn FnMut() -> bool,
) -> Result<(), Box<NonFinite>> {
    let mut left = count;
    // Other policies may end a step in its middle, and then what it computed is seen.
    if left > 1 && data.diagnostics.non_finite_policy == NonFinitePolicy::AutoReset && data.hooks.is_empty() {
        let skips_sensors = readings_can_be_left_out(model, data);
        let mut data = LeavingOut::begin(model, data, !skips_sensors);
        while left > 1 {
            step_skip(model, &mut data, Stage::None, skips_sensors);
            left = if stop() { 1 } else { left - 1 };
        }
    }
    while left > 0 {
        try_step(model, data)?;
        left = if stop() { 0 } else { left - 1 };
    }
    Ok(())
}
