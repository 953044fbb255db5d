//! Gravity compensation: a passive force `−gravcomp · mass · gravity` at the centre of mass of a body.

use condyle::Sim;

use crate::common::{all_near, bits, model, near, sim, world};

const G: f64 = 9.81;

fn free_body(attribute: &str) -> String {
    world(&format!(r#"<body {attribute}><freejoint/><geom size=".1" mass="2"/></body>"#), "")
}

#[test]
fn a_fully_compensated_body_floats() {
    let sim = sim(&free_body(r#"gravcomp="1""#));
    all_near(&sim.data.acceleration.qacc, &[0.0; 6], 1e-12);
    let cancelled: Vec<f64> = sim
        .data
        .passive
        .qfrc_gravcomp
        .iter()
        .zip(&*sim.data.bias.qfrc_bias)
        .map(|(up, bias)| up - bias)
        .collect();
    all_near(&cancelled, &[0.0; 6], 1e-12);
}

#[test]
fn a_body_without_compensation_falls_as_if_there_were_none() {
    let (plain, zero) = (sim(&free_body("")), sim(&free_body(r#"gravcomp="0""#)));
    assert_eq!(*zero.data.passive.qfrc_gravcomp, [0.0; 6]);
    assert_eq!(bits(&plain.data.acceleration.qacc), bits(&zero.data.acceleration.qacc));
    near(zero.data.acceleration.qacc[2], -G, 1e-12);
}

#[test]
fn half_a_compensation_is_half_the_force() {
    let force =
        |factor: f64| sim(&free_body(&format!(r#"gravcomp="{factor}""#))).data.passive.qfrc_gravcomp[2];
    near(force(0.5) / force(1.0), 0.5, 1e-12);
}

#[test]
fn more_than_full_compensation_lifts_a_body() {
    near(sim(&free_body(r#"gravcomp="2""#)).data.acceleration.qacc[2], G, 1e-12);
}

#[test]
fn every_real_compensation_is_accepted() {
    for factor in ["0", "7.2", "-1", "1e-3"] {
        let model = model(&free_body(&format!(r#"gravcomp="{factor}""#)));
        assert_eq!(model.body_gravcomp, [0.0, factor.parse().unwrap()]);
    }
}

#[test]
fn a_compensated_arm_holds_its_pose() {
    let link = |inner: &str| {
        format!(
            r#"<body pos=".4 0 0" gravcomp="1"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/>{inner}</body>"#
        )
    };
    let mut sim = Sim::new(model(&world(&link(&link(&link(""))), "")));
    sim.data.state.qpos.copy_from_slice(&[0.3, -0.8, 1.1]);
    sim.forward();
    all_near(&sim.data.acceleration.qacc, &[0.0; 3], 1e-10);
    assert_eq!(bits(&sim.data.passive.qfrc_passive), bits(&sim.data.passive.qfrc_gravcomp));
    all_near(&sim.data.passive.qfrc_passive, &sim.data.bias.qfrc_bias, 1e-12);
    assert!(sim.data.passive.qfrc_passive.iter().all(|force| force.abs() > 0.1));
}

#[test]
fn without_gravity_there_is_nothing_to_compensate() {
    let body = r#"<worldbody><body gravcomp="1"><freejoint/><geom size=".1"/></body></worldbody>"#;
    for option in [r#"<option gravity="0 0 0"/>"#, r#"<option><flag gravity="disable"/></option>"#] {
        let sim = sim(&format!("<mujoco>{option}{body}</mujoco>"));
        assert_eq!(*sim.data.passive.qfrc_gravcomp, [0.0; 6]);
    }
}

#[test]
fn compensation_acts_at_the_centre_of_mass() {
    let text = world(
        r#"<body gravcomp="1"><joint axis="0 1 0"/><inertial pos=".2 0 .1" mass="3" diaginertia="1 1 1"/></body>"#,
        "",
    );
    let mut sim = Sim::new(model(&text));
    sim.data.state.qpos[0] = 0.4;
    sim.forward();
    // Torque about y of the upward force at the centre of mass: z·Fx − x·Fz.
    let centre = sim.data.kinematics.xipos[1];
    near(sim.data.passive.qfrc_gravcomp[0], -centre[0] * 3.0 * G, 1e-12);
    near(centre[0], 0.2 * 0.4f64.cos() + 0.1 * 0.4f64.sin(), 1e-15);
}

#[test]
fn compensation_has_an_array_of_its_own() {
    let text = world(
        r#"<body gravcomp="1"><joint axis="0 1 0" stiffness="5" springref="30"/><geom size=".1" pos=".3 0 0"/></body>
           <body><joint axis="0 1 0" stiffness="5" springref="30"/><geom size=".1" pos=".3 0 0"/></body>"#,
        "",
    );
    let sim = sim(&text);
    let passive = &sim.data.passive;
    assert!(passive.qfrc_gravcomp[0].abs() > 0.1 && passive.qfrc_gravcomp[1] == 0.0);
    near(passive.qfrc_passive[0], passive.qfrc_spring[0] + passive.qfrc_gravcomp[0], 1e-15);
    assert_eq!(passive.qfrc_passive[1], passive.qfrc_spring[1]);
    assert!(passive.qfrc_spring[1] > 1.0);
}

#[test]
fn compensation_of_a_free_body_is_a_force_without_torque() {
    let sim = sim(&free_body(r#"gravcomp=".7""#));
    all_near(&sim.data.passive.qfrc_gravcomp, &[0.0, 0.0, 0.7 * 2.0 * G, 0.0, 0.0, 0.0], 1e-12);
}

#[test]
fn sleeping_bodies_are_not_compensated() {
    let text = r#"<mujoco><option><flag sleep="enable"/></option><worldbody>
        <body gravcomp="1" sleep="init"><freejoint/><geom size=".1" mass="2"/></body>
        <body pos="2 0 0" gravcomp="1" sleep="never"><freejoint/><geom size=".1" mass="2"/></body></worldbody></mujoco>"#;
    let mut sim = sim(text);
    // What a tree left behind when it fell asleep stays; with that cleared, a sleeping tree contributes nothing.
    sim.data.passive.qfrc_gravcomp[..6].fill(0.0);
    for _ in 0..5 {
        assert!(sim.data.state.tree_asleep[0] >= 0 && sim.data.state.tree_asleep[1] < 0);
        let force = &sim.data.passive.qfrc_gravcomp;
        assert_eq!(force[..6], [0.0; 6]);
        near(force[8], 2.0 * G, 1e-12);
        sim.step();
    }
}

#[test]
fn negative_compensation_doubles_the_weight() {
    let sim = sim(&free_body(r#"gravcomp="-1""#));
    near(sim.data.passive.qfrc_gravcomp[2], -2.0 * G, 1e-12);
    near(sim.data.acceleration.qacc[2], -2.0 * G, 1e-12);
}

#[test]
fn compensating_a_child_also_relieves_the_joints_above_it() {
    let text = world(
        r#"<body gravcomp="0"><joint axis="0 1 0"/><geom size=".1" pos=".3 0 0" mass="1"/>
             <body pos=".5 0 0" gravcomp="1"><joint axis="0 1 0"/><geom size=".1" pos=".2 0 0" mass="3"/></body></body>"#,
        "",
    );
    let sim = sim(&text);
    // About y an upward force at x turns by −x: at 0.7 from the first joint, at 0.2 from the second.
    all_near(&sim.data.passive.qfrc_gravcomp, &[-0.7 * 3.0 * G, -0.2 * 3.0 * G], 1e-12);
}

#[test]
fn compensation_beside_the_origin_of_a_free_body_turns_it() {
    let text = world(
        r#"<body gravcomp="1"><freejoint align="false"/><inertial pos=".1 0 0" mass="2" diaginertia="1 1 1"/></body>"#,
        "",
    );
    let sim = sim(&text);
    all_near(&sim.data.passive.qfrc_gravcomp, &[0.0, 0.0, 2.0 * G, 0.0, -0.1 * 2.0 * G, 0.0], 1e-12);
}
