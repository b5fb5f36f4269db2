"""A position looked up: its value, and that of every move."""

import os
from typing import NamedTuple

from kibitz.core.position import Position
from kibitz.core.result import CHANCE
from kibitz.tables import folder
from kibitz.tables.errors import BadTable, CannotSolve, NoTable
from kibitz.tables.generic import solver as generic
from kibitz.tables.indexed.layers import Crew
from kibitz.tables.resources import Allowance
from kibitz.tables.table import Table, Value

SMALL = 64_000_000  # bytes: a game that is solved within it takes a few seconds


class View(NamedTuple):
    """What a position is worth, and its moves as text, the best first for the side to move."""

    value: Value
    moves: list[tuple[str, Value]]


def table_for(position: Position) -> Table:
    """The table of a game; a small game is solved at once where there is none."""
    game = position.game
    found = folder.find(game)
    if found is not None:
        return found
    if game.blocks:
        return folder.required(game)
    generic.refuse_unfit(game)
    try:
        with Crew(os.cpu_count() or 1, game.max_moves) as crew:
            solved = generic.solve(game, Allowance(SMALL), crew)
    except CannotSolve:
        return folder.required(game)
    return Table(game, solved.header, solved.data, {"rows": solved.rows})


def at_hand(position: Position) -> Value | None:
    """What a table that is there says of a position; None where there is none that can be used."""
    try:
        table = folder.find(position.game)
    except BadTable:
        return None
    return None if table is None else table.probe(position.state)


def looked_up(position: Position, table: Table | None = None) -> View:
    """The value of a position and of its moves. Ply limits and repetition are ignored."""
    book = table or table_for(position)
    game = position.game
    moves = [] if position.turn == CHANCE else game.moves(position.state)
    found = [(game.move_text(position.state, code), known(book, game.play(position.state, code))) for code in moves]
    found.sort(key=lambda pair: (-pair[1].rank(position.turn), pair[0]))
    return View(known(book, position.state), found)


def known(table: Table, state: object) -> Value:
    """What a state is worth; one that the table does not know is refused."""
    value = table.probe(state)
    if value is None:
        game = table.game
        raise NoTable(f"position '{game.write(state)}' is not in the table of {game.text}: it cannot come about")
    return value


def facts(value: Value, sides: tuple[str, str]) -> dict[str, object]:
    """A value for programs to read."""
    return {"winner": None if value.winner is None else sides[value.winner], "turns": value.turns}
