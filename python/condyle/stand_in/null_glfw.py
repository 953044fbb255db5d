"""What ``import glfw`` gives where the package is missing: no window can be opened, and everything says so when it is used."""

from typing import Any


class GLFWError(UserWarning):
    """The error class of the package."""


def init() -> bool:
    """No windows here."""
    return False


def terminate() -> None:
    """Nothing was begun."""


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    if name.isupper():
        return 0

    def refuse(*arguments: Any, **keywords: Any) -> Any:
        raise RuntimeError(f"glfw.{name} needs the package `glfw`: pip install glfw")

    return refuse
