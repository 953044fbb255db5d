"""Explanations of pairs and reports of contacts, beside the contacts and forces of the reference."""

import itertools
import json
import pathlib

import mujoco
import numpy as np
import pytest

import condyle

MODELS = pathlib.Path(__file__).resolve().parent.parent.parent / "models"
NAMES = [
    "bench/pile", "bench/cubes", "bench/figure", "contact/exclude", "contact/pair", "contact/margin", "contact/mesh",
    "contact/hfield", "contact/manygeoms", "contact/nomidphase", "contact/plane", "contact/sdf", "contact/elliptic6",
    "contact/pyramidal4", "constraint/noslip", "contact/libccdmulti",
]  # fmt: skip


def both(name, steps):
    """The reference's model and data, and ours in the same state."""
    theirs = mujoco.MjModel.from_xml_path(str(MODELS / f"{name}.xml"))
    buffer = np.zeros(mujoco.mj_sizeModel(theirs), np.uint8)
    mujoco.mj_saveModel(theirs, None, buffer)
    ours = condyle.MjModel.from_binary(buffer.tobytes())
    data, our_data = mujoco.MjData(theirs), condyle.MjData(ours)
    mujoco.mj_step(theirs, data, nstep=steps)
    our_data.qpos[:], our_data.qvel[:] = data.qpos, data.qvel
    mujoco.mj_forward(theirs, data)
    condyle.mj_forward(ours, our_data)
    return theirs, data, ours, our_data


@pytest.mark.parametrize("name", NAMES)
def test_a_pair_is_said_to_collide_exactly_when_the_reference_has_a_contact(name):
    for steps in (0, 60, 200):
        theirs, data, ours, our_data = both(name, steps)
        touching = {tuple(sorted(pair)) for pair in data.contact.geom.tolist()}
        active = {tuple(sorted(c.geom)) for c in data.contact if c.exclude == 0}
        for pair in itertools.combinations(range(min(theirs.ngeom, 60)), 2):
            said = condyle.explain_pair(ours, our_data, *pair)
            assert said.collides == (pair in touching), str(said)
            assert said.active == (pair in active), str(said)
            assert said.collides or said.stopped_by, str(said)


@pytest.mark.parametrize("name", NAMES)
def test_reported_forces_are_the_references_in_world_axes(name):
    theirs, data, ours, our_data = both(name, 150)
    reports = condyle.contacts(ours, our_data)
    assert len(reports) == data.ncon
    wrench, velocity = np.zeros(6), np.zeros(6)
    for index, report in enumerate(reports):
        contact = data.contact[index]
        mujoco.mj_contactForce(theirs, data, index, wrench)
        frame = contact.frame.reshape(3, 3)
        scale = 1e-9 * (1 + np.abs(wrench).max())
        np.testing.assert_allclose(report.force_on_geom2, frame.T @ wrench[:3], rtol=0, atol=scale)
        np.testing.assert_allclose(report.torque_on_geom2, frame.T @ wrench[3:], rtol=0, atol=scale)
        np.testing.assert_array_equal(report.force_on_geom1, -report.force_on_geom2)
        np.testing.assert_array_equal(report.normal, contact.frame[:3])
        np.testing.assert_array_equal(report.point, contact.pos)
        assert (report.geom1, report.geom2, report.distance) == (*contact.geom, contact.dist)
        assert report.geom1_name in (theirs.geom(report.geom1).name, f"{report.body1_name}/geom#{report.geom1}")
        # Surface velocities from the bodies' own.
        surface = []
        for body in (report.body1, report.body2):
            mujoco.mj_objectVelocity(theirs, data, mujoco.mjtObj.mjOBJ_XBODY, body, velocity, 0)
            surface.append(velocity[3:] + np.cross(velocity[:3], contact.pos - data.xpos[body]))
        relative = surface[1] - surface[0]
        along = relative @ report.normal
        np.testing.assert_allclose(report.slip, relative - along * report.normal, atol=1e-9)
        assert abs(report.normal_velocity - along) < 1e-9


def test_explanations_print_and_are_json():
    theirs, data, ours, our_data = both("bench/figure", 100)
    said = condyle.explain_pair(ours, our_data, 0, 1)
    parsed = json.loads(said.to_json())
    assert parsed["collides"] == said.collides and len(parsed["steps"]) == len(said.steps)
    assert said.steps[0].rule == "flags" and "disableflags" in said.steps[0].numbers
    assert said.summary in str(said) and said.summary in repr(said)
    named = theirs.geom(0).name
    if named:
        assert str(condyle.explain_pair(ours, our_data, named, 1)) == str(said)


def test_contacts_print_as_a_table_and_are_json():
    _, data, ours, our_data = both("bench/pile", 200)
    reports = condyle.contacts(ours, our_data)
    lines = str(reports).splitlines()
    assert len(lines) == data.ncon + 1 and "geom1 -> geom2" in lines[0]
    parsed = json.loads(reports.to_json())
    assert [entry["distance"] for entry in parsed] == [report.distance for report in reports]
    assert parsed[0]["geom2"]["force"] == reports[0].force_on_geom2.tolist()
    empty = condyle.MjData(ours)
    assert str(condyle.contacts(ours, empty)) == "no contacts"


def test_a_geom_that_is_not_there_is_refused():
    _, _, ours, our_data = both("bench/pile", 0)
    with pytest.raises(KeyError, match="teapot"):
        condyle.explain_pair(ours, our_data, "teapot", 0)
    with pytest.raises(IndexError):
        condyle.explain_pair(ours, our_data, 0, 10_000)
    with pytest.raises(ValueError, match="itself"):
        condyle.explain_pair(ours, our_data, 0, 0)
