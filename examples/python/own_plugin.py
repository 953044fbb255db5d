"""A plugin of your own: a model file says which actuators it drives and with which numbers, and a class computes them in every step."""

import condyle

model = condyle.MjModel.from_xml_string("""
<mujoco>
  <worldbody>
    <body><joint name="hinge" axis="0 1 0" damping=".1"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".03" mass="1"/></body>
    <body pos="0 1 0"><joint name="slow" axis="0 1 0" damping=".1"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".03" mass="1"/></body>
  </worldbody>
  <actuator>
    <general name="servo" joint="hinge" biastype="user" user="400 20 60 8"/>
    <general name="weak servo" joint="slow" biastype="user" user="40 5 0 4"/>
  </actuator>
  <sensor><user name="effort" dim="2" needstage="acc"/></sensor>
</mujoco>""")
data = condyle.MjData(model)


class Servos:
    """Controllers with memory: they add up how far they are away, so that a weight does not keep them from their target.

    Each actuator with `biastype="user"` is one; its `user` numbers are stiffness, damping, gain of the sum, and most force.
    """

    def __init__(self, model):
        self.numbers = model.actuator_user.copy()
        self.sums = [0.0] * model.nu

    def force(self, model, data, actuator):
        stiffness, damping, gain, most = self.numbers[actuator]
        away = data.ctrl[actuator] - data.actuator_length[actuator]
        self.sums[actuator] += gain * away * model.opt.timestep
        wanted = stiffness * away - damping * data.actuator_velocity[actuator] + self.sums[actuator]
        # The control itself is added by the actuator.
        return min(max(wanted, -most), most) - data.ctrl[actuator]

    def effort(self, model, data, stage):
        """Work per second of each."""
        if stage == condyle.mjtStage.mjSTAGE_ACC:
            data.sensordata[:] = abs(data.actuator_force * data.actuator_velocity)

    def __enter__(self):
        condyle.set_mjcb_act_bias(self.force)
        condyle.set_mjcb_sensor(self.effort)
        return self

    def __exit__(self, *error):
        condyle.set_mjcb_act_bias(None)
        condyle.set_mjcb_sensor(None)


most = 0.0
with Servos(model):
    data.ctrl[:] = -0.5
    while data.time < 3:
        condyle.mj_step(model, data)
        most = max(most, data.sensor("effort").data[0])
for name, joint in (("servo", "hinge"), ("weak servo", "slow")):
    print(f"the {name} holds its arm at {data.joint(joint).qpos[0]:.3f} rad with {data.actuator(name).force[0]:.2f} N·m")
print(f"the first took {most:.1f} W at most")
assert abs(data.joint("hinge").qpos[0] + 0.5) < 5e-3 < abs(data.joint("slow").qpos[0] + 0.5)
