"""Condyle: a physics engine for articulated bodies with contact.

Names are those of MuJoCo's Python module, so code written for it runs with `import condyle as mujoco`.
What differs and what is new is told briefly in `SKILL.md` in the folder of this module, for people and for coding assistants.
"""

from condyle import _processor

_processor.choose()

from condyle import _condyle  # noqa: E402
from condyle._condyle import *  # noqa: E402, F403
from condyle.records import (  # type: ignore[assignment]
    MjContact as MjContact,
    MjLROpt as MjLROpt,
    MjOption as MjOption,
    MjSolverStat as MjSolverStat,
    MjStatistic as MjStatistic,
    MjTimerStat as MjTimerStat,
    MjVisual as MjVisual,
    MjVisualHeadlight as MjVisualHeadlight,
    MjVisualRgba as MjVisualRgba,
    MjWarningStat as MjWarningStat,
    mj_defaultLROpt as mj_defaultLROpt,
    mj_defaultOption as mj_defaultOption,
    mj_defaultVisual as mj_defaultVisual,
)
from condyle.functions import *  # noqa: F403
from condyle.contacts import ContactList as ContactList, contacts as contacts
from condyle.constants import *  # noqa: F403
from condyle.enums import *  # noqa: F403
from condyle.enums_drawing import *  # noqa: F403
from condyle import named as named  # noqa: I001
from condyle.stand_in import install as install, uninstall as uninstall
from condyle.batch import Batch as Batch, SimulationError as SimulationError
from condyle.renderer import Renderer as Renderer, render as render, render_batch as render_batch

__version__ = _condyle.__version__

for _name in dir(_condyle):
    if _name.startswith(("mj", "Mj", "set_mj", "get_mj")):
        globals()[_name] = getattr(_condyle, _name)
del _name

from condyle.spec import *  # noqa: E402, F403

# MuJoCo's places to draw with OpenGL. Few programs ask for them, and here they need none.
_PLACES = {"gl_context": "gl_context", "egl": "egl", "glfw": "contexts", "osmesa": "contexts", "cgl": "contexts"}


def __getattr__(name):
    import importlib

    if name == "GLContext":
        # Not there where MUJOCO_GL switches drawing off, as in MuJoCo.
        return getattr(importlib.import_module("condyle.stand_in.gl_context"), name)
    if name in _PLACES:
        return importlib.import_module(f"condyle.stand_in.{_PLACES[name]}")
    raise AttributeError(f"module 'condyle' has no attribute {name!r}")
