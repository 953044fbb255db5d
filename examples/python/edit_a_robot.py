"""A robot is loaded, gets a camera and a heavier hand, and is compiled again."""

import condyle

# `MjSpec.from_file` reads a file in the same way.
spec = condyle.MjSpec.from_string("""
<mujoco model="arm">
  <worldbody>
    <body name="base" pos="0 0 .5">
      <joint name="turn" axis="0 0 1"/>
      <geom type="cylinder" size=".1 .1"/>
      <body name="hand" pos=".3 0 0"><joint name="grip" axis="0 1 0"/><geom name="palm" type="box" size=".1 .05 .02" mass=".2"/></body>
    </body>
  </worldbody>
</mujoco>""")

# Change what is there, add what is missing, and compile again.
before = spec.compile()
spec.geom("palm").mass = 0.5
spec.body("hand").add_camera(name="eye", pos=[0, 0, 0.1])
spec.add_actuator(name="grip", target="grip", trntype=condyle.mjtTrn.mjTRN_JOINT)
after = spec.compile()

print(f"the hand weighs {after.body('hand').mass[0]:.2f} kg instead of {before.body('hand').mass[0]:.2f} kg")
print(f"{after.ncam} camera, {after.nu} actuator; arrays of the compiled model follow by themselves")
assert (after.ncam, after.nu) == (1, 1)
