"""Which geoms collide while Python functions are called in the step, beside the reference."""

import mujoco
import numpy as np
import pytest

import condyle

# Boxes that all overlap; some have masks that do not meet, two are an explicit pair, two bodies are excluded.
XML = """
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body name="a" pos="0 0 .1"><freejoint/><geom name="a1" type="box" size=".2 .2 .2"/>
      <geom name="a2" size=".2" contype="2" conaffinity="2"/></body>
    <body name="b" pos=".1 0 .2"><freejoint/><geom name="b1" size=".2"/><geom name="b2" size=".2" contype="4" conaffinity="1"/></body>
    <body name="c" pos="0 .1 .2"><freejoint/><geom name="c1" type="capsule" size=".1 .2" contype="2" conaffinity="3"/></body>
    <body name="d" pos="0 0 .3"><freejoint/><geom name="d1" size=".2"/></body>
  </worldbody>
  <contact><pair geom1="a1" geom2="d1"/><exclude body1="b" body2="d"/></contact>
</mujoco>"""


# The reference cannot compile a model while a function is set.
MODELS = {module: module.MjModel.from_xml_string(XML) for module in (mujoco, condyle)}


def contact_list(module):
    model = MODELS[module]
    data = module.MjData(model)
    module.mj_forward(model, data)
    return np.array(data.contact.geom), np.array(data.contact.dist)


@pytest.fixture(autouse=True)
def nothing_stays_set():
    yield
    for module in (mujoco, condyle):
        module.set_mjcb_contactfilter(None)
        module.set_mjcb_control(None)


def assert_same():
    (geoms, distances), (their_geoms, their_distances) = contact_list(condyle), contact_list(mujoco)
    np.testing.assert_array_equal(geoms, their_geoms)
    np.testing.assert_array_equal(distances, their_distances)
    return len(geoms)


def test_masks_decide_while_another_function_is_set():
    plain = assert_same()
    for module in (mujoco, condyle):
        module.set_mjcb_control(lambda m, d: None)
    assert assert_same() == plain


@pytest.mark.parametrize("rule", [lambda a, b: False, lambda a, b: True, lambda a, b: (a + b) % 2, lambda a, b: a == 0])
def test_a_filter_decides_in_place_of_the_masks(rule):
    asked = {}
    for module in (mujoco, condyle):
        calls = asked[module] = []

        def function(m, d, geom1, geom2, calls=calls):
            calls.append((geom1, geom2))
            return int(rule(geom1, geom2))

        module.set_mjcb_contactfilter(function)
    assert_same()
    assert asked[condyle] == asked[mujoco] and len(asked[condyle]) > 5
