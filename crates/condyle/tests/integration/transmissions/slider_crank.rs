//! Slider-crank: with `v` from slider to crank site, `a` the slider axis and `r` the length of the rod,
//! `length = a·v − √((a·v)² + r² − v·v)`; where the root does not exist the length is `a·v`.

use condyle::model::TransmissionType;
use condyle::{ObjectType, Sim};
use condyle_engine::query::jacobian;

use crate::common::{located_error, model, moment, near, refused, sim, world};

/// A hinge about y at the origin with a crank site, a slider site in the world along z.
fn mechanism(crank: &str, actuator: &str) -> String {
    world(
        &format!(
            r#"<site name="s"/><body name="b"><joint name="j" axis="0 1 0"/>
            <inertial pos="0 0 0" mass="1" diaginertia=".1 .1 .1"/><site name="c" pos="{crank}"/></body>"#
        ),
        &format!("<actuator><general {actuator}/></actuator>"),
    )
}

const OFFSET: &str = r#"cranksite="c" slidersite="s" cranklength="0.6""#;

/// Length of the offset mechanism by the formula above, as a function of the hinge angle.
fn offset_length(angle: f64) -> f64 {
    let (sine, cosine) = angle.sin_cos();
    // The crank site (0.5, 0, 0.5), turned about y.
    let z = 0.5 * cosine - 0.5 * sine;
    z - (z * z + 0.36 - 0.5).sqrt()
}

#[test]
fn a_slider_crank_in_line_is_as_long_as_crank_minus_rod_times_gear() {
    let sim = sim(&mechanism("0 0 1", r#"cranksite="c" slidersite="s" cranklength="0.5" gear="2""#));
    near(sim.data.transmission.actuator_length[0], 1.0, 1e-12);
    // In line the crank is at a dead centre: no torque.
    near(moment(&sim, 0)[0], 0.0, 1e-12);
}

#[test]
fn the_moment_of_a_slider_crank_is_the_derivative_of_its_length() {
    let sim = sim(&mechanism("0.5 0 0.5", OFFSET));
    near(sim.data.transmission.actuator_length[0], offset_length(0.0), 1e-15);
    let derivative = (offset_length(1e-6) - offset_length(-1e-6)) / 2e-6;
    near(moment(&sim, 0)[0], derivative, 1e-9);
    // By hand: z' = −1/2, √ = √0.11, so −1/2 + z/(2√0.11).
    near(moment(&sim, 0)[0], -0.5 + 0.25 / 0.11f64.sqrt(), 1e-12);
    near(moment(&sim, 0)[0], 0.25378, 1e-4);
}

#[test]
fn the_moment_of_a_slider_crank_follows_a_slider_that_moves_and_turns() {
    let text = world(
        r#"<body pos="-.1 .05 0"><joint name="k" axis="0 .6 .8"/><geom size=".1" pos=".1 0 0"/><site name="s" euler="10 20 30"/></body>
           <body><joint name="j" axis="0 1 0"/><geom size=".1" pos=".1 0 0"/><site name="c" pos=".3 0 .5"/></body>"#,
        r#"<actuator><general cranksite="c" slidersite="s" cranklength="0.7" gear="1.5"/></actuator>"#,
    );
    let mut sim = Sim::new(model(&text));
    let state = [0.4, -0.2];
    let mut length = |change: [f64; 2]| {
        sim.data.state.qpos.copy_from_slice(&[state[0] + change[0], state[1] + change[1]]);
        sim.forward();
        sim.data.transmission.actuator_length[0]
    };
    let derivative = [
        (length([1e-6, 0.0]) - length([-1e-6, 0.0])) / 2e-6,
        (length([0.0, 1e-6]) - length([0.0, -1e-6])) / 2e-6,
    ];
    length([0.0, 0.0]);
    crate::common::all_near(&moment(&sim, 0), &derivative, 1e-8);
    assert!(derivative.iter().all(|value| value.abs() > 0.005), "{derivative:?}");
}

#[test]
fn the_velocity_of_a_slider_crank_is_its_moment_times_the_velocity() {
    for gear in [1.0, 3.0] {
        let mut sim = Sim::new(model(&mechanism("0.5 0 0.5", &format!(r#"{OFFSET} gear="{gear}""#))));
        sim.data.state.qvel[0] = 1.0;
        sim.forward();
        let velocity = sim.data.velocity.actuator_velocity[0];
        assert_eq!(velocity, moment(&sim, 0)[0]);
        near(velocity, gear * 0.25378, 1e-4);
    }
}

#[test]
fn the_force_of_a_slider_crank_reaches_the_joint_through_its_moment() {
    let mut sim = Sim::new(model(&mechanism("0.5 0 0.5", &format!(r#"{OFFSET} gainprm="1""#))));
    sim.data.inputs.ctrl[0] = 1.0;
    sim.step();
    let torque = sim.data.actuation.qfrc_actuator[0];
    assert_eq!(torque, moment(&sim, 0)[0] * sim.data.actuation.actuator_force[0]);
    assert_eq!(sim.data.actuation.actuator_force[0], 1.0);
    assert!(torque > 0.2 && sim.data.state.qvel[0] > 0.0);
}

#[test]
fn a_slider_crank_that_cannot_close_has_the_projected_length() {
    let text = world(
        r#"<site name="s"/><body pos="1 0 0"><joint axis="0 1 0"/>
           <inertial pos="0 0 0" mass="1" diaginertia=".1 .1 .1"/><site name="c"/></body>"#,
        r#"<actuator><general cranksite="c" slidersite="s" cranklength="0.5"/></actuator>"#,
    );
    let mut sim = sim(&text);
    near(sim.data.transmission.actuator_length[0], 0.0, 1e-12);
    sim.data.inputs.ctrl[0] = 1.0;
    for _ in 0..100 {
        sim.step();
    }
    assert!(sim.data.state.qpos[0].is_finite() && sim.data.transmission.actuator_length[0].is_finite());
}

#[test]
fn a_slider_crank_is_stored_with_its_sites_rod_and_gear() {
    let model =
        model(&mechanism("0 0 1", r#"name="a" cranksite="c" slidersite="s" cranklength="0.5" gear="2""#));
    assert_eq!(model.actuator_trntype[0], TransmissionType::SliderCrank as i32);
    let site = |name| model.find(ObjectType::Site, name).map(|id| id as i32);
    assert_eq!(model.actuator_trnid[0].map(Some), [site("c"), site("s")]);
    assert_eq!((model.actuator_cranklength[0], model.actuator_gear[0][0]), (0.5, 2.0));
}

#[test]
fn a_crank_site_without_slider_site_is_an_error_at_its_place() {
    let message = located_error(&mechanism("0 0 1", r#"cranksite="c" cranklength="0.5""#));
    assert!(message.contains("slidersite"), "{message}");
}

#[test]
fn a_rod_that_is_not_longer_than_zero_is_an_error_at_its_place() {
    for length in ["0", "-1"] {
        let actuator = format!(r#"cranksite="c" slidersite="s" cranklength="{length}""#);
        let message = located_error(&mechanism("0 0 1", &actuator));
        assert!(message.contains("cranklength"), "{message}");
    }
    // Zero is also what an absent length means.
    refused(&mechanism("0 0 1", r#"cranksite="c" slidersite="s""#));
}

#[test]
fn half_a_transmission_is_an_error_at_its_place() {
    for (actuator, word) in [
        (r#"slidersite="s" joint="j""#, "slidersite"),
        (r#"cranklength="1" joint="j""#, "cranklength"),
        (r#"cranksite="nowhere" slidersite="s" cranklength="1""#, "nowhere"),
        (r#"cranksite="c" slidersite="nowhere" cranklength="1""#, "nowhere"),
        (r#"jointinparent="nowhere""#, "nowhere"),
        (r#"joint="j" jointinparent="j""#, "jointinparent"),
    ] {
        let message = located_error(&mechanism("0 0 1", actuator));
        assert!(message.contains(word), "{actuator}: {message}");
    }
}

#[test]
fn the_jacobian_of_an_axis_is_the_rotational_jacobian_times_the_axis() {
    let mut sim = Sim::new(model(&world(
        r#"<body name="a"><joint axis="0 1 0"/><geom size=".1" pos=".2 0 0"/>
           <body name="b" pos=".5 0 0"><joint axis="1 0 1"/><geom size=".1" pos=".1 0 0"/></body></body>"#,
        "",
    )));
    sim.data.state.qpos.copy_from_slice(&[0.3, 0.7]);
    sim.forward();
    let body = sim.model.find(ObjectType::Body, "b").unwrap();
    let (point, axis) = ([0.1, 0.2, 0.3], [0.6, 0.0, 0.8]);
    let nv = sim.model.nv;
    let [mut translation, mut of_axis, mut rotation, mut point_alone] = [(); 4].map(|()| vec![0.0; 3 * nv]);
    jacobian::of_point_and_axis(
        &sim.model,
        &sim.data.kinematics,
        Some(&mut translation),
        &mut of_axis,
        &mut rotation,
        point,
        axis,
        body,
    );
    jacobian::of_point(&sim.model, &sim.data.kinematics, Some(&mut point_alone), None, point, body);
    assert_eq!(translation, point_alone);
    for dof in 0..nv {
        // The rotational column of a hinge is its axis; the axis moves with the cross product.
        let turn = sim.data.kinematics.xaxis[dof];
        let expected = [
            turn[1] * axis[2] - turn[2] * axis[1],
            turn[2] * axis[0] - turn[0] * axis[2],
            turn[0] * axis[1] - turn[1] * axis[0],
        ];
        let column = [of_axis[dof], of_axis[nv + dof], of_axis[2 * nv + dof]];
        crate::common::all_near(&column, &expected, 1e-15);
    }
}
