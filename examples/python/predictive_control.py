"""Swing up a pendulum by trying controls: each second 50 decisions, each from 64 futures in one batch."""

import numpy as np

import condyle

# The motor is too weak to lift the pendulum at once: it has to swing.
XML = """
<mujoco>
  <option timestep=".02"/>
  <worldbody>
    <body><joint name="hinge" axis="0 1 0" damping=".05"/><geom type="capsule" fromto="0 0 0 0 0 -.6" size=".03" mass="1"/></body>
  </worldbody>
  <actuator><motor joint="hinge" ctrlrange="-1.2 1.2" ctrllimited="true"/></actuator>
</mujoco>"""
model = condyle.MjModel.from_xml_string(XML)
data = condyle.MjData(model)
random = np.random.default_rng(0)

# In every step, vary the plan in 64 ways, simulate all of them 0.8 s ahead, keep the best and
# apply its first control.
candidates, horizon = 64, 40
batch = condyle.Batch(model, candidates)
plan = np.zeros((horizon, model.nu))
highest = -1.0
for _ in range(150):
    noise = np.cumsum(random.normal(0, 0.3, (candidates, horizon, model.nu)), axis=1)
    noise[0] = 0  # the plan as it is
    controls = np.clip(plan + noise, -1.2, 1.2)
    batch.time[:], batch.qpos[:], batch.qvel[:] = data.time, data.qpos, data.qvel
    future = batch.rollout(horizon, controls, record=("qpos", "qvel"))
    cost = np.sum(1 + np.cos(future["qpos"][..., 0]) + 0.01 * future["qvel"][..., 0] ** 2, axis=1)
    plan = controls[np.argmin(cost)]
    data.ctrl[:] = plan[0]
    plan = np.roll(plan, -1, axis=0)
    condyle.mj_step(model, data)
    highest = max(highest, -np.cos(data.qpos[0]))

print(f"after {data.time:.1f} s the pendulum stands at {highest:.3f} of its height (1 is upright)")
assert highest > 0.95
