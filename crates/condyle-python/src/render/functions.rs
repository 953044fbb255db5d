//! Drawing into the pictures of a context and reading from them.

use std::sync::{Mutex, PoisonError};

use condyle_render::figure::figure;
use condyle_render::font::FontKind;
use condyle_render::overlay::{GridPosition, label, labels, overlay, rectangle, text};
use condyle_render::{Rect, RenderError, Target};
use condyle_vis::Scene;
use numpy::{PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::context::{AUXILIARY, State};
use super::{MjrContext, MjrRect, Text};
use crate::mju::{FatalError, add_functions};
use crate::model::MjModel;
use crate::queries::Int;
use crate::vis::{MjvFigure, MjvScene};

/// OpenGL's numbers for the order of bytes in a pixel.
const RGBA: i32 = 0x1908;
const BGR: i32 = 0x80E0;
const BGRA: i32 = 0x80E1;

fn fatal(function: &str, error: &RenderError) -> PyErr {
    FatalError::new_err(format!("{function}: {}", error.message))
}

fn index(value: &Int, function: &str) -> PyResult<usize> {
    usize::try_from(value.0)
        .ok()
        .filter(|index| *index < AUXILIARY)
        .ok_or_else(|| FatalError::new_err(format!("{function}: Invalid aux buffer index")))
}

/// Draws a scene.
#[pyfunction]
fn mjr_render(
    py: Python<'_>,
    viewport: PyRef<'_, MjrRect>,
    scn: &Bound<'_, MjvScene>,
    con: &Bound<'_, MjrContext>,
) -> PyResult<()> {
    let rect = viewport.rect();
    con.get().sync(py)?;
    let shared = con.get().make_current();
    {
        let mut state = shared.lock().unwrap_or_else(PoisonError::into_inner);
        if state.context.is_none() {
            return Err(FatalError::new_err("mjr_render: the context has no model"));
        }
        scn.get().with(|scene| copy_scene(scene, &mut state.scene));
    }
    let result = py.detach(|| draw(&shared, rect));
    let state = shared.lock().unwrap_or_else(PoisonError::into_inner);
    scn.get().with(|scene| note(&state.scene, scene));
    result.map_err(|error| fatal("mjr_render", &error))
}

fn draw(shared: &Mutex<State>, rect: Rect) -> Result<(), RenderError> {
    let mut state = shared.lock().unwrap_or_else(PoisonError::into_inner);
    let State { context, renderer, offscreen, auxiliary, current, font, window, scene } = &mut *state;
    let Some(context) = context else { return Ok(()) };
    let target = match current.and_then(|index| auxiliary[index].as_mut()) {
        Some(target) => target,
        None => offscreen,
    };
    *window = rect;
    renderer.render(rect, scene, context, target)?;
    if let Some(font) = font
        && !scene.draws(condyle_vis::RenderFlag::Segment)
    {
        labels(target, rect, font, scene);
    }
    Ok(())
}

/// Copies what is drawn of a scene, without the room it has left.
fn copy_scene(from: &Scene, to: &mut Scene) {
    to.settings = from.settings;
    to.camera = from.camera;
    to.geoms.clear();
    to.geoms.extend_from_slice(from.shown_geoms());
    to.geomorder.resize(to.geoms.len(), 0);
    to.lights.clear();
    to.lights.extend_from_slice(from.shown_lights());
    to.flexes.clone_from(&from.flexes);
    to.skins.clone_from(&from.skins);
}

/// Writes the notes of drawing back: what is transparent, distances, order and the mirror.
fn note(from: &Scene, to: &mut Scene) {
    for (note, geom) in from.geoms.iter().zip(&mut to.geoms) {
        geom.transparent = note.transparent;
        geom.camdist = note.camdist;
        geom.reflectance = note.reflectance;
    }
    for (note, place) in from.geomorder.iter().zip(&mut to.geomorder) {
        *place = *note;
    }
}

/// Reads colours and depths of a rectangle into arrays; rows from the lowest up.
#[pyfunction]
#[pyo3(signature = (rgb, depth, viewport, con))]
fn mjr_readPixels(
    py: Python<'_>,
    rgb: Option<Bound<'_, PyArrayDyn<u8>>>,
    depth: Option<Bound<'_, PyArrayDyn<f32>>>,
    viewport: PyRef<'_, MjrRect>,
    con: &Bound<'_, MjrContext>,
) -> PyResult<()> {
    let rect = viewport.rect();
    let format = con.get().integer(py, "readPixelFormat")?;
    let zero_near = con.get().integer(py, "readDepthMap")? == 0;
    let shared = con.get().make_current();
    let mut state = shared.lock().unwrap_or_else(PoisonError::into_inner);
    let target = state.target();
    let pixels = rect.width.max(0) as usize * rect.height.max(0) as usize;
    let channels = if matches!(format, RGBA | BGRA) { 4 } else { 3 };
    if let Some(rgb) = rgb {
        need("rgb", rgb.len(), channels * pixels)?;
        let mut rgb = rgb.readwrite();
        let bytes = rgb.as_slice_mut().map_err(|_| PyValueError::new_err("rgb is not contiguous"))?;
        if !matches!(format, RGBA | BGR | BGRA) {
            each_row(target, rect, |from, to, count| {
                bytes[3 * to..3 * (to + count)].copy_from_slice(&target.rgb[3 * from..3 * (from + count)]);
            });
            return read_depth(target, rect, depth, zero_near);
        }
        each_pixel(target, rect, |from, to| {
            let [r, g, b] = [target.rgb[3 * from], target.rgb[3 * from + 1], target.rgb[3 * from + 2]];
            let out = &mut bytes[channels * to..channels * (to + 1)];
            out[..3].copy_from_slice(&if matches!(format, BGR | BGRA) { [b, g, r] } else { [r, g, b] });
            if channels == 4 {
                out[3] = 255;
            }
        });
    }
    read_depth(target, rect, depth, zero_near)
}

/// Copies depths of a rectangle.
fn read_depth(
    target: &Target,
    rect: Rect,
    depth: Option<Bound<'_, PyArrayDyn<f32>>>,
    zero_near: bool,
) -> PyResult<()> {
    let Some(depth) = depth else { return Ok(()) };
    need("depth", depth.len(), rect.width.max(0) as usize * rect.height.max(0) as usize)?;
    let mut depth = depth.readwrite();
    let values = depth.as_slice_mut().map_err(|_| PyValueError::new_err("depth is not contiguous"))?;
    each_row(target, rect, |from, to, count| {
        for (value, depth) in values[to..to + count].iter_mut().zip(&target.depth[from..from + count]) {
            *value = if zero_near { (1.0 - f64::from(*depth)) as f32 } else { *depth };
        }
    });
    Ok(())
}

fn need(name: &str, length: usize, least: usize) -> PyResult<()> {
    if length >= least {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("{name} has {length} elements, the rectangle needs {least}")))
}

/// Calls `visit` with the places where each row of a rectangle begins in the picture and in an array of the rectangle's size, and with
/// the number of its pixels.
fn each_row(target: &Target, rect: Rect, mut visit: impl FnMut(usize, usize, usize)) {
    let (columns, rows) = target.clip(&rect);
    for y in rows.filter(|_| !columns.is_empty()) {
        let to = (y - rect.bottom) as usize * rect.width as usize + (columns.start - rect.left) as usize;
        visit(target.index(columns.start, y), to, columns.len());
    }
}

/// Calls `visit` with the place of each pixel of a rectangle in the picture and in an array of the rectangle's size.
fn each_pixel(target: &Target, rect: Rect, mut visit: impl FnMut(usize, usize)) {
    let (columns, rows) = target.clip(&rect);
    for y in rows {
        for x in columns.clone() {
            let to = (y - rect.bottom) as usize * rect.width as usize + (x - rect.left) as usize;
            visit(target.index(x, y), to);
        }
    }
}

/// Writes colours and depths from arrays into a rectangle.
#[pyfunction]
#[pyo3(signature = (rgb, depth, viewport, con))]
fn mjr_drawPixels(
    rgb: Option<PyReadonlyArrayDyn<'_, u8>>,
    depth: Option<PyReadonlyArrayDyn<'_, f32>>,
    viewport: PyRef<'_, MjrRect>,
    con: &Bound<'_, MjrContext>,
) -> PyResult<()> {
    let rect = viewport.rect();
    let shared = con.get().make_current();
    let mut state = shared.lock().unwrap_or_else(PoisonError::into_inner);
    let target = state.target();
    let pixels = rect.width.max(0) as usize * rect.height.max(0) as usize;
    let mut places = Vec::new();
    each_pixel(target, rect, |to, from| places.push((to, from)));
    if let Some(rgb) = rgb {
        let bytes = rgb.as_slice().map_err(|_| PyValueError::new_err("rgb is not contiguous"))?;
        need("rgb", bytes.len(), 3 * pixels)?;
        for (to, from) in &places {
            target.rgb[3 * to..3 * to + 3].copy_from_slice(&bytes[3 * from..3 * from + 3]);
        }
    }
    if let Some(depth) = depth {
        let values = depth.as_slice().map_err(|_| PyValueError::new_err("depth is not contiguous"))?;
        need("depth", values.len(), pixels)?;
        for (to, from) in &places {
            target.depth[*to] = values[*from];
        }
    }
    Ok(())
}

/// Copies between the window and the offscreen picture; there is no window, so nothing happens.
#[pyfunction]
fn mjr_blitBuffer(
    src: PyRef<'_, MjrRect>,
    dst: PyRef<'_, MjrRect>,
    flg_color: Int,
    flg_depth: Int,
    con: &Bound<'_, MjrContext>,
) {
    let _ = (src, dst, flg_color.0, flg_depth.0, con);
}

/// Chooses the picture to draw into; the offscreen one is the only one there is.
#[pyfunction]
fn mjr_setBuffer(py: Python<'_>, framebuffer: Int, con: &Bound<'_, MjrContext>) -> PyResult<()> {
    let _ = framebuffer.0;
    if con.get().integer(py, "offFBO")? == 0 {
        return Err(FatalError::new_err("mjr_setBuffer: No OpenGL framebuffer available"));
    }
    con.get().lock().current = None;
    con.get().make_current();
    con.get().set(py, "currentBuffer", 1)
}

/// Goes back to drawing into the offscreen picture.
#[pyfunction]
fn mjr_restoreBuffer(con: &Bound<'_, MjrContext>) {
    con.get().lock().current = None;
    con.get().make_current();
}

/// Adds an auxiliary picture, in place of the one of that number.
#[pyfunction]
fn mjr_addAux(
    py: Python<'_>,
    index: Int,
    width: Int,
    height: Int,
    samples: Int,
    con: &Bound<'_, MjrContext>,
) -> PyResult<()> {
    let number = self::index(&index, "mjr_addAux")?;
    let most = i64::from(condyle_render::context::MOST_PIXELS);
    for (name, side) in [("width", &width), ("height", &height)] {
        if side.0 > most {
            return Err(FatalError::new_err(format!(
                "mjr_addAux: Auxiliary buffer {name} exceeds maximum allowed by OpenGL implementation: {} > {most}",
                side.0
            )));
        }
    }
    let exists = width.0 > 0 && height.0 > 0;
    let mut state = con.get().lock();
    state.auxiliary[number] = exists.then(|| Target::new(width.0 as i32, height.0 as i32));
    drop(state);
    let values = [
        ("auxWidth", width.0),
        ("auxHeight", height.0),
        ("auxSamples", samples.0.clamp(0, 4)),
        ("auxFBO", 1),
        ("auxFBO_r", 1),
        ("auxColor", 1),
        ("auxColor_r", 1),
    ];
    for (name, value) in values {
        if exists || !matches!(name, "auxWidth" | "auxHeight" | "auxSamples") {
            con.getattr(name)?.set_item(number, if exists { value } else { 0 })?;
        }
    }
    let _ = py;
    Ok(())
}

/// Draws into an auxiliary picture until the buffer is restored.
#[pyfunction]
fn mjr_setAux(index: Int, con: &Bound<'_, MjrContext>) -> PyResult<()> {
    let number = self::index(&index, "mjr_setAux")?;
    let mut state = con.get().lock();
    if state.auxiliary[number].is_none() {
        return Err(FatalError::new_err(format!("mjr_setAux: auxFBO {number} does not exist")));
    }
    state.current = Some(number);
    drop(state);
    con.get().make_current();
    Ok(())
}

/// Copies a rectangle of an auxiliary picture to the offscreen one.
#[pyfunction]
fn mjr_blitAux(
    index: Int,
    src: PyRef<'_, MjrRect>,
    left: Int,
    bottom: Int,
    con: &Bound<'_, MjrContext>,
) -> PyResult<()> {
    let number = self::index(&index, "mjr_blitAux")?;
    let rect = src.rect();
    let limit = |value: &Int| value.0.clamp(-1_000_000, 1_000_000) as i32;
    let to = Rect { left: limit(&left), bottom: limit(&bottom), ..rect };
    let mut state = con.get().lock();
    let State { auxiliary, offscreen, .. } = &mut *state;
    let Some(source) = &auxiliary[number] else { return Ok(()) };
    let (columns, rows) = source.clip(&rect);
    for y in rows {
        for x in columns.clone() {
            let (to_x, to_y) = (to.left + x - rect.left, to.bottom + y - rect.bottom);
            if (0..offscreen.width).contains(&to_x) && (0..offscreen.height).contains(&to_y) {
                let (from, at) = (3 * source.index(x, y), 3 * offscreen.index(to_x, to_y));
                offscreen.rgb[at..at + 3].copy_from_slice(&source.rgb[from..from + 3]);
            }
        }
    }
    Ok(())
}

/// Changes the size of the offscreen picture.
#[pyfunction]
fn mjr_resizeOffscreen(py: Python<'_>, width: Int, height: Int, con: &Bound<'_, MjrContext>) -> PyResult<()> {
    let limit = |value: &Int| value.0.clamp(0, i64::from(condyle_render::context::MOST_PIXELS)) as i32;
    let (width, height) = (limit(&width), limit(&height));
    let same = con.get().integer(py, "offWidth")? == width && con.get().integer(py, "offHeight")? == height;
    if !same {
        con.get().set(py, "offWidth", width)?;
        con.get().set(py, "offHeight", height)?;
        con.get().set(py, "offFBO", 1)?;
        con.get().lock().offscreen.resize(width, height);
    }
    Ok(())
}

/// The largest rectangle of the picture that is drawn into.
#[pyfunction]
fn mjr_maxViewport(py: Python<'_>, con: &Bound<'_, MjrContext>) -> PyResult<MjrRect> {
    let (width, height) = (con.get().integer(py, "offWidth")?, con.get().integer(py, "offHeight")?);
    Ok(MjrRect::from_rect(Rect { left: 0, bottom: 0, width, height }))
}

/// Changes the size of text.
#[pyfunction]
fn mjr_changeFont(py: Python<'_>, fontscale: Int, con: &Bound<'_, MjrContext>) -> PyResult<()> {
    if !(50..=300).contains(&fontscale.0) || fontscale.0 % 50 != 0 {
        return Err(FatalError::new_err("mjr_changeFont: Invalid fontscale"));
    }
    con.get().set_font(py, fontscale.0 as i32)
}

/// Writes text at a place in parts of the last rectangle drawn.
#[pyfunction]
fn mjr_text(font: Int, txt: Text, con: &Bound<'_, MjrContext>, x: f32, y: f32, r: f32, g: f32, b: f32) {
    let shared = con.get().make_current();
    let mut state = shared.lock().unwrap_or_else(PoisonError::into_inner);
    let (window, kind) = (state.window, FontKind::from_number(font.0 as i32));
    if let Some(font) = state.font {
        text(state.target(), window, &font, kind, &txt.0, [x, y], [r, g, b]);
    }
}

/// Writes one or two columns of text on a dark background.
#[pyfunction]
#[pyo3(signature = (font, gridpos, viewport, overlay, overlay2, con))]
fn mjr_overlay(
    font: Int,
    gridpos: Int,
    viewport: PyRef<'_, MjrRect>,
    overlay: Text,
    overlay2: Option<Text>,
    con: &Bound<'_, MjrContext>,
) {
    let shared = con.get().make_current();
    let mut state = shared.lock().unwrap_or_else(PoisonError::into_inner);
    let kind = FontKind::from_number(font.0 as i32);
    let Some(place) = GridPosition::from_number(gridpos.0 as i32) else { return };
    let second = overlay2.map_or_else(String::new, |text| text.0);
    if let Some(font) = state.font {
        self::overlay(state.target(), viewport.rect(), &font, kind, place, &overlay.0, &second);
    }
}

/// Blends a rectangle over the picture drawn into last.
#[pyfunction]
fn mjr_rectangle(viewport: PyRef<'_, MjrRect>, r: f32, g: f32, b: f32, a: f32) {
    let rect = viewport.rect();
    if let Some(shared) = MjrContext::current() {
        let mut state = shared.lock().unwrap_or_else(PoisonError::into_inner);
        if rect.width > 0 && rect.height > 0 {
            state.window = rect;
            rectangle(state.target(), rect, [r, g, b, a]);
        }
    }
}

/// Blends a rectangle with text in its middle over the picture.
#[pyfunction]
fn mjr_label(
    viewport: PyRef<'_, MjrRect>,
    font: Int,
    txt: Text,
    r: f32,
    g: f32,
    b: f32,
    a: f32,
    rt: f32,
    gt: f32,
    bt: f32,
    con: &Bound<'_, MjrContext>,
) {
    let shared = con.get().make_current();
    let mut state = shared.lock().unwrap_or_else(PoisonError::into_inner);
    let (rect, kind) = (viewport.rect(), FontKind::from_number(font.0 as i32));
    if let Some(font) = state.font {
        state.window = rect;
        label(state.target(), rect, &font, kind, &txt.0, [r, g, b, a], [rt, gt, bt]);
    }
}

/// Draws a 2D figure.
#[pyfunction]
fn mjr_figure(viewport: PyRef<'_, MjrRect>, fig: &Bound<'_, MjvFigure>, con: &Bound<'_, MjrContext>) {
    let shared = con.get().make_current();
    let mut state = shared.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(font) = state.font {
        figure(state.target(), viewport.rect(), fig.get().0.get(), &font);
    }
}

/// Waits for drawing to finish; it always has.
#[pyfunction]
const fn mjr_finish() {}

/// The last error of OpenGL; there is none.
#[pyfunction]
const fn mjr_getError() -> i32 {
    0
}

/// 0 if a point lies in the rectangle, -1 if not.
#[pyfunction]
fn mjr_findRect(x: Int, y: Int, nrect: Int, rect: PyRef<'_, MjrRect>) -> i32 {
    let rect = rect.rect();
    let inside = |value: i64, start: i32, length: i32| {
        value >= i64::from(start) && value < i64::from(start) + i64::from(length)
    };
    let found = nrect.0 > 0 && inside(x.0, rect.left, rect.width) && inside(y.0, rect.bottom, rect.height);
    if found { 0 } else { -1 }
}

macro_rules! uploads {
    ($($(#[$doc:meta])* $name:ident($index:ident, $method:ident);)*) => {$(
        $(#[$doc])*
        #[pyfunction]
        fn $name(m: Py<MjModel>, con: &Bound<'_, MjrContext>, $index: Int) -> PyResult<()> {
            let mut state = con.get().lock();
            let Some(context) = &mut state.context else {
                return Err(FatalError::new_err(concat!(stringify!($name), ": the context has no model")));
            };
            // A negative number is as wrong as one that is too large.
            let number = usize::try_from($index.0).unwrap_or(usize::MAX);
            context.$method(m.get().get(), number).map_err(|error| {
                let message = error.message.replace(&usize::MAX.to_string(), &$index.0.to_string());
                FatalError::new_err(format!("{}: {message}", stringify!($name)))
            })
        }
    )*};
}

uploads! {
    /// Reads a height field of the model again.
    mjr_uploadHField(hfieldid, upload_height_field);
    /// Reads a mesh of the model again.
    mjr_uploadMesh(meshid, upload_mesh);
    /// Reads a texture of the model again.
    mjr_uploadTexture(texid, upload_texture);
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add_functions!(
        module,
        mjr_addAux mjr_blitAux mjr_blitBuffer mjr_changeFont mjr_drawPixels mjr_figure mjr_findRect mjr_finish mjr_getError
        mjr_label mjr_maxViewport mjr_overlay mjr_readPixels mjr_rectangle mjr_render mjr_resizeOffscreen
        mjr_restoreBuffer mjr_setAux mjr_setBuffer mjr_text mjr_uploadHField mjr_uploadMesh mjr_uploadTexture
    )
}
