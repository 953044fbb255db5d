//! The MJB binary model format of version 3.5.0: header, sizes, options, view settings, statistics, then every array of the field
//! table as little-endian bytes without padding.
//!
//! A model that uses extensions is no model of the reference: its file has another identifier, its header counts the extension
//! arrays up to the last one that is not all zero, and these follow the others. All other files are byte for byte the reference's.
//!
//! Files are untrusted. Every length is computed with checked arithmetic and compared with what the file still holds before
//! anything is allocated, so a lying header costs nothing.

use std::fmt;

use crate::element::{ArrayInfo, Scalar, Values, ValuesMut};
use crate::model::Model;
use crate::options::{ErasedRecord, PhysicsOptions, Statistic, Visual};
use crate::{REFERENCE_VERSION, validate};

const MAGIC: i32 = 54321;
/// Identifier of files whose model uses extensions. The reference would load such a file and compute
/// something else without a word, so it must not recognise it.
const EXTENDED_MAGIC: i32 = 154_321;
/// The options record ends on a four-byte integer and is padded to a multiple of eight bytes.
const OPTION_PADDING: usize = 4;

/// Why a binary model could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MjbError {
    /// Byte offset in the file at which the problem was found.
    pub offset: usize,
    /// What is wrong.
    pub message: String,
    /// What the user can do about it.
    pub help: &'static str,
}

impl fmt::Display for MjbError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}\n  help: {}", self.offset, self.message, self.help)
    }
}

impl std::error::Error for MjbError {}

const HELP_NOT_MJB: &str = "the file does not look like a binary model; load XML with the MJCF loader";
const HELP_VERSION: &str = "save the model again with version 3.5.0, or load its XML";
const HELP_CORRUPT: &str = "the file is damaged or truncated; save the model again";

struct Cursor<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Cursor<'a> {
    fn error(&self, message: impl Into<String>, help: &'static str) -> MjbError {
        MjbError { offset: self.offset, message: message.into(), help }
    }

    fn take(&mut self, length: usize, what: &str) -> Result<&'a [u8], MjbError> {
        let end = self.offset.checked_add(length);
        match end.and_then(|end| self.bytes.get(self.offset..end)) {
            Some(slice) => {
                self.offset += length;
                Ok(slice)
            }
            None => {
                let left = self.bytes.len().saturating_sub(self.offset);
                Err(self.error(
                    format!("the file ends inside {what}: {length} bytes needed, {left} left"),
                    HELP_CORRUPT,
                ))
            }
        }
    }

    fn i32(&mut self, what: &str) -> Result<i32, MjbError> {
        Ok(i32::decode_le(self.take(4, what)?))
    }

    fn record(&mut self, record: &mut dyn ErasedRecord, what: &str) -> Result<(), MjbError> {
        let mut outcome = Ok(());
        record.each_mut(&mut |field, values| {
            if outcome.is_ok() {
                outcome =
                    self.take(field.width * field.dtype.size(), what).map(|bytes| decode(bytes, values));
            }
        });
        outcome
    }
}

fn decode(bytes: &[u8], values: ValuesMut<'_>) {
    fn fill<S: Scalar>(bytes: &[u8], values: &mut [S]) {
        for (value, chunk) in values.iter_mut().zip(bytes.chunks_exact(S::DTYPE.size())) {
            *value = S::decode_le(chunk);
        }
    }
    match values {
        ValuesMut::F64(v) => fill(bytes, v),
        ValuesMut::F32(v) => fill(bytes, v),
        ValuesMut::I32(v) => fill(bytes, v),
        ValuesMut::I64(v) => fill(bytes, v),
        ValuesMut::U8(v) => fill(bytes, v),
    }
}

fn encode(out: &mut Vec<u8>, values: Values<'_>) {
    fn push<S: Scalar, const N: usize>(out: &mut Vec<u8>, values: &[S], bytes: impl Fn(S) -> [u8; N]) {
        let start = out.len();
        out.resize(start + N * values.len(), 0);
        for (slot, &value) in out[start..].chunks_exact_mut(N).zip(values) {
            slot.copy_from_slice(&bytes(value));
        }
    }
    match values {
        Values::F64(v) => push(out, v, f64::to_le_bytes),
        Values::F32(v) => push(out, v, f32::to_le_bytes),
        Values::I32(v) => push(out, v, i32::to_le_bytes),
        Values::I64(v) => push(out, v, i64::to_le_bytes),
        Values::U8(v) => out.extend_from_slice(v),
    }
}

/// Read a model from the bytes of an MJB file and check that its indices stay inside their arrays.
pub fn read(bytes: &[u8]) -> Result<Model, MjbError> {
    let mut cursor = Cursor { bytes, offset: 0 };
    let extensions = read_header(&mut cursor)?;

    let sizes_at = cursor.offset;
    let mut sizes = Vec::with_capacity(Model::SIZES.len());
    for size in Model::SIZES {
        sizes.push(i64::decode_le(cursor.take(8, size.name)?));
    }
    let mut model = Model::default();
    model.set_size_values(&sizes).map_err(|index| MjbError {
        offset: sizes_at + 8 * index,
        message: format!(
            "size {} is {}, which cannot be negative",
            Model::SIZES.get(index).map_or("?", |size| size.name),
            sizes.get(index).copied().unwrap_or_default()
        ),
        help: HELP_CORRUPT,
    })?;

    cursor.record(&mut model.opt, "the options")?;
    cursor.take(OPTION_PADDING, "the options")?;
    for (name, record) in model.vis.records_mut() {
        cursor.record(record, name)?;
    }
    cursor.record(&mut model.stat, "the statistics")?;

    check_total(&cursor, &model, extensions)?;
    model.allocate();
    let mut outcome = Ok(());
    let mut array = |info: &ArrayInfo, values: ValuesMut<'_>| {
        if outcome.is_ok() {
            let length = values.len() * info.dtype.size();
            outcome = cursor.take(length, info.name).map(|chunk| decode(chunk, values));
        }
    };
    model.visit_mut(&mut array);
    let mut left = extensions;
    model.visit_extensions_mut(|info, values| {
        if left > 0 {
            left -= 1;
            array(info, values);
        }
    });
    outcome?;
    validate::check(&model).map_err(|message| cursor.error(message, HELP_CORRUPT))?;
    Ok(model)
}

/// Number of extension arrays in the file.
fn read_header(cursor: &mut Cursor<'_>) -> Result<usize, MjbError> {
    let magic = cursor.i32("the file identifier")?;
    if magic != MAGIC && magic != EXTENDED_MAGIC {
        cursor.offset -= 4;
        let message = format!("the file identifier is {magic}, expected {MAGIC}");
        return Err(cursor.error(message, HELP_NOT_MJB));
    }
    let expected = [
        (8, "the size of a number", HELP_VERSION),
        (Model::SIZES.len() as i32, "the number of sizes", HELP_VERSION),
        (REFERENCE_VERSION, "the version", HELP_VERSION),
    ];
    for (wanted, what, help) in expected {
        let found = cursor.i32(what)?;
        if found != wanted {
            cursor.offset -= 4;
            return Err(cursor.error(format!("{what} is {found}, expected {wanted}"), help));
        }
    }
    let (found, wanted) = (cursor.i32("the number of arrays")?, Model::ARRAYS.len() as i32);
    match usize::try_from(i64::from(found) - i64::from(wanted)) {
        Ok(extensions) if extensions <= Model::EXTENSIONS.len() => Ok(extensions),
        _ => {
            cursor.offset -= 4;
            let message = format!("the number of arrays is {found}, expected {wanted}");
            Err(cursor.error(message, HELP_VERSION))
        }
    }
}

/// Refuse before allocating if the arrays the sizes promise do not fit what is left of the file exactly.
fn check_total(cursor: &Cursor<'_>, model: &Model, extensions: usize) -> Result<(), MjbError> {
    let mut total = 0usize;
    let arrays = Model::ARRAYS.iter().zip(model.expected_rows());
    let extended = Model::EXTENSIONS.iter().zip(model.expected_extension_rows()).take(extensions);
    for (info, rows) in arrays.chain(extended) {
        let bytes = rows
            .and_then(|rows| rows.checked_mul(info.width * info.dtype.size()))
            .and_then(|bytes| total.checked_add(bytes));
        total = bytes
            .ok_or_else(|| cursor.error(format!("the sizes of {} overflow", info.name), HELP_CORRUPT))?;
    }
    let left = cursor.bytes.len() - cursor.offset;
    if total != left {
        return Err(cursor.error(
            format!("the sizes promise {total} bytes of arrays, the file holds {left}"),
            HELP_CORRUPT,
        ));
    }
    Ok(())
}

/// The bytes of an MJB file for `model`.
pub fn write(model: &Model) -> Vec<u8> {
    let mut out = Vec::with_capacity(size(model));
    let magic = if model.uses_extensions() { EXTENDED_MAGIC } else { MAGIC };
    let extensions = used_extensions(model);
    let arrays = (Model::ARRAYS.len() + extensions) as i32;
    for value in [magic, 8, Model::SIZES.len() as i32, REFERENCE_VERSION, arrays] {
        value.push_le(&mut out);
    }
    for value in model.size_values() {
        value.push_le(&mut out);
    }
    write_record(&mut out, &model.opt);
    out.extend_from_slice(&[0; OPTION_PADDING]);
    for (_, record) in model.vis.records() {
        write_record(&mut out, record);
    }
    write_record(&mut out, &model.stat);
    model.visit(|_, values| encode(&mut out, values));
    let mut left = extensions;
    model.visit_extensions(|_, values| {
        if left > 0 {
            left -= 1;
            encode(&mut out, values);
        }
    });
    out
}

/// Number of extension arrays up to the last one that is not all zero.
fn used_extensions(model: &Model) -> usize {
    fn used<S: Scalar + PartialEq + Default>(values: &[S]) -> bool {
        values.iter().any(|value| *value != S::default())
    }
    let (mut position, mut last) = (0, 0);
    model.visit_extensions(|_, values| {
        position += 1;
        let used = match values {
            Values::F64(v) => used(v),
            Values::F32(v) => used(v),
            Values::I32(v) => used(v),
            Values::I64(v) => used(v),
            Values::U8(v) => used(v),
        };
        last = if used { position } else { last };
    });
    last
}

fn write_record(out: &mut Vec<u8>, record: &dyn ErasedRecord) {
    record.each(&mut |_, values| encode(out, values));
}

/// Number of bytes [`write()`] produces.
pub fn size(model: &Model) -> usize {
    fn record_size(record: &dyn ErasedRecord) -> usize {
        record.fields().iter().map(|field| field.width * field.dtype.size()).sum()
    }
    let mut total = 5 * 4 + 8 * Model::SIZES.len() + OPTION_PADDING;
    total += record_size(&PhysicsOptions::default()) + record_size(&Statistic::default());
    total += Visual::default().records().iter().map(|(_, record)| record_size(*record)).sum::<usize>();
    model.visit(|info, values| total += values.len() * info.dtype.size());
    let mut left = used_extensions(model);
    model.visit_extensions(|info, values| {
        if left > 0 {
            left -= 1;
            total += values.len() * info.dtype.size();
        }
    });
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small_model() -> Model {
        let mut model = Model { nbody: 1, nnames: 3, ..Model::default() };
        model.allocate();
        model.body_mocapid = vec![-1].into();
        model.body_plugin = vec![-1].into();
        model.body_treeid = vec![-1].into();
        model.names = b"m\0\0".to_vec().into();
        model.name_bodyadr = vec![1].into();
        model
    }

    #[test]
    fn what_is_written_reads_back_equal() {
        let model = small_model();
        let bytes = write(&model);
        assert_eq!(bytes.len(), size(&model));
        assert_eq!(read(&bytes).unwrap(), model);
        assert_eq!(write(&read(&bytes).unwrap()), bytes);
    }

    #[test]
    fn a_lying_size_is_an_error_before_allocation() {
        let mut bytes = write(&small_model());
        let nbody_at = 20 + 8 * 4;
        bytes[nbody_at..nbody_at + 8].copy_from_slice(&i64::MAX.to_le_bytes());
        assert!(read(&bytes).is_err());
        bytes[nbody_at..nbody_at + 8].copy_from_slice(&(-1i64).to_le_bytes());
        let error = read(&bytes).unwrap_err();
        assert_eq!(error.offset, nbody_at);
        assert!(error.message.contains("nbody"));
    }

    #[test]
    fn every_truncation_is_an_error() {
        let bytes = write(&small_model());
        for end in 0..bytes.len() {
            assert!(read(&bytes[..end]).is_err(), "{end} bytes were accepted");
        }
    }
}
