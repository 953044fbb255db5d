//! Several contacts between two boxes or meshes that meet with aligned faces, or with an edge lying in a face.

use condyle_math::{Vec3, vec3};

use super::clip::{ClipScratch, clip};
use super::features::{EdgeList, FACE_ALIGNMENT, FaceList, Simplex, edges, faces, polygon};
use super::polytope::Polytope;
use super::{CcdConfig, CcdStatus, ConvexObject};

/// Sine below which an edge counts as lying in a face (an angle of 1.6e-3).
const EDGE_ALIGNMENT: f64 = 0.00159999931;

/// Working memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContactFeatures {
    faces1: FaceList,
    faces2: FaceList,
    edges: EdgeList,
    polygon1: Vec<Vec3>,
    polygon2: Vec<Vec3>,
    clip: ClipScratch,
}

/// Replace the single pair of witness points in `status` by the overlap of the touching features, if there is one.
pub(crate) fn recover(
    config: &CcdConfig,
    status: &mut CcdStatus,
    polytope: &Polytope,
    face: u32,
    features: &mut ContactFeatures,
    first: &ConvexObject,
    second: &ConvexObject,
) {
    let corners = polytope.face(face).vertices.map(|index| polytope.vertices[index as usize]);
    let simplex1 = Simplex::new(corners.map(|v| v.index1), corners.map(|v| v.point1));
    let simplex2 = Simplex::new(corners.map(|v| v.index2), corners.map(|v| v.point2));
    let direction = vec3::sub(status.witness2[0], status.witness1[0]);
    let opposite = vec3::sub(status.witness1[0], status.witness2[0]);
    let depth = vec3::norm(direction);

    let ContactFeatures { faces1, faces2, edges: edge_list, polygon1, polygon2, clip: clip_scratch } =
        features;
    faces(faces1, first, &simplex1, opposite);
    faces(faces2, second, &simplex2, direction);

    if let Some((normal1, face1, normal2, face2)) = aligned_faces(faces1, faces2) {
        polygon(polygon1, first, face1);
        polygon(polygon2, second, face2);
        clip(config, status, clip_scratch, polygon1, polygon2, normal1, vec3::scale(normal2, depth));
    } else if simplex1.dimension < 3 && simplex1.dimension <= simplex2.dimension {
        edges(edge_list, first, &simplex1);
        if let Some((end, normal, face)) = aligned_edge(edge_list, faces2) {
            polygon(polygon2, second, face);
            let edge = [corners[0].point1, end];
            clip(config, status, clip_scratch, polygon2, &edge, normal, vec3::scale(normal, depth));
        }
    } else if simplex2.dimension < 3 {
        edges(edge_list, second, &simplex2);
        if let Some((end, normal, face)) = aligned_edge(edge_list, faces1) {
            polygon(polygon1, first, face);
            let edge = [corners[0].point2, end];
            clip(config, status, clip_scratch, polygon1, &edge, normal, vec3::scale(normal, -depth));
        }
    }
}

/// First pair of faces that look at each other: normal and number of either.
fn aligned_faces(faces1: &FaceList, faces2: &FaceList) -> Option<(Vec3, i32, Vec3, i32)> {
    for &(normal1, face1) in faces1 {
        for &(normal2, face2) in faces2 {
            if vec3::dot(normal1, normal2) < -FACE_ALIGNMENT {
                return Some((normal1, face1, normal2, face2));
            }
        }
    }
    None
}

/// First face with an edge lying in it: far end of the edge, normal and number of the face.
fn aligned_edge(edges: &EdgeList, faces: &FaceList) -> Option<(Vec3, Vec3, i32)> {
    for &(normal, face) in faces {
        for &(direction, end) in edges {
            if vec3::dot(direction, normal).abs() < EDGE_ALIGNMENT {
                return Some((end, normal, face));
            }
        }
    }
    None
}
