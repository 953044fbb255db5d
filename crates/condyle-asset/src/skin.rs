//! Binary skins: a triangle mesh and bones, each with a bind pose and weighted vertices.
//!
//! The header holds the numbers of vertices, texture coordinates, faces and bones. A bone is a 40-byte name, position (3),
//! quaternion (4), vertex count, vertex ids and weights.

use crate::bytes::Cursor;
use crate::error::AssetError;
use crate::principal::normalize_quat;

/// A bone of a skin.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SkinBone {
    /// Name of the body that moves the bone.
    pub body: String,
    /// Position of the body in the bind pose.
    pub position: [f32; 3],
    /// Orientation of the body in the bind pose.
    pub orientation: [f32; 4],
    /// Vertices the bone moves.
    pub vertices: Vec<i32>,
    /// Weight of each of those vertices.
    pub weights: Vec<f32>,
}

/// A skin as stored in a file or written inline.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SkinData {
    /// Vertex positions, three numbers each.
    pub vertices: Vec<f32>,
    /// Texture coordinates, two numbers per vertex, or none.
    pub texcoords: Vec<f32>,
    /// Vertex indices, three per face.
    pub faces: Vec<i32>,
    /// Bones in file order.
    pub bones: Vec<SkinBone>,
}

/// Reads a binary skin.
pub fn read(bytes: &[u8]) -> Result<SkinData, AssetError> {
    if bytes.is_empty() {
        return Err(AssetError::new("skin-empty", "SKN file is empty"));
    }
    let mut cursor = Cursor::new(bytes);
    let header = cursor.i32s(4).ok_or_else(|| {
        AssetError::new("skin-header", "missing header in SKN file: fewer than 16 bytes").at_byte(0)
    })?;
    if header.iter().any(|&count| count < 0) {
        return Err(AssetError::new("skin-sizes", "negative size in header of SKN file").at_byte(0));
    }
    let count = |i: usize| header.get(i).map_or(0, |&n| n as usize);
    let missing = || AssetError::new("skin-size", "insufficient data in SKN file").at_byte(bytes.len());
    let mut skin = SkinData {
        vertices: cursor.f32s(3 * count(0)).ok_or_else(missing)?,
        texcoords: cursor.f32s(2 * count(1)).ok_or_else(missing)?,
        faces: cursor.i32s(3 * count(2)).ok_or_else(missing)?,
        bones: Vec::new(),
    };
    for index in 0..count(3) {
        let offset = cursor.position();
        let bone = read_bone(&mut cursor).ok_or_else(|| {
            AssetError::new("skin-size", format!("insufficient data in SKN file, bone {index}"))
                .at_byte(offset)
        })?;
        if bone.vertices.is_empty() {
            let message = format!("vertex count must be positive in SKN file, bone {index}");
            return Err(AssetError::new("skin-bone", message).at_byte(offset + 68));
        }
        skin.bones.push(bone);
    }
    if cursor.remaining() != 0 {
        return Err(
            AssetError::new("skin-size", "unexpected buffer size in SKN file").at_byte(cursor.position())
        );
    }
    Ok(skin)
}

/// Reads one bone; a count below one gives a bone without vertices.
fn read_bone(cursor: &mut Cursor) -> Option<SkinBone> {
    let name = cursor.take(40)?;
    let name = name.get(..39)?.split(|&byte| byte == 0).next()?;
    let position = cursor.f32s(3)?.try_into().ok()?;
    let orientation = cursor.f32s(4)?.try_into().ok()?;
    let count = cursor.i32()?;
    let mut bone = SkinBone {
        body: String::from_utf8_lossy(name).into_owned(),
        position,
        orientation,
        ..SkinBone::default()
    };
    if count > 0 {
        bone.vertices = cursor.i32s(count as usize)?;
        bone.weights = cursor.f32s(count as usize)?;
    }
    Some(bone)
}

/// Checks sizes and indices, makes the weights of each vertex sum to one and the bind quaternions unit.
pub fn compile(mut skin: SkinData) -> Result<SkinData, AssetError> {
    let error = |message: String| Err(AssetError::new("skin-data", message));
    if skin.vertices.is_empty() || skin.faces.is_empty() || skin.bones.is_empty() {
        return error("missing data in skin".into());
    }
    if !skin.vertices.len().is_multiple_of(3) {
        return error("vertex data must be multiple of 3".into());
    }
    let vertex_count = skin.vertices.len() / 3;
    if !skin.texcoords.is_empty() && skin.texcoords.len() != 2 * vertex_count {
        return error("vertex and texcoord data incompatible size".into());
    }
    if !skin.faces.len().is_multiple_of(3) {
        return error("face data must be multiple of 3".into());
    }
    let mut total = vec![0.0_f32; vertex_count];
    for bone in &skin.bones {
        if bone.vertices.len() != bone.weights.len() || bone.vertices.is_empty() {
            return error("vertid and vertweight must have same non-zero size in skin".into());
        }
        for (&vertex, &weight) in bone.vertices.iter().zip(&bone.weights) {
            match usize::try_from(vertex).ok().and_then(|v| total.get_mut(v)) {
                Some(sum) => *sum += weight,
                None => return error(format!("vertid {vertex} out of range in skin")),
            }
        }
    }
    if let Some(vertex) = total.iter().position(|&sum| f64::from(sum) <= condyle_math::MIN_VALUE) {
        return error(format!("vertex {vertex} must have positive total weight in skin"));
    }
    for bone in &mut skin.bones {
        for (&vertex, weight) in bone.vertices.iter().zip(&mut bone.weights) {
            *weight /= total[vertex as usize];
        }
        let mut quat = bone.orientation.map(f64::from);
        normalize_quat(&mut quat);
        bone.orientation = quat.map(|x| x as f32);
    }
    Ok(skin)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(bone_vertices: i32) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend([3_i32, 0, 1, 1].iter().flat_map(|x| x.to_le_bytes()));
        bytes.extend((0..9).flat_map(|x| (x as f32).to_le_bytes()));
        bytes.extend([0_i32, 1, 2].iter().flat_map(|x| x.to_le_bytes()));
        let mut name = b"arm".to_vec();
        name.resize(40, 0);
        bytes.extend(name);
        bytes.extend([1.0_f32, 2.0, 3.0, 2.0, 0.0, 0.0, 0.0].iter().flat_map(|x| x.to_le_bytes()));
        bytes.extend(bone_vertices.to_le_bytes());
        bytes.extend([0_i32, 1, 2].iter().flat_map(|x| x.to_le_bytes()));
        bytes.extend([0.5_f32, 2.0, 1.0].iter().flat_map(|x| x.to_le_bytes()));
        bytes
    }

    #[test]
    fn weights_and_quaternions_are_normalised() {
        let skin = compile(read(&file(3)).unwrap()).unwrap();
        assert_eq!(skin.bones[0].body, "arm");
        assert_eq!(skin.bones[0].weights, [1.0, 1.0, 1.0]);
        assert_eq!(skin.bones[0].orientation, [1.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn counts_that_do_not_fit_the_file_are_refused() {
        assert_eq!(read(&file(2)).unwrap_err().code, "skin-size");
        assert_eq!(read(&file(i32::MAX)).unwrap_err().code, "skin-size");
        assert_eq!(read(&file(-1)).unwrap_err().code, "skin-bone");
    }
}
