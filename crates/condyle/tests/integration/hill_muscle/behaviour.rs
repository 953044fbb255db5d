//! Contract: a Hill-type muscle of type `<general dyntype="hillmuscle">` has the activation dynamics of the standard muscle and the
//! force of fibres with pennation on a rigid tendon, and leaves standard muscles alone.

use condyle::model::{BiasType, DynamicsType, GainType, hill as layout};
use condyle::{Sim, inverse};
use condyle_engine::actuation::hill_muscle::curves;
use condyle_engine::actuation::muscle::activation_rate;

use super::{arm, at_length, hill, model, try_model};

const OPTIMAL: &str = "0.10 0.20 10 0 35";

fn dynamics(width: f64) -> [f64; 10] {
    let mut parameters = [0.0; 10];
    parameters[..3].copy_from_slice(&[0.01, 0.04, width]);
    parameters
}

#[test]
fn activation_rises_with_a_hard_switch_between_time_constants() {
    let rate = |ctrl, act| activation_rate(ctrl, act, &dynamics(0.0));
    assert!((rate(0.8, 0.3) - 0.5 / (0.01 * 0.95)).abs() < 1e-10);
    assert!((rate(0.2, 0.7) + 0.5 * (0.5 + 1.5 * 0.7) / 0.04).abs() < 1e-10);
    assert!((rate(1.0, 0.0) - 1.0 / 0.005).abs() < 1e-10, "rest");
    assert!((rate(0.0, 1.0) + 2.0 / 0.04).abs() < 1e-10, "full activation");
    assert_eq!(rate(1.5, 0.3), rate(1.0, 0.3), "controls are clamped");
    assert_eq!(rate(0.4, 0.4), 0.0);
}

#[test]
fn activation_blends_time_constants_over_a_smoothing_width() {
    // The step is centred on an excess of zero and as wide as the parameter says.
    let x: f64 = 0.05 / 0.2 + 0.5;
    let step = x * x * x * (x * (6.0 * x - 15.0) + 10.0);
    let tau = 0.032 + (0.0125 - 0.032) * step;
    assert!((activation_rate(0.55, 0.5, &dynamics(0.2)) - 0.05 / tau).abs() < 1e-10);
}

#[test]
fn isometric_force_at_the_optimal_length_is_the_peak_force() {
    let sim = at_length(&arm(&hill(OPTIMAL)), 0.30, 1.0);
    assert!((sim.data.actuation.actuator_force[0] + 1000.0).abs() < 1e-8);
    let passive = at_length(&arm(&hill(OPTIMAL)), 0.30, 0.0);
    assert!(passive.data.actuation.actuator_force[0].abs() < 1e-8);
}

#[test]
fn pennation_reduces_the_force_by_its_cosine() {
    let along = 0.20 + 0.10 * 0.349066_f64.cos();
    let sim = at_length(&arm(&hill("0.10 0.20 10 0.349066 35")), along, 1.0);
    assert!((sim.data.actuation.actuator_force[0] + 1000.0 * 0.349066_f64.cos()).abs() < 1e-4);
    assert!((0.349066_f64.cos() - 0.93969).abs() < 1e-5);
}

#[test]
fn an_unset_peak_force_follows_from_scale_and_unit_acceleration() {
    let model = model(&arm(r#"<general joint="j" dyntype="hillmuscle" gainprm="0.75 1.05 -1 200"/>"#));
    let force = 200.0 / model.actuator_acc0[0];
    assert!(force > 0.0 && (model.actuator_gainprm[0][2] - force).abs() < 1e-10);
    assert_eq!(model.actuator_biasprm[0][2], model.actuator_gainprm[0][2]);
}

/// One standard muscle, and one Hill-type muscle on the same joint.
fn both() -> String {
    arm(&format!(
        r#"<muscle joint="j" lengthrange="-.5 .5" force="300" timeconst="0.01 0.04"/>{}"#,
        hill("0.10 0.20 10 0.1 35")
    ))
}

#[test]
fn activation_rates_equal_those_of_a_standard_muscle() {
    for (ctrl, act) in [(0.8, 0.3), (0.1, 0.6), (1.5, 0.0), (-1.0, 1.0), (0.5, 0.5)] {
        let mut sim = at_length(&both(), 0.3, act);
        sim.data.inputs.ctrl.fill(ctrl);
        sim.forward();
        let rates = &sim.data.actuation.act_dot;
        assert_eq!(rates.len(), 2);
        assert_eq!(rates[0].to_bits(), rates[1].to_bits(), "{ctrl} {act}");
    }
}

#[test]
fn early_activation_acts_in_the_same_step() {
    let early = hill(OPTIMAL).replace("/>", r#" actearly="true"/>"#);
    for (text, acts) in [(early, true), (hill(OPTIMAL), false)] {
        let mut sim = at_length(&arm(&text), 0.3, 0.0);
        sim.data.inputs.ctrl[0] = 1.0;
        sim.forward();
        let force = sim.data.actuation.actuator_force[0];
        let next = sim.data.actuation.act_dot[0] * sim.model.opt.timestep;
        let expected = if acts { -1000.0 * next } else { 0.0 };
        assert!((force - expected).abs() < 1e-9, "{force} {expected}");
        assert!(next > 0.0);
    }
}

#[test]
fn a_standard_muscle_gives_the_same_numbers_beside_a_hill_muscle() {
    let mut alone = Sim::new(model(&arm(
        r#"<muscle joint="j" lengthrange="-.5 .5" force="300" timeconst="0.01 0.04"/>"#,
    )));
    let mut mixed = Sim::new(model(&both()));
    for step_number in 0..50 {
        // The other muscle moves the arm; the comparison is at the same states.
        let (qpos, qvel) = (mixed.data.state.qpos[0], mixed.data.state.qvel[0]);
        alone.data.state.qpos[0] = qpos;
        alone.data.state.qvel[0] = qvel;
        for sim in [&mut alone, &mut mixed] {
            sim.data.inputs.ctrl.fill(0.5 + 0.4 * (0.3 * f64::from(step_number)).sin());
            sim.step();
        }
        let (one, two) = (&alone.data, &mixed.data);
        assert_eq!(one.actuation.actuator_force[0].to_bits(), two.actuation.actuator_force[0].to_bits());
        assert_eq!(one.actuation.act_dot[0].to_bits(), two.actuation.act_dot[0].to_bits());
        assert_eq!(one.state.act[0].to_bits(), two.state.act[0].to_bits());
    }
    assert_ne!(mixed.data.state.qpos[0], 0.0);
}

#[test]
fn reading_sets_types_parameters_and_activation_limits() {
    let text = arm(
        r#"<general name="h" joint="j" dyntype="hillmuscle" gainprm="0.75 1.05 -1 200 0.10 0.20 10.0 0.349066 35.0"/>"#,
    );
    let model = model(&text);
    assert_eq!(model.actuator_dyntype[0], DynamicsType::HillMuscle as i32);
    assert_eq!(model.actuator_gaintype[0], GainType::HillMuscle as i32);
    assert_eq!(model.actuator_biastype[0], BiasType::HillMuscle as i32);
    assert_eq!(model.actuator_gainprm[0][4..], [0.10, 0.20, 10.0, 0.349066, 35.0, 0.0]);
    assert_eq!(model.actuator_dynprm[0], layout::DEFAULT_DYNAMICS);
    assert_eq!((model.actuator_actnum[0], model.na), (1, 1));
    assert_eq!((model.actuator_actlimited[0], model.actuator_actrange[0]), (1, [0.0, 1.0]));
}

#[test]
fn a_class_hands_its_muscle_down() {
    let text = r#"<mujoco><compiler angle="radian"/>
  <default><default class="m"><general dyntype="hillmuscle" gainprm="0.75 1.05 700" dynprm="0.02"/></default></default>
  <worldbody><body><joint name="j" range="-1 1"/><geom size=".1"/></body></worldbody>
  <actuator><general class="m" joint="j" gainprm="0.75 1.05 800 200 0.2"/><general class="m" joint="j"/></actuator></mujoco>"#;
    let model = model(text);
    assert_eq!(model.actuator_gainprm[0][..7], [0.75, 1.05, 800.0, 200.0, 0.2, 0.2, 10.0]);
    assert_eq!(model.actuator_gainprm[1][..7], [0.75, 1.05, 700.0, 200.0, 0.1, 0.2, 10.0]);
    assert_eq!(model.actuator_dynprm[1][..2], [0.02, 0.04]);
    assert_eq!(model.actuator_biasprm, model.actuator_gainprm);
    assert_eq!(model.actuator_biastype, [BiasType::HillMuscle as i32; 2]);
}

#[test]
fn parameters_out_of_range_are_refused_at_their_place_with_help() {
    for (gains, message) in [
        ("0.0 0.20 10.0 0.0 35.0", "optimal_fiber_length must be positive"),
        ("nan 0.20 10.0 0.0 35.0", "optimal_fiber_length must be positive"),
        ("0.1 -0.20 10.0 0.0 35.0", "tendon_slack_length must be non-negative"),
        ("0.1 0.20 -1.0 0.0 35.0", "max_contraction_velocity must be positive"),
        ("0.1 0.20 10.0 1.6 35.0", "pennation_angle must be in [0, pi/2)"),
        ("0.1 0.20 10.0 -0.1 35.0", "pennation_angle must be in [0, pi/2)"),
        ("0.1 0.20 10.0 0.0 0.0", "tendon_stiffness must be positive"),
        ("0.1 0.20 10.0 1.5 35.0 1", "a varying pennation_angle must be below 1.4706 rad"),
    ] {
        let error = try_model(&arm(&hill(gains))).expect_err(gains);
        assert!(error.message.contains(message), "{gains}: {error}");
        let problem = error.diagnostics.iter().find(|problem| problem.is_error()).unwrap();
        let place = problem.location.as_ref().expect("a place");
        assert_eq!(place.line, 3, "{error}");
        assert!(place.column() > 40, "the attribute, not the element: {error}");
        assert!(problem.help.is_some(), "{error}");
    }
}

#[test]
fn length_ranges_are_found_for_hill_muscles_as_for_muscles() {
    let text = |muscle: &str| {
        format!(
            r#"<mujoco><worldbody><body><joint name="j" type="slide" range="-.3 .4"/><geom size=".1"/></body></worldbody>
  <actuator>{muscle}</actuator></mujoco>"#
        )
    };
    let standard = model(&text(r#"<muscle joint="j"/>"#));
    let hill = model(&text(r#"<general joint="j" dyntype="hillmuscle"/>"#));
    let none = model(
        &text(r#"<general joint="j" dyntype="hillmuscle"/>"#)
            .replace("<mujoco>", r#"<mujoco><compiler><lengthrange mode="none"/></compiler>"#),
    );
    assert!(hill.actuator_lengthrange[0][0] < hill.actuator_lengthrange[0][1]);
    assert_eq!(hill.actuator_lengthrange, standard.actuator_lengthrange);
    assert_eq!(none.actuator_lengthrange[0], [0.0, 0.0]);
}

#[test]
fn a_hill_muscle_without_a_length_range_has_its_force() {
    // Nothing limits the joint, so that no range can be found.
    let text = arm(&hill(OPTIMAL)).replace(r#" range="-.5 .5""#, "");
    let sim = at_length(&text, 0.30, 1.0);
    assert_eq!(sim.model.actuator_lengthrange[0], [0.0, 0.0]);
    assert!((sim.data.actuation.actuator_force[0] + 1000.0).abs() < 1e-8);
}

#[test]
fn other_gains_may_go_with_hill_dynamics() {
    let text = arm(
        r#"<general joint="j" dyntype="hillmuscle" gaintype="affine" gainprm="100 0 0" dynprm="0.01 0.04 0.0"/>"#,
    );
    let mut sim = at_length(&text, 0.25, 0.5);
    let model = &sim.model;
    assert_eq!(model.actuator_dyntype[0], DynamicsType::HillMuscle as i32);
    assert_eq!(model.actuator_gaintype[0], GainType::Affine as i32);
    assert_eq!(model.actuator_biastype[0], BiasType::HillMuscle as i32);
    assert!((sim.data.actuation.actuator_force[0] - 50.0).abs() < 1e-12, "no passive force at this length");
    sim.data.inputs.ctrl[0] = 1.0;
    sim.forward();
    assert_eq!(sim.data.actuation.act_dot[0], activation_rate(1.0, 0.5, &dynamics(0.0)));
}

#[test]
fn active_force_is_a_gaussian_between_its_ends() {
    assert_eq!(curves::active_force(1.0), 1.0);
    assert!((curves::active_force(0.5) - (-(0.5_f64 / 0.45).powf(2.0)).exp()).abs() < 1e-15);
    assert!((curves::active_force(1.6) - (-(0.6_f64 / 0.56).powf(2.0)).exp()).abs() < 1e-15);
    assert_eq!((curves::active_force(0.49), curves::active_force(1.61)), (0.0, 0.0));
}

#[test]
fn force_falls_with_the_speed_of_shortening_and_rises_with_lengthening() {
    assert_eq!(curves::velocity_force(0.0), 1.0);
    assert_eq!((curves::velocity_force(-1.0), curves::velocity_force(-7.0)), (0.0, 0.0));
    assert!((curves::velocity_force(-0.5) - 0.125 / 0.75).abs() < 1e-15);
    assert!((curves::velocity_force(0.5) - (1.0 + 0.5 * 0.5 / 0.75)).abs() < 1e-15);
    assert!((curves::velocity_force(1e9) - 1.5).abs() < 1e-8);
    assert!((curves::velocity_force(1e-9) - curves::velocity_force(-1e-9)).abs() < 1e-7, "no jump at rest");
}

#[test]
fn passive_force_rises_exponentially_beyond_the_optimal_length() {
    assert_eq!((curves::passive_force(0.9), curves::passive_force(1.0)), (0.0, 0.0));
    assert!((curves::passive_force(1.5) - (2.0_f64.exp() - 1.0) / (4.0_f64.exp() - 1.0)).abs() < 1e-15);
    let sim = at_length(&arm(&hill(OPTIMAL)), 0.35, 0.0);
    assert!((sim.data.actuation.actuator_force[0] + 1000.0 * curves::passive_force(1.5)).abs() < 1e-9);
}

#[test]
fn velocity_derivatives_match_differences_of_the_force() {
    use condyle_engine::step::stages;
    let muscles = [
        hill("0.10 0.20 10 0 35"),
        hill("0.10 0.20 10 0.3 35"),
        hill("0.10 0.20 10 0.3 35 1"),
        hill("0.10 0.20 10 0.3 35 1").replace("/>", r#" dynprm="0.01 0.04 0 0 0.2"/>"#),
    ];
    for muscle in muscles {
        for velocity in [-0.7, -0.2, 0.3] {
            let text = arm(&muscle).replace("<option ", r#"<option integrator="implicit" "#);
            let mut sim = at_length(&text, 0.31, 0.6);
            let mut force_at = |velocity: f64| {
                sim.data.state.qvel[0] = velocity;
                sim.forward();
                sim.data.actuation.qfrc_actuator[0]
            };
            // By six neighbours, exact for polynomials of degree six.
            let mut pair = |h: f64| force_at(velocity + h) - force_at(velocity - h);
            let difference = (45.0 * pair(1e-3) - 9.0 * pair(2e-3) + pair(3e-3)) / 6e-2;
            sim.data.state.qvel[0] = velocity;
            sim.forward();
            stages::velocity_derivative(&sim.model, &mut sim.data, true);
            let derivative = sim.data.derivatives.qDeriv[0];
            assert!(derivative < -1.0, "{muscle}: the muscle must damp");
            assert!((derivative / difference - 1.0).abs() < 1e-10, "{muscle}: {derivative} {difference}");
        }
    }
}

#[test]
fn stepping_differentiating_and_inverting_agree() {
    use condyle_engine::finite_difference::{TransitionRequest, transition};
    for tendon in ["0", "1"] {
        let muscle =
            hill("0.10 0.20 10 0.2 35 1").replace("/>", &format!(r#" dynprm="0.01 0.04 0 {tendon}"/>"#));
        let sensors = r#"<sensor><actuatorpos actuator="m"/><actuatorvel actuator="m"/><actuatorfrc actuator="m"/>
            <jointactuatorfrc joint="j"/><e_potential/><e_kinetic/></sensor></mujoco>"#;
        let muscle = muscle.replace("<general ", r#"<general name="m" "#).replace("1.05 1000", "1.05 20");
        let text = arm(&muscle).replace("</mujoco>", sensors);
        let mut sim = Sim::new(model(&text));
        sim.data.state.qpos[0] = 0.31;
        sim.data.inputs.ctrl[0] = 0.7;
        for _ in 0..5 {
            sim.step();
        }
        sim.forward();
        let (state, result) = (&sim.data.state, &sim.data.actuation);
        let readings = &sim.data.sensors.sensordata;
        assert_eq!(readings[0], state.qpos[0]);
        assert_eq!(readings[1], state.qvel[0]);
        assert_eq!(readings[2], result.actuator_force[0]);
        assert_eq!(readings[3], result.qfrc_actuator[0]);
        assert!(result.actuator_force[0] < -1.0);
        let force = result.qfrc_actuator[0];
        inverse(&sim.model, &mut sim.data);
        assert!((sim.data.inverse.qfrc_inverse[0] - force).abs() < 1e-9 * force.abs());

        let request = TransitionRequest { a: true, b: true, c: true, d: true };
        let one = transition(&sim.model, &mut sim.data, 1e-6, true, request, 1).unwrap();
        let two = transition(&sim.model, &mut sim.data, 1e-6, true, request, 2).unwrap();
        let size = 2 + sim.model.na;
        assert_eq!(one.a.len(), size * size);
        assert_eq!((&one.a, &one.b, &one.c, &one.d), (&two.a, &two.b, &two.c, &two.d));
        assert!(one.a.iter().chain(&one.b).chain(&one.c).all(|entry| entry.is_finite()));
        // The last activation drives the muscle, and the control drives the activation.
        let last = size - 1;
        assert!(one.b[last] > 0.0, "{:?}", one.b);
        assert!(one.a[last * size + last] < 1.0);
    }
}
