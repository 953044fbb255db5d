"""States, constants, copies, pickles, callbacks and saving, beside the reference."""

import copy
import pickle

import mujoco
import numpy as np
import pytest

import condyle

XML = """
<mujoco model="surface">
  <worldbody>
    <geom type="plane" size="0 0 1"/>
    <body name="cart" pos="0 0 0.3">
      <joint name="slide" type="slide" axis="1 0 0"/>
      <geom type="box" size="0.1 0.1 0.1"/>
      <body name="pole" pos="0 0 0.1">
        <joint name="hinge" axis="0 1 0"/>
        <geom name="rod" type="capsule" size="0.03" fromto="0 0 0 0 0 0.6"/>
      </body>
    </body>
    <body pos="0.5 0 0.05"><freejoint/><geom name="ball" size="0.06"/></body>
  </worldbody>
  <actuator>
    <motor name="push" joint="slide"/>
    <general name="user" joint="hinge" dyntype="user" gaintype="user" biastype="user" actdim="1"/>
  </actuator>
  <sensor><user name="any" dim="2" needstage="vel"/><jointpos joint="hinge"/></sensor>
</mujoco>
"""
MODULES = (mujoco, condyle)


def made(module):
    model = module.MjModel.from_xml_string(XML)
    data = module.MjData(model)
    data.qvel[:] = np.linspace(-1, 1, model.nv)
    return model, data


@pytest.fixture(autouse=True)
def no_callbacks():
    yield
    for module in MODULES:
        for point in ("control", "passive", "sensor", "act_dyn", "act_gain", "act_bias", "contactfilter"):
            getattr(module, f"set_mjcb_{point}")(None)


def test_state_is_copied_and_extracted_as_by_the_reference():
    results = []
    for module in MODULES:
        model, data = made(module)
        module.mj_step(model, data, 3)
        other = module.MjData(model)
        both = module.mjtState.mjSTATE_QPOS | module.mjtState.mjSTATE_QVEL
        module.mj_copyState(model, data, other, int(both))
        full = int(module.mjtState.mjSTATE_INTEGRATION)
        state = np.zeros(module.mj_stateSize(model, full))
        module.mj_getState(model, data, state, full)
        part = np.zeros(module.mj_stateSize(model, int(both)))
        module.mj_extractState(model, state, full, part, int(both))
        with pytest.raises(Exception):
            module.mj_extractState(model, part, int(both), state, full)
        results.append(np.concatenate([other.qpos, other.qvel, [other.time], part]))
    np.testing.assert_array_equal(*results)


def test_constants_follow_an_edited_model():
    results = []
    for module in MODULES:
        model, data = made(module)
        model.body("pole").mass = 7
        model.qpos0[1] = 0.4
        module.mj_setConst(model, data)
        results.append(np.concatenate([model.dof_invweight0, model.body_subtreemass, model.dof_M0]))
    np.testing.assert_array_equal(*results)


def test_copies_and_pickles_go_on_alike():
    model, data = made(condyle)
    condyle.mj_step(model, data, 20)
    others = [copy.copy(data), copy.deepcopy(data), pickle.loads(pickle.dumps(data))]
    again = pickle.loads(pickle.dumps(model))
    assert again.to_binary() == model.to_binary()
    condyle.mj_step(model, data, 20)
    for other in others:
        condyle.mj_step(other.model, other, 20)
        np.testing.assert_array_equal(other.qpos, data.qpos)
        assert other.ncon == data.ncon


def test_callbacks_are_called_where_the_reference_calls_them():
    results = []
    for module in MODULES:
        model, data = made(module)
        calls = []

        def control(m, d):
            calls.append("control")
            d.ctrl[:] = (np.sin(d.time) - d.qpos[0], 0.5)

        def passive(m, d):
            calls.append("passive")
            d.qfrc_passive[0] += 0.25

        def sensor(m, d, stage):
            calls.append(f"sensor {int(stage)}")
            if int(stage) == 2:
                d.sensordata[:2] = d.qvel[:2]

        module.set_mjcb_control(control)
        module.set_mjcb_passive(passive)
        module.set_mjcb_sensor(sensor)
        module.set_mjcb_act_dyn(lambda m, d, i: float(d.ctrl[i] - 2))
        module.set_mjcb_act_gain(lambda m, d, i: 3.0 + d.time)
        module.set_mjcb_act_bias(lambda m, d, i: -float(d.qvel[1]))
        module.set_mjcb_contactfilter(lambda m, d, g1, g2: int(g1 == 0 and g2 == 3))
        assert module.get_mjcb_control() is control
        module.mj_step(model, data, 10)
        kept = [call for call in calls if not call.startswith("sensor") or call == "sensor 2"]
        results.append((kept, np.concatenate([data.qpos, data.qvel, data.act, data.sensordata]), data.ncon))
        for point in ("control", "passive", "sensor", "act_dyn", "act_gain", "act_bias", "contactfilter"):
            getattr(module, f"set_mjcb_{point}")(None)
    assert results[0][0] == results[1][0]
    np.testing.assert_array_equal(results[0][1], results[1][1])
    assert results[0][2] == results[1][2]


def test_an_exception_in_a_callback_reaches_the_caller():
    model, data = made(condyle)

    def control(m, d):
        raise KeyError("no such motor")

    condyle.set_mjcb_control(control)
    with pytest.raises(KeyError, match="no such motor"):
        condyle.mj_step(model, data, 100)
    assert data.time < 0.005
    condyle.set_mjcb_control(None)
    condyle.mj_step(model, data)
    with pytest.raises(TypeError):
        condyle.set_mjcb_control(3)


def test_a_callback_may_use_the_simulation():
    model, data = made(condyle)
    seen = []
    condyle.set_mjcb_control(lambda m, d: seen.append(condyle.mj_stateSize(m, 2) and d.snapshot() is not None))
    condyle.mj_step(model, data)
    assert seen == [True]


def test_a_model_is_saved_as_text_and_read_by_both(tmp_path):
    model, _ = made(condyle)
    assert condyle.MjModel.from_xml_string(model.to_xml()).to_binary() == model.to_binary()
    path = tmp_path / "saved.xml"
    condyle.mj_saveLastXML(str(path), model)
    theirs = mujoco.MjModel.from_xml_path(str(path))
    first = mujoco.MjModel.from_xml_string(XML)
    for name in ("body_mass", "body_inertia", "geom_pos", "jnt_axis", "dof_invweight0", "actuator_gainprm"):
        np.testing.assert_array_equal(getattr(theirs, name), getattr(first, name))


def test_textures_go_to_assets():
    xml = XML.replace(
        "<worldbody>",
        '<asset><texture name="t" type="2d" builtin="checker" width="4" height="4" rgb1="1 0 0"/>'
        '<texture type="skybox" builtin="gradient" width="4" height="24"/></asset><worldbody>',
    )
    model = condyle.MjModel.from_xml_string(xml)
    assets = {}
    again = condyle.MjModel.from_xml_string(model.to_xml(assets), assets)
    assert sorted(name.rsplit(".")[-1] for name in assets) == ["png"] * 7
    np.testing.assert_array_equal(again.tex_data, model.tex_data)


def test_models_and_data_have_a_short_text():
    model, data = made(condyle)
    assert repr(model) == "<MjModel 'surface': 3 bodies, 3 joints, 8 dofs, 4 geoms, 2 actuators, 2 sensors>"
    assert len(str(data)) < 100 and "surface" in str(data)
    assert data.timer[0].number == 0 and data.solver[0].improvement == 0
    condyle.mj_step(model, data)
    assert data.maxuse_con == data.ncon and data.solver.improvement.shape == (4000,)


def test_a_state_of_another_length_is_refused_in_mujocos_words():
    model = condyle.MjModel.from_xml_string("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>")
    with pytest.raises(TypeError) as caught:
        condyle.mj_getState(model, condyle.MjData(model), np.zeros(5), condyle.mjtState.mjSTATE_QPOS)
    assert str(caught.value) == "state size should equal mj_stateSize(m, sig)"
    if hasattr(caught.value, "__notes__"):
        assert caught.value.__notes__ == ["it should be 1 and is 5"]
