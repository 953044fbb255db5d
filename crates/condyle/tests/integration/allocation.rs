//! Stepping does not touch the heap once buffers have found their size.

use condyle::{Data, reset, step};

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
        reset::reset(&model, &mut data);
        let counted = allocation_counter::measure(|| {
            for _ in 0..STEPS {
                step(&model, &mut data);
            }
        });
        assert_eq!(counted.count_total, 0, "{name} allocated {} times", counted.count_total);
    }
}
