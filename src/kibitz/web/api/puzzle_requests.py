"""Requests about puzzles, checked before a worker sees them."""

from collections.abc import Callable

from kibitz.core.game import Game
from kibitz.puzzles.tactics.puzzle import Puzzle
from kibitz.web.api.facts import Facts
from kibitz.web.api.limits import whole
from kibitz.web.api.refusals import Refused

LONGEST_TURN = 2000  # characters of the moves of a turn
SECONDS = 1.5  # for a refutation

VERBS = ("show", "play", "why", "solution")
COMPILED = ("why",)  # verbs that search
SHOWN = ("goal", "turns", "margin", "choices", "level", "evidence", "origin")  # of a puzzle


def check(verb: str, given: Facts, find: Callable[[object, object], tuple[Game, Puzzle]]) -> tuple[Game, Facts]:
    """The game, and the request as a worker takes it: the puzzle, and what the visitor did."""
    if verb not in VERBS:
        raise Refused("unknown-type", f"no puzzle verb is called {verb[:40]!r}, expected {', '.join(VERBS)}")
    game, puzzle = find(given.get("game"), given.get("number"))
    done = whole(given.get("done", 0), "done", 0, len(puzzle.line) - 1)
    if done % 2:
        raise Refused("bad-message", f"done is {done}, expected an even number: the solver's turn")
    moves = given.get("moves", "")
    if not isinstance(moves, str) or len(moves) > LONGEST_TURN or len(moves.split()) > 1:
        raise Refused("bad-message", f"moves is no turn, expected at most {LONGEST_TURN} characters joined by +")
    facts: Facts = {
        "about": {name: getattr(puzzle, name) for name in SHOWN} | {"line": len(puzzle.line)},
        "position": puzzle.position,
        "line": list(puzzle.line),
        "done": done,
        "moves": moves,
        "seconds": SECONDS,
    }
    return game, facts
