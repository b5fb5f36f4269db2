"""The grid of vampires against werewolves seen in a mirror, upside down, or both."""

import numpy as np

from kibitz.games.vampires.rules import END, OUTCOME, Rules, State

MIRROR, FLIP, HALF_TURN = 0, 1, 2  # left and right; top and bottom; both
TURNED = ((2, 1, 0, 4, 3, 7, 6, 5), (5, 6, 7, 3, 4, 0, 1, 2), (7, 6, 5, 4, 3, 2, 1, 0))  # where each direction goes


def transform(state: State, symmetry: int, rules: Rules) -> State:
    """Battles are sorted anew, so where several wait, another one may come first than the image of the first."""
    cells = np.empty_like(state.cells)
    for cell in range(cells.size):
        cells[image_of(cell, symmetry, rules)] = state.cells[cell]
    orders = np.empty_like(state.orders)
    for index in range(orders.size):
        orders[index] = transform_move(int(state.orders[index]), symmetry, rules)
    battles = np.empty_like(state.battles)
    for index in range(battles.size):
        battle = int(state.battles[index])
        battles[index] = image_of(battle >> 8, symmetry, rules) * 256 + (battle & 255)
    return State(cells, np.sort(orders), np.sort(battles), state.side, state.ply)


def transform_move(move: int, symmetry: int, rules: Rules) -> int:
    if move == END:
        return END
    if move >= OUTCOME:
        outcome = move - OUTCOME
        return OUTCOME + image_of(outcome >> 10, symmetry, rules) * 1024 + (outcome & 1023)
    origin, direction = image_of(move >> 11, symmetry, rules), TURNED[symmetry][move >> 8 & 7]
    return (origin * 8 + direction) * 256 + (move & 255)


def image_of(cell: int, symmetry: int, rules: Rules) -> int:
    row, column = cell // rules.columns, cell % rules.columns
    if symmetry != FLIP:
        column = rules.columns - 1 - column
    if symmetry != MIRROR:
        row = rules.rows - 1 - row
    return row * rules.columns + column
