"""One game at the board: who is asked, what is played, how it ends."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from kibitz.arena.clock import Clocks
from kibitz.arena.player import Answer, Offence, Player
from kibitz.arena.record import Ply
from kibitz.arena.task import GameTask
from kibitz.core.errors import quoted
from kibitz.core.position import Position
from kibitz.core.result import CHANCE, FIRST, SECOND, Result

GRACE = 2.0  # seconds that a late answer is waited for, to tell late from never
DIGITS = 4  # of seconds and scores in a record


@dataclass
class Verdict:
    """How a game ended and why, and who is to blame if anyone is."""

    result: Result | None
    reason: str = "rules"
    guilty: tuple[int, ...] = ()


@dataclass
class Sitting:
    """A game from the end of its opening on. The players are asked; only the referee plays moves and rolls dice."""

    task: GameTask
    players: Sequence[Player]
    position: Position
    dice: random.Random
    plies: list[Ply] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.clocks = Clocks(self.task.control)

    def played(self) -> Verdict:
        """Play until the rules or an offence end the game."""
        guilty = self._readied()
        if guilty:
            return _forfeit(guilty)
        for _ in range(self.task.turns):
            if self.position.over:
                break
            try:
                self._turn(self.position.turn)
            except Offence as offence:
                return _forfeit({self.position.turn: offence})
        if not self.position.over:
            return Verdict(Result.DRAW, f"adjudicated: no end after {self.task.turns} turns")
        return Verdict(self.position.result)

    def _readied(self) -> dict[int, Offence]:
        """Make both ready at the same time; no clock runs yet."""
        guilty: dict[int, Offence] = {}
        *_, start = self.position.trail()
        for side, player in enumerate(self.players):
            try:
                player.begin(start, agents_seed(self.task.seed, side))
            except Offence as offence:
                guilty[side] = offence
        for side, player in enumerate(self.players):
            try:
                if side not in guilty:
                    player.ready()
            except Offence as offence:
                guilty[side] = offence
        return guilty

    def _turn(self, side: int) -> None:
        """A turn of a side or a roll of the dice. A player that plays its turn in parts is asked again."""
        before = self.position
        if side == CHANCE:
            after = before.roll(self.dice)
            self.plies.append(Ply(text=turn_text(before, after), side=CHANCE))
            self.position = after
            return
        answers: list[Answer] = []
        after = before
        while after.turn == side and not after.over:
            answers.append(self._asked(side, after, sum(answer.seconds for answer in answers)))
            after = followed(after, answers[-1].moves)
        seconds = sum(answer.seconds for answer in answers)
        self.clocks.charge(side, seconds)
        self.plies.append(_ply(turn_text(before, after), side, seconds, answers))
        self.position = after

    def _asked(self, side: int, position: Position, used: float) -> Answer:
        allowed = self.clocks.allowed(side)
        margin = self.task.control.margin
        patience = self.task.house.patience if allowed is None else allowed - used + margin + GRACE
        answer = self.players[side].choose(position, self.clocks.limit(side, used), max(0.0, patience))
        self.clocks.judge(side, used + answer.seconds)
        return answer


def followed(position: Position, moves: Sequence[int]) -> Position:
    """The position after a player's moves, or the offence of playing what is not legal."""
    side = position.turn
    if not moves:
        raise Offence("illegal", f"no move in position '{position.text}'")
    here = position
    for move in moves:
        if here.over or here.turn != side:
            raise Offence("illegal", f"{len(moves)} moves, more than its turn has, in position '{position.text}'")
        if move not in here.move_ids:
            raise Offence("illegal", f"move {quoted(str(move))} in position '{here.text}'")
        here = here.play(move)
    return here


def turn_text(before: Position, after: Position) -> str:
    """The moves from one position to a later one, as one token."""
    words: list[str] = []
    here = after
    while here is not before:
        assert here.before is not None
        assert here.last_move is not None
        words.append(here.game.move_text(here.before.state, here.last_move))
        here = here.before
    return "+".join(reversed(words))


def opening_plies(position: Position) -> list[Ply]:
    """The turns that led to a position."""
    plies: list[Ply] = []
    trail = list(position.trail())[::-1]
    begun = 0
    for number in range(1, len(trail)):
        side = trail[begun].turn
        if number + 1 == len(trail) or trail[number].turn != side or side == CHANCE:
            plies.append(Ply(text=turn_text(trail[begun], trail[number]), side=side))
            begun = number
    return plies


def agents_seed(seed: int, side: int) -> int:
    """The seed of a side's agent in a game, never 0."""
    return random.Random(f"{seed} {side}").randrange(1, 1 << 31)


def _ply(text: str, side: int, seconds: float, answers: list[Answer]) -> Ply:
    last = answers[-1]
    score = None if last.score is None else round(last.score, DIGITS)
    nodes = sum(answer.nodes for answer in answers)
    return Ply(text=text, side=side, seconds=round(seconds, DIGITS), score=score, depth=last.depth, nodes=nodes)


def _forfeit(guilty: dict[int, Offence]) -> Verdict:
    if len(guilty) > 1:
        return Verdict(Result.DRAW, f"neither is ready: {guilty[FIRST]}; {guilty[SECOND]}", (FIRST, SECOND))
    ((side, offence),) = guilty.items()
    return Verdict(Result.SECOND_WINS if side == FIRST else Result.FIRST_WINS, str(offence), (side,))
