"""What compiled rules cannot do, noticed before the compiler is asked: one line that says where, what, and the cure."""

import ast
import builtins
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from kibitz.core.errors import RulesError
from kibitz.core.source import find_missing_return, place_of, returns_of

Refusal = tuple[ast.AST, str]


def refuse_uncompilable(function: types.FunctionType, tree: ast.FunctionDef) -> None:
    """Nothing, or the first thing in a function of the author's that cannot be compiled."""
    if function.__module__.startswith("kibitz.") and not function.__module__.startswith("kibitz.games."):
        return
    found = [refusal for check in _CHECKS for refusal in check(tree, function)]
    for node, problem in sorted(found, key=lambda each: getattr(each[0], "lineno", 0)):
        raise RulesError(f"{place_of(function, node)}: {function.__name__}() {problem}")


def _functions_inside(tree: ast.FunctionDef, function: types.FunctionType) -> Iterator[Refusal]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Lambda) or (isinstance(node, ast.FunctionDef) and node is not tree):
            what = f"the function {node.name}()" if isinstance(node, ast.FunctionDef) else "a lambda"
            yield node, f"makes {what} inside itself, expected a function at the top level of the file"


def _generator_expressions(tree: ast.FunctionDef, function: types.FunctionType) -> Iterator[Refusal]:
    for node in ast.walk(tree):
        if isinstance(node, ast.GeneratorExp):
            called = next((ast.unparse(call.func) for call in _calls(tree) if node in call.args), "")
            what = f"{called}(... for ...)" if called else "(... for ...)"
            yield (
                node,
                f"uses {what}, which cannot be compiled, expected a loop: `for ...:` with an `if` and a `return`",
            )


def _changes_of_the_file(tree: ast.FunctionDef, function: types.FunctionType) -> Iterator[Refusal]:
    bound = _bound_names(tree)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            word = "global" if isinstance(node, ast.Global) else "nonlocal"
            yield node, f"says `{word} {node.names[0]}`, but rules change nothing, expected a field of State"
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, (ast.Store, ast.Del)):
            name = _head(node)
            if name and name not in bound and isinstance(function.__globals__.get(name), np.ndarray):
                yield node, f"writes to '{name}', an array of the file, expected a copy made in here, or one in State"


def _classes(tree: ast.FunctionDef, function: types.FunctionType) -> Iterator[Refusal]:
    bound = _bound_names(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in bound:
            value = function.__globals__.get(node.id)
            if isinstance(value, type) and not _is_compilable(value):
                yield node, f"uses the class '{node.id}', expected a NamedTuple of numbers, and plain functions"


def _is_compilable(kind: type) -> bool:
    known = (np.generic, np.ndarray, BaseException)
    return issubclass(kind, known) or hasattr(kind, "_fields") or getattr(builtins, kind.__name__, None) is kind


def _debuggers(tree: ast.FunctionDef, function: types.FunctionType) -> Iterator[Refusal]:
    for call in _calls(tree):
        name = ast.unparse(call.func)
        if name in ("breakpoint", "input", "pdb.set_trace"):
            yield call, f"calls {name}(), which compiled rules cannot, expected `kibitz --interpret` before the command"


def _head(node: ast.AST) -> str:
    """The name at the left end of `name[...][...]`."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _calls(tree: ast.FunctionDef) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def _bound_names(tree: ast.FunctionDef) -> set[str]:
    """Parameters and what is assigned to."""
    found = {argument.arg for argument in [*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs]}
    stored = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    return found | {node.id for node in stored}


_CHECKS: tuple[Callable[[ast.FunctionDef, types.FunctionType], Iterator[Refusal]], ...] = (
    _functions_inside,
    _generator_expressions,
    _changes_of_the_file,
    _classes,
    _debuggers,
)


def refuse_missing_return(rule: types.FunctionType, tree: ast.FunctionDef, expected: str) -> None:
    """A rule that may end without a value is no rule."""
    missing = find_missing_return(tree)
    if missing is not None:
        raise RulesError(f"{place_of(rule, missing)}: {rule.__name__}() may end without a return, expected {expected}")


def refuse_tuple(rule: types.FunctionType, tree: ast.FunctionDef, kind: type) -> None:
    """A new state is made by its class."""
    for node in returns_of(tree):
        if isinstance(node.value, ast.Tuple):
            shown = f"{kind.__name__}{ast.unparse(node.value)}"
            raise RulesError(f"{place_of(rule, node)}: {rule.__name__}() returns a plain tuple, expected {shown[:80]}")


def refuse_length(rule: types.FunctionType, tree: ast.FunctionDef, names: tuple[str, ...]) -> None:
    """A heuristic has a weight for each feature that it counts."""
    for node in returns_of(tree):
        if not isinstance(node.value, ast.Tuple) or any(isinstance(each, ast.Starred) for each in node.value.elts):
            continue
        if len(node.value.elts) != len(names):
            raise RulesError(
                f"{place_of(rule, node)}: {rule.__name__}() returns {len(node.value.elts)} features, but there are"
                f" {len(names)} weights ({', '.join(names)}), expected as many"
            )


def expected_of(returns: Any) -> str:
    """What a rule returns, for messages."""
    return {int: "a whole number", bool: "True or False", float: "a number"}.get(returns, "a value")
