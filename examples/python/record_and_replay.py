"""A simulation is set aside, goes on, and is played again with the same bits."""

import numpy as np

import condyle

# Two bodies that fall, tumble and hit each other: a motion in which any difference would grow
# quickly.
model = condyle.MjModel.from_xml_string("""
<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 .1"/>
    <body pos="0 0 .5"><freejoint/><geom type="box" size=".1 .05 .02"/></body>
    <body pos=".05 0 .8"><freejoint/><geom type="capsule" size=".03 .1"/></body>
  </worldbody>
</mujoco>""")
data = condyle.MjData(model)
data.qvel[3:6] = 3, 1, 2
for _ in range(200):
    condyle.mj_step(model, data)

# A snapshot holds everything the next step depends on. It can be pickled or written to a file.
snapshot = data.snapshot()
first = []
for _ in range(300):
    condyle.mj_step(model, data)
    first.append(data.qpos.copy())

# Restore it, and everything happens again.
data.restore(snapshot)
again = []
for _ in range(300):
    condyle.mj_step(model, data)
    again.append(data.qpos.copy())

print(f"a snapshot of {len(snapshot)} bytes; 300 steps played again are {'equal' if np.array_equal(first, again) else 'different'}, bit by bit")
assert np.array_equal(first, again)
