//! What programs compute from a simulation: linearised steps, inverse dynamics, the mass matrix.

use condyle_engine::finite_difference::{self, TransitionRequest};
use condyle_engine::position::configuration::differentiate_position;
use condyle_engine::{position::inertia, step};

use crate::Sim;

pub use condyle_engine::finite_difference::{DifferenceError, InverseJacobians, Transition};

/// How a step is linearised.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct LinearizeOptions {
    /// Size of the perturbations.
    pub epsilon: f64,
    /// Perturb in both directions: twice the work, one order more exact.
    pub centered: bool,
    /// Also compute the derivatives of the sensors, `c` and `d`.
    pub sensors: bool,
    /// Threads to spread the perturbations over; the result is the same to the last bit for any number.
    pub threads: usize,
}

condyle_base::setters!(LinearizeOptions { epsilon: f64, centered: bool, sensors: bool, threads: usize });

impl Default for LinearizeOptions {
    fn default() -> Self {
        Self { epsilon: 1e-6, centered: true, sensors: true, threads: 1 }
    }
}

/// How inverse dynamics are differentiated.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct InverseJacobiansOptions {
    /// Size of the perturbations.
    pub epsilon: f64,
    /// Take the forces of actuators off, so that the forces left to apply are differentiated.
    pub subtract_actuation: bool,
    /// Also differentiate the readings of sensors.
    pub sensors: bool,
}

condyle_base::setters!(InverseJacobiansOptions { epsilon: f64, subtract_actuation: bool, sensors: bool });

impl Default for InverseJacobiansOptions {
    fn default() -> Self {
        Self { epsilon: 1e-6, subtract_actuation: false, sensors: false }
    }
}

/// The error for an array that does not have the length the model asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LengthError {
    /// The length the model asks for.
    pub expected: usize,
    /// The length that was given.
    pub found: usize,
}

impl std::fmt::Display for LengthError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} numbers were given where the model needs {}", self.found, self.expected)
    }
}

impl std::error::Error for LengthError {}

impl Sim {
    /// Linearises one step about the present state and controls: `x' = A x + B u`, `s = C x + D u` for deviations.
    ///
    /// The state `x` has `n = 2 nv + na` numbers: a change of position in the tangent space (`nv`), of velocity (`nv`) and of
    /// activation (`na`). Controls `u` have `nu` numbers, readings `s` have `nsensordata`. All matrices are row after row: `a` is
    /// `n × n`, `b` is `n × nu`, `c` is `nsensordata × n`, `d` is `nsensordata × nu`; the latter two are empty unless
    /// [`LinearizeOptions::sensors`] asks for them. The simulation is left where it was.
    pub fn linearize(&mut self, options: &LinearizeOptions) -> Result<Transition, DifferenceError> {
        let request = TransitionRequest { a: true, b: true, c: options.sensors, d: options.sensors };
        let LinearizeOptions { epsilon, centered, threads, .. } = *options;
        finite_difference::transition(&self.model, &mut self.data, epsilon, centered, request, threads.max(1))
    }

    /// The forces, `nv` of them, that have to be applied for the accelerations `qacc` at the present position and velocity, beside
    /// those of springs, dampers, contacts and other constraints.
    pub fn inverse_dynamics(&mut self, qacc: &[f64]) -> Result<Vec<f64>, LengthError> {
        if qacc.len() != self.model.nv {
            return Err(LengthError { expected: self.model.nv, found: qacc.len() });
        }
        self.data.acceleration.qacc.copy_from_slice(qacc);
        step::inverse(&self.model, &mut self.data);
        Ok(self.data.inverse.qfrc_inverse.to_vec())
    }

    /// How the forces of [`inverse_dynamics`](Sim::inverse_dynamics) change with position, velocity and acceleration about the present
    /// ones (`data.acceleration.qacc`), by finite differences.
    ///
    /// Row `i` of a matrix belongs to dof `i`, which was perturbed: forces are `nv × nv`, readings `nv × nsensordata` and change only if
    /// [`InverseJacobiansOptions::sensors`] asks for them, the inertia in the layout of `qM` is `nv × nM`. Position, velocity and
    /// acceleration are as before afterwards; what inverse dynamics compute belongs to the last perturbation.
    pub fn inverse_jacobians(
        &mut self,
        options: &InverseJacobiansOptions,
    ) -> Result<InverseJacobians, DifferenceError> {
        let InverseJacobiansOptions { epsilon, subtract_actuation, sensors } = *options;
        finite_difference::inverse(&self.model, &mut self.data, epsilon, subtract_actuation, sensors)
    }

    /// The change of position in the tangent space, `nv` numbers, that takes the position `from` to the position `to`, both of `nq` numbers:
    /// turns of free and ball joints as rotation vectors, everything else as a difference.
    pub fn position_difference(&self, from: &[f64], to: &[f64]) -> Result<Vec<f64>, LengthError> {
        for position in [from, to] {
            if position.len() != self.model.nq {
                return Err(LengthError { expected: self.model.nq, found: position.len() });
            }
        }
        let mut difference = vec![0.0; self.model.nv];
        differentiate_position(&self.model, &mut difference, 1.0, from, to);
        Ok(difference)
    }

    /// The mass matrix of the latest step or [`forward`](Sim::forward): `nv × nv` numbers, row after row.
    pub fn mass_matrix(&self) -> Vec<f64> {
        let mut full = vec![0.0; self.model.nv * self.model.nv];
        inertia::full_matrix(&self.model, &mut full, &self.data.inertia.qM);
        full
    }

    /// Advances by a number of steps, or until an invalid value stops them under the policy `Error`.
    ///
    /// What nobody can see in between, such as readings of sensors and poses of cameras, is computed in the last step alone. So this takes less
    /// time than as many calls of [`step`](Sim::step), with the same results.
    pub fn run(&mut self, steps: usize) {
        // What stopped them is in the report.
        let _ = step::run(&self.model, &mut self.data, steps, &mut || false);
    }

    /// Advances by the number of steps that comes closest to a time in seconds.
    pub fn run_for(&mut self, seconds: f64) {
        let steps = (seconds / self.model.opt.timestep).round();
        // A number that is not finite or negative becomes zero.
        self.run(steps as usize);
    }
}
