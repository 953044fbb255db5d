//! Keyframes: in their order, completed from the reference configuration. Reference: mjCKey::Compile.

use condyle_asset::principal::normalize_slice;
use condyle_base::diagnostic::Diagnostic;
use condyle_model::{JointType, Model};

use super::problems::{KEYFRAME, label};
use super::work::Work;
use crate::element::{Key, SavedState};
use crate::spec::Spec;

impl Work<'_> {
    /// Writes the keyframes; what they leave out comes from the reference configuration.
    pub(super) fn write_keys(&mut self, model: &mut Model) {
        let (nq, nv, na, nu, nmocap) = (model.nq, model.nv, model.na, model.nu, model.nmocap);
        let compiled = self.key_defaults(model, false);
        let written = self.key_defaults(model, true);
        let empty = Key::default();
        for (at, key) in keys_in_order(self.spec).into_iter().enumerate() {
            let key = key.unwrap_or(&empty);
            let full;
            let key = match &key.saved {
                Some(saved) => {
                    full = self.saved_key(model, key, saved, &compiled);
                    &full
                }
                None => key,
            };
            model.key_time[at] = key.time;
            let mut fill = |target: &mut [f64], given: &[f64], default: [&[f64]; 2], what: &str| {
                if given.is_empty() {
                    target.copy_from_slice(default[0]);
                } else if given.len() <= target.len() {
                    // The rest takes the values written in the spec; of poses only whole ones are taken over.
                    let whole = match what {
                        "mpos" => given.len() - given.len() % 3,
                        "mquat" => given.len() - given.len() % 4,
                        _ => given.len(),
                    };
                    target.copy_from_slice(default[1]);
                    target[..whole].copy_from_slice(&given[..whole]);
                    if given.len() < target.len() {
                        self.problems.push(short_key(key, what, given.len(), target.len()));
                    }
                } else {
                    let message =
                        format!("invalid {what} size, expected {}, got {}", target.len(), given.len());
                    self.problems.error(KEYFRAME, key, what, message);
                }
            };
            fill(&mut model.key_qpos[at * nq..(at + 1) * nq], &key.qpos, [&compiled.0, &written.0], "qpos");
            fill(&mut model.key_qvel[at * nv..(at + 1) * nv], &key.qvel, [&vec![0.0; nv]; 2], "qvel");
            fill(&mut model.key_act[at * na..(at + 1) * na], &key.act, [&vec![0.0; na]; 2], "act");
            fill(&mut model.key_ctrl[at * nu..(at + 1) * nu], &key.ctrl, [&vec![0.0; nu]; 2], "ctrl");
            let mocap = at * nmocap..(at + 1) * nmocap;
            fill(
                model.key_mpos[mocap.clone()].as_flattened_mut(),
                &key.mpos,
                [&compiled.1, &written.1],
                "mpos",
            );
            fill(
                model.key_mquat[mocap.clone()].as_flattened_mut(),
                &key.mquat,
                [&compiled.2, &written.2],
                "mquat",
            );
            for joint in 0..model.njnt {
                let offset = match model.jnt_type(joint) {
                    Some(JointType::Free) => 3,
                    Some(JointType::Ball) => 0,
                    _ => continue,
                };
                let start = at * nq + model.jnt_qposadr[joint] as usize + offset;
                normalize_slice(&mut model.key_qpos[start..start + 4]);
            }
            for quat in &mut model.key_mquat[mocap] {
                normalize_slice(quat);
            }
        }
    }

    /// Positions, and positions and orientations of mocap bodies, for keys that leave them out: compiled, or as written.
    fn key_defaults(&self, model: &Model, as_written: bool) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let mut qpos = model.qpos0.to_vec();
        let mut mocap_pos = vec![0.0; 3 * model.nmocap];
        let mut mocap_quat = vec![0.0; 4 * model.nmocap];
        for (id, &index) in self.body_order.iter().enumerate() {
            let body = &self.bodies[index];
            let (mut pos, mut quat) = (model.body_pos[id], model.body_quat[id]);
            if as_written {
                (pos, quat) = (body.source.pos, body.source.quat);
            }
            if let Some(mocap) = model.body_mocapid(id) {
                mocap_pos[3 * mocap..3 * mocap + 3].copy_from_slice(&pos);
                mocap_quat[4 * mocap..4 * mocap + 4].copy_from_slice(&quat);
            }
        }
        if as_written {
            for (id, &joint) in self.joint_order.iter().enumerate() {
                let (joint, address) = (self.joints[joint].source, model.jnt_qposadr[id] as usize);
                match joint.kind {
                    // Not where the body is; the quaternion becomes that of no rotation.
                    JointType::Free => qpos[address..address + 7].fill(0.0),
                    JointType::Ball => {}
                    JointType::Slide | JointType::Hinge => qpos[address] = joint.reference,
                }
            }
        }
        (qpos, mocap_pos, mocap_quat)
    }

    /// A keyframe of an attached spec with the arrays of the whole model.
    fn saved_key(
        &self,
        model: &Model,
        key: &Key,
        saved: &SavedState,
        defaults: &(Vec<f64>, Vec<f64>, Vec<f64>),
    ) -> Key {
        // Elements are found by where they are stored in the spec.
        let mut full = Key { info: key.info.clone(), time: key.time, ..Default::default() };
        let joint_of = |id| {
            let source = self.spec.joints.get(id)?;
            self.joints.iter().position(|joint| std::ptr::eq(joint.source, source))
        };
        let actuator_of = |id| {
            let source = self.spec.actuators.get(id)?;
            self.actuators.iter().position(|actuator| std::ptr::eq(actuator.source, source))
        };
        let mocap_of = |id| {
            let source = self.spec.bodies.get(id)?;
            let body =
                self.body_order.iter().position(|&index| std::ptr::eq(self.bodies[index].source, source))?;
            model.body_mocapid(body)
        };
        let put = |target: &mut Vec<f64>, address: Option<usize>, values: &[f64]| {
            if let Some(slot) = address.and_then(|start| target.get_mut(start..start + values.len())) {
                slot.copy_from_slice(values);
            }
        };
        if let Some(parts) = &saved.qpos {
            full.qpos.clone_from(&defaults.0);
            for (id, values) in parts {
                let address = joint_of(*id).map(|joint| model.jnt_qposadr[joint] as usize);
                put(&mut full.qpos, address, values);
            }
        }
        if let Some(parts) = &saved.qvel {
            full.qvel = vec![0.0; model.nv];
            for (id, values) in parts {
                let address = joint_of(*id).map(|joint| model.jnt_dofadr[joint] as usize);
                put(&mut full.qvel, address, values);
            }
        }
        if let Some(parts) = &saved.act {
            full.act = vec![0.0; model.na];
            for (id, values) in parts {
                let address = actuator_of(*id).and_then(|actuator| model.actuator_actadr(actuator));
                put(&mut full.act, address, values);
            }
        }
        if let Some(parts) = &saved.ctrl {
            full.ctrl = vec![0.0; model.nu];
            for (id, values) in parts {
                put(&mut full.ctrl, actuator_of(*id), values);
            }
        }
        if let Some(parts) = &saved.mpos {
            full.mpos.clone_from(&defaults.1);
            for (id, values) in parts {
                put(&mut full.mpos, mocap_of(*id).map(|mocap| 3 * mocap), values);
            }
        }
        if let Some(parts) = &saved.mquat {
            full.mquat.clone_from(&defaults.2);
            for (id, values) in parts {
                put(&mut full.mquat, mocap_of(*id).map(|mocap| 4 * mocap), values);
            }
        }
        full
    }
}

/// The warning for a keyframe with fewer numbers than the model has.
fn short_key(key: &Key, what: &str, given: usize, needed: usize) -> Diagnostic {
    let message =
        format!("{}: {what} has {given} of {needed} numbers; the rest is filled in", label("key", &key.info));
    let rest = match what {
        "qpos" => "joints that are left out are at their 'ref', free joints at the origin without rotation",
        "mpos" | "mquat" => "mocap bodies that are left out, also in part, are where their body is placed",
        _ => "what is left out is zero",
    };
    Diagnostic::warning("W0709", message)
        .at(key.info.at(what))
        .help(format!("give all {needed} numbers; {rest}"))
}

/// Keyframes as they are numbered: those of the model itself, empty ones up to `nkey`, then those of attached models.
pub(super) fn keys_in_order(spec: &Spec) -> Vec<Option<&Key>> {
    let (own, attached): (Vec<_>, Vec<_>) = spec.keys.values().partition(|key| key.saved.is_none());
    let wanted = usize::try_from(spec.sizes.nkey).unwrap_or(0);
    let missing = wanted.saturating_sub(own.len());
    let own = own.into_iter().map(Some).chain(std::iter::repeat_n(None, missing));
    own.chain(attached.into_iter().map(Some)).collect()
}
