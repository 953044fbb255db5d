"""Closed-form contacts of every pair of shapes, to the last bit beside the reference."""

import mujoco
import numpy as np
import pytest
from configurations import COUNT, assert_same_contacts, contacts, pair_records

from condyle import _condyle

PAIRS = [
    "plane_sphere", "plane_capsule", "plane_cylinder", "plane_box", "sphere_sphere", "sphere_capsule",
    "sphere_cylinder", "sphere_box", "capsule_capsule", "capsule_box", "box_box",
]  # fmt: skip


def reference_contacts(shape1, shape2, records):
    first = f'<geom name="first" type="{shape1}" size="1 1 1"/>'
    if shape1 != "plane":
        first = f"<body><freejoint/>{first}</body>"
    xml = f"""
    <mujoco>
      <worldbody>
        {first}<body><freejoint/><geom name="second" type="{shape2}" size="1 1 1"/></body>
      </worldbody>
      <contact><pair geom1="first" geom2="second"/></contact>
    </mujoco>"""
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert model.geom("first").id == 0
    # Sizes change below; keep the bounding spheres from filtering anything.
    model.geom_rbound[:] = [0 if shape1 == "plane" else 1e6, 1e6]
    found = []
    for record in records:
        model.pair_margin[0] = record[0]
        for geom, start in ((0, 1), (1, 16)):
            model.geom_size[geom] = record[start : start + 3]
            data.geom_xpos[geom] = record[start + 3 : start + 6]
            data.geom_xmat[geom] = record[start + 6 : start + 15]
        mujoco.mj_collision(model, data)
        found.append(contacts(data))
    return found


@pytest.mark.parametrize("pair", PAIRS)
def test_contacts_equal_the_reference(pair):
    shape1, shape2 = pair.split("_")
    records = pair_records(np.random.default_rng(PAIRS.index(pair)), COUNT, shape1, shape2)
    expected = reference_contacts(shape1, shape2, records)
    touching = sum(len(found) > 0 for found in expected)
    assert COUNT // 4 < touching < COUNT, "configurations must be both touching and apart"
    assert_same_contacts(_condyle._instruments.collide_pair(pair, records), expected, records)


@pytest.mark.parametrize("pair", PAIRS)
def test_normals_are_unit_vectors_and_all_is_finite(pair):
    shape1, shape2 = pair.split("_")
    records = pair_records(np.random.default_rng(100 + PAIRS.index(pair)), COUNT, shape1, shape2)
    solid = (records[:, 1:4] > 0).all(axis=1) & (records[:, 16:19] > 0).all(axis=1)
    _, found = _condyle._instruments.collide_pair(pair, np.ascontiguousarray(records[solid]))
    assert np.isfinite(found).all()
    assert np.abs(np.linalg.norm(found[:, 4:7], axis=1) - 1).max() < 1e-14


def test_an_unknown_pair_is_refused():
    with pytest.raises(ValueError, match="unknown pair"):
        _condyle._instruments.collide_pair("box_teapot", np.zeros((1, 31)))
