//! What a run ends with: time, speed, energy, contacts, warnings.

use std::fmt::Write as _;
use std::time::Duration;

use condyle::model::Warning;
use condyle::report::issue_text;
use condyle::{Describe, Sim, StepIssue};

use crate::doctor;
use crate::label::short;

/// What happened during a run, summed over its steps.
#[derive(Default)]
pub(crate) struct Events {
    peak_contacts: usize,
    warnings: [u64; Warning::ALL.len()],
    issues: [u64; StepIssue::ALL.len()],
    resets: u64,
    held: u64,
    /// Steps in which the solver ran out of iterations.
    unconverged: u64,
    /// The worst of them, in words.
    worst: Option<(f64, String)>,
    /// The first invalid value, in words.
    first_non_finite: Option<String>,
    /// What in the model may have caused it.
    hints: Vec<String>,
}

impl Events {
    /// Take up the report of the latest step.
    pub(crate) fn add(&mut self, sim: &Sim) {
        self.peak_contacts = self.peak_contacts.max(sim.data.contacts.len());
        let report = sim.report();
        if report.is_clean() {
            return;
        }
        for (total, raised) in self.warnings.iter_mut().zip(report.warnings) {
            *total += u64::from(raised);
        }
        for (total, raised) in self.issues.iter_mut().zip(report.issues) {
            *total += u64::from(raised);
        }
        self.resets += u64::from(report.resets);
        self.held += u64::from(report.held);
        self.unconverged += u64::from(!report.converged());
        if let Some(worst) = report.worst
            && self.worst.as_ref().is_none_or(|(improvement, _)| worst.improvement > *improvement)
        {
            let text = format!(
                "step {}, island {}: {} iterations, improvement {:.1e}, gradient {:.1e}, tolerance {:.1e}",
                report.step,
                worst.island,
                worst.iterations,
                worst.improvement,
                worst.gradient,
                report.tolerance
            );
            self.worst = Some((worst.improvement, text));
        }
        if let (None, Some(found)) = (&self.first_non_finite, &report.non_finite) {
            self.first_non_finite = Some(found.describe(&sim.model));
            self.hints = doctor::hints(&sim.model, found);
        }
    }

    /// Whether a value became invalid in any step.
    pub(crate) fn had_invalid_values(&self) -> bool {
        self.resets > 0 || self.held > 0 || self.first_non_finite.is_some()
    }

    fn lines(&self) -> Vec<(&'static str, String)> {
        let mut lines = Vec::new();
        let warnings: Vec<String> = Warning::ALL
            .iter()
            .zip(self.warnings)
            .map(|(warning, count)| (warning_text(*warning), count))
            .chain(StepIssue::ALL.iter().zip(self.issues).map(|(issue, count)| (issue_text(*issue), count)))
            .filter(|(_, count)| *count > 0)
            .map(|(text, count)| format!("{text} ({count} times)"))
            .collect();
        lines.push(("warnings", if warnings.is_empty() { "none".into() } else { warnings.join("; ") }));
        if let Some((_, worst)) = &self.worst {
            lines.push(("solver", format!("not converged in {} steps; worst in {worst}", self.unconverged)));
        }
        if self.resets > 0 {
            lines.push(("resets", self.resets.to_string()));
        }
        if self.held > 0 {
            lines.push(("not taken", format!("{} steps", self.held)));
        }
        if let Some(first) = &self.first_non_finite {
            lines.push(("first", first.clone()));
            lines.extend(self.hints.iter().map(|hint| ("look at", hint.clone())));
        }
        lines
    }
}

fn warning_text(warning: Warning) -> &'static str {
    match warning {
        Warning::Inertia => "inertia matrix nearly singular",
        Warning::ContactFull => "too many contacts",
        Warning::ConstraintFull => "too many constraints",
        Warning::VisualGeomFull => "too many visual geoms",
        Warning::BadQpos => "invalid position",
        Warning::BadQvel => "invalid velocity",
        Warning::BadQacc => "invalid acceleration",
        Warning::BadCtrl => "invalid control; controls were set to zero",
    }
}

/// The summary as text.
pub(crate) fn describe(sim: &Sim, steps: u64, elapsed: Duration, events: &Events) -> String {
    let seconds = elapsed.as_secs_f64().max(1e-9);
    let mut text = String::new();
    let mut line = |label: &str, value: String| {
        let _ = writeln!(text, "{label:>12}  {value}");
    };
    let name = sim.model.model_name();
    line("model", if name.is_empty() { "(unnamed)".into() } else { name.to_owned() });
    line(
        "simulated",
        format!(
            "{} s in {steps} steps of {} s",
            short(steps as f64 * sim.model.opt.timestep),
            sim.model.opt.timestep
        ),
    );
    line(
        "took",
        format!(
            "{seconds:.3} s: {:.0} steps/s, {:.1}x real time",
            steps as f64 / seconds,
            steps as f64 * sim.model.opt.timestep / seconds
        ),
    );
    let (potential, kinetic) = energy(sim);
    line("energy", format!("{} J potential, {} J kinetic", short(potential), short(kinetic)));
    line("contacts", format!("{} at the end, {} at most", sim.data.contacts.len(), events.peak_contacts));
    for (label, value) in events.lines() {
        line(label, value);
    }
    text
}

/// Potential and kinetic energy of the final state, whether or not the model asks for energy.
fn energy(sim: &Sim) -> (f64, f64) {
    let mut model = (*sim.model).clone();
    model.opt.enableflags |= condyle::model::enable::ENERGY;
    let mut data = sim.data.clone();
    condyle::forward(&model, &mut data);
    (data.sensors.energy[0], data.sensors.energy[1])
}
