//! A number that tells models apart: equal models have equal fingerprints on every machine, different ones almost surely do not.
//!
//! Sizes, options, statistics and arrays enter in file order, eight bytes at a time; pixels of textures, which no simulation sees,
//! are left out. It is no protection against somebody who wants two models to collide.

use crate::element::Values;
use crate::model::Model;
use crate::options::Record as _;

/// Odd multipliers with well mixed bits.
const FIRST: u64 = 0x9E37_79B9_7F4A_7C15;
const SECOND: u64 = 0xC2B2_AE3D_27D4_EB4F;

/// A running hash of numbers.
#[derive(Clone, Copy, Debug)]
pub struct Fingerprint(u64);

impl Default for Fingerprint {
    fn default() -> Self {
        Self(SECOND)
    }
}

impl Fingerprint {
    #[inline]
    fn word(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(FIRST).rotate_left(29);
    }

    /// Take in an array: its length, then its numbers.
    pub fn values(&mut self, values: Values<'_>) {
        self.word(values.len() as u64);
        match values {
            Values::F64(numbers) => numbers.iter().for_each(|number| self.word(number.to_bits())),
            Values::F32(numbers) => numbers.chunks(2).for_each(|pair| {
                let high = pair.get(1).map_or(0, |number| u64::from(number.to_bits()));
                self.word(pair.first().map_or(0, |number| u64::from(number.to_bits())) | high << 32);
            }),
            Values::I32(numbers) => numbers.chunks(2).for_each(|pair| {
                let high = pair.get(1).map_or(0, |number| u64::from(*number as u32));
                self.word(pair.first().map_or(0, |number| u64::from(*number as u32)) | high << 32);
            }),
            Values::I64(numbers) => numbers.iter().for_each(|number| self.word(*number as u64)),
            Values::U8(bytes) => self.bytes(bytes),
        }
    }

    /// Take in bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            for (target, byte) in word.iter_mut().zip(chunk) {
                *target = *byte;
            }
            self.word(u64::from_le_bytes(word));
        }
    }

    /// The hash of what was taken in.
    pub const fn finish(self) -> u64 {
        let mixed = (self.0 ^ (self.0 >> 32)).wrapping_mul(SECOND);
        mixed ^ (mixed >> 29)
    }
}

impl Model {
    /// What tells this model from others; see the module.
    pub fn fingerprint(&self) -> u64 {
        let mut hash = Fingerprint::default();
        hash.values(Values::I64(&self.size_values()));
        self.opt.visit(&mut |_, values| hash.values(values));
        self.stat.visit(&mut |_, values| hash.values(values));
        self.visit(|info, values| {
            if info.name != "tex_data" {
                hash.values(values);
            }
        });
        // Steps with MuJoCo's bugs are other steps.
        if self.reference_bugs {
            hash.values(Values::U8(&[1]));
        }
        hash.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_changed_number_changes_the_fingerprint() {
        let mut model = Model { nbody: 2, ..Model::default() };
        model.allocate();
        let before = model.fingerprint();
        assert_eq!(before, model.clone().fingerprint());
        model.body_mass[1] = 1.0;
        let heavier = model.fingerprint();
        model.opt.timestep = 0.001;
        assert!(before != heavier && heavier != model.fingerprint());
        let sound = model.fingerprint();
        model.reference_bugs = true;
        assert_ne!(sound, model.fingerprint());
    }

    #[test]
    fn numbers_that_move_to_the_next_array_count() {
        let (mut first, mut second) = (Fingerprint::default(), Fingerprint::default());
        first.values(Values::I32(&[1, 2, 3]));
        first.values(Values::I32(&[]));
        second.values(Values::I32(&[1, 2]));
        second.values(Values::I32(&[3]));
        assert_ne!(first.finish(), second.finish());
    }
}
