//! Cameras: where a camera is and what it sees, the two cameras of a scene, and how model and room are related.
//!
//! Reference: `mjv_cameraFrame`, `mjv_cameraFrustum`, `mjv_updateCamera`, `mjv_averageCamera`, `mjv_cameraInModel` and the like.

use condyle_engine::Data;
use condyle_math::{MIN_VALUE, PI, Quat, Vec3, dense, quat, spatial, vec3};
use condyle_model::{Model, Projection};

use crate::VisError;
use crate::element::{narrow, widen};
use crate::types::{Camera, CameraType, GlCamera, Scene};

/// Where a camera is and its axes, in the world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraFrame {
    /// Where it stands, m.
    pub position: Vec3,
    /// Unit vector along the line of sight.
    pub forward: Vec3,
    /// Unit vector upward in the picture.
    pub up: Vec3,
    /// Unit vector to the right in the picture.
    pub right: Vec3,
}

/// What a camera sees at its near clipping distance: down and up, left and right; all zero for a symmetric width.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frustum {
    /// Lower and upper bound.
    pub vertical: [f32; 2],
    /// Left and right bound.
    pub horizontal: [f32; 2],
    /// Near and far clipping distance, m.
    pub clip: [f32; 2],
}

impl Camera {
    /// A free camera that shows the whole model from its starting angles. Reference: `mjv_defaultFreeCamera`.
    pub fn free(model: &Model) -> Self {
        let global = &model.vis.global;
        Self {
            lookat: model.stat.center,
            distance: 1.5 * model.stat.extent,
            azimuth: f64::from(global.azimuth),
            elevation: f64::from(global.elevation),
            orthographic: global.orthographic,
            ..Self::default()
        }
    }

    /// A camera of the model.
    pub fn fixed(camera: usize) -> Self {
        let fixedcamid = i32::try_from(camera).unwrap_or(-1);
        Self { r#type: CameraType::Fixed as i32, fixedcamid, ..Self::default() }
    }

    fn kind(&self) -> Option<CameraType> {
        CameraType::from_i32(self.r#type)
    }

    fn fixed_id(&self, model: &Model) -> Result<usize, VisError> {
        usize::try_from(self.fixedcamid).ok().filter(|id| *id < model.ncam).ok_or(VisError::FixedCamera)
    }

    /// Where the camera is.
    pub fn frame(&self, data: &Data) -> Result<CameraFrame, VisError> {
        match self.kind() {
            Some(CameraType::Free | CameraType::Tracking) => {
                let (azimuth, elevation) = (self.azimuth / 180.0 * PI, self.elevation / 180.0 * PI);
                let (ca, sa) = (azimuth.cos(), azimuth.sin());
                let (ce, se) = (elevation.cos(), elevation.sin());
                let forward = [ce * ca, ce * sa, se];
                Ok(CameraFrame {
                    position: vec3::add_scaled(self.lookat, forward, -self.distance),
                    forward,
                    up: [-se * ca, -se * sa, ce],
                    right: [sa, -ca, 0.0],
                })
            }
            Some(CameraType::Fixed) => {
                let camera = usize::try_from(self.fixedcamid).unwrap_or(usize::MAX);
                let pose = data.kinematics.cam_xpos.get(camera).zip(data.kinematics.cam_xmat.get(camera));
                let (position, m) = pose.ok_or(VisError::FixedCamera)?;
                Ok(CameraFrame {
                    position: *position,
                    forward: [-m[2], -m[5], -m[8]],
                    up: [m[1], m[4], m[7]],
                    right: [m[0], m[3], m[6]],
                })
            }
            Some(CameraType::User) | None => Err(VisError::CameraType),
        }
    }

    /// What the camera sees.
    pub fn frustum(&self, model: &Model) -> Result<Frustum, VisError> {
        let near = (f64::from(model.vis.map.znear) * model.stat.extent) as f32;
        let far = (f64::from(model.vis.map.zfar) * model.stat.extent) as f32;
        let (orthographic, fovy, sensor) = match self.kind() {
            Some(CameraType::Free | CameraType::Tracking) => {
                (model.vis.global.orthographic != 0, f64::from(model.vis.global.fovy), None)
            }
            Some(CameraType::Fixed) => {
                let id = self.fixed_id(model)?;
                let orthographic = model.cam_projection[id] == Projection::Orthographic as i32;
                let sensor = (model.cam_sensorsize[id][1] != 0.0).then_some(id);
                (orthographic, model.cam_fovy[id], sensor)
            }
            Some(CameraType::User) | None => return Err(VisError::CameraType),
        };
        let (vertical, horizontal) = match sensor {
            _ if orthographic => ([(fovy / 2.0) as f32; 2], [0.0; 2]),
            Some(id) => sensor_frustum(near, &model.cam_intrinsic[id], &model.cam_sensorsize[id]),
            None => ([(f64::from(near) * (fovy * PI / 360.0).tan()) as f32; 2], [0.0; 2]),
        };
        Ok(Frustum { vertical, horizontal, clip: [near, far] })
    }
}

/// Vertical and horizontal extents at distance `near` of a camera with a sensor, from focal lengths and principal point.
pub(crate) fn sensor_frustum(near: f32, intrinsic: &[f32; 4], sensor: &[f32; 2]) -> ([f32; 2], [f32; 2]) {
    let extents = |axis: usize| {
        let scale = near / intrinsic[axis];
        let (half, center) = (sensor[axis] / 2.0, intrinsic[2 + axis]);
        [scale * (half - center), scale * (half + center)]
    };
    (extents(1), extents(0))
}

impl Scene {
    /// Sets both cameras of the scene from the camera a user steers; one that tracks a body follows it.
    /// Reference: `mjv_updateCamera`.
    pub fn update_camera(&mut self, model: &Model, data: &Data, camera: &mut Camera) -> Result<(), VisError> {
        let kind = camera.kind();
        if kind == Some(CameraType::User) {
            return Ok(());
        }
        if kind == Some(CameraType::Tracking) {
            let body = usize::try_from(camera.trackbodyid).ok().filter(|body| *body < model.nbody);
            camera.lookat = data.kinematics.subtree_com[body.ok_or(VisError::TrackedBody)?];
        }
        let frame = camera.frame(data)?;
        let frustum = camera.frustum(model)?;
        let (ipd, orthographic) = match kind {
            Some(CameraType::Fixed) => {
                let id = camera.fixed_id(model)?;
                let orthographic = model.cam_projection[id] == Projection::Orthographic as i32;
                (model.cam_ipd[id], i32::from(orthographic))
            }
            _ => (f64::from(model.vis.global.ipd), model.vis.global.orthographic),
        };
        let Frustum { vertical, horizontal, clip } = frustum;
        for (eye, side) in self.camera.iter_mut().zip([-ipd, ipd]) {
            *eye = GlCamera {
                pos: std::array::from_fn(|axis| {
                    (frame.position[axis] + side * 0.5 * frame.right[axis]) as f32
                }),
                forward: narrow(&frame.forward),
                up: narrow(&frame.up),
                frustum_center: (horizontal[1] - horizontal[0]) / 2.0,
                frustum_width: (horizontal[1] + horizontal[0]) / 2.0,
                frustum_bottom: -vertical[0],
                frustum_top: vertical[1],
                frustum_near: clip[0],
                frustum_far: clip[1],
                orthographic,
            };
        }
        self.settings.enabletransform = 0;
        Ok(())
    }

    /// A pose in the room as a pose in the model. Reference: `mjv_room2model`.
    pub fn room_to_model(&self, position: Vec3, rotation: Quat) -> Result<(Vec3, Quat), VisError> {
        self.check_scale()?;
        if self.settings.enabletransform == 0 {
            return Ok((position, rotation));
        }
        let (translate, rotate) = (widen(&self.settings.translate), widen(&self.settings.rotate));
        let (inverse_position, inverse_rotation) = spatial::invert_pose(translate, rotate);
        let (moved, turned) = spatial::mul_pose(inverse_position, inverse_rotation, position, rotation);
        Ok((vec3::scale(moved, 1.0 / f64::from(self.settings.scale)), turned))
    }

    /// A pose in the model as a pose in the room. Reference: `mjv_model2room`.
    pub fn model_to_room(&self, position: Vec3, rotation: Quat) -> Result<(Vec3, Quat), VisError> {
        self.check_scale()?;
        if self.settings.enabletransform == 0 {
            return Ok((position, rotation));
        }
        let (translate, rotate) = (widen(&self.settings.translate), widen(&self.settings.rotate));
        let (moved, turned) = spatial::mul_pose(translate, rotate, position, rotation);
        Ok((vec3::scale(moved, f64::from(self.settings.scale)), turned))
    }

    fn check_scale(&self) -> Result<(), VisError> {
        if f64::from(self.settings.scale) < MIN_VALUE { Err(VisError::Scale) } else { Ok(()) }
    }

    fn check_near(&self) -> Result<(), VisError> {
        let too_near = self.camera.iter().any(|camera| f64::from(camera.frustum_near) < MIN_VALUE);
        if too_near { Err(VisError::NearPlane) } else { Ok(()) }
    }

    /// Position, forward and up of the camera between both eyes, in the model. Reference: `mjv_cameraInModel`.
    pub fn camera_in_model(&self) -> Result<[Vec3; 3], VisError> {
        self.check_near()?;
        let [mut position, mut forward, mut up] = [[0.0; 3]; 3];
        for camera in &self.camera {
            let eye_forward = vec3::normalize(widen(&camera.forward)).0;
            let eye_up = vec3::normalize(widen(&camera.up)).0;
            let left = vec3::normalize(vec3::cross(eye_up, eye_forward)).0;
            let (u, f) = (eye_up, eye_forward);
            let axes = [left[0], u[0], f[0], left[1], u[1], f[1], left[2], u[2], f[2]];
            let (at, turned) = self.room_to_model(widen(&camera.pos), quat::from_mat(&axes))?;
            let m = quat::to_mat(&turned);
            position = vec3::add_scaled(position, at, 0.5);
            forward = vec3::add(forward, [0.5 * m[2], 0.5 * m[5], 0.5 * m[8]]);
            up = vec3::add(up, [0.5 * m[1], 0.5 * m[4], 0.5 * m[7]]);
        }
        Ok([position, vec3::normalize(forward).0, vec3::normalize(up).0])
    }

    /// Position, forward and up of the camera between both eyes, in the room. Reference: `mjv_cameraInRoom`.
    pub fn camera_in_room(&self) -> Result<[Vec3; 3], VisError> {
        self.check_near()?;
        let [mut position, mut forward, mut up] = [[0.0; 3]; 3];
        for camera in &self.camera {
            position = vec3::add_scaled(position, widen(&camera.pos), 0.5);
            forward = vec3::add_scaled(forward, widen(&camera.forward), 0.5);
            up = vec3::add_scaled(up, widen(&camera.up), 0.5);
        }
        Ok([position, vec3::normalize(forward).0, vec3::normalize(up).0])
    }

    /// Height of the view at distance 1, or of an orthographic view, averaged over both eyes. Reference: `mjv_frustumHeight`.
    pub fn frustum_height(&self) -> Result<f64, VisError> {
        let [left, right] = &self.camera;
        if left.orthographic != right.orthographic {
            return Err(VisError::MixedProjections);
        }
        let height = |camera: &GlCamera| camera.frustum_top - camera.frustum_bottom;
        let sum = if left.orthographic == 0 {
            self.check_near()?;
            height(left) / left.frustum_near + height(right) / right.frustum_near
        } else {
            height(left) + height(right)
        };
        Ok(0.5 * f64::from(sum))
    }
}

/// A vector turned about the vertical axis so that y points along `forward`. Reference: `mjv_alignToCamera`.
pub fn align_to_camera(vector: Vec3, forward: Vec3) -> Vec3 {
    let mut y = [forward[0], forward[1]];
    dense::normalize(&mut y);
    let x = [y[1], -y[0]];
    [vector[0] * x[0] + vector[1] * y[0], vector[0] * x[1] + vector[1] * y[1], vector[2]]
}

/// The camera between two. Reference: `mjv_averageCamera`.
pub fn average_camera(first: &GlCamera, second: &GlCamera) -> Result<GlCamera, VisError> {
    let sum = |a: &[f32; 3], b: &[f32; 3]| vec3::add(widen(a), widen(b));
    let forward = vec3::normalize(sum(&first.forward, &second.forward)).0;
    let up = sum(&first.up, &second.up);
    let up = vec3::normalize(vec3::add_scaled(up, forward, -vec3::dot(up, forward))).0;
    if first.orthographic != second.orthographic {
        return Err(VisError::MixedCameras);
    }
    Ok(GlCamera {
        pos: narrow(&vec3::scale(sum(&first.pos, &second.pos), 0.5)),
        forward: narrow(&forward),
        up: narrow(&up),
        frustum_center: 0.5 * (first.frustum_center + second.frustum_center),
        frustum_width: 0.5 * (first.frustum_width + second.frustum_width),
        frustum_bottom: 0.5 * (first.frustum_bottom + second.frustum_bottom),
        frustum_top: 0.5 * (first.frustum_top + second.frustum_top),
        frustum_near: 0.5 * (first.frustum_near + second.frustum_near),
        frustum_far: 0.5 * (first.frustum_far + second.frustum_far),
        orthographic: first.orthographic,
    })
}
