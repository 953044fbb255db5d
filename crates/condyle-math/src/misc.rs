//! Scalar functions and small conversions: smooth step, low-discrepancy sequence, damped spring, friction pyramids, flex
//! interpolation weights.

use crate::{MIN_VALUE, Mat3, Vec3, scalar};

/// Smooth step from 0 at `x <= 0` to 1 at `x >= 1`: `6x⁵ - 15x⁴ + 10x³`.
pub fn sigmoid(x: f64) -> f64 {
    if x <= 0.0 {
        0.0
    } else if x >= 1.0 {
        1.0
    } else {
        x * x * x * (3.0 * x * (2.0 * x - 5.0) + 10.0)
    }
}

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

/// Nearest integer, halves upwards.
pub fn round(x: f64) -> i32 {
    let (low, high) = (x.floor(), x.ceil());
    if x - low < high - x { low as i32 } else { high as i32 }
}

/// Position after time `t` of a unit mass on a spring with stiffness `k` and damping `b`, in closed form.
pub fn spring_damper(position: f64, velocity: f64, k: f64, b: f64, t: f64) -> f64 {
    let determinant = b * b - 4.0 * k;
    if determinant > MIN_VALUE {
        let w = determinant.sqrt() / 2.0;
        let r1 = -b / 2.0 + w;
        let r2 = -b / 2.0 - w;
        let c1 = (position * r2 - velocity) / (r2 - r1);
        let c2 = (position * r1 - velocity) / (r1 - r2);
        c1 * (r1 * t).exp() + c2 * (r2 * t).exp()
    } else if determinant <= MIN_VALUE && determinant >= -MIN_VALUE {
        let c2 = velocity + b * position / 2.0;
        (-b * t / 2.0).exp() * (position + c2 * t)
    } else {
        let w = determinant.abs().sqrt() / 2.0;
        let c2 = (velocity + b * position / 2.0) / w;
        (-b * t / 2.0).exp() * (position * (w * t).cos() + c2 * (w * t).sin())
    }
}

/// Contact force as multiples of the pyramid edges `N ± μᵢ Tᵢ`; `pyramid` has two elements per friction direction.
pub fn encode_pyramid(pyramid: &mut [f64], force: &[f64], friction: &[f64]) {
    let directions = pyramid.len() / 2;
    let a = force[0] / directions as f64;
    for (i, pair) in pyramid.chunks_exact_mut(2).enumerate() {
        let b = scalar::min_first(a, force[i + 1] / friction[i]);
        pair[0] = 0.5 * (a + b);
        pair[1] = 0.5 * (a - b);
    }
}

/// Contact force from multiples of the pyramid edges; `force` has one element for a frictionless contact.
pub fn decode_pyramid(force: &mut [f64], pyramid: &[f64], friction: &[f64]) {
    let Some((normal, tangents)) = force.split_first_mut() else { return };
    if tangents.is_empty() {
        *normal = pyramid[0];
        return;
    }
    *normal = crate::dense::sum(&pyramid[..2 * tangents.len()]);
    for (i, tangent) in tangents.iter_mut().enumerate() {
        *tangent = (pyramid[2 * i] - pyramid[2 * i + 1]) * friction[i];
    }
}

/// Degree of the polynomials that interpolate a flex between its nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Linear,
    Quadratic,
}

impl Order {
    /// Nodes along each edge.
    pub fn nodes(self) -> usize {
        match self {
            Order::Linear => 2,
            Order::Quadratic => 3,
        }
    }

    /// Weight of node `i` of an edge at the coordinate `s`.
    #[inline]
    fn weight(self, s: f64, i: usize) -> f64 {
        match (self, i) {
            (Order::Linear, 0) => 1.0 - s,
            (Order::Linear, _) => s,
            (Order::Quadratic, 0) => 2.0 * s * s - 3.0 * s + 1.0,
            (Order::Quadratic, 1) => 4.0 * (s - s * s),
            (Order::Quadratic, _) => 2.0 * s * s - s,
        }
    }

    /// Derivative of [`Order::weight`] by `s`.
    #[inline]
    fn slope(self, s: f64, i: usize) -> f64 {
        match (self, i) {
            (Order::Linear, 0) => -1.0,
            (Order::Linear, _) => 1.0,
            (Order::Quadratic, 0) => 4.0 * s - 3.0,
            (Order::Quadratic, 1) => 4.0 * (1.0 - 2.0 * s),
            (Order::Quadratic, _) => 4.0 * s - 1.0,
        }
    }

    /// Weight of `node` at `x`; nodes count with the last coordinate fastest.
    pub fn basis(self, x: Vec3, node: usize) -> f64 {
        let n = self.nodes();
        self.weight(x[2], node % n) * self.weight(x[1], (node / n) % n) * self.weight(x[0], node / (n * n))
    }

    /// `start` plus the interpolated value at `x`; `values` has one row of three per node.
    pub fn interpolate(self, start: Vec3, x: Vec3, values: &[[f64; 3]]) -> Vec3 {
        let mut result = start;
        for (node, value) in values.iter().enumerate() {
            let weight = self.basis(x, node);
            for i in 0..3 {
                result[i] += value[i] * weight;
            }
        }
        result
    }

    /// Gradient by `x` of the interpolated value: row `i` is the gradient of component `i`.
    pub fn gradient(self, x: Vec3, values: &[[f64; 3]]) -> Mat3 {
        let n = self.nodes();
        let mut result = [0.0; 9];
        for (node, value) in values.iter().enumerate() {
            let (i, j, k) = (node / (n * n), (node / n) % n, node % n);
            let slope = [
                self.slope(x[0], i) * self.weight(x[1], j) * self.weight(x[2], k),
                self.weight(x[0], i) * self.slope(x[1], j) * self.weight(x[2], k),
                self.weight(x[0], i) * self.weight(x[1], j) * self.slope(x[2], k),
            ];
            for row in 0..3 {
                for column in 0..3 {
                    result[3 * row + column] += value[row] * slope[column];
                }
            }
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sigmoid_is_flat_outside_the_unit_interval() {
        assert_eq!([sigmoid(-1.0), sigmoid(0.5), sigmoid(2.0)], [0.0, 0.5, 1.0]);
    }

    #[test]
    fn halton_in_base_two_halves_the_interval() {
        assert_eq!([0, 1, 2, 3, 4].map(|i| halton(i, 2)), [0.0, 0.5, 0.25, 0.75, 0.125]);
        assert_eq!(halton(5, 1), 0.0);
    }

    #[test]
    fn rounding_takes_halves_upwards() {
        assert_eq!([-1.5, -0.4, 0.5, 2.5].map(round), [-1, 0, 1, 3]);
    }

    #[test]
    fn damped_spring_solves_its_equation_in_every_regime() {
        for (k, b) in [(1.0, 5.0), (1.0, 2.0), (9.0, 0.5)] {
            let at = |t: f64| spring_damper(0.7, -0.3, k, b, t);
            let h = 1e-4;
            let (before, now, after) = (at(0.5 - h), at(0.5), at(0.5 + h));
            let acceleration = (after - 2.0 * now + before) / (h * h);
            let velocity = (after - before) / (2.0 * h);
            assert!((acceleration + b * velocity + k * now).abs() < 1e-5);
            assert!((at(0.0) - 0.7).abs() < 1e-15);
        }
    }

    #[test]
    fn pyramid_round_trip_keeps_the_force() {
        let (force, friction) = ([3.0, 0.3, -0.2], [0.5, 0.4]);
        let (mut pyramid, mut back) = ([0.0; 4], [0.0; 3]);
        encode_pyramid(&mut pyramid, &force, &friction);
        decode_pyramid(&mut back, &pyramid, &friction);
        for i in 0..3 {
            assert!((back[i] - force[i]).abs() < 1e-15);
        }
        decode_pyramid(&mut back[..1], &[7.0], &[]);
        assert_eq!(back[0], 7.0);
    }

    #[test]
    fn interpolation_reproduces_linear_fields() {
        for order in [Order::Linear, Order::Quadratic] {
            let n = order.nodes();
            let nodes: Vec<[f64; 3]> = (0..n * n * n)
                .map(|i| [i / (n * n), (i / n) % n, i % n].map(|k| k as f64 / (n - 1) as f64))
                .collect();
            let x = [0.2, 0.7, 0.9];
            let value = order.interpolate([0.0; 3], x, &nodes);
            let gradient = order.gradient(x, &nodes);
            for i in 0..3 {
                assert!((value[i] - x[i]).abs() < 1e-14);
                for j in 0..3 {
                    assert!((gradient[3 * i + j] - f64::from(u8::from(i == j))).abs() < 1e-14);
                }
            }
        }
    }
}
