"""Vector environments for Gymnasium: all environments of a vector are one `condyle.Batch`.

    from condyle.gymnasium import make_vec

    envs = make_vec("HalfCheetah-v5", 16)             # a gymnasium.vector.VectorEnv
    observations, infos = envs.reset(seed=0)
    observations, rewards, terminations, truncations, infos = envs.step(envs.action_space.sample())

The eleven MuJoCo environments of Gymnasium (v5) give the same observations, rewards and episode ends as the single environments.
`BatchEnv` is the base class for environments of your own; `make` gives a single environment.

They are registered with Gymnasium when this module is imported; with the module in the name, Gymnasium imports it itself, also on other machines:

    gymnasium.make_vec("condyle.gymnasium:condyle/HalfCheetah-v5", 16)

Needs `pip install condyle[gymnasium]`.
"""

import functools

import gymnasium as _gymnasium

from condyle.gymnasium.base import BatchEnv, SingleEnv
from condyle.gymnasium.environments import ENVIRONMENTS

__all__ = ["ENVIRONMENTS", "BatchEnv", "SingleEnv", "make", "make_vec"]


def make_vec(id, num_envs=1, **kwargs):
    """The vector environment of that name, e.g. "Ant-v5". Further arguments are those of the single environment in Gymnasium, plus
    `nthread`, `max_episode_steps`, `autoreset_mode`, `render_mode`."""
    try:
        environment = ENVIRONMENTS[id]
    except KeyError:
        raise ValueError(f"no environment {id!r}; there are {', '.join(sorted(ENVIRONMENTS))}") from None
    return environment(num_envs, **kwargs)


def make(id, **kwargs):
    """The single environment of that name, a `gymnasium.Env`."""
    kwargs.setdefault("nthread", 1)
    return SingleEnv(make_vec(id, 1, autoreset_mode="Disabled", **kwargs))


for _name in ENVIRONMENTS:
    if f"condyle/{_name}" not in _gymnasium.registry:
        _gymnasium.register(
            f"condyle/{_name}", functools.partial(make, _name), vector_entry_point=functools.partial(make_vec, _name), order_enforce=False
        )
