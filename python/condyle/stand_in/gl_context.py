"""``mujoco.gl_context``: the context that ``MUJOCO_GL`` asks for. All of them are the same here; the value is only checked."""

import os as _os
import platform as _platform

_SYSTEM = _platform.system()
_MUJOCO_GL = _os.environ.get("MUJOCO_GL", "").lower().strip()
_OFF = ("disable", "disabled", "off", "false", "0")
_ON = ("", "enable", "enabled", "on", "true", "1", "glfw", "glx", "egl", "osmesa", "wgl", "cgl")

if _MUJOCO_GL not in _OFF:
    if _MUJOCO_GL not in _ON:
        raise RuntimeError(f"invalid value for environment variable MUJOCO_GL: {_MUJOCO_GL}")
    from condyle.stand_in.contexts import GLContext as GLContext
