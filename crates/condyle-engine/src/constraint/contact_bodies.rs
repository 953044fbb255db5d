//! Which bodies one side of a contact moves with, and in which shares.
//!
//! A geom moves with its body, a vertex of a flex with its own. The point of an element moves with its vertices, the nearer ones more:
//! their shares are the inverse distances, divided by the sum. If the other side of the contact is one of these vertices, the
//! others share alone. In an interpolated flex the vertices are mixtures of nodes; the shares are then those of the nodes at the
//! vertices' mean place, and shares below 1e-5 are left out.
//! Reference: `mj_elemBodyWeight`, `mj_vertBodyWeight`.

use condyle_math::{MIN_VALUE, scalar, vec3};
use condyle_model::Model;

use crate::collision::shape::part;
use crate::data::{Contact, Flexes};
use crate::position::flex::basis;

/// Smallest share of a node.
const MIN_SHARE: f64 = 1e-5;

/// Whether a side of a contact is a geom or a part of a flex that the model has. Programs may write anything into a contact.
pub(crate) fn is_known(model: &Model, contact: &Contact, side: usize) -> bool {
    if let Ok(geom) = usize::try_from(contact.geom[side]) {
        return geom < model.ngeom;
    }
    let Some(flex) = usize::try_from(contact.flex[side]).ok().filter(|flex| *flex < model.nflex) else {
        return false;
    };
    contact.vert[side] < model.flex_vertnum[flex]
}

/// The body of a side that moves with a single one: a geom, or a vertex that is not interpolated.
pub(crate) fn single(model: &Model, contact: &Contact, side: usize) -> Option<usize> {
    if let Ok(geom) = usize::try_from(contact.geom[side]) {
        return Some(model.geom_bodyid[geom] as usize);
    }
    let flex = usize::try_from(contact.flex[side]).ok()?;
    if contact.vert[side] < 0 || model.flex_interp[flex] != 0 {
        return None;
    }
    let vertex = (model.flex_vertadr[flex] + contact.vert[side]) as usize;
    usize::try_from(model.flex_vertbodyid[vertex]).ok()
}

/// Call `visit` with the bodies of a side and their shares times `sign`, which is 1 or −1.
pub(crate) fn visit(
    model: &Model,
    flexes: &Flexes,
    contact: &Contact,
    side: usize,
    sign: f64,
    mut visit: impl FnMut(usize, f64),
) {
    if let Ok(geom) = usize::try_from(contact.geom[side]) {
        visit(model.geom_bodyid[geom] as usize, sign);
        return;
    }
    let Ok(flex) = usize::try_from(contact.flex[side]) else { return };
    let (vertices, shares, count) = vertex_shares(model, flexes, flex, contact, side, sign);
    let parts = vertices[..count].iter().zip(&shares[..count]);
    if model.flex_interp[flex] == 0 {
        for (vertex, share) in parts {
            if let Ok(body) = usize::try_from(model.flex_vertbodyid[*vertex]) {
                visit(body, *share);
            }
        }
        return;
    }
    if count == 0 {
        return;
    }
    // The sign goes into the place, as it does in the reference: the shares of a first side are those at the mirrored place.
    let mut place = [0.0; 3];
    for (vertex, share) in parts {
        place = vec3::add_scaled(place, model.flex_vert0[*vertex], *share);
    }
    let order = model.flex_interp[flex] as usize;
    let bodies = part(&model.flex_nodebodyid, model.flex_nodeadr[flex], model.flex_nodenum[flex]);
    for (node, body) in bodies.iter().enumerate() {
        let share = basis::weight(place, node, order);
        if !(share < MIN_SHARE) {
            visit(*body as usize, share);
        }
    }
}

/// Vertices of a side, counted over all flexes, their shares and their number.
fn vertex_shares(
    model: &Model,
    flexes: &Flexes,
    flex: usize,
    contact: &Contact,
    side: usize,
    sign: f64,
) -> ([usize; 4], [f64; 4], usize) {
    let first = model.flex_vertadr[flex].max(0) as usize;
    let (mut vertices, mut shares, mut count) = ([0; 4], [0.0; 4], 0);
    if let Ok(vertex) = usize::try_from(contact.vert[side]) {
        vertices[0] = first + vertex;
        shares[0] = sign;
        return (vertices, shares, 1);
    }
    let width = model.flex_dim[flex] + 1;
    let start = model.flex_elemdataadr[flex].saturating_add(contact.elem[side].saturating_mul(width));
    for corner in part(&model.flex_elem, start, width).iter().take(4) {
        if *corner == contact.vert[1 - side] {
            continue;
        }
        vertices[count] = first + *corner as usize;
        let distance = vec3::distance(contact.pos, flexes.flexvert_xpos[vertices[count]]);
        shares[count] = 1.0 / scalar::max(MIN_VALUE, distance);
        count += 1;
    }
    let sum: f64 = shares[..count].iter().sum();
    let scale = 1.0 / sum;
    for share in &mut shares[..count] {
        *share = *share * scale * sign;
    }
    (vertices, shares, count)
}
