//! Stretching of triangles and tetrahedra: a Saint Venant–Kirchhoff material written in squared edge lengths.
//!
//! The strain of an edge is `s = l² − l₀²`; the energy of an element is a quadratic form `¼ sᵀ K s` over its edges, so the force on the
//! vertices is `−Σ s K ∇l²`. Damping adds to the strain of every edge its change over a time step (Kharevych et al. 2006, "Geometric,
//! variational integrators for computer animation", section 5.2).

use condyle_math::{Vec3, vec3};
use condyle_model::Model;

use crate::data::{Flexes, Kinematics, Passive, SmoothScratch, Velocity, scratch};
use crate::jacobian::force;
use crate::position::flex::{edges, elements, vertices};

/// Value of `body_simple` for bodies that only slide; their dofs are taken for the axes of the world.
const SLIDES_ONLY: u8 = 2;

/// Vertices of the edges of a triangle, in the order in which they are numbered.
const TRIANGLE: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];
/// Vertices of the edges of a tetrahedron, in the order in which they are numbered.
const TETRAHEDRON: [[usize; 2]; 6] = [[0, 1], [1, 2], [2, 0], [2, 3], [0, 3], [1, 3]];

/// Add the forces of the elements of a flex to `qfrc_spring`.
pub(super) fn add(
    model: &Model,
    kinematics: &Kinematics,
    flexes: &Flexes,
    velocity: &Velocity,
    flex: usize,
    out: &mut Passive,
    buffer: &mut Vec<Vec3>,
    buffers: &mut SmoothScratch,
) {
    let vertices = vertices(model, flex);
    let vertex_force = scratch::sized(buffer, vertices.len());
    vertex_force.fill([0.0; 3]);
    if model.flex_dim[flex] == 2 {
        accumulate(model, flexes, velocity, flex, &TRIANGLE, vertex_force);
    } else {
        accumulate(model, flexes, velocity, flex, &TETRAHEDRON, vertex_force);
    }
    for (vertex, total) in vertices.zip(&*vertex_force) {
        let Ok(body) = usize::try_from(model.flex_vertbodyid[vertex]) else { continue };
        if model.body_simple[body] == SLIDES_ONLY {
            let start = model.body_dofadr[body].max(0) as usize;
            let number = model.body_dofnum[body].max(0) as usize;
            for (dof, component) in out.qfrc_spring[start..][..number].iter_mut().zip(total) {
                *dof += component;
            }
        } else {
            let point = flexes.flexvert_xpos[vertex];
            let out = &mut out.qfrc_spring;
            force::apply(model, kinematics, Some(*total), None, point, body, out, buffers);
        }
    }
}

/// Sum of the forces of all elements on each vertex.
fn accumulate<const EDGES: usize>(
    model: &Model,
    flexes: &Flexes,
    velocity: &Velocity,
    flex: usize,
    edges: &[[usize; 2]; EDGES],
    vertex_force: &mut [Vec3],
) {
    let elements = elements(model, flex);
    if elements.is_empty() {
        return;
    }
    let corners = model.flex_dim[flex] as usize + 1;
    let corner_table = &model.flex_elem[model.flex_elemdataadr[flex] as usize..];
    let side_table = &model.flex_elemedge[model.flex_elemedgeadr[flex] as usize..];
    let positions = &flexes.flexvert_xpos[vertices(model, flex)];
    let strain = Strain::new(model, flexes, velocity, flex);
    for ((stiffness, vertices), sides) in model.flex_stiffness[elements]
        .iter()
        .zip(corner_table.chunks_exact(corners))
        .zip(side_table.chunks_exact(EDGES))
    {
        let strains: [f64; EDGES] = std::array::from_fn(|i| strain.of(sides[i] as usize));
        let mut corner = [[0.0; 3]; 4];
        for (position, vertex) in corner.iter_mut().zip(vertices) {
            *position = positions[*vertex as usize];
        }
        let forces = element_force(&strains, &corner, edges, &unpack(stiffness));
        for (force, vertex) in forces.iter().zip(vertices) {
            let total = &mut vertex_force[*vertex as usize];
            *total = vec3::add(*total, *force);
        }
    }
}

/// Strain of the edges of one flex, with what damping adds to it.
struct Strain<'a> {
    lengths: &'a [f64],
    rates: &'a [f64],
    reference: &'a [f64],
    timestep: f64,
    damping: f64,
}

impl<'a> Strain<'a> {
    fn new(model: &'a Model, flexes: &'a Flexes, velocity: &'a Velocity, flex: usize) -> Self {
        let edges = edges(model, flex);
        let timestep = model.opt.timestep;
        Strain {
            lengths: &flexes.flexedge_length[edges.clone()],
            rates: &velocity.flexedge_velocity[edges.clone()],
            reference: &model.flexedge_length0[edges],
            timestep,
            damping: if timestep > 0.0 { model.flex_damping[flex] / timestep } else { 0.0 },
        }
    }

    fn of(&self, edge: usize) -> f64 {
        let (length, reference) = (self.lengths[edge], self.reference[edge]);
        let previous = length - self.rates[edge] * self.timestep;
        let square = length * length;
        square - reference * reference + (square - previous * previous) * self.damping
    }
}

/// The symmetric matrix over the edges from its upper triangle, row by row.
fn unpack<const EDGES: usize>(triangle: &[f64; 21]) -> [[f64; EDGES]; EDGES] {
    let mut matrix = [[0.0; EDGES]; EDGES];
    let mut values = triangle.iter();
    for row in 0..EDGES {
        for (column, value) in (row..EDGES).zip(&mut values) {
            matrix[row][column] = *value;
            matrix[column][row] = *value;
        }
    }
    matrix
}

/// Forces on the corners of one element.
fn element_force<const EDGES: usize>(
    strains: &[f64; EDGES],
    corner: &[Vec3; 4],
    edges: &[[usize; 2]; EDGES],
    stiffness: &[[f64; EDGES]; EDGES],
) -> [Vec3; 4] {
    // Half the gradient of the squared length by the first vertex; the one by the second is its opposite.
    let gradient: [Vec3; EDGES] =
        std::array::from_fn(|i| vec3::sub(corner[edges[i][0]], corner[edges[i][1]]));
    let mut force = [[0.0; 3]; 4];
    for (strain, row) in strains.iter().zip(stiffness) {
        for ((gradient, coefficient), [start, end]) in gradient.iter().zip(row).zip(edges) {
            for axis in 0..3 {
                let share = strain * gradient[axis] * coefficient;
                force[*start][axis] -= share;
                force[*end][axis] += share;
            }
        }
    }
    force
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretched_triangle_pulls_its_corners_together_without_net_force() {
        let corner = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0; 3]];
        let stiffness = unpack::<3>(&std::array::from_fn(|i| if [0, 3, 5].contains(&i) { 1.0 } else { 0.0 }));
        // Only the edge between the first two corners is longer than at rest.
        let force = element_force(&[0.0, 0.0, 3.0], &corner, &TRIANGLE, &stiffness);
        assert_eq!(force[0], [6.0, 0.0, 0.0]);
        assert_eq!(force[1], [-6.0, 0.0, 0.0]);
        assert_eq!(force[2], [0.0; 3]);
    }

    #[test]
    fn packed_triangle_becomes_a_symmetric_matrix() {
        let matrix = unpack::<6>(&std::array::from_fn(|i| i as f64));
        assert_eq!(matrix[0], [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(matrix[5], [5.0, 10.0, 14.0, 17.0, 19.0, 20.0]);
    }
}
