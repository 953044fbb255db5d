//! Height fields: read from files or written in the model.

use condyle_asset::hfield;
use condyle_base::diagnostic::Diagnostic;
use condyle_model::Model;

use super::asset_file::{Reader, asset_error, asset_name, content_type, stripped};
use super::problems::{ASSET, TOO_LARGE, VALUE, element_error};
use super::source::AssetSource;
use super::work::Work;
use crate::element::HField;
use crate::spec::Spec;

/// Most elevations of a height field.
const MAX_ELEVATIONS: usize = 1 << 26;

/// A height field while the model is compiled.
pub(crate) struct HFieldWork<'s> {
    pub source: &'s HField,
    pub name: String,
    pub file: String,
    pub rows: usize,
    pub columns: usize,
    pub elevation: Vec<f32>,
}

impl<'s> HFieldWork<'s> {
    pub(super) fn new(spec: &Spec, source: &'s HField) -> Self {
        Self {
            source,
            name: asset_name(&source.info.name, &source.file),
            file: stripped(spec, &source.file),
            rows: 0,
            columns: 0,
            elevation: Vec::new(),
        }
    }
}

impl Work<'_> {
    /// Reads the height fields.
    pub(super) fn compile_hfields(&mut self, source: &dyn AssetSource) {
        let reader = Reader { spec: self.spec, source };
        for index in 0..self.hfields.len() {
            match load_hfield(reader, &self.hfields[index]) {
                Ok(field) => {
                    let hfield = &mut self.hfields[index];
                    hfield.rows = field.rows;
                    hfield.columns = field.columns;
                    hfield.elevation = field.elevations;
                }
                Err(problem) => self.problems.push(problem),
            }
        }
    }

    pub(super) fn write_hfields(&self, model: &mut Model) {
        let mut address = 0;
        for (at, field) in self.hfields.iter().enumerate() {
            field.source.write_entries(model, at);
            model.hfield_nrow[at] = field.rows as i32;
            model.hfield_ncol[at] = field.columns as i32;
            model.hfield_adr[at] = address as i32;
            model.hfield_data[address..address + field.elevation.len()].copy_from_slice(&field.elevation);
            address += field.elevation.len();
        }
    }
}

fn load_hfield(reader: Reader<'_>, field: &HFieldWork<'_>) -> Result<hfield::HeightField, Diagnostic> {
    let source = field.source;
    let [rows, columns] = [source.nrow, source.ncol].map(|n| usize::try_from(n).unwrap_or(0));
    if rows.saturating_mul(columns) > MAX_ELEVATIONS {
        let message = format!("{rows} by {columns} elevations, but at most {MAX_ELEVATIONS} are allowed");
        return Err(element_error(TOO_LARGE, source, "nrow", message));
    }
    if source.size.iter().any(|&size| size <= 0.0) {
        return Err(element_error(VALUE, source, "size", "size parameters must be positive"));
    }
    let mut loaded = if field.file.is_empty() {
        if !source.elevation.is_empty() && source.elevation.len() != rows * columns {
            let message =
                format!("elevation has {} values, nrow*ncol is {}", source.elevation.len(), rows * columns);
            return Err(element_error(VALUE, source, "elevation", message));
        }
        hfield::HeightField { rows, columns, elevations: source.elevation.clone() }
    } else {
        if rows > 0 || columns > 0 || !source.elevation.is_empty() {
            return Err(element_error(VALUE, source, "file", "hfield specified from file and manually"));
        }
        let compiler = reader.spec.compiler_of(source.info.origin);
        let bytes = reader.read(source, &compiler.meshdir, &field.file)?;
        let kind = content_type(&source.content_type, &field.file);
        match kind.as_deref() {
            Some("image/png") => hfield::read_png(&bytes),
            None | Some("image/vnd.mujoco.hfield") => hfield::read_binary(&bytes),
            Some(other) => {
                let message = format!("unsupported content type '{other}'");
                return Err(element_error(ASSET, source, "content_type", message));
            }
        }
        .map_err(|error| asset_error(source, &field.file, error))?
    };
    if loaded.rows < 1 || loaded.columns < 1 || loaded.elevations.is_empty() {
        let message = "hfield has no elevations";
        return Err(
            element_error(VALUE, source, "nrow", message).help("set file, or nrow, ncol and elevation")
        );
    }
    hfield::normalize(&mut loaded).map_err(|error| asset_error(source, &field.file, error))?;
    Ok(loaded)
}
