//! Adding `Jᵀ B J` to a sparse matrix over the dofs, keeping only the entries its pattern has.

use condyle_math::sparse::{self, Pattern};
use condyle_model::Model;

/// Sparsity of `qDeriv`: for every dof all dofs of its kinematic branch.
#[inline]
pub fn derivative_pattern(model: &Model) -> Pattern<'_> {
    Pattern { rownnz: &model.D_rownnz, rowadr: &model.D_rowadr, colind: &model.D_colind }
}

/// `out += Jᵀ B J` for a dense `J` with rows of length `nv` and an `n × n` matrix `B`.
pub fn add_dense(model: &Model, out: &mut [f64], jacobian: &[f64], matrix: &[f64], n: usize) {
    let nv = model.nv;
    let pattern = derivative_pattern(model);
    for i in 0..n {
        for j in 0..n {
            let b = matrix[i * n + j];
            if b == 0.0 {
                continue;
            }
            let row = &jacobian[j * nv..][..nv];
            for k in 0..nv {
                let left = jacobian[i * nv + k];
                if left != 0.0 {
                    let scale = left * b;
                    for address in pattern.range(k) {
                        out[address] += row[pattern.colind[address] as usize] * scale;
                    }
                }
            }
        }
    }
}

/// Rows of the largest matrix `B`: a spatial wrench by a spatial velocity.
const MAX_ROWS: usize = 6;
/// Columns that are added up together on the stack.
const BLOCK: usize = 16;

/// `out += Jᵀ B J` for `n ≤ 6` rows of equal sparsity `columns`, stored one after the other.
///
/// Every entry of `out` receives its terms in the order of `B`'s entries; where the columns lie in a row of `out` is looked up once.
pub fn add_chain(
    model: &Model,
    out: &mut [f64],
    jacobian: &[f64],
    columns: &[i32],
    matrix: &[f64],
    n: usize,
) {
    let width = columns.len();
    if n == 1 {
        if matrix[0] != 0.0 {
            let row = &jacobian[..width];
            add_outer(model, out, row, row, columns, matrix[0]);
        }
        return;
    }
    let pattern = derivative_pattern(model);
    for (k, dof) in columns.iter().enumerate() {
        let range = pattern.range(*dof as usize);
        let targets = &pattern.colind[range.clone()];
        let row = &mut out[range];
        let mut scales = [0.0; MAX_ROWS * MAX_ROWS];
        for i in 0..n {
            let left = jacobian[i * width + k];
            for j in 0..n {
                scales[i * n + j] = left * matrix[i * n + j];
            }
        }
        let mut search = 0;
        for start in (0..width).step_by(BLOCK) {
            let block = start..width.min(start + BLOCK);
            let mut places = [usize::MAX; BLOCK];
            let mut sums = [0.0; BLOCK];
            for (slot, column) in columns[block.clone()].iter().enumerate() {
                while targets.get(search).is_some_and(|target| target < column) {
                    search += 1;
                }
                if targets.get(search) == Some(column) {
                    places[slot] = search;
                    sums[slot] = row[search];
                }
            }
            for (pair, scale) in scales[..n * n].iter().enumerate() {
                if matrix[pair] != 0.0 {
                    let right = &jacobian[pair % n * width..][block.clone()];
                    for (sum, value) in sums.iter_mut().zip(right) {
                        *sum += scale * value;
                    }
                }
            }
            for (place, sum) in places.iter().zip(sums) {
                if let Some(entry) = row.get_mut(*place) {
                    *entry = sum;
                }
            }
        }
    }
}

/// `out += scale leftᵀ right` for two sparse rows with the same columns.
pub fn add_outer(model: &Model, out: &mut [f64], left: &[f64], right: &[f64], columns: &[i32], scale: f64) {
    let pattern = derivative_pattern(model);
    let (right, columns) = (&right[..left.len()], &columns[..left.len()]);
    if let ([a, b, c], Some(factors)) = (left, right.first_chunk())
        && let Some(block) = is_block(pattern, columns)
    {
        return add_block(out, block, [a * scale, b * scale, c * scale], factors);
    }
    if let ([a, b, c, d, e, f], Some((low, high))) = (left, right.split_first_chunk::<3>())
        && let (Some(first), Some(second)) = (is_block(pattern, columns), is_block(pattern, &columns[3..]))
        && columns[2] < columns[3]
    {
        // An edge between two points that move along three axes each.
        add_block(out, first, [a * scale, b * scale, c * scale], low);
        if let Some(high) = high.first_chunk() {
            add_block(out, second, [d * scale, e * scale, f * scale], high);
        }
        return;
    }
    let ascending = columns.is_sorted_by(|a, b| a < b);
    let mut k = 0;
    while k < columns.len() {
        if ascending
            && let (Some([x, y, z]), Some(factors)) = (left[k..].first_chunk(), right[k..].first_chunk::<3>())
            && let Some(block) = is_block(pattern, &columns[k..])
        {
            add_block(out, block, [x * scale, y * scale, z * scale], factors);
            k += 3;
            continue;
        }
        let (value, dof) = (left[k], columns[k]);
        let range = pattern.range(dof as usize);
        let (row, targets) = (&mut out[range.clone()], &pattern.colind[range]);
        let scaled = value * scale;
        // A dof of the sparse rows stands where the diagonal stands in its own row: the rest is beside it, if all of it is there.
        let start = k.wrapping_sub(model.D_diag[dof as usize] as usize);
        match run_of(targets, columns, start).filter(|_| ascending) {
            Some(run) => {
                for (entry, value) in row.iter_mut().zip(&right[run]) {
                    *entry += scaled * value;
                }
            }
            None => sparse::add_scaled_common(row, targets, right, columns, scaled),
        }
        k += 1;
    }
}

/// Where the entries of three dofs begin that move a point along three axes and nothing else, if the first three columns are such dofs: their rows
/// follow one another and each has these three columns alone.
#[inline(always)]
fn is_block(pattern: Pattern, columns: &[i32]) -> Option<usize> {
    let dofs: &[i32; 3] = columns.first_chunk()?;
    let first = dofs[0];
    let counts: &[i32; 3] = pattern.rownnz.get(first as usize..)?.first_chunk()?;
    let starts: &[i32; 3] = pattern.rowadr.get(first as usize..)?.first_chunk()?;
    let start = starts[0];
    let targets: &[i32; 9] = pattern.colind.get(start as usize..)?.first_chunk()?;
    // No early exit: most rows that are asked about are such ones.
    let mut differs = 0;
    for k in 0..3 {
        let at = k as i32;
        differs |= (dofs[k] ^ (first + at)) | (counts[k] ^ 3) | (starts[k] ^ (start + 3 * at));
    }
    for (k, target) in targets.iter().enumerate() {
        differs |= target ^ (first + k as i32 % 3);
    }
    (differs == 0).then_some(start as usize)
}

/// Add the outer product of `scales` and `factors` to nine entries.
#[inline(always)]
fn add_block(out: &mut [f64], start: usize, scales: [f64; 3], factors: &[f64; 3]) {
    let Some(block) = out.get_mut(start..).and_then(<[f64]>::first_chunk_mut::<9>) else { return };
    for (row, scale) in block.as_chunks_mut::<3>().0.iter_mut().zip(scales) {
        for (entry, factor) in row.iter_mut().zip(factors) {
            *entry += scale * factor;
        }
    }
}

/// Where all targets stand among the ascending columns, if that is from `start` on. Targets ascend, too: if they have no gap, the ends tell.
#[inline]
fn run_of(targets: &[i32], columns: &[i32], start: usize) -> Option<std::ops::Range<usize>> {
    let run = start..start.wrapping_add(targets.len());
    let ([first, .., last] | [first @ last]) = targets else { return None };
    let ([first_found, .., last_found] | [first_found @ last_found]) = columns.get(run.clone())? else {
        return None;
    };
    let same_ends = first == first_found && last == last_found;
    let gapless = last.wrapping_sub(*first) as usize == targets.len() - 1;
    (same_ends && (gapless || columns[run.clone()] == *targets)).then_some(run)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_found_beside_their_diagonal_if_all_are_there() {
        assert_eq!(run_of(&[3, 4, 5], &[0, 1, 2, 3, 4, 5], 3), Some(3..6));
        assert_eq!(run_of(&[3, 4, 5], &[3, 4, 5, 9], 0), Some(0..3));
        assert_eq!(run_of(&[3, 4, 5], &[3, 5, 9], 0), None);
        assert_eq!(run_of(&[3, 4, 7], &[2, 3, 4, 7], 1), Some(1..4));
        assert_eq!(run_of(&[3, 5, 7], &[2, 3, 4, 7], 1), None);
        assert_eq!(run_of(&[0, 1, 2], &[1, 2], 0usize.wrapping_sub(1)), None);
        assert_eq!(run_of(&[], &[1, 2], 0), None);
    }

    #[test]
    fn outer_products_reach_the_entries_that_a_merge_reaches() {
        // Dofs 0 to 2 slide one body, 3 and 4 another, 5 stands below dof 0.
        let mut model = Model { nv: 6, nD: 18, ..Model::default() };
        model.allocate();
        let rows: [&[i32]; 6] = [&[0, 1, 2, 5], &[0, 1, 2], &[0, 1, 2], &[3, 4], &[3, 4], &[0, 5]];
        let mut address = 0;
        for (dof, row) in rows.iter().enumerate() {
            model.D_rownnz[dof] = row.len() as i32;
            model.D_rowadr[dof] = address as i32;
            model.D_diag[dof] = row.iter().position(|column| *column == dof as i32).unwrap() as i32;
            model.D_colind[address..address + row.len()].copy_from_slice(row);
            address += row.len();
        }
        let (left, right) = ([0.5, -1.5, 2.0, 3.0, 0.25, 7.0], [1.1, 0.7, -0.3, 0.9, 5.0, -2.0]);
        let lists: [&[i32]; 6] =
            [&[0, 1, 2, 3, 4, 5], &[0, 1, 2], &[0, 1, 2, 3, 4], &[1, 2, 4], &[4, 3, 1, 0], &[0, 5]];
        for columns in lists {
            let (left, right) = (&left[..columns.len()], &right[..columns.len()]);
            let (mut found, mut expected) = ([0.125; 18], [0.125; 18]);
            add_outer(&model, &mut found[..address], left, right, columns, 0.75);
            for (value, dof) in left.iter().zip(columns) {
                let range = derivative_pattern(&model).range(*dof as usize);
                let targets = &model.D_colind[range.clone()];
                sparse::add_scaled_common(&mut expected[range], targets, right, columns, value * 0.75);
            }
            assert_eq!(found, expected, "{columns:?}");
        }
    }
}
