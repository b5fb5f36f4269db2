"""Openings out of stores: what was played after a line, how often, and how those games ended."""

from collections import Counter
from pathlib import Path

from kibitz.arena.contest.store import Store
from kibitz.arena.records.record import Record
from kibitz.core.errors import KibitzError
from kibitz.core.result import Result
from kibitz.web.api.facts import Facts

MOST_MOVES = 30  # that are listed, the most frequent


def explore(given: Facts) -> Facts:
    """The turns that were played after a line, the most frequent first; `results` are wins of the first side, draws and
    wins of the second.
    """
    line = given["line"].split()
    results: dict[str, Counter[Result | None]] = {}
    for record in _records(given["stores"], given["games"], given["start"]):
        turns = record.moves.split()
        if turns[: len(line)] == line and len(turns) > len(line):
            results.setdefault(turns[len(line)], Counter())[record.result] += 1
    rows = sorted(results.items(), key=lambda item: (-item[1].total(), item[0]))
    return {
        "games": sum(found.total() for found in results.values()),
        "moves": [
            {"text": text, "games": found.total(), "results": _results(found)} for text, found in rows[:MOST_MOVES]
        ],
    }


def _results(found: "Counter[Result | None]") -> list[int]:
    return [found[result] for result in (Result.FIRST_WINS, Result.DRAW, Result.SECOND_WINS)]


def _records(stores: list[str], games: list[str], start: str) -> list[Record]:
    """The games of these rules that began at this position, in every store that can be read."""
    found: list[Record] = []
    for store in stores:
        try:
            with Store(Path(store), create=False) as kept:
                for number, contest in kept.contests().items():
                    if contest.game in games:
                        found += [played.record for played in kept.games(number)]
        except KibitzError:
            continue
    return [record for record in found if record.start == start]
