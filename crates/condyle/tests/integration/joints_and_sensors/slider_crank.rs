//! Slider-crank transmissions on a crank that turns all the way round.

use condyle::Sim;

use crate::common::{model, moment, near, world};

/// A crank of length 1 about y, a connecting rod of length 2, a slider on the world's z axis.
fn crank() -> Sim {
    Sim::new(model(&world(
        r#"<site name="slider"/>
           <body><joint name="j" axis="0 1 0"/><geom size=".1" mass="1"/><site name="crank" pos="0 0 1"/></body>"#,
        r#"<actuator><general cranksite="crank" slidersite="slider" cranklength="2"/></actuator>"#,
    )))
}

fn at(sim: &mut Sim, angle: f64) -> (f64, f64) {
    sim.data.state.qpos[0] = angle;
    sim.data.inputs.ctrl[0] = 1.0;
    sim.forward();
    (sim.data.transmission.actuator_length[0], sim.data.actuation.qfrc_actuator[0])
}

#[test]
fn the_torque_of_a_slider_crank_follows_its_angle() {
    let mut sim = crank();
    let mut torques = Vec::new();
    for step in 1..12 {
        let angle = f64::from(step) * 0.25;
        let (_, torque) = at(&mut sim, angle);
        // With a unit force the torque is the derivative of the length.
        let (ahead, _) = at(&mut sim, angle + 1e-6);
        let (behind, _) = at(&mut sim, angle - 1e-6);
        near(torque, (ahead - behind) / 2e-6, 1e-8);
        torques.push(torque);
    }
    for (one, other) in torques.iter().zip(&torques[1..]) {
        assert!((one - other).abs() > 1e-3, "{torques:?}");
    }
}

#[test]
fn a_slider_crank_transmits_nothing_at_its_dead_centres() {
    let mut sim = crank();
    for centre in [0.0, std::f64::consts::PI] {
        let (_, torque) = at(&mut sim, centre);
        near(torque, 0.0, 1e-15);
        let (_, ahead) = at(&mut sim, centre + 1e-3);
        let (_, behind) = at(&mut sim, centre - 1e-3);
        assert!(ahead.abs() < 2e-3 && ahead * behind < 0.0, "{ahead} {behind}");
        assert!(moment(&sim, 0)[0].is_finite());
    }
}

#[test]
fn a_slider_crank_drives_a_simulation() {
    let mut sim = crank();
    sim.data.state.qpos[0] = 0.3;
    sim.data.inputs.ctrl[0] = -0.05;
    for _ in 0..2000 {
        sim.step();
        assert!(sim.data.state.qpos[0].is_finite());
    }
    assert!((sim.data.state.qpos[0] - 0.3).abs() > 0.5, "the crank did not move: {}", sim.data.state.qpos[0]);
}
