//! Islands: groups of kinematic trees that constraints couple, each solved as a problem of its own.
//!
//! Trees that a constraint row moves together are in one group. Groups are numbered in the order of their lowest trees; dofs,
//! inertia and rows are then sorted by group, so that each group's part is contiguous. Trees without constraints belong to no
//! island and come last. Reference: `mj_island`.

use condyle_math::block_diagonal::{Blocks, RowsMut, block_diagonal, block_diagonal_sparse};
use condyle_math::dense;
use condyle_math::sparse::Pattern;
use condyle_math::sparse_structure;
use condyle_model::{ConstraintType, EqualityType, Model, disable};

use crate::data::{Contact, Inertia, IslandSolution, Islands, Rows};

use super::impedance::kind_of;
use super::rows::equality;
use crate::jacobian::is_sparse;

/// Work space of the discovery.
#[derive(Clone, Debug, Default)]
pub struct IslandScratch {
    /// For each tree one of its group with a lower number, or itself if it is the lowest; −1 for a tree no row moves.
    lower: Vec<i32>,
    cursor: Vec<i32>,
    /// First tree of each row that had to be read to find it; [`UNREAD`] for the others.
    read: Vec<i32>,
}

/// The tree of a row that was not read.
const UNREAD: i32 = -2;

/// Find the islands and permute the problem.
pub fn discover(
    model: &Model,
    table: &Rows,
    contacts: &[Contact],
    inertia: &Inertia,
    islands: &mut Islands,
    solution: &mut IslandSolution,
    scratch: &mut IslandScratch,
) {
    forget(islands);
    if model.opt.disableflags & disable::ISLAND != 0 || table.nefc == 0 {
        return;
    }
    let rows = RowTrees { model, table, contacts, sparse: is_sparse(model) };
    rows.connect(scratch);
    islands.nisland = scratch.number_groups(&mut islands.tree_island);
    if islands.nisland == 0 {
        return;
    }
    sort_trees(model, islands, scratch);
    sort_dofs(model, inertia, islands, scratch);
    sort_rows(&rows, islands, scratch);
    make_room(table.nefc, islands.nidof, solution);
}

/// No islands: everything is solved at once.
pub fn forget(islands: &mut Islands) {
    islands.nisland = 0;
    islands.nidof = 0;
}

/// Keep islands only if the rows made anew stand for the same things as those they were found for.
pub fn keep_if_same(rows: &Rows, islands: &mut Islands) {
    if islands.nisland == 0 {
        return;
    }
    let stands_for = |(place, row): (usize, &i32)| {
        let row = *row as usize;
        islands.iefc_type.get(place) == rows.efc_type.get(row)
            && islands.iefc_id.get(place) == rows.efc_id.get(row)
    };
    let same = islands.map_iefc2efc.len() == rows.nefc
        && islands.iefc_type.len() == rows.nefc
        && islands.map_iefc2efc.iter().enumerate().all(stands_for);
    if !same {
        forget(islands);
    }
}

/// Give what the solver fills one element per dof of an island and per row.
fn make_room(rows: usize, dofs: usize, out: &mut IslandSolution) {
    for list in [&mut out.ifrc_smooth, &mut out.iacc_smooth, &mut out.iacc, &mut out.ifrc_constraint] {
        list.resize(dofs, 0.0);
    }
    out.iefc_aref.resize(rows, 0.0);
    out.iefc_force.resize(rows, 0.0);
    out.iefc_state.resize(rows, 0);
}

/// Which trees a row moves.
struct RowTrees<'a> {
    model: &'a Model,
    table: &'a Rows,
    contacts: &'a [Contact],
    sparse: bool,
}

/// Trees of a row as far as they are known without reading the Jacobian.
enum Trees {
    /// At most two; −1 for the second when there is one.
    Known(i32, i32),
    /// Read the row: the first tree and where to go on reading.
    Scanned(i32, usize),
}

impl RowTrees<'_> {
    /// The next tree in row `row` that is not `tree`, reading from `index` on; −1 when there is none.
    fn next(&self, row: usize, tree: i32, index: &mut usize) -> i32 {
        let (model, table) = (self.model, self.table);
        if self.sparse {
            let start = table.efc_J_rowadr[row] as usize;
            let columns = &table.efc_J_colind[start..start + table.efc_J_rownnz[row] as usize];
            while *index < columns.len() {
                let found = model.dof_treeid[columns[*index] as usize];
                if found != tree {
                    return found;
                }
                *index += 1;
            }
        } else {
            let values = &table.efc_J[row * model.nv..][..model.nv];
            while *index < model.nv {
                if values[*index] != 0.0 {
                    let found = model.dof_treeid[*index];
                    if found != tree {
                        return found;
                    }
                }
                *index += 1;
            }
        }
        -1
    }

    fn of_bodies(&self, bodies: [usize; 2]) -> Trees {
        let [first, second] = bodies.map(|body| self.model.body_treeid[body]);
        if first < 0 { Trees::Known(second, first) } else { Trees::Known(first, second) }
    }

    fn first(&self, row: usize) -> Trees {
        let (model, id) = (self.model, self.table.efc_id[row] as usize);
        match kind_of(self.table.efc_type[row]) {
            ConstraintType::FrictionDof => return Trees::Known(model.dof_treeid[id], -1),
            ConstraintType::LimitJoint => {
                return Trees::Known(model.dof_treeid[model.jnt_dofadr[id] as usize], -1);
            }
            ConstraintType::Equality => {
                let kind = model.eq_type(id);
                if matches!(kind, Some(EqualityType::Connect | EqualityType::Weld)) {
                    return self.of_bodies(equality::bodies(model, id));
                }
            }
            ConstraintType::FrictionTendon | ConstraintType::LimitTendon => {}
            _ => {
                let geoms = self.contacts[id].geom;
                if geoms[0] >= 0 && geoms[1] >= 0 {
                    return self.of_bodies(geoms.map(|geom| model.geom_bodyid[geom as usize] as usize));
                }
            }
        }
        let mut index = 0;
        let tree = self.next(row, -1, &mut index);
        Trees::Scanned(tree, index)
    }

    /// Whether the rows of the constraint move different trees: equalities on flexes.
    fn varies(&self, row: usize) -> bool {
        if self.table.efc_type[row] != ConstraintType::Equality as i32 {
            return false;
        }
        let kind = self.model.eq_type(self.table.efc_id[row] as usize);
        matches!(kind, Some(EqualityType::Flex | EqualityType::FlexVert))
    }

    /// Join the trees that a row moves.
    fn connect(&self, scratch: &mut IslandScratch) {
        let trees = self.model.ntree;
        scratch.lower.clear();
        scratch.lower.resize(trees, -1);
        scratch.read.clear();
        scratch.read.resize(self.table.nefc, UNREAD);
        let mut previous = None;
        for row in 0..self.table.nefc {
            let constraint = (self.table.efc_type[row], self.table.efc_id[row]);
            if previous == Some(constraint) && !self.varies(row) {
                continue;
            }
            previous = Some(constraint);
            if trees == 1 && scratch.lower[0] >= 0 {
                // Nothing is left to find.
                return;
            }
            match self.first(row) {
                Trees::Known(first, second) => scratch.join(first, second),
                Trees::Scanned(first, mut index) => {
                    scratch.read[row] = first;
                    let (mut first, mut second) = (first, self.next(row, first, &mut index));
                    scratch.join(first, second);
                    while second != -1 {
                        let third = self.next(row, second, &mut index);
                        if third < 0 {
                            break;
                        }
                        (first, second) = (second, third);
                        scratch.join(first, second);
                    }
                }
            }
        }
    }
}

impl IslandScratch {
    /// The lowest tree of the group that `tree` is in. The way there becomes shorter for the next search.
    fn lowest(&mut self, mut tree: usize) -> usize {
        loop {
            let next = self.lower[tree] as usize;
            if next == tree {
                return tree;
            }
            self.lower[tree] = self.lower[next];
            tree = next;
        }
    }

    /// Join the groups of two trees; −1 stands for the static world, which joins nothing.
    fn join(&mut self, first: i32, second: i32) {
        let mut touched = [first, second].map(|tree| usize::try_from(tree).ok());
        for tree in touched.iter_mut().flatten() {
            if self.lower[*tree] < 0 {
                self.lower[*tree] = *tree as i32;
            }
            *tree = self.lowest(*tree);
        }
        if let [Some(first), Some(second)] = touched {
            self.lower[first.max(second)] = first.min(second) as i32;
        }
    }

    /// Number the groups in the order of their lowest trees; −1 for a tree no row moves. Returns how many there are.
    fn number_groups(&mut self, island: &mut Vec<i32>) -> usize {
        island.clear();
        let mut count = 0;
        for tree in 0..self.lower.len() {
            let number = if self.lower[tree] < 0 {
                -1
            } else {
                let lowest = self.lowest(tree);
                if lowest == tree {
                    count += 1;
                    count - 1
                } else {
                    island[lowest]
                }
            };
            island.push(number);
        }
        count as usize
    }
}

/// Running sum: `start[i]` is the sum of the counts before `i`.
fn start_of_each(start: &mut Vec<i32>, count: &[i32]) {
    start.clear();
    start.resize(count.len(), 0);
    sparse_structure::start_addresses(start, count);
}

fn refill(list: &mut Vec<i32>, length: usize) {
    list.clear();
    list.resize(length, 0);
}

/// The numbers from 0 up.
fn in_order(list: &mut Vec<i32>, length: usize) {
    list.clear();
    list.extend(0..length as i32);
}

fn copy<T: Copy>(list: &mut Vec<T>, source: &[T]) {
    list.clear();
    list.extend_from_slice(source);
}

fn sort_trees(model: &Model, islands: &mut Islands, scratch: &mut IslandScratch) {
    refill(&mut islands.island_ntree, islands.nisland);
    for island in &islands.tree_island {
        if *island >= 0 {
            islands.island_ntree[*island as usize] += 1;
        }
    }
    start_of_each(&mut islands.island_itreeadr, &islands.island_ntree);
    let constrained: i32 = islands.island_ntree.iter().sum();
    scratch.cursor.clear();
    scratch.cursor.extend_from_slice(&islands.island_itreeadr);
    scratch.cursor.push(constrained);
    islands.map_itree2tree.resize(model.ntree, 0);
    for tree in 0..model.ntree {
        let island = usize::try_from(islands.tree_island[tree]).unwrap_or(islands.nisland);
        islands.map_itree2tree[scratch.cursor[island] as usize] = tree as i32;
        scratch.cursor[island] += 1;
    }
}

/// Whether the only island holds every dof: then its parts are the whole model's in the same order.
fn is_whole(model: &Model, islands: &Islands) -> bool {
    islands.nisland == 1 && islands.nidof == model.nv
}

/// Dofs of a tree: the first and how many.
fn dofs_of_tree(model: &Model, tree: usize) -> (usize, usize) {
    (model.tree_dofadr[tree].max(0) as usize, model.tree_dofnum[tree].max(0) as usize)
}

/// Runs of trees of one island, each with its island, its first dof and its number of dofs.
fn runs_of_trees<'a>(
    model: &'a Model,
    tree_island: &'a [i32],
) -> impl Iterator<Item = (i32, usize, usize)> + 'a {
    let mut tree = 0;
    tree_island.chunk_by(|a, b| a == b).map(move |run| {
        let (first, _) = dofs_of_tree(model, tree);
        tree += run.len();
        let (last, count) = dofs_of_tree(model, tree - 1);
        (run[0], first, last + count - first)
    })
}

/// Write the numbers from `first` up.
fn fill_from(list: &mut [i32], first: usize) {
    for (number, slot) in (first as i32..).zip(list) {
        *slot = number;
    }
}

/// Dofs by island. Those of a tree stay side by side.
fn sort_dofs(model: &Model, inertia: &Inertia, islands: &mut Islands, scratch: &mut IslandScratch) {
    let nv = model.nv;
    refill(&mut islands.island_nv, islands.nisland);
    islands.dof_island.resize(nv, 0);
    for (island, first, count) in runs_of_trees(model, &islands.tree_island) {
        islands.dof_island[first..first + count].fill(island);
        if island >= 0 {
            islands.island_nv[island as usize] += count as i32;
        }
    }
    islands.nidof = islands.island_nv.iter().sum::<i32>() as usize;
    start_of_each(&mut islands.island_idofadr, &islands.island_nv);
    let whole = is_whole(model, islands);
    if whole {
        in_order(&mut islands.map_dof2idof, nv);
        in_order(&mut islands.map_idof2dof, nv);
    } else {
        scratch.cursor.clear();
        scratch.cursor.extend_from_slice(&islands.island_idofadr);
        scratch.cursor.push(islands.nidof as i32);
        islands.map_dof2idof.resize(nv, 0);
        islands.map_idof2dof.resize(nv, 0);
        for (island, first, count) in runs_of_trees(model, &islands.tree_island) {
            let cursor = &mut scratch.cursor[usize::try_from(island).unwrap_or(islands.nisland)];
            let place = *cursor as usize;
            *cursor += count as i32;
            fill_from(&mut islands.map_dof2idof[first..first + count], place);
            fill_from(&mut islands.map_idof2dof[place..place + count], first);
        }
    }
    islands.island_dofadr.clear();
    islands
        .island_dofadr
        .extend(islands.island_idofadr.iter().map(|first| islands.map_idof2dof[*first as usize]));

    if whole {
        copy(&mut islands.iM_rownnz, &model.M_rownnz);
        copy(&mut islands.iM_rowadr, &model.M_rowadr);
        copy(&mut islands.iM_colind, &model.M_colind);
        copy(&mut islands.iM, &inertia.M);
        copy(&mut islands.iLD, &inertia.qLD);
        copy(&mut islands.iLDiagInv, &inertia.qLDiagInv);
    } else {
        sort_inertia(model, inertia, islands);
    }
}

/// The inertia by island: the part of a tree is copied as a whole, and its columns move with its dofs.
fn sort_inertia(model: &Model, inertia: &Inertia, islands: &mut Islands) {
    let nidof = islands.nidof;
    for list in [&mut islands.iM_rownnz, &mut islands.iM_rowadr] {
        list.resize(nidof, 0);
    }
    islands.iM_colind.resize(model.nC, 0);
    for list in [&mut islands.iM, &mut islands.iLD] {
        list.resize(model.nC, 0.0);
    }
    islands.iLDiagInv.resize(nidof, 0.0);
    let (mut place, mut address) = (0, 0);
    for tree in &islands.map_itree2tree {
        if place == nidof {
            break;
        }
        let tree = *tree as usize;
        let (first, count) = dofs_of_tree(model, tree);
        let (from, to) = (first..first + count, place..place + count);
        let start = model.M_rowadr[first] as usize;
        let last = first + count - 1;
        let values = start..(model.M_rowadr[last] + model.M_rownnz[last]) as usize;
        let targets = address..address + values.len();

        islands.iM_rownnz[to.clone()].copy_from_slice(&model.M_rownnz[from.clone()]);
        islands.iLDiagInv[to.clone()].copy_from_slice(&inertia.qLDiagInv[from.clone()]);
        let moved = address as i32 - start as i32;
        for (out, row) in islands.iM_rowadr[to].iter_mut().zip(&model.M_rowadr[from]) {
            *out = row + moved;
        }
        let within = place as i32 - islands.island_idofadr[islands.tree_island[tree] as usize];
        let moved = within - first as i32;
        let columns = model.M_colind[values.clone()].iter();
        for (out, column) in islands.iM_colind[targets.clone()].iter_mut().zip(columns) {
            *out = column + moved;
        }
        islands.iM[targets.clone()].copy_from_slice(&inertia.M[values.clone()]);
        islands.iLD[targets.clone()].copy_from_slice(&inertia.qLD[values]);
        (place, address) = (place + count, targets.end);
    }
}

/// With one island, every row is in it and keeps its place.
fn keep_rows(rows: &RowTrees, islands: &mut Islands) {
    let table = rows.table;
    let count = table.nefc;
    refill(&mut islands.efc_island, count);
    copy(&mut islands.island_ne, &[table.ne as i32]);
    copy(&mut islands.island_nf, &[table.nf as i32]);
    copy(&mut islands.island_nefc, &[count as i32]);
    copy(&mut islands.island_iefcadr, &[0]);
    in_order(&mut islands.map_efc2iefc, count);
    in_order(&mut islands.map_iefc2efc, count);
    copy(&mut islands.iefc_type, &table.efc_type[..count]);
    copy(&mut islands.iefc_id, &table.efc_id[..count]);
    copy(&mut islands.iefc_frictionloss, &table.efc_frictionloss[..count]);
    copy(&mut islands.iefc_D, &table.efc_D[..count]);
    copy(&mut islands.iefc_R, &table.efc_R[..count]);
}

fn sort_rows(rows: &RowTrees, islands: &mut Islands, scratch: &mut IslandScratch) {
    if islands.nisland == 1 {
        keep_rows(rows, islands);
    } else {
        place_rows(rows, islands, scratch);
    }
    sort_jacobian(rows, islands);
}

fn place_rows(rows: &RowTrees, islands: &mut Islands, scratch: &mut IslandScratch) {
    let table = rows.table;
    let (count, nisland) = (table.nefc, islands.nisland);
    islands.efc_island.resize(count, 0);
    for list in [&mut islands.island_ne, &mut islands.island_nf, &mut islands.island_nefc] {
        refill(list, nisland);
    }
    let mut known = None;
    for row in 0..count {
        let constraint = (table.efc_type[row], table.efc_id[row]);
        let kind = kind_of(constraint.0);
        // What is known without reading a row holds for all rows of its constraint.
        let island = match known {
            Some((same, island)) if same == constraint => island,
            _ => {
                let found = match scratch.read.get(row) {
                    Some(&tree) if tree != UNREAD => Trees::Scanned(tree, 0),
                    _ => rows.first(row),
                };
                let (Trees::Known(tree, _) | Trees::Scanned(tree, _)) = found;
                let island = islands.tree_island[tree.max(0) as usize].max(0);
                known = matches!(found, Trees::Known(..)).then_some((constraint, island));
                island
            }
        };
        islands.efc_island[row] = island;
        let island = island as usize;
        islands.island_nefc[island] += 1;
        match kind {
            ConstraintType::Equality => islands.island_ne[island] += 1,
            ConstraintType::FrictionDof | ConstraintType::FrictionTendon => islands.island_nf[island] += 1,
            ConstraintType::LimitJoint
            | ConstraintType::LimitTendon
            | ConstraintType::ContactFrictionless
            | ConstraintType::ContactPyramidal
            | ConstraintType::ContactElliptic => {}
        }
    }
    start_of_each(&mut islands.island_iefcadr, &islands.island_nefc);
    scratch.cursor.clear();
    scratch.cursor.extend_from_slice(&islands.island_iefcadr);
    islands.map_efc2iefc.resize(count, 0);
    islands.map_iefc2efc.resize(count, 0);
    for row in 0..count {
        let island = islands.efc_island[row] as usize;
        let place = scratch.cursor[island];
        scratch.cursor[island] += 1;
        islands.map_efc2iefc[row] = place;
        islands.map_iefc2efc[place as usize] = row as i32;
    }
    let map = &islands.map_iefc2efc;
    for (target, source) in [(&mut islands.iefc_type, &table.efc_type), (&mut islands.iefc_id, &table.efc_id)]
    {
        target.resize(count, 0);
        dense::gather(target, source, map);
    }
    for (target, source) in [
        (&mut islands.iefc_frictionloss, &table.efc_frictionloss),
        (&mut islands.iefc_D, &table.efc_D),
        (&mut islands.iefc_R, &table.efc_R),
    ] {
        target.resize(count, 0.0);
        dense::gather(target, source, map);
    }
}

fn sort_jacobian(rows: &RowTrees, islands: &mut Islands) {
    let (model, table) = (rows.model, rows.table);
    let count = table.nefc;
    if rows.sparse {
        sort_sparse_jacobian(model, table, islands);
    } else if is_whole(model, islands) {
        islands.iefc_J.clear();
        islands.iefc_J.extend_from_slice(&table.efc_J[..count * model.nv]);
    } else {
        islands.iefc_J.resize(count * islands.nidof, 0.0);
        block_diagonal(
            &mut islands.iefc_J,
            islands.nidof,
            &table.efc_J,
            model.nv,
            &islands.map_iefc2efc,
            &islands.map_idof2dof,
            &islands.island_nefc,
            &islands.island_nv,
            Blocks { first_row: &islands.island_iefcadr, first_column: &islands.island_idofadr },
        );
    }
}

fn sort_sparse_jacobian(model: &Model, table: &Rows, islands: &mut Islands) {
    let count = table.nefc;
    if is_whole(model, islands) {
        for (target, source) in [
            (&mut islands.iefc_J_rownnz, &table.efc_J_rownnz),
            (&mut islands.iefc_J_rowadr, &table.efc_J_rowadr),
            (&mut islands.iefc_J_rowsuper, &table.efc_J_rowsuper),
        ] {
            target.clear();
            target.extend_from_slice(&source[..count]);
        }
        islands.iefc_J_colind.clear();
        islands.iefc_J_colind.extend_from_slice(&table.efc_J_colind[..table.nJ]);
        islands.iefc_J.clear();
        islands.iefc_J.extend_from_slice(&table.efc_J[..table.nJ]);
        return;
    }
    for list in [&mut islands.iefc_J_rownnz, &mut islands.iefc_J_rowadr, &mut islands.iefc_J_rowsuper] {
        list.resize(count, 0);
    }
    islands.iefc_J_colind.resize(table.nJ, 0);
    islands.iefc_J.resize(table.nJ, 0.0);
    block_diagonal_sparse(
        &mut RowsMut {
            values: &mut islands.iefc_J,
            rownnz: &mut islands.iefc_J_rownnz,
            rowadr: &mut islands.iefc_J_rowadr,
            colind: &mut islands.iefc_J_colind,
            rowsuper: &mut islands.iefc_J_rowsuper,
        },
        &table.efc_J,
        Pattern { rownnz: &table.efc_J_rownnz, rowadr: &table.efc_J_rowadr, colind: &table.efc_J_colind },
        &table.efc_J_rowsuper,
        &islands.map_iefc2efc,
        &islands.map_dof2idof,
        Blocks { first_row: &islands.island_iefcadr, first_column: &islands.island_idofadr },
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn islands_of(trees: usize, edges: &[(i32, i32)]) -> (usize, Vec<i32>) {
        let mut scratch = IslandScratch { lower: vec![-1; trees], ..IslandScratch::default() };
        for &(first, second) in edges {
            scratch.join(first, second);
        }
        let mut island = Vec::new();
        let count = scratch.number_groups(&mut island);
        (count, island)
    }

    #[test]
    fn coupled_trees_share_an_island_and_free_trees_have_none() {
        let (count, island) = islands_of(5, &[(3, 1), (1, 3), (4, -1)]);
        assert_eq!(count, 2);
        assert_eq!(island, [-1, 0, -1, 0, 1]);
    }

    #[test]
    fn a_late_row_joins_groups_and_the_lowest_tree_decides_their_number() {
        let (count, island) = islands_of(7, &[(6, 5), (2, 3), (1, -1), (5, 3), (4, 4), (6, 0)]);
        assert_eq!((count, island), (3, vec![0, 1, 0, 0, 2, 0, 0]));
    }

    #[test]
    fn the_static_world_joins_nothing() {
        let (count, island) = islands_of(3, &[(-1, 0), (2, -1)]);
        assert_eq!((count, island), (2, vec![0, -1, 1]));
    }
}
