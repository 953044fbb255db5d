"""Grade one model against the reference.

Levels, each judged by itself (docs/conformance.md):

load    both engines accept the file, or both reject it
model   every array of the compiled model: integers and f32 equal, f64 within 1e-12 of max(1, |x|)
stage   after `forward` from states of the reference: every array within 1e-10 of its largest entry, contacts in the same order
step    after `step`: qpos, qvel, act, warm start and sensor data within 1e-10
bits    as step, but identical to the last bit

A state where the reference itself moves by more than 1e-9 when every qpos is nudged by one ulp is a tie: only equal bits pass it.
"""

import os
import time

import mujoco
import numpy as np

import compare
import condyle

LEVELS = ("load", "model", "stage", "step", "bits")
STEPPED = ("qpos", "qvel", "act", "qacc_warmstart", "sensordata")
TOLERANCE = 1e-10
MODEL_TOLERANCE = 1e-12


def compare_models(theirs, ours):
    """The first array of the compiled model that is outside its tolerance, and whether all bits agree."""
    first, identical = None, True
    for name, dtype, *_ in condyle.MjModel._array_table():
        a, b = getattr(ours, name), getattr(theirs, name)
        if name == "plugin":
            b = compare.our_slots()[b]
        if isinstance(b, bytes):
            if a != b:
                identical = False
                first = first or f"{name}: text differs"
            continue
        item = compare.difference("model", name, a, b)
        if item is None:
            continue
        identical = False
        if first:
            continue
        a, b = np.asarray(a).reshape(-1), np.asarray(b).reshape(-1)
        if a.shape != b.shape or b.dtype != np.float64:
            first = str(item)
            continue
        with np.errstate(all="ignore"):
            outside = ~(np.abs(a - b) <= MODEL_TOLERANCE * np.maximum(1, np.abs(b))) & ~(np.isnan(a) & np.isnan(b))
        if outside.any():
            index = int(np.argmax(outside))
            first = f"{name}[{index}] ours {a[index]!r} theirs {b[index]!r}"
    for size in ("nq", "nv", "nu", "na", "nbody", "ngeom", "nM", "narena", "nbuffer"):
        if getattr(ours, size) != getattr(theirs, size):
            identical = False
            first = f"{size}: ours {getattr(ours, size)} theirs {getattr(theirs, size)}"
            break
    for record in ("opt", "stat"):
        a, b = getattr(ours, record), getattr(theirs, record)
        for field in dir(a):
            if field.startswith("_"):
                continue
            x, y = np.asarray(getattr(a, field), float), np.asarray(getattr(b, field), float)
            if (x != y).any() and not np.allclose(x, y, rtol=MODEL_TOLERANCE, atol=MODEL_TOLERANCE, equal_nan=True):
                first = first or f"{record}.{field}: ours {x} theirs {y}"
            identical &= bool(((x == y) | (np.isnan(x) & np.isnan(y))).all())
    return first, identical


def within(m, item):
    """Whether a differing array is inside the tolerance of the stage level."""
    return item.error <= TOLERANCE


def is_tie(m, d, state):
    """Whether one ulp in every qpos moves the reference's next state by more than 1e-9."""
    base, moved = mujoco.MjData(m), mujoco.MjData(m)
    mujoco.mj_setState(m, base, state, compare.STATE)
    mujoco.mj_step(m, base)
    for direction in (np.inf, -np.inf):
        mujoco.mj_setState(m, moved, state, compare.STATE)
        moved.qpos[:] = np.nextafter(moved.qpos, direction)
        mujoco.mj_step(m, moved)
        h = m.opt.timestep
        shift = max(np.abs(moved.qpos - base.qpos).max(initial=0), h * np.abs(moved.qvel - base.qvel).max(initial=0))
        if not shift <= 1e-9:
            return True
    return False


def grade(path, states=5, seed=0, budget=20.0):
    """Grade the model at `path`. Returns a dictionary that JSON can hold."""
    result = {"levels": {}, "via": "mjb", "first": None, "states": 0, "ties": 0}
    levels = result["levels"]
    rejected = None
    # With its cache on, the reference's mesh arrays depend on which files the process has read before.
    mujoco.mj_setCacheCapacity(mujoco.mj_getCache(), 0)
    try:
        m = mujoco.MjModel.from_xml_path(path)
    except ValueError as error:
        rejected = str(error).splitlines()[0] if str(error) else "rejected"
    ours, refused = None, None
    try:
        ours = condyle.MjModel.from_xml_path(path, reference_bugs=True)
    except ValueError as error:
        refused = str(error).splitlines()[0]
    levels["load"] = (rejected is None) == (refused is None)
    if not levels["load"]:
        result["first"] = f"load: ours {refused or 'accepts'}; theirs {rejected or 'accepts'}"
    if rejected is not None:
        result["rejected"] = rejected
        return result
    m.vis.global_.bvactive = 0
    if ours is not None:
        difference, identical = compare_models(m, ours)
        levels["model"] = difference is None
        result["model_bits"] = identical
        if difference is not None:
            result["first"] = f"model: {difference}"
    else:
        levels["model"] = False
    cm = compare.to_condyle(m)
    if ours is not None and levels.get("model"):
        cm, result["via"] = ours, "xml"
    grade_dynamics(m, cm, result, states, seed, budget)
    return result


def grade_dynamics(m, cm, result, states, seed, budget):
    levels = result["levels"]
    levels.update(stage=True, step=True, bits=True)
    cd, copy = condyle.MjData(cm), mujoco.MjData(m)
    state = np.zeros(mujoco.mj_stateSize(m, compare.STATE))
    start = time.monotonic()
    for index, d in enumerate(compare.visit(m, states, seed)):
        if index >= 2 and time.monotonic() - start > budget:
            break
        mujoco.mj_getState(m, d, state, compare.STATE)
        mujoco.mj_resetData(m, copy)
        mujoco.mj_setState(m, copy, state, compare.STATE)
        condyle.mj_resetData(cm, cd)
        condyle.mj_setState(cm, cd, state, compare.STATE)
        mujoco.mj_forward(m, copy)
        condyle.mj_forward(cm, cd)
        found = compare.compare_data(m, copy, cm, cd)
        mujoco.mj_setState(m, copy, state, compare.STATE)
        condyle.mj_setState(cm, cd, state, compare.STATE)
        mujoco.mj_step(m, copy)
        condyle.mj_step(cm, cd)
        stepped = [compare.difference("step", name, getattr(cd, name), getattr(copy, name)) for name in STEPPED]
        stepped = [item for item in stepped if item]
        if not stepped:
            # Steps of one call may leave out what the next one overwrites, and nobody must see that.
            mujoco.mj_step(m, copy, nstep=4)
            condyle.mj_step(cm, cd, nstep=4)
            stepped = compare.compare_data(m, copy, cm, cd)
        result["states"] += 1
        # The sign of a zero is not a difference of the physics: `error` is then exactly 0.
        outside = [item for item in found if not within(m, item)]
        if outside or stepped:
            tie = is_tie(m, d, state)
            result["ties"] += tie
            levels["bits"] &= not stepped
            levels["step"] &= not stepped if tie else all(within(m, item) for item in stepped)
            levels["stage"] &= not outside
            if result["first"] is None:
                culprit = (outside or found or stepped)[0]
                result["first"] = f"state {index}{' (tie)' if tie else ''}: {culprit}"
                result["array"] = culprit.array
                result["stage"] = culprit.stage


def name_of(path, root):
    return os.path.relpath(path, root)
