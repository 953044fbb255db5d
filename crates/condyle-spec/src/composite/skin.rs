//! The skin of a cable of boxes: a thin two-sided sheet whose bones sit on the edges of the boxes.

use condyle_model::GeomType;

use super::{Cable, subgrid};
use crate::element::{Skin, SkinBone};

/// Bones across a cable, without and with vertices between them.
const ACROSS: usize = 2;
const ACROSS_SUBGRID: usize = 3;

/// Columns and rows of vertices on one side of the sheet.
fn sheet_size(points: usize, subgrid: usize) -> (usize, usize) {
    let across = if subgrid > 0 { ACROSS_SUBGRID } else { ACROSS };
    let fine = |bones: usize| bones.saturating_add(bones.saturating_sub(1).saturating_mul(subgrid));
    (fine(points), fine(across))
}

/// Vertices on both sides.
pub(super) fn vertex_count(points: usize, subgrid: usize) -> usize {
    let (columns, rows) = sheet_size(points, subgrid);
    columns.saturating_mul(rows).saturating_mul(2)
}

/// The skin. Vertices are all at the origin: their bones alone place them.
pub(super) fn make(cable: &Cable) -> Skin {
    debug_assert_eq!(cable.geom.kind, GeomType::Box);
    let look = &cable.skin;
    let points = cable.points.len();
    let (columns, rows) = sheet_size(points, look.subgrid);
    let across = if look.subgrid > 0 { ACROSS_SUBGRID } else { ACROSS };
    let mut bones = bones(cable, across);
    if look.subgrid > 0 {
        subgrid::bind(&mut bones, points, across, look.subgrid);
    } else {
        let side = (columns * rows) as i32;
        for (index, bone) in (0..).zip(&mut bones) {
            bone.vertid = vec![index, side + index];
            bone.vertweight = vec![1.0; 2];
        }
    }
    Skin {
        info: cable.named(format!("{}Skin", cable.prefix), None),
        file: String::new(),
        material: look.material.clone(),
        rgba: look.rgba,
        inflate: (2.0 * cable.geom.size[2]) as f32,
        group: look.group,
        vertices: vec![0.0; 3 * 2 * columns * rows],
        texcoords: if look.texcoord { texture_coordinates(columns, rows) } else { Vec::new() },
        faces: faces(columns as i32, rows as i32),
        bones,
    }
}

/// Bones at every point and across the width of the boxes.
fn bones(cable: &Cable, across: usize) -> Vec<SkinBone> {
    let points = cable.points.len();
    let [length, width, _] = cable.geom.size;
    let mut bones = Vec::with_capacity(points * across);
    for point in 0..points {
        for row in 0..across {
            // The last point has no body: it is the far end of the last one, as long as the size that was given says.
            let x = if point + 1 == points { -2.0 * length } else { 0.0 };
            let y = if row == 0 {
                -width
            } else if row + 1 == across {
                width
            } else {
                0.0
            };
            bones.push(SkinBone {
                body: cable.name('B', point),
                bindpos: [x as f32, y as f32, 0.0],
                bindquat: [1.0, 0.0, 0.0, 0.0],
                ..SkinBone::default()
            });
        }
    }
    bones
}

fn texture_coordinates(columns: usize, rows: usize) -> Vec<f32> {
    let (across, along) = ((rows - 1) as f32, (columns - 1) as f32);
    let side = (0..columns).flat_map(|x| (0..rows).flat_map(move |y| [x as f32 / along, y as f32 / across]));
    let side: Vec<f32> = side.collect();
    side.repeat(2)
}

/// Triangles of a closed sheet: two sides of `columns` × `rows` vertices that look away from each other, then the four rims.
fn faces(columns: i32, rows: i32) -> Vec<i32> {
    let side = columns * rows;
    let at = |x: i32, y: i32| x * rows + y;
    let mut faces = Vec::new();
    for back in [0, 1] {
        let (first, front) = (back * side, 1 - back);
        for x in 0..columns - 1 {
            for y in 0..rows - 1 {
                faces.extend([at(x, y), at(x + 1, y + back), at(x + 1, y + front)].map(|v| first + v));
                faces.extend([at(x, y), at(x + front, y + 1), at(x + back, y + 1)].map(|v| first + v));
            }
        }
    }
    // A rim joins the edge from a to b of the front with the same edge of the back; the second form has the opposite sense.
    let mut rim = |a: i32, b: i32, outward: bool| {
        if outward {
            faces.extend([a, b, side + b, a, side + b, side + a]);
        } else {
            faces.extend([a, side + b, b, a, side + a, side + b]);
        }
    };
    (0..columns - 1).for_each(|x| rim(at(x, 0), at(x + 1, 0), false));
    (0..columns - 1).for_each(|x| rim(at(x, rows - 1), at(x + 1, rows - 1), true));
    (0..rows - 1).for_each(|y| rim(at(0, y), at(0, y + 1), true));
    (0..rows - 1).for_each(|y| rim(at(columns - 1, y), at(columns - 1, y + 1), false));
    faces
}
