//! Numbers of a simulation that a page can plot.

use condyle_engine::Data;
use condyle_engine::query::contact_force::contact_force;
use condyle_model::Model;

/// Where a number comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Channel {
    /// Coordinate by its address.
    Position(usize),
    /// Speed of a degree of freedom.
    Velocity(usize),
    /// Acceleration of a degree of freedom.
    Acceleration(usize),
    Control(usize),
    Activation(usize),
    ActuatorForce(usize),
    /// Number of `sensordata`.
    Sensor(usize),
    /// Position of a body, by body and axis.
    Body(usize, usize),
    /// Normal force between two geoms, summed over their contacts.
    Contact(usize, usize),
    /// Potential and kinetic energy.
    Energy(usize),
    /// Number of contacts.
    Contacts,
}

impl Channel {
    /// By the name of its group and up to two indices.
    pub(crate) fn new(group: &str, [first, second]: [usize; 2]) -> Option<Self> {
        Some(match group {
            "qpos" => Self::Position(first),
            "qvel" => Self::Velocity(first),
            "qacc" => Self::Acceleration(first),
            "ctrl" => Self::Control(first),
            "act" => Self::Activation(first),
            "force" => Self::ActuatorForce(first),
            "sensor" => Self::Sensor(first),
            "xpos" => Self::Body(first, second),
            "contact" => Self::Contact(first, second),
            "energy" => Self::Energy(first),
            "ncon" => Self::Contacts,
            _ => return None,
        })
    }

    /// Whether the number belongs to the state after a step; others are computed from the state before it.
    pub(crate) const fn is_state(self) -> bool {
        matches!(self, Self::Position(_) | Self::Velocity(_) | Self::Activation(_) | Self::Control(_))
    }

    /// The number; `None` when the model has no such element.
    pub(crate) fn read(self, model: &Model, data: &Data) -> Option<f64> {
        match self {
            Self::Position(index) => data.state.qpos.get(index).copied(),
            Self::Velocity(index) => data.state.qvel.get(index).copied(),
            Self::Acceleration(index) => data.acceleration.qacc.get(index).copied(),
            Self::Control(index) => data.inputs.ctrl.get(index).copied(),
            Self::Activation(index) => data.state.act.get(index).copied(),
            Self::ActuatorForce(index) => data.actuation.actuator_force.get(index).copied(),
            Self::Sensor(index) => data.sensors.sensordata.get(index).copied(),
            Self::Body(body, axis) => data.kinematics.xpos.get(body)?.get(axis).copied(),
            Self::Contact(first, second) => {
                (first < model.ngeom && second < model.ngeom).then(|| pair_force(model, data, first, second))
            }
            Self::Energy(index) => data.sensors.energy.get(index).copied(),
            Self::Contacts => Some(data.contacts.len() as f64),
        }
    }
}

fn pair_force(model: &Model, data: &Data, first: usize, second: usize) -> f64 {
    let wanted = [first as i32, second as i32];
    data.contacts
        .iter()
        .filter(|contact| contact.geom == wanted || contact.geom == [wanted[1], wanted[0]])
        .map(|contact| contact_force(model, &data.solution, contact)[0])
        .sum()
}
