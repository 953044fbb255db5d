//! Controls of a run: constants from the command line, and tables over time from files.
//!
//! A control file is CSV. Its first line names the columns: actuators, by name or as `ctrl:NAME`, and `time` in s. A row holds from its
//! time until that of the next one; without times, row n is for step n, and the last one stays. Without a line of names the columns are
//! all actuators in their order, with the time before them if there is one column more. A recording can be used as a control file: its
//! other columns are passed over.

use std::path::Path;

use condyle::diagnostic::did_you_mean;
use condyle::{Model, ObjectType};

use crate::channel::Group;
use crate::label::label;

/// Constant controls: values in the order of the actuators, or `NAME=VALUE`.
pub(crate) fn constants(model: &Model, given: &[String]) -> Result<Vec<(usize, f64)>, String> {
    let mut controls = Vec::new();
    for (position, item) in given.iter().enumerate() {
        let (actuator, value) = match item.split_once('=') {
            Some((name, value)) => (find(model, name.trim())?, value),
            None => (position, item.as_str()),
        };
        if actuator >= model.nu {
            return Err(format!("{} controls given, but the model has {} actuators", given.len(), model.nu));
        }
        let number: f64 = value
            .trim()
            .parse()
            .map_err(|_| format!("--ctrl {item}: '{value}' is not a number; write 0.1,-0.2 or name=0.1"))?;
        if !number.is_finite() {
            return Err(format!("--ctrl {item}: a control must be a finite number"));
        }
        controls.push((actuator, number));
    }
    Ok(controls)
}

/// An actuator by name or number.
fn find(model: &Model, name: &str) -> Result<usize, String> {
    let by_number = || name.trim_start_matches("actuator#").parse().ok().filter(|id| *id < model.nu);
    model.find(ObjectType::Actuator, name).or_else(by_number).ok_or_else(|| {
        let names: Vec<String> = (0..model.nu).map(|id| label(model, ObjectType::Actuator, id)).collect();
        match did_you_mean(name, names.iter().map(String::as_str)) {
            Some(near) => format!("no actuator '{name}'; did you mean '{near}'?"),
            None if names.is_empty() => format!("no actuator '{name}': the model has none"),
            None => format!("no actuator '{name}'; available: {}", names[..names.len().min(12)].join(", ")),
        }
    })
}

/// Controls over time.
pub(crate) struct Table {
    /// Times of the rows; empty when row n is for step n.
    times: Vec<f64>,
    actuators: Vec<usize>,
    /// Rows one after another.
    values: Vec<f64>,
    /// The row that holds at present.
    row: usize,
}

impl Table {
    /// Read a control file.
    pub(crate) fn read(model: &Model, path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Self::parse(model, &text).map_err(|problem| format!("{}:{problem}", path.display()))
    }

    fn parse(model: &Model, text: &str) -> Result<Self, String> {
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).peekable();
        let first: Vec<String> = lines.peek().map(|(_, line)| fields(line)).unwrap_or_default();
        let named = first.iter().any(|field| field.trim().parse::<f64>().is_err());
        let columns = if named { named_columns(model, &first)? } else { plain_columns(model, first.len())? };
        if named {
            lines.next();
        }
        let actuators: Vec<usize> = columns
            .iter()
            .filter_map(|column| if let Column::Actuator(id) = column { Some(*id) } else { None })
            .collect();
        let (mut times, mut values) = (Vec::new(), Vec::new());
        for (number, line) in lines {
            let fields = fields(line);
            if fields.len() != columns.len() {
                return Err(format!(
                    "{}: {} fields, but {} columns",
                    number + 1,
                    fields.len(),
                    columns.len()
                ));
            }
            for (field, column) in fields.iter().zip(&columns).filter(|(_, column)| **column != Column::Other)
            {
                let value = field.trim().parse().ok().filter(|value: &f64| value.is_finite());
                let value =
                    value.ok_or_else(|| format!("{}: '{field}' is not a finite number", number + 1))?;
                match column {
                    Column::Time if times.last().is_some_and(|last| value < *last) => {
                        return Err(format!(
                            "{}: time {value} s comes after {} s",
                            number + 1,
                            times[times.len() - 1]
                        ));
                    }
                    Column::Time => times.push(value),
                    _ => values.push(value),
                }
            }
        }
        if values.is_empty() {
            return Err(
                "1: no controls; the first line must name actuators and the other lines give their values"
                    .into(),
            );
        }
        Ok(Self { times, actuators, values, row: 0 })
    }

    /// Write the controls for a step into `ctrl`.
    pub(crate) fn apply(&mut self, step: u64, time: f64, ctrl: &mut [f64]) {
        let rows = self.values.len() / self.actuators.len();
        if self.times.is_empty() {
            self.row = usize::try_from(step).unwrap_or(usize::MAX).min(rows - 1);
        } else {
            // A row whose time is the step's up to rounding holds from that step on.
            let now = time + 1e-9 * (1.0 + time.abs());
            if self.times[self.row] > now {
                self.row = 0;
            }
            while self.row + 1 < rows && self.times[self.row + 1] <= now {
                self.row += 1;
            }
            if self.times[self.row] > now {
                return;
            }
        }
        let start = self.row * self.actuators.len();
        for (offset, &actuator) in self.actuators.iter().enumerate() {
            ctrl[actuator] = self.values[start + offset];
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Time,
    Actuator(usize),
    /// Something else of a recording.
    Other,
}

fn named_columns(model: &Model, names: &[String]) -> Result<Vec<Column>, String> {
    let mut columns = Vec::new();
    for name in names.iter().map(|name| name.trim()) {
        let group = name.split_once(':').map(|(group, _)| group);
        let column = match name.strip_prefix("ctrl:") {
            Some(actuator) => {
                Column::Actuator(find(model, actuator).map_err(|problem| format!("1: {problem}"))?)
            }
            None if name == "time" => Column::Time,
            None if Group::ALL.iter().any(|known| Some(known.name()) == group) => Column::Other,
            None => Column::Actuator(find(model, name).map_err(|problem| format!("1: {problem}"))?),
        };
        if column != Column::Other && columns.contains(&column) {
            return Err(format!("1: column '{name}' appears twice"));
        }
        columns.push(column);
    }
    Ok(columns)
}

fn plain_columns(model: &Model, count: usize) -> Result<Vec<Column>, String> {
    let actuators = (0..model.nu).map(Column::Actuator);
    if count == model.nu {
        Ok(actuators.collect())
    } else if count == model.nu + 1 {
        Ok(std::iter::once(Column::Time).chain(actuators).collect())
    } else {
        Err(format!(
            "1: {count} columns without names, but {} actuators; name them in the first line",
            model.nu
        ))
    }
}

/// Fields of a line; quotes protect commas, two quotes stand for one.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                fields.last_mut().map(|field| field.push('"')).unwrap_or_default();
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            c => fields.last_mut().map(|field| field.push(c)).unwrap_or_default(),
        }
    }
    fields
}
