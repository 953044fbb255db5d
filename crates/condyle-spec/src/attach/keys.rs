//! Keyframes of attached specs: states kept by element until the layout of the whole model is known.

use super::names::Rename;
use super::tree::TreeMap;
use crate::arena::Id;
use crate::element::{Actuator, Body, Joint, Key, SavedState};
use crate::spec::Spec;
use condyle_model::{DynamicsType, JointType};

/// A keyframe that does not fit its model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeySizeError {
    /// Name of the keyframe.
    pub key: String,
    /// Array that does not fit.
    pub what: &'static str,
    /// Numbers it needs.
    pub expected: usize,
    /// Numbers it has.
    pub given: usize,
}

/// Coordinates and degrees of freedom of a joint.
fn joint_sizes(kind: JointType) -> (usize, usize) {
    match kind {
        JointType::Free => (7, 6),
        JointType::Ball => (4, 3),
        JointType::Slide | JointType::Hinge => (1, 1),
    }
}

fn activations(actuator: &Actuator) -> usize {
    match (actuator.actdim, actuator.dyntype) {
        (_, DynamicsType::None) if actuator.actdim < 1 => 0,
        (1.., _) => actuator.actdim as usize,
        _ if actuator.has_compliant_tendon() => 2,
        _ => 1,
    }
}

impl Spec {
    fn key_layout(&self) -> (Vec<Id<Joint>>, Vec<Id<Body>>) {
        let mut joints = Vec::new();
        let mut mocap = Vec::new();
        for id in self.bodies_depth_first() {
            joints.extend(self.bodies[id].joints());
            if self.bodies[id].mocap {
                mocap.push(id);
            }
        }
        (joints, mocap)
    }

    /// All keyframes as states by element, under their new names. Those of earlier copies are not included.
    pub(super) fn key_states(&self, rename: &Rename) -> Result<Vec<Key>, KeySizeError> {
        let keys: Vec<&Key> = self.keys.values().filter(|key| key.saved.is_none()).collect();
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        let (joints, mocap) = self.key_layout();
        let sizes: Vec<(usize, usize)> = joints.iter().map(|&id| joint_sizes(self.joints[id].kind)).collect();
        let (nq, nv) = sizes.iter().fold((0, 0), |total, size| (total.0 + size.0, total.1 + size.1));
        let actuators: Vec<(Id<Actuator>, usize)> =
            self.actuators.iter().map(|(id, actuator)| (id, activations(actuator))).collect();
        let na: usize = actuators.iter().map(|(_, count)| count).sum();
        let mut states = Vec::new();
        for key in keys {
            for (what, given, expected) in [
                ("qpos", key.qpos.len(), nq),
                ("qvel", key.qvel.len(), nv),
                ("act", key.act.len(), na),
                ("ctrl", key.ctrl.len(), actuators.len()),
                ("mpos", key.mpos.len(), 3 * mocap.len()),
                ("mquat", key.mquat.len(), 4 * mocap.len()),
            ] {
                if given != 0 && given != expected {
                    return Err(KeySizeError { key: key.info.name.clone(), what, expected, given });
                }
            }
            let saved = SavedState {
                qpos: split(&key.qpos, joints.iter().zip(&sizes).map(|(&id, size)| (id, size.0))),
                qvel: split(&key.qvel, joints.iter().zip(&sizes).map(|(&id, size)| (id, size.1))),
                act: split(&key.act, actuators.iter().copied()),
                ctrl: split(&key.ctrl, actuators.iter().map(|&(id, _)| (id, 1))),
                mpos: split(&key.mpos, mocap.iter().map(|&id| (id, 3))),
                mquat: split(&key.mquat, mocap.iter().map(|&id| (id, 4))),
            };
            let mut copy = Key { time: key.time, saved: Some(saved), ..Key::default() };
            copy.info = key.info.clone();
            copy.info.name = format!("{}{}{}", rename.prefix, key.info.name, rename.suffix);
            states.push(copy);
        }
        Ok(states)
    }

    /// The keyframes another spec gets when something of this one is attached to it: its own under new names, then those that earlier
    /// copies left, under the names they have.
    pub(super) fn states_for_another(&self, rename: &Rename) -> Result<Vec<Key>, KeySizeError> {
        let mut states = self.key_states(rename)?;
        states.extend(self.keys.values().filter(|key| key.saved.is_some()).cloned());
        Ok(states)
    }

    /// Forgets the keyframes that copies left: as in the reference, the first spec that this one is attached to takes them.
    pub fn forget_states_of_copies(&mut self) {
        let taken: Vec<_> =
            self.keys.iter().filter(|(_, key)| key.saved.is_some()).map(|(id, _)| id).collect();
        for id in taken {
            self.keys.remove(id);
        }
    }

    /// Adds keyframes whose states belong to copies. In the same spec, elements that were not copied keep their part, and
    /// states that are there already move from the originals to the first copies.
    pub(super) fn add_key_states(&mut self, states: Vec<Key>, map: &TreeMap, own: bool) {
        let mut states = states;
        for key in &mut states {
            move_state(key, map, own);
        }
        if own {
            for (_, key) in self.keys.iter_mut() {
                move_state(key, map, true);
            }
        }
        for key in states {
            self.keys.push(key);
        }
        self.grow_keys();
    }

    /// Extends keyframes that were written before the model grew, as the reference does after every copy.
    fn grow_keys(&mut self) {
        if self.keys.values().all(|key| key.saved.is_some()) {
            return;
        }
        let (joints, mocap) = self.key_layout();
        let mut reference = Vec::new();
        let mut degrees = 0;
        for body in self.bodies_depth_first() {
            for &joint in self.bodies[body].joints() {
                let joint = &self.joints[joint];
                degrees += joint_sizes(joint.kind).1;
                match joint.kind {
                    // Zeros become a quaternion when the model is compiled, then perhaps at another place.
                    JointType::Free | JointType::Ball => {
                        reference.extend(vec![0.0; joint_sizes(joint.kind).0])
                    }
                    JointType::Slide | JointType::Hinge => reference.push(joint.reference),
                }
            }
        }
        debug_assert!(reference.len() >= joints.len());
        let na: usize = self.actuators.values().map(activations).sum();
        let nu = self.actuators.len();
        let positions: Vec<f64> = mocap.iter().flat_map(|&id| self.bodies[id].pos).collect();
        let rotations: Vec<f64> = mocap.iter().flat_map(|&id| self.bodies[id].quat).collect();
        let grow = |values: &mut Vec<f64>, defaults: &[f64]| {
            if !values.is_empty() && values.len() < defaults.len() {
                let start = values.len();
                values.extend_from_slice(&defaults[start..]);
            }
        };
        for (_, key) in self.keys.iter_mut().filter(|(_, key)| key.saved.is_none()) {
            grow(&mut key.qpos, &reference);
            grow(&mut key.qvel, &vec![0.0; degrees]);
            grow(&mut key.act, &vec![0.0; na]);
            grow(&mut key.ctrl, &vec![0.0; nu]);
            grow(&mut key.mpos, &positions);
            grow(&mut key.mquat, &rotations);
        }
    }

    /// Puts states in the place of all keyframes they were made of.
    pub(super) fn replace_keys(&mut self, states: Vec<Key>) {
        let old: Vec<_> = self.keys.iter().filter(|(_, key)| key.saved.is_none()).map(|(id, _)| id).collect();
        for id in old {
            self.keys.remove(id);
        }
        for mut key in states {
            if let Some(saved) = &mut key.saved {
                keep_parts(&mut saved.qpos, |id| self.joints.get(id).is_some());
                keep_parts(&mut saved.qvel, |id| self.joints.get(id).is_some());
                keep_parts(&mut saved.act, |id| self.actuators.get(id).is_some());
                keep_parts(&mut saved.ctrl, |id| self.actuators.get(id).is_some());
                keep_parts(&mut saved.mpos, |id| self.bodies.get(id).is_some());
                keep_parts(&mut saved.mquat, |id| self.bodies.get(id).is_some());
            }
            self.keys.push(key);
        }
    }
}

/// Cuts an array into the parts of its elements; `None` if it is empty.
fn split<T>(values: &[f64], parts: impl Iterator<Item = (Id<T>, usize)>) -> Option<Vec<(Id<T>, Vec<f64>)>> {
    if values.is_empty() {
        return None;
    }
    let mut rest = values;
    Some(
        parts
            .map(|(id, count)| {
                let (part, tail) = rest.split_at(count.min(rest.len()));
                rest = tail;
                (id, part.to_vec())
            })
            .collect(),
    )
}

fn move_state(key: &mut Key, map: &TreeMap, own: bool) {
    if let Some(saved) = &mut key.saved {
        move_parts(&mut saved.qpos, |id| map.joints.get(&id).copied(), own);
        move_parts(&mut saved.qvel, |id| map.joints.get(&id).copied(), own);
        move_parts(&mut saved.act, |id| map.actuators.get(&id).copied(), own);
        move_parts(&mut saved.ctrl, |id| map.actuators.get(&id).copied(), own);
        move_parts(&mut saved.mpos, |id| map.bodies.get(&id).copied(), own);
        move_parts(&mut saved.mquat, |id| map.bodies.get(&id).copied(), own);
    }
}

fn move_parts<T>(
    parts: &mut Option<Vec<(Id<T>, Vec<f64>)>>,
    copy_of: impl Fn(Id<T>) -> Option<Id<T>>,
    own: bool,
) {
    if let Some(parts) = parts {
        parts.retain_mut(|(id, _)| match copy_of(*id) {
            Some(copy) => {
                *id = copy;
                true
            }
            None => own,
        });
    }
}

fn keep_parts<T>(parts: &mut Option<Vec<(Id<T>, Vec<f64>)>>, exists: impl Fn(Id<T>) -> bool) {
    if let Some(parts) = parts {
        parts.retain(|(id, _)| exists(*id));
    }
}
