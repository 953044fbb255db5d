"""`docs/python.md` tells the truth about every name of MuJoCo's Python module."""

import importlib.util
import pathlib

import condyle

ROOT = pathlib.Path(__file__).resolve().parents[2]


def load():
    place = importlib.util.spec_from_file_location("interface", ROOT / "python/interface.py")
    module = importlib.util.module_from_spec(place)
    place.loader.exec_module(module)
    return module


def test_the_page_of_names_is_up_to_date():
    assert (ROOT / "docs/python.md").read_text() == load().text(), "run `cargo xtask interface`"


def test_no_name_of_the_module_is_missing():
    interface = load()
    names = [name for name in interface.public(dir(interface.mujoco))]
    assert len(names) > 450
    assert [name for name in names if interface.status(name)[0] == "missing"] == []


def test_a_scene_is_printed(tmp_path):
    model = condyle.MjModel.from_xml_string("<mujoco><worldbody><geom size='.1'/><light/></worldbody></mujoco>")
    data, scene = condyle.MjData(model), condyle.MjvScene(model, maxgeom=10)
    condyle.mj_forward(model, data)
    condyle.mjv_updateScene(
        model, data, condyle.MjvOption(), None, condyle.MjvCamera(), int(condyle.mjtCatBit.mjCAT_ALL), scene
    )
    condyle.mj_printScene(scene, tmp_path / "scene.txt")
    text = (tmp_path / "scene.txt").read_text()
    assert "geom 0" in text and "light 0" in text and "camera 1" in text and "rgba" in text
