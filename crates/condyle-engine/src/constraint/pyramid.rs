//! Contact forces as multiples of the edges `N ± μᵢ Tᵢ` of a friction pyramid, and back.

use condyle_math::{dense, scalar};

/// Multiples of the edges; `pyramid` has two elements per friction direction.
pub fn encode(pyramid: &mut [f64], force: &[f64], friction: &[f64]) {
    let directions = pyramid.len() / 2;
    let a = force[0] / directions as f64;
    for (i, pair) in pyramid.chunks_exact_mut(2).enumerate() {
        let b = scalar::min_first(a, force[i + 1] / friction[i]);
        pair[0] = 0.5 * (a + b);
        pair[1] = 0.5 * (a - b);
    }
}

/// The force; it has one element for a frictionless contact.
pub fn decode(force: &mut [f64], pyramid: &[f64], friction: &[f64]) {
    let Some((normal, tangents)) = force.split_first_mut() else { return };
    if tangents.is_empty() {
        *normal = pyramid[0];
        return;
    }
    *normal = dense::sum(&pyramid[..2 * tangents.len()]);
    for (i, tangent) in tangents.iter_mut().enumerate() {
        *tangent = (pyramid[2 * i] - pyramid[2 * i + 1]) * friction[i];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pyramid_round_trip_keeps_the_force() {
        let (force, friction) = ([3.0, 0.3, -0.2], [0.5, 0.4]);
        let (mut pyramid, mut back) = ([0.0; 4], [0.0; 3]);
        encode(&mut pyramid, &force, &friction);
        decode(&mut back, &pyramid, &friction);
        for i in 0..3 {
            assert!((back[i] - force[i]).abs() < 1e-15);
        }
        decode(&mut back[..1], &[7.0], &[]);
        assert_eq!(back[0], 7.0);
    }
}
