//! Simulations: loading from files in memory, stepping, arrays, snapshots.

use std::cell::RefCell;

use condyle::{LoadError, LoadOptions, Loaded, Sim};
use condyle_base::Files;
use condyle_engine::Snapshot;
use condyle_model::{ObjectType, Values, ValuesMut};

use crate::memory::{answer, bytes, text};

thread_local! {
    static FILES: RefCell<Files> = RefCell::new(Files::without_disk());
    // Boxes, so that arrays stay where they are when there are more simulations.
    #[allow(clippy::vec_box)]
    static SIMS: RefCell<Vec<Option<Box<Sim>>>> = const { RefCell::new(Vec::new()) };
}

/// Gives a file its bytes, for models that name it.
///
/// # Safety
/// Both places are rooms of at least their lengths.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn condyle_file(name: *const u8, name_length: usize, place: *const u8, length: usize) {
    // SAFETY: as the caller says.
    let (name, content) = unsafe { (text(name, name_length), bytes(place, length)) };
    FILES.with_borrow_mut(|files| files.insert(&name, content));
}

/// Forgets all files.
#[unsafe(no_mangle)]
pub extern "C" fn condyle_forget_files() {
    FILES.set(Files::without_disk());
}

/// The model of a file that was given.
pub(crate) fn load(name: &str) -> Result<Loaded, LoadError> {
    let files = FILES.with_borrow(Clone::clone);
    let content = files.read(name, usize::MAX).map_err(|problem| LoadError::unreadable(name, problem))?;
    if name.to_ascii_lowercase().ends_with(".mjb") {
        return condyle::load_binary(&content).map(|model| Loaded {
            model,
            warnings: Vec::new(),
            notes: Vec::new(),
        });
    }
    condyle::load_bytes(name, &content, &LoadOptions::default().files(files))
}

/// A simulation of a file that was given; 0 when it cannot be loaded, with the problems as answer.
///
/// # Safety
/// The place is a room of at least the length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn condyle_load(name: *const u8, length: usize) -> usize {
    // SAFETY: as the caller says.
    match load(&unsafe { text(name, length) }) {
        Ok(loaded) => {
            answer(condyle_base::diagnostic::render_all(&loaded.warnings));
            let sim = Some(Box::new(Sim::new(loaded.model)));
            SIMS.with_borrow_mut(|sims| match sims.iter().position(Option::is_none) {
                Some(place) => {
                    sims[place] = sim;
                    place + 1
                }
                None => {
                    sims.push(sim);
                    sims.len()
                }
            })
        }
        Err(error) => {
            answer(error.to_string());
            0
        }
    }
}

fn with<R: Default>(number: usize, work: impl FnOnce(&mut Sim) -> R) -> R {
    SIMS.with_borrow_mut(|sims| {
        let sim = number.checked_sub(1).and_then(|place| sims.get_mut(place)).and_then(Option::as_mut);
        sim.map(|sim| work(sim)).unwrap_or_default()
    })
}

/// Ends a simulation; its arrays are gone.
#[unsafe(no_mangle)]
pub extern "C" fn condyle_sim_end(number: usize) {
    SIMS.with_borrow_mut(|sims| {
        if let Some(place) = number.checked_sub(1).and_then(|place| sims.get_mut(place)) {
            *place = None;
        }
    });
}

#[unsafe(no_mangle)]
pub extern "C" fn condyle_sim_step(number: usize, steps: u32) {
    with(number, |sim| {
        for _ in 0..steps {
            sim.step();
        }
    });
}

#[unsafe(no_mangle)]
pub extern "C" fn condyle_sim_forward(number: usize) {
    with(number, Sim::forward);
}

#[unsafe(no_mangle)]
pub extern "C" fn condyle_sim_reset(number: usize) {
    with(number, Sim::reset);
}

#[unsafe(no_mangle)]
pub extern "C" fn condyle_sim_keyframe(number: usize, key: usize) -> bool {
    with(number, |sim| sim.reset_to_keyframe(&key.to_string()))
}

#[unsafe(no_mangle)]
pub extern "C" fn condyle_sim_time(number: usize) -> f64 {
    with(number, |sim| sim.time())
}

/// What happened in the latest step, in words, as answer.
#[unsafe(no_mangle)]
pub extern "C" fn condyle_sim_report(number: usize) {
    answer(with(number, |sim| condyle::Describe::describe(sim.report(), &sim.model)));
}

/// The fingerprint of the state as hexadecimal digits, as answer.
#[unsafe(no_mangle)]
pub extern "C" fn condyle_sim_hash(number: usize) {
    answer(with(number, |sim| format!("{:016x}", condyle_viewer::state_hash(&sim.data))));
}

/// Place of an array by its name, of the data or else of the model; null when there is none. The answer is the kind of its numbers.
///
/// # Safety
/// The place of the name is a room of at least the length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn condyle_sim_array(number: usize, name: *const u8, length: usize) -> *mut u8 {
    // SAFETY: as the caller says.
    let name = unsafe { text(name, length) };
    let found = with(number, |sim| match sim.data.array_mut(&name) {
        Some(values) => Some(place_mut(values) as usize),
        None => sim.model.array(&name).map(|values| place(values) as usize),
    });
    let kind = with(number, |sim| sim.data.array(&name).or_else(|| sim.model.array(&name)).map(kind));
    answer(kind.unwrap_or(""));
    found.unwrap_or(0) as *mut u8
}

/// How many numbers an array has.
///
/// # Safety
/// As for [`condyle_sim_array`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn condyle_sim_array_length(number: usize, name: *const u8, length: usize) -> usize {
    // SAFETY: as the caller says.
    let name = unsafe { text(name, length) };
    with(number, |sim| {
        sim.data.array(&name).or_else(|| sim.model.array(&name)).map_or(0, |values| values.len())
    })
}

fn place_mut(values: ValuesMut<'_>) -> *mut u8 {
    match values {
        ValuesMut::F64(values) => values.as_mut_ptr().cast(),
        ValuesMut::F32(values) => values.as_mut_ptr().cast(),
        ValuesMut::I32(values) => values.as_mut_ptr().cast(),
        ValuesMut::I64(values) => values.as_mut_ptr().cast(),
        ValuesMut::U8(values) => values.as_mut_ptr(),
    }
}

fn place(values: Values<'_>) -> *const u8 {
    match values {
        Values::F64(values) => values.as_ptr().cast(),
        Values::F32(values) => values.as_ptr().cast(),
        Values::I32(values) => values.as_ptr().cast(),
        Values::I64(values) => values.as_ptr().cast(),
        Values::U8(values) => values.as_ptr(),
    }
}

fn kind(values: Values<'_>) -> &'static str {
    match values {
        Values::F64(_) => "f64",
        Values::F32(_) => "f32",
        Values::I32(_) => "i32",
        Values::I64(_) => "i64",
        Values::U8(_) => "u8",
    }
}

/// A size of the model by its name (`nq`, `nbody`, …); -1 when there is none.
///
/// # Safety
/// The place of the name is a room of at least the length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn condyle_sim_size(number: usize, name: *const u8, length: usize) -> f64 {
    // SAFETY: as the caller says.
    let name = unsafe { text(name, length) };
    with(number, |sim| Some(sim.model.size(&name).map_or(-1.0, |size| size as f64))).unwrap_or(-1.0)
}

/// Number of an element by its kind and name; -1 when there is none.
///
/// # Safety
/// The place of the name is a room of at least the length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn condyle_sim_name_to_id(
    number: usize,
    kind: i32,
    name: *const u8,
    length: usize,
) -> i32 {
    // SAFETY: as the caller says.
    let name = unsafe { text(name, length) };
    let found = with(number, |sim| ObjectType::from_i32(kind).and_then(|kind| sim.model.find(kind, &name)));
    found.and_then(|id| i32::try_from(id).ok()).unwrap_or(-1)
}

/// The simulation set aside as bytes, as answer.
#[unsafe(no_mangle)]
pub extern "C" fn condyle_sim_snapshot(number: usize) {
    answer(with(number, |sim| sim.snapshot().as_bytes().to_vec()));
}

/// Continues from a snapshot; `false` when it does not belong to the model, with the reason as answer.
///
/// # Safety
/// The place is a room of at least the length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn condyle_sim_restore(number: usize, place: *const u8, length: usize) -> bool {
    // SAFETY: as the caller says.
    let content = unsafe { bytes(place, length) };
    let done =
        with(number, |sim| Some(Snapshot::from_bytes(content).and_then(|snapshot| sim.restore(&snapshot))));
    match done {
        Some(Ok(())) => true,
        Some(Err(problem)) => {
            answer(problem.to_string());
            false
        }
        None => false,
    }
}
