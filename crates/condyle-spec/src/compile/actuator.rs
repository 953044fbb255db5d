//! Actuators: transmission targets, ranges and parameters. Reference: mjCActuator::Compile.

use condyle_base::diagnostic::Diagnostic;
use condyle_model::plugins::Capability;
use condyle_model::{BiasType, DynamicsType, GainType, JointType, Model, ObjectType, TransmissionType, hill};

use super::ids::Ids;
use super::limits::{check_limited, is_limited};
use super::problems::{LIMIT, REFERENCE, STRUCTURE, VALUE, element_error};
use super::user_values::check_user;
use super::work::Work;
use crate::element::Actuator;

/// Most samples in a history buffer: the cursor must be exact in single precision.
pub(crate) const MAX_SAMPLES: i32 = 1 << 24;

/// An actuator while the model is compiled.
pub(crate) struct ActuatorWork<'s> {
    pub source: &'s Actuator,
    pub targets: [Option<usize>; 2],
    pub ctrlrange: [f64; 2],
    pub actrange: [f64; 2],
    pub ctrllimited: bool,
    pub forcelimited: bool,
    pub actlimited: bool,
    pub actdim: usize,
    pub plugin: Option<usize>,
}

impl<'s> Work<'s> {
    pub(super) fn compile_actuators(&mut self) {
        for source in self.spec.actuators.values() {
            let compiled = self.compile_actuator(source).and_then(|mut actuator| {
                if source.plugin.active {
                    let instance = self.resolve_plugin(source, &source.plugin, Capability::Actuator)?;
                    actuator.plugin = Some(instance);
                }
                Ok(actuator)
            });
            match compiled {
                Ok(actuator) => self.actuators.push(actuator),
                Err(problem) => self.problems.push(problem),
            }
        }
    }

    fn compile_actuator(&self, source: &'s Actuator) -> Result<ActuatorWork<'s>, Diagnostic> {
        let compiler = self.spec.compiler_of(source.info.origin);
        check_user(source, source.userdata.len(), self.nuser.actuator, "nuser_actuator")?;
        if source.target.is_empty() {
            return Err(element_error(STRUCTURE, source, "", "missing transmission target")
                .help("name a joint, jointinparent, tendon, site, body, or cranksite with slidersite"));
        }
        let targets = self.transmission_targets(source)?;
        let mut ctrlrange = source.ctrlrange;
        let mut actrange = source.actrange;
        self.inherit_range(source, targets[0], &mut ctrlrange, &mut actrange)?;

        check_limited(source, compiler, "force", source.forcelimited, source.forcerange)?;
        check_limited(source, compiler, "ctrl", source.ctrllimited, ctrlrange)?;
        check_limited(source, compiler, "act", source.actlimited, actrange)?;
        let forcelimited = is_limited(source.forcelimited, source.forcerange);
        let ctrllimited = is_limited(source.ctrllimited, ctrlrange);
        let actlimited = is_limited(source.actlimited, actrange);
        let checks = [
            (forcelimited, source.forcerange, "forcerange"),
            (ctrllimited, ctrlrange, "ctrlrange"),
            (actlimited, actrange, "actrange"),
        ];
        for (limited, [low, high], attribute) in checks {
            if limited && low >= high {
                let message = format!("invalid {attribute}: {low} is not smaller than {high}");
                return Err(element_error(LIMIT, source, attribute, message));
            }
        }
        if actlimited && source.dyntype == DynamicsType::None {
            let message = "actrange specified but dyntype is 'none'";
            return Err(element_error(LIMIT, source, "actrange", message));
        }
        let actdim = activation_count(source)?;
        check_muscle(source)?;
        check_hill_muscle(source)?;
        if source.delay > 0.0 && source.nsample <= 0 {
            let message = "delay > 0 needs a history buffer";
            return Err(element_error(VALUE, source, "delay", message).help("set nsample"));
        }
        if source.nsample > MAX_SAMPLES {
            let message = format!("at most 2^24 samples in history buffer, got {}", source.nsample);
            return Err(element_error(VALUE, source, "nsample", message));
        }
        Ok(ActuatorWork {
            source,
            targets,
            ctrlrange,
            actrange,
            ctrllimited,
            forcelimited,
            actlimited,
            actdim,
            plugin: None,
        })
    }

    #[deny(clippy::wildcard_enum_match_arm)]
    fn transmission_targets(&self, source: &Actuator) -> Result<[Option<usize>; 2], Diagnostic> {
        let target = &source.target;
        Ok(match source.trntype {
            TransmissionType::Joint => {
                [Some(self.require(source, "joint", ObjectType::Joint, target)?), None]
            }
            TransmissionType::JointInParent => {
                [Some(self.require(source, "jointinparent", ObjectType::Joint, target)?), None]
            }
            TransmissionType::SliderCrank => {
                if source.slidersite.is_empty() {
                    let message = "a slider-crank needs slidersite beside cranksite";
                    return Err(element_error(REFERENCE, source, "cranksite", message)
                        .help("the z axis of slidersite is the direction in which the slider moves"));
                }
                let slider = self.require(source, "slidersite", ObjectType::Site, &source.slidersite)?;
                if source.cranklength <= 0.0 {
                    let message = format!("cranklength must be positive, but is {}", source.cranklength);
                    return Err(element_error(VALUE, source, "cranklength", message)
                        .help("it is the length of the rod between slider and crank"));
                }
                [Some(self.require(source, "cranksite", ObjectType::Site, target)?), Some(slider)]
            }
            TransmissionType::Tendon => {
                [Some(self.require(source, "tendon", ObjectType::Tendon, target)?), None]
            }
            TransmissionType::Site => {
                let reference = if source.refsite.is_empty() {
                    None
                } else {
                    Some(self.require(source, "refsite", ObjectType::Site, &source.refsite)?)
                };
                [Some(self.require(source, "site", ObjectType::Site, target)?), reference]
            }
            TransmissionType::Body => [Some(self.require(source, "body", ObjectType::Body, target)?), None],
            TransmissionType::Undefined => {
                return Err(element_error(STRUCTURE, source, "", "invalid transmission type in actuator"));
            }
        })
    }

    /// Control or activation range of a servo from the range of what it drives.
    #[deny(clippy::wildcard_enum_match_arm)]
    fn inherit_range(
        &self,
        source: &Actuator,
        target: Option<usize>,
        ctrlrange: &mut [f64; 2],
        actrange: &mut [f64; 2],
    ) -> Result<(), Diagnostic> {
        let servo = source.gaintype == GainType::Fixed
            && source.biastype == BiasType::Affine
            && source.gainprm[0] == -source.biasprm[1];
        if !servo || !(source.inheritrange > 0.0) {
            return Ok(());
        }
        let problem = |message: &str| element_error(VALUE, source, "inheritrange", message);
        let range = match source.dyntype {
            DynamicsType::None | DynamicsType::FilterExact => ctrlrange,
            DynamicsType::Integrator => actrange,
            DynamicsType::Filter | DynamicsType::Muscle | DynamicsType::User | DynamicsType::HillMuscle => {
                return Err(problem("inheritrange is only available for position and intvelocity actuators"));
            }
        };
        let elsewhere = || problem("inheritrange can only be used with joint and tendon transmission");
        let target_range = match source.trntype {
            TransmissionType::Joint => {
                let joint = target.and_then(|joint| self.joints.get(joint)).ok_or_else(elsewhere)?;
                if !matches!(joint.source.kind, JointType::Hinge | JointType::Slide) {
                    return Err(problem("inheritrange can only be used with hinge and slide joints"));
                }
                joint.range
            }
            TransmissionType::Tendon => {
                let tendon = self.spec.tendons.values().find(|tendon| tendon.info.name == source.target);
                tendon.map_or([0.0; 2], |tendon| tendon.range)
            }
            TransmissionType::JointInParent
            | TransmissionType::SliderCrank
            | TransmissionType::Site
            | TransmissionType::Body
            | TransmissionType::Undefined => return Err(elsewhere()),
        };
        let [low, high] = target_range;
        if low == high {
            let message = format!("inheritrange is used but target '{}' has no range", source.target);
            return Err(problem(&message));
        }
        let mean = 0.5 * (high + low);
        let radius = 0.5 * (high - low) * source.inheritrange;
        *range = [mean - radius, mean + radius];
        Ok(())
    }

    #[deny(clippy::wildcard_enum_match_arm)]
    pub(super) fn write_actuators(&self, model: &mut Model, ids: &Ids, history: &mut i32) {
        use condyle_model::TransmissionType as T;
        let mut activation = 0;
        for (at, actuator) in self.actuators.iter().enumerate() {
            let source = actuator.source;
            let kind = match source.trntype {
                T::Joint | T::JointInParent => ObjectType::Joint,
                T::Tendon => ObjectType::Tendon,
                T::Body => ObjectType::Body,
                T::SliderCrank | T::Site | T::Undefined => ObjectType::Site,
            };
            source.write_entries(model, at);
            model.actuator_trnid[at] =
                [ids.maybe(kind, actuator.targets[0]), ids.maybe(ObjectType::Site, actuator.targets[1])];
            model.actuator_actnum[at] = actuator.actdim as i32;
            model.actuator_actadr[at] = if actuator.actdim > 0 { activation } else { -1 };
            activation += actuator.actdim as i32;
            model.actuator_history[at] = [source.nsample, source.interp];
            model.actuator_historyadr[at] = -1;
            if source.nsample > 0 {
                model.actuator_historyadr[at] = *history;
                *history += 2 + 2 * source.nsample;
            }
            model.actuator_ctrllimited[at] = u8::from(actuator.ctrllimited);
            model.actuator_forcelimited[at] = u8::from(actuator.forcelimited);
            model.actuator_actlimited[at] = u8::from(actuator.actlimited);
            model.actuator_biasprm[at] = *source.bias_parameters();
            model.actuator_ctrlrange[at] = actuator.ctrlrange;
            model.actuator_actrange[at] = actuator.actrange;
            model.actuator_plugin[at] = actuator.plugin.map_or(-1, |plugin| plugin as i32);
        }
    }
}

/// Number of activation variables.
fn activation_count(source: &Actuator) -> Result<usize, Diagnostic> {
    let problem = |message: &str| Err(element_error(VALUE, source, "actdim", message));
    let stateless = source.dyntype == DynamicsType::None;
    if source.has_compliant_tendon() {
        if !matches!(source.actdim, -1 | 2) {
            return problem("a hillmuscle with a compliant tendon has actdim 2: fibre length and activation");
        }
    } else if !source.plugin.active {
        if source.actdim > 1 && source.dyntype != DynamicsType::User {
            return problem("actdim > 1 is only allowed for dyntype 'user'");
        }
        if source.actdim == 1 && stateless {
            return problem("invalid actdim 1 in stateless actuator");
        }
        if source.actdim == 0 && !stateless {
            return problem("invalid actdim 0 in stateful actuator");
        }
    }
    Ok(source.activation_count())
}

/// Limits of the parameters of a Hill-type muscle: index, name in the array, attribute of the shortcut, whether it is good, what it
/// must be.
type HillLimit = (usize, &'static str, &'static str, fn(f64) -> bool, &'static str);

const HILL_LIMITS: [HillLimit; 6] = [
    (hill::SCALE, "scale", "scale", |x| x > 0.0, "positive"),
    (hill::OPTIMAL_FIBER_LENGTH, "optimal_fiber_length", "optimalfiberlength", |x| x > 0.0, "positive"),
    (hill::TENDON_SLACK_LENGTH, "tendon_slack_length", "tendonslacklength", |x| x >= 0.0, "non-negative"),
    (
        hill::MAX_CONTRACTION_VELOCITY,
        "max_contraction_velocity",
        "maxcontractionvelocity",
        |x| x > 0.0,
        "positive",
    ),
    (
        hill::PENNATION_ANGLE,
        "pennation_angle",
        "pennation",
        |x| x >= 0.0 && x < std::f64::consts::FRAC_PI_2,
        "in [0, pi/2)",
    ),
    (hill::TENDON_STIFFNESS, "tendon_stiffness", "tendonstiffness", |x| x > 0.0, "positive"),
];

fn check_hill_muscle(source: &Actuator) -> Result<(), Diagnostic> {
    let (array, parameters) = match (source.gaintype, source.biastype) {
        (GainType::HillMuscle, _) => ("gainprm", &source.gainprm),
        (_, BiasType::HillMuscle) => ("biasprm", &source.biasprm),
        _ if source.has_compliant_tendon() => {
            let message = "a compliant tendon needs the fibres of gaintype or biastype hillmuscle";
            return Err(element_error(VALUE, source, "dynprm", message)
                .help("leave out gaintype and biastype, or set dynprm[3] to 0 for a rigid tendon"));
        }
        _ => return Ok(()),
    };
    let place = |named: &'static str| if source.info.has(named) { named } else { array };
    for (index, name, named, is_good, wanted) in HILL_LIMITS {
        let value = parameters[index];
        if !is_good(value) {
            // A muscle written by its attributes knows only these; one written by numbers knows the names of the numbers.
            let given = source.info.has(named);
            let message =
                format!("hillmuscle: {} must be {wanted}, not {value}", if given { named } else { name });
            let help = format!("{}; the default is {}", hill_meaning(index), hill::DEFAULT_GAIN[index]);
            let help = if given { help } else { format!("it is number {} of {array}, {help}", index + 1) };
            return Err(element_error(VALUE, source, place(named), message).help(help));
        }
    }
    let steepest = hill::LEAST_COSINE.acos();
    if parameters[hill::VARYING_PENNATION] != 0.0 && !(parameters[hill::PENNATION_ANGLE] < steepest) {
        let name = if source.info.has("pennation") { "pennation" } else { "pennation_angle" };
        let message = format!("hillmuscle: a varying {name} must be below {steepest:.4} rad at the optimum");
        return Err(element_error(VALUE, source, place("pennation"), message).help(
            "fibres this steep have no room to shorten; leave out varyingpennation or lower the angle",
        ));
    }
    if source.dyntype != DynamicsType::HillMuscle {
        return Ok(());
    }
    if !(source.dynprm[hill::FIBER_DAMPING] >= 0.0) {
        let attribute = if source.info.has("fiberdamping") { "fiberdamping" } else { "dynprm" };
        let name = if attribute == "fiberdamping" { attribute } else { "fiber_damping" };
        let message = format!("hillmuscle: {name} must be non-negative");
        return Err(element_error(VALUE, source, attribute, message).help(
            "it is number 5 of dynprm; 0 stands for 0.1 with a compliant tendon and for none otherwise",
        ));
    }
    if source.has_compliant_tendon() && !(parameters[hill::TENDON_SLACK_LENGTH] > 0.0) {
        let name =
            if source.info.has("tendonslacklength") { "tendonslacklength" } else { "tendon_slack_length" };
        let message = format!("hillmuscle: {name} must be positive with a compliant tendon");
        return Err(element_error(VALUE, source, place("tendonslacklength"), message)
            .help("give the length at which the tendon begins to pull, or use a rigid tendon"));
    }
    check_curve(source)
}

/// The choice of curves and their own parameters.
fn check_curve(source: &Actuator) -> Result<(), Diagnostic> {
    let curve = source.dynprm[hill::CURVE];
    if !hill::Curve::WORDS.iter().any(|(_, number)| f64::from(*number) == curve) {
        let message = format!("hillmuscle: curve must be 0, 1, 2 or 3, not {curve}");
        return Err(element_error(VALUE, source, "dynprm", message)
            .help("it is number 6 of dynprm: 0 standard, 1 smooth, 2 thelen, 3 millard"));
    }
    let parameters = [
        (hill::PASSIVE_STRAIN, "passivestrain", 0.0, "the strain of passive fibres at the peak force"),
        (
            hill::ECCENTRIC_FORCE,
            "maxeccentricforce",
            1.0,
            "the force at high speed of lengthening in peak forces",
        ),
        (hill::ACTIVE_WIDTH, "activewidth", 0.0, "the width of Thelen's active curve"),
    ];
    for (index, name, above, meaning) in parameters {
        let value = source.dynprm[index];
        if !(value == 0.0 || value > above && value.is_finite()) {
            let message =
                format!("hillmuscle: {name} must be above {above}, or 0 for that of the curve, not {value}");
            let attribute = if source.info.has(name) { name } else { "dynprm" };
            return Err(element_error(VALUE, source, attribute, message).help(meaning));
        }
    }
    Ok(())
}

/// Meaning and unit of a gain parameter of a Hill-type muscle.
fn hill_meaning(index: usize) -> &'static str {
    match index {
        hill::SCALE => "the peak force in N times the acceleration of a unit force",
        hill::OPTIMAL_FIBER_LENGTH => "the fibre length of greatest force in m",
        hill::TENDON_SLACK_LENGTH => "the length of the slack tendon in m",
        hill::MAX_CONTRACTION_VELOCITY => "the speed at which force vanishes in optimal lengths per second",
        hill::PENNATION_ANGLE => "the angle between fibres and tendon in rad",
        _ => "the slope of the tendon force in peak forces per unit strain",
    }
}

fn check_muscle(source: &Actuator) -> Result<(), Diagnostic> {
    let gain = (source.gaintype == GainType::Muscle).then_some(&source.gainprm);
    let bias = (source.biastype == BiasType::Muscle).then_some(&source.biasprm);
    for prm in gain.into_iter().chain(bias) {
        if prm[0] >= prm[1] {
            return Err(element_error(VALUE, source, "range", "range[0] < range[1] required in muscle"));
        }
        if prm[4] >= 1.0 || prm[5] <= 1.0 {
            return Err(element_error(VALUE, source, "lmin", "lmin < 1 < lmax required in muscle"));
        }
        if [prm[3], prm[6], prm[7], prm[8]].iter().any(|&value| value <= 0.0) {
            let message = "positive scale, vmax, fpmax, fvmax required in muscle";
            return Err(element_error(VALUE, source, "scale", message));
        }
    }
    Ok(())
}
