//! Jacobians of a whole step and of inverse dynamics by finite differences.
//!
//! Every column perturbs one coordinate of the input, runs what depends on it and restores the state. Columns are independent: each
//! needs only the results of the unperturbed step, so that they can be spread over threads without changing a bit. Positions are
//! perturbed and compared in the tangent space. Reference: `mjd_transitionFD`, `mjd_stepFD`, `mjd_inverseFD`.
//!
//! Whole data: it runs whole steps.

use condyle_math::{dense, matrix};
use condyle_model::{Integrator, Model, Stage, disable};

use crate::position::configuration;
use crate::state::{self, component};
use crate::step::{self, stages};
use crate::{Data, actuation};

/// Why derivatives cannot be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DifferenceError {
    /// Runge–Kutta mixes stages of several states.
    RungeKutta,
    /// Delayed controls and sensors depend on more than the present state.
    Delays,
    /// The no-slip pass has no inverse.
    NoSlip,
}

impl std::fmt::Display for DifferenceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::RungeKutta => "RK4 integrator is not supported",
            Self::Delays => "delays are not supported",
            Self::NoSlip => "noslip solver is not supported",
        })
    }
}

impl std::error::Error for DifferenceError {}

/// Which input a column perturbs.
#[derive(Clone, Copy, Debug)]
enum Input {
    Control(usize),
    Activation(usize),
    Velocity(usize),
    Position(usize),
}

/// State and sensor readings after a step.
#[derive(Clone, Default)]
struct Output {
    state: Vec<f64>,
    sensors: Vec<f64>,
}

/// Derivatives of the next state and the readings with respect to one input.
#[derive(Clone, Default)]
struct Column {
    state: Vec<f64>,
    sensors: Vec<f64>,
}

/// Matrices of the linearised step: `x' = A x + B u`, `sensors = C x + D u`, each row-major, present where asked for.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Transition {
    /// Next state by state, (2 nv + na) × (2 nv + na).
    pub a: Vec<f64>,
    /// Next state by controls, (2 nv + na) × nu.
    pub b: Vec<f64>,
    /// Sensors by state, nsensordata × (2 nv + na).
    pub c: Vec<f64>,
    /// Sensors by controls, nsensordata × nu.
    pub d: Vec<f64>,
}

/// Which matrices of [`Transition`] to compute.
#[derive(Clone, Copy, Debug)]
pub struct TransitionRequest {
    /// Next state by state.
    pub a: bool,
    /// Next state by controls.
    pub b: bool,
    /// Sensors by state.
    pub c: bool,
    /// Sensors by controls.
    pub d: bool,
}

/// Linearise one step about the present state and controls, with perturbations of size `epsilon`, on `threads` threads.
pub fn transition(
    model: &Model,
    data: &mut Data,
    epsilon: f64,
    centered: bool,
    request: TransitionRequest,
    threads: usize,
) -> Result<Transition, DifferenceError> {
    if model.opt.integrator() == Some(Integrator::Rk4) {
        return Err(DifferenceError::RungeKutta);
    }
    if model.nhistory > 0 {
        return Err(DifferenceError::Delays);
    }
    let (nv, na, nu, ns) = (model.nv, model.na, model.nu, model.nsensordata);
    let width = 2 * nv + na;
    let mut inputs = Vec::new();
    if request.b || request.d {
        inputs.extend((0..nu).map(Input::Control));
    }
    if request.a || request.c {
        inputs.extend((0..na).map(Input::Activation));
        inputs.extend((0..nv).map(Input::Velocity));
        inputs.extend((0..nv).map(Input::Position));
    }
    let with_sensors = request.c || request.d;
    let columns = step_columns(model, data, epsilon, centered, with_sensors, &inputs, threads);

    let filled = |wanted: bool, length: usize| if wanted { vec![0.0; length] } else { Vec::new() };
    let mut state_rows = filled(request.a, width * width);
    let mut control_rows = filled(request.b, nu * width);
    let mut sensor_rows = filled(request.c, width * ns);
    let mut sensor_control_rows = filled(request.d, nu * ns);
    for (input, column) in inputs.iter().zip(&columns) {
        let (state, sensors, row) = match *input {
            Input::Control(i) => (&mut control_rows, &mut sensor_control_rows, i),
            Input::Position(i) => (&mut state_rows, &mut sensor_rows, i),
            Input::Velocity(i) => (&mut state_rows, &mut sensor_rows, nv + i),
            Input::Activation(i) => (&mut state_rows, &mut sensor_rows, 2 * nv + i),
        };
        if !state.is_empty() {
            state[row * width..][..width].copy_from_slice(&column.state);
        }
        if !sensors.is_empty() {
            sensors[row * ns..][..ns].copy_from_slice(&column.sensors);
        }
    }
    let transposed = |m: Vec<f64>, rows: usize, columns: usize| {
        let mut out = vec![0.0; m.len()];
        if !m.is_empty() {
            matrix::transpose(&mut out, &m, rows, columns);
        }
        out
    };
    Ok(Transition {
        a: transposed(state_rows, width, width),
        b: transposed(control_rows, nu, width),
        c: transposed(sensor_rows, width, ns),
        d: transposed(sensor_control_rows, nu, ns),
    })
}

/// One column per input. With several threads each works on its own copy of the data as the unperturbed step left it.
fn step_columns(
    model: &Model,
    data: &mut Data,
    epsilon: f64,
    centered: bool,
    with_sensors: bool,
    inputs: &[Input],
    threads: usize,
) -> Vec<Column> {
    let mut signature = component::TIME | component::QPOS | component::QVEL | component::ACT;
    signature |= component::HISTORY | component::PLUGIN | component::CTRL;
    if model.opt.disableflags & disable::WARMSTART == 0 {
        signature |= component::WARMSTART;
    }
    if actuation::hill_muscle::fiber::any_unplaced(model, &data.state) {
        // The state to perturb is the one with all muscle fibres in place.
        step::forward_skip(model, data, Stage::None, true);
    }
    let mut saved = vec![0.0; state::size(model, signature)];
    state::get(data, &mut saved, signature);
    step::step_skip(model, data, Stage::None, !with_sensors);
    let next = output(model, data, with_sensors);
    state::set(data, &saved, signature);

    let differ = Differ { model, epsilon, centered, with_sensors, saved: &saved, signature, next: &next };
    let threads = threads.clamp(1, inputs.len().max(1));
    if threads == 1 {
        return inputs.iter().map(|input| differ.column(data, *input)).collect();
    }
    let mut columns = vec![Column::default(); inputs.len()];
    let chunk = inputs.len().div_ceil(threads);
    let base: &Data = data;
    std::thread::scope(|scope| {
        for (inputs, columns) in inputs.chunks(chunk).zip(columns.chunks_mut(chunk)) {
            let differ = &differ;
            scope.spawn(move || {
                let mut data = base.clone();
                for (input, column) in inputs.iter().zip(columns) {
                    *column = differ.column(&mut data, *input);
                }
            });
        }
    });
    columns
}

fn output(model: &Model, data: &mut Data, with_sensors: bool) -> Output {
    let signature = component::QPOS | component::QVEL | component::ACT;
    let mut state = vec![0.0; state::size(model, signature)];
    state::get(data, &mut state, signature);
    let sensors = if with_sensors { data.sensors.sensordata.to_vec() } else { Vec::new() };
    Output { state, sensors }
}

/// Everything a column needs besides the data it runs on.
struct Differ<'a> {
    model: &'a Model,
    epsilon: f64,
    centered: bool,
    with_sensors: bool,
    saved: &'a [f64],
    signature: u32,
    next: &'a Output,
}

impl Differ<'_> {
    fn column(&self, data: &mut Data, input: Input) -> Column {
        let (model, epsilon) = (self.model, self.epsilon);
        let (forward, backward) = match input {
            // Controls at the edge of their range are perturbed inwards only.
            Input::Control(i) => {
                let ctrl = data.inputs.ctrl[i];
                let limited = model.actuator_ctrllimited[i] != 0;
                let [low, high] = model.actuator_ctrlrange[i];
                let inside = |x: f64| x >= low && x <= high;
                let forward = !limited || (inside(ctrl) && inside(ctrl + epsilon));
                let backward =
                    (self.centered || !forward) && (!limited || (inside(ctrl - epsilon) && inside(ctrl)));
                (forward, backward)
            }
            _ => (true, self.centered),
        };
        let plus = forward.then(|| self.perturbed(data, input, epsilon));
        let minus = backward.then(|| self.perturbed(data, input, -epsilon));
        let ndx = 2 * model.nv + model.na;
        let (next, double) = (self.next, 2.0 * epsilon);
        let state = match (&plus, &minus) {
            (Some(plus), None) => self.state_difference(&next.state, &plus.state, epsilon),
            (None, Some(minus)) => self.state_difference(&minus.state, &next.state, epsilon),
            (Some(plus), Some(minus)) => self.state_difference(&minus.state, &plus.state, double),
            (None, None) => vec![0.0; ndx],
        };
        let is_control = matches!(input, Input::Control(_));
        let sensors = match (&plus, &minus) {
            (Some(plus), None) => difference(&next.sensors, &plus.sensors, epsilon),
            (None, Some(minus)) => difference(&minus.sensors, &next.sensors, epsilon),
            // Central differences of sensors with respect to controls have the opposite sign in the reference.
            (Some(plus), Some(minus)) if is_control => difference(&plus.sensors, &minus.sensors, double),
            (Some(plus), Some(minus)) => difference(&minus.sensors, &plus.sensors, double),
            (None, None) => vec![0.0; next.sensors.len()],
        };
        Column { state, sensors }
    }

    /// Output of a step with one input moved by `amount`; restores the state.
    fn perturbed(&self, data: &mut Data, input: Input, amount: f64) -> Output {
        let model = self.model;
        let skip = match input {
            Input::Control(i) => {
                data.inputs.ctrl[i] += amount;
                Stage::Vel
            }
            Input::Activation(i) => {
                data.state.act[i] += amount;
                Stage::Vel
            }
            Input::Velocity(i) => {
                data.state.qvel[i] += amount;
                Stage::Pos
            }
            Input::Position(i) => {
                let mut direction = vec![0.0; model.nv];
                direction[i] = 1.0;
                configuration::integrate_position(model, &mut data.state.qpos, &direction, amount);
                Stage::None
            }
        };
        step::step_skip(model, data, skip, !self.with_sensors);
        let result = output(model, data, self.with_sensors);
        state::set(data, self.saved, self.signature);
        result
    }

    /// `(to - from) / h` in the tangent space.
    fn state_difference(&self, from: &[f64], to: &[f64], h: f64) -> Vec<f64> {
        let model = self.model;
        if model.nq == model.nv {
            return difference(from, to, h);
        }
        let mut out = vec![0.0; 2 * model.nv + model.na];
        configuration::differentiate_position(model, &mut out, h, from, to);
        out[model.nv..].copy_from_slice(&difference(&from[model.nq..], &to[model.nq..], h));
        out
    }
}

/// `(to - from) / h`, as a product with the inverse.
fn difference(from: &[f64], to: &[f64], h: f64) -> Vec<f64> {
    let inverse = 1.0 / h;
    from.iter().zip(to).map(|(x, y)| inverse * (y - x)).collect()
}

/// Jacobians of inverse dynamics, one row per perturbed dof: forces, sensors and the inertia in the layout of `qM`.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct InverseJacobians {
    /// Forces by positions, nv × nv.
    pub force_by_position: Vec<f64>,
    /// Forces by velocities, nv × nv.
    pub force_by_velocity: Vec<f64>,
    /// Forces by accelerations, nv × nv.
    pub force_by_acceleration: Vec<f64>,
    /// Sensors by positions, nv × nsensordata.
    pub sensors_by_position: Vec<f64>,
    /// Sensors by velocities, nv × nsensordata.
    pub sensors_by_velocity: Vec<f64>,
    /// Sensors by accelerations, nv × nsensordata.
    pub sensors_by_acceleration: Vec<f64>,
    /// Inertia by positions, nv × nM.
    pub inertia_by_position: Vec<f64>,
}

/// Differentiate inverse dynamics at the present position, velocity and acceleration. With `subtract_actuation` the force is the
/// one left to apply beside the actuators.
pub fn inverse(
    model: &Model,
    data: &mut Data,
    epsilon: f64,
    subtract_actuation: bool,
    with_sensors: bool,
) -> Result<InverseJacobians, DifferenceError> {
    if model.opt.integrator() == Some(Integrator::Rk4) {
        return Err(DifferenceError::RungeKutta);
    }
    if model.opt.noslip_iterations != 0 {
        return Err(DifferenceError::NoSlip);
    }
    let force_at = |data: &mut Data, skip: Stage| {
        step::inverse_skip(model, data, skip, !with_sensors);
        let mut force = data.inverse.qfrc_inverse.to_vec();
        if subtract_actuation {
            stages::actuation(model, data);
            dense::sub_from(&mut force, &data.actuation.qfrc_actuator);
        }
        force
    };
    let position = data.state.qpos.clone();
    let force = force_at(data, Stage::None);
    let sensors = data.sensors.sensordata.clone();
    let mass = data.inertia.qM.clone();
    let mut out = InverseJacobians::default();
    for dof in 0..model.nv {
        let saved = data.acceleration.qacc[dof];
        data.acceleration.qacc[dof] += epsilon;
        let moved = force_at(data, Stage::Vel);
        data.acceleration.qacc[dof] = saved;
        out.force_by_acceleration.extend(difference(&force, &moved, epsilon));
        out.sensors_by_acceleration.extend(difference(&sensors, &data.sensors.sensordata, epsilon));
    }
    for dof in 0..model.nv {
        let saved = data.state.qvel[dof];
        data.state.qvel[dof] += epsilon;
        let moved = force_at(data, Stage::Pos);
        data.state.qvel[dof] = saved;
        out.force_by_velocity.extend(difference(&force, &moved, epsilon));
        out.sensors_by_velocity.extend(difference(&sensors, &data.sensors.sensordata, epsilon));
    }
    let mut direction = vec![0.0; model.nv];
    for dof in 0..model.nv {
        direction.fill(0.0);
        direction[dof] = 1.0;
        configuration::integrate_position(model, &mut data.state.qpos, &direction, epsilon);
        let moved = force_at(data, Stage::None);
        data.state.qpos.copy_from_slice(&position);
        out.force_by_position.extend(difference(&force, &moved, epsilon));
        out.sensors_by_position.extend(difference(&sensors, &data.sensors.sensordata, epsilon));
        out.inertia_by_position.extend(difference(&mass, &data.inertia.qM, epsilon));
    }
    Ok(out)
}
