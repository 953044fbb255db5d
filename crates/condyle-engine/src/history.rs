//! Ring buffers of past samples, for delayed controls and sensors.
//!
//! A buffer of `n` samples of width `dim` is laid out as `[user slot, cursor, n times, n·dim values]`. The cursor is the position of
//! the newest sample; times increase from the one after it. Times that differ by less than [`MIN_VALUE`] are the same time.
//! Reference: `mju_historyRead`, `mju_historyInsert`.

use condyle_math::MIN_VALUE;

/// How values between two samples are formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// The latest sample before the time.
    Hold,
    /// On the line between the samples before and after the time.
    Linear,
    /// Cubic Hermite with finite-difference slopes, flat at both ends.
    Cubic,
}

impl Interpolation {
    /// From the number the model stores.
    pub const fn from_i32(value: i32) -> Self {
        match value {
            0 => Self::Hold,
            1 => Self::Linear,
            _ => Self::Cubic,
        }
    }
}

/// Sorted samples in a ring.
struct Ring<'a> {
    times: &'a [f64],
    cursor: usize,
}

impl Ring<'_> {
    /// Position of the sample of age rank `rank`, 0 the oldest.
    fn position(&self, rank: usize) -> usize {
        (self.cursor + 1 + rank) % self.times.len()
    }

    fn time(&self, rank: usize) -> f64 {
        self.times[self.position(rank)]
    }

    /// Smallest rank whose time is not before `time`; the number of samples when all are before it.
    fn rank_of(&self, time: f64) -> usize {
        let count = self.times.len();
        if time <= self.time(0) {
            return 0;
        }
        if time > self.time(count - 1) {
            return count;
        }
        let (mut low, mut high) = (0, count - 1);
        while high - low > 1 {
            let middle = (low + high) / 2;
            if self.time(middle) < time {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }
}

/// Cursor as a position; a damaged one counts as the last position.
fn cursor(buffer: &[f64], samples: usize) -> usize {
    (buffer[1] as usize).min(samples - 1)
}

/// Where to write the `dim` values of a sample taken at `time`; drops the oldest sample unless the time is already there.
pub fn insert(buffer: &mut [f64], samples: usize, dim: usize, time: f64) -> &mut [f64] {
    let cursor = cursor(buffer, samples);
    let (head, values) = buffer.split_at_mut(2 + samples);
    let ring = Ring { times: &head[2..], cursor };
    let rank = ring.rank_of(time);
    let position = if rank < samples && (time - ring.time(rank)).abs() < MIN_VALUE {
        ring.position(rank)
    } else if rank == 0 {
        let oldest = ring.position(0);
        head[2 + oldest] = time;
        oldest
    } else if rank == samples {
        let newest = (cursor + 1) % samples;
        head[1] = newest as f64;
        head[2 + newest] = time;
        newest
    } else {
        // Between two samples: the older ones move back by one place and the oldest is lost.
        let positions: (usize, usize) = (cursor + 1, samples);
        let at = |rank: usize| (positions.0 + rank) % positions.1;
        for older in 0..rank - 1 {
            head[2 + at(older)] = head[2 + at(older + 1)];
            values.copy_within(at(older + 1) * dim..(at(older + 1) + 1) * dim, at(older) * dim);
        }
        head[2 + at(rank - 1)] = time;
        at(rank - 1)
    };
    &mut values[position * dim..(position + 1) * dim]
}

/// The value at `time`, written to `result`. Outside the samples the nearest one is held.
pub fn read(
    buffer: &[f64],
    samples: usize,
    dim: usize,
    time: f64,
    interpolation: Interpolation,
    result: &mut [f64],
) {
    let ring = Ring { times: &buffer[2..2 + samples], cursor: cursor(buffer, samples) };
    let values = &buffer[2 + samples..];
    let at = |rank: usize| {
        let start = ring.position(rank) * dim;
        &values[start..start + dim]
    };
    if time <= ring.time(0) + MIN_VALUE {
        return result.copy_from_slice(at(0));
    }
    if time >= ring.time(samples - 1) - MIN_VALUE {
        return result.copy_from_slice(at(samples - 1));
    }
    // Only times that are not numbers have nothing before them here.
    let rank = ring.rank_of(time).min(samples - 1);
    if rank == 0 || (time - ring.time(rank)).abs() < MIN_VALUE {
        return result.copy_from_slice(at(rank));
    }
    let (before, after) = (at(rank - 1), at(rank));
    let span = ring.time(rank) - ring.time(rank - 1);
    let alpha = (time - ring.time(rank - 1)) / span;
    match interpolation {
        Interpolation::Hold => result.copy_from_slice(before),
        Interpolation::Linear => {
            for i in 0..dim {
                result[i] = before[i] + alpha * (after[i] - before[i]);
            }
        }
        Interpolation::Cubic => {
            let square = alpha * alpha;
            let cube = square * alpha;
            let start = 2.0 * cube - 3.0 * square + 1.0;
            let start_slope = cube - 2.0 * square + alpha;
            let end = -2.0 * cube + 3.0 * square;
            let end_slope = cube - square;
            for i in 0..dim {
                let slope_before = if rank > 1 {
                    (after[i] - at(rank - 2)[i]) / (ring.time(rank) - ring.time(rank - 2))
                } else {
                    0.0
                };
                let slope_after = if rank < samples - 1 {
                    (at(rank + 1)[i] - before[i]) / (ring.time(rank + 1) - ring.time(rank - 1))
                } else {
                    0.0
                };
                result[i] = start * before[i]
                    + start_slope * span * slope_before
                    + end * after[i]
                    + end_slope * span * slope_after;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three samples at −3, −2, −1 with values 0.
    fn buffer() -> Vec<f64> {
        vec![0.0, 2.0, -3.0, -2.0, -1.0, 0.0, 0.0, 0.0]
    }

    fn value(buffer: &[f64], time: f64, interpolation: Interpolation) -> f64 {
        let mut result = [f64::NAN];
        read(buffer, 3, 1, time, interpolation, &mut result);
        result[0]
    }

    #[test]
    fn newer_samples_push_out_the_oldest() {
        let mut buffer = buffer();
        for (time, sample) in [(0.0, 1.0), (1.0, 3.0)] {
            insert(&mut buffer, 3, 1, time)[0] = sample;
        }
        assert_eq!(value(&buffer, 0.5, Interpolation::Hold), 1.0);
        assert_eq!(value(&buffer, 0.5, Interpolation::Linear), 2.0);
        assert_eq!(value(&buffer, 5.0, Interpolation::Cubic), 3.0);
        assert_eq!(value(&buffer, -9.0, Interpolation::Hold), 0.0);
    }

    #[test]
    fn a_sample_at_a_known_time_replaces_it() {
        let mut buffer = buffer();
        insert(&mut buffer, 3, 1, -2.0)[0] = 7.0;
        assert_eq!(value(&buffer, -2.0, Interpolation::Linear), 7.0);
        assert_eq!(buffer[1], 2.0);
    }

    #[test]
    fn a_late_sample_keeps_the_order() {
        let mut buffer = buffer();
        insert(&mut buffer, 3, 1, -1.5)[0] = 4.0;
        assert_eq!(value(&buffer, -1.5, Interpolation::Hold), 4.0);
        assert_eq!(value(&buffer, -1.0, Interpolation::Hold), 0.0);
        assert_eq!(value(&buffer, -3.0, Interpolation::Hold), 0.0);
    }

    #[test]
    fn a_time_that_is_not_a_number_reads_some_sample() {
        for samples in 1..4 {
            let mut buffer = vec![0.0; 2 + 2 * samples];
            let mut result = [f64::NAN];
            insert(&mut buffer, samples, 1, f64::NAN)[0] = 5.0;
            read(&buffer, samples, 1, f64::NAN, Interpolation::Hold, &mut result);
            read(&buffer, samples, 1, 1.0, Interpolation::Cubic, &mut result);
            assert!(result[0] == 0.0 || result[0] == 5.0);
        }
    }
}
