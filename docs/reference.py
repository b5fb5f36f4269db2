"""Reference pages made from the code: signatures, docstrings, and the comments behind fields."""

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator
from dataclasses import is_dataclass
from typing import Any

import kibitz
from kibitz import agents, games, heuristics
from kibitz.core.options import shown
from kibitz.core.rulebook import SIGNATURES
from kibitz.search.report import Line, Report, Score

RULES = (kibitz.Rulebook, kibitz.Symmetry, kibitz.Heuristic)
BOARDS = (
    kibitz.grid, kibitz.hexagons, kibitz.hexagon, kibitz.points, kibitz.Board, kibitz.Beside, kibitz.Piece, kibitz.Cell,
    kibitz.Layout, kibitz.Gesture, kibitz.cells, kibitz.bits.step, kibitz.bits.has_run, kibitz.bits.one,
    kibitz.bits.count, kibitz.bits.lowest,
)  # fmt: skip
PLAY = (
    games.load, games.position, kibitz.Game, kibitz.Position, kibitz.best_move, kibitz.Limit, Report, Line, Score,
    kibitz.Engine, kibitz.perft, agents.agent, heuristics.find,
)  # fmt: skip


def pages() -> dict[str, str]:
    """Every page by its path."""
    return {
        "reference/rules.md": _page("Rulebook and heuristic", RULES, _slots()),
        "reference/boards.md": _page("Boards, every name", BOARDS),
        "reference/play.md": _page("Positions, limits, reports", PLAY),
        "reference/agents.md": _agents(),
    }


def _page(title: str, things: tuple[Any, ...], more: str = "") -> str:
    return f"# {title}\n\n{more}" + "\n".join(_described(thing) for thing in things)


def _slots() -> str:
    """Which functions a rules file may have, each with its parameters and what it returns."""
    comments = _comments(kibitz.Rulebook)
    rows = [f"| `{name}({', '.join(SIGNATURES[name])})` | {_cell(comments.get(name, ''))} |" for name in SIGNATURES]
    said = "Rules are functions of these names; each may take `rules` as a last parameter."
    return f"{said}\n\n| rule | what it gives |\n|---|---|\n" + "\n".join(rows) + "\n\n"


def _described(thing: Any) -> str:
    if not inspect.isclass(thing):
        return f"## `{thing.__name__}`\n\n{_function(thing)}"
    members = "\n".join(f"### `{thing.__name__}.{name}`\n\n{_member(member)}" for name, member in _members(thing))
    return f"## `{thing.__name__}`\n\n{_text(thing)}\n\n{_fields(thing)}\n{members}"


def _members(kind: type) -> Iterator[tuple[str, Any]]:
    for name, member in vars(kind).items():
        if not name.startswith("_") and inspect.getdoc(getattr(kind, name, None)) and _is_own(member):
            yield name, member


def _is_own(member: Any) -> bool:
    return (
        inspect.isfunction(member)
        or isinstance(member, (property, classmethod, staticmethod))
        or hasattr(member, "func")
    )


def _member(member: Any) -> str:
    function = getattr(member, "__func__", None) or (member if inspect.isfunction(member) else None)
    return _function(function) if function else f"{_text(member)}\n"


def _function(function: Any) -> str:
    text = re.sub(r"\b(kibitz|numpy|collections|typing)(\.\w+)*\.(?=[A-Z])", "", str(inspect.signature(function)))
    text = re.sub(r"<function (\w+) at 0x\w+>", r"\1", text)
    return f"```text\n{function.__name__}{text}\n```\n\n{_text(function)}\n"


def _text(thing: Any) -> str:
    """The docstring; its examples as code."""
    text = inspect.getdoc(thing) or ""
    return re.sub(r"((?:^>>> .*\n?(?:^(?!>>>).+\n?)*)+)", r"```pycon\n\1\n```", text, flags=re.MULTILINE)


def _fields(kind: type) -> str:
    names = kind._fields if hasattr(kind, "_fields") else list(kind.__dataclass_fields__) if is_dataclass(kind) else []
    if not names:
        return ""
    comments, hints = _comments(kind), inspect.get_annotations(kind)
    rows = [f"| `{name}` | `{_cell(_hint(hints.get(name)))}` | {_cell(comments.get(name, ''))} |" for name in names]
    return "| field | type | meaning |\n|---|---|---|\n" + "\n".join(rows) + "\n"


def _hint(hint: Any) -> str:
    text = (
        hint if isinstance(hint, str) else getattr(hint, "__name__", str(hint)) if inspect.isclass(hint) else str(hint)
    )
    return re.sub(r"\b(kibitz|numpy|collections|typing|types)(\.\w+)*\.", "", text)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _comments(kind: type) -> dict[str, str]:
    """The comment behind each field of a class."""
    lines = inspect.getsource(kind).splitlines()
    declared = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0]
    assert isinstance(declared, ast.ClassDef)
    named = [node for node in declared.body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)]
    found = {node.target.id: lines[(node.end_lineno or 1) - 1].partition("  # ")[2] for node in named}  # type: ignore[union-attr]
    return {name: comment.partition("noqa")[0].strip() for name, comment in found.items()}


def _agents() -> str:
    rows = [
        f"| `{kind.name}` | {_cell(kind.summary)} | {_options(kind)} | {', '.join(kind.games) or 'all'} |"
        for kind in agents.kinds().values()
    ]
    head = "An agent is a text, `name[:key=value,...]`. `kibitz agents [GAME]` lists them in the terminal.\n\n"
    return f"# Agents\n\n{head}| agent | what it is | options | games |\n|---|---|---|---|\n" + "\n".join(rows) + "\n"


def _options(kind: agents.AgentKind) -> str:
    return " ".join(f"`{key}={shown(value)}`" for key, value in kind.options()._asdict().items())
