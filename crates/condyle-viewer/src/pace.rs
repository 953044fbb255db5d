//! How simulated time follows real time.
//!
//! While playing, the simulation shall stand at `start + speed · (now - began)`. When it cannot keep up it is not chased: beyond a
//! tenth of a second of delay the start is set anew. The rate is simulated by real time over about half a second.

/// Delay beyond which the simulation is not chased, s of real time.
const MOST_DELAY: f64 = 0.1;
/// Time over which the rate is measured, s.
const WINDOW: f64 = 0.5;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pace {
    start: Option<[f64; 2]>,
    window: Option<[f64; 2]>,
    pub rate: f64,
}

impl Pace {
    /// Forgets where simulated and real time stood: after a pause, a reset or another speed.
    pub(crate) fn restart(&mut self) {
        self.start = None;
        self.window = None;
    }

    /// The simulated time that should be reached now.
    pub(crate) fn target(&mut self, now: f64, time: f64, speed: f64) -> f64 {
        let [began, start] = *self.start.get_or_insert([now, time]);
        let target = start + (now - began) * speed;
        let delay = target - time;
        if delay > MOST_DELAY * speed.max(1e-6) || delay < -MOST_DELAY * speed.max(1e-6) {
            self.start = Some([now, time]);
            return time + 0.25 * MOST_DELAY * speed;
        }
        target
    }

    /// Measures the rate.
    pub(crate) fn measure(&mut self, now: f64, time: f64) {
        let [began, start] = *self.window.get_or_insert([now, time]);
        if now - began >= WINDOW {
            self.rate = (time - start) / (now - began);
            self.window = Some([now, time]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simulated_time_follows_real_time_at_its_speed() {
        let mut pace = Pace::default();
        assert_eq!(pace.target(10.0, 1.0, 0.5), 1.0);
        assert_eq!(pace.target(10.0625, 1.0, 0.5), 1.03125);
    }

    #[test]
    fn a_simulation_that_is_late_is_not_chased() {
        let mut pace = Pace::default();
        pace.target(0.0, 0.0, 1.0);
        assert!(pace.target(5.0, 0.01, 1.0) < 0.1);
    }
}
