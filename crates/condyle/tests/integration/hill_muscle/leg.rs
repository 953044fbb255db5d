//! A leg with eighty muscles, made from standard muscles: it runs stably with rigid and with compliant tendons, for all curves.

use std::fmt::Write as _;

use condyle::model::hill::Curve;
use condyle::muscle::{muscle_state, overview, to_hill_muscles};
use condyle::{LoadOptions, Sim, Spec, load_spec, load_str, to_mjcf};

/// Name, length, and the axes of the joints with their ranges in degrees.
type Segment = (&'static str, f64, &'static [(&'static str, &'static str)]);

const MUSCLES: usize = 80;
/// The leg from the hip down.
const SEGMENTS: [Segment; 4] = [
    ("thigh", 0.42, &[("0 1 0", "-60 30"), ("1 0 0", "-20 20")]),
    ("shank", 0.40, &[("0 1 0", "-5 90")]),
    ("foot", 0.16, &[("0 1 0", "-30 30")]),
    ("toes", 0.08, &[("0 1 0", "-20 20")]),
];

/// The leg; `ranges` are the length ranges of its muscles.
fn leg(ranges: &[[f64; 2]]) -> String {
    let mut text = String::from(
        "<mujoco model='leg'><compiler autolimits='true'><lengthrange mode='none'/></compiler><option timestep='0.001'/>",
    );
    text += "<default><joint damping='0.5' armature='0.02'/><geom mass='1' contype='0' conaffinity='0'/></default><worldbody>";
    text += "<body name='pelvis' pos='0 0 1'>";
    sites(&mut text, 0, 0.12);
    for (number, (name, length, joints)) in SEGMENTS.iter().enumerate() {
        let below = if number == 0 { 0.0 } else { -SEGMENTS[number - 1].1 };
        let _ = write!(text, "<body name='{name}' pos='0 0 {below}'>");
        for (axis, (direction, range)) in joints.iter().enumerate() {
            let _ = write!(text, "<joint name='{name}_{axis}' axis='{direction}' range='{range}'/>");
        }
        let _ = write!(text, "<geom type='capsule' size='.04' fromto='0 0 0 0 0 -{length}'/>");
        sites(&mut text, number + 1, -*length);
    }
    text += &"</body>".repeat(SEGMENTS.len() + 1);
    text += "</worldbody><tendon>";
    for muscle in 0..MUSCLES {
        let (segment, place) = (muscle % SEGMENTS.len(), muscle / SEGMENTS.len());
        let _ = write!(
            text,
            "<spatial name='path{muscle}'><site site='s{segment}_{place}'/><site site='s{}_{place}'/></spatial>",
            segment + 1
        );
    }
    text += "</tendon><actuator>";
    for muscle in 0..MUSCLES {
        let force = 40 + 10 * (muscle % 7);
        let range =
            ranges.get(muscle).map_or_else(String::new, |[low, high]| format!(" lengthrange='{low} {high}'"));
        let _ = write!(text, "<muscle name='m{muscle}' tendon='path{muscle}' force='{force}'{range}/>");
    }
    text += "</actuator></mujoco>";
    text
}

/// Points of attachment around a segment, most of the way to its far end.
fn sites(text: &mut String, segment: usize, reach: f64) {
    for place in 0..MUSCLES / SEGMENTS.len() {
        let angle = place as f64 * std::f64::consts::TAU / (MUSCLES / SEGMENTS.len()) as f64;
        let (x, y) = (0.05 * angle.cos(), 0.05 * angle.sin());
        let z = reach * (0.45 + 0.02 * place as f64);
        let _ = write!(text, "<site name='s{segment}_{place}' pos='{x:.4} {y:.4} {z:.4}'/>");
    }
}

/// Least and greatest length of each path over the ranges of the joints.
fn measured_ranges() -> Vec<[f64; 2]> {
    let mut sim = Sim::new(load_str(&leg(&[]), &LoadOptions::default()).unwrap().model);
    let mut ranges = vec![[f64::INFINITY, f64::NEG_INFINITY]; MUSCLES];
    for pose in 0..400u32 {
        for joint in 0..sim.model.njnt {
            let [low, high] = sim.model.jnt_range[joint];
            let part = f64::from((pose * (7 + 4 * joint as u32)) % 41) / 40.0;
            sim.data.state.qpos[joint] = low + part * (high - low);
        }
        sim.forward();
        for (range, length) in ranges.iter_mut().zip(&sim.data.tendons.ten_length) {
            if *length < range[0] {
                range[0] = *length;
            }
            if *length > range[1] {
                range[1] = *length;
            }
        }
    }
    ranges
}

fn converted(folder: &std::path::Path, text: &str, compliant: bool, curve: Curve) -> Sim {
    let path = folder.join("leg.xml");
    std::fs::write(&path, text).unwrap();
    let options = LoadOptions::default();
    let mut spec: Spec = load_spec(&path, &options).unwrap().spec;
    let model = condyle::load(&path).unwrap();
    assert_eq!(to_hill_muscles(&mut spec, &model, compliant, curve), Ok(MUSCLES));
    let loaded = load_str(&to_mjcf(&spec), &options).unwrap_or_else(|error| panic!("{error}"));
    assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
    // The Hill-type muscles work where the standard ones do.
    for (before, after) in overview(&model).iter().zip(overview(&loaded.model)) {
        assert_eq!(before.force, after.force);
        for (a, b) in before.operating_range.iter().zip(after.operating_range) {
            assert!((a - b).abs() < 0.4, "{}: {before:?} {after:?}", before.name);
        }
    }
    Sim::new(loaded.model)
}

#[test]
fn eighty_muscles_of_a_leg_run_stably_with_rigid_and_compliant_tendons() {
    let folder = std::env::temp_dir().join(format!("condyle-leg-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let text = leg(&measured_ranges());
    for (compliant, curve) in [
        (false, Curve::Smooth),
        (true, Curve::Smooth),
        (true, Curve::Millard),
        (true, Curve::Thelen),
        (false, Curve::Standard),
    ] {
        let mut sim = converted(&folder, &text, compliant, curve);
        assert_eq!(sim.model.na, MUSCLES * if compliant { 2 } else { 1 });
        for step in 0..1000 {
            let time = sim.time();
            for muscle in 0..MUSCLES {
                let phase = 6.0 * time + muscle as f64;
                sim.data.inputs.ctrl[muscle] = 0.5 + 0.5 * phase.sin();
            }
            let report = sim.step();
            assert!(report.resets == 0 && report.non_finite.is_none(), "{compliant} {curve:?} step {step}");
            assert!(
                sim.data.state.qvel.iter().all(|speed| speed.abs() < 60.0),
                "{compliant} {curve:?} step {step}"
            );
        }
        sim.forward();
        for muscle in 0..MUSCLES {
            let state = muscle_state(&sim.model, &sim.data, muscle).unwrap();
            let peak = sim.model.actuator_gainprm[muscle][2];
            assert!(
                state.tendon_force > -0.2 * peak && state.tendon_force < 2.5 * peak,
                "{muscle}: {state:?}"
            );
            assert!(state.fiber_length > 0.0 && state.fiber_force.is_finite());
            let along = state.fiber_length * state.pennation.cos() + state.tendon_length;
            assert!((along - state.path_length).abs() < 1e-12);
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
