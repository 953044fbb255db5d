//! Time steps with which time does not advance: models load with them, as in MuJoCo, but cannot be run.

use crate::common::{Folder, condyle, refused, stdout, text, with_input};

fn model(timestep: &str) -> String {
    format!(
        "<mujoco>\n  <option timestep=\"{timestep}\"/>\n  <worldbody><body><freejoint/><geom size='.1'/></body></worldbody>\n</mujoco>"
    )
}

#[test]
fn check_and_run_refuse_a_time_step_that_does_not_advance() {
    let folder = Folder::new("timestep");
    for timestep in ["0", "-0.01", "nan", "inf"] {
        let file = folder.file("model.xml", &model(timestep));
        let output = condyle(&["check", &file]);
        assert!(!output.status.success(), "{timestep}");
        let said = stdout(&output);
        assert!(said.contains("error[E0901]: the time step is"), "{said}");
        assert!(said.contains("model.xml:2:11") && said.contains("^^^^^^^^"), "{said}");
        assert!(said.contains("help: write <option timestep=\"0.002\"/>"), "{said}");
        for arguments in [&["--seconds", "1"][..], &["--steps", "10"], &[]] {
            let arguments = [&["run", &file], arguments].concat();
            assert!(refused(&arguments).contains("simulated time would not advance"), "{timestep}");
        }
        assert!(refused(&["contacts", &file, "--time", "1"]).contains("would not advance"), "{timestep}");
        // Loading is as MuJoCo has it.
        text(&["info", &file]);
    }
}

#[test]
fn a_run_that_would_never_end_is_refused() {
    let folder = Folder::new("never");
    let file = folder.file("model.xml", &model("1e-300"));
    assert!(refused(&["run", &file, "--seconds", "1"]).contains("steps; give fewer --seconds"));
    assert!(refused(&["run", &file, "--seconds", "-1"]).contains("is not a valid duration"));
    assert!(refused(&["contacts", &file, "--time", "1"]).contains("would take"));
    text(&["run", &file, "--steps", "5"]);
}

#[test]
fn check_reads_standard_input() {
    assert!(with_input(&["check", "-"], &model("0.001")).status.success());
    let output = with_input(&["check", "-", "--format", "json"], &model("0"));
    assert!(!output.status.success());
    let said = stdout(&output);
    assert!(said.contains(r#""code":"E0901""#) && said.contains(r#""file":"<stdin>","line":2"#), "{said}");
    let output = with_input(&["run", "-", "--steps", "3"], &model("0.001"));
    assert!(output.status.success() && stdout(&output).contains("3 steps"), "{}", stdout(&output));
}
