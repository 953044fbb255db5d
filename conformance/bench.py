"""Speed beside the reference: steps per second of both engines on the same states, as a ratio.

    cargo xtask bench [--only NAME] [--all] [--bursts N] [--milliseconds M]
    cargo xtask bench --instructions [--only NAME] [--all]      instructions per step instead, see instructions.py
    cargo xtask bench --load [--only NAME] [--rounds N] [--count N]     time to load instead, see loading.py
    cargo xtask bench --memory [--only NAME] [--all]            memory of a simulation instead, see loading.py
    cargo xtask bench --batches [--all] [--only NAME] [--bursts N]  batches and vector environments instead, see batches.py
    cargo xtask bench --growth [--only NAME] [--bursts N]       scenes of growing size and sleeping ones instead, see growth.py
    cargo xtask bench --access [--bursts N]                     everyday Python access instead, see access.py
    cargo xtask bench --pictures [--only NAME] [--bursts N]     pictures instead, see picture_speed.py

Per model both engines start from the same state (after a short warm-up of the reference) and run bursts of the same few steps with
the same controls, in turn; the fastest burst of each counts, in processor time of the thread. Bursts are short, so that on a
busy machine some of them run undisturbed. Before timing, both run some steps and must end in the same place; a model where they do
not is listed and left out of the mean. The reference runs with `vis.global_.bvactive` off: with it on, it spends much of a mesh
robot's step clearing an array that only a viewer reads. Its clock is off too: the Python package sets one that it looks at some
thirty times per step. The report, `conformance/bench.json`, names the commit and the processor.
"""

import argparse
import collections
import json
import math
import pathlib
import platform
import subprocess
import sys
import time

import mujoco
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import access  # noqa: E402
import compare  # noqa: E402
import condyle  # noqa: E402
import growth  # noqa: E402
import instructions  # noqa: E402
import loading  # noqa: E402
from run import ROOT, corpora  # noqa: E402

REPORT = ROOT / "conformance" / "bench.json"
WARM_UP = 50
AGREE = 1e-6


def chosen(args):
    """Our bench models, and every corpus model unless asked otherwise."""
    for corpus, folder, files in corpora():
        for path in files:
            name = f"{corpus}/{path.relative_to(folder).as_posix()}"
            if args.only and args.only not in name:
                continue
            if corpus == "models" and not args.only and "bench/" not in name:
                continue
            if corpus == "shared" and not args.only and not args.all:
                continue
            yield name, path


def prepare(path):
    m = mujoco.MjModel.from_xml_path(str(path))
    if m.nv == 0 or m.nplugin:
        return None
    m.vis.global_.bvactive = 0
    cm = compare.to_condyle(m)
    d = compare.without_clock(m)
    if m.nkey:
        mujoco.mj_resetDataKeyframe(m, d, 0)
    rng = np.random.default_rng(0)
    d.ctrl[:] = compare.controls(m, rng)
    mujoco.mj_step(m, d, nstep=WARM_UP)
    state = np.zeros(mujoco.mj_stateSize(m, compare.STATE))
    mujoco.mj_getState(m, d, state, compare.STATE)
    return m, d, cm, condyle.MjData(cm), state


def burst_length(m, d, state, seconds):
    """Steps the reference does in about `seconds`."""
    mujoco.mj_setState(m, d, state, compare.STATE)
    started, steps = time.thread_time(), 0
    while time.thread_time() - started < 4 * seconds and steps < 100000:
        mujoco.mj_step(m, d)
        steps += 1
    return max(1, steps // 4)


def measure(path, bursts, seconds):
    prepared = prepare(path)
    if prepared is None:
        return None
    m, d, cm, cd, state = prepared
    steps = burst_length(m, d, state, seconds)

    def theirs():
        mujoco.mj_resetData(m, d)
        mujoco.mj_setState(m, d, state, compare.STATE)
        started = time.thread_time()
        mujoco.mj_step(m, d, nstep=steps)
        return time.thread_time() - started

    def ours():
        condyle.mj_resetData(cm, cd)
        condyle.mj_setState(cm, cd, state, compare.STATE)
        started = time.thread_time()
        condyle.mj_step(cm, cd, nstep=steps)
        return time.thread_time() - started

    check = 20
    # A state does not say who sleeps: both engines begin from a reset.
    mujoco.mj_resetData(m, d)
    mujoco.mj_setState(m, d, state, compare.STATE)
    mujoco.mj_step(m, d, nstep=check)
    condyle.mj_resetData(cm, cd)
    condyle.mj_setState(cm, cd, state, compare.STATE)
    condyle.mj_step(cm, cd, nstep=check)
    gap = float(np.abs(np.asarray(cd.qpos) - d.qpos).max(initial=0))
    best_theirs = best_ours = math.inf
    started, done = time.perf_counter(), 0
    # A model with long steps gets fewer bursts, but never less than a handful.
    while done < 8 or (done < bursts and time.perf_counter() - started < 4 * bursts * seconds):
        best_theirs, best_ours = min(best_theirs, theirs()), min(best_ours, ours())
        done += 1
    compare.assert_no_clock(d)
    return {"class": kind_of(m, path), "steps": steps, "ours": steps / best_ours, "theirs": steps / best_theirs,
            "ratio": best_theirs / best_ours, "gap": gap, "agrees": gap <= AGREE}


def kind_of(m, path):
    """The class of models a model is listed under."""
    if m.nflex:
        return "deformable bodies"
    parts = path.parts
    for name in ("gymnasium", "dm_control", "robots", "mujoco-examples", "mujoco-tests"):
        if name in parts:
            return {"mujoco-examples": "MuJoCo's examples", "mujoco-tests": "MuJoCo's tests"}.get(name, name)
    return "own models"


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def environment():
    """What the figures hold for."""
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines() if pathlib.Path("/proc/cpuinfo").exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return {"commit": commit, "processor": names[0] if names else platform.processor(), "mujoco": mujoco.__version__}


def classes(good):
    """One line per class: how many models, their mean, the slowest."""
    groups = collections.defaultdict(dict)
    for name, result in good.items():
        groups[result["class"]][name] = result["ratio"]
    for kind, ratios in sorted(groups.items()):
        slowest = min(ratios, key=ratios.get)
        print(f"{kind:20} {len(ratios):4} models  x{mean(ratios.values()):.2f}  slowest x{ratios[slowest]:.2f} {slowest}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help="models whose name contains this")
    parser.add_argument("--all", action="store_true", help="also the extra models beside the checkout")
    parser.add_argument("--bursts", type=int, default=100, help="bursts of each engine")
    parser.add_argument("--milliseconds", type=float, default=2.0, help="length of one burst of the reference")
    parser.add_argument("--instructions", action="store_true", help="count instructions instead of time, with valgrind")
    parser.add_argument("--load", action="store_true", help="time to load the largest mesh models")
    parser.add_argument("--memory", action="store_true", help="memory of one more simulation of every model")
    parser.add_argument("--rounds", type=int, default=8, help="loads of each model")
    parser.add_argument("--count", type=int, default=10, help="how many models to load")
    parser.add_argument("--batches", action="store_true", help="batches and vector environments")
    parser.add_argument("--growth", action="store_true", help="scenes of growing size, sleeping and fixed things")
    parser.add_argument("--access", action="store_true", help="everyday Python access")
    parser.add_argument("--pictures", action="store_true", help="pictures beside MuJoCo's through EGL")
    args = parser.parse_args()
    if args.access:
        access.main(args)
        return
    if args.growth:
        growth.main(args)
        return
    if args.batches:
        # gymnasium is needed for these alone.
        import batches

        if args.all:
            batches.every(chosen(args), args.bursts)
        else:
            batches.main(args)
        return
    if args.pictures:
        # MuJoCo chooses how it draws when it is imported, so this is a program of its own.
        only = ["--only", args.only] if args.only else []
        script = pathlib.Path(__file__).with_name("picture_speed.py")
        sys.exit(subprocess.call([sys.executable, str(script), "--bursts", str(args.bursts), *only]))
    if args.load:
        loading.main(args)
        return
    if args.memory:
        loading.every(chosen(args))
        return
    mujoco.set_mju_user_warning(lambda message: None)
    if args.instructions:
        instructions.table(list(chosen(args)), environment())
        return
    results = {}
    for name, path in chosen(args):
        try:
            result = measure(path, args.bursts, args.milliseconds / 1000)
        except ValueError:
            continue
        if result is None:
            continue
        results[name] = result
        mark = "" if result["agrees"] else f"  DISAGREES by {result['gap']:.2g}"
        print(f"{name:60} {result['ours']:10.0f} /s  {result['theirs']:10.0f} /s  x{result['ratio']:.2f}{mark}", flush=True)
    REPORT.write_text(json.dumps({**environment(), "models": results}, indent=1))
    good = {name: result for name, result in results.items() if result["agrees"]}
    if good:
        ratios = {name: result["ratio"] for name, result in good.items()}
        classes(good)
        print(f"{len(good)} models agree, {len(results) - len(good)} do not; geometric mean x{mean(ratios.values()):.2f}, "
              f"{sum(ratio < 1 for ratio in ratios.values())} below x1.00; slowest:")
        for name in sorted(ratios, key=ratios.get)[:10]:
            print(f"  x{ratios[name]:.2f} {name}")


if __name__ == "__main__":
    main()
