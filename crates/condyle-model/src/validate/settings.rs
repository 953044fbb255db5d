//! Sizes that no array of the file stands behind, options that choose an algorithm, and limits on loops.

use super::all;
use crate::{Cone, Integrator, Jacobian, Model, Solver};

/// Most numbers in one array that the data allocates on the word of a size alone (128 MiB).
const MOST_NUMBERS: usize = 1 << 24;
/// Most iterations a binary model may ask of any solver.
const MOST_ITERATIONS: i32 = 100_000;
/// Most starting points and iterations of the search on distance fields, which multiply.
const MOST_FIELD_STEPS: i32 = 10_000;

pub(super) fn check(model: &Model) -> Result<(), String> {
    check_options(model)?;
    check_sizes(model)
}

pub(super) fn check_options(model: &Model) -> Result<(), String> {
    let opt = &model.opt;
    let known = [
        ("integrator", opt.integrator, Integrator::from_i32(opt.integrator).is_some()),
        ("cone", opt.cone, Cone::from_i32(opt.cone).is_some()),
        ("jacobian", opt.jacobian, Jacobian::from_i32(opt.jacobian).is_some()),
        ("solver", opt.solver, Solver::from_i32(opt.solver).is_some()),
        ("iterations", opt.iterations, opt.iterations <= MOST_ITERATIONS),
        ("ls_iterations", opt.ls_iterations, opt.ls_iterations <= MOST_ITERATIONS),
        ("noslip_iterations", opt.noslip_iterations, opt.noslip_iterations <= MOST_ITERATIONS),
        ("ccd_iterations", opt.ccd_iterations, opt.ccd_iterations <= MOST_ITERATIONS),
        ("sdf_initpoints", opt.sdf_initpoints, opt.sdf_initpoints <= MOST_FIELD_STEPS),
        ("sdf_iterations", opt.sdf_iterations, opt.sdf_iterations <= MOST_FIELD_STEPS),
    ];
    match known.iter().find(|(_, _, good)| !good) {
        Some((name, value, _)) => Err(format!("option {name} is {value}, out of range")),
        None => Ok(()),
    }
}

fn check_sizes(model: &Model) -> Result<(), String> {
    let total = |counts: &[i32]| -> i64 { counts.iter().map(|count| i64::from(*count)).sum() };
    all("actuator_actnum", &model.actuator_actnum, |count| count >= 0)?;
    all("sensor_dim", &model.sensor_dim, |count| count >= 0)?;
    all("plugin_statenum", &model.plugin_statenum, |count| count >= 0)?;
    let mocap = model.body_mocapid.iter().filter(|id| **id >= 0).count();
    let expected = [
        ("na", model.na, total(&model.actuator_actnum)),
        ("nsensordata", model.nsensordata, total(&model.sensor_dim)),
        ("npluginstate", model.npluginstate, total(&model.plugin_statenum)),
        ("nhistory", model.nhistory, history_size(model)),
        ("nmocap", model.nmocap, mocap as i64),
        ("nbvh", model.nbvh, model.nbvhstatic.saturating_add(model.nbvhdynamic) as i64),
    ];
    for (name, size, wanted) in expected {
        if size as i64 != wanted {
            return Err(format!("{name} is {size}, the arrays say {wanted}"));
        }
    }
    let bounded = [
        ("na", model.na, MOST_NUMBERS),
        ("nsensordata", model.nsensordata, MOST_NUMBERS),
        ("npluginstate", model.npluginstate, MOST_NUMBERS),
        ("nhistory", model.nhistory, MOST_NUMBERS),
        ("nuserdata", model.nuserdata, MOST_NUMBERS),
        ("nJmom", model.nJmom, model.nu.saturating_mul(model.nv)),
    ];
    match bounded.iter().find(|(_, size, most)| size > most) {
        Some((name, size, most)) => Err(format!("{name} is {size}, but at most {most} are allowed")),
        None => Ok(()),
    }
}

/// Numbers in all ring buffers: two of bookkeeping, then time and values of each sample.
fn history_size(model: &Model) -> i64 {
    let buffer = |samples: i32, width: i32| -> i64 {
        if samples > 0 {
            i64::from(samples).saturating_mul(1 + i64::from(width)).saturating_add(2)
        } else {
            0
        }
    };
    let controls = model.actuator_history.iter().map(|history| buffer(history[0], 1));
    let readings = model.sensor_history.iter().zip(&model.sensor_dim);
    let readings = readings.map(|(history, dim)| buffer(history[0], *dim));
    controls.chain(readings).fold(0, i64::saturating_add)
}
