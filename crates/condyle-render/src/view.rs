//! From the world to the picture: cameras, projections and what they map a point to.
//!
//! A point becomes (X, Y, Z, W): window coordinates X/W and Y/W in pixels with y upward, depth Z/W from 1 at the near to 0 at the far end.

use condyle_vis::{GlCamera, Scene};

use crate::vector::{Affine, Vec3, compose, look_at};

/// Rows for X, Y, Z and W on (x, y, z, 1).
pub(crate) type Projection = [[f32; 4]; 4];

/// Rectangle of a picture, pixels; the origin is the lower left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rect {
    /// Columns left of it.
    pub left: i32,
    /// Rows below it.
    pub bottom: i32,
    /// Number of columns.
    pub width: i32,
    /// Number of rows.
    pub height: i32,
}

/// Edges of a view volume.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Volume {
    pub left: f64,
    pub right: f64,
    pub bottom: f64,
    pub top: f64,
    pub near: f64,
    pub far: f64,
    pub orthographic: bool,
}

impl Volume {
    /// Projection from eye coordinates to a window with its lower left corner at `origin`.
    pub(crate) fn project(&self, origin: [f64; 2], size: [f64; 2]) -> Projection {
        let (width, height, depth) = (self.right - self.left, self.top - self.bottom, self.far - self.near);
        let (sum_x, sum_y, sum_z) = (self.right + self.left, self.top + self.bottom, self.far + self.near);
        // Rows of normalised device coordinates with depth from -1 to 1, then depth reversed to 1 … 0.
        let (x, y, z, w) = if self.orthographic {
            (
                [2.0 / width, 0.0, 0.0, -sum_x / width],
                [0.0, 2.0 / height, 0.0, -sum_y / height],
                [0.0, 0.0, -2.0 / depth, -sum_z / depth],
                [0.0, 0.0, 0.0, 1.0],
            )
        } else {
            (
                [2.0 * self.near / width, 0.0, sum_x / width, 0.0],
                [0.0, 2.0 * self.near / height, sum_y / height, 0.0],
                [0.0, 0.0, -sum_z / depth, -2.0 * self.far * self.near / depth],
                [0.0, 0.0, -1.0, 0.0],
            )
        };
        let mut rows = [[0.0; 4]; 4];
        for column in 0..4 {
            let half = [0.5 * size[0], 0.5 * size[1]];
            rows[0][column] = (x[column] * half[0] + w[column] * (half[0] + origin[0])) as f32;
            rows[1][column] = (y[column] * half[1] + w[column] * (half[1] + origin[1])) as f32;
            rows[2][column] = (0.5 * w[column] - 0.5 * z[column]) as f32;
            rows[3][column] = w[column] as f32;
        }
        rows
    }
}

/// A projection after an affine map.
pub(crate) fn project_after(projection: &Projection, map: &Affine) -> Projection {
    let mut out = [[0.0; 4]; 4];
    for row in 0..4 {
        let p = projection[row];
        for column in 0..4 {
            let mut sum = p[0] * map[0][column] + p[1] * map[1][column] + p[2] * map[2][column];
            if column == 3 {
                sum += p[3];
            }
            out[row][column] = sum;
        }
    }
    out
}

#[inline]
pub(crate) fn project_point(projection: &Projection, p: Vec3) -> [f32; 4] {
    projection.map(|row| row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3])
}

/// The camera between two; `None` if one is orthographic and the other is not.
pub(crate) fn average_camera(a: &GlCamera, b: &GlCamera) -> Option<GlCamera> {
    if a.orthographic != b.orthographic {
        return None;
    }
    let double = |v: Vec3| v.map(f64::from);
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let sum = |a: Vec3, b: Vec3| {
        let (a, b) = (double(a), double(b));
        [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
    };
    let unit = |v: [f64; 3]| {
        let length = dot(v, v).sqrt();
        if length < 1e-15 { [1.0, 0.0, 0.0] } else { v.map(|value| value / length) }
    };
    let forward = unit(sum(a.forward, b.forward));
    let up = sum(a.up, b.up);
    let along = dot(up, forward);
    let up = unit([up[0] - along * forward[0], up[1] - along * forward[1], up[2] - along * forward[2]]);
    let mean = |a: f32, b: f32| 0.5 * (a + b);
    Some(GlCamera {
        pos: sum(a.pos, b.pos).map(|value| (value * 0.5) as f32),
        forward: forward.map(|value| value as f32),
        up: up.map(|value| value as f32),
        frustum_center: mean(a.frustum_center, b.frustum_center),
        frustum_width: mean(a.frustum_width, b.frustum_width),
        frustum_bottom: mean(a.frustum_bottom, b.frustum_bottom),
        frustum_top: mean(a.frustum_top, b.frustum_top),
        frustum_near: mean(a.frustum_near, b.frustum_near),
        frustum_far: mean(a.frustum_far, b.frustum_far),
        orthographic: a.orthographic,
    })
}

/// View volume of a camera for a window of the given size.
pub(crate) fn camera_volume(camera: &GlCamera, size: [i32; 2]) -> Volume {
    let half = if camera.frustum_width != 0.0 {
        camera.frustum_width
    } else {
        0.5 * size[0] as f32 / size[1] as f32 * (camera.frustum_top - camera.frustum_bottom)
    };
    Volume {
        left: f64::from(camera.frustum_center - half),
        right: f64::from(camera.frustum_center + half),
        bottom: f64::from(camera.frustum_bottom),
        top: f64::from(camera.frustum_top),
        near: f64::from(camera.frustum_near),
        far: f64::from(camera.frustum_far),
        orthographic: camera.orthographic != 0,
    }
}

/// Map from the model's frame to the eye, with the room transform of the scene.
pub(crate) fn camera_view(camera: &GlCamera, scene: &Scene) -> Affine {
    let view = look_at(camera.pos, camera.forward, camera.up);
    if scene.settings.enabletransform == 0 { view } else { compose(&view, &room(scene)) }
}

/// Map from the model's frame to the room.
fn room(scene: &Scene) -> Affine {
    let settings = &scene.settings;
    let rotation = condyle_math::quat::to_mat(&settings.rotate.map(f64::from));
    let mut map = [[0.0; 4]; 3];
    for row in 0..3 {
        for column in 0..3 {
            map[row][column] = settings.scale * rotation[3 * row + column] as f32;
        }
        map[row][3] = settings.translate[row];
    }
    map
}

/// Position of the head in the model's frame: between the two cameras, moved back from the room.
pub(crate) fn head_position(scene: &Scene) -> Vec3 {
    let [a, b] = [scene.camera[0].pos, scene.camera[1].pos];
    let middle = [0, 1, 2].map(|axis| ((f64::from(a[axis]) + f64::from(b[axis])) * 0.5) as f32);
    if scene.settings.enabletransform == 0 {
        return middle;
    }
    let map = room(scene);
    let scale = scene.settings.scale;
    let offset = [0, 1, 2].map(|axis| middle[axis] - map[axis][3]);
    // The inverse of a rotation with a scale is its transpose over the square of the scale.
    [0, 1, 2].map(|axis| {
        (map[0][axis] * offset[0] + map[1][axis] * offset[1] + map[2][axis] * offset[2]) / (scale * scale)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_maps_to_one_and_far_to_zero() {
        for orthographic in [false, true] {
            let volume =
                Volume { left: -1.0, right: 1.0, bottom: -1.0, top: 1.0, near: 1.0, far: 10.0, orthographic };
            let rows = volume.project([0.0, 0.0], [100.0, 50.0]);
            let near = project_point(&rows, [-1.0, -1.0, -1.0]);
            let far = project_point(&rows, [0.0, 0.0, -10.0]);
            assert!((near[2] / near[3] - 1.0).abs() < 1e-6 && near[0].abs() < 1e-5 && near[1].abs() < 1e-5);
            assert!((far[2] / far[3]).abs() < 1e-6);
            assert_eq!([far[0] / far[3], far[1] / far[3]], [50.0, 25.0]);
        }
    }
}
