"""Find everything a compiled function needs: the functions it calls, the constants it reads, their sources.

Nothing here knows the compiler. The outcome is a list of functions with their syntax trees, still carrying the
author's file and lines, and a digest of all of it that changes exactly when the meaning may have changed.
"""

import ast
import builtins
import copy
import hashlib
import math
import types
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np

from kibitz.core import bits
from kibitz.core.errors import RulesError, TooManyMoves
from kibitz.core.seam.generators import Form, is_generator, rewrite_generator
from kibitz.core.seam.loops import rewrite_loops
from kibitz.core.seam.records import fill_defaults
from kibitz.core.seam.refusals import refuse_uncompilable
from kibitz.core.source import find_definition, read_source

Function = types.FunctionType
Names = dict[str, Any]

KNOWN_MODULES = (np, math, bits)  # modules whose functions the compiler knows
NATIVE = (bits.lowest, bits.count, bits.one)  # functions that compile to machine instructions
# Names that rewritten generators and loops use.
REWRITTEN: Names = {
    "TooManyMoves": TooManyMoves,
    "_place": np.uint64,
    "_lowest": bits.lowest,
    "_empty": np.empty,
    "_whole": np.int64,
}
_NUMBERS = (bool, int, float, np.number, np.bool_)
_HINT = "compiled rules use numbers, tuples of numbers, numpy arrays, NamedTuples and functions"


@dataclass(eq=False)
class Item:
    """One function to compile, with the names its body sees."""

    tree: ast.FunctionDef
    filename: str
    module: str
    names: Names = field(default_factory=dict)  # constants by value
    links: dict[str, "Item"] = field(default_factory=dict)  # other functions

    @property
    def name(self) -> str:
        return self.tree.name


class CallGraph:
    """Follows functions to the functions they call. `slots` says which items stand for a kernel's slots."""

    def __init__(self, constants: Mapping[str, Any] | None = None) -> None:
        self.constants = constants or {}  # what some names stand for, whatever the files say
        self.slots: dict[Function, Item] = {}
        self.items: list[Item] = []
        self._known: dict[tuple[Function, Form], Item] = {}

    def add(self, function: Function, form: Form = "plain") -> Item:
        """The item of this function, with everything it needs gathered too."""
        if function in self.slots:
            return self.slots[function]
        known = self._known.get((function, form))
        if known is not None:
            return known
        item = Item(_parse_function(function, form), function.__code__.co_filename, function.__module__)
        self._known[function, form] = item
        self.items.append(item)
        if function.__closure__:
            name = function.__code__.co_freevars[0]
            problem = f"uses '{name}' of the function around it, expected a function at the top level of the file"
            raise _refusal(function, item.tree, problem)
        for name in sorted(_free_names(item.tree)):
            self._resolve(item, name, function)
        return item

    def refuse_mutual_recursion(self) -> None:
        """Code of functions that call each other cannot be kept on disk; that of one that calls itself can."""
        for function, item in ((key[0], item) for key, item in self._known.items()):
            for other in item.links.values():
                if other is not item and item in _reachable(other):
                    problem = f"and {other.name}() call each other, expected one function that calls itself, or a loop"
                    raise _refusal(function, _find_use(item.tree, other.name), problem)

    def add_text(self, text: str, names: Names, links: dict[str, Item]) -> Item:
        """An item of generated text that sees these names."""
        tree = ast.parse(text).body[0]
        assert isinstance(tree, ast.FunctionDef)
        item = Item(tree, f"<kibitz {tree.name}>", "", names, links)
        self.items.append(item)
        return item

    def _resolve(self, item: Item, name: str, function: Function) -> None:
        known = function.__globals__
        plain, _, form = name.partition("__")
        if name in REWRITTEN:
            item.names[name] = REWRITTEN[name]
        elif form in ("fill", "odds", "count") and plain in known:
            item.links[name] = self.add(known[plain], form)  # type: ignore[arg-type]
        elif name in known:
            self._bind(item, name, self.constants.get(name, known[name]), function)
        elif not hasattr(builtins, name):
            raise _refusal(function, _find_use(item.tree, name), f"uses '{name}', which is not defined in its file")

    def _bind(self, item: Item, name: str, value: Any, function: Function) -> None:
        """Let the item see a value under a name: a number as it is, a function compiled, a module in part."""
        if isinstance(value, types.ModuleType) and not self._is_known(value, item.tree, name):
            item.names[name] = proxy = types.ModuleType(value.__name__)
            for attribute in _attributes(item.tree, name):
                self._bind(item, f"{name}.{attribute}", getattr(value, attribute, None), function)
                if f"{name}.{attribute}" in item.names:
                    setattr(proxy, attribute, item.names.pop(f"{name}.{attribute}"))
        elif _is_plain_function(value):
            item.links[name] = self.add(value)
        elif _is_constant(value) or _is_native(value):
            item.names[name] = value
        else:
            numbers = hasattr(value, "pass_move")  # a board: `core.boards` stands above this room
            cure = f"expected a number of it taken out before, as ALL = {name}.all" if numbers else _HINT
            what = f"uses '{name}', a {type(value).__name__}; {cure}"
            raise _refusal(function, _find_use(item.tree, name), what)

    @staticmethod
    def _is_known(module: types.ModuleType, tree: ast.FunctionDef, name: str) -> bool:
        """Does the compiler know all that is used of a module?"""
        used = (getattr(module, attribute, None) for attribute in _attributes(tree, name))
        return module in KNOWN_MODULES and not (module is bits and any(_is_plain_function(value) for value in used))

    def digest(self) -> str:
        """A hash of every function (comments, docstrings and annotations aside) and every constant."""
        code = hashlib.sha256()
        for text in sorted(_describe(item) for item in self.items):
            code.update(text)
        return code.hexdigest()


def _reachable(start: Item) -> set[Item]:
    """The functions that a function calls, directly or not."""
    found: set[Item] = set()
    waiting = [start]
    while waiting:
        for item in waiting.pop().links.values():
            if item not in found:
                found.add(item)
                waiting.append(item)
    return found


def _describe(item: Item) -> bytes:
    parts = [f"{item.module}:{ast.dump(item.tree)}".encode()]
    parts += [name.encode() + b"=" + _to_bytes(item.names[name]) for name in sorted(item.names)]
    parts += [f"{name}>{item.links[name].module}.{item.links[name].name}".encode() for name in sorted(item.links)]
    return b"\n".join(parts)


def _to_bytes(value: Any) -> bytes:
    """Bytes that are the same exactly for constants that compile to the same code."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}".encode() + value.tobytes()
    if isinstance(value, types.ModuleType) and value not in KNOWN_MODULES:
        used = sorted(name for name in vars(value) if not name.startswith("__"))
        return value.__name__.encode() + b"".join(name.encode() + _to_bytes(getattr(value, name)) for name in used)
    if isinstance(value, type) and hasattr(value, "_fields"):
        return f"{value.__name__}{sorted(get_type_hints(value).items(), key=str)}{value._fields}".encode()
    if isinstance(value, tuple):
        return b"(" + b",".join(_to_bytes(part) for part in value) + b")"
    if isinstance(value, _NUMBERS):
        return f"{type(value).__name__} {value!r}".encode()
    return getattr(value, "__qualname__", type(value).__name__).encode()


def _is_native(value: Any) -> bool:
    kinds = (type, types.ModuleType, types.BuiltinFunctionType, np.ufunc)
    return isinstance(value, kinds) or any(value is native for native in NATIVE)


def _is_plain_function(value: Any) -> bool:
    return isinstance(value, Function) and not _is_native(value)


def _is_constant(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "iufb"
    if isinstance(value, tuple):
        return all(isinstance(part, _NUMBERS) for part in _leaves(value))
    return isinstance(value, _NUMBERS)


def _attributes(tree: ast.FunctionDef, name: str) -> list[str]:
    """What a function uses of the module that it knows by this name."""
    used = (node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name))
    return sorted({node.attr for node in used if node.value.id == name})  # type: ignore[attr-defined]


def _leaves(value: tuple[Any, ...]) -> list[Any]:
    return [leaf for part in value for leaf in (_leaves(part) if isinstance(part, tuple) else [part])]


def _find_use(tree: ast.FunctionDef, name: str) -> ast.AST:
    head = name.split(".")[0]
    return next((node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == head), tree)


def _refusal(function: Function, node: ast.AST, problem: str) -> RulesError:
    place = f"{Path(function.__code__.co_filename).name}:{getattr(node, 'lineno', function.__code__.co_firstlineno)}"
    return RulesError(f"{place}: {function.__name__}() {problem}")


def _parse_function(function: Function, form: Form) -> ast.FunctionDef:
    """The function's syntax tree without docstring, annotations and decorators, its yields rewritten."""
    file = function.__code__.co_filename
    if not read_source(function):
        raise RulesError(f"{function.__name__}() has no source that can be read ({file})")
    found = find_definition(function)
    if found is None:
        raise RulesError(f"{Path(file).name}: {function.__name__}() has changed since it was loaded")
    return _strip(function, found, form)


def _strip(function: Function, found: ast.FunctionDef, form: Form) -> ast.FunctionDef:
    tree: ast.FunctionDef = copy.deepcopy(found)
    tree.decorator_list, tree.returns = [], None
    for argument in [*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs]:
        argument.annotation = None
    first = tree.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        tree.body = tree.body[1:] or [ast.copy_location(ast.Pass(), first)]
    tree = _PlainAssignments().visit(tree)
    refuse_uncompilable(function, tree)
    tree = fill_defaults(tree, function.__globals__)
    tree = rewrite_loops(tree, function.__globals__)
    if form == "plain":
        return tree
    if not is_generator(tree):
        raise _refusal(function, tree, "yields nothing, expected a generator")
    tree = rewrite_generator(tree, form, lambda node, problem: _refusal(function, node, problem))
    tree.name = f"{tree.name}__{form}"
    return tree


class _PlainAssignments(ast.NodeTransformer):
    """`x: int = 1` to `x = 1`."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        if node.value is None:
            return None
        return ast.copy_location(ast.Assign([node.target], node.value), node)


def _free_names(tree: ast.FunctionDef) -> set[str]:
    """The names a function reads but does not bind."""
    bound = {argument.arg for argument in [*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs]}
    read: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            (bound if isinstance(node.ctx, (ast.Store, ast.Del)) else read).add(node.id)
    return read - bound
