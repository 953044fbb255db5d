//! Adding elements: what the keywords of `add_geom` and its like mean.

use std::collections::HashMap;

use condyle_spec::{ElementRef, Kind, Spec};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::core::{INERTIAL_ORIENTATION, ORIENTATION, Place, SpecCore, gone, names_of};
use super::element::set;
use crate::view::Text;

const ORIENTATIONS: [&str; 4] = ["axisangle", "xyaxes", "zaxis", "euler"];

/// Number of the attribute of a place.
fn attribute_number(code: u8, name: &str) -> Option<u16> {
    use std::sync::{Mutex, OnceLock};
    type Table = HashMap<u8, HashMap<&'static str, u16>>;
    static TABLES: OnceLock<Mutex<Table>> = OnceLock::new();
    let tables = TABLES.get_or_init(Mutex::default);
    let mut tables = tables.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let table = tables.entry(code).or_insert_with(|| {
        names_of(code).into_iter().enumerate().map(|(number, name)| (name, number as u16)).collect()
    });
    table.get(name).copied()
}

/// Sets what a keyword says; `false` when there is no such attribute.
fn set_keyword(
    core: &Bound<'_, SpecCore>,
    place: Place,
    name: &str,
    value: &Bound<'_, PyAny>,
) -> PyResult<bool> {
    let element = place.element().ok_or_else(gone)?;
    if let Some(attribute) = attribute_number(place.code, name) {
        if name == "size" && matches!(element.kind, Kind::Geom | Kind::Site) {
            let mut sizes = super::element::numbers(value)?;
            if sizes.is_empty() || sizes.len() > 3 {
                return Err(PyValueError::new_err("size should be a list/array of size 1, 2, or 3."));
            }
            sizes.resize(3, 0.0);
            set(core, place, attribute, name, sizes.into_pyobject(core.py())?.as_any())?;
            return Ok(true);
        }
        set(core, place, attribute, name, value)?;
        return Ok(true);
    }
    match name {
        "name" => {
            let name: Text<'_> = value.extract()?;
            core.try_borrow_mut()?.set_name(element, &name)?;
            return Ok(true);
        }
        "info" => {
            let note = String::from(value.extract::<Text<'_>>()?);
            core.try_borrow_mut()?.spec.info_mut(element).ok_or_else(gone)?.note = note;
            return Ok(true);
        }
        _ => {}
    }
    let (base, plain) = match name.strip_prefix('i') {
        Some(rest) if element.kind == Kind::Body => (INERTIAL_ORIENTATION, rest),
        _ => (ORIENTATION, name),
    };
    if let Some(number) = ORIENTATIONS.iter().position(|known| *known == plain) {
        if core.try_borrow_mut()?.slot(place, base).is_none() {
            return Ok(false);
        }
        let number = number as u16 + 1;
        set(core, place, base + number, name, value)?;
        set(core, place, base, "type", number.into_pyobject(core.py())?.as_any())?;
        return Ok(true);
    }
    Ok(false)
}

/// Sets what the keywords of an `add_` say.
pub(crate) fn set_keywords(
    core: &Bound<'_, SpecCore>,
    object: &Bound<'_, PyAny>,
    place: Place,
    keywords: &Bound<'_, PyDict>,
) -> PyResult<()> {
    for prefix in ["", "i"] {
        let given =
            ORIENTATIONS.iter().filter(|name| keywords.contains(format!("{prefix}{name}")).unwrap_or(false));
        if given.count() > 1 {
            let [a, b, c, d] = ORIENTATIONS;
            return Err(PyValueError::new_err(format!(
                "Only one of: {prefix}{a}, {prefix}{b}, {prefix}{c}, or {prefix}{d} can be set."
            )));
        }
    }
    for (name, value) in keywords.iter() {
        let name: String = name.extract()?;
        if value.is_none() {
            continue;
        }
        if set_keyword(core, place, &name, &value)? {
            continue;
        }
        // What has no number is a property of the class in Python.
        let class = object.get_type();
        if !class.hasattr(name.as_str())? || name.starts_with('_') {
            let kind = place.element().map(|element| element.kind.name()).unwrap_or_default();
            return Err(PyTypeError::new_err(format!("Invalid {name} keyword argument of add_{kind}.")));
        }
        object.setattr(name.as_str(), value)?;
    }
    Ok(())
}

/// Adds an element to a body, a frame or the spec.
pub(crate) fn add_element(
    spec: &mut Spec,
    kind: Kind,
    parent: Option<ElementRef>,
    class: Option<u32>,
) -> PyResult<ElementRef> {
    let class = class.and_then(|index| spec.classes.ids().find(|id| id.index() as u32 == index));
    let (body, frame) = match parent {
        None => (None, None),
        Some(parent) if !spec.contains(parent) => return Err(gone()),
        Some(parent) => match parent.frame() {
            Some(frame) => (Some(spec.frames[frame].body()), Some(frame)),
            None => (parent.body(), None),
        },
    };
    let in_body = || body.ok_or_else(|| PyTypeError::new_err("only bodies and frames hold such elements"));
    macro_rules! part {
        ($add:ident, $arena:ident) => {{
            let id = spec.$add(in_body()?, class);
            spec.$arena[id].frame = frame;
            ElementRef::new(kind, id)
        }};
    }
    Ok(match kind {
        Kind::Body => {
            let id = spec.add_body(in_body()?);
            spec.bodies[id].frame = frame;
            if let Some(class) = class {
                spec.bodies[id].childclass = spec.classes[class].name.clone();
            }
            ElementRef::new(kind, id)
        }
        Kind::Frame => ElementRef::new(kind, spec.add_frame(in_body()?, frame)),
        Kind::Geom => part!(add_geom, geoms),
        Kind::Joint => part!(add_joint, joints),
        Kind::Site => part!(add_site, sites),
        Kind::Camera => part!(add_camera, cameras),
        Kind::Light => part!(add_light, lights),
        Kind::Mesh => ElementRef::new(kind, spec.add_mesh(class)),
        Kind::Material => ElementRef::new(kind, spec.add_material(class)),
        Kind::Pair => ElementRef::new(kind, spec.add_pair(class)),
        Kind::Equality => ElementRef::new(kind, spec.add_equality(class)),
        Kind::Tendon => ElementRef::new(kind, spec.add_tendon(class)),
        Kind::Actuator => ElementRef::new(kind, spec.add_actuator(class)),
        Kind::Flex => ElementRef::new(kind, spec.add_flex(class)),
        Kind::HField => ElementRef::new(kind, spec.add_hfield()),
        Kind::Texture => ElementRef::new(kind, spec.add_texture()),
        Kind::Skin => ElementRef::new(kind, spec.add_skin()),
        Kind::Exclude => ElementRef::new(kind, spec.add_exclude()),
        Kind::Sensor => ElementRef::new(kind, spec.add_sensor()),
        Kind::Numeric => ElementRef::new(kind, spec.add_numeric()),
        Kind::Text => ElementRef::new(kind, spec.add_text()),
        Kind::Tuple => ElementRef::new(kind, spec.add_tuple()),
        Kind::Key => ElementRef::new(kind, spec.add_key()),
        Kind::Plugin => ElementRef::new(kind, spec.add_plugin()),
    })
}
