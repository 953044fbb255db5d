//! Poses of chains whose poses are known, and how they change.

use condyle::model::{ConstraintType, Model};
use condyle::prelude::*;
use condyle::query::motion::integrate_position;

use super::{body_velocities, free_motion, moved, trees};
use crate::common::{all_near, constraint_row, model, sim, world};
use crate::models;

type Quat = [f64; 4];

fn product(a: Quat, b: Quat) -> Quat {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ]
}

fn turned(q: Quat, v: [f64; 3]) -> [f64; 3] {
    let back = [q[0], -q[1], -q[2], -q[3]];
    let [_, x, y, z] = product(product(q, [0.0, v[0], v[1], v[2]]), back);
    [x, y, z]
}

fn sum(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|i| a[i] + b[i])
}

#[test]
fn a_chain_of_hinges_and_a_slide_stands_where_its_angles_say() {
    let mut sim = sim(&format!(
        "<mujoco><compiler angle='radian'/>{}</mujoco>",
        r#"<worldbody><body pos="0 0 1"><joint axis="0 2 0" ref=".2"/><geom size=".1"/>
          <body pos=".5 0 0"><joint axis="0 1 0" pos="0 0 .1"/><geom size=".1"/>
            <body pos=".4 0 0"><joint type="slide" axis="1 0 1" ref=".05"/><geom size=".1"/><site pos=".1 .2 .3"/></body>
          </body></body></worldbody>"#
    ));
    let (first, second, shift) = (0.7, -1.1, 0.3);
    sim.data.state.qpos.copy_from_slice(&[first + 0.2, second, shift + 0.05]);
    sim.forward();
    // A turn about y by an angle takes x towards −z.
    let about_y = |angle: f64, [x, y, z]: [f64; 3]| {
        let (sine, cosine) = angle.sin_cos();
        [cosine * x + sine * z, y, cosine * z - sine * x]
    };
    let k = &sim.data.kinematics;
    all_near(&k.xpos[1], &[0.0, 0.0, 1.0], 1e-15);
    let anchor = sum(k.xpos[1], about_y(first, [0.5, 0.0, 0.1]));
    all_near(&k.xanchor[1], &anchor, 1e-15);
    let origin = sum(anchor, about_y(first + second, [0.0, 0.0, -0.1]));
    all_near(&k.xpos[2], &origin, 1e-15);
    let along = about_y(first + second, [0.5f64.sqrt(), 0.0, 0.5f64.sqrt()]);
    all_near(&k.xaxis[2], &along, 1e-15);
    all_near(&k.xaxis[1], &[0.0, 1.0, 0.0], 1e-15);
    let rest = sum(origin, about_y(first + second, [0.4, 0.0, 0.0]));
    let last = sum(rest, along.map(|x| shift * x));
    all_near(&k.xpos[3], &last, 1e-15);
    let (sine, cosine) = (0.5 * (first + second)).sin_cos();
    all_near(&k.xquat[3], &[cosine, 0.0, sine, 0.0], 1e-15);
    all_near(&k.site_xpos[0], &sum(last, about_y(first + second, [0.1, 0.2, 0.3])), 1e-15);
    let columns: Vec<f64> = [0, 1, 2]
        .iter()
        .flat_map(|row| {
            [0, 1, 2].map(|column| {
                let mut unit = [0.0; 3];
                unit[column] = 1.0;
                about_y(first + second, unit)[*row]
            })
        })
        .collect();
    all_near(&k.xmat[3], &columns, 1e-15);
}

#[test]
fn balls_turn_what_free_joints_carry_and_quaternions_need_no_unit_length() {
    let mut sim = sim(&world(
        r#"<body><freejoint/><geom size=".1"/><body pos=".3 -.2 .5" quat=".6 0 .8 0"><joint type="ball" pos=".1 0 0"/><geom size=".1"/></body></body>
           <body mocap="true" pos="1 2 3"><geom size=".1"/><geom size=".1" pos=".1 0 0"/></body>"#,
        "",
    ));
    let unit = |q: Quat| {
        let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        q.map(|x| x / length)
    };
    let (free, ball, mocap) = ([1.0, -2.0, 0.5, 1.5], [0.3, 0.4, -0.1, 0.2], [0.0, 3.0, 0.0, 4.0]);
    sim.data.state.qpos[..3].copy_from_slice(&[0.25, 0.5, -1.0]);
    sim.data.state.qpos[3..7].copy_from_slice(&free);
    sim.data.state.qpos[7..].copy_from_slice(&ball);
    sim.data.inputs.mocap_quat[0] = mocap;
    sim.forward();
    let k = &sim.data.kinematics;
    all_near(&k.xpos[1], &[0.25, 0.5, -1.0], 0.0);
    all_near(&k.xquat[1], &unit(free), 1e-15);
    let rest = product(unit(free), [0.6, 0.0, 0.8, 0.0]);
    let anchor = sum(sum(k.xpos[1], turned(unit(free), [0.3, -0.2, 0.5])), turned(rest, [0.1, 0.0, 0.0]));
    let orientation = product(rest, unit(ball));
    all_near(&k.xanchor[1], &anchor, 1e-15);
    all_near(&k.xquat[2], &orientation, 1e-15);
    all_near(&k.xpos[2], &sum(anchor, turned(orientation, [-0.1, 0.0, 0.0])), 1e-15);
    all_near(&k.xpos[3], &[1.0, 2.0, 3.0], 0.0);
    all_near(&k.xquat[3], &[0.0, 0.6, 0.0, 0.8], 1e-15);
    let across = k.geom_xpos[3];
    all_near(&across, &sum([1.0, 2.0, 3.0], turned([0.0, 0.6, 0.0, 0.8], [0.1, 0.0, 0.0])), 1e-15);
}

#[test]
fn the_centre_of_a_subtree_is_the_mean_of_its_masses() {
    for (name, model) in trees() {
        let sim = free_motion(&model);
        for body in 0..sim.model.nbody {
            let (mut moment, mut mass) = ([0.0; 3], 0.0);
            for other in body..sim.model.nbody {
                let mut up = other;
                while up > body {
                    up = sim.model.body_parentid[up] as usize;
                }
                if up == body {
                    let own = sim.model.body_mass[other];
                    moment = sum(moment, sim.data.kinematics.xipos[other].map(|x| own * x));
                    mass += own;
                }
            }
            if mass > 1e-9 {
                let center = sim.data.kinematics.subtree_com[body];
                for (found, moment) in center.iter().zip(moment) {
                    assert!(
                        (found - moment / mass).abs() < 1e-12 * (1.0 + found.abs()),
                        "{name} body {body}"
                    );
                }
            }
        }
    }
}

#[test]
fn jacobians_are_the_slopes_of_poses() {
    for (name, model) in trees() {
        let sim = free_motion(&model);
        let nv = sim.model.nv;
        for dof in 0..nv {
            let velocities = body_velocities(&sim, dof);
            for body in 1..sim.model.nbody {
                let (mut translation, mut rotation) = (vec![0.0; 3 * nv], vec![0.0; 3 * nv]);
                let point = sim.data.kinematics.xipos[body];
                condyle_engine::jacobian::of_point(
                    &sim.model,
                    &sim.data.kinematics,
                    Some(&mut translation),
                    Some(&mut rotation),
                    point,
                    body,
                );
                let found = [0, 1, 2].map(|i| translation[i * nv + dof]);
                let spin = [0, 1, 2].map(|i| rotation[i * nv + dof]);
                for (found, expected) in found.iter().chain(&spin).zip(velocities[body]) {
                    let near = (found - expected).abs() < 1e-8 * (1.0 + expected.abs());
                    assert!(near, "{name} body {body} dof {dof}: {found} is not {expected}");
                }
            }
        }
    }
}

/// Kinds and owners of the rows of equalities and limits.
fn kept_rows(sim: &Sim) -> Vec<(usize, i32, i32)> {
    let kinds = [ConstraintType::Equality, ConstraintType::LimitJoint, ConstraintType::LimitTendon]
        .map(|kind| kind as i32);
    let rows = &sim.data.rows;
    (0..rows.nefc)
        .filter(|row| kinds.contains(&rows.efc_type[*row]))
        .map(|row| (row, rows.efc_type[row], rows.efc_id[row]))
        .collect()
}

fn displaced(model: &Model) -> Sim {
    let mut sim = Sim::new(model.clone());
    let way: Vec<f64> = (0..sim.model.nv).map(|dof| 0.5 * (2.1 * dof as f64 + 0.9).sin()).collect();
    integrate_position(&sim.model, &mut sim.data.state.qpos, &way, 0.6);
    sim.forward();
    sim
}

#[test]
fn rows_of_equalities_and_limits_are_the_slopes_of_their_positions() {
    const H: f64 = 1e-6;
    let mut checked = [0; 8];
    // Tendons that are too long and too short at once, one of them around a cylinder.
    let tendons = model(&world(
        r#"<site name="a" pos="0 0 .3"/><body pos=".1 0 0"><joint name="j" axis="0 1 .2"/><geom size=".02" pos=".3 0 0"/><site name="b" pos=".3 0 .1"/>
             <geom name="pulley" type="cylinder" size=".05 .1" euler="90 0 0" pos="0 0 .1"/>
             <body pos=".3 0 0"><joint name="k" axis="1 1 0"/><geom size=".02" pos=".2 0 0"/><site name="c" pos=".2 .05 0"/></body></body>"#,
        r#"<tendon><spatial range="0 .1" limited="true"><site site="a"/><geom geom="pulley"/><site site="b"/></spatial>
           <spatial range="2 3" limited="true"><site site="a"/><site site="b"/><site site="c"/></spatial>
           <fixed range="3 4" limited="true"><joint joint="j" coef="2"/><joint joint="k" coef="-.5"/></fixed></tendon>"#,
    ));
    for (name, model) in models::all().into_iter().chain([("tendons".to_owned(), tendons)]) {
        if model.nv > 40
            || model.nflex > 0
            || (model.neq + model.ntendon == 0 && model.jnt_limited.iter().all(|x| *x == 0))
        {
            continue;
        }
        let sim = displaced(&model);
        let rows = kept_rows(&sim);
        let jacobian: Vec<_> = rows.iter().map(|(row, ..)| constraint_row(&sim, *row)).collect();
        for dof in 0..sim.model.nv {
            let mut rate = vec![0.0; sim.model.nv];
            rate[dof] = 1.0;
            let (before, after) = (moved(&sim, &rate, -H), moved(&sim, &rate, H));
            if kept_rows(&before) != rows || kept_rows(&after) != rows {
                continue;
            }
            for ((row, kind, id), jacobian) in rows.iter().zip(&jacobian) {
                let change = after.data.rows.efc_pos[*row] - before.data.rows.efc_pos[*row];
                let (found, expected) = (jacobian[dof], change / (2.0 * H));
                assert!(
                    (found - expected).abs() < 1e-6 * (1.0 + expected.abs()),
                    "{name} row {row} of kind {kind}, {id}, dof {dof}: {found} is not {expected}"
                );
                checked[*kind as usize] += usize::from(expected != 0.0);
            }
        }
    }
    for kind in [ConstraintType::Equality, ConstraintType::LimitJoint, ConstraintType::LimitTendon] {
        assert!(checked[kind as usize] > 5, "{kind:?}: {checked:?}");
    }
}
