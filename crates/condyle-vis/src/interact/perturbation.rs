//! Pulling and turning the selected body.

use condyle_engine::Data;
use condyle_engine::position::inertia;
use condyle_engine::query::{jacobian, motion};
use condyle_math::{MIN_VALUE, PI, Quat, Vec3, dense, mat3, quat, scalar, spatial, vec3};
use condyle_model::{JointType, Model, ObjectType};

use super::camera::ORTHOGRAPHIC;
use super::direction;
use crate::VisError;
use crate::types::{MouseAction, Perturbation, Scene, perturb};

impl Perturbation {
    /// The selected body, if it exists; the world counts.
    fn body(&self, model: &Model) -> Option<usize> {
        usize::try_from(self.select).ok().filter(|body| *body < model.nbody)
    }

    /// The selected point in the world.
    fn point(&self, data: &Data, body: usize) -> Vec3 {
        let k = &data.kinematics;
        vec3::add(mat3::mul_vec(&k.xmat[body], self.localpos), k.xpos[body])
    }

    /// Starts a perturbation: the reference is the selected body as it is now. Reference: `mjv_initPerturb`.
    pub fn start(&mut self, model: &Model, data: &Data, scene: &Scene) -> Result<(), VisError> {
        let Some(body) = self.body(model).filter(|body| *body > 0) else { return Ok(()) };
        let point = self.point(data, body);
        self.localmass = self.felt_mass(model, data, body, point);
        self.refpos = data.kinematics.xipos[body];
        self.refquat = inertial_rotation(model, data, body);
        self.refselpos = point;
        let [position, forward, _] = scene.camera_in_model()?;
        let distance = vec3::dot(vec3::sub(point, position), forward);
        self.scale = scene.frustum_height()? * distance;
        if scene.camera[0].orthographic != 0 {
            self.scale *= ORTHOGRAPHIC;
        }
        Ok(())
    }

    /// Mass felt at a point: the inverse of the mean over three directions of `J M⁻¹ Jᵀ`. A flex weighs more by its mean number of
    /// edges per vertex.
    fn felt_mass(&self, model: &Model, data: &Data, body: usize, point: Vec3) -> f64 {
        let nv = model.nv;
        let mut rows = vec![0.0; 3 * nv];
        jacobian::of_point(model, &data.kinematics, Some(&mut rows), None, point, body);
        let roots: Vec<f64> = data.inertia.qLDiagInv.iter().map(|inverse| inverse.sqrt()).collect();
        let mut sum = 0.0;
        for (index, row) in rows.chunks_exact_mut(nv.max(1)).enumerate() {
            inertia::half_solve(model, &data.inertia, row, &roots);
            let square = dense::dot(row, row);
            sum = if index == 0 { square } else { sum + square };
        }
        let mass = if sum == 0.0 { 1.0 } else { 3.0 / scalar::max(sum, MIN_VALUE) };
        match usize::try_from(self.flexselect).ok().filter(|flex| *flex < model.nflex) {
            Some(flex) if model.flex_rigid[flex] == 0 => {
                let edges = 2.0 * f64::from(model.flex_edgenum[flex]);
                mass * (edges / f64::from(model.flex_vertnum[flex]))
            }
            _ => mass,
        }
    }

    /// Moves the reference as the mouse moves. Reference: `mjv_movePerturb`.
    pub fn move_with_mouse(
        &mut self,
        model: &Model,
        data: &Data,
        action: i32,
        dx: f64,
        dy: f64,
        scene: &Scene,
    ) -> Result<(), VisError> {
        let [_, forward, _] = scene.camera_in_model()?;
        let vector = direction(action, dx, dy, forward)?;
        match MouseAction::from_i32(action) {
            Some(MouseAction::MoveVertical | MouseAction::MoveHorizontal) => self.shift(vector, self.scale),
            Some(kind @ (MouseAction::MoveVerticalRelative | MouseAction::MoveHorizontalRelative)) => {
                let Some(body) = self.body(model) else { return Ok(()) };
                let axes = &data.kinematics.xmat[body];
                let vertical = kind == MouseAction::MoveVerticalRelative;
                let first = if vertical { [0.0, 0.0, 1.0] } else { [1.0, 0.0, 0.0] };
                self.shift(mat3::mul_vec(axes, first), self.scale * dy);
                self.shift(mat3::mul_vec(axes, [0.0, 1.0, 0.0]), self.scale * dx);
            }
            Some(MouseAction::RotateVertical | MouseAction::RotateHorizontal) => {
                self.turn(model, data, vector)
            }
            Some(MouseAction::Zoom | MouseAction::None) | None => {}
        }
        Ok(())
    }

    fn shift(&mut self, direction: Vec3, distance: f64) {
        self.refpos = vec3::add_scaled(self.refpos, direction, distance);
        self.refselpos = vec3::add_scaled(self.refselpos, direction, distance);
    }

    /// Turns the reference, by at most a quarter from the selected body.
    fn turn(&mut self, model: &Model, data: &Data, vector: Vec3) {
        let (axis, length) = vec3::normalize(vector);
        let turn = quat::from_axis_angle(axis, length * PI * 2.0);
        self.refquat = quat::normalize(quat::mul(turn, self.refquat)).0;
        let Some(body) = self.body(model).filter(|body| *body > 0) else { return };
        let own = inertial_rotation(model, data, body);
        let from_own = quat::mul(quat::conjugate(own), self.refquat);
        let (axis, angle) = vec3::normalize(quat::to_velocity(from_own, 1.0));
        if angle < -PI * 0.5 || angle > PI * 0.5 {
            let angle = scalar::max(-PI * 0.5, scalar::min(PI * 0.5, angle));
            self.refquat = quat::mul(own, quat::from_axis_angle(axis, angle));
        }
    }

    /// Puts the selected body where the reference is: a mocap body always, a floating tree only while paused. Reference:
    /// `mjv_applyPerturbPose`.
    pub fn apply_pose(&self, model: &Model, data: &mut Data, paused: bool) {
        let Some(body) = self.body(model).filter(|body| *body > 0) else { return };
        if self.active | self.active2 == 0 {
            return;
        }
        let inverse = spatial::invert_pose(model.body_ipos[body], model.body_iquat[body]);
        let (position, rotation) = spatial::mul_pose(self.refpos, self.refquat, inverse.0, inverse.1);
        if let Some(mocap) = model.body_mocapid(body) {
            data.inputs.mocap_pos[mocap] = position;
            data.inputs.mocap_quat[mocap] = rotation;
            return;
        }
        if !paused {
            return;
        }
        let root = model.body_rootid[body] as usize;
        if let Some(first) = floating(model, body) {
            write_pose(&mut data.state.qpos[first..first + 7], position, rotation);
        } else if let Some(first) = floating(model, root) {
            let [x, y, z, a, b, c, d] = std::array::from_fn(|index| data.state.qpos[first + index]);
            let k = &data.kinematics;
            let child = spatial::invert_pose(k.xpos[body], k.xquat[body]);
            let local = spatial::mul_pose(child.0, child.1, [x, y, z], [a, b, c, d]);
            let placed = spatial::mul_pose(position, rotation, local.0, local.1);
            write_pose(&mut data.state.qpos[first..first + 7], placed.0, placed.1);
        }
    }

    /// Sets the force and torque of a damped spring from the selected body to the reference. Reference: `mjv_applyPerturbForce`.
    pub fn apply_force(&self, model: &Model, data: &mut Data) {
        let Some(body) = self.body(model) else { return };
        let active = self.active | self.active2;
        if active == 0 {
            return;
        }
        let k = &data.kinematics;
        let velocity = motion::object_velocity(model, k, &data.velocity, ObjectType::Body, body, false)
            .unwrap_or_default();
        let (turning, moving) = (spatial::rotational(&velocity), spatial::translational(&velocity));
        let inverse = model.body_invweight0[body][1];
        let inertia = if inverse == 0.0 { 1.0 } else { 1.0 / scalar::max(MIN_VALUE, inverse) };
        let rotational_stiffness = f64::from(model.vis.map.stiffnessrot);
        let applied = &data.inputs.xfrc_applied[body];
        let mut force = [applied[0], applied[1], applied[2]];
        let mut torque = [applied[3], applied[4], applied[5]];
        if active & perturb::TRANSLATE != 0 {
            let point = self.point(data, body);
            let stretch = vec3::sub(point, self.refselpos);
            let stiffness = f64::from(model.vis.map.stiffness);
            force = vec3::scale(stretch, -stiffness * self.localmass);
            let arm = vec3::sub(point, k.xipos[body]);
            let point_velocity = vec3::add(vec3::cross(turning, arm), moving);
            force = vec3::add_scaled(force, point_velocity, -stiffness.sqrt() * self.localmass);
            torque = vec3::cross(arm, force);
            let along = vec3::normalize(stretch).0;
            let twist = -rotational_stiffness.sqrt() * inertia * vec3::dot(along, turning);
            torque = vec3::add_scaled(torque, along, twist);
        }
        if active & perturb::ROTATE != 0 {
            let own = quat::conjugate(inertial_rotation(model, data, body));
            let difference = quat::mul(self.refquat, own);
            torque = quat::to_velocity(difference, 1.0 / (rotational_stiffness * inertia));
            torque = vec3::add_scaled(torque, turning, -rotational_stiffness.sqrt() * inertia);
        }
        data.inputs.xfrc_applied[body] = [force[0], force[1], force[2], torque[0], torque[1], torque[2]];
    }
}

fn inertial_rotation(model: &Model, data: &Data, body: usize) -> Quat {
    quat::mul(data.kinematics.xquat[body], model.body_iquat[body])
}

/// First position of the free joint of a body that has no other joint.
fn floating(model: &Model, body: usize) -> Option<usize> {
    let joint = model.body_jntadr(body)?;
    let free = model.body_jntnum[body] == 1 && model.jnt_type[joint] == JointType::Free as i32;
    free.then(|| model.jnt_qposadr[joint] as usize)
}

fn write_pose(qpos: &mut [f64], position: Vec3, rotation: Quat) {
    for (place, value) in qpos.iter_mut().zip(position.into_iter().chain(rotation)) {
        *place = value;
    }
}
