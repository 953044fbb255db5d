//! No-slip iterations after the solver: friction is solved again without regularisation, normal forces stay as they are.

use condyle::Sim;
use condyle::model::ConstraintType;
use condyle_engine::position::inertia;
use condyle_engine::query::constraint::{mul_jacobian, mul_jacobian_transposed};

use crate::common::{bits, model, near, norm};

/// A box on a slope of 20 degrees, as gravity that leans.
fn slope(option: &str) -> Sim {
    let (sine, cosine) = (20.0 * std::f64::consts::PI / 180.0).sin_cos();
    let text = format!(
        r#"<mujoco><option gravity="{} 0 {}" {option}/><worldbody><geom type="plane" size="0 0 1" friction=".8"/>
        <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1" friction=".8"/></body></worldbody></mujoco>"#,
        9.81 * sine,
        -9.81 * cosine
    );
    Sim::new(model(&text))
}

/// How far the box creeps down in half a second, after it settled.
fn slip(option: &str) -> f64 {
    let mut sim = slope(option);
    for _ in 0..250 {
        sim.step();
    }
    let start = sim.data.state.qpos[0];
    for _ in 0..250 {
        sim.step();
    }
    sim.data.state.qpos[0] - start
}

#[track_caller]
fn no_slip_iterations_hold_the_box(option: &str) {
    let (without, with) = (slip(option), slip(&format!(r#"{option} noslip_iterations="30""#)));
    assert!(without > 1e-4, "{option}: slips only {without} without no-slip");
    assert!(with.abs() < 0.2 * without, "{option}: slips {with}, without no-slip {without}");
}

#[test]
fn no_slip_iterations_after_pgs_reduce_slip() {
    no_slip_iterations_hold_the_box(r#"solver="PGS" cone="elliptic""#);
}

#[test]
fn no_slip_iterations_after_cg_reduce_slip() {
    no_slip_iterations_hold_the_box(r#"solver="CG" cone="elliptic""#);
}

#[test]
fn no_slip_iterations_after_newton_reduce_slip() {
    no_slip_iterations_hold_the_box(r#"solver="Newton" cone="elliptic""#);
}

#[test]
fn no_slip_iterations_reduce_slip_on_pyramids_and_keep_their_forces_positive() {
    for solver in ["PGS", "CG", "Newton"] {
        let option = format!(r#"solver="{solver}" cone="pyramidal""#);
        no_slip_iterations_hold_the_box(&option);
        let mut sim = slope(&format!(r#"{option} noslip_iterations="30""#));
        for _ in 0..50 {
            sim.step();
            assert!(sim.data.solution.efc_force.iter().all(|force| *force >= 0.0));
        }
        assert!(sim.data.rows.nefc > 0);
    }
}

#[test]
fn newton_that_does_not_converge_falls_back_to_no_other_solver() {
    // One iteration is not enough for four elliptic contacts in motion.
    let run = |solver: &str, noslip: usize| {
        let mut sim = slope(&format!(
            r#"solver="{solver}" cone="elliptic" iterations="1" tolerance="0" noslip_iterations="{noslip}""#
        ));
        sim.data.state.qpos[2] = 0.095;
        sim.data.state.qvel.copy_from_slice(&[1.0, 0.5, -0.3, 0.2, 0.5, 0.7]);
        sim.forward();
        assert!(sim.data.acceleration.qacc.iter().all(|value| value.is_finite()));
        (sim.data.acceleration.qacc.to_vec(), sim.data.solution.efc_force.clone())
    };
    let (newton, pgs) = (run("Newton", 0), run("PGS", 0));
    assert_ne!(bits(&newton.0), bits(&pgs.0));
    // What Newton left unfinished goes through the no-slip iterations all the same.
    assert_ne!(bits(&newton.1), bits(&run("Newton", 5).1));
}

#[test]
fn zero_no_slip_iterations_change_no_bit() {
    for solver in ["PGS", "CG", "Newton"] {
        let forces = |noslip: &str| {
            let mut sim = slope(&format!(r#"solver="{solver}" cone="elliptic" {noslip}"#));
            for _ in 0..20 {
                sim.step();
            }
            bits(&sim.data.solution.efc_force)
        };
        assert_eq!(forces(""), forces(r#"noslip_iterations="0""#));
        assert_ne!(forces(""), forces(r#"noslip_iterations="3""#));
    }
}

/// Forces of the same state with and without no-slip.
fn forces_of_one_state(option: &str) -> (Sim, Sim) {
    let mut plain = slope(option);
    for _ in 0..20 {
        plain.step();
    }
    let mut noslip = slope(&format!(r#"{option} noslip_iterations="20""#));
    noslip.data.state = plain.data.state.clone();
    plain.forward();
    noslip.forward();
    (plain, noslip)
}

#[test]
fn no_slip_iterations_leave_normal_forces_alone() {
    for solver in ["PGS", "CG", "Newton"] {
        let (plain, noslip) = forces_of_one_state(&format!(r#"solver="{solver}" cone="elliptic""#));
        let contacts = &plain.data.contacts;
        assert!(!contacts.is_empty());
        for contact in contacts.iter() {
            let first = contact.efc_address as usize;
            let force = |sim: &Sim, row: usize| sim.data.solution.efc_force[row].to_bits();
            assert_eq!(force(&plain, first), force(&noslip, first));
            assert_ne!(force(&plain, first + 1), force(&noslip, first + 1));
        }
    }
}

#[test]
fn no_slip_iterations_keep_the_sum_of_every_pair_of_pyramid_edges() {
    let (plain, noslip) = forces_of_one_state(r#"solver="Newton" cone="pyramidal""#);
    for pair in 0..plain.data.rows.nefc / 2 {
        let sum =
            |sim: &Sim| sim.data.solution.efc_force[2 * pair] + sim.data.solution.efc_force[2 * pair + 1];
        near(sum(&noslip), sum(&plain), 1e-12);
    }
}

/// A pendulum with dry friction and a limit on a box that slides: every kind of row that no-slip does or does not touch. Islands are
/// off because no-slip solves everything at once.
fn mixed(option: &str) -> Sim {
    let text = format!(
        r#"<mujoco><option {option}><flag island="disable"/></option><worldbody><geom type="plane" size="0 0 1"/>
        <body pos="0 0 .099"><freejoint/><geom type="box" size=".1 .1 .1"/>
          <body pos="0 0 .2"><joint name="arm" axis="0 1 0" range="-20 20" frictionloss=".3"/>
            <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/></body></body>
        <body pos="2 0 1"><joint type="slide" axis="0 0 1" frictionloss="2"/><geom size=".1" mass="1"/></body>
        <body pos="3 0 1"><joint type="slide" axis="1 0 0" frictionloss="5"/><geom size=".1" mass="1"/></body></worldbody></mujoco>"#
    );
    let mut sim = Sim::new(model(&text));
    sim.data.state.qpos[7] = 0.36;
    sim.data.state.qvel.copy_from_slice(&[0.1, 0.02, 0.0, 0.0, 0.1, 0.0, 0.5, 0.0, 0.0]);
    sim.data.inputs.qfrc_applied[8] = 2.0;
    sim.forward();
    sim
}

fn rows_of(sim: &Sim, kind: ConstraintType) -> Vec<usize> {
    let constraint = &sim.data.rows;
    (0..constraint.nefc).filter(|row| constraint.efc_type[*row] == kind as i32).collect()
}

#[test]
fn no_slip_iterations_keep_dry_friction_within_its_bounds() {
    for solver in ["PGS", "CG", "Newton"] {
        let sim = mixed(&format!(r#"solver="{solver}" cone="elliptic" noslip_iterations="50""#));
        let rows = rows_of(&sim, ConstraintType::FrictionDof);
        assert_eq!(rows.len(), 3);
        let force = &sim.data.solution.efc_force;
        for &row in &rows {
            assert!(force[row].abs() <= sim.data.rows.efc_frictionloss[row]);
        }
        // Falling under gravity the weaker friction is at its bound; the stronger one balances the applied force.
        assert_eq!(force[rows[1]].abs(), 2.0);
        near(force[rows[2]], -2.0, 1e-9);
    }
}

/// `efc_b + A f` with the unregularised `A = J M⁻¹ Jᵀ`.
fn residual(sim: &Sim) -> Vec<f64> {
    let (model, data) = (&sim.model, &sim.data);
    let mut acceleration = vec![0.0; model.nv];
    mul_jacobian_transposed(model, data, &mut acceleration, &data.solution.efc_force);
    inertia::solve(model, &data.inertia, &mut acceleration);
    let mut result = vec![0.0; data.rows.nefc];
    mul_jacobian(model, data, &mut result, &acceleration);
    for (value, b) in result.iter_mut().zip(&data.row_motion.efc_b) {
        *value += b;
    }
    result
}

/// Friction rows of elliptic contacts whose force is inside its cone.
fn sticking_rows(sim: &Sim) -> Vec<usize> {
    let force = &sim.data.solution.efc_force;
    let inside = |contact: &&condyle_engine::data::Contact| {
        let first = contact.efc_address as usize;
        let tangential =
            norm(&[force[first + 1] / contact.friction[0], force[first + 2] / contact.friction[1]]);
        force[first] > 0.0 && tangential < 0.999 * force[first]
    };
    sim.data
        .contacts
        .iter()
        .filter(inside)
        .flat_map(|contact| [1, 2].map(|k| contact.efc_address as usize + k))
        .collect()
}

#[test]
fn after_no_slip_friction_cancels_the_whole_tangential_acceleration() {
    for solver in ["PGS", "CG", "Newton"] {
        let option = format!(r#"solver="{solver}" cone="elliptic""#);
        let mut sim = slope(&format!(r#"{option} noslip_iterations="3000" noslip_tolerance="0""#));
        for _ in 0..30 {
            sim.step();
        }
        sim.forward();
        let rows = sticking_rows(&sim);
        assert_eq!(rows.len(), 8, "{solver}");
        let mut plain = slope(&option);
        plain.data.state = sim.data.state.clone();
        plain.forward();
        let largest = |residual: Vec<f64>| rows.iter().map(|row| residual[*row].abs()).fold(0.0, scalar_max);
        let (regularised, left) = (largest(residual(&plain)), largest(residual(&sim)));
        assert!(regularised > 1e-3, "the solver alone leaves nothing to do: {regularised}");
        assert!(left < 1e-2 * regularised, "{left} of {regularised} is left");
    }
}

fn scalar_max(one: f64, other: f64) -> f64 {
    if other > one { other } else { one }
}

#[test]
fn after_no_slip_a_rolling_sphere_has_no_acceleration_at_its_contact() {
    let text = r#"<mujoco><option gravity="3 0 -9" cone="elliptic" noslip_iterations="50" noslip_tolerance="0"/><worldbody>
        <geom type="plane" size="0 0 1"/><body pos="0 0 .0999"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"#;
    let mut sim = Sim::new(model(text));
    sim.forward();
    assert_eq!(sticking_rows(&sim), [1, 2]);
    let left = residual(&sim);
    near(left[1], 0.0, 1e-9);
    near(left[2], 0.0, 1e-9);
}

#[test]
fn no_slip_forces_stay_in_their_elliptic_cones() {
    for solver in ["PGS", "CG", "Newton"] {
        let mut sim = slope(&format!(r#"solver="{solver}" cone="elliptic" noslip_iterations="20""#));
        sim.data.state.qvel.copy_from_slice(&[1.0, 0.5, 0.0, 0.0, 0.0, 1.0]);
        let mut seen = 0;
        for _ in 0..300 {
            sim.step();
            let force = &sim.data.solution.efc_force;
            for contact in sim.data.contacts.iter().filter(|contact| contact.efc_address >= 0) {
                let first = contact.efc_address as usize;
                let mut sum = 0.0;
                for k in 1..contact.dim as usize {
                    let part = force[first + k] / contact.friction[k - 1];
                    sum += part * part;
                }
                assert!(sum <= force[first] * force[first] * (1.0 + 1e-9) + 1e-12);
                seen += 1;
            }
        }
        assert!(seen > 100, "{seen}");
    }
}

#[test]
fn no_slip_sees_the_forces_it_does_not_touch() {
    for solver in ["PGS", "CG", "Newton"] {
        let option = format!(r#"solver="{solver}" cone="elliptic""#);
        let plain = mixed(&option);
        let sim = mixed(&format!(r#"{option} noslip_iterations="3000" noslip_tolerance="0""#));
        for kind in [ConstraintType::LimitJoint, ConstraintType::FrictionDof, ConstraintType::ContactElliptic]
        {
            assert!(!rows_of(&sim, kind).is_empty());
        }
        // Limits keep their force, and with it their part of the equations that friction solves.
        for row in rows_of(&sim, ConstraintType::LimitJoint) {
            assert_eq!(
                sim.data.solution.efc_force[row].to_bits(),
                plain.data.solution.efc_force[row].to_bits()
            );
        }
        let left = residual(&sim);
        let dry = rows_of(&sim, ConstraintType::FrictionDof);
        let inner = dry.iter().copied().filter(|row| {
            sim.data.solution.efc_force[*row].abs() < 0.999 * sim.data.rows.efc_frictionloss[*row]
        });
        let rows: Vec<usize> = sticking_rows(&sim).into_iter().chain(inner).collect();
        assert!(rows.len() > 1);
        for row in rows {
            near(left[row], 0.0, 1e-6);
        }
    }
}

#[test]
fn contacts_that_press_with_nothing_have_no_friction_after_no_slip() {
    for (solver, cone) in
        [("PGS", "elliptic"), ("CG", "elliptic"), ("Newton", "elliptic"), ("Newton", "pyramidal")]
    {
        let mut sim = slope(&format!(r#"solver="{solver}" cone="{cone}" noslip_iterations="20""#));
        // Touching and flying off: the rows exist, the normal force does not.
        sim.data.state.qpos[2] = 0.0999;
        sim.data.state.qvel[2] = 5.0;
        sim.data.state.qvel[0] = 1.0;
        sim.forward();
        assert!(sim.data.rows.nefc >= 12);
        assert!(sim.data.solution.efc_force.iter().all(|force| force.abs() < 1e-9));
        assert!(sim.data.acceleration.qacc.iter().all(|value| value.is_finite()));
    }
}
