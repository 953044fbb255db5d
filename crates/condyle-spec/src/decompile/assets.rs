//! Meshes, height fields, textures, materials and skins.

use std::ops::Range;

use condyle_math::{MIN_VALUE, Vec3, mat3, quat, vec3};
use condyle_model::ObjectType;

use super::Decompiler;
use crate::element::{HField, Material, Mesh, Skin, SkinBone, Texture};
use crate::orientation::MeshInertia;

/// A part of a packed array.
pub(super) fn part(start: i32, count: i32) -> Range<usize> {
    let start = usize::try_from(start).unwrap_or(0);
    start..start + usize::try_from(count).unwrap_or(0)
}

/// Whether a mesh encloses too little to have a volume: only as a shell can it have an inertia.
fn is_flat(mesh: &Mesh) -> bool {
    let vertex = |index: i32| -> Option<Vec3> {
        let start = 3 * usize::try_from(index).ok()?;
        let row: &[f32; 3] = mesh.vertices.get(start..start + 3)?.try_into().ok()?;
        Some([0, 1, 2].map(|axis| f64::from(row[axis]) * mesh.scale[axis]))
    };
    let Some(origin) = vertex(0) else { return false };
    let volumes = mesh.faces.as_chunks::<3>().0.iter().map(|face| {
        let [Some(a), Some(b), Some(c)] = face.map(|corner| vertex(corner).map(|at| vec3::sub(at, origin)))
        else {
            return 0.0;
        };
        vec3::dot(a, vec3::cross(b, c)).abs() / 6.0
    });
    volumes.sum::<f64>() < 10.0 * MIN_VALUE
}

impl Decompiler<'_> {
    pub(super) fn assets(&mut self) {
        let model = self.model;
        for at in 0..model.ntex {
            let texture = self.texture(at);
            self.made.textures.push(self.spec.textures.push(texture));
        }
        for at in 0..model.nmat {
            let material = self.material(at);
            self.made.materials.push(self.spec.materials.push(material));
        }
        for at in 0..model.nmesh {
            let mesh = self.mesh(at);
            self.made.meshes.push(self.spec.meshes.push(mesh));
        }
        for at in 0..model.nhfield {
            let data = part(model.hfield_adr[at], model.hfield_nrow[at] * model.hfield_ncol[at]);
            let mut hfield = HField { info: self.info(ObjectType::HField, at), ..HField::default() };
            hfield.read_entries(model, at, |_, _| String::new());
            hfield.elevation = model.hfield_data.get(data).unwrap_or_default().to_vec();
            self.made.hfields.push(self.spec.hfields.push(hfield));
        }
    }

    fn texture(&self, at: usize) -> Texture {
        let model = self.model;
        let mut texture = Texture { info: self.info(ObjectType::Texture, at), ..Texture::default() };
        texture.read_entries(model, at, |_, _| String::new());
        let start = usize::try_from(model.tex_adr[at]).unwrap_or(0);
        let sizes = [texture.width, texture.height, texture.nchannel];
        let bytes = sizes.iter().map(|&n| usize::try_from(n).unwrap_or(0)).product::<usize>();
        texture.data = model.tex_data.get(start..start + bytes).unwrap_or_default().to_vec();
        texture
    }

    fn material(&mut self, at: usize) -> Material {
        let model = self.model;
        let mut material = Material { info: self.info(ObjectType::Material, at), ..Material::default() };
        material.read_entries(model, at, |_, _| String::new());
        material.textures = model.mat_texid[at].map(|texture| self.name_of(ObjectType::Texture, texture));
        material
    }

    /// A mesh in the frame of its file. Its scale is undone, so that it can be said again, unless it mirrors.
    fn mesh(&self, at: usize) -> Mesh {
        let model = self.model;
        let rotation = quat::to_mat(&model.mesh_quat[at]);
        let scale = model.mesh_scale[at];
        let scale = if scale.iter().all(|&factor| factor > 0.0) { scale } else { [1.0; 3] };
        let vertices = model.mesh_vert.get(part(model.mesh_vertadr[at], model.mesh_vertnum[at]));
        let vertices = vertices.unwrap_or_default().iter().flat_map(|vertex| {
            let placed = mat3::mul_vec(&rotation, vertex.map(f64::from));
            let placed = vec3::add(placed, model.mesh_pos[at]);
            [0, 1, 2].map(|axis| (placed[axis] / scale[axis]) as f32)
        });
        let faces = part(model.mesh_faceadr[at], model.mesh_facenum[at]);
        let corners = |rows: &[[i32; 3]]| rows.get(faces.clone()).unwrap_or_default().as_flattened().to_vec();
        let corner_vertices = corners(&model.mesh_face);
        let mut mesh = Mesh {
            info: self.info(ObjectType::Mesh, at),
            scale,
            vertices: vertices.collect(),
            ..Mesh::default()
        };
        if model.mesh_normalnum[at] == model.mesh_vertnum[at]
            && corners(&model.mesh_facenormal) == corner_vertices
        {
            let normals = model.mesh_normal.get(part(model.mesh_normaladr[at], model.mesh_normalnum[at]));
            let normals = normals.unwrap_or_default().iter().flat_map(|normal| {
                let placed = mat3::mul_vec(&rotation, normal.map(f64::from));
                [0, 1, 2].map(|axis| (placed[axis] / scale[axis]) as f32)
            });
            mesh.normals = normals.collect();
        }
        if model.mesh_texcoordnum[at] == model.mesh_vertnum[at]
            && corners(&model.mesh_facetexcoord) == corner_vertices
        {
            let texcoords = part(model.mesh_texcoordadr[at], model.mesh_texcoordnum[at]);
            mesh.texcoords = model.mesh_texcoord.get(texcoords).unwrap_or_default().as_flattened().to_vec();
        }
        mesh.faces = corner_vertices;
        if is_flat(&mesh) {
            mesh.inertia = MeshInertia::Shell;
        }
        mesh
    }

    pub(super) fn skins(&mut self) {
        for at in 0..self.model.nskin {
            let skin = self.skin(at);
            self.made.skins.push(self.spec.skins.push(skin));
        }
    }

    fn skin(&mut self, at: usize) -> Skin {
        let model = self.model;
        let vertices = part(model.skin_vertadr[at], model.skin_vertnum[at]);
        let texcoords = match model.skin_texcoordadr[at] {
            ..0 => 0..0,
            start => part(start, model.skin_vertnum[at]),
        };
        let faces = part(model.skin_faceadr[at], model.skin_facenum[at]);
        let bones = part(model.skin_boneadr[at], model.skin_bonenum[at]);
        let bones = bones.map(|bone| {
            let held = part(model.skin_bonevertadr[bone], model.skin_bonevertnum[bone]);
            SkinBone {
                body: self.name_of(ObjectType::Body, model.skin_bonebodyid[bone]),
                bindpos: model.skin_bonebindpos[bone],
                bindquat: model.skin_bonebindquat[bone],
                vertid: model.skin_bonevertid.get(held.clone()).unwrap_or_default().to_vec(),
                vertweight: model.skin_bonevertweight.get(held).unwrap_or_default().to_vec(),
            }
        });
        let bones = bones.collect();
        let mut skin = Skin { info: self.info(ObjectType::Skin, at), bones, ..Skin::default() };
        skin.read_entries(model, at, |kind, id| self.name_of(kind, id));
        skin.vertices = model.skin_vert.get(vertices).unwrap_or_default().as_flattened().to_vec();
        skin.texcoords = model.skin_texcoord.get(texcoords).unwrap_or_default().as_flattened().to_vec();
        skin.faces = model.skin_face.get(faces).unwrap_or_default().as_flattened().to_vec();
        skin
    }
}
