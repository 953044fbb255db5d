//! Frames: the pose of each in its body.

use condyle_asset::principal::normalize_slice;

use super::pose::{Pose, oriented};
use super::problems::STRUCTURE;
use super::work::Work;
use crate::arena::Id;
use crate::element::Frame;

impl Work<'_> {
    /// Pose of every frame in its body, enclosing frames included.
    pub(super) fn compile_frames(&mut self) {
        let spec = self.spec;
        let count = spec.frames.ids().map(|id| id.index() + 1).max().unwrap_or(0);
        self.frames = vec![None; count];
        for id in spec.frames.ids() {
            // Enclosing frames first; a chain longer than all frames together is a cycle.
            let mut chain = vec![id];
            let mut next = spec.frames[id].frame;
            while let Some(outer) = next {
                if chain.len() > count || spec.frames.get(outer).is_none() {
                    self.problems.error(STRUCTURE, &spec.frames[id], "", "frame is inside itself");
                    return;
                }
                if self.frames[outer.index()].is_some() {
                    break;
                }
                chain.push(outer);
                next = spec.frames[outer].frame;
            }
            for &frame in chain.iter().rev() {
                if self.frames[frame.index()].is_none() {
                    let pose = self.compile_frame(frame);
                    self.frames[frame.index()] = Some(pose);
                }
            }
        }
    }

    fn compile_frame(&mut self, id: Id<Frame>) -> Pose {
        let frame = &self.spec.frames[id];
        let compiler = self.spec.compiler_of(frame.info.origin);
        let mut pose = Pose { pos: frame.pos, quat: frame.quat };
        match oriented(frame, compiler, frame.quat, frame.alt.as_ref()) {
            Ok(quat) => pose.quat = quat,
            Err(problem) => self.problems.push(problem),
        }
        if let Some(outer) = self.frame_pose(frame.frame) {
            pose = outer.then(pose);
        }
        normalize_slice(&mut pose.quat);
        pose
    }

    /// Pose of an element's enclosing frame.
    pub(super) fn frame_pose(&self, frame: Option<Id<Frame>>) -> Option<Pose> {
        frame.and_then(|frame| self.frames.get(frame.index()).copied().flatten())
    }
}
