"""A figure of 27 degrees of freedom stands on its feet: the pose is made an equilibrium, linearised, and held by a linear-quadratic regulator."""

import pathlib

import numpy as np

import condyle

# The figure of the repository, with a motor in every hinge instead of its servos.
spec = condyle.MjSpec.from_file(str(pathlib.Path(__file__).parents[2] / "models" / "bench" / "figure.xml"))
for element in [*spec.actuators, *spec.keys]:
    spec.delete(element)
for joint in spec.joints:
    if joint.type == condyle.mjtJoint.mjJNT_HINGE:
        motor = spec.add_actuator(name=joint.name, target=joint.name, trntype=condyle.mjtTrn.mjTRN_JOINT)
        motor.set_to_motor()
model = spec.compile()
data = condyle.MjData(model)


def force_from_outside(height):
    """Vertical force that would have to hold the pelvis at rest, with that height."""
    condyle.mj_resetData(model, data)
    data.qpos[2] = height
    condyle.mj_forward(model, data)
    data.qacc[:] = 0
    condyle.mj_inverse(model, data)
    return abs(data.qfrc_inverse[2])


# The feet sink into the floor until it carries the weight; then the hinges need the torques
# that inverse dynamics finds.
height = min(np.linspace(0.955, 0.961, 3001), key=force_from_outside)
force_from_outside(height)
pose, torques = data.qpos.copy(), data.qfrc_inverse[6:].copy()
print(f"pelvis at {height:.4f} m: the floor carries the weight but for {abs(data.qfrc_inverse[2]):.2f} N")

# The centre of mass shall stay above the feet; the pose matters less, and torques are cheap.
condyle.mj_resetData(model, data)
data.qpos[:], data.ctrl[:] = pose, torques
condyle.mj_forward(model, data)
center, feet = np.zeros((3, model.nv)), np.zeros((3, model.nv))
condyle.mj_jacSubtreeCom(model, data, center, model.body("pelvis").id)
for side in ("foot_left", "foot_right"):
    foot = np.zeros((3, model.nv))
    condyle.mj_jacBodyCom(model, data, foot, None, model.body(side).id)
    feet += foot / 2
lean = (center - feet)[:2]
positions = 1000 * lean.T @ lean + np.diag([0.0] * 6 + [10.0] * (model.nv - 6))
size = 2 * model.nv
Q, R = np.zeros((size, size)), 1e-3 * np.eye(model.nu)
Q[: model.nv, : model.nv] = positions
A, B = np.zeros((size, size)), np.zeros((size, model.nu))
condyle.mjd_transitionFD(model, data, 1e-6, True, A, B, None, None)

# The discrete Riccati equation by iteration.
P = Q.copy()
for _ in range(1000):
    K = np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)
    P = Q + A.T @ P @ (A - B @ K)

# Pushes against the chest: from behind after one second, from the side after three.
PUSHES = ((1.0, [60, 0, 0]), (3.0, [0, 60, 0]))


def height_after_pushes(feedback):
    """Height of the pelvis after six seconds."""
    condyle.mj_resetData(model, data)
    data.qpos[:] = pose
    difference = np.zeros(model.nv)
    while data.time < 6:
        data.body("chest").xfrc_applied[:] = 0
        for begins, force in PUSHES:
            if begins <= data.time < begins + 0.1:
                data.body("chest").xfrc_applied[:3] = force
        condyle.mj_differentiatePos(model, difference, 1, pose, data.qpos)
        data.ctrl[:] = torques - feedback @ np.concatenate([difference, data.qvel])
        condyle.mj_step(model, data)
    return data.qpos[2]


fallen, held = height_after_pushes(np.zeros_like(K)), height_after_pushes(K)
print(f"after two pushes the pelvis is {held:.3f} m high, without feedback {fallen:.3f} m")
assert abs(held - height) < 0.01 and fallen < height / 2
