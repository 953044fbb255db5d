"""What the enumerations have in common: integers that print their names."""

import enum


class _Named:
    """`str` and formatting give the name, as they do for MuJoCo's enumerations; `format(value, "d")` gives the number."""

    def __str__(self) -> str:
        name = getattr(self, "name", None)
        return f"{type(self).__name__}.{name}" if name else str(int(self))  # type: ignore[call-overload]

    def __format__(self, specification: str) -> str:
        return int(self).__format__(specification) if specification else str(self)  # type: ignore[call-overload]


class IntEnum(_Named, enum.IntEnum):
    """An enumeration of numbers."""

    @classmethod
    def _missing_(cls, value: object) -> None:
        raise ValueError(f"Invalid int value for {cls.__name__}: {value}")


class IntFlag(_Named, enum.IntFlag):
    """An enumeration of bits."""
