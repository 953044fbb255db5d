"""Reach a point with a hand by damped least squares, then find the torques that hold the arm there."""

import numpy as np

import condyle

# An arm with three hinges and a site at its hand.
model = condyle.MjModel.from_xml_string("""
<mujoco>
  <worldbody>
    <body pos="0 0 .5">
      <joint axis="0 0 1"/><joint axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/>
      <body pos=".4 0 0">
        <joint axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 .4 0 0" size=".02"/>
        <site name="hand" pos=".4 0 0"/>
      </body>
    </body>
  </worldbody>
</mujoco>""")
data = condyle.MjData(model)
target = np.array([0.3, 0.3, 0.6])
hand = model.site("hand").id
data.qpos[:] = [0.1, -0.1, 0.3]

# Inverse kinematics: the Jacobian says how the hand moves when the joints turn, so solving
# with it turns the gap into steps of the joints. The small number on the diagonal (damping)
# keeps the steps small where the arm is stretched out.
for iteration in range(100):
    condyle.mj_forward(model, data)
    gap = target - data.site_xpos[hand]
    if np.linalg.norm(gap) < 1e-9:
        break
    jacobian = np.zeros((3, model.nv))
    condyle.mj_jacSite(model, data, jacobian, None, hand)
    data.qpos += jacobian.T @ np.linalg.solve(jacobian @ jacobian.T + 1e-2 * np.eye(3), gap)
print(f"the hand reaches {target} in {iteration} iterations with angles {np.round(data.qpos, 3)} rad")

# Inverse dynamics: the torques for no acceleration at rest are those that carry the weight of
# the arm.
data.qvel[:] = data.qacc[:] = 0
condyle.mj_inverse(model, data)
torques = data.qfrc_inverse.copy()
print(f"torques that hold it there: {np.round(torques, 3)} N m")

# With these torques the arm stays where it is.
data.qfrc_applied[:] = torques
for _ in range(100):
    condyle.mj_step(model, data)
assert np.linalg.norm(data.site_xpos[hand] - target) < 1e-3
