//! The list of drawable elements with its lights and cameras.

use condyle_model::{Model, records};

use super::{Geom, GlCamera, Light, MAX_LIGHTS, RenderFlag};

records! {
    SceneSettings: "Numbers of the scene." {
        ngeom: i32 = 0, "Elements in use.";
        nlight: i32 = 0, "Lights in use.";
        flexvertopt: u8 = 0, "1: vertices of flexes are shown.";
        flexedgeopt: u8 = 0, "1: edges of flexes are shown.";
        flexfaceopt: u8 = 0, "1: faces of flexes are shown.";
        flexskinopt: u8 = 0, "1: smooth surfaces of flexes are shown.";
        enabletransform: u8 = 0, "1: the model is moved, turned and scaled into the room.";
        translate: [f32; 3] = [0.0; 3], "Where the model's origin is in the room, m.";
        rotate: [f32; 4] = [1.0, 0.0, 0.0, 0.0], "How the model is turned in the room.";
        scale: f32 = 1.0, "Scale of the model in the room.";
        stereo: i32 = 0, "How pictures of two eyes are shown (`Stereo`).";
        flags: [u8; RenderFlag::COUNT] = RenderFlag::defaults(), "How the scene is drawn, by `RenderFlag`.";
        framewidth: i32 = 0, "Width of the frame around the picture, pixels; 0: none.";
        framergb: [f32; 3] = [0.0; 3], "Colour of the frame.";
        status: i32 = 0, "1: there were more elements than room.";
    }
}

/// Vertices, edges and faces of flexes as they are drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneFlexes {
    /// First edge of each flex.
    pub flexedgeadr: Vec<i32>,
    /// Number of edges of each flex.
    pub flexedgenum: Vec<i32>,
    /// First vertex of each flex.
    pub flexvertadr: Vec<i32>,
    /// Number of vertices of each flex.
    pub flexvertnum: Vec<i32>,
    /// First face of each flex.
    pub flexfaceadr: Vec<i32>,
    /// Room for faces of each flex.
    pub flexfacenum: Vec<i32>,
    /// Faces of each flex in use.
    pub flexfaceused: Vec<i32>,
    /// Two vertices of each edge.
    pub flexedge: Vec<i32>,
    /// Positions of vertices, three numbers each, m.
    pub flexvert: Vec<f32>,
    /// Positions of the three vertices of each face, nine numbers, m.
    pub flexface: Vec<f32>,
    /// Normals at the three vertices of each face, nine numbers.
    pub flexnormal: Vec<f32>,
    /// Texture coordinates of the three vertices of each face, six numbers.
    pub flextexcoord: Vec<f32>,
}

/// Vertices of skins as they are drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneSkins {
    /// Number of faces of each skin.
    pub skinfacenum: Vec<i32>,
    /// First vertex of each skin.
    pub skinvertadr: Vec<i32>,
    /// Number of vertices of each skin.
    pub skinvertnum: Vec<i32>,
    /// Positions of vertices, three numbers each, m.
    pub skinvert: Vec<f32>,
    /// Normals at vertices, three numbers each.
    pub skinnormal: Vec<f32>,
}

/// The list of drawable elements with its lights and cameras.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// Numbers of the scene.
    pub settings: SceneSettings,
    /// Room for elements; the first `ngeom` are in use.
    pub geoms: Vec<Geom>,
    /// Order of elements by distance; set by who draws.
    pub geomorder: Vec<i32>,
    /// Room for lights; the first `nlight` are in use.
    pub lights: Vec<Light>,
    /// Cameras of the left and of the right eye.
    pub camera: [GlCamera; 2],
    /// Vertices and faces of the flexes.
    pub flexes: SceneFlexes,
    /// Vertices of the skins.
    pub skins: SceneSkins,
}

impl Scene {
    /// A scene for a model with room for `max_geoms` elements.
    pub fn new(model: &Model, max_geoms: usize) -> Self {
        Self {
            settings: SceneSettings::default(),
            geoms: vec![Geom::default(); max_geoms],
            geomorder: vec![0; max_geoms],
            lights: vec![Light::default(); MAX_LIGHTS],
            camera: [GlCamera::default(); 2],
            flexes: SceneFlexes::new(model),
            skins: SceneSkins::new(model),
        }
    }

    /// Elements in use.
    pub fn shown_geoms(&self) -> &[Geom] {
        let count = usize::try_from(self.settings.ngeom).unwrap_or(0);
        &self.geoms[..count.min(self.geoms.len())]
    }

    /// Lights in use.
    pub fn shown_lights(&self) -> &[Light] {
        let count = usize::try_from(self.settings.nlight).unwrap_or(0);
        &self.lights[..count.min(self.lights.len())]
    }

    /// Whether a rendering flag is on.
    pub const fn draws(&self, flag: RenderFlag) -> bool {
        self.settings.flags[flag as usize] != 0
    }
}

impl SceneFlexes {
    fn new(model: &Model) -> Self {
        let mut room = Vec::with_capacity(model.nflex);
        let mut first = Vec::with_capacity(model.nflex);
        let mut total = 0_i32;
        for flex in 0..model.nflex {
            first.push(total);
            room.push(most_faces(model, flex));
            total = total.saturating_add(room[flex]);
        }
        let faces = usize::try_from(total).unwrap_or(0);
        Self {
            flexedgeadr: model.flex_edgeadr.to_vec(),
            flexedgenum: model.flex_edgenum.to_vec(),
            flexvertadr: model.flex_vertadr.to_vec(),
            flexvertnum: model.flex_vertnum.to_vec(),
            flexfaceadr: first,
            flexfacenum: room,
            flexfaceused: vec![0; model.nflex],
            flexedge: model.flex_edge.as_flattened().to_vec(),
            flexvert: vec![0.0; 3 * model.nflexvert],
            flexface: vec![0.0; 9 * faces],
            flexnormal: vec![0.0; 9 * faces],
            flextexcoord: vec![0.0; 6 * faces],
        }
    }
}

/// Most faces a flex can show: both sides of shell and elements of a membrane; of a solid the shell or four faces for every element
/// of its largest layer.
fn most_faces(model: &Model, flex: usize) -> i32 {
    let (shell, elements) = (model.flex_shellnum[flex], model.flex_elemnum[flex]);
    match model.flex_dim[flex] {
        0 => 0,
        2 => shell.saturating_add(elements).saturating_mul(2),
        _ => shell.max(largest_layer(model, flex).saturating_mul(4)),
    }
}

/// Number of elements in the largest of the layers 0, 1, … up to the first that is empty.
fn largest_layer(model: &Model, flex: usize) -> i32 {
    let first = model.flex_elemadr[flex].max(0) as usize;
    let count = model.flex_elemnum[flex].max(0) as usize;
    let layers = model.flex_elemlayer.get(first..first.saturating_add(count)).unwrap_or_default();
    let mut sizes = vec![0_i32; layers.len()];
    for layer in layers {
        if let Some(size) = usize::try_from(*layer).ok().and_then(|layer| sizes.get_mut(layer)) {
            *size += 1;
        }
    }
    sizes.into_iter().take_while(|size| *size > 0).max().unwrap_or(0)
}

impl SceneSkins {
    fn new(model: &Model) -> Self {
        Self {
            skinfacenum: model.skin_facenum.to_vec(),
            skinvertadr: model.skin_vertadr.to_vec(),
            skinvertnum: model.skin_vertnum.to_vec(),
            skinvert: vec![0.0; 3 * model.nskinvert],
            skinnormal: vec![0.0; 3 * model.nskinvert],
        }
    }
}
