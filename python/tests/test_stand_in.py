"""Condyle under the name `mujoco`: in one process, for a script, by environment variable."""

import os
import subprocess
import sys

import mujoco
import pytest

import condyle
from condyle import constants, enums, enums_drawing, stand_in

PROGRAM = """
import mujoco, sys
from mujoco import rollout, viewer
from mujoco.egl import GLContext
import mujoco.egl.egl_ext as EGL
from mujoco import _enums, _structs
model = mujoco.MjModel.from_xml_string("<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>")
data = mujoco.MjData(model)
mujoco.mj_step(model, data)
GLContext(64, 64).make_current()
assert EGL.eglInitialize(EGL.eglGetPlatformDisplayEXT(0, EGL.eglQueryDevicesEXT()[0], None), None, None) == EGL.EGL_TRUE
assert _structs.MjModel is mujoco.MjModel and _enums.mjtObj is mujoco.mjtObj
class Scene(mujoco.MjvScene): pass
print(mujoco.__version__, mujoco.MjModel.__module__, data.qpos[2] < 0, *sys.argv[1:])
"""


def python(*arguments, **environment):
    done = subprocess.run(
        [sys.executable, *arguments], env={**os.environ, **environment}, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_a_program_runs_under_the_other_name():
    assert python("-c", "import condyle; condyle.install(); condyle.install()" + PROGRAM)[:3] == ["3.5.0", "condyle", "True"]


def test_a_script_gets_its_arguments(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(PROGRAM + "import neighbour")
    (tmp_path / "neighbour.py").write_text("print(__name__)")
    words = python("-m", "condyle.as_mujoco", str(script), "one", "--two")
    assert words == ["3.5.0", "condyle", "True", "one", "--two", "neighbour"]


def test_the_variable_reaches_processes_a_program_starts():
    child = "import subprocess, sys; print(subprocess.check_output([sys.executable, '-c', 'import mujoco; print(mujoco.MjModel.__module__)']))"
    assert python("-m", "condyle.as_mujoco", "-c", child) == ["b'condyle\\n'"]
    assert python("-c", "import mujoco; print(mujoco.MjModel.__module__)", CONDYLE_AS_MUJOCO="1") == ["condyle"]
    assert python("-c", "import mujoco; print(mujoco.MjModel.__module__)", CONDYLE_AS_MUJOCO="0") == ["mujoco._structs"]


def test_no_file_of_the_other_package_is_loaded():
    look = "import sys; print(sum('/mujoco/' in (getattr(m, '__file__', None) or '') for n, m in list(sys.modules.items()) if n != 'mujoco'))"
    assert python("-c", "import condyle; condyle.install()" + PROGRAM + look)[-1] == "0"


def test_every_name_of_the_other_package_is_there():
    program = "import condyle; condyle.install(); import mujoco, sys; print(*[name for name in sys.argv[1:] if not hasattr(mujoco, name)])"
    # Python sets these two when it compiles a file.
    # Asked in a process of its own: modules that other tests import would be among the names.
    names = [name for name in python("-c", "import mujoco; print(*dir(mujoco))") if name not in ("__builtins__", "__cached__")]
    assert "MjModel" in names
    assert python("-c", program, *names) == []


def test_the_name_is_given_back():
    program = "import condyle; condyle.install(); import mujoco; condyle.uninstall(); import mujoco; print(mujoco.MjModel.__module__)"
    assert python("-c", program) == ["mujoco._structs"]


def test_installing_too_late_is_an_error():
    with pytest.raises(ImportError, match="before anything imports"):
        condyle.install()
    assert stand_in._finder not in sys.meta_path


def test_constants_and_enumerations_have_the_values_of_the_reference():
    for name in vars(constants):
        if name.startswith("mj"):
            assert getattr(constants, name) == getattr(mujoco, name), name
    for name in (*vars(enums), *vars(enums_drawing)):
        if name.startswith("mjt"):
            ours, theirs = getattr(condyle, name).__members__, getattr(mujoco, name).__members__
            assert {key: int(value) for key, value in ours.items()} == {key: value.value for key, value in theirs.items()}, name
            assert [str(value) for value in ours.values()] == [str(theirs[key]) for key in ours], name
    assert str(condyle.mjtJoint.mjJNT_FREE) == f"{condyle.mjtJoint.mjJNT_FREE}" == "mjtJoint.mjJNT_FREE"
    with pytest.raises(ValueError, match="Invalid int value for mjtJoint: 77"):
        condyle.mjtJoint(77)


def test_dm_control_finds_contexts_without_opengl(tmp_path):
    package = tmp_path / "dm_control" / "_render"
    (package / "pyopengl").mkdir(parents=True)
    for folder in (package.parent, package, package / "pyopengl"):
        (folder / "__init__.py").write_text("")
    (package / "executor.py").write_text("class PassthroughRenderExecutor: pass")
    (package / "base.py").write_text("class ContextBase:\n  def __init__(self, w, h, e): self._platform_init(w, h)")
    program = (
        "import condyle; condyle.install()\n"
        "from dm_control._render.pyopengl.egl_renderer import EGLContext\n"
        "from dm_control._render.glfw_renderer import GLFWContext\n"
        "EGLContext(3, 4)._platform_make_current(); print(GLFWContext.__name__)"
    )
    assert python("-c", program, PYTHONPATH=str(tmp_path)) == ["GLFWContext"]


def test_places_to_draw_are_there_without_the_stand_in():
    look = "import condyle as mujoco; mujoco.GLContext(8, 8).make_current(); mujoco.egl.GLContext(8, 8).free(); print(mujoco.gl_context.__name__)"
    assert python("-c", look, MUJOCO_GL="") == ["condyle.stand_in.gl_context"]
    assert python("-c", "import condyle as mujoco; print(hasattr(mujoco, 'GLContext'))", MUJOCO_GL="off") == ["False"]
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        condyle.nothing
