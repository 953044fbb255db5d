"""What a hunt for differences from MuJoCo found: each case beside the live reference."""

import pathlib
import sys
import warnings

import condyle
import mujoco
import numpy as np
import pytest
from conftest import assert_same_fields


def _both(xml, assets=None, **keywords):
    """The model and data of both engines; warnings of ours are passed over."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = condyle.MjModel.from_xml_string(xml, assets, **keywords)
    reference = mujoco.MjModel.from_xml_string(xml, assets)
    return (mujoco, reference, mujoco.MjData(reference)), (condyle, ours, condyle.MjData(ours))


def test_camera_range_finders_cast_their_rays_together():
    xml = """<mujoco><worldbody>
      <geom type="plane" size="5 5 1"/>
      <body euler="30 40 50" pos=".2 0 .5"><freejoint/><geom type="box" size=".2 .1 .3" euler="10 20 30"/>
        <geom type="capsule" size=".05 .3" pos=".3 .2 0" euler="60 0 20"/></body>
      <body euler="0 70 20" pos="-.3 .2 .4"><geom type="cylinder" size=".1 .2" pos=".1 .2 .1"/></body>
      <camera name="p" pos="0 0 3" resolution="17 13" fovy="60"/>
      <camera name="o" pos="0 0 3" resolution="7 5" projection="orthographic" fovy="2"/></worldbody>
      <sensor><rangefinder camera="p" data="dist dir origin point normal depth"/>
      <rangefinder camera="o" data="dist normal depth"/></sensor></mujoco>"""
    (engine, m, d), (ours, n, e) = _both(xml)
    for turn in range(20):
        rng = np.random.default_rng(turn)
        d.qpos[3:7] = e.qpos[3:7] = rng.normal(size=4)
        engine.mj_forward(m, d)
        ours.mj_forward(n, e)
        assert_same_fields(d, e, "sensordata".split())
    assert (d.sensordata > 0).any()


SLEEPING = """<mujoco><option><flag sleep="enable"/></option><worldbody>
  <geom type="plane" size="5 5 1"/>
  <body name="m" mocap="true" pos="1 2 3" quat="2 0 1 0"><geom size=".1" contype="0" conaffinity="0"/></body>
  <body name="a" pos="0 0 .1" sleep="init"><freejoint/><geom type="box" size=".1 .1 .1"/><site name="s"/></body>
  <body name="b" pos="1 0 1"><freejoint/><geom size=".1"/><site name="t"/></body></worldbody>
  <sensor><framepos objtype="site" objname="s" nsample="4" interval=".004"/>
  <framepos objtype="site" objname="t" nsample="3" delay=".004"/><accelerometer site="t"/></sensor></mujoco>"""


def test_sensors_with_a_history_see_trees_that_start_asleep():
    pairs = _both(SLEEPING)
    (_, _, d), (_, _, e) = pairs
    names = "sensordata history qpos qacc qfrc_bias xpos geom_xpos cvel qM mocap_pos mocap_quat tree_asleep cacc qfrc_constraint"
    for reset in (False, True):
        for engine, m, data in pairs:
            if reset:
                engine.mj_resetData(m, data)
        assert_same_fields(d, e, (names + " qfrc_smooth qacc_smooth qacc_warmstart xipos cinert cdof subtree_com").split())
        for _ in range(6):
            for engine, m, data in pairs:
                engine.mj_step(m, data)
            assert_same_fields(d, e, names.split())
    assert d.sensordata[:3].any()


ATTACHED = {
    "c.xml": b"""<mujoco><worldbody><body name='b'><freejoint/><geom size='.1'/></body></worldbody>
    <keyframe><key name='ck' qpos='1 2 3 1 0 0 0'/></keyframe></mujoco>"""
}


@pytest.mark.parametrize("size", ["", "<size nkey='2'/>", "<size nkey='4'/>"])
@pytest.mark.parametrize("own", ["", "<key name='o' qpos='.5'/>", "<key name='o' qpos='1 2 3 4 5 6 7'/>"])
@pytest.mark.parametrize("attached_first", [False, True])
def test_keyframes_of_attached_models_follow_the_empty_ones(size, own, attached_first):
    parts = ["<body><joint ref='.3'/><geom size='.1'/></body>", "<frame pos='1 2 3'><attach model='c' body='b' prefix='p'/></frame>"]
    xml = f"""<mujoco>{size}<compiler angle='radian'/><asset><model name='c' file='c.xml'/></asset>
    <worldbody>{"".join(reversed(parts) if attached_first else parts)}</worldbody><keyframe>{own}</keyframe></mujoco>"""
    (_, m, _), (_, n, _) = _both(xml, ATTACHED)
    assert m.nkey == n.nkey
    assert_same_fields(m, n, "key_qpos key_qvel name_keyadr names".split())


@pytest.mark.parametrize(
    "inner",
    [
        "<body/>",
        "<body name='b' pos='1 0 0'><geom size='.1'/><body><joint/><geom size='.1'/></body></body>",
        "<frame pos='1 0 0'><geom size='.1'/></frame>",
        "<replicate childclass='main'><geom size='.1'/></replicate>",
    ],
)
def test_bodies_beside_the_world_are_ignored_with_a_warning(inner):
    xml = f"<mujoco><worldbody><geom size='.1'/></worldbody>{inner}</mujoco>"
    with pytest.warns(UserWarning, match="directly inside <mujoco> is ignored"):
        n = condyle.MjModel.from_xml_string(xml)
    m = mujoco.MjModel.from_xml_string(xml)
    assert (m.nbody, m.ngeom) == (n.nbody, n.ngeom) == (1, 1)


@pytest.mark.parametrize(
    "inner", ["<replicate count='2'/>", "<frame foo='1'/>", "<body foo='1'/>", "<body><box/></body>", "<frame><box/></frame>"]
)
def test_what_stands_beside_the_world_is_checked(inner):
    xml = f"<mujoco><worldbody/>{inner}</mujoco>"
    for engine in (mujoco, condyle):
        with pytest.raises(ValueError):
            engine.MjModel.from_xml_string(xml)


@pytest.mark.parametrize("seed", range(34))
def test_fragments_made_for_including_load_by_themselves(seed):
    # Bodies beside the world, as in files that other files include: accepted, and nothing of them is in the model.
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "conformance" / "hunt"))
    import generate

    writer = generate.Writer(seed)
    bodies = "".join(writer.body(0) for _ in range(1 + seed % 3))
    xml = f"<mujoco>{writer.option()}{bodies}</mujoco>"
    (_, m, _), (_, n, _) = _both(xml)
    assert m.nbody == n.nbody == 1 and m.ngeom == n.ngeom == 0


CHILD_WITH_COPIES = """<mujoco><worldbody><body name="b0"><joint name="j0" type="slide"/><geom size=".1"/></body>
<replicate count="2" offset="1 0 0"><body name="r"><joint name="jr" type="slide"/><geom size=".1"/></body></replicate></worldbody>
<keyframe><key name="ck" time="2" qpos=".1 .3"/>{more}</keyframe></mujoco>"""


@pytest.mark.parametrize("more", ["", "<key name='empty'/>"])
@pytest.mark.parametrize("own", ["", "<keyframe><key name='o' time='1' qpos='5'/></keyframe>"])
@pytest.mark.parametrize(
    "attached",
    [
        "<attach model='c' body='b0' prefix='x'/>",
        "<attach model='c' prefix='x'/>",
        # The first takes the keyframes that copies left.
        "<attach model='c' body='b0' prefix='x'/><attach model='c' body='b0' prefix='y'/>",
        "<attach model='c' prefix='x'/><attach model='c' prefix='y'/>",
    ],
)
def test_keyframes_of_copies_in_an_attached_model_keep_their_names(attached, own, more):
    xml = f"""<mujoco><asset><model name='c' file='c.xml'/></asset><worldbody><frame>{attached}</frame></worldbody>{own}</mujoco>"""
    (_, m, _), (_, n, _) = _both(xml, {"c.xml": CHILD_WITH_COPIES.format(more=more).encode()})
    assert m.nkey == n.nkey >= 3
    assert_same_fields(m, n, "key_qpos key_time name_keyadr names".split())


def test_a_model_attached_to_an_attached_model_passes_its_keyframes_on():
    middle = """<mujoco><asset><model name='c' file='c.xml'/></asset><worldbody><body name='mb'><joint name='jm' type='slide'/><geom size='.1'/>
    <frame><attach model='c' body='b0' prefix='x'/></frame></body></worldbody><keyframe><key name='mk' time='7' qpos='5 6'/></keyframe></mujoco>"""
    xml = """<mujoco><asset><model name='m' file='m.xml'/></asset><worldbody><frame><attach model='m' body='mb' prefix='t'/></frame></worldbody>
    <keyframe><key name='tk' qpos='9 9'/></keyframe></mujoco>"""
    for more in ("", "<key name='empty'/>"):
        (_, m, _), (_, n, _) = _both(xml, {"c.xml": CHILD_WITH_COPIES.format(more=more).encode(), "m.xml": middle.encode()})
        assert_same_fields(m, n, "key_qpos key_time name_keyadr names".split())


@pytest.mark.parametrize("copy", [False, True])
def test_an_attached_spec_gives_the_keyframes_of_its_copies_away(copy):
    found = []
    for engine in (mujoco, condyle):
        spec, child = engine.MjSpec(), engine.MjSpec.from_string(CHILD_WITH_COPIES.format(more=""))
        spec.copy_during_attach = copy
        spec.worldbody.add_frame().attach_body(child.bodies[1], "x_", "")
        model = spec.compile()
        found.append([[model.key(i).name for i in range(model.nkey)], model.key_qpos.tolist()])
        if copy:
            found[-1].append(child.compile().nkey)
    assert found[0] == found[1]


def test_only_the_first_part_of_a_model_gets_values_of_the_keyframes_of_its_copies():
    xml = """<mujoco><asset><model name='c' file='c.xml'/></asset><worldbody><frame><attach model='c' body='b0' prefix='x'/>
    <attach model='c' prefix='y'/></frame></worldbody></mujoco>"""
    (_, m, _), (_, n, _) = _both(xml, {"c.xml": CHILD_WITH_COPIES.format(more="").encode()})
    assert_same_fields(m, n, "key_time name_keyadr names".split())
    assert m.key_qpos.tolist() == [[0.1, 0, 0.3, 0], [0.1, 0, 0, 0.3], [0.1, 0, 0, 0]]
    assert n.key_qpos.tolist() == [[0.1, 0, 0, 0]] * 3


def test_keyframes_of_attached_specs_keep_open_what_they_do_not_give():
    found = []
    for engine in (mujoco, condyle):
        spec, child = engine.MjSpec(), engine.MjSpec.from_string(CHILD_WITH_COPIES.format(more="<key name='empty'/>"))
        body = spec.worldbody.add_body(name="b")
        body.add_joint(name="jb", type=engine.mjtJoint.mjJNT_SLIDE)
        body.add_geom(size=[0.1, 0, 0])
        actuator = spec.add_actuator(name="a", trntype=engine.mjtTrn.mjTRN_JOINT, target="jb")
        actuator.set_to_intvelocity(kp=2)
        actuator.actrange = [-1, 1]
        spec.attach(child, prefix="x-", frame=spec.worldbody.add_frame())
        spec.compile()
        spec.delete(spec.actuator("a"))
        model = spec.compile()
        found.append([(key.name, list(key.qpos), list(key.qvel), list(key.act), list(key.ctrl)) for key in spec.keys] + model.key_qpos.tolist())
    assert found[0] == found[1]
