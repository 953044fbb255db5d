//! Vertices in the world: fixed to a body each, or interpolated from the nodes of the cube around the flex.

use condyle_math::{Vec3, mat3, vec3};
use condyle_model::Model;

use super::{basis, nodes, vertices};
use crate::data::{Flexes, Kinematics};

/// `flexvert_xpos` of all flexes.
pub(super) fn positions(model: &Model, kinematics: &Kinematics, out: &mut Flexes) {
    for flex in 0..model.nflex {
        let centered = model.flex_centered[flex] != 0;
        let order = model.flex_interp[flex];
        if order == 0 {
            for vertex in vertices(model, flex) {
                let (local, body) = (model.flex_vert[vertex], model.flex_vertbodyid[vertex]);
                out.flexvert_xpos[vertex] = place(kinematics, body, local, centered);
            }
            continue;
        }
        let mut node_positions = [[0.0; 3]; basis::MAX_NODES];
        for (position, node) in node_positions.iter_mut().zip(nodes(model, flex)) {
            *position = place(kinematics, model.flex_nodebodyid[node], model.flex_node[node], centered);
        }
        for vertex in vertices(model, flex) {
            let rest = model.flex_vert0[vertex];
            out.flexvert_xpos[vertex] = basis::interpolate(rest, &node_positions, order as usize);
        }
    }
}

/// A point fixed to a body; in a centred flex all points are at the origins of their bodies.
fn place(kinematics: &Kinematics, body: i32, local: Vec3, centered: bool) -> Vec3 {
    let body = body.max(0) as usize;
    if centered {
        kinematics.xpos[body]
    } else {
        vec3::add(mat3::mul_vec(&kinematics.xmat[body], local), kinematics.xpos[body])
    }
}
