"""``mujoco.glfw``, ``mujoco.osmesa`` and ``mujoco.cgl``: places to draw that need no OpenGL, because pictures are made in memory."""


class GLContext:
    """A place to draw of at most this many pixels. Nothing is reserved, so any number of them may be made, on any thread."""

    def __init__(self, max_width: int, max_height: int) -> None:
        self._size = (max_width, max_height)

    def make_current(self) -> None:
        """Nothing to do: there is no state of the thread."""

    def free(self) -> None:
        """Nothing to do: nothing was reserved."""

    def __del__(self) -> None:
        self.free()
