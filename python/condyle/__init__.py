"""Condyle: a physics engine for articulated bodies with contact.

Names are those of MuJoCo's Python module, so code written for it runs with `import condyle as mujoco`.
"""

import platform as _platform
import sys as _sys


def _need_avx() -> None:
    """The module is compiled for processors with AVX: raise an error without it instead of crashing."""
    if _sys.platform == "linux" and _platform.machine() == "x86_64":
        try:
            with open("/proc/cpuinfo") as info:
                flags = next((line for line in info if line.startswith("flags")), None)
        except OSError:
            return
        if flags is not None and "avx" not in flags.split():
            raise ImportError("condyle requires a processor with AVX")


_need_avx()

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
