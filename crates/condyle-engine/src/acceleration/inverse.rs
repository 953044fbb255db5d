//! Inverse dynamics: the applied force that produces the present acceleration.
//!
//! `qfrc_inverse = M q̈ + bias − qfrc_passive − qfrc_constraint`. In discrete time the acceleration is first turned into the one that
//! the integrator's implicit terms would have produced it from. Reference: `mj_inverseSkip`, `mj_discreteAcc`, `mj_compareFwdInv`.

use condyle_math::{dense, sparse, tree_ldl};
use condyle_model::{Integrator, Model, Stage, disable, enable};

use crate::data::timers::timed;
use crate::data::{Timer, scratch};
use crate::derivative::accumulate::derivative_pattern;
use crate::derivative::smooth_velocity::velocity_derivative;
use crate::position::inertia::{mass_pattern, mul_inertia};
use crate::query::force;
use crate::{Data, constraint, position, step, velocity};

/// Forces from accelerations: constraint forces, bias, then `qfrc_inverse`. `before_force` runs between bias and the final sum,
/// where the sensors of the acceleration stage belong.
pub fn inverse_forces(model: &Model, data: &mut Data, before_force: impl FnOnce(&Model, &mut Data)) {
    let discrete = model.opt.enableflags & enable::INVDISCRETE != 0;
    let mut saved = std::mem::take(&mut data.scratch.smooth.saved_acceleration);
    if discrete {
        scratch::sized(&mut saved, model.nv).copy_from_slice(&data.acceleration.qacc);
        to_continuous_acceleration(model, data);
    }
    constraint::inverse_forces(model, data);
    bias(model, data);
    before_force(model, data);
    let product = scratch::sized(&mut data.scratch.smooth.dof_force, model.nv);
    mul_inertia(model, &data.inertia, product, &data.acceleration.qacc);
    for dof in 0..model.nv {
        data.inverse.qfrc_inverse[dof] +=
            product[dof] - data.passive.qfrc_passive[dof] - data.solution.qfrc_constraint[dof];
    }
    if discrete {
        data.acceleration.qacc.copy_from_slice(&saved[..model.nv]);
    }
    data.scratch.smooth.saved_acceleration = saved;
}

/// `qfrc_inverse = ` bias forces.
fn bias(model: &Model, data: &mut Data) {
    let Data { state, awake, kinematics, tendons, velocity, inverse, scratch, .. } = data;
    let result = &mut inverse.qfrc_inverse;
    velocity::bias_forces(model, state, awake, kinematics, tendons, velocity, result, &mut scratch.smooth);
}

/// Replace `qacc`, the change of velocity over a step divided by its length, with the acceleration the integrator started from.
/// Runge–Kutta has no such acceleration; `qacc` stays.
fn to_continuous_acceleration(model: &Model, data: &mut Data) {
    let timestep = model.opt.timestep;
    let mut qfrc = std::mem::take(&mut data.scratch.smooth.dof_force);
    scratch::sized(&mut qfrc, model.nv);
    let product = &mut qfrc[..model.nv];
    let changes = match Integrator::from_i32(model.opt.integrator) {
        // The damper flag is not looked at here, unlike in the integrator.
        Some(Integrator::Euler) => {
            let damped = model.opt.disableflags & disable::EULERDAMP == 0
                && model.dof_damping.iter().any(|damping| *damping > 0.0);
            if damped {
                mul_inertia(model, &data.inertia, product, &data.acceleration.qacc);
                for dof in 0..model.nv {
                    product[dof] += timestep * model.dof_damping[dof] * data.acceleration.qacc[dof];
                }
            }
            damped
        }
        Some(Integrator::Implicit) => {
            velocity_derivative(model, data, true);
            let out = &mut data.derivatives;
            dense::gather_masked(&mut out.qLU, &data.inertia.M, &model.mapM2D);
            dense::add_scaled_to(&mut out.qLU, &out.qDeriv, -timestep);
            sparse::mul_vec(product, &out.qLU, &data.acceleration.qacc, derivative_pattern(model));
            true
        }
        Some(Integrator::ImplicitFast) => {
            velocity_derivative(model, data, false);
            let out = &mut data.derivatives;
            for ((value, mass), source) in out.qH.iter_mut().zip(&data.inertia.M).zip(&model.mapD2M) {
                *value = mass + out.qDeriv[*source as usize] * -timestep;
            }
            sparse::mul_symmetric_vec(product, &out.qH, &data.acceleration.qacc, mass_pattern(model));
            true
        }
        Some(Integrator::Rk4) | None => false,
    };
    if changes {
        let inertia = &data.inertia;
        data.acceleration.qacc.copy_from_slice(product);
        let qacc = &mut data.acceleration.qacc;
        tree_ldl::solve(qacc, &inertia.qLD, &inertia.qLDiagInv, mass_pattern(model), None);
    }
    data.scratch.smooth.dof_force = qfrc;
}

/// Position-dependent stages of inverse dynamics: those of forward dynamics without islands and dual matrix, which it never needs.
pub fn position_stage(model: &Model, data: &mut Data) {
    timed(data, Timer::Position, |data| {
        position::kinematics_stage(model, data);
        position::inertia_stage(model, data);
        crate::collision::collide(model, data);
        constraint::make(model, data);
        position::transmission_stage(model, data);
    });
}

/// How far forward and inverse dynamics disagree, into `solver_fwdinv`: constraint forces and applied forces. Results of forward
/// dynamics are kept.
pub fn compare_with_forward(model: &Model, data: &mut Data) {
    data.diagnostics.solver_fwdinv = [0.0; 2];
    if data.rows.nefc == 0 {
        return;
    }
    let nv = model.nv;
    let mut buffers = std::mem::take(&mut data.scratch.smooth.forward_inverse);
    let [applied, difference, saved_constraint, saved_force] = &mut buffers;
    let applied = scratch::sized(applied, nv);
    let difference = scratch::sized(difference, nv);
    let saved_constraint = scratch::sized(saved_constraint, nv);
    let saved_force = scratch::sized(saved_force, data.rows.nefc);
    dense::add(applied, &data.inputs.qfrc_applied, &data.actuation.qfrc_actuator);
    force::apply_external(model, &data.inputs, &data.kinematics, applied, &mut data.scratch.smooth);
    saved_constraint.copy_from_slice(&data.solution.qfrc_constraint);
    saved_force.copy_from_slice(&data.solution.efc_force);

    step::inverse_skip(model, data, Stage::Vel, true);

    dense::sub(difference, saved_constraint, &data.solution.qfrc_constraint);
    data.diagnostics.solver_fwdinv[0] = dense::norm(difference);
    dense::sub(difference, applied, &data.inverse.qfrc_inverse);
    data.diagnostics.solver_fwdinv[1] = dense::norm(difference);
    data.solution.qfrc_constraint.copy_from_slice(saved_constraint);
    data.solution.efc_force.copy_from_slice(saved_force);
    data.scratch.smooth.forward_inverse = buffers;
}
