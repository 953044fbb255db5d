//! Bodies: orientation, inertia, geoms, joints and what is attached.
//!
//! Of each body in this order: orientation, explicit inertia, geoms, inertia from geoms, least values and balance, enclosing frame,
//! alignment of a free body with its inertial frame, bounding volumes, joints, and what is attached. Reference: mjCBody::Compile.

use condyle_asset::principal::{EPS, normalize_slice};
use condyle_asset::{Bvh, BvhLeaf, build_bvh};
use condyle_base::diagnostic::Diagnostic;
use condyle_math::{Quat, Vec3, quat};
use condyle_model::plugins::Capability;
use condyle_model::{JointType, Model, ObjectType, SameFrame};

use super::ids::Ids;
use super::inertia::{
    Part, Summation, centre_of_mass, help_with_moments, nearest_inertia, principal, total_inertia,
};
use super::pose::{NO_ROTATION, Pose, oriented, same_position, same_rotation, upper};
use super::problems::{INERTIA, STRUCTURE, element_error};
use super::user_values::check_user;
use super::work::Work;
use crate::element::Body;
use crate::orientation::{AlignFree, InertiaFromGeom};
use crate::settings::Compiler;

/// A body while the model is compiled.
pub(crate) struct BodyWork<'s> {
    pub source: &'s Body,
    pub parent: usize,
    pub children: Vec<usize>,
    pub joints: Vec<usize>,
    pub geoms: Vec<usize>,
    pub sites: Vec<usize>,
    pub cameras: Vec<usize>,
    pub lights: Vec<usize>,
    /// Body this one moves with: itself if it has joints, else its parent's.
    pub weld: usize,
    pub pose: Pose,
    pub inertial: Option<Vec3>,
    pub inertial_quat: Quat,
    pub mass: f64,
    pub inertia: Vec3,
    pub contype: i32,
    pub conaffinity: i32,
    pub margin: f64,
    pub dofs: usize,
    pub bvh: Bvh,
    /// Merged into its parent.
    pub fused: bool,
    pub plugin: Option<usize>,
}

impl<'s> BodyWork<'s> {
    /// A body at a place in the list; what belongs to it is listed afterwards.
    pub(super) fn new(source: &'s Body, parent: usize, children: Vec<usize>) -> Self {
        Self {
            source,
            parent,
            children,
            joints: Vec::new(),
            geoms: Vec::new(),
            sites: Vec::new(),
            cameras: Vec::new(),
            lights: Vec::new(),
            weld: 0,
            pose: Pose { pos: source.pos, quat: source.quat },
            inertial: source.ipos,
            inertial_quat: source.iquat,
            mass: source.mass,
            inertia: source.inertia,
            contype: 0,
            conaffinity: 0,
            margin: 0.0,
            dofs: 0,
            bvh: Bvh::default(),
            fused: false,
            plugin: None,
        }
    }

    /// Whether the inertial frame has a place; one that starts with NaN counts as none.
    pub(super) fn has_inertial_place(&self) -> bool {
        self.inertial.is_some_and(|place| !place[0].is_nan())
    }

    /// Pose of the inertial frame.
    pub(super) fn inertial_pose(&self) -> Pose {
        Pose { pos: self.inertial.unwrap_or_default(), quat: self.inertial_quat }
    }

    /// Which frame of the body a pose in it coincides with.
    pub(super) fn same_frame(&self, pose: Pose) -> u8 {
        let inertial = self.inertial_pose();
        let kind = if same_rotation(pose.quat, Pose::NULL.quat) {
            if same_position(pose.pos, Pose::NULL.pos) { SameFrame::Body } else { SameFrame::BodyRotation }
        } else if same_rotation(pose.quat, inertial.quat) {
            if same_position(pose.pos, inertial.pos) {
                SameFrame::Inertia
            } else {
                SameFrame::InertiaRotation
            }
        } else {
            SameFrame::None
        };
        kind as u8
    }
}

impl Work<'_> {
    pub(super) fn compile_body(&mut self, index: usize) -> Result<(), Diagnostic> {
        let source = self.bodies[index].source;
        let compiler = self.spec.compiler_of(source.info.origin);
        check_user(source, source.userdata.len(), self.nuser.body, "nuser_body")?;
        let mut pose = Pose { pos: source.pos, quat: source.quat };
        normalize_slice(&mut pose.quat);
        pose.quat = oriented(source, compiler, pose.quat, source.alt.as_ref())?;
        self.explicit_inertia(index)?;
        for geom in self.bodies[index].geoms.clone() {
            let group = self.geoms[geom].source.group;
            let in_range = group >= compiler.inertiagrouprange[0] && group <= compiler.inertiagrouprange[1];
            let from_geoms = !source.explicit_inertial || compiler.inertiafromgeom == InertiaFromGeom::True;
            if let Err(problem) = self.compile_geom(geom, index > 0 && from_geoms && in_range) {
                self.problems.push(problem);
            }
        }
        let from_geoms = match compiler.inertiafromgeom {
            InertiaFromGeom::True => true,
            InertiaFromGeom::Auto => !self.bodies[index].has_inertial_place(),
            InertiaFromGeom::False => false,
        };
        if index > 0 && from_geoms {
            self.inertia_from_geoms(index, compiler)?;
        }
        let body = &mut self.bodies[index];
        if !body.has_inertial_place() {
            body.inertial = Some(pose.pos);
            body.inertial_quat = pose.quat;
        }
        if index > 0 {
            self.bound_inertia(index, compiler)?;
        }
        if let Some(frame) = self.frame_pose(source.frame) {
            pose = frame.then(pose);
        }
        self.bodies[index].pose = pose;
        self.merge_contact_masks(index);
        let aligned = self.align_free_body(index, compiler);
        self.body_volumes(index);
        self.compile_joints(index)?;
        self.check_mocap(index)?;
        self.compile_attached(index);
        if source.plugin.active {
            let instance = self.resolve_plugin(source, &source.plugin, Capability::Passive)?;
            self.bodies[index].plugin = Some(instance);
        }
        if let Some(inverse) = aligned {
            self.align_attached(index, inverse);
        }
        Ok(())
    }

    fn explicit_inertia(&mut self, index: usize) -> Result<(), Diagnostic> {
        let source = self.bodies[index].source;
        let compiler = self.spec.compiler_of(source.info.origin);
        let body = &mut self.bodies[index];
        normalize_slice(&mut body.inertial_quat);
        if let Some(full) = source.fullinertia {
            if source.ialt.is_some() {
                let message = "fullinertia and inertial orientation cannot both be specified";
                return Err(element_error(INERTIA, source, "fullinertia", message));
            }
            if source.inertia != [0.0; 3] {
                let message = "fullinertia and diagonal inertia cannot both be specified";
                return Err(element_error(INERTIA, source, "fullinertia", message));
            }
            let found = principal(&full).map_err(|what| {
                element_error(INERTIA, source, "fullinertia", what).help(help_with_moments(&full))
            })?;
            if let Some((axes, moments)) = found {
                body.inertial_quat = axes;
                body.inertia = moments;
            }
        }
        if let Some(alternative) = &source.ialt {
            body.inertial_quat = oriented(source, compiler, body.inertial_quat, Some(alternative))?;
        }
        Ok(())
    }

    /// Mass, centre and principal axes of the geoms that have mass. Without any the inertia stays as it is.
    fn inertia_from_geoms(&mut self, index: usize, compiler: &Compiler) -> Result<(), Diagnostic> {
        let parts: Vec<Part> = self.bodies[index]
            .geoms
            .iter()
            .map(|&geom| &self.geoms[geom])
            .filter(|geom| {
                let group = geom.source.group;
                let [first, last] = compiler.inertiagrouprange;
                group >= first && group <= last && geom.mass > EPS
            })
            .map(|geom| Part {
                mass: geom.mass,
                pos: geom.pose.pos,
                quat: geom.pose.quat,
                inertia: geom.inertia,
            })
            .collect();
        let body = &mut self.bodies[index];
        match parts[..] {
            [] => {}
            [part] => {
                body.inertial = Some(part.pos);
                body.inertial_quat = part.quat;
                body.mass = part.mass;
                body.inertia = part.inertia;
            }
            _ => {
                let (mass, centre) = centre_of_mass(&parts);
                body.mass = mass;
                body.inertial = Some(centre);
                let total = total_inertia(&parts, centre, Summation::TermByTerm);
                let found = principal(&total).map_err(|what| {
                    element_error(INERTIA, body.source, "", format!("inertia of its geoms: {what}"))
                })?;
                if let Some((axes, moments)) = found {
                    body.inertial_quat = axes;
                    body.inertia = moments;
                }
            }
        }
        Ok(())
    }

    /// Least mass and inertia, then A + B ≥ C.
    fn bound_inertia(&mut self, index: usize, compiler: &Compiler) -> Result<(), Diagnostic> {
        let body = &mut self.bodies[index];
        body.mass = upper(body.mass, compiler.boundmass);
        for moment in &mut body.inertia {
            *moment = upper(*moment, compiler.boundinertia);
        }
        let i = body.inertia;
        if body.mass < 0.0 || i.iter().any(|&moment| moment < 0.0) {
            return Err(element_error(INERTIA, body.source, "mass", "mass and inertia cannot be negative"));
        }
        if i[0] + i[1] < i[2] || i[0] + i[2] < i[1] || i[1] + i[2] < i[0] {
            let mean = (i[0] + i[1] + i[2]) / 3.0;
            if compiler.balanceinertia {
                body.inertia = [mean; 3];
            } else {
                let message =
                    format!("inertia must satisfy A + B >= C, but is ({}, {}, {})", i[0], i[1], i[2]);
                let [a, b, c] = nearest_inertia(i);
                return Err(element_error(INERTIA, body.source, "diaginertia", message).help(format!(
                    "no rigid body has this inertia; the nearest possible is ({a}, {b}, {c}), and balanceinertia=\"true\" in \
                     <compiler> uses {mean} for all three; the option 'repair_inertia' (--repair-inertia) gives links of a URDF the nearest"
                )));
            }
        }
        Ok(())
    }

    /// Contact masks and margin of a body from its geoms.
    pub(super) fn merge_contact_masks(&mut self, index: usize) {
        let (mut contype, mut conaffinity, mut margin) = (0, 0, 0.0);
        for &geom in &self.bodies[index].geoms {
            let geom = self.geoms[geom].source;
            contype |= geom.contype;
            conaffinity |= geom.conaffinity;
            margin = upper(margin, geom.margin);
        }
        let body = &mut self.bodies[index];
        (body.contype, body.conaffinity, body.margin) = (contype, conaffinity, margin);
    }

    /// Moves the frame of a lone free body to its inertial frame; returns the transformation of what is attached.
    fn align_free_body(&mut self, index: usize, compiler: &Compiler) -> Option<Pose> {
        let body = &self.bodies[index];
        let [joint] = body.joints[..] else { return None };
        let joint = self.joints[joint].source;
        let wanted = match joint.align {
            AlignFree::True => true,
            AlignFree::Auto => compiler.alignfree,
            AlignFree::False => false,
        };
        if joint.kind != JointType::Free || !body.children.is_empty() || !wanted {
            return None;
        }
        let inertial = body.inertial_pose();
        let inverse = inertial.inverse();
        let body = &mut self.bodies[index];
        body.pose = body.pose.then(inertial);
        body.inertial = Some([0.0; 3]);
        body.inertial_quat = NO_ROTATION;
        for &geom in &body.geoms {
            let geom = &mut self.geoms[geom];
            geom.pose = inverse.then(geom.pose);
        }
        Some(inverse)
    }

    fn align_attached(&mut self, index: usize, inverse: Pose) {
        for &site in &self.bodies[index].sites {
            self.sites[site].pose = inverse.then(self.sites[site].pose);
        }
        for &camera in &self.bodies[index].cameras {
            self.cameras[camera].pose = inverse.then(self.cameras[camera].pose);
        }
        for &light in &self.bodies[index].lights {
            let light = &mut self.lights[light];
            light.pos = inverse.then(Pose { pos: light.pos, quat: NO_ROTATION }).pos;
            light.dir = quat::rotate_or_zero(light.dir, inverse.quat);
        }
    }

    /// Bounding volumes of the geoms that can collide. The leaves carry positions in the geom list until ids are known.
    pub(super) fn body_volumes(&mut self, index: usize) {
        let body = &self.bodies[index];
        let leaves: Vec<BvhLeaf> = body
            .geoms
            .iter()
            .filter(|&&geom| {
                let source = self.geoms[geom].source;
                source.contype != 0 || source.conaffinity != 0
            })
            .map(|&geom| BvhLeaf {
                id: geom as i32,
                position: self.geoms[geom].pose.pos,
                orientation: Some(self.geoms[geom].pose.quat),
                aabb: self.geoms[geom].aabb,
            })
            .collect();
        let inertial = body.inertial_pose();
        self.bodies[index].bvh = build_bvh(&leaves, inertial.pos, inertial.quat);
    }

    fn check_mocap(&self, index: usize) -> Result<(), Diagnostic> {
        let body = &self.bodies[index];
        let in_world = index == 0 || self.bodies[body.parent].source.info.name == "world";
        if body.source.mocap && (body.dofs > 0 || !in_world) {
            return Err(element_error(
                STRUCTURE,
                body.source,
                "mocap",
                "mocap body is not a fixed child of world",
            ));
        }
        Ok(())
    }

    fn compile_attached(&mut self, index: usize) {
        for site in self.bodies[index].sites.clone() {
            if let Err(problem) = self.compile_site(site) {
                self.problems.push(problem);
            }
        }
        for camera in self.bodies[index].cameras.clone() {
            if let Err(problem) = self.compile_camera(camera) {
                self.problems.push(problem);
            }
        }
        for light in self.bodies[index].lights.clone() {
            if let Err(problem) = self.compile_light(light) {
                self.problems.push(problem);
            }
        }
    }

    pub(super) fn write_body(&self, model: &mut Model, ids: &Ids, id: usize, index: usize, parent: usize) {
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
}
