//! Little-endian values from a byte slice, with the position kept for error messages.

/// Reads values one after another; every read is checked.
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, position: 0 }
    }

    /// Bytes read so far.
    pub(crate) fn position(&self) -> usize {
        self.position
    }

    /// Bytes left to read.
    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len() - self.position
    }

    /// The next `count` bytes.
    pub(crate) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let end = self.position.checked_add(count)?;
        let slice = self.bytes.get(self.position..end)?;
        self.position = end;
        Some(slice)
    }

    pub(crate) fn i32(&mut self) -> Option<i32> {
        let array: [u8; 4] = self.take(4)?.try_into().ok()?;
        Some(i32::from_le_bytes(array))
    }

    /// `count` single-precision numbers.
    pub(crate) fn f32s(&mut self, count: usize) -> Option<Vec<f32>> {
        let slice = self.take(count.checked_mul(4)?)?;
        Some(slice.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
    }

    /// A few single-precision numbers.
    pub(crate) fn f32_array<const N: usize>(&mut self) -> Option<[f32; N]> {
        let slice = self.take(4 * N)?;
        let mut numbers = [0.0; N];
        for (number, bytes) in numbers.iter_mut().zip(slice.as_chunks::<4>().0) {
            *number = f32::from_le_bytes(*bytes);
        }
        Some(numbers)
    }

    /// `count` integers.
    pub(crate) fn i32s(&mut self, count: usize) -> Option<Vec<i32>> {
        let slice = self.take(count.checked_mul(4)?)?;
        Some(slice.as_chunks::<4>().0.iter().map(|bytes| i32::from_le_bytes(*bytes)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_past_the_end_gives_nothing_and_does_not_move() {
        let mut cursor = Cursor::new(&[1, 0, 0, 0, 9]);
        assert_eq!(cursor.i32(), Some(1));
        assert_eq!(cursor.i32(), None);
        assert_eq!(cursor.f32s(usize::MAX), None);
        assert_eq!((cursor.position(), cursor.remaining()), (4, 1));
    }
}
