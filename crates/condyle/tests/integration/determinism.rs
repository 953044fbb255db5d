//! Equal inputs give equal bits: again, after a restore, and on any number of threads.

use condyle::{Data, Model, Snapshot, state, step};
use condyle_model::Values;

use crate::models;

const EVERYTHING: u32 = (1 << state::component::COUNT) - 1;

fn state_of(model: &Model, data: &Data) -> Vec<u64> {
    let mut values = vec![0.0; state::size(model, EVERYTHING)];
    state::get(data, &mut values, EVERYTHING);
    values.into_iter().map(f64::to_bits).collect()
}

/// State after `steps` steps with controls that change with time.
fn run(model: &Model, data: &mut Data, steps: usize) -> Vec<u64> {
    for _ in 0..steps {
        let phase = data.state.time;
        for (index, control) in data.inputs.ctrl.iter_mut().enumerate() {
            *control = 0.5 * (3.0 * phase + index as f64).sin();
        }
        step(model, data);
    }
    state_of(model, data)
}

#[test]
fn a_restored_state_continues_with_the_same_bits() {
    for (name, model) in models::bench() {
        for cut in [1, 37, 120, 250] {
            let mut data = Data::new(&model);
            run(&model, &mut data, cut);
            let mut saved = vec![0.0; state::size(&model, EVERYTHING)];
            state::get(&data, &mut saved, EVERYTHING);
            let expected = run(&model, &mut data, 60);

            let mut fresh = Data::new(&model);
            state::set(&mut fresh, &saved, EVERYTHING);
            assert_eq!(run(&model, &mut fresh, 60), expected, "{name}, fresh data, cut at {cut}");

            state::set(&mut data, &saved, EVERYTHING);
            assert_eq!(run(&model, &mut data, 60), expected, "{name}, same data, cut at {cut}");
        }
    }
}

#[test]
fn a_snapshot_of_any_model_continues_with_the_same_bits() {
    for (index, (name, model)) in models::all().into_iter().enumerate() {
        let mut data = Data::new(&model);
        run(&model, &mut data, 10 + 7 * (index % 13));
        let snapshot = Snapshot::take(&model, &data);
        run(&model, &mut data, 20);
        let expected = Snapshot::take(&model, &data);

        let read = Snapshot::from_bytes(snapshot.as_bytes()).unwrap();
        let mut fresh = Data::new(&model);
        for (which, target) in [("same", &mut data), ("fresh", &mut fresh)] {
            assert_eq!(read.restore(&model, target), Ok(()), "{name}, {which} data");
            assert!(Snapshot::take(&model, target) == snapshot, "{name}, {which} data is another simulation");
            run(&model, target, 20);
            assert!(Snapshot::take(&model, target) == expected, "{name}, {which} data went another way");
        }
    }
}

/// State of the `index`-th simulation of a batch after some steps.
fn simulate(model: &Model, index: usize) -> Vec<u64> {
    let mut data = Data::new(model);
    data.state.time = index as f64;
    run(model, &mut data, 60)
}

#[test]
fn a_batch_on_any_number_of_threads_has_the_bits_of_one() {
    const BATCH: usize = 8;
    for (name, model) in models::bench() {
        let expected: Vec<_> = (0..BATCH).map(|index| simulate(&model, index)).collect();
        for threads in 1..=8 {
            let model = &model;
            let batch: Vec<_> = std::thread::scope(|scope| {
                // Simulations are dealt out in turn, so that each number of threads shares them differently.
                let deal = |first| {
                    move || (first..BATCH).step_by(threads).map(|index| simulate(model, index)).collect()
                };
                let workers: Vec<_> = (0..threads).map(|first| scope.spawn(deal(first))).collect();
                workers.into_iter().map(|worker| worker.join().unwrap_or_else(|_| Vec::new())).collect()
            });
            for (index, state) in expected.iter().enumerate() {
                let dealt: &Vec<Vec<u64>> = &batch[index % threads];
                assert_eq!(dealt.get(index / threads), Some(state), "{name}, {index} on {threads} threads");
            }
        }
    }
}

/// Everything a step leaves behind, as bits.
fn traces_of(data: &Data) -> Vec<u64> {
    let mut bits = Vec::new();
    for array in Data::ARRAYS {
        match data.array(array.info.name) {
            Some(Values::F64(values)) => bits.extend(values.iter().map(|value| value.to_bits())),
            Some(Values::I32(values)) => bits.extend(values.iter().map(|value| *value as u64)),
            _ => {}
        }
    }
    bits.extend(data.cone_hessians.iter().flatten().map(|value| value.to_bits()));
    let statistics = data.diagnostics.solver.iter();
    bits.extend(statistics.flat_map(|stat| [stat.improvement.to_bits(), stat.gradient.to_bits()]));
    bits.extend(data.diagnostics.solver_niter.map(|count| count as u64));
    bits
}

/// A call of many steps computes less than as many calls of one, and leaves the same behind: for every integrator, and where a step
/// goes wrong and starts anew.
#[test]
fn many_steps_in_one_call_leave_what_single_steps_leave() {
    for (name, mut model) in models::all() {
        let own = model.opt.integrator;
        for (integrator, goes_wrong) in [(own, false), (1, false), (own, true)] {
            model.opt.integrator = integrator;
            let mut single = Data::new(&model);
            single
                .inputs
                .ctrl
                .iter_mut()
                .enumerate()
                .for_each(|(index, ctrl)| *ctrl = 0.3 * (index as f64).cos());
            let mut together = single.clone();
            for count in [1, 2, 7, 12] {
                for data in [&mut single, &mut together] {
                    if goes_wrong && count == 7 && model.nv > 0 {
                        data.state.qvel[0] = 3e9;
                    }
                }
                (0..count).for_each(|_| step(&model, &mut single));
                condyle_engine::step::run(&model, &mut together, count, &mut || false).unwrap();
                assert!(
                    traces_of(&single) == traces_of(&together),
                    "{name}, integrator {integrator}, {count} steps"
                );
                // As text, because a report may have something that is not a number.
                let reports = [&single, &together].map(|data| format!("{:?}", data.diagnostics.report));
                assert_eq!(reports[0], reports[1], "{name}");
            }
        }
    }
}

#[test]
fn islands_on_any_number_of_threads_have_the_bits_of_one() {
    let named = |(name, _): &(String, Model)| name.contains("island") || name.starts_with("bench");
    for (name, model) in models::all().into_iter().filter(named) {
        for (solver, cone, jacobian) in [(1, 0, 0), (1, 1, 1), (2, 0, 1), (2, 1, 0), (2, 1, 1)] {
            let mut model = model.clone();
            (model.opt.solver, model.opt.cone, model.opt.jacobian) = (solver, cone, jacobian);
            let mut alone = Data::new(&model);
            let mut together = [2, 3, 4, 5, 6, 7, 8].map(|threads| {
                let mut data = Data::new(&model);
                data.threads = threads;
                data
            });
            for round in 0..4 {
                run(&model, &mut alone, 30);
                let expected = traces_of(&alone);
                for data in &mut together {
                    run(&model, data, 30);
                    let threads = data.threads;
                    assert!(traces_of(data) == expected, "{name}, {threads} threads, round {round}");
                    assert_eq!(
                        data.diagnostics.report, alone.diagnostics.report,
                        "{name}, {threads} threads"
                    );
                }
            }
        }
    }
}

#[test]
fn derivatives_on_many_threads_have_the_bits_of_one() {
    use condyle_engine::finite_difference::{TransitionRequest, transition};

    let request = TransitionRequest { a: true, b: true, c: true, d: true };
    for (name, model) in models::bench() {
        let mut data = Data::new(&model);
        run(&model, &mut data, 80);
        let matrices = |threads: usize| {
            let result = transition(&model, &mut data.clone(), 1e-6, false, request, threads);
            let result = result.unwrap_or_else(|error| panic!("{name}: {error:?}"));
            let all = [result.a, result.b, result.c, result.d].concat();
            all.into_iter().map(f64::to_bits).collect::<Vec<_>>()
        };
        let expected = matrices(1);
        for threads in [2, 3, 8] {
            assert_eq!(matrices(threads), expected, "{name} on {threads} threads");
        }
    }
}
