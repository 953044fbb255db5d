"""What a step reports: convergence of the solver, warnings, resets, the culprit of an invalid value."""

import mujoco
import numpy as np
import pytest

import condyle

PENDULUM = """<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <geom type="plane" size="0 0 1"/>
    <body name="arm" pos="0 0 1">
      <joint name="shoulder" axis="0 1 0"/>
      <geom name="bone" type="capsule" fromto="0 0 0 .5 0 0" size=".02"/>
    </body>
    <body name="ball" pos="0 0 .09"><freejoint name="float"/><geom size=".1" {geom}/></body>
  </worldbody>
  <actuator><motor name="motor" joint="shoulder" gear="2"/></actuator>
</mujoco>"""


def make(geom=""):
    model = condyle.MjModel.from_xml_string(PENDULUM.format(geom=geom))
    return model, condyle.MjData(model)


def test_a_quiet_step_has_nothing_to_report():
    model, data = make()
    condyle.mj_step(model, data, nstep=3)
    report = data.report
    assert report.step == 3 and report.time == pytest.approx(0.004)
    assert report.converged and not report.held and report.resets == 0 and report.non_finite is None
    assert report.warnings == {} and report.issues == {}
    assert [island.end for island in report.islands] == ["converged"]
    assert report.islands[0].iterations == data.solver_niter[0]
    assert "nothing to report" in str(report)


def test_running_out_of_iterations_is_visible():
    model, data = make('condim="6"')
    model.opt.iterations = 1
    model.opt.tolerance = 0
    condyle.mj_step(model, data)
    report = data.report
    assert not report.converged and report.unconverged == report.solved == 1
    assert report.worst.end == "iteration_limit" and report.worst.iterations == 1
    assert report.worst.improvement == data.solver[0].improvement
    assert report.worst.gradient == data.solver[0].gradient
    assert "not converged" in str(report)


def test_mixed_formats_are_noticed():
    model, data = make('solref=".02 -1"')
    condyle.mj_step(model, data)
    assert data.report.issues == {"mixed_reference": 1}
    assert "solref" in str(data.report)


def test_a_reset_names_joint_body_and_the_largest_forces():
    model, data = make()
    condyle.mj_step(model, data, nstep=5)
    data.qfrc_applied[0] = 1e300
    data.ctrl[0] = 3
    condyle.mj_step(model, data)
    report = data.report
    found = report.non_finite
    assert report.resets == 1 and report.step == 6 and report.warnings == {"bad_qacc": 1}
    assert (found.stage, found.quantity, found.index, found.joint, found.body) == ("acceleration", "qacc", 0, 0, 1)
    assert found.cause == ("applied_force", 0) and found.step == 6
    assert found.contributions[0] == ("applied", 0, 1e300)
    assert ("actuator 0 'motor'", 0, 6.0) in found.contributions
    for word in ("'shoulder'", "'arm'", "step 6", "applied"):
        assert word in str(found)
    condyle.mj_step(model, data)
    assert data.report.non_finite is None and data.report.step == 7


def test_hold_keeps_the_last_state_and_recovers():
    model, data = make()
    data.non_finite_policy = "hold"
    condyle.mj_step(model, data, nstep=10)
    kept = data.qpos.copy(), data.time
    data.xfrc_applied[1, 0] = np.nan
    condyle.mj_step(model, data, nstep=3)
    assert data.report.held and data.report.non_finite.cause == ("external_force", 1)
    assert np.array_equal(data.qpos, kept[0]) and data.time == kept[1]
    data.qpos[0] = np.nan
    condyle.mj_step(model, data)
    assert np.array_equal(data.qpos, kept[0])
    data.xfrc_applied[1, 0] = 0
    condyle.mj_step(model, data)
    assert not data.report.held and data.time > kept[1]


def test_an_error_stops_where_it_happened():
    model, data = make()
    data.non_finite_policy = "error"
    condyle.mj_step(model, data, nstep=4)
    data.qvel[0] = np.inf
    with pytest.raises(condyle.NonFiniteError, match="velocity of joint 0 'shoulder'"):
        condyle.mj_step(model, data, nstep=5)
    assert data.qvel[0] == np.inf and data.time == pytest.approx(0.008)
    data.qvel[0] = 0
    data.qfrc_applied[:] = np.nan
    condyle.mj_step1(model, data)
    with pytest.raises(condyle.NonFiniteError):
        condyle.mj_step2(model, data)


def test_an_invalid_control_is_named():
    model, data = make()
    data.ctrl[0] = np.nan
    condyle.mj_step(model, data)
    assert data.report.bad_control == 0 and data.report.warnings == {"bad_ctrl": 1}
    assert "'motor'" in str(data.report) and data.report.resets == 0


MESSAGES = {
    "solref format": "mixed_reference", "solreffriction": "mixed_friction_reference", "not convex": "line_search_not_convex",
    "affine hull": "depth_on_face", "memory for faces": "depth_out_of_faces", "HField vs SDF": "height_field_on_distance_field",
}
TROUBLED = {
    "mixed formats": """<geom type="plane" size="1 1 1" solref=".02 -1" priority="1"/>
      <body pos="0 0 .05"><freejoint/><geom size=".1"/></body>
      <body pos="1 0 1"><joint axis="0 1 0" limited="true" range="10 20" solreflimit="-3 1"/><geom size=".1"/></body>""",
    "mixed friction formats": """<geom name="floor" type="plane" size="1 1 1"/>
      <body pos="0 0 .05"><freejoint/><geom name="ball" size=".1"/></body>
    </worldbody><contact><pair geom1="floor" geom2="ball" solreffriction=".02 -1"/></contact><worldbody>""",
    "a height field under a distance field": """<geom type="hfield" hfield="hills"/>
      <body pos="0 0 .2"><freejoint/><geom type="sdf" mesh="cube"/></body>
    </worldbody><asset>
      <hfield name="hills" nrow="3" ncol="3" size="1 1 .2 .1" elevation="0 1 2 1 2 1 2 1 0"/>
      <mesh name="cube" vertex="-.1 -.1 -.1 .1 -.1 -.1 .1 .1 -.1 -.1 .1 -.1 -.1 -.1 .1 .1 -.1 .1 .1 .1 .1 -.1 .1 .1"/>
    </asset><worldbody>""",
    "negative inertia": """<body><joint axis="0 1 0" frictionloss="5"/><joint axis="1 0 0" frictionloss=".3"/>
      <geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/><geom size=".1" pos="0 .3 .1"/></body>""",
}
# What no file can say.
EDITED = {"negative inertia": ("dof_armature", -0.5)}


@pytest.mark.parametrize("scene", TROUBLED)
def test_issues_come_where_the_reference_warns(scene):
    text = f'<mujoco><option cone="elliptic"/><worldbody>{TROUBLED[scene]}</worldbody></mujoco>'
    said = []
    mujoco.set_mju_user_warning(said.append)
    try:
        m = mujoco.MjModel.from_xml_string(text)
        d = mujoco.MjData(m)
        model = condyle.MjModel.from_xml_string(text)
        data = condyle.MjData(model)
        if scene in EDITED:
            name, value = EDITED[scene]
            getattr(m, name)[-1] = getattr(model, name)[-1] = value
        total = 0
        for step in range(30):
            said.clear()
            mujoco.mj_step(m, d)
            condyle.mj_step(model, data)
            expected = {}
            for message in filter(lambda message: "unstable" not in str(message), said):
                name = next(name for part, name in MESSAGES.items() if part in str(message))
                expected[name] = expected.get(name, 0) + 1
            assert data.report.issues == expected, f"step {step}"
            total += len(said)
        assert total > 0
    finally:
        mujoco.set_mju_user_warning(None)
