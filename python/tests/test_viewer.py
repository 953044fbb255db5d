"""The browser viewer from Python: handles, what pages change, and notebooks. The page itself is tested in a browser."""

import os
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

import numpy as np
import pytest

import condyle
from condyle import viewer

MODEL = """<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="arm" pos="0 0 1"><joint name="swing" axis="0 1 0"/><geom name="rod" type="capsule" fromto="0 0 0 .4 0 0" size=".03"/></body>
  </worldbody>
  <actuator><motor joint="swing"/></actuator>
  <keyframe><key qpos="0.5"/></keyframe>
</mujoco>"""


@pytest.fixture(autouse=True)
def closed_browser(monkeypatch):
    monkeypatch.setenv("CONDYLE_VIEWER_OPEN", "0")


@pytest.fixture
def simulation():
    model = condyle.MjModel.from_xml_string(MODEL)
    return model, condyle.MjData(model)


def test_a_passive_viewer_serves_its_page_to_those_who_know_the_address(simulation):
    with viewer.launch_passive(*simulation) as handle:
        assert urllib.request.urlopen(handle.url).status == 200
        outside = handle.url.rsplit("/", 2)[0] + "/"
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(outside)
        assert refused.value.code == 403
        assert handle.is_running()
    assert not handle.is_running()
    assert handle.url is None


def test_what_a_page_changes_reaches_the_program_at_sync(simulation):
    model, data = simulation
    with viewer.launch_passive(model, data) as handle:
        handle._session.command("ctrl 0 0.5")
        assert data.ctrl[0] == 0.0
        handle.sync()
        assert data.ctrl[0] == 0.5
        handle._session.command("keyframe 0")
        handle.sync()
        assert data.qpos[0] == 0.5
        handle._session.command("reset")
        handle.sync()
        assert data.qpos[0] == 0.0 and data.ctrl[0] == 0.0


def test_keys_reach_the_callback(simulation):
    pressed = []
    with viewer.launch_passive(*simulation, key_callback=pressed.append) as handle:
        handle._session.command("key 32")
        handle._session.command("key 265")
        handle.sync()
    assert pressed == [32, 265]


def test_a_viewer_does_not_change_what_the_program_computes(simulation):
    model, data = simulation
    alone = condyle.MjData(model)
    with viewer.launch_passive(model, data) as handle:
        for _ in range(200):
            data.ctrl[0] = alone.ctrl[0] = 0.3
            condyle.mj_step(model, data)
            condyle.mj_step(model, alone)
            handle.sync()
    assert np.array_equal(data.qpos, alone.qpos) and np.array_equal(data.qacc_warmstart, alone.qacc_warmstart)


def test_the_handle_has_what_programs_use(simulation):
    model, data = simulation
    with viewer.launch_passive(model, data, show_left_ui=False, show_right_ui=False) as handle:
        assert handle.m is model and handle.d is data
        handle.cam.azimuth, handle.cam.distance = 120.0, 3.0
        handle.cam.lookat[:] = [0, 0, 1]
        handle.opt.flags[condyle.mjtVisFlag.mjVIS_CONTACTPOINT] = 1
        handle.opt.frame = condyle.mjtFrame.mjFRAME_BODY
        handle.perturb.select = 1
        scene = handle.user_scn
        condyle.mjv_initGeom(
            scene.geoms[0], condyle.mjtGeom.mjGEOM_SPHERE, np.array([0.1, 0, 0]), np.zeros(3), np.eye(3).ravel(), np.array([1, 0, 0, 1], np.float32)
        )
        scene.ngeom = 1
        with handle.lock():
            handle.sync()
        handle.sync(state_only=True)
        assert handle.cam.azimuth == 120.0 and handle.opt.frame == condyle.mjtFrame.mjFRAME_BODY
        handle.set_texts((None, None, "speed", "1.5"))
        handle.set_texts([(None, None, "a", None), (None, None, "b", "c")])
        handle.clear_texts()
        figure = condyle.MjvFigure()
        condyle.mjv_defaultFigure(figure)
        figure.title = "angles"
        figure.linepnt[0] = 2
        figure.linedata[0][:4] = [0, 1, 1, np.nan]
        handle.set_figures((None, figure))
        handle.set_figures([(condyle.MjrRect(0, 0, 300, 200), figure)])
        handle.clear_figures()
        image = np.zeros((20, 30, 3), np.uint8)
        handle.set_images((condyle.MjrRect(10, 10, 30, 20), image))
        handle.set_images([(None, image)])
        with pytest.raises(ValueError, match="does not match target shape"):
            handle.set_images((condyle.MjrRect(10, 10, 31, 20), image))
        with pytest.raises(ValueError, match="of bytes"):
            handle.set_images((None, np.zeros((20, 30))))
        handle.clear_images()
        handle.update_texture(0)


def test_several_viewers_run_at_once_and_from_other_threads(simulation):
    model, data = simulation
    handles = []
    thread = threading.Thread(target=lambda: handles.append(viewer.launch_passive(model, condyle.MjData(model))))
    thread.start()
    thread.join()
    handles.append(viewer.launch_passive(model, data))
    assert handles[0].url != handles[1].url
    for handle in handles:
        handle.sync()
        assert urllib.request.urlopen(handle.url).status == 200
        handle.close()


def test_a_notebook_cell_runs_the_simulation_and_shows_a_frame(simulation):
    cell = viewer.show(*simulation)
    assert f'src="{cell.url}"' in cell._repr_html_()
    assert urllib.request.urlopen(cell.url).status == 200
    cell.close()
    assert "closed" in cell._repr_html_()


def test_launch_runs_until_it_is_interrupted(tmp_path):
    model = tmp_path / "model.xml"
    model.write_text(MODEL)
    environment = {**os.environ, "CONDYLE_VIEWER_OPEN": "0"}
    program = subprocess.Popen([sys.executable, "-m", "condyle.viewer", str(model)], stderr=subprocess.PIPE, text=True, env=environment)
    try:
        line = program.stderr.readline()
        assert "http://127.0.0.1:" in line
        assert urllib.request.urlopen(line.split()[-1]).status == 200
        time.sleep(0.2)
        assert program.poll() is None
    finally:
        program.terminate()
        program.wait(10)


def test_wrong_arguments_are_refused(simulation):
    model, _ = simulation
    with pytest.raises(ValueError):
        viewer.launch_passive(model, None)
    with pytest.raises(ValueError):
        viewer.launch()
    with pytest.raises(ValueError):
        viewer.launch(model, loader=lambda: None)
    with pytest.raises(ValueError):
        viewer.launch_passive(*simulation, host="not a machine")


def test_mujoco_viewer_is_this_one():
    program = "import condyle; condyle.install(); import mujoco.viewer; print(mujoco.viewer.launch_passive.__module__)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("viewer")
