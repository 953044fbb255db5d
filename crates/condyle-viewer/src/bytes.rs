//! Numbers to bytes, little-endian, for messages to the page.

/// A message under construction.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    pub bytes: Vec<u8>,
}

impl Writer {
    pub(crate) fn bytes(&mut self, values: &[u8]) {
        self.bytes.extend_from_slice(values);
    }

    pub(crate) fn unsigned(&mut self, value: usize) {
        self.bytes(&u32::try_from(value).unwrap_or(u32::MAX).to_le_bytes());
    }

    pub(crate) fn integer(&mut self, value: i32) {
        self.bytes(&value.to_le_bytes());
    }

    pub(crate) fn single(&mut self, value: f32) {
        self.bytes(&value.to_le_bytes());
    }

    pub(crate) fn singles(&mut self, values: &[f32]) {
        self.bytes.reserve(4 * values.len());
        values.iter().for_each(|value| self.single(*value));
    }

    pub(crate) fn double(&mut self, value: f64) {
        self.bytes(&value.to_le_bytes());
    }

    pub(crate) fn doubles(&mut self, values: &[f64]) {
        self.bytes.reserve(8 * values.len());
        values.iter().for_each(|value| self.double(*value));
    }

    /// Zeros up to a multiple of four, so that arrays of numbers can be read in place.
    pub(crate) fn align(&mut self) {
        while !self.bytes.len().is_multiple_of(4) {
            self.bytes.push(0);
        }
    }
}
