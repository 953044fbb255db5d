//! Scene files as one mesh: Collada (`.dae`) and glTF (`.gltf`, `.glb`).
//!
//! A scene places geometries by a tree of nodes, each with a transformation relative to the one around it. All triangles of the
//! scene are taken, moved by
//! `p = U · s · T₁ · T₂ ⋯ Tₙ · v`
//! with the transformations T from the root to the node, the length s of the file's unit in metres and the rotation U that turns its
//! upward axis to z. Materials, normals, texture coordinates, cameras, lights and animations are not used.
//!
//! Files are untrusted: nodes that contain themselves, indices beyond their arrays and more triangles than [`MAX_FACES`] are errors.

mod collada;
mod gltf;
mod json;
mod xml;

use crate::error::AssetError;
use crate::mesh::MeshData;

/// Most triangles of a scene.
pub const MAX_FACES: usize = 2_000_000;
/// Nodes inside one another.
const MAX_DEPTH: usize = 64;
/// Nodes and geometries placed in a scene, each use counted.
const MAX_PLACEMENTS: usize = 100_000;

/// Reads a Collada file. `mirrored` exchanges two corners of each triangle, for meshes that will be scaled by a negative determinant.
pub fn read_collada(bytes: &[u8], mirrored: bool) -> Result<MeshData, AssetError> {
    collada::read(bytes)?.finish(mirrored)
}

/// Reads a glTF file, as text or binary. `file` gives the bytes of another file that it names.
pub fn read_gltf(
    bytes: &[u8],
    mirrored: bool,
    file: &dyn Fn(&str) -> Result<Vec<u8>, String>,
) -> Result<MeshData, AssetError> {
    gltf::read(bytes, file)?.finish(mirrored)
}

/// Paths of the files that a glTF file names, seen from its folder: its buffers, then its pictures. Nothing is named by what cannot be read.
pub fn gltf_files(bytes: &[u8]) -> Vec<String> {
    gltf::files(bytes)
}

/// An affine map, three rows of four numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Transform([[f64; 4]; 3]);

impl Transform {
    const IDENTITY: Self = Self([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);

    fn translation(t: [f64; 3]) -> Self {
        Self([[1.0, 0.0, 0.0, t[0]], [0.0, 1.0, 0.0, t[1]], [0.0, 0.0, 1.0, t[2]]])
    }

    fn scaling(s: [f64; 3]) -> Self {
        Self([[s[0], 0.0, 0.0, 0.0], [0.0, s[1], 0.0, 0.0], [0.0, 0.0, s[2], 0.0]])
    }

    /// A rotation by a quaternion, real part first, of any length but zero.
    fn rotation(q: [f64; 4]) -> Self {
        let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        if !(length > 0.0 && length.is_finite()) {
            return Self::IDENTITY;
        }
        let [w, x, y, z] = q.map(|part| part / length);
        Self([
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y), 0.0],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x), 0.0],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y), 0.0],
        ])
    }

    /// This map after `inner`.
    fn then(&self, inner: &Self) -> Self {
        let mut product = [[0.0; 4]; 3];
        for (row, own) in product.iter_mut().zip(&self.0) {
            for (column, entry) in row.iter_mut().enumerate() {
                *entry =
                    own[0] * inner.0[0][column] + own[1] * inner.0[1][column] + own[2] * inner.0[2][column];
            }
            row[3] += own[3];
        }
        Self(product)
    }

    fn apply(&self, p: [f64; 3]) -> [f64; 3] {
        self.0.map(|row| row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3])
    }

    fn mirrors(&self) -> bool {
        let [a, b, c] = self.0;
        let determinant = a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
            + a[2] * (b[0] * c[1] - b[1] * c[0]);
        determinant < 0.0
    }
}

/// The triangles of a scene so far.
#[derive(Debug, Default)]
struct Triangles {
    mesh: MeshData,
    placements: usize,
}

impl Triangles {
    /// Counts one more node or geometry.
    fn place(&mut self, depth: usize) -> Result<(), AssetError> {
        self.placements += 1;
        if depth > MAX_DEPTH || self.placements > MAX_PLACEMENTS {
            return Err(AssetError::new("scene-size", "nodes of the scene contain each other without end")
                .help("export the scene again, without instances"));
        }
        Ok(())
    }

    /// Adds triangles, given as positions and the indices of their corners.
    fn add(
        &mut self,
        transform: &Transform,
        positions: &[[f64; 3]],
        corners: &[usize],
    ) -> Result<(), AssetError> {
        let faces = self.mesh.faces.len() / 3 + corners.len() / 3;
        if faces > MAX_FACES || self.mesh.vertices.len() / 3 + positions.len() > 3 * MAX_FACES {
            let message = format!("the scene has more than {MAX_FACES} triangles");
            return Err(AssetError::new("scene-size", message).help("reduce the mesh or split it into parts"));
        }
        let first = self.mesh.vertices.len() / 3;
        for &position in positions {
            self.mesh.vertices.extend(transform.apply(position).map(|x| x as f32));
        }
        let flip = transform.mirrors();
        for corner in corners.chunks_exact(3) {
            let [a, b, c] = [corner[0], corner[1], corner[2]];
            if let Some(&wrong) = corner.iter().find(|&&corner| corner >= positions.len()) {
                let message = format!("vertex {wrong} does not exist; there are {}", positions.len());
                return Err(
                    AssetError::new("scene-index", message).help("the file is damaged; export it again")
                );
            }
            let [b, c] = if flip { [c, b] } else { [b, c] };
            self.mesh.faces.extend([a, b, c].map(|corner| (first + corner) as i32));
        }
        Ok(())
    }

    fn finish(mut self, mirrored: bool) -> Result<MeshData, AssetError> {
        if self.mesh.faces.is_empty() {
            return Err(AssetError::new("scene-empty", "the scene has no triangles")
                .help("export meshes, not curves or empty objects"));
        }
        self.mesh.check_finite()?;
        if mirrored {
            for face in self.mesh.faces.chunks_exact_mut(3) {
                face.swap(1, 2);
            }
        }
        self.mesh.merge_repeated_vertices();
        Ok(self.mesh)
    }
}

/// Corners of the triangles of a polygon, all from its first corner.
fn fan(polygon: &[usize]) -> impl Iterator<Item = usize> + '_ {
    polygon.windows(2).skip(1).flat_map(|edge| [polygon[0], edge[0], edge[1]])
}

/// Corners of the triangles of a strip, every second one turned.
fn strip(corners: &[usize]) -> impl Iterator<Item = usize> + '_ {
    corners
        .windows(3)
        .enumerate()
        .flat_map(|(index, t)| if index % 2 == 0 { [t[0], t[1], t[2]] } else { [t[1], t[0], t[2]] })
}

#[cfg(test)]
mod tests;
