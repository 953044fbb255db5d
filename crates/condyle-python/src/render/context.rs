//! `MjrContext`: what a model needs to be drawn, and the pictures that are drawn into.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use condyle_render::context::{MOST_MATERIALS, MOST_TEXTURES};
use condyle_render::font::{Font, FontKind};
use condyle_render::{Context, Rect, Renderer, Target};
use condyle_vis::Scene;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyString, PyTuple};

use crate::mju::FatalError;
use crate::model::MjModel;
use crate::queries::Int;
use crate::view;

/// Number of auxiliary pictures.
pub(crate) const AUXILIARY: usize = 10;
/// Textures of a material.
const ROLES: usize = condyle_model::widths::TEXTURE_ROLES;
/// OpenGL's number for three bytes per pixel.
const RGB: i32 = 0x1907;

/// What is drawn with and into.
#[derive(Default)]
pub(crate) struct State {
    pub context: Option<Context>,
    pub renderer: Renderer,
    /// Picture of the offscreen buffer.
    pub offscreen: Target,
    pub auxiliary: [Option<Target>; AUXILIARY],
    /// Auxiliary picture that is drawn into; `None` for the offscreen one.
    pub current: Option<usize>,
    pub font: Option<Font>,
    /// Where the last picture was drawn, which text is placed in.
    pub window: Rect,
    /// Copy of the scene that is being drawn.
    pub scene: Scene,
}

impl State {
    /// The picture that is drawn into.
    pub(crate) fn target(&mut self) -> &mut Target {
        match self.current.and_then(|index| self.auxiliary[index].as_mut()) {
            Some(target) => target,
            None => &mut self.offscreen,
        }
    }
}

thread_local! {
    /// The context used last, for functions that name none.
    static CURRENT: RefCell<Weak<Mutex<State>>> = const { RefCell::new(Weak::new()) };
}

/// What drawing a model requires, and the pictures that are drawn into. No graphics driver is involved.
#[pyclass(module = "condyle", name = "MjrContext", frozen, subclass, weakref)]
pub(crate) struct MjrContext {
    state: Arc<Mutex<State>>,
    fields: Py<PyDict>,
}

/// Fields that are whole numbers, with their value in a context without a model.
const INTEGERS: [&str; 35] = [
    "shadowSize",
    "offWidth",
    "offHeight",
    "offSamples",
    "fontScale",
    "offFBO",
    "offFBO_r",
    "offColor",
    "offColor_r",
    "offDepthStencil",
    "offDepthStencil_r",
    "shadowFBO",
    "shadowTex",
    "ntexture",
    "basePlane",
    "baseMesh",
    "baseHField",
    "baseBuiltin",
    "baseFontNormal",
    "baseFontShadow",
    "baseFontBig",
    "rangePlane",
    "rangeMesh",
    "rangeHField",
    "rangeBuiltin",
    "rangeFont",
    "nskin",
    "charHeight",
    "charHeightBig",
    "glInitialized",
    "windowAvailable",
    "windowSamples",
    "windowStereo",
    "windowDoublebuffer",
    "currentBuffer",
];
const FLOATS: [&str; 5] = ["lineWidth", "shadowClip", "shadowScale", "fogStart", "fogEnd"];

impl MjrContext {
    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state, noted as the one used last.
    pub(crate) fn make_current(&self) -> Arc<Mutex<State>> {
        CURRENT.with(|current| *current.borrow_mut() = Arc::downgrade(&self.state));
        self.state.clone()
    }

    /// The state used last on this thread.
    pub(crate) fn current() -> Option<Arc<Mutex<State>>> {
        CURRENT.with(|current| current.borrow().upgrade())
    }

    pub(crate) fn set<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        value: impl IntoPyObject<'py>,
    ) -> PyResult<()> {
        self.fields.bind(py).set_item(name, value)
    }

    pub(crate) fn integer(&self, py: Python<'_>, name: &str) -> PyResult<i32> {
        let value = self.fields.bind(py).get_item(name)?;
        Ok(value.and_then(|value| value.extract::<i64>().ok()).unwrap_or(0) as i32)
    }

    fn float(&self, py: Python<'_>, name: &str) -> PyResult<f32> {
        Ok(self.fields.bind(py).get_item(name)?.and_then(|value| value.extract().ok()).unwrap_or(0.0))
    }

    fn array<T: numpy::Element + Copy>(&self, py: Python<'_>, name: &str) -> PyResult<Vec<T>> {
        let value = self.fields.bind(py).get_item(name)?;
        let array = value.and_then(|value| value.cast_into::<PyArray1<T>>().ok());
        Ok(array.and_then(|array| array.readonly().as_slice().map(<[T]>::to_vec).ok()).unwrap_or_default())
    }

    /// Takes over settings that may have been changed through attributes.
    pub(crate) fn sync(&self, py: Python<'_>) -> PyResult<()> {
        let fog: Vec<f32> = self.array(py, "fogRGBA")?;
        let shadow_size = self.integer(py, "shadowSize")?.clamp(0, condyle_render::context::MOST_SHADOW);
        let floats = [
            self.float(py, "lineWidth")?,
            self.float(py, "shadowClip")?,
            self.float(py, "shadowScale")?,
            self.float(py, "fogStart")?,
            self.float(py, "fogEnd")?,
        ];
        let samples = self.integer(py, "offSamples")?;
        let texture: Vec<i32> = self.array(py, "mat_texid")?;
        let uniform: Vec<i32> = self.array(py, "mat_texuniform")?;
        let repeat: Vec<f32> = self.array(py, "mat_texrepeat")?;
        let mut state = self.lock();
        let Some(context) = &mut state.context else { return Ok(()) };
        let settings = &mut context.settings;
        [
            settings.line_width,
            settings.shadow_clip,
            settings.shadow_scale,
            settings.fog_start,
            settings.fog_end,
        ] = floats;
        settings.off_samples = if samples > 0 { 4 } else { 0 };
        settings.shadow_size = shadow_size;
        if let [r, g, b, a] = fog[..] {
            settings.fog_rgba = [r, g, b, a];
        }
        for (index, material) in context.materials.iter_mut().enumerate() {
            if let Some(value) = texture.get(ROLES * index + condyle_model::TextureRole::Rgb as usize) {
                material.texture = *value;
            }
            if let Some(value) = uniform.get(index) {
                material.uniform = *value != 0;
            }
            if let Some([u, v]) = repeat.get(2 * index..2 * index + 2) {
                material.repeat = [*u, *v];
            }
        }
        Ok(())
    }

    /// Sets the fields of a context without a model.
    fn clear_fields(&self, py: Python<'_>) -> PyResult<()> {
        for name in INTEGERS {
            self.set(py, name, 0)?;
        }
        for name in FLOATS {
            self.set(py, name, 0.0)?;
        }
        self.set(py, "readPixelFormat", 0)?;
        self.set(py, "readDepthMap", 0)?;
        self.set(py, "fogRGBA", PyArray1::from_vec(py, vec![0_f32; 4]))?;
        for name in ["auxWidth", "auxHeight", "auxSamples"] {
            self.set(py, name, PyArray1::from_vec(py, vec![0_i32; AUXILIARY]))?;
        }
        for name in ["auxFBO", "auxFBO_r", "auxColor", "auxColor_r"] {
            self.set(py, name, PyArray1::from_vec(py, vec![0_u32; AUXILIARY]))?;
        }
        self.set(py, "mat_texid", PyArray1::from_vec(py, vec![0_i32; ROLES * MOST_MATERIALS]))?;
        self.set(py, "mat_texuniform", PyArray1::from_vec(py, vec![0_i32; MOST_MATERIALS]))?;
        self.set(py, "mat_texrepeat", PyArray1::from_vec(py, vec![0_f32; 2 * MOST_MATERIALS]))?;
        self.set(py, "textureType", PyArray1::from_vec(py, vec![0_i32; MOST_TEXTURES]))?;
        self.set(py, "texture", PyArray1::from_vec(py, vec![0_u32; MOST_TEXTURES]))?;
        for name in ["skinvertVBO", "skinnormalVBO", "skintexcoordVBO", "skinfaceVBO"] {
            self.set(py, name, PyTuple::empty(py))?;
        }
        for name in ["charWidth", "charWidthBig"] {
            self.set(py, name, PyArray1::from_vec(py, vec![0_i32; 127]))?;
        }
        Ok(())
    }

    /// Sets the fields that describe a font.
    pub(crate) fn set_font(&self, py: Python<'_>, scale: i32) -> PyResult<()> {
        let font = Font::new(scale);
        let widths =
            |kind: FontKind| (0..127).map(|character| font.width(kind, character)).collect::<Vec<_>>();
        self.set(py, "fontScale", font.scale())?;
        self.set(py, "charHeight", font.height(FontKind::Normal))?;
        self.set(py, "charHeightBig", font.height(FontKind::Big))?;
        self.set(py, "charWidth", PyArray1::from_vec(py, widths(FontKind::Normal)))?;
        self.set(py, "charWidthBig", PyArray1::from_vec(py, widths(FontKind::Big)))?;
        self.set(py, "rangeFont", 128)?;
        self.lock().font = Some(font);
        Ok(())
    }

    fn fill(&self, py: Python<'_>, model: &condyle_model::Model, scale: i32) -> PyResult<()> {
        let context = Context::new(model)
            .map_err(|error| FatalError::new_err(format!("mjr_makeContext: {}", error.message)))?;
        let settings = context.settings.clone();
        self.set(py, "lineWidth", settings.line_width)?;
        self.set(py, "shadowClip", settings.shadow_clip)?;
        self.set(py, "shadowScale", settings.shadow_scale)?;
        self.set(py, "fogStart", settings.fog_start)?;
        self.set(py, "fogEnd", settings.fog_end)?;
        self.set(py, "fogRGBA", PyArray1::from_vec(py, settings.fog_rgba.to_vec()))?;
        self.set(py, "shadowSize", settings.shadow_size)?;
        self.set(py, "offWidth", settings.off_width)?;
        self.set(py, "offHeight", settings.off_height)?;
        self.set(py, "offSamples", settings.off_samples)?;
        for name in ["offFBO", "offColor", "offDepthStencil", "glInitialized", "currentBuffer"] {
            self.set(py, name, 1)?;
        }
        self.set(py, "shadowFBO", i32::from(settings.shadow_size > 0))?;
        self.set(py, "shadowTex", i32::from(settings.shadow_size > 0))?;
        self.set(py, "readPixelFormat", RGB)?;
        self.set(py, "ntexture", model.ntex)?;
        self.set(py, "nskin", model.nskin)?;
        self.set(py, "rangePlane", context.planes.len() + 1)?;
        self.set(py, "rangeMesh", context.meshes.len())?;
        self.set(py, "rangeHField", context.height_fields.len())?;
        self.set(py, "rangeBuiltin", 8)?;
        let mut texture = vec![-1_i32; ROLES * MOST_MATERIALS];
        let mut uniform = vec![0_i32; MOST_MATERIALS];
        let mut repeat = vec![0_f32; 2 * MOST_MATERIALS];
        for (index, material) in context.materials.iter().enumerate().filter(|(_, m)| m.texture >= 0) {
            texture[ROLES * index..ROLES * (index + 1)].copy_from_slice(&model.mat_texid[index]);
            uniform[index] = i32::from(material.uniform);
            repeat[2 * index..2 * index + 2].copy_from_slice(&material.repeat);
        }
        self.set(py, "mat_texid", PyArray1::from_vec(py, texture))?;
        self.set(py, "mat_texuniform", PyArray1::from_vec(py, uniform))?;
        self.set(py, "mat_texrepeat", PyArray1::from_vec(py, repeat))?;
        let mut kinds = model.tex_type.to_vec();
        kinds.resize(MOST_TEXTURES, 0);
        self.set(py, "textureType", PyArray1::from_vec(py, kinds))?;
        let names = (1..=MOST_TEXTURES as u32).map(|name| if name as usize <= model.ntex { name } else { 0 });
        self.set(py, "texture", PyArray1::from_vec(py, names.collect()))?;
        // As when a context is made, the scale is rounded to 50 and at least 100.
        self.set_font(py, scale.clamp(100, 300))?;
        let mut state = self.lock();
        state.offscreen = Target::new(settings.off_width, settings.off_height);
        state.window =
            Rect { left: 0, bottom: 0, width: state.offscreen.width, height: state.offscreen.height };
        state.context = Some(context);
        Ok(())
    }
}

#[pymethods]
impl MjrContext {
    #[new]
    #[pyo3(signature = (model=None, fontscale=None))]
    fn new(py: Python<'_>, model: Option<Py<MjModel>>, fontscale: Option<Int>) -> PyResult<Self> {
        let this = Self { state: Arc::default(), fields: PyDict::new(py).unbind() };
        this.clear_fields(py)?;
        if let Some(model) = model {
            this.fill(py, model.get().get(), fontscale.map_or(150, |scale| scale.0.clamp(0, 1000) as i32))?;
        }
        this.make_current();
        Ok(this)
    }

    /// Whether the model is still as it was when the context was made from it.
    fn _is_of(&self, model: &MjModel) -> bool {
        self.lock().context.as_ref().is_some_and(|context| context.is_of(model.get()))
    }

    /// Gives back the memory; the context is then as without a model.
    fn free(&self, py: Python<'_>) -> PyResult<()> {
        let initialized = self.integer(py, "glInitialized")?;
        *self.lock() = State::default();
        self.clear_fields(py)?;
        self.set(py, "glInitialized", initialized)
    }

    pub(crate) fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.fields.bind(py).get_item(name)?.ok_or_else(|| {
            PyAttributeError::new_err(format!("'MjrContext' object has no attribute '{name}'"))
        })
    }

    fn __setattr__(
        slf: &Bound<'_, Self>,
        name: &Bound<'_, PyString>,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let py = slf.py();
        let fields = slf.get().fields.bind(py);
        let Some(old) = fields.get_item(name)? else {
            return crate::vis::set_other(slf.as_any(), name, value);
        };
        if old.is_instance_of::<PyInt>() {
            let number = value.extract::<i64>().or_else(|_| value.call_method0("__int__")?.extract())?;
            fields.set_item(name, number)
        } else if old.is_instance_of::<PyFloat>() {
            fields.set_item(name, value.extract::<f32>()?)
        } else {
            view::assign(&old, value)
        }
    }

    fn __dir__(slf: &Bound<'_, Self>) -> PyResult<Vec<String>> {
        let object_type = slf.py().get_type::<PyAny>();
        let mut names: Vec<String> = object_type.call_method1("__dir__", (slf,))?.extract()?;
        names.extend(slf.get().fields.bind(slf.py()).keys().iter().filter_map(|name| name.extract().ok()));
        names.sort();
        names.dedup();
        Ok(names)
    }
}
