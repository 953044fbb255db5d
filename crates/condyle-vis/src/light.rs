//! Lights: the headlight at the camera, then those of the model that are on.

use condyle_engine::Data;
use condyle_model::{LightType, Model};

use crate::VisError;
use crate::element::narrow;
use crate::types::{Light, Scene};

impl Scene {
    /// Makes the list of lights anew. Reference: `mjv_makeLights`.
    pub fn make_lights(&mut self, model: &Model, data: &Data) -> Result<(), VisError> {
        self.settings.nlight = 0;
        if model.vis.headlight.active != 0 {
            let light = self.headlight(model)?;
            self.push_light(light);
        }
        for index in 0..model.nlight {
            if model.light_active[index] != 0 {
                self.push_light(of_model(model, data, index));
            }
        }
        Ok(())
    }

    fn push_light(&mut self, light: Light) {
        let count = usize::try_from(self.settings.nlight).unwrap_or(0);
        if let Some(place) = self.lights.get_mut(count) {
            *place = light;
            self.settings.nlight += 1;
        }
    }

    fn headlight(&self, model: &Model) -> Result<Light, VisError> {
        let [position, forward, _] = self.camera_in_model()?;
        let colors = &model.vis.headlight;
        Ok(Light {
            id: -1,
            headlight: 1,
            texid: -1,
            r#type: LightType::Directional as i32,
            bulbradius: 0.02,
            range: 10.0,
            pos: narrow(&position),
            dir: narrow(&forward),
            ambient: colors.ambient,
            diffuse: colors.diffuse,
            specular: colors.specular,
            ..Light::default()
        })
    }
}

fn of_model(model: &Model, data: &Data, index: usize) -> Light {
    let mut light = Light {
        id: index as i32,
        r#type: model.light_type[index],
        texid: model.light_texid[index],
        castshadow: model.light_castshadow[index],
        bulbradius: model.light_bulbradius[index],
        intensity: model.light_intensity[index],
        range: model.light_range[index],
        ambient: model.light_ambient[index],
        diffuse: model.light_diffuse[index],
        specular: model.light_specular[index],
        pos: narrow(&data.kinematics.light_xpos[index]),
        dir: narrow(&data.kinematics.light_xdir[index]),
        ..Light::default()
    };
    if light.r#type == LightType::Spot as i32 {
        light.attenuation = model.light_attenuation[index];
        light.exponent = model.light_exponent[index];
        light.cutoff = model.light_cutoff[index];
    }
    light
}
