//! Cameras: pose, target and lens. Reference: mjCCamera::Compile.

use condyle_asset::principal::normalize_slice;
use condyle_base::diagnostic::Diagnostic;
use condyle_math::PI;
use condyle_model::{Model, ObjectType};

use super::ids::Ids;
use super::pose::{Pose, oriented};
use super::problems::{VALUE, element_error, unknown_reference};
use super::user_values::check_user;
use super::work::Work;
use crate::element::{Camera, Element};

/// A camera while the model is compiled.
pub(crate) struct CameraWork<'s> {
    pub source: &'s Camera,
    pub body: usize,
    pub pose: Pose,
    pub target: Option<usize>,
    pub fovy: f64,
    pub intrinsic: [f32; 4],
}

impl<'s> CameraWork<'s> {
    pub(super) fn new(source: &'s Camera, body: usize) -> Self {
        let pose = Pose { pos: source.pos, quat: source.quat };
        Self { source, body, pose, target: None, fovy: source.fovy, intrinsic: source.intrinsic }
    }
}

impl Work<'_> {
    pub(super) fn compile_camera(&mut self, index: usize) -> Result<(), Diagnostic> {
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
            let message = format!("fovy must be below 180, but is {}", source.fovy);
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

    /// The body that a camera or light follows.
    pub(super) fn target_body<T: Element>(
        &self,
        source: &T,
        name: &str,
    ) -> Result<Option<usize>, Diagnostic> {
        if name.is_empty() {
            return Ok(None);
        }
        match self.find(ObjectType::Body, name) {
            Some(body) => Ok(Some(body)),
            None => Err(unknown_reference(source, "target", "body", name, self.names.all(ObjectType::Body))),
        }
    }

    pub(super) fn write_camera(&self, model: &mut Model, ids: &Ids, camera: usize, body_id: usize) {
        let at = ids.of(ObjectType::Camera, camera) as usize;
        let camera = &self.cameras[camera];
        let source = camera.source;
        source.write_entries(model, at);
        model.cam_bodyid[at] = body_id as i32;
        model.cam_targetbodyid[at] = ids.maybe(ObjectType::Body, camera.target);
        model.cam_pos[at] = camera.pose.pos;
        model.cam_quat[at] = camera.pose.quat;
        model.cam_fovy[at] = camera.fovy;
        model.cam_intrinsic[at] = camera.intrinsic;
    }
}
