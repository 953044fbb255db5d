"""Access by name or number gives what the reference's gives, in shape, type and value, and writes through."""

import mujoco
import numpy as np
import pytest

import condyle

XML = """
<mujoco model="named">
  <size nuser_jnt="2"/>
  <asset>
    <texture name="tile" type="2d" builtin="checker" width="4" height="4"/>
    <material name="stone" texture="tile"/>
    <hfield name="hill" nrow="2" ncol="3" size="1 1 1 1" elevation="0 1 2 3 4 5"/>
    <mesh name="tetra" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
  </asset>
  <worldbody>
    <geom type="hfield" hfield="hill" pos="0 0 -3"/>
    <body name="trunk" pos="0 0 1">
      <freejoint name="root"/>
      <geom name="ball" size="0.1" material="stone"/>
      <geom name="rock" type="mesh" mesh="tetra"/>
      <site name="eye" pos="0.1 0 0"/>
      <site name="nose" pos="0 0.2 0"/>
      <camera name="front" pos="1 0 0"/>
      <light name="lamp"/>
      <body name="arm" pos="0.3 0 0">
        <joint name="shoulder" type="ball" damping="0.1"/>
        <geom name="upper" size="0.1" pos="0.1 0 0"/>
        <body name="hand" pos="0.2 0 0">
          <joint name="wrist" axis="0 1 0" armature="0.01"/>
          <geom size="0.05" pos="0.1 0 0"/>
          <site name="tip"/>
        </body>
      </body>
    </body>
  </worldbody>
  <contact><exclude name="apart" body1="trunk" body2="hand"/><pair name="touch" geom1="ball" geom2="upper"/></contact>
  <tendon><spatial name="string"><site site="eye"/><site site="tip"/></spatial></tendon>
  <equality><connect name="pin" body1="hand" anchor="0 0 0"/></equality>
  <actuator><motor name="turn" joint="wrist"/><position name="pull" tendon="string" kp="3"/></actuator>
  <sensor><framepos name="where" objtype="body" objname="hand"/><jointpos name="angle" joint="wrist"/></sensor>
  <custom>
    <numeric name="gains" data="1 2 3"/>
    <tuple name="both"><element objtype="body" objname="arm" prm="2"/><element objtype="geom" objname="ball"/></tuple>
  </custom>
  <keyframe><key name="start" time="1"/></keyframe>
</mujoco>
"""

KINDS = (
    "body joint jnt geom site camera cam light mesh hfield texture tex material mat pair exclude equality eq tendon actuator sensor "
    "numeric tuple keyframe key"
).split()


@pytest.fixture
def both():
    pairs = []
    for module in (mujoco, condyle):
        model = module.MjModel.from_xml_string(XML)
        data = module.MjData(model)
        data.qvel[:] = np.linspace(-1, 1, model.nv)
        data.ctrl[:] = (0.3, -0.2)
        module.mj_step(model, data)
        module.mj_forward(model, data)
        pairs.append((model, data))
    return pairs


def attributes(view):
    # These attributes of the reference do not show the object they are asked about.
    odd = {
        "_MjDataActuatorViews": {"moment"},
        "_MjDataJointViews": {"cdof", "cdof_dot"},
        "_MjModelTendonViews": {"_lengthspring"},
        "_MjModelTextureViews": {"adr"},
        "_MjDataTendonViews": {"J_colind"},
    }
    return [
        name
        for name in dir(view)
        if not name.startswith("__") and "pybind" not in name and name not in odd.get(type(view).__name__, ())
    ]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("which", ["model", "data"])
def test_every_attribute_is_that_of_the_reference(both, kind, which):
    (theirs, ours) = [pair[which == "data"] for pair in both]
    if not hasattr(theirs, kind):
        assert not hasattr(ours, kind)
        return
    compared = 0
    for index in range(20):
        try:
            expected = getattr(theirs, kind)(index)
        except IndexError as error:
            with pytest.raises(IndexError) as caught:
                getattr(ours, kind)(index)
            assert str(caught.value) == str(error)
            break
        found = getattr(ours, kind)(index)
        assert type(found).__name__ == type(expected).__name__
        if expected.name:
            assert getattr(ours, kind)(expected.name).id == index
        for name in attributes(expected):
            a, b = getattr(found, name), getattr(expected, name)
            if isinstance(b, np.ndarray):
                assert (a.shape, a.dtype) == (b.shape, b.dtype), f"{kind} {index} {name}"
                np.testing.assert_array_equal(a, b, err_msg=f"{kind} {index} {name}")
            else:
                assert a == b
            compared += 1
    assert compared > 0


@pytest.mark.parametrize("name", ["", "nobody", "Trunk"])
def test_a_wrong_name_lists_the_right_ones(both, name):
    for kind in ("body", "joint", "geom", "mesh", "keyframe"):
        messages = []
        for model, _ in both:
            with pytest.raises(KeyError) as caught:
                getattr(model, kind)(name)
            messages.append(str(caught.value))
        assert messages[0] == messages[1]


def test_assignment_writes_through(both):
    for model, data in both:
        data.joint("shoulder").qpos = (0, 1, 0, 0)
        data.joint("shoulder").qvel[1] = 7
        data.actuator(1).ctrl = 4
        data.body("hand").xfrc_applied[2] = 5
        model.body("arm").mass = 9
        with pytest.raises(ValueError):
            data.joint("shoulder").qpos = (0, 1, 0)
        with pytest.raises(AttributeError):
            model.body("arm").id = 3
        with pytest.raises(AttributeError):
            data.actuator(1).speed = 3
    (theirs, reference), (ours, data) = both
    for name in ("qpos", "qvel", "ctrl", "xfrc_applied"):
        np.testing.assert_array_equal(getattr(data, name), getattr(reference, name))
    assert ours.body_mass[2] == theirs.body_mass[2] == 9


def test_the_text_of_a_view_is_that_of_the_reference(both):
    (_, reference), (_, data) = both
    assert repr(data.body("trunk")) == repr(reference.body("trunk"))
    assert repr(data.geom("ball")) == repr(reference.geom("ball"))
