//! Forces that cancel gravity on bodies: `-gravcomp · mass · gravity` at the centre of mass.
//!
//! Any non-zero `gravcomp` acts, negative ones included. Joints may receive the force through their actuators instead. Reference:
//! `mj_gravcomp`.

use condyle_math::vec3;
use condyle_model::{Model, disable};

use crate::data::{Awake, Kinematics, Passive, SmoothScratch};
use crate::jacobian::force;

/// Whether some body compensates gravity and there is gravity to compensate.
pub fn is_active(model: &Model) -> bool {
    let any = model.ngravcomp > 0 || model.body_gravcomp.iter().any(|part| part.abs() > 0.0);
    any && model.opt.disableflags & disable::GRAVITY == 0 && vec3::norm(model.opt.gravity) != 0.0
}

/// Compensation forces, into `qfrc_gravcomp`. Whether there are any.
pub fn compensate(
    model: &Model,
    awake: &Awake,
    kinematics: &Kinematics,
    out: &mut Passive,
    buffers: &mut SmoothScratch,
) -> bool {
    if !is_active(model) {
        return false;
    }
    let mut any = false;
    for body in awake.bodies(model).without_first().iter() {
        let part = model.body_gravcomp[body];
        if part != 0.0 {
            any = true;
            let push = vec3::scale(model.opt.gravity, -(model.body_mass[body] * part));
            let point = kinematics.xipos[body];
            let (push, twist) = (Some(push), Some([0.0; 3]));
            force::apply(model, kinematics, push, twist, point, body, &mut out.qfrc_gravcomp, buffers);
        }
    }
    any
}
