//! The step: what runs, in which order. No arithmetic lives here; every line is a stage.
//!
//! [`stages`] lends each stage the groups of `Data` it reads and writes. [`check`] looks for invalid values between them, [`reset`]
//! goes back to the start.
//!
//! Whole data: this is the pipeline.

mod blame;
pub mod check;
pub mod reset;
mod run;
pub mod stages;

pub use run::{readings_can_be_left_out, run};

use condyle_model::{Integrator, Model, Stage, enable};

use crate::Data;
use crate::data::timers::timed;
use crate::data::{NonFinite, NonFinitePolicy, StepReport, Timer};
use crate::position::read_frames::LeavingOut;

/// Everything that depends on position: poses, inertia, contacts, constraint rows, transmissions.
pub fn forward_position(model: &Model, data: &mut Data) {
    timed(data, Timer::Position, |data| {
        data.sensors.flg_energypos = false;
        position_stages(model, data);
        stages::islands(model, data);
        stages::project(model, data);
    });
}

fn position_stages(model: &Model, data: &mut Data) {
    stages::kinematics(model, data);
    stages::inertia(model, data);
    stages::collision(model, data);
    stages::rows(model, data);
    stages::transmission(model, data);
}

/// Position-dependent stages of inverse dynamics: those of forward dynamics without islands and the dual matrix, which it never needs.
pub fn inverse_position(model: &Model, data: &mut Data) {
    timed(data, Timer::Position, |data| position_stages(model, data));
}

/// Everything that depends on velocity: spatial velocities, passive forces, constraint references, bias forces.
pub fn forward_velocity(model: &Model, data: &mut Data) {
    timed(data, Timer::Velocity, |data| {
        data.subtree_motion.flg_subtreevel = false;
        data.sensors.flg_energyvel = false;
        stages::velocity(model, data);
        stages::passive(model, data);
        stages::reference(model, data);
        stages::bias(model, data);
    });
}

/// Sensors that need positions, and the potential energy. With `clear_energy` both energies are zero when they are not computed.
fn observe_position(model: &Model, data: &mut Data, sensors: bool, clear_energy: bool) {
    let energy = model.opt.enableflags & enable::ENERGY != 0;
    if sensors {
        stages::position_sensors(model, data);
    }
    if (energy || clear_energy) && !data.sensors.flg_energypos {
        stages::potential_energy(model, data, energy);
    }
}

/// Sensors that need velocities, and the kinetic energy.
fn observe_velocity(model: &Model, data: &mut Data, sensors: bool) {
    if sensors {
        stages::velocity_sensors(model, data);
    }
    if model.opt.enableflags & enable::ENERGY != 0 && !data.sensors.flg_energyvel {
        stages::kinetic_energy(model, data);
    }
}

/// Sensors that need accelerations and forces.
fn observe_acceleration(model: &Model, data: &mut Data, sensors: bool) {
    if sensors {
        data.body_forces.flg_rnepost = false;
        stages::acceleration_sensors(model, data);
    }
}

/// Controls to accelerations.
fn acceleration_stages(model: &Model, data: &mut Data) {
    stages::actuation(model, data);
    stages::smooth(model, data);
    stages::solve(model, data);
}

/// The whole pipeline up to accelerations, without advancing time.
pub fn forward(model: &Model, data: &mut Data) {
    forward_skip(model, data, Stage::None, false);
}

/// [`forward`], leaving out stages whose results are still valid and, if asked, the sensors.
pub fn forward_skip(model: &Model, data: &mut Data, skip: Stage, skip_sensors: bool) {
    timed(data, Timer::Forward, |data| {
        if skip < Stage::Pos {
            forward_position(model, data);
            observe_position(model, data, !skip_sensors, true);
        }
        if skip < Stage::Vel {
            forward_velocity(model, data);
            observe_velocity(model, data, !skip_sensors);
        }
        stages::control_if_actuated(model, data);
        acceleration_stages(model, data);
        observe_acceleration(model, data, !skip_sensors);
    });
}

/// The applied forces that would produce the present accelerations, into `qfrc_inverse`.
pub fn inverse(model: &Model, data: &mut Data) {
    inverse_skip(model, data, Stage::None, false);
}

/// [`inverse`], leaving out stages whose results are still valid and, if asked, the sensors.
pub fn inverse_skip(model: &Model, data: &mut Data, skip: Stage, skip_sensors: bool) {
    timed(data, Timer::Inverse, |data| {
        if skip < Stage::Pos {
            data.sensors.flg_energypos = false;
            inverse_position(model, data);
            observe_position(model, data, !skip_sensors, false);
        }
        if skip < Stage::Vel {
            forward_velocity(model, data);
            observe_velocity(model, data, !skip_sensors);
        }
        stages::to_continuous_acceleration(model, data);
        stages::inverse_constraint(model, data);
        stages::inverse_bias(model, data);
        observe_acceleration(model, data, !skip_sensors);
        stages::inverse_sum(model, data);
    });
}

/// How far forward and inverse dynamics disagree, into `solver_fwdinv`: constraint forces and applied forces. Results of forward
/// dynamics are kept.
pub fn compare_with_inverse(model: &Model, data: &mut Data) {
    if stages::set_forward_aside(model, data) {
        inverse_skip(model, data, Stage::Vel, true);
        stages::compare_with_forward(model, data);
    }
}

/// Advance the simulation by one time step.
pub fn step(model: &Model, data: &mut Data) {
    step_skip(model, data, Stage::None, false);
}

/// [`step`], leaving out stages whose results, and factorisations that depend on them, are still valid from an earlier call.
pub fn step_skip(model: &Model, data: &mut Data, skip: Stage, skip_sensors: bool) {
    timed(data, Timer::Step, |data| {
        if check::begin(model, data) {
            let integrator = model.opt.integrator();
            if integrator == Some(Integrator::Rk4) {
                let mut data = LeavingOut::begin_until_last_stage(model, data, !skip_sensors);
                forward_skip(model, &mut data, skip, skip_sensors);
                finish(model, &mut data, integrator, skip);
                data.complete(model);
            } else {
                forward_skip(model, data, skip, skip_sensors);
                finish(model, data, integrator, skip);
            }
        }
    });
}

/// From accelerations to the next state.
fn finish(model: &Model, data: &mut Data, integrator: Option<Integrator>, skip: Stage) {
    if !check::check_acceleration(model, data) {
        return;
    }
    if model.opt.enableflags & enable::FWDINV != 0 {
        compare_with_inverse(model, data);
    }
    match integrator {
        Some(Integrator::Rk4) => stages::runge_kutta(model, data),
        Some(Integrator::Implicit | Integrator::ImplicitFast) => {
            stages::implicit(model, data, skip >= Stage::Vel);
        }
        Some(Integrator::Euler) | None => stages::euler(model, data, skip >= Stage::Pos),
    }
    check::remember(data);
}

/// [`step`], returning what happened in it.
pub fn step_reported<'data>(model: &Model, data: &'data mut Data) -> &'data StepReport {
    step(model, data);
    &data.diagnostics.report
}

/// [`step`]; under the policy `Error` an invalid value that stopped it is returned.
#[inline(never)]
pub fn try_step(model: &Model, data: &mut Data) -> Result<(), Box<NonFinite>> {
    step(model, data);
    match data.diagnostics.report.non_finite {
        Some(report) if data.diagnostics.non_finite_policy == NonFinitePolicy::Error => Err(Box::new(report)),
        _ => Ok(()),
    }
}

/// First half of a step: everything before the controls are read.
pub fn step1(model: &Model, data: &mut Data) {
    timed(data, Timer::Step, |data| {
        if check::begin(model, data) {
            forward_position(model, data);
            observe_position(model, data, true, true);
            forward_velocity(model, data);
            observe_velocity(model, data, true);
            stages::control(model, data);
        }
    });
}

/// Second half of a step: controls to accelerations, then integration. Runge–Kutta needs the whole step and falls back to Euler.
///
/// Accelerations and internal forces of bodies that a sensor asked for earlier are not computed anew, as in the reference.
pub fn step2(model: &Model, data: &mut Data) {
    // The first half has counted this run.
    let start = data.timers.now();
    acceleration_stages(model, data);
    stages::acceleration_sensors(model, data);
    let whole_steps_only = |integrator: &Integrator| *integrator != Integrator::Rk4;
    let integrator = model.opt.integrator().filter(whole_steps_only);
    finish(model, data, integrator, Stage::None);
    data.timers.add(Timer::Step, start);
}
