"""Batches spread over a Ray cluster.

    import ray, condyle.ray

    ray.init(address="auto")
    out = condyle.ray.rollout(model, states, controls, record=("qpos", "sensordata"), shards=64)

Trajectories are cut into shards. A shard is a task that follows from its states and controls alone, so any worker gives the same bits as
`condyle.Batch` on one machine, and a shard whose worker died is simply done again. The model is put into Ray's object store once and is read
from there by every worker.

Needs `pip install condyle[ray]`.
"""

import numpy as np
import ray

import condyle
from condyle.enums import mjtState

_CTRL = int(mjtState.mjSTATE_CTRL)
_ALL = (1 << 14) - 1


def rollout(
    model, states, controls=None, *, nstep=None, control_spec=_CTRL, record=("qpos",), shards=None, nthread=1, retries=10, progress=None
):
    """Trajectories from `states` under `controls`, computed on the workers of the cluster Ray is connected to.

    Arguments:
      model: the model of all trajectories.
      states: (n, size of mjSTATE_FULLPHYSICS) or (n, nstate of a Batch): where trajectories start.
      controls: (n, nstep, size of control_spec), or None with `nstep`.
      record: what is written down after every step, as in `Batch.rollout`.
      shards: into how many tasks to cut; by default two for each processor of the cluster.
      nthread: threads of each task, and processors Ray reserves for it.
      retries: how often a shard whose worker died is done again.
      progress: a function called with (done, all) after every shard.

    Returns a dictionary from each item of `record` to its array (n, nstep, ...).
    """
    states = np.ascontiguousarray(states, dtype=np.float64)
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
    bounds = np.linspace(0, count, shards + 1).astype(int)
    shared = ray.put(model.to_binary())
    task = _shard.options(num_cpus=nthread, max_retries=retries)
    pending = {}
    for begin, end in zip(bounds[:-1], bounds[1:]):
        part = None if controls is None else controls[begin:end]
        pending[task.remote(shared, states[begin:end], part, nstep, control_spec, tuple(record), nthread)] = begin
    out, done = None, 0
    while pending:
        (ready,), _ = ray.wait(list(pending), num_returns=1)
        begin, result = pending.pop(ready), ray.get(ready)
        if out is None:
            out = {item: np.empty((count, *rows.shape[1:]), rows.dtype) for item, rows in result.items()}
        for item, rows in result.items():
            out[item][begin : begin + len(rows)] = rows
        done += 1
        if progress is not None:
            progress(done, shards)
    return out


def environment(config):
    """The environment that RLlib asks for on a worker: a vector for `gym_env_vectorize_mode="vector_entry_point"`, else a single one.

        ray.tune.register_env("condyle", condyle.ray.environment)
        config = (
            PPOConfig()
            .environment("condyle", env_config={"id": "HalfCheetah-v5"})
            .env_runners(num_env_runners=8, num_envs_per_env_runner=16, gym_env_vectorize_mode="vector_entry_point")
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


# Models already read by this worker, by the bytes of their binary form.
_models: "dict[bytes, condyle.MjModel]" = {}


@ray.remote
def _shard(binary, states, controls, nstep, control_spec, record, nthread):
    """One part of the trajectories, on one worker."""
    model = _models.get(binary)
    if model is None:
        _models.clear()
        model = _models[binary] = condyle.MjModel.from_binary(binary)
    return trajectories(model, states, controls, nstep, control_spec=control_spec, record=record, nthread=nthread)


def trajectories(model, states, controls=None, nstep=None, *, control_spec=_CTRL, record=("qpos",), nthread=1):
    """What `rollout` gives, computed here."""
    batch = condyle.Batch(model, len(states), nthread)
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
