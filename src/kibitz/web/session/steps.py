"""One move or outcome after another: what happened, the board after it, and how it was found."""

from collections.abc import Sequence
from dataclasses import dataclass

from kibitz.core.position import Position
from kibitz.core.result import CHANCE
from kibitz.web.api.facts import Facts, gesture_facts, outcome_facts, pieces_of


@dataclass(frozen=True)
class Note:
    """What is known of how a move was found."""

    seconds: float = 0.0
    score: float | None = None
    depth: int = 0
    nodes: int = 0


@dataclass(frozen=True)
class Step:
    """One move or outcome, and the board after it."""

    side: int
    code: int
    gesture: Facts
    after: Position
    odds: float | None = None
    note: Note = Note()

    @property
    def text(self) -> str:
        return str(self.gesture["text"])

    def facts(self) -> Facts:
        return {
            "side": self.side,
            "text": self.text,
            "gesture": self.gesture,
            "odds": self.odds,
            "pieces": pieces_of(self.after),
        }


def make_step(after: Position, note: Note = Note()) -> Step:  # noqa: B008 - a note is a value
    """The step that led to a position."""
    before, code = after.before, after.last_move
    assert before is not None
    assert code is not None
    game, chance = after.game, before.turn == CHANCE
    describe = outcome_facts if chance else gesture_facts
    odds = next(odds for odds, rolled in game.outcomes(before.state) if rolled == code) if chance else None
    return Step(before.turn, code, describe(game, before.state, code), after, odds, note)


def join_line(steps: Sequence[Step]) -> str:
    """The moves as `Position.line` writes them: those of one turn joined by `+`."""
    text, last = "", None
    for step in steps:
        text += ("+" if last == step.side != CHANCE else " ") + step.text
        last = step.side
    return text.strip()


def last_turn(steps: Sequence[Step]) -> list[Facts]:
    """What the hand did in the last turn; outcomes after it are passed over."""
    found: list[Facts] = []
    side: int | None = None
    for step in reversed(steps):
        if step.side == CHANCE and side is None:
            continue
        if side is not None and step.side != side:
            break
        side = step.side
        found.append(step.gesture)
    return found[::-1]
