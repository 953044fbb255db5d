//! Stepping does not touch the heap once buffers have found their size.

use condyle::{Data, NonFinitePolicy, reset, step};

use crate::models;

/// Long enough for contacts to appear, move and settle.
const STEPS: usize = 400;

#[test]
fn stepping_allocates_nothing_after_warm_up() {
    for (name, model) in models::all() {
        let mut data = Data::new(&model);
        for _ in 0..STEPS {
            step(&model, &mut data);
        }
        // The same motion again: every buffer has already been as large as it gets.
        reset(&model, &mut data);
        let counted = allocation_counter::measure(|| {
            for _ in 0..STEPS {
                step(&model, &mut data);
            }
        });
        assert_eq!(counted.count_total, 0, "{name} allocated {} times", counted.count_total);
    }
}

#[test]
fn handing_islands_to_threads_allocates_nothing() {
    for (name, model) in models::all().into_iter().filter(|(name, _)| name.contains("island")) {
        let mut data = Data::new(&model);
        data.threads = 3;
        let mut settle = || {
            reset(&model, &mut data);
            for _ in 0..STEPS {
                step(&model, &mut data);
            }
        };
        settle();
        let counted = allocation_counter::measure(settle);
        assert_eq!(counted.count_total, 0, "{name}");
    }
}

#[test]
fn invalid_values_and_their_reports_allocate_nothing() {
    for (name, model) in models::bench() {
        for policy in [NonFinitePolicy::AutoReset, NonFinitePolicy::Hold, NonFinitePolicy::Error] {
            let mut data = Data::new(&model);
            data.diagnostics.non_finite_policy = policy;
            let mut spoil = || {
                reset(&model, &mut data);
                for round in 0..100 {
                    data.inputs.qfrc_applied.fill(if round % 3 == 0 { f64::NAN } else { 0.0 });
                    step(&model, &mut data);
                }
            };
            spoil();
            let counted = allocation_counter::measure(spoil);
            assert_eq!(counted.count_total, 0, "{name}, {policy:?}");
        }
    }
}
