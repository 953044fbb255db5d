//! Joints: which may stand together in a body, limits, axes and units. Reference: mjCJoint::Compile.

use condyle_asset::principal::{EPS, normalize_slice};
use condyle_base::diagnostic::Diagnostic;
use condyle_math::{PI, Vec3, quat};
use condyle_model::{JointType, Model};

use super::limits::{check_limited, is_limited};
use super::pose::{NO_ROTATION, Pose};
use super::problems::{LIMIT, STRUCTURE, VALUE, element_error};
use super::user_values::check_user;
use super::work::Work;
use crate::element::Joint;
use crate::orientation::Limited;

/// A joint while the model is compiled.
pub(crate) struct JointWork<'s> {
    pub source: &'s Joint,
    pub pos: Vec3,
    pub axis: Vec3,
    pub limited: bool,
    pub range: [f64; 2],
    pub actfrclimited: bool,
    pub reference: f64,
    pub springref: f64,
}

impl<'s> JointWork<'s> {
    pub(super) fn new(source: &'s Joint) -> Self {
        Self {
            source,
            pos: source.pos,
            axis: source.axis,
            limited: false,
            range: source.range,
            actfrclimited: false,
            reference: source.reference,
            springref: source.springref,
        }
    }
}

impl Work<'_> {
    pub(super) fn compile_joints(&mut self, index: usize) -> Result<(), Diagnostic> {
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
            let message = format!("{dofs} degrees of freedom, but a body can have at most 6");
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
                let message =
                    format!("range[0] should be smaller than range[1], but the range is {low} {high}");
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

    pub(super) fn write_joint(
        &self,
        model: &mut Model,
        id: usize,
        joint: usize,
        body: usize,
        qpos: usize,
        dof: usize,
    ) {
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
