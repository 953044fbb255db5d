//! Contract: fibres on a compliant tendon are a state that is placed, clamped, integrated, saved and restored like any other, and
//! that stays stable however stiff the tendon is.

use condyle::model::{DynamicsType, mjb};
use condyle::{Sim, reset, state};
use condyle_engine::actuation::hill_muscle::HillMuscle;
use condyle_engine::actuation::hill_muscle::fiber::RANGE;
use condyle_engine::state::component;

use super::{arm, hill, model, try_model};

/// A 1000 N muscle with a compliant tendon of 0.2 m on the arm, with these gain parameters after the slack length.
fn muscle(rest: &str) -> String {
    hill(&format!("0.10 0.20 {rest}")).replace("/>", r#" dynprm="0.01 0.04 0 1"/>"#)
}

/// The arm held at a length: heavy enough not to move.
fn held(rest: &str, length: f64) -> Sim {
    let text = arm(&muscle(rest)).replace("range=\"-.5 .5\"", "armature=\"1e12\"");
    let mut sim = Sim::new(model(&text));
    sim.data.state.qpos[0] = length;
    sim
}

#[test]
fn fibres_and_activation_are_two_states() {
    let sim = held("10 0 35", 0.3);
    assert_eq!((sim.model.na, sim.model.actuator_actnum[0]), (2, 2));
    assert_eq!(HillMuscle::of(&sim.model, 0).unwrap().damping, 0.1, "the default damping");
}

#[test]
fn fibres_start_where_they_carry_the_tendon() {
    for (length, activation) in [(0.3, 0.0), (0.3, 0.5), (0.33, 0.2), (0.31, 1.0), (0.28, 0.7), (0.36, 0.0)] {
        for rest in ["10 0 35", "10 0.4 20", "10 0.4 20 1"] {
            let mut sim = held(rest, length);
            sim.data.state.act[1] = activation;
            sim.forward();
            let fiber = sim.data.state.act[0];
            assert!(fiber > 0.0);
            let rate = sim.data.actuation.act_dot[0];
            assert!(rate.abs() < 1e-6, "{length} {activation} {rest}: fibre {fiber} moves with {rate}");
            let muscle = HillMuscle::of(&sim.model, 0).unwrap();
            let tendon = muscle.force * muscle.tendon_force(length, fiber);
            assert!((sim.data.actuation.actuator_force[0] + tendon).abs() < 1e-6 * (1.0 + tendon));
        }
    }
}

#[test]
fn the_force_is_that_of_the_tendon_at_any_fibre_length_and_velocity() {
    for fiber in [0.55, 0.9, 0.97, 1.0, 1.05] {
        for activation in [0.0, 0.3, 1.0] {
            let mut sim = held("10 0.3 35 1", 0.305);
            sim.data.state.act.copy_from_slice(&[fiber, activation]);
            sim.data.state.qvel[0] = 0.3;
            sim.forward();
            let muscle = HillMuscle::of(&sim.model, 0).unwrap();
            let tendon = muscle.force * muscle.tendon_force(0.305, fiber);
            let force = sim.data.actuation.actuator_force[0];
            assert!((force + tendon).abs() < 1e-9 * (1.0 + tendon), "{fiber} {activation}: {force} {tendon}");
        }
    }
}

#[test]
fn a_reset_and_a_keyframe_place_the_fibres_anew() {
    let keys = r#"<keyframe><key name="free" qpos=".31"/><key name="auto" qpos=".31" act="0 .4"/><key name="set" qpos=".31" act="1.1 .4"/></keyframe></mujoco>"#;
    let text = arm(&muscle("10 0 35")).replace("</mujoco>", keys);
    let mut sim = Sim::new(model(&text));
    let mut fiber_after = |key: Option<&str>| {
        match key {
            Some(key) => assert!(sim.reset_to_keyframe(key)),
            None => sim.reset(),
        }
        sim.forward();
        (sim.data.state.act[0], sim.data.state.act[1])
    };
    let start = fiber_after(None);
    let free = fiber_after(Some("free"));
    let auto = fiber_after(Some("auto"));
    assert_eq!(fiber_after(Some("set")), (1.1, 0.4));
    assert_eq!(fiber_after(None), start);
    let muscle = HillMuscle::of(&sim.model, 0).unwrap();
    assert_eq!(start.0, muscle.equilibrium(sim.model.actuator_length0[0], 0.0));
    assert_eq!(free, (muscle.equilibrium(0.31, 0.0), 0.0));
    assert_eq!(auto, (muscle.equilibrium(0.31, 0.4), 0.4));
    assert!(auto.0 < free.0, "activation shortens the fibres");
}

#[test]
fn fibres_have_a_clamp_of_their_own() {
    let mut sim = held("10 0 35", 0.3);
    sim.data.state.act.copy_from_slice(&[50.0, 0.5]);
    sim.step();
    assert!(sim.data.state.act[0] <= RANGE[1]);
    sim.data.state.act.copy_from_slice(&[1e-9, 0.5]);
    sim.step();
    assert!(sim.data.state.act[0] >= RANGE[0]);
    assert!((0.0..=1.0).contains(&sim.data.state.act[1]), "the activation has the range of the actuator");
    let mut steep = held("10 1.2 35 1", 0.22);
    steep.data.state.act.copy_from_slice(&[0.2, 0.5]);
    steep.step();
    assert!(steep.data.state.act[0] >= 1.2_f64.sin(), "fibres cannot be shorter than the muscle is high");
}

#[test]
fn an_isometric_contraction_ends_in_equilibrium() {
    for integrator in ["Euler", "implicit", "implicitfast", "RK4"] {
        let text = arm(&muscle("10 0 35"))
            .replace("range=\"-.5 .5\"", "armature=\"1e12\"")
            .replace("<option ", &format!(r#"<option integrator="{integrator}" "#));
        let mut sim = Sim::new(model(&text));
        sim.data.state.qpos[0] = 0.3;
        sim.data.inputs.ctrl[0] = 1.0;
        let mut shortest = f64::INFINITY;
        for _ in 0..1000 {
            sim.step();
            shortest = condyle_math::scalar::min(shortest, sim.data.state.act[0]);
        }
        sim.forward();
        let muscle = HillMuscle::of(&sim.model, 0).unwrap();
        let [fiber, activation] = [sim.data.state.act[0], sim.data.state.act[1]];
        let length = sim.data.state.qpos[0];
        let rest = muscle.equilibrium(length, activation);
        assert!((activation - 1.0).abs() < 1e-9);
        assert!((fiber - rest).abs() < 1e-9, "{integrator}: {fiber} {rest}");
        // The tendon stretches by as much as the fibres shorten, and the force is below the peak because they left the optimum.
        let force = -sim.data.actuation.actuator_force[0];
        assert!((length - 0.1 * fiber - 0.2 * (1.0 + muscle.strain(length, fiber))).abs() < 1e-12);
        assert!(fiber < 0.93 && force > 900.0 && force < 1000.0, "{integrator}: {fiber} {force}");
        assert!(shortest > fiber - 1e-3, "{integrator}: no overshoot");
    }
}

#[test]
fn a_stiff_tendon_at_a_long_time_step_stays_stable() {
    // Explicit steps would need a time step below 2 · 0.1 · 0.02 / (10 · 100 · 0.1) = 40 µs.
    let text = arm(&hill("0.10 0.02 10 0 100").replace("/>", r#" dynprm="0.01 0.04 0 1"/>"#))
        .replace("range=\"-.5 .5\"", "armature=\"1e12\"")
        .replace("<option ", r#"<option timestep="0.005" "#);
    let mut sim = Sim::new(model(&text));
    sim.data.state.qpos[0] = 0.16;
    let mut previous = f64::NAN;
    for step in 0..400 {
        sim.data.inputs.ctrl[0] = f64::from(u8::from(step < 200));
        sim.step();
        let fiber = sim.data.state.act[0];
        if step % 200 > 150 {
            assert!((fiber - previous).abs() < 1e-6, "step {step}: {previous} to {fiber}");
        }
        previous = fiber;
    }
}

#[test]
fn a_saved_state_continues_bit_for_bit() {
    let text = arm(&muscle("10 0.3 35 1").replace("1.05 1000", "1.05 20"));
    let mut sim = Sim::new(model(&text));
    sim.data.state.qpos[0] = 0.3;
    sim.data.inputs.ctrl[0] = 0.8;
    for _ in 0..37 {
        sim.step();
    }
    let signature = (1 << component::COUNT) - 1;
    let mut saved = vec![0.0; state::size(&sim.model, signature)];
    state::get(&sim.data, &mut saved, signature);
    let mut other = Sim::new(sim.model.clone());
    state::set(&mut other.data, &saved, signature);
    for _ in 0..50 {
        sim.step();
        other.step();
    }
    let bits =
        |sim: &Sim| [sim.data.state.act[0], sim.data.state.act[1], sim.data.state.qpos[0]].map(f64::to_bits);
    assert_eq!(bits(&sim), bits(&other));
}

#[test]
fn derivatives_of_a_state_with_unplaced_fibres_are_those_of_the_placed_ones() {
    use condyle_engine::finite_difference::{TransitionRequest, transition};
    let request = TransitionRequest { a: true, b: false, c: false, d: false };
    let mut fresh = held("10 0 35", 0.31);
    let mut placed = held("10 0 35", 0.31);
    placed.forward();
    let one = transition(&fresh.model, &mut fresh.data, 1e-6, true, request, 1).unwrap().a;
    let two = transition(&placed.model, &mut placed.data, 1e-6, true, request, 1).unwrap().a;
    for (one, two) in one.iter().zip(&two) {
        assert!((one - two).abs() < 1e-6 * (1.0 + two.abs()));
    }
    // Position, velocity, fibre, activation: the fibre relaxes.
    assert!(one[2 * 4 + 2] > 0.0 && one[2 * 4 + 2] < 1.0, "{one:?}");
}

#[test]
fn a_binary_file_keeps_the_muscle_and_is_marked_as_extended() {
    let model = model(&arm(&muscle("10 0.3 35 1")));
    let bytes = mjb::write(&model);
    let again = mjb::read(&bytes).unwrap();
    assert!(mjb::write(&again) == bytes);
    assert_eq!((again.actuator_dyntype[0], again.actuator_actnum[0]), (DynamicsType::HillMuscle as i32, 2));
    let standard = mjb::write(&super::model(&arm(r#"<muscle joint="j" lengthrange="-.5 .5"/>"#)));
    assert_ne!(bytes[..4], standard[..4], "the reference must not take it for one of its own");
    assert_eq!(standard[..4], 54321_i32.to_le_bytes());
}

#[test]
fn impossible_compliant_tendons_are_refused() {
    let with = |attributes: &str| {
        try_model(&arm(&format!(r#"<general joint="j" dyntype="hillmuscle" {attributes}/>"#)))
            .expect_err(attributes)
            .message
    };
    let slackless = with(r#"dynprm="0.01 0.04 0 1" gainprm="0.75 1.05 100 200 0.1 0""#);
    assert!(
        slackless.contains("tendon_slack_length must be positive with a compliant tendon"),
        "{slackless}"
    );
    let fiberless = with(r#"dynprm="0.01 0.04 0 1" gaintype="fixed" biastype="none""#);
    assert!(fiberless.contains("a compliant tendon needs the fibres"), "{fiberless}");
    let small = with(r#"dynprm="0.01 0.04 0 1" actdim="1""#);
    assert!(small.contains("actdim 2"), "{small}");
    let negative = with(r#"dynprm="0.01 0.04 0 1 -0.1""#);
    assert!(negative.contains("fiber_damping must be non-negative"), "{negative}");
}

#[test]
fn resetting_data_gives_the_same_motion_again() {
    let text = arm(&muscle("10 0.3 35 1").replace("1.05 1000", "1.05 20"));
    let mut sim = Sim::new(model(&text));
    let run = |sim: &mut Sim| {
        reset(&sim.model, &mut sim.data);
        sim.data.state.qpos[0] = 0.3;
        sim.data.inputs.ctrl[0] = 0.8;
        for _ in 0..100 {
            sim.step();
        }
        sim.data.state.act.to_vec()
    };
    let first = run(&mut sim);
    assert_eq!(first, run(&mut sim));
    assert!(first.iter().all(|value| value.is_finite()));
}
