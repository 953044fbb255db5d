//! Vectors of any length.

use condyle_math::dense;
use pyo3::prelude::*;

use super::add_functions;
use super::arrays::{Vector, VectorMut, require};

/// Functions that combine vectors of one length into `res`.
macro_rules! elementwise {
    ($($(#[$meta:meta])* $name:ident(res $(, $vec:ident)* ; $($arg:ident: $ty:ty),*) => |$out:ident| $work:expr;)*) => {$(
        $(#[$meta])*
        #[pyfunction]
        fn $name(res: VectorMut<'_> $(, $vec: Vector)* $(, $arg: $ty)*) -> PyResult<()> {
            $(require(
                res.len() == $vec.len(),
                concat!("res and ", stringify!($vec), " should have the same size"),
            )?;)*
            res.edit(|$out| $work)
        }
    )*};
}

elementwise! {
    /// `res = 0`
    mju_zero(res;) => |out| out.fill(0.0);
    /// `res = val`
    mju_fill(res; val: f64) => |out| out.fill(val);
    /// `res = vec`
    mju_copy(res, vec;) => |out| out.copy_from_slice(&vec);
    /// `res = vec`
    mju_d2n(res, vec;) => |out| out.copy_from_slice(&vec);
    /// `res = vec`
    mju_n2d(res, vec;) => |out| out.copy_from_slice(&vec);
    /// `res = vec * scl`
    mju_scl(res, vec; scl: f64) => |out| dense::scale(out, &vec, scl);
    /// `res = vec1 + vec2`
    mju_add(res, vec1, vec2;) => |out| dense::add(out, &vec1, &vec2);
    /// `res = vec1 - vec2`
    mju_sub(res, vec1, vec2;) => |out| dense::sub(out, &vec1, &vec2);
    /// `res += vec`
    mju_addTo(res, vec;) => |out| dense::add_to(out, &vec);
    /// `res -= vec`
    mju_subFrom(res, vec;) => |out| dense::sub_from(out, &vec);
    /// `res += vec * scl`
    mju_addToScl(res, vec; scl: f64) => |out| dense::add_scaled_to(out, &vec, scl);
    /// `res = vec1 + vec2 * scl`
    mju_addScl(res, vec1, vec2; scl: f64) => |out| dense::add_scaled(out, &vec1, &vec2, scl);
}

/// Sum of the elements.
#[pyfunction]
fn mju_sum(vec: Vector) -> f64 {
    dense::sum(&vec)
}

/// Sum of the magnitudes.
#[pyfunction]
fn mju_L1(vec: Vector) -> f64 {
    dense::l1(&vec)
}

/// Normalise in place and return the former length.
#[pyfunction]
fn mju_normalize(res: VectorMut<'_>) -> PyResult<f64> {
    res.edit(dense::normalize)
}

/// Length.
#[pyfunction]
fn mju_norm(res: Vector) -> f64 {
    dense::norm(&res)
}

/// Scalar product.
#[pyfunction]
fn mju_dot(vec1: Vector, vec2: Vector) -> PyResult<f64> {
    require(vec1.len() == vec2.len(), "vec1 and vec2 should have the same size")?;
    Ok(dense::dot(&vec1, &vec2))
}

/// 1 if every element is zero, else 0.
#[pyfunction]
fn mju_isZero(vec: Vector) -> i32 {
    i32::from(dense::is_zero(&vec))
}

/// Single to double precision.
#[pyfunction]
fn mju_f2n(res: VectorMut<'_>, vec: Vector<f32>) -> PyResult<()> {
    require(res.len() == vec.len(), "res and vec should have the same size")?;
    res.edit(|out| out.iter_mut().zip(&*vec).for_each(|(out, x)| *out = f64::from(*x)))
}

/// Double to single precision.
#[pyfunction]
fn mju_n2f(res: VectorMut<'_, f32>, vec: Vector) -> PyResult<()> {
    require(res.len() == vec.len(), "res and vec should have the same size")?;
    res.edit(|out| out.iter_mut().zip(&*vec).for_each(|(out, x)| *out = *x as f32))
}

/// Move each element left past all greater ones; elements that do not compare stay put.
fn insertion_sort<T: PartialOrd>(list: &mut [T]) {
    for i in 1..list.len() {
        let mut j = i;
        while j > 0 && list[j - 1] > list[j] {
            list.swap(j - 1, j);
            j -= 1;
        }
    }
}

/// Sort in increasing order.
#[pyfunction]
fn mju_insertionSort(list: VectorMut<'_>) -> PyResult<()> {
    list.edit(insertion_sort)
}

/// Sort in increasing order.
#[pyfunction]
fn mju_insertionSortInt(list: VectorMut<'_, i32>) -> PyResult<()> {
    list.edit(insertion_sort)
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add_functions!(module,
        mju_zero mju_fill mju_copy mju_d2n mju_n2d mju_scl mju_add mju_sub mju_addTo mju_subFrom mju_addToScl mju_addScl
        mju_sum mju_L1 mju_normalize mju_norm mju_dot mju_isZero mju_f2n mju_n2f mju_insertionSort mju_insertionSortInt
    )
}
