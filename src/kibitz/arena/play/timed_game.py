"""One game between two players under clocks: who is late, fails or plays what is not legal has lost."""

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice

from kibitz import agents
from kibitz.arena.play.clock import Clocks
from kibitz.arena.play.machine import find_margin
from kibitz.arena.play.task import GameTask
from kibitz.arena.players.player import Answer, Offence, Player
from kibitz.arena.players.supervised_process import SupervisorLost
from kibitz.arena.records.record import Ply
from kibitz.core.errors import IllegalMove
from kibitz.core.game_loop import Turn, play_game, turns_of
from kibitz.core.position import Position
from kibitz.core.result import CHANCE, FIRST, SECOND, Result

STOPPING = 3.0  # seconds in which an agent is stopped that does not stop by itself
GRACE = 2.0  # seconds that a late answer is waited for, to tell late from never
DIGITS = 4  # of seconds and scores in a record


@dataclass
class Ending:
    """How a game ended and why, and who is to blame if anyone is."""

    result: Result | None
    reason: str = "rules"
    guilty: tuple[int, ...] = ()


@dataclass
class TimedGame:
    """A game from the end of its opening on. The players are asked; only the referee plays moves and rolls dice."""

    task: GameTask
    players: Sequence[Player]
    position: Position
    dice: random.Random
    plies: list[Ply] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)  # of the turn at hand, which may come in parts
    forgiving: bool = True  # a killed supervisor ends the game, instead of losing it for its player

    def __post_init__(self) -> None:
        task = self.task
        margin = find_margin() if self.is_timed else 0.0
        self.clocks = Clocks(task.control, task.second_control, margin)
        self.stopping = [STOPPING if agents.read(text).kind.stopped else 0.0 for text in (task.first, task.second)]

    @property
    def is_timed(self) -> bool:
        """Does a clock run for either side?"""
        return any(
            control is not None and control.is_timed for control in (self.task.control, self.task.second_control)
        )

    def play(self) -> Ending:
        """Play until the rules or an offence end the game."""
        guilty = self._make_ready()
        if guilty:
            return _forfeit(guilty)
        try:
            for turn in islice(play_game(self.position, self._ask, self.dice), self.task.turns):
                self._write_down(turn)
                judged = self.task.adjudication.judge(self.position, self.plies)
                if judged is not None and not self.position.over:
                    return Ending(*judged)
        except Offence as offence:
            return _forfeit({self.position.turn: offence})
        except IllegalMove as problem:
            return _forfeit({self.position.turn: Offence("illegal", str(problem))})
        if not self.position.over:
            return Ending(Result.DRAW, f"adjudicated: no end after {self.task.turns} turns")
        return Ending(self.position.result)

    def _make_ready(self) -> dict[int, Offence]:
        """Make both ready at the same time; no clock runs yet."""
        guilty: dict[int, Offence] = {}
        *_, start = self.position.trail()
        for side, player in enumerate(self.players):
            try:
                with self._blame_supervisor():
                    player.begin(start, agents_seed(self.task.seed, side))
            except Offence as offence:
                guilty[side] = offence
        for side, player in enumerate(self.players):
            try:
                if side not in guilty:
                    with self._blame_supervisor():
                        player.ready()
            except Offence as offence:
                guilty[side] = offence
        return guilty

    @contextmanager
    def _blame_supervisor(self) -> Iterator[None]:
        """Let a killed supervisor count as its player's death, where this is not forgiven any longer."""
        try:
            yield
        except SupervisorLost:
            if self.forgiving:
                raise
            raise Offence("died", "with its supervisor, again and again") from None

    def _ask(self, position: Position) -> Sequence[int]:
        """The moves of the side to move, or the offence of being late with them."""
        side, used = position.turn, sum(answer.seconds for answer in self.answers)
        allowed = self.clocks.allowed(side)
        late = self.clocks.margins[side] + self.stopping[side] + GRACE
        patience = self.task.resources.patience if allowed is None else allowed - used + late
        with self._blame_supervisor():
            answer = self.players[side].choose(position, self.clocks.limit(side, used), max(0.0, patience))
        self.clocks.judge(side, used + answer.seconds, self.stopping[side])
        self.answers.append(answer)
        return answer.moves

    def _write_down(self, turn: Turn) -> None:
        self.position = turn.after
        if turn.side == CHANCE:
            self.plies.append(Ply(text=turn.text, side=CHANCE))
            return
        seconds = sum(answer.seconds for answer in self.answers)
        self.clocks.charge(turn.side, seconds)
        self.plies.append(_ply(turn, seconds, self.answers))
        self.answers.clear()


def opening_plies(position: Position) -> list[Ply]:
    """The turns that led to a position, as a record has them."""
    return [Ply(text=turn.text, side=turn.side) for turn in turns_of(position)]


def agents_seed(seed: int, side: int) -> int:
    """The seed of a side's agent in a game, never 0."""
    return random.Random(f"{seed} {side}").randrange(1, 1 << 31)


def _ply(turn: Turn, seconds: float, answers: list[Answer]) -> Ply:
    last = answers[-1]
    score = None if last.score is None else round(last.score, DIGITS)
    nodes = sum(answer.nodes for answer in answers)
    return Ply(
        text=turn.text, side=turn.side, seconds=round(seconds, DIGITS), score=score, depth=last.depth, nodes=nodes
    )


def _forfeit(guilty: dict[int, Offence]) -> Ending:
    if len(guilty) > 1:
        return Ending(Result.DRAW, f"neither is ready: {guilty[FIRST]}; {guilty[SECOND]}", (FIRST, SECOND))
    ((side, offence),) = guilty.items()
    return Ending(Result.SECOND_WINS if side == FIRST else Result.FIRST_WINS, str(offence), (side,))
