"""The base class of vector environments over a `condyle.Batch`."""

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

import condyle


class BatchEnv(gymnasium.vector.VectorEnv):
    """Environments that run in one batch. Derive from this class and define observations and rewards for all environments at once:

        class Pendulum(BatchEnv):
            def __init__(self, num_envs, **kwargs):
                model = condyle.MjModel.from_xml_path("pendulum.xml")
                super().__init__(model, num_envs, frame_skip=4, observation_size=3, max_episode_steps=200, **kwargs)

            def observe(self):
                angle = self.batch.qpos[:, 0]
                return np.stack([np.cos(angle), np.sin(angle), self.batch.qvel[:, 0]], axis=1)

            def evaluate(self, actions, before):
                rewards = np.cos(self.batch.qpos[:, 0])
                return rewards, np.zeros(self.num_envs, bool), {}

            def initial_state(self, random):
                return random.uniform(-np.pi, np.pi, 1), np.zeros(1)

    The first dimension of every array is the environment. `self.batch` is the `condyle.Batch`, `self.model` its model.
    """

    #: Whether forces between bodies (`cfrc_ext` and the like) are wanted after every step.
    body_forces = False

    def __init__(
        self,
        model,
        num_envs,
        *,
        frame_skip=1,
        observation_size=None,
        observation_space=None,
        action_space=None,
        max_episode_steps=None,
        nthread=0,
        autoreset_mode=AutoresetMode.NEXT_STEP,
        render_mode=None,
        width=480,
        height=480,
        camera=-1,
    ):
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode must be 'rgb_array' or None, not {render_mode!r}")
        self.model = model
        self.frame_skip = frame_skip
        self.batch = condyle.Batch(model, num_envs, nthread)
        self.init_qpos, self.init_qvel = self.batch.qpos[:1].copy().ravel(), np.zeros(model.nv)
        self.num_envs = num_envs
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.render_mode = render_mode
        self.metadata = {
            "render_modes": ["rgb_array"],
            "render_fps": int(np.round(1.0 / self.dt)),
            "autoreset_mode": self.autoreset_mode,
        }
        if observation_space is None:
            observation_space = spaces.Box(-np.inf, np.inf, (observation_size,), np.float64)
        if action_space is None:
            low, high = np.asarray(model.actuator_ctrlrange, np.float32).T
            action_space = spaces.Box(low, high, dtype=np.float32)
        self.single_observation_space, self.observation_space = observation_space, batch_space(observation_space, num_envs)
        self.single_action_space, self.action_space = action_space, batch_space(action_space, num_envs)
        self.max_episode_steps = max_episode_steps
        self._picture = (width, height, camera)
        self._randoms = [None] * num_envs
        self._steps = np.zeros(num_envs, np.int64)
        self._done = np.zeros(num_envs, bool)
        self._started = False

    # What an environment says about itself.

    def observe(self):
        """Observations of all environments, (num_envs, ...)."""
        raise NotImplementedError

    def evaluate(self, actions, before):
        """Rewards (num_envs,), terminations (num_envs,) and a dictionary of infos with arrays, after a step.

        `before` is what `remember` returned before it.
        """
        raise NotImplementedError

    def remember(self):
        """What `evaluate` needs to know about the state before the step."""
        return None

    def initial_state(self, random):
        """`qpos` and `qvel` one environment starts an episode from, drawn with its random generator."""
        return self.init_qpos, self.init_qvel

    def reset_info(self):
        """Infos at the start of an episode: a dictionary of arrays (num_envs, ...)."""
        return {}

    # The interface of gymnasium.

    @property
    def dt(self):
        """Time between two observations, s."""
        return self.model.opt.timestep * self.frame_skip

    def reset(self, *, seed=None, options=None):
        """Start new episodes: in all environments, or in those of the mask `options["reset_mask"]`."""
        mask = np.ones(self.num_envs, bool)
        if options is not None and "reset_mask" in options:
            mask = np.asarray(options["reset_mask"])
            if mask.dtype != bool or mask.shape != (self.num_envs,) or not mask.any():
                raise ValueError(f"reset_mask must be a boolean array of shape ({self.num_envs},) with at least one True")
        seeds = [None] * self.num_envs if seed is None else seed
        if isinstance(seeds, (int, np.integer)):
            seeds = [int(seed) + index for index in range(self.num_envs)]
        if len(seeds) != self.num_envs:
            raise ValueError(f"{len(seeds)} seeds for {self.num_envs} environments")
        for index in np.flatnonzero(mask):
            if seeds[index] is not None or self._randoms[index] is None:
                self._randoms[index], _ = seeding.np_random(seeds[index])
        self._started = True
        self._begin_episodes(mask)
        return self._observations(), _infos({}, self.reset_info(), mask)

    def step(self, actions):
        """One step of all environments; those whose episode ended begin a new one as `autoreset_mode` says."""
        if not self._started:
            raise gymnasium.error.ResetNeeded("call reset before the first step")
        actions = np.asarray(actions)
        if actions.shape != self.action_space.shape:
            raise ValueError(f"actions must have shape {self.action_space.shape}, got {actions.shape}")
        begins = runs = None
        if self._done.any():
            if self.autoreset_mode == AutoresetMode.DISABLED:
                raise RuntimeError("an episode has ended: reset it with options={'reset_mask': ...} before the next step")
            begins = self._done.copy()
            runs = ~begins
        before = self.remember()
        self._advance(actions, runs)
        rewards, terminations, info = self.evaluate(actions, before)
        rewards, terminations = np.array(rewards, np.float64), np.array(terminations, bool)
        self._steps += 1
        truncations = np.zeros(self.num_envs, bool)
        if self.max_episode_steps is not None:
            truncations = self._steps >= self.max_episode_steps
        if begins is None:
            infos = _infos({}, info, None)
        else:
            infos = _infos({}, info, runs) if runs.any() else {}
            self._begin_episodes(begins)
            rewards[begins] = 0.0
            terminations[begins] = truncations[begins] = False
            infos = _infos(infos, self.reset_info(), begins)
        observations = self._observations()
        done = terminations | truncations
        if self.autoreset_mode == AutoresetMode.SAME_STEP and done.any():
            infos = {
                "final_obs": _objects(observations, done),
                "_final_obs": done.copy(),
                "final_info": dict(infos),
                "_final_info": done.copy(),
                **infos,
            }
            self._begin_episodes(done)
            infos = _infos(infos, self.reset_info(), done)
            observations = self._observations()
            done = np.zeros(self.num_envs, bool)
        self._done = done
        return observations, rewards, terminations, truncations, infos

    def render(self):
        """Pictures of all environments."""
        if self.render_mode != "rgb_array":
            return None
        width, height, camera = self._picture
        return tuple(self.batch.render(camera, (height, width)))

    @property
    def np_random(self):
        """The random generators of the environments."""
        return tuple(self._randoms)

    # Parts.

    def _advance(self, actions, runs):
        self.batch.ctrl[...] = actions
        if runs is None or runs.any():
            self.batch.step(runs, self.frame_skip, body_forces=self.body_forces)

    def _begin_episodes(self, mask):
        """Set environments to the start of an episode, with everything computed there."""
        ids = mask.nonzero()[0].astype(np.int32)
        self.batch.reset(ids, stage=condyle.mjtStage.mjSTAGE_NONE)
        qpos, qvel = self.batch.qpos, self.batch.qvel
        for index in ids:
            qpos[index], qvel[index] = self.initial_state(self._randoms[index])
        self.batch.forward(ids)
        self._steps[ids] = 0
        self._done[ids] = False

    def _observations(self):
        return np.array(self.observe(), self.single_observation_space.dtype)


def _infos(infos, values, mask):
    """Add arrays to infos, each with the mask of the environments that have it."""
    if mask is None:
        for name, array in values.items():
            infos[name] = array = np.asarray(array)
            infos["_" + name] = np.ones(len(array), bool)
        return infos
    lacking = (~mask).nonzero()[0]
    for name, array in values.items():
        if name in infos:
            array = np.asarray(array)
            infos[name] = np.where(mask.reshape((-1,) + (1,) * (array.ndim - 1)), array, infos[name])
            infos["_" + name] = infos["_" + name] | mask
        else:
            infos[name] = array = np.array(array)
            array[lacking] = 0
            infos["_" + name] = mask.copy()
    return infos


def _objects(rows, mask):
    """The rows of a mask as objects, None elsewhere."""
    objects = np.full(len(rows), None, dtype=object)
    for index in np.flatnonzero(mask):
        objects[index] = rows[index].copy()
    return objects


class SingleEnv(gymnasium.Env):
    """A single environment: a vector of one with the interface of `gymnasium.Env`."""

    def __init__(self, vector):
        self.vector = vector
        self.observation_space, self.action_space = vector.single_observation_space, vector.single_action_space
        self.metadata = {name: value for name, value in vector.metadata.items() if name != "autoreset_mode"}
        self.render_mode = vector.render_mode

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        observations, infos = self.vector.reset(seed=None if seed is None else [seed])
        return observations[0], self._first(infos)

    def step(self, action):
        # Stepping on after the end is allowed, as in Gymnasium's own environments.
        self.vector._done[:] = False
        observations, rewards, terminations, truncations, infos = self.vector.step(np.asarray(action)[None])
        return observations[0], float(rewards[0]), bool(terminations[0]), bool(truncations[0]), self._first(infos)

    def render(self):
        pictures = self.vector.render()
        return None if pictures is None else pictures[0]

    def close(self):
        self.vector.close()

    @staticmethod
    def _first(infos):
        return {name: values[0] for name, values in infos.items() if not name.startswith("_")}
