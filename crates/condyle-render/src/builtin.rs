//! Built-in surfaces of unit size, divided as the model's visual quality says: `slices` around an axis, `stacks` along it, `quads`
//! along each side of a box.

use crate::exact::sin_cos;
use crate::shape::{Patch, Shape};
use crate::vector::{Vec3, add, normalize, scale};

/// Surfaces every context has.
#[derive(Clone, Debug, Default)]
pub(crate) struct Builtin {
    pub sphere: Shape,
    /// Upper half of a sphere about (0, 0, 1).
    pub top: Shape,
    /// Lower half of a sphere about (0, 0, -1).
    pub bottom: Shape,
    /// Closed cylinder.
    pub cylinder: Shape,
    /// Cylinder without its ends.
    pub tube: Shape,
    pub cone: Shape,
    pub cube: Shape,
    pub haze: Shape,
    pub triangle: Shape,
    /// Square with one cell for each quad.
    pub square: Shape,
}

/// Division of the built-in surfaces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Quality {
    pub slices: usize,
    pub stacks: usize,
    pub quads: usize,
}

impl Quality {
    /// Most divisions of each kind, so that a model cannot ask for more memory than a machine has.
    pub(crate) const MOST: usize = 1000;

    pub(crate) fn new(slices: i32, stacks: i32, quads: i32) -> Self {
        let limit = |value: i32, least: i32| value.clamp(least, Self::MOST as i32) as usize;
        Self { slices: limit(slices, 1), stacks: limit(stacks, 1), quads: limit(quads, 1) }
    }
}

impl Builtin {
    pub(crate) fn new(quality: Quality, haze_share: f32) -> Self {
        let Quality { slices, stacks, quads } = quality;
        let round = Round::new(slices);
        let mut builtin = Self::default();
        round.sphere(&mut builtin.sphere, stacks / 2);
        round.dome(&mut builtin.top, 1.0, 1.0, stacks / 2);
        round.dome(&mut builtin.bottom, -1.0, -1.0, stacks / 2);
        round.disk(&mut builtin.cylinder, -1.0, -1.0, stacks / 2);
        round.tube(&mut builtin.cylinder, stacks);
        round.disk(&mut builtin.cylinder, 1.0, 1.0, stacks / 2);
        round.tube(&mut builtin.tube, stacks);
        round.cone(&mut builtin.cone, stacks);
        round.disk(&mut builtin.cone, 0.0, -1.0, stacks);
        round.haze(&mut builtin.haze, haze_share);
        cube(&mut builtin.cube, quads);
        square(&mut builtin.square, quads);
        for position in [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] {
            builtin.triangle.corner(position, [0.0, 0.0, 1.0]);
        }
        builtin.triangle.faces.push([0, 1, 2]);
        for shape in [
            &mut builtin.sphere,
            &mut builtin.top,
            &mut builtin.bottom,
            &mut builtin.cylinder,
            &mut builtin.tube,
            &mut builtin.cone,
            &mut builtin.cube,
            &mut builtin.haze,
            &mut builtin.triangle,
            &mut builtin.square,
        ] {
            shape.bound();
        }
        builtin
    }
}

/// Cosine and sine of the angles around the axis; the last angle closes the circle.
struct Round {
    circle: Vec<[f32; 2]>,
}

/// Angle `part/whole` of a turn as single precision has it, then its cosine and sine.
fn direction(part: usize, whole: usize) -> [f32; 2] {
    let angle = ((2.0 * std::f64::consts::PI * part as f64) / whole as f64) as f32;
    let (sine, cosine) = sin_cos(f64::from(angle));
    [cosine as f32, sine as f32]
}

fn elevation(sign: f32, part: usize, stacks: usize) -> [f32; 2] {
    let angle = ((std::f64::consts::FRAC_PI_2 * f64::from(sign) * part as f64) / stacks as f64) as f32;
    let (sine, cosine) = sin_cos(f64::from(angle));
    [cosine as f32, sine as f32]
}

impl Round {
    fn new(slices: usize) -> Self {
        Self { circle: (0..=slices).map(|slice| direction(slice, slices)).collect() }
    }

    fn slices(&self) -> usize {
        self.circle.len() - 1
    }

    /// Adds a ring of corners and returns the number of its first.
    fn ring(&self, shape: &mut Shape, corner: impl Fn([f32; 2]) -> (Vec3, Vec3)) -> u32 {
        let first = shape.positions.len() as u32;
        for direction in &self.circle {
            let (position, normal) = corner(*direction);
            shape.corner(position, normal);
        }
        first
    }

    /// Quads between two rings; `flipped` turns them over.
    fn band(&self, shape: &mut Shape, low: u32, high: u32, flipped: bool) {
        for slice in 0..self.slices() as u32 {
            let corners = [low + slice, low + slice + 1, high + slice + 1, high + slice];
            shape.quad(if flipped { [corners[3], corners[2], corners[1], corners[0]] } else { corners });
        }
    }

    /// Triangles between a ring and a point.
    fn fan(&self, shape: &mut Shape, ring: u32, tip: u32, flipped: bool) {
        for slice in 0..self.slices() as u32 {
            let (a, b) = (ring + slice, ring + slice + 1);
            shape.faces.push(if flipped { [tip, b, a] } else { [a, b, tip] });
        }
    }

    /// Half of a sphere about (0, 0, `height`), upper for a positive sign.
    fn dome(&self, shape: &mut Shape, sign: f32, height: f32, stacks: usize) {
        let stacks = stacks.max(1);
        let rings: Vec<u32> = (0..stacks)
            .map(|stack| {
                let [cosine, sine] = elevation(sign, stack, stacks);
                self.ring(shape, |[x, y]| {
                    let position = [x * cosine, y * cosine, height + sine];
                    (position, [position[0], position[1], position[2] - height])
                })
            })
            .collect();
        let tip = shape.corner([0.0, 0.0, height + sign], [0.0, 0.0, sign]);
        self.fan(shape, rings[stacks - 1], tip, sign < 0.0);
        for pair in rings.windows(2) {
            self.band(shape, pair[0], pair[1], sign < 0.0);
        }
    }

    fn sphere(&self, shape: &mut Shape, half_stacks: usize) {
        self.dome(shape, -1.0, 0.0, half_stacks);
        self.dome(shape, 1.0, 0.0, half_stacks);
    }

    /// Disk at `height`, facing up or down.
    fn disk(&self, shape: &mut Shape, height: f32, facing: f32, stacks: usize) {
        let stacks = stacks.max(1);
        let normal = [0.0, 0.0, facing];
        let rings: Vec<u32> = (1..=stacks)
            .map(|stack| {
                let radius = stack as f32 / stacks as f32;
                self.ring(shape, |[x, y]| ([x * radius, y * radius, height], normal))
            })
            .collect();
        let tip = shape.corner([0.0, 0.0, height], normal);
        self.fan(shape, rings[0], tip, facing < 0.0);
        for pair in rings.windows(2) {
            self.band(shape, pair[1], pair[0], facing < 0.0);
        }
    }

    /// Open cylinder from z = -1 to 1: one strip for each slice.
    fn tube(&self, shape: &mut Shape, stacks: usize) {
        let ends = shape.add_lines([0.0, 1.0]);
        let heights = shape.add_lines((0..=stacks).map(|stack| 2.0 * stack as f32 / stacks as f32 - 1.0));
        for pair in self.circle.windows(2) {
            let [[x0, y0], [x1, y1]] = [pair[0], pair[1]];
            let outward = |x: f32, y: f32| {
                let length = (x * x + y * y).sqrt();
                [x / length, y / length, 0.0]
            };
            shape.patches.push(Patch {
                origin: [x0, y0, 0.0],
                axis_u: [x1 - x0, y1 - y0, 0.0],
                axis_v: [0.0, 0.0, 1.0],
                us: ends,
                vs: heights,
                normals: [outward(x0, y0), outward(x1, y1)],
            });
        }
    }

    /// Cone with its tip at z = 1 and its rim at z = 0, without its base.
    fn cone(&self, shape: &mut Shape, stacks: usize) {
        let slope = 1.0 / 2.0_f32.sqrt();
        let rings: Vec<u32> = (1..=stacks)
            .map(|stack| {
                let radius = stack as f32 / stacks as f32;
                self.ring(shape, |[x, y]| {
                    ([x * radius, y * radius, 1.0 - radius], [x * slope, y * slope, slope])
                })
            })
            .collect();
        for slice in 0..self.slices() {
            let (a, b) = (rings[0] + slice as u32, rings[0] + slice as u32 + 1);
            let between = add(shape.normals[a as usize], shape.normals[b as usize]);
            let tip = shape.corner([0.0, 0.0, 1.0], normalize(between));
            shape.faces.push([a, b, tip]);
        }
        for pair in rings.windows(2) {
            self.band(shape, pair[1], pair[0], false);
        }
    }

    /// Truncated cone, opaque at the height where it looks like the horizon and clear at both ends. From the centre the height is
    /// r/(1 + r) for a share r.
    fn haze(&self, shape: &mut Shape, share: f32) {
        let middle = share / (1.0 + share);
        let rings = [(0.0, 0.0), (middle, 1.0), (1.0, 0.0)].map(|(height, alpha)| {
            let radius = 1.0 - share * (1.0 - height);
            let first = self.ring(shape, |[x, y]| ([x * radius, y * radius, height], [0.0, 0.0, 1.0]));
            shape.alphas.resize(shape.positions.len(), alpha);
            first
        });
        self.band(shape, rings[0], rings[1], false);
        self.band(shape, rings[1], rings[2], false);
    }
}

fn subdivision(quads: usize) -> impl Iterator<Item = f32> {
    let step = 2.0 / quads as f32;
    (0..=quads).map(move |line| step * line as f32 - 1.0)
}

fn square(shape: &mut Shape, quads: usize) {
    let lines = shape.add_lines(subdivision(quads));
    shape.patches.push(Patch {
        origin: [0.0; 3],
        axis_u: [1.0, 0.0, 0.0],
        axis_v: [0.0, 1.0, 0.0],
        us: lines,
        vs: lines,
        normals: [[0.0, 0.0, 1.0]; 2],
    });
}

/// Cube of half size 1; its first patch is the upper face.
fn cube(shape: &mut Shape, quads: usize) {
    let lines = shape.add_lines(subdivision(quads));
    let x = [1.0, 0.0, 0.0];
    let y = [0.0, 1.0, 0.0];
    let z = [0.0, 0.0, 1.0];
    let minus = |axis: Vec3| scale(axis, -1.0);
    for (normal, axis_u, axis_v) in [
        (z, x, y),
        (minus(z), x, minus(y)),
        (x, y, z),
        (minus(x), y, minus(z)),
        (minus(y), x, z),
        (y, x, minus(z)),
    ] {
        shape.patches.push(Patch {
            origin: normal,
            axis_u,
            axis_v,
            us: lines,
            vs: lines,
            normals: [normal; 2],
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::{cross, sub};

    fn faces_outward(shape: &Shape) -> bool {
        let faces = shape.faces.iter().all(|face| {
            let [a, b, c] = face.map(|corner| shape.positions[corner as usize]);
            let middle = shape.normals[face[0] as usize];
            crate::vector::dot(cross(sub(b, a), sub(c, a)), middle) > 0.0
        });
        let patches = shape
            .patches
            .iter()
            .all(|patch| crate::vector::dot(cross(patch.axis_u, patch.axis_v), patch.normals[0]) > 0.0);
        faces && patches
    }

    #[test]
    fn closed_surfaces_face_outward() {
        let builtin = Builtin::new(Quality::new(28, 16, 4), 0.3);
        for shape in [
            &builtin.sphere,
            &builtin.top,
            &builtin.bottom,
            &builtin.cylinder,
            &builtin.tube,
            &builtin.cone,
            &builtin.cube,
            &builtin.square,
        ] {
            assert!(faces_outward(shape));
        }
    }

    #[test]
    fn a_sphere_has_two_triangles_for_each_quad_and_one_at_the_poles() {
        let builtin = Builtin::new(Quality::new(28, 16, 4), 0.3);
        assert_eq!(builtin.sphere.faces.len(), 2 * (28 + 7 * 28 * 2));
        assert_eq!(builtin.tube.patches.len(), 28);
        assert_eq!(builtin.cube.patches.len(), 6);
    }

    #[test]
    fn the_least_quality_still_makes_surfaces() {
        let builtin = Builtin::new(Quality::new(0, -5, 0), 0.0);
        assert!(!builtin.sphere.faces.is_empty());
        assert!(builtin.haze.positions.iter().flatten().all(|value| value.is_finite()));
    }
}
