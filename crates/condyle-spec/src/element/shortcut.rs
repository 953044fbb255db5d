//! The shortcuts that set gain, bias and dynamics of an actuator.

use condyle_model::{BiasType, DynamicsType, GainType, hill};

use super::Actuator;
use crate::orientation::Limited;

/// What a position servo is made from.
#[derive(Clone, Copy, Debug, Default)]
pub struct PositionParameters {
    /// Position gain.
    pub kp: f64,
    /// Velocity gain.
    pub kv: Option<f64>,
    /// Damping ratio, instead of a velocity gain.
    pub dampratio: Option<f64>,
    /// Time constant of a filter between control and force, s.
    pub timeconst: Option<f64>,
    /// Ratio of the control range to the range of the target; 0: not inherited.
    pub inheritrange: f64,
}

/// What a muscle is made from; a negative value keeps the current one.
#[derive(Clone, Copy, Debug)]
pub struct MuscleParameters {
    /// Time constants of activation and deactivation, s.
    pub timeconst: [f64; 2],
    /// Width of the smooth switch between the time constants.
    pub tausmooth: f64,
    /// Range of operating lengths, in optimal lengths.
    pub range: [f64; 2],
    /// Peak active force at rest, N; negative: from `scale`.
    pub force: f64,
    /// Force times the acceleration of a unit force, where no force is given.
    pub scale: f64,
    /// Minimum length with active force, in optimal lengths.
    pub lmin: f64,
    /// Maximum length with active force, in optimal lengths.
    pub lmax: f64,
    /// Speed of shortening without force, optimal lengths per second.
    pub vmax: f64,
    /// Passive force at `lmax`, in peak forces.
    pub fpmax: f64,
    /// Active force at high speed of lengthening, in peak forces.
    pub fvmax: f64,
}

impl Default for MuscleParameters {
    fn default() -> Self {
        Self {
            timeconst: [-1.0; 2],
            tausmooth: 0.0,
            range: [-1.0; 2],
            force: -1.0,
            scale: -1.0,
            lmin: -1.0,
            lmax: -1.0,
            vmax: -1.0,
            fpmax: -1.0,
            fvmax: -1.0,
        }
    }
}

/// What a Hill-type muscle is made from; what is not given keeps its current value.
#[derive(Clone, Copy, Debug, Default)]
pub struct HillMuscleParameters {
    /// Activation and deactivation time constants, s.
    pub timeconst: Option<[f64; 2]>,
    /// Width of the smooth switch between them.
    pub tausmooth: Option<f64>,
    /// Peak isometric force, N; negative: `scale` divided by the acceleration of a unit force.
    pub max_isometric_force: Option<f64>,
    /// Force times the acceleration of a unit force, where no force is given.
    pub scale: Option<f64>,
    /// m
    pub optimal_fiber_length: Option<f64>,
    /// m
    pub tendon_slack_length: Option<f64>,
    /// Optimal fibre lengths per second.
    pub max_contraction_velocity: Option<f64>,
    /// At the optimal fibre length, rad.
    pub pennation: Option<f64>,
    /// Whether the pennation angle follows the fibre length.
    pub varying_pennation: Option<bool>,
    /// Whether the tendon stretches.
    pub compliant_tendon: Option<bool>,
    /// Peak forces per unit strain, beyond the toe.
    pub tendon_stiffness: Option<f64>,
    /// Strain under the peak isometric force, instead of the stiffness.
    pub tendon_strain: Option<f64>,
    /// Peak forces per normalised velocity.
    pub fiber_damping: Option<f64>,
    /// Family of force-length curves, by the number of its word.
    pub curve: Option<i32>,
    /// Strain of passive fibres under the peak force.
    pub passive_strain: Option<f64>,
    /// Force at high speed of lengthening, peak forces.
    pub eccentric_force: Option<f64>,
    /// Width of Thelen's active curve.
    pub active_width: Option<f64>,
}

/// The shortcuts write over what the actuator (or its default class) held before and leave the rest: several of them applied to
/// one default class therefore mix, as they do in the reference. Each returns what is wrong with its arguments.
impl Actuator {
    /// Direct drive: force = control.
    pub fn set_to_motor(&mut self) {
        self.gainprm[0] = 1.0;
        self.dyntype = DynamicsType::None;
        self.gaintype = GainType::Fixed;
        self.biastype = BiasType::None;
    }

    /// Position servo: force = kp·(control − length) − kv·velocity.
    pub fn set_to_position(&mut self, servo: &PositionParameters) -> Result<(), &'static str> {
        self.gainprm[0] = servo.kp;
        self.biasprm[1] = -servo.kp;
        if servo.kv.is_some() && servo.dampratio.is_some() {
            return Err("kv and dampratio cannot both be defined");
        }
        if let Some(kv) = servo.kv {
            if kv < 0.0 {
                return Err("kv cannot be negative");
            }
            self.biasprm[2] = -kv;
        }
        if let Some(dampratio) = servo.dampratio {
            if dampratio < 0.0 {
                return Err("dampratio cannot be negative");
            }
            // A positive value marks a damping ratio, turned into damping once the inertia is known.
            self.biasprm[2] = dampratio;
        }
        if let Some(timeconst) = servo.timeconst {
            if timeconst < 0.0 {
                return Err("timeconst cannot be negative");
            }
            self.dynprm[0] = timeconst;
            self.dyntype = if timeconst == 0.0 { DynamicsType::None } else { DynamicsType::FilterExact };
        }
        self.inheritrange = servo.inheritrange;
        if servo.inheritrange > 0.0 && self.ctrlrange != [0.0; 2] {
            return Err("ctrlrange and inheritrange cannot both be defined");
        }
        self.gaintype = GainType::Fixed;
        self.biastype = BiasType::Affine;
        Ok(())
    }

    /// Position servo whose set point is the integral of the control. Errors of the position part are not reported, as in the
    /// reference.
    pub fn set_to_int_velocity(&mut self, servo: &PositionParameters) -> Result<(), &'static str> {
        let _ = self.set_to_position(servo);
        self.dyntype = DynamicsType::Integrator;
        self.actlimited = Limited::True;
        if servo.inheritrange > 0.0 && self.actrange != [0.0; 2] {
            return Err("actrange and inheritrange cannot both be defined");
        }
        Ok(())
    }

    /// Velocity servo: force = kv·(control − velocity).
    pub fn set_to_velocity(&mut self, kv: f64) {
        self.biasprm = [0.0; 10];
        self.gainprm[0] = kv;
        self.biasprm[2] = -kv;
        self.dyntype = DynamicsType::None;
        self.gaintype = GainType::Fixed;
        self.biastype = BiasType::Affine;
    }

    /// Damper with controlled damping: force = −kv·control·velocity.
    pub fn set_to_damper(&mut self, kv: f64) -> Result<(), &'static str> {
        self.gainprm = [0.0; 10];
        self.gainprm[2] = -kv;
        self.ctrllimited = Limited::True;
        self.dyntype = DynamicsType::None;
        self.gaintype = GainType::Affine;
        self.biastype = BiasType::None;
        if kv < 0.0 {
            return Err("damping coefficient cannot be negative");
        }
        self.require_positive_control("damper control range cannot be negative")
    }

    /// Pneumatic or hydraulic cylinder. A diameter that is not negative replaces the area.
    pub fn set_to_cylinder(&mut self, timeconst: f64, bias: f64, area: f64, diameter: f64) {
        self.dynprm[0] = timeconst;
        self.biasprm[0] = bias;
        self.gainprm[0] = area;
        if diameter >= 0.0 {
            self.gainprm[0] = std::f64::consts::PI / 4.0 * diameter * diameter;
        }
        self.dyntype = DynamicsType::Filter;
        self.gaintype = GainType::Fixed;
        self.biastype = BiasType::Affine;
    }

    /// Muscle: activation dynamics with two time constants, force-length-velocity gain, passive force.
    pub fn set_to_muscle(&mut self, muscle: &MuscleParameters) -> Result<(), &'static str> {
        // Values still at an actuator's general defaults take the muscle's.
        let dynamics = [(0, 1.0, 0.01), (1, 0.0, 0.04)];
        for (index, general, value) in dynamics {
            if self.dynprm[index] == general {
                self.dynprm[index] = value;
            }
        }
        let gains = [
            (0, 1.0, 0.75),
            (1, 0.0, 1.05),
            (2, 0.0, -1.0),
            (3, 0.0, 200.0),
            (4, 0.0, 0.5),
            (5, 0.0, 1.6),
            (6, 0.0, 1.5),
            (7, 0.0, 1.3),
            (8, 0.0, 1.2),
        ];
        for (index, general, value) in gains {
            if self.gainprm[index] == general {
                self.gainprm[index] = value;
            }
        }
        if muscle.tausmooth < 0.0 {
            return Err("muscle tausmooth cannot be negative");
        }
        self.dynprm[2] = muscle.tausmooth;
        for index in 0..2 {
            if muscle.timeconst[index] >= 0.0 {
                self.dynprm[index] = muscle.timeconst[index];
            }
        }
        let given = [
            muscle.range[0],
            muscle.range[1],
            muscle.force,
            muscle.scale,
            muscle.lmin,
            muscle.lmax,
            muscle.vmax,
            muscle.fpmax,
            muscle.fvmax,
        ];
        for (index, value) in given.into_iter().enumerate() {
            if value >= 0.0 {
                self.gainprm[index] = value;
            }
            self.biasprm[index] = self.gainprm[index];
        }
        self.dyntype = DynamicsType::Muscle;
        self.gaintype = GainType::Muscle;
        self.biastype = BiasType::Muscle;
        Ok(())
    }

    /// Hill-type muscle, an extension: fibres with pennation in series with a rigid or compliant tendon.
    pub fn set_to_hill_muscle(&mut self, muscle: &HillMuscleParameters) -> Result<(), &'static str> {
        if self.gaintype != GainType::HillMuscle {
            self.gainprm = hill::DEFAULT_GAIN;
        }
        if self.dyntype != DynamicsType::HillMuscle {
            self.dynprm = hill::DEFAULT_DYNAMICS;
        }
        self.dyntype = DynamicsType::HillMuscle;
        self.gaintype = GainType::HillMuscle;
        self.biastype = BiasType::HillMuscle;
        self.limit_hill_activation();
        if muscle.tendon_stiffness.is_some() && muscle.tendon_strain.is_some() {
            return Err("tendonstiffness and tendonstrain cannot both be defined");
        }
        if muscle.tendon_strain.is_some_and(|strain| !(strain > 0.0)) {
            return Err("tendonstrain must be positive");
        }
        let flag = |value: Option<bool>| value.map(f64::from);
        let stiffness = muscle.tendon_stiffness.or(muscle.tendon_strain.map(hill::stiffness_for_strain));
        let gains = [
            (hill::FORCE, muscle.max_isometric_force),
            (hill::SCALE, muscle.scale),
            (hill::OPTIMAL_FIBER_LENGTH, muscle.optimal_fiber_length),
            (hill::TENDON_SLACK_LENGTH, muscle.tendon_slack_length),
            (hill::MAX_CONTRACTION_VELOCITY, muscle.max_contraction_velocity),
            (hill::PENNATION_ANGLE, muscle.pennation),
            (hill::TENDON_STIFFNESS, stiffness),
            (hill::VARYING_PENNATION, flag(muscle.varying_pennation)),
        ];
        for (index, value) in gains {
            self.gainprm[index] = value.unwrap_or(self.gainprm[index]);
        }
        let dynamics = [
            (0, muscle.timeconst.map(|[rising, _]| rising)),
            (1, muscle.timeconst.map(|[_, falling]| falling)),
            (2, muscle.tausmooth),
            (hill::COMPLIANT_TENDON, flag(muscle.compliant_tendon)),
            (hill::FIBER_DAMPING, muscle.fiber_damping),
            (hill::CURVE, muscle.curve.map(f64::from)),
            (hill::PASSIVE_STRAIN, muscle.passive_strain),
            (hill::ECCENTRIC_FORCE, muscle.eccentric_force),
            (hill::ACTIVE_WIDTH, muscle.active_width),
        ];
        for (index, value) in dynamics {
            self.dynprm[index] = value.unwrap_or(self.dynprm[index]);
        }
        Ok(())
    }

    /// What `dyntype="hillmuscle"` brings with it where the types were not given: gain and bias of the same type, a limited
    /// activation.
    pub fn complete_hill_types(&mut self, gain_given: bool, bias_given: bool) {
        if !gain_given && self.gaintype == GainType::Fixed {
            self.gaintype = GainType::HillMuscle;
        }
        if !bias_given && self.biastype == BiasType::None {
            self.biastype = BiasType::HillMuscle;
        }
        self.limit_hill_activation();
    }

    /// Parameters of types that have become those of a Hill-type muscle since `before`, where they are still at an actuator's
    /// general defaults, take the muscle's.
    pub fn complete_hill_parameters(&mut self, before: [i32; 3]) {
        let general = Self::default();
        let now = self.types();
        let own_bias = |[_, gain, bias]: [i32; 3]| {
            bias == BiasType::HillMuscle as i32 && gain != GainType::HillMuscle as i32
        };
        let became = |index: usize, kind: i32| now[index] == kind && before[index] != kind;
        if became(0, DynamicsType::HillMuscle as i32) && self.dynprm == general.dynprm {
            self.dynprm = hill::DEFAULT_DYNAMICS;
        }
        if became(1, GainType::HillMuscle as i32) && self.gainprm == general.gainprm {
            self.gainprm = hill::DEFAULT_GAIN;
        }
        if own_bias(now) && !own_bias(before) && self.biasprm == general.biasprm {
            self.biasprm = hill::DEFAULT_GAIN;
        }
    }

    /// Types of dynamics, gain and bias as numbers.
    pub fn types(&self) -> [i32; 3] {
        [self.dyntype as i32, self.gaintype as i32, self.biastype as i32]
    }

    /// The activation of a Hill-type muscle is limited to the unit interval unless another range is given.
    fn limit_hill_activation(&mut self) {
        if self.actlimited == Limited::Auto {
            self.actlimited = Limited::True;
        }
        if self.actrange == [0.0; 2] {
            self.actrange = [0.0, 1.0];
        }
    }

    /// Whether the actuator is a Hill-type muscle whose tendon stretches.
    pub fn has_compliant_tendon(&self) -> bool {
        self.dyntype == DynamicsType::HillMuscle && self.dynprm[hill::COMPLIANT_TENDON] != 0.0
    }

    /// Parameters of the bias as the model holds them: gain and bias of one Hill-type muscle share those of the gain.
    pub fn bias_parameters(&self) -> &[f64; 10] {
        let shared = self.gaintype == GainType::HillMuscle && self.biastype == BiasType::HillMuscle;
        if shared { &self.gainprm } else { &self.biasprm }
    }

    /// Number of activation variables.
    pub fn activation_count(&self) -> usize {
        let needed = match self.dyntype {
            DynamicsType::None => 0,
            DynamicsType::HillMuscle if self.has_compliant_tendon() => 2,
            _ => 1,
        };
        usize::try_from(self.actdim).unwrap_or(needed)
    }

    /// Adhesion of a body's geoms to what they touch.
    pub fn set_to_adhesion(&mut self, gain: f64) -> Result<(), &'static str> {
        self.gainprm[0] = gain;
        self.ctrllimited = Limited::True;
        self.gaintype = GainType::Fixed;
        self.biastype = BiasType::None;
        if gain < 0.0 {
            return Err("adhesion gain cannot be negative");
        }
        self.require_positive_control("adhesion control range cannot be negative")
    }

    fn require_positive_control(&self, message: &'static str) -> Result<(), &'static str> {
        if self.ctrlrange[0] < 0.0 || self.ctrlrange[1] < 0.0 { Err(message) } else { Ok(()) }
    }
}
