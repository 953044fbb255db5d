//! `run` from the outside: what a policy for invalid values does, and how the command ends.

use std::process::{Command, Output};

/// A slide that is driven beyond all bounds.
const RUNAWAY: &str = "<mujoco><worldbody><body name='cart'><joint name='rail' type='slide'/><geom size='.1'/></body></worldbody>\
    <actuator><motor joint='rail' gear='1e20'/></actuator></mujoco>";

fn run(policy: &[&str]) -> Output {
    let name = format!("condyle-runaway-{}-{}.xml", std::process::id(), policy.last().unwrap_or(&"default"));
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, RUNAWAY).expect("the model is written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_condyle"));
    let output = command.arg("run").arg(&path).args(["--steps", "12", "--ctrl", "1"]).args(policy).output();
    std::fs::remove_file(&path).expect("the model is removed");
    output.expect("the command runs")
}

/// Value of a line of the summary.
fn line<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.trim_start().strip_prefix(name)).map(str::trim)
}

#[test]
fn a_reset_goes_on_and_is_counted() {
    for policy in [&[][..], &["--on-nonfinite", "reset"]] {
        let output = run(policy);
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(3), "{text}");
        assert!(
            line(&text, "resets").is_some_and(|count| count.parse().is_ok_and(|count: u32| count > 0)),
            "{text}"
        );
        assert!(line(&text, "first").is_some_and(|first| first.contains("joint 0 'rail'")), "{text}");
        assert!(line(&text, "not taken").is_none(), "{text}");
    }
}

#[test]
fn a_hold_takes_no_step_and_goes_on() {
    let output = run(&["--on-nonfinite", "hold"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert_eq!(line(&text, "not taken"), Some("12 steps"), "{text}");
    assert!(line(&text, "resets").is_none(), "{text}");
}

#[test]
fn an_error_ends_the_run_and_names_the_joint() {
    let output = run(&["--on-nonfinite", "error"]);
    let (text, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(error.contains("acceleration of joint 0 'rail' (body 1 'cart')"), "{error}");
    assert_eq!(line(&text, "not taken"), Some("1 steps"), "{text}");
}

#[test]
fn an_unknown_policy_is_refused_with_those_there_are() {
    let output = run(&["--on-nonfinite", "never"]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(["reset", "hold", "error"].iter().all(|policy| error.contains(policy)), "{error}");
}

/// A run of another model.
fn run_text(model: &str, arguments: &[&str]) -> Output {
    let name = format!("condyle-run-{}-{}.xml", std::process::id(), model.len());
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, model).expect("the model is written");
    let output = Command::new(env!("CARGO_BIN_EXE_condyle")).arg("run").arg(&path).args(arguments).output();
    std::fs::remove_file(&path).expect("the model is removed");
    output.expect("the command runs")
}

#[test]
fn a_run_without_trouble_exits_with_zero() {
    let output = run_text(
        "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>",
        &["--steps", "5"],
    );
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_position_that_runs_away_is_blamed_on_forces_and_not_on_itself() {
    // Coasts past the largest usable position.
    let model = "<mujoco><option timestep='0.5' gravity='0 0 0'/><worldbody><body name='cart'>\
        <joint name='rail' type='slide'/><geom size='.1' mass='1'/></body></worldbody>\
        <actuator><motor name='engine' joint='rail' gear='5e9'/></actuator></mujoco>";
    let output = run_text(model, &["--steps", "12", "--ctrl", "1", "--on-nonfinite", "error"]);
    let text = String::from_utf8_lossy(&output.stdout);
    let first = line(&text, "first").expect("a report").to_owned();
    assert!(
        first.starts_with("position of joint 0 'rail'") || first.starts_with("velocity of joint 0 'rail'"),
        "{first}"
    );
    assert!(
        !first.contains("cause: position of joint 0") && !first.contains("cause: velocity of joint 0"),
        "{first}"
    );
    assert!(first.contains("cause: the motion of the steps before"), "{first}");
    assert!(first.contains("largest forces: actuator 0 'engine' on dof 0: 5.0000e9"), "{first}");
}

#[test]
fn a_spring_too_stiff_for_the_time_step_is_named_with_its_numbers() {
    let model = "<mujoco><worldbody><body name='mass'><joint name='spring' type='slide' stiffness='1e8'/>\
        <geom size='.1' mass='1'/></body></worldbody><keyframe><key name='out' qpos='1'/></keyframe></mujoco>";
    let output = run_text(model, &["--steps", "100", "--keyframe", "out"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{text}");
    let hint = line(&text, "look at").expect("a hint");
    assert!(
        hint.contains("stiffness of joint 'spring', 1.0000e8 N/m on an inertia of 1 kg: dt·√(k/m) is 20"),
        "{hint}"
    );
    assert!(hint.contains("time step below 0.0002 s"), "{hint}");
}

#[test]
fn energies_have_few_digits() {
    let output = run_text(
        "<mujoco><worldbody><body><freejoint/><geom size='.1' mass='1e18'/></body></worldbody></mujoco>",
        &["--steps", "5"],
    );
    let text = String::from_utf8_lossy(&output.stdout);
    let energy = line(&text, "energy").expect("energies").to_owned();
    assert!(energy.split(' ').all(|word| word.len() < 12), "{energy}");
}
