"""Rays on every shape, to the last bit beside the reference."""

import ctypes
import glob
import os

import mujoco
import numpy as np
import pytest
from configurations import COUNT, positions, ray_records, rotations, sizes, turn
from conftest import same_bits

from condyle import _condyle

SHAPES = {"plane": 0, "sphere": 2, "capsule": 3, "ellipsoid": 4, "cylinder": 5, "box": 6}


def assert_same_hits(ours, theirs, records):
    different = [i for i in range(len(records)) if not same_bits(ours[i], theirs[i], any_nan=True)]
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

    assert_same_hits(_condyle._instruments.cast_ray(shape, records), reference_hits(records, cast), records)


@pytest.mark.parametrize("shape", SHAPES)
def test_points_inside(shape):
    """An `insidesite` sensor of the reference tells whether the frame of a body lies in a site."""
    placed_type = "box" if shape == "plane" else shape
    model = mujoco.MjModel.from_xml_string(f"""
    <mujoco>
      <worldbody>
        <site name="zone" type="{placed_type}" size="1 1 1"/>
        <body name="probe"><freejoint/><geom size="1"/></body>
      </worldbody>
      <sensor><insidesite site="zone" objtype="xbody" objname="probe"/></sensor>
    </mujoco>""")
    model.site_type[0] = SHAPES[shape]
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    rng = np.random.default_rng(SHAPES[shape])
    records = ray_records(rng, COUNT)
    size, position, rotation = records[:, :3], records[:, 3:6], records[:, 6:15]
    local = rng.choice([-1.2, -1.0, -0.6, 0.0, 0.6, 1.0, 1.2], (COUNT, 3)) * size
    point = position + turn(rotation, local)
    records = np.ascontiguousarray(np.column_stack([records[:, :15], point]))
    theirs = np.zeros(COUNT, bool)
    for i in range(COUNT):
        model.site_size[0], data.site_xpos[0], data.site_xmat[0] = size[i], position[i], rotation[i]
        data.xpos[1] = point[i]
        mujoco.mj_sensorPos(model, data)
        theirs[i] = data.sensordata[0]
    assert COUNT // 20 < theirs.sum() < COUNT * 19 // 20
    assert (_condyle._instruments.points_inside(shape, records) == theirs).all()


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
    ours = _condyle._instruments.cast_ray_mesh(
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
    ours = _condyle._instruments.cast_ray_hfield(model.hfield_size[0].tolist(), heights, records)
    theirs = reference_hits(records, placed(data, lambda *ray: mujoco.mj_rayHfield(model, data, 0, *ray)))
    assert_same_hits(ours, theirs, records)


@pytest.mark.parametrize("dimension, count", [(1, "6 1 1"), (2, "4 4 1"), (3, "4 3 3")])
def test_rays_on_flexible_bodies(dimension, count):
    model = mujoco.MjModel.from_xml_string(f"""
    <mujoco>
      <worldbody>
        <flexcomp name="grid" type="grid" count="{count}" spacing=".2 .2 .2" dim="{dimension}" radius=".03"/>
      </worldbody>
    </mujoco>""")
    data = mujoco.MjData(model)
    rng = np.random.default_rng(dimension)
    data.qpos += rng.normal(size=model.nq) * 0.03
    mujoco.mj_forward(model, data)
    n = COUNT // 5
    target = data.flexvert_xpos[rng.integers(0, model.nflexvert, n)] + rng.normal(size=(n, 3)) * 0.05
    away = rng.normal(size=(n, 3))
    records = np.ascontiguousarray(np.column_stack([target + away, -away * rng.uniform(0.3, 3, (n, 1))]))
    vertex, normal = np.zeros(1, np.int32), np.zeros(3)
    total = 0
    for shown in [(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (1, 1, 1, 0)]:
        for layer in (0, 1):
            ours, vertices = _condyle._instruments.cast_ray_flex(
                dimension, float(model.flex_radius[0]), data.flexvert_xpos, model.flex_edge,
                model.flex_elem.ravel(), model.flex_elemlayer.ravel(), [bool(part) for part in shown], layer, records,
            )  # fmt: skip
            for i, ray in enumerate(records):
                distance = mujoco.mj_rayFlex(model, data, layer, *shown, 0, ray[:3], ray[3:], vertex, normal)
                assert same_bits(ours[i], np.array([distance, *normal]), any_nan=True), (shown, layer, ray.tolist())
                if distance >= 0:
                    total += 1
                    assert vertices[i] == vertex[0]
    assert total > n


def test_angular_bounds():
    model = mujoco.MjModel.from_xml_string("""
    <mujoco>
      <worldbody><body><freejoint/><geom type="box" size="1 1 1"/></body></worldbody>
    </mujoco>""")
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    library = glob.glob(os.path.join(os.path.dirname(mujoco.__file__), "libmujoco.so*"))[0]
    prepare = ctypes.CDLL(library).mju_multiRayPrepare
    pointer = ctypes.c_void_p
    prepare.argtypes = [pointer] * 5 + [ctypes.c_ubyte, ctypes.c_int, ctypes.c_double, pointer, pointer]
    rng = np.random.default_rng(0)
    box = np.column_stack([rng.normal(size=(COUNT, 3)) * 0.2, sizes(rng, COUNT)])
    eye = positions(rng, COUNT) * rng.choice([0.5, 3.0], (COUNT, 1))
    records = np.ascontiguousarray(np.column_stack([box, positions(rng, COUNT), rotations(rng, COUNT), eye]))
    theirs, eliminated = np.zeros((COUNT, 4)), np.zeros(1, np.int32)
    for row, record in zip(theirs, records):
        model.geom_aabb[0] = record[:6]
        data.geom_xpos[0], data.geom_xmat[0] = record[6:9], record[9:18]
        point = record[18:21].copy()
        prepare(
            model._address, data._address, point.ctypes.data, None, None, 1, -1, 1e10,
            row.ctypes.data, eliminated.ctypes.data,
        )  # fmt: skip
        assert eliminated[0] == 0
    everything = (theirs == [-np.pi, 0, np.pi, np.pi]).all(axis=1).sum()
    assert COUNT // 10 < everything < COUNT * 9 // 10
    assert same_bits(_condyle._instruments.angular_bounds(records), theirs, any_nan=True)
