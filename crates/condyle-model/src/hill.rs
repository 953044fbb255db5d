//! Parameters of the Hill-type muscle, an extension of the model format, in the arrays of an actuator.
//!
//! | array | entries |
//! |---|---|
//! | `gainprm` (and `biasprm`) | range₀ range₁ force scale optimal_fiber_length tendon_slack_length max_contraction_velocity pennation_angle tendon_stiffness varying_pennation |
//! | `dynprm` | activation and deactivation time constant, smoothing width, compliant_tendon, fiber_damping, curve, passive_strain, eccentric_force, active_width |
//!
//! The first four entries mean what they mean for a standard muscle; the range is kept and has no effect. A muscle with a compliant
//! tendon has two activation variables: the length of its fibres in optimal lengths, then its activation.

use crate::{BiasType, DynamicsType, GainType, Model};

/// Gain parameters where the user gives none.
pub const DEFAULT_GAIN: [f64; 10] = [0.75, 1.05, -1.0, 200.0, 0.1, 0.2, 10.0, 0.0, 35.0, 0.0];
/// Dynamics parameters where the user gives none.
pub const DEFAULT_DYNAMICS: [f64; 10] = [0.01, 0.04, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
/// Fibre damping of a muscle with a compliant tendon where the user gives none, in units of force per normalised velocity.
pub const DEFAULT_DAMPING: f64 = 0.1;

/// Entry of `gainprm`: peak isometric force in N; negative: `scale` divided by the acceleration of a unit force.
pub const FORCE: usize = 2;
/// Entry of `gainprm`: see [`FORCE`].
pub const SCALE: usize = 3;
/// Entry of `gainprm`: fibre length of the greatest active force, m.
pub const OPTIMAL_FIBER_LENGTH: usize = 4;
/// Entry of `gainprm`: length at which the tendon begins to pull, m.
pub const TENDON_SLACK_LENGTH: usize = 5;
/// Entry of `gainprm`: speed of shortening at which active force vanishes, optimal lengths per second.
pub const MAX_CONTRACTION_VELOCITY: usize = 6;
/// Entry of `gainprm`: angle between fibres and tendon at the optimal length, rad.
pub const PENNATION_ANGLE: usize = 7;
/// Entry of `gainprm`: slope of the tendon's force beyond its toe, in peak forces per unit strain.
pub const TENDON_STIFFNESS: usize = 8;
/// Entry of `gainprm`: not zero when the fibres keep their height, so that the pennation angle follows their length.
pub const VARYING_PENNATION: usize = 9;
/// Entry of `dynprm`: not zero when the tendon stretches.
pub const COMPLIANT_TENDON: usize = 3;
/// Entry of `dynprm`: force of the fibres against their velocity, in peak forces per normalised velocity.
pub const FIBER_DAMPING: usize = 4;

/// Entry of `dynprm`: which family of curves ([`Curve`]).
pub const CURVE: usize = 5;
/// Entry of `dynprm`: strain of passive fibres under the peak force; 0: that of the curve.
pub const PASSIVE_STRAIN: usize = 6;
/// Entry of `dynprm`: force at high speed of lengthening in peak forces; 0: that of the curve.
pub const ECCENTRIC_FORCE: usize = 7;
/// Entry of `dynprm`: width of the active curve of Thelen; 0: his.
pub const ACTIVE_WIDTH: usize = 8;

/// Families of force-length curves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Curve {
    /// A Gaussian that is cut at 0.5 and 1.6 optimal lengths.
    #[default]
    Standard,
    /// The same without the jumps and corners.
    Smooth,
    /// Thelen 2003.
    Thelen,
    /// Millard et al. 2013.
    Millard,
}

impl Curve {
    /// Words for the families, with the numbers that stand for them.
    pub const WORDS: [(&'static str, i32); 4] =
        [("standard", 0), ("smooth", 1), ("thelen", 2), ("millard", 3)];

    /// The family of an entry of `dynprm`; the standard one for a number that stands for none.
    #[must_use]
    pub fn from_parameter(value: f64) -> Self {
        match value {
            1.0 => Self::Smooth,
            2.0 => Self::Thelen,
            3.0 => Self::Millard,
            _ => Self::Standard,
        }
    }
}

/// Cosine of the steepest pennation angle fibres can reach when it varies.
pub const LEAST_COSINE: f64 = 0.1;

/// Force at the end of the tendon's toe, and how strongly the toe is curved (Thelen 2003, doi:10.1115/1.1531112).
pub const TOE_FORCE: f64 = 0.33;
/// See [`TOE_FORCE`].
pub const TOE_SHAPE: f64 = 3.0;

/// Product of stiffness and toe strain for which the toe meets the line without a corner.
#[must_use]
pub fn toe_slope() -> f64 {
    TOE_FORCE * TOE_SHAPE * TOE_SHAPE.exp() / TOE_SHAPE.exp_m1()
}

/// Stiffness of a tendon that stretches by `strain` under the peak isometric force.
#[must_use]
pub fn stiffness_for_strain(strain: f64) -> f64 {
    (toe_slope() + (1.0 - TOE_FORCE)) / strain
}

/// Strain of a tendon of this stiffness under the peak isometric force.
#[must_use]
pub fn strain_for_stiffness(stiffness: f64) -> f64 {
    (toe_slope() + (1.0 - TOE_FORCE)) / stiffness
}

impl Model {
    /// Whether the actuator has the dynamics of a Hill-type muscle with a compliant tendon, and so a state for its fibres.
    #[must_use]
    pub fn has_compliant_tendon(&self, actuator: usize) -> bool {
        self.actuator_dyntype[actuator] == DynamicsType::HillMuscle as i32
            && self.actuator_dynprm[actuator][COMPLIANT_TENDON] != 0.0
            && self.actuator_actnum[actuator] >= 2
    }

    /// Whether anything in the model goes beyond the reference's format.
    #[must_use]
    pub fn uses_extensions(&self) -> bool {
        self.actuator_dyntype.contains(&(DynamicsType::HillMuscle as i32))
            || self.actuator_gaintype.contains(&(GainType::HillMuscle as i32))
            || self.actuator_biastype.contains(&(BiasType::HillMuscle as i32))
            || self.jnt_springinertia.iter().any(|factor| *factor != 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stiffness_and_strain_are_those_of_the_published_tendon() {
        // Thelen gives 1.712 and 0.609 to three digits.
        assert!((stiffness_for_strain(1.0) - 1.712).abs() < 5e-4);
        assert!((toe_slope() / stiffness_for_strain(1.0) - 0.609).abs() < 5e-4);
        assert!((strain_for_stiffness(35.0) - 0.049).abs() < 1e-4);
        assert!((strain_for_stiffness(stiffness_for_strain(0.033)) - 0.033).abs() < 1e-15);
    }
}
