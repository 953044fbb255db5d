"""A pendulum learns to swing up with proximal policy optimisation: 64 environments in one batch, networks in plain numpy.

    python train_with_ppo.py [--updates 120] [--environments 64] [--plot curve.svg] [--compare]

With `--compare` the same training runs on Gymnasium's `SyncVectorEnv` and `AsyncVectorEnv` with MuJoCo, learns the same to the last bit, and the
times are printed (`pip install mujoco`). The environment is a `condyle.gymnasium.BatchEnv`, which any library for vector environments takes as it is; the learner here is small enough to
read. Takes about a minute on two processors.
"""

import argparse
import time
from typing import Any, Callable

import numpy as np

import condyle
from condyle.gymnasium import BatchEnv

XML = """
<mujoco>
  <option timestep=".01" integrator="implicitfast"/>
  <worldbody>
    <body><joint name="hinge" axis="0 1 0" damping=".02"/><geom type="capsule" fromto="0 0 0 0 0 .6" size=".03" mass=".5"/></body>
  </worldbody>
  <actuator><motor joint="hinge" ctrlrange="-1 1" ctrllimited="true" gear="1"/></actuator>
</mujoco>"""


class SwingUp(BatchEnv):
    """The torque is too weak to lift the rod at once: it has to swing. Upright is angle 0."""

    def __init__(self, num_envs, **kwargs):
        model = condyle.MjModel.from_xml_string(XML)
        super().__init__(model, num_envs, frame_skip=4, observation_size=3, max_episode_steps=150, **kwargs)

    def observe(self):
        angle = self.batch.qpos[:, 0]
        return np.stack([np.cos(angle), np.sin(angle), self.batch.qvel[:, 0] / 8], axis=1)

    def evaluate(self, actions, before):
        angle, speed = self.batch.qpos[:, 0], self.batch.qvel[:, 0]
        rewards = np.cos(angle) - 0.002 * speed * speed - 0.01 * actions[:, 0] * actions[:, 0]
        return rewards, np.zeros(self.num_envs, bool), {}

    def initial_state(self, random):
        return np.pi + random.uniform(-0.3, 0.3, 1), random.uniform(-0.2, 0.2, 1)


def one_by_one(kind, environments):
    """The same environments on MuJoCo, each by itself, in a vector of Gymnasium: "SyncVectorEnv" or "AsyncVectorEnv"."""
    import gymnasium
    import mujoco

    class Single(gymnasium.Env):
        def __init__(self):
            self.model = mujoco.MjModel.from_xml_string(XML)
            self.data = mujoco.MjData(self.model)
            self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (3,), np.float64)
            self.action_space = gymnasium.spaces.Box(-1, 1, (1,), np.float32)

        def observe(self):
            angle, speed = self.data.qpos[0], self.data.qvel[0]
            return np.array([np.cos(angle), np.sin(angle), speed / 8])

        def reset(self, *, seed=None, options=None):
            super().reset(seed=seed)
            mujoco.mj_resetData(self.model, self.data)
            self.data.qpos[:], self.data.qvel[:] = np.pi + self.np_random.uniform(-0.3, 0.3, 1), self.np_random.uniform(-0.2, 0.2, 1)
            mujoco.mj_forward(self.model, self.data)
            self.steps = 0
            return self.observe(), {}

        def step(self, action):
            self.data.ctrl[:] = action
            mujoco.mj_step(self.model, self.data, nstep=4)
            self.steps += 1
            angle, speed = self.data.qpos[0], self.data.qvel[0]
            reward = np.cos(angle) - 0.002 * speed * speed - 0.01 * action[0] * action[0]
            return self.observe(), reward, False, self.steps >= 150, {}

    return getattr(gymnasium.vector, kind)([Single] * environments)


class Network:
    """Two hidden layers of tanh, with gradients by hand and Adam."""

    def __init__(self, random, inputs, outputs, size=64, scale=0.01):
        widths = [(inputs, size, 1.4), (size, size, 1.4), (size, outputs, scale)]
        self.weights = [random.normal(0, gain / np.sqrt(i), (i, o)) for i, o, gain in widths]
        self.weights += [np.zeros(o) for _, o, _ in widths]
        self.first, self.second = ([np.zeros_like(w) for w in self.weights] for _ in range(2))
        self.count = 0

    def __call__(self, x):
        w1, w2, w3, b1, b2, b3 = self.weights
        h1 = np.tanh(x @ w1 + b1)
        h2 = np.tanh(h1 @ w2 + b2)
        self.kept = x, h1, h2
        return h2 @ w3 + b3

    def learn(self, gradient, rate):
        (x, h1, h2), (_, w2, w3, *_) = self.kept, self.weights
        g2 = gradient @ w3.T * (1 - h2**2)
        g1 = g2 @ w2.T * (1 - h1**2)
        gradients = [x.T @ g1, h1.T @ g2, h2.T @ gradient, g1.sum(0), g2.sum(0), gradient.sum(0)]
        norm = np.sqrt(sum((g**2).sum() for g in gradients))
        self.count += 1
        for w, g, m, v in zip(self.weights, gradients, self.first, self.second):
            g = g * min(1.0, 0.5 / (norm + 1e-8))
            m += 0.1 * (g - m)
            v += 0.001 * (g**2 - v)
            w -= rate * (m / (1 - 0.9**self.count)) / (np.sqrt(v / (1 - 0.999**self.count)) + 1e-8)


def train(updates, environments=64, steps=64, seed=0, make: Callable[[int], Any] = SwingUp):
    """The mean reward of each update, the seconds it all took, and how many of them the environments did."""
    random = np.random.default_rng(seed)
    envs, stepping = make(environments), 0.0
    actor, critic = Network(random, 3, 1), Network(random, 3, 1, scale=1.0)
    spread, gamma, trace = 0.6, 0.98, 0.95
    observation, _ = envs.reset(seed=seed)
    began, curve, fresh = time.perf_counter(), [], np.ones(environments, bool)
    for update in range(updates):
        rows = {name: [] for name in ("observation", "action", "chance", "reward", "value", "end", "used")}
        for _ in range(steps):
            mean = actor(observation)
            action = mean + spread * random.normal(size=mean.shape)
            value = critic(observation)[:, 0]
            chance = (-0.5 * ((action - mean) / spread) ** 2).sum(1)
            before = time.perf_counter()
            after, reward, terminated, truncated, _ = envs.step(np.clip(action, -1, 1).astype(np.float32))
            stepping += time.perf_counter() - before
            # The step after the end of an episode only begins the next one.
            values = observation, action, chance, reward, value, terminated | truncated, ~fresh
            for name, part in zip(rows, values):
                rows[name].append(part)
            observation, fresh = after, terminated | truncated
        data = {name: np.array(part) for name, part in rows.items()}
        following, advantage, sum_ = critic(observation)[:, 0], np.zeros_like(data["reward"]), 0.0
        for step in reversed(range(steps)):
            goes_on = ~data["end"][step]
            # Episodes end by time alone, so the value of the next state counts where there is one.
            change = data["reward"][step] + gamma * np.where(goes_on, following, data["value"][step]) - data["value"][step]
            sum_ = change + gamma * trace * goes_on * sum_
            advantage[step], following = sum_, data["value"][step]
        target = (advantage + data["value"]).ravel()
        flat = {name: part.reshape(steps * environments, -1) for name, part in data.items()}
        used = np.flatnonzero(flat["used"][:, 0])
        gain = advantage.ravel()
        gain = (gain - gain.mean()) / (gain.std() + 1e-8)
        rate = 3e-3 * (1 - 0.9 * update / updates)
        for _ in range(6):
            for part in np.array_split(random.permutation(used), 4):
                mean = actor(flat["observation"][part])
                away = (flat["action"][part] - mean) / spread
                ratio = np.exp(-0.5 * (away**2).sum(1) - flat["chance"][part][:, 0])
                pushed = ((ratio < 1.2) | (gain[part] < 0)) & ((ratio > 0.8) | (gain[part] > 0))
                actor.learn(-(ratio * gain[part] * pushed)[:, None] * away / spread / len(part), rate)
                error = critic(flat["observation"][part])[:, 0] - target[part]
                critic.learn(error[:, None] / len(part), rate)
        spread = max(0.15, spread * 0.99)
        curve.append(float(data["reward"].mean()))
    taken = time.perf_counter() - began
    envs.close()
    return np.array(curve), taken, stepping


def plot(curve, path, steps):
    """The learning curve as an SVG file, averaged over seven updates, which are the steps of three episodes."""
    width, height = 640, 320
    curve = np.convolve(curve, np.ones(7) / 7, mode="valid") if len(curve) > 7 else curve
    x = 60 + np.linspace(0, width - 80, len(curve))
    y = height - 50 - (curve + 1) / 2 * (height - 80)
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y))
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">']
    lines.append(f'<rect width="{width}" height="{height}" fill="#ffffff"/>')
    for level in (-1, -0.5, 0, 0.5, 1):
        at = height - 50 - (level + 1) / 2 * (height - 80)
        lines.append(f'<line x1="60" x2="{width - 20}" y1="{at:.1f}" y2="{at:.1f}" stroke="#e3e6ea"/>')
        lines.append(f'<text x="52" y="{at + 4:.1f}" text-anchor="end" fill="#24292f">{level:g}</text>')
    for thousands in range(0, steps // 1000 + 1, 100):
        at = 60 + 1000 * thousands / steps * (width - 80)
        lines.append(f'<text x="{at:.1f}" y="{height - 30}" text-anchor="middle" fill="#24292f">{thousands}</text>')
    lines.append(f'<text x="{width / 2}" y="{height - 8}" text-anchor="middle" fill="#24292f">thousand environment steps</text>')
    lines.append('<text x="60" y="18" fill="#24292f">mean reward of a step (1: upright and still)</text>')
    lines.append(f'<polyline points="{points}" fill="none" stroke="#1668b8" stroke-width="2"/></svg>')
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--updates", type=int, default=120)
    parser.add_argument("--environments", type=int, default=64)
    parser.add_argument("--plot")
    parser.add_argument("--compare", action="store_true")
    arguments = parser.parse_args()
    curve, taken, stepping = train(arguments.updates, arguments.environments)
    count = arguments.updates * arguments.environments * 64
    print(f"mean reward {curve[:3].mean():.2f} at first, {curve[-10:].mean():.2f} at last; {count / taken:,.0f} environment steps per second with learning")
    if arguments.plot:
        plot(curve, arguments.plot, count)
    if arguments.compare:
        print(f"condyle.Batch: {stepping:.1f} s in the environments, {taken:.1f} s with learning")
        for kind in ("SyncVectorEnv", "AsyncVectorEnv"):
            other, taken, theirs = train(arguments.updates, arguments.environments, make=lambda count, kind=kind: one_by_one(kind, count))
            assert (other == curve).all(), f"{kind} learns something else"
            print(f"{kind} on MuJoCo: {theirs:.1f} s in the environments ({theirs / stepping:.1f} times), {taken:.1f} s with learning")
    assert arguments.updates < 100 or arguments.environments < 64 or curve[-10:].mean() > 0.4
