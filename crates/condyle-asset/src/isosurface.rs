//! The surface where a distance field is zero, as a mesh: marching cubes on a regular grid.
//!
//! The box around the shape is divided into about 300 cells along its three sides together, in proportion to their lengths. A vertex
//! stands on every grid edge along which the field changes sign, where linear interpolation puts the zero; the signs at the eight
//! corners of a cell choose how the vertices on its edges are connected. Vertices and faces are numbered in the order in which the
//! cells are visited, x fastest, and each vertex has the normalised sum of the area vectors of its faces as its normal. All of this
//! is single precision. Reference: mjCMesh::LoadSDF and MarchingCubeCpp.

use condyle_math::Vec3;

use crate::error::AssetError;
use crate::mesh::MeshData;

/// Cells along the three sides of the box together.
const CELLS: f64 = 300.0;
/// Most grid points.
const MOST_POINTS: usize = 1 << 22;

/// The mesh of the zero set of `distance` inside the box of half sizes `half` around the origin.
pub fn isosurface(half: Vec3, distance: impl Fn(Vec3) -> f64) -> Result<MeshData, AssetError> {
    let counts = grid_counts(half)?;
    let intervals = counts.map(|count| f64::from(count) - 1.0);
    let size = counts.map(|count| count as usize);
    let coordinate =
        |axis: usize, index: usize| -half[axis] + 2.0 * half[axis] * index as f64 / intervals[axis];
    let mut field = Vec::with_capacity(size[0] * size[1] * size[2]);
    for z in 0..size[2] {
        for y in 0..size[1] {
            for x in 0..size[0] {
                field.push(distance([coordinate(0, x), coordinate(1, y), coordinate(2, z)]) as f32);
            }
        }
    }
    let surface = march(&field, size);
    let scaled = |vertex: &[f32; 3]| -> [f32; 3] {
        std::array::from_fn(|axis| {
            (2.0 * half[axis] * f64::from(vertex[axis]) / intervals[axis] - half[axis]) as f32
        })
    };
    Ok(MeshData {
        vertices: surface.vertices.iter().flat_map(scaled).collect(),
        normals: surface.normals.iter().flatten().copied().collect(),
        faces: surface.faces.iter().map(|&vertex| vertex as i32).collect(),
        ..MeshData::default()
    })
}

/// Grid points along each side.
fn grid_counts(half: Vec3) -> Result<[u32; 3], AssetError> {
    let total = half[0] + half[1] + half[2];
    let counts = half.map(|side| (CELLS / total * side).floor() + 1.0);
    let usable = counts.iter().all(|&count| (1.0..=MOST_POINTS as f64).contains(&count));
    if !usable || counts[0] * counts[1] * counts[2] > MOST_POINTS as f64 {
        let [x, y, z] = half;
        return Err(AssetError::new(
            "mesh-field",
            format!("a shape with the half sizes {x}, {y}, {z} has no surface"),
        )
        .help("give the shape positive sizes"));
    }
    Ok(counts.map(|count| count as u32))
}

/// A surface in grid coordinates.
#[derive(Default)]
struct Surface {
    vertices: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    faces: Vec<u32>,
}

/// Offset of corner `corner` of a cell: bit 0 is x, bit 1 is y, bit 2 is z.
fn corner_offset(corner: usize) -> [usize; 3] {
    [corner & 1, corner >> 1 & 1, corner >> 2 & 1]
}

/// The axis of edge `edge` of a cell and the corner where it starts. Four edges follow each axis; among those the lower of the
/// other two axes changes first.
fn edge_start(edge: usize) -> (usize, usize) {
    let (axis, place) = (edge / 4, edge % 4);
    let (low, high) = match axis {
        0 => (1, 2),
        1 => (0, 2),
        _ => (0, 1),
    };
    (axis, (place & 1) << low | (place >> 1) << high)
}

fn march(field: &[f32], size: [usize; 3]) -> Surface {
    let mut surface = Surface::default();
    // Vertices on the three edges that start at each grid point, for the present layer of points and the next.
    let mut on_edge = vec![[0_u32; 3]; 2 * size[0] * size[1]];
    let slot = |point: [usize; 3]| (point[2] % 2 * size[1] + point[1]) * size[0] + point[0];
    for z in 0..size[2].saturating_sub(1) {
        for y in 0..size[1].saturating_sub(1) {
            for x in 0..size[0].saturating_sub(1) {
                let cell = [x, y, z];
                let point = |corner: usize| -> [usize; 3] {
                    let offset = corner_offset(corner);
                    [x + offset[0], y + offset[1], z + offset[2]]
                };
                let values: [f32; 8] = std::array::from_fn(|corner| {
                    let [x, y, z] = point(corner);
                    field[(z * size[1] + y) * size[0] + x]
                });
                let case = (0..8).fold(0, |case, corner| case | usize::from(values[corner] < 0.0) << corner);
                if case == 0 || case == 255 {
                    continue;
                }
                for edge in 0..12 {
                    let (axis, start) = edge_start(edge);
                    let offset = corner_offset(start);
                    // Edges that an earlier cell shares have their vertex already.
                    let shared = (0..3).any(|other| other != axis && offset[other] == 0 && cell[other] > 0);
                    let (from, to) = (values[start], values[start | 1 << axis]);
                    if shared || (from < 0.0) == (to < 0.0) {
                        continue;
                    }
                    let place = point(start);
                    let mut vertex = place.map(|index| index as f32);
                    vertex[axis] += from / (from - to);
                    on_edge[slot(place)][axis] = surface.vertices.len() as u32;
                    surface.vertices.push(vertex);
                    surface.normals.push([0.0; 3]);
                }
                let corners = TRIANGLES[case].bytes().map(|digit| {
                    let edge = (digit as char).to_digit(12).unwrap_or(0) as usize;
                    let (axis, start) = edge_start(edge);
                    on_edge[slot(point(start))][axis]
                });
                let first = surface.faces.len();
                surface.faces.extend(corners);
                for face in first / 3..surface.faces.len() / 3 {
                    add_area_vector(&mut surface, face);
                }
            }
        }
    }
    for normal in &mut surface.normals {
        let length = (normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]).sqrt();
        *normal = normal.map(|component| component / length);
    }
    surface
}

/// Adds twice the area vector of a face to the normals of its corners.
fn add_area_vector(surface: &mut Surface, face: usize) {
    let corners = [0, 1, 2].map(|corner| surface.faces[3 * face + corner] as usize);
    let [a, b, c] = corners.map(|vertex| surface.vertices[vertex]);
    let to_a: [f32; 3] = std::array::from_fn(|i| a[i] - b[i]);
    let to_c: [f32; 3] = std::array::from_fn(|i| c[i] - b[i]);
    let area = [
        to_c[1] * to_a[2] - to_c[2] * to_a[1],
        to_c[2] * to_a[0] - to_c[0] * to_a[2],
        to_c[0] * to_a[1] - to_c[1] * to_a[0],
    ];
    for vertex in corners {
        for i in 0..3 {
            surface.normals[vertex][i] += area[i];
        }
    }
}

/// For every set of corners inside the shape (bit `n` for corner `n`), the edges whose vertices form triangles, three digits of base
/// twelve each.
#[rustfmt::skip]
const TRIANGLES: [&str; 256] = [
    "", "048", "509", "495489", "1a4", "1801a8", "1a4950", "51a5a99a8", "b15", "5b1804", "0b109b",
    "14818bb89", "a5ba45", "05b0b88ba", "40949aa9b", "8ba89b", "286", "062046", "950628", "295256654",
    "41a286", "a62a21120", "0958621a4", "61a621251295", "28615b", "604620b15", "b09b10628", "46162916919b",
    "5a45ba286", "2a625a5ba052", "286a9ba49409", "2a629a9ba", "927", "048792", "250275", "827874475",
    "1a4279", "1801a8792", "250275a41", "827871175a81", "b15279", "0485b1279", "7b1712210", "48242112717b",
    "a5ba45279", "7928ba80b05b", "ba7a407a0702", "7827b8ba8", "879867", "904947746", "086065567", "467475",
    "7867981a4", "79661a916901", "a41567506086", "a51a65675", "87986715b", "15b746794904", "08606bb6710b",
    "17b147467", "4ba45b698679", "670ba0a605b0790", "ba06707b0860a40", "67b6ba", "36a", "a36048", "36a095",
    "94895436a", "341364", "680603301", "341364950", "958836538513", "36a5b1", "15b48036a", "0b109b6a3",
    "6a3b89b18148", "b36b65564", "8368030b305b", "6b360b09b406", "6b368b89b", "2a328a", "4a3430032",
    "a28a32509", "34a394954293", "841812213", "013032", "509213281841", "529512132", "2a328a5b1",
    "b150320434a3", "38a32819b109", "9b4324294a34b14", "5b4428b24b32", "b05b30320", "3249b4b34094284",
    "32939b", "792a36", "2796a3048", "527502a36", "36a475487827", "436413927", "927301360680",
    "164136075027", "138758518278368", "36a79215b", "0486a379215b", "a362102717b1", "36ab17127142482",
    "2795645b6b36", "2798060360535b3", "02b64b40b36b27b", "6838b387b827", "37939aa98", "a04a30390379",
    "8a0a370a7075", "34a374754", "184178798371", "937903013", "758138378418508", "137175", "5b1a98a39379",
    "15ba34304370790", "8a7107087b17a37", "37a74a7147b1", "4539838437935b3", "9070370b305b", "08437b",
    "7b3", "73b", "0483b7", "5093b7", "4954893b7", "b7341a", "81a80173b", "1a4b73095", "3b79a895a51a",
    "173157", "715731804", "973930031", "148187789317", "3a4347745", "80aa7307a057", "a40a03309397",
    "3973a9a89", "286b73", "062046b73", "2869503b7", "b73654625295", "3b7a41286", "73b1201a2a62",
    "1a48629503b7", "3b762a21a291951", "173157862", "246204357315", "628031093973", "469319149739629",
    "8627457343a4", "57a20a05a62a73a", "2867393093a0a40", "2969a693a973", "3923b9", "3923b9480",
    "b50b03302", "54b482b42b23", "93b92341a", "0a801a2b923b", "41a3023b0b50", "235a858251a53b5",
    "592521123", "804123152592", "031023", "814821231", "3a4349945239", "a852353a5925805", "43a403023",
    "23a2a8", "63b6b88b9", "63b6b00b9460", "86383003b0b5", "b63b56546", "1a48b986b63b", "016b969063b61a6",
    "1a450b03b083863", "a616516b563b", "985863583531", "319469639049159", "608630310", "314346",
    "983453593a43863", "3a6059", "6383083403a4", "3a6", "6b76ab", "b6ab76048", "6b76ab095", "854895a76ab7",
    "1b7174476", "0680b6b761b0", "9504764171b7", "891761681b71951", "a15a56657", "0486576a5a15",
    "7696a1961910", "7618919714816a1", "476457", "068056576", "940974764", "897876", "72878bb8a",
    "b7aa0470a720", "095b8ab78728", "ab25424a2952b72", "4284121721b7", "71b721201", "0954181281b2b72",
    "5191291721b7", "872817157a18", "20a57a72a15a04a", "1078a7a17287097", "14a297", "872847457", "205257",
    "842472497409", "972", "26a2a99ab", "4809ab92a26a", "26a2a55ab025", "542ab2b526a2482", "4166921961b9",
    "b960161b6806926", "64b02b26b50b41b", "2681b5", "6a1612215259", "0489252152616a1", "a26a12102",
    "a16126182148", "259265645", "058568526592", "026064", "268", "8ab8b9", "4904a9ab9", "0b508b8ab",
    "ab5a54", "1841b8b98", "01b0b9", "1b4b84b08b50", "b51", "5a159a98a", "4a0a90a59a15", "10818a", "14a",
    "459498", "590", "084", "",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ball_becomes_a_closed_surface_that_faces_outwards() {
        let ball = |p: Vec3| (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt() - 0.5;
        let mesh = isosurface([0.6, 0.6, 0.6], ball).unwrap();
        let vertices = mesh.vertices.as_chunks::<3>().0;
        for (vertex, normal) in vertices.iter().zip(mesh.normals.as_chunks::<3>().0) {
            let radius = vertex.iter().map(|x| x * x).sum::<f32>().sqrt();
            assert!((radius - 0.5).abs() < 1e-3);
            let outwards: f32 = vertex.iter().zip(normal).map(|(x, n)| x * n).sum();
            assert!(outwards > 0.45);
        }
        // Euler's formula for a sphere, with 3/2 edges per face.
        assert_eq!(vertices.len() as i64 - mesh.faces.len() as i64 / 3 / 2, 2);
    }

    #[test]
    fn every_case_uses_exactly_the_edges_that_change_sign() {
        for (case, triangles) in TRIANGLES.iter().enumerate() {
            for edge in 0..12 {
                let (axis, start) = edge_start(edge);
                let crossed = (case >> start & 1) != (case >> (start | 1 << axis) & 1);
                let digit = char::from_digit(edge as u32, 12).unwrap();
                assert_eq!(triangles.contains(digit), crossed, "case {case} edge {edge}");
            }
            assert_eq!(triangles.len() % 3, 0);
        }
    }

    #[test]
    fn a_shape_without_extent_is_refused() {
        assert!(isosurface([0.0; 3], |_| 1.0).is_err());
        assert!(isosurface([1.0, 1.0, -1.5], |_| 1.0).is_err());
        assert!(isosurface([f64::NAN; 3], |_| 1.0).is_err());
    }
}
