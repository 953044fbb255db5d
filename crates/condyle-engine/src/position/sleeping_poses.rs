//! Which sleeping bodies need no look at their poses: those for which nothing has changed since they were found where the state has them.
//!
//! A sleeping body is placed in every step, to see whether somebody has moved it. That follows from the model, from the positions of its
//! tree and from the poses that are there, all of which are kept and compared bit by bit, body after body in one go. So the outcome does not depend on what
//! is kept.

use std::ops::Range;

use condyle_math::{Mat3, Quat, Vec3, dense};
use condyle_model::{JointType, Model};

use crate::data::{Awake, Kinematics, State};
use crate::sleep::SleepState;

type Key = [u64; 11];

/// What bodies that rest were placed from, and what came out.
#[derive(Clone, Debug, Default)]
pub struct SleepingPoses {
    key: Option<Key>,
    /// Who was awake when the runs were listed.
    body_awake: Vec<i32>,
    /// Bodies beside each other that are not awake.
    runs: Vec<Run>,
    /// Whether what follows was kept for these runs.
    is_kept: bool,
    qpos: Vec<f64>,
    xpos: Vec<Vec3>,
    xquat: Vec<Quat>,
    xmat: Vec<Mat3>,
    xanchor: Vec<Vec3>,
    xaxis: Vec<Vec3>,
}

/// Bodies that follow one another, with their joints and positions.
#[derive(Clone, Debug)]
struct Run {
    bodies: Range<usize>,
    joints: Range<usize>,
    qpos: Range<usize>,
}

fn key(model: &Model) -> Option<Key> {
    Some([
        model.body_parentid.revision()?,
        model.body_jntnum.revision()?,
        model.body_jntadr.revision()?,
        model.body_pos.revision()?,
        model.body_quat.revision()?,
        model.body_mocapid.revision()?,
        model.jnt_type.revision()?,
        model.jnt_qposadr.revision()?,
        model.jnt_axis.revision()?,
        model.jnt_pos.revision()?,
        model.qpos0.revision()?,
    ])
}

/// The smallest range with both in it.
fn hull(a: Range<usize>, b: Range<usize>) -> Range<usize> {
    if a.is_empty() { b } else { a.start.min(b.start)..a.end.max(b.end) }
}

/// Number of values of a joint in `qpos`.
fn width(kind: i32) -> usize {
    match JointType::from_i32(kind) {
        Some(JointType::Free) => 7,
        Some(JointType::Ball) => 4,
        Some(JointType::Slide | JointType::Hinge) => 1,
        None => 0,
    }
}

impl SleepingPoses {
    /// Whether all sleeping bodies are where they were found, and would be found there again.
    pub(super) fn hold(&self, model: &Model, state: &State, awake: &Awake, now: &Kinematics) -> bool {
        let same = |a: &[Vec3], b: &[Vec3], range: &Range<usize>| {
            dense::same_bits(a[range.clone()].as_flattened(), b[range.clone()].as_flattened())
        };
        self.is_kept
            && self.body_awake[..] == awake.body_awake[..]
            && key(model) == self.key
            && self.runs.iter().all(|Run { bodies, joints, qpos }| {
                dense::same_bits(&self.qpos[qpos.clone()], &state.qpos[qpos.clone()])
                    && same(&self.xpos, &now.xpos, bodies)
                    && dense::same_bits(
                        self.xquat[bodies.clone()].as_flattened(),
                        now.xquat[bodies.clone()].as_flattened(),
                    )
                    && dense::same_bits(
                        self.xmat[bodies.clone()].as_flattened(),
                        now.xmat[bodies.clone()].as_flattened(),
                    )
                    && same(&self.xanchor, &now.xanchor, joints)
                    && same(&self.xaxis, &now.xaxis, joints)
            })
    }

    /// All bodies were placed: keep what that followed from, unless some sleeping body was not where it should be (`moved`).
    pub(super) fn keep(
        &mut self,
        model: &Model,
        state: &State,
        awake: &Awake,
        now: &Kinematics,
        moved: bool,
    ) {
        self.is_kept = false;
        let key = key(model);
        if moved || key.is_none() {
            return;
        }
        // Who sleeps for one step only is not worth it.
        if key != self.key || self.body_awake[..] != awake.body_awake[..] {
            self.key = key;
            self.list(model, awake, state.qpos.len());
            return;
        }
        self.is_kept = self.runs.iter().all(|run| run.bodies.clone().all(|body| rests(model, awake, body)));
        if !self.is_kept {
            return;
        }
        for Run { bodies, joints, qpos } in &self.runs {
            let (bodies, joints, qpos) = (bodies.clone(), joints.clone(), qpos.clone());
            self.qpos[qpos.clone()].copy_from_slice(&state.qpos[qpos]);
            self.xpos[bodies.clone()].copy_from_slice(&now.xpos[bodies.clone()]);
            self.xquat[bodies.clone()].copy_from_slice(&now.xquat[bodies.clone()]);
            self.xmat[bodies.clone()].copy_from_slice(&now.xmat[bodies]);
            self.xanchor[joints.clone()].copy_from_slice(&now.xanchor[joints.clone()]);
            self.xaxis[joints.clone()].copy_from_slice(&now.xaxis[joints]);
        }
    }

    /// List the runs, and make room for as many as there can be.
    fn list(&mut self, model: &Model, awake: &Awake, positions: usize) {
        self.body_awake.clear();
        self.body_awake.extend_from_slice(&awake.body_awake);
        self.qpos.resize(positions, 0.0);
        self.xpos.resize(model.nbody, [0.0; 3]);
        self.xquat.resize(model.nbody, [0.0; 4]);
        self.xmat.resize(model.nbody, [0.0; 9]);
        self.xanchor.resize(model.njnt, [0.0; 3]);
        self.xaxis.resize(model.njnt, [0.0; 3]);
        self.runs.clear();
        self.runs.reserve(model.nbody);
        let mut continues = false;
        for body in 1..model.nbody {
            if awake.body_awake[body] == SleepState::Awake as i32 {
                continues = false;
                continue;
            }
            if !continues {
                self.runs.push(Run { bodies: body..body, joints: 0..0, qpos: 0..0 });
                continues = true;
            }
            let Some(run) = self.runs.last_mut() else { continue };
            run.bodies.end = body + 1;
            let first = model.body_jntadr[body].max(0) as usize;
            for joint in first..first + model.body_jntnum[body].max(0) as usize {
                let address = model.jnt_qposadr[joint].max(0) as usize;
                let end = (address + width(model.jnt_type[joint])).min(positions);
                run.joints = hull(run.joints.clone(), joint..joint + 1);
                run.qpos = hull(run.qpos.clone(), address.min(end)..end);
            }
        }
    }
}

/// Whether the body stands on the world or on another that is not awake.
fn rests(model: &Model, awake: &Awake, body: usize) -> bool {
    let parent = model.body_parentid[body] as usize;
    parent == 0 || awake.body_awake[parent] != SleepState::Awake as i32
}
