//! A simulation set aside, to be continued later with the same bits: in the same data, in fresh data or in another process.
//!
//! A snapshot holds everything one step can take from the step before: the state, the inputs and every other number of fixed size in the
//! field table. Lists that a step makes anew (contacts, constraint rows, islands) are empty after a restore until the next step or
//! `forward`. It belongs to one model, recognised by its fingerprint.
//!
//! As bytes, all little-endian: the eight letters `CONDSNAP`, format version (u32), fingerprint of the model (u64), numbers (u64 count,
//! then the time, all float64 arrays of the table and its flags as f64), `tree_asleep` (i32 each), `eq_active` (u8 each), warning and
//! issue counters (two i32 each), steps taken (u64), and a checksum of all that (u64). Bytes from outside are checked before anything
//! is changed; integers that are indices are computed anew or checked, never believed.
//!
//! Whole data: a snapshot is everything that the next step depends on.

use std::fmt;

use condyle_model::{Fingerprint, Model, Values, ValuesMut};

use crate::data::{StepIssue, sleep_enabled};
use crate::sleep::MIN_AWAKE;
use crate::sleep::{self, SleepState};
use crate::{Data, step};

const MAGIC: &[u8; 8] = b"CONDSNAP";
const VERSION: u32 = 1;
const HEADER: usize = 8 + 4 + 8;
const CHECKSUM: usize = 8;

/// A simulation set aside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    bytes: Vec<u8>,
}

/// Why a snapshot cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The bytes are no snapshot.
    NotASnapshot,
    /// Written by a version this one does not read.
    Version(u32),
    /// Bytes are missing, too many or changed.
    Damaged,
    /// Taken from another model, or from this one before it was changed.
    OtherModel {
        /// Fingerprint of the model the snapshot was taken from.
        snapshot: u64,
        /// Fingerprint of this model.
        model: u64,
    },
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotASnapshot => f.write_str("these bytes are no snapshot"),
            Self::Version(version) => {
                write!(f, "the snapshot has format version {version}, this program reads version {VERSION}")
            }
            Self::Damaged => f.write_str("the snapshot is damaged or cut off"),
            Self::OtherModel { snapshot, model } => write!(
                f,
                "the snapshot was taken from another model (fingerprint {snapshot:016x}, this model has {model:016x}); a model whose \
                 options or arrays were changed counts as another one"
            ),
        }
    }
}

impl std::error::Error for SnapshotError {}

impl Snapshot {
    /// Set the simulation aside.
    pub fn take(model: &Model, data: &Data) -> Self {
        let mut snapshot = Self::default();
        snapshot.retake(model, data);
        snapshot
    }

    /// [`take`](Self::take) into the memory of this snapshot.
    pub fn retake(&mut self, model: &Model, data: &Data) {
        let bytes = &mut self.bytes;
        bytes.clear();
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&model.fingerprint().to_le_bytes());
        let mut count = 0u64;
        let place = bytes.len();
        bytes.extend_from_slice(&count.to_le_bytes());
        data.visit_numbers(|numbers| {
            count += numbers.len() as u64;
            let start = bytes.len();
            bytes.resize(start + 8 * numbers.len(), 0);
            for (place, number) in bytes[start..].as_chunks_mut::<8>().0.iter_mut().zip(numbers) {
                *place = number.to_le_bytes();
            }
        });
        bytes[place..place + 8].copy_from_slice(&count.to_le_bytes());
        for tree in &data.state.tree_asleep {
            bytes.extend_from_slice(&tree.to_le_bytes());
        }
        bytes.extend_from_slice(&data.inputs.eq_active);
        for stat in data.diagnostics.warning.iter().chain(&data.diagnostics.issues) {
            bytes.extend_from_slice(&stat.number.to_le_bytes());
            bytes.extend_from_slice(&stat.lastinfo.to_le_bytes());
        }
        bytes.extend_from_slice(&data.diagnostics.report.step.to_le_bytes());
        let checksum = checksum(bytes);
        bytes.extend_from_slice(&checksum.to_le_bytes());
    }

    /// The snapshot as bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// A snapshot from bytes of an earlier one.
    pub fn from_bytes(bytes: impl Into<Vec<u8>>) -> Result<Self, SnapshotError> {
        let bytes = bytes.into();
        let mut reader = Reader(&bytes);
        if reader.take(MAGIC.len()).is_none_or(|magic| magic != MAGIC) {
            return Err(SnapshotError::NotASnapshot);
        }
        let version = reader.number().map(u32::from_le_bytes).ok_or(SnapshotError::Damaged)?;
        if version != VERSION {
            return Err(SnapshotError::Version(version));
        }
        let body = bytes.len().checked_sub(CHECKSUM).filter(|body| *body >= HEADER);
        let (body, stored) =
            body.and_then(|body| bytes.split_at_checked(body)).ok_or(SnapshotError::Damaged)?;
        if stored != checksum(body).to_le_bytes() {
            return Err(SnapshotError::Damaged);
        }
        Ok(Self { bytes })
    }

    /// Fingerprint of the model the snapshot was taken from.
    pub fn model_fingerprint(&self) -> u64 {
        let stored = self.bytes.get(MAGIC.len() + 4..HEADER).and_then(|bytes| bytes.try_into().ok());
        stored.map_or(0, u64::from_le_bytes)
    }

    /// Continue from here: make `data`, which must be of the same model, what it was when the snapshot was taken. On an error nothing
    /// is changed. Policy and hooks of `data` stay.
    pub fn restore(&self, model: &Model, data: &mut Data) -> Result<(), SnapshotError> {
        let fingerprint = model.fingerprint();
        if self.model_fingerprint() != fingerprint {
            let snapshot = self.model_fingerprint();
            return Err(SnapshotError::OtherModel { snapshot, model: fingerprint });
        }
        let parts = Parts::read(&self.bytes, data).ok_or(SnapshotError::Damaged)?;

        data.clear_lists();
        if sleep_enabled(model) {
            // What belongs to sleeping trees is not computed again until they wake: compute it here, with everything awake, and
            // put the stored numbers over it.
            parts.write(data);
            data.state.tree_asleep.fill(-(1 + MIN_AWAKE));
            sleep::update_with_static(model, &data.state, &mut data.awake, SleepState::Awake);
            step::forward_position(model, data);
            data.clear_lists();
        }
        parts.write(data);
        sleep::update(model, &data.state, &mut data.awake);
        Ok(())
    }
}

fn checksum(bytes: &[u8]) -> u64 {
    let mut hash = Fingerprint::default();
    hash.values(Values::U8(bytes));
    hash.finish()
}

/// The parts of a snapshot, checked against the data they are for.
struct Parts<'a> {
    numbers: &'a [u8],
    tree_asleep: Vec<i32>,
    eq_active: &'a [u8],
    counters: &'a [u8],
    steps: u64,
}

impl<'a> Parts<'a> {
    fn read(bytes: &'a [u8], data: &Data) -> Option<Self> {
        let mut reader = Reader(bytes.get(HEADER..)?);
        let mut count = 0;
        data.visit_numbers(|numbers| count += numbers.len());
        if u64::from_le_bytes(reader.number()?) != count as u64 {
            return None;
        }
        let numbers = reader.take(count * 8)?;
        let mut tree_asleep = Vec::with_capacity(data.state.tree_asleep.len());
        for _ in 0..data.state.tree_asleep.len() {
            tree_asleep.push(i32::from_le_bytes(reader.number()?));
        }
        let eq_active = reader.take(data.inputs.eq_active.len())?;
        let counters = reader.take(8 * (data.diagnostics.warning.len() + StepIssue::ALL.len()))?;
        let steps = u64::from_le_bytes(reader.number()?);
        let parts = Self { numbers, tree_asleep, eq_active, counters, steps };
        (reader.0.len() == CHECKSUM && parts.sleeps_in_cycles()).then_some(parts)
    }

    /// Whether every sleeping tree lies on a closed cycle of sleeping trees.
    fn sleeps_in_cycles(&self) -> bool {
        (0..self.tree_asleep.len())
            .all(|tree| self.tree_asleep[tree] < 0 || sleep::cycle_start(&self.tree_asleep, tree).is_some())
    }

    fn write(&self, data: &mut Data) {
        let mut reader = Reader(self.numbers);
        data.visit_numbers_mut(|value| *value = reader.number().map_or(0.0, f64::from_le_bytes));
        data.state.tree_asleep.copy_from_slice(&self.tree_asleep);
        for (target, stored) in data.inputs.eq_active.iter_mut().zip(self.eq_active) {
            *target = u8::from(*stored != 0);
        }
        let mut reader = Reader(self.counters);
        let diagnostics = &mut data.diagnostics;
        for stat in diagnostics.warning.iter_mut().chain(&mut diagnostics.issues) {
            stat.number = reader.number().map_or(0, i32::from_le_bytes);
            stat.lastinfo = reader.number().map_or(0, i32::from_le_bytes);
        }
        diagnostics.report = Default::default();
        diagnostics.report.step = self.steps;
        diagnostics.non_finite = None;
        diagnostics.last_finite_is_valid = false;
    }
}

/// Bytes still to be read.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn number<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }
}

impl Data {
    /// Every number a step can take from the step before, in the order of the table: the arrays, then flags as 0 or 1.
    fn visit_numbers(&self, mut visitor: impl FnMut(&[f64])) {
        visitor(&[self.state.time]);
        self.visit_fixed(|values| {
            if let Values::F64(numbers) = values {
                visitor(numbers);
            }
        });
        self.visit_flags(|flag| visitor(&[f64::from(u8::from(flag))]));
    }

    /// [`visit_numbers`](Self::visit_numbers) for writing, one by one.
    fn visit_numbers_mut(&mut self, mut next: impl FnMut(&mut f64)) {
        next(&mut self.state.time);
        self.visit_fixed_mut(|values| {
            if let ValuesMut::F64(numbers) = values {
                numbers.iter_mut().for_each(&mut next);
            }
        });
        self.visit_flags_mut(|flag| {
            let mut number = 0.0;
            next(&mut number);
            *flag = number != 0.0;
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A slide and an equality to have something to keep.
    fn slide() -> Model {
        let mut model = Model { nbody: 2, njnt: 1, nq: 1, nv: 1, ntree: 1, neq: 1, ..Model::default() };
        model.allocate();
        model.body_mocapid.fill(-1);
        model.body_treeid = vec![-1, 0].into();
        model.jnt_type[0] = 2;
        model.jnt_bodyid[0] = 1;
        model.dof_bodyid[0] = 1;
        model
    }

    fn moved(model: &Model) -> Data {
        let mut data = Data::new(model);
        data.state.time = 2.5;
        data.state.qpos[0] = -0.0;
        data.state.qvel[0] = 3.0;
        data.inputs.eq_active[0] = 1;
        data.sensors.flg_energypos = true;
        data
    }

    #[test]
    fn bytes_bring_back_every_number_and_flag() {
        let model = slide();
        let snapshot = Snapshot::take(&model, &moved(&model));
        let read = Snapshot::from_bytes(snapshot.as_bytes()).unwrap();
        let mut data = Data::new(&model);
        read.restore(&model, &mut data).unwrap();
        assert_eq!((data.state.time, data.state.qvel[0], data.inputs.eq_active[0]), (2.5, 3.0, 1));
        assert!(data.state.qpos[0].is_sign_negative() && data.sensors.flg_energypos);
    }

    #[test]
    fn another_model_is_refused_and_the_data_left_alone() {
        let model = slide();
        let snapshot = Snapshot::take(&model, &moved(&model));
        let mut other = model.clone();
        other.body_mass[1] = 2.0;
        let mut data = Data::new(&other);
        let error = snapshot.restore(&other, &mut data).unwrap_err();
        assert!(matches!(error, SnapshotError::OtherModel { .. }), "{error}");
        assert_eq!(data.state.time, 0.0);
    }

    #[test]
    fn every_damaged_byte_and_every_length_is_refused() {
        let model = slide();
        let bytes = Snapshot::take(&model, &moved(&model)).as_bytes().to_vec();
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 0x10;
            assert!(Snapshot::from_bytes(damaged).is_err(), "byte {place}");
            assert!(Snapshot::from_bytes(&bytes[..place]).is_err(), "length {place}");
        }
        assert_eq!(Snapshot::from_bytes(*b"hello").unwrap_err(), SnapshotError::NotASnapshot);
    }

    #[test]
    fn broken_sleeping_cycles_are_refused_even_with_a_right_checksum() {
        let model = slide();
        let mut data = moved(&model);
        data.state.tree_asleep[0] = 7;
        let snapshot = Snapshot::take(&model, &data);
        assert_eq!(snapshot.restore(&model, &mut Data::new(&model)), Err(SnapshotError::Damaged));
    }
}
