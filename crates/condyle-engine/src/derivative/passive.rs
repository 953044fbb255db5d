//! Derivative of passive forces with respect to velocity: dampers of dofs, tendons and edges of flexes, and the medium.
//!
//! Reference: `mjd_passive_vel`.

use condyle_math::MIN_VALUE;
use condyle_model::{Model, disable};

use super::accumulate::{add_dense, add_outer, derivative_pattern};
use super::fluid;
use crate::data::{Awake, Flexes, Kinematics, SmoothScratch, Tendons, Velocity};
use crate::jacobian::is_sparse;
use crate::position::flex::edges;
use crate::sleep::{self, SleepState};

/// `out += d qfrc_passive / d qvel`
pub(super) fn add_passive(
    model: &Model,
    awake: &Awake,
    kinematics: &Kinematics,
    tendons: &Tendons,
    flexes: &Flexes,
    velocity: &Velocity,
    out: &mut [f64],
    buffers: &mut SmoothScratch,
) {
    let flags = model.opt.disableflags;
    if flags & disable::SPRING != 0 && flags & disable::DAMPER != 0 {
        return;
    }
    if model.opt.viscosity > 0.0 || model.opt.density > 0.0 {
        for body in awake.bodies(model).iter() {
            if !(model.body_mass[body] < MIN_VALUE) {
                fluid::add_body(model, kinematics, velocity, body, out, buffers);
            }
        }
    }
    if flags & disable::DAMPER != 0 {
        return;
    }
    let pattern = derivative_pattern(model);
    for dof in awake.dofs(model).iter() {
        out[pattern.range(dof).start + model.D_diag[dof] as usize] -= model.dof_damping[dof];
    }
    add_edge_dampers(model, flexes, out);
    let filter = awake.filters(model);
    for tendon in 0..model.ntendon {
        if filter && sleep::tendon_state(model, awake, tendon) == SleepState::Asleep {
            continue;
        }
        let slope = -model.tendon_damping[tendon];
        if slope == 0.0 {
            continue;
        }
        if is_sparse(model) {
            let start = tendons.ten_J_rowadr[tendon] as usize;
            let row = start..start + tendons.ten_J_rownnz[tendon] as usize;
            let jacobian = &tendons.ten_J[row.clone()];
            add_outer(model, out, jacobian, jacobian, &tendons.ten_J_colind[row], slope);
        } else {
            add_dense(model, out, &tendons.ten_J[tendon * model.nv..], &[slope], 1);
        }
    }
}

/// Dampers along the edges of deformable bodies.
fn add_edge_dampers(model: &Model, flexes: &Flexes, out: &mut [f64]) {
    for flex in 0..model.nflex {
        let slope = -model.flex_edgedamping[flex];
        if model.flex_rigid[flex] != 0 || slope == 0.0 {
            continue;
        }
        for edge in edges(model, flex) {
            if model.flexedge_rigid[edge] == 0 {
                let start = model.flexedge_J_rowadr[edge] as usize;
                let row = start..start + model.flexedge_J_rownnz[edge] as usize;
                let jacobian = &flexes.flexedge_J[row.clone()];
                add_outer(model, out, jacobian, jacobian, &model.flexedge_J_colind[row], slope);
            }
        }
    }
}
