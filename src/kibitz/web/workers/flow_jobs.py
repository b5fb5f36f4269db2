"""Flow puzzles for visitors: what a request asks of the puzzle room, and the answer as plain data.

A request was checked before it came here (see `flow_requests`).
"""

import datetime
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice, pairwise
from typing import Any

from kibitz.core.errors import KibitzError
from kibitz.core.limit import Limit
from kibitz.puzzles import flow
from kibitz.puzzles.flow.report_solvers import PUBLISHED

Facts = dict[str, Any]
PUBLISHED_NAMES = [solver.name for solver in PUBLISHED]


def parse(given: Facts) -> Facts:
    """A board as data to draw."""
    return flow.board_facts(flow.read(given["board"]))


def solve(given: Facts) -> Facts:
    """A solution, and whether it is the only one."""
    board = flow.read(given["board"])
    answer = flow.solve(board, given["solver"], Limit(seconds=given["seconds"]))
    search = answer.search
    if search.found and search.proves:
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
    return flow.board_facts(flow.generate(order, given["seed"], Limit(seconds=given["seconds"])))


def judge(given: Facts) -> Facts:
    """Everything that is wrong with a filling."""
    board = flow.read(given["board"])
    filling = given["filling"]
    cells = flow.read_filling(board, filling) if isinstance(filling, str) else filling
    found = flow.faults(board, cells)
    return {"correct": not found, "faults": found}


def rate(given: Facts) -> Facts:
    """How hard a board is; one without a solution, or that takes too long, has no class, and the note says why."""
    board = flow.read(given["board"])
    try:
        rating = flow.rate(board, Limit(seconds=given["seconds"]))
    except KibitzError as problem:
        return {"score": None, "difficulty": "", "kinds": {}, "note": str(problem)}
    return {"score": rating.score, "difficulty": rating.difficulty, "kinds": dict(rating.kinds), "note": ""}


def daily(given: Facts) -> Facts:
    """The board of a day."""
    day = datetime.date.fromisoformat(given["date"])
    return flow.board_facts(flow.daily(day, Limit(seconds=given["seconds"])))


def watch(given: Facts) -> Facts:
    """What a solver did on the board: every step of the report's solvers with its reason, or a sweep cell by cell."""
    board = flow.read(given["board"])
    limit, most, name = Limit(seconds=given["seconds"]), given["most"], given["solver"]
    if name in PUBLISHED_NAMES:
        trace = flow.trace(board, name, most, limit)
        steps = [{**step._asdict(), "text": flow.describe(board, step)} for step in trace.steps]
        counts = {"cut": trace.cut, "steps": trace.number, "deaths": dict(trace.deaths)}
        return _search_facts(trace.search, trace.solution, "") | counts | {"frames": steps}
    if name == "sweep":
        walk = flow.walked(board, most, limit)
        frames = [["sweep", moment.kept, moment.decided, moment.alive] for moment in walk.moments]
        return _search_facts(walk.search, walk.solution, "") | {"frames": frames, "order": walk.order, "cut": False}
    search = flow.search(board, name, limit)
    solution = next(search, None)
    paths = solution.paths.items() if solution else ()
    puts = [{"kind": "put", "letter": letter, "path": path, "text": f"'{letter}'"} for letter, path in paths]
    return _search_facts(search, solution, "") | {"frames": puts[:most], "cut": len(puts) > most}


VERBS: dict[str, Callable[[Facts], Facts]] = {
    "parse": parse,
    "solve": solve,
    "hint": hint,
    "generate": generate,
    "judge": judge,
    "rate": rate,
    "watch": watch,
    "daily": daily,
}
