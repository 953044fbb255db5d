//! Vertices and normals of skins: weighted sums over the bones that move each vertex, normals from the faces around it.

use condyle_engine::Data;
use condyle_math::{MIN_VALUE, mat3, quat, vec3};
use condyle_model::Model;

use crate::element::widen;
use crate::types::{GROUPS, Options, Scene};

impl Scene {
    /// Updates the skins of shown groups; those of others are set to zero. Reference: `mjv_updateActiveSkin`.
    pub fn update_skins(&mut self, model: &Model, data: &Data, options: &Options) {
        for skin in 0..model.nskin {
            let first = model.skin_vertadr[skin].max(0) as usize;
            let range = first..first + model.skin_vertnum[skin].max(0) as usize;
            let vertices = self.skins.skinvert.as_chunks_mut().0.get_mut(range.clone());
            let normals = self.skins.skinnormal.as_chunks_mut().0.get_mut(range);
            let (Some(vertices), Some(normals)) = (vertices, normals) else { continue };
            vertices.fill([0.0; 3]);
            normals.fill([0.0; 3]);
            let group = model.skin_group[skin].clamp(0, GROUPS as i32 - 1) as usize;
            if options.skingroup[group] == 0 {
                continue;
            }
            move_vertices(model, data, skin, vertices);
            set_normals(model, skin, vertices, normals);
            inflate(model.skin_inflate[skin], vertices, normals);
        }
    }
}

/// Adds each bone's share to the vertices it moves.
fn move_vertices(model: &Model, data: &Data, skin: usize, vertices: &mut [[f32; 3]]) {
    let origin = model.skin_vertadr[skin].max(0) as usize;
    let bones = model.skin_boneadr[skin].max(0) as usize;
    for bone in bones..bones + model.skin_bonenum[skin].max(0) as usize {
        let body = model.skin_bonebodyid[bone] as usize;
        let bind_rotation = widen(&model.skin_bonebindquat[bone]);
        let turn = quat::mul(data.kinematics.xquat[body], quat::conjugate(bind_rotation));
        let rotate = quat::to_mat(&turn);
        let bind_position = mat3::mul_vec(&rotate, widen(&model.skin_bonebindpos[bone]));
        let translate = vec3::sub(data.kinematics.xpos[body], bind_position);
        let entries = model.skin_bonevertadr[bone].max(0) as usize;
        for entry in entries..entries + model.skin_bonevertnum[bone].max(0) as usize {
            let vertex = model.skin_bonevertid[entry] as usize;
            let weight = model.skin_bonevertweight[entry];
            let bound = widen(&model.skin_vert[origin + vertex]);
            let moved = vec3::add(mat3::mul_vec(&rotate, bound), translate);
            for axis in 0..3 {
                vertices[vertex][axis] += weight * moved[axis] as f32;
            }
        }
    }
}

/// Normals of faces, weighted with their area, summed at their corners and made unit vectors.
fn set_normals(model: &Model, skin: usize, vertices: &[[f32; 3]], normals: &mut [[f32; 3]]) {
    let faces = model.skin_faceadr[skin].max(0) as usize;
    for face in &model.skin_face[faces..faces + model.skin_facenum[skin].max(0) as usize] {
        let corners = face.map(|vertex| vertex as usize);
        let [a, b, c] = corners.map(|vertex| vertices[vertex]);
        let edge = |to: [f32; 3]| std::array::from_fn(|axis| f64::from(to[axis] - a[axis]));
        let normal = vec3::cross(edge(b), edge(c));
        for vertex in corners {
            for axis in 0..3 {
                normals[vertex][axis] = (f64::from(normals[vertex][axis]) + normal[axis]) as f32;
            }
        }
    }
    for normal in normals {
        let [x, y, z] = *normal;
        let length = f64::from((x * x + y * y + z * z).sqrt());
        let scale = (1.0 / if MIN_VALUE > length { MIN_VALUE } else { length }) as f32;
        *normal = [x * scale, y * scale, z * scale];
    }
}

/// Moves vertices along their normals.
fn inflate(distance: f32, vertices: &mut [[f32; 3]], normals: &[[f32; 3]]) {
    if distance == 0.0 {
        return;
    }
    for (vertex, normal) in vertices.iter_mut().zip(normals) {
        for axis in 0..3 {
            vertex[axis] += distance * normal[axis];
        }
    }
}
