"""Long runs of every corpus model in both engines: no panic, and a reset wherever the reference resets.

    python conformance/smoke.py [--steps N] [--only NAME] [--most-seconds S]

Both engines start from the same state with the same random controls. A panic is an error. An engine that meets an unusable state
resets itself, which shows as a clock behind the number of steps taken; a model where one engine does and the other does not is listed
with both clocks. Each model stops after `--most-seconds`, and the report says after how many steps.
"""

import argparse
import os
import pathlib
import sys
import time

import mujoco
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import compare  # noqa: E402
import condyle  # noqa: E402
from run import corpora  # noqa: E402

CHUNK = 50


def clock_is_behind(clock, start, steps, timestep):
    return not clock - start > (steps - 0.5) * timestep


def run(path, steps, most_seconds):
    """What is wrong with one model, or None; and the number of steps taken."""
    try:
        m = mujoco.MjModel.from_xml_path(str(path))
    except ValueError:
        return None, 0
    m.vis.global_.bvactive = 0
    theirs = mujoco.MjData(m)
    cm = compare.to_condyle(m)
    ours = condyle.MjData(cm)
    if m.nkey:
        mujoco.mj_resetDataKeyframe(m, theirs, 0)
        condyle.mj_resetDataKeyframe(cm, ours, 0)
    theirs.ctrl[:] = compare.controls(m, np.random.default_rng(0))
    ours.ctrl[:] = theirs.ctrl
    start, done, began = theirs.time, 0, time.monotonic()
    while done < steps and time.monotonic() - began < most_seconds:
        count = min(CHUNK, steps - done)
        mujoco.mj_step(m, theirs, nstep=count)
        condyle.mj_step(cm, ours, nstep=count)
        done += count
        resets = [clock_is_behind(d.time, start, done, m.opt.timestep) for d in (theirs, ours)]
        if resets[0] != resets[1]:
            return f"reset: reference {resets[0]}, here {resets[1]} ({theirs.time:g} s, {ours.time:g} s)", done
        if resets[0]:
            return None, done
    return None, done


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--only", default="")
    parser.add_argument("--most-seconds", type=float, default=60.0)
    args = parser.parse_args()
    os.chdir(os.environ.get("TMPDIR", "/tmp"))  # the reference writes its log to the working directory
    mujoco.set_mju_user_warning(lambda message: None)
    models = total = failures = 0
    for corpus, folder, files in corpora():
        for path in files:
            name = f"{corpus}/{path.relative_to(folder).as_posix()}"
            if args.only not in name:
                continue
            try:
                problem, steps = run(path, args.steps, args.most_seconds)
            except BaseException as error:  # noqa: BLE001 - a panic is not an Exception
                if isinstance(error, KeyboardInterrupt):
                    raise
                problem, steps = f"{type(error).__name__}: {error}", 0
            models, total = models + bool(steps or problem), total + steps
            if problem:
                failures += 1
                print(f"{name}: {problem} after {steps} steps", flush=True)
    print(f"{models} models, {total} steps, {failures} with problems")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
