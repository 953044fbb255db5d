"""Grade the abstract scene of one model against the reference.

The scene level passes when, in every visited state and for every choice of options below, all elements, lights and cameras, flexes and
skins have the same bits in every field, and so do camera motions, perturbations and picks.

    python conformance/scenes.py MODEL.xml [--states 10] [--picks 100]

prints the first difference of each kind.
"""

import argparse
import ctypes
import time

import mujoco
import numpy as np

import compare
import condyle

LEVELS = ("scene",)
ROOM = 20_000
FLAGS = int(mujoco.mjtVisFlag.mjNVISFLAG)
RECORDS = {
    "geom": (
        ["type", "dataid", "objtype", "objid", "category", "matid", "texcoord", "segid", "size", "pos", "mat", "rgba", "emission",
         "specular", "shininess", "reflectance", "label", "camdist", "modelrbound", "transparent"],
        ["i4"] * 8 + ["3f4", "3f4", "9f4", "4f4"] + ["f4"] * 4 + ["100u1", "f4", "f4", "u1"],
    ),
    "light": (
        ["id", "pos", "dir", "type", "texid", "attenuation", "cutoff", "exponent", "ambient", "diffuse", "specular", "headlight",
         "castshadow", "bulbradius", "intensity", "range"],
        ["i4", "3f4", "3f4", "i4", "i4", "3f4", "f4", "f4", "3f4", "3f4", "3f4", "u1", "u1", "f4", "f4", "f4"],
    ),
    "camera": (
        ["pos", "forward", "up", "frustum_center", "frustum_width", "frustum_bottom", "frustum_top", "frustum_near", "frustum_far",
         "orthographic"],
        ["3f4"] * 3 + ["f4"] * 6 + ["i4"],
    ),
}
DTYPES = {kind: np.dtype(list(zip(*spec)), align=True) for kind, spec in RECORDS.items()}
SETTINGS = ("ngeom", "nlight", "status", "enabletransform", "flexvertopt", "flexedgeopt", "flexfaceopt", "flexskinopt", "nflex", "nskin",
            "maxgeom", "scale", "stereo")
ARRAYS = ("translate", "rotate", "flags", "flexedgeadr", "flexedgenum", "flexvertadr", "flexvertnum", "flexfaceadr", "flexfacenum",
          "flexedge", "skinfacenum", "skinvertadr", "skinvertnum")


def records(kind, objects, count):
    """The first `count` records as one structured array: both engines keep them one after the other, with the same layout."""
    dtype = DTYPES[kind]
    if count == 0:
        return np.zeros(0, dtype)
    return np.frombuffer(ctypes.string_at(base_of(kind, objects), count * dtype.itemsize), dtype)


# What the reference's memory of elements is filled with before it makes a scene. A field that still shows it was never written.
UNWRITTEN = 0x5A
# Fields that the reference's plugins leave unwritten, and what they must be here; `segid` is the place in the list.
SET_HERE = {"objtype": 0, "objid": None, "category": 4, "segid": None, "camdist": 0, "transparent": 0}


def base_of(kind, objects):
    """Address of the first record."""
    return objects[0].pos.__array_interface__["data"][0] - DTYPES[kind].fields["pos"][1]


def unwritten(values):
    """Which of the reference's values were never written."""
    return (np.ascontiguousarray(values).view(np.uint8).reshape(len(values), -1) == UNWRITTEN).all(axis=1)


def bits(values):
    return np.ascontiguousarray(values).view(np.uint8)


def text(label):
    return bytes(label).split(b"\0")[0]


def differing(kind, ours, theirs):
    """The first record and field whose bits differ."""
    if len(ours) != len(theirs):
        return f"{kind}s: ours {len(ours)} theirs {len(theirs)}"
    for field in DTYPES[kind].names:
        a, b = ours[field], theirs[field]
        if bits(a).tobytes() == bits(b).tobytes():
            continue
        if field == "label" and [text(x) for x in a] == [text(x) for x in b]:
            continue  # bytes behind the closing zero
        if kind == "geom" and field in SET_HERE:
            left = unwritten(b)
            wanted = np.arange(len(a)) if field == "segid" else SET_HERE[field]
            b = np.where(left, a if wanted is None else np.asarray(wanted, b.dtype), b)
            if bits(a).tobytes() == bits(b).tobytes():
                continue
        unequal = (bits(a).reshape(len(a), -1) != bits(b).reshape(len(b), -1)).any(axis=1)
        index = int(np.argmax(unequal))
        x, y = a[index], b[index]
        if field == "label":
            x, y = text(x), text(y)
        what = f" (type {theirs['objtype'][index]} {theirs['objid'][index]})" if kind == "geom" else ""
        return f"{kind}[{index}].{field}{what}: ours {x} theirs {y}, {int(unequal.sum())} of {len(a)} differ"
    return None


def used(scene, name):
    """Vertices and the faces that are in use; the rest of the room is never written."""
    values = getattr(scene, name)
    width = {"flexface": 9, "flexnormal": 9, "flextexcoord": 6}.get(name)
    if width is None:
        return values
    parts = [values[width * first : width * (first + count)]
             for first, count in zip(scene.flexfaceadr, scene.flexfaceused)]
    return np.concatenate(parts) if parts else values[:0]


def textured(m):
    """Whether every flex has texture coordinates for all its vertices. Shells use vertices as indices, and where there are fewer
    coordinates the reference reads what lies behind them."""
    if not m.nflex or (m.flex_texcoordadr < 0).any():
        return False
    return all(first + count <= m.nflextexcoord for first, count in zip(m.flex_texcoordadr, m.flex_vertnum))


class Pair:
    """The same request to both engines."""

    def __init__(self, m, cm):
        self.models = (cm, m)
        self.scenes = (condyle.MjvScene(cm, ROOM), mujoco.MjvScene(m, ROOM))
        self.options = (condyle.MjvOption(), mujoco.MjvOption())
        self.cameras = (condyle.MjvCamera(), mujoco.MjvCamera())
        self.perturbations = (condyle.MjvPerturb(), mujoco.MjvPerturb())
        self.parts = [[scene.geoms, scene.lights, scene.camera] for scene in self.scenes]
        for engine, model, camera in zip((condyle, mujoco), self.models, self.cameras):
            engine.mjv_defaultFreeCamera(model, camera)

    def reset_options(self, **values):
        for engine, options in zip((condyle, mujoco), self.options):
            engine.mjv_defaultOption(options)
        self.set(self.options, **values)

    def set(self, objects, **values):
        for item in objects:
            for name, value in values.items():
                if name == "flags":
                    for flag, on in value.items():
                        item.flags[flag] = on
                else:
                    setattr(item, name, value)

    def update(self, data, mask=7):
        """Makes both scenes anew and returns the first difference, flexes and skins included."""
        for engine, model, d, scene, options, camera, perturbation in zip(
            (condyle, mujoco), self.models, data, self.scenes, self.options, self.cameras, self.perturbations
        ):
            if engine is mujoco and model.nplugin:
                ctypes.memset(base_of("geom", self.parts[1][0]), UNWRITTEN, ROOM * DTYPES["geom"].itemsize)
            engine.mjv_updateScene(model, d, options, perturbation, camera, mask, scene)
        ours, theirs = self.scenes
        for name in SETTINGS:
            if getattr(ours, name) != getattr(theirs, name):
                return f"{name}: ours {getattr(ours, name)} theirs {getattr(theirs, name)}"
        counts = (theirs.ngeom, theirs.nlight, 2)
        for kind, a, b, count in zip(("geom", "light", "camera"), *self.parts, counts):
            found = differing(kind, records(kind, a, count), records(kind, b, count))
            if found:
                return found
        names = list(ARRAYS)
        flags = self.options[1].flags
        if flags[24:28].any():
            names += ["flexvert", "flexfaceused", "flexface", "flexnormal"]
            if textured(self.models[1]):
                names.append("flextexcoord")
        if flags[23]:
            names += ["skinvert", "skinnormal"]
        for name in names:
            a, b = used(ours, name), used(theirs, name)
            if bits(a).tobytes() != bits(b).tobytes():
                index = int(np.argmax(bits(a).reshape(len(a), -1).tolist() != bits(b).reshape(len(b), -1).tolist()))
                return f"{name}: ours {a[:6]} theirs {b[:6]} near {index}"
        return self.compare_fields("camera", self.cameras)

    @staticmethod
    def compare_fields(what, pair):
        for name in dir(pair[1]):
            if name.startswith("_"):
                continue
            a, b = (np.asarray(getattr(item, name)) for item in pair)
            if bits(a).tobytes() != bits(b).tobytes():
                return f"{what}.{name}: ours {a} theirs {b}"
        return None


def choices(m, rng):
    """Name, options, camera and perturbation of every request."""
    yield "default", {}, {}, {}, 7
    for flag in range(FLAGS):
        yield f"flag {mujoco.mjtVisFlag(flag).name}", {"flags": {flag: 1 - mujoco.MjvOption().flags[flag]}}, {}, {}, 7
    everything = {"flags": dict.fromkeys(range(FLAGS), 1)}
    groups = {f"{kind}group": [1] * 6 for kind in ("geom", "site", "joint", "tendon", "actuator", "flex", "skin")}
    body = int(rng.integers(1, m.nbody)) if m.nbody > 1 else 0
    selected = {"select": body, "localpos": rng.normal(size=3), "refselpos": rng.normal(size=3), "refpos": rng.normal(size=3)}
    yield "all flags", everything, {}, {}, 7
    for label in range(int(mujoco.mjtLabel.mjNLABEL)):
        yield f"label {label}", {**everything, "label": label}, {}, selected, 7
    for frame in range(int(mujoco.mjtFrame.mjNFRAME)):
        yield f"frame {frame}", {"frame": frame, "flags": {3: 1, 6: 1, 10: frame % 2}}, {}, {}, 7
    for mask in (1, 2, 4, 6):
        yield f"categories {mask}", {**everything, **groups, "label": 1, "frame": 1}, {}, {}, mask
    for depth in (0, 2, 5):
        yield f"depth {depth}", {"bvh_depth": depth, "flags": {28: 1, 29: 1}}, {}, {}, 7
    for layer in (0, 1):
        yield f"layer {layer}", {"flex_layer": layer, "flags": {24: 1, 26: 1, 27: 0}}, {}, {}, 7
    for active, active2 in ((1, 0), (2, 0), (3, 1), (0, 3), (3, 3)):
        kinds = {"active": active, "active2": active2, "flexselect": 0, "skinselect": 0}
        yield f"perturbation {active} {active2}", {"flags": {21: 1, 12: 1}, "label": 12}, {}, {**selected, **kinds}, 7
    if body:
        yield "tracking", {}, {"type": 1, "trackbodyid": body, "azimuth": 30.0, "elevation": -20.0}, {}, 7
    for camera in range(min(m.ncam, 3)):
        yield f"camera {camera}", {}, {"type": 2, "fixedcamid": camera}, {}, 7


def grade(path, states=10, seed=0, budget=25.0, picks=20):
    """Grade the model at `path`: two states, and as many more of `states` as fit into `budget` seconds. Returns a dictionary that JSON can hold."""
    result = {"levels": {}, "first": None, "visited": 0, "states": 0, "requests": 0, "picks": 0}
    mujoco.mj_setCacheCapacity(mujoco.mj_getCache(), 0)
    try:
        m = mujoco.MjModel.from_xml_path(path)
    except ValueError as error:
        result["rejected"] = str(error).splitlines()[0] if str(error) else "rejected"
        return result
    cm = compare.to_condyle(m)
    found = {}
    for kind, what in differences(m, cm, states, seed, budget, picks, result):
        found.setdefault(kind, what)
    result["levels"]["scene"] = not found
    result["differences"] = found
    if found:
        kind, what = next(iter(found.items()))
        result["first"] = f"{kind}: {what}"
        result["array"] = what.split(":")[0].split("(")[0].strip()
    return result


def differences(m, cm, states, seed, budget, picks, result):
    """Every difference as its request and a description."""
    pair = Pair(m, cm)
    cd, d = condyle.MjData(cm), mujoco.MjData(m)
    state = np.zeros(mujoco.mj_stateSize(m, compare.STATE))
    rng = np.random.default_rng(seed)
    start = time.monotonic()
    for index, visited in enumerate(compare.visit(m, states, seed)):
        if index >= 2 and time.monotonic() - start > budget:
            break
        result["visited"] += 1
        mujoco.mj_getState(m, visited, state, compare.STATE)
        data = (cd, d)
        for engine, model, item in zip((condyle, mujoco), pair.models, data):
            engine.mj_resetData(model, item)
            engine.mj_setState(model, item, state, compare.STATE)
        forces = rng.normal(size=d.xfrc_applied.shape) * (rng.random(size=(m.nbody, 1)) < 0.5)
        for engine, model, item in zip((condyle, mujoco), pair.models, data):
            item.xfrc_applied[:] = forces
            engine.mj_forward(model, item)
        if compare.compare_data(m, d, cm, cd):
            continue  # another level judges that the states agree
        result["states"] += 1
        for name, options, camera, perturbation, mask in choices(m, rng):
            pair.reset_options(**options)
            for engine, model, item, old in zip((condyle, mujoco), pair.models, pair.cameras, pair.perturbations):
                engine.mjv_defaultFreeCamera(model, item)
                engine.mjv_defaultPerturb(old)
            pair.set(pair.cameras, **camera)
            pair.set(pair.perturbations, **perturbation)
            what = pair.update(data, mask)
            result["requests"] += 1
            if what:
                yield name, f"{what} (state {index})"
        if m.vis.global_.bvactive:
            yield from volumes_alike(pair, data, result, index)
        yield from interactions(pair, data, rng, picks, result)


def volumes_alike(pair, data, result, index):
    """Bounding volumes that are not told apart by whether collision detection passed them."""
    for model in pair.models:
        model.vis.global_.bvactive = 0
    for depth in (1, 3):
        pair.reset_options(bvh_depth=depth, flags={28: 1, 29: 1})
        what = pair.update(data)
        result["requests"] += 1
        if what:
            yield f"bvactive off, depth {depth}", f"{what} (state {index})"
    for model in pair.models:
        model.vis.global_.bvactive = 1


def interactions(pair, data, rng, picks, result):
    """Mouse motions, perturbations, the room and picks."""
    m = pair.models[1]
    pair.reset_options()
    for engine, model, camera in zip((condyle, mujoco), pair.models, pair.cameras):
        engine.mjv_defaultFreeCamera(model, camera)
    for action in (1, 2, 3, 4, 5, 6, 7):
        dx, dy = rng.normal(scale=0.1, size=2)
        for engine, model, scene, camera in zip((condyle, mujoco), pair.models, pair.scenes, pair.cameras):
            engine.mjv_moveCamera(model, action, dx, dy, scene, camera)
        what = pair.update(data)
        if what:
            yield f"mouse {action}", what
    body = int(rng.integers(1, m.nbody)) if m.nbody > 1 else 0
    local = rng.normal(scale=0.1, size=3)
    pair.set(pair.perturbations, select=body, localpos=local, active=3)
    for engine, model, d, scene, item in zip((condyle, mujoco), pair.models, data, pair.scenes, pair.perturbations):
        engine.mjv_initPerturb(model, d, scene, item)
    what = pair.compare_fields("perturbation", pair.perturbations)
    if what:
        yield "start of perturbation", what
    for action in (1, 2, 3, 4, 5, 6, 7):
        dx, dy = rng.normal(scale=0.4, size=2)
        for engine, model, d, scene, item in zip((condyle, mujoco), pair.models, data, pair.scenes, pair.perturbations):
            engine.mjv_movePerturb(model, d, action, dx, dy, scene, item)
        what = pair.compare_fields("perturbation", pair.perturbations)
        if what:
            yield f"perturbation by {action}", what
    for active in (1, 2, 3):
        pair.set(pair.perturbations, active=active)
        for engine, model, d, item in zip((condyle, mujoco), pair.models, data, pair.perturbations):
            engine.mjv_applyPerturbForce(model, d, item)
            engine.mjv_applyPerturbPose(model, d, item, 1)
        for name in ("xfrc_applied", "mocap_pos", "mocap_quat", "qpos"):
            a, b = (getattr(d, name) for d in data)
            if bits(a).tobytes() != bits(b).tobytes():
                yield f"perturbation {active}", f"{name} differs"
    yield from pick(pair, data, rng, picks, result)
    yield from room(pair, rng)


def pick(pair, data, rng, picks, result):
    """What is under random cursors."""
    for _ in range(picks):
        x, y = rng.random(2)
        aspect = rng.uniform(0.5, 2)
        answers = []
        for engine, model, d, scene, options in zip((condyle, mujoco), pair.models, data, pair.scenes, pair.options):
            point, ids = np.zeros(3), np.full((3, 1), -7, np.int32)
            body = engine.mjv_select(model, d, options, aspect, x, y, scene, point, *ids)
            answers.append((body, ids.ravel().tolist(), point.tobytes(), point))
        result["picks"] += 1
        if answers[0][:3] != answers[1][:3]:
            yield "pick", f"ours {answers[0][:2]} {answers[0][3]} theirs {answers[1][:2]} {answers[1][3]}"


def room(pair, rng):
    """Motions of the model in a room."""
    translate, rotate, up = rng.normal(size=3), rng.normal(size=4), np.array([0.0, 0.0, 1.0])
    for scene in pair.scenes:
        scene.translate[:] = translate
        scene.rotate[:] = rotate / np.linalg.norm(rotate)
        scene.scale = 1.25
        scene.enabletransform = 1
    for action in (1, 2, 3, 4, 5):
        dx, dy = rng.normal(scale=0.1, size=2)
        answers = []
        for engine, model, scene in zip((condyle, mujoco), pair.models, pair.scenes):
            engine.mjv_moveModel(model, action, dx, dy, up, scene)
            vectors = [np.zeros(3) for _ in range(8)] + [np.zeros(4), np.zeros(4)]
            engine.mjv_cameraInModel(*vectors[:3], scene)
            engine.mjv_cameraInRoom(*vectors[3:6], scene)
            engine.mjv_room2model(vectors[6], vectors[8], up, rotate, scene)
            engine.mjv_model2room(vectors[7], vectors[9], up, rotate, scene)
            height = engine.mjv_frustumHeight(scene)
            between = records("camera", [engine.mjv_averageCamera(*scene.camera)], 1)
            answers.append([b"".join(v.tobytes() for v in vectors), height, between.tobytes(), scene.translate.tobytes(),
                            scene.rotate.tobytes(), scene.scale])
        if answers[0] != answers[1]:
            names = ("poses", "height", "camera", "translate", "rotate", "scale")
            yield f"room {action}", next(name for name, a, b in zip(names, *answers) if a != b) + ": differs"
    for scene in pair.scenes:
        scene.enabletransform = 0
        scene.scale = 1.0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--states", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--picks", type=int, default=100)
    args = parser.parse_args()
    mujoco.set_mju_user_warning(lambda message: None)
    result = grade(args.model, args.states, args.seed, 1e9, args.picks)
    for kind, what in result.get("differences", {}).items():
        print(f"{kind}: {what}")
    print(f"{result['states']} states, {result['requests']} scenes, {result['picks']} picks: "
          f"{'differ' if result.get('differences') else 'equal'}")


if __name__ == "__main__":
    main()
