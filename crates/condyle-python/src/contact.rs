//! `data.contact`: a list of contacts that is also a structure of arrays.

use condyle_engine::data::Contact;
use condyle_model::Values;
use pyo3::exceptions::{PyAttributeError, PyIndexError};
use pyo3::prelude::*;

use crate::data::MjData;
use crate::view;

macro_rules! contact_fields {
    ($use:ident) => {
        $use! {
            F64: dist 1, includemargin 1, mu 1;
            F64: pos 3, frame 9, friction 5, solref 2, solreffriction 2, solimp 5, H 36;
            I32: dim 1, geom1 1, geom2 1, exclude 1, efc_address 1;
            I32: geom 2, flex 2, elem 2, vert 2;
        }
    };
}

/// One field of every contact, flattened, with its width.
fn column(contacts: &[Contact], name: &str) -> Option<(Column, usize)> {
    macro_rules! find {
        (F64: $($fs:ident $fsw:literal),*; F64: $($fv:ident $fvw:literal),*;
         I32: $($is:ident $isw:literal),*; I32: $($iv:ident $ivw:literal),*;) => {
            $(if name == stringify!($fs) { return Some((Column::F64(contacts.iter().map(|c| c.$fs).collect()), $fsw)); })*
            $(if name == stringify!($fv) { return Some((Column::F64(contacts.iter().flat_map(|c| c.$fv).collect()), $fvw)); })*
            $(if name == stringify!($is) { return Some((Column::I32(contacts.iter().map(|c| c.$is).collect()), $isw)); })*
            $(if name == stringify!($iv) { return Some((Column::I32(contacts.iter().flat_map(|c| c.$iv).collect()), $ivw)); })*
        };
    }
    contact_fields!(find);
    None
}

/// Names of all fields.
fn field_names() -> Vec<&'static str> {
    macro_rules! list {
        ($($kind:ident: $($field:ident $width:literal),*;)*) => { vec![$($(stringify!($field)),*),*] };
    }
    contact_fields!(list)
}

enum Column {
    F64(Vec<f64>),
    I32(Vec<i32>),
}

impl Column {
    fn values(&self) -> Values<'_> {
        match self {
            Self::F64(v) => Values::F64(v),
            Self::I32(v) => Values::I32(v),
        }
    }
}

/// The contacts of a simulation. `contact[i]` is one contact; `contact.dist` is an array over all of them.
#[pyclass(module = "condyle", name = "_MjContactList", frozen)]
pub struct MjContactList {
    data: Py<MjData>,
}

impl MjContactList {
    pub fn new(data: Py<MjData>) -> Self {
        Self { data }
    }
}

#[pymethods]
impl MjContactList {
    fn __len__(&self) -> usize {
        self.data.get().get().contacts.len()
    }

    fn __getitem__(&self, index: isize) -> PyResult<MjContact> {
        let contacts = &self.data.get().get().contacts;
        let position = if index < 0 { index + contacts.len() as isize } else { index };
        usize::try_from(position)
            .ok()
            .and_then(|position| contacts.get(position))
            .map(|contact| MjContact::new(*contact))
            .ok_or_else(|| PyIndexError::new_err("contact index out of range"))
    }

    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let contacts = &self.data.get().get().contacts;
        let (column, width) = column(contacts, name).ok_or_else(|| missing(name))?;
        if width == 1 {
            view::copy(py, column.values(), &[contacts.len()])
        } else {
            view::copy(py, column.values(), &[contacts.len(), width])
        }
    }

    fn __dir__(&self) -> Vec<&'static str> {
        field_names()
    }
}

fn missing(name: &str) -> PyErr {
    PyAttributeError::new_err(format!("a contact has no attribute '{name}'"))
}

/// One contact, as it was when it was read.
#[pyclass(module = "condyle", name = "MjContact", frozen)]
pub struct MjContact {
    contact: Contact,
}

impl MjContact {
    pub fn new(contact: Contact) -> Self {
        Self { contact }
    }
}

#[pymethods]
impl MjContact {
    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let (column, width) =
            column(std::slice::from_ref(&self.contact), name).ok_or_else(|| missing(name))?;
        if width == 1 { view::scalar(py, column.values()) } else { view::copy(py, column.values(), &[width]) }
    }

    fn __dir__(&self) -> Vec<&'static str> {
        field_names()
    }

    fn __repr__(&self) -> String {
        let contact = &self.contact;
        format!(
            "<MjContact geom={:?} dist={} pos={:?} normal={:?} dim={}>",
            contact.geom,
            contact.dist,
            contact.pos,
            &contact.frame[..3],
            contact.dim
        )
    }
}
