"""What the enumerations have in common: integers that know their names.

They are plain integers in arithmetic, so `a | b` is an `int`, and print as MuJoCo's do. As there, every member is true, even one whose value is
zero. Unlike members of Python's own enumerations they are ordinary attributes of their class, which programs look up in every step.
"""

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Dict, Iterator

if TYPE_CHECKING:
    from enum import IntEnum as IntEnum, IntFlag as IntFlag
else:

    class _Enumeration(type):
        """Makes members of the numbers in the body of a class."""

        def __new__(meta, name: str, bases: Any, body: Dict[str, Any]) -> Any:
            numbers = {key: value for key, value in body.items() if isinstance(value, int) and not key.startswith("_")}
            cls = super().__new__(meta, name, bases, {key: value for key, value in body.items() if key not in numbers})
            members, by_value = {}, {}
            for key, value in numbers.items():
                members[key] = member = int.__new__(cls, value)
                member._name = key
                by_value.setdefault(int(member), member)
                type.__setattr__(cls, key, member)
            cls.__members__ = MappingProxyType(members)
            cls._by_value = by_value
            return cls

        def __call__(cls, value: Any) -> Any:
            try:
                return cls._by_value[value]
            except (KeyError, TypeError):
                raise ValueError(f"Invalid int value for {cls.__name__}: {value}") from None

        def __iter__(cls) -> Iterator[Any]:
            return iter(cls._by_value.values())

        def __len__(cls) -> int:
            return len(cls._by_value)

        def __contains__(cls, value: Any) -> bool:
            return value in cls._by_value

        def __getitem__(cls, name: str) -> Any:
            return cls.__members__[name]

        def __repr__(cls) -> str:
            return f"<enumeration {cls.__name__}>"

    class IntEnum(int, metaclass=_Enumeration):
        """An enumeration of numbers."""

        @property
        def name(self) -> str:
            """Name of the member."""
            return self._name

        @property
        def value(self) -> int:
            """The number."""
            return int(self)

        def __bool__(self) -> bool:
            return True

        def __str__(self) -> str:
            return f"{type(self).__name__}.{self._name}"

        def __repr__(self) -> str:
            return f"<{type(self).__name__}.{self._name}: {int(self)}>"

        def __format__(self, specification: str) -> str:
            return int(self).__format__(specification) if specification else str(self)

        def __reduce__(self) -> Any:
            return (getattr, (type(self), self._name))

        def __copy__(self) -> Any:
            return self

        def __deepcopy__(self, memo: Any) -> Any:
            return self

    class IntFlag(IntEnum):
        """An enumeration of bits."""
