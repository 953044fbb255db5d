//! Single stages of the pipeline.

use condyle_engine::sensor::lazy;
use condyle_engine::step::{self, check, stages};
use condyle_engine::{Data, position, velocity};
use condyle_model::{Model, Solver, Stage};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::Int;
use crate::data::MjData;
use crate::model::MjModel;

fn kinematics(model: &Model, data: &mut Data) {
    let Data { state, inputs, awake, kinematics, .. } = data;
    position::kinematics::bodies(model, state, inputs, awake, kinematics);
    position::kinematics::attached_frames(model, awake, kinematics);
}

fn tendons(model: &Model, data: &mut Data) {
    let Data { state, awake, kinematics, tendons, scratch, .. } = data;
    position::tendon::path::tendons(model, state, awake, kinematics, tendons, &mut scratch.smooth);
}

/// Solves the constraints; the dual matrix is made first where a solver needs it and no stage has, as after `mj_inverse`.
fn constraint_forces(model: &Model, data: &mut Data) {
    let dual = model.opt.solver == Solver::Pgs as i32 || model.opt.noslip_iterations > 0;
    if dual && data.dual.nA == 0 {
        stages::project(model, data);
    }
    stages::solve(model, data);
}

stage_functions! {
    /// Poses of bodies, geoms and sites.
    mj_kinematics => kinematics;
    /// Centres of mass, inertias about them and dof axes.
    mj_comPos => |m, d| position::com::centers_of_mass(m, &d.awake, &mut d.kinematics);
    /// Poses of cameras and lights.
    mj_camlight => |m, d| position::camera_light::cameras_and_lights(m, &d.awake, &mut d.kinematics);
    /// Paths, lengths and Jacobians of tendons.
    mj_tendon => tendons;
    /// Lengths and moment arms of actuators.
    mj_transmission => stages::transmission;
    /// Poses, centres of mass, cameras, lights, flexes and tendons.
    mj_fwdKinematics => stages::kinematics;
    /// Vertices and edges of deformable bodies.
    mj_flex => |m, d| position::flex::flexes(m, &d.kinematics, &mut d.flexes, &mut d.scratch.smooth);
    /// Composite inertias of subtrees and the joint-space inertia without tendons.
    mj_crb => |m, d| position::inertia::composite_inertia(m, &d.awake, &d.kinematics, &mut d.inertia);
    /// Constraint rows, their softness and islands.
    mj_makeConstraint => stages::rows;
    /// Islands of the constraint rows.
    mj_island => stages::islands;
    /// Dual matrix of the constraint rows.
    mj_projectConstraint => stages::project;
    /// Reference accelerations of the constraint rows.
    mj_referenceConstraint => stages::reference;
    /// Joint-space inertia.
    mj_makeM => |m, d| position::inertia::joint_inertia(m, &d.awake, &d.kinematics, &d.tendons, &mut d.inertia);
    /// Factor the joint-space inertia.
    mj_factorM => |m, d| position::inertia::factor(m, &d.awake, &mut d.inertia);
    /// Contacts.
    mj_collision => stages::collision;
    /// Spatial velocities of the bodies.
    mj_comVel => |m, d| {
        velocity::com_velocity::body_velocities(m, &d.state, &d.awake, &d.kinematics, &mut d.velocity);
    };
    /// Springs, dampers, gravity compensation and fluid forces.
    mj_passive => stages::passive;
    /// Linear velocity and angular momentum of subtrees.
    mj_subtreeVel => lazy::subtree_motion;
    /// Actuator forces.
    mj_fwdActuation => stages::actuation;
    /// Unconstrained acceleration.
    mj_fwdAcceleration => stages::smooth;
    /// Constraint forces and acceleration.
    mj_fwdConstraint => constraint_forces;
    /// Body accelerations and interaction forces with constraints.
    mj_rnePostConstraint => lazy::body_forces;
    /// Potential energy.
    mj_energyPos => lazy::potential_energy;
    /// Kinetic energy.
    mj_energyVel => lazy::kinetic_energy;
    /// Sensors that need positions.
    mj_sensorPos => stages::position_sensors;
    /// Sensors that need velocities.
    mj_sensorVel => stages::velocity_sensors;
    /// Sensors that need accelerations and forces.
    mj_sensorAcc => stages::acceleration_sensors;
    /// Reset when a position is not finite.
    mj_checkPos => |model, data| {
        check::check_position(model, data);
    };
    /// Reset when a velocity is not finite.
    mj_checkVel => |model, data| {
        check::check_velocity(model, data);
    };
    /// Reset when an acceleration is not finite.
    mj_checkAcc => |model, data| {
        check::check_acceleration(model, data);
    };
    /// Advance with semi-implicit Euler.
    mj_Euler => |model, data| stages::euler(model, data, false);
    /// Advance with an integrator implicit in velocity.
    mj_implicit => |model, data| stages::implicit(model, data, false);
}

/// The stage of that number.
pub(super) fn stage_of(number: &Int) -> PyResult<Stage> {
    let stage = i32::try_from(number.0).ok().and_then(Stage::from_i32);
    stage.ok_or_else(|| PyValueError::new_err(format!("no stage {}", number.0)))
}

/// `mj_forward` without the stages before and including `skipstage`, and without sensors if asked.
#[pyfunction]
fn mj_forwardSkip(
    py: Python<'_>,
    m: Py<MjModel>,
    d: Py<MjData>,
    skipstage: Int,
    skipsensor: Int,
) -> PyResult<()> {
    let (stage, skip_sensors) = (stage_of(&skipstage)?, skipsensor.is_set());
    crate::callbacks::run(py, &m, &d, |model, data| step::forward_skip(model, data, stage, skip_sensors))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    register_stages(module)?;
    module.add_function(wrap_pyfunction!(mj_forwardSkip, module)?)
}
