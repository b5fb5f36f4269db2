"""The sequential test: values of another program, and error rates seen in simulation."""

import math
import random

import pytest

from kibitz.arena.stats.estimate import NORMALISED, POINTS, moments
from kibitz.arena.stats.sprt import BadTest, Model, Sprt, with_t_value


@pytest.mark.parametrize(
    ("counts", "bounds", "model", "ratio"),
    [
        ((54, 226, 410, 318, 87), (0.0, 5.0), "normalised", 2.96),
        ((54, 226, 410, 318, 87), (0.0, 5.0), "logistic", 4.04),
        ((365, 16618, 36229, 16974, 390), (0.0, 2.0), "normalised", 2.25),
        ((127, 4883, 10712, 5150, 104), (-1.75, 0.25), "normalised", 3.01),
        ((223, 9863, 21279, 10037, 246), (0.5, 2.5), "logistic", -3.07),
        ((871, 26175, 55983, 26678, 821), (0.0, 2.0), "logistic", -4.98),
    ],
)
def test_the_ratio_is_what_a_known_program_makes_of_the_same_pairs(
    counts: tuple[int, ...], bounds: tuple[float, float], model: Model, ratio: float
) -> None:
    """From the third on they are those of fastchess (Disservin/fastchess, app/tests/sprt_test.cpp, pentanomial)."""
    assert Sprt(*bounds, model=model).ratio(counts) == pytest.approx(ratio, abs=0.005)


def test_the_bounds_for_five_percent_are_those_everyone_knows() -> None:
    assert list(Sprt(0, 5).bounds) == pytest.approx([-2.94, 2.94], abs=0.005)


def test_the_test_decides_at_its_bounds_only() -> None:
    assert Sprt(0, 5).decide((54, 226, 410, 318, 87)) == "H1"
    assert Sprt(0, 5).decide((0, 0, 0, 0, 0)) is None
    assert Sprt(0.5, 2.5, model="logistic").decide((223, 9863, 21279, 10037, 246)) == "H0"
    assert Sprt(0, 2).decide((365, 16618, 36229, 16974, 390)) is None


@pytest.mark.parametrize(
    "counts", [(0, 0, 0, 0, 9), (9, 0, 0, 0, 0), (0, 0, 9, 0, 0), (3, 0, 4, 0, 5), (1, 0, 0, 0, 0)]
)
@pytest.mark.parametrize("model", ["normalised", "logistic"])
def test_games_without_draws_and_one_sided_matches_have_a_ratio(counts: tuple[int, ...], model: Model) -> None:
    ratio = Sprt(-5, 20, model=model).ratio(counts)
    assert math.isfinite(ratio)
    assert (ratio > 0) == (counts[4] > counts[0])


def test_a_hypothesis_is_obeyed_by_its_most_likely_distribution() -> None:
    dice = random.Random(3)
    for _ in range(50):
        counts = [dice.choice([1e-3, dice.randrange(1, 300)]) for _ in POINTS]
        seen = [count / sum(counts) for count in counts]
        wanted = math.sqrt(2) * dice.uniform(-200, 200) / NORMALISED
        mean, variance = moments(with_t_value(seen, wanted))
        assert (mean - 0.5) / math.sqrt(variance) == pytest.approx(wanted, abs=1e-5)


def _decided(test: Sprt, odds: list[float], dice: random.Random) -> str:
    counts = [0, 0, 0, 0, 0]
    while True:
        for _ in range(3):
            counts[dice.choices(range(5), odds)[0]] += 1
        decision = test.decide(counts)
        if decision is not None:
            return decision


@pytest.mark.parametrize(("truth", "wrong"), [(0.0, "H1"), (100.0, "H0")])
def test_wrong_decisions_are_as_rare_as_promised(truth: float, wrong: str) -> None:
    """Pairs are drawn from a distribution that obeys one hypothesis exactly; 5% of the decisions may be wrong, and
    chance may add three standard deviations to that.
    """
    odds = with_t_value([0.1, 0.2, 0.4, 0.2, 0.1], math.sqrt(2) * truth / NORMALISED)
    dice, runs = random.Random(11), 150
    wrongs = sum(_decided(Sprt(0, 100), odds, dice) == wrong for _ in range(runs))
    assert 0 < wrongs <= runs * (0.05 + 3 * math.sqrt(0.05 * 0.95 / runs))


@pytest.mark.parametrize(
    ("bounds", "words"),
    [
        ((5.0, 0.0), "smaller first"),
        ((0.0, math.inf), "expected two numbers"),
        ((0.0, 500.0), "at most 200 from zero"),
    ],
)
def test_bounds_between_which_nothing_can_be_decided_are_refused(bounds: tuple[float, float], words: str) -> None:
    with pytest.raises(BadTest, match=words):
        Sprt(*bounds)
