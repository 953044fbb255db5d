//! `run` from the outside: what a policy for unusable numbers does, and how the command ends.

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
        assert!(output.status.success(), "{text}");
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
    assert!(output.status.success(), "{text}");
    assert_eq!(line(&text, "not taken"), Some("12 steps"), "{text}");
    assert!(line(&text, "resets").is_none(), "{text}");
}

#[test]
fn an_error_ends_the_run_and_names_the_joint() {
    let output = run(&["--on-nonfinite", "error"]);
    let (text, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(!output.status.success(), "{text}");
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
