//! Muscle model: active force from length and velocity curves, passive force, activation dynamics.
//!
//! Length is normalised so that the actuator's length range covers the muscle's operating range; parameters are
//! `(range₀, range₁, force, scale, lmin, lmax, vmax, fpmax, fvmax)`. Reference: `mju_muscleGain`, `mju_muscleBias`,
//! `mju_muscleDynamics`; time constants after Millard et al. (2013).

use condyle_math::{MIN_VALUE, scalar};

/// Parameters of the force curves.
type Parameters = [f64; 10];

/// Peak active force; a negative parameter means scale divided by the acceleration of a unit force.
pub fn peak_force(acc0: f64, parameters: &Parameters) -> f64 {
    if parameters[2] < 0.0 { parameters[3] / scalar::max(MIN_VALUE, acc0) } else { parameters[2] }
}

/// Optimal length of the muscle.
pub fn optimal_length(length_range: [f64; 2], parameters: &Parameters) -> f64 {
    (length_range[1] - length_range[0]) / scalar::max(MIN_VALUE, parameters[1] - parameters[0])
}

/// Active force at a normalised length, relative to its peak at 1.
pub fn length_curve(length: f64, low: f64, high: f64) -> f64 {
    if !(low <= length && length <= high) {
        return 0.0;
    }
    let a = 0.5 * (low + 1.0);
    let b = 0.5 * (1.0 + high);
    if length <= a {
        let x = (length - low) / scalar::max(MIN_VALUE, a - low);
        0.5 * x * x
    } else if length <= 1.0 {
        let x = (1.0 - length) / scalar::max(MIN_VALUE, 1.0 - a);
        1.0 - 0.5 * x * x
    } else if length <= b {
        let x = (length - 1.0) / scalar::max(MIN_VALUE, b - 1.0);
        1.0 - 0.5 * x * x
    } else {
        let x = (high - length) / scalar::max(MIN_VALUE, high - b);
        0.5 * x * x
    }
}

/// Active force per activation, negative because muscles pull.
pub fn gain(length: f64, velocity: f64, length_range: [f64; 2], acc0: f64, parameters: &Parameters) -> f64 {
    let [start, _, _, _, low, high, top_speed, _, eccentric, _] = *parameters;
    let force = peak_force(acc0, parameters);
    let optimal = optimal_length(length_range, parameters);
    let length = start + (length - length_range[0]) / scalar::max(MIN_VALUE, optimal);
    let velocity = velocity / scalar::max(MIN_VALUE, optimal * top_speed);
    let by_length = length_curve(length, low, high);
    let y = eccentric - 1.0;
    let by_velocity = if velocity <= -1.0 {
        0.0
    } else if velocity <= 0.0 {
        (velocity + 1.0) * (velocity + 1.0)
    } else if velocity <= y {
        eccentric - (y - velocity) * (y - velocity) / scalar::max(MIN_VALUE, y)
    } else {
        eccentric
    };
    -force * by_length * by_velocity
}

/// Derivative of [`gain`] with respect to velocity.
pub fn gain_velocity_derivative(
    length: f64,
    velocity: f64,
    length_range: [f64; 2],
    acc0: f64,
    parameters: &Parameters,
) -> f64 {
    let [start, _, _, _, low, high, top_speed, _, eccentric, _] = *parameters;
    let force = peak_force(acc0, parameters);
    let optimal = optimal_length(length_range, parameters);
    let length = start + (length - length_range[0]) / scalar::max(MIN_VALUE, optimal);
    let speed = scalar::max(MIN_VALUE, optimal * top_speed);
    let velocity = velocity / speed;
    let by_length = length_curve(length, low, high);
    let y = eccentric - 1.0;
    let slope = if velocity <= -1.0 {
        0.0
    } else if velocity <= 0.0 {
        2.0 * velocity + 2.0
    } else if velocity <= y {
        (-2.0 * velocity + 2.0 * y) / scalar::max(MIN_VALUE, y)
    } else {
        0.0
    };
    -force * by_length * slope / speed
}

/// Passive force of a stretched muscle.
pub fn bias(length: f64, length_range: [f64; 2], acc0: f64, parameters: &Parameters) -> f64 {
    let [start, _, _, _, _, high, _, passive, _, _] = *parameters;
    let force = peak_force(acc0, parameters);
    let optimal = optimal_length(length_range, parameters);
    let length = start + (length - length_range[0]) / scalar::max(MIN_VALUE, optimal);
    let b = 0.5 * (1.0 + high);
    if length <= 1.0 {
        0.0
    } else if length <= b {
        let x = (length - 1.0) / scalar::max(MIN_VALUE, b - 1.0);
        -force * passive * 0.5 * x * x
    } else {
        let x = (length - b) / scalar::max(MIN_VALUE, b - 1.0);
        -force * passive * (0.5 + x)
    }
}

/// Rate of activation. Parameters: activation and deactivation time constants, width of the smooth switch between them.
pub fn activation_rate(ctrl: f64, act: f64, parameters: &[f64; 10]) -> f64 {
    let excitation = scalar::clip(ctrl, 0.0, 1.0);
    let activation = scalar::clip(act, 0.0, 1.0);
    let rising = parameters[0] * (0.5 + 1.5 * activation);
    let falling = parameters[1] / (0.5 + 1.5 * activation);
    let excess = excitation - act;
    excess / scalar::max(MIN_VALUE, time_constant(excess, rising, falling, parameters[2]))
}

/// Time constant for an excess of excitation, switching smoothly over `width` when it is not zero.
pub fn time_constant(excess: f64, rising: f64, falling: f64, width: f64) -> f64 {
    if width < MIN_VALUE {
        if excess > 0.0 { rising } else { falling }
    } else {
        falling + (rising - falling) * scalar::sigmoid(excess / width + 0.5)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STANDARD: Parameters = [0.75, 1.05, -1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2, 0.0];

    #[test]
    fn active_force_peaks_at_the_optimal_length() {
        assert_eq!(length_curve(1.0, 0.5, 1.6), 1.0);
        assert_eq!(length_curve(0.4, 0.5, 1.6), 0.0);
        assert_eq!(length_curve(1.7, 0.5, 1.6), 0.0);
        let optimal = 1.0 + (1.0 - 0.75) * (0.3 / 0.3);
        assert!((gain(optimal, 0.0, [1.0, 1.3], 2.0, &STANDARD) + 100.0).abs() < 1e-9);
    }

    #[test]
    fn velocity_derivative_matches_differences() {
        for velocity in [-2.0, -0.7, -0.1, 0.05, 0.4, 1.0] {
            let at = |v: f64| gain(1.2, v, [1.0, 1.3], 2.0, &STANDARD);
            let difference = (at(velocity + 1e-6) - at(velocity - 1e-6)) / 2e-6;
            let derivative = gain_velocity_derivative(1.2, velocity, [1.0, 1.3], 2.0, &STANDARD);
            assert!((difference - derivative).abs() < 1e-4, "{velocity}: {difference} {derivative}");
        }
    }

    #[test]
    fn smooth_switch_meets_both_time_constants() {
        assert!((time_constant(1.0, 0.01, 0.04, 0.2) - 0.01).abs() < 1e-15);
        assert_eq!(time_constant(-1.0, 0.01, 0.04, 0.2), 0.04);
        assert!((time_constant(0.0, 0.01, 0.04, 0.2) - 0.025).abs() < 1e-12);
    }
}
