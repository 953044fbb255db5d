//! Derivative of the forces of the medium with respect to velocity, for both fluid models.
//!
//! The derivative `B` of the local wrench with respect to the local velocity becomes `Jᵀ B J` with the Jacobian of the body or geom in
//! its own axes, rotation first. The symmetric integrator uses the symmetric part of `B`. Reference: `mjd_ellipsoidFluid`,
//! `mjd_inertiaBoxFluid`.

use condyle_math::{MIN_VALUE, Mat3, PI, Spatial, Vec3, dense, matrix, scalar, vec3};
use condyle_model::{Integrator, Model, ObjectType};

use super::accumulate::{add_chain, add_dense};
use crate::data::{Kinematics, SmoothScratch, Velocity, scratch};
use crate::jacobian::{self, chain};
use crate::velocity::passive::fluid::ellipsoid::{Coefficients, max_moment, ordered, semi_axes, square};
use crate::velocity::passive::fluid::inertia_box::equivalent_box;
use crate::velocity::passive::fluid::{by_geom, geoms, relative_velocity};

/// `out += d qfrc_fluid / d qvel` of one body.
pub(super) fn add_body(
    model: &Model,
    kinematics: &Kinematics,
    velocity: &Velocity,
    body: usize,
    out: &mut [f64],
    buffers: &mut SmoothScratch,
) {
    if !by_geom(model, body) {
        let frame = (kinematics.xipos[body], &kinematics.ximat[body]);
        let local = relative_velocity(model, kinematics, velocity, ObjectType::Body, body, body, frame);
        let width = local_jacobian(model, kinematics, body, frame, buffers);
        add_box(model, body, &local, width, out, buffers);
        return;
    }
    for geom in geoms(model, body) {
        if model.geom_fluid[geom][0] == 0.0 {
            continue;
        }
        let frame = (kinematics.geom_xpos[geom], &kinematics.geom_xmat[geom]);
        let local = relative_velocity(model, kinematics, velocity, ObjectType::Geom, geom, body, frame);
        let width = local_jacobian(model, kinematics, body, frame, buffers);
        let mut slope = ellipsoid_slope(model, geom, &local);
        if model.opt.integrator() == Some(Integrator::ImplicitFast) {
            let full = slope;
            matrix::symmetrize(&mut slope, &full, 6);
        }
        let SmoothScratch { chain, difference, .. } = &*buffers;
        if jacobian::is_sparse(model) {
            add_chain(model, out, difference, &chain[..width], &slope, 6);
        } else {
            add_dense(model, out, difference, &slope, 6);
        }
    }
}

/// Rotational and translational Jacobian of a frame in its own axes, six rows in `buffers.difference`; returns their width.
fn local_jacobian(
    model: &Model,
    kinematics: &Kinematics,
    body: usize,
    frame: (Vec3, &Mat3),
    buffers: &mut SmoothScratch,
) -> usize {
    let nv = model.nv;
    let SmoothScratch { chain, jacobian: [translation, rotation, ..], difference, .. } = buffers;
    let translation = scratch::sized(translation, 3 * nv);
    let rotation = scratch::sized(rotation, 3 * nv);
    let chain = scratch::sized(chain, nv);
    let width = if jacobian::is_sparse(model) {
        let width = chain::of_body(model, body, chain);
        let (t, r) = (Some(&mut *translation), Some(&mut *rotation));
        chain::of_point(model, kinematics, t, r, frame.0, body, &chain[..width]);
        width
    } else {
        jacobian::of_point(model, kinematics, Some(translation), Some(rotation), frame.0, body);
        nv
    };
    let difference = scratch::sized(difference, 6 * nv);
    let (upper, lower) = difference.split_at_mut(3 * width);
    matrix::mul_transposed_left(upper, frame.1, rotation, 3, 3, width);
    matrix::mul_transposed_left(lower, frame.1, translation, 3, 3, width);
    width
}

/// Box model: the slope is diagonal, one row at a time.
fn add_box(
    model: &Model,
    body: usize,
    velocity: &Spatial,
    width: usize,
    out: &mut [f64],
    buffers: &SmoothScratch,
) {
    let SmoothScratch { chain, difference, .. } = buffers;
    let sparse = jacobian::is_sparse(model);
    let mut add = |row: usize, slope: f64| {
        let rows = &difference[row * width..];
        if sparse {
            add_chain(model, out, rows, &chain[..width], &[slope], 1);
        } else {
            add_dense(model, out, rows, &[slope], 1);
        }
    };
    let edges = equivalent_box(model, body);
    let viscosity = model.opt.viscosity;
    if viscosity > 0.0 {
        let diameter = (edges[0] + edges[1] + edges[2]) / 3.0;
        for row in 0..3 {
            add(row, -PI * diameter * diameter * diameter * viscosity);
        }
        for row in 3..6 {
            add(row, -3.0 * PI * diameter * viscosity);
        }
    }
    let density = model.opt.density;
    if density > 0.0 {
        let others = [(1, 2), (0, 2), (0, 1)];
        let fourth = edges.map(|x| x * x * x * x);
        for (axis, (j, k)) in others.into_iter().enumerate() {
            add(axis, -density * edges[axis] * (fourth[j] + fourth[k]) * 2.0 * velocity[axis].abs() / 64.0);
        }
        for (axis, (j, k)) in others.into_iter().enumerate() {
            add(3 + axis, -0.5 * density * edges[j] * edges[k] * 2.0 * velocity[3 + axis].abs());
        }
    }
}

/// Derivative of the wrench on an ellipsoid with respect to its velocity, both in its own axes.
fn ellipsoid_slope(model: &Model, geom: usize, velocity: &Spatial) -> [f64; 36] {
    let size = semi_axes(model, geom);
    let c = Coefficients::of(model, geom);
    let (density, viscosity) = (model.opt.density, model.opt.viscosity);
    let spin = [velocity[0], velocity[1], velocity[2]];
    let speed = [velocity[3], velocity[4], velocity[5]];
    let mut slope = [0.0; 36];
    add_magnus(&mut slope, spin, speed, density, size, c.magnus);
    add_block(&mut slope, &kutta(speed, density, size, c.kutta), 1, 1);
    add_block(&mut slope, &linear_drag(speed, density, viscosity, size, &c), 1, 1);
    add_block(&mut slope, &angular_drag(spin, density, viscosity, size, &c), 0, 0);
    add_added_mass(&mut slope, spin, speed, density, &c);
    slope
}

/// Add a 3×3 matrix to a quadrant of a 6×6 matrix.
fn add_block(out: &mut [f64; 36], block: &Mat3, row: usize, column: usize) {
    for i in 0..3 {
        for j in 0..3 {
            out[6 * (3 * row + i) + 3 * column + j] += block[3 * i + j];
        }
    }
}

/// Derivatives of `a × b` with respect to `a` and to `b`.
fn cross_slopes(a: Vec3, b: Vec3) -> (Mat3, Mat3) {
    (
        [0.0, b[2], -b[1], -b[2], 0.0, b[0], b[1], -b[0], 0.0],
        [0.0, -a[2], a[1], a[2], 0.0, -a[0], -a[1], a[0], 0.0],
    )
}

fn add_magnus(out: &mut [f64; 36], spin: Vec3, speed: Vec3, density: f64, size: Vec3, lift: f64) {
    let volume = 4.0 / 3.0 * PI * size[0] * size[1] * size[2];
    let coefficient = lift * density * volume;
    let scaled = |v: Vec3| [coefficient * v[0], coefficient * v[1], coefficient * v[2]];
    let (by_spin, by_speed) = cross_slopes(scaled(spin), scaled(speed));
    add_block(out, &by_spin, 1, 0);
    add_block(out, &by_speed, 1, 1);
}

fn add_added_mass(out: &mut [f64; 36], spin: Vec3, speed: Vec3, density: f64, c: &Coefficients) {
    let momentum = |mass: Vec3, v: Vec3| -> Vec3 { std::array::from_fn(|i| density * mass[i] * v[i]) };
    let linear = momentum(c.virtual_mass, speed);
    let angular = momentum(c.virtual_inertia, spin);
    let weighted = |mut slope: Mat3, mass: Vec3| {
        for (i, x) in slope.iter_mut().enumerate() {
            *x *= density * mass[i % 3];
        }
        slope
    };
    let (by_momentum, by_spin) = cross_slopes(angular, spin);
    add_block(out, &by_spin, 0, 0);
    add_block(out, &weighted(by_momentum, c.virtual_inertia), 0, 0);
    let (by_momentum, by_speed) = cross_slopes(linear, speed);
    add_block(out, &by_speed, 0, 1);
    add_block(out, &weighted(by_momentum, c.virtual_mass), 0, 1);
    let (by_momentum, by_spin) = cross_slopes(linear, spin);
    add_block(out, &by_spin, 1, 0);
    add_block(out, &weighted(by_momentum, c.virtual_mass), 1, 1);
}

/// Add `vector · scale` to a row of a 3×3 matrix.
fn add_to_row(out: &mut Mat3, row: usize, vector: Vec3, scale: f64) {
    for (x, v) in out[3 * row..3 * row + 3].iter_mut().zip(vector) {
        *x += v * scale;
    }
}

fn angular_drag(spin: Vec3, density: f64, viscosity: f64, size: Vec3, c: &Coefficients) -> Mat3 {
    let (largest, _, middle) = ordered(size);
    let diameter = 2.0 / 3.0 * (size[0] + size[1] + size[2]);
    let viscous = PI * diameter * diameter * diameter;
    let moment_max = 8.0 / 15.0 * PI * middle * (largest * largest) * (largest * largest);
    let coefficient: Vec3 = std::array::from_fn(|axis| {
        let own = max_moment(size, axis);
        c.angular * own + c.slender * (moment_max - own)
    });
    let moment: Vec3 = std::array::from_fn(|axis| spin[axis] * coefficient[axis]);
    let density = density / scalar::max(MIN_VALUE, vec3::norm(moment));
    let squared: Vec3 =
        std::array::from_fn(|axis| -density * spin[axis] * coefficient[axis] * coefficient[axis]);
    let diagonal = spin[0] * squared[0] + spin[1] * squared[1] + spin[2] * squared[2] - viscosity * viscous;
    let mut out = [0.0; 9];
    for axis in 0..3 {
        out[4 * axis] = diagonal;
    }
    for axis in 0..3 {
        add_to_row(&mut out, axis, squared, spin[axis]);
    }
    out
}

/// Outer product of a vector with itself.
fn outer(v: Vec3) -> Mat3 {
    let (xx, yy, zz, xy, yz, xz) =
        (v[0] * v[0], v[1] * v[1], v[2] * v[2], v[0] * v[1], v[1] * v[2], v[0] * v[2]);
    [xx, xy, xz, xy, yy, yz, xz, yz, zz]
}

fn linear_drag(speed: Vec3, density: f64, viscosity: f64, size: Vec3, coefficients: &Coefficients) -> Mat3 {
    let (largest, _, middle) = ordered(size);
    let diameter = 2.0 / 3.0 * (size[0] + size[1] + size[2]);
    let area_max = PI * largest * middle;
    let [a, b, c] = [square(size[1] * size[2]), square(size[2] * size[0]), square(size[0] * size[1])];
    let [x, y, z] = speed;
    let (xx, yy, zz) = (x * x, y * y, z * z);
    let denominator = a * a * xx + b * b * yy + c * c * zz;
    let numerator = a * xx + b * yy + c * zz;
    let area_slope = PI / scalar::max(MIN_VALUE, (numerator * numerator * numerator * denominator).sqrt());
    let area = PI * (denominator / scalar::max(MIN_VALUE, numerator)).sqrt();
    let norm = (xx + yy + zz).sqrt();
    let inverse_norm = 1.0 / scalar::max(MIN_VALUE, norm);
    let viscous = viscosity * 3.0 * PI * diameter;
    let (blunt, slender) = (coefficients.blunt, coefficients.slender);
    let quadratic = density * (area * blunt + slender * (area_max - area));
    let by_area = density * norm * (blunt - slender);
    let area_by_speed = [
        by_area * area_slope * a * x * (b * yy * (a - b) + c * zz * (a - c)),
        by_area * area_slope * b * y * (a * xx * (b - a) + c * zz * (b - c)),
        by_area * area_slope * c * z * (a * xx * (c - a) + b * yy * (c - b)),
    ];
    let mut out = outer(speed);
    let inner = xx + yy + zz;
    for axis in 0..3 {
        out[4 * axis] += inner;
    }
    dense::scale_mut(&mut out, -quadratic * inverse_norm);
    for axis in 0..3 {
        add_to_row(&mut out, axis, area_by_speed, -speed[axis]);
    }
    for axis in 0..3 {
        out[4 * axis] -= viscous;
    }
    out
}

fn kutta(speed: Vec3, density: f64, size: Vec3, lift: f64) -> Mat3 {
    let [a, b, c] = [square(size[1] * size[2]), square(size[2] * size[0]), square(size[0] * size[1])];
    let [x, y, z] = speed;
    let (xx, yy, zz) = (x * x, y * y, z * z);
    let denominator = a * a * xx + b * b * yy + c * c * zz;
    let numerator = a * xx + b * yy + c * zz;
    let norm_squared = xx + yy + zz;
    let scale = PI * lift * density / scalar::max(MIN_VALUE, (denominator * numerator * norm_squared).sqrt());
    let coefficient = [yy * (a - b) + zz * (a - c), xx * (b - a) + zz * (b - c), xx * (c - a) + yy * (c - b)];
    let by_projection = numerator / scalar::max(MIN_VALUE, denominator);
    let by_cosine = numerator / scalar::max(MIN_VALUE, norm_squared);
    let axes = [a, b, c];
    let mut out: Mat3 = std::array::from_fn(|k| (axes[k % 3] - axes[k / 3]) * (2.0 * numerator));
    let inner = axes.map(|e| e * e * by_projection - e + by_cosine);
    for axis in 0..3 {
        add_to_row(&mut out, axis, inner, coefficient[axis]);
    }
    for (x, product) in out.iter_mut().zip(outer(speed)) {
        *x *= product;
    }
    for axis in 0..3 {
        out[4 * axis] -= coefficient[axis] * numerator;
    }
    dense::scale_mut(&mut out, scale);
    out
}
