//! Where the time of a step goes: a counter and a stopwatch per stage.
//!
//! Counting is always on. Time is measured while a clock is set; without one a stage costs an addition. Stages contain each other:
//! a step contains the forward pass, that the position stage, that the inertia.
//!
//! Whole data: the stage that is timed gets it.

use std::sync::OnceLock;
use std::time::Instant;

use crate::Data;

/// What is timed, in the order of the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Timer {
    /// A whole step.
    Step,
    /// Forward dynamics.
    Forward,
    /// Inverse dynamics.
    Inverse,
    /// Everything that depends on positions.
    Position,
    /// Everything that depends on velocities.
    Velocity,
    /// Actuator forces.
    Actuation,
    /// The constraint solver.
    Constraint,
    /// Integration of the state.
    Advance,
    /// Poses, tendons and transmissions.
    Kinematics,
    /// The inertia matrix and its factor.
    Inertia,
    /// Collision detection.
    Collision,
    /// Constraint rows.
    Make,
    /// The dual matrix of the constraints.
    Project,
    /// Search for pairs that may touch.
    BroadPhase,
    /// Contacts of these pairs.
    NarrowPhase,
}

impl Timer {
    /// Every timer with its name, and what contains it.
    pub const ALL: [(Self, &'static str, Option<Self>); 15] = [
        (Self::Step, "step", None),
        (Self::Forward, "forward", Some(Self::Step)),
        (Self::Inverse, "inverse", None),
        (Self::Position, "position", Some(Self::Forward)),
        (Self::Velocity, "velocity", Some(Self::Forward)),
        (Self::Actuation, "actuation", Some(Self::Forward)),
        (Self::Constraint, "constraint solver", Some(Self::Forward)),
        (Self::Advance, "integration", Some(Self::Step)),
        (Self::Kinematics, "kinematics", Some(Self::Position)),
        (Self::Inertia, "inertia", Some(Self::Position)),
        (Self::Collision, "collision", Some(Self::Position)),
        (Self::Make, "constraint rows", Some(Self::Position)),
        (Self::Project, "dual matrix", Some(Self::Position)),
        (Self::BroadPhase, "broad phase", Some(Self::Collision)),
        (Self::NarrowPhase, "narrow phase", Some(Self::Collision)),
    ];
}

/// How often a stage ran, and how long altogether.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TimerStat {
    /// In units of the clock; 0 without one.
    pub duration: f64,
    /// Number of runs.
    pub number: i32,
}

/// The timers of one simulation.
#[derive(Clone, Debug, Default)]
pub struct Timers {
    stats: [TimerStat; Timer::ALL.len()],
    clock: Option<fn() -> f64>,
}

/// Seconds since the first call, by the clock of the system.
pub fn system_clock() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

impl Timers {
    /// Measure by this clock from now on, or not at all.
    pub fn set_clock(&mut self, clock: Option<fn() -> f64>) {
        self.clock = clock;
    }

    /// Counter and stopwatch of every stage, in the order of [`Timer::ALL`].
    pub fn stats(&self) -> &[TimerStat; Timer::ALL.len()] {
        &self.stats
    }

    /// Set all to zero; the clock stays.
    pub fn reset(&mut self) {
        self.stats = Default::default();
    }

    #[inline]
    pub(crate) fn now(&self) -> f64 {
        self.clock.map_or(0.0, |clock| clock())
    }

    /// Add what has passed since `start` and count one run.
    #[inline]
    pub(crate) fn stop(&mut self, timer: Timer, start: f64) {
        self.add(timer, start);
        let number = &mut self.stats[timer as usize].number;
        *number = number.wrapping_add(1);
    }

    /// Add what has passed since `start` to a run that is counted elsewhere.
    #[inline]
    pub(crate) fn add(&mut self, timer: Timer, start: f64) {
        if self.clock.is_some() {
            self.stats[timer as usize].duration += self.now() - start;
        }
    }
}

/// Run a stage, timed.
#[inline]
pub(crate) fn timed<R>(data: &mut Data, timer: Timer, stage: impl FnOnce(&mut Data) -> R) -> R {
    let start = data.timers.now();
    let result = stage(data);
    data.timers.stop(timer, start);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timers_stand_in_the_order_of_their_numbers() {
        for (index, (timer, _, within)) in Timer::ALL.iter().enumerate() {
            assert_eq!(*timer as usize, index);
            assert!(within.is_none_or(|outer| (outer as usize) < index));
        }
    }

    #[test]
    fn runs_are_counted_without_a_clock_and_timed_with_one() {
        let mut timers = Timers::default();
        timers.stop(Timer::Step, timers.now());
        assert_eq!(timers.stats()[0], TimerStat { duration: 0.0, number: 1 });
        timers.set_clock(Some(|| 5.0));
        timers.stop(Timer::Step, 3.0);
        timers.add(Timer::Step, 4.0);
        assert_eq!(timers.stats()[0], TimerStat { duration: 3.0, number: 2 });
        timers.reset();
        assert_eq!((timers.stats()[0], timers.now()), (TimerStat::default(), 5.0));
    }
}
