"""Records, lists of records and what views of contacts and constraint rows show, beside MuJoCo."""

import copy
import pickle

import mujoco
import numpy as np
import pytest

import condyle

XML = """
<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body pos="0 0 .09"><freejoint/><geom name="box" type="box" size=".1 .1 .1"/></body>
    <body pos="1 0 .05"><freejoint/><geom name="ball" size=".1"/></body>
  </worldbody>
</mujoco>
"""
CLASSES = ["MjOption", "MjStatistic", "MjContact", "MjLROpt", "MjWarningStat", "MjTimerStat", "MjSolverStat"]


def world(module=condyle):
    model = module.MjModel.from_xml_string(XML)
    data = module.MjData(model)
    module.mj_forward(model, data)
    return model, data


@pytest.mark.parametrize("name", CLASSES)
def test_records_are_those_of_mujoco(name):
    ours, theirs = getattr(condyle, name)(), getattr(mujoco, name)()
    assert repr(ours) == repr(theirs) == str(ours)
    field = next(field for field in ours._names() if np.ndim(getattr(ours, field)) == 0)
    other = getattr(condyle, name)()
    assert ours == other and not ours != other
    setattr(ours, field, 3)
    assert ours != other and ours != 5
    for copied in (copy.copy(ours), copy.deepcopy(ours), pickle.loads(pickle.dumps(ours))):
        assert copied == ours and type(copied) is type(ours)
        setattr(copied, field, 4)
        assert copied != ours
    with pytest.raises(TypeError):
        hash(ours)
    with pytest.raises(AttributeError):
        ours.no_such_field = 1
    with pytest.raises(TypeError, match=field):
        setattr(ours, field, "text")

    class Mine(getattr(condyle, name)):
        extra = 1

    assert repr(Mine()).startswith("<Mine") and Mine().extra == 1


def test_options_statistics_and_view_settings_are_live():
    model, _ = world()
    opt, vis = model.opt, model.vis
    model.opt.timestep, model.opt.gravity = 0.5, 2
    model.vis.global_.fovy = 70
    assert opt.timestep == 0.5 and opt.gravity.tolist() == [2, 2, 2] and vis.global_.fovy == 70
    # MuJoCo prints the colours of a model that is gone as empty.
    shown, expected = (repr(world(module)[0].vis).split("rgba:")[0] for module in (condyle, mujoco))
    assert shown == expected
    assert copy.copy(vis) == vis and pickle.loads(pickle.dumps(vis)) == vis
    with pytest.raises(AttributeError):
        model.opt = condyle.MjOption()


def test_the_view_of_warnings_is_live():
    model, data = world()
    numbers = data.warning.number
    data.qpos[0] = np.nan
    condyle.mj_step(model, data)
    assert numbers[condyle.mjtWarning.mjWARN_BADQPOS] == 1 == data.warning[condyle.mjtWarning.mjWARN_BADQPOS].number
    condyle.mj_resetData(model, data)
    assert not numbers.any()


def test_lists_of_contacts_are_those_of_mujoco():
    (_, ours), (_, theirs) = world(), world(mujoco)
    assert repr(ours.contact) == repr(theirs.contact) and len(ours.contact) == 5
    assert [contact.dist for contact in ours.contact[1:4]] == [contact.dist for contact in theirs.contact][1:4]
    for name in ours.contact[0]._names():
        np.testing.assert_array_equal(getattr(ours.contact, name), getattr(theirs.contact, name))
    assert ours.contact[:2] != ours.contact[:3] and ours.contact[:] == ours.contact and ours.contact != ours.warning
    assert ours.contact[-1].geom2 == theirs.contact[4].geom2
    with pytest.raises(IndexError):
        ours.contact[5]


def test_contacts_and_rows_are_written_and_keep_their_memory_when_the_simulation_goes_on():
    model, data = world()
    contact, force = data.contact[0], data.efc_force
    data.contact[0].pos = [7, 8, 9]
    force[0] = 123
    assert contact.pos.tolist() == [7, 8, 9] and data.efc_force[0] == 123
    solved = np.zeros(model.nv)
    condyle.mj_mulJacTVec(model, data, solved, force)
    shown = force.copy()
    for _ in range(50):
        data.qpos[2] += 0.01
        condyle.mj_step(model, data)
    np.testing.assert_array_equal(force, shown)
    assert contact.pos.tolist() == [7, 8, 9]
    assert all(contact.pos.tolist() != [7, 8, 9] for contact in data.contact)


def sliding(module):
    """A box and a ball that slide on the plane: elliptic contacts in the middle zone of their cones."""
    model = module.MjModel.from_xml_string(XML.replace("<worldbody>", '<option cone="elliptic"/><worldbody>'))
    data = module.MjData(model)
    data.qvel[:2] = data.qvel[6:8] = 2
    module.mj_forward(model, data)
    return model, data


def test_hessians_of_the_solver_belong_to_their_contacts():
    (model, ours), (_, theirs) = sliding(condyle), sliding(mujoco)
    found = [contact.H.copy() for contact in ours.contact]
    in_cone = [bool(hessian.any()) for hessian in found]
    assert any(in_cone)
    for index, hessian in enumerate(found):
        if in_cone[index]:
            np.testing.assert_array_equal(hessian[:9], theirs.contact[index].H[:9])
    np.testing.assert_array_equal(ours.contact.H, found)
    np.testing.assert_array_equal(ours.contact[1:3].H, found[1:3])
    for same in (pickle.loads(pickle.dumps(ours)), copy.deepcopy(ours)):
        assert same.contact == ours.contact and np.array_equal(same.contact.H, found)
    first = in_cone.index(True)
    single = copy.copy(ours.contact[first])
    assert single == ours.contact[first] and single == pickle.loads(pickle.dumps(single))
    kept = ours.contact[first]
    ours.contact[first].H = np.arange(36)
    assert kept.H[35] == 35 and kept != single
    condyle.mj_addContact(model, ours, single)
    np.testing.assert_array_equal(ours.contact[-1].H, found[first])
    for _ in range(20):
        ours.qpos[2] += 0.01
        condyle.mj_step(model, ours)
    assert kept.H[35] == 35


def test_hessians_are_zero_where_the_solver_made_none():
    _, data = world()
    assert data.contact.H.shape == (5, 36) and not data.contact.H.any()
    assert not data.contact[0].H.any() and not copy.copy(data.contact[0]).H.any()


def test_a_write_reaches_the_next_call():
    """What is written to constraint rows is what a function called next reads."""
    results = []
    for module in (mujoco, condyle):
        model, data = world(module)
        data.efc_J[...] *= 2
        result = np.zeros(model.nv)
        module.mj_mulJacTVec(model, data, result, np.ones(data.nefc))
        results.append(result)
    np.testing.assert_array_equal(*results)


def test_fields_are_on_the_classes_with_their_meaning():
    for name in ("MjModel", "MjData"):
        ours, theirs = getattr(condyle, name), getattr(mujoco, name)
        missing = [field for field in dir(theirs) if not field.startswith("_") and not hasattr(ours, field)]
        assert missing in ([], ["bind", "bind_scalar"], ["bind"], ["bind_scalar"]), missing
        assert ours._all_fields and set(theirs._all_fields) <= set(ours._all_fields)
    assert "Array of float64, shape (nq)." in condyle.MjModel.qpos0.__doc__ and "(nbody, 3)" in condyle.MjData.xpos.__doc__
    assert condyle.MjModel._size_fields == mujoco.MjModel._size_fields


def test_named_rows_are_the_same_objects():
    model, data = world()
    assert model.geom("box") is model.geom(1) is model.geom(b"box")
    assert data.geom("box").xpos is data.geom(1).xpos
    row = model.geom("box")
    del model
    assert row.size[0] == 0.1
    model, _ = world()
    with pytest.raises(KeyError, match="Invalid name 'none'"):
        model.geom("none")


def test_a_deep_copy_has_a_model_of_its_own():
    model, data = world()
    assert copy.copy(data).model is model
    other = copy.deepcopy({"model": model, "data": data})
    assert other["data"].model is not model and other["data"].model is other["model"]


def test_a_pickle_shows_contacts_rows_and_warnings():
    model, data = world()
    data.warning[2].number = 4
    other = pickle.loads(pickle.dumps(data))
    assert other.contact == data.contact and other.warning == data.warning and other.nefc == data.nefc
    np.testing.assert_array_equal(other.efc_J, data.efc_J)


def test_no_name_is_missing():
    drawing = ("mjv_", "mjr_", "Mjv", "Mjr", "Renderer", "GLContext")
    editing = ("Mjs", "MjSpec", "MjStruct", "from_zip", "to_zip")
    modules = {"ctypes", "os", "platform", "subprocess", "warnings", "zipfile", "glfw", "gl_context", "renderer"}
    typing = {"Any", "IO", "Sequence", "TypeAlias", "Union"}
    folders = {"HEADERS_DIR", "PLUGINS_DIR", "PLUGIN_HANDLES"}
    vectors = {f"Mj{kind}Vec" for kind in ("Byte", "Char", "Double", "Float", "Int", "String")}
    left_out = modules | typing | folders | vectors | {"mj_printScene", "mj_printFormattedScene"}
    missing = [
        name for name in dir(mujoco)
        if not name.startswith(("_", *drawing, *editing)) and name not in left_out and not hasattr(condyle, name)
    ]  # fmt: skip
    assert missing == []
