"""Condyle: a physics engine for articulated bodies with contact.

The names are those of the reference's Python module, so code written for it can be pointed here.
"""

from condyle import _condyle
from condyle._condyle import *  # noqa: F403
from condyle.contacts import ContactList, contacts  # noqa: F401
from condyle.enums import *  # noqa: F403
from condyle import named  # noqa: F401, I001

__version__ = "0.1.0"

for _name in dir(_condyle):
    if _name.startswith(("mj", "Mj", "set_mj", "get_mj")):
        globals()[_name] = getattr(_condyle, _name)
del _name
