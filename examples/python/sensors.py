"""A pendulum with an accelerometer, a gyroscope and a rangefinder: readings by name."""

import numpy as np

import condyle

# The sensors are at a site, the tip of the rod, whose z axis points away from the pivot; the
# rangefinder measures along it.
model = condyle.MjModel.from_xml_string("""
<mujoco>
  <worldbody>
    <geom type="plane" size="2 2 .1"/>
    <body name="rod" pos="0 0 1">
      <joint name="pivot" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0 0 -.5" size=".02"/>
      <site name="imu" pos="0 0 -.5" euler="180 0 0"/>
    </body>
  </worldbody>
  <sensor>
    <accelerometer name="acceleration" site="imu"/>
    <gyro name="rotation" site="imu"/>
    <rangefinder name="floor" site="imu"/>
  </sensor>
</mujoco>""")
data = condyle.MjData(model)
data.joint("pivot").qpos = 1.0

# Let it swing, and keep two readings of every step.
history = []
while data.time < 2:
    condyle.mj_step(model, data)
    history.append([data.sensor("rotation").data[1], data.sensor("floor").data[0]])
history = np.array(history)

print(f"fastest rotation {np.abs(history[:, 0]).max():.2f} rad/s; distance to the floor {history[:, 1].min():.2f} m at the lowest point")
assert 0.4 < history[:, 1].min() < 0.6
