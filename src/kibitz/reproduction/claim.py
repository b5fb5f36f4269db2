"""What a report claims, as data: what it says, how that is measured here, and how it is judged."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from scipy.stats import binomtest

Outcome = Literal["holds", "does not hold", "open"]
Watch = Callable[[str], None]  # called with what was just finished, one of the claim's steps
ABOUT = 0.25  # "around 30" is a quarter more or less
NEAR = 0.16  # of a half: a share that is no farther from it is about a half
SENTENCES = 28  # as many rest on an interval; each may err so seldom that all of them together seldom do
CONFIDENCE = 1.0 - 0.05 / SENTENCES


@dataclass(frozen=True, slots=True)
class Judgement:
    """One sentence of a claim and what became of it."""

    cast: str  # which of the players, `as printed` or `as meant`
    sentence: str
    verdict: Outcome
    seen: str  # what was seen, as `31 of 40`


@dataclass(frozen=True, slots=True)
class Findings:
    """What was measured for a claim: a column of figures for each cast, the judgements, and one final board."""

    columns: dict[str, dict[str, str]] = field(default_factory=dict)
    judgements: list[Judgement] = field(default_factory=list)
    boards: dict[str, str] = field(default_factory=dict)

    def as_values(self) -> dict[str, Any]:
        """For a file."""
        values = asdict(self)
        return {"columns": values["columns"], "judged": values["judgements"], "boards": values["boards"]}

    @staticmethod
    def of_values(values: dict[str, Any]) -> "Findings":
        """From a file."""
        judgements = [Judgement(**one) for one in values["judged"]]
        return Findings(values["columns"], judgements, values["boards"])


@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    """A claim of a report. `measure` is given whether a quick look will do, and says when a step is done."""

    key: str
    game: str
    title: str
    said: str  # by the report, in our words
    reported: dict[str, str]  # its figures
    measure: Callable[[bool, Watch], Findings]
    steps: Callable[[bool], int]
    method: str = ""  # how it is measured here
    board: str = ""  # the final board that the report prints

    def __repr__(self) -> str:
        return (
            f"{self.key} {self.title} {self.said} {self.reported} {self.method} {self.steps(True)} {self.steps(False)}"
        )


def mostly(wins: int, games: int) -> Outcome:
    """Is it more than half? Open while it may be half or less, and may be clearly more."""
    low, high = confidence_interval(wins, games)
    if low > 0.5:
        return "holds"
    return "does not hold" if high <= 0.5 + NEAR else "open"


def half(wins: int, games: int) -> Outcome:
    """Is it about half? Open while the doubt is wide."""
    low, high = confidence_interval(wins, games)
    if not low <= 0.5 <= high:
        return "does not hold"
    return "holds" if low >= 0.5 - NEAR and high <= 0.5 + NEAR else "open"


def always(wins: int, games: int) -> Outcome:
    """Is it every time?"""
    return "holds" if wins == games else "does not hold"


def about(found: float, said: float) -> Outcome:
    """Is it around a number?"""
    return "holds" if abs(found - said) <= ABOUT * said else "does not hold"


def true(found: bool) -> Outcome:
    """Is it so?"""
    return "holds" if found else "does not hold"


def confidence_interval(wins: int, games: int) -> tuple[float, float]:
    """The bounds of a probability that was seen so often, for one of many sentences (Wilson, Bonferroni)."""
    bounds = binomtest(wins, games).proportion_ci(CONFIDENCE, method="wilson")
    return float(bounds.low), float(bounds.high)
