"""Contacts and distances of convex pairs, bit for bit beside the reference.

Each case puts two geoms at random or aligned poses, apart, touching, overlapping a little or deeply, and compares distance, position and
frame of every contact. ``CONDYLE_CONVEX_CASES`` sets the number of cases per pair and algorithm (default 60; 100000 for a full run).
"""

import itertools
import os

import mujoco
import numpy as np
import pytest
from conftest import assert_same_bits

import condyle
from condyle import _condyle

CASES = int(os.environ.get("CONDYLE_CONVEX_CASES", "60"))

PAIRS = [
    ("sphere", "ellipsoid"), ("sphere", "mesh"), ("capsule", "ellipsoid"), ("capsule", "cylinder"), ("capsule", "mesh"),
    ("ellipsoid", "ellipsoid"), ("ellipsoid", "cylinder"), ("ellipsoid", "box"), ("ellipsoid", "mesh"),
    ("cylinder", "cylinder"), ("cylinder", "box"), ("cylinder", "mesh"), ("box", "mesh"), ("mesh", "mesh"),
    ("plane", "ellipsoid"), ("plane", "mesh"),
    ("hfield", "sphere"), ("hfield", "capsule"), ("hfield", "ellipsoid"), ("hfield", "cylinder"), ("hfield", "box"),
    ("hfield", "mesh"),
]
GAPS = [0, *(sign * 10.0**power for power in (-15, -12, -9, -7, -6, -4, -3, -2) for sign in (1, -1)), 0.05, -0.05, -0.2, -0.4]
SIZES = {
    "plane": 'size="5 5 .1"',
    "hfield": 'hfield="field"',
    "sphere": 'size=".3"',
    "capsule": 'size=".2 .4"',
    "ellipsoid": 'size=".3 .4 .5"',
    "cylinder": 'size=".3 .4"',
    "box": 'size=".3 .4 .5"',
}


def mesh_library():
    random = np.random.default_rng(7)

    def ring(count):
        angles = np.arange(count) * 2 * np.pi / count
        return [[0.4 * np.cos(a), 0.4 * np.sin(a), z] for a in angles for z in (-0.3, 0.3)]

    def sphere(count, scale):
        points = random.normal(size=(count, 3))
        return points / np.linalg.norm(points, axis=1, keepdims=True) * scale

    grid = np.linspace(-0.5, 0.5, 5)
    return {
        "cube": list(itertools.product([-0.5, 0.5], repeat=3)),
        "brick": list(itertools.product([-0.7, 0.7], [-0.3, 0.3], [-0.1, 0.1])),
        "tetrahedron": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
        "hexagon": ring(6),
        "coin": ring(24),
        "ball": sphere(60, 0.5),
        "egg": sphere(300, [0.6, 0.3, 0.48]),
        "stone": random.uniform(-0.5, 0.5, size=(9, 3)),
        "rock": random.uniform(-0.5, 0.5, size=(30, 3)),
        "slab": [[x, y, z] for x in grid for y in grid for z in (-0.2, 0.2)],
    }


MESHES = mesh_library()
TURNS = [
    np.array(turn) for turn in (
        [[sign[row] * (permutation[row] == column) for column in range(3)] for row in range(3)]
        for permutation in itertools.permutations(range(3))
        for sign in itertools.product([1.0, -1.0], repeat=3)
    ) if np.linalg.det(np.array(turn)) > 0
]


class Bench:
    """One pair of geoms, loaded in both engines."""

    def __init__(self, types, meshes, random):
        self.types, self.random = types, random
        assets = "".join(
            f'<mesh name="{name}" inertia="shell" vertex="{" ".join(repr(float(x)) for x in np.ravel(MESHES[name]))}"/>'
            for name in sorted(set(meshes) - {None})
        )
        if "hfield" in types:
            assets += '<hfield name="field" nrow="14" ncol="18" size="1.5 1.2 0.6 0.2"/>'
        bodies = ""
        for index, (kind, mesh) in enumerate(zip(types, meshes)):
            joint = "" if kind in ("plane", "hfield") else "<freejoint/>"
            size = f'mesh="{mesh}"' if kind == "mesh" else SIZES[kind]
            bodies += f'<body>{joint}<geom name="g{index}" type="{kind}" {size} contype="0" conaffinity="0"/></body>'
        self.theirs = mujoco.MjModel.from_xml_string(
            f"<mujoco><asset>{assets}</asset><worldbody>{bodies}</worldbody>"
            '<contact><pair geom1="g0" geom2="g1"/></contact></mujoco>'
        )
        buffer = np.zeros(mujoco.mj_sizeModel(self.theirs), np.uint8)
        mujoco.mj_saveModel(self.theirs, None, buffer)
        self.ours = condyle.MjModel.from_binary(buffer.tobytes())
        self.data, self.our_data = mujoco.MjData(self.theirs), condyle.MjData(self.ours)
        mujoco.mj_forward(self.theirs, self.data)
        self.default_size = self.theirs.geom_size.copy()

    def options(self, native, multiple):
        option = self.theirs.opt
        option.disableflags = 0 if native else mujoco.mjtDisableBit.mjDSBL_NATIVECCD
        option.enableflags = mujoco.mjtEnableBit.mjENBL_MULTICCD if multiple else 0
        option.ccd_iterations, option.ccd_tolerance = 35, 1e-6
        if self.random.random() < 0.1:
            option.ccd_iterations = int(self.random.choice([1, 3, 8, 50, 170]))
            option.ccd_tolerance = float(self.random.choice([1e-3, 1e-6, 1e-9, 1e-12]))

    def rotation(self, mode):
        out, quat = np.zeros(9), np.zeros(4)
        if mode == 0:
            quat = self.random.normal(size=4)
            quat /= np.linalg.norm(quat)
            mujoco.mju_quat2Mat(out, quat)
            return out
        if mode == 1:
            return TURNS[self.random.integers(len(TURNS))].ravel()
        if mode == 2:
            return np.eye(3).ravel()
        angle = self.random.choice([self.random.uniform(-4, 4), 1e-4 * self.random.normal(), 1e-8, np.pi / 4])
        mujoco.mju_axisAngle2Quat(quat, np.eye(3)[self.random.integers(3)], angle)
        mujoco.mju_quat2Mat(out, quat)
        return (TURNS[self.random.integers(len(TURNS))] @ out.reshape(3, 3)).ravel()

    def reach(self, index, direction):
        """How far geom `index` extends from its centre along `direction`."""
        model, size = self.theirs, self.theirs.geom_size[index]
        local = self.data.geom_xmat[index].reshape(3, 3).T @ direction
        kind = self.types[index]
        if kind == "mesh":
            return (model.mesh_vert[self.vertices(index)] @ local).max()
        return {
            "sphere": size[0],
            "capsule": size[0] + size[1] * abs(local[2]),
            "ellipsoid": np.linalg.norm(local * size),
            "cylinder": size[0] * np.hypot(local[0], local[1]) + size[1] * abs(local[2]),
            "box": np.abs(local) @ size,
        }[kind]

    def vertices(self, index):
        mesh = self.theirs.geom_dataid[index]
        start = self.theirs.mesh_vertadr[mesh]
        return slice(start, start + self.theirs.mesh_vertnum[mesh])

    def place(self):
        model, data, random = self.theirs, self.data, self.random
        margin = 0.0 if random.random() < 0.6 else float(random.choice([1e-3, 0.01, 0.1, 0.3]))
        model.pair_margin[0] = margin
        for index, kind in enumerate(self.types):
            if kind in ("plane", "hfield", "mesh"):
                continue
            choice = random.random()
            size = random.uniform(0.05, 0.6, size=3) if choice < 0.6 else self.default_size[index]
            if choice > 0.9:
                size = np.full(3, 0.25)
            model.geom_size[index] = size
            model.geom_rbound[index] = np.abs(size).sum()
        mode = random.integers(4)
        data.geom_xmat[0] = self.rotation(mode)
        data.geom_xmat[1] = self.rotation(mode if random.random() < 0.7 else random.integers(4))
        data.geom_xpos[0] = 0 if random.random() < 0.3 else random.normal(size=3)
        gap = float(random.choice(GAPS)) if random.random() < 0.7 else random.uniform(-0.5, 0.3)
        frame = data.geom_xmat[0].reshape(3, 3)
        if self.types[0] == "plane":
            normal = frame[:, 2]
            aside = random.normal(size=3)
            data.geom_xpos[1] = data.geom_xpos[0] + aside - normal * (aside @ normal) + normal * (self.reach(1, -normal) + gap)
            return
        if self.types[0] == "hfield":
            data_kind = random.random()
            model.hfield_data[:] = random.choice([0.0, 0.5, 1.0]) if data_kind < 0.3 else random.uniform(size=14 * 18)
            local = random.uniform([-1.8, -1.5, -0.5], [1.8, 1.5, 1.2])
            if random.random() < 0.3:
                local = np.array([0, 0, 0.3 + self.reach(1, -frame[:, 2]) + gap])
            data.geom_xpos[1] = data.geom_xpos[0] + frame @ local
            return
        direction = random.normal(size=3)
        direction /= np.linalg.norm(direction)
        if mode != 0 and random.random() < 0.7:
            direction = (np.eye(3) if random.random() < 0.7 else frame)[:, random.integers(3)] * random.choice([-1, 1])
        if random.random() < 0.03:
            data.geom_xpos[1] = data.geom_xpos[0]
            return
        aside = random.choice([0, 0.1, 0.25, 0.5], size=3) if random.random() < 0.3 else np.zeros(3)
        aside = aside - direction * (direction @ aside)
        apart = self.reach(0, direction) + self.reach(1, -direction) + gap + random.choice([0, margin])
        data.geom_xpos[1] = data.geom_xpos[0] + direction * apart + aside

    def copy_to_ours(self):
        for name in ("geom_size", "geom_rbound", "hfield_data"):
            getattr(self.ours, name)[:] = getattr(self.theirs, name)
        for name in ("disableflags", "enableflags", "ccd_iterations", "ccd_tolerance"):
            setattr(self.ours.opt, name, getattr(self.theirs.opt, name))
        self.our_data.geom_xpos[:] = self.data.geom_xpos
        self.our_data.geom_xmat[:] = self.data.geom_xmat

    def is_filtered(self):
        """Whether the reference's bounding spheres may rule the pair out before it is looked at."""
        model, offset = self.theirs, self.data.geom_xpos[1] - self.data.geom_xpos[0]
        radius, margin = model.geom_rbound, model.pair_margin[0]
        if self.types[0] == "plane":
            return self.data.geom_xmat[0].reshape(3, 3)[:, 2] @ offset > (radius[1] + margin) * (1 - 1e-9)
        return self.types[0] != "hfield" and np.linalg.norm(offset) > (radius.sum() + margin) * (1 - 1e-9)

    def compare_contacts(self):
        """Number of contacts if both engines agree to the last bit; `None` if the reference did not look."""
        mujoco.mj_collision(self.theirs, self.data)
        contact = self.data.contact
        theirs = np.concatenate([contact.dist[:, None], contact.pos, contact.frame], axis=1) if self.data.ncon else []
        ours = _condyle._instruments.convex_contacts(self.ours, self.our_data, 0, 1, self.theirs.pair_margin[0])
        if len(theirs) == 0 and self.is_filtered():
            return None
        assert len(ours) == len(theirs), self.describe()
        assert_same_bits(np.array(ours, np.float64), np.array(theirs, np.float64), self.describe())
        return len(ours)

    def compare_distance(self):
        cutoff = float(self.random.choice([0, 0.01, 0.1, 1, 10, 1e300]))
        points = np.zeros(6)
        distance = mujoco.mj_geomDistance(self.theirs, self.data, 0, 1, cutoff, points)
        ours, our_points = _condyle._instruments.convex_distance(self.ours, self.our_data, 0, 1, cutoff)
        assert ours == distance, self.describe()
        assert our_points == points.tolist(), self.describe()

    def describe(self):
        model, option = self.theirs, self.theirs.opt
        return dict(
            size=model.geom_size.tolist(), position=self.data.geom_xpos.tolist(), rotation=self.data.geom_xmat.tolist(),
            margin=float(model.pair_margin[0]), iterations=option.ccd_iterations, tolerance=option.ccd_tolerance,
        )


@pytest.mark.parametrize("multiple", [False, True], ids=["single", "multiple"])
@pytest.mark.parametrize("native", [True, False], ids=["native", "portal"])
@pytest.mark.parametrize("types", PAIRS, ids="-".join)
def test_contacts_have_the_references_bits(types, native, multiple):
    random = np.random.default_rng([PAIRS.index(types), native, multiple])
    touching = 0
    for start in range(0, CASES, 15):
        meshes = [random.choice(list(MESHES)) if kind == "mesh" else None for kind in types]
        bench = Bench(types, meshes, random)
        for _ in range(min(15, CASES - start)):
            bench.options(native, multiple)
            bench.place()
            bench.copy_to_ours()
            touching += bool(bench.compare_contacts())
            if native and not multiple and types[0] not in ("plane", "hfield"):
                bench.compare_distance()
    assert touching > CASES / 10


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e308, 1e-320])
@pytest.mark.parametrize("types", PAIRS, ids="-".join)
def test_poses_that_are_not_finite_give_some_answer(types, value):
    random = np.random.default_rng(PAIRS.index(types))
    bench = Bench(types, ["rock" if kind == "mesh" else None for kind in types], random)
    for native, multiple in itertools.product([True, False], repeat=2):
        for array in ("geom_xpos", "geom_xmat"):
            bench.options(native, multiple)
            bench.place()
            bench.copy_to_ours()
            target = getattr(bench.our_data, array)
            target[random.integers(2), random.integers(target.shape[1])] = value
            assert len(_condyle._instruments.convex_contacts(bench.ours, bench.our_data, 0, 1, 0.0)) <= 50


def test_an_ellipsoid_fitted_to_a_mesh_meets_the_plane_with_the_meshs_vertices():
    vertices = "0 0 0 1 0 0 0 1 0 0 0 1 1 1 1 .2 .2 2"
    theirs = mujoco.MjModel.from_xml_string(
        f'<mujoco><asset><mesh name="m" vertex="{vertices}"/></asset><worldbody><geom type="plane" size="1 1 1"/>'
        '<body><freejoint/><geom type="ellipsoid" mesh="m"/></body></worldbody></mujoco>'
    )
    buffer = np.zeros(mujoco.mj_sizeModel(theirs), np.uint8)
    mujoco.mj_saveModel(theirs, None, buffer)
    ours = condyle.MjModel.from_binary(buffer.tobytes())
    data, our_data = mujoco.MjData(theirs), condyle.MjData(ours)
    mujoco.mj_forward(theirs, data)
    our_data.geom_xpos[:], our_data.geom_xmat[:] = data.geom_xpos, data.geom_xmat
    found = np.array(_condyle._instruments.convex_contacts(ours, our_data, 0, 1, 0.0))
    assert data.ncon == len(found) > 0
    np.testing.assert_array_equal(found[:, 0], data.contact.dist)
    np.testing.assert_array_equal(found[:, 1:4], data.contact.pos)
