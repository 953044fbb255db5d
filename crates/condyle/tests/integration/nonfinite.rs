//! Invalid values in everything a user can write: the step survives, and the counters and resets follow the reference's rules.
//!
//! A value is invalid when it is not a number or larger than 1e10. Bad positions, velocities and accelerations reset the simulation
//! unless that is disabled, and leave a count of one, because the reset clears the counters (two without the reset). One bad control
//! makes all controls zero and is counted at each evaluation.

use condyle::model::{Model, Warning, disable, enable};
use condyle::{Data, step};

use crate::models;

const BAD: [f64; 5] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300];

type Field = (&'static str, fn(&mut Data) -> &mut [f64]);

const FIELDS: [Field; 12] = [
    ("qpos", |data| &mut data.state.qpos),
    ("qvel", |data| &mut data.state.qvel),
    ("act", |data| &mut data.state.act),
    ("history", |data| &mut data.state.history),
    ("qacc_warmstart", |data| &mut data.state.qacc_warmstart),
    ("ctrl", |data| &mut data.inputs.ctrl),
    ("qfrc_applied", |data| &mut data.inputs.qfrc_applied),
    ("xfrc_applied", |data| data.inputs.xfrc_applied.as_flattened_mut()),
    ("mocap_pos", |data| data.inputs.mocap_pos.as_flattened_mut()),
    ("mocap_quat", |data| data.inputs.mocap_quat.as_flattened_mut()),
    ("userdata", |data| &mut data.inputs.userdata),
    ("time", |data| std::slice::from_mut(&mut data.state.time)),
];

fn count(data: &Data, warning: Warning) -> i32 {
    data.diagnostics.warning[warning as usize].number
}

fn last(data: &Data, warning: Warning) -> i32 {
    data.diagnostics.warning[warning as usize].lastinfo
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

fn resets(model: &Model) -> bool {
    model.opt.disableflags & disable::AUTORESET == 0
}

/// First, middle and last place of an array.
fn places(length: usize) -> Vec<usize> {
    let mut places = vec![0, length / 2, length.saturating_sub(1)];
    places.dedup();
    places.retain(|place| *place < length);
    places
}

/// Call `check` with the model, the data after one step from a bad value, its field, place and value.
fn campaign(mut check: impl FnMut(&str, &Model, &Data, &str, usize, f64)) -> usize {
    let mut cases = 0;
    for (name, mut model) in models::all() {
        // The speeds of sleeping dofs are not looked at; here every dof is awake.
        model.opt.enableflags &= !enable::SLEEP;
        let fresh = Data::new(&model);
        for (field, values) in FIELDS {
            for place in places(values(&mut fresh.clone()).len()) {
                for bad in BAD {
                    let mut data = fresh.clone();
                    values(&mut data)[place] = bad;
                    step(&model, &mut data);
                    check(&name, &model, &data, field, place, bad);
                    step(&model, &mut data);
                    cases += 1;
                }
            }
        }
    }
    cases
}

#[test]
fn bad_values_never_panic_and_warnings_follow_the_rules() {
    let cases = campaign(|name, model, data, field, place, bad| {
        let what = format!("{name}: {field}[{place}] = {bad}");
        match field {
            "qpos" => check_state(model, data, Warning::BadQpos, place, &what),
            "qvel" => check_state(model, data, Warning::BadQvel, place, &what),
            "qfrc_applied" if bad.is_nan() => {
                let expected = if resets(model) { 1 } else { 2 };
                assert_eq!(count(data, Warning::BadQacc), expected, "{what}");
            }
            "ctrl" if control_is_read(model, place, bad) => {
                assert!(count(data, Warning::BadCtrl) > 0, "{what}");
                assert_eq!(last(data, Warning::BadCtrl), place as i32, "{what}");
            }
            _ => {}
        }
        if resets(model) && matches!(field, "qpos" | "qvel" | "userdata") {
            assert!(data.state.qpos.iter().all(|value| value.is_finite()), "{what}");
        }
    });
    assert!(cases > 5000, "only {cases} cases");
}

/// A bad state is counted, named, and the step continues from a reset one.
fn check_state(model: &Model, data: &Data, warning: Warning, place: usize, what: &str) {
    assert_eq!(last(data, warning), place as i32, "{what}");
    if !resets(model) {
        assert_eq!(count(data, warning), 2, "{what}");
        return;
    }
    assert_eq!(count(data, warning), 1, "{what}");
    let mut expected = Data::new(model);
    step(model, &mut expected);
    assert_eq!(bits(&data.state.qpos), bits(&expected.state.qpos), "{what}");
    assert_eq!(bits(&data.state.qvel), bits(&expected.state.qvel), "{what}");
}

/// Whether an invalid control reaches the check: it is neither delayed nor brought into range before. Plugins read it unchecked, and
/// the reset that follows forgets the warning.
fn control_is_read(model: &Model, actuator: usize, bad: f64) -> bool {
    let clamps =
        model.opt.disableflags & disable::CLAMPCTRL == 0 && model.actuator_ctrllimited[actuator] != 0;
    model.opt.disableflags & disable::ACTUATION == 0
        && model.actuator_delay[actuator] == 0.0
        && model.actuator_plugin[actuator] < 0
        && (bad.is_nan() || !clamps)
}

#[test]
fn bad_positions_without_reset_stay_and_count_twice_per_step() {
    for (name, mut model) in models::bench() {
        model.opt.disableflags |= disable::AUTORESET;
        let mut data = Data::new(&model);
        data.state.qpos[0] = f64::NAN;
        step(&model, &mut data);
        assert_eq!(count(&data, Warning::BadQpos), 2, "{name}");
        assert!(data.state.qpos[0].is_nan(), "{name}");
    }
}
