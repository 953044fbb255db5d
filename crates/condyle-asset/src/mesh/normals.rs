//! Vertex normals from face normals weighted by area.
//!
//! Unless smooth normals are asked for, faces whose normal is far from the vertex normal (dot product below 0.8) are taken out
//! again. Sums are kept in single precision.

use condyle_math::{MIN_VALUE, Vec3, vec3};

use crate::principal::normalize_slice;

const SHARP: f64 = 0.8;

/// One normal per vertex, three numbers each.
pub(super) fn vertex_normals(vertices: &[Vec3], faces: &[i32], smooth: bool) -> Vec<f32> {
    let mut normals = vec![[0.0_f32; 3]; vertices.len()];
    let triangles = faces.as_chunks::<3>().0;
    let face_normals: Vec<(Vec3, f64)> =
        triangles.iter().map(|face| face_normal(face.map(|vertex| vertices[vertex as usize]))).collect();
    for (face, (normal, area)) in triangles.iter().zip(&face_normals) {
        for &vertex in face {
            add(&mut normals[vertex as usize], normal, *area);
        }
    }
    if !smooth {
        let means: Vec<Vec3> = normals
            .iter()
            .map(|sum| {
                let mut mean = sum.map(f64::from);
                normalize_slice(&mut mean);
                mean
            })
            .collect();
        let mut removed = vec![[0.0_f32; 3]; vertices.len()];
        for (face, (normal, area)) in triangles.iter().zip(&face_normals) {
            for &vertex in face {
                if vec3::dot(*normal, means[vertex as usize]) < SHARP {
                    add(&mut removed[vertex as usize], normal, *area);
                }
            }
        }
        for (normal, removed) in normals.iter_mut().zip(&removed) {
            for i in 0..3 {
                normal[i] -= removed[i];
            }
        }
    }
    for normal in &mut normals {
        let length = (normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]).sqrt();
        *normal = if f64::from(length) > MIN_VALUE { normal.map(|x| x / length) } else { [0.0, 0.0, 1.0] };
    }
    normals.into_flattened()
}

/// Normal of a face and twice its area; a face too small to normalise has area zero.
fn face_normal([a, b, c]: [Vec3; 3]) -> (Vec3, f64) {
    let mut normal = vec3::cross(vec3::sub(b, a), vec3::sub(c, a));
    let area = normalize_slice(&mut normal);
    (normal, area)
}

fn add(sum: &mut [f32; 3], normal: &Vec3, weight: f64) {
    for i in 0..3 {
        sum[i] = (f64::from(sum[i]) + normal[i] * weight) as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sharp_edges_leave_only_faces_near_the_mean_normal() {
        // Two faces at a right angle share the edge 0-1; the larger one is near the mean.
        let vertices = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 10.0, 0.0], [0.0, 0.0, 1.0]];
        let faces = [0, 1, 2, 0, 3, 1];
        let smooth = vertex_normals(&vertices, &faces, true);
        let sharp = vertex_normals(&vertices, &faces, false);
        assert!(smooth[1] > 0.05);
        assert_eq!(sharp[..3], [0.0, 0.0, 1.0]);
    }
}
