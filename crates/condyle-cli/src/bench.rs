//! `condyle bench`: steps per second from one state, the best of several rounds.

use std::time::Instant;

use condyle::Sim;

/// Run `rounds` rounds of `steps` steps, each from the same state, and print the rates.
pub fn bench(mut sim: Sim, steps: u32, rounds: u32) {
    // Let the model find its contacts first, so that the rounds measure stepping and not falling.
    for _ in 0..100 {
        sim.step();
    }
    let start = sim.data.clone();
    let mut best = 0.0f64;
    for round in 1..=rounds {
        sim.data.copy_from(&start);
        let began = Instant::now();
        for _ in 0..steps {
            sim.step();
        }
        let rate = f64::from(steps) / began.elapsed().as_secs_f64().max(1e-9);
        if rate > best {
            best = rate;
        }
        println!("round {round}: {rate:.0} steps/s");
    }
    println!("best: {best:.0} steps/s, {:.1}x real time", best * sim.model.opt.timestep);
}
