//! The walks over the kinematic tree, parents before children: listing it, compiling it and writing it into the arrays of the
//! model. What happens to one element of a kind stands in the file of that kind.

use std::collections::HashMap;

use condyle_asset::principal::EPS;
use condyle_model::{JointType, Model, ObjectType, SleepPolicy};

use super::body::BodyWork;
use super::camera::CameraWork;
use super::geom::GeomWork;
use super::ids::Ids;
use super::joint::{JointWork, dof_count, qpos_count};
use super::light::LightWork;
use super::pose::same_position;
use super::problems::{STRUCTURE, element_error};
use super::site::SiteWork;
use super::work::Work;
use crate::arena::{Arena, Id};
use crate::element::Body;

impl Work<'_> {
    /// Lists the bodies depth first, with their joints, geoms, sites, cameras and lights.
    pub(super) fn list_tree(&mut self) {
        let spec = self.spec;
        let order = spec.bodies_depth_first();
        let position: HashMap<Id<Body>, usize> = order.iter().enumerate().map(|(i, &id)| (id, i)).collect();
        for &id in &order {
            let source = &spec.bodies[id];
            let parent = source.parent.and_then(|parent| position.get(&parent)).copied().unwrap_or(0);
            let index = self.bodies.len();
            let children = source.bodies.iter().filter_map(|child| position.get(child)).copied().collect();
            let mut body = BodyWork::new(source, parent, children);
            for source in present(&spec.joints, &source.joints) {
                body.joints.push(self.joints.len());
                self.joints.push(JointWork::new(source));
            }
            for source in present(&spec.geoms, &source.geoms) {
                body.geoms.push(self.geoms.len());
                self.geoms.push(GeomWork::new(source, index));
            }
            for source in present(&spec.sites, &source.sites) {
                body.sites.push(self.sites.len());
                self.sites.push(SiteWork::new(source, index));
            }
            for source in present(&spec.cameras, &source.cameras) {
                body.cameras.push(self.cameras.len());
                self.cameras.push(CameraWork::new(source, index));
            }
            for source in present(&spec.lights, &source.lights) {
                body.lights.push(self.lights.len());
                self.lights.push(LightWork::new(source, index));
            }
            self.bodies.push(body);
        }
    }

    /// Lists elements in the order of their ids: bodies as they are, their parts in depth-first order.
    pub(super) fn assign_orders(&mut self) {
        self.body_order = (0..self.bodies.len()).filter(|&body| !self.bodies[body].fused).collect();
        self.joint_order.clear();
        self.geom_order.clear();
        self.site_order.clear();
        self.camera_order.clear();
        self.light_order.clear();
        let mut stack = vec![0];
        while let Some(body) = stack.pop() {
            let Some(body) = self.bodies.get(body) else { continue };
            self.joint_order.extend(&body.joints);
            self.geom_order.extend(body.geoms.iter().filter(|&&geom| !self.geoms[geom].discarded));
            self.site_order.extend(&body.sites);
            self.camera_order.extend(&body.cameras);
            self.light_order.extend(&body.lights);
            stack.extend(body.children.iter().rev());
        }
    }

    /// Compiles frames, bodies and what is attached to them.
    pub(super) fn compile_tree(&mut self) {
        self.compile_frames();
        if !self.bodies.first().is_none_or(|world| world.joints.is_empty()) {
            let joint = self.joints[self.bodies[0].joints[0]].source;
            self.problems.push(
                element_error(STRUCTURE, joint, "", "joint found in world body")
                    .help("put the joint inside the <body> it moves"),
            );
        }
        for body in 0..self.bodies.len() {
            let weld = self.bodies[body].weld;
            for child in self.bodies[body].children.clone() {
                self.bodies[child].weld = if self.bodies[child].joints.is_empty() { weld } else { child };
            }
            if let Err(problem) = self.compile_body(body) {
                self.problems.push(problem);
            }
        }
    }

    /// Writes the tree.
    pub(super) fn write_tree(&mut self, model: &mut Model, ids: &Ids) {
        let mut last_dof = vec![-1_i32; self.bodies.len()];
        let (mut joint_address, mut dof_address, mut qpos_address, mut volume_address) = (0, 0, 0, 0);
        let mut mocap = 0;
        for id in 0..self.body_order.len() {
            let index = self.body_order[id];
            let body = &self.bodies[index];
            let parent = ids.of(ObjectType::Body, body.parent) as usize;
            self.write_body(model, ids, id, index, parent);
            if body.source.mocap {
                model.body_mocapid[id] = mocap;
                mocap += 1;
            }
            model.body_jntadr[id] = if body.joints.is_empty() { -1 } else { joint_address };
            model.body_dofadr[id] = if body.dofs == 0 { -1 } else { dof_address };
            let nodes = body.bvh.node_id.len();
            model.body_bvhadr[id] = if nodes == 0 { -1 } else { volume_address as i32 };
            for node in 0..nodes {
                let at = volume_address + node;
                model.bvh_aabb[at] = body.bvh.aabb[node];
                model.bvh_child[at] = body.bvh.child[node];
                model.bvh_depth[at] = body.bvh.level[node];
                let leaf = body.bvh.node_id[node];
                model.bvh_nodeid[at] =
                    usize::try_from(leaf).map_or(-1, |geom| ids.of(ObjectType::Geom, geom));
            }
            volume_address += nodes;
            let mut last = if index == 0 { -1 } else { last_dof[body.parent] };
            let mut rotation = false;
            for &joint in &body.joints {
                let id_of_joint = ids.of(ObjectType::Joint, joint) as usize;
                self.write_joint(model, id_of_joint, joint, id, qpos_address, dof_address as usize);
                let work = &self.joints[joint];
                let kind = work.source.kind;
                let aligned = work.axis.iter().filter(|component| component.abs() > EPS).count() == 1;
                let scalar = matches!(kind, JointType::Hinge | JointType::Slide);
                if rotation || !same_position(work.pos, [0.0; 3]) || (scalar && !aligned) {
                    model.body_simple[id] = 0;
                }
                rotation |= matches!(kind, JointType::Ball | JointType::Hinge);
                for _ in 0..dof_count(kind) {
                    model.dof_parentid[dof_address as usize] = last;
                    last = dof_address;
                    dof_address += 1;
                }
                joint_address += 1;
                qpos_address += qpos_count(kind);
            }
            last_dof[index] = last;
            // Simple bodies that only slide have a constant diagonal inertia.
            if model.body_simple[id] != 0 && body.dofs > 0 {
                let slides =
                    body.joints.iter().all(|&joint| self.joints[joint].source.kind == JointType::Slide);
                model.body_simple[id] = if slides { 2 } else { 1 };
            }
            for &geom in &body.geoms {
                self.write_geom(model, ids, geom, id, body);
            }
            for &site in &body.sites {
                self.write_site(model, ids, site, id, body);
            }
            for &camera in &body.cameras {
                self.write_camera(model, ids, camera, id);
            }
            for &light in &body.lights {
                self.write_light(model, ids, light, id);
            }
        }
        self.write_trees(model);
    }

    /// Kinematic trees of dofs and bodies, their sleep policies, and where rows of the older inertia storage start.
    fn write_trees(&mut self, model: &mut Model) {
        let mut tree = -1;
        for dof in 0..model.nv {
            if model.dof_parentid[dof] == -1 {
                tree += 1;
            }
            model.dof_treeid[dof] = tree;
        }
        for body in 0..model.nbody {
            let weld = model.body_weldid[body] as usize;
            model.body_treeid[body] = match usize::try_from(model.body_dofadr[weld]) {
                Ok(dof) if model.body_dofnum[weld] > 0 => model.dof_treeid[dof],
                _ => -1,
            };
        }
        for id in 1..model.nbody {
            let source = self.bodies[self.body_order[id]].source;
            if source.sleep == SleepPolicy::Auto {
                continue;
            }
            let tree = model.body_treeid[id];
            match usize::try_from(tree) {
                Ok(at) if tree != model.body_treeid[id - 1] => {
                    model.tree_sleep_policy[at] = source.sleep as i32;
                }
                _ => {
                    let message = "sleep policy only allowed for movable root bodies";
                    self.problems.push(element_error(STRUCTURE, source, "sleep", message));
                }
            }
        }
        let mut address = 0;
        let mut depth = vec![0_i32; model.nv];
        for dof in 0..model.nv {
            model.dof_Madr[dof] = address;
            depth[dof] = 1 + usize::try_from(model.dof_parentid[dof]).map_or(0, |above| depth[above]);
            address += depth[dof];
        }
    }
}

fn present<'s, T>(arena: &'s Arena<T>, ids: &'s [Id<T>]) -> impl Iterator<Item = &'s T> {
    ids.iter().filter_map(|&id| arena.get(id))
}
