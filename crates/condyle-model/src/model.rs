//! The compiled model as a structure of arrays, generated from the field table.

use crate::column::Column;
use crate::element::{ArrayInfo, Element, Scalar, Values, ValuesMut};
use crate::options::{PhysicsOptions, Statistic, Visual};
use crate::prepared::Prepared;
use crate::table::model_table;

/// How one size is declared.
#[derive(Clone, Copy, Debug)]
pub struct SizeInfo {
    /// Name of the field, as in MuJoCo.
    pub name: &'static str,
    /// What is counted.
    pub doc: &'static str,
}

macro_rules! define_model {
    (
        sizes { $($size:ident: $size_type:ty, $size_doc:literal;)* }
        arrays { $(
            $array:ident: $element:ty $(as $enumeration:ident)? $(: $kind:ident)? $(=> $target:ident $([$counts:ident])?)?,
            [$($dim:ident),+], $doc:literal;
        )* }
        extensions { $($extension:ident: $extension_element:ty, [$($extension_dim:ident),+], $extension_doc:literal;)* }
    ) => {
        /// A compiled model: immutable while a simulation runs, shared by any number of `Data`.
        ///
        /// Names, shapes and meanings are those of the reference's model structure, so that files, Python code and comparisons are
        /// mechanical. Indices are `-1` for none.
        #[allow(non_snake_case)]
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct Model {
            $(#[doc = $size_doc] pub $size: $size_type,)*
            /// Physics options.
            pub opt: PhysicsOptions,
            /// Visualisation options.
            pub vis: Visual,
            /// Statistics that scale solvers and views.
            pub stat: Statistic,
            $(#[doc = $doc] pub $array: Column<$element>,)*
            $(#[doc = $extension_doc] pub $extension: Column<$extension_element>,)*
            /// Hash of the editable model this one was compiled from; 0 when unknown.
            pub signature: u64,
            /// Compute as MuJoCo does where it reads and writes outside its arrays. Chosen when the model is loaded; files do not hold it.
            pub reference_bugs: bool,
            /// What the engine worked out from the model once; no part of its content.
            pub prepared: Prepared,
        }

        impl Model {
    /// Check that every index stays inside the array it points into; the error names the array and the entry.
    pub fn validate(&self) -> Result<(), String> {
        crate::validate::check(self)
    }

    /// Check the options alone: numbers that choose an algorithm, and limits on loops.
    pub fn validate_options(&self) -> Result<(), String> {
        crate::validate::check_options(self)
    }

            /// What the arrays of indices point into.
            pub(crate) fn references(&self) -> Vec<Reference<'_>> {
                vec![$($(Reference {
                    name: stringify!($array),
                    indices: Element::flatten(&self.$array),
                    target: self.$target,
                    counts: counts!(self $($counts)?),
                },)?)*]
            }

            /// Every size, in file order.
            pub const SIZES: &'static [SizeInfo] =
                &[$(SizeInfo { name: stringify!($size), doc: $size_doc }),*];

            /// Every array of the reference's model, in file order.
            pub const ARRAYS: &'static [ArrayInfo] = &[$(ArrayInfo {
                name: stringify!($array),
                dtype: <<$element as Element>::Scalar as Scalar>::DTYPE,
                dims: &[$(stringify!($dim)),+],
                width: <$element as Element>::WIDTH,
                doc: $doc,
            }),*];

            /// Arrays beyond the reference's model, in file order.
            pub const EXTENSIONS: &'static [ArrayInfo] = &[$(ArrayInfo {
                name: stringify!($extension),
                dtype: <<$extension_element as Element>::Scalar as Scalar>::DTYPE,
                dims: &[$(stringify!($extension_dim)),+],
                width: <$extension_element as Element>::WIDTH,
                doc: $extension_doc,
            }),*];

            /// The sizes in file order.
            pub fn size_values(&self) -> Vec<i64> {
                vec![$(self.$size as i64),*]
            }

            /// Set the sizes from file order. `Err` holds the index of the first size that is negative and must not be.
            pub fn set_size_values(&mut self, values: &[i64]) -> Result<(), usize> {
                let mut remaining = values.iter().enumerate();
                $({
                    let Some((index, &value)) = remaining.next() else { return Err(values.len()) };
                    self.$size = <$size_type>::try_from(value).map_err(|_| index)?;
                })*
                Ok(())
            }

            /// A size by name.
            pub fn size(&self, name: &str) -> Option<i64> {
                $(if name == stringify!($size) { return Some(self.$size as i64); })*
                None
            }

            /// Give every array the length its sizes demand, filled with zeros.
            pub fn allocate(&mut self) {
                $(self.$array = vec![<$element as Element>::ZERO; 1 $(* self.$dim)+].into();)*
                $(self.$extension = vec![<$extension_element as Element>::ZERO; 1 $(* self.$extension_dim)+].into();)*
            }

            /// Take over every value of `other` without moving an array. `false`, and nothing is changed, when an array has
            /// another length there.
            pub fn copy_in_place(&mut self, other: &Self) -> bool {
                let same = true $(&& self.$array.len() == other.$array.len())*
                    $(&& self.$extension.len() == other.$extension.len())*;
                if same {
                    $(self.$size = other.$size;)*
                    self.opt.clone_from(&other.opt);
                    self.vis.clone_from(&other.vis);
                    self.stat.clone_from(&other.stat);
                    $(self.$array.copy_from_slice(&other.$array);)*
                    $(self.$extension.copy_from_slice(&other.$extension);)*
                    self.signature = other.signature;
                    self.reference_bugs = other.reference_bugs;
                }
                same
            }

            /// Rows each array must have, in file order; `None` where the product overflows.
            pub fn expected_rows(&self) -> Vec<Option<usize>> {
                vec![$(Some(1usize)$(.and_then(|n| n.checked_mul(self.$dim)))+),*]
            }

            /// [`Self::expected_rows`] of the extensions.
            pub fn expected_extension_rows(&self) -> Vec<Option<usize>> {
                vec![$(Some(1usize)$(.and_then(|n| n.checked_mul(self.$extension_dim)))+),*]
            }

            /// Visit the extensions in file order.
            pub fn visit_extensions(&self, mut visitor: impl FnMut(&'static ArrayInfo, Values<'_>)) {
                let mut infos = Self::EXTENSIONS.iter();
                $(if let Some(info) = infos.next() {
                    visitor(info, Scalar::values(Element::flatten(&self.$extension)));
                })*
            }

            /// Visit the extensions in file order, mutably.
            pub fn visit_extensions_mut(&mut self, mut visitor: impl FnMut(&'static ArrayInfo, ValuesMut<'_>)) {
                let mut infos = Self::EXTENSIONS.iter();
                $(if let Some(info) = infos.next() {
                    visitor(info, Scalar::values_mut(Element::flatten_mut(&mut self.$extension)));
                })*
            }

            /// Visit every array of the reference's model in file order.
            pub fn visit(&self, mut visitor: impl FnMut(&'static ArrayInfo, Values<'_>)) {
                let mut infos = Self::ARRAYS.iter();
                $(if let Some(info) = infos.next() {
                    visitor(info, Scalar::values(Element::flatten(&self.$array)));
                })*
            }

            /// Visit every array of the reference's model in file order, mutably.
            pub fn visit_mut(&mut self, mut visitor: impl FnMut(&'static ArrayInfo, ValuesMut<'_>)) {
                let mut infos = Self::ARRAYS.iter();
                $(if let Some(info) = infos.next() {
                    visitor(info, Scalar::values_mut(Element::flatten_mut(&mut self.$array)));
                })*
            }

            /// An array by name.
            pub fn array(&self, name: &str) -> Option<Values<'_>> {
                $(if name == stringify!($array) {
                    return Some(Scalar::values(Element::flatten(&self.$array)));
                })*
                $(if name == stringify!($extension) {
                    return Some(Scalar::values(Element::flatten(&self.$extension)));
                })*
                None
            }

            /// An array by name, mutably.
            pub fn array_mut(&mut self, name: &str) -> Option<ValuesMut<'_>> {
                $(if name == stringify!($array) {
                    return Some(Scalar::values_mut(Element::flatten_mut(&mut self.$array)));
                })*
                $(if name == stringify!($extension) {
                    return Some(Scalar::values_mut(Element::flatten_mut(&mut self.$extension)));
                })*
                None
            }

            /// Somebody keeps a pointer to an array: its [revision](Column::revision) is unknown from now on.
            pub fn expose(&self, name: &str) {
                $(if name == stringify!($array) {
                    self.$array.expose();
                })*
                $(if name == stringify!($extension) {
                    self.$extension.expose();
                })*
            }
        }
    };
}

/// An array of indices, the number of things it points into, and how many it covers from there.
pub(crate) struct Reference<'a> {
    pub name: &'static str,
    pub indices: &'a [i32],
    pub target: usize,
    pub counts: Option<&'a [i32]>,
}

/// The array of counts, if there is one.
macro_rules! counts {
    ($model:ident $counts:ident) => {
        Some($model.$counts.as_slice())
    };
    ($model:ident) => {
        None
    };
}

/// Indices of an entry; -1 is none.
pub trait Indices {
    /// As many as the entry has numbers.
    type Optional;
    /// The indices.
    fn indices(&self) -> Self::Optional;
}

impl Indices for i32 {
    type Optional = Option<usize>;
    #[inline]
    fn indices(&self) -> Option<usize> {
        usize::try_from(*self).ok()
    }
}

impl<const N: usize> Indices for [i32; N] {
    type Optional = [Option<usize>; N];
    #[inline]
    fn indices(&self) -> [Option<usize>; N] {
        self.map(|index| usize::try_from(index).ok())
    }
}

/// The entries of columns that have a meaning, as typed values.
macro_rules! define_accessors {
    (
        sizes { $($sizes:tt)* }
        arrays { $(
            $array:ident: $element:ty $(as $enumeration:ident)? $(: $kind:ident)? $(=> $target:ident $([$counts:ident])?)?,
            [$($dim:ident),+], $doc:literal;
        )* }
        extensions { $($extensions:tt)* }
    ) => {
        #[allow(non_snake_case)]
        impl Model {
            $($(
                #[doc = $doc]
                ///
                /// `None` for an entry that has no meaning; validation refuses models with such entries where the engine reads them.
                #[inline]
                pub fn $array(&self, index: usize) -> Option<crate::enums::$enumeration> {
                    crate::enums::$enumeration::from_i32(i32::from(self.$array[index]))
                }
            )?)*
            $($(
                #[doc = concat!($doc, " An index into the elements of the kind in `", stringify!($kind), "`.")]
                #[inline]
                pub fn $array(&self, index: usize) -> <$element as Indices>::Optional {
                    self.$array[index].indices()
                }
            )?)*
            $($(
                #[doc = concat!($doc, " An index into the ", stringify!($target), " of the model.")]
                #[inline]
                pub fn $array(&self, index: usize) -> <$element as Indices>::Optional {
                    self.$array[index].indices()
                }
            )?)*
        }
    };
}

model_table!(define_model);
model_table!(define_accessors);

impl Model {
    /// Shape of an array as other languages see it: the row counts, the last merged with the row width where there are two.
    pub fn shape(&self, info: &ArrayInfo) -> Vec<usize> {
        let mut shape: Vec<usize> = info
            .dims
            .iter()
            .map(|dim| self.size(dim).and_then(|n| usize::try_from(n).ok()).unwrap_or(0))
            .collect();
        if info.width > 1 {
            if info.dims.len() > 1 {
                if let Some(last) = shape.last_mut() {
                    *last *= info.width;
                }
            } else {
                shape.push(info.width);
            }
        }
        shape
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allocation_follows_the_sizes() {
        let mut model = Model { nbody: 3, nkey: 2, nmocap: 4, nq: 5, ..Model::default() };
        model.allocate();
        assert_eq!(model.body_pos.len(), 3);
        assert_eq!(model.key_qpos.len(), 10);
        let info = Model::ARRAYS.iter().find(|info| info.name == "key_mpos").unwrap();
        assert_eq!(model.shape(info), [2, 12]);
    }

    #[test]
    fn copying_in_place_moves_no_array() {
        let mut model = Model { nbody: 3, ngeom: 2, ..Model::default() };
        model.allocate();
        let mut other = model.clone();
        other.body_mass[1] = 2.0;
        other.opt.timestep = 0.5;
        let place = model.body_mass.as_ptr();
        assert!(model.copy_in_place(&other));
        assert_eq!(model, other);
        assert_eq!(model.body_mass.as_ptr(), place);
        other.body_mass.push(1.0);
        other.opt.timestep = 0.25;
        assert!(!model.copy_in_place(&other));
        assert_eq!(model.opt.timestep, 0.5);
    }

    #[test]
    fn every_array_has_a_unique_name() {
        let mut names: Vec<_> = Model::ARRAYS.iter().chain(Model::EXTENSIONS).map(|info| info.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Model::ARRAYS.len() + Model::EXTENSIONS.len());
        assert_eq!(Model::ARRAYS.len(), 456);
        assert_eq!(Model::SIZES.len(), 89);
    }

    #[test]
    fn every_field_says_what_it_means() {
        let sizes = Model::SIZES.iter().map(|info| (info.name, info.doc));
        let arrays = Model::ARRAYS.iter().chain(Model::EXTENSIONS).map(|info| (info.name, info.doc));
        for (name, doc) in sizes.chain(arrays) {
            assert!(doc.len() > 3 && doc.ends_with('.'), "{name} is described as {doc:?}");
        }
    }
}
