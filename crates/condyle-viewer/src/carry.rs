//! What a simulation keeps when its model file changes: positions and speeds of joints, controls and activations of actuators that
//! have the same name and kind in both models, and the time.

use condyle::Sim;
use condyle_model::{JointType, Model, ObjectType};

/// Coordinates and degrees of freedom of a joint.
fn widths(model: &Model, joint: usize) -> (usize, usize) {
    match model.jnt_type(joint) {
        Some(JointType::Free) => (7, 6),
        Some(JointType::Ball) => (4, 3),
        _ => (1, 1),
    }
}

/// The same element in another model: by its name, or by its number when neither has one.
fn same(old: &Model, new: &Model, kind: ObjectType, id: usize, old_count: usize) -> Option<usize> {
    match new.name(kind, id) {
        "" => (id < old_count && old.name(kind, id).is_empty()).then_some(id),
        name => old.find(kind, name),
    }
}

/// Brings the state of `old` into `new`, where it fits.
pub(crate) fn carry(old: &Sim, new: &mut Sim) {
    let (from, to) = (&old.model, &new.model);
    new.data.state.time = old.data.state.time;
    for joint in 0..to.njnt {
        let Some(other) = same(from, to, ObjectType::Joint, joint, from.njnt) else { continue };
        if from.jnt_type[other] != to.jnt_type[joint] {
            continue;
        }
        let (coordinates, dofs) = widths(to, joint);
        let address = |values: &[i32], index: usize| values[index].max(0) as usize;
        let (target, source) = (address(&to.jnt_qposadr, joint), address(&from.jnt_qposadr, other));
        new.data.state.qpos[target..target + coordinates]
            .copy_from_slice(&old.data.state.qpos[source..source + coordinates]);
        let (target, source) = (address(&to.jnt_dofadr, joint), address(&from.jnt_dofadr, other));
        new.data.state.qvel[target..target + dofs]
            .copy_from_slice(&old.data.state.qvel[source..source + dofs]);
    }
    for actuator in 0..to.nu {
        let Some(other) = same(from, to, ObjectType::Actuator, actuator, from.nu) else { continue };
        new.data.inputs.ctrl[actuator] = old.data.inputs.ctrl[other];
        let activations = |model: &Model, index: usize| {
            let first = model.actuator_actadr(index)?;
            Some(first..first + model.actuator_actnum[index].max(0) as usize)
        };
        if let (Some(target), Some(source)) = (activations(to, actuator), activations(from, other))
            && target.len() == source.len()
        {
            new.data.state.act[target].copy_from_slice(&old.data.state.act[source]);
        }
    }
}
