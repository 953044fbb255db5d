//! The scene of a state: elements, cameras, lights, flexes and skins together.

use condyle_engine::Data;
use condyle_model::Model;

use crate::VisError;
use crate::build::add_all;
use crate::types::{Camera, Options, Perturbation, Scene, VisualFlag};

/// Makes the scene anew from a model and its data. Reference: `mjv_updateScene`.
///
/// Infinite planes are placed by the cameras that the scene had before. `scene.settings.status` is 1 when there was not enough room.
pub fn update_scene(
    model: &Model,
    data: &Data,
    options: &Options,
    perturbation: &Perturbation,
    camera: &mut Camera,
    categories: i32,
    scene: &mut Scene,
) -> Result<(), VisError> {
    use VisualFlag::{FlexEdge, FlexFace, FlexSkin, FlexVertex};
    if !scene.fits(model) {
        return Err(VisError::OtherModel);
    }
    scene.settings.ngeom = 0;
    scene.settings.status = 0;
    add_all(model, data, options, perturbation, categories, scene);
    scene.update_camera(model, data, camera)?;
    scene.make_lights(model, data)?;
    if [FlexVertex, FlexEdge, FlexFace, FlexSkin].into_iter().any(|flag| options.shows(flag)) {
        scene.update_flexes(model, data, options);
    }
    if options.shows(VisualFlag::Skin) {
        scene.update_skins(model, data, options);
    }
    Ok(())
}

impl Scene {
    /// Whether the scene has room for the flexes and skins of a model.
    pub fn fits(&self, model: &Model) -> bool {
        self.flexes.flexfaceadr.len() == model.nflex
            && self.flexes.flexvert.len() == 3 * model.nflexvert
            && self.skins.skinvertadr.len() == model.nskin
            && self.skins.skinvert.len() == 3 * model.nskinvert
    }
}
