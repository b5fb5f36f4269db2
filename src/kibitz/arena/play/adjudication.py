"""Games that are ended before the rules do: both players see who has won, or that nobody will, or a table knows.

Scores are the players' own, in the units of each; both must agree, so that one that is wrong cannot throw a game away.
The record names the rule by which a game was ended.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kibitz.arena.records.record import Ply
from kibitz.core.errors import BadOption, quoted
from kibitz.core.position import Position
from kibitz.core.result import CHANCE, FIRST, SECOND, Result
from kibitz.tables.lookup import find_value


@dataclass(frozen=True, slots=True)
class Threshold:
    """A score that both players must have seen in so many turns each."""

    score: float
    turns: int

    def __str__(self) -> str:
        return f"{self.score:g}/{self.turns}"


def read_threshold(text: str, option: str) -> Threshold:
    """`8/4`: a score, and for how many turns of each player."""
    found = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)/(\d{1,4})", text.strip())
    if found is None or not int(found[2]):
        raise BadOption(f"{option} is {quoted(text)}, expected SCORE/TURNS such as 8/4")
    return Threshold(float(found[1]), int(found[2]))


@dataclass(frozen=True, kw_only=True, slots=True)
class Adjudication:
    """By which rules games are ended early; none of them by default."""

    resign: Threshold | None = None
    draw: Threshold | None = None
    table: bool = False

    def judge(self, position: Position, plies: Sequence[Ply]) -> tuple[Result, str] | None:
        """The result and its reason, where a rule applies."""
        found = self._by_resignation(plies) or self._by_agreement(plies)
        return found or (self._by_table(position) if self.table else None)

    def _by_resignation(self, plies: Sequence[Ply]) -> tuple[Result, str] | None:
        rule = self.resign
        for loser in (FIRST, SECOND) if rule else ():
            assert rule is not None
            lost, won = _latest(plies, loser, rule.turns), _latest(plies, 1 - loser, rule.turns)
            if lost and won and max(lost) <= -rule.score and min(won) >= rule.score:
                result = Result.SECOND_WINS if loser == FIRST else Result.FIRST_WINS
                return result, f"adjudicated: resign, both players said {rule.score:g} or more for {rule.turns} turns"
        return None

    def _by_agreement(self, plies: Sequence[Ply]) -> tuple[Result, str] | None:
        rule = self.draw
        if rule is None:
            return None
        both = [_latest(plies, side, rule.turns) for side in (FIRST, SECOND)]
        if all(scores and max(map(abs, scores)) <= rule.score for scores in both):
            return Result.DRAW, f"adjudicated: draw, both players said {rule.score:g} or less for {rule.turns} turns"
        return None

    def _by_table(self, position: Position) -> tuple[Result, str] | None:
        """What the table of perfect play says. Ply limits and repetition, which it ignores, may say otherwise."""
        value = None if position.turn == CHANCE or position.over else find_value(position)
        if value is None:
            return None
        if value.winner is None:
            return Result.DRAW, "adjudicated: table, a draw"
        result = Result.FIRST_WINS if value.winner == FIRST else Result.SECOND_WINS
        return result, f"adjudicated: table, {position.game.rulebook.sides[value.winner]} win in {value.turns} turns"


def _latest(plies: Sequence[Ply], side: int, number: int) -> list[float] | None:
    """The scores of a side's latest turns; None where some of them had none."""
    own = [ply.score for ply in plies if ply.side == side][-number:]
    scores = [score for score in own if score is not None]
    return scores if len(scores) == number else None
