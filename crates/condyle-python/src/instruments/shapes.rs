//! The narrow phase and the ray casts on arrays of configurations, for tests that compare them with another engine.
//!
//! A record is a row of numbers. A pose is a position (3) and a rotation (9); a placed shape is a size (3) and a pose.

use condyle_collide::pair::*;
use condyle_collide::ray::{self, Cast, Hit, Ray};
use condyle_collide::sdf::{self, Field, SearchSettings, Shape};
use condyle_collide::{ContactBuffer, Pose, Size, inside};
use condyle_math::spatial::make_frame;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

type Collide = fn(&Size, &Pose, &Size, &Pose, f64, &mut ContactBuffer) -> usize;
/// Number of contacts per record, and all contacts: distance, position, completed frame.
pub(crate) type Contacts<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray2<f64>>);

fn pair_function(name: &str) -> Option<Collide> {
    Some(match name {
        "plane_sphere" => plane_sphere::collide,
        "plane_capsule" => plane_capsule::collide,
        "plane_cylinder" => plane_cylinder::collide,
        "plane_box" => plane_box::collide,
        "sphere_sphere" => sphere_sphere::collide,
        "sphere_capsule" => sphere_capsule::collide,
        "sphere_cylinder" => sphere_cylinder::collide,
        "sphere_box" => sphere_box::collide,
        "capsule_capsule" => capsule_capsule::collide,
        "capsule_box" => capsule_box::collide,
        "box_box" => box_box::collide,
        _ => return None,
    })
}

fn cast_function(name: &str) -> Option<Cast> {
    Some(match name {
        "plane" => ray::plane::cast,
        "sphere" => ray::sphere::cast,
        "capsule" => ray::capsule::cast,
        "ellipsoid" => ray::ellipsoid::cast,
        "cylinder" => ray::cylinder::cast,
        "box" => ray::cuboid::cast,
        _ => return None,
    })
}

fn unknown(what: &str, name: &str) -> PyErr {
    PyValueError::new_err(format!("unknown {what} \"{name}\""))
}

/// Rows of `N` numbers.
fn rows<const N: usize>(records: &PyReadonlyArray2<'_, f64>) -> PyResult<Vec<[f64; N]>> {
    let flat = records.as_slice()?;
    if flat.len() % N != 0 {
        return Err(PyValueError::new_err(format!("records must have {N} numbers each")));
    }
    Ok(flat.chunks_exact(N).map(|row| std::array::from_fn(|i| row[i])).collect())
}

/// `N` numbers of a record from `start` on.
fn part<const N: usize>(record: &[f64], start: usize) -> [f64; N] {
    std::array::from_fn(|i| record[start + i])
}

fn pose(record: &[f64], start: usize) -> Pose {
    Pose { position: part(record, start), rotation: part(record, start + 3) }
}

/// Call `collide` per record and gather its contacts.
fn gather<'py, const N: usize>(
    py: Python<'py>,
    records: &[[f64; N]],
    mut collide: impl FnMut(&[f64; N], &mut ContactBuffer),
) -> PyResult<Contacts<'py>> {
    let mut counts = Vec::with_capacity(records.len());
    let mut numbers = Vec::new();
    let mut contacts = ContactBuffer::new();
    for record in records {
        contacts.clear();
        collide(record, &mut contacts);
        counts.push(contacts.len() as i64);
        for contact in contacts.as_slice() {
            numbers.push(contact.distance);
            numbers.extend(contact.position);
            numbers.extend(make_frame(&contact.frame).unwrap_or([f64::NAN; 9]));
        }
    }
    let total = numbers.len() / 13;
    let contacts = PyArray1::from_vec(py, numbers).reshape([total, 13])?;
    Ok((PyArray1::from_vec(py, counts), contacts))
}

/// Distances (−1 for a miss) and normals, one row per record.
fn hits<'py>(
    py: Python<'py>,
    hits: impl Iterator<Item = Option<Hit>>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let mut numbers = Vec::new();
    for hit in hits {
        let hit = hit.unwrap_or(Hit { distance: -1.0, normal: [0.0; 3] });
        numbers.push(hit.distance);
        numbers.extend(hit.normal);
    }
    let total = numbers.len() / 4;
    PyArray1::from_vec(py, numbers).reshape([total, 4])
}

/// Contacts of a pair of shapes. Records: margin, first placed shape, second placed shape (31 numbers).
#[pyfunction]
fn collide_pair<'py>(
    py: Python<'py>,
    pair: &str,
    records: PyReadonlyArray2<'py, f64>,
) -> PyResult<Contacts<'py>> {
    let collide = pair_function(pair).ok_or_else(|| unknown("pair", pair))?;
    gather(py, &rows::<31>(&records)?, |r, out| {
        collide(&part(r, 1), &pose(r, 4), &part(r, 16), &pose(r, 19), r[0], out);
    })
}

/// Contacts of a shape with a triangle. Records: margin, placed shape, three vertices, radius (26 numbers).
#[pyfunction]
fn collide_triangle<'py>(
    py: Python<'py>,
    shape: &str,
    records: PyReadonlyArray2<'py, f64>,
) -> PyResult<Contacts<'py>> {
    if !matches!(shape, "sphere" | "capsule" | "box") {
        return Err(unknown("shape", shape));
    }
    gather(py, &rows::<26>(&records)?, |r, out| {
        let vertices = [part(r, 16), part(r, 19), part(r, 22)];
        let triangle = sphere_triangle::Triangle { vertices, radius: r[25] };
        let (size, pose): (Size, _) = (part(r, 1), pose(r, 4));
        match shape {
            "sphere" => sphere_triangle::collide(pose.position, size[0], &triangle, r[0], out),
            "capsule" => capsule_triangle::collide(&size, &pose, &triangle, r[0], out),
            _ => box_triangle::collide(&size, &pose, &triangle, r[0], out),
        };
    })
}

fn ray_of(record: &[f64], start: usize) -> Ray {
    Ray { origin: part(record, start), direction: part(record, start + 3) }
}

/// Rays on a shape given by a size. Records: placed shape, origin, direction (21 numbers).
#[pyfunction]
fn cast_ray<'py>(
    py: Python<'py>,
    shape: &str,
    records: PyReadonlyArray2<'py, f64>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let cast = cast_function(shape).ok_or_else(|| unknown("shape", shape))?;
    let records = rows::<21>(&records)?;
    hits(py, records.iter().map(|r| cast(&part(r, 0), &pose(r, 3), &ray_of(r, 15))))
}

/// Whether points lie inside a shape. Records: placed shape, point (18 numbers).
#[pyfunction]
fn points_inside<'py>(
    py: Python<'py>,
    shape: &str,
    records: PyReadonlyArray2<'py, f64>,
) -> PyResult<Bound<'py, PyArray1<bool>>> {
    let contains = match shape {
        "plane" => inside::plane,
        "sphere" => inside::sphere,
        "capsule" => inside::capsule,
        "ellipsoid" => inside::ellipsoid,
        "cylinder" => inside::cylinder,
        "box" => inside::cuboid,
        _ => return Err(unknown("shape", shape)),
    };
    let records = rows::<18>(&records)?;
    let found = records.iter().map(|r| contains(&part(r, 0), &pose(r, 3), part(r, 15))).collect();
    Ok(PyArray1::from_vec(py, found))
}

/// Rays on a mesh with its tree. Records as in `cast_ray`; the size is that of the mesh's bounding box.
#[pyfunction]
fn cast_ray_mesh<'py>(
    py: Python<'py>,
    vertices: PyReadonlyArray2<'py, f32>,
    faces: PyReadonlyArray2<'py, i32>,
    node_aabb: PyReadonlyArray2<'py, f64>,
    node_child: PyReadonlyArray2<'py, i32>,
    node_face: PyReadonlyArray1<'py, i32>,
    records: PyReadonlyArray2<'py, f64>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let mesh = ray::mesh::Mesh {
        vertices: vertices.as_slice()?.as_chunks().0,
        faces: faces.as_slice()?.as_chunks().0,
        node_aabb: node_aabb.as_slice()?.as_chunks().0,
        node_child: node_child.as_slice()?.as_chunks().0,
        node_face: node_face.as_slice()?,
    };
    let records = rows::<21>(&records)?;
    hits(py, records.iter().map(|r| ray::mesh::cast(&mesh, &part(r, 0), &pose(r, 3), &ray_of(r, 15))))
}

/// Rays on a height field. Records as in `cast_ray`; the size is ignored.
#[pyfunction]
fn cast_ray_hfield<'py>(
    py: Python<'py>,
    size: [f64; 4],
    data: PyReadonlyArray2<'py, f32>,
    records: PyReadonlyArray2<'py, f64>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let shape = data.as_array().dim();
    let field = ray::hfield::HeightField { size, rows: shape.0, columns: shape.1, data: data.as_slice()? };
    let records = rows::<21>(&records)?;
    hits(py, records.iter().map(|r| ray::hfield::cast(&field, &pose(r, 3), &ray_of(r, 15))))
}

/// A field by the name of a shape and its size, or by a plugin's name and parameters.
fn field(name: &str, parameters: &[f64]) -> PyResult<Field<'static>> {
    if let Some(shape) = Shape::from_plugin(name, parameters) {
        return Ok(Field::Shape(shape));
    }
    let size = <Size>::try_from(parameters).map_err(|_| unknown("parameters of", name))?;
    Ok(match name {
        "plane" => Field::Plane,
        "sphere" => Field::Sphere(size),
        "capsule" => Field::Capsule(size),
        "ellipsoid" => Field::Ellipsoid(size),
        "cylinder" => Field::Cylinder(size),
        "box" => Field::Box(size),
        _ => return Err(unknown("field", name)),
    })
}

/// Contacts of two distance fields. Records: bounding box (6) and pose of the first and of the second (36 numbers).
#[pyfunction]
fn collide_sdf<'py>(
    py: Python<'py>,
    first: &str,
    parameters1: Vec<f64>,
    second: &str,
    parameters2: Vec<f64>,
    starts: usize,
    iterations: usize,
    records: PyReadonlyArray2<'py, f64>,
) -> PyResult<Contacts<'py>> {
    let (field1, field2) = (field(first, &parameters1)?, field(second, &parameters2)?);
    gather(py, &rows::<36>(&records)?, |r, out| {
        sdf::collide(
            sdf::search::PlacedField { field: &field1, pose: &pose(r, 6), aabb: &part(r, 0) },
            sdf::search::PlacedField { field: &field2, pose: &pose(r, 24), aabb: &part(r, 18) },
            SearchSettings { starts, iterations },
            out,
        );
    })
}

/// Contacts of a shape with a field on an octree, as `collide_sdf`.
#[pyfunction]
fn collide_octree<'py>(
    py: Python<'py>,
    first: &str,
    parameters1: Vec<f64>,
    node_aabb: PyReadonlyArray2<'py, f64>,
    node_child: PyReadonlyArray2<'py, i32>,
    node_value: PyReadonlyArray2<'py, f64>,
    starts: usize,
    iterations: usize,
    records: PyReadonlyArray2<'py, f64>,
) -> PyResult<Contacts<'py>> {
    let octree = sdf::Octree {
        node_aabb: node_aabb.as_slice()?.as_chunks().0,
        node_child: node_child.as_slice()?.as_chunks().0,
        node_value: node_value.as_slice()?.as_chunks().0,
    };
    let (field1, field2) = (field(first, &parameters1)?, Field::Octree(octree));
    gather(py, &rows::<36>(&records)?, |r, out| {
        sdf::collide(
            sdf::search::PlacedField { field: &field1, pose: &pose(r, 6), aabb: &part(r, 0) },
            sdf::search::PlacedField { field: &field2, pose: &pose(r, 24), aabb: &part(r, 18) },
            SearchSettings { starts, iterations },
            out,
        );
    })
}

/// Rays on a flexible body. Records: origin, direction (6 numbers). Hits as in `cast_ray`, and the vertices nearest to them.
#[pyfunction]
fn cast_ray_flex<'py>(
    py: Python<'py>,
    dimension: usize,
    radius: f64,
    vertices: PyReadonlyArray2<'py, f64>,
    edges: PyReadonlyArray2<'py, i32>,
    elements: PyReadonlyArray1<'py, i32>,
    element_layers: PyReadonlyArray1<'py, i32>,
    shown: [bool; 4],
    layer: i32,
    records: PyReadonlyArray2<'py, f64>,
) -> PyResult<(Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<i64>>)> {
    let flex = ray::flex::Flex {
        dimension,
        radius,
        vertices: vertices.as_slice()?.as_chunks().0,
        edges: edges.as_slice()?.as_chunks().0,
        elements: elements.as_slice()?,
        element_layers: element_layers.as_slice()?,
    };
    let [vertices, edges, faces, skin] = shown;
    let shown = ray::flex::Shown { vertices, edges, faces, skin, layer };
    let records = rows::<6>(&records)?;
    let found: Vec<_> = records.iter().map(|r| ray::flex::cast(&flex, shown, &ray_of(r, 0))).collect();
    let vertices = found.iter().map(|hit| hit.map_or(-1, |(_, vertex)| vertex as i64)).collect();
    Ok((hits(py, found.iter().map(|hit| hit.map(|(hit, _)| hit)))?, PyArray1::from_vec(py, vertices)))
}

/// Directions under which a box is seen: least azimuth and elevation, then largest. Records: box (6), pose, eye (21 numbers).
#[pyfunction]
fn angular_bounds<'py>(
    py: Python<'py>,
    records: PyReadonlyArray2<'py, f64>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let mut numbers = Vec::new();
    for r in rows::<21>(&records)? {
        let bounds = ray::angular::AngularBounds::of_box(&part(&r, 0), &pose(&r, 6), part(&r, 18));
        let ([azimuth_low, azimuth_high], [elevation_low, elevation_high]) =
            (bounds.azimuth, bounds.elevation);
        numbers.extend([azimuth_low, elevation_low, azimuth_high, elevation_high]);
    }
    let total = numbers.len() / 4;
    PyArray1::from_vec(py, numbers).reshape([total, 4])
}

/// Rays on a distance field. Records as in `cast_ray`; the size is that of a bounding box.
#[pyfunction]
fn cast_ray_sdf<'py>(
    py: Python<'py>,
    name: &str,
    parameters: Vec<f64>,
    records: PyReadonlyArray2<'py, f64>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let field = field(name, &parameters)?;
    let records = rows::<21>(&records)?;
    hits(py, records.iter().map(|r| ray::sdf::cast(&field, &part(r, 0), &pose(r, 3), &ray_of(r, 15))))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(collide_pair, module)?)?;
    module.add_function(wrap_pyfunction!(cast_ray, module)?)?;
    module.add_function(wrap_pyfunction!(points_inside, module)?)?;
    module.add_function(wrap_pyfunction!(cast_ray_mesh, module)?)?;
    module.add_function(wrap_pyfunction!(cast_ray_hfield, module)?)?;
    module.add_function(wrap_pyfunction!(collide_triangle, module)?)?;
    module.add_function(wrap_pyfunction!(cast_ray_flex, module)?)?;
    module.add_function(wrap_pyfunction!(collide_octree, module)?)?;
    module.add_function(wrap_pyfunction!(angular_bounds, module)?)?;
    module.add_function(wrap_pyfunction!(collide_sdf, module)?)?;
    module.add_function(wrap_pyfunction!(cast_ray_sdf, module)?)
}
