//! Matrices: products, factorisations, band matrices, conversion to compressed rows, quadratic programs in a box.

use condyle_math::band::Band;
use condyle_math::box_qp::{self, BoxQpError};
use condyle_math::cholesky::{self, Change};
use condyle_math::matrix::Triangle;
use condyle_math::sparse::Pattern;
use condyle_math::{matrix, sparse_structure};
use pyo3::prelude::*;

use super::arrays::{Matrix, MatrixMut, Vector, VectorMut, require};
use super::{FatalError, add_functions};

/// `res = mat @ vec`
#[pyfunction]
fn mju_mulMatVec(res: VectorMut<'_>, mat: Matrix, vec: Vector) -> PyResult<()> {
    require(res.len() == mat.rows, "size of res should equal the number of rows in mat")?;
    require(vec.len() == mat.columns, "size of vec should equal the number of columns in mat")?;
    res.edit(|out| matrix::mul_vec(out, &mat.values, &vec))
}

/// `res = mat.T @ vec`
#[pyfunction]
fn mju_mulMatTVec(res: VectorMut<'_>, mat: Matrix, vec: Vector) -> PyResult<()> {
    require(res.len() == mat.columns, "size of res should equal the number of columns in mat")?;
    require(vec.len() == mat.rows, "size of vec should equal the number of rows in mat")?;
    res.edit(|out| matrix::mul_transposed_vec(out, &mat.values, &vec))
}

/// `vec1 @ mat @ vec2`
#[pyfunction]
fn mju_mulVecMatVec(vec1: Vector, mat: Matrix, vec2: Vector) -> PyResult<f64> {
    require(vec1.len() == vec2.len(), "size of vec1 should equal the size of vec2")?;
    require(vec1.len() == mat.columns, "size of vectors should equal the number of columns in mat")?;
    require(vec1.len() == mat.rows, "size of vectors should equal the number of rows in mat")?;
    Ok(matrix::bilinear(&vec1, &mat.values, &vec2))
}

/// `res = mat.T`
#[pyfunction]
fn mju_transpose(res: MatrixMut<'_>, mat: Matrix) -> PyResult<()> {
    require(res.columns == mat.rows, "#columns in res should equal #rows in mat")?;
    require(res.rows == mat.columns, "#rows in res should equal #columns in mat")?;
    res.edit(|out| matrix::transpose(out, &mat.values, mat.rows, mat.columns))
}

/// `res = (mat + mat.T) / 2`
#[pyfunction]
fn mju_symmetrize(res: MatrixMut<'_>, mat: Matrix) -> PyResult<()> {
    require(mat.columns == mat.rows, "mat should be square")?;
    require(res.columns == mat.columns && res.rows == mat.rows, "res and mat should have the same shape")?;
    res.edit(|out| matrix::symmetrize(out, &mat.values, mat.rows))
}

/// Identity.
#[pyfunction]
fn mju_eye(mat: MatrixMut<'_>) -> PyResult<()> {
    require(mat.columns == mat.rows, "mat should be square")?;
    mat.edit(|out| matrix::identity(out, mat.rows))
}

/// `res = mat1 @ mat2`
#[pyfunction]
fn mju_mulMatMat(res: MatrixMut<'_>, mat1: Matrix, mat2: Matrix) -> PyResult<()> {
    require(res.rows == mat1.rows, "#rows in res should equal #rows in mat1")?;
    require(res.columns == mat2.columns, "#columns in res should equal #columns in mat2")?;
    require(mat1.columns == mat2.rows, "#columns in mat1 should equal #rows in mat2")?;
    res.edit(|out| matrix::mul(out, &mat1.values, &mat2.values, mat1.rows, mat1.columns, mat2.columns))
}

/// `res = mat1 @ mat2.T`
#[pyfunction]
fn mju_mulMatMatT(res: MatrixMut<'_>, mat1: Matrix, mat2: Matrix) -> PyResult<()> {
    require(res.rows == mat1.rows, "#rows in res should equal #rows in mat1")?;
    require(res.columns == mat2.rows, "#columns in res should equal #rows in mat2")?;
    require(mat1.columns == mat2.columns, "#columns in mat1 should equal #columns in mat2")?;
    res.edit(|out| {
        matrix::mul_transposed_right(out, &mat1.values, &mat2.values, mat1.rows, mat1.columns, mat2.rows);
    })
}

/// `res = mat1.T @ mat2`
#[pyfunction]
fn mju_mulMatTMat(res: MatrixMut<'_>, mat1: Matrix, mat2: Matrix) -> PyResult<()> {
    require(res.rows == mat1.columns, "#rows in res should equal #columns in mat1")?;
    require(res.columns == mat2.columns, "#columns in res should equal #columns in mat2")?;
    require(mat1.rows == mat2.rows, "#rows in mat1 should equal #rows in mat2")?;
    res.edit(|out| {
        matrix::mul_transposed_left(out, &mat1.values, &mat2.values, mat1.rows, mat1.columns, mat2.columns);
    })
}

/// `res = mat.T @ diag(diag) @ mat`, or `mat.T @ mat` without `diag`.
#[pyfunction]
fn mju_sqrMatTD(res: MatrixMut<'_>, mat: Matrix, diag: Option<Vector>) -> PyResult<()> {
    require(res.rows == mat.columns, "#rows in res should equal #columns in mat")?;
    require(res.columns == mat.columns, "#columns in res should equal #columns in mat")?;
    require(
        diag.as_ref().is_none_or(|d| d.len() == mat.rows),
        "size of diag should equal the number of rows in mat",
    )?;
    res.edit(|out| matrix::gram(out, &mat.values, diag.as_deref(), mat.rows, mat.columns, Triangle::Both))
}

/// Dense matrix to compressed rows; returns 1 if there is not enough room, else 0.
#[pyfunction]
fn mju_dense2sparse(
    res: VectorMut<'_>,
    mat: Matrix,
    rownnz: VectorMut<'_, i32>,
    rowadr: VectorMut<'_, i32>,
    colind: VectorMut<'_, i32>,
) -> PyResult<i32> {
    require(mat.rows == rownnz.len(), "#rows in mat should equal size of rownnz")?;
    require(mat.rows == rowadr.len(), "#rows in mat should equal size of rowadr")?;
    require(res.len() == colind.len(), "#size of res should equal size of colind")?;
    let done = res.edit(|values| {
        rownnz.edit(|nnz| {
            rowadr.edit(|adr| {
                colind.edit(|col| {
                    sparse_structure::from_dense(values, nnz, adr, col, &mat.values, mat.rows, mat.columns)
                })
            })
        })
    })????;
    Ok(i32::from(!done))
}

/// Compressed rows to dense matrix.
#[pyfunction]
fn mju_sparse2dense(
    res: MatrixMut<'_>,
    mat: Vector,
    rownnz: Vector<i32>,
    rowadr: Vector<i32>,
    colind: Vector<i32>,
) -> PyResult<()> {
    require(res.rows == rownnz.len(), "#rows in res should equal size of rownnz")?;
    require(res.rows == rowadr.len(), "#rows in res should equal size of rowadr")?;
    let room = mat.len().min(colind.len()) as i64;
    for (start, count) in rowadr.iter().zip(&*rownnz) {
        let inside = *start >= 0 && *count >= 0 && i64::from(*start) + i64::from(*count) <= room;
        require(inside, "rowadr and rownnz should stay within mat and colind")?;
        let columns = &colind[*start as usize..(*start + *count) as usize];
        require(
            columns.iter().all(|c| *c >= 0 && (*c as usize) < res.columns),
            "colind should stay within the columns of res",
        )?;
    }
    let pattern = Pattern { rownnz: &rownnz, rowadr: &rowadr, colind: &colind };
    res.edit(|out| sparse_structure::to_dense(out, &mat, pattern, res.columns))
}

/// Cholesky factorisation in place; returns the rank.
#[pyfunction]
fn mju_cholFactor(mat: MatrixMut<'_>, mindiag: f64) -> PyResult<usize> {
    require(mat.rows == mat.columns, "mat should be a square matrix")?;
    mat.edit(|out| cholesky::factor(out, mat.rows, mindiag))
}

/// Solve with a Cholesky factor.
#[pyfunction]
fn mju_cholSolve(res: VectorMut<'_>, mat: Matrix, vec: Vector) -> PyResult<()> {
    require(mat.rows == mat.columns, "mat should be a square matrix")?;
    require(res.len() == mat.rows, "size of res should equal the number of rows in mat")?;
    require(vec.len() == mat.columns, "size of vec should equal the number of rows in mat")?;
    res.edit(|out| {
        out.copy_from_slice(&vec);
        cholesky::solve(out, &mat.values);
    })
}

/// Rank-one change of a Cholesky factor; `x` is used up. Returns the rank.
#[pyfunction]
fn mju_cholUpdate(mat: MatrixMut<'_>, x: VectorMut<'_>, flg_plus: i32) -> PyResult<usize> {
    require(mat.rows == mat.columns, "mat should be a square matrix")?;
    require(x.len() == mat.rows, "size of x should equal the number of rows in mat")?;
    let change = if flg_plus != 0 { Change::Add } else { Change::Subtract };
    mat.edit(|factor| x.edit(|x| cholesky::update(factor, x, change)))?
}

/// Check the shape of a band matrix and the number of values stored for it.
fn band(stored: usize, ntotal: i32, nband: i32, ndense: i32) -> PyResult<Band> {
    let size = |n: i32| usize::try_from(n).ok();
    let shape = (|| {
        let shape = Band { total: size(ntotal)?, band: size(nband)?, dense: size(ndense)? };
        (shape.dense <= shape.total && shape.band > 0).then_some(shape)
    })();
    shape
        .filter(|shape| shape.storage() == stored)
        .ok_or_else(|| {
            pyo3::exceptions::PyTypeError::new_err(
                "a band matrix must have size (ntotal-ndense)*nband + ndense*ntotal, with 0 <= ndense <= ntotal and nband > 0",
            )
        })
}

/// Factorise a band matrix; returns the smallest pivot, or 0 if it is rank-deficient.
#[pyfunction]
fn mju_cholFactorBand(
    mat: VectorMut<'_>,
    ntotal: i32,
    nband: i32,
    ndense: i32,
    diagadd: f64,
    diagmul: f64,
) -> PyResult<f64> {
    let shape = band(mat.len(), ntotal, nband, ndense)?;
    mat.edit(|out| shape.factor(out, diagadd, diagmul))
}

/// Solve with the factor of a band matrix.
#[pyfunction]
fn mju_cholSolveBand(
    res: VectorMut<'_>,
    mat: Vector,
    vec: Vector,
    ntotal: i32,
    nband: i32,
    ndense: i32,
) -> PyResult<()> {
    let shape = band(mat.len(), ntotal, nband, ndense)?;
    require(res.len() == shape.total, "size of res should equal ntotal")?;
    require(vec.len() == shape.total, "size of vec should equal ntotal")?;
    res.edit(|out| {
        out.copy_from_slice(&vec);
        shape.solve(out, &mat);
    })
}

/// Band matrix to dense matrix.
#[pyfunction]
fn mju_band2Dense(
    res: MatrixMut<'_>,
    mat: Vector,
    ntotal: i32,
    nband: i32,
    ndense: i32,
    flg_sym: i32,
) -> PyResult<()> {
    let shape = band(mat.len(), ntotal, nband, ndense)?;
    require(res.rows == shape.total, "res should have ntotal rows")?;
    require(res.columns == shape.total, "res should have ntotal columns")?;
    res.edit(|out| shape.to_dense(out, &mat, flg_sym != 0))
}

/// Dense matrix to band matrix.
#[pyfunction]
fn mju_dense2Band(res: VectorMut<'_>, mat: Matrix, ntotal: i32, nband: i32, ndense: i32) -> PyResult<()> {
    let shape = band(res.len(), ntotal, nband, ndense)?;
    require(mat.rows == shape.total, "mat should have ntotal rows")?;
    require(mat.columns == shape.total, "mat should have ntotal columns")?;
    res.edit(|out| shape.from_dense(out, &mat.values))
}

/// Band matrix times vector.
#[pyfunction]
fn mju_bandMulMatVec(
    res: VectorMut<'_>,
    mat: Matrix,
    vec: Matrix,
    ntotal: i32,
    nband: i32,
    ndense: i32,
    nvec: i32,
    flg_sym: i32,
) -> PyResult<()> {
    let shape = band(mat.values.len(), ntotal, nband, ndense)?;
    require(res.len() == shape.total, "res should have ntotal rows")?;
    require(nvec == 1, "res should have nVec columns")?;
    require(vec.rows == shape.total, "vec should have ntotal rows")?;
    require(vec.columns == 1, "vec should have nVec columns")?;
    res.edit(|out| shape.mul_vec(out, &mat.values, &vec.values, 1, flg_sym != 0))
}

/// Address of diagonal element `i` in a band matrix.
#[pyfunction]
fn mju_bandDiag(i: i32, ntotal: i32, nband: i32, ndense: i32) -> i64 {
    let [i, ntotal, nband, ndense] = [i, ntotal, nband, ndense].map(i64::from);
    let sparse = ntotal - ndense;
    if i < sparse { i * nband + nband - 1 } else { sparse * nband + (i - sparse) * ntotal + i }
}

/// Minimise `0.5 x'Hx + x'g` in a box, from the starting point `res`; returns the number of free coordinates or -1.
#[pyfunction]
fn mju_boxQP(
    res: VectorMut<'_>,
    R: MatrixMut<'_>,
    index: Option<VectorMut<'_, i32>>,
    H: Matrix,
    g: Vector,
    lower: Option<Vector>,
    upper: Option<Vector>,
) -> PyResult<i32> {
    let n = res.len();
    require(R.rows * R.columns == n * (n + 7), "size of R should be n*(n+7)")?;
    require(index.as_ref().is_none_or(|i| i.len() == n), "size of index should equal n")?;
    require(H.rows == n && H.columns == n, "H should be of shape (n, n)")?;
    require(g.len() == n, "size of g should equal n")?;
    require(lower.as_ref().is_none_or(|l| l.len() == n), "size of lower should equal n")?;
    require(upper.as_ref().is_none_or(|u| u.len() == n), "size of upper should equal n")?;
    let problem = box_qp::Problem { h: &H.values, g: &g, lower: lower.as_deref(), upper: upper.as_deref() };
    let mut free = vec![0; n];
    let mut scratch = box_qp::Scratch::default();
    let outcome = res.edit(|x| {
        R.edit(|factor| {
            box_qp::solve(x, factor, &mut free, &problem, &box_qp::Options::default(), &mut scratch)
        })
    })??;
    let outcome = outcome.map_err(|error| match error {
        BoxQpError::Empty => FatalError::new_err("mju_boxQP: problem size n must be positive"),
        BoxQpError::Bounds { .. } => {
            FatalError::new_err("mju_boxQP: upper bounds must be strictly larger than lower bounds")
        }
    })?;
    if let Some(index) = index {
        index.edit(|out| out[..outcome.free].copy_from_slice(&free[..outcome.free]))?;
    }
    Ok(if outcome.succeeded() { outcome.free as i32 } else { -1 })
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add_functions!(module,
        mju_mulMatVec mju_mulMatTVec mju_mulVecMatVec mju_transpose mju_symmetrize mju_eye mju_mulMatMat mju_mulMatMatT
        mju_mulMatTMat mju_sqrMatTD mju_dense2sparse mju_sparse2dense mju_cholFactor mju_cholSolve mju_cholUpdate
        mju_cholFactorBand mju_cholSolveBand mju_band2Dense mju_dense2Band mju_bandMulMatVec mju_bandDiag mju_boxQP
    )
}
