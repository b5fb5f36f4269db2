"""Loops over generators, written out: those over `cells(...)` run over the bits of a number, others over a buffer."""

import ast
import inspect
from collections.abc import Mapping
from typing import Any

from kibitz.core import bits


def rewrite_loops(function: ast.FunctionDef, names: Mapping[str, Any]) -> ast.FunctionDef:
    """The function with each `for cell in cells(x)` and `yield from cells(x)` written out."""
    rewritten: ast.FunctionDef = _Loops(names).visit(function)
    return ast.fix_missing_locations(rewritten)


class _Loops(ast.NodeTransformer):
    def __init__(self, names: Mapping[str, Any]) -> None:
        self.names = names
        self.loops = 0

    def visit_Expr(self, node: ast.Expr) -> ast.AST | list[ast.stmt]:
        if isinstance(node.value, ast.YieldFrom) and self._members(node.value.value):
            cell = ast.Name("_cell", ast.Store())
            body = ast.Expr(ast.Yield(ast.Name("_cell", ast.Load())))
            return self._write_out(ast.For(cell, node.value.value, [body], []), node)
        return self.generic_visit(node)

    def visit_For(self, node: ast.For) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        if self._members(node.iter):
            return self._write_out(node, node)
        return self._write_buffer(node) if self._is_generator(node) else node

    def _is_generator(self, loop: ast.For) -> bool:
        """Is it a loop over the numbers that a generator of the author's yields?"""
        called = loop.iter.func if isinstance(loop.iter, ast.Call) else None
        known = isinstance(called, ast.Name) and inspect.isgeneratorfunction(self.names.get(called.id))
        return known and isinstance(loop.target, ast.Name)

    def _write_buffer(self, loop: ast.For) -> list[ast.stmt]:
        """Count what is yielded, write it to an array, and run over that: a compiled generator frees no arrays."""
        assert isinstance(loop.iter, ast.Call)
        number, self.loops = self.loops, self.loops + 1
        name = ast.unparse(loop.iter.func)
        text = (
            f"_most{number} = {name}__count(GIVEN)\n_kept{number} = _empty(_most{number}, _whole)\n"
            f"{name}__fill(GIVEN, _kept{number}, 0)\n"
            f"for _index{number} in range(_most{number}):\n"
            f"    {ast.unparse(loop.target)} = _kept{number}[_index{number}]"
        )
        statements = ast.parse(text).body
        for node in ast.walk(ast.Module(statements, [])):
            if isinstance(node, ast.Call) and node.args and getattr(node.args[0], "id", "") == "GIVEN":
                node.args[:1] = loop.iter.args
                node.keywords = loop.iter.keywords
            if isinstance(node, (ast.stmt, ast.expr)):
                ast.copy_location(node, loop)
        last = statements[-1]
        assert isinstance(last, ast.For)
        last.body += loop.body
        last.orelse = loop.orelse
        return statements

    def _members(self, value: ast.expr) -> ast.expr | None:
        """What `cells` is called with, if this is a call of it."""
        if not isinstance(value, ast.Call) or len(value.args) != 1:
            return None
        match value.func:
            case ast.Name(id=name):
                called = self.names.get(name)
            case ast.Attribute(value=ast.Name(id=module), attr=name):
                called = getattr(self.names.get(module), name, None)
            case _:
                called = None
        return value.args[0] if called is bits.cells else None

    def _write_out(self, loop: ast.For, like: ast.AST) -> list[ast.stmt]:
        """A set that loses its lowest cell before the body, which may say `continue` or `break`."""
        left, self.loops = f"_left{self.loops}", self.loops + 1
        # The sum is one less, and of the same type, whether the number has a sign or not.
        less = f"{left} & ({left} + ~({left} ^ {left}))"
        start, steps = ast.parse(f"{left} = 0\nwhile {left}:\n    CELL = _lowest({left})\n    {left} = {less}").body
        assert isinstance(start, ast.Assign)
        assert isinstance(steps, ast.While)
        assert isinstance(loop.iter, ast.Call)
        assert isinstance(steps.body[0], ast.Assign)
        start.value = loop.iter.args[0]
        steps.body[0].targets = [loop.target]
        for node in (start, steps, *steps.body, *ast.walk(steps.test), *ast.walk(steps.body[1])):
            if isinstance(node, (ast.stmt, ast.expr)):
                ast.copy_location(node, like)
        steps.body += loop.body
        steps.orelse = loop.orelse
        return [start, steps]
