//! The Hill-type muscle: what its requirements ask for, how it compares with published muscles, and its states.

mod behaviour;
mod compliant;
mod extensions;
mod leg;
mod names;
mod published;
mod source;

use condyle::{Files, LoadError, LoadOptions, Model, Sim, load_str};

/// A hinge with an arm on it, without gravity, and `actuators` that may act on joint `j`.
fn arm(actuators: &str) -> String {
    format!(
        r#"<mujoco><compiler angle="radian"/><option gravity="0 0 0"/>
  <worldbody><body><joint name="j" axis="0 0 1" range="-.5 .5"/><geom size=".1" pos=".2 0 0"/></body></worldbody>
  <actuator>{actuators}</actuator></mujoco>"#
    )
}

fn try_model(text: &str) -> Result<Model, LoadError> {
    let options = LoadOptions::default().files(Files::without_disk());
    load_str(text, &options).map(|loaded| loaded.model)
}

fn model(text: &str) -> Model {
    try_model(text).unwrap_or_else(|problem| panic!("{problem}"))
}

/// The arm at an angle, and so the actuator at a length, at rest, every activation at the same value.
fn at_length(text: &str, length: f64, activation: f64) -> Sim {
    let mut sim = Sim::new(model(text));
    sim.data.state.qpos[0] = length;
    sim.data.state.act.fill(activation);
    sim.forward();
    sim
}

/// A Hill-type muscle of 1000 N with the gain parameters that follow the peak force.
fn hill(rest: &str) -> String {
    format!(r#"<general joint="j" dyntype="hillmuscle" gainprm="0.75 1.05 1000 200 {rest}"/>"#)
}
