"""Batches spread over a Ray cluster.

    import ray, condyle.ray

    ray.init(address="auto")
    out = condyle.ray.rollout(model, states, controls, record=("qpos", "sensordata"), shards=64)

Trajectories are cut into shards. A shard is a task that follows from its states, controls and own model values alone, so any worker gives the
same bits as `condyle.Batch` on one machine, and a shard whose worker died is simply done again. The model is put into Ray's object store once;
tasks name it by its fingerprint, and a worker fetches it when it meets it first.

Needs `pip install condyle[ray]`.
"""

import sys

import numpy as np
import ray

import condyle
from condyle import pickling
from condyle.enums import mjtState

_CTRL = int(mjtState.mjSTATE_CTRL)
_ALL = (1 << 14) - 1


def rollout(
    model,
    states=None,
    controls=None,
    *,
    nstep=None,
    control_spec=_CTRL,
    record=("qpos",),
    shards=None,
    nthread=1,
    retries=10,
    progress=None,
):
    """Trajectories from `states` under `controls`, computed on the workers of the cluster Ray is connected to.

    Arguments:
      model: the model of all trajectories; or a `Batch`, with the values its simulations have of their own (`expand`, `set_const`).
      states: (n, size of mjSTATE_FULLPHYSICS) or (n, nstate of a Batch): where trajectories start. By default those of the batch.
      controls: (n, nstep, size of control_spec), or None with `nstep`.
      record: what is written down after every step, as in `Batch.rollout`.
      shards: into how many tasks to cut; by default two for each processor of the cluster.
      nthread: threads of each task, and processors Ray reserves for it.
      retries: how often a shard whose worker died is done again.
      progress: a function called with (done, all) after every shard; True for a line of text on the standard error stream, which
        is also the default where that is a terminal; False for nothing.

    Returns a dictionary from each item of `record` to its array (n, nstep, ...).
    """
    model, states, own = _given(model, states)
    count = len(states)
    if controls is not None:
        controls = np.ascontiguousarray(controls, dtype=np.float64)
        if controls.ndim != 3 or len(controls) != count:
            raise ValueError(f"controls must have shape ({count}, nstep, size of control_spec), got {controls.shape}")
        nstep = controls.shape[1]
    elif nstep is None:
        raise ValueError("give controls or nstep")
    if shards is None:
        shards = max(1, int(2 * ray.cluster_resources().get("CPU", 1) / nthread))
    shards = max(1, min(int(shards), count))
    told = _teller(progress)
    bounds = np.linspace(0, count, shards + 1).astype(int)
    # In a list, the reference is handed on as it is: Ray would fetch the model for every task.
    named = (pickling.fingerprint(model), [ray.put(model)])
    task = _shard.options(num_cpus=nthread, max_retries=retries)
    pending = {}
    for begin, end in zip(bounds[:-1], bounds[1:]):
        part = None if controls is None else controls[begin:end]
        arguments = (states[begin:end], part, nstep, control_spec, tuple(record), nthread, _rows(own, begin, end))
        pending[task.remote(named, *arguments)] = begin
    out, done = None, 0
    told(done, shards)
    while pending:
        (ready,), _ = ray.wait(list(pending), num_returns=1)
        begin, result = pending.pop(ready), ray.get(ready)
        if out is None:
            out = {item: np.empty((count, *rows.shape[1:]), rows.dtype) for item, rows in result.items()}
        for item, rows in result.items():
            out[item][begin : begin + len(rows)] = rows
        done += 1
        told(done, shards)
    return out


def environment(config):
    """The environment that RLlib asks for on a worker: a vector for the vectorize mode `VECTOR_ENTRY_POINT`, else a single one.

        ray.tune.register_env("condyle", condyle.ray.environment)
        config = (
            PPOConfig()
            .environment("condyle", env_config={"id": "HalfCheetah-v5"})
            .env_runners(num_env_runners=8, num_envs_per_env_runner=16, gym_env_vectorize_mode=gymnasium.VectorizeMode.VECTOR_ENTRY_POINT)
        )

    `env_config` has the name of the environment, or as `"maker"` a function that gives a `BatchEnv` of your own for a number of
    environments; the rest are its arguments. Every runner is a process that Ray gives processors to, so a batch has one thread unless
    `"nthread"` says otherwise.
    """
    from condyle.gymnasium import SingleEnv, make_vec

    arguments = dict(config)
    count, name, maker = arguments.pop("num_envs", None), arguments.pop("id", None), arguments.pop("maker", None)
    if (name is None) == (maker is None):
        raise ValueError('env_config needs either "id", the name of an environment, or "maker", a function that makes one')
    arguments.setdefault("nthread", 1)
    maker = maker or (lambda count, **rest: make_vec(name, count, **rest))
    if count is not None:
        return maker(count, **arguments)
    return SingleEnv(maker(1, autoreset_mode="Disabled", **arguments))


def trajectories(model, states=None, controls=None, nstep=None, *, control_spec=_CTRL, record=("qpos",), nthread=1):
    """What `rollout` gives, computed here."""
    model, states, own = _given(model, states)
    return _trajectories(model, states, controls, nstep, control_spec, record, nthread, own)


def _given(model, states):
    """The model, where trajectories start, and what simulations have of their own."""
    own = ({}, None)
    if isinstance(model, condyle.Batch):
        batch, model = model, model.model
        if batch.models is not None:
            raise ValueError("a batch with set_models has no one model to send: call rollout once for each of its models")
        own = batch._own_values()
        states = batch.state if states is None else states
        if len(states) != len(batch):
            raise ValueError(f"{len(states)} states for a batch of {len(batch)} simulations")
    elif states is None:
        raise ValueError("give states, or a Batch in place of the model")
    return model, np.ascontiguousarray(states, dtype=np.float64), own


def _rows(own, begin, end):
    fields, constants = own
    return {name: np.array(rows[begin:end]) for name, rows in fields.items()}, None if constants is None else constants[begin:end]


@ray.remote
def _shard(named, *arguments):
    """One part of the trajectories, on one worker."""
    number, (reference,) = named
    model = _models.get(number)
    if model is None:
        _models.clear()
        model = _models[number] = ray.get(reference)
    return _trajectories(model, *arguments)


# The model this worker met last, by its fingerprint.
_models: "dict[int, condyle.MjModel]" = {}


def _trajectories(model, states, controls, nstep, control_spec, record, nthread, own):
    batch = condyle.Batch(model, len(states), nthread)
    batch._set_own_values(*own)
    full = int(mjtState.mjSTATE_FULLPHYSICS)
    if states.shape[1] == batch.nstate:
        batch.state[...] = states
    elif states.shape[1] == condyle.mj_stateSize(model, full):
        data = condyle.MjData(model)
        for row, state in zip(batch.state, states):
            condyle.mj_setState(model, data, state, full)
            condyle.mj_getState(model, data, row, _ALL)
    else:
        raise ValueError(f"states must have {batch.nstate} or {condyle.mj_stateSize(model, full)} numbers, got {states.shape[1]}")
    return batch.rollout(nstep or controls.shape[1], controls, control_spec, record)


def _teller(progress):
    """The function that is told how much is done."""
    if callable(progress):
        # Of its own it was called after shards only.
        return lambda done, parts: progress(done, parts) if done else None
    if progress is None:
        progress = sys.stderr.isatty()
    return _bar if progress else lambda done, parts: None


def _bar(done, parts, width=40):
    filled = width * done // parts
    end = "\n" if done == parts else ""
    print(f"\r[{'#' * filled}{'.' * (width - filled)}] {done} of {parts} shards", end=end, file=sys.stderr, flush=True)
