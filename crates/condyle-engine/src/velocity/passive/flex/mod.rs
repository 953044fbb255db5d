//! Passive forces of deformable bodies.
//!
//! | force | of | file |
//! |---|---|---|
//! | bending of the flap about an edge | triangles | `bending.rs` |
//! | stretching, as strain of the edges of an element | triangles, tetrahedra | `element.rs` |
//! | linear elasticity between control nodes | interpolated bodies | `interpolated.rs` |
//! | springs and dampers along edges | all | this file |
//! | contacts that push by themselves | all | `contact.rs` |
//!
//! Bodies whose vertices all belong to one rigid body have none of them. Reference: `mj_springdamper`.

mod bending;
pub mod contact;
mod element;
pub mod interpolated;
mod overrun;

use condyle_model::{Model, disable};

use crate::data::{Flexes, Kinematics, Passive, Scratch, State, Velocity};
use crate::position::flex::{edges, elements};

/// Buffers of the forces of deformable bodies.
#[derive(Clone, Debug, Default)]
pub struct FlexScratch {
    /// Force on each vertex of one flex.
    vertex_force: Vec<[f64; 3]>,
    nodes: interpolated::NodeScratch,
}

/// Whether the first three dofs of a body are taken for translations along the axes of the world.
fn moves_by_three_dofs(model: &Model, body: usize) -> bool {
    model.body_dofnum[body] >= 3 || model.reference_bugs
}

/// Which of springs and dampers act.
#[derive(Clone, Copy, Debug)]
struct Enabled {
    spring: bool,
    damper: bool,
}

impl Enabled {
    fn new(model: &Model) -> Self {
        let enabled = |flag: i32| model.opt.disableflags & flag == 0;
        Enabled { spring: enabled(disable::SPRING), damper: enabled(disable::DAMPER) }
    }
}

/// Bending and stretching of all deformable bodies, into `qfrc_spring` and `qfrc_damper`.
///
/// The forces of elements ignore the flags that disable springs and dampers.
pub fn elasticity(
    model: &Model,
    state: &State,
    kinematics: &Kinematics,
    flexes: &Flexes,
    velocity: &Velocity,
    out: &mut Passive,
    scratch: &mut Scratch,
) {
    if model.nflex == 0 {
        return;
    }
    let enabled = Enabled::new(model);
    let (own, buffers) = (&mut scratch.flex, &mut scratch.smooth);
    for flex in 0..model.nflex {
        let dimension = model.flex_dim[flex];
        if dimension == 1 || model.flex_rigid[flex] != 0 {
            continue;
        }
        let interpolates = model.flex_interp[flex] != 0;
        // Vertices between nodes belong to no body that bending could push.
        if dimension == 2 && !interpolates {
            bending::add(model, state, flexes, out, flex, enabled);
        }
        if !is_elastic(model, flex) {
            continue;
        }
        if interpolates {
            let moving = interpolated::Moving { state, kinematics, velocity };
            interpolated::add(model, moving, flex, enabled, out, &mut own.nodes, buffers);
        } else {
            element::add(model, kinematics, flexes, velocity, flex, out, &mut own.vertex_force, buffers);
        }
    }
}

/// Whether the flex resists stretching, which its first coefficient tells.
pub fn is_elastic(model: &Model, flex: usize) -> bool {
    let first = model.flex_stiffness.get(elements(model, flex).start);
    first.is_some_and(|coefficients| coefficients[0] != 0.0)
}

/// Springs and dampers along the edges, into `qfrc_spring` and `qfrc_damper`.
pub fn edge_spring_dampers(model: &Model, flexes: &Flexes, velocity: &Velocity, out: &mut Passive) {
    let enabled = Enabled::new(model);
    for flex in 0..model.nflex {
        let stiffness = model.flex_edgestiffness[flex] * f64::from(u8::from(enabled.spring));
        let damping = model.flex_edgedamping[flex] * f64::from(u8::from(enabled.damper));
        if model.flex_rigid[flex] != 0 || (stiffness == 0.0 && damping == 0.0) {
            continue;
        }
        for edge in edges(model, flex) {
            if model.flexedge_rigid[edge] != 0 {
                continue;
            }
            let spring = stiffness * (model.flexedge_length0[edge] - flexes.flexedge_length[edge]);
            let damper = -damping * velocity.flexedge_velocity[edge];
            let start = model.flexedge_J_rowadr[edge] as usize;
            let row = start..start + model.flexedge_J_rownnz[edge] as usize;
            for (dof, rate) in model.flexedge_J_colind[row.clone()].iter().zip(&flexes.flexedge_J[row]) {
                out.qfrc_spring[*dof as usize] += rate * spring;
                out.qfrc_damper[*dof as usize] += rate * damper;
            }
        }
    }
}
