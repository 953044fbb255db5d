//! Choices of the dimensionless curves of a Hill-type muscle, per muscle.
//!
//! | choice | active force by length | passive force by length | force by velocity |
//! |---|---|---|---|
//! | `standard` | as in [`curves`]: a Gaussian cut at 0.5 and 1.6, where it jumps | exponential, with a corner at the optimum | slope 5 shortening, 2 lengthening |
//! | `smooth` | the same, brought to zero between 0.4 and 0.6 and between 1.5 and 1.7 | exponential without the corner | slope 5 on both sides |
//! | `thelen` | `exp(-(l - 1)²/γ)`, γ = 0.45, never zero | exponential, F₀ at a strain of 0.6, with a corner | slope 5 shortening, 10 lengthening, towards 1.4 |
//! | `millard` | quintic Bézier curves, zero outside 0.4441 to 1.8123 | the same, F₀ at a strain of 0.7 | slope 5 on both sides, towards 1.4 |
//!
//! Lengthening follows `1 + (e - 1) v/(v + k)` in all of them, shortening Hill's hyperbola. Thelen (2003, doi:10.1115/1.1531112), Millard
//! et al. (2013, doi:10.1115/1.4023390); Thelen's factor of activation in the speed is left out, and tendons are the same for all.

use condyle_model::hill;

use super::bezier::Corner;
use super::curves::{self, CURVATURE, PASSIVE_SHAPE};

/// The curves of one muscle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curves {
    /// Which family.
    pub choice: hill::Curve,
    /// Strain of passive fibres that carry the peak force.
    pub passive_strain: f64,
    /// Force at infinite speed of lengthening.
    pub eccentric: f64,
    /// How soon the force of lengthening is reached.
    lengthening: f64,
    /// Width of Thelen's Gaussian.
    pub active_width: f64,
}

/// Ends of the stretches in which the smooth curve is brought to zero.
const TAPER: [[f64; 2]; 2] = [[0.4, 0.6], [1.7, 1.5]];

/// Points of the active curve after Millard: length, force, slope.
const MILLARD_ACTIVE: [[f64; 3]; 6] = [
    [0.4441, 0.0, 0.0],
    // Halfway up the steep part.
    [0.58705, 0.405224, 3.5434],
    // Halfway along the shallow part.
    [0.84, 0.905224, 0.8616],
    [1.0, 1.0, 0.0],
    [1.40615, 0.5, -1.4039],
    [1.8123, 0.0, 0.0],
];
/// How sharply the corners between them are bent: 0.1 + 0.8 of the published curviness.
const ACTIVE_BEND: f64 = 0.9;
const PASSIVE_BEND: f64 = 0.7;
/// Slopes of the passive curve at low force and at the peak force, times the strain there.
const MILLARD_PASSIVE: [f64; 2] = [0.2, 2.0];

impl Default for Curves {
    fn default() -> Self {
        Self::new(hill::Curve::Standard, 0.0, 0.0, 0.0)
    }
}

/// Quintic step from 0 to 1, flat to the second derivative at both ends, and its slope.
fn step(x: f64) -> [f64; 2] {
    if !(x > 0.0) {
        [0.0, 0.0]
    } else if x >= 1.0 {
        [1.0, 0.0]
    } else {
        [x * x * x * (x * (6.0 * x - 15.0) + 10.0), 30.0 * x * x * (x - 1.0) * (x - 1.0)]
    }
}

impl Curves {
    /// Curves of a family; parameters that are not positive take its own values.
    pub fn new(choice: hill::Curve, passive_strain: f64, eccentric: f64, active_width: f64) -> Self {
        let or = |value: f64, own: f64| if value > 0.0 { value } else { own };
        let [strain, limit] = match choice {
            hill::Curve::Standard | hill::Curve::Smooth => [1.0, curves::ECCENTRIC_LIMIT],
            hill::Curve::Thelen => [0.6, 1.4],
            hill::Curve::Millard => [0.7, 1.4],
        };
        let eccentric = or(eccentric, limit);
        let lengthening = match choice {
            hill::Curve::Standard => CURVATURE,
            // The slope of shortening at rest, (1 + c)/c, goes on; in Thelen's curve it doubles.
            hill::Curve::Smooth | hill::Curve::Millard => (eccentric - 1.0) * CURVATURE / (1.0 + CURVATURE),
            hill::Curve::Thelen => (eccentric - 1.0) * CURVATURE / (2.0 * (1.0 + CURVATURE)),
        };
        Self {
            choice,
            passive_strain: or(passive_strain, strain),
            eccentric,
            lengthening,
            active_width: or(active_width, 0.45),
        }
    }

    /// Active force of isometric fibres, and its slope.
    fn active(&self, length: f64) -> [f64; 2] {
        match self.choice {
            hill::Curve::Standard => [curves::active_force(length), curves::active_slope(length)],
            hill::Curve::Smooth => {
                let [value, slope] = curves::gaussian(length);
                let [[low0, low1], [high0, high1]] = TAPER;
                let [up, up_slope] = step((length - low0) / (low1 - low0));
                let [down, down_slope] = step((length - high0) / (high1 - high0));
                let (up_slope, down_slope) = (up_slope / (low1 - low0), down_slope / (high1 - high0));
                [value * up * down, slope * up * down + value * (up_slope * down + up * down_slope)]
            }
            hill::Curve::Thelen => {
                let x = length - 1.0;
                let value = (-x * x / self.active_width).exp();
                [value, -2.0 * x / self.active_width * value]
            }
            hill::Curve::Millard => {
                let [first, .., last] = MILLARD_ACTIVE;
                if !(length > first[0] && length < last[0]) {
                    return [0.0, 0.0];
                }
                let part = MILLARD_ACTIVE[1..5].iter().position(|point| length <= point[0]).unwrap_or(4);
                Corner::new(MILLARD_ACTIVE[part], MILLARD_ACTIVE[part + 1], ACTIVE_BEND).at(length)
            }
        }
    }

    /// Active force of isometric fibres.
    pub fn active_force(&self, length: f64) -> f64 {
        self.active(length)[0]
    }

    /// Slope of [`active_force`](Self::active_force).
    pub fn active_slope(&self, length: f64) -> f64 {
        self.active(length)[1]
    }

    /// Ends of the two parts of Millard's passive curve.
    fn millard_passive(&self) -> [[f64; 3]; 3] {
        let [low, high] = MILLARD_PASSIVE.map(|slope| slope / self.passive_strain);
        // The toe ends halfway, on the line through the peak force with the high slope, bent once more.
        let middle = 0.5 * self.passive_strain;
        let force = 0.5 * low * middle + 0.05;
        let through = (1.0 - force) / (self.passive_strain - middle);
        [
            [1.0, 0.0, 0.0],
            [1.0 + middle, force, 0.5 * (low + through)],
            [1.0 + self.passive_strain, 1.0, high],
        ]
    }

    /// Force of stretched fibres without activation, and its slope.
    fn passive(&self, length: f64) -> [f64; 2] {
        if length <= 1.0 {
            return [0.0, 0.0];
        }
        let stretch = (length - 1.0) / self.passive_strain;
        let x = PASSIVE_SHAPE * stretch;
        let scale = PASSIVE_SHAPE / self.passive_strain;
        match self.choice {
            hill::Curve::Standard | hill::Curve::Thelen => {
                [x.exp_m1() / PASSIVE_SHAPE.exp_m1(), scale * x.exp() / PASSIVE_SHAPE.exp_m1()]
            }
            hill::Curve::Smooth => {
                let full = PASSIVE_SHAPE.exp_m1() - PASSIVE_SHAPE;
                [(x.exp_m1() - x) / full, scale * x.exp_m1() / full]
            }
            hill::Curve::Millard => {
                let [start, middle, end] = self.millard_passive();
                if length >= end[0] {
                    [end[1] + end[2] * (length - end[0]), end[2]]
                } else if length > middle[0] {
                    Corner::new(middle, end, PASSIVE_BEND).at(length)
                } else {
                    Corner::new(start, middle, PASSIVE_BEND).at(length)
                }
            }
        }
    }

    /// Force of stretched fibres without activation.
    pub fn passive_force(&self, length: f64) -> f64 {
        self.passive(length)[0]
    }

    /// Slope of [`passive_force`](Self::passive_force).
    pub fn passive_slope(&self, length: f64) -> f64 {
        self.passive(length)[1]
    }

    /// Active force relative to that of isometric fibres.
    pub fn velocity_force(&self, velocity: f64) -> f64 {
        if velocity <= 0.0 {
            curves::velocity_force(velocity)
        } else {
            1.0 + (self.eccentric - 1.0) * velocity / (velocity + self.lengthening)
        }
    }

    /// Slope of [`velocity_force`](Self::velocity_force).
    pub fn velocity_slope(&self, velocity: f64) -> f64 {
        if velocity <= 0.0 {
            return curves::velocity_slope(velocity);
        }
        let distance = self.lengthening + velocity;
        (self.eccentric - 1.0) * self.lengthening / (distance * distance)
    }

    /// Velocity at which `active · velocity_force(v) + damping · v = force`.
    pub fn velocity_of_force(&self, force: f64, active: f64, damping: f64) -> f64 {
        curves::velocity_of(force, active, damping, self.eccentric, self.lengthening)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHOICES: [hill::Curve; 4] =
        [hill::Curve::Standard, hill::Curve::Smooth, hill::Curve::Thelen, hill::Curve::Millard];

    fn of(choice: hill::Curve) -> Curves {
        Curves::new(choice, 0.0, 0.0, 0.0)
    }

    /// Greatest change of value and slope between neighbouring points, beyond what the slope and the curvature explain.
    fn jumps(curve: impl Fn(f64) -> [f64; 2], [low, high]: [f64; 2]) -> [f64; 2] {
        let count = 200_000;
        let width = (high - low) / f64::from(count);
        let mut worst = [0.0f64; 2];
        let mut before = curve(low);
        for index in 1..=count {
            let here = curve(low + width * f64::from(index));
            let expected = 0.5 * (before[1] + here[1]) * width;
            worst[0] = condyle_math::scalar::max(worst[0], (here[0] - before[0] - expected).abs());
            worst[1] = condyle_math::scalar::max(worst[1], (here[1] - before[1]).abs());
            before = here;
        }
        worst
    }

    #[test]
    fn the_standard_choice_has_the_bits_of_the_specified_curves() {
        let curves = Curves::default();
        for index in -300..=3000 {
            let x = f64::from(index) * 1e-3;
            assert_eq!(curves.active_force(x).to_bits(), curves::active_force(x).to_bits());
            assert_eq!(curves.passive_force(x).to_bits(), curves::passive_force(x).to_bits());
            assert_eq!(curves.passive_slope(x).to_bits(), curves::passive_slope(x).to_bits());
            let v = x - 1.5;
            assert_eq!(curves.velocity_force(v).to_bits(), curves::velocity_force(v).to_bits());
            assert_eq!(curves.velocity_slope(v).to_bits(), curves::velocity_slope(v).to_bits());
            let of = curves::velocity_of_force(x, 0.3, 0.1);
            assert_eq!(curves.velocity_of_force(x, 0.3, 0.1).to_bits(), of.to_bits());
        }
    }

    #[test]
    fn curves_have_no_jumps_in_value_and_slope_where_their_sources_have_none() {
        for choice in CHOICES {
            let curves = of(choice);
            let active = jumps(|l| curves.active(l), [0.2, 2.2]);
            let passive = jumps(|l| curves.passive(l), [0.8, 2.0]);
            let velocity = jumps(|v| [curves.velocity_force(v), curves.velocity_slope(v)], [-0.999, 2.0]);
            // The specified curve jumps by 0.29 and 0.32; all others are continuous.
            assert_eq!(active[0] > 0.2, choice == hill::Curve::Standard, "{choice:?} {active:?}");
            assert!(passive[0] < 1e-5 && velocity[0] < 1e-3, "{choice:?} {passive:?} {velocity:?}");
            if choice != hill::Curve::Standard {
                assert!(active[0] < 1e-6 && active[1] < 1e-2, "{choice:?} {active:?}");
            }
            let cornered = matches!(choice, hill::Curve::Standard | hill::Curve::Thelen);
            assert_eq!(passive[1] > 0.05, cornered, "{choice:?} {passive:?}");
            assert_eq!(velocity[1] > 1.0, cornered, "{choice:?} {velocity:?}");
        }
    }

    #[test]
    fn the_curvature_of_the_millard_curves_is_continuous() {
        let curves = of(hill::Curve::Millard);
        let active = MILLARD_ACTIVE.map(|point| (point[0], false));
        let passive = curves.millard_passive().map(|point| (point[0], true));
        let width = 1e-7;
        for (knot, is_passive) in active.into_iter().chain(passive) {
            let slope = |at| if is_passive { curves.passive_slope(at) } else { curves.active_slope(at) };
            let before = (slope(knot) - slope(knot - width)) / width;
            let after = (slope(knot + width) - slope(knot)) / width;
            assert!(before.abs() < 0.5 && after.abs() < 0.5, "{knot}: {before} {after}");
        }
    }

    #[test]
    fn all_curves_meet_their_landmarks() {
        for choice in CHOICES {
            let curves = of(choice);
            assert!((curves.active_force(1.0) - 1.0).abs() < 1e-12, "{choice:?}");
            assert!((curves.passive_force(1.0 + curves.passive_strain) - 1.0).abs() < 1e-9, "{choice:?}");
            assert_eq!(curves.velocity_force(0.0), 1.0);
            assert!((curves.velocity_force(1e12) - curves.eccentric).abs() < 1e-9);
            for index in 0..400 {
                let x = 0.2 + 0.005 * f64::from(index);
                let (active, passive) = (curves.active_force(x), curves.passive_force(x));
                assert!((0.0..=1.0 + 1e-12).contains(&active), "{choice:?} {x} {active}");
                assert!(curves.passive_slope(x) >= 0.0 && passive >= 0.0, "{choice:?} {x} {passive}");
                let rising = curves.active_slope(x) >= -1e-9;
                assert!(rising || x > 1.0 || choice == hill::Curve::Standard, "{choice:?} falls at {x}");
            }
        }
        assert_eq!(
            (of(hill::Curve::Smooth).active_force(0.4), of(hill::Curve::Smooth).active_force(1.7)),
            (0.0, 0.0)
        );
        assert_eq!(of(hill::Curve::Smooth).active_force(0.8), curves::active_force(0.8));
    }

    #[test]
    fn slopes_match_differences() {
        let width = 1e-6;
        for choice in CHOICES {
            let curves = of(choice);
            for at in [0.45, 0.55, 0.7, 0.9, 1.1, 1.3, 1.55, 1.65, 1.75] {
                let active =
                    (curves.active_force(at + width) - curves.active_force(at - width)) / (2.0 * width);
                let passive =
                    (curves.passive_force(at + width) - curves.passive_force(at - width)) / (2.0 * width);
                assert!((active - curves.active_slope(at)).abs() < 1e-5, "{choice:?} {at}");
                assert!((passive - curves.passive_slope(at)).abs() < 1e-5, "{choice:?} {at}");
            }
        }
    }

    #[test]
    fn the_velocity_of_a_force_gives_that_force() {
        for choice in CHOICES {
            let curves = of(choice);
            for damping in [1e-6, 0.01, 0.1, 1.0] {
                for active in [0.0, 1e-3, 0.2, 1.0] {
                    for force in [-3.0, -0.1, -0.01, 0.0, 1e-4, 0.1, 0.9, 1.0, 1.2, 1.6, 5.0] {
                        let velocity = curves.velocity_of_force(force, active, damping);
                        let back = active * curves.velocity_force(velocity) + damping * velocity;
                        assert!(
                            (back - force).abs() <= 1e-9 * (1.0 + force.abs()),
                            "{choice:?} {damping} {active} {force}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn curves_have_the_values_of_their_sources() {
        let near = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-13, "{found} {wanted}");
        let thelen = Curves::new(hill::Curve::Thelen, 0.0, 0.0, 0.5);
        near(thelen.active_force(1.5), (-0.5_f64).exp());
        near(thelen.active_slope(1.5), -2.0 * (-0.5_f64).exp());
        near(thelen.active_force(0.75), (-0.125_f64).exp());
        near(thelen.passive_force(1.6), 1.0);
        let millard = Curves::new(hill::Curve::Millard, 0.8, 0.0, 0.0);
        // The toe ends at half the strain: ½ · 0.2/0.8 · 0.4 + 0.05, with the mean of the low slope and that of the line to the peak.
        near(millard.passive_force(1.4), 0.1);
        near(millard.passive_slope(1.4), 0.5 * (0.25 + 0.9 / 0.4));
        near(millard.passive_force(1.8), 1.0);
        near(millard.passive_force(1.9), 1.25);
    }

    /// Derivative by six neighbours, exact for polynomials of degree six.
    fn difference(curve: impl Fn(f64) -> f64, x: f64) -> f64 {
        let h = 3e-4;
        let pair = |k: f64| curve(x + k * h) - curve(x - k * h);
        (45.0 * pair(1.0) - 9.0 * pair(2.0) + pair(3.0)) / (60.0 * h)
    }

    #[test]
    fn slopes_are_derivatives() {
        for choice in CHOICES {
            let curves = of(choice);
            let near = |found: f64, wanted: f64, what: &str| {
                assert!(
                    (found - wanted).abs() < 1e-10 * (1.0 + wanted.abs()),
                    "{choice:?} {what}: {found} {wanted}"
                );
            };
            for length in [0.53, 0.7, 0.93, 1.1, 1.3, 1.55] {
                near(curves.active_slope(length), difference(|l| curves.active_force(l), length), "active");
            }
            for length in [1.1, 1.3, 1.5, 1.75] {
                near(
                    curves.passive_slope(length),
                    difference(|l| curves.passive_force(l), length),
                    "passive",
                );
            }
            for velocity in [-0.8, -0.3, 0.2, 0.9] {
                near(
                    curves.velocity_slope(velocity),
                    difference(|v| curves.velocity_force(v), velocity),
                    "velocity",
                );
            }
        }
    }
}
