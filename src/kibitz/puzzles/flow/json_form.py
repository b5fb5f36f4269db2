"""The JSON form of a puzzle: for topologies and rules that plain rows cannot say."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import Any, get_args

from kibitz.core.errors import did_you_mean, quoted
from kibitz.core.json_text import DECODER, BadJson
from kibitz.puzzles.flow.board import TOUCHES, BadPuzzle, Board
from kibitz.puzzles.flow.graph import GivenGraph, Node, Place, Wrap
from kibitz.puzzles.flow.grids import MOST, Rows, board_of, check_rows, plan_of, puzzle_rows

_FORMAT, _VERSION = "kibitz-flow", 1
_BLANK = re.compile(r"[\s,]*")
_KEYS = {"format", "version", "rows", "shape", "wrap", "walls", "fill", "touch", "nodes", "edges", "faces", "sources"}


def to_json(board: Board) -> str:
    """The JSON text of a puzzle."""
    facts = (f" {json.dumps(key)}: {_json_value(value)}" for key, value in _facts(board).items())
    return "{\n" + ",\n".join(facts) + "\n}"


def _facts(board: Board) -> dict[str, Any]:
    """The JSON form."""
    graph, plan = board.graph, board.graph.plan
    facts: dict[str, Any] = {"format": _FORMAT, "version": _VERSION}
    if plan is None:
        facts |= {
            "nodes": [[node.x, node.y] for node in graph.nodes],
            "edges": [list(edge) for edge in graph.edges],
            "faces": [list(face) for face in graph.faces],
            "sources": {letter: list(pair) for letter, pair in board.sources.items()},
        }
    else:
        facts |= {"shape": "hexagon" if plan.hexagonal else "square", "wrap": plan.wrap}
        facts |= {"walls": [[list(one), list(other)] for one, other in sorted(plan.walls)]}
        facts |= {"rows": puzzle_rows(board)}
    return facts | {"fill": board.fill, "touch": board.touch}


def _json_value(value: Any) -> str:
    """JSON on one line; the rows of a board below each other."""
    if isinstance(value, list) and value and isinstance(value[0], str):
        return "[\n  " + ",\n  ".join(json.dumps(row, ensure_ascii=False) for row in value) + "\n ]"
    return json.dumps(value, ensure_ascii=False)


def parse_values(text: str, name: str) -> Iterator[tuple[int, Any]]:
    """The JSON values of a text one after another, those of a list one by one, each with its line."""
    at, line = 0, 1
    while at < len(text):
        start = _BLANK.match(text, at)
        assert start is not None
        line += text.count("\n", at, start.end())
        at = start.end()
        if at == len(text):
            return
        try:
            value, end = DECODER.raw_decode(text, at)
        except (json.JSONDecodeError, RecursionError) as problem:
            row = getattr(problem, "lineno", line)
            raise BadPuzzle(f"{name}:{row}: is no JSON ({getattr(problem, 'msg', 'nested too deep')})") from None
        except BadJson as problem:
            raise BadPuzzle(f"{name}:{line}: is no JSON ({problem})") from None
        for one in value if isinstance(value, list) else [value]:
            yield line, one
        line += text.count("\n", at, end)
        at = end


def _check_keys(facts: Mapping[str, Any], name: str, line: int) -> None:
    given = facts.get("format", _FORMAT), facts.get("version", _VERSION)
    if given != (_FORMAT, _VERSION):
        said = quoted(f"{given[0]} {given[1]}")
        raise BadPuzzle(f"{name}:{line}: format and version are {said}, expected '{_FORMAT} {_VERSION}'")
    for key in facts:
        if key not in _KEYS:
            raise BadPuzzle(f"{name}:{line}: unknown key {quoted(key)}{did_you_mean(key, _KEYS)}")


def rows_in_json(facts: Mapping[str, Any], name: str, line: int) -> Rows:
    """The rows of a grid, checked."""
    rows = facts.get("rows")
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise BadPuzzle(f"{name}:{line}: 'rows' is missing or no list of texts, expected the rows of the board")
    grid = Rows(rows, f"{name}, rows", range(1, len(rows) + 1))
    check_rows(grid)
    return grid


def board_from_json(facts: Mapping[str, Any], name: str, line: int = 1) -> Board:
    """The board of a JSON object."""
    _check_keys(facts, name, line)
    name = f"{name}:{line}"
    flags: dict[str, Any] = {
        "fill": _one_of(facts, "fill", (True, False), True, name),
        "touch": _one_of(facts, "touch", TOUCHES, "strict", name),
    }
    if "nodes" in facts:
        return _any_graph(facts, name, flags)
    grid = rows_in_json(facts, name.rsplit(":", 1)[0], line)
    rows, columns = len(grid.rows), len(grid.rows[0])
    walls = frozenset(_wall(pair, name, rows, columns) for pair in _listed(facts, "walls", name))
    hexagonal = _one_of(facts, "shape", ("square", "hexagon"), "square", name) == "hexagon"
    wrap = _one_of(facts, "wrap", get_args(Wrap), "none", name)
    return board_of(grid, plan_of(grid, hexagonal=hexagonal, wrap=wrap, walls=walls), **flags)


def _one_of(facts: Mapping[str, Any], key: str, known: Sequence[Any], default: Any, name: str) -> Any:
    value = facts.get(key, default)
    if not any(value is choice or (isinstance(value, str) and value == choice) for choice in known):
        choices = ", ".join(json.dumps(choice) for choice in known)
        raise BadPuzzle(f"{name}: '{key}' is {quoted(json.dumps(value))}, expected one of {choices}")
    return value


def _listed(facts: Mapping[str, Any], key: str, name: str) -> list[Any]:
    value = facts.get(key, [])
    if not isinstance(value, list):
        raise BadPuzzle(f"{name}: '{key}' is {quoted(json.dumps(value))}, expected a list")
    return value


def _wall(pair: Any, name: str, rows: int, columns: int) -> tuple[Place, Place]:
    try:
        one, other = ((int(row), int(column)) for row, column in pair)
    except (TypeError, ValueError, OverflowError):
        raise BadPuzzle(f"{name}: wall {quoted(json.dumps(pair))}, expected [[row, column], [row, column]]") from None
    for row, column in (one, other):
        if not (0 <= row < rows and 0 <= column < columns):
            told = f"wall {quoted(json.dumps(pair))} leaves the board"
            raise BadPuzzle(f"{name}: {told}, expected rows below {rows} and columns below {columns}")
    return min(one, other), max(one, other)


def _any_graph(facts: Mapping[str, Any], name: str, flags: Mapping[str, Any]) -> Board:
    """A board given node by node."""
    try:
        nodes = tuple(Node(at, 0, float(x), float(y)) for at, (x, y) in enumerate(facts["nodes"]))
        edges = tuple(sorted({(min(edge), max(edge)) for edge in map(_pair_of_ints, _listed(facts, "edges", name))}))
        faces = tuple(tuple(int(node) for node in face) for face in _listed(facts, "faces", name))
        sources = {str(letter): _pair_of_ints(pair) for letter, pair in dict(facts["sources"]).items()}
    except (KeyError, TypeError, ValueError, OverflowError):
        raise BadPuzzle(
            f"{name}: expected nodes [[x, y], ...], edges [[i, j], ...], sources {{letter: [i, j]}}"
        ) from None
    used = [node for group in (*edges, *faces, *sources.values()) for node in group]
    if any(not 0 <= node < len(nodes) for node in used) or any(one == other for one, other in edges):
        raise BadPuzzle(f"{name}: an edge, face or source leaves the graph, expected nodes 0 to {len(nodes) - 1}")
    if not all(isfinite(node.x) and isfinite(node.y) for node in nodes):
        raise BadPuzzle(f"{name}: a node lies nowhere, expected numbers for x and y")
    if any(len(letter) != 1 or not letter.isalnum() for letter in sources):
        raise BadPuzzle(f"{name}: sources are {quoted(', '.join(sources))}, expected one letter or digit each")
    ends = [node for pair in sources.values() for node in pair]
    if len(nodes) > MOST * MOST or not sources or len(set(ends)) != len(ends):
        raise BadPuzzle(f"{name}: expected at most {MOST * MOST} nodes and sources on different nodes")
    known = set(edges)
    for face in faces:
        if any((min(pair), max(pair)) not in known for pair in zip(face, face[1:] + face[:1], strict=True)):
            raise BadPuzzle(f"{name}: face {list(face)} has no edge between neighbours, expected nodes in order around")
    near = Counter(node for edge in edges for node in edge)
    return Board(GivenGraph(nodes, edges, faces, max(near.values(), default=0)), sources, **flags)


def _pair_of_ints(pair: Any) -> tuple[int, int]:
    one, other = pair
    return int(one), int(other)
