"""Batches beside `mujoco.rollout`, vector environments beside gymnasium's on MuJoCo, and what many simulations take in memory.

    cargo xtask bench --batches [--only NAME] [--bursts N]

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
ENVIRONMENTS = ("HalfCheetah-v5", "Ant-v5", "Humanoid-v5", "Hopper-v5", "Walker2d-v5", "Reacher-v5", "InvertedPendulum-v5")
COUNT, STEPS, VECTOR, MANY = 16, 20, 16, 256
FULL = int(mujoco.mjtState.mjSTATE_FULLPHYSICS)


def models():
    """The files of the trajectories that are here, by a short name."""
    files = [path for _, _, found in corpora() for path in found]
    for ending in TRAJECTORIES:
        for path in files:
            if path.as_posix().endswith("/" + ending):
                yield f"{path.parent.name}/{path.name}", path
                break


def trajectories(path, bursts):
    """Processor time of one burst of MuJoCo, and of Condyle."""
    m = mujoco.MjModel.from_xml_path(str(path))
    m.vis.global_.bvactive = 0
    cm = compare.to_condyle(m)
    d, random = compare.without_clock(m), np.random.default_rng(0)
    if m.nkey:
        mujoco.mj_resetDataKeyframe(m, d, 0)
    else:
        mujoco.mj_resetData(m, d)
    states = np.zeros((COUNT, mujoco.mj_stateSize(m, FULL)))
    for row in states:
        d.ctrl[:] = compare.controls(m, random)
        mujoco.mj_step(m, d, nstep=10)
        mujoco.mj_getState(m, d, row, FULL)
    controls = np.stack([[compare.controls(m, random) for _ in range(STEPS)] for _ in range(COUNT)])
    cd = condyle.MjData(cm)

    def theirs():
        started = time.process_time()
        out, _ = mujoco.rollout.rollout(m, [d], states, controls)
        return time.process_time() - started, out

    def ours():
        started = time.process_time()
        out, _ = condyle.rollout.rollout(cm, [cd], states, controls)
        return time.process_time() - started, out

    np.testing.assert_array_equal(theirs()[1], ours()[1])
    best = [math.inf, math.inf]
    for _ in range(bursts):
        best = [min(best[0], theirs()[0]), min(best[1], ours()[0])]
    compare.assert_no_clock(d)
    return best


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
