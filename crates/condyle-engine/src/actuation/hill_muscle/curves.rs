//! Dimensionless curves of the Hill-type muscle, their slopes and the energy below them.
//!
//! Lengths are in optimal fibre lengths, velocities in the greatest speed of contraction (negative when shortening), forces in the
//! peak isometric force, strains in the slack length of the tendon.
//!
//! | curve | formula |
//! |---|---|
//! | active force by length | `exp(-((l - 1)/w)²)`, `w` = 0.45 below and 0.56 above the optimum, 0 outside [0.5, 1.6] |
//! | force by velocity | shortening `c (1 + v)/(c - v)`, lengthening `1 + (e - 1) v/(v + c)`, with `c` = 0.25, `e` = 1.5 |
//! | passive force by length | `(exp(4 (l - 1)) - 1)/(exp(4) - 1)` above the optimum |
//! | tendon by strain | exponential toe up to a third of the peak force, then a line of the given stiffness |
//!
//! Active and passive force after Thelen (2003, doi:10.1115/1.1531112), velocity after Hill (1938, doi:10.1098/rspb.1938.0050).

use condyle_model::hill::{TOE_FORCE, TOE_SHAPE, toe_slope};

/// Widths of the active curve below and above the optimum.
const WIDTH: [f64; 2] = [0.45, 0.56];
/// Lengths outside which there is no active force.
pub const ACTIVE_RANGE: [f64; 2] = [0.5, 1.6];
/// Curvature of both branches of the velocity curve.
pub(super) const CURVATURE: f64 = 0.25;
/// Force at infinite speed of lengthening.
pub const ECCENTRIC_LIMIT: f64 = 1.5;
/// Steepness of the passive curve.
pub(super) const PASSIVE_SHAPE: f64 = 4.0;

fn active_width(length: f64) -> f64 {
    if length <= 1.0 { WIDTH[0] } else { WIDTH[1] }
}

/// Active force of isometric fibres.
pub fn active_force(length: f64) -> f64 {
    if !(length >= ACTIVE_RANGE[0] && length <= ACTIVE_RANGE[1]) {
        return 0.0;
    }
    let x = (length - 1.0) / active_width(length);
    (-x * x).exp()
}

/// The Gaussian without its cuts, and its slope.
pub(super) fn gaussian(length: f64) -> [f64; 2] {
    let width = active_width(length);
    let x = (length - 1.0) / width;
    let value = (-x * x).exp();
    [value, -2.0 * (length - 1.0) / (width * width) * value]
}

/// Slope of [`active_force`].
pub fn active_slope(length: f64) -> f64 {
    let width = active_width(length);
    -2.0 * (length - 1.0) / (width * width) * active_force(length)
}

/// Active force relative to that of isometric fibres.
pub fn velocity_force(velocity: f64) -> f64 {
    if velocity <= -1.0 {
        0.0
    } else if velocity <= 0.0 {
        CURVATURE * (1.0 + velocity) / (CURVATURE - velocity)
    } else {
        1.0 + (ECCENTRIC_LIMIT - 1.0) * velocity / (velocity + CURVATURE)
    }
}

/// Slope of [`velocity_force`].
pub fn velocity_slope(velocity: f64) -> f64 {
    if velocity <= -1.0 {
        0.0
    } else if velocity <= 0.0 {
        let distance = CURVATURE - velocity;
        CURVATURE * (1.0 + CURVATURE) / (distance * distance)
    } else {
        let distance = CURVATURE + velocity;
        (ECCENTRIC_LIMIT - 1.0) * CURVATURE / (distance * distance)
    }
}

/// Velocity at which `active · velocity_force(v) + damping · v = force`: the root of a quadratic on each branch. The left side
/// grows with `v` as long as `damping` is positive, so there is exactly one.
pub fn velocity_of_force(force: f64, active: f64, damping: f64) -> f64 {
    velocity_of(force, active, damping, ECCENTRIC_LIMIT, CURVATURE)
}

/// [`velocity_of_force`] where lengthening follows `1 + (eccentric - 1) v/(v + lengthening)`.
pub(super) fn velocity_of(force: f64, active: f64, damping: f64, eccentric: f64, lengthening: f64) -> f64 {
    if force <= -damping {
        return force / damping;
    }
    // β v² + b v + q = 0 with one negative and one positive root, and the sign says which branch.
    if force <= active {
        let q = CURVATURE * (active - force);
        let b = -(active * CURVATURE + damping * CURVATURE + force);
        let root = (b * b + 4.0 * damping * q).sqrt();
        if b < 0.0 { -2.0 * q / (root - b) } else { (-b - root) / (2.0 * damping) }
    } else {
        let q = lengthening * (active - force);
        let b = active * eccentric + damping * lengthening - force;
        let root = (b * b - 4.0 * damping * q).sqrt();
        if b > 0.0 { -2.0 * q / (b + root) } else { (root - b) / (2.0 * damping) }
    }
}

/// Force of stretched fibres without activation.
pub fn passive_force(length: f64) -> f64 {
    if length <= 1.0 { 0.0 } else { (PASSIVE_SHAPE * (length - 1.0)).exp_m1() / PASSIVE_SHAPE.exp_m1() }
}

/// Slope of [`passive_force`].
pub fn passive_slope(length: f64) -> f64 {
    if length <= 1.0 {
        0.0
    } else {
        PASSIVE_SHAPE * (PASSIVE_SHAPE * (length - 1.0)).exp() / PASSIVE_SHAPE.exp_m1()
    }
}

/// Energy stored in stretched fibres, in peak force times optimal length: the integral of [`passive_force`].
pub fn passive_energy(length: f64) -> f64 {
    if length <= 1.0 {
        return 0.0;
    }
    let stretch = length - 1.0;
    ((PASSIVE_SHAPE * stretch).exp_m1() / PASSIVE_SHAPE - stretch) / PASSIVE_SHAPE.exp_m1()
}

/// Force of a tendon of this stiffness.
pub fn tendon_force(strain: f64, stiffness: f64) -> f64 {
    let toe = toe_slope() / stiffness;
    if strain <= 0.0 {
        0.0
    } else if strain <= toe {
        TOE_FORCE * (TOE_SHAPE * strain / toe).exp_m1() / TOE_SHAPE.exp_m1()
    } else {
        TOE_FORCE + stiffness * (strain - toe)
    }
}

/// Slope of [`tendon_force`].
pub fn tendon_slope(strain: f64, stiffness: f64) -> f64 {
    let toe = toe_slope() / stiffness;
    if strain <= 0.0 {
        0.0
    } else if strain <= toe {
        TOE_FORCE * TOE_SHAPE / toe * (TOE_SHAPE * strain / toe).exp() / TOE_SHAPE.exp_m1()
    } else {
        stiffness
    }
}

/// Energy stored in a stretched tendon, in peak force times slack length: the integral of [`tendon_force`].
pub fn tendon_energy(strain: f64, stiffness: f64) -> f64 {
    let toe = toe_slope() / stiffness;
    let below = |strain: f64| {
        let x = TOE_SHAPE * strain / toe;
        TOE_FORCE / TOE_SHAPE.exp_m1() * (x.exp_m1() - x) * toe / TOE_SHAPE
    };
    if strain <= 0.0 {
        0.0
    } else if strain <= toe {
        below(strain)
    } else {
        let beyond = strain - toe;
        below(toe) + beyond * (TOE_FORCE + 0.5 * stiffness * beyond)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn differs(function: impl Fn(f64) -> f64, slope: impl Fn(f64) -> f64, at: f64) -> f64 {
        let step = 1e-6;
        ((function(at + step) - function(at - step)) / (2.0 * step) - slope(at)).abs()
    }

    #[test]
    fn slopes_match_differences() {
        for length in [0.6, 0.9, 1.2, 1.5, 1.9] {
            assert!(differs(active_force, active_slope, length) < 1e-8, "{length}");
            assert!(differs(passive_force, passive_slope, length) < 1e-8, "{length}");
            assert!(differs(passive_energy, passive_force, length) < 1e-8, "{length}");
        }
        for velocity in [-1.3, -0.8, -0.1, 0.1, 2.0] {
            assert!(differs(velocity_force, velocity_slope, velocity) < 1e-7, "{velocity}");
        }
        for strain in [-0.01, 0.01, 0.02, 0.04, 0.1] {
            assert!(differs(|x| tendon_force(x, 35.0), |x| tendon_slope(x, 35.0), strain) < 1e-5, "{strain}");
            assert!(
                differs(|x| tendon_energy(x, 35.0), |x| tendon_force(x, 35.0), strain) < 1e-8,
                "{strain}"
            );
        }
    }

    #[test]
    fn the_velocity_of_a_force_gives_that_force() {
        for damping in [1e-6, 0.01, 0.1, 1.0] {
            for active in [0.0, 1e-3, 0.2, 1.0] {
                for force in [-3.0, -0.1, -0.01, 0.0, 1e-4, 0.1, 0.9, 1.0, 1.2, 1.6, 5.0] {
                    let velocity = velocity_of_force(force, active, damping);
                    let back = active * velocity_force(velocity) + damping * velocity;
                    assert!(
                        (back - force).abs() <= 1e-9 * (1.0 + force.abs()),
                        "damping {damping} active {active} force {force}: v {velocity} gives {back}"
                    );
                }
            }
        }
        assert_eq!(velocity_of_force(0.4, 0.4, 0.1), 0.0);
    }
}
