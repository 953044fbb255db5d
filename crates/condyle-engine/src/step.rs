//! The step: what runs, in which order. No arithmetic lives here; every line is a stage.

use condyle_model::{Integrator, Model, Stage, enable};

use crate::data::timers::timed;
use crate::data::{NonFinite, NonFinitePolicy, StepReport, Timer};
use crate::{
    Data, acceleration, actuation, collision, constraint, hooks, integrate, position, sensor, velocity,
};

/// Everything that depends on position: poses, inertia, contacts, constraint rows, transmissions.
pub fn forward_position(model: &Model, data: &mut Data) {
    timed(data, Timer::Position, |data| position_stages(model, data));
}

fn position_stages(model: &Model, data: &mut Data) {
    data.sensors.flg_energypos = false;
    position::kinematics_stage(model, data);
    position::inertia_stage(model, data);
    collision::collide(model, data);
    constraint::make(model, data);
    position::transmission_stage(model, data);
    constraint::project(model, data);
}

/// Everything that depends on velocity: spatial velocities, passive forces, constraint references, bias forces.
pub fn forward_velocity(model: &Model, data: &mut Data) {
    timed(data, Timer::Velocity, |data| velocity_stages(model, data));
}

fn velocity_stages(model: &Model, data: &mut Data) {
    data.subtree_motion.flg_subtreevel = false;
    data.sensors.flg_energyvel = false;
    velocity::velocity_stage(model, data);
    velocity::passive_stage(model, data);
    constraint::reference(model, data);
    velocity::bias_stage(model, data);
}

/// The whole pipeline up to accelerations, without advancing time.
pub fn forward(model: &Model, data: &mut Data) {
    forward_skip(model, data, Stage::None, false);
}

/// [`forward`], leaving out stages whose results are still valid and, if asked, the sensors.
pub fn forward_skip(model: &Model, data: &mut Data, skip: Stage, skip_sensors: bool) {
    timed(data, Timer::Forward, |data| forward_stages(model, data, skip, skip_sensors));
}

fn forward_stages(model: &Model, data: &mut Data, skip: Stage, skip_sensors: bool) {
    let energy = model.opt.enableflags & enable::ENERGY != 0;
    if skip < Stage::Pos {
        forward_position(model, data);
        if !skip_sensors {
            sensor::position_sensors(model, data);
        }
        if !data.sensors.flg_energypos {
            sensor::potential_energy(model, data, energy);
        }
    }
    if skip < Stage::Vel {
        forward_velocity(model, data);
        if !skip_sensors {
            sensor::velocity_sensors(model, data);
        }
        if energy && !data.sensors.flg_energyvel {
            sensor::kinetic_energy(model, data);
        }
    }
    hooks::control_if_actuated(model, data);
    actuation::actuate(model, data);
    smooth(model, data);
    constraint::solve(model, data);
    if !skip_sensors {
        data.body_forces.flg_rnepost = false;
        sensor::acceleration_sensors(model, data);
    }
}

/// Accelerations of the bodies and forces between them, for sensors and programs that ask.
pub fn body_forces(model: &Model, data: &mut Data) {
    let Data { state, inputs, kinematics, rows, contacts, velocity, solution, acceleration, .. } = data;
    let out = &mut data.body_forces;
    acceleration::internal_force::update(
        model,
        state,
        inputs,
        kinematics,
        rows,
        contacts,
        velocity,
        solution,
        acceleration,
        out,
    );
}

/// Sum of all forces but those of constraints, and the acceleration it causes.
pub fn smooth(model: &Model, data: &mut Data) {
    let Data { inputs, awake, kinematics, inertia, passive, bias, actuation, smooth, scratch, .. } = data;
    let buffers = &mut scratch.smooth;
    acceleration::smooth(
        model, inputs, awake, kinematics, inertia, passive, bias, actuation, smooth, buffers,
    );
}

/// The applied forces that would produce the present accelerations, into `qfrc_inverse`.
pub fn inverse(model: &Model, data: &mut Data) {
    inverse_skip(model, data, Stage::None, false);
}

/// [`inverse`], leaving out stages whose results are still valid and, if asked, the sensors.
pub fn inverse_skip(model: &Model, data: &mut Data, skip: Stage, skip_sensors: bool) {
    timed(data, Timer::Inverse, |data| inverse_stages(model, data, skip, skip_sensors));
}

fn inverse_stages(model: &Model, data: &mut Data, skip: Stage, skip_sensors: bool) {
    let energy = model.opt.enableflags & enable::ENERGY != 0;
    if skip < Stage::Pos {
        data.sensors.flg_energypos = false;
        acceleration::inverse::position_stage(model, data);
        if !skip_sensors {
            sensor::position_sensors(model, data);
        }
        if energy && !data.sensors.flg_energypos {
            sensor::potential_energy(model, data, energy);
        }
    }
    if skip < Stage::Vel {
        forward_velocity(model, data);
        if !skip_sensors {
            sensor::velocity_sensors(model, data);
        }
        if energy && !data.sensors.flg_energyvel {
            sensor::kinetic_energy(model, data);
        }
    }
    acceleration::inverse::inverse_forces(model, data, |model, data| {
        if !skip_sensors {
            data.body_forces.flg_rnepost = false;
            sensor::acceleration_sensors(model, data);
        }
    });
}

/// Advance the simulation by one time step.
pub fn step(model: &Model, data: &mut Data) {
    timed(data, Timer::Step, |data| step_stages(model, data));
}

fn step_stages(model: &Model, data: &mut Data) {
    if !integrate::begin(model, data) {
        return;
    }
    forward(model, data);
    if !integrate::check_acceleration(model, data) {
        return;
    }
    if model.opt.enableflags & enable::FWDINV != 0 {
        acceleration::inverse::compare_with_forward(model, data);
    }
    match Integrator::from_i32(model.opt.integrator) {
        Some(Integrator::Rk4) => integrate::runge_kutta(model, data),
        Some(Integrator::Implicit | Integrator::ImplicitFast) => integrate::implicit(model, data),
        Some(Integrator::Euler) | None => integrate::euler(model, data),
    }
    integrate::remember(data);
}

/// [`step`], returning what happened in it.
pub fn step_reported<'data>(model: &Model, data: &'data mut Data) -> &'data StepReport {
    step(model, data);
    &data.diagnostics.report
}

/// [`step`]; under the policy `Error` an unusable number that stopped it is returned.
pub fn try_step(model: &Model, data: &mut Data) -> Result<(), Box<NonFinite>> {
    step(model, data);
    match data.diagnostics.report.non_finite {
        Some(report) if data.diagnostics.non_finite_policy == NonFinitePolicy::Error => Err(Box::new(report)),
        _ => Ok(()),
    }
}

/// [`step`], leaving out stages whose results, and factorisations that depend on them, are still valid from an earlier call.
pub fn step_skip(model: &Model, data: &mut Data, skip: Stage, skip_sensors: bool) {
    timed(data, Timer::Step, |data| step_stages_skip(model, data, skip, skip_sensors));
}

fn step_stages_skip(model: &Model, data: &mut Data, skip: Stage, skip_sensors: bool) {
    if !integrate::begin(model, data) {
        return;
    }
    forward_skip(model, data, skip, skip_sensors);
    if !integrate::check_acceleration(model, data) {
        return;
    }
    if model.opt.enableflags & enable::FWDINV != 0 {
        acceleration::inverse::compare_with_forward(model, data);
    }
    match Integrator::from_i32(model.opt.integrator) {
        Some(Integrator::Rk4) => integrate::runge_kutta(model, data),
        Some(Integrator::Implicit | Integrator::ImplicitFast) => {
            integrate::implicit::implicit_skip(model, data, skip >= Stage::Vel);
        }
        Some(Integrator::Euler) | None => integrate::euler::euler_skip(model, data, skip >= Stage::Pos),
    }
    integrate::remember(data);
}

/// First half of a step: everything before the controls are read.
pub fn step1(model: &Model, data: &mut Data) {
    timed(data, Timer::Step, |data| first_half(model, data));
}

fn first_half(model: &Model, data: &mut Data) {
    let energy = model.opt.enableflags & enable::ENERGY != 0;
    if !integrate::begin(model, data) {
        return;
    }
    forward_position(model, data);
    sensor::position_sensors(model, data);
    if !data.sensors.flg_energypos {
        sensor::potential_energy(model, data, energy);
    }
    forward_velocity(model, data);
    sensor::velocity_sensors(model, data);
    if energy && !data.sensors.flg_energyvel {
        sensor::kinetic_energy(model, data);
    }
    hooks::control(model, data);
}

/// Second half of a step: controls to accelerations, then integration. Runge–Kutta needs the whole step and falls back to Euler.
///
/// Accelerations and internal forces of bodies that a sensor asked for earlier are not computed anew, as in the reference.
pub fn step2(model: &Model, data: &mut Data) {
    data.timers.continue_run(Timer::Step);
    timed(data, Timer::Step, |data| second_half(model, data));
}

fn second_half(model: &Model, data: &mut Data) {
    actuation::actuate(model, data);
    smooth(model, data);
    constraint::solve(model, data);
    sensor::acceleration_sensors(model, data);
    if !integrate::check_acceleration(model, data) {
        return;
    }
    if model.opt.enableflags & enable::FWDINV != 0 {
        acceleration::inverse::compare_with_forward(model, data);
    }
    match Integrator::from_i32(model.opt.integrator) {
        Some(Integrator::Implicit | Integrator::ImplicitFast) => integrate::implicit(model, data),
        _ => integrate::euler(model, data),
    }
    integrate::remember(data);
}
