"""Gymnasium's MuJoCo environments, version 5, over batches.

The models are the files of the installed `gymnasium` package. Formulas, weights and the order in which random numbers are drawn are those
of the single environments, so that observations and rewards are the same numbers.
"""

import functools
import importlib.util
import pathlib

import numpy as np

import condyle
from condyle.gymnasium.base import BatchEnv

#: The class of each environment, by its name in Gymnasium.
ENVIRONMENTS: "dict[str, type]" = {}


def _registered(name, **defaults):
    def register(cls):
        cls.__doc__ = f"{name}: {cls.__doc__}"
        ENVIRONMENTS[f"{name}-v5"] = functools.partial(cls, **defaults) if defaults else cls
        return cls

    return register


def _model(xml_file):
    """A model of the installed gymnasium package, or a file of one's own."""
    path = pathlib.Path(xml_file).expanduser()
    if not path.exists() and not path.is_absolute():
        package = importlib.util.find_spec("gymnasium")
        path = pathlib.Path(package.origin).parent / "envs" / "mujoco" / "assets" / xml_file
    return condyle.MjModel.from_xml_path(str(path))


def _norms(rows):
    """Lengths of vectors, each as `np.linalg.norm` gives it."""
    # A product of a row and a column is the same dot product as that of two vectors.
    rows = np.ascontiguousarray(rows)
    return np.sqrt((rows[:, None, :] @ rows[:, :, None])[:, 0, 0])


def _squares(rows):
    """Sums of squares of each environment."""
    return np.square(rows).reshape(len(rows), -1).sum(axis=1)


def _squared(values):
    """Squares as numpy gives them for single numbers, which is not always what it gives for arrays."""
    return np.array([value**2 for value in values])


class _Locomotion(BatchEnv):
    """What walkers share: noise at the start, cost of controls, health."""

    gaussian_velocity = False
    hidden = 1  # coordinates that are left out of the observation

    def __init__(
        self, num_envs, *, xml_file, frame_skip, reset_noise_scale, exclude_current_positions_from_observation=True,
        max_episode_steps=1000, **kwargs
    ):
        self._noise = reset_noise_scale
        self._skip = self.hidden if exclude_current_positions_from_observation else 0
        model = _model(xml_file)
        size = self.observation_size(model)
        super().__init__(
            model, num_envs, frame_skip=frame_skip, observation_size=size, max_episode_steps=max_episode_steps, **kwargs
        )

    def observation_size(self, model):
        return model.nq + model.nv - self._skip

    def initial_state(self, random):
        noise = self._noise
        qpos = self.init_qpos + random.uniform(low=-noise, high=noise, size=self.model.nq)
        if self.gaussian_velocity:
            return qpos, self.init_qvel + noise * random.standard_normal(self.model.nv)
        return qpos, self.init_qvel + random.uniform(low=-noise, high=noise, size=self.model.nv)

    def _start_and_distance(self):
        qpos = self.batch.qpos
        return {"x_position": qpos[:, 0].copy(), "y_position": qpos[:, 1].copy(), "distance_from_origin": _norms(qpos[:, :2])}


@_registered("HalfCheetah")
class HalfCheetah(_Locomotion):
    """run forward."""

    gaussian_velocity = True

    def __init__(
        self, num_envs, *, xml_file="half_cheetah.xml", frame_skip=5, forward_reward_weight=1.0, ctrl_cost_weight=0.1,
        reset_noise_scale=0.1, **kwargs
    ):
        self._forward, self._ctrl = forward_reward_weight, ctrl_cost_weight
        super().__init__(num_envs, xml_file=xml_file, frame_skip=frame_skip, reset_noise_scale=reset_noise_scale, **kwargs)

    def observe(self):
        return np.concatenate((self.batch.qpos[:, self._skip :], self.batch.qvel), axis=1)

    def remember(self):
        return self.batch.qpos[:, 0].copy()

    def evaluate(self, actions, before):
        x = self.batch.qpos[:, 0].copy()
        velocity = (x - before) / self.dt
        forward, cost = self._forward * velocity, self._ctrl * _squares(actions)
        info = {"x_position": x, "x_velocity": velocity, "reward_forward": forward, "reward_ctrl": -cost}
        return forward - cost, np.zeros(self.num_envs, bool), info

    def reset_info(self):
        return {"x_position": self.batch.qpos[:, 0].copy()}


class _Upright(_Locomotion):
    """Walkers in a plane that end an episode when they fall."""

    def __init__(
        self, num_envs, *, forward_reward_weight=1.0, ctrl_cost_weight=1e-3, healthy_reward=1.0,
        terminate_when_unhealthy=True, **kwargs
    ):
        self._forward, self._ctrl = forward_reward_weight, ctrl_cost_weight
        self._healthy_reward, self._terminates = healthy_reward, terminate_when_unhealthy
        super().__init__(num_envs, **kwargs)

    def observe(self):
        return np.concatenate((self.batch.qpos[:, self._skip :], np.clip(self.batch.qvel, -10, 10)), axis=1)

    def remember(self):
        return self.batch.qpos[:, 0].copy()

    def _height(self):
        return self.batch.qpos[:, 1] - self.init_qpos[1]

    def evaluate(self, actions, before):
        x = self.batch.qpos[:, 0].copy()
        velocity = (x - before) / self.dt
        healthy = self.is_healthy()
        forward, survive, cost = self._forward * velocity, healthy * self._healthy_reward, self._ctrl * _squares(actions)
        info = {
            "x_position": x, "z_distance_from_origin": self._height(), "x_velocity": velocity, "reward_forward": forward,
            "reward_ctrl": -cost, "reward_survive": survive,
        }
        return forward + survive - cost, ~healthy & self._terminates, info

    def reset_info(self):
        return {"x_position": self.batch.qpos[:, 0].copy(), "z_distance_from_origin": self._height()}


def _inside(values, limits):
    low, high = limits
    return (low < values) & (values < high)


@_registered("Hopper")
class Hopper(_Upright):
    """hop forward on one leg."""

    def __init__(
        self, num_envs, *, xml_file="hopper.xml", frame_skip=4, healthy_state_range=(-100.0, 100.0),
        healthy_z_range=(0.7, float("inf")), healthy_angle_range=(-0.2, 0.2), reset_noise_scale=5e-3, **kwargs
    ):
        self._ranges = healthy_state_range, healthy_z_range, healthy_angle_range
        super().__init__(num_envs, xml_file=xml_file, frame_skip=frame_skip, reset_noise_scale=reset_noise_scale, **kwargs)

    def is_healthy(self):
        states, heights, angles = self._ranges
        qpos = self.batch.qpos
        inside = _inside(qpos[:, 2:], states).all(axis=1) & _inside(self.batch.qvel, states).all(axis=1)
        return inside & _inside(qpos[:, 1], heights) & _inside(qpos[:, 2], angles)


@_registered("Walker2d")
class Walker2d(_Upright):
    """walk forward on two legs."""

    def __init__(
        self, num_envs, *, xml_file="walker2d_v5.xml", frame_skip=4, healthy_z_range=(0.8, 2.0),
        healthy_angle_range=(-1.0, 1.0), reset_noise_scale=5e-3, **kwargs
    ):
        self._ranges = healthy_z_range, healthy_angle_range
        super().__init__(num_envs, xml_file=xml_file, frame_skip=frame_skip, reset_noise_scale=reset_noise_scale, **kwargs)

    def is_healthy(self):
        heights, angles = self._ranges
        return _inside(self.batch.qpos[:, 1], heights) & _inside(self.batch.qpos[:, 2], angles)


@_registered("Swimmer")
class Swimmer(_Locomotion):
    """swim forward."""

    hidden = 2

    def __init__(
        self, num_envs, *, xml_file="swimmer.xml", frame_skip=4, forward_reward_weight=1.0, ctrl_cost_weight=1e-4,
        reset_noise_scale=0.1, **kwargs
    ):
        self._forward, self._ctrl = forward_reward_weight, ctrl_cost_weight
        super().__init__(num_envs, xml_file=xml_file, frame_skip=frame_skip, reset_noise_scale=reset_noise_scale, **kwargs)

    def observe(self):
        return np.concatenate((self.batch.qpos[:, self._skip :], self.batch.qvel), axis=1)

    def remember(self):
        return self.batch.qpos[:, :2].copy()

    def evaluate(self, actions, before):
        velocity = (self.batch.qpos[:, :2] - before) / self.dt
        forward, cost = self._forward * velocity[:, 0], self._ctrl * _squares(actions)
        info = {
            **self._start_and_distance(), "x_velocity": velocity[:, 0], "y_velocity": velocity[:, 1],
            "reward_forward": forward, "reward_ctrl": -cost,
        }
        return forward - cost, np.zeros(self.num_envs, bool), info

    def reset_info(self):
        return self._start_and_distance()


@_registered("Ant")
class Ant(_Locomotion):
    """run forward on four legs."""

    gaussian_velocity, hidden, body_forces = True, 2, True

    def __init__(
        self, num_envs, *, xml_file="ant.xml", frame_skip=5, forward_reward_weight=1, ctrl_cost_weight=0.5,
        contact_cost_weight=5e-4, healthy_reward=1.0, main_body=1, terminate_when_unhealthy=True, healthy_z_range=(0.2, 1.0),
        contact_force_range=(-1.0, 1.0), reset_noise_scale=0.1, include_cfrc_ext_in_observation=True, **kwargs
    ):
        self._forward, self._ctrl, self._contact = forward_reward_weight, ctrl_cost_weight, contact_cost_weight
        self._healthy_reward, self._terminates, self._heights = healthy_reward, terminate_when_unhealthy, healthy_z_range
        self._forces, self._sees_forces = contact_force_range, include_cfrc_ext_in_observation
        super().__init__(num_envs, xml_file=xml_file, frame_skip=frame_skip, reset_noise_scale=reset_noise_scale, **kwargs)
        self._body = self.model.body(main_body).id
        self.batch.bind("xpos"), self.batch.bind("cfrc_ext")

    def observation_size(self, model):
        return super().observation_size(model) + (model.nbody - 1) * 6 * self._sees_forces

    def observe(self):
        parts = [self.batch.qpos[:, self._skip :], self.batch.qvel]
        if self._sees_forces:
            parts.append(np.clip(self.batch.cfrc_ext, *self._forces)[:, 1:].reshape(self.num_envs, -1))
        return np.concatenate(parts, axis=1)

    def remember(self):
        return self.batch.xpos[:, self._body, :2].copy()

    def evaluate(self, actions, before):
        batch, (low, high) = self.batch, self._heights
        velocity = (batch.xpos[:, self._body, :2] - before) / self.dt
        finite = np.isfinite(batch.qpos).all(axis=1) & np.isfinite(batch.qvel).all(axis=1)
        healthy = finite & (low <= batch.qpos[:, 2]) & (batch.qpos[:, 2] <= high)
        forward, survive = velocity[:, 0] * self._forward, healthy * self._healthy_reward
        cost, contact = self._ctrl * _squares(actions), self._contact * _squares(np.clip(batch.cfrc_ext, *self._forces))
        info = {
            **self._start_and_distance(), "x_velocity": velocity[:, 0], "y_velocity": velocity[:, 1], "reward_forward": forward,
            "reward_ctrl": -cost, "reward_contact": -contact, "reward_survive": survive,
        }
        return (forward + survive) - (cost + contact), ~healthy & self._terminates, info

    def reset_info(self):
        return self._start_and_distance()


class _Human(_Locomotion):
    """What the humanoids share: the observation."""

    hidden, body_forces = 2, True
    _fields = ("cinert", "cvel", "qfrc_actuator", "cfrc_ext")

    def __init__(
        self, num_envs, *, include_cinert_in_observation=True, include_cvel_in_observation=True,
        include_qfrc_actuator_in_observation=True, include_cfrc_ext_in_observation=True, **kwargs
    ):
        included = (
            include_cinert_in_observation, include_cvel_in_observation, include_qfrc_actuator_in_observation,
            include_cfrc_ext_in_observation,
        )
        self._sees = [name for name, include in zip(self._fields, included) if include]
        super().__init__(num_envs, frame_skip=kwargs.pop("frame_skip", 5), **kwargs)
        for name in ("xipos", "ten_length", "ten_velocity", "cfrc_ext", *self._sees):
            self.batch.bind(name)

    def observation_size(self, model):
        bodies = model.nbody - 1
        sizes = {"cinert": 10 * bodies, "cvel": 6 * bodies, "qfrc_actuator": model.nv - 6, "cfrc_ext": 6 * bodies}
        return super().observation_size(model) + sum(sizes[name] for name in self._sees)

    def observe(self):
        parts = [self.batch.qpos[:, self._skip :], self.batch.qvel]
        for name in self._sees:
            rows = self.batch.bind(name)
            rows = rows[:, 6:] if name == "qfrc_actuator" else rows[:, 1:]
            parts.append(rows.reshape(self.num_envs, -1))
        return np.concatenate(parts, axis=1)

    def _tendons(self):
        return {"tendon_length": self.batch.ten_length.copy(), "tendon_velocity": self.batch.ten_velocity.copy()}


@_registered("Humanoid")
class Humanoid(_Human):
    """walk forward on two legs."""

    def __init__(
        self, num_envs, *, xml_file="humanoid.xml", forward_reward_weight=1.25, ctrl_cost_weight=0.1, contact_cost_weight=5e-7,
        contact_cost_range=(-np.inf, 10.0), healthy_reward=5.0, terminate_when_unhealthy=True, healthy_z_range=(1.0, 2.0),
        reset_noise_scale=1e-2, **kwargs
    ):
        self._forward, self._ctrl, self._contact = forward_reward_weight, ctrl_cost_weight, contact_cost_weight
        self._contact_range, self._healthy_reward = contact_cost_range, healthy_reward
        self._terminates, self._heights = terminate_when_unhealthy, healthy_z_range
        super().__init__(num_envs, xml_file=xml_file, reset_noise_scale=reset_noise_scale, **kwargs)
        self._mass = self.model.body_mass.sum()

    def remember(self):
        # Summed body by body, as for a single environment.
        centers = (self.model.body_mass[:, None] * self.batch.xipos).sum(axis=1)
        return (centers / self._mass)[:, :2]

    def evaluate(self, actions, before):
        batch = self.batch
        velocity = (self.remember() - before) / self.dt
        healthy = _inside(batch.qpos[:, 2], self._heights)
        forward, survive = self._forward * velocity[:, 0], healthy * self._healthy_reward
        cost = self._ctrl * _squares(batch.ctrl)
        contact = np.clip(self._contact * _squares(batch.cfrc_ext), *self._contact_range)
        info = {
            **self.reset_info(), "x_velocity": velocity[:, 0], "y_velocity": velocity[:, 1], "reward_survive": survive,
            "reward_forward": forward, "reward_ctrl": -cost, "reward_contact": -contact,
        }
        return (forward + survive) - (cost + contact), ~healthy & self._terminates, info

    def reset_info(self):
        return {**self._start_and_distance(), **self._tendons()}


@_registered("HumanoidStandup")
class HumanoidStandup(_Human):
    """stand up from lying."""

    def __init__(
        self, num_envs, *, xml_file="humanoidstandup.xml", uph_cost_weight=1, ctrl_cost_weight=0.1, impact_cost_weight=0.5e-6,
        impact_cost_range=(-np.inf, 10.0), reset_noise_scale=1e-2, **kwargs
    ):
        self._ctrl, self._impact, self._impact_range = ctrl_cost_weight, impact_cost_weight, impact_cost_range
        super().__init__(num_envs, xml_file=xml_file, reset_noise_scale=reset_noise_scale, **kwargs)

    def evaluate(self, actions, before):
        batch = self.batch
        up = (batch.qpos[:, 2] - 0) / self.model.opt.timestep
        cost = self._ctrl * _squares(batch.ctrl)
        impact = np.clip(self._impact * _squares(batch.cfrc_ext), *self._impact_range)
        info = {**self.reset_info(), "reward_linup": up, "reward_quadctrl": -cost, "reward_impact": -impact}
        return up - cost - impact + 1, np.zeros(self.num_envs, bool), info

    def reset_info(self):
        qpos = self.batch.qpos
        places = {
            "x_position": qpos[:, 0].copy(), "y_position": qpos[:, 1].copy(),
            "z_distance_from_origin": qpos[:, 2] - self.init_qpos[2],
        }
        return {**places, **self._tendons()}


@_registered("InvertedPendulum")
class InvertedPendulum(_Locomotion):
    """balance a pole on a cart."""

    hidden = 0

    def __init__(self, num_envs, *, xml_file="inverted_pendulum.xml", frame_skip=2, reset_noise_scale=0.01, **kwargs):
        super().__init__(num_envs, xml_file=xml_file, frame_skip=frame_skip, reset_noise_scale=reset_noise_scale, **kwargs)

    def observe(self):
        return np.concatenate((self.batch.qpos, self.batch.qvel), axis=1)

    def evaluate(self, actions, before):
        observations = self.observe()
        fallen = ~np.isfinite(observations).all(axis=1) | (np.abs(observations[:, 1]) > 0.2)
        rewards = (~fallen).astype(np.int64)
        return rewards, fallen, {"reward_survive": rewards}


@_registered("InvertedDoublePendulum")
class InvertedDoublePendulum(_Locomotion):
    """balance two poles on a cart."""

    gaussian_velocity, hidden = True, 0

    def __init__(
        self, num_envs, *, xml_file="inverted_double_pendulum.xml", frame_skip=5, healthy_reward=10.0, reset_noise_scale=0.1, **kwargs
    ):
        self._healthy_reward = healthy_reward
        super().__init__(num_envs, xml_file=xml_file, frame_skip=frame_skip, reset_noise_scale=reset_noise_scale, **kwargs)
        self.batch.bind("site_xpos"), self.batch.bind("qfrc_constraint")

    def observation_size(self, model):
        return 9

    def observe(self):
        qpos = self.batch.qpos
        parts = (
            qpos[:, :1], np.sin(qpos[:, 1:]), np.cos(qpos[:, 1:]), np.clip(self.batch.qvel, -10, 10),
            np.clip(self.batch.qfrc_constraint, -10, 10)[:, :1],
        )
        return np.concatenate(parts, axis=1)

    def evaluate(self, actions, before):
        x, y = self.batch.site_xpos[:, 0, 0], self.batch.site_xpos[:, 0, 2]
        first, second = self.batch.qvel[:, 1], self.batch.qvel[:, 2]
        fallen = y <= 1
        distance = 0.01 * _squared(x) + _squared(y - 2)
        speed = 1e-3 * _squared(first) + 5e-3 * _squared(second)
        alive = self._healthy_reward * (~fallen).astype(np.int64)
        info = {"reward_survive": alive, "distance_penalty": -distance, "velocity_penalty": -speed}
        return alive - distance - speed, fallen, info


@_registered("Reacher")
class Reacher(BatchEnv):
    """reach a point with an arm of two links."""

    def __init__(
        self, num_envs, *, xml_file="reacher.xml", frame_skip=2, reward_dist_weight=1, reward_control_weight=1,
        max_episode_steps=50, **kwargs
    ):
        self._dist, self._ctrl = reward_dist_weight, reward_control_weight
        super().__init__(
            _model(xml_file), num_envs, frame_skip=frame_skip, observation_size=10, max_episode_steps=max_episode_steps, **kwargs
        )
        self.batch.bind("xpos")
        self._finger, self._target = self.model.body("fingertip").id, self.model.body("target").id

    def initial_state(self, random):
        qpos = random.uniform(low=-0.1, high=0.1, size=self.model.nq) + self.init_qpos
        while True:
            goal = random.uniform(low=-0.2, high=0.2, size=2)
            if np.linalg.norm(goal) < 0.2:
                break
        qpos[-2:] = goal
        qvel = self.init_qvel + random.uniform(low=-0.005, high=0.005, size=self.model.nv)
        qvel[-2:] = 0
        return qpos, qvel

    def _gap(self):
        return self.batch.xpos[:, self._finger] - self.batch.xpos[:, self._target]

    def observe(self):
        qpos = self.batch.qpos
        angles = qpos[:, :2]
        return np.concatenate((np.cos(angles), np.sin(angles), qpos[:, 2:], self.batch.qvel[:, :2], self._gap()[:, :2]), axis=1)

    def evaluate(self, actions, before):
        dist, ctrl = -_norms(self._gap()) * self._dist, -_squares(actions) * self._ctrl
        return dist + ctrl, np.zeros(self.num_envs, bool), {"reward_dist": dist, "reward_ctrl": ctrl}


@_registered("Pusher")
class Pusher(BatchEnv):
    """push an object to a place with an arm."""

    def __init__(
        self, num_envs, *, xml_file="pusher_v5.xml", frame_skip=5, reward_near_weight=0.5, reward_dist_weight=1,
        reward_control_weight=0.1, max_episode_steps=100, **kwargs
    ):
        self._near, self._dist, self._ctrl = reward_near_weight, reward_dist_weight, reward_control_weight
        super().__init__(
            _model(xml_file), num_envs, frame_skip=frame_skip, observation_size=23, max_episode_steps=max_episode_steps, **kwargs
        )
        self.batch.bind("xpos")
        self._tip, self._object, self._goal = (self.model.body(name).id for name in ("tips_arm", "object", "goal"))

    def initial_state(self, random):
        qpos = self.init_qpos.copy()
        while True:
            place = np.concatenate([random.uniform(low=-0.3, high=0, size=1), random.uniform(low=-0.2, high=0.2, size=1)])
            if np.linalg.norm(place) > 0.17:
                break
        qpos[-4:-2], qpos[-2:] = place, 0
        qvel = self.init_qvel + random.uniform(low=-0.005, high=0.005, size=self.model.nv)
        qvel[-4:] = 0
        return qpos, qvel

    def observe(self):
        xpos = self.batch.xpos
        parts = (self.batch.qpos[:, :7], self.batch.qvel[:, :7], xpos[:, self._tip], xpos[:, self._object], xpos[:, self._goal])
        return np.concatenate(parts, axis=1)

    def evaluate(self, actions, before):
        xpos = self.batch.xpos
        near = -_norms(xpos[:, self._object] - xpos[:, self._tip]) * self._near
        dist = -_norms(xpos[:, self._object] - xpos[:, self._goal]) * self._dist
        ctrl = -_squares(actions) * self._ctrl
        info = {"reward_dist": dist, "reward_ctrl": ctrl, "reward_near": near}
        return dist + ctrl + near, np.zeros(self.num_envs, bool), info
