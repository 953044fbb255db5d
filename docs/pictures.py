"""Draws the pictures of the tutorials: where the programs of `examples/python` end. `python docs/pictures.py [NAME …]` writes them."""

import contextlib
import io
import pathlib
import runpy
import struct
import sys
import zlib

import numpy as np

import condyle

ROOT = pathlib.Path(__file__).resolve().parents[1]
SIZE = (480, 270)
BACKGROUND = (238, 240, 243)
#: Program, what is shown on top, azimuth, elevation and distance of the camera, and the point it looks at if not at the centre.
PICTURES = {
    "sensors": (("mjVIS_RANGEFINDER",), (90, -8, 2.2)),
    "build_a_model": ((), (90, -10, 2.2), (-0.5, 0, 1.8)),
    "edit_a_robot": (("mjVIS_ACTUATOR", "mjVIS_CAMERA"), (120, -20, 1.3)),
    "predictive_control": (("mjVIS_JOINT",), (90, -5, 1.8), (0, 0, 0.2)),
    "record_and_replay": ((), (130, -30, 0.8), (0, 0, 0.05)),
    "urdf_to_mjcf": (("mjVIS_JOINT",), (120, -15, 1.1)),
    "control_by_name": ((), (90, -10, 1.5)),
    "contacts_and_forces": (("mjVIS_CONTACTPOINT", "mjVIS_CONTACTFORCE"), (130, -20, 1.1)),
    "inverse_dynamics_and_ik": (("mjVIS_JOINT",), (90, -10, 1.6)),
    "linearise_and_balance": ((), (120, -15, 1.9)),
    "balance_a_figure": ((), (150, -10, 2.6)),
    "muscle_arm": (("mjVIS_ACTUATOR",), (90, -5, 0.9)),
}


def png(pixels):
    """A picture as the bytes of a PNG file."""
    height, width, _ = pixels.shape
    rows = np.concatenate([np.zeros((height, 1), np.uint8), pixels.reshape(height, -1)], axis=1).tobytes()

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def draw(name):
    flags, (azimuth, elevation, distance), *point = PICTURES[name]
    with contextlib.redirect_stdout(io.StringIO()):
        names = runpy.run_path(str(ROOT / f"examples/python/{name}.py"), run_name="__main__")
    model = names.get("model") or names["after"]
    data = names.get("data") or condyle.MjData(model)
    condyle.mj_forward(model, data)
    camera, option = condyle.MjvCamera(), condyle.MjvOption()
    condyle.mjv_defaultFreeCamera(model, camera)
    camera.azimuth, camera.elevation, camera.distance = azimuth, elevation, distance
    if point:
        camera.lookat[:] = point[0]
    for flag in flags:
        option.flags[int(getattr(condyle.mjtVisFlag, flag))] = 1
    model.vis.global_.offwidth, model.vis.global_.offheight = SIZE
    model.vis.headlight.ambient, model.vis.headlight.diffuse = [0.4] * 3, [0.7] * 3
    with condyle.Renderer(model, SIZE[1], SIZE[0]) as renderer:
        renderer.update_scene(data, camera, option)
        picture = renderer.render().copy()
        renderer.enable_segmentation_rendering()
        picture[renderer.render()[:, :, 0] < 0] = BACKGROUND
    return picture


if __name__ == "__main__":
    wanted = sys.argv[1:] or PICTURES
    sys.argv = sys.argv[:1]
    for name in wanted:
        (ROOT / f"docs/pictures/{name}.png").write_bytes(png(draw(name)))
