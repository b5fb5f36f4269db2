"""The vampires and werewolves of the report 002: alpha-beta of depth 2 or 4 with groups that never split.

`assael2` and `assael4` play as the report means it; `assael2-shipped` and `assael4-shipped` keep the faults of the
program, see `turns`. It has no clock of its own: where a limit stops it, it plays the first best turn so far.

The shipped program may order a turn in which a cell both sends and receives, which loses the game. No position allows
that here, so at the root such turns are left out.
"""

from collections.abc import Iterable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from kibitz.agents.agent import AgentKind
from kibitz.agents.published.assael.search import best_turn
from kibitz.agents.published.assael.work import CHOICE, LENGTHS, LISTS, MOST_LISTED, SIZES, WORK_SIZE
from kibitz.core.errors import IllegalMove
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.result import FIRST
from kibitz.core.seam import specialise
from kibitz.games.vampires.rules import ACROSS, DOWN, END, OUTCOME, VAMPIRES, target_of
from kibitz.search.budget import NODES, any_turn, control_for, depth_within, line_of, refuse_finished, run_within
from kibitz.search.report import PROVEN, Report

Entry = tuple[int, int, int]  # cell, kind, count


class LeafWeights(NamedTuple):
    """What the value of a leaf is made of; the report prints other numbers than its program uses."""

    to_humans: int  # so many of the nearest groups count
    to_enemies: int
    human_power: int  # how steeply it counts to be near
    enemy_power: int
    enemy_battle: float
    enemy_pull: float
    human_battle: float
    human_pull: float
    insist: float
    last_battle: float  # when no humans are left, in units of INF


def leaf_weights(depth: int, side: int) -> LeafWeights:
    """What the program uses."""
    if depth == 4:
        return LeafWeights(2, 2, 15, 10, 10 / 21, 0, 10 / 21, 1 / 21, 1, 2)
    if side == FIRST:
        return LeafWeights(2, 1, 4, 10, 10 / 21, 0, 10 / 21, 1 / 21, 1, 20)
    return LeafWeights(2, 1, 4, 10, 5 / 16, 0, 10 / 16, 1 / 16, 1, 20)


class Assael:
    """One of the four."""

    def __init__(self, game: Game, options: Any, depth: int, shipped: bool) -> None:
        self.depth = depth
        self.shipped = shipped
        self.choose(game.new(), Limit(nodes=1))

    def choose(self, position: Position, limit: Limit) -> Report:
        refuse_finished(position)
        if position.state.orders.size > 0:
            return Report((END,), remarks=("ends a turn that was begun without it",))
        entries = [entry for entry in list_cells(position) if self.shipped or entry[2] > 0][:MOST_LISTED]
        value, targets, nodes, seconds = self.search(position, entries, limit)
        own = [entry for entry in entries if entry[1] == VAMPIRES + position.turn and entry[2] > 0]
        moves = whole_turn(position, own, targets)
        if not moves:
            return Report(any_turn(position), nodes=nodes, seconds=seconds, remarks=("has no turn of its own",))
        line = line_of(position, max(1 - PROVEN, min(value, PROVEN - 1)), moves)
        return Report(moves, (line,), depth_within(self.depth, limit), nodes, seconds)

    def search(self, position: Position, entries: list[Entry], limit: Limit) -> tuple[float, list[int], int, float]:
        """The value for the side to move, the target of each of its groups, nodes and seconds."""
        rules, me = position.game.rules, VAMPIRES + position.turn
        work = np.zeros(WORK_SIZE, np.int64)
        work[:LENGTHS] = rules.rows, rules.columns, me, depth_within(self.depth, limit), self.depth, self.shipped
        work[SIZES] = len(entries)
        work[LISTS : LISTS + 3 * len(entries)] = np.ravel(entries)
        work[CHOICE:] = -1
        control = control_for(limit)
        weights = np.array(leaf_weights(self.depth, position.turn), np.float64)
        value, seconds = run_within(limit, control, specialise(None, best_turn), work, weights)
        return float(value), work[CHOICE:].tolist(), int(control[NODES]), seconds


def list_cells(position: Position) -> list[Entry]:
    """The cells as the program's list has them: first the server's map, row by row; what changed between two of its
    turns goes to the end, and cells that are empty now stay.
    """
    *later, first = position.trail()
    order = np.flatnonzero(first.state.cells).tolist()
    touched: set[int] = set()
    for here in reversed(later):
        touched.update(changed_cells(here))
        if here.turn == position.turn and here.state.orders.size == 0:
            order = [cell for cell in order if cell not in touched] + sorted(touched)
            touched.clear()
    cells = position.state.cells
    order += [cell for cell in np.flatnonzero(cells).tolist() if cell not in order]
    return [(cell, int(cells[cell]) >> 8, int(cells[cell]) & 255) for cell in order]


def changed_cells(position: Position) -> tuple[int, ...]:
    """The source and target of the order that led here, if one did."""
    move = position.last_move
    if move is None or move == END or move >= OUTCOME:
        return ()
    return move >> 11, target_of(move, position.game.rules)


def whole_turn(position: Position, own: Iterable[Entry], targets: list[int]) -> tuple[int, ...]:
    """The orders that send each group to its target, and the end of the turn; nothing where that is not allowed."""
    columns = position.game.rules.columns
    orders = [order(cell, target, count, columns) for (cell, _, count), target in zip(own, targets, strict=False)]
    try:
        line_of(position, 0.0, (*sorted(orders), END))
    except IllegalMove:
        return ()
    return (*sorted(orders), END)


def order(cell: int, target: int, count: int, columns: int) -> int:
    """The move that sends so many from a cell to its neighbour; no move at all if it is none."""
    step = target % columns - cell % columns, target // columns - cell // columns
    steps = list(zip(ACROSS, DOWN, strict=True))
    return (cell * 8 + steps.index(step)) * 256 + count if step in steps else -1


KINDS = [
    AgentKind(
        name=f"assael{depth}{'-shipped' if shipped else ''}",
        summary=f"the report 002's, {depth} turns ahead, {'with its faults' if shipped else 'as it was meant'}",
        make=partial(Assael, depth=depth, shipped=shipped),
        games=("vampires",),
        web=True,
    )
    for depth in (2, 4)
    for shipped in (False, True)
]
