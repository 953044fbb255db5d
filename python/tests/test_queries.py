"""Queries about a configuration, to the last bit beside the reference."""

import mujoco
import numpy as np
import pytest
from conftest import same_bits

import condyle

XML = """
<mujoco>
  <option cone="elliptic"/>
  <asset>
    <mesh name="wedge" vertex="-.1 -.1 -.06 .1 -.1 -.06 .1 .1 -.06 -.1 .1 -.06 -.05 -.08 .1 -.05 .08 .1"/>
    <hfield name="hills" nrow="3" ncol="4" size=".6 .6 .2 .1" elevation="0 1 2 1 1 2 3 2 2 1 0 1"/>
  </asset>
  <worldbody>
    <geom name="floor" type="plane" size="3 3 .1"/>
    <geom name="hills" type="hfield" hfield="hills" pos="1.5 1.5 0"/>
    <geom name="ghost" size=".2" pos="0 0 2" rgba="1 1 1 0"/>
    <body name="base" pos="0 0 .15">
      <freejoint/>
      <geom name="box" type="box" size=".2 .15 .16"/>
      <site name="corner" pos=".2 .1 .1" euler="10 20 30"/>
      <camera name="eye" pos="0 0 .4"/>
      <body name="arm" pos=".2 0 .1">
        <joint name="shoulder" type="ball" range="0 60"/>
        <geom name="upper" type="capsule" fromto="0 0 0 .3 0 .1" size=".04" group="2"/>
        <geom name="pad" type="ellipsoid" size=".08 .05 .04" pos=".1 .1 .1"/>
        <body name="hand" pos=".3 0 .1">
          <joint name="wrist" axis="0 1 0" frictionloss=".1"/>
          <joint name="reach" type="slide" axis="1 0 0"/>
          <geom name="can" type="cylinder" size=".05 .06"/>
          <geom name="shard" type="mesh" mesh="wedge" pos=".1 0 0"/>
        </body>
      </body>
    </body>
    <body name="ball" pos=".3 .5 .09">
      <freejoint/>
      <geom name="ball" size=".1"/>
    </body>
  </worldbody>
  <sensor>
    <framepos objtype="site" objname="corner"/>
    <gyro site="corner"/>
    <accelerometer site="corner"/>
  </sensor>
</mujoco>
"""

BODIES = 5


class Pair:
    """Both engines in the same state."""

    def __init__(self):
        self.m = mujoco.MjModel.from_xml_string(XML)
        buffer = np.zeros(mujoco.mj_sizeModel(self.m), np.uint8)
        mujoco.mj_saveModel(self.m, None, buffer)
        self.cm = condyle.MjModel.from_binary(buffer.tobytes())
        self.d, self.cd = mujoco.MjData(self.m), condyle.MjData(self.cm)
        rng = np.random.default_rng(7)
        self.d.qvel[:] = rng.normal(size=self.m.nv)
        mujoco.mj_step(self.m, self.d, 25)
        self.cd.qpos, self.cd.qvel = self.d.qpos, self.d.qvel
        self.cd.qacc_warmstart = self.d.qacc_warmstart
        self.cd.time = self.d.time
        mujoco.mj_forward(self.m, self.d)
        condyle.mj_forward(self.cm, self.cd)

    def call(self, name, *arguments, **options):
        """Run a function of both modules on copies of the arguments; the results and the arguments afterwards must agree."""
        ours = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
        theirs = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
        first = getattr(condyle, name)(self.cm, self.cd, *ours, **options)
        second = getattr(mujoco, name)(self.m, self.d, *theirs, **options)
        if second is not None:
            assert same_bits(first, second), (name, first, second)
        for a, b in zip(ours, theirs):
            if isinstance(a, np.ndarray):
                assert same_bits(a, b), (name, a, b)
        return second, theirs


@pytest.fixture(scope="module")
def pair():
    return Pair()


def matrix(pair):
    return np.full((3, pair.m.nv), 9.0)


def test_the_state_has_contacts_and_motion(pair):
    assert pair.d.ncon >= 3 and pair.d.nefc > 0
    assert np.abs(pair.d.qvel).min() > 1e-6
    assert same_bits(pair.cd.qacc, pair.d.qacc)


@pytest.mark.parametrize("name", ["mj_jacBody", "mj_jacBodyCom"])
def test_jacobians_of_bodies(pair, name):
    for body in range(BODIES):
        _, (p, r, _) = pair.call(name, matrix(pair), matrix(pair), body)
        assert body == 0 or np.abs(p).max() > 0.1
        pair.call(name, matrix(pair), None, body)
        pair.call(name, None, matrix(pair), body)


def test_jacobians_of_points_geoms_and_sites(pair):
    point, axis = np.array([0.3, -0.2, 0.5]), np.array([0.6, 0.0, 0.8])
    for body in range(BODIES):
        pair.call("mj_jac", matrix(pair), matrix(pair), point, body)
        pair.call("mj_jacDot", matrix(pair), matrix(pair), point, body)
        pair.call("mj_jacPointAxis", matrix(pair), matrix(pair), point, axis, body)
        pair.call("mj_jacSubtreeCom", matrix(pair), body)
        pair.call("mj_angmomMat", matrix(pair), body)
    for geom in range(pair.m.ngeom):
        pair.call("mj_jacGeom", matrix(pair), matrix(pair), geom)
    pair.call("mj_jacSite", matrix(pair), matrix(pair), 0)


def test_wrong_shapes_and_numbers_are_refused(pair):
    with pytest.raises(TypeError):
        condyle.mj_jacBody(pair.cm, pair.cd, np.zeros((3, 2)), None, 1)
    with pytest.raises(IndexError):
        condyle.mj_jacBody(pair.cm, pair.cd, None, None, 99)
    with pytest.raises(TypeError):
        condyle.mj_mulM(pair.cm, pair.cd, np.zeros(2), np.zeros(pair.m.nv))


def test_velocities_and_accelerations_of_objects(pair):
    pair.call("mj_rnePostConstraint")
    objects = [("BODY", BODIES), ("XBODY", BODIES), ("GEOM", pair.m.ngeom), ("SITE", 1), ("CAMERA", 1)]
    for kind, count in objects:
        kind = getattr(mujoco.mjtObj, "mjOBJ_" + kind)
        for index in range(count):
            for local in (0, 1):
                pair.call("mj_objectVelocity", kind, index, np.zeros(6), local)
                pair.call("mj_objectAcceleration", kind, index, np.zeros(6), local)
    for name in ("cacc", "cfrc_int", "cfrc_ext"):
        assert same_bits(getattr(pair.cd, name), getattr(pair.d, name))
    pair.call("mj_subtreeVel")
    assert same_bits(pair.cd.subtree_linvel, pair.d.subtree_linvel)
    assert same_bits(pair.cd.subtree_angmom, pair.d.subtree_angmom)


def test_inertia_products(pair):
    nv = pair.m.nv
    rng = np.random.default_rng(1)
    v = rng.normal(size=nv)
    full, ours = np.zeros((nv, nv)), np.zeros((nv, nv))
    mujoco.mj_fullM(pair.m, full, pair.d.qM)
    condyle.mj_fullM(pair.cm, ours, pair.cd.qM)
    assert same_bits(ours, full) and np.abs(full).max() > 0.1
    pair.call("mj_mulM", np.zeros(nv), v)
    pair.call("mj_mulM2", np.zeros(nv), v)
    pair.call("mj_solveM", np.zeros((2, nv)), rng.normal(size=(2, nv)))
    pair.call("mj_solveM", np.zeros((1, nv)), v.reshape(1, nv))
    pair.call("mj_solveM2", np.zeros((1, nv)), v.reshape(1, nv), np.sqrt(pair.d.qLDiagInv).reshape(1, nv))
    for flag in (0, 1):
        _, (_, force) = pair.call("mj_rne", flag, np.zeros(nv))
        assert np.abs(force).max() > 1


def test_results_may_go_into_the_data_itself():
    pair = Pair()
    mujoco.mj_rne(pair.m, pair.d, 1, pair.d.qfrc_applied)
    condyle.mj_rne(pair.cm, pair.cd, 1, pair.cd.qfrc_applied)
    assert same_bits(pair.cd.qfrc_applied, pair.d.qfrc_applied)


def test_constraint_products(pair):
    rng = np.random.default_rng(2)
    nv, rows = pair.m.nv, pair.d.nefc
    assert pair.cd.nefc == rows
    pair.call("mj_mulJacVec", np.zeros(rows), rng.normal(size=nv))
    pair.call("mj_mulJacTVec", np.zeros(nv), rng.normal(size=rows))
    pair.call("mj_constraintUpdate", rng.normal(size=rows), np.zeros(1), 1)
    assert same_bits(pair.cd.efc_force, pair.d.efc_force)
    pair.call("mj_forward")


def test_contact_forces(pair):
    pushing = 0
    for contact in range(pair.d.ncon):
        _, (_, force) = pair.call("mj_contactForce", contact, np.full(6, 3.0))
        pushing += force[0] > 0
    assert pushing >= 3


def test_configurations_are_moved_and_compared(pair):
    m, cm = pair.m, pair.cm
    rng = np.random.default_rng(3)
    start, v = pair.d.qpos.copy(), rng.normal(size=m.nv)
    theirs, ours = start.copy(), start.copy()
    mujoco.mj_integratePos(m, theirs, v, 0.3)
    condyle.mj_integratePos(cm, ours, v, 0.3)
    assert same_bits(ours, theirs)
    a, b = np.zeros(m.nv), np.zeros(m.nv)
    mujoco.mj_differentiatePos(m, a, 0.3, start, theirs)
    condyle.mj_differentiatePos(cm, b, 0.3, start, theirs)
    assert same_bits(b, a) and np.abs(a - v).max() < 1e-9
    theirs *= 1.5
    ours *= 1.5
    mujoco.mj_normalizeQuat(m, theirs)
    condyle.mj_normalizeQuat(cm, ours)
    assert same_bits(ours, theirs)


def test_forces_at_points(pair):
    rng = np.random.default_rng(4)
    for body in range(BODIES):
        force, torque, point = rng.normal(size=(3, 3))
        pair.call("mj_applyFT", force, torque, point, body, rng.normal(size=pair.m.nv))


def test_energy_and_sensors(pair):
    for name in ("mj_energyPos", "mj_energyVel", "mj_sensorPos", "mj_sensorVel", "mj_sensorAcc"):
        pair.call(name)
    assert same_bits(pair.cd.energy, pair.d.energy) and (pair.d.energy != 0).all()
    assert same_bits(pair.cd.sensordata, pair.d.sensordata)


def test_rays(pair):
    rng = np.random.default_rng(5)
    hits = 0
    groups = [None, np.array([1, 1, 0, 1, 1, 1], np.uint8), np.array([0, 0, 1, 0, 0, 0], np.uint8)]
    for index in range(600):
        origin, direction = rng.normal(size=(2, 3)) + [[0, 0, 1], [0, 0, -0.5]]
        group, static, exclude = groups[index % 3], index % 2, [-1, 1, 4][index % 3]
        distance, _ = pair.call("mj_ray", origin, direction, group, static, exclude, np.zeros(1, np.int32), np.zeros(3))
        hits += distance >= 0
    assert 60 < hits < 500
    pair.call("mj_ray", np.array([0.0, 0, 1]), np.array([0.0, 0, -1]), None, 1, -1, None)
    with pytest.raises(ValueError):
        condyle.mj_ray(pair.cm, pair.cd, np.zeros(3), np.zeros(3), None, 1, -1, None)


def test_many_rays(pair):
    rng = np.random.default_rng(6)
    hits = 0
    for index in range(30):
        origin = rng.normal(size=3) + [0, 0, 0.6]
        count = 80
        directions = rng.normal(size=(count, 3))
        directions[5] = 0
        cutoff = [1e10, 1.5][index % 2]
        normal = np.full(3 * count, 7.0) if index % 3 else None
        _, arguments = pair.call("mj_multiRay", origin, directions.reshape(-1), None, 1, -1,
                                 np.full(count, 5, np.int32), np.zeros(count), normal, count, cutoff)
        hits += (arguments[6] >= 0).sum()
    assert 400 < hits < 2000


def test_rays_on_single_geoms(pair):
    rng = np.random.default_rng(8)
    mesh = mujoco.mj_name2id(pair.m, mujoco.mjtObj.mjOBJ_GEOM, "shard")
    hills = mujoco.mj_name2id(pair.m, mujoco.mjtObj.mjOBJ_GEOM, "hills")
    hits = [0, 0]
    for _ in range(200):
        for slot, (name, geom) in enumerate((("mj_rayMesh", mesh), ("mj_rayHfield", hills))):
            origin = pair.d.geom_xpos[geom] + rng.normal(size=3) * 0.3 + [0, 0, 0.5]
            direction = pair.d.geom_xpos[geom] - origin + rng.normal(size=3) * 0.1
            distance, _ = pair.call(name, geom, origin, direction, np.zeros(3))
            hits[slot] += distance >= 0
    assert min(hits) > 50


def test_distances_between_all_geoms(pair):
    found = 0
    for first in range(pair.m.ngeom):
        for second in range(pair.m.ngeom):
            for cutoff in (0.05, 1.0, 10.0):
                distance, _ = pair.call("mj_geomDistance", first, second, cutoff, np.full(6, 3.0))
                found += distance < cutoff
            pair.call("mj_geomDistance", first, second, 1.0, None)
    assert found > 100


def test_names(pair):
    m, cm = pair.m, pair.cm
    kinds = [mujoco.mjtObj(kind) for kind in range(int(mujoco.mjtObj.mjNOBJECT))]
    named = 0
    for kind in kinds:
        for index in range(-1, 12):
            name = mujoco.mj_id2name(m, kind, index)
            assert condyle.mj_id2name(cm, kind, index) == name
            if name:
                named += 1
                assert condyle.mj_name2id(cm, kind, name) == mujoco.mj_name2id(m, kind, name)
        assert condyle.mj_name2id(cm, kind, "nobody") == -1
    assert named > 15
    assert condyle.mj_getTotalmass(cm) == mujoco.mj_getTotalmass(m)
    for name in ("mj_isPyramidal", "mj_isSparse", "mj_isDual"):
        assert getattr(condyle, name)(cm) == getattr(mujoco, name)(m)


def test_single_stages_give_what_the_step_gives():
    pair = Pair()
    names = ("mj_kinematics mj_comPos mj_camlight mj_tendon mj_makeM mj_factorM mj_transmission mj_comVel "
             "mj_passive mj_fwdActuation mj_fwdAcceleration mj_fwdConstraint mj_checkPos mj_checkVel mj_checkAcc mj_Euler")
    for name in names.split():
        pair.call(name)
    pair.call("mj_forwardSkip", mujoco.mjtStage.mjSTAGE_NONE, 0)
    for array in ("qpos", "qvel", "qacc", "qM", "qLD", "xpos", "cvel", "sensordata", "efc_force"):
        assert same_bits(getattr(pair.cd, array), getattr(pair.d, array)), array
    pair.call("mj_collision")
    assert same_bits(pair.cd.contact.dist, pair.d.contact.dist) and pair.d.ncon > 2
