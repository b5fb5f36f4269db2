"""A byte holds wins of 250 turns for both players, or longer ones of one player where the other's are short."""

from pathlib import Path

import pytest

from kibitz.core.result import FIRST, SECOND
from kibitz.tables.errors import CannotSolve
from kibitz.tables.file.values import EVEN_SPLIT, FARTHEST, NOBODY, distance_of, split_for, win_code, winner_of
from kibitz.tables.probe import SPLIT
from kibitz.tables.solver import SolveTask, solve
from kibitz.tables.table import Table, Value
from tests.tables.long_walk import State, long_walk


def expected(left: int, side: int) -> Value:
    last = side if left % 2 else 1 - side
    return Value(SECOND, left) if last == SECOND else Value(None)


@pytest.mark.parametrize(("steps", "split"), [(250, 0), (251, 0), (253, 129), (400, 203), (500, 253)])
def test_wins_are_kept_as_far_as_the_other_player_leaves_room(steps: int, split: int, tmp_path: Path) -> None:
    game = long_walk(steps=steps)
    solve(SolveTask(game, tmp_path / "walk.table", verify="full"))
    table = Table.open(tmp_path / "walk.table", game)
    assert table.header[SPLIT] == split
    for left in range(steps + 1):
        for side in (FIRST, SECOND):
            assert table.probe(State(left, side)) == expected(left, side), (left, side)


def test_wins_of_both_players_are_told_apart(tmp_path: Path) -> None:
    game = long_walk(steps=250, both=True)
    table = solve(SolveTask(game, tmp_path / "walk.table", verify="full"))
    for left in range(251):
        for side in (FIRST, SECOND):
            assert table.probe(State(left, side)) == Value(side if left % 2 else 1 - side, left)


def test_wins_that_are_too_long_together_are_refused(tmp_path: Path) -> None:
    said = r"long_walk,steps=300,both=yes has wins of more than 25\d and 25\d turns, expected fewer than 504 together"
    with pytest.raises(CannotSolve, match=said):
        solve(SolveTask(long_walk(steps=300, both=True), tmp_path / "walk.table"))
    assert not (tmp_path / "walk.table").exists()


@pytest.mark.parametrize(("first", "second"), [(0, 0), (250, 250), (0, 500), (500, 0), (120, 380), (13, 216)])
def test_a_code_gives_back_what_was_put_in(first: int, second: int) -> None:
    split = split_for(first, second)
    assert split is not None
    for winner, longest in ((FIRST, first), (SECOND, second)):
        for distance in range(longest + 1):
            code = win_code(winner, distance)
            side = winner if distance % 2 else 1 - winner
            assert (winner_of(code, split), distance_of(code, side, split)) == (winner, distance)
    assert [winner_of(code, split) for code in range(3)] == [NOBODY] * 3


def test_the_split_is_even_wherever_it_can_be() -> None:
    assert split_for(0, 0) == split_for(250, 250) == split_for(13, 216) == EVEN_SPLIT
    assert split_for(FARTHEST, FARTHEST) is None
    assert split_for(300, 300) is None
