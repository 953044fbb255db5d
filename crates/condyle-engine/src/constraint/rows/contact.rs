//! Contacts: the relative motion of the two bodies at the contact point, along the axes of the contact frame.
//!
//! A contact of dimension 1 is one row along the normal. Dimensions 3, 4 and 6 add sliding, spinning and rolling; with the elliptic
//! cone every dimension is a row, with the pyramidal cone every friction dimension gives a pair of rows
//! `normal ± friction · tangent`. Reference: `mj_instantiateContact`.

use condyle_math::{dense, matrix};
use condyle_model::{Cone, ConstraintType, Model};

use crate::data::{Contact, Kinematics};

use super::difference::BodyPoint;
use super::{Block, RowScratch, RowWriter};

/// Value of `exclude` for a contact that nothing can move.
const EXCLUDE_IMMOBILE: i32 = 3;

/// Add the rows of the contacts that are not excluded.
pub(in crate::constraint) fn add(
    rows: &mut RowWriter,
    model: &Model,
    kinematics: &Kinematics,
    contacts: &mut [Contact],
    scratch: &mut RowScratch,
) {
    let pyramidal = model.opt.cone == Cone::Pyramidal as i32;
    for (id, contact) in contacts.iter_mut().enumerate() {
        if contact.exclude != 0 || contact.geom[0] < 0 || contact.geom[1] < 0 {
            continue;
        }
        contact.efc_address = rows.table.nefc as i32;
        let width = rotate_to_frame(rows, model, kinematics, contact, scratch);
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

/// Fill `scratch.first` with one row per contact dimension; returns the number of columns.
fn rotate_to_frame(
    rows: &RowWriter,
    model: &Model,
    kinematics: &Kinematics,
    contact: &Contact,
    scratch: &mut RowScratch,
) -> usize {
    let body1 = model.geom_bodyid[contact.geom[0] as usize] as usize;
    let body2 = model.geom_bodyid[contact.geom[1] as usize] as usize;
    let RowScratch { difference, first, .. } = scratch;
    let dimension = contact.dim as usize;
    let width = difference.compute(
        model,
        kinematics,
        BodyPoint { body: body1, point: contact.pos },
        BodyPoint { body: body2, point: contact.pos },
        dimension > 3,
        rows.sparse,
    );
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
