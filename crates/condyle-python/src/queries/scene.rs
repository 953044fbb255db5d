//! Rays through the scene and distances between geoms.

use condyle_collide::Pose;
use condyle_collide::ray::flex::Shown;
use condyle_collide::ray::{Hit, Ray};
use condyle_engine::query::distance;
use condyle_engine::query::multi_ray::{MultiRayScratch, cast_many};
use condyle_engine::query::ray::{GROUPS, RayFilter, cast, cast_flex, cast_geom, cast_shape};
use condyle_math::{MIN_VALUE, vec3};
use condyle_model::GeomType;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::{Int, require_length};
use crate::data::{MjData, pair};
use crate::mju::arrays::{Fixed, FixedMut, MatrixMut, Vector, VectorMut};
use crate::model::MjModel;

fn filter(geomgroup: Option<Vector<u8>>, flg_static: &Int, bodyexclude: &Int) -> PyResult<RayFilter> {
    let groups = match geomgroup {
        Some(groups) => {
            require_length("geomgroup", groups.len(), GROUPS)?;
            Some(std::array::from_fn(|group| groups[group] != 0))
        }
        None => None,
    };
    Ok(RayFilter {
        groups,
        include_static: flg_static.is_set(),
        exclude_body: usize::try_from(bodyexclude.0).ok(),
    })
}

fn ray(pnt: Fixed<3>, vec: Fixed<3>) -> PyResult<Ray> {
    if vec3::norm(vec.0) < MIN_VALUE {
        return Err(PyValueError::new_err("vector length is too small"));
    }
    Ok(Ray { origin: pnt.0, direction: vec.0 })
}

/// The distance of a hit, −1 for none; the normal goes to `normal`.
fn answer(hit: Option<Hit>, normal: Option<FixedMut<'_, 3>>) -> PyResult<f64> {
    if let Some(normal) = normal {
        normal.set(hit.map_or([0.0; 3], |hit| hit.normal))?;
    }
    Ok(hit.map_or(-1.0, |hit| hit.distance))
}

/// Distance to the nearest geom along a ray, −1 for none.
#[pyfunction]
#[pyo3(signature = (m, d, pnt, vec, geomgroup, flg_static, bodyexclude, geomid, normal=None))]
fn mj_ray(
    m: Py<MjModel>,
    d: Py<MjData>,
    pnt: Fixed<3>,
    vec: Fixed<3>,
    geomgroup: Option<Vector<u8>>,
    flg_static: Int,
    bodyexclude: Int,
    geomid: Option<VectorMut<'_, i32>>,
    normal: Option<FixedMut<'_, 3>>,
) -> PyResult<f64> {
    let filter = filter(geomgroup, &flg_static, &bodyexclude)?;
    let (model, data) = pair(&m, &d)?;
    let found = cast(model, &data.kinematics, &ray(pnt, vec)?, &filter);
    if let Some(geomid) = geomid {
        require_length("geomid", geomid.len(), 1)?;
        geomid.edit(|geomid| geomid[0] = found.map_or(-1, |found| found.geom as i32))?;
    }
    answer(found.map(|found| found.hit), normal)
}

/// Distances along many rays from one point.
#[pyfunction]
fn mj_multiRay(
    m: Py<MjModel>,
    d: Py<MjData>,
    pnt: Fixed<3>,
    vec: Vector,
    geomgroup: Option<Vector<u8>>,
    flg_static: Int,
    bodyexclude: Int,
    geomid: VectorMut<'_, i32>,
    dist: VectorMut<'_>,
    normal: Option<VectorMut<'_>>,
    nray: Int,
    cutoff: f64,
) -> PyResult<()> {
    let filter = filter(geomgroup, &flg_static, &bodyexclude)?;
    let count = usize::try_from(nray.0).unwrap_or(0);
    require_length("dist", dist.len(), count)?;
    require_length("geomid", geomid.len(), count)?;
    require_length("vec", vec.len(), 3 * count)?;
    if let Some(normal) = &normal {
        require_length("normal", normal.len(), 3 * count)?;
    }
    let directions: Vec<[f64; 3]> = vec.chunks_exact(3).map(|v| [v[0], v[1], v[2]]).collect();
    let (model, data) = pair(&m, &d)?;
    let kinematics = &data.kinematics;
    let mut results = Vec::with_capacity(count);
    let mut scratch = MultiRayScratch::default();
    cast_many(
        model,
        kinematics,
        pnt.0,
        directions.iter().copied(),
        &filter,
        cutoff,
        &mut scratch,
        |_, found| {
            results.push(found);
        },
    );
    // A direction without length leaves the caller's geom and normal as they are.
    let cast: Vec<bool> = directions.iter().map(|&v| !(vec3::dot(v, v) < MIN_VALUE)).collect();
    dist.edit(|dist| {
        for (target, found) in dist.iter_mut().zip(&results) {
            *target = found.map_or(-1.0, |found| found.hit.distance);
        }
    })?;
    geomid.edit(|geomid| {
        for ((target, found), _) in geomid.iter_mut().zip(&results).zip(&cast).filter(|(_, cast)| **cast) {
            *target = found.map_or(-1, |found| found.geom as i32);
        }
    })?;
    let Some(normal) = normal else { return Ok(()) };
    normal.edit(|normal| {
        let targets = normal.chunks_exact_mut(3).zip(&results).zip(&cast);
        for ((target, found), _) in targets.filter(|(_, cast)| **cast) {
            target.copy_from_slice(&found.map_or([0.0; 3], |found| found.hit.normal));
        }
    })
}

fn cast_kind(
    (m, d): (&Py<MjModel>, &Py<MjData>),
    kind: GeomType,
    geomid: &Int,
    ray: &Ray,
    normal: Option<FixedMut<'_, 3>>,
) -> PyResult<f64> {
    let model = pair(m, d)?.0;
    let geom = geomid.index("geom", model.ngeom)?;
    if model.geom_type[geom] != kind as i32 {
        return Err(PyValueError::new_err(format!("geom {geom} is not of the expected type {kind:?}")));
    }
    answer(cast_geom(model, &d.get().read()?.kinematics, ray, geom), normal)
}

/// Distance to a height field along a ray.
#[pyfunction]
#[pyo3(signature = (m, d, geomid, pnt, vec, normal=None))]
fn mj_rayHfield(
    m: Py<MjModel>,
    d: Py<MjData>,
    geomid: Int,
    pnt: Fixed<3>,
    vec: Fixed<3>,
    normal: Option<FixedMut<'_, 3>>,
) -> PyResult<f64> {
    cast_kind((&m, &d), GeomType::HField, &geomid, &Ray { origin: pnt.0, direction: vec.0 }, normal)
}

/// Distance to a mesh along a ray.
#[pyfunction]
#[pyo3(signature = (m, d, geomid, pnt, vec, normal=None))]
fn mj_rayMesh(
    m: Py<MjModel>,
    d: Py<MjData>,
    geomid: Int,
    pnt: Fixed<3>,
    vec: Fixed<3>,
    normal: Option<FixedMut<'_, 3>>,
) -> PyResult<f64> {
    cast_kind((&m, &d), GeomType::Mesh, &geomid, &Ray { origin: pnt.0, direction: vec.0 }, normal)
}

/// Distance to the shown parts of a flex along a ray; the vertex nearest to a hit goes to `vertid`.
#[pyfunction]
#[pyo3(signature = (m, d, flex_layer, flg_vert, flg_edge, flg_face, flg_skin, flexid, pnt, vec, vertid=None, normal=None))]
fn mj_rayFlex(
    m: Py<MjModel>,
    d: Py<MjData>,
    flex_layer: i32,
    flg_vert: Int,
    flg_edge: Int,
    flg_face: Int,
    flg_skin: Int,
    flexid: Int,
    pnt: Fixed<3>,
    vec: Fixed<3>,
    vertid: Option<VectorMut<'_, i32>>,
    normal: Option<FixedMut<'_, 3>>,
) -> PyResult<f64> {
    let model = pair(&m, &d)?.0;
    let flex = flexid.index("flex", model.nflex)?;
    let shown = Shown {
        vertices: flg_vert.is_set(),
        edges: flg_edge.is_set(),
        faces: flg_face.is_set(),
        skin: flg_skin.is_set(),
        layer: flex_layer,
    };
    if let Some(vertid) = &vertid {
        require_length("vertid", vertid.len(), 1)?;
    }
    let found =
        cast_flex(model, &d.get().read()?.flexes, &Ray { origin: pnt.0, direction: vec.0 }, flex, shown);
    if let (Some(vertid), Some((_, vertex))) = (vertid, found) {
        vertid.edit(|out| out[0] = vertex as i32)?;
    }
    answer(found.map(|(hit, _)| hit), normal)
}

/// Distance to a primitive shape along a ray.
#[pyfunction]
#[pyo3(signature = (pos, mat, size, pnt, vec, geomtype, normal=None))]
fn mju_rayGeom(
    pos: Fixed<3>,
    mat: Fixed<9>,
    size: Fixed<3>,
    pnt: Fixed<3>,
    vec: Fixed<3>,
    geomtype: Int,
    normal: Option<FixedMut<'_, 3>>,
) -> PyResult<f64> {
    let kind = i32::try_from(geomtype.0)
        .ok()
        .and_then(GeomType::from_i32)
        .filter(|kind| !matches!(kind, GeomType::HField | GeomType::Mesh | GeomType::Sdf))
        .ok_or_else(|| PyValueError::new_err(format!("unexpected geom type {}", geomtype.0)))?;
    let pose = Pose { position: pos.0, rotation: mat.0 };
    answer(cast_shape(kind, &size.0, &pose, &Ray { origin: pnt.0, direction: vec.0 }), normal)
}

/// Smallest distance between two geoms, at most `distmax`; the segment goes to `fromto`.
#[pyfunction]
fn mj_geomDistance(
    m: Py<MjModel>,
    d: Py<MjData>,
    geom1: Int,
    geom2: Int,
    distmax: f64,
    fromto: Option<MatrixMut<'_>>,
) -> PyResult<f64> {
    let model = pair(&m, &d)?.0;
    let (geom1, geom2) = (geom1.index("geom", model.ngeom)?, geom2.index("geom", model.ngeom)?);
    if let Some(fromto) = &fromto {
        require_length("fromto", fromto.rows * fromto.columns, 6)?;
    }
    let (found, segment) =
        d.get().with(|data| distance::geom_distance(model, data, geom1, geom2, distmax))?;
    if let Some(fromto) = fromto {
        fromto.edit(|out| out.copy_from_slice(&segment))?;
    }
    Ok(found)
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(mj_ray, module)?)?;
    module.add_function(wrap_pyfunction!(mj_multiRay, module)?)?;
    module.add_function(wrap_pyfunction!(mj_rayHfield, module)?)?;
    module.add_function(wrap_pyfunction!(mj_rayMesh, module)?)?;
    module.add_function(wrap_pyfunction!(mj_rayFlex, module)?)?;
    module.add_function(wrap_pyfunction!(mju_rayGeom, module)?)?;
    module.add_function(wrap_pyfunction!(mj_geomDistance, module)?)
}
