//! Unusable values: NaN or larger than 1e10 in magnitude. The simulation is reset unless that is disabled, and the warning counted;
//! other policies leave the state alone and do not take the step.
//!
//! Each check returns whether the step goes on. Reference: `mj_checkPos`, `mj_checkVel`, `mj_checkAcc`.

use condyle_math::scalar;
use condyle_model::{Model, Warning, disable};

use crate::data::{NonFinite, NonFinitePolicy};
use crate::{Data, reset, step};

/// Look for unusable positions.
pub fn check_position(model: &Model, data: &mut Data) -> bool {
    let bad = data.state.qpos.iter().position(|x| scalar::is_bad(*x));
    bad.is_none_or(|index| handle(model, data, Warning::BadQpos, index) != Outcome::Held)
}

/// Look for unusable velocities.
pub fn check_velocity(model: &Model, data: &mut Data) -> bool {
    let bad = data.awake.dofs(model).iter().find(|dof| scalar::is_bad(data.state.qvel[*dof]));
    bad.is_none_or(|index| handle(model, data, Warning::BadQvel, index) != Outcome::Held)
}

/// Look for unusable accelerations; after a reset compute those of the reset state.
pub fn check_acceleration(model: &Model, data: &mut Data) -> bool {
    let bad = data.awake.dofs(model).iter().find(|dof| scalar::is_bad(data.acceleration.qacc[*dof]));
    let Some(index) = bad else { return true };
    let outcome = handle(model, data, Warning::BadQacc, index);
    if outcome == Outcome::Reset {
        step::forward(model, data);
    }
    outcome != Outcome::Held
}

/// What was done about an unusable value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Ignored,
    Reset,
    Held,
}

/// Report, count the warning and apply the policy.
fn handle(model: &Model, data: &mut Data, warning: Warning, index: usize) -> Outcome {
    data.diagnostics.non_finite = Some(report(model, data, warning, index));
    data.diagnostics.warn(warning, index as i32);
    if data.diagnostics.non_finite_policy != NonFinitePolicy::AutoReset {
        return Outcome::Held;
    }
    let resets = model.opt.disableflags & disable::AUTORESET == 0;
    if resets {
        reset::reset(model, data);
    }
    // The reset clears the counters, so the warning is counted again.
    data.diagnostics.warn(warning, index as i32);
    if resets { Outcome::Reset } else { Outcome::Ignored }
}

/// Whose number it is, and the forces on its dof.
fn report(model: &Model, data: &Data, warning: Warning, index: usize) -> NonFinite {
    let (joint, dof, value) = if warning == Warning::BadQpos {
        let joint = model.jnt_qposadr.partition_point(|start| *start as usize <= index).saturating_sub(1);
        (joint, model.jnt_dofadr[joint] as usize, data.state.qpos[index])
    } else {
        let source = if warning == Warning::BadQvel { &data.state.qvel } else { &data.acceleration.qacc };
        (model.dof_jntid[index] as usize, index, source[index])
    };
    NonFinite {
        warning,
        index,
        value,
        joint,
        body: model.jnt_bodyid[joint] as usize,
        time: data.state.time,
        forces: [
            ("applied", data.inputs.qfrc_applied[dof]),
            ("passive", data.passive.qfrc_passive[dof]),
            ("actuator", data.actuation.qfrc_actuator[dof]),
            ("bias", data.velocity.qfrc_bias[dof]),
            ("constraint", data.constraint.qfrc_constraint[dof]),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A single slide that is all a model needs to have a state.
    fn slide() -> Model {
        let mut model = Model { nbody: 2, njnt: 1, nq: 1, nv: 1, ntree: 1, ..Model::default() };
        model.allocate();
        model.body_mocapid.fill(-1);
        model.body_treeid = vec![-1, 0];
        model.jnt_type[0] = 2;
        model.jnt_bodyid[0] = 1;
        model.dof_bodyid[0] = 1;
        model
    }

    #[test]
    fn a_held_step_names_the_joint_and_keeps_the_state() {
        let model = slide();
        let mut data = Data::new(&model);
        data.diagnostics.non_finite_policy = NonFinitePolicy::Hold;
        data.state.time = 2.0;
        data.state.qvel[0] = f64::INFINITY;
        assert!(check_position(&model, &mut data));
        assert!(!check_velocity(&model, &mut data));
        let report = data.diagnostics.non_finite.unwrap();
        assert_eq!((report.warning, report.joint, report.body, report.time), (Warning::BadQvel, 0, 1, 2.0));
        assert_eq!(data.state.qvel[0], f64::INFINITY);
        assert_eq!(data.diagnostics.warning[Warning::BadQvel as usize].number, 1);
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
