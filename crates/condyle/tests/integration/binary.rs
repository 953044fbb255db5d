//! Binary models: a round trip keeps every byte, and damage is refused or harmless.

use std::time::{Duration, Instant};

use condyle::model::mjb;
use condyle::{Data, step};

use crate::models;

/// A small generator, so that the damaged files are the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}

#[test]
fn writing_and_reading_back_keeps_every_byte() {
    for (name, model) in models::all() {
        let bytes = mjb::write(&model);
        let read = mjb::read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(mjb::write(&read), bytes, "{name}");
    }
}

/// Header, sizes and options come first; lengths that lie are found there.
const SIZES_START: usize = 20;
const SIZES_END: usize = SIZES_START + 8 * 89;

#[test]
fn two_thousand_damaged_files_never_panic_and_never_allocate_without_bound() {
    let originals: Vec<Vec<u8>> = models::bench().iter().map(|(_, model)| mjb::write(model)).collect();
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut refused, mut accepted) = (0, 0);
    for case in 0..2000 {
        let mut bytes = originals[random.below(originals.len())].clone();
        match case % 4 {
            0 => bytes.truncate(random.below(bytes.len())),
            1 => {
                for _ in 0..1 + random.below(8) {
                    let at = random.below(bytes.len());
                    bytes[at] ^= 1 << random.below(8);
                }
            }
            2 => {
                let at = SIZES_START + 8 * random.below((SIZES_END - SIZES_START) / 8);
                let lie = [i64::MAX, i64::MIN, -1, 1 << 40, random.next() as i64][random.below(5)];
                bytes[at..at + 8].copy_from_slice(&lie.to_le_bytes());
            }
            _ => {
                let (at, length) = (random.below(bytes.len()), 1 + random.below(64));
                let end = (at + length).min(bytes.len());
                bytes[at..end].fill(0xFF);
            }
        }
        let started = Instant::now();
        let mut outcome = None;
        let counted = allocation_counter::measure(|| outcome = Some(mjb::read(&bytes)));
        assert!(started.elapsed() < Duration::from_secs(2), "case {case} took {:?}", started.elapsed());
        assert!(counted.bytes_max < 1 << 30, "case {case} held {} bytes", counted.bytes_max);
        match outcome {
            Some(Ok(model)) => {
                // Damage in the numbers of a model cannot be seen; the simulation must survive it.
                let mut data = Data::new(&model);
                for _ in 0..3 {
                    step(&model, &mut data);
                }
                accepted += 1;
            }
            _ => refused += 1,
        }
    }
    assert!(refused > 1000, "only {refused} refused, {accepted} accepted");
}
