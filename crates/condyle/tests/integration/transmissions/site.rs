//! Wrenches at a site on an arm that turns about the y axis: lengths and moments worked out by hand in the plane of the arm.

use std::f64::consts::PI;

use condyle::Sim;

use crate::common::{model, moment, near, world};

/// Where the site is on the arm, x and z, and by which angle it is turned there.
const TIP: ([f64; 2], f64) = ([0.4, 0.1], 10.0);
/// Where the reference site is in the world, and its angle.
const BASE: ([f64; 2], f64) = ([-0.2, 0.3], 25.0);
/// Translational gear along x and z, rotational gear about y.
const GEAR: ([f64; 2], f64) = ([1.5, -0.7], 0.8);

/// `v`, given by x and z, turned about y.
fn turned([x, z]: [f64; 2], angle: f64) -> [f64; 2] {
    let (sine, cosine) = angle.sin_cos();
    [x * cosine + z * sine, z * cosine - x * sine]
}

fn radians(degrees: f64) -> f64 {
    degrees * (PI / 180.0)
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// The arm at an angle, with an actuator at its tip.
fn arm(angle: f64, reference: &str) -> Sim {
    let ([x, z], turn) = TIP;
    let ([base_x, base_z], base_turn) = BASE;
    let ([push_x, push_z], twist) = GEAR;
    let mut sim = Sim::new(model(&world(
        &format!(
            r#"<site name="base" pos="{base_x} 0 {base_z}" euler="0 {base_turn} 0"/>
               <body><joint axis="0 1 0"/><geom size=".1"/><site name="tip" pos="{x} 0 {z}" euler="0 {turn} 0"/></body>"#
        ),
        &format!(
            r#"<actuator><general site="tip" {reference} gear="{push_x} 0 {push_z} 0 {twist} 0"/></actuator>"#
        ),
    )));
    sim.data.state.qpos[0] = angle;
    sim.forward();
    sim
}

#[test]
fn a_site_without_reference_is_pushed_and_turned_in_its_own_frame() {
    for angle in [-1.1f64, 0.0, 0.6] {
        let sim = arm(angle, "");
        let push = turned(GEAR.0, angle + radians(TIP.1));
        let [x, z] = turned(TIP.0, angle);
        near(sim.data.transmission.actuator_length[0], 0.0, 0.0);
        near(moment(&sim, 0)[0], dot(push, [z, -x]) + GEAR.1, 1e-14);
    }
}

#[test]
fn the_length_at_a_reference_is_the_way_along_and_the_angle_about_its_axes() {
    for angle in [-1.1f64, 0.0, 0.6] {
        let sim = arm(angle, r#"refsite="base""#);
        let base = radians(BASE.1);
        let [x, z] = turned(TIP.0, angle);
        let push = turned(GEAR.0, base);
        let along = dot(push, [x - BASE.0[0], z - BASE.0[1]]);
        let about = angle + radians(TIP.1) - base;
        near(sim.data.transmission.actuator_length[0], along + GEAR.1 * about, 1e-14);
        near(moment(&sim, 0)[0], dot(push, [z, -x]) + GEAR.1, 1e-14);
    }
}
