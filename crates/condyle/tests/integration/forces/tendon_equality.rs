//! Equalities between tendons: with the deviations `x`, `y` of two tendons from their lengths in `qpos0`,
//! `x = p₀ + p₁ y + p₂ y² + p₃ y³ + p₄ y⁴`; with one tendon `x = p₀`.

use condyle::Sim;
use condyle::model::{ConstraintType, EqualityType};

use crate::common::{bits, constraint_row, model, near, norm, refused};

/// Two hinges, each with a fixed tendon of coefficient 1.
fn coupled(option: &str, equality: &str) -> Sim {
    let text = format!(
        r#"<mujoco><option gravity="0 0 0" {option}/><worldbody>
        <body><joint name="a" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".05" mass="1" contype="0"/></body>
        <body pos="0 1 0"><joint name="b" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".05" mass="1" contype="0"/></body>
        </worldbody><tendon><fixed name="T1"><joint joint="a" coef="1"/></fixed><fixed name="T2"><joint joint="b" coef="1"/></fixed></tendon>
        <equality>{equality}</equality></mujoco>"#
    );
    Sim::new(model(&text))
}

const BOTH: &str = r#"<tendon tendon1="T1" tendon2="T2"/>"#;

fn placed(mut sim: Sim, qpos: [f64; 2]) -> Sim {
    sim.data.state.qpos.copy_from_slice(&qpos);
    sim.forward();
    sim
}

fn violation(sim: &Sim) -> f64 {
    sim.data.rows.efc_pos[0]
}

fn run(sim: &mut Sim, steps: usize) {
    for _ in 0..steps {
        sim.step();
        assert!(sim.data.solution.efc_force.iter().all(|force| force.is_finite()));
    }
    sim.forward();
}

#[test]
fn two_tendons_are_coupled_by_name() {
    let model = coupled("", BOTH).model;
    assert_eq!((model.neq, model.eq_type[0]), (1, EqualityType::Tendon as i32));
    assert_eq!((model.eq_obj1id[0], model.eq_obj2id[0]), (0, 1));
    assert_eq!(model.eq_data[0][..5], [0.0, 1.0, 0.0, 0.0, 0.0]);
    refused(r#"<mujoco><equality><tendon tendon1="nowhere"/></equality></mujoco>"#);
}

#[test]
fn tendons_are_coupled_to_equal_deviations_by_default() {
    let mut sim = placed(coupled("", BOTH), [0.5, 0.2]);
    sim.data.state.qvel.copy_from_slice(&[1.0, 0.5]);
    sim.forward();
    assert_eq!((sim.data.rows.ne, sim.data.rows.nefc), (1, 1));
    assert_eq!(sim.data.rows.efc_type[0], ConstraintType::Equality as i32);
    near(violation(&sim), 0.3, 1e-12);
    assert_eq!(constraint_row(&sim, 0), [1.0, -1.0]);
    near(sim.data.row_motion.efc_vel[0], 0.5, 1e-12);
}

#[test]
fn coupled_tendons_come_together() {
    let mut sim = placed(coupled("", BOTH), [0.5, 0.0]);
    run(&mut sim, 1000);
    near(sim.data.tendons.ten_length[0], sim.data.tendons.ten_length[1], 0.05);
    assert!(sim.data.tendons.ten_length[1].abs() > 0.05, "the second tendon was not pulled along");
}

#[test]
fn the_first_coefficient_is_a_constant_offset() {
    let sim = placed(coupled("", r#"<tendon tendon1="T1" tendon2="T2" polycoef=".1 1 0 0 0"/>"#), [0.5, 0.2]);
    near(violation(&sim), 0.2, 1e-12);
}

const ALONE: &str = r#"<tendon tendon1="T1" polycoef=".1 0 0 0 0"/>"#;

#[test]
fn one_tendon_alone_is_held_at_its_offset() {
    let sim = placed(coupled("", ALONE), [0.4, 0.7]);
    near(violation(&sim), 0.3, 1e-12);
    assert_eq!(constraint_row(&sim, 0), [1.0, 0.0]);
    // The other coefficients have nothing to act on.
    let more = placed(coupled("", r#"<tendon tendon1="T1" polycoef=".1 5 6 7 8"/>"#), [0.4, 0.7]);
    assert_eq!(violation(&more).to_bits(), violation(&sim).to_bits());
}

#[test]
fn one_tendon_alone_comes_to_its_offset() {
    let mut sim = placed(coupled("", ALONE), [0.0, 0.0]);
    run(&mut sim, 1000);
    near(sim.data.tendons.ten_length[0], 0.1, 0.05);
}

#[test]
fn a_linear_coefficient_scales_the_second_tendon() {
    for second in [-0.4, -0.2, 0.0, 0.2, 0.4] {
        let sim = placed(
            coupled("", r#"<tendon tendon1="T1" tendon2="T2" polycoef="0 .5 0 0 0"/>"#),
            [0.0, second],
        );
        near(violation(&sim), -0.5 * second, 1e-12);
        assert_eq!(constraint_row(&sim, 0), [1.0, -0.5]);
    }
}

#[test]
fn higher_coefficients_are_powers_of_the_second_tendon() {
    let equality = r#"<tendon tendon1="T1" tendon2="T2" polycoef=".05 1 .1 -.2 .3"/>"#;
    for second in [-0.4f64, -0.1, 0.0, 0.2, 0.4] {
        let sim = placed(coupled("", equality), [0.3, second]);
        let value = 0.05 + second + 0.1 * second.powf(2.0) - 0.2 * second.powf(3.0) + 0.3 * second.powf(4.0);
        near(violation(&sim), 0.3 - value, 1e-12);
        let slope = 1.0 + 0.2 * second - 0.6 * second.powf(2.0) + 1.2 * second.powf(3.0);
        crate::common::all_near(&constraint_row(&sim, 0), &[1.0, -slope], 1e-12);
    }
}

#[test]
fn every_solver_closes_a_tendon_equality() {
    for solver in ["PGS", "CG", "Newton"] {
        let mut sim = placed(coupled(&format!(r#"solver="{solver}""#), BOTH), [0.5, 0.0]);
        run(&mut sim, 500);
        assert!(violation(&sim).abs() < 0.05, "{solver}: {}", violation(&sim));
    }
}

#[test]
fn a_soft_tendon_equality_is_violated_more() {
    let after = |parameters: &str| {
        let mut sim =
            placed(coupled("", &format!(r#"<tendon tendon1="T1" tendon2="T2" {parameters}/>"#)), [0.5, 0.0]);
        run(&mut sim, 200);
        violation(&sim).abs()
    };
    let (stiff, soft) = (after(r#"solref="0.02 1""#), after(r#"solref="0.1 1""#));
    assert!(soft > 3.0 * stiff, "{soft} {stiff}");
    assert_eq!(after(""), stiff);
    // A wider impedance makes the same constraint softer.
    assert!(after(r#"solref="0.1 1" solimp=".1 .2 1 .5 2""#) != soft);
}

#[test]
fn an_inactive_tendon_equality_has_no_row() {
    let inactive = placed(coupled("", r#"<tendon tendon1="T1" tendon2="T2" active="false"/>"#), [0.5, 0.2]);
    let absent = placed(coupled("", ""), [0.5, 0.2]);
    assert_eq!((inactive.data.rows.nefc, inactive.model.neq), (0, 1));
    assert_eq!(bits(&inactive.data.solution.efc_force), bits(&absent.data.solution.efc_force));
    assert_eq!(bits(&inactive.data.acceleration.qacc), bits(&absent.data.acceleration.qacc));
    // It can be switched on while the simulation runs.
    let mut sim = inactive;
    sim.data.inputs.eq_active[0] = 1;
    sim.forward();
    assert_eq!(sim.data.rows.nefc, 1);
}

#[test]
fn the_deviation_of_a_spatial_tendon_is_from_its_initial_length() {
    let text = r#"<mujoco><worldbody><site name="w" pos="0 0 2"/><body><joint name="z" type="slide" axis="0 0 1"/><geom size=".1"/><site name="s"/></body></worldbody>
        <tendon><spatial name="T"><site site="w"/><site site="s"/></spatial></tendon><equality><tendon tendon1="T"/></equality></mujoco>"#;
    let mut sim = Sim::new(model(text));
    sim.data.state.qpos[0] = 0.25;
    sim.forward();
    assert_eq!(sim.model.tendon_length0[0], 2.0);
    near(violation(&sim), -0.25, 1e-12);
    assert!(norm(&constraint_row(&sim, 0)) > 0.99);
}
