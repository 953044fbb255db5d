"""Contacts of shapes with the triangles of flexible bodies, to the last bit beside the reference."""

import mujoco
import numpy as np
import pytest
from configurations import COUNT, assert_same_contacts, contacts, sizes

from condyle import _condyle


def placements(shape, rng, count):
    """Records of random placements, and the reference's contacts in each."""
    model = mujoco.MjModel.from_xml_string(f"""
    <mujoco>
      <worldbody>
        <body><freejoint/><geom type="{shape}" size="1 1 1"/></body>
        <body name="a" mocap="true"/><body name="b" mocap="true"/><body name="c" mocap="true"/>
      </worldbody>
      <deformable><flex name="cloth" dim="2" body="a b c" element="0 1 2"/></deformable>
    </mujoco>""")
    data = mujoco.MjData(model)
    records, expected = [], []
    for size in np.maximum(sizes(rng, count), 1e-3):
        model.geom_size[0] = size
        # Sizes change; keep every filter before the narrow phase open.
        reach = 2 * np.linalg.norm(size) + 0.5
        model.geom_rbound[0] = reach
        model.geom_aabb[0, 3:] = reach
        model.bvh_aabb[:, 3:] = reach
        model.flex_radius[0] = rng.choice([0, 0.05, 0.2])
        model.flex_margin[0] = rng.choice([0, 0.1])
        turn = np.eye(4)[rng.integers(4)] if rng.random() < 0.3 else rng.normal(size=4)
        data.qpos[:3] = rng.uniform(-1, 1, 3)
        data.qpos[3:] = turn / np.linalg.norm(turn)
        middle = data.qpos[:3] + rng.normal(size=3) * np.linalg.norm(size) * rng.choice([0.2, 0.6, 1.0])
        data.mocap_pos[:] = middle + rng.normal(size=(3, 3)) * rng.choice([0.1, 0.5, 2.0])
        if rng.random() < 0.15:
            data.mocap_pos[:] = np.round(data.mocap_pos * 4) / 4
            data.qpos[:3] = np.round(data.qpos[:3] * 4) / 4
        mujoco.mj_fwdPosition(model, data)
        placed = [size, data.geom_xpos[0], data.geom_xmat[0], data.flexvert_xpos.ravel()]
        records.append(np.concatenate([model.flex_margin, *placed, model.flex_radius]))
        expected.append(contacts(data))
    return np.array(records), expected


@pytest.mark.parametrize("shape", ["sphere", "capsule", "box"])
def test_contacts_equal_the_reference(shape):
    records, expected = placements(shape, np.random.default_rng(len(shape)), COUNT)
    assert sum(map(len, expected)) > COUNT // 4
    assert_same_contacts(_condyle._instruments.collide_triangle(shape, records), expected, records)
