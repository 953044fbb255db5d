//! What each row aims at: `aref = −B·(J q̇) − K·d·(pos − margin)`, a critically damped return to the constraint, and how far the
//! acceleration without constraints misses it.
//!
//! Reference: `mj_referenceConstraint`, `mj_fwdConstraint`.

use condyle_math::dense;
use condyle_model::Model;

use crate::data::{RowMotion, Rows, Smooth, State};

use super::jacobian;

/// Fill `efc_vel` and `efc_aref`.
pub fn make(model: &Model, state: &State, rows: &Rows, out: &mut RowMotion) {
    jacobian::of(model, rows).mul_vec(&mut out.efc_vel, &state.qvel);
    for row in 0..rows.nefc {
        let [stiffness, damping, impedance, _] = rows.efc_KBIP[row];
        out.efc_aref[row] =
            -damping * out.efc_vel[row] - stiffness * impedance * (rows.efc_pos[row] - rows.efc_margin[row]);
    }
}

/// Fill `efc_b`: `J qacc_smooth − aref`.
pub fn offset(model: &Model, rows: &Rows, smooth: &Smooth, out: &mut RowMotion) {
    if rows.nefc > 0 {
        jacobian::of(model, rows).mul_vec(&mut out.efc_b, &smooth.qacc_smooth);
        dense::sub_from(&mut out.efc_b, &out.efc_aref);
    }
}
