//! Files beside the text: pictures of textures whose pixels are in the spec, and large meshes.

use condyle_asset::image::{Image, write_png};
use condyle_base::files;
use condyle_spec::{Mesh, MeshBuiltin, Texture};

/// Numbers of a mesh from which on it becomes a file of its own.
const LARGE_MESH: usize = 30_000;

/// Files that were made, by their path from the folder of the model.
#[derive(Default)]
pub(super) struct Beside {
    pub files: Vec<(String, Vec<u8>)>,
}

impl Beside {
    /// Keeps a file in a folder under a name that is not taken, and gives the name.
    fn keep(&mut self, folder: &str, name: &str, ending: &str, bytes: Vec<u8>) -> String {
        let plain = |c: char| if c.is_alphanumeric() || c == '-' { c } else { '_' };
        let stem: String = name.chars().map(plain).collect();
        let mut file = format!("{stem}.{ending}");
        let mut number = 1;
        // Names are compared without case, as some file systems do.
        let taken = |file: &str, kept: &[(String, Vec<u8>)]| {
            let path = files::join(folder, file).to_lowercase();
            kept.iter().any(|(known, _)| known.to_lowercase() == path)
        };
        while taken(&file, &self.files) {
            number += 1;
            file = format!("{stem}{number}.{ending}");
        }
        self.files.push((files::join(folder, &file), bytes));
        file
    }

    /// A texture as one picture, or its faces as pictures of their own: their names.
    pub(super) fn pictures(&mut self, texture: &Texture, folder: &str, faces: usize) -> Vec<String> {
        let size = |number: i32| usize::try_from(number).unwrap_or(0);
        let (width, channels) = (size(texture.width), size(texture.nchannel));
        let height = size(texture.height) / faces.max(1);
        let name = if texture.info.name.is_empty() { "texture" } else { &texture.info.name };
        let square = (width * height * channels).max(1);
        let parts = texture.data.chunks_exact(square).take(faces);
        parts
            .filter_map(|pixels| {
                write_png(&Image { width, height, channels, srgb: false, pixels: pixels.to_vec() })
            })
            .map(|bytes| self.keep(folder, name, "png", bytes))
            .collect()
    }

    /// A large mesh as a binary file: its name. `None` for a mesh that stays in the text.
    pub(super) fn mesh(&mut self, mesh: &Mesh, folder: &str) -> Option<String> {
        let numbers = mesh.vertices.len() + mesh.faces.len();
        let has_own_indices = !mesh.face_normals.is_empty() || !mesh.face_texcoords.is_empty();
        let inline = mesh.file.is_empty() && mesh.builtin == MeshBuiltin::None && !mesh.plugin.active;
        if numbers < LARGE_MESH
            || has_own_indices
            || !inline
            || mesh.scale.iter().any(|&factor| factor <= 0.0)
        {
            return None;
        }
        let count = |numbers: usize, width: usize| i32::try_from(numbers / width).ok();
        let header = [
            count(mesh.vertices.len(), 3)?,
            count(mesh.normals.len(), 3)?,
            count(mesh.texcoords.len(), 2)?,
            count(mesh.faces.len(), 3)?,
        ];
        let reals = mesh.vertices.iter().chain(&mesh.normals).chain(&mesh.texcoords);
        let bytes = header.iter().flat_map(|number| number.to_le_bytes());
        let bytes = bytes.chain(reals.flat_map(|number| number.to_le_bytes()));
        let bytes = bytes.chain(mesh.faces.iter().flat_map(|number| number.to_le_bytes())).collect();
        let name = if mesh.info.name.is_empty() { "mesh" } else { &mesh.info.name };
        Some(self.keep(folder, name, "msh", bytes))
    }
}
