"""What is said of a vampires game on a network: positions and turns as messages, and back."""

from collections import Counter
from collections.abc import Iterable

import numpy as np

from kibitz.agents.guests.vampires_wire import MOST, Entry, Message, message
from kibitz.core.errors import IllegalMove
from kibitz.core.position import Position
from kibitz.core.result import SECOND
from kibitz.games.vampires.rules import END, HUMANS, OUTCOME, VAMPIRES, target_of


def introduction(start: Position, side: int) -> list[Message]:
    """What a player is sent before the game: the size, the houses, its home and all groups."""
    rules, cells = start.game.rules, start.state.cells
    filled = np.flatnonzero(cells).tolist()
    if len(filled) > MOST:
        raise IllegalMove(f"{len(filled)} groups, more than the {MOST} that a message holds")
    houses = [_place(cell, start) for cell in filled if cells[cell] >> 8 == HUMANS]
    homes = [_place(cell, start) for cell in filled if cells[cell] >> 8 == VAMPIRES + side]
    return [
        message("SET", [(rules.rows, rules.columns)]),
        message("HUM", houses),
        message("HME", homes[:1]),
        message("MAP", contents(start, filled)),
    ]


def contents(position: Position, cells: Iterable[int]) -> list[Entry]:
    """What stands on these cells, row by row: x, y, humans, vampires, werewolves."""
    return [(*_place(cell, position), *_counts(int(position.state.cells[cell]))) for cell in sorted(cells)]


def _place(cell: int, position: Position) -> tuple[int, int]:
    columns: int = position.game.rules.columns
    return cell % columns, cell // columns


def _counts(content: int) -> Entry:
    return tuple(content & 255 if content >> 8 == kind else 0 for kind in range(HUMANS, VAMPIRES + SECOND + 1))


def changed_cells(before: Position, after: Position) -> set[int]:
    """The sources and targets of all orders between two positions."""
    cells: set[int] = set()
    here = after
    while here is not before:
        assert here.before is not None
        assert here.last_move is not None
        if here.last_move != END and here.last_move < OUTCOME:
            cells |= {here.last_move >> 11, target_of(here.last_move, here.game.rules)}
        here = here.before
    return cells


def turn_of(orders: Message) -> str:
    """The turn that a MOV stands for, as a token; orders for one way count together."""
    if not orders.entries:
        raise IllegalMove("no orders, expected one or more")
    ways: Counter[tuple[int, int, int, int]] = Counter()
    for x, y, count, to_x, to_y in orders.entries:
        if count == 0:
            raise IllegalMove(f"order {x},{y}>{to_x},{to_y}:0 sends nobody")
        ways[x, y, to_x, to_y] += count
    words = [f"{x},{y}>{to_x},{to_y}:{count}" for (x, y, to_x, to_y), count in ways.items()]
    return "+".join([*words, "end"])


def orders_of(position: Position, moves: Iterable[int]) -> Message:
    """The MOV that stands for the moves of a turn."""
    rules = position.game.rules
    given = [move for move in moves if move != END]
    return message(
        "MOV",
        ((*_place(move >> 11, position), move & 255, *_place(target_of(move, rules), position)) for move in given),
    )
