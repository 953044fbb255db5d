"""Processor time of a picture beside MuJoCo's, which draws through EGL with Mesa's software driver on the calling thread.

    cargo xtask bench --pictures [--only NAME] [--bursts N]

"Full" has shadows, reflections and four samples per pixel, "plain" none of them. Both engines draw the same state from the same camera and
hand out the pixels; they take turns, and the fastest frame of each counts. Prints the table of docs/performance.md: milliseconds of
MuJoCo and of Condyle, and the first divided by the second. Then pictures of a batch on two threads beside one, by the clock on the wall,
which says something only on an idle machine.
"""

import argparse
import json
import os
import time

# Before the driver is loaded: no threads of its own, so that the calling thread's processor time is all there is.
os.environ.setdefault("LP_NUM_THREADS", "0")
os.environ.setdefault("MUJOCO_GL", "egl")

import mujoco
import numpy as np

import compare
import condyle
from run import ROOT

REPORT = ROOT / "conformance" / "picture_speed.json"
MODELS = {
    "gymnasium humanoid": "corpora/gymnasium/gymnasium/envs/mujoco/assets/humanoid.xml",
    "gymnasium ant": "corpora/gymnasium/gymnasium/envs/mujoco/assets/ant.xml",
    "gymnasium half_cheetah": "corpora/gymnasium/gymnasium/envs/mujoco/assets/half_cheetah.xml",
    "dm_control humanoid": "corpora/dm_control/dm_control/suite/humanoid.xml",
    "dm_control quadruped": "corpora/dm_control/dm_control/suite/quadruped.xml",
    "models/bench/figure.xml": "models/bench/figure.xml",
}
SIZES = ((84, 84), (640, 480))
SHADOW, REFLECTION = int(mujoco.mjtRndFlag.mjRND_SHADOW), int(mujoco.mjtRndFlag.mjRND_REFLECTION)
# Frames are drawn until this many seconds are spent on an engine, and at least twice.
SECONDS = 1.5
BATCH = {"models/bench/figure.xml": (84, 320), "gymnasium humanoid": (84,)}


def load(path, full):
    """Both models with the samples that are wanted."""
    theirs = mujoco.MjModel.from_xml_path(str(path))
    theirs.vis.quality.offsamples = 4 if full else 0
    return theirs, compare.to_condyle(theirs)


def frame_times(path, width, height, full, frames):
    """Milliseconds of processor time of the fastest frame of MuJoCo, and of Condyle."""
    models = load(path, full)
    renderers, data = [], []
    for engine, model in zip((mujoco, condyle), models):
        model.vis.global_.offwidth, model.vis.global_.offheight = max(640, width), max(480, height)
        d = engine.MjData(model)
        engine.mj_forward(model, d)
        renderer = engine.Renderer(model, height, width)
        renderer.update_scene(d)
        if not full:
            renderer.scene.flags[SHADOW] = renderer.scene.flags[REFLECTION] = 0
        renderers.append(renderer)
        data.append(d)
    out = np.empty((height, width, 3), np.uint8)
    best, spent = [np.inf, np.inf], 0.0
    drawn = 0
    while drawn < 2 or (drawn < frames and spent < SECONDS):
        for index, renderer in enumerate(renderers):
            # Quick frames several times in a row, so that both engines find their memory near.
            for _ in range(2 if index == 0 else 4):
                start = time.thread_time()
                renderer.render(out=out)
                took = time.thread_time() - start
                best[index] = min(best[index], took)
                spent += took
        drawn += 1
    for renderer in renderers:
        renderer.close()
    return [1e3 * seconds for seconds in best]


def cell(times):
    def digits(value):
        return f"{value:.0f}" if value >= 20 else f"{value:.1f}" if value >= 2 else f"{value:.2f}"

    theirs, ours = times
    ratio = theirs / ours
    return f"{digits(theirs)} / {digits(ours)} ms, {ratio:.0f}" if ratio >= 10 else f"{digits(theirs)} / {digits(ours)} ms, {ratio:.1f}"


def batch_ratio(path, size, count=64, rounds=5):
    """How many times the pictures of one thread two make."""
    model = condyle.MjModel.from_xml_path(str(path))
    data = condyle.MjData(model)
    states = []
    spec = condyle.mjtState.mjSTATE_FULLPHYSICS
    for _ in range(count):
        condyle.mj_step(model, data)
        state = np.empty(condyle.mj_stateSize(model, spec))
        condyle.mj_getState(model, data, state, spec)
        states.append(state)
    states = np.array(states)
    out = np.empty((count, size, size, 3), np.uint8)
    best = [np.inf, np.inf]
    for _ in range(rounds):
        for index in range(2):
            start = time.perf_counter()
            condyle.render_batch(model, states, size=(size, size), out=out, nthread=index + 1)
            best[index] = min(best[index], time.perf_counter() - start)
    return best[0] / best[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help="models whose name contains this")
    parser.add_argument("--bursts", type=int, default=100, help="most rounds of both engines")
    args = parser.parse_args()
    chosen = {name: ROOT / path for name, path in MODELS.items() if not args.only or args.only in name}
    headings = [f"{width}×{height} {kind}" for width, height in SIZES for kind in ("full", "plain")]
    print("| model | " + " | ".join(headings) + " |")
    print("|" + "---|" * (len(headings) + 1))
    report = {}
    for name, path in chosen.items():
        if not path.exists():
            print(f"| {name} | not here |")
            continue
        rows = [
            frame_times(path, width, height, full, args.bursts) for width, height in SIZES for full in (True, False)
        ]
        report[name] = dict(zip(headings, rows))
        print(f"| {name} | " + " | ".join(map(cell, rows)) + " |", flush=True)
    for name, sizes in BATCH.items():
        if name in chosen and chosen[name].exists():
            for size in sizes:
                ratio = batch_ratio(chosen[name], size)
                report.setdefault("batch", {})[f"{name} {size}×{size}"] = ratio
                print(f"batch on two threads, {name}, {size}×{size}: {ratio:.2f} times the pictures of one")
    REPORT.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
