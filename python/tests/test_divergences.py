"""Contract: the Python part of docs/divergences.md."""

import threading

import pytest

import condyle

BALL = """<mujoco><worldbody><geom type="plane" size="0 0 1"/>
<body pos="0 0 .09"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""


def test_arrays_that_follow_contacts_are_live_until_the_next_call():
    model = condyle.MjModel.from_xml_string(BALL)
    data = condyle.MjData(model)
    condyle.mj_forward(model, data)
    force, distance = data.efc_force, data.contact.dist
    before = distance.copy()
    force[:] = -1
    assert (data.efc_force == -1).all()
    data.qpos[2] = 5
    condyle.mj_forward(model, data)
    assert len(data.contact) == 0 and len(data.efc_force) == 0
    assert (distance == before).all() and (force == -1).all()


def test_every_problem_of_a_file_is_reported():
    text = '<mujoco><worldbody>\n<geom size="1" colour="red"/>\n<geom size="1" shape="round"/>\n</worldbody></mujoco>'
    with pytest.raises(ValueError) as problem:
        condyle.MjModel.from_xml_string(text)
    assert "colour" in str(problem.value) and "shape" in str(problem.value)


def test_edges_of_a_rigid_flex_keep_their_lengths():
    text = """<mujoco><worldbody><body name="a"><freejoint/><geom size=".1"/></body></worldbody><deformable>
    <flex name="x" dim="1" body="a" vertex="0 0 0 .5 0 0 .75 0 0" element="0 1 1 2"><edge damping="1"/></flex></deformable></mujoco>"""
    assert condyle.MjModel.from_xml_string(text).flexedge_length0.tolist() == [0.5, 0.25]


def test_volumes_of_a_flex_follow_those_of_fused_bodies():
    text = """<mujoco><compiler fusestatic="true"/><worldbody><geom size=".3"/><body><geom size=".1"/></body>
    <flexcomp name="x" dim="1" count="3 1 1"/></worldbody></mujoco>"""
    for bugs in (False, True):
        model = condyle.MjModel.from_xml_string(text, reference_bugs=bugs)
        assert model.flex_bvhadr.tolist() == [model.nbvhstatic]


def test_pins_beyond_the_points_are_an_error():
    text = """<mujoco><worldbody><flexcomp name="x" type="direct" dim="2" dof="trilinear" point="0 0 0 1 0 0 0 1 .5" element="0 1 2">
    <contact selfcollide="none"/><pin grid="%d 0"/></flexcomp></worldbody></mujoco>"""
    assert condyle.MjModel.from_xml_string(text % 0).nv == 21
    with pytest.raises(ValueError, match="outside the grid"):
        condyle.MjModel.from_xml_string(text % 1)


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
