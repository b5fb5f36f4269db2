"""Ratings of several players: published values, closed forms, simulation."""

import math
import random

import pytest

from kibitz.arena.stats.estimate import Z95
from kibitz.arena.stats.ratings import ELO, Meeting, rate

# Home wins and losses in the American League East, 1987, the row's team at home: Agresti, Categorical Data Analysis,
# 2nd edition (2002), page 438; the same numbers are data/baseball.csv of the R package BradleyTerry2 (Turner and Firth
# 2012).
TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
HOME = """
-   4-3 4-2 4-3 6-1 4-2 6-0
3-3 -   4-2 4-3 6-0 6-1 4-3
2-5 4-3 -   2-4 4-3 4-2 6-0
3-3 5-1 2-5 -   4-3 4-2 6-1
5-1 2-5 3-3 4-2 -   5-2 6-0
2-5 3-3 3-4 4-3 4-2 -   2-4
2-5 1-5 1-6 2-4 1-6 3-4 -
"""
# The fit that BradleyTerry2 publishes (tests/baseball.Rout.save, second model): natural units above Baltimore, and the
# advantage of playing at home, each with its standard error.
STRENGTHS = (1.6196, 1.4754, 1.3271, 1.2813, 1.1438, 0.7047)
ERRORS = (0.3474, 0.3446, 0.3403, 0.3404, 0.3378, 0.3350)
AT_HOME, AT_HOME_ERROR = 0.3023, 0.1309
PRINTED = 6e-5  # half of the last digit, and a little


def baseball() -> list[Meeting]:
    found = []
    for home, row in enumerate(HOME.split("\n")[1:-1]):
        for away, cell in enumerate(row.split()):
            if cell != "-":
                wins, losses = map(int, cell.split("-"))
                found.append(Meeting(home, away, wins=wins, losses=losses))
    return found


def test_a_published_season_gives_its_published_strengths_and_home_advantage() -> None:
    found = rate(len(TEAMS), baseball(), prior=None)
    *others, last = found.players
    assert [(team.value - last.value) / ELO for team in others] == pytest.approx(list(STRENGTHS), abs=PRINTED)
    spread = found.covariance
    errors = [math.sqrt(spread[n, n] + spread[-1, -1] - 2 * spread[n, -1]) / ELO for n in range(len(others))]
    assert errors == pytest.approx(list(ERRORS), abs=PRINTED)
    assert found.advantage.value / ELO == pytest.approx(AT_HOME, abs=PRINTED)
    assert found.advantage.width / 2 / Z95 / ELO == pytest.approx(AT_HOME_ERROR, abs=PRINTED)


def test_the_prior_hardly_moves_a_season() -> None:
    with_prior, without = rate(7, baseball()), rate(7, baseball(), prior=None)
    for ours, theirs in zip(with_prior.players, without.players, strict=True):
        assert abs(ours.value - theirs.value) < 0.1 * theirs.width / 2


def test_draws_of_two_players_follow_davidson_exactly() -> None:
    found = rate(2, [Meeting(0, 1, 10, 5, 3), Meeting(1, 0, 3, 5, 10)], prior=None)
    assert found.players[0].value - found.players[1].value == pytest.approx(400 * math.log10(10 / 3), abs=0.01)
    assert found.draw == pytest.approx(5 / math.sqrt(30), abs=1e-4)
    assert found.advantage.value == pytest.approx(0, abs=0.01)


def test_the_mean_of_all_ratings_is_zero() -> None:
    assert sum(team.value for team in rate(7, baseball()).players) == pytest.approx(0, abs=1e-6)


def test_a_player_who_won_everything_is_finite_and_wide() -> None:
    found = rate(2, [Meeting(0, 1, wins=10), Meeting(1, 0, losses=10)])
    assert 200 < found.players[0].value < 800
    assert found.players[0].width > 400
    assert found.superiority(0, 1) > 0.95


def test_who_never_played_is_anywhere() -> None:
    found = rate(3, [Meeting(0, 1, 3, 0, 2)])
    assert found.players[2].width > 1600
    assert found.superiority(2, 0) == pytest.approx(0.5, abs=0.2)


def test_simulated_players_are_found_within_their_intervals() -> None:
    dice = random.Random(2)
    truth, advantage, draw = [-150.0, -50.0, 0.0, 60.0, 140.0], 40.0, 0.7
    meetings = []
    for first, one in enumerate(truth):
        for second, other in enumerate(truth):
            if first != second:
                x, y = (one + advantage) / ELO, other / ELO
                odds = [math.exp(x), draw * math.exp((x + y) / 2), math.exp(y)]
                ends = dice.choices(range(3), odds, k=60)
                meetings.append(Meeting(first, second, *(ends.count(kind) for kind in range(3))))
    found = rate(5, meetings)
    assert [player.low < real < player.high for player, real in zip(found.players, truth, strict=True)] == [True] * 5
    assert found.advantage.low < advantage < found.advantage.high
    assert found.draw == pytest.approx(draw, rel=0.15)
