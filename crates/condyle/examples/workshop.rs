//! A tour of the library on a small robot arm: edit, save, control, inverse kinematics, linearisation, inverse dynamics, a batch of
//! trajectories, a snapshot. It names nothing but `condyle`.
//!
//! ```text
//! cargo run --release --example workshop
//! ```

use std::error::Error;
use std::path::PathBuf;

use condyle::prelude::*;
use condyle::rollout::{Output, Rollout, Trajectories};

const ARM: &str = include_str!("arm.xml");

type Outcome<T> = Result<T, Box<dyn Error>>;

#[allow(dead_code, reason = "the tests call `run` alone")]
fn main() -> Outcome<()> {
    let lines = run()?;
    #[allow(clippy::print_stdout, reason = "this is a program")]
    for line in lines {
        println!("{line}");
    }
    Ok(())
}

/// Everything, in order; returns what there is to say about it.
pub(crate) fn run() -> Outcome<Vec<String>> {
    let folder = std::env::temp_dir().join(format!("condyle-workshop-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let result = tour(folder.clone());
    std::fs::remove_dir_all(&folder)?;
    result
}

fn tour(folder: PathBuf) -> Outcome<Vec<String>> {
    let source = folder.join("arm.xml");
    std::fs::write(&source, ARM)?;
    let saved = folder.join("edited.xml");
    edit(&source)?.save(&saved)?;
    let mut sim = Sim::load(&saved)?;
    Ok(vec![
        control(&mut sim)?,
        reach(&mut sim)?,
        linearise(&mut sim)?,
        inverse_dynamics(&mut sim)?,
        batch(&sim)?,
        snapshot(&mut sim)?,
    ])
}

/// Adds a gripper with a motor, removes a joint, changes a default, and checks that the result compiles.
fn edit(source: &std::path::Path) -> Outcome<Spec> {
    let mut spec = Spec::load(source)?;

    let gripper = spec.add_body(spec.body("hand")?);
    spec.bodies[gripper].info.name = "gripper".to_owned();
    spec.bodies[gripper].pos = [0.06, 0.0, 0.0];
    let slide = spec.add_joint(gripper, None);
    spec.joints[slide].info.name = "grip".to_owned();
    spec.joints[slide].kind = JointType::Slide;
    spec.joints[slide].axis = [1.0, 0.0, 0.0];
    spec.joints[slide].range = [0.0, 0.05];
    let finger = spec.add_geom(gripper, None);
    spec.geoms[finger].kind = GeomType::Box;
    spec.geoms[finger].size = [0.02, 0.01, 0.01];
    spec.geoms[finger].mass = Some(0.05);
    let motor = spec.add_actuator(None);
    spec.actuators[motor].info.name = "grip".to_owned();
    spec.actuators[motor].trntype = TransmissionType::Joint;
    spec.actuators[motor].target = "grip".to_owned();

    spec.remove(spec.joint("twist")?)?;

    // A default applies to elements that are added from now on.
    let main = spec.main_class();
    spec.classes[main].geom.friction[0] = 0.8;
    let stand = spec.add_geom(spec.world(), None);
    spec.geoms[stand].info.name = "stand".to_owned();
    spec.geoms[stand].size[0] = 0.05;
    spec.geoms[stand].pos = [0.0, 0.0, 1.0];
    (spec.geoms[stand].contype, spec.geoms[stand].conaffinity) = (0, 0);

    let model = spec.compile(&LoadOptions::default())?.model;
    let stand = model.geom("stand")?;
    assert_eq!((model.nbody, model.nu, model.nv), (5, 3, 3));
    assert_eq!(model.geom_friction[stand.index()][0], 0.8);
    Ok(spec)
}

/// Holds a posture with a proportional and derivative controller in a closure.
fn control(sim: &mut Sim) -> Outcome<String> {
    let targets = [("shoulder", 0.4), ("elbow", -0.8)];
    let mut loops = Vec::new();
    for (name, target) in targets {
        loops.push((sim.model.joint(name)?, sim.model.actuator(name)?, target));
    }
    sim.on_control(move |sim| {
        for &(joint, motor, target) in &loops {
            let (position, velocity) = (sim.joint(joint).qpos(), sim.joint(joint).qvel());
            sim.set_ctrl(motor, 6.0 * (target - position) - 0.6 * velocity);
        }
    });
    sim.run_for(3.0);
    sim.remove_hooks();
    let (elbow, hand) = (sim.joint("elbow")?.qpos(), sim.body("hand")?.position());
    assert!((elbow + 0.8).abs() < 0.1, "the elbow is at {elbow}");
    assert_eq!(sim.sensor("imu")?.len(), 3);
    Ok(format!("control: elbow at {elbow:.3} rad, hand at {hand:.3?}"))
}

/// One step of inverse kinematics per turn: moves the joints along the transposed Jacobian until the grip is where it should be.
fn reach(sim: &mut Sim) -> Outcome<String> {
    let target = [0.45, 0.0, 1.2];
    let mut distance = f64::INFINITY;
    for _ in 0..200 {
        sim.forward();
        let grip = sim.site("grip")?.position();
        let error = [0, 1, 2].map(|axis| target[axis] - grip[axis]);
        distance = error.iter().map(|x| x * x).sum::<f64>().sqrt();
        let jacobian = sim.site_jacobian("grip")?;
        let step = jacobian.joint_forces(error, [0.0; 3]);
        for (name, gain) in [("shoulder", 1.5), ("elbow", 1.5)] {
            let joint = sim.joint(name)?;
            let moved = joint.qpos() + gain * step[joint.dofs().start];
            sim.joint_mut(name)?.set_qpos(moved);
        }
    }
    assert!(distance < 1e-3, "the grip is {distance} m away");
    Ok(format!("inverse kinematics: {:.1e} m from the target", distance))
}

/// The next state as a linear function of the state and the controls.
fn linearise(sim: &mut Sim) -> Outcome<String> {
    let before = sim.snapshot();
    let linear = sim.linearize(&LinearizeOptions::default())?;
    let size = 2 * sim.model.nv + sim.model.na;
    assert_eq!((linear.a.len(), linear.b.len()), (size * size, size * sim.model.nu));
    sim.restore(&before)?;
    Ok(format!("linearised: A is {size} × {size}, B is {size} × {}", sim.model.nu))
}

/// The forces that would hold the arm still where it is; applied, they do.
fn inverse_dynamics(sim: &mut Sim) -> Outcome<String> {
    sim.data.state.qvel.fill(0.0);
    sim.data.inputs.ctrl.fill(0.0);
    let forces = sim.inverse_dynamics(&vec![0.0; sim.model.nv])?;
    sim.data.inputs.qfrc_applied.copy_from_slice(&forces);
    sim.forward();
    let size = sim.data.acceleration.qacc.iter().map(|x| x * x).sum::<f64>().sqrt();
    sim.data.inputs.qfrc_applied.fill(0.0);
    assert!(size < 1e-6, "it accelerates by {size}");
    Ok(format!("inverse dynamics: {forces:.2?} hold the arm; it accelerates by {size:.0e}"))
}

/// Eight trajectories with different controls on two threads.
fn batch(sim: &Sim) -> Outcome<String> {
    let model: &Model = &sim.model;
    let (trajectories, steps) = (8, 50);
    let mut start = vec![0.0; 1 + model.nq + model.nv];
    start[1..1 + model.nq].copy_from_slice(&sim.data.state.qpos);
    let controls: Vec<f64> = (0..trajectories).flat_map(|k| vec![0.1 * k as f64; steps * model.nu]).collect();
    let (models, starts) = ([model], start.repeat(trajectories));
    let mut batch = Trajectories::new(&models, steps, &starts);
    batch.controls = Some(&controls);
    let mut states = vec![0.0; trajectories * steps * batch.state_size()];
    let mut data = vec![Data::new(model); 2];
    Rollout::new(data.len())?.run(
        &batch,
        &mut data,
        Output { states: Some(&mut states), sensordata: None },
    )?;
    let last = |k: usize| states[(k * steps + steps - 1) * batch.state_size() + 1];
    assert!(last(0) != last(7));
    Ok(format!("batch: the shoulder ends between {:.3} and {:.3} rad", last(0), last(7)))
}

/// A simulation that is set aside and continued gives the same bits.
fn snapshot(sim: &mut Sim) -> Outcome<String> {
    let aside = sim.snapshot();
    sim.run(100);
    let first = sim.data.state.qpos.clone();
    sim.restore(&aside)?;
    sim.run(100);
    assert_eq!(first, sim.data.state.qpos);
    Ok("snapshot: continued with the same bits".to_owned())
}
