//! The Halton sequence, which spreads colours evenly however many are asked for.

/// Element `index` of the Halton sequence in `base`; 0 for a base below 2.
pub fn halton(index: i32, base: i32) -> f64 {
    if base < 2 {
        return 0.0;
    }
    let mut weight = 1.0 / f64::from(base);
    let (mut rest, mut sum) = (index, 0.0);
    while rest > 0 {
        sum += weight * f64::from(rest % base);
        weight /= f64::from(base);
        rest /= base;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halton_in_base_two_halves_the_interval() {
        assert_eq!([0, 1, 2, 3, 4].map(|i| halton(i, 2)), [0.0, 0.5, 0.25, 0.75, 0.125]);
        assert_eq!(halton(5, 1), 0.0);
    }
}
