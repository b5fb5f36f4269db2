"""Forced wins of known length are found by the whole engine, with their exact distance."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from kibitz import games, heuristics
from kibitz.core.limit import Limit
from kibitz.core.seam import interpreting
from kibitz.search.engine import Engine
from kibitz.search.textbook import alphabeta
from kibitz.tables.probe_table import find_probe_table

AFFORDABLE = 500_000  # nodes of an exhaustive search

pytestmark = pytest.mark.skipif(interpreting(), reason="whole searches need the compiler")


class Case(NamedTuple):
    game: str
    position: str
    turns: int
    keys: frozenset[str]

    def __str__(self) -> str:
        return f"{self.game} {self.position}"


def _case(line: str) -> Case:
    game, position, turns, keys = (part.strip() for part in line.split("|"))
    return Case(game, position, int(turns), frozenset(keys.split()))


LINES = (Path(__file__).parent / "tactics.txt").read_text().splitlines()
CASES = [_case(line) for line in LINES if not line.startswith("#")]


@cache
def engine(text: str) -> Engine:
    game = games.load(text)
    return Engine(game, heuristics.find(game.rulebook), perfect=find_probe_table(game), megabytes=16)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_engine_finds_the_win_with_its_distance(case: Case) -> None:
    searching = engine(case.game)
    searching.forget()
    here = searching.game.position(case.position)
    report = searching.search(here, Limit(nodes=3_000_000))
    assert report.score is not None
    if report.score.proven:
        assert report.score.win_in == case.turns, report.lines[0].text
    else:  # a heuristic that leaves turns out proves nothing beyond this turn, however sure it is
        assert case.game.startswith("vampires")
        assert abs(case.turns) > 1
        assert report.score.value > searching.reach
    if case.keys:
        assert here.game.move_text(here.state, report.moves[0]) in case.keys


@pytest.mark.parametrize("case", CASES, ids=str)
def test_an_exhaustive_search_agrees(case: Case) -> None:
    here = games.load(case.game).position(case.position)
    report = alphabeta(here, abs(case.turns), limit=Limit(nodes=AFFORDABLE))
    if report.remarks:
        pytest.skip(f"more than {AFFORDABLE} nodes")
    assert report.score is not None
    assert report.score.win_in == case.turns
