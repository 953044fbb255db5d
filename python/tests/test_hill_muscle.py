"""The Hill-type muscle where it must agree with the reference, and extensions where the reference must refuse them."""

import pathlib
import re

import mujoco
import numpy as np
import pytest

import condyle

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"
EXTENSIONS = sorted((MODELS / "extensions").glob("*.xml"))

ARM = """<mujoco><compiler angle="radian"/><option gravity="0 0 0"/>
<worldbody><body><joint name="j" axis="0 0 1" range="-.5 .5"/><geom size=".1" pos=".2 0 0"/></body></worldbody>
<actuator>{}</actuator></mujoco>"""
MUSCLE = '<muscle joint="j" {}/>'
HILL = '<general joint="j" dyntype="hillmuscle" {}/>'


def both(theirs, ours):
    """The reference with one actuator, Condyle with another, on the same arm."""
    model, other = mujoco.MjModel.from_xml_string(ARM.format(theirs)), condyle.MjModel.from_xml_string(ARM.format(ours))
    return model, mujoco.MjData(model), other, condyle.MjData(other)


@pytest.mark.parametrize("width", [0.0, 0.05, 0.2, 1.0])
def test_activation_rates_are_those_of_the_reference(width):
    parameters = np.array([0.01, 0.04, width])
    model = condyle.MjModel.from_xml_string(ARM.format(HILL.format(f'dynprm="0.01 0.04 {width}"')))
    data = condyle.MjData(model)
    rng = np.random.default_rng(7)
    pairs = [(0.8, 0.3), (0.55, 0.5), (1.5, 0.3), (0.0, 1.0), (1.0, 0.0), (0.4, 0.4), (-1.0, 0.2)]
    pairs += [tuple(pair) for pair in rng.uniform(-0.3, 1.3, (500, 2))]
    for ctrl, act in pairs:
        data.ctrl[0], data.act[0] = ctrl, act
        condyle.mj_forward(model, data)
        assert data.act_dot[0] == mujoco.mju_muscleDynamics(ctrl, act, parameters), (ctrl, act)


def test_the_peak_force_is_the_scale_over_the_references_unit_acceleration():
    theirs, _, ours, _ = both(MUSCLE.format('scale="300"'), HILL.format('gainprm="0.75 1.05 -1 300"'))
    assert ours.actuator_acc0[0] == theirs.actuator_acc0[0]
    assert ours.actuator_gainprm[0, 2] == 300 / theirs.actuator_acc0[0] == ours.actuator_biasprm[0, 2]


def test_length_ranges_are_those_the_reference_finds_for_a_muscle():
    theirs, _, ours, _ = both(MUSCLE.format(""), HILL.format(""))
    assert theirs.actuator_lengthrange[0, 0] < theirs.actuator_lengthrange[0, 1]
    assert (ours.actuator_lengthrange == theirs.actuator_lengthrange).all()


def test_a_muscle_beside_a_hill_muscle_has_the_references_force():
    muscle = MUSCLE.format('force="30"')
    theirs, their_data, ours, our_data = both(muscle, muscle + HILL.format('gainprm="0.75 1.05 20"'))
    rng = np.random.default_rng(3)
    for _ in range(100):
        qpos, qvel = rng.uniform(-0.5, 0.5), rng.normal()
        ctrl, act = rng.uniform(0, 1, 2)
        for data in (their_data, our_data):
            data.qpos[0], data.qvel[0] = qpos, qvel
            data.ctrl[:], data.act[:] = ctrl, act
        mujoco.mj_forward(theirs, their_data)
        condyle.mj_forward(ours, our_data)
        assert our_data.actuator_force[0] == their_data.actuator_force[0]
        assert our_data.act_dot[0] == their_data.act_dot[0] == our_data.act_dot[1]


@pytest.mark.parametrize("name", ["muscle", "musclesmooth", "actearly"])
def test_models_with_standard_muscles_step_as_in_the_reference(name):
    path = str(MODELS / "actuator" / f"{name}.xml")
    theirs, ours = mujoco.MjModel.from_xml_path(path), condyle.MjModel.from_xml_path(path)
    their_data, our_data = mujoco.MjData(theirs), condyle.MjData(ours)
    rng = np.random.default_rng(5)
    for _ in range(300):
        ctrl = rng.uniform(-0.2, 1.2, theirs.nu)
        their_data.ctrl[:], our_data.ctrl[:] = ctrl, ctrl
        mujoco.mj_step(theirs, their_data)
        condyle.mj_step(ours, our_data)
        for field in ("qpos", "qvel", "act", "act_dot", "actuator_force", "qfrc_actuator"):
            assert np.array_equal(getattr(their_data, field), getattr(our_data, field)), field


@pytest.mark.parametrize("path", EXTENSIONS, ids=lambda path: path.stem)
def test_the_reference_refuses_an_extension_and_nothing_else(path):
    text = path.read_text()
    condyle.MjModel.from_xml_string(text)
    with pytest.raises(ValueError, match="hillmuscle|springinertia"):
        mujoco.MjModel.from_xml_string(text)
    # Without the extension, the rest of the file is a model of the reference.
    text = re.sub(r'\s+springinertia="[^"]*"', "", text)
    text = re.sub(r"<default>\s*<hillmuscle[^>]*/>\s*</default>", "", text)
    text = re.sub(r'<(?:hillmuscle|general)([^>]*?) (tendon|joint)="(\w+)"[^>]*/>', r'<general\1 \2="\3" dyntype="filter"/>', text)
    text = re.sub(r' act="[^"]*"', "", text)
    text = re.sub(r"<(?:fiberlength|fibervelocity|fiberforce|tendonforce|pennation) [^>]*/>", "", text)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data)
    assert np.isfinite(data.qpos).all()


@pytest.mark.parametrize("path", EXTENSIONS, ids=lambda path: path.stem)
def test_extension_models_run_and_their_binary_files_are_refused_by_the_reference(path, tmp_path):
    model = condyle.MjModel.from_xml_path(str(path))
    data = condyle.MjData(model)
    if model.nkey:
        condyle.mj_resetDataKeyframe(model, data, 0)
    for _ in range(500):
        condyle.mj_step(model, data)
    assert np.isfinite(data.qpos).all() and np.isfinite(data.act).all() and data.warning.number.sum() == 0
    file = tmp_path / "model.mjb"
    condyle.mj_saveModel(model, str(file), None)
    again = condyle.MjModel.from_binary_path(str(file))
    assert (again.actuator_dyntype == model.actuator_dyntype).all()
    with pytest.raises(ValueError):
        mujoco.MjModel.from_binary_path(str(file))


def test_curves_of_a_muscle_peak_at_its_force():
    model = condyle.MjModel.from_xml_path(str(MODELS / "extensions" / "compliant_tendon.xml"))
    curves = condyle.muscle_curves(model, "muscle")
    assert curves["kind"] == "hillmuscle"
    assert curves["parameters"]["maxisometricforce"][:2] == (800.0, "N")
    active = curves["diagrams"][0]["curves"]["active"]
    assert active.shape == (201, 2) and active[:, 1].max() == pytest.approx(1, abs=1e-4)
    with pytest.raises(KeyError):
        condyle.muscle_curves(model, "missing")


def test_curves_of_a_standard_muscle_are_those_of_the_reference():
    path = str(MODELS / "actuator" / "muscle.xml")
    curves = condyle.muscle_curves(condyle.MjModel.from_xml_path(path), 0)
    model = mujoco.MjModel.from_xml_path(path)
    parameters = model.actuator_gainprm[0, :9]
    length_range, acc0 = model.actuator_lengthrange[0], model.actuator_acc0[0]
    for activation, name in ((0.0, "activation 0"), (0.5, "activation 0.5"), (1.0, "activation 1")):
        for length, force in curves["diagrams"][2]["curves"][name]:
            gain = mujoco.mju_muscleGain(length, 0, length_range, acc0, parameters)
            bias = mujoco.mju_muscleBias(length, length_range, acc0, parameters)
            assert force == -(gain * activation + bias)


def test_sensors_of_fibres_and_tendons_read_the_state_of_the_muscle():
    model = condyle.MjModel.from_xml_path(str(MODELS / "extensions" / "muscle_sensors.xml"))
    data = condyle.MjData(model)
    condyle.mj_resetDataKeyframe(model, data, 0)
    names = ["fiber_length", "fiber_velocity", "fiber_force", "tendon_force", "pennation"]
    late = []
    for _ in range(50):
        condyle.mj_step(model, data)
        # Sensors show the evaluation at the start of the step; the state is compared after one without integration.
        condyle.mj_forward(model, data)
        for muscle, start in (("rigid", 0), ("compliant", 5)):
            state = condyle.muscle_state(model, data, muscle)
            expected = [state[name] for name in names]
            read = list(data.sensordata[start : start + 5])
            if muscle == "compliant":
                expected[2] = min(expected[2], 400.0)
                late.append((expected[3], read[3]))
                expected[3] = read[3] = 0.0
            assert read == expected
    assert any(now != delayed for now, delayed in late)
    state = condyle.muscle_state(model, data, 1)
    length = state["fiber_length"] * np.cos(state["pennation"]) + state["tendon_length"]
    assert abs(length - state["path_length"]) < 1e-12 and state["tendon_force"] > 0
    assert abs(state["fiber_force"] * np.cos(state["pennation"]) - state["tendon_force"]) < 1e-9


def test_only_hill_type_muscles_have_fibres():
    with pytest.raises(ValueError, match="must be a Hill-type muscle"):
        condyle.MjModel.from_xml_string(
            "<mujoco><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody><actuator><motor name='m' joint='j'/></actuator>"
            "<sensor><fiberlength actuator='m'/></sensor></mujoco>"
        )
    model = condyle.MjModel.from_xml_string(
        "<mujoco><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody><actuator><motor name='m' joint='j'/></actuator></mujoco>"
    )
    with pytest.raises(ValueError, match="not a Hill-type muscle"):
        condyle.muscle_state(model, condyle.MjData(model), "m")
