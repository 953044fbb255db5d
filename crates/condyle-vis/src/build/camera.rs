//! Cameras of the model: a box with a lens, and the frustum of those with a resolution.

use condyle_math::{Mat3, PI, Vec3, mat3, vec3};
use condyle_model::{GeomType, ObjectType, Projection};

use super::Builder;
use crate::camera::sensor_frustum;
use crate::element::narrow;
use crate::types::{FrameKind, LabelKind, VisualFlag};

/// Width of the lines of a frustum, pixels.
const LINE_WIDTH: f64 = 3.0;
/// Opacity of a camera whose frustum is shown.
const BEHIND_FRUSTUM: f32 = 0.3;

/// Every camera.
pub(super) fn add(b: &mut Builder<'_>) -> Option<()> {
    if !b.shows(VisualFlag::Camera) {
        return Some(());
    }
    let model = b.model;
    let size = b.mean_size() * model.vis.scale.camera;
    for camera in 0..model.ncam {
        let mut rgba = model.vis.rgba.camera;
        if model.cam_resolution[camera].iter().any(|pixels| *pixels > 1) {
            rgba[3] = BEHIND_FRUSTUM;
            add_frustum(b, camera)?;
        }
        let k = &b.data.kinematics;
        let (position, rotation) = (k.cam_xpos[camera], &k.cam_xmat[camera]);
        add_body(b, camera, position, rotation, size, rgba)?;
        if b.options.frame == FrameKind::Camera as i32 {
            let (length, width) = b.frame_size();
            b.add_frame(camera, position, rotation, length, width)?;
        }
    }
    Some(())
}

/// A share of a size, rounded once.
pub(super) fn share(size: f32, factor: f64) -> f32 {
    (f64::from(size) * factor) as f32
}

fn add_body(
    b: &mut Builder<'_>,
    camera: usize,
    position: Vec3,
    rotation: &Mat3,
    size: f32,
    rgba: [f32; 4],
) -> Option<()> {
    let mut body = b.decor(camera, ObjectType::Camera)?;
    body.r#type = GeomType::Box as i32;
    body.size = [share(size, 1.0), share(size, 0.8), share(size, 0.4)];
    body.pos = narrow(&position);
    body.mat = narrow(rotation);
    body.rgba = rgba;
    if b.labels(LabelKind::Camera) {
        b.name(&mut body, ObjectType::Camera, camera);
    }
    b.push(body);

    let mut lens = b.decor(camera, ObjectType::Camera)?;
    lens.r#type = GeomType::Cylinder as i32;
    lens.size = [share(size, 0.4), share(size, 0.4), share(size, 0.3)];
    let backward = mat3::column(rotation, 2);
    lens.pos = std::array::from_fn(|axis| (position[axis] - f64::from(size) * 0.6 * backward[axis]) as f32);
    lens.mat = narrow(rotation);
    lens.rgba = [rgba[0] * 0.5, rgba[1] * 0.5, rgba[2] * 0.5, rgba[3]];
    b.push(lens);
    Some(())
}

/// Extents of a frustum at its near end: down and up, left and right.
struct Extents {
    vertical: [f32; 2],
    horizontal: [f32; 2],
}

/// Triangles and lines of a frustum. Its far end is at a distance of its own, not where pictures end.
fn add_frustum(b: &mut Builder<'_>, camera: usize) -> Option<()> {
    let model = b.model;
    let near = f64::from(model.vis.map.znear) * model.stat.extent;
    let mut far = f64::from(model.vis.scale.frustum * b.mean_size());
    let orthographic = model.cam_projection[camera] == Projection::Orthographic as i32;
    let mut extents = near_extents(b, camera, near, orthographic);
    let front = corners(b, camera, &extents, near);
    if orthographic {
        far = f64::from((extents.horizontal[0] + extents.vertical[0]) / 2.0);
    } else {
        let grow = |side: f32| (f64::from(side) * (far / near)) as f32;
        extents.horizontal = extents.horizontal.map(grow);
        extents.vertical = extents.vertical.map(grow);
    }
    let back = corners(b, camera, &extents, far);
    let rgba = model.vis.rgba.frustum;
    for edge in 0..4 {
        let next = (edge + 1) % 4;
        for triangle in [[front[edge], back[edge], front[next]], [back[edge], back[next], front[next]]] {
            b.add_triangle(triangle, rgba, camera, ObjectType::Camera)?;
        }
        for ends in [[front[edge], front[next]], [back[edge], back[next]], [front[edge], back[edge]]] {
            b.add_connector(GeomType::Line, LINE_WIDTH, ends, Some(rgba), camera, ObjectType::Camera)?;
        }
    }
    Some(())
}

fn near_extents(b: &Builder<'_>, camera: usize, near: f64, orthographic: bool) -> Extents {
    let model = b.model;
    let [width, height] = model.cam_resolution[camera];
    let aspect = width as f32 / height as f32;
    let fovy = model.cam_fovy[camera];
    let sensor = model.cam_sensorsize[camera];
    if orthographic {
        let horizontal = (fovy * f64::from(aspect) / 2.0) as f32;
        Extents { vertical: [(fovy / 2.0) as f32; 2], horizontal: [horizontal; 2] }
    } else if sensor[0] != 0.0 && sensor[1] != 0.0 {
        let (vertical, horizontal) = sensor_frustum(near as f32, &model.cam_intrinsic[camera], &sensor);
        Extents { vertical, horizontal }
    } else {
        let vertical = (near * (fovy * PI / 360.0).tan()) as f32;
        Extents { vertical: [vertical; 2], horizontal: [vertical * aspect; 2] }
    }
}

/// Corners at a distance in front of a camera, around the view.
fn corners(b: &Builder<'_>, camera: usize, extents: &Extents, distance: f64) -> [Vec3; 4] {
    let k = &b.data.kinematics;
    let [x, y, z] = [0, 1, 2].map(|axis| mat3::column(&k.cam_xmat[camera], axis));
    let center = vec3::add_scaled(k.cam_xpos[camera], z, -distance);
    let [left, right] = extents.horizontal.map(f64::from);
    let [down, up] = extents.vertical.map(f64::from);
    [(-left, -down), (right, -down), (right, up), (-left, up)]
        .map(|(aside, above)| vec3::add_scaled(vec3::add_scaled(center, x, aside), y, above))
}
