//! Arrays with one row for each simulation, of any scalar type, and how they are dealt out to threads row by row.

use std::hint::black_box;

use condyle_model::{DType, Values, ValuesMut};

use super::BatchError;

/// An error where the memory for so many rows cannot be had. Asking for it in vain while it is filled would end the process.
pub(super) fn check_memory(rows: usize, bytes_each: usize) -> Result<(), BatchError> {
    let bytes = rows.saturating_mul(bytes_each);
    let mut room: Vec<u8> = Vec::new();
    let there = room.try_reserve_exact(bytes);
    // An allocation that nobody looks at may be left out by the compiler.
    black_box(&room);
    there.map_err(|_| BatchError::Memory { bytes })
}

/// An array that never moves: other languages keep pointers to its numbers.
#[derive(Clone, Debug)]
pub(super) enum Store {
    F64(Box<[f64]>),
    F32(Box<[f32]>),
    I32(Box<[i32]>),
    I64(Box<[i64]>),
    U8(Box<[u8]>),
}

impl Store {
    /// Rows of zeros for all simulations.
    pub(super) fn zeros(dtype: DType, width: usize, simulations: usize) -> Result<Self, BatchError> {
        check_memory(simulations, width.saturating_mul(dtype.size()))?;
        let length = width * simulations;
        Ok(match dtype {
            DType::F64 => Self::F64(vec![0.0; length].into()),
            DType::F32 => Self::F32(vec![0.0; length].into()),
            DType::I32 => Self::I32(vec![0; length].into()),
            DType::I64 => Self::I64(vec![0; length].into()),
            DType::U8 => Self::U8(vec![0; length].into()),
        })
    }

    /// `row` as often as there are simulations.
    pub(super) fn repeated(row: Values<'_>, simulations: usize) -> Result<Self, BatchError> {
        let width = match row {
            Values::F64(row) => size_of_val(row),
            Values::F32(row) => size_of_val(row),
            Values::I32(row) => size_of_val(row),
            Values::I64(row) => size_of_val(row),
            Values::U8(row) => size_of_val(row),
        };
        check_memory(simulations, width)?;
        Ok(match row {
            Values::F64(row) => Self::F64(row.repeat(simulations).into()),
            Values::F32(row) => Self::F32(row.repeat(simulations).into()),
            Values::I32(row) => Self::I32(row.repeat(simulations).into()),
            Values::I64(row) => Self::I64(row.repeat(simulations).into()),
            Values::U8(row) => Self::U8(row.repeat(simulations).into()),
        })
    }

    pub(super) fn values(&self) -> Values<'_> {
        match self {
            Self::F64(v) => Values::F64(v),
            Self::F32(v) => Values::F32(v),
            Self::I32(v) => Values::I32(v),
            Self::I64(v) => Values::I64(v),
            Self::U8(v) => Values::U8(v),
        }
    }

    pub(super) fn values_mut(&mut self) -> ValuesMut<'_> {
        match self {
            Self::F64(v) => ValuesMut::F64(v),
            Self::F32(v) => ValuesMut::F32(v),
            Self::I32(v) => ValuesMut::I32(v),
            Self::I64(v) => ValuesMut::I64(v),
            Self::U8(v) => ValuesMut::U8(v),
        }
    }
}

/// One row of numbers, whatever their type.
pub(super) fn row(values: Values<'_>, index: usize, width: usize) -> Values<'_> {
    let range = index * width..(index + 1) * width;
    match values {
        Values::F64(v) => Values::F64(&v[range]),
        Values::F32(v) => Values::F32(&v[range]),
        Values::I32(v) => Values::I32(&v[range]),
        Values::I64(v) => Values::I64(&v[range]),
        Values::U8(v) => Values::U8(&v[range]),
    }
}

/// Copy numbers of the same type and length; nothing happens where they are not.
pub(super) fn copy(target: ValuesMut<'_>, source: Values<'_>) {
    match (target, source) {
        (ValuesMut::F64(t), Values::F64(s)) if t.len() == s.len() => t.copy_from_slice(s),
        (ValuesMut::F32(t), Values::F32(s)) if t.len() == s.len() => t.copy_from_slice(s),
        (ValuesMut::I32(t), Values::I32(s)) if t.len() == s.len() => t.copy_from_slice(s),
        (ValuesMut::I64(t), Values::I64(s)) if t.len() == s.len() => t.copy_from_slice(s),
        (ValuesMut::U8(t), Values::U8(s)) if t.len() == s.len() => t.copy_from_slice(s),
        _ => {}
    }
}

/// The rows of some simulations that one thread works on.
#[derive(Debug)]
pub(super) struct Column<'a> {
    values: ValuesMut<'a>,
    width: usize,
}

impl<'a> Column<'a> {
    pub(super) fn new(values: ValuesMut<'a>, width: usize) -> Self {
        Self { values, width }
    }

    /// Take the first `rows` rows away.
    pub(super) fn take(&mut self, rows: usize) -> Self {
        fn split<'a, T>(values: &mut &'a mut [T], length: usize) -> &'a mut [T] {
            let (taken, rest) = std::mem::take(values).split_at_mut(length);
            *values = rest;
            taken
        }
        let length = rows * self.width;
        let taken = match &mut self.values {
            ValuesMut::F64(v) => ValuesMut::F64(split(v, length)),
            ValuesMut::F32(v) => ValuesMut::F32(split(v, length)),
            ValuesMut::I32(v) => ValuesMut::I32(split(v, length)),
            ValuesMut::I64(v) => ValuesMut::I64(split(v, length)),
            ValuesMut::U8(v) => ValuesMut::U8(split(v, length)),
        };
        Self { values: taken, width: self.width }
    }

    pub(super) fn row(&self, index: usize) -> Values<'_> {
        let all = match &self.values {
            ValuesMut::F64(v) => Values::F64(v),
            ValuesMut::F32(v) => Values::F32(v),
            ValuesMut::I32(v) => Values::I32(v),
            ValuesMut::I64(v) => Values::I64(v),
            ValuesMut::U8(v) => Values::U8(v),
        };
        row(all, index, self.width)
    }

    pub(super) fn row_mut(&mut self, index: usize) -> ValuesMut<'_> {
        let range = index * self.width..(index + 1) * self.width;
        match &mut self.values {
            ValuesMut::F64(v) => ValuesMut::F64(&mut v[range]),
            ValuesMut::F32(v) => ValuesMut::F32(&mut v[range]),
            ValuesMut::I32(v) => ValuesMut::I32(&mut v[range]),
            ValuesMut::I64(v) => ValuesMut::I64(&mut v[range]),
            ValuesMut::U8(v) => ValuesMut::U8(&mut v[range]),
        }
    }

    /// A row of numbers.
    pub(super) fn numbers(&mut self, index: usize) -> &mut [f64] {
        match self.row_mut(index) {
            ValuesMut::F64(row) => row,
            _ => &mut [],
        }
    }

    /// A row of whole numbers.
    pub(super) fn integers(&mut self, index: usize) -> &mut [i32] {
        match self.row_mut(index) {
            ValuesMut::I32(row) => row,
            _ => &mut [],
        }
    }
}
