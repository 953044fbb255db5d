//! Sessions of the browser viewer for Python: one that a program steps and shows, or one that steps by itself.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use condyle::system_clock;
use condyle_viewer::server::{Server, Settings};
use condyle_viewer::{Edit, Session, View};
use condyle_vis::{Camera, Options, Perturbation};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;

use crate::data::MjData;
use crate::model::MjModel;
use crate::vis::{MjvCamera, MjvOption, MjvPerturb, MjvScene};

/// What pages and program agreed on last; whoever departs from it wins.
#[derive(Default)]
struct Agreed {
    camera: Camera,
    options: Options,
    perturbation: Perturbation,
    flags: Option<Vec<u8>>,
}

/// A simulation with the pages that show it.
#[pyclass(module = "condyle._condyle", name = "_ViewerSession", frozen)]
pub(crate) struct PyViewerSession {
    session: Arc<Mutex<Session>>,
    server: Mutex<Option<Server>>,
    agreed: Mutex<Agreed>,
}

impl PyViewerSession {
    fn session(&self) -> MutexGuard<'_, Session> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn server<R>(&self, read: impl FnOnce(&Server) -> R) -> Option<R> {
        self.server.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(read)
    }
}

/// The program's value where it changed it, else the page's; both get it.
fn settle<T: Clone + PartialEq>(agreed: &mut T, program: &mut T, page: Option<&T>) -> bool {
    let changed = *program != *agreed;
    if !changed && let Some(page) = page {
        *program = page.clone();
    }
    agreed.clone_from(program);
    changed
}

#[pymethods]
impl PyViewerSession {
    #[new]
    fn new(
        model: &Bound<'_, MjModel>,
        data: &Bound<'_, MjData>,
        name: &str,
        passive: bool,
        host: &str,
        port: u16,
    ) -> PyResult<Self> {
        let host: IpAddr = host
            .parse()
            .map_err(|_| PyValueError::new_err(format!("'{host}' is not the address of a machine")))?;
        let mut session = Session::new(name, system_clock);
        let copy = Arc::new(model.get().get().clone());
        let mut own = condyle_engine::Data::new(&copy);
        own.clone_from(data.get().read()?);
        // Callbacks of the program run where the program steps, not in the thread of the viewer.
        own.hooks = Default::default();
        if passive {
            session.show_passive(copy, own);
        } else {
            session.show_sim(condyle::Sim { model: copy, data: own });
        }
        let session = Arc::new(Mutex::new(session));
        let settings = Settings { host, port, token: None };
        let server = Server::start(Arc::clone(&session), &settings).map_err(PyOSError::new_err)?;
        let agreed = Agreed { camera: Camera::free(model.get().get()), ..Agreed::default() };
        Ok(Self { session, server: Mutex::new(Some(server)), agreed: Mutex::new(agreed) })
    }

    /// Address of the page; `None` once closed.
    #[getter]
    fn url(&self) -> Option<String> {
        self.server(Server::url)
    }

    /// How many pages show the session.
    #[getter]
    fn pages(&self) -> usize {
        self.server(Server::pages).unwrap_or(0)
    }

    /// Whether the page is part of this module.
    #[staticmethod]
    fn has_page() -> bool {
        Server::has_page()
    }

    /// Shows another model from now on.
    fn show(&self, model: &Bound<'_, MjModel>, data: &Bound<'_, MjData>) -> PyResult<()> {
        let copy = Arc::new(model.get().get().clone());
        let mut own = condyle_engine::Data::new(&copy);
        own.clone_from(data.get().read()?);
        own.hooks = Default::default();
        self.session().show_sim(condyle::Sim { model: copy, data: own });
        Ok(())
    }

    /// Shows the program's simulation as it is now, gives it what pages changed and the keys that were pressed.
    fn sync(
        &self,
        model: &Bound<'_, MjModel>,
        data: &Bound<'_, MjData>,
        camera: &Bound<'_, MjvCamera>,
        options: &Bound<'_, MjvOption>,
        perturbation: &Bound<'_, MjvPerturb>,
        scene: &Bound<'_, MjvScene>,
        state_only: bool,
    ) -> PyResult<Vec<i32>> {
        let mut session = self.session();
        let edits = session.take_edits();
        let mut keys = Vec::new();
        let model = model.get().get();
        let mut own = data.get().lock()?;
        for edit in edits {
            apply(model, &mut own, edit, &mut keys);
        }
        session.perturb(&mut own);
        session.sync(&own);
        drop(own);
        if !state_only {
            session.sync_model(model);
        }
        let mut agreed = self.agreed.lock().unwrap_or_else(PoisonError::into_inner);
        self.agree(&mut session, &mut agreed, camera, options, perturbation, scene);
        Ok(keys)
    }

    /// Brings the state a session of its own has reached into the program's data.
    fn fetch(&self, data: &Bound<'_, MjData>) -> PyResult<()> {
        let session = self.session();
        if let Some(sim) = session.sim() {
            let mut own = data.get().lock()?;
            let snapshot = condyle_engine::Snapshot::take(&sim.model, &sim.data);
            snapshot
                .restore(&sim.model, &mut own)
                .map_err(|problem| PyValueError::new_err(problem.to_string()))?;
        }
        Ok(())
    }

    /// Shows a text over the picture; `kind` says where.
    fn tell(&self, kind: &str, text: &str) {
        self.session().tell(kind, text);
    }

    /// Whether a page asked for the model to be loaded again.
    fn take_reload(&self) -> bool {
        self.session().take_reload()
    }

    /// A line as a page would send it, from a page that nobody sees.
    fn command(&self, line: &str) {
        let mut session = self.session();
        let view = session.connect();
        session.command(view, line);
        session.disconnect(view);
    }

    /// Ends the server; pages say that the connection is lost.
    fn close(&self, py: Python<'_>) {
        let server = self.server.lock().unwrap_or_else(PoisonError::into_inner).take();
        py.detach(|| drop(server));
    }
}

impl PyViewerSession {
    /// Camera, options and selection: what the program changed goes to all pages, what the first page changed to the program.
    fn agree(
        &self,
        session: &mut Session,
        agreed: &mut Agreed,
        camera: &Bound<'_, MjvCamera>,
        options: &Bound<'_, MjvOption>,
        perturbation: &Bound<'_, MjvPerturb>,
        scene: &Bound<'_, MjvScene>,
    ) {
        let first = session.views_mut().next().map(|view| (view.camera, view.options, view.perturbation));
        let (camera, options, perturbation) =
            (camera.get().0.get(), options.get().0.get(), perturbation.get().0.get());
        let changed = [
            settle(&mut agreed.camera, camera, first.as_ref().map(|first| &first.0)),
            settle(&mut agreed.options, options, first.as_ref().map(|first| &first.1)),
            settle(&mut agreed.perturbation, perturbation, first.as_ref().map(|first| &first.2)),
        ];
        let (extra, flags) = scene.get().with(|scene| (scene.shown_geoms().to_vec(), scene.settings.flags));
        session.set_extra(&extra);
        let flags_changed = agreed.flags.replace(flags.to_vec()).is_some_and(|known| known != flags);
        for view in session.views_mut() {
            let View { camera: its_camera, options: its_options, perturbation: its_perturbation, .. } = view;
            if changed[0] {
                *its_camera = *camera;
            }
            if changed[1] {
                *its_options = *options;
            }
            if changed[2] {
                *its_perturbation = *perturbation;
            }
            if flags_changed {
                view.scene.settings.flags = flags;
            }
        }
    }
}

/// Carries out on the program's data what a page asked for.
fn apply(model: &condyle_model::Model, data: &mut condyle_engine::Data, edit: Edit, keys: &mut Vec<i32>) {
    match edit {
        Edit::Control(index, value) => {
            if let Some(place) = data.inputs.ctrl.get_mut(index) {
                *place = value;
            }
        }
        Edit::Position(index, value) => {
            if let Some(place) = data.state.qpos.get_mut(index) {
                *place = value;
            }
        }
        Edit::Equality(index, on) => {
            if let Some(place) = data.inputs.eq_active.get_mut(index) {
                *place = u8::from(on);
            }
        }
        Edit::Reset => {
            condyle_engine::reset::reset(model, data);
            condyle_engine::forward(model, data);
        }
        Edit::Keyframe(key) => {
            condyle_engine::reset::reset_to_keyframe(model, data, key);
            condyle_engine::forward(model, data);
        }
        Edit::Key(key) => keys.push(key),
    }
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyViewerSession>()
}
