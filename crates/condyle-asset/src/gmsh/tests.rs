use super::*;
use crate::error::Location;

const TEXT_41: &str = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n\
    0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n";
const TEXT_22: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n\
    $Elements\n2\n1 2 2 0 1 1 2 3\n2 2 2 0 1 1 3 4\n$EndElements\n";

fn tetrahedron() -> GmshData {
    GmshData {
        dim: 3,
        points: vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
        elements: vec![0, 1, 2, 3],
    }
}

fn binary_41() -> Vec<u8> {
    let words = |numbers: &[u64]| numbers.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    let halves = |numbers: &[i32]| numbers.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    let mut bytes = b"$MeshFormat\n4.1 1 8\n\x01\0\0\0\n$EndMeshFormat\n$Nodes\n".to_vec();
    bytes.extend(words(&[1, 4, 1, 4]));
    bytes.extend(halves(&[3, 1, 0]));
    bytes.extend(words(&[4, 1, 2, 3, 4]));
    bytes.extend(tetrahedron().points.iter().flat_map(|x| x.to_le_bytes()));
    bytes.extend(b"\n$EndNodes\n$Elements\n");
    bytes.extend(words(&[1, 1, 1, 1]));
    bytes.extend(halves(&[3, 1, 4]));
    bytes.extend(words(&[1, 1, 1, 2, 3, 4]));
    bytes.extend(b"\n$EndElements\n");
    bytes
}

/// A hundred equal tetrahedra on ten nodes: sections are measured as if headers had some digits.
fn binary_22(gmsh: bool) -> Vec<u8> {
    let mut bytes = b"$MeshFormat\n2.2 1 8\n\x01\0\0\0\n$EndMeshFormat\n$Nodes\n10\n".to_vec();
    for index in 0..10_i32 {
        bytes.extend((index + 1).to_le_bytes());
        for axis in 0..3 {
            bytes.extend((f64::from(index) + 0.25 * f64::from(axis)).to_le_bytes());
        }
    }
    bytes.extend(b"\n$EndNodes\n$Elements\n100\n");
    let mut words: Vec<i32> = Vec::new();
    for index in 0..100 {
        if gmsh {
            words.extend([4, 1, 2, index + 1, 0, 1]);
        } else if index == 0 {
            words.extend([4, 100, 0, 1]);
        } else {
            words.push(index + 1);
        }
        words.extend([1, 2, 3, 4]);
    }
    bytes.extend(words.iter().flat_map(|x| x.to_le_bytes()));
    bytes.extend(b"\n$EndElements\n");
    bytes
}

#[test]
fn texts_of_both_versions_are_read() {
    assert_eq!(read(TEXT_41.as_bytes()).unwrap(), tetrahedron());
    let data = read(TEXT_22.as_bytes()).unwrap();
    assert_eq!((data.dim, data.points), (2, tetrahedron().points));
    assert_eq!(data.elements, [0, 1, 2, 0, 2, 3]);
}

#[test]
fn binary_files_of_both_versions_and_layouts_are_read() {
    assert_eq!(read(&binary_41()).unwrap(), tetrahedron());
    for gmsh in [true, false] {
        let data = read(&binary_22(gmsh)).unwrap();
        assert_eq!((data.dim, data.points.len()), (3, 30));
        assert_eq!(data.points[27..], [9.0, 9.25, 9.5]);
        assert_eq!(data.elements, [0, 1, 2, 3].repeat(100));
    }
}

#[test]
fn what_is_wrong_with_a_text_is_reported_with_its_line() {
    for (from, to, line) in [
        ("4.1 0 8", "4.0 0 8", 2),
        ("4.1 0 8", "four 0 8", 2),
        ("1 4 1 4\n", "2 4 1 4\n", 6),
        ("1 4 1 4\n", "x 4 1 4\n", 5),
        ("1 4 1 4\n", "1 4 1 5\n", 6),
        ("3 1 0 4", "0 1 0 4", 6),
        ("\n3\n4\n", "\n4\n3\n", 9),
        ("1 0 0\n", "1 x 0\n", 12),
        ("3 1 4 1", "2 1 4 1", 18),
        ("3 1 4 1", "3 1 2 1", 18),
        ("1 1 2 3 4\n", "1 1 2 3\n", 20),
    ] {
        let text = TEXT_41.replacen(from, to, 1);
        assert_ne!(text, TEXT_41);
        let error = read(text.as_bytes()).unwrap_err();
        assert_eq!(error.location, Location::Line(line), "{to:?}: {error}");
    }
    for (from, to, line) in [
        ("$Nodes\n4\n", "$Nodes\n4 \n", 5),
        ("$Nodes\n4\n", "$Nodes\n", 5),
        ("$Elements\n2\n", "$Elements\n3\n", 15),
        ("1 2 2 0 1 1 2 3", "1 3 2 0 1 1 2 3", 13),
        ("1 3 4\n", "1 3 5\n", 14),
        ("1 3 4\n", "0 3 4\n", 14),
    ] {
        let text = TEXT_22.replacen(from, to, 1);
        assert_ne!(text, TEXT_22);
        let error = read(text.as_bytes()).unwrap_err();
        assert_eq!(error.location, Location::Line(line), "{to:?}: {error}");
    }
}

#[test]
fn a_node_tag_beyond_the_number_of_elements_is_refused_in_binary_2_2() {
    let mut bytes = binary_22(true);
    let last = bytes.len() - "\n$EndElements\n".len() - 4;
    bytes[last] = 101;
    assert_eq!(read(&bytes).unwrap_err().code, "gmsh-index");
    assert_eq!(read(&bytes).unwrap_err().location, Location::Byte(last));
}

#[test]
fn missing_sections_and_empty_files_are_refused() {
    assert_eq!(read(b"").unwrap_err().code, "gmsh-empty");
    assert_eq!(read(b"solid").unwrap_err().code, "gmsh-format");
    for marker in ["$Nodes", "$EndNodes", "$Elements", "$EndElements"] {
        let error = read(TEXT_41.replacen(marker, "#", 1).as_bytes()).unwrap_err();
        assert_eq!(error.code, "gmsh-section");
        assert!(error.message.contains(marker));
    }
}

/// Every way to cut a file short or to change one byte of it ends with data or an error.
#[test]
fn damaged_files_neither_panic_nor_take_much_memory() {
    for file in [TEXT_41.into(), TEXT_22.into(), binary_41(), binary_22(true), binary_22(false)] {
        for length in 0..file.len() {
            let _ = read(&file[..length]);
        }
        for at in 0..file.len() {
            for value in [0, 1, 0x7f, 0x80, 0xff, b'9', b'-', b' ', b'$'] {
                let mut damaged: Vec<u8> = file.clone();
                damaged[at] = value;
                if let Ok(data) = read(&damaged) {
                    assert!(data.points.len() + data.elements.len() <= damaged.len());
                }
            }
        }
    }
}
