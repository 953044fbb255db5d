//! Surfaces that come from a model: planes, meshes with their hulls, height fields and the topology of skins.

use std::collections::HashMap;

use condyle_model::{GeomType, Model};
use condyle_vis::types::MAX_PLANE_GRID;

use crate::builtin::Quality;
use crate::shape::{Patch, Shape};
use crate::vector::{Vec3, dot, triangle_normal};

const UPWARD: Vec3 = [0.0, 0.0, 1.0];

/// A surface for each plane of the model, in the order of geoms.
pub(crate) fn planes(model: &Model) -> Vec<Shape> {
    (0..model.ngeom)
        .filter(|geom| model.geom_type[*geom] == GeomType::Plane as i32)
        .map(|geom| plane(model, geom))
        .collect()
}

fn plane(model: &Model, geom: usize) -> Shape {
    let mut shape = Shape::default();
    let size = model.geom_size[geom];
    let far = f64::from(model.vis.map.zfar) * model.stat.extent;
    let material = model.geom_matid(geom);
    let repeat = material.and_then(|material| model.mat_texrepeat.get(material)).copied().unwrap_or_default();
    let [us, vs] = [0, 1].map(|axis| {
        let lines = if size[axis] > 0.0 {
            finite_lines(size[axis], size[2])
        } else {
            endless_lines(far, f64::from(repeat[axis]))
        };
        shape.add_lines(lines.into_iter().map(|line| line as f32))
    });
    shape.patches.push(Patch {
        origin: [0.0; 3],
        axis_u: [1.0, 0.0, 0.0],
        axis_v: [0.0, 1.0, 0.0],
        us,
        vs,
        normals: [UPWARD; 2],
    });
    shape.bound();
    shape
}

/// Lines at distances of twice the spacing, with a narrower cell at both ends to fill the size.
fn finite_lines(half: f64, spacing: f64) -> Vec<f64> {
    let least = half / (MAX_PLANE_GRID - 2) as f64;
    let spacing = if spacing > least { spacing } else { least };
    let room = (half / if spacing > 1e-15 { spacing } else { 1e-15 }).floor() as usize;
    let inner = room.min(MAX_PLANE_GRID) & !1;
    let pad = half - inner as f64 * spacing;
    let cells = inner + 2;
    let mut lines = vec![-half];
    for cell in 0..cells {
        let (left, right) = if cell == 0 {
            (-half, -half + pad)
        } else {
            let left = -half + pad + (cell - 1) as f64 * spacing * 2.0;
            (left, left + if cell == cells - 1 { pad } else { spacing * 2.0 })
        };
        lines[cell] = left;
        lines.push(if right > left { right } else { left });
    }
    lines
}

/// Lines that reach beyond the far end of the view; their distance is a whole number of texture repeats where there is one.
fn endless_lines(far: f64, repeat: f64) -> Vec<f64> {
    let step = if repeat > 0.0 { 2.0 / repeat } else { 2.1 * far / (MAX_PLANE_GRID - 2) as f64 };
    let distance = (2.1 * far + 2.0 * step) / MAX_PLANE_GRID as f64;
    let middle = distance * (MAX_PLANE_GRID / 2) as f64;
    (0..=MAX_PLANE_GRID).map(|line| distance * line as f64 - middle).collect()
}

/// Start of a range of an array that a model describes by address and number.
fn range(address: &[i32], count: &[i32], index: usize, length: usize) -> std::ops::Range<usize> {
    let start = usize::try_from(address[index]).unwrap_or(0).min(length);
    let end = start.saturating_add(usize::try_from(count[index]).unwrap_or(0)).min(length);
    start..end
}

/// The mesh; a corner takes the face's normal where its own differs much, unless the mesh has texture coordinates.
pub fn mesh(model: &Model, mesh: usize) -> Shape {
    let mut shape = Shape::default();
    let vertex = usize::try_from(model.mesh_vertadr[mesh]).unwrap_or(0);
    let normal = usize::try_from(model.mesh_normaladr[mesh]).unwrap_or(0);
    let texcoord = model.mesh_texcoordadr(mesh);
    let mut known: HashMap<(i32, i32, i32), u32> = HashMap::new();
    for face in range(&model.mesh_faceadr, &model.mesh_facenum, mesh, model.mesh_face.len()) {
        let vertices = model.mesh_face[face];
        let Some(corners) = fetch(&model.mesh_vert, vertex, vertices) else { continue };
        let Some(normals) = fetch(&model.mesh_normal, normal, model.mesh_facenormal[face]) else { continue };
        let uvs =
            texcoord.and_then(|first| fetch(&model.mesh_texcoord, first, model.mesh_facetexcoord[face]));
        let flat = triangle_normal(corners[0], corners[1], corners[2]);
        let mut indices = [0; 3];
        for k in 0..3 {
            let own = uvs.is_some() || f64::from(dot(normals[k], flat)) >= 0.8;
            let name = if own { model.mesh_facenormal[face][k] } else { -1 - face as i32 };
            let uv_name = if uvs.is_some() { model.mesh_facetexcoord[face][k] } else { -1 };
            indices[k] = *known.entry((vertices[k], name, uv_name)).or_insert_with(|| {
                if let Some(uvs) = uvs {
                    shape.texcoords.push(uvs[k]);
                }
                shape.corner(corners[k], if own { normals[k] } else { flat })
            });
        }
        shape.faces.push(indices);
    }
    if shape.texcoords.len() != shape.positions.len() {
        shape.texcoords.clear();
    }
    shape.bound();
    shape
}

/// Convex hull of the mesh with flat faces; empty without one.
pub fn hull(model: &Model, mesh: usize) -> Shape {
    let mut shape = Shape::default();
    let Some(graph) = model.mesh_graphadr(mesh) else { return shape };
    let size = |offset: usize| {
        model.mesh_graph.get(graph + offset).and_then(|n| usize::try_from(*n).ok()).unwrap_or(0)
    };
    let (vertices, faces) = (size(0), size(1));
    let first = graph + 2 + 3 * vertices + 3 * faces;
    let vertex = usize::try_from(model.mesh_vertadr[mesh]).unwrap_or(0);
    let texcoord = model.mesh_texcoordadr(mesh);
    for face in model.mesh_graph.get(first..first + 3 * faces).unwrap_or_default().chunks_exact(3) {
        let face = [face[0], face[1], face[2]];
        let Some(corners) = fetch(&model.mesh_vert, vertex, face) else { continue };
        let flat = triangle_normal(corners[0], corners[1], corners[2]);
        if let Some(first) = texcoord {
            shape.texcoords.extend(fetch(&model.mesh_texcoord, first, face).unwrap_or_default());
        }
        let indices = corners.map(|corner| shape.corner(corner, flat));
        shape.faces.push(indices);
    }
    shape.bound();
    shape
}

fn fetch<T: Copy>(values: &[T], first: usize, indices: [i32; 3]) -> Option<[T; 3]> {
    let get = |index: i32| values.get(first + usize::try_from(index).ok()?).copied();
    Some([get(indices[0])?, get(indices[1])?, get(indices[2])?])
}

/// Height field: two flat triangles for each cell, sides and a bottom.
pub(crate) fn height_field(model: &Model, field: usize, quality: Quality) -> Shape {
    let mut shape = Shape::default();
    let rows = usize::try_from(model.hfield_nrow[field]).unwrap_or(0);
    let columns = usize::try_from(model.hfield_ncol[field]).unwrap_or(0);
    let first = usize::try_from(model.hfield_adr[field]).unwrap_or(0);
    let Some(heights) = first
        .checked_add(rows.saturating_mul(columns))
        .and_then(|end| model.hfield_data.get(first..end))
        .filter(|_| rows > 1 && columns > 1)
    else {
        return shape;
    };
    let size = model.hfield_size[field].map(|value| value as f32);
    let (width, depth) = (0.5 * (columns - 1) as f32, 0.5 * (rows - 1) as f32);
    let at = |row: usize, column: usize| {
        [
            size[0] * (column as f32 / width - 1.0),
            size[1] * (row as f32 / depth - 1.0),
            heights[row * columns + column] * size[2],
        ]
    };
    for row in 0..rows {
        for column in 0..columns {
            shape.corner(at(row, column), UPWARD);
        }
    }
    for row in 0..rows - 1 {
        for column in 0..columns - 1 {
            let number = |row: usize, column: usize| (row * columns + column) as u32;
            let [a, b] = [number(row + 1, column), number(row, column)];
            let [c, d] = [number(row + 1, column + 1), number(row, column + 1)];
            flat_triangle(&mut shape, [a, b, c]);
            flat_triangle(&mut shape, [b, d, c]);
        }
    }
    let floor = |p: Vec3| [p[0], p[1], -size[3]];
    let mut side = |a: Vec3, b: Vec3, normal: Vec3| {
        let corners = [floor(a), floor(b), b, a].map(|corner| shape.corner(corner, normal));
        shape.quad(corners);
    };
    for row in 0..rows - 1 {
        side(at(row + 1, 0), at(row, 0), [-1.0, 0.0, 0.0]);
        side(at(row, columns - 1), at(row + 1, columns - 1), [1.0, 0.0, 0.0]);
    }
    for column in 0..columns - 1 {
        side(at(0, column), at(0, column + 1), [0.0, -1.0, 0.0]);
        side(at(rows - 1, column + 1), at(rows - 1, column), [0.0, 1.0, 0.0]);
    }
    let half = 0.5 * quality.quads as f32;
    let lines = shape.add_lines((0..=quality.quads).map(|line| line as f32 / half - 1.0));
    shape.patches.push(Patch {
        origin: [0.0, 0.0, -size[3]],
        axis_u: [0.0, size[1], 0.0],
        axis_v: [size[0], 0.0, 0.0],
        us: lines,
        vs: lines,
        normals: [[0.0, 0.0, -1.0]; 2],
    });
    shape.bound();
    shape
}

fn flat_triangle(shape: &mut Shape, face: [u32; 3]) {
    let [a, b, c] = face.map(|corner| shape.positions[corner as usize]);
    shape.flat.push(triangle_normal(a, b, c));
    shape.faces.push(face);
}

/// Faces and texture coordinates of a skin; positions and normals come with each scene.
pub fn skin(model: &Model, skin: usize) -> Shape {
    let mut shape = Shape::default();
    let vertices = usize::try_from(model.skin_vertnum[skin]).unwrap_or(0);
    for face in range(&model.skin_faceadr, &model.skin_facenum, skin, model.skin_face.len()) {
        let corners = model.skin_face[face].map(|corner| u32::try_from(corner).unwrap_or(u32::MAX));
        if corners.iter().all(|corner| (*corner as usize) < vertices) {
            shape.faces.push(corners);
        }
    }
    if let Some(first) = model.skin_texcoordadr(skin) {
        let uvs = model.skin_texcoord.get(first..first.saturating_add(vertices)).unwrap_or_default();
        shape.texcoords.extend_from_slice(uvs);
    }
    shape
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_finite_plane_span_it() {
        for (half, spacing) in [(1.0, 0.1), (5.0, 1.0), (40.0, 0.05), (1.0, 3.0), (2.0, 0.0)] {
            let lines = finite_lines(half, spacing);
            assert_eq!(lines[0], -half);
            assert!((lines[lines.len() - 1] - half).abs() < 1e-9 * half, "{half} {spacing}");
            assert!(lines.windows(2).all(|pair| pair[0] <= pair[1]));
            assert!(lines.len() <= MAX_PLANE_GRID + 1);
        }
    }

    #[test]
    fn lines_of_an_endless_plane_pass_the_far_end() {
        let lines = endless_lines(100.0, 0.5);
        assert_eq!(lines.len(), MAX_PLANE_GRID + 1);
        assert!(lines[0] < -105.0 && lines[MAX_PLANE_GRID] > 105.0);
    }
}
