//! Parameters and curves of a muscle, printed as a table and drawn as SVG.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use condyle::diagnostic::did_you_mean;
use condyle::muscle::{Diagram, Muscle, muscle, overview};
use condyle::{Model, ObjectType};

use crate::label::short;
use crate::plot::panel::{self, Curve, Panel};
use crate::plot::{self, Picture};
use crate::urdf::UrdfArguments;
use crate::{Outcome, file, load_with, say, sayln};

#[derive(Args)]
pub(crate) struct MuscleArguments {
    /// Model file.
    model: PathBuf,
    /// Actuator, by name or number; a table of all muscles if omitted.
    actuator: Option<String>,
    /// Plot its curves to this .svg or .png file.
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    urdf: UrdfArguments,
}

pub(crate) fn run(arguments: &MuscleArguments) -> Outcome {
    if let Some(path) = &arguments.plot {
        file::check_ending(path, "pictures", &plot::ENDINGS)?;
    }
    let model = load_with(Some(&arguments.model), &arguments.urdf.load_options())?.model;
    let Some(actuator) = &arguments.actuator else {
        say!("{}", list(&model));
        return Ok(0);
    };
    let found = find(&model, actuator)?;
    say!("{}", table(&found));
    if let Some(path) = &arguments.plot {
        plot::write(&picture(&found), path)?;
        sayln!("plotted the curves to {}", path.display());
    }
    Ok(0)
}

fn find(model: &Model, actuator: &str) -> Result<Muscle, String> {
    let index = model.find(ObjectType::Actuator, actuator).or_else(|| actuator.parse().ok());
    let Some(index) = index.filter(|&index| index < model.nu) else {
        let names = (0..model.nu).map(|index| model.name(ObjectType::Actuator, index));
        return Err(match did_you_mean(actuator, names) {
            Some(near) => format!("no actuator '{actuator}'; did you mean '{near}'?"),
            None => format!("no actuator '{actuator}'\n{}", list(model)),
        });
    };
    muscle(model, index).ok_or_else(|| format!("actuator '{actuator}' is not a muscle\n{}", list(model)))
}

/// A table of all muscles.
fn list(model: &Model) -> String {
    let all = overview(model);
    if all.is_empty() {
        return "the model has no muscles\n".into();
    }
    let width = all.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).max(4);
    let mut text = format!(
        "{:>4}  {:width$}  {:16}  {:>9}  {:>8}  {:>8}  {:>8}  {:>17}  {:>13}\n",
        "#", "name", "kind", "F0, N", "L0, m", "slack, m", "path, m", "path range, m", "fibre, L/L0"
    );
    for row in all {
        let path = row.path_range.map_or_else(String::new, |[low, high]| format!("{low:.4} .. {high:.4}"));
        let [low, high] = row.operating_range;
        let fibre = if low == high { format!("{low:.2}") } else { format!("{low:.2} .. {high:.2}") };
        let _ = writeln!(
            text,
            "{:>4}  {:width$}  {:16}  {:>9}  {:>8.4}  {:>8.4}  {:>8.4}  {path:>17}  {fibre:>13}",
            row.actuator,
            row.name,
            row.kind.name(),
            short(row.force),
            row.optimal_length,
            row.slack_length,
            row.path_length,
        );
    }
    text
}

fn table(muscle: &Muscle) -> String {
    let mut text = format!("{} '{}'\n", muscle.kind.name(), muscle.name);
    for row in &muscle.parameters {
        let value = format!("{:.6}", row.value);
        let value = value.trim_end_matches('0').trim_end_matches('.');
        let _ = writeln!(text, "  {:24}{value:>14} {:4}  {}", row.name, row.unit, row.meaning);
    }
    text
}

/// All diagrams, two beside each other.
fn picture(muscle: &Muscle) -> Picture {
    let panels: Vec<Panel> = muscle.diagrams.iter().map(panel_of).collect();
    panel::grid(&format!("{} {}", muscle.kind.name(), muscle.name), &panels)
}

fn panel_of(diagram: &Diagram) -> Panel {
    let values = |coordinate: usize| {
        diagram.curves.iter().flat_map(|curve| &curve.points).map(move |point| point[coordinate])
    };
    let [low, high] = panel::scale(values(1));
    // Passive force grows without bound; the part worth seeing is up to about twice the peak force.
    let vertical = if diagram.y.contains("F/F0") { [-0.05, high.min(2.0)] } else { [low, high] };
    let curve =
        |curve: &condyle::muscle::Curve| Curve { name: curve.name.to_owned(), points: curve.points.clone() };
    Panel {
        title: String::new(),
        x: diagram.x.to_owned(),
        y: diagram.y.to_owned(),
        horizontal: panel::bounds(values(0)),
        vertical,
        curves: diagram.curves.iter().map(curve).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use condyle::muscle::muscles;

    fn load(name: &str) -> Model {
        let path = format!("{}/../../models/{name}", env!("CARGO_MANIFEST_DIR"));
        condyle::load(path).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn a_hill_muscle_has_a_table_and_four_diagrams() {
        let muscle = find(&load("extensions/compliant_tendon.xml"), "muscle").unwrap();
        let text = table(&muscle);
        assert!(text.contains("maxisometricforce") && text.contains("800 N"), "{text}");
        assert!(text.contains("tendonstrain") && text.contains("0.049"), "{text}");
        let panels: Vec<Panel> = muscle.diagrams.iter().map(panel_of).collect();
        assert_eq!(panels.iter().map(|panel| panel.curves.len()).collect::<Vec<_>>(), [3, 1, 1, 3]);
        assert!(panels.iter().all(|panel| panel.vertical[0] < panel.vertical[1]));
    }

    #[test]
    fn a_standard_muscle_has_a_table_and_three_diagrams() {
        let model = load("actuator/muscle.xml");
        let first = muscles(&model)[0].to_string();
        let muscle = find(&model, &first).unwrap();
        assert_eq!(muscle.kind, condyle::muscle::MuscleKind::Standard);
        assert!(table(&muscle).contains("fvmax"));
        assert_eq!(muscle.diagrams.len(), 3);
    }

    #[test]
    fn a_wrong_name_gets_help() {
        let model = load("extensions/hill_muscle.xml");
        assert!(find(&model, "flexxor").unwrap_err().contains("did you mean 'flexor'"));
        assert!(list(&model).contains("extensor"));
        assert!(find(&load("actuator/position.xml"), "0").unwrap_err().contains("is not a muscle"));
    }
}
