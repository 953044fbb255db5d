//! Bending of thin plates: every inner edge with its two triangles, a flap, resists folding.
//!
//! The energy is quadratic in the four vertices, `½ xᵀ B x`, with a correction for shells that are curved at rest, whose force is a
//! multiple of the gradient of the flap's volume. Damping is the same matrix times the velocities.

use condyle_math::{Vec3, vec3};
use condyle_model::Model;

use super::{Enabled, moves_by_three_dofs, overrun};
use crate::data::{Flexes, Passive, State};
use crate::position::flex::{edges, vertices};

/// Products of two numbers below are finite.
const MAX_ORDINARY: f64 = 1e150;

/// Add the bending forces of a flex of triangles to `qfrc_spring` and `qfrc_damper`.
pub(super) fn add(
    model: &Model,
    state: &State,
    flexes: &Flexes,
    out: &mut Passive,
    flex: usize,
    enabled: Enabled,
) {
    let vertices = vertices(model, flex);
    let positions = &flexes.flexvert_xpos[vertices.clone()];
    let owners = &model.flex_vertbodyid[vertices];
    let damping = model.flex_damping[flex];
    let edges = edges(model, flex);
    // Edges without coefficients matter only to numbers that a product with zero does not make zero.
    let ordinary = |x: &f64| x.abs() < MAX_ORDINARY;
    let skips_zeros = positions.as_flattened().iter().all(ordinary)
        && state.qvel.iter().chain(state.qpos.last()).all(ordinary)
        && damping.is_finite();
    let flaps = model.flex_edge[edges.clone()].iter().zip(&model.flex_edgeflap[edges.clone()]);
    for (([start, end], [left, right]), coefficients) in flaps.zip(&model.flex_bending[edges]) {
        // Edges at the border have one triangle only.
        if *left < 0 || *right < 0 || (skips_zeros && coefficients.iter().all(|x| *x == 0.0)) {
            continue;
        }
        let flap = [*start, *end, *left, *right].map(|vertex| vertex as usize);
        let bodies = flap.map(|vertex| owners[vertex].max(0) as usize);
        if enabled.spring {
            let force = spring(coefficients, &flap.map(|vertex| positions[vertex]));
            distribute(model, &mut out.qfrc_spring, &bodies, &force, |force| force);
        }
        if enabled.damper {
            let velocity = bodies.map(|body| padded(velocity(model, state, body)));
            let force = product(coefficients, &velocity);
            distribute(model, &mut out.qfrc_damper, &bodies, &force, |force| force * damping);
        }
    }
}

/// The velocities of a body's own dofs, and zeros where it has fewer than three.
fn velocity(model: &Model, state: &State, body: usize) -> Vec3 {
    if moves_by_three_dofs(model, body) {
        return overrun::velocity(model, state, body);
    }
    let start = model.body_dofadr[body].max(0) as usize;
    let own = &state.qvel[start..start + model.body_dofnum[body].max(0) as usize];
    if let Some(three) = own.first_chunk() {
        return *three;
    }
    std::array::from_fn(|k| own.get(k).copied().unwrap_or(0.0))
}

/// A vector filled up to four numbers that are computed with at once.
type Padded = [f64; 4];

#[inline(always)]
fn padded(v: Vec3) -> Padded {
    [v[0], v[1], v[2], 0.0]
}

/// The 4×4 matrix of the flap times one vector per vertex.
#[inline(always)]
fn product(coefficients: &[f64; 17], vectors: &[Padded; 4]) -> [Padded; 4] {
    let mut result = [[0.0; 4]; 4];
    for (sum, row) in result.iter_mut().zip(coefficients.chunks_exact(4)) {
        for (vector, coefficient) in vectors.iter().zip(row) {
            for k in 0..4 {
                sum[k] += vector[k] * coefficient;
            }
        }
    }
    result
}

/// Bending force of the flap, with the opposite sign.
#[inline(always)]
fn spring(coefficients: &[f64; 17], position: &[Vec3; 4]) -> [Padded; 4] {
    let mut force = product(coefficients, &position.map(padded));
    for (force, curvature) in force.iter_mut().zip(volume_gradient(position)) {
        let curvature = padded(curvature);
        for k in 0..4 {
            force[k] += curvature[k] * coefficients[16];
        }
    }
    force
}

/// Gradient of six times the volume that the four vertices span.
fn volume_gradient(position: &[Vec3; 4]) -> [Vec3; 4] {
    let [origin, ends @ ..] = position;
    let [a, b, c] = ends.map(|end| vec3::sub(end, *origin));
    let gradient = [vec3::cross(b, c), vec3::cross(c, a), vec3::cross(a, b)];
    let first = std::array::from_fn(|i| -(gradient[0][i] + gradient[1][i] + gradient[2][i]));
    [first, gradient[0], gradient[1], gradient[2]]
}

/// Subtract the force on each vertex from the dofs of its body, as if these were translations along the axes of the world.
///
/// A body with more than three dofs takes its further components from the vertices that follow; the last has none.
fn distribute(
    model: &Model,
    out: &mut [f64],
    bodies: &[usize; 4],
    force: &[Padded; 4],
    scaled: impl Fn(f64) -> f64,
) {
    for (i, body) in bodies.iter().enumerate() {
        let start = model.body_dofadr[*body].max(0) as usize;
        let number = model.body_dofnum[*body].max(0) as usize;
        if number == 3
            && let Some(dofs) = out[start..].first_chunk_mut::<3>()
        {
            for k in 0..3 {
                dofs[k] -= scaled(force[i][k]);
            }
            continue;
        }
        let components = force[i..].iter().flat_map(|force| &force[..3]);
        for (dof, component) in out[start..start + number].iter_mut().zip(components) {
            *dof -= scaled(*component);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn volume_does_not_change_when_all_vertices_move_together() {
        let position = [[0.1, 0.2, 0.3], [1.0, 0.0, 0.5], [0.0, 2.0, -0.5], [0.25, -1.0, 0.75]];
        let gradient = volume_gradient(&position);
        for axis in 0..3 {
            assert!(gradient.iter().map(|g| g[axis]).sum::<f64>().abs() < 1e-15);
        }
    }

    #[test]
    fn flat_flap_has_no_force_along_its_plane_from_curvature() {
        let mut coefficients = [0.0; 17];
        coefficients[16] = 2.0;
        let position = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0]];
        for force in spring(&coefficients, &position) {
            assert_eq!((force[0], force[1]), (0.0, 0.0));
        }
    }
}
