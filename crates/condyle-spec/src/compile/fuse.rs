//! Merging bodies without joints into their parents, and dropping what is only for looking at.
//!
//! A body is merged when it has no joints, is not a mocap body and nothing refers to it by name. Its mass goes to the parent
//! unless that is the world; its geoms, sites, cameras, lights and children are moved to the parent.
//! Reference: mjCModel::FuseStatic.

use std::collections::HashMap;

use condyle_base::diagnostic::Diagnostic;
use condyle_math::MIN_VALUE;
use condyle_model::{EqualityType, GeomType, JointType, ObjectType, SensorType, TransmissionType};

use super::inertia::{Part, Summation, centre_of_mass, principal, total_inertia};
use super::pose::{NO_ROTATION, Pose};
use super::problems::{INERTIA, element_error};
use super::work::Work;
use crate::element::Wrap;

/// Bodies by name during fusing. Positions are those of the list when the name was entered; they are not updated when bodies
/// before it disappear, so a name near the end of the list can point past it. The reference takes that for a missing body,
/// which decides what is merged.
struct BodyNames {
    position: HashMap<String, usize>,
    count: usize,
}

impl BodyNames {
    fn find(&self, name: &str) -> Option<usize> {
        self.position.get(name).copied().filter(|&position| position < self.count)
    }
}

impl Work<'_> {
    /// Merges static bodies. With `reference_bugs`, inertia and references to moved geoms are wrong as in the reference.
    pub(super) fn fuse_static(&mut self, reference_bugs: bool) {
        let mut order: Vec<usize> = (0..self.bodies.len()).collect();
        let mut names = BodyNames { position: HashMap::new(), count: order.len() };
        for (position, body) in self.bodies.iter().enumerate() {
            names.position.insert(body.source.info.name.clone(), position);
        }
        let mut index = 1;
        while index < order.len() {
            let body = order[index];
            let name = self.bodies[body].source.info.name.clone();
            if !name.is_empty() {
                names.position.remove(&name);
                let unused = self.references_resolve(&names, body);
                names.position.insert(name.clone(), index);
                if !unused {
                    index += 1;
                    continue;
                }
            }
            if !self.bodies[body].joints.is_empty() || self.bodies[body].source.mocap {
                index += 1;
                continue;
            }
            if let Err(problem) = self.fuse_body(body, reference_bugs) {
                self.problems.push(problem);
                return;
            }
            order.remove(index);
            names.count = order.len();
            names.position.remove(&name);
        }
        for body in order {
            if self.bodies[body].joints.iter().any(|&joint| self.joints[joint].source.kind == JointType::Free)
                && let Err(problem) = self.check_free_on_top(body)
            {
                self.problems.push(problem);
            }
        }
        self.assign_orders();
        self.assign_welds();
        self.names.retain_bodies(&self.bodies);
        if reference_bugs {
            self.names.move_to(ObjectType::Geom, &self.geom_order);
            self.names.move_to(ObjectType::Site, &self.site_order);
        }
    }

    /// Whether all references by name are found without the body that is to be merged.
    fn references_resolve(&self, names: &BodyNames, body: usize) -> bool {
        let spec = self.spec;
        let found = |name: &str| name.is_empty() || names.find(name).is_some();
        let targets = self.cameras.iter().map(|camera| camera.source.targetbody.as_str());
        let targets = targets.chain(self.lights.iter().map(|light| light.source.targetbody.as_str()));
        let bones = spec.skins.values().flat_map(|skin| &skin.bones).map(|bone| bone.body.as_str());
        let excluded = spec.excludes.values().flat_map(|pair| [pair.bodyname1.as_str(), &pair.bodyname2]);
        let driven = spec.actuators.values().filter(|actuator| actuator.trntype == TransmissionType::Body);
        let driven = driven.map(|actuator| actuator.target.as_str());
        let listed = spec.tuples.values().flat_map(|tuple| &tuple.entries);
        let listed =
            listed.filter(|entry| entry.objtype == ObjectType::Body).map(|entry| entry.objname.as_str());
        if !targets.chain(bones).chain(excluded).chain(driven).chain(listed).all(found) {
            return false;
        }
        for equality in spec.equalities.values() {
            if matches!(equality.kind, EqualityType::Connect | EqualityType::Weld)
                && equality.objtype == ObjectType::Body
            {
                let Some(first) = names.find(&equality.name1) else { return false };
                let second = if equality.name2.is_empty() { Some(0) } else { names.find(&equality.name2) };
                if second.is_none() || second == Some(first) {
                    return false;
                }
            }
        }
        for sensor in spec.sensors.values() {
            let of_body = |kind, name: &str| kind == ObjectType::Body && names.find(name).is_none();
            if of_body(sensor.objtype, &sensor.objname) || of_body(sensor.reftype, &sensor.refname) {
                return false;
            }
            if sensor.objtype == ObjectType::Site
                && matches!(sensor.kind, SensorType::Force | SensorType::Torque)
            {
                let site = self.find(ObjectType::Site, &sensor.objname);
                if site.is_some_and(|site| self.sites[site].body == body) {
                    return false;
                }
            }
        }
        // A tendon may only wrap spheres and cylinders; geoms that moved are looked up where they were.
        let geoms = &self.geom_order;
        spec.tendons.values().flat_map(|tendon| &tendon.path).all(|(wrap, _)| match wrap {
            Wrap::Geom { geom, .. } => {
                let geom = self.find(ObjectType::Geom, geom).and_then(|position| geoms.get(position));
                geom.is_some_and(|&geom| {
                    matches!(self.geoms[geom].source.kind, GeomType::Sphere | GeomType::Cylinder)
                })
            }
            _ => true,
        })
    }

    fn fuse_body(&mut self, body: usize, reference_bugs: bool) -> Result<(), Diagnostic> {
        let parent = self.bodies[body].parent;
        let in_world = self.bodies[parent].source.info.name == "world";
        if !in_world && self.bodies[body].mass >= MIN_VALUE {
            self.add_inertia(parent, body, reference_bugs)?;
        }
        let pose = self.bodies[body].pose;
        let children = std::mem::take(&mut self.bodies[body].children);
        for &child in &children {
            self.bodies[child].pose = pose.then(self.bodies[child].pose);
            self.bodies[child].parent = parent;
        }
        let siblings = &mut self.bodies[parent].children;
        if let Some(place) = siblings.iter().position(|&sibling| sibling == body) {
            siblings.splice(place..=place, children);
        }
        let geoms = std::mem::take(&mut self.bodies[body].geoms);
        for &geom in &geoms {
            self.geoms[geom].body = parent;
            self.geoms[geom].pose = pose.then(self.geoms[geom].pose);
        }
        self.bodies[parent].geoms.extend(geoms);
        let sites = std::mem::take(&mut self.bodies[body].sites);
        for &site in &sites {
            self.sites[site].body = parent;
            self.sites[site].pose = pose.then(self.sites[site].pose);
        }
        self.bodies[parent].sites.extend(sites);
        let cameras = std::mem::take(&mut self.bodies[body].cameras);
        for &camera in &cameras {
            self.cameras[camera].body = parent;
            self.cameras[camera].pose = pose.then(self.cameras[camera].pose);
        }
        self.bodies[parent].cameras.extend(cameras);
        let lights = std::mem::take(&mut self.bodies[body].lights);
        for &light in &lights {
            let light = &mut self.lights[light];
            light.body = parent;
            light.pos = pose.then(Pose { pos: light.pos, quat: NO_ROTATION }).pos;
            light.dir = condyle_math::quat::rotate_or_zero(light.dir, pose.quat);
        }
        self.bodies[parent].lights.extend(lights);
        self.bodies[body].fused = true;
        self.merge_contact_masks(parent);
        let volumes = |work: &Self, body: usize| work.bodies[body].bvh.node_id.len();
        let before = volumes(self, body) + volumes(self, parent);
        let old_leaves = std::mem::take(&mut self.bodies[parent].bvh.node_id);
        self.body_volumes(parent);
        if reference_bugs {
            // The reference forgets its first tree but for the geoms of the leaves: they show where the new one has inner nodes.
            for (leaf, old) in self.bodies[parent].bvh.node_id.iter_mut().zip(old_leaves) {
                if *leaf < 0 {
                    *leaf = old;
                }
            }
            // The reference counts what the merged tree has more than the two, and later the whole tree again.
            self.empty_volumes += volumes(self, parent).saturating_sub(before);
        }
        if self
            .spec
            .tendons
            .values()
            .any(|tendon| matches!(tendon.path.first(), Some((Wrap::Site { .. }, _))))
        {
            self.assign_orders();
        }
        Ok(())
    }

    /// Adds the inertia of a body to its parent's.
    fn add_inertia(&mut self, parent: usize, body: usize, reference_bugs: bool) -> Result<(), Diagnostic> {
        let added = &self.bodies[body];
        let own = added.inertial_pose();
        let mut moved = added.pose.then(own);
        if reference_bugs {
            moved = Pose { pos: own.then(added.pose).pos, quat: own.quat };
        }
        let target = &self.bodies[parent];
        let kept = target.inertial_pose();
        let parts = [
            Part { mass: target.mass, pos: kept.pos, quat: kept.quat, inertia: target.inertia },
            Part { mass: added.mass, pos: moved.pos, quat: moved.quat, inertia: added.inertia },
        ];
        let (mass, centre) = centre_of_mass(&parts);
        let target = &mut self.bodies[parent];
        if mass < MIN_VALUE {
            target.mass = 0.0;
            target.inertia = [0.0; 3];
            target.inertial = Some([0.0; 3]);
            target.inertial_quat = NO_ROTATION;
            return Ok(());
        }
        target.mass = mass;
        target.inertial = Some(centre);
        let total = total_inertia(&parts, centre, Summation::PartByPart);
        let found = principal(&total).map_err(|what| {
            element_error(INERTIA, target.source, "", format!("fusing static body inertias: {what}"))
        })?;
        if let Some((axes, moments)) = found {
            target.inertial_quat = axes;
            target.inertia = moments;
        }
        Ok(())
    }

    fn assign_welds(&mut self) {
        let mut stack = vec![0];
        while let Some(body) = stack.pop() {
            let weld = self.bodies[body].weld;
            for child in self.bodies[body].children.clone() {
                self.bodies[child].weld = if self.bodies[child].joints.is_empty() { weld } else { child };
                stack.push(child);
            }
        }
    }

    /// Drops geoms that take no part in physics, and meshes that no other geom uses.
    pub(super) fn discard_visual(&mut self) {
        for index in 0..self.geoms.len() {
            let geom = &self.geoms[index];
            if let (false, Some(mesh)) = (geom.visual, geom.mesh.or(geom.fitted_to)) {
                self.meshes[mesh].visual = false;
            }
        }
        for geom in &mut self.geoms {
            geom.discarded = geom.visual;
        }
        for mesh in &mut self.meshes {
            mesh.discarded = mesh.visual;
        }
        for index in 0..self.bodies.len() {
            let kept: Vec<usize> = self.bodies[index]
                .geoms
                .iter()
                .copied()
                .filter(|&geom| !self.geoms[geom].discarded)
                .collect();
            self.bodies[index].geoms = kept;
        }
        self.assign_orders();
    }
}
