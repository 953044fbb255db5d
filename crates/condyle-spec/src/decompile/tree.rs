//! Bodies and what is fixed to them.

use condyle_model::{GeomType, JointType, Model, ObjectType, SleepPolicy};

use super::{Decompiler, limited};
use crate::arena::Id;
use crate::compile::pose::Pose;
use crate::element::table::get_user;
use crate::element::{Body, Camera, Geom, Joint, Light, Site};

impl Decompiler<'_> {
    /// All bodies, then cameras and lights, which may refer to any of them.
    pub(super) fn tree(&mut self) {
        let model = self.model;
        for body in 0..model.nbody {
            let id = match body {
                0 => self.spec.world(),
                _ => self.body(body),
            };
            self.made.bodies.push(id);
        }
        for joint in 0..model.njnt {
            let body = self.made.bodies[model.jnt_bodyid[joint] as usize];
            let values = self.joint(joint);
            let id = self.spec.joints.push(values);
            self.spec.bodies[body].joints.push(id);
            self.made.joints.push(id);
        }
        for geom in 0..model.ngeom {
            let body = self.made.bodies[model.geom_bodyid[geom] as usize];
            let values = self.geom(geom);
            let id = self.spec.geoms.push(values);
            self.spec.bodies[body].geoms.push(id);
            self.made.geoms.push(id);
        }
        for site in 0..model.nsite {
            let body = self.made.bodies[model.site_bodyid[site] as usize];
            let values = self.site(site);
            let id = self.spec.sites.push(values);
            self.spec.bodies[body].sites.push(id);
            self.made.sites.push(id);
        }
        for camera in 0..model.ncam {
            let body = self.made.bodies[model.cam_bodyid[camera] as usize];
            let values = self.camera(camera);
            let id = self.spec.cameras.push(values);
            self.spec.bodies[body].cameras.push(id);
            self.made.cameras.push(id);
        }
        for light in 0..model.nlight {
            let body = self.made.bodies[model.light_bodyid[light] as usize];
            let values = self.light(light);
            let id = self.spec.lights.push(values);
            self.spec.bodies[body].lights.push(id);
            self.made.lights.push(id);
        }
        self.spec.bodies[self.made.bodies[0]].userdata = get_user(&model.body_user, 0, model.nuser_body);
    }

    fn body(&mut self, at: usize) -> Id<Body> {
        let model = self.model;
        let parent = self.made.bodies[model.body_parentid[at] as usize];
        let id = self.spec.add_body(parent);
        let info = self.info(ObjectType::Body, at);
        let body = &mut self.spec.bodies[id];
        body.info = info;
        body.read_entries(model, at, |_, _| String::new());
        body.explicit_inertial = true;
        body.ipos = Some(model.body_ipos[at]);
        body.mocap = model.body_mocapid[at] >= 0;
        body.sleep = sleep_policy(model, at);
        id
    }

    fn joint(&self, at: usize) -> Joint {
        let model = self.model;
        let (qpos, dof) = (model.jnt_qposadr[at] as usize, model.jnt_dofadr[at] as usize);
        let mut joint = Joint { info: self.info(ObjectType::Joint, at), ..Joint::default() };
        joint.read_entries(model, at, |_, _| String::new());
        joint.read_dof_entries(model, dof);
        joint.limited = limited(model.jnt_limited[at], model.jnt_range[at]);
        joint.actfrclimited = limited(model.jnt_actfrclimited[at], model.jnt_actfrcrange[at]);
        if matches!(joint.kind, JointType::Hinge | JointType::Slide) {
            (joint.reference, joint.springref) = (model.qpos0[qpos], model.qpos_spring[qpos]);
        }
        joint
    }

    fn geom(&mut self, at: usize) -> Geom {
        let model = self.model;
        let mut geom = Geom { info: self.info(ObjectType::Geom, at), ..Geom::default() };
        geom.read_entries(model, at, |kind, id| self.name_of(kind, id));
        geom.fluid_ellipsoid = model.geom_fluid[at][0];
        if geom.fluid_ellipsoid != 0.0 {
            geom.fluid_coefs.copy_from_slice(&model.geom_fluid[at][1..6]);
        }
        match geom.kind {
            GeomType::HField => {
                geom.size = [0.0; 3];
                geom.hfieldname = self.name_of(ObjectType::HField, model.geom_dataid[at]);
            }
            GeomType::Mesh | GeomType::Sdf => {
                // The compiler adds the pose of the mesh frame in its file.
                geom.size = [0.0; 3];
                geom.meshname = self.name_of(ObjectType::Mesh, model.geom_dataid[at]);
                if let Ok(mesh) = usize::try_from(model.geom_dataid[at]) {
                    let frame = Pose { pos: model.mesh_pos[mesh], quat: model.mesh_quat[mesh] };
                    let pose = Pose { pos: geom.pos, quat: geom.quat }.then(frame.inverse());
                    (geom.pos, geom.quat) = (pose.pos, pose.quat);
                }
            }
            _ => {}
        }
        geom
    }

    fn site(&mut self, at: usize) -> Site {
        let mut site = Site { info: self.info(ObjectType::Site, at), ..Site::default() };
        site.read_entries(self.model, at, |kind, id| self.name_of(kind, id));
        site
    }

    fn camera(&mut self, at: usize) -> Camera {
        let model = self.model;
        let mut camera = Camera { info: self.info(ObjectType::Camera, at), ..Camera::default() };
        camera.read_entries(model, at, |kind, id| self.name_of(kind, id));
        if camera.sensor_size.iter().all(|&size| size > 0.0) {
            let [focal_x, focal_y, principal_x, principal_y] = model.cam_intrinsic[at];
            camera.focal_length = [focal_x, focal_y];
            camera.principal_length = [principal_x, principal_y];
            camera.fovy = Camera::default().fovy;
        }
        camera
    }

    fn light(&mut self, at: usize) -> Light {
        let mut light = Light { info: self.info(ObjectType::Light, at), ..Light::default() };
        light.read_entries(self.model, at, |kind, id| self.name_of(kind, id));
        light
    }
}

/// The policy an author gave to a tree, at its first body; policies the compiler chose are chosen again.
fn sleep_policy(model: &Model, body: usize) -> SleepPolicy {
    let first = usize::try_from(model.body_treeid[body])
        .ok()
        .filter(|&tree| model.tree_bodyadr[tree] == body as i32)
        .and_then(|tree| model.tree_sleep_policy(tree));
    match first {
        Some(policy @ (SleepPolicy::Never | SleepPolicy::Allowed | SleepPolicy::Init)) => policy,
        _ => SleepPolicy::Auto,
    }
}
