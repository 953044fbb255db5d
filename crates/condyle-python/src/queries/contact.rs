//! Why two geoms collide or not, and who touches whom with what force.

use condyle::report::{contact as contact_table, pair as pair_text};
use condyle_engine::query::contact_report::ContactReport;
use condyle_engine::query::explain_pair::{self, Step};
use condyle_model::{Model, ObjectType};
use numpy::PyArray1;
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::Int;
use crate::data::{MjData, pair};
use crate::model::MjModel;
use crate::record;

/// A geom by name or number.
fn geom(model: &Model, which: &Bound<'_, PyAny>) -> PyResult<usize> {
    if let Ok(name) = which.extract::<String>() {
        return model
            .find(ObjectType::Geom, &name)
            .ok_or_else(|| PyKeyError::new_err(format!("the model has no geom '{name}'")));
    }
    let id: Int = which.extract().map_err(|_| PyTypeError::new_err("a geom is given by name or number"))?;
    id.index("geom", model.ngeom)
}

/// A rule of collision detection and its verdict on a pair.
#[pyclass(module = "condyle", name = "PairStep", frozen)]
#[derive(Clone)]
pub(crate) struct PairStep {
    step: Step,
    message: String,
    help: Option<String>,
}

#[pymethods]
impl PairStep {
    /// Short name of the rule.
    #[getter]
    fn rule(&self) -> &'static str {
        self.step.rule.name()
    }

    /// "passes", "stops" (no contact) or "mutes" (a contact without force).
    #[getter]
    fn verdict(&self) -> &'static str {
        self.step.verdict.name()
    }

    /// The verdict in words.
    #[getter]
    fn message(&self) -> &str {
        &self.message
    }

    /// What to change to get another verdict.
    #[getter]
    fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// The numbers the verdict rests on.
    #[getter]
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let numbers = PyDict::new(py);
        for (name, value) in &self.step.numbers {
            numbers.set_item(name, value)?;
        }
        Ok(numbers)
    }

    fn __repr__(&self) -> String {
        format!("<PairStep {} {}: {}>", self.step.verdict.name(), self.step.rule.name(), self.message)
    }
}

/// How the rules of collision detection treat two geoms, one after the other; `print` shows it.
#[pyclass(module = "condyle", name = "PairExplanation", frozen)]
pub(crate) struct PairExplanation {
    explanation: explain_pair::PairExplanation,
    steps: Vec<PairStep>,
    summary: String,
    text: String,
    json: String,
}

#[pymethods]
impl PairExplanation {
    /// The two geoms in the order of their contacts.
    #[getter]
    fn geoms(&self) -> (usize, usize) {
        (self.explanation.geoms[0], self.explanation.geoms[1])
    }

    /// Whether the pair makes contacts.
    #[getter]
    fn collides(&self) -> bool {
        self.explanation.collides()
    }

    /// Whether one of the contacts can carry force.
    #[getter]
    fn active(&self) -> bool {
        self.explanation.is_active()
    }

    /// Name of the first rule that stops the pair, or None.
    #[getter]
    fn stopped_by(&self) -> Option<&'static str> {
        self.explanation.reason().filter(|_| !self.explanation.collides()).map(|step| step.rule.name())
    }

    /// The outcome as a sentence.
    #[getter]
    fn summary(&self) -> &str {
        &self.summary
    }

    /// All rules in their order.
    #[getter]
    fn steps(&self) -> Vec<PairStep> {
        self.steps.clone()
    }

    /// The contacts of the pair.
    #[getter]
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.explanation.contacts.iter().map(|contact| record::contact(py, contact)).collect()
    }

    /// The explanation as JSON text.
    fn to_json(&self) -> &str {
        &self.json
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<PairExplanation geoms={:?}: {}>", self.explanation.geoms, self.summary)
    }
}

/// Why two geoms, given by name or number, do or do not collide at the poses in `data`.
#[pyfunction(name = "explain_pair")]
fn explain_pair_of(
    model: Py<MjModel>,
    data: Py<MjData>,
    geom1: Bound<'_, PyAny>,
    geom2: Bound<'_, PyAny>,
) -> PyResult<PairExplanation> {
    let (model, data) = pair(&model, &data)?;
    let (geom1, geom2) = (geom(model, &geom1)?, geom(model, &geom2)?);
    let explanation = explain_pair::explain_pair(model, data, geom1, geom2)
        .ok_or_else(|| PyValueError::new_err("a geom does not collide with itself"))?;
    let step = |step: &Step| PairStep {
        message: pair_text::message(model, &explanation, step),
        help: pair_text::help(model, &explanation, step),
        step: step.clone(),
    };
    Ok(PairExplanation {
        steps: explanation.steps.iter().map(step).collect(),
        summary: pair_text::summary(model, &explanation),
        text: pair_text::text(model, &explanation).trim_end().to_owned(),
        json: pair_text::json(model, &explanation),
        explanation,
    })
}

/// One contact with names, world forces and friction.
#[pyclass(module = "condyle", name = "ContactReport", frozen)]
pub(crate) struct PyContactReport {
    report: ContactReport,
    /// Names of what touches, and of the bodies.
    parts: [String; 2],
    bodies: [String; 2],
}

type Vector<'py> = Bound<'py, PyArray1<f64>>;

macro_rules! report_getters {
    (values $($(#[$meta:meta])* $name:ident -> $type:ty = |$report:ident| $value:expr;)*;
     vectors $($(#[$vmeta:meta])* $vector:ident = |$vreport:ident| $values:expr;)*) => {
        #[pymethods]
        impl PyContactReport {
            $($(#[$meta])* #[getter] fn $name(&self) -> $type { let $report = self; $value })*
            $($(#[$vmeta])* #[getter] fn $vector<'py>(&self, py: Python<'py>) -> Vector<'py> {
                let $vreport = &self.report;
                PyArray1::from_slice(py, &$values)
            })*

            fn __repr__(&self) -> String {
                let report = &self.report;
                let name = |side: usize| format!("{} of {}", self.parts[side], self.bodies[side]);
                format!(
                    "<ContactReport {}: {} -> {}, distance {:.6} m at {:?}, force on the second {:?} N, {}>",
                    report.index, name(0), name(1), report.distance, report.point, report.sides[1].force,
                    report.status.name()
                )
            }
        }
    };
}

report_getters! {
    values
    /// Number of the contact in `data.contact`.
    index -> usize = |of| of.report.index;
    /// First geom; None for a flex.
    geom1 -> Option<usize> = |of| of.report.sides[0].geom();
    /// Second geom; None for a flex.
    geom2 -> Option<usize> = |of| of.report.sides[1].geom();
    /// Name of the first geom, or # and its number; the element or vertex of a flex.
    geom1_name -> String = |of| of.parts[0].clone();
    /// Name of the second geom, or # and its number; the element or vertex of a flex.
    geom2_name -> String = |of| of.parts[1].clone();
    /// Body of the first geom or vertex; None for an element of a flex.
    body1 -> Option<usize> = |of| of.report.sides[0].body();
    /// Body of the second geom or vertex; None for an element of a flex.
    body2 -> Option<usize> = |of| of.report.sides[1].body();
    /// Name of the first body, or # and its number.
    body1_name -> String = |of| of.bodies[0].clone();
    /// Name of the second body, or # and its number.
    body2_name -> String = |of| of.bodies[1].clone();
    /// Distance of the surfaces, m; negative when they overlap.
    distance -> f64 = |of| of.report.distance;
    /// How deeply the surfaces overlap, m.
    depth -> f64 = |of| of.report.depth;
    /// "sticking", "slipping", "frictionless", "separating", "in gap", "passive" or "not a constraint".
    status -> &'static str = |of| of.report.status.name();
    /// 1, 3, 4 or 6.
    dimension -> i32 = |of| of.report.dimension;
    /// Force along the normal, N.
    normal_force -> f64 = |of| of.report.normal_force;
    /// Size of the force in the tangent plane, N.
    friction_force -> f64 = |of| of.report.friction_force;
    /// Velocity of the second surface relative to the first along the normal, m/s; positive when they separate.
    normal_velocity -> f64 = |of| of.report.normal_velocity;
    /// Share of the friction cone in use, 0 to 1.
    cone_usage -> f64 = |of| of.report.cone_usage;
    /// Additional tangential force at which the contact would slip, N.
    coulomb_margin -> f64 = |of| of.report.coulomb_margin;
    ;
    vectors
    /// Midpoint between the surfaces, world frame, m.
    point = |report| report.point;
    /// Unit vector from the first geom to the second, world axes.
    normal = |report| report.normal;
    /// Force on the first geom, world axes, N.
    force_on_geom1 = |report| report.sides[0].force;
    /// Force on the second geom, world axes, N.
    force_on_geom2 = |report| report.sides[1].force;
    /// Torque on the first geom about the contact point, world axes, N·m.
    torque_on_geom1 = |report| report.sides[0].torque;
    /// Torque on the second geom about the contact point, world axes, N·m.
    torque_on_geom2 = |report| report.sides[1].torque;
    /// Friction coefficients: two sliding, spinning, two rolling.
    friction = |report| report.friction;
    /// Velocity of the second surface relative to the first in the tangent plane, world axes, m/s.
    slip = |report| report.slip;
}

/// Reports of all contacts, and the same as a table and as JSON.
#[pyfunction]
fn _contacts(model: Py<MjModel>, data: Py<MjData>) -> PyResult<(Vec<PyContactReport>, String, String)> {
    let (model, data) = pair(&model, &data)?;
    let reports = data.contact_reports(model);
    let (table, json) = (contact_table::table(model, &reports), contact_table::json(model, &reports));
    let named = |report: ContactReport| PyContactReport {
        parts: report.sides.map(|side| contact_table::part_name(model, &side)),
        bodies: report.sides.map(|side| contact_table::body_name(model, &side)),
        report,
    };
    Ok((reports.into_iter().map(named).collect(), table, json))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PairStep>()?;
    module.add_class::<PairExplanation>()?;
    module.add_class::<PyContactReport>()?;
    module.add_function(wrap_pyfunction!(explain_pair_of, module)?)?;
    module.add_function(wrap_pyfunction!(_contacts, module)?)
}
