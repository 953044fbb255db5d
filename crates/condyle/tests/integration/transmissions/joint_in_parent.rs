//! `jointinparent`: the gear is given in the frame of the parent. Hinges and slides have the same axis in both frames.

use condyle::model::TransmissionType;
use condyle::{ObjectType, Sim};

use crate::common::{all_near, bits, model, moment, world};

fn driven(kind: &str, target: &str, gear: &str) -> Sim {
    let text = world(
        &format!(
            r#"<body><joint name="j" type="{kind}" axis="1 2 3"/><geom size=".1" pos=".1 .2 0"/></body>"#
        ),
        &format!(r#"<actuator><general {target}="j" gear="{gear}"/></actuator>"#),
    );
    Sim::new(model(&text))
}

/// Both ways to drive a scalar joint, stepped side by side, have the same bits.
fn same_for_scalar_joint(kind: &str) {
    let mut own = driven(kind, "joint", "5");
    let mut parent = driven(kind, "jointinparent", "5");
    for _ in 0..50 {
        for sim in [&mut own, &mut parent] {
            sim.data.inputs.ctrl[0] = 1.0;
            sim.step();
        }
        for (one, other) in [
            (&own.data.transmission.actuator_length, &parent.data.transmission.actuator_length),
            (&own.data.velocity.actuator_velocity, &parent.data.velocity.actuator_velocity),
            (&own.data.actuation.qfrc_actuator, &parent.data.actuation.qfrc_actuator),
            (&own.data.state.qpos, &parent.data.state.qpos),
        ] {
            assert_eq!(bits(one), bits(other));
        }
    }
    assert_ne!(own.data.transmission.actuator_length[0], 0.0);
    assert_ne!(own.data.velocity.actuator_velocity[0], 0.0);
    assert_eq!(own.data.actuation.qfrc_actuator[0], 5.0);
}

#[test]
fn a_hinge_is_driven_the_same_in_its_own_and_in_the_parent_frame() {
    same_for_scalar_joint("hinge");
}

#[test]
fn a_slide_is_driven_the_same_in_its_own_and_in_the_parent_frame() {
    same_for_scalar_joint("slide");
}

#[test]
fn a_joint_in_its_parent_is_stored_with_joint_and_gear() {
    let model = driven("hinge", "jointinparent", "5").model;
    assert_eq!(model.actuator_trntype[0], TransmissionType::JointInParent as i32);
    assert_eq!(model.find(ObjectType::Joint, "j").map(|id| id as i32), Some(model.actuator_trnid[0][0]));
    assert_eq!(model.actuator_gear[0][0], 5.0);
}

/// A quarter turn about z.
const QUARTER: [f64; 4] = [std::f64::consts::FRAC_1_SQRT_2, 0.0, 0.0, std::f64::consts::FRAC_1_SQRT_2];

#[test]
fn a_ball_joint_is_driven_in_its_own_or_in_the_parent_frame() {
    // After a quarter turn about z the parent's x axis is the negative y axis of the body.
    for (target, expected) in [("joint", [2.0, 0.0, 0.0]), ("jointinparent", [0.0, -2.0, 0.0])] {
        let mut sim = driven("ball", target, "2 0 0");
        sim.data.state.qpos.copy_from_slice(&QUARTER);
        sim.forward();
        all_near(&moment(&sim, 0), &expected, 1e-15);
    }
    // The length is the rotation vector along the gear, the same in both frames when the gear is the axis of the turn.
    for target in ["joint", "jointinparent"] {
        let mut sim = driven("ball", target, "0 0 2");
        sim.data.state.qpos.copy_from_slice(&QUARTER);
        sim.forward();
        all_near(&sim.data.transmission.actuator_length, &[std::f64::consts::PI], 1e-15);
    }
}

#[test]
fn a_free_joint_is_driven_in_its_own_or_in_the_parent_frame() {
    for (target, rotation) in [("joint", [0.0, 2.0, 0.0]), ("jointinparent", [2.0, 0.0, 0.0])] {
        let mut sim = driven("free", target, "1 0 0 0 2 0");
        sim.data.state.qpos[3..].copy_from_slice(&QUARTER);
        sim.data.inputs.ctrl[0] = 1.0;
        sim.forward();
        // The linear part of the gear is in the world frame in both cases.
        let expected = [[1.0, 0.0, 0.0], rotation].concat();
        all_near(&sim.data.actuation.qfrc_actuator, &expected, 1e-15);
        assert_eq!(sim.data.transmission.actuator_length[0], 0.0);
    }
}
