"""Laws on positions that a shrinking search chooses, so that a counterexample is a short line of play."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.core import Game, Position
from kibitz.games import catalog
from kibitz.laws import LAWS, Law, NotApplicable
from kibitz.laws.sample import choices

CHECKED = (
    "a position is read as it was written",
    "playing a move leaves the old position alone",
    "interpreted and compiled rules agree",
)


def built_in() -> list[Game]:
    return [entry.rulebook() for entry in catalog.entries() if entry.rulebook is not None]


@st.composite
def positions(draw: st.DrawFn, game: Game) -> Position:
    """A position of the game: each number picks a move or an outcome, and fewer or smaller numbers are simpler."""
    position = game.new()
    for number in draw(st.lists(st.integers(0, 40), max_size=60)):
        if position.over:
            break
        ways = choices(position)
        position = position.play(ways[number % len(ways)])
    return position


@pytest.mark.parametrize("law", [law for law in LAWS if law.name in CHECKED], ids=str)
@pytest.mark.parametrize("game", built_in(), ids=str)
def test_the_law_holds_wherever_a_line_of_play_leads(game: Game, law: Law) -> None:
    @settings(max_examples=20, deadline=None, database=None)
    @given(positions(game))
    def holds(position: Position) -> None:
        law.check(position)

    try:
        holds()
    except NotApplicable as reason:
        pytest.skip(str(reason))


def test_the_laws_that_are_checked_here_exist() -> None:
    assert {law.name for law in LAWS} >= set(CHECKED)


def test_a_counterexample_shrinks_to_a_short_line() -> None:
    found: list[Position] = []

    @settings(max_examples=100, deadline=None, database=None, derandomize=True)
    @given(positions(built_in()[0]))
    def nobody_ever_captures(position: Position) -> None:
        if "x" in position.line:
            found.append(position)
            raise AssertionError

    with pytest.raises(AssertionError):
        nobody_ever_captures()
    assert min(len(position.line.split()) for position in found) <= 4
