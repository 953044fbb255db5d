//! Sparse LU factorisation in reverse order without fill-in, `A = (U + I) L`, for the non-symmetric matrices of implicit
//! integration over kinematic trees. Reference: `mju_factorLUSparse`, `mju_solveLUSparse`.

use crate::MIN_VALUE;
use crate::sparse::{self, Pattern};

/// Why a matrix cannot be factorised without fill-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LuError {
    /// The row has no diagonal element, or values right of it that were never eliminated.
    MissingDiagonal {
        /// The row.
        row: usize,
    },
    /// The pivot is smaller than [`MIN_VALUE`].
    SmallPivot {
        /// The row.
        row: usize,
    },
    /// Eliminating the row would create an element outside the pattern.
    FillIn {
        /// The row.
        row: usize,
    },
}

impl LuError {
    /// The row where the factorisation stopped.
    pub fn row(self) -> usize {
        match self {
            LuError::MissingDiagonal { row } | LuError::SmallPivot { row } | LuError::FillIn { row } => row,
        }
    }
}

impl std::fmt::Display for LuError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LuError::MissingDiagonal { row } => write!(f, "missing diagonal element in row {row}"),
            LuError::SmallPivot { row } => write!(f, "diagonal element of row {row} is too small"),
            LuError::FillIn { row } => write!(f, "row {row} requires fill-in"),
        }
    }
}

impl std::error::Error for LuError {}

#[inline(always)]
fn row_at(index: Option<&[i32]>, k: usize) -> usize {
    index.map_or(k, |list| list[k] as usize)
}

/// Factorise in place. `remaining` is work space with one element per row; `index` restricts the work to a list of rows.
pub fn factor(
    m: &mut [f64],
    pattern: Pattern,
    index: Option<&[i32]>,
    remaining: &mut [i32],
) -> Result<(), LuError> {
    let n = index.map_or(pattern.rows(), <[i32]>::len);
    for k in 0..n {
        remaining[k] = pattern.rownnz[row_at(index, k)];
    }
    for r in (0..n).rev() {
        let i = row_at(index, r);
        let start = pattern.rowadr[i] as usize;
        remaining[r] -= 1;
        if remaining[r] < 0 || pattern.colind[start + remaining[r] as usize] != i as i32 {
            return Err(LuError::MissingDiagonal { row: i });
        }
        let diagonal = start + remaining[r] as usize;
        if m[diagonal].abs() < MIN_VALUE {
            return Err(LuError::SmallPivot { row: i });
        }
        for c in (0..r).rev() {
            let j = row_at(index, c);
            let row_j = pattern.rowadr[j] as usize;
            let Some(last) = (remaining[c] as usize).checked_sub(1).map(|count| row_j + count) else {
                continue;
            };
            if pattern.colind[last] == i as i32 {
                remaining[c] -= 1;
                m[last] /= m[diagonal];
                eliminate(m, pattern.colind, start..diagonal, row_j..last)
                    .ok_or(LuError::FillIn { row: j })?;
            }
        }
    }
    Ok(())
}

/// Subtract `m[target.end]` times the row at `source` from the row at `target`, whose pattern must contain that of the source.
#[inline]
fn eliminate(
    m: &mut [f64],
    colind: &[i32],
    source: std::ops::Range<usize>,
    target: std::ops::Range<usize>,
) -> Option<()> {
    let s = m[target.end];
    let mut from = source.start;
    for to in target {
        if from == source.end {
            break;
        }
        if colind[from] == colind[to] {
            m[to] -= m[from] * s;
            from += 1;
        } else if colind[from] < colind[to] {
            return None;
        }
    }
    (from == source.end).then_some(())
}

/// Solve `A x = b` given the factorisation; `diagonal[i]` is the position of the diagonal within row `i`.
pub fn solve(
    x: &mut [f64],
    lu: &[f64],
    b: &[f64],
    pattern: Pattern,
    diagonal: &[i32],
    index: Option<&[i32]>,
) {
    let n = index.map_or(pattern.rows(), <[i32]>::len);
    for k in (0..n).rev() {
        let i = row_at(index, k);
        x[i] = b[i];
        let range = pattern.range(i);
        let right = range.start + diagonal[i] as usize + 1..range.end;
        if !right.is_empty() {
            x[i] -= sparse::dot(&lu[right.clone()], &pattern.colind[right], x);
        }
    }
    for k in 0..n {
        let i = row_at(index, k);
        let start = pattern.rowadr[i] as usize;
        let left = start..start + diagonal[i] as usize;
        if !left.is_empty() {
            x[i] -= sparse::dot(&lu[left.clone()], &pattern.colind[left.clone()], x);
        }
        x[i] /= lu[left.end];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Chain 0-1 with children 2 and 3, which do not see each other.
    const ROWNNZ: [i32; 4] = [4, 4, 3, 3];
    const ROWADR: [i32; 4] = [0, 4, 8, 11];
    const COLIND: [i32; 14] = [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 0, 1, 3];
    const DIAGONAL: [i32; 4] = [0, 1, 2, 2];
    const M: [f64; 14] = [9.0, 1.0, 0.5, -0.3, 0.7, 8.0, 0.2, 0.4, -0.6, 0.1, 7.0, 0.9, -0.8, 6.0];

    fn pattern() -> Pattern<'static> {
        Pattern { rownnz: &ROWNNZ, rowadr: &ROWADR, colind: &COLIND }
    }

    #[test]
    fn solution_reproduces_the_right_hand_side() {
        let mut lu = M;
        factor(&mut lu, pattern(), None, &mut [0; 4]).unwrap();
        let b = [1.0, -2.0, 0.5, 3.0];
        let (mut x, mut product) = ([0.0; 4], [0.0; 4]);
        solve(&mut x, &lu, &b, pattern(), &DIAGONAL, None);
        sparse::mul_vec(&mut product, &M, &x, pattern());
        for i in 0..4 {
            assert!((product[i] - b[i]).abs() < 1e-14);
        }
    }

    #[test]
    fn an_index_list_restricts_the_work() {
        let pattern = Pattern { rownnz: &[1, 1], rowadr: &[0, 1], colind: &[0, 1] };
        let mut lu = [0.0, 2.0];
        factor(&mut lu, pattern, Some(&[1]), &mut [0; 2]).unwrap();
        let mut x = [5.0, 5.0];
        solve(&mut x, &lu, &[1.0, 3.0], pattern, &[0, 0], Some(&[1]));
        assert_eq!(x, [5.0, 1.5]);
    }

    #[test]
    fn unsuitable_matrices_are_refused() {
        let diagonal = Pattern { rownnz: &[1, 1], rowadr: &[0, 1], colind: &[0, 1] };
        assert_eq!(factor(&mut [1.0, 0.0], diagonal, None, &mut [0; 2]), Err(LuError::SmallPivot { row: 1 }));
        let off = Pattern { rownnz: &[1, 1], rowadr: &[0, 1], colind: &[0, 0] };
        assert_eq!(factor(&mut [1.0, 1.0], off, None, &mut [0; 2]), Err(LuError::MissingDiagonal { row: 1 }));
        // Row 2 reaches column 0, row 1 reaches column 2 but not column 0.
        let fill = Pattern { rownnz: &[1, 2, 2], rowadr: &[0, 1, 3], colind: &[0, 1, 2, 0, 2] };
        assert_eq!(factor(&mut [1.0; 5], fill, None, &mut [0; 3]), Err(LuError::FillIn { row: 1 }));
    }
}
