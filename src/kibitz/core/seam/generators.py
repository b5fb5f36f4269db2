"""Turn a generator into a function that fills a buffer: a compiled generator would never free its arrays."""

import ast
from collections.abc import Callable
from typing import Literal

Form = Literal["plain", "fill", "odds", "count"]  # how a function is rewritten

# The parameters that a rewritten generator takes behind its own.
BUFFERS: dict[Form, tuple[str, ...]] = {
    "plain": (),
    "fill": ("_out", "_at"),
    "odds": ("_odds", "_out", "_at"),
    "count": (),
}

_ROOM = "if _at >= _out.size:\n    raise TooManyMoves"
# An index without a sign: one with a sign may count from the end, and asking that costs a tenth of the time.
_WRITE: dict[Form, str] = {
    "fill": f"{_ROOM}\n_out[_place(_at)] = VALUE\n_at += 1",
    "odds": f"{_ROOM}\n_odds[_place(_at)], _out[_place(_at)] = VALUE\n_at += 1",
    "count": "_at += 1",
}


def is_generator(function: ast.FunctionDef) -> bool:
    """Does the function yield?"""
    return any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in ast.walk(function))


def rewrite_generator(
    function: ast.FunctionDef, form: Form, refuse: Callable[[ast.AST, str], Exception]
) -> ast.FunctionDef:
    """The generator as a function that returns the index behind the last value it wrote, or how many there are."""
    body: ast.FunctionDef = _Yields(form, refuse).visit(function)
    body.args.args += [ast.arg(name) for name in BUFFERS[form]]
    if form == "count":
        body.body.insert(0, ast.parse("_at = 0").body[0])
    body.body.append(ast.Return(ast.Name("_at", ast.Load())))
    return ast.fix_missing_locations(body)


class _Yields(ast.NodeTransformer):
    def __init__(self, form: Form, refuse: Callable[[ast.AST, str], Exception]) -> None:
        self.form = form
        self.refuse = refuse

    def visit_Expr(self, node: ast.Expr) -> ast.AST | list[ast.stmt]:
        if isinstance(node.value, ast.Yield):
            if node.value.value is None:
                raise self.refuse(node, "yields nothing, expected a move")
            value = node.value.value
            statements = [_Insert(value).visit(part) for part in ast.parse(_WRITE[self.form]).body]
        elif isinstance(node.value, ast.YieldFrom):
            statements = [self._delegate(node.value)]
        else:
            return node
        return [_copy_lines(part, node) for part in statements]

    def _delegate(self, node: ast.YieldFrom) -> ast.stmt:
        call = node.value
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):
            raise self.refuse(node, "yields from something that is not a call of a function of the rules file")
        call.func.id = f"{call.func.id}__{self.form}"
        call.args += [ast.Name(name, ast.Load()) for name in BUFFERS[self.form]]
        target = ast.Name("_at", ast.Store())
        if self.form == "count":
            return ast.AugAssign(target, ast.Add(), call)
        return ast.Assign([target], call)

    def visit_Yield(self, node: ast.Yield) -> ast.AST:
        raise self.refuse(node, "uses the value of a yield, expected a plain `yield move`")

    def visit_Return(self, node: ast.Return) -> ast.AST:
        if node.value is not None:
            raise self.refuse(node, "returns a value from a generator")
        return _copy_lines(ast.Return(ast.Name("_at", ast.Load())), node)


class _Insert(ast.NodeTransformer):
    """Put the yielded expression where the template says VALUE."""

    def __init__(self, value: ast.expr) -> None:
        self.value = value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.value if node.id == "VALUE" else node


def _copy_lines(statement: ast.stmt, like: ast.AST) -> ast.stmt:
    """The statement with the author's line in every node that came from a template."""
    for node in ast.walk(statement):
        if isinstance(node, (ast.stmt, ast.expr)):
            ast.copy_location(node, like)
    return statement
