"""Your own code in the step: a spring that only pulls, added as a passive force."""

import condyle

# A mass of 1 kg that can move up and down.
model = condyle.MjModel.from_xml_string("""
<mujoco>
  <worldbody>
    <body><joint name="slide" type="slide" axis="0 0 1"/><geom size=".1" mass="1"/></body>
  </worldbody>
</mujoco>""")
data = condyle.MjData(model)


# An ordinary function: what it adds to `qfrc_passive` acts in the step.
def bungee(model, data):
    """A cord of 1 m that holds with 200 N/m once it is tight."""
    stretch = -1.0 - data.qpos[0]
    if stretch > 0:
        data.qfrc_passive[0] += 200 * stretch - 5 * data.qvel[0]


# The function is called in every step of every simulation until it is taken away.
condyle.set_mjcb_passive(bungee)
lowest = 0.0
try:
    while data.time < 5:
        condyle.mj_step(model, data)
        lowest = min(lowest, data.qpos[0])
finally:
    condyle.set_mjcb_passive(None)
print(f"the jump ends {-lowest:.2f} m down, and hangs at {-data.qpos[0]:.2f} m")
assert 1.2 < -lowest < 1.6
