//! What a mouse does: steering cameras, pulling and turning bodies, moving the model in a room, and picking.
//!
//! Motions of the mouse are shares of the height of the window.

mod camera;
mod model;
mod perturbation;
mod select;

pub use select::{Selection, select};

use condyle_math::Vec3;

use crate::VisError;
use crate::camera::align_to_camera;
use crate::types::MouseAction;

/// Motion of a mouse as a direction in the world: horizontal directions are turned with the camera.
fn direction(action: i32, dx: f64, dy: f64, forward: Vec3) -> Result<Vec3, VisError> {
    use MouseAction::{
        MoveHorizontal, MoveHorizontalRelative, MoveVertical, MoveVerticalRelative, RotateHorizontal,
        RotateVertical, Zoom,
    };
    let vector = match MouseAction::from_i32(action) {
        Some(RotateVertical) => [dy, 0.0, dx],
        Some(RotateHorizontal) => [dy, dx, 0.0],
        Some(MoveVertical | MoveVerticalRelative) => [dx, 0.0, -dy],
        Some(MoveHorizontal | MoveHorizontalRelative) => [dx, -dy, 0.0],
        Some(Zoom) => [0.0; 3],
        Some(MouseAction::None) | None => return Err(VisError::Direction(action)),
    };
    Ok(align_to_camera(vector, forward))
}
