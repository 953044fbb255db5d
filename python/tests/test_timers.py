"""`data.timer`: how often each stage ran, as in the reference, and how long when a clock is set."""

import itertools
import pathlib
import time

import mujoco
import numpy as np
import pytest

import condyle

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"
FILES = ["bench/figure.xml", "constraint/island.xml", "constraint/pgspyramidal.xml", "kinematics/joints.xml"]
INTEGRATORS = ["EULER", "RK4", "IMPLICIT", "IMPLICITFAST"]


def both(name):
    path = str(MODELS / name)
    models = [engine.MjModel.from_xml_path(path) for engine in (mujoco, condyle)]
    return [(engine, m, engine.MjData(m)) for engine, m in zip((mujoco, condyle), models)]


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("name", FILES)
def test_stages_are_counted_as_in_the_reference(name, integrator):
    counts = []
    for engine, m, d in both(name):
        m.opt.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator}")
        engine.mj_step(m, d, nstep=7)
        engine.mj_forward(m, d)
        engine.mj_inverse(m, d)
        engine.mj_step1(m, d)
        engine.mj_step2(m, d)
        counts.append([d.timer[i].number for i in range(len(d.timer))])
        assert np.array_equal(d.timer.number, counts[-1])
        engine.mj_resetData(m, d)
        assert not np.any(d.timer.number)
    assert counts[0] == counts[1]


def test_durations_need_a_clock():
    (_, m, d), (_, cm, cd) = both("bench/figure.xml")
    mujoco.mj_step(m, d)
    condyle.mj_step(cm, cd)
    assert d.timer[0].duration > 0 and cd.timer[0].duration == 0
    condyle.set_mjcb_time(time.perf_counter)
    try:
        condyle.mj_step(cm, cd)
    finally:
        condyle.set_mjcb_time(None)
    assert 0 < cd.timer[0].duration < 1


def test_a_clock_that_ticks_with_every_look_shows_which_stage_contains_which():
    for engine, m, d in both("bench/figure.xml"):
        ticks = itertools.count()
        engine.set_mjcb_time(lambda: float(next(ticks)))
        try:
            engine.mj_step(m, d)
        finally:
            engine.set_mjcb_time(None)
        step, forward, position = (d.timer[i].duration for i in (0, 1, 3))
        assert step > forward > position > 0
        engine.mj_step(m, d)
        assert d.timer[0].duration == step and d.timer[0].number == 2


def test_an_exception_of_the_clock_is_raised():
    _, (engine, m, d) = both("bench/figure.xml")
    engine.set_mjcb_time(lambda: 1 / 0)
    try:
        with pytest.raises(ZeroDivisionError):
            engine.mj_step(m, d)
    finally:
        engine.set_mjcb_time(None)
