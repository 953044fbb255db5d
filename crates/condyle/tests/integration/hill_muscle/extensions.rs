//! Contract: docs/extensions.md. Every extension has a model that loads, moves and stays finite under every integrator.

use std::path::{Path, PathBuf};

use condyle::model::Integrator;
use condyle::{Sim, load, reset_to_keyframe};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn models() -> Vec<PathBuf> {
    let folder = root().join("models/extensions");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    assert!(paths.len() >= 3);
    paths
}

#[test]
fn every_extension_model_is_documented() {
    let document = std::fs::read_to_string(root().join("docs/extensions.md")).unwrap();
    for path in models() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        assert!(document.contains(&format!("models/extensions/{name}")), "{name}");
    }
}

#[test]
fn every_extension_model_runs_under_every_integrator() {
    for path in models() {
        let original = load(&path).unwrap_or_else(|error| panic!("{error}"));
        assert!(original.uses_extensions(), "{}", path.display());
        for integrator in Integrator::ALL {
            let mut model = original.clone();
            model.opt.integrator = *integrator as i32;
            let mut sim = Sim::new(model);
            for key in 0..sim.model.nkey {
                assert!(reset_to_keyframe(&sim.model, &mut sim.data, key));
                let start = sim.data.state.qpos.to_vec();
                for _ in 0..500 {
                    sim.step();
                }
                let state = &sim.data.state;
                let finite =
                    state.qpos.iter().chain(&*state.act).all(|value| value.is_finite() && value.abs() < 10.0);
                assert!(finite, "{} {integrator:?}: {:?} {:?}", path.display(), state.qpos, state.act);
                assert_ne!(*state.qpos, *start, "{} does not move", path.display());
            }
        }
    }
}
