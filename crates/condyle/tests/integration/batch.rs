//! Batches: every simulation has the bits it would have alone, whatever the others do and however many threads there are.

use condyle::batch::{BatchError, BatchOptions, INTEGRATION, Record, RecordItem, Rollout};
use condyle::model::{Stage, Values, ValuesMut};
use condyle::{Batch, Data, Model, NonFinitePolicy, forward, state, step};

use crate::models;

const SIMULATIONS: usize = 9;
const STEPS: usize = 12;

fn control(step: usize, simulation: usize, actuator: usize) -> f64 {
    0.4 * (0.1 * step as f64 + simulation as f64 + 0.7 * actuator as f64).sin()
}

fn row(data: &Data, model: &Model) -> Vec<u64> {
    let mut values = vec![0.0; state::size(model, INTEGRATION)];
    state::get(data, &mut values, INTEGRATION);
    values.into_iter().map(f64::to_bits).collect()
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

fn numbers(values: Option<Values<'_>>) -> &[f64] {
    match values {
        Some(Values::F64(values)) => values,
        other => panic!("expected numbers, found {other:?}"),
    }
}

/// States and readings of single simulations after `steps` steps.
fn alone(model: &Model, steps: usize) -> Vec<(Vec<u64>, Vec<u64>)> {
    (0..SIMULATIONS)
        .map(|simulation| {
            let mut data = Data::new(model);
            for step_index in 0..steps {
                for actuator in 0..model.nu {
                    data.inputs.ctrl[actuator] = control(step_index, simulation, actuator);
                }
                step(model, &mut data);
            }
            (row(&data, model), bits(&data.sensors.sensordata))
        })
        .collect()
}

fn stepped(model: &Model, options: BatchOptions, steps: usize, sensors: bool) -> Batch {
    let mut batch = Batch::with_options(model, SIMULATIONS, options).unwrap();
    if sensors {
        batch.bind("sensordata").unwrap();
    }
    for step_index in 0..steps {
        for simulation in 0..SIMULATIONS {
            for (actuator, out) in batch.component_mut(simulation, "ctrl").iter_mut().enumerate() {
                *out = control(step_index, simulation, actuator);
            }
        }
        batch.step(None, 1).unwrap();
    }
    batch
}

/// Models without plugins that keep something outside the state.
fn some_models() -> Vec<(String, Model)> {
    let all = models::all().into_iter();
    let named = [
        "bench/figure",
        "bench/leg",
        "actuator/delay.xml",
        "sensor/",
        "constraint/island",
        "tendon/",
        "flex/",
    ];
    all.filter(|(name, _)| named.iter().any(|part| name.starts_with(part))).collect()
}

#[test]
fn a_batch_has_the_bits_of_single_simulations_on_any_number_of_threads() {
    let mut compared = 0;
    for (name, model) in some_models() {
        let expected = alone(&model, STEPS);
        for threads in [1, 2, 3, 8] {
            for persistent in [false, true] {
                let options = BatchOptions::default().threads(threads).persistent(persistent);
                if !persistent && condyle::batch::needs_persistence(&model) {
                    assert!(matches!(
                        Batch::with_options(&model, 1, options),
                        Err(BatchError::SleepNeedsPersistent)
                    ));
                    continue;
                }
                if persistent && threads == 8 {
                    continue;
                }
                let batch = stepped(&model, options, STEPS, true);
                let width = model.nsensordata;
                for (simulation, (state, readings)) in expected.iter().enumerate() {
                    let found = bits(&batch.state()[simulation * batch.state_size()..][..batch.state_size()]);
                    assert_eq!(&found, state, "{name}, {threads} threads, simulation {simulation}");
                    let found = &numbers(batch.output("sensordata"))[simulation * width..][..width];
                    assert_eq!(&bits(found), readings, "{name}, {threads} threads, readings of {simulation}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 500, "{compared}");
}

#[test]
fn leaving_sensors_out_changes_no_state() {
    for (name, model) in some_models() {
        if condyle::batch::needs_persistence(&model) {
            continue;
        }
        let with = stepped(&model, BatchOptions::default().threads(1), 20, true);
        let without = stepped(&model, BatchOptions::default().threads(1), 20, false);
        assert_eq!(bits(with.state()), bits(without.state()), "{name}");
    }
}

fn figure() -> Model {
    models::bench().into_iter().find(|(name, _)| name.ends_with("figure.xml")).unwrap().1
}

#[test]
fn a_poisoned_simulation_leaves_the_others_alone() {
    let model = figure();
    let options = BatchOptions::default().threads(3).non_finite(NonFinitePolicy::Error);
    let mut clean = Batch::with_options(&model, SIMULATIONS, options).unwrap();
    let mut poisoned = Batch::with_options(&model, SIMULATIONS, options).unwrap();
    poisoned.component_mut(4, "qvel")[3] = f64::NAN;
    clean.step(None, 10).unwrap();
    let Err(BatchError::Failed(error)) = poisoned.step(None, 10) else { panic!("simulation 4 should fail") };
    assert_eq!(error.ids, [4]);
    assert_eq!(error.called, SIMULATIONS);
    assert!(error.message.contains("velocity") || error.message.contains("NaN"), "{}", error.message);
    assert_eq!(poisoned.status(), [0, 0, 0, 0, 1, 0, 0, 0, 0]);
    assert_eq!(poisoned.component(4, "time"), [0.0]);
    for simulation in (0..SIMULATIONS).filter(|simulation| *simulation != 4) {
        for name in ["time", "qpos", "qvel", "qacc_warmstart"] {
            assert_eq!(
                bits(clean.component(simulation, name)),
                bits(poisoned.component(simulation, name)),
                "{name} of simulation {simulation}"
            );
        }
    }
    // Put right, it goes on.
    poisoned.component_mut(4, "qvel")[3] = 0.0;
    poisoned.step(Some(&[4]), 10).unwrap();
    assert_eq!(bits(poisoned.component(4, "qpos")), bits(clean.component(4, "qpos")));
}

#[test]
fn expanded_masses_give_the_bits_of_an_edited_model() {
    let model = figure();
    let mut batch = Batch::new(&model, SIMULATIONS, 2).unwrap();
    let nbody = model.nbody;
    let ValuesMut::F64(masses) = batch.expand("body_mass").unwrap() else { panic!("masses are numbers") };
    for simulation in 0..SIMULATIONS {
        masses[simulation * nbody + 1] *= 1.0 + 0.1 * simulation as f64;
    }
    batch.set_const(None).unwrap();
    batch.step(None, 20).unwrap();
    for simulation in 0..SIMULATIONS {
        let mut edited = model.clone();
        edited.body_mass[1] *= 1.0 + 0.1 * simulation as f64;
        let mut worked_in = Data::new(&edited);
        condyle_engine::constants::set_constants_within(&mut edited, &mut worked_in).unwrap();
        let mut data = Data::new(&edited);
        for _ in 0..20 {
            step(&edited, &mut data);
        }
        assert_eq!(
            bits(batch.component(simulation, "qvel")),
            bits(&data.state.qvel),
            "simulation {simulation}"
        );
        assert_eq!(batch.get_model(simulation).unwrap(), edited);
    }
}

#[test]
fn constants_are_all_among_the_arrays_that_become_per_simulation() {
    for (name, model) in models::all() {
        let mut batch = Batch::with_options(&model, 1, BatchOptions::default().persistent(true)).unwrap();
        if model.nbody > 1 {
            let ValuesMut::F64(masses) = batch.expand("body_mass").unwrap() else {
                panic!("masses are numbers")
            };
            masses.iter_mut().for_each(|mass| *mass *= 1.5);
            let ValuesMut::F64(places) = batch.expand("body_pos").unwrap() else {
                panic!("places are numbers")
            };
            places.iter_mut().for_each(|place| *place *= 1.25);
        }
        batch.set_const(None).unwrap();
        let found = batch.get_model(0).unwrap();
        let mut edited = model.clone();
        if model.nbody > 1 {
            edited.body_mass.iter_mut().for_each(|mass| *mass *= 1.5);
            edited.body_pos.iter_mut().flatten().for_each(|place| *place *= 1.25);
        }
        let mut data = Data::new(&edited);
        condyle_engine::constants::set_constants_within(&mut edited, &mut data).unwrap();
        edited.visit(|info, values| {
            // Assets are the same for all, and some of their numbers are not numbers.
            if info.name.starts_with("mesh_") {
                return;
            }
            assert_eq!(found.array(info.name), Some(values), "{name}: {} is not per-simulation", info.name);
        });
        assert_eq!((found.stat, found.ngravcomp), (edited.stat, edited.ngravcomp), "{name}");
    }
}

#[test]
fn an_index_that_leads_nowhere_fails_its_simulation_only() {
    let model = figure();
    let mut batch = Batch::new(&model, 4, 2).unwrap();
    let ValuesMut::I32(parents) = batch.expand("body_parentid").unwrap() else { panic!("numbers of bodies") };
    parents[2 * model.nbody + 3] = 10_000;
    let Err(BatchError::Failed(error)) = batch.step(None, 1) else { panic!("simulation 2 should fail") };
    assert_eq!(error.ids, [2]);
    assert!(batch.error(2).contains("not consistent"), "{}", batch.error(2));
    assert_eq!(batch.status(), [0, 0, 1, 0]);
}

#[test]
fn a_rollout_writes_down_every_step() {
    let model = figure();
    let steps = 12;
    let mut one_by_one = Batch::new(&model, 3, 1).unwrap();
    let mut expected = vec![0.0; 3 * steps * model.nq];
    for step_index in 0..steps {
        one_by_one.step(None, 1).unwrap();
        for simulation in 0..3 {
            let at = (simulation * steps + step_index) * model.nq;
            expected[at..at + model.nq].copy_from_slice(one_by_one.component(simulation, "qpos"));
        }
    }
    let mut batch = Batch::new(&model, 3, 2).unwrap();
    let mut found = vec![0.0; expected.len()];
    let records = vec![Record { item: RecordItem::Field("qpos"), values: ValuesMut::F64(&mut found) }];
    batch.rollout(None, Rollout { steps, records, ..Rollout::default() }).unwrap();
    assert_eq!(bits(&found), bits(&expected));
    assert_eq!(bits(batch.state()), bits(one_by_one.state()));
}

#[test]
fn bound_arrays_describe_the_stage_that_was_asked_for() {
    let model = figure();
    let mut batch = Batch::new(&model, 2, 1).unwrap();
    batch.bind("xpos").unwrap();
    batch.step_to(None, 5, Stage::Pos).unwrap();
    let mut data = Data::new(&model);
    batch.get_data(1, &mut data).unwrap();
    forward(&model, &mut data);
    let found = &numbers(batch.output("xpos"))[3 * model.nbody..];
    assert_eq!(bits(found), bits(data.kinematics.xpos.as_flattened()));
}

#[test]
fn what_cannot_be_done_is_refused() {
    let model = figure();
    let mut batch = Batch::new(&model, 4, 1).unwrap();
    assert_eq!(batch.step(Some(&[2, 1]), 1), Err(BatchError::Order { before: 2, after: 1 }));
    assert_eq!(batch.step(Some(&[4]), 1), Err(BatchError::NoSimulation { index: 4, simulations: 4 }));
    assert_eq!(batch.bind("efc_force"), Err(BatchError::NotBindable("efc_force".into())));
    assert!(matches!(batch.expand("mesh_vert"), Err(BatchError::NotExpandable(_))));
    assert!(matches!(batch.reset(None, &[99], Stage::Acc), Err(BatchError::Failed(_))));
    assert_eq!(batch.component(0, "time"), [0.0]);
}

/// A batch of several steps leaves out poses that nothing reads; who binds them gets them, and nothing else is other than without.
#[test]
fn poses_that_nobody_reads_leave_no_trace() {
    const POSES: [&str; 8] = [
        "geom_xpos",
        "geom_xmat",
        "site_xpos",
        "site_xmat",
        "cam_xpos",
        "cam_xmat",
        "light_xpos",
        "light_xdir",
    ];
    let mut compared = 0;
    for (name, model) in &models::all() {
        if condyle::batch::needs_persistence(model) {
            continue;
        }
        let mut data = Data::new(model);
        for actuator in 0..model.nu {
            data.inputs.ctrl[actuator] = control(1, 0, actuator);
        }
        (0..STEPS).for_each(|_| step(model, &mut data));
        for bound in [false, true] {
            let mut batch = Batch::new(model, 1, 1).unwrap();
            batch.bind("sensordata").unwrap();
            if bound {
                POSES.iter().for_each(|pose| batch.bind(pose).unwrap());
            }
            for (actuator, out) in batch.component_mut(0, "ctrl").iter_mut().enumerate() {
                *out = control(1, 0, actuator);
            }
            // A call that leaves poses out, and then one of a single step.
            batch.step(None, STEPS - 1).unwrap();
            batch.step(None, 1).unwrap();
            assert_eq!(bits(batch.state()), row(&data, model), "{name}");
            assert_eq!(bits(numbers(batch.output("sensordata"))), bits(&data.sensors.sensordata), "{name}");
            for pose in POSES.iter().filter(|_| bound) {
                let Some(Values::F64(expected)) = data.array(pose) else { panic!("{pose}") };
                assert_eq!(bits(numbers(batch.output(pose))), bits(expected), "{name}: {pose}");
            }
        }
        compared += 1;
    }
    assert!(compared > 100);
}

#[test]
fn more_simulations_than_there_is_memory_for_are_refused() {
    let model = figure();
    for (simulations, options) in [
        (usize::MAX, BatchOptions::default()),
        (1 << 44, BatchOptions::default()),
        (1 << 36, BatchOptions::default().persistent(true)),
    ] {
        let refused = Batch::with_options(&model, simulations, options.threads(1)).err();
        assert!(matches!(refused, Some(BatchError::Memory { .. })), "{refused:?}");
    }
}
