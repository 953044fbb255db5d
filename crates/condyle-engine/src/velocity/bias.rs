//! Recursive Newton–Euler: the forces that produce given accelerations.
//!
//! Forward over bodies `cacc = cacc_parent + Σ cdof_dot qvel (+ Σ cdof qacc)`, starting from minus gravity at the world;
//! `cfrc = cinert cacc + cvel ×* (cinert cvel)`; backward sums of `cfrc` give `qfrc = cdofᵀ cfrc`. Reference: `mj_rne`.

use condyle_math::{Inertia, Spatial, dense, spatial, vec3};
use condyle_model::{Model, disable};

use crate::data::{Awake, Kinematics, SmoothScratch, State, Velocity, scratch};

/// Acceleration of the world body that stands for gravity.
pub fn gravity_acceleration(model: &Model) -> Spatial {
    if model.opt.disableflags & disable::GRAVITY != 0 {
        return [0.0; 6];
    }
    spatial::join([0.0; 3], vec3::scale(model.opt.gravity, -1.0))
}

/// `cinert cacc + cvel ×* (cinert cvel)`: the force a body needs.
#[inline(always)]
pub(crate) fn body_force(
    kinematics: &Kinematics,
    velocity: &Velocity,
    acceleration: &Spatial,
    body: usize,
) -> Spatial {
    force_for(&kinematics.cinert[body], &velocity.cvel[body], acceleration)
}

#[inline(always)]
fn force_for(inertia: &Inertia, velocity: &Spatial, acceleration: &Spatial) -> Spatial {
    let mut force = spatial::mul_inertia(inertia, acceleration);
    let momentum = spatial::mul_inertia(inertia, velocity);
    spatial::add_to(&mut force, &spatial::cross_force(velocity, &momentum));
    force
}

/// Dofs of a body's own joints.
#[inline(always)]
pub(crate) fn own_dofs(model: &Model, body: usize) -> std::ops::Range<usize> {
    match model.body_dofadr(body) {
        Some(first) => first..first + model.body_dofnum[body].max(0) as usize,
        None => 0..0,
    }
}

/// Forces for the accelerations `qacc`, or Coriolis, centrifugal and gravitational forces alone when there are none.
pub fn newton_euler(
    model: &Model,
    state: &State,
    awake: &Awake,
    kinematics: &Kinematics,
    velocity: &Velocity,
    qacc: Option<&[f64]>,
    result: &mut [f64],
    buffers: &mut SmoothScratch,
) {
    // Slices of one length: a single check of the index serves them all.
    let (n, nv) = (model.nbody, model.nv);
    let acceleration = &mut scratch::sized(&mut buffers.body_acceleration, n)[..n];
    let force = &mut scratch::sized(&mut buffers.body_force, n)[..n];
    acceleration[0] = gravity_acceleration(model);
    force[0] = [0.0; 6];
    let (parents, first_dof, dof_count) =
        (&model.body_parentid[..n], &model.body_dofadr[..n], &model.body_dofnum[..n]);
    let (cinert, cvel) = (&kinematics.cinert[..n], &velocity.cvel[..n]);
    let (cdof_dot, qvel) = (&velocity.cdof_dot[..nv], &state.qvel[..nv]);
    for body in awake.bodies(model).without_first().iter() {
        let dofs = match usize::try_from(first_dof[body]) {
            Ok(first) => first..first + dof_count[body].max(0) as usize,
            Err(_) => 0..0,
        };
        let coriolis = spatial::mul_dofs(&cdof_dot[dofs.clone()], &qvel[dofs.clone()]);
        let mut own = spatial::add(&acceleration[parents[body] as usize], &coriolis);
        if let Some(qacc) = qacc {
            spatial::add_to(&mut own, &spatial::mul_dofs(&kinematics.cdof[dofs.clone()], &qacc[dofs]));
        }
        acceleration[body] = own;
        force[body] = force_for(&cinert[body], &cvel[body], &own);
    }
    for body in awake.bodies_below_awake(model).iter().rev() {
        let parent = parents[body] as usize;
        if parent > 0 {
            let child = force[body];
            spatial::add_to(&mut force[parent], &child);
        }
    }
    let (result, cdof, bodies) = (&mut result[..nv], &kinematics.cdof[..nv], &model.dof_bodyid[..nv]);
    for dof in awake.dofs(model).iter() {
        result[dof] = dense::dot6(&cdof[dof], &force[bodies[dof] as usize]);
    }
}
