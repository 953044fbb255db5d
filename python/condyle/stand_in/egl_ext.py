"""``mujoco.egl.egl_ext``: EGL with one device, one display and contexts that reserve nothing.

robosuite makes its contexts with these functions. Every call succeeds, so the program goes on to the drawing functions, which need no
context.
"""

import ctypes
from typing import Any, List

EGL_FALSE, EGL_TRUE = 0, 1
EGL_SUCCESS = 0x3000
EGL_ALPHA_SIZE, EGL_BLUE_SIZE, EGL_GREEN_SIZE, EGL_RED_SIZE = 0x3021, 0x3022, 0x3023, 0x3024
EGL_DEPTH_SIZE, EGL_STENCIL_SIZE, EGL_SURFACE_TYPE, EGL_NONE = 0x3025, 0x3026, 0x3033, 0x3038
EGL_COLOR_BUFFER_TYPE, EGL_RENDERABLE_TYPE, EGL_RGB_BUFFER = 0x303F, 0x3040, 0x308E
EGL_PBUFFER_BIT, EGL_OPENGL_BIT, EGL_OPENGL_API = 0x0001, 0x0008, 0x30A2
EGL_PLATFORM_DEVICE_EXT = 0x313F
EGL_NO_DISPLAY = EGL_NO_CONTEXT = EGL_NO_SURFACE = None
EGLConfig = ctypes.c_void_p
EGLint = ctypes.c_int


class _Handle:
    """A device, a display or a context."""

    def __init__(self, kind: str) -> None:
        self.address = kind

    def __repr__(self) -> str:
        return f"<null EGL {self.address}>"


_DEVICE, _DISPLAY = _Handle("device"), _Handle("display")
_current: Any = None


def eglQueryDevicesEXT(max_devices: int = 10) -> List[Any]:
    return [_DEVICE]


def eglGetPlatformDisplayEXT(platform: int, native_display: Any, attribute_list: Any) -> Any:
    return _DISPLAY


def eglGetError() -> int:
    return EGL_SUCCESS


def eglInitialize(display: Any, major: Any, minor: Any) -> int:
    return EGL_TRUE


def eglChooseConfig(display: Any, attributes: Any, configs: Any, size: int, count: Any) -> int:
    if count is not None:
        count.value = 1
    return EGL_TRUE


def eglBindAPI(api: int) -> int:
    return EGL_TRUE


def eglCreateContext(display: Any, config: Any, share: Any, attributes: Any) -> Any:
    return _Handle("context")


def eglMakeCurrent(display: Any, draw: Any, read: Any, context: Any) -> int:
    global _current
    _current = context
    return EGL_TRUE


def eglGetCurrentContext() -> Any:
    return _current


def eglDestroyContext(display: Any, context: Any) -> int:
    global _current
    if _current is context:
        _current = None
    return EGL_TRUE


def eglReleaseThread() -> int:
    global _current
    _current = None
    return EGL_TRUE


def eglTerminate(display: Any) -> int:
    return EGL_TRUE
