//! Mesh data as read from a file or written in the model.

use crate::error::AssetError;
use crate::hash::fast_map;

/// Vertices, faces and what belongs to them. Faces may be missing: the convex hull then gives them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MeshData {
    /// Positions, three numbers per vertex.
    pub vertices: Vec<f32>,
    /// Normals, three numbers each.
    pub normals: Vec<f32>,
    /// Texture coordinates, two numbers each.
    pub texcoords: Vec<f32>,
    /// Vertex indices, three per face.
    pub faces: Vec<i32>,
    /// Normal indices, three per face.
    pub face_normals: Vec<i32>,
    /// Texture coordinate indices, three per face.
    pub face_texcoords: Vec<i32>,
}

impl MeshData {
    /// Makes vertices with equal coordinates one, in the order of first occurrence. Both zeros are equal; the first is kept.
    pub fn merge_repeated_vertices(&mut self) {
        let mut index_of = fast_map::<(u64, u32), i32>(self.vertices.len() / 12);
        let mut kept: Vec<f32> = Vec::new();
        // Adding zero turns −0.0 into 0.0 and leaves every other number alone.
        let renumber: Vec<i32> = self
            .vertices
            .as_chunks::<3>()
            .0
            .iter()
            .map(|vertex| {
                let next = (kept.len() / 3) as i32;
                let [x, y, z] = vertex.map(|x| (x + 0.0).to_bits());
                *index_of.entry((u64::from(x) << 32 | u64::from(y), z)).or_insert_with(|| {
                    kept.extend_from_slice(vertex);
                    next
                })
            })
            .collect();
        for vertex in &mut self.faces {
            if let Some(&index) = usize::try_from(*vertex).ok().and_then(|v| renumber.get(v)) {
                *vertex = index;
            }
        }
        self.vertices = kept;
    }

    /// Fills arrays missing in a file from those written in the model; giving one in both places is an error.
    pub fn complete_with(&mut self, inline: MeshData) -> Result<(), AssetError> {
        let inline_normals = !inline.normals.is_empty();
        fill(&mut self.normals, inline.normals, "normal")?;
        fill(&mut self.texcoords, inline.texcoords, "texcoord")?;
        fill(&mut self.faces, inline.faces, "face")?;
        fill(&mut self.vertices, inline.vertices, "vertex")?;
        if !self.face_normals.is_empty() && inline_normals {
            return Err(repeated("facenormal"));
        }
        if self.face_normals.is_empty() {
            self.face_normals = inline.face_normals;
        }
        fill(&mut self.face_texcoords, inline.face_texcoords, "facetexcoord")
    }

    /// All coordinates must be numbers.
    pub fn check_finite(&self) -> Result<(), AssetError> {
        match self.vertices.iter().position(|x| !x.is_finite()) {
            None => Ok(()),
            Some(i) => {
                Err(AssetError::new("mesh-not-finite", format!("vertex coordinate {} is not finite", i / 3)))
            }
        }
    }

    /// Sizes and indices that the later steps rely on.
    pub(super) fn check(&self, from_obj: bool) -> Result<(), AssetError> {
        let error = |code, message: String| Err(AssetError::new(code, message));
        if !self.vertices.len().is_multiple_of(3) {
            let message =
                format!("vertex data must be a multiple of 3, it has {} numbers", self.vertices.len());
            return Err(AssetError::new("mesh-vertex-size", message).help("give x, y and z of every vertex"));
        }
        if !self.faces.len().is_multiple_of(3) {
            let message = format!("face data must be a multiple of 3, it has {} numbers", self.faces.len());
            return Err(
                AssetError::new("mesh-face-size", message).help("give three vertex indices per triangle")
            );
        }
        self.check_finite()?;
        if self.vertices.len() < 12 {
            let message = format!("at least 4 vertices required, found {}", self.vertices.len() / 3);
            return Err(AssetError::new("mesh-few-vertices", message)
                .help("a mesh encloses a volume; for a single triangle or a plate use a thin box"));
        }
        if !self.normals.len().is_multiple_of(3) {
            return error("mesh-normal-size", "normal data must be a multiple of 3".into());
        }
        if !self.texcoords.len().is_multiple_of(2) {
            return error("mesh-texcoord-size", "texcoord must be a multiple of 2".into());
        }
        let vertex_count = self.vertices.len() / 3;
        if !self.texcoords.is_empty()
            && self.texcoords.len() != 2 * vertex_count
            && self.face_texcoords.is_empty()
            && !from_obj
        {
            let message = "texcoord must be 2*nv if face texcoord indices are not provided in an OBJ file";
            return error("mesh-texcoord-size", message.into());
        }
        for (i, &vertex) in self.faces.iter().enumerate() {
            if vertex < 0 || vertex as usize >= vertex_count {
                let message = format!("in face {}, vertex index {vertex} does not exist", i / 3);
                return Err(AssetError::new("mesh-vertex-index", message)
                    .help(format!("vertex indices go from 0 to {}", vertex_count - 1)));
            }
        }
        Ok(())
    }
}

fn repeated(what: &str) -> AssetError {
    AssetError::new("mesh-repeated", format!("repeated {what} specification"))
        .help("the file and the model both give this array; remove it from the model")
}

fn fill<T>(from_file: &mut Vec<T>, inline: Vec<T>, what: &str) -> Result<(), AssetError> {
    if from_file.is_empty() {
        *from_file = inline;
    } else if !inline.is_empty() {
        return Err(repeated(what));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_given_twice_are_refused() {
        let mut file = MeshData { vertices: vec![0.0; 12], ..MeshData::default() };
        let inline = MeshData { texcoords: vec![0.0; 8], ..MeshData::default() };
        file.complete_with(inline).unwrap();
        assert_eq!(file.texcoords.len(), 8);
        let again = MeshData { vertices: vec![0.0; 3], ..MeshData::default() };
        assert_eq!(file.complete_with(again).unwrap_err().code, "mesh-repeated");
    }

    #[test]
    fn indices_out_of_range_are_refused_with_the_valid_range() {
        let data = MeshData { vertices: vec![0.0; 12], faces: vec![0, 1, 4], ..MeshData::default() };
        assert!(data.check(false).unwrap_err().help.unwrap().contains("0 to 3"));
    }
}
