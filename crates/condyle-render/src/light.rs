//! Light at a corner of a surface, the fixed lighting model of graphics pipelines:
//!
//! `emission + Σ attenuation · spot · (ambient + diffuse · max(n·l, 0) + specular · max(n·h, 0)^shininess)`
//!
//! with the half vector h between the directions to the light and to the eye; no highlight where n·l is not positive.

use condyle_model::LightType;
use condyle_vis::Light;

use crate::exact::{power, sin_cos};
use crate::vector::{Affine, Vec3, add, dot, normalize, rotate, scale, sub, transform};

/// A light in eye coordinates.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EyeLight {
    directional: bool,
    /// Unit vector to a directional light.
    toward: Vec3,
    position: Vec3,
    spot: Option<Spot>,
    attenuation: Option<[f32; 3]>,
    ambient: Vec3,
    diffuse: Vec3,
    specular: Vec3,
}

#[derive(Clone, Copy, Debug)]
struct Spot {
    direction: Vec3,
    cosine: f32,
    exponent: f32,
}

/// Colours of a surface under light.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Finish {
    pub rgba: [f32; 4],
    pub emission: f32,
    pub specular: f32,
    /// Exponent of highlights, 0 to 128.
    pub shininess: f32,
}

impl EyeLight {
    pub(crate) fn new(light: &Light, view: &Affine) -> Self {
        let mut out = Self {
            ambient: light.ambient,
            diffuse: light.diffuse,
            specular: light.specular,
            ..Default::default()
        };
        if light.r#type == LightType::Spot as i32 {
            out.position = transform(view, light.pos);
            if light.cutoff != 180.0 {
                let angle = f64::from(light.cutoff) * std::f64::consts::PI / 180.0;
                out.spot = Some(Spot {
                    direction: normalize(rotate(view, light.dir)),
                    cosine: sin_cos(angle).1 as f32,
                    exponent: light.exponent,
                });
            }
            if light.attenuation != [1.0, 0.0, 0.0] {
                out.attenuation = Some(light.attenuation);
            }
        } else {
            out.directional = true;
            // Kinds of light that have no place shine along the view.
            let toward = if light.r#type == LightType::Directional as i32 {
                rotate(view, scale(light.dir, -1.0))
            } else {
                [0.0, 0.0, 1.0]
            };
            out.toward = normalize(toward);
        }
        out
    }

    /// Light that a surface sends to the eye from a few of its points, added to `color`.
    #[inline(always)]
    pub(crate) fn add(
        &self,
        color: &mut [Few; 3],
        finish: &Finish,
        position: &[Few; 3],
        normal: &[Few; 3],
        to_eye: &[Few; 3],
    ) {
        let mut factor = [1.0; FEW];
        let mut lit = [true; FEW];
        let mut toward = self.toward.map(|value| [value; FEW]);
        if !self.directional {
            let mut distance = [0.0; FEW];
            for at in 0..FEW {
                let way = sub(self.position, point(position, at));
                distance[at] = dot(way, way).sqrt();
                let inverse = 1.0 / distance[at];
                for axis in 0..3 {
                    toward[axis][at] = if distance[at] > 0.0 { way[axis] * inverse } else { 0.0 };
                }
            }
            if let Some([constant, linear, quadratic]) = self.attenuation {
                for at in 0..FEW {
                    let distance = distance[at];
                    factor[at] = 1.0 / (constant + linear * distance + quadratic * distance * distance);
                }
            }
            if let Some(spot) = &self.spot {
                let mut along = [0.0; FEW];
                for at in 0..FEW {
                    along[at] = -dot(point(&toward, at), spot.direction);
                    // Also false for NaN.
                    lit[at] = along[at] > spot.cosine;
                }
                if lit == [false; FEW] {
                    return;
                }
                let powers = few_powers(&along, spot.exponent);
                for at in 0..FEW {
                    factor[at] *= powers[at];
                }
            }
        }
        let (mut facing, mut highlight) = ([0.0; FEW], [0.0; FEW]);
        for at in 0..FEW {
            facing[at] = dot(point(normal, at), point(&toward, at));
        }
        if finish.specular != 0.0 && facing.iter().any(|facing| *facing > 0.0) {
            let mut shine = [0.0; FEW];
            for at in 0..FEW {
                let half = add(point(&toward, at), point(to_eye, at));
                let length = dot(half, half).sqrt();
                let unit = if length < 1e-10 { [0.0, 0.0, 1.0] } else { scale(half, 1.0 / length) };
                shine[at] = dot(point(normal, at), unit).max(0.0);
            }
            let powers = few_powers(&shine, finish.shininess);
            for at in 0..FEW {
                highlight[at] = if facing[at] > 0.0 { powers[at] * finish.specular } else { 0.0 };
            }
        }
        for axis in 0..3 {
            for at in 0..FEW {
                let sum = color[axis][at]
                    + factor[at]
                        * ((self.ambient[axis] + facing[at].max(0.0) * self.diffuse[axis])
                            * finish.rgba[axis]
                            + highlight[at] * self.specular[axis]);
                color[axis][at] = if lit[at] { sum } else { color[axis][at] };
            }
        }
    }
}

/// Points that are lit together: the three corners of a triangle, and one that does not count.
pub(crate) const FEW: usize = 4;

/// A value for each of them.
pub(crate) type Few = [f32; FEW];

/// One of a few points or directions.
#[inline(always)]
pub(crate) fn point(values: &[Few; 3], at: usize) -> Vec3 {
    [values[0][at], values[1][at], values[2][at]]
}

/// [`power`] of a few numbers, with the operations of it.
#[inline(always)]
fn few_powers(bases: &Few, exponent: f32) -> Few {
    let mut powers = [1.0; FEW];
    if exponent == 0.0 {
        return powers;
    }
    let whole = (1.0..=128.0).contains(&exponent) && exponent as u32 as f32 == exponent;
    if !whole {
        for at in 0..FEW {
            powers[at] = power(f64::from(bases[at]), f64::from(exponent)) as f32;
        }
        return powers;
    }
    let mut squares = [0.0_f64; FEW];
    for at in 0..FEW {
        squares[at] = f64::from(bases[at]);
    }
    // The exponent is not zero, and mostly a power of two.
    let mut bits = exponent as u32;
    for _ in 0..bits.trailing_zeros() {
        square(&mut squares);
    }
    bits >>= bits.trailing_zeros();
    let mut products = squares;
    while bits > 1 {
        bits >>= 1;
        square(&mut squares);
        if bits & 1 != 0 {
            for at in 0..FEW {
                products[at] *= squares[at];
            }
        }
    }
    for at in 0..FEW {
        // Nothing of numbers that are negative or none; single numbers above zero are normal as doubles.
        powers[at] = if bases[at] > 0.0 { products[at] as f32 } else { 0.0 };
    }
    powers
}

#[inline(always)]
fn square(values: &mut [f64; FEW]) {
    for value in values {
        *value *= *value;
    }
}

/// From 0 to 1.
#[inline(always)]
pub(crate) fn clamp(color: Vec3) -> Vec3 {
    // `max` first: it turns NaN into 0.
    let [r, g, b] = color;
    [r.max(0.0).min(1.0), g.max(0.0).min(1.0), b.max(0.0).min(1.0)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::IDENTITY;

    fn spot() -> Light {
        Light {
            r#type: LightType::Spot as i32,
            pos: [0.0, 0.0, 2.0],
            dir: [0.0, 0.0, -1.0],
            attenuation: [1.0, 0.0, 0.0],
            cutoff: 45.0,
            exponent: 0.0,
            diffuse: [0.5; 3],
            specular: [1.0; 3],
            ..Default::default()
        }
    }

    const WHITE: Finish = Finish { rgba: [1.0; 4], emission: 0.0, specular: 0.0, shininess: 0.0 };

    fn seen(light: &Light, finish: &Finish, position: Vec3) -> Vec3 {
        let mut color = [[0.0; FEW]; 3];
        let up = [[0.0; FEW], [0.0; FEW], [1.0; FEW]];
        let position = position.map(|value| [value; FEW]);
        EyeLight::new(light, &IDENTITY).add(&mut color, finish, &position, &up, &up);
        point(&color, 2)
    }

    #[test]
    fn powers_of_a_few_are_those_of_one() {
        for exponent in [0.0, 0.5, 1.0, 2.5, 10.0, 64.0, 127.0, 128.0] {
            for bases in [[0.0, 1.0, 0.5, 1e-30], [f32::NAN, -0.5, 1e-45, 0.999], [1.5, -0.0, 0.1, 0.7]] {
                let single = bases.map(|base| power(f64::from(base), f64::from(exponent)) as f32);
                assert_eq!(few_powers(&bases, exponent), single, "{bases:?} {exponent}");
            }
        }
    }

    #[test]
    fn a_spot_light_ends_at_its_cutoff() {
        assert_eq!(seen(&spot(), &WHITE, [0.0; 3]), [0.5; 3]);
        assert!(seen(&spot(), &WHITE, [1.9, 0.0, 0.0])[0] > 0.0);
        assert_eq!(seen(&spot(), &WHITE, [2.1, 0.0, 0.0]), [0.0; 3]);
    }

    #[test]
    fn a_highlight_adds_the_specular_colour_and_back_sides_are_dark() {
        let shiny = Finish { specular: 0.25, shininess: 64.0, ..WHITE };
        assert_eq!(seen(&spot(), &shiny, [0.0; 3]), [0.75; 3]);
        let mut below = spot();
        below.pos = [0.0, 0.0, -2.0];
        below.dir = [0.0, 0.0, 1.0];
        assert_eq!(seen(&below, &shiny, [0.0; 3]), [0.0; 3]);
    }

    #[test]
    fn attenuation_divides_by_the_polynomial_in_distance() {
        let mut light = spot();
        light.attenuation = [1.0, 0.5, 0.25];
        assert_eq!(seen(&light, &WHITE, [0.0; 3]), [0.5 / 3.0; 3]);
    }
}
