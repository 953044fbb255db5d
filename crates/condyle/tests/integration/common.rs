//! Models from text and what tests read off them.

use condyle::{Files, LoadError, LoadOptions, Loaded, Model, Sim, load_str};

/// Load text without touching the disk.
pub(crate) fn load_with(text: &str, change: impl FnOnce(&mut LoadOptions)) -> Result<Loaded, LoadError> {
    let mut options = LoadOptions::default().files(Files::without_disk());
    change(&mut options);
    load_str(text, &options)
}

pub(crate) fn model(text: &str) -> Model {
    load_with(text, |_| {}).unwrap_or_else(|problem| panic!("{problem}")).model
}

/// A simulation in its initial state, everything computed.
pub(crate) fn sim(text: &str) -> Sim {
    let mut sim = Sim::new(model(text));
    sim.forward();
    sim
}

/// Why a model is not accepted.
pub(crate) fn refused(text: &str) -> LoadError {
    load_with(text, |_| {}).map(|_| ()).expect_err("the model must be refused")
}

/// The one error of a model that is not accepted, which must have a position.
pub(crate) fn located_error(text: &str) -> String {
    let problem = refused(text);
    let errors: Vec<_> = problem.diagnostics.iter().filter(|one| one.is_error()).collect();
    assert_eq!(errors.len(), 1, "{problem}");
    assert!(errors[0].location.is_some(), "no position: {problem}");
    errors[0].message.clone()
}

/// A model whose world holds `bodies`, followed by `rest`.
pub(crate) fn world(bodies: &str, rest: &str) -> String {
    format!("<mujoco><worldbody>{bodies}</worldbody>{rest}</mujoco>")
}

#[track_caller]
pub(crate) fn near(actual: f64, expected: f64, tolerance: f64) {
    assert!((actual - expected).abs() <= tolerance, "{actual} is not {expected} within {tolerance}");
}

#[track_caller]
pub(crate) fn all_near(actual: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(actual.len(), expected.len());
    for (actual, expected) in actual.iter().zip(expected) {
        near(*actual, *expected, tolerance);
    }
}

/// Bits of numbers, for comparisons in which signed zeros and NaN count.
pub(crate) fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// The joint-space inertia, row by row.
pub(crate) fn mass_matrix(sim: &Sim) -> Vec<Vec<f64>> {
    let nv = sim.model.nv;
    let mut full = vec![0.0; nv * nv];
    condyle_engine::position::inertia::full_matrix(&sim.model, &mut full, &sim.data.inertia.qM);
    full.chunks(nv).map(<[f64]>::to_vec).collect()
}

/// The moment arms of an actuator, one per dof.
pub(crate) fn moment(sim: &Sim, actuator: usize) -> Vec<f64> {
    let transmission = &sim.data.transmission;
    let mut row = vec![0.0; sim.model.nv];
    let start = transmission.moment_rowadr[actuator] as usize;
    for entry in start..start + transmission.moment_rownnz[actuator] as usize {
        row[transmission.moment_colind[entry] as usize] = transmission.actuator_moment[entry];
    }
    row
}

/// The Jacobian of a constraint row, one entry per dof.
pub(crate) fn constraint_row(sim: &Sim, row: usize) -> Vec<f64> {
    let mut force = vec![0.0; sim.data.rows.nefc];
    force[row] = 1.0;
    let mut result = vec![0.0; sim.model.nv];
    condyle_engine::query::constraint::mul_jacobian_transposed(&sim.model, &sim.data, &mut result, &force);
    result
}

pub(crate) fn norm(values: &[f64]) -> f64 {
    values.iter().map(|value| value * value).sum::<f64>().sqrt()
}
