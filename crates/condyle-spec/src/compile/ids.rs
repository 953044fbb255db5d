//! Ids of elements in the compiled model, by their position in the lists of the compiler.

use condyle_model::ObjectType;

use super::work::Work;

/// Final ids; −1 for elements that were merged or dropped.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    body: Vec<i32>,
    joint: Vec<i32>,
    geom: Vec<i32>,
    site: Vec<i32>,
    camera: Vec<i32>,
    light: Vec<i32>,
    mesh: Vec<i32>,
    pair: Vec<i32>,
    exclude: Vec<i32>,
}

fn inverse(order: &[usize], count: usize) -> Vec<i32> {
    let mut ids = vec![-1; count];
    for (id, &position) in order.iter().enumerate() {
        ids[position] = id as i32;
    }
    ids
}

impl Ids {
    pub(super) fn new(work: &Work<'_>, pair_order: &[usize], exclude_order: &[usize]) -> Self {
        let kept: Vec<usize> = (0..work.meshes.len()).filter(|&mesh| !work.meshes[mesh].discarded).collect();
        Self {
            body: inverse(&work.body_order, work.bodies.len()),
            joint: inverse(&work.joint_order, work.joints.len()),
            geom: inverse(&work.geom_order, work.geoms.len()),
            site: inverse(&work.site_order, work.sites.len()),
            camera: inverse(&work.camera_order, work.cameras.len()),
            light: inverse(&work.light_order, work.lights.len()),
            mesh: inverse(&kept, work.meshes.len()),
            pair: inverse(pair_order, work.pairs.len()),
            exclude: inverse(exclude_order, work.excludes.len()),
        }
    }

    /// Id of the element at a position of its list.
    pub(super) fn of(&self, kind: ObjectType, position: usize) -> i32 {
        let list = match kind {
            ObjectType::Body | ObjectType::XBody => &self.body,
            ObjectType::Joint => &self.joint,
            ObjectType::Geom => &self.geom,
            ObjectType::Site => &self.site,
            ObjectType::Camera => &self.camera,
            ObjectType::Light => &self.light,
            ObjectType::Mesh => &self.mesh,
            ObjectType::Pair => &self.pair,
            ObjectType::Exclude => &self.exclude,
            _ => return position as i32,
        };
        list.get(position).copied().unwrap_or(-1)
    }

    /// Id of an element that may be absent.
    pub(super) fn maybe(&self, kind: ObjectType, position: Option<usize>) -> i32 {
        position.map_or(-1, |position| self.of(kind, position))
    }
}
