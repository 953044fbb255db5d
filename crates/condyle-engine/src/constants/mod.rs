//! Constants a compiled model needs from the dynamics: masses of subtrees, inertia and lengths in the reference configuration,
//! statistics, spring lengths, length ranges of actuators.
//!
//! Reference: `mj_setConst`, `mj_setLengthRange`.

mod fixed;
mod flex;
pub mod length_range;
mod reference;
mod statistics;

use condyle_model::{Model, enable};

use crate::{Data, position};

pub use fixed::ConstantsError;
pub use length_range::{LengthRangeError, LengthRangeOptions, set_length_ranges};

/// Set every constant field of `model` but the length ranges.
pub fn set_constants(model: &mut Model) -> Result<(), ConstantsError> {
    // Nothing may sleep while the reference configuration is looked at.
    let enableflags = model.opt.enableflags;
    model.opt.enableflags &= !enable::SLEEP;
    let result = set_awake_constants(model);
    model.opt.enableflags = enableflags;
    result
}

fn set_awake_constants(model: &mut Model) -> Result<(), ConstantsError> {
    fixed::set_fixed(model)?;
    flex::set_structure(model)?;
    let mut data = Data::new(model);
    reference::set_reference(model, &mut data);
    statistics::set_statistics(model, &data);
    set_spring_lengths(model, &mut data);
    Ok(())
}

/// Tendons without an explicit spring length rest at their length in the spring configuration.
fn set_spring_lengths(model: &mut Model, data: &mut Data) {
    data.state.qpos.copy_from_slice(&model.qpos_spring);
    position::kinematics_stage(model, data);
    for tendon in 0..model.ntendon {
        if model.tendon_lengthspring[tendon] == [-1.0, -1.0] {
            model.tendon_lengthspring[tendon] = [data.tendons.ten_length[tendon]; 2];
        }
    }
}
