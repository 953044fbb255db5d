//! Quantities that are computed when somebody asks: a sensor, a hook or a program.
//!
//! Whole data: any sensor may be the first to ask, whatever it reads itself.

use condyle_model::{Model, SensorType, Stage};

use crate::{Data, acceleration, sensor, velocity};

/// Momentum of subtrees.
pub fn subtree_motion(model: &Model, data: &mut Data) {
    let Data { awake, kinematics, velocity, subtree_motion, scratch, .. } = data;
    let buffer = &mut scratch.smooth.body_acceleration;
    velocity::motion::subtree_velocities(model, awake, kinematics, velocity, subtree_motion, buffer);
}

/// Accelerations of the bodies and forces between them.
pub fn body_forces(model: &Model, data: &mut Data) {
    let Data { state, inputs, kinematics, rows, contacts, velocity, solution, acceleration, .. } = data;
    let out = &mut data.body_forces;
    acceleration::internal_force::update(
        model,
        state,
        inputs,
        kinematics,
        rows,
        contacts,
        velocity,
        solution,
        acceleration,
        out,
    );
}

/// Potential energy.
pub fn potential_energy(model: &Model, data: &mut Data) {
    let Data { state, awake, kinematics, flexes, tendons, sensors, .. } = data;
    sensor::energy::potential_energy(model, state, awake, kinematics, flexes, tendons, sensors);
}

/// Kinetic energy.
pub fn kinetic_energy(model: &Model, data: &mut Data) {
    let Data { state, inertia, sensors, scratch, .. } = data;
    sensor::energy::kinetic_energy(model, state, inertia, sensors, &mut scratch.smooth);
}

/// Bring up to date what user code in a stage may read.
pub fn update(model: &Model, data: &mut Data, stage: Stage) {
    match stage {
        Stage::Vel => update_subtree_motion(model, data),
        Stage::Acc => update_body_forces(model, data),
        Stage::None | Stage::Pos => {}
    }
}

/// Bring up to date what a sensor of kind `kind` reads.
#[inline(always)]
pub(super) fn update_for(model: &Model, data: &mut Data, kind: SensorType, stage: Stage) {
    match (stage, kind) {
        (Stage::Pos, SensorType::EPotential) if !data.sensors.flg_energypos => potential_energy(model, data),
        (Stage::Pos, SensorType::EKinetic) if !data.sensors.flg_energyvel => kinetic_energy(model, data),
        (Stage::Vel, SensorType::SubtreeLinVel | SensorType::SubtreeAngMom) => {
            update_subtree_motion(model, data);
        }
        (
            Stage::Acc,
            SensorType::Accelerometer
            | SensorType::Force
            | SensorType::Torque
            | SensorType::FrameLinAcc
            | SensorType::FrameAngAcc,
        ) => update_body_forces(model, data),
        _ => {}
    }
}

/// [`subtree_motion`], unless it is up to date.
fn update_subtree_motion(model: &Model, data: &mut Data) {
    if !data.subtree_motion.flg_subtreevel {
        subtree_motion(model, data);
    }
}

/// [`body_forces`], unless they are up to date.
fn update_body_forces(model: &Model, data: &mut Data) {
    if !data.body_forces.flg_rnepost {
        body_forces(model, data);
    }
}
