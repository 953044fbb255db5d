"""``mujoco.viewer`` where there is no window to show: programs that import it run, and showing something raises an error that says what is missing."""

from typing import Any, NoReturn


def _refuse(name: str) -> NoReturn:
    raise NotImplementedError(f"Condyle does not have mujoco.viewer.{name}")


class Handle:
    """What `launch_passive` gives."""

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        _refuse("Handle")


def launch(model: Any = None, data: Any = None, **keywords: Any) -> None:
    """Show a simulation that runs by itself."""
    _refuse("launch")


def launch_from_path(path: str) -> None:
    """Show a model from a file."""
    _refuse("launch_from_path")


def launch_passive(model: Any, data: Any, **keywords: Any) -> Handle:
    """Show a simulation that the caller steps."""
    _refuse("launch_passive")
