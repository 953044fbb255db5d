"""A ball falls on a floor: load a model, step it, read the state."""

import condyle

# A model is a description in MJCF, compiled: a floor and a ball that is free to move. The
# data is a simulation of it.
model = condyle.MjModel.from_xml_string("""
<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 .1"/>
    <body name="ball" pos="0 0 1"><freejoint/><geom size=".1"/></body>
  </worldbody>
</mujoco>""")
data = condyle.MjData(model)

# Each call advances the simulation by one time step, 2 ms unless the model says otherwise.
while data.time < 2:
    condyle.mj_step(model, data)

# Everything with a name can be read by that name.
print(f"after {data.time:.1f} s the ball is at a height of {data.body('ball').xpos[2]:.4f} m, with {data.ncon} contact")
assert abs(data.body("ball").xpos[2] - 0.1) < 1e-2
