//! The algorithms against mechanics: each result is computed a second time in another way, from poses alone where that is possible.

mod derivatives;
mod integrators;
mod poses;
mod sensors;
mod solvers;

use condyle::model::{Model, disable};
use condyle::prelude::*;
use condyle::query::motion::integrate_position;

use crate::models;

/// Own models that are plain trees of bodies, few enough in number of velocities for dense matrices.
fn trees() -> Vec<(String, Model)> {
    let plain = |model: &Model| {
        (1..=40).contains(&model.nv)
            && model.ntendon == 0
            && model.nflex == 0
            && model.nplugin == 0
            && model.jnt_stiffness.iter().all(|stiffness| *stiffness == 0.0)
            && model.body_gravcomp.iter().all(|factor| *factor == 0.0)
    };
    let found: Vec<_> = models::all()
        .into_iter()
        .filter(|(name, model)| !name.starts_with("extensions") && plain(model))
        .collect();
    assert!(found.len() > 40, "only {} models are plain trees", found.len());
    found
}

/// The model somewhere off its reference configuration, moving, with nothing acting but gravity.
fn free_motion(model: &Model) -> Sim {
    let mut model = model.clone();
    model.opt.disableflags |= disable::CONSTRAINT | disable::ACTUATION | disable::SPRING | disable::DAMPER;
    model.opt.enableflags = 0;
    (model.opt.density, model.opt.viscosity) = (0.0, 0.0);
    let mut sim = Sim::new(model);
    let velocity: Vec<f64> = (0..sim.model.nv).map(|dof| 0.4 * (1.3 * dof as f64 + 0.5).sin()).collect();
    integrate_position(&sim.model, &mut sim.data.state.qpos, &velocity, 0.7);
    sim.data.state.qvel.copy_from_slice(&velocity);
    sim.forward();
    sim
}

/// Poses of the inertial frames after moving by `rate` times `time`.
fn moved(sim: &Sim, rate: &[f64], time: f64) -> Sim {
    let mut moved = sim.clone();
    integrate_position(&sim.model, &mut moved.data.state.qpos, rate, time);
    moved.forward();
    moved
}

/// Linear velocity of the centre of mass and angular velocity of every body for unit velocity of one dof, from poses before and after.
fn body_velocities(sim: &Sim, dof: usize) -> Vec<[f64; 6]> {
    const H: f64 = 1e-5;
    let mut rate = vec![0.0; sim.model.nv];
    rate[dof] = 1.0;
    let (before, after) = (moved(sim, &rate, -H), moved(sim, &rate, H));
    (0..sim.model.nbody)
        .map(|body| {
            let (a, b) = (&before.data.kinematics, &after.data.kinematics);
            let change = |x: f64, y: f64| (y - x) / (2.0 * H);
            let linear = [0, 1, 2].map(|i| change(a.xipos[body][i], b.xipos[body][i]));
            // The skew part of R' Rᵀ.
            let (ra, rb, r) = (a.ximat[body], b.ximat[body], sim.data.kinematics.ximat[body]);
            let spin = |i: usize, j: usize| -> f64 {
                (0..3).map(|k| change(ra[3 * i + k], rb[3 * i + k]) * r[3 * j + k]).sum()
            };
            [linear[0], linear[1], linear[2], spin(2, 1), spin(0, 2), spin(1, 0)]
        })
        .collect()
}

#[test]
fn the_mass_matrix_is_that_of_the_moving_masses() {
    for (name, model) in trees() {
        let sim = free_motion(&model);
        let nv = sim.model.nv;
        let (matrix, columns) = (sim.mass_matrix(), (0..nv).map(|dof| body_velocities(&sim, dof)));
        let columns: Vec<_> = columns.collect();
        let size = matrix.iter().fold(0.0, |sum: f64, x| sum + x.abs());
        for i in 0..nv {
            for j in 0..nv {
                let mut expected = if i == j { sim.model.dof_armature[i] } else { 0.0 };
                for body in 1..sim.model.nbody {
                    let (a, b) = (&columns[i][body], &columns[j][body]);
                    let r = &sim.data.kinematics.ximat[body];
                    let local = |v: &[f64; 6], axis: usize| -> f64 {
                        (0..3).map(|k| r[3 * k + axis] * v[3 + k]).sum()
                    };
                    expected += sim.model.body_mass[body] * (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
                    expected += (0..3)
                        .map(|axis| sim.model.body_inertia[body][axis] * local(a, axis) * local(b, axis))
                        .sum::<f64>();
                }
                let found = matrix[i * nv + j];
                assert!(
                    (found - expected).abs() < 1e-7 * (1.0 + size),
                    "{name} ({i}, {j}): {found} is not {expected}"
                );
            }
        }
    }
}

/// Potential energy of the masses.
fn potential(sim: &Sim) -> f64 {
    let (model, data) = (&sim.model, &sim.data);
    (1..model.nbody)
        .map(|body| {
            let height: f64 = (0..3).map(|k| model.opt.gravity[k] * data.kinematics.xipos[body][k]).sum();
            -model.body_mass[body] * height
        })
        .sum()
}

/// Half the velocity times the mass matrix times the velocity.
fn kinetic(sim: &Sim, velocity: &[f64]) -> f64 {
    let (nv, matrix) = (sim.model.nv, sim.mass_matrix());
    (0..nv).map(|i| (0..nv).map(|j| 0.5 * velocity[i] * matrix[i * nv + j] * velocity[j]).sum::<f64>()).sum()
}

#[test]
fn bias_forces_at_rest_are_the_slope_of_the_potential_energy() {
    const H: f64 = 1e-5;
    for (name, model) in trees() {
        let mut sim = free_motion(&model);
        sim.data.state.qvel.fill(0.0);
        sim.forward();
        let weight = potential(&sim).abs() + sim.model.body_mass.iter().sum::<f64>() * 10.0;
        for dof in 0..sim.model.nv {
            let mut rate = vec![0.0; sim.model.nv];
            rate[dof] = 1.0;
            let slope = (potential(&moved(&sim, &rate, H)) - potential(&moved(&sim, &rate, -H))) / (2.0 * H);
            let bias = sim.data.bias.qfrc_bias[dof];
            assert!((bias - slope).abs() < 1e-7 * (1.0 + weight), "{name} dof {dof}: {bias} is not {slope}");
        }
    }
}

#[test]
fn free_motion_keeps_its_energy() {
    const H: f64 = 1e-5;
    for (name, model) in trees() {
        let sim = free_motion(&model);
        let (rate, acceleration) = (sim.data.state.qvel.to_vec(), sim.data.acceleration.qacc.to_vec());
        let energy = |time: f64| {
            let velocity: Vec<f64> = rate.iter().zip(&acceleration).map(|(v, a)| v + time * a).collect();
            let there = moved(&sim, &rate, time);
            kinetic(&there, &velocity) + potential(&there)
        };
        let power = (energy(H) - energy(-H)) / (2.0 * H);
        let effort: f64 = rate.iter().zip(&sim.data.bias.qfrc_bias).map(|(v, f)| (v * f).abs()).sum();
        let size = kinetic(&sim, &rate) + potential(&sim).abs();
        assert!(power.abs() < 1e-6 * (1.0 + effort + size), "{name}: energy changes by {power} W");
    }
}

#[test]
fn sensors_on_a_turning_arm_read_what_mechanics_says() {
    let (omega, radius, mass) = (3.0, 0.5, 2.0);
    let text = format!(
        r#"<mujoco><option gravity="0 0 0"/><worldbody><body><joint name="axle" axis="0 0 1"/>
        <inertial pos="0 0 0" mass="1e-9" diaginertia="1e-9 1e-9 1e-9"/>
        <body pos="{radius} 0 0"><site name="s"/><geom size=".1" mass="{mass}"/></body></body></worldbody>
        <sensor><gyro site="s"/><velocimeter site="s"/><accelerometer site="s"/><force site="s"/>
        <jointvel joint="axle"/><framelinvel objtype="site" objname="s"/><subtreelinvel body="world"/></sensor></mujoco>"#
    );
    let mut sim = Sim::new(load_str(&text, &LoadOptions::default()).unwrap_or_else(|e| panic!("{e}")).model);
    sim.joint_mut("axle").unwrap().set_qpos(std::f64::consts::FRAC_PI_2);
    sim.joint_mut("axle").unwrap().set_qvel(omega);
    sim.forward();
    let inward = omega * omega * radius;
    let expected =
        [[0.0, 0.0, omega], [0.0, omega * radius, 0.0], [-inward, 0.0, 0.0], [-mass * inward, 0.0, 0.0]];
    let readings = &sim.data.sensors.sensordata;
    for (reading, expected) in readings.chunks(3).zip(expected) {
        for (found, expected) in reading.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-9, "{readings:?}");
        }
    }
    // Turned by a quarter, the arm points along y and moves along -x.
    let rest = [omega, -omega * radius, 0.0, 0.0, -omega * radius, 0.0, 0.0];
    for (found, expected) in readings[12..].iter().zip(rest) {
        assert!((found - expected).abs() < 1e-8, "{readings:?}");
    }
}

#[test]
fn a_body_at_rest_falls_asleep_stays_and_wakes_when_it_is_pushed() {
    let text = r#"<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="1 1 1"/>
        <body name="box" pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"#;
    let mut sim = Sim::new(load_str(text, &LoadOptions::default()).unwrap_or_else(|e| panic!("{e}")).model);
    sim.run(3000);
    assert!(sim.data.state.tree_asleep[0] >= 0, "it is still awake");
    assert!(sim.data.state.qvel.iter().all(|v| *v == 0.0));
    let place = sim.data.state.qpos.clone();
    sim.run(100);
    assert_eq!(place, sim.data.state.qpos);
    sim.set_force("box", [0.0, 0.0, 100.0], [0.0; 3]).unwrap();
    sim.run(50);
    assert!(sim.data.state.tree_asleep[0] < 0, "it sleeps on");
    assert!(sim.body("box").unwrap().position()[2] > 0.11);
}

/// All forces but those of constraints, summed in the order that decides their last bits, with forces of the user in it.
#[test]
fn smooth_forces_are_the_sum_of_all_others() {
    let mut driven = 0;
    for (name, model) in trees() {
        let mut sim = Sim::new(model);
        let wave = |index: usize| 0.3 + 0.5 * (1.7 * index as f64).sin();
        sim.data.inputs.ctrl.iter_mut().enumerate().for_each(|(index, value)| *value = wave(index));
        sim.data.state.qvel.iter_mut().enumerate().for_each(|(index, value)| *value = wave(index + 1));
        sim.data.inputs.qfrc_applied.iter_mut().enumerate().for_each(|(dof, value)| *value = wave(dof + 2));
        sim.forward();
        let data = &sim.data;
        for dof in 0..sim.model.nv {
            let (passive, bias) = (data.passive.qfrc_passive[dof], data.bias.qfrc_bias[dof]);
            let (applied, actuator) = (data.inputs.qfrc_applied[dof], data.actuation.qfrc_actuator[dof]);
            let sum = passive - bias + applied + actuator;
            assert_eq!(data.smooth.qfrc_smooth[dof].to_bits(), sum.to_bits(), "{name}, dof {dof}");
            driven += usize::from(actuator != 0.0);
        }
    }
    assert!(driven > 50, "only {driven} driven velocities");
}

/// The regulariser of a row, its impedance and its diagonal say the same thing three times: R = (1 - d)/d · A.
#[test]
fn the_approximate_diagonal_follows_from_regulariser_and_impedance() {
    let mut rows = 0;
    for (_, model) in models::all() {
        let mut sim = Sim::new(model);
        for _ in 0..5 {
            sim.step();
        }
        let table = &sim.data.rows;
        for row in 0..table.efc_R.len().min(table.efc_diagApprox.len()).min(table.efc_KBIP.len()) {
            let impedance = table.efc_KBIP[row][2];
            let diagonal = table.efc_R[row] * impedance / (1.0 - impedance);
            assert_eq!(table.efc_diagApprox[row].to_bits(), diagonal.to_bits());
            rows += 1;
        }
    }
    assert!(rows > 1000, "only {rows} rows");
}

#[test]
fn runge_kutta_evaluates_at_the_start_the_middle_and_the_end_of_a_step() {
    let text = r#"<mujoco><option timestep="0.25" integrator="RK4"/><worldbody><body><joint type="slide"/><geom size=".1"/></body>
        </worldbody></mujoco>"#;
    let mut sim =
        Sim::new(condyle::load_str(text, &LoadOptions::default()).expect("the model is sound").model);
    let (send, times) = std::sync::mpsc::channel();
    sim.on_control(move |sim| {
        let _ = send.send(sim.data.state.time);
    });
    sim.step();
    sim.step();
    let expected = [0.0, 0.125, 0.125, 0.25, 0.25, 0.375, 0.375, 0.5];
    assert_eq!(times.try_iter().collect::<Vec<_>>(), expected);
}
