//! A muscle at one moment: its path, its fibres, and the forces in fibres and tendon.

use condyle_model::Model;

use super::{HillMuscle, fiber};
use crate::data::{Actuation, Inputs, State, Transmission, Velocity};

/// What goes on in a Hill-type muscle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MuscleState {
    /// Length of the path, m.
    pub path_length: f64,
    /// Length of the fibres, m.
    pub fiber_length: f64,
    /// Velocity of the fibres, m/s; negative when shortening.
    pub fiber_velocity: f64,
    /// Force along the fibres, N; positive when pulling.
    pub fiber_force: f64,
    /// Force along the tendon, N.
    pub tendon_force: f64,
    /// Length of the tendon, m.
    pub tendon_length: f64,
    /// Angle between fibres and tendon, rad.
    pub pennation: f64,
    /// Activation, 0 to 1.
    pub activation: f64,
}

/// The state of a Hill-type muscle after `forward` or a step; `None` for other actuators.
///
/// Path, velocity and force are those of the latest evaluation: the tendon force is minus the actuator's. After a step the state has
/// moved on since, so that activations, and fibres in series with a compliant tendon, are one step ahead of them.
pub fn muscle_state(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    transmission: &Transmission,
    velocity: &Velocity,
    actuation: &Actuation,
    actuator: usize,
) -> Option<MuscleState> {
    if actuator >= model.nu {
        return None;
    }
    let muscle = HillMuscle::of(model, actuator)?;
    let (path, speed) = (transmission.actuator_length[actuator], velocity.actuator_velocity[actuator]);
    let variables = model.actuator_actnum[actuator].max(0) as usize;
    let activation = match model.actuator_actadr(actuator) {
        Some(first) if variables > 0 => state.act[first + variables - 1],
        _ => inputs.ctrl[actuator],
    };
    let fibers = match fiber::fiber_state(model, state, actuator) {
        Some(length) => {
            let length = if length > 0.0 { length } else { muscle.equilibrium(path, activation) };
            muscle.compliant_fiber(path, length, activation)
        }
        None => muscle.rigid_fiber(path, speed),
    };
    let tendon = -actuation.actuator_force[actuator];
    let fiber_length = fibers.length * muscle.optimal_length;
    Some(MuscleState {
        path_length: path,
        fiber_length,
        fiber_velocity: fibers.velocity * muscle.max_velocity * muscle.optimal_length,
        fiber_force: tendon / fibers.cosine,
        tendon_force: tendon,
        tendon_length: path - fiber_length * fibers.cosine,
        pennation: fibers.cosine.acos(),
        activation,
    })
}
