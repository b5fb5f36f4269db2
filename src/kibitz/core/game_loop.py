"""The game loop: the side to move is asked, chance is rolled, until the game is over. All that plays games uses it.

What happens to a player that is late, fails or plays what is not legal is the caller's to decide. Whoever is asked may
raise: `SkipTurn` passes the turn, anything else ends the loop. The caller may stop after any turn.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from kibitz.core.errors import IllegalMove, quoted
from kibitz.core.position import Position
from kibitz.core.result import CHANCE

Chooser = Callable[[Position], Sequence[int]]  # the moves of a turn, or of a part of it


class SkipTurn(Exception):
    """Instead of an answer: the turn passes with nothing done, and the game goes on from this position."""

    def __init__(self, position: Position) -> None:
        super().__init__()
        self.position = position


class Turn(NamedTuple):
    """A turn of a side, or one outcome of chance."""

    before: Position
    after: Position
    skipped: bool = False

    @property
    def side(self) -> int:
        return self.before.turn

    @property
    def moves(self) -> list[int]:
        """The moves of the turn, in order; none of a skipped one."""
        return [] if self.skipped else moves_between(self.before, self.after)

    @property
    def text(self) -> str:
        """The moves of the turn as one token."""
        states = [self.before, *_steps(self.before, self.after)]
        return "+".join(here.game.move_text(here.state, move) for here, move in zip(states, self.moves, strict=False))


def play_game(position: Position, choose: Chooser, dice: random.Random) -> Iterator[Turn]:
    """Play from a position to the end, turn by turn. Who plays a turn in parts is asked again until it is over."""
    while not position.over:
        turn = _take_turn(position, choose, dice)
        position = turn.after
        yield turn


def _take_turn(before: Position, choose: Chooser, dice: random.Random) -> Turn:
    if before.turn == CHANCE:
        return Turn(before, before.roll(dice))
    after = before
    while after.turn == before.turn and not after.over:
        try:
            after = play_checked(after, choose(after))
        except SkipTurn as skip:
            return Turn(before, skip.position, skipped=True)
    return Turn(before, after)


def play_checked(position: Position, moves: Sequence[int]) -> Position:
    """The position after moves that are all of one turn, or what is wrong with them."""
    where = f"in {position.game.text} position '{position.text}'"
    if not moves:
        raise IllegalMove(f"no move from {position.to_move} {where}")
    here = position
    for move in moves:
        if here.over or here.turn != position.turn:
            raise IllegalMove(f"{len(moves)} moves, more than the turn has, {where}")
        if move not in here.move_ids:
            raise IllegalMove(f"move {quoted(str(move))} in {here.game.text} position '{here.text}'")
        here = here.game.after(here, move)
    return here


def moves_between(before: Position, after: Position) -> list[int]:
    """The moves that lead from a position to a later one."""
    return [here.last_move for here in _steps(before, after) if here.last_move is not None]


def _steps(before: Position, after: Position) -> list[Position]:
    """The positions from the one behind `before` to `after`."""
    return list(takewhile(lambda here: here is not before, after.trail()))[::-1]


def turns_of(position: Position) -> Iterator[Turn]:
    """The turns that led to a position."""
    trail = list(position.trail())[::-1]
    begun = 0
    for number in range(1, len(trail)):
        side = trail[begun].turn
        if number + 1 == len(trail) or trail[number].turn != side or side == CHANCE:
            yield Turn(trail[begun], trail[number])
            begun = number
