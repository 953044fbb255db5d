//! What a batch does with its simulations: step, forward, reset, roll out, recompute constants, Jacobians, rays.

use condyle_collide::ray::Ray;
use condyle_engine::data::{NonFinitePolicy, WarningStat};
use condyle_engine::position::read_frames::LeavingOut;
use condyle_engine::query::jacobian;
use condyle_engine::query::ray::{RayFilter, cast};
use condyle_engine::sensor::lazy;
use condyle_engine::state::{self, component};
use condyle_engine::step::stages;
use condyle_engine::{Data, constants, position, reset, step};
use condyle_math::vec3;
use condyle_model::{Model, Stage, ValuesMut, enable};

use super::column::Column;
use super::deal::{Common, Constants, Place, Rows, Selection, Worker, deal, fill_model, model_of};
use super::field::{DERIVED, DataField, INTEGRATION};
use super::{Batch, BatchError, SimulationError};
use crate::Describe;

/// Directions shorter than this have no direction.
const MIN_DIRECTION: f64 = 1e-15;

/// What a rollout writes down after every step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordItem<'a> {
    /// An array of the data that can be bound.
    Field(&'a str),
    /// State components, of [`state::component`](condyle_engine::state::component).
    State(u32),
}

/// An array to write one item of a rollout to: for each simulation of the call and each step one row.
#[derive(Debug)]
pub struct Record<'a> {
    /// What is written down.
    pub item: RecordItem<'a>,
    /// Where to.
    pub values: ValuesMut<'a>,
}

/// Steps with controls, and what is written down.
#[derive(Debug, Default)]
pub struct Rollout<'a> {
    /// How many time steps.
    pub steps: usize,
    /// For each simulation of the call and each step a vector of the components `control_signature`; inputs stay when absent.
    pub controls: Option<&'a [f64]>,
    /// Components the controls set: of the inputs in [`component::USER`].
    pub control_signature: u32,
    /// What is written down after every step.
    pub records: Vec<Record<'a>>,
}

/// What [`Batch::step_with`] does.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct StepOptions {
    /// How many time steps.
    pub steps: usize,
    /// Stages to compute at the new state; `Stage::None` for none.
    pub stage: Stage,
    /// Compute accelerations of bodies and forces between them (`cacc`, `cfrc_int`, `cfrc_ext`) after the last step, sensors or not.
    pub body_forces: bool,
}

impl StepOptions {
    /// So many steps and nothing after them.
    pub fn new(steps: usize) -> Self {
        Self { steps, stage: Stage::None, body_forces: false }
    }
}

condyle_base::setters!(StepOptions { steps: usize, stage: Stage, body_forces: bool });

/// Points whose Jacobians are wanted, one for each simulation of the call.
#[derive(Clone, Copy, Debug)]
pub struct JacobianTarget<'a> {
    /// Bodies the points move with.
    pub bodies: &'a [i32],
    /// Points in the world frame.
    pub points: &'a [[f64; 3]],
}

/// Rays, as many for each simulation of the call.
#[derive(Clone, Copy, Debug)]
pub struct Rays<'a> {
    /// Where the rays start, m.
    pub origins: &'a [[f64; 3]],
    /// Where they go; any length.
    pub directions: &'a [[f64; 3]],
    /// For each ray a body whose geoms it passes through, or −1.
    pub exclude: &'a [i32],
    /// Groups to meet; `None` for all.
    pub groups: Option<[bool; 6]>,
    /// Whether geoms that cannot move are met.
    pub include_static: bool,
    /// Rays of one simulation.
    pub count: usize,
}

/// What a job sees of its simulation.
struct Simulation<'a, 'b> {
    model: &'a Model,
    data: &'a mut Data,
    call: &'a mut [Column<'b>],
    place: Place,
}

/// Whether a call changes the simulations.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keep {
    /// The new state and the bound arrays.
    State,
    /// Nothing: the simulations were only looked at.
    Nothing,
}

impl Batch {
    /// Advance by `steps` time steps. `ids` are the simulations in rising order, all when absent.
    pub fn step(&mut self, ids: Option<&[usize]>, steps: usize) -> Result<(), BatchError> {
        self.step_to(ids, steps, Stage::None)
    }

    /// [`Batch::step`], then compute the stages up to `stage` at the new state, so that bound arrays describe it. Without, they describe
    /// the state before the last step.
    pub fn step_to(&mut self, ids: Option<&[usize]>, steps: usize, stage: Stage) -> Result<(), BatchError> {
        self.step_with(ids, StepOptions::new(steps).stage(stage))
    }

    /// [`Batch::step`] with everything that can be asked of it.
    pub fn step_with(&mut self, ids: Option<&[usize]>, options: StepOptions) -> Result<(), BatchError> {
        let StepOptions { steps, stage, body_forces } = options;
        let skip_sensors = self.skips_sensors(&[]);
        let reads_frames = self.reads_frames(&[]);
        // A single step that everybody looks at would only be made longer.
        let leaves_out = !self.options.persistent && (steps > 1 || !reads_frames);
        self.run(ids, Vec::new(), Keep::State, |simulation| {
            let Simulation { model, data, .. } = simulation;
            // Nobody can see the readings of any step but the last.
            let skip_earlier = skip_sensors
                || (leaves_out
                    && data.diagnostics.non_finite_policy == NonFinitePolicy::AutoReset
                    && step::readings_can_be_left_out(model, data));
            let take_steps = |data: &mut Data| {
                (0..steps).try_for_each(|step| {
                    advance(model, data, if step + 1 < steps { skip_earlier } else { skip_sensors })
                })
            };
            if leaves_out {
                let mut data = LeavingOut::begin(model, data, !skip_sensors);
                let result = take_steps(&mut data);
                if reads_frames {
                    data.complete(model);
                }
                result?;
            } else {
                take_steps(data)?;
            }
            if body_forces {
                lazy::body_forces(model, data);
            }
            forward_to(model, data, stage, skip_sensors);
            Ok(())
        })
    }

    /// Compute everything up to accelerations without advancing.
    pub fn forward(&mut self, ids: Option<&[usize]>) -> Result<(), BatchError> {
        self.forward_to(ids, Stage::Acc)
    }

    /// Compute the stages up to `stage`.
    pub fn forward_to(&mut self, ids: Option<&[usize]>, stage: Stage) -> Result<(), BatchError> {
        let skip_sensors = self.skips_sensors(&[]);
        self.run(ids, Vec::new(), Keep::State, |simulation| {
            forward_to(simulation.model, simulation.data, stage, skip_sensors);
            Ok(())
        })
    }

    /// Back to the reference configuration (key −1) or a keyframe, one key for all simulations of the call or one for each; then the
    /// stages up to `stage`.
    pub fn reset(&mut self, ids: Option<&[usize]>, keys: &[i32], stage: Stage) -> Result<(), BatchError> {
        let count = self.select(ids)?.len();
        if keys.len() != 1 && keys.len() != count {
            return Err(BatchError::Length { array: "keys", expected: count, found: keys.len() });
        }
        let skip_sensors = self.skips_sensors(&[]);
        self.run(ids, Vec::new(), Keep::State, |simulation| {
            let Simulation { model, data, place, .. } = simulation;
            let key = keys[if keys.len() == 1 { 0 } else { place.position }];
            match usize::try_from(key) {
                Ok(key) if key < model.nkey => {
                    reset::reset_to_keyframe(model, data, key);
                }
                Err(_) if key == -1 => reset::reset(model, data),
                _ => return Err(format!("there is no keyframe {key}; the model has {}", model.nkey)),
            }
            forward_to(model, data, stage, skip_sensors);
            Ok(())
        })
    }

    /// Advance with controls, writing down what is asked for after every step.
    ///
    /// A simulation that raises a warning stops; what remains of its records repeats what it left.
    pub fn rollout(&mut self, ids: Option<&[usize]>, rollout: Rollout<'_>) -> Result<(), BatchError> {
        let count = self.select(ids)?.len();
        let Rollout { steps, controls, control_signature, records } = rollout;
        if control_signature & !component::USER != 0 {
            return Err(BatchError::Signature(control_signature));
        }
        let control_width = state::size(&self.model, control_signature);
        check_length("controls", controls.map(<[f64]>::len), count * steps * control_width)?;
        let skip_sensors = self.skips_sensors(&records);
        let leaves_out = !self.options.persistent && !self.reads_frames(&records);
        let mut fields = Vec::new();
        let mut columns = Vec::new();
        for record in records {
            let field = match record.item {
                RecordItem::Field(name) => {
                    let data = &self.workers[0].data;
                    let refused = || BatchError::NotBindable(name.to_owned());
                    Recorded::Field(DataField::find(&self.model, data, name).ok_or_else(refused)?)
                }
                RecordItem::State(signature) => {
                    if !state::is_valid_signature(signature) {
                        return Err(BatchError::Signature(signature));
                    }
                    Recorded::State(signature, state::size(&self.model, signature))
                }
            };
            let found = record.values.len();
            check_length("records", Some(found), count * steps * field.width())?;
            columns.push(Column::new(record.values, steps * field.width()));
            fields.push(field);
        }
        self.run(ids, columns, Keep::State, |simulation| {
            let Simulation { model, data, call, place } = simulation;
            let before = warnings(data);
            let mut ended = false;
            let mut take_step = |data: &mut Data, step: usize| {
                ended = ended || warnings(data) != before;
                if !ended {
                    if let Some(controls) = controls {
                        let row = (place.position * steps + step) * control_width;
                        state::set(data, &controls[row..][..control_width], control_signature);
                    }
                    advance(model, data, skip_sensors)?;
                }
                for (field, column) in fields.iter().zip(call.iter_mut()) {
                    field.read(data, column.row_mut(place.call_row), step);
                }
                Ok(())
            };
            if leaves_out {
                let mut data = LeavingOut::begin(model, data, !skip_sensors);
                (0..steps).try_for_each(|step| take_step(&mut data, step))
            } else {
                (0..steps).try_for_each(|step| take_step(data, step))
            }
        })
    }

    /// Compute the constants that depend on expanded arrays (masses of subtrees, inverse weights, reference lengths …) for each
    /// simulation of the call. They become arrays with values for each simulation.
    pub fn set_const(&mut self, ids: Option<&[usize]>) -> Result<(), BatchError> {
        if self.models.is_some() {
            return Err(BatchError::ModelsSet);
        }
        self.select(ids)?;
        for name in DERIVED {
            self.expanded_index(name, true)?;
        }
        if self.constants.is_empty() {
            let own = Constants { stat: self.model.stat, ngravcomp: self.model.ngravcomp };
            self.constants = vec![own; self.simulations];
        }
        self.dealt(ids, Vec::new(), |common, worker, rows, place| {
            let mut model = worker.model.take().unwrap_or_else(|| Box::new(common.model.clone()));
            fill_model(common, &mut model, rows, place.row)?;
            reset::reset(&model, &mut worker.data);
            constants::set_constants_within(&mut model, &mut worker.data)
                .map_err(|error| error.to_string())?;
            for (index, field) in common.expanded.iter().enumerate() {
                if !field.option
                    && DERIVED.contains(&field.name)
                    && let Some(values) = field.read(&model)
                {
                    super::column::copy(rows.expanded[index].row_mut(place.row), values);
                }
            }
            rows.constants[place.row] = Constants { stat: model.stat, ngravcomp: model.ngravcomp };
            worker.model = Some(model);
            Ok(())
        })
    }

    /// Translational and rotational Jacobians of points on bodies, three rows of `nv` for each simulation of the call.
    pub fn jac(
        &mut self,
        ids: Option<&[usize]>,
        target: JacobianTarget<'_>,
        translation: Option<&mut [f64]>,
        rotation: Option<&mut [f64]>,
    ) -> Result<(), BatchError> {
        let (count, nv, nbody) = (self.select(ids)?.len(), self.model.nv, self.model.nbody);
        check_length("body", Some(target.bodies.len()), count)?;
        check_length("point", Some(target.points.len()), count)?;
        check_length("jacp", translation.as_deref().map(<[f64]>::len), count * 3 * nv)?;
        check_length("jacr", rotation.as_deref().map(<[f64]>::len), count * 3 * nv)?;
        let outside = |body: &&i32| usize::try_from(**body).map_or(true, |body| body >= nbody);
        if let Some(body) = target.bodies.iter().find(outside) {
            return Err(BatchError::OutOfRange { what: "body", index: i64::from(*body), count: nbody });
        }
        let wanted = [translation.is_some(), rotation.is_some()];
        let columns = [translation, rotation].into_iter().flatten();
        let columns = columns.map(|values| Column::new(ValuesMut::F64(values), 3 * nv)).collect();
        self.run(ids, columns, Keep::Nothing, |simulation| {
            let Simulation { model, data, call, place } = simulation;
            poses(model, data);
            position::com::centers_of_mass(model, &data.awake, &mut data.kinematics);
            let (body, point) = (target.bodies[place.position] as usize, target.points[place.position]);
            let mut parts = call.iter_mut().map(|column| column.numbers(place.call_row));
            let translation = if wanted[0] { parts.next() } else { None };
            let rotation = if wanted[1] { parts.next() } else { None };
            jacobian::of_point(model, &data.kinematics, translation, rotation, point, body);
            Ok(())
        })
    }

    /// Distances along rays and the geoms they meet, −1 for none; with `normals` also the outward normals there.
    pub fn ray(
        &mut self,
        ids: Option<&[usize]>,
        rays: Rays<'_>,
        distances: &mut [f64],
        geoms: &mut [i32],
        normals: Option<&mut [f64]>,
    ) -> Result<(), BatchError> {
        let total = self.select(ids)?.len() * rays.count;
        check_length("pnt", Some(rays.origins.len()), total)?;
        check_length("vec", Some(rays.directions.len()), total)?;
        check_length("bodyexclude", Some(rays.exclude.len()), total)?;
        check_length("dist", Some(distances.len()), total)?;
        check_length("geomid", Some(geoms.len()), total)?;
        check_length("normal", normals.as_deref().map(<[f64]>::len), 3 * total)?;
        let mut columns = vec![
            Column::new(ValuesMut::F64(distances), rays.count),
            Column::new(ValuesMut::I32(geoms), rays.count),
        ];
        columns.extend(normals.map(|normals| Column::new(ValuesMut::F64(normals), 3 * rays.count)));
        self.run(ids, columns, Keep::Nothing, |simulation| {
            let Simulation { model, data, call, place } = simulation;
            poses(model, data);
            position::flex::flexes(model, &data.kinematics, &mut data.flexes, &mut data.scratch.smooth);
            for index in 0..rays.count {
                let at = place.position * rays.count + index;
                let ray = Ray { origin: rays.origins[at], direction: rays.directions[at] };
                if !(vec3::norm(ray.direction) >= MIN_DIRECTION) {
                    return Err("the direction of a ray is too short".to_owned());
                }
                let exclude_body = usize::try_from(rays.exclude[at]).ok();
                let (groups, include_static) = (rays.groups, rays.include_static);
                let filter = RayFilter { groups, include_static, exclude_body };
                let found = cast(model, &data.kinematics, &ray, &filter);
                call[0].numbers(place.call_row)[index] = found.map_or(-1.0, |found| found.hit.distance);
                call[1].integers(place.call_row)[index] = found.map_or(-1, |found| found.geom as i32);
                if let Some(normals) = call.get_mut(2) {
                    let normal = found.map_or([0.0; 3], |found| found.hit.normal);
                    normals.numbers(place.call_row)[3 * index..][..3].copy_from_slice(&normal);
                }
            }
            Ok(())
        })
    }

    /// Run `work` on each simulation, with its model and a data that has its state; changes of the data become the simulation's.
    pub fn apply(
        &mut self,
        ids: Option<&[usize]>,
        work: impl Fn(&Model, &mut Data, usize) -> Result<(), String> + Sync,
    ) -> Result<(), BatchError> {
        let selection = self.select(ids)?;
        self.run(ids, Vec::new(), Keep::State, |simulation| {
            work(simulation.model, simulation.data, selection.id(simulation.place.position))
        })
    }

    /// Whether nobody will see a sensor reading, so that they need not be made: neither bound nor recorded nor part of the state.
    fn skips_sensors(&self, records: &[Record<'_>]) -> bool {
        const READ_BY: [&str; 3] = ["sensors", "body_forces", "subtree_motion"];
        let data = &self.workers[0].data;
        let recorded =
            |name| DataField::find(&self.model, data, name).is_some_and(|f| READ_BY.contains(&f.group));
        let read = self.outputs.iter().any(|output| READ_BY.contains(&output.field.group))
            || records.iter().any(|record| matches!(record.item, RecordItem::Field(name) if recorded(name)));
        let remembers =
            |model: &Model| model.nplugin > 0 || model.sensor_history.iter().any(|history| history[0] > 0);
        let models = self.models.as_deref().unwrap_or_default();
        let remembered = remembers(&self.model) || models.iter().any(|model| remembers(model));
        !read && !remembered && !self.options.persistent
    }

    /// Whether somebody looks at poses that a step may leave out.
    fn reads_frames(&self, records: &[Record<'_>]) -> bool {
        let may_be_left_out =
            |name: &str| ["geom_x", "site_x", "cam_x", "light_x"].iter().any(|start| name.starts_with(start));
        self.outputs.iter().any(|output| may_be_left_out(output.field.name))
            || records
                .iter()
                .any(|record| matches!(record.item, RecordItem::Field(name) if may_be_left_out(name)))
    }

    /// Load each simulation of the call, let `job` work on it, and keep what the call changes.
    fn run(
        &mut self,
        ids: Option<&[usize]>,
        call: Vec<Column<'_>>,
        keep: Keep,
        job: impl Fn(Simulation<'_, '_>) -> Result<(), String> + Sync,
    ) -> Result<(), BatchError> {
        let persistent = self.options.persistent;
        self.dealt(ids, call, |common, worker, rows, place| {
            let row = place.row;
            let Worker { data: shared, model: own } = worker;
            let model = model_of(common, own, rows, row)?;
            let data = if persistent { &mut rows.datas[row] } else { &mut *shared };
            load(common, data, row, &mut rows.state, &mut rows.warning, &rows.outputs, persistent);
            job(Simulation { model, data, call: &mut rows.call, place })?;
            if keep == Keep::State {
                state::get(data, rows.state.numbers(row), INTEGRATION);
                for (stat, out) in
                    data.diagnostics.warning.iter().zip(rows.warning.integers(row).chunks_mut(2))
                {
                    out.copy_from_slice(&[stat.lastinfo, stat.number]);
                }
                for (field, column) in common.outputs.iter().zip(&mut rows.outputs) {
                    field.read(data, column.row_mut(row));
                }
            }
            Ok(())
        })
    }

    /// Deal the simulations of a call out and say which failed.
    fn dealt(
        &mut self,
        ids: Option<&[usize]>,
        call: Vec<Column<'_>>,
        work: impl Fn(&Common<'_>, &mut Worker, &mut Rows<'_>, Place) -> Result<(), String> + Sync,
    ) -> Result<(), BatchError> {
        let selection = self.select(ids)?;
        let width = self.width;
        let mut common = Common {
            model: &self.model,
            models: self.models.as_deref(),
            outputs: Vec::new(),
            expanded: Vec::new(),
            policy: self.options.non_finite,
        };
        let mut rows = Rows {
            first: 0,
            state: Column::new(ValuesMut::F64(&mut self.state), width),
            warning: Column::new(ValuesMut::I32(&mut self.warning), super::WARNING_WIDTH),
            status: Column::new(ValuesMut::I32(&mut self.status), 1),
            errors: &mut self.errors,
            outputs: Vec::new(),
            expanded: Vec::new(),
            checked: Vec::new(),
            constants: &mut self.constants,
            datas: &mut self.datas,
            call,
        };
        for output in &mut self.outputs {
            rows.outputs.push(Column::new(output.store.values_mut(), output.field.width()));
            common.outputs.push(&output.field);
        }
        for expanded in &mut self.expanded {
            let width = expanded.field.width();
            rows.expanded.push(Column::new(expanded.store.values_mut(), width));
            let checked = expanded.checked.as_mut();
            rows.checked.push(checked.map(|store| Column::new(store.values_mut(), width)));
            common.expanded.push(&expanded.field);
        }
        deal(self.pool.as_deref(), &mut self.workers, &common, selection, rows, |worker, rows, place| {
            work(&common, worker, rows, place)
        });
        self.outcome(selection)
    }

    /// The simulations that failed, if any.
    fn outcome(&self, selection: Selection<'_>) -> Result<(), BatchError> {
        let called = selection.len();
        let ids = (0..called).map(|position| selection.id(position));
        let ids: Vec<usize> = ids.filter(|id| self.status[*id] != 0).collect();
        match ids.first() {
            None => Ok(()),
            Some(first) => {
                let message = self.errors[*first].clone();
                Err(BatchError::Failed(SimulationError { ids, message, called }))
            }
        }
    }
}

/// What a rollout writes down, with the numbers of one step.
enum Recorded {
    Field(DataField),
    State(u32, usize),
}

impl Recorded {
    fn width(&self) -> usize {
        match self {
            Self::Field(field) => field.width(),
            Self::State(_, size) => *size,
        }
    }

    /// Write the numbers of step `step` into a row of all steps.
    fn read(&self, data: &mut Data, row: ValuesMut<'_>, step: usize) {
        let mut steps = Column::new(row, self.width());
        match self {
            Self::Field(field) => field.read(data, steps.row_mut(step)),
            Self::State(signature, _) => state::get(data, steps.numbers(step), *signature),
        }
    }
}

pub(super) fn check_length(
    array: &'static str,
    found: Option<usize>,
    expected: usize,
) -> Result<(), BatchError> {
    match found {
        Some(found) if found != expected => Err(BatchError::Length { array, expected, found }),
        _ => Ok(()),
    }
}

/// Make a data that of one simulation.
fn load(
    common: &Common<'_>,
    data: &mut Data,
    row: usize,
    state_rows: &mut Column<'_>,
    warning_rows: &mut Column<'_>,
    outputs: &[Column<'_>],
    persistent: bool,
) {
    data.diagnostics.non_finite_policy = common.policy;
    if !persistent {
        data.diagnostics.begin_run();
        for (field, column) in common.outputs.iter().zip(outputs) {
            field.write(data, column.row(row));
        }
    }
    for (stat, numbers) in data.diagnostics.warning.iter_mut().zip(warning_rows.integers(row).chunks(2)) {
        *stat = WarningStat { lastinfo: numbers[0], number: numbers[1] };
    }
    state::set(data, state_rows.numbers(row), INTEGRATION);
}

/// How many warnings there were.
fn warnings(data: &Data) -> i64 {
    data.diagnostics.warning.iter().map(|warning| i64::from(warning.number)).sum()
}

/// One step; an error if an invalid value ends the simulation.
fn advance(model: &Model, data: &mut Data, skip_sensors: bool) -> Result<(), String> {
    if skip_sensors {
        step::step_skip(model, data, Stage::None, true);
    } else {
        step::step(model, data);
    }
    match data.diagnostics.report.non_finite {
        Some(found) if data.diagnostics.non_finite_policy == NonFinitePolicy::Error => {
            Err(found.describe(model))
        }
        _ => Ok(()),
    }
}

/// The stages up to `stage`, with their sensors.
fn forward_to(model: &Model, data: &mut Data, stage: Stage, skip_sensors: bool) {
    if stage >= Stage::Acc {
        return step::forward_skip(model, data, Stage::None, skip_sensors);
    }
    let energy = model.opt.enableflags & enable::ENERGY != 0;
    if stage >= Stage::Pos {
        step::forward_position(model, data);
        if !skip_sensors {
            stages::position_sensors(model, data);
        }
        if !data.sensors.flg_energypos {
            stages::potential_energy(model, data, energy);
        }
    }
    if stage >= Stage::Vel {
        step::forward_velocity(model, data);
        if !skip_sensors {
            stages::velocity_sensors(model, data);
        }
        if energy && !data.sensors.flg_energyvel {
            stages::kinetic_energy(model, data);
        }
    }
}

/// Poses of bodies, geoms and sites.
fn poses(model: &Model, data: &mut Data) {
    let Data { state, inputs, awake, kinematics, .. } = data;
    position::kinematics::bodies(model, state, inputs, awake, kinematics);
    position::kinematics::attached_frames(model, awake, kinematics);
}
