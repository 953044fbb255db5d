//! Integrators against their order: half the step, and the error falls by the power of the order.

use condyle::model::Integrator;
use condyle::prelude::*;

use crate::common::model;

/// Angles and speeds of a damped double pendulum that swings in space, after a time. With hinges alone: on quaternions, whose turns do
/// not add up, the method of fourth order is one of second.
fn pendulum(integrator: Integrator, timestep: f64, steps: usize) -> Vec<f64> {
    let mut model = model(
        r#"<mujoco><worldbody><body><joint axis="0 1 0" damping=".05"/><joint axis="0 0 1"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/>
        <body pos=".3 0 0"><joint axis="0 1 0" damping=".02" stiffness=".5"/><geom type="capsule" size=".03" fromto="0 0 0 0 .2 -.2"/></body></body>
        </worldbody></mujoco>"#,
    );
    model.opt.integrator = integrator as i32;
    model.opt.timestep = timestep;
    let mut sim = Sim::new(model);
    sim.data.state.qvel.copy_from_slice(&[0.5, -1.0, 1.5]);
    sim.run(steps);
    assert!((sim.time() - 0.4).abs() < 1e-9);
    [&sim.data.state.qpos[..], &sim.data.state.qvel].concat()
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

#[test]
fn errors_fall_with_the_order_of_the_integrator() {
    let exact = pendulum(Integrator::Rk4, 0.4 / 8192.0, 8192);
    for (integrator, steps, order) in [
        (Integrator::Rk4, 64, 4),
        (Integrator::Euler, 512, 1),
        (Integrator::Implicit, 512, 1),
        (Integrator::ImplicitFast, 512, 1),
    ] {
        let error = |steps: usize| distance(&pendulum(integrator, 0.4 / steps as f64, steps), &exact);
        let (coarse, fine) = (error(steps), error(2 * steps));
        let (ratio, expected) = (coarse / fine, f64::from(1 << order));
        assert!(fine > 1e-12, "{integrator:?}: the error is rounding: {fine}");
        assert!(
            (ratio / expected - 1.0).abs() < 0.1,
            "{integrator:?}: {coarse} and {fine} have ratio {ratio}"
        );
    }
}
