//! The kinematic tree in the arrays of the model: bodies, joints, dofs, geoms, sites, cameras and lights.

use condyle_asset::principal::EPS;
use condyle_model::{JointType, Model, ObjectType, SameFrame, SleepPolicy};

use super::ids::Ids;
use super::pose::{Pose, same_position, same_rotation};
use super::problems::{STRUCTURE, element_error};
use super::tree::{dof_count, qpos_count};
use super::work::{BodyWork, Work};

/// Which frame of its body a pose coincides with.
fn same_frame(pose: Pose, body: &BodyWork<'_>) -> u8 {
    let inertial = body.inertial_pose();
    let kind = if same_rotation(pose.quat, Pose::NULL.quat) {
        if same_position(pose.pos, Pose::NULL.pos) { SameFrame::Body } else { SameFrame::BodyRotation }
    } else if same_rotation(pose.quat, inertial.quat) {
        if same_position(pose.pos, inertial.pos) { SameFrame::Inertia } else { SameFrame::InertiaRotation }
    } else {
        SameFrame::None
    };
    kind as u8
}

impl Work<'_> {
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
            self.write_attached(model, ids, id, index);
        }
        self.write_trees(model);
    }

    fn write_body(&self, model: &mut Model, ids: &Ids, id: usize, index: usize, parent: usize) {
        let body = &self.bodies[index];
        body.source.write_entries(model, id);
        model.body_parentid[id] = parent as i32;
        model.body_weldid[id] = ids.of(ObjectType::Body, body.weld);
        model.body_mocapid[id] = -1;
        model.body_jntnum[id] = body.joints.len() as i32;
        model.body_dofnum[id] = body.dofs as i32;
        model.body_geomnum[id] = body.geoms.len() as i32;
        model.body_geomadr[id] = body.geoms.first().map_or(-1, |&geom| ids.of(ObjectType::Geom, geom));
        model.body_pos[id] = body.pose.pos;
        model.body_quat[id] = body.pose.quat;
        let inertial = body.inertial_pose();
        model.body_ipos[id] = inertial.pos;
        model.body_iquat[id] = inertial.quat;
        model.body_mass[id] = body.mass;
        model.body_inertia[id] = body.inertia;
        model.body_contype[id] = body.contype;
        model.body_conaffinity[id] = body.conaffinity;
        model.body_margin[id] = body.margin;
        model.body_bvhnum[id] = body.bvh.node_id.len() as i32;
        model.body_plugin[id] = body.plugin.map_or(-1, |plugin| plugin as i32);
        let top = id == 0 || self.bodies[body.parent].source.info.name == "world";
        model.body_rootid[id] = if top { id as i32 } else { model.body_rootid[parent] };
        let same = if !same_rotation(inertial.quat, Pose::NULL.quat) {
            SameFrame::None
        } else if same_position(inertial.pos, [0.0; 3]) {
            SameFrame::Body
        } else {
            SameFrame::BodyRotation
        };
        model.body_sameframe[id] = same as u8;
        let fixed_parent = model.body_parentid[parent] == 0 && model.body_dofnum[parent] == 0;
        let simple = same == SameFrame::Body && (model.body_rootid[id] == id as i32 || fixed_parent);
        model.body_simple[id] = u8::from(simple);
        if parent > 0 {
            model.body_simple[parent] = 0;
        }
    }

    fn write_joint(&self, model: &mut Model, id: usize, joint: usize, body: usize, qpos: usize, dof: usize) {
        let work = &self.joints[joint];
        let source = work.source;
        source.write_entries(model, id);
        model.jnt_limited[id] = u8::from(work.limited);
        model.jnt_actfrclimited[id] = u8::from(work.actfrclimited);
        model.jnt_qposadr[id] = qpos as i32;
        model.jnt_dofadr[id] = dof as i32;
        model.jnt_bodyid[id] = body as i32;
        model.jnt_pos[id] = work.pos;
        model.jnt_axis[id] = work.axis;
        model.jnt_range[id] = work.range;
        match source.kind {
            JointType::Free => {
                let pose = [model.body_pos[body].as_slice(), &model.body_quat[body]].concat();
                model.qpos0[qpos..qpos + 7].copy_from_slice(&pose);
                model.qpos_spring[qpos..qpos + 7].copy_from_slice(&pose);
            }
            JointType::Ball => {
                model.qpos0[qpos] = 1.0;
                model.qpos_spring[qpos] = 1.0;
            }
            JointType::Slide | JointType::Hinge => {
                model.qpos0[qpos] = work.reference;
                model.qpos_spring[qpos] = work.springref;
            }
        }
        for dof in dof..dof + dof_count(source.kind) {
            model.dof_bodyid[dof] = body as i32;
            model.dof_jntid[dof] = id as i32;
            source.write_dof_entries(model, dof);
        }
    }

    fn write_attached(&self, model: &mut Model, ids: &Ids, id: usize, index: usize) {
        let body = &self.bodies[index];
        for &geom in &body.geoms {
            self.write_geom(model, ids, geom, id, body);
        }
        for &site in &body.sites {
            let at = ids.of(ObjectType::Site, site) as usize;
            let site = &self.sites[site];
            let source = site.source;
            source.write_entries(model, at);
            model.site_bodyid[at] = id as i32;
            model.site_matid[at] = ids.maybe(ObjectType::Material, site.material);
            model.site_size[at] = site.size;
            model.site_pos[at] = site.pose.pos;
            model.site_quat[at] = site.pose.quat;
            model.site_sameframe[at] = same_frame(site.pose, body);
        }
        for &camera in &body.cameras {
            let at = ids.of(ObjectType::Camera, camera) as usize;
            let camera = &self.cameras[camera];
            let source = camera.source;
            source.write_entries(model, at);
            model.cam_bodyid[at] = id as i32;
            model.cam_targetbodyid[at] = ids.maybe(ObjectType::Body, camera.target);
            model.cam_pos[at] = camera.pose.pos;
            model.cam_quat[at] = camera.pose.quat;
            model.cam_fovy[at] = camera.fovy;
            model.cam_intrinsic[at] = camera.intrinsic;
        }
        for &light in &body.lights {
            let at = ids.of(ObjectType::Light, light) as usize;
            let light = &self.lights[light];
            light.source.write_entries(model, at);
            model.light_bodyid[at] = id as i32;
            model.light_targetbodyid[at] = ids.maybe(ObjectType::Body, light.target);
            model.light_texid[at] = ids.maybe(ObjectType::Texture, light.texture);
            model.light_pos[at] = light.pos;
            model.light_dir[at] = light.dir;
        }
    }

    fn write_geom(&self, model: &mut Model, ids: &Ids, geom: usize, body_id: usize, body: &BodyWork<'_>) {
        let at = ids.of(ObjectType::Geom, geom) as usize;
        let geom = &self.geoms[geom];
        geom.source.write_entries(model, at);
        model.geom_type[at] = geom.kind as i32;
        model.geom_bodyid[at] = body_id as i32;
        model.geom_dataid[at] = match (geom.mesh.or(geom.fitted_to), geom.hfield) {
            (Some(mesh), _) => ids.of(ObjectType::Mesh, mesh),
            (None, Some(hfield)) => hfield as i32,
            (None, None) => -1,
        };
        model.geom_matid[at] = ids.maybe(ObjectType::Material, geom.material);
        model.geom_plugin[at] = geom.plugin.map_or(-1, |plugin| plugin as i32);
        model.geom_size[at] = geom.size;
        model.geom_aabb[at] = geom.aabb;
        model.geom_pos[at] = geom.pose.pos;
        model.geom_quat[at] = geom.pose.quat;
        model.geom_fluid[at] = geom.fluid;
        model.geom_sameframe[at] = same_frame(geom.pose, body);
        model.geom_rbound[at] = geom.bounding_radius;
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
