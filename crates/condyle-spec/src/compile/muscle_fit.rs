//! Whether the paths of Hill-type muscles fit their fibres and tendons.
//!
//! A rigid tendon of slack length s leaves fibres of length `l = (path - s)/cos α`. Far from the optimal length they have no active force, or a
//! passive force many times the peak force, and the muscle does not do what its author wants. Such muscles load, with a warning.

use condyle_base::Diagnostic;
use condyle_engine::actuation::hill_muscle::HillMuscle;
use condyle_model::Model;

use super::problems::element_error;
use super::work::Work;

/// Fibre lengths, in optimal lengths, outside which there is no active force.
const ACTIVE: [f64; 2] = [0.5, 1.6];
/// Fibre length, in optimal lengths, from which on the passive force is above the peak force.
const TOO_LONG: f64 = 2.0;
/// Code of the warning.
pub(super) const MISFIT: &str = "W0701";

impl Work<'_> {
    /// Warn of muscles whose path cannot fit.
    pub(super) fn check_muscle_paths(&mut self, model: &Model) {
        for actuator in 0..model.nu {
            let (Some(muscle), Some(work)) = (HillMuscle::of(model, actuator), self.actuators.get(actuator))
            else {
                continue;
            };
            if let Some(message) = misfit(model, actuator, &muscle) {
                let slack = ideal_slack(model, actuator, &muscle);
                let help = format!(
                    "measure the path with `condyle muscle`; with these fibres a tendonslacklength of {slack:.4} m puts them at their \
                     optimal length here"
                );
                let warning = Diagnostic {
                    severity: condyle_base::Severity::Warning,
                    ..element_error(MISFIT, work.source, "", message)
                };
                self.problems.push(warning.help(help));
            }
        }
    }
}

/// Slack length at which the fibres have their optimal length in the reference configuration, m; at least 0.
fn ideal_slack(model: &Model, actuator: usize, muscle: &HillMuscle) -> f64 {
    let slack = model.actuator_length0[actuator] - muscle.optimal_length * muscle.cosine(1.0);
    if slack > 0.0 { slack } else { 0.0 }
}

/// What is wrong with the path, with the numbers.
fn misfit(model: &Model, actuator: usize, muscle: &HillMuscle) -> Option<String> {
    let fiber = |path: f64| muscle.rigid_fiber(path, 0.0).length;
    let path = model.actuator_length0[actuator];
    let numbers = |path: f64| {
        format!(
            "slack length {:.4} m and optimal length {:.4} m imply fibres of {:.4} m, {:.2} optimal lengths",
            muscle.slack_length,
            muscle.optimal_length,
            fiber(path) * muscle.optimal_length,
            fiber(path)
        )
    };
    let length = fiber(path);
    if !(length >= ACTIVE[0] && length <= ACTIVE[1]) {
        let consequence = if length > TOO_LONG {
            "it pulls with a passive force above its peak force"
        } else {
            "it has no active force"
        };
        return Some(format!(
            "the path does not fit the muscle: a path of {path:.4} m in the reference configuration, {}; {consequence}",
            numbers(path)
        ));
    }
    let [shortest, longest] = model.actuator_lengthrange[actuator];
    if shortest < longest && fiber(longest) > TOO_LONG {
        return Some(format!(
            "the path does not fit the muscle: at its greatest length of {longest:.4} m {}; it pulls with a passive force above its peak force",
            numbers(longest)
        ));
    }
    None
}
