//! Hill-type muscle: fibres with an active and a passive part, inclined by the pennation angle, in series with a tendon.
//!
//! ```text
//! force = -F₀ cos α (a · fl(l) · fv(v) + fp(l) + β v)
//! ```
//!
//! With a rigid tendon the fibre length follows from the actuator: `l = (length - slack)/(cos α · optimal)`. With a compliant one it
//! is a state of its own, see [`fiber`]. A constant pennation angle is the one at the optimal length; a varying one keeps the height
//! of the muscle, `l sin α`. An extension: the reference has only the muscle of [`super::muscle`], whose activation dynamics this one
//! shares.

mod bezier;
pub mod curves;
pub mod fiber;
mod shape;
pub mod state;

pub use shape::Curves;

use condyle_math::{MIN_VALUE, scalar};
use condyle_model::{BiasType, DynamicsType, GainType, Model, hill};

use super::muscle;

/// A muscle in physical units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HillMuscle {
    /// Peak isometric force, N.
    pub force: f64,
    /// Fibre length of the greatest active force, m.
    pub optimal_length: f64,
    /// Length of the slack tendon, m.
    pub slack_length: f64,
    /// Greatest speed of shortening, optimal lengths per second.
    pub max_velocity: f64,
    /// Angle between fibres and tendon at the optimal length, rad.
    pub pennation: f64,
    /// Whether the pennation angle follows the fibre length.
    pub varying_pennation: bool,
    /// Slope of the tendon force in peak forces per unit strain.
    pub tendon_stiffness: f64,
    /// Whether the tendon stretches.
    pub compliant: bool,
    /// Force of the fibres against their velocity, peak forces per normalised velocity.
    pub damping: f64,
    /// How force depends on length and velocity.
    pub curves: Curves,
}

/// Fibres at one moment, in dimensionless units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fiber {
    /// Length in optimal lengths.
    pub length: f64,
    /// Velocity in the greatest speed of shortening, negative when shortening.
    pub velocity: f64,
    /// Cosine of the pennation angle.
    pub cosine: f64,
}

impl HillMuscle {
    /// The muscle of an actuator whose gain, or whose bias, is of the Hill type.
    pub fn of(model: &Model, actuator: usize) -> Option<Self> {
        if model.actuator_gaintype(actuator) == Some(GainType::HillMuscle) {
            Some(Self::new(model, actuator, &model.actuator_gainprm[actuator]))
        } else if model.actuator_biastype(actuator) == Some(BiasType::HillMuscle) {
            Some(Self::new(model, actuator, &model.actuator_biasprm[actuator]))
        } else {
            None
        }
    }

    fn new(model: &Model, actuator: usize, parameters: &[f64; 10]) -> Self {
        let dynamics = &model.actuator_dynprm[actuator];
        let compliant = model.has_compliant_tendon(actuator);
        let hill = model.actuator_dyntype(actuator) == Some(DynamicsType::HillMuscle);
        let damping = if hill { dynamics[hill::FIBER_DAMPING] } else { 0.0 };
        let curve = |entry: usize| if hill { dynamics[entry] } else { 0.0 };
        Self {
            curves: Curves::new(
                hill::Curve::from_parameter(curve(hill::CURVE)),
                curve(hill::PASSIVE_STRAIN),
                curve(hill::ECCENTRIC_FORCE),
                curve(hill::ACTIVE_WIDTH),
            ),
            force: muscle::peak_force(model.actuator_acc0[actuator], parameters),
            optimal_length: scalar::max(MIN_VALUE, parameters[hill::OPTIMAL_FIBER_LENGTH]),
            slack_length: parameters[hill::TENDON_SLACK_LENGTH],
            max_velocity: parameters[hill::MAX_CONTRACTION_VELOCITY],
            pennation: parameters[hill::PENNATION_ANGLE],
            varying_pennation: parameters[hill::VARYING_PENNATION] != 0.0,
            tendon_stiffness: scalar::max(MIN_VALUE, parameters[hill::TENDON_STIFFNESS]),
            compliant,
            // Without damping the velocity of a passive fibre in series with a tendon is not defined.
            damping: if compliant && !(damping > 0.0) { hill::DEFAULT_DAMPING } else { damping },
        }
    }

    /// Greatest speed of shortening, m/s.
    fn speed(&self) -> f64 {
        scalar::max(MIN_VALUE, self.optimal_length * self.max_velocity)
    }

    /// Height of the muscle in optimal lengths, where fibres keep it.
    fn height(&self) -> f64 {
        if self.varying_pennation { self.pennation.sin() } else { 0.0 }
    }

    /// Shortest fibre a varying pennation angle allows.
    fn least_length(&self) -> f64 {
        self.height() / (1.0 - hill::LEAST_COSINE * hill::LEAST_COSINE).sqrt()
    }

    /// Cosine of the pennation angle at a fibre length.
    pub fn cosine(&self, length: f64) -> f64 {
        if !self.varying_pennation {
            return scalar::max(MIN_VALUE, self.pennation.cos());
        }
        let sine = self.height() / scalar::max(length, self.least_length());
        scalar::max(hill::LEAST_COSINE, (1.0 - sine * sine).sqrt())
    }

    /// Fibres in series with a tendon that does not stretch.
    pub fn rigid_fiber(&self, length: f64, velocity: f64) -> Fiber {
        let along = length - self.slack_length;
        let height = self.height();
        if height > 0.0 {
            let along = scalar::max(along / self.optimal_length, self.least_length() * hill::LEAST_COSINE);
            let fiber = (along * along + height * height).sqrt();
            let cosine = along / fiber;
            return Fiber { length: fiber, velocity: velocity * cosine / self.speed(), cosine };
        }
        let cosine = self.cosine(1.0);
        Fiber {
            length: along / cosine / self.optimal_length,
            velocity: velocity / cosine / self.speed(),
            cosine,
        }
    }

    /// Force per activation, negative because muscles pull.
    pub fn gain(&self, fiber: Fiber) -> f64 {
        -self.force
            * self.curves.active_force(fiber.length)
            * self.curves.velocity_force(fiber.velocity)
            * fiber.cosine
    }

    /// Force without activation.
    pub fn bias(&self, fiber: Fiber) -> f64 {
        let passive = self.curves.passive_force(fiber.length);
        -self.force * (passive + self.damping * fiber.velocity) * fiber.cosine
    }
}

/// Fibres of an actuator at the given length, velocity and input.
fn fiber_of(muscle: &HillMuscle, length: f64, velocity: f64, input: f64, state: Option<f64>) -> Fiber {
    match state {
        Some(state) => muscle.compliant_fiber(length, state, input),
        None => muscle.rigid_fiber(length, velocity),
    }
}

/// Gain of an actuator; `state` is the length of its fibres where they have one of their own.
pub fn gain(
    model: &Model,
    actuator: usize,
    length: f64,
    velocity: f64,
    input: f64,
    state: Option<f64>,
) -> f64 {
    let muscle = HillMuscle::new(model, actuator, &model.actuator_gainprm[actuator]);
    muscle.gain(fiber_of(&muscle, length, velocity, input, state))
}

/// Bias of an actuator; `state` as for [`gain`].
pub fn bias(
    model: &Model,
    actuator: usize,
    length: f64,
    velocity: f64,
    input: f64,
    state: Option<f64>,
) -> f64 {
    let muscle = HillMuscle::new(model, actuator, &model.actuator_biasprm[actuator]);
    muscle.bias(fiber_of(&muscle, length, velocity, input, state))
}

/// Derivative of [`gain`] with respect to velocity. The force of a compliant tendon depends on lengths alone.
pub fn gain_velocity_derivative(model: &Model, actuator: usize, length: f64, velocity: f64) -> f64 {
    let muscle = HillMuscle::new(model, actuator, &model.actuator_gainprm[actuator]);
    if muscle.compliant {
        return 0.0;
    }
    let fiber = muscle.rigid_fiber(length, velocity);
    let slope = muscle.curves.active_force(fiber.length) * muscle.curves.velocity_slope(fiber.velocity);
    -muscle.force * slope * fiber.cosine * muscle.rate_of_velocity(fiber)
}

/// Derivative of [`bias`] with respect to velocity.
pub fn bias_velocity_derivative(model: &Model, actuator: usize, length: f64, velocity: f64) -> f64 {
    let muscle = HillMuscle::new(model, actuator, &model.actuator_biasprm[actuator]);
    if muscle.compliant {
        return 0.0;
    }
    let fiber = muscle.rigid_fiber(length, velocity);
    -muscle.force * muscle.damping * fiber.cosine * muscle.rate_of_velocity(fiber)
}

impl HillMuscle {
    /// How the normalised fibre velocity changes with the actuator's, with a rigid tendon.
    fn rate_of_velocity(&self, fiber: Fiber) -> f64 {
        if self.height() > 0.0 { fiber.cosine / self.speed() } else { 1.0 / (fiber.cosine * self.speed()) }
    }
}

/// Write peak forces that are to follow from the scale into the model, once the acceleration of a unit force is known.
pub fn resolve_peak_forces(model: &mut Model) {
    for actuator in 0..model.nu {
        let acc0 = model.actuator_acc0[actuator];
        if model.actuator_gaintype(actuator) == Some(GainType::HillMuscle) {
            let parameters = &mut model.actuator_gainprm[actuator];
            parameters[hill::FORCE] = muscle::peak_force(acc0, parameters);
        }
        if model.actuator_biastype(actuator) == Some(BiasType::HillMuscle) {
            let parameters = &mut model.actuator_biasprm[actuator];
            parameters[hill::FORCE] = muscle::peak_force(acc0, parameters);
        }
    }
}
