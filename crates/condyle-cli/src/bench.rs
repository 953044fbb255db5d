//! `condyle bench`: steps per second from one state, the best of several rounds.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use condyle::{Timer, Timers, system_clock};

use crate::urdf::UrdfArguments;
use crate::{Outcome, load_with, say, sayln};

#[derive(Args)]
pub(crate) struct BenchArguments {
    /// Model file, or '-' for standard input; the built-in figure if omitted.
    model: Option<PathBuf>,
    /// Steps per round.
    #[arg(long, default_value_t = 1000)]
    steps: u32,
    /// Number of rounds; the best one counts.
    #[arg(long, default_value_t = 5)]
    rounds: u32,
    /// Number of threads for solving islands of coupled bodies.
    #[arg(long, default_value_t = 1, value_name = "N")]
    threads: usize,
    /// Show where the time of a step is spent.
    #[arg(long)]
    profile: bool,
    #[command(flatten)]
    urdf: UrdfArguments,
}

/// Run rounds of steps, each from the same state, and print the rates; with `profile` run them once more with a clock at every stage
/// and print where the time went.
pub(crate) fn bench(arguments: &BenchArguments) -> Outcome {
    let BenchArguments { model, steps, rounds, threads, profile, urdf } = arguments;
    let (steps, rounds) = (*steps, *rounds);
    let mut sim = load_with(model.as_ref(), &urdf.load_options())?;
    sim.set_threads(*threads);
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
        sayln!("round {round}: {rate:.0} steps/s");
    }
    sayln!("best: {best:.0} steps/s, {:.1}x real time", best * sim.model.opt.timestep);
    if *profile {
        sim.data.copy_from(&start);
        sim.data.timers.reset();
        sim.data.timers.set_clock(Some(system_clock));
        for _ in 0..steps {
            sim.step();
        }
        say!("{}", profile_table(&sim.data.timers));
    }
    Ok(0)
}

/// Time per step and share of every stage that ran, under the stage that contains it.
fn profile_table(timers: &Timers) -> String {
    let stats = timers.stats();
    let total = stats[Timer::Step as usize];
    let steps = f64::from(total.number.max(1));
    let mut table = format!("{:<28} {:>12} {:>7}\n", "stage", "us per step", "share");
    let mut pending = vec![(Timer::Step, 0)];
    while let Some((timer, depth)) = pending.pop() {
        let stat = stats[timer as usize];
        let (time, share) = (1e6 * stat.duration / steps, 100.0 * stat.duration / total.duration.max(1e-12));
        let name = format!("{:width$}{}", "", Timer::ALL[timer as usize].1, width = 2 * depth);
        table.push_str(&format!("{name:<28} {time:>12.2} {share:>6.1}%\n"));
        let within = Timer::ALL.iter().rev().filter(|(_, _, outer)| *outer == Some(timer));
        pending.extend(
            within
                .filter(|(inner, ..)| stats[*inner as usize].number > 0)
                .map(|(inner, ..)| (*inner, depth + 1)),
        );
    }
    table
}

#[cfg(test)]
mod tests {
    use condyle::Sim;

    use super::*;

    #[test]
    fn the_profile_lists_stages_under_the_one_that_contains_them() {
        let model = condyle::load_str(crate::FIGURE, &condyle::LoadOptions::default()).unwrap().model;
        let mut sim = Sim::new(model);
        sim.data.timers.set_clock(Some(system_clock));
        sim.step();
        let table = profile_table(&sim.data.timers);
        assert!(table.lines().count() > 10, "{table}");
        let at = |text: &str| table.lines().position(|line| line.starts_with(text));
        assert!(at("step") < at("  forward") && at("  forward") < at("    position"), "{table}");
        assert!(
            at("    position") < at("      collision") && at("      collision") < at("    velocity"),
            "{table}"
        );
        assert_eq!(at("  inverse"), None);
    }
}
