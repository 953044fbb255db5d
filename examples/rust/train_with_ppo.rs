//! A pendulum learns to swing up with proximal policy optimisation: 64 simulations in one batch, networks in plain Rust.
//!
//!     cargo run --release -p condyle-examples --bin train_with_ppo
//!
//! The torque is too weak to lift the rod at once: it has to swing. Takes some seconds; as a test it only learns to swing a little.

use std::error::Error;
use std::f64::consts::PI;
use std::time::Instant;

use condyle::{Batch, LoadOptions, load_str};

const MODEL: &str = r#"<mujoco>
  <option timestep=".01" integrator="implicitfast"/>
  <worldbody>
    <body><joint name="hinge" axis="0 1 0" damping=".02"/><geom type="capsule" fromto="0 0 0 0 0 .6" size=".03" mass=".5"/></body>
  </worldbody>
  <actuator><motor joint="hinge" ctrlrange="-1 1" ctrllimited="true" gear="1"/></actuator>
</mujoco>"#;
const SIMULATIONS: usize = 64;
const STEPS: usize = 64;
const STEPS_OF_AN_EPISODE: usize = 150;
const UPDATES: usize = if cfg!(test) { 6 } else { 120 };
/// Numbers that describe a state: cosine and sine of the angle, and the speed.
const SEEN: usize = 3;
const HIDDEN: usize = 32;
const DISCOUNT: f64 = 0.98;
const TRACE: f64 = 0.95;

/// Random numbers, always the same.
struct Noise(u64);

impl Noise {
    /// Between 0 and 1.
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    /// With mean 0 and deviation 1.
    fn normal(&mut self) -> f64 {
        (-2.0 * self.uniform().ln()).sqrt() * (2.0 * PI * self.uniform()).cos()
    }
}

/// `outputs = weights · inputs + offsets`, with the sums of gradients and the two averages that Adam keeps.
struct Layer {
    inputs: usize,
    /// Row by row; the last number of a row is the offset.
    weights: Vec<f64>,
    gradient: Vec<f64>,
    first: Vec<f64>,
    second: Vec<f64>,
}

impl Layer {
    fn new(noise: &mut Noise, inputs: usize, outputs: usize, scale: f64) -> Self {
        let count = (inputs + 1) * outputs;
        let deviation = scale / (inputs as f64).sqrt();
        let weights = (0..count)
            .map(|index| if index % (inputs + 1) == inputs { 0.0 } else { deviation * noise.normal() })
            .collect();
        Self {
            inputs,
            weights,
            gradient: vec![0.0; count],
            first: vec![0.0; count],
            second: vec![0.0; count],
        }
    }

    fn apply(&self, input: &[f64], output: &mut [f64]) {
        for (row, value) in self.weights.chunks_exact(self.inputs + 1).zip(output) {
            *value =
                row.iter().zip(input).map(|(weight, seen)| weight * seen).sum::<f64>() + row[self.inputs];
        }
    }

    /// Add to the gradient what `output_change`, the derivative by the outputs, asks for; the derivative by the inputs goes to `input_change`.
    fn learn(&mut self, input: &[f64], output_change: &[f64], input_change: &mut [f64]) {
        input_change.fill(0.0);
        for (row, change) in output_change.iter().enumerate() {
            let from = row * (self.inputs + 1);
            for column in 0..self.inputs {
                self.gradient[from + column] += change * input[column];
                input_change[column] += change * self.weights[from + column];
            }
            self.gradient[from + self.inputs] += change;
        }
    }

    fn descend(&mut self, rate: f64, shrink: f64, count: f64) {
        let corrections = (1.0 - 0.9_f64.powf(count), 1.0 - 0.999_f64.powf(count));
        for index in 0..self.weights.len() {
            let slope = shrink * std::mem::take(&mut self.gradient[index]);
            self.first[index] += 0.1 * (slope - self.first[index]);
            self.second[index] += 0.001 * (slope * slope - self.second[index]);
            let step =
                self.first[index] / corrections.0 / ((self.second[index] / corrections.1).sqrt() + 1e-8);
            self.weights[index] -= rate * step;
        }
    }
}

/// Two hidden layers of tanh and one number as the result.
struct Network {
    layers: [Layer; 3],
    hidden: [[f64; HIDDEN]; 2],
    count: f64,
}

impl Network {
    fn new(noise: &mut Noise, scale: f64) -> Self {
        let layers = [
            Layer::new(noise, SEEN, HIDDEN, 1.4),
            Layer::new(noise, HIDDEN, HIDDEN, 1.4),
            Layer::new(noise, HIDDEN, 1, scale),
        ];
        Self { layers, hidden: [[0.0; HIDDEN]; 2], count: 0.0 }
    }

    fn result(&mut self, seen: &[f64; SEEN]) -> f64 {
        let [first, second] = &mut self.hidden;
        let mut result = [0.0];
        self.layers[0].apply(seen, first);
        first.iter_mut().for_each(|value| *value = value.tanh());
        self.layers[1].apply(first, second);
        second.iter_mut().for_each(|value| *value = value.tanh());
        self.layers[2].apply(second, &mut result);
        result[0]
    }

    /// Remember how the result of the last call should change.
    fn learn(&mut self, seen: &[f64; SEEN], change: f64) {
        let [first, second] = &self.hidden;
        let (mut by_second, mut by_first, mut by_seen) = ([0.0; HIDDEN], [0.0; HIDDEN], [0.0; SEEN]);
        self.layers[2].learn(second, &[change], &mut by_second);
        by_second.iter_mut().zip(second).for_each(|(slope, value)| *slope *= 1.0 - value * value);
        self.layers[1].learn(first, &by_second, &mut by_first);
        by_first.iter_mut().zip(first).for_each(|(slope, value)| *slope *= 1.0 - value * value);
        self.layers[0].learn(seen, &by_first, &mut by_seen);
    }

    /// Change the weights by what was remembered, at most by a gradient of length one half.
    fn descend(&mut self, rate: f64) {
        let squares = self.layers.iter().flat_map(|layer| &layer.gradient).map(|slope| slope * slope);
        let length = squares.sum::<f64>().sqrt();
        let shrink = if length > 0.5 { 0.5 / length } else { 1.0 };
        self.count += 1.0;
        self.layers.iter_mut().for_each(|layer| layer.descend(rate, shrink, self.count));
    }
}

/// One step of one simulation, as the learner keeps it.
#[derive(Clone, Copy)]
struct Moment {
    seen: [f64; SEEN],
    action: f64,
    /// Logarithm of how likely the action was, without its constant.
    chance: f64,
    reward: f64,
    value: f64,
    ended: bool,
    advantage: f64,
}

/// 64 pendulums, each beginning anew after 150 decisions.
struct Pendulums {
    batch: Batch,
    ages: [usize; SIMULATIONS],
    noise: Noise,
}

impl Pendulums {
    fn new() -> Result<Self, Box<dyn Error>> {
        let model = load_str(MODEL, &LoadOptions::default())?.model;
        let mut pendulums =
            Self { batch: Batch::new(&model, SIMULATIONS, 0)?, ages: [0; SIMULATIONS], noise: Noise(2) };
        for simulation in 0..SIMULATIONS {
            pendulums.begin(simulation);
            // Otherwise all episodes would end at the same step.
            pendulums.ages[simulation] = simulation * STEPS_OF_AN_EPISODE / SIMULATIONS;
        }
        Ok(pendulums)
    }

    /// Hang down, nearly at rest; upright is angle 0.
    fn begin(&mut self, simulation: usize) {
        self.ages[simulation] = 0;
        self.batch.component_mut(simulation, "qpos")[0] = PI + 0.6 * (self.noise.uniform() - 0.5);
        self.batch.component_mut(simulation, "qvel")[0] = 0.4 * (self.noise.uniform() - 0.5);
    }

    fn look(&self, simulation: usize) -> [f64; SEEN] {
        let angle = self.batch.component(simulation, "qpos")[0];
        [angle.cos(), angle.sin(), self.batch.component(simulation, "qvel")[0] / 8.0]
    }

    /// Four steps with these torques; the rewards, and whose episode is over.
    fn step(&mut self, actions: &[f64; SIMULATIONS]) -> Result<[(f64, bool); SIMULATIONS], Box<dyn Error>> {
        for (simulation, action) in actions.iter().enumerate() {
            self.batch.component_mut(simulation, "ctrl")[0] = *action;
        }
        self.batch.step(None, 4)?;
        Ok(std::array::from_fn(|simulation| {
            let ([cosine, ..], torque) = (self.look(simulation), actions[simulation]);
            let speed = self.batch.component(simulation, "qvel")[0];
            let reward = cosine - 0.002 * speed * speed - 0.01 * torque * torque;
            self.ages[simulation] += 1;
            let ended = self.ages[simulation] == STEPS_OF_AN_EPISODE;
            if ended {
                self.begin(simulation);
            }
            (reward, ended)
        }))
    }
}

/// Act for a while, and say for every moment how much better it went than expected.
fn gather(
    pendulums: &mut Pendulums,
    actor: &mut Network,
    critic: &mut Network,
    spread: f64,
    noise: &mut Noise,
) -> Result<Vec<Moment>, Box<dyn Error>> {
    let mut moments = Vec::with_capacity(STEPS * SIMULATIONS);
    for _ in 0..STEPS {
        let mut actions = [0.0; SIMULATIONS];
        for (simulation, torque) in actions.iter_mut().enumerate() {
            let seen = pendulums.look(simulation);
            let away = noise.normal();
            let action = actor.result(&seen) + spread * away;
            *torque = if action.abs() > 1.0 { action.signum() } else { action };
            let value = critic.result(&seen);
            let chance = -0.5 * away * away;
            moments.push(Moment { seen, action, chance, reward: 0.0, value, ended: false, advantage: 0.0 });
        }
        let results = pendulums.step(&actions)?;
        let latest = moments.len() - SIMULATIONS;
        for (moment, (reward, ended)) in moments[latest..].iter_mut().zip(results) {
            (moment.reward, moment.ended) = (reward, ended);
        }
    }
    for simulation in 0..SIMULATIONS {
        let (mut following, mut sum) = (critic.result(&pendulums.look(simulation)), 0.0);
        for step in (0..STEPS).rev() {
            let moment = &mut moments[step * SIMULATIONS + simulation];
            if moment.ended {
                // Episodes end by time alone, so the state after is worth about as much as this one.
                (following, sum) = (moment.value, 0.0);
            }
            sum = moment.reward + DISCOUNT * following - moment.value + DISCOUNT * TRACE * sum;
            (moment.advantage, following) = (sum, moment.value);
        }
    }
    Ok(moments)
}

/// Make what went well more likely, within limits, and expect what came.
fn improve(
    actor: &mut Network,
    critic: &mut Network,
    moments: &mut [Moment],
    spread: f64,
    rate: f64,
    noise: &mut Noise,
) {
    let count = moments.len() as f64;
    let mean = moments.iter().map(|moment| moment.advantage).sum::<f64>() / count;
    let deviation = (moments.iter().map(|moment| moment.advantage - mean).map(|gap| gap * gap).sum::<f64>()
        / count)
        .sqrt();
    for _ in 0..6 {
        for last in (1..moments.len()).rev() {
            moments.swap(last, (noise.uniform() * (last + 1) as f64) as usize);
        }
        for part in moments.chunks(moments.len() / 4) {
            let share = 1.0 / part.len() as f64;
            for moment in part {
                let away = (moment.action - actor.result(&moment.seen)) / spread;
                let ratio = (-0.5 * away * away - moment.chance).exp();
                let gain = (moment.advantage - mean) / (deviation + 1e-8);
                let goes_too_far = (ratio > 1.2 && gain > 0.0) || (ratio < 0.8 && gain < 0.0);
                if !goes_too_far {
                    actor.learn(&moment.seen, -ratio * gain * away / spread * share);
                }
                let error = critic.result(&moment.seen) - (moment.advantage + moment.value);
                critic.learn(&moment.seen, error * share);
            }
            actor.descend(rate);
            critic.descend(rate);
        }
    }
}

pub fn main() -> Result<(), Box<dyn Error>> {
    let mut noise = Noise(1);
    let (mut actor, mut critic) = (Network::new(&mut noise, 0.01), Network::new(&mut noise, 1.0));
    let mut pendulums = Pendulums::new()?;
    let (mut spread, mut curve, began) = (0.6, Vec::new(), Instant::now());
    for update in 0..UPDATES {
        let mut moments = gather(&mut pendulums, &mut actor, &mut critic, spread, &mut noise)?;
        curve.push(moments.iter().map(|moment| moment.reward).sum::<f64>() / moments.len() as f64);
        let rate = 3e-3 * (1.0 - 0.9 * update as f64 / UPDATES as f64);
        improve(&mut actor, &mut critic, &mut moments, spread, rate, &mut noise);
        spread = if spread > 0.15 { 0.99 * spread } else { spread };
    }
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    let (first, last) = (mean(&curve[..2]), mean(&curve[curve.len() - curve.len().div_ceil(12)..]));
    let steps = UPDATES * STEPS * SIMULATIONS;
    println!(
        "mean reward {first:.2} at first, {last:.2} at last; {steps} decisions in {:.1} s with learning",
        began.elapsed().as_secs_f64()
    );
    assert!(last > if cfg!(test) { first } else { 0.4 });
    Ok(())
}
