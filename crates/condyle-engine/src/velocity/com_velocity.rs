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
    // Slices of one length: a single check of the index serves them all.
    let (n, nv) = (model.nbody, model.nv);
    let (cvel, cdof_dot) = (&mut out.cvel[..n], &mut out.cdof_dot[..nv]);
    let (cdof, qvel, joints) = (&kinematics.cdof[..nv], &state.qvel[..nv], &model.dof_jntid[..nv]);
    let (parents, first_dof, dof_count) =
        (&model.body_parentid[..n], &model.body_dofadr[..n], &model.body_dofnum[..n]);
    cvel[0] = [0.0; 6];
    for body in awake.bodies(model).without_first().iter() {
        let mut velocity = cvel[parents[body] as usize];
        let count = dof_count[body].max(0) as usize;
        if count > 0 {
            let mut dof = first_dof[body] as usize;
            let end = dof + count;
            while dof < end {
                let rotations = match model.jnt_type(joints[dof] as usize) {
                    Some(JointType::Hinge | JointType::Slide) | None => {
                        let axis = &cdof[dof];
                        cdof_dot[dof] = spatial::cross_motion(&velocity, axis);
                        spatial::add_to(&mut velocity, &axis.map(|x| x * qvel[dof]));
                        dof += 1;
                        continue;
                    }
                    Some(JointType::Free) => {
                        cdof_dot[dof..dof + 3].fill([0.0; 6]);
                        let slide = spatial::mul_dofs(&cdof[dof..dof + 3], &qvel[dof..dof + 3]);
                        spatial::add_to(&mut velocity, &slide);
                        dof += 3;
                        3
                    }
                    Some(JointType::Ball) => 3,
                };
                // All axes of one joint are carried by the velocity before the joint.
                for k in dof..dof + rotations {
                    cdof_dot[k] = spatial::cross_motion(&velocity, &cdof[k]);
                }
                let turn = spatial::mul_dofs(&cdof[dof..dof + rotations], &qvel[dof..dof + rotations]);
                spatial::add_to(&mut velocity, &turn);
                dof += rotations;
            }
        }
        cvel[body] = velocity;
    }
}
