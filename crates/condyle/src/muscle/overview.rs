//! The muscles of a model side by side: peak force, lengths, and where on their curves they work.

use condyle_engine::actuation::hill_muscle::HillMuscle;
use condyle_engine::actuation::muscle as standard;
use condyle_model::{Model, ObjectType};

use super::{MuscleKind, kind, muscles, standard_array};

/// One muscle in the list.
#[derive(Clone, Debug, PartialEq)]
pub struct Overview {
    /// The number of the actuator.
    pub actuator: usize,
    /// Its name.
    pub name: String,
    /// Which model of a muscle it is.
    pub kind: MuscleKind,
    /// Peak isometric force, N.
    pub force: f64,
    /// Optimal length of the fibres, of a standard muscle that of the muscle, m.
    pub optimal_length: f64,
    /// Slack length of the tendon; of a standard muscle the constant length in series, m.
    pub slack_length: f64,
    /// Length of the path in the reference configuration, m.
    pub path_length: f64,
    /// Least and greatest length of the path, m, where they are known.
    pub path_range: Option<[f64; 2]>,
    /// Fibre lengths at the ends of that range with a rigid tendon, in optimal lengths; without a range, in the reference configuration.
    pub operating_range: [f64; 2],
}

/// All muscles of a model.
pub fn overview(model: &Model) -> Vec<Overview> {
    muscles(model).into_iter().filter_map(|actuator| of(model, actuator)).collect()
}

fn of(model: &Model, actuator: usize) -> Option<Overview> {
    let kind = kind(model, actuator)?;
    let range = model.actuator_lengthrange[actuator];
    let path_range = (range[0] < range[1]).then_some(range);
    let path_length = model.actuator_length0[actuator];
    let [low, high] = path_range.unwrap_or([path_length; 2]);
    let (force, optimal_length, slack_length, operating_range) = match kind {
        MuscleKind::Hill => {
            let muscle = HillMuscle::of(model, actuator)?;
            let fiber = |path: f64| muscle.rigid_fiber(path, 0.0).length;
            (muscle.force, muscle.optimal_length, muscle.slack_length, [fiber(low), fiber(high)])
        }
        MuscleKind::Standard => {
            let parameters = standard_array(model, actuator);
            let optimal = standard::optimal_length(range, parameters);
            let slack = range[0] - parameters[0] * optimal;
            let fiber = |path: f64| (path - slack) / optimal;
            (
                standard::peak_force(model.actuator_acc0[actuator], parameters),
                optimal,
                slack,
                [fiber(low), fiber(high)],
            )
        }
    };
    let name = model.label(ObjectType::Actuator, actuator);
    Some(Overview {
        actuator,
        name,
        kind,
        force,
        optimal_length,
        slack_length,
        path_length,
        path_range,
        operating_range,
    })
}
