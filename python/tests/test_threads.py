"""Islands solved on threads, to the last bit beside the reference, also after a fork."""

import multiprocessing
import pathlib

import mujoco
import numpy as np
import pytest

import condyle

FILE = pathlib.Path(__file__).resolve().parents[2] / "models" / "constraint" / "manyislands.xml"
STEPS = 150


def trajectory(engine, threads=None):
    model = engine.MjModel.from_xml_path(str(FILE))
    data = engine.MjData(model)
    if threads is not None:
        data.threads = threads
    states = []
    for _ in range(STEPS):
        engine.mj_step(model, data)
        states.append(np.concatenate([data.qpos, data.qvel, data.qacc, data.qfrc_constraint]))
    return np.array(states).tobytes(), (model, data)


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
def test_threads_do_not_change_a_bit(threads):
    assert trajectory(condyle, threads)[0] == trajectory(mujoco)[0]


def test_the_number_of_threads_is_kept_by_the_data():
    model = condyle.MjModel.from_xml_path(str(FILE))
    data = condyle.MjData(model)
    assert data.threads == 1
    data.threads = 4
    condyle.mj_resetData(model, data)
    assert data.threads == 4
    with pytest.raises(OverflowError):
        data.threads = -1


def step_in_child(pair, queue):
    model, data = pair
    condyle.mj_step(model, data, nstep=20)
    queue.put(data.qpos.tobytes())


def test_threads_of_the_parent_are_not_waited_for_in_a_forked_child():
    pair = trajectory(condyle, 3)[1]
    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()
    child = context.Process(target=step_in_child, args=(pair, queue))
    child.start()
    child.join(60)
    assert child.exitcode == 0, "the child hangs"
    condyle.mj_step(*pair, nstep=20)
    assert queue.get() == pair[1].qpos.tobytes()
