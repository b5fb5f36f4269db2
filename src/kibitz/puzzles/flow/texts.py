"""Puzzles and fillings as text.

A puzzle is one row a line, or rows parted by `/` on one line: `_` or `.` an empty cell, a letter or digit a source, `#`
a hole, `+` a bridge. Walls, hexagons, wrapping round and rule flags need the JSON form, whose `rows` are the same text.
A filling is the same grid with a letter on every filled cell; a bridge stays `+`, for its colours are those of the
cells beside it.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from kibitz.core.errors import did_you_mean, quoted
from kibitz.puzzles.flow.board import TOUCHES, BadPuzzle, Board, Touch
from kibitz.puzzles.flow.graph import Graph, Node, Place, Plan, Wrap

MOST = 100  # rows and columns
EMPTY, HOLE, BRIDGE = "_.", "#", "+"
_FORMAT, _VERSION = "kibitz-flow", 1
_KEYS = {"format", "version", "rows", "shape", "wrap", "walls", "fill", "touch", "nodes", "edges", "faces", "sources"}
_LARGEST_FILE = 1_000_000


def load(path: Path) -> Board:
    """The puzzle in a file."""
    return read(_file_text(path), str(path))


def load_filling(board: Board, path: Path) -> tuple[str, ...]:
    """The filling of a puzzle in a file."""
    return read_filling(board, _file_text(path), str(path))


def read(text: str, name: str = "board") -> Board:
    """The puzzle of a text, plain or JSON; mistakes are told as `name:row: what is wrong, what was expected`."""
    if text.lstrip().startswith("{"):
        return _from_json(text, name)
    rows = _rows(text, name)
    return _board(rows, _plan(rows, name), name)


def written(board: Board) -> str:
    """The text of a puzzle: plain where that says everything, else JSON."""
    plan = board.graph.plan
    plain = plan and not plan.hexagonal and plan.wrap == "none" and not plan.walls
    if plain and board.fill and board.touch == "strict":
        return "\n".join(_puzzle_rows(board))
    facts = (f" {json.dumps(key)}: {_json_value(value)}" for key, value in _facts(board).items())
    return "{\n" + ",\n".join(facts) + "\n}"


def read_filling(board: Board, text: str, name: str = "filling") -> tuple[str, ...]:
    """The letter of every node in a filled grid."""
    rows = _json_rows(text, name) if text.lstrip().startswith("{") else _rows(text, name)
    plan = board.graph.plan
    if plan is None:
        if len(rows) != 1 or len(rows[0]) != len(board.graph.nodes):
            raise BadPuzzle(f"{name}:1: expected one row with a letter for each of {len(board.graph.nodes)} nodes")
        return tuple("" if cell in EMPTY else cell for cell in rows[0])
    if (len(rows), len(rows[0])) != (plan.rows, plan.columns):
        raise BadPuzzle(f"{name}:1: {len(rows[0])}x{len(rows)} cells, expected {plan.columns}x{plan.rows}")
    for row, line in enumerate(rows):
        for column, cell in enumerate(line):
            wanted = HOLE if (row, column) in plan.holes else BRIDGE if (row, column) in plan.bridges else ""
            if wanted and cell != wanted:
                raise BadPuzzle(f"{name}:{row + 1}: column {column + 1} is {quoted(cell)}, expected '{wanted}'")
            if not wanted and cell in HOLE + BRIDGE:
                raise BadPuzzle(f"{name}:{row + 1}: column {column + 1} is '{cell}', expected a letter")
    return tuple(_cell(board.graph, rows, node) for node in board.graph.nodes)


def written_filling(board: Board, filling: Sequence[str]) -> str:
    """The filled grid."""
    plan = board.graph.plan
    if plan is None:
        return "".join(letter or "_" for letter in filling)
    return "\n".join(_grid(plan, {_place(node): filling[index] for index, node in enumerate(board.graph.nodes)}))


def _file_text(path: Path) -> str:
    if path.is_dir():
        raise BadPuzzle(f"{path}:1: is a folder, expected a file with a puzzle")
    try:
        data = path.read_bytes()[: _LARGEST_FILE + 1]
    except OSError as problem:
        raise BadPuzzle(f"{path}:1: cannot be read ({problem.strerror}), expected a file with a puzzle") from None
    if len(data) > _LARGEST_FILE:
        raise BadPuzzle(f"{path}:1: more than {_LARGEST_FILE} bytes, expected at most {MOST} rows of {MOST} cells")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        row = data[: problem.start].count(b"\n") + 1
        raise BadPuzzle(f"{path}:{row}: is not text, expected rows of '_' and letters") from None


def _rows(text: str, name: str) -> list[str]:
    """The rows of a grid, all of one length and of known characters."""
    rows = [line.rstrip("\r") for line in text.split("\n" if "\n" in text else "/")]
    while rows and not rows[-1].strip(" \t"):
        rows.pop()
    if not rows:
        raise BadPuzzle(f"{name}:1: is empty, expected rows of '_' and letters")
    for number, row in enumerate(rows, 1):
        unknown = next((cell for cell in row if not cell.isalnum() and cell not in EMPTY + HOLE + BRIDGE), None)
        if unknown is not None:
            raise BadPuzzle(f"{name}:{number}: {quoted(unknown)} is no cell, expected '_', a letter, '#' or '+'")
        if len(row) != len(rows[0]):
            raise BadPuzzle(f"{name}:{number}: row has {len(row)} cells, expected {len(rows[0])}")
        if len(row) > MOST or number > MOST:
            what = f"row has {len(row)} cells" if len(row) > MOST else "one row too many"
            raise BadPuzzle(f"{name}:{number}: {what}, expected at most {MOST} rows of at most {MOST} cells")
    return rows


def _plan(rows: Sequence[str], name: str, **edits: Any) -> Plan:
    marked: dict[str, frozenset[Place]] = {
        mark: frozenset((row, at) for row, line in enumerate(rows) for at, cell in enumerate(line) if cell == mark)
        for mark in (HOLE, BRIDGE)
    }
    plan = Plan(len(rows), len(rows[0]), holes=marked[HOLE], bridges=marked[BRIDGE], **edits)
    if plan.hexagonal and plan.bridges:
        row = min(plan.bridges)[0] + 1
        raise BadPuzzle(f"{name}:{row}: '+' on hexagons, expected bridges on squares only")
    return plan


def _board(rows: Sequence[str], plan: Plan, name: str, fill: bool = True, touch: Touch = "strict") -> Board:
    graph = plan.graph
    seen: dict[str, list[Place]] = {}
    for row, line in enumerate(rows):
        for column, cell in enumerate(line):
            if cell.isalnum():
                seen.setdefault(cell, []).append((row, column))
    _check_sources(seen, name)
    sources = {letter: _pair(graph, places) for letter, places in sorted(seen.items())}
    return Board(graph, sources, fill, touch)


def _check_sources(seen: Mapping[str, Sequence[Place]], name: str) -> None:
    if not seen:
        raise BadPuzzle(f"{name}:1: no sources, expected each colour's letter twice")
    for letter, places in seen.items():
        other = letter.swapcase()
        if other != letter and other in seen and len(seen) <= 27:  # one case is enough for 26 colours
            row = max(places[0], seen[other][0])[0] + 1
            both = " and ".join(f"'{case}'" for case in sorted((letter, other)))
            raise BadPuzzle(f"{name}:{row}: {both} are both used, expected a letter in one case")
        if len(places) != 2:
            row = places[-1 if len(places) < 2 else 2][0] + 1
            times = {1: "once", 3: "three times"}.get(len(places), f"{len(places)} times")
            raise BadPuzzle(f"{name}:{row}: letter '{letter}' stands {times}, expected twice")


def _pair(graph: Graph, places: Sequence[Place]) -> tuple[int, int]:
    return graph.places[places[0]][0], graph.places[places[1]][0]


def _place(node: Node) -> Place:
    return node.row, node.column


def _puzzle_rows(board: Board) -> list[str]:
    assert board.graph.plan is not None
    return _grid(board.graph.plan, {_place(board.graph.nodes[at]): letter for at, letter in board.letter_at.items()})


def _grid(plan: Plan, letters: Mapping[Place, str]) -> list[str]:
    def cell(place: Place) -> str:
        mark = HOLE if place in plan.holes else BRIDGE if place in plan.bridges else ""
        return mark or letters.get(place) or "_"

    return ["".join(cell((row, column)) for column in range(plan.columns)) for row in range(plan.rows)]


def _cell(graph: Graph, rows: Sequence[str], node: Node) -> str:
    """What a filled grid says of a node; a layer of a bridge is coloured where both its ends agree."""
    if not node.layer:
        held = rows[node.row][node.column]
        return "" if held in EMPTY else held
    step = (0, 1) if node.layer == "across" else (1, 0)
    ends = {_beyond(graph, rows, node, step), _beyond(graph, rows, node, (-step[0], -step[1]))}
    return ends.pop() if len(ends) == 1 else ""


def _beyond(graph: Graph, rows: Sequence[str], node: Node, step: Place) -> str:
    """The letter of the first cell in a direction that is no bridge."""
    plan = graph.plan
    assert plan is not None
    row, column = node.row, node.column
    for _ in range(max(plan.rows, plan.columns)):
        row, column = row + step[0], column + step[1]
        if plan.wrap in ("down", "both"):
            row %= plan.rows
        if plan.wrap in ("across", "both"):
            column %= plan.columns
        if (row, column) not in graph.places:
            return ""
        if (row, column) not in plan.bridges:
            held = rows[row][column]
            return "" if held in EMPTY else held
    return ""


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
        facts |= {"rows": _puzzle_rows(board)}
    return facts | {"fill": board.fill, "touch": board.touch}


def _json_value(value: Any) -> str:
    """JSON on one line; the rows of a board below each other."""
    if isinstance(value, list) and value and isinstance(value[0], str):
        return "[\n  " + ",\n  ".join(json.dumps(row, ensure_ascii=False) for row in value) + "\n ]"
    return json.dumps(value, ensure_ascii=False)


def _parsed(text: str, name: str) -> dict[str, Any]:
    try:
        facts = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as problem:
        row = getattr(problem, "lineno", 1)
        raise BadPuzzle(f"{name}:{row}: is no JSON ({getattr(problem, 'msg', 'nested too deep')})") from None
    given = facts.get("format", _FORMAT), facts.get("version", _VERSION)
    if given != (_FORMAT, _VERSION):
        told = quoted(f"{given[0]} {given[1]}")
        raise BadPuzzle(f"{name}:1: format and version are {told}, expected '{_FORMAT} {_VERSION}'")
    for key in facts:
        if key not in _KEYS:
            raise BadPuzzle(f"{name}:1: unknown key {quoted(key)}{did_you_mean(key, _KEYS)}")
    return dict(facts)


def _json_rows(text: str, name: str) -> list[str]:
    return _text_rows(_parsed(text, name), name)


def _text_rows(facts: Mapping[str, Any], name: str) -> list[str]:
    rows = facts.get("rows")
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise BadPuzzle(f"{name}:1: 'rows' is missing or no list of texts, expected the rows of the board")
    return _rows("\n".join(rows), f"{name}, rows")


def _from_json(text: str, name: str) -> Board:
    facts = _parsed(text, name)
    flags: dict[str, Any] = {
        "fill": _one_of(facts, "fill", (True, False), True, name),
        "touch": _one_of(facts, "touch", TOUCHES, "strict", name),
    }
    if "nodes" in facts:
        return _any_graph(facts, name, flags)
    rows = _text_rows(facts, name)
    walls = frozenset(_wall(pair, name, len(rows), len(rows[0])) for pair in _listed(facts, "walls", name))
    hexagonal = _one_of(facts, "shape", ("square", "hexagon"), "square", name) == "hexagon"
    wrap = _one_of(facts, "wrap", get_args(Wrap), "none", name)
    plan = _plan(rows, name, hexagonal=hexagonal, wrap=wrap, walls=walls)
    return _board(rows, plan, f"{name}, rows", **flags)


def _one_of(facts: Mapping[str, Any], key: str, known: Sequence[Any], default: Any, name: str) -> Any:
    value = facts.get(key, default)
    if not any(value is choice or (isinstance(value, str) and value == choice) for choice in known):
        choices = ", ".join(json.dumps(choice) for choice in known)
        raise BadPuzzle(f"{name}:1: '{key}' is {quoted(json.dumps(value))}, expected one of {choices}")
    return value


def _listed(facts: Mapping[str, Any], key: str, name: str) -> list[Any]:
    value = facts.get(key, [])
    if not isinstance(value, list):
        raise BadPuzzle(f"{name}:1: '{key}' is {quoted(json.dumps(value))}, expected a list")
    return value


def _wall(pair: Any, name: str, rows: int, columns: int) -> tuple[Place, Place]:
    try:
        one, other = ((int(row), int(column)) for row, column in pair)
    except (TypeError, ValueError):
        raise BadPuzzle(f"{name}:1: wall {quoted(json.dumps(pair))}, expected [[row, column], [row, column]]") from None
    for row, column in (one, other):
        if not (0 <= row < rows and 0 <= column < columns):
            told = f"wall {quoted(json.dumps(pair))} leaves the board"
            raise BadPuzzle(f"{name}:1: {told}, expected rows below {rows} and columns below {columns}")
    return min(one, other), max(one, other)


def _any_graph(facts: Mapping[str, Any], name: str, flags: Mapping[str, Any]) -> Board:
    """A board given node by node."""
    try:
        nodes = tuple(Node(at, 0, float(x), float(y)) for at, (x, y) in enumerate(facts["nodes"]))
        edges = tuple(sorted({(min(edge), max(edge)) for edge in map(_pair_of_ints, _listed(facts, "edges", name))}))
        faces = tuple(tuple(int(node) for node in face) for face in _listed(facts, "faces", name))
        sources = {str(letter): _pair_of_ints(pair) for letter, pair in dict(facts["sources"]).items()}
    except (KeyError, TypeError, ValueError):
        raise BadPuzzle(
            f"{name}:1: expected nodes [[x, y], ...], edges [[i, j], ...], sources {{letter: [i, j]}}"
        ) from None
    used = [node for group in (*edges, *faces, *sources.values()) for node in group]
    if any(not 0 <= node < len(nodes) for node in used) or any(one == other for one, other in edges):
        raise BadPuzzle(f"{name}:1: an edge, face or source leaves the graph, expected nodes 0 to {len(nodes) - 1}")
    ends = [node for pair in sources.values() for node in pair]
    if len(nodes) > MOST * MOST or not sources or len(set(ends)) != len(ends):
        raise BadPuzzle(f"{name}:1: expected at most {MOST * MOST} nodes and sources on different nodes")
    for face in faces:
        if any((min(pair), max(pair)) not in edges for pair in zip(face, face[1:] + face[:1], strict=True)):
            raise BadPuzzle(
                f"{name}:1: face {list(face)} has no edge between neighbours, expected nodes in order around"
            )
    near = [sum(node in edge for edge in edges) for node in range(len(nodes))]
    return Board(Graph(nodes, edges, faces, max(near, default=0)), sources, **flags)


def _pair_of_ints(pair: Any) -> tuple[int, int]:
    one, other = pair
    return int(one), int(other)
