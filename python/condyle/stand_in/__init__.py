"""Condyle as a stand-in for ``mujoco``.

``install()`` puts a finder in front of Python's import system that answers ``import mujoco`` and everything below it. Nothing is imported
before a program asks for it. The ``mujoco`` package need not be installed, and if it is, it is left alone: ``uninstall()`` makes it
available again for later imports.
"""

import importlib
import importlib.abc
import importlib.machinery
import os
import pathlib
import sys
import types
from typing import Any, Callable, Dict, List, Optional, Sequence

if sys.version_info >= (3, 11):
    from importlib.resources.abc import TraversableResources as _TraversableResources
else:
    from importlib.abc import TraversableResources as _TraversableResources

#: Version the module goes by under the other name; programs compare it to choose among interfaces.
VERSION = "3.5.0"

#: Environment variable that installs the stand-in when Python starts, for programs one cannot edit.
VARIABLE = "CONDYLE_AS_MUJOCO"

# Modules below `mujoco` and what answers for them.
_MODULES = {
    "rollout": "condyle.rollout",
    "minimize": "condyle.minimize",
    "msh2obj": "condyle.msh2obj",
    "renderer": "condyle.renderer",
    "viewer": "condyle.viewer",
    "gl_context": "condyle.stand_in.gl_context",
    "egl": "condyle.stand_in.egl",
    "egl.egl_ext": "condyle.stand_in.egl_ext",
    "glfw": "condyle.stand_in.contexts",
    "osmesa": "condyle.stand_in.contexts",
    "cgl": "condyle.stand_in.contexts",
}

# The parts MuJoCo's compiled code comes in, each with a test for the names it has.
_PARTS: Dict[str, Callable[[str], bool]] = {
    "_callbacks": lambda name: name.startswith(("set_mj", "get_mj")),
    "_constants": lambda name: name.startswith("mj") and name[2:3].isupper(),
    "_enums": lambda name: name.startswith("mjt"),
    "_errors": lambda name: name in ("FatalError", "UnexpectedError"),
    "_functions": lambda name: name.startswith(("mj_", "mju_", "mjd_", "mjv_")),
    "_render": lambda name: name.startswith(("mjr_", "Mjr")),
    "_rollout": lambda name: name == "Rollout",
    "_simulate": lambda name: name == "Simulate",
    "_specs": lambda name: name.startswith(("MjSpec", "Mjs")),
    "_structs": lambda name: name.startswith(("Mj", "_Mj")) and not name.startswith(("Mjr", "Mjs", "MjSpec")),
}

# Context classes of dm_control, which draw with OpenGL; here they need none.
_DM_CONTROL = {
    "dm_control._render.glfw_renderer": "GLFWContext",
    "dm_control._render.pyopengl.egl_renderer": "EGLContext",
    "dm_control._render.pyopengl.osmesa_renderer": "OSMesaContext",
}


def _names() -> Dict[str, Any]:
    """Everything the stand-in has, by name."""
    import condyle

    return {name: value for name, value in vars(condyle).items() if not name.startswith("__")}


def _fill(module: types.ModuleType) -> None:
    import condyle
    import condyle._condyle

    names = _names()
    for name in ("install", "uninstall", "stand_in"):
        names.pop(name, None)
    vars(module).update(names)
    # MuJoCo's Python module measures the time of stages without being asked.
    condyle._condyle._measure_time(True)
    folder = os.path.dirname(condyle.__file__ or "")
    vars(module).update(
        __version__=VERSION,
        __file__=os.path.join(_home(), "__init__.py"),
        __doc__="Condyle, standing in for MuJoCo.",
        # Clients look for headers and plugins beside the package; what is built in needs no file.
        HEADERS_DIR=os.path.join(folder, "include", "mujoco"),
        PLUGINS_DIR=os.path.join(folder, "plugin"),
        PLUGIN_HANDLES=[],
        **_names_by_chance(),
        __getattr__=lambda name: _late(name),
    )
    for part in ("_callbacks", "_constants", "_enums", "_errors", "_functions", "_render", "_specs", "_structs"):
        setattr(module, part, importlib.import_module(f"mujoco.{part}"))
    context = importlib.import_module("mujoco.gl_context")
    module.gl_context = context  # type: ignore[attr-defined]
    if hasattr(context, "GLContext"):
        module.GLContext = context.GLContext  # type: ignore[attr-defined]
    module.renderer = importlib.import_module("mujoco.renderer")  # type: ignore[attr-defined]
    module.glfw = importlib.import_module("mujoco.glfw")  # type: ignore[attr-defined]


def _names_by_chance() -> Dict[str, Any]:
    """What the other package has among its names only because it imports or defines it for itself; some programs use it all the same."""
    import ctypes
    import platform
    import subprocess
    import typing
    import warnings
    import zipfile

    from condyle import spec_bind

    names: Dict[str, Any] = {module.__name__: module for module in (ctypes, os, platform, subprocess, warnings, zipfile)}
    names.update({name: getattr(typing, name, Any) for name in ("Any", "IO", "Sequence", "TypeAlias", "Union")})
    names.update(
        _SYSTEM=platform.system(),
        _MjBindData=spec_bind._Bound,
        _MjBindModel=spec_bind._Bound,
        _bind_data=spec_bind._bind_data,
        _bind_model=spec_bind._bind_model,
        # The plugins are built in.
        _load_all_bundled_plugins=lambda: None,
    )
    return names


def _late(name: str) -> Any:
    import condyle

    if not name.startswith("__") and hasattr(condyle, name):
        return getattr(condyle, name)
    raise AttributeError(f"module 'mujoco' has no attribute '{name}'")


def _fill_part(module: types.ModuleType) -> None:
    part = module.__name__.rpartition(".")[2]
    if part == "_rollout":
        from condyle import _condyle

        module.Rollout = _condyle._Rollout  # type: ignore[attr-defined]
        return
    wanted = _PARTS[part]
    vars(module).update({name: value for name, value in _names().items() if wanted(name)})


def _fill_context(module: types.ModuleType) -> None:
    """A context class of dm_control on the null context: its executors and bookkeeping stay dm_control's own."""
    from dm_control._render import base, executor  # type: ignore[import-not-found]

    class Context(base.ContextBase):  # type: ignore[misc]
        """A place to draw that needs no OpenGL."""

        def __init__(self, max_width: int, max_height: int) -> None:
            super().__init__(max_width, max_height, executor.PassthroughRenderExecutor)

        def _platform_init(self, max_width: int, max_height: int) -> None:
            pass

        def _platform_make_current(self) -> None:
            pass

        def _platform_free(self) -> None:
            pass

    name = _DM_CONTROL[module.__name__]
    Context.__name__ = Context.__qualname__ = name
    setattr(module, name, Context)


def _home() -> str:
    """The folder of the `mujoco` package if it is installed, else this one."""
    return next(iter(_elsewhere()), os.path.dirname(__file__))


class _Resources(_TraversableResources):
    """Files beside the package."""

    def files(self) -> Any:
        return pathlib.Path(_home())


class _Loader(importlib.abc.Loader):
    """Fills a new module with a function, or puts another module in its place."""

    def __init__(self, fill: Callable[[types.ModuleType], None]) -> None:
        self.fill = fill

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> Optional[types.ModuleType]:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        self.fill(module)

    def get_resource_reader(self, name: str) -> Optional[Any]:
        """Files beside the package are found where it is installed."""
        return _Resources() if name == "mujoco" else None


def _in_place_of(target: str) -> Callable[[types.ModuleType], None]:
    def fill(module: types.ModuleType) -> None:
        sys.modules[module.__name__] = importlib.import_module(target)

    return fill


class Finder(importlib.abc.MetaPathFinder):
    """Answers for `mujoco`, everything below it and the contexts of dm_control."""

    def find_spec(
        self, fullname: str, path: Optional[Sequence[str]] = None, target: Optional[types.ModuleType] = None
    ) -> Optional[importlib.machinery.ModuleSpec]:
        if fullname in _DM_CONTROL:
            return importlib.machinery.ModuleSpec(fullname, _Loader(_fill_context))
        top, _, rest = fullname.partition(".")
        if top != "mujoco":
            return None
        if not rest:
            spec = importlib.machinery.ModuleSpec(fullname, _Loader(_fill), origin=__file__, is_package=True)
            spec.submodule_search_locations = _elsewhere()
            return spec
        if rest in _PARTS:
            return importlib.machinery.ModuleSpec(fullname, _Loader(_fill_part))
        if rest in _MODULES:
            return importlib.machinery.ModuleSpec(fullname, _Loader(_in_place_of(_MODULES[rest])), is_package=True)
        if rest.split(".")[0] in _ELSEWHERE:
            return None
        raise ModuleNotFoundError(f"Condyle has no module '{fullname}'", name=fullname)


# Packages in plain Python that live below `mujoco`. Where they are installed they run on the stand-in.
_ELSEWHERE = ("mjx", "sysid", "usd", "introspect")


def _elsewhere() -> List[str]:
    """Folders of packages below `mujoco`."""
    folders = (os.path.join(entry, "mujoco") for entry in sys.path)
    return [folder for folder in folders if any(os.path.isdir(os.path.join(folder, name)) for name in _ELSEWHERE)]


class _Fallback(importlib.abc.MetaPathFinder):
    """Answers for `glfw` when it is not installed: gymnasium imports it even when nothing is drawn, and it comes with `mujoco`."""

    def find_spec(
        self, fullname: str, path: Optional[Sequence[str]] = None, target: Optional[types.ModuleType] = None
    ) -> Optional[importlib.machinery.ModuleSpec]:
        if fullname == "glfw":
            return importlib.machinery.ModuleSpec(fullname, _Loader(_in_place_of("condyle.stand_in.null_glfw")))
        return None


_finder = Finder()
_fallback = _Fallback()


def install() -> None:
    """Make ``import mujoco`` load Condyle from now on.

    Call it before anything imports ``mujoco``. Once is enough; further calls do nothing. If MuJoCo itself has already been imported,
    it raises an ImportError: programs would hold objects of both.
    """
    if _finder in sys.meta_path:
        return
    loaded = sys.modules.get("mujoco")
    if loaded is not None and not _is_stand_in(loaded):
        raise ImportError("MuJoCo has been imported already; call condyle.install() before anything imports `mujoco`")
    sys.meta_path.insert(0, _finder)
    sys.meta_path.append(_fallback)


def uninstall() -> None:
    """Undo ``install``: later imports find the package named ``mujoco``, if there is one."""
    for finder in (_finder, _fallback):
        if finder in sys.meta_path:
            sys.meta_path.remove(finder)
    loaded = sys.modules.get("mujoco")
    if loaded is not None and _is_stand_in(loaded):
        for name in [name for name in sys.modules if name == "mujoco" or name.startswith("mujoco.")]:
            del sys.modules[name]


def _is_stand_in(module: types.ModuleType) -> bool:
    spec = getattr(module, "__spec__", None)
    return isinstance(getattr(spec, "loader", None), _Loader)
