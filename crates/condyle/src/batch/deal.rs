//! Dealing simulations out to threads.
//!
//! Every array of a batch has one row for each simulation. A thread takes the next few of the simulations that were asked for, with
//! their rows split off all arrays, so that no two threads can touch the same simulation and nothing needs a lock but the taking.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use condyle_engine::Data;
use condyle_engine::data::NonFinitePolicy;
use condyle_model::Model;
use condyle_model::options::Statistic;

use super::column::Column;
use super::field::{DataField, ModelField};
use crate::wakeful_pool::WakefulPool;

/// What a thread works in. No two share a line of the cache.
#[derive(Debug)]
#[repr(align(128))]
pub(super) struct Worker {
    pub data: Data,
    /// The model with the values of one simulation, when fields are expanded.
    pub model: Option<Box<Model>>,
}

/// Constants of one simulation's model that stand in no array.
#[derive(Clone, Copy, Debug)]
pub(super) struct Constants {
    pub stat: Statistic,
    pub ngravcomp: usize,
}

/// What all threads read.
pub(super) struct Common<'a> {
    pub model: &'a Model,
    pub models: Option<&'a [Arc<Model>]>,
    pub outputs: Vec<&'a DataField>,
    pub expanded: Vec<&'a ModelField>,
    pub policy: NonFinitePolicy,
}

/// The rows of a run of simulations. Those that were not asked for are among them and stay untouched.
pub(super) struct Rows<'a> {
    /// Number of the simulation the first rows belong to.
    pub first: usize,
    pub state: Column<'a>,
    pub warning: Column<'a>,
    pub status: Column<'a>,
    pub errors: &'a mut [String],
    pub outputs: Vec<Column<'a>>,
    pub expanded: Vec<Column<'a>>,
    /// What was found usable of the expanded arrays that must be checked, else nothing.
    pub checked: Vec<Option<Column<'a>>>,
    pub constants: &'a mut [Constants],
    /// One data for each simulation, or none.
    pub datas: &'a mut [Data],
    /// Rows of the call itself, one for each simulation asked for.
    pub call: Vec<Column<'a>>,
}

fn split<'a, T>(values: &mut &'a mut [T], length: usize) -> &'a mut [T] {
    let length = length.min(values.len());
    let (taken, rest) = std::mem::take(values).split_at_mut(length);
    *values = rest;
    taken
}

impl<'a> Rows<'a> {
    /// Take the rows of the next `simulations` away, with `called` rows of the call.
    fn take(&mut self, simulations: usize, called: usize) -> Rows<'a> {
        let first = self.first;
        self.first += simulations;
        Rows {
            first,
            state: self.state.take(simulations),
            warning: self.warning.take(simulations),
            status: self.status.take(simulations),
            errors: split(&mut self.errors, simulations),
            outputs: self.outputs.iter_mut().map(|column| column.take(simulations)).collect(),
            expanded: self.expanded.iter_mut().map(|column| column.take(simulations)).collect(),
            checked: self
                .checked
                .iter_mut()
                .map(|column| column.as_mut().map(|column| column.take(simulations)))
                .collect(),
            constants: split(&mut self.constants, simulations),
            datas: split(&mut self.datas, simulations),
            call: self.call.iter_mut().map(|column| column.take(called)).collect(),
        }
    }
}

/// Which simulations a call is for.
#[derive(Clone, Copy)]
pub(super) struct Selection<'a> {
    /// In rising order; all when absent.
    pub ids: Option<&'a [usize]>,
    pub simulations: usize,
}

impl Selection<'_> {
    pub(super) fn len(&self) -> usize {
        self.ids.map_or(self.simulations, <[usize]>::len)
    }

    pub(super) fn id(&self, position: usize) -> usize {
        self.ids.map_or(position, |ids| ids[position])
    }
}

/// One simulation of a call.
pub(super) struct Place {
    /// Place in the selection.
    pub position: usize,
    /// Row in the arrays of the batch that were dealt out.
    pub row: usize,
    /// Row in the arrays of the call that were dealt out.
    pub call_row: usize,
}

struct Queue<'a> {
    rows: Rows<'a>,
    position: usize,
}

/// Let `work` be done for every simulation of the selection, on all threads.
///
/// An error, or a panic, is noted in the simulation's status and does not stop the others.
pub(super) fn deal(
    pool: Option<&WakefulPool>,
    workers: &mut [Worker],
    common: &Common<'_>,
    selection: Selection<'_>,
    rows: Rows<'_>,
    work: impl Fn(&mut Worker, &mut Rows<'_>, Place) -> Result<(), String> + Sync,
) {
    // Eight chunks for each thread: few enough to be cheap, enough for the fast to take over from the slow.
    let chunk = (selection.len() / (8 * workers.len().max(1))).max(1);
    let queue = Mutex::new(Queue { rows, position: 0 });
    let next = || {
        let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
        let first = queue.position;
        let count = chunk.min(selection.len() - first);
        if count == 0 {
            return None;
        }
        queue.position += count;
        let (begin, end) = (selection.id(first), selection.id(first + count - 1) + 1);
        let skipped = begin - queue.rows.first;
        queue.rows.take(skipped, 0);
        Some((first, count, queue.rows.take(end - begin, count)))
    };
    let run = |worker: &mut Worker| {
        while let Some((first, count, mut rows)) = next() {
            for index in 0..count {
                let position = first + index;
                let row = selection.id(position) - rows.first;
                let place = Place { position, row, call_row: index };
                let done = catch_unwind(AssertUnwindSafe(|| work(worker, &mut rows, place)));
                let error = match done {
                    Ok(Ok(())) => None,
                    Ok(Err(error)) => Some(error),
                    Err(_) => {
                        worker.data = Data::new(common.model);
                        worker.model = None;
                        if let Some(data) = rows.datas.get_mut(row) {
                            *data = Data::new(common.model);
                        }
                        Some("the engine failed unexpectedly; please report it".to_owned())
                    }
                };
                rows.status.integers(row).fill(i32::from(error.is_some()));
                rows.errors[row] = error.unwrap_or_default();
            }
        }
    };
    match pool {
        // A single simulation is not worth waking the others.
        Some(pool) if selection.len() > 1 => pool.run(workers, run),
        _ => {
            if let Some(worker) = workers.first_mut() {
                run(worker);
            }
        }
    }
}

/// The model simulation number `simulation` runs on.
pub(super) fn model_of<'m>(
    common: &'m Common<'_>,
    own: &'m mut Option<Box<Model>>,
    rows: &mut Rows<'_>,
    row: usize,
) -> Result<&'m Model, String> {
    if let Some(models) = common.models {
        return Ok(&models[if models.len() == 1 { 0 } else { rows.first + row }]);
    }
    if common.expanded.is_empty() && rows.constants.is_empty() {
        return Ok(common.model);
    }
    let model = own.get_or_insert_with(|| Box::new(common.model.clone()));
    fill_model(common, model, rows, row)?;
    Ok(model)
}

/// Write the values of one simulation into a model that has those of another.
pub(super) fn fill_model(
    common: &Common<'_>,
    model: &mut Model,
    rows: &mut Rows<'_>,
    row: usize,
) -> Result<(), String> {
    let (mut unseen, mut options) = (false, false);
    for (index, field) in common.expanded.iter().enumerate() {
        let values = rows.expanded[index].row(row);
        options |= field.option;
        unseen |= rows.checked[index].as_ref().is_some_and(|checked| checked.row(row) != values);
        field.write(model, values);
    }
    if let Some(constants) = rows.constants.get(row) {
        model.stat = constants.stat;
        model.ngravcomp = constants.ngravcomp;
    }
    if options {
        model.validate_options().map_err(inconsistent)?;
    }
    if unseen {
        model.validate().map_err(inconsistent)?;
        for (checked, values) in rows.checked.iter_mut().zip(&rows.expanded) {
            if let Some(checked) = checked {
                super::column::copy(checked.row_mut(row), values.row(row));
            }
        }
    }
    Ok(())
}

fn inconsistent(error: String) -> String {
    format!("the model is not consistent: {error}")
}
