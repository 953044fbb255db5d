//! The stages, in the order of the pipeline: each function lends one stage the groups of `Data` it reads and writes, and times it.
//!
//! The table of stages in ARCHITECTURE.md is read from this file and from the signatures of the functions called here.
//!
//! Whole data: this is where it is divided among the stages.

use condyle_model::{Integrator, Model, Stage, disable, enable};

use crate::data::timers::timed;
use crate::data::{StepIssue, Timer};
use crate::{
    Data, acceleration, actuation, collision, constraint, derivative, hooks, integrate, plugin, position,
    sensor, sleep, velocity,
};

/// Poses, centre-of-mass quantities, cameras, lights, flexes, tendons.
pub fn kinematics(model: &Model, data: &mut Data) {
    timed(data, Timer::Kinematics, |data| {
        let Data { state, inputs, awake, kinematics, flexes, tendons, scratch, .. } = data;
        let buffers = &mut scratch.smooth;
        let kept = &mut scratch.sleeping_poses;
        position::kinematics::bodies_kept(model, state, inputs, awake, kinematics, kept);
        if sleep::wake_changed(model, state, inputs, awake) {
            sleep::update(model, state, awake);
        }
        let everything = !scratch.read_frames.is_on();
        if everything {
            position::kinematics::attached_frames_kept(model, awake, kinematics, &mut scratch.world_frames);
        } else {
            position::kinematics::attached_frames_read(model, awake, kinematics, &mut scratch.read_frames);
        }
        position::com::centers_of_mass(model, awake, kinematics);
        if everything {
            position::camera_light::cameras_and_lights(model, awake, kinematics);
        }
        position::flex::flexes(model, kinematics, flexes, buffers);
        position::tendon::path::tendons(model, state, awake, kinematics, tendons, buffers);
        if sleep::wake_tied(model, state, awake, tendons) {
            sleep::update(model, state, awake);
        }
    });
}

/// Joint-space inertia and its factorisation.
pub fn inertia(model: &Model, data: &mut Data) {
    timed(data, Timer::Inertia, |data| {
        let Data { awake, kinematics, tendons, inertia, .. } = data;
        position::inertia::joint_inertia(model, awake, kinematics, tendons, inertia);
        position::inertia::factor(model, awake, inertia);
    });
}

/// Contacts; a tree that an awake tree touches wakes, and then detection runs again.
pub fn collision(model: &Model, data: &mut Data) {
    detect(model, data);
    if sleep::wake_touched(model, &mut data.state, &data.awake, &data.contacts) {
        sleep::update(model, &data.state, &mut data.awake);
        detect(model, data);
    }
    collision::report_troubles(&data.contacts, &mut data.diagnostics, &mut data.scratch.collision);
}

fn detect(model: &Model, data: &mut Data) {
    data.contacts.clear();
    data.cone_hessians.clear();
    // Rows and islands belong to the contacts that were.
    let Data { rows, dual, row_motion, solution, islands, .. } = data;
    constraint::rows::forget(rows, dual, row_motion, solution);
    constraint::island::forget(islands);
    if !collision::is_enabled(model) {
        return;
    }
    timed(data, Timer::Collision, |data| {
        timed(data, Timer::BroadPhase, |data| {
            let Data { awake, kinematics, flexes, hooks, scratch, .. } = data;
            collision::find_pairs(model, awake, kinematics, flexes, hooks, &mut scratch.collision);
        });
        timed(data, Timer::NarrowPhase, |data| {
            let Data { state, inputs, awake, kinematics, flexes, hooks, contacts, scratch, .. } = data;
            let buffers = &mut scratch.collision;
            collision::collide(model, state, inputs, awake, kinematics, flexes, hooks, contacts, buffers);
        });
    });
}

/// Constraint rows with their softness; islands stay only if the rows stand for the same as before. A tree that an active equality ties to an awake one wakes first.
pub fn rows(model: &Model, data: &mut Data) {
    if sleep::wake_equal(model, &mut data.state, &data.inputs, &data.awake) {
        sleep::update(model, &data.state, &mut data.awake);
    }
    timed(data, Timer::Make, |data| {
        let Data { state, inputs, awake, kinematics, flexes, tendons, contacts, rows, .. } = data;
        let Data { dual, row_motion, solution, diagnostics, scratch, .. } = data;
        let buffers = &mut scratch.rows;
        constraint::rows::make(
            model, state, inputs, awake, kinematics, flexes, tendons, contacts, rows, buffers,
        );
        constraint::rows::make_room(rows, dual, row_motion, solution);
        constraint::impedance::make(model, flexes, rows, contacts, diagnostics);
        constraint::island::keep_if_same(rows, &mut data.islands);
    });
}

/// Islands of the rows there are.
pub fn islands(model: &Model, data: &mut Data) {
    let start = data.timers.now();
    let Data { inertia, rows, contacts, islands, island_solution, scratch, .. } = data;
    let buffers = &mut scratch.islands;
    constraint::island::discover(model, rows, contacts, inertia, islands, island_solution, buffers);
    data.timers.add(Timer::Make, start);
}

/// Actuator lengths and moment arms.
pub fn transmission(model: &Model, data: &mut Data) {
    let start = data.timers.now();
    let Data { state, awake, kinematics, tendons, rows, contacts, transmission, scratch, .. } = data;
    let buffers = &mut scratch.smooth;
    position::transmission::transmissions(
        model,
        state,
        awake,
        kinematics,
        tendons,
        rows,
        contacts,
        transmission,
        buffers,
    );
    data.timers.add(Timer::Kinematics, start);
}

/// Dual matrix for solvers that need it. If it does not fit into memory, the step has no constraints.
pub fn project(model: &Model, data: &mut Data) {
    timed(data, Timer::Project, |data| {
        let Data { rows, inertia, dual, scratch, .. } = data;
        if constraint::project::make(model, rows, inertia, dual, &mut scratch.project) {
            return;
        }
        let Data { rows, dual, row_motion, solution, islands, contacts, diagnostics, .. } = data;
        diagnostics.count_issue(StepIssue::DualOutOfMemory, rows.nefc as i32);
        constraint::rows::forget(rows, dual, row_motion, solution);
        (rows.ne, rows.nf, rows.nl) = (0, 0, 0);
        constraint::island::forget(islands);
        for contact in contacts {
            contact.efc_address = -1;
        }
    });
}

/// Sensors that need positions.
pub fn position_sensors(model: &Model, data: &mut Data) {
    sensors(model, data, Stage::Pos);
}

/// Potential energy, or zero for both energies when energy is not computed.
pub fn potential_energy(model: &Model, data: &mut Data, enabled: bool) {
    if enabled {
        sensor::lazy::potential_energy(model, data);
    } else {
        data.sensors.energy.fill(0.0);
    }
}

/// Velocities of flex edges, tendons, actuators and bodies.
pub fn velocity(model: &Model, data: &mut Data) {
    let Data { state, awake, kinematics, flexes, tendons, transmission, velocity, .. } = data;
    position::flex::edge::velocities(model, state, flexes, velocity);
    velocity::path_velocity::tendon_velocities(model, state, tendons, velocity);
    velocity::path_velocity::actuator_velocities(model, state, transmission, velocity);
    velocity::com_velocity::body_velocities(model, state, awake, kinematics, velocity);
}

/// Springs, dampers, deformable bodies, gravity compensation, the medium, then what hooks and plugins add.
pub fn passive(model: &Model, data: &mut Data) {
    let Data { state, awake, kinematics, flexes, tendons, velocity, contacts, passive, scratch, .. } = data;
    let acts = velocity::passive::passive_forces(
        model, state, awake, kinematics, flexes, tendons, velocity, contacts, passive, scratch,
    );
    if acts {
        hooks::passive_forces(model, data);
        plugin::passive_forces(model, data);
    }
}

/// Velocity along the constraint rows and the acceleration they aim at.
pub fn reference(model: &Model, data: &mut Data) {
    constraint::reference::make(model, &data.state, &data.rows, &mut data.row_motion);
}

/// Coriolis, centrifugal and gravitational forces.
pub fn bias(model: &Model, data: &mut Data) {
    let Data { state, awake, kinematics, tendons, velocity, bias, scratch, .. } = data;
    let buffers = &mut scratch.smooth;
    velocity::bias_forces(model, state, awake, kinematics, tendons, velocity, bias, buffers);
}

/// Sensors that need velocities.
pub fn velocity_sensors(model: &Model, data: &mut Data) {
    sensors(model, data, Stage::Vel);
}

/// Kinetic energy.
pub fn kinetic_energy(model: &Model, data: &mut Data) {
    sensor::lazy::kinetic_energy(model, data);
}

/// Controls that user code sets.
pub fn control(model: &Model, data: &mut Data) {
    hooks::control(model, data);
}

/// [`control`], unless actuation is disabled.
pub fn control_if_actuated(model: &Model, data: &mut Data) {
    if model.opt.disableflags & disable::ACTUATION == 0 {
        control(model, data);
    }
}

/// Controls to actuator forces and activation rates.
pub fn actuation(model: &Model, data: &mut Data) {
    if !actuation::begin(model, &mut data.actuation) {
        return;
    }
    timed(data, Timer::Actuation, |data| {
        let Data { state, inputs, awake, transmission, actuation, diagnostics, scratch, .. } = data;
        let buffers = &mut scratch.smooth;
        actuation::control::effective_controls(model, state, inputs, buffers, diagnostics);
        actuation::hill_muscle::fiber::place_fibers(model, state, transmission);
        actuation::activation::activation_rates(model, state, awake, transmission, actuation, buffers);
        actuation::user::gains_and_biases(model, data);
        plugin::activation_rates(model, data);
        let Data { state, awake, transmission, velocity, actuation, scratch, .. } = data;
        let buffers = &mut scratch.smooth;
        actuation::gain_bias::forces(model, state, awake, transmission, velocity, actuation, buffers);
        plugin::actuator_forces(model, data);
        let Data { transmission, passive, actuation, scratch, .. } = data;
        actuation::forces(model, transmission, passive, actuation, &mut scratch.smooth);
    });
}

/// Sum of all forces but those of constraints, and the acceleration it causes.
pub fn smooth(model: &Model, data: &mut Data) {
    let Data { inputs, awake, kinematics, inertia, passive, bias, actuation, smooth, scratch, .. } = data;
    let buffers = &mut scratch.smooth;
    acceleration::smooth(
        model, inputs, awake, kinematics, inertia, passive, bias, actuation, smooth, buffers,
    );
}

/// Constraint forces and the acceleration they lead to.
pub fn solve(model: &Model, data: &mut Data) {
    timed(data, Timer::Constraint, |data| {
        let Data { state, inertia, rows, islands, dual, row_motion, smooth, contacts, .. } = data;
        let Data { cone_hessians, solution, island_solution, acceleration, .. } = data;
        let Data { diagnostics, scratch, threads, .. } = data;
        constraint::reference::offset(model, rows, smooth, row_motion);
        let buffers = &mut scratch.solver;
        constraint::solver::solve(
            model,
            state,
            inertia,
            rows,
            islands,
            dual,
            row_motion,
            smooth,
            contacts,
            cone_hessians,
            solution,
            island_solution,
            acceleration,
            diagnostics,
            buffers,
            *threads,
        );
    });
}

/// Sensors that need accelerations and forces.
pub fn acceleration_sensors(model: &Model, data: &mut Data) {
    sensors(model, data, Stage::Acc);
}

/// Sensors of one stage, then those of plugins.
fn sensors(model: &Model, data: &mut Data, stage: Stage) {
    if sensor::is_enabled(model) {
        sensor::sensors(model, data, stage);
        if model.nplugin > 0 {
            plugin::sensors(model, data, stage, sensor::lazy::update);
            sensor::limit_plugin_sensors(model, stage, &mut data.sensors);
        }
    }
}

/// Advance with semi-implicit Euler; with `reuse_factor` the factorisation of an earlier call with equal inertia is used again.
pub fn euler(model: &Model, data: &mut Data, reuse_factor: bool) {
    timed(data, Timer::Advance, |data| {
        let Data { awake, inertia, smooth, solution, acceleration, derivatives, scratch, .. } = data;
        let rates = &mut scratch.rates;
        integrate::euler::rates(
            model,
            awake,
            inertia,
            smooth,
            solution,
            acceleration,
            derivatives,
            rates,
            reuse_factor,
        );
        advance(model, data);
    });
}

/// Advance with an integrator implicit in velocity; with `reuse_factor` the factorisation of an earlier call is used again.
pub fn implicit(model: &Model, data: &mut Data, reuse_factor: bool) {
    timed(data, Timer::Advance, |data| {
        // A factorisation used again knows nothing of the block of deformable bodies.
        data.scratch.flex_block.clear();
        if !reuse_factor {
            velocity_derivative(model, data, model.opt.integrator() == Some(Integrator::Implicit));
            let Data { state, awake, kinematics, inertia, derivatives, diagnostics, scratch, .. } = data;
            integrate::implicit::factor(
                model,
                state,
                awake,
                kinematics,
                inertia,
                derivatives,
                diagnostics,
                scratch,
            );
        }
        let Data { awake, smooth, solution, derivatives, scratch, .. } = data;
        integrate::implicit::rates(model, awake, smooth, solution, derivatives, scratch);
        advance(model, data);
    });
}

/// Velocity derivative of the smooth forces, of bias forces only if asked.
pub fn velocity_derivative(model: &Model, data: &mut Data, with_bias: bool) {
    let Data { state, inputs, awake, kinematics, flexes, tendons, transmission, .. } = data;
    let Data { velocity, actuation, derivatives, scratch, .. } = data;
    let buffers = &mut scratch.smooth;
    derivative::smooth_velocity::velocity_derivative(
        model,
        state,
        inputs,
        awake,
        kinematics,
        flexes,
        tendons,
        transmission,
        velocity,
        actuation,
        derivatives,
        buffers,
        with_bias,
    );
}

/// Advance by a Runge–Kutta step; the first stage has been evaluated.
pub fn runge_kutta(model: &Model, data: &mut Data) {
    let Data { state, actuation, acceleration, scratch, .. } = data;
    integrate::runge_kutta::begin(model, state, actuation, acceleration, &mut scratch.runge_kutta);
    for stage in 1..integrate::runge_kutta::STAGES {
        if stage + 1 == integrate::runge_kutta::STAGES {
            position::read_frames::begin_last_stage(data);
        }
        integrate::runge_kutta::place(model, stage, &mut data.state, &mut data.scratch.runge_kutta);
        super::forward_skip(model, data, Stage::None, true);
        let Data { actuation, acceleration, scratch, .. } = data;
        integrate::runge_kutta::keep(model, stage, actuation, acceleration, &mut scratch.runge_kutta);
    }
    let Data { state, scratch, .. } = data;
    integrate::runge_kutta::rates(model, state, &mut scratch.runge_kutta, &mut scratch.rates);
    advance(model, data);
}

/// The state one step later: history buffers, activations, sleep, velocity, position, time, plugins, warm start.
fn advance(model: &Model, data: &mut Data) {
    if model.nhistory > 0 {
        actuation::control::advance_history(model, &mut data.state, &data.inputs);
        sensor::sampling::advance_history(model, data);
    }
    let Data { state, inputs, transmission, actuation, rows, islands, acceleration, scratch, .. } = data;
    integrate::advance::activations(model, transmission, actuation, state, &scratch.rates);
    if sleep::fall_asleep(model, inputs, rows, islands, state, acceleration) > 0 {
        // Velocities of the sleeping trees are now zero, and so must be everything that depends on them.
        super::forward_skip(model, data, Stage::Pos, false);
        sleep::update(model, &data.state, &mut data.awake);
    }
    integrate::advance::motion(model, &data.awake, &mut data.state, &data.scratch.rates);
    plugin::advance(model, data);
    integrate::advance::warm_start(&data.acceleration, &mut data.state);
}

/// Under the flag for discrete time, the acceleration the integrator would have started from, in the place of `qacc`.
pub fn to_continuous_acceleration(model: &Model, data: &mut Data) {
    if model.opt.enableflags & enable::INVDISCRETE == 0 {
        return;
    }
    match model.opt.integrator() {
        Some(Integrator::Implicit) => velocity_derivative(model, data, true),
        Some(Integrator::ImplicitFast) => velocity_derivative(model, data, false),
        Some(Integrator::Euler | Integrator::Rk4) | None => {}
    }
    let Data { inertia, derivatives, acceleration, scratch, .. } = data;
    let buffers = &mut scratch.smooth;
    acceleration::inverse::to_continuous_acceleration(model, inertia, derivatives, acceleration, buffers);
}

/// Constraint forces of the present acceleration.
pub fn inverse_constraint(model: &Model, data: &mut Data) {
    timed(data, Timer::Constraint, |data| {
        let Data { rows, row_motion, contacts, acceleration, solution, scratch, .. } = data;
        let buffers = &mut scratch.smooth;
        constraint::inverse::forces(model, rows, row_motion, contacts, acceleration, solution, buffers);
    });
}

/// `qfrc_inverse` set to the bias forces.
pub fn inverse_bias(model: &Model, data: &mut Data) {
    let Data { state, awake, kinematics, tendons, velocity, inverse, scratch, .. } = data;
    let buffers = &mut scratch.smooth;
    acceleration::inverse::bias(model, state, awake, kinematics, tendons, velocity, inverse, buffers);
}

/// The other terms of `qfrc_inverse`; in discrete time the acceleration is put back.
pub fn inverse_sum(model: &Model, data: &mut Data) {
    let Data { inertia, passive, solution, acceleration, inverse, scratch, .. } = data;
    let buffers = &mut scratch.smooth;
    acceleration::inverse::sum(model, inertia, passive, solution, acceleration, inverse, buffers);
}

/// Set aside what inverse dynamics overwrites. `false` when there are no constraints and nothing to compare.
pub fn set_forward_aside(model: &Model, data: &mut Data) -> bool {
    let Data { inputs, kinematics, rows, actuation, solution, diagnostics, scratch, .. } = data;
    let buffers = &mut scratch.smooth;
    acceleration::inverse::set_forward_aside(
        model,
        inputs,
        kinematics,
        rows,
        actuation,
        solution,
        diagnostics,
        buffers,
    )
}

/// Compare with the forces set aside, and put them back.
pub fn compare_with_forward(model: &Model, data: &mut Data) {
    let Data { inverse, solution, diagnostics, scratch, .. } = data;
    acceleration::inverse::compare_with_forward(model, inverse, solution, diagnostics, &mut scratch.smooth);
}
