"""Compare one model with the reference, array by array, in pipeline order.

Both engines run in this process. The reference compiles the model; Condyle receives it as MJB. Along a seeded trajectory of the
reference every visited state is copied over, both run, and every array of the data is compared.

    python conformance/compare.py MODEL.xml [--states 5] [--seed 0] [--all]

prints, per state, the first arrays that differ in their bits, with the first differing element.
"""

import argparse
import copy
import dataclasses
import functools
import os
import sys

import mujoco
import numpy as np

import condyle

STATE = int(mujoco.mjtState.mjSTATE_INTEGRATION)

# Not results of the physics: flags for drawing and bookkeeping.
SKIPPED = {"bvh_active", "plugin", "tree_asleep", "qfrc_inverse"}
# Stale outside the stage that uses them, or written only on request.
ON_REQUEST = {"cacc", "cfrc_int", "cfrc_ext", "subtree_linvel", "subtree_angmom"}
IMPLICIT = {"qDeriv", "qLU"}
TENDON_SPARSE = {"ten_J_rownnz", "ten_J_rowadr", "ten_J_colind"}
ISLAND_SOLVER = {"iacc", "iacc_smooth", "ifrc_smooth", "ifrc_constraint", "iefc_aref", "iefc_force", "iefc_state"}
CONTACT_FIELDS = ("geom", "flex", "elem", "vert", "dim", "dist", "pos", "frame", "includemargin", "friction", "solref",
                  "solreffriction", "solimp", "exclude", "efc_address", "mu")

# Groups of the data in the order of the pipeline, and the group of every counter.
ORDER = condyle.MjData._groups()
SCALARS = dict(condyle.MjData._scalar_table())


@dataclasses.dataclass
class Difference:
    """One array that is not the same."""

    stage: str
    array: str
    index: int
    ours: float
    theirs: float
    error: float  # largest difference divided by the largest entry
    detail: str = ""

    def __str__(self):
        where = f"{self.array}[{self.index}]" if self.index >= 0 else self.array
        return f"{self.stage}: {where} ours {self.ours!r} theirs {self.theirs!r} relative {self.error:.2g} {self.detail}"


def load(path):
    """The reference's model of an XML file, and ours made from its binary form."""
    theirs = mujoco.MjModel.from_xml_path(path)
    return theirs, to_condyle(theirs)


# The reference's plugin libraries in the order of our slots, with the number of plugins in each.
LIBRARIES = {"libactuator.so": 1, "libelasticity.so": 1, "libsensor.so": 1, "libsdf_plugin.so": 5}


@functools.cache
def our_slots():
    """Our slot of each of the reference's plugins. It registers libraries in the order in which their folder lists them."""
    first = dict(zip(LIBRARIES, np.cumsum([0, *LIBRARIES.values()])))
    listed = [name for _, _, names in os.walk(mujoco.PLUGINS_DIR) for name in names if name in LIBRARIES]
    return np.array([first[name] + place for name in listed for place in range(LIBRARIES[name])], np.int32)


def to_condyle(theirs):
    if theirs.nplugin:
        theirs = copy.copy(theirs)
        theirs.plugin[:] = our_slots()[theirs.plugin]
    buffer = np.zeros(mujoco.mj_sizeModel(theirs), np.uint8)
    mujoco.mj_saveModel(theirs, None, buffer)
    return condyle.MjModel.from_binary(buffer.tobytes(), reference_bugs=True)


def sparse(model):
    return model.opt.jacobian == 1 or (model.opt.jacobian == 2 and model.nv >= 60)


def relevant(name, m, d):
    """Whether an array holds a result in the present mode of the engines."""
    if name in SKIPPED or name in ON_REQUEST or name in IMPLICIT:
        return False
    if name in TENDON_SPARSE or name in ("efc_J_rownnz", "efc_J_rowadr", "efc_J_colind", "efc_J_rowsuper"):
        return sparse(m)
    if name.startswith("iefc_J_"):
        return sparse(m) and d.nisland > 0
    if name.startswith("efc_AR_") and not sparse(m):
        return False
    if name == "iefc_J":
        return sparse(m)  # dense blocks have unused gaps between them
    if name.startswith("efc_AR") or name == "efc_b":
        return m.opt.solver == 0 or (name != "efc_b" and m.opt.noslip_iterations > 0)
    if name in ISLAND_SOLVER and (m.opt.solver == 0 or m.opt.noslip_iterations > 0):
        return False  # these solvers take all islands together
    if name == "tendon_efcadr" and d.nefc == 0:
        return False  # not written without rows
    if name == "efc_state" and d.nisland > 0 and m.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_WARMSTART:
        return False  # only the warm start writes it when islands are solved apart
    if name in ("qH", "qHDiagInv"):
        return False
    return True


def rows(name, array, m, d):
    """Mask out the entries of a sparse row that are beyond its length."""
    if name in ("ten_J", "ten_J_colind") and sparse(m):
        out = []
        flat = np.asarray(array).reshape(-1)
        for t in range(m.ntendon):
            out.append(flat[d.ten_J_rowadr[t]:d.ten_J_rowadr[t] + d.ten_J_rownnz[t]])
        return np.concatenate(out) if out else flat[:0]
    if name in ("wrap_xpos", "wrap_obj"):
        used = int(sum(d.ten_wrapnum))
        width = 3 if name == "wrap_xpos" else 1
        return np.asarray(array).reshape(-1)[:used * width]
    if name in ("actuator_moment", "moment_colind"):
        flat = np.asarray(array).reshape(-1)
        parts = [flat[d.moment_rowadr[i]:d.moment_rowadr[i] + d.moment_rownnz[i]] for i in range(m.nu)]
        return np.concatenate(parts) if parts else flat[:0]
    if name in ("iM", "iLD", "iM_colind"):
        return np.asarray(array).reshape(-1)[:int(sum(d.iM_rownnz))]
    if name == "efc_J" and not sparse(m):
        return np.asarray(array).reshape(-1)[:d.nefc * m.nv]  # the reference leaves room for rows it drops
    return np.asarray(array).reshape(-1)


def difference(stage, name, ours, theirs):
    """The difference between two arrays, or None when they have equal bits (any NaN equals any NaN)."""
    ours, theirs = np.asarray(ours).reshape(-1), np.asarray(theirs).reshape(-1)
    if ours.shape != theirs.shape:
        return Difference(stage, name, -1, len(ours), len(theirs), float("inf"), "lengths differ")
    if ours.size == 0:
        return None
    if ours.dtype.kind == "f":
        same = (ours.view(np.uint64 if ours.dtype == np.float64 else np.uint32) ==
                theirs.view(np.uint64 if theirs.dtype == np.float64 else np.uint32))
        same |= np.isnan(ours) & np.isnan(theirs)
        # The sign of a zero is reported only when nothing else differs, as a difference of size zero.
    else:
        same = ours == theirs
    if same.all():
        return None
    with np.errstate(all="ignore"):
        delta = np.abs(ours.astype(np.float64) - theirs.astype(np.float64))
        delta[same] = 0
        scale = max(np.nanmax(np.abs(theirs.astype(np.float64))), 1e-300)
    delta = np.where(np.isnan(delta), np.inf, delta)
    first = int(np.argmax(~same & ((delta > 0) | ~(delta > 0).any())))
    return Difference(stage, name, first, ours[first].item(), theirs[first].item(), float(delta.max() / scale))


def compare_data(m, d, cm, cd):
    """Differences of all arrays, in pipeline order."""
    found = []
    for name, dtype, dims, width, doc, group, grows in condyle.MjData._array_table():
        if not relevant(name, m, d) or (group in ("islands", "island_solution") and d.nisland == 0):
            continue
        theirs = getattr(d, name, None)
        if theirs is None:
            continue
        item = difference(group, name, rows(name, getattr(cd, name), m, d), rows(name, theirs, m, d))
        if item:
            found.append(item)
    for field in CONTACT_FIELDS:
        if field == "mu" and m.opt.cone == 0:
            continue
        item = difference("contacts", f"contact.{field}", getattr(cd.contact, field), getattr(d.contact, field))
        if item:
            found.append(item)
    for counter in ("time", "ncon", "ne", "nf", "nl", "nefc", "nisland"):
        ours, theirs = getattr(cd, counter), getattr(d, counter)
        if ours != theirs:
            found.append(Difference(SCALARS.get(counter, "contacts"), counter, -1, ours, theirs, float("inf")))
    found.sort(key=lambda item: ORDER.index(item.stage))
    return found


def copy_state(m, d, cm, cd):
    state = np.zeros(mujoco.mj_stateSize(m, STATE))
    mujoco.mj_getState(m, d, state, STATE)
    condyle.mj_setState(cm, cd, state, STATE)


def without_clock(m):
    """An `MjData` of the reference for timing. Making one installs the clock that fills `MjData.timer`, so it is taken away after that;
    `assert_no_clock` says later whether it stayed away."""
    d = mujoco.MjData(m)
    mujoco.set_mjcb_time(None)
    return d


def assert_no_clock(d):
    """Raise if a clock ran in the steps that were timed."""
    if any(timer.duration for timer in d.timer):
        raise RuntimeError("MuJoCo's clock ran while it was timed: something has made an MjData since `without_clock`")


def controls(m, rng):
    """Random controls inside their ranges, scaled to keep the motion lively but not violent."""
    ctrl = rng.normal(size=m.nu) * 0.3
    limited = m.actuator_ctrllimited.astype(bool)
    low, high = m.actuator_ctrlrange[:, 0], m.actuator_ctrlrange[:, 1]
    ctrl[limited] = (low + (high - low) * rng.uniform(size=m.nu))[limited]
    return ctrl


def visit(m, states, seed, stride=7):
    """Data of the reference at `states` points of a seeded trajectory, the start state first."""
    rng = np.random.default_rng(seed)
    d = mujoco.MjData(m)
    if m.nkey:
        mujoco.mj_resetDataKeyframe(m, d, 0)
    for index in range(states):
        if index:
            for _ in range(stride):
                d.ctrl[:] = controls(m, rng)
                mujoco.mj_step(m, d)
        yield d


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("--states", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--all", action="store_true", help="print every differing array")
    args = parser.parse_args()
    m, cm = load(args.model)
    cd = condyle.MjData(cm)
    bad = 0
    for index, d in enumerate(visit(m, args.states, args.seed)):
        copy = mujoco.MjData(m)
        state = np.zeros(mujoco.mj_stateSize(m, STATE))
        mujoco.mj_getState(m, d, state, STATE)
        mujoco.mj_setState(m, copy, state, STATE)
        condyle.mj_resetData(cm, cd)
        condyle.mj_setState(cm, cd, state, STATE)
        mujoco.mj_forward(m, copy)
        condyle.mj_forward(cm, cd)
        found = compare_data(m, copy, cm, cd)
        mujoco.mj_setState(m, copy, state, STATE)
        condyle.mj_setState(cm, cd, state, STATE)
        mujoco.mj_step(m, copy)
        condyle.mj_step(cm, cd)
        stepped = [difference("step", name, getattr(cd, name), getattr(copy, name))
                   for name in ("qpos", "qvel", "act", "qacc_warmstart", "sensordata")]
        stepped = [item for item in stepped if item]
        bad += bool(found or stepped)
        print(f"state {index}: ncon {copy.ncon} nefc {copy.nefc} forward: {len(found)} arrays differ, step: {len(stepped)}")
        for item in (found if args.all else found[:6]) + stepped:
            print("   ", item)
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
