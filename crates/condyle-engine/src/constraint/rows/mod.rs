//! Constraint rows, one file per kind of constraint, in the order that decides row numbers: equalities, dry friction, limits,
//! contacts.
//!
//! A constraint adds one or more rows of the Jacobian `J`, and for each row its position error, the margin inside which it acts
//! and, for dry friction, the largest force. `J` is stored densely (`nv` columns) or as compressed sparse rows; the storage also
//! decides which rows are dropped: dense storage drops a constraint whose rows are all zero, sparse storage one whose rows have no
//! columns. Contacts are never dropped here. Reference: `mj_makeConstraint`.

pub mod contact;
pub mod difference;
pub mod equality;
pub(crate) mod flex;
pub mod friction;
pub mod limit;

use condyle_math::sparse::Pattern;
use condyle_math::{dense, sparse_structure};
use condyle_model::{ConstraintType, Model, disable, enable};

use crate::data::{
    Awake, Contact, Dual, Flexes, Inputs, Kinematics, RowMotion, Rows, Solution, State, Tendons,
};

use crate::jacobian::is_sparse;
use difference::PointJacobian;

/// Work space of the row builders.
#[derive(Clone, Debug, Default)]
pub struct RowScratch {
    pub(crate) difference: PointJacobian,
    pub(crate) first: Vec<f64>,
    pub(super) second: Vec<f64>,
    pub(super) columns: Vec<i32>,
    pub(super) several: contact::SeveralBodies,
}

/// One constraint: as many rows as it has positions.
pub(super) struct Block<'a> {
    pub kind: ConstraintType,
    /// Number of the equality, dof, joint, tendon or contact.
    pub id: usize,
    /// Rows of the Jacobian, each with `columns.len()` values, or `nv` values in dense storage.
    pub jacobian: &'a [f64],
    /// Columns of the values; ignored in dense storage.
    pub columns: &'a [i32],
    pub position: &'a [f64],
    pub margin: &'a [f64],
    pub frictionloss: f64,
}

/// Appends rows to the constraint arrays.
pub(super) struct RowWriter<'a> {
    pub table: &'a mut Rows,
    pub sparse: bool,
    pub nv: usize,
    /// Rows offered, dropped ones included.
    offered: usize,
}

impl<'a> RowWriter<'a> {
    fn new(table: &'a mut Rows, sparse: bool, nv: usize) -> Self {
        Self { table, sparse, nv, offered: 0 }
    }

    /// Add an equality, which has neither margin nor dry friction, unless it is empty.
    fn push_equality(&mut self, id: usize, jacobian: &[f64], columns: &[i32], position: &[f64]) {
        self.push(&Block {
            kind: ConstraintType::Equality,
            id,
            jacobian,
            columns,
            position,
            margin: &[0.0; 6][..position.len()],
            frictionloss: 0.0,
        });
    }

    /// Add one constraint unless it is empty.
    pub(super) fn push(&mut self, block: &Block) {
        let rows = block.position.len();
        let is_contact = block.kind >= ConstraintType::ContactFrictionless;
        let table = &mut *self.table;
        self.offered += rows;
        if self.sparse {
            let width = block.columns.len();
            if width == 0 && !is_contact {
                return;
            }
            let first = table.efc_J.len();
            for row in 0..rows {
                table.efc_J_rowadr.push((first + row * width) as i32);
                table.efc_J_rownnz.push(width as i32);
                table.efc_J_colind.extend_from_slice(block.columns);
            }
            table.efc_J.extend_from_slice(&block.jacobian[..rows * width]);
        } else {
            let values = &block.jacobian[..rows * self.nv];
            if !is_contact && dense::is_zero(values) {
                return;
            }
            table.efc_J.extend_from_slice(values);
        }
        table.efc_pos.extend_from_slice(block.position);
        table.efc_margin.extend_from_slice(block.margin);
        let count = table.efc_type.len() + rows;
        table.efc_frictionloss.resize(count, block.frictionloss);
        table.efc_type.resize(count, block.kind as i32);
        table.efc_id.resize(count, block.id as i32);
        table.nefc += rows;
        match block.kind {
            ConstraintType::Equality => table.ne += rows,
            ConstraintType::FrictionDof | ConstraintType::FrictionTendon => table.nf += rows,
            ConstraintType::LimitJoint | ConstraintType::LimitTendon => table.nl += rows,
            _ => {}
        }
    }
}

/// Which bodies are asleep, when any are.
#[derive(Clone, Copy)]
pub(super) struct SleepFilter<'a> {
    pub active: bool,
    pub awake: &'a Awake,
}

impl<'a> SleepFilter<'a> {
    fn new(model: &Model, awake: &'a Awake) -> Self {
        let active = model.opt.enableflags & enable::SLEEP != 0 && awake.ntree_awake < model.ntree;
        Self { active, awake }
    }

    /// Whether `body` takes no part in the step because its tree sleeps.
    pub(super) fn skips_body(&self, body: i32) -> bool {
        self.active && self.awake.body_awake[body as usize] == crate::sleep::SleepState::Asleep as i32
    }
}

/// Instantiate every active constraint.
pub fn make(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    awake: &Awake,
    kinematics: &Kinematics,
    flexes: &Flexes,
    tendons: &Tendons,
    contacts: &mut [Contact],
    out: &mut Rows,
    scratch: &mut RowScratch,
) {
    clear(out);
    out.tendon_efcadr.resize(model.ntendon, -1);
    let flags = model.opt.disableflags;
    if flags & disable::CONSTRAINT != 0 {
        return;
    }
    let sleep = SleepFilter::new(model, awake);
    let mut rows = RowWriter::new(out, is_sparse(model), model.nv);
    if flags & disable::EQUALITY == 0 && model.nemax > 0 {
        let poses = equality::Poses { qpos: &state.qpos, kinematics, flexes, tendons };
        equality::add(&mut rows, model, &inputs.eq_active, &poses, sleep, scratch);
    }
    if flags & disable::FRICTIONLOSS == 0 {
        friction::add(&mut rows, model, tendons, sleep, scratch);
    }
    if flags & disable::LIMIT == 0 {
        limit::add(&mut rows, model, &state.qpos, tendons, sleep, scratch);
    }
    if flags & disable::CONTACT == 0 {
        contact::exclude_passive(model, contacts);
    }
    if flags & disable::CONTACT == 0 && model.nv > 0 {
        contact::add(&mut rows, model, kinematics, flexes, contacts, scratch);
    }
    let (sparse, offered) = (rows.sparse, rows.offered);
    out.nJ = if sparse { out.efc_J.len() } else { offered * model.nv };
    let rows = out.nefc;
    for column in [&mut out.efc_diagApprox, &mut out.efc_D, &mut out.efc_R] {
        column.resize(rows, 0.0);
    }
    out.efc_KBIP.resize(rows, [0.0; 4]);
    if sparse && rows > 0 {
        out.efc_J_rowsuper.resize(rows, 0);
        let pattern =
            Pattern { rownnz: &out.efc_J_rownnz, rowadr: &out.efc_J_rowadr, colind: &out.efc_J_colind };
        sparse_structure::supernodes(&mut out.efc_J_rowsuper, pattern);
    }
}

/// Forget all rows, keeping the memory.
fn clear(table: &mut Rows) {
    (table.ne, table.nf, table.nl, table.nefc, table.nJ) = (0, 0, 0, 0, 0);
    for column in [
        &mut table.efc_type,
        &mut table.efc_id,
        &mut table.efc_J_rownnz,
        &mut table.efc_J_rowadr,
        &mut table.efc_J_rowsuper,
        &mut table.efc_J_colind,
        &mut table.tendon_efcadr,
    ] {
        column.clear();
    }
    for column in [
        &mut table.efc_J,
        &mut table.efc_pos,
        &mut table.efc_margin,
        &mut table.efc_frictionloss,
        &mut table.efc_diagApprox,
        &mut table.efc_D,
        &mut table.efc_R,
    ] {
        column.clear();
    }
    table.efc_KBIP.clear();
}

/// Give what later stages fill one zero per row, and leave the dual matrix without entries.
pub fn make_room(rows: &Rows, dual: &mut Dual, motion: &mut RowMotion, solution: &mut Solution) {
    dual.nA = 0;
    for column in [&mut dual.efc_AR_rownnz, &mut dual.efc_AR_rowadr, &mut dual.efc_AR_colind] {
        column.clear();
    }
    dual.efc_AR.clear();
    for column in [&mut motion.efc_vel, &mut motion.efc_aref, &mut motion.efc_b, &mut solution.efc_force] {
        column.clear();
        column.resize(rows.nefc, 0.0);
    }
    solution.efc_state.clear();
    solution.efc_state.resize(rows.nefc, 0);
}

/// No rows, and no room for what is found of them; the counts of their kinds stay, as in the reference.
pub fn forget(rows: &mut Rows, dual: &mut Dual, motion: &mut RowMotion, solution: &mut Solution) {
    let (ne, nf, nl, tendons) = (rows.ne, rows.nf, rows.nl, rows.tendon_efcadr.len());
    rows.clear();
    (rows.ne, rows.nf, rows.nl) = (ne, nf, nl);
    rows.tendon_efcadr.resize(tendons, -1);
    make_room(rows, dual, motion, solution);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block<'a>(kind: ConstraintType, jacobian: &'a [f64], columns: &'a [i32]) -> Block<'a> {
        Block { kind, id: 7, jacobian, columns, position: &[0.5], margin: &[0.0], frictionloss: 0.0 }
    }

    #[test]
    fn dense_storage_drops_zero_rows_except_contacts() {
        let mut table = Rows::default();
        let mut rows = RowWriter::new(&mut table, false, 2);
        rows.push(&block(ConstraintType::Equality, &[0.0, -0.0], &[]));
        rows.push(&block(ConstraintType::LimitJoint, &[0.0, 1.0], &[]));
        rows.push(&block(ConstraintType::ContactFrictionless, &[0.0, 0.0], &[]));
        assert_eq!(rows.offered, 3);
        assert_eq!((table.ne, table.nl, table.nefc), (0, 1, 2));
        assert_eq!(table.efc_J, [0.0, 1.0, 0.0, 0.0]);
    }

    #[test]
    fn sparse_storage_drops_rows_without_columns_but_keeps_zeros() {
        let mut table = Rows::default();
        let mut rows = RowWriter::new(&mut table, true, 4);
        rows.push(&block(ConstraintType::Equality, &[], &[]));
        rows.push(&block(ConstraintType::Equality, &[0.0], &[3]));
        rows.push(&block(ConstraintType::FrictionDof, &[1.0, 2.0], &[0, 1]));
        assert_eq!((table.ne, table.nf, table.nefc), (1, 1, 2));
        assert_eq!(table.efc_J_rowadr, [0, 1]);
        assert_eq!(table.efc_J_colind, [3, 0, 1]);
    }
}
