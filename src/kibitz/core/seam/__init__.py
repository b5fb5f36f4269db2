"""The seam between rules written in Python and machine code: the one room that knows the compiler.

A kernel is a plain function, such as a search, written against the names in `slots`. `specialise` joins it with a
game's rules and returns something to call: compiled and cached on disk, or with KIBITZ_INTERPRET=1 run as Python.
"""

import os
import types
from collections.abc import Callable, Mapping
from typing import Any

from kibitz.core.heuristic import NO_HEURISTIC, Heuristic
from kibitz.core.rulebook import Rulebook
from kibitz.core.seam.compiler import CompiledKernel
from kibitz.core.seam.interpreter import InterpretedKernel
from kibitz.core.seam.slots import Slot

_kernels: dict[tuple[Any, ...], Callable[..., Any]] = {}


def interpreting() -> bool:
    """Does the environment ask for plain Python?"""
    return os.environ.get("KIBITZ_INTERPRET") == "1"


def specialise(
    book: Rulebook | None,
    kernel: Callable[..., Any],
    heuristic: Heuristic | None = None,
    *,
    probe: Slot | None = None,
    constants: Mapping[str, Any] | None = None,
) -> Callable[..., Any]:
    """The kernel with this game's rules, and a heuristic's functions, in its slots; its parameters `state` and `rules`
    are the game's. `probe` reads a table of perfect play. `constants` overrides module-level numbers and functions
    of the kernel's files: another value, another module. Weights are data: heuristics that
    differ in them alone share a module. An argument may be a NamedTuple of numbers and arrays.

    A kernel that asks for no game, such as a puzzle's solver, is specialised for None.
    """
    assert isinstance(kernel, types.FunctionType)
    chosen = tuple(sorted((constants or {}).items()))
    guide = heuristic or NO_HEURISTIC
    key = (book, kernel, guide.functions, probe, chosen, interpreting(), os.environ.get("KIBITZ_BOUNDS") == "1")
    if key not in _kernels:
        way = InterpretedKernel if interpreting() else CompiledKernel
        _kernels[key] = way(book, kernel, guide, probe, constants)
    return _kernels[key]
