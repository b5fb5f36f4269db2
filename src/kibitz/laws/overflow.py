"""Numbers beyond 64 bits, which compiled rules wrap around: found by running copies of the rules that are watched."""

import ast
from pathlib import Path
from types import FunctionType
from typing import Any

from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.core.rulebook import Rule
from kibitz.core.source import read_source
from kibitz.laws.sample import list_moves, run

LOWEST, HIGHEST = -(2**63), 2**63 - 1


class _Beyond(Exception):
    """A number that compiled rules cannot hold, with its line and what was worked out there."""


def find_overflow(position: Position) -> str | None:
    """The place in the rules where a number leaves 64 bits, here or after one of the moves, if there is one."""
    game, state = position.game, position.state
    copies = _watched_copies(game.rulebook.play)
    try:
        for name in ("turn", "result"):
            _ask(game, copies, name, state)
        for move in list_moves(position):
            after = _ask(game, copies, "play", state, move)
            _ask(game, copies, "result", after)
    except _Beyond as found:
        line, text, value = found.args
        file = Path(game.rulebook.play.__code__.co_filename).name
        return f"{file}:{line}: {text} is {value}, beyond 64 bits, where compiled numbers wrap around"
    except Exception:  # noqa: BLE001 - another law says what else is wrong
        return None
    return None


def _ask(game: Game, copies: dict[str, Any], name: str, *given: Any) -> Any:
    rule = getattr(game.rulebook, name)
    found = run(game, copies.get(rule.__name__, rule), *given)
    return list(found) if name == "moves" else found


def _watched_copies(rule: Rule) -> dict[str, Any]:
    """The functions of a rules file, each operation watched."""
    if not isinstance(rule, FunctionType):
        return {}
    space = dict(rule.__globals__, _watch=_watch)
    try:
        tree = ast.parse(read_source(rule))
    except SyntaxError:
        return {}
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    watched = ast.fix_missing_locations(_Watching().visit(ast.Module(functions, [])))  # type: ignore[arg-type]
    exec(compile(watched, rule.__code__.co_filename, "exec"), space)
    return {function.name: space[function.name] for function in functions}


class _Watching(ast.NodeTransformer):
    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        text = ast.unparse(node)
        self.generic_visit(node)
        watch = ast.Name("_watch", ast.Load())
        return ast.copy_location(ast.Call(watch, [node, ast.Constant(node.lineno), ast.Constant(text)], []), node)


def _watch(value: Any, line: int, text: str) -> Any:
    if isinstance(value, int) and not LOWEST <= value <= HIGHEST:
        raise _Beyond(line, text, value)
    return value
