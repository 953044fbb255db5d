"""Cases about files: meshes, pictures, height fields, attached models, saving and loading again. Each returns (outcome, where, text)."""

import re
import struct
import warnings

import condyle
import generate
import images
import judge
import mujoco
import numpy as np

SPECIAL = ["nan", "inf", "-inf", "1e308", "-1", "0", "-0", "1e-320", "", "a", "99999999999999999999", "0x10", "+.5", "1e", "1,5", "5."]


def _obj(rng, points, faces):
    lines = [f"v {x} {y} {z}" for x, y, z in points]
    kind = rng.random()
    if kind < 0.25:
        lines += [f"vt {u:.3f} {v:.3f}" for u, v in rng.random((len(points), 2))]
        lines += [f"f {a + 1}/{a + 1} {b + 1}/{b + 1} {c + 1}/{c + 1}" for a, b, c in faces]
    elif kind < 0.5:
        lines += [f"vn {x:.3f} {y:.3f} {z:.3f}" for x, y, z in rng.normal(size=(len(points), 3))]
        lines += [f"f {a + 1}//{a + 1} {b + 1}//{b + 1} {c + 1}//{c + 1}" for a, b, c in faces]
    elif kind < 0.65:
        corners = rng.integers(0, len(points), (len(faces), int(rng.integers(3, 7))))
        lines += ["f " + " ".join(str(i - len(points)) for i in face) for face in corners]
    else:
        lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces]
    if rng.random() < 0.2:
        lines.insert(int(rng.integers(len(lines))), str(rng.choice(["g a", "o b", "s off", "usemtl x", "# c", "l 1 2", "p 1", "mtllib q"])))
    if rng.random() < 0.3:
        at = int(rng.integers(len(lines)))
        lines[at] = lines[at].replace(lines[at].split()[-1], str(rng.choice(SPECIAL)))
    return str(rng.choice(["\n", "\r\n", "\r"])).join(lines).encode()


def _stl(rng, points, faces):
    content = bytes(80) + struct.pack("<I", len(faces))
    for face in faces:
        content += struct.pack("<12fH", 0, 0, 0, *points[face].ravel(), 0)
    return content[: rng.integers(len(content))] if rng.random() < 0.2 else content


def _msh(rng, points, faces):
    normals = len(points) if rng.random() < 0.4 else 0
    texcoords = len(points) if rng.random() < 0.4 else 0
    content = struct.pack("<4i", len(points), normals, texcoords, len(faces))
    content += points.astype("<f4").tobytes() + rng.normal(size=(normals, 3)).astype("<f4").tobytes()
    content += rng.random((texcoords, 2)).astype("<f4").tobytes() + faces.astype("<i4").tobytes()
    choice = rng.random()
    if choice < 0.1:
        return content[: rng.integers(len(content))]
    if choice < 0.2:
        at = int(rng.integers(len(content) // 4)) * 4
        return content[:at] + struct.pack("<f", float(rng.choice([np.nan, np.inf, -1, 0, 1e30]))) + content[at + 4 :]
    return content


def meshes(seed, run):
    """Small OBJ, STL and MSH files with strange content."""
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(int(rng.integers(4, 12)), 3)).round(int(rng.integers(0, 7)))
    faces = rng.integers(0, len(points), (int(rng.integers(4, 20)), 3))
    name, make = [("m.obj", _obj), ("m.stl", _stl), ("m.msh", _msh)][int(rng.integers(3))]
    content = make(rng, points, faces)
    inertia = ["convex", "exact", "legacy", "shell"][rng.integers(4)]
    scale = f' scale="{" ".join(str(x) for x in rng.choice([1, -1, 0.5], 3))}"' if rng.random() < 0.2 else ""
    smooth = ' smoothnormal="true"' if rng.random() < 0.2 else ""
    xml = f"""<mujoco><asset><mesh name="m" file="{name}" inertia="{inertia}"{scale}{smooth}/></asset>
    <worldbody><geom type="plane" size="3 3 1"/><body pos="0 0 1"><freejoint/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>"""
    return run(xml, 20, seed, {name: content})


def images_and_fields(seed, run):
    """Textures and height fields from PNG files, binary height fields."""
    rng = np.random.default_rng(seed)
    if rng.random() < 0.3:
        rows, columns = int(rng.integers(1, 6)), int(rng.integers(1, 6))
        heights = rng.normal(size=rows * columns).astype("<f4")
        if rng.random() < 0.2:
            heights[rng.integers(len(heights))] = rng.choice([np.nan, np.inf, 1e30])
        content = struct.pack("<2i", rows, columns) + heights.tobytes()
        name = "h.hf"
        if rng.random() < 0.2:
            content = content[: rng.integers(len(content))]
    else:
        content, name = images.random_png(rng)[0], "p.png"
    if name == "h.hf" or rng.random() < 0.4:
        content_type = ' content_type="image/vnd.mujoco.hfield"' if name == "h.hf" else ""
        asset = f'<hfield name="h" file="{name}"{content_type} size="1 1 .3 .1"/>'
        world = '<geom type="hfield" hfield="h"/><body pos=".1 .2 .3"><freejoint/><geom type="box" size=".2 .1 .1"/></body>'
    else:
        kind = str(rng.choice(["2d", "cube", "skybox"]))
        extra = str(rng.choice(["", 'hflip="true"', 'vflip="true"', 'nchannel="4"', 'nchannel="1"', 'colorspace="linear"', 'gridsize="1 1"']))
        asset = f'<texture name="t" type="{kind}" file="{name}" {extra}/>'
        world = '<geom size=".1"/>'
    xml = f"<mujoco><asset>{asset}</asset><worldbody>{world}</worldbody></mujoco>"
    return run(xml, 3, seed, {name: content})


def attach(seed, run):
    """A random model with keyframes attached to another, once or twice."""
    rng = np.random.default_rng(seed)
    child, files = generate.model_and_files(seed)
    parent = generate.Writer(seed + 1)
    text = parent.model()
    child = re.sub("<keyframe>.*?</keyframe>", "", child)
    try:
        count = mujoco.MjModel.from_xml_string(child, files).nq
    except ValueError:
        count = 1
    # A key of an attached model must be complete; now and then it is not.
    count -= int(rng.random() < 0.1)
    child = child.replace("</mujoco>", f'<keyframe><key name="ck" time="{seed % 3}" qpos="{" ".join(["0.1"] * count)}"/></keyframe></mujoco>')
    inner = '<frame pos="0 0 .3"><attach model="child" body="b0" prefix="x_"/></frame>'
    if rng.random() < 0.3:
        inner += '<frame pos="1 0 .3" euler="0 0 40"><attach model="child" body="b0" prefix="y_"/></frame>'
    text = text.replace("<worldbody>", '<asset><model name="child" file="child.xml"/></asset><worldbody>' + inner, 1)
    if rng.random() < 0.3:
        text = text.replace("<mujoco>", f'<mujoco><size nkey="{rng.integers(1, 4)}"/>', 1)
    return run(text, 5, seed, {**parent.files, **files, "child.xml": child.encode()})


def saves(seed, run):
    """What each engine writes of a model, loaded again by the other and by itself, is the model the reference gets back."""
    xml, files = generate.model_and_files(seed)
    theirs, ours = judge.load(xml, files)
    if theirs is None or ours is None:
        return run(xml, 0, seed, files)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        written = condyle.MjSpec.from_string(xml, assets=files).to_xml() if not files else None
    if written is None:
        return "same", None, xml
    again, own = judge.load(written)
    if again is None or own is None:
        return "different", "saving: what Condyle writes is refused by " + ("MuJoCo" if again is None else "Condyle"), xml
    where = judge.models(again, own)
    if where:
        return "different", f"saving: {where} after loading", written
    for name in ("nq", "nv", "nu", "na", "nbody", "ngeom", "nsite", "nsensordata", "ntendon", "neq", "nkey", "nflex", "nmesh", "nplugin"):
        if getattr(theirs, name) != getattr(again, name):
            return "different", f"saving: {name} differs", xml
    return "same", None, xml
