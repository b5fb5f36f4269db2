"""The Alquerque program of a course report (SDU DM574, 2023): the whole tree, and one number at its leaves.

A node is worth the enemy pieces that are gone, twelve at most. A node of the side that searches takes the largest value
of its children, from 0 up, a node of the other side the smallest, from 12 down; without children a node keeps its own.
The first of the best moves is played, by source and then by target.

As shipped, a function was named but not called, and so the black pieces are counted for both colours: Black seeks its
own losses.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.agents.agent import Agent, AgentKind
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.options import in_range
from kibitz.core.position import Position
from kibitz.core.result import FIRST, ONGOING
from kibitz.core.seam import specialise
from kibitz.core.seam.control import STOP
from kibitz.core.seam.slots import moves, play, result, turn
from kibitz.heuristics.alquerque_report import count_captures
from kibitz.search.budget import NODES, OWN, control_for, count_node, depth_within, line_of, refuse_finished, run_within
from kibitz.search.report import Report
from kibitz.search.textbook import turns_left

ME, HUNTER = OWN, OWN + 1  # of the control array: who searches, and for whom captures are counted
JUMPS_IN_A_TURN = 12


class Options(NamedTuple):
    depth: int = 7  # the program's levels are 1 to 7


def tree_value(
    state: Any, rules: Any, depth: int, at: int, out: NDArray[np.int64], control: NDArray[np.int64]
) -> int:  # fmt: skip
    """What the program makes of a node, `depth` layers above the leaves."""
    if not count_node(control):
        return 0
    if depth == 0 or result(state, rules) != ONGOING:
        return count_captures(state, control[HUNTER])
    side = turn(state, rules)
    maximises = side == control[ME]
    best = 0 if maximises else 12
    end = moves(state, rules, out, at)
    for index in range(at, end):
        child = play(state, out[index], rules)
        value = tree_value(child, rules, turns_left(child, rules, side, depth), end, out, control)
        best = max(best, value) if maximises else min(best, value)
    return best


class Dm574:
    """`shipped` counts the black pieces for both colours."""

    def __init__(self, game: Game, options: Options, shipped: bool) -> None:
        self.depth = in_range("depth", options.depth, 1, 20)
        self.shipped = shipped
        self.choose(game.new(), Limit(nodes=1))

    def choose(self, position: Position, limit: Limit) -> Report:
        refuse_finished(position)
        depth = depth_within(self.depth, limit)
        control = control_for(limit)
        control[ME] = position.turn
        control[HUNTER] = FIRST if self.shipped else position.turn
        chosen: list[int] = []
        seconds, value = 0.0, 0
        here = position
        while here.turn == position.turn and not here.over:
            move, value, took = self._first_best(here, depth, limit, control)
            chosen.append(move)
            seconds += took
            here = here.play(move)
        moves = tuple(chosen)
        stopped = ("stopped early",) if control[STOP] else ()
        return Report(moves, (line_of(position, value, moves),), depth, int(control[NODES]), seconds, remarks=stopped)

    def _first_best(
        self, position: Position, depth: int, limit: Limit, control: NDArray[np.int64]
    ) -> tuple[int, int, float]:
        """The move, its value and the time it took."""
        game = position.game
        codes = np.array(sorted(position.move_ids), np.int64)
        values = np.full(codes.size, -1, np.int64)
        out = np.zeros(game.max_moves * (depth + 1) * (1 if game.alternating else JUMPS_IN_A_TURN), np.int64)
        search = specialise(game.rulebook, root_values)
        given = position.state, game.rules, depth, codes, values, out
        _, seconds = run_within(limit, control, search, *given)
        best = int(values.argmax())
        return int(codes[best]), max(0, int(values[best])), seconds


def root_values(
    state: Any,
    rules: Any,
    depth: int,
    codes: NDArray[np.int64],
    values: NDArray[np.int64],
    out: NDArray[np.int64],
    control: NDArray[np.int64],
) -> int:
    """Write the value of each move at the root; those that there is no time for keep what they had."""
    if not count_node(control):
        return 0
    side = turn(state, rules)
    start = 0 * depth
    for index in range(codes.size):
        child = play(state, codes[index], rules)
        value = tree_value(child, rules, turns_left(child, rules, side, depth), start, out, control)
        if control[STOP] != 0:
            return index
        values[index] = value
    return int(codes.size)


def as_meant(game: Game, options: Options) -> Agent:
    return Dm574(game, options, shipped=False)


def as_shipped(game: Game, options: Options) -> Agent:
    return Dm574(game, options, shipped=True)


KINDS: list[AgentKind] = [
    AgentKind(
        name="dm574",
        summary="counts captured pieces in the whole tree (SDU DM574)",
        make=as_meant,
        options=Options,
        games=("alquerque",),
        web=True,
    ),
    AgentKind(
        name="dm574-shipped",
        summary="the same, but as Black it seeks its own losses",
        make=as_shipped,
        options=Options,
        games=("alquerque",),
        web=True,
    ),
]
