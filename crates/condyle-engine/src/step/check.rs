//! Invalid values: NaN or larger than 1e10 in magnitude. The simulation is reset unless that is disabled, and the warning counted;
//! under other policies the step is not taken, and the state goes back to the last finite one (`Hold`) or stays (`Error`).
//!
//! Each check returns whether the step goes on. Reference: `mj_checkPos`, `mj_checkVel`, `mj_checkAcc`.
//!
//! Whole data: an invalid value resets everything.

use condyle_math::scalar;
use condyle_model::{Model, Warning, disable};

use crate::data::NonFinitePolicy;
use crate::{Data, sleep};

use super::{blame, reset};

/// Start a step: its report, and the checks of the state it starts from. `false` when the step is not to be taken.
pub fn begin(model: &Model, data: &mut Data) -> bool {
    data.diagnostics.report.begin(data.state.time, model.opt.tolerance);
    let usable = check_position(model, data) && check_velocity(model, data);
    if usable {
        remember(data);
    }
    usable
}

/// Look for invalid positions.
pub fn check_position(model: &Model, data: &mut Data) -> bool {
    let bad = first_bad_of(&data.state.qpos);
    bad.is_none_or(|index| handle(model, data, Warning::BadQpos, index) != Outcome::Held)
}

/// Look for invalid velocities.
pub fn check_velocity(model: &Model, data: &mut Data) -> bool {
    let bad = first_bad(model, data, &data.state.qvel);
    bad.is_none_or(|index| handle(model, data, Warning::BadQvel, index) != Outcome::Held)
}

/// Look for invalid accelerations; after a reset compute those of the reset state.
pub fn check_acceleration(model: &Model, data: &mut Data) -> bool {
    let bad = first_bad(model, data, &data.acceleration.qacc);
    let Some(index) = bad else { return true };
    let outcome = handle(model, data, Warning::BadQacc, index);
    if outcome == Outcome::Reset {
        super::forward(model, data);
    }
    outcome != Outcome::Held
}

/// The first value that is invalid.
fn first_bad_of(values: &[f64]) -> Option<usize> {
    // Without an early end, so that several numbers are looked at together.
    let any = values.iter().fold(false, |any, x| any | scalar::is_bad(*x));
    if any { values.iter().position(|x| scalar::is_bad(*x)) } else { None }
}

/// The first awake dof whose value is invalid.
fn first_bad(model: &Model, data: &Data, values: &[f64]) -> Option<usize> {
    match data.awake.dofs(model).list() {
        None => first_bad_of(values),
        Some(dofs) => dofs.iter().map(|dof| *dof as usize).find(|dof| scalar::is_bad(values[*dof])),
    }
}

/// What was done about an invalid value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Ignored,
    Reset,
    Held,
}

/// Report, count the warning and apply the policy.
fn handle(model: &Model, data: &mut Data, warning: Warning, index: usize) -> Outcome {
    let found = blame::explain(model, data, warning, index);
    data.diagnostics.non_finite = Some(found);
    data.diagnostics.report.non_finite = Some(found);
    data.diagnostics.warn(warning, index as i32);
    match data.diagnostics.non_finite_policy {
        NonFinitePolicy::AutoReset => {}
        NonFinitePolicy::Hold => {
            go_back(model, data);
            data.diagnostics.report.held = true;
            return Outcome::Held;
        }
        NonFinitePolicy::Error => {
            data.diagnostics.report.held = true;
            return Outcome::Held;
        }
    }
    let resets = model.opt.disableflags & disable::AUTORESET == 0;
    if resets {
        let mut report = data.diagnostics.report;
        report.resets += 1;
        reset::reset(model, data);
        data.diagnostics.report = report;
    }
    // The reset clears the counters, so the warning is counted again.
    data.diagnostics.recount(warning, index as i32);
    if resets { Outcome::Reset } else { Outcome::Ignored }
}

/// Under the policy `Hold`, remember the state if all of it is usable: where a step starts, and where it ends.
pub fn remember(data: &mut Data) {
    let Data { state, diagnostics, .. } = data;
    if diagnostics.non_finite_policy != NonFinitePolicy::Hold {
        return;
    }
    let bounded = [&state.qpos, &state.qvel, &state.act, &state.qacc_warmstart];
    let finite = [&state.history, &state.plugin_state];
    if bounded.into_iter().flatten().any(|x| scalar::is_bad(*x))
        || finite.into_iter().flatten().chain([&state.time]).any(|x| !x.is_finite())
    {
        return;
    }
    match &mut diagnostics.last_finite {
        Some(kept) => kept.copy_from(state),
        None => diagnostics.last_finite = Some(Box::new(state.clone())),
    }
    diagnostics.last_finite_is_valid = true;
}

/// Back to the last finite state; without one, to the reference configuration at rest.
fn go_back(model: &Model, data: &mut Data) {
    let Data { state, diagnostics, awake, .. } = data;
    match &diagnostics.last_finite {
        Some(kept) if diagnostics.last_finite_is_valid => state.copy_from(kept),
        _ => {
            state.qpos.copy_from_slice(&model.qpos0);
            for values in [&mut state.qvel, &mut state.act, &mut state.qacc_warmstart] {
                values.fill(0.0);
            }
        }
    }
    sleep::update(model, state, awake);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A single slide that is all a model needs to have a state.
    fn slide() -> Model {
        let mut model = Model { nbody: 2, njnt: 1, nq: 1, nv: 1, ntree: 1, ..Model::default() };
        model.allocate();
        model.body_mocapid.fill(-1);
        model.body_treeid = vec![-1, 0].into();
        model.jnt_type[0] = 2;
        model.jnt_bodyid[0] = 1;
        model.dof_bodyid[0] = 1;
        model
    }

    #[test]
    fn a_held_step_names_the_joint_and_starts_from_rest_without_an_earlier_state() {
        let model = slide();
        let mut data = Data::new(&model);
        data.diagnostics.non_finite_policy = NonFinitePolicy::Hold;
        data.state.time = 2.0;
        data.state.qvel[0] = f64::INFINITY;
        assert!(check_position(&model, &mut data));
        assert!(!check_velocity(&model, &mut data));
        let report = data.diagnostics.non_finite.unwrap();
        assert_eq!((report.warning, report.joint, report.body, report.time), (Warning::BadQvel, 0, 1, 2.0));
        assert_eq!(data.state.qvel[0], 0.0);
        assert_eq!(data.diagnostics.warning[Warning::BadQvel as usize].number, 1);
        assert!(data.diagnostics.report.held);
    }

    #[test]
    fn a_hold_goes_back_to_where_the_last_good_step_began() {
        let model = slide();
        let mut data = Data::new(&model);
        data.diagnostics.non_finite_policy = NonFinitePolicy::Hold;
        data.state.qpos[0] = 0.25;
        remember(&mut data);
        data.state.qpos[0] = f64::NAN;
        assert!(!check_position(&model, &mut data));
        assert_eq!(data.state.qpos[0], 0.25);
    }

    #[test]
    fn an_error_leaves_the_state_as_it_is() {
        let model = slide();
        let mut data = Data::new(&model);
        data.diagnostics.non_finite_policy = NonFinitePolicy::Error;
        data.state.qvel[0] = f64::INFINITY;
        assert!(!check_velocity(&model, &mut data));
        assert_eq!(data.state.qvel[0], f64::INFINITY);
    }

    #[test]
    fn the_default_policy_resets_and_keeps_the_report() {
        let model = slide();
        let mut data = Data::new(&model);
        data.state.qpos[0] = f64::NAN;
        assert!(check_position(&model, &mut data));
        assert_eq!(data.state.qpos[0], 0.0);
        assert!(data.diagnostics.non_finite.is_some_and(|report| report.value.is_nan()));
        assert_eq!(data.diagnostics.warning[Warning::BadQpos as usize].number, 1);
    }
}
