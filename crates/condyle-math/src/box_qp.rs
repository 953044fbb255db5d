//! Quadratic programs in a box: minimise `½ xᵀ H x + xᵀ g` subject to `lower ≤ x ≤ upper`, by a projected Newton method.
//!
//! Each iteration fixes the coordinates that press against a bound, takes the Newton step in the others and searches along it
//! with projection and an Armijo rule (Tassa, Mansard, Todorov 2014, "Control-limited differential dynamic programming").
//! Reference: `mju_boxQP`.

pub use crate::simd::BoundedRows;
use crate::{MIN_VALUE, cholesky, dense, matrix, scalar};

/// Stopping rules and line search parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Iterations after which the search is given up.
    pub max_iterations: usize,
    /// Squared norm of the free gradient that counts as zero.
    pub min_gradient: f64,
    /// Factor between successive step sizes.
    pub backtrack: f64,
    /// Step size below which the line search is given up.
    pub min_step: f64,
    /// Fraction of the expected linear improvement that is accepted.
    pub armijo: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { max_iterations: 100, min_gradient: 1e-16, backtrack: 0.5, min_step: 1e-22, armijo: 0.1 }
    }
}

/// Why the iteration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The matrix over the free coordinates has no Cholesky factor.
    NotPositiveDefinite,
    /// The search direction does not lead downhill.
    NoDescent,
    /// [`Options::max_iterations`] were used up.
    MaxIterations,
    /// The step size fell below [`Options::min_step`].
    MaxLineSearch,
    /// The gradient over the free coordinates is below [`Options::min_gradient`].
    SmallGradient,
    /// No coordinate is at a bound: the Newton point was returned.
    Unbounded,
    /// All coordinates are at a bound.
    AllClamped,
}

/// How the program ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// Why the iteration ended.
    pub status: Status,
    /// Coordinates not held at a bound.
    pub free: usize,
    /// Iterations that were completed.
    pub iterations: usize,
    /// Cholesky factorisations that were made.
    pub factorizations: usize,
}

impl Outcome {
    /// Whether `x` is a solution.
    pub fn succeeded(&self) -> bool {
        !matches!(self.status, Status::NotPositiveDefinite | Status::NoDescent)
    }
}

/// A program that has no meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoxQpError {
    /// It has no coordinates.
    Empty,
    /// A lower bound is not below its upper bound.
    Bounds {
        /// The first such coordinate.
        coordinate: usize,
    },
}

/// Work space, kept between calls.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    gradient: Vec<f64>,
    search: Vec<f64>,
    candidate: Vec<f64>,
    temporary: Vec<f64>,
    clamped: Vec<bool>,
    clamped_before: Vec<bool>,
}

impl Scratch {
    fn resize(&mut self, n: usize) {
        for list in [&mut self.gradient, &mut self.search, &mut self.candidate, &mut self.temporary] {
            list.clear();
            list.resize(n, 0.0);
        }
        for list in [&mut self.clamped, &mut self.clamped_before] {
            list.clear();
            list.resize(n, false);
        }
    }
}

/// The program itself. The gradient uses all of `h`; values and factorisations only its lower triangle.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// Symmetric matrix, n × n, row by row.
    pub h: &'a [f64],
    /// Linear term, n values.
    pub g: &'a [f64],
    /// Lower bounds, n values; none: unbounded below.
    pub lower: Option<&'a [f64]>,
    /// Upper bounds, n values; none: unbounded above.
    pub upper: Option<&'a [f64]>,
}

impl Problem<'_> {
    fn value(&self, x: &[f64]) -> f64 {
        0.5 * matrix::quadratic_form_lower(x, self.h) + dense::dot(x, self.g)
    }

    /// `result = h v + g`
    fn gradient(&self, result: &mut [f64], v: &[f64]) {
        matrix::mul_vec(result, self.h, v);
        dense::add_to(result, self.g);
    }

    fn check(&self) -> Result<(), BoxQpError> {
        if self.g.is_empty() {
            return Err(BoxQpError::Empty);
        }
        if let (Some(lower), Some(upper)) = (self.lower, self.upper) {
            for coordinate in 0..self.g.len() {
                if lower[coordinate] >= upper[coordinate] {
                    return Err(BoxQpError::Bounds { coordinate });
                }
            }
        }
        Ok(())
    }
}

/// Solve from the starting point `x`.
///
/// `factor` (n² values) receives the Cholesky factor over the free coordinates, `index` (n values) their numbers; of both only the
/// leading `free²` and `free` values are meaningful.
pub fn solve(
    x: &mut [f64],
    factor: &mut [f64],
    index: &mut [i32],
    problem: &Problem,
    options: &Options,
    scratch: &mut Scratch,
) -> Result<Outcome, BoxQpError> {
    problem.check()?;
    let n = problem.g.len();
    if problem.lower.is_none() && problem.upper.is_none() {
        return Ok(newton_point(x, factor, index, problem));
    }
    scratch.resize(n);
    for i in 0..n {
        if let Some(lower) = problem.lower {
            x[i] = scalar::max_first(x[i], lower[i]);
        }
        if let Some(upper) = problem.upper {
            x[i] = scalar::min_first(x[i], upper[i]);
        }
    }
    let mut outcome = Outcome { status: Status::MaxIterations, free: n, iterations: 0, factorizations: 0 };
    while outcome.iterations < options.max_iterations {
        if let Some(status) = iterate(x, factor, index, problem, options, scratch, &mut outcome) {
            outcome.status = status;
            return Ok(outcome);
        }
        outcome.iterations += 1;
    }
    Ok(outcome)
}

/// Without bounds the first Newton step is the answer.
fn newton_point(x: &mut [f64], factor: &mut [f64], index: &mut [i32], problem: &Problem) -> Outcome {
    let n = problem.g.len();
    let mut outcome =
        Outcome { status: Status::NotPositiveDefinite, free: n, iterations: 0, factorizations: 0 };
    factor[..n * n].copy_from_slice(&problem.h[..n * n]);
    if cholesky::factor(&mut factor[..n * n], n, MIN_VALUE) == n {
        x[..n].copy_from_slice(problem.g);
        cholesky::solve(&mut x[..n], factor);
        dense::scale_mut(&mut x[..n], -1.0);
        outcome.status = Status::Unbounded;
        outcome.factorizations = 1;
    }
    for (i, out) in index[..n].iter_mut().enumerate() {
        *out = i as i32;
    }
    outcome
}

/// One iteration; `Some` when it is the last.
fn iterate(
    x: &mut [f64],
    factor: &mut [f64],
    index: &mut [i32],
    problem: &Problem,
    options: &Options,
    scratch: &mut Scratch,
    outcome: &mut Outcome,
) -> Option<Status> {
    let n = problem.g.len();
    let Scratch { gradient, search, candidate, temporary, clamped, clamped_before } = scratch;
    let old_value = problem.value(x);
    problem.gradient(gradient, x);

    outcome.free = 0;
    for i in 0..n {
        clamped[i] = problem.lower.is_some_and(|l| x[i] == l[i] && gradient[i] > 0.0)
            || problem.upper.is_some_and(|u| x[i] == u[i] && gradient[i] < 0.0);
        if !clamped[i] {
            index[outcome.free] = i as i32;
            outcome.free += 1;
        }
    }
    let free = outcome.free;
    let index = &index[..free];
    if free == 0 {
        return Some(Status::AllClamped);
    }
    let refactor = outcome.iterations == 0 || clamped != clamped_before;
    clamped_before.copy_from_slice(clamped);

    // Gradient at the point with all free coordinates at zero; its free part is the right-hand side of the Newton step.
    for i in 0..n {
        temporary[i] = if clamped[i] { x[i] } else { 0.0 };
    }
    problem.gradient(search, temporary);
    dense::gather(&mut temporary[..free], search, index);
    if refactor {
        for (i, row) in index.iter().enumerate() {
            for (j, column) in index[..=i].iter().enumerate() {
                factor[i * free + j] = problem.h[*row as usize * n + *column as usize];
            }
        }
        outcome.factorizations += 1;
        if cholesky::factor(&mut factor[..free * free], free, MIN_VALUE) != free {
            return Some(Status::NotPositiveDefinite);
        }
    }
    cholesky::solve(&mut temporary[..free], factor);
    search.fill(0.0);
    for (step, i) in temporary.iter().zip(index) {
        search[*i as usize] = -step - x[*i as usize];
    }

    let squared = index.iter().fold(0.0, |sum, i| sum + gradient[*i as usize] * gradient[*i as usize]);
    if squared < options.min_gradient {
        return Some(if free == n { Status::Unbounded } else { Status::SmallGradient });
    }
    let slope = dense::dot(search, gradient);
    if slope >= 0.0 {
        return Some(Status::NoDescent);
    }
    let stopped = line_search(problem, options, x, search, candidate, old_value, slope);
    x.copy_from_slice(candidate);
    stopped
}

/// Projected line search along `search`; leaves the accepted point in `candidate`.
fn line_search(
    problem: &Problem,
    options: &Options,
    x: &[f64],
    search: &[f64],
    candidate: &mut [f64],
    old_value: f64,
    slope: f64,
) -> Option<Status> {
    let mut step = 1.0;
    loop {
        for i in 0..candidate.len() {
            let mut value = search[i] * step + x[i];
            match (problem.lower, problem.upper) {
                (Some(lower), _) if value < lower[i] => value = lower[i],
                (_, Some(upper)) if value > upper[i] => value = upper[i],
                _ => {}
            }
            candidate[i] = value;
        }
        let value = problem.value(candidate);
        step *= options.backtrack;
        if step < options.min_step {
            return Some(Status::MaxLineSearch);
        }
        let improvement = (value - old_value) / (step * slope);
        if !(improvement < options.armijo) {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const H: [f64; 9] = [4.0, 0.5, 0.2, 0.5, 3.0, -0.1, 0.2, -0.1, 5.0];
    const G: [f64; 3] = [-8.0, 1.0, 2.0];

    fn run(lower: Option<&[f64]>, upper: Option<&[f64]>) -> (Outcome, [f64; 3]) {
        let (mut x, mut factor, mut index) = ([0.0; 3], [0.0; 9], [0; 3]);
        let problem = Problem { h: &H, g: &G, lower, upper };
        let outcome =
            solve(&mut x, &mut factor, &mut index, &problem, &Options::default(), &mut Scratch::default());
        (outcome.unwrap(), x)
    }

    #[test]
    fn without_bounds_the_newton_point_is_returned() {
        let (outcome, x) = run(None, None);
        assert_eq!((outcome.status, outcome.free), (Status::Unbounded, 3));
        let mut gradient = [0.0; 3];
        matrix::mul_vec(&mut gradient, &H, &x);
        for i in 0..3 {
            assert!((gradient[i] + G[i]).abs() < 1e-13);
        }
        assert_eq!(run(Some(&[-100.0; 3]), Some(&[100.0; 3])).0.free, 3);
    }

    #[test]
    fn clamped_coordinates_press_against_their_bound() {
        let (outcome, x) = run(Some(&[-1.0, -0.2, -1.0]), Some(&[1.0; 3]));
        assert!(outcome.succeeded());
        assert_eq!((outcome.free, x[0], x[1]), (1, 1.0, -0.2));
        let mut gradient = [0.0; 3];
        matrix::mul_vec(&mut gradient, &H, &x);
        dense::add_to(&mut gradient, &G);
        assert!(gradient[0] < 0.0 && gradient[1] > 0.0 && gradient[2].abs() < 1e-12);
    }

    #[test]
    fn meaningless_programs_are_refused() {
        let problem = Problem { h: &H, g: &G, lower: Some(&[0.0; 3]), upper: Some(&[1.0, 0.0, 1.0]) };
        let mut s = Scratch::default();
        let r = solve(&mut [0.0; 3], &mut [0.0; 9], &mut [0; 3], &problem, &Options::default(), &mut s);
        assert_eq!(r, Err(BoxQpError::Bounds { coordinate: 1 }));
        let problem = Problem { h: &[], g: &[], lower: None, upper: None };
        let r = solve(&mut [], &mut [], &mut [], &problem, &Options::default(), &mut s);
        assert_eq!(r, Err(BoxQpError::Empty));
    }

    #[test]
    fn an_indefinite_matrix_is_a_failure() {
        let problem = Problem { h: &[-1.0], g: &[1.0], lower: Some(&[-1.0]), upper: Some(&[1.0]) };
        let mut s = Scratch::default();
        let r = solve(&mut [0.0], &mut [0.0], &mut [0], &problem, &Options::default(), &mut s);
        assert!(!r.unwrap().succeeded());
    }
}
