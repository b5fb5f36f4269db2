"""The compiler's side: machine instructions for `bits`, checks of types, and turning gathered items into code.

Only this module and `pipeline` import Numba, and they are imported only when something is compiled or loaded.
"""

import ast
import warnings
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core.errors import TypingError
from numba.extending import intrinsic, overload

from kibitz.core import bits
from kibitz.core.errors import KibitzWarning
from kibitz.core.seam.call_graph import Item
from kibitz.core.seam.compiler_errors import MARK


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


class Method(NamedTuple):
    """A way to compile: Numba's options for the entry and for functions that compiled code alone calls."""

    inner: dict[str, Any]
    many: dict[str, Any]  # the same in a kernel of MANY functions
    entry: dict[str, Any]
    finish: Callable[[Any], None] = lambda compiled: None  # what is left to do with a compiled entry


MANY = 100  # functions that are optimised one by one; more would take too long
# No wrappers for other callers: functions without them compile a fifth sooner.
_INNER = {"nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_ENTRY = {"nogil": True, "no_cfunc_wrapper": True}
PLAIN = Method(_INNER, _INNER, _ENTRY)


_methods: list[Method] = []  # the last one is in use


def current_method() -> Method:
    """Our own way to compile; Numba's, with a warning, where it lacks something that ours needs."""
    if not _methods:
        try:
            from kibitz.core.seam import pipeline
        except (ImportError, AttributeError, TypeError, AssertionError) as problem:
            use_plain_method(problem)
        else:
            inner, many, entry = ({"pipeline_class": each} for each in (pipeline.Inner, pipeline.Raw, pipeline.Entry))
            _methods.append(Method(_INNER | inner, _INNER | many, _ENTRY | entry, pipeline.set_environments))
    return _methods[-1]


def use_plain_method(problem: Exception) -> None:
    """Compile the plain way from now on, and say why."""
    _methods.append(PLAIN)
    reason = " ".join(f"{type(problem).__name__}: {problem}".split())[:200]
    warnings.warn(
        f"Numba {numba.__version__} is not as Kibitz expects ({reason}); compiling the plain way, which takes longer "
        "and makes slower code",
        KibitzWarning,
        stacklevel=2,
    )


def link(items: Collection[Item], method: Method, bounds: bool, owner: str) -> dict[Item, Any]:
    """Every gathered function compiled, each seeing the others under the names its author used.

    They all claim to live in this module: loading kept code imports the module of each function that is part of it.
    The owner is part of their names: of two functions of one name and with the same types of arguments that are loaded
    from disk, such as `unindex` of two games, the first would stand for both.
    """
    options = method.many if len(items) > MANY else method.inner
    linked: dict[Item, Any] = {}
    spaces: dict[Item, dict[str, Any]] = {}
    for item in items:
        spaces[item] = dict(item.names, __name__=__name__)
        exec(compile(ast.Module([item.tree], []), item.filename, "exec"), spaces[item])
        function = spaces[item][item.name]
        function.__qualname__ = f"{owner}_{item.name}"
        linked[item] = njit(**options, boundscheck=bounds)(function)
    for item, space in spaces.items():
        for name, target in item.links.items():
            module, dot, attribute = name.partition(".")
            if dot:
                setattr(space[module], attribute, linked[target])
            else:
                space[name] = linked[target]
    return linked


def compile_entry(
    text: str, path: Path | None, names: dict[str, Any], types: tuple[Any, ...], method: Method, bounds: bool
) -> Any:
    """The entry function of a generated text, compiled for these types or loaded from beside `path`."""
    space = dict(names, __name__=__name__)
    exec(compile(text, str(path or "<kibitz>"), "exec"), space)
    if path is not None:
        space["entry"].__qualname__ = f"entry_{path.stem}"
    dispatcher = njit(**method.entry, cache=path is not None, boundscheck=bounds)(space["entry"])
    dispatcher.compile(types)
    method.finish(dispatcher.overloads[types])
    dispatcher.disable_compile()
    return dispatcher
