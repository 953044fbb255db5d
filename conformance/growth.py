"""How the time of a step grows with the size of a scene, and what sleeping and fixed things cost, beside the reference.

    cargo xtask bench --growth [--only NAME] [--bursts N]

Scenes are made here: chains of hinges, spheres and boxes in heaps (conjugate gradients) and spread over a plane, crowds of our figure,
a figure and a quadruped in a room of 300 fixed geoms, and boxes of which all but a few sleep. Both engines take the same steps from the start, in
turn and in bursts, and must end in the same state; processor time of the thread counts.

In most scenes every burst goes on where the last one ended, and the fastest burst of each engine counts. Where steps differ much, because things fall over,
meet or fall asleep, that would be the easiest moment of the scene. There a span of steps is run again and again from the same start, each burst of it counts
with its fastest run, and the time of the scene is the sum over the span.

A scene says how many of its trees are awake while it is timed, and it is an error if that is not so.
"""

import dataclasses
import json
import math
import pathlib
import sys
import time
import typing

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
# MuJoCo's dominos stand awake for some 55 steps; then the row falls, few at a time, while the others sleep, until all sleep after some 3,900 steps.
STANDING, FALLING, FALLEN = 10, 200, 4000
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


def nobody(awake, trees):
    return awake == 0


def somebody(awake, trees):
    return 0 < awake < trees


def everybody(awake, trees):
    return awake == trees


@dataclasses.dataclass(frozen=True)
class Scene:
    name: str
    make: typing.Callable
    #: Steps before anything is timed.
    warm_up: int = WARM_UP
    #: Steps that are timed again and again from the same start; without them the scene goes on from burst to burst.
    span: int | None = None
    #: Who is awake before and after each burst.
    awake: typing.Callable = everybody


SCENES = (
    *(Scene(f"chain of {n}", lambda n=n: chain(n)) for n in (10, 100, 300, 1000)),
    *(Scene(f"heap of {n} spheres", lambda n=n: spheres(n)) for n in (100, 300, 1000, 3000)),
    *(Scene(f"heap of {n} boxes", lambda n=n: boxes(n)) for n in (100, 300, 1000, 3000)),
    *(Scene(f"{n} boxes spread out", lambda n=n: spread(n)) for n in (100, 300, 1000, 3000)),
    *(Scene(f"{n} figures", lambda n=n: figures(n)) for n in (1, 2, 5, 10, 22, 50, 100)),
    Scene("figure in a room of 300 fixed geoms", lambda: room(FIGURE), span=2000),
    Scene("quadruped in a room of 300 fixed geoms", lambda: room(QUADRUPED), span=2000),
    *(Scene(f"{n} boxes asleep", lambda n=n: asleep(n), UNTIL_ASLEEP, awake=somebody) for n in (100, 1000)),
    Scene("MuJoCo's dominos, standing awake", dominos, STANDING, span=40),
    Scene("MuJoCo's dominos, falling", dominos, FALLING, span=3600, awake=somebody),
    Scene("MuJoCo's dominos, at rest", dominos, FALLEN, awake=nobody),
)


class Pair:
    """Both engines with the same model, in the same state."""

    def __init__(self, model, warm_up):
        model.vis.global_.bvactive = 0
        self.model, self.ours_model = model, compare.to_condyle(model)
        self.theirs, self.ours = compare.without_clock(model), condyle.MjData(self.ours_model)
        controls = compare.controls(model, np.random.default_rng(0))
        self.theirs.ctrl[:] = controls
        self.ours.ctrl[:] = controls
        began = time.thread_time()
        mujoco.mj_step(model, self.theirs, nstep=warm_up)
        one = (time.thread_time() - began) / warm_up
        condyle.mj_step(self.ours_model, self.ours, nstep=warm_up)
        self.steps = max(1, int(0.002 / one))
        self.start = None

    def remember(self):
        """Keep the present state for `again`."""
        self.start = compare.without_clock(self.model), condyle.MjData(self.ours_model)
        mujoco.mj_copyData(self.start[0], self.model, self.theirs)
        condyle.mj_copyData(self.start[1], self.ours_model, self.ours)

    def again(self):
        mujoco.mj_copyData(self.theirs, self.model, self.start[0])
        condyle.mj_copyData(self.ours, self.ours_model, self.start[1])

    def burst(self, steps):
        """Seconds of that many steps, MuJoCo's and ours."""
        began = time.thread_time()
        mujoco.mj_step(self.model, self.theirs, nstep=steps)
        between = time.thread_time()
        condyle.mj_step(self.ours_model, self.ours, nstep=steps)
        return between - began, time.thread_time() - between

    def check(self, scene):
        for data in (self.theirs, self.ours):
            if not scene.awake(data.ntree_awake, self.model.ntree):
                raise SystemExit(f"{scene.name}: {data.ntree_awake} of {self.model.ntree} trees are awake at {data.time:.3f} s, not {scene.awake.__name__}")

    def agree(self):
        compare.assert_no_clock(self.theirs)
        return np.asarray(self.ours.qpos).tobytes() == self.theirs.qpos.tobytes()


def measure(scene, model, bursts):
    """Seconds of a step, MuJoCo's and ours, or nothing where the two do not end in the same state."""
    pair = Pair(model, scene.warm_up)
    pair.check(scene)
    time_one = over_a_span if scene.span else going_on
    return time_one(pair, scene, bursts)


def going_on(pair, scene, bursts):
    best = (math.inf, math.inf)
    started, done = time.perf_counter(), 0
    while done < 3 or (done < bursts and time.perf_counter() - started < SECONDS):
        best = tuple(map(min, best, pair.burst(pair.steps)))
        pair.check(scene)
        done += 1
    return tuple(seconds / pair.steps for seconds in best) if pair.agree() else None


def over_a_span(pair, scene, bursts):
    pair.remember()
    lengths = [min(pair.steps, scene.span - begin) for begin in range(0, scene.span, pair.steps)]
    best = np.full((len(lengths), 2), math.inf)
    started, rounds = time.perf_counter(), 0
    while rounds < 3 or (rounds < bursts and time.perf_counter() - started < SECONDS):
        pair.again()
        for place, steps in enumerate(lengths):
            best[place] = np.minimum(best[place], pair.burst(steps))
            pair.check(scene)
        if not pair.agree():
            return None
        rounds += 1
    return tuple(best.sum(axis=0) / scene.span)


def main(args):
    results = {}
    for scene in SCENES:
        name = scene.name
        if args.only and args.only not in name:
            continue
        model = scene.make()
        if model is None:
            continue
        measured = measure(scene, model, args.bursts)
        if measured is None:
            print(f"{name:40} the states are not the same")
            continue
        theirs, ours = (1e6 * seconds for seconds in measured)
        results[name] = {"theirs": theirs, "ours": ours, "ratio": theirs / ours}
        print(f"{name:40} {ours:10.1f} us  {theirs:10.1f} us  x{theirs / ours:.2f}", flush=True)
    if not args.only:
        REPORT.write_text(json.dumps(results, indent=1))
