"""A vector environment as Stable-Baselines3 wants it, which has an interface of its own for them:

    from stable_baselines3 import PPO
    from condyle.gymnasium import make_vec
    from condyle.gymnasium.stable_baselines import StableBaselinesEnv

    envs = StableBaselinesEnv(make_vec("HalfCheetah-v5", 16, autoreset_mode="SameStep"))
    PPO("MlpPolicy", envs).learn(100_000)

Needs `pip install stable-baselines3`.
"""

import numpy as np
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.vec_env import VecEnv


class StableBaselinesEnv(VecEnv):
    """The environments of a `BatchEnv` that begins anew in the step an episode ends."""

    def __init__(self, envs):
        if envs.autoreset_mode != AutoresetMode.SAME_STEP:
            raise ValueError('Stable-Baselines3 expects environments that begin anew at once: make them with autoreset_mode="SameStep"')
        self.envs = envs
        self.actions = None
        self.render_mode = envs.render_mode
        super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)
        self.returns, self.lengths = np.zeros(self.num_envs), np.zeros(self.num_envs, np.int64)

    def reset(self):
        seeds = self._seeds if any(seed is not None for seed in self._seeds) else None
        observations, infos = self.envs.reset(seed=seeds)
        self.reset_infos = self._rows(infos)
        self._reset_seeds()
        self.returns[:], self.lengths[:] = 0, 0
        return observations

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        observations, rewards, terminations, truncations, infos = self.envs.step(self.actions)
        done = terminations | truncations
        final = infos.pop("final_obs", None)
        for name in ("_final_obs", "final_info", "_final_info"):
            infos.pop(name, None)
        rows = self._rows(infos)
        self.returns += rewards
        self.lengths += 1
        for index in np.flatnonzero(done):
            rows[index]["terminal_observation"] = final[index]
            rows[index]["TimeLimit.truncated"] = bool(truncations[index] and not terminations[index])
            rows[index]["episode"] = {"r": float(self.returns[index]), "l": int(self.lengths[index])}
        self.returns[done], self.lengths[done] = 0, 0
        return observations, rewards.astype(np.float32), done, rows

    def close(self):
        self.envs.close()

    def get_images(self):
        return self.envs.render() or [None] * self.num_envs

    def get_attr(self, attr_name, indices=None):
        return [getattr(self.envs, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name, value, indices=None):
        if len(list(self._get_indices(indices))) != self.num_envs:
            raise ValueError("all environments of a batch have the same attributes: set them for all")
        setattr(self.envs, attr_name, value)

    def env_method(self, method_name, *method_args, indices=None, **method_kwargs):
        raise AttributeError(f"the environments of a batch are one object: call {method_name!r} of .envs, for all of them at once")

    def env_is_wrapped(self, wrapper_class, indices=None):
        return [False] * len(list(self._get_indices(indices)))

    def _rows(self, infos):
        """One dictionary for each environment, of what it has."""
        rows = [{} for _ in range(self.num_envs)]
        for name, values in infos.items():
            has = infos.get("_" + name)
            if has is not None:
                for index in np.flatnonzero(has):
                    rows[index][name] = values[index]
        return rows
