"""Calls of NamedTuples, written out with every field: the compiler does not know their defaults."""

import ast
from collections.abc import Mapping
from typing import Any


def fill_defaults(function: ast.FunctionDef, names: Mapping[str, Any]) -> ast.FunctionDef:
    """The function with `State(a, b)` written as `State(a, b, 0)` where the class has a number as its last default."""
    filled: ast.FunctionDef = _Records(names).visit(function)
    return ast.fix_missing_locations(filled)


class _Records(ast.NodeTransformer):
    def __init__(self, names: Mapping[str, Any]) -> None:
        self.names = names

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        kind = self.names.get(node.func.id) if isinstance(node.func, ast.Name) else None
        defaults: dict[str, Any] = getattr(kind, "_field_defaults", {})
        starred = any(isinstance(value, ast.Starred) for value in node.args) or None in [
            word.arg for word in node.keywords
        ]
        if not isinstance(kind, type) or not defaults or starred:
            return node
        given = {word.arg: word.value for word in node.keywords}
        values = list(node.args)
        for name in kind._fields[len(values) :]:  # type: ignore[attr-defined]
            default = defaults.get(name)
            if name in given:
                values.append(given.pop(name))
            elif isinstance(default, (bool, int, float)):
                values.append(ast.copy_location(ast.Constant(default), node))
            else:
                return node
        node.args = values
        node.keywords = [word for word in node.keywords if word.arg in given]
        return node
