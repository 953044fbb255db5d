//! What is odd about a mesh, in words, for the message when it cannot be used.

use condyle_math::Vec3;

use super::triangle;
use crate::hash::fast_map;

/// Thickness, relative to the largest size, below which a mesh is called flat.
const FLAT: f64 = 1e-6;

/// Facts about a mesh that explain why it has no volume, hull or inertia. Indices are in range.
pub(super) fn describe(vertices: &[Vec3], faces: &[i32]) -> Vec<String> {
    let mut notes = vec![extent(vertices, faces.len() / 3)];
    notes.extend(flatness(vertices));
    let repeated = repeated_vertices(vertices);
    if repeated > 0 {
        notes.push(format!(
            "{} {} an earlier one",
            counted(repeated, "vertex", "vertices"),
            if repeated == 1 { "repeats" } else { "repeat" }
        ));
    }
    let corners = faces.as_chunks::<3>().0;
    let empty = corners.iter().filter(|face| {
        let [a, b, c] = face.map(|vertex| vertices[vertex as usize]);
        triangle(a, b, c).0 == 0.0
    });
    let empty = empty.count();
    if empty > 0 {
        notes.push(format!("{} without area", counted(empty, "face", "faces")));
    }
    let (inverted, open) = edge_faults(corners);
    if inverted > 0 {
        notes.push(format!(
            "{} run the same way in two faces, so some faces are inverted",
            counted(inverted, "edge", "edges")
        ));
    }
    if open > 0 {
        notes.push(format!(
            "{} to one face only, so the surface is open",
            counted(open, "edge belongs", "edges belong")
        ));
    }
    notes
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn bounds(vertices: &[Vec3]) -> (Vec3, Vec3) {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for vertex in vertices {
        for i in 0..3 {
            low[i] = crate::bvh::lower(low[i], vertex[i]);
            high[i] = crate::bvh::upper(high[i], vertex[i]);
        }
    }
    (low, high)
}

fn extent(vertices: &[Vec3], faces: usize) -> String {
    let (low, high) = bounds(vertices);
    let sizes: Vec<String> = (0..3).map(|i| short(high[i] - low[i])).collect();
    format!(
        "the mesh has {} and {}, its size is {}",
        counted(vertices.len(), "vertex", "vertices"),
        counted(faces, "face", "faces"),
        sizes.join(" by ")
    )
}

/// A number with at most four digits.
fn short(value: f64) -> String {
    if value == 0.0 || (1e-3..1e5).contains(&value.abs()) {
        let text = format!("{value:.4}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        format!("{value:.3e}")
    }
}

fn flatness(vertices: &[Vec3]) -> Option<String> {
    let (low, high) = bounds(vertices);
    let size = [high[0] - low[0], high[1] - low[1], high[2] - low[2]];
    let largest = size.into_iter().fold(0.0, crate::bvh::upper);
    let axis = (0..3).find(|&i| size[i] <= FLAT * largest)?;
    Some(format!("it is flat within {} along {}", short(size[axis]), ["x", "y", "z"][axis]))
}

fn repeated_vertices(vertices: &[Vec3]) -> usize {
    let mut seen = fast_map::<[u64; 3], ()>(vertices.len());
    vertices.iter().filter(|vertex| seen.insert(vertex.map(|x| (x + 0.0).to_bits()), ()).is_some()).count()
}

/// Edges that two faces run through in the same direction, and edges of one face only.
fn edge_faults(faces: &[[i32; 3]]) -> (usize, usize) {
    let mut runs = fast_map::<u64, usize>(3 * faces.len());
    let key = |from: i32, to: i32| u64::from(from as u32) << 32 | u64::from(to as u32);
    for &[a, b, c] in faces {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            *runs.entry(key(from, to)).or_insert(0) += 1;
        }
    }
    let (mut inverted, mut open) = (0, 0);
    for &[a, b, c] in faces {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let along = runs.get_mut(&key(from, to)).map_or(0, std::mem::take);
            if along > 1 {
                inverted += 1;
            } else if along == 1 && !runs.contains_key(&key(to, from)) {
                open += 1;
            }
        }
    }
    (inverted, open)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORNERS: [Vec3; 4] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

    #[test]
    fn a_sound_mesh_has_only_its_size() {
        assert_eq!(
            describe(&CORNERS, &[0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2]),
            ["the mesh has 4 vertices and 4 faces, its size is 1 by 1 by 1"]
        );
    }

    #[test]
    fn faults_are_counted() {
        let inverted = describe(&CORNERS, &[0, 1, 2, 0, 1, 3, 1, 2, 3, 0, 3, 2]);
        assert!(inverted[1].contains("run the same way"), "{inverted:?}");
        let open = describe(&CORNERS, &[0, 2, 1, 0, 1, 3, 1, 2, 3]);
        assert_eq!(open[1], "3 edges belong to one face only, so the surface is open");
        let flat = describe(&[[0.0; 3], [2.0, 0.0, 1e-9], [0.0, 2.0, 0.0], [0.0; 3]], &[0, 1, 3]);
        assert_eq!(flat[1], "it is flat within 1.000e-9 along z");
        assert_eq!(flat[2], "1 vertex repeats an earlier one");
        assert_eq!(flat[3], "1 face without area");
    }
}
