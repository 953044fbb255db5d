//! From mesh data to the arrays of a compiled model.
//!
//! The order is: checks, convex hull, normals, polygons, user transformation, inertia, move to the centre of mass and principal
//! axes, bounding volumes. Positions are computed in double precision and stored in single precision at the very end.
//! Reference: mjCMesh::Process.

mod builtin;
mod data;
mod describe;
mod fit;
mod inertia;
mod normals;
mod polygons;

use condyle_math::{MIN_VALUE, Quat, Vec3, mat3, quat, vec3};
use condyle_model::Prepared;

pub use builtin::{BuiltinMesh, MAX_VERTICES, builtin_mesh};
pub use data::MeshData;
pub use fit::{FitShape, fit_bounding_box, fit_inertia_box};
pub use inertia::MeshInertia;
pub use polygons::Polygons;

use crate::bvh::{Bvh, BvhLeaf, build_bvh, lower, upper};
use crate::error::AssetError;
use crate::hull::{self, HullGraph};
use crate::octree::{Octree, build_octree};
use crate::principal::{normalize_slice, principal_axes};

/// How a mesh is processed.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshOptions {
    /// Scale along each axis, applied after `reference_position` and `reference_orientation`.
    pub scale: Vec3,
    /// Point of the file that becomes the origin.
    pub reference_position: Vec3,
    /// Orientation of the file's axes; its inverse is applied.
    pub reference_orientation: Quat,
    /// What the inertia is computed from.
    pub inertia: MeshInertia,
    /// Whether all faces at a vertex contribute to its normal, however sharp the edge.
    pub smooth_normals: bool,
    /// Upper bound of the number of hull vertices, if positive or zero.
    pub max_hull_vertices: i32,
    /// Whether the convex hull is needed (for collisions).
    pub need_hull: bool,
    /// Whether a distance field is needed.
    pub need_distance_field: bool,
    /// Whether the mesh is moved to its centre of mass and principal axes.
    pub reorient: bool,
    /// Whether the data comes from an OBJ file, which has its own texture indices.
    pub from_obj: bool,
}

impl Default for MeshOptions {
    fn default() -> Self {
        Self {
            scale: [1.0; 3],
            reference_position: [0.0; 3],
            reference_orientation: quat::IDENTITY,
            inertia: MeshInertia::Legacy,
            smooth_normals: false,
            max_hull_vertices: -1,
            need_hull: false,
            need_distance_field: false,
            reorient: true,
            from_obj: false,
        }
    }
}

impl MeshOptions {
    /// Whether the scale turns the mesh inside out; readers then exchange two corners of each face.
    pub fn mirrored(&self) -> bool {
        !(self.scale[0] * self.scale[1] * self.scale[2] > 0.0)
    }
}

/// A mesh ready to be stored in a model.
#[derive(Debug, Clone, PartialEq)]
pub struct CompiledMesh {
    /// Whether it was read from the text form of STL, which MuJoCo does not read.
    pub from_text_stl: bool,
    /// Vertices in the inertial frame, double precision.
    pub vertices: Vec<Vec3>,
    /// Unit normals, three numbers each.
    pub normals: Vec<f32>,
    /// Texture coordinates, two numbers each.
    pub texcoords: Vec<f32>,
    /// Vertex indices, three per face.
    pub faces: Vec<i32>,
    /// Normal indices, three per face.
    pub face_normals: Vec<i32>,
    /// Texture coordinate indices, three per face, or none (a model then stores zeros).
    pub face_texcoords: Vec<i32>,
    /// Convex hull, if one was made.
    pub hull: Option<HullGraph>,
    /// Coplanar faces merged into polygons, of the hull if there is one, else of the mesh.
    pub polygons: Polygons,
    /// Centre of mass in the frame of the file after the user transformation.
    pub position: Vec3,
    /// Orientation of the principal axes.
    pub orientation: Quat,
    /// Half sizes of the box with the same inertia.
    pub inertia_box: Vec3,
    /// Lowest and highest corner of the vertices.
    pub bounds: [f64; 6],
    /// Volume, or surface area for shells.
    pub volume: f64,
    /// What the inertia was computed from.
    pub inertia: MeshInertia,
    /// Bounding volumes of the faces.
    pub bvh: Bvh,
    /// Distance field, if one was made.
    pub octree: Option<Octree>,
    /// What a simulation works out from the hull; it is kept with the mesh for the next model that has it.
    pub prepared: Prepared,
}

impl CompiledMesh {
    /// Vertices as stored in a model.
    pub fn vertices_f32(&self) -> Vec<f32> {
        self.vertices.iter().flatten().map(|&x| x as f32).collect()
    }

    /// Half sizes and centre of the bounding box: centre first.
    pub fn aabb(&self) -> [f64; 6] {
        centre_and_halves(&self.bounds)
    }
}

/// A box given by its lower and upper corner as centre and half sizes.
pub(crate) fn centre_and_halves(b: &[f64; 6]) -> [f64; 6] {
    [
        (b[0] + b[3]) / 2.0,
        (b[1] + b[4]) / 2.0,
        (b[2] + b[5]) / 2.0,
        (b[3] - b[0]) / 2.0,
        (b[4] - b[1]) / 2.0,
        (b[5] - b[2]) / 2.0,
    ]
}

/// Area, centre and unit normal of the triangle `a b c`. Below [`MIN_VALUE`] the area is zero and the normal not normalised.
fn triangle(a: Vec3, b: Vec3, c: Vec3) -> (f64, Vec3, Vec3) {
    let centre = [(a[0] + b[0] + c[0]) / 3.0, (a[1] + b[1] + c[1]) / 3.0, (a[2] + b[2] + c[2]) / 3.0];
    let normal = vec3::cross(vec3::sub(b, a), vec3::sub(c, a));
    let length = vec3::dot(normal, normal).sqrt();
    if length < MIN_VALUE {
        return (0.0, centre, normal);
    }
    (0.5 * length, centre, normal.map(|x| x / length))
}

/// The error with what is odd about the mesh.
fn described(mut error: AssetError, vertices: &[Vec3], faces: &[i32]) -> AssetError {
    error.notes = describe::describe(vertices, faces);
    error
}

/// Processes `data` as `options` ask.
pub fn compile_mesh(data: MeshData, options: &MeshOptions) -> Result<CompiledMesh, AssetError> {
    data.check(options.from_obj)?;
    let mut vertices: Vec<Vec3> = data.vertices.as_chunks::<3>().0.iter().map(|v| v.map(f64::from)).collect();
    let MeshData { mut normals, texcoords, mut faces, mut face_normals, mut face_texcoords, .. } = data;

    if options.inertia == MeshInertia::Exact {
        check_orientation(&vertices, &faces).map_err(|error| described(error, &vertices, &faces))?;
    }
    let needs_hull = options.need_hull || faces.is_empty() || options.inertia == MeshInertia::Convex;
    let hull = if needs_hull {
        Some(
            hull::convex_hull(&vertices, options.max_hull_vertices)
                .map_err(|error| described(error, &vertices, &faces))?,
        )
    } else {
        None
    };
    if let (true, Some(hull)) = (faces.is_empty(), &hull) {
        faces = hull.faces.clone();
    }
    if normals.is_empty() {
        normals = normals::vertex_normals(&vertices, &faces, options.smooth_normals);
        face_normals = faces.clone();
    }
    if !face_normals.is_empty() && face_normals.len() != faces.len() {
        return Err(AssetError::new(
            "mesh-facenormal",
            "face data must have the same size as face normal data",
        ));
    }
    if face_texcoords.is_empty() && !texcoords.is_empty() {
        face_texcoords = faces.clone();
    }
    if face_normals.is_empty() {
        let per_vertex = (normals.len() / (3 * vertices.len()).max(1)) as i32;
        face_normals = faces.iter().map(|&vertex| per_vertex.wrapping_mul(vertex)).collect();
    }
    let mut polygons = Polygons::new(&vertices, hull.as_ref().map_or(&faces, |hull| &hull.faces));

    transform(&mut vertices, &mut normals, options);

    let mass_faces = match (&hull, options.inertia) {
        (Some(hull), MeshInertia::Convex) => &hull.faces,
        _ => &faces,
    };
    let mass = inertia::mass_properties(&vertices, &faces, mass_faces, options.inertia)
        .map_err(|error| described(error, &vertices, &faces))?;
    let (values, mut orientation) = principal_axes(&mass.inertia);
    let inertia_box =
        inertia::equivalent_box(values, mass.volume).map_err(|error| described(error, &vertices, &faces))?;
    let mut position = mass.centre;
    if !options.reorient {
        position = [0.0; 3];
        orientation = quat::IDENTITY;
    }
    let bounds = recentre(&mut vertices, &mut normals, position, orientation);
    polygons.recompute_normals(&vertices);
    let bvh = face_tree(&vertices, &faces);
    let octree = match options.need_distance_field {
        true => Some(build_octree(&vertices, &faces, &bounds)?),
        false => None,
    };
    Ok(CompiledMesh {
        from_text_stl: false,
        vertices,
        normals,
        texcoords,
        faces,
        face_normals,
        face_texcoords,
        hull,
        polygons,
        position,
        orientation,
        inertia_box,
        bounds,
        volume: mass.volume,
        inertia: options.inertia,
        bvh,
        octree,
        prepared: Prepared::default(),
    })
}

/// Corners of face `face`; the indices were checked when the data came in.
fn corners(vertices: &[Vec3], faces: &[i32], face: usize) -> [Vec3; 3] {
    [0, 1, 2].map(|corner| vertices[faces[3 * face + corner] as usize])
}

/// Every directed edge of a closed, consistently oriented surface occurs once. Very small faces are left out.
fn check_orientation(vertices: &[Vec3], faces: &[i32]) -> Result<(), AssetError> {
    let mut edges = Vec::with_capacity(faces.len());
    for face in 0..faces.len() / 3 {
        let [a, b, c] = corners(vertices, faces, face);
        if triangle(a, b, c).0 > MIN_VALUE.sqrt() {
            let index = [faces[3 * face], faces[3 * face + 1], faces[3 * face + 2]];
            edges.extend([(index[0], index[1]), (index[1], index[2]), (index[2], index[0])]);
        }
    }
    edges.sort();
    match edges.windows(2).find(|pair| pair[0] == pair[1]) {
        None => Ok(()),
        Some(pair) => Err(AssetError::new(
            "mesh-orientation",
            format!(
                "faces of mesh have inconsistent orientation. Please check the faces containing the vertices {} and {}.",
                pair[0].0 + 1,
                pair[0].1 + 1
            ),
        )
        .help("make all faces counter-clockwise seen from outside, or use inertia=\"convex\" or inertia=\"legacy\"")),
    }
}

/// User offset, rotation and scale; normals are scaled with the vertices and normalised.
fn transform(vertices: &mut [Vec3], normals: &mut [f32], options: &MeshOptions) {
    let offset = options.reference_position;
    if offset != [0.0; 3] {
        for vertex in vertices.iter_mut() {
            *vertex = vec3::sub(*vertex, offset);
        }
    }
    let normals = normals.as_chunks_mut::<3>().0;
    if options.reference_orientation != quat::IDENTITY {
        let mut rotation = options.reference_orientation;
        normalize_slice(&mut rotation);
        let matrix = quat::to_mat(&rotation);
        for vertex in vertices.iter_mut() {
            *vertex = mat3::mul_vec_transposed(&matrix, *vertex);
        }
        for normal in normals.iter_mut() {
            *normal = mat3::mul_vec_transposed(&matrix, normal.map(f64::from)).map(|x| x as f32);
        }
    }
    let scale = options.scale;
    if scale != [1.0; 3] {
        for vertex in vertices.iter_mut() {
            *vertex = [vertex[0] * scale[0], vertex[1] * scale[1], vertex[2] * scale[2]];
        }
        for normal in normals.iter_mut() {
            for i in 0..3 {
                normal[i] = (f64::from(normal[i]) * scale[i]) as f32;
            }
        }
    }
    for normal in normals.iter_mut() {
        let square = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2];
        if f64::from(square) > MIN_VALUE {
            let factor = 1.0 / square.sqrt();
            *normal = normal.map(|x| x * factor);
        } else {
            *normal = [0.0, 0.0, 1.0];
        }
    }
}

/// Moves the mesh to `position` and turns it by the inverse of `orientation`; returns the bounds.
fn recentre(vertices: &mut [Vec3], normals: &mut [f32], position: Vec3, orientation: Quat) -> [f64; 6] {
    let matrix = quat::to_mat(&quat::conjugate(orientation));
    let mut bounds = [1e10, 1e10, 1e10, -1e10, -1e10, -1e10];
    for vertex in vertices {
        *vertex = mat3::mul_vec(&matrix, vec3::sub(*vertex, position));
        for i in 0..3 {
            bounds[i] = lower(bounds[i], vertex[i]);
            bounds[i + 3] = upper(bounds[i + 3], vertex[i]);
        }
    }
    for normal in normals.as_chunks_mut::<3>().0 {
        *normal = mat3::mul_vec(&matrix, normal.map(f64::from)).map(|x| x as f32);
    }
    bounds
}

/// Bounding volumes of the faces, split by the position of their circumcentres.
fn face_tree(vertices: &[Vec3], faces: &[i32]) -> Bvh {
    let leaves: Vec<BvhLeaf> = (0..faces.len() / 3)
        .map(|face| {
            let triangle = corners(vertices, faces, face);
            let (mut low, mut high) = ([f64::MAX; 3], [-f64::MAX; 3]);
            for corner in triangle {
                for i in 0..3 {
                    low[i] = lower(low[i], corner[i]);
                    high[i] = upper(high[i], corner[i]);
                }
            }
            let mut aabb = [0.0; 6];
            for i in 0..3 {
                aabb[i] = 0.5 * (low[i] + high[i]);
                aabb[i + 3] = 0.5 * (high[i] - low[i]);
            }
            BvhLeaf { id: face as i32, position: circumcentre(triangle), orientation: None, aabb }
        })
        .collect();
    build_bvh(&leaves, [0.0; 3], quat::IDENTITY)
}

/// Centre of the circle through three points; not finite for degenerate triangles.
fn circumcentre([p, q, r]: [Vec3; 3]) -> Vec3 {
    let a = vec3::sub(p, r);
    let b = vec3::sub(q, r);
    let normal = vec3::cross(a, b);
    let (a_square, b_square) = (vec3::dot(a, a), vec3::dot(b, b));
    let area = vec3::dot(normal, normal).sqrt();
    let difference = [
        a_square * b[0] - b_square * a[0],
        a_square * b[1] - b_square * a[1],
        a_square * b[2] - b_square * a[2],
    ];
    let offset = vec3::cross(difference, normal);
    [0, 1, 2].map(|i| offset[i] / (2.0 * area * area) + r[i])
}
