//! What one page looks at: its camera, its options, what it has selected and pulls, and the plots it asked for.

use condyle_engine::Data;
use condyle_model::Model;
use condyle_vis::{Camera, Geom, MouseAction, Options, Perturbation, Scene, perturb};

use crate::Message;
use crate::channel::Channel;

/// Room for elements of a scene.
const ROOM: usize = 20_000;
/// Most samples that wait for the next frame; further ones are lost.
const MOST_SAMPLES: usize = 20_000;
/// Most plots of a page.
pub(crate) const MOST_PLOTS: usize = 64;
/// Most frames under way to a page.
pub(crate) const MOST_CREDIT: usize = 8;

/// A number that is plotted, with samples that were not yet sent.
#[derive(Debug)]
pub(crate) struct Plot {
    pub number: u32,
    pub channel: Channel,
    /// Time and value.
    pub samples: Vec<[f64; 2]>,
}

/// What is selected; -1: nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Selected {
    pub body: i32,
    pub geom: i32,
    pub point: [f64; 3],
}

impl Default for Selected {
    fn default() -> Self {
        Self { body: -1, geom: -1, point: [0.0; 3] }
    }
}

/// One page.
#[derive(Debug)]
pub struct View {
    /// Where the page looks from.
    pub camera: Camera,
    /// What is shown.
    pub options: Options,
    /// How the selected body is pulled.
    pub perturbation: Perturbation,
    /// What the page draws; the Python module sets its flags.
    pub scene: Scene,
    pub(crate) selected: Selected,
    pub(crate) plots: Vec<Plot>,
    /// Elements as the page knows them.
    pub(crate) sent: Vec<Geom>,
    /// Frames the page is ready for.
    pub(crate) credit: usize,
    /// When the last frame was made.
    pub(crate) last_frame: f64,
    pub(crate) waiting: Vec<Message>,
    /// What goes out with the next frame: kind and message, the latest of each kind.
    pub(crate) told: Vec<(String, String)>,
}

impl View {
    pub(crate) fn new(model: Option<&Model>) -> Self {
        let mut view = Self {
            camera: Camera::default(),
            options: Options::default(),
            perturbation: Perturbation::default(),
            scene: Scene::default(),
            selected: Selected::default(),
            plots: Vec::new(),
            sent: Vec::new(),
            credit: 0,
            last_frame: f64::NEG_INFINITY,
            waiting: Vec::new(),
            told: Vec::new(),
        };
        if let Some(model) = model {
            view.camera = Camera::free(model);
            view.fit(model);
        }
        view
    }

    /// Another model: numbers of elements mean nothing any more, options and a free camera stay.
    pub(crate) fn replace_model(&mut self, model: &Model, first: bool) {
        if first || self.camera.r#type != condyle_vis::CameraType::Free as i32 {
            self.camera = Camera::free(model);
        }
        self.perturbation = Perturbation::default();
        self.selected = Selected::default();
        self.plots.clear();
        self.fit(model);
    }

    fn fit(&mut self, model: &Model) {
        let flags = self.scene.settings.flags;
        self.scene = Scene::new(model, ROOM);
        self.scene.settings.flags = flags;
        self.sent.clear();
    }

    pub(crate) fn say(&mut self, text: String) {
        self.waiting.push(Message::Text(text));
    }

    /// Something to be shown with the next frame, instead of what waits of the same kind.
    pub(crate) fn tell(&mut self, kind: &str, message: &str) {
        self.told.retain(|(other, _)| other != kind);
        self.told.push((kind.to_owned(), message.to_owned()));
    }

    /// Makes the scene of the present state, with elements of others at its end.
    pub(crate) fn update(&mut self, model: &Model, data: &Data, extra: &[Geom]) -> bool {
        let Self { options, perturbation, camera, scene, .. } = self;
        let all = condyle_vis::Category::ALL_BITS;
        if condyle_vis::update_scene(model, data, options, perturbation, camera, all, scene).is_err() {
            return false;
        }
        let used = scene.shown_geoms().len();
        for (place, element) in scene.geoms[used..].iter_mut().zip(extra) {
            *place = *element;
        }
        let room = scene.geoms.len() - used;
        scene.settings.ngeom += i32::try_from(extra.len().min(room)).unwrap_or(0);
        true
    }

    /// Selects what is at a place of the window.
    pub(crate) fn select(&mut self, model: &Model, data: &Data, place: [f64; 2], aspect: f64) {
        self.release();
        let found =
            condyle_vis::select(model, data, &self.options, aspect, place, &self.scene).ok().flatten();
        let Some(found) = found else { return self.deselect() };
        let number = |index: Option<usize>| index.and_then(|index| i32::try_from(index).ok()).unwrap_or(-1);
        self.selected = Selected { body: number(found.body), geom: number(found.geom), point: found.point };
        self.perturbation.select = self.selected.body.max(0);
        self.perturbation.flexselect = number(found.flex);
        self.perturbation.skinselect = number(found.skin);
        if let Some(body) = found.body {
            let k = &data.kinematics;
            let offset: [f64; 3] = std::array::from_fn(|axis| found.point[axis] - k.xpos[body][axis]);
            let m = &k.xmat[body];
            self.perturbation.localpos =
                std::array::from_fn(|axis| (0..3).map(|row| m[3 * row + axis] * offset[row]).sum());
        }
    }

    pub(crate) fn select_body(&mut self, data: &Data, body: usize) {
        self.release();
        let Some(point) = data.kinematics.xpos.get(body) else { return };
        let number = i32::try_from(body).unwrap_or(0);
        self.selected = Selected { body: number, geom: -1, point: *point };
        self.perturbation = Perturbation { select: number, ..Perturbation::default() };
    }

    pub(crate) fn deselect(&mut self) {
        self.perturbation = Perturbation::default();
        self.selected = Selected::default();
    }

    /// Begins to pull, or to turn, the selected body.
    pub(crate) fn pull(&mut self, model: &Model, data: &Data, translate: bool) {
        if self.perturbation.select > 0 && self.perturbation.start(model, data, &self.scene).is_ok() {
            self.perturbation.active = if translate { perturb::TRANSLATE } else { perturb::ROTATE };
        }
    }

    pub(crate) fn pull_move(&mut self, model: &Model, data: &Data, action: i32, dx: f64, dy: f64) {
        if self.perturbation.active != 0 {
            let _ = self.perturbation.move_with_mouse(model, data, action, dx, dy, &self.scene);
        }
    }

    pub(crate) fn release(&mut self) {
        self.perturbation.active = 0;
    }

    pub(crate) fn is_pulling(&self) -> bool {
        self.perturbation.active != 0
    }

    pub(crate) fn steer(&mut self, model: &Model, action: i32, dx: f64, dy: f64) {
        if MouseAction::from_i32(action).is_some() {
            let _ = self.camera.move_with_mouse(model, action, dx, dy, &self.scene);
        }
    }

    /// Samples of plots that do not belong to the state, computed by the step that began at `time`, or of those that do.
    pub(crate) fn sample(&mut self, model: &Model, data: &Data, state: bool, time: f64) {
        for plot in self.plots.iter_mut().filter(|plot| plot.channel.is_state() == state) {
            if let Some(value) = plot.channel.read(model, data).filter(|_| plot.samples.len() < MOST_SAMPLES)
            {
                plot.samples.push([time, value]);
            }
        }
    }
}
