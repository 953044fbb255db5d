//! Materials: their textures, and the elements that use them.

use condyle_base::diagnostic::Diagnostic;
use condyle_model::{Model, ObjectType};

use super::ids::Ids;
use super::work::Work;
use crate::element::{Element, Material};

/// A material while the model is compiled.
pub(crate) struct MaterialWork<'s> {
    pub source: &'s Material,
    pub textures: [Option<usize>; 10],
}

impl Work<'_> {
    /// Connects materials with their textures.
    pub(super) fn connect_materials(&mut self) {
        for index in 0..self.materials.len() {
            let source = self.materials[index].source;
            for (role, name) in source.textures.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
                match self.require(source, "texture", ObjectType::Texture, name) {
                    Ok(texture) => self.materials[index].textures[role] = Some(texture),
                    Err(problem) => self.problems.push(problem),
                }
            }
        }
    }

    /// The material that an element names; none where nothing visual is kept.
    pub(crate) fn material<T: Element>(&self, element: &T, name: &str) -> Result<Option<usize>, Diagnostic> {
        if name.is_empty() || self.spec.compiler.discardvisual {
            return Ok(None);
        }
        self.require(element, "material", ObjectType::Material, name).map(Some)
    }

    pub(super) fn write_materials(&self, model: &mut Model, ids: &Ids) {
        for (at, material) in self.materials.iter().enumerate() {
            model.mat_texid[at] = material.textures.map(|texture| ids.maybe(ObjectType::Texture, texture));
            material.source.write_entries(model, at);
        }
    }
}
