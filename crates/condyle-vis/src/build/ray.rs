//! Range finders and distances between geoms: lines from where rays start to what they meet.

use condyle_engine::sensor::PixelRays;
use condyle_math::{Vec3, dense, mat3, vec3};
use condyle_model::{GeomType, ObjectType, SensorType};

use super::Builder;
use crate::element::narrow;
use crate::types::VisualFlag;

/// Width of a ray, pixels.
const LINE_WIDTH: f64 = 3.0;
/// Radius of a point that was met in widths of frame axes, for sites and for cameras.
const SITE_POINT: f64 = 1.5;
const CAMERA_POINT: f64 = 1.3;

/// Rays of every range finder that meet something, and the shortest lines between geoms.
pub(super) fn add(b: &mut Builder<'_>) -> Option<()> {
    if !b.shows(VisualFlag::RangeFinder) {
        return Some(());
    }
    let model = b.model;
    for sensor in 0..model.nsensor {
        let kind = model.sensor_type[sensor];
        if kind == SensorType::Rangefinder as i32 {
            add_range_finder(b, sensor)?;
        } else if kind == SensorType::GeomFromTo as i32 {
            let reading = reading(b, sensor);
            if let Some(&[x, y, z, u, v, w]) = reading.first_chunk().filter(|line| !dense::is_zero(&line[..]))
            {
                add_line(b, sensor, [[x, y, z], [u, v, w]])?;
            }
        }
    }
    Some(())
}

fn reading<'a>(b: &Builder<'a>, sensor: usize) -> &'a [f64] {
    let first = b.model.sensor_adr[sensor].max(0) as usize;
    let count = b.model.sensor_dim[sensor].max(0) as usize;
    b.data.sensors.sensordata.get(first..first + count).unwrap_or_default()
}

fn add_line(b: &mut Builder<'_>, sensor: usize, ends: [Vec3; 2]) -> Option<()> {
    let rgba = Some(b.model.vis.rgba.rangefinder);
    b.add_connector(GeomType::Line, LINE_WIDTH, ends, rgba, sensor, ObjectType::Sensor)
}

/// Where the parts of a range finder's reading stand that are shown; `None` for those it does not have.
struct Layout {
    distance: Option<usize>,
    point: Option<usize>,
    normal: Option<usize>,
    /// Numbers per ray.
    size: usize,
}

impl Layout {
    /// A reading is distance, direction, origin, point, normal and depth, those whose bits are set.
    fn new(bits: i32) -> Self {
        let mut size = 0;
        let places = [1, 3, 3, 3, 3, 1].iter().enumerate().map(|(part, width)| {
            let place = size;
            let present = bits & (1 << part) != 0;
            if present {
                size += width;
            }
            present.then_some(place)
        });
        let places: Vec<_> = places.collect();
        Self { distance: places[0], point: places[3], normal: places[4], size }
    }
}

fn add_range_finder(b: &mut Builder<'_>, sensor: usize) -> Option<()> {
    let (model, k) = (b.model, &b.data.kinematics);
    let layout = Layout::new(model.sensor_intprm[sensor][0]);
    let Ok(object) = usize::try_from(model.sensor_objid[sensor]) else { return Some(()) };
    let values = reading(b, sensor);
    if model.sensor_objtype[sensor] == ObjectType::Site as i32 {
        let axis = mat3::column(&k.site_xmat[object], 2);
        return add_ray(b, sensor, &layout, values, (k.site_xpos[object], axis), SITE_POINT);
    }
    if model.sensor_objtype[sensor] != ObjectType::Camera as i32 || layout.size == 0 {
        return Some(());
    }
    let rays = PixelRays::new(model, &b.data.kinematics, object);
    let width = model.cam_resolution[object][0].max(1) as usize;
    for (pixel, values) in values.chunks_exact(layout.size).enumerate() {
        let ray = rays.through(pixel % width, pixel / width);
        add_ray(b, sensor, &layout, values, (ray.origin, ray.direction), CAMERA_POINT)?;
    }
    Some(())
}

/// The line to what a ray meets, the point itself and the normal there, as far as the sensor reports them.
fn add_ray(
    b: &mut Builder<'_>,
    sensor: usize,
    layout: &Layout,
    values: &[f64],
    (origin, direction): (Vec3, Vec3),
    point_size: f64,
) -> Option<()> {
    let rgba = b.model.vis.rgba.rangefinder;
    let (length, width) = b.frame_size();
    let vector = |place: Option<usize>| -> Option<Vec3> { values.get(place?..)?.first_chunk().copied() };
    let distance = layout.distance.and_then(|place| values.get(place)).copied().unwrap_or(-1.0);
    let mut point = [0.0; 3];
    if distance >= 0.0 {
        point = vec3::add_scaled(origin, direction, distance);
        add_line(b, sensor, [origin, point])?;
    }
    if let Some(met) = vector(layout.point).filter(|met| *met != [0.0; 3]) {
        point = met;
        let mut geom = b.decor(sensor, ObjectType::Sensor)?;
        geom.r#type = GeomType::Sphere as i32;
        geom.size = [(point_size * f64::from(width)) as f32; 3];
        geom.pos = narrow(&point);
        geom.rgba = rgba;
        b.push(geom);
    }
    if let Some(normal) = vector(layout.normal).filter(|_| distance >= 0.0 || point != [0.0; 3]) {
        let end = vec3::add_scaled(point, normal, 2.0 * f64::from(length));
        let ends = [point, end];
        b.add_connector(GeomType::Arrow1, f64::from(width), ends, Some(rgba), sensor, ObjectType::Sensor)?;
    }
    Some(())
}
