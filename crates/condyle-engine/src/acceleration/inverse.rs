//! Inverse dynamics: the applied force that produces the present acceleration.
//!
//! `qfrc_inverse = M q̈ + bias − qfrc_passive − qfrc_constraint`. In discrete time the acceleration is first turned into the one that
//! the integrator's implicit terms would have produced it from. Reference: `mj_inverseSkip`, `mj_discreteAcc`, `mj_compareFwdInv`.

use condyle_math::{dense, sparse, tree_ldl};
use condyle_model::{Integrator, Model, disable, enable};

use crate::data::{
    Acceleration, Actuation, Awake, Derivatives, Diagnostics, Inertia, Inputs, Inverse, Kinematics, Passive,
    Rows, SmoothScratch, Solution, State, Tendons, Velocity, scratch,
};
use crate::derivative::accumulate::derivative_pattern;
use crate::jacobian::force;
use crate::position::inertia::{mass_pattern, mul_inertia};
use crate::velocity;

/// `qfrc_inverse` set to the bias forces.
pub fn bias(
    model: &Model,
    state: &State,
    awake: &Awake,
    kinematics: &Kinematics,
    tendons: &Tendons,
    velocity: &Velocity,
    out: &mut Inverse,
    buffers: &mut SmoothScratch,
) {
    velocity::add_bias(model, state, awake, kinematics, tendons, velocity, &mut out.qfrc_inverse, buffers);
}

/// Add inertia, passive and constraint forces to `qfrc_inverse`. In discrete time the acceleration set aside by
/// [`to_continuous_acceleration`] is put back.
pub fn sum(
    model: &Model,
    inertia: &Inertia,
    passive: &Passive,
    solution: &Solution,
    acceleration: &mut Acceleration,
    out: &mut Inverse,
    buffers: &mut SmoothScratch,
) {
    let product = scratch::sized(&mut buffers.dof_force, model.nv);
    mul_inertia(model, inertia, product, &acceleration.qacc);
    for dof in 0..model.nv {
        out.qfrc_inverse[dof] += product[dof] - passive.qfrc_passive[dof] - solution.qfrc_constraint[dof];
    }
    if model.opt.enableflags & enable::INVDISCRETE != 0 {
        acceleration.qacc.copy_from_slice(&buffers.saved_acceleration[..model.nv]);
    }
}

/// Replace `qacc`, the change of velocity over a step divided by its length, with the acceleration the integrator started from.
/// Runge–Kutta has no such acceleration; `qacc` stays. The implicit integrators need `qDeriv`.
pub fn to_continuous_acceleration(
    model: &Model,
    inertia: &Inertia,
    out: &mut Derivatives,
    acceleration: &mut Acceleration,
    buffers: &mut SmoothScratch,
) {
    let timestep = model.opt.timestep;
    let qacc = &mut acceleration.qacc;
    scratch::sized(&mut buffers.saved_acceleration, model.nv).copy_from_slice(qacc);
    let product = scratch::sized(&mut buffers.dof_force, model.nv);
    let changes = match model.opt.integrator() {
        // The damper flag is not looked at here, unlike in the integrator.
        Some(Integrator::Euler) => {
            let damped = model.opt.disableflags & disable::EULERDAMP == 0
                && model.dof_damping.iter().any(|damping| *damping > 0.0);
            if damped {
                mul_inertia(model, inertia, product, qacc);
                for dof in 0..model.nv {
                    product[dof] += timestep * model.dof_damping[dof] * qacc[dof];
                }
            }
            damped
        }
        Some(Integrator::Implicit) => {
            dense::gather_masked(&mut out.qLU, &inertia.M, &model.mapM2D);
            dense::add_scaled_to(&mut out.qLU, &out.qDeriv, -timestep);
            sparse::mul_vec(product, &out.qLU, qacc, derivative_pattern(model));
            true
        }
        Some(Integrator::ImplicitFast) => {
            for ((value, mass), source) in out.qH.iter_mut().zip(&inertia.M).zip(&model.mapD2M) {
                *value = mass + out.qDeriv[*source as usize] * -timestep;
            }
            sparse::mul_symmetric_vec(product, &out.qH, qacc, mass_pattern(model));
            true
        }
        Some(Integrator::Rk4) | None => false,
    };
    if changes {
        qacc.copy_from_slice(product);
        tree_ldl::solve(qacc, &inertia.qLD, &inertia.qLDiagInv, mass_pattern(model), None);
    }
}

/// Set aside what inverse dynamics overwrites: applied forces and constraint forces. `false` when there are no constraints.
pub fn set_forward_aside(
    model: &Model,
    inputs: &Inputs,
    kinematics: &Kinematics,
    rows: &Rows,
    actuation: &Actuation,
    solution: &Solution,
    diagnostics: &mut Diagnostics,
    buffers: &mut SmoothScratch,
) -> bool {
    diagnostics.solver_fwdinv = [0.0; 2];
    if rows.nefc == 0 {
        return false;
    }
    let mut aside = std::mem::take(&mut buffers.forward_inverse);
    let [applied, _, saved_constraint, saved_force] = &mut aside;
    let applied = scratch::sized(applied, model.nv);
    dense::add(applied, &inputs.qfrc_applied, &actuation.qfrc_actuator);
    force::apply_external(model, inputs, kinematics, applied, buffers);
    scratch::sized(saved_constraint, model.nv).copy_from_slice(&solution.qfrc_constraint);
    scratch::sized(saved_force, rows.nefc).copy_from_slice(&solution.efc_force);
    buffers.forward_inverse = aside;
    true
}

/// How far forward and inverse dynamics disagree, into `solver_fwdinv`; what was set aside is put back.
pub fn compare_with_forward(
    model: &Model,
    inverse: &Inverse,
    solution: &mut Solution,
    diagnostics: &mut Diagnostics,
    buffers: &mut SmoothScratch,
) {
    let [applied, difference, saved_constraint, saved_force] = &mut buffers.forward_inverse;
    let difference = scratch::sized(difference, model.nv);
    let saved_constraint = &saved_constraint[..model.nv];
    dense::sub(difference, saved_constraint, &solution.qfrc_constraint);
    diagnostics.solver_fwdinv[0] = dense::norm(difference);
    dense::sub(difference, &applied[..model.nv], &inverse.qfrc_inverse);
    diagnostics.solver_fwdinv[1] = dense::norm(difference);
    solution.qfrc_constraint.copy_from_slice(saved_constraint);
    let rows = solution.efc_force.len();
    solution.efc_force.copy_from_slice(&saved_force[..rows]);
}
