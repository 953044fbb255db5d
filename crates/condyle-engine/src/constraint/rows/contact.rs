//! Contacts: the relative motion of the two sides at the contact point, along the axes of the contact frame.
//!
//! A contact of dimension 1 is one row along the normal. Dimensions 3, 4 and 6 add sliding, spinning and rolling; with the elliptic
//! cone every dimension is a row, with the pyramidal cone every friction dimension gives a pair of rows
//! `normal ± friction · tangent`. Elements of flexes move with several bodies, see `contact_bodies.rs`; contacts of flexes that
//! push by themselves (`passive`) get no rows. Reference: `mj_instantiateContact`, `mj_contactJacobian`.

use condyle_math::{dense, matrix};
use condyle_model::{Cone, ConstraintType, Model};

use crate::constraint::contact_bodies;
use crate::data::scratch::sized;
use crate::data::{Contact, Flexes, Kinematics};
use crate::jacobian::chain::{self, Buffers};

use super::difference::{BodyPoint, PointJacobian};
use super::{Block, RowScratch, RowWriter};

/// Value of `exclude` for a contact that nothing can move.
pub(crate) const EXCLUDE_IMMOBILE: i32 = 3;
/// Value of `exclude` for a contact that acts as a passive force.
pub(crate) const EXCLUDE_PASSIVE: i32 = 4;

/// Work space of contacts that move with several bodies.
#[derive(Clone, Debug, Default)]
pub struct SeveralBodies {
    bodies: Vec<i32>,
    shares: Vec<f64>,
    sum: Vec<f64>,
    chain: Vec<i32>,
    chain_buffer: Vec<i32>,
    buffers: Buffers,
}

/// Take contacts of flexes that push by themselves out of the constraints.
pub(in crate::constraint) fn exclude_passive(model: &Model, contacts: &mut [Contact]) {
    if model.flex_passive.iter().all(|passive| *passive == 0) {
        return;
    }
    for contact in contacts {
        let passive = |flex: i32| usize::try_from(flex).is_ok_and(|flex| model.flex_passive[flex] != 0);
        if contact.flex.into_iter().any(passive) {
            contact.efc_address = -1;
            contact.exclude = EXCLUDE_PASSIVE;
        }
    }
}

/// Add the rows of the contacts that are not excluded.
pub(in crate::constraint) fn add(
    rows: &mut RowWriter,
    model: &Model,
    kinematics: &Kinematics,
    flexes: &Flexes,
    contacts: &mut [Contact],
    scratch: &mut RowScratch,
) {
    let pyramidal = model.opt.cone() == Some(Cone::Pyramidal);
    for (id, contact) in contacts.iter_mut().enumerate() {
        let known = (0..2).all(|side| contact_bodies::is_known(model, contact, side));
        if contact.exclude != 0 || !known {
            continue;
        }
        contact.efc_address = rows.table.nefc as i32;
        let width = rotate_to_frame(model, kinematics, flexes, contact, rows.sparse, scratch);
        if width == 0 {
            contact.efc_address = -1;
            contact.exclude = EXCLUDE_IMMOBILE;
        } else if contact.dim == 1 {
            push(
                rows,
                ConstraintType::ContactFrictionless,
                id,
                &scratch.first,
                &scratch.difference.columns,
                &[contact.dist],
                &[contact.includemargin],
            );
        } else if pyramidal {
            add_pyramid(rows, id, contact, width, scratch);
        } else {
            let dimension = contact.dim as usize;
            let (mut position, mut margin) = ([0.0; 6], [0.0; 6]);
            position[0] = contact.dist;
            margin[0] = contact.includemargin;
            push(
                rows,
                ConstraintType::ContactElliptic,
                id,
                &scratch.first,
                &scratch.difference.columns,
                &position[..dimension],
                &margin[..dimension],
            );
        }
    }
}

/// Fill `scratch.first` with one row per contact dimension, and `scratch.difference.columns` with the dofs of sparse storage; returns
/// the number of columns.
pub(crate) fn rotate_to_frame(
    model: &Model,
    kinematics: &Kinematics,
    flexes: &Flexes,
    contact: &Contact,
    sparse: bool,
    scratch: &mut RowScratch,
) -> usize {
    let RowScratch { difference, first, several, .. } = scratch;
    let dimension = contact.dim as usize;
    let bodies = [0, 1].map(|side| contact_bodies::single(model, contact, side));
    let width = match bodies {
        [Some(body1), Some(body2)] => difference.compute(
            model,
            kinematics,
            BodyPoint { body: body1, point: contact.pos },
            BodyPoint { body: body2, point: contact.pos },
            dimension > 3,
            sparse,
        ),
        _ => sum_over_bodies(model, kinematics, flexes, contact, sparse, difference, several),
    };
    if width == 0 {
        return 0;
    }
    first.clear();
    first.resize(dimension * width, 0.0);
    let translational = if dimension > 1 { 3 } else { 1 };
    matrix::mul(first, &contact.frame, &difference.translation, translational, 3, width);
    if dimension > 3 {
        matrix::mul(&mut first[3 * width..], &contact.frame, &difference.rotation, dimension - 3, 3, width);
    }
    width
}

/// The Jacobian of a contact as the sum over all bodies of either side, written to `result`.
fn sum_over_bodies(
    model: &Model,
    kinematics: &Kinematics,
    flexes: &Flexes,
    contact: &Contact,
    sparse: bool,
    result: &mut PointJacobian,
    scratch: &mut SeveralBodies,
) -> usize {
    let SeveralBodies { bodies, shares, sum, chain, chain_buffer, buffers } = scratch;
    bodies.clear();
    shares.clear();
    for (side, sign) in [(0, -1.0), (1, 1.0)] {
        contact_bodies::visit(model, flexes, contact, side, sign, |body, share| {
            bodies.push(body as i32);
            shares.push(share);
        });
    }
    if bodies.is_empty() {
        return 0;
    }
    let with_rotation = contact.dim > 3;
    let width = chain::sum(
        model,
        kinematics,
        sparse,
        sized(chain, model.nv),
        bodies,
        shares,
        contact.pos,
        sized(sum, 6 * model.nv),
        with_rotation,
        buffers,
        chain_buffer,
    );
    result.columns.clear();
    if sparse {
        result.columns.extend_from_slice(&chain[..width]);
    }
    result.width = width;
    result.translation.clear();
    result.translation.extend_from_slice(&sum[..3 * width]);
    result.rotation.clear();
    if with_rotation {
        result.rotation.extend_from_slice(&sum[3 * width..6 * width]);
    }
    width
}

fn add_pyramid(rows: &mut RowWriter, id: usize, contact: &Contact, width: usize, scratch: &mut RowScratch) {
    let RowScratch { difference, first: axes, second: edges, .. } = scratch;
    edges.resize(2 * width, 0.0);
    let normal = &axes[..width];
    for axis in 1..contact.dim as usize {
        let friction = contact.friction[axis - 1];
        let tangent = &axes[axis * width..][..width];
        let (plus, minus) = edges.split_at_mut(width);
        dense::add_scaled(plus, normal, tangent, friction);
        dense::add_scaled(minus, normal, tangent, -friction);
        push(
            rows,
            ConstraintType::ContactPyramidal,
            id,
            edges,
            &difference.columns,
            &[contact.dist; 2],
            &[contact.includemargin; 2],
        );
    }
}

fn push(
    rows: &mut RowWriter,
    kind: ConstraintType,
    id: usize,
    jacobian: &[f64],
    columns: &[i32],
    position: &[f64],
    margin: &[f64],
) {
    rows.push(&Block { kind, id, jacobian, columns, position, margin, frictionloss: 0.0 });
}
