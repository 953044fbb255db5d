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

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

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
    near: f32,
    far: f32,
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
        let extent = model.stat.extent;
        Ok(Self {
            options: Options::default(),
            scene: Scene::new(model, ROOM),
            renderer: Renderer::default(),
            context,
            target: Target::new(width as i32, height as i32),
            near: (f64::from(model.vis.map.znear) * extent) as f32,
            far: (f64::from(model.vis.map.zfar) * extent) as f32,
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
        let all = Category::ALL_BITS;
        condyle_vis::update_scene(
            model,
            data,
            &self.options,
            &Perturbation::default(),
            camera,
            all,
            &mut self.scene,
        )
        .map_err(|error| {
            refused(error.to_string(), "check that camera and body numbers are those of this model")
        })
    }

    /// Draws the scene that was looked at.
    pub fn develop(&mut self, kind: Kind) -> Result<(), PictureError> {
        let flags = self.scene.settings.flags;
        if kind != Kind::Color {
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
        let (near, far) = (self.near, self.far);
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
        let geoms = self.scene.shown_geoms();
        let mut known = vec![[-1; 2]; geoms.len() + 1];
        for geom in geoms {
            if let Some(entry) = usize::try_from(geom.segid).ok().and_then(|id| known.get_mut(id + 1)) {
                *entry = [geom.objid, geom.objtype];
            }
        }
        for (row, out) in self.rows().zip(out.chunks_exact_mut(2 * self.width())) {
            for (pair, pixel) in out.chunks_exact_mut(2).zip(row) {
                let [r, g, b] = [0, 1, 2].map(|axis| usize::from(self.target.rgb[3 * pixel + axis]));
                let entry = known.get(r + (g << 8) + (b << 16)).copied().unwrap_or([-1; 2]);
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

/// What a batch of pictures is written to: arrays of `count` pictures each, one after the other.
#[derive(Debug, Default)]
pub struct BatchOutput<'a> {
    /// Three bytes for each pixel.
    pub rgb: Option<&'a mut [u8]>,
    /// Distance from the plane of the camera, m, for each pixel.
    pub depth: Option<&'a mut [f32]>,
    /// Number and kind of the element seen, for each pixel.
    pub segmentation: Option<&'a mut [i32]>,
}

/// Where a batch of pictures comes from.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum BatchSource<'a> {
    /// Rows of full physics states; positions and contacts are computed from them.
    States(&'a [f64]),
    /// Simulations as they are.
    Simulations(&'a [&'a Data]),
}

/// One picture of a batch: its number and where it goes.
struct Job<'a> {
    number: usize,
    rgb: Option<&'a mut [u8]>,
    depth: Option<&'a mut [f32]>,
    segmentation: Option<&'a mut [i32]>,
}

/// Takes many pictures on `threads` threads; `cameras` has one for all or one for each. The pictures do not depend on the number of
/// threads.
pub fn render_batch(
    model: &Model,
    source: BatchSource<'_>,
    cameras: &[Camera],
    size: [usize; 2],
    threads: usize,
    flags: Option<&[u8]>,
    output: BatchOutput<'_>,
) -> Result<(), PictureError> {
    let signature = condyle_engine::state::component::FULL_PHYSICS;
    let row = condyle_engine::state::size(model, signature);
    let count = match source {
        BatchSource::States(states) => states.len() / row.max(1),
        BatchSource::Simulations(datas) => datas.len(),
    };
    if let BatchSource::Simulations(datas) = source
        && !datas.iter().all(|data| data.fits(model))
    {
        return Err(refused("the data belongs to another model", "make the data from this model"));
    }
    if cameras.is_empty() || (cameras.len() != 1 && cameras.len() != count) {
        return Err(refused(
            format!("{} cameras for {count} pictures", cameras.len()),
            "give one camera for all pictures or one for each",
        ));
    }
    let context = std::sync::Arc::new(Context::new(model)?);
    let pixels = size[0].saturating_mul(size[1]);
    let jobs = Mutex::new(split(output, count, pixels)?.into_iter());
    let failure = Mutex::new(None);
    let stop = AtomicUsize::new(0);
    let work = || -> Result<(), PictureError> {
        let mut photographer = Photographer::with_context(model, context.clone(), size[0], size[1])?;
        for (flag, value) in photographer.scene.settings.flags.iter_mut().zip(flags.unwrap_or_default()) {
            *flag = *value;
        }
        let mut own = match source {
            BatchSource::States(_) => Some(Data::new(model)),
            BatchSource::Simulations(_) => None,
        };
        while stop.load(Ordering::Relaxed) == 0 {
            let Some(mut job) = jobs.lock().map_or(None, |mut jobs| jobs.next()) else { break };
            let mut camera = cameras[if cameras.len() == 1 { 0 } else { job.number }];
            match (source, &mut own) {
                (BatchSource::States(states), Some(data)) => {
                    let at = job.number * row;
                    condyle_engine::state::set(data, &states[at..at + row], signature);
                    condyle_engine::forward(model, data);
                    photographer.look(model, data, &mut camera)?;
                }
                (BatchSource::Simulations(datas), _) => {
                    photographer.look(model, datas[job.number], &mut camera)?;
                }
                _ => {}
            }
            job.develop(&mut photographer)?;
        }
        Ok(())
    };
    let guarded = || {
        if let Err(error) = work() {
            stop.store(1, Ordering::Relaxed);
            if let Ok(mut failure) = failure.lock() {
                *failure = Some(error);
            }
        }
    };
    let threads = threads.clamp(1, count.max(1));
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(guarded);
        }
        guarded();
    });
    match failure.into_inner() {
        Ok(Some(error)) => Err(error),
        _ => Ok(()),
    }
}

impl Job<'_> {
    fn develop(&mut self, photographer: &mut Photographer) -> Result<(), PictureError> {
        if let Some(rgb) = &mut self.rgb {
            photographer.develop(Kind::Color)?;
            photographer.read_color(rgb);
        }
        if self.depth.is_some() || self.segmentation.is_some() {
            // Depth and segmentation come from one pass.
            photographer.develop(Kind::Segmentation)?;
        }
        if let Some(depth) = &mut self.depth {
            photographer.read_depth(depth);
        }
        if let Some(segmentation) = &mut self.segmentation {
            photographer.read_segmentation(segmentation);
        }
        Ok(())
    }
}

/// The pictures of an output one by one.
fn split(output: BatchOutput<'_>, count: usize, pixels: usize) -> Result<Vec<Job<'_>>, PictureError> {
    fn parts<'a, T>(
        array: Option<&'a mut [T]>,
        name: &str,
        count: usize,
        length: usize,
    ) -> Result<Vec<Option<&'a mut [T]>>, PictureError> {
        let Some(array) = array else { return Ok((0..count).map(|_| None).collect()) };
        if array.len() != count.saturating_mul(length) {
            return Err(refused(
                format!("{name} has {} elements, {count} pictures need {}", array.len(), count * length),
                "make the array from the number of pictures and their size",
            ));
        }
        Ok(array.chunks_exact_mut(length).map(Some).collect())
    }
    let rgb = parts(output.rgb, "rgb", count, 3 * pixels)?;
    let depth = parts(output.depth, "depth", count, pixels)?;
    let segmentation = parts(output.segmentation, "segmentation", count, 2 * pixels)?;
    let arrays = rgb.into_iter().zip(depth).zip(segmentation);
    Ok(arrays
        .enumerate()
        .map(|(number, ((rgb, depth), segmentation))| Job { number, rgb, depth, segmentation })
        .collect())
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
    fn a_batch_has_the_pictures_one_by_one_for_any_number_of_threads() {
        let mut sim = sim();
        let signature = condyle_engine::state::component::FULL_PHYSICS;
        let row = condyle_engine::state::size(&sim.model, signature);
        let mut states = vec![0.0; 5 * row];
        let mut single = Vec::new();
        let mut photographer = Photographer::new(&sim.model, 40, 30).unwrap();
        for state in states.chunks_exact_mut(row) {
            sim.data.state.qpos[2] += 0.1;
            condyle_engine::state::get(&mut sim.data, state, signature);
            sim.forward();
            let mut camera = Camera::free(&sim.model);
            photographer.take(&sim.model, &sim.data, &mut camera, Kind::Color).unwrap();
            let mut rgb = vec![0; 40 * 30 * 3];
            photographer.read_color(&mut rgb);
            single.extend(rgb);
        }
        let camera = [Camera::free(&sim.model)];
        for threads in [1, 2, 3, 8] {
            let mut rgb = vec![0; 5 * 40 * 30 * 3];
            let mut segmentation = vec![0; 5 * 40 * 30 * 2];
            let output =
                BatchOutput { rgb: Some(&mut rgb), depth: None, segmentation: Some(&mut segmentation) };
            let source = BatchSource::States(&states);
            render_batch(&sim.model, source, &camera, [40, 30], threads, None, output).unwrap();
            assert!(rgb == single, "{threads} threads");
            assert!(segmentation.chunks_exact(2).any(|pair| pair == [1, crate::ObjectType::Geom as i32]));
        }
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
        let data = [&sim.data];
        let source = BatchSource::Simulations(&data);
        let mut short = [0; 3];
        let output = BatchOutput { rgb: Some(&mut short), ..Default::default() };
        let camera = [Camera::free(&sim.model)];
        assert!(render_batch(&sim.model, source, &camera, [8, 8], 1, None, output).is_err());
        let output = BatchOutput::default();
        assert!(render_batch(&sim.model, source, &[], [8, 8], 1, None, output).is_err());
    }
}
