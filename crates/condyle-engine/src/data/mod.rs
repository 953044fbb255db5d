//! The state of one simulation and everything computed from it, grouped by the stage that writes it.
//!
//! A stage takes the groups it reads by shared reference and the one it writes by exclusive reference, so its signature is its data
//! flow.

mod awake;
mod contact;
mod diagnostics;
mod report;
pub(crate) mod scratch;
mod table;
pub(crate) mod timers;

use condyle_model::{ArrayInfo, Element, Model, Scalar, Values, ValuesMut};

pub use awake::{Selection, sleep_enabled};
pub use contact::{ConeHessian, Contact};
pub use diagnostics::{
    CONTRIBUTIONS_KEPT, Diagnostics, ISLANDS_KEPT, NonFinite, NonFinitePolicy, SOLVER_ITERATIONS_KEPT,
    SolverRecords, SolverStat, StepIssue, WarningStat,
};
pub use report::{Cause, Contribution, ForceSource, IslandReport, SolverEnd, StepReport};
#[doc(hidden)]
pub use scratch::{BiasDerivativeScratch, RungeKuttaScratch, Scratch, SmoothScratch};
pub use timers::{Timer, TimerStat, Timers, system_clock};

use table::data_table;

use crate::hooks::HookSlot;
use crate::plugin::Plugins;

/// Rows a fixed array has for a model.
macro_rules! extent {
    ($model:ident, two) => {
        2
    };
    ($model:ident, $size:ident) => {
        $model.$size
    };
}

/// A counter, a flag or the time, by value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ScalarValue {
    /// A real number.
    Real(f64),
    /// A counter.
    Count(usize),
    /// A flag.
    Flag(bool),
}

impl From<f64> for ScalarValue {
    fn from(value: f64) -> Self {
        Self::Real(value)
    }
}

impl From<usize> for ScalarValue {
    fn from(value: usize) -> Self {
        Self::Count(value)
    }
}

impl From<bool> for ScalarValue {
    fn from(value: bool) -> Self {
        Self::Flag(value)
    }
}

/// An array of the data table together with whether it can move when it grows.
#[derive(Clone, Copy, Debug)]
pub struct DataArray {
    /// Name, type, shape and meaning.
    pub info: ArrayInfo,
    /// Name of the group it belongs to.
    pub group: &'static str,
    /// `true` when the array follows the number of contacts or constraints.
    pub grows: bool,
}

/// How a counter, a flag or the time is declared.
#[derive(Clone, Copy, Debug)]
pub struct DataScalar {
    /// Name of the field, as in MuJoCo.
    pub name: &'static str,
    /// Name of the group it belongs to.
    pub group: &'static str,
    /// Meaning, with unit.
    pub doc: &'static str,
}

/// A group of the data: the name of its field and what it holds.
#[derive(Clone, Copy, Debug)]
pub struct DataGroup {
    /// Name of the field of [`Data`].
    pub name: &'static str,
    /// What it holds.
    pub doc: &'static str,
    /// The functions that write it, in the order of the pipeline.
    pub writers: &'static str,
}

macro_rules! define_data {
    ($($group:ident $field:ident $group_doc:literal written by $writers:literal {
        scalars { $($scalar:ident: $scalar_type:ty, $scalar_doc:literal;)* }
        fixed { $($fixed:ident: $fixed_element:ty, [$($fixed_dim:ident),+], $fixed_doc:literal;)* }
        growing { $($grow:ident: $grow_element:ty, [$($grow_dim:ident),+], $grow_doc:literal;)* }
    })*) => {
        $(
            #[doc = $group_doc]
            #[allow(non_snake_case)]
            #[derive(Clone, Debug, Default, PartialEq)]
            pub struct $group {
                $(#[doc = $scalar_doc] pub $scalar: $scalar_type,)*
                $(#[doc = $fixed_doc] pub $fixed: Box<[$fixed_element]>,)*
                $(#[doc = $grow_doc] pub $grow: Vec<$grow_element>,)*
            }

            impl $group {
                #[allow(unused_variables)]
                fn new(model: &Model) -> Self {
                    Self {
                        $($scalar: Default::default(),)*
                        $($fixed: vec![<$fixed_element as Element>::ZERO; 1 $(* extent!(model, $fixed_dim))+].into(),)*
                        $($grow: Vec::new(),)*
                    }
                }

                /// Set everything to zero and growing arrays to length zero, keeping the memory.
                pub fn clear(&mut self) {
                    $(self.$scalar = Default::default();)*
                    $(self.$fixed.fill(<$fixed_element as Element>::ZERO);)*
                    $(self.$grow.clear();)*
                }

                /// Copy everything from another group of the same model, reusing memory.
                pub fn copy_from(&mut self, other: &Self) {
                    $(self.$scalar = other.$scalar;)*
                    $(self.$fixed.copy_from_slice(&other.$fixed);)*
                    $(self.$grow.clone_from(&other.$grow);)*
                }
            }
        )*

        /// One simulation: state, inputs and every result of the pipeline.
        #[derive(Clone, Debug)]
        pub struct Data {
            $(#[doc = $group_doc] pub $field: $group,)*
            /// Detected contacts, in the order that decides constraint rows.
            pub contacts: Vec<Contact>,
            /// Second derivatives of the elliptic contacts, by contact, as the solver left them; the entries it has not written are
            /// zero, and those that are missing count as zero.
            pub cone_hessians: Vec<ConeHessian>,
            /// Solver statistics and warnings.
            pub diagnostics: Diagnostics,
            /// Working memory of the stages; no result lives here.
            #[doc(hidden)]
            pub scratch: Scratch,
            /// User code in the step.
            pub hooks: HookSlot,
            /// What the plugin instances of the model do.
            pub plugins: Plugins,
            /// How many threads may solve islands; 1 to begin with. No result depends on it.
            pub threads: usize,
            /// How often each stage ran, and how long if a clock is set.
            pub timers: Timers,
        }

        impl Data {
            /// Every group, in the order of the pipeline.
            pub const GROUPS: &'static [DataGroup] =
                &[$(DataGroup { name: stringify!($field), doc: $group_doc, writers: $writers }),*];

            /// Every counter and flag, grouped by stage.
            pub const SCALARS: &'static [DataScalar] = &[$($(
                DataScalar { name: stringify!($scalar), group: stringify!($field), doc: $scalar_doc },
            )*)*];

            /// Every array, grouped by stage.
            pub const ARRAYS: &'static [DataArray] = &[$(
                $(DataArray {
                    info: ArrayInfo {
                        name: stringify!($fixed),
                        dtype: <<$fixed_element as Element>::Scalar as Scalar>::DTYPE,
                        dims: &[$(stringify!($fixed_dim)),+],
                        width: <$fixed_element as Element>::WIDTH,
                        doc: $fixed_doc,
                    },
                    group: stringify!($field),
                    grows: false,
                },)*
                $(DataArray {
                    info: ArrayInfo {
                        name: stringify!($grow),
                        dtype: <<$grow_element as Element>::Scalar as Scalar>::DTYPE,
                        dims: &[$(stringify!($grow_dim)),+],
                        width: <$grow_element as Element>::WIDTH,
                        doc: $grow_doc,
                    },
                    group: stringify!($field),
                    grows: true,
                },)*
            )*];

            /// Allocate for `model` without setting the initial state; [`Data::new`](crate::Data::new) does both.
            fn allocate(model: &Model) -> Self {
                Self {
                    $($field: $group::new(model),)*
                    contacts: Vec::new(),
                    cone_hessians: Vec::new(),
                    diagnostics: Diagnostics::default(),
                    scratch: Scratch::default(),
                    hooks: HookSlot::default(),
                    plugins: Plugins::default(),
                    threads: 1,
                    timers: Timers::default(),
                }
            }

            /// Set every array and counter to zero.
            fn clear(&mut self) {
                $(self.$field.clear();)*
                self.contacts.clear();
                self.cone_hessians.clear();
                self.diagnostics.reset();
                self.timers.reset();
            }

            /// Whether the arrays have the sizes `model` needs, so that it can be stepped with this data.
            pub fn fits(&self, model: &Model) -> bool {
                $($(if self.$field.$fixed.len() != 1 $(* extent!(model, $fixed_dim))+ {
                    return false;
                })*)*
                true
            }

            /// Make this data equal to `other` of the same model without moving fixed arrays.
            pub fn copy_from(&mut self, other: &Self) {
                $(self.$field.copy_from(&other.$field);)*
                self.contacts.clone_from(&other.contacts);
                self.cone_hessians.clone_from(&other.cone_hessians);
                self.diagnostics.copy_from(&other.diagnostics);
            }

            /// Visit the arrays of fixed size, in the order of the table.
            pub fn visit_fixed(&self, mut visitor: impl FnMut(Values<'_>)) {
                $($(visitor(Scalar::values(Element::flatten(&self.$field.$fixed)));)*)*
            }

            /// Visit the arrays of fixed size, in the order of the table, mutably.
            pub(crate) fn visit_fixed_mut(&mut self, mut visitor: impl FnMut(ValuesMut<'_>)) {
                $($(visitor(Scalar::values_mut(Element::flatten_mut(&mut self.$field.$fixed)));)*)*
            }

            /// Visit the flags, in the order of the table.
            pub(crate) fn visit_flags(&self, mut visitor: impl FnMut(bool)) {
                $($(if let ScalarValue::Flag(flag) = self.$field.$scalar.into() {
                    visitor(flag);
                })*)*
            }

            /// Visit the flags, in the order of the table, mutably.
            pub(crate) fn visit_flags_mut(&mut self, mut visitor: impl FnMut(&mut bool)) {
                $($(if let Some(flag) = (&mut self.$field.$scalar as &mut dyn std::any::Any).downcast_mut::<bool>() {
                    visitor(flag);
                })*)*
            }

            /// Empty the lists that a step makes anew, with their counters: contacts, constraint rows, islands.
            pub(crate) fn clear_lists(&mut self) {
                $($(self.$field.$grow.clear();)*)*
                $($(if let Some(count) = (&mut self.$field.$scalar as &mut dyn std::any::Any).downcast_mut::<usize>() {
                    *count = 0;
                })*)*
                self.contacts.clear();
                self.cone_hessians.clear();
            }

            /// An array by name.
            pub fn array(&self, name: &str) -> Option<Values<'_>> {
                $(
                    $(if name == stringify!($fixed) {
                        return Some(Scalar::values(Element::flatten(&self.$field.$fixed)));
                    })*
                    $(if name == stringify!($grow) {
                        return Some(Scalar::values(Element::flatten(&self.$field.$grow)));
                    })*
                )*
                None
            }

            /// An array by name, mutably.
            pub fn array_mut(&mut self, name: &str) -> Option<ValuesMut<'_>> {
                $(
                    $(if name == stringify!($fixed) {
                        return Some(Scalar::values_mut(Element::flatten_mut(&mut self.$field.$fixed)));
                    })*
                    $(if name == stringify!($grow) {
                        return Some(Scalar::values_mut(Element::flatten_mut(&mut self.$field.$grow)));
                    })*
                )*
                None
            }

            /// Put a copy in the place of a growing array and give the array itself away, memory and all: who shows it elsewhere
            /// keeps it while the simulation goes on with the copy.
            pub fn give_away(&mut self, name: &str) -> Option<Box<dyn std::any::Any + Send>> {
                $($(if name == stringify!($grow) {
                    let copy = self.$field.$grow.clone();
                    return Some(Box::new(std::mem::replace(&mut self.$field.$grow, copy)));
                })*)*
                if name == "contact" {
                    let copy = self.contacts.clone();
                    return Some(Box::new(std::mem::replace(&mut self.contacts, copy)));
                }
                if name == "cone_hessian" {
                    let copy = self.cone_hessians.clone();
                    return Some(Box::new(std::mem::replace(&mut self.cone_hessians, copy)));
                }
                None
            }

            /// Set a counter by name; whether there is one.
            pub fn set_count(&mut self, name: &str, value: usize) -> bool {
                $($(if name == stringify!($scalar) {
                    let place = &mut self.$field.$scalar as &mut dyn std::any::Any;
                    return place.downcast_mut::<usize>().map(|count| *count = value).is_some();
                })*)*
                false
            }

            /// Set a growing array from the bytes of its numbers; whether there is one and the bytes are whole rows.
            pub fn set_growing(&mut self, name: &str, bytes: &[u8]) -> bool {
                $($(if name == stringify!($grow) {
                    type Number = <$grow_element as Element>::Scalar;
                    let (size, width) = (size_of::<Number>(), <$grow_element as Element>::WIDTH);
                    if !bytes.len().is_multiple_of(size * width) {
                        return false;
                    }
                    let array = &mut self.$field.$grow;
                    array.clear();
                    array.resize(bytes.len() / (size * width), <$grow_element as Element>::ZERO);
                    let numbers = Element::flatten_mut(array).iter_mut();
                    for (number, bytes) in numbers.zip(bytes.chunks_exact(size)) {
                        *number = <Number as Scalar>::decode_le(bytes);
                    }
                    return true;
                })*)*
                false
            }

            /// A counter or flag by name.
            pub fn scalar(&self, name: &str) -> Option<ScalarValue> {
                $($(if name == stringify!($scalar) { return Some(self.$field.$scalar.into()); })*)*
                if name == "ncon" {
                    return Some(self.contacts.len().into());
                }
                None
            }
        }
    };
}

data_table!(define_data);

impl Data {
    /// Data for `model` in its reference configuration.
    pub fn new(model: &Model) -> Self {
        crate::collision::support_tables::prepare(model);
        let mut data = Self::allocate(model);
        if model.nplugin > 0 {
            // Plugins look at the reference configuration.
            crate::reset::reset(model, &mut data);
            data.plugins = Plugins::new(model, &mut data);
        }
        crate::reset::reset(model, &mut data);
        data
    }

    /// As [`Data::new`], with plugin instances that do nothing.
    pub(crate) fn without_plugins(model: &Model) -> Self {
        let mut data = Self::allocate(model);
        crate::reset::reset(model, &mut data);
        data
    }

    /// Zero everything; the reset stage then sets the reference configuration.
    pub(crate) fn wipe(&mut self) {
        self.clear();
        self.scratch.read_frames.clear_places();
    }

    /// Shape of an array as other languages see it.
    pub fn shape(&self, model: &Model, array: &DataArray) -> Vec<usize> {
        let info = &array.info;
        if array.grows {
            let rows = self.array(info.name).map_or(0, |values| values.len() / info.width);
            return if info.width > 1 { vec![rows, info.width] } else { vec![rows] };
        }
        if info.dims == ["two"] {
            return vec![2];
        }
        model.shape(info)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_array_has_a_unique_name() {
        let mut names: Vec<_> = Data::ARRAYS.iter().map(|array| array.info.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn every_field_says_what_it_means() {
        let arrays = Data::ARRAYS.iter().map(|array| (array.info.name, array.info.doc));
        let scalars = Data::SCALARS.iter().map(|scalar| (scalar.name, scalar.doc));
        for (name, doc) in arrays.chain(scalars) {
            assert!(doc.len() > 3 && doc.ends_with('.'), "{name} is described as {doc:?}");
        }
    }

    #[test]
    fn an_array_given_away_keeps_its_memory_and_leaves_a_copy() {
        let mut model = Model { nbody: 1, ..Model::default() };
        model.allocate();
        let mut data = Data::allocate(&model);
        data.contacts.push(Contact { dist: 0.5, ..Contact::default() });
        let place = data.contacts.as_ptr();
        let given = data.give_away("contact").and_then(|given| given.downcast::<Vec<Contact>>().ok());
        assert_eq!(given.map(|given| given.as_ptr()), Some(place));
        assert_eq!(data.contacts[0].dist, 0.5);
        assert_ne!(data.contacts.as_ptr(), place);
        assert!(data.give_away("qpos").is_none());
    }

    #[test]
    fn copying_leaves_the_solver_statistics_in_their_place() {
        let mut model = Model { nbody: 1, ..Model::default() };
        model.allocate();
        let (mut data, mut other) = (Data::allocate(&model), Data::allocate(&model));
        other.diagnostics.solver.set(3, SolverStat { gradient: 0.5, neval: 7, ..SolverStat::default() });
        assert_eq!(other.diagnostics.solver.iter().nth(3).map(|stat| stat.neval), Some(7));
        let place = data.diagnostics.solver.words().as_ptr();
        data.copy_from(&other);
        assert_eq!(data.diagnostics, other.diagnostics);
        assert_eq!(data.diagnostics.solver.words().as_ptr(), place);
        data.diagnostics.reset();
        assert!(data.diagnostics.solver.iter().all(|stat| stat == SolverStat::default()));
    }

    #[test]
    fn fixed_arrays_follow_the_model() {
        let mut model = Model { nbody: 2, nv: 3, ntendon: 2, ..Model::default() };
        model.allocate();
        let data = Data::allocate(&model);
        assert_eq!(data.kinematics.xpos.len(), 2);
        assert_eq!(data.tendons.ten_J.len(), 6);
        assert_eq!(data.sensors.energy.len(), 2);
    }
}
