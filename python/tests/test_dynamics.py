"""Inverse dynamics, derivatives and half steps of own models, to the last bit beside the reference."""

import pathlib

import mujoco
import numpy as np
import pytest
from conftest import assert_same_bits

import condyle

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"
FOLDERS = ("transmission", "actuator", "tendon", "passive", "integrator", "kinematics")
FILES = sorted(path for folder in FOLDERS for path in (MODELS / folder).glob("*.xml"))
STATE = int(mujoco.mjtState.mjSTATE_INTEGRATION)


class Pair:
    """The same state in both engines, some steps into a motion."""

    def __init__(self, path):
        self.m = mujoco.MjModel.from_xml_path(str(path))
        buffer = np.zeros(mujoco.mj_sizeModel(self.m), np.uint8)
        mujoco.mj_saveModel(self.m, None, buffer)
        self.cm = condyle.MjModel.from_binary(buffer.tobytes())
        self.d, self.cd = mujoco.MjData(self.m), condyle.MjData(self.cm)
        self.rng = np.random.default_rng(7)
        for _ in range(12):
            self.d.ctrl[:] = self.rng.uniform(-0.5, 0.5, self.m.nu)
            mujoco.mj_step(self.m, self.d)
        self.d.qvel[:] += 0.3 * self.rng.normal(size=self.m.nv)
        self.state = np.zeros(mujoco.mj_stateSize(self.m, STATE))
        mujoco.mj_getState(self.m, self.d, self.state, STATE)
        self.d = mujoco.MjData(self.m)
        self.restore()

    def restore(self):
        mujoco.mj_setState(self.m, self.d, self.state, STATE)
        condyle.mj_setState(self.cm, self.cd, self.state, STATE)
        self.both("mj_forward")

    def both(self, function, *shapes, args=()):
        """Call a function of both modules with fresh output arrays after model and data, and compare them."""
        ours, theirs = [np.zeros(shape) for shape in shapes], [np.zeros(shape) for shape in shapes]
        getattr(mujoco, function)(self.m, self.d, *theirs, *args)
        getattr(condyle, function)(self.cm, self.cd, *ours, *args)
        for index, (a, b) in enumerate(zip(ours, theirs)):
            assert_same_bits(a, b, f"{function} result {index}")


@pytest.fixture(params=FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def pair(request):
    return Pair(request.param)


@pytest.mark.parametrize("discrete", [False, True], ids=["continuous", "discrete"])
def test_inverse_dynamics_has_the_reference_bits(pair, discrete):
    if discrete:
        if pair.m.opt.integrator == mujoco.mjtIntegrator.mjINT_RK4:
            return
        flag = int(mujoco.mjtEnableBit.mjENBL_INVDISCRETE)
        pair.m.opt.enableflags |= flag
        pair.cm.opt.enableflags |= flag
    pair.both("mj_inverse")
    assert_same_bits(pair.cd.qfrc_inverse, pair.d.qfrc_inverse, "qfrc_inverse")
    if not discrete:
        applied = pair.cd.qfrc_applied + pair.cd.qfrc_actuator
        assert np.allclose(pair.cd.qfrc_inverse, applied, rtol=0, atol=1e-9 * max(1, np.abs(applied).max()))


@pytest.mark.parametrize("centered", [0, 1], ids=["forward", "centered"])
def test_transition_matrices_have_the_reference_bits(pair, centered):
    m = pair.m
    if m.opt.integrator == mujoco.mjtIntegrator.mjINT_RK4 or m.nhistory:
        with pytest.raises(condyle.FatalError):
            condyle.mjd_transitionFD(pair.cm, pair.cd, 1e-6, centered, np.zeros((2 * m.nv + m.na,) * 2))
        return
    n = 2 * m.nv + m.na
    ours = [np.zeros((n, n)), np.zeros((n, m.nu)), np.zeros((m.nsensordata, n)), np.zeros((m.nsensordata, m.nu))]
    theirs = [np.zeros_like(matrix) for matrix in ours]
    condyle.mjd_transitionFD(pair.cm, pair.cd, 1e-6, centered, *ours)
    mujoco.mjd_transitionFD(m, pair.d, 1e-6, centered, *theirs)
    for name, a, b in zip("ABCD", ours, theirs):
        assert_same_bits(a, b, name)


def test_two_half_steps_have_the_reference_bits(pair):
    for _ in range(3):
        pair.both("mj_step1")
        pair.both("mj_step2")
        for name in ("qpos", "qvel", "act", "history", "sensordata"):
            assert_same_bits(getattr(pair.cd, name), getattr(pair.d, name), name)
