//! Skins: read from files or written in the model, and the bodies that move them.

use condyle_asset::skin::{self, SkinData};
use condyle_base::diagnostic::Diagnostic;
use condyle_model::{Model, ObjectType};

use super::asset_file::{Reader, asset_error, asset_name, stripped};
use super::ids::Ids;
use super::mesh::copy_rows;
use super::problems::{ASSET, VALUE, element_error};
use super::source::AssetSource;
use super::work::Work;
use crate::element::Skin;
use crate::spec::Spec;

/// A skin while the model is compiled.
pub(crate) struct SkinWork<'s> {
    pub source: &'s Skin,
    pub name: String,
    pub file: String,
    pub material: Option<usize>,
    pub data: SkinData,
    pub bones: Vec<usize>,
}

impl<'s> SkinWork<'s> {
    pub(super) fn new(spec: &Spec, source: &'s Skin) -> Self {
        Self {
            source,
            name: asset_name(&source.info.name, &source.file),
            file: stripped(spec, &source.file),
            material: None,
            data: SkinData::default(),
            bones: Vec::new(),
        }
    }
}

impl Work<'_> {
    /// Connects skins with their materials.
    pub(super) fn connect_skins(&mut self) {
        for index in 0..self.skins.len() {
            let source = self.skins[index].source;
            match self.material(source, &source.material) {
                Ok(material) => self.skins[index].material = material,
                Err(problem) => self.problems.push(problem),
            }
        }
    }

    /// Reads the skins and finds the bodies that move them.
    pub(super) fn compile_skins(&mut self, source: &dyn AssetSource) {
        let reader = Reader { spec: self.spec, source };
        for index in 0..self.skins.len() {
            if let Err(problem) = self.compile_skin(reader, index) {
                self.problems.push(problem);
            }
        }
    }

    fn compile_skin(&mut self, reader: Reader<'_>, index: usize) -> Result<(), Diagnostic> {
        let source = self.skins[index].source;
        let file = self.skins[index].file.clone();
        let data = load_skin(reader, &self.skins[index])?;
        let data = skin::compile(data).map_err(|error| asset_error(source, &file, error))?;
        let mut bones = Vec::with_capacity(data.bones.len());
        for bone in &data.bones {
            bones.push(self.require(source, "body", ObjectType::Body, &bone.body)?);
        }
        let skin = &mut self.skins[index];
        (skin.data, skin.bones) = (data, bones);
        Ok(())
    }

    pub(super) fn write_skins(&self, model: &mut Model, ids: &Ids) {
        let (mut vertex, mut texcoord, mut face, mut bone, mut weight) = (0, 0, 0, 0, 0);
        for (at, skin) in self.skins.iter().enumerate() {
            let (source, data) = (skin.source, &skin.data);
            source.write_entries(model, at);
            model.skin_matid[at] = ids.maybe(ObjectType::Material, skin.material);
            model.skin_vertadr[at] = vertex as i32;
            model.skin_vertnum[at] = (data.vertices.len() / 3) as i32;
            model.skin_texcoordadr[at] = if data.texcoords.is_empty() { -1 } else { texcoord as i32 };
            model.skin_faceadr[at] = face as i32;
            model.skin_facenum[at] = (data.faces.len() / 3) as i32;
            model.skin_boneadr[at] = bone as i32;
            model.skin_bonenum[at] = data.bones.len() as i32;
            copy_rows(&mut model.skin_vert, vertex, &data.vertices);
            copy_rows(&mut model.skin_texcoord, texcoord, &data.texcoords);
            copy_rows(&mut model.skin_face, face, &data.faces);
            for (source, &body) in data.bones.iter().zip(&skin.bones) {
                model.skin_bonebindpos[bone] = source.position;
                model.skin_bonebindquat[bone] = source.orientation;
                model.skin_bonebodyid[bone] = ids.of(ObjectType::Body, body);
                model.skin_bonevertadr[bone] = weight as i32;
                model.skin_bonevertnum[bone] = source.vertices.len() as i32;
                let end = weight + source.vertices.len();
                model.skin_bonevertid[weight..end].copy_from_slice(&source.vertices);
                model.skin_bonevertweight[weight..end].copy_from_slice(&source.weights);
                weight = end;
                bone += 1;
            }
            vertex += data.vertices.len() / 3;
            texcoord += data.texcoords.len() / 2;
            face += data.faces.len() / 3;
        }
    }
}

fn load_skin(reader: Reader<'_>, skin: &SkinWork<'_>) -> Result<SkinData, Diagnostic> {
    let source = skin.source;
    if skin.file.is_empty() {
        return Ok(SkinData {
            vertices: source.vertices.clone(),
            texcoords: source.texcoords.clone(),
            faces: source.faces.clone(),
            bones: source
                .bones
                .iter()
                .map(|bone| skin::SkinBone {
                    body: bone.body.clone(),
                    position: bone.bindpos,
                    orientation: bone.bindquat,
                    vertices: bone.vertid.clone(),
                    weights: bone.vertweight.clone(),
                })
                .collect(),
        });
    }
    let inline = !source.vertices.is_empty()
        || !source.texcoords.is_empty()
        || !source.faces.is_empty()
        || !source.bones.is_empty();
    if inline {
        return Err(element_error(VALUE, source, "file", "both skin data and file were specified"));
    }
    if !skin.file.to_ascii_lowercase().ends_with(".skn") {
        return Err(element_error(ASSET, source, "file", "unknown skin file type, expected .skn"));
    }
    let compiler = reader.spec.compiler_of(source.info.origin);
    let bytes = reader.read(source, &compiler.meshdir, &skin.file)?;
    skin::read(&bytes).map_err(|error| asset_error(source, &skin.file, error))
}
