"""Two boxes in a stack: who touches whom, and with what force."""

import condyle

# A box of 2 kg on the floor, and one of 1 kg on top of it.
model = condyle.MjModel.from_xml_string("""
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 .1"/>
    <body pos="0 0 .1"><freejoint/><geom name="lower" type="box" size=".1 .1 .1" mass="2"/></body>
    <body pos="0 0 .3"><freejoint/><geom name="upper" type="box" size=".1 .1 .1" mass="1"/></body>
  </worldbody>
</mujoco>""")
data = condyle.MjData(model)
while data.time < 1:
    condyle.mj_step(model, data)

# Two boxes touch at several points, so the forces of a pair are added up.
totals = {}
for contact in condyle.contacts(model, data):
    pair = contact.geom1_name, contact.geom2_name
    totals[pair] = totals.get(pair, 0) + contact.normal_force
for (one, other), force in totals.items():
    print(f"{one} and {other} press on each other with {force:.2f} N")
assert abs(sum(totals.values()) - (3 + 1) * 9.81) < 0.5
