//! Contacts of deformable bodies that push by themselves: instead of constraint rows, a spring along the contact normal,
//! `−stiffness · distance`. It also pulls where the distance is positive.
//!
//! Reference: `mj_contactPassive`.

use condyle_math::dense;
use condyle_model::{Model, disable};

use crate::constraint::contact_bodies;
use crate::constraint::rows::RowScratch;
use crate::constraint::rows::contact::{EXCLUDE_IMMOBILE, EXCLUDE_PASSIVE, rotate_to_frame};
use crate::data::{Contact, Flexes, Kinematics, Passive};
use crate::jacobian::is_sparse;

/// Stiffness of the spring, N/m.
const STIFFNESS: f64 = 1e4;

/// Add the forces of passive contacts to `qfrc_spring`, whether springs are enabled or not.
pub fn contact_forces(
    model: &Model,
    kinematics: &Kinematics,
    flexes: &Flexes,
    contacts: &mut [Contact],
    passive: &mut Passive,
    buffers: &mut RowScratch,
) {
    if model.nflex == 0 || model.opt.disableflags & disable::CONTACT != 0 || model.nv == 0 {
        return;
    }
    let sparse = is_sparse(model);
    for contact in contacts.iter_mut().filter(|contact| contact.exclude == EXCLUDE_PASSIVE) {
        contact.efc_address = -1;
        if !(0..2).all(|side| contact_bodies::is_known(model, contact, side)) {
            continue;
        }
        let width = rotate_to_frame(model, kinematics, flexes, contact, sparse, buffers);
        if width == 0 {
            contact.exclude = EXCLUDE_IMMOBILE;
            continue;
        }
        let normal = &buffers.first[..width];
        let force = -STIFFNESS * contact.dist;
        if sparse {
            for (dof, rate) in buffers.difference.columns.iter().zip(normal) {
                passive.qfrc_spring[*dof as usize] += rate * force;
            }
        } else {
            dense::add_scaled_to(&mut passive.qfrc_spring, normal, force);
        }
    }
}
