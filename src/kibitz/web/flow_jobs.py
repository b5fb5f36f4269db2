"""Flow puzzles for visitors: what a request asks of the puzzle room, and the answer as plain data.

A request was checked before it came here (see `flow_requests`).
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import islice, pairwise
from typing import Any

from kibitz.core.errors import KibitzError
from kibitz.core.limit import Limit
from kibitz.puzzles import flow
from kibitz.puzzles.flow.published import PUBLISHED, Path

Facts = dict[str, Any]


def parse(given: Facts) -> Facts:
    """A board as data to draw."""
    return board_facts(flow.read(given["board"]))


def board_facts(board: flow.Board) -> Facts:
    """Everything there is to draw of a board."""
    graph, plan = board.graph, board.graph.plan
    nodes = [
        {
            "row": node.row,
            "column": node.column,
            "x": node.x,
            "y": node.y,
            "layer": node.layer,
            "name": node.name,
            "source": board.letter_at.get(index, ""),
        }
        for index, node in enumerate(graph.nodes)
    ]
    return {
        "text": str(board),
        "size": board.size,
        "rows": plan.rows if plan else 0,
        "columns": plan.columns if plan else 0,
        "hexagonal": bool(plan and plan.hexagonal),
        "wrap": plan.wrap if plan else "none",
        "fill": board.fill,
        "touch": board.touch,
        "letters": list(board.letters),
        "nodes": nodes,
        "edges": [list(edge) for edge in graph.edges],
        "holes": [list(place) for place in sorted(plan.holes)] if plan else [],
        "walls": [[list(one), list(other)] for one, other in sorted(plan.walls)] if plan else [],
        "bridges": [list(place) for place in sorted(plan.bridges)] if plan else [],
    }


def solve(given: Facts) -> Facts:
    """A solution, and whether it is the only one."""
    board = flow.read(given["board"])
    answer = flow.solve(board, given["solver"], Limit(seconds=given["seconds"]))
    search = answer.search
    if search.found and search.name in ("sweep", "sat"):
        next(search, None)
    return _search_facts(search, answer.solution, answer.note) | {
        "found": search.found,
        "unique": search.finished and search.found == 1,
    }


def _search_facts(search: flow.Search, solution: flow.Solution | None, note: str) -> Facts:
    return {
        "status": search.status,
        "paths": {letter: list(path) for letter, path in solution.paths.items()} if solution else {},
        "filling": str(solution) if solution else "",
        "solver": search.name,
        "nodes": search.nodes,
        "assignments": search.assignments,
        "seconds": round(search.seconds, 6),
        "note": note or search.reason,
    }


def hint(given: Facts) -> Facts:
    """The next steps from what is drawn, each with its reason; those found until the time is over."""
    board = flow.read(given["board"])
    drawn = _edges(board, given["drawn"])
    steps = islice(_until_time_is_over(flow.hints(board, Limit(seconds=given["seconds"]), drawn)), given["steps"])
    return {"hints": [_hint_facts(step) for step in steps]}


def _until_time_is_over(steps: Iterator[flow.Hint]) -> Iterator[flow.Hint]:
    """The steps; where one takes too long those before it are enough, if there are any."""
    yield from islice(steps, 1)
    with suppress(KibitzError):
        yield from steps


def _hint_facts(step: flow.Hint) -> Facts:
    return {
        "edge": list(step.edge),
        "joined": step.joined,
        "kind": step.kind,
        "title": step.title,
        "text": step.text,
        "node": step.node,
    }


def _edges(board: flow.Board, drawn: dict[str, list[int]]) -> list[tuple[int, int]]:
    """The steps of a drawing, path by path."""
    known, found = set(board.graph.edges), []
    for letter, path in drawn.items():
        for one, other in pairwise(path):
            edge = min(one, other), max(one, other)
            if letter not in board.sources or edge not in known:
                raise flow.BadPuzzle(f"the drawing of {letter[:10]!r} goes from node {one} to {other}, no step here")
            found.append(edge)
    return list(dict.fromkeys(found))


def generate(given: Facts) -> Facts:
    """A board to order."""
    plan = flow.topology(
        given["rows"],
        given["columns"],
        hexagonal=given["shape"] == "hexagon",
        wrap=given["wrap"],
        holes=given["holes"],
        walls=given["walls"],
        bridges=given["bridges"],
        seed=given["seed"],
    )
    order = flow.Order(plan, given["colours"], given["difficulty"])
    return board_facts(flow.generate(order, given["seed"], Limit(seconds=given["seconds"])))


def judge(given: Facts) -> Facts:
    """Everything that is wrong with a filling."""
    board = flow.read(given["board"])
    filling = given["filling"]
    cells = flow.read_filling(board, filling) if isinstance(filling, str) else filling
    found = flow.faults(board, cells)
    return {"correct": not found, "faults": found}


def rate(given: Facts) -> Facts:
    """How hard a board is."""
    rating = flow.rate(flow.read(given["board"]), Limit(seconds=given["seconds"]))
    return {"score": rating.score, "difficulty": rating.difficulty, "kinds": dict(rating.kinds)}


def watch(given: Facts) -> Facts:
    """What a solver did on the board: paths put down and taken back, or a sweep from cell to cell."""
    board = flow.read(given["board"])
    limit, most, name = Limit(seconds=given["seconds"]), given["most"], given["solver"]
    if name == "sweep":
        walk = flow.walked(board, most, limit)
        frames = [["sweep", moment.kept, moment.decided, moment.alive] for moment in walk.moments]
        return _search_facts(walk.search, walk.solution, "") | {"frames": frames, "order": walk.order, "cut": False}
    diary: list[list[Any]] = []
    kind = next((kind for kind in PUBLISHED if kind.name == name), None)
    search = _watched(kind, diary, most)(board, limit) if kind else flow.search(board, name, limit)
    solution = next(search, None)
    if kind is None and solution is not None:
        diary += [["put", letter, list(path)] for letter, path in solution.paths.items()]
    return _search_facts(search, solution, "") | {"frames": diary[:most], "cut": len(diary) > most}


def _watched(kind: Any, frames: list[list[Any]], most: int) -> Any:
    """The solver, keeping a diary of at most so many lines and one more."""

    class Watched(kind):  # type: ignore[misc]
        def tried(self, colour: int, path: Path, rest: Sequence[int]) -> Iterator[flow.Solution]:
            letter = self.board.letters[colour]
            self._note(["put", letter, list(path)])
            yield from super().tried(colour, path, rest)
            self._note(["take", letter])

        def _note(self, line: list[Any]) -> None:
            if len(frames) <= most:
                frames.append(line)

    return Watched


VERBS: dict[str, Callable[[Facts], Facts]] = {
    "parse": parse,
    "solve": solve,
    "hint": hint,
    "generate": generate,
    "judge": judge,
    "rate": rate,
    "watch": watch,
}
