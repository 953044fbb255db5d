//! Limits on actuator forces: of the tendons they pull, of the actuators themselves and of the joints they act on.

use condyle_math::scalar;
use condyle_model::{Model, TransmissionType};

use crate::data::{Actuation, scratch};

/// Scale the forces of actuators on one tendon so that their sum stays within the tendon's limit.
pub fn limit_tendon_forces(model: &Model, out: &mut Actuation, totals: &mut Vec<f64>) {
    if model.ntendon == 0 {
        return;
    }
    let on_tendon = |actuator: usize| {
        let is_tendon = model.actuator_trntype(actuator) == Some(TransmissionType::Tendon);
        let tendon = is_tendon.then(|| model.actuator_trnid[actuator][0] as usize)?;
        (model.tendon_actfrclimited[tendon] != 0).then_some(tendon)
    };
    if !(0..model.nu).any(|actuator| on_tendon(actuator).is_some()) {
        return;
    }
    let totals = scratch::sized(totals, model.ntendon);
    totals.fill(0.0);
    for actuator in 0..model.nu {
        if let Some(tendon) = on_tendon(actuator) {
            totals[tendon] += out.actuator_force[actuator];
        }
    }
    for actuator in 0..model.nu {
        let Some(tendon) = on_tendon(actuator) else { continue };
        let [low, high] = model.tendon_actfrcrange[tendon];
        let total = totals[tendon];
        if total != 0.0 {
            if total < low {
                out.actuator_force[actuator] *= low / total;
            } else if total > high {
                out.actuator_force[actuator] *= high / total;
            }
        }
    }
}

/// Clamp every actuator force to its own limit.
pub fn limit_actuator_forces(model: &Model, out: &mut Actuation) {
    let limits = model.actuator_forcelimited.iter().zip(&model.actuator_forcerange);
    for (force, (limited, [low, high])) in out.actuator_force.iter_mut().zip(limits) {
        if *limited != 0 {
            *force = scalar::clip(*force, *low, *high);
        }
    }
}

/// Clamp the total actuator force on every joint with a limit.
pub fn limit_joint_forces(model: &Model, out: &mut Actuation) {
    for (joint, limited) in model.jnt_actfrclimited.iter().enumerate() {
        if *limited != 0 {
            let [low, high] = model.jnt_actfrcrange[joint];
            let force = &mut out.qfrc_actuator[model.jnt_dofadr[joint] as usize];
            *force = scalar::clip(*force, low, high);
        }
    }
}
