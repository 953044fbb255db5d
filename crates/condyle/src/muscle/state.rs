//! A muscle at one moment: its path, its fibres, and the forces in fibres and tendon.

use condyle_engine::Data;
use condyle_engine::actuation::hill_muscle::state;
pub use condyle_engine::actuation::hill_muscle::state::MuscleState;
use condyle_model::Model;

/// The state of a Hill-type muscle after `forward` or a step; `None` for other actuators.
///
/// Path, velocity and force are those of the latest evaluation: the tendon force is minus the actuator's. After a step the state has
/// moved on since, so that activations, and fibres in series with a compliant tendon, are one step ahead of them.
pub fn muscle_state(model: &Model, data: &Data, actuator: usize) -> Option<MuscleState> {
    let Data { state, inputs, transmission, velocity, actuation, .. } = data;
    state::muscle_state(model, state, inputs, transmission, velocity, actuation, actuator)
}
