//! Binary STL: an 80-byte header, a triangle count and 50 bytes per triangle (normal, three vertices, attribute). What is not binary may
//! be the text form (`stl_text`).
//!
//! Vertices that are equal as numbers are merged, keeping the order of first use. The stored normals are not used.

use crate::bytes::Cursor;
use crate::error::AssetError;
use crate::mesh::MeshData;
use crate::stl_text;

/// Most triangles a file may hold.
pub const MAX_FACES: i32 = 200_000;
const HEADER: usize = 84;
const TRIANGLE: usize = 50;
/// Largest coordinate magnitude.
pub(crate) const MAX_COORDINATE: f32 = 1_073_741_824.0;

/// Whether a file is in the text form, which MuJoCo does not read. Many binary files begin with the word `solid` too, so they are
/// told apart by their size.
pub fn is_text(bytes: &[u8]) -> bool {
    !has_binary_size(bytes) && stl_text::is_likely(bytes)
}

fn has_binary_size(bytes: &[u8]) -> bool {
    let mut cursor = Cursor::new(bytes);
    let count = cursor.take(80).and_then(|_| cursor.i32()).and_then(|count| usize::try_from(count).ok());
    count.and_then(|count| count.checked_mul(TRIANGLE)) == bytes.len().checked_sub(HEADER)
}

/// Reads an STL file. `mirrored` exchanges two corners of each triangle, for meshes that will be scaled by a negative determinant.
pub fn read(bytes: &[u8], mirrored: bool) -> Result<MeshData, AssetError> {
    if bytes.is_empty() {
        return Err(AssetError::new("stl-empty", "STL file is empty"));
    }
    if is_text(bytes) {
        return stl_text::read(bytes, mirrored);
    }
    let mut cursor = Cursor::new(bytes);
    let count = cursor.take(80).and_then(|_| cursor.i32()).ok_or_else(|| {
        AssetError::new("stl-header", "invalid header in STL file: fewer than 84 bytes").at_byte(bytes.len())
    })?;
    if count < 1 || count > MAX_FACES {
        let message =
            format!("number of faces should be between 1 and {MAX_FACES} in STL file, found {count}");
        let error = AssetError::new("stl-faces", message).at_byte(80);
        return Err(error.help("reduce the mesh or split it into parts; the count is also meaningless if the file has another format"));
    }
    let faces = count as usize;
    if bytes.len() - HEADER != faces * TRIANGLE {
        let message = format!(
            "STL file has wrong size: {faces} faces need {} bytes, the file has {}",
            HEADER + faces * TRIANGLE,
            bytes.len()
        );
        let error = AssetError::new("stl-size", message).at_byte(80);
        return Err(error.help("the file is incomplete or damaged; export it again"));
    }

    let mut mesh = MeshData { faces: Vec::with_capacity(3 * faces), ..MeshData::default() };
    mesh.vertices.reserve(9 * faces);
    for face in 0..faces {
        let offset = cursor.position();
        let truncated = || AssetError::new("stl-size", "STL file ends inside a triangle").at_byte(offset);
        cursor.take(12).ok_or_else(truncated)?;
        let corners: [f32; 9] = cursor.f32_array().ok_or_else(truncated)?;
        cursor.take(2).ok_or_else(truncated)?;
        if corners.iter().any(|x| x.abs() > MAX_COORDINATE) {
            return Err(
                AssetError::new("stl-bounds", "vertex in STL file exceeds maximum bounds").at_byte(offset)
            );
        }
        if corners.iter().any(|x| !x.is_finite()) {
            return Err(AssetError::new(
                "mesh-not-finite",
                format!("face {face} has a vertex that is not finite"),
            )
            .at_byte(offset));
        }
        mesh.vertices.extend_from_slice(&corners);
        let first = 3 * face as i32;
        mesh.faces.extend(if mirrored {
            [first, first + 2, first + 1]
        } else {
            [first, first + 1, first + 2]
        });
    }
    mesh.merge_repeated_vertices();
    Ok(mesh)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(triangles: &[[f32; 9]]) -> Vec<u8> {
        let mut bytes = vec![0; 80];
        bytes.extend((triangles.len() as i32).to_le_bytes());
        for triangle in triangles {
            bytes.extend([0; 12]);
            for x in triangle {
                bytes.extend(x.to_le_bytes());
            }
            bytes.extend([0; 2]);
        }
        bytes
    }

    #[test]
    fn equal_vertices_are_merged_in_order_of_first_use() {
        let a = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
        let b = [-0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
        let mesh = read(&file(&[a, b]), false).unwrap();
        assert_eq!(mesh.vertices.len(), 12);
        assert_eq!(mesh.faces, [0, 1, 2, 0, 2, 3]);
        assert_eq!(read(&file(&[a, b]), true).unwrap().faces, [0, 2, 1, 0, 3, 2]);
    }

    #[test]
    fn lying_counts_are_refused_with_advice() {
        let mut bytes = file(&[[0.0; 9]]);
        bytes[80] = 2;
        assert_eq!(read(&bytes, false).unwrap_err().code, "stl-size");
        bytes[83] = 0x7f;
        assert_eq!(read(&bytes, false).unwrap_err().code, "stl-faces");
    }

    #[test]
    fn a_binary_file_whose_header_begins_like_text_is_binary() {
        let mut bytes = file(&[[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]]);
        bytes[..13].copy_from_slice(b"solid x facet");
        assert!(!is_text(&bytes));
        assert_eq!(read(&bytes, false).unwrap().faces, [0, 1, 2]);
    }
}
