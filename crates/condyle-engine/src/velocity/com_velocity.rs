//! Spatial velocities of the bodies and rates of change of the motion axes.
//!
//! `cvel = cvel_parent + Σ cdof qvel`, `cdof_dot = cvel × cdof` with the velocity the axis is carried along by. Reference:
//! `mj_comVel`.

use condyle_math::spatial;
use condyle_model::{JointType, Model};

use crate::data::{Awake, Kinematics, State, Velocity};

/// `cvel` and `cdof_dot`.
#[inline(never)]
pub fn body_velocities(
    model: &Model,
    state: &State,
    awake: &Awake,
    kinematics: &Kinematics,
    out: &mut Velocity,
) {
    out.cvel[0] = [0.0; 6];
    for body in awake.bodies(model).without_first().iter() {
        let mut velocity = out.cvel[model.body_parentid[body] as usize];
        let count = model.body_dofnum[body].max(0) as usize;
        if count > 0 {
            let first = model.body_dofadr[body] as usize;
            let mut dof = first;
            while dof < first + count {
                let joint = model.dof_jntid[dof] as usize;
                let rotations = match JointType::from_i32(model.jnt_type[joint]) {
                    Some(JointType::Free) => {
                        for k in dof..dof + 3 {
                            out.cdof_dot[k] = [0.0; 6];
                        }
                        let slide =
                            spatial::mul_dofs(&kinematics.cdof[dof..dof + 3], &state.qvel[dof..dof + 3]);
                        spatial::add_to(&mut velocity, &slide);
                        dof += 3;
                        3
                    }
                    Some(JointType::Ball) => 3,
                    _ => 1,
                };
                // All axes of one joint are carried by the velocity before the joint.
                for k in dof..dof + rotations {
                    out.cdof_dot[k] = spatial::cross_motion(&velocity, &kinematics.cdof[k]);
                }
                let turn = spatial::mul_dofs(
                    &kinematics.cdof[dof..dof + rotations],
                    &state.qvel[dof..dof + rotations],
                );
                spatial::add_to(&mut velocity, &turn);
                dof += rotations;
            }
        }
        out.cvel[body] = velocity;
    }
}
