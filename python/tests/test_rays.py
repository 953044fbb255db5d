"""Rays on every shape, to the last bit beside the reference."""

import mujoco
import numpy as np
import pytest
from configurations import COUNT, ray_records, same_bits

from condyle import _condyle

SHAPES = {"plane": 0, "sphere": 2, "capsule": 3, "ellipsoid": 4, "cylinder": 5, "box": 6}


def assert_same_hits(ours, theirs, records):
    different = [i for i in range(len(records)) if not same_bits(ours[i], theirs[i])]
    if different:
        i = different[0]
        message = f"{len(different)} of {len(records)} differ; first: {records[i].tolist()}"
        raise AssertionError(f"{message}\nours   {ours[i].tolist()}\ntheirs {theirs[i].tolist()}")
    hits = (theirs[:, 0] >= 0).sum()
    assert len(records) // 10 < hits < len(records)
    normals = ours[ours[:, 0] >= 0, 1:]
    assert np.abs(np.linalg.norm(normals, axis=1) - 1).max() < 1e-14


def reference_hits(records, cast):
    normal = np.zeros(3)
    found = np.zeros((len(records), 4))
    for row, record in zip(found, records):
        row[0] = cast(record, normal)
        row[1:] = normal
    return found


@pytest.mark.parametrize("shape", SHAPES)
def test_rays_on_primitives(shape):
    records = ray_records(np.random.default_rng(SHAPES[shape]), COUNT)

    def cast(r, normal):
        return mujoco.mju_rayGeom(r[3:6], r[6:15], r[:3], r[15:18], r[18:21], SHAPES[shape], normal)

    assert_same_hits(_condyle._cast_ray(shape, records), reference_hits(records, cast), records)


def placed(data, cast):
    """A cast on geom 0, moved to the pose of each record."""

    def moved(record, normal):
        data.geom_xpos[0] = record[3:6]
        data.geom_xmat[0] = record[6:15]
        return cast(record[15:18], record[18:21], normal)

    return moved


@pytest.mark.parametrize("vertices", [12, 300])
def test_rays_on_meshes(vertices):
    rng = np.random.default_rng(vertices)
    points = " ".join(map(str, rng.normal(size=3 * vertices)))
    faces = " ".join(str(i) for _ in range(2 * vertices) for i in rng.choice(vertices, 3, replace=False))
    model = mujoco.MjModel.from_xml_string(f"""
    <mujoco>
      <asset><mesh name="soup" inertia="shell" vertex="{points}" face="{faces}"/></asset>
      <worldbody><geom type="mesh" mesh="soup"/></worldbody>
    </mujoco>""")
    data = mujoco.MjData(model)
    records = ray_records(rng, COUNT, model.geom_size[0])
    tree = slice(model.mesh_bvhadr[0], model.mesh_bvhadr[0] + model.mesh_bvhnum[0])
    ours = _condyle._cast_ray_mesh(
        model.mesh_vert, model.mesh_face, model.bvh_aabb[tree], model.bvh_child[tree],
        model.bvh_nodeid[tree].ravel(), records,
    )  # fmt: skip
    theirs = reference_hits(records, placed(data, lambda *ray: mujoco.mj_rayMesh(model, data, 0, *ray)))
    assert_same_hits(ours, theirs, records)


@pytest.mark.parametrize("rows, columns", [(2, 2), (5, 3), (12, 20)])
def test_rays_on_height_fields(rows, columns):
    model = mujoco.MjModel.from_xml_string(f"""
    <mujoco>
      <asset><hfield name="hills" nrow="{rows}" ncol="{columns}" size="1.5 .8 .6 .25"/></asset>
      <worldbody><geom type="hfield" hfield="hills"/></worldbody>
    </mujoco>""")
    data = mujoco.MjData(model)
    rng = np.random.default_rng(rows)
    model.hfield_data[:] = rng.random(rows * columns)
    records = ray_records(rng, COUNT, model.hfield_size[0, :3])
    heights = model.hfield_data.reshape(rows, columns)
    ours = _condyle._cast_ray_hfield(model.hfield_size[0].tolist(), heights, records)
    theirs = reference_hits(records, placed(data, lambda *ray: mujoco.mj_rayHfield(model, data, 0, *ray)))
    assert_same_hits(ours, theirs, records)
