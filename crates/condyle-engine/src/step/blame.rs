//! Who is to blame for an invalid value: the input it comes from, and the largest forces on its kinematic tree.
//!
//! A position or velocity that the step before led to, because it is no farther from a usable one than its rate allows, comes from the
//! motion, and the forces of that step are named; one that stands there without that was set from outside. For an acceleration
//! the inputs of the step are searched for invalid values, those of the same kinematic tree first. The force of an actuator on a dof
//! is its force times its moment arm, that of a constraint row its force times the Jacobian's entry, that of an external force the
//! power it has when the dof moves at unit speed.

use condyle_math::{scalar, vec3};
use condyle_model::{JointType, Model, Warning};

use crate::Data;
use crate::constraint::impedance::kind_of;
use crate::constraint::jacobian::{self, Jacobian};
use crate::data::{CONTRIBUTIONS_KEPT, Cause, Contribution, ForceSource, NonFinite};
use crate::jacobian::dofs_above;

/// Beyond it a value is invalid.
const LARGEST: f64 = 1e10;

/// Whose number it is, what it comes from, and the forces on its tree.
pub(super) fn explain(model: &Model, data: &Data, warning: Warning, index: usize) -> NonFinite {
    let (joint, value) = match warning {
        Warning::BadQpos => (joint_of_position(model, index), data.state.qpos[index]),
        Warning::BadQvel => (model.dof_jntid[index] as usize, data.state.qvel[index]),
        _ => (model.dof_jntid[index] as usize, data.acceleration.qacc[index]),
    };
    let body = model.jnt_bodyid[joint] as usize;
    let mut forces = [Contribution::default(); CONTRIBUTIONS_KEPT];
    let cause = match warning {
        Warning::BadQpos if !moved(model, data, value, position_rate(model, data, joint, index)) => {
            Cause::Position(joint)
        }
        Warning::BadQvel if !moved(model, data, value, data.acceleration.qacc[index]) => {
            Cause::Velocity(joint)
        }
        Warning::BadQpos | Warning::BadQvel => {
            collect_forces(model, data, model.body_treeid[body], &mut forces);
            Cause::Motion
        }
        _ => {
            collect_forces(model, data, model.body_treeid[body], &mut forces);
            find_cause(model, data, model.body_treeid[body])
        }
    };
    NonFinite {
        warning,
        index,
        value,
        joint,
        body,
        step: data.diagnostics.report.step,
        time: data.state.time,
        cause,
        forces,
    }
}

/// Whether the step before can have led from a usable value to this one at the given rate; twice the way is allowed for, because
/// integrators use rates other than the last.
fn moved(model: &Model, data: &Data, value: f64, rate: f64) -> bool {
    let reach = LARGEST + 2.0 * rate.abs() * model.opt.timestep;
    data.diagnostics.report.step > 1 && (scalar::is_bad(rate) || value.abs() <= reach)
}

/// Rate of a coordinate: for a quaternion the greatest of the joint's dofs.
fn position_rate(model: &Model, data: &Data, joint: usize, index: usize) -> f64 {
    let (dof, offset) = (model.jnt_dofadr[joint] as usize, index - model.jnt_qposadr[joint] as usize);
    let dofs = match model.jnt_type(joint) {
        Some(JointType::Free) if offset < 3 => dof + offset..dof + offset + 1,
        Some(JointType::Free) => dof + 3..dof + 6,
        Some(JointType::Ball) => dof..dof + 3,
        _ => dof..dof + 1,
    };
    let rates = &data.state.qvel[dofs];
    rates.iter().copied().fold(0.0, |most: f64, rate| if rate.abs() <= most.abs() { most } else { rate })
}

fn joint_of_position(model: &Model, index: usize) -> usize {
    model.jnt_qposadr.partition_point(|start| *start as usize <= index).saturating_sub(1)
}

/// The invalid input nearest to `tree`: one of the tree itself, else the first of all.
fn find_cause(model: &Model, data: &Data, tree: i32) -> Cause {
    let mut first = None;
    for (cause, own_tree) in causes(model, data) {
        if own_tree == Some(tree) {
            return cause;
        }
        first = first.or(Some(cause));
    }
    first.unwrap_or_default()
}

/// Invalid inputs with the tree each acts on, where that is known.
fn causes<'a>(model: &'a Model, data: &'a Data) -> impl Iterator<Item = (Cause, Option<i32>)> + 'a {
    let bad = |values: &[f64]| values.iter().any(|x| scalar::is_bad(*x));
    let (state, inputs) = (&data.state, &data.inputs);
    let dof_tree = |dof: usize| Some(model.body_treeid[model.dof_bodyid[dof] as usize]);
    let part = |values: &'a [f64], start: i32, count: usize| {
        usize::try_from(start).ok().and_then(|start| values.get(start..start + count)).unwrap_or(&[])
    };
    let dof_causes = move |values: &'a [f64], cause: fn(usize) -> Cause| {
        values
            .iter()
            .enumerate()
            .filter(|(_, value)| scalar::is_bad(**value))
            .map(move |(dof, _)| (cause(model.dof_jntid[dof] as usize), dof_tree(dof)))
    };
    let positions = (0..model.nq).filter(|index| scalar::is_bad(state.qpos[*index])).map(|index| {
        let joint = joint_of_position(model, index);
        (Cause::Position(joint), Some(model.body_treeid[model.jnt_bodyid[joint] as usize]))
    });
    let external = (0..model.nbody)
        .filter(move |body| bad(&inputs.xfrc_applied[*body]))
        .map(|body| (Cause::ExternalForce(body), Some(model.body_treeid[body])));
    let activations = (0..model.nu)
        .filter(move |actuator| {
            let count = model.actuator_actnum[*actuator].max(0) as usize;
            bad(part(&state.act, model.actuator_actadr[*actuator], count))
        })
        .map(|actuator| (Cause::Activation(actuator), None));
    let actuator_histories = (0..model.nu)
        .filter(move |actuator| {
            let samples = model.actuator_history[*actuator][0].max(0) as usize;
            samples > 0 && bad(part(&state.history, model.actuator_historyadr[*actuator], 2 + 2 * samples))
        })
        .map(|actuator| (Cause::ActuatorHistory(actuator), None));
    let sensor_histories = (0..model.nsensor)
        .filter(move |sensor| {
            let samples = model.sensor_history[*sensor][0].max(0) as usize;
            let width = 1 + model.sensor_dim[*sensor].max(0) as usize;
            samples > 0 && bad(part(&state.history, model.sensor_historyadr[*sensor], 2 + width * samples))
        })
        .map(|sensor| (Cause::SensorHistory(sensor), None));
    let controls = (0..model.nu)
        .filter(|actuator| scalar::is_bad(inputs.ctrl[*actuator]))
        .map(|actuator| (Cause::Control(actuator), None));
    let mocap = (0..model.nbody)
        .filter(move |body| {
            model
                .body_mocapid(*body)
                .is_some_and(|mocap| bad(&inputs.mocap_pos[mocap]) || bad(&inputs.mocap_quat[mocap]))
        })
        .map(|body| (Cause::Mocap(body), None));
    let plugins = (0..model.nplugin)
        .filter(move |plugin| {
            let count = model.plugin_statenum[*plugin].max(0) as usize;
            bad(part(&state.plugin_state, model.plugin_stateadr[*plugin], count))
        })
        .map(|plugin| (Cause::PluginState(plugin), None));
    let time = scalar::is_bad(state.time).then_some((Cause::Time, None));
    positions
        .chain(dof_causes(&state.qvel, Cause::Velocity))
        .chain(dof_causes(&inputs.qfrc_applied, Cause::AppliedForce))
        .chain(external)
        .chain(activations)
        .chain(controls)
        .chain(actuator_histories)
        .chain(mocap)
        .chain(dof_causes(&state.qacc_warmstart, Cause::WarmStart))
        .chain(plugins)
        .chain(sensor_histories)
        .chain(time)
}

/// Keep a force among the largest, NaN before all.
fn keep(forces: &mut [Contribution; CONTRIBUTIONS_KEPT], source: ForceSource, dof: usize, force: f64) {
    let size = |force: f64| if force.is_nan() { f64::INFINITY } else { force.abs() };
    let place = forces.iter().position(|kept| size(force) > size(kept.force));
    if let Some(place) = place {
        forces[place..].rotate_right(1);
        forces[place] = Contribution { source, dof, force };
    }
}

/// The largest forces on the dofs of one tree; they accelerate each other.
fn collect_forces(model: &Model, data: &Data, tree: i32, forces: &mut [Contribution; CONTRIBUTIONS_KEPT]) {
    let in_tree = |dof: usize| model.body_treeid[model.dof_bodyid[dof] as usize] == tree;
    for dof in (0..model.nv).filter(|dof| in_tree(*dof)) {
        keep(forces, ForceSource::Applied, dof, data.inputs.qfrc_applied[dof]);
        keep(forces, ForceSource::Passive, dof, data.passive.qfrc_passive[dof]);
        keep(forces, ForceSource::Bias, dof, -data.bias.qfrc_bias[dof]);
    }
    let transmission = &data.transmission;
    for actuator in 0..model.nu {
        let start = transmission.moment_rowadr[actuator].max(0) as usize;
        let end = start + transmission.moment_rownnz[actuator].max(0) as usize;
        for entry in start..end.min(transmission.moment_colind.len()) {
            let dof = transmission.moment_colind[entry] as usize;
            if in_tree(dof) {
                let force = transmission.actuator_moment[entry] * data.actuation.actuator_force[actuator];
                keep(forces, ForceSource::Actuator(actuator), dof, force);
            }
        }
    }
    for body in 1..model.nbody {
        if model.body_treeid[body] == tree && data.inputs.xfrc_applied[body] != [0.0; 6] {
            for dof in dofs_above(model, body) {
                keep(forces, ForceSource::External(body), dof, external_force(model, data, dof, body));
            }
        }
    }
    let table = &data.rows;
    for row in 0..table.nefc {
        let source = ForceSource::Constraint(kind_of(table.efc_type[row]), table.efc_id[row] as usize);
        let mut entry = |dof: usize, value: f64| {
            if value != 0.0 && in_tree(dof) {
                keep(forces, source, dof, value * data.solution.efc_force[row]);
            }
        };
        match jacobian::of(model, table) {
            Jacobian::Dense { values, columns } => {
                (0..columns).for_each(|dof| entry(dof, values[row * columns + dof]));
            }
            Jacobian::Sparse { values, pattern, .. } => {
                pattern.range(row).for_each(|place| entry(pattern.colind[place] as usize, values[place]));
            }
        }
    }
}

/// Generalised force of `xfrc_applied` of a body on a dof above it.
fn external_force(model: &Model, data: &Data, dof: usize, body: usize) -> f64 {
    let [fx, fy, fz, tx, ty, tz] = data.inputs.xfrc_applied[body];
    let centre = data.kinematics.subtree_com[model.body_rootid[body] as usize];
    let arm = vec3::sub(data.kinematics.xipos[body], centre);
    let force = [fx, fy, fz];
    let torque = vec3::add([tx, ty, tz], vec3::cross(arm, force));
    let [ax, ay, az, lx, ly, lz] = data.kinematics.cdof[dof];
    vec3::dot([ax, ay, az], torque) + vec3::dot([lx, ly, lz], force)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_forces_are_kept_in_order_and_nan_comes_first() {
        let mut forces = [Contribution::default(); CONTRIBUTIONS_KEPT];
        for (index, force) in [1.0, -7.0, 3.0, 0.5, 2.0, 9.0, f64::NAN].into_iter().enumerate() {
            keep(&mut forces, ForceSource::Actuator(index), 0, force);
        }
        let order: Vec<_> = forces.iter().map(|kept| kept.source).collect();
        assert_eq!(order, [6, 5, 1, 2, 4].map(ForceSource::Actuator));
    }
}
