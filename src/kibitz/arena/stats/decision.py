"""What games decide, and how often such a sentence may be wrong.

A `Decision` that is made with confidence c is wrong at most once in 1 / (1 - c) times, whatever the truth is, also
where two players are exactly alike and every order is wrong. Tests by simulation hold each kind to that.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from kibitz.arena.stats.estimate import Z95, moments, pad_counts
from kibitz.arena.stats.ratings import Ratings
from kibitz.arena.stats.sprt import Hypothesis, Sprt
from kibitz.arena.stats.tally import Tally

SURE = 0.95
FEW = 30  # pairs; with fewer an exact test has its say, too
MOST_SURE = 0.999  # no sentence says more


@dataclass(frozen=True, slots=True)
class Decision:
    """A sentence, whether it is decided, and how sure it is; None where that cannot be said."""

    sentence: str
    decided: bool
    confidence: float | None = None

    def __str__(self) -> str:
        return self.sentence


def order_confidence(counts: Sequence[int]) -> float:
    """How sure it is that the player who is ahead is the stronger one: 1 minus the error of a test of both sides."""
    if not sum(counts):
        return 0.0
    mean, variance = moments(pad_counts(counts))
    z = abs(mean - 0.5) / math.sqrt(variance / sum(pad_counts(counts)))
    normal = math.erf(z / math.sqrt(2.0))
    return normal if sum(counts) >= FEW else min(normal, sign_test(counts))


def sign_test(counts: Sequence[int]) -> float:
    """How sure it is that pairs are won more often than lost, or less often; even pairs say nothing."""
    from scipy.stats import binomtest

    won, lost = counts[3] + counts[4], counts[0] + counts[1]
    return 1.0 - float(binomtest(won, won + lost).pvalue) if won + lost else 0.0


def superiority(counts: Sequence[int]) -> float:
    """LOS, as engine people have it: the likelihood that the first player is the stronger one."""
    ahead = moments(counts)[0] >= 0.5 if sum(counts) else True
    share = (1.0 + order_confidence(counts)) / 2.0
    return share if ahead else 1.0 - share


def decide_order(left: str, right: str, tally: Tally, dependent: Sequence[str] = ()) -> Decision:
    """Which of two players is stronger. `dependent` are those of them who roll the same dice in every game."""
    if not tally.pair_count:
        return Decision("nothing can be said: no opening was played from both sides yet", False)
    mean, _ = moments(tally.pairs)
    if mean == 0.5:
        return Decision(f"not decided: after {tally.games} games nobody is ahead", False, 0.0)
    better, worse = (left, right) if mean > 0.5 else (right, left)
    if dependent:
        return Decision(f"{better} is ahead of {worse}; {_dependence(dependent)}", False)
    sure = order_confidence(tally.pairs)
    if sure >= SURE:
        return Decision(f"{better} is stronger than {worse}, we are {percent(sure)} sure", True, sure)
    return Decision(f"not decided: {better} is ahead, {percent(sure)} sure; {_outlook(tally)}", False, sure)


def _dependence(names: Sequence[str]) -> str:
    who = " and ".join(names)
    verb = "has a fixed seed and rolls" if len(names) == 1 else "have fixed seeds and roll"
    return f"how sure that is cannot be said: {who} {verb} the same dice in every game"


def _outlook(tally: Tally) -> str:
    more = games_needed(tally.pairs)
    if more is None:
        return "a few more games would decide"
    return f"if that goes on, about {rough(more)} more games would decide"


def games_needed(counts: Sequence[int], sure: float = Z95) -> int | None:
    """How many more games, in whole pairs, would decide if they go on as before; None: it cannot be foreseen."""
    number = sum(counts)
    if number == 0:
        return None
    mean, variance = moments(counts)
    if mean == 0.5 or variance == 0.0:
        return None
    pairs = math.ceil(variance * (sure / (mean - 0.5)) ** 2)
    return 2 * max(1, pairs - number) if pairs < 1_000_000 else None


def decide_strongest(names: Sequence[str], ratings: Ratings, dependent: Sequence[str] = ()) -> Decision:
    """Who of many is the strongest: how often each comes out on top when all ratings are drawn together."""
    tops = ratings.top_shares()
    best = max(range(len(names)), key=lambda place: (tops[place], ratings.players[place].value))
    sure = max(0.0, 2.0 * float(tops[best]) - 1.0)  # of both sides, as with two players
    if dependent:
        return Decision(f"{names[best]} is ahead; {_dependence(dependent)}", False)
    if sure >= SURE:
        return Decision(f"{names[best]} is the strongest, we are {percent(sure)} sure", True, sure)
    close = [name for name, top in zip(names, tops, strict=True) if top >= 0.025 and name != names[best]]
    others = f"{len(close)} others" if len(close) > 3 else " or ".join(close)
    doubt = f"it may be {others}" if close else "others are close"
    return Decision(f"{names[best]} is ahead, but {doubt}: more games are needed", False, sure)


def decide_test(sprt: Sprt, accepted: Hypothesis | None, left: str, right: str, outlook: str = "") -> Decision:
    """What a sequential test says: which hypothesis fits better, and how often a test errs. It measures nothing."""
    kind = "normalised Elo" if sprt.model == "normalised" else "Elo"
    low, high = f"{sprt.elo0:+g}", f"{sprt.elo1:+g}"
    if accepted == "H1":
        return Decision(
            f"H1 accepted: {left} is better than {right} by more than {low} {kind}; were it not, at most "
            f"{100 * sprt.alpha:g}% of tests would end so. That it is {high} or more does not follow",
            True,
            1.0 - sprt.alpha,
        )
    if accepted == "H0":
        return Decision(
            f"H0 accepted: {left} is better than {right} by less than {high} {kind}, or not at all; were it not, at "
            f"most {100 * sprt.beta:g}% of tests would end so. That it is {low} or less does not follow",
            True,
            1.0 - sprt.beta,
        )
    return Decision(f"not decided: {outlook or 'more games are needed'}", False)


def rough(number: int) -> str:
    """A number as exact as a forecast is."""
    step = 10 ** max(0, len(str(number)) - 2)
    return f"{math.ceil(number / step) * step:,}"


def percent(share: float) -> str:
    """A confidence, rounded down: never more than it is, and never certainty."""
    if share >= MOST_SURE:
        return f"more than {100 * MOST_SURE:g}%"
    return f"{math.floor(1000 * share) / 10:.1f}%" if share >= 0.99 else f"{math.floor(100 * share)}%"
