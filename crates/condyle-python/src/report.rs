//! `data.report`: what happened in the latest step, and the exception of the policy `error`.

use condyle::Describe;
use condyle_engine::data::{Contribution, IslandReport, NonFinite, NonFinitePolicy, StepIssue, StepReport};
use condyle_model::{Model, Warning};
use pyo3::exceptions::{PyArithmeticError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::data::MjData;

pyo3::create_exception!(
    condyle,
    NonFiniteError,
    PyArithmeticError,
    "A step found an invalid value under the policy 'error'; `data.report` has the details."
);

/// The policies by name.
const POLICIES: [(&str, NonFinitePolicy); 3] = [
    ("auto_reset", NonFinitePolicy::AutoReset),
    ("hold", NonFinitePolicy::Hold),
    ("error", NonFinitePolicy::Error),
];

/// Name of a policy.
pub(crate) fn policy_name(policy: NonFinitePolicy) -> &'static str {
    POLICIES.iter().find(|(_, known)| *known == policy).map_or("", |(name, _)| *name)
}

/// The policy of a name.
pub(crate) fn policy_from_name(name: &str) -> PyResult<NonFinitePolicy> {
    POLICIES.iter().find(|(known, _)| *known == name).map(|(_, policy)| *policy).ok_or_else(|| {
        PyValueError::new_err(format!("no policy '{name}'; there are 'auto_reset', 'hold' and 'error'"))
    })
}

/// The exception for a step that was stopped, if it was and the policy asks for one.
pub(crate) fn check_stopped(data: &MjData) -> PyResult<()> {
    let diagnostics = &data.read()?.diagnostics;
    match &diagnostics.report.non_finite {
        Some(found) if diagnostics.report.held && diagnostics.non_finite_policy == NonFinitePolicy::Error => {
            Err(NonFiniteError::new_err(found.describe(data.model().get().get())))
        }
        _ => Ok(()),
    }
}

/// How the solver ended on one island.
#[pyclass(module = "condyle", name = "IslandReport", frozen)]
pub(crate) struct PyIslandReport(IslandReport);

#[pymethods]
impl PyIslandReport {
    /// Number of the island; 0 when the model was solved as a whole.
    #[getter]
    fn island(&self) -> usize {
        self.0.island
    }

    #[getter]
    fn iterations(&self) -> usize {
        self.0.iterations
    }

    /// Scaled reduction of the cost in the last iteration.
    #[getter]
    fn improvement(&self) -> f64 {
        self.0.improvement
    }

    /// Scaled norm of the gradient at the end.
    #[getter]
    fn gradient(&self) -> f64 {
        self.0.gradient
    }

    /// 'converged', 'stalled' or 'iteration_limit'.
    #[getter]
    fn end(&self) -> &'static str {
        self.0.end.name()
    }

    fn __repr__(&self) -> String {
        format!(
            "IslandReport(island={}, iterations={}, improvement={:e}, gradient={:e}, end='{}')",
            self.0.island,
            self.0.iterations,
            self.0.improvement,
            self.0.gradient,
            self.end()
        )
    }
}

/// The invalid value found in a step.
#[pyclass(module = "condyle", name = "NonFinite", frozen)]
pub(crate) struct PyNonFinite {
    found: NonFinite,
    text: String,
    contributions: Vec<(String, usize, f64)>,
}

impl PyNonFinite {
    fn new(found: &NonFinite, model: &Model) -> Self {
        let named = |item: Contribution| (item.source.describe(model), item.dof, item.force);
        Self {
            found: *found,
            text: found.describe(model),
            contributions: found.contributions().map(named).collect(),
        }
    }
}

#[pymethods]
impl PyNonFinite {
    /// 'position', 'velocity' or 'acceleration'.
    #[getter]
    fn stage(&self) -> &'static str {
        self.found.stage()
    }

    /// The array: 'qpos', 'qvel' or 'qacc'.
    #[getter]
    fn quantity(&self) -> &'static str {
        self.found.quantity()
    }

    /// Index in the array.
    #[getter]
    fn index(&self) -> usize {
        self.found.index
    }

    #[getter]
    fn value(&self) -> f64 {
        self.found.value
    }

    /// Joint the number belongs to.
    #[getter]
    fn joint(&self) -> usize {
        self.found.joint
    }

    /// Body the number belongs to.
    #[getter]
    fn body(&self) -> usize {
        self.found.body
    }

    #[getter]
    fn step(&self) -> u64 {
        self.found.step
    }

    #[getter]
    fn time(&self) -> f64 {
        self.found.time
    }

    /// What the number comes from, and the index of the joint, body, actuator, sensor or plugin.
    #[getter]
    fn cause(&self) -> (&'static str, Option<usize>) {
        self.found.cause.name_and_index()
    }

    /// The largest forces on the kinematic tree, largest first: where each comes from, the dof it acts on, and its size.
    #[getter]
    fn contributions(&self) -> Vec<(String, usize, f64)> {
        self.contributions.clone()
    }

    fn __str__(&self) -> &str {
        &self.text
    }
}

/// What happened in the latest step, as it was when it was read.
#[pyclass(module = "condyle", name = "StepReport", frozen)]
pub(crate) struct PyStepReport {
    report: StepReport,
    text: String,
    non_finite: Option<Py<PyNonFinite>>,
}

impl PyStepReport {
    pub(crate) fn of(py: Python<'_>, data: &MjData) -> PyResult<Self> {
        let report = data.read()?.diagnostics.report;
        let model = data.model().get().get();
        let non_finite = report
            .non_finite
            .as_ref()
            .map(|found| Py::new(py, PyNonFinite::new(found, model)))
            .transpose()?;
        Ok(Self { report, text: report.describe(model), non_finite })
    }
}

const WARNINGS: [&str; Warning::ALL.len()] = [
    "inertia",
    "contact_full",
    "constraint_full",
    "visual_geom_full",
    "bad_qpos",
    "bad_qvel",
    "bad_qacc",
    "bad_ctrl",
];

fn counted<'py>(
    py: Python<'py>,
    counts: impl Iterator<Item = (&'static str, u32)>,
) -> PyResult<Bound<'py, PyDict>> {
    let result = PyDict::new(py);
    for (name, count) in counts.filter(|(_, count)| *count > 0) {
        result.set_item(name, count)?;
    }
    Ok(result)
}

#[pymethods]
impl PyStepReport {
    /// Number of the step since the data was made or reset.
    #[getter]
    fn step(&self) -> u64 {
        self.report.step
    }

    /// Time at which the step began.
    #[getter]
    fn time(&self) -> f64 {
        self.report.time
    }

    /// The tolerance that improvement and gradient are compared with.
    #[getter]
    fn tolerance(&self) -> f64 {
        self.report.tolerance
    }

    /// Whether the solver converged on every island.
    #[getter]
    fn converged(&self) -> bool {
        self.report.converged()
    }

    /// Problems solved in this step.
    #[getter]
    fn solved(&self) -> usize {
        self.report.solved
    }

    /// Problems that ran out of iterations.
    #[getter]
    fn unconverged(&self) -> usize {
        self.report.unconverged
    }

    /// Problems that stalled above the tolerance.
    #[getter]
    fn stalled(&self) -> usize {
        self.report.stalled
    }

    /// The unconverged problem that was still improving most.
    #[getter]
    fn worst(&self) -> Option<PyIslandReport> {
        self.report.worst.map(PyIslandReport)
    }

    /// How the solver ended on each island.
    #[getter]
    fn islands(&self) -> Vec<PyIslandReport> {
        self.report.islands().iter().map(|island| PyIslandReport(*island)).collect()
    }

    /// Warnings raised in this step, by name.
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        counted(py, WARNINGS.into_iter().zip(self.report.warnings))
    }

    /// Issues met in this step, by name.
    #[getter]
    fn issues<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        counted(py, StepIssue::ALL.into_iter().map(StepIssue::name).zip(self.report.issues))
    }

    /// Resets by policy in this step.
    #[getter]
    fn resets(&self) -> u32 {
        self.report.resets
    }

    /// Whether the policy kept the step from being taken.
    #[getter]
    fn held(&self) -> bool {
        self.report.held
    }

    /// The actuator whose control was invalid.
    #[getter]
    fn bad_control(&self) -> Option<usize> {
        self.report.bad_control
    }

    /// The invalid value of this step.
    #[getter]
    fn non_finite(&self, py: Python<'_>) -> Option<Py<PyNonFinite>> {
        self.non_finite.as_ref().map(|found| found.clone_ref(py))
    }

    fn __str__(&self) -> &str {
        &self.text
    }
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("NonFiniteError", module.py().get_type::<NonFiniteError>())?;
    module.add_class::<PyIslandReport>()?;
    module.add_class::<PyNonFinite>()?;
    module.add_class::<PyStepReport>()
}
