//! Volume, centre of mass and moments of inertia of a triangle mesh.
//!
//! The solid is cut into pyramids from a reference point to the faces. The point is the area centroid of the faces for the
//! centre of mass, and the centre of mass for the moments. `legacy` counts every pyramid as positive, `exact` trusts the
//! orientation of the faces, `convex` takes the faces of the hull, `shell` spreads the mass over the surface.

use condyle_math::{MIN_VALUE, Mat3, Vec3, vec3};

use super::{corners, triangle};
use crate::error::AssetError;

/// What the inertia of a mesh is computed from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeshInertia {
    /// The convex hull.
    Convex,
    /// Signed volumes; the faces must be oriented consistently.
    Exact,
    /// Absolute volumes.
    Legacy,
    /// The surface.
    Shell,
}

/// Mass properties for unit density.
pub(super) struct MassProperties {
    pub(super) volume: f64,
    pub(super) centre: Vec3,
    pub(super) inertia: Mat3,
}

/// Mass properties of the mesh; `mass_faces` are the faces that carry the volume.
pub(super) fn mass_properties(
    vertices: &[Vec3],
    faces: &[i32],
    mass_faces: &[i32],
    mode: MeshInertia,
) -> Result<MassProperties, AssetError> {
    let too_small = || {
        AssetError::new("mesh-surface", "mesh surface area is too small")
            .help("check the units and the scale of the mesh")
    };
    let (area, centroid) = face_centroid(vertices, faces);
    if area < MIN_VALUE {
        return Err(too_small());
    }
    let (volume, centre) = if mode == MeshInertia::Shell {
        weighted_centre(vertices, faces, centroid, |area, _, _| area)
    } else {
        weighted_centre(vertices, mass_faces, centroid, |area, centre, normal| {
            let volume = vec3::dot(vec3::sub(centre, centroid), normal) * area / 3.0;
            if mode == MeshInertia::Legacy { volume.abs() } else { volume }
        })
    };
    if volume < MIN_VALUE {
        return Err(if mode == MeshInertia::Shell {
            too_small()
        } else if volume < 0.0 {
            AssetError::new("mesh-volume-negative", "mesh volume is negative (misoriented triangles)")
                .help("turn the faces so that they are counter-clockwise seen from outside")
        } else {
            AssetError::new("mesh-volume", "mesh volume is too small").help("try setting inertia to shell")
        });
    }
    let (volume, inertia) = moments(vertices, mass_faces, centre, mode);
    Ok(MassProperties { volume, centre, inertia })
}

/// Total area and area centroid.
fn face_centroid(vertices: &[Vec3], faces: &[i32]) -> (f64, Vec3) {
    let mut total = 0.0;
    let mut centroid = [0.0; 3];
    for face in 0..faces.len() / 3 {
        let [a, b, c] = corners(vertices, faces, face);
        let (area, centre, _) = triangle(a, b, c);
        for i in 0..3 {
            centroid[i] += area * centre[i];
        }
        total += area;
    }
    if total >= MIN_VALUE {
        centroid = centroid.map(|x| x / total);
    }
    (total, centroid)
}

/// Sum of the weights and weighted centre of the pyramids from `apex` to the faces.
fn weighted_centre(
    vertices: &[Vec3],
    faces: &[i32],
    apex: Vec3,
    weight: impl Fn(f64, Vec3, Vec3) -> f64,
) -> (f64, Vec3) {
    let mut total = 0.0;
    let mut sum = [0.0; 3];
    for face in 0..faces.len() / 3 {
        let [a, b, c] = corners(vertices, faces, face);
        let (area, centre, normal) = triangle(a, b, c);
        let weight = weight(area, centre, normal);
        total += weight;
        for i in 0..3 {
            sum[i] += weight * (centre[i] * 3.0 / 4.0 + apex[i] / 4.0);
        }
    }
    if total >= MIN_VALUE {
        sum = sum.map(|x| x / total);
    }
    (total, sum)
}

/// Volume (again, with the apex at the centre of mass) and inertia matrix about the centre of mass.
fn moments(vertices: &[Vec3], faces: &[i32], centre_of_mass: Vec3, mode: MeshInertia) -> (f64, Mat3) {
    const PRODUCTS: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
    let divisor = if mode == MeshInertia::Shell { 12.0 } else { 20.0 };
    let mut total = 0.0;
    let mut p = [0.0; 6];
    for face in 0..faces.len() / 3 {
        let [d, e, f] = corners(vertices, faces, face).map(|corner| vec3::sub(corner, centre_of_mass));
        let (area, centre, normal) = triangle(d, e, f);
        let volume = match mode {
            MeshInertia::Shell => area,
            MeshInertia::Legacy => (vec3::dot(centre, normal) * area / 3.0).abs(),
            _ => vec3::dot(centre, normal) * area / 3.0,
        };
        total += volume;
        for (sum, (i, j)) in p.iter_mut().zip(PRODUCTS) {
            *sum += volume / divisor
                * (2.0 * (d[i] * d[j] + e[i] * e[j] + f[i] * f[j])
                    + d[i] * e[j]
                    + d[j] * e[i]
                    + d[i] * f[j]
                    + d[j] * f[i]
                    + e[i] * f[j]
                    + e[j] * f[i]);
        }
    }
    let inertia = [p[1] + p[2], -p[3], -p[4], -p[3], p[0] + p[2], -p[5], -p[4], -p[5], p[0] + p[1]];
    (total, inertia)
}

/// Half sizes of the box of the same volume and principal moments.
pub(super) fn equivalent_box(moments: Vec3, volume: f64) -> Result<Vec3, AssetError> {
    if moments[2] <= 0.0 {
        let message = format!("eigenvalue of mesh inertia must be positive, the smallest is {}", moments[2]);
        return Err(AssetError::new("mesh-inertia", message)
            .help("give the mesh thickness, or use inertia=\"shell\" or inertia=\"convex\""));
    }
    let violates = |a: f64, b: f64, c: f64| a + b < c * (1.0 - 1e-6) - 1e-9;
    let [x, y, z] = moments;
    if violates(x, y, z) || violates(x, z, y) || violates(y, z, x) {
        let message = format!("eigenvalues of mesh inertia violate A + B >= C: {x}, {y}, {z}");
        return Err(AssetError::new("mesh-inertia", message)
            .help("inertia=\"convex\" computes it from the convex hull, whatever the faces are"));
    }
    Ok([
        0.5 * (6.0 * (y + z - x) / volume).sqrt(),
        0.5 * (6.0 * (x + z - y) / volume).sqrt(),
        0.5 * (6.0 * (x + y - z) / volume).sqrt(),
    ])
}
