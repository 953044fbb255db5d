//! Everything a picture needs from a model, prepared once: surfaces, textures, materials and settings.

use condyle_model::{Model, TextureRole, TextureType};

use crate::builtin::{Builtin, Quality};
use crate::fingerprint;
use crate::model_shapes;
use crate::shape::Shape;
use crate::texture::Texture;

/// Largest side of a picture, pixels.
pub const MOST_PIXELS: i32 = 16384;
/// Most materials of a model that is drawn.
pub const MOST_MATERIALS: usize = 1000;
/// Most textures of a model that is drawn.
pub const MOST_TEXTURES: usize = 1000;
/// Largest side of a shadow map.
pub const MOST_SHADOW: i32 = 16384;

/// What can be wrong with a context or a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderError {
    /// What is wrong.
    pub message: String,
    /// What the user can do about it.
    pub help: &'static str,
}

impl RenderError {
    pub(crate) fn new(message: impl Into<String>, help: &'static str) -> Self {
        Self { message: message.into(), help }
    }
}

impl std::fmt::Display for RenderError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}\n  help: {}", self.message, self.help)
    }
}

impl std::error::Error for RenderError {}

/// Colour map of a material.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MaterialTexture {
    /// Texture of the colour role; -1: none.
    pub texture: i32,
    /// The texture repeats per metre instead of stretching over the object.
    pub uniform: bool,
    /// Repetitions along both directions: per metre if `uniform`, else over the object.
    pub repeat: [f32; 2],
}

/// Settings that are copied from the model and may be changed afterwards.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Width of lines, pixels.
    pub line_width: f32,
    /// Half width of the shadows of directional lights, m.
    pub shadow_clip: f32,
    /// Share of a spot light's angle that casts shadows.
    pub shadow_scale: f32,
    /// Distance at which fog begins, m.
    pub fog_start: f32,
    /// Distance at which fog hides everything, m.
    pub fog_end: f32,
    /// Colour of fog.
    pub fog_rgba: [f32; 4],
    /// Colour of the haze at the horizon.
    pub haze_rgba: [f32; 4],
    /// Side of shadow maps, texels; 0: no shadows.
    pub shadow_size: i32,
    /// Size of the offscreen picture, pixels.
    pub off_width: i32,
    /// Height of the offscreen picture, pixels.
    pub off_height: i32,
    /// Samples per pixel: 0 or 1 for one at the centre, more for four.
    pub off_samples: i32,
}

/// Surfaces, textures and settings of a model.
#[derive(Clone, Debug)]
pub struct Context {
    /// Copied from the model; may be changed.
    pub settings: Settings,
    pub(crate) builtin: Builtin,
    /// Surfaces of plane geoms.
    pub planes: Vec<Shape>,
    /// Mesh and hull alternating.
    pub meshes: Vec<Shape>,
    /// Surfaces of height fields.
    pub height_fields: Vec<Shape>,
    /// Surfaces of skins, as they are in the current scene.
    pub skins: Vec<Shape>,
    /// Textures, by number.
    pub textures: Vec<Texture>,
    /// Colour maps of materials, by number.
    pub materials: Vec<MaterialTexture>,
    /// First skybox texture.
    pub skybox: Option<usize>,
    quality: Quality,
    /// Number of what was taken from the model.
    fingerprint: u64,
}

impl Context {
    /// Build the surfaces and textures of a model.
    pub fn new(model: &Model) -> Result<Self, RenderError> {
        if model.nmat >= MOST_MATERIALS - 1 {
            return Err(RenderError::new(
                format!("Maximum number of materials is {MOST_MATERIALS}, got {}", model.nmat),
                "remove materials that no element uses",
            ));
        }
        if model.ntex > MOST_TEXTURES {
            return Err(RenderError::new(
                format!("Maximum number of textures is {MOST_TEXTURES}"),
                "remove textures that no material uses",
            ));
        }
        let visual = &model.vis;
        let quality =
            Quality::new(visual.quality.numslices, visual.quality.numstacks, visual.quality.numquads);
        let extent = model.stat.extent;
        let settings = Settings {
            line_width: visual.global.linewidth,
            shadow_clip: (extent * f64::from(visual.map.shadowclip)) as f32,
            shadow_scale: visual.map.shadowscale,
            fog_start: (extent * f64::from(visual.map.fogstart)) as f32,
            fog_end: (extent * f64::from(visual.map.fogend)) as f32,
            fog_rgba: visual.rgba.fog,
            haze_rgba: visual.rgba.haze,
            shadow_size: visual.quality.shadowsize.clamp(0, MOST_SHADOW),
            off_width: visual.global.offwidth,
            off_height: visual.global.offheight,
            off_samples: if visual.quality.offsamples > 0 { 4 } else { 0 },
        };
        let mut context = Self {
            settings,
            builtin: Builtin::new(quality, visual.map.haze),
            planes: model_shapes::planes(model),
            meshes: Vec::with_capacity(2 * model.nmesh),
            height_fields: Vec::with_capacity(model.nhfield),
            skins: (0..model.nskin).map(|skin| model_shapes::skin(model, skin)).collect(),
            textures: (0..model.ntex).map(|texture| Texture::new(model, texture)).collect(),
            materials: materials(model),
            skybox: model.tex_type.iter().position(|kind| *kind == TextureType::Skybox as i32),
            quality,
            fingerprint: fingerprint::of(model),
        };
        for mesh in 0..model.nmesh {
            context.meshes.push(model_shapes::mesh(model, mesh));
            context.meshes.push(model_shapes::hull(model, mesh));
        }
        for field in 0..model.nhfield {
            context.height_fields.push(model_shapes::height_field(model, field, quality));
        }
        Ok(context)
    }

    /// Whether a context made from the model now would be as this one was when it was made.
    pub fn is_of(&self, model: &Model) -> bool {
        self.fingerprint == fingerprint::of(model)
    }

    /// Reads a mesh of the model again.
    pub fn upload_mesh(&mut self, model: &Model, mesh: usize) -> Result<(), RenderError> {
        if mesh >= model.nmesh || 2 * mesh + 1 >= self.meshes.len() {
            return Err(RenderError::new(
                format!("Invalid mesh index {mesh}"),
                "meshes are counted from zero; the context must be of the same model",
            ));
        }
        self.meshes[2 * mesh] = model_shapes::mesh(model, mesh);
        self.meshes[2 * mesh + 1] = model_shapes::hull(model, mesh);
        Ok(())
    }

    /// Reads a height field of the model again.
    pub fn upload_height_field(&mut self, model: &Model, field: usize) -> Result<(), RenderError> {
        if field >= model.nhfield || field >= self.height_fields.len() {
            return Err(RenderError::new(
                format!("Invalid height field index {field}"),
                "height fields are counted from zero; the context must be of the same model",
            ));
        }
        self.height_fields[field] = model_shapes::height_field(model, field, self.quality);
        Ok(())
    }

    /// Reads a texture of the model again.
    pub fn upload_texture(&mut self, model: &Model, texture: usize) -> Result<(), RenderError> {
        if texture >= model.ntex || texture >= self.textures.len() {
            return Err(RenderError::new(
                format!("Invalid texture index {texture}"),
                "textures are counted from zero; the context must be of the same model",
            ));
        }
        self.textures[texture] = Texture::new(model, texture);
        Ok(())
    }
}

fn materials(model: &Model) -> Vec<MaterialTexture> {
    (0..model.nmat)
        .map(|material| {
            let texture = model.mat_texid[material][TextureRole::Rgb as usize];
            if texture < 0 {
                return MaterialTexture { texture: -1, ..Default::default() };
            }
            MaterialTexture {
                texture,
                uniform: model.mat_texuniform[material] != 0,
                repeat: model.mat_texrepeat[material],
            }
        })
        .collect()
}
