//! Pictures of a simulation: colour, depth in metres and segmentation, one at a time or in batches.
//!
//! ```no_run
//! let sim = condyle::Sim::load("robot.xml")?;
//! let mut camera = condyle::pictures::Camera::free(&sim.model);
//! let mut photographer = condyle::pictures::Photographer::new(&sim.model, 640, 480)?;
//! photographer.take(&sim.model, &sim.data, &mut camera, condyle::pictures::Kind::Color)?;
//! let mut rgb = vec![0; 640 * 480 * 3];
//! photographer.read_color(&mut rgb);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod batch;

pub use batch::{BatchOutput, BatchRenderer, BatchSource, render_batch};
use condyle_engine::Data;
pub use condyle_math::Registers;
use condyle_model::Model;
pub use condyle_render::{Context, Rect, RenderError, Renderer, Target, figure, font, overlay};
pub use condyle_vis::{Camera, CameraType, Category, Options, Perturbation, RenderFlag, Scene, VisualFlag};

/// Room for elements of a scene.
const ROOM: usize = 10_000;

/// What a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Colours under light.
    Color,
    /// Distance from the camera's plane.
    Depth,
    /// Which element of the model is seen.
    Segmentation,
}

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PictureError {
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

impl std::fmt::Display for PictureError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}\n  help: {}", self.message, self.help)
    }
}

impl std::error::Error for PictureError {}

impl From<RenderError> for PictureError {
    fn from(error: RenderError) -> Self {
        Self { message: error.message, help: error.help.to_owned() }
    }
}

fn refused(message: impl Into<String>, help: &str) -> PictureError {
    PictureError { message: message.into(), help: help.to_owned() }
}

fn unseen(error: condyle_vis::VisError) -> PictureError {
    refused(error.to_string(), "check that camera and body numbers are those of this model")
}

/// Takes pictures of a model; keeps its memory from one to the next.
#[derive(Debug)]
pub struct Photographer {
    /// What of the model is shown.
    pub options: Options,
    /// Flags of the scene that say how it is drawn.
    pub scene: Scene,
    /// How scenes are drawn.
    pub renderer: Renderer,
    context: std::sync::Arc<Context>,
    target: Target,
    clip: Clip,
    /// Number and kind of the element of each colour of the last segmentation.
    elements: Vec<[i32; 2]>,
}

/// Distances between which everything is drawn, m.
#[derive(Clone, Copy, Debug)]
struct Clip {
    near: f32,
    far: f32,
}

impl Clip {
    fn new(model: &Model) -> Self {
        let distance = |share: f32| (f64::from(share) * model.stat.extent) as f32;
        Self { near: distance(model.vis.map.znear), far: distance(model.vis.map.zfar) }
    }
}

impl Photographer {
    /// A photographer of pictures with `width` by `height` pixels.
    pub fn new(model: &Model, width: usize, height: usize) -> Result<Self, PictureError> {
        let context = std::sync::Arc::new(Context::new(model)?);
        Self::with_context(model, context, width, height)
    }

    fn with_context(
        model: &Model,
        context: std::sync::Arc<Context>,
        width: usize,
        height: usize,
    ) -> Result<Self, PictureError> {
        let most = condyle_render::context::MOST_PIXELS as usize;
        if width == 0 || height == 0 || width > most || height > most {
            return Err(refused(
                format!("a picture cannot have {width} by {height} pixels"),
                "pictures have 1 to 16384 pixels along each side",
            ));
        }
        Ok(Self {
            options: Options::default(),
            scene: Scene::new(model, ROOM),
            renderer: Renderer::default(),
            context,
            target: Target::new(width as i32, height as i32),
            clip: Clip::new(model),
            elements: Vec::new(),
        })
    }

    /// Pixels from left to right.
    pub fn width(&self) -> usize {
        self.target.width as usize
    }

    /// Pixels from top to bottom.
    pub fn height(&self) -> usize {
        self.target.height as usize
    }

    /// Takes a picture; `read_color` and its like give it out.
    pub fn take(
        &mut self,
        model: &Model,
        data: &Data,
        camera: &mut Camera,
        kind: Kind,
    ) -> Result<(), PictureError> {
        self.look(model, data, camera)?;
        self.develop(kind)
    }

    /// Makes the scene that a camera sees.
    pub fn look(&mut self, model: &Model, data: &Data, camera: &mut Camera) -> Result<(), PictureError> {
        let (options, all) = (&self.options, Category::ALL_BITS);
        let none = Perturbation::default();
        condyle_vis::update_scene(model, data, options, &none, camera, all, &mut self.scene).map_err(unseen)
    }

    /// As [`Photographer::look`], whatever was looked at before: endless planes lie around where the camera was, and here it is already
    /// where it shall be.
    fn look_afresh(&mut self, model: &Model, data: &Data, camera: &mut Camera) -> Result<(), PictureError> {
        self.scene.update_camera(model, data, camera).map_err(unseen)?;
        self.look(model, data, camera)
    }

    /// Draws the scene that was looked at.
    pub fn develop(&mut self, kind: Kind) -> Result<(), PictureError> {
        let flags = self.scene.settings.flags;
        if kind != Kind::Color {
            self.list_elements();
            self.scene.settings.flags[RenderFlag::Segment as usize] = 1;
            self.scene.settings.flags[RenderFlag::IdColor as usize] = 1;
        }
        let rect = Rect { left: 0, bottom: 0, width: self.target.width, height: self.target.height };
        let result = self.renderer.render(rect, &mut self.scene, &self.context, &mut self.target);
        self.scene.settings.flags = flags;
        if kind == Kind::Color {
            overlay::labels(&mut self.target, rect, &font::Font::new(100), &self.scene);
        }
        Ok(result?)
    }

    /// Notes which element has which colour in a segmentation; black is none.
    fn list_elements(&mut self) {
        let geoms = self.scene.shown_geoms();
        self.elements.clear();
        self.elements.resize(geoms.len() + 1, [-1; 2]);
        for geom in geoms {
            let id = usize::try_from(geom.segid).ok();
            if let Some(entry) = id.and_then(|id| self.elements.get_mut(id + 1)) {
                *entry = [geom.objid, geom.objtype];
            }
        }
    }

    /// Rows of the picture from the top down, as ranges of pixels.
    fn rows(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        let (width, height) = (self.width(), self.height());
        (0..height).rev().map(move |row| row * width..(row + 1) * width)
    }

    /// Three bytes for each pixel, from the top left; stops where `out` ends.
    pub fn read_color(&self, out: &mut [u8]) {
        for (row, out) in self.rows().zip(out.chunks_exact_mut(3 * self.width())) {
            out.copy_from_slice(&self.target.rgb[3 * row.start..3 * row.end]);
        }
    }

    /// Distance from the camera's plane in metres for each pixel, from the top left.
    pub fn read_depth(&self, out: &mut [f32]) {
        let Clip { near, far } = self.clip;
        // The projection and its reversal in single precision, undone in double precision.
        let c = -0.5 * (-(far + near) / (far - near)) - 0.5;
        let d = -0.5 * (-(2.0 * far * near) / (far - near));
        for (row, out) in self.rows().zip(out.chunks_exact_mut(self.width())) {
            for (value, depth) in out.iter_mut().zip(&self.target.depth[row]) {
                *value = (f64::from(d) / (f64::from(*depth) + f64::from(c))) as f32;
            }
        }
    }

    /// Number and kind (`ObjectType`) of the element seen at each pixel, from the top left; -1, -1 for none.
    pub fn read_segmentation(&self, out: &mut [i32]) {
        for (row, out) in self.rows().zip(out.chunks_exact_mut(2 * self.width())) {
            for (pair, pixel) in out.chunks_exact_mut(2).zip(row) {
                let [r, g, b] = [0, 1, 2].map(|axis| usize::from(self.target.rgb[3 * pixel + axis]));
                let entry = self.elements.get(r + (g << 8) + (b << 16)).copied().unwrap_or([-1; 2]);
                pair.copy_from_slice(&entry);
            }
        }
    }
}

/// A camera by number, by name, or the free camera for -1.
pub fn camera_numbered(model: &Model, number: i32) -> Result<Camera, PictureError> {
    match usize::try_from(number) {
        Err(_) if number == -1 => Ok(Camera::free(model)),
        Ok(camera) if camera < model.ncam => Ok(Camera::fixed(camera)),
        _ => Err(refused(
            format!("The camera id {number} is out of range [-1, {}).", model.ncam),
            "cameras are counted from zero; -1 is the free camera",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: &str = "<mujoco><worldbody><light pos='0 0 3'/><geom type='plane' size='2 2 .1'/>\
        <body pos='0 0 1'><freejoint/><geom type='box' size='.2 .3 .1' rgba='1 0 0 1'/></body></worldbody></mujoco>";

    fn sim() -> crate::Sim {
        let loaded = crate::load_str(SCENE, &crate::LoadOptions::default()).unwrap();
        let mut sim = crate::Sim::new(loaded.model);
        sim.forward();
        sim
    }

    #[test]
    fn depth_is_in_metres() {
        let sim = sim();
        let mut camera =
            Camera { lookat: [0.0, 0.0, 1.1], distance: 3.0, elevation: -90.0, ..Camera::free(&sim.model) };
        let mut photographer = Photographer::new(&sim.model, 41, 41).unwrap();
        photographer.take(&sim.model, &sim.data, &mut camera, Kind::Depth).unwrap();
        let mut depth = vec![0.0; 41 * 41];
        photographer.read_depth(&mut depth);
        assert!((depth[20 * 41 + 20] - 3.0).abs() < 1e-3, "{}", depth[20 * 41 + 20]);
    }

    #[test]
    fn wrong_sizes_and_cameras_are_refused() {
        let sim = sim();
        assert!(Photographer::new(&sim.model, 0, 10).is_err());
        assert!(Photographer::new(&sim.model, 10, 100_000).is_err());
        assert!(camera_numbered(&sim.model, 0).is_err());
        assert!(camera_numbered(&sim.model, -1).is_ok());
    }
}
