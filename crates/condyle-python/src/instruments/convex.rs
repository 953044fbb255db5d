//! The convex pair functions one at a time, for comparison with MuJoCo. Not part of the public interface.

use condyle_collide::convex::{CcdScratch, ConvexShape};
use condyle_collide::pair::{convex_convex, convex_convex::ConvexGeom, hfield_convex, plane_convex};
use condyle_collide::{ContactBuffer, Pose};
use condyle_engine::Data;
use condyle_engine::collision::narrow::{self, NarrowScratch};
use condyle_engine::collision::{filter, shape};
use condyle_math::spatial::make_frame;
use condyle_model::{GeomType, Model};
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::shapes::Contacts;
use crate::data::{MjData, pair};
use crate::model::MjModel;

fn checked(model: &Model, geom: usize) -> PyResult<usize> {
    if geom < model.ngeom { Ok(geom) } else { Err(PyValueError::new_err("no such geom")) }
}

fn pose(data: &Data, geom: usize) -> Pose {
    Pose { position: data.kinematics.geom_xpos[geom], rotation: data.kinematics.geom_xmat[geom] }
}

fn convex<'a>(
    model: &Model,
    data: &Data,
    geom: usize,
    shape: Option<ConvexShape<'a>>,
) -> PyResult<ConvexGeom<'a>> {
    let shape = shape.ok_or_else(|| PyValueError::new_err("this geom is not convex"))?;
    Ok(ConvexGeom { shape, pose: pose(data, geom), bounding_radius: model.geom_rbound[geom] })
}

/// Contacts of two geoms at their poses in `d`, of which the first may be a plane or height field: rows of distance, position and frame.
#[pyfunction]
fn convex_contacts(
    m: Py<MjModel>,
    d: Py<MjData>,
    geom1: usize,
    geom2: usize,
    margin: f64,
) -> PyResult<Vec<[f64; 13]>> {
    let (model, data) = pair(&m, &d)?;
    let (geom1, geom2) = (checked(model, geom1)?, checked(model, geom2)?);
    let (data1, data2) = (model.geom_dataid[geom1], model.geom_dataid[geom2]);
    let (mesh1, mesh2) = (shape::mesh_shape(model, data1), shape::mesh_shape(model, data2));
    let options = shape::convex_options(model);
    let second = convex(model, data, geom2, shape::convex_shape(model, geom2, &mesh2))?;
    let (mut scratch, mut out) = (CcdScratch::default(), ContactBuffer::new());
    match model.geom_type(geom1) {
        Some(GeomType::Plane) => {
            let candidates = if data2 >= 0 { Some(&mesh2) } else { None };
            let (plane, radius) = (pose(data, geom1), second.bounding_radius);
            plane_convex::collide(&plane, second.shape, &second.pose, candidates, radius, margin, &mut out);
        }
        Some(GeomType::HField) => {
            let field = shape::height_field(model, data1);
            let field_pose = pose(data, geom1);
            hfield_convex::collide(&field, &field_pose, &second, margin, &options, &mut scratch, &mut out);
        }
        _ => {
            let first = convex(model, data, geom1, shape::convex_shape(model, geom1, &mesh1))?;
            convex_convex::collide(&first, &second, margin, &options, &mut scratch, &mut out);
        }
    }
    let row = |contact: &condyle_collide::ContactPoint| {
        let frame = make_frame(&contact.frame).unwrap_or([f64::NAN; 9]);
        let mut row = [contact.distance; 13];
        row[1..4].copy_from_slice(&contact.position);
        row[4..].copy_from_slice(&frame);
        row
    };
    Ok(out.as_slice().iter().map(row).collect())
}

/// Distance of two convex geoms up to `cutoff`, and the six coordinates of the closest points (zero beyond the cutoff).
#[pyfunction]
fn convex_distance(
    m: Py<MjModel>,
    d: Py<MjData>,
    geom1: usize,
    geom2: usize,
    cutoff: f64,
) -> PyResult<(f64, [f64; 6])> {
    let (model, data) = pair(&m, &d)?;
    let (geom1, geom2) = (checked(model, geom1)?, checked(model, geom2)?);
    let mesh1 = shape::mesh_shape(model, model.geom_dataid[geom1]);
    let mesh2 = shape::mesh_shape(model, model.geom_dataid[geom2]);
    let first = convex(model, data, geom1, shape::convex_shape(model, geom1, &mesh1))?;
    let second = convex(model, data, geom2, shape::convex_shape(model, geom2, &mesh2))?;
    let options = shape::convex_options(model);
    let found = convex_convex::distance(&first, &second, cutoff, &options, &mut CcdScratch::default());
    let (a, b) = found.witness.unwrap_or_default();
    Ok((found.distance, [a[0], a[1], a[2], b[0], b[1], b[2]]))
}

/// Contacts of geoms 0 and 1 in many placements, through the same steps as the collision stage: bounding spheres, then the test of
/// the pair. Records: margin, then size, bounding radius, position and rotation of each geom (33 numbers). With `swap` the geoms
/// change places, which only pairs without an order of their own support. Number of contacts per record, and rows of distance,
/// position and frame.
#[pyfunction]
fn narrow_contacts<'py>(
    py: Python<'py>,
    m: Py<MjModel>,
    d: Py<MjData>,
    records: PyReadonlyArray2<'py, f64>,
    swap: bool,
) -> PyResult<Contacts<'py>> {
    let (mut model, mut kinematics) = (m.get().get().clone(), d.get().read()?.kinematics.clone());
    let geoms = if swap { [1, 0] } else { [0, 1] };
    let [Some(type1), Some(type2)] =
        geoms.map(|geom| model.geom_type.get(geom).and_then(|kind| GeomType::from_i32(*kind)))
    else {
        return Err(PyValueError::new_err("the model must have two geoms"));
    };
    let flat = records.as_slice()?;
    if flat.len() % 33 != 0 {
        return Err(PyValueError::new_err("records must have 33 numbers each"));
    }
    let (mut scratch, mut counts, mut numbers) = (NarrowScratch::default(), Vec::new(), Vec::new());
    for record in flat.chunks_exact(33) {
        for (geom, part) in record[1..].chunks_exact(16).enumerate() {
            model.geom_size[geom].copy_from_slice(&part[..3]);
            model.geom_rbound[geom] = part[3];
            kinematics.geom_xpos[geom].copy_from_slice(&part[4..7]);
            kinematics.geom_xmat[geom].copy_from_slice(&part[7..16]);
        }
        if filter::spheres_apart(&model, &kinematics, geoms, record[0]) {
            counts.push(0);
            continue;
        }
        let meshes = &mut shape::Meshes::of(&model);
        let found = narrow::collide(meshes, &kinematics, geoms, [type1, type2], record[0], &mut scratch);
        let before = numbers.len();
        for contact in found {
            let Some(frame) = make_frame(&contact.frame) else { continue };
            numbers.push(contact.distance);
            numbers.extend(contact.position);
            numbers.extend(frame);
        }
        counts.push(((numbers.len() - before) / 13) as i64);
    }
    let total = numbers.len() / 13;
    Ok((PyArray1::from_vec(py, counts), PyArray1::from_vec(py, numbers).reshape([total, 13])?))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(convex_contacts, module)?)?;
    module.add_function(wrap_pyfunction!(convex_distance, module)?)?;
    module.add_function(wrap_pyfunction!(narrow_contacts, module)?)
}
