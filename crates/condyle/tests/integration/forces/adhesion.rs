//! Adhesion: an actuator that pulls a body along the mean of the normals of its contacts.

use condyle::model::TransmissionType;
use condyle::{ObjectType, Sim};
use condyle_engine::data::Contact;
use condyle_engine::step::stages;

use crate::common::{all_near, model, moment, near, refused, sim, world};

const PLANE: &str = r#"<geom type="plane" size="0 0 1"/>"#;
const SPHERE: &str = r#"<body name="ball" pos="0 0 .099"><freejoint/><geom size=".1" mass="1"/></body>"#;
const BOX: &str =
    r#"<body name="box" pos="0 0 .099"><freejoint/><geom type="box" size=".1 .2 .1" mass="1"/></body>"#;

fn sticky(bodies: &str, actuator: &str) -> Sim {
    let mut sim =
        Sim::new(model(&world(&format!("{PLANE}{bodies}"), &format!("<actuator>{actuator}</actuator>"))));
    sim.data.inputs.ctrl[0] = 1.0;
    sim.forward();
    sim
}

fn adhesion(body: &str, gain: f64) -> String {
    format!(r#"<adhesion body="{body}" gain="{gain}" ctrlrange="0 1"/>"#)
}

#[test]
fn adhesion_names_its_body() {
    let model = sticky(BOX, &adhesion("box", 100.0)).model;
    assert_eq!(model.actuator_trntype[0], TransmissionType::Body as i32);
    assert_eq!(Some(model.actuator_trnid[0][0] as usize), model.find(ObjectType::Body, "box"));
    assert_eq!(model.actuator_gainprm[0][0], 100.0);
    refused(&world(BOX, r#"<actuator><adhesion body="nowhere" ctrlrange="0 1"/></actuator>"#));
}

#[test]
fn adhesion_without_contact_does_nothing() {
    let high = SPHERE.replace(".099", "3");
    let sim = sticky(&high, &adhesion("ball", 100.0));
    assert_eq!(moment(&sim, 0), [0.0; 6]);
    assert_eq!(*sim.data.actuation.qfrc_actuator, [0.0; 6]);
    assert_eq!(sim.data.actuation.actuator_force[0], 100.0);
}

#[test]
fn adhesion_pulls_towards_the_surface() {
    let sim = sticky(SPHERE, &adhesion("ball", 100.0));
    // Gravity pulls down, and so does the plane.
    assert!(sim.data.actuation.qfrc_actuator[2] < 0.0 && sim.data.bias.qfrc_bias[2] > 0.0);
}

#[test]
fn the_pull_of_one_contact_is_gain_times_control_along_its_normal() {
    let sim = sticky(SPHERE, &adhesion("ball", 100.0));
    assert_eq!(sim.data.contacts.len(), 1);
    all_near(&moment(&sim, 0), &[0.0, 0.0, -1.0, 0.0, 0.0, 0.0], 1e-12);
    all_near(&sim.data.actuation.qfrc_actuator, &[0.0, 0.0, -100.0, 0.0, 0.0, 0.0], 1e-12);
}

/// Generalised force of a unit force along z at a point, on a free body at the given origin that is not turned.
fn lift(point: [f64; 3], origin: [f64; 3]) -> [f64; 6] {
    let arm = [point[0] - origin[0], point[1] - origin[1]];
    [0.0, 0.0, 1.0, arm[1], -arm[0], 0.0]
}

#[test]
fn the_pull_of_several_contacts_is_their_mean() {
    for cone in ["pyramidal", "elliptic"] {
        // Off the middle and tilted contacts would cancel nothing: compare with the sum contact by contact.
        let text = format!(
            r#"<mujoco><option cone="{cone}"/><worldbody>{PLANE}{BOX}</worldbody><actuator>{}</actuator></mujoco>"#,
            adhesion("box", 100.0)
        );
        let mut sim = Sim::new(model(&text));
        sim.data.inputs.ctrl[0] = 1.0;
        sim.forward();
        assert_eq!(sim.data.contacts.len(), 4);
        let mut expected = [0.0; 6];
        for contact in &sim.data.contacts {
            for (sum, value) in expected.iter_mut().zip(lift(contact.pos, sim.data.kinematics.xpos[1])) {
                *sum -= value / 4.0;
            }
        }
        all_near(&moment(&sim, 0), &expected, 1e-12);
        all_near(&sim.data.actuation.qfrc_actuator, &expected.map(|value| 100.0 * value), 1e-10);
        near(sim.data.actuation.qfrc_actuator[2], -100.0, 1e-10);
    }
}

#[test]
fn adhesion_ignores_gear() {
    let geared =
        |gear: f64| sticky(SPHERE, &format!(r#"<general body="ball" gainprm="100" gear="{gear}"/>"#));
    let (one, two) = (geared(1.0), geared(2.0));
    assert_eq!(two.model.actuator_gear[0][0], 2.0);
    assert_eq!(moment(&one, 0), moment(&two, 0));
    assert_eq!(one.data.actuation.qfrc_actuator, two.data.actuation.qfrc_actuator);
}

#[test]
fn twice_the_gain_is_twice_the_pull() {
    let pull = |gain: f64| sticky(SPHERE, &adhesion("ball", gain)).data.actuation.qfrc_actuator[2];
    assert_eq!(pull(200.0), 2.0 * pull(100.0));
}

#[test]
fn a_body_that_lifts_off_loses_its_adhesion() {
    let mut sim = sticky(SPHERE, &adhesion("ball", 100.0));
    assert_ne!(moment(&sim, 0), [0.0; 6]);
    sim.data.state.qpos[2] = 1.0;
    sim.forward();
    assert_eq!(moment(&sim, 0), [0.0; 6]);
}

#[test]
fn adhesion_has_no_length() {
    for bodies in [SPHERE, BOX] {
        let name = if bodies == BOX { "box" } else { "ball" };
        assert_eq!(sticky(bodies, &adhesion(name, 1.0)).data.transmission.actuator_length[0], 0.0);
    }
}

#[test]
fn the_velocity_of_adhesion_is_its_moment_times_the_velocity() {
    let mut sim = sticky(BOX, &adhesion("box", 1.0));
    sim.data.state.qvel.copy_from_slice(&[0.1, -0.2, 0.3, 1.0, 2.0, 3.0]);
    sim.forward();
    let expected: f64 =
        moment(&sim, 0).iter().zip(&*sim.data.state.qvel).map(|(arm, speed)| arm * speed).sum();
    near(sim.data.velocity.actuator_velocity[0], expected, 1e-15);
    assert!(expected.abs() > 0.1);
}

#[test]
fn contacts_with_deformable_bodies_do_not_adhere() {
    let mut sim = sticky(SPHERE, &adhesion("ball", 100.0));
    let before = moment(&sim, 0);
    // A contact of the ball with a flex vertex has no second geom.
    let rigid = sim.data.contacts[0];
    let soft = Contact {
        geom: [rigid.geom[1], -1],
        geom1: rigid.geom[1],
        geom2: -1,
        flex: [-1, 0],
        vert: [-1, 3],
        ..rigid
    };
    sim.data.contacts.push(soft);
    stages::transmission(&sim.model, &mut sim.data);
    assert_eq!(moment(&sim, 0), before);
    // Another rigid contact counts: the mean changes with its row.
    sim.data.contacts.push(Contact { exclude: 1, pos: [0.5, 0.0, 0.0], ..rigid });
    stages::transmission(&sim.model, &mut sim.data);
    assert_ne!(moment(&sim, 0), before);
}

#[test]
fn adhesion_of_a_hinged_body_pulls_with_its_lever_arm() {
    let bodies = r#"<body name="flap" pos="0 0 .05"><joint axis="0 1 0"/>
        <geom size=".1" pos=".4 0 .049"/></body>"#;
    let sim = sticky(bodies, &adhesion("flap", 1.0));
    assert_eq!(sim.data.contacts.len(), 1);
    let (point, anchor) = (sim.data.contacts[0].pos, sim.data.kinematics.xanchor[0]);
    // n·(axis × arm) for n = z and the axis y is −(x of the arm); adhesion pulls against the normal.
    assert_eq!(moment(&sim, 0).len(), 1);
    near(moment(&sim, 0)[0], point[0] - anchor[0], 1e-12);
    near(moment(&sim, 0)[0], 0.4, 1e-12);
}

#[test]
fn adhesion_between_two_moving_bodies_pulls_on_both() {
    let bodies = r#"<body name="tray" pos="0 0 1"><freejoint/><geom type="box" size=".5 .5 .05" mass="1"/></body>
        <body name="ball" pos=".1 0 1.149"><freejoint/><geom size=".1" mass="1"/></body>"#;
    let sim = sticky(bodies, &adhesion("ball", 10.0));
    assert_eq!(sim.data.contacts.len(), 1);
    let arms = moment(&sim, 0);
    near(arms[2], 1.0, 1e-12);
    near(arms[8], -1.0, 1e-12);
    near(sim.data.actuation.qfrc_actuator[2], 10.0, 1e-11);
}

#[test]
fn models_without_adhesion_have_no_trace_of_it() {
    let sim = sim(&world(
        &format!(r#"{PLANE}{SPHERE}<body><joint name="j"/><geom size=".1" pos="1 0 2"/></body>"#),
        r#"<actuator><motor joint="j" gear="3"/></actuator>"#,
    ));
    let expected: Vec<f64> = (0..7).map(|dof| if dof == 6 { 3.0 } else { 0.0 }).collect();
    assert_eq!(moment(&sim, 0), expected);
    assert_eq!(*sim.data.actuation.qfrc_actuator, [0.0; 7]);
}
