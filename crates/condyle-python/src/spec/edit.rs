//! Calls on an `MjSpec` from Python.

use condyle_spec::{ElementRef, Kind, Owner, Wrap};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use pyo3::{PyTraverseError, PyVisit};
use std::collections::HashMap;

use super::assemble;
use super::core::{Place, SpecCore, code, gone, locate, names_of, traverse};
use super::element::{SpecElement, get, set};
use super::keywords::{add_element, set_keywords};
use crate::model::MjModel;
use crate::view::Text;

/// Names of the attributes behind a class, in the order of their numbers.
#[pyfunction]
pub(crate) fn _spec_attributes(code: u8) -> Vec<&'static str> {
    names_of(code)
}

fn kind_of(number: u8) -> PyResult<Kind> {
    Kind::from_number(number).ok_or_else(|| PyTypeError::new_err("no such kind of element"))
}

/// The element of an object that is in this spec.
pub(crate) fn own(core: &Bound<'_, SpecCore>, object: &Bound<'_, SpecElement>) -> PyResult<ElementRef> {
    let (found, place) = locate(object)?;
    if !found.is(core) {
        return Err(PyValueError::new_err("Error: element is not in this model"));
    }
    place.element().ok_or_else(gone)
}

#[pymethods]
impl SpecCore {
    #[new]
    #[pyo3(signature = (*_args, **_keywords))]
    fn new(_args: &Bound<'_, pyo3::types::PyTuple>, _keywords: Option<&Bound<'_, PyDict>>) -> Self {
        Self::default()
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        traverse(self, &visit)
    }

    fn __clear__(&mut self) {
        self.objects.clear();
        self.moved.clear();
    }

    #[pyo3(signature = (xml, files, path=None))]
    fn _load(
        &mut self,
        py: Python<'_>,
        xml: &str,
        files: &Bound<'_, PyDict>,
        path: Option<String>,
    ) -> PyResult<()> {
        assemble::load(self, py, xml, files, path)
    }

    fn _copy_from(slf: &Bound<'_, Self>, other: &Bound<'_, Self>) -> PyResult<()> {
        let mut source = other.try_borrow_mut()?;
        source.read_back_all(slf.py())?;
        let _ = source.write_lists();
        let (spec, active) = (source.spec.clone(), source.active.clone());
        drop(source);
        let mut this = slf.try_borrow_mut()?;
        (this.spec, this.active) = (spec, active);
        Ok(())
    }

    /// The object that stands for a place.
    fn _object<'py>(slf: &Bound<'py, Self>, code: u8, index: u32) -> PyResult<Bound<'py, PyAny>> {
        Self::object(slf, Place { code, index })
    }

    fn _world<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let world = ElementRef::new(Kind::Body, slf.try_borrow()?.spec.world());
        Self::element_object(slf, world)
    }

    #[pyo3(signature = (kind, parent, class, keywords))]
    fn _add<'py>(
        slf: &Bound<'py, Self>,
        kind: u8,
        parent: Option<&Bound<'py, SpecElement>>,
        class: Option<&Bound<'py, SpecElement>>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let kind = kind_of(kind)?;
        let (core, parent) = match parent {
            Some(parent) => {
                let (core, place) = locate(parent)?;
                (core, place.element())
            }
            None => (slf.clone(), None),
        };
        let class = class.map(|class| class.get().place.index);
        let element = {
            let mut this = core.try_borrow_mut()?;
            // New elements start from what Python wrote into the arrays of their class.
            let index = class.unwrap_or(this.spec.main_class().index() as u32);
            this.read_back(core.py(), Place { code: code::MEMBER + kind as u8, index })?;
            let element = add_element(&mut this.spec, kind, parent, class)?;
            this.changed();
            element
        };
        let place = Place::of(element);
        let object = Self::object(&core, place)?;
        if let Some(keywords) = keywords
            && let Err(error) = set_keywords(&core, &object, place, keywords)
        {
            let mut this = core.try_borrow_mut()?;
            this.unname(element);
            let _ = this.spec.delete(element);
            this.forget(place);
            return Err(error);
        }
        Ok(object)
    }

    fn _add_free_joint<'py>(
        slf: &Bound<'py, Self>,
        body: &Bound<'py, SpecElement>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (core, place) = locate(body)?;
        let element = {
            let mut this = core.try_borrow_mut()?;
            let body = place.element().filter(|body| this.spec.contains(*body)).and_then(ElementRef::body);
            let id = this.spec.add_free_joint(body.ok_or_else(gone)?);
            this.changed();
            ElementRef::new(Kind::Joint, id)
        };
        let _ = slf;
        Self::element_object(&core, element)
    }

    fn _delete(slf: &Bound<'_, Self>, object: &Bound<'_, SpecElement>) -> PyResult<()> {
        let element = own(slf, object)?;
        let mut this = slf.try_borrow_mut()?;
        if matches!(element.kind, Kind::Body | Kind::Frame) {
            this.read_back_all(slf.py())?;
        }
        this.unname(element);
        let attached = this.spec.keys.iter().filter(|(_, key)| key.saved.is_some());
        let attached: Vec<_> = attached.map(|(id, _)| id).collect();
        this.spec.delete(element).map_err(|error| PyValueError::new_err(error.to_string()))?;
        this.changed();
        this.forget(Place::of(element));
        if element.kind == Kind::Body {
            // As in MuJoCo, keyframes of attached specs lose activations and controls with any body that is deleted before compiling.
            for id in attached {
                let Some(saved) = this.spec.keys.get_mut(id).and_then(|key| key.saved.as_mut()) else {
                    continue;
                };
                for parts in [&mut saved.act, &mut saved.ctrl].into_iter().flatten() {
                    parts.clear();
                }
            }
        }
        if matches!(element.kind, Kind::Body | Kind::Frame) {
            this.forget_names();
            this.forget_missing();
            let places: Vec<Place> = this.objects.keys().copied().collect();
            for place in places {
                this.refresh(slf.py(), place)?;
            }
        }
        Ok(())
    }

    fn _elements<'py>(slf: &Bound<'py, Self>, kind: u8) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let mut list = slf.try_borrow()?.spec.elements(kind_of(kind)?);
        // Keyframes of attached specs are there once the layout is known.
        let this = slf.try_borrow()?;
        list.retain(|element| {
            let key = element.id(Kind::Key).and_then(|id| this.spec.keys.get(id));
            key.is_none_or(|key| key.saved.is_none())
        });
        drop(this);
        list.into_iter().map(|element| Self::element_object(slf, element)).collect()
    }

    /// Elements of a kind in a body, with `deep` also in the bodies inside it.
    fn _parts<'py>(
        _slf: &Bound<'py, Self>,
        body: &Bound<'py, SpecElement>,
        kind: u8,
        deep: bool,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let (core, place) = locate(body)?;
        let kind = kind_of(kind)?;
        let body = place.element().and_then(ElementRef::body).ok_or_else(gone)?;
        let list = {
            let this = core.try_borrow()?;
            let spec = &this.spec;
            if !deep {
                spec.parts(body, kind)
            } else {
                let mut list = Vec::new();
                let mut stack = vec![body];
                while let Some(id) = stack.pop() {
                    if kind == Kind::Body {
                        if id != body {
                            list.push(ElementRef::new(Kind::Body, id));
                        }
                    } else {
                        list.extend(spec.parts(id, kind));
                    }
                    let inner = spec.bodies.get(id).map(|body| body.bodies().to_vec());
                    stack.extend(inner.unwrap_or_default().into_iter().rev());
                }
                list
            }
        };
        list.into_iter().map(|element| Self::element_object(&core, element)).collect()
    }

    fn _find<'py>(slf: &Bound<'py, Self>, kind: u8, name: Text<'_>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let kind = kind_of(kind)?;
        let found = {
            let mut this = slf.try_borrow_mut()?;
            let found = if kind == Kind::Frame {
                let frames = this.spec.elements(kind);
                frames.into_iter().find(|frame| this.spec.info(*frame).is_some_and(|info| info.name == *name))
            } else {
                this.find(kind, &name)
            };
            found.or_else(|| assemble::asset_by_file(&this.spec, kind, &name))
        };
        found.map(|element| Self::element_object(slf, element)).transpose()
    }

    fn _parent<'py>(
        _slf: &Bound<'py, Self>,
        object: &Bound<'py, SpecElement>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (core, place) = locate(object)?;
        let body = core.try_borrow()?.spec.body_of(place.element().ok_or_else(gone)?);
        body.map(|body| Self::element_object(&core, ElementRef::new(Kind::Body, body))).transpose()
    }

    fn _frame<'py>(
        _slf: &Bound<'py, Self>,
        object: &Bound<'py, SpecElement>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (core, place) = locate(object)?;
        let frame = core.try_borrow()?.spec.frame_of(place.element().ok_or_else(gone)?);
        frame.map(|frame| Self::element_object(&core, ElementRef::new(Kind::Frame, frame))).transpose()
    }

    fn _set_frame(
        _slf: &Bound<'_, Self>,
        object: &Bound<'_, SpecElement>,
        frame: &Bound<'_, SpecElement>,
    ) -> PyResult<()> {
        let (core, place) = locate(object)?;
        let frame = own(&core, frame)?.frame().ok_or_else(gone)?;
        let element = place.element().ok_or_else(gone)?;
        let mut this = core.try_borrow_mut()?;
        let name = this.spec.info(element).map(|info| info.name.clone()).unwrap_or_default();
        this.spec.set_frame(element, frame).map_err(|error| {
            PyValueError::new_err(match error {
                condyle_spec::FrameError::Circular => "Error: a frame cannot be inside itself".to_owned(),
                condyle_spec::FrameError::NoElement => "Error: the element cannot be in a frame".to_owned(),
                condyle_spec::FrameError::OtherBody => {
                    format!("Error: Frame and body '{name}' have mismatched parents")
                }
            })
        })
    }

    fn _to_frame<'py>(
        _slf: &Bound<'py, Self>,
        object: &Bound<'py, SpecElement>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (core, place) = locate(object)?;
        let frame = {
            let mut this = core.try_borrow_mut()?;
            this.read_back_all(core.py())?;
            let body = place.element().and_then(ElementRef::body).ok_or_else(gone)?;
            let frame = this.spec.body_to_frame(body);
            this.changed();
            this.forget_names();
            this.forget(place);
            frame.ok_or_else(|| PyValueError::new_err("the world body cannot become a frame"))?
        };
        Self::element_object(&core, ElementRef::new(Kind::Frame, frame))
    }

    fn _name(_slf: &Bound<'_, Self>, object: &Bound<'_, SpecElement>) -> PyResult<String> {
        let (core, place) = locate(object)?;
        let this = core.try_borrow()?;
        if place.code == code::CLASS {
            let class = this.class(place.index).ok_or_else(gone)?;
            return Ok(this.spec.classes[class].name.clone());
        }
        if place.code >= code::MEMBER {
            return Ok(String::new());
        }
        let info = this.spec.info(place.element().ok_or_else(gone)?).ok_or_else(gone)?;
        Ok(info.name.clone())
    }

    fn _set_name(_slf: &Bound<'_, Self>, object: &Bound<'_, SpecElement>, name: Text<'_>) -> PyResult<()> {
        let (core, place) = locate(object)?;
        let mut this = core.try_borrow_mut()?;
        if place.code == code::CLASS {
            let class = this.class(place.index).ok_or_else(gone)?;
            this.spec.classes[class].name = name.into();
            return Ok(());
        }
        this.set_name(place.element().ok_or_else(gone)?, &name)
    }

    fn _info(_slf: &Bound<'_, Self>, object: &Bound<'_, SpecElement>) -> PyResult<String> {
        let (core, place) = locate(object)?;
        let this = core.try_borrow()?;
        let Some(info) = place.element().and_then(|element| this.spec.info(element)) else {
            return Ok(String::new());
        };
        match (&info.location, info.note.is_empty()) {
            (Some(location), true) => Ok(format!("line {}", location.line)),
            _ => Ok(info.note.clone()),
        }
    }

    fn _set_info(_slf: &Bound<'_, Self>, object: &Bound<'_, SpecElement>, note: Text<'_>) -> PyResult<()> {
        let (core, place) = locate(object)?;
        let element = place.element().ok_or_else(gone)?;
        core.try_borrow_mut()?.spec.info_mut(element).ok_or_else(gone)?.note = note.into();
        Ok(())
    }

    /// The position in the compiled model, or -1.
    fn _id(_slf: &Bound<'_, Self>, object: &Bound<'_, SpecElement>) -> PyResult<i32> {
        let (core, place) = locate(object)?;
        let this = core.try_borrow()?;
        if let Some(id) = this.ids.get(&place) {
            return Ok(*id);
        }
        match place.element() {
            Some(element) if element.owner == Owner::Spec && !element.kind.in_tree() => {
                let list = this.spec.elements(element.kind);
                Ok(list.iter().position(|known| *known == element).map_or(-1, |at| at as i32))
            }
            Some(element) if element.body() == Some(this.spec.world()) => Ok(0),
            _ => Ok(-1),
        }
    }

    #[getter]
    fn _signature(slf: &Bound<'_, Self>) -> PyResult<u64> {
        let mut this = slf.try_borrow_mut()?;
        if let Some(signature) = this.signature {
            return Ok(signature);
        }
        let signature = this.spec.signature();
        this.signature = Some(signature);
        Ok(signature)
    }

    fn _class_of<'py>(
        _slf: &Bound<'py, Self>,
        object: &Bound<'py, SpecElement>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (core, place) = locate(object)?;
        let index = {
            let this = core.try_borrow()?;
            let spec = &this.spec;
            let element = place.element().ok_or_else(gone)?;
            let class = match element.body().and_then(|body| spec.bodies.get(body)) {
                Some(body) => spec.find_class(&body.childclass),
                None => spec.info(element).and_then(|info| info.class),
            };
            class.filter(|class| spec.classes.get(*class).is_some()).unwrap_or(spec.main_class()).index()
                as u32
        };
        Self::object(&core, Place { code: code::CLASS, index })
    }

    fn _set_class(
        _slf: &Bound<'_, Self>,
        object: &Bound<'_, SpecElement>,
        class: &Bound<'_, SpecElement>,
    ) -> PyResult<()> {
        let (core, place) = locate(object)?;
        let index = class.get().place.index;
        let element = place.element().ok_or_else(gone)?;
        let mut this = core.try_borrow_mut()?;
        let class = this.class(index).ok_or_else(gone)?;
        let name = this.spec.classes[class].name.clone();
        if let Some(body) = element.body().and_then(|body| this.spec.bodies.get_mut(body)) {
            body.childclass = name;
            return Ok(());
        }
        this.spec.info_mut(element).ok_or_else(gone)?.class = Some(class);
        Ok(())
    }

    fn _main_class<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let index = slf.try_borrow()?.spec.main_class().index() as u32;
        Self::object(slf, Place { code: code::CLASS, index })
    }

    fn _find_class<'py>(slf: &Bound<'py, Self>, name: Text<'_>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let found = slf.try_borrow()?.spec.find_class(&name).map(|id| id.index() as u32);
        found.map(|index| Self::object(slf, Place { code: code::CLASS, index })).transpose()
    }

    fn _add_class<'py>(
        slf: &Bound<'py, Self>,
        name: Text<'_>,
        parent: Option<&Bound<'py, SpecElement>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let index = {
            let mut this = slf.try_borrow_mut()?;
            this.read_back_all(slf.py())?;
            let parent = match parent {
                Some(parent) => this.class(parent.get().place.index).ok_or_else(gone)?,
                None => this.spec.main_class(),
            };
            this.spec.add_class(&name, parent).map(|id| id.index() as u32)
        };
        index.map(|index| Self::object(slf, Place { code: code::CLASS, index })).transpose()
    }

    fn _delete_class(slf: &Bound<'_, Self>, class: &Bound<'_, SpecElement>) -> PyResult<()> {
        let mut this = slf.try_borrow_mut()?;
        let class = this.class(class.get().place.index).ok_or_else(gone)?;
        this.spec
            .delete_class(class)
            .map_err(|_| PyValueError::new_err("cannot remove the global default ('main')"))?;
        this.forget_missing();
        Ok(())
    }

    /// A numbered attribute of a place.
    fn _get<'py>(
        slf: &Bound<'py, Self>,
        code: u8,
        index: u32,
        attribute: u16,
    ) -> PyResult<Bound<'py, PyAny>> {
        get(slf, Place { code, index }, attribute)
    }

    fn _set(
        slf: &Bound<'_, Self>,
        code: u8,
        index: u32,
        attribute: u16,
        name: &str,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        set(slf, Place { code, index }, attribute, name, value)
    }

    /// Lists of lists of a skin: vertices and weights.
    #[pyo3(signature = (index, vertices=None, weights=None))]
    fn _skin_lists(
        &mut self,
        index: u32,
        vertices: Option<Vec<Vec<i32>>>,
        weights: Option<Vec<Vec<f32>>>,
    ) -> PyResult<(Vec<Vec<i32>>, Vec<Vec<f32>>)> {
        let lists = self.lists(Place { code: Kind::Skin as u8, index }).ok_or_else(gone)?;
        if let Some(vertices) = vertices {
            lists.numbers = vertices;
        }
        if let Some(weights) = weights {
            lists.weights = weights;
        }
        Ok((lists.numbers.clone(), lists.weights.clone()))
    }

    #[getter]
    fn modelname(&self) -> &str {
        &self.spec.modelname
    }
    #[setter]
    fn set_modelname(&mut self, value: Text<'_>) {
        self.spec.modelname = value.into();
    }
    #[getter]
    fn comment(&self) -> &str {
        &self.spec.comment
    }
    #[setter]
    fn set_comment(&mut self, value: Text<'_>) {
        self.spec.comment = value.into();
    }
    #[getter]
    fn modelfiledir(&self) -> String {
        self.spec.modelfiledir.to_string_lossy().into_owned()
    }
    #[setter]
    fn set_modelfiledir(&mut self, value: Text<'_>) {
        self.spec.modelfiledir = String::from(value).into();
    }
    #[getter]
    fn strippath(&self) -> i32 {
        i32::from(self.spec.strippath)
    }
    #[setter]
    fn set_strippath(&mut self, value: i64) {
        self.spec.strippath = value != 0;
    }

    fn activate_plugin(&mut self, name: Text<'_>) {
        let name = String::from(name);
        if !self.spec.active_plugins.contains(&name) {
            self.spec.active_plugins.push(name);
        }
    }

    fn _plugin<'py>(
        _slf: &Bound<'py, Self>,
        object: &Bound<'py, SpecElement>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (core, place) = locate(object)?;
        assemble::plugin(&core, place)
    }

    fn _set_plugin(
        _slf: &Bound<'_, Self>,
        object: &Bound<'_, SpecElement>,
        values: &Bound<'_, PyDict>,
    ) -> PyResult<()> {
        let (core, place) = locate(object)?;
        assemble::set_plugin(&core, place, values)
    }

    /// The path of a tendon: kind, name, side site and number of each part.
    fn _path(
        _slf: &Bound<'_, Self>,
        object: &Bound<'_, SpecElement>,
    ) -> PyResult<Vec<(u8, String, String, f64)>> {
        let (core, place) = locate(object)?;
        let this = core.try_borrow()?;
        let tendon = place.element().and_then(|element| element.id(Kind::Tendon));
        let tendon = tendon.and_then(|id| this.spec.tendons.get(id)).ok_or_else(gone)?;
        Ok(tendon
            .path
            .iter()
            .map(|(wrap, _)| match wrap {
                Wrap::Joint { joint, coef } => (1, joint.clone(), String::new(), *coef),
                Wrap::Pulley { divisor } => (2, String::new(), String::new(), *divisor),
                Wrap::Site { site } => (3, site.clone(), String::new(), 0.0),
                Wrap::Geom { geom, sidesite } => (4, geom.clone(), sidesite.clone(), 0.0),
            })
            .collect())
    }

    fn _wrap(
        _slf: &Bound<'_, Self>,
        object: &Bound<'_, SpecElement>,
        kind: u8,
        name: Text<'_>,
        side: Text<'_>,
        number: f64,
    ) -> PyResult<usize> {
        let (core, place) = locate(object)?;
        let mut this = core.try_borrow_mut()?;
        let tendon = place.element().and_then(|element| element.id(Kind::Tendon));
        let tendon = tendon.and_then(|id| this.spec.tendons.get_mut(id)).ok_or_else(gone)?;
        let wrap = match kind {
            1 => Wrap::Joint { joint: name.into(), coef: number },
            2 => Wrap::Pulley { divisor: number },
            3 => Wrap::Site { site: name.into() },
            _ => Wrap::Geom { geom: name.into(), sidesite: side.into() },
        };
        tendon.path.push((wrap, None));
        Ok(tendon.path.len() - 1)
    }

    /// Makes an actuator one of the usual kinds.
    #[pyo3(signature = (object, shortcut, **values))]
    fn _set_to(
        _slf: &Bound<'_, Self>,
        object: &Bound<'_, SpecElement>,
        shortcut: &str,
        values: Option<HashMap<String, Vec<f64>>>,
    ) -> PyResult<()> {
        let (core, place) = locate(object)?;
        assemble::set_to(&core, place, shortcut, &values.unwrap_or_default())
    }

    fn _make_mesh(
        _slf: &Bound<'_, Self>,
        object: &Bound<'_, SpecElement>,
        shape: &str,
        parameters: Vec<f64>,
    ) -> PyResult<()> {
        let (core, place) = locate(object)?;
        assemble::make_mesh(&core, place, shape, parameters)
    }

    #[pyo3(signature = (target, child, part, prefix, suffix, copy))]
    fn _attach<'py>(
        slf: &Bound<'py, Self>,
        target: &Bound<'py, SpecElement>,
        child: &Bound<'py, SpecCore>,
        part: Option<&Bound<'py, SpecElement>>,
        prefix: Text<'_>,
        suffix: Text<'_>,
        copy: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        assemble::attach(slf, target, child, part, prefix.into(), suffix.into(), copy)
    }

    #[getter]
    fn _is_attached(&self) -> bool {
        !self.moved.is_empty()
    }

    fn _compile(
        slf: &Bound<'_, Self>,
        files: &Bound<'_, PyDict>,
        reference_bugs: bool,
    ) -> PyResult<(MjModel, Vec<String>)> {
        assemble::compile(slf, files, reference_bugs)
    }

    /// Order of elements of a kind in the last compiled model.
    fn _order(&self, kind: u8) -> PyResult<Vec<(u32, i32)>> {
        kind_of(kind)?;
        let mut list: Vec<(u32, i32)> = self
            .ids
            .iter()
            .filter(|(place, _)| place.code == kind)
            .map(|(place, id)| (place.index, *id))
            .collect();
        list.sort_unstable();
        Ok(list)
    }

    fn _to_xml(slf: &Bound<'_, Self>) -> PyResult<String> {
        let mut this = slf.try_borrow_mut()?;
        this.read_back_all(slf.py())?;
        this.write_lists().map_err(PyValueError::new_err)?;
        Ok(condyle_mjcf::to_mjcf_in_radians(&this.spec))
    }

    fn _labels<'py>(slf: &Bound<'py, Self>, kind: &str) -> PyResult<Bound<'py, PyList>> {
        let this = slf.try_borrow()?;
        let list = PyList::empty(slf.py());
        let Some(kind) = Kind::ALL.into_iter().find(|known| known.name() == kind) else { return Ok(list) };
        for element in this.spec.elements(kind) {
            if let Some(info) = this.spec.info(element) {
                let note = match (&info.location, info.note.is_empty()) {
                    (Some(location), true) => format!("line {}", location.line),
                    _ => info.note.clone(),
                };
                list.append((PyString::new(slf.py(), &info.name), note))?;
            }
        }
        Ok(list)
    }
}
