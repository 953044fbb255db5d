//! Sparsity of the joint-space inertia: which entries of M, D and B can be non-zero, and maps between their storage.
//!
//! M is lower triangular with a row per dof that holds the dof's ancestors; rows of simple bodies hold the diagonal only. D is the
//! same without that shortcut and with the upper triangle. B has a row per body with the dofs that body's motion depends on or
//! affects.

use condyle_model::Model;

/// Fills the sparsity arrays of a model whose tree is known.
pub(crate) fn fill(model: &mut Model) {
    let nv = model.nv;
    if nv > 0 {
        let d = dof_rows(model, false, true);
        model.D_rownnz = d.count.into();
        model.D_rowadr = d.start.into();
        model.D_colind = d.column.into();
        for dof in 0..nv {
            let start = model.D_rowadr[dof] as usize;
            let row = &model.D_colind[start..start + model.D_rownnz[dof] as usize];
            model.D_diag[dof] = row.iter().take_while(|&&column| column < dof as i32).count() as i32;
        }
        let m = dof_rows(model, true, false);
        model.M_rownnz = m.count.into();
        model.M_rowadr = m.start.into();
        model.M_colind = m.column.into();
    }
    fill_body_rows(model);
    fill_maps(model);
}

struct Rows {
    count: Vec<i32>,
    start: Vec<i32>,
    column: Vec<i32>,
}

fn ancestors(model: &Model, dof: usize) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(model.dof_parentid(dof), |&above| model.dof_parentid(above))
}

fn dof_rows(model: &Model, reduced: bool, upper: bool) -> Rows {
    let nv = model.nv;
    let whole_row = |dof: usize| !(reduced && model.dof_simplenum[dof] != 0);
    let mut count = vec![0_i32; nv];
    for dof in (0..nv).rev() {
        count[dof] += 1;
        if whole_row(dof) {
            for above in ancestors(model, dof) {
                count[dof] += 1;
                if upper {
                    count[above] += 1;
                }
            }
        }
    }
    let mut start = vec![0_i32; nv];
    for dof in 1..nv {
        start[dof] = start[dof - 1] + count[dof - 1];
    }
    // Rows are filled from their ends, so that columns come out in increasing order.
    let total = count.iter().sum::<i32>() as usize;
    let mut column = vec![0_i32; total];
    let mut remaining = count.clone();
    let mut place = |row: usize, value: usize| {
        remaining[row] -= 1;
        column[(start[row] + remaining[row]) as usize] = value as i32;
    };
    for dof in (0..nv).rev() {
        place(dof, dof);
        if whole_row(dof) {
            for above in ancestors(model, dof) {
                place(dof, above);
                if upper {
                    place(above, dof);
                }
            }
        }
    }
    Rows { count, start, column }
}

fn fill_body_rows(model: &mut Model) {
    if model.nv == 0 {
        return;
    }
    let nbody = model.nbody;
    let dofs = |model: &Model, body: usize| {
        let first = model.body_dofadr[body];
        (0..model.body_dofnum[body]).map(move |offset| first + offset)
    };
    let mut rows: Vec<Vec<i32>> = vec![Vec::new(); nbody];
    for body in (1..nbody).rev() {
        let own: Vec<i32> = dofs(model, body).collect();
        rows[body].extend(own);
        let subtree = rows[body].clone();
        rows[model.body_parentid[body] as usize].extend(subtree);
    }
    let mut start = 0;
    let mut columns = Vec::with_capacity(model.nB);
    for (body, row) in rows.iter_mut().enumerate() {
        let mut above = model.body_parentid[body] as usize;
        while above > 0 {
            row.extend(dofs(model, above));
            above = model.body_parentid[above] as usize;
        }
        row.sort_unstable();
        model.B_rownnz[body] = row.len() as i32;
        model.B_rowadr[body] = start;
        start += row.len() as i32;
        columns.extend_from_slice(row);
    }
    model.B_colind = columns.into();
}

/// Position in the source storage of each entry of the target storage.
fn fill_maps(model: &mut Model) {
    let nv = model.nv;
    // D from M: an entry above the diagonal is found mirrored.
    let mut from_m = Vec::with_capacity(model.nD);
    for row in 0..nv {
        let start = model.D_rowadr[row] as usize;
        for entry in start..start + model.D_rownnz[row] as usize {
            let column = model.D_colind[entry] as usize;
            let (low, high) = if column <= row { (column, row) } else { (row, column) };
            from_m.push(find_in_row(&model.M_rowadr, &model.M_rownnz, &model.M_colind, high, low));
        }
    }
    let mut from_d = Vec::with_capacity(model.nC);
    for row in 0..nv {
        let start = model.M_rowadr[row] as usize;
        for entry in start..start + model.M_rownnz[row] as usize {
            let column = model.M_colind[entry] as usize;
            from_d.push(find_in_row(&model.D_rowadr, &model.D_rownnz, &model.D_colind, row, column));
        }
    }
    // The older storage of M lists the diagonal and then the ancestors upwards.
    let mut from_old = vec![-1_i32; model.nC];
    for dof in 0..nv {
        let start = model.M_rowadr[dof];
        let count = model.M_rownnz[dof];
        for step in 0..count {
            from_old[(start + count - 1 - step) as usize] = model.dof_Madr[dof] + step;
        }
    }
    model.mapM2D = from_m.into();
    model.mapD2M = from_d.into();
    model.mapM2M = from_old.into();
}

/// Index of a column in a row with increasing columns; −1 if it is not stored.
fn find_in_row(start: &[i32], count: &[i32], columns: &[i32], row: usize, column: usize) -> i32 {
    let first = start[row] as usize;
    let entries = &columns[first..first + count[row] as usize];
    entries.binary_search(&(column as i32)).map_or(-1, |offset| (first + offset) as i32)
}
