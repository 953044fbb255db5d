//! Actuators on joints.
//!
//! Slides and hinges have one gear. Ball joints have a torque axis and the length is the rotation vector along it; free joints have a
//! wrench and no meaningful length. In the parent frame the rotational gear turns with the inverse of the joint's rotation.

use condyle_math::{quat, vec3};
use condyle_model::{JointType, Model};

use super::store;
use crate::data::{State, Transmission};
use crate::position::kinematics::quat_at;

/// Length and moment of an actuator on a joint.
pub(super) fn joint(model: &Model, state: &State, actuator: usize, in_parent: bool, out: &mut Transmission) {
    let joint = model.actuator_trnid[actuator][0] as usize;
    let gear = &model.actuator_gear[actuator];
    let (q, dof) = (model.jnt_qposadr[joint] as usize, model.jnt_dofadr[joint] as usize);
    let to_axis = |axis: [f64; 3], orientation| {
        if in_parent { quat::rotate(axis, quat::conjugate(orientation)) } else { axis }
    };
    let first = [gear[0], gear[1], gear[2]];
    match model.jnt_type(joint) {
        Some(JointType::Slide | JointType::Hinge) | None => {
            out.actuator_length[actuator] = state.qpos[q] * gear[0];
            let address = out.moment_rowadr[actuator] as usize;
            // A model whose transmissions were changed may have no room left for this row.
            let slot = out.actuator_moment.get_mut(address).zip(out.moment_colind.get_mut(address));
            out.moment_rownnz[actuator] = i32::from(slot.is_some());
            if let Some((moment, column)) = slot {
                *moment = gear[0];
                *column = dof as i32;
            }
        }
        Some(JointType::Ball) => {
            let orientation = quat::normalize(quat_at(&state.qpos, q)).0;
            let turn = quat::to_velocity(orientation, 1.0);
            let axis = to_axis(first, orientation);
            out.actuator_length[actuator] = vec3::dot(turn, axis);
            store(out, actuator, (dof..).zip(axis));
        }
        Some(JointType::Free) => {
            let orientation = quat::normalize(quat_at(&state.qpos, q + 3)).0;
            let axis = to_axis([gear[3], gear[4], gear[5]], orientation);
            out.actuator_length[actuator] = 0.0;
            store(out, actuator, (dof..).zip(first.into_iter().chain(axis)));
        }
    }
}
