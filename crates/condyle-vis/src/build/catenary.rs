//! The curve of a string that hangs between two points.
//!
//! In the plane through both points and the vertical, a string of length `l` over the horizontal extent `h` and the vertical one `v`
//! is `z = b·cosh((x − x₀)/b) + z₀`, where `b` in units of `h` solves `√(l² − v²)/h = 2b·sinh(1/(2b))`. Newton's method works on
//! `1/√(2b·sinh(1/(2b)) − 1)`, which is almost linear in `b`.

use condyle_math::{MIN_VALUE, Vec3, vec3};

const TOLERANCE: f64 = 1e-9;
const MOST_ITERATIONS: usize = 50;
const MOST_HALVINGS: usize = 10;

/// Most points of a curve.
pub(super) const MOST_POINTS: usize = 100;

/// Points along a string from `start` to `end`, written to `room`: a straight line if it is stretched, a bead on a string if it hangs
/// almost vertically, else the curve with `count` points. Reference: `mjv_catenary`.
pub(super) fn points(
    start: Vec3,
    end: Vec3,
    gravity: Vec3,
    length: f64,
    count: usize,
    room: &mut [Vec3; MOST_POINTS],
) -> &[Vec3] {
    room[0] = start;
    if vec3::distance(start, end) > length {
        room[1] = end;
        return &room[..2];
    }
    let up = vec3::normalize(vec3::scale(gravity, -1.0)).0;
    let span = vec3::sub(end, start);
    let level = vec3::sub(span, vec3::scale(up, vec3::dot(up, span)));
    let (mut across, norm) = vec3::normalize(level);
    if norm < MIN_VALUE {
        across = [0.0; 3];
    }
    let h = vec3::dot(span, across);
    let v = vec3::dot(span, up);
    if length > 100.0 * h {
        let down = -0.5 * ((length * length - h * h).sqrt() - v);
        let aside = h * down / (2.0 * down - v);
        room[1] = vec3::add_scaled(vec3::add_scaled(start, up, down), across, aside);
        room[2] = end;
        return &room[..3];
    }
    let count = count.min(MOST_POINTS);
    curve(start, up, across, [h, v, length], &mut room[..count]);
    if let Some(last) = room[..count].last_mut() {
        *last = end;
    }
    &room[..count]
}

/// The points after the first and before the last.
fn curve(start: Vec3, up: Vec3, across: Vec3, [h, v, length]: [f64; 3], room: &mut [Vec3]) {
    let scale = solve(v, h, length) * h;
    let lowest = -0.5 * (((length + v) / (length - v)).ln() * scale - h);
    let drop = -cosh(lowest / scale) * scale;
    let count = room.len();
    for (index, point) in room.iter_mut().enumerate().take(count.saturating_sub(1)).skip(1) {
        let horizontal = index as f64 * h / count as f64;
        let vertical = scale * cosh((horizontal - lowest) / scale) + drop;
        *point = vec3::add_scaled(vec3::add_scaled(start, across, horizontal), up, vertical);
    }
}

fn cosh(x: f64) -> f64 {
    let e = x.exp();
    0.5 * (e + 1.0 / e)
}

fn sinh(x: f64) -> f64 {
    let e = x.exp();
    0.5 * (e - 1.0 / e)
}

/// Flatness `b` of the curve in units of its horizontal extent.
fn solve(v: f64, h: f64, length: f64) -> f64 {
    let target = 1.0 / ((length * length - v * v).sqrt() / h - 1.0).sqrt();
    let mut b = target / 24.0_f64.sqrt();
    for _ in 0..MOST_ITERATIONS {
        let error = residual(b, target);
        if error.abs() < TOLERANCE {
            break;
        }
        let mut step = -error / slope(b);
        for _ in 0..MOST_HALVINGS {
            if residual(b + step, target).abs() < error.abs() {
                break;
            }
            step *= 0.5;
        }
        b += step;
    }
    b
}

fn residual(b: f64, target: f64) -> f64 {
    1.0 / (2.0 * b * sinh(0.5 / b) - 1.0).sqrt() - target
}

fn slope(b: f64) -> f64 {
    let a = 0.5 / b;
    (a * cosh(a) - sinh(a)) * (2.0 * b * sinh(a) - 1.0).powf(-1.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRAVITY: Vec3 = [0.0, 0.0, -9.81];

    #[test]
    fn a_slack_string_has_its_length_and_hangs_below_its_ends() {
        let mut room = [[0.0; 3]; 100];
        let points = points([0.0; 3], [1.0, 0.0, 0.5], GRAVITY, 2.0, 100, &mut room);
        let length: f64 = points.windows(2).map(|ends| vec3::distance(ends[0], ends[1])).sum();
        assert!((length - 2.0).abs() < 0.05, "{length}");
        assert!(points.iter().any(|point| point[2] < -0.3));
    }

    #[test]
    fn a_stretched_string_is_straight_and_an_almost_vertical_one_has_a_bead() {
        let mut room = [[0.0; 3]; 100];
        assert_eq!(points([0.0; 3], [2.0, 0.0, 0.0], GRAVITY, 1.0, 9, &mut room).len(), 2);
        let bead = points([0.0; 3], [0.0, 0.0, 0.5], GRAVITY, 1.0, 2, &mut room);
        assert_eq!(bead.len(), 3);
        assert_eq!(bead[1], [0.0, 0.0, -0.25]);
        assert_eq!(points([0.0; 3], [0.5, 0.0, 0.0], GRAVITY, 1.0, 2, &mut room).len(), 2);
        assert!(points([0.0; 3], [0.5, 0.0, 0.0], GRAVITY, 1.0, 0, &mut room).is_empty());
    }
}
