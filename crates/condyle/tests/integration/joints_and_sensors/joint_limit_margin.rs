//! Margin of joint limits: the row exists when the distance to the limit is below the margin, and its softness starts there.

use condyle::Sim;

use crate::common::{model, near, world};

/// A limited joint in the given position.
fn limited(joint: &str, qpos: &[f64]) -> Sim {
    let text = format!(
        r#"<mujoco><compiler angle="radian"/><worldbody><body><joint {joint}/><geom size=".1"/></body></worldbody></mujoco>"#
    );
    let mut sim = Sim::new(model(&text));
    sim.data.state.qpos.copy_from_slice(qpos);
    sim.forward();
    sim
}

fn rows(joint: &str, qpos: &[f64]) -> usize {
    limited(joint, qpos).data.rows.nefc
}

/// A ball joint turned by an angle about x.
fn turned(angle: f64) -> [f64; 4] {
    [(0.5 * angle).cos(), (0.5 * angle).sin(), 0.0, 0.0]
}

#[test]
fn without_a_margin_a_limit_acts_beyond_its_surface_only() {
    for kind in ["hinge", "slide"] {
        for margin in ["", r#"margin="0""#] {
            let joint = format!(r#"type="{kind}" range="-1 1" {margin}"#);
            assert_eq!([0.999, 1.0, 1.001, -0.999, -1.001].map(|q| rows(&joint, &[q])), [0, 0, 1, 0, 1]);
        }
    }
    let ball = r#"type="ball" range="0 1""#;
    assert_eq!([0.999, 1.001].map(|angle| rows(ball, &turned(angle))), [0, 1]);
}

#[test]
fn the_limit_of_a_hinge_acts_from_its_margin_on() {
    for kind in ["hinge", "slide"] {
        let joint = format!(r#"type="{kind}" range="-1 1" margin=".01""#);
        assert_eq!([0.989, 0.991, 0.999].map(|q| rows(&joint, &[q])), [0, 1, 1]);
        assert_eq!([-0.989, -0.991].map(|q| rows(&joint, &[q])), [0, 1]);
    }
}

#[test]
fn the_limit_of_a_ball_joint_acts_from_its_margin_on() {
    let joint = r#"type="ball" range="0 1" margin=".05""#;
    assert_eq!([0.94, 0.96, 1.02].map(|angle| rows(joint, &turned(angle))), [0, 1, 1]);
}

#[test]
fn limit_rows_carry_the_margin_of_their_joint() {
    assert_eq!(limited(r#"range="-1 1" margin=".01""#, &[0.995]).data.rows.efc_margin[0], 0.01);
    assert_eq!(limited(r#"type="slide" range="-1 1" margin=".02""#, &[-0.995]).data.rows.efc_margin[0], 0.02);
    let ball = limited(r#"type="ball" range="0 1" margin=".05""#, &turned(0.99));
    assert_eq!(ball.data.rows.efc_margin[0], 0.05);
    assert_eq!(limited(r#"range="-1 1""#, &[1.005]).data.rows.efc_margin[0], 0.0);
}

#[test]
fn the_impedance_of_a_limit_grows_from_its_margin_on() {
    // Power 1 makes the impedance grow in a straight line from 0.5 to 0.9 over a width of 0.1.
    let impedance = |margin: f64, q: f64| {
        let joint = format!(r#"range="-1 1" margin="{margin}" solimplimit=".5 .9 .1 .5 1""#);
        limited(&joint, &[q]).data.rows.efc_KBIP[0][2]
    };
    near(impedance(0.0, 1.02), 0.5 + 0.2 * 0.4, 1e-12);
    near(impedance(0.05, 0.97), 0.5 + 0.2 * 0.4, 1e-12);
    near(impedance(0.05, 1.0), 0.5 + 0.5 * 0.4, 1e-12);
    near(impedance(0.05, 1.05), 0.9, 1e-12);
}

#[test]
fn a_default_gives_every_joint_its_limit_margin() {
    let text = format!(
        r#"<mujoco><default><joint margin=".02"/></default>{}"#,
        world(r#"<body><joint/><joint axis="1 0 0"/><geom size=".1"/></body>"#, "")
            .trim_start_matches("<mujoco>")
    );
    assert_eq!(model(&text).jnt_margin, [0.02, 0.02]);
}

#[test]
fn the_margin_of_a_joint_overrides_its_class() {
    let text = r#"<mujoco><default><joint margin=".02"/><default class="wide"><joint margin=".3"/></default></default><worldbody><body>
        <joint/><joint axis="1 0 0" margin=".1"/><joint axis="0 1 0" class="wide"/><geom size=".1"/></body>
        <body><joint class="wide" margin="0"/><geom size=".1"/></body></worldbody></mujoco>"#;
    assert_eq!(model(text).jnt_margin, [0.02, 0.1, 0.3, 0.0]);
}
