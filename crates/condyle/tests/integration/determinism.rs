//! Equal inputs give equal bits: again, after a restore, and on any number of threads.

use condyle::{Data, Model, state, step};

use crate::models;

const EVERYTHING: u32 = (1 << state::component::COUNT) - 1;

fn state_of(model: &Model, data: &mut Data) -> Vec<u64> {
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
            state::get(&mut data, &mut saved, EVERYTHING);
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
fn simulations_on_eight_threads_have_the_bits_of_one() {
    for (name, model) in models::bench() {
        let expected = run(&model, &mut Data::new(&model), 200);
        std::thread::scope(|scope| {
            let workers: Vec<_> =
                (0..8).map(|_| scope.spawn(|| run(&model, &mut Data::new(&model), 200))).collect();
            for worker in workers {
                assert_eq!(worker.join().ok(), Some(expected.clone()), "{name}");
            }
        });
    }
}

#[test]
fn derivatives_on_many_threads_have_the_bits_of_one() {
    use condyle_engine::derivative::finite_difference::{TransitionRequest, transition};

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
