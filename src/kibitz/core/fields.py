"""The fields of a State or a Rules: fixed-width numbers and small arrays, read off a NamedTuple's annotations."""

import inspect
import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np

from kibitz.core.errors import RulesError

_PLAIN: dict[type, type[np.generic]] = {int: np.int64, bool: np.bool_, float: np.float64}
_EXPECTED = "expected int, bool, float, a numpy integer such as np.uint64, or an array such as NDArray[np.int16]"


def where(thing: Callable[..., Any] | type) -> str:
    """The file and line where a function or class begins, as error messages show it."""
    try:
        name = inspect.getsourcefile(thing)
        line = inspect.getsourcelines(thing)[1]
    except (OSError, TypeError):
        return getattr(thing, "__qualname__", "rules")
    return f"{Path(name).name}:{line}" if name else "rules"


@dataclass(frozen=True, slots=True)
class Field:
    """One field: its name, the width of its number, and whether it is an array of them."""

    name: str
    dtype: np.dtype[Any]
    array: bool
    plain: bool  # annotated int, bool or float, so interpreted rules see Python's own numbers
    flat: bool = True  # is an array of one dimension?
    low: int = field(init=False, default=1)  # the whole numbers that fit; none where others are kept
    high: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        if self.dtype.kind in "iu":
            info = np.iinfo(self.dtype)
            object.__setattr__(self, "low", int(info.min))
            object.__setattr__(self, "high", int(info.max))

    def __str__(self) -> str:
        return f"NDArray[np.{self.dtype}]" if self.array else str(self.dtype)

    def cast(self, value: Any) -> Any:
        """The value as this field keeps it; ValueError or TypeError when it does not fit."""
        if type(value) is int and self.low <= value <= self.high and not self.array:  # most values, soonest
            return value if self.plain else self.dtype.type(value)
        if not self.plain and type(value) is self.dtype.type:
            return value
        if self.array:
            array = np.ascontiguousarray(value)
            if self.flat and array.ndim != 1:
                raise TypeError("not one-dimensional")
            if array.dtype != self.dtype:
                raise TypeError(f"an array of {array.dtype}")
            return array
        if self.dtype.kind == "f":
            return float(value)
        number = operator.index(bool(value) if isinstance(value, np.bool_) else value)
        if self.dtype.kind == "b":
            return bool(number)
        if not self.low <= number <= self.high:
            raise ValueError("out of range")
        return number if self.plain else self.dtype.type(number)


def fields_of(kind: type, *, flat: bool = True) -> tuple[Field, ...]:
    """The fields of a NamedTuple class, or the reason why one of them cannot be compiled."""
    if not (issubclass(kind, tuple) and hasattr(kind, "_fields")):
        raise RulesError(
            f"{where(kind)}: {kind.__name__} is not a NamedTuple, expected class {kind.__name__}(NamedTuple)"
        )
    hints = get_type_hints(kind)
    found = (_field(kind, name, _resolve_alias(hints[name])) for name in kind._fields)
    return tuple(replace(each, flat=flat) for each in found)


def _resolve_alias(hint: Any) -> Any:
    """The type behind a `type` statement. From NumPy 2.5 on Python 3.12 on, NDArray itself is declared by one."""
    while hasattr(alias := get_origin(hint) or hint, "__value__"):
        arguments = get_args(hint)
        hint = alias.__value__[arguments] if arguments else alias.__value__
    return hint


def _field(kind: type, name: str, hint: Any) -> Field:
    if isinstance(hint, type) and hint in _PLAIN:
        return Field(name, np.dtype(_PLAIN[hint]), array=False, plain=True)
    if isinstance(hint, type) and issubclass(hint, np.integer):
        return Field(name, np.dtype(hint), array=False, plain=False)
    if get_origin(hint) is np.ndarray:
        (width,) = get_args(get_args(hint)[1]) or (None,)
        if isinstance(width, type) and issubclass(width, np.number):
            return Field(name, np.dtype(width), array=True, plain=False)
    shown = getattr(hint, "__name__", None) if get_origin(hint) is None else str(hint)
    raise RulesError(f"{where(kind)}: field '{name}' of {kind.__name__} is {shown or hint}, {_EXPECTED}")


def cast_fields(kind: type, fields: Iterable[Field], values: Iterable[Any], source: Callable[..., Any]) -> Any:
    """`kind` with every value cast to its field, so that types never depend on values."""
    cast = []
    given, names = tuple(values), tuple(fields)
    if len(given) != len(names):
        raise RulesError(f"{where(source)}: {source.__name__}() returns {len(given)} values, expected {kind.__name__}")
    for wanted, value in zip(names, given, strict=True):
        try:
            cast.append(wanted.cast(value))
        except (TypeError, ValueError) as problem:
            shown = f"{type(value).__name__} {value!r}"[:60]
            raise RulesError(
                f"{where(source)}: {source.__name__}() puts {shown} ({problem}) into field '{wanted.name}' of "
                f"{kind.__name__}, which is {wanted}"
            ) from None
    return kind(*cast)
