"""Distance fields: contacts and rays, to the last bit beside the reference."""

import mujoco
import numpy as np
import pytest
from configurations import COUNT, assert_same_contacts, contacts, ray_records, rotations
from conftest import same_bits

from condyle import _condyle

FIELDS = {
    "bolt": {"radius": 0.26},
    "bowl": {"height": 0.4, "radius": 1.0, "thickness": 0.02},
    "gear": {"alpha": 0.1, "diameter": 2.8, "teeth": 25, "thickness": 0.2, "innerdiameter": -1},
    "nut": {"radius": 0.26},
    "torus": {"radius1": 0.35, "radius2": 0.15},
}
SIZE = [0.3, 0.25, 0.2]
PAIRS = [
    ("sphere", "torus"), ("capsule", "bowl"), ("ellipsoid", "gear"), ("cylinder", "nut"), ("box", "bolt"),
    ("bolt", "nut"), ("gear", "gear"), ("torus", "bowl"),
]  # fmt: skip


def element(name, shape):
    """The XML of a geom and of what it needs."""
    if shape not in FIELDS:
        return "", "", f'<geom name="{name}" type="{shape}" size="{" ".join(map(str, SIZE))}"/>'
    config = "".join(f'<config key="{key}" value="{value}"/>' for key, value in FIELDS[shape].items())
    plugin = f'<plugin plugin="mujoco.sdf.{shape}"><instance name="{name}">{config}</instance></plugin>'
    mesh = f'<mesh name="{name}"><plugin instance="{name}"/></mesh>'
    return plugin, mesh, f'<geom name="{name}" type="sdf" mesh="{name}"><plugin instance="{name}"/></geom>'


def reference_model(shape1, shape2):
    (plugin1, mesh1, geom1), (plugin2, mesh2, geom2) = element("a", shape1), element("b", shape2)
    model = mujoco.MjModel.from_xml_string(f"""
    <mujoco>
      <extension>{plugin1}{plugin2}</extension>
      <asset>{mesh1}{mesh2}</asset>
      <worldbody><body><freejoint/>{geom1}</body><body><freejoint/>{geom2}</body></worldbody>
      <contact><pair geom1="a" geom2="b"/></contact>
    </mujoco>""")
    model.geom_rbound[:] = 1e6
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def field(shape):
    if shape in FIELDS:
        return f"mujoco.sdf.{shape}", [float(value) for value in FIELDS[shape].values()]
    return shape, SIZE


def placements(model, data, rng, count):
    """Records of random placements of geoms 0 and 1, and the reference's contacts in each."""
    both = np.linalg.norm(model.geom_aabb[:, 3:], axis=1).sum()
    position1 = rng.uniform(-1, 1, (count, 3))
    position2 = position1 + rng.normal(size=(count, 3)) * 0.2 * both
    boxes = [np.tile(aabb, (count, 1)) for aabb in model.geom_aabb]
    records = np.ascontiguousarray(np.column_stack([
        boxes[0], position1, rotations(rng, count), boxes[1], position2, rotations(rng, count),
    ]))  # fmt: skip
    expected = []
    for record in records:
        for geom, start in ((0, 6), (1, 24)):
            data.geom_xpos[geom] = record[start : start + 3]
            data.geom_xmat[geom] = record[start + 3 : start + 12]
        mujoco.mj_collision(model, data)
        expected.append(contacts(data))
    assert sum(map(len, expected)) > count
    return records, expected


@pytest.mark.parametrize("shape1, shape2", PAIRS)
def test_contacts_equal_the_reference(shape1, shape2):
    model, data = reference_model(shape1, shape2)
    rng = np.random.default_rng(PAIRS.index((shape1, shape2)))
    records, expected = placements(model, data, rng, COUNT // 20)
    found = _condyle._instruments.collide_sdf(
        *field(shape1), *field(shape2), model.opt.sdf_initpoints, model.opt.sdf_iterations, records
    )
    assert_same_contacts(found, expected, records)


def test_contacts_with_an_octree_equal_the_reference():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(30, 3))
    points *= 0.4 / np.linalg.norm(points, axis=1, keepdims=True)
    model = mujoco.MjModel.from_xml_string(f"""
    <mujoco>
      <asset><mesh name="ball" vertex="{" ".join(map(str, points.ravel()))}"/></asset>
      <worldbody>
        <body><freejoint/><geom name="a" type="box" size="{" ".join(map(str, SIZE))}"/></body>
        <body><freejoint/><geom name="b" type="sdf" mesh="ball"/></body>
      </worldbody>
      <contact><pair geom1="a" geom2="b"/></contact>
    </mujoco>""")
    model.geom_rbound[:] = 1e6
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    records, expected = placements(model, data, rng, COUNT // 20)
    found = _condyle._instruments.collide_octree(
        "box", SIZE, model.oct_aabb, model.oct_child, model.oct_coeff,
        model.opt.sdf_initpoints, model.opt.sdf_iterations, records,
    )  # fmt: skip
    assert_same_contacts(found, expected, records)


@pytest.mark.parametrize("shape", FIELDS)
def test_rays_equal_the_reference(shape):
    model, data = reference_model("sphere", shape)
    model.geom_group[0] = 1
    group = np.array([1, 0, 0, 0, 0, 0], np.uint8)
    records = ray_records(np.random.default_rng(len(shape)), COUNT, model.geom_size[1])
    theirs = np.zeros((COUNT, 4))
    geom, normal = np.zeros(1, np.int32), np.zeros(3)
    for row, record in zip(theirs, records):
        data.geom_xpos[1] = record[3:6]
        data.geom_xmat[1] = record[6:15]
        row[0] = mujoco.mj_ray(model, data, record[15:18], record[18:21], group, 1, -1, geom, normal)
        row[1:] = normal
    assert COUNT // 10 < (theirs[:, 0] >= 0).sum() < COUNT
    assert same_bits(_condyle._instruments.cast_ray_sdf(*field(shape), records), theirs, any_nan=True)
