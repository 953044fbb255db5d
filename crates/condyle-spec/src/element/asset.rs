//! Meshes, height fields, textures, materials and skins.

use condyle_model::widths::TEXTURE_ROLES;
use condyle_model::{ColorSpace, TextureType};

use super::Info;
use super::custom::PluginRef;
use super::table::element;
use crate::orientation::{MeshBuiltin, MeshInertia, TextureBuiltin, TextureMark};

/// A triangle mesh: from a file, from inline arrays or made by the compiler.
#[derive(Clone, Debug)]
pub struct Mesh {
    pub info: Info,
    pub content_type: String,
    pub file: String,
    pub refpos: [f64; 3],
    pub refquat: [f64; 4],
    pub scale: [f64; 3],
    pub inertia: MeshInertia,
    pub smoothnormal: bool,
    pub needsdf: bool,
    /// Largest number of hull vertices; -1 for no limit.
    pub maxhullvert: i32,
    pub vertices: Vec<f32>,
    pub normals: Vec<f32>,
    pub texcoords: Vec<f32>,
    pub faces: Vec<i32>,
    pub face_normals: Vec<i32>,
    pub face_texcoords: Vec<i32>,
    pub builtin: MeshBuiltin,
    /// Parameters of the builtin shape.
    pub params: Vec<f64>,
    pub material: String,
    pub plugin: PluginRef,
}

impl Default for Mesh {
    fn default() -> Self {
        Self {
            info: Info::default(),
            content_type: String::new(),
            file: String::new(),
            refpos: [0.0; 3],
            refquat: [1.0, 0.0, 0.0, 0.0],
            scale: [1.0; 3],
            inertia: MeshInertia::Legacy,
            smoothnormal: false,
            needsdf: false,
            maxhullvert: -1,
            vertices: Vec::new(),
            normals: Vec::new(),
            texcoords: Vec::new(),
            faces: Vec::new(),
            face_normals: Vec::new(),
            face_texcoords: Vec::new(),
            builtin: MeshBuiltin::None,
            params: Vec::new(),
            material: String::new(),
            plugin: PluginRef::default(),
        }
    }
}

/// A height field: from a file or from inline elevations.
#[derive(Clone, Debug, Default)]
pub struct HField {
    pub info: Info,
    pub content_type: String,
    pub file: String,
    /// Half sizes in x and y, top elevation, depth of the base.
    pub size: [f64; 4],
    pub nrow: i32,
    pub ncol: i32,
    /// Elevations, row by row.
    pub elevation: Vec<f32>,
}

/// A texture: from files, made by the compiler, or given as bytes.
#[derive(Clone, Debug)]
pub struct Texture {
    pub info: Info,
    pub kind: TextureType,
    pub colorspace: ColorSpace,
    pub builtin: TextureBuiltin,
    pub mark: TextureMark,
    pub rgb1: [f64; 3],
    pub rgb2: [f64; 3],
    pub markrgb: [f64; 3],
    pub random: f64,
    pub height: i32,
    pub width: i32,
    pub nchannel: i32,
    pub content_type: String,
    pub file: String,
    pub gridsize: [i32; 2],
    pub gridlayout: [u8; 12],
    /// Right, left, up, down, front, back.
    pub cubefiles: [String; 6],
    pub data: Vec<u8>,
    pub hflip: bool,
    pub vflip: bool,
}

impl Default for Texture {
    fn default() -> Self {
        Self {
            info: Info::default(),
            kind: TextureType::Cube,
            colorspace: ColorSpace::Auto,
            builtin: TextureBuiltin::None,
            mark: TextureMark::None,
            rgb1: [0.8; 3],
            rgb2: [0.5; 3],
            markrgb: [0.0; 3],
            random: 0.01,
            height: 0,
            width: 0,
            nchannel: 3,
            content_type: String::new(),
            file: String::new(),
            gridsize: [1, 1],
            gridlayout: [b'.'; 12],
            cubefiles: Default::default(),
            data: Vec::new(),
            hflip: false,
            vflip: false,
        }
    }
}

element! {
    /// Appearance of a geom, site, tendon or skin.
    Material {
        parts {}
        /// Whether a cube texture repeats per metre instead of stretching over the object.
        texuniform: bool = false, "texuniform" => mat_texuniform;
        /// How often a flat texture repeats along x and y.
        texrepeat: [f32; 2] = [1.0; 2], "texrepeat" => mat_texrepeat;
        /// Light given off, as a multiple of the colour.
        emission: f32 = 0.0, "emission" => mat_emission;
        /// Strength of highlights, 0 to 1.
        specular: f32 = 0.5, "specular" => mat_specular;
        /// Sharpness of highlights, 0 to 1.
        shininess: f32 = 0.5, "shininess" => mat_shininess;
        /// Share of light mirrored, 0 to 1; 0: off.
        reflectance: f32 = 0.0, "reflectance" => mat_reflectance;
        /// Metalness, 0 to 1; -1: not set.
        metallic: f32 = -1.0, "metallic" => mat_metallic;
        /// Roughness, 0 to 1; -1: not set.
        roughness: f32 = -1.0, "roughness" => mat_roughness;
        /// Colour, 0 to 1.
        rgba: [f32; 4] = [1.0; 4], "rgba" => mat_rgba;
        /// Texture name by role; empty for none.
        textures: [String; TEXTURE_ROLES] = Default::default(), "texture" by_hand;
    }
}

/// A deformable surface for rendering, moved by bodies.
#[derive(Clone, Debug)]
pub struct Skin {
    pub info: Info,
    pub file: String,
    pub material: String,
    pub rgba: [f32; 4],
    pub inflate: f32,
    pub group: i32,
    pub vertices: Vec<f32>,
    pub texcoords: Vec<f32>,
    pub faces: Vec<i32>,
    pub bones: Vec<SkinBone>,
}

/// A body that moves vertices of a skin.
#[derive(Clone, Debug, Default)]
pub struct SkinBone {
    pub body: String,
    pub bindpos: [f32; 3],
    pub bindquat: [f32; 4],
    pub vertid: Vec<i32>,
    pub vertweight: Vec<f32>,
}

impl Default for Skin {
    fn default() -> Self {
        Self {
            info: Info::default(),
            file: String::new(),
            material: String::new(),
            rgba: [0.5, 0.5, 0.5, 1.0],
            inflate: 0.0,
            group: 0,
            vertices: Vec::new(),
            texcoords: Vec::new(),
            faces: Vec::new(),
            bones: Vec::new(),
        }
    }
}
