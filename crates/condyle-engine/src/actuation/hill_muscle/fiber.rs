//! Fibres in series with a tendon that stretches.
//!
//! The length of the fibres is a state. Together with the length of the actuator it decides the strain of the tendon, hence the force;
//! the velocity of the fibres is the one at which they carry that force:
//!
//! ```text
//! a fl(l) fv(v) + fp(l) + β v = ft(strain)/cos α,   strain = (length - l optimal cos α)/slack - 1,   dl/dt = vmax v
//! ```
//!
//! A length that is not positive stands for fibres that have not been placed yet, after a reset or in a keyframe that says nothing
//! of them: they are put where they carry the force of the tendon at rest. Integration relaxes the fibres towards their equilibrium by
//! an exponential step, which is stable however stiff the tendon is; Runge–Kutta uses its own sums.

use condyle_math::scalar;
use condyle_model::Model;

use super::{Fiber, HillMuscle, curves};
use crate::data::{State, Transmission};

/// Shortest and longest fibres, in optimal lengths.
pub const RANGE: [f64; 2] = [0.1, 3.0];
/// Halvings that bring an interval of fibre lengths below the resolution of a number.
const HALVINGS: usize = 60;

impl HillMuscle {
    /// Shortest and longest fibres of this muscle.
    pub fn fiber_range(&self) -> [f64; 2] {
        [scalar::max(RANGE[0], self.least_length()), RANGE[1]]
    }

    /// A fibre length brought into its range.
    pub fn clamp_fiber(&self, length: f64) -> f64 {
        let [low, high] = self.fiber_range();
        scalar::clip(length, low, high)
    }

    /// Strain of the tendon when the actuator has this length.
    pub fn strain(&self, length: f64, fiber: f64) -> f64 {
        let slack = scalar::max(condyle_math::MIN_VALUE, self.slack_length);
        (length - fiber * self.optimal_length * self.cosine(fiber)) / slack - 1.0
    }

    /// Force of the tendon in peak forces.
    pub fn tendon_force(&self, length: f64, fiber: f64) -> f64 {
        curves::tendon_force(self.strain(length, fiber), self.tendon_stiffness)
    }

    /// Fibres of a given length and activation, moving so that they carry the force of the tendon.
    pub fn compliant_fiber(&self, length: f64, fiber: f64, activation: f64) -> Fiber {
        let fiber = self.clamp_fiber(fiber);
        let cosine = self.cosine(fiber);
        let active = scalar::clip(activation, 0.0, 1.0) * self.curves.active_force(fiber);
        let force = self.tendon_force(length, fiber) / cosine - self.curves.passive_force(fiber);
        Fiber { length: fiber, velocity: self.curves.velocity_of_force(force, active, self.damping), cosine }
    }

    /// Rate of the fibre length, optimal lengths per second.
    pub fn fiber_rate(&self, length: f64, fiber: f64, activation: f64) -> f64 {
        self.max_velocity * self.compliant_fiber(length, fiber, activation).velocity
    }

    /// How fast a deviation of the fibre length dies out, per second: minus the derivative of [`Self::fiber_rate`] with respect to
    /// the fibre length.
    pub fn relaxation(&self, length: f64, fiber: f64, activation: f64) -> f64 {
        let at = self.compliant_fiber(length, fiber, activation);
        let activation = scalar::clip(activation, 0.0, 1.0);
        let strain = self.strain(length, at.length);
        // Along the tendon fibres of length l cover l cos α = √(l² - h²), whose slope is 1/cos α; constant angles have cos α.
        let (covered, cosine_slope) = if self.height() > 0.0 {
            let sine = self.height() / at.length;
            (1.0 / at.cosine, sine * sine / (at.length * at.cosine))
        } else {
            (at.cosine, 0.0)
        };
        let slack = scalar::max(condyle_math::MIN_VALUE, self.slack_length);
        let tendon_slope =
            -curves::tendon_slope(strain, self.tendon_stiffness) * self.optimal_length * covered / slack;
        let tendon = curves::tendon_force(strain, self.tendon_stiffness);
        let pull = tendon_slope / at.cosine - tendon * cosine_slope / (at.cosine * at.cosine);
        let carried =
            activation * self.curves.active_slope(at.length) * self.curves.velocity_force(at.velocity)
                + self.curves.passive_slope(at.length);
        let active = activation * self.curves.active_force(at.length);
        let resistance = active * self.curves.velocity_slope(at.velocity) + self.damping;
        self.max_velocity * (carried - pull) / resistance
    }

    /// Fibre length after a time step with the given rate at its beginning.
    pub fn next_fiber(&self, length: f64, fiber: f64, activation: f64, rate: f64, timestep: f64) -> f64 {
        let decay = self.relaxation(length, fiber, activation) * timestep;
        let step = if decay > 0.0 { -(-decay).exp_m1() / decay * timestep } else { timestep };
        self.clamp_fiber(fiber + rate * step)
    }

    /// Fibre length at rest: the force of the fibres is that of the tendon. Where both are slack, the longest fibres that leave the
    /// tendon slack would be arbitrary; the ones at which it just becomes slack are taken.
    pub fn equilibrium(&self, length: f64, activation: f64) -> f64 {
        let activation = scalar::clip(activation, 0.0, 1.0);
        let [mut short, mut long] = self.fiber_range();
        for _ in 0..HALVINGS {
            let middle = 0.5 * (short + long);
            let fibers = activation * self.curves.active_force(middle) + self.curves.passive_force(middle);
            if self.tendon_force(length, middle) > fibers * self.cosine(middle) {
                short = middle;
            } else {
                long = middle;
            }
        }
        0.5 * (short + long)
    }
}

/// Length of the fibres of an actuator, where it is a state of its own.
#[inline]
pub fn fiber_state(model: &Model, state: &State, actuator: usize) -> Option<f64> {
    model.has_compliant_tendon(actuator).then(|| state.act[model.actuator_actadr[actuator] as usize])
}

/// Whether fibres wait to be placed.
pub fn any_unplaced(model: &Model, state: &State) -> bool {
    (0..model.nu).any(|actuator| fiber_state(model, state, actuator).is_some_and(|length| length <= 0.0))
}

/// Put fibres that have no length yet where they carry the force of their tendon at rest.
pub fn place_fibers(model: &Model, state: &mut State, transmission: &Transmission) {
    if model.na == 0 {
        return;
    }
    for actuator in 0..model.nu {
        if fiber_state(model, state, actuator).is_some_and(|length| length <= 0.0)
            && let Some(muscle) = HillMuscle::of(model, actuator)
        {
            let first = model.actuator_actadr[actuator] as usize;
            let activation = state.act[first + model.actuator_actnum[actuator] as usize - 1];
            state.act[first] = muscle.equilibrium(transmission.actuator_length[actuator], activation);
        }
    }
}
