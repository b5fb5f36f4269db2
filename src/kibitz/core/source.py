"""The source of a function: its syntax tree, and the places in it that messages name."""

import ast
import linecache
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from types import FunctionType
from typing import Any


@lru_cache(maxsize=256)
def _definitions(filename: str, source: str) -> dict[tuple[str, int], ast.FunctionDef]:
    """Every function of a file by its name and first line, decorators included."""
    found = (node for node in ast.walk(ast.parse(source, filename)) if isinstance(node, ast.FunctionDef))
    return {(node.name, min([node.lineno, *(each.lineno for each in node.decorator_list)])): node for node in found}


def read_source(function: FunctionType) -> str:
    """The text of the file that a function stands in; empty where it cannot be read."""
    return "".join(linecache.getlines(function.__code__.co_filename, function.__globals__))


def find_definition(function: FunctionType) -> ast.FunctionDef | None:
    """The function's syntax tree, shared by all who ask; None where its file has changed or cannot be read."""
    code = function.__code__
    try:
        return _definitions(code.co_filename, read_source(function)).get((function.__name__, code.co_firstlineno))
    except SyntaxError:
        return None


def place_of(function: Callable[..., Any], node: ast.AST | None = None) -> str:
    """The file and line of a node of a function, or of the function itself."""
    code = function.__code__
    line = getattr(node, "lineno", None) or code.co_firstlineno
    return f"{Path(code.co_filename).name}:{line}"


def returns_of(tree: ast.FunctionDef) -> Iterator[ast.Return]:
    """The return statements of a function, those of functions inside it left out."""
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.Return):
            yield node
        if not isinstance(node, (ast.FunctionDef, ast.Lambda, ast.ClassDef)):
            waiting = [*ast.iter_child_nodes(node), *waiting]


def find_missing_return(tree: ast.FunctionDef) -> ast.AST | None:
    """Where a function ends without a value: a bare `return`, or its last statement; None where it never does."""
    for node in returns_of(tree):
        if node.value is None or (isinstance(node.value, ast.Constant) and node.value.value is None):
            return node
    return None if _always_leaves(tree.body) else tree.body[-1]


def _always_leaves(body: list[ast.stmt]) -> bool:
    """Does a block always end in a return or an error?"""
    match body[-1]:
        case ast.Return() | ast.Raise():
            return True
        case ast.If(body=yes, orelse=no):
            return bool(no) and _always_leaves(yes) and _always_leaves(no)
        case ast.With(body=inner):
            return _always_leaves(inner)
        case ast.While(test=ast.Constant(value=value), body=inner):
            return bool(value) and not any(isinstance(node, ast.Break) for each in inner for node in ast.walk(each))
        case ast.Match(cases=cases):
            wild = isinstance(cases[-1].pattern, ast.MatchAs) and cases[-1].pattern.pattern is None
            return wild and all(_always_leaves(case.body) for case in cases)
        case ast.Try(body=inner, handlers=handlers):
            return _always_leaves(inner) and all(_always_leaves(handler.body) for handler in handlers)
    return False
