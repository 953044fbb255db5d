"""Batches on a Ray cluster of two nodes on this machine: the bits of one process, also when a worker is killed in between.

Runs where Ray is installed: `cargo xtask ray` makes an environment for it.
"""

import io
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


def cube_of_nodes():
    """A soft cube in one piece whose nodes slide along two axes only: MuJoCo pushes such nodes past their dofs."""
    slides = '<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/>'
    nodes = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    bodies = "".join(f'<body name="n{node}" pos="{x} {y} {z}">{slides}<geom size=".02"/></body>' for node, (x, y, z) in enumerate(nodes))
    # Eight cells between 27 vertices, six tetrahedra each.
    vertices = [(x / 2, y / 2, z / 2) for x in range(3) for y in range(3) for z in range(3)]
    elements = []
    for corner in (9 * x + 3 * y + z for x, y, z in nodes):
        for first, second in ((9, 3), (3, 1), (1, 9)):
            elements.append((corner, corner + first, corner + first + second, corner + 13))
            elements.append((corner, corner + second + first, corner + second, corner + 13))

    def text(rows):
        return " ".join(str(number) for row in rows for number in row)

    return f"""<mujoco><worldbody>{bodies}</worldbody><deformable><flex name="f" dim="3" node="{' '.join(f'n{node}' for node in range(8))}"
    body="{'world ' * 27}" vertex="{text(vertices)}" element="{text(elements)}">
    <elasticity young="1e3" poisson=".2" damping=".3"/><contact selfcollide="none" contype="0" conaffinity="0"/></flex></deformable></mujoco>"""


def test_bugs_of_mujoco_reach_the_workers(cluster):
    plain, bugs = (condyle.MjModel.from_xml_string(cube_of_nodes(), reference_bugs=asked) for asked in (False, True))
    batch = condyle.Batch(plain, 2, 1)
    batch.qpos[:] = np.random.default_rng(0).normal(0, 0.01, batch.qpos.shape)
    here = [condyle.ray.trajectories(model, batch.state, nstep=20)["qpos"] for model in (plain, bugs)]
    assert (here[0] != here[1]).any(), "the model shows nothing"
    for model, expected in zip((plain, bugs), here):
        np.testing.assert_array_equal(condyle.ray.rollout(model, batch.state, nstep=20, shards=2)["qpos"], expected)


def test_a_batch_brings_values_of_its_own(cluster):
    model, states, controls = inputs(12, 20)
    batch = condyle.Batch(model, 12, 1)
    batch.state[...] = states
    batch.expand("body_mass")[:, 1] *= np.linspace(0.5, 2, 12)
    batch.set_const()
    batch.expand("opt.gravity")[:, 2] = np.linspace(-12, -3, 12)
    # After set_const: constants stay those of the masses before.
    batch.expand("body_mass")[:, 2] *= 1.5
    out = condyle.ray.rollout(batch, None, controls, shards=5)["qpos"]
    np.testing.assert_array_equal(condyle.ray.trajectories(batch, None, controls)["qpos"], out)
    np.testing.assert_array_equal(batch.rollout(20, controls)["qpos"], out)
    assert (out != condyle.ray.trajectories(model, states, controls)["qpos"]).any()
    other = condyle.Batch(model, 12, 1)
    other.set_models(model)
    with pytest.raises(ValueError, match="set_models"):
        condyle.ray.rollout(other, nstep=1)
    with pytest.raises(ValueError, match="states"):
        condyle.ray.rollout(model, nstep=1)
    with pytest.raises(ValueError, match="3 states"):
        condyle.ray.rollout(batch, states[:3], nstep=1)


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_shown_on_a_terminal(cluster, monkeypatch):
    model, states, _ = inputs(4, 1)
    shown = []
    for stream, wanted in ((Terminal(), None), (Terminal(), False), (io.StringIO(), None), (io.StringIO(), True)):
        monkeypatch.setattr(sys, "stderr", stream)
        condyle.ray.rollout(model, states, nstep=2, shards=2, progress=wanted)
        shown.append([part for part in stream.getvalue().splitlines() if "shards" in part])
    assert [bool(lines) for lines in shown] == [True, False, False, True]
    assert shown[0][-1] == f"[{'#' * 40}] 2 of 2 shards" and shown[0][0] == f"[{'.' * 40}] 0 of 2 shards"


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
    gymnasium = pytest.importorskip("gymnasium")
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.tune import register_env

    register_env("condyle", condyle.ray.environment)
    config = (
        PPOConfig()
        .environment("condyle", env_config={"id": "InvertedPendulum-v5"})
        .env_runners(num_env_runners=1, num_envs_per_env_runner=8, gym_env_vectorize_mode=gymnasium.VectorizeMode.VECTOR_ENTRY_POINT)
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
