"""Contacts: which geoms touch, where, and with what force on which side."""

from typing import Iterable, List

from condyle import _condyle


class ContactList(List["_condyle.ContactReport"]):
    """Reports of contacts; `print` shows them as a table, with forces on the second geom."""

    def __init__(self, reports: Iterable["_condyle.ContactReport"], table: str, json: str) -> None:
        super().__init__(reports)
        self._table, self._json = table, json

    def to_json(self) -> str:
        """The reports as JSON text."""
        return self._json

    def __str__(self) -> str:
        return self._table.rstrip("\n") if self else "no contacts"

    __repr__ = __str__


def contacts(model: "_condyle.MjModel", data: "_condyle.MjData") -> ContactList:
    """A report of every contact: names, bodies, point, normal from geom1 to geom2, depth, force on each side, friction.

    Call `mj_forward` or `mj_step` first; the order is that of `data.contact`.
    """
    return ContactList(*_condyle._contacts(model, data))
