//! A corner between two straight lines, rounded by a quintic Bézier curve.
//!
//! The control points lie on the tangents of both ends, the second and third together, the fourth and fifth together, so that the
//! curvature is zero at the ends and corners that share an end and its slope make a curve with continuous curvature
//! (Millard et al. 2013, doi:10.1115/1.4023390).

/// A rounded corner.
pub(super) struct Corner {
    x: [f64; 6],
    y: [f64; 6],
}

/// Newton's iterations and halvings until the place on the curve is found.
const ITERATIONS: usize = 40;

impl Corner {
    /// Between two ends, each as abscissa, ordinate and slope; `bend` between 0 and 1 says how near the curve comes to the corner.
    pub(super) fn new([x0, y0, slope0]: [f64; 3], [x1, y1, slope1]: [f64; 3], bend: f64) -> Self {
        // Where the tangents meet, or the middle where they are the same line.
        let apart = slope0 - slope1;
        let middle = 0.5 * (x0 + x1);
        let meet = if apart == 0.0 { middle } else { (y1 - y0 - x1 * slope1 + x0 * slope0) / apart };
        let meet = if meet > x0 && meet < x1 { meet } else { middle };
        let (first, second) = (x0 + bend * (meet - x0), x1 + bend * (meet - x1));
        let (first_y, second_y) = (y0 + slope0 * (first - x0), y1 + slope1 * (second - x1));
        Self { x: [x0, first, first, second, second, x1], y: [y0, first_y, first_y, second_y, second_y, y1] }
    }

    /// Ordinate and slope at an abscissa between the ends.
    pub(super) fn at(&self, x: f64) -> [f64; 2] {
        let span = self.x[5] - self.x[0];
        let (mut low, mut high) = (0.0, 1.0);
        let mut u = (x - self.x[0]) / span;
        for _ in 0..ITERATIONS {
            let [value, rate] = evaluate(&self.x, u);
            let error = value - x;
            if error.abs() <= 1e-15 * span {
                break;
            }
            if error > 0.0 {
                high = u;
            } else {
                low = u;
            }
            let next = u - error / rate;
            u = if next > low && next < high { next } else { 0.5 * (low + high) };
        }
        let ([_, rate_x], [value, rate_y]) = (evaluate(&self.x, u), evaluate(&self.y, u));
        [value, rate_y / rate_x]
    }
}

/// A quintic Bézier polynomial and its derivative.
fn evaluate(points: &[f64; 6], u: f64) -> [f64; 2] {
    let w = 1.0 - u;
    let (u2, w2) = (u * u, w * w);
    let (u4, w4) = (u2 * u2, w2 * w2);
    let [p0, p1, p2, p3, p4, p5] = *points;
    let value = w4 * w * p0
        + 5.0 * w4 * u * p1
        + 10.0 * w2 * w * u2 * p2
        + 10.0 * w2 * u2 * u * p3
        + 5.0 * w * u4 * p4
        + u4 * u * p5;
    let rate = 5.0
        * (w4 * (p1 - p0)
            + 4.0 * w2 * w * u * (p2 - p1)
            + 6.0 * w2 * u2 * (p3 - p2)
            + 4.0 * w * u2 * u * (p4 - p3)
            + u4 * (p5 - p4));
    [value, rate]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corner_starts_and_ends_as_told() {
        let corner = Corner::new([0.0, 1.0, 0.5], [2.0, 4.0, 3.0], 0.7);
        for (x, y, slope) in [(0.0, 1.0, 0.5), (2.0, 4.0, 3.0)] {
            let [value, found] = corner.at(x);
            assert!((value - y).abs() < 1e-12 && (found - slope).abs() < 1e-9, "{x}: {value} {found}");
        }
        let mut before = 0.0;
        for step in 0..=100 {
            let [_, slope] = corner.at(0.02 * f64::from(step));
            assert!(slope >= before - 1e-9, "the slope grows");
            before = slope;
        }
    }

    #[test]
    fn a_corner_has_the_value_of_its_polynomial_in_the_middle() {
        // Tangents that meet in the middle: at u = ½ the abscissa is 1 and the ordinate (15·1 + 2)/32.
        let corner = Corner::new([0.0, 0.0, 0.0], [2.0, 2.0, 2.0], 0.5);
        assert!((corner.at(1.0)[0] - 17.0 / 32.0).abs() < 1e-13);
        // At u = ¼ both are sums of Bernstein weights over 1024, and their rates are 95 and 55 over the same.
        let [value, slope] = corner.at(497.0 / 1024.0);
        assert!(
            (value - 107.0 / 1024.0).abs() < 1e-13 && (slope - 55.0 / 95.0).abs() < 1e-13,
            "{value} {slope}"
        );
        // Parallel tangents: a step, symmetric about its middle, with slope 6/(12 − 10·½) there.
        let step = Corner::new([0.0, 0.0, 0.0], [2.0, 1.0, 0.0], 0.5);
        let [value, slope] = step.at(1.0);
        assert!((value - 0.5).abs() < 1e-13 && (slope - 6.0 / 7.0).abs() < 1e-13, "{value} {slope}");
        let [low, high] = [0.7, 1.3].map(|x| step.at(x));
        assert!((low[0] + high[0] - 1.0).abs() < 1e-13 && (low[1] - high[1]).abs() < 1e-13);
    }
}
