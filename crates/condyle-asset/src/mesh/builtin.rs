//! Meshes made from parameters: spheres, cones, superquadrics, wedges and plates.

use std::collections::HashMap;

use condyle_math::{PI, Vec3, vec3};

use super::MeshData;
use crate::error::AssetError;
use crate::principal::normalize_slice;

/// Most vertices a made mesh may have.
pub const MAX_VERTICES: u64 = 4_000_000;

/// Kinds of made meshes with their parameters in the order of the model file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuiltinMesh {
    /// Icosphere: subdivisions (0 to 4).
    Sphere,
    /// Upper half of a sphere with a flat cap: resolution (0 to 10).
    Hemisphere,
    /// Cone or frustum: number of edges, radius of the top.
    Cone,
    /// Superellipsoid: resolution, two exponents.
    Supersphere,
    /// Supertoroid: resolution, tube radius, two exponents.
    Supertorus,
    /// Part of a sphere seen from its centre: two resolutions, two fields of view in degrees, foveal deformation.
    Wedge,
    /// Flat grid: two resolutions. Its inertia is that of a shell.
    Plate,
}

/// Makes a mesh; a [`BuiltinMesh::Plate`] has to be compiled with shell inertia.
pub fn builtin_mesh(kind: BuiltinMesh, parameters: &[f64]) -> Result<MeshData, AssetError> {
    match (kind, parameters) {
        (BuiltinMesh::Sphere, &[subdivisions]) => {
            let subdivisions = integer("Sphere subdivision", subdivisions, 0, 4)?;
            Ok(sphere(subdivisions))
        }
        (BuiltinMesh::Hemisphere, &[resolution]) => {
            let resolution = integer("Hemisphere resolution", resolution, 0, 10)?;
            Ok(hemisphere(resolution))
        }
        (BuiltinMesh::Cone, &[edges, radius]) => {
            let edges = integer("Cone edge count", edges, 1, MAX_VERTICES as i32 / 2)?;
            Ok(cone(edges, radius))
        }
        (BuiltinMesh::Supersphere, &[resolution, e, n]) => {
            let resolution = integer("Supersphere resolution", resolution, 3, 2000)?;
            range("Supersphere 'e'", e, e >= 0.0, "cannot be negative")?;
            range("Supersphere 'n'", n, n >= 0.0, "cannot be negative")?;
            Ok(supersphere(resolution, e, n))
        }
        (BuiltinMesh::Supertorus, &[resolution, radius, s, t]) => {
            let resolution = integer("Supertorus resolution", resolution, 3, 2000)?;
            range("Supertorus radius", radius, radius > 0.0 && radius <= 1.0, "must be in (0, 1]")?;
            range("Supertorus 's'", s, s > 0.0, "must be greater than 0")?;
            range("Supertorus 't'", t, t > 0.0, "must be greater than 0")?;
            Ok(supertorus(resolution, radius, s, t))
        }
        (BuiltinMesh::Wedge, &[horizontal, vertical, fov_x, fov_y, gamma]) => {
            range("Wedge fov[0]", fov_x, fov_x > 0.0 && fov_x <= 180.0, "must be in (0, 180] degrees")?;
            range("Wedge fov[1]", fov_y, fov_y > 0.0 && fov_y <= 90.0, "must be in (0, 90] degrees")?;
            let resolution = grid(horizontal, vertical)?;
            range("Wedge gamma", gamma, gamma >= 0.0 && gamma <= 1.0, "must be in [0, 1]")?;
            Ok(wedge(resolution, [fov_x, fov_y], gamma))
        }
        (BuiltinMesh::Plate, &[horizontal, vertical]) => Ok(plate(grid(horizontal, vertical)?)),
        _ => {
            let count = match kind {
                BuiltinMesh::Sphere | BuiltinMesh::Hemisphere => 1,
                BuiltinMesh::Cone | BuiltinMesh::Plate => 2,
                BuiltinMesh::Supersphere => 3,
                BuiltinMesh::Supertorus => 4,
                BuiltinMesh::Wedge => 5,
            };
            let message =
                format!("{kind:?} mesh type requires {count} parameters, found {}", parameters.len());
            Err(AssetError::new("mesh-builtin", message))
        }
    }
}

fn integer(what: &str, value: f64, low: i32, high: i32) -> Result<usize, AssetError> {
    let value = value as i32;
    if value < low || value > high {
        let message = format!("{what} must be between {low} and {high}, found {value}");
        return Err(AssetError::new("mesh-builtin", message));
    }
    Ok(value as usize)
}

fn range(what: &str, value: f64, valid: bool, rule: &str) -> Result<(), AssetError> {
    if valid { Ok(()) } else { Err(AssetError::new("mesh-builtin", format!("{what} {rule}, found {value}"))) }
}

fn grid(horizontal: f64, vertical: f64) -> Result<[usize; 2], AssetError> {
    let (h, v) = (horizontal as i32, vertical as i32);
    if h <= 0 || v <= 0 {
        return Err(AssetError::new("mesh-builtin", "horizontal and vertical resolutions must be positive"));
    }
    if h as u64 * v as u64 > MAX_VERTICES {
        return Err(AssetError::new(
            "mesh-builtin",
            format!("{h} by {v} points are more than {MAX_VERTICES}"),
        ));
    }
    Ok([h as usize, v as usize])
}

fn to_f32(v: Vec3) -> [f32; 3] {
    v.map(|x| x as f32)
}

/// Rows of points from the pole to the equator on four sides, each row one longer than the one before.
fn hemisphere(resolution: usize) -> MeshData {
    const POLE: Vec3 = [0.0, 0.0, 1.0];
    const EQUATOR: [Vec3; 4] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]];
    let mut vertices = vec![to_f32(POLE)];
    for row in 0..=resolution {
        for side in 0..4 {
            let factor = (row + 1) as f64 / (resolution + 1) as f64;
            let along = |corner: Vec3| [0, 1, 2].map(|i| POLE[i] + factor * (corner[i] - POLE[i]));
            let (start, end) = (along(EQUATOR[side]), along(EQUATOR[(side + 1) % 4]));
            let step = [0, 1, 2].map(|i| (end[i] - start[i]) / (row + 1) as f64);
            for k in 0..=row {
                let p = [0, 1, 2].map(|i| start[i] + k as f64 * step[i]);
                let norm = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt();
                vertices.push(to_f32(p.map(|x| x / norm)));
            }
        }
    }
    let centre = vertices.len() as i32;
    vertices.push([0.0; 3]);

    let mut faces: Vec<[i32; 3]> = vec![[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]];
    for row in 0..resolution as i32 {
        let start = 2 * row * (row + 1) + 1;
        let count = 4 * (row + 1);
        let next_start = start + count;
        let next_count = 4 * (row + 2);
        for side in 0..4 {
            for i in 0..row + 2 {
                let here = i + (row + 1) * side;
                let below = i + (row + 2) * side;
                let a = start + here % count;
                let c = next_start + (below + 1) % next_count;
                faces.push([a, next_start + below % next_count, c]);
                if i < row + 1 {
                    faces.push([a, c, start + (here + 1) % count]);
                }
            }
        }
    }
    let resolution = resolution as i32;
    let start = 2 * resolution * (resolution + 1) + 1;
    let count = 4 * (resolution + 1);
    for i in 0..count {
        faces.push([start + i, centre, start + (i + 1) % count]);
    }
    mesh(vertices, faces)
}

/// Icosahedron with every face split in four, points moved to the unit sphere.
fn sphere(subdivisions: usize) -> MeshData {
    let phi = ((1.0 + 5.0_f64.sqrt()) / 2.0) as f32;
    let norm = (1.0 + f64::from(phi * phi)).sqrt();
    let mut vertices: Vec<[f32; 3]> = [
        [-1.0, phi, 0.0],
        [1.0, phi, 0.0],
        [-1.0, -phi, 0.0],
        [1.0, -phi, 0.0],
        [0.0, -1.0, phi],
        [0.0, 1.0, phi],
        [0.0, -1.0, -phi],
        [0.0, 1.0, -phi],
        [phi, 0.0, -1.0],
        [phi, 0.0, 1.0],
        [-phi, 0.0, -1.0],
        [-phi, 0.0, 1.0],
    ]
    .map(|v: [f32; 3]| v.map(|x| (f64::from(x) / norm) as f32))
    .to_vec();
    let mut faces: Vec<[i32; 3]> = vec![
        [0, 11, 5],
        [0, 5, 1],
        [0, 1, 7],
        [0, 7, 10],
        [0, 10, 11],
        [1, 5, 9],
        [5, 11, 4],
        [11, 10, 2],
        [10, 7, 6],
        [7, 1, 8],
        [3, 9, 4],
        [3, 4, 2],
        [3, 2, 6],
        [3, 6, 8],
        [3, 8, 9],
        [4, 9, 5],
        [2, 4, 11],
        [6, 2, 10],
        [8, 6, 7],
        [9, 8, 1],
    ];
    for _ in 0..subdivisions {
        let mut midpoints: HashMap<(i32, i32), i32> = HashMap::new();
        let mut midpoint = |a: i32, b: i32| {
            *midpoints.entry((a.min(b), a.max(b))).or_insert_with(|| {
                let (p, q) = (vertices[a as usize], vertices[b as usize]);
                let middle = [(p[0] + q[0]) / 2.0, (p[1] + q[1]) / 2.0, (p[2] + q[2]) / 2.0];
                let norm = (middle[0] * middle[0] + middle[1] * middle[1] + middle[2] * middle[2]).sqrt();
                vertices.push(middle.map(|x| x / norm));
                vertices.len() as i32 - 1
            })
        };
        let mut finer = Vec::with_capacity(4 * faces.len());
        for [a, b, c] in faces {
            let ab = midpoint(a, b);
            let bc = midpoint(b, c);
            let ca = midpoint(c, a);
            finer.extend([[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]);
        }
        faces = finer;
    }
    mesh(vertices, faces)
}

/// `|cos ω|^m` with the sign of the cosine.
fn signed_cos(omega: f64, m: f64) -> f64 {
    omega.cos().abs().powf(m).copysign(omega.cos())
}

/// `|sin ω|^m` with the sign of the sine.
fn signed_sin(omega: f64, m: f64) -> f64 {
    omega.sin().abs().powf(m).copysign(omega.sin())
}

fn supersphere(resolution: usize, e: f64, n: f64) -> MeshData {
    let res = resolution as i32;
    let mut vertices = vec![[0.0, 0.0, -1.0_f32]];
    for i in 1..resolution {
        let v = -PI / 2.0 + i as f64 * PI / resolution as f64;
        for j in 0..resolution {
            let u = -PI + (j * 2) as f64 * PI / resolution as f64;
            vertices.push(to_f32([
                signed_cos(v, n) * signed_cos(u, e),
                signed_cos(v, n) * signed_sin(u, e),
                signed_sin(v, n),
            ]));
        }
    }
    let north = vertices.len() as i32;
    vertices.push([0.0, 0.0, 1.0]);
    let mut faces = Vec::with_capacity(2 * resolution * (resolution - 1));
    for j in 0..res {
        faces.push([0, 1 + (j + 1) % res, 1 + j]);
    }
    for i in 0..res - 2 {
        for j in 0..res {
            let v1 = 1 + i * res + j;
            let v2 = 1 + i * res + (j + 1) % res;
            let v4 = 1 + (i + 1) * res + j;
            let v3 = 1 + (i + 1) * res + (j + 1) % res;
            faces.extend([[v1, v2, v4], [v2, v3, v4]]);
        }
    }
    let last_ring = 1 + (res - 2) * res;
    for j in 0..res {
        faces.push([last_ring + j, last_ring + (j + 1) % res, north]);
    }
    mesh(vertices, faces)
}

fn supertorus(resolution: usize, radius: f64, s: f64, t: f64) -> MeshData {
    let mut vertices = Vec::with_capacity(resolution * resolution);
    let mut faces = Vec::with_capacity(2 * resolution * resolution);
    let res = resolution as i32;
    for i in 0..res {
        for j in 0..res {
            let u = 2.0 * PI * f64::from(i) / f64::from(res);
            let v = 2.0 * PI * f64::from(j) / f64::from(res);
            vertices.push(to_f32([
                (1.0 + radius * signed_cos(v, s)) * signed_cos(u, t),
                (1.0 + radius * signed_cos(v, s)) * signed_sin(u, t),
                radius * signed_sin(v, s),
            ]));
            let (i_next, j_next) = ((i + 1) % res, (j + 1) % res);
            let v4 = i * res + j_next;
            let v2 = i_next * res + j;
            faces.extend([[i * res + j, v2, v4], [v2, i_next * res + j_next, v4]]);
        }
    }
    mesh(vertices, faces)
}

/// `count` values from −1 to 1, by repeated addition of the step.
fn spread(count: usize) -> Vec<f64> {
    let step = if count > 1 { 2.0 / (count - 1) as f64 } else { 0.0 };
    let mut value = -1.0;
    (0..count)
        .map(|_| {
            let current = value;
            value += step;
            current
        })
        .collect()
}

/// Edges of the bins of one direction in radians, denser in the middle for a positive `gamma`.
fn bin_edges(count: usize, fov: f64, gamma: f64) -> Vec<f64> {
    let scale = fov * PI / 180.0;
    spread(count + 1)
        .into_iter()
        .map(|x| if gamma == 0.0 { x } else { gamma * x.powf(5.0) + (1.0 - gamma) * x })
        .map(|x| scale * x)
        .collect()
}

/// Points on the unit sphere at the bin centres, each with a normal and two tangents.
fn wedge(resolution: [usize; 2], fov: [f64; 2], gamma: f64) -> MeshData {
    let x_edges = bin_edges(resolution[0], fov[0], gamma);
    let y_edges = bin_edges(resolution[1], fov[1], gamma);
    let mut data = MeshData::default();
    for x in x_edges.windows(2) {
        for y in y_edges.windows(2) {
            let a = 0.5 * (x[1] + x[0]);
            let e = 0.5 * (y[1] + y[0]);
            data.vertices.extend(to_f32([e.cos() * a.sin(), e.sin(), -e.cos() * a.cos()]));
            let mut azimuth = [e.cos() * a.cos(), 0.0, e.cos() * a.sin()];
            let mut elevation = [-e.sin() * a.sin(), e.cos(), e.sin() * a.cos()];
            normalize_slice(&mut azimuth);
            normalize_slice(&mut elevation);
            data.normals.extend(to_f32(vec3::cross(elevation, azimuth)));
            data.normals.extend(to_f32(azimuth));
            data.normals.extend(to_f32(elevation));
        }
    }
    data
}

fn plate(resolution: [usize; 2]) -> MeshData {
    let [rows, columns] = resolution;
    let mut data = MeshData::default();
    let step = [2.0 / rows as f64, 2.0 / columns as f64];
    for i in 0..rows {
        for j in 0..columns {
            data.vertices.extend(to_f32([
                -1.0 + (i as f64 + 0.5) * step[0],
                -1.0 + (j as f64 + 0.5) * step[1],
                -1.0,
            ]));
            data.normals.extend([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
            if i > 0 && j > 0 {
                let at = |i: usize, j: usize| (i * columns + j) as i32;
                data.faces.extend([
                    at(i - 1, j - 1),
                    at(i, j - 1),
                    at(i - 1, j),
                    at(i, j),
                    at(i - 1, j),
                    at(i, j - 1),
                ]);
            }
        }
    }
    data
}

/// Points of the two rims, or of one rim and the tip; the hull gives the faces.
fn cone(edges: usize, radius: f64) -> MeshData {
    let mut vertices = Vec::new();
    let angle = |i: usize| (2 * i) as f64 * PI / edges as f64;
    for i in 0..edges {
        vertices.push(to_f32([angle(i).cos(), angle(i).sin(), -1.0]));
    }
    if radius > 0.0 {
        for i in edges..2 * edges {
            vertices.push(to_f32([radius * angle(i).cos(), radius * angle(i).sin(), 1.0]));
        }
    } else {
        vertices.push([0.0, 0.0, 1.0]);
    }
    mesh(vertices, Vec::new())
}

fn mesh(vertices: Vec<[f32; 3]>, faces: Vec<[i32; 3]>) -> MeshData {
    MeshData { vertices: vertices.into_flattened(), faces: faces.into_flattened(), ..MeshData::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{MeshInertia, MeshOptions, compile_mesh};

    #[test]
    fn closed_meshes_have_consistent_orientation_and_the_right_volume() {
        let options = MeshOptions { inertia: MeshInertia::Exact, ..MeshOptions::default() };
        for (kind, parameters, volume) in [
            (BuiltinMesh::Sphere, &[4.0][..], 4.0 / 3.0 * PI),
            (BuiltinMesh::Hemisphere, &[10.0], 2.0 / 3.0 * PI),
            (BuiltinMesh::Supersphere, &[40.0, 1.0, 1.0], 4.0 / 3.0 * PI),
            (BuiltinMesh::Supertorus, &[60.0, 0.5, 1.0, 1.0], 2.0 * PI * PI * 0.25),
        ] {
            let mesh = compile_mesh(builtin_mesh(kind, parameters).unwrap(), &options).unwrap();
            assert!((mesh.volume / volume - 1.0).abs() < 0.03, "{kind:?} {}", mesh.volume);
        }
    }

    #[test]
    fn parameters_are_checked() {
        assert!(builtin_mesh(BuiltinMesh::Sphere, &[5.0]).is_err());
        assert!(builtin_mesh(BuiltinMesh::Sphere, &[]).is_err());
        assert!(builtin_mesh(BuiltinMesh::Plate, &[1e9, 1e9]).is_err());
        assert!(builtin_mesh(BuiltinMesh::Wedge, &[10.0, 10.0, 30.0, f64::NAN, 0.5]).is_err());
    }

    #[test]
    fn wedges_carry_three_directions_per_vertex() {
        let data = builtin_mesh(BuiltinMesh::Wedge, &[4.0, 3.0, 60.0, 30.0, 0.5]).unwrap();
        assert_eq!((data.vertices.len(), data.normals.len()), (36, 108));
    }
}
