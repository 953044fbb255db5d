//! What a run ends with: time, speed, energy, contacts, warnings.

use std::fmt::Write as _;
use std::time::Duration;

use condyle::Sim;
use condyle::model::Warning;

fn warning_text(warning: Warning) -> &'static str {
    match warning {
        Warning::Inertia => "inertia matrix nearly singular",
        Warning::ContactFull => "too many contacts",
        Warning::ConstraintFull => "too many constraints",
        Warning::VisualGeomFull => "too many visual geoms",
        Warning::BadQpos => "unusable position, simulation was reset",
        Warning::BadQvel => "unusable velocity, simulation was reset",
        Warning::BadQacc => "unusable acceleration, simulation was reset",
        Warning::BadCtrl => "unusable control, controls were set to zero",
    }
}

/// The summary as text.
pub fn describe(sim: &mut Sim, steps: u64, elapsed: Duration, peak_contacts: usize) -> String {
    let seconds = elapsed.as_secs_f64().max(1e-9);
    let mut text = String::new();
    let mut line = |label: &str, value: String| {
        let _ = writeln!(text, "{label:>12}  {value}");
    };
    let name = sim.model.model_name();
    line("model", if name.is_empty() { "(unnamed)".into() } else { name.to_owned() });
    line("simulated", format!("{:.3} s in {steps} steps of {} s", sim.time(), sim.model.opt.timestep));
    line(
        "took",
        format!(
            "{seconds:.3} s: {:.0} steps/s, {:.1}x real time",
            steps as f64 / seconds,
            steps as f64 * sim.model.opt.timestep / seconds
        ),
    );
    let (potential, kinetic) = energy(sim);
    line("energy", format!("{potential:.4} J potential, {kinetic:.4} J kinetic"));
    line("contacts", format!("{} at the end, {peak_contacts} at most", sim.data.contacts.len()));
    let warnings: Vec<String> = Warning::ALL
        .iter()
        .map(|&warning| (warning, sim.data.diagnostics.warning[warning as usize]))
        .filter(|(_, stat)| stat.number > 0)
        .map(|(warning, stat)| {
            format!("{} ({} times, last at {})", warning_text(warning), stat.number, stat.lastinfo)
        })
        .collect();
    line("warnings", if warnings.is_empty() { "none".into() } else { warnings.join("; ") });
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
