//! The dofs of interpolated deformable bodies in the implicit integrators: a dense problem of their own.
//!
//! Their elastic force is taken at the end of the step, `f(q + h v')` instead of `f(q)`, which adds `(h² + h · damping) S` to the matrix
//! and `h S v` to the right-hand side, `S` being the stiffness. All other dofs are solved first, without it; what couples them to these
//! dofs moves to the right-hand side. Reference: `mj_implicitSkip`.

use condyle_math::sparse::Pattern;
use condyle_math::{MIN_VALUE, cholesky, dense};
use condyle_model::Model;

use crate::data::{Awake, Kinematics, State, scratch};
use crate::derivative::flex_stiffness::{self, ReducedDofs, StiffnessScratch};
use crate::velocity::passive::flex::interpolated::node_bodies;

/// Most dofs of the dense problem. The stack of the reference is far smaller than its matrix then.
const MAX_DOFS: usize = 10_000;

/// The dense problem.
#[derive(Clone, Debug, Default)]
pub(crate) struct FlexBlock {
    /// Dofs of the nodes; bodies that carry several nodes occur several times.
    dofs: Vec<i32>,
    /// For each dof of the model its last place in `dofs`, −1 for none.
    local: Vec<i32>,
    /// Factor of the matrix.
    matrix: Vec<f64>,
    couplings: Vec<Coupling>,
    /// Stiffness times velocity, over all dofs of the model.
    stiffness_velocity: Vec<f64>,
    /// Right-hand side, then accelerations.
    acceleration: Vec<f64>,
    buffers: StiffnessScratch,
}

/// An entry of the matrix between a dof of the block and another.
#[derive(Clone, Copy, Debug)]
struct Coupling {
    row: usize,
    dof: usize,
    value: f64,
}

impl FlexBlock {
    /// Whether the block has dofs.
    pub(crate) fn is_empty(&self) -> bool {
        self.dofs.is_empty()
    }

    /// Leave the block without dofs.
    pub(crate) fn clear(&mut self) {
        self.dofs.clear();
    }

    /// Prepare the block for a step; empty when nothing is interpolated, or while something sleeps.
    pub(crate) fn prepare(
        &mut self,
        model: &Model,
        state: &State,
        awake: &Awake,
        kinematics: &Kinematics,
        pattern: Pattern<'_>,
        source: &[f64],
    ) {
        self.clear();
        if awake.dofs(model).list().is_none() && model.flex_interp.iter().any(|order| *order != 0) {
            self.factor(model, kinematics, &state.qvel, pattern, source);
        }
    }

    /// Collect the dofs and factorise; `source` is the matrix of the whole model before its factorisation.
    fn factor(
        &mut self,
        model: &Model,
        kinematics: &Kinematics,
        qvel: &[f64],
        pattern: Pattern<'_>,
        source: &[f64],
    ) {
        self.collect_dofs(model);
        if self.dofs.len() > MAX_DOFS {
            self.clear();
        }
        if self.is_empty() {
            return;
        }
        self.gather(pattern, source);
        let product = scratch::sized(&mut self.stiffness_velocity, model.nv);
        product.fill(0.0);
        let count = self.dofs.len();
        let dofs = ReducedDofs { count, local: &self.local };
        let (matrix, timestep) = (&mut self.matrix, model.opt.timestep);
        flex_stiffness::add(model, kinematics, timestep, dofs, matrix, qvel, product, &mut self.buffers);
        cholesky::factor(&mut self.matrix, count, MIN_VALUE);
    }

    fn collect_dofs(&mut self, model: &Model) {
        self.dofs.clear();
        self.local.clear();
        self.local.resize(model.nv, -1);
        for flex in (0..model.nflex).filter(|flex| model.flex_interp[*flex] != 0) {
            for body in node_bodies(model, flex) {
                let body = *body as usize;
                for k in 0..model.body_dofnum[body].max(0) {
                    let dof = model.body_dofadr[body] + k;
                    self.local[dof as usize] = self.dofs.len() as i32;
                    self.dofs.push(dof);
                }
            }
        }
    }

    /// Entries between dofs of the block into the matrix, those to other dofs into the couplings.
    fn gather(&mut self, pattern: Pattern<'_>, source: &[f64]) {
        let count = self.dofs.len();
        self.matrix.clear();
        self.matrix.resize(count * count, 0.0);
        self.couplings.clear();
        for (row, dof) in self.dofs.iter().enumerate() {
            for address in pattern.range(*dof as usize) {
                let (dof, value) = (pattern.colind[address] as usize, source[address]);
                match usize::try_from(self.local[dof]) {
                    Ok(column) => self.matrix[row * count + column] = value,
                    Err(_) => self.couplings.push(Coupling { row, dof, value }),
                }
            }
        }
    }

    /// Replace the accelerations of the block's dofs in `qacc`, the solution without elasticity at the end of the step.
    pub(crate) fn solve(&mut self, model: &Model, qfrc: &[f64], qacc: &mut [f64]) {
        let timestep = model.opt.timestep;
        // The damping of the first flex stands for that of all.
        let scale = timestep * timestep + timestep * model.flex_damping[0];
        let factor = if scale > MIN_VALUE { timestep / scale } else { 0.0 };
        let acceleration = scratch::sized(&mut self.acceleration, self.dofs.len());
        for (force, dof) in acceleration.iter_mut().zip(&self.dofs) {
            let dof = *dof as usize;
            *force = qfrc[dof] + self.stiffness_velocity[dof] * factor;
        }
        for coupling in &self.couplings {
            acceleration[coupling.row] -= coupling.value * qacc[coupling.dof];
        }
        cholesky::solve(acceleration, &self.matrix);
        dense::scatter(qacc, acceleration, &self.dofs);
    }
}
