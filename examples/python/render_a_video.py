"""Thirty pictures of a robot per second, one by one. `condyle run robot.xml --video out.gif` writes a whole video."""

import pathlib

import numpy as np

import condyle

root = pathlib.Path(__file__).resolve().parents[2]
model = condyle.MjModel.from_xml_path(str(root / "models/robot/quadruped.xml"))
data = condyle.MjData(model)
condyle.mj_resetDataKeyframe(model, data, 0)

frames = []
with condyle.Renderer(model, 120, 160) as renderer:
    while len(frames) < 12:
        condyle.mj_step(model, data, 17)  # 30 pictures per second
        renderer.update_scene(data, camera="side")
        frames.append(renderer.render())
moved = np.abs(np.diff(np.array(frames, float), axis=0)).mean()
print(f"{len(frames)} frames of {frames[0].shape[1]} by {frames[0].shape[0]} pixels; {moved:.2f} of 255 change from one to the next")
assert moved > 0
