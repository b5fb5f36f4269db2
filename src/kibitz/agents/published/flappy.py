"""FlappyAgent, which won a course's Chinese checkers (SJTU AU332, 2020), as its authors' program plays.

It looks at no more than 20 moves anywhere, those that go farthest forwards; equal ones by row and column. At the root
it leaves out those that go back by more than a row, by two from the inner rows of the goal, and the one that takes back
its last move. Alpha-beta first looks three plies ahead, then four, and so on until its time is up. Two peculiarities
are part of it:

- The best value is kept from one depth to the next: a move that looks worse now is only given up for one that looks
  better than it ever did. The next depth tries the moves in the order of their values.
- A win of its own is seen where the enemy would be to move or the depth ends, a win of the enemy's nowhere.

`flappy` judges positions as the report means it, `flappy-shipped` as the program does.
"""

import random
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz import heuristics
from kibitz.agents.agent import AgentKind
from kibitz.agents.engine import narrow_limit
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.result import FIRST
from kibitz.core.seam import specialise
from kibitz.core.seam.control import STOP
from kibitz.core.seam.slots import evaluate, moves, play, turn
from kibitz.games.checkers import place_of
from kibitz.heuristics.checkers_report import WON
from kibitz.search.budget import NODES, OWN, control_for, count_node, line_of, refuse_finished, run_within
from kibitz.search.engine.ordering import pick
from kibitz.search.report import Report

BREADTH = 20
FIRST_DEPTH, LAST_DEPTH = 2, 40  # in turns behind the root move
WORST = -1e5
NO_MOVE = -1
ME, DEPTH, CHOICE = range(OWN, OWN + 3)  # of the control array


def deepen(
    state: Any,
    rules: Any,
    depth: int,
    last_depth: int,
    roots: NDArray[np.int64],
    worth: NDArray[np.float64],
    at: int,
    weights: NDArray[np.float64],
    out: NDArray[np.int64],
    order: NDArray[np.int64],
    control: NDArray[np.int64],
) -> float:
    """The best value met. The root move that had it is left in control[CHOICE], the last depth completed in DEPTH."""
    best = WORST
    for pass_depth in range(depth, last_depth + 1):
        for index in range(len(roots)):
            child = play(state, roots[index], rules)
            if value_for(child, rules, weights, control[ME]) == WON:
                control[CHOICE] = roots[index]
                return WON
            value = look(child, rules, pass_depth, pass_depth, best, -WORST, at, weights, out, order, control)
            if control[STOP] != 0:
                return best
            worth[index] = value
            if value > best:
                best = value
                control[CHOICE] = roots[index]
        control[DEPTH] = pass_depth + 1
        if best == WON:  # nothing can be better: the program would only wait for its time to end
            return best
        sort_by_worth(roots, worth, rules.size)
    return best


def look(
    state: Any,
    rules: Any,
    depth: int,
    pass_depth: int,
    alpha: float,
    beta: float,
    at: int,
    weights: NDArray[np.float64],
    out: NDArray[np.int64],
    order: NDArray[np.int64],
    control: NDArray[np.int64],
) -> float:
    """The value for the side that thinks. `out` and `order` are free from `at` on."""
    if not count_node(control):
        return 0.0
    if depth == 0:
        return value_for(state, rules, weights, control[ME])
    mine = turn(state, rules) == control[ME]
    if not mine and depth < pass_depth and value_for(state, rules, weights, control[ME]) == WON:
        return WON
    end = moves(state, rules, out, at)
    for index in range(at, end):
        order[index] = forwardness(out[index], turn(state, rules), rules.size)
    best = WORST if mine else -WORST
    for index in range(at, min(end, at + BREADTH)):
        pick(index, end, out, order)
        child = play(state, out[index], rules)
        value = look(child, rules, depth - 1, pass_depth, alpha, beta, end, weights, out, order, control)
        if control[STOP] != 0:
            return 0.0
        if mine:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if beta <= alpha:
            return best
    return best


def value_for(state: Any, rules: Any, weights: NDArray[np.float64], me: int) -> float:
    score = float(evaluate(state, rules, weights, me))
    return score if me == FIRST else -score


def forwardness(move: int, side: int, size: int) -> int:
    """Larger for moves that go farther forwards, then for those that come first by row and column."""
    cells = size * size
    origin, target = move // cells, move % cells
    up = origin // size + origin % size - target // size - target % size
    gain = up if side == FIRST else -up
    return (gain << 20) - (by_rows(origin, size) << 10) - by_rows(target, size)


def by_rows(cell: int, size: int) -> int:
    """The place of a cell in the order of rows and columns."""
    return (cell // size + cell % size) * size + cell % size


def sort_by_worth(roots: NDArray[np.int64], worth: NDArray[np.float64], size: int) -> None:
    """The most valuable first, equal ones by row and column."""
    cells = size * size
    for end in range(1, len(roots)):
        move, value = roots[end], worth[end]
        place = by_rows(move // cells, size) * cells * 2 + by_rows(move % cells, size)
        at = end
        while at > 0:
            other = by_rows(roots[at - 1] // cells, size) * cells * 2 + by_rows(roots[at - 1] % cells, size)
            if worth[at - 1] > value or (worth[at - 1] == value and other < place):
                break
            roots[at], worth[at] = roots[at - 1], worth[at - 1]
            at -= 1
        roots[at], worth[at] = move, value


class FlappyOptions(NamedTuple):
    seconds: float = 0.0  # 0: as the match says; one second where it says nothing
    depth: int = 0
    nodes: int = 0
    seed: int = 0  # for the move it makes where it considers none; 0: another one each time


class Flappy:
    """What it remembers of a game, its last move, a position knows by itself."""

    def __init__(self, game: Game, options: FlappyOptions, heuristic: str) -> None:
        self.options = options
        self.dice = random.Random(options.seed or None)
        self.heuristic = heuristics.find(game.rulebook, heuristic)
        self.search = specialise(game.rulebook, deepen, self.heuristic)
        self.choose(game.new(), Limit(depth=1))

    def choose(self, position: Position, limit: Limit) -> Report:
        refuse_finished(position)
        roots = root_moves(position)
        if not roots:
            return Report((self.dice.choice(position.move_ids),), remarks=("no move worth looking at",))
        bounds = narrow_limit(limit, self.options.seconds, self.options.depth, self.options.nodes)
        last = LAST_DEPTH if bounds.depth is None else min(bounds.depth - 1, LAST_DEPTH)
        control = control_for(bounds)
        control[ME], control[CHOICE] = position.turn, NO_MOVE
        room = position.game.max_moves * (last + 1)
        value, seconds = run_within(
            bounds,
            control,
            self.search,
            position.state,
            position.game.rules,
            min(FIRST_DEPTH, last),
            last,
            np.array(roots, np.int64),
            np.zeros(len(roots), np.float64),
            0,
            self.heuristic.weight_array,
            np.zeros(room, np.int64),
            np.zeros(room, np.int64),
        )
        found = int(control[CHOICE]) != NO_MOVE
        move = int(control[CHOICE]) if found else self.dice.choice(position.move_ids)
        return Report(
            moves=(move,),
            lines=(line_of(position, float(value), (move,)),) if found else (),
            depth=int(control[DEPTH]),
            nodes=int(control[NODES]),
            seconds=seconds,
        )


def root_moves(position: Position) -> list[int]:
    """The moves it considers, the most forward first."""
    size = position.game.rules.size
    back = reverse_of_last(position)
    kept = [move for move in position.move_ids if move != back and not retreats(move, position)]
    return sorted(kept, key=lambda move: -forwardness(move, position.turn, size))[:BREADTH]


def retreats(move: int, position: Position) -> bool:
    """Does it go back too far?"""
    size, home = position.game.rules.size, position.game.options.home
    origin, target = (place_of(cell, size)[0] for cell in divmod(move, size * size))
    if position.turn != FIRST:
        origin, target = 2 * size - origin, 2 * size - target
    return target - origin > (2 if origin < home else 1)


def reverse_of_last(position: Position) -> int:
    """The move that would take back the last one of the side to move."""
    before = position.before
    if before is None or before.last_move is None:
        return NO_MOVE
    origin, target = divmod(before.last_move, len(position.state.cells))
    return target * len(position.state.cells) + origin


KINDS = [
    AgentKind(
        name=name,
        summary=summary,
        make=partial(Flappy, heuristic=name),
        options=FlappyOptions,
        games=("checkers",),
        web=True,
    )
    for name, summary in (
        ("flappy", "a course's winning Chinese checkers agent, as its report means it"),
        ("flappy-shipped", "the same as its program plays, with a slip when it moves second"),
    )
]
