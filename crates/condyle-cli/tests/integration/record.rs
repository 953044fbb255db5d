//! Recordings: what their columns are called, what stands in them, and what a run that is ended early leaves behind.

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Folder, command, model, refused, stdout, text};

const ARM: &str = "<mujoco><worldbody>
  <body name='base'><freejoint name='root'/><geom size='.1'/>
    <body name='upper' pos='0 0 .2'><joint name='shoulder'/><geom size='.1'/>
      <body pos='0 0 .2'><joint type='slide'/><geom size='.1'/></body></body></body>
  </worldbody>
  <actuator><motor name='drive' joint='shoulder' gear='2'/><position joint='shoulder' kp='3'/>
    <muscle name='flexor' joint='shoulder' lengthrange='0 1'/></actuator>
  <sensor><gyro name='imu' site='s'/><jointpos joint='shoulder'/></sensor>
</mujoco>";

fn arm(folder: &Folder) -> String {
    let text = ARM.replace("<body name='upper'", "<site name='s'/><body name='upper'");
    folder.file("arm.xml", &text)
}

#[test]
fn columns_are_called_by_joint_actuator_and_sensor() {
    let folder = Folder::new("columns");
    let (file, csv) = (arm(&folder), folder.name("run.csv"));
    text(&["run", &file, "--steps", "3", "--ctrl", "drive=0.5", "--record", &csv]);
    let recorded = std::fs::read_to_string(&csv).expect("csv");
    let mut lines = recorded.lines();
    let names: Vec<&str> = lines.next().expect("names").split(',').collect();
    let expected = [
        "time",
        "qpos:root.x",
        "qpos:root.qw",
        "qpos:shoulder",
        "qpos:body#3/joint#2",
        "qvel:root.vx",
        "qvel:root.wz",
        "qvel:shoulder",
        "act:flexor",
        "ctrl:drive",
        "ctrl:actuator#1",
        "force:drive",
        "sensor:imu.x",
        "sensor:sensor#1",
    ];
    for name in expected {
        assert!(names.contains(&name), "{name} among {names:?}");
    }
    assert_eq!(names.len(), 1 + 9 + 8 + 1 + 3 + 3 + 4);
    let rows: Vec<Vec<f64>> =
        lines.map(|line| line.split(',').map(|field| field.parse().expect("a number")).collect()).collect();
    assert_eq!(rows.len(), 3);
    let at = |name: &str| names.iter().position(|known| *known == name).expect("the column");
    for row in &rows {
        assert_eq!(row.len(), names.len());
        assert_eq!(row[at("force:drive")], 0.5, "forces belong to the state of their row");
        assert_eq!(row[at("sensor:sensor#1")], row[at("qpos:shoulder")], "so do sensors");
    }
    assert_eq!(rows[1][0], 0.002);
}

#[test]
fn signals_are_chosen_by_name() {
    let folder = Folder::new("signals");
    let (file, svg) = (arm(&folder), folder.name("run.svg"));
    let chosen = "qpos:shoulder,qvel:root.wz,sensor:imu,act,force";
    text(&["run", &file, "--steps", "50", "--plot", &svg, "--signals", chosen]);
    let picture = std::fs::read_to_string(&svg).expect("svg");
    for label in [
        "angle, rad",
        "angular velocity, rad/s",
        "sensor, rad/s",
        "activation",
        "actuator torque, N·m",
        "time, s",
    ] {
        assert!(picture.contains(&format!(">{label}<")), "{label}");
    }
    for name in ["shoulder", "root.wz", "imu.z", "flexor", "drive"] {
        assert!(picture.contains(&format!(">{name}<")), "{name}");
    }
    assert!(!picture.contains(">root.x<") && !picture.contains("NaN"));
    let said = refused(&["run", &file, "--plot", &svg, "--signals", "qpos:sholder"]);
    assert!(said.contains("did you mean 'qpos:shoulder'?"), "{said}");
    assert!(
        refused(&["run", &file, "--plot", &svg, "--signals", "speed"]).contains("signals are qpos, qvel")
    );
}

#[test]
fn the_legend_names_every_joint_of_a_model_with_forty() {
    let folder = Folder::new("forty");
    let mut chain = String::new();
    for link in 0..40 {
        chain += &format!(
            "<body pos='0 0 .1'><joint name='link_{link}' axis='0 1 0'/><geom size='.02' pos='0 0 .05'/>"
        );
    }
    chain += &"</body>".repeat(40);
    let file = folder.file("chain.xml", &format!("<mujoco><worldbody>{chain}</worldbody></mujoco>"));
    for name in ["run.svg", "run.png"] {
        text(&["run", &file, "--steps", "100", "--plot", &folder.name(name)]);
    }
    let picture = std::fs::read_to_string(folder.path("run.svg")).expect("svg");
    assert!((0..40).all(|link| picture.contains(&format!(">link_{link}<"))), "a joint is missing");
    // Ten curves at most share a panel, so that each has a colour of its own.
    assert!(picture.contains(">1 of 4<") && picture.contains(">4 of 4<"));
}

#[test]
fn controls_are_given_by_name_or_from_a_file() {
    let folder = Folder::new("controls");
    let (file, csv) = (arm(&folder), folder.name("run.csv"));
    let column = |arguments: &[&str], name: &str| -> Vec<f64> {
        text(&[&["run", file.as_str(), "--steps", "4", "--record", csv.as_str()], arguments].concat());
        let recorded = std::fs::read_to_string(&csv).expect("csv");
        let at = recorded.lines().next().and_then(|line| line.split(',').position(|known| known == name));
        let at = at.unwrap_or_else(|| panic!("no column {name}"));
        recorded
            .lines()
            .skip(1)
            .map(|line| line.split(',').nth(at).and_then(|x| x.parse().ok()).expect("a number"))
            .collect()
    };
    assert_eq!(column(&["--ctrl", "flexor=0.25,drive=-1"], "ctrl:drive"), [-1.0; 4]);
    assert_eq!(column(&["--ctrl", "flexor=0.25,drive=-1"], "ctrl:flexor"), [0.25; 4]);
    assert_eq!(column(&["--ctrl", "0.5,0.25"], "ctrl:actuator#1"), [0.25; 4]);
    let table = folder.file("controls.csv", "time,drive\n0.002,1\n0.006,-2\n");
    assert_eq!(column(&["--ctrl-file", &table], "ctrl:drive"), [0.0, 1.0, 1.0, -2.0]);
    let plain = folder.file("plain.csv", "1,2,3\n4,5,6\n");
    assert_eq!(column(&["--ctrl-file", &plain], "ctrl:actuator#1"), [2.0, 5.0, 5.0, 5.0]);
    // A recording replays.
    column(&["--ctrl-file", &table], "ctrl:drive");
    std::fs::copy(&csv, folder.path("replay.csv")).expect("a copy");
    assert_eq!(column(&["--ctrl-file", &folder.name("replay.csv")], "ctrl:drive"), [0.0, 1.0, 1.0, -2.0]);

    let run = |arguments: &[&str]| refused(&[&["run", file.as_str(), "--steps", "1"], arguments].concat());
    assert!(run(&["--ctrl", "drve=1"]).contains("did you mean 'drive'?"));
    assert!(run(&["--ctrl", "drive=fast"]).contains("'fast' is not a number"));
    assert!(run(&["--ctrl", "1,2,3,4"]).contains("4 controls given, but the model has 3 actuators"));
    let bad = folder.file("bad.csv", "time,drive\n0,1\n0.5,x\n");
    assert!(run(&["--ctrl-file", &bad]).contains("bad.csv:3: 'x' is not a finite number"));
}

/// Start a run without end, and wait until its recording has grown.
fn endless(record: &str, growing: &str) -> Child {
    let figure = model("bench/figure.xml");
    let child = command(&["run", &figure, "--steps", "1000000000", "--record", record])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let begin = Instant::now();
    while std::fs::metadata(growing).map_or(0, |file| file.len()) < 20_000 {
        assert!(begin.elapsed() < Duration::from_secs(60), "{growing} does not grow");
        std::thread::sleep(Duration::from_millis(50));
    }
    child
}

#[cfg(unix)]
fn signal(child: &Child, name: &str) {
    let sent = std::process::Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_run_with_its_summary_and_a_whole_recording() {
    let folder = Folder::new("interrupt");
    for (name, signal_name, code) in [("run.csv", "-INT", 130), ("run.npz", "-TERM", 143)] {
        let path = folder.name(name);
        let growing = if name.ends_with("npz") { format!("{path}.parts/qpos.npy") } else { path.clone() };
        let child = endless(&path, &growing);
        signal(&child, signal_name);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(code));
        let said = stdout(&output);
        assert!(said.contains("interrupted after") && said.contains("energy"), "{said}");
        let recorded = said.lines().find_map(|line| line.strip_prefix("recorded ")).expect("recorded");
        let steps: usize = recorded.split(' ').next().and_then(|count| count.parse().ok()).expect("a number");
        let bytes = std::fs::read(&path).expect("the recording");
        if name.ends_with("csv") {
            let rows = String::from_utf8(bytes).expect("text");
            assert_eq!(rows.lines().count(), steps + 1);
            assert!(rows.ends_with('\n'));
        } else {
            assert!(bytes.starts_with(b"PK\x03\x04"));
            assert!(bytes[bytes.len() - 22..].starts_with(b"PK\x05\x06"));
            let shape = format!("'shape': ({steps}, 28)");
            assert!(bytes.windows(shape.len()).any(|window| window == shape.as_bytes()), "{shape}");
            assert!(!std::path::Path::new(&format!("{path}.parts")).exists());
        }
    }
}

#[cfg(unix)]
#[test]
fn a_run_that_is_killed_leaves_what_it_had_recorded() {
    let folder = Folder::new("killed");
    let path = folder.name("run.npz");
    let mut child = endless(&path, &format!("{path}.parts/qpos.npy"));
    // A header is brought up to date every second.
    std::thread::sleep(Duration::from_millis(2500));
    signal(&child, "-KILL");
    child.wait().expect("it ends");
    let bytes = std::fs::read(format!("{path}.parts/qpos.npy")).expect("the array");
    let header = String::from_utf8_lossy(&bytes[..128]).into_owned();
    let rows: usize = header
        .split("'shape': (")
        .nth(1)
        .and_then(|rest| rest.split(',').next())
        .and_then(|rows| rows.parse().ok())
        .expect("a shape");
    assert!(rows > 0 && bytes.len() >= 128 + rows * 28 * 8, "{header}");
}
