"""Batches of open-loop trajectories: initial states and controls in, states and sensor readings after every step out.

The interface is that of MuJoCo's module of the same name. The interpreter lock is released while trajectories are computed, and
results do not depend on the number of threads: what a call does not specify (user data; without `control` also the controls) is taken
from the first data. With a single data, a trajectory continues from what the one before it left there, as in MuJoCo.
"""

import atexit
import operator
from collections.abc import Sequence
from typing import Any, List, Optional, Tuple, Union

import numpy as np
from numpy import typing as npt

from condyle import _condyle
from condyle.enums import mjtState

_FULL_PHYSICS = int(mjtState.mjSTATE_FULLPHYSICS)
_USER = int(mjtState.mjSTATE_USER)

Models = Union["_condyle.MjModel", Sequence["_condyle.MjModel"]]
Datas = Union["_condyle.MjData", Sequence["_condyle.MjData"]]


class Rollout:
    """Threads kept from one batch to the next; a context manager that releases them at its end."""

    def __init__(self, *, nthread: Optional[int] = None):
        """With `nthread` threads; with none, trajectories are computed on the calling thread."""
        self.nthread = nthread if nthread is not None else 0
        self.rollout_: Optional[Any] = _condyle._Rollout(nthread=self.nthread)

    def __enter__(self) -> "Rollout":
        return self

    def __exit__(self, exc_type: object, exc_val: object, exc_tb: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the threads. Calling `rollout` afterwards is an error."""
        self.rollout_ = None

    def rollout(
        self,
        model: Models,
        data: Datas,
        initial_state: npt.ArrayLike,
        control: Optional[npt.ArrayLike] = None,
        *,
        control_spec: int = int(mjtState.mjSTATE_CTRL),
        skip_checks: bool = False,
        nstep: Optional[int] = None,
        initial_warmstart: Optional[npt.ArrayLike] = None,
        state: Optional[npt.ArrayLike] = None,
        sensordata: Optional[npt.ArrayLike] = None,
        chunk_size: Optional[int] = None,
    ) -> Tuple[Any, Any]:
        """Like the function `rollout`, on the threads of this object; there must be one `MjData` for each."""
        if self.rollout_ is None:
            raise RuntimeError("rollout was called after its threads were released")
        arrays = {
            "initial_state": initial_state,
            "initial_warmstart": initial_warmstart,
            "control": control,
            "state": state,
            "sensordata": sensordata,
        }
        if skip_checks:
            models, datas = model, data
        else:
            models = [model] if isinstance(model, _condyle.MjModel) else list(model)
            datas = [data] if isinstance(data, _condyle.MjData) else list(data)
            one_model = isinstance(model, _condyle.MjModel)
            models, nstep = _fit(models, one_model, arrays, operator.index(control_spec), nstep, chunk_size)
        self.rollout_.rollout(
            models,
            datas,
            nstep,
            operator.index(control_spec),
            arrays["initial_state"],
            arrays["initial_warmstart"],
            arrays["control"],
            arrays["state"],
            arrays["sensordata"],
            chunk_size,
        )
        return arrays["state"], arrays["sensordata"]


# Threads kept by `rollout(..., persistent_pool=True)`.
persistent_rollout: Optional[Rollout] = None


def shutdown_persistent_pool() -> None:
    """Release the threads kept by `rollout(..., persistent_pool=True)`; done automatically when the interpreter exits."""
    global persistent_rollout
    kept, persistent_rollout = persistent_rollout, None
    if kept is not None:
        kept.close()


atexit.register(shutdown_persistent_pool)


def rollout(
    model: Models,
    data: Datas,
    initial_state: npt.ArrayLike,
    control: Optional[npt.ArrayLike] = None,
    *,
    control_spec: int = int(mjtState.mjSTATE_CTRL),
    skip_checks: bool = False,
    nstep: Optional[int] = None,
    initial_warmstart: Optional[npt.ArrayLike] = None,
    state: Optional[npt.ArrayLike] = None,
    sensordata: Optional[npt.ArrayLike] = None,
    chunk_size: Optional[int] = None,
    persistent_pool: bool = False,
) -> Tuple[Any, Any]:
    """Compute trajectories from initial states; returns the states and the sensor readings after every step.

    A trajectory in which a step raises a warning, for example because of an invalid value, ends there: the rest of its outputs
    repeat that step.

    Arguments, where nbatch is the number of trajectories and an input dimension of 1 is broadcast to all of them:
      model: one model, or a sequence of nbatch models of the same sizes.
      data: one `MjData`, or a sequence of them: one thread is used for each.
      initial_state: (nbatch, size of mjSTATE_FULLPHYSICS).
      control: (nbatch, nstep, size of control_spec); without it inputs stay as they are in the data.
      control_spec: which components of mjtState a control sets, of those in mjSTATE_USER.
      skip_checks: skip all checks: inputs must be lists with full shapes and float64, outputs must exist, nstep must be given.
      nstep: number of steps, if it does not follow from an array.
      initial_warmstart: accelerations the solver starts from, (nbatch, nv); zeros by default.
      state, sensordata: arrays to write to, (nbatch, nstep, size); allocated if not given.
      chunk_size: trajectories a thread takes at a time.
      persistent_pool: keep the threads for the next call with as many data.

    Raises ValueError for shapes that do not fit.
    """
    datas: List[Any] = [data] if isinstance(data, _condyle.MjData) else list(data)
    nthread = len(datas) if len(datas) > 1 else 0
    threads = _persistent(nthread) if persistent_pool else Rollout(nthread=nthread)
    try:
        return threads.rollout(
            model,
            datas,
            initial_state,
            control,
            control_spec=control_spec,
            skip_checks=skip_checks,
            nstep=nstep,
            initial_warmstart=initial_warmstart,
            state=state,
            sensordata=sensordata,
            chunk_size=chunk_size,
        )
    finally:
        if not persistent_pool:
            threads.close()


def _persistent(nthread: int) -> Rollout:
    """The kept threads, started anew when another number is wanted."""
    global persistent_rollout
    if persistent_rollout is None or persistent_rollout.nthread != nthread:
        shutdown_persistent_pool()
        persistent_rollout = Rollout(nthread=nthread)
    return persistent_rollout


# Number of dimensions of each array.
_RANK = {"initial_state": 2, "initial_warmstart": 2, "control": 3, "state": 3, "sensordata": 3}


def _fit(models, one_model, arrays, control_spec, nstep, chunk_size):
    """Check everything, give inputs their full shapes and make outputs; returns a model for each trajectory and the steps."""
    if control_spec & ~_USER:
        raise ValueError("control_spec can only contain bits in mjSTATE_USER")
    for name, value in (("nstep", nstep), ("chunk_size", chunk_size)):
        if value and not isinstance(value, int):
            raise ValueError(f"{name} must be an integer")
    for name, array in arrays.items():
        arrays[name] = _with_rank(name, array, _RANK[name])

    nbatch = _common(0, 1, arrays, arrays)
    if not one_model and nbatch == 1:
        nbatch = len(models)
    if len(models) > 1 and len(models) != nbatch:
        raise ValueError(f"{nbatch} trajectories, but {len(models)} models")
    nstep = _common(1, nstep or 1, arrays, ("control", "state", "sensordata"))

    sizes = _sizes(models[0], control_spec)
    if any(_sizes(model, control_spec) != sizes for model in models[1:]):
        raise ValueError("the models have different sizes")
    for name, array in arrays.items():
        if array is not None and array.shape[-1] != sizes[name]:
            raise ValueError(f"trailing dimension of {name} must be {sizes[name]}, got {array.shape[-1]}")

    for name, lengths in (("initial_state", (nbatch,)), ("initial_warmstart", (nbatch,)), ("control", (nbatch, nstep))):
        arrays[name] = _spread(arrays[name], lengths, (arrays["state"], arrays["sensordata"]))
    for name in ("state", "sensordata"):
        if arrays[name] is None:
            arrays[name] = np.empty((nbatch, nstep, sizes[name]))
    return (models * nbatch if len(models) == 1 else models), nstep


def _sizes(model, control_spec):
    """The last dimension of each array."""
    state = _condyle.mj_stateSize(model, _FULL_PHYSICS)
    return {
        "initial_state": state,
        "initial_warmstart": model.nv,
        "control": _condyle.mj_stateSize(model, control_spec),
        "state": state,
        "sensordata": model.nsensordata,
    }


def _with_rank(name, array, rank):
    """The array with further dimensions in front, in memory without gaps; the same memory whenever that is possible."""
    if array is None:
        return None
    if not isinstance(array, (np.ndarray, float)):
        raise ValueError(f"{name} must be a numpy array or float")
    array = np.asarray(array)
    if array.ndim > rank:
        raise ValueError(f"{name} can have at most {rank} dimensions")
    return np.ascontiguousarray(array.reshape((1,) * (rank - array.ndim) + array.shape), dtype=np.float64)


def _common(axis, size, arrays, names):
    """The length all arrays have along an axis, those of length 1 aside; a `size` other than 1 is known already."""
    for name in names:
        found = size if arrays[name] is None else arrays[name].shape[axis]
        if size == 1:
            size = found
        elif found not in (size, 1):
            raise ValueError(f"dimension {axis} inferred as {size} but {name} has {found}")
    return size


def _spread(array, lengths, outputs):
    """The array with dimensions of 1 repeated to `lengths`, in other memory than that of the outputs."""
    if array is None:
        return None
    shape = tuple(length if have == 1 else have for have, length in zip(array.shape, lengths))
    spread = np.ascontiguousarray(np.broadcast_to(array, shape + array.shape[len(lengths) :]))
    if any(output is not None and np.may_share_memory(spread, output) for output in outputs):
        return spread.copy()
    return spread
