"""NaN, infinities and huge numbers in everything a user can write, under each policy.

`auto_reset` has to end in the reference's state with the reference's warnings, bit for bit. `hold` has to keep the last finite state
exactly when `auto_reset` resets, and `error` has to raise and leave the state alone. The report has to name the culprit. By default a
sample of places and of the arrays that are no inputs is tried; `CONDYLE_CAMPAIGN=full` tries all arrays, places and values.
"""

import os
import pathlib

import mujoco
import numpy as np
import pytest
from conftest import same_bits

import condyle

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"
FULL = os.environ.get("CONDYLE_CAMPAIGN") == "full"
NAMES = (
    "bench/figure", "bench/leg", "bench/chain", "constraint/connect", "constraint/weld", "constraint/tendonequality",
    "constraint/island", "constraint/noslip", "constraint/sparsecg", "contact/condims", "contact/onmesh", "actuator/delay_linear",
    "actuator/muscle", "actuator/adhesion", "actuator/gain_bias", "integrator/implicit", "integrator/rk4contact", "state/mocap",
    "state/sleep", "state/userdata", "tendon/wrap", "passive/fluid_ellipsoid",
)
STATE = int(mujoco.mjtState.mjSTATE_INTEGRATION)
BAD = (np.nan, np.inf, -np.inf, 1e300, -1e300)
WRITABLE = ("qpos", "qvel", "act", "history", "qacc_warmstart", "ctrl", "qfrc_applied", "xfrc_applied", "mocap_pos", "mocap_quat",
            "userdata", "time", "plugin_state")
COMPARED = ("qpos", "qvel", "act", "history", "qacc_warmstart", "sensordata", "time", "ctrl", "qfrc_applied", "xfrc_applied",
            "mocap_pos", "mocap_quat")


class Case:
    """A model in both engines and a state of it in motion."""

    def __init__(self, name):
        self.m = mujoco.MjModel.from_xml_path(str(MODELS / f"{name}.xml"))
        buffer = np.zeros(mujoco.mj_sizeModel(self.m), np.uint8)
        mujoco.mj_saveModel(self.m, None, buffer)
        self.cm = condyle.MjModel.from_binary(buffer.tobytes())
        d, rng = mujoco.MjData(self.m), np.random.default_rng(3)
        for _ in range(15):
            d.ctrl[:] = rng.uniform(-0.5, 0.5, self.m.nu)
            mujoco.mj_step(self.m, d)
        self.state = np.zeros(mujoco.mj_stateSize(self.m, STATE))
        mujoco.mj_getState(self.m, d, self.state, STATE)

    def theirs(self):
        d = mujoco.MjData(self.m)
        mujoco.mj_setState(self.m, d, self.state, STATE)
        return d

    def ours(self, policy="auto_reset"):
        d = condyle.MjData(self.cm)
        d.non_finite_policy = policy
        condyle.mj_setState(self.cm, d, self.state, STATE)
        return d

    def arrays(self):
        """Names of the arrays to write to."""
        names = list(WRITABLE)
        for name, dtype, _, _, _, _, grows in condyle.MjData._array_table():
            if dtype == "float64" and not grows and name not in names and hasattr(mujoco.MjData, name):
                names.append(name)
        return names


def put(data, name, place, value):
    if name == "time":
        data.time = value
    else:
        getattr(data, name).reshape(-1)[place] = value


def cursors(m):
    """Places in `history` that are indices; with a bad number there the reference reads outside its memory."""
    starts = np.concatenate([m.actuator_historyadr, m.sensor_historyadr])
    return {int(start) + 1 for start in starts if start >= 0}


def places(data, name):
    size = np.size(getattr(data, name))
    if FULL and name in WRITABLE:
        return range(size)
    if not FULL and name not in WRITABLE:
        return range(min(size, 1))
    return sorted({0, size // 2, size - 1} if size else set())


def full_state(model, data):
    out = np.zeros(condyle.mj_stateSize(model, STATE))
    condyle.mj_getState(model, data, out, STATE)
    return out


def culprits(m, name, place):
    """What the report may name as the cause of a bad number in this place."""
    dof_joint = lambda dof: int(m.dof_jntid[dof])  # noqa: E731
    if name == "qpos":
        return [("position", int(np.searchsorted(m.jnt_qposadr, place, side="right")) - 1)]
    if name == "qvel":
        return [("velocity", dof_joint(place))]
    if name == "qfrc_applied":
        return [("applied_force", dof_joint(place))]
    if name == "qacc_warmstart":
        return [("warm_start", dof_joint(place))]
    if name == "xfrc_applied":
        return [("external_force", place // 6)]
    if name == "ctrl":
        return [("control", place)]
    if name == "act":
        return [("activation", actuator) for actuator in range(m.nu)
                if m.actuator_actadr[actuator] <= place < m.actuator_actadr[actuator] + m.actuator_actnum[actuator]]
    if name in ("mocap_pos", "mocap_quat"):
        width = 3 if name == "mocap_pos" else 4
        return [("mocap", body) for body in range(m.nbody) if m.body_mocapid[body] == place // width]
    if name == "history":
        found = [(start, "actuator_history", index) for index, start in enumerate(m.actuator_historyadr) if start >= 0]
        found += [(start, "sensor_history", index) for index, start in enumerate(m.sensor_historyadr) if start >= 0]
        start, kind, index = max(item for item in found if item[0] <= place)
        return [(kind, index)]
    if name == "time":
        return [("time", None)]
    return [("motion", None)]


def check(case, name, place, bad):
    """One bad number under each policy; returns whether it led to a reset."""
    what = f"{name}[{place}] = {bad}"
    theirs, ours = case.theirs(), case.ours()
    put(theirs, name, place, bad)
    put(ours, name, place, bad)
    for step in range(2):
        mujoco.mj_step(case.m, theirs)
        condyle.mj_step(case.cm, ours)
        if step == 0:
            report = ours.report
        for compared in COMPARED:
            assert same_bits(getattr(ours, compared), getattr(theirs, compared), any_nan=True), f"{what}: {compared} after step {step + 1}"
        numbers = [stat.number for stat in theirs.warning], [stat.number for stat in ours.warning]
        assert numbers[0] == numbers[1], f"{what}: warnings {numbers}"
        infos = [stat.lastinfo for stat in theirs.warning], [stat.lastinfo for stat in ours.warning]
        assert infos[0] == infos[1], f"{what}: what the warnings are about {infos}"
    found = report.non_finite
    assert (report.resets > 0) == (found is not None), what
    if found is not None:
        assert found.cause in culprits(case.m, name, place), f"{what}: {found}"
        assert found.body == case.m.jnt_bodyid[found.joint] and found.step == 1, f"{what}: {found}"
        assert "joint" in str(found) and "body" in str(found), str(found)
        if found.stage == "acceleration" and name in ("qfrc_applied", "xfrc_applied"):
            assert found.contributions, f"{what}: {found}"
    if report.bad_control is not None:
        assert name in ("ctrl", "history", "time") and (name != "ctrl" or report.bad_control == place), f"{what}: {report}"

    held = case.ours("hold")
    condyle.mj_step(case.cm, held)
    before = full_state(case.cm, held)
    put(held, name, place, bad)
    condyle.mj_step(case.cm, held)
    if held.report.held:
        expected = condyle.MjData(case.cm)
        condyle.mj_setState(case.cm, expected, before, STATE)
        for component in ("qpos", "qvel", "act", "history", "qacc_warmstart", "time"):
            assert same_bits(getattr(held, component), getattr(expected, component), any_nan=True), f"{what}: {component} was not held"
    elif found is not None:
        assert name not in ("qpos", "qvel"), f"{what}: not held"

    failing = case.ours("error")
    put(failing, name, place, bad)
    start = full_state(case.cm, failing)
    if found is not None:
        with pytest.raises(condyle.NonFiniteError, match="joint"):
            condyle.mj_step(case.cm, failing)
        assert same_bits(full_state(case.cm, failing), start, any_nan=True), f"{what}: an error changed the state"
    else:
        condyle.mj_step(case.cm, failing)
    return found is not None


@pytest.mark.parametrize("name", NAMES)
def test_bad_numbers_follow_the_policy_and_name_the_culprit(name):
    case = Case(name)
    sample = case.ours()
    rng = np.random.default_rng(sum(map(ord, name)))
    resets = cases = 0
    for array in case.arrays():
        for place in places(sample, array):
            values = BAD if FULL or array in WRITABLE[:3] else rng.choice(BAD, 1 if array not in WRITABLE else 2, replace=False)
            for bad in values:
                if array == "history" and place in cursors(case.m):
                    ours = case.ours()
                    put(ours, array, place, bad)
                    condyle.mj_step(case.cm, ours, nstep=3)
                    continue
                resets += check(case, array, int(place), float(bad))
                cases += 1
    assert resets > 10 and cases > 60


def test_policies_have_names():
    data = condyle.MjData(condyle.MjModel.from_xml_string("<mujoco/>"))
    assert data.non_finite_policy == "auto_reset"
    data.non_finite_policy = "hold"
    assert data.non_finite_policy == "hold"
    with pytest.raises(ValueError, match="auto_reset"):
        data.non_finite_policy = "ignore"
