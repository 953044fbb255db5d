"""``mujoco.egl``: the null context under the name of EGL, and its functions for programs that make contexts themselves."""

from condyle.stand_in import egl_ext as egl_ext
from condyle.stand_in.contexts import GLContext as GLContext

#: Makes `mujoco.egl.egl_ext` importable.
__path__: list = []

EGL_DISPLAY = None


def create_initialized_egl_device_display() -> object:
    """The one display there is."""
    return egl_ext.eglGetPlatformDisplayEXT(egl_ext.EGL_PLATFORM_DEVICE_EXT, egl_ext.eglQueryDevicesEXT()[0], None)
