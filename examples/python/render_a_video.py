"""A video of a robot, thirty pictures per second, in a file that players and `ffmpeg` read. `condyle run robot.xml --video out.gif` does it all."""

import pathlib
import sys

import numpy as np

import condyle

root = pathlib.Path(__file__).resolve().parents[2]
model = condyle.MjModel.from_xml_path(str(root / "models/robot/quadruped.xml"))
data = condyle.MjData(model)
condyle.mj_resetDataKeyframe(model, data, 0)

path = sys.argv[1] if len(sys.argv) > 1 else "quadruped.y4m"
width, height, seconds = 320, 240, 1
# Brightness and the two colour differences of a pixel, as videos have them.
planes = np.array([[0.257, 0.504, 0.098], [-0.148, -0.291, 0.439], [0.439, -0.368, -0.071]])

frames = []
with condyle.Renderer(model, height, width) as renderer, open(path, "wb") as video:
    video.write(f"YUV4MPEG2 W{width} H{height} F30:1 Ip A1:1 C444\n".encode())
    while len(frames) < 30 * seconds:
        while data.time < (len(frames) + 1) / 30:
            condyle.mj_step(model, data)
        renderer.update_scene(data, camera="side")
        frames.append(renderer.render())
        colours = np.einsum("pc,yxc->pyx", planes, frames[-1]) + np.array([16, 128, 128])[:, None, None]
        video.write(b"FRAME\n" + colours.astype(np.uint8).tobytes())
moved = np.abs(np.diff(np.array(frames, float), axis=0)).mean()
print(f"{path}: {len(frames)} frames of {width} by {height} pixels; {moved:.2f} of 255 change from one to the next")
assert moved > 0
