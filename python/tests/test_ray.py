"""Batches on a Ray cluster of two nodes on this machine: the bits of one process, also when a worker is killed in between.

Runs where Ray is installed: `cargo xtask ray` makes an environment for it.
"""

import os
import pathlib
import re
import signal
import sys

import numpy as np
import pytest

ray = pytest.importorskip("ray")

import condyle  # noqa: E402
import condyle.ray  # noqa: E402

# Workers cannot import this file: what they run of it goes to them whole.
ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])

MODEL = pathlib.Path(__file__).resolve().parents[2] / "models/bench/figure.xml"


@pytest.fixture(scope="module")
def cluster():
    from ray.cluster_utils import Cluster

    nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    nodes.add_node(num_cpus=1)
    ray.init(address=nodes.address)
    yield nodes
    ray.shutdown()
    nodes.shutdown()


def inputs(count, steps):
    model = condyle.MjModel.from_xml_path(str(MODEL))
    random = np.random.default_rng(0)
    batch = condyle.Batch(model, count, 1)
    batch.qvel[:] = random.normal(0, 0.1, batch.qvel.shape)
    return model, batch.state.copy(), random.normal(0, 0.3, (count, steps, model.nu))


def test_two_nodes_give_the_bits_of_one_process(cluster):
    assert len(ray.nodes()) == 2
    model, states, controls = inputs(40, 20)
    told = []
    out = condyle.ray.rollout(model, states, controls, record=("qpos", "qvel"), shards=7, progress=lambda *parts: told.append(parts))
    here = condyle.ray.trajectories(model, states, controls, record=("qpos", "qvel"))
    for name in ("qpos", "qvel"):
        np.testing.assert_array_equal(out[name], here[name])
    assert told == [(part, 7) for part in range(1, 8)]


def shard_workers():
    """Processes of this machine that are at a shard."""
    for folder in pathlib.Path("/proc").iterdir():
        if folder.name.isdigit() and is_at_a_shard(int(folder.name)):
            yield int(folder.name)


def is_at_a_shard(process):
    try:
        return b"ray::_shard" in pathlib.Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False


def kill_one():
    """Kill a worker in the middle of a shard; its number, or None when none is at one."""
    for process in shard_workers():
        try:
            # Ray shows in the name of a process what it does. One that is stopped cannot finish its shard between the look and the shot.
            os.kill(process, signal.SIGSTOP)
            at_work = is_at_a_shard(process)
            os.kill(process, signal.SIGKILL if at_work else signal.SIGCONT)
        except ProcessLookupError:
            continue
        if at_work:
            return process
    return None


def test_a_killed_worker_changes_nothing(cluster):
    model, states, controls = inputs(1000, 40)
    killed, told = [], []

    def progress(done, parts):
        told.append((done, parts))
        # Shards are waiting for a worker as long as half of them are not done.
        if not killed and done <= parts // 2 and (process := kill_one()) is not None:
            killed.append(process)

    out = condyle.ray.rollout(model, states, controls, record=("qpos",), shards=16, progress=progress)
    assert killed, "no worker was killed while the shards ran"
    assert told == [(part, 16) for part in range(1, 17)]
    np.testing.assert_array_equal(out["qpos"], condyle.ray.trajectories(model, states, controls, record=("qpos",), nthread=2)["qpos"])


def played(count, steps, seed):
    """Observations and rewards of a vector as RLlib makes it."""
    envs = condyle.ray.environment({"id": "Hopper-v5", "num_envs": count})
    random = np.random.default_rng(seed)
    rows = [envs.reset(seed=seed)[0].sum()]
    for _ in range(steps):
        observations, rewards, *_ = envs.step(random.uniform(-1, 1, envs.action_space.shape).astype(np.float32))
        rows += [observations.sum(), rewards.sum()]
    return np.array(rows)


def test_environments_for_rllib_give_the_same_on_every_node(cluster):
    pytest.importorskip("gymnasium")
    task = ray.remote(num_cpus=1, scheduling_strategy="SPREAD")(played)
    there = ray.get([task.remote(4, 60, seed) for seed in range(4)])
    for seed, rows in enumerate(there):
        np.testing.assert_array_equal(rows, played(4, 60, seed))
    single = condyle.ray.environment({"id": "Hopper-v5"})
    assert single.reset(seed=0)[0].shape == (11,)
    with pytest.raises(ValueError, match="env_config"):
        condyle.ray.environment({"num_envs": 2})


def test_rllib_trains_on_the_vector(cluster):
    pytest.importorskip("torch")
    pytest.importorskip("gymnasium")
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.tune import register_env

    register_env("condyle", condyle.ray.environment)
    config = (
        PPOConfig()
        .environment("condyle", env_config={"id": "InvertedPendulum-v5"})
        .env_runners(num_env_runners=1, num_envs_per_env_runner=8, gym_env_vectorize_mode="vector_entry_point")
        .training(train_batch_size=400, minibatch_size=100, num_epochs=1)
    )
    algorithm = config.build_algo()
    try:
        runners = algorithm.train()["env_runners"]
    finally:
        algorithm.stop()
    assert runners["num_env_steps_sampled"] >= 400 and runners["episode_return_mean"] > 0


def test_examples_of_the_page_run(cluster):
    pytest.importorskip("ray.rllib")
    page = (MODEL.parents[2] / "docs/cluster.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    model, states, controls = inputs(64, 5)
    names = {"model": model, "states": states, "controls": controls}
    for block in blocks:
        exec(compile(block, "docs/cluster.md", "exec"), names)
    assert names["out"]["qpos"].shape == (64, 5, model.nq)
    assert names["config"].env_config == {"id": "HalfCheetah-v5"}


def test_a_shipped_simulation_is_small():
    model, states, _ = inputs(1, 1)
    data = condyle.MjData(model)
    assert len(bytes(data.snapshot())) < 100_000
    assert states.nbytes < 10_000
