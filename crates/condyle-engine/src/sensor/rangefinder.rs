//! Rangefinders: one ray along a site's z axis, or one ray per pixel of a camera.
//!
//! The rays of a perspective camera start at one point and are cast together, so that they miss what [`cast_many`] sets aside.

use condyle_collide::ray::Ray;
use condyle_math::{Vec3, mat3, vec3};
use condyle_model::{Model, ObjectType, Projection};

use super::camera::PixelRays;
use crate::collision::multi_ray::{MultiRayScratch, cast_many, compared_by_many};
use crate::collision::ray::{RayFilter, SceneHit, cast, compared};
use crate::data::Kinematics;

/// Geoms farther than this are not looked for by rays that are cast together.
const FARTHEST: f64 = 1e10;

/// Bits of the sensor's data specification, in output order.
const DISTANCE: i32 = 1 << 0;
const DIRECTION: i32 = 1 << 1;
const ORIGIN: i32 = 1 << 2;
const POINT: i32 = 1 << 3;
const NORMAL: i32 = 1 << 4;
const DEPTH: i32 = 1 << 5;

/// The rays of a rangefinder, each with every geom that it is compared with, in the order in which [`compute`] does so.
pub(super) fn for_each_comparison(
    model: &Model,
    kinematics: &Kinematics,
    sensor: usize,
    mut found: impl FnMut(&Ray, usize),
) {
    let Some(object) = model.sensor_objid(sensor) else { return };
    let mut alone = |ray: &Ray, filter: &RayFilter| {
        compared(model, kinematics, ray, filter).for_each(|geom| found(ray, geom));
    };
    if model.sensor_objtype(sensor) == Some(ObjectType::Site) {
        return alone(&of_site(kinematics, object), &excluding(model.site_bodyid[object]));
    }
    let filter = excluding(model.cam_bodyid[object]);
    let rays = PixelRays::new(model, kinematics, object);
    let pixels = pixels_of(model, object).map(|(column, row)| rays.through(column, row));
    if model.cam_projection(object) != Some(Projection::Perspective) {
        return pixels.for_each(|ray| alone(&ray, &filter));
    }
    let origin = kinematics.cam_xpos[object];
    let directions = pixels.map(|ray| ray.direction);
    compared_by_many(model, kinematics, origin, directions, &filter, FARTHEST, found);
}

/// The ray of a rangefinder at a site.
fn of_site(kinematics: &Kinematics, site: usize) -> Ray {
    Ray { origin: kinematics.site_xpos[site], direction: mat3::column(&kinematics.site_xmat[site], 2) }
}

/// Columns and rows of the pixels of a camera, in the order of readings.
fn pixels_of(model: &Model, camera: usize) -> impl Iterator<Item = (usize, usize)> + Clone {
    let [width, height] = model.cam_resolution[camera].map(|n| n.max(0) as usize);
    (0..width * height).map(move |pixel| (pixel % width, pixel / width))
}

/// Compute a rangefinder.
pub(super) fn compute(
    model: &Model,
    kinematics: &Kinematics,
    sensor: usize,
    reading: &mut [f64],
    scratch: &mut MultiRayScratch,
) {
    let Some(object) = model.sensor_objid(sensor) else { return };
    let fields = model.sensor_intprm[sensor][0];
    let mut output = Output { reading, used: 0 };
    if model.sensor_objtype(sensor) == Some(ObjectType::Site) {
        let ray = of_site(kinematics, object);
        let filter = excluding(model.site_bodyid[object]);
        write_ray(&ray, cast(model, kinematics, &ray, &filter), fields, None, &mut output);
        return;
    }
    let filter = excluding(model.cam_bodyid[object]);
    let camera = (kinematics.cam_xpos[object], mat3::column(&kinematics.cam_xmat[object], 2));
    let rays = PixelRays::new(model, kinematics, object);
    let pixels = pixels_of(model, object).map(|(column, row)| rays.through(column, row));
    if model.cam_projection(object) != Some(Projection::Perspective) {
        for ray in pixels {
            write_ray(&ray, cast(model, kinematics, &ray, &filter), fields, Some(camera), &mut output);
        }
        return;
    }
    let origin = camera.0;
    let directions = pixels.clone().map(|ray| ray.direction);
    let mut pixels = pixels;
    cast_many(model, kinematics, origin, directions, &filter, FARTHEST, scratch, |_, found| {
        if let Some(ray) = pixels.next() {
            write_ray(&ray, found, fields, Some(camera), &mut output);
        }
    });
}

fn excluding(body: i32) -> RayFilter {
    RayFilter { exclude_body: usize::try_from(body).ok(), ..RayFilter::ALL }
}

/// A reading that is filled from the front.
struct Output<'a> {
    reading: &'a mut [f64],
    used: usize,
}

impl Output<'_> {
    fn push(&mut self, values: &[f64]) {
        if let Some(target) = self.reading.get_mut(self.used..self.used + values.len()) {
            target.copy_from_slice(values);
            self.used += values.len();
        }
    }
}

/// Append the fields of one ray that the sensor asks for. Depth is measured along the camera's axis, or along the ray at a site.
fn write_ray(
    ray: &Ray,
    found: Option<SceneHit>,
    fields: i32,
    camera: Option<(Vec3, Vec3)>,
    output: &mut Output<'_>,
) {
    const NOTHING: Vec3 = [0.0; 3];
    let found = found.map(|found| found.hit);
    let distance = found.map_or(-1.0, |hit| hit.distance);
    let point = found.map_or(NOTHING, |_| vec3::add_scaled(ray.origin, ray.direction, distance));
    if fields & DISTANCE != 0 {
        output.push(&[distance]);
    }
    if fields & DIRECTION != 0 {
        output.push(&found.map_or(NOTHING, |_| ray.direction));
    }
    if fields & ORIGIN != 0 {
        output.push(&ray.origin);
    }
    if fields & POINT != 0 {
        output.push(&point);
    }
    if fields & NORMAL != 0 {
        output.push(&found.map_or(NOTHING, |hit| hit.normal));
    }
    if fields & DEPTH != 0 {
        output.push(&[match (found, camera) {
            (None, _) => -1.0,
            (Some(_), None) => distance,
            (Some(_), Some((eye, axis))) => -vec3::dot(vec3::sub(point, eye), axis),
        }]);
    }
}
