"""Elo and its doubt: values of another program, edge cases, and simulation."""

import math
from collections.abc import Sequence

import pytest

from kibitz.arena.stats.decision import games_needed, order_confidence, superiority
from kibitz.arena.stats.estimate import (
    Estimate,
    elo,
    estimate_elo,
    expected,
    moments,
    normalised_elo,
)
from kibitz.arena.stats.scores import Scores
from kibitz.arena.stats.tally import Tally
from tests.arena.samples import DRAWN, LOST, WON, played

KNOWN = (54, 226, 410, 318, 87)  # a match of 1,095 pairs


def estimated(counts: Sequence[int]) -> Estimate:
    found = estimate_elo(counts)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("counts", "elo_found", "half", "normalised", "likely"),
    [
        ((34, 54, 63, 64, 75), 55.58, 27.65, 57.94, 1.0),
        ((332, 433, 498, 333, 334), -8.64, 10.33, -9.17, 0.0505),
        ((7895, 8757, 5685, 568, 9999), -21.04, 2.95, -19.01, 0.0),
    ],
)
def test_elo_is_what_a_known_program_makes_of_the_same_pairs(
    counts: tuple[int, ...], elo_found: float, half: float, normalised: float, likely: float
) -> None:
    """The values of fastchess (Disservin/fastchess, app/tests/elo_test.cpp, pentanomial), to their last digit; its
    intervals add no pairs, ours are the same but for that.
    """
    found = estimated(counts)
    assert found.value == pytest.approx(elo_found, abs=0.005)
    assert found.width / 2 == pytest.approx(half, rel=0.015)
    assert normalised_elo(counts) == pytest.approx(normalised, abs=0.005)
    assert superiority(counts) == pytest.approx(likely, abs=1e-3)


def test_elo_follows_the_formulas_to_the_last_printed_digit() -> None:
    found = estimated(KNOWN)
    assert found.value == pytest.approx(25.11, abs=0.005)
    assert normalised_elo(KNOWN) == pytest.approx(35.61, abs=0.005)
    assert superiority(KNOWN) == pytest.approx(0.999999, abs=1e-6)


def test_pair_scores_and_single_games_agree_on_the_mean() -> None:
    assert moments(KNOWN)[0] == pytest.approx((645 + 1058 / 2) / 2190)


@pytest.mark.parametrize("difference", [-700.0, -20.0, 0.0, 3.5, 400.0])
def test_elo_and_expected_score_undo_each_other(difference: float) -> None:
    assert elo(expected(difference)) == pytest.approx(difference)


def test_four_hundred_elo_are_ten_to_one() -> None:
    assert expected(400.0) == pytest.approx(10 / 11)


def test_before_any_pair_nothing_is_said() -> None:
    assert estimate_elo((0, 0, 0, 0, 0)) is None
    assert games_needed((0, 0, 0, 0, 0)) is None


def test_all_wins_have_no_finite_elo_but_a_lower_bound_that_rises_with_the_games() -> None:
    few, many = estimated((0, 0, 0, 0, 3)), estimated((0, 0, 0, 0, 30))
    assert few.value == many.value == math.inf
    assert -200 < few.low < many.low < math.inf
    assert str(many) == f"at least {many.low:+.0f}"
    assert order_confidence((0, 0, 0, 0, 3)) < 0.95 < order_confidence((0, 0, 0, 0, 12)) < 1.0


def test_all_pairs_even_leave_doubt_on_both_sides() -> None:
    found = estimated((0, 0, 10, 0, 0))
    assert found.low < 0 == found.value < found.high
    assert superiority((0, 0, 10, 0, 0)) == pytest.approx(0.5)


def test_the_other_player_sees_the_opposite() -> None:
    ours, theirs = estimated(KNOWN), estimated(KNOWN[::-1])
    assert theirs.value == pytest.approx(-ours.value)
    assert theirs.low == pytest.approx(-ours.high)
    assert superiority(KNOWN[::-1]) == pytest.approx(1 - superiority(KNOWN))


def test_few_pairs_do_not_flatter() -> None:
    """Three pairs that went almost alike have a tiny variance, which is luck and no knowledge."""
    assert order_confidence((0, 0, 0, 1, 2)) < 0.95


def test_an_estimate_is_written_with_its_bounds_and_says_when_it_is_biased() -> None:
    assert str(Estimate(12.34, -1.26, 25.94)) == "+12.3 [-1.3, +25.9]"
    assert str(Estimate(12.34, 1.26, math.inf, biased=True)) == "+12.3 [+1.3, -], biased"


def test_games_needed_is_about_what_makes_the_order_sure() -> None:
    counts = (5, 10, 20, 12, 6)
    more = games_needed(counts)
    assert more is not None
    assert more % 2 == 0
    factor = 1 + more / 2 / sum(counts)
    assert superiority([round(factor * count) for count in counts]) == pytest.approx(0.975, abs=0.01)


def test_games_are_counted_in_pairs_by_opening() -> None:
    scores = Scores(
        [
            played("b", "a", 0, WON),
            played("a", "b", 0, WON),
            played("a", "b", 1, DRAWN),
            played("b", "a", 1, LOST),
            played("a", "b", 2, LOST),
        ]
    )
    assert scores.tally("a", "b") == Tally(wins=2, draws=1, losses=2, pairs=(0, 0, 1, 1, 0))
    assert scores.tally("b", "a") == scores.tally("a", "b").swapped == Tally(2, 1, 2, (0, 1, 1, 0, 0))
    assert scores.tally("a", "c") == Tally()
    assert scores.totals(["a", "b", "c"])["a"] == scores.tally("a", "b")


def test_games_that_repeat_another_are_noticed_and_say_nothing_new() -> None:
    games = [played("a", "b", number, WON, line="x y z") for number in range(5)]
    games += [played("b", "a", number, LOST, line="x y v") for number in range(5)]
    scores = Scores(games)
    assert scores.repeated == 8
    assert scores.tally("a", "b") == Tally(wins=10, pairs=(0, 0, 0, 0, 1))
    assert sum(meeting.wins + meeting.losses for meeting in scores.meetings(["a", "b"])) == 2
    assert Scores([played("a", "b", 0, WON, line="x"), played("b", "a", 0, WON, line="x")]).repeated == 0
