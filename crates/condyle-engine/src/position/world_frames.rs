//! Poses of the geoms and sites of the world body, which are the same in every step and are copied instead of computed.
//!
//! They depend on the model alone: the pose of the world body is written anew in each step. What is kept is made anew when one of the
//! arrays behind it changes, and not used where one may change unseen.

use condyle_math::{Mat3, Vec3};
use condyle_model::Model;

use crate::data::Kinematics;

/// With fewer geoms and sites than this, looking whether the model is the same costs more than it saves.
const FEW: usize = 8;

type Key = [u64; 8];

/// The poses of the first geoms and sites, and what they were made from.
#[derive(Clone, Debug, Default)]
pub struct WorldFrames {
    key: Option<Key>,
    geoms: Frames,
    sites: Frames,
}

/// Positions and axes in lists of their own, as they are copied.
#[derive(Clone, Debug, Default)]
struct Frames {
    positions: Vec<Vec3>,
    axes: Vec<Mat3>,
}

impl Frames {
    fn copy_to(&self, positions: &mut [Vec3], axes: &mut [Mat3]) -> usize {
        let count = self.positions.len().min(positions.len());
        positions[..count].copy_from_slice(&self.positions[..count]);
        axes[..count].copy_from_slice(&self.axes[..count]);
        count
    }

    fn keep(&mut self, positions: &[Vec3], axes: &[Mat3], count: usize) {
        self.positions.clear();
        self.positions.extend_from_slice(&positions[..count]);
        self.axes.clear();
        self.axes.extend_from_slice(&axes[..count]);
    }
}

fn key(model: &Model) -> Option<Key> {
    Some([
        model.geom_bodyid.revision()?,
        model.geom_pos.revision()?,
        model.geom_quat.revision()?,
        model.geom_sameframe.revision()?,
        model.site_bodyid.revision()?,
        model.site_pos.revision()?,
        model.site_quat.revision()?,
        model.site_sameframe.revision()?,
    ])
}

/// How many geoms or sites at the beginning belong to the world.
fn leading(bodies: &[i32]) -> usize {
    bodies.iter().take_while(|body| **body == 0).count()
}

impl WorldFrames {
    /// Write the poses if they are known; returns how many geoms and sites that were.
    pub(super) fn copy_to(&self, model: &Model, out: &mut Kinematics) -> [usize; 2] {
        if self.key.is_none() || key(model) != self.key {
            return [0, 0];
        }
        [
            self.geoms.copy_to(&mut out.geom_xpos, &mut out.geom_xmat),
            self.sites.copy_to(&mut out.site_xpos, &mut out.site_xmat),
        ]
    }

    /// Keep the poses that were just computed, unless they are known.
    pub(super) fn keep(&mut self, model: &Model, computed: &Kinematics) {
        let counts = [leading(&model.geom_bodyid), leading(&model.site_bodyid)];
        let key = (counts[0] + counts[1] >= FEW).then(|| key(model)).flatten();
        if key.is_none() || key == self.key {
            return;
        }
        self.key = key;
        self.geoms.keep(&computed.geom_xpos, &computed.geom_xmat, counts[0]);
        self.sites.keep(&computed.site_xpos, &computed.site_xmat, counts[1]);
    }
}
