"""How the time of a step grows with the size of a scene, and what sleeping and fixed things cost, beside the reference.

    cargo xtask bench --growth [--only NAME] [--bursts N]

Scenes are made here: chains of hinges, spheres and boxes in heaps (conjugate gradients) and spread over a plane, crowds of our figure,
a figure and a quadruped in a room of 300 fixed geoms, and boxes of which all but a few sleep. Both engines take the same steps from the start, in
turn and in bursts; the state goes on from burst to burst, so that sleeping bodies stay asleep. The fastest burst of each counts, in processor
time of the thread, and both must end in the same state.
"""

import json
import math
import pathlib
import sys
import time

import mujoco
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import compare  # noqa: E402
import condyle  # noqa: E402
from run import ROOT, corpora  # noqa: E402

REPORT = ROOT / "conformance" / "growth.json"
FIGURE = ROOT / "models" / "bench" / "figure.xml"
QUADRUPED = ROOT / "models" / "robot" / "quadruped.xml"
BOX = 'type="box" size=".1 .1 .1"'
# Steps before anything is timed: heaps have met, sleeping things sleep.
WARM_UP, UNTIL_ASLEEP = 50, 1500
# No scene is timed longer, however long its steps are.
SECONDS = 6.0


def in_a_world(inside, option="", flag=""):
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><option {option}>{flag}</option><worldbody><geom type="plane" size="50 50 .1"/>{inside}</worldbody></mujoco>')


def chain(links):
    """Hinges about turning axes, each link of 10 cm hanging from the one before; made by calls, because XML readers limit how deep elements nest."""
    spec = mujoco.MjSpec()
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    body = spec.worldbody
    for link in range(links):
        body = body.add_body(pos=[0, 0, -0.1])
        body.add_joint(axis=[1 - link % 2, link % 2, 0], damping=0.1)
        body.add_geom(type=mujoco.mjtGeom.mjGEOM_CAPSULE, fromto=[0, 0, 0, 0, 0, -0.08], size=[0.01, 0, 0], contype=0, conaffinity=0)
    return spec.compile()


def places(count, spacing, layers):
    """Points of a grid that many layers high, shifted a little so that nothing stands exactly above another."""
    side = math.ceil(math.sqrt(count / layers))
    random = np.random.default_rng(0)
    for i in range(count):
        layer, place = divmod(i, side * side)
        x, y = (spacing * (value - side / 2) for value in divmod(place, side))
        yield (x, y, spacing * layer) + random.uniform(-0.1, 0.1, 3) * spacing * (1, 1, 0)


def bodies(count, geom, spacing, layers, height):
    return "".join(f'<body pos="{x:.4f} {y:.4f} {z + height:.4f}"><freejoint/><geom {geom}/></body>' for x, y, z in places(count, spacing, layers))


def spheres(count):
    return in_a_world(bodies(count, 'size=".1"', 0.21, max(2, round(count ** (1 / 3))), 0.1), 'solver="CG"')


def boxes(count):
    return in_a_world(bodies(count, BOX, 0.21, max(2, round(count ** (1 / 3))), 0.1), 'solver="CG"')


def spread(count):
    """Boxes far apart on a plane: nobody meets anybody but the floor."""
    return in_a_world(bodies(count, BOX, 0.8, 1, 0.1))


def attached(path, count, inside=""):
    """`count` of a model side by side, with more in the world."""
    whole = mujoco.MjSpec.from_string(f"<mujoco><worldbody>{inside}</worldbody></mujoco>") if inside else mujoco.MjSpec()
    for number in range(count):
        one = mujoco.MjSpec.from_file(str(path))
        for geom in one.worldbody.geoms:
            if number:
                one.delete(geom)
        side = math.ceil(math.sqrt(count))
        frame = whole.worldbody.add_frame(pos=[1.5 * (number % side), 1.5 * (number // side), 0])
        whole.attach(one, prefix=f"{number}_", frame=frame)
        whole.option = one.option
    return whole


def figures(count):
    return attached(FIGURE, count).compile()


def room(path):
    """A robot among 300 boxes that are part of the world: walls, shelves, things on the floor a little below the real one."""
    fixed = "".join(f'<geom type="box" size=".1 .1 .1" pos="{x:.3f} {y:.3f} {z - .05:.3f}" euler="0 0 {7 * i % 90}"/>'
                    for i, (x, y, z) in enumerate(places(300, 0.7, 3)))
    return attached(path, 1, fixed).compile()


def asleep(count):
    """Boxes at rest on a plane, and one that hangs from a hinge and swings beside them."""
    swinging = '<body pos="0 0 9"><joint axis="0 1 0"/><geom type="box" size=".1 .1 .1" pos=".8 0 0"/></body>'
    return in_a_world(swinging + bodies(count, BOX, 0.5, 1, 0.1), flag='<flag sleep="enable"/>')


def dominos():
    """MuJoCo's example, if it is beside the checkout."""
    for _, _, files in corpora():
        for path in files:
            if path.as_posix().endswith("sleep/dominos.xml"):
                return mujoco.MjModel.from_xml_path(str(path))
    return None


#: Name, how the model is made, steps before timing.
SCENES = (
    *((f"chain of {n}", lambda n=n: chain(n), WARM_UP) for n in (10, 100, 300, 1000)),
    *((f"heap of {n} spheres", lambda n=n: spheres(n), WARM_UP) for n in (100, 300, 1000, 3000)),
    *((f"heap of {n} boxes", lambda n=n: boxes(n), WARM_UP) for n in (100, 300, 1000, 3000)),
    *((f"{n} boxes spread out", lambda n=n: spread(n), WARM_UP) for n in (100, 300, 1000, 3000)),
    *((f"{n} figures", lambda n=n: figures(n), WARM_UP) for n in (1, 2, 5, 10, 22, 50, 100)),
    ("figure in a room of 300 fixed geoms", lambda: room(FIGURE), WARM_UP),
    ("quadruped in a room of 300 fixed geoms", lambda: room(QUADRUPED), WARM_UP),
    *((f"{n} boxes asleep", lambda n=n: asleep(n), UNTIL_ASLEEP) for n in (100, 1000)),
    ("MuJoCo's dominos, falling", dominos, WARM_UP),
    ("MuJoCo's dominos, at rest", dominos, 2 * UNTIL_ASLEEP),
)


def measure(model, warm_up, bursts):
    """Seconds of a step, MuJoCo's and ours, or nothing where the two do not end in the same state."""
    model.vis.global_.bvactive = 0
    ours_model = compare.to_condyle(model)
    theirs, ours = compare.without_clock(model), condyle.MjData(ours_model)
    controls = compare.controls(model, np.random.default_rng(0))
    theirs.ctrl[:] = controls
    ours.ctrl[:] = controls
    began = time.thread_time()
    mujoco.mj_step(model, theirs, nstep=warm_up)
    one = (time.thread_time() - began) / warm_up
    condyle.mj_step(ours_model, ours, nstep=warm_up)
    steps = max(1, int(0.002 / one))
    best = [math.inf, math.inf]
    started, done = time.perf_counter(), 0
    while done < 3 or (done < bursts and time.perf_counter() - started < SECONDS):
        began = time.thread_time()
        mujoco.mj_step(model, theirs, nstep=steps)
        between = time.thread_time()
        condyle.mj_step(ours_model, ours, nstep=steps)
        best = [min(best[0], between - began), min(best[1], time.thread_time() - between)]
        done += 1
    compare.assert_no_clock(theirs)
    if np.asarray(ours.qpos).tobytes() != theirs.qpos.tobytes():
        return None
    return best[0] / steps, best[1] / steps


def main(args):
    results = {}
    for name, make, warm_up in SCENES:
        if args.only and args.only not in name:
            continue
        model = make()
        if model is None:
            continue
        measured = measure(model, warm_up, args.bursts)
        if measured is None:
            print(f"{name:40} the states are not the same")
            continue
        theirs, ours = (1e6 * seconds for seconds in measured)
        results[name] = {"theirs": theirs, "ours": ours, "ratio": theirs / ours}
        print(f"{name:40} {ours:10.1f} us  {theirs:10.1f} us  x{theirs / ours:.2f}", flush=True)
    if not args.only:
        REPORT.write_text(json.dumps(results, indent=1))
