//! Reference acceleration of each row: `aref = −B·(J q̇) − K·d·(pos − margin)`, a critically damped return to the constraint.
//!
//! Reference: `mj_referenceConstraint`.

use condyle_model::Model;

use crate::data::Constraint;

use super::jacobian;

/// Fill `efc_vel` and `efc_aref`.
pub fn make(model: &Model, table: &mut Constraint, qvel: &[f64]) {
    let mut velocity = std::mem::take(&mut table.efc_vel);
    jacobian::of(model, table).mul_vec(&mut velocity, qvel);
    table.efc_vel = velocity;
    for row in 0..table.nefc {
        let [stiffness, damping, impedance, _] = table.efc_KBIP[row];
        table.efc_aref[row] = -damping * table.efc_vel[row]
            - stiffness * impedance * (table.efc_pos[row] - table.efc_margin[row]);
    }
}
