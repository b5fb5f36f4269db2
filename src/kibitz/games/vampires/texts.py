"""Vampires against werewolves as people see it: positions and moves as text, the grid as data."""

import re
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from kibitz.core import notation
from kibitz.core.errors import BadPosition, quoted
from kibitz.core.layout import Cell, Gesture, Layout, Piece
from kibitz.core.result import FIRST, ONGOING, SECOND
from kibitz.games.vampires.rules import (
    EMPTY,
    END,
    FULL,
    OUTCOME,
    VAMPIRES,
    Rules,
    State,
    group,
    is_random,
    moves,
    play,
    result,
    target_of,
)

KINDS = "?hvw"
SIDES = ("vampires", "werewolves")


def pieces(state: State) -> list[str]:
    return [_content_text(int(content)) if content else "" for content in state.cells]


def _content_text(content: int) -> str:
    return f"{KINDS[content >> 8]}{content & 255}" if content else "0"


def _cell_text(cell: int, rules: Rules) -> str:
    return f"{cell % rules.columns},{cell // rules.columns}"


def move_text(state: State, move: int, rules: Rules) -> str:
    if move == END:
        return "end"
    if move >= OUTCOME:
        cell, content = divmod(move - OUTCOME, 1024)
        return f"~{_cell_text(cell, rules)}:{_content_text(content)}"
    return f"{_cell_text(move >> 11, rules)}>{_cell_text(target_of(move, rules), rules)}:{move & 255}"


def gesture(move: int, rules: Rules) -> Gesture:
    if move == END:
        return Gesture(())
    if move >= OUTCOME:
        return Gesture(((move - OUTCOME) >> 10,))
    return Gesture((move >> 11, target_of(move, rules)), amount=move & 255)


def write(state: State, rules: Rules) -> str:
    contents = pieces(state)
    rows = [_row_text(contents[at : at + rules.columns]) for at in range(0, len(contents), rules.columns)]
    extras = {
        "ply": state.ply if state.ply != state.side else 0,
        "orders": "+".join(move_text(state, int(order), rules) for order in state.orders),
        "battles": "+".join(f"{_cell_text(int(battle) >> 8, rules)}:{battle & 255}" for battle in state.battles),
    }
    return f"{'/'.join(rows)} {'vw'[state.side]}{notation.write_extras(extras)}"


def _row_text(contents: list[str]) -> str:
    runs = [(filled, list(run)) for filled, run in groupby(contents, bool)]
    return ",".join(",".join(run) if filled else str(len(run)) for filled, run in runs)


def read(text: str, rules: Rules) -> State:
    """Left out, the ply is the first in which the side can have its turn."""
    board, side, extras = notation.parts(text, "vw", ("ply", "orders", "battles"))
    if "orders" in extras and "battles" in extras:
        raise BadPosition("both orders and battles wait, expected battles to begin when the orders have ended")
    waiting = "orders" in extras or "battles" in extras
    ply = notation.number(extras.get("ply", str(side)), "ply", 0, rules.plies - waiting)
    if ply % 2 != side:
        raise BadPosition(f"ply is {ply} in a turn of the {SIDES[side]}, expected an {('even', 'odd')[side]} number")
    cells = np.array(_read_board(board, rules), np.int16)
    battles = _read_battles(extras["battles"], cells, side, rules) if "battles" in extras else []
    total = int((cells & 255).sum()) + sum(battle & 255 for battle in battles)
    if total > rules.creatures:
        raise BadPosition(f"{total} creatures, expected at most the {rules.creatures} that the map begins with")
    state = State(cells, np.zeros(0, np.int64), np.array(battles, np.int64), side, ply)
    return _with_orders(state, extras["orders"], rules) if "orders" in extras else state


def _read_board(board: str, rules: Rules) -> list[int]:
    lines = board.split("/")
    if len(lines) != rules.rows:
        raise BadPosition(f"board {quoted(board)} has {len(lines)} rows, expected {rules.rows}")
    return [content for index, line in enumerate(lines) for content in _read_row(line, index, rules.columns)]


def _read_row(line: str, index: int, columns: int) -> list[int]:
    contents: list[int] = []
    for item in line.split(","):
        kind, count = KINDS.find(item[:1] or "?"), item[1:]
        if kind > EMPTY and re.fullmatch("[0-9]{1,3}", count) and 1 <= int(count) <= FULL:
            contents.append(group(kind, int(count)))
        elif re.fullmatch("[0-9]{1,3}", item) and int(item) > 0:
            contents += [EMPTY] * int(item)
        else:
            raise BadPosition(
                f"row {index} {quoted(line)} holds {quoted(item)}, expected a number of empty cells, or h, v or w "
                f"with a count from 1 to {FULL}"
            )
    if len(contents) != columns:
        raise BadPosition(f"row {index} {quoted(line)} has {len(contents)} cells, expected {columns}")
    return contents


def _read_battles(text: str, cells: NDArray[np.int16], side: int, rules: Rules) -> list[int]:
    found: dict[int, int] = {}
    for word in text.split("+"):
        match = re.fullmatch("([0-9]{1,3}),([0-9]{1,3}):([0-9]{1,3})", word)
        x, y, attackers = map(int, match.groups()) if match else (-1, -1, -1)
        if not (0 <= x < rules.columns and 0 <= y < rules.rows and 1 <= attackers <= FULL):
            raise BadPosition(f"battle {quoted(word)} is not of this grid, expected x,y:attackers, at most {FULL}")
        cell = y * rules.columns + x
        if cell in found:
            raise BadPosition(f"battle {quoted(word)} is the second on its cell, expected one")
        content, own = int(cells[cell]), VAMPIRES + side
        if not is_random(content, attackers, own, rules):
            raise BadPosition(
                f"battle {quoted(word)} of {SIDES[side]} against {_content_text(content)} is not a random one, "
                f"expected humans or enemies who may win"
            )
        found[cell] = attackers
    return [cell * 256 + attackers for cell, attackers in sorted(found.items())]


def _with_orders(state: State, text: str, rules: Rules) -> State:
    if result(state) != ONGOING:
        raise BadPosition(f"orders {quoted(text)} wait where the game is over")
    for word in text.split("+"):
        known = {move_text(state, order, rules): order for order in moves(state, rules) if order != END}
        if word not in known:
            raise BadPosition(
                f"order {quoted(word)} cannot be given here, expected {min(known, default='no more')} or the like"
            )
        state = play(state, known[word], rules)
    return state


def layout(rules: Rules) -> Layout:
    return Layout(
        cells=tuple(
            Cell(f"{x},{y}", x, y, "dark" if (x + y) % 2 else "light")
            for y in range(rules.rows)
            for x in range(rules.columns)
        ),
        pieces={
            "h": Piece("humans", "h", None, "human"),
            "v": Piece("vampires", "v", FIRST, "bat"),
            "w": Piece("werewolves", "w", SECOND, "wolf"),
        },
        rows={y: str(y) for y in range(rules.rows)},
        columns={x: str(x) for x in range(rules.columns)},
    )
