//! A figure of 27 degrees of freedom stands on its feet: the pose is made an equilibrium, linearised, and held by a linear-quadratic
//! regulator.

use std::error::Error;

use condyle::prelude::*;

/// When a push begins, and its force on the chest: from behind and from the side.
const PUSHES: [(f64, [f64; 3]); 2] = [(1.0, [60.0, 0.0, 0.0]), (3.0, [0.0, 60.0, 0.0])];

/// A matrix, row after row.
#[derive(Clone)]
struct Matrix {
    columns: usize,
    values: Vec<f64>,
}

impl Matrix {
    fn new(columns: usize, values: Vec<f64>) -> Self {
        Self { columns, values }
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.columns..(row + 1) * self.columns]
    }

    fn rows(&self) -> usize {
        self.values.len() / self.columns
    }

    fn transposed(&self) -> Self {
        let values = (0..self.columns).flat_map(|j| (0..self.rows()).map(move |i| self.row(i)[j])).collect();
        Self::new(self.rows(), values)
    }

    fn times(&self, other: &Self) -> Self {
        let mut values = vec![0.0; self.rows() * other.columns];
        for (i, out) in values.chunks_mut(other.columns).enumerate() {
            for (k, factor) in self.row(i).iter().enumerate() {
                out.iter_mut().zip(other.row(k)).for_each(|(sum, value)| *sum += factor * value);
            }
        }
        Self::new(other.columns, values)
    }

    /// This matrix plus `factor` times another.
    fn plus(mut self, factor: f64, other: &Self) -> Self {
        self.values.iter_mut().zip(&other.values).for_each(|(sum, value)| *sum += factor * value);
        self
    }

    /// The matrix X with `self` X = `right`, for a symmetric positive `self`: elimination needs no pivots.
    fn solve(mut self, mut right: Self) -> Self {
        let size = self.columns;
        for pivot in 0..size {
            let (own, own_right) = (self.row(pivot).to_vec(), right.row(pivot).to_vec());
            for row in (0..size).filter(|row| *row != pivot) {
                let factor = self.row(row)[pivot] / own[pivot];
                for (value, above) in self.values[row * size..].iter_mut().zip(&own) {
                    *value -= factor * above;
                }
                let columns = right.columns;
                for (value, above) in right.values[row * columns..].iter_mut().zip(&own_right) {
                    *value -= factor * above;
                }
            }
        }
        for row in 0..size {
            let diagonal = self.row(row)[row];
            let columns = right.columns;
            right.values[row * columns..(row + 1) * columns].iter_mut().for_each(|value| *value /= diagonal);
        }
        right
    }
}

/// The figure of the repository, with a motor in every hinge instead of its servos.
fn figure() -> Result<Model, Box<dyn Error>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/bench/figure.xml");
    let mut spec = Spec::load(path)?;
    for actuator in spec.actuators.ids().collect::<Vec<_>>() {
        spec.remove(actuator)?;
    }
    for key in spec.keys.ids().collect::<Vec<_>>() {
        spec.remove(key)?;
    }
    let hinges: Vec<String> = (spec.joints.values())
        .filter(|joint| joint.kind == JointType::Hinge)
        .map(|joint| joint.info.name.clone())
        .collect();
    for hinge in hinges {
        let motor = spec.add_actuator(None);
        let motor = &mut spec.actuators[motor];
        motor.trntype = TransmissionType::Joint;
        (motor.info.name, motor.target) = (hinge.clone(), hinge);
    }
    Ok(spec.compile(&LoadOptions::default())?.model)
}

/// The forces that would have to hold the figure at rest with the pelvis at that height.
fn forces_at(sim: &mut Sim, height: f64) -> Result<Vec<f64>, Box<dyn Error>> {
    sim.reset();
    sim.data.state.qpos[2] = height;
    sim.forward();
    Ok(sim.inverse_dynamics(&vec![0.0; sim.model.nv])?)
}

/// The feedback that keeps the centre of mass above the feet; the pose matters less, and torques are cheap.
fn feedback(sim: &mut Sim) -> Result<Matrix, Box<dyn Error>> {
    let nv = sim.model.nv;
    let center = sim.center_of_mass_jacobian("pelvis")?;
    let feet = [sim.body_jacobian("foot_left")?, sim.body_jacobian("foot_right")?];
    let mut q = Matrix::new(2 * nv, vec![0.0; 4 * nv * nv]);
    for axis in 0..2 {
        let lean: Vec<f64> = (axis * nv..(axis + 1) * nv)
            .map(|i| center.translation[i] - (feet[0].translation[i] + feet[1].translation[i]) / 2.0)
            .collect();
        for i in 0..nv {
            for j in 0..nv {
                q.values[i * 2 * nv + j] += 1000.0 * lean[i] * lean[j];
            }
        }
    }
    for joint in 6..nv {
        q.values[joint * 2 * nv + joint] += 10.0;
    }
    let linear = sim.linearize(&LinearizeOptions::default().sensors(false))?;
    let (a, b) = (Matrix::new(2 * nv, linear.a), Matrix::new(sim.model.nu, linear.b));
    let (a_turned, b_turned) = (a.transposed(), b.transposed());
    let mut r = Matrix::new(sim.model.nu, vec![0.0; sim.model.nu * sim.model.nu]);
    r.values.iter_mut().step_by(sim.model.nu + 1).for_each(|cost| *cost = 1e-3);

    // The discrete Riccati equation by iteration.
    let mut p = q.clone();
    let mut gain = Matrix::new(2 * nv, vec![0.0; sim.model.nu * 2 * nv]);
    for _ in 0..1000 {
        let pushed = b_turned.times(&p);
        gain = pushed.times(&b).plus(1.0, &r).solve(pushed.times(&a));
        p = a_turned.times(&p.times(&a.clone().plus(-1.0, &b.times(&gain)))).plus(1.0, &q);
    }
    Ok(gain)
}

/// Height of the pelvis after six seconds with pushes against the chest.
fn height_after_pushes(
    sim: &mut Sim,
    pose: &[f64],
    torques: &[f64],
    gain: &Matrix,
) -> Result<f64, Box<dyn Error>> {
    sim.reset();
    sim.data.state.qpos.copy_from_slice(pose);
    while sim.time() < 6.0 {
        let push = PUSHES.iter().find(|(begins, _)| (*begins..begins + 0.1).contains(&sim.time()));
        sim.set_force("chest", push.map_or([0.0; 3], |(_, force)| *force), [0.0; 3])?;
        let mut state = sim.position_difference(pose, &sim.data.state.qpos)?;
        state.extend_from_slice(&sim.data.state.qvel);
        for (motor, torque) in torques.iter().enumerate() {
            let correction: f64 = gain.row(motor).iter().zip(&state).map(|(k, x)| k * x).sum();
            sim.data.inputs.ctrl[motor] = torque - correction;
        }
        sim.step();
    }
    Ok(sim.data.state.qpos[2])
}

pub fn main() -> Result<(), Box<dyn Error>> {
    let mut sim = Sim::new(figure()?);
    // The feet sink into the floor until it carries the weight: halve the interval the height lies in.
    let (mut low, mut high) = (0.955, 0.961);
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        if forces_at(&mut sim, middle)?[2] > 0.0 { high = middle } else { low = middle }
    }
    let height = (low + high) / 2.0;
    // The hinges need the torques that inverse dynamics finds.
    let torques = forces_at(&mut sim, height)?[6..].to_vec();
    let pose = sim.data.state.qpos.to_vec();
    sim.data.inputs.ctrl.copy_from_slice(&torques);
    sim.forward();
    let gain = feedback(&mut sim)?;
    let nothing = Matrix::new(gain.columns, vec![0.0; gain.values.len()]);
    let fallen = height_after_pushes(&mut sim, &pose, &torques, &nothing)?;
    let held = height_after_pushes(&mut sim, &pose, &torques, &gain)?;
    println!("after two pushes the pelvis is {held:.3} m high, without feedback {fallen:.3} m");
    assert!((held - height).abs() < 0.01 && fallen < height / 2.0);
    Ok(())
}
