"""Batches beside `mujoco.rollout`, vector environments beside gymnasium's on MuJoCo, and what many simulations take in memory.

    cargo xtask bench --batches [--only NAME] [--bursts N]
    cargo xtask bench --batches --all [--only NAME]             trajectories of every model, beside the model alone

Trajectories: 16 of 20 steps from states and controls of one random generator, recorded whole, on one thread each: MuJoCo with its clock and
`bvactive` off, as in bench.py. Both must give the same states before they are timed. Engines take turns; the fastest burst of each
counts, in processor time. Two threads beside one: 256 trajectories, by the clock on the wall.

Environments: 16 on two threads, with random actions and resets. A burst is five steps of each vector in turn; again the fastest counts,
here by the clock on the wall, which is what the two cores are for. It says something only on a machine that is idle: threads of a batch wait for
each other. Per core, a batch of one thread is compared with `SyncVectorEnv` in processor time, which other work disturbs less.
"""

import json
import math
import pathlib
import subprocess
import sys
import time
import types
import warnings

import mujoco
import mujoco.rollout
import numpy as np

# Gymnasium's environments import it for videos, which nothing here makes.
sys.modules.setdefault("imageio", types.ModuleType("imageio"))
import gymnasium  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import compare  # noqa: E402
import condyle  # noqa: E402
import condyle.gymnasium  # noqa: E402
import condyle.rollout  # noqa: E402
from run import ROOT, corpora  # noqa: E402

REPORT = ROOT / "conformance" / "batches.json"
TRAJECTORIES = ("half_cheetah.xml", "ant.xml", "gymnasium/envs/mujoco/assets/humanoid.xml", "unitree_go1/scene.xml", "unitree_h1/scene.xml")
ENVIRONMENTS = tuple(condyle.gymnasium.ENVIRONMENTS)
COUNT, STEPS, VECTOR, MANY = 16, 20, 16, 256
# No model takes longer when every model is measured.
SECONDS = 2.0
FULL = int(mujoco.mjtState.mjSTATE_FULLPHYSICS)


def models():
    """The files of the trajectories that are here, by a short name."""
    files = [path for _, _, found in corpora() for path in found]
    for ending in TRAJECTORIES:
        for path in files:
            if path.as_posix().endswith("/" + ending):
                yield f"{path.parent.name}/{path.name}", path
                break


class Trajectories:
    """States and controls that both engines start from, and the same steps as trajectories and one by one."""

    def __init__(self, path):
        self.m = m = mujoco.MjModel.from_xml_path(str(path))
        m.vis.global_.bvactive = 0
        self.cm = compare.to_condyle(m)
        self.d, random = compare.without_clock(m), np.random.default_rng(0)
        if m.nkey:
            mujoco.mj_resetDataKeyframe(m, self.d, 0)
        else:
            mujoco.mj_resetData(m, self.d)
        self.states = np.zeros((COUNT, mujoco.mj_stateSize(m, FULL)))
        for row in self.states:
            self.d.ctrl[:] = compare.controls(m, random)
            mujoco.mj_step(m, self.d, nstep=10)
            mujoco.mj_getState(m, self.d, row, FULL)
        self.controls = np.stack([[compare.controls(m, random) for _ in range(STEPS)] for _ in range(COUNT)])
        self.cd = condyle.MjData(self.cm)

    def both(self):
        """Seconds of MuJoCo's trajectories and of ours, with the states they went through."""
        started = time.process_time()
        theirs, _ = mujoco.rollout.rollout(self.m, [self.d], self.states, self.controls)
        between = time.process_time()
        ours, _ = condyle.rollout.rollout(self.cm, [self.cd], self.states, self.controls)
        return between - started, time.process_time() - between, theirs, ours

    def one_by_one(self):
        """Seconds of the same number of steps from the same states, each state with its first control throughout."""
        seconds = []
        for module, model, data in ((mujoco, self.m, self.d), (condyle, self.cm, self.cd)):
            total = 0.0
            for state, controls in zip(self.states, self.controls):
                module.mj_resetData(model, data)
                module.mj_setState(model, data, state, FULL)
                data.ctrl[:] = controls[0]
                started = time.process_time()
                module.mj_step(model, data, nstep=STEPS)
                total += time.process_time() - started
            seconds.append(total)
        return seconds


def trajectories(path, bursts):
    """Processor time of one burst of MuJoCo, and of Condyle."""
    pair = Trajectories(path)
    *_, theirs, ours = pair.both()
    np.testing.assert_array_equal(theirs, ours)
    best = np.min([pair.both()[:2] for _ in range(bursts)], axis=0)
    compare.assert_no_clock(pair.d)
    return best


def every(paths, bursts):
    """Trajectories per core beside the model alone: MuJoCo's time divided by ours, both ways."""
    less = []
    for name, path in paths:
        try:
            pair = Trajectories(path)
        except (ValueError, mujoco.FatalError):
            continue
        if pair.m.nv == 0 or pair.m.nplugin:
            continue
        started, best = time.perf_counter(), np.full(4, math.inf)
        for _ in range(bursts):
            best = np.minimum(best, [*pair.both()[:2], *pair.one_by_one()])
            if time.perf_counter() - started > SECONDS:
                break
        compare.assert_no_clock(pair.d)
        together, alone = best[0] / best[1], best[2] / best[3]
        if together < 0.98 * alone:
            less.append(name)
        print(f"{name:80} trajectories x{together:.2f}  alone x{alone:.2f}", flush=True)
    print(f"{len(less)} models gain more than 2% less as trajectories: {', '.join(less)}")


def threads(path, bursts):
    """Wall time of many trajectories of Condyle on one thread, and on two."""
    m = mujoco.MjModel.from_xml_path(str(path))
    cm, random = compare.to_condyle(m), np.random.default_rng(0)
    datas = [condyle.MjData(cm) for _ in range(2)]
    states = np.zeros((MANY, condyle.mj_stateSize(cm, FULL)))
    condyle.mj_resetDataKeyframe(cm, datas[0], 0) if m.nkey else condyle.mj_resetData(cm, datas[0])
    condyle.mj_getState(cm, datas[0], states[0], FULL)
    states[:] = states[0]
    controls = np.stack([[compare.controls(m, random) for _ in range(STEPS)] for _ in range(MANY)])
    best = [math.inf, math.inf]
    with condyle.rollout.Rollout(nthread=2) as pool:
        for _ in range(bursts):
            started = time.perf_counter()
            condyle.rollout.rollout(cm, datas[:1], states, controls)
            between = time.perf_counter()
            pool.rollout(cm, datas, states, controls)
            best = [min(best[0], between - started), min(best[1], time.perf_counter() - between)]
    return best


def environments(name, bursts):
    """Fastest wall and processor times of five steps: ours on two threads, SyncVectorEnv, AsyncVectorEnv, ours on one thread."""
    make = [lambda: gymnasium.make(name)] * VECTOR
    vectors = [
        condyle.gymnasium.make_vec(name, VECTOR, nthread=2),
        gymnasium.vector.SyncVectorEnv(make),
        gymnasium.vector.AsyncVectorEnv(make),
        condyle.gymnasium.make_vec(name, VECTOR, nthread=1),
    ]
    for vector in vectors:
        vector.reset(seed=0)
    random = np.random.default_rng(0)
    space = vectors[0].single_action_space
    best = np.full((len(vectors), 2), math.inf)
    try:
        for _ in range(bursts):
            actions = random.uniform(space.low, space.high, (5, VECTOR, *space.shape)).astype(np.float32)
            for index, vector in enumerate(vectors):
                wall, cpu = time.perf_counter(), time.process_time()
                for action in actions:
                    vector.step(action)
                times = time.perf_counter() - wall, time.process_time() - cpu
                best[index] = np.minimum(best[index], times)
    finally:
        for vector in vectors:
            vector.close()
    return best


def memory(count=4096):
    """Bytes the process grows by for a batch of gymnasium's humanoid, plain and with the observation bound, stepped on two threads."""
    program = (
        "import sys, condyle, condyle.gymnasium as g\n"
        "def peak():\n"
        "  return next(int(line.split()[1]) * 1024 for line in open('/proc/self/status') if line.startswith('VmHWM'))\n"
        "envs = g.make_vec('Humanoid-v5', 1); model = envs.model\n"
        "before = peak()\n"
        "if sys.argv[2] == 'bound': batch = g.make_vec('Humanoid-v5', int(sys.argv[1]), nthread=2); batch.reset(seed=0); batch.batch.step()\n"
        "else: batch = condyle.Batch(model, int(sys.argv[1]), 2, sys.argv[2] == 'persistent'); batch.step(nstep=2)\n"
        "print(peak() - before, peak())\n"
    )
    sizes = {}
    for kind in ("plain", "bound", "persistent"):
        printed = subprocess.run([sys.executable, "-c", program, str(count), kind], capture_output=True, text=True, check=True).stdout
        sizes[kind] = [int(value) for value in printed.split()]
    return sizes


def main(args):
    warnings.simplefilter("ignore")
    results = {"trajectories": {}, "threads": {}, "environments": {}}
    for name, path in models():
        if args.only and args.only not in name:
            continue
        theirs, ours = trajectories(path, args.bursts)
        results["trajectories"][name] = theirs / ours
        one, two = threads(path, max(5, args.bursts // 5))
        results["threads"][name] = one / two
        print(f"{name:32} {COUNT * STEPS / ours:9.0f} /s  {COUNT * STEPS / theirs:9.0f} /s  x{theirs / ours:.2f}, two threads x{one / two:.2f}",
              flush=True)
    for name in ENVIRONMENTS:
        if args.only and args.only not in name:
            continue
        (ours, _), (sync, sync_cpu), (parallel, _), (_, cpu) = environments(name, args.bursts)
        rate = 5 * VECTOR / ours
        ratios = {"sync": sync / ours, "async": parallel / ours, "per_core": sync_cpu / cpu}
        results["environments"][name] = {**ratios, "rate": rate, "microseconds": [1e6 * t / (5 * VECTOR) for t in (cpu, sync_cpu)]}
        print(f"{name:32} {rate:9.0f} /s  x{ratios['sync']:.2f} SyncVectorEnv  x{ratios['async']:.2f} AsyncVectorEnv  "
              f"x{ratios['per_core']:.2f} per core ({1e6 * cpu / (5 * VECTOR):.0f} and {1e6 * sync_cpu / (5 * VECTOR):.0f} us a step)", flush=True)
    if not args.only:
        results["memory"] = memory()
        for kind, (grown, whole) in results["memory"].items():
            print(f"4,096 humanoids, {kind:12} {grown / 2**20:7.0f} MiB more, the process {whole / 2**20:.0f} MiB")
        REPORT.write_text(json.dumps(results, indent=1))
