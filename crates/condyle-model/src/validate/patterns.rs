//! Sparsity of inertia and derivatives: the patterns and the maps between them follow from the tree of dofs, so they are computed
//! again and compared.

use super::derived;
use crate::Model;

/// Rows of a sparse matrix as sorted lists of columns.
struct Rows {
    counts: Vec<i32>,
    starts: Vec<i32>,
    columns: Vec<i32>,
}

impl Rows {
    fn from_lists(lists: impl Iterator<Item = Vec<i32>>) -> Self {
        let mut rows = Self { counts: Vec::new(), starts: Vec::new(), columns: Vec::new() };
        for mut list in lists {
            list.sort_unstable();
            rows.counts.push(list.len() as i32);
            rows.starts.push(rows.columns.len() as i32);
            rows.columns.append(&mut list);
        }
        rows
    }

    fn entries(&self, row: usize) -> &[i32] {
        let start = self.starts[row] as usize;
        &self.columns[start..start + self.counts[row] as usize]
    }

    /// Where the entry at `row`, `column` is stored; -1 if it is not.
    fn find(&self, row: usize, column: i32) -> i32 {
        self.entries(row).binary_search(&column).map_or(-1, |place| self.starts[row] + place as i32)
    }
}

pub(super) fn check(model: &Model) -> Result<(), String> {
    let addresses = check_totals(model)?;
    derived("dof_Madr", &model.dof_Madr, &addresses)?;

    let simple = |dof: usize| model.dof_simplenum[dof] != 0;
    let lower = Rows::from_lists(
        (0..model.nv).map(|dof| if simple(dof) { vec![dof as i32] } else { chain(model, dof).collect() }),
    );
    derived("M_rownnz", &model.M_rownnz, &lower.counts)?;
    derived("M_rowadr", &model.M_rowadr, &lower.starts)?;
    derived("M_colind", &model.M_colind, &lower.columns)?;
    // An address in qM counts from the diagonal towards the root.
    let into_full = (0..model.nv).flat_map(|dof| {
        let count = lower.counts[dof];
        (0..count).map(move |entry| (dof, count - 1 - entry))
    });
    let into_full: Vec<i32> = into_full.map(|(dof, back)| addresses[dof] + back).collect();
    derived("mapM2M", &model.mapM2M, &into_full)?;

    check_symmetric(model, &lower)?;
    check_bodies(model)
}

/// A dof and all its ancestors.
fn chain(model: &Model, dof: usize) -> impl Iterator<Item = i32> + '_ {
    std::iter::successors(Some(dof as i32), |dof| {
        Some(model.dof_parentid[*dof as usize]).filter(|parent| *parent >= 0)
    })
}

/// Entries before each dof's own in the inertia with all ancestors. The totals are compared with the sizes before any pattern is
/// built, so that the work stays in proportion to the file.
fn check_totals(model: &Model) -> Result<Vec<i32>, String> {
    let mut depths: Vec<usize> = Vec::with_capacity(model.nv);
    let mut addresses = Vec::with_capacity(model.nv);
    let mut total = 0usize;
    for dof in 0..model.nv {
        let parent = usize::try_from(model.dof_parentid[dof]).ok();
        let depth = 1 + parent.map_or(0, |parent| depths[parent]);
        depths.push(depth);
        addresses.push(i32::try_from(total).map_err(|_| "the inertia matrix is too large".to_string())?);
        total = total.saturating_add(depth);
    }
    if total != model.nM || (2 * total).checked_sub(model.nv) != Some(model.nD) {
        return Err(format!("nM is {} and nD is {}, the dofs need {total}", model.nM, model.nD));
    }
    let mut below = vec![0usize; model.nbody];
    for body in (1..model.nbody).rev() {
        below[body] += model.body_dofnum[body] as usize;
        below[model.body_parentid[body] as usize] += below[body];
    }
    let mut above = vec![0usize; model.nbody];
    for body in 1..model.nbody {
        let parent = model.body_parentid[body] as usize;
        above[body] = above[parent] + model.body_dofnum[parent] as usize;
    }
    let bodies: usize = below.iter().chain(&above).sum();
    if bodies != model.nB {
        return Err(format!("nB is {}, the bodies need {bodies}", model.nB));
    }
    Ok(addresses)
}

/// The pattern with both triangles, and its maps to and from the lower one.
fn check_symmetric(model: &Model, lower: &Rows) -> Result<(), String> {
    let mut lists: Vec<Vec<i32>> = vec![Vec::new(); model.nv];
    for dof in 0..model.nv {
        for ancestor in chain(model, dof) {
            lists[dof].push(ancestor);
            if ancestor != dof as i32 {
                lists[ancestor as usize].push(dof as i32);
            }
        }
    }
    let both = Rows::from_lists(lists.into_iter());
    derived("D_rownnz", &model.D_rownnz, &both.counts)?;
    derived("D_rowadr", &model.D_rowadr, &both.starts)?;
    derived("D_colind", &model.D_colind, &both.columns)?;
    let diagonals: Vec<i32> =
        (0..model.nv).map(|dof| both.find(dof, dof as i32) - both.starts[dof]).collect();
    derived("D_diag", &model.D_diag, &diagonals)?;

    let mut from_lower = Vec::with_capacity(model.nD);
    let mut to_lower = Vec::with_capacity(model.nC);
    for row in 0..model.nv {
        from_lower.extend(both.entries(row).iter().map(|&column| {
            let (high, low) =
                if column as usize > row { (column as usize, row as i32) } else { (row, column) };
            lower.find(high, low)
        }));
        to_lower.extend(lower.entries(row).iter().map(|&column| both.find(row, column)));
    }
    derived("mapM2D", &model.mapM2D, &from_lower)?;
    derived("mapD2M", &model.mapD2M, &to_lower)
}

/// For each body the dofs above it, its own and those below it.
fn check_bodies(model: &Model) -> Result<(), String> {
    let mut lists: Vec<Vec<i32>> = vec![Vec::new(); model.nbody];
    for dof in 0..model.nv {
        let mut body = model.dof_bodyid[dof] as usize;
        lists[body].push(dof as i32);
        while body > 0 {
            body = model.body_parentid[body] as usize;
            lists[body].push(dof as i32);
        }
    }
    for body in 1..model.nbody {
        let mut above = model.body_parentid[body] as usize;
        while above > 0 {
            let first = model.body_dofadr[above];
            lists[body].extend((0..model.body_dofnum[above]).map(|own| first + own));
            above = model.body_parentid[above] as usize;
        }
    }
    let rows = Rows::from_lists(lists.into_iter());
    derived("B_rownnz", &model.B_rownnz, &rows.counts)?;
    derived("B_rowadr", &model.B_rowadr, &rows.starts)?;
    derived("B_colind", &model.B_colind, &rows.columns)
}
