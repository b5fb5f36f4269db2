"""The compiler's side: machine instructions for `bits`, checks of types, and turning gathered items into code.

Only this module and `pipeline` import Numba, and they are imported only when something is compiled or loaded.
"""

import ast
from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core.errors import TypingError
from numba.extending import intrinsic, overload

from kibitz.core import bits
from kibitz.core.seam.call_graph import Item
from kibitz.core.seam.compiler_errors import MARK
from kibitz.core.seam.pipeline import Entry, Inner, Raw, set_environments

# Inner functions are called by compiled code alone: without doors for Python they compile a fifth sooner.
_INNER = {"nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
MANY = 100  # functions that are optimised one by one; more would take too long


@intrinsic
def _trailing_zeros(context: Any, value: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), generate


@intrinsic
def _population(context: Any, value: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


@overload(bits.lowest, strict=False)
def _lowest(bits: Any) -> Any:
    if isinstance(bits, types.Integer):
        return lambda bits: _trailing_zeros(np.uint64(bits))
    return None


@overload(bits.count, strict=False)
def _count(bits: Any) -> Any:
    if isinstance(bits, types.Integer):
        return lambda bits: _population(np.uint64(bits))
    return None


@overload(bits.one, strict=False)
def _one(cell: Any) -> Any:
    if isinstance(cell, types.Integer):
        return lambda cell: np.uint64(1) << np.uint64(cell)
    return None


def fit(value: Any, width: Any, name: str) -> Any:
    """A field of a new state as its annotation wants it."""
    return width(value)


@overload(fit, prefer_literal=True, strict=False)
def _fit(value: Any, width: Any, name: Any) -> Any:
    wanted = width.instance_type
    field = getattr(name, "literal_value", name)
    if isinstance(value, types.Array):
        if value.dtype != wanted or value.ndim != 1:
            raise TypingError(f"{MARK}field '{field}' of State is an array of {wanted}, but it is given {value}")
        if value.layout == "C" and value.mutable:
            return lambda value, width, name: value
        return lambda value, width, name: value.copy()
    whole = isinstance(wanted, (types.Integer, types.Boolean))
    given = types.unliteral(value)
    if not isinstance(given, (types.Number, types.Boolean)) or (whole and isinstance(given, types.Float)):
        raise TypingError(f"{MARK}field '{field}' of State is {wanted}, but it is given {given}")
    return lambda value, width, name: width(value)


def link(items: Collection[Item], bounds: bool, owner: str) -> dict[Item, Any]:
    """Every gathered function compiled, each seeing the others under the names its author used.

    They all claim to live in this module: loading kept code imports the module of each function that is part of it.
    The owner is part of their names: of two functions of one name and with the same types of arguments that are loaded
    from disk, such as `unindex` of two games, the first would stand for both.
    """
    pipeline = Raw if len(items) > MANY else Inner
    linked: dict[Item, Any] = {}
    spaces: dict[Item, dict[str, Any]] = {}
    for item in items:
        spaces[item] = dict(item.names, __name__=__name__)
        exec(compile(ast.Module([item.tree], []), item.filename, "exec"), spaces[item])
        function = spaces[item][item.name]
        function.__qualname__ = f"{owner}_{item.name}"
        linked[item] = njit(**_INNER, pipeline_class=pipeline, boundscheck=bounds)(function)
    for item, space in spaces.items():
        for name, target in item.links.items():
            owner, dot, attribute = name.partition(".")
            if dot:
                setattr(space[owner], attribute, linked[target])
            else:
                space[name] = linked[target]
    return linked


def entry(text: str, path: Path | None, space: dict[str, Any], types: tuple[Any, ...], bounds: bool) -> Any:
    """The entry function of a generated text, compiled for these types or loaded from beside `path`."""
    names = dict(space, __name__=__name__)
    exec(compile(text, str(path or "<kibitz>"), "exec"), names)
    if path is not None:
        names["entry"].__qualname__ = f"entry_{path.stem}"
    dispatcher = njit(pipeline_class=Entry, nogil=True, cache=path is not None, boundscheck=bounds)(names["entry"])
    dispatcher.compile(types)
    set_environments(dispatcher.overloads[types])
    dispatcher.disable_compile()
    return dispatcher
