//! Loading, compiling and attaching specs; plugins, shortcuts of actuators and shapes of meshes.

use std::collections::HashMap;

use condyle::{Files, LoadOptions};
use condyle_spec::{
    CompileOptions, ElementRef, Kind, MeshBuiltin, MuscleParameters, Orientation, Part, PluginRef,
    PositionParameters, Rename, Spec, Target,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use super::core::{Place, SpecCore, code, gone, locate};
use super::element::SpecElement;
use crate::loading;
use crate::model::MjModel;

fn files_of(files: &Bound<'_, PyDict>) -> PyResult<Files> {
    let mut given = Files::new();
    for (name, content) in files.iter() {
        let name: String = name.extract()?;
        let bytes = match content.cast::<PyBytes>() {
            Ok(bytes) => bytes.as_bytes().to_vec(),
            Err(_) => content.extract::<String>()?.into_bytes(),
        };
        if !given.insert(&name, bytes) {
            return Err(PyValueError::new_err(format!("Repeated file name in assets dict: {name}")));
        }
    }
    Ok(given)
}

pub(crate) fn load(
    core: &mut SpecCore,
    py: Python<'_>,
    xml: &str,
    files: &Bound<'_, PyDict>,
    path: Option<String>,
) -> PyResult<()> {
    let files = files_of(files)?;
    let loaded = py.detach(|| match path {
        Some(path) => {
            let options = LoadOptions::default().files(files);
            let loaded = condyle::load_spec(&path, &options);
            loaded
                .map(|loaded| (loaded.spec, loaded.warnings))
                .map_err(|error| (error.to_string(), error.diagnostics))
        }
        None => {
            let options = LoadOptions::default().files(files);
            condyle_mjcf::load_str(xml, &options).map_err(|problems| {
                let errors = problems.iter().filter(|problem| problem.is_error());
                let text = errors.map(|problem| problem.render()).collect::<Vec<_>>().join("\n");
                (text.trim_end().to_owned(), problems)
            })
        }
    });
    let (spec, warnings) = loaded.map_err(|(text, problems)| loading::refused(text, &problems))?;
    loading::warn(py, &warnings, 2)?;
    *core = SpecCore::default();
    core.spec = spec;
    Ok(())
}

/// The asset whose file has a name, when it has no name of its own.
pub(crate) fn asset_by_file(spec: &Spec, kind: Kind, name: &str) -> Option<ElementRef> {
    let stem = |file: &str| {
        let last = file.rsplit(['/', '\\']).next().unwrap_or(file);
        last.rfind('.').and_then(|at| last.get(..at)).unwrap_or(last).to_owned()
    };
    let matches = |own: &str, file: &str| own.is_empty() && !file.is_empty() && stem(file) == name;
    match kind {
        Kind::Mesh => spec
            .meshes
            .iter()
            .find(|(_, mesh)| matches(&mesh.info.name, &mesh.file))
            .map(|(id, _)| ElementRef::new(kind, id)),
        Kind::Texture => spec
            .textures
            .iter()
            .find(|(_, texture)| matches(&texture.info.name, &texture.file))
            .map(|(id, _)| ElementRef::new(kind, id)),
        _ => None,
    }
}

/// Compiles the spec; its problems are the exception, one in a line.
pub(crate) fn compile(
    core: &Bound<'_, SpecCore>,
    files: &Bound<'_, PyDict>,
    reference_bugs: bool,
) -> PyResult<(MjModel, Vec<String>)> {
    let py = core.py();
    let files = files_of(files)?;
    let spec = {
        let mut this = core.try_borrow_mut()?;
        this.read_back_all(py)?;
        this.write_lists().map_err(PyValueError::new_err)?;
        this.spec.clone()
    };
    let (spec, compiled) = py.detach(move || {
        let options = CompileOptions::default().reference_bugs(reference_bugs);
        let compiled = condyle_spec::compile(&spec, &files, &options);
        (spec, compiled)
    });
    let compiled = compiled.map_err(|problems| {
        let errors: Vec<String> = problems
            .iter()
            .filter(|problem| problem.is_error())
            .map(|problem| problem.message.clone())
            .collect();
        PyValueError::new_err(errors)
    })?;
    let mut this = core.try_borrow_mut()?;
    settle_keys(&mut this.spec, &compiled.model);
    this.ids.clear();
    for kind in Kind::ALL {
        for (id, element) in spec.elements(kind).into_iter().enumerate() {
            this.ids.insert(Place::of(element), id as i32);
        }
    }
    this.signature = Some(compiled.model.signature);
    drop(this);
    let warnings = compiled.warnings.iter().map(|warning| warning.message.clone()).collect();
    Ok((MjModel::from_model(py, compiled.model), warnings))
}

/// Keyframes of attached specs become plain ones, now that the layout is known.
fn settle_keys(spec: &mut Spec, model: &condyle_model::Model) {
    let rows = |values: &[f64], width: usize, row: usize| -> Vec<f64> {
        values.get(row * width..(row + 1) * width).map(<[f64]>::to_vec).unwrap_or_default()
    };
    let order = spec.keys_in_order();
    let mut settled = Vec::new();
    for (row, id) in order.into_iter().enumerate() {
        let Some(mut key) = spec.keys.get(id).cloned() else { continue };
        let Some(saved) = key.saved.take() else { continue };
        // What the keyframe did not give stays open.
        let array = |given: bool, name: &str, width: usize| match model.array(name) {
            Some(condyle_model::Values::F64(values)) if given => rows(values, width, row),
            _ => Vec::new(),
        };
        key.qpos = array(saved.qpos.is_some(), "key_qpos", model.nq);
        key.qvel = array(saved.qvel.is_some(), "key_qvel", model.nv);
        key.act = array(saved.act.is_some(), "key_act", model.na);
        key.ctrl = array(saved.ctrl.is_some(), "key_ctrl", model.nu);
        key.mpos = array(saved.mpos.is_some(), "key_mpos", 3 * model.nmocap);
        key.mquat = array(saved.mquat.is_some(), "key_mquat", 4 * model.nmocap);
        settled.push((id, key));
    }
    for (id, key) in settled {
        let _ = spec.delete(ElementRef::new(Kind::Key, id));
        let last = spec.add_key();
        spec.keys[last] = key;
    }
}

pub(crate) fn attach<'py>(
    core: &Bound<'py, SpecCore>,
    target: &Bound<'py, SpecElement>,
    child: &Bound<'py, SpecCore>,
    part: Option<&Bound<'py, SpecElement>>,
    prefix: String,
    suffix: String,
    copy: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let py = core.py();
    let rename = Rename { prefix, suffix };
    let place = super::edit::own(core, target)?;
    let target = match place.kind {
        Kind::Frame => Target::Frame(place.frame().ok_or_else(gone)?),
        Kind::Body => Target::Body(place.body().ok_or_else(gone)?),
        Kind::Site => Target::Site(place.id(Kind::Site).ok_or_else(gone)?),
        _ => return Err(PyTypeError::new_err("something is attached to a frame, site or body")),
    };
    let mut same = core.is(child);
    let part = match part {
        None => Part::World,
        Some(part) => {
            let (owner, place) = locate(part)?;
            // A part that moved here before is a part of this spec.
            same = owner.is(core);
            if !same && !owner.is(child) {
                return Err(PyValueError::new_err("Error: element is not in this model"));
            }
            let element = place.element().ok_or_else(gone)?;
            match element.kind {
                Kind::Body => Part::Body(element.body().ok_or_else(gone)?),
                Kind::Frame => Part::Frame(element.frame().ok_or_else(gone)?),
                _ => return Err(PyTypeError::new_err("only bodies and frames can be attached")),
            }
        }
    };
    let failed = |error: condyle_spec::AttachError| PyValueError::new_err(format!("Error: {error}"));
    let attached = {
        let mut this = core.try_borrow_mut()?;
        this.read_back_all(py)?;
        this.write_lists().map_err(PyValueError::new_err)?;
        if !this.spec.contains(place) {
            return Err(gone());
        }
        let attached = if same {
            if part == Part::World {
                return Err(PyValueError::new_err("Error: a spec cannot be attached to itself"));
            }
            this.spec.attach_own(target, part, &rename).map_err(failed)?
        } else {
            let mut other = child.try_borrow_mut()?;
            other.read_back_all(py)?;
            other.write_lists().map_err(PyValueError::new_err)?;
            let exists = match part {
                Part::World => true,
                Part::Body(id) => other.spec.bodies.get(id).is_some(),
                Part::Frame(id) => other.spec.frames.get(id).is_some(),
            };
            if !exists {
                return Err(gone());
            }
            let origin = this.spec.add_origin(&other.spec);
            let attached = this.spec.attach(target, &other.spec, part, origin, &rename).map_err(failed)?;
            other.spec.forget_states_of_copies();
            attached
        };
        this.changed();
        this.forget_names();
        attached
    };
    if !copy && !same {
        for (from, to) in &attached.copies {
            let (from, to) = (Place::of(*from), Place::of(*to));
            let object = {
                let mut other = child.try_borrow_mut()?;
                other.moved.insert(from, (core.clone().unbind(), to));
                other.objects.remove(&from)
            };
            if let Some(object) = object {
                core.try_borrow_mut()?.objects.insert(to, object);
            }
        }
    }
    SpecCore::element_object(core, attached.root)
}

/// What is known about a plugin instance, or about the plugin an element uses.
pub(crate) fn plugin<'py>(core: &Bound<'py, SpecCore>, place: Place) -> PyResult<Bound<'py, PyDict>> {
    let mut this = core.try_borrow_mut()?;
    let values = PyDict::new(core.py());
    let fill = |this: &SpecCore, index: u32| -> PyResult<()> {
        let reference = ElementRef::from_parts(Kind::Plugin, condyle_spec::Owner::Spec, index);
        let instance =
            reference.id(Kind::Plugin).and_then(|id| this.spec.plugins.get(id)).ok_or_else(gone)?;
        values.set_item("name", &instance.info.name)?;
        values.set_item("plugin_name", &instance.plugin_name)?;
        values.set_item("info", &instance.info.note)?;
        let config = PyDict::new(core.py());
        for (key, value) in &instance.config {
            config.set_item(key, value)?;
        }
        values.set_item("config", config)?;
        values.set_item("active", this.active.get(&index).copied().unwrap_or(false))
    };
    if place.code < code::PLUGIN_OF {
        fill(&this, place.index)?;
        return Ok(values);
    }
    let element =
        Place { code: place.code - code::PLUGIN_OF, index: place.index }.element().ok_or_else(gone)?;
    let reference = this.spec.plugin_of(element).ok_or_else(gone)?.clone();
    let instance = reference.own_instance.map(|id| id.index() as u32).or_else(|| {
        let name = &reference.instance_name;
        let found = (!name.is_empty()).then(|| this.find(Kind::Plugin, name)).flatten();
        found.map(ElementRef::index)
    });
    match instance {
        Some(index) => fill(&this, index)?,
        None => {
            values.set_item("info", "")?;
            values.set_item("config", PyDict::new(core.py()))?;
        }
    }
    values.set_item("name", &reference.instance_name)?;
    values.set_item("plugin_name", &reference.plugin_name)?;
    values.set_item("active", reference.active)?;
    values.set_item("instance", instance)?;
    Ok(values)
}

pub(crate) fn set_plugin(
    core: &Bound<'_, SpecCore>,
    place: Place,
    values: &Bound<'_, PyDict>,
) -> PyResult<()> {
    let text = |name: &str| -> PyResult<Option<String>> {
        values.get_item(name)?.map(|value| value.extract()).transpose()
    };
    let active = values.get_item("active")?.map(|value| value.extract::<i64>()).transpose()?;
    let config =
        values.get_item("config")?.map(|value| value.extract::<HashMap<String, String>>()).transpose()?;
    let config = config.map(|config| {
        let mut list: Vec<(String, String)> = config.into_iter().collect();
        list.sort();
        list
    });
    let instance = values.get_item("instance")?.map(|value| value.extract::<u32>()).transpose()?;
    let (name, plugin_name, info) = (text("name")?, text("plugin_name")?, text("info")?);
    let mut this = core.try_borrow_mut()?;
    let by_index = |index: u32| ElementRef::from_parts(Kind::Plugin, condyle_spec::Owner::Spec, index);
    let mut target = (place.code < code::PLUGIN_OF).then_some(place.index);
    if target.is_none() {
        let element =
            Place { code: place.code - code::PLUGIN_OF, index: place.index }.element().ok_or_else(gone)?;
        let plugin = this.spec.plugin_of(element).ok_or_else(gone)?;
        if let Some(index) = instance {
            *plugin = PluginRef { own_instance: by_index(index).id(Kind::Plugin), ..PluginRef::default() };
        }
        if let Some(active) = active {
            plugin.active = active != 0;
        }
        if let Some(plugin_name) = plugin_name.clone() {
            plugin.plugin_name = plugin_name;
        }
        if let Some(name) = name {
            if !name.is_empty() {
                plugin.own_instance = None;
            }
            plugin.instance_name = name;
        }
        target = plugin.own_instance.map(|id| id.index() as u32);
        if target.is_none() && config.is_some() {
            let name = plugin.instance_name.clone();
            target = this.find(Kind::Plugin, &name).map(ElementRef::index);
        }
    } else {
        if let Some(name) = name {
            this.set_name(by_index(place.index), &name)?;
        }
        if let Some(active) = active {
            this.active.insert(place.index, active != 0);
        }
    }
    if let Some(found) = target.and_then(|index| by_index(index).id(Kind::Plugin))
        && let Some(found) = this.spec.plugins.get_mut(found)
    {
        if let Some(config) = config {
            found.config = config;
        }
        if place.code < code::PLUGIN_OF
            && let Some(plugin_name) = plugin_name
        {
            found.plugin_name = plugin_name;
        }
        if let Some(info) = info {
            found.info.note = info;
        }
    }
    Ok(())
}

/// Applies a shortcut to an actuator.
pub(crate) fn set_to(
    core: &Bound<'_, SpecCore>,
    place: Place,
    shortcut: &str,
    values: &HashMap<String, Vec<f64>>,
) -> PyResult<()> {
    let element = place.element().ok_or_else(gone)?;
    let number = |name: &str| values.get(name).and_then(|values| values.first().copied());
    let given = |name: &str| number(name).filter(|value| *value != -1.0);
    let pair = |name: &str| match values.get(name).map(Vec::as_slice) {
        Some([a, b, ..]) => [*a, *b],
        Some([a]) => [*a, *a],
        _ => [-1.0, -1.0],
    };
    let mut this = core.try_borrow_mut()?;
    this.read_back(core.py(), place)?;
    let actuator = if element.owner == condyle_spec::Owner::Class {
        let class = this.class(place.index).ok_or_else(gone)?;
        &mut this.spec.classes[class].actuator
    } else {
        let id = element.id(Kind::Actuator).ok_or_else(gone)?;
        this.spec.actuators.get_mut(id).ok_or_else(gone)?
    };
    let servo = PositionParameters {
        kp: number("kp").unwrap_or(1.0),
        kv: given("kv"),
        dampratio: given("dampratio"),
        timeconst: given("timeconst"),
        inheritrange: number("inheritrange").unwrap_or(0.0),
    };
    let kv = number("kv").unwrap_or(1.0);
    let result = match shortcut {
        "motor" => {
            actuator.set_to_motor();
            Ok(())
        }
        "position" => actuator.set_to_position(&servo),
        "intvelocity" => actuator.set_to_int_velocity(&servo),
        "velocity" => {
            actuator.set_to_velocity(kv);
            Ok(())
        }
        "damper" => actuator.set_to_damper(kv),
        "cylinder" => {
            actuator.set_to_cylinder(
                number("timeconst").unwrap_or(1.0),
                number("bias").unwrap_or(0.0),
                number("area").unwrap_or(1.0),
                number("diameter").unwrap_or(-1.0),
            );
            Ok(())
        }
        "muscle" => {
            let value = |name: &str| number(name).unwrap_or(-1.0);
            actuator.set_to_muscle(&MuscleParameters {
                timeconst: pair("timeconst"),
                tausmooth: number("tausmooth").unwrap_or(0.0),
                range: pair("range"),
                force: value("force"),
                scale: value("scale"),
                lmin: value("lmin"),
                lmax: value("lmax"),
                vmax: value("vmax"),
                fpmax: value("fpmax"),
                fvmax: value("fvmax"),
            })
        }
        _ => actuator.set_to_adhesion(number("gain").unwrap_or(1.0)),
    };
    this.refresh(core.py(), place)?;
    result.map_err(PyValueError::new_err)
}

/// Makes a mesh one of the shapes the compiler knows.
pub(crate) fn make_mesh(
    core: &Bound<'_, SpecCore>,
    place: Place,
    shape: &str,
    parameters: Vec<f64>,
) -> PyResult<()> {
    let id = place.element().and_then(|element| element.id(Kind::Mesh)).ok_or_else(gone)?;
    let mut this = core.try_borrow_mut()?;
    let mesh = this.spec.meshes.get_mut(id).ok_or_else(gone)?;
    mesh.builtin = match shape {
        "sphere" => MeshBuiltin::Sphere,
        "hemisphere" => MeshBuiltin::Hemisphere,
        "cone" => MeshBuiltin::Cone,
        "supersphere" => MeshBuiltin::Supersphere,
        "supertorus" => MeshBuiltin::Supertorus,
        "wedge" => MeshBuiltin::Wedge,
        _ => MeshBuiltin::Plate,
    };
    mesh.params = parameters;
    Ok(())
}

/// The quaternion of an orientation.
#[pyfunction]
pub(crate) fn _spec_resolve_orientation(
    degree: bool,
    sequence: &str,
    kind: i32,
    values: Vec<f64>,
) -> PyResult<[f64; 4]> {
    let eulerseq = <[u8; 3]>::try_from(sequence.as_bytes())
        .map_err(|_| PyValueError::new_err("an Euler sequence has three axes"))?;
    let compiler = condyle_spec::Compiler { degree, eulerseq, ..condyle_spec::Compiler::default() };
    let wrong = |_| PyValueError::new_err("the orientation has the wrong number of values");
    let orientation = match kind {
        1 => Orientation::AxisAngle(values.as_slice().try_into().map_err(wrong)?),
        2 => Orientation::XyAxes(values.as_slice().try_into().map_err(wrong)?),
        3 => Orientation::ZAxis(values.as_slice().try_into().map_err(wrong)?),
        4 => Orientation::Euler(values.as_slice().try_into().map_err(wrong)?),
        _ => return Ok([1.0, 0.0, 0.0, 0.0]),
    };
    condyle_spec::resolve_orientation(&orientation, &compiler).map_err(PyValueError::new_err)
}
