"""Loading from Python: one warning per load at the line that loads, and the options of robots from ROS."""

import pathlib
import warnings

import condyle
import mujoco
import pytest

ARM = pathlib.Path(__file__).parents[2] / "crates/condyle/tests/robots/arm_description/urdf/arm.urdf"


def test_a_load_with_several_warnings_warns_once_at_the_line_that_loads():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        condyle.MjModel.from_xml_path(str(ARM))
    assert len(caught) == 1
    assert str(caught[0].message).startswith("5 warnings while loading the model\n")
    assert caught[0].filename == __file__
    assert caught[0].category is UserWarning


def test_options_of_a_urdf_are_keywords():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        plain = condyle.MjModel.from_xml_path(str(ARM))
        packages = {"arm_description": ARM.parents[1]}
        model = condyle.MjModel.from_xml_path(
            str(ARM), packages=packages, search=False, mimic=True, actuators="effort", floating_base=True
        )
    assert (plain.nu, plain.neq, plain.nq) == (0, 0, 2)
    assert (model.nu, model.neq, model.nq) == (2, 1, 9)
    with pytest.raises(ValueError, match="--package arm_description=DIR"):
        condyle.MjModel.from_xml_path(str(ARM), search=False)
    with pytest.raises(ValueError, match="'none', 'transmission' or 'effort'"):
        condyle.MjModel.from_xml_path(str(ARM), actuators="all")


def test_mujoco_refuses_what_is_found_by_package():
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_path(str(ARM))


def test_mujoco_and_condyle_agree_on_negative_masses():
    for joint, accepted in (("<joint/>", False), ("", True)):
        text = f'<mujoco><worldbody><body>{joint}<inertial pos="0 0 0" mass="-3" diaginertia="1 1 1"/></body></worldbody></mujoco>'
        for module in (mujoco, condyle):
            if accepted:
                assert module.MjModel.from_xml_string(text).body_mass[1] == 0
            else:
                with pytest.raises(ValueError):
                    module.MjModel.from_xml_string(text)
