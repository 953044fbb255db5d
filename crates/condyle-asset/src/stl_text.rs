//! STL as text: `facet` blocks of three `vertex` lines. MuJoCo reads the binary form only; exporters write both.
//!
//! Words are what counts: the layout in lines is free, names after `solid` are skipped, and the stored normals are not used, as with
//! the binary form.

use crate::decimal;
use crate::error::AssetError;
use crate::mesh::MeshData;
use crate::stl::{MAX_COORDINATE, MAX_FACES};

/// Whether a file that is no binary STL looks like the text form: `solid` first, and a facet early on.
pub(crate) fn is_likely(bytes: &[u8]) -> bool {
    let start = bytes.trim_ascii_start();
    let head = start.get(..start.len().min(4096)).unwrap_or_default();
    start.starts_with(b"solid") && head.windows(5).any(|word| word == b"facet")
}

/// Reads the text form. `mirrored` exchanges two corners of each triangle.
pub(crate) fn read(bytes: &[u8], mirrored: bool) -> Result<MeshData, AssetError> {
    let mut mesh = MeshData::default();
    let mut corners = 0;
    for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        let number = index + 1;
        let mut words = line.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty());
        while let Some(word) = words.next() {
            match word {
                // Whatever follows is a name.
                b"solid" | b"endsolid" => break,
                b"facet" => corners = 0,
                b"vertex" => {
                    let place =
                        [words.next(), words.next(), words.next()].map(|word| word.and_then(coordinate));
                    let [Some(x), Some(y), Some(z)] = place else {
                        return Err(AssetError::new("stl-text", "a vertex needs three finite numbers")
                            .at_line(number)
                            .help("the file is damaged; export it again"));
                    };
                    if [x, y, z].iter().any(|value| value.abs() > MAX_COORDINATE) {
                        return Err(AssetError::new(
                            "stl-bounds",
                            "vertex in STL file exceeds maximum bounds",
                        )
                        .at_line(number));
                    }
                    mesh.vertices.extend([x, y, z]);
                    corners += 1;
                }
                b"endfacet" if corners != 3 => {
                    return Err(AssetError::new(
                        "stl-text",
                        format!("a facet has three vertices, this one has {corners}"),
                    )
                    .at_line(number)
                    .help("the file is damaged; export it again"));
                }
                b"endfacet" => {
                    let first = mesh.faces.len() as i32;
                    if first >= 3 * MAX_FACES {
                        let message =
                            format!("number of faces should be between 1 and {MAX_FACES} in STL file");
                        return Err(AssetError::new("stl-faces", message)
                            .at_line(number)
                            .help("reduce the mesh or split it into parts"));
                    }
                    let [b, c] = if mirrored { [2, 1] } else { [1, 2] };
                    mesh.faces.extend([first, first + b, first + c]);
                }
                _ => {}
            }
        }
    }
    if mesh.faces.is_empty() || mesh.vertices.len() != 3 * mesh.faces.len() {
        return Err(AssetError::new(
            "stl-text",
            "the text of the STL file ends before its last facet is complete",
        )
        .help("the file is incomplete or damaged; export it again"));
    }
    mesh.merge_repeated_vertices();
    Ok(mesh)
}

/// A finite number that fills the whole word.
fn coordinate(word: &[u8]) -> Option<f32> {
    let is_number = word.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
    (is_number && std::str::from_utf8(word).ok()?.parse::<f64>().is_ok()).then(|| decimal::parse(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"solid Exported facet by hand\nfacet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1 0 0\n  vertex 0 1e0 0\n endloop\nendfacet\n\
        facet normal 0 0 1 outer loop vertex 1 0 0 vertex 1 1 0 vertex 0 1 0 endloop endfacet\nendsolid\n";

    #[test]
    fn facets_become_triangles_with_shared_vertices() {
        assert!(is_likely(TEXT));
        let mesh = read(TEXT, false).unwrap();
        assert_eq!(mesh.vertices, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0]);
        assert_eq!(mesh.faces, [0, 1, 2, 1, 3, 2]);
        assert_eq!(read(TEXT, true).unwrap().faces, [0, 2, 1, 1, 2, 3]);
    }

    #[test]
    fn damaged_text_is_refused_with_its_line() {
        for (from, to, line) in [
            ("vertex 1 0 0\n", "vertex 1 0\n", 5),
            ("1e0", "nan", 6),
            ("1e0", "1e99", 6),
            ("  vertex 0 1e0 0\n", "", 7),
        ] {
            let text = std::str::from_utf8(TEXT).unwrap().replacen(from, to, 1);
            let error = read(text.as_bytes(), false).unwrap_err();
            assert_eq!(error.location, crate::error::Location::Line(line), "{error}");
        }
        assert!(read(&TEXT[..TEXT.len() - 30], false).is_err());
        assert!(read(b"solid facet", false).is_err());
    }
}
