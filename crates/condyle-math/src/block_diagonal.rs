//! The rows and columns of a matrix sorted into diagonal blocks, as the Jacobian is for independent islands.
//!
//! Reference: `mju_blockDiag`, `mju_blockDiagSparse`.

use crate::sparse::Pattern;
use crate::sparse_structure::join_supernodes;

/// How rows and columns of a matrix are sorted into diagonal blocks.
#[derive(Clone, Copy, Debug)]
pub struct Blocks<'a> {
    /// First row of each block in the result.
    pub first_row: &'a [i32],
    /// First column of each block in the result.
    pub first_column: &'a [i32],
}

/// Pick the blocks of a dense matrix with `columns` columns. Block `b` has `block_rows[b]` by `block_columns[b]` elements and is
/// stored densely from `result_columns · first_row[b]` on; `row_source` and `column_source` map the result to the original.
pub fn block_diagonal(
    result: &mut [f64],
    result_columns: usize,
    m: &[f64],
    columns: usize,
    row_source: &[i32],
    column_source: &[i32],
    block_rows: &[i32],
    block_columns: &[i32],
    blocks: Blocks,
) {
    for b in 0..block_rows.len() {
        let (first_row, first_column) = (blocks.first_row[b] as usize, blocks.first_column[b] as usize);
        let mut address = result_columns * first_row;
        for r in &row_source[first_row..][..block_rows[b] as usize] {
            let row = &m[columns * *r as usize..][..columns];
            for c in &column_source[first_column..][..block_columns[b] as usize] {
                result[address] = row[*c as usize];
                address += 1;
            }
        }
    }
}

/// Compressed rows with the numbers of [`supernodes`](crate::sparse_structure::supernodes), to be written.
pub struct RowsMut<'a> {
    /// Nonzero values, row after row.
    pub values: &'a mut [f64],
    /// Number of nonzeros of each row.
    pub rownnz: &'a mut [i32],
    /// Index of the first nonzero of each row.
    pub rowadr: &'a mut [i32],
    /// Column of each nonzero.
    pub colind: &'a mut [i32],
    /// Number of rows directly below each row with the same columns.
    pub rowsuper: &'a mut [i32],
}

/// Sort the rows of a sparse matrix without gaps into blocks, with column numbers counted within the block.
///
/// `row_source` maps rows of the result to rows of the original; `column_target` maps columns of the original to columns of the
/// result. The numbers of the original's [`supernodes`](crate::sparse_structure::supernodes) are `rowsuper`: such rows that stay side by side are moved together.
pub fn block_diagonal_sparse(
    out: &mut RowsMut,
    values: &[f64],
    pattern: Pattern,
    rowsuper: &[i32],
    row_source: &[i32],
    column_target: &[i32],
    blocks: Blocks,
) {
    let count = out.rownnz.len();
    let (mut block, mut row, mut address) = (0, 0, 0);
    while row < count {
        while block + 1 < blocks.first_row.len() && row >= blocks.first_row[block + 1] as usize {
            block += 1;
        }
        let offset = blocks.first_column[block];
        let source = row_source[row] as usize;
        let alike = row_source[row + 1..count].iter().take(rowsuper[source].max(0) as usize);
        let run = 1 + alike.zip(source as i32 + 1..).take_while(|(place, next)| **place == *next).count();
        let from = pattern.range(source);
        let (start, width) = (from.start, from.len());
        out.values[address..address + run * width].copy_from_slice(&values[start..start + run * width]);
        for (to, column) in out.colind[address..address + width].iter_mut().zip(&pattern.colind[from]) {
            *to = column_target[*column as usize] - offset;
        }
        for k in 0..run {
            let place = address + k * width;
            out.rownnz[row + k] = width as i32;
            out.rowadr[row + k] = place as i32;
            out.rowsuper[row + k] = (run - 1 - k) as i32;
            if k > 0 {
                out.colind.copy_within(address..address + width, place);
            }
        }
        (row, address) = (row + run, address + run * width);
    }
    for (block, start) in blocks.first_row.iter().enumerate() {
        let end = blocks.first_row.get(block + 1).map_or(count, |next| *next as usize);
        let rows = *start as usize..end;
        let pattern = Pattern {
            rownnz: &out.rownnz[rows.clone()],
            rowadr: &out.rowadr[rows.clone()],
            colind: out.colind,
        };
        join_supernodes(&mut out.rowsuper[rows], pattern);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse_structure::supernodes;

    #[test]
    fn blocks_are_cut_out_and_renumbered() {
        // Rows 0 and 2 use columns {0, 2}; row 1 uses column 1.
        let full = [1.0, 0.0, 2.0, 0.0, 3.0, 0.0, 4.0, 0.0, 5.0];
        let (row_source, column_source, column_target) = ([0, 2, 1], [0, 2, 1], [0, 2, 1]);
        let blocks = Blocks { first_row: &[0, 2], first_column: &[0, 2] };
        let mut out = [0.0; 9];
        block_diagonal(&mut out, 3, &full, 3, &row_source, &column_source, &[2, 1], &[2, 1], blocks);
        assert_eq!(out, [1.0, 2.0, 4.0, 5.0, 0.0, 0.0, 3.0, 0.0, 0.0]);

        let own_values = [1.0, 2.0, 3.0, 4.0, 5.0];
        let pattern = Pattern { rownnz: &[2, 1, 2], rowadr: &[0, 2, 3], colind: &[0, 2, 1, 0, 2] };
        let (mut nnz, mut adr, mut col, mut values) = ([0; 3], [0; 3], [0; 5], [0.0; 5]);
        let (mut own_super, mut rowsuper) = ([0; 3], [9; 3]);
        supernodes(&mut own_super, pattern);
        let out = &mut RowsMut {
            values: &mut values,
            rownnz: &mut nnz,
            rowadr: &mut adr,
            colind: &mut col,
            rowsuper: &mut rowsuper,
        };
        block_diagonal_sparse(out, &own_values, pattern, &own_super, &row_source, &column_target, blocks);
        assert_eq!((nnz, adr, col), ([2, 2, 1], [0, 2, 4], [0, 1, 0, 1, 0]));
        assert_eq!(values, [1.0, 2.0, 4.0, 5.0, 3.0]);
        assert_eq!((own_super, rowsuper), ([0; 3], [1, 0, 0]));
    }

    #[test]
    fn rows_with_the_same_columns_move_together() {
        // Two contacts between columns {0, 1} around one of column 2, whose island comes first.
        let own_values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
        let pattern =
            Pattern { rownnz: &[2, 2, 1, 2], rowadr: &[0, 2, 4, 5], colind: &[0, 1, 0, 1, 2, 0, 1] };
        let mut own_super = [0; 4];
        supernodes(&mut own_super, pattern);
        let (mut nnz, mut adr, mut col, mut values) = ([0; 4], [0; 4], [0; 7], [0.0; 7]);
        let mut rowsuper = [9; 4];
        let out = &mut RowsMut {
            values: &mut values,
            rownnz: &mut nnz,
            rowadr: &mut adr,
            colind: &mut col,
            rowsuper: &mut rowsuper,
        };
        let blocks = Blocks { first_row: &[0, 1], first_column: &[0, 1] };
        block_diagonal_sparse(out, &own_values, pattern, &own_super, &[2, 0, 1, 3], &[1, 2, 0], blocks);
        assert_eq!((nnz, adr), ([1, 2, 2, 2], [0, 1, 3, 5]));
        assert_eq!(col, [0, 0, 1, 0, 1, 0, 1]);
        assert_eq!(values, [5.0, 1.0, 2.0, 3.0, 4.0, 6.0, 7.0]);
        assert_eq!((own_super, rowsuper), ([1, 0, 0, 0], [0, 2, 1, 0]));
    }
}
