//! What a step reports besides its results: solver statistics and counted warnings.

use condyle_model::Warning;

use super::State;
use super::report::{Cause, Contribution, StepReport};

/// Iterations kept per island.
pub const SOLVER_ITERATIONS_KEPT: usize = 200;
/// Islands whose statistics are kept.
pub const ISLANDS_KEPT: usize = 20;
/// Forces named in a report.
pub const CONTRIBUTIONS_KEPT: usize = 5;

/// Progress of one solver iteration.
#[repr(C)]
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

impl SolverStat {
    /// The record as words of memory, in the order of its fields.
    fn to_words(self) -> [u64; 5] {
        let pair = |[a, b]: [i32; 2]| {
            let ([a, b, c, d], [e, f, g, h]) = (a.to_ne_bytes(), b.to_ne_bytes());
            u64::from_ne_bytes([a, b, c, d, e, f, g, h])
        };
        let [improvement, gradient, slope] =
            [self.improvement, self.gradient, self.lineslope].map(f64::to_bits);
        [improvement, gradient, slope, pair([self.nactive, self.nchange]), pair([self.neval, self.nupdate])]
    }

    fn from_words([improvement, gradient, lineslope, zones, work]: [u64; 5]) -> Self {
        let pair = |word: u64| {
            let [a, b, c, d, e, f, g, h] = word.to_ne_bytes();
            [[a, b, c, d], [e, f, g, h]].map(i32::from_ne_bytes)
        };
        let [nactive, nchange] = pair(zones);
        let [neval, nupdate] = pair(work);
        let [improvement, gradient, lineslope] = [improvement, gradient, lineslope].map(f64::from_bits);
        Self { improvement, gradient, lineslope, nactive, nchange, neval, nupdate }
    }
}

/// `ISLANDS_KEPT × SOLVER_ITERATIONS_KEPT` iteration records, by island.
///
/// They are kept as zero words, which take no memory before they are written: of 160 kB, most simulations write a few hundred bytes.
#[derive(Debug, PartialEq, Eq)]
pub struct SolverRecords(Box<[[u64; 5]]>);

/// Records that are looked at together, to see whether there is anything in them.
const RECORDS_TOGETHER: usize = 50;

impl Default for SolverRecords {
    fn default() -> Self {
        Self(vec![[0; 5]; SOLVER_ITERATIONS_KEPT * ISLANDS_KEPT].into())
    }
}

impl Clone for SolverRecords {
    fn clone(&self) -> Self {
        let mut records = Self::default();
        records.copy_from(self);
        records
    }
}

impl SolverRecords {
    /// All records in order.
    pub fn iter(&self) -> impl Iterator<Item = SolverStat> + '_ {
        self.0.iter().map(|words| SolverStat::from_words(*words))
    }

    /// Write a record; there is none beyond the last.
    pub fn set(&mut self, index: usize, stat: SolverStat) {
        if let Some(words) = self.0.get_mut(index) {
            *words = stat.to_words();
        }
    }

    /// The memory of the records, each as [`SolverStat`] is laid out.
    pub fn words(&self) -> &[[u64; 5]] {
        &self.0
    }

    /// Make these equal to `other`, in their place.
    fn copy_from(&mut self, other: &Self) {
        let parts = self.0.chunks_mut(RECORDS_TOGETHER).zip(other.0.chunks(RECORDS_TOGETHER));
        for (own, theirs) in parts.filter(|(own, theirs)| own != theirs) {
            own.copy_from_slice(theirs);
        }
    }

    fn clear(&mut self) {
        // All words together, without an early end: this takes a vector instruction for several of them.
        let written =
            |part: &&mut [[u64; 5]]| part.as_flattened().iter().fold(0, |all, word| all | word) != 0;
        for part in self.0.chunks_mut(RECORDS_TOGETHER).filter(written) {
            part.fill([0; 5]);
        }
    }
}

/// How often a warning was raised, and about what last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WarningStat {
    /// Index of the dof, contact or other thing the last warning was about.
    pub lastinfo: i32,
    /// How many times since the last reset.
    pub number: i32,
}

impl WarningStat {
    fn count(&mut self, info: i32) {
        self.number = self.number.saturating_add(1);
        self.lastinfo = info;
    }
}

/// What a step does when it meets an invalid value: NaN, or beyond 1e10 in magnitude.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum NonFinitePolicy {
    /// Reset to the reference configuration and go on, unless the model disables that.
    #[default]
    AutoReset,
    /// Do not take the step, and go back to the last finite state a step started from or ended in; to the reference configuration at
    /// rest when there is none.
    Hold,
    /// Do not take the step and leave the state as it is; `try_step` returns the report.
    Error,
}

/// The invalid value found in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NonFinite {
    /// Which quantity: position, velocity or acceleration.
    pub warning: Warning,
    /// Its index in `qpos`, `qvel` or `qacc`.
    pub index: usize,
    /// The value itself.
    pub value: f64,
    /// Joint and body the number belongs to.
    pub joint: usize,
    /// Body of that joint.
    pub body: usize,
    /// Number of the step that met it, and its time, s.
    pub step: u64,
    /// Time at which that step began, s.
    pub time: f64,
    /// The input the number comes from.
    pub cause: Cause,
    /// The largest forces on the kinematic tree; see [`contributions`](Self::contributions).
    pub(crate) forces: [Contribution; CONTRIBUTIONS_KEPT],
}

impl NonFinite {
    /// The largest forces on the dofs of the kinematic tree at that time, largest first, NaN before all; of use when an acceleration is
    /// to be explained.
    pub fn contributions(&self) -> impl Iterator<Item = Contribution> {
        self.forces.into_iter().filter(|contribution| contribution.force != 0.0)
    }

    /// The array the number stands in.
    pub const fn quantity(&self) -> &'static str {
        match self.warning {
            Warning::BadQpos => "qpos",
            Warning::BadQvel => "qvel",
            _ => "qacc",
        }
    }

    /// The stage that met it.
    pub const fn stage(&self) -> &'static str {
        match self.warning {
            Warning::BadQpos => "position",
            Warning::BadQvel => "velocity",
            _ => "acceleration",
        }
    }
}

impl std::fmt::Display for NonFinite {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{}[{}] is {:e} in step {} at time {} (joint {}, body {})",
            self.quantity(),
            self.index,
            self.value,
            self.step,
            self.time,
            self.joint,
            self.body
        )
    }
}

impl std::error::Error for NonFinite {}

/// Things that are wrong with a model or a problem and were put right in the step, without a numbered warning of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StepIssue {
    /// `solref` with one positive and one other number; the default is used. About a constraint row.
    MixedReference,
    /// `solreffriction` with one positive and one other number; it is not used. About a constraint row.
    MixedFrictionReference,
    /// The cost along a search direction curves downward. About an island.
    LineSearchNotConvex,
    /// A penetration depth was taken as zero because a face of the polytope passes through the origin.
    DepthOnFace,
    /// A penetration depth is not exact because the polytope had too many faces.
    DepthOutOfFaces,
    /// A height field meets a signed distance field, a pair that has no test.
    HeightFieldOnDistanceField,
    /// The Hessian of the solver has a vanishing pivot; it was raised to the least that is used. About an island.
    SingularHessian,
    /// The dual matrix does not fit into memory; the step had no constraints. About the number of rows.
    DualOutOfMemory,
}

impl StepIssue {
    /// Every issue, in order.
    pub const ALL: [Self; 8] = [
        Self::MixedReference,
        Self::MixedFrictionReference,
        Self::LineSearchNotConvex,
        Self::DepthOnFace,
        Self::DepthOutOfFaces,
        Self::HeightFieldOnDistanceField,
        Self::SingularHessian,
        Self::DualOutOfMemory,
    ];

    /// The issue as one word, for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::MixedReference => "mixed_reference",
            Self::MixedFrictionReference => "mixed_friction_reference",
            Self::LineSearchNotConvex => "line_search_not_convex",
            Self::DepthOnFace => "depth_on_face",
            Self::DepthOutOfFaces => "depth_out_of_faces",
            Self::HeightFieldOnDistanceField => "height_field_on_distance_field",
            Self::SingularHessian => "singular_hessian",
            Self::DualOutOfMemory => "dual_out_of_memory",
        }
    }
}

/// Statistics and warnings of the latest step.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostics {
    /// The first iterations of the first islands.
    pub solver: SolverRecords,
    /// Iterations per island.
    pub solver_niter: [i32; ISLANDS_KEPT],
    /// Non-zeros of the Hessian or of the dual matrix per island.
    pub solver_nnz: [i32; ISLANDS_KEPT],
    /// Disagreement of forward and inverse dynamics: constraint forces, applied forces.
    pub solver_fwdinv: [f64; 2],
    /// One counter per [`Warning`].
    pub warning: [WarningStat; Warning::ALL.len()],
    /// What to do about invalid values.
    pub non_finite_policy: NonFinitePolicy,
    /// The invalid value met last; survives the reset it causes.
    pub non_finite: Option<NonFinite>,
    /// One counter per [`StepIssue`].
    pub issues: [WarningStat; StepIssue::ALL.len()],
    /// What happened in the latest step.
    pub report: StepReport,
    /// The state to go back to under the policy `Hold`.
    pub(crate) last_finite: Option<Box<State>>,
    /// Whether `last_finite` belongs to this run.
    pub(crate) last_finite_is_valid: bool,
}

impl Default for Diagnostics {
    fn default() -> Self {
        Self {
            solver: SolverRecords::default(),
            solver_niter: [0; ISLANDS_KEPT],
            solver_nnz: [0; ISLANDS_KEPT],
            solver_fwdinv: [0.0; 2],
            warning: [WarningStat::default(); Warning::ALL.len()],
            non_finite_policy: NonFinitePolicy::default(),
            non_finite: None,
            issues: [WarningStat::default(); StepIssue::ALL.len()],
            report: StepReport::default(),
            last_finite: None,
            last_finite_is_valid: false,
        }
    }
}

impl Diagnostics {
    /// Make these equal to `other`, leaving the iteration records where they are.
    pub fn copy_from(&mut self, other: &Self) {
        let mut copy = other.clone();
        self.solver.copy_from(&other.solver);
        std::mem::swap(&mut self.solver, &mut copy.solver);
        *self = copy;
    }

    /// Count a warning about `info`.
    pub fn warn(&mut self, warning: Warning, info: i32) {
        self.recount(warning, info);
        let raised = &mut self.report.warnings[warning as usize];
        *raised = raised.saturating_add(1);
        if warning == Warning::BadCtrl {
            self.report.bad_control = usize::try_from(info).ok();
        }
    }

    /// Count a warning about `info` that the report already has.
    pub(crate) fn recount(&mut self, warning: Warning, info: i32) {
        self.warning[warning as usize].count(info);
    }

    /// Count an issue about `info`.
    pub fn count_issue(&mut self, issue: StepIssue, info: i32) {
        self.issues[issue as usize].count(info);
        let raised = &mut self.report.issues[issue as usize];
        *raised = raised.saturating_add(1);
    }

    /// Another run begins in the same memory: counters start from zero, and there is no finite state to go back to.
    pub fn begin_run(&mut self) {
        for warning in &mut self.warning {
            warning.number = 0;
        }
        self.last_finite_is_valid = false;
    }

    /// Whether any warning was counted since the last reset or the start of the run.
    pub fn any_warning(&self) -> bool {
        self.warning.iter().any(|warning| warning.number != 0)
    }

    /// Forget statistics, warnings and the step report, keeping the memory, the policy and the last invalid value.
    pub fn reset(&mut self) {
        self.solver.clear();
        self.solver_niter = [0; ISLANDS_KEPT];
        self.solver_nnz = [0; ISLANDS_KEPT];
        self.solver_fwdinv = [0.0; 2];
        self.warning = [WarningStat::default(); Warning::ALL.len()];
        self.issues = [WarningStat::default(); StepIssue::ALL.len()];
        self.report = StepReport::default();
        self.last_finite_is_valid = false;
    }
}
