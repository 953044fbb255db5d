//! An involute spur gear: a plane profile, extruded along z.
//!
//! Pitch circle of diameter `D` with `N` teeth: diametral pitch `N/D`, addendum `D/N`, tooth height `2.2 D/N`, base circle
//! `D cos ψ` with a pressure angle `ψ` fitted to `N`. A flank is the involute of the base circle: at radius `ρ` its distance is
//! `√(ρ² − R_b²) − R_b θ`.

use condyle_math::scalar::{clip, max_first, min_first};
use condyle_math::{PI, Vec3};

use super::thread::without;

/// The parameters of a gear.
#[derive(Clone, Copy)]
pub(super) struct Gear {
    /// Rotation of the teeth.
    pub alpha: f64,
    pub diameter: f64,
    pub teeth: f64,
    pub thickness: f64,
    /// Diameter of the hole; negative for one that leaves a crown.
    pub inner_diameter: f64,
}

pub(super) fn distance(p: Vec3, gear: &Gear) -> f64 {
    let w = [profile(p, gear), p[2].abs() - gear.thickness / 2.0];
    let outside = w.map(|w| max_first(w, 0.0));
    let length = (outside[0] * outside[0] + outside[1] * outside[1]).sqrt();
    min_first(max_first(w[0], w[1]), 0.0) + length
}

fn profile(p: Vec3, gear: &Gear) -> f64 {
    let (diameter, teeth) = (gear.diameter, gear.teeth);
    let pressure_angle = 3.096e-5 * teeth * teeth - 6.557e-3 * teeth + 0.551;
    let pitch_radius = diameter / 2.0;
    let rho = (p[0] * p[0] + p[1] * p[1]).sqrt();
    let diametral_pitch = teeth / diameter;
    let circular_pitch = PI / diametral_pitch;
    let addendum = 1.0 / diametral_pitch;
    let outer_radius = (diameter + 2.0 * addendum) / 2.0;
    let tooth_height = 2.2 / diametral_pitch;
    let inner_radius = if gear.inner_diameter >= 0.0 {
        gear.inner_diameter / 2.0
    } else {
        outer_radius - tooth_height - 0.14 * diameter
    };

    // Far from the teeth circles are good enough.
    if inner_radius - rho > 0.0 {
        return inner_radius - rho;
    }
    if outer_radius - rho < -0.2 {
        return rho - outer_radius;
    }

    let base_radius = diameter * pressure_angle.cos() / 2.0;
    let angle = p[1].atan2(p[0]) + gear.alpha;
    let stride = circular_pitch / pitch_radius;
    let at_pitch = (base_radius / pitch_radius).acos();
    let involute = at_pitch.tan() - at_pitch;
    let shift = stride / 2.0 - 2.0 * involute;
    // Angle from the nearest flank on either side of a tooth.
    let left = modulo(angle + shift / 2.0, stride) - shift / 2.0;
    let right = modulo(-angle - shift + shift / 2.0, stride) - shift / 2.0;

    let (mut flank_left, mut flank_right) = (-1.0e6, -1.0e6);
    if base_radius < rho {
        let unrolled = (base_radius / rho).acos();
        let tangent = (rho * rho - base_radius * base_radius).sqrt();
        flank_left = tangent - base_radius * (left + unrolled);
        flank_right = tangent - base_radius * (right + unrolled);
    }

    let walls = max_first(left - (stride - shift), right - (stride - shift));
    let cogs = max_first(walls, max_first(flank_left, flank_right));
    let cogs = smooth_intersection(rho - outer_radius, cogs, 0.0035 * diameter);
    let low_base = rho - (outer_radius - tooth_height);
    let cogs = smooth_union(low_base, cogs, base_radius - outer_radius + tooth_height);
    without(cogs, rho - inner_radius)
}

/// Remainder with the sign of the divisor.
fn modulo(x: f64, y: f64) -> f64 {
    x - y * (x / y).floor()
}

/// Union with a fillet of size `k`.
fn smooth_union(a: f64, b: f64, k: f64) -> f64 {
    let h = clip(0.5 + 0.5 * (b - a) / k, 0.0, 1.0);
    b * (1.0 - h) + a * h - k * h * (1.0 - h)
}

/// Intersection with a rounded edge of size `k`.
fn smooth_intersection(a: f64, b: f64, k: f64) -> f64 {
    without(max_first(a, b), smooth_union(without(a, b), without(b, a), k))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn teeth_alternate_around_the_pitch_circle() {
        let gear = Gear { alpha: 0.0, diameter: 2.8, teeth: 25.0, thickness: 0.2, inner_diameter: -1.0 };
        let inside = |step: u32| {
            let angle = f64::from(step) * PI / 5000.0;
            distance([1.4 * angle.cos(), 1.4 * angle.sin(), 0.0], &gear) < 0.0
        };
        let flanks = (0..10_000).filter(|&step| inside(step) != inside(step + 1)).count();
        assert_eq!(flanks, 50);
        assert!(distance([0.0; 3], &gear) > 0.0);
    }
}
