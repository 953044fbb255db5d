//! Potential energy of joint springs: `k θ² / 2` with the angle between the present and the reference orientation, and
//! `k x² / 2` for displacements.

use std::f64::consts::PI;

use condyle::Sim;

use crate::common::{model, near};

const STIFFNESS: f64 = 3.0;

/// Potential energy of a weightless body on a joint in the given position.
fn energy(joint: &str, qpos: &[f64]) -> f64 {
    let text = format!(
        r#"<mujoco><option gravity="0 0 0"><flag energy="enable"/></option><worldbody><body>
        <joint {joint} stiffness="{STIFFNESS}"/><geom size=".1"/></body></worldbody></mujoco>"#
    );
    let mut sim = Sim::new(model(&text));
    sim.data.state.qpos.copy_from_slice(qpos);
    sim.forward();
    sim.data.sensors.energy[0]
}

/// A turn about an axis.
fn turn(angle: f64, axis: [f64; 3]) -> [f64; 4] {
    let (sine, cosine) = (0.5 * angle).sin_cos();
    [cosine, axis[0] * sine, axis[1] * sine, axis[2] * sine]
}

#[test]
fn a_ball_joint_at_rest_has_no_spring_energy() {
    assert_eq!(energy(r#"type="ball""#, &[1.0, 0.0, 0.0, 0.0]), 0.0);
    near(energy(r#"type="ball""#, &[-1.0, 0.0, 0.0, 0.0]), 0.0, 1e-12);
}

#[test]
fn the_spring_energy_of_a_ball_joint_is_half_its_stiffness_times_the_angle_squared() {
    for axis in [[1.0, 0.0, 0.0], [0.0, 0.6, 0.8]] {
        for angle in [0.3, PI / 2.0, -1.0, 3.0] {
            let expected = 0.5 * STIFFNESS * angle * angle;
            near(energy(r#"type="ball""#, &turn(angle, axis)), expected, 1e-12);
            // The same orientation with the opposite quaternion.
            near(energy(r#"type="ball""#, &turn(angle, axis).map(|part| -part)), expected, 1e-12);
        }
    }
}

#[test]
fn the_spring_energy_of_a_free_joint_has_a_moving_and_a_turning_part() {
    let orientation = turn(PI / 2.0, [0.0, 0.0, 1.0]);
    let pose = |position: [f64; 3], orientation: [f64; 4]| [position.as_slice(), &orientation].concat();
    let moving = 0.5 * STIFFNESS * (0.04 + 0.09 + 0.16);
    let turning = 0.5 * STIFFNESS * (PI / 2.0) * (PI / 2.0);
    let still = [1.0, 0.0, 0.0, 0.0];
    near(energy(r#"type="free""#, &pose([0.2, -0.3, 0.4], still)), moving, 1e-12);
    near(energy(r#"type="free""#, &pose([0.0; 3], orientation)), turning, 1e-12);
    near(energy(r#"type="free""#, &pose([0.2, -0.3, 0.4], orientation)), moving + turning, 1e-12);
}

#[test]
fn the_spring_energy_of_a_hinge_or_slide_is_half_its_stiffness_times_the_displacement_squared() {
    near(energy(r#"type="slide" springref=".5""#, &[0.2]), 0.5 * STIFFNESS * 0.09, 1e-15);
    near(
        energy(r#"type="hinge" springref="30""#, &[1.0]),
        0.5 * STIFFNESS * (1.0 - PI / 6.0) * (1.0 - PI / 6.0),
        1e-15,
    );
}
