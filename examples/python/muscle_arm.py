"""An arm with two Hill-type muscles: excite the flexor, then the extensor, and watch angle, force and activation."""

import pathlib

import numpy as np

import condyle

root = pathlib.Path(__file__).resolve().parents[2]
model = condyle.MjModel.from_xml_path(str(root / "models/extensions/hill_muscle.xml"))
data = condyle.MjData(model)

angles = {}
for muscle in ("flexor", "extensor"):
    data.ctrl[:] = 0
    data.actuator(muscle).ctrl = 1
    force = 0.0
    for _ in range(400):
        condyle.mj_step(model, data)
        force = max(force, -data.actuator(muscle).force[0])
    angles[muscle] = np.degrees(data.joint("elbow").qpos[0])
    print(f"0.8 s after the {muscle} is excited: elbow at {angles[muscle]:.0f}°, greatest force {force:.0f} N, activations {np.round(data.act, 2)}")

assert angles["flexor"] > angles["extensor"] + 30
