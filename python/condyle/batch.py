"""Many simulations of one model, stepped together on any number of threads.

    batch = condyle.Batch(model, nsim=1024, nthread=8)
    for _ in range(1000):
        batch.ctrl = policy(batch.qpos, batch.qvel)      # arrays of all simulations: (1024, nu), (1024, nq)
        batch.step()

`batch.qpos`, `batch.ctrl` and the other parts of the state are live arrays: the next step continues from what is written to them.
Computed arrays (`batch.xpos`, `batch.sensordata`, …) are read-only and copied out after every call; after `step` they
describe the state before the last step, as in `MjData`. `batch.expand("body_mass")` gives each simulation masses of its own, and
`batch.set_const()` updates the constants that depend on them. `batch.joint("hinge").qpos` and `batch.body("pole").mass` are parts of these arrays.

Results are those of a loop over single `MjData`, to the last bit, for any number of threads. A simulation is only its row of the
state, so memory grows with the number of threads rather than simulations; `persistent=True` keeps an `MjData` for each, which models
with sleeping need. A simulation that fails keeps its state and is named in the `SimulationError`; the others go on.

The interface is that of `mujoco.batch` in later MuJoCo versions.
"""

import copy
import difflib

import numpy as np

from condyle import _condyle, renderer
from condyle.enums import mjtStage, mjtState
from condyle.named import VIEWS as _VIEWS

_data_fields, _model_fields, _state_fields = _condyle._batch_fields()
#: Names `bind` accepts.
DATA_FIELDS = frozenset(_data_fields)
#: Names `expand` accepts; options are written `opt.gravity`.
MODEL_FIELDS = frozenset(_model_fields)
# The parts of a row of the state, by name.
_STATE_FIELDS = dict(_state_fields)

_NO_STAGE = int(mjtStage.mjSTAGE_NONE)
_ALL_STAGES = int(mjtStage.mjSTAGE_ACC)
_CTRL = int(mjtState.mjSTATE_CTRL)
# Instead of a keyframe: the reference configuration.
_REFERENCE = -1


class SimulationError(RuntimeError):
    """Some simulations failed in a call. They keep the state they had before it; the others ran.

    `ids` lists those that failed; `Batch.error(i)` says why.
    """

    def __init__(self, ids, message, ncall=None):
        self.ids = np.asarray(ids)
        shown = ", ".join(map(str, self.ids[:5])) + (", ..." if len(self.ids) > 5 else "")
        of = "" if ncall is None else f" of {ncall}"
        super().__init__(f"{len(self.ids)}{of} simulations ({shown}); simulation {self.ids[0]}: {message}")


class Batch:
    """`nsim` simulations of a copy of `model`, on `nthread` threads (0: all processors).

    With `persistent` the batch keeps an `MjData` for each simulation. Use a batch from one Python thread at a time.
    """

    def __init__(self, model, nsim, nthread=0, persistent=False):
        self._b = _condyle._Batch(model, nsim, nthread, persistent)
        self.model = model
        self._models = None
        self._bound = {}
        self._expanded = {}
        self._template = None
        self._renderer = None
        #: (nsim, nstate): everything a simulation continues from, in the order of `mjtState`.
        self.state = self._b.state()
        #: (nsim, number of kinds, 2): for each `mjtWarning`, what the last one was about and how often it was raised.
        self.warning = self._b.warning()
        #: (nsim,): 1 where the last call failed.
        self.status = self._b.status()
        self.status.flags.writeable = False
        self._live = frozenset(("state", "warning", "status"))

    # Sizes.

    @property
    def nsim(self):
        """Number of simulations."""
        return self._b.nsim

    @property
    def nthread(self):
        """Number of threads."""
        return self._b.nthread

    @property
    def nstate(self):
        """Length of a row of `state`."""
        return self._b.nstate

    @property
    def persistent(self):
        """Whether the batch keeps an `MjData` for each simulation."""
        return self._b.persistent

    @property
    def non_finite_policy(self):
        """What a step does about an invalid value: "auto_reset", "hold", or "error", which makes the simulation fail."""
        return self._b.non_finite_policy

    def __len__(self):
        return self.nsim

    def __repr__(self):
        return f"<Batch of {self.nsim} simulations of {self.model!r} on {self.nthread} threads>"

    # Arrays.

    @property
    def _data(self):
        """An `MjData` to take shapes and types from."""
        if self._template is None:
            self._template = _condyle.MjData(self.model)
        return self._template

    def __getattr__(self, name):
        if name in DATA_FIELDS:
            return self.bind(name)
        hint = "" if name.startswith("_") else _hint(name, DATA_FIELDS, of_model=True)
        raise AttributeError(f"'Batch' object has no attribute {name!r}{hint}")

    def __setattr__(self, name, value):
        if name == "non_finite_policy":
            self._b.set_non_finite_policy(value)
        elif name in self.__dict__.get("_live", ()):
            # Assigning writes to the simulations, as for the fields; `status` is read-only.
            self.__dict__[name][...] = value
        elif name not in DATA_FIELDS:
            object.__setattr__(self, name, value)
        elif name in _STATE_FIELDS:
            self.bind(name)[...] = value
        else:
            raise _computed(name)

    def bind(self, name):
        """The live array (nsim, ...) of a field of `MjData`: writable for the state, otherwise copied out after every call."""
        if name in self._bound:
            return self._bound[name]
        if name in _STATE_FIELDS:
            offset, size = self._b.state_component(_STATE_FIELDS[name])
            rows = self.state[:, offset : offset + size]
            rows = rows[:, 0] if name == "time" else rows.reshape(self.nsim, *getattr(self._data, name).shape)
        else:
            rows = self._b.output(name) if name in DATA_FIELDS else None
            if rows is None:
                raise self._not_bindable(name)
            rows.flags.writeable = False
        self._bound[name] = rows
        # Reading the attribute finds it at once from now on; assigning still goes through __setattr__.
        self.__dict__[name] = rows
        return rows

    def expand(self, name):
        """Give each simulation values of its own for a field of `MjModel` ("body_mass") or an option ("opt.gravity"): (nsim, ...).

        After changing something that constants depend on (masses, inertias, reference poses), call `set_const`.
        """
        if name not in self._expanded:
            rows = self._b.expand(name)
            if rows is None:
                raise self._not_expandable(name)
            self._expanded[name] = rows
        return self._expanded[name]

    def expanded(self, name):
        """The read-only values of a field that `expand` or `set_const` expanded, or None."""
        if name not in MODEL_FIELDS:
            raise self._not_expandable(name)
        return self._b.expanded(name)

    # Calls.

    def step(self, ids=None, nstep=1, stage=_NO_STAGE, *, body_forces=False):
        """Advance by `nstep` time steps; then compute the stages up to `stage` (mjtStage) at the new state.

        `ids`: increasing simulation numbers, a mask of shape (nsim,), or None for all. Without `stage`, computed arrays describe the
        state before the last step, as after `mj_step`. With `body_forces`, `mj_rnePostConstraint` follows the last step, so that
        `cfrc_ext`, `cfrc_int` and `cacc` are available without a sensor that needs them.
        """
        ids = _ids(ids, self.nsim)
        self._check(ids, self._b.step(ids, nstep, int(stage), body_forces))

    def forward(self, ids=None, stage=_ALL_STAGES):
        """Compute the stages up to `stage` without advancing; all of them by default, like `mj_forward`."""
        ids = _ids(ids, self.nsim)
        self._check(ids, self._b.forward(ids, int(stage)))

    def reset(self, ids=None, keyframe=_REFERENCE, stage=_ALL_STAGES):
        """Reset to the reference configuration (-1) or a keyframe, one for all or one each; then compute the stages up to `stage`."""
        ids = _ids(ids, self.nsim)
        keys = None
        if not isinstance(keyframe, int) or keyframe != _REFERENCE:
            count = self.nsim if ids is None else len(ids)
            keys = _integers(keyframe, (count,), -1, self._nkey(), "keyframe")
            keys = None if (keys == -1).all() else keys
        self._check(ids, self._b.reset(ids, keys, int(stage)))

    def set_const(self, ids=None):
        """Recompute the model constants that depend on expanded fields, like `mj_setConst`; they become per-simulation fields."""
        ids = _ids(ids, self.nsim)
        self._check(ids, self._b.set_const(ids))

    def rollout(self, nstep, control=None, control_spec=_CTRL, record=("qpos",), ids=None, out=None):
        """Advance by `nstep` steps with the given controls, recording fields after each.

        `control`, (n, nstep, size of control_spec) for the n simulations of the call, sets the components `control_spec` before each
        step; without it the inputs stay as they are. `record` lists `MjData` field names or `mjtState` components. A simulation that raises
        a warning stops, and the rest of its records repeat the last ones. `out` may hold arrays to write to, by item.

        Returns a dictionary from each item to its array (n, nstep, ...).
        """
        ids = _ids(ids, self.nsim)
        count = self.nsim if ids is None else len(ids)
        if control is not None:
            shape = (count, nstep, _condyle.mj_stateSize(self.model, int(control_spec)))
            control = np.ascontiguousarray(np.broadcast_to(control, shape), dtype=np.float64)
        if isinstance(record, str):
            raise ValueError(f"record lists items: record=({record!r},)")
        given, result, records = out or {}, {}, []
        for item in record:
            shape, dtype, name, spec = self._recorded(item)
            shape = (count, nstep, *shape)
            array = given.get(item)
            if array is None:
                array = np.empty(shape, dtype)
            elif not _fits(array, shape, dtype):
                raise ValueError(f"out[{item!r}] must be a writable C-contiguous {dtype} array of shape {shape}")
            records.append((name, spec, array))
            result[item] = array
        self._check(ids, self._b.rollout(ids, nstep, control, int(control_spec), records))
        return result

    def jac(self, body, point, ids=None):
        """Jacobians (n, 3, nv) of world points moving with bodies: translational, rotational. Does not change the simulations.

        `body`: a number, or one for each simulation of the call; `point`: (3,) or (n, 3).
        """
        ids = _ids(ids, self.nsim)
        count = self.nsim if ids is None else len(ids)
        body = _integers(body, (count,), 0, self.model.nbody, "body")
        point = np.ascontiguousarray(np.broadcast_to(point, (count, 3)), np.float64)
        jacp, jacr = (np.zeros((count, 3, self.model.nv)) for _ in range(2))
        self._check(ids, self._b.jac(ids, body, point, jacp, jacr))
        return jacp, jacr

    def ray(self, pnt, vec, geomgroup=None, flg_static=True, bodyexclude=-1, ids=None, normal=False):
        """Distances along rays and the geoms they hit, like `mj_ray`: (n, nray) each, -1 for none; with `normal` also (n, nray, 3).

        `pnt` and `vec` may be one ray (3,), the same rays in every simulation (nray, 3), or (n, nray, 3). Does not change the simulations.
        """
        ids = _ids(ids, self.nsim)
        count = self.nsim if ids is None else len(ids)
        pnt, vec = (np.atleast_2d(np.asarray(rays, np.float64)) for rays in (pnt, vec))
        nray = np.broadcast_shapes(pnt.shape[:-1], vec.shape[:-1])[-1]
        pnt, vec = (np.ascontiguousarray(np.broadcast_to(rays, (count, nray, 3))) for rays in (pnt, vec))
        exclude = _integers(bodyexclude, (count, nray), -1, self.model.nbody, "bodyexclude")
        groups = None if geomgroup is None else np.ascontiguousarray(geomgroup, np.uint8)
        dist, geomid = np.zeros((count, nray)), np.zeros((count, nray), np.int32)
        normals = np.zeros((count, nray, 3)) if normal else None
        self._check(ids, self._b.ray(ids, pnt, vec, groups, bool(flg_static), exclude, dist, geomid, normals))
        return (dist, geomid, normals) if normal else (dist, geomid)

    def error(self, sim):
        """What went wrong with simulation `sim` in its last call; '' if nothing did."""
        return self._b.error(sim)

    # Models and data of single simulations.

    def set_models(self, models):
        """Run simulation i on a copy of `models[i]`, all of them on one given model, or, with None, on the batch's own model again.

        The models must need data of the same sizes as the batch's. They replace expanded fields: a batch has one or the other.
        """
        if models is not None and not isinstance(models, _condyle.MjModel):
            models = list(models)
            if len(models) != self.nsim:
                raise ValueError(f"{len(models)} models for {self.nsim} simulations; give one per simulation")
        self._b.set_models([models] if isinstance(models, _condyle.MjModel) else models)
        self._models = models

    @property
    def models(self):
        """What `set_models` set: a model, a tuple with one for each simulation, or None."""
        return tuple(self._models) if isinstance(self._models, list) else self._models

    def get_model(self, sim, model=None):
        """The model of simulation `sim` with its own values, written into `model` if one is given."""
        return self._b.get_model(sim, model)

    def get_data(self, sim, data=None):
        """An `MjData` with the state of simulation `sim`; from a persistent batch with everything else too."""
        data = _condyle.MjData(self.model) if data is None else data
        self._b.get_data(sim, data)
        return data

    # Pictures.

    def render(self, camera=-1, size=(84, 84), ids=None, *, out=None, depth=False, segmentation=False, color=True, flags=None):
        """Pictures of the simulations `ids` (all when None), on the threads of the batch. The arguments are those of `condyle.render_batch`.

        They are computed from the states; neither these nor the bound arrays change. Simulations with values of their own for the model
        are drawn one after the other.
        """
        ids = np.arange(self.nsim)[slice(None) if ids is None else _nothing_is_integer(np.asarray(ids))]
        cameras = renderer._cameras(self.model, camera)
        arrays = renderer._arrays(len(ids), tuple(size), out, color, depth, segmentation)
        if self._models is not None or self._expanded or self.persistent:
            if len(cameras) not in (1, len(ids)):
                raise ValueError(f"{len(cameras)} cameras for {len(ids)} pictures")
            for place, sim in enumerate(ids):
                model, data = self.get_model(sim), self.get_data(sim)
                _condyle.mj_forward(model, data)
                own = {name: False if array is None else array[place : place + 1] for name, array in arrays.items()}
                renderer.render_batch(
                    model, [data], cameras[place if len(cameras) > 1 else 0], tuple(size), out=None if own["rgb"] is False else own["rgb"],
                    depth=own["depth"], segmentation=own["segmentation"], color=False, flags=flags, nthread=1,
                )  # fmt: skip
            return renderer._made(arrays)
        height, width = size
        if self._renderer is None or self._renderer[0] != (width, height):
            self._renderer = (width, height), self._b.renderer(width, height)
        rows = np.ascontiguousarray(self.state[ids]).reshape(len(ids), self.nstate)
        self._b.draw(self._renderer[1], rows, cameras, renderer._switches(self.model, flags), arrays)
        return renderer._made(arrays)

    def _model_of(self, sim):
        if isinstance(self._models, list):
            return self._models[sim]
        return self.model if self._models is None else self._models

    # Copies: pickles hold the state, the expanded fields and the model, and bind again what was bound.

    def _own_values(self):
        """What simulations have of their own in their models, for `_set_own_values` of another batch: the rows (nsim, ...) of every field that
        `expand` or `set_const` expanded, and the constants `set_const` computed beside them, or None.
        """
        fields = {name: rows for name in sorted(MODEL_FIELDS) if (rows := self._b.expanded(name)) is not None}
        constants = self._b.constants()
        return fields, None if constants is None else np.array(constants).reshape(self.nsim, 8)

    def _set_own_values(self, fields, constants=None):
        """Take over rows and constants that `_own_values` gave."""
        for name, values in fields.items():
            rows = self._b.expand(name)
            if rows is None:
                raise self._not_expandable(name)
            rows[...] = values
        if constants is not None:
            self._b.restore_constants([list(row) for row in constants])

    def __reduce__(self):
        bound = [name for name in self._bound if name not in _STATE_FIELDS]
        state = {
            "state": np.array(self.state),
            "warning": np.array(self.warning),
            "bound": bound,
            "own": tuple(self._own_values()),
            "models": self._models,
            "policy": self.non_finite_policy,
        }
        return _restored, ((self.model, self.nsim, self.nthread, self.persistent), state)

    def __copy__(self):
        build, arguments = self.__reduce__()
        return build(*arguments)

    def __deepcopy__(self, memo):
        build, (made, state) = self.__reduce__()
        return build((copy.deepcopy(made[0], memo), *made[1:]), state)

    # What is wrong.

    def _check(self, ids, failures):
        if failures:
            called = np.arange(self.nsim) if ids is None else ids
            failed = called[self.status[called] != 0]
            raise SimulationError(failed, self.error(int(failed[0])), len(called))

    def _nkey(self):
        models = self._models if isinstance(self._models, list) else [self._model_of(0)]
        return max(model.nkey for model in models)

    def _recorded(self, item):
        """Shape and type of what is recorded in a step, and its name in the engine."""
        if not isinstance(item, str):
            return (_condyle.mj_stateSize(self.model, int(item)),), np.dtype(np.float64), None, int(item)
        if item == "time":
            return (), np.dtype(np.float64), None, int(mjtState.mjSTATE_TIME)
        template = getattr(self._data, item, None) if item in DATA_FIELDS else None
        if isinstance(template, np.ndarray):
            return template.shape, template.dtype, item, 0
        if isinstance(template, int):
            return (), np.dtype(np.int32), item, 0
        raise self._not_bindable(item)

    def _not_bindable(self, name):
        if name in MODEL_FIELDS:
            return ValueError(f"{name} is an MjModel field: use expand({name!r})")
        value = getattr(self._data, name, None)
        if isinstance(value, np.ndarray):
            return ValueError(f"{name} is in MuJoCo's arena: its size changes from step to step, so it cannot be bound")
        if isinstance(value, int):
            counts = sorted(n for n in DATA_FIELDS if isinstance(getattr(self._data, n), int))
            return ValueError(f"{name} is not one of the MjData scalars bind() accepts: {', '.join(counts)}")
        return ValueError(f"{name} is not an MjData array field{_hint(name, DATA_FIELDS)}")

    def _not_expandable(self, name):
        if name in DATA_FIELDS:
            return ValueError(f"{name} is an MjData field: use bind({name!r})")
        if isinstance(getattr(self.model, name, None), np.ndarray):
            return ValueError(f"{name} is asset data, which all simulations share, and cannot be expanded")
        return ValueError(f"{name} is not an expandable MjModel field{_hint(name, MODEL_FIELDS)}")


def _restored(made, state):
    """A batch as it was pickled."""
    batch = Batch(*made)
    for name in state["bound"]:
        batch.bind(name)
    batch._set_own_values(*state["own"])
    if state["models"] is not None:
        batch.set_models(state["models"])
    batch.state[...] = state["state"]
    batch.warning[...] = state["warning"]
    batch.non_finite_policy = state["policy"]
    return batch


def _fits(array, shape, dtype):
    if not isinstance(array, np.ndarray) or array.shape != shape or array.dtype != dtype:
        return False
    return array.flags.c_contiguous and array.flags.writeable


class _Named:
    """One object's part of the arrays of a batch: the attributes its views in `MjData` and `MjModel` have, (nsim, ...).

    Parts of the state are writable. An attribute of the model is read without expanding its field; assigning expands it.
    """

    def __init__(self, batch, kind, key):
        model_view = getattr(batch.model, kind)(key)
        data_view = getattr(batch._data, kind, None)
        data_view = None if data_view is None else data_view(key)
        for name, value in (("_batch", batch), ("_kind", kind), ("_model_view", model_view), ("_data_view", data_view)):
            object.__setattr__(self, name, value)

    @property
    def id(self):
        return self._model_view.id

    @property
    def name(self):
        return self._model_view.name

    def __getattr__(self, attribute):
        return self._part(attribute, False)

    def __setattr__(self, attribute, value):
        if attribute in ("id", "name") or attribute.startswith("_"):
            raise AttributeError(f"{attribute} is read-only")
        self._part(attribute, True)[...] = value

    def __dir__(self):
        views = [view for view in (self._model_view, self._data_view) if view is not None]
        return sorted({"id", "name", *(name for view in views for name in view._fields)})

    def _part(self, attribute, write):
        for view, of_model in ((self._data_view, False), (self._model_view, True)):
            if view is not None and attribute in view._fields:
                return self._slice(view, attribute, of_model, write)
        if self._kind == "actuator" and attribute == "moment":
            raise AttributeError("actuator moment is not a slice of a field that the batch binds or expands")
        known = [name for name in dir(self) if not name.startswith("_")]
        raise AttributeError(f"{attribute} is not a field of a {self._kind}{_did_you_mean(attribute, known)}")

    def _slice(self, view, attribute, of_model, write):
        batch, part = self._batch, getattr(view, attribute)
        if part.size == 0:
            rows = np.empty((batch.nsim, *part.shape), part.dtype)
            rows.flags.writeable = False
            return rows
        field = _VIEWS[type(view).__name__][1][attribute]
        rows = self._model_rows(field, part, attribute, write) if of_model else self._data_rows(field, attribute, write)
        if rows.shape[1:] == part.shape and (of_model and field not in batch._expanded and batch._b.expanded(field) is None):
            return rows
        whole = getattr(batch.model if of_model else batch._data, field)
        start = (part.ctypes.data - whole.ctypes.data) // whole.itemsize
        flat = rows.reshape(batch.nsim, -1)
        return flat[:, start : start + part.size].reshape(batch.nsim, *part.shape)

    def _data_rows(self, field, attribute, write):
        if write and field not in _STATE_FIELDS:
            raise _computed(f"{self._kind} {attribute}")
        return self._batch.bind(field)

    def _model_rows(self, field, part, attribute, write):
        """The rows of the whole field, or, where simulations share it, of this part."""
        batch = self._batch
        shared = (batch.nsim, *part.shape)
        if batch._models is not None:
            if write:
                raise ValueError(f"{field} comes from the caller's models (set_models): edit them and call set_models again")
            parts = [getattr(getattr(batch._model_of(sim), self._kind)(self.id), attribute) for sim in range(batch.nsim)]
            rows = np.stack(parts)
            rows.flags.writeable = False
            return rows
        if field in batch._expanded:
            return batch.expand(field)
        if field not in MODEL_FIELDS or _structural(field, part):
            if write:
                raise ValueError(f"{field} is structural: it cannot differ between simulations")
            return np.broadcast_to(part, shared)
        if write:
            return batch.expand(field)
        rows = batch.expanded(field)
        return np.broadcast_to(part, shared) if rows is None else rows


def _accessor(kind):
    def access(self, key):
        return _Named(self, kind, key)

    access.__name__ = kind
    access.__doc__ = f"The {kind} of that name or number: its part of the arrays of all simulations."
    return access


for _kind in (
    "actuator body camera equality geom joint keyframe light material numeric pair sensor site tendon".split()
):
    setattr(Batch, _kind, _accessor(_kind))
del _kind


def _structural(field, part):
    """Whether a field holds addresses, counts, numbers of objects or types."""
    ends = field.endswith(("adr", "num", "id", "type")) and not field.endswith("contype")
    return part.dtype.kind in "iu" and ends


def _ids(ids, nsim):
    """Numbers of simulations in rising order as int32, None for all; from integers or a mask."""
    if ids is None:
        return None
    ids = np.asarray(ids)
    if ids.dtype == bool:
        if ids.shape != (nsim,):
            raise ValueError(f"a boolean mask must have shape ({nsim},)")
        chosen = ids.nonzero()[0]
        return None if len(chosen) == nsim else chosen.astype(np.int32)
    if ids.ndim != 1:
        raise ValueError("ids must be one-dimensional")
    if ids.size == 0:
        return np.zeros(0, np.int32)
    if ids.dtype.kind not in "iu":
        raise ValueError(f"ids must be integers, got {ids.dtype}")
    falls = (ids[1:] <= ids[:-1]).nonzero()[0]
    if falls.size:
        raise ValueError(f"ids must be sorted and unique, got {ids[falls[0]]} before {ids[falls[0] + 1]}")
    if ids[0] < 0 or ids[-1] >= nsim:
        raise ValueError(f"ids must be in [0, {nsim}), got {ids[0] if ids[0] < 0 else ids[-1]}")
    return np.ascontiguousarray(ids, dtype=np.int32)


def _nothing_is_integer(values):
    """The array; an empty list, which numpy takes for real numbers, as one of integers."""
    return values if values.size else values.astype(np.int32)


def _integers(values, shape, low, high, name):
    """Integers in [low, high) of that shape."""
    values = _nothing_is_integer(np.asarray(values))
    if not np.issubdtype(values.dtype, np.integer):
        raise ValueError(f"{name} must be integers, got {values.dtype}")
    wrong = values[(values < low) | (values >= high)]
    if wrong.size:
        raise ValueError(f"{name} must be in [{low}, {high}), got {wrong.flat[0]}")
    return np.ascontiguousarray(np.broadcast_to(values, shape), np.int32)


def _did_you_mean(name, names):
    close = difflib.get_close_matches(name, list(names), n=3)
    return f" (did you mean {', '.join(map(repr, close))}?)" if close else ""


def _hint(name, names, of_model=False):
    """Where the name belongs, or names like it."""
    if of_model and name in MODEL_FIELDS:
        return f"; {name} is an MjModel field: use expand({name!r})"
    if "opt." + name in MODEL_FIELDS:
        return f"; {name} is an MjOption field: use expand('opt.{name}')"
    return _did_you_mean(name, names)


def _computed(name):
    return ValueError(f"{name} is computed by every call and cannot be written; write the state (qpos, ctrl, ...) or expand model fields")
