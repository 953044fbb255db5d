"""Contract: the Python part of docs/divergences.md."""

import threading

import pytest

import condyle

BALL = """<mujoco><worldbody><geom type="plane" size="0 0 1"/>
<body pos="0 0 .09"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""


def test_arrays_that_follow_contacts_are_copies():
    model = condyle.MjModel.from_xml_string(BALL)
    data = condyle.MjData(model)
    condyle.mj_forward(model, data)
    force, distance = data.efc_force, data.contact.dist
    before = force.copy(), distance.copy()
    force[:] = -1
    assert (data.efc_force == before[0]).all()
    data.qpos[2] = 5
    condyle.mj_forward(model, data)
    assert len(data.contact) == 0 and len(data.efc_force) == 0
    assert (distance == before[1]).all()


def test_every_problem_of_a_file_is_reported():
    text = '<mujoco><worldbody>\n<geom size="1" colour="red"/>\n<geom size="1" shape="round"/>\n</worldbody></mujoco>'
    with pytest.raises(ValueError) as problem:
        condyle.MjModel.from_xml_string(text)
    assert "colour" in str(problem.value) and "shape" in str(problem.value)


def test_one_data_in_two_threads_is_an_error():
    model = condyle.MjModel.from_xml_string(BALL)
    data = condyle.MjData(model)
    problems = []

    def run(steps):
        try:
            condyle.mj_step(model, data, steps)
        except RuntimeError as problem:
            problems.append(str(problem))

    for _ in range(100):
        threads = [threading.Thread(target=run, args=(20_000,)) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if problems:
            break
    assert problems and "another thread" in problems[0]
