//! What a muscle is made of: its parameters with units, and its curves.
//!
//! Serves MuJoCo's muscles and the Hill-type extension alike. Curves of force against length, velocity and tendon strain
//! are in units of the peak isometric force; the force of the whole muscle against the actuator's length is in N.

pub use condyle_engine::actuation::hill_muscle::HillMuscle;
use condyle_engine::actuation::hill_muscle::curves;
use condyle_engine::actuation::muscle as standard;
use condyle_model::{BiasType, GainType, Model, ObjectType, hill};

mod convert;
mod overview;
mod state;

pub use convert::to_hill_muscles;
pub use overview::{Overview, overview};
pub use state::{MuscleState, muscle_state};

/// Samples of a curve.
const SAMPLES: usize = 201;
/// Activations for which the force of the whole muscle is drawn.
const ACTIVATIONS: [(f64, &str); 3] = [(0.0, "activation 0"), (0.5, "activation 0.5"), (1.0, "activation 1")];

/// A parameter of a muscle.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its attribute in MJCF.
    pub name: &'static str,
    /// Its value.
    pub value: f64,
    /// Its unit; empty for a ratio.
    pub unit: &'static str,
    /// What it means.
    pub meaning: &'static str,
}

/// One line of a diagram.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// What the line shows.
    pub name: &'static str,
    /// Pairs of abscissa and ordinate.
    pub points: Vec<[f64; 2]>,
}

/// Curves over the same axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagram {
    /// What the horizontal axis shows, with its unit.
    pub x: &'static str,
    /// What the vertical axis shows, with its unit.
    pub y: &'static str,
    /// The lines.
    pub curves: Vec<Curve>,
}

/// Which model of a muscle an actuator has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MuscleKind {
    /// MuJoCo's muscle.
    Standard,
    /// The Hill-type muscle, an extension.
    Hill,
}

impl MuscleKind {
    /// How it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standard => "muscle",
            Self::Hill => "Hill-type muscle",
        }
    }
}

/// A muscle of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Muscle {
    /// Name of the actuator, or its number where it has none.
    pub name: String,
    /// Which model of a muscle it is.
    pub kind: MuscleKind,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// Its curves.
    pub diagrams: Vec<Diagram>,
}

/// Actuators that are muscles.
pub fn muscles(model: &Model) -> Vec<usize> {
    (0..model.nu).filter(|&actuator| kind(model, actuator).is_some()).collect()
}

/// Parameters and curves of an actuator, if it is a muscle.
pub fn muscle(model: &Model, actuator: usize) -> Option<Muscle> {
    if actuator >= model.nu {
        return None;
    }
    let kind = kind(model, actuator)?;
    let (parameters, diagrams) = match kind {
        MuscleKind::Hill => {
            let muscle = HillMuscle::of(model, actuator)?;
            (hill_parameters(model, actuator, &muscle), hill_diagrams(&muscle))
        }
        MuscleKind::Standard => (standard_parameters(model, actuator), standard_diagrams(model, actuator)),
    };
    let name = match model.name(ObjectType::Actuator, actuator) {
        "" => format!("actuator {actuator}"),
        name => name.to_owned(),
    };
    Some(Muscle { name, kind, parameters, diagrams })
}

fn kind(model: &Model, actuator: usize) -> Option<MuscleKind> {
    let (gain, bias) = (model.actuator_gaintype[actuator], model.actuator_biastype[actuator]);
    if gain == GainType::HillMuscle as i32 || bias == BiasType::HillMuscle as i32 {
        Some(MuscleKind::Hill)
    } else if gain == GainType::Muscle as i32 || bias == BiasType::Muscle as i32 {
        Some(MuscleKind::Standard)
    } else {
        None
    }
}

const fn row(name: &'static str, value: f64, unit: &'static str, meaning: &'static str) -> Parameter {
    Parameter { name, value, unit, meaning }
}

fn activation_parameters(model: &Model, actuator: usize) -> [Parameter; 3] {
    let [rising, falling, width, ..] = model.actuator_dynprm[actuator];
    [
        row("timeconst[0]", rising, "s", "time constant of activation"),
        row("timeconst[1]", falling, "s", "time constant of deactivation"),
        row("tausmooth", width, "", "width of the smooth switch between them"),
    ]
}

fn hill_parameters(model: &Model, actuator: usize, muscle: &HillMuscle) -> Vec<Parameter> {
    let flag = |value: bool| f64::from(u8::from(value));
    let [shortest, longest] = muscle.fiber_range();
    let mut rows = vec![
        row("maxisometricforce", muscle.force, "N", "greatest active force of fibres at rest"),
        row("optimalfiberlength", muscle.optimal_length, "m", "fibre length of that force"),
        row("tendonslacklength", muscle.slack_length, "m", "tendon length at which it begins to pull"),
        row("maxcontractionvelocity", muscle.max_velocity, "1/s", "optimal lengths per second without force"),
        row("pennation", muscle.pennation, "rad", "angle between fibres and tendon at the optimal length"),
        row("varyingpennation", flag(muscle.varying_pennation), "", "1: the angle follows the fibre length"),
        row("tendonmodel", flag(muscle.compliant), "", "0: rigid, 1: compliant"),
        row("tendonstiffness", muscle.tendon_stiffness, "F0", "tendon force per unit strain beyond the toe"),
        row(
            "tendonstrain",
            hill::strain_for_stiffness(muscle.tendon_stiffness),
            "",
            "tendon strain under the greatest force",
        ),
        row("fiberdamping", muscle.damping, "F0", "fibre force per normalised velocity"),
        row(
            "curve",
            f64::from(muscle.curves.choice as i32),
            "",
            "0: standard, 1: smooth, 2: thelen, 3: millard",
        ),
        row(
            "passivestrain",
            muscle.curves.passive_strain,
            "",
            "strain of passive fibres under the peak force",
        ),
        row("maxeccentricforce", muscle.curves.eccentric, "F0", "active force at high speed of lengthening"),
    ];
    if muscle.curves.choice == hill::Curve::Thelen {
        rows.push(row("activewidth", muscle.curves.active_width, "", "width of the active curve"));
    }
    if muscle.compliant {
        rows.push(row("shortest fibre", shortest, "L0", "clamp of the fibre length"));
        rows.push(row("longest fibre", longest, "L0", "clamp of the fibre length"));
    }
    rows.extend(activation_parameters(model, actuator));
    rows
}

/// A curve between two abscissas.
fn sample(name: &'static str, [low, high]: [f64; 2], curve: impl Fn(f64) -> f64) -> Curve {
    let points = (0..SAMPLES)
        .map(|index| {
            let x = low + (high - low) * index as f64 / (SAMPLES - 1) as f64;
            [x, curve(x)]
        })
        .collect();
    Curve { name, points }
}

fn hill_diagrams(muscle: &HillMuscle) -> Vec<Diagram> {
    let lengths = [0.3, 1.9];
    let strain = hill::strain_for_stiffness(muscle.tendon_stiffness);
    let reach = muscle.optimal_length * muscle.cosine(1.0);
    let range = [muscle.slack_length + 0.4 * reach, muscle.slack_length + 1.7 * reach];
    vec![
        Diagram {
            x: "fibre length, L/L0",
            y: "force, F/F0",
            curves: vec![
                sample("active", lengths, |l| muscle.curves.active_force(l)),
                sample("passive", lengths, |l| muscle.curves.passive_force(l)),
                sample("total", lengths, |l| muscle.curves.active_force(l) + muscle.curves.passive_force(l)),
            ],
        },
        Diagram {
            x: "fibre velocity, V/Vmax",
            y: "force, F/F0",
            curves: vec![sample("active", [-1.2, 1.2], |v| muscle.curves.velocity_force(v))],
        },
        Diagram {
            x: "tendon strain",
            y: "force, F/F0",
            curves: vec![sample("tendon", [-0.2 * strain, 1.4 * strain], |x| {
                curves::tendon_force(x, muscle.tendon_stiffness)
            })],
        },
        Diagram {
            x: "actuator length, m",
            y: "force at rest, N",
            curves: ACTIVATIONS
                .iter()
                .map(|&(activation, name)| {
                    sample(name, range, |length| isometric_force(muscle, length, activation))
                })
                .collect(),
        },
    ]
}

/// Tension of a muscle that is held at a length until nothing moves in it.
pub fn isometric_force(muscle: &HillMuscle, length: f64, activation: f64) -> f64 {
    if muscle.compliant {
        return muscle.force * muscle.tendon_force(length, muscle.equilibrium(length, activation));
    }
    let fiber = muscle.rigid_fiber(length, 0.0);
    -(muscle.gain(fiber) * activation + muscle.bias(fiber))
}

/// Parameters of a standard muscle: those of its gain, or of its bias where the gain is of another type.
fn standard_array(model: &Model, actuator: usize) -> &[f64; 10] {
    if model.actuator_gaintype[actuator] == GainType::Muscle as i32 {
        &model.actuator_gainprm[actuator]
    } else {
        &model.actuator_biasprm[actuator]
    }
}

fn standard_parameters(model: &Model, actuator: usize) -> Vec<Parameter> {
    let parameters = standard_array(model, actuator);
    let [start, end, _, scale, low, high, speed, passive, eccentric, _] = *parameters;
    let [shortest, longest] = model.actuator_lengthrange[actuator];
    let acc0 = model.actuator_acc0[actuator];
    let mut rows = vec![
        row("force", standard::peak_force(acc0, parameters), "N", "greatest active force at rest"),
        row("scale", scale, "N", "that force times the acceleration of a unit force, where it is not given"),
        row("lengthrange[0]", shortest, "m", "shortest actuator length"),
        row("lengthrange[1]", longest, "m", "longest actuator length"),
        row("range[0]", start, "L0", "muscle length at the shortest actuator length"),
        row("range[1]", end, "L0", "muscle length at the longest actuator length"),
        row(
            "L0",
            standard::optimal_length([shortest, longest], parameters),
            "m",
            "optimal length, from the two ranges",
        ),
        row("lmin", low, "L0", "below it there is no active force"),
        row("lmax", high, "L0", "above it there is no active force"),
        row("vmax", speed, "1/s", "optimal lengths per second without force"),
        row("fpmax", passive, "F0", "passive force at lmax"),
        row("fvmax", eccentric, "F0", "active force at high speed of lengthening"),
    ];
    rows.extend(activation_parameters(model, actuator));
    rows
}

fn standard_diagrams(model: &Model, actuator: usize) -> Vec<Diagram> {
    let parameters = *standard_array(model, actuator);
    let [start, end, _, _, low, high, speed, ..] = parameters;
    // Where the length range is the muscle's own, lengths are normalised already, and a force of one gives relative forces.
    let mut unit = parameters;
    unit[2] = 1.0;
    let active =
        move |length: f64, velocity: f64| -standard::gain(length, velocity * speed, [start, end], 1.0, &unit);
    let passive = move |length: f64| -standard::bias(length, [start, end], 1.0, &unit);
    let lengths = [low - 0.2, high + 0.2];
    let range = model.actuator_lengthrange[actuator];
    let acc0 = model.actuator_acc0[actuator];
    vec![
        Diagram {
            x: "muscle length, L/L0",
            y: "force, F/F0",
            curves: vec![
                sample("active", lengths, |l| active(l, 0.0)),
                sample("passive", lengths, passive),
                sample("total", lengths, |l| active(l, 0.0) + passive(l)),
            ],
        },
        Diagram {
            x: "velocity, V/Vmax",
            y: "force, F/F0",
            curves: vec![sample("active", [-1.2, 1.2], |v| active(1.0, v))],
        },
        Diagram {
            x: "actuator length, m",
            y: "force at rest, N",
            curves: ACTIVATIONS
                .iter()
                .map(|&(activation, name)| {
                    sample(name, range, |length| {
                        let gain = standard::gain(length, 0.0, range, acc0, &parameters);
                        -(gain * activation + standard::bias(length, range, acc0, &parameters))
                    })
                })
                .collect(),
        },
    ]
}
