"""Sequences of calls and models that a hunt found to differ from MuJoCo: each beside the live reference."""

import warnings

import condyle
import mujoco
import numpy as np
import pytest
from conftest import assert_same_bits

SCENE = """<mujoco><option{option}/><worldbody><geom type="plane" size="3 3 1"/>
  <body pos="0 0 .09"><freejoint/><geom type="box" size=".1 .1 .1"/></body><body pos="1 0 .09"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  <body pos="0 1 1"><joint name="a" frictionloss=".1" range="-1 -.1" limited="true"/><geom size=".1"/><body pos=".2 0 0"><joint name="b" axis="0 1 0"/><geom size=".1"/></body></body>
  </worldbody><equality><joint joint1="a" joint2="b"/></equality></mujoco>"""


def _pair(xml, **keywords):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = condyle.MjModel.from_xml_string(xml, **keywords)
    theirs = mujoco.MjModel.from_xml_string(xml)
    return (mujoco, theirs, mujoco.MjData(theirs)), (condyle, ours, condyle.MjData(ours))


def _same(left, right, names):
    for name in names.split():
        a, b = np.asarray(getattr(left, name)), np.asarray(getattr(right, name))
        assert a.shape == b.shape and ((a == b) | (np.isnan(a) & np.isnan(b))).all(), f"{name}\n{a}\n{b}"


def _play(pair, calls):
    for engine, m, d in pair:
        for name in calls.split():
            getattr(engine, name)(m, d)


RESULTS = "ncon nefc ne nf nl nisland qacc qfrc_constraint qpos qvel efc_force qfrc_inverse"


@pytest.mark.parametrize("solver", ["Newton", "CG", "PGS"])
@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
@pytest.mark.parametrize(
    "calls",
    [
        "mj_collision",
        "mj_collision mj_fwdConstraint",
        "mj_inverse",
        "mj_inverse mj_fwdConstraint",
        "mj_invPosition mj_fwdVelocity mj_fwdConstraint",
        "mj_inverse mj_step2",
        "mj_makeConstraint mj_fwdVelocity mj_fwdConstraint",
        "mj_makeConstraint mj_island mj_fwdVelocity mj_fwdConstraint",
        "mj_collision mj_makeConstraint mj_projectConstraint mj_fwdVelocity mj_fwdConstraint mj_step",
    ],
)
def test_rows_and_islands_belong_to_the_contacts_that_are(calls, solver, jacobian):
    pair = _pair(SCENE.format(option=f' solver="{solver}" jacobian="{jacobian}"'))
    if solver == "PGS":
        # The reference's solver of dual problems crashes where their matrix was not made.
        calls = calls.replace("mj_fwdConstraint", "mj_projectConstraint mj_fwdConstraint").replace("mj_inverse mj_step2", "mj_inverse mj_projectConstraint mj_step2")
    _play(pair, "mj_step mj_step mj_step mj_forward")
    (_, _, d), (_, _, e) = pair
    assert d.nefc > 0
    _same(d, e, RESULTS)
    _play(pair, calls)
    solved = "mj_fwdConstraint" in calls or "mj_step" in calls or "mj_inverse" in calls
    names = RESULTS if solved else RESULTS.replace(" efc_force", "")
    _same(d, e, names)
    _play(pair, "mj_step mj_step")
    _same(d, e, RESULTS)


def test_contacts_stay_without_rows_after_a_reset_to_sleep():
    xml = """<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="5 5 1"/>
    <body pos="0 0 .1" sleep="init"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"""
    pair = _pair(xml)
    (_, _, d), (_, _, e) = pair
    for calls in ("mj_resetData", "mj_step mj_step mj_resetData", "mj_step"):
        _play(pair, calls)
        _same(d, e, "ncon nefc nisland qpos qacc qfrc_smooth tree_asleep")
        assert [(c.efc_address, c.dist) for c in d.contact] == [(c.efc_address, c.dist) for c in e.contact]


@pytest.mark.parametrize("solver", ["Newton", "CG", "PGS"])
@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_invalid_forces_reach_dofs_outside_islands_in_dense_storage(solver, jacobian):
    xml = f"""<mujoco><option solver="{solver}" jacobian="{jacobian}"/><worldbody>
    <body><freejoint/><geom size=".1"/></body><geom type="box" size=".1 .1 .1"/><body pos="2 0 0"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""
    pair = _pair(xml)
    for engine, m, d in pair:
        m.geom_quat[:] = np.nan
        m.dof_armature[:3] = np.nan
        for _ in range(2):
            engine.mj_forward(m, d)
    (_, _, d), (_, _, e) = pair
    assert d.nefc > 0
    _same(d, e, "ncon nefc nisland qfrc_constraint qacc qacc_smooth")


@pytest.mark.parametrize("bad", ["nan", "inf"])
@pytest.mark.parametrize("shape", ["sphere", "box", "capsule"])
@pytest.mark.parametrize(
    "inner",
    [
        "<body><geom type='{shape}' size='.1 .1 .1' pos='0 {bad} 0'/></body>",
        "<body><geom size='.1'/><geom type='{shape}' size='.1 .1 .1' pos='0 {bad} 0'/></body>",
        "<body><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><freejoint/><geom size='.1'/><geom type='{shape}' size='.1 .1 .1' pos='0 {bad} 0'/></body>",
        "<body pos='{bad} 0 0'><freejoint/><geom type='{shape}' size='.1 .1 .1'/></body>",
    ],
)
def test_places_that_are_not_finite_meet_everything(inner, shape, bad):
    xml = f"<mujoco><worldbody>{inner.format(shape=shape, bad=bad)}<body pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    mujoco.set_mju_user_warning(lambda _: None)
    try:
        pair = _pair(xml)
        for _ in range(2):
            _play(pair, "mj_step")
            _same(pair[0][2], pair[1][2], "ncon nefc qpos qvel qacc")
    finally:
        mujoco.set_mju_user_warning(None)


TIED = """<worldbody><body><joint name="a"/><geom size=".1"/></body><body pos="1 0 0"><joint name="b"/><geom size=".1"/></body></worldbody>
<tendon><fixed name="s"><joint joint="a" coef="1"/></fixed><fixed name="t"><joint joint="b" coef="1"/></fixed></tendon>"""
STOPPING = {
    "bodies that no joint moves": """<mujoco><worldbody><geom name="a" size=".1"/><body><geom name="b" size=".1"/></body>
        <body pos="1 0 0"><joint/><geom size=".1"/></body></worldbody><contact><pair geom1="a" geom2="b"/></contact></mujoco>""",
    "equalities of tendons": f"""<mujoco><option><flag sleep="enable"/></option>{TIED}
        <equality><tendon tendon1="s" tendon2="t"/></equality></mujoco>""",
    "matrix of the implicit integrator singular": """<mujoco><option integrator="implicit" timestep=".01"/><worldbody>
        <body><joint name="j" type="slide"/><geom size=".1" mass="1"/></body></worldbody><actuator><velocity joint="j" kv="-100"/></actuator></mujoco>""",
}


@pytest.mark.parametrize("message", STOPPING)
def test_what_stops_the_reference_is_a_warning_at_load(message):
    with pytest.warns(UserWarning, match=message) as caught:
        m = condyle.MjModel.from_xml_string(STOPPING[message])
    assert "help" in str(caught[0].message) and "<string>:" in str(caught[0].message)
    d = condyle.MjData(m)
    condyle.mj_step(m, d, 3)
    with pytest.raises((mujoco.FatalError, ValueError)):
        theirs = mujoco.MjModel.from_xml_string(STOPPING[message])
        mujoco.mj_step(theirs, mujoco.MjData(theirs))


def test_discrete_inverse_dynamics_with_runge_kutta_is_a_warning():
    xml = f'<mujoco><option integrator="RK4"><flag invdiscrete="enable"/></option>{TIED}</mujoco>'
    with pytest.warns(UserWarning, match="not defined for the RK4 integrator"):
        m = condyle.MjModel.from_xml_string(xml)
    d = condyle.MjData(m)
    condyle.mj_forward(m, d)
    condyle.mj_inverse(m, d)
    assert np.isfinite(d.qfrc_inverse).all()
    theirs = mujoco.MjModel.from_xml_string(xml)
    with pytest.raises(mujoco.FatalError):
        mujoco.mj_inverse(theirs, mujoco.MjData(theirs))


@pytest.mark.parametrize(
    "xml",
    [
        '<mujoco><option integrator="implicit"/><worldbody><body><joint name="j" damping="1"/><geom size=".1"/></body></worldbody>'
        '<actuator><velocity joint="j" kv="-1"/></actuator></mujoco>',
        f'<mujoco><option><flag sleep="enable"/></option>{TIED}<equality><tendon tendon1="s" tendon2="t" active="false"/></equality></mujoco>',
    ],
)
def test_models_that_run_in_the_reference_are_not_warned_of(xml):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        condyle.MjModel.from_xml_string(xml)


def test_a_singular_hessian_is_an_issue_of_the_step():
    xml = """<mujoco><option jacobian="sparse" solver="Newton"/><worldbody><body><joint range="-1 -.5" limited="true"/><geom size=".1"/>
    <body pos="1 0 0"><joint type="slide"/><geom size=".1"/></body></body></worldbody></mujoco>"""
    results = []
    for engine in (mujoco, condyle):
        m = engine.MjModel.from_xml_string(xml)
        m.body_mass[2] = 0
        m.body_inertia[2] = 0
        d = engine.MjData(m)
        try:
            engine.mj_step(m, d)
            results.append(d)
        except mujoco.FatalError as error:
            results.append(str(error))
    assert "rank-deficient" in results[0]
    assert results[1].report.issues["singular_hessian"] > 0
    assert np.isfinite(results[1].qpos).all()


def test_a_contact_without_a_normal_is_left_out():
    xml = """<mujoco><worldbody><body><geom type="ellipsoid" size=".1 .1 .07"/></body><body><body><joint/><geom size="1e308" pos="-.06 .18 .05"/></body></body>
    </worldbody></mujoco>"""
    (_, m, d), (_, n, e) = _pair(xml)
    with pytest.raises(mujoco.FatalError, match="xaxis of contact frame undefined"):
        mujoco.mj_step(m, d)
    condyle.mj_step(n, e)
    assert e.ncon == 0


def test_a_flex_whose_radius_is_not_a_number_meets_nothing():
    xml = '<mujoco><worldbody><body><geom size=".05"/></body><flexcomp name="f" count="3 4 1" radius="nan"/></worldbody></mujoco>'
    (_, m, d), (_, n, e) = _pair(xml)
    mujoco.mj_forward(m, d)
    condyle.mj_forward(n, e)
    assert d.ncon > 0 and np.isnan(d.contact.dist).all()
    assert e.ncon == 0


@pytest.mark.parametrize("flag", ["enable", "disable"])
def test_distances_of_boxes_in_the_same_place(flag):
    xml = f"""<mujoco><option><flag nativeccd="{flag}"/></option><worldbody>
    <body pos=".1 .2 .3"><freejoint/><geom type="box" size=".14 .3 .25"/></body><body pos=".1 .2 .3"><freejoint/><geom type="box" size=".14 .3 .25"/></body>
    <body pos=".15 .2 .3" euler="0 0 90"><freejoint/><geom type="box" size=".14 .3 .25"/></body></worldbody></mujoco>"""
    pair = _pair(xml)
    _play(pair, "mj_forward")
    for first in range(3):
        for second in range(3):
            found = []
            for engine, m, d in pair:
                ends = np.zeros(6)
                found.append(np.append(engine.mj_geomDistance(m, d, first, second, 2.0, ends), ends))
            assert_same_bits(found[1], found[0], f"geoms {first} and {second}")


def test_derivatives_of_a_tree_that_falls_asleep_do_not_stop():
    xml = """<mujoco><option><flag sleep="enable"/></option><worldbody>
    <body sleep="init"><joint frictionloss="1"/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"""
    pair = _pair(xml)
    stopped = [False, False]
    for _ in range(4):
        for side, (engine, m, d) in enumerate(pair):
            for centred in (0, 1):
                transition = np.full((2, 2), np.nan)
                try:
                    engine.mjd_transitionFD(m, d, 1e-6, centred, transition, None, None, None)
                    assert np.isfinite(transition).all()
                except mujoco.FatalError as error:
                    assert "found sleeping tree" in str(error)
                    stopped[side] = True
            engine.mj_step(m, d)
    assert stopped == [True, False]


def test_new_rows_have_no_islands_until_they_are_looked_for():
    xml = """<mujoco><compiler angle="radian"/><worldbody><body><joint range="0 1" limited="true" damping="1"/><joint axis="0 1 0" range="0 1" limited="true"/><geom size=".1" pos=".1 0 0"/></body></worldbody></mujoco>"""
    pair = _pair(xml)
    for _, _, d in pair:
        d.qpos[:] = -0.1, 0.5
    _play(pair, "mj_forward")
    (_, _, d), (_, _, e) = pair
    assert (d.nefc, d.nisland) == (e.nefc, e.nisland) == (1, 1)
    for data in (d, e):
        data.qpos[:] = -0.1
    _play(pair, "mj_kinematics mj_makeConstraint")
    assert (d.nefc, d.nisland) == (2, 1) and (e.nefc, e.nisland) == (2, 0)
    _play(pair, "mj_island")
    assert d.nisland == e.nisland == 1


def test_rows_that_move_nothing_do_not_stop_the_step():
    xml = """<mujoco><worldbody><geom type="plane" size="0 0 1"/><body name="base" pos="nan 0 .5">
    <flexcomp name="flex" type="grid" dim="1" count="4 1 1" spacing=".1 .1 .1" radius=".02" mass="inf"><pin id="0"/></flexcomp></body></worldbody></mujoco>"""
    (_, m, d), (_, n, e) = _pair(xml)
    with pytest.raises(mujoco.FatalError, match="no tree found"):
        mujoco.mj_step(m, d)
    condyle.mj_step(n, e)


@pytest.mark.parametrize("element", ["<actuator><motor joint='j' nsample='3' delay='.004'/></actuator>", "<sensor><jointpos joint='j' nsample='3'/></sensor>"])
@pytest.mark.parametrize("step, accepted", [("0", False), ("-0.01", False), ("0.002", True)])
def test_a_history_needs_a_time_step(element, step, accepted):
    xml = f"<mujoco><option timestep='{step}'/><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody>{element}</mujoco>"
    for engine in (mujoco, condyle):
        if accepted:
            engine.MjModel.from_xml_string(xml)
        else:
            with pytest.raises(ValueError, match="history"):
                engine.MjModel.from_xml_string(xml)


def test_margins_that_are_not_a_number_stop_nothing():
    xml = """<mujoco><worldbody><geom size="3"/><body><geom size=".08"/><body><joint/><body><geom size=".05" margin="nan"/></body></body></body></worldbody></mujoco>"""
    (_, m, d), (_, n, e) = _pair(xml)
    mujoco.mj_forward(m, d)
    condyle.mj_forward(n, e)
    theirs, ours = ([tuple(c.geom) for c in data.contact] for data in (d, e))
    assert (0, 2) in theirs and (0, 2) in ours
    condyle.mj_step(n, e, 10)


@pytest.mark.parametrize("other", ["", '<body pos="1 0 0" gravcomp="1"><joint/><geom size=".1"/></body>'])
def test_gravity_compensation_that_is_not_a_number(other):
    xml = f"""<mujoco><worldbody><body gravcomp="nan"><geom size=".1"/><body pos=".3 0 0"><joint/><geom size=".1"/></body></body>{other}</worldbody></mujoco>"""
    pair = _pair(xml)
    _play(pair, "mj_forward")
    _same(pair[0][2], pair[1][2], "qfrc_gravcomp qfrc_passive qacc")


@pytest.mark.parametrize("size", ["1e3", "1e9", "1e10", "1e20", "1e300"])
def test_huge_shapes_on_a_height_field(size):
    xml = f"""<mujoco><asset><hfield name="h" nrow="5" ncol="4" size="2 2 .2 .1"/></asset><worldbody>
    <body pos=".5 -.5 .6" euler="-14 -70 -20"><freejoint/><geom size="{size}"/></body><geom type="hfield" hfield="h"/></worldbody></mujoco>"""
    pair = _pair(xml)
    _play(pair, "mj_forward")
    (_, _, d), (_, _, e) = pair
    _same(d, e, "ncon nefc")
    assert [tuple(c.pos) for c in d.contact] == [tuple(c.pos) for c in e.contact]


def test_contacts_of_elements_at_huge_distances_do_not_stop_the_step():
    xml = """<mujoco><worldbody><flexcomp name="cloth" type="grid" count="4 4 1" spacing=".1 .1 .1" pos="0 0 .4" radius=".01" dim="2" mass=".5">
    <contact internal="false" selfcollide="none"/></flexcomp><body pos=".15 .15 .3"><freejoint/><geom size="1e20"/></body></worldbody></mujoco>"""
    (_, m, d), (_, n, e) = _pair(xml)
    with pytest.raises(mujoco.FatalError, match="body weight"):
        mujoco.mj_step(m, d)
    condyle.mj_step(n, e)


def test_forces_between_bodies_after_rows_were_forgotten():
    xml = "<mujoco><worldbody><body name='a'><freejoint/><geom size='.1'/></body></worldbody><equality><weld body1='a'/></equality></mujoco>"
    model = condyle.MjModel.from_xml_string(xml)
    data = condyle.MjData(model)
    condyle.mj_forward(model, data)
    condyle.mj_collision(model, data)
    condyle.mj_rnePostConstraint(model, data)
    assert not data.cfrc_ext.any()


@pytest.mark.parametrize("side", [{"geom": 1_000_000, "flex": 0, "vert": 0}, {"geom": -1, "flex": 0, "vert": 1_000_000}, {"geom": -1, "flex": 1_000_000, "vert": 0}])
def test_contacts_with_parts_that_the_model_does_not_have_make_no_rows(side):
    """MuJoCo reads past its arrays here."""
    cloth = """<flexcomp name="f" type="grid" count="3 3 1" spacing=".1 .1 .1" dim="2" radius=".01" pos="0 0 2"><contact selfcollide="none"/></flexcomp>"""
    model = condyle.MjModel.from_xml_string(
        f'<mujoco><worldbody><geom type="plane" size="2 2 .1"/><body pos="0 0 .09"><freejoint/><geom size=".1"/></body>{cloth}</worldbody></mujoco>')
    data = condyle.MjData(model)
    condyle.mj_forward(model, data)
    assert data.ncon == 1 and data.nefc > 0
    for name, value in side.items():
        getattr(data.contact, name)[0, 0] = value
    condyle.mj_makeConstraint(model, data)
    condyle.mj_fwdConstraint(model, data)
    assert data.nefc == 0 and np.isfinite(data.qacc).all()
    condyle.mj_step(model, data)
    assert np.isfinite(data.qpos).all()
