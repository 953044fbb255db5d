"""Vector environments under Stable-Baselines3. Runs where it is installed: `cargo xtask ray` makes an environment for it."""

import sys
import types

import numpy as np
import pytest

pytest.importorskip("stable_baselines3")
sys.modules.setdefault("imageio", types.ModuleType("imageio"))

import torch  # noqa: E402
from stable_baselines3 import PPO  # noqa: E402

from condyle.gymnasium import make_vec  # noqa: E402
from condyle.gymnasium.stable_baselines import StableBaselinesEnv  # noqa: E402


def made(count=4, **arguments):
    return StableBaselinesEnv(make_vec("InvertedPendulum-v5", count, nthread=1, autoreset_mode="SameStep", **arguments))


def test_steps_and_ends_are_those_of_the_vector():
    ours, vector = made(), make_vec("InvertedPendulum-v5", 4, nthread=1, autoreset_mode="SameStep")
    ours.seed(3)
    np.testing.assert_array_equal(ours.reset(), vector.reset(seed=3)[0])
    random, ends = np.random.default_rng(0), 0
    for _ in range(80):
        actions = random.uniform(-3, 3, (4, 1)).astype(np.float32)
        observations, rewards, done, infos = ours.step(actions)
        expected = vector.step(actions)
        np.testing.assert_array_equal(observations, expected[0])
        np.testing.assert_array_equal(rewards, expected[1].astype(np.float32))
        np.testing.assert_array_equal(done, expected[2] | expected[3])
        for index in np.flatnonzero(done):
            np.testing.assert_array_equal(infos[index]["terminal_observation"], expected[4]["final_obs"][index])
            assert infos[index]["episode"]["l"] > 0 and not infos[index]["TimeLimit.truncated"]
            ends += 1
    assert ends > 4


def test_cut_episodes_are_said_to_be_cut():
    ours = made(2, max_episode_steps=3)
    ours.reset()
    for _ in range(3):
        _, _, done, infos = ours.step(np.zeros((2, 1), np.float32))
    assert done.all() and all(info["TimeLimit.truncated"] for info in infos)


def test_ppo_learns_to_balance():
    # More threads of PyTorch only get in each other's way with networks this small.
    torch.set_num_threads(1)
    envs = made(8)
    learner = PPO("MlpPolicy", envs, n_steps=128, batch_size=256, learning_rate=1e-3, seed=0, device="cpu", verbose=0)
    learner.learn(8 * 128)
    early = np.mean([episode["r"] for episode in learner.ep_info_buffer])
    learner.learn(8 * 128 * 7)
    late = np.mean([episode["r"] for episode in learner.ep_info_buffer])
    assert late > 2 * early


def test_another_way_to_begin_anew_is_refused():
    with pytest.raises(ValueError, match="SameStep"):
        StableBaselinesEnv(make_vec("InvertedPendulum-v5", 2, nthread=1))
