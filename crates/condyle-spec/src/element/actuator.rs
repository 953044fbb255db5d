//! Actuators, and the shortcuts that set their gain, bias and dynamics.

use condyle_model::{BiasType, DynamicsType, GainType, TransmissionType};

use super::Info;
use super::custom::PluginRef;
use crate::orientation::Limited;

/// A force generator: control → activation → force → transmission.
#[derive(Clone, Debug)]
pub struct Actuator {
    pub info: Info,
    pub gaintype: GainType,
    pub gainprm: [f64; 10],
    pub biastype: BiasType,
    pub biasprm: [f64; 10],
    pub dyntype: DynamicsType,
    pub dynprm: [f64; 10],
    /// Number of activation variables; -1: as the dynamics needs.
    pub actdim: i32,
    pub actearly: bool,
    pub trntype: TransmissionType,
    pub gear: [f64; 6],
    pub target: String,
    pub refsite: String,
    pub slidersite: String,
    pub cranklength: f64,
    pub lengthrange: [f64; 2],
    /// Ratio of the control (or activation) range to the range of the target; 0: not inherited.
    pub inheritrange: f64,
    pub ctrllimited: Limited,
    pub ctrlrange: [f64; 2],
    pub forcelimited: Limited,
    pub forcerange: [f64; 2],
    pub actlimited: Limited,
    pub actrange: [f64; 2],
    pub group: i32,
    pub nsample: i32,
    /// Interpolation order of the history: 0 hold, 1 linear, 2 cubic.
    pub interp: i32,
    pub delay: f64,
    pub userdata: Vec<f64>,
    pub plugin: PluginRef,
}

impl Default for Actuator {
    fn default() -> Self {
        let mut unit = [0.0; 10];
        unit[0] = 1.0;
        Self {
            info: Info::default(),
            gaintype: GainType::Fixed,
            gainprm: unit,
            biastype: BiasType::None,
            biasprm: [0.0; 10],
            dyntype: DynamicsType::None,
            dynprm: unit,
            actdim: -1,
            actearly: false,
            trntype: TransmissionType::Undefined,
            gear: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            target: String::new(),
            refsite: String::new(),
            slidersite: String::new(),
            cranklength: 0.0,
            lengthrange: [0.0; 2],
            inheritrange: 0.0,
            ctrllimited: Limited::Auto,
            ctrlrange: [0.0; 2],
            forcelimited: Limited::Auto,
            forcerange: [0.0; 2],
            actlimited: Limited::Auto,
            actrange: [0.0; 2],
            group: 0,
            nsample: 0,
            interp: 0,
            delay: 0.0,
            userdata: Vec::new(),
            plugin: PluginRef::default(),
        }
    }
}

/// What a position servo is made from.
#[derive(Clone, Copy, Debug, Default)]
pub struct PositionParameters {
    pub kp: f64,
    pub kv: Option<f64>,
    pub dampratio: Option<f64>,
    pub timeconst: Option<f64>,
    pub inheritrange: f64,
}

/// What a muscle is made from; a negative value keeps the current one.
#[derive(Clone, Copy, Debug)]
pub struct MuscleParameters {
    pub timeconst: [f64; 2],
    pub tausmooth: f64,
    pub range: [f64; 2],
    pub force: f64,
    pub scale: f64,
    pub lmin: f64,
    pub lmax: f64,
    pub vmax: f64,
    pub fpmax: f64,
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
