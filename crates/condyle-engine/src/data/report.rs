//! What happened in one step besides its results: how the solver ended, which warnings were raised, what was reset or held, and why.
//!
//! The report has a fixed size and is kept in [`Diagnostics`](super::Diagnostics), so reporting does not allocate. It holds numbers of
//! elements; who puts it into words adds their names.

use condyle_model::{ConstraintType, Warning};

use super::ISLANDS_KEPT;
use super::diagnostics::{NonFinite, StepIssue};

/// Why a solver stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SolverEnd {
    /// Improvement or gradient fell below the tolerance.
    #[default]
    Converged,
    /// The line search found no better point, although the gradient is above the tolerance.
    Stalled,
    /// The iterations ran out.
    IterationLimit,
}

impl SolverEnd {
    /// The end as one word, for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Converged => "converged",
            Self::Stalled => "stalled",
            Self::IterationLimit => "iteration_limit",
        }
    }
}

/// How the solver ended on one island, or on the whole model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct IslandReport {
    /// Number of the island; 0 when the model was solved as a whole.
    pub island: usize,
    /// Iterations of the solver.
    pub iterations: usize,
    /// Scaled reduction of the cost in the last iteration.
    pub improvement: f64,
    /// Scaled norm of the gradient at the end; 0 for solvers that have none.
    pub gradient: f64,
    /// Why it stopped.
    pub end: SolverEnd,
}

/// Where a force on a dof comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ForceSource {
    /// `qfrc_applied`
    #[default]
    Applied,
    /// `xfrc_applied` on this body.
    External(usize),
    /// Springs, dampers, fluids, gravity compensation.
    Passive,
    /// This actuator.
    Actuator(usize),
    /// Gravity and velocity-dependent inertial forces.
    Bias,
    /// A constraint row of this kind; the index is that of the equality, joint, dof, tendon or contact.
    Constraint(ConstraintType, usize),
}

/// One force on a dof, N or N m.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Contribution {
    /// What exerts it.
    pub source: ForceSource,
    /// The dof it acts on.
    pub dof: usize,
    /// Its size, N or N m.
    pub force: f64,
}

/// What an invalid value comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// No input was invalid: the motion itself grew beyond all bounds.
    #[default]
    Motion,
    /// Position of this joint.
    Position(usize),
    /// Velocity of this joint.
    Velocity(usize),
    /// Activation of this actuator.
    Activation(usize),
    /// Control of this actuator.
    Control(usize),
    /// Applied force on this joint.
    AppliedForce(usize),
    /// External force on this body.
    ExternalForce(usize),
    /// Pose of this mocap body.
    Mocap(usize),
    /// Past controls of this actuator.
    ActuatorHistory(usize),
    /// Past readings of this sensor.
    SensorHistory(usize),
    /// State of this plugin instance.
    PluginState(usize),
    /// Acceleration of this joint the solver starts from.
    WarmStart(usize),
    /// The clock.
    Time,
}

/// What happened in the latest step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct StepReport {
    /// Number of the step, from 1; counted since the data was made or reset by the user.
    pub step: u64,
    /// Time at which the step began, s.
    pub time: f64,
    /// The tolerance that improvement and gradient are compared with.
    pub tolerance: f64,
    /// Problems solved: islands, times the evaluations of the integrator.
    pub solved: usize,
    /// How many of them ran out of iterations.
    pub unconverged: usize,
    /// How many of them stalled above the tolerance.
    pub stalled: usize,
    /// The unconverged problem with the largest improvement still being made.
    pub worst: Option<IslandReport>,
    /// The first islands of the last evaluation; see [`islands`](Self::islands).
    islands: [IslandReport; ISLANDS_KEPT],
    islands_kept: usize,
    /// Warnings raised in this step, by [`Warning`].
    pub warnings: [u32; Warning::ALL.len()],
    /// Issues met in this step, by [`StepIssue`].
    pub issues: [u32; StepIssue::ALL.len()],
    /// Resets by policy in this step.
    pub resets: u32,
    /// Whether the policy kept the step from being taken.
    pub held: bool,
    /// The actuator whose control was invalid, so that all controls were taken as zero.
    pub bad_control: Option<usize>,
    /// The invalid value of this step.
    pub non_finite: Option<NonFinite>,
}

impl Default for StepReport {
    fn default() -> Self {
        Self {
            step: 0,
            time: 0.0,
            tolerance: 0.0,
            solved: 0,
            unconverged: 0,
            stalled: 0,
            worst: None,
            islands: [IslandReport::default(); ISLANDS_KEPT],
            islands_kept: 0,
            warnings: [0; Warning::ALL.len()],
            issues: [0; StepIssue::ALL.len()],
            resets: 0,
            held: false,
            bad_control: None,
            non_finite: None,
        }
    }
}

impl StepReport {
    /// Start the report of the next step.
    pub(crate) fn begin(&mut self, time: f64, tolerance: f64) {
        self.step += 1;
        self.time = time;
        self.tolerance = tolerance;
        (self.solved, self.unconverged, self.stalled, self.worst) = (0, 0, 0, None);
        self.islands_kept = 0;
        self.warnings = [0; Warning::ALL.len()];
        self.issues = [0; StepIssue::ALL.len()];
        (self.resets, self.held) = (0, false);
        (self.bad_control, self.non_finite) = (None, None);
    }

    /// A new evaluation of the dynamics: its islands replace those of the one before.
    pub(crate) fn begin_solve(&mut self) {
        self.islands_kept = 0;
    }

    /// Note how one problem ended.
    pub(crate) fn add_island(&mut self, island: IslandReport) {
        self.solved += 1;
        self.stalled += usize::from(island.end == SolverEnd::Stalled);
        if island.end == SolverEnd::IterationLimit {
            self.unconverged += 1;
            if self.worst.is_none_or(|worst| !(island.improvement <= worst.improvement)) {
                self.worst = Some(island);
            }
        }
        if let Some(slot) = self.islands.get_mut(self.islands_kept) {
            *slot = island;
            self.islands_kept += 1;
        }
    }

    /// How the solver ended on each island of the last evaluation, at most the first [`ISLANDS_KEPT`].
    pub fn islands(&self) -> &[IslandReport] {
        &self.islands[..self.islands_kept]
    }

    /// Whether every problem was solved within the iterations allowed.
    pub const fn converged(&self) -> bool {
        self.unconverged == 0
    }

    /// Whether there is nothing to tell: the solver converged and nothing was raised, reset or held.
    pub fn is_clean(&self) -> bool {
        self.converged()
            && self.resets == 0
            && !self.held
            && self.non_finite.is_none()
            && self.warnings.iter().chain(&self.issues).all(|count| *count == 0)
    }
}

impl Cause {
    /// The cause as one word, for programs, and the index of the joint, body, actuator, sensor or plugin instance.
    pub const fn name_and_index(self) -> (&'static str, Option<usize>) {
        match self {
            Self::Motion => ("motion", None),
            Self::Position(index) => ("position", Some(index)),
            Self::Velocity(index) => ("velocity", Some(index)),
            Self::Activation(index) => ("activation", Some(index)),
            Self::Control(index) => ("control", Some(index)),
            Self::AppliedForce(index) => ("applied_force", Some(index)),
            Self::ExternalForce(index) => ("external_force", Some(index)),
            Self::Mocap(index) => ("mocap", Some(index)),
            Self::ActuatorHistory(index) => ("actuator_history", Some(index)),
            Self::SensorHistory(index) => ("sensor_history", Some(index)),
            Self::PluginState(index) => ("plugin_state", Some(index)),
            Self::WarmStart(index) => ("warm_start", Some(index)),
            Self::Time => ("time", None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn island(improvement: f64, end: SolverEnd) -> IslandReport {
        IslandReport { improvement, end, ..IslandReport::default() }
    }

    #[test]
    fn the_worst_island_is_the_one_still_improving_most() {
        let mut report = StepReport::default();
        report.begin(0.5, 1e-8);
        report.add_island(island(9.0, SolverEnd::Converged));
        report.add_island(island(1.0, SolverEnd::IterationLimit));
        report.add_island(island(2.0, SolverEnd::IterationLimit));
        report.add_island(island(0.5, SolverEnd::Stalled));
        assert_eq!((report.solved, report.unconverged, report.stalled), (4, 2, 1));
        assert_eq!(report.worst.map(|worst| worst.improvement), Some(2.0));
        assert!(!report.converged());
        report.begin(0.6, 1e-8);
        assert!(report.is_clean() && report.islands().is_empty());
        assert_eq!(report.step, 2);
    }

    #[test]
    fn islands_beyond_those_kept_still_count() {
        let mut report = StepReport::default();
        for _ in 0..ISLANDS_KEPT + 5 {
            report.add_island(island(1.0, SolverEnd::IterationLimit));
        }
        assert_eq!(report.islands().len(), ISLANDS_KEPT);
        assert_eq!(report.unconverged, ISLANDS_KEPT + 5);
    }
}
