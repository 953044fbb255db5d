//! Pictures of many simulations of one model, on threads that stay.
//!
//! ```
//! use condyle::pictures::{BatchOutput, BatchRenderer, BatchSource, Camera};
//! use condyle::{Batch, LoadOptions, load_str};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let text = "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>";
//! let model = load_str(text, &LoadOptions::default())?.model;
//! let mut batch = Batch::new(&model, 8, 2)?;
//! let mut renderer = BatchRenderer::of_batch(&batch, [32, 24])?;
//! let mut rgb = vec![0; 8 * 32 * 24 * 3];
//! for _ in 0..3 {
//!     batch.step(None, 10)?;
//!     let output = BatchOutput { rgb: Some(&mut rgb), ..Default::default() };
//!     renderer.render(batch.model(), BatchSource::Rows(batch.state()), &[Camera::free(&model)], None, output)?;
//! }
//! # Ok(())
//! # }
//! ```
//!
//! A picture depends on its simulation and its camera alone, neither on those before it nor on the number of threads.

use std::slice::ChunksExactMut;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;

use condyle_engine::{Data, reset, state};
use condyle_model::Model;
use condyle_render::Context;
use condyle_vis::Camera;

use super::{Clip, Kind, Photographer, PictureError, refused};
use crate::batch::{Batch, INTEGRATION};
use crate::wakeful_pool::WakefulPool;

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
    /// Rows of all components of the state, as those of [`Batch::state`]; positions and contacts are computed from them.
    Rows(&'a [f64]),
    /// Simulations as they are.
    Simulations(&'a [&'a Data]),
}

/// What a thread works with. No two share a line of the cache.
#[derive(Debug)]
#[repr(align(128))]
struct Worker {
    photographer: Photographer,
    /// Holds the state that is drawn.
    data: Option<Data>,
}

/// Takes pictures of many simulations on threads; keeps its memory and its threads from one batch to the next.
#[derive(Debug)]
pub struct BatchRenderer {
    context: Arc<Context>,
    workers: Vec<Worker>,
    pool: Option<Arc<WakefulPool>>,
}

impl BatchRenderer {
    /// For pictures of `size`, width and height, on `threads` threads (0: all processors). Surfaces, textures and materials are those that
    /// the model has now.
    pub fn new(model: &Model, size: [usize; 2], threads: usize) -> Result<Self, PictureError> {
        let threads = match threads {
            0 => available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        // The calling thread is one of them.
        let pool = (threads > 1).then(|| WakefulPool::new(threads - 1)).transpose().map_err(|error| {
            refused(format!("cannot start {threads} threads: {error}"), "ask for fewer threads")
        })?;
        Self::on(model, size, threads, pool.map(Arc::new))
    }

    /// For pictures of the simulations of a batch, on its threads.
    pub fn of_batch(batch: &Batch, size: [usize; 2]) -> Result<Self, PictureError> {
        Self::on(batch.model(), size, batch.threads(), batch.pool())
    }

    fn on(
        model: &Model,
        size: [usize; 2],
        threads: usize,
        pool: Option<Arc<WakefulPool>>,
    ) -> Result<Self, PictureError> {
        let context = Arc::new(Context::new(model)?);
        let worker = || {
            let photographer = Photographer::with_context(model, context.clone(), size[0], size[1])?;
            Ok(Worker { photographer, data: None })
        };
        let workers = (0..threads).map(|_| worker()).collect::<Result<_, PictureError>>()?;
        Ok(Self { context, workers, pool })
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.workers.len()
    }

    /// Whether surfaces, textures, materials and settings are still those of the model.
    pub fn is_up_to_date(&self, model: &Model) -> bool {
        self.context.is_of(model)
    }

    /// Takes pictures; `cameras` has one for all or one for each. `flags` replaces the flags of the scene
    /// ([`RenderFlag`](super::RenderFlag)).
    pub fn render(
        &mut self,
        model: &Model,
        source: BatchSource<'_>,
        cameras: &[Camera],
        flags: Option<&[u8]>,
        output: BatchOutput<'_>,
    ) -> Result<(), PictureError> {
        let Some(first) = self.workers.first() else { return Ok(()) };
        let pixels = first.photographer.width().saturating_mul(first.photographer.height());
        let (count, row) = source.count(model)?;
        if cameras.is_empty() || (cameras.len() != 1 && cameras.len() != count) {
            return Err(refused(
                format!("{} cameras for {count} pictures", cameras.len()),
                "give one camera for all pictures or one for each",
            ));
        }
        let jobs = Mutex::new(Jobs::new(output, count, pixels)?);
        let failure = Mutex::new(None);
        let stop = AtomicBool::new(false);
        let work = |worker: &mut Worker| -> Result<(), PictureError> {
            worker.begin(model, source, flags);
            while !stop.load(Ordering::Relaxed) {
                let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some(mut job) = next else { break };
                let mut camera = cameras[if cameras.len() == 1 { 0 } else { job.number }];
                worker.look(model, source, row, job.number, &mut camera)?;
                job.develop(&mut worker.photographer)?;
            }
            Ok(())
        };
        let guarded = |worker: &mut Worker| {
            if let Err(error) = work(worker) {
                stop.store(true, Ordering::Relaxed);
                failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
        };
        match &self.pool {
            // A single picture is not worth waking the others.
            Some(pool) if count > 1 => pool.run(&mut self.workers, guarded),
            _ => self.workers.iter_mut().take(1).for_each(guarded),
        }
        failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }
}

impl BatchSource<'_> {
    /// Number of pictures, and of numbers in a row.
    fn count(&self, model: &Model) -> Result<(usize, usize), PictureError> {
        let rows = |rows: &[f64], signature| {
            let row = state::size(model, signature);
            (rows.len() / row.max(1), row)
        };
        match self {
            Self::States(states) => Ok(rows(states, state::component::FULL_PHYSICS)),
            Self::Rows(states) => Ok(rows(states, INTEGRATION)),
            Self::Simulations(datas) if datas.iter().all(|data| data.fits(model)) => Ok((datas.len(), 0)),
            Self::Simulations(_) => {
                Err(refused("the data belongs to another model", "make the data from this model"))
            }
        }
    }
}

impl Worker {
    /// Nothing is left of earlier batches.
    fn begin(&mut self, model: &Model, source: BatchSource<'_>, flags: Option<&[u8]>) {
        self.photographer.clip = Clip::new(model);
        self.photographer.scene.settings = Default::default();
        let own = &mut self.photographer.scene.settings.flags;
        for (flag, value) in own.iter_mut().zip(flags.unwrap_or_default()) {
            *flag = *value;
        }
        let needed = !matches!(source, BatchSource::Simulations(_));
        if needed && !self.data.as_ref().is_some_and(|data| data.fits(model)) {
            self.data = Some(Data::new(model));
        }
    }

    fn look(
        &mut self,
        model: &Model,
        source: BatchSource<'_>,
        row: usize,
        number: usize,
        camera: &mut Camera,
    ) -> Result<(), PictureError> {
        let (states, signature) = match source {
            BatchSource::States(states) => (states, state::component::FULL_PHYSICS),
            BatchSource::Rows(states) => (states, INTEGRATION),
            BatchSource::Simulations(datas) => {
                return self.photographer.look_afresh(model, datas[number], camera);
            }
        };
        let Some(data) = &mut self.data else { return Ok(()) };
        // What the state does not say is as at the start of a simulation.
        reset::reset(model, data);
        state::set(data, &states[number * row..][..row], signature);
        condyle_engine::forward(model, data);
        self.photographer.look_afresh(model, data, camera)
    }
}

/// One picture of a batch: its number and where it goes.
struct Job<'a> {
    number: usize,
    rgb: Option<&'a mut [u8]>,
    depth: Option<&'a mut [f32]>,
    segmentation: Option<&'a mut [i32]>,
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

/// The pictures that no thread has taken yet.
struct Jobs<'a> {
    numbers: std::ops::Range<usize>,
    rgb: Option<ChunksExactMut<'a, u8>>,
    depth: Option<ChunksExactMut<'a, f32>>,
    segmentation: Option<ChunksExactMut<'a, i32>>,
}

impl<'a> Jobs<'a> {
    fn new(output: BatchOutput<'a>, count: usize, pixels: usize) -> Result<Self, PictureError> {
        fn parts<'a, T>(
            array: Option<&'a mut [T]>,
            name: &str,
            count: usize,
            length: usize,
        ) -> Result<Option<ChunksExactMut<'a, T>>, PictureError> {
            let Some(array) = array else { return Ok(None) };
            let needed = count.saturating_mul(length);
            if array.len() != needed {
                return Err(refused(
                    format!("{name} has {} elements, {count} pictures need {needed}", array.len()),
                    "make the array from the number of pictures and their size",
                ));
            }
            Ok(Some(array.chunks_exact_mut(length)))
        }
        Ok(Self {
            numbers: 0..count,
            rgb: parts(output.rgb, "rgb", count, 3 * pixels)?,
            depth: parts(output.depth, "depth", count, pixels)?,
            segmentation: parts(output.segmentation, "segmentation", count, 2 * pixels)?,
        })
    }

    fn next(&mut self) -> Option<Job<'a>> {
        Some(Job {
            number: self.numbers.next()?,
            rgb: self.rgb.as_mut().and_then(Iterator::next),
            depth: self.depth.as_mut().and_then(Iterator::next),
            segmentation: self.segmentation.as_mut().and_then(Iterator::next),
        })
    }
}

/// Takes pictures on `threads` threads (0: all processors), as [`BatchRenderer::render`], which keeps its memory for the next batch.
pub fn render_batch(
    model: &Model,
    source: BatchSource<'_>,
    cameras: &[Camera],
    size: [usize; 2],
    threads: usize,
    flags: Option<&[u8]>,
    output: BatchOutput<'_>,
) -> Result<(), PictureError> {
    let threads = threads.min(source.count(model)?.0.max(1));
    BatchRenderer::new(model, size, threads)?.render(model, source, cameras, flags, output)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: &str = "<mujoco><worldbody><light pos='0 0 3'/><geom type='plane' size='0 0 .1'/>\
        <body pos='0 0 1'><freejoint/><geom type='box' size='.2 .3 .1' rgba='1 0 0 1'/></body></worldbody></mujoco>";
    const SIZE: [usize; 2] = [40, 30];
    const PIXELS: usize = 40 * 30;

    fn model() -> Model {
        crate::load_str(SCENE, &crate::LoadOptions::default()).unwrap().model
    }

    /// States along a way that leads far away, and a camera for each.
    fn journey(model: &Model, count: usize) -> (Vec<f64>, Vec<Camera>) {
        let mut data = Data::new(model);
        let signature = state::component::FULL_PHYSICS;
        let mut states = vec![0.0; count * state::size(model, signature)];
        let mut cameras = Vec::new();
        for (number, row) in states.chunks_exact_mut(state::size(model, signature)).enumerate() {
            data.state.qpos[0] = 3.0 * number as f64;
            state::get(&data, row, signature);
            let lookat = [data.state.qpos[0], 0.0, 1.0];
            cameras.push(Camera { lookat, distance: 2.0, ..Camera::free(model) });
        }
        (states, cameras)
    }

    fn pictures(
        renderer: &mut BatchRenderer,
        model: &Model,
        source: BatchSource<'_>,
        cameras: &[Camera],
    ) -> (Vec<u8>, Vec<f32>, Vec<i32>) {
        let count = source.count(model).unwrap().0;
        let (mut rgb, mut depth) = (vec![0; 3 * PIXELS * count], vec![0.0; PIXELS * count]);
        let mut segmentation = vec![0; 2 * PIXELS * count];
        let output = BatchOutput {
            rgb: Some(&mut rgb),
            depth: Some(&mut depth),
            segmentation: Some(&mut segmentation),
        };
        renderer.render(model, source, cameras, None, output).unwrap();
        (rgb, depth, segmentation)
    }

    #[test]
    fn pictures_do_not_depend_on_threads_or_on_pictures_before() {
        let model = model();
        let (states, cameras) = journey(&model, 7);
        let row = states.len() / 7;
        let mut singles = (Vec::new(), Vec::new(), Vec::new());
        for (state, camera) in states.chunks_exact(row).zip(&cameras) {
            let mut renderer = BatchRenderer::new(&model, SIZE, 1).unwrap();
            let one = pictures(&mut renderer, &model, BatchSource::States(state), &[*camera]);
            singles.0.extend(one.0);
            singles.1.extend(one.1);
            singles.2.extend(one.2);
        }
        assert!(singles.2.chunks_exact(2).any(|pair| pair == [1, crate::ObjectType::Geom as i32]));
        for threads in 1..=8 {
            let mut renderer = BatchRenderer::new(&model, SIZE, threads).unwrap();
            assert_eq!(renderer.threads(), threads);
            for _ in 0..2 {
                let found = pictures(&mut renderer, &model, BatchSource::States(&states), &cameras);
                assert!(found == singles, "{threads} threads");
            }
        }
    }

    #[test]
    fn rows_of_a_batch_and_simulations_give_the_pictures_of_their_states() {
        let model = model();
        let (states, cameras) = journey(&model, 3);
        let mut batch = Batch::new(&model, 3, 2).unwrap();
        let mut datas = Vec::new();
        for (number, state) in states.chunks_exact(states.len() / 3).enumerate() {
            let mut data = Data::new(&model);
            state::set(&mut data, state, state::component::FULL_PHYSICS);
            condyle_engine::forward(&model, &mut data);
            batch.component_mut(number, "qpos").copy_from_slice(&data.state.qpos);
            datas.push(data);
        }
        let mut renderer = BatchRenderer::of_batch(&batch, SIZE).unwrap();
        let expected = pictures(&mut renderer, &model, BatchSource::States(&states), &cameras);
        let rows = pictures(&mut renderer, batch.model(), BatchSource::Rows(batch.state()), &cameras);
        assert!(rows == expected);
        let datas: Vec<&Data> = datas.iter().collect();
        assert!(pictures(&mut renderer, &model, BatchSource::Simulations(&datas), &cameras) == expected);
    }

    #[test]
    fn wrong_sizes_and_cameras_are_refused() {
        let model = model();
        let data = Data::new(&model);
        let source = BatchSource::Simulations(&[&data]);
        let mut renderer = BatchRenderer::new(&model, [8, 8], 1).unwrap();
        let mut short = [0; 3];
        let output = BatchOutput { rgb: Some(&mut short), ..Default::default() };
        assert!(renderer.render(&model, source, &[Camera::free(&model)], None, output).is_err());
        assert!(renderer.render(&model, source, &[], None, BatchOutput::default()).is_err());
        assert!(BatchRenderer::new(&model, [0, 8], 1).is_err());
    }
}
