//! Poses and bad numbers that the tests of all pairs share.

use condyle_math::{Mat3, mat3};

use crate::{ContactBuffer, Pose, Size};

/// The signature of every pair function.
pub(super) type Collide = fn(&Size, &Pose, &Size, &Pose, f64, &mut ContactBuffer) -> usize;

/// A pose without rotation.
pub(super) fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose { position: [x, y, z], rotation: mat3::IDENTITY }
}

/// A quarter turn about y: the local z axis becomes the world x axis.
pub(super) fn turned_y_quarter() -> Mat3 {
    [0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0]
}

/// Put every bad number in every place of both sizes, both poses and the margin: each call must return.
pub(super) fn no_panic_on_bad_numbers(collide: Collide) {
    let bad = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, -f64::MAX, 5e-324, 0.0, -1.0];
    let mut numbers = [0.0; 31];
    numbers[..6].copy_from_slice(&[0.5, 0.75, 0.25, 0.375, 1.0, 0.5]);
    numbers[6..15].copy_from_slice(&mat3::IDENTITY);
    numbers[15..24].copy_from_slice(&[0.6, -0.8, 0.0, 0.8, 0.6, 0.0, 0.0, 0.0, 1.0]);
    numbers[24..30].copy_from_slice(&[0.0, 0.0, 0.0, 0.5, 0.25, 0.125]);
    for value in bad {
        for place in 0..numbers.len() {
            let mut n = numbers;
            n[place] = value;
            for stretch in [1, 3, 9] {
                n[place..(place + stretch).min(31)].fill(value);
                let mut out = ContactBuffer::new();
                let found = collide(
                    &[n[0], n[1], n[2]],
                    &Pose { position: [n[24], n[25], n[26]], rotation: n[6..15].try_into().unwrap() },
                    &[n[3], n[4], n[5]],
                    &Pose { position: [n[27], n[28], n[29]], rotation: n[15..24].try_into().unwrap() },
                    n[30],
                    &mut out,
                );
                assert_eq!(found, out.len());
            }
        }
    }
}
