"""Contract: docs/requirements.md. Features our users specified, beside the live reference, bit by bit."""

import itertools
import pathlib

import mujoco
import numpy as np
import pytest
from conftest import assert_same_bits

import condyle

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"
STATE = ("qpos", "qvel", "act", "sensordata", "qfrc_passive", "qfrc_actuator", "actuator_length", "actuator_velocity", "qacc")
ROWS = ("efc_pos", "efc_margin", "efc_vel", "efc_aref", "efc_force")


@pytest.fixture(autouse=True)
def quiet(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # the reference writes its log to the working directory
    mujoco.set_mju_user_warning(lambda message: None)


def pair(xml, **options):
    """Model and data of both engines."""
    theirs, ours = mujoco.MjModel.from_xml_string(xml), condyle.MjModel.from_xml_string(xml, **options)
    return theirs, mujoco.MjData(theirs), ours, condyle.MjData(ours)


def assert_same_state(d, cd):
    assert cd.nefc == d.nefc
    for name in STATE + ROWS:
        assert_same_bits(getattr(cd, name), getattr(d, name), name, any_nan=True)


def assert_same_model(theirs, ours, but=()):
    for name, *_ in condyle.MjModel._array_table():
        if name.startswith(but):
            continue
        a, b = getattr(ours, name), getattr(theirs, name)
        if isinstance(b, bytes):
            assert a == b, name
        else:
            np.testing.assert_array_equal(a, b, err_msg=name)


def walk(m, d, cm, cd, steps, control=1.0, seed=0):
    """Step both engines with the same random controls and compare after every step."""
    random = np.random.default_rng(seed)
    for _ in range(steps):
        d.ctrl[:] = cd.ctrl[:] = control * random.normal(size=m.nu)
        mujoco.mj_step(m, d)
        condyle.mj_step(cm, cd)
        assert_same_state(d, cd)


def place(d, cd, qpos, qvel=None):
    for data in (d, cd):
        data.qpos[:] = qpos
        if qvel is not None:
            data.qvel[:] = qvel


@pytest.mark.parametrize(
    "folder", ["actuator", "constraint", "integrator", "kinematics", "passive", "sensor", "tendon", "transmission"]
)
def test_models_of_single_features_step_as_in_the_reference(folder):
    files = sorted((MODELS / folder).glob("*.xml"))
    assert files
    for file in files:
        m, cm = mujoco.MjModel.from_xml_path(str(file)), condyle.MjModel.from_xml_path(str(file))
        d, cd = mujoco.MjData(m), condyle.MjData(cm)
        if m.nkey:
            mujoco.mj_resetDataKeyframe(m, d, 0)
            condyle.mj_resetDataKeyframe(cm, cd, 0)
        walk(m, d, cm, cd, 10)


TENDONS = """<mujoco><option {option}/><worldbody>
<body><joint name="a" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".05" contype="0"/></body>
<body pos="0 1 0"><joint name="b" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .4 0 .1" size=".05" contype="0"/></body></worldbody>
<tendon><fixed name="T1"><joint joint="a" coef="1"/></fixed><fixed name="T2"><joint joint="b" coef="1.5"/></fixed></tendon>
<equality><tendon tendon1="T1" tendon2="T2" polycoef="{polycoef}"/></equality></mujoco>"""


@pytest.mark.parametrize("polycoef", ["0 1 .1 0 0", ".05 .7 .1 -.2 .3"])
def test_polynomial_tendon_equalities_match_the_reference(polycoef):
    m, d, cm, cd = pair(TENDONS.format(option="", polycoef=polycoef))
    for q in ([0.3, -0.4], [0, -0.1], [-0.5, 0], [0.2, 0.2], [1.0, 0.7]):
        place(d, cd, q, [0.5, -1])
        mujoco.mj_forward(m, d)
        condyle.mj_forward(cm, cd)
        assert d.nefc == 1
        assert_same_state(d, cd)


@pytest.mark.parametrize("solver", ["PGS", "CG", "Newton"])
def test_tendon_equality_forces_match_the_reference_along_a_trajectory(solver):
    m, d, cm, cd = pair(TENDONS.format(option=f'solver="{solver}"', polycoef="0 1 0 0 0"))
    place(d, cd, [0.5, 0])
    walk(m, d, cm, cd, 100)
    assert np.abs(d.efc_force).max() > 0


@pytest.mark.parametrize("attributes", ["", 'actearly="true"'])
def test_limited_activations_match_the_reference_along_a_trajectory(attributes):
    m, d, cm, cd = pair(f"""<mujoco><worldbody><body><joint name="j" type="slide"/><geom size=".1"/></body></worldbody><actuator>
        <general joint="j" dyntype="integrator" actlimited="true" actrange="-1 1" {attributes}/>
        <general joint="j" dyntype="filterexact" dynprm=".05" actlimited="true" actrange="-.25 .75" {attributes}/>
        <general joint="j" dyntype="filter" dynprm=".1 0 0 0 0 0 0 0 0 0" {attributes}/></actuator></mujoco>""")
    for step in range(2000):
        d.ctrl[:] = cd.ctrl[:] = 2 * np.sin(0.01 * step)
        mujoco.mj_step(m, d)
        condyle.mj_step(cm, cd)
        assert_same_bits(cd.act, d.act, "act", any_nan=True)
        assert_same_bits(cd.qpos, d.qpos, "qpos", any_nan=True)
    assert d.act[0] <= 1 and d.act[1] == 0.75 and d.act[2] > 1


@pytest.mark.parametrize("solver,cone", list(itertools.product(["PGS", "CG", "Newton"], ["pyramidal", "elliptic"])))
def test_no_slip_matches_the_reference(solver, cone):
    m, d, cm, cd = pair(f"""<mujoco><option gravity="3.4 0 -9.2" solver="{solver}" cone="{cone}" noslip_iterations="10"/><worldbody>
        <geom type="plane" size="0 0 1"/><body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/>
        <body pos="0 0 .2"><joint axis="0 1 0" range="-20 20" frictionloss=".3"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
        </body></body></worldbody></mujoco>""")
    walk(m, d, cm, cd, 60)
    assert d.ncon > 0


def test_slider_cranks_match_the_reference():
    m, d, cm, cd = pair("""<mujoco><worldbody><body pos="-.1 .05 0"><joint axis="0 .6 .8"/><geom size=".1" pos=".1 0 0" contype="0"/>
        <site name="s" euler="10 20 30"/></body><body><joint axis="0 1 0"/><geom size=".1" pos=".1 0 0" contype="0"/>
        <site name="c" pos=".3 0 .5"/></body></worldbody><actuator>
        <general cranksite="c" slidersite="s" cranklength=".7" gear="1.5"/><general cranksite="c" slidersite="s" cranklength=".1"/>
        </actuator></mujoco>""")
    for q in np.random.default_rng(1).uniform(-4, 4, (100, 2)):
        place(d, cd, q, [0.3, -0.7])
        d.ctrl[:] = cd.ctrl[:] = [1, -2]
        mujoco.mj_forward(m, d)
        condyle.mj_forward(cm, cd)
        assert_same_state(d, cd)


@pytest.mark.parametrize("target,kind", list(itertools.product(["joint", "jointinparent"], ["hinge", "slide", "ball", "free"])))
def test_joints_driven_in_both_frames_match_the_reference(target, kind):
    m, d, cm, cd = pair(f"""<mujoco><worldbody><body><joint name="j" type="{kind}"/><geom size=".1" pos=".1 0 .2"/></body></worldbody>
        <actuator><general {target}="j" gear="1 2 3 -1 .5 2"/></actuator></mujoco>""")
    walk(m, d, cm, cd, 40)


GRAVITY = """<mujoco><worldbody><body gravcomp="{0}"><joint axis="0 1 0"/><inertial pos=".1 0 .1" mass="1" diaginertia=".1 .1 .1"/>
<body pos=".5 0 0" gravcomp="{1}"><joint axis="1 1 0" actuatorgravcomp="true"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/></body></body>
<body pos="3 0 0" gravcomp="{2}"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize("factors", [(1, 1, 1), (0, 0, 0), (0.5, 2, 7.2), (0, 1, -1), (0.3, -0.5, 0)])
def test_gravity_compensation_matches_the_reference(factors):
    m, d, cm, cd = pair(GRAVITY.format(*factors))
    for _ in range(20):
        mujoco.mj_step(m, d)
        condyle.mj_step(cm, cd)
        assert_same_bits(cd.qfrc_gravcomp, d.qfrc_gravcomp, "qfrc_gravcomp", any_nan=True)
        assert_same_state(d, cd)


def test_negative_gravity_compensation_alone_differs_from_the_reference():
    m, d, cm, cd = pair(GRAVITY.format(0, -1, -1))
    mujoco.mj_forward(m, d)
    condyle.mj_forward(cm, cd)
    assert not d.qfrc_gravcomp.any()
    assert cd.qfrc_gravcomp[4] == -9.81 * m.body_mass[3]


@pytest.mark.parametrize("cone,jacobian", list(itertools.product(["pyramidal", "elliptic"], ["dense", "sparse"])))
def test_adhesion_matches_the_reference(cone, jacobian):
    m, d, cm, cd = pair(f"""<mujoco><option cone="{cone}" jacobian="{jacobian}" gravity="1 0 -9.81"/><worldbody><geom type="plane" size="0 0 1"/>
        <body name="tray" pos="0 0 .049"><freejoint/><geom type="box" size=".5 .5 .05" margin=".01" gap=".005"/></body>
        <body name="ball" pos=".1 0 .198"><freejoint/><geom size=".1" condim="6"/></body>
        <body name="flap" pos="2 0 .05"><joint axis="0 1 0"/><geom size=".1" pos=".4 0 .049"/></body></worldbody><actuator>
        <adhesion body="tray" ctrlrange="0 1" gain="20"/><adhesion body="ball" ctrlrange="0 1" gain="5"/>
        <general body="flap" gear="2" gainprm="3"/></actuator></mujoco>""")
    for _ in range(40):
        d.ctrl[:] = cd.ctrl[:] = [1, 0.5, 1]
        mujoco.mj_step(m, d)
        condyle.mj_step(cm, cd)
        assert_same_state(d, cd)
    assert d.ncon > 4


def test_every_euler_sequence_matches_the_reference():
    random = np.random.default_rng(2)
    for letters in itertools.product("xyzXYZ", repeat=3):
        euler = " ".join(map(repr, random.uniform(-200, 200, 3).tolist()))
        m, _, cm, _ = pair(f"""<mujoco><compiler eulerseq="{''.join(letters)}"/><worldbody><body euler="{euler}"><geom size=".1"/>
            <frame euler="{euler}"><site euler="{euler}"/></frame></body></worldbody></mujoco>""")
        assert_same_bits(cm.body_quat, m.body_quat, f"body_quat of {letters}", any_nan=True)
        assert_same_bits(cm.site_quat, m.site_quat, f"site_quat of {letters}", any_nan=True)


ORIENTATIONS = [
    'euler="90 0 0"', 'euler="17 -29 140"', 'axisangle="0 0 1 90"', 'axisangle="0 0 3 90"', 'axisangle="1 2 -3 200"', 'xyaxes="0 1 0 -1 0 0"',
    'xyaxes="1 1 0 0 1 0"', 'zaxis="1 0 0"', 'zaxis="0 0 1"', 'zaxis="0 0 -1"', 'zaxis="0 0 5"', 'zaxis="1 -2 3"',
    'quat="0.7071068 0 0.7071068 0"', 'quat="1 2 3 4"',
]  # fmt: skip


@pytest.mark.parametrize("angle", ["degree", "radian"])
def test_every_orientation_matches_the_reference(angle):
    for outer, inner in itertools.product(["", *ORIENTATIONS], ORIENTATIONS):
        m, _, cm, _ = pair(f"""<mujoco><compiler angle="{angle}"/><worldbody><body><geom size=".1" pos=".1 .2 .3" {inner}/>
            <frame pos="1 2 3" {outer}><site {inner}/><camera {inner}/><geom type="box" size=".1 .2 .3" pos=".4 0 0" {inner}/>
            <body {inner}><geom type="capsule" fromto="0 0 0 1 2 3" size=".1"/></body></frame></body></worldbody></mujoco>""")
        for name in ("body_pos", "body_quat", "geom_pos", "geom_quat", "geom_size", "site_pos", "site_quat", "cam_quat"):
            assert_same_bits(getattr(cm, name), getattr(m, name), f"{name} of {outer} {inner}", any_nan=True)


COMPILED = {
    "frames": """<worldbody><frame pos="1 0 0" euler="0 0 90"><frame pos="0 1 0"><geom size=".1" pos="1 0 0"/><frame pos="0 0 1" zaxis="1 0 0">
        <geom type="capsule" fromto="0 0 0 0 0 1" size=".1"/><site/></frame></frame></frame><frame euler="0 90 0"><body pos="1 0 0"><freejoint/>
        <geom size=".1"/></body></frame><body><frame pos="1 2 3" euler="10 20 30"><joint pos="0 1 0" axis="1 0 0"/></frame><geom size=".2"/></body></worldbody>""",
    "classes": """<default><geom friction=".5"/><default class="A"><joint damping="1"/><geom contype="4" rgba="1 0 0 1"/><default class="B"><geom conaffinity="3"/>
        <site size=".05"/></default></default><default class="C"><geom contype="8"/></default></default><worldbody><body childclass="B"><joint/><geom size=".1"/><site/>
        <body pos="0 0 1"><joint axis="0 1 0"/><geom size=".1"/><frame childclass="C"><geom size=".1"/><frame><geom size=".2"/></frame>
        <geom class="A" size=".3"/></frame><body childclass="A"><geom size=".1"/></body></body></body></worldbody>""",
    "inertia": """<compiler balanceinertia="true" boundmass=".01" boundinertia=".002" settotalmass="10"/><worldbody>
        <body><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 10"/></body><body pos="1 0 0"><freejoint/><geom size=".1"/></body>
        <body pos="2 0 0"><freejoint/><inertial pos="0 0 0" mass=".001" diaginertia=".001 .001 .001"/></body></worldbody>""",
    "limits": """<worldbody><body><joint range="-90 90"/><geom size=".1"/></body><body><joint type="ball" range="0 60"/><geom size=".1"/></body>
        <body><joint name="s" type="slide" range="-2 2" ref=".5" springref="1"/><geom size=".1"/></body><body><joint ref="30" springref="45"/><geom size=".1"/></body>
        </worldbody><tendon><fixed range="-1 1"><joint joint="s" coef="1"/></fixed></tendon><actuator><motor joint="s" ctrlrange="-1 1" forcerange="-2 2"/>
        <general joint="s" dyntype="integrator" actrange="0 3"/></actuator>""",
    "spring lengths": """<worldbody><site name="w" pos="0 0 2"/><body><joint type="slide" axis="0 0 1" springref=".3"/><geom size=".1"/><site name="s"/></body>
        </worldbody><tendon><spatial springlength=".5" stiffness="10"><site site="w"/><site site="s"/></spatial><spatial springlength=".3 .7" stiffness="10">
        <site site="w"/><site site="s"/></spatial><spatial stiffness="10"><site site="w"/><site site="s"/></spatial></tendon>""",
    "plain": """<worldbody><body euler="90 0 0"><freejoint/><geom type="box" size=".1 .2 .3" quat="1 1 0 0"/></body></worldbody>""",
}  # fmt: skip


@pytest.mark.parametrize("name", COMPILED)
def test_loading_features_compile_and_step_as_in_the_reference(name):
    m, d, cm, cd = pair(f"<mujoco>{COMPILED[name]}</mujoco>")
    assert_same_model(m, cm)
    walk(m, d, cm, cd, 20)


def test_urdf_settings_match_the_reference():
    link = """<link name="{0}"><inertial><origin xyz=".1 0 0"/><mass value="1"/><inertia ixx="1" iyy="1.2" izz="1.1" ixy="0" ixz="0" iyz="0"/></inertial>
        <visual><geometry><sphere radius="9"/></geometry></visual>
        <collision><origin xyz="0 0 .5" rpy=".1 .2 .3"/><geometry><box size=".2 .4 .6"/></geometry></collision></link>"""
    m, d, cm, cd = pair(f"""<robot name="r"><link name="base"/>{link.format("arm")}{link.format("hand")}{link.format("tip")}
        <joint name="turn" type="revolute"><parent link="base"/><child link="arm"/><origin rpy=".3 .2 .1"/><axis xyz="0 1 0"/>
        <limit lower="-1.5" upper="0.5" effort="9" velocity="1"/></joint>
        <joint name="fix" type="fixed"><parent link="arm"/><child link="hand"/><origin xyz="0 0 1"/></joint>
        <joint name="spin" type="continuous"><parent link="hand"/><child link="tip"/><origin xyz="0 0 1"/><axis xyz="1 0 0"/></joint></robot>""", reference_bugs=True)
    assert m.nbody == 3 and m.ngeom == 3
    # The reference builds the tree of bounding volumes of a fused body twice.
    assert_same_model(m, cm, but=("bvh_", "body_bvh"))
    walk(m, d, cm, cd, 20)


def test_the_reference_does_not_read_spring_inertia(tmp_path):
    xml = """<mujoco><worldbody><body><joint stiffness="100" {}/><geom size=".1"/></body></worldbody></mujoco>"""
    with pytest.raises(ValueError, match="springinertia"):
        mujoco.MjModel.from_xml_string(xml.format('springinertia="1"'))
    ours = condyle.MjModel.from_xml_string(xml.format('springinertia="1"'))
    assert ours.jnt_springinertia.tolist() == [1]
    file = tmp_path / "spring.mjb"
    file.write_bytes(ours.to_binary())
    with pytest.raises(Exception):
        mujoco.MjModel.from_binary_path(str(file))
    # Without it the file is the reference's.
    theirs = mujoco.MjModel.from_xml_string(xml.format(""))
    buffer = np.zeros(mujoco.mj_sizeModel(theirs), np.uint8)
    mujoco.mj_saveModel(theirs, None, buffer)
    plain = condyle.MjModel.from_xml_string(xml.format(""))
    assert plain.to_binary() == buffer.tobytes()
