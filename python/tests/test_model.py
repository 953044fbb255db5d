"""MJB files, array views and state vectors beside the reference."""

import copy
import gc
import pickle
import weakref

import mujoco
import numpy as np
import pytest

import condyle

XML = """
<mujoco model="two links">
  <worldbody>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0 0 -.5" size=".05"/>
      <body name="lower" pos="0 0 -.5">
        <joint name="elbow" type="ball"/>
        <geom type="box" size=".1 .2 .3"/>
      </body>
    </body>
  </worldbody>
  <keyframe><key qpos=".1 1 0 0 0" qvel="1 2 3 4"/></keyframe>
</mujoco>
"""


@pytest.fixture
def models():
    theirs = mujoco.MjModel.from_xml_string(XML)
    return theirs, condyle.MjModel.from_binary(saved(theirs))


def saved(model):
    buffer = np.zeros(mujoco.mj_sizeModel(model), np.uint8)
    mujoco.mj_saveModel(model, None, buffer)
    return buffer.tobytes()


def test_binary_round_trip_is_byte_identical(models):
    theirs, ours = models
    assert ours.to_binary() == saved(theirs)
    assert condyle.mj_sizeModel(ours) == mujoco.mj_sizeModel(theirs)


def test_every_array_has_the_references_shape_and_type(models):
    theirs, ours = models
    for name, dtype, *_ in condyle.MjModel._array_table():
        expected = getattr(theirs, name)
        if isinstance(expected, bytes):
            assert getattr(ours, name) == expected
            continue
        assert getattr(ours, name).shape == expected.shape, name
        if name != "plugin_attr":
            assert getattr(ours, name).dtype == expected.dtype, name
        np.testing.assert_array_equal(getattr(ours, name), expected, err_msg=name)


def test_every_data_array_has_the_references_shape_and_type(models):
    theirs, ours = models
    a, b = mujoco.MjData(theirs), condyle.MjData(ours)
    for name, _, _, _, _, _, grows in condyle.MjData._array_table():
        if not grows:
            assert getattr(b, name).shape == getattr(a, name).shape, name
            assert getattr(b, name).dtype == getattr(a, name).dtype, name


def test_views_are_live_and_keep_their_owner_alive(models):
    _, ours = models
    data = condyle.MjData(ours)
    view = data.qpos
    view[0] = 0.25
    assert data.qpos[0] == 0.25
    data.qpos = 3 * np.ones(ours.nq)
    assert view[1] == 3
    del data
    gc.collect()
    view[:] = 7
    assert (view == 7).all()


def test_options_are_live(models):
    _, ours = models
    ours.opt.timestep = 0.005
    ours.opt.gravity[2] = -1
    assert ours.opt.timestep == 0.005 and ours.opt.gravity[2] == -1
    assert ours.vis.global_.bvactive == 1
    ours.vis.global_.bvactive = 0
    assert ours.vis.global_.bvactive == 0


def test_keyframe_and_state_vectors_agree(models):
    theirs, ours = models
    a, b = mujoco.MjData(theirs), condyle.MjData(ours)
    mujoco.mj_resetDataKeyframe(theirs, a, 0)
    condyle.mj_resetDataKeyframe(ours, b, 0)
    for signature in (1, 30, 8223, 8128, 16383):
        x, y = np.zeros(mujoco.mj_stateSize(theirs, signature)), np.zeros(condyle.mj_stateSize(ours, signature))
        mujoco.mj_getState(theirs, a, x, signature)
        condyle.mj_getState(ours, b, y, condyle.mjtState(signature))
        np.testing.assert_array_equal(x, y)


def test_models_copy_and_pickle(models):
    _, ours = models
    for other in (copy.copy(ours), copy.deepcopy(ours), pickle.loads(pickle.dumps(ours))):
        assert other.to_binary() == ours.to_binary()
        other.body_mass[1] = 99
        assert ours.body_mass[1] != 99


def test_unknown_names_are_attribute_errors(models):
    _, ours = models
    with pytest.raises(AttributeError):
        ours.body_positon
    with pytest.raises(AttributeError):
        condyle.MjData(ours).qposs


def test_truncated_and_lying_files_are_errors_with_an_offset(models):
    theirs, _ = models
    data = bytearray(saved(theirs))
    with pytest.raises(ValueError, match="byte"):
        condyle.MjModel.from_binary(bytes(data[:-1]))
    data[20:28] = (2**40).to_bytes(8, "little")
    with pytest.raises(ValueError, match="byte"):
        condyle.MjModel.from_binary(bytes(data))


def test_warnings_are_counted_as_the_reference_counts_them(models):
    theirs, ours = models
    a, b = mujoco.MjData(theirs), condyle.MjData(ours)
    a.qvel[1] = b.qvel[1] = 1e12
    mujoco.mj_step(theirs, a)
    condyle.mj_step(ours, b)
    assert len(b.warning) == len(a.warning)
    for kind in condyle.mjtWarning:
        if kind < len(a.warning):
            assert b.warning[kind].number == a.warning[int(kind)].number, kind
            assert b.warning[kind].lastinfo == a.warning[int(kind)].lastinfo, kind
    assert b.warning.number.sum() == 1


def test_enumerations_have_the_references_values():
    for name in dir(condyle):
        kind = getattr(condyle, name)
        if name.startswith("mjt") and hasattr(kind, "__members__"):
            expected = getattr(mujoco, name).__members__
            for member, value in kind.__members__.items():
                assert int(expected[member]) == int(value), (name, member)


def test_arrays_outlive_their_owner_and_do_not_keep_it(models):
    model = copy.copy(models[1])
    data = condyle.MjData(model)
    data.qvel[:] = 3.0
    speeds, masses, options = data.qvel, model.body_mass, model.opt
    owners = weakref.ref(model), weakref.ref(data)
    expected = masses.copy()
    del model, data
    gc.collect()
    assert [owner() for owner in owners] == [None, None]
    assert (speeds == 3.0).all() and (masses == expected).all() and options.timestep > 0


def test_every_attribute_is_listed_once_and_found(models):
    model = models[1]
    data = condyle.MjData(model)
    for thing in (model, data):
        names = dir(thing)
        assert len(names) == len(set(names))
        for name in names:
            getattr(thing, name)
    assert {"qpos", "time", "ncon", "contact", "efc_force"} <= set(dir(data))
    assert {"nq", "opt", "body_mass"} <= set(dir(model))
