//! Legacy binary mesh: four counts (vertices, normals, texture coordinates, faces) and the arrays in the same order.

use crate::bytes::Cursor;
use crate::error::AssetError;
use crate::mesh::MeshData;

/// Reads a legacy binary mesh. `mirrored` exchanges two corners of each face, for meshes that will be scaled by a negative
/// determinant.
pub fn read(bytes: &[u8], mirrored: bool) -> Result<MeshData, AssetError> {
    if bytes.is_empty() {
        return Err(AssetError::new("msh-empty", "MSH file is empty"));
    }
    let mut cursor = Cursor::new(bytes);
    let header = cursor.i32s(4).ok_or_else(|| {
        AssetError::new("msh-header", "missing header in MSH file: fewer than 16 bytes").at_byte(bytes.len())
    })?;
    let [vertices, normals, texcoords, faces] = header[..] else {
        return Err(AssetError::new("msh-header", "missing header in MSH file"));
    };
    let per_vertex = |count: i32| count == 0 || count == vertices;
    if vertices < 4 || faces < 0 || !per_vertex(normals) || !per_vertex(texcoords) {
        let message = format!(
            "invalid sizes in MSH file: {vertices} vertices, {normals} normals, {texcoords} texture coordinates, {faces} faces"
        );
        return Err(AssetError::new("msh-sizes", message).at_byte(0).help(
            "a file needs at least 4 vertices, and either no normals and texture coordinates or as many as vertices",
        ));
    }
    let expected = 16 + 12 * vertices as u64 + 12 * normals as u64 + 8 * texcoords as u64 + 12 * faces as u64;
    if bytes.len() as u64 != expected {
        let message =
            format!("unexpected file size in MSH file: header needs {expected} bytes, found {}", bytes.len());
        return Err(AssetError::new("msh-size", message).at_byte(0));
    }
    let truncated = || AssetError::new("msh-size", "MSH file ends early").at_byte(bytes.len());
    let mut mesh = MeshData {
        vertices: cursor.f32s(3 * vertices as usize).ok_or_else(truncated)?,
        normals: cursor.f32s(3 * normals as usize).ok_or_else(truncated)?,
        texcoords: cursor.f32s(2 * texcoords as usize).ok_or_else(truncated)?,
        faces: cursor.i32s(3 * faces as usize).ok_or_else(truncated)?,
        ..MeshData::default()
    };
    if faces > 0 {
        mesh.face_normals = mesh.faces.clone();
        if texcoords > 0 {
            mesh.face_texcoords = mesh.faces.clone();
        }
    }
    // Only the vertex indices are exchanged; normal and texture indices keep the order of the file.
    if mirrored {
        for face in mesh.faces.chunks_exact_mut(3) {
            face.swap(1, 2);
        }
    }
    mesh.check_finite()?;
    Ok(mesh)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: [i32; 4], floats: usize, faces: &[i32]) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend(header.iter().flat_map(|x| x.to_le_bytes()));
        bytes.extend((0..floats).flat_map(|x| (x as f32).to_le_bytes()));
        bytes.extend(faces.iter().flat_map(|x| x.to_le_bytes()));
        bytes
    }

    #[test]
    fn arrays_come_in_the_order_of_the_header() {
        let mesh = read(&file([4, 4, 4, 1], 12 + 12 + 8, &[0, 1, 2]), true).unwrap();
        assert_eq!(mesh.vertices[11], 11.0);
        assert_eq!(mesh.normals[0], 12.0);
        assert_eq!(mesh.texcoords[7], 31.0);
        assert_eq!(mesh.faces, [0, 2, 1]);
        assert_eq!(mesh.face_normals, [0, 1, 2]);
    }

    #[test]
    fn sizes_are_checked_before_reading() {
        assert_eq!(read(&file([4, 0, 0, i32::MAX], 12, &[]), false).unwrap_err().code, "msh-size");
        assert_eq!(read(&file([4, 3, 0, 0], 21, &[]), false).unwrap_err().code, "msh-sizes");
        assert_eq!(read(&[0; 15], false).unwrap_err().code, "msh-header");
    }
}
