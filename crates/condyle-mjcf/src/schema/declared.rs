//! Attributes that tables in Rust declare: elements and settings in `condyle-spec`, records of options in `condyle-model`.

use super::{AttributeRow, Count, Form, keywords};
use condyle_model::options::{ErasedRecord, RecordField, RecordForm};
use condyle_model::{DType, Flag, PhysicsOptions, Values, Visual, disable, enable};
use condyle_spec::Kind;
use condyle_spec::edit::form::FLAG;
use condyle_spec::edit::{mjcf_attributes, mjcf_settings};

/// The attributes that a table declares: `joint`, `flex.edge`, `mesh(scale,inertia)`, `option` or `visual.map`.
pub(super) fn rows(what: &str) -> Vec<AttributeRow> {
    let (what, only) = match what.strip_suffix(')').and_then(|what| what.split_once('(')) {
        Some((what, names)) => (what, Some(names)),
        None => (what, None),
    };
    let (kind, part) = what.split_once('.').map_or((what, None), |(kind, part)| (kind, Some(part)));
    match (kind, part) {
        ("option", _) => return of_record("opt", &PhysicsOptions::default()),
        ("flag", _) => return flags(),
        ("visual", Some(topic)) => {
            let visual = Visual::default();
            let records = visual.records().into_iter().filter(|(name, _)| *name == topic);
            return records.flat_map(|(_, record)| of_record(&format!("vis.{topic}"), record)).collect();
        }
        _ => {}
    }
    let known = Kind::ALL.into_iter().find(|known| known.name() == kind);
    let wanted = |name: &str| only.is_none_or(|names| names.split(',').any(|known| known == name));
    let rows = known.map_or_else(|| mjcf_settings(kind), mjcf_attributes);
    rows.into_iter()
        .filter(|row| row.mjcf.part == part && wanted(row.mjcf.name))
        .map(|row| AttributeRow {
            name: row.mjcf.name,
            form: row.mjcf.form,
            extension: row.mjcf.is_extension,
            meaning: row.meaning.trim(),
            column: match kind {
                "statistic" => Some(format!("stat.{}", row.mjcf.name)),
                _ => row.column.map(str::to_owned),
            },
            default: row.default,
        })
        .collect()
}

/// The fields of a record that are attributes, as entries of the model's record of this name.
fn of_record(path: &str, record: &dyn ErasedRecord) -> Vec<AttributeRow> {
    let mut rows = Vec::new();
    record.each(&mut |field, values| {
        if let Some(form) = form_of(field) {
            rows.push(AttributeRow {
                name: field.name,
                form,
                extension: false,
                meaning: field.doc,
                column: Some(format!("{path}.{}", field.name)),
                default: written(values, form),
            });
        }
    });
    rows
}

/// How a field of a record is written; `None` for one that no attribute has.
fn form_of(field: &RecordField) -> Option<Form> {
    let count = Count::Exactly(field.width);
    Some(match (field.form, field.dtype) {
        (RecordForm::Words(words), _) => Form::Word(words),
        (RecordForm::Flag, _) => Form::Word(FLAG),
        (RecordForm::AtMost, _) => Form::Real(Count::AtMost(field.width)),
        (RecordForm::Numbers, DType::F64) => Form::Real(count),
        (RecordForm::Numbers, DType::F32) => Form::Float(count),
        (RecordForm::Numbers, _) => Form::Integer,
        (RecordForm::Bits, _) => return None,
    })
}

/// Values as a file would have them.
fn written(values: Values<'_>, form: Form) -> String {
    let join = |values: Vec<String>| values.join(" ");
    match (values, form) {
        (Values::I32([value]), Form::Word(words)) => {
            words.iter().find(|(_, known)| known == value).map_or("", |(word, _)| word).to_owned()
        }
        (Values::I32(values), _) => join(values.iter().map(ToString::to_string).collect()),
        (Values::F32(values), _) => join(values.iter().map(ToString::to_string).collect()),
        (Values::F64(values), _) => join(values.iter().map(|&value| number(value)).collect()),
        _ => String::new(),
    }
}

/// Small numbers with an exponent.
fn number(value: f64) -> String {
    if value != 0.0 && value.abs() < 1e-4 { format!("{value:e}") } else { value.to_string() }
}

/// The features that can be switched.
fn flags() -> Vec<AttributeRow> {
    let row = |flag: &Flag, default: &str| AttributeRow {
        name: flag.name,
        form: Form::Word(keywords("enable").unwrap_or_default()),
        extension: false,
        meaning: flag.meaning.trim(),
        column: None,
        default: default.to_owned(),
    };
    let standard = disable::FLAGS.iter().map(|flag| row(flag, "enable"));
    standard.chain(enable::FLAGS.iter().map(|flag| row(flag, "disable"))).collect()
}
