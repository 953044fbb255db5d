//! Consistency of a compiled model: every index stays inside the array it points into.
//!
//! A model from a file is checked before anything uses it, so that the pipeline may index without asking again. What an array points
//! into stands in the field table.

mod assets;
mod flex;
mod objects;
mod patterns;
mod sensors;
mod settings;
mod tree;

use crate::Model;

/// Check `model`; the error names the array and the entry.
pub(crate) fn check(model: &Model) -> Result<(), String> {
    settings::check(model)?;
    check_references(model)?;
    tree::check(model)?;
    patterns::check(model)?;
    assets::check(model)?;
    flex::check(model)?;
    objects::check(model)?;
    sensors::check(model)
}

/// Check the options of `model` alone.
pub(crate) fn check_options(model: &Model) -> Result<(), String> {
    settings::check_options(model)
}

/// Whether `index` is a place in an array of `count`.
fn inside(index: i32, count: usize) -> bool {
    usize::try_from(index).is_ok_and(|index| index < count)
}

/// [`inside`], or -1 for none.
fn optional(index: i32, count: usize) -> bool {
    index == -1 || inside(index, count)
}

/// `values[start .. start + count]`; empty where the count is not positive. Ranges are checked before this is called.
fn rows<T>(values: &[T], start: i32, count: i32) -> &[T] {
    let (Ok(start), Ok(count)) = (usize::try_from(start), usize::try_from(count)) else { return &[] };
    values.get(start..start.saturating_add(count)).unwrap_or_default()
}

/// The first entry of `values` that is not `good`, as an error.
fn all<T: Copy + std::fmt::Debug>(
    name: &str,
    values: &[T],
    mut good: impl FnMut(T) -> bool,
) -> Result<(), String> {
    match values.iter().enumerate().find(|(_, value)| !good(**value)) {
        Some((row, value)) => Err(format!("{name}[{row}] is {value:?}")),
        None => Ok(()),
    }
}

/// An error unless an array is what the rest of the model says it must be.
fn derived<T: Copy + PartialEq + std::fmt::Debug>(
    name: &str,
    values: &[T],
    expected: &[T],
) -> Result<(), String> {
    let differs = values.iter().zip(expected).position(|(value, expected)| value != expected);
    match differs {
        Some(row) => Err(format!("{name}[{row}] is {:?}, expected {:?}", values.get(row), expected.get(row))),
        None if values.len() != expected.len() => {
            Err(format!("{name} has {} entries, expected {}", values.len(), expected.len()))
        }
        None => Ok(()),
    }
}

fn check_references(model: &Model) -> Result<(), String> {
    for reference in &model.references() {
        for (row, &index) in reference.indices.iter().enumerate() {
            let count = reference.counts.and_then(|counts| counts.get(row)).copied().unwrap_or(1);
            // A missing range (-1) covers nothing, whatever its count says.
            let end = i64::from(index) + i64::from(count);
            if index < -1 || count < 0 || end > reference.target as i64 {
                return Err(format!(
                    "{}[{row}] is {index} (covering {count}), outside its target of {}",
                    reference.name, reference.target
                ));
            }
            if index == -1 && count > 1 {
                return Err(format!("{}[{row}] is -1 but covers {count}", reference.name));
            }
        }
    }
    Ok(())
}
