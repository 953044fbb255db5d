//! Layouts of the small records (options, statistics, view settings, contacts, counters) for the classes that `condyle/records.py` makes of
//! them, and the bytes behind them.

use std::mem::{offset_of, size_of};

use condyle_engine::data::{ConeHessian, Contact, SolverStat, TimerStat, WarningStat};
use condyle_model::options::{ErasedRecord, PhysicsOptions, Statistic, Visual};
use condyle_model::{DType, Model, Values};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyBytes;

use crate::view;

/// Name, numpy type, number of elements, place in the record and meaning of a field.
type Field = (&'static str, &'static str, usize, usize, &'static str);
/// Name and meaning of a record, its size, its first value and its fields.
type Layout<'py> = (&'static str, &'static str, usize, Bound<'py, PyBytes>, Vec<Field>);

/// Functions that `records.py` gives: records of a model, records of a data, all contacts, a contact.
static MAKERS: PyOnceLock<[Py<PyAny>; 4]> = PyOnceLock::new();

fn number_type(dtype: DType) -> &'static str {
    match dtype {
        DType::F64 => "f8",
        DType::F32 => "f4",
        DType::I32 => "i4",
        DType::I64 => "i8",
        DType::U8 => "u1",
    }
}

fn address(values: &Values<'_>) -> usize {
    match values {
        Values::F64(v) => v.as_ptr().addr(),
        Values::F32(v) => v.as_ptr().addr(),
        Values::I32(v) => v.as_ptr().addr(),
        Values::I64(v) => v.as_ptr().addr(),
        Values::U8(v) => v.as_ptr().addr(),
    }
}

/// The bytes of a value, padding as zeros.
fn bytes_of<'py>(
    py: Python<'py>,
    size: usize,
    record: &dyn ErasedRecord,
    start: usize,
) -> Bound<'py, PyBytes> {
    let mut bytes = vec![0; size];
    record.each(&mut |_, values| {
        let at = address(&values) - start;
        let raw: Vec<u8> = match values {
            Values::F64(v) => v.iter().flat_map(|x| x.to_ne_bytes()).collect(),
            Values::F32(v) => v.iter().flat_map(|x| x.to_ne_bytes()).collect(),
            Values::I32(v) => v.iter().flat_map(|x| x.to_ne_bytes()).collect(),
            Values::I64(v) => v.iter().flat_map(|x| x.to_ne_bytes()).collect(),
            Values::U8(v) => v.to_vec(),
        };
        bytes[at..at + raw.len()].copy_from_slice(&raw);
    });
    PyBytes::new(py, &bytes)
}

/// Layout of a record of the model.
fn of_record<'py, R: ErasedRecord>(
    py: Python<'py>,
    name: &'static str,
    doc: &'static str,
    record: &R,
) -> Layout<'py> {
    let start = std::ptr::from_ref(record).addr();
    let mut fields = Vec::new();
    record.each(&mut |field, values| {
        fields.push((field.name, number_type(field.dtype), field.width, address(&values) - start, field.doc));
    });
    (name, doc, size_of::<R>(), bytes_of(py, size_of::<R>(), record, start), fields)
}

macro_rules! fields {
    ($record:ty; $($field:ident $kind:literal $width:literal $doc:literal;)*) => {
        vec![$((stringify!($field), $kind, $width, offset_of!($record, $field), $doc)),*]
    };
}

/// A contact as MuJoCo lays it out and `MjContact` shows it: what the engine keeps in two lists, in one record.
macro_rules! contact_record {
    (
        { $($before:ident: $before_type:ty, $before_kind:literal $before_width:literal $before_doc:literal;)* }
        $hessian_doc:literal
        { $($after:ident: $after_type:ty, $after_kind:literal $after_width:literal $after_doc:literal;)* }
    ) => {
        #[allow(non_snake_case)]
        #[repr(C)]
        #[derive(Clone, Copy)]
        pub(crate) struct ContactRecord {
            $($before: $before_type,)*
            H: ConeHessian,
            $($after: $after_type,)*
        }

        impl ContactRecord {
            pub(crate) fn join(contact: &Contact, hessian: &ConeHessian) -> Self {
                Self { $($before: contact.$before,)* H: *hessian, $($after: contact.$after,)* }
            }

            pub(crate) fn split(&self) -> (Contact, ConeHessian) {
                (Contact { $($before: self.$before,)* $($after: self.$after,)* }, self.H)
            }

            fn layout() -> Vec<Field> {
                vec![
                    $((stringify!($before), $before_kind, $before_width, offset_of!(Self, $before), $before_doc),)*
                    ("H", "f8", 36, offset_of!(Self, H), $hessian_doc),
                    $((stringify!($after), $after_kind, $after_width, offset_of!(Self, $after), $after_doc),)*
                ]
            }
        }

        /// Where the engine keeps the fields of a contact.
        fn found_contact_layout() -> Vec<Field> {
            vec![
                $((stringify!($before), $before_kind, $before_width, offset_of!(Contact, $before), $before_doc),)*
                $((stringify!($after), $after_kind, $after_width, offset_of!(Contact, $after), $after_doc),)*
            ]
        }
    };
}

contact_record! {
    {
        dist: f64, "f8" 1 "Signed distance between the surfaces, m; negative when they overlap.";
        pos: [f64; 3], "f8" 3 "Midpoint between the surfaces in the world frame, m.";
        frame: [f64; 9], "f8" 9 "Contact axes in the world frame, as rows: normal, first tangent, second tangent.";
        includemargin: f64, "f8" 1 "The contact becomes a constraint when `dist` is below this, m.";
        friction: [f64; 5], "f8" 5 "Friction coefficients: two tangential, one torsional, two rolling.";
        solref: [f64; 2], "f8" 2 "Reference parameters along the normal.";
        solreffriction: [f64; 2], "f8" 2 "Reference parameters of the friction directions; zeros mean the normal's.";
        solimp: [f64; 5], "f8" 5 "Impedance parameters.";
        mu: f64, "f8" 1 "Friction of the regularised cone.";
    }
    "Hessian of the cone cost in the elliptic middle zone."
    {
        dim: i32, "i4" 1 "Dimension of the contact space: 1, 3, 4 or 6.";
        geom1: i32, "i4" 1 "Same as `geom[0]`.";
        geom2: i32, "i4" 1 "Same as `geom[1]`.";
        geom: [i32; 2], "i4" 2 "Geoms in contact; -1 for a flex.";
        flex: [i32; 2], "i4" 2 "Flexes in contact; -1 for a geom.";
        elem: [i32; 2], "i4" 2 "Flex elements in contact; -1 for a geom or vertex.";
        vert: [i32; 2], "i4" 2 "Flex vertices in contact; -1 for a geom or element.";
        exclude: i32, "i4" 1 "0: becomes a constraint, 1: inside the gap, 2: bodies fused, 3: nothing can move, 4: passive.";
        efc_address: i32, "i4" 1 "First constraint row; -1 when there is none.";
    }
}

impl ContactRecord {
    /// The bytes of the record, its gap at the end as zeros.
    pub(crate) fn bytes(&self) -> [u8; size_of::<Self>()] {
        let mut copy = [0; size_of::<Self>()];
        // SAFETY: both are as long as the record, which is made of numbers, with a gap only where the copy keeps what it had.
        unsafe { copy.as_mut_ptr().cast::<Self>().write_unaligned(*self) };
        copy
    }

    pub(crate) fn from_bytes(bytes: &[u8; size_of::<Self>()]) -> Self {
        // SAFETY: the record is made of numbers, of which all bytes are valid.
        unsafe { bytes.as_ptr().cast::<Self>().read_unaligned() }
    }
}

/// Layouts of all records.
#[pyfunction]
fn _record_layouts(py: Python<'_>) -> Vec<Layout<'_>> {
    let visual = Visual::default();
    let zeros = |size: usize| PyBytes::new(py, &vec![0; size]);
    let solver = fields! { SolverStat;
        improvement "f8" 1 "Reduction of the cost, scaled.";
        gradient "f8" 1 "Norm of the gradient, scaled.";
        lineslope "f8" 1 "Slope at the end of the line search.";
        nactive "i4" 1 "Rows that are active.";
        nchange "i4" 1 "Rows whose zone changed.";
        neval "i4" 1 "Cost evaluations in the line search.";
        nupdate "i4" 1 "Rank-one updates of the factor.";
    };
    let warning = fields! { WarningStat;
        lastinfo "i4" 1 "Index of the dof, contact or other thing the last warning was about.";
        number "i4" 1 "How many times since the last reset.";
    };
    let timer = fields! { TimerStat;
        duration "f8" 1 "Total time, in the unit of the function set by `set_mjcb_time`; 0 without one.";
        number "i4" 1 "Number of runs.";
    };
    vec![
        of_record(py, "MjOption", "Physics options.", &PhysicsOptions::default()),
        of_record(
            py,
            "MjStatistic",
            "Statistics of the model in its reference configuration.",
            &Statistic::default(),
        ),
        of_record(py, "MjVisualGlobal", "Global view settings.", &visual.global),
        of_record(py, "MjVisualQuality", "Rendering quality.", &visual.quality),
        of_record(py, "MjVisualHeadlight", "The light attached to the camera.", &visual.headlight),
        of_record(py, "MjVisualMap", "Scale factors from physical quantities to what is drawn.", &visual.map),
        of_record(py, "MjVisualScale", "Sizes of decorative objects.", &visual.scale),
        of_record(py, "MjVisualRgba", "Colours of decorative objects.", &visual.rgba),
        (
            "MjContact",
            "A contact between two surfaces.",
            size_of::<ContactRecord>(),
            zeros(size_of::<ContactRecord>()),
            ContactRecord::layout(),
        ),
        (
            "MjSolverStat",
            "One iteration of the solver.",
            size_of::<SolverStat>(),
            zeros(size_of::<SolverStat>()),
            solver,
        ),
        (
            "MjWarningStat",
            "How often a warning was raised.",
            size_of::<WarningStat>(),
            zeros(size_of::<WarningStat>()),
            warning,
        ),
        (
            "MjTimerStat",
            "How often a stage ran, and how long.",
            size_of::<TimerStat>(),
            zeros(size_of::<TimerStat>()),
            timer,
        ),
    ]
}

/// Size of a contact as the engine keeps it, and its fields.
#[pyfunction]
fn _found_contact_layout() -> (usize, Vec<Field>) {
    (size_of::<Contact>(), found_contact_layout())
}

/// Take the functions that make records of a model, records of a data, contacts from the engine's two lists, and a contact.
#[pyfunction]
fn _set_records(
    py: Python<'_>,
    of_model: Py<PyAny>,
    of_data: Py<PyAny>,
    contacts: Py<PyAny>,
    contact: Py<PyAny>,
) {
    let _ = MAKERS.set(py, [of_model, of_data, contacts, contact]);
}

fn maker(py: Python<'_>, index: usize) -> PyResult<&Bound<'_, PyAny>> {
    MAKERS
        .get(py)
        .map(|makers| makers[index].bind(py))
        .ok_or_else(|| PyRuntimeError::new_err("import condyle, not its compiled part alone"))
}

/// Start and size of a record of the model.
pub(crate) fn of_model_memory(model: *mut Model, name: &str) -> Option<(*mut u8, usize)> {
    // SAFETY: only places inside the model are computed; nothing is read.
    unsafe {
        let visual = &raw mut (*model).vis;
        Some(match name {
            "opt" => ((&raw mut (*model).opt).cast(), size_of::<PhysicsOptions>()),
            "stat" => ((&raw mut (*model).stat).cast(), size_of::<Statistic>()),
            "global_" => place(&raw mut (*visual).global),
            "quality" => place(&raw mut (*visual).quality),
            "headlight" => place(&raw mut (*visual).headlight),
            "map" => place(&raw mut (*visual).map),
            "scale" => place(&raw mut (*visual).scale),
            "rgba" => place(&raw mut (*visual).rgba),
            _ => return None,
        })
    }
}

fn place<T>(pointer: *mut T) -> (*mut u8, usize) {
    (pointer.cast(), size_of::<T>())
}

/// `model.opt`, `model.stat` or `model.vis` over the memory that the method `memory` gives by name.
pub(crate) fn of_model<'py>(memory: Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    maker(memory.py(), 0)?.call1((memory, name))
}

/// `data.contact` over a method, or `data.warning`, `data.timer`, `data.solver` over bytes.
pub(crate) fn of_data<'py>(memory: Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    maker(memory.py(), 1)?.call1((memory, name))
}

/// Contacts as `data.contact` reads them, from the bytes of both lists; without Hessians these are zeros.
pub(crate) fn contacts<'py>(
    found: &Bound<'py, PyAny>,
    hessians: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    maker(found.py(), 2)?.call1((found, hessians))
}

/// A contact of its own.
pub(crate) fn contact<'py>(py: Python<'py>, contact: &Contact) -> PyResult<Bound<'py, PyAny>> {
    let shared = view::Shared::new(ContactRecord::join(contact, &[0.0; 36]));
    let owner = view::Memory::of(py, &shared)?;
    // SAFETY: the memory lives as long as its owner.
    let bytes = unsafe { view::bytes(&owner, shared.get().cast(), size_of::<ContactRecord>())? };
    maker(py, 3)?.call1((bytes,))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_record_layouts, module)?)?;
    module.add_function(wrap_pyfunction!(_found_contact_layout, module)?)?;
    module.add_function(wrap_pyfunction!(_set_records, module)?)
}
