"""The other way to run a kernel: as plain Python, for reading, debugging, and as the oracle of the tests.

The adapters are the same text as for the compiler. Here they see Python's own numbers, and the author's functions as
they were written: a generator is run, and what it yields is written to the buffer.
"""

import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import TooManyMoves
from kibitz.core.fields import cast_fields, where
from kibitz.core.heuristic import NO_HEURISTIC, Heuristic
from kibitz.core.rulebook import Rule, Rulebook
from kibitz.core.seam.adapters import find_rule, with_units, write_adapters
from kibitz.core.seam.bodies import MIX, NETWORK
from kibitz.core.seam.call_graph import Function
from kibitz.core.seam.generators import Form
from kibitz.core.seam.slots import ROWS, SLOTS, Row, Slot

_WORD = 0xFFFFFFFFFFFFFFFF


class InterpretedKernel:
    """A kernel run by Python itself, with the game's rules in its slots."""

    def __init__(
        self,
        book: Rulebook | None,
        kernel: Function,
        heuristic: Heuristic = NO_HEURISTIC,
        probe: Slot | None = None,
        constants: Mapping[str, Any] | None = None,
    ) -> None:
        filled = fill_slots(book, heuristic) if book else {}
        if probe is not None:
            filled[SLOTS["probe"]] = _copy_with_slots(probe, dict(filled), {}, {})  # type: ignore[arg-type]
        self._run = _copy_with_slots(kernel, filled, {}, constants or {})

    def __call__(self, *arguments: Any) -> Any:
        return self._run(*arguments)


def fill_slots(book: Rulebook, heuristic: Heuristic) -> dict[Slot, Callable[..., Any]]:
    """For each slot a function that calls the author's."""
    casts = {field.name: field.cast for field in book.state_fields}
    space: dict[str, Any] = {
        "np": np,
        "State": book.state,
        "fit": lambda value, width, name: casts[name](value),
        "whole": int,
        "real": float,
        "word": lambda value: int(value) & _WORD,
    }
    for name, row in ROWS.items():
        rule = find_rule(book, heuristic, row)
        if rule is not None:
            space[f"rule_{name}"] = _wrap_rule(rule, row, book)
    if heuristic.network is not None:
        units = with_units(None, heuristic)
        space |= {one.__name__: _copy_with_slots(one, {}, {}, units) for one in NETWORK}  # type: ignore[arg-type]
    texts = write_adapters(book, heuristic)
    for name, text in {"mix": MIX, **texts}.items():
        exec(compile(text, f"<kibitz {name}>", "exec"), space)
    return {SLOTS[name]: space[name] for name in texts}


def _wrap_rule(rule: Rule, row: Row, book: Rulebook) -> Callable[..., Any]:
    """The author's function as the adapters call it. It is given Python's integers, and a state is checked."""
    if row.form != "plain":
        return _FORMS[row.form](rule)
    if row.returns is Any:
        return lambda *given: cast_fields(book.state, book.state_fields, rule(*map(_plain, given)), rule)
    return lambda *given: rule(*map(_plain, given))


def _plain(value: Any) -> Any:
    return int(value) if type(value) is np.int64 else value


def _fill(rule: Rule) -> Callable[..., int]:
    def fill(*given: Any) -> int:
        *known, out, at = given
        return _write(rule(*known), out, at, rule)

    return fill


def _fill_with_odds(rule: Rule) -> Callable[..., int]:
    def fill(*given: Any) -> int:
        *known, odds, out, at = given
        pairs = list(rule(*known))
        end = _write((code for _, code in pairs), out, at, rule)
        odds[at:end] = [chance for chance, _ in pairs]
        return end

    return fill


def _count(rule: Rule) -> Callable[..., int]:
    return lambda *given: sum(1 for _ in rule(*given))


_FORMS: dict[Form, Callable[[Rule], Callable[..., int]]] = {"fill": _fill, "odds": _fill_with_odds, "count": _count}


def _write(values: Iterable[Any], out: NDArray[np.int64], at: int, rule: Rule) -> int:
    for value in values:
        if at >= out.size:
            raise TooManyMoves(f"{where(rule)}: {rule.__name__}() yields more than the game declares as max_moves")
        out[at] = value
        at += 1
    return at


def _copy_with_slots(
    function: Function, filled: dict[Any, Any], spaces: dict[str, dict[str, Any]], constants: Mapping[str, Any]
) -> Function:
    """A copy of the function whose slots are filled, and likewise the functions of its package that it calls."""
    space = spaces.get(function.__module__)
    if space is None:
        space = spaces[function.__module__] = dict(function.__globals__)
        space.update((name, value) for name, value in constants.items() if name in space)
        for name, value in function.__globals__.items():
            if isinstance(value, types.FunctionType) and name not in constants:
                if value in filled:
                    space[name] = filled[value]
                elif value.__module__ == function.__module__ or _uses_slots(value) or _reads(value, constants):
                    space[name] = _copy_with_slots(value, filled, spaces, constants)
    return types.FunctionType(function.__code__, space, function.__name__, function.__defaults__)


def _uses_slots(function: Function) -> bool:
    slots = set(SLOTS.values())
    return any(isinstance(value, types.FunctionType) and value in slots for value in function.__globals__.values())


def _reads(function: Function, constants: Mapping[str, Any]) -> bool:
    return any(name in function.__globals__ for name in constants)
