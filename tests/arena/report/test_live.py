"""The live table, as a terminal shows it."""

import io

from rich.console import Console

from kibitz.arena.contest.runner import Progress
from kibitz.arena.report.live import Pace, picture
from kibitz.arena.stats.scores import Scores
from tests.arena.samples import LOST, WON, contest, played


def shown(progress: Progress) -> list[str]:
    console = Console(file=io.StringIO(), width=80, force_terminal=True, color_system=None)
    console.print(picture(progress, Pace()))
    assert isinstance(console.file, io.StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def test_a_match_shows_how_far_it_is_a_bar_and_its_numbers_each_on_its_own_line() -> None:
    scores = Scores([played("a", "b", 0, WON), played("b", "a", 0, LOST)])
    head, bar, counts, *_ = shown(Progress(contest("a", "b", form="match"), 4, scores))
    assert head == "2 of 4 games, 2 won, 0 drawn, 0 lost"
    assert set(bar) <= set("━╸╺ ")
    assert counts == "games 2: 2 won, 0 drawn, 0 lost; score 100.0%"


def test_a_tournament_shows_its_leaderboard_under_the_bar() -> None:
    scores = Scores([played("a", "b", 0, WON), played("b", "a", 0, LOST)])
    head, bar, columns, first, *_ = shown(Progress(contest("a", "b"), 4, scores))
    assert head == "2 of 4 games"
    assert set(bar) <= set("━╸╺ ")
    assert columns.split()[:2] == ["#", "player"]
    assert first.split()[:2] == ["1", "a"]
