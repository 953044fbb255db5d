"""Small records: options, statistics, view settings, contacts, counters.

A record is a row of a numpy array with named fields. The rows of `model.opt`, `data.warning` and the like lie in the memory of the
simulation, so writing to them changes it; a record made by its class has memory of its own.
"""

from __future__ import annotations

import operator
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import numpy as np

from condyle import _condyle


def _scalar(name: str, kind: str, doc: str) -> property:
    convert: Callable[[Any], Any] = float if kind == "f" else operator.index

    def get(self: Record) -> Any:
        return self._row[name].item()

    def set_(self: Record, value: Any) -> None:
        try:
            number = convert(value)
        except (TypeError, ValueError):
            wanted = "a number" if kind == "f" else "an integer"
            raise TypeError(f"{type(self).__name__}.{name} takes {wanted}, not {value!r}") from None
        try:
            self._row[name] = number
        except OverflowError:
            raise ValueError(f"{type(self).__name__}.{name} cannot hold {number}") from None

    return property(get, set_, doc=doc)


def _vector(name: str, doc: str) -> property:
    def get(self: Record) -> Any:
        return self._row[name]

    def set_(self: Record, value: Any) -> None:
        self._row[name][...] = value

    return property(get, set_, doc=doc)


class Record:
    """What the record classes have in common."""

    __slots__ = ("_row",)
    _layout: np.dtype = np.dtype([])
    _default: bytes = b""

    def __init__(self) -> None:
        self._row = self._new_row()

    @classmethod
    def _new_row(cls) -> Any:
        return np.frombuffer(bytearray(cls._default), cls._layout)[0:1].reshape(())

    @classmethod
    def _at(cls, row: Any) -> Any:
        """The record in this memory: an array with one row and no axes."""
        record = cls.__new__(cls)
        record._row = row
        return record

    @classmethod
    def _of(cls, rows: Any, at: int) -> Any:
        """The record in one of these rows."""
        return cls._at(rows[at, ...])

    @classmethod
    def _names(cls) -> Tuple[str, ...]:
        return cls._layout.names or ()

    def _own_row(self) -> Any:
        """A copy of the row."""
        return np.array(self._row)

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, Record) or self._layout != other._layout:
            return NotImplemented
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in self._names())

    def __ne__(self, other: object) -> Any:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else not equal

    __hash__ = None  # type: ignore[assignment]

    def __copy__(self) -> Any:
        copy = type(self)._at(self._own_row())
        if hasattr(self, "__dict__"):
            copy.__dict__.update(self.__dict__)
        return copy

    def __deepcopy__(self, memo: Any) -> Any:
        return self.__copy__()

    def __reduce__(self) -> Any:
        row = self._own_row()
        values = {name: row[name].tolist() for name in self._names()}
        return (_restored, (type(self), values, getattr(self, "__dict__", None)))

    def __repr__(self) -> str:
        lines = [f"  {name}: {getattr(self, name)!r}" for name in sorted(self._names())]
        return "\n".join([f"<{type(self).__name__}", *lines, ">"])

    def __dir__(self) -> List[str]:
        return sorted({*object.__dir__(self), *self._names()})


def _restored(cls: Any, values: Dict[str, Any], attributes: Optional[Dict[str, Any]]) -> Any:
    record = cls._at(cls._new_row())
    for name, value in values.items():
        record._row[name] = value
    if attributes:
        record.__dict__.update(attributes)
    return record


def _record_class(name: str, layout: np.dtype, default: bytes, fields: Dict[str, str], doc: str) -> Any:
    body: Dict[str, Any] = {
        "__slots__": (),
        "__doc__": doc,
        "__module__": "condyle",
        "_layout": layout,
        "_default": default,
    }
    for field, text in fields.items():
        kind, width = layout.fields[field][0].base.kind, layout.fields[field][0].shape  # type: ignore[index]
        body[field] = _vector(field, text) if width else _scalar(field, "f" if kind == "f" else "i", text)
    return type(name, (Record,), body)


def _layout(size: int, fields: Any) -> np.dtype:
    return np.dtype(
        {
            "names": [field for field, *_ in fields],
            "formats": [kind if width == 1 else (kind, (width,)) for _, kind, width, _, _ in fields],
            "offsets": [offset for *_, offset, _ in fields],
            "itemsize": size,
        }
    )


def _layouts() -> Dict[str, Any]:
    classes = {}
    for name, doc, size, default, fields in _condyle._record_layouts():
        layout = _layout(size, fields)
        docs = {field: text for field, *_, text in fields}
        classes[name] = made = _record_class(name.replace("MjVisual", ""), layout, default, docs, doc)
        made.__qualname__ = name.replace("MjVisual", "MjVisual.")
    return classes


_CLASSES = _layouts()
MjOption = _CLASSES["MjOption"]
MjStatistic = _CLASSES["MjStatistic"]
MjVisualHeadlight = _CLASSES["MjVisualHeadlight"]
MjVisualRgba = _CLASSES["MjVisualRgba"]
MjWarningStat = _CLASSES["MjWarningStat"]
MjTimerStat = _CLASSES["MjTimerStat"]
MjSolverStat = _CLASSES["MjSolverStat"]

_LENGTH_RANGE = {
    "mode": ("i4", 1, "Which actuators are computed (`mjtLRMode`)."),
    "useexisting": ("i4", 1, "1: keep a range that is already set."),
    "uselimit": ("i4", 0, "1: take the limits of the joint or tendon where they are defined."),
    "accel": ("f8", 20.0, "Acceleration the force aims for, m/s² or rad/s²."),
    "maxforce": ("f8", 0.0, "Largest force; 0: no limit."),
    "timeconst": ("f8", 1.0, "Time constant of the velocity damping, s; 0: none."),
    "timestep": ("f8", 0.01, "Time step of the simulation; 0: that of the model."),
    "inttotal": ("f8", 10.0, "Duration of the simulation, s."),
    "interval": ("f8", 2.0, "Final interval over which lengths are measured, s."),
    "tolrange": ("f8", 0.05, "Largest spread of lengths in that interval, relative to the range."),
}


def _length_range_class() -> Any:
    layout = np.dtype([(name, kind) for name, (kind, _, _) in _LENGTH_RANGE.items()])
    docs = {name: doc for name, (_, _, doc) in _LENGTH_RANGE.items()}
    return _record_class("MjLROpt", layout, bytes(layout.itemsize), docs, "Options of `mj_setLengthRange`.")


MjLROpt = _length_range_class()


def mj_defaultLROpt(opt: Any) -> None:
    """Set the options of `mj_setLengthRange` to what the compiler uses."""
    for name, (_, value, _) in _LENGTH_RANGE.items():
        setattr(opt, name, value)


def mj_defaultOption(opt: Any) -> None:
    """Set physics options to their defaults."""
    opt._row[...] = MjOption()._row


def mj_defaultVisual(vis: MjVisual) -> None:
    """Set view settings to their defaults."""
    for topic, record in MjVisual()._topics.items():
        vis._topics[topic]._row[...] = record._row


class MjVisual:
    """View settings by topic: `vis.global_.fovy`, `vis.rgba.fog`."""

    __slots__ = ("_topics",)
    _TOPICS = {"global_": "Global", "quality": "Quality", "headlight": "Headlight", "map": "Map", "scale": "Scale", "rgba": "Rgba"}

    def __init__(self) -> None:
        self._topics = {topic: _CLASSES[f"MjVisual{title}"]() for topic, title in self._TOPICS.items()}

    def __eq__(self, other: object) -> Any:
        return self._topics == other._topics if isinstance(other, MjVisual) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __copy__(self) -> Any:
        copy = type(self)()
        copy._topics = {topic: record.__copy__() for topic, record in self._topics.items()}
        return copy

    def __deepcopy__(self, memo: Any) -> Any:
        return self.__copy__()

    def __reduce__(self) -> Any:
        return (_restored_visual, (type(self), self._topics))

    def __repr__(self) -> str:
        lines = [f"  {topic}: " + repr(record).replace("\n", "\n  ") for topic, record in self._topics.items()]
        return "\n".join([f"<{type(self).__name__}", *lines, ">"])


def _restored_visual(cls: Any, topics: Dict[str, Any]) -> Any:
    visual = cls()
    visual._topics = topics
    return visual


def _topic(name: str, title: str) -> property:
    record = _CLASSES[f"MjVisual{title}"]

    def set_(self: MjVisual, value: Any) -> None:
        if not isinstance(value, record):
            raise TypeError(f"MjVisual.{name} takes a {record.__name__}, not {value!r}")
        self._topics[name]._row[...] = value._row

    return property(lambda self: self._topics[name], set_, doc=record.__doc__)


for _name, _title in MjVisual._TOPICS.items():
    setattr(MjVisual, _name, _topic(_name, _title))
    # Nested classes under MuJoCo's names for them.
    setattr(MjVisual, _title, _CLASSES[f"MjVisual{_title}"])
MjVisual.__module__ = "condyle"


class RecordList:
    """A sequence of records. `list[i]` is one of them, `list[a:b]` a slice; a field of the list is an array over all records."""

    __slots__ = ("_rows",)
    _record: Any = Record

    def __init__(self, rows: Callable[[], Any]) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows())

    def __getitem__(self, index: Any) -> Any:
        rows = self._rows()
        if isinstance(index, slice):
            part = rows[index]
            return type(self)(lambda: part)
        try:
            at = operator.index(index)
        except TypeError:
            raise TypeError(f"{type(self).__name__} takes numbers and slices, not {index!r}") from None
        count = len(rows)
        if not -count <= at < count:
            raise IndexError(f"index {at} is out of range: there are {count}")
        return self._record._of(rows, at)

    def __iter__(self) -> Iterator[Any]:
        rows = self._rows()
        return (self._record._of(rows, at) for at in range(len(rows)))

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, RecordList) or self._record is not other._record:
            return NotImplemented
        ours, theirs = self._rows(), other._rows()
        names = self._record._names()
        return len(ours) == len(theirs) and all(np.array_equal(ours[name], theirs[name]) for name in names)

    __hash__ = None  # type: ignore[assignment]

    def __copy__(self) -> Any:
        rows = np.array(self._rows())
        return type(self)(lambda: rows)

    def __deepcopy__(self, memo: Any) -> Any:
        return self.__copy__()

    def __reduce__(self) -> Any:
        return (_restored_list, (type(self), [record for record in self]))

    def __repr__(self) -> str:
        names = sorted(self._record._names())
        return "\n".join([f"<{type(self).__name__}", *(f"  {name}: {getattr(self, name)!r}" for name in names), ">"])


def _restored_list(cls: Any, records: List[Any]) -> Any:
    rows = np.array([record._own_row() for record in records], cls._record._layout)
    return cls(lambda: rows)


def _column(name: str, doc: str) -> property:
    def set_(self: RecordList, value: Any) -> None:
        self._rows()[name][...] = value

    return property(lambda self: self._rows()[name], set_, doc=doc)


def _list_class(record: Any, doc: str) -> Any:
    columns = {name: _column(name, getattr(record, name).__doc__) for name in record._names()}
    body = {"__slots__": (), "__doc__": doc, "__module__": "condyle", "_record": record, **columns}
    return type(f"_{record.__name__}List", (RecordList,), body)


_FOUND_CONTACT = _layout(*_condyle._found_contact_layout())


class _Contacts:
    """Contacts of a simulation: the records that collision detection wrote and, beside them, the Hessians of the solver."""

    __slots__ = ("found", "hessians")

    def __init__(self, found: Any, hessians: Callable[[], Any]) -> None:
        self.found = found
        self.hessians = hessians

    def __len__(self) -> int:
        return len(self.found)

    def __getitem__(self, key: Any) -> Any:
        if key.__class__ is str:
            return self.hessians() if key == "H" else self.found[key]
        hessians = self.hessians
        return _Contacts(self.found[key], lambda: hessians()[key])

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return _joined(self.found, self.hessians())


def _joined(found: Any, hessians: Any) -> Any:
    """What the engine keeps in two lists, in rows of `MjContact`."""
    rows = np.zeros(found.shape, MjContact._layout)
    for name in _FOUND_CONTACT.names or ():
        rows[name] = found[name]
    rows["H"] = hessians
    return rows


def _contacts(found: Any, hessians: Any) -> _Contacts:
    """The contacts in the engine's memory; Hessians are zeros where it has none."""
    rows = found.view(_FOUND_CONTACT)
    known = None if hessians is None else hessians.view(np.float64).reshape(-1, 36)

    def matrices() -> Any:
        nonlocal known
        if known is None:
            known = np.zeros((len(rows), 36))
        return known

    return _Contacts(rows, matrices)


class MjContact(_CLASSES["MjContact"]):  # type: ignore[misc, valid-type]
    """A contact between two surfaces."""

    # The Hessian is in the row, or in the list of contacts at an index.
    __slots__ = ("_list", "_index")
    __module__ = "condyle"
    _list: Optional[_Contacts]
    _index: int

    def __init__(self) -> None:
        super().__init__()
        self._list = None

    @classmethod
    def _at(cls, row: Any) -> Any:
        record = cls.__new__(cls)
        record._row = row
        record._list = None
        return record

    @classmethod
    def _of(cls, rows: Any, at: int) -> Any:
        if rows.__class__ is not _Contacts:
            return cls._at(rows[at, ...])
        record = cls.__new__(cls)
        record._row = rows.found[at, ...]
        record._list = rows
        record._index = at
        return record

    def _own_row(self) -> Any:
        return np.array(self._row) if self._list is None else _joined(self._row, self.H)

    @property
    def H(self) -> Any:
        return self._row["H"] if self._list is None else self._list.hessians()[self._index]

    @H.setter
    def H(self, value: Any) -> None:
        self.H[...] = value


MjContact.H.__doc__ = _CLASSES["MjContact"].H.__doc__
_CLASSES["MjContact"] = MjContact

_MjContactList = _list_class(MjContact, "The contacts of the last collision detection, in the order of their constraint rows.")
_MjWarningStatList = _list_class(MjWarningStat, "Counters of warnings, by `mjtWarning`.")
_MjTimerStatList = _list_class(MjTimerStat, "Counters and stopwatches of the stages, by `mjtTimer`.")
_MjSolverStatList = _list_class(MjSolverStat, "Progress of the solver: 200 iterations for each of 20 islands.")


def _of_model(memory: Callable[[str], Any], name: str) -> Any:
    """`model.opt`, `model.stat` or `model.vis`."""

    def record(cls: Any, part: str) -> Any:
        return cls._at(memory(part).view(cls._layout).reshape(()))

    if name == "opt":
        return record(MjOption, "opt")
    if name == "stat":
        return record(MjStatistic, "stat")
    visual = MjVisual()
    visual._topics = {topic: record(_CLASSES[f"MjVisual{title}"], topic) for topic, title in MjVisual._TOPICS.items()}
    return visual


def _of_data(memory: Any, name: str) -> Any:
    """`data.contact`, `data.warning`, `data.timer` or `data.solver`."""
    cls = {"contact": _MjContactList, "warning": _MjWarningStatList, "timer": _MjTimerStatList, "solver": _MjSolverStatList}[name]
    layout = cls._record._layout
    if name == "contact":
        # Contacts move when there are more of them, so they are looked up on each access.
        return cls(memory)
    rows = memory.view(layout)
    return cls(lambda: rows)


def _contact(row: Any) -> Any:
    return MjContact._at(row.view(MjContact._layout).reshape(()))


_condyle._set_records(_of_model, _of_data, _contacts, _contact)


def _show_fields() -> None:
    """Put the fields of models, data and what is drawn on their classes, with their meaning."""

    def shape(dims: List[str], width: int) -> str:
        return ", ".join([*(dim if dim != "two" else "2" for dim in dims), *([str(width)] if width > 1 else [])])

    for cls in (_condyle.MjModel, _condyle.MjData):
        fields = {name: doc for name, doc in cls._field_table()}
        for name, kind, dims, width, doc, *_ in cls._array_table():
            fields[name] = f"{doc} Array of {kind}, shape ({shape(dims, width)})."
        for name, doc in fields.items():
            setattr(cls, name, _condyle._Field(name, doc))
        cls._all_fields = tuple(fields)
    drawing = [(cls, fields) for cls, fields in _condyle._drawing_fields()]
    drawing.append((_condyle.MjrContext, [(name, "As in MuJoCo's context.") for name in dir(_condyle.MjrContext()) if name[0] != "_"]))
    for cls, fields in drawing:
        for name, doc in fields:
            if name not in cls.__dict__:
                setattr(cls, name, _condyle._Field(name, doc))
    sizes = [name for name, _ in _condyle.MjModel._field_table() if name.startswith("n")]
    _condyle.MjModel._size_fields = tuple(sizes)
    setattr(_condyle.MjModel, "_sizes", property(lambda self: np.array([getattr(self, name) for name in sizes], np.int64)))  # noqa: B010


_show_fields()

# Where the types of the compiled module are looked up.
for _class in (*_CLASSES.values(), MjLROpt, MjVisual, _MjContactList, _MjWarningStatList, _MjTimerStatList, _MjSolverStatList):
    if _class.__name__.startswith(("Mj", "_Mj")):
        setattr(_condyle, _class.__name__, _class)
