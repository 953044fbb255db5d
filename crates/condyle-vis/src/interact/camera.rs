//! Steering a camera.

use condyle_math::{Vec3, vec3};
use condyle_model::Model;

use super::direction;
use crate::VisError;
use crate::types::{Camera, CameraType, MouseAction, Scene};

/// Share of a motion that moves an orthographic view.
pub(super) const ORTHOGRAPHIC: f64 = 0.15;

impl Camera {
    /// Moves the camera as the mouse moves; cameras of the model stay. Reference: `mjv_moveCamera`.
    pub fn move_with_mouse(
        &mut self,
        model: &Model,
        action: i32,
        dx: f64,
        dy: f64,
        scene: &Scene,
    ) -> Result<(), VisError> {
        if self.r#type == CameraType::Fixed as i32 {
            return Ok(());
        }
        let tracking = self.r#type == CameraType::Tracking as i32;
        let extent = model.stat.extent;
        match MouseAction::from_i32(action) {
            Some(MouseAction::RotateVertical | MouseAction::RotateHorizontal) => {
                self.azimuth -= dx * 180.0;
                self.elevation -= dy * 180.0;
            }
            Some(MouseAction::MoveVertical | MouseAction::MoveHorizontal) => {
                if tracking {
                    return Ok(());
                }
                self.move_target(action, dx, dy, scene)?;
            }
            Some(MouseAction::Zoom) => {
                self.distance -= (1.0 + self.distance / extent / 3.0).ln() * dy * 9.0 * extent;
            }
            Some(relative @ (MouseAction::MoveVerticalRelative | MouseAction::MoveHorizontalRelative)) => {
                if tracking {
                    return Ok(());
                }
                let [_, forward, up] = scene.camera_in_model()?;
                let vertical = relative == MouseAction::MoveVerticalRelative;
                let along: Vec3 = if vertical { up } else { forward };
                self.lookat = vec3::add_scaled(self.lookat, along, dy);
                self.lookat = vec3::add_scaled(self.lookat, vec3::cross(forward, up), dx);
            }
            Some(MouseAction::None) | None => return Err(VisError::Action(action)),
        }
        self.keep_in_range(extent);
        Ok(())
    }

    /// Moves the point that is looked at so that it follows the mouse in the picture.
    fn move_target(&mut self, action: i32, dx: f64, dy: f64, scene: &Scene) -> Result<(), VisError> {
        let [position, forward, _] = scene.camera_in_model()?;
        let vector = direction(action, dx, dy, forward)?;
        let distance = vec3::dot(vec3::sub(self.lookat, position), forward);
        let mut scale = scene.frustum_height()? * distance;
        if self.orthographic != 0 {
            scale *= ORTHOGRAPHIC;
        }
        self.lookat = vec3::add_scaled(self.lookat, vector, -scale);
        Ok(())
    }

    fn keep_in_range(&mut self, extent: f64) {
        if self.azimuth > 180.0 {
            self.azimuth -= 360.0;
        }
        if self.azimuth < -180.0 {
            self.azimuth += 360.0;
        }
        if self.elevation > 89.0 {
            self.elevation = 89.0;
        }
        if self.elevation < -89.0 {
            self.elevation = -89.0;
        }
        if self.distance < 0.01 * extent {
            self.distance = 0.01 * extent;
        }
        if self.distance > 100.0 * extent {
            self.distance = 100.0 * extent;
        }
    }
}
