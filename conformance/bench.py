"""Speed beside the reference: steps per second of both engines on the same states, as a ratio.

    cargo xtask bench [--only NAME] [--rounds N] [--seconds S]
    cargo xtask bench --load [--only NAME] [--rounds N] [--count N]     time to load instead, see loading.py

Per model both engines start from the same state (after a short warm-up of the reference), run the same fixed number of steps with the
same controls, round by round in turn, and the best round of each counts, in processor time of the thread. Before timing, both run
the horizon once and must end in the same place; a model where they do not is listed and left out of the mean. The reference runs with
`vis.global_.bvactive` off: with it on, it spends much of a mesh robot's step clearing an array that only a viewer reads. Its clock is
off too: the Python package sets one that it looks at some thirty times per step.
"""

import argparse
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
    mujoco.set_mjcb_time(None)
    m = mujoco.MjModel.from_xml_path(str(path))
    if m.nv == 0 or m.nplugin:
        return None
    m.vis.global_.bvactive = 0
    cm = compare.to_condyle(m)
    d = mujoco.MjData(m)
    if m.nkey:
        mujoco.mj_resetDataKeyframe(m, d, 0)
    rng = np.random.default_rng(0)
    d.ctrl[:] = compare.controls(m, rng)
    mujoco.mj_step(m, d, nstep=WARM_UP)
    state = np.zeros(mujoco.mj_stateSize(m, compare.STATE))
    mujoco.mj_getState(m, d, state, compare.STATE)
    return m, d, cm, condyle.MjData(cm), state


def horizon(m, d, state, seconds):
    """Steps the reference does in about `seconds`."""
    mujoco.mj_setState(m, d, state, compare.STATE)
    started, steps = time.thread_time(), 0
    while time.thread_time() - started < seconds / 4 and steps < 100000:
        mujoco.mj_step(m, d, nstep=10)
        steps += 10
    return max(10, 4 * steps)


def measure(path, rounds, seconds):
    prepared = prepare(path)
    if prepared is None:
        return None
    m, d, cm, cd, state = prepared
    steps = horizon(m, d, state, seconds)

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

    # Long horizons are chaotic, so agreement is judged on the first steps.
    check = min(steps, 20)
    mujoco.mj_setState(m, d, state, compare.STATE)
    mujoco.mj_step(m, d, nstep=check)
    condyle.mj_resetData(cm, cd)
    condyle.mj_setState(cm, cd, state, compare.STATE)
    condyle.mj_step(cm, cd, nstep=check)
    gap = float(np.abs(np.asarray(cd.qpos) - d.qpos).max(initial=0))
    best_theirs = best_ours = math.inf
    for _ in range(rounds):
        best_theirs, best_ours = min(best_theirs, theirs()), min(best_ours, ours())
    return {"steps": steps, "ours": steps / best_ours, "theirs": steps / best_theirs, "ratio": best_theirs / best_ours,
            "gap": gap, "agrees": gap <= AGREE}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help="models whose name contains this")
    parser.add_argument("--all", action="store_true", help="also the extra models beside the checkout")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=0.1, help="length of one round of the reference")
    parser.add_argument("--load", action="store_true", help="time to load the largest mesh models")
    parser.add_argument("--count", type=int, default=10, help="how many models to load")
    args = parser.parse_args()
    if args.load:
        loading.main(args)
        return
    mujoco.set_mju_user_warning(lambda message: None)
    results = {}
    for name, path in chosen(args):
        try:
            result = measure(path, args.rounds, args.seconds)
        except ValueError:
            continue
        if result is None:
            continue
        results[name] = result
        mark = "" if result["agrees"] else f"  DISAGREES by {result['gap']:.2g}"
        print(f"{name:60} {result['ours']:10.0f} /s  {result['theirs']:10.0f} /s  x{result['ratio']:.2f}{mark}", flush=True)
    REPORT.write_text(json.dumps(results, indent=1))
    good = {name: result["ratio"] for name, result in results.items() if result["agrees"]}
    if good:
        mean = math.exp(sum(map(math.log, good.values())) / len(good))
        ranked = sorted(good, key=good.get)
        print(f"{len(good)} models agree, {len(results) - len(good)} do not; geometric mean x{mean:.2f}, "
              f"{sum(ratio < 1 for ratio in good.values())} below x1.00; slowest:")
        for name in ranked[:10]:
            print(f"  x{good[name]:.2f} {name}")


if __name__ == "__main__":
    main()
