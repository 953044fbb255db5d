//! Constants a compiled model needs from the dynamics: masses of subtrees, inertia and lengths in the reference configuration,
//! statistics, spring lengths, length ranges of actuators.
//!
//! Reference: `mj_setConst`, `mj_setLengthRange`.
//!
//! Whole data: the reference configuration is worked out in data of its own.

mod fixed;
mod flex;
pub mod length_range;
mod reference;
mod statistics;

use condyle_model::{Model, Prepared, enable};

use crate::collision::support_tables;
use crate::position::{com, kinematics, tendon};
use crate::step::stages;
use crate::{Data, sleep};

pub use fixed::ConstantsError;
pub use length_range::{LengthRangeError, LengthRangeOptions, set_length_ranges};

/// Set every constant field of `model` but the length ranges.
pub fn set_constants(model: &mut Model) -> Result<(), ConstantsError> {
    set_constants_with(model, |_| None)
}

/// [`set_constants`] of a model just made from meshes beside which there is a place for what simulations work out from their hulls.
pub fn set_constants_with<'k>(
    model: &mut Model,
    kept: impl Fn(usize) -> Option<&'k Prepared>,
) -> Result<(), ConstantsError> {
    model.prepared.forget();
    support_tables::prepare_with(model, kept);
    // Nothing may sleep while the reference configuration is looked at.
    let enableflags = model.opt.enableflags;
    model.opt.enableflags &= !enable::SLEEP;
    let result = set_awake_constants(model);
    model.opt.enableflags = enableflags;
    result
}

fn set_awake_constants(model: &mut Model) -> Result<(), ConstantsError> {
    set_structure(model)?;
    set_configuration(model, &mut Data::new(model));
    Ok(())
}

/// [`set_constants`] of an edited model, worked out in `data`: its `qpos` ends in the spring configuration with the poses that follow
/// from it, everything else in it stays. Trees that sleep where they are in `data` are left out, and adhesion has the contacts that are there.
pub fn set_constants_within(model: &mut Model, data: &mut Data) -> Result<(), ConstantsError> {
    set_structure(model)?;
    set_configuration(model, data);
    Ok(())
}

/// Constants that follow from structure, mass and rest shapes.
fn set_structure(model: &mut Model) -> Result<(), ConstantsError> {
    fixed::set_fixed(model)?;
    flex::set_structure(model)?;
    reference::check_sliding_masses(model)
}

/// Constants that follow from the reference and the spring configuration.
fn set_configuration(model: &mut Model, data: &mut Data) {
    reference::set_reference(model, data);
    statistics::set_statistics(model, data);
    set_spring_lengths(model, data);
}

/// Poses and centre-of-mass quantities; trees that they move are woken.
fn poses(model: &Model, data: &mut Data) {
    kinematics::bodies(model, &data.state, &data.inputs, &mut data.awake, &mut data.kinematics);
    if sleep::wake_changed(model, &mut data.state, &data.inputs, &data.awake) {
        sleep::update(model, &data.state, &mut data.awake);
    }
    kinematics::attached_frames(model, &data.awake, &mut data.kinematics);
    com::centers_of_mass(model, &data.awake, &mut data.kinematics);
}

fn tendons(model: &Model, data: &mut Data) {
    let buffers = &mut data.scratch.smooth;
    tendon::path::tendons(model, &data.state, &data.awake, &data.kinematics, &mut data.tendons, buffers);
}

/// Tendons without an explicit spring length rest at their length in the spring configuration.
fn set_spring_lengths(model: &mut Model, data: &mut Data) {
    data.state.qpos.copy_from_slice(&model.qpos_spring);
    poses(model, data);
    tendons(model, data);
    stages::transmission(model, data);
    for tendon in 0..model.ntendon {
        if model.tendon_lengthspring[tendon] == [-1.0, -1.0] {
            model.tendon_lengthspring[tendon] = [data.tendons.ten_length[tendon]; 2];
        }
    }
}
