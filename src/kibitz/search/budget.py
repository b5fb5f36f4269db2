"""What a search is asked and what bounds it: the same for every search that runs to a fixed depth."""

import random
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import BadLimit, IllegalMove
from kibitz.core.limit import UNBOUNDED, Limit
from kibitz.core.position import Position
from kibitz.core.result import CHANCE
from kibitz.core.seam.control import STOP, run_stoppable
from kibitz.search.clock import Allowance
from kibitz.search.report import Line, Score

NODES, MOST_NODES, OWN = 1, 2, 3  # of a control array, behind STOP; from OWN on it is the search's
STOPPED = np.ones(16, np.int64)  # a control array that lets nothing begin


def count_node(control: NDArray[np.int64]) -> bool:
    """Count this call of a search function; False if the search is to stop instead. For kernels."""
    if control[STOP] != 0 or control[NODES] == control[MOST_NODES]:
        control[STOP] = 1
        return False
    control[NODES] += 1
    return True


def control_for(limit: Limit) -> NDArray[np.int64]:
    """A control array for a search within this limit."""
    control = np.zeros_like(STOPPED)
    control[MOST_NODES] = limit.nodes or UNBOUNDED
    return control


def run_within(limit: Limit, control: NDArray[np.int64], search: Callable[..., Any], *given: Any) -> tuple[Any, float]:
    """What the search returns, stopped when its time is over, and the seconds it took. Its last parameter is the
    control array. It is compiled before the clock starts.
    """
    search(*given, STOPPED.copy())
    began = perf_counter()
    timer = Allowance.of(limit, began).timer(lambda: control.__setitem__(STOP, 1))
    try:
        found = run_stoppable(control, search, *given, control)
    finally:
        if timer is not None:
            timer.cancel()
    return found, perf_counter() - began


def seed_of(option: int) -> int:
    """The seed that an option asks for: 0 is another one each time."""
    return option or random.randrange(1, 1 << 31)


def depth_within(depth: int, limit: Limit) -> int:
    """The depth to search to: a limit may lower it."""
    if depth < 1:
        raise BadLimit(f"depth is {depth}, expected at least 1")
    return depth if limit.depth is None else min(depth, limit.depth)


def refuse_finished(position: Position) -> None:
    """There must be something to choose."""
    if position.over or position.turn == CHANCE:
        why = "the game is over" if position.over else "chance is to move"
        raise IllegalMove(f"no move to choose: {why} in {position.game.text} position '{position.text}'")


def any_turn(position: Position) -> tuple[int, ...]:
    """A legal turn for a search that was stopped before it found one: the first move, until the turn ends."""
    moves: list[int] = []
    here = position
    while here.turn == position.turn and not here.over:
        moves.append(here.game.moves_once(here.state)[0])
        here = here.play(moves[-1])
    return tuple(moves)


def line_of(position: Position, value: float, moves: tuple[int, ...], proven: bool | None = None) -> Line:
    """A line from this position on, with its score for the side to move; where nobody says whether that is proven,
    its value does.
    """
    here = Position(position.game, position.state)
    for move in moves:
        here = here.play(move)
    side = position.to_move
    if proven is None:
        score = Score.read(value, side)
    else:
        score = Score(value, side, True) if proven else Score.estimate(value, side)
    return Line(score, moves, here.line)
