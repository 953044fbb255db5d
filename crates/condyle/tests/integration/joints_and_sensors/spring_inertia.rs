//! `springinertia`: `M[dof, dof] += springinertia · stiffness`, and everything that follows from the inertia.

use condyle::model::mjb;
use condyle::{Files, LoadOptions, Sim, load_spec, to_mjcf};
use condyle_engine::step::inverse;

use crate::common::{all_near, bits, located_error, mass_matrix, model, near, sim, world};

/// A body on a joint with the given attributes.
fn jointed(attributes: &str) -> String {
    world(&format!(r#"<body><joint {attributes}/><geom size=".1" mass="1"/></body>"#), "")
}

/// A chain whose bodies are not simple; the first joint has the given attributes.
fn chain(attributes: &str) -> String {
    world(
        &format!(
            r#"<body><joint axis="0 1 0" {attributes}/><geom type="capsule" fromto="0 0 0 1 0 0" size=".05"/>
            <body pos="1 0 0"><joint axis="0 1 0" damping=".1"/><geom type="capsule" fromto="0 0 0 1 0 0" size=".05"/></body></body>"#
        ),
        "",
    )
}

#[test]
fn zero_spring_inertia_changes_no_bit() {
    for make in [jointed, chain] {
        let plain = model(&make(r#"stiffness="30""#));
        let zero = model(&make(r#"stiffness="30" springinertia="0""#));
        assert_eq!(mjb::write(&plain), mjb::write(&zero));
        let (mut plain, mut zero) = (Sim::new(plain), Sim::new(zero));
        for _ in 0..100 {
            plain.step();
            zero.step();
        }
        assert_eq!(bits(&plain.data.state.qpos), bits(&zero.data.state.qpos));
    }
}

#[test]
fn spring_inertia_adds_its_product_with_the_stiffness_to_the_diagonal() {
    for (kind, dofs) in [("hinge", 1), ("slide", 1), ("ball", 3), ("free", 6)] {
        let text = |inertia: f64| {
            jointed(&format!(r#"type="{kind}" stiffness="100" armature=".5" springinertia="{inertia}""#))
        };
        let (without, with) = (mass_matrix(&sim(&text(0.0))), mass_matrix(&sim(&text(1.0))));
        for row in 0..dofs {
            for column in 0..dofs {
                let added = if row == column { 100.0 } else { 0.0 };
                near(with[row][column] - without[row][column], added, 1e-12);
            }
        }
    }
}

#[test]
fn spring_inertia_leaves_the_other_entries_of_a_chain_alone() {
    let without = mass_matrix(&sim(&chain(r#"stiffness="100""#)));
    let with = mass_matrix(&sim(&chain(r#"stiffness="100" springinertia="1""#)));
    near(with[0][0] - without[0][0], 100.0, 1e-12);
    assert_eq!(
        bits(&[with[0][1], with[1][0], with[1][1]]),
        bits(&[without[0][1], without[1][0], without[1][1]])
    );
}

#[test]
fn a_joint_without_stiffness_gains_no_inertia() {
    let plain = mass_matrix(&sim(&jointed(r#"armature=".5""#)));
    let without_spring = mass_matrix(&sim(&jointed(r#"armature=".5" springinertia="7""#)));
    assert_eq!(bits(&plain[0]), bits(&without_spring[0]));
}

#[test]
fn constants_of_the_model_know_the_inertia_of_springs() {
    for kind in ["hinge", "slide"] {
        let plain = model(&jointed(&format!(r#"type="{kind}" stiffness="100""#)));
        let heavy = model(&jointed(&format!(r#"type="{kind}" stiffness="100" springinertia="1""#)));
        near(heavy.dof_M0[0] - plain.dof_M0[0], 100.0, 1e-12);
        near(heavy.dof_invweight0[0], 1.0 / heavy.dof_M0[0], 1e-15);
    }
}

#[test]
fn forward_and_inverse_dynamics_agree_on_the_inertia_of_springs() {
    for make in [jointed, chain] {
        let mut sim = Sim::new(model(&make(r#"stiffness="100" springref="20" springinertia=".3""#)));
        sim.data.inputs.qfrc_applied[0] = 2.0;
        sim.data.state.qvel.fill(0.7);
        sim.forward();
        let inertia = mass_matrix(&sim);
        let force: Vec<f64> = inertia
            .iter()
            .map(|row| row.iter().zip(&sim.data.acceleration.qacc).map(|(m, a)| m * a).sum())
            .collect();
        all_near(&force, &sim.data.smooth.qfrc_smooth, 1e-9);
        inverse(&sim.model, &mut sim.data);
        all_near(&sim.data.inverse.qfrc_inverse, &sim.data.inputs.qfrc_applied, 1e-9);
    }
}

#[test]
fn kinetic_energy_counts_the_inertia_of_springs() {
    let text = format!(
        "{}{}",
        jointed(r#"type="slide" stiffness="100" springinertia=".5""#).trim_end_matches("</mujoco>"),
        r#"<option><flag energy="enable"/></option></mujoco>"#
    );
    let mut sim = Sim::new(model(&text));
    sim.data.state.qvel[0] = 2.0;
    sim.forward();
    near(sim.data.sensors.energy[1], 0.5 * (1.0 + 50.0) * 4.0, 1e-12);
}

/// Largest position of a mass on a stiff spring, let go at 1, over 2,000 steps; infinite when the simulation blows up.
fn swing(integrator: &str, inertia: f64) -> f64 {
    let text = format!(
        r#"<mujoco><option integrator="{integrator}" timestep=".01" gravity="0 0 0"/><worldbody><body>
        <joint type="slide" stiffness="1e6" springinertia="{inertia}"/><geom size=".1" mass="1"/></body></worldbody></mujoco>"#
    );
    let mut sim = Sim::new(model(&text));
    sim.data.state.qpos[0] = 1.0;
    let mut largest: f64 = 0.0;
    for _ in 0..2000 {
        if condyle_engine::try_step(&sim.model, &mut sim.data).is_err() {
            return f64::INFINITY;
        }
        let position = sim.data.state.qpos[0].abs();
        if position > largest {
            largest = position;
        }
    }
    largest
}

#[test]
fn a_spring_too_stiff_for_the_time_step_is_stable_with_inertia_in_proportion() {
    // Without the term the discrete oscillator is stable for h² k / m < 4 only; here it is 100. With a factor s the bound is on
    // h² k / (m + s k) < h² / s, so s = h² is stable for every stiffness.
    for integrator in ["Euler", "implicit", "implicitfast"] {
        assert!(swing(integrator, 0.0) > 1e3, "{integrator} is stable without spring inertia");
        let largest = swing(integrator, 1e-4);
        assert!(largest < 1.5, "{integrator} reaches {largest}");
    }
}

#[test]
fn spring_inertia_comes_from_default_classes_and_is_overridden_on_the_joint() {
    let text = r#"<mujoco><default><joint springinertia=".25"/><default class="c"><joint springinertia=".5"/></default></default>
        <worldbody><body><joint/><joint axis="1 0 0" class="c"/><joint axis="0 1 0" springinertia="0"/><geom size=".1"/></body></worldbody></mujoco>"#;
    assert_eq!(model(text).jnt_springinertia, [0.25, 0.5, 0.0]);
}

#[test]
fn spring_inertia_survives_saving_as_text() {
    let folder = std::env::temp_dir().join(format!("condyle-spring-inertia-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("model.xml");
    std::fs::write(&path, jointed(r#"type="free" springinertia=".125""#)).unwrap();
    let spec = load_spec(&path, &LoadOptions::default()).unwrap().spec;
    std::fs::remove_dir_all(&folder).unwrap();
    let compiled = model(&to_mjcf(&spec));
    assert_eq!(compiled.jnt_springinertia, [0.125]);
    // A compiled model turned back into text keeps it too.
    let back = condyle::Spec::from_model(&compiled).unwrap();
    assert_eq!(model(&to_mjcf(&back)).jnt_springinertia, [0.125]);
}

#[test]
fn binary_files_hold_spring_inertia_only_where_it_is_used() {
    let plain = mjb::write(&model(&jointed(r#"stiffness="100""#)));
    let used = model(&jointed(r#"stiffness="100" springinertia="1""#));
    let bytes = mjb::write(&used);
    assert_eq!(bytes.len(), mjb::size(&used));
    assert_eq!(bytes.len(), plain.len() + 8);
    // The header counts the arrays: the reference refuses a file that holds one more than it knows.
    let arrays = |bytes: &[u8]| i32::from_le_bytes([bytes[16], bytes[17], bytes[18], bytes[19]]);
    assert_eq!((arrays(&plain), arrays(&bytes)), (456, 457));
    let back = mjb::read(&bytes).unwrap();
    assert_eq!(back.jnt_springinertia[0], 1.0);
    assert_eq!(mjb::write(&back), bytes);
    for end in plain.len() - 8..bytes.len() {
        assert!(mjb::read(&bytes[..end]).is_err(), "{end} bytes were accepted");
    }
    let mut unknown = bytes;
    unknown[16..20].copy_from_slice(&470i32.to_le_bytes());
    assert!(mjb::read(&unknown).unwrap_err().message.contains("number of arrays"));
}

#[test]
fn spring_inertia_that_makes_no_sense_is_an_error_at_its_place() {
    for attributes in [
        r#"springinertia="-1""#,
        r#"stiffness="1" springdamper=".1 1" springinertia="1""#,
        r#"stiffness="-1" springinertia="1""#,
    ] {
        assert!(located_error(&jointed(attributes)).contains("springinertia"));
    }
    let files = LoadOptions::default().files(Files::without_disk());
    assert!(condyle::load_str(&jointed(r#"springinertia="a""#), &files).is_err());
}
