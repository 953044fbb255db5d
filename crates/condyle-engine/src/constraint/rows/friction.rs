//! Dry friction of dofs and tendons: one row each, whose force is limited to the friction loss.
//!
//! Reference: `mj_instantiateFriction`.

use condyle_model::{ConstraintType, Model};

use crate::data::Tendons;

use super::equality::tendon_row;
use super::{Block, RowScratch, RowWriter, SleepFilter};

/// Add a row for every dof, then every tendon, that has friction loss.
pub(in crate::constraint) fn add(
    rows: &mut RowWriter,
    model: &Model,
    tendons: &Tendons,
    sleep: SleepFilter,
    scratch: &mut RowScratch,
) {
    let jacobian = &mut scratch.first;
    jacobian.clear();
    jacobian.resize(if rows.sparse { 1 } else { model.nv }, 0.0);
    for dof in sleep.awake.dofs(model).iter() {
        let frictionloss = model.dof_frictionloss[dof];
        if frictionloss == 0.0 || sleep.skips_body(model.dof_bodyid[dof]) {
            continue;
        }
        let place = if rows.sparse { 0 } else { dof };
        jacobian[place] = 1.0;
        rows.push(&Block {
            kind: ConstraintType::FrictionDof,
            id: dof,
            jacobian,
            columns: &[dof as i32],
            position: &[0.0],
            margin: &[0.0],
            frictionloss,
        });
        jacobian[place] = 0.0;
    }
    for tendon in 0..model.ntendon {
        let frictionloss = model.tendon_frictionloss[tendon];
        if frictionloss > 0.0 {
            let row = rows.table.nefc as i32;
            let (jacobian, columns) = tendon_row(rows, tendons, tendon);
            rows.push(&Block {
                kind: ConstraintType::FrictionTendon,
                id: tendon,
                jacobian,
                columns,
                position: &[0.0],
                margin: &[0.0],
                frictionloss,
            });
            if rows.table.tendon_efcadr[tendon] == -1 {
                rows.table.tendon_efcadr[tendon] = row;
            }
        }
    }
}
