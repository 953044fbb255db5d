"""The same push for 256 boxes of different mass and friction: one batch, all processors."""

import numpy as np

import condyle

# One model for all of them.
model = condyle.MjModel.from_xml_string("""
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1" friction=".1"/>
    <body name="box" pos="0 0 .1"><freejoint/><geom name="box" type="box" size=".1 .1 .1" mass="1"/></body>
  </worldbody>
</mujoco>""")
random = np.random.default_rng(0)

# Every simulation gets a mass and a friction of its own.
batch = condyle.Batch(model, nsim=256)
masses = random.uniform(0.5, 2.0, (batch.nsim, 1))
batch.body("box").mass = masses
batch.geom("box").friction = random.uniform(0.2, 1.0, (batch.nsim, 1)) * [1, 0.005, 0.0001]
batch.set_const()  # recomputes what depends on the masses

# The arrays of a batch hold all simulations: one row for each.
batch.qvel[:, 0] = 2.0
batch.step(nstep=500)

# The less friction, the farther a box slides; its mass does not matter.
distance = batch.qpos[:, 0]
print(f"{batch.nsim} boxes slid between {distance.min():.2f} and {distance.max():.2f} m on {batch.nthread} threads")
friction = batch.geom("box").friction[:, 0]
print(f"correlation of distance with 1/friction: {np.corrcoef(distance, 1 / friction)[0, 1]:.2f}")
assert np.corrcoef(distance, 1 / friction)[0, 1] > 0.8 and not batch.status.any()
