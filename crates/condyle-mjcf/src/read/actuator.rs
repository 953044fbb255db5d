//! Actuators: transmission, and the shortcuts that set gain, bias and dynamics.

use super::Reader;
use super::attributes::Attributes;
use crate::xml::NodeId;
use condyle_base::Diagnostic;
use condyle_model::{DynamicsType, TransmissionType};
use condyle_spec::{Actuator, HillMuscleParameters, MuscleParameters, PositionParameters};

/// Attributes that name what an actuator acts on; at most one may be given.
const TARGETS: [(&str, TransmissionType); 6] = [
    ("joint", TransmissionType::Joint),
    ("jointinparent", TransmissionType::JointInParent),
    ("tendon", TransmissionType::Tendon),
    ("cranksite", TransmissionType::SliderCrank),
    ("site", TransmissionType::Site),
    ("body", TransmissionType::Body),
];

/// Attributes of general actuators that come before their parameters, and these.
const TYPES: [&str; 3] = ["dyntype", "gaintype", "biastype"];
const PARAMETERS: [&str; 5] = ["actearly", "dynprm", "gainprm", "biasprm", "actdim"];

impl Reader<'_> {
    pub(super) fn actuator_values(&mut self, node: NodeId, actuator: &mut Actuator) {
        let element = self.tree.get(node);
        let a = Attributes(element);
        a.read_some(actuator, |name| !TYPES.contains(&name) && !PARAMETERS.contains(&name));
        self.transmission(node, actuator);
        if let Err(message) = self.shortcut(node, actuator) {
            let place = element.location();
            self.report_at(
                Diagnostic::error("E0420", format!("<{}>: {message}", element.name)),
                &place,
                "check the values given here and in the default class",
            );
        }
    }

    fn transmission(&mut self, node: NodeId, actuator: &mut Actuator) {
        let element = self.tree.get(node);
        let a = Attributes(element);
        let mut given: Vec<&'static str> = Vec::new();
        for (name, kind) in TARGETS {
            if a.set_text(name, &mut actuator.target) {
                actuator.trntype = kind;
                given.push(name);
            }
        }
        if let [first, second, ..] = given.as_slice() {
            self.report_at(
                Diagnostic::error(
                    "E0417",
                    format!("an actuator acts on one thing, but {first} and {second} are given"),
                ),
                &element.location_of(second),
                format!("delete '{first}' or '{second}'"),
            );
        }
        let kind = actuator.trntype;
        let (crank_length, slider_site) = (a.number::<f64>("cranklength").is_some(), a.has("slidersite"));
        if (crank_length || slider_site)
            && !matches!(kind, TransmissionType::SliderCrank | TransmissionType::Undefined)
        {
            let name = if slider_site { "slidersite" } else { "cranklength" };
            self.report_at(
                Diagnostic::error("E0418", format!("'{name}' belongs to a slider-crank transmission")),
                &element.location_of(name),
                "a slider-crank is given by cranksite, slidersite and cranklength",
            );
        }
        if a.has("refsite") && !matches!(kind, TransmissionType::Site | TransmissionType::Undefined) {
            self.report_at(
                Diagnostic::error("E0419", "'refsite' belongs to a site transmission"),
                &element.location_of("refsite"),
                "give the site it is a reference for with 'site'",
            );
        }
    }

    /// Gain, bias and dynamics, by the name of the element.
    fn shortcut(&mut self, node: NodeId, actuator: &mut Actuator) -> Result<(), &'static str> {
        let element = self.tree.get(node);
        let a = Attributes(element);
        match &*element.name {
            "general" => {
                general(a, actuator);
                Ok(())
            }
            "motor" => {
                actuator.set_to_motor();
                Ok(())
            }
            servo @ ("position" | "intvelocity") => {
                let parameters = position_parameters(a, actuator);
                if servo == "position" {
                    actuator.set_to_position(&parameters)
                } else {
                    actuator.set_to_int_velocity(&parameters)
                }
            }
            "velocity" => {
                actuator.set_to_velocity(a.number("kv").unwrap_or(actuator.gainprm[0]));
                Ok(())
            }
            "damper" => actuator.set_to_damper(a.number("kv").unwrap_or(0.0)),
            "cylinder" => {
                let timeconst = a.number("timeconst").unwrap_or(actuator.dynprm[0]);
                // Three values must be given, and only the first has an effect.
                let bias = a.array::<f64, 3>("bias").map_or(actuator.biasprm[0], |[first, ..]| first);
                let area = a.number("area").unwrap_or(actuator.gainprm[0]);
                let diameter = a.number("diameter").unwrap_or(-1.0);
                actuator.set_to_cylinder(timeconst, bias, area, diameter);
                Ok(())
            }
            "muscle" => actuator.set_to_muscle(&muscle_parameters(a, actuator)),
            "hillmuscle" => {
                a.read_some(actuator, |name| name == "actearly");
                let unit = if self.spec.compiler.degree { std::f64::consts::PI / 180.0 } else { 1.0 };
                actuator.set_to_hill_muscle(&hill_muscle_parameters(a, unit))
            }
            "adhesion" => actuator.set_to_adhesion(a.number("gain").unwrap_or(actuator.gainprm[0])),
            "plugin" => {
                self.plugin_reference(node, &mut actuator.plugin);
                a.read_some(actuator, |name| matches!(name, "dyntype" | "actearly" | "dynprm" | "actdim"));
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// Types and parameters as they are written.
fn general(a: Attributes<'_>, actuator: &mut Actuator) {
    let before = actuator.types();
    a.read_some(actuator, |name| TYPES.contains(&name));
    let [dynamics, gain, bias] = TYPES.map(|name| a.word(name, name).is_some());
    if dynamics && actuator.dyntype == DynamicsType::HillMuscle {
        actuator.complete_hill_types(gain, bias);
    }
    actuator.complete_hill_parameters(before);
    a.read_some(actuator, |name| PARAMETERS.contains(&name));
}

fn position_parameters(a: Attributes<'_>, actuator: &Actuator) -> PositionParameters {
    PositionParameters {
        kp: a.number("kp").unwrap_or(actuator.gainprm[0]),
        kv: a.number("kv"),
        dampratio: a.number("dampratio"),
        timeconst: a.number("timeconst"),
        inheritrange: a.number("inheritrange").unwrap_or(actuator.inheritrange),
    }
}

fn muscle_parameters(a: Attributes<'_>, actuator: &Actuator) -> MuscleParameters {
    let unset = MuscleParameters::default();
    MuscleParameters {
        timeconst: a.array("timeconst").unwrap_or(unset.timeconst),
        tausmooth: a.number("tausmooth").unwrap_or(actuator.dynprm[2]),
        range: a.array("range").unwrap_or(unset.range),
        force: a.number("force").unwrap_or(unset.force),
        scale: a.number("scale").unwrap_or(unset.scale),
        lmin: a.number("lmin").unwrap_or(unset.lmin),
        lmax: a.number("lmax").unwrap_or(unset.lmax),
        vmax: a.number("vmax").unwrap_or(unset.vmax),
        fpmax: a.number("fpmax").unwrap_or(unset.fpmax),
        fvmax: a.number("fvmax").unwrap_or(unset.fvmax),
    }
}

/// `unit` is that of angles, in rad.
fn hill_muscle_parameters(a: Attributes<'_>, unit: f64) -> HillMuscleParameters {
    HillMuscleParameters {
        timeconst: a.array("timeconst"),
        tausmooth: a.number("tausmooth"),
        max_isometric_force: a.number("maxisometricforce"),
        scale: a.number("scale"),
        optimal_fiber_length: a.number("optimalfiberlength"),
        tendon_slack_length: a.number("tendonslacklength"),
        max_contraction_velocity: a.number("maxcontractionvelocity"),
        pennation: a.number::<f64>("pennation").map(|angle| angle * unit),
        varying_pennation: a.flag("varyingpennation"),
        compliant_tendon: a.word("tendonmodel", "tendonmodel").map(|model| model != 0),
        tendon_stiffness: a.number("tendonstiffness"),
        tendon_strain: a.number("tendonstrain"),
        fiber_damping: a.number("fiberdamping"),
        curve: a.word("curve", "musclecurve"),
        passive_strain: a.number("passivestrain"),
        eccentric_force: a.number("maxeccentricforce"),
        active_width: a.number("activewidth"),
    }
}
