//! Moving the model in a room.

use condyle_math::{PI, Vec3, quat, vec3};
use condyle_model::Model;

use crate::VisError;
use crate::element::{narrow, widen};
use crate::types::{MouseAction, Scene};

impl Scene {
    /// Moves, turns or scales the model in the room as the mouse moves. Reference: `mjv_moveModel`.
    pub fn move_model(
        &mut self,
        model: &Model,
        action: i32,
        dx: f64,
        dy: f64,
        room_up: Vec3,
    ) -> Result<(), VisError> {
        if self.settings.enabletransform == 0 {
            return Ok(());
        }
        let [_, camera_forward, _] = self.camera_in_room()?;
        let level = vec3::add_scaled(camera_forward, room_up, -vec3::dot(camera_forward, room_up));
        let forward = vec3::normalize(level).0;
        let right = vec3::normalize(vec3::cross(forward, room_up)).0;
        use MouseAction::{
            MoveHorizontal, MoveHorizontalRelative, MoveVertical, MoveVerticalRelative, RotateHorizontal,
            RotateVertical, Zoom,
        };
        match MouseAction::from_i32(action) {
            Some(kind @ (RotateVertical | RotateHorizontal)) => {
                let about = if kind == RotateVertical { room_up } else { forward };
                let turn: Vec3 = std::array::from_fn(|axis| about[axis] * dx + right[axis] * dy);
                let (axis, length) = vec3::normalize(turn);
                let turn = quat::from_axis_angle(axis, length * PI);
                let turned = quat::normalize(quat::mul(turn, widen(&self.settings.rotate))).0;
                self.settings.rotate = narrow(&turned);
            }
            Some(MoveVertical | MoveVerticalRelative) => {
                self.shift(right, room_up, [dx, dy], model.stat.extent)
            }
            Some(MoveHorizontal | MoveHorizontalRelative) => {
                self.shift(right, forward, [dx, dy], model.stat.extent)
            }
            Some(Zoom) => {
                let scale = self.settings.scale;
                let scale = scale + (f64::from(1.0 + scale / 3.0).ln() * dy * 3.0) as f32;
                self.settings.scale = if scale < 0.01 {
                    0.01
                } else if scale > 100.0 {
                    100.0
                } else {
                    scale
                };
            }
            Some(MouseAction::None) | None => return Err(VisError::Action(action)),
        }
        Ok(())
    }

    fn shift(&mut self, right: Vec3, other: Vec3, [dx, dy]: [f64; 2], extent: f64) {
        for axis in 0..3 {
            let step = (right[axis] * dx - other[axis] * dy) as f32;
            let place = &mut self.settings.translate[axis];
            *place = (f64::from(*place) + f64::from(step) * extent) as f32;
        }
    }
}
