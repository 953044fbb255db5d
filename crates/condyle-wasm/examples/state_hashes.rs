//! `state_hashes STEPS MODEL…`: the fingerprint of the state of each model after so many steps, with the platform's math functions.
//!
//! The tests of the npm package compute the same in Node.js and in a browser.

#![allow(clippy::print_stdout)]

use condyle::Sim;

/// Steps a model under controls that differ from actuator to actuator, as `hashes.mjs` of the viewer's tests does.
fn hash(model: &str, steps: u32) -> Result<String, String> {
    let mut sim = Sim::load(model).map_err(|error| error.to_string())?;
    for (index, control) in sim.data.inputs.ctrl.iter_mut().enumerate() {
        *control = 0.125 * (index % 3) as f64;
    }
    for _ in 0..steps {
        sim.step();
    }
    Ok(format!("{:016x}", condyle_viewer::state_hash(&sim.data)))
}

pub(crate) fn main() {
    let mut arguments = std::env::args().skip(1);
    let steps = arguments.next().and_then(|steps| steps.parse().ok()).unwrap_or(1000);
    for model in arguments {
        println!("{} {model}", hash(&model, steps).unwrap_or_else(|problem| format!("- {problem}")));
    }
}
