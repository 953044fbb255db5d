//! Binary models: a round trip keeps every byte, and damage is refused or harmless.

use std::time::{Duration, Instant};

use condyle::model::{ValuesMut, mjb};
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

#[test]
fn wrong_indices_of_flexes_are_refused_or_harmless() {
    let originals: Vec<_> = models::all().into_iter().filter(|(name, _)| name.starts_with("flex")).collect();
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let (mut refused, mut accepted) = (0, 0);
    for case in 0..2000 {
        let mut model = originals[random.below(originals.len())].1.clone();
        let mut names = Vec::new();
        model.visit(|info, values| {
            if !values.is_empty() && (info.name.starts_with("flex") || info.name.starts_with("bvh")) {
                names.push(info.name);
            }
        });
        let name = names[random.below(names.len())];
        match model.array_mut(name) {
            Some(ValuesMut::I32(values)) => {
                let at = random.below(values.len());
                let (now, other) = (values[at], values[random.below(values.len())]);
                let wrong = [-1, 0, 1, now.wrapping_add(1), now.wrapping_sub(1), other, i32::MAX, i32::MIN];
                values[at] = wrong[case % 8];
            }
            Some(ValuesMut::U8(values)) => values[random.below(values.len())] ^= 1,
            Some(ValuesMut::F64(values)) => {
                let wrong = [0.0, f64::NAN, f64::INFINITY, -1.0, 1e300, 1e-300, -0.0, 2.0];
                values[random.below(values.len())] = wrong[case % 8];
            }
            _ => {}
        }
        match mjb::read(&mjb::write(&model)) {
            Ok(model) => {
                let mut data = Data::new(&model);
                for _ in 0..2 {
                    step(&model, &mut data);
                }
                accepted += 1;
            }
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 400 && accepted > 400, "{refused} refused, {accepted} accepted");
}
