"""Contact lists along trajectories of 60 steps, beside the reference.

    python conformance/contact_lists.py [--corpus NAME] [--only NAME] [--steps 60] [--most-seconds S]

The reference drives each model with seeded random controls. At every step its state is copied into both engines, both compute positions and
contacts, and the lists are compared: number, order, geoms, dimension, exclusion, then distance, point and frame. A state passes with equal
bits or with every number within 1e-12. A state where the reference's own list changes when every qpos is nudged by one ulp is a tie and
is counted apart. Models are read by our own loader where it accepts them; meshes whose hull is not the reference's are listed.
"""

import argparse
import dataclasses
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

TOLERANCE = 1e-12
INTEGERS = ("geom", "flex", "elem", "vert", "dim", "exclude")
NUMBERS = ("dist", "pos", "frame")


@dataclasses.dataclass
class Tally:
    """Counts over the states of one or many models."""

    models: int = 0
    states: int = 0
    contacts: int = 0
    identical: int = 0
    close: int = 0
    ties: int = 0
    different: int = 0

    def add(self, other):
        for field in dataclasses.fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))


def difference(ours, theirs):
    """`None` for equal bits, otherwise the largest difference of a number, infinite when the lists do not match."""
    if len(ours.dist) != len(theirs.dist):
        return np.inf
    for name in INTEGERS:
        if not np.array_equal(getattr(ours, name), getattr(theirs, name)):
            return np.inf
    worst, equal = 0.0, True
    for name in NUMBERS:
        a, b = np.asarray(getattr(ours, name)), np.asarray(getattr(theirs, name))
        same = (a.view(np.int64) == np.ascontiguousarray(b).view(np.int64)) | (np.isnan(a) & np.isnan(b))
        if not same.all():
            equal = False
            with np.errstate(all="ignore"):
                delta = np.abs(a - b)[~same]
            worst = max(worst, float(np.where(np.isnan(delta), np.inf, delta).max()))
    return None if equal else worst


class Copied:
    """The lists of contacts as plain arrays, so that they outlive the next step."""

    def __init__(self, contact):
        for name in INTEGERS + NUMBERS:
            setattr(self, name, np.array(getattr(contact, name)))


def is_tie(m, state):
    """Whether one ulp in every qpos changes the reference's own list by more than the tolerance."""
    lists = []
    for direction in (None, np.inf, -np.inf):
        d = mujoco.MjData(m)
        mujoco.mj_setState(m, d, state, compare.STATE)
        if direction is not None:
            d.qpos[:] = np.nextafter(d.qpos, direction)
        mujoco.mj_fwdPosition(m, d)
        lists.append(Copied(d.contact))
    return any((difference(other, lists[0]) or 0) > 1e-9 for other in lists[1:])


def hull_differences(m, cm):
    """Meshes whose hull graph is not the reference's."""
    if np.array_equal(m.mesh_graph, cm.mesh_graph):
        return []
    found = []
    for mesh in range(m.nmesh):
        start = m.mesh_graphadr[mesh]
        if start < 0:
            continue
        following = [a for a in m.mesh_graphadr[mesh + 1 :] if a >= 0]
        part = slice(start, following[0] if following else len(m.mesh_graph))
        if not np.array_equal(m.mesh_graph[part], cm.mesh_graph[part]):
            found.append(m.mesh(mesh).name or f"#{mesh}")
    return found


def run(path, steps=60, seed=0, most_seconds=60.0):
    """Tally of one model and what was noticed; `None` for models the reference rejects."""
    mujoco.mj_setCacheCapacity(mujoco.mj_getCache(), 0)
    try:
        m = mujoco.MjModel.from_xml_path(str(path))
    except ValueError:
        return None, []
    m.vis.global_.bvactive = 0
    notes = []
    try:
        cm = condyle.MjModel.from_xml_path(str(path), reference_bugs=True)
        notes += [f"hull of mesh {name} differs" for name in hull_differences(m, cm)]
        if notes:
            cm = compare.to_condyle(m)
    except ValueError:
        cm = compare.to_condyle(m)
    tally, rng = Tally(models=1), np.random.default_rng(seed)
    d, copy, cd = mujoco.MjData(m), mujoco.MjData(m), condyle.MjData(cm)
    if m.nkey:
        mujoco.mj_resetDataKeyframe(m, d, 0)
    state = np.zeros(mujoco.mj_stateSize(m, compare.STATE))
    started = time.monotonic()
    for step in range(steps):
        if time.monotonic() - started > most_seconds:
            notes.append(f"stopped after {step} steps")
            break
        mujoco.mj_getState(m, d, state, compare.STATE)
        mujoco.mj_setState(m, copy, state, compare.STATE)
        condyle.mj_setState(cm, cd, state, compare.STATE)
        mujoco.mj_fwdPosition(m, copy)
        condyle.mj_fwdPosition(cm, cd)
        tally.states += 1
        tally.contacts += copy.ncon
        error = difference(Copied(cd.contact), Copied(copy.contact))
        if error is None:
            tally.identical += 1
        elif error <= TOLERANCE:
            tally.close += 1
        elif is_tie(m, state):
            tally.ties += 1
        else:
            tally.different += 1
            notes.append(f"step {step}: {cd.ncon} and {copy.ncon} contacts, difference {error:g}")
        d.ctrl[:] = compare.controls(m, rng)
        mujoco.mj_step(m, d)
    return tally, notes


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", help="one corpus; all of them without it")
    parser.add_argument("--only", default="")
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--most-seconds", type=float, default=60.0, help="limit per model")
    args = parser.parse_args()
    os.chdir(os.environ.get("TMPDIR", "/tmp"))  # the reference writes its log to the working directory
    mujoco.set_mju_user_warning(lambda message: None)
    print("| corpus | models | states | contacts | equal bits | within 1e-12 | ties | different |\n|---|---|---|---|---|---|---|---|")
    failed = 0
    for corpus, folder, files in corpora():
        if args.corpus and corpus != args.corpus:
            continue
        total = Tally()
        for path in files:
            name = path.relative_to(folder).as_posix()
            if args.only not in name:
                continue
            tally, notes = run(path, args.steps, most_seconds=args.most_seconds)
            if tally:
                total.add(tally)
            for note in notes:
                print(f"{corpus}/{name}: {note}", file=sys.stderr, flush=True)
        counts = [total.models, total.states, total.contacts, total.identical, total.close, total.ties, total.different]
        print(f"| {corpus} | {' | '.join(map(str, counts))} |", flush=True)
        failed += total.different
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
