"""Simulated players of known strength: no sentence is wrong more often than it says.

A rate that was promised may be exceeded by three standard deviations of its count, for the runs are few. The same tests
run longer in `make prove`.
"""

import math
import random
from collections.abc import Sequence

import numpy as np
import pytest

from kibitz.arena.contest.runner import Progress
from kibitz.arena.contest.schedule import games_in_all
from kibitz.arena.stats.decision import decide_order, decide_strongest
from kibitz.arena.stats.estimate import (
    NORMALISED,
    POINTS,
    elo,
    estimate_elo,
    moments,
)
from kibitz.arena.stats.ratings import ELO, Meeting, rate
from kibitz.arena.stats.scores import Scores
from kibitz.arena.stats.sprt import Sprt, with_t_value
from kibitz.arena.stats.tally import Tally
from tests.arena.samples import DRAWN, LOST, WON, contest, played

Odds = tuple[float, float, float, float, float]
EVEN: list[Odds] = [  # players who are alike: without draws, with many, from openings that one side wins
    (0.25, 0.0, 0.5, 0.0, 0.25),
    (0.02, 0.2, 0.56, 0.2, 0.02),
    (0.01, 0.02, 0.94, 0.02, 0.01),
]
UNEVEN: list[Odds] = [(0.05, 0.2, 0.35, 0.28, 0.12), (0.0, 0.02, 0.1, 0.2, 0.68), (0.3, 0.0, 0.3, 0.0, 0.4)]
SIZES = (2, 5, 8, 20, 60, 300)  # pairs
RUNS = 300
LONG = pytest.param(5_000, marks=pytest.mark.proof)


def most(runs: int, promised: float = 0.05) -> float:
    """How many wrong sentences are no proof against the promise."""
    return runs * promised + 3.0 * math.sqrt(runs * promised * (1.0 - promised))


def samples(odds: Odds, size: int, runs: int) -> list[tuple[int, ...]]:
    drawn = np.random.default_rng(size).multinomial(size, odds, runs)
    return [tuple(map(int, counts)) for counts in drawn]


@pytest.mark.parametrize("runs", [RUNS, LONG])
@pytest.mark.parametrize("odds", EVEN + UNEVEN)
def test_an_interval_holds_the_truth(odds: Odds, runs: int) -> None:
    truth = elo(moments(odds)[0])
    for size in SIZES:
        estimates = [estimate_elo(counts) for counts in samples(odds, size, runs)]
        missed = sum(one is not None and not one.low <= truth <= one.high for one in estimates)
        assert missed <= most(runs, 0.05 if size >= 30 else 0.07), size


@pytest.mark.parametrize("runs", [RUNS, LONG])
@pytest.mark.parametrize("odds", EVEN)
def test_who_is_alike_is_seldom_called_stronger(odds: Odds, runs: int) -> None:
    for size in SIZES:
        tallies = [Tally(size, 0, size, (a, b, c, d, e)) for a, b, c, d, e in samples(odds, size, runs)]
        wrong = sum(decide_order("a", "b", tally).decided for tally in tallies)
        assert wrong <= most(runs), size


@pytest.mark.parametrize("runs", [40, pytest.param(1500, marks=pytest.mark.proof)])
@pytest.mark.parametrize("strengths", [(0, 0), (0, 0, 0), (0, 0, -300, -300), (0,) * 8])
@pytest.mark.parametrize("games", [2, 20])
def test_who_is_alike_is_seldom_called_the_strongest(strengths: Sequence[float], games: int, runs: int) -> None:
    dice = np.random.default_rng(len(strengths) + games)
    names = [str(number) for number in range(len(strengths))]
    wrong = sum(decide_strongest(names, rate(len(names), season(strengths, games, dice))).decided for _ in range(runs))
    assert wrong <= most(runs)


@pytest.mark.parametrize("runs", [40, pytest.param(1500, marks=pytest.mark.proof)])
def test_the_interval_of_a_rating_holds_the_truth(runs: int) -> None:
    strengths = (150.0, 60.0, 0.0, -60.0, -150.0)
    dice = np.random.default_rng(5)
    missed = 0
    for _ in range(runs):
        found = rate(5, season(strengths, 20, dice))
        missed += sum(not one.low <= truth <= one.high for one, truth in zip(found.players, strengths, strict=True))
        missed += not found.advantage.low <= AT_HOME <= found.advantage.high
    assert missed <= most(6 * runs)


AT_HOME = 40.0


def season(strengths: Sequence[float], games: int, dice: np.random.Generator) -> list[Meeting]:
    """Everyone against everyone else, as often on either side; three games in ten are drawn between equals."""
    found = []
    for first, one in enumerate(strengths):
        for second, other in enumerate(strengths):
            if first == second:
                continue
            x, y = (one + AT_HOME) / ELO, other / ELO
            odds = np.exp([x, math.log(0.86) + (x + y) / 2.0, y])
            wins, draws, losses = dice.multinomial(games // 2, odds / odds.sum())
            found.append(Meeting(first, second, float(wins), float(draws), float(losses)))
    return found


def test_a_hundred_repeats_of_one_pair_decide_nothing() -> None:
    games = [played("a", "b", number, WON, line="x y") for number in range(100)]
    games += [played("b", "a", number, LOST, line="y x") for number in range(100)]
    assert not decide_order("a", "b", Scores(games).tally("a", "b")).decided


def test_players_that_roll_the_same_dice_in_every_game_are_not_called_stronger() -> None:
    found = decide_order("a", "b", Tally(400, 0, 0, (0, 0, 0, 0, 200)), ["b"])
    assert not found.decided
    assert found.confidence is None
    assert "%" not in found.sentence


def decide_all(progress: Progress, odds: Odds, dice: random.Random) -> bool:
    """Play a tournament of equal players until each pairing is decided; is H1 accepted anywhere?"""
    number = 0
    results = {0.0: LOST, 0.5: DRAWN, 1.0: WON}
    while not progress.over:
        for left, right in progress.tested:
            if (left, right) not in progress.decided:
                points = 2 * POINTS[dice.choices(range(5), odds)[0]]
                forth = min(1.0, points)
                progress.take(played(left, right, number, results[forth]))
                progress.take(played(right, left, number, results[1.0 - (points - forth)]))
        number += 1
    return "H1" in progress.decided.values()


@pytest.mark.parametrize("runs", [25, pytest.param(400, marks=pytest.mark.proof)])
def test_a_tournaments_tests_err_together_as_often_as_one_may(runs: int) -> None:
    asked, dice = contest("a", "b", "c", form="round-robin"), random.Random(8)
    sprt = Sprt(0, 150, alpha=0.1, beta=0.1)
    wrong = sum(decide_all(Progress(asked, games_in_all(asked), Scores(), sprt), EVEN[0], dice) for _ in range(runs))
    assert wrong <= most(runs, 0.1)


@pytest.mark.proof
@pytest.mark.parametrize(("truth", "wrong"), [(0.0, "H1"), (10.0, "H0")])
def test_a_test_with_narrow_bounds_errs_as_seldom_as_it_says(truth: float, wrong: str) -> None:
    """The bounds that engine people use. At +7 either may be accepted, and neither sentence is wrong there."""
    odds = with_t_value([0.1, 0.2, 0.4, 0.2, 0.1], math.sqrt(2) * truth / NORMALISED)
    dice, runs, sprt = np.random.default_rng(3), 100, Sprt(0, 10)
    errors = 0
    for _ in range(runs):
        counts = np.zeros(5, dtype=int)
        while (accepted := sprt.decide([int(count) for count in counts])) is None:
            counts += dice.multinomial(25, odds)
        errors += accepted == wrong
    assert errors <= most(runs)
