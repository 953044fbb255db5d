"""Least squares with box bounds, by damped Gauss–Newton steps.

The interface is that of MuJoCo's module of the same name: the residual is a function of one or more points, given as the columns of a
matrix, so that finite differences cost one call. Each step solves a quadratic problem with bounds (`mju_boxQP`); the damping `mu` grows
until the step lowers the objective enough and falls quickly while steps do as predicted.
"""

import abc
import dataclasses
import enum
import time
from typing import Any, Callable, List, Optional, Sequence, TextIO, Tuple, Union

import numpy as np

from condyle import _condyle


class Verbosity(enum.Enum):
    """How much is printed."""

    SILENT = 0
    FINAL = 1
    ITER = 2
    FULLITER = 3


class Status(enum.Enum):
    """Why the search ended."""

    FACTORIZATION_FAILED = enum.auto()
    NO_IMPROVEMENT = enum.auto()
    MAX_ITER = enum.auto()
    DX_TOL = enum.auto()
    G_TOL = enum.auto()


_ENDINGS = {
    Status.FACTORIZATION_FAILED: "factorization failed.",
    Status.NO_IMPROVEMENT: "insufficient reduction.",
    Status.MAX_ITER: "maximum iterations reached.",
    Status.DX_TOL: "norm(dx) < tol.",
    Status.G_TOL: "norm(gradient) < tol.",
}

# Share of the reduction a straight line promises that a step must give.
_SUFFICIENT = 1e-2


@dataclasses.dataclass(frozen=True)
class IterLog:
    """One iteration: where it began, the objective there, what the step gained and the damping; the rest with `FULLITER`."""

    candidate: Any
    objective: Any
    reduction: Any
    regularizer: Any
    residual: Optional[Any] = None
    jacobian: Optional[Any] = None
    grad: Optional[Any] = None
    step: Optional[Any] = None


class Norm(abc.ABC):
    """A measure of residuals."""

    @abc.abstractmethod
    def value(self, r: Any) -> Any:
        """The norm of a column of residuals."""

    @abc.abstractmethod
    def grad_hess(self, r: Any, proj: Any) -> Tuple[Any, Any]:
        """`proj.T @ gradient` and `proj.T @ hessian @ proj` of the norm at `r`."""


class Quadratic(Norm):
    """Half the sum of squares."""

    def value(self, r: Any) -> Any:
        return 0.5 * (r.T @ r).item()

    def grad_hess(self, r: Any, proj: Any) -> Tuple[Any, Any]:
        return proj.T @ r, proj.T @ proj


class _Damping:
    """The damping, and how many times in a row it fell."""

    def __init__(self, least: float, most: float, factor: float) -> None:
        if factor <= 1:
            raise ValueError("mu_factor must be > 1.")
        self.value, self.falls = np.float64(0.0), 0
        self.least, self.most, self.factor = least, most, factor

    def grow(self) -> None:
        self.value, self.falls = max(self.least, self.factor * self.value), 0

    def fall(self) -> None:
        """Each fall in a row is the square of the one before."""
        lower = self.value * (1 / self.factor) ** (2**self.falls)
        self.value, self.falls = (np.float64(0.0) if lower < self.least else lower), self.falls + 1


class _Problem:
    """Residual and Jacobian, with a count of calls and the time they took."""

    def __init__(self, residual: Any, jacobian: Any, eps: float, bounds: Optional[List[Any]]) -> None:
        self._residual, self._jacobian, self.eps, self.bounds = residual, jacobian, np.float64(eps), bounds
        self.residuals, self.jacobians, self.residual_time, self.jacobian_time = 0, 0, 0.0, 0.0

    def residual(self, x: Any) -> Any:
        start = time.time()
        found = self._residual(x)
        self.residual_time += time.time() - start
        self.residuals += x.shape[1]
        return found

    def differences(self, x: Any, r: Any) -> Any:
        """The Jacobian by finite differences, away from the nearer bound."""
        steps = np.full(x.shape, self.eps)
        if self.bounds is not None:
            middle = 0.5 * (self.bounds[0] + self.bounds[1])
            steps = np.where(x > middle, -self.eps, self.eps)
        # Steps that the numbers can take exactly.
        steps = (steps * np.maximum(1.0, np.abs(x)) + x) - x
        return (self.residual(x + np.diag(steps[:, 0])) - r) / steps.T

    def jacobian(self, x: Any, r: Any) -> Any:
        if self._jacobian is None:
            return self.differences(x, r)
        start = time.time()
        found = self._jacobian(x, r)
        self.jacobian_time += time.time() - start
        self.jacobians += 1
        return found


def jacobian_fd(residual: Any, x: Any, r: Any, eps: float, n_res: int, bounds: Optional[List[Any]] = None) -> Tuple[Any, int]:
    """The Jacobian of a residual at `x` by finite differences, and `n_res` plus the number of evaluations."""
    return _Problem(residual, None, eps, bounds).differences(x, r), n_res + x.size


def _checked_bounds(bounds: Optional[Sequence[Any]], size: int) -> Optional[List[Any]]:
    if bounds is None:
        return None
    if len(bounds) != 2:
        raise ValueError("bounds must have 2 elements.")
    low, high = (np.asarray(bound, np.float64) for bound in bounds)
    if low.size != size or high.size != size:
        raise ValueError("bounds must have the same size as x0.")
    if not (np.isfinite(low).all() and np.isfinite(high).all()):
        raise ValueError("bounds must be finite.")
    if not (low < high).all():
        raise ValueError("bounds[0] must be smaller than bounds[1].")
    return [low.reshape(size, 1), high.reshape(size, 1)]


def least_squares(
    x0: Any,
    residual: Callable[[Any], Any],
    bounds: Optional[Sequence[Any]] = None,
    jacobian: Optional[Callable[[Any, Any], Any]] = None,
    norm: Norm = Quadratic(),
    eps: float = np.finfo(np.float64).eps ** 0.5,
    mu_min: float = 1e-6,
    mu_max: float = 1e8,
    mu_factor: float = 10.0**0.1,
    xtol: float = 1e-8,
    gtol: float = 1e-8,
    max_iter: int = 100,
    verbose: Union[Verbosity, int] = Verbosity.ITER,
    output: Optional[TextIO] = None,
    iter_callback: Optional[Callable[[List[IterLog]], None]] = None,
    check_derivatives: bool = False,
) -> Tuple[Any, List[IterLog]]:
    """The point at which the norm of the residual is least, and the way there.

    `residual(x)` takes a matrix of points as columns and gives a matrix of residuals; `jacobian(x, r)` is the derivative at one point,
    found by finite differences of size `eps` when it is not given. The search ends when the step is below `xtol`, the gradient below
    `gtol`, or after `max_iter` steps. `iter_callback` gets the list of iterations so far; `check_derivatives` compares what the caller
    gives with finite differences first.
    """
    began = time.time()
    level = Verbosity(verbose).value
    damping = _Damping(mu_min, mu_max, mu_factor)
    x = np.array(x0, np.float64).reshape(-1, 1)
    limits = _checked_bounds(bounds, x.size)
    if limits is not None:
        x = np.clip(x, *limits)
    if not np.isfinite(x).all():
        raise ValueError("x0 must be finite.")
    problem = _Problem(residual, jacobian, eps, limits)
    r = problem.residual(x)
    if r.dtype != np.float64:
        raise ValueError("residual function must return float64 arrays.")
    trace: List[IterLog] = []

    def log(entry: IterLog, **details: Any) -> None:
        trace.append(dataclasses.replace(entry, **details) if level >= Verbosity.FULLITER.value else entry)
        if iter_callback is not None:
            iter_callback(trace)

    status = Status.MAX_ITER
    for iteration in range(max_iter):
        value, jac = norm.value(r), problem.jacobian(x, r)
        if iteration == 0 and check_derivatives:
            _check(problem, x, r, jac, jacobian, norm, output)
        grad, hess = norm.grad_hess(r, jac)
        slope = np.linalg.norm(grad[~_held(x, grad, limits)])
        if slope <= gtol:
            status = Status.G_TOL
            if slope == 0:
                print("Zero gradient norm: exact minimum found?", file=output)
            break
        ended, dx, new, reduction = _step(problem, norm, x, value, grad, hess, damping)
        if ended is not None:
            status = ended
            break
        expected = -(grad.T @ dx + 0.5 * dx.T @ hess @ dx).item()
        ratio = reduction / expected if expected > 0 else 0.0
        if expected <= 0 and level > Verbosity.SILENT.value:
            print("Zero expected reduction: exact minimum found?" if expected == 0 else "Negative expected reduction.", file=output)
        length = np.linalg.norm(dx)
        if level >= Verbosity.ITER.value:
            power = np.log10(damping.value) if damping.value > 0 else -np.inf
            print(
                f"iter: {iteration:<3d}  y: {value:<9.4g}  log10mu: {power:>4.1f}  ratio: {ratio:<7.2g}  "
                f"dx: {length:<7.2g}  reduction: {reduction:<7.2g}",
                file=output,
            )
        log(IterLog(x, value, reduction, damping.value), residual=r, jacobian=jac, grad=grad, step=dx)
        if length < xtol * (xtol + np.linalg.norm(x)):
            status = Status.DX_TOL
            break
        if ratio > 0.75:
            damping.fall()
        elif ratio < 0.25:
            damping.grow()
        x, r = x + dx, new

    last = IterLog(x, norm.value(r), np.float64(0.0), damping.value)
    if level >= Verbosity.FULLITER.value:
        jac = problem.jacobian(x, r)
        log(last, residual=r, jacobian=jac, grad=norm.grad_hess(r, jac)[0])
    else:
        log(last)
    if level > Verbosity.SILENT.value:
        _report(status, len(trace), trace[0].objective, trace[-1].objective, time.time() - began, problem, output)
    return x.reshape(np.shape(x0)), trace


def _held(x: Any, grad: Any, bounds: Optional[List[Any]]) -> Any:
    """Which variables sit on a bound that the gradient presses them against."""
    if bounds is None:
        return np.zeros(x.shape, bool)
    return ((x == bounds[0]) & (grad > 0)) | ((x == bounds[1]) & (grad < 0))


def _step(
    problem: _Problem, norm: Norm, x: Any, value: Any, grad: Any, hess: Any, damping: _Damping
) -> Tuple[Optional[Status], Any, Any, Any]:
    """A step that lowers the objective enough: why there is none, the step, the residual after it and the reduction."""
    size = x.size
    dx, memory = np.zeros((size, 1)), np.zeros((size, size + 7))
    low, high = (None, None) if problem.bounds is None else (problem.bounds[0] - x, problem.bounds[1] - x)
    while True:
        while _condyle.mju_boxQP(dx, memory, None, hess + damping.value * np.eye(size), grad, low, high) < 0:
            if damping.value >= damping.most:
                return Status.FACTORIZATION_FAILED, dx, None, 0.0
            damping.grow()
        new = problem.residual(x + dx)
        reduction = value - norm.value(new)
        if reduction + _SUFFICIENT * (grad.T @ dx).item() >= 0:
            return None, dx, new, reduction
        if damping.value >= damping.most:
            return Status.NO_IMPROVEMENT, dx, None, reduction
        damping.grow()


def _report(
    status: Status, count: int, first: Any, last: Any, seconds: float, problem: _Problem, output: Optional[TextIO]
) -> None:
    text = f"Terminated after {count - 1} iterations: {_ENDINGS[status]} y: {first:<.4g} -> {last:<.4g}. "
    text += f"Residual evals: {problem.residuals:d}"
    if problem.jacobians:
        text += f", Jacobian evals: {problem.jacobians:d}"
    text += f"\ntotal time {1e3 * seconds:.1f}ms of which residuals {1e3 * problem.residual_time:.1f}ms"
    if problem.jacobians:
        text += f", Jacobians {1e3 * problem.jacobian_time:.1f}ms"
    print(text, file=output)


def _check(problem: _Problem, x: Any, r: Any, jac: Any, jacobian: Any, norm: Norm, output: Optional[TextIO]) -> None:
    """Compare derivatives of the caller with finite differences; a ValueError says which is wrong."""
    tolerance = 100 * float(problem.eps)
    if jacobian is not None:
        difference = np.abs(problem.differences(x, r) - jac).max()
        scale = max(1.0, float(np.abs(jac).max()))
        if difference > tolerance * scale:
            raise ValueError(f"User-provided Jacobian does not match finite differences: they differ by {difference:.2g}.")
        print("User-provided Jacobian matches finite differences.", file=output)
    if isinstance(norm, Quadratic):
        return
    unit, eps = np.eye(r.size), float(problem.eps)
    grad, hess = norm.grad_hess(r, unit)
    if np.abs(hess - hess.T).max() > 1e-10 * max(1.0, float(np.abs(hess).max())):
        raise ValueError("User-provided norm Hessian is not symmetric.")
    if np.linalg.eigvalsh(hess).min() <= 0:
        raise ValueError("User-provided norm Hessian is not positive definite.")
    values = [(norm.value(r + eps * row[:, None]) - norm.value(r - eps * row[:, None])) / (2 * eps) for row in unit]
    if np.abs(np.reshape(values, -1) - np.reshape(grad, -1)).max() > tolerance * max(1.0, float(np.abs(grad).max())):
        raise ValueError("User-provided norm gradient does not match finite differences.")
    print("User-provided norm gradient matches finite differences.", file=output)
    moved = [norm.grad_hess(r + eps * row[:, None], unit)[0].reshape(-1) for row in unit]
    differences = (np.stack(moved, axis=1) - np.reshape(grad, (-1, 1))) / eps
    if np.abs(differences - hess).max() > tolerance * max(1.0, float(np.abs(hess).max())):
        raise ValueError("User-provided norm Hessian does not match finite differences.")
    print("User-provided norm Hessian matches finite differences.", file=output)
