//! The editable model behind `MjSpec`: a [`Spec`] and what Python holds of it.
//!
//! Numbers and texts go straight to the spec. A small array is handed out as a numpy array that Python may write to at any time;
//! such arrays are noted here and written back before anything reads the spec as a whole.

use std::collections::HashMap;

use condyle_spec::edit::{Attributed, Slot, attribute_names};
use condyle_spec::{
    Compiler, DefaultClass, ElementRef, Id, Kind, LengthRangeOptions, Orientation, Owner, Sizes, Spec,
    StatisticOverride,
};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyReferenceError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use pyo3::{PyTraverseError, PyVisit};

use super::element::SpecElement;

/// What an object in Python stands for: an element, a member of a default class, or a group of settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    pub code: u8,
    pub index: u32,
}

/// Numbers of places that are not elements; elements have the number of their kind.
pub(crate) mod code {
    pub(crate) const CLASS: u8 = 60;
    /// Members of default classes: this and the number of the kind.
    pub(crate) const MEMBER: u8 = 64;
    pub(crate) const COMPILER: u8 = 100;
    pub(crate) const LENGTH_RANGE: u8 = 101;
    pub(crate) const SIZES: u8 = 102;
    pub(crate) const OPTION: u8 = 103;
    pub(crate) const STATISTIC: u8 = 104;
    /// Topics of the view settings: this and the number of the topic.
    pub(crate) const VISUAL: u8 = 110;
    /// The plugin an element uses: this and the number of the kind.
    pub(crate) const PLUGIN_OF: u8 = 128;
}

impl Place {
    pub(crate) fn of(element: ElementRef) -> Self {
        let member = if element.owner == Owner::Class { code::MEMBER } else { 0 };
        Self { code: element.kind as u8 + member, index: element.index() }
    }

    /// The element, or member of a class, if it is one.
    pub(crate) fn element(self) -> Option<ElementRef> {
        let owner = if self.code >= code::MEMBER { Owner::Class } else { Owner::Spec };
        let number = if owner == Owner::Class { self.code - code::MEMBER } else { self.code };
        Some(ElementRef::from_parts(Kind::from_number(number)?, owner, self.index))
    }
}

/// An orientation as MuJoCo keeps it: all ways of writing it side by side, and which one counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Angles {
    pub kind: i32,
    pub axisangle: [f64; 4],
    pub xyaxes: [f64; 6],
    pub zaxis: [f64; 3],
    pub euler: [f64; 3],
}

impl Angles {
    fn of(orientation: Option<Orientation>) -> Self {
        let mut angles = Self::default();
        match orientation {
            None => {}
            Some(Orientation::AxisAngle(values)) => (angles.kind, angles.axisangle) = (1, values),
            Some(Orientation::XyAxes(values)) => (angles.kind, angles.xyaxes) = (2, values),
            Some(Orientation::ZAxis(values)) => (angles.kind, angles.zaxis) = (3, values),
            Some(Orientation::Euler(values)) => (angles.kind, angles.euler) = (4, values),
        }
        angles
    }

    fn orientation(&self) -> Option<Orientation> {
        match self.kind {
            1 => Some(Orientation::AxisAngle(self.axisangle)),
            2 => Some(Orientation::XyAxes(self.xyaxes)),
            3 => Some(Orientation::ZAxis(self.zaxis)),
            4 => Some(Orientation::Euler(self.euler)),
            _ => None,
        }
    }

    fn slot(&mut self, attribute: u16) -> Option<Slot<'_>> {
        match attribute {
            0 => Some((&mut self.kind).into()),
            1 => Some((&mut self.axisangle).into()),
            2 => Some((&mut self.xyaxes).into()),
            3 => Some((&mut self.zaxis).into()),
            4 => Some((&mut self.euler).into()),
            _ => None,
        }
    }
}

/// Attributes from here on are those of the orientation, then those of the orientation of a body's inertia.
pub(crate) const ORIENTATION: u16 = 1000;
pub(crate) const INERTIAL_ORIENTATION: u16 = 1010;

/// Lists of a tuple or of the bones of a skin, which Python may give different lengths until the spec is compiled.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lists {
    pub texts: Vec<String>,
    pub kinds: Vec<i32>,
    pub reals: Vec<f64>,
    pub positions: Vec<f32>,
    pub rotations: Vec<f32>,
    pub numbers: Vec<Vec<i32>>,
    pub weights: Vec<Vec<f32>>,
}

/// Attributes from here on are the lists of tuples and skins.
pub(crate) const LISTS: u16 = 1020;

type Loans = Vec<(u16, Py<PyAny>)>;

/// A spec and what Python holds of it.
#[pyclass(module = "condyle", name = "_SpecCore", subclass, weakref)]
#[derive(Default)]
pub(crate) struct SpecCore {
    pub spec: Spec,
    loans: HashMap<Place, Loans>,
    pub objects: HashMap<Place, Py<PyAny>>,
    angles: HashMap<(Place, bool), Angles>,
    lists: HashMap<Place, Lists>,
    /// Ids by name, for the kinds that were asked for.
    names: HashMap<Kind, HashMap<String, Vec<u32>>>,
    /// Elements that moved to another spec.
    pub moved: HashMap<Place, (Py<SpecCore>, Place)>,
    /// Positions in the model of the last compilation.
    pub ids: HashMap<Place, i32>,
    pub signature: Option<u64>,
    /// Whether a plugin instance was said to be active.
    pub active: HashMap<u32, bool>,
}

/// Python classes by place, and Python enumerations by name.
#[derive(Default)]
pub(crate) struct Registry {
    pub classes: HashMap<u8, Py<PyAny>>,
    pub enumerations: HashMap<String, Py<PyDict>>,
    pub vectors: HashMap<&'static str, Py<PyAny>>,
}

static REGISTRY: std::sync::OnceLock<Registry> = std::sync::OnceLock::new();

pub(crate) fn registry() -> PyResult<&'static Registry> {
    REGISTRY.get().ok_or_else(|| PyTypeError::new_err("the classes of MjSpec are not registered"))
}

pub(crate) fn set_registry(registry: Registry) {
    let _ = REGISTRY.set(registry);
}

pub(crate) fn gone() -> PyErr {
    PyReferenceError::new_err("this element was deleted from its MjSpec")
}

/// A place of the table behind a class in Python.
pub(crate) fn names_of(number: u8) -> Vec<&'static str> {
    use condyle_model::options::ErasedRecord;
    match number {
        code::COMPILER => Compiler::names(),
        code::LENGTH_RANGE => LengthRangeOptions::names(),
        code::SIZES => Sizes::names(),
        code::OPTION => {
            condyle_model::PhysicsOptions::default().fields().iter().map(|field| field.name).collect()
        }
        code::STATISTIC => StatisticOverride::names(),
        code::VISUAL..code::PLUGIN_OF => {
            let visual = condyle_model::Visual::default();
            let topic = visual.records().into_iter().nth(usize::from(number - code::VISUAL));
            topic
                .map(|(_, record)| record.fields().iter().map(|field| field.name).collect())
                .unwrap_or_default()
        }
        _ => Place { code: number, index: 0 }
            .element()
            .map(|element| attribute_names(element.kind))
            .unwrap_or_default(),
    }
}

fn record_slot<'a>(
    record: &'a mut dyn condyle_model::options::ErasedRecord,
    attribute: u16,
) -> Option<Slot<'a>> {
    use condyle_model::ValuesMut;
    let field = record.fields().get(usize::from(attribute))?;
    let (name, single) = (field.name, field.width == 1);
    Some(match (record.value_mut(name)?, single) {
        (ValuesMut::F64(values), true) => Slot::Real(values.first_mut()?),
        (ValuesMut::F32(values), true) => Slot::Single(values.first_mut()?),
        (ValuesMut::I32(values), true) => Slot::Int(values.first_mut()?),
        (ValuesMut::I64(values), true) => Slot::Long(values.first_mut()?),
        (ValuesMut::F64(values), false) => Slot::Reals(values),
        (ValuesMut::F32(values), false) => Slot::Singles(values),
        (ValuesMut::I32(values), false) => Slot::Ints(values),
        (ValuesMut::U8(values), _) => Slot::Chars(values),
        (ValuesMut::I64(_), false) => return None,
    })
}

impl SpecCore {
    /// The value of an attribute.
    pub(crate) fn slot(&mut self, place: Place, attribute: u16) -> Option<Slot<'_>> {
        match attribute {
            ORIENTATION..INERTIAL_ORIENTATION => {
                return self.angles(place, false)?.slot(attribute - ORIENTATION);
            }
            INERTIAL_ORIENTATION..LISTS => {
                return self.angles(place, true)?.slot(attribute - INERTIAL_ORIENTATION);
            }
            LISTS.. => {
                let lists = self.lists(place)?;
                return match attribute - LISTS {
                    0 => Some((&mut lists.texts).into()),
                    1 => Some((&mut lists.kinds).into()),
                    2 => Some((&mut lists.reals).into()),
                    3 => Some((&mut lists.positions).into()),
                    4 => Some((&mut lists.rotations).into()),
                    _ => None,
                };
            }
            _ => {}
        }
        let index = usize::from(attribute);
        match place.code {
            code::COMPILER => self.spec.compiler.slot(index),
            code::LENGTH_RANGE => self.spec.compiler.length_range.slot(index),
            code::SIZES => self.spec.sizes.slot(index),
            code::OPTION => record_slot(&mut self.spec.option, attribute),
            code::STATISTIC => self.spec.statistic.slot(index),
            code::VISUAL..code::PLUGIN_OF => {
                let topic = usize::from(place.code - code::VISUAL);
                let record = self.spec.visual.records_mut().into_iter().nth(topic)?.1;
                record_slot(record, attribute)
            }
            _ => self.spec.slot(place.element()?, index),
        }
    }

    fn angles(&mut self, place: Place, inertial: bool) -> Option<&mut Angles> {
        let known = *self.spec.orientation_slot(place.element()?, inertial)?;
        Some(self.angles.entry((place, inertial)).or_insert_with(|| Angles::of(known)))
    }

    /// The lists of a tuple or skin.
    pub(crate) fn lists(&mut self, place: Place) -> Option<&mut Lists> {
        let element = place.element()?;
        if !self.lists.contains_key(&place) {
            let mut lists = Lists::default();
            if let Some(id) = element.id(Kind::Tuple) {
                let tuple = self.spec.tuples.get(id)?;
                for entry in &tuple.entries {
                    lists.texts.push(entry.objname.clone());
                    lists.kinds.push(entry.objtype as i32);
                    lists.reals.push(entry.prm);
                }
            } else {
                let skin = self.spec.skins.get(element.id(Kind::Skin)?)?;
                for bone in &skin.bones {
                    lists.texts.push(bone.body.clone());
                    lists.positions.extend(bone.bindpos);
                    lists.rotations.extend(bone.bindquat);
                    lists.numbers.push(bone.vertid.clone());
                    lists.weights.push(bone.vertweight.clone());
                }
            }
            self.lists.insert(place, lists);
        }
        self.lists.get_mut(&place)
    }

    /// Writes lists of tuples and skins into the spec. `Err` says what does not fit together.
    pub(crate) fn write_lists(&mut self) -> Result<(), String> {
        for (place, lists) in &self.lists {
            let Some(element) = place.element() else { continue };
            if let Some(tuple) = element.id(Kind::Tuple).and_then(|id| self.spec.tuples.get_mut(id)) {
                let count = lists.texts.len();
                if lists.kinds.len() != count || lists.reals.len() != count {
                    return Err(format!(
                        "Error: tuple '{}' has {count} names, {} types and {} parameters",
                        tuple.info.name,
                        lists.kinds.len(),
                        lists.reals.len()
                    ));
                }
                tuple.entries.clear();
                for ((name, kind), prm) in lists.texts.iter().zip(&lists.kinds).zip(&lists.reals) {
                    let objtype = condyle_model::ObjectType::from_i32(*kind).ok_or_else(|| {
                        format!("Error: tuple '{}' has no objects of type {kind}", tuple.info.name)
                    })?;
                    tuple.entries.push(condyle_spec::TupleEntry {
                        objtype,
                        objname: name.clone(),
                        prm: *prm,
                    });
                }
            } else if let Some(skin) = element.id(Kind::Skin).and_then(|id| self.spec.skins.get_mut(id)) {
                let count = lists.texts.len();
                let fits = lists.positions.len() == 3 * count
                    && lists.rotations.len() == 4 * count
                    && lists.numbers.len() == count
                    && lists.weights.len() == count;
                if !fits {
                    return Err(format!(
                        "Error: bone arrays of skin '{}' have different lengths",
                        skin.info.name
                    ));
                }
                skin.bones.clear();
                for bone in 0..count {
                    let mut entry =
                        condyle_spec::SkinBone { body: lists.texts[bone].clone(), ..Default::default() };
                    entry.bindpos.copy_from_slice(&lists.positions[3 * bone..3 * bone + 3]);
                    entry.bindquat.copy_from_slice(&lists.rotations[4 * bone..4 * bone + 4]);
                    entry.vertid.clone_from(&lists.numbers[bone]);
                    entry.vertweight.clone_from(&lists.weights[bone]);
                    skin.bones.push(entry);
                }
            }
        }
        Ok(())
    }

    /// The array handed out for an attribute.
    pub(crate) fn loan(&self, py: Python<'_>, place: Place, attribute: u16) -> Option<Py<PyAny>> {
        let loans = self.loans.get(&place)?;
        loans.iter().find(|(known, _)| *known == attribute).map(|(_, array)| array.clone_ref(py))
    }

    pub(crate) fn note_loan(&mut self, place: Place, attribute: u16, array: Py<PyAny>) {
        self.loans.entry(place).or_default().push((attribute, array));
    }

    /// Writes the arrays of a place back to the spec.
    pub(crate) fn read_back(&mut self, py: Python<'_>, place: Place) -> PyResult<()> {
        self.read_back_arrays(py, place)?;
        for inertial in [false, true] {
            let slot = place.element().and_then(|element| self.spec.orientation_slot(element, inertial));
            if let (Some(angles), Some(slot)) = (self.angles.get(&(place, inertial)), slot) {
                *slot = angles.orientation();
            }
        }
        Ok(())
    }

    fn read_back_arrays(&mut self, py: Python<'_>, place: Place) -> PyResult<()> {
        let Some(loans) = self.loans.remove(&place) else { return Ok(()) };
        let mut kept = Loans::new();
        for (attribute, array) in loans {
            let bound = array.bind(py);
            if let Some(slot) = self.slot(place, attribute) {
                write_array(slot, bound)?;
                // An array nobody else holds need not be watched any more.
                // SAFETY: the object is alive while it is held here, and the interpreter lock is held.
                if unsafe { pyo3::ffi::Py_REFCNT(array.as_ptr()) } > 1 {
                    kept.push((attribute, array));
                }
            }
        }
        if !kept.is_empty() {
            self.loans.insert(place, kept);
        }
        Ok(())
    }

    /// Writes everything Python holds back to the spec.
    pub(crate) fn read_back_all(&mut self, py: Python<'_>) -> PyResult<()> {
        let places: Vec<Place> = self.loans.keys().copied().collect();
        for place in places {
            self.read_back_arrays(py, place)?;
        }
        for (&(place, inertial), angles) in &self.angles {
            let slot = place.element().and_then(|element| self.spec.orientation_slot(element, inertial));
            if let Some(slot) = slot {
                *slot = angles.orientation();
            }
        }
        Ok(())
    }

    /// Brings the arrays handed out for a place up to date with the spec.
    pub(crate) fn refresh(&mut self, py: Python<'_>, place: Place) -> PyResult<()> {
        let Some(loans) = self.loans.remove(&place) else { return Ok(()) };
        for (attribute, array) in &loans {
            if let Some(slot) = self.slot(place, *attribute) {
                fill_array(slot, array.bind(py))?;
            }
        }
        self.loans.insert(place, loans);
        Ok(())
    }

    /// What was known about a place is forgotten.
    pub(crate) fn forget(&mut self, place: Place) {
        self.loans.remove(&place);
        self.objects.remove(&place);
        self.angles.remove(&(place, false));
        self.angles.remove(&(place, true));
        self.lists.remove(&place);
    }

    /// What was known about elements that are gone is forgotten.
    pub(crate) fn forget_missing(&mut self) {
        let spec = &self.spec;
        let exists = |place: &Place| match place.code {
            code::CLASS => spec.classes.iter().any(|(id, _)| id.index() as u32 == place.index),
            _ => place.element().is_none_or(|element| spec.contains(element)),
        };
        self.loans.retain(|place, _| exists(place));
        self.objects.retain(|place, _| exists(place));
        self.angles.retain(|(place, _), _| exists(place));
        self.lists.retain(|place, _| exists(place));
    }

    /// After the structure changed: names, ids and the signature are to be found anew.
    pub(crate) fn changed(&mut self) {
        self.ids.clear();
        self.signature = None;
    }

    pub(crate) fn forget_names(&mut self) {
        self.names.clear();
    }

    fn index_of(&mut self, kind: Kind) -> &mut HashMap<String, Vec<u32>> {
        let spec = &self.spec;
        self.names.entry(kind).or_insert_with(|| {
            let mut index: HashMap<String, Vec<u32>> = HashMap::new();
            for element in spec.elements(kind) {
                if let Some(info) = spec.info(element)
                    && !info.name.is_empty()
                {
                    index.entry(info.name.clone()).or_default().push(element.index());
                }
            }
            index
        })
    }

    /// The element of a kind and name.
    pub(crate) fn find(&mut self, kind: Kind, name: &str) -> Option<ElementRef> {
        let found = self.index_of(kind).get(name).and_then(|ids| ids.first().copied());
        found.map(|index| ElementRef::from_parts(kind, Owner::Spec, index))
    }

    /// Takes a name out of the index, before its element goes.
    pub(crate) fn unname(&mut self, element: ElementRef) {
        let Some(name) = self.spec.info(element).map(|info| info.name.clone()) else { return };
        if let Some(index) = self.names.get_mut(&element.kind)
            && let Some(ids) = index.get_mut(&name)
        {
            ids.retain(|&id| id != element.index());
            if ids.is_empty() {
                index.remove(&name);
            }
        }
    }

    /// Gives an element a name. `Err` when another of its kind has it, which the compiler refuses.
    pub(crate) fn set_name(&mut self, element: ElementRef, name: &str) -> PyResult<()> {
        self.index_of(element.kind);
        self.unname(element);
        let info = self.spec.info_mut(element).ok_or_else(gone)?;
        info.name = name.to_owned();
        if name.is_empty() || element.kind == Kind::Frame {
            return Ok(());
        }
        let ids = self.index_of(element.kind).entry(name.to_owned()).or_default();
        ids.push(element.index());
        if ids.len() > 1 {
            let kind = element.kind.name();
            return Err(PyValueError::new_err(format!("Error: repeated name '{name}' in {kind}")));
        }
        Ok(())
    }

    /// The class of an object in Python.
    pub(crate) fn class(&self, index: u32) -> Option<Id<DefaultClass>> {
        self.spec.classes.ids().find(|id| id.index() as u32 == index)
    }
}

/// Writes a numpy array into a slot.
fn write_array(slot: Slot<'_>, array: &Bound<'_, PyAny>) -> PyResult<()> {
    fn copy<T: numpy::Element + Copy>(array: &Bound<'_, PyAny>, to: &mut [T]) -> PyResult<()> {
        let array =
            array.cast::<PyArray1<T>>().map_err(|_| PyTypeError::new_err("an array changed its type"))?;
        let values = array.try_readonly().map_err(|error| PyValueError::new_err(error.to_string()))?;
        for (to, from) in to.iter_mut().zip(values.as_array().iter()) {
            *to = *from;
        }
        Ok(())
    }
    match slot {
        Slot::Reals(values) => copy(array, values),
        Slot::Singles(values) => copy(array, values),
        Slot::Ints(values) => copy(array, values),
        Slot::MaybeReals(values) => {
            let mut flat = values.to_flat();
            copy(array, &mut flat)?;
            values.set_flat(&flat);
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Writes a slot into a numpy array.
pub(crate) fn fill_array(slot: Slot<'_>, array: &Bound<'_, PyAny>) -> PyResult<()> {
    let all = array.py().Ellipsis();
    match slot {
        Slot::Reals(values) => array.set_item(all, values.to_vec()),
        Slot::Singles(values) => array.set_item(all, values.to_vec()),
        Slot::Ints(values) => array.set_item(all, values.to_vec()),
        Slot::MaybeReals(values) => array.set_item(all, values.to_flat()),
        _ => Ok(()),
    }
}

/// A slot as an object of Python; arrays and lists are made by the caller.
pub(crate) fn plain_value<'py>(py: Python<'py>, slot: &Slot<'_>) -> PyResult<Option<Bound<'py, PyAny>>> {
    Ok(Some(match slot {
        Slot::Real(value) => value.into_pyobject(py)?.into_any(),
        Slot::Single(value) => f64::from(**value).into_pyobject(py)?.into_any(),
        Slot::Int(value) => value.into_pyobject(py)?.into_any(),
        Slot::Long(value) => value.into_pyobject(py)?.into_any(),
        Slot::Flag(value) => i32::from(**value).into_pyobject(py)?.into_any(),
        Slot::Text(value) => PyString::new(py, value).into_any(),
        Slot::MaybeReal(value) => value.unwrap_or(f64::NAN).into_pyobject(py)?.into_any(),
        Slot::Bytes(value) => PyBytes::new(py, value).into_any(),
        Slot::Choice(value) => {
            let number = value.number().into_pyobject(py)?.into_any();
            let members = value.enumeration().and_then(|name| registry().ok()?.enumerations.get(name));
            match members {
                Some(members) => members.bind(py).get_item(&number)?.unwrap_or(number),
                None => number,
            }
        }
        _ => return Ok(None),
    }))
}

impl SpecCore {
    /// The object that stands for a place, made if there is none.
    pub(crate) fn object<'py>(slf: &Bound<'py, Self>, place: Place) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let known = {
            let core = slf.try_borrow()?;
            if let Some((other, moved)) = core.moved.get(&place) {
                let (other, moved) = (other.clone_ref(py), *moved);
                drop(core);
                return Self::object(other.bind(py), moved);
            }
            core.objects.get(&place).map(|object| object.clone_ref(py))
        };
        if let Some(object) = known {
            return Ok(object.into_bound(py));
        }
        let class = registry()?.classes.get(&place.code).ok_or_else(gone)?;
        let object = class.bind(py).call1((slf, place.code, place.index))?;
        slf.try_borrow_mut()?.objects.insert(place, object.clone().unbind());
        Ok(object)
    }

    pub(crate) fn element_object<'py>(
        slf: &Bound<'py, Self>,
        element: ElementRef,
    ) -> PyResult<Bound<'py, PyAny>> {
        Self::object(slf, Place::of(element))
    }
}

/// The spec and place of an element, where it is now.
pub(crate) fn locate<'py>(element: &Bound<'py, SpecElement>) -> PyResult<(Bound<'py, SpecCore>, Place)> {
    let this = element.get();
    let mut core = this.core.bind(element.py()).clone();
    let mut place = this.place;
    loop {
        let next =
            core.try_borrow()?.moved.get(&place).map(|(core, place)| (core.clone_ref(element.py()), *place));
        match next {
            Some((other, moved)) => (core, place) = (other.into_bound(element.py()), moved),
            None => return Ok((core, place)),
        }
    }
}

/// References that the garbage collector follows.
pub(crate) fn traverse(core: &SpecCore, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
    for object in core.objects.values() {
        visit.call(object)?;
    }
    for (other, _) in core.moved.values() {
        visit.call(other)?;
    }
    Ok(())
}
