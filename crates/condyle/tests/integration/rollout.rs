//! Batches: the bits of a trajectory depend on what is given for it, and on nothing else.

use condyle::rollout::{Output, Rollout, RolloutError, Trajectories};
use condyle::state::component;
use condyle::{Data, LoadOptions, Model, load_str, state, step};

use crate::models;

const TRAJECTORIES: usize = 9;
const STEPS: usize = 25;

/// Initial states and controls of a batch.
struct Inputs {
    states: Vec<f64>,
    controls: Vec<f64>,
}

fn inputs(model: &Model) -> Inputs {
    let wave = |index: usize| 0.4 * (index as f64 * 1.7).sin();
    let size = state::size(model, component::FULL_PHYSICS);
    let mut first = vec![0.0; size];
    state::get(&Data::new(model), &mut first, component::FULL_PHYSICS);
    let mut states = first.repeat(TRAJECTORIES);
    for (index, row) in states.chunks_mut(size).enumerate() {
        for (dof, velocity) in row[1 + model.nq..][..model.nv].iter_mut().enumerate() {
            *velocity = wave(index * model.nv + dof);
        }
    }
    let controls = (0..TRAJECTORIES * STEPS * model.nu).map(wave).collect();
    Inputs { states, controls }
}

impl Inputs {
    fn batch<'a>(&'a self, models: &'a [&'a Model]) -> Trajectories<'a> {
        Trajectories { controls: Some(&self.controls), ..Trajectories::new(models, STEPS, &self.states) }
    }
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// States and readings of a batch on as many threads as there are data.
fn run(batch: &Trajectories<'_>, data: &mut [Data]) -> [Vec<u64>; 2] {
    let rows = batch.trajectories() * batch.steps;
    let (mut states, mut sensordata) =
        (vec![0.0; rows * batch.state_size()], vec![0.0; rows * batch.models[0].nsensordata]);
    let output = Output { states: Some(&mut states), sensordata: Some(&mut sensordata) };
    let outcome = Rollout::new(data.len()).and_then(|threads| threads.run(batch, data, output));
    assert_eq!(outcome, Ok(()));
    [bits(&states), bits(&sensordata)]
}

#[test]
fn any_number_of_threads_and_any_chunks_give_the_bits_of_single_steps() {
    for (name, model) in models::bench() {
        let inputs = inputs(&model);
        let size = state::size(&model, component::FULL_PHYSICS);
        let (mut states, mut sensordata) = (Vec::new(), Vec::new());
        for index in 0..TRAJECTORIES {
            let mut data = Data::new(&model);
            state::set(&mut data, &inputs.states[index * size..][..size], component::FULL_PHYSICS);
            for row in 0..STEPS {
                let controls = &inputs.controls[(index * STEPS + row) * model.nu..][..model.nu];
                data.inputs.ctrl.copy_from_slice(controls);
                step(&model, &mut data);
                let mut after = vec![0.0; size];
                state::get(&data, &mut after, component::FULL_PHYSICS);
                states.extend(bits(&after));
                sensordata.extend(bits(&data.sensors.sensordata));
            }
        }
        let expected = [states, sensordata];
        for threads in 1..=8 {
            let chunks = if threads == 3 { &[None, Some(1), Some(4)][..] } else { &[None] };
            for &chunk_size in chunks {
                let carry = threads == 1;
                let models = [&model];
                let batch = Trajectories { chunk_size, carry, ..inputs.batch(&models) };
                let result = run(&batch, &mut vec![Data::new(&model); threads]);
                assert!(result == expected, "{name} on {threads} threads in chunks of {chunk_size:?}");
            }
        }
    }
}

/// Balls at rest that fall asleep, or not yet, in the steps of a batch.
fn sleepers() -> Model {
    let text = r#"<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="0 0 1"/>
        <body pos="0 0 .1"><freejoint/><geom size=".1"/></body>
        <body pos="1 0 .1"><freejoint/><geom size=".1"/></body>
    </worldbody></mujoco>"#;
    load_str(text, &LoadOptions::default())
        .map(|loaded| loaded.model)
        .unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn no_trajectory_shows_what_another_left() {
    let steps = 6;
    let mut all = models::all();
    all.push(("sleepers".into(), sleepers()));
    for (name, model) in all {
        let mut inputs = inputs(&model);
        let size = state::size(&model, component::FULL_PHYSICS);
        inputs.states.truncate(5 * size);
        // The third is reset in its first step; the fourth starts at rest.
        inputs.states[2 * size + 1..][..model.nq].fill(f64::NAN);
        inputs.states[3 * size + 1 + model.nq..][..model.nv].fill(0.0);
        let models = [&model];
        let everything = Trajectories { controls: None, steps, ..inputs.batch(&models) };
        let mut first = Data::new(&model);
        first.inputs.ctrl.fill(0.3);
        step(&model, &mut first);
        let alone: Vec<_> = (inputs.states.chunks(size))
            .map(|initial_states| run(&Trajectories { initial_states, ..everything }, &mut [first.clone()]))
            .collect();
        let expected =
            [0, 1].map(|output| alone.iter().flat_map(|one| one[output].clone()).collect::<Vec<_>>());
        for threads in [1, 3] {
            let mut data = vec![Data::new(&model); threads];
            data[0] = first.clone();
            assert!(run(&everything, &mut data) == expected, "{name} on {threads} threads");
        }
    }
}

#[test]
fn a_warning_ends_the_trajectory_and_its_last_row_is_repeated() {
    let model = sleepers();
    let mut inputs = inputs(&model);
    let size = state::size(&model, component::FULL_PHYSICS);
    inputs.states[size + 3] = f64::INFINITY;
    let [states, _] = run(&inputs.batch(&[&model]), &mut [Data::new(&model)]);
    let rows: Vec<_> = states.chunks(size).skip(STEPS).take(STEPS).collect();
    // The reset comes first, then the step.
    assert_eq!(rows[0][0], model.opt.timestep.to_bits());
    assert!(rows.iter().all(|row| *row == rows[0]));
    assert_ne!(states[..size], states[size..2 * size]);
}

#[test]
fn steps_of_a_batch_allocate_nothing() {
    for (name, model) in models::bench() {
        let inputs = inputs(&model);
        let models = [&model];
        let mut data = [Data::new(&model)];
        let threads = Rollout::new(1).unwrap_or_else(|error| panic!("{error}"));
        let mut count = |steps: usize| {
            let batch = Trajectories { steps, controls: None, ..inputs.batch(&models) };
            let mut states = vec![0.0; TRAJECTORIES * steps * batch.state_size()];
            let output = Output { states: Some(&mut states), sensordata: None };
            allocation_counter::measure(|| assert_eq!(threads.run(&batch, &mut data, output), Ok(())))
                .count_total
        };
        count(40);
        assert_eq!(count(40), count(1), "{name}");
    }
}

#[test]
fn what_does_not_fit_is_refused_and_nothing_is_written() {
    let model = sleepers();
    let other = models::bench().remove(0).1;
    let inputs = inputs(&model);
    let models = [&model];
    let batch = inputs.batch(&models);
    let refused = |batch: &Trajectories<'_>, data: &mut [Data], states: &mut [f64]| {
        let output = Output { states: Some(states), sensordata: None };
        Rollout::new(2).and_then(|threads| threads.run(batch, data, output)).err()
    };
    let size = batch.state_size();
    let mut states = vec![7.0; TRAJECTORIES * STEPS * size];
    let two = || vec![Data::new(&model); 2];
    let length = |array, expected, found| Some(RolloutError::Length { array, expected, found });
    let cases = [
        (Trajectories { models: &[], ..batch }, two(), Some(RolloutError::NoModel)),
        (batch, Vec::new(), Some(RolloutError::NoData)),
        (batch, vec![Data::new(&model)], Some(RolloutError::DataCount { data: 1, threads: 2 })),
        (batch, vec![Data::new(&model), Data::new(&other)], Some(RolloutError::DataSizes(1))),
        (
            Trajectories { models: &[&model, &model], ..batch },
            two(),
            Some(RolloutError::ModelCount { models: 2, trajectories: TRAJECTORIES }),
        ),
        (
            Trajectories {
                models: &[&model, &model, &model, &model, &other, &model, &model, &model, &model],
                ..batch
            },
            two(),
            Some(RolloutError::ModelSizes(4)),
        ),
        (Trajectories { control_signature: 1 << 14, ..batch }, two(), Some(RolloutError::Signature(1 << 14))),
        (Trajectories { chunk_size: Some(0), ..batch }, two(), Some(RolloutError::ChunkSize)),
        (Trajectories { carry: true, ..batch }, two(), Some(RolloutError::CarryAcrossThreads)),
        (
            Trajectories { initial_states: &inputs.states[1..], ..batch },
            two(),
            length("initial_states", (TRAJECTORIES - 1) * size, TRAJECTORIES * size - 1),
        ),
        (
            Trajectories { initial_warmstarts: Some(&[0.0]), ..batch },
            two(),
            length("initial_warmstarts", TRAJECTORIES * model.nv, 1),
        ),
        (Trajectories { controls: Some(&[0.0]), ..batch }, two(), length("controls", 0, 1)),
        (
            Trajectories { steps: usize::MAX, controls: None, ..batch },
            two(),
            length("states", usize::MAX, states.len()),
        ),
    ];
    for (batch, mut data, expected) in cases {
        assert_eq!(refused(&batch, &mut data, &mut states), expected);
        assert!(expected.is_some_and(|error| !error.to_string().is_empty()));
    }
    assert!(states.iter().all(|value| *value == 7.0));
}
