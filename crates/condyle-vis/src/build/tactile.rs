//! Tactile sensors: the triangles of their mesh, coloured by pressure and sliding speeds.

use condyle_math::{MIN_VALUE, Vec3};
use condyle_model::{ObjectType, SensorType};

use super::{Builder, place};
use crate::element::widen;
use crate::types::VisualFlag;

/// Triangles of every tactile sensor that feels something; shown with contact points.
pub(super) fn add(b: &mut Builder<'_>) -> Option<()> {
    if !b.shows(VisualFlag::ContactPoint) {
        return Some(());
    }
    for sensor in 0..b.model.nsensor {
        if b.model.sensor_type[sensor] == SensorType::Tactile as i32 {
            add_sensor(b, sensor)?;
        }
    }
    Some(())
}

fn add_sensor(b: &mut Builder<'_>, sensor: usize) -> Option<()> {
    let model = b.model;
    let ids = (usize::try_from(model.sensor_objid[sensor]), usize::try_from(model.sensor_refid[sensor]));
    let (Ok(mesh), Ok(geom)) = ids else { return Some(()) };
    let vertices = model.mesh_vertnum[mesh].max(0) as usize;
    let first = model.sensor_adr[sensor].max(0) as usize;
    let reading = b.data.sensors.sensordata.get(first..first + model.sensor_dim[sensor].max(0) as usize);
    let Some(reading) = reading.filter(|reading| vertices > 0 && reading.len() >= vertices) else {
        return Some(());
    };
    let mut greatest = 0.0;
    for pressure in &reading[..vertices] {
        greatest = condyle_math::scalar::max(greatest, pressure.abs());
    }
    if greatest == 0.0 || model.geom_rbound[geom] < MIN_VALUE {
        return Some(());
    }
    let k = &b.data.kinematics;
    let corner = |vertex: i32| -> Vec3 {
        let vertex = model.mesh_vert[(model.mesh_vertadr[mesh] + vertex) as usize];
        place(k.geom_xpos[geom], &k.geom_xmat[geom], widen(&vertex))
    };
    let faces = model.mesh_faceadr[mesh].max(0) as usize;
    for face in &model.mesh_face[faces..faces + model.mesh_facenum[mesh].max(0) as usize] {
        let rgba = colour(reading, vertices, face, greatest);
        b.add_triangle(face.map(corner), rgba, sensor, ObjectType::Sensor)?;
    }
    Some(())
}

/// Red, green and blue are the means over the corners that feel something of the first three channels, relative to the greatest
/// pressure.
fn colour(reading: &[f64], vertices: usize, face: &[i32; 3], greatest: f64) -> [f32; 4] {
    let mut rgba = [0.0_f32, 0.0, 0.0, 1.0];
    for channel in 0..(reading.len() / vertices).min(3) {
        let mut felt = 0.0;
        for vertex in face {
            let value = reading.get(channel * vertices + *vertex as usize).copied().unwrap_or(0.0);
            rgba[channel] = (f64::from(rgba[channel]) + value.abs() / greatest) as f32;
            if value != 0.0 {
                felt += 1.0;
            }
        }
        if felt != 0.0 {
            rgba[channel] = (f64::from(rgba[channel]) / felt) as f32;
        }
    }
    if rgba[..3] == [0.0; 3] {
        rgba[3] = 0.1;
    }
    rgba
}
