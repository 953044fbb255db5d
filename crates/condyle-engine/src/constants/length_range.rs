//! Length ranges of actuators, by pulling each as far as it goes in both directions.
//!
//! The model is simulated without gravity, contacts, springs, dampers and actuators, under a force along the actuator's moment that
//! gives a set acceleration, while velocity decays. The extremes over the last interval are the range. Reference:
//! `mj_setLengthRange`.
//!
//! Whole data: it runs a simulation.

use condyle_math::{MIN_VALUE, dense, scalar};
use condyle_model::{BiasType, GainType, LengthRangeMode, Model, TransmissionType, disable};

use super::reference::dense_moment;
use crate::position::inertia;
use crate::{Data, reset, step};

/// Hands the fields of [`LengthRangeOptions`] to a macro: meaning, name, type, default, name in MJCF.
#[doc(hidden)]
#[macro_export]
macro_rules! length_range_options {
    ($declare:ident) => {
        $declare! {
            /// How the length ranges of actuators are found by simulation.
            LengthRangeOptions {
                parts {}
                /// The actuators whose range is computed.
                mode: LengthRangeMode = LengthRangeMode::Muscle, "mode";
                /// Keep a range that is already given.
                useexisting: bool = true, "useexisting";
                /// Use the limits of joints and tendons that have them.
                uselimit: bool = false, "uselimit";
                /// Target acceleration, m/s² or rad/s².
                accel: f64 = 20.0, "accel";
                /// Greatest force, N or N m; 0 for no limit.
                maxforce: f64 = 0.0, "maxforce";
                /// Time constant of the decay of velocity, s.
                timeconst: f64 = 1.0, "timeconst";
                /// Time step, s; 0 for the model's.
                timestep: f64 = 0.01, "timestep";
                /// Simulated time, s.
                inttotal: f64 = 10.0, "inttotal";
                /// Time at the end over which extremes are taken, s.
                interval: f64 = 2.0, "interval";
                /// How much the length may vary during `interval` at each end, relative to the range.
                tolrange: f64 = 0.05, "tolrange";
            }
        }
    };
}

macro_rules! options {
    (
        $(#[doc = $about:literal])*
        $options:ident { parts {} $($(#[doc = $meaning:literal])+ $field:ident: $type:ty = $default:expr, $mjcf:literal;)* }
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[non_exhaustive]
        pub struct $options {
            $($(#[doc = $meaning])+ pub $field: $type,)*
        }

        impl Default for $options {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }
    };
}
length_range_options!(options);

/// Why an actuator has no length range.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum LengthRangeError {
    /// The simulation met an invalid value.
    Unstable {
        /// The actuator.
        actuator: usize,
    },
    /// The least length is not below the greatest.
    Invalid {
        /// The actuator.
        actuator: usize,
        /// Least and greatest length that were found.
        range: [f64; 2],
    },
    /// The length still varies at the end of the simulation.
    NotConverged {
        /// The actuator.
        actuator: usize,
        /// Least and greatest length over the last interval, at the end of the range that did not settle.
        extremes: [f64; 2],
        /// Least and greatest length that were found.
        range: [f64; 2],
    },
}

impl LengthRangeError {
    /// The number of the actuator.
    pub const fn actuator(&self) -> usize {
        match self {
            Self::Unstable { actuator }
            | Self::Invalid { actuator, .. }
            | Self::NotConverged { actuator, .. } => *actuator,
        }
    }
}

impl std::fmt::Display for LengthRangeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unstable { actuator } => {
                write!(f, "Unstable lengthrange simulation in actuator {actuator}")
            }
            Self::Invalid { actuator, range: [low, high] } => {
                write!(f, "Invalid lengthrange ({low}, {high}) in actuator {actuator}")
            }
            Self::NotConverged { actuator, extremes: [least, most], range: [low, high] } => write!(
                f,
                "Lengthrange computation did not converge in actuator {actuator}:\n  eval ({least}, {most})\n  range ({low}, {high})"
            ),
        }
    }
}

impl std::error::Error for LengthRangeError {}

/// Set the length ranges of all actuators the options ask for.
pub fn set_length_ranges(model: &mut Model, options: &LengthRangeOptions) -> Result<(), LengthRangeError> {
    let wanted: Vec<usize> = (0..model.nu).filter(|actuator| is_wanted(model, *actuator, options)).collect();
    if wanted.is_empty() {
        return Ok(());
    }
    let saved = model.opt;
    prepare(model, options);
    let ranges = all_ranges(model, options, &wanted);
    model.opt = saved;
    for (actuator, range) in wanted.into_iter().zip(ranges) {
        model.actuator_lengthrange[actuator] = match range {
            // The force of a Hill-type muscle does not depend on its range, so it may do without one.
            Err(_) if is_hill_muscle(model, actuator) => [0.0; 2],
            range => range?,
        };
    }
    Ok(())
}

/// Ranges of the listed actuators, each simulated on its own; the number of threads does not matter.
fn all_ranges(
    model: &Model,
    options: &LengthRangeOptions,
    actuators: &[usize],
) -> Vec<Result<[f64; 2], LengthRangeError>> {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(actuators.len());
    let mut ranges = vec![Ok([0.0; 2]); actuators.len()];
    let chunk = actuators.len().div_ceil(threads);
    let work = |actuators: &[usize], ranges: &mut [Result<[f64; 2], LengthRangeError>]| {
        let mut data = Data::new(model);
        for (actuator, range) in actuators.iter().zip(ranges) {
            *range = actuator_range(model, &mut data, *actuator, options);
        }
    };
    if threads < 2 {
        // Browsers have no threads to start.
        work(actuators, &mut ranges);
        return ranges;
    }
    std::thread::scope(|scope| {
        for (actuators, ranges) in actuators.chunks(chunk).zip(ranges.chunks_mut(chunk)) {
            scope.spawn(move || work(actuators, ranges));
        }
    });
    ranges
}

/// Whether the actuator is a Hill-type muscle and no standard one.
fn is_hill_muscle(model: &Model, actuator: usize) -> bool {
    let (gain, bias) = (model.actuator_gaintype(actuator), model.actuator_biastype(actuator));
    gain == Some(GainType::HillMuscle) && bias != Some(BiasType::Muscle)
        || bias == Some(BiasType::HillMuscle) && gain != Some(GainType::Muscle)
}

/// Leave what is pulled to itself: no gravity, contacts, springs, dampers and actuators.
fn prepare(model: &mut Model, options: &LengthRangeOptions) {
    model.opt.disableflags = disable::FRICTIONLOSS
        | disable::CONTACT
        | disable::SPRING
        | disable::DAMPER
        | disable::GRAVITY
        | disable::ACTUATION;
    if options.timestep > 0.0 {
        model.opt.timestep = options.timestep;
    }
}

/// Length range of one actuator, whatever the mode says.
pub fn one_range(
    model: &Model,
    options: &LengthRangeOptions,
    actuator: usize,
) -> Result<[f64; 2], LengthRangeError> {
    let mut model = model.clone();
    prepare(&mut model, options);
    let mut data = Data::new(&model);
    actuator_range(&model, &mut data, actuator, options)
}

/// Whether the options ask for the range of an actuator.
pub fn is_wanted(model: &Model, actuator: usize, options: &LengthRangeOptions) -> bool {
    let (gain, bias) = (model.actuator_gaintype(actuator), model.actuator_biastype(actuator));
    let is_muscle =
        gain == Some(GainType::Muscle) || bias == Some(BiasType::Muscle) || is_hill_muscle(model, actuator);
    let is_user = gain == Some(GainType::User) || bias == Some(BiasType::User);
    let by_mode = match options.mode {
        LengthRangeMode::None => false,
        LengthRangeMode::Muscle => is_muscle,
        LengthRangeMode::MuscleUser => is_muscle || is_user,
        LengthRangeMode::All => true,
    };
    let [low, high] = model.actuator_lengthrange[actuator];
    by_mode && !(options.useexisting && low < high)
}

/// Limits of the joint or tendon of an actuator.
///
/// The reference looks up element `actuator` of the flat list of transmission targets, two per actuator, and this follows it.
#[deny(clippy::wildcard_enum_match_arm)]
fn limits(model: &Model, actuator: usize) -> Option<[f64; 2]> {
    let target = model.actuator_trnid.as_flattened().get(actuator)?;
    let target = usize::try_from(*target).ok()?;
    match model.actuator_trntype(actuator)? {
        TransmissionType::Joint | TransmissionType::JointInParent => {
            (*model.jnt_limited.get(target)? != 0).then(|| model.jnt_range[target])
        }
        TransmissionType::Tendon => {
            (*model.tendon_limited.get(target)? != 0).then(|| model.tendon_range[target])
        }
        TransmissionType::SliderCrank
        | TransmissionType::Site
        | TransmissionType::Body
        | TransmissionType::Undefined => None,
    }
}

/// Range of one actuator, by its limits or by simulation.
pub fn actuator_range(
    model: &Model,
    data: &mut Data,
    actuator: usize,
    options: &LengthRangeOptions,
) -> Result<[f64; 2], LengthRangeError> {
    if options.uselimit
        && let Some(range) = limits(model, actuator)
    {
        return Ok(range);
    }
    let mut moment = vec![0.0; model.nv];
    let shortest = extremes(model, data, actuator, -1.0, options, &mut moment)?;
    let longest = extremes(model, data, actuator, 1.0, options, &mut moment)?;
    let range = [shortest[0], longest[1]];
    let size = range[1] - range[0];
    if size <= 0.0 {
        return Err(LengthRangeError::Invalid { actuator, range });
    }
    for extremes in [shortest, longest] {
        if extremes[1] - extremes[0] > options.tolrange * size {
            return Err(LengthRangeError::NotConverged { actuator, extremes, range });
        }
    }
    Ok(range)
}

/// Least and greatest length over the last interval of a simulation that pulls in one direction.
fn extremes(
    model: &Model,
    data: &mut Data,
    actuator: usize,
    direction: f64,
    options: &LengthRangeOptions,
    moment: &mut [f64],
) -> Result<[f64; 2], LengthRangeError> {
    reset::reset(model, data);
    let mut found: Option<[f64; 2]> = None;
    while data.state.time < options.inttotal {
        let before = data.state.time;
        let length = pull(model, data, actuator, direction, options, moment);
        // A reset of the simulation sets time back.
        if data.state.time == 0.0 || !(data.state.time > before) {
            return Err(LengthRangeError::Unstable { actuator });
        }
        if data.state.time > options.inttotal - options.interval {
            found = Some(match found {
                None => [length; 2],
                Some([least, most]) => {
                    [if length < least { length } else { least }, if length > most { length } else { most }]
                }
            });
        }
    }
    Ok(found.unwrap_or([0.0; 2]))
}

/// One step under the pulling force; returns the length before it.
fn pull(
    model: &Model,
    data: &mut Data,
    actuator: usize,
    direction: f64,
    options: &LengthRangeOptions,
    moment: &mut [f64],
) -> f64 {
    let decay = (-model.opt.timestep / scalar::max(0.01, options.timeconst)).exp();
    dense::scale_mut(&mut data.state.qvel, decay);
    step::step1(model, data);
    dense_moment(data, actuator, moment);
    let force = &mut data.inputs.qfrc_applied;
    force.copy_from_slice(moment);
    inertia::solve(model, &data.inertia, force);
    let response = dense::norm(force);
    dense::scale(force, moment, direction * options.accel / scalar::max(MIN_VALUE, response));
    let size = dense::norm(force);
    if options.maxforce > 0.0 && size > options.maxforce {
        dense::scale_mut(force, options.maxforce / scalar::max(MIN_VALUE, size));
    }
    step::step2(model, data);
    data.transmission.actuator_length[actuator]
}
