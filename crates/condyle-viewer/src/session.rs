//! A simulation with the pages that look at it.

use std::sync::Arc;

use condyle::{Describe, LoadError, Loaded, Sim, Timer, TimerStat};
use condyle_base::diagnostic::render_all;
use condyle_engine::{Data, forward, reset, step_reported};
use condyle_model::Model;
use condyle_vis::{Camera, Geom};

use crate::carry::carry;
use crate::command::Command;
use crate::frame::{self, Beside};
use crate::history::History;
use crate::pace::Pace;
use crate::view::{MOST_CREDIT, View};
use crate::{Message, describe};

/// Real time that one call of [`Session::advance`] may take, s.
const BUDGET: f64 = 0.012;
/// Least time between two frames of a page, s.
const FRAME_TIME: f64 = 1.0 / 65.0;
/// The same while nothing happens.
const IDLE_FRAME_TIME: f64 = 0.1;
/// How long after a command frames come at full rate, s.
const LIVELY: f64 = 0.5;
/// Least time between two reports of what happened in steps, s.
const REPORT_TIME: f64 = 0.5;
const STAGES: usize = Timer::ALL.len();

/// Number of a page within its session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ViewId(u64);

/// What a page changed, for a program that owns the simulation.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// A control was set: actuator and value.
    Control(usize, f64),
    /// A coordinate was set: address in `qpos` and value.
    Position(usize, f64),
    /// An equality constraint was switched on or off.
    Equality(usize, bool),
    /// The simulation was reset.
    Reset,
    /// The simulation was reset to a keyframe.
    Keyframe(usize),
    /// A key was pressed, by its GLFW number.
    Key(i32),
}

/// A simulation with the pages that look at it.
pub struct Session {
    clock: fn() -> f64,
    name: String,
    sim: Option<Sim>,
    /// Why there is no model, or what was noticed when it was loaded.
    problems: String,
    /// Whether the latest model could not be loaded.
    broken: bool,
    revision: u32,
    views: Vec<(ViewId, View)>,
    next_view: u64,
    playing: bool,
    speed: f64,
    pace: Pace,
    history: History,
    /// Whether somebody else steps the simulation and hands over its data.
    passive: bool,
    edits: Vec<Edit>,
    timers: [TimerStat; STAGES],
    stages: [f64; STAGES],
    measured: f64,
    reported: f64,
    /// Set when a page asks for the model to be read again.
    reload: bool,
    /// Bodies that were pulled in the last step; their forces are taken away again.
    pulled: Vec<usize>,
    /// Elements that a program adds to the scene.
    extra: Vec<Geom>,
    /// When a page last asked for more than frames.
    touched: f64,
    /// What a program shows beside the scene: kind and message.
    told: Vec<(String, String)>,
}

impl Session {
    /// A session without a model. `clock` gives seconds that only increase.
    pub fn new(name: &str, clock: fn() -> f64) -> Self {
        Self {
            clock,
            name: name.to_owned(),
            sim: None,
            problems: String::new(),
            broken: false,
            revision: 0,
            views: Vec::new(),
            next_view: 0,
            playing: true,
            speed: 1.0,
            pace: Pace::default(),
            history: History::default(),
            passive: false,
            edits: Vec::new(),
            timers: Default::default(),
            stages: [0.0; STAGES],
            measured: f64::NEG_INFINITY,
            reported: f64::NEG_INFINITY,
            reload: false,
            pulled: Vec::new(),
            extra: Vec::new(),
            touched: f64::NEG_INFINITY,
            told: Vec::new(),
        }
    }

    /// Shows a model that was just loaded, keeping the state where it fits, or why it could not be loaded; the model before stays then.
    pub fn show(&mut self, loaded: Result<Loaded, LoadError>) {
        match loaded {
            Ok(loaded) => {
                let warnings =
                    if loaded.warnings.is_empty() { String::new() } else { render_all(&loaded.warnings) };
                let mut sim = Sim::new(loaded.model);
                let old = self.sim.take();
                if let Some(old) = &old {
                    carry(old, &mut sim);
                }
                forward(&sim.model, &mut sim.data);
                self.install(sim, warnings, old.is_none());
            }
            Err(error) => {
                self.problems = error.to_string();
                self.broken = true;
                let message = describe::note("problems", &self.problems);
                self.views.iter_mut().for_each(|(_, view)| view.say(message.clone()));
            }
        }
    }

    /// Shows a model as if nothing had been shown before, or why it could not be loaded; the model before stays then.
    pub fn open(&mut self, loaded: Result<Loaded, LoadError>) {
        if loaded.is_ok() {
            self.sim = None;
            self.playing = true;
        }
        self.show(loaded);
    }

    /// Starts from a keyframe, by name or number; without such a keyframe nothing changes and the answer is `false`.
    pub fn start_from(&mut self, key: &str) -> bool {
        let found = self.sim.as_mut().is_some_and(|sim| sim.reset_to_keyframe(key));
        if found {
            self.history.clear();
            self.begin_anew(|_, _| {});
        }
        found
    }

    /// Shows a simulation that somebody else steps; [`Session::sync`] brings its data.
    pub fn show_passive(&mut self, model: Arc<Model>, data: Data) {
        self.passive = true;
        self.playing = false;
        self.install(Sim { model, data }, String::new(), self.revision == 0);
    }

    /// Gives the session another name, shown by pages from the next model on.
    pub fn rename(&mut self, name: &str) {
        self.name = name.to_owned();
    }

    /// Shows a simulation as it is and runs it from now on.
    pub fn show_sim(&mut self, sim: Sim) {
        self.install(sim, String::new(), self.revision == 0);
    }

    /// `first`: nothing was shown before that a camera could keep looking at.
    fn install(&mut self, mut sim: Sim, warnings: String, first: bool) {
        self.revision += 1;
        self.problems = warnings;
        self.broken = false;
        self.history.clear();
        self.pace.restart();
        self.pulled.clear();
        sim.data.timers.set_clock(Some(self.clock));
        self.timers = *sim.data.timers.stats();
        if !self.passive {
            self.history.keep(&sim.model, &sim.data);
        }
        let text = describe::model(&sim.model, &self.name, self.revision, &self.problems, self.passive);
        for (_, view) in &mut self.views {
            view.replace_model(&sim.model, first);
            view.say(text.clone());
        }
        self.sim = Some(sim);
    }

    /// Takes over the data of the program that steps the simulation, and gives back what pages changed since.
    pub fn sync(&mut self, data: &Data) -> Vec<Edit> {
        if let Some(sim) = &mut self.sim {
            sim.data.clone_from(data);
            // Code of the program runs where the program steps.
            sim.data.hooks = Default::default();
            for (_, view) in &mut self.views {
                view.sample(&sim.model, &sim.data, true, sim.data.state.time);
                view.sample(&sim.model, &sim.data, false, sim.data.state.time);
            }
        }
        std::mem::take(&mut self.edits)
    }

    /// Puts the pulls of all pages into the data of another simulation of the same model.
    pub fn perturb(&mut self, data: &mut Data) {
        if let Some(sim) = &self.sim {
            apply_pulls(&self.views, &mut self.pulled, &sim.model, data, false);
        }
    }

    /// Takes over what a program may change of the model while it runs: options, appearance and colours.
    pub fn sync_model(&mut self, from: &Model) {
        let Some(model) = self.sim.as_mut().and_then(|sim| Arc::get_mut(&mut sim.model)) else { return };
        if model.ngeom != from.ngeom
            || model.nmat != from.nmat
            || model.nsite != from.nsite
            || model.ntendon != from.ntendon
        {
            return;
        }
        model.opt.clone_from(&from.opt);
        model.vis.clone_from(&from.vis);
        model.stat.clone_from(&from.stat);
        model.geom_rgba.clone_from(&from.geom_rgba);
        model.geom_group.clone_from(&from.geom_group);
        model.mat_rgba.clone_from(&from.mat_rgba);
        model.site_rgba.clone_from(&from.site_rgba);
        model.tendon_rgba.clone_from(&from.tendon_rgba);
    }

    /// Elements that are shown beside those of the model.
    pub fn set_extra(&mut self, elements: &[Geom]) {
        self.extra.clear();
        self.extra.extend_from_slice(elements);
    }

    /// Shows something beside the scene on all pages, also on those that come later, until something else of its kind is shown. It goes
    /// out with the next frame, so a program may call this as often as it likes.
    pub fn tell(&mut self, kind: &str, text: &str) {
        let message = describe::note(kind, text);
        self.views.iter_mut().for_each(|(_, view)| view.tell(kind, &message));
        self.told.retain(|(other, _)| other != kind);
        self.told.push((kind.to_owned(), message));
    }

    /// What pages changed since the last call.
    pub fn take_edits(&mut self) -> Vec<Edit> {
        std::mem::take(&mut self.edits)
    }

    /// The simulation; none while the model cannot be loaded.
    pub fn sim(&self) -> Option<&Sim> {
        self.sim.as_ref()
    }

    /// Stop the simulation until a page starts it again.
    pub fn pause(&mut self) {
        self.playing = false;
    }

    /// The views, for programs that set cameras and options themselves.
    pub fn views_mut(&mut self) -> impl Iterator<Item = &mut View> {
        self.views.iter_mut().map(|(_, view)| view)
    }

    /// Whether a page asked for the model to be read again since the last call.
    pub fn take_reload(&mut self) -> bool {
        std::mem::take(&mut self.reload)
    }

    /// A page is there.
    pub fn connect(&mut self) -> ViewId {
        let id = ViewId(self.next_view);
        self.next_view += 1;
        let mut view = View::new(self.sim.as_ref().map(|sim| &*sim.model));
        if let Some(sim) = &self.sim {
            let warnings = if self.broken { "" } else { &self.problems };
            view.say(describe::model(&sim.model, &self.name, self.revision, warnings, self.passive));
        }
        if self.broken {
            view.say(describe::note("problems", &self.problems));
        }
        view.told.clone_from(&self.told);
        self.views.push((id, view));
        id
    }

    /// A page is gone; what it pulled is let go.
    pub fn disconnect(&mut self, id: ViewId) {
        self.views.retain(|(other, _)| *other != id);
    }

    /// Carries out a line from a page; what is no command is answered with the reason.
    pub fn command(&mut self, id: ViewId, line: &str) {
        let Some(place) = self.views.iter().position(|(other, _)| *other == id) else { return };
        let done = Command::parse(line).and_then(|command| self.carry_out(place, command));
        if let Err(problem) = done {
            self.views[place].1.say(describe::note("refused", &problem));
        }
    }

    fn carry_out(&mut self, place: usize, command: Command) -> Result<(), String> {
        let view = &mut self.views[place].1;
        match command {
            Command::More(frames) => {
                view.credit = view.credit.saturating_add(frames).min(MOST_CREDIT);
                return Ok(());
            }
            Command::Reload => {
                self.reload = true;
                return Ok(());
            }
            Command::Key(key) => {
                self.edits.push(Edit::Key(key));
                return Ok(());
            }
            _ => {}
        }
        self.touched = (self.clock)();
        let Some(sim) = &mut self.sim else { return Err("there is no model".to_owned()) };
        if self.views[place].1.carry_out(&command, sim, self.revision)? {
            return Ok(());
        }
        self.run(command)
    }

    /// Commands that concern the simulation, and with it all pages.
    fn run(&mut self, command: Command) -> Result<(), String> {
        let Some(sim) = &mut self.sim else { return Ok(()) };
        let (model, data) = (&*sim.model, &mut sim.data);
        match command {
            Command::Play if !self.passive => {
                self.playing = true;
                self.pace.restart();
            }
            Command::Pause => self.playing = false,
            Command::Step(count) => {
                self.playing = false;
                if self.passive {
                    return Err("the program that runs the simulation steps it".to_owned());
                }
                if count < 0 {
                    let back = count.unsigned_abs() as usize;
                    let number = self.history.before(back, data.diagnostics.report.step);
                    let number = number.or_else(|| self.history.range().map(|[first, _]| first.0));
                    return self.rewind(number.unwrap_or(0));
                }
                for _ in 0..count.min(10_000) {
                    self.step();
                }
            }
            Command::Speed(speed) if speed > 0.0 && speed <= 1000.0 => {
                self.speed = speed;
                self.pace.restart();
            }
            Command::Speed(speed) => return Err(format!("a speed of {speed} is not between 0 and 1000")),
            Command::Reset => {
                self.edit(Edit::Reset);
                self.begin_anew(reset::reset);
            }
            Command::Keyframe(key) => {
                if key >= model.nkey {
                    return Err(format!("the model has {} keyframes", model.nkey));
                }
                self.edit(Edit::Keyframe(key));
                self.begin_anew(|model, data| {
                    reset::reset_to_keyframe(model, data, key);
                });
            }
            Command::Control(index, value) => {
                *data
                    .inputs
                    .ctrl
                    .get_mut(index)
                    .ok_or_else(|| format!("the model has {} actuators", model.nu))? = value;
                self.edit(Edit::Control(index, value));
                self.history.resume();
            }
            Command::Position(index, value) => {
                *data
                    .state
                    .qpos
                    .get_mut(index)
                    .ok_or_else(|| format!("the model has {} coordinates", model.nq))? = value;
                self.history.resume();
                if !self.playing && !self.passive {
                    forward(model, data);
                }
                self.edit(Edit::Position(index, value));
            }
            Command::Equality(index, on) => {
                *data
                    .inputs
                    .eq_active
                    .get_mut(index)
                    .ok_or_else(|| format!("the model has {} equalities", model.neq))? = u8::from(on);
                self.edit(Edit::Equality(index, on));
            }
            Command::Rewind(number) => return self.rewind(number),
            _ => return Err("not now".to_owned()),
        }
        Ok(())
    }

    fn edit(&mut self, edit: Edit) {
        if self.passive {
            self.edits.push(edit);
        }
    }

    fn begin_anew(&mut self, begin: impl FnOnce(&Model, &mut Data)) {
        let Some(sim) = &mut self.sim else { return };
        if self.passive {
            return;
        }
        begin(&sim.model, &mut sim.data);
        forward(&sim.model, &mut sim.data);
        self.timers = *sim.data.timers.stats();
        self.pace.restart();
        self.history.resume();
        self.history.keep(&sim.model, &sim.data);
    }

    fn rewind(&mut self, number: u64) -> Result<(), String> {
        let Some(sim) = &mut self.sim else { return Ok(()) };
        self.playing = false;
        let nearest = self.history.nearest(number).ok_or("nothing is kept yet")?;
        if self.history.restore(nearest, &sim.model, &mut sim.data) {
            Ok(())
        } else {
            Err("this moment is no longer kept".to_owned())
        }
    }

    /// One step with the pulls of all pages.
    fn step(&mut self) {
        let Some(sim) = &mut self.sim else { return };
        self.history.resume();
        let (model, data) = (&*sim.model, &mut sim.data);
        apply_pulls(&self.views, &mut self.pulled, model, data, false);
        let began = data.state.time;
        let report = *step_reported(model, data);
        for (_, view) in self.views.iter_mut().filter(|(_, view)| !view.plots.is_empty()) {
            view.sample(model, data, false, began);
            view.sample(model, data, true, data.state.time);
        }
        if self.history.is_due(data.state.time) {
            self.history.keep(model, data);
        }
        let quiet = report.resets == 0
            && !report.held
            && report.non_finite.is_none()
            && report.warnings.iter().chain(&report.issues).all(|count| *count == 0);
        let now = (self.clock)();
        if !quiet && now - self.reported > REPORT_TIME {
            self.reported = now;
            let text = describe::note("event", &report.describe(model));
            self.views.iter_mut().for_each(|(_, view)| view.say(text.clone()));
        }
    }

    /// Brings the simulation to where it should be at the time `now`.
    pub fn advance(&mut self, now: f64) {
        let Some(sim) = &mut self.sim else { return };
        if self.passive {
            return;
        }
        if !self.playing {
            if self.views.iter().any(|(_, view)| view.is_pulling()) {
                // As MuJoCo's viewer does: a floating body follows the mouse while the simulation stands still.
                apply_pulls(&self.views, &mut self.pulled, &sim.model, &mut sim.data, true);
                forward(&sim.model, &mut sim.data);
                self.history.resume();
            }
            self.pace.restart();
            return;
        }
        let target = self.pace.target(now, sim.data.state.time, self.speed);
        loop {
            let Some(sim) = &self.sim else { return };
            if !(sim.data.state.time + 0.5 * sim.model.opt.timestep < target) || (self.clock)() - now > BUDGET
            {
                break;
            }
            let before = sim.data.state.time;
            self.step();
            let after = self.sim.as_ref().map_or(before, |sim| sim.data.state.time);
            // A reset by policy, a step that is not taken or a time step of zero must not be waited for.
            if !(after > before) {
                self.pace.restart();
                break;
            }
        }
        self.measure();
    }

    fn measure(&mut self) {
        let Some(sim) = &self.sim else { return };
        let now = (self.clock)();
        self.pace.measure(now, sim.data.state.time);
        if now - self.measured > 0.25 {
            self.measured = now;
            let stats = *sim.data.timers.stats();
            if stats[0].number > self.timers[0].number {
                self.stages = frame::stage_times(&self.timers, &stats);
            }
            self.timers = stats;
        }
    }

    /// Messages for a page, with a frame if it is ready for one.
    pub fn poll(&mut self, id: ViewId, now: f64) -> Vec<Message> {
        let Some((_, view)) = self.views.iter_mut().find(|(other, _)| *other == id) else {
            return Vec::new();
        };
        let mut messages = std::mem::take(&mut view.waiting);
        let lively = self.playing || self.passive || view.is_pulling() || now - self.touched < LIVELY;
        let pause = if lively { FRAME_TIME } else { IDLE_FRAME_TIME };
        let due = view.credit > 0 && now - view.last_frame >= pause;
        let Some(sim) = self.sim.as_ref().filter(|_| due) else {
            return messages;
        };
        if !view.update(&sim.model, &sim.data, &self.extra) {
            view.camera = Camera::free(&sim.model);
            return messages;
        }
        view.credit -= 1;
        view.last_frame = now;
        messages.extend(view.told.drain(..).map(|(_, message)| Message::Text(message)));
        let beside = Beside {
            revision: self.revision,
            playing: self.playing,
            speed: self.speed,
            rate: if self.playing { self.pace.rate } else { 0.0 },
            stages: self.stages,
            history: &self.history,
            selected: &view.selected,
            camera: [view.camera.r#type, view.camera.fixedcamid, view.camera.trackbodyid],
            pulling: view.perturbation.active != 0,
        };
        let View { scene, options, sent, plots, .. } = view;
        messages.push(Message::Binary(frame::encode(
            &sim.model, &sim.data, scene, options, sent, plots, &beside,
        )));
        messages
    }
}

/// Takes away the forces of the last pulls and applies those of now.
fn apply_pulls(
    views: &[(ViewId, View)],
    pulled: &mut Vec<usize>,
    model: &Model,
    data: &mut Data,
    paused: bool,
) {
    for body in pulled.drain(..) {
        if let Some(force) = data.inputs.xfrc_applied.get_mut(body) {
            *force = [0.0; 6];
        }
    }
    for (_, view) in views.iter().filter(|(_, view)| view.is_pulling()) {
        let Some(body) = usize::try_from(view.perturbation.select).ok().filter(|body| *body < model.nbody)
        else {
            continue;
        };
        view.perturbation.apply_pose(model, data, paused);
        if !paused {
            data.inputs.xfrc_applied[body] = [0.0; 6];
            view.perturbation.apply_force(model, data);
            pulled.push(body);
        }
    }
}
