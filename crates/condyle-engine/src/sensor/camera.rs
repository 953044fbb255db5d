//! Camera geometry: pixel coordinates of a point, and the ray through a pixel.

use condyle_collide::ray::Ray;
use condyle_math::{MIN_VALUE, Mat3, PI, Vec3, mat3, scalar, vec3};
use condyle_model::{Model, Projection};

use crate::data::Kinematics;

/// Pixel coordinates of the sensor's site in its camera's image.
pub(super) fn project(model: &Model, kinematics: &Kinematics, sensor: usize, reading: &mut [f64]) {
    let (Some(site), Some(camera)) = (model.sensor_objid(sensor), model.sensor_refid(sensor)) else {
        return;
    };
    let matrix = projection_matrix(model, kinematics, camera);
    let [x, y, z] = kinematics.site_xpos[site];
    let pixel: [f64; 3] = std::array::from_fn(|row| {
        let mut sum = 0.0;
        for (column, coordinate) in [x, y, z, 1.0].into_iter().enumerate() {
            sum += matrix[row][column] * coordinate;
        }
        sum
    });
    let mut depth = pixel[2];
    if depth.abs() < MIN_VALUE {
        depth = if depth < 0.0 { scalar::min(depth, -MIN_VALUE) } else { scalar::max(depth, MIN_VALUE) };
    }
    reading[0] = pixel[0] / depth;
    reading[1] = pixel[1] / depth;
}

/// World coordinates to homogeneous pixels: image · focal · rotation · translation, summed in one nest so that each product keeps
/// its order.
fn projection_matrix(model: &Model, kinematics: &Kinematics, camera: usize) -> [[f64; 4]; 3] {
    let position = kinematics.cam_xpos[camera];
    let axes = &kinematics.cam_xmat[camera];
    let [width, height] = model.cam_resolution[camera];
    let (sensor, intrinsic) = (model.cam_sensorsize[camera], model.cam_intrinsic[camera]);
    let (focal_x, focal_y) = if sensor[0] != 0.0 && sensor[1] != 0.0 {
        // Single precision throughout, as the fields are stored.
        (
            f64::from(intrinsic[0] / sensor[0] * width as f32),
            f64::from(intrinsic[1] / sensor[1] * height as f32),
        )
    } else {
        let focal = 0.5 / (model.cam_fovy[camera] * PI / 360.0).tan() * f64::from(height);
        (focal, focal)
    };
    let mut translation = [[0.0; 4]; 4];
    let mut rotation = [[0.0; 4]; 4];
    for i in 0..4 {
        translation[i][i] = 1.0;
        rotation[i][i] = 1.0;
    }
    for i in 0..3 {
        translation[i][3] = -position[i];
        for j in 0..3 {
            rotation[i][j] = axes[3 * j + i];
        }
    }
    let focal = [[-focal_x, 0.0, 0.0, 0.0], [0.0, focal_y, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
    let image = [[1.0, 0.0, f64::from(width) / 2.0], [0.0, 1.0, f64::from(height) / 2.0], [0.0, 0.0, 1.0]];
    let mut result = [[0.0; 4]; 3];
    for i in 0..3 {
        for j in 0..3 {
            for k in 0..4 {
                for l in 0..4 {
                    for n in 0..4 {
                        result[i][n] += image[i][j] * focal[j][k] * rotation[k][l] * translation[l][n];
                    }
                }
            }
        }
    }
    result
}

/// How pixels of a camera map to rays.
pub struct PixelRays {
    position: Vec3,
    axes: Mat3,
    focal: [f64; 2],
    center: [f64; 2],
    extent: f64,
    perspective: bool,
}

impl PixelRays {
    /// The mapping of camera `camera`.
    pub fn new(model: &Model, kinematics: &Kinematics, camera: usize) -> Self {
        let [width, height] = model.cam_resolution[camera];
        let (sensor, intrinsic) = (model.cam_sensorsize[camera], model.cam_intrinsic[camera]);
        let perspective = model.cam_projection(camera) != Some(Projection::Orthographic);
        let middle = [f64::from(width) / 2.0, f64::from(height) / 2.0];
        let (focal, center) = if !perspective {
            (middle, middle)
        } else if sensor[0] != 0.0 && sensor[1] != 0.0 {
            let scale = [width as f32, height as f32];
            let pixels = |value: f32, axis: usize| f64::from(value / sensor[axis] * scale[axis]);
            (
                [pixels(intrinsic[0], 0), pixels(intrinsic[1], 1)],
                [pixels(intrinsic[2], 0), pixels(intrinsic[3], 1)],
            )
        } else {
            let focal = 0.5 / (model.cam_fovy[camera] * PI / 360.0).tan() * f64::from(height);
            ([focal, focal], middle)
        };
        Self {
            position: kinematics.cam_xpos[camera],
            axes: kinematics.cam_xmat[camera],
            focal,
            center,
            extent: model.cam_fovy[camera],
            perspective,
        }
    }

    /// The ray through the centre of a pixel, row 0 at the top.
    pub fn through(&self, column: usize, row: usize) -> Ray {
        let x = column as f64 + 0.5 - self.center[0];
        let y = row as f64 + 0.5 - self.center[1];
        if self.perspective {
            let local = [x / self.focal[0], -y / self.focal[1], -1.0];
            let direction = vec3::normalize(mat3::mul_vec(&self.axes, local)).0;
            Ray { origin: self.position, direction }
        } else {
            let half = self.extent / 2.0;
            let offset = [x / self.focal[0] * half, -y / self.focal[1] * half, 0.0];
            let origin = vec3::add(self.position, mat3::mul_vec(&self.axes, offset));
            Ray { origin, direction: [-self.axes[2], -self.axes[5], -self.axes[8]] }
        }
    }
}
