"""Perft: how many lines of play there are to a depth. It proves rules by counting.

Depth counts turns. A finished game has no children. A turn that ends in random battles branches into its different
results, except at the last ply, where turns are counted and not results.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import TooManyMoves
from kibitz.core.position import Position
from kibitz.core.result import CHANCE, ONGOING
from kibitz.core.seam import specialise
from kibitz.core.seam.control import STOP, new_control, run_stoppable
from kibitz.core.seam.slots import count_moves, moves_once, outcomes, play, result, turn

WITHIN_A_TURN = 64  # buffers for so many moves and outcomes in one turn, on average over the depth


def count_lines(
    state: Any,
    rules: Any,
    depth: int,
    bulk: int,
    at: int,
    out: NDArray[np.int64],
    odds: NDArray[np.float64],
    control: NDArray[np.int64],
) -> int:
    """The number of lines. `out` is a stack of moves, free from `at` on; with `bulk` the last ply is not played."""
    if control[STOP] != 0 or result(state, rules) != ONGOING:
        return 0
    side = turn(state, rules)
    if side == CHANCE:
        end = outcomes(state, rules, odds, out, at)
        total = 0
        for index in range(at, end):
            total += count_lines(play(state, out[index], rules), rules, depth, bulk, end, out, odds, control)
        return total
    if bulk != 0 and depth == 1:
        return int(count_moves(state, rules))
    end = moves_once(state, rules, out, at)
    total = 0
    for index in range(at, end):
        child = play(state, out[index], rules)
        if turn(child, rules) == side and result(child, rules) == ONGOING:
            total += count_lines(child, rules, depth, bulk, end, out, odds, control)
        elif depth == 1:
            total += 1
        else:
            total += count_lines(child, rules, depth - 1, bulk, end, out, odds, control)
    return total


def perft(position: Position, depth: int, *, bulk: bool = True) -> int:
    """The number of lines of `depth` turns from here. `bulk` counts the moves of the last ply without playing them."""
    if depth <= 0 or position.over:
        return int(depth == 0)
    game = position.game
    size = game.max_moves * (depth + (0 if game.alternating and not game.rulebook.outcomes else WITHIN_A_TURN))
    control = new_control()
    count = specialise(game.rulebook, count_lines)
    quick = int(bulk and game.alternating)
    buffers = np.zeros(size, np.int64), np.zeros(size, np.float64)
    try:
        return int(run_stoppable(control, count, position.state, game.rules, depth, quick, 0, *buffers, control))
    except TooManyMoves as error:
        if size == game.max_moves * depth:
            raise
        raise TooManyMoves(f"{error}, or a turn, or roll upon roll, never ends; `kibitz check` finds which") from None


def divide(position: Position, depth: int) -> dict[str, int]:
    """Perft turn by turn: for each first turn, as text, how many lines begin with it."""
    return {text: 1 if depth == 1 else perft(after, depth - 1) for text, after in _turns(position, "")}


def _turns(position: Position, begun: str) -> Iterator[tuple[str, Position]]:
    """Every turn from here as text, with the position it leads to."""
    game = position.game
    for code in game.moves_once(position.state):
        after = Position(game, game.play(position.state, code))
        text = begun + game.move_text(position.state, code)
        if after.turn == position.turn and not after.over:
            yield from _turns(after, f"{text}+")
        else:
            yield text, after
