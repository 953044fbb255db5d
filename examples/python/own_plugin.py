"""An actuator and a sensor of one's own: the model says that they are the user's, and functions compute them in every step."""

import condyle

model = condyle.MjModel.from_xml_string("""
<mujoco>
  <worldbody>
    <body><joint name="hinge" axis="0 1 0" damping=".1"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".03" mass="1"/></body>
  </worldbody>
  <actuator><general name="servo" joint="hinge" biastype="user"/></actuator>
  <sensor><user name="effort" dim="1" needstage="acc"/></sensor>
</mujoco>""")
data = condyle.MjData(model)
MOST = 8.0


def servo(model, data, actuator):
    """Pushes with all its force towards the target, and gently when it is near."""
    away = data.ctrl[actuator] - data.actuator_length[actuator]
    return min(max(400 * away - 20 * data.actuator_velocity[actuator], -MOST), MOST) - data.ctrl[actuator]


def effort(model, data, stage):
    """Work per second of the servo."""
    if stage == condyle.mjtStage.mjSTAGE_ACC:
        data.sensordata[0] = abs(data.actuator_force[0] * data.actuator_velocity[0])


condyle.set_mjcb_act_bias(servo)
condyle.set_mjcb_sensor(effort)
most = 0.0
try:
    data.ctrl[0] = -0.5
    while data.time < 3:
        condyle.mj_step(model, data)
        most = max(most, data.sensor("effort").data[0])
finally:
    condyle.set_mjcb_act_bias(None)
    condyle.set_mjcb_sensor(None)
print(f"the arm is held at {data.qpos[0]:.3f} rad with {data.actuator_force[0]:.2f} N·m; it took {most:.1f} W at most")
assert abs(data.qpos[0] + 0.5) < 0.02
