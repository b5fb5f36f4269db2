"""A game in the long form, every rule written out, with sizes as options: how games end, what is refused."""

from pathlib import Path

import pytest

from kibitz import games
from kibitz.core import Game, Position, Result
from kibitz.core.errors import BadOption, BadPosition
from kibitz.core.seam import interpreting
from kibitz.laws.parity import interpreted_and_compiled_rules_agree

ROOT = Path(__file__).parents[2]


def connectfour(options: str = "") -> Game:
    return games.load(f"{ROOT / 'tests' / 'rules' / 'connectfour.py'}{options}")


@pytest.mark.parametrize(
    ("line", "winner"),
    [
        ("a1 b1 a2 b2 a3 b3 a4", Result.FIRST_WINS),
        ("a1 b1 a2 c1 a3 d1 g1 e1", Result.SECOND_WINS),
        ("a1 b1 b2 c1 g1 c2 c3 d1 g2 d2 g3 d3 d4", Result.FIRST_WINS),
        ("g1 f1 f2 e1 a1 e2 e3 d1 a2 d2 a3 d3 d4", Result.FIRST_WINS),
    ],
    ids=["a column", "a row", "a rising diagonal", "a falling diagonal"],
)
def test_four_in_a_line_win(line: str, winner: Result) -> None:
    *before, last = line.split()
    position = connectfour().new().play(" ".join(before))
    assert position.result is None
    assert position.play(last).result == winner


def test_no_line_goes_on_at_the_foot_of_the_next_column() -> None:
    assert connectfour(",rows=2").new().play("a1 c1 a2 c2 b1 d1 b2").result is None


def test_a_line_as_long_as_the_board_allows_is_not_taken_for_a_longer_one() -> None:
    game = connectfour(",rows=9,columns=6,connect=7")
    diagonal = sum(1 << 11 * column for column in range(6))
    long = Position(game, game.rulebook.state(diagonal | 1 << 2, 0, 1))
    assert long.result is None
    if not interpreting():
        interpreted_and_compiled_rules_agree(long)


def test_a_full_board_without_a_line_is_a_draw() -> None:
    game = connectfour(",rows=2,columns=2,connect=2")
    assert game.new().play("a1 b1").result is None
    assert connectfour(",rows=2,columns=3,connect=3").new().play("a1 b1 c1 a2 b2 c2").result == Result.DRAW


def test_columns_have_numbers_too() -> None:
    assert connectfour().new().play("4 4 3").text == "7/7/7/7/3y3/2rr3 y"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("7/7/7/7/3r3/7 y", "has a disc with nothing below it"),
        ("7/7/7/7/7/3r3 r", "1 red and 0 yellow discs with r to move, expected as many of both"),
        ("7/7/7/7/7/3y3 y", "0 red and 1 yellow discs with y to move, expected one red disc more"),
        ("7/7/7/7/yyyy3/rrrr3 r", "r is to move and has won already"),
    ],
)
def test_an_impossible_position_is_refused_with_its_reason(text: str, reason: str) -> None:
    with pytest.raises(BadPosition) as refusal:
        connectfour().position(text)
    assert reason in str(refusal.value)


def test_a_finished_game_is_a_position() -> None:
    assert connectfour().position("7/7/7/7/yyy4/rrrr3 y").result == Result.FIRST_WINS


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (",rows=9", "9 rows and 7 columns are too many, expected (rows + 1) * columns to be 62 at most"),
        (",connect=8", "option connect is 8, expected 2 to 7"),
        (",rows=1", "option rows is 1, expected 2 to 20"),
    ],
)
def test_an_impossible_option_is_refused_with_its_reason(options: str, reason: str) -> None:
    with pytest.raises(BadOption) as refusal:
        connectfour(options)
    assert reason in str(refusal.value)
