"""Looking up a position: its value, and that of every move."""

import os
from typing import NamedTuple

from kibitz.core.position import Position
from kibitz.core.result import CHANCE
from kibitz.tables import folder
from kibitz.tables.errors import BadTable, CannotSolve, NoTable
from kibitz.tables.generic import solver as generic
from kibitz.tables.resources import MemoryBudget
from kibitz.tables.table import Table, Value
from kibitz.tables.worker_pool import WorkerPool

SMALL = 64_000_000  # bytes: a game that is solved within it takes a few seconds


class Lookup(NamedTuple):
    """What a position is worth, and its moves as text, the best first for the side to move."""

    value: Value
    moves: list[tuple[str, Value]]


def open_or_solve(position: Position) -> Table:
    """The table of a game; a small game is solved at once where there is none."""
    game = position.game
    found = folder.find(game)
    if found is not None:
        return found
    if game.blocks:
        return folder.require(game)
    generic.refuse_unfit(game)
    try:
        with WorkerPool(os.cpu_count() or 1, game.max_moves) as pool:
            solution = generic.solve(game, MemoryBudget(SMALL), pool)
    except CannotSolve:
        return folder.require(game)
    return Table(game, solution.header, solution.data, {"rows": solution.rows})


def find_value(position: Position) -> Value | None:
    """What an existing table says of a position; None where there is none that can be used."""
    try:
        table = folder.find(position.game)
    except BadTable:
        return None
    return None if table is None else table.probe(position.state)


def look_up(position: Position, table: Table | None = None) -> Lookup:
    """The value of a position and of its moves. Ply limits and repetition are ignored."""
    book = table or open_or_solve(position)
    game = position.game
    moves = [] if position.turn == CHANCE else game.moves(position.state)
    found = [
        (game.move_text(position.state, code), require_value(book, game.play(position.state, code))) for code in moves
    ]
    found.sort(key=lambda pair: (-pair[1].rank(position.turn), pair[0]))
    return Lookup(require_value(book, position.state), found)


def require_value(table: Table, state: object) -> Value:
    """What a state is worth; one that the table does not know is refused."""
    value = table.probe(state)
    if value is None:
        game = table.game
        raise NoTable(f"position '{game.write(state)}' is not in the table of {game.text}: it cannot come about")
    return value


def describe(value: Value, sides: tuple[str, str]) -> dict[str, object]:
    """A value for programs to read."""
    return {"winner": None if value.winner is None else sides[value.winner], "turns": value.turns}
