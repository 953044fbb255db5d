//! The kinematic tree: frames, bodies, joints, sites, cameras and lights, parents before children.
//!
//! Of each body: orientation, explicit inertia, geoms, inertia from geoms, least values and balance, enclosing frame, alignment
//! of a free body with its inertial frame, bounding volumes, joints, and what is attached. Reference: mjCBody::Compile.

use condyle_asset::principal::{EPS, normalize_slice};
use condyle_asset::{BvhLeaf, build_bvh};
use condyle_math::{PI, quat};
use condyle_model::diagnostic::Diagnostic;
use condyle_model::plugins::Capability;
use condyle_model::{GeomType, JointType, ObjectType};

use super::inertia::{
    Part, Summation, centre_of_mass, help_with_moments, nearest_inertia, principal, total_inertia,
};
use super::pose::{Pose, quat_from_z, resolve_orientation, upper};
use super::problems::{INERTIA, LIMIT, ORIENTATION, STRUCTURE, VALUE, element_error, unknown_reference};
use super::work::{NO_ROTATION, Work};
use crate::arena::Id;
use crate::element::{Element, Frame, Joint};
use crate::orientation::{AlignFree, InertiaFromGeom, Limited, Orientation};
use crate::settings::Compiler;

/// Whether a limit is on.
pub(crate) fn is_limited(limited: Limited, range: [f64; 2]) -> bool {
    limited == Limited::True || (limited == Limited::Auto && range[0] < range[1])
}

/// With automatic limits off, a range needs an explicit flag.
pub(crate) fn check_limited<T: Element>(
    element: &T,
    compiler: &Compiler,
    prefix: &str,
    limited: Limited,
    range: [f64; 2],
) -> Result<(), Diagnostic> {
    let has_range = !(range[0] == 0.0 && range[1] == 0.0);
    if compiler.autolimits || limited != Limited::Auto || !has_range {
        return Ok(());
    }
    let attribute = format!("{prefix}range");
    let message = format!("has '{prefix}range' but not '{prefix}limited'");
    Err(element_error(LIMIT, element, &attribute, message).help(format!(
        "set '{prefix}limited' explicitly, remove '{prefix}range', or set autolimits=\"true\" in <compiler>"
    )))
}

/// More user values than the size setting allows.
pub(crate) fn check_user<T: Element>(
    element: &T,
    given: usize,
    allowed: usize,
    size: &str,
) -> Result<(), Diagnostic> {
    if given <= allowed {
        return Ok(());
    }
    let message = format!("user has {given} values, more than {size} = {allowed}");
    Err(element_error(VALUE, element, "user", message)
        .help(format!("raise {size} in <size>, or leave it out to have it set automatically")))
}

/// Sizes of geoms and sites must be positive.
pub(crate) fn check_size<T: Element>(element: &T, kind: GeomType, size: [f64; 3]) -> Result<(), Diagnostic> {
    if kind == GeomType::Plane {
        return if size[2] <= 0.0 {
            Err(element_error(VALUE, element, "size", "plane size(3) must be positive")
                .help("the third size of a plane is the spacing of its grid lines; use e.g. size=\"0 0 1\""))
        } else {
            Ok(())
        };
    }
    let needed = match kind {
        GeomType::Sphere => 1,
        GeomType::Capsule | GeomType::Cylinder => 2,
        GeomType::Ellipsoid | GeomType::Box => 3,
        _ => 0,
    };
    for (index, value) in size.iter().take(needed).enumerate() {
        if *value <= 0.0 {
            let message = format!("size {index} must be positive, it is {value}");
            return Err(element_error(VALUE, element, "size", message)
                .help(format!("this type of geom needs {needed} positive sizes")));
        }
    }
    Ok(())
}

/// Pose and sizes of a shape given by its end points.
pub(crate) fn from_to<T: Element>(
    element: &T,
    kind: GeomType,
    points: [f64; 6],
    pos: [f64; 3],
    size: &mut [f64; 3],
) -> Result<Pose, Diagnostic> {
    if !matches!(kind, GeomType::Capsule | GeomType::Cylinder | GeomType::Ellipsoid | GeomType::Box) {
        return Err(element_error(
            VALUE,
            element,
            "fromto",
            "fromto requires capsule, cylinder, box or ellipsoid",
        ));
    }
    if pos != [0.0; 3] {
        return Err(element_error(VALUE, element, "fromto", "both pos and fromto are defined"));
    }
    let mut direction = [points[0] - points[3], points[1] - points[4], points[2] - points[5]];
    size[1] = normalize_slice(&mut direction) / 2.0;
    if size[1] < EPS {
        return Err(element_error(VALUE, element, "fromto", "fromto points are too close"));
    }
    if matches!(kind, GeomType::Ellipsoid | GeomType::Box) {
        size[2] = size[1];
        size[1] = size[0];
    }
    let centre =
        [(points[0] + points[3]) / 2.0, (points[1] + points[4]) / 2.0, (points[2] + points[5]) / 2.0];
    Ok(Pose { pos: centre, quat: quat_from_z(direction) })
}

/// The quaternion of an element that may have its orientation in another form.
pub(crate) fn oriented<T: Element>(
    element: &T,
    compiler: &Compiler,
    quat: [f64; 4],
    alternative: Option<&Orientation>,
) -> Result<[f64; 4], Diagnostic> {
    let Some(alternative) = alternative else { return Ok(quat) };
    resolve_orientation(alternative, compiler).map_err(|what| {
        let attribute = match alternative {
            Orientation::AxisAngle(_) => "axisangle",
            Orientation::XyAxes(_) => "xyaxes",
            Orientation::ZAxis(_) => "zaxis",
            Orientation::Euler(_) => "euler",
        };
        element_error(ORIENTATION, element, attribute, what)
    })
}

impl Work<'_> {
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

    /// Pose of every frame in its body, enclosing frames included.
    fn compile_frames(&mut self) {
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

    fn compile_body(&mut self, index: usize) -> Result<(), Diagnostic> {
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
                    format!("inertia must satisfy A + B >= C, it is ({}, {}, {})", i[0], i[1], i[2]);
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

    fn compile_joints(&mut self, index: usize) -> Result<(), Diagnostic> {
        let source = self.bodies[index].source;
        let mut dofs = 0;
        let mut ball = false;
        let mut after_ball = false;
        let mut free = 0;
        for joint in self.bodies[index].joints.clone() {
            let kind = self.joints[joint].source.kind;
            dofs += dof_count(kind);
            after_ball |= ball && matches!(kind, JointType::Ball | JointType::Hinge);
            ball |= kind == JointType::Ball;
            free += usize::from(kind == JointType::Free);
            if let Err(problem) = self.compile_joint(joint) {
                self.problems.push(problem);
            }
        }
        self.bodies[index].dofs = dofs;
        if dofs > 6 {
            let message = format!("{dofs} degrees of freedom, at most 6 are possible in one body");
            return Err(element_error(STRUCTURE, source, "", message));
        }
        if after_ball {
            return Err(element_error(STRUCTURE, source, "", "ball joint followed by a rotation")
                .help("a ball joint already has all rotations; move the other joint to its own body"));
        }
        if free > 1 || (free == 1 && self.bodies[index].joints.len() > 1) {
            return Err(element_error(STRUCTURE, source, "", "free joint can only appear by itself"));
        }
        if free == 1 && !self.spec.compiler.fusestatic {
            self.check_free_on_top(index)?;
        }
        Ok(())
    }

    /// A body with a free joint must be a child of the world; bodies between the two may have been merged into the world before.
    pub(super) fn check_free_on_top(&self, index: usize) -> Result<(), Diagnostic> {
        let body = &self.bodies[index];
        if index > 0 && self.bodies[body.parent].source.info.name != "world" {
            return Err(element_error(
                STRUCTURE,
                body.source,
                "",
                "free joint can only be used on top level",
            )
            .help("move the body to the world, or use other joints"));
        }
        Ok(())
    }

    fn compile_joint(&mut self, index: usize) -> Result<(), Diagnostic> {
        let joint = &mut self.joints[index];
        let source = joint.source;
        let compiler = self.spec.compiler_of(source.info.origin);
        let frame = source.frame.and_then(|frame| self.frames.get(frame.index()).copied().flatten());
        check_user(source, source.userdata.len(), self.nuser.joint, "nuser_jnt")?;
        if (source.springdamper[0] != 0.0 || source.springdamper[1] != 0.0)
            && (source.springdamper[0] <= 0.0 || source.springdamper[1] <= 0.0)
        {
            return Err(element_error(
                VALUE,
                source,
                "springdamper",
                "when defined, springdamper values must be positive",
            ));
        }
        check_springinertia(source)?;
        let rotates = matches!(source.kind, JointType::Hinge | JointType::Ball);
        let limited = if source.kind == JointType::Free { Limited::False } else { source.limited };
        check_limited(source, compiler, "", limited, source.range)?;
        joint.limited = is_limited(limited, source.range);
        if joint.limited {
            let [low, high] = source.range;
            if low >= high && source.kind != JointType::Ball {
                let message = format!("range[0] should be smaller than range[1], it is {low} {high}");
                return Err(element_error(LIMIT, source, "range", message));
            }
            if low != 0.0 && source.kind == JointType::Ball {
                return Err(element_error(LIMIT, source, "range", "range[0] should be 0 in ball joint"));
            }
            if compiler.degree && rotates {
                for bound in &mut joint.range {
                    if *bound != 0.0 {
                        *bound *= PI / 180.0;
                    }
                }
            }
        }
        let scalar = matches!(source.kind, JointType::Hinge | JointType::Slide);
        let actfrclimited = if scalar { source.actfrclimited } else { Limited::False };
        check_limited(source, compiler, "actuatorfrc", actfrclimited, source.actfrcrange)?;
        joint.actfrclimited = is_limited(actfrclimited, source.actfrcrange);
        if joint.actfrclimited && source.actfrcrange[0] >= source.actfrcrange[1] {
            let message = "actfrcrange[0] should be smaller than actfrcrange[1]";
            return Err(element_error(LIMIT, source, "actuatorfrcrange", message));
        }
        if !scalar {
            joint.axis = [0.0, 0.0, 1.0];
        } else if let Some(frame) = frame {
            joint.axis = quat::rotate_or_zero(joint.axis, frame.quat);
        }
        if normalize_slice(&mut joint.axis) < EPS {
            return Err(element_error(VALUE, source, "axis", "axis is too small"));
        }
        if source.kind == JointType::Free {
            joint.pos = [0.0; 3];
        } else if let Some(frame) = frame {
            joint.pos = frame.then(Pose { pos: joint.pos, quat: NO_ROTATION }).pos;
        }
        if source.kind == JointType::Hinge && compiler.degree {
            joint.reference *= PI / 180.0;
            joint.springref *= PI / 180.0;
        }
        Ok(())
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

    fn compile_site(&mut self, index: usize) -> Result<(), Diagnostic> {
        let source = self.sites[index].source;
        let compiler = self.spec.compiler_of(source.info.origin);
        check_user(source, source.userdata.len(), self.nuser.site, "nuser_site")?;
        if source.kind as i32 > GeomType::Sdf as i32 {
            return Err(element_error(VALUE, source, "type", "invalid type in site"));
        }
        if matches!(source.kind, GeomType::Mesh | GeomType::HField | GeomType::Plane) {
            let message = "meshes, hfields and planes are not allowed in site";
            return Err(element_error(VALUE, source, "type", message));
        }
        let mut size = source.size;
        let mut pose = match source.fromto {
            Some(points) => from_to(source, source.kind, points, source.pos, &mut size)?,
            None => {
                Pose { pos: source.pos, quat: oriented(source, compiler, source.quat, source.alt.as_ref())? }
            }
        };
        if let Some(frame) = self.frame_pose(source.frame) {
            pose = frame.then(pose);
        }
        normalize_slice(&mut pose.quat);
        check_size(source, source.kind, size)?;
        let site = &mut self.sites[index];
        (site.pose, site.size) = (pose, size);
        Ok(())
    }

    fn target_body<T: Element>(&self, source: &T, name: &str) -> Result<Option<usize>, Diagnostic> {
        if name.is_empty() {
            return Ok(None);
        }
        match self.find(ObjectType::Body, name) {
            Some(body) => Ok(Some(body)),
            None => Err(unknown_reference(source, "target", "body", name, self.names.all(ObjectType::Body))),
        }
    }

    fn compile_camera(&mut self, index: usize) -> Result<(), Diagnostic> {
        let source = self.cameras[index].source;
        let compiler = self.spec.compiler_of(source.info.origin);
        check_user(source, source.userdata.len(), self.nuser.camera, "nuser_cam")?;
        let mut pose =
            Pose { pos: source.pos, quat: oriented(source, compiler, source.quat, source.alt.as_ref())? };
        if let Some(frame) = self.frame_pose(source.frame) {
            pose = frame.then(pose);
        }
        normalize_slice(&mut pose.quat);
        let target = self.target_body(source, &source.targetbody)?;
        if source.fovy >= 180.0 {
            let message = format!("fovy must be below 180, it is {}", source.fovy);
            return Err(element_error(VALUE, source, "fovy", message));
        }
        let given =
            [source.focal_length, source.focal_pixel, source.principal_length, source.principal_pixel];
        let has_intrinsic = given.iter().flatten().any(|&value| value != 0.0);
        let has_size = source.sensor_size[0] > 0.0 && source.sensor_size[1] > 0.0;
        if has_intrinsic && !has_size {
            return Err(element_error(VALUE, source, "sensorsize", "focal and principal require sensorsize"));
        }
        if has_size && source.resolution.iter().any(|&pixels| pixels <= 0) {
            return Err(element_error(
                VALUE,
                source,
                "resolution",
                "sensorsize requires positive resolution",
            ));
        }
        let znear = self.spec.visual.map.znear;
        let camera = &mut self.cameras[index];
        (camera.pose, camera.target) = (pose, target);
        if has_size {
            for i in 0..2 {
                let density = source.resolution[i] as f32 / source.sensor_size[i];
                let pick = |pixel: f32, length: f32| if pixel != 0.0 { pixel / density } else { length };
                camera.intrinsic[i] = pick(source.focal_pixel[i], source.focal_length[i]);
                camera.intrinsic[i + 2] = pick(source.principal_pixel[i], source.principal_length[i]);
            }
            let angle = (source.sensor_size[1] / 2.0).atan2(camera.intrinsic[1]);
            camera.fovy = f64::from(angle) * 360.0 / PI;
        } else {
            camera.intrinsic[0] = znear;
            camera.intrinsic[1] = znear;
        }
        Ok(())
    }

    fn compile_light(&mut self, index: usize) -> Result<(), Diagnostic> {
        let source = self.lights[index].source;
        let (mut pos, mut dir) = (source.pos, source.dir);
        if let Some(frame) = self.frame_pose(source.frame) {
            pos = frame.then(Pose { pos, quat: NO_ROTATION }).pos;
            dir = quat::rotate_or_zero(dir, frame.quat);
        }
        if normalize_slice(&mut dir) < EPS {
            return Err(element_error(VALUE, source, "dir", "zero direction in light"));
        }
        let target = self.target_body(source, &source.targetbody)?;
        let texture = if source.texture.is_empty() || self.spec.compiler.discardvisual {
            None
        } else {
            let Some(texture) = self.find(ObjectType::Texture, &source.texture) else {
                let existing = self.names.all(ObjectType::Texture);
                return Err(unknown_reference(source, "texture", "texture", &source.texture, existing));
            };
            Some(texture)
        };
        let light = &mut self.lights[index];
        (light.pos, light.dir, light.target, light.texture) = (pos, dir, target, texture);
        Ok(())
    }

    /// Sets the number of user values of each kind: as given, or the longest list.
    pub(super) fn set_user_sizes(&mut self) {
        let spec = self.spec;
        let longest = |given: i32, found: Option<usize>| match usize::try_from(given) {
            Ok(given) => given,
            Err(_) => found.unwrap_or(0),
        };
        let sizes = &spec.sizes;
        let nuser = &mut self.nuser;
        nuser.body = longest(sizes.nuser_body, self.bodies.iter().map(|b| b.source.userdata.len()).max());
        nuser.joint = longest(sizes.nuser_jnt, self.joints.iter().map(|j| j.source.userdata.len()).max());
        nuser.geom = longest(sizes.nuser_geom, self.geoms.iter().map(|g| g.source.userdata.len()).max());
        nuser.site = longest(sizes.nuser_site, self.sites.iter().map(|s| s.source.userdata.len()).max());
        nuser.camera = longest(sizes.nuser_cam, self.cameras.iter().map(|c| c.source.userdata.len()).max());
        nuser.tendon = longest(sizes.nuser_tendon, spec.tendons.values().map(|t| t.userdata.len()).max());
        nuser.actuator =
            longest(sizes.nuser_actuator, spec.actuators.values().map(|a| a.userdata.len()).max());
        nuser.sensor = longest(sizes.nuser_sensor, spec.sensors.values().map(|s| s.userdata.len()).max());
    }
}

/// `springinertia` must leave the inertia positive, and cannot scale a stiffness that is itself computed from the inertia.
fn check_springinertia(joint: &Joint) -> Result<(), Diagnostic> {
    if joint.springinertia == 0.0 {
        return Ok(());
    }
    let problem = |message| element_error(VALUE, joint, "springinertia", message);
    if !(joint.springinertia > 0.0 && joint.springinertia.is_finite()) {
        return Err(problem("springinertia must be a finite number and not negative"));
    }
    if joint.springdamper != [0.0; 2] {
        return Err(problem("springinertia and springdamper cannot be combined").help(
            "springdamper computes the stiffness from the inertia; set stiffness and damping instead",
        ));
    }
    if joint.stiffness < 0.0 {
        return Err(problem("springinertia needs a stiffness that is not negative"));
    }
    Ok(())
}

/// Degrees of freedom of a joint.
pub(crate) fn dof_count(kind: JointType) -> usize {
    match kind {
        JointType::Free => 6,
        JointType::Ball => 3,
        JointType::Slide | JointType::Hinge => 1,
    }
}

/// Position coordinates of a joint.
pub(crate) fn qpos_count(kind: JointType) -> usize {
    match kind {
        JointType::Free => 7,
        JointType::Ball => 4,
        JointType::Slide | JointType::Hinge => 1,
    }
}
