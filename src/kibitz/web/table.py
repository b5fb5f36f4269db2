"""A table: one game with its players, its line of play and its clocks. It knows no sockets and never waits."""

import random
from dataclasses import dataclass, field
from typing import Any

from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.core.result import CHANCE, FIRST, Result, win_for
from kibitz.web.clocks import Clocks
from kibitz.web.facts import TOKENS, Facts, gesture_facts, moves_facts, outcome_facts, pieces_of
from kibitz.web.refusals import Refused
from kibitz.web.safe_agents import HUMAN


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


@dataclass
class Table:
    """What lies on a table. `fresh` are the steps that nobody has been told of."""

    game: Game
    here: Position
    players: list[str]
    seconds: float
    seed: int
    pace: float = 0.0
    clocks: Clocks | None = None
    paused: bool = False
    ending: tuple[Result, str] | None = None
    start: str = ""
    steps: list[Step] = field(default_factory=list)
    fresh: list[Step] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.dice = random.Random(self.seed)
        self.settle(self.here)

    def settle(self, here: Position) -> None:
        """Put a position with its history on the table."""
        trail = list(here.trail())[::-1]
        self.start = trail[0].text
        self.here, self.steps, self.ending = trail[0], [], None
        for after in trail[1:]:
            assert after.last_move is not None
            self._add(after, Note())
        self.fresh = []

    # Who and what.

    @property
    def result(self) -> Result | None:
        return self.ending[0] if self.ending else self.here.result

    @property
    def over(self) -> bool:
        return self.result is not None

    @property
    def reason(self) -> str:
        if self.ending:
            return self.ending[1]
        return "rules" if self.over else ""

    @property
    def ply(self) -> int:
        return len(self.steps)

    @property
    def turn(self) -> int:
        return self.here.turn

    @property
    def humans(self) -> set[int]:
        return {side for side in (0, 1) if self.players[side] == HUMAN}

    @property
    def yours(self) -> bool:
        """Is a human to move?"""
        return not self.over and self.turn in self.humans

    @property
    def agent(self) -> str | None:
        """The agent to move, if it is one's turn."""
        return None if self.over or self.turn == CHANCE or self.turn in self.humans else self.players[self.turn]

    @property
    def line(self) -> str:
        """The moves since the start, as `Position.line` writes them."""
        text, last = "", None
        for step in self.steps:
            text += ("+" if last == step.side != CHANCE else " ") + step.text
            last = step.side
        return text.strip()

    # Going on.

    def play(self, words: str, note: Note) -> None:
        """A turn, or a part of it, by its text; nothing is played unless all of it can be."""
        side, after = self.turn, self.here
        passed: list[Position] = []
        for word in words.split("+"):
            if after.over or after.turn != side:
                raise Refused("illegal-move", f"'{word[:40]}' comes after the turn has ended")
            after = after.play(word)
            passed.append(after)
        self._follow(passed, note)

    def play_codes(self, codes: list[int], note: Note) -> None:
        """The same by the rules' integers, as agents answer."""
        side, after = self.turn, self.here
        passed = []
        for code in codes:
            if after.over or after.turn != side:
                break
            after = after.play(code)
            passed.append(after)
        self._follow(passed, note)

    def _follow(self, passed: list[Position], note: Note) -> None:
        for number, after in enumerate(passed):
            self._add(after, note if number == 0 else Note())

    def roll(self) -> None:
        """Let chance have its turn, as often as it comes."""
        while not self.over and self.turn == CHANCE:
            self._add(self.here.roll(self.dice), Note())

    def _add(self, after: Position, note: Note) -> None:
        before, code = self.here, after.last_move
        assert code is not None
        chance = before.turn == CHANCE
        told = outcome_facts if chance else gesture_facts
        odds = next(odds for odds, rolled in self.game.outcomes(before.state) if rolled == code) if chance else None
        step = Step(before.turn, code, told(self.game, before.state, code), after, odds, note)
        self.steps.append(step)
        self.fresh.append(step)
        self.here = after
        before.forget_moves()

    # Going back.

    def undo(self) -> None:
        """To where a human last had to choose; where no human plays, a turn back."""
        wanted = self.humans or {0, 1}
        for ply in range(self.ply - 1, -1, -1):
            if self.steps[ply].side in wanted:
                self.back(ply)
                return
        raise Refused("nothing-to-undo", "this is where the line begins")

    def back(self, ply: int) -> None:
        """To an earlier ply of the line."""
        if not 0 <= ply <= self.ply:
            raise Refused("nothing-to-undo", f"ply {ply} is not of this line, expected 0 to {self.ply}")
        for _ in range(self.ply - ply):
            assert self.here.before is not None
            self.here = self.here.before
        del self.steps[ply:]
        self.fresh, self.ending = [], None

    def end(self, loser: int, reason: str) -> None:
        """A side has lost by something else than the rules."""
        self.ending = Result(win_for(1 - loser)), reason

    # Telling.

    def facts(self, why: str, now: float) -> Facts:
        """All that a page shows; what was fresh no longer is."""
        here, book, result = self.here, self.game.rulebook, self.result
        fresh, self.fresh = self.fresh, []
        return {
            "type": "state",
            "why": why,
            "game": self.game.text,
            "name": self.game.label,
            "title": book.title,
            "sides": list(book.sides),
            "first": self.players[FIRST],
            "second": self.players[1],
            "seconds": self.seconds,
            "start": self.start,
            "line": self.line,
            "position": here.text,
            "ply": self.ply,
            "turn": here.turn,
            "to_move": here.to_move,
            "over": self.over,
            "result": None if result is None else TOKENS[result],
            "winner": None if result is None else result.winner,
            "reason": self.reason,
            "pieces": pieces_of(here),
            "moves": [] if self.over else moves_facts(here),
            "last": self._last_turn(),
            "steps": [step.facts() for step in fresh],
            "paused": self.paused,
            "yours": self.yours,
            "clocks": None if self.clocks is None else self.clocks.facts(now),
            "seed": self.seed,
        }

    def _last_turn(self) -> list[Facts]:
        found: list[Facts] = []
        side: int | None = None
        for step in reversed(self.steps):
            if step.side == CHANCE and side is None:
                continue
            if side is not None and step.side != side:
                break
            side = step.side
            found.append(step.gesture)
        return found[::-1]

    def job(self, game: str, name: str) -> Facts:
        """The position as a worker takes it."""
        return {"table": name, "game": game, "start": self.start, "codes": [step.code for step in self.steps]}


def checked_text(value: Any, name: str, most: int) -> str:
    """A text of bounded length."""
    if not isinstance(value, str) or len(value) > most:
        raise Refused("bad-message", f"{name} is missing or too long, expected a text of at most {most} characters")
    return value
