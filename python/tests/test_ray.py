"""Batches on a Ray cluster of two nodes on this machine: the bits of one process, also when a worker is killed in between.

Runs where Ray is installed: `cargo xtask ray` makes an environment for it.
"""

import os
import pathlib
import signal
import threading
import time

import numpy as np
import pytest

ray = pytest.importorskip("ray")

import condyle  # noqa: E402
import condyle.ray  # noqa: E402

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
        if folder.name.isdigit():
            try:
                if b"ray::_shard" in (folder / "cmdline").read_bytes():
                    yield int(folder.name)
            except OSError:
                continue


def test_a_killed_worker_changes_nothing(cluster):
    model, states, controls = inputs(1000, 40)
    killed = []

    def kill_one():
        while not killed:
            for process in shard_workers():
                time.sleep(0.3)
                try:
                    os.kill(process, signal.SIGKILL)
                except ProcessLookupError:
                    continue
                killed.append(process)
                return
            time.sleep(0.02)

    killer = threading.Thread(target=kill_one, daemon=True)
    killer.start()
    out = condyle.ray.rollout(model, states, controls, record=("qpos",), shards=8)
    killer.join(timeout=5)
    assert killed, "no worker was killed while the shards ran"
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

    config = (
        PPOConfig()
        .environment(condyle.ray.environment, env_config={"id": "InvertedPendulum-v5"})
        .env_runners(num_env_runners=1, num_envs_per_env_runner=8, gym_env_vectorize_mode="vector_entry_point")
        .training(train_batch_size=400, minibatch_size=100, num_epochs=1)
    )
    algorithm = config.build_algo()
    try:
        runners = algorithm.train()["env_runners"]
    finally:
        algorithm.stop()
    assert runners["num_env_steps_sampled"] >= 400 and runners["episode_return_mean"] > 0


def test_a_shipped_simulation_is_small():
    model, states, _ = inputs(1, 1)
    data = condyle.MjData(model)
    assert len(bytes(data.snapshot())) < 100_000
    assert states.nbytes < 10_000
