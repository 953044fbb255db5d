//! Distance sensors: the smallest distance between two geoms or all geoms of two bodies, the direction or the segment it is measured along.

use condyle_math::vec3;
use condyle_model::{Model, ObjectType, SensorType};

use crate::collision::CollisionScratch;
use crate::collision::distance::sensed_distance;
use crate::data::Kinematics;

/// Compute a distance sensor.
pub(super) fn compute(
    model: &Model,
    kinematics: &Kinematics,
    sensor: usize,
    kind: SensorType,
    reading: &mut [f64],
    scratch: &mut CollisionScratch,
) {
    let cutoff = model.sensor_cutoff[sensor];
    let (mut nearest, mut segment) = (cutoff, [0.0; 6]);
    for geom1 in geoms_of(model, model.sensor_objtype(sensor), model.sensor_objid(sensor)) {
        for geom2 in geoms_of(model, model.sensor_reftype(sensor), model.sensor_refid(sensor)) {
            let (distance, points) = sensed_distance(model, kinematics, [geom1, geom2], cutoff, scratch);
            if distance < nearest {
                (nearest, segment) = (distance, points);
            }
        }
    }
    match kind {
        SensorType::GeomDistance => reading[0] = nearest,
        SensorType::GeomNormal => {
            let mut normal = [segment[3] - segment[0], segment[4] - segment[1], segment[5] - segment[2]];
            if normal != [0.0; 3] {
                vec3::normalize_mut(&mut normal);
            }
            reading.copy_from_slice(&normal);
        }
        _ => reading.copy_from_slice(&segment),
    }
}

/// Geoms that a side of the sensor means: one geom, or all of a body.
fn geoms_of(model: &Model, kind: Option<ObjectType>, id: Option<usize>) -> std::ops::Range<usize> {
    let Some(id) = id else { return 0..0 };
    if kind == Some(ObjectType::Body) {
        let start = model.body_geomadr[id].max(0) as usize;
        start..start + model.body_geomnum[id] as usize
    } else {
        id..id + 1
    }
}
