"""Elo and its doubt: values of another program, edge cases, and simulation."""

import math
import random

import pytest

from kibitz.arena.scores import Scores
from kibitz.arena.statistics import POINTS, Tally, elo, expected, games_needed, moments, strength
from tests.arena.made import DRAWN, LOST, WON, played

KNOWN = (54, 226, 410, 318, 87)  # a match of 1,095 pairs


@pytest.mark.parametrize(
    ("counts", "elo_found", "half", "normalised", "superiority"),
    [
        ((34, 54, 63, 64, 75), 55.58, 27.65, 57.94, 1.0),
        ((332, 433, 498, 333, 334), -8.64, 10.33, -9.17, 0.0505),
        ((7895, 8757, 5685, 568, 9999), -21.04, 2.95, -19.01, 0.0),
    ],
)
def test_elo_is_what_a_known_program_makes_of_the_same_pairs(
    counts: tuple[int, ...], elo_found: float, half: float, normalised: float, superiority: float
) -> None:
    """The values of fastchess (Disservin/fastchess, app/tests/elo_test.cpp, pentanomial), to their last digit."""
    found = strength(counts)
    assert found is not None
    assert found.elo.value == pytest.approx(elo_found, abs=0.005)
    assert found.elo.half == pytest.approx(half, abs=0.005)
    assert found.normalised == pytest.approx(normalised, abs=0.005)
    assert found.superiority == pytest.approx(superiority, abs=1e-4)


def test_elo_follows_the_formulas_to_the_last_printed_digit() -> None:
    found = strength(KNOWN)
    assert found is not None
    assert found.elo.value == pytest.approx(25.11, abs=0.005)
    assert found.elo.half == pytest.approx(10.30, abs=0.005)
    assert found.normalised == pytest.approx(35.61, abs=0.005)
    assert found.superiority == pytest.approx(0.999999, abs=1e-6)


def test_pair_scores_and_single_games_agree_on_the_mean() -> None:
    assert moments(KNOWN)[0] == pytest.approx((645 + 1058 / 2) / 2190)


@pytest.mark.parametrize("difference", [-700.0, -20.0, 0.0, 3.5, 400.0])
def test_elo_and_expected_score_undo_each_other(difference: float) -> None:
    assert elo(expected(difference)) == pytest.approx(difference)


def test_four_hundred_elo_are_ten_to_one() -> None:
    assert expected(400.0) == pytest.approx(10 / 11)


def test_before_any_pair_nothing_is_said() -> None:
    assert strength((0, 0, 0, 0, 0)) is None
    assert games_needed((0, 0, 0, 0, 0)) is None


def test_all_wins_have_no_finite_elo_but_a_lower_bound_that_rises_with_the_games() -> None:
    few, many = strength((0, 0, 0, 0, 3)), strength((0, 0, 0, 0, 30))
    assert few is not None
    assert many is not None
    assert few.elo.value == many.elo.value == math.inf
    assert -200 < few.elo.low < many.elo.low < math.inf
    assert 0.9 < few.superiority < many.superiority < 1.0


def test_all_pairs_even_leave_doubt_on_both_sides() -> None:
    found = strength((0, 0, 10, 0, 0))
    assert found is not None
    assert found.elo.low < 0 == found.elo.value < found.elo.high
    assert found.superiority == pytest.approx(0.5)


def test_the_other_player_sees_the_opposite() -> None:
    ours, theirs = strength(KNOWN), strength(KNOWN[::-1])
    assert ours is not None
    assert theirs is not None
    assert theirs.elo.value == pytest.approx(-ours.elo.value)
    assert theirs.superiority == pytest.approx(1 - ours.superiority)


def test_few_pairs_do_not_flatter() -> None:
    """Three pairs that went almost alike have a tiny variance, which is luck and no knowledge."""
    found = strength((0, 0, 0, 1, 2))
    assert found is not None
    assert found.superiority > 0.99999
    assert found.sureness < 0.95


def test_the_interval_holds_the_truth_95_times_in_100() -> None:
    dice = random.Random(5)
    odds = (0.05, 0.2, 0.35, 0.28, 0.12)
    truth = elo(sum(p * point for p, point in zip(odds, POINTS, strict=True)))
    held = 0
    for _ in range(2000):
        drawn = dice.choices(range(5), odds, k=150)
        found = strength([drawn.count(kind) for kind in range(5)])
        assert found is not None
        held += found.elo.low <= truth <= found.elo.high
    assert 0.935 < held / 2000 < 0.965


def test_games_needed_is_about_what_makes_the_order_sure() -> None:
    counts = (5, 10, 20, 12, 6)
    more = games_needed(counts)
    assert more is not None
    assert more % 2 == 0
    factor = 1 + more / 2 / sum(counts)
    found = strength([round(factor * count) for count in counts])
    assert found is not None
    assert found.superiority == pytest.approx(0.975, abs=0.01)


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
    assert scores.total("a", ["a", "b", "c"]) == scores.tally("a", "b")


def test_games_that_repeat_another_are_noticed() -> None:
    scores = Scores([played("a", "b", number, WON, line="x y z") for number in range(5)])
    assert scores.repeated == 4
    assert Scores([played("a", "b", 0, WON, line="x"), played("b", "a", 0, WON, line="x")]).repeated == 0
