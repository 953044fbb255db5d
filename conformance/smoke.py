"""Long runs of every corpus model in both engines: no panic, the same warnings and resets, and how many end with the same bits.

    python conformance/smoke.py [--steps N] [--only NAME] [--most-seconds S]

Both engines start from the same state with the same random controls, which change every `CHUNK` steps. After every chunk the warning
counters, the clock (which a reset sets back) and the bits of the state are compared. A panic, a warning only one engine gives and a
reset only one engine makes are problems. Different bits are no problem by themselves, because motion with contacts is chaotic, but the
first chunk in which they appear is listed. Each model stops after `--most-seconds`; the report says how many ran all steps.
"""

import argparse
import multiprocessing
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
STATE = ("qpos", "qvel", "act", "qacc_warmstart", "sensordata")
# The reference drops contacts and rows when its memory is full; here memory grows.
MEMORY = (int(mujoco.mjtWarning.mjWARN_CONTACTFULL), int(mujoco.mjtWarning.mjWARN_CNSTRFULL))


class Outcome:
    """What a run of one model showed."""

    def __init__(self):
        self.steps = 0
        self.complete = False
        self.different = None  # step at which bits were first seen to differ, and in which array
        self.problem = None
        self.warnings = 0
        self.memory = False


def warnings_of(data):
    return np.array([item.number for item in data.warning])


def first_difference(ours, theirs):
    for name in STATE:
        item = compare.difference("state", name, getattr(ours, name), getattr(theirs, name))
        if item:
            return str(item)
    return None


def run(path, steps, most_seconds):
    """The outcome for one model; None when the reference does not load it."""
    try:
        m = mujoco.MjModel.from_xml_path(str(path))
    except ValueError:
        return None
    m.vis.global_.bvactive = 0
    theirs = mujoco.MjData(m)
    cm = compare.to_condyle(m)
    ours = condyle.MjData(cm)
    if m.nkey:
        mujoco.mj_resetDataKeyframe(m, theirs, 0)
        condyle.mj_resetDataKeyframe(cm, ours, 0)
    rng = np.random.default_rng(0)
    outcome, began = Outcome(), time.monotonic()
    while outcome.steps < steps and time.monotonic() - began < most_seconds:
        theirs.ctrl[:] = compare.controls(m, rng)
        ours.ctrl[:] = theirs.ctrl
        count = min(CHUNK, steps - outcome.steps)
        mujoco.mj_step(m, theirs, nstep=count)
        condyle.mj_step(cm, ours, nstep=count)
        outcome.steps += count
        counters = warnings_of(theirs), warnings_of(ours)
        outcome.warnings = int(counters[0].sum())
        outcome.memory |= bool(counters[0][list(MEMORY)].any())
        if outcome.different is None:
            found = first_difference(ours, theirs)
            if found:
                outcome.different = f"step {outcome.steps}: {found}"
        if outcome.memory:
            continue  # contacts were lost in the reference
        if not np.array_equal(*counters):
            outcome.problem = f"warnings: reference {counters[0].tolist()}, here {counters[1].tolist()}"
            return outcome
        if outcome.different is None and theirs.time != ours.time and not (np.isnan(theirs.time) and np.isnan(ours.time)):
            outcome.problem = f"clock: reference {theirs.time:g} s, here {ours.time:g} s"
            return outcome
    outcome.complete = outcome.steps >= steps
    return outcome


def guarded(connection, path, steps, most_seconds):
    """Run in a process of its own and send the outcome, or what went wrong."""
    mujoco.set_mju_user_warning(lambda message: None)
    # With its cache on, the reference's mesh arrays depend on which files the process has read before.
    mujoco.mj_setCacheCapacity(mujoco.mj_getCache(), 0)
    try:
        connection.send(run(path, steps, most_seconds))
    except BaseException as error:  # noqa: BLE001 - a panic is not an Exception
        outcome = Outcome()
        outcome.problem = f"{type(error).__name__}: {error}"
        connection.send(outcome)


def apart(path, steps, most_seconds):
    """The outcome of a run in a process of its own, so that a crash is an outcome too."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=guarded, args=(sender, path, steps, most_seconds))
    process.start()
    sender.close()
    try:
        outcome = receiver.recv()
    except EOFError:
        outcome = Outcome()
        outcome.problem = "the process died"
    process.join()
    return outcome


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--only", default="")
    parser.add_argument("--most-seconds", type=float, default=60.0)
    args = parser.parse_args()
    os.chdir(os.environ.get("TMPDIR", "/tmp"))  # the reference writes its log to the working directory
    totals = dict.fromkeys(("models", "steps", "complete", "identical", "warned", "problems"), 0)
    for corpus, folder, files in corpora():
        for path in files:
            name = f"{corpus}/{path.relative_to(folder).as_posix()}"
            if args.only not in name:
                continue
            outcome = apart(path, args.steps, args.most_seconds)
            if outcome is None:
                continue
            totals["models"] += 1
            totals["steps"] += outcome.steps
            totals["complete"] += outcome.complete
            totals["identical"] += outcome.complete and outcome.different is None
            totals["warned"] += outcome.warnings > 0
            totals["problems"] += outcome.problem is not None
            notes = [note for note in (outcome.problem, outcome.different) if note]
            if not outcome.complete and not outcome.problem:
                notes.append("stopped by the time limit")
            if outcome.memory:
                notes.append("the reference ran out of memory")
            if notes:
                print(f"{name}: {outcome.steps} steps: {'; '.join(notes)}", flush=True)
    print(
        "{models} models, {steps} steps; {complete} ran all steps, "
        "{identical} with the same bits throughout; "
        "{warned} with warnings, {problems} with problems".format(**totals)
    )
    return bool(totals["problems"])


if __name__ == "__main__":
    sys.exit(main())
