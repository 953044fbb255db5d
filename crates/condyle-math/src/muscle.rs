//! Muscle curves: active force over length and velocity, passive force, and activation dynamics.
//!
//! Lengths are normalised so that the optimum is 1: `L = range[0] + (length - lengthrange[0]) / L0` with
//! `L0 = (lengthrange[1] - lengthrange[0]) / (range[1] - range[0])`. Forces pull, hence are negative. Reference: `mju_muscleGain`.

use crate::MIN_VALUE;
use crate::misc::sigmoid;
use crate::scalar::{clip, max};

/// Parameters in the order of the model's gain and bias arrays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Muscle {
    /// Normalised lengths at the ends of the actuator's length range.
    pub range: [f64; 2],
    /// Peak active force; negative to derive it from `scale`.
    pub force: f64,
    /// Peak force is `scale / acc0` when `force` is negative.
    pub scale: f64,
    /// Shortest and longest normalised lengths with active force.
    pub length_min: f64,
    pub length_max: f64,
    /// Shortening velocity, in optimal lengths per second, at which active force vanishes.
    pub velocity_max: f64,
    /// Passive force at `length_max`, relative to peak force.
    pub passive_max: f64,
    /// Active force at saturating lengthening velocity, relative to peak force.
    pub lengthening_max: f64,
}

impl From<&[f64; 9]> for Muscle {
    fn from(p: &[f64; 9]) -> Self {
        Muscle {
            range: [p[0], p[1]],
            force: p[2],
            scale: p[3],
            length_min: p[4],
            length_max: p[5],
            velocity_max: p[6],
            passive_max: p[7],
            lengthening_max: p[8],
        }
    }
}

impl Muscle {
    fn peak_force(&self, acc0: f64) -> f64 {
        if self.force < 0.0 { self.scale / max(MIN_VALUE, acc0) } else { self.force }
    }

    fn optimal_length(&self, length_range: [f64; 2]) -> f64 {
        (length_range[1] - length_range[0]) / max(MIN_VALUE, self.range[1] - self.range[0])
    }

    fn normalized_length(&self, length: f64, length_range: [f64; 2], optimal: f64) -> f64 {
        self.range[0] + (length - length_range[0]) / max(MIN_VALUE, optimal)
    }

    /// Active force per unit of activation at an actuator length and velocity.
    pub fn gain(&self, length: f64, velocity: f64, length_range: [f64; 2], acc0: f64) -> f64 {
        let force = self.peak_force(acc0);
        let optimal = self.optimal_length(length_range);
        let l = self.normalized_length(length, length_range, optimal);
        let v = velocity / max(MIN_VALUE, optimal * self.velocity_max);
        let by_length = gain_length(l, self.length_min, self.length_max);
        -force * by_length * self.gain_velocity(v)
    }

    /// Force–velocity curve, 1 at rest; `v` is negative when shortening.
    fn gain_velocity(&self, v: f64) -> f64 {
        let y = self.lengthening_max - 1.0;
        if v <= -1.0 {
            0.0
        } else if v <= 0.0 {
            (v + 1.0) * (v + 1.0)
        } else if v <= y {
            self.lengthening_max - (y - v) * (y - v) / max(MIN_VALUE, y)
        } else {
            self.lengthening_max
        }
    }

    /// Passive force at an actuator length: half-quadratic up to the middle of the range beyond the optimum, then linear.
    pub fn bias(&self, length: f64, length_range: [f64; 2], acc0: f64) -> f64 {
        let force = self.peak_force(acc0);
        let optimal = self.optimal_length(length_range);
        let l = self.normalized_length(length, length_range, optimal);
        let middle = 0.5 * (1.0 + self.length_max);
        if l <= 1.0 {
            0.0
        } else if l <= middle {
            let x = (l - 1.0) / max(MIN_VALUE, middle - 1.0);
            -force * self.passive_max * 0.5 * x * x
        } else {
            let x = (l - middle) / max(MIN_VALUE, middle - 1.0);
            -force * self.passive_max * (0.5 + x)
        }
    }
}

/// Force–length curve: four parabolic pieces, 1 at the optimum and 0 outside `[minimum, maximum]`.
pub fn gain_length(length: f64, minimum: f64, maximum: f64) -> f64 {
    if !(minimum <= length && length <= maximum) {
        return 0.0;
    }
    let a = 0.5 * (minimum + 1.0);
    let b = 0.5 * (1.0 + maximum);
    if length <= a {
        let x = (length - minimum) / max(MIN_VALUE, a - minimum);
        0.5 * x * x
    } else if length <= 1.0 {
        let x = (1.0 - length) / max(MIN_VALUE, 1.0 - a);
        1.0 - 0.5 * x * x
    } else if length <= b {
        let x = (length - 1.0) / max(MIN_VALUE, b - 1.0);
        1.0 - 0.5 * x * x
    } else {
        let x = (maximum - length) / max(MIN_VALUE, maximum - b);
        0.5 * x * x
    }
}

/// Time constant for an excess excitation: switched at zero, or blended over `smoothing_width`.
pub fn dynamics_timescale(excess: f64, activation: f64, deactivation: f64, smoothing_width: f64) -> f64 {
    if smoothing_width < MIN_VALUE {
        if excess > 0.0 { activation } else { deactivation }
    } else {
        deactivation + (activation - deactivation) * sigmoid(excess / smoothing_width + 0.5)
    }
}

/// Rate of change of the activation. `parameters` are the activation and deactivation time constants and the smoothing width
/// (Millard et al. 2013, doi:10.1115/1.4023390).
pub fn dynamics(control: f64, activation: f64, parameters: [f64; 3]) -> f64 {
    let clamped_control = clip(control, 0.0, 1.0);
    let clamped_activation = clip(activation, 0.0, 1.0);
    let up = parameters[0] * (0.5 + 1.5 * clamped_activation);
    let down = parameters[1] / (0.5 + 1.5 * clamped_activation);
    let excess = clamped_control - activation;
    excess / max(MIN_VALUE, dynamics_timescale(excess, up, down, parameters[2]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMETERS: [f64; 9] = [0.75, 1.05, -1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2];

    #[test]
    fn curves_meet_at_the_optimum() {
        assert_eq!(gain_length(1.0, 0.5, 1.6), 1.0);
        assert_eq!(gain_length(0.5, 0.5, 1.6), 0.0);
        assert_eq!(gain_length(1.7, 0.5, 1.6), 0.0);
        let m = Muscle::from(&PARAMETERS);
        assert_eq!(m.gain_velocity(0.0), 1.0);
        assert_eq!(m.gain_velocity(-2.0), 0.0);
        assert_eq!(m.gain_velocity(5.0), 1.2);
    }

    #[test]
    fn peak_force_follows_from_the_acceleration_scale() {
        let m = Muscle::from(&PARAMETERS);
        let at_rest = m.gain(1.0 / 3.0 + 0.5, 0.0, [0.0, 1.0], 2.0);
        assert!((at_rest + 100.0).abs() < 1e-9);
        assert_eq!(m.bias(0.0, [0.0, 1.0], 2.0), 0.0);
        assert!(m.bias(3.0, [0.0, 1.0], 2.0) < -100.0);
    }

    #[test]
    fn activation_rises_faster_than_it_falls() {
        let tau = [0.01, 0.04, 0.0];
        assert!(dynamics(1.0, 0.5, tau) > -dynamics(0.0, 0.5, tau));
        assert_eq!(dynamics(0.3, 0.3, tau), 0.0);
        assert!(dynamics_timescale(0.0, 0.01, 0.03, 0.2) == 0.02);
    }
}
