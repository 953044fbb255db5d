//! Force and torque of a contact in its own frame. Reference: `mj_contactForce`.

use condyle_math::Spatial;
use condyle_model::{Cone, Model};

use super::pyramid;
use crate::data::{Contact, Solution};

/// Force (normal first) and torque that a contact applies to its second geom, in the contact frame; zero when it is no constraint.
pub fn contact_force(model: &Model, solution: &Solution, contact: &Contact) -> Spatial {
    let mut result = [0.0; 6];
    let dim = contact.dim.clamp(0, 6) as usize;
    let Ok(start) = usize::try_from(contact.efc_address) else { return result };
    let Some(rows) = solution.efc_force.get(start..) else { return result };
    if model.opt.cone() == Some(Cone::Pyramidal) {
        let used = if dim == 1 { 1 } else { 2 * dim.saturating_sub(1) };
        if dim > 0 && rows.len() >= used {
            pyramid::decode(&mut result[..dim], &rows[..used], &contact.friction);
        }
    } else if rows.len() >= dim {
        result[..dim].copy_from_slice(&rows[..dim]);
    }
    result
}
