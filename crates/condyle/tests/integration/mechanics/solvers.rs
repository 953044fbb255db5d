//! What a solution of the constraints must satisfy, whichever solver found it, on a scene with every kind of row.
//!
//! The misses `y = J q̈ − aref + R f` of a solution `f` have a side: zero for equalities, and for all others only where the force is
//! at its bound.

use condyle::Sim;
use condyle::model::{ConstraintType, Solver};
use condyle_engine::query::constraint::mul_jacobian;

use crate::common::{model, sim};

/// An arm beyond its limit with dry friction, tied to a body that slides on the floor; boxes and balls that slide and rest.
fn scene(option: &str) -> String {
    format!(
        r#"<mujoco><option tolerance="0" impratio="2" {option}/><worldbody><geom type="plane" size="3 3 1" friction=".6 .01 .001"/>
        <body pos="0 0 .095"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
        <body pos=".5 0 .048"><freejoint/><geom size=".05" condim="6" friction=".5 .02 .01"/></body>
        <body pos="-.5 0 .049" euler="0 90 0"><freejoint/><geom type="capsule" size=".05 .1" condim="4"/></body>
        <body pos="0 1 .049"><freejoint/><geom size=".05" condim="1"/></body>
        <body name="arm" pos="0 -1 .5"><joint axis="0 1 0" range="-90 -5" limited="true" frictionloss=".05"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/>
          <body pos=".3 0 0"><joint axis="0 1 0" frictionloss="50"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/></body></body>
        <body name="tied" pos="0 -1.5 .5"><joint axis="0 1 0"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/></body>
        </worldbody><equality><connect body1="arm" body2="tied" anchor=".1 -.25 0"/></equality></mujoco>"#
    )
}

fn solved(option: &str) -> Sim {
    let mut sim = sim(&scene(option));
    for (dof, speed) in sim.data.state.qvel.iter_mut().enumerate() {
        *speed = 0.3 * (1.9 * dof as f64 + 0.2).sin();
    }
    sim.forward();
    sim
}

/// `J q̈ − aref` of every row.
fn residual(sim: &Sim) -> Vec<f64> {
    let mut product = vec![0.0; sim.data.rows.nefc];
    mul_jacobian(&sim.model, &sim.data, &mut product, &sim.data.acceleration.qacc);
    product.iter().zip(&sim.data.row_motion.efc_aref).map(|(a, b)| a - b).collect()
}

/// What [`solution_is_sound`] looked at.
#[derive(Default)]
struct Seen {
    equalities: u32,
    held: u32,
    slipping: u32,
    pushing: u32,
    idle: u32,
    cones: u32,
    edges: u32,
}

/// Asserts that the forces are where they may be, that the misses have the right side, and that one of both is zero.
fn solution_is_sound(sim: &Sim, tolerance: f64, seen: &mut Seen) {
    let (rows, solution) = (&sim.data.rows, &sim.data.solution);
    let force = &solution.efc_force;
    let residual = residual(sim);
    let miss: Vec<f64> = (0..rows.nefc).map(|row| residual[row] + rows.efc_R[row] * force[row]).collect();
    let scale =
        1.0 + miss.iter().chain(force.iter()).fold(0.0, |sum: f64, x| sum + x.abs()) / rows.nefc as f64;
    let small = |x: f64| x.abs() < tolerance * scale;
    let mut row = 0;
    while row < rows.nefc {
        let (f, y, loss) = (force[row], miss[row], rows.efc_frictionloss[row]);
        match rows.efc_type[row] {
            kind if kind == ConstraintType::Equality as i32 => {
                assert!(small(y), "row {row} misses by {y}");
                seen.equalities += 1;
            }
            kind if kind == ConstraintType::FrictionDof as i32 => {
                assert!(f.abs() <= loss, "row {row} has {f} of {loss}");
                if f.abs() < loss {
                    assert!(small(y), "row {row} misses by {y}");
                    seen.held += 1;
                } else {
                    // At the lower bound the force would like to be less.
                    assert!(y * f < 0.0, "row {row} has {f} and misses by {y}");
                    seen.slipping += 1;
                }
            }
            kind if kind == ConstraintType::ContactElliptic as i32 => {
                let contact = &sim.data.contacts[rows.efc_id[row] as usize];
                let size = contact.dim as usize;
                let (force, miss) = (&force[row..row + size], &miss[row..row + size]);
                // From the tip of a cone Gauss–Seidel only goes along the normal.
                if sim.model.opt.solver == Solver::Pgs as i32 && force[0] == 0.0 {
                    assert!(miss[0] >= 0.0, "row {row} misses by {miss:?}");
                } else {
                    cone_is_sound(&contact.friction, force, miss, &small);
                    seen.cones += 1;
                }
                row += size - 1;
            }
            kind => {
                assert!(f >= 0.0 && y > -tolerance * scale, "row {row} has {f} and misses by {y}");
                assert!(f == 0.0 || small(y), "row {row} has {f} and misses by {y}");
                seen.pushing += u32::from(f > 0.0);
                seen.idle += u32::from(f == 0.0);
                seen.edges += u32::from(kind == ConstraintType::ContactPyramidal as i32);
            }
        }
        row += 1;
    }
}

/// The force is in the cone, the miss in the dual cone, and they are at right angles.
fn cone_is_sound(friction: &[f64; 5], force: &[f64], miss: &[f64], small: &impl Fn(f64) -> bool) {
    let ratios = force[1..].iter().zip(friction).map(|(f, mu)| (f / mu) * (f / mu));
    let tangent = ratios.sum::<f64>().sqrt();
    let dual = miss[1..].iter().zip(friction).map(|(y, mu)| (y * mu) * (y * mu)).sum::<f64>().sqrt();
    let power: f64 = force.iter().zip(miss).map(|(f, y)| f * y).sum();
    assert!(
        small(positive_part(tangent - force[0])),
        "{force:?} is outside its cone by {}",
        tangent - force[0]
    );
    assert!(small(positive_part(dual - miss[0])), "{miss:?} is outside the dual cone by {}", dual - miss[0]);
    assert!(small(power), "force {force:?}, miss {miss:?}: power {power}");
}

fn positive_part(x: f64) -> f64 {
    if x < 0.0 { 0.0 } else { x }
}

#[test]
fn forces_and_misses_are_complementary_and_all_solvers_agree() {
    let mut seen = Seen::default();
    for cone in ["pyramidal", "elliptic"] {
        for jacobian in ["dense", "sparse"] {
            let with = |solver: &str, iterations: u32| {
                solved(&format!(
                    r#"solver="{solver}" cone="{cone}" jacobian="{jacobian}" iterations="{iterations}" ls_iterations="100""#
                ))
            };
            let newton = with("Newton", 200);
            let accelerations = &newton.data.acceleration.qacc;
            let size = accelerations.iter().fold(1.0, |sum: f64, x| sum + x.abs());
            solution_is_sound(&newton, 1e-8, &mut seen);
            for (sim, tolerance) in [(with("CG", 2000), 1e-6), (with("PGS", 20_000), 1e-6)] {
                solution_is_sound(&sim, tolerance, &mut seen);
                if cone == "elliptic" && sim.model.opt.solver == Solver::Pgs as i32 {
                    continue;
                }
                for (found, expected) in sim.data.acceleration.qacc.iter().zip(accelerations) {
                    assert!(
                        (found - expected).abs() < tolerance * size,
                        "{cone} {jacobian}: {found} is not {expected}"
                    );
                }
            }
        }
    }
    let Seen { equalities, held, slipping, pushing, idle, cones, edges } = seen;
    let counts = [equalities, held, slipping, pushing, idle, cones, edges];
    assert!(counts.iter().all(|count| *count >= 6), "{counts:?}");
}

/// The regulariser leaves friction where no-slip iterations have it: `J q̈ − aref` itself is zero where friction holds, and points
/// against it where it slips.
#[test]
fn friction_without_slip_holds_or_opposes_the_motion() {
    let (mut holding, mut sliding) = (0, 0);
    for solver in ["Newton", "PGS"] {
        let option = format!(
            r#"solver="{solver}" cone="elliptic" iterations="500" noslip_iterations="20000" noslip_tolerance="0""#
        );
        let sim = solved(&option);
        let (rows, force, residual) = (&sim.data.rows, &sim.data.solution.efc_force, residual(&sim));
        let scale = 1.0 + residual.iter().fold(0.0, |sum: f64, x| sum + x.abs());
        for row in rows.ne..rows.ne + rows.nf {
            let (f, loss) = (force[row], rows.efc_frictionloss[row]);
            if f.abs() < loss {
                assert!(residual[row].abs() < 1e-6 * scale, "row {row}: {}", residual[row]);
            } else {
                assert!(f * residual[row] < 0.0, "row {row}: {f} and {}", residual[row]);
            }
        }
        for contact in sim.data.contacts.iter().filter(|contact| contact.efc_address >= 0 && contact.dim > 1)
        {
            let (row, size) = (contact.efc_address as usize, contact.dim as usize);
            let (f, y) = (&force[row..row + size], &residual[row..row + size]);
            let scaled: Vec<f64> = f[1..].iter().zip(contact.friction).map(|(f, mu)| f / mu).collect();
            let along: Vec<f64> = y[1..].iter().zip(contact.friction).map(|(y, mu)| y * mu).collect();
            let [friction, miss] = [&scaled, &along].map(|v| v.iter().map(|x| x * x).sum::<f64>().sqrt());
            assert!(friction < f[0] * (1.0 + 1e-6) + 1e-9, "{f:?} is outside its cone");
            if friction < f[0] * (1.0 - 1e-6) {
                assert!(miss < 1e-5 * scale, "{f:?} holds and yet slips by {y:?}");
                holding += 1;
            } else if f[0] > 1e-6 {
                let product: f64 = scaled.iter().zip(&along).map(|(f, y)| f * y).sum();
                assert!(product <= -(1.0 - 1e-5) * friction * miss, "{f:?} does not oppose {y:?}");
                sliding += 1;
            }
        }
    }
    assert!(holding >= 2 && sliding >= 2, "{holding} hold, {sliding} slide");
}

/// Softness says how much a row gives: where nothing but one contact acts, it is met as the impedance says.
#[test]
fn a_ball_on_the_floor_accelerates_as_impedance_and_reference_say() {
    let text = r#"<mujoco><worldbody><geom type="plane" size="1 1 1"/>
        <body pos="0 0 .099"><freejoint/><geom size=".1" condim="1" priority="1" solref=".05 .8" solimp=".8 .9 .01 .5 2"/></body></worldbody></mujoco>"#;
    let mut sim = Sim::new(model(text));
    let speed = -0.2;
    sim.data.state.qvel[2] = speed;
    sim.forward();
    // Penetration of a tenth of the width: the lower half of the curve, x² / 0.5.
    let violation = -0.001;
    let impedance = 0.8 + 0.1 * (0.1 * 0.1 / 0.5);
    let (time, ratio, highest) = (0.05, 0.8, 0.9);
    let damping = 2.0 / (highest * time);
    let stiffness = 1.0 / (highest * highest * time * time * ratio * ratio);
    let reference = -damping * speed - stiffness * impedance * violation;
    // One row with unit slope: q̈ = (1 − d) · free + d · aref.
    let expected = (1.0 - impedance) * -9.81 + impedance * reference;
    let found = sim.data.acceleration.qacc[2];
    assert!((found - expected).abs() < 1e-9 * expected.abs(), "{found} is not {expected}");
    let row = &sim.data.rows;
    assert!((row.efc_KBIP[0][0] - stiffness).abs() < 1e-9 && (row.efc_KBIP[0][1] - damping).abs() < 1e-12);
    assert!((row.efc_KBIP[0][2] - impedance).abs() < 1e-12);
    // The slope of the curve at that place, by position.
    assert!(
        (row.efc_KBIP[0][3].abs() - 0.1 * (2.0 * 0.1 / 0.5) / 0.01).abs() < 1e-9,
        "{:?}",
        row.efc_KBIP[0]
    );
}
