//! Lights: position, direction, target and texture. Reference: mjCLight::Compile.

use condyle_asset::principal::{EPS, normalize_slice};
use condyle_base::diagnostic::Diagnostic;
use condyle_math::{Vec3, quat};
use condyle_model::{Model, ObjectType};

use super::ids::Ids;
use super::pose::{NO_ROTATION, Pose};
use super::problems::{VALUE, element_error, unknown_reference};
use super::work::Work;
use crate::element::Light;

/// A light while the model is compiled.
pub(crate) struct LightWork<'s> {
    pub source: &'s Light,
    pub body: usize,
    pub pos: Vec3,
    pub dir: Vec3,
    pub target: Option<usize>,
    pub texture: Option<usize>,
}

impl<'s> LightWork<'s> {
    pub(super) fn new(source: &'s Light, body: usize) -> Self {
        Self { source, body, pos: source.pos, dir: source.dir, target: None, texture: None }
    }
}

impl Work<'_> {
    pub(super) fn compile_light(&mut self, index: usize) -> Result<(), Diagnostic> {
        let source = self.lights[index].source;
        let (mut pos, mut dir) = (source.pos, source.dir);
        if let Some(frame) = self.frame_pose(source.frame) {
            pos = frame.then(Pose { pos, quat: NO_ROTATION }).pos;
            dir = quat::rotate_or_zero(dir, frame.quat);
        }
        if normalize_slice(&mut dir) < EPS {
            return Err(element_error(VALUE, source, "dir", "zero direction in light"));
        }
        let target = self.target_body(source, &source.targetbody)?;
        let texture = if source.texture.is_empty() || self.spec.compiler.discardvisual {
            None
        } else {
            let Some(texture) = self.find(ObjectType::Texture, &source.texture) else {
                let existing = self.names.all(ObjectType::Texture);
                return Err(unknown_reference(source, "texture", "texture", &source.texture, existing));
            };
            Some(texture)
        };
        let light = &mut self.lights[index];
        (light.pos, light.dir, light.target, light.texture) = (pos, dir, target, texture);
        Ok(())
    }

    pub(super) fn write_light(&self, model: &mut Model, ids: &Ids, light: usize, body_id: usize) {
        let at = ids.of(ObjectType::Light, light) as usize;
        let light = &self.lights[light];
        light.source.write_entries(model, at);
        model.light_bodyid[at] = body_id as i32;
        model.light_targetbodyid[at] = ids.maybe(ObjectType::Body, light.target);
        model.light_texid[at] = ids.maybe(ObjectType::Texture, light.texture);
        model.light_pos[at] = light.pos;
        model.light_dir[at] = light.dir;
    }
}
