//! Fluid forces on a geom as an ellipsoid: added mass, Magnus and Kutta lift, blunt, slender and angular drag, viscous resistance.
//!
//! Coefficients come with the geom: `(scale, blunt, slender, angular, Kutta, Magnus, virtual mass ×3, virtual inertia ×3)`.
//! Reference: `mj_ellipsoidFluidModel`, `mj_addedMassForces`, `mj_viscousForces`.

use condyle_math::{MIN_VALUE, PI, Spatial, Vec3, scalar, spatial, vec3};
use condyle_model::{GeomType, Model};

/// Semi-axes of the ellipsoid that stands for a geom.
pub(crate) fn semi_axes(model: &Model, geom: usize) -> Vec3 {
    let size = model.geom_size[geom];
    match model.geom_type(geom) {
        Some(GeomType::Sphere) => [size[0]; 3],
        Some(GeomType::Capsule) => [size[0], size[0], size[1] + size[0]],
        Some(GeomType::Cylinder) => [size[0], size[0], size[1]],
        _ => size,
    }
}

/// Interaction coefficients of a geom.
pub(crate) struct Coefficients {
    pub blunt: f64,
    pub slender: f64,
    pub angular: f64,
    pub kutta: f64,
    pub magnus: f64,
    pub virtual_mass: Vec3,
    pub virtual_inertia: Vec3,
}

impl Coefficients {
    pub(crate) fn of(model: &Model, geom: usize) -> Self {
        let f = &model.geom_fluid[geom];
        Self {
            blunt: f[1],
            slender: f[2],
            angular: f[3],
            kutta: f[4],
            magnus: f[5],
            virtual_mass: [f[6], f[7], f[8]],
            virtual_inertia: [f[9], f[10], f[11]],
        }
    }
}

/// `x⁴` as the square of the square.
#[inline(always)]
pub(crate) fn fourth(x: f64) -> f64 {
    (x * x) * (x * x)
}

/// `x²`
#[inline(always)]
pub(crate) fn square(x: f64) -> f64 {
    x * x
}

/// Largest moment of the cross-section about an axis, for angular drag.
pub(crate) fn max_moment(size: Vec3, axis: usize) -> f64 {
    let (d0, d1, d2) = (size[axis], size[(axis + 1) % 3], size[(axis + 2) % 3]);
    8.0 / 15.0 * PI * d0 * fourth(scalar::max(d1, d2))
}

/// Largest, smallest and middle semi-axis.
pub(crate) fn ordered(size: Vec3) -> (f64, f64, f64) {
    let largest = scalar::max(scalar::max(size[0], size[1]), size[2]);
    let smallest = scalar::min(scalar::min(size[0], size[1]), size[2]);
    (largest, smallest, size[0] + size[1] + size[2] - largest - smallest)
}

/// Torque and force on a geom that moves with `velocity` in its own frame, before scaling.
pub fn force(model: &Model, geom: usize, velocity: &Spatial) -> Spatial {
    let coefficients = Coefficients::of(model, geom);
    let mut wrench = [0.0; 6];
    added_mass(model.opt.density, &coefficients, velocity, &mut wrench);
    viscous(model, semi_axes(model, geom), &coefficients, velocity, &mut wrench);
    wrench
}

/// Inertia of the fluid that moves with the body, without the part that depends on acceleration.
fn added_mass(density: f64, coefficients: &Coefficients, velocity: &Spatial, wrench: &mut Spatial) {
    let (spin, speed) = (spatial::rotational(velocity), spatial::translational(velocity));
    let linear: Vec3 = std::array::from_fn(|i| density * coefficients.virtual_mass[i] * speed[i]);
    let angular: Vec3 = std::array::from_fn(|i| density * coefficients.virtual_inertia[i] * spin[i]);
    let push = vec3::cross(linear, spin);
    let first = vec3::cross(linear, speed);
    let second = vec3::cross(angular, spin);
    for i in 0..3 {
        wrench[i] += first[i];
        wrench[i] += second[i];
        wrench[3 + i] += push[i];
    }
}

fn viscous(model: &Model, size: Vec3, c: &Coefficients, velocity: &Spatial, wrench: &mut Spatial) {
    let (density, viscosity) = (model.opt.density, model.opt.viscosity);
    let (spin, speed) = (spatial::rotational(velocity), spatial::translational(velocity));
    let volume = 4.0 / 3.0 * PI * size[0] * size[1] * size[2];
    let (largest, _, middle) = ordered(size);
    let area_max = PI * largest * middle;

    let magnus = vec3::scale(vec3::cross(spin, speed), c.magnus * density * volume);

    // The cosine between velocity and the normal of the projected cross-section is numerator / sqrt(denominator).
    let denominator = fourth(size[1] * size[2]) * square(speed[0])
        + fourth(size[2] * size[0]) * square(speed[1])
        + fourth(size[0] * size[1]) * square(speed[2]);
    let numerator = square(size[1] * size[2] * speed[0])
        + square(size[2] * size[0] * speed[1])
        + square(size[0] * size[1] * speed[2]);
    let area = PI * (denominator / scalar::max(MIN_VALUE, numerator)).sqrt();
    let normal = [
        square(size[1] * size[2]) * speed[0],
        square(size[2] * size[0]) * speed[1],
        square(size[0] * size[1]) * speed[2],
    ];
    let cosine = numerator / scalar::max(MIN_VALUE, vec3::norm(speed) * denominator);
    let circulation = vec3::scale(vec3::cross(normal, speed), c.kutta * density * cosine * area);
    let kutta = vec3::cross(circulation, speed);

    let diameter = 2.0 / 3.0 * (size[0] + size[1] + size[2]);
    let linear_viscous = 3.0 * PI * diameter;
    let angular_viscous = PI * diameter * diameter * diameter;
    let moment_max = 8.0 / 15.0 * PI * middle * fourth(largest);
    let moment: Vec3 = std::array::from_fn(|axis| {
        let own = max_moment(size, axis);
        spin[axis] * (c.angular * own + c.slender * (moment_max - own))
    });
    let linear_drag = viscosity * linear_viscous
        + density * vec3::norm(speed) * (area * c.blunt + c.slender * (area_max - area));
    let angular_drag = viscosity * angular_viscous + density * vec3::norm(moment);
    for i in 0..3 {
        wrench[i] -= angular_drag * spin[i];
        wrench[3 + i] += magnus[i] + kutta[i] - linear_drag * speed[i];
    }
}
