//! Contract: every own model goes exactly where it went when the run agreed with MuJoCo, so that a change of any arithmetic in the step
//! shows without Python.
//!
//! `conformance/goldens.toml` holds a hash of each model's run, written by `cargo xtask goldens` from a run that MuJoCo confirmed to the
//! last bit. Where sines come from another library the hashes do not apply; there the sum of the final numbers must agree.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use condyle::model::{Integrator, enable};
use condyle::{LoadOptions, Sim};

/// What `goldens.toml` says about a model.
struct Golden {
    name: String,
    steps: u32,
    hash: u64,
    sum: f64,
    size: f64,
}

fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")
}

fn goldens() -> Vec<Golden> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/goldens.toml");
    let text = std::fs::read_to_string(path).expect("conformance/goldens.toml is part of the repository");
    let lines = text.lines().filter(|line| line.starts_with('"'));
    lines
        .map(|line| {
            let value = |key: &str| {
                let (_, rest) = line.split_once(&format!(" {key} = ")).expect(line);
                rest.split([',', ' ']).next().unwrap_or_default().trim_matches('"')
            };
            Golden {
                name: line.split('"').nth(1).expect(line).to_owned(),
                steps: value("steps").parse().expect(line),
                hash: u64::from_str_radix(value("hash"), 16).expect(line),
                sum: value("sum").parse().expect(line),
                size: value("size").parse().expect(line),
            }
        })
        .collect()
}

/// FNV-1a, with words in the place of bytes.
fn mixed(words: impl IntoIterator<Item = u64>, start: u64) -> u64 {
    words.into_iter().fold(start, |value, word| {
        let value = (value ^ word).wrapping_mul(0x0100_0000_01b3);
        value ^ (value >> 29)
    })
}

const START: u64 = 0xcbf2_9ce4_8422_2325;

/// SplitMix64: a number from 0 to 1.
fn uniform(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

/// Steps at which forces are applied from outside. The others leave what sleeps asleep.
const PUSHED: std::ops::RangeInclusive<u32> = 31..=60;

/// Time, positions, velocities, activations, readings, energies, and the frames of cameras and lights.
fn numbers(sim: &Sim) -> impl Iterator<Item = f64> {
    let (state, k) = (&sim.data.state, &sim.data.kinematics);
    let parts = [
        &state.qpos[..],
        &state.qvel,
        &state.act,
        &sim.data.sensors.sensordata,
        &sim.data.sensors.energy,
        k.cam_xpos.as_flattened(),
        k.cam_xmat.as_flattened(),
        k.light_xpos.as_flattened(),
        k.light_xdir.as_flattened(),
    ];
    [state.time].into_iter().chain(parts.into_iter().flatten().copied())
}

/// Forces on all dofs and bodies that accelerate each by up to about 3 m/s² or rad/s².
fn push(sim: &mut Sim, random: &mut u64) {
    let mut acceleration = || 3.0 * (2.0 * uniform(random) - 1.0);
    let (model, inputs) = (&sim.model, &mut sim.data.inputs);
    for (force, inertia) in inputs.qfrc_applied.iter_mut().zip(model.dof_M0.iter()) {
        *force = acceleration() * inertia;
    }
    let bodies = model.body_mass.iter().zip(model.body_inertia.iter());
    for (wrench, (mass, inertia)) in inputs.xfrc_applied.iter_mut().zip(bodies) {
        let scales = [*mass, *mass, *mass, inertia[0], inertia[1], inertia[2]];
        for (component, scale) in wrench.iter_mut().zip(scales) {
            *component = acceleration() * scale;
        }
    }
}

/// Hash of a run and sum of the numbers after it.
fn run(golden: &Golden) -> (u64, f64) {
    let options = LoadOptions::default().reference_bugs(true);
    let loaded = condyle::load_with(models().join(&golden.name), &options);
    let mut sim = Sim::new(loaded.unwrap_or_else(|error| panic!("{}: {error}", golden.name)).model);
    if sim.model.nkey > 0 {
        sim.reset_to_keyframe("0");
    }
    let mut random = mixed(golden.name.bytes().map(u64::from), START);
    let mut hash = mixed(numbers(&sim).map(f64::to_bits), START);
    for step in 1..=golden.steps {
        for actuator in 0..sim.model.nu {
            let limited = sim.model.actuator_ctrllimited[actuator] != 0;
            let [low, high] = if limited { sim.model.actuator_ctrlrange[actuator] } else { [-0.3, 0.3] };
            sim.data.inputs.ctrl[actuator] = low + (high - low) * uniform(&mut random);
        }
        if PUSHED.contains(&step) {
            push(&mut sim, &mut random);
        } else {
            sim.data.inputs.qfrc_applied.fill(0.0);
            sim.data.inputs.xfrc_applied.fill([0.0; 6]);
        }
        sim.step();
        hash = mixed(numbers(&sim).map(f64::to_bits), hash);
    }
    let sum = numbers(&sim).fold(0.0, |total, value| total + value);
    // The forces that the accelerations of the last step need, as continuous and as discrete ones; there are no discrete ones with RK4.
    for discrete in [false, true] {
        let runge_kutta = sim.model.opt.integrator == Integrator::Rk4 as i32;
        if golden.steps < 100 || (discrete && runge_kutta) {
            continue;
        }
        let flags = &mut std::sync::Arc::make_mut(&mut sim.model).opt.enableflags;
        *flags = if discrete { *flags | enable::INVDISCRETE } else { *flags & !enable::INVDISCRETE };
        let accelerations = sim.data.acceleration.qacc.to_vec();
        sim.inverse_dynamics(&accelerations).expect("as many as there are dofs");
        hash = mixed(sim.data.inverse.qfrc_inverse.iter().map(|force| force.to_bits()), hash);
    }
    (hash, sum)
}

/// Whether sine and the like are those of the machine that wrote the hashes.
fn hashes_apply() -> bool {
    #[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
    return std::arch::is_x86_feature_detected!("fma");
    #[cfg(not(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu")))]
    false
}

#[test]
fn every_own_model_goes_where_it_went_with_mujoco() {
    let goldens = goldens();
    assert!(goldens.len() > 200, "goldens.toml has {} models", goldens.len());
    let exact = hashes_apply();
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(golden) = goldens.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let (hash, sum) = run(golden);
                    let near = (sum - golden.sum).abs() <= 1e-6 * (1.0 + golden.size);
                    if !(hash == golden.hash || (!exact && near)) {
                        let Golden { name, steps, sum: was, .. } = golden;
                        let line = format!("{name}: sum {sum:?} after {steps} steps, was {was:?}");
                        wrong.lock().expect("no thread failed").push(line);
                    }
                }
            });
        }
    });
    let mut wrong = wrong.into_inner().expect("no thread failed");
    wrong.sort();
    assert!(wrong.is_empty(), "{} models went elsewhere:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_own_model_has_a_golden() {
    let kept: Vec<_> = goldens().into_iter().map(|golden| golden.name).collect();
    let mut folders = vec![models()];
    let mut missing = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("models are there").flatten() {
            let path = entry.path();
            let name = path.strip_prefix(models()).expect("inside").to_string_lossy().replace('\\', "/");
            if path.is_dir() && name != "malformed" {
                folders.push(path);
            } else if name.ends_with(".xml") && !kept.contains(&name) && Sim::load(&path).is_ok() {
                missing.push(name);
            }
        }
    }
    assert!(missing.is_empty(), "run `cargo xtask goldens`: {missing:?}");
}
