//! Standard muscles made Hill-type muscles of the same operating range.
//!
//! A standard muscle has an optimal length `L0 = (r1 - r0)/(n1 - n0)` from its length range r and its normalised range n, and a constant
//! length `r0 - n0 L0` in series with it; these become the optimal fibre length and the slack length of the tendon. Peak force, greatest
//! speed and time constants stay. Where nothing is left for a tendon, it gets a twentieth of the path, and the fibres are fitted
//! to the middle of the range.

use condyle_engine::actuation::muscle as standard;
use condyle_model::{BiasType, DynamicsType, GainType, Model, hill};
use condyle_spec::{HillMuscleParameters, Spec};

/// Share of the path that is tendon where a standard muscle leaves none.
const LEAST_TENDON: f64 = 0.05;

/// Make Hill-type muscles of all actuators of `spec` that are standard muscles throughout. `model` is the compiled spec. Returns how many.
pub fn to_hill_muscles(
    spec: &mut Spec,
    model: &Model,
    compliant: bool,
    curve: hill::Curve,
) -> Result<usize, String> {
    let mut count = 0;
    for (actuator, (_, element)) in spec.actuators.iter_mut().enumerate() {
        let is_muscle = element.dyntype == DynamicsType::Muscle
            && element.gaintype == GainType::Muscle
            && element.biastype == BiasType::Muscle;
        if !is_muscle || actuator >= model.nu {
            continue;
        }
        let parameters = model.actuator_gainprm[actuator];
        let range = model.actuator_lengthrange[actuator];
        if !(range[0] < range[1]) {
            return Err(format!("muscle {actuator} has no length range, so its optimal length is not known"));
        }
        let (optimal, slack) = lengths(range, &parameters);
        let [activation, deactivation, smooth, ..] = model.actuator_dynprm[actuator];
        element.set_to_hill_muscle(&HillMuscleParameters {
            timeconst: Some([activation, deactivation]),
            tausmooth: Some(smooth),
            max_isometric_force: Some(standard::peak_force(model.actuator_acc0[actuator], &parameters)),
            scale: Some(parameters[3]),
            optimal_fiber_length: Some(optimal),
            tendon_slack_length: Some(slack),
            // The speed of a standard muscle has the scale of its active force; zero would stop it.
            max_contraction_velocity: Some(if parameters[6] > 0.0 { parameters[6] } else { 10.0 }),
            compliant_tendon: Some(compliant),
            curve: Some(curve as i32),
            ..HillMuscleParameters::default()
        })?;
        element.gainprm[..2].copy_from_slice(&hill::DEFAULT_GAIN[..2]);
        element.biasprm = condyle_spec::Actuator::default().biasprm;
        count += 1;
    }
    Ok(count)
}

/// Optimal fibre length and slack length, m.
fn lengths(range: [f64; 2], parameters: &[f64; 10]) -> (f64, f64) {
    let optimal = standard::optimal_length(range, parameters);
    let slack = range[0] - parameters[0] * optimal;
    let path = 0.5 * (range[0] + range[1]);
    if slack > LEAST_TENDON * path || !(path > 0.0) {
        return (optimal, slack);
    }
    let slack = LEAST_TENDON * path;
    (2.0 * (path - slack) / (parameters[0] + parameters[1]), slack)
}
