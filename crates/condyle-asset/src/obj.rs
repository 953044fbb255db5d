//! Wavefront OBJ: vertices, normals, texture coordinates and the faces of the first group or object that has any.
//!
//! Polygons are cut into triangles by clipping ears in the plane of the two axes that show them best. Materials, lines and
//! points are not used, but a line or point element makes an object count as the first one.

use crate::decimal;
use crate::error::AssetError;
use crate::mesh::MeshData;

/// Vertex, texture coordinate and normal of one corner; −1 for none.
#[derive(Debug, Clone, Copy)]
struct Corner {
    vertex: i32,
    texcoord: i32,
    normal: i32,
}

/// Reads an OBJ file. `mirrored` exchanges two corners of each triangle, for meshes that will be scaled by a negative
/// determinant.
pub fn read(bytes: &[u8], mirrored: bool) -> Result<MeshData, AssetError> {
    let mut reader = Reader::default();
    for (index, line) in lines(bytes).enumerate() {
        reader.line(line, index + 1)?;
    }
    reader.finish(mirrored)
}

/// Lines ended by `\n`, `\r\n` or `\r`; a NUL ends what is looked at of a line.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.iter().position(|&c| c == b'\n' || c == b'\r').unwrap_or(rest.len());
        let (line, tail) = rest.split_at(end);
        rest = match tail {
            [b'\r', b'\n', tail @ ..] | [_, tail @ ..] => tail,
            [] => tail,
        };
        line.split(|&c| c == 0).next()
    })
}

fn skip_blanks(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|&c| c != b' ' && c != b'\t').unwrap_or(text.len());
    text.get(start..).unwrap_or_default()
}

/// Splits before the first character that is a blank or in `stops`.
fn split_word<'a>(text: &'a [u8], stops: &[u8]) -> (&'a [u8], &'a [u8]) {
    let end = text.iter().position(|c| matches!(c, b' ' | b'\t') || stops.contains(c)).unwrap_or(text.len());
    text.split_at(end)
}

#[derive(Default)]
struct Reader {
    vertices: Vec<f32>,
    normals: Vec<f32>,
    texcoords: Vec<f32>,
    /// Polygons since the last group or object line, as ranges of `corners`.
    polygons: Vec<(usize, usize)>,
    corners: Vec<Corner>,
    has_lines_or_points: bool,
    /// Triangles of the first shape, once it is known.
    first_shape: Option<Vec<[Corner; 3]>>,
}

impl Reader {
    fn line(&mut self, line: &[u8], number: usize) -> Result<(), AssetError> {
        let line = skip_blanks(line);
        match line {
            [b'v', b' ' | b'\t', rest @ ..] => read_numbers(rest, 3, &mut self.vertices),
            [b'v', b'n', b' ' | b'\t', rest @ ..] => read_numbers(rest, 3, &mut self.normals),
            [b'v', b't', b' ' | b'\t', rest @ ..] => read_numbers(rest, 2, &mut self.texcoords),
            [b'f', b' ' | b'\t', rest @ ..] => {
                let start = self.corners.len();
                self.read_corners(skip_blanks(rest), number)?;
                self.polygons.push((start, self.corners.len()));
            }
            [b'l' | b'p', b' ' | b'\t', rest @ ..] => {
                let start = self.corners.len();
                self.read_corners(rest, number)?;
                self.corners.truncate(start);
                self.has_lines_or_points = true;
            }
            [b'g', b' ' | b'\t', ..] => self.end_shape(false),
            [b'o', b' ' | b'\t', ..] => self.end_shape(self.has_lines_or_points),
            _ => {}
        }
        Ok(())
    }

    fn read_corners(&mut self, text: &[u8], number: usize) -> Result<(), AssetError> {
        let counts = (self.vertices.len() / 3, self.texcoords.len() / 2, self.normals.len() / 3);
        let mut rest = text;
        while !rest.is_empty() {
            let Some((corner, tail)) = read_corner(rest, counts) else {
                let word = String::from_utf8_lossy(split_word(rest, &[]).0).into_owned();
                return Err(AssetError::new(
                    "obj-index",
                    format!("could not parse OBJ file: bad index '{word}'"),
                )
                .at_line(number)
                .help("indices count from 1, or from -1 backwards, as v, v/vt, v//vn or v/vt/vn"));
            };
            self.corners.push(corner);
            rest = skip_blanks(tail);
        }
        Ok(())
    }

    /// Ends a shape at a group or object line; it is the first one if it has triangles or `counts_anyway`.
    fn end_shape(&mut self, counts_anyway: bool) {
        if self.first_shape.is_none() {
            let triangles = self.triangles();
            if !triangles.is_empty() || counts_anyway {
                self.first_shape = Some(triangles);
            }
        }
        self.polygons.clear();
        self.corners.clear();
        self.has_lines_or_points = false;
    }

    fn triangles(&self) -> Vec<[Corner; 3]> {
        let mut triangles = Vec::with_capacity(self.polygons.len());
        for &(start, end) in &self.polygons {
            if let Some(polygon) = self.corners.get(start..end) {
                cut_into_triangles(polygon, &self.vertices, &mut triangles);
            }
        }
        triangles
    }

    fn finish(mut self, mirrored: bool) -> Result<MeshData, AssetError> {
        let unfinished = !self.polygons.is_empty() || self.has_lines_or_points;
        self.end_shape(unfinished);
        let mut mesh = MeshData {
            vertices: self.vertices,
            normals: self.normals,
            texcoords: self.texcoords,
            ..MeshData::default()
        };
        for [a, b, c] in self.first_shape.unwrap_or_default() {
            for corner in if mirrored { [a, c, b] } else { [a, b, c] } {
                mesh.faces.push(corner.vertex);
                if !mesh.normals.is_empty() {
                    mesh.face_normals.push(corner.normal);
                }
                if !mesh.texcoords.is_empty() {
                    mesh.face_texcoords.push(corner.texcoord);
                }
            }
        }
        for texcoord in mesh.texcoords.as_chunks_mut::<2>().0 {
            texcoord[1] = 1.0 - texcoord[1];
        }
        mesh.check_finite()?;
        Ok(mesh)
    }
}

/// Appends `count` numbers; what is missing or unreadable is zero.
fn read_numbers(text: &[u8], count: usize, numbers: &mut Vec<f32>) {
    let mut rest = text;
    for _ in 0..count {
        let word = skip_blanks(rest);
        numbers.push(decimal::parse(word));
        rest = split_word(word, &[]).1;
    }
}

/// Reads `v`, `v/vt`, `v//vn` or `v/vt/vn`; none if an index is zero. Counts are of vertices, texture coordinates and normals.
fn read_corner(text: &[u8], counts: (usize, usize, usize)) -> Option<(Corner, &[u8])> {
    let index = |text: &[u8], count: usize| match decimal::parse_index(text) {
        0 => None,
        i if i > 0 => Some(i - 1),
        i => Some((count as i32).wrapping_add(i)),
    };
    let mut corner = Corner { vertex: index(text, counts.0)?, texcoord: -1, normal: -1 };
    let rest = match split_word(text, b"/").1 {
        [b'/', b'/', rest @ ..] => {
            corner.normal = index(rest, counts.2)?;
            split_word(rest, b"/").1
        }
        [b'/', rest @ ..] => {
            corner.texcoord = index(rest, counts.1)?;
            match split_word(rest, b"/").1 {
                [b'/', rest @ ..] => {
                    corner.normal = index(rest, counts.2)?;
                    split_word(rest, b"/").1
                }
                rest => rest,
            }
        }
        rest => rest,
    };
    // A further slash is looked at as a new corner, whose index is then zero.
    Some((corner, rest))
}

/// Coordinates `axes` of a vertex, if it exists.
fn project(vertices: &[f32], corner: Corner, axes: [usize; 2]) -> Option<[f32; 2]> {
    let start = usize::try_from(corner.vertex).ok()?.checked_mul(3)?;
    Some([*vertices.get(start + axes[0])?, *vertices.get(start + axes[1])?])
}

/// The two axes of the coordinate plane in which the first real corner of the polygon is largest.
fn best_axes(polygon: &[Corner], vertices: &[f32]) -> [usize; 2] {
    let point = |k: usize| -> Option<[f32; 3]> {
        let start = usize::try_from(polygon.get(k % polygon.len())?.vertex).ok()?.checked_mul(3)?;
        vertices.get(start..start.checked_add(3)?)?.try_into().ok()
    };
    for k in 0..polygon.len() {
        let (Some(a), Some(b), Some(c)) = (point(k), point(k + 1), point(k + 2)) else {
            continue;
        };
        let e = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
        let f = [c[0] - b[0], c[1] - b[1], c[2] - b[2]];
        let cx = (e[1] * f[2] - e[2] * f[1]).abs();
        let cy = (e[2] * f[0] - e[0] * f[2]).abs();
        let cz = (e[0] * f[1] - e[1] * f[0]).abs();
        if cx > f32::EPSILON || cy > f32::EPSILON || cz > f32::EPSILON {
            return if cx > cy && cx > cz {
                [1, 2]
            } else if cz > cx && cz > cy {
                [0, 1]
            } else {
                [0, 2]
            };
        }
    }
    [1, 2]
}

/// Clips ears until three corners are left; gives up on a polygon when a full round finds no ear.
fn cut_into_triangles(polygon: &[Corner], vertices: &[f32], triangles: &mut Vec<[Corner; 3]>) {
    if polygon.len() < 3 {
        return;
    }
    if let [a, b, c] = *polygon {
        triangles.push([a, b, c]);
        return;
    }
    let axes = best_axes(polygon, vertices);
    let mut area = 0.0_f32;
    for k in 0..polygon.len() {
        let next = polygon[(k + 1) % polygon.len()];
        if let (Some(a), Some(b)) = (project(vertices, polygon[k], axes), project(vertices, next, axes)) {
            area += (a[0] * b[1] - a[1] * b[0]) * 0.5;
        }
    }
    let mut rest = polygon.to_vec();
    let mut start = 0;
    let mut tries = rest.len();
    let mut previous = rest.len();
    while rest.len() > 3 && tries > 0 {
        let count = rest.len();
        if start >= count {
            start -= count;
        }
        if previous != count {
            previous = count;
            tries = count;
        } else {
            tries -= 1;
        }
        let ear = [0, 1, 2].map(|k| rest[(start + k) % count]);
        let at = ear.map(|corner| project(vertices, corner, axes).unwrap_or([0.0; 2]));
        let cross =
            (at[1][0] - at[0][0]) * (at[2][1] - at[1][1]) - (at[1][1] - at[0][1]) * (at[2][0] - at[1][0]);
        let covers = |k: usize| {
            project(vertices, rest[(start + k) % count], axes).is_some_and(|point| contains(&at, point))
        };
        if cross * area < 0.0 || (3..count).any(covers) {
            start += 1;
            continue;
        }
        triangles.push(ear);
        rest.remove((start + 1) % count);
    }
    if let [a, b, c] = rest[..] {
        triangles.push([a, b, c]);
    }
}

/// Whether the triangle contains the point, by counting crossings of its edges.
fn contains(triangle: &[[f32; 2]; 3], point: [f32; 2]) -> bool {
    let mut inside = false;
    let mut j = 2;
    for i in 0..3 {
        let (a, b) = (triangle[i], triangle[j]);
        if (a[1] > point[1]) != (b[1] > point[1])
            && point[0] < (b[0] - a[0]) * (point[1] - a[1]) / (b[1] - a[1]) + a[0]
        {
            inside = !inside;
        }
        j = i;
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINTS: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\n";

    #[test]
    fn only_the_first_shape_is_read() {
        let text = format!("{POINTS}g one\nf 1 2 3\ng two\nf 1 3 4\n");
        assert_eq!(read(text.as_bytes(), false).unwrap().faces, [0, 1, 2]);
        assert_eq!(read(text.as_bytes(), true).unwrap().faces, [0, 2, 1]);
    }

    #[test]
    fn polygons_become_triangles_and_indices_may_be_relative() {
        let text = format!("{POINTS}f -5 -4 -3 -2\r\nf 1/1/1 2/1/1 5/1/1\n");
        assert_eq!(read(text.as_bytes(), false).unwrap().faces, [0, 1, 2, 0, 2, 3, 0, 1, 4]);
    }

    #[test]
    fn texture_rows_are_flipped_and_missing_indices_are_minus_one() {
        let text = format!("{POINTS}vt 0.25 0.75\nvn 0 0 1\nf 1//1 2//1 3//1\n");
        let mesh = read(text.as_bytes(), false).unwrap();
        assert_eq!(mesh.texcoords, [0.25, 0.25]);
        assert_eq!(mesh.face_normals, [0, 0, 0]);
        assert_eq!(mesh.face_texcoords, [-1, -1, -1]);
    }

    #[test]
    fn bad_indices_are_reported_with_their_line() {
        let error = read(format!("{POINTS}f 1 0 2\n").as_bytes(), false).unwrap_err();
        assert_eq!(error.location, crate::Location::Line(6));
        assert!(read(b"f / / /", false).is_err());
    }

    #[test]
    fn a_degenerate_polygon_ends() {
        let text = format!("{POINTS}f 1 1 1 1 1 1\nf 9 8 7 6 5 99\n");
        assert!(read(text.as_bytes(), false).is_ok());
    }
}
