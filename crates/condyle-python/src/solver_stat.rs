//! `data.solver`: progress of the solver, a record per island and iteration. `data.timer`: runs and durations of the stages.

use condyle_engine::data::{SolverStat, TimerStat};
use condyle_model::Values;
use pyo3::exceptions::{PyAttributeError, PyIndexError};
use pyo3::prelude::*;

use crate::data::MjData;
use crate::view;

/// One iteration, as it was when it was read.
#[pyclass(module = "condyle", name = "MjSolverStat", frozen, get_all)]
pub struct MjSolverStat {
    /// Reduction of the cost, scaled.
    improvement: f64,
    /// Norm of the gradient, scaled.
    gradient: f64,
    /// Slope at the end of the line search.
    lineslope: f64,
    /// Rows that are active.
    nactive: i32,
    /// Rows whose zone changed.
    nchange: i32,
    /// Cost evaluations in the line search.
    neval: i32,
    /// Rank-one updates of the factor.
    nupdate: i32,
}

/// All iterations: 200 per island. `solver[i]` is one of them; `solver.improvement` and the like are arrays over all.
#[pyclass(module = "condyle", name = "_MjSolverStatList", frozen)]
pub struct MjSolverStatList {
    data: Py<MjData>,
}

impl MjSolverStatList {
    pub fn new(data: Py<MjData>) -> Self {
        Self { data }
    }

    fn stats(&self) -> &[SolverStat] {
        &self.data.get().get().diagnostics.solver
    }
}

#[pymethods]
impl MjSolverStatList {
    fn __len__(&self) -> usize {
        self.stats().len()
    }

    fn __getitem__(&self, index: isize) -> PyResult<MjSolverStat> {
        let position = if index < 0 { index + self.stats().len() as isize } else { index };
        let stat = usize::try_from(position).ok().and_then(|position| self.stats().get(position));
        let stat = stat.ok_or_else(|| PyIndexError::new_err("solver iteration out of range"))?;
        Ok(MjSolverStat {
            improvement: stat.improvement,
            gradient: stat.gradient,
            lineslope: stat.lineslope,
            nactive: stat.nactive,
            nchange: stat.nchange,
            neval: stat.neval,
            nupdate: stat.nupdate,
        })
    }

    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let number: fn(&SolverStat) -> f64 = match name {
            "improvement" => |stat| stat.improvement,
            "gradient" => |stat| stat.gradient,
            "lineslope" => |stat| stat.lineslope,
            _ => {
                let count: fn(&SolverStat) -> i32 = match name {
                    "nactive" => |stat| stat.nactive,
                    "nchange" => |stat| stat.nchange,
                    "neval" => |stat| stat.neval,
                    "nupdate" => |stat| stat.nupdate,
                    _ => {
                        let message = format!("a solver iteration has no attribute '{name}'");
                        return Err(PyAttributeError::new_err(message));
                    }
                };
                let column: Vec<i32> = self.stats().iter().map(count).collect();
                return view::copy(py, Values::I32(&column), &[column.len()]);
            }
        };
        let column: Vec<f64> = self.stats().iter().map(number).collect();
        view::copy(py, Values::F64(&column), &[column.len()])
    }
}

/// One timer, as it was when it was read.
#[pyclass(module = "condyle", frozen, get_all)]
pub struct MjTimerStat {
    /// Time altogether, in the unit of the function set by `set_mjcb_time`; 0 without one.
    duration: f64,
    /// Number of runs.
    number: i32,
}

/// The timers, one per stage: `timer[mjtTimer.mjTIMER_STEP]` is one of them; `timer.duration` and `timer.number` are arrays over all.
#[pyclass(module = "condyle", name = "_MjTimerStatList", frozen)]
pub struct MjTimerStatList {
    data: Py<MjData>,
}

impl MjTimerStatList {
    pub fn new(data: Py<MjData>) -> Self {
        Self { data }
    }

    fn stats(&self) -> &[TimerStat] {
        self.data.get().get().timers.stats()
    }
}

#[pymethods]
impl MjTimerStatList {
    fn __len__(&self) -> usize {
        self.stats().len()
    }

    fn __getitem__(&self, index: &Bound<'_, PyAny>) -> PyResult<MjTimerStat> {
        let index: isize = index.extract().or_else(|_| index.call_method0("__int__")?.extract())?;
        let position = if index < 0 { index + self.stats().len() as isize } else { index };
        let stat = usize::try_from(position).ok().and_then(|position| self.stats().get(position));
        let stat = stat.ok_or_else(|| PyIndexError::new_err("timer index out of range"))?;
        Ok(MjTimerStat { duration: stat.duration, number: stat.number })
    }

    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let count = self.stats().len();
        match name {
            "duration" => {
                let durations: Vec<f64> = self.stats().iter().map(|stat| stat.duration).collect();
                view::copy(py, Values::F64(&durations), &[count])
            }
            "number" => {
                let numbers: Vec<i32> = self.stats().iter().map(|stat| stat.number).collect();
                view::copy(py, Values::I32(&numbers), &[count])
            }
            _ => Err(PyAttributeError::new_err(format!("timers have no attribute '{name}'"))),
        }
    }
}
