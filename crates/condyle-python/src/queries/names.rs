//! Names of elements, and small facts about a model.

use condyle_engine::query::jacobian;
use condyle_model::{Cone, ObjectType, Solver};
use pyo3::prelude::*;

use super::Int;
use crate::model::MjModel;
use crate::view::Text;

fn kind(r#type: &Int) -> Option<ObjectType> {
    i32::try_from(r#type.0).ok().and_then(ObjectType::from_i32)
}

/// Number of the element of that type and name, −1 for none.
#[pyfunction]
fn mj_name2id(m: Py<MjModel>, r#type: Int, name: Text<'_>) -> i64 {
    kind(&r#type).and_then(|kind| m.get().get().find(kind, &name)).map_or(-1, |id| id as i64)
}

/// Name of an element, or nothing.
#[pyfunction]
fn mj_id2name(m: Py<MjModel>, r#type: Int, id: Int) -> Option<String> {
    let id = usize::try_from(id.0).ok()?;
    let name = m.get().get().name(kind(&r#type)?, id).to_owned();
    (!name.is_empty()).then_some(name)
}

/// Sum of all masses.
#[pyfunction]
fn mj_getTotalmass(m: Py<MjModel>) -> f64 {
    m.get().get().body_mass.iter().fold(0.0, |sum, mass| sum + mass)
}

/// Whether friction cones are pyramids.
#[pyfunction]
fn mj_isPyramidal(m: Py<MjModel>) -> i32 {
    i32::from(m.get().get().opt.cone == Cone::Pyramidal as i32)
}

/// Whether constraint Jacobians are sparse.
#[pyfunction]
fn mj_isSparse(m: Py<MjModel>) -> i32 {
    i32::from(jacobian::is_sparse(m.get().get()))
}

/// Whether the solver works on constraint forces.
#[pyfunction]
fn mj_isDual(m: Py<MjModel>) -> i32 {
    let opt = &m.get().get().opt;
    i32::from(opt.solver == Solver::Pgs as i32 || opt.noslip_iterations > 0)
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(mj_name2id, module)?)?;
    module.add_function(wrap_pyfunction!(mj_id2name, module)?)?;
    module.add_function(wrap_pyfunction!(mj_getTotalmass, module)?)?;
    module.add_function(wrap_pyfunction!(mj_isPyramidal, module)?)?;
    module.add_function(wrap_pyfunction!(mj_isSparse, module)?)?;
    module.add_function(wrap_pyfunction!(mj_isDual, module)?)
}
