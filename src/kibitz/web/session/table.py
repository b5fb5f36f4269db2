"""A table: one game with its players, its line of play and its clocks. It knows no sockets and never waits."""

import random
from dataclasses import dataclass, field

from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.core.result import CHANCE, FIRST, Result, win_for
from kibitz.web.api.facts import TOKENS, Facts, moves_facts, pieces_of
from kibitz.web.api.refusals import Refused
from kibitz.web.api.safe_agents import HUMAN
from kibitz.web.session.clocks import Clocks
from kibitz.web.session.steps import Note, Step, join_line, last_turn, make_step


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
        ending = self.ending
        self.settle(self.here)
        self.ending = ending

    def settle(self, here: Position) -> None:
        """Put a position with its history on the table."""
        trail = list(here.trail())[::-1]
        self.start = trail[0].text
        self.here, self.steps, self.ending = trail[0], [], None
        self.dice = random.Random(self.seed)
        for after in trail[1:]:
            self._add(after, Note())
            if self.steps[-1].side == CHANCE:
                self.dice.random()  # so that a game that is put back rolls on as it would have
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
        return join_line(self.steps)

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

    def replay(self, codes: list[int]) -> None:
        """Moves and outcomes that were taken back, once more."""
        for code in codes:
            self._add(self.here.play(code), Note())
            if self.steps[-1].side == CHANCE:
                self.dice.random()

    def _add(self, after: Position, note: Note) -> None:
        step = make_step(after, note)
        self.steps.append(step)
        self.fresh.append(step)
        before, self.here = self.here, after
        before.forget_moves()

    def take_fresh(self) -> list[Step]:
        """The steps that nobody has been told of."""
        fresh, self.fresh = self.fresh, []
        return fresh

    # Going back.

    def undo(self) -> None:
        """To where a human last had to choose; where no human plays, a turn back."""
        wanted = self.humans or {0, 1}
        for ply in range(self.ply - 1, -1, -1):
            if self.steps[ply].side in wanted:
                self.back(ply)
                return
        raise Refused("nothing-to-undo", "this is where the line begins")

    def undo_turn(self, side: int) -> None:
        """To where a side began its last turn."""
        ply = max((at for at, step in enumerate(self.steps) if step.side == side), default=-1)
        while ply > 0 and self.steps[ply - 1].side == side:
            ply -= 1
        if ply < 0:
            raise Refused("nothing-to-undo", "this side has not moved yet")
        self.back(ply)

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
        """All that a page shows of the game."""
        here, book, result = self.here, self.game.rulebook, self.result
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
            "last": last_turn(self.steps),
            "paused": self.paused,
            "yours": self.yours,
            "clocks": None if self.clocks is None else self.clocks.facts(now),
            "seed": self.seed,
        }
