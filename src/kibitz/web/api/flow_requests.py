"""Requests about Flow puzzles, checked before a worker sees them."""

import datetime
import re
from collections.abc import Callable
from typing import Any, get_args

from kibitz.puzzles import flow
from kibitz.web.api.limits import number, whole
from kibitz.web.api.refusals import Refused

Facts = dict[str, Any]
LARGEST_BOARD = 100_000  # characters; the puzzle's own reader bounds rows and columns
MOST_FRAMES = 5000
LARGEST_SIDE = 40
MOST_SECONDS = 30.0
USUAL_SECONDS = 10.0
COMPILED = ("solve", "hint", "generate", "rate", "watch", "daily")  # verbs that run compiled code


def check(verb: str, given: Facts) -> Facts:
    """The request with every field of the right kind."""
    if verb not in CHECKS:
        raise Refused("unknown-type", f"no flow verb is called {verb[:40]!r}, expected {', '.join(CHECKS)}")
    return CHECKS[verb](given)


def _board(given: Facts) -> Facts:
    text = given.get("board")
    if not isinstance(text, str) or len(text) > LARGEST_BOARD:
        raise Refused("bad-puzzle", f"board is missing, expected a text of at most {LARGEST_BOARD} characters")
    return {"board": text}


def _seconds(given: Facts) -> Facts:
    return {"seconds": number(given.get("seconds", USUAL_SECONDS), "seconds", 0.01, MOST_SECONDS)}


def _solver(given: Facts, default: str | None = None) -> Facts:
    name = given.get("solver", default)
    if name is not None and name not in list(flow.SOLVERS):
        raise Refused("bad-option", f"no solver is called {str(name)[:40]!r}, expected {', '.join(flow.SOLVERS)}")
    return {"solver": name}


def _one_of(given: Facts, key: str, known: tuple[str, ...], default: str | None) -> Facts:
    value = given.get(key, default)
    if value != default and value not in known:
        raise Refused("bad-option", f"{key} is {str(value)[:40]!r}, expected one of {', '.join(known)}")
    return {key: value}


def _count(given: Facts, key: str, low: int, high: int, default: int | None) -> Facts:
    value = given.get(key)
    return {key: default if value is None else whole(value, key, low, high)}


def _parse(given: Facts) -> Facts:
    return _board(given)


def _solve(given: Facts) -> Facts:
    return _board(given) | _solver(given) | _seconds(given)


def _hint(given: Facts) -> Facts:
    return _board(given) | _drawn(given) | _count(given, "steps", 1, 10_000, 1) | _seconds(given)


def _drawn(given: Facts) -> Facts:
    """Paths by their letters; whether the board has such nodes is seen when it is read."""
    drawn = given.get("drawn", {})
    paths = list(drawn.values()) if isinstance(drawn, dict) else [None]
    if not all(isinstance(path, list) and len(path) <= LARGEST_BOARD and _whole(path) for path in paths):
        raise Refused("bad-puzzle", "drawn is no drawing, expected a list of nodes for each letter")
    return {"drawn": drawn}


def _whole(path: list[Any]) -> bool:
    return all(type(node) is int for node in path)


def _generate(given: Facts) -> Facts:
    found = re.fullmatch(r"([0-9]{1,2})[xX]([0-9]{1,2})", str(given.get("size", "8x8")))
    if not found or not all(2 <= int(part) <= LARGEST_SIDE for part in found.groups()):
        raise Refused("bad-option", f"size is columns x rows, each from 2 to {LARGEST_SIDE}, as 8x8")
    return (
        {"columns": int(found[1]), "rows": int(found[2])}
        | _count(given, "colours", 1, 300, None)
        | _count(given, "seed", 0, 2**53, None)
        | _one_of(given, "difficulty", flow.DIFFICULTIES, None)
        | _one_of(given, "shape", ("square", "hexagon"), "square")
        | _one_of(given, "wrap", get_args(flow.Wrap), "none")
        | _count(given, "holes", 0, 1000, 0)
        | _count(given, "walls", 0, 1000, 0)
        | _count(given, "bridges", 0, 1000, 0)
        | _seconds(given)
    )


def _judge(given: Facts) -> Facts:
    filling = given.get("filling")
    listed = isinstance(filling, list) and all(isinstance(cell, str) and len(cell) <= 1 for cell in filling)
    if not listed and not isinstance(filling, str):
        raise Refused("bad-puzzle", "filling is missing, expected a text, or a list of letters")
    if filling is not None and len(filling) > LARGEST_BOARD:
        raise Refused("bad-puzzle", f"filling is too long, expected at most {LARGEST_BOARD} cells")
    return _board(given) | {"filling": filling}


def _rate(given: Facts) -> Facts:
    return _board(given) | _seconds(given)


def _watch(given: Facts) -> Facts:
    return _board(given) | _solver(given, "smart") | _count(given, "most", 1, MOST_FRAMES, 500) | _seconds(given)


def _daily(given: Facts) -> Facts:
    date = given.get("date")
    try:
        datetime.date.fromisoformat(date if isinstance(date, str) else "")
    except ValueError:
        raise Refused("bad-option", f"date is {str(date)[:40]!r}, expected a day as 2026-12-31") from None
    return {"date": date} | _seconds(given)


CHECKS: dict[str, Callable[[Facts], Facts]] = {
    "parse": _parse,
    "solve": _solve,
    "hint": _hint,
    "generate": _generate,
    "judge": _judge,
    "rate": _rate,
    "watch": _watch,
    "daily": _daily,
}
