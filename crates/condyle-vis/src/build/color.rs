//! Colours that say which island or tree something belongs to.

use crate::halton::halton;

/// Colour of an island by its first dof: hue, saturation and value from the Halton sequences of 7, 3 and 5; grey without one. What
/// sleeps is paler and darker.
pub(super) fn island(dof: Option<i32>, awake: bool) -> [f32; 4] {
    let (mut hue, mut saturation, mut value) = (1.0_f32, 0.0_f32, 0.7_f32);
    if let Some(dof) = dof.filter(|dof| *dof >= 0) {
        let index = dof.saturating_add(1);
        hue = halton(index, 7) as f32;
        saturation = (0.5 + 0.5 * halton(index, 3)) as f32;
        value = (0.6 + 0.4 * halton(index, 5)) as f32;
    }
    if !awake {
        value = (f64::from(value) * 0.6) as f32;
        saturation = (f64::from(saturation) * 0.7) as f32;
    }
    let [red, green, blue] = from_hue(hue, saturation, value);
    [red, green, blue, 1.0]
}

/// Red, green and blue of a hue (0 to 1), saturation and value.
fn from_hue(hue: f32, saturation: f32, value: f32) -> [f32; 3] {
    if saturation <= 0.0 {
        return [value; 3];
    }
    let sector = hue * 6.0;
    let whole = sector as i32;
    let part = sector - whole as f32;
    let low = value * (1.0 - saturation);
    let falling = value * (1.0 - (saturation * part));
    let rising = value * (1.0 - (saturation * (1.0 - part)));
    match whole {
        0 => [value, rising, low],
        1 => [falling, value, low],
        2 => [low, value, rising],
        3 => [low, falling, value],
        4 => [rising, low, value],
        _ => [value, low, falling],
    }
}

/// `(1 − share)·from + share·to`, rounded once.
pub(super) fn mix(share: f64, from: f32, to: f32) -> f32 {
    ((1.0 - share) * f64::from(from) + share * f64::from(to)) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_sleeps_without_an_island_is_darker_grey() {
        assert_eq!(island(None, true), [0.7, 0.7, 0.7, 1.0]);
        assert_eq!(island(Some(-1), false), [0.42, 0.42, 0.42, 1.0]);
        assert_ne!(island(Some(0), true), island(Some(1), true));
    }
}
