//! Position-dependent stages.

pub mod camera_light;
pub mod com;
pub mod flex;
pub mod inertia;
pub mod kinematics;
pub mod tendon;
pub mod transmission;

use condyle_model::Model;

use crate::data::Timer;
use crate::data::timers::timed;
use crate::{Data, sleep};

/// Poses, centre-of-mass quantities, cameras, lights, flexes, tendons.
pub fn kinematics_stage(model: &Model, data: &mut Data) {
    timed(data, Timer::Kinematics, |data| kinematics(model, data));
}

fn kinematics(model: &Model, data: &mut Data) {
    kinematics::bodies(model, &data.state, &data.inputs, &mut data.awake, &mut data.kinematics);
    if sleep::wake_changed(model, &mut data.state, &data.inputs, &data.awake) {
        sleep::update(model, &data.state, &mut data.awake);
    }
    kinematics::attached_frames(model, &data.awake, &mut data.kinematics);
    com::centers_of_mass(model, &data.awake, &mut data.kinematics);
    camera_light::cameras_and_lights(model, &data.awake, &mut data.kinematics);
    let buffers = &mut data.scratch.smooth;
    flex::flexes(model, &data.kinematics, &mut data.flexes, buffers);
    tendon::path::tendons(model, &data.state, &data.awake, &data.kinematics, &mut data.tendons, buffers);
    if sleep::wake_tied(model, data) {
        sleep::update(model, &data.state, &mut data.awake);
    }
}

/// Joint-space inertia and its factorisation.
pub fn inertia_stage(model: &Model, data: &mut Data) {
    timed(data, Timer::Inertia, |data| {
        inertia::joint_inertia(model, &data.awake, &data.kinematics, &data.tendons, &mut data.inertia);
        inertia::factor(model, &data.awake, &mut data.inertia);
    });
}

/// Actuator lengths and moment arms.
pub fn transmission_stage(model: &Model, data: &mut Data) {
    let start = data.timers.now();
    let Data { state, awake, kinematics, tendons, rows, contacts, transmission, scratch, .. } = data;
    let buffers = &mut scratch.smooth;
    transmission::transmissions(
        model,
        state,
        awake,
        kinematics,
        tendons,
        rows,
        contacts,
        transmission,
        buffers,
    );
    data.timers.add(Timer::Kinematics, start);
}
