//! What happened in a step, and where an invalid value comes from, as sentences.

use condyle_engine::data::{Cause, ForceSource, NonFinite, StepIssue, StepReport};
use condyle_model::{ConstraintType, Model, ObjectType, Warning};

use super::Describe;

impl Describe for StepReport {
    /// One line per event.
    fn describe(&self, model: &Model) -> String {
        let mut text = format!("step {} at {} s: ", self.step, self.time);
        if self.is_clean() {
            text.push_str("nothing to report");
        }
        let mut lines = Vec::new();
        if let Some(worst) = &self.worst {
            lines.push(format!(
                "solver: {} of {} problems not converged; island {} stopped after {} iterations with improvement {:.3e}, gradient \
                 {:.3e}, tolerance {:.3e}",
                self.unconverged,
                self.solved,
                worst.island,
                worst.iterations,
                worst.improvement,
                worst.gradient,
                self.tolerance
            ));
        }
        if let Some(bad) = &self.non_finite {
            lines.push(bad.describe(model));
        }
        if let Some(actuator) = self.bad_control {
            lines.push(format!(
                "the control of {} is invalid; all controls were set to zero",
                named(model, ObjectType::Actuator, actuator)
            ));
        }
        if self.resets > 0 {
            lines.push("the simulation was reset".into());
        }
        if self.held {
            lines.push("the step was not taken".into());
        }
        for (issue, count) in StepIssue::ALL.into_iter().zip(self.issues).filter(|(_, count)| *count > 0) {
            lines.push(format!("{} ({count} times)", issue_text(issue)));
        }
        text + &lines.join("\n")
    }
}

impl Describe for NonFinite {
    fn describe(&self, model: &Model) -> String {
        let mut text = format!(
            "{} of {} ({}): {}[{}] is {} in step {} at {} s; cause: {}",
            self.stage(),
            named(model, ObjectType::Joint, self.joint),
            named(model, ObjectType::Body, self.body),
            self.quantity(),
            self.index,
            shortened(self.value),
            self.step,
            shortened(self.time),
            cause(model, self)
        );
        let forces: Vec<String> = self
            .contributions()
            .map(|item| {
                let force = shortened(item.force);
                format!("{} on dof {}: {force}", item.source.describe(model), item.dof)
            })
            .collect();
        if !forces.is_empty() {
            text.push_str("; largest forces: ");
            text.push_str(&forces.join(", "));
        }
        text
    }
}

impl Describe for Cause {
    fn describe(&self, model: &Model) -> String {
        let joint = |index| named(model, ObjectType::Joint, index);
        let body = |index| named(model, ObjectType::Body, index);
        let actuator = |index| named(model, ObjectType::Actuator, index);
        match *self {
            Self::Motion => "no input is invalid".into(),
            Self::Position(index) => format!("position of {}", joint(index)),
            Self::Velocity(index) => format!("velocity of {}", joint(index)),
            Self::Activation(index) => format!("activation of {}", actuator(index)),
            Self::Control(index) => format!("control of {}", actuator(index)),
            Self::AppliedForce(index) => format!("applied force on {}", joint(index)),
            Self::ExternalForce(index) => format!("external force on {}", body(index)),
            Self::Mocap(index) => format!("mocap pose of {}", body(index)),
            Self::ActuatorHistory(index) => format!("past controls of {}", actuator(index)),
            Self::SensorHistory(index) => {
                format!("past readings of {}", named(model, ObjectType::Sensor, index))
            }
            Self::PluginState(index) => format!("state of {}", named(model, ObjectType::Plugin, index)),
            Self::WarmStart(index) => format!("warm start of {}", joint(index)),
            Self::Time => "the clock".into(),
            _ => self.name_and_index().0.into(),
        }
    }
}

impl Describe for ForceSource {
    fn describe(&self, model: &Model) -> String {
        match *self {
            Self::Applied => "applied".into(),
            Self::External(body) => format!("external on {}", named(model, ObjectType::Body, body)),
            Self::Passive => "passive".into(),
            Self::Actuator(actuator) => named(model, ObjectType::Actuator, actuator),
            Self::Bias => "bias".into(),
            Self::Constraint(kind, index) => match kind {
                ConstraintType::Equality => named(model, ObjectType::Equality, index),
                ConstraintType::LimitJoint => {
                    format!("limit of {}", named(model, ObjectType::Joint, index))
                }
                ConstraintType::FrictionDof => format!("friction of dof {index}"),
                ConstraintType::LimitTendon => {
                    format!("limit of {}", named(model, ObjectType::Tendon, index))
                }
                ConstraintType::FrictionTendon => {
                    format!("friction of {}", named(model, ObjectType::Tendon, index))
                }
                _ => format!("contact {index}"),
            },
            _ => "other".into(),
        }
    }
}

/// What an invalid value comes from; a position or velocity that is its own cause was set from outside.
fn cause(model: &Model, found: &NonFinite) -> String {
    match (found.warning, found.cause) {
        (Warning::BadQpos, Cause::Position(_)) | (Warning::BadQvel, Cause::Velocity(_)) => {
            "set from outside; the step before did not lead there".into()
        }
        (Warning::BadQpos | Warning::BadQvel, Cause::Motion) => {
            "the motion of the steps before; no input is invalid".into()
        }
        _ => found.cause.describe(model),
    }
}

/// An issue of a step as a sentence.
pub fn issue_text(issue: StepIssue) -> &'static str {
    match issue {
        StepIssue::MixedReference => "solref mixes its two formats; the default was used",
        StepIssue::MixedFrictionReference => "solreffriction mixes its two formats; it was ignored",
        StepIssue::LineSearchNotConvex => "the solver found a cost that is not convex",
        StepIssue::DepthOnFace => "a penetration depth was set to zero",
        StepIssue::DepthOutOfFaces => "a penetration depth is not exact",
        StepIssue::HeightFieldOnDistanceField => "a height field and a signed distance field do not collide",
        StepIssue::SingularHessian => "the matrix of the solver is singular",
        StepIssue::DualOutOfMemory => {
            "the dual matrix does not fit into memory; the constraints were left out"
        }
        _ => issue.name(),
    }
}

/// An object by name where it has one, else by number.
fn named(model: &Model, kind: ObjectType, index: usize) -> String {
    let word = kind.word();
    match model.name(kind, index) {
        "" => format!("{word} {index}"),
        name => format!("{word} {index} '{name}'"),
    }
}

/// A number with about six digits.
fn shortened(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 || size >= 1e-3 && size < 1e6 {
        let text = format!("{value:.6}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        format!("{value:.4e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_issue_is_a_sentence() {
        assert!(StepIssue::ALL.into_iter().all(|issue| issue_text(issue).contains(' ')));
    }

    #[test]
    fn numbers_have_about_six_digits() {
        let texts = [0.0, 1.5, -0.002, 12.0, 1e-4, f64::NAN, 2.5e7].map(shortened);
        assert_eq!(texts, ["0", "1.5", "-0.002", "12", "1.0000e-4", "NaN", "2.5000e7"]);
    }
}
