"""The laws as tests: a test that asks for `kibitz_law` is run once for each game of its mark and each law.

    @pytest.mark.kibitz("mygame.py")
    def test_my_game_obeys_the_law(kibitz_law):
        kibitz_law()

A rules file is looked for beside the test. The mark also takes `games` (how many random games are played), `positions`
(at how many of their positions each law looks), `seed`, and `heuristics=False` to leave the heuristics out.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import pytest

from kibitz.core.errors import KibitzError
from kibitz.games import load
from kibitz.laws import HEURISTIC_LAWS, LAWS, Sample
from kibitz.laws.runner import check_law


class Task(NamedTuple):
    """One law to check for one game."""

    game: str
    law: int  # its place among the laws
    games: int = 10
    positions: int | None = 500
    seed: int = 0
    heuristics: bool = True


EVERY_LAW = (*LAWS, *HEURISTIC_LAWS)


def pytest_configure(config: pytest.Config) -> None:
    """Make the mark known."""
    config.addinivalue_line(
        "markers",
        "kibitz(*games, games=10, positions=500, seed=0, heuristics=True): run a test of kibitz_law for each law",
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each game and law."""
    if "kibitz_law" not in metafunc.fixturenames:
        return
    marks = list(metafunc.definition.iter_markers("kibitz"))
    if not marks:
        raise pytest.UsageError(
            f"{metafunc.definition.nodeid} asks for kibitz_law, expected @pytest.mark.kibitz(game, ...)"
        )
    every = [Task(text, law, **mark.kwargs) for mark in marks for text in mark.args for law in range(len(EVERY_LAW))]
    tasks = [task for task in every if task.heuristics or task.law < len(LAWS)]
    names = [f"{task.game}-{EVERY_LAW[task.law].name}" for task in tasks]
    metafunc.parametrize("kibitz_law", tasks, ids=names, indirect=True)


@pytest.fixture
def kibitz_law(request: pytest.FixtureRequest) -> Callable[[], None]:
    """Call it to check the law: the test fails with a counterexample, and is skipped where the law does not apply."""
    task: Task = request.param
    return lambda: _check(task, request.path.parent)


def _check(task: Task, folder: Path) -> None:
    __tracebackhide__ = True
    try:
        found = check_law(
            EVERY_LAW[task.law], _sample(_locate(task.game, folder), task.games, task.seed, task.positions)
        )
    except KibitzError as error:
        pytest.fail(f"{task.game}: {error}", pytrace=False)
    if found.outcome == "skip":
        pytest.skip(found.note)
    if found.outcome == "FAIL":
        where = f"\n  in {found.where}" if found.where else ""
        pytest.fail(f"{task.game}: not true that {found.law}:\n  {found.note}{where}", pytrace=False)


def _locate(text: str, folder: Path) -> str:
    """The game's text with its rules file, if it has one, looked for beside the test."""
    file = re.match(r"(.+\.py)(?=$|[:,])", text)
    return str(folder / text) if file and (folder / file[1]).exists() else text


@lru_cache(maxsize=4)  # tests come game by game, and all laws look at the same positions
def _sample(text: str, games: int, seed: int, positions: int | None) -> Sample:
    return Sample(load(text), games, seed, positions)
