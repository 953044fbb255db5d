"""A pole on a cart is linearised about its upright pose and balanced by a linear-quadratic regulator."""

import numpy as np

import condyle

# Only the cart is driven; the pole stands on a hinge without an actuator.
model = condyle.MjModel.from_xml_string("""
<mujoco>
  <option timestep=".01"/>
  <worldbody>
    <body name="cart">
      <joint name="slide" type="slide" axis="1 0 0"/>
      <geom type="box" size=".2 .1 .05" mass="1"/>
      <body name="pole"><joint name="hinge" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 1" size=".03" mass=".2"/></body>
    </body>
  </worldbody>
  <actuator><motor joint="slide"/></actuator>
</mujoco>""")
data = condyle.MjData(model)
condyle.mj_forward(model, data)

# Finite differences of a whole step: how the next state depends on this one (A) and on the
# control (B).
size = 2 * model.nv
A, B = np.zeros((size, size)), np.zeros((size, model.nu))
condyle.mjd_transitionFD(model, data, 1e-6, True, A, B, None, None)

# The feedback K with the least cost, from the discrete Riccati equation by iteration.
Q, R = np.diag([1.0, 10.0, 0.1, 0.1]), np.array([[0.1]])
P, K = Q.copy(), np.zeros((1, size))
for _ in range(2000):
    K = np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)
    P = Q + A.T @ P @ (A - B @ K)

# Tilt the pole, and let the feedback bring it back.
data.joint("hinge").qpos = 0.3
while data.time < 6:
    data.ctrl[:] = -K @ np.concatenate([data.qpos, data.qvel])
    condyle.mj_step(model, data)
print(f"feedback {np.round(K, 2)}; after 6 s the pole leans by {data.joint('hinge').qpos[0]:.1e} rad")
assert abs(data.joint("hinge").qpos[0]) < 1e-3
