"""What the search's numbers mean for a game with a heuristic, and what its kernel is compiled with."""

from collections.abc import Iterable
from typing import NamedTuple

from kibitz.core.heuristic import Heuristic
from kibitz.core.network import POINTS
from kibitz.core.rulebook import Rulebook
from kibitz.search.engine.steps import constants_without
from kibitz.search.report import CHANCE_SCALE, PROVEN, WIN

CHANCE_WIN = 1.05  # a win in units of the largest expected value, where chance mixes wins with scores
CHANCE_TURN = 1e-4  # what a turn's delay of a win costs there, in the same unit


class Scale(NamedTuple):
    """How values are measured."""

    chancy: bool  # values are expected results: near 0 they equal the heuristic's scores
    unit: float  # about what a piece is worth
    per_odds: float  # how much of a score makes the odds of a win e times as high
    reach: float  # no value that is not a win or a loss lies beyond it
    win: float  # a win now
    turn_cost: float  # what each turn takes off it

    @classmethod
    def of(cls, book: Rulebook, heuristic: Heuristic) -> "Scale":
        """The scale of a game's search with this heuristic."""
        unit = heuristic.unit
        per_odds = CHANCE_SCALE * unit if heuristic.network is None else float(POINTS)
        if book.outcomes is not None:
            reach = 2.0 * per_odds
            return cls(True, unit, per_odds, reach, CHANCE_WIN * reach, CHANCE_TURN * reach)
        reach = min(max(abs(heuristic.bounds[0]), abs(heuristic.bounds[1]), 1.0), PROVEN / 2)
        return cls(False, unit, per_odds, reach, WIN, 1.0)


def constants_of(book: Rulebook, heuristic: Heuristic, without: Iterable[str] = ()) -> dict[str, int]:
    """What the kernel is compiled with, but for the steps that are left out."""
    left_out = {*without} if heuristic.is_tactical else {*without, "quiescence"}
    fewer = heuristic.candidates is not None
    return constants_without(left_out) | {
        "REPEATS": int(book.repetition > 0),
        "LIMIT_DECIDES": int(book.repetition > 0 and book.at_limit is not None),
        "NARROW": int(fewer and book.alternating is True),
        "SELECTIVE": int(fewer and book.alternating is not True),
        "COMPULSORY": int(heuristic.is_tactical is not None and heuristic.compulsory and not fewer),
        "CHANCY": int(book.outcomes is not None),
        "KEEPS_STATIC": int(heuristic.network is not None and book.outcomes is None),
        "USES_STATIC": int(bool({"static_pruning", "futility", "improving"} - left_out)),
    }
