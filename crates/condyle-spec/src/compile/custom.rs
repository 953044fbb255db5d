//! Custom numbers, texts and tuples.

use condyle_base::diagnostic::Diagnostic;
use condyle_model::{Model, ObjectType};

use super::ids::Ids;
use super::problems::{VALUE, element_error};
use super::work::Work;
use crate::element::Tuple;

/// A tuple while the model is compiled.
pub(crate) struct TupleWork<'s> {
    pub source: &'s Tuple,
    pub objects: Vec<usize>,
}

impl<'s> Work<'s> {
    /// Checks the custom arrays and texts.
    pub(super) fn check_custom(&mut self) {
        for numeric in self.spec.numerics.values() {
            let size = usize::try_from(numeric.size).unwrap_or(0);
            if numeric.size != 0
                && !numeric.data.is_empty()
                && (numeric.size as i64) < numeric.data.len() as i64
            {
                let message =
                    format!("size is {}, smaller than the {} values given", numeric.size, numeric.data.len());
                self.problems.error(VALUE, numeric, "size", message);
            } else if size == 0 && numeric.data.is_empty() {
                self.problems.error(VALUE, numeric, "size", "size cannot be zero");
            }
        }
        for text in self.spec.texts.values().filter(|text| text.data.is_empty()) {
            self.problems.error(VALUE, text, "data", "text cannot be empty");
        }
    }

    pub(super) fn compile_tuples(&mut self) {
        for source in self.spec.tuples.values() {
            match self.compile_tuple(source) {
                Ok(tuple) => {
                    for (entry, &object) in source.entries.iter().zip(&tuple.objects) {
                        if entry.objtype == ObjectType::Geom {
                            self.geoms[object].visual = false;
                        }
                    }
                    self.tuples.push(tuple);
                }
                Err(problem) => self.problems.push(problem),
            }
        }
    }

    fn compile_tuple(&self, source: &'s Tuple) -> Result<TupleWork<'s>, Diagnostic> {
        if source.entries.is_empty() {
            return Err(element_error(VALUE, source, "", "tuple is empty"));
        }
        let mut objects = Vec::with_capacity(source.entries.len());
        for entry in &source.entries {
            objects.push(self.require(source, "objname", entry.objtype, &entry.objname)?);
        }
        Ok(TupleWork { source, objects })
    }

    pub(super) fn write_custom(&self, model: &mut Model, ids: &Ids) {
        let mut address = 0;
        for (at, numeric) in self.spec.numerics.values().enumerate() {
            let size = numeric_size(numeric.size, numeric.data.len());
            model.numeric_adr[at] = address as i32;
            model.numeric_size[at] = size as i32;
            model.numeric_data[address..address + numeric.data.len()].copy_from_slice(&numeric.data);
            address += size;
        }
        let mut address = 0;
        for (at, text) in self.spec.texts.values().enumerate() {
            model.text_adr[at] = address as i32;
            model.text_size[at] = text.data.len() as i32 + 1;
            model.text_data[address..address + text.data.len()].copy_from_slice(text.data.as_bytes());
            address += text.data.len() + 1;
        }
        let mut address = 0;
        for (at, tuple) in self.tuples.iter().enumerate() {
            model.tuple_adr[at] = address as i32;
            model.tuple_size[at] = tuple.objects.len() as i32;
            for (entry, &object) in tuple.source.entries.iter().zip(&tuple.objects) {
                model.tuple_objtype[address] = entry.objtype as i32;
                model.tuple_objid[address] = ids.of(entry.objtype, object);
                model.tuple_objprm[address] = entry.prm;
                address += 1;
            }
        }
    }
}

/// Length of a custom array.
pub(crate) fn numeric_size(size: i32, given: usize) -> usize {
    match usize::try_from(size) {
        Ok(size @ 1..) => size,
        _ => given,
    }
}
