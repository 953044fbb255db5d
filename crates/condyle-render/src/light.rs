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
pub struct EyeLight {
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
pub struct Finish {
    pub rgba: [f32; 4],
    pub emission: f32,
    pub specular: f32,
    /// Exponent of highlights, 0 to 128.
    pub shininess: f32,
}

impl EyeLight {
    pub fn new(light: &Light, view: &Affine) -> Self {
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

    /// Light that a surface sends to the eye, added to `color`.
    pub fn add(&self, color: &mut Vec3, finish: &Finish, position: Vec3, normal: Vec3, to_eye: Vec3) {
        let mut factor = 1.0;
        let toward = if self.directional {
            self.toward
        } else {
            let way = sub(self.position, position);
            let distance = dot(way, way).sqrt();
            let toward = if distance > 0.0 { scale(way, 1.0 / distance) } else { [0.0; 3] };
            if let Some([constant, linear, quadratic]) = self.attenuation {
                factor = 1.0 / (constant + linear * distance + quadratic * distance * distance);
            }
            if let Some(spot) = &self.spot {
                let along = -dot(toward, spot.direction);
                if along <= spot.cosine || along.is_nan() {
                    return;
                }
                factor *= power(f64::from(along), f64::from(spot.exponent)) as f32;
            }
            toward
        };
        let facing = dot(normal, toward);
        let mut highlight = 0.0;
        if facing > 0.0 && finish.specular != 0.0 {
            let half = normalize(add(toward, to_eye));
            let shine = dot(normal, half).max(0.0);
            highlight = power(f64::from(shine), f64::from(finish.shininess)) as f32 * finish.specular;
        }
        let facing = facing.max(0.0);
        for axis in 0..3 {
            color[axis] += factor
                * ((self.ambient[axis] + facing * self.diffuse[axis]) * finish.rgba[axis]
                    + highlight * self.specular[axis]);
        }
    }
}

#[inline]
pub fn clamp(color: Vec3) -> Vec3 {
    // `max` first: it turns NaN into 0.
    color.map(|value| value.max(0.0).min(1.0))
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
        let mut color = [0.0; 3];
        EyeLight::new(light, &IDENTITY).add(&mut color, finish, position, [0.0, 0.0, 1.0], [0.0, 0.0, 1.0]);
        color
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
