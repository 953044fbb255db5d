//! Elasticity of bodies whose vertices are interpolated between 8 or 27 control nodes.
//!
//! The material is linear in a frame that turns with the body (co-rotational): the rotation `R` of the deformation gradient at the
//! centre is taken out of the node positions, `u = R x + c − x₀`, the force `K u` computed there and turned back. Damping is the same
//! matrix times the velocities of the nodes. Where nodes and bodies coincide, a body is taken for three translations; one with fewer
//! dofs moves and is pushed as any other point of a body is. Reference: `mj_flexInterpState`.

use condyle_math::{Quat, Vec3, mat3, matrix, quat, rotation, vec3};
use condyle_model::{Model, ObjectType};

use super::{Enabled, moves_by_three_dofs, overrun};
use crate::data::{Kinematics, Passive, SmoothScratch, State, Velocity, scratch};
use crate::jacobian::force;
use crate::position::flex::{basis, elements, nodes};
use crate::velocity::motion;

/// Middle of the body in its own coordinates, which run from 0 to 1.
const CENTER: Vec3 = [0.5; 3];

/// Positions, velocities and forces of the nodes of one flex.
#[derive(Clone, Debug, Default)]
pub struct NodeScratch {
    position: Vec<Vec3>,
    /// Displacements, then velocities.
    motion: Vec<Vec3>,
    /// Elastic and damping.
    force: [Vec<Vec3>; 2],
}

/// Bodies that carry the nodes of a flex.
pub fn node_bodies(model: &Model, flex: usize) -> &[i32] {
    &model.flex_nodebodyid[nodes(model, flex)]
}

/// Stiffness between the nodes: a square matrix over their coordinates, with the sign of a force. `None` if the model has no room
/// for it.
pub fn stiffness(model: &Model, flex: usize) -> Option<&[f64]> {
    let size = 3 * node_bodies(model, flex).len();
    model.flex_stiffness.get(elements(model, flex).start..)?.as_flattened().get(..size * size)
}

/// How the nodes lie and move.
#[derive(Clone, Copy)]
pub(super) struct Moving<'a> {
    pub state: &'a State,
    pub kinematics: &'a Kinematics,
    pub velocity: &'a Velocity,
}

/// Add the elastic and damping forces of the nodes to `qfrc_spring` and `qfrc_damper`.
pub(super) fn add(
    model: &Model,
    moving: Moving,
    flex: usize,
    enabled: Enabled,
    passive: &mut Passive,
    own: &mut NodeScratch,
    buffers: &mut SmoothScratch,
) {
    let Moving { state, kinematics, velocity } = moving;
    let Enabled { spring, damper } = enabled;
    let bodies = node_bodies(model, flex);
    let count = bodies.len();
    let Some(stiffness) = stiffness(model, flex) else { return };
    let position = scratch::sized(&mut own.position, count);
    let motion = scratch::sized(&mut own.motion, count);
    let [elastic, damping] = &mut own.force;
    let (elastic, damping) = (scratch::sized(elastic, count), scratch::sized(damping, count));

    positions(model, kinematics, flex, position);
    let to_body = unrotate(model, flex, position);
    if spring {
        for ((displacement, position), rest) in
            motion.iter_mut().zip(&*position).zip(&model.flex_node0[nodes(model, flex)])
        {
            *displacement = vec3::add_scaled(*position, *rest, -1.0);
        }
        matrix::mul_vec(elastic.as_flattened_mut(), stiffness, motion.as_flattened());
    }
    if damper {
        velocities(model, state, kinematics, velocity, flex, motion);
        for velocity in motion.iter_mut() {
            *velocity = quat::rotate_or_zero(*velocity, to_body);
        }
        matrix::mul_vec(damping.as_flattened_mut(), stiffness, motion.as_flattened());
    }

    let to_world = quat::conjugate(to_body);
    for (node, body) in bodies.iter().enumerate() {
        let body = *body as usize;
        let spring = spring.then(|| quat::rotate(elastic[node], to_world));
        let damper =
            damper.then(|| vec3::scale(quat::rotate(damping[node], to_world), model.flex_damping[flex]));
        if model.flex_centered[flex] == 0 || !moves_by_three_dofs(model, body) {
            let point = if model.flex_centered[flex] == 0 { position[node] } else { kinematics.xpos[body] };
            for (force, out) in [(spring, &mut passive.qfrc_spring), (damper, &mut passive.qfrc_damper)] {
                if force.is_some() {
                    force::apply(model, kinematics, force, None, point, body, out, buffers);
                }
            }
            continue;
        }
        if let Some(force) = spring {
            overrun::add_spring(model, passive, body, force);
        }
        if let Some(force) = damper {
            overrun::add_damper(model, passive, body, force);
        }
    }
}

/// World positions of the nodes.
pub fn positions(model: &Model, kinematics: &Kinematics, flex: usize, out: &mut [Vec3]) {
    let bodies = node_bodies(model, flex);
    let centered = model.flex_centered[flex] != 0;
    for ((out, body), local) in out.iter_mut().zip(bodies).zip(&model.flex_node[nodes(model, flex)]) {
        let body = *body as usize;
        *out = if centered {
            kinematics.xpos[body]
        } else {
            vec3::add(mat3::mul_vec(&kinematics.xmat[body], *local), kinematics.xpos[body])
        };
    }
}

/// Velocities of the nodes in world axes: of their dofs if nodes and bodies coincide, else of the bodies' centres of mass. A body that
/// coincides with its node and has fewer than three dofs moves with the velocity of its origin.
fn velocities(
    model: &Model,
    state: &State,
    kinematics: &Kinematics,
    velocity: &Velocity,
    flex: usize,
    out: &mut [Vec3],
) {
    let centered = model.flex_centered[flex] != 0;
    for (out, body) in out.iter_mut().zip(node_bodies(model, flex)) {
        let body = *body as usize;
        *out = if centered && moves_by_three_dofs(model, body) {
            overrun::velocity(model, state, body)
        } else {
            let kind = if centered { ObjectType::XBody } else { ObjectType::Body };
            let [_, _, _, x, y, z] =
                motion::object_velocity(model, kinematics, velocity, kind, body, false).unwrap_or_default();
            [x, y, z]
        };
    }
}

/// Turn world positions of the nodes into the frame of the body and return the rotation from world to body.
pub fn unrotate(model: &Model, flex: usize, positions: &mut [Vec3]) -> Quat {
    let order = if model.flex_interp[flex] == 1 { 1 } else { 2 };
    let gradient = basis::gradient(CENTER, positions, order);
    let to_body = quat::conjugate(rotation::extract(&gradient, quat::IDENTITY).0);
    for position in positions {
        *position = vec3::add(quat::rotate_or_zero(*position, to_body), CENTER);
    }
    to_body
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turned_and_stretched_body_gives_back_its_rotation() {
        let turn = quat::from_axis_angle([0.0, 0.6, 0.8], 0.7);
        for order in [1, 2] {
            let n = order + 1;
            let at = |place: usize| place as f64 / (n - 1) as f64;
            let mut nodes: Vec<Vec3> = (0..n * n * n)
                .map(|i| [1.5 * at(i / (n * n)), at(i / n % n), 0.75 * at(i % n)])
                .map(|node| quat::rotate(node, turn))
                .collect();
            let model = Model { flex_interp: vec![order as i32].into(), ..Model::default() };
            let found = unrotate(&model, 0, &mut nodes);
            for (a, b) in found.iter().zip(quat::conjugate(turn)) {
                assert!((a - b).abs() < 1e-8);
            }
            for (x, expected) in nodes[n * n * n - 1].iter().zip([2.0, 1.5, 1.25]) {
                assert!((x - expected).abs() < 1e-8);
            }
        }
    }
}
