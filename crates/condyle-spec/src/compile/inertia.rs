//! Volume, mass distribution and added mass of geoms; inertia of bodies from their parts.
//!
//! A geom's inertia is diagonal in its own frame. Bodies sum those of their geoms about the common centre of mass,
//! I = Σ R diag(Iᵢ) Rᵀ + mᵢ(|d|²E − ddᵀ), and take the principal axes.

use condyle_asset::principal::{EPS, principal_axes};
use condyle_math::{PI, Quat, Vec3, quat};
use condyle_model::GeomType;

use super::pose::upper;
use crate::orientation::GeomInertia;

/// Volume of a primitive, or its surface for a shell.
pub(crate) fn volume(kind: GeomType, size: Vec3, shell: GeomInertia) -> f64 {
    let radius = size[0];
    let height = 2.0 * size[1];
    match (kind, shell) {
        (GeomType::Sphere, GeomInertia::Volume) => 4.0 * PI * radius * radius * radius / 3.0,
        (GeomType::Sphere, GeomInertia::Shell) => 4.0 * PI * radius * radius,
        (GeomType::Capsule, GeomInertia::Volume) => {
            PI * (radius * radius * height + 4.0 * radius * radius * radius / 3.0)
        }
        (GeomType::Capsule, GeomInertia::Shell) => 4.0 * PI * radius * radius + 2.0 * PI * radius * height,
        (GeomType::Cylinder, GeomInertia::Volume) => PI * radius * radius * height,
        (GeomType::Cylinder, GeomInertia::Shell) => 2.0 * PI * radius * radius + 2.0 * PI * radius * height,
        (GeomType::Ellipsoid, GeomInertia::Volume) => 4.0 * PI * size[0] * size[1] * size[2] / 3.0,
        (GeomType::Ellipsoid, GeomInertia::Shell) => {
            // Thomsen's approximation of the surface.
            let p = 1.6075;
            let sum = (size[0] * size[1]).powf(p) + (size[1] * size[2]).powf(p) + (size[2] * size[0]).powf(p);
            4.0 * PI * (sum / 3.0).powf(1.0 / p)
        }
        (GeomType::Box | GeomType::HField, GeomInertia::Volume) => size[0] * size[1] * size[2] * 8.0,
        (GeomType::Box | GeomType::HField, GeomInertia::Shell) => {
            8.0 * (size[0] * size[1] + size[1] * size[2] + size[2] * size[0])
        }
        _ => 0.0,
    }
}

/// Diagonal inertia of a primitive of the given mass. `None` leaves the inertia as it was.
pub(crate) fn primitive_inertia(kind: GeomType, size: Vec3, shell: GeomInertia, mass: f64) -> Vec3 {
    match (kind, shell) {
        (GeomType::Sphere, GeomInertia::Volume) => [2.0 * mass * size[0] * size[0] / 5.0; 3],
        (GeomType::Sphere, GeomInertia::Shell) => [2.0 * mass * size[0] * size[0] / 3.0; 3],
        (GeomType::Capsule, GeomInertia::Volume) => capsule_solid(size, mass),
        (GeomType::Capsule, GeomInertia::Shell) => capsule_shell(size, mass),
        (GeomType::Cylinder, GeomInertia::Volume) => {
            let (radius, height) = (size[0], 2.0 * size[1]);
            let across = mass * (3.0 * radius * radius + height * height) / 12.0;
            [across, across, mass * radius * radius / 2.0]
        }
        (GeomType::Cylinder, GeomInertia::Shell) => cylinder_shell(size, mass),
        (GeomType::Ellipsoid, GeomInertia::Volume) => from_squares(size, mass, 5.0),
        (GeomType::Ellipsoid, GeomInertia::Shell) => ellipsoid_shell(size, mass),
        (GeomType::Box | GeomType::HField, GeomInertia::Volume) => from_squares(size, mass, 3.0),
        (GeomType::Box | GeomType::HField, GeomInertia::Shell) => box_shell(size, mass),
        _ => [0.0; 3],
    }
}

/// m (b² + c²) / divisor for each axis.
pub(crate) fn from_squares(size: Vec3, mass: f64, divisor: f64) -> Vec3 {
    let s = [size[0] * size[0], size[1] * size[1], size[2] * size[2]];
    [mass * (s[1] + s[2]) / divisor, mass * (s[0] + s[2]) / divisor, mass * (s[0] + s[1]) / divisor]
}

fn capsule_solid(size: Vec3, mass: f64) -> Vec3 {
    let (radius, height) = (size[0], 2.0 * size[1]);
    let sphere_mass = mass * 4.0 * radius / (4.0 * radius + 3.0 * height);
    let cylinder_mass = mass - sphere_mass;
    let mut across = cylinder_mass * (3.0 * radius * radius + height * height) / 12.0;
    let mut along = cylinder_mass * radius * radius / 2.0;
    let sphere = 2.0 * sphere_mass * radius * radius / 5.0;
    across += sphere + sphere_mass * height * (3.0 * radius + 2.0 * height) / 8.0;
    along += sphere;
    [across, across, along]
}

fn capsule_shell(size: Vec3, mass: f64) -> Vec3 {
    let (radius, half_height, height) = (size[0], size[1], 2.0 * size[1]);
    let sphere_area = 4.0 * PI * radius * radius;
    let cylinder_area = 2.0 * PI * radius * height;
    let total_area = sphere_area + cylinder_area;
    let sphere_mass = mass * sphere_area / total_area;
    let cylinder_mass = mass - sphere_mass;
    let mut across = cylinder_mass * (6.0 * radius * radius + height * height) / 12.0;
    let mut along = cylinder_mass * radius * radius;
    let sphere = 2.0 * sphere_mass * radius * radius / 3.0;
    // Centre of mass of a hemispherical shell, from its own centre and from the capsule's.
    let own = radius / 2.0;
    let offset = half_height + own;
    across += sphere + sphere_mass * (offset * offset - own * own);
    along += sphere;
    [across, across, along]
}

fn cylinder_shell(size: Vec3, mass: f64) -> Vec3 {
    let (radius, half_height) = (size[0], size[1]);
    let height = 2.0 * half_height;
    let disk_area = PI * radius * radius;
    let side_area = 2.0 * PI * radius * height;
    let total_area = 2.0 * disk_area + side_area;
    let disk_mass = mass * disk_area / total_area;
    let side_mass = mass - 2.0 * disk_mass;
    let mut across = side_mass * (6.0 * radius * radius + height * height) / 12.0;
    let mut along = side_mass * radius * radius;
    let disk_across = disk_mass * radius * radius / 4.0 + disk_mass * half_height * half_height;
    let disk_along = disk_mass * radius * radius / 2.0;
    across += 2.0 * disk_across;
    along += 2.0 * disk_along;
    [across, across, along]
}

/// The difference between an ellipsoid and one a micrometre larger.
fn ellipsoid_shell(size: Vec3, mass: f64) -> Vec3 {
    let inner_volume = 4.0 * PI * size[0] * size[1] * size[2] / 3.0;
    let outer_size = [size[0] + 1e-6, size[1] + 1e-6, size[2] + 1e-6];
    let outer_volume = 4.0 * PI * outer_size[0] * outer_size[1] * outer_size[2] / 3.0;
    let density = mass / (outer_volume - inner_volume);
    let inner = from_squares(size, inner_volume * density, 5.0);
    let outer = from_squares(outer_size, outer_volume * density, 5.0);
    [outer[0] - inner[0], outer[1] - inner[1], outer[2] - inner[2]]
}

fn box_shell(size: Vec3, mass: f64) -> Vec3 {
    let s = [size[0] * size[0], size[1] * size[1], size[2] * size[2]];
    let (lx, ly, lz) = (2.0 * size[0], 2.0 * size[1], 2.0 * size[2]);
    let (area_z, area_x, area_y) = (lx * ly, ly * lz, lz * lx);
    let total = 2.0 * (area_z + area_x + area_y);
    let mass_z = mass * area_z / total;
    let mass_x = mass * area_x / total;
    let mass_y = mass * area_y / total;
    let z_side = [mass_z * ly * ly / 12.0, mass_z * lx * lx / 12.0, mass_z * (lx * lx + ly * ly) / 12.0];
    let x_side = [mass_x * (ly * ly + lz * lz) / 12.0, mass_x * lz * lz / 12.0, mass_x * ly * ly / 12.0];
    let y_side = [mass_y * lz * lz / 12.0, mass_y * (lx * lx + lz * lz) / 12.0, mass_y * lx * lx / 12.0];
    [
        2.0 * (mass_z * s[2] + mass_y * s[1] + z_side[0] + x_side[0] + y_side[0]),
        2.0 * (mass_z * s[2] + mass_x * s[0] + z_side[1] + x_side[1] + y_side[1]),
        2.0 * (mass_x * s[0] + mass_y * s[1] + z_side[2] + x_side[2] + y_side[2]),
    ]
}

/// Weights of the 15-point Gauss–Kronrod rule on [0, 1].
const KRONROD_WEIGHT: [f64; 15] = [
    0.01146766, 0.03154605, 0.05239501, 0.07032663, 0.08450236, 0.09517529, 0.10221647, 0.10474107,
    0.10221647, 0.09517529, 0.08450236, 0.07032663, 0.05239501, 0.03154605, 0.01146766,
];
/// Its points x mapped to l = x³/(1−x)², which covers [0, ∞).
const KRONROD_POINT: [f64; 15] = [
    7.865151709349917e-08,
    1.7347976913907274e-05,
    0.0003548008144506193,
    0.002846636252924549,
    0.014094260903596077,
    0.053063261727396636,
    0.17041978741317773,
    0.5,
    1.4036301548686991,
    3.9353484827022642,
    11.644841677041734,
    39.53187807410903,
    177.5711362220801,
    1429.4772912937397,
    54087.416549217705,
];
/// dl/dx at the points.
const KRONROD_SLOPE: [f64; 15] = [
    5.538677720489877e-05,
    0.002080868285293228,
    0.016514126520723166,
    0.07261900344370877,
    0.23985243401862602,
    0.6868318249020725,
    1.8551129519182894,
    5.0,
    14.060031152313941,
    43.28941239611009,
    156.58546376397112,
    747.9826085305024,
    5827.4042950027115,
    116754.0197944512,
    25482945.327264845,
];

/// ∫ dx dy dz / √((dx²+l)³ (dy²+l) (dz²+l)) over l ≥ 0: the added mass of an ellipsoid along x.
fn added_mass_kappa(dx: f64, dy: f64, dz: f64) -> f64 {
    let inverse = [1.0 / (dx * dx), 1.0 / (dy * dy), 1.0 / (dz * dz)];
    let scale = (dx * dx * dx * dy * dz).powf(0.4);
    let mut kappa = 0.0;
    for i in 0..15 {
        let lambda = scale * KRONROD_POINT[i];
        let x = 1.0 + lambda * inverse[0];
        let denominator = x * (x * (1.0 + lambda * inverse[1]) * (1.0 + lambda * inverse[2])).sqrt();
        kappa += scale * KRONROD_SLOPE[i] / denominator * KRONROD_WEIGHT[i];
    }
    kappa * inverse[0]
}

/// Coefficients of the medium's forces on the ellipsoid equivalent to a geom: flag, drag and lift, added mass, added inertia.
pub(crate) fn fluid_coefficients(
    kind: GeomType,
    size: Vec3,
    active: f64,
    coefficients: [f64; 5],
) -> [f64; 12] {
    let [dx, dy, dz] = match kind {
        GeomType::Sphere => [size[0]; 3],
        GeomType::Capsule => [size[0], size[0], size[1] + size[0]],
        GeomType::Cylinder => [size[0], size[0], size[1]],
        _ => size,
    };
    let volume = 4.0 / 3.0 * PI * dx * dy * dz;
    let kx = added_mass_kappa(dx, dy, dz);
    let ky = added_mass_kappa(dy, dz, dx);
    let kz = added_mass_kappa(dz, dx, dy);
    // Numerator and denominator change sign together.
    let factor = |a: f64, b: f64, ka: f64, kb: f64| {
        let difference = a * a - b * b;
        difference * difference * (kb - ka).abs()
            / upper(EPS, (2.0 * difference + (a * a + b * b) * (ka - kb)).abs())
    };
    let inertia = [factor(dy, dz, ky, kz), factor(dz, dx, kz, kx), factor(dx, dy, kx, ky)];
    let mass = |k: f64| volume * k / upper(EPS, 2.0 - k);
    let c = coefficients;
    [
        active,
        c[0],
        c[1],
        c[2],
        c[3],
        c[4],
        mass(kx),
        mass(ky),
        mass(kz),
        volume * inertia[0] / 5.0,
        volume * inertia[1] / 5.0,
        volume * inertia[2] / 5.0,
    ]
}

/// Mass, centre, orientation and diagonal inertia of one part of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub mass: f64,
    pub pos: Vec3,
    pub quat: Quat,
    pub inertia: Vec3,
}

/// A diagonal inertia rotated by `q`: xx, yy, zz, xy, xz, yz.
fn rotated(local: Vec3, q: &Quat) -> [f64; 6] {
    let m = quat::to_mat(q);
    let t = [
        [m[0] * local[0], m[3] * local[0], m[6] * local[0]],
        [m[1] * local[1], m[4] * local[1], m[7] * local[1]],
        [m[2] * local[2], m[5] * local[2], m[8] * local[2]],
    ];
    let entry = |row: usize, col: usize| {
        m[3 * row] * t[0][col] + m[3 * row + 1] * t[1][col] + m[3 * row + 2] * t[2][col]
    };
    [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)]
}

/// Inertia of a point mass at `v`.
fn offset_inertia(mass: f64, v: Vec3) -> [f64; 6] {
    [
        mass * (v[1] * v[1] + v[2] * v[2]),
        mass * (v[0] * v[0] + v[2] * v[2]),
        mass * (v[0] * v[0] + v[1] * v[1]),
        -mass * v[0] * v[1],
        -mass * v[0] * v[2],
        -mass * v[1] * v[2],
    ]
}

/// Principal axes and moments of a symmetric inertia matrix; none if its first entry is not a number, which means "not given".
pub(crate) fn principal(full: &[f64; 6]) -> Result<Option<(Quat, Vec3)>, &'static str> {
    if full[0].is_nan() {
        return Ok(None);
    }
    let (moments, axes) = principal_axes(&symmetric(full));
    if moments[2] < EPS { Err("inertia must have positive eigenvalues") } else { Ok(Some((axes, moments))) }
}

/// Help for an inertia matrix whose principal moments are not all positive.
pub(crate) fn help_with_moments(full: &[f64; 6]) -> String {
    let ([a, b, c], axes) = principal_axes(&symmetric(full));
    let (_, [x, y, z]) = nearest_possible([a, b, c], axes);
    format!(
        "no rigid body has this inertia: its principal moments are ({a}, {b}, {c}), and often a product of inertia such as ixy is \
         wrong; the nearest possible moments are ({x}, {y}, {z}), which the option 'repair_inertia' (--repair-inertia) gives to \
         the links of a URDF"
    )
}

/// Principal axes and moments of the possible inertia nearest to a matrix xx, yy, zz, xy, xz, yz; none if the matrix is possible.
pub fn repaired_inertia(full: &[f64; 6]) -> Option<(Quat, Vec3)> {
    let (moments, axes) = principal_axes(&symmetric(full));
    let possible = moments[2] >= EPS && nearest_inertia(moments) == moments;
    (!possible && full.iter().all(|value| value.is_finite())).then(|| nearest_possible(moments, axes))
}

/// The same axes with moments of which none is less than a thousandth of the largest, nor larger than the sum of the other two.
fn nearest_possible(moments: Vec3, axes: Quat) -> (Quat, Vec3) {
    const LEAST: f64 = 1e-3;
    let largest = moments.iter().fold(EPS / LEAST, |largest, &moment| upper(largest, moment.abs()));
    (axes, nearest_inertia(moments.map(|moment| upper(moment, largest * LEAST))))
}

/// The moments nearest to `moments` that a rigid body can have. The largest may be at most the sum of the others; what it has too
/// much is taken from it and added to the others in equal parts, which is the shortest way to that plane.
pub(crate) fn nearest_inertia(moments: [f64; 3]) -> [f64; 3] {
    let mut nearest = moments;
    for largest in 0..3 {
        let [a, b] = [(largest + 1) % 3, (largest + 2) % 3];
        let excess = moments[largest] - moments[a] - moments[b];
        if excess > 0.0 {
            nearest[a] += excess / 3.0;
            nearest[b] += excess / 3.0;
            nearest[largest] = nearest[a] + nearest[b];
        }
    }
    nearest
}

fn symmetric(full: &[f64; 6]) -> [f64; 9] {
    [full[0], full[3], full[4], full[3], full[1], full[5], full[4], full[5], full[2]]
}

/// Total mass and centre of mass.
pub(crate) fn centre_of_mass(parts: &[Part]) -> (f64, Vec3) {
    let mut mass = 0.0;
    let mut moment = [0.0; 3];
    for part in parts {
        mass += part.mass;
        for i in 0..3 {
            moment[i] += part.mass * part.pos[i];
        }
    }
    (mass, [moment[0] / mass, moment[1] / mass, moment[2] / mass])
}

/// How the two terms of each part are added to the total; the reference does it in both ways, with different rounding.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Summation {
    /// (total + rotated) + offset
    TermByTerm,
    /// total + (rotated + offset)
    PartByPart,
}

/// Inertia matrix of several parts about a point.
pub(crate) fn total_inertia(parts: &[Part], centre: Vec3, summation: Summation) -> [f64; 6] {
    let mut total = [0.0; 6];
    for part in parts {
        let offset = [part.pos[0] - centre[0], part.pos[1] - centre[1], part.pos[2] - centre[2]];
        let own = rotated(part.inertia, &part.quat);
        let moved = offset_inertia(part.mass, offset);
        for j in 0..6 {
            total[j] = match summation {
                Summation::TermByTerm => total[j] + own[j] + moved[j],
                Summation::PartByPart => total[j] + (own[j] + moved[j]),
            };
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thin_shell_is_the_limit_of_a_hollowed_solid() {
        for kind in [GeomType::Box, GeomType::Capsule, GeomType::Cylinder, GeomType::Sphere] {
            let (size, step) = ([0.3, 0.4, 0.5], 1e-6);
            let outer = [0.3 + step, 0.4 + step, 0.5 + step];
            // A capsule's half length does not grow with its skin.
            let outer = if kind == GeomType::Capsule { [outer[0], 0.4, 0.0] } else { outer };
            let solid = GeomInertia::Volume;
            let (inner_volume, outer_volume) = (volume(kind, size, solid), volume(kind, outer, solid));
            let area = volume(kind, size, GeomInertia::Shell);
            assert!(((outer_volume - inner_volume) / step / area - 1.0).abs() < 1e-4, "{kind:?}");
            let density = 1.0 / (outer_volume - inner_volume);
            let inner = primitive_inertia(kind, size, solid, inner_volume * density);
            let outer = primitive_inertia(kind, outer, solid, outer_volume * density);
            let shell = primitive_inertia(kind, size, GeomInertia::Shell, 1.0);
            for i in 0..3 {
                assert!(((outer[i] - inner[i]) / shell[i] - 1.0).abs() < 1e-4, "{kind:?} axis {i}");
            }
        }
    }

    #[test]
    fn two_halves_have_the_inertia_of_the_whole() {
        let half = |x: f64| Part {
            mass: 1.0,
            pos: [x, 0.0, 0.0],
            quat: quat::IDENTITY,
            inertia: primitive_inertia(GeomType::Box, [0.5, 0.2, 0.3], GeomInertia::Volume, 1.0),
        };
        let parts = [half(-0.5), half(0.5)];
        let (mass, centre) = centre_of_mass(&parts);
        assert_eq!((mass, centre), (2.0, [0.0; 3]));
        let total = total_inertia(&parts, centre, Summation::TermByTerm);
        let whole = primitive_inertia(GeomType::Box, [1.0, 0.2, 0.3], GeomInertia::Volume, 2.0);
        for i in 0..3 {
            assert!((total[i] - whole[i]).abs() < 1e-15);
        }
    }
}
