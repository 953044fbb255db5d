//! What a step reports besides its results: solver statistics and counted warnings.

use condyle_model::Warning;

/// Iterations kept per island.
pub const SOLVER_ITERATIONS_KEPT: usize = 200;
/// Islands whose statistics are kept.
pub const ISLANDS_KEPT: usize = 20;

/// Progress of one solver iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolverStat {
    /// Reduction of the cost, scaled.
    pub improvement: f64,
    /// Norm of the gradient, scaled; primal solvers only.
    pub gradient: f64,
    /// Slope at the end of the line search.
    pub lineslope: f64,
    /// Rows in their quadratic or cone zone.
    pub nactive: i32,
    /// Rows whose zone changed.
    pub nchange: i32,
    /// Cost evaluations in the line search.
    pub neval: i32,
    /// Rank-one updates of the Hessian factor.
    pub nupdate: i32,
}

/// How often a warning was raised, and about what last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WarningStat {
    /// Index of the dof, contact or other thing the last warning was about.
    pub lastinfo: i32,
    /// How many times since the last reset.
    pub number: i32,
}

/// What a step does when it meets an unusable number: NaN, or beyond 1e10 in magnitude.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NonFinitePolicy {
    /// Reset to the reference configuration and go on, unless the model disables that.
    #[default]
    AutoReset,
    /// Do not take the step: state and time stay as they are.
    Hold,
    /// As `Hold`, and `try_step` returns the report.
    Error,
}

/// The unusable number a step met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NonFinite {
    /// Which quantity: position, velocity or acceleration.
    pub warning: Warning,
    /// Its index in `qpos`, `qvel` or `qacc`.
    pub index: usize,
    pub value: f64,
    /// Joint and body the number belongs to.
    pub joint: usize,
    pub body: usize,
    /// Time at which it was met, s.
    pub time: f64,
    /// Generalised forces on the dof at that time, by name; of use when an acceleration is to be explained.
    pub forces: [(&'static str, f64); 5],
}

impl std::fmt::Display for NonFinite {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let quantity = match self.warning {
            Warning::BadQpos => "qpos",
            Warning::BadQvel => "qvel",
            _ => "qacc",
        };
        write!(
            f,
            "{quantity}[{}] is {} at time {} (joint {}, body {})",
            self.index, self.value, self.time, self.joint, self.body
        )?;
        if self.warning == Warning::BadQacc {
            for (name, force) in self.forces {
                write!(f, ", {name} {force}")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for NonFinite {}

/// Statistics and warnings of the latest step.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostics {
    /// `ISLANDS_KEPT × SOLVER_ITERATIONS_KEPT` iteration records, by island.
    pub solver: Box<[SolverStat]>,
    /// Iterations per island.
    pub solver_niter: [i32; ISLANDS_KEPT],
    /// Non-zeros of the Hessian or of the dual matrix per island.
    pub solver_nnz: [i32; ISLANDS_KEPT],
    /// Disagreement of forward and inverse dynamics: constraint forces, applied forces.
    pub solver_fwdinv: [f64; 2],
    /// One counter per [`Warning`].
    pub warning: [WarningStat; Warning::ALL.len()],
    /// What to do about unusable numbers.
    pub non_finite_policy: NonFinitePolicy,
    /// The unusable number met last; survives the reset it causes.
    pub non_finite: Option<NonFinite>,
}

impl Default for Diagnostics {
    fn default() -> Self {
        Self {
            solver: vec![SolverStat::default(); SOLVER_ITERATIONS_KEPT * ISLANDS_KEPT].into(),
            solver_niter: [0; ISLANDS_KEPT],
            solver_nnz: [0; ISLANDS_KEPT],
            solver_fwdinv: [0.0; 2],
            warning: [WarningStat::default(); Warning::ALL.len()],
            non_finite_policy: NonFinitePolicy::default(),
            non_finite: None,
        }
    }
}

impl Diagnostics {
    /// Count a warning about `info`.
    pub fn warn(&mut self, warning: Warning, info: i32) {
        let stat = &mut self.warning[warning as usize];
        stat.number = stat.number.saturating_add(1);
        stat.lastinfo = info;
    }

    /// Forget statistics and warnings, keeping the memory, the policy and the last report.
    pub fn reset(&mut self) {
        self.solver.fill(SolverStat::default());
        self.solver_niter = [0; ISLANDS_KEPT];
        self.solver_nnz = [0; ISLANDS_KEPT];
        self.solver_fwdinv = [0.0; 2];
        self.warning = [WarningStat::default(); Warning::ALL.len()];
    }
}
