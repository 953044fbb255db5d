"""Vector environments beside Gymnasium's single environments on MuJoCo: the same numbers, episode after episode."""

import sys
import types

import numpy as np
import pytest

# Gymnasium's environments import it for videos, which nothing here makes.
sys.modules.setdefault("imageio", types.ModuleType("imageio"))
gymnasium = pytest.importorskip("gymnasium")

import condyle  # noqa: E402
from condyle.gymnasium import ENVIRONMENTS, BatchEnv, SingleEnv, make_vec  # noqa: E402

NAMES = sorted(ENVIRONMENTS)
STEPS = 500
LIMIT = 180
NUM_ENVS = 3


def test_all_eleven_are_there():
    assert len(NAMES) == 11


@pytest.mark.parametrize("name", NAMES)
def test_a_vector_gives_the_numbers_of_single_environments(name):
    # Shorter episodes than usual, so that all of them end, also those that only time ends.
    ours = make_vec(name, NUM_ENVS, nthread=2, max_episode_steps=LIMIT)
    theirs = gymnasium.vector.SyncVectorEnv([lambda: gymnasium.make(name, max_episode_steps=LIMIT)] * NUM_ENVS)
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    one, other = ours.reset(seed=5), theirs.reset(seed=5)
    np.testing.assert_array_equal(one[0], other[0])
    random = np.random.default_rng(0)
    ends = 0
    for step in range(STEPS):
        actions = random.uniform(ours.action_space.low, ours.action_space.high).astype(np.float32)
        one, other = ours.step(actions), theirs.step(actions)
        for what, left, right in zip(("observations", "rewards", "terminations", "truncations"), one, other):
            np.testing.assert_array_equal(left, right, f"{what} of step {step}")
        for key, values in other[4].items():
            np.testing.assert_array_equal(one[4][key], values, f"info {key} of step {step}")
        ends += int((one[2] | one[3]).sum())
    assert ends >= 2 * NUM_ENVS, "hardly an episode ended"


def test_gymnasium_makes_them_by_name():
    envs = gymnasium.make_vec("condyle.gymnasium:condyle/InvertedPendulum-v5", 3, nthread=1)
    ours = make_vec("InvertedPendulum-v5", 3, nthread=1)
    assert type(envs.unwrapped) is type(ours)
    np.testing.assert_array_equal(envs.reset(seed=2)[0], ours.reset(seed=2)[0])
    single = gymnasium.make("condyle/InvertedPendulum-v5")
    np.testing.assert_array_equal(single.reset(seed=2)[0], ours.reset(seed=2)[0][0])


def test_episodes_are_cut_at_their_limit():
    envs = make_vec("HalfCheetah-v5", 2, nthread=1, max_episode_steps=5)
    envs.reset(seed=0)
    cut = [envs.step(np.zeros((2, 6), np.float32))[3].all() for _ in range(11)]
    assert cut == [False] * 4 + [True] + [False] * 5 + [True]


@pytest.mark.parametrize("mode", ["SameStep", "Disabled"])
def test_other_ways_to_begin_anew(mode):
    arguments = {"autoreset_mode": gymnasium.vector.AutoresetMode(mode)}
    ours = make_vec("InvertedPendulum-v5", 3, nthread=1, **arguments)
    theirs = gymnasium.vector.SyncVectorEnv([lambda: gymnasium.make("InvertedPendulum-v5")] * 3, **arguments)
    np.testing.assert_array_equal(ours.reset(seed=1)[0], theirs.reset(seed=1)[0])
    random = np.random.default_rng(1)
    for _ in range(60):
        actions = random.uniform(-3, 3, (3, 1)).astype(np.float32)
        one, other = ours.step(actions), theirs.step(actions)
        for left, right in zip(one[:4], other[:4]):
            np.testing.assert_array_equal(left, right)
        done = one[2] | one[3]
        if mode == "SameStep" and done.any():
            for index in np.flatnonzero(done):
                np.testing.assert_array_equal(one[4]["final_obs"][index], other[4]["final_obs"][index])
        if mode == "Disabled" and done.any():
            np.testing.assert_array_equal(
                ours.reset(options={"reset_mask": done.copy()})[0], theirs.reset(options={"reset_mask": done.copy()})[0]
            )


class Pendulum(BatchEnv):
    """Swing up: an environment of one's own."""

    XML = """<mujoco><worldbody><body><joint name="hinge" axis="0 1 0" damping=".1"/>
    <geom type="capsule" fromto="0 0 0 0 0 -.5" size=".02"/></body></worldbody>
    <actuator><motor joint="hinge" ctrlrange="-1 1"/></actuator></mujoco>"""

    def __init__(self, num_envs, **kwargs):
        model = condyle.MjModel.from_xml_string(self.XML)
        super().__init__(model, num_envs, frame_skip=5, observation_size=3, max_episode_steps=100, **kwargs)

    def observe(self):
        angle = self.batch.qpos[:, 0]
        return np.stack([np.cos(angle), np.sin(angle), self.batch.qvel[:, 0]], axis=1)

    def evaluate(self, actions, before):
        return -np.cos(self.batch.qpos[:, 0]), np.zeros(self.num_envs, bool), {}

    def initial_state(self, random):
        return random.uniform(-np.pi, np.pi, 1), np.zeros(1)


def test_only_pictures_in_memory_are_drawn():
    with pytest.raises(ValueError, match="rgb_array"):
        Pendulum(2, nthread=1, render_mode="human")


def test_an_environment_of_ones_own():
    envs = Pendulum(4, nthread=2)
    observations, _ = envs.reset(seed=3)
    assert envs.observation_space.contains(observations)
    for _ in range(150):
        observations, rewards, terminations, truncations, _ = envs.step(envs.action_space.sample())
    assert observations.shape == (4, 3) and np.isfinite(rewards).all()


def pendulum(**kwargs):
    return SingleEnv(Pendulum(1, nthread=1, autoreset_mode="Disabled", **kwargs))


@pytest.fixture
def own():
    """The own environment under a name, which the check needs to make it anew for drawing."""
    gymnasium.register("own/Pendulum", pendulum, order_enforce=False, disable_env_checker=True)
    yield
    del gymnasium.registry["own/Pendulum"]


@pytest.mark.parametrize("name", [*(f"condyle/{name}" for name in NAMES), "own/Pendulum"])
def test_single_environments_pass_gymnasiums_check(own, name, monkeypatch):
    from gymnasium.utils.env_checker import check_env

    drawn, render = [], SingleEnv.render
    monkeypatch.setattr(SingleEnv, "render", lambda self: drawn.append(render(self)) or drawn[-1])
    check_env(gymnasium.make(name).unwrapped)
    assert drawn and all(picture.shape == (480, 480, 3) and picture.std() > 0 for picture in drawn)
