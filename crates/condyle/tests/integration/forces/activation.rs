//! Activation states: limits, exact filters, forces from the activation of the next step.

use condyle::Sim;
use condyle::model::DynamicsType;

use crate::common::{model, near};

const TIMESTEP: f64 = 0.002;

fn actuated(default: &str, actuator: &str) -> Sim {
    let text = format!(
        r#"<mujoco><option gravity="0 0 0" timestep="{TIMESTEP}"/><default>{default}</default><worldbody><body>
        <joint name="j" type="slide"/><geom size=".1" mass="1"/></body></worldbody><actuator>{actuator}</actuator></mujoco>"#
    );
    Sim::new(model(&text))
}

fn run(sim: &mut Sim, control: f64, steps: usize) -> f64 {
    sim.data.inputs.ctrl[0] = control;
    for _ in 0..steps {
        sim.step();
    }
    sim.data.state.act[0]
}

const INTEGRATOR: &str = r#"<general joint="j" dyntype="integrator"/>"#;
const LIMITED: &str = r#"<general joint="j" dyntype="integrator" actlimited="true" actrange="-1 1"/>"#;

#[test]
fn a_limited_integrator_stops_at_its_range() {
    let mut sim = actuated("", LIMITED);
    assert_eq!(run(&mut sim, 1.0, 1000), 1.0);
    assert_eq!(run(&mut sim, -1.0, 2000), -1.0);
}

#[test]
fn an_integrator_without_limits_goes_on() {
    near(run(&mut actuated("", INTEGRATOR), 1.0, 1000), 2.0, 1e-12);
    // A range that is switched off does not limit either.
    let text = r#"<general joint="j" dyntype="integrator" actlimited="false" actrange="-1 1"/>"#;
    near(run(&mut actuated("", text), 1.0, 1000), 2.0, 1e-12);
}

#[test]
fn a_muscle_without_activation_range_stays_between_zero_and_one() {
    let mut sim = actuated("", r#"<muscle joint="j" lengthrange="-1 1"/>"#);
    assert_eq!((sim.model.actuator_actlimited[0], sim.model.actuator_actrange[0]), (0, [0.0, 0.0]));
    for (control, end) in [(5.0, 1.0), (-5.0, 0.0)] {
        for _ in 0..1000 {
            let activation = run(&mut sim, control, 1);
            assert!((0.0..=1.0).contains(&activation), "{activation}");
        }
        near(sim.data.state.act[0], end, 1e-3);
    }
}

#[test]
fn a_muscle_with_activation_range_is_limited_to_it() {
    // The muscle shortcut has no range of its own; the general form has.
    let text = r#"<general joint="j" dyntype="muscle" gaintype="muscle" biastype="muscle" dynprm=".01 .04"
        gainprm=".75 1.05 -1 200 .5 1.6 1.5 1.3 1.2" biasprm=".75 1.05 -1 200 .5 1.6 1.5 1.3 1.2"
        actlimited="true" actrange="-.5 1.5" lengthrange="-1 1"/>"#;
    for (start, after) in [(3.0, 1.5), (-3.0, -0.5), (1.2, 1.2)] {
        let mut sim = actuated("", text);
        assert_eq!((sim.model.actuator_actlimited[0], sim.model.actuator_actrange[0]), (1, [-0.5, 1.5]));
        sim.data.state.act[0] = start;
        let activation = run(&mut sim, 1.0, 1);
        if start == after {
            // Inside the range the dynamics of the muscle go on unclamped, beyond one.
            assert!(activation > 1.0 && activation < 1.2);
        } else {
            assert_eq!(activation, after);
        }
    }
}

#[test]
fn an_exact_filter_decays_exponentially_and_stops_at_its_range() {
    let time = 0.05;
    let text = format!(
        r#"<general joint="j" dyntype="filterexact" dynprm="{time}" actlimited="true" actrange="-.25 .75"/>"#
    );
    let mut sim = actuated("", &text);
    let mut expected = 0.0;
    for _ in 0..200 {
        let activation = run(&mut sim, 1.0, 1);
        let free: f64 = 1.0 - (1.0 - expected) * (-TIMESTEP / time).exp();
        expected = if free > 0.75 { 0.75 } else { free };
        near(activation, expected, 1e-12);
    }
    assert_eq!(expected, 0.75);
    // A servo with a time constant is such a filter.
    let servo = actuated("", r#"<position joint="j" timeconst=".05"/>"#).model;
    assert_eq!(servo.actuator_dyntype[0], DynamicsType::FilterExact as i32);
}

#[test]
fn an_early_activation_acts_one_step_sooner() {
    let text =
        |early: bool| format!(r#"<general joint="j" dyntype="integrator" actearly="{early}" gainprm="3"/>"#);
    let force = |early: bool| {
        let mut sim = actuated("", &text(early));
        sim.data.inputs.ctrl[0] = 1.0;
        (0..3)
            .map(|_| {
                sim.step();
                sim.data.actuation.actuator_force[0]
            })
            .collect::<Vec<_>>()
    };
    let (late, early) = (force(false), force(true));
    assert_eq!(late[0], 0.0);
    near(early[0], 3.0 * TIMESTEP, 1e-15);
    assert_eq!(early[..2], late[1..]);
}

#[test]
fn an_early_activation_is_limited_before_it_acts() {
    let text = r#"<general joint="j" dyntype="integrator" actearly="true" actlimited="true" actrange="-1 1" gainprm="3"/>"#;
    let mut sim = actuated("", text);
    sim.data.state.act[0] = 0.9995;
    sim.data.inputs.ctrl[0] = 1.0;
    sim.forward();
    assert_eq!(sim.data.actuation.actuator_force[0], 3.0);
    sim.data.state.act[0] = 0.99;
    sim.forward();
    near(sim.data.actuation.actuator_force[0], 3.0 * (0.99 + TIMESTEP), 1e-14);
}

#[test]
fn a_limited_integrator_follows_the_clamped_sum_of_its_controls() {
    let mut sim = actuated("", LIMITED);
    let mut expected: f64 = 0.0;
    for step in 0..2000 {
        let control = 2.0 * (0.01 * f64::from(step)).sin();
        let activation = run(&mut sim, control, 1);
        expected += TIMESTEP * control;
        expected = if expected > 1.0 {
            1.0
        } else if expected < -1.0 {
            -1.0
        } else {
            expected
        };
        near(activation, expected, 1e-12);
    }
}

#[test]
fn activation_limits_come_from_default_classes() {
    let default = r#"<general actlimited="true" actrange="-1 1" actearly="true" dyntype="integrator"/>
        <default class="wide"><general actrange="-4 4"/></default>"#;
    let actuators = r#"<general joint="j"/><general joint="j" class="wide"/><general joint="j" actlimited="false" actearly="false"/>"#;
    let model = actuated(default, actuators).model;
    assert_eq!(model.actuator_actlimited, [1, 1, 0]);
    assert_eq!(model.actuator_actearly, [1, 1, 0]);
    assert_eq!(model.actuator_actrange, [[-1.0, 1.0], [-4.0, 4.0], [-1.0, 1.0]]);
}
