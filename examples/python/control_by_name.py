"""An arm follows a target: actuators, joints and sites by their names."""

import numpy as np

import condyle

# Each joint of the arm has an actuator that drives it to the angle it is told.
model = condyle.MjModel.from_xml_string("""
<mujoco>
  <option integrator="implicitfast"/>
  <worldbody>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" axis="0 1 0" damping=".5"/>
      <geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/>
      <body name="lower" pos=".4 0 0">
        <joint name="elbow" axis="0 1 0" damping=".5"/>
        <geom type="capsule" fromto="0 0 0 .3 0 0" size=".02"/>
        <site name="hand" pos=".3 0 0"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <position name="shoulder" joint="shoulder" kp="60"/>
    <position name="elbow" joint="elbow" kp="30"/>
  </actuator>
</mujoco>""")
data = condyle.MjData(model)

# Set the targets once; the actuators hold the arm there.
data.actuator("shoulder").ctrl = -0.6
data.actuator("elbow").ctrl = 1.0
while data.time < 3:
    condyle.mj_step(model, data)

# Gravity pulls the arm a little below its targets.
angles = [data.joint(name).qpos[0] for name in ("shoulder", "elbow")]
print(f"shoulder {angles[0]:.2f} rad, elbow {angles[1]:.2f} rad, hand at {np.round(data.site('hand').xpos, 3)} m")
assert np.allclose(angles, [-0.6, 1.0], atol=0.2)
