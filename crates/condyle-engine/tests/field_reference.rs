//! The reference of all fields, `docs/fields.md`, written from the tables.
//!
//! The test fails when the file on disk differs from what the tables say; `cargo xtask docs` writes it anew.

use std::fmt::Write;

use condyle_model::options::{PhysicsOptions, Record, RecordField, Statistic, Visual};
use condyle_model::{ArrayInfo, Model};

use condyle_engine::Data;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/fields.md");

const PREAMBLE: &str = "# Fields

Every field of `Model` and `Data`, written by `cargo xtask docs` from the tables the structs are made from. Do not edit.

Lengths are in m, angles in rad, times in s and masses in kg, unless said otherwise. Quaternions are w, x, y, z. An index that is
-1 stands for none. The shape counts rows by the sizes below; a second number is the width of a row. Rust names are the same as
Python's; in Rust the arrays of `Data` are in the groups named by the headings, in Python they are attributes of `MjData`.
";

fn shape(info: &ArrayInfo) -> String {
    let dims = info.dims.iter().map(|dim| if *dim == "two" { "2" } else { dim });
    let mut shape = dims.collect::<Vec<_>>().join(", ");
    if info.width > 1 {
        let separator = if info.dims.len() > 1 { "·" } else { ", " };
        let _ = write!(shape, "{separator}{}", info.width);
    }
    shape
}

fn array_row(out: &mut String, info: &ArrayInfo, note: &str) {
    let _ =
        writeln!(out, "| `{}` | {} | {} | {}{note} |", info.name, info.dtype.name(), shape(info), info.doc);
}

fn record(out: &mut String, title: &str, fields: &[RecordField]) {
    let _ = write!(out, "\n### `{title}`\n\n| field | type | numbers | meaning |\n|---|---|---|---|\n");
    for field in fields {
        let _ =
            writeln!(out, "| `{}` | {} | {} | {} |", field.name, field.dtype.name(), field.width, field.doc);
    }
}

/// Function names in code style; other words as they are.
fn code(names: &str) -> String {
    if !names.contains("::") {
        return names.to_owned();
    }
    names.split(", ").map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn markdown() -> String {
    let mut out = String::from(PREAMBLE);
    out.push_str("\n## Model: sizes\n\n| size | counts |\n|---|---|\n");
    for size in Model::SIZES {
        let _ = writeln!(out, "| `{}` | {} |", size.name, size.doc);
    }
    out.push_str("\n## Model: arrays\n\n| array | type | shape | meaning |\n|---|---|---|---|\n");
    for info in Model::ARRAYS {
        array_row(&mut out, info, "");
    }
    out.push_str(
        "\n## Model: extensions\n\nArrays MuJoCo does not have; binary files hold them only when one is not all zero.\n\n\
         | array | type | shape | meaning |\n|---|---|---|---|\n",
    );
    for info in Model::EXTENSIONS {
        array_row(&mut out, info, "");
    }
    out.push_str("\n## Model: records\n");
    record(&mut out, "opt", PhysicsOptions::FIELDS);
    record(&mut out, "stat", Statistic::FIELDS);
    for (topic, fields) in Visual::default().records() {
        record(&mut out, &format!("vis.{topic}"), fields.fields());
    }
    out.push_str(
        "\n## Data\n\nArrays marked *grows* follow the number of contacts and constraint rows of the step.\n",
    );
    for group in Data::GROUPS {
        let _ =
            write!(out, "\n### `{}`\n\n{} Written by {}.\n\n", group.name, group.doc, code(group.writers));
        out.push_str("| field | type | shape | meaning |\n|---|---|---|---|\n");
        for scalar in Data::SCALARS.iter().filter(|scalar| scalar.group == group.name) {
            let _ = writeln!(out, "| `{}` | scalar | | {} |", scalar.name, scalar.doc);
        }
        for array in Data::ARRAYS.iter().filter(|array| array.group == group.name) {
            array_row(&mut out, &array.info, if array.grows { " *grows*" } else { "" });
        }
    }
    out
}

#[test]
fn field_reference_matches_the_tables() {
    let text = markdown();
    if std::env::var_os("CONDYLE_WRITE_DOCS").is_some() {
        std::fs::write(PATH, &text).expect("docs/fields.md cannot be written");
    }
    let stored = std::fs::read_to_string(PATH).unwrap_or_default();
    assert!(stored == text, "docs/fields.md is out of date; run `cargo xtask docs`");
}
