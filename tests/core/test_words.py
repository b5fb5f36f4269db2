"""Options, limits, notation and errors: small things that every text passes through."""

import pytest

from kibitz import games
from kibitz.core import notation
from kibitz.core.bits import bits_of, cells_of, count, lowest, one
from kibitz.core.errors import BadLimit, BadOption, BadPosition, KibitzError, did_you_mean, quoted
from kibitz.core.limit import Limit
from kibitz.core.result import DRAW, FIRST, FIRST_WINS, ONGOING, SECOND, SECOND_WINS, swapped, win_for


@pytest.mark.parametrize(
    ("given", "canonical"),
    [
        ("breakthrough:8x8", "breakthrough"),
        ("breakthrough,rows=5,columns=10", "breakthrough:5x10"),
        ("breakthrough:5x10,base=3", "breakthrough:5x10-three"),
        ("breakthrough,columns=4,rows=5", "breakthrough,rows=5,columns=4"),
        ("breakthrough:5x10,columns=4", "breakthrough,rows=5,columns=4"),
        ("alquerque:bell,plies=20", "alquerque:bell,plies=20"),
        ("vampires:testmap, certain_defence=on", "vampires:testmap,certain_defence=yes"),
        (" wolves:standard ", "wolves"),
    ],
)
def test_a_games_text_has_one_canonical_form(given: str, canonical: str) -> None:
    assert games.load(given).text == canonical
    assert games.load(canonical) == games.load(given)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("alquerque,steps=diagonal", "option steps is 'diagonal', expected one of forward, sideways, all"),
        ("alquerque,far_row_steps=maybe", "option far_row_steps is 'maybe', expected yes or no"),
        ("wolves,plies=many", "option plies is 'many', expected a whole number"),
        ("wolves,plies=0", "option plies is 0, expected 1 to"),
        ("wolves:thirteen", "no preset is called 'thirteen'"),
    ],
)
def test_a_bad_option_is_refused_with_what_would_fit(text: str, said: str) -> None:
    with pytest.raises(BadOption, match=said):
        games.load(text)


def test_a_limit_shows_what_it_bounds() -> None:
    limit = Limit(seconds=0.5, nodes=1000)
    assert repr(limit) == "Limit(seconds=0.5, nodes=1000)"
    assert eval(repr(limit)) == limit


@pytest.mark.parametrize(
    "bounds",
    [
        {"seconds": 0},
        {"seconds": -1.0},
        {"depth": 1.5},
        {"nodes": 0},
        {"seconds": float("nan")},
        {"seconds": float("inf")},
        {"increment": 1.0},
        {"clock": True},
    ],
)
def test_a_limit_that_makes_no_sense_is_refused(bounds: dict[str, float]) -> None:
    with pytest.raises(BadLimit, match=next(iter(bounds))):
        Limit(**bounds)  # type: ignore[arg-type]


def test_rows_are_written_and_read_back() -> None:
    cells = ["w", "", "", "b", "", "", "", "", "", "", "", "w"]
    assert notation.write_rows(cells, 6) == "w2b2/5w"
    assert notation.read_rows("w2b2/5w", 2, 6, "wb") == cells


@pytest.mark.parametrize("board", ["w2b2", "w2b2/5w/6", "7/6", "0w5/6", "x5/6", "w2b/6", "6/6/", "/", "", "٣٣/6"])
def test_rows_that_do_not_fit_are_refused(board: str) -> None:
    with pytest.raises(BadPosition, match=r"expected|fit"):
        notation.read_rows(board, 2, 6, "wb")


def test_a_word_that_stands_twice_or_is_unknown_is_refused() -> None:
    with pytest.raises(BadPosition, match="'ply' stands twice"):
        notation.parts("5 w ply=1 ply=2", "wb", ["ply"])
    with pytest.raises(BadPosition, match="did you mean 'ply'"):
        notation.parts("5 w pyl=1", "wb", ["ply"])


def test_suggestions_and_quotes_stay_short_and_printable() -> None:
    assert did_you_mean("wolfs", ["wolves", "sheep"]) == "; did you mean 'wolves'?"
    assert did_you_mean("zzz", ["wolves", "sheep"]) == " (known: sheep, wolves)"
    assert did_you_mean("zzz", []) == ""
    assert len(quoted("x" * 1000)) < 70
    assert quoted("a\nb\x00é").isascii()
    assert "\n" not in quoted("a\nb")


def test_sets_of_cells() -> None:
    assert cells_of(bits_of([3, 5, 63])) == [3, 5, 63]
    assert lowest(bits_of([5, 9])) == 5
    assert lowest(0) == 64
    assert count(bits_of(range(64))) == 64
    assert one(63) == 1 << 63


def test_results_and_sides_correspond() -> None:
    assert (win_for(FIRST), win_for(SECOND)) == (FIRST_WINS, SECOND_WINS)
    assert [swapped(found) for found in (ONGOING, FIRST_WINS, SECOND_WINS, DRAW)] == [0, 2, 1, 3]


def test_every_mistake_is_a_kibitz_error() -> None:
    assert all(issubclass(kind, KibitzError) for kind in (BadLimit, BadOption, BadPosition))
