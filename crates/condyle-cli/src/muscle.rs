//! Parameters and curves of a muscle, printed as a table and drawn as SVG.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use condyle::model::diagnostic::did_you_mean;
use condyle::muscle::{Curve, Diagram, Muscle, MuscleKind, muscle, muscles};
use condyle::{Model, ObjectType};

use crate::plot::escape;

#[derive(Args)]
pub struct MuscleArguments {
    /// Model file.
    model: PathBuf,
    /// Actuator, by name or number; without one, the muscles are listed.
    actuator: Option<String>,
    /// Draw its curves to this SVG file.
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

pub fn run(arguments: &MuscleArguments) -> Result<(), String> {
    let model = condyle::load(&arguments.model).map_err(|error| error.to_string())?;
    let Some(actuator) = &arguments.actuator else {
        print!("{}", list(&model));
        return Ok(());
    };
    let found = find(&model, actuator)?;
    print!("{}", table(&found));
    if let Some(path) = &arguments.plot {
        std::fs::write(path, draw(&found)).map_err(|error| format!("{}: {error}", path.display()))?;
        println!("curves in {}", path.display());
    }
    Ok(())
}

fn find(model: &Model, actuator: &str) -> Result<Muscle, String> {
    let index = model.find(ObjectType::Actuator, actuator).or_else(|| actuator.parse().ok());
    let Some(index) = index.filter(|&index| index < model.nu) else {
        let names = (0..model.nu).map(|index| model.name(ObjectType::Actuator, index));
        return Err(match did_you_mean(actuator, names) {
            Some(near) => format!("no actuator is named '{actuator}'; did you mean '{near}'?"),
            None => format!("no actuator is named '{actuator}'\n{}", list(model)),
        });
    };
    muscle(model, index).ok_or_else(|| format!("actuator '{actuator}' is not a muscle\n{}", list(model)))
}

fn list(model: &Model) -> String {
    let mut text = String::new();
    let all = muscles(model);
    if all.is_empty() {
        text.push_str("the model has no muscles\n");
    }
    for actuator in all {
        let kind = muscle(model, actuator).map_or("", |muscle| kind_name(muscle.kind));
        let _ = writeln!(text, "{actuator:>4}  {:24} {kind}", model.name(ObjectType::Actuator, actuator));
    }
    text
}

fn kind_name(kind: MuscleKind) -> &'static str {
    match kind {
        MuscleKind::Standard => "muscle",
        MuscleKind::Hill => "Hill-type muscle",
    }
}

fn table(muscle: &Muscle) -> String {
    let mut text = format!("{} '{}'\n", kind_name(muscle.kind), muscle.name);
    for row in &muscle.parameters {
        let value = format!("{:.6}", row.value);
        let value = value.trim_end_matches('0').trim_end_matches('.');
        let _ = writeln!(text, "  {:24}{value:>14} {:4}  {}", row.name, row.unit, row.meaning);
    }
    text
}

/// Size of a diagram with its margins.
const CELL: [f64; 2] = [460.0, 320.0];
const MARGIN: [f64; 4] = [64.0, 34.0, 16.0, 44.0];
const COLOURS: [&str; 4] = ["#1f6feb", "#d1242f", "#24292f", "#1a7f37"];

/// All diagrams, two beside each other.
fn draw(muscle: &Muscle) -> String {
    let rows = muscle.diagrams.len().div_ceil(2);
    let (width, height) = (2.0 * CELL[0], 28.0 + rows as f64 * CELL[1]);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"{}\" y=\"20\" \
         text-anchor=\"middle\" font-size=\"15\">{} {}</text>\n",
        width / 2.0,
        kind_name(muscle.kind),
        escape(&muscle.name)
    );
    for (index, diagram) in muscle.diagrams.iter().enumerate() {
        let corner = [CELL[0] * (index % 2) as f64, 28.0 + CELL[1] * (index / 2) as f64];
        let _ = writeln!(svg, "<g transform=\"translate({} {})\">", corner[0], corner[1]);
        cell(&mut svg, diagram);
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    svg
}

/// Least and greatest of the finite values of one coordinate.
fn bounds(curves: &[Curve], coordinate: usize) -> [f64; 2] {
    let values = curves.iter().flat_map(|curve| &curve.points).map(|point| point[coordinate]);
    let [low, high] = values
        .filter(|value| value.is_finite())
        .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| [low.min(value), high.max(value)]);
    if low < high { [low, high] } else { [-1.0, 1.0] }
}

fn cell(svg: &mut String, diagram: &Diagram) {
    let [left, top, right, bottom] = MARGIN;
    let horizontal = bounds(&diagram.curves, 0);
    let vertical = bounds(&diagram.curves, 1);
    // Passive force grows without bound; the part worth seeing is up to about twice the peak force.
    let vertical = if diagram.y.contains("F/F0") { [0.0, vertical[1].min(2.0)] } else { vertical };
    let x = |value: f64| {
        left + (CELL[0] - left - right) * (value - horizontal[0]) / (horizontal[1] - horizontal[0])
    };
    let y = |value: f64| {
        CELL[1] - bottom - (CELL[1] - top - bottom) * (value - vertical[0]) / (vertical[1] - vertical[0])
    };
    for tick in 0..=5 {
        let part = f64::from(tick) / 5.0;
        let across = horizontal[0] + part * (horizontal[1] - horizontal[0]);
        let up = vertical[0] + part * (vertical[1] - vertical[0]);
        let _ = writeln!(
            svg,
            "<line x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"{top}\" y2=\"{1:.1}\" stroke=\"#ddd\"/><text x=\"{0:.1}\" \
             y=\"{2:.1}\" text-anchor=\"middle\">{3}</text>",
            x(across),
            CELL[1] - bottom,
            CELL[1] - bottom + 16.0,
            short(across, horizontal)
        );
        let _ = writeln!(
            svg,
            "<line x1=\"{left}\" x2=\"{0:.1}\" y1=\"{1:.1}\" y2=\"{1:.1}\" stroke=\"#ddd\"/><text x=\"{2:.1}\" \
             y=\"{3:.1}\" text-anchor=\"end\">{4}</text>",
            CELL[0] - right,
            y(up),
            left - 6.0,
            y(up) + 4.0,
            short(up, vertical)
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text><text x=\"{left}\" y=\"{:.1}\">{}</text>",
        (left + CELL[0] - right) / 2.0,
        CELL[1] - 8.0,
        escape(diagram.x),
        top - 10.0,
        escape(diagram.y)
    );
    for (number, curve) in diagram.curves.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let _ = write!(svg, "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\" points=\"");
        for [across, up] in &curve.points {
            if up.is_finite() && *up <= vertical[1] {
                let _ = write!(svg, "{:.1},{:.1} ", x(*across), y(*up));
            }
        }
        let _ = writeln!(
            svg,
            "\"/><text x=\"{:.1}\" y=\"{:.1}\" fill=\"{colour}\">{}</text>",
            left + 10.0,
            top + 14.0 + 15.0 * number as f64,
            escape(curve.name)
        );
    }
}

/// A number with as many digits as the range of its axis needs.
fn short(value: f64, [low, high]: [f64; 2]) -> String {
    let span = high - low;
    if span > 50.0 {
        format!("{value:.0}")
    } else if span > 0.5 {
        format!("{value:.2}")
    } else {
        format!("{value:.3}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let svg = draw(&muscle);
        assert_eq!(svg.matches("<g ").count(), 4);
        assert_eq!(svg.matches("<polyline").count(), 8);
        assert!(!svg.contains("NaN") && svg.ends_with("</svg>\n"));
    }

    #[test]
    fn a_standard_muscle_has_a_table_and_three_diagrams() {
        let model = load("actuator/muscle.xml");
        let first = muscles(&model)[0].to_string();
        let muscle = find(&model, &first).unwrap();
        assert_eq!(muscle.kind, MuscleKind::Standard);
        assert!(table(&muscle).contains("fvmax"));
        let svg = draw(&muscle);
        assert_eq!(svg.matches("<g ").count(), 3);
        assert!(!svg.contains("NaN"));
    }

    #[test]
    fn a_wrong_name_gets_help() {
        let model = load("extensions/hill_muscle.xml");
        assert!(find(&model, "flexxor").unwrap_err().contains("did you mean 'flexor'"));
        assert!(list(&model).contains("extensor"));
        assert!(find(&load("actuator/position.xml"), "0").unwrap_err().contains("is not a muscle"));
    }
}
