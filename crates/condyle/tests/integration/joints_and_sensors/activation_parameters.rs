//! `dynprm`: ten numbers, of which a file may give as many as it needs.

use condyle::Sim;

use crate::common::{bits, model, world};

fn filtered(parameters: &str) -> String {
    world(
        r#"<body><joint name="j"/><geom size=".1" pos=".1 0 0"/></body>"#,
        &format!(r#"<actuator><general joint="j" dyntype="filter" dynprm="{parameters}"/></actuator>"#),
    )
}

fn with_first(first: &[f64]) -> [f64; 10] {
    let mut all = [0.0; 10];
    all[..first.len()].copy_from_slice(first);
    all
}

#[test]
fn ten_activation_parameters_are_kept() {
    assert_eq!(model(&filtered("0.1 0 0 0 0 0 0 0 0 0")).actuator_dynprm[0], with_first(&[0.1]));
    let all: Vec<f64> = (1..=10).map(|value| f64::from(value) / 4.0).collect();
    let text = all.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
    assert_eq!(model(&filtered(&text)).actuator_dynprm[0], with_first(&all));
}

#[test]
fn fewer_activation_parameters_are_filled_with_zeros() {
    assert_eq!(model(&filtered("0.1 0.2 0.3")).actuator_dynprm[0], with_first(&[0.1, 0.2, 0.3]));
    assert_eq!(model(&filtered("0.1")).actuator_dynprm[0], with_first(&[0.1]));
}

#[test]
fn a_filter_reads_its_first_activation_parameter_only() {
    let run = |parameters: &str| {
        let mut sim = Sim::new(model(&filtered(parameters)));
        sim.data.inputs.ctrl[0] = 1.0;
        for _ in 0..100 {
            sim.step();
        }
        bits(&[sim.data.state.act[0], sim.data.state.qpos[0]])
    };
    let one = run("0.1");
    assert_eq!(one, run("0.1 0 0"));
    assert_eq!(one, run("0.1 9 8 7 6 5 4 3 2 1"));
    assert_ne!(one, run("0.2"));
}
